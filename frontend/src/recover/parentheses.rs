//! Which elements of an aggregate's list in parentheses are written: libclang shows those that are left out behind them,
//! at the closing bracket.

use crate::clang::{Cursor, TranslationUnit};

/// Where an element of a list in parentheses begins.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Begins {
    /// In front of the closing bracket: it is written.
    Inside,
    /// At the closing bracket, or nowhere: it is left out.
    AtEnd,
    /// In a macro's definition, so that its place does not tell.
    Unclear,
}

/// Where an element of a list begins. What begins at the bracket is that one token, and ends where the list ends; of what
/// comes from a macro's definition libclang gives the end of the macro's use.
pub(crate) fn begins(unit: &TranslationUnit, list: Cursor<'_>, element: Cursor<'_>) -> Begins {
    let (whole, own) = (list.range(), element.range());
    if own.start.file.is_none() {
        return Begins::AtEnd;
    }
    let start = own.spelling.map_or(own.start, |s| s.0);
    let end = whole.spelling.map_or(whole.end, |s| s.1);
    let is_last_token =
        || unit.end_of_token(start).is_some_and(|e| (e.file, e.offset) == (end.file, end.offset));
    if (own.end.file, own.end.offset) != (whole.end.file, whole.end.offset) {
        Begins::Inside
    } else if start.file == end.file && is_last_token() {
        Begins::AtEnd
    } else {
        Begins::Unclear
    }
}
