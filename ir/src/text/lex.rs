//! Tokens of the textual IR.

use std::borrow::Cow;

/// A token. Line ends are not tokens; [`Token::line`] tells where they are.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Tok<'a> {
    /// Letters, digits, `_` and `.`, beginning with a letter or `_`: keywords, entities, types.
    Word(&'a str),
    /// `@name` or `@"any name"`.
    Name(Cow<'a, str>),
    /// A string, escapes resolved.
    Str(Vec<u8>),
    /// A number as written: decimal, hexadecimal, floating; `-inf` too.
    Num(&'a str),
    /// `( ) { } [ ] , : = + - ->` and so on.
    Punct(&'static str),
    /// The end of the file.
    End,
}

impl Tok<'_> {
    /// The token for a message.
    pub(super) fn describe(&self) -> String {
        let short = |s: &str| -> String {
            if s.chars().count() > 40 {
                s.chars().take(40).chain("…".chars()).collect()
            } else {
                s.to_owned()
            }
        };
        match self {
            Tok::Word(w) => format!("`{}`", short(w)),
            Tok::Name(n) => format!("`@{}`", short(n)),
            Tok::Str(_) => "a string".to_owned(),
            Tok::Num(n) => format!("`{}`", short(n)),
            Tok::Punct(p) => format!("`{p}`"),
            Tok::End => "the end of the file".to_owned(),
        }
    }
}

/// A token and its place.
#[derive(Clone, Debug)]
pub(super) struct Token<'a> {
    pub(super) tok: Tok<'a>,
    /// Byte offset in the text.
    pub(super) at: usize,
    /// Line, from 1.
    pub(super) line: u32,
}

/// What is wrong, and at which byte.
pub(super) type LexError = (usize, String);

const PUNCT: [&str; 16] =
    ["<<<", ">>>", "...", "->", "(", ")", "{", "}", "[", "]", ",", ":", "=", "+", "-", "|"];

/// Cuts a text into tokens, the last being [`Tok::End`].
pub(super) fn lex(text: &str) -> Result<Vec<Token<'_>>, LexError> {
    let bytes = text.as_bytes();
    let mut out = Vec::new();
    let mut at = 0;
    let mut line = 1u32;
    while let Some(&c) = bytes.get(at) {
        match c {
            b'\n' => {
                line = line.saturating_add(1);
                at += 1;
            }
            b' ' | b'\t' | b'\r' => at += 1,
            b';' => at += bytes[at..].iter().take_while(|&&b| b != b'\n').count(),
            b'"' => {
                let (s, end) = string(text, at)?;
                out.push(Token { tok: Tok::Str(s), at, line });
                at = end;
            }
            b'@' => {
                let start = at;
                if bytes.get(at + 1) == Some(&b'"') {
                    let (s, end) = string(text, at + 1)?;
                    let name =
                        String::from_utf8(s).map_err(|_| (at, "a name that is not UTF-8".to_owned()))?;
                    out.push(Token { tok: Tok::Name(Cow::Owned(name)), at: start, line });
                    at = end;
                } else {
                    let len = bytes[at + 1..]
                        .iter()
                        .take_while(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'$' | b'.'))
                        .count();
                    if len == 0 {
                        return Err((at, "expected a name after `@`".to_owned()));
                    }
                    at += 1 + len;
                    out.push(Token { tok: Tok::Name(Cow::Borrowed(&text[start + 1..at])), at: start, line });
                }
            }
            c if c.is_ascii_alphabetic() || c == b'_' => {
                let len = bytes[at..]
                    .iter()
                    .take_while(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'.'))
                    .count();
                out.push(Token { tok: Tok::Word(&text[at..at + len]), at, line });
                at += len;
            }
            c if c.is_ascii_digit() || (c == b'-' && begins_number(bytes, at)) => {
                let end = number_end(bytes, at);
                out.push(Token { tok: Tok::Num(&text[at..end]), at, line });
                at = end;
            }
            _ => {
                let Some(p) = PUNCT.into_iter().find(|p| text[at..].starts_with(p)) else {
                    let c = text[at..].chars().next().unwrap_or(' ');
                    return Err((at, format!("unexpected character {c:?}")));
                };
                out.push(Token { tok: Tok::Punct(p), at, line });
                at += p.len();
            }
        }
    }
    out.push(Token { tok: Tok::End, at: text.len(), line });
    Ok(out)
}

/// Whether the `-` at `at` is a sign: a digit or `inf` follows, and no digit stands before (`14-8`).
fn begins_number(bytes: &[u8], at: usize) -> bool {
    let after_digit = at > 0 && bytes[at - 1].is_ascii_digit();
    let rest = &bytes[at + 1..];
    !after_digit && (rest.first().is_some_and(u8::is_ascii_digit) || rest.starts_with(b"inf"))
}

fn number_end(bytes: &[u8], start: usize) -> usize {
    let mut at = start + 1;
    let hex = bytes[start..].starts_with(b"0x");
    while let Some(&c) = bytes.get(at) {
        let part_of = match c {
            b'.' => bytes.get(at + 1).is_some_and(u8::is_ascii_digit),
            b'-' | b'+' => !hex && matches!(bytes[at - 1], b'e' | b'E'),
            c => c.is_ascii_alphanumeric(),
        };
        if !part_of {
            break;
        }
        at += 1;
    }
    at
}

/// The string that begins with the quote at `at`, and the offset behind it.
fn string(text: &str, at: usize) -> Result<(Vec<u8>, usize), LexError> {
    let bytes = text.as_bytes();
    let mut out = Vec::new();
    let mut i = at + 1;
    loop {
        match bytes.get(i) {
            None | Some(b'\n') => return Err((at, "a string without end".to_owned())),
            Some(b'"') => return Ok((out, i + 1)),
            Some(b'\\') => {
                let bad = || (i, "an escape that is not known".to_owned());
                let step = match bytes.get(i + 1) {
                    Some(b'n') => push(&mut out, b'\n', 2),
                    Some(b't') => push(&mut out, b'\t', 2),
                    Some(b'"') => push(&mut out, b'"', 2),
                    Some(b'\\') => push(&mut out, b'\\', 2),
                    Some(b'x') => {
                        let digits = bytes.get(i + 2..i + 4).ok_or_else(bad)?;
                        let byte = hex_pair(digits[0], digits[1]).ok_or_else(bad)?;
                        push(&mut out, byte, 4)
                    }
                    Some(b'u') if bytes.get(i + 2) == Some(&b'{') => {
                        let len = bytes[i + 3..].iter().take(8).take_while(|b| b.is_ascii_hexdigit()).count();
                        if bytes.get(i + 3 + len) != Some(&b'}') {
                            return Err(bad());
                        }
                        let code = u32::from_str_radix(&text[i + 3..i + 3 + len], 16).ok();
                        let c = code.and_then(char::from_u32).ok_or_else(bad)?;
                        out.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
                        len + 4
                    }
                    _ => return Err(bad()),
                };
                i += step;
            }
            Some(&c) => {
                out.push(c);
                i += 1;
            }
        }
    }
}

fn push(out: &mut Vec<u8>, byte: u8, step: usize) -> usize {
    out.push(byte);
    step
}

/// The byte that two hexadecimal digits write.
pub(super) fn hex_pair(high: u8, low: u8) -> Option<u8> {
    let digit = |c: u8| (c as char).to_digit(16);
    Some((digit(high)? * 16 + digit(low)?) as u8)
}
