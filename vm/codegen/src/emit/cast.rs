//! Conversions.

use super::Emitter;
use cudair_bytecode::{Op, Reg, S, TypedReg};
use cudair_ir::{CastOp, Type, Value};

impl Emitter<'_> {
    /// A conversion of a scalar of up to 64 bits. Those that keep the bits have no instruction.
    pub(super) fn scalar_cast(&mut self, d: S, op: CastOp, to: Type, arg: Value) -> bool {
        use CastOp::*;
        use Type::*;
        let from = self.ty(arg);
        if from.bits() > 64 {
            return false;
        }
        let a = match op {
            // Of a result whose bits may be those of another NaN: there is no other conversion that keeps the bits.
            Bitcast if self.plan.computed[arg] => {
                let a = self.s(arg);
                self.op(Op::NanF32 { d, a });
                return true;
            }
            Fpext if (from, to) == (F32, F64) => match self.seen(arg) {
                Reg::S(a) => a,
                _ => self.s(arg),
            },
            _ => self.s(arg),
        };
        self.selected(Op::cast(op, from, to, d, a))
    }

    /// A conversion of a vector.
    pub(super) fn vector_cast(&mut self, d: TypedReg, op: CastOp, arg: Value) -> bool {
        use CastOp::*;
        use Type::*;
        let (from, to) = (self.ty(arg), d.ty);
        let a = if op == Fpext { self.seen(arg) } else { self.reg(arg) };
        match (op, d.reg, a) {
            (Bitcast, Reg::V(d), Reg::V(a)) if self.plan.computed[arg] => self.op(Op::VFnan { d, a }),
            (Trunc, Reg::V(d), Reg::W(a)) if to == I32 => self.op(Op::VTruncW { d, a }),
            (Trunc, Reg::V(d), Reg::W(a)) => {
                let t = self.temp_v();
                self.op(Op::VTruncW { d: t, a });
                let b = self.const_s(to.bit_mask() as u64);
                self.op(Op::VAndVs { d, a: t, b });
            }
            (Trunc, Reg::V(d), Reg::V(a)) => {
                let b = self.const_s(to.bit_mask() as u64);
                self.op(Op::VAndVs { d, a, b });
            }
            (Trunc, Reg::P(d), Reg::V(a)) => self.op(Op::PFromV { d, a }),
            (Trunc, Reg::P(d), Reg::W(a)) => self.op(Op::PFromW { d, a }),
            (Zext, Reg::V(d), Reg::P(a)) => self.op(Op::VFromP { d, a }),
            (Zext, Reg::W(d), Reg::P(a)) => self.op(Op::WFromP { d, a }),
            (Zext, Reg::W(d), Reg::V(a)) => self.op(Op::WZextV { d, a }),
            (Sext, Reg::V(d), Reg::V(a)) => {
                let widened = if to == I32 { d } else { self.temp_v() };
                match from {
                    I8 => self.op(Op::VSext8 { d: widened, a }),
                    I16 => self.op(Op::VSext16 { d: widened, a }),
                    _ => return false,
                }
                if to != I32 {
                    let b = self.const_s(to.bit_mask() as u64);
                    self.op(Op::VAndVs { d, a: widened, b });
                }
            }
            (Sext, Reg::W(d), Reg::V(a)) => {
                let a = match from {
                    I32 => a,
                    I8 => {
                        let t = self.temp_v();
                        self.op(Op::VSext8 { d: t, a });
                        t
                    }
                    I16 => {
                        let t = self.temp_v();
                        self.op(Op::VSext16 { d: t, a });
                        t
                    }
                    _ => return false,
                };
                self.op(Op::WSextV { d, a });
            }
            (Sitofp, Reg::V(d), Reg::V(a)) if (from, to) == (I32, F32) => self.op(Op::VSitofp { d, a }),
            (Sitofp, Reg::W(d), Reg::V(a)) if from == I32 => self.op(Op::WSitofpV { d, a }),
            (Sitofp, d, Reg::V(a)) if matches!(from, I8 | I16) && matches!(to, F32 | F64) => {
                let t = self.temp_v();
                self.op(if from == I8 { Op::VSext8 { d: t, a } } else { Op::VSext16 { d: t, a } });
                match (d, to) {
                    (Reg::V(d), F32) => self.op(Op::VSitofp { d, a: t }),
                    (Reg::W(d), _) => self.op(Op::WSitofpV { d, a: t }),
                    _ => return false,
                }
            }
            (Sitofp, Reg::W(d), Reg::W(a)) => self.op(Op::WSitofp { d, a }),
            (Uitofp, Reg::W(d), Reg::W(a)) if (from, to) == (I64, F64) => self.op(Op::WUitofp { d, a }),
            (Uitofp, Reg::V(d), Reg::V(a)) if to == F32 => self.op(Op::VUitofp { d, a }),
            (Uitofp, Reg::W(d), Reg::V(a)) => self.op(Op::WUitofpV { d, a }),
            (Fptosi, Reg::V(d), Reg::V(a)) if (from, to) == (F32, I32) => self.op(Op::VFptosi { d, a }),
            (Fptosi, Reg::V(d), Reg::W(a)) if (from, to) == (F64, I32) => self.op(Op::VFptosiW { d, a }),
            (Fptoui, Reg::V(d), Reg::V(a)) if (from, to) == (F32, I32) => self.op(Op::VFptoui { d, a }),
            (Fptoui, Reg::V(d), Reg::W(a)) if (from, to) == (F64, I32) => self.op(Op::VFptouiW { d, a }),
            (Fptosi, Reg::W(d), Reg::W(a)) if (from, to) == (F64, I64) => self.op(Op::WFptosi { d, a }),
            (Fptoui, Reg::W(d), Reg::W(a)) if (from, to) == (F64, I64) => self.op(Op::WFptoui { d, a }),
            // What is narrow is cut from a word.
            (Fptosi | Fptoui, Reg::V(d), a) if to == I8 || to == I16 => {
                let t = self.temp_v();
                match (op, a, from) {
                    (Fptosi, Reg::V(a), F32) => self.op(Op::VFptosi { d: t, a }),
                    (Fptoui, Reg::V(a), F32) => self.op(Op::VFptoui { d: t, a }),
                    (Fptosi, Reg::W(a), F64) => self.op(Op::VFptosiW { d: t, a }),
                    (Fptoui, Reg::W(a), F64) => self.op(Op::VFptouiW { d: t, a }),
                    _ => return false,
                }
                let b = self.const_s(to.bit_mask() as u64);
                self.op(Op::VAndVs { d, a: t, b });
            }
            (Fpext, Reg::W(d), Reg::V(a)) if (from, to) == (F32, F64) => self.op(Op::WFpextV { d, a }),
            (Fptrunc, Reg::V(d), Reg::W(a)) if (from, to) == (F64, F32) => self.op(Op::VFptruncW { d, a }),
            _ => return false,
        }
        true
    }
}
