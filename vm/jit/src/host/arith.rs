//! Operations of the host that compute: what the bytecode's loop gives, or a side exit.

use super::abi::HostHelper;
use super::emit::Emitter;
use super::flow::Kind;
use super::ops;
use crate::Refusal;
use cranelift_codegen::ir::condcodes::{FloatCC as Fcc, IntCC as Cc};
use cranelift_codegen::ir::types as ct;
use cranelift_codegen::ir::{self as cl, InstBuilder};
use cudair_bytecode::{Ext, Op, S, families};

impl Emitter<'_, '_> {
    /// Writes an operation that does not end a block.
    pub(super) fn operation(&mut self, op: Op) -> Result<(), Refusal> {
        if let Some(access) = ops::access(op) {
            return self.access(access);
        }
        if ops::is_helped(op) {
            return self.help(op);
        }
        families! {
            match op {
                Op::Mov { d, a } => {
                    let kind = self.wanted(0);
                    let (object, x) = (self.object(a), self.word(a.0, kind));
                    let web = self.defined(0);
                    self.set(d, x, kind);
                    self.same_object(web, x, object);
                }
                Op::Mov2 { d, a } => {
                    let (x, y) = (self.word(a.0, Kind::Int), self.word(a.0 + 1, Kind::Int));
                    self.set_nth(0, d.0, x, Kind::Int);
                    self.set_nth(1, d.0 + 1, y, Kind::Int);
                }
                Op::Const { d, bits } => {
                    let x = self.b.ins().iconst(ct::I64, bits as i64);
                    let web = self.defined(0);
                    self.set(d, x, Kind::Int);
                    self.define_object(web, x);
                }
                Op::Select { d, c, a, b } => {
                    let kind = self.wanted(0);
                    let c = self.int(c);
                    let c = self.b.ins().band_imm_s(c, 1);
                    let objects = self.object(a).zip(self.object(b));
                    let (a, b) = (self.word(a.0, kind), self.word(b.0, kind));
                    let x = self.b.ins().select(c, a, b);
                    let object = objects.map(|(a, b)| self.b.ins().select(c, a, b));
                    let web = self.defined(0);
                    self.set(d, x, kind);
                    self.same_object(web, x, object);
                }
                @for (N op) in [(And band) (Or bor) (Xor bxor)] {
                    Op::N { d, a, b } => {
                        let (a, b) = (self.int(a), self.int(b));
                        let x = self.b.ins().op(a, b);
                        self.computed(d, x);
                    }
                    Op::N~I { d, a, imm } => {
                        let a = self.int(a);
                        let imm = self.b.ins().iconst(ct::I64, i64::from(imm));
                        let x = self.b.ins().op(a, imm);
                        self.computed(d, x);
                    }
                }
                @for (T int Bits) in [(I32 int32 32) (I64 int 64)] {
                    @for (N op) in [(Add iadd) (Sub isub) (Mul imul)] {
                        Op::N~T { d, a, b } => {
                            let (a, b) = (self.int(a), self.int(b));
                            let x = self.b.ins().op(a, b);
                            self.computed(d, x);
                        }
                    }
                    @for (N op) in [(Add sadd_overflow) (Sub ssub_overflow) (Mul smul_overflow)] {
                        Op::N~Nsw~T { d, a, b } => {
                            let (a, b) = (self.int(a), self.int(b));
                            let (x, over) = self.b.ins().op(a, b);
                            self.leave_if(over)?;
                            self.computed(d, x);
                        }
                    }
                    @for (N op) in [(Add iadd_imm_s) (Mul imul_imm_s)] {
                        Op::N~T~I { d, a, imm } => {
                            let a = self.int(a);
                            let x = self.b.ins().op(a, i64::from(imm));
                            self.computed(d, x);
                        }
                    }
                    Op::AddNsw~T~I { d, a, imm } => {
                        let a = self.int(a);
                        let x = self.b.ins().iadd_imm_s(a, i64::from(imm));
                        let wrong = if imm < 0 { Cc::SignedGreaterThan } else { Cc::SignedLessThan };
                        let over = self.b.ins().icmp(wrong, x, a);
                        self.leave_if(over)?;
                        self.computed(d, x);
                    }
                    Op::MulNsw~T~I { d, a, imm } => {
                        let a = self.int(a);
                        let imm = self.b.ins().iconst(ct::T, i64::from(imm));
                        let (x, over) = self.b.ins().smul_overflow(a, imm);
                        self.leave_if(over)?;
                        self.computed(d, x);
                    }
                    @for (N op) in [(Sdiv sdiv) (Srem srem)] {
                        Op::N~T { d, a, b } => {
                            let (a, b) = (self.int(a), self.int(b));
                            self.check_division(a, b)?;
                            let x = self.b.ins().op(a, b);
                            self.computed(d, x);
                        }
                    }
                    @for (N op) in [(Udiv udiv) (Urem urem)] {
                        Op::N~T { d, a, b } => {
                            let (a, b) = (self.int(a), self.int(b));
                            self.leave_unless(b)?;
                            let x = self.b.ins().op(a, b);
                            self.computed(d, x);
                        }
                    }
                    @for (N op) in [(Shl ishl) (Lshr ushr) (Ashr sshr)] {
                        Op::N~T { d, a, b } => {
                            let (a, by) = (self.int(a), self.word(b.0, Kind::Int));
                            let fine = self.b.ins().icmp_imm_s(Cc::UnsignedLessThan, by, Bits);
                            self.leave_unless(fine)?;
                            let x = self.b.ins().op(a, by);
                            self.computed(d, x);
                        }
                        Op::N~T~I { d, a, imm } => {
                            let a = self.int(a);
                            let by = self.b.ins().iconst(ct::I32, i64::from(imm));
                            let x = self.b.ins().op(a, by);
                            self.computed(d, x);
                        }
                    }
                    @for (N op) in [(Smin smin) (Smax smax) (Umin umin) (Umax umax)] {
                        Op::N~T { d, a, b } => {
                            let (a, b) = (self.int(a), self.int(b));
                            let x = self.b.ins().op(a, b);
                            self.computed(d, x);
                        }
                    }
                    Op::Neg~T { d, a } => {
                        let a = self.int(a);
                        let x = self.b.ins().ineg(a);
                        self.computed(d, x);
                    }
                    Op::NegNsw~T { d, a } => {
                        let a = self.int(a);
                        let least = self.b.ins().iconst(ct::T, T~_LEAST);
                        let over = self.b.ins().icmp(Cc::Equal, a, least);
                        self.leave_if(over)?;
                        let x = self.b.ins().ineg(a);
                        self.computed(d, x);
                    }
                    Op::Not~T { d, a } => {
                        let a = self.int(a);
                        let x = self.b.ins().bnot(a);
                        self.computed(d, x);
                    }
                    @for (N Cond) in [(Slt SignedLessThan) (Sle SignedLessThanOrEqual)] {
                        Op::Cmp~N~T { d, a, b } => {
                            let (a, b) = (self.int(a), self.int(b));
                            let c = self.b.ins().icmp(Cc::Cond, a, b);
                            self.set_flag(d, c);
                        }
                    }
                    @for (N Cond) in [
                        (Eq Equal) (Ne NotEqual)
                        (Slt SignedLessThan) (Sle SignedLessThanOrEqual)
                        (Sgt SignedGreaterThan) (Sge SignedGreaterThanOrEqual)
                        (Ult UnsignedLessThan) (Ule UnsignedLessThanOrEqual)
                        (Ugt UnsignedGreaterThan) (Uge UnsignedGreaterThanOrEqual)
                    ] {
                        Op::Cmp~N~T~I { d, a, imm } => {
                            let a = self.int(a);
                            let c = self.b.ins().icmp_imm_s(Cc::Cond, a, i64::from(imm));
                            self.set_flag(d, c);
                        }
                    }
                }
                @for (F T) in [(I8 I32) (I8 I64) (I16 I32) (I16 I64) (I32 I64)] {
                    Op::Sext~F~T { d, a } => {
                        let a = self.int(a);
                        let low = self.b.ins().ireduce(ct::F, a);
                        let x = self.b.ins().sextend(ct::T, low);
                        self.computed(d, x);
                    }
                }
                Op::TruncI32 { d, a } => {
                    let x = self.int32(a);
                    self.computed(d, x);
                }
                @for (N Cond) in [
                    (Eq Equal) (Ne NotEqual) (Ult UnsignedLessThan) (Ule UnsignedLessThanOrEqual)
                ] {
                    Op::Cmp~N { d, a, b } => {
                        let (a, b) = (self.int(a), self.int(b));
                        let c = self.b.ins().icmp(Cc::Cond, a, b);
                        self.set_flag(d, c);
                    }
                }
                @for (T to_int) in [(F32 float_to_int) (F64 double_to_int)] {
                    @for (N op) in [(Add fadd) (Sub fsub) (Mul fmul) (Div fdiv)] {
                        Op::N~T { d, a, b } => {
                            let (a, b) = (self.word(a.0, Kind::T), self.word(b.0, Kind::T));
                            let x = self.b.ins().op(a, b);
                            self.check_nans(x, a, b)?;
                            self.set(d, x, Kind::T);
                        }
                    }
                    @for (N op) in [(Neg fneg) (Abs fabs) (Sqrt sqrt)] {
                        Op::N~T { d, a } => {
                            let a = self.word(a.0, Kind::T);
                            let x = self.b.ins().op(a);
                            self.set(d, x, Kind::T);
                        }
                    }
                    @for (Int int) in [(I32 int32) (I64 int)] {
                        Op::Sitofp~Int~T { d, a } => {
                            let a = self.int(a);
                            let x = self.b.ins().fcvt_from_sint(ct::T, a);
                            self.set(d, x, Kind::T);
                        }
                        Op::Fptosi~T~Int { d, a } => {
                            let x = self.word(a.0, Kind::T);
                            let x = self.to_int(x, ct::Int)?;
                            self.computed(d, x);
                        }
                    }
                    Op::Uitofp~T { d, a } => {
                        let a = self.int(a);
                        let x = self.b.ins().fcvt_from_uint(ct::T, a);
                        self.set(d, x, Kind::T);
                    }
                    @for (N Cond) in [(Oeq Equal) (Une NotEqual) (Olt LessThan) (Ole LessThanOrEqual)] {
                        Op::Cmp~N~T { d, a, b } => {
                            let (a, b) = (self.word(a.0, Kind::T), self.word(b.0, Kind::T));
                            let c = self.b.ins().fcmp(Fcc::Cond, a, b);
                            self.set_flag(d, c);
                        }
                    }
                }
                Op::FpextF32F64 { d, a } => {
                    let a = self.word(a.0, Kind::F32);
                    let x = self.b.ins().fpromote(ct::F64, a);
                    self.set(d, x, Kind::F64);
                }
                Op::FptruncF64F32 { d, a } => {
                    let a = self.word(a.0, Kind::F64);
                    let x = self.b.ins().fdemote(ct::F32, a);
                    self.set(d, x, Kind::F32);
                }
                Op::PtrAdd { d, a, b } => {
                    let bytes = self.int(b);
                    self.moved_pointer(d, a, bytes)?;
                }
                Op::PtrAddI { d, a, imm } => {
                    let bytes = self.b.ins().iconst(ct::I64, i64::from(imm));
                    self.moved_pointer(d, a, bytes)?;
                }
                Op::PtrIdx { d, base, index, scale, disp, ext } => {
                    self.indexed_pointer((d, base), index, (scale, disp), ext)?;
                }
                Op::SlotAddr { d, slot } => {
                    let slot = self.b.ins().iconst(ct::I64, i64::from(slot.0));
                    let fine = self.helper(HostHelper::Address, &[slot]);
                    let _ = fine;
                    let x = self.given(0);
                    self.computed(d, x);
                }
                Op::GlobalAddr { d, global } => {
                    let x = self.b.ins().iconst(ct::I64, (self.program.globals)(global) as i64);
                    self.computed(d, x);
                }
                Op::PtrDiff { d, a, b } => {
                    let (a, b) = (self.int(a), self.int(b));
                    self.check_one_object(a, b)?;
                    let x = self.b.ins().isub(a, b);
                    self.computed(d, x);
                }
                Op::PtrCmp { d, a, b, cc } => {
                    let (a, b) = (self.int(a), self.int(b));
                    self.check_one_object(a, b)?;
                    let c = self.b.ins().icmp(condition(cc), a, b);
                    self.set_flag(d, c);
                }
                Op::Bounds { a, len } => {
                    let index = self.int(a);
                    let len = self.b.ins().iconst(ct::I64, i64::from(len));
                    let fine = self.b.ins().icmp(Cc::UnsignedLessThan, index, len);
                    self.leave_unless(fine)?;
                }
                // Nothing waits for its use while compiled code runs. The host has one thread at a time.
                Op::Join { .. } | Op::UseLate { .. } | Op::Fence { .. } => {}
                _ => return Err(Refusal("an operation that it does not do")),
            }
        }
        Ok(())
    }

    /// Writes an integer, which may be a pointer, of either width.
    fn computed(&mut self, d: S, x: cl::Value) {
        let web = self.defined(0);
        if self.b.func.dfg.value_type(x) == ct::I32 {
            self.set32(d, x);
        } else {
            self.set(d, x, Kind::Int);
        }
        if self.has_object(web) {
            let x = self.int(d);
            self.define_object(web, x);
        }
    }

    /// The divisor must not be 0, and the quotient must fit.
    fn check_division(&mut self, a: cl::Value, b: cl::Value) -> Result<(), Refusal> {
        self.leave_unless(b)?;
        let ty = self.b.func.dfg.value_type(a);
        let minus_one = self.b.ins().icmp_imm_s(Cc::Equal, b, -1);
        let least = self.b.ins().iconst(ty, if ty == ct::I32 { I32_LEAST } else { I64_LEAST });
        let is_least = self.b.ins().icmp(Cc::Equal, a, least);
        let over = self.b.ins().band(minus_one, is_least);
        self.leave_if(over)
    }

    /// Of two NaNs, which one the result is hangs on the order of operands in the machine's instruction: the bytecode's loop
    /// says.
    fn check_nans(&mut self, x: cl::Value, a: cl::Value, b: cl::Value) -> Result<(), Refusal> {
        if a == b || self.is_number(a) || self.is_number(b) {
            return Ok(());
        }
        let (nan, go_on) = (self.b.create_block(), self.b.create_block());
        self.b.set_cold_block(nan);
        let is = self.b.ins().fcmp(Fcc::Unordered, x, x);
        self.b.ins().brif(is, nan, &[], go_on, &[]);
        self.go(nan);
        // Not the comparison of above, whose result the compiler would keep for this.
        let a = self.b.ins().fcmp(Fcc::NotEqual, a, a);
        let b = self.b.ins().fcmp(Fcc::NotEqual, b, b);
        let both = self.b.ins().band(a, b);
        self.leave_if(both)?;
        self.b.ins().jump(go_on, &[]);
        self.go(go_on);
        Ok(())
    }

    /// Whether a value is known to be no NaN.
    fn is_number(&self, x: cl::Value) -> bool {
        let dfg = &self.b.func.dfg;
        let cl::ValueDef::Result(inst, _) = dfg.value_def(x) else { return false };
        match dfg.insts[inst] {
            cl::InstructionData::UnaryIeee32 { imm, .. } => !imm.as_f32().is_nan(),
            cl::InstructionData::UnaryIeee64 { imm, .. } => !imm.as_f64().is_nan(),
            cl::InstructionData::Unary { opcode, .. } => {
                matches!(opcode, cl::Opcode::FcvtFromSint | cl::Opcode::FcvtFromUint)
            }
            _ => false,
        }
    }

    fn float_to_int(&mut self, x: cl::Value, to: cl::Type) -> Result<cl::Value, Refusal> {
        let bound = if to == ct::I32 { 2f32.powi(31) } else { 2f32.powi(63) };
        let low = self.b.ins().f32const(-bound);
        let high = self.b.ins().f32const(bound);
        self.in_range(x, to, low, high)
    }

    fn double_to_int(&mut self, x: cl::Value, to: cl::Type) -> Result<cl::Value, Refusal> {
        let bound = if to == ct::I32 { 2f64.powi(31) } else { 2f64.powi(63) };
        let low = self.b.ins().f64const(-bound);
        let high = self.b.ins().f64const(bound);
        self.in_range(x, to, low, high)
    }

    /// A float as an integer, towards zero. Leaves where it may not fit.
    fn in_range(
        &mut self,
        x: cl::Value,
        to: cl::Type,
        low: cl::Value,
        high: cl::Value,
    ) -> Result<cl::Value, Refusal> {
        let above = self.b.ins().fcmp(Fcc::GreaterThan, x, low);
        self.leave_unless(above)?;
        let below = self.b.ins().fcmp(Fcc::LessThan, x, high);
        self.leave_unless(below)?;
        Ok(self.b.ins().fcvt_to_sint_sat(to, x))
    }

    /// Two pointers into one object.
    fn check_one_object(&mut self, a: cl::Value, b: cl::Value) -> Result<(), Refusal> {
        let differs = self.b.ins().bxor(a, b);
        let differs = self.b.ins().ushr_imm_u(differs, 32);
        self.leave_if(differs)
    }

    /// A pointer moved by bytes, in the range of its object.
    fn moved_pointer(&mut self, d: S, a: S, bytes: cl::Value) -> Result<(), Refusal> {
        let object = self.object(a);
        let a = self.int(a);
        let x = self.b.ins().iadd(a, bytes);
        self.check_one_object(a, x)?;
        let web = self.defined(0);
        self.set(d, x, Kind::Int);
        self.same_object(web, x, object);
        Ok(())
    }

    /// `base + index * scale + disp`.
    fn indexed_pointer(
        &mut self,
        (d, base): (S, S),
        index: S,
        (scale, disp): (u16, i32),
        ext: Ext,
    ) -> Result<(), Refusal> {
        let bytes = self.scaled(index, scale, ext)?;
        let bytes = self.b.ins().iadd_imm_s(bytes, i64::from(disp));
        self.moved_pointer(d, base, bytes)
    }
}

/// The least signed integers.
const I32_LEAST: i64 = i32::MIN as i64;
const I64_LEAST: i64 = i64::MIN;

/// An integer condition of the IR.
fn condition(cc: cudair_ir::IntCC) -> Cc {
    use cudair_ir::IntCC::*;
    match cc {
        Eq => Cc::Equal,
        Ne => Cc::NotEqual,
        Slt => Cc::SignedLessThan,
        Sle => Cc::SignedLessThanOrEqual,
        Sgt => Cc::SignedGreaterThan,
        Sge => Cc::SignedGreaterThanOrEqual,
        Ult => Cc::UnsignedLessThan,
        Ule => Cc::UnsignedLessThanOrEqual,
        Ugt => Cc::UnsignedGreaterThan,
        Uge => Cc::UnsignedGreaterThanOrEqual,
    }
}
