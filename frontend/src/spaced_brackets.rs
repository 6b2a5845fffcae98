//! `k<< <grid, block>> >(…)`: nvcc takes the brackets of a launch in pieces, clang does not.
//!
//! The pieces are put together where a file does not parse as it is written. What stands in literals and comments is left
//! alone, and every column stays.

use crate::literal::{is_word, literal_at};

/// The text with the brackets in one piece; `None` where there are none in pieces.
pub(crate) fn joined(text: &str) -> Option<String> {
    let code = code_of(text);
    let mut joined = None;
    let mut from = 0;
    while let Some((open, end)) = bracket(&code, from, b"<<", b'<') {
        let Some((close, close_end)) = bracket(&code, end, b">>", b'>') else { break };
        // The configuration ends before the statement does.
        if code[end..close].contains(&b';') {
            from = end;
            continue;
        }
        let joined: &mut String = joined.get_or_insert_with(|| text.to_owned());
        for (range, piece) in [(open..end, "<<<"), (close..close_end, ">>>")] {
            let blank = " ".repeat(range.len() - piece.len());
            joined.replace_range(range, &format!("{piece}{blank}"));
        }
        from = close_end;
    }
    joined
}

/// Where `two`, blanks and `one` stand in a row, from `from` on.
fn bracket(code: &[u8], from: usize, two: &[u8; 2], one: u8) -> Option<(usize, usize)> {
    (from..code.len().saturating_sub(1)).find_map(|start| {
        if code[start..start + 2] != *two {
            return None;
        }
        let rest = &code[start + 2..];
        let blanks = rest.iter().take_while(|c| matches!(c, b' ' | b'\t')).count();
        let alone = rest.get(blanks) == Some(&one) && rest.get(blanks + 1) != Some(&one);
        (blanks > 0 && alone).then_some((start, start + 2 + blanks + 1))
    })
}

/// The text with zero bytes in place of literals and comments.
fn code_of(text: &str) -> Vec<u8> {
    let bytes = text.as_bytes();
    let mut code = bytes.to_vec();
    let mut at = 0;
    while at < bytes.len() {
        let rest = &bytes[at..];
        let word_before = at > 0 && is_word(bytes[at - 1]);
        let end = if rest.starts_with(b"//") {
            at + line_length(rest)
        } else if rest.starts_with(b"/*") {
            text[at + 2..].find("*/").map_or(bytes.len(), |n| at + 2 + n + 2)
        } else if rest[0] == b'"' || rest[0] == b'\'' && !(word_before && is_in_number(bytes, at)) {
            literal_at(text, at).1
        } else {
            at += 1;
            continue;
        };
        code[at..end].fill(0);
        at = end;
    }
    code
}

/// The length of a comment up to the end of its line, which a backslash there continues.
fn line_length(rest: &[u8]) -> usize {
    let mut before = 0;
    for (n, &c) in rest.iter().enumerate() {
        if c == b'\n' && before != b'\\' {
            return n;
        }
        if c != b'\r' {
            before = c;
        }
    }
    rest.len()
}

/// Whether a quote separates the digits of a number.
fn is_in_number(bytes: &[u8], quote: usize) -> bool {
    let start = bytes[..quote].iter().rposition(|&c| !is_word(c) && c != b'\'').map_or(0, |n| n + 1);
    bytes[start].is_ascii_digit() && bytes.get(quote + 1).is_some_and(|&c| is_word(c))
}

#[test]
fn brackets_in_code_are_joined() {
    assert_eq!(joined("k<< <1, 2>> >(p);").as_deref(), Some("k<<< 1, 2>>> (p);"));
    assert_eq!(joined("k << < 1, 1'000 >> > (p);").as_deref(), Some("k <<<  1, 1'000 >>>  (p);"));
    assert_eq!(joined("k<<<1, 2>>>(p);"), None);
    assert_eq!(joined("x << 1; y >> 2;"), None);
}

#[test]
fn literals_and_comments_are_left_alone() {
    for text in [
        r#"puts("<< <x>> >");"#,
        "// k<< <1, 1>> >();\n",
        "// a \\\n k<< <1, 1>> >();\n",
        "/* << < */ /* >> > */",
        r#"R"x(<< <1>> > )" << <1>> >)x""#,
        r#"'"' + "<< <\">> >""#,
    ] {
        assert_eq!(joined(text), None, "{text}");
    }
    let mixed = r#"puts("<< <"); k<< <1, sizeof ">> >">> >(R"(>> >)");"#;
    let right = r#"puts("<< <"); k<<< 1, sizeof ">> >">>> (R"(>> >)");"#;
    assert_eq!(joined(mixed).as_deref(), Some(right));
}
