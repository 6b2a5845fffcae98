//! Comparisons, scalar and vector, and branches on them.

use super::Emitter;
use super::scalar::by_width;
use cudair_bytecode::{Op, P, S, Target};
use cudair_ir::{FloatCC, IntCC, Type, Value};

/// Whether a comparison orders signed numbers.
fn is_signed(cc: IntCC) -> bool {
    matches!(cc, IntCC::Slt | IntCC::Sle | IntCC::Sgt | IntCC::Sge)
}

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
        if is_signed(cc) && matches!(ty, Type::I8 | Type::I16) {
            return self.narrow_icmp(d, cc, a, b);
        }
        let (wide, plain) = match ty {
            Type::I32 => (false, true),
            Type::I64 | Type::Ptr(_) => (true, true),
            _ => (true, false),
        };
        if ty.bits() > 64 || is_signed(cc) && !plain {
            return false;
        }
        let (cc, a, b) = if self.const_bits(a).is_some() { (cc.swapped(), b, a) } else { (cc, a, b) };
        // Narrow values are not negative in their registers, and neither are their constants.
        let imm = match self.imm(b) {
            None if !plain => self.const_bits(b).map(|c| c as i32),
            imm => imm,
        };
        if let Some(imm) = imm {
            use IntCC::*;
            let a = self.s(a);
            self.op(match cc {
                Eq => by_width!(wide, CmpEqI32I, CmpEqI64I, { d, a, imm }),
                Ne => by_width!(wide, CmpNeI32I, CmpNeI64I, { d, a, imm }),
                Slt => by_width!(wide, CmpSltI32I, CmpSltI64I, { d, a, imm }),
                Sle => by_width!(wide, CmpSleI32I, CmpSleI64I, { d, a, imm }),
                Sgt => by_width!(wide, CmpSgtI32I, CmpSgtI64I, { d, a, imm }),
                Sge => by_width!(wide, CmpSgeI32I, CmpSgeI64I, { d, a, imm }),
                Ult => by_width!(wide, CmpUltI32I, CmpUltI64I, { d, a, imm }),
                Ule => by_width!(wide, CmpUleI32I, CmpUleI64I, { d, a, imm }),
                Ugt => by_width!(wide, CmpUgtI32I, CmpUgtI64I, { d, a, imm }),
                Uge => by_width!(wide, CmpUgeI32I, CmpUgeI64I, { d, a, imm }),
            });
            return true;
        }
        let (a, b) = (self.s(a), self.s(b));
        let (cc, a, b) = forward(cc, a, b);
        self.op(match cc {
            IntCC::Eq => Op::CmpEq { d, a, b },
            IntCC::Ne => Op::CmpNe { d, a, b },
            IntCC::Ult => Op::CmpUlt { d, a, b },
            IntCC::Ule => Op::CmpUle { d, a, b },
            IntCC::Slt => by_width!(wide, CmpSltI32, CmpSltI64, { d, a, b }),
            _ => by_width!(wide, CmpSleI32, CmpSleI64, { d, a, b }),
        });
        true
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
        if let Some(bits) = self.const_bits(b) {
            let imm = if bytes { i32::from(bits as i8) } else { i32::from(bits as i16) };
            self.op(match cc {
                IntCC::Slt => Op::CmpSltI32I { d, a: left, imm },
                IntCC::Sle => Op::CmpSleI32I { d, a: left, imm },
                IntCC::Sgt => Op::CmpSgtI32I { d, a: left, imm },
                _ => Op::CmpSgeI32I { d, a: left, imm },
            });
        } else {
            let right = widen(self, b);
            let (cc, a, b) = forward(cc, left, right);
            self.op(if cc == IntCC::Slt { Op::CmpSltI32 { d, a, b } } else { Op::CmpSleI32 { d, a, b } });
        }
        true
    }

    /// Jumps to `target` if the comparison of two scalars, which the plan found fit, holds.
    pub(super) fn branch_icmp(&mut self, cc: IntCC, a: Value, b: Value, target: Target) {
        let plain = matches!(self.ty(a), Type::I32 | Type::I64 | Type::Ptr(_));
        let wide = self.ty(a) != Type::I32;
        let (cc, a, b) = if self.const_bits(a).is_some() { (cc.swapped(), b, a) } else { (cc, a, b) };
        let imm = match self.imm(b) {
            None if !plain => self.const_bits(b).map(|c| c as i32),
            imm => imm,
        };
        if let Some(imm) = imm {
            use IntCC::*;
            let a = self.s(a);
            self.op(match cc {
                Eq if imm == 0 => Op::BrZ { c: a, target },
                Ne if imm == 0 => Op::BrNz { c: a, target },
                Eq => by_width!(wide, BrEqI32I, BrEqI64I, { a, imm, target }),
                Ne => by_width!(wide, BrNeI32I, BrNeI64I, { a, imm, target }),
                Slt => by_width!(wide, BrSltI32I, BrSltI64I, { a, imm, target }),
                Sle => by_width!(wide, BrSleI32I, BrSleI64I, { a, imm, target }),
                Sgt => by_width!(wide, BrSgtI32I, BrSgtI64I, { a, imm, target }),
                Sge => by_width!(wide, BrSgeI32I, BrSgeI64I, { a, imm, target }),
                Ult => by_width!(wide, BrUltI32I, BrUltI64I, { a, imm, target }),
                Ule => by_width!(wide, BrUleI32I, BrUleI64I, { a, imm, target }),
                Ugt => by_width!(wide, BrUgtI32I, BrUgtI64I, { a, imm, target }),
                Uge => by_width!(wide, BrUgeI32I, BrUgeI64I, { a, imm, target }),
            });
            return;
        }
        let (a, b) = (self.s(a), self.s(b));
        let (cc, a, b) = forward(cc, a, b);
        self.op(match cc {
            IntCC::Eq => Op::BrEq { a, b, target },
            IntCC::Ne => Op::BrNe { a, b, target },
            IntCC::Ult => Op::BrUlt { a, b, target },
            IntCC::Ule => Op::BrUle { a, b, target },
            IntCC::Slt => by_width!(wide, BrSltI32, BrSltI64, { a, b, target }),
            _ => by_width!(wide, BrSleI32, BrSleI64, { a, b, target }),
        });
    }

    pub(super) fn scalar_fcmp(&mut self, d: S, cc: FloatCC, a: Value, b: Value) -> bool {
        let w = match self.ty(a) {
            Type::F32 => false,
            Type::F64 => true,
            _ => return false,
        };
        let (cc, a, b) = match cc {
            FloatCC::Oeq | FloatCC::Une | FloatCC::Olt | FloatCC::Ole => (cc, a, b),
            FloatCC::Ogt => (FloatCC::Olt, b, a),
            FloatCC::Oge => (FloatCC::Ole, b, a),
            _ => return false,
        };
        let (a, b) = (self.s(a), self.s(b));
        self.op(match cc {
            FloatCC::Oeq => by_width!(w, CmpOeqF32, CmpOeqF64, { d, a, b }),
            FloatCC::Une => by_width!(w, CmpUneF32, CmpUneF64, { d, a, b }),
            FloatCC::Olt => by_width!(w, CmpOltF32, CmpOltF64, { d, a, b }),
            _ => by_width!(w, CmpOleF32, CmpOleF64, { d, a, b }),
        });
        true
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
        if narrow && is_signed(cc) {
            return false;
        }
        let (cc, a, b) = if !self.is_vector(a) { (cc.swapped(), b, a) } else { (cc, a, b) };
        let wide = ty.bits() == 64;
        use IntCC::*;
        if !self.is_vector(b) {
            let b = self.s(b);
            if wide {
                let a = self.w(a);
                self.op(match cc {
                    Eq => Op::WCmpEqVs { d, a, b },
                    Ne => Op::WCmpNeVs { d, a, b },
                    Slt => Op::WCmpSltVs { d, a, b },
                    Sle => Op::WCmpSleVs { d, a, b },
                    Sgt => Op::WCmpSgtVs { d, a, b },
                    Sge => Op::WCmpSgeVs { d, a, b },
                    Ult => Op::WCmpUltVs { d, a, b },
                    Ule => Op::WCmpUleVs { d, a, b },
                    Ugt => Op::WCmpUgtVs { d, a, b },
                    Uge => Op::WCmpUgeVs { d, a, b },
                });
            } else {
                let a = self.v(a);
                self.op(match cc {
                    Eq => Op::VCmpEqVs { d, a, b },
                    Ne => Op::VCmpNeVs { d, a, b },
                    Slt => Op::VCmpSltVs { d, a, b },
                    Sle => Op::VCmpSleVs { d, a, b },
                    Sgt => Op::VCmpSgtVs { d, a, b },
                    Sge => Op::VCmpSgeVs { d, a, b },
                    Ult => Op::VCmpUltVs { d, a, b },
                    Ule => Op::VCmpUleVs { d, a, b },
                    Ugt => Op::VCmpUgtVs { d, a, b },
                    Uge => Op::VCmpUgeVs { d, a, b },
                });
            }
            return true;
        }
        let (cc, a, b) = forward(cc, a, b);
        if wide {
            let (a, b) = (self.w(a), self.w(b));
            self.op(match cc {
                Eq => Op::WCmpEq { d, a, b },
                Ne => Op::WCmpNe { d, a, b },
                Slt => Op::WCmpSlt { d, a, b },
                Sle => Op::WCmpSle { d, a, b },
                Ult => Op::WCmpUlt { d, a, b },
                _ => Op::WCmpUle { d, a, b },
            });
        } else {
            let (a, b) = (self.v(a), self.v(b));
            self.op(match cc {
                Eq => Op::VCmpEq { d, a, b },
                Ne => Op::VCmpNe { d, a, b },
                Slt => Op::VCmpSlt { d, a, b },
                Sle => Op::VCmpSle { d, a, b },
                Ult => Op::VCmpUlt { d, a, b },
                _ => Op::VCmpUle { d, a, b },
            });
        }
        true
    }

    /// A floating comparison of which at least one operand is a vector.
    pub(super) fn vector_fcmp(&mut self, d: P, cc: FloatCC, a: Value, b: Value) -> bool {
        use FloatCC::*;
        let wide = match self.ty(a) {
            Type::F32 => false,
            Type::F64 => true,
            _ => return false,
        };
        let swapped = |cc| match cc {
            Olt => Ogt,
            Ole => Oge,
            Ogt => Olt,
            Oge => Ole,
            other => other,
        };
        if !matches!(cc, Oeq | Une | Olt | Ole | Ogt | Oge) {
            return false;
        }
        let (cc, a, b) = if !self.is_vector(a) { (swapped(cc), b, a) } else { (cc, a, b) };
        if !self.is_vector(b) {
            let b = self.s(b);
            if wide {
                let a = self.w(a);
                self.op(match cc {
                    Oeq => Op::WFcmpOeqVs { d, a, b },
                    Une => Op::WFcmpUneVs { d, a, b },
                    Olt => Op::WFcmpOltVs { d, a, b },
                    Ole => Op::WFcmpOleVs { d, a, b },
                    Ogt => Op::WFcmpOgtVs { d, a, b },
                    _ => Op::WFcmpOgeVs { d, a, b },
                });
            } else {
                let a = self.v(a);
                self.op(match cc {
                    Oeq => Op::VFcmpOeqVs { d, a, b },
                    Une => Op::VFcmpUneVs { d, a, b },
                    Olt => Op::VFcmpOltVs { d, a, b },
                    Ole => Op::VFcmpOleVs { d, a, b },
                    Ogt => Op::VFcmpOgtVs { d, a, b },
                    _ => Op::VFcmpOgeVs { d, a, b },
                });
            }
            return true;
        }
        let (cc, a, b) = if let Ogt | Oge = cc { (swapped(cc), b, a) } else { (cc, a, b) };
        if wide {
            let (a, b) = (self.w(a), self.w(b));
            self.op(match cc {
                Oeq => Op::WFcmpOeq { d, a, b },
                Une => Op::WFcmpUne { d, a, b },
                Olt => Op::WFcmpOlt { d, a, b },
                _ => Op::WFcmpOle { d, a, b },
            });
        } else {
            let (a, b) = (self.v(a), self.v(b));
            self.op(match cc {
                Oeq => Op::VFcmpOeq { d, a, b },
                Une => Op::VFcmpUne { d, a, b },
                Olt => Op::VFcmpOlt { d, a, b },
                _ => Op::VFcmpOle { d, a, b },
            });
        }
        true
    }
}

/// The comparison with operands exchanged where that makes it "less".
fn forward<T>(cc: IntCC, a: T, b: T) -> (IntCC, T, T) {
    match cc {
        IntCC::Sgt | IntCC::Sge | IntCC::Ugt | IntCC::Uge => (cc.swapped(), b, a),
        _ => (cc, a, b),
    }
}
