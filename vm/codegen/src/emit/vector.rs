//! Pure operations on vectors. Scalar operands stay scalars where the operation has a form for them.

use super::{Emitter, is_float_unary};
use cudair_bytecode::{Op, P, Reg, TypedReg, V, W};
use cudair_ir::{BinaryOp, Inst, InstData, TernaryOp, Type, UnaryOp, Value};

/// Which operands are vectors.
#[derive(Clone, Copy)]
enum Form {
    /// Both.
    Vv,
    /// The left one.
    Vs,
    /// The right one.
    Sv,
}

/// Builds one of the forms of a binary operation. `$get` gives the operand as a vector.
macro_rules! forms {
    ($e:ident, $form:ident, $get:ident, $d:ident, $a:ident, $b:ident, $vv:ident $vs:ident $sv:ident) => {
        match $form {
            Form::Vv => Op::$vv { d: $d, a: $e.$get($a), b: $e.$get($b) },
            Form::Vs => Op::$vs { d: $d, a: $e.$get($a), b: $e.s($b) },
            Form::Sv => Op::$sv { d: $d, a: $e.s($a), b: $e.$get($b) },
        }
    };
    // Commutative: the scalar stands on the right already.
    ($e:ident, $form:ident, $get:ident, $d:ident, $a:ident, $b:ident, $vv:ident $vs:ident) => {
        match $form {
            Form::Vs => Op::$vs { d: $d, a: $e.$get($a), b: $e.s($b) },
            Form::Vv | Form::Sv => Op::$vv { d: $d, a: $e.$get($a), b: $e.$get($b) },
        }
    };
}

/// Builds the selection of the operands' forms.
macro_rules! select_forms {
    ($e:ident, $get:ident, $d:ident, $c:ident, $a:ident, $b:ident, $vv:ident $vs:ident $sv:ident $ss:ident) => {
        match ($e.is_vector($a), $e.is_vector($b)) {
            (true, true) => Op::$vv { d: $d, c: $c, a: $e.$get($a), b: $e.$get($b) },
            (true, false) => Op::$vs { d: $d, c: $c, a: $e.$get($a), b: $e.s($b) },
            (false, true) => Op::$sv { d: $d, c: $c, a: $e.s($a), b: $e.$get($b) },
            (false, false) => Op::$ss { d: $d, c: $c, a: $e.s($a), b: $e.s($b) },
        }
    };
}

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
            (r, &InstData::Ternary { op: TernaryOp::Select, args }) => self.vector_select(r, args),
            (r, &InstData::Ternary { op: TernaryOp::Fma, args }) => self.vector_fma(r, args),
            (Reg::W(d), &InstData::PtrDiff { args: [a, b] }) => {
                self.pointer_pair(a, b, false);
                let (form, a, b) = self.form(false, a, b);
                let op = forms!(self, form, w, d, a, b, WSub WSubVs WSubSv);
                self.op(op);
                true
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
            self.code.regs.push(reg)
        });
        self.op(Op::PtrPair { a, b, order: is_order.into() });
    }

    fn form(&self, commutative: bool, a: Value, b: Value) -> (Form, Value, Value) {
        match (self.is_vector(a), self.is_vector(b)) {
            (true, true) => (Form::Vv, a, b),
            (true, false) => (Form::Vs, a, b),
            (false, true) if commutative => (Form::Vs, b, a),
            _ => (Form::Sv, a, b),
        }
    }

    fn vector_binary(&mut self, d: Reg, ty: Type, op: BinaryOp, nsw: bool, a: Value, b: Value) -> bool {
        use BinaryOp::*;
        if nsw && op == Shl {
            return false;
        }
        let (form, a, b) = self.form(op.is_commutative() || matches!(op, Fmin | Fmax), a, b);
        match (d, ty) {
            (Reg::P(d), _) => self.predicate_binary(d, op, a, b),
            (Reg::V(d), Type::I32) => self.binary_v(d, form, op, nsw, a, b),
            (Reg::V(d), Type::I8 | Type::I16) if matches!(op, And | Or | Xor | Umin | Umax | Udiv | Urem) => {
                self.binary_v(d, form, op, nsw, a, b)
            }
            (Reg::W(d), Type::I64) => self.binary_w(d, form, op, nsw, a, b),
            (Reg::V(d), Type::F32) => {
                let op = match op {
                    Fadd => forms!(self, form, v, d, a, b, VFadd VFaddVs),
                    Fsub => forms!(self, form, v, d, a, b, VFsub VFsubVs VFsubSv),
                    Fmul => forms!(self, form, v, d, a, b, VFmul VFmulVs),
                    Fdiv => forms!(self, form, v, d, a, b, VFdiv VFdivVs VFdivSv),
                    Fmin => forms!(self, form, v, d, a, b, VFmin VFminVs),
                    Fmax => forms!(self, form, v, d, a, b, VFmax VFmaxVs),
                    _ => return false,
                };
                self.op(op);
                true
            }
            (Reg::W(d), Type::F64) => {
                let op = match op {
                    Fadd => forms!(self, form, w, d, a, b, WFadd WFaddVs),
                    Fsub => forms!(self, form, w, d, a, b, WFsub WFsubVs WFsubSv),
                    Fmul => forms!(self, form, w, d, a, b, WFmul WFmulVs),
                    Fdiv => forms!(self, form, w, d, a, b, WFdiv WFdivVs WFdivSv),
                    Fmin => forms!(self, form, w, d, a, b, WFmin WFminVs),
                    Fmax => forms!(self, form, w, d, a, b, WFmax WFmaxVs),
                    _ => return false,
                };
                self.op(op);
                true
            }
            _ => false,
        }
    }

    fn binary_v(&mut self, d: V, form: Form, op: BinaryOp, nsw: bool, a: Value, b: Value) -> bool {
        use BinaryOp::*;
        let op = match (op, nsw) {
            (Iadd, false) => forms!(self, form, v, d, a, b, VAdd VAddVs),
            (Iadd, true) => forms!(self, form, v, d, a, b, VAddNsw VAddNswVs),
            (Isub, false) => forms!(self, form, v, d, a, b, VSub VSubVs VSubSv),
            (Isub, true) => forms!(self, form, v, d, a, b, VSubNsw VSubNswVs VSubNswSv),
            (Imul, false) => forms!(self, form, v, d, a, b, VMul VMulVs),
            (Imul, true) => forms!(self, form, v, d, a, b, VMulNsw VMulNswVs),
            (And, _) => forms!(self, form, v, d, a, b, VAnd VAndVs),
            (Or, _) => forms!(self, form, v, d, a, b, VOr VOrVs),
            (Xor, _) => forms!(self, form, v, d, a, b, VXor VXorVs),
            (Shl, _) => forms!(self, form, v, d, a, b, VShl VShlVs VShlSv),
            (Lshr, _) => forms!(self, form, v, d, a, b, VLshr VLshrVs VLshrSv),
            (Ashr, _) => forms!(self, form, v, d, a, b, VAshr VAshrVs VAshrSv),
            (Smin, _) => forms!(self, form, v, d, a, b, VSmin VSminVs),
            (Smax, _) => forms!(self, form, v, d, a, b, VSmax VSmaxVs),
            (Umin, _) => forms!(self, form, v, d, a, b, VUmin VUminVs),
            (Umax, _) => forms!(self, form, v, d, a, b, VUmax VUmaxVs),
            (Sdiv, _) => forms!(self, form, v, d, a, b, VSdiv VSdivVs VSdivSv),
            (Udiv, _) => forms!(self, form, v, d, a, b, VUdiv VUdivVs VUdivSv),
            (Srem, _) => forms!(self, form, v, d, a, b, VSrem VSremVs VSremSv),
            (Urem, _) => forms!(self, form, v, d, a, b, VUrem VUremVs VUremSv),
            _ => return false,
        };
        self.op(op);
        true
    }

    fn binary_w(&mut self, d: W, form: Form, op: BinaryOp, nsw: bool, a: Value, b: Value) -> bool {
        use BinaryOp::*;
        let op = match (op, nsw) {
            (Iadd, false) => forms!(self, form, w, d, a, b, WAdd WAddVs),
            (Iadd, true) => forms!(self, form, w, d, a, b, WAddNsw WAddNswVs),
            (Isub, false) => forms!(self, form, w, d, a, b, WSub WSubVs WSubSv),
            (Isub, true) => forms!(self, form, w, d, a, b, WSubNsw WSubNswVs WSubNswSv),
            (Imul, false) => forms!(self, form, w, d, a, b, WMul WMulVs),
            (Imul, true) => forms!(self, form, w, d, a, b, WMulNsw WMulNswVs),
            (And, _) => forms!(self, form, w, d, a, b, WAnd WAndVs),
            (Or, _) => forms!(self, form, w, d, a, b, WOr WOrVs),
            (Xor, _) => forms!(self, form, w, d, a, b, WXor WXorVs),
            (Shl, _) => forms!(self, form, w, d, a, b, WShl WShlVs WShlSv),
            (Lshr, _) => forms!(self, form, w, d, a, b, WLshr WLshrVs WLshrSv),
            (Ashr, _) => forms!(self, form, w, d, a, b, WAshr WAshrVs WAshrSv),
            (Smin, _) => forms!(self, form, w, d, a, b, WSmin WSminVs),
            (Smax, _) => forms!(self, form, w, d, a, b, WSmax WSmaxVs),
            (Umin, _) => forms!(self, form, w, d, a, b, WUmin WUminVs),
            (Umax, _) => forms!(self, form, w, d, a, b, WUmax WUmaxVs),
            (Sdiv, _) => forms!(self, form, w, d, a, b, WSdiv WSdivVs WSdivSv),
            (Udiv, _) => forms!(self, form, w, d, a, b, WUdiv WUdivVs WUdivSv),
            (Srem, _) => forms!(self, form, w, d, a, b, WSrem WSremVs WSremSv),
            (Urem, _) => forms!(self, form, w, d, a, b, WUrem WUremVs WUremSv),
            _ => return false,
        };
        self.op(op);
        true
    }

    fn predicate_binary(&mut self, d: P, op: BinaryOp, a: Value, b: Value) -> bool {
        let (a, b) = (self.p(a), self.p(b));
        self.op(match op {
            BinaryOp::And => Op::PAnd { d, a, b },
            BinaryOp::Or => Op::POr { d, a, b },
            BinaryOp::Xor => Op::PXor { d, a, b },
            _ => return false,
        });
        true
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
            (_, Reg::V(d), Reg::V(a)) if ty == Type::F32 && is_float_unary(op) => self.op(match op {
                Fneg => Op::VFneg { d, a },
                Fabs => Op::VFabs { d, a },
                Fsqrt => Op::VFsqrt { d, a },
                Ffloor => Op::VFfloor { d, a },
                Fceil => Op::VFceil { d, a },
                Ftrunc => Op::VFtrunc { d, a },
                _ => Op::VFnearest { d, a },
            }),
            (_, Reg::W(d), Reg::W(a)) if ty == Type::F64 && is_float_unary(op) => self.op(match op {
                Fneg => Op::WFneg { d, a },
                Fabs => Op::WFabs { d, a },
                Fsqrt => Op::WFsqrt { d, a },
                Ffloor => Op::WFfloor { d, a },
                Fceil => Op::WFceil { d, a },
                Ftrunc => Op::WFtrunc { d, a },
                _ => Op::WFnearest { d, a },
            }),
            _ => return false,
        }
        true
    }

    /// A selection from a result of arithmetic, whose bits count from here on, and something else.
    fn select_canonical(&mut self, d: V, [c, a, b]: [Value; 3]) -> bool {
        let c = self.p(c);
        let op = match (self.seen(a), self.seen(b)) {
            (Reg::V(a), Reg::V(b)) => Op::VSel { d, c, a, b },
            (Reg::V(a), Reg::S(b)) => Op::VSelVs { d, c, a, b },
            (Reg::S(a), Reg::V(b)) => Op::VSelSv { d, c, a, b },
            (Reg::S(a), Reg::S(b)) => Op::VSelSs { d, c, a, b },
            _ => return false,
        };
        self.op(op);
        true
    }

    fn vector_select(&mut self, d: Reg, [c, a, b]: [Value; 3]) -> bool {
        match d {
            Reg::V(d) => {
                let c = self.p(c);
                let op = select_forms!(self, v, d, c, a, b, VSel VSelVs VSelSv VSelSs);
                self.op(op);
            }
            Reg::W(d) => {
                let c = self.p(c);
                let op = select_forms!(self, w, d, c, a, b, WSel WSelVs WSelSv WSelSs);
                self.op(op);
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
        let (a, b) = if self.is_vector(a) { (a, b) } else { (b, a) };
        match (d, self.ty(a)) {
            (Reg::V(d), Type::F32) => {
                let op = match (self.is_vector(b), self.is_vector(c)) {
                    (false, _) => Op::VFfmaVsv { d, a: self.v(a), b: self.s(b), c: self.v(c) },
                    (true, false) => Op::VFfmaVvs { d, a: self.v(a), b: self.v(b), c: self.s(c) },
                    (true, true) => Op::VFfma { d, a: self.v(a), b: self.v(b), c: self.v(c) },
                };
                self.op(op);
            }
            (Reg::W(d), Type::F64) => {
                let op = match (self.is_vector(b), self.is_vector(c)) {
                    (false, _) => Op::WFfmaVsv { d, a: self.w(a), b: self.s(b), c: self.w(c) },
                    (true, false) => Op::WFfmaVvs { d, a: self.w(a), b: self.w(b), c: self.s(c) },
                    (true, true) => Op::WFfma { d, a: self.w(a), b: self.w(b), c: self.w(c) },
                };
                self.op(op);
            }
            _ => return false,
        }
        true
    }
}
