//! Which elements of an aggregate's list in parentheses are written: libclang shows those that are left out behind them,
//! at the closing bracket.

use crate::clang::Cursor;

/// Where an element of a list in parentheses begins.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Begins {
    /// In front of the closing bracket: it is written.
    Inside,
    /// At the closing bracket, or nowhere: it is left out.
    AtEnd,
    /// In a macro, or with a spliced line, so that its place does not tell.
    Unclear,
}

/// Where an element of a list begins. The bracket is one character; what begins at it also ends where the list ends, and
/// of what comes from a macro's definition libclang gives the end of the macro's use.
pub(crate) fn begins(list: Cursor<'_>, element: Cursor<'_>) -> Begins {
    let (whole, own) = (list.range(), element.range());
    if own.start.file.is_none() {
        return Begins::AtEnd;
    }
    let start = own.spelling.map_or(own.start, |s| s.0);
    let end = whole.spelling.map_or(whole.end, |s| s.1);
    if start.file == end.file && start.offset + 1 == end.offset {
        Begins::AtEnd
    } else if (own.end.file, own.end.offset) != (whole.end.file, whole.end.offset) {
        Begins::Inside
    } else {
        Begins::Unclear
    }
}
