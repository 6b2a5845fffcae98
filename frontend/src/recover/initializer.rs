//! How a variable is initialised: `S s;` and `S s{};` call one constructor, but the second sets the members to zero first.

use super::print::Prints;
use super::token::Kind;
use crate::clang::Cursor;

/// Whether a variable is declared without an initialiser, though libclang shows the constructor that is called.
pub(crate) fn is_plainly_declared(variable: Cursor<'_>) -> bool {
    let name = variable.spelling();
    Prints::declaration(variable, |tokens| {
        let Some(at) = tokens.iter().rposition(|t| t.kind == Kind::Word && t.text == name) else {
            return false;
        };
        !tokens[at + 1..].iter().any(|t| t.kind == Kind::Sign && matches!(t.text, "=" | "{" | "("))
    })
}
