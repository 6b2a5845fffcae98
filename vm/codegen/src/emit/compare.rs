//! Comparisons, scalar and vector, and branches on them.

use super::Emitter;
use super::scalar::float_width;
use cudair_bytecode::{Op, P, Right, S, Target};
use cudair_ir::{FloatCC, IntCC, Type, Value};

/// Whether a comparison is one of equality.
fn is_equality(cc: IntCC) -> bool {
    matches!(cc, IntCC::Eq | IntCC::Ne)
}

impl Emitter<'_> {
    pub(super) fn scalar_icmp(&mut self, d: S, cc: IntCC, a: Value, b: Value) -> bool {
        let ty = self.ty(a);
        if ty.is_ptr() && !is_equality(cc) {
            let (a, b) = (self.s(a), self.s(b));
            self.op(Op::PtrCmp { d, a, b, cc });
            return true;
        }
        if cc.is_signed() && matches!(ty, Type::I8 | Type::I16) {
            return self.narrow_icmp(d, cc, a, b);
        }
        let (wide, plain) = match ty {
            Type::I32 => (false, true),
            Type::I64 | Type::Ptr(_) => (true, true),
            _ => (true, false),
        };
        if ty.bits() > 64 || cc.is_signed() && !plain {
            return false;
        }
        let (cc, a, b) = if self.const_bits(a).is_some() { (cc.swapped(), b, a) } else { (cc, a, b) };
        let (a, b) = (self.s(a), self.right(b, plain));
        self.op(Op::compare(cc, wide, d, a, b));
        true
    }

    /// The right operand of a comparison: a number where it is one that the operation can hold.
    fn right(&mut self, b: Value, plain: bool) -> Right {
        // Narrow values are not negative in their registers, and neither are their constants.
        let imm = match self.imm(b) {
            None if !plain => self.const_bits(b).map(|c| c as i32),
            imm => imm,
        };
        match imm {
            Some(imm) => Right::Imm(imm),
            None => Right::Reg(self.s(b)),
        }
    }

    /// A comparison of narrow signed numbers: in 32 bits.
    fn narrow_icmp(&mut self, d: S, cc: IntCC, a: Value, b: Value) -> bool {
        let (cc, a, b) = if self.const_bits(a).is_some() { (cc.swapped(), b, a) } else { (cc, a, b) };
        let bytes = self.ty(a) == Type::I8;
        let widen = |e: &mut Self, v: Value| {
            let (d, a) = (e.temp_s(), e.s(v));
            e.op(if bytes { Op::SextI8I32 { d, a } } else { Op::SextI16I32 { d, a } });
            d
        };
        let left = widen(self, a);
        let right = match self.const_bits(b) {
            Some(bits) => Right::Imm(if bytes { (bits as i8).into() } else { (bits as i16).into() }),
            None => Right::Reg(widen(self, b)),
        };
        self.op(Op::compare(cc, false, d, left, right));
        true
    }

    /// Jumps to `target` if the comparison of two scalars, which the plan found fit, holds.
    pub(super) fn branch_icmp(&mut self, cc: IntCC, a: Value, b: Value, target: Target) {
        let plain = matches!(self.ty(a), Type::I32 | Type::I64 | Type::Ptr(_));
        let wide = self.ty(a) != Type::I32;
        let (cc, a, b) = if self.const_bits(a).is_some() { (cc.swapped(), b, a) } else { (cc, a, b) };
        let (a, b) = (self.s(a), self.right(b, plain));
        self.op(Op::branch(cc, wide, a, b, target));
    }

    pub(super) fn scalar_fcmp(&mut self, d: S, cc: FloatCC, a: Value, b: Value) -> bool {
        let Some(wide) = float_width(self.ty(a)) else { return false };
        // The registers are asked for in the order in which the operation has them.
        let (cc, a, b) = if let FloatCC::Ogt | FloatCC::Oge = cc { (swapped(cc), b, a) } else { (cc, a, b) };
        let (a, b) = (self.s(a), self.s(b));
        self.selected(Op::compare_float(cc, wide, d, a, b))
    }

    /// A comparison of which at least one operand is a vector.
    pub(super) fn vector_icmp(&mut self, d: P, cc: IntCC, a: Value, b: Value) -> bool {
        let ty = self.ty(a);
        if ty.is_ptr() && !is_equality(cc) {
            self.pointer_pair(a, b, true);
        }
        let narrow = match ty {
            Type::I32 | Type::I64 | Type::Ptr(_) => false,
            Type::I8 | Type::I16 => true,
            Type::I1 if is_equality(cc) => {
                let (a, b) = (self.p(a), self.p(b));
                if cc == IntCC::Ne {
                    self.op(Op::PXor { d, a, b });
                } else {
                    let differ = self.temp_p();
                    self.op(Op::PXor { d: differ, a, b });
                    self.op(Op::PNot { d, a: differ });
                }
                return true;
            }
            _ => return false,
        };
        if narrow && cc.is_signed() {
            return false;
        }
        let (cc, a, b) = if !self.is_vector(a) { (cc.swapped(), b, a) } else { (cc, a, b) };
        let wide = ty.bits() == 64;
        let (a, b) = self.lane_operands(wide, a, b);
        self.selected(Op::lanes_compare(cc, d, a, b))
    }

    /// A floating comparison of which at least one operand is a vector.
    pub(super) fn vector_fcmp(&mut self, d: P, cc: FloatCC, a: Value, b: Value) -> bool {
        let Some(wide) = float_width(self.ty(a)) else { return false };
        let (cc, a, b) = if !self.is_vector(a) { (swapped(cc), b, a) } else { (cc, a, b) };
        let (a, b) = self.lane_operands(wide, a, b);
        self.selected(Op::lanes_compare_float(cc, d, a, b))
    }
}

/// The same comparison with exchanged operands.
fn swapped(cc: FloatCC) -> FloatCC {
    use FloatCC::*;
    match cc {
        Olt => Ogt,
        Ole => Oge,
        Ogt => Olt,
        Oge => Ole,
        Ult => Ugt,
        Ule => Uge,
        Ugt => Ult,
        Uge => Ule,
        Oeq | One | Ueq | Une | Ord | Uno => cc,
    }
}
