//! Pure operations on scalars.

use super::Emitter;
use cudair_bytecode::{Op, Reg, S, TypedReg};
use cudair_ir::{BinaryOp, Inst, InstData, TernaryOp, Type, UnaryOp, Value};

/// Builds the 32-bit or the 64-bit operation.
macro_rules! by_width {
    ($wide:expr, $n32:ident, $n64:ident, $fields:tt) => {
        if $wide { by_width!(@ $n64 $fields) } else { by_width!(@ $n32 $fields) }
    };
    (@ $name:ident { $($f:tt)* }) => { Op::$name { $($f)* } };
}

pub(super) use by_width;

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
        if op.is_float() {
            return self.scalar_float(d, ty, op, a, b);
        }
        if let And | Or | Xor = op
            && ty.bits() <= 64
        {
            let small = self.const_bits(b).and_then(|c| u32::try_from(c).ok());
            let a = self.s(a);
            let emitted = match (op, small) {
                (And, Some(imm)) => Op::AndI { d, a, imm },
                (Or, Some(imm)) => Op::OrI { d, a, imm },
                (Xor, Some(imm)) => Op::XorI { d, a, imm },
                _ => {
                    let b = self.s(b);
                    match op {
                        And => Op::And { d, a, b },
                        Or => Op::Or { d, a, b },
                        _ => Op::Xor { d, a, b },
                    }
                }
            };
            self.op(emitted);
            return true;
        }
        let w = match ty {
            Type::I32 => false,
            Type::I64 => true,
            _ => return false,
        };
        if let Shl | Lshr | Ashr = op {
            if nsw {
                return false;
            }
            let imm = self.const_bits(b).filter(|&n| n < u64::from(ty.bits())).map(|n| n as u8);
            let a = self.s(a);
            let emitted = if let Some(imm) = imm {
                match op {
                    Shl => by_width!(w, ShlI32I, ShlI64I, { d, a, imm }),
                    Lshr => by_width!(w, LshrI32I, LshrI64I, { d, a, imm }),
                    _ => by_width!(w, AshrI32I, AshrI64I, { d, a, imm }),
                }
            } else {
                let b = self.s(b);
                match op {
                    Shl => by_width!(w, ShlI32, ShlI64, { d, a, b }),
                    Lshr => by_width!(w, LshrI32, LshrI64, { d, a, b }),
                    _ => by_width!(w, AshrI32, AshrI64, { d, a, b }),
                }
            };
            self.op(emitted);
            return true;
        }
        if let Iadd | Isub | Imul = op
            && let Some(imm) = self.imm(b)
            && let Some(imm) = if op == Isub { imm.checked_neg() } else { Some(imm) }
        {
            let a = self.s(a);
            self.op(match (op, nsw) {
                (Imul, false) => by_width!(w, MulI32I, MulI64I, { d, a, imm }),
                (Imul, true) => by_width!(w, MulNswI32I, MulNswI64I, { d, a, imm }),
                (_, false) => by_width!(w, AddI32I, AddI64I, { d, a, imm }),
                (_, true) => by_width!(w, AddNswI32I, AddNswI64I, { d, a, imm }),
            });
            return true;
        }
        let (a, b) = (self.s(a), self.s(b));
        self.op(match (op, nsw) {
            (Iadd, false) => by_width!(w, AddI32, AddI64, { d, a, b }),
            (Iadd, true) => by_width!(w, AddNswI32, AddNswI64, { d, a, b }),
            (Isub, false) => by_width!(w, SubI32, SubI64, { d, a, b }),
            (Isub, true) => by_width!(w, SubNswI32, SubNswI64, { d, a, b }),
            (Imul, false) => by_width!(w, MulI32, MulI64, { d, a, b }),
            (Imul, true) => by_width!(w, MulNswI32, MulNswI64, { d, a, b }),
            (Sdiv, _) => by_width!(w, SdivI32, SdivI64, { d, a, b }),
            (Udiv, _) => by_width!(w, UdivI32, UdivI64, { d, a, b }),
            (Srem, _) => by_width!(w, SremI32, SremI64, { d, a, b }),
            (Urem, _) => by_width!(w, UremI32, UremI64, { d, a, b }),
            (Smin, _) => by_width!(w, SminI32, SminI64, { d, a, b }),
            (Smax, _) => by_width!(w, SmaxI32, SmaxI64, { d, a, b }),
            (Umin, _) => by_width!(w, UminI32, UminI64, { d, a, b }),
            (Umax, _) => by_width!(w, UmaxI32, UmaxI64, { d, a, b }),
            _ => return false,
        });
        true
    }

    fn scalar_float(&mut self, d: S, ty: Type, op: BinaryOp, a: Value, b: Value) -> bool {
        use BinaryOp::*;
        let w = match ty {
            Type::F32 => false,
            Type::F64 => true,
            _ => return false,
        };
        if !matches!(op, Fadd | Fsub | Fmul | Fdiv | Fmin | Fmax) {
            return false;
        }
        let (a, b) = (self.s(a), self.s(b));
        self.op(match op {
            Fadd => by_width!(w, AddF32, AddF64, { d, a, b }),
            Fsub => by_width!(w, SubF32, SubF64, { d, a, b }),
            Fmul => by_width!(w, MulF32, MulF64, { d, a, b }),
            Fdiv => by_width!(w, DivF32, DivF64, { d, a, b }),
            Fmin => by_width!(w, MinF32, MinF64, { d, a, b }),
            _ => by_width!(w, MaxF32, MaxF64, { d, a, b }),
        });
        true
    }

    fn scalar_unary(&mut self, d: S, ty: Type, op: UnaryOp, nsw: bool, arg: Value) -> bool {
        use UnaryOp::*;
        let known = match op {
            Ineg => matches!(ty, Type::I32 | Type::I64),
            Inot => ty.bits() <= 64,
            Fneg | Fabs | Fsqrt => matches!(ty, Type::F32 | Type::F64),
            _ => false,
        };
        if !known {
            return false;
        }
        let w = ty.bits() == 64;
        let a = self.s(arg);
        self.op(match op {
            Ineg if nsw => by_width!(w, NegNswI32, NegNswI64, { d, a }),
            Ineg => by_width!(w, NegI32, NegI64, { d, a }),
            Inot if ty == Type::I32 || w => by_width!(w, NotI32, NotI64, { d, a }),
            Inot => Op::XorI { d, a, imm: ty.bit_mask() as u32 },
            Fneg => by_width!(w, NegF32, NegF64, { d, a }),
            Fabs => by_width!(w, AbsF32, AbsF64, { d, a }),
            _ => by_width!(w, SqrtF32, SqrtF64, { d, a }),
        });
        true
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
                let (a, b, c) = (self.s(a), self.s(b), self.s(c));
                self.op(by_width!(ty == Type::F64, FmaF32, FmaF64, { d, a, b, c }));
            }
            _ => return false,
        }
        true
    }
}
