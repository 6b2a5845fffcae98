//! A tokenizer for C and C++: preprocessing tokens with their places, line splices and all.
//!
//! It knows what the rewrites ask for: where each token and comment starts and ends, which of them belong to a
//! directive, and whether whitespace stands before one. A line splice (backslash, newline) may stand inside any token
//! but a raw string.

use std::ops::Range;

/// What a token is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// An identifier or a keyword.
    Name,
    /// A number, with its suffix.
    Number,
    /// A string literal with its prefix and suffix.
    Text,
    /// A raw string literal: splices do not count inside.
    Raw,
    /// A character literal.
    Character,
    /// An operator or a bracket.
    Mark,
    /// `<stdio.h>` or `"name.h"` of an `#include`.
    Header,
}

/// A token.
#[derive(Clone, Debug)]
pub struct Token {
    /// What it is.
    pub kind: Kind,
    /// Its bytes, splices included.
    pub range: Range<usize>,
    /// Its text without splices.
    pub text: String,
    /// The number of the directive that it belongs to.
    pub directive: Option<usize>,
    /// Nothing stands between this token and the one before it.
    pub adjoins: bool,
}

impl Token {
    /// Is it this operator, bracket or name?
    pub fn is(&self, text: &str) -> bool {
        self.text == text && matches!(self.kind, Kind::Mark | Kind::Name)
    }
}

/// The operators and brackets of more than one character, longest first. `<<<` and `>>>` are CUDA's; `>>` stays two
/// marks for the templates' sake, which no rewrite minds.
const MARKS: [&str; 35] = [
    "%:%:", "<<<", ">>>", "<=>", "<<=", ">>=", "...", "->*", "##", "<<", ">>", "->", ".*", "::", "++", "--",
    "&&", "||", "==", "!=", "<=", ">=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<%", "%:", "%>",
    "<:", ":>",
];

struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl Reader<'_> {
    /// The place behind any splices at `at`.
    fn past_splices(&self, mut at: usize) -> usize {
        while self.bytes[at..].starts_with(b"\\\n") {
            at += 2;
        }
        at
    }

    /// The next character, splices passed over; 0 at the end.
    fn peek(&self) -> u8 {
        self.bytes.get(self.past_splices(self.at)).copied().unwrap_or(0)
    }

    /// Takes the next character.
    fn take(&mut self) -> u8 {
        self.at = self.past_splices(self.at);
        let byte = self.bytes.get(self.at).copied().unwrap_or(0);
        self.at = (self.at + 1).min(self.bytes.len());
        byte
    }

    /// Is this text next? Then it is taken.
    fn takes(&mut self, text: &str) -> bool {
        let start = self.at;
        for byte in text.bytes() {
            if self.at >= self.bytes.len() || self.take() != byte {
                self.at = start;
                return false;
            }
        }
        true
    }

    fn is_next(&mut self, text: &str) -> bool {
        let start = self.at;
        let is = self.takes(text);
        self.at = start;
        is
    }
}

fn starts_name(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || byte == b'_' || byte == b'$' || byte >= 0x80
}

fn goes_on_name(byte: u8) -> bool {
    starts_name(byte) || byte.is_ascii_digit()
}

/// The tokens of a text. `cxx` has raw strings and digit separators.
pub fn tokens(text: &str, cxx: bool) -> Vec<Token> {
    let mut r = Reader { bytes: text.as_bytes(), at: 0 };
    let mut found: Vec<Token> = Vec::new();
    let (mut line_starts, mut directive, mut directives) = (true, None, 0);
    // The end of the last token: what follows at once adjoins it.
    let mut last_end = usize::MAX;
    loop {
        // Splices before a token are not of it.
        let at = r.past_splices(r.at);
        if at >= r.bytes.len() {
            return found;
        }
        r.at = at;
        match r.peek() {
            b'\n' => {
                r.take();
                line_starts = true;
                directive = None;
                continue;
            }
            byte if byte.is_ascii_whitespace() => {
                r.take();
                continue;
            }
            _ => {}
        }
        if r.takes("//") {
            while r.past_splices(r.at) < r.bytes.len() && r.peek() != b'\n' {
                r.take();
            }
            continue;
        }
        if r.takes("/*") {
            while r.past_splices(r.at) < r.bytes.len() && !r.takes("*/") {
                r.take();
            }
            continue;
        }
        let start = r.at;
        if line_starts && (r.is_next("#") || r.is_next("%:")) {
            directive = Some(directives);
            directives += 1;
        }
        line_starts = false;
        let includes = |found: &[Token]| {
            let back = |n: usize| found.len().checked_sub(n).map(|i| &found[i]);
            directive.is_some()
                && back(1)
                    .is_some_and(|t| t.directive == directive && (t.is("include") || t.is("include_next")))
                && back(2).is_some_and(|t| t.is("#") || t.is("%:"))
        };
        let kind = if includes(&found) && matches!(r.peek(), b'<' | b'"') {
            let close = if r.take() == b'<' { b'>' } else { b'"' };
            while !matches!(r.peek(), b'\n' | 0) && r.take() != close {}
            Kind::Header
        } else {
            token(&mut r, cxx)
        };
        let range = start..r.at;
        let text = if kind == Kind::Raw {
            text[range.clone()].to_owned()
        } else {
            text[range.clone()].replace("\\\n", "")
        };
        found.push(Token { kind, range, text, directive, adjoins: start == last_end });
        last_end = r.at;
    }
}

/// Takes one token.
fn token(r: &mut Reader, cxx: bool) -> Kind {
    for prefix in ["", "u8", "u", "U", "L"] {
        let start = r.at;
        if cxx && r.takes(prefix) && r.takes("R\"") {
            raw_rest(r);
            suffix(r);
            return Kind::Raw;
        }
        r.at = start;
        if r.takes(prefix) {
            for (quote, kind) in [("\"", Kind::Text), ("'", Kind::Character)] {
                if r.takes(quote) {
                    quoted_rest(r, quote);
                    if cxx {
                        suffix(r);
                    }
                    return kind;
                }
            }
        }
        r.at = start;
    }
    let first = r.peek();
    if starts_name(first) {
        suffix(r);
        return Kind::Name;
    }
    let start = r.at;
    if first.is_ascii_digit() || (r.takes(".") && r.peek().is_ascii_digit()) {
        r.at = start;
        number(r, cxx);
        return Kind::Number;
    }
    r.at = start;
    // `<::` is `<` and `::`, unless `:` or `>` follows.
    if cxx && r.takes("<::") && !matches!(r.peek(), b':' | b'>') {
        r.at = start;
        r.take();
        return Kind::Mark;
    }
    r.at = start;
    if !MARKS.iter().any(|mark| r.takes(mark)) {
        r.take();
    }
    Kind::Mark
}

/// The rest of a name, or a literal's suffix.
fn suffix(r: &mut Reader) {
    while goes_on_name(r.peek()) {
        r.take();
    }
}

fn number(r: &mut Reader, cxx: bool) {
    let mut before = r.take();
    loop {
        let next = r.peek();
        let sign = matches!(next, b'+' | b'-') && matches!(before, b'e' | b'E' | b'p' | b'P');
        let separator = cxx && next == b'\'' && {
            let start = r.at;
            r.take();
            let follows = goes_on_name(r.peek());
            r.at = start;
            follows
        };
        if !(goes_on_name(next) || next == b'.' || sign || separator) {
            return;
        }
        before = r.take();
    }
}

/// The rest of a literal, to its quote or, where it has none, to the line's end.
fn quoted_rest(r: &mut Reader, quote: &str) {
    while !matches!(r.peek(), b'\n' | 0) {
        if r.takes(quote) {
            return;
        }
        if r.take() == b'\\' && r.peek() != b'\n' {
            r.take();
        }
    }
}

/// The rest of a raw string, behind its first quote.
fn raw_rest(r: &mut Reader) {
    let rest = &r.bytes[r.at..];
    let length = rest.iter().position(|b| *b == b'(').unwrap_or(0);
    let mut close = vec![b')'];
    close.extend(&rest[..length]);
    close.push(b'"');
    let end =
        rest.windows(close.len()).position(|w| w == close).map_or(rest.len(), |found| found + close.len());
    r.at += end;
}
