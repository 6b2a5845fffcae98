//! Indices of rows and of member arrays: arrays inside a larger object, which an index may leave without
//! leaving the object.
//!
//! An array that is a whole variable needs no check of its own: the machine knows where it ends. Pointers that
//! an array decayed to are not followed, so that a program may walk over all of a matrix through
//! `&m[0][0]`; and an index one past the end is legal where only the address is taken.

use super::R;
use super::func::FnLower;
use crate::ast::{Ex, ExprKind};
use crate::types::{Kind, Ty};
use cudair_ir::{Type, Value};

impl<'tu> FnLower<'_, 'tu, '_> {
    /// Checks the index of `base[index]` where `base` is a row or a member; `e` is the whole expression.
    pub fn check_row(&mut self, base: Ex<'tu>, index: Value, index_ty: Ty, e: Ex<'tu>) -> R<()> {
        let Some(len) = self.inner_array(base) else { return Ok(()) };
        let element = e.q.ty;
        // The address one past the end may be made; a row one past the end is only an address, too.
        let past_end = self.address_of == Some(e.id()) || self.cx.ast.types.element(element).is_some();
        let len = len + u64::from(past_end);
        let signed = self.cx.ast.types.is_signed(index_ty);
        let bits = self.b.ty(index).bits();
        if let Some(n) = self.b.func.const_bits(index)
            && (!signed || n >> (bits - 1) & 1 == 0)
            && n < u128::from(len)
        {
            return Ok(());
        }
        let index = if bits == 32 { index } else { self.widen(index, signed, Type::I64) };
        self.b.bounds(index, len);
        Ok(())
    }

    /// The number of elements of an array that is part of a larger object.
    fn inner_array(&mut self, base: Ex<'tu>) -> Option<u64> {
        let mut array = base;
        while let ExprKind::Paren(inner) | ExprKind::Implicit(inner) = array.kind {
            array = inner;
        }
        let q = array.q;
        let Kind::Array { len: Some(len), .. } = *self.cx.ast.types.kind(q.ty) else { return None };
        match array.kind {
            ExprKind::Subscript { .. } | ExprKind::Unary(..) => Some(len),
            // Arrays of one element at a struct's end stand for as many as were allocated.
            ExprKind::Member(_) => (len > 1).then_some(len),
            ExprKind::Name(name) => {
                let declared = self.cx.ast.types.of(name.decl?.ty());
                matches!(self.cx.ast.types.kind(declared.ty), Kind::Reference(_)).then_some(len)
            }
            _ => None,
        }
    }
}

/// What the operand of `&` is, parentheses aside.
pub fn operand_of_address(inner: Ex<'_>) -> Ex<'_> {
    let mut at = inner;
    while let ExprKind::Paren(one) = at.kind {
        at = one;
    }
    at
}
