//! Parts of expressions that are types or names, which libclang shows not at all or in pieces: the types that `typeid`,
//! `sizeof` and `__builtin_bit_cast` name, the associations of `_Generic`, the digits of a `long double`, the list of a
//! lambda, the name of an atomic operation, the text of an assembly statement.

use super::print::{Prints, closing};
use super::token::{Kind, Token};
use crate::clang::{Cursor, TranslationUnit};

/// The words of a part, one a token.
pub(crate) type Words = Vec<String>;

pub(super) fn words(tokens: &[Token<'_>]) -> Words {
    tokens.iter().map(|t| t.text.to_owned()).collect()
}

/// The type or expression in the parentheses of `typeid` or `sizeof`.
pub(crate) fn operand(
    prints: &mut Prints,
    unit: &TranslationUnit,
    decl: Option<Cursor<'_>>,
    e: Cursor<'_>,
) -> Option<Words> {
    prints.read(unit, decl, e, |p| p.parenthesized().map(words))
}

/// The type that a `__builtin_bit_cast` names.
pub(crate) fn bit_cast_type(
    prints: &mut Prints,
    unit: &TranslationUnit,
    decl: Option<Cursor<'_>>,
    e: Cursor<'_>,
) -> Option<Words> {
    prints.read(unit, decl, e, |p| items(p.parenthesized()?).first().map(|t| words(t)))
}

/// The types or `default` in front of the colons of a generic selection.
pub(crate) fn generic_labels(
    prints: &mut Prints,
    unit: &TranslationUnit,
    decl: Option<Cursor<'_>>,
    e: Cursor<'_>,
) -> Option<Vec<Words>> {
    prints.read(unit, decl, e, |p| {
        items(p.parenthesized()?)
            .into_iter()
            .skip(1)
            .map(|item| {
                item.iter().position(|t| t.kind == Kind::Sign && t.text == ":").map(|n| words(&item[..n]))
            })
            .collect()
    })
}

/// The text of a literal of type `long double`.
pub(crate) fn long_double(
    prints: &mut Prints,
    unit: &TranslationUnit,
    decl: Option<Cursor<'_>>,
    e: Cursor<'_>,
) -> Option<String> {
    prints.read(unit, decl, e, |p| p.tokens().first().map(|t| number_only(t.text).to_owned()))
}

/// A number without a suffix of the user's.
fn number_only(text: &str) -> &str {
    text.find('_').map_or(text, |end| &text[..end])
}

/// The items of a lambda's list.
pub(crate) fn capture_list(
    prints: &mut Prints,
    unit: &TranslationUnit,
    decl: Option<Cursor<'_>>,
    e: Cursor<'_>,
) -> Option<Vec<Words>> {
    prints.read(unit, decl, e, |p| {
        let tokens = p.tokens();
        Some(items(&tokens[1..closing(tokens, 0)?]).into_iter().map(words).collect())
    })
}

/// The name of an operation on an atomic object.
pub(crate) fn atomic_name(
    prints: &mut Prints,
    unit: &TranslationUnit,
    decl: Option<Cursor<'_>>,
    e: Cursor<'_>,
) -> Option<String> {
    prints.read(unit, decl, e, |p| p.tokens().first().map(|t| t.text.to_owned()))
}

/// The string literals that make up the text of an assembly statement, with their quotes.
pub(crate) fn assembly_text(
    prints: &mut Prints,
    unit: &TranslationUnit,
    decl: Option<Cursor<'_>>,
    e: Cursor<'_>,
) -> Option<Words> {
    prints.read(unit, decl, e, |p| {
        let tokens = p.tokens();
        let open = tokens.iter().position(|t| t.text == "(")?;
        let text = tokens[open + 1..].iter().take_while(|t| t.kind == Kind::Text);
        Some(text.map(|t| t.text.to_owned()).collect())
    })
}

/// What stands between the commas of a list.
pub(super) fn items<'a>(tokens: &'a [Token<'a>]) -> Vec<&'a [Token<'a>]> {
    let mut found = Vec::new();
    let (mut start, mut at) = (0, 0);
    while at < tokens.len() {
        match tokens[at].text {
            _ if tokens[at].kind != Kind::Sign => {}
            // What is not closed ends with the text; a `<` without an end is less than.
            "(" | "[" | "{" => at = closing(tokens, at).unwrap_or(tokens.len()),
            "<" if !tokens[at].spaced => at = super::new::angle_end(tokens, at).unwrap_or(at),
            // The comma between operands has a space in front.
            "," if !tokens[at].spaced => {
                found.push(&tokens[start..at]);
                start = at + 1;
            }
            _ => {}
        }
        at += 1;
    }
    if start < tokens.len() {
        found.push(&tokens[start..]);
    }
    found
}

/// What a bit-field's print says of a default initialiser.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum FieldDefault {
    None,
    /// One that calls nothing and changes nothing.
    Plain,
    /// Another.
    Effects,
}

/// The default initialiser of a bit-field, which libclang shows the value of alone.
pub(crate) fn bit_field_default(field: Cursor<'_>) -> FieldDefault {
    Prints::declaration(field, |tokens| {
        let Some(colon) = tokens.iter().position(|t| t.kind == Kind::Sign && t.text == ":") else {
            return FieldDefault::None;
        };
        let mut at = colon + 1;
        while at < tokens.len() {
            match (tokens[at].kind, tokens[at].text) {
                // What is not closed ends with the text.
                (Kind::Sign, "(" | "[") => at = closing(tokens, at).unwrap_or(tokens.len()),
                (Kind::Sign, "=" | "{") => return judge(&tokens[at + 1..]),
                _ => {}
            }
            at += 1;
        }
        FieldDefault::None
    })
}

/// Whether an initialiser may do more than give a value: a name or type with parentheses may be a call.
fn judge(tokens: &[Token<'_>]) -> FieldDefault {
    let calls = tokens.windows(2).any(|pair| {
        let callee = pair[0].kind == Kind::Word && !matches!(pair[0].text, "sizeof" | "alignof")
            || pair[0].kind == Kind::Sign && matches!(pair[0].text, ")" | "]" | ">");
        callee && pair[1].kind == Kind::Sign && matches!(pair[1].text, "(" | "{")
    });
    let changes = tokens.iter().any(|t| {
        t.kind == Kind::Sign
            && matches!(t.text, "=" | "++" | "--" | "+=" | "-=" | "*=" | "/=" | "%=" | "&=" | "|=" | "^=")
            || matches!(t.text, "new" | "throw" | "delete")
    });
    if calls || changes { FieldDefault::Effects } else { FieldDefault::Plain }
}
