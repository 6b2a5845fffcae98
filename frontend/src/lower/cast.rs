//! Casts where a place is asked for: to references, and to values that are made somewhere.

use super::R;
use super::func::FnLower;
use super::lvalue::Place;
use crate::ast::{Cast, CastKind, Ex};
use crate::types::{Kind, Ty};

impl<'tu> FnLower<'_, 'tu, '_> {
    /// A cast to a reference type, or any other cast's value in a temporary.
    pub(super) fn cast_place(&mut self, cast: Cast<'tu>, e: Ex<'tu>) -> R<Place> {
        let inner = cast.operand;
        let (from, q) = (inner.q, e.q);
        let to_reference = self.cx.ast.cxx && self.casts_in_place(inner, from.ty, q.ty);
        if to_reference {
            let place = self.place(inner)?;
            let mut ptr = place.ptr;
            if let (Some(a), Some(b)) =
                (self.cx.ast.types.as_record(from.ty), self.cx.ast.types.as_record(q.ty))
                && a != b
                && cast.kind != CastKind::Reinterpret
            {
                if let Some(path) = self.cx.base_path(a, b) {
                    ptr = self.base_at(ptr, a, path, e)?;
                } else if let Some(offset) = self.base_offset(b, a) {
                    ptr = self.b.ptr_offset(ptr, -(offset as i64));
                }
            }
            return Ok(Place::new(ptr, self.cx.ast.types.align(q.ty), q));
        }
        if from.ty == q.ty && self.cx.ast.types.is_aggregate(q.ty) {
            return self.place(inner);
        }
        self.materialize(e)
    }

    /// Whether a cast is one to a reference: a cast to a value shows the load of its operand, or the constructor that it
    /// calls.
    pub(super) fn casts_in_place(&mut self, inner: Ex<'tu>, from: Ty, to: Ty) -> bool {
        if matches!(self.cx.ast.types.kind(to), Kind::Void) {
            return false;
        }
        if self.cx.ast.types.as_record(from).is_some() && self.cx.ast.types.as_record(to).is_some() {
            return from != to;
        }
        self.is_lvalue(inner)
    }
}
