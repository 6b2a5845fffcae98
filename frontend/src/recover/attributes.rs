//! Attributes that libclang shows without their names: what a program starts and ends with, what the end of a variable calls.

use super::print::{Prints, closing};
use super::token::Token;
use super::written::{Words, items, words};
use crate::clang::{Cursor, CursorKind, TranslationUnit};
use crate::literal::{is_word, splice_at};

/// An attribute.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Attribute {
    /// Its name, without namespaces and underscores around it.
    pub name: String,
    /// What stands in its parentheses.
    pub arguments: Words,
}

/// The attributes on a declaration, if some of them are not shown by name.
pub(crate) fn attributes(decl: Cursor<'_>) -> Vec<Attribute> {
    if decl.children().iter().all(|c| c.kind() != CursorKind::UnexposedAttr) {
        return Vec::new();
    }
    Prints::declaration(decl, in_head)
}

/// The names of the attributes on a declaration that are not shown by name, read where they are written.
pub(crate) fn attribute_names(unit: &TranslationUnit, decl: Cursor<'_>) -> Vec<String> {
    let attributes = decl.children().into_iter().filter(|c| c.kind() == CursorKind::UnexposedAttr);
    let names = attributes.filter_map(|attribute| {
        let range = attribute.range();
        let start = range.spelling.map_or(range.start, |(start, _)| start);
        let (_, text) = unit.text_around(start)?;
        Some(name_in_front(text))
    });
    names.collect()
}

/// The name of the attribute with which a text begins, without namespaces and underscores around it. Comments, spliced
/// lines and blanks may stand before and behind each of its tokens.
fn name_in_front(text: &[u8]) -> String {
    let mut bytes = joined(text).peekable();
    let mut name = String::new();
    // What follows a name with a blank behind it is its `::`, or no part of it.
    let mut is_whole = false;
    while let Some(byte) = bytes.next() {
        match (byte, bytes.peek()) {
            (b'/', Some(b'*')) => {
                bytes.next();
                let mut last = b' ';
                let _ = bytes.find(|&b| std::mem::replace(&mut last, b) == b'*' && b == b'/');
                is_whole = !name.is_empty();
            }
            (b'/', Some(b'/')) => {
                let _ = bytes.find(|&b| b == b'\n');
                is_whole = !name.is_empty();
            }
            (b':', Some(b':')) => {
                bytes.next();
                name.clear();
                is_whole = false;
            }
            _ if byte.is_ascii_whitespace() => is_whole = !name.is_empty(),
            _ if !is_whole && is_word(byte) => name.push(char::from(byte)),
            _ => break,
        }
    }
    name.trim_matches('_').to_owned()
}

/// The bytes of a text whose spliced lines are joined.
fn joined(text: &[u8]) -> impl Iterator<Item = u8> {
    let mut at = 0;
    std::iter::from_fn(move || {
        while let Some(length) = splice_at(text.get(at..)?) {
            at += length;
        }
        at += 1;
        text.get(at - 1).copied()
    })
}

/// The attributes in front of a body or an initialiser.
fn in_head(tokens: &[Token<'_>]) -> Vec<Attribute> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        let text = |n: usize| tokens.get(at + n).map(|t| t.text);
        let list = match token.text {
            "{" | "=" => break,
            "__attribute__" if text(1) == Some("(") && text(2) == Some("(") => Some(at + 2),
            "[" if text(1) == Some("[") => Some(at + 1),
            _ => None,
        };
        let Some((open, close)) = list.and_then(|open| Some((open, closing(tokens, open)?))) else {
            at += 1;
            continue;
        };
        for item in items(&tokens[open + 1..close]) {
            let (names, arguments) = match item.iter().position(|t| t.text == "(") {
                // What is not closed ends with the item.
                Some(n) => (&item[..n], &item[n + 1..closing(item, n).unwrap_or(item.len())]),
                None => (item, &item[..0]),
            };
            if let Some(name) = names.last() {
                let name = name.text.trim_matches('_').to_owned();
                found.push(Attribute { name, arguments: words(arguments) });
            }
        }
        at = close + 1;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::super::token::tokens;
    use super::*;

    #[test]
    fn both_forms_in_front_of_the_body() {
        let all = |text| {
            let of = |a: Attribute| format!("{}({})", a.name, a.arguments.join(" "));
            in_head(&tokens(text)).into_iter().map(of).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(all("__attribute__((constructor(101))) static void f() {\n}"), "constructor(101)");
        assert_eq!(all("[[gnu::constructor, maybe_unused]] void f()"), "constructor() maybe_unused()");
        assert_eq!(all("int *p __attribute__((__cleanup__(end))) = &v"), "cleanup(end)");
        assert_eq!(all("void f() { __attribute__((cleanup(end))) int x; }"), "");
        assert_eq!(all("int a[2][3]"), "");
    }

    #[test]
    fn names_without_namespaces_and_underscores() {
        let all = |texts: [&str; 6]| texts.map(|text| name_in_front(text.as_bytes())).join(" ");
        let plain =
            ["weak", "constructor)) void f()", "gnu::cold]]", "__gnu__::__hot__(1)]]", "pure const", ""];
        assert_eq!(all(plain), "weak constructor cold hot pure ");
        let spread = [
            "gnu /* a */ :: // b\n weak",
            "con\\\nst ructor",
            "pure/**/const",
            "/***/cold",
            "hot\\\r\n",
            "a /",
        ];
        assert_eq!(all(spread), "weak const pure cold hot a");
    }
}
