//! `a <=> b` of scalars: an object of one of the library's ordering classes, which hold a number.

use super::R;
use super::func::FnLower;
use crate::ast::Ex;
use crate::types::QTy;
use cudair_ir::{FloatCC, IntCC, MemFlags, Type, Value};

/// What libstdc++ holds for values without an order, as not-a-numbers have none.
const UNORDERED: i128 = 2;

impl<'tu> FnLower<'_, 'tu, '_> {
    /// Compares two scalars into the object at `dst`.
    pub fn three_way(&mut self, dst: Value, q: QTy, left: Ex<'tu>, right: Ex<'tu>, e: Ex<'tu>) -> R<()> {
        let fields = match self.cx.ast.types.as_record(q.ty) {
            Some(record) => self.cx.ast.types.fields(record),
            None => return self.internal("a three-way comparison whose result is not a class", e),
        };
        let [field] = fields.as_slice() else {
            return self.unsupported("a three-way comparison with this result", e);
        };
        let ty = left.q.ty;
        let (mut a, mut b) = (self.rv(left)?, self.rv(right)?);
        self.enter(e);
        if self.b.ty(a) != self.b.ty(b) && self.b.ty(a).is_ptr() && self.b.ty(b).is_ptr() {
            (a, b) = (self.generic(a), self.generic(b));
        }
        if self.b.ty(a) != self.b.ty(b) {
            return self.unsupported("a three-way comparison of these types", e);
        }
        let number = |f: &mut Self, n: i128| f.b.iconst(Type::I8, n);
        let (less, greater, otherwise) = if self.b.ty(a).is_float() {
            let equal = self.b.fcmp(FloatCC::Oeq, a, b);
            let (zero, unordered) = (number(self, 0), number(self, UNORDERED));
            let otherwise = self.b.select(equal, zero, unordered);
            (self.b.fcmp(FloatCC::Olt, a, b), self.b.fcmp(FloatCC::Ogt, a, b), otherwise)
        } else {
            let signed = self.cx.ast.types.is_signed(ty);
            let (lt, gt) = if signed { (IntCC::Slt, IntCC::Sgt) } else { (IntCC::Ult, IntCC::Ugt) };
            (self.b.icmp(lt, a, b), self.b.icmp(gt, a, b), number(self, 0))
        };
        let (minus, one) = (number(self, -1), number(self, 1));
        let value = self.b.select(greater, one, otherwise);
        let value = self.b.select(less, minus, value);
        let at = self.b.ptr_offset(dst, (field.offset_bits / 8) as i64);
        self.b.store(value, at, MemFlags::aligned(1));
        Ok(())
    }
}
