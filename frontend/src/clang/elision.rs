//! Copies that compilers leave out, before C++17.

use super::{Cursor, CursorKind, opened};

impl Cursor<'_> {
    /// Before C++17 a temporary that becomes an object is copied into it, and compilers leave the copy out (elision).
    /// This gives what is copied, which is what the tree has from C++17 on. A call that names no constructor and has
    /// nothing but arguments is such a copy: libclang names the constructor of every other construction.
    pub(super) fn without_elided_copy(self) -> Self {
        let is_call = |c: Self| CursorKind(c.raw.kind) == CursorKind::CallExpr;
        if !is_call(self) || self.referenced().is_some() {
            return self;
        }
        // SAFETY: as above.
        let arguments = unsafe { (opened().functions.clang_Cursor_getNumArguments)(self.raw) };
        let operands = self.expressions();
        if arguments < 1 || usize::try_from(arguments) != Ok(operands.len()) {
            return self;
        }
        // The parameter is a reference: the temporary is made an object for it, and gets its `const`.
        let only = |c: Self| match c.expressions().as_slice() {
            [one] if CursorKind(c.raw.kind) == CursorKind::UnexposedExpr => Some(*one),
            _ => None,
        };
        let Some(bound) = operands.first().copied().and_then(only) else { return self };
        match only(bound) {
            Some(plain) if bound.ty().is_const() && !plain.ty().is_const() => plain,
            _ => bound,
        }
    }
}
