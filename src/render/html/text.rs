//! Texts of the program and of cudair as they may stand in the page: in HTML and, the same bytes, in XML.

use crate::render::junit;

/// A text that may stand between tags and, in double quotes, in an attribute. A character that turns the direction of
/// writing is named and not written: source must not look like other source.
pub fn escaped(text: &str) -> String {
    let mut out = String::new();
    for c in junit::escaped(text).chars() {
        match c {
            '\'' => out.push_str("&#39;"),
            '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => {
                out.push_str(&format!("[U+{:04X}]", u32::from(c)));
            }
            c => out.push(c),
        }
    }
    out
}

/// A sentence, in which what stands between backticks is code.
pub fn prose(text: &str) -> String {
    let parts: Vec<&str> = text.split('`').collect();
    // Without a partner a backtick is one of the program's own.
    if parts.len().is_multiple_of(2) {
        return escaped(text);
    }
    let part = |(n, part): (usize, &&str)| match n % 2 {
        0 => escaped(part),
        _ => format!("<code>{}</code>", escaped(part)),
    };
    parts.iter().enumerate().map(part).collect()
}

/// Items of a list.
pub fn items(all: impl IntoIterator<Item = String>) -> String {
    let mut out = String::new();
    for item in all {
        out.extend(["<li>", &item, "</li>\n"]);
    }
    out
}

/// "1 finding", "2 findings"
pub fn counted(n: usize, what: &str) -> String {
    if n == 1 { format!("1 {what}") } else { format!("{n} {what}s") }
}

/// A text of so many characters at most.
pub fn cut(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_owned();
    }
    text.chars().take(most.saturating_sub(1)).chain(['…']).collect()
}
