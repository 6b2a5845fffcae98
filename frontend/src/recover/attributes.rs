//! Attributes that libclang shows without their names: what a program starts and ends with, what the end of a variable calls.

use super::print::{Prints, closing};
use super::token::Token;
use super::written::{Words, items, words};
use crate::clang::{Cursor, CursorKind};

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
}
