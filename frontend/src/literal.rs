//! Where string and character literals of C++ begin and end, in sources and in what clang prints.

/// Whether a byte is one of a name or number.
pub(crate) fn is_word(c: u8) -> bool {
    c.is_ascii_alphanumeric() || c == b'_' || c == b'$' || c >= 0x80
}

/// How many bytes join two lines at the start of a text: a backslash and the line's end.
pub(crate) fn splice_at(text: &[u8]) -> Option<usize> {
    match text {
        [b'\\', b'\n', ..] => Some(2),
        [b'\\', b'\r', b'\n', ..] => Some(3),
        _ => None,
    }
}

/// Whether a word before a quote belongs to the literal.
pub(crate) fn is_prefix(word: &str) -> bool {
    matches!(word, "L" | "u" | "U" | "u8" | "R" | "LR" | "uR" | "UR" | "u8R")
}

/// The literal whose quote stands at a place: where its prefix begins, and behind its closing quote. One that is not
/// closed ends with its line.
pub(crate) fn literal_at(text: &str, quote: usize) -> (usize, usize) {
    let bytes = text.as_bytes();
    let word = bytes[..quote].iter().rposition(|&c| !is_word(c)).map_or(0, |n| n + 1);
    let start = if is_prefix(&text[word..quote]) { word } else { quote };
    if text[start..quote].ends_with('R')
        && bytes[quote] == b'"'
        && let Some(open) = text[quote..].find('(')
    {
        let close = format!("){}\"", &text[quote + 1..quote + open]);
        let body = quote + open + 1;
        return (start, text[body..].find(&close).map_or(text.len(), |n| body + n + close.len()));
    }
    let mut at = quote + 1;
    while at < bytes.len() {
        match bytes[at] {
            b'\\' => at += 1,
            b'\n' => return (start, at),
            c if c == bytes[quote] => return (start, at + 1),
            _ => {}
        }
        at += 1;
    }
    (start, text.len())
}

#[test]
fn literals_end_at_their_own_quote() {
    for (text, literal) in [
        (r#"x "a\"b" y"#, r#""a\"b""#),
        (r#"x u8R"-(")-)-" y"#, r#"u8R"-(")-)-""#),
        (r#"bigR"(x" y"#, r#""(x""#),
        ("'\\'' \"", "'\\''"),
        ("\"open\nnext\"", "\"open"),
    ] {
        let quote = text.find(['"', '\'']).unwrap_or(0);
        let (start, end) = literal_at(text, quote);
        assert_eq!(&text[start..end], literal, "{text}");
    }
}
