//! Instructions that compute: what the bytecode's kernels give, and a way out for what is undefined.

use crate::Refusal;
use crate::abi::{Bail, Frame, View};
use crate::classes::Class;
use crate::emit::{Emitter, register};
use crate::plan::{From, Root};
use crate::vector::WIDTH;
use cranelift_codegen::ir::condcodes::{FloatCC as Fcc, IntCC as Cc};
use cranelift_codegen::ir::types as ct;
use cranelift_codegen::ir::{self as cl, InstBuilder, MemFlagsData as MemFlags};
use cudair_ir::*;
use std::mem::offset_of;

impl Emitter<'_, '_> {
    /// An instruction that neither ends a block nor synchronises.
    pub(crate) fn inst(&mut self, inst: Inst) -> Result<(), Refusal> {
        if let Some(&to) = self.given.plan.copies.get(&inst)
            && self.copy(inst, to)?
        {
            return Ok(());
        }
        self.plain_inst(inst)
    }

    /// The same, where it is no copy.
    pub(crate) fn plain_inst(&mut self, inst: Inst) -> Result<(), Refusal> {
        if let Some(v) = self.given.func.result(inst)
            && self.class(v) == Class::Strided
        {
            return self.strided(inst, v);
        }
        if self.given.plan.gives_up(&self.given.func.insts[inst]) {
            return self.give_up_at_call(inst);
        }
        if let InstData::Lifetime { op, slot } = self.given.func.insts[inst] {
            return self.lifetime(op, slot);
        }
        if self.is_for_many(inst) {
            return self.vector_inst(inst);
        }
        match (self.compute(inst)?, self.given.func.result(inst)) {
            (Some(x), Some(v)) => self.define(v, x),
            _ => Ok(()),
        }
    }

    /// The result of an instruction for one lane, if it has one.
    pub(crate) fn compute(&mut self, inst: Inst) -> Result<Option<cl::Value>, Refusal> {
        let func = self.given.func;
        let data = &func.insts[inst];
        let x = match *data {
            InstData::Const { ty, bits } => self.constant(ty, bits)?,
            InstData::Special { reg } => self.special(reg)?,
            InstData::GlobalAddr { .. } | InstData::SlotAddr { .. } => self.b.ins().iconst(ct::I64, 0),
            InstData::Unary { op, nsw, arg } => self.unary(op, nsw, arg)?,
            InstData::Binary { op, nsw, args } => {
                let x = self.binary(op, nsw, args)?;
                self.note_last(inst, x)?;
                x
            }
            InstData::Cast { op, ty, arg } => self.cast(inst, op, ty, arg)?,
            InstData::Icmp { cc, args } => self.icmp(cc, args)?,
            InstData::Fcmp { cc, args: [a, b] } => {
                let (a, b) = (self.value(a)?, self.value(b)?);
                self.fcmp(cc, a, b)
            }
            InstData::Ternary { op, args } => self.ternary(inst, op, args)?,
            InstData::PtrAdd { ptr, offset } => self.ptradd(inst, ptr, offset)?,
            InstData::PtrDiff { args: [a, b] } => self.ptrdiff(a, b)?,
            InstData::Load { ty, flags, ptr, .. } => self.load(ty, flags, ptr)?,
            InstData::Store { value, flags, ptr, .. } => {
                self.store(flags, value, ptr)?;
                return Ok(None);
            }
            InstData::AtomicRmw { op, ptr, value, .. } => {
                let old = self.update(op, ptr, value)?;
                self.uses_order(inst);
                old
            }
            InstData::AtomicCas { ptr, expected, new, .. } => {
                let old = self.compare_and_swap(ptr, expected, new)?;
                self.uses_order(inst);
                old
            }
            InstData::Bounds { index, len } => {
                self.bounds(index, len)?;
                return Ok(None);
            }
            InstData::Shfl { mode, value, lane, width, .. } => self.shuffle(mode, value, lane, width)?,
            InstData::Vote { mode, .. } => self.vote(mode),
            InstData::Reduce { op, .. } => self.reduce(op),
            InstData::WarpSync { .. } => return Ok(None),
            // It orders nothing that the order of lanes does not: what it could let pass is a suspicion here.
            InstData::Fence { .. } => return Ok(None),
            InstData::Call { func: callee, args, .. } => {
                self.math(callee, args.as_slice(&func.pool), func.result(inst))?
            }
            _ => return Err(Refusal("an instruction that it does not do")),
        };
        Ok(Some(x))
    }

    fn constant(&mut self, ty: Type, bits: u128) -> Result<cl::Value, Refusal> {
        Ok(match ty {
            Type::F32 => self.b.ins().f32const(cl::immediates::Ieee32::with_bits(bits as u32)),
            Type::F64 => self.b.ins().f64const(cl::immediates::Ieee64::with_bits(bits as u64)),
            _ => {
                let reg = register(ty)?;
                // The upper bits of an immediate are zero.
                self.b.ins().iconst(reg, (bits as u64 & (u64::MAX >> (64 - reg.bits()))) as i64)
            }
        })
    }

    fn special(&mut self, reg: SpecialReg) -> Result<cl::Value, Refusal> {
        use SpecialReg::*;
        let dims = self.given.promises.shape.block_dim;
        let block = |n: usize| offset_of!(Frame, block) + 4 * n;
        let grid = |n: usize| offset_of!(Frame, grid) + 4 * n;
        Ok(match reg {
            TidX => self.thread(0),
            TidY => self.thread(1),
            TidZ => self.thread(2),
            CtaidX => self.fixed_field(ct::I32, block(0)),
            CtaidY => self.fixed_field(ct::I32, block(1)),
            CtaidZ => self.fixed_field(ct::I32, block(2)),
            NtidX => self.b.ins().iconst(ct::I32, i64::from(dims[0])),
            NtidY => self.b.ins().iconst(ct::I32, i64::from(dims[1])),
            NtidZ => self.b.ins().iconst(ct::I32, i64::from(dims[2])),
            NctaidX => self.fixed_field(ct::I32, grid(0)),
            NctaidY => self.fixed_field(ct::I32, grid(1)),
            NctaidZ => self.fixed_field(ct::I32, grid(2)),
            Laneid => self.b.ins().band_imm_s(self.lane, 31),
            Warpid => self.b.ins().ushr_imm_s(self.lane, 5),
            Warpsize => self.b.ins().iconst(ct::I32, 32),
            DynSmemSize => self.fixed_field(ct::I32, offset_of!(Frame, dynamic_shared)),
            _ => return Err(Refusal("an unusual special register")),
        })
    }

    /// A value whose bits are seen: with the device's NaN of binary32, where it may be another.
    pub(crate) fn seen(&mut self, v: Value) -> Result<cl::Value, Refusal> {
        let x = self.value(v)?;
        Ok(if self.given.computed[v] { self.device_nan(x) } else { x })
    }

    /// The device's NaN of binary32 in place of any.
    pub(crate) fn device_nan(&mut self, x: cl::Value) -> cl::Value {
        let nan = self.b.ins().f32const(cl::immediates::Ieee32::with_bits(0x7fff_ffff));
        let is = self.b.ins().fcmp(Fcc::Unordered, x, x);
        self.b.ins().select(is, nan, x)
    }

    /// Notes that a signed operation has overflowed where the sign of a word of the operation's width is set.
    fn note_sign(&mut self, x: cl::Value) {
        let wide = match self.b.func.dfg.value_type(x) {
            ct::I64 => x,
            _ => self.b.ins().sextend(ct::I64, x),
        };
        let before = self.b.use_var(self.signs);
        let both = self.b.ins().bor(before, wide);
        self.b.def_var(self.signs, both);
    }

    /// Notes that a signed operation has overflowed where any bit of a word is set.
    fn note_bits(&mut self, x: cl::Value) {
        let before = self.b.use_var(self.bits);
        let both = self.b.ins().bor(before, x);
        self.b.def_var(self.bits, both);
    }

    /// Whether a signed sum or difference has overflowed, in the sign, of numbers or of vectors: its sign differs from both operands'
    /// (of a difference, from the left one's, where the operands' differ).
    pub(crate) fn sum_overflows(&mut self, op: BinaryOp, [x, y]: [cl::Value; 2], s: cl::Value) -> cl::Value {
        let left = self.b.ins().bxor(x, s);
        let right = if op == BinaryOp::Iadd { self.b.ins().bxor(y, s) } else { self.b.ins().bxor(x, y) };
        self.b.ins().band(left, right)
    }

    /// Notes whether a signed sum or difference has overflowed.
    pub(crate) fn note_sum(&mut self, op: BinaryOp, args: [cl::Value; 2], s: cl::Value) {
        let over = self.sum_overflows(op, args, s);
        self.note_sign(over);
    }

    /// Notes whether a signed product of 32 or 64 bits has overflowed.
    pub(crate) fn note_product(&mut self, [x, y]: [cl::Value; 2], p: cl::Value) {
        if self.b.func.dfg.value_type(p) == ct::I64 {
            let high = self.b.ins().smulhi(x, y);
            let sign = self.b.ins().sshr_imm_s(p, 63);
            let differ = self.b.ins().bxor(high, sign);
            return self.note_bits(differ);
        }
        let (wx, wy) = (self.b.ins().sextend(ct::I64, x), self.b.ins().sextend(ct::I64, y));
        let wide = self.b.ins().imul(wx, wy);
        let back = self.b.ins().sextend(ct::I64, p);
        let differ = self.b.ins().bxor(wide, back);
        self.note_bits(differ);
    }

    fn unary(&mut self, op: UnaryOp, nsw: bool, arg: Value) -> Result<cl::Value, Refusal> {
        use UnaryOp::*;
        let (ty, x) = (self.ty(arg), self.value(arg)?);
        let b = &mut self.b;
        Ok(match op {
            Ineg => {
                let y = b.ins().ineg(x);
                if nsw {
                    // Only of the smallest integer both have the sign.
                    let both = b.ins().band(x, y);
                    self.note_sign(both);
                }
                y
            }
            Inot if ty == Type::I1 => b.ins().bxor_imm_s(x, 1),
            Inot => b.ins().bnot(x),
            Fneg => b.ins().fneg(x),
            Fabs => b.ins().fabs(x),
            Fsqrt => b.ins().sqrt(x),
            Ffloor => b.ins().floor(x),
            Fceil => b.ins().ceil(x),
            Ftrunc => b.ins().trunc(x),
            Fnearest => b.ins().nearest(x),
            Popcnt | Clz | Ctz | Bitrev if ty == Type::I1 => {
                return Err(Refusal("bits of a condition are counted"));
            }
            Popcnt => b.ins().popcnt(x),
            Clz => b.ins().clz(x),
            Ctz => b.ins().ctz(x),
            Bitrev => b.ins().bitrev(x),
            Bswap if matches!(ty, Type::I16 | Type::I32 | Type::I64) => b.ins().bswap(x),
            Bswap => return Err(Refusal("the bytes of an unusual type are reversed")),
        })
    }

    /// Whether the ranges of the operands prove that an operation does not overflow as a signed one.
    pub(crate) fn is_within(&self, op: BinaryOp, args: [Value; 2]) -> bool {
        self.given.is_within(self.block, op, args)
    }

    fn binary(&mut self, op: BinaryOp, nsw: bool, args: [Value; 2]) -> Result<cl::Value, Refusal> {
        use BinaryOp::*;
        let ty = self.ty(args[0]);
        if op == Fcopysign {
            let (x, y) = (self.seen(args[0])?, self.seen(args[1])?);
            return Ok(self.b.ins().fcopysign(x, y));
        }
        let (x, y) = (self.value(args[0])?, self.value(args[1])?);
        let nsw = nsw && !self.is_within(op, args);
        if ty == Type::I1 && !matches!(op, And | Or | Xor) {
            return Err(Refusal("arithmetic on conditions"));
        }
        Ok(match op {
            Iadd | Isub => {
                let s = if op == Iadd { self.b.ins().iadd(x, y) } else { self.b.ins().isub(x, y) };
                if nsw {
                    self.note_sum(op, [x, y], s);
                }
                s
            }
            Imul => {
                let p = self.b.ins().imul(x, y);
                if nsw {
                    match ty {
                        Type::I32 | Type::I64 => self.note_product([x, y], p),
                        _ => return Err(Refusal("a signed product of an unusual type")),
                    }
                }
                p
            }
            Smulhi | Umulhi if matches!(ty, Type::I32 | Type::I64) => {
                if op == Smulhi {
                    self.b.ins().smulhi(x, y)
                } else {
                    self.b.ins().umulhi(x, y)
                }
            }
            Smulhi | Umulhi => return Err(Refusal("the high half of an unusual product")),
            Sdiv | Udiv | Srem | Urem => {
                self.divisor(op, ty, args, (x, y))?;
                match op {
                    Sdiv => self.b.ins().sdiv(x, y),
                    Udiv => self.b.ins().udiv(x, y),
                    Srem => self.b.ins().srem(x, y),
                    _ => self.b.ins().urem(x, y),
                }
            }
            And => self.b.ins().band(x, y),
            Or => self.b.ins().bor(x, y),
            Xor => self.b.ins().bxor(x, y),
            Shl | Lshr | Ashr => {
                let (low, high) = self.given.ranges.at(args[1], self.block);
                if low < 0 || high >= i128::from(ty.bits()) {
                    let fine = self.b.ins().icmp_imm_s(Cc::UnsignedLessThan, y, i64::from(ty.bits()));
                    self.require(fine, Bail::Shift);
                }
                match op {
                    Shl => {
                        let s = self.b.ins().ishl(x, y);
                        if nsw {
                            // A negative number is not shifted to the left.
                            let back = self.b.ins().sshr(s, y);
                            let same = self.b.ins().icmp(Cc::Equal, back, x);
                            let natural = self.b.ins().icmp_imm_s(Cc::SignedGreaterThanOrEqual, x, 0);
                            let fine = self.b.ins().band(same, natural);
                            self.require(fine, Bail::Overflow);
                        }
                        s
                    }
                    Lshr => self.b.ins().ushr(x, y),
                    _ => self.b.ins().sshr(x, y),
                }
            }
            Rotl => self.b.ins().rotl(x, y),
            Smin => self.b.ins().smin(x, y),
            Smax => self.b.ins().smax(x, y),
            Umin => self.b.ins().umin(x, y),
            Umax => self.b.ins().umax(x, y),
            Fadd => {
                let x = self.in_register(x);
                self.b.ins().fadd(x, y)
            }
            Fsub => self.b.ins().fsub(x, y),
            Fmul => {
                let x = self.in_register(x);
                self.b.ins().fmul(x, y)
            }
            Fdiv => self.b.ins().fdiv(x, y),
            Frem => return Err(Refusal("a floating remainder")),
            Fmin | Fmax => {
                // A NaN loses against a number.
                let least = if op == Fmin { self.b.ins().fmin(x, y) } else { self.b.ins().fmax(x, y) };
                let (xn, yn) =
                    (self.b.ins().fcmp(Fcc::Unordered, x, x), self.b.ins().fcmp(Fcc::Unordered, y, y));
                let r = self.b.ins().select(xn, y, least);
                self.b.ins().select(yn, x, r)
            }
            Fcopysign => return Err(Refusal("an instruction that it does not do")),
        })
    }

    /// Gives up where a division is not defined.
    fn divisor(
        &mut self,
        op: BinaryOp,
        ty: Type,
        args: [Value; 2],
        (x, y): (cl::Value, cl::Value),
    ) -> Result<(), Refusal> {
        let (low, high) = self.given.ranges.at(args[1], self.block);
        if low <= 0 && high >= 0 {
            let fine = self.b.ins().icmp_imm_s(Cc::NotEqual, y, 0);
            self.require(fine, Bail::Division);
        }
        let signed = matches!(op, BinaryOp::Sdiv | BinaryOp::Srem);
        if signed && low <= -1 && high >= -1 {
            let shift = 64 - ty.bits();
            let least = self.b.ins().icmp_imm_s(Cc::NotEqual, x, i64::MIN >> shift);
            let other = self.b.ins().icmp_imm_s(Cc::NotEqual, y, -1);
            let fine = self.b.ins().bor(least, other);
            self.require(fine, Bail::Division);
        }
        Ok(())
    }

    fn cast(&mut self, inst: Inst, op: CastOp, to: Type, arg: Value) -> Result<cl::Value, Refusal> {
        use CastOp::*;
        let from = self.ty(arg);
        let reg = register(to)?;
        let x = match op {
            Bitcast | Fpext => self.seen(arg)?,
            Ptrtoint => return self.full(arg),
            _ => self.value(arg)?,
        };
        Ok(match op {
            Trunc if to == Type::I1 => {
                let low = if from.bits() > 8 { self.b.ins().ireduce(ct::I8, x) } else { x };
                self.b.ins().band_imm_s(low, 1)
            }
            Trunc if from == to => x,
            Trunc => self.b.ins().ireduce(reg, x),
            Zext if self.b.func.dfg.value_type(x) == reg => x,
            Zext => self.b.ins().uextend(reg, x),
            Sext if from == Type::I1 => {
                let wide = if reg == ct::I8 { x } else { self.b.ins().uextend(reg, x) };
                self.b.ins().ineg(wide)
            }
            Sext if from == to => x,
            Sext => self.b.ins().sextend(reg, x),
            Fptrunc => self.b.ins().fdemote(reg, x),
            Fpext => self.b.ins().fpromote(reg, x),
            Fpconv => return Err(Refusal("a conversion between halves")),
            Fptosi | Fptoui => {
                // What is narrow is cut from a word.
                let (to, narrow) = match to {
                    Type::I16 | Type::I8 => (Type::I32, Some(reg)),
                    Type::I32 | Type::I64 => (to, None),
                    _ => return Err(Refusal("a floating value becomes an unusual integer")),
                };
                let reg = register(to)?;
                let whole = if op == Fptosi {
                    self.b.ins().fcvt_to_sint_sat(reg, x)
                } else {
                    self.b.ins().fcvt_to_uint_sat(reg, x)
                };
                // The instruction gives 0 for what is no number, as a device does from binary32 to 32 bits alone.
                let whole = if from == Type::F64 || to == Type::I64 {
                    let is_nan = self.b.ins().fcmp(Fcc::Unordered, x, x);
                    let upper = self.b.ins().iconst(reg, i64::MIN >> (64 - to.bits()));
                    self.b.ins().select(is_nan, upper, whole)
                } else {
                    whole
                };
                narrow.map_or(whole, |narrow| self.b.ins().ireduce(narrow, whole))
            }
            Sitofp | Uitofp => {
                let wide = match (from, op) {
                    (Type::I1, Sitofp) => return Err(Refusal("a signed condition becomes a floating value")),
                    (Type::I1 | Type::I8 | Type::I16, Uitofp) => self.b.ins().uextend(ct::I32, x),
                    (Type::I8 | Type::I16, _) => self.b.ins().sextend(ct::I32, x),
                    _ => x,
                };
                if op == Sitofp {
                    self.b.ins().fcvt_from_sint(reg, wide)
                } else {
                    self.b.ins().fcvt_from_uint(reg, wide)
                }
            }
            Bitcast if self.b.func.dfg.value_type(x) == reg => x,
            Bitcast => self.b.ins().bitcast(reg, MemFlags::new(), x),
            Inttoptr => x,
            Spacecast => {
                let result = self.given.func.result(inst).ok_or(Refusal("a conversion has no result"))?;
                self.rooted(x, arg, result)?
            }
            Ptrtoint => return Err(Refusal("an instruction that it does not do")),
        })
    }

    /// The first operand of a sum or a product, which is not to come from memory: Cranelift would make it the second one there, whose
    /// NaN is the result only if the first is a number. Of binary32 all NaNs are the device's where they are seen.
    pub(crate) fn in_register(&mut self, x: cl::Value) -> cl::Value {
        let is_load = matches!(
            self.b.func.dfg.value_def(x),
            cl::ValueDef::Result(inst, 0) if self.b.func.dfg.insts[inst].opcode() == cl::Opcode::Load
        );
        match self.b.func.dfg.value_type(x) {
            ct::F64 if is_load => {
                let both = self.b.ins().scalar_to_vector(ct::F64X2, x);
                self.b.ins().extractlane(both, 0)
            }
            ct::F64X2 if is_load => {
                let bits = self.cast_vector(ct::I64X2, x);
                self.cast_vector(ct::F64X2, bits)
            }
            _ => x,
        }
    }

    /// Results of operations, numbers or vectors, where a NaN among the operands is the result: the first of them, quiet, as the
    /// bytecode has it.
    pub(crate) fn first_nan(&mut self, results: &[cl::Value], operands: &[[cl::Value; 3]]) -> Vec<cl::Value> {
        let ty = self.b.func.dfg.value_type(results[0]);
        let (rare, go_on) = (self.b.create_block(), self.b.create_block());
        self.b.set_cold_block(rare);
        let mut any = None;
        for &r in results {
            let is = self.b.ins().fcmp(Fcc::Unordered, r, r);
            any = Some(any.map_or(is, |before| self.b.ins().bor(before, is)));
        }
        let given: Vec<cl::BlockArg> = results.iter().map(|&r| r.into()).collect();
        let out: Vec<cl::Value> = results.iter().map(|_| self.b.append_block_param(go_on, ty)).collect();
        if let Some(any) = any {
            let any = if ty.is_vector() { self.b.ins().vany_true(any) } else { any };
            self.b.ins().brif(any, rare, &[], go_on, &given);
        }
        self.b.switch_to_block(rare);
        let mut mended: Vec<cl::BlockArg> = Vec::new();
        for (&r, &[x, y, z]) in results.iter().zip(operands) {
            let mut first = r;
            for operand in [z, y, x] {
                let is = self.b.ins().fcmp(Fcc::Unordered, operand, operand);
                // The sum of a NaN and itself is the quiet one.
                let quiet = self.b.ins().fadd(operand, operand);
                first = if ty.is_vector() {
                    self.choose(is, quiet, first)
                } else {
                    self.b.ins().select(is, quiet, first)
                };
            }
            mended.push(first.into());
        }
        self.b.ins().jump(go_on, &mended);
        self.b.switch_to_block(go_on);
        out
    }

    fn fcmp(&mut self, cc: FloatCC, a: cl::Value, b: cl::Value) -> cl::Value {
        let cc = float_condition(cc);
        self.b.ins().fcmp(cc, a, b)
    }

    fn icmp(&mut self, cc: IntCC, args: [Value; 2]) -> Result<cl::Value, Refusal> {
        let ty = self.ty(args[0]);
        let mut code = int_condition(cc);
        if !ty.is_ptr() {
            let (a, b) = (self.value(args[0])?, self.value(args[1])?);
            if ty == Type::I1 && !matches!(cc, IntCC::Eq | IntCC::Ne) {
                return Err(Refusal("conditions are ordered"));
            }
            return Ok(self.b.ins().icmp(code, a, b));
        }
        let roots = args.map(|v| self.given.plan.from[v]);
        if let (From::Root(m), From::Root(n)) = (roots[0], roots[1])
            && m == n
        {
            // Distances from one start: signed, since a pointer may lie before it.
            code = code.to_signed_order();
            let (a, b) = (self.value(args[0])?, self.value(args[1])?);
            return Ok(self.b.ins().icmp(code, a, b));
        }
        let (a, b) = (self.full(args[0])?, self.full(args[1])?);
        if !matches!(cc, IntCC::Eq | IntCC::Ne) {
            self.same_object(a, b);
        }
        Ok(self.b.ins().icmp(code, a, b))
    }

    /// Gives up where two pointers are not into one object.
    fn same_object(&mut self, a: cl::Value, b: cl::Value) {
        let differ = self.b.ins().bxor(a, b);
        let high = self.b.ins().ushr_imm_s(differ, 32);
        let fine = self.b.ins().icmp_imm_s(Cc::Equal, high, 0);
        self.require(fine, Bail::Pointer);
    }

    fn ptrdiff(&mut self, a: Value, b: Value) -> Result<cl::Value, Refusal> {
        if let (From::Root(m), From::Root(n)) = (self.given.plan.from[a], self.given.plan.from[b])
            && m == n
        {
            let (a, b) = (self.value(a)?, self.value(b)?);
            return Ok(self.b.ins().isub(a, b));
        }
        let (a, b) = (self.full(a)?, self.full(b)?);
        self.same_object(a, b);
        Ok(self.b.ins().isub(a, b))
    }

    fn ternary(&mut self, inst: Inst, op: TernaryOp, args: [Value; 3]) -> Result<cl::Value, Refusal> {
        match op {
            TernaryOp::Select => {
                let result = self.given.func.result(inst).ok_or(Refusal("a selection has no result"))?;
                let mixes = !self.given.computed[result];
                let c = self.value(args[0])?;
                let mut sides = [args[1]; 2];
                sides[1] = args[2];
                let mut out = Vec::with_capacity(2);
                for v in sides {
                    let x = if mixes { self.seen(v)? } else { self.value(v)? };
                    out.push(self.rooted(x, v, result)?);
                }
                Ok(self.b.ins().select(c, out[0], out[1]))
            }
            TernaryOp::Fma => {
                let [x, y, z] = [self.value(args[0])?, self.value(args[1])?, self.value(args[2])?];
                let r = self.b.ins().fma(x, y, z);
                // Of those of 32 bits, all NaNs are the device's where they are seen.
                if self.ty(args[0]) == Type::F32 {
                    return Ok(r);
                }
                Ok(self.first_nan(&[r], &[[x, y, z]])[0])
            }
            TernaryOp::Fshl | TernaryOp::Fshr => {
                let ty = self.ty(args[0]);
                if ty != Type::I32 {
                    return Err(Refusal("a funnel shift of an unusual type"));
                }
                let [x, y, n] = [self.value(args[0])?, self.value(args[1])?, self.value(args[2])?];
                let (x, y) = (self.b.ins().uextend(ct::I64, x), self.b.ins().uextend(ct::I64, y));
                let high = self.b.ins().ishl_imm_s(x, 32);
                let both = self.b.ins().bor(high, y);
                let n = self.b.ins().band_imm_s(n, 31);
                if op == TernaryOp::Fshl {
                    let s = self.b.ins().ishl(both, n);
                    let s = self.b.ins().ushr_imm_s(s, 32);
                    Ok(self.b.ins().ireduce(ct::I32, s))
                } else {
                    let s = self.b.ins().ushr(both, n);
                    Ok(self.b.ins().ireduce(ct::I32, s))
                }
            }
        }
    }

    fn bounds(&mut self, index: Value, len: u64) -> Result<(), Refusal> {
        let (low, high) = self.given.ranges.at(index, self.block);
        if low >= 0 && high < i128::from(len) {
            return Ok(());
        }
        let x = self.value(index)?;
        let wide = if self.ty(index) == Type::I64 { x } else { self.b.ins().sextend(ct::I64, x) };
        let len = i64::try_from(len).map_err(|_| Refusal("a row of unusual length"))?;
        let fine = self.b.ins().icmp_imm_s(Cc::UnsignedLessThan, wide, len);
        self.require(fine, Bail::Row);
        Ok(())
    }

    /// A pointer moved. One with a root is a distance from its object's start.
    fn ptradd(&mut self, inst: Inst, ptr: Value, offset: Value) -> Result<cl::Value, Refusal> {
        let result = self.given.func.result(inst).ok_or(Refusal("an address has no result"))?;
        let (p, d) = (self.value(ptr)?, self.value(offset)?);
        if let From::Root(_) = self.given.plan.from[ptr] {
            let sum = self.b.ins().iadd(p, d);
            if !self.given.plan.addresses[result] {
                self.near(sum);
                if let Class::Affine(stride) = self.class(result) {
                    let last = self.b.ins().iadd_imm_s(sum, stride * i64::from(WIDTH - 1));
                    self.near(last);
                }
            }
            return Ok(sum);
        }
        // Of any other pointer the low half moves; where it would leave its range the machine saturates.
        let low = self.b.ins().band_imm_s(p, 0xffff_ffff);
        let sum = self.b.ins().iadd(low, d);
        let high = self.b.ins().ushr_imm_s(sum, 32);
        let fine = self.b.ins().icmp_imm_s(Cc::Equal, high, 0);
        self.require(fine, Bail::Pointer);
        // An object of two gigabytes or more, and an address near null, has other ranges.
        let tag = self.b.ins().ushr_imm_s(p, 32);
        let least = self.b.ins().iadd_imm_s(tag, -1);
        let fine = self.b.ins().icmp_imm_s(Cc::UnsignedLessThan, least, 0x9fff_ffff);
        self.require(fine, Bail::Pointer);
        let moved = self.b.ins().iadd(p, d);
        Ok(moved)
    }

    /// Gives up where a distance from an object's start is beyond what a pointer can name.
    pub(crate) fn near(&mut self, distance: cl::Value) {
        let above = self.b.ins().iadd_imm_s(distance, 1 << 31);
        let high = self.b.ins().ushr_imm_s(above, 32);
        let fine = self.b.ins().icmp_imm_s(Cc::Equal, high, 0);
        self.require(fine, Bail::Pointer);
    }

    /// A pointer as the guest has it.
    pub(crate) fn full(&mut self, v: Value) -> Result<cl::Value, Refusal> {
        let x = self.value(v)?;
        match self.given.plan.from[v] {
            From::Root(root) => {
                match self.given.plan.roots[root as usize] {
                    Root::Shared(_) => {
                        return Err(Refusal("the address of a shared variable is a number"));
                    }
                    Root::Local(_) => return Err(Refusal("the address of a local variable is a number")),
                    Root::Param(_) | Root::Member(_) | Root::Global(_) => {}
                }
                self.near(x);
                let start = self.view_field(root, ct::I64, offset_of!(View, start));
                Ok(self.b.ins().iadd(start, x))
            }
            _ => Ok(x),
        }
    }

    /// `x`, the register of `v`, as the register of `to`, which has its root or none.
    pub(crate) fn rooted(&mut self, x: cl::Value, v: Value, to: Value) -> Result<cl::Value, Refusal> {
        if !self.ty(v).is_ptr() {
            return Ok(x);
        }
        let plan = self.given.plan;
        if plan.from[v] == plan.from[to] { Ok(x) } else { self.full(v) }
    }
}

/// Orders of signed numbers in place of those of unsigned ones.
trait SignedOrder {
    fn to_signed_order(self) -> Self;
}

impl SignedOrder for Cc {
    fn to_signed_order(self) -> Cc {
        match self {
            Cc::UnsignedLessThan => Cc::SignedLessThan,
            Cc::UnsignedLessThanOrEqual => Cc::SignedLessThanOrEqual,
            Cc::UnsignedGreaterThan => Cc::SignedGreaterThan,
            Cc::UnsignedGreaterThanOrEqual => Cc::SignedGreaterThanOrEqual,
            other => other,
        }
    }
}

/// The compiler's name of a condition.
pub(crate) fn int_condition(cc: IntCC) -> Cc {
    match cc {
        IntCC::Eq => Cc::Equal,
        IntCC::Ne => Cc::NotEqual,
        IntCC::Slt => Cc::SignedLessThan,
        IntCC::Sle => Cc::SignedLessThanOrEqual,
        IntCC::Sgt => Cc::SignedGreaterThan,
        IntCC::Sge => Cc::SignedGreaterThanOrEqual,
        IntCC::Ult => Cc::UnsignedLessThan,
        IntCC::Ule => Cc::UnsignedLessThanOrEqual,
        IntCC::Ugt => Cc::UnsignedGreaterThan,
        IntCC::Uge => Cc::UnsignedGreaterThanOrEqual,
    }
}

/// The compiler's name of a condition.
pub(crate) fn float_condition(cc: FloatCC) -> Fcc {
    use FloatCC::*;
    match cc {
        Oeq => Fcc::Equal,
        One => Fcc::OrderedNotEqual,
        Olt => Fcc::LessThan,
        Ole => Fcc::LessThanOrEqual,
        Ogt => Fcc::GreaterThan,
        Oge => Fcc::GreaterThanOrEqual,
        Ord => Fcc::Ordered,
        Uno => Fcc::Unordered,
        Ueq => Fcc::UnorderedOrEqual,
        Une => Fcc::NotEqual,
        Ult => Fcc::UnorderedOrLessThan,
        Ule => Fcc::UnorderedOrLessThanOrEqual,
        Ugt => Fcc::UnorderedOrGreaterThan,
        Uge => Fcc::UnorderedOrGreaterThanOrEqual,
    }
}
