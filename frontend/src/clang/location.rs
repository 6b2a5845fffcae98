//! Places of tokens, compared as the preprocessor made them.

use super::library::opened;
use super::{Cursor, RawPos, TranslationUnit, unit};
use clang_sys as cs;
use std::marker::PhantomData;

/// The place of a token in a unit. [`super::RawPos`] is what a reader sees, where all that a macro makes stands in one place;
/// here each token has its own.
#[derive(Clone, Copy)]
pub struct Location<'tu> {
    raw: cs::CXSourceLocation,
    unit: PhantomData<&'tu ()>,
}

impl PartialEq for Location<'_> {
    fn eq(&self, other: &Self) -> bool {
        // SAFETY: locations are plain values; the call reads nothing else.
        unsafe { (opened().functions.clang_equalLocations)(self.raw, other.raw) != 0 }
    }
}

impl Location<'_> {
    /// Whether the parser met this token before the other one; included files count where they are included, tokens of a
    /// macro where they stand in what it makes. What is at no place, as most of what the compiler provides, is before
    /// nothing.
    pub fn is_before(self, other: Self) -> bool {
        let nowhere = |l: Self| l.raw.ptr_data[0].is_null();
        if nowhere(self) || nowhere(other) {
            return false;
        }
        // SAFETY: both are places of a unit that lives.
        unsafe { (opened().functions.clang_isBeforeInTranslationUnit)(self.raw, other.raw) != 0 }
    }
}

impl TranslationUnit {
    /// The token that a diagnostic is about, by its number in [`TranslationUnit::diagnostics`], and the first other one that
    /// it points at.
    pub fn tokens_of_diagnostic(&self, number: u32) -> (Location<'_>, Option<Location<'_>>) {
        let f = &opened().functions;
        let location = |raw| Location { raw, unit: PhantomData };
        // SAFETY: locations are plain values, which outlive the diagnostic that they were asked of.
        unsafe {
            let diagnostic = (f.clang_getDiagnostic)(self.raw, number);
            let token = location((f.clang_getDiagnosticLocation)(diagnostic));
            let other = (0..(f.clang_getDiagnosticNumRanges)(diagnostic))
                .map(|r| location((f.clang_getRangeStart)((f.clang_getDiagnosticRange)(diagnostic, r))))
                .find(|&other| other != token);
            (f.clang_disposeDiagnostic)(diagnostic);
            (token, other)
        }
    }

    /// Where the token of a file ends that begins at a place: spliced lines in front of it and in it are parts of it.
    /// Not for places in the argument of a macro: libclang takes the length of that macro's name for the token's.
    pub fn end_of_token(&self, at: RawPos) -> Option<RawPos> {
        let f = &opened().functions;
        let file = at.file?;
        // SAFETY: the file is one of this unit; the token is read before it is disposed of, once.
        unsafe {
            let location = (f.clang_getLocationForOffset)(self.raw, file.raw(), at.offset);
            let token = (f.clang_getToken)(self.raw, location);
            if token.is_null() {
                return None;
            }
            let end = unit::expansion((f.clang_getRangeEnd)((f.clang_getTokenExtent)(self.raw, *token)));
            (f.clang_disposeTokens)(self.raw, token, 1);
            Some(end)
        }
    }
}

impl<'tu> Cursor<'tu> {
    /// The node's own token: an operator, a name.
    pub fn location(self) -> Location<'tu> {
        // SAFETY: the cursor is valid while its unit lives.
        let raw = unsafe { (opened().functions.clang_getCursorLocation)(self.raw) };
        Location { raw, unit: PhantomData }
    }

    /// The node's first token.
    pub fn start(self) -> Location<'tu> {
        let f = &opened().functions;
        // SAFETY: as above.
        let raw = unsafe { (f.clang_getRangeStart)((f.clang_getCursorExtent)(self.raw)) };
        Location { raw, unit: PhantomData }
    }
}
