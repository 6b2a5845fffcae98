//! Casts where a place is asked for: to references, and to values that are made somewhere.

use super::R;
use super::func::FnLower;
use super::lvalue::Place;
use super::types::{Kind, Ty};
use crate::clang::{Cursor, CursorKind};

impl<'tu> FnLower<'_, 'tu, '_> {
    /// A cast to a reference type, or any other cast's value in a temporary.
    pub(super) fn cast_place(&mut self, e: Cursor<'tu>) -> R<Place> {
        let Some(&inner) = e.expressions().last() else {
            return self.internal("a cast without an operand", e);
        };
        let q = self.cx.type_of(e);
        let from = self.cx.type_of(inner);
        let to_reference =
            self.cx.cxx && (self.is_reference_cast(e) || self.casts_in_place(inner, from.ty, q.ty));
        if to_reference {
            let place = self.place(inner)?;
            let mut ptr = place.ptr;
            if let (Some(a), Some(b)) = (self.cx.types.as_record(from.ty), self.cx.types.as_record(q.ty))
                && a != b
                && e.kind() != CursorKind::CXXReinterpretCastExpr
            {
                if let Some(path) = self.cx.base_path(a, b) {
                    ptr = self.base_at(ptr, a, path, e)?;
                } else if let Some(offset) = self.base_offset(b, a) {
                    ptr = self.b.ptr_offset(ptr, -(offset as i64));
                }
            }
            return Ok(Place::new(ptr, self.cx.types.align(q.ty), q));
        }
        if from.ty == q.ty && self.cx.types.is_aggregate(q.ty) {
            return self.place(inner);
        }
        self.materialize(e)
    }

    /// Whether a cast is one to a reference though its text does not say so, as with the name of a type: a cast to a
    /// value shows the load of its operand, or the constructor that it calls.
    fn casts_in_place(&mut self, inner: Cursor<'tu>, from: Ty, to: Ty) -> bool {
        if matches!(self.cx.types.kind(to), Kind::Void) {
            return false;
        }
        if self.cx.types.as_record(from).is_some() && self.cx.types.as_record(to).is_some() {
            return from != to;
        }
        let mut at = inner;
        while let (CursorKind::ParenExpr, [one]) = (at.kind(), at.expressions().as_slice()) {
            at = *one;
        }
        match at.kind() {
            CursorKind::DeclRefExpr => at.referenced().is_some_and(|d| {
                matches!(d.kind(), CursorKind::VarDecl | CursorKind::ParmDecl | CursorKind::UnexposedDecl)
            }),
            CursorKind::MemberRefExpr => at.referenced().is_some_and(|d| d.kind() == CursorKind::FieldDecl),
            CursorKind::ArraySubscriptExpr => true,
            CursorKind::UnaryOperator => at.unary_operator() == clang_sys::CXUnaryOperator_Deref,
            CursorKind::CallExpr => self.is_lvalue(at),
            _ => false,
        }
    }

    fn is_reference_cast(&mut self, e: Cursor<'tu>) -> bool {
        let tokens = e.tokens(self.cx.unit);
        let end = match e.kind() {
            CursorKind::CStyleCastExpr | CursorKind::CXXFunctionalCastExpr => ")",
            _ => ">",
        };
        if e.kind() == CursorKind::CXXFunctionalCastExpr {
            return false;
        }
        let mut depth = 0;
        let (open, close) = if end == ")" { ("(", ")") } else { ("<", ">") };
        let mut last = "";
        for token in &tokens {
            if token == open {
                depth += 1;
            } else if token == close {
                depth -= 1;
                if depth == 0 {
                    return last == "&" || last == "&&";
                }
            }
            last = token;
        }
        false
    }
}
