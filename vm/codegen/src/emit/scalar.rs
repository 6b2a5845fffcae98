//! Pure operations on scalars.

use super::Emitter;
use cudair_bytecode::{Op, Reg, S, TypedReg};
use cudair_ir::{BinaryOp, Inst, InstData, TernaryOp, Type, UnaryOp, Value};

/// Whether the operations of integers of this type are those of 64 bits; `None` where they are of no such width.
fn int_width(ty: Type) -> Option<bool> {
    match ty {
        Type::I32 => Some(false),
        Type::I64 => Some(true),
        _ => None,
    }
}

/// Whether the operations of floats of this type are those of binary64; `None` where they are of neither format.
pub(super) fn float_width(ty: Type) -> Option<bool> {
    match ty {
        Type::F32 => Some(false),
        Type::F64 => Some(true),
        _ => None,
    }
}

impl Emitter<'_> {
    /// A pure operation all of whose operands are scalars.
    pub(super) fn scalar_op(&mut self, inst: Inst, d: TypedReg) {
        let done = match (d.reg, &self.plan.func.insts[inst]) {
            (Reg::S(r), &InstData::Binary { op, nsw, args: [a, b] }) => {
                self.scalar_binary(r, d.ty, op, nsw, a, b)
            }
            (Reg::S(r), &InstData::Unary { op, nsw, arg }) => self.scalar_unary(r, d.ty, op, nsw, arg),
            (Reg::S(r), &InstData::Cast { op, arg, ty }) => self.scalar_cast(r, op, ty, arg),
            (Reg::S(r), &InstData::Icmp { cc, args: [a, b] }) => self.scalar_icmp(r, cc, a, b),
            (Reg::S(r), &InstData::Fcmp { cc, args: [a, b] }) => self.scalar_fcmp(r, cc, a, b),
            (Reg::S(r), &InstData::Ternary { op, args }) => self.scalar_ternary(r, d.ty, op, args),
            (Reg::S(d), &InstData::PtrDiff { args: [a, b] }) => {
                let (a, b) = (self.s(a), self.s(b));
                self.op(Op::PtrDiff { d, a, b });
                true
            }
            _ => false,
        };
        if !done {
            self.generic_inst(inst, d);
        }
    }

    fn scalar_binary(&mut self, d: S, ty: Type, op: BinaryOp, nsw: bool, a: Value, b: Value) -> bool {
        use BinaryOp::*;
        // Constants go to the right.
        let (a, b) = if op.is_commutative() && !op.is_float() && self.const_bits(a).is_some() {
            (b, a)
        } else {
            (a, b)
        };
        let selected = match op {
            And | Or | Xor if ty.bits() <= 64 => {
                let small = self.const_bits(b).and_then(|c| u32::try_from(c).ok());
                let a = self.s(a);
                match small {
                    Some(imm) => Op::bitwise_imm(op, d, a, imm),
                    None => Op::bitwise(op, d, a, self.s(b)),
                }
            }
            _ if op.is_float() => {
                let Some(wide) = float_width(ty) else { return false };
                let (a, b) = (self.s(a), self.s(b));
                Op::float(op, wide, d, a, b)
            }
            _ => {
                let Some(wide) = int_width(ty) else { return false };
                let imm = match op {
                    Shl | Lshr | Ashr => {
                        self.const_bits(b).filter(|&n| n < u64::from(ty.bits())).map(|n| n as i32)
                    }
                    _ => self.imm(b),
                };
                let a = self.s(a);
                let with_imm = imm.and_then(|imm| Op::int_imm(op, nsw, wide, d, a, imm));
                with_imm.or_else(|| Op::int(op, nsw, wide, d, a, self.s(b)))
            }
        };
        self.selected(selected)
    }

    /// Emits an operation, if one was found.
    pub(super) fn selected(&mut self, op: Option<Op>) -> bool {
        if let Some(op) = op {
            self.op(op);
        }
        op.is_some()
    }

    fn scalar_unary(&mut self, d: S, ty: Type, op: UnaryOp, nsw: bool, arg: Value) -> bool {
        use UnaryOp::*;
        let width = match op {
            Inot if ty.bits() < 32 => {
                let a = self.s(arg);
                self.op(Op::XorI { d, a, imm: ty.bit_mask() as u32 });
                return true;
            }
            // Whatever of 64 bits it is, a pointer too.
            Inot => (ty.bits() <= 64).then_some(ty.bits() == 64),
            Ineg => int_width(ty),
            _ => float_width(ty),
        };
        let Some(wide) = width else { return false };
        let a = self.s(arg);
        self.selected(Op::unary(op, nsw, wide, d, a))
    }

    fn scalar_ternary(&mut self, d: S, ty: Type, op: TernaryOp, [a, b, c]: [Value; 3]) -> bool {
        match (op, ty) {
            (TernaryOp::Select, _) => {
                // A result of arithmetic and something else: the result's bits count from here on.
                let mixes = self.plan.computed[b] != self.plan.computed[c];
                let condition = self.s(a);
                let [a, b] = [b, c].map(|v| match mixes.then(|| self.seen(v)) {
                    Some(Reg::S(seen)) => seen,
                    _ => self.s(v),
                });
                self.op(Op::Select { d, c: condition, a, b });
            }
            (TernaryOp::Fma, Type::F32 | Type::F64) => {
                let args = [a, b, c].map(|v| self.s(v));
                self.op(Op::fma(ty == Type::F64, d, args));
            }
            _ => return false,
        }
        true
    }
}
