//! The designators of an element: libclang shows their expressions, but not which two are one range.

use super::print::{Prints, closing};
use super::token::Token;
use crate::clang::{Cursor, TranslationUnit};

/// For each bracket of an element's designators, whether it is a range (`[1 ... 3]`).
pub(crate) fn bracket_ranges(
    prints: &mut Prints,
    unit: &TranslationUnit,
    decl: Option<Cursor<'_>>,
    e: Cursor<'_>,
) -> Option<Vec<bool>> {
    prints.read(unit, decl, e, |p| {
        let tokens = p.tokens();
        let mut found = Vec::new();
        let mut at = 0;
        loop {
            match tokens.get(at)?.text {
                "[" => {
                    let end = closing(tokens, at)?;
                    found.push(has_dots(&tokens[at + 1..end])?);
                    at = end + 1;
                }
                "." => at += 2,
                _ => return Some(found),
            }
        }
    })
}

/// Whether the dots of a range stand between the tokens, outside of any brackets.
fn has_dots(tokens: &[Token<'_>]) -> Option<bool> {
    let mut at = 0;
    while at < tokens.len() {
        match tokens[at].text {
            "(" | "[" | "{" => at = closing(tokens, at)?,
            "..." => return Some(true),
            _ => {}
        }
        at += 1;
    }
    Some(false)
}
