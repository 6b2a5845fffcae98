//! Pure operations on vectors. Scalar operands stay scalars where the operation has a form for them.

use super::Emitter;
use super::scalar::float_width;
use cudair_bytecode::{Op, Reg, TypedReg, V};
use cudair_ir::{BinaryOp, Inst, InstData, TernaryOp, Type, UnaryOp, Value};

impl Emitter<'_> {
    /// A pure operation with at least one vector among its operands.
    pub(super) fn vector_op(&mut self, inst: Inst, d: TypedReg) {
        let done = match (d.reg, &self.plan.func.insts[inst]) {
            (r, &InstData::Binary { op, nsw, args: [a, b] }) => self.vector_binary(r, d.ty, op, nsw, a, b),
            (r, &InstData::Unary { op, nsw, arg }) => self.vector_unary(r, d.ty, op, nsw, arg),
            (_, &InstData::Cast { op, arg, .. }) => self.vector_cast(d, op, arg),
            (Reg::P(r), &InstData::Icmp { cc, args: [a, b] }) => self.vector_icmp(r, cc, a, b),
            (Reg::P(r), &InstData::Fcmp { cc, args: [a, b] }) => self.vector_fcmp(r, cc, a, b),
            (Reg::V(r), &InstData::Ternary { op: TernaryOp::Select, args }) if self.mixes(inst) => {
                self.select_canonical(r, args)
            }
            (r, &InstData::Ternary { op: TernaryOp::Select, args }) => {
                match (r, self.plan.canonical_half(inst)) {
                    (Reg::V(d), Some(half)) => {
                        let a = self.v(half);
                        self.op(Op::VHnan { d, a });
                        true
                    }
                    _ => self.vector_select(r, args),
                }
            }
            (r, &InstData::Ternary { op: TernaryOp::Fma, args }) => self.vector_fma(r, args),
            (Reg::W(d), &InstData::PtrDiff { args: [a, b] }) => {
                self.pointer_pair(a, b, false);
                let (a, b) = self.lane_operands(true, a, b);
                self.selected(Op::lanes(BinaryOp::Isub, false, Reg::W(d), a, b))
            }
            _ => false,
        };
        if !done {
            self.generic_inst(inst, d);
        }
    }

    /// Lanes subtract or order two pointers, which must be of one object.
    pub(super) fn pointer_pair(&mut self, a: Value, b: Value, is_order: bool) {
        let [a, b] = [a, b].map(|v| {
            let reg = self.typed(v);
            self.code.tables.regs.push(reg)
        });
        self.op(Op::PtrPair { a, b, order: is_order.into() });
    }

    /// An operand, as a scalar where it is one.
    fn lane_operand(&mut self, wide: bool, v: Value) -> Reg {
        if self.is_vector(v) { self.lane(wide, v) } else { Reg::S(self.s(v)) }
    }

    /// An operand, as a vector whatever it is.
    fn lane(&mut self, wide: bool, v: Value) -> Reg {
        if wide { Reg::W(self.w(v)) } else { Reg::V(self.v(v)) }
    }

    /// Two operands, of which one at least is a vector.
    pub(super) fn lane_operands(&mut self, wide: bool, a: Value, b: Value) -> (Reg, Reg) {
        (self.lane_operand(wide, a), self.lane_operand(wide, b))
    }

    fn vector_binary(&mut self, d: Reg, ty: Type, op: BinaryOp, nsw: bool, a: Value, b: Value) -> bool {
        use BinaryOp::*;
        let commutes = match op {
            Fadd | Fmul | Fmin | Fmax => !self.may_be_nan(ty, a),
            _ => op.is_commutative(),
        };
        let (a, b) = if commutes && !self.is_vector(a) { (b, a) } else { (a, b) };
        let known = match (d, ty) {
            (Reg::P(_), _) => {
                let (a, b) = (Reg::P(self.p(a)), Reg::P(self.p(b)));
                return self.selected(Op::lanes(op, nsw, d, a, b));
            }
            (Reg::V(_), Type::I32) | (Reg::W(_), Type::I64) => !op.is_float(),
            (Reg::V(_), Type::I8 | Type::I16) => matches!(op, And | Or | Xor | Umin | Umax | Udiv | Urem),
            (Reg::V(_), Type::F32) | (Reg::W(_), Type::F64) => op.is_float(),
            _ => false,
        };
        if !known {
            return false;
        }
        let wide = matches!(d, Reg::W(_));
        let (a, b) = match op {
            Fadd | Fmul | Fmin | Fmax if !self.is_vector(a) => {
                (self.lane(wide, a), self.lane_operand(wide, b))
            }
            _ => self.lane_operands(wide, a, b),
        };
        self.selected(Op::lanes(op, nsw, d, a, b))
    }

    /// Whether an operand may be a NaN whose bits are seen: of two, the first is the result. All those of binary32 are
    /// the device's in the end.
    fn may_be_nan(&self, ty: Type, v: Value) -> bool {
        ty == Type::F64 && self.const_bits(v).is_none_or(|bits| f64::from_bits(bits).is_nan())
    }

    fn vector_unary(&mut self, d: Reg, ty: Type, op: UnaryOp, nsw: bool, arg: Value) -> bool {
        use UnaryOp::*;
        match (op, d, self.reg(arg)) {
            (Inot, Reg::P(d), Reg::P(a)) => self.op(Op::PNot { d, a }),
            (Inot, Reg::V(d), Reg::V(a)) => {
                let b = self.const_s(ty.bit_mask() as u64);
                self.op(Op::VXorVs { d, a, b });
            }
            (Inot, Reg::W(d), Reg::W(a)) => {
                let b = self.const_s(u64::MAX);
                self.op(Op::WXorVs { d, a, b });
            }
            (Ineg, Reg::V(d), Reg::V(b)) if ty == Type::I32 => {
                let a = self.const_s(0);
                self.op(if nsw { Op::VSubNswSv { d, a, b } } else { Op::VSubSv { d, a, b } });
            }
            (Ineg, Reg::W(d), Reg::W(b)) if ty == Type::I64 => {
                let a = self.const_s(0);
                self.op(if nsw { Op::WSubNswSv { d, a, b } } else { Op::WSubSv { d, a, b } });
            }
            (_, _, a) if float_width(ty).is_some() => return self.selected(Op::lanes_unary(op, d, a)),
            _ => return false,
        }
        true
    }

    /// A selection from a result of arithmetic, whose bits count from here on, and something else.
    fn select_canonical(&mut self, d: V, [c, a, b]: [Value; 3]) -> bool {
        let c = self.p(c);
        let (a, b) = (self.seen(a), self.seen(b));
        self.selected(Op::lanes_select(Reg::V(d), c, a, b))
    }

    fn vector_select(&mut self, d: Reg, [c, a, b]: [Value; 3]) -> bool {
        match d {
            Reg::V(_) | Reg::W(_) => {
                let c = self.p(c);
                let (a, b) = self.lane_operands(matches!(d, Reg::W(_)), a, b);
                return self.selected(Op::lanes_select(d, c, a, b));
            }
            Reg::P(d) => {
                let (ka, kb) = (self.const_bits(a), self.const_bits(b));
                let c = self.p(c);
                match (ka, kb) {
                    (Some(1), Some(0)) => self.op(Op::PMov { d, a: c }),
                    (Some(0), Some(1)) => self.op(Op::PNot { d, a: c }),
                    (Some(1), _) => {
                        let b = self.p(b);
                        self.op(Op::POr { d, a: c, b });
                    }
                    (Some(0), _) => {
                        let a = self.p(b);
                        self.op(Op::PAndNot { d, a, b: c });
                    }
                    (_, Some(0)) => {
                        let b = self.p(a);
                        self.op(Op::PAnd { d, a: c, b });
                    }
                    _ => {
                        let (a, b) = (self.p(a), self.p(b));
                        let (x, y) = (self.temp_p(), self.temp_p());
                        self.op(Op::PAnd { d: x, a, b: c });
                        self.op(Op::PAndNot { d: y, a: b, b: c });
                        self.op(Op::POr { d, a: x, b: y });
                    }
                }
            }
            _ => return false,
        }
        true
    }

    fn vector_fma(&mut self, d: Reg, [a, b, c]: [Value; 3]) -> bool {
        // A scalar factor goes to the right.
        let stays = self.is_vector(a) || self.may_be_nan(self.ty(a), a);
        let (a, b) = if stays { (a, b) } else { (b, a) };
        let Some(wide) = float_width(self.ty(a)) else { return false };
        let a = self.lane(wide, a);
        let b = self.lane_operand(wide, b);
        // One of these two may be a scalar.
        let c = if b.is_scalar() { self.lane(wide, c) } else { self.lane_operand(wide, c) };
        self.selected(Op::lanes_fma(d, [a, b, c]))
    }
}
