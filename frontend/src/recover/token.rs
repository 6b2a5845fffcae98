//! The tokens of C++ that clang prints.
//!
//! The printer works from the tree: there are no comments but one of its own ([`IMPLICIT`]), no macros, no digraphs and no spliced lines in what it
//! writes, and every name of an unnamed type has its place behind it (`(lambda at FILE:1:2)`), where the file's name
//! may be anything.

use crate::literal::{is_prefix, is_word, literal_at};

/// What a token is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    /// A name or keyword, or the name of an unnamed type with its parentheses.
    Word,
    /// A number with its suffix.
    Number,
    /// A string or character with its prefix and suffix.
    Text,
    /// Anything else. `<` and `>` stand alone, since template arguments end with them.
    Sign,
}

/// A token.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Token<'a> {
    pub kind: Kind,
    pub text: &'a str,
    /// White space stands in front of it.
    pub spaced: bool,
}

/// What the printer writes in front of the zero that an initialiser without a value stands for.
pub(super) const IMPLICIT: &str = "/*implicit*/";

/// Signs of more than one character, the longest first. Those with `<` or `>` are written as clang's printer uses them
/// between operands, where no template argument list ends.
const LONG: &[&str] = &[
    "...", "->*", "::", "->", ".*", "++", "--", "&&", "||", "==", "!=", "+=", "-=", "*=", "/=", "%=", "&=",
    "|=", "^=", "##",
];

/// Splits what clang printed.
pub(super) fn tokens(text: &str) -> Vec<Token<'_>> {
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    let mut at = 0;
    let mut spaced = false;
    let mut line_start = true;
    while at < bytes.len() {
        let c = bytes[at];
        if c.is_ascii_whitespace() {
            line_start |= c == b'\n';
            spaced = true;
            at += 1;
            continue;
        }
        // A pragma that belongs to the statement behind it.
        if c == b'#' && line_start {
            at = text[at..].find('\n').map_or(text.len(), |n| at + n);
            continue;
        }
        line_start = false;
        let start = at;
        let kind = if text[at..].starts_with(IMPLICIT) {
            at += IMPLICIT.len();
            Kind::Word
        } else if let Some(end) = unnamed(text, at) {
            at = end;
            Kind::Word
        } else if is_word(c) && !c.is_ascii_digit() {
            while at < bytes.len() && is_word(bytes[at]) {
                at += 1;
            }
            match bytes.get(at) {
                Some(b'"' | b'\'') if is_prefix(&text[start..at]) => {
                    at = literal_end(text, at);
                    Kind::Text
                }
                _ => Kind::Word,
            }
        } else if c.is_ascii_digit() || c == b'.' && bytes.get(at + 1).is_some_and(u8::is_ascii_digit) {
            at = number_end(bytes, at);
            Kind::Number
        } else if c == b'"' || c == b'\'' {
            at = literal_end(text, at);
            Kind::Text
        } else {
            let rest = &text[at..];
            at += LONG
                .iter()
                .find(|s| rest.starts_with(**s))
                // A character that is no sign stands for itself.
                .map_or_else(|| rest.chars().next().map_or(1, char::len_utf8), |s| s.len());
            Kind::Sign
        };
        found.push(Token { kind, text: &text[start..at], spaced });
        spaced = false;
    }
    found
}

/// The end of a name such as `(lambda at a b.cu:3:7)` that begins at a position.
fn unnamed(text: &str, at: usize) -> Option<usize> {
    let rest = &text[at..];
    let inner = rest.strip_prefix('(')?;
    if !["lambda at ", "unnamed ", "anonymous "].iter().any(|s| inner.starts_with(s)) {
        return None;
    }
    if inner.starts_with("anonymous namespace)") {
        return Some(at + "(anonymous namespace)".len());
    }
    let words_end = inner.find(" at ")?;
    // The place ends with a line, a column and the parenthesis; a file's name may hold what looks like that, but not
    // before a `)` that clang itself wrote.
    let mut from = words_end + 4;
    loop {
        let close = from + inner[from..].find(')')?;
        let place = &inner[words_end + 4..close];
        let mut parts = place.rsplit(':');
        let number =
            |p: Option<&str>| p.is_some_and(|p| !p.is_empty() && p.bytes().all(|b| b.is_ascii_digit()));
        if number(parts.next()) && number(parts.next()) {
            return Some(at + 1 + close + 1);
        }
        from = close + 1;
    }
}

fn number_end(bytes: &[u8], mut at: usize) -> usize {
    let hex = bytes[at] == b'0' && matches!(bytes.get(at + 1), Some(b'x' | b'X'));
    while at < bytes.len() {
        let c = bytes[at];
        let exponent = if hex { matches!(c, b'p' | b'P') } else { matches!(c, b'e' | b'E') };
        if exponent && matches!(bytes.get(at + 1), Some(b'+' | b'-')) {
            at += 2;
        } else if is_word(c) || c == b'.' {
            at += 1;
        } else if c == b'\'' && bytes.get(at + 1).is_some_and(|n| is_word(*n)) {
            at += 2;
        } else {
            break;
        }
    }
    at
}

/// The end of the literal whose quote stands at a position, with a suffix of the user's.
fn literal_end(text: &str, quote: usize) -> usize {
    let (_, end) = literal_at(text, quote);
    end + text[end..].bytes().take_while(|c| is_word(*c)).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn split(text: &str) -> Vec<&str> {
        tokens(text).iter().map(|t| t.text).collect()
    }

    #[test]
    fn literals_hide_what_is_in_them() {
        assert_eq!(
            split(r#"f("new int[3];\"", 'n', '\'', u8"x"_s)"#),
            ["f", "(", r#""new int[3];\"""#, ",", "'n'", ",", r"'\''", ",", r#"u8"x"_s"#, ")"]
        );
        assert_eq!(split("R\"x(new )\" )x\"+1"), ["R\"x(new )\" )x\"", "+", "1"]);
    }

    #[test]
    fn numbers_take_their_suffixes() {
        assert_eq!(
            split("0x1.8p-3F+1'000ULL-.5e+10L_x 1.F"),
            ["0x1.8p-3F", "+", "1'000ULL", "-", ".5e+10L_x", "1.F"]
        );
    }

    #[test]
    fn the_places_of_unnamed_types_are_no_code() {
        assert_eq!(
            split("A<(lambda at /if (x)/new.cu:3:7)> b"),
            ["A", "<", "(lambda at /if (x)/new.cu:3:7)", ">", "b"]
        );
        assert_eq!(
            split("(anonymous namespace)::f(unnamed)"),
            ["(anonymous namespace)", "::", "f", "(", "unnamed", ")"]
        );
    }

    #[test]
    fn template_argument_lists_end_one_by_one() {
        assert_eq!(split("A<B<::C>> x->y"), ["A", "<", "B", "<", "::", "C", ">", ">", "x", "->", "y"]);
    }

    #[test]
    fn pragmas_are_left_out() {
        assert_eq!(split("{\n    #pragma unroll (4) for\n    for"), ["{", "for"]);
    }

    #[test]
    fn white_space_is_noted() {
        assert_eq!(
            tokens("new (p) (T)(x)").iter().map(|t| t.spaced).collect::<Vec<_>>(),
            [false, true, false, false, true, false, false, false, false, false]
        );
    }
}
