//! Lanes that run together: [`WIDTH`] threads in a row, whose values are vectors of 128 bits where Cranelift has the
//! operation, and words one by one where it has not.
//!
//! Control is that of one lane. Where lanes would diverge at a branch, what lives there is stored, and each lane goes on alone,
//! in the other function of the kernel, until all meet at the next synchronisation point.

use crate::Refusal;
use crate::abi::{BAIL, Frame, ROW};
use crate::branch;
use crate::classes::Class;
use crate::emit::{Emitter, register};
use crate::plan::{Point, UNKNOWN};
use cranelift_codegen::ir::condcodes::{FloatCC as Fcc, IntCC as Cc};
use cranelift_codegen::ir::types as ct;
use cranelift_codegen::ir::{self as cl, InstBuilder, MemFlagsData};
use cudair_ir::*;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::mem::offset_of;

/// Lanes that run together.
pub(crate) const WIDTH: u32 = ROW as u32;

/// What a branch is taken to cost that lanes may take differently, in instructions for one lane after the other.
const DIVERGENCE: u64 = 4;

/// The registers of a value of [`WIDTH`] lanes.
pub(crate) type Parts = SmallVec<[cl::Value; 8]>;

/// The registers that hold a value of [`WIDTH`] lanes: their type, and how many.
pub(crate) fn parts(ty: Type) -> Result<(cl::Type, usize), Refusal> {
    Ok(match ty {
        // A condition is a mask. What is narrow stands in words, as a natural number.
        Type::I32 | Type::I16 | Type::I8 | Type::I1 => (ct::I32X4, 2),
        Type::F32 => (ct::F32X4, 2),
        Type::F64 => (ct::F64X2, 4),
        _ => (register(ty)?, WIDTH as usize),
    })
}

/// A lane that is looked at alone for one instruction.
#[derive(Default)]
pub(crate) struct Alone {
    lane: u32,
    values: FxHashMap<Value, cl::Value>,
}

impl Alone {
    /// Its number among those that run together.
    pub(crate) fn lane(&self) -> u32 {
        self.lane
    }
}

impl<'a> Emitter<'a, '_> {
    /// The register of a value for the lane that is looked at alone.
    pub(crate) fn alone(&mut self, v: Value) -> Result<Option<cl::Value>, Refusal> {
        let Some(alone) = &self.alone else { return Ok(None) };
        if let Some(&x) = alone.values.get(&v) {
            return Ok(Some(x));
        }
        let lane = alone.lane;
        let x = match self.class(v) {
            Class::Many => {
                let parts = self.many(v)?;
                self.lane_of(self.ty(v), &parts, lane)?
            }
            Class::Affine(s) => {
                let base = self.first(v)?;
                self.b.ins().iadd_imm_s(base, s * i64::from(lane))
            }
            Class::Strided => {
                let [first, step] = self.first_and_step(v)?;
                self.steps(first, step)[lane as usize]
            }
            _ => self.first(v)?,
        };
        if let Some(alone) = &mut self.alone {
            alone.values.insert(v, x);
        }
        Ok(Some(x))
    }

    /// Emits something for one lane of those that run together, which is looked at alone meanwhile.
    pub(crate) fn as_lane<T>(
        &mut self,
        lane: u32,
        emit: impl FnOnce(&mut Self) -> Result<T, Refusal>,
    ) -> Result<T, Refusal> {
        let first = self.lane;
        self.alone = Some(Alone { lane, values: FxHashMap::default() });
        self.lane = self.b.ins().iadd_imm_s(first, i64::from(lane));
        let result = emit(self);
        (self.alone, self.lane) = (None, first);
        result
    }

    /// The word of one lane among registers of a type.
    pub(crate) fn lane_of(&mut self, ty: Type, parts: &[cl::Value], lane: u32) -> Result<cl::Value, Refusal> {
        let per = WIDTH as usize / parts.len();
        let (part, at) = (parts[lane as usize / per], (lane as usize % per) as u8);
        if per == 1 {
            return Ok(part);
        }
        let x = self.b.ins().extractlane(part, at);
        Ok(match ty {
            Type::I1 => self.b.ins().icmp_imm_s(Cc::NotEqual, x, 0),
            Type::I8 | Type::I16 => self.b.ins().ireduce(register(ty)?, x),
            _ => x,
        })
    }

    /// Registers of a type from the lanes' words.
    pub(crate) fn gather(&mut self, ty: Type, words: &[cl::Value]) -> Result<Parts, Refusal> {
        let (reg, n) = parts(ty)?;
        let per = WIDTH as usize / n;
        if per == 1 {
            return Ok(words.iter().copied().collect());
        }
        let mut out = Parts::new();
        for words in words.chunks(per) {
            let mut part = None;
            for (at, &word) in words.iter().enumerate() {
                let word = self.element(ty, word);
                part = Some(match part {
                    None => self.b.ins().scalar_to_vector(reg, word),
                    Some(part) => self.b.ins().insertlane(part, word, at as u8),
                });
            }
            out.extend(part);
        }
        Ok(out)
    }

    /// The registers of a value of any class.
    pub(crate) fn many(&mut self, v: Value) -> Result<Parts, Refusal> {
        let ty = self.ty(v);
        let (reg, n) = parts(ty)?;
        match self.class(v) {
            Class::Many => {
                let vars = self.vars(v)?;
                Ok(vars.iter().map(|&var| self.b.use_var(var)).collect())
            }
            Class::Strided if reg == ct::I32X4 => {
                let [first, step] = self.first_and_step(v)?;
                let (all, step) = (self.b.ins().splat(reg, first), self.b.ins().splat(reg, step));
                let mut out = Parts::new();
                for part in 0..n as i32 {
                    let lanes = self.vector_of(std::array::from_fn(|i| part * 4 + i as i32));
                    let steps = self.b.ins().imul(step, lanes);
                    out.push(self.b.ins().iadd(all, steps));
                }
                Ok(out)
            }
            Class::Strided => {
                let [first, step] = self.first_and_step(v)?;
                let lanes = self.steps(first, step);
                self.gather(ty, &lanes)
            }
            Class::Affine(s) if reg == ct::I32X4 => {
                let base = self.first(v)?;
                let base = self.element(ty, base);
                let all = self.b.ins().splat(reg, base);
                let mut out = Parts::new();
                for part in 0..n {
                    let steps: [i32; 4] = std::array::from_fn(|i| (part * 4 + i) as i32 * s as i32);
                    let steps = self.vector_of(steps);
                    let sum = self.b.ins().iadd(all, steps);
                    out.push(self.narrowed(ty, sum));
                }
                Ok(out)
            }
            Class::Affine(s) => {
                let base = self.first(v)?;
                let lanes: Vec<cl::Value> =
                    (0..WIDTH).map(|i| self.b.ins().iadd_imm_s(base, s * i64::from(i))).collect();
                self.gather(ty, &lanes)
            }
            _ => {
                let mut x = self.first(v)?;
                if reg.is_vector() {
                    x = self.element(ty, x);
                    x = self.b.ins().splat(reg, x);
                }
                Ok(SmallVec::from_elem(x, n))
            }
        }
    }

    /// A lane's part of a mask, from a condition.
    pub(crate) fn mask_of(&mut self, condition: cl::Value) -> cl::Value {
        let wide = self.b.ins().uextend(ct::I32, condition);
        self.b.ins().ineg(wide)
    }

    /// A lane's word as a vector has it.
    fn element(&mut self, ty: Type, word: cl::Value) -> cl::Value {
        match ty {
            Type::I1 => self.mask_of(word),
            Type::I8 | Type::I16 => self.b.ins().uextend(ct::I32, word),
            _ => word,
        }
    }

    /// Four words as a vector.
    pub(crate) fn vector_of(&mut self, words: [i32; 4]) -> cl::Value {
        let bytes: Vec<u8> = words.iter().flat_map(|w| w.to_le_bytes()).collect();
        self.vector_constant(ct::I32X4, &bytes)
    }

    fn vector_constant(&mut self, ty: cl::Type, bytes: &[u8]) -> cl::Value {
        let constant = self.b.func.dfg.constants.insert(cl::ConstantData::from(bytes));
        self.b.ins().vconst(ty, constant)
    }

    /// Words with their bits in reverse: of each byte by tables for its halves, then the bytes.
    fn reversed(&mut self, x: cl::Value) -> cl::Value {
        let table =
            |shift: u32| -> [u8; 16] { std::array::from_fn(|i| ((i as u8).reverse_bits() >> 4) << shift) };
        let x = self.cast_vector(ct::I8X16, x);
        let halves = self.vector_constant(ct::I8X16, &[15; 16]);
        let low = self.b.ins().band(x, halves);
        let high = self.b.ins().ushr_imm_s(x, 4);
        let [low, high] = [(low, table(4)), (high, table(0))].map(|(half, table)| {
            let table = self.vector_constant(ct::I8X16, &table);
            self.b.ins().swizzle(table, half)
        });
        let bytes = self.b.ins().bor(low, high);
        let order: [u8; 16] = std::array::from_fn(|i| i as u8 ^ 3);
        let order = self.b.func.dfg.immediates.push(cl::ConstantData::from(&order[..]));
        let words = self.b.ins().shuffle(bytes, bytes, order);
        self.cast_vector(ct::I32X4, words)
    }

    /// Defines a value of any class.
    pub(crate) fn define_many(&mut self, v: Value, parts: &[cl::Value]) -> Result<(), Refusal> {
        let vars = self.vars(v)?;
        for (&var, &x) in vars.iter().zip(parts) {
            self.b.def_var(var, x);
        }
        Ok(())
    }

    /// An instruction whose result, or one of whose operands, differs between the lanes in any way, or that accesses memory.
    pub(crate) fn vector_inst(&mut self, inst: Inst) -> Result<(), Refusal> {
        let func = self.given.func;
        let result = func.result(inst);
        let quick = match func.insts[inst] {
            InstData::Unary { op, nsw, arg } => self.vector_unary(op, nsw, arg)?,
            InstData::Binary { op, nsw, args } => self.vector_binary(op, nsw, args)?,
            InstData::Icmp { cc, args } => self.vector_icmp(cc, args)?,
            InstData::Fcmp { cc, args } => self.vector_fcmp(cc, args)?,
            InstData::Ternary { op, args } => self.vector_ternary(inst, op, args)?,
            InstData::Cast { op, ty, arg } => self.vector_cast(op, ty, arg)?,
            InstData::Call { func: callee, args, .. } => {
                let args = args.as_slice(&func.pool);
                if let Some(parts) = self.vector_math(callee, args, result)? {
                    // It takes as long in the bytecode.
                    return result.map_or(Ok(()), |v| self.define_many(v, &parts));
                }
                None
            }
            InstData::Shfl { mode, value, lane, width, .. } => {
                Some(self.shuffle_lanes(mode, value, lane, width)?)
            }
            InstData::Load { ty, flags, ptr, .. } => self.vector_load(inst, ty, flags, ptr)?,
            InstData::Store { value, flags, ptr, .. } => {
                if self.vector_store(inst, flags, value, ptr)? {
                    self.cost.0 += self.given.plan.turns[self.block];
                    return Ok(());
                }
                None
            }
            _ => None,
        };
        if let (Some(parts), Some(v)) = (&quick, result) {
            self.cost.0 += self.given.plan.turns[self.block];
            return self.define_many(v, parts);
        }
        // One lane after the other.
        let turns = self.given.plan.turns[self.block];
        match func.insts[inst] {
            // Without races to look for it is a few instructions.
            InstData::AtomicRmw { ptr, .. } if self.root_of(ptr).is_some_and(|root| self.is_free(root)) => {
                self.cost.0 += turns;
            }
            // The engine is asked about each access.
            InstData::Load { ptr, .. } | InstData::Store { ptr, .. } if self.root_of(ptr).is_none() => {
                self.cost.1 += UNKNOWN * turns;
            }
            // Addresses are made of indices where that is possible.
            _ if self.is_harmless(inst) && self.is_address(inst) => {}
            // A branch looks at both ends.
            InstData::Icmp { .. } if result.is_some_and(|v| self.even_operands(v).is_some()) => {}
            _ => self.cost.1 += turns,
        }
        let words = if self.mask.is_some() && !self.is_harmless(inst) {
            self.guarded(inst)?
        } else {
            let mut words = Vec::new();
            for lane in 0..WIDTH {
                words.extend(self.as_lane(lane, |e| e.compute(inst))?);
            }
            words
        };
        match result {
            Some(v) if self.class(v) == Class::Many => {
                let parts = self.gather(func.value_type(v), &words)?;
                self.define_many(v, &parts)
            }
            // Of an atomic operation nobody wants the result.
            Some(v) => self.define(v, words[0]),
            None => Ok(()),
        }
    }

    /// Whether an instruction makes an address, or widens or scales a number of which addresses are made.
    fn is_address(&self, inst: Inst) -> bool {
        let func = self.given.func;
        match func.insts[inst] {
            InstData::PtrAdd { .. }
            | InstData::Cast { op: CastOp::Sext | CastOp::Zext, ty: Type::I64, .. } => true,
            InstData::Binary { op: BinaryOp::Imul | BinaryOp::Shl, args: [a, b], .. } => {
                self.ty(a) == Type::I64 && func.const_bits(b).is_some()
            }
            _ => false,
        }
    }

    /// The same for each vector.
    pub(crate) fn each(
        &mut self,
        parts: &Parts,
        f: impl Fn(&mut Self, cl::Value) -> cl::Value,
    ) -> Option<Parts> {
        Some(parts.iter().map(|&x| f(self, x)).collect())
    }

    fn both(
        &mut self,
        [a, b]: [Value; 2],
        f: impl Fn(&mut Self, cl::Value, cl::Value) -> cl::Value,
    ) -> Result<Option<Parts>, Refusal> {
        let (a, b) = (self.many(a)?, self.many(b)?);
        Ok(Some(a.iter().zip(&b).map(|(&x, &y)| f(self, x, y)).collect()))
    }

    fn vector_unary(&mut self, op: UnaryOp, nsw: bool, arg: Value) -> Result<Option<Parts>, Refusal> {
        use UnaryOp::*;
        let ty = self.ty(arg);
        if !matches!(ty, Type::I32 | Type::F32 | Type::F64 | Type::I1) {
            return Ok(None);
        }
        let x = self.many(arg)?;
        Ok(match op {
            Fneg => self.each(&x, |e, x| e.b.ins().fneg(x)),
            Fabs => self.each(&x, |e, x| e.b.ins().fabs(x)),
            Fsqrt => self.each(&x, |e, x| e.b.ins().sqrt(x)),
            Ffloor => self.each(&x, |e, x| e.b.ins().floor(x)),
            Fceil => self.each(&x, |e, x| e.b.ins().ceil(x)),
            Ftrunc => self.each(&x, |e, x| e.b.ins().trunc(x)),
            Fnearest => self.each(&x, |e, x| e.b.ins().nearest(x)),
            Inot => self.each(&x, |e, x| e.b.ins().bnot(x)),
            Ineg if ty == Type::I32 && !nsw => self.each(&x, |e, x| e.b.ins().ineg(x)),
            Bitrev if ty == Type::I32 => self.each(&x, Self::reversed),
            _ => None,
        })
    }

    fn vector_binary(&mut self, op: BinaryOp, nsw: bool, args: [Value; 2]) -> Result<Option<Parts>, Refusal> {
        use BinaryOp::*;
        let ty = self.ty(args[0]);
        let suits = match ty {
            Type::I32 | Type::F32 | Type::F64 | Type::I1 => true,
            Type::I8 | Type::I16 => matches!(op, And | Or | Xor),
            _ => false,
        };
        if !suits {
            return Ok(None);
        }
        let nsw = nsw && !self.is_within(op, args);
        match op {
            Fadd => self.both(args, |e, x, y| {
                let x = e.in_register(x);
                e.b.ins().fadd(x, y)
            }),
            Fsub => self.both(args, |e, x, y| e.b.ins().fsub(x, y)),
            Fmul => self.both(args, |e, x, y| {
                let x = e.in_register(x);
                e.b.ins().fmul(x, y)
            }),
            Fdiv => self.both(args, |e, x, y| e.b.ins().fdiv(x, y)),
            Fmin | Fmax => self.both(args, |e, x, y| {
                // A NaN loses against a number.
                let most = if op == Fmin { e.b.ins().fmin(x, y) } else { e.b.ins().fmax(x, y) };
                let [xn, yn] = [x, y].map(|x| e.b.ins().fcmp(Fcc::Unordered, x, x));
                let most = e.choose(xn, y, most);
                e.choose(yn, x, most)
            }),
            And => self.both(args, |e, x, y| e.b.ins().band(x, y)),
            Or => self.both(args, |e, x, y| e.b.ins().bor(x, y)),
            Xor => self.both(args, |e, x, y| e.b.ins().bxor(x, y)),
            _ if ty != Type::I32 => Ok(None),
            Iadd | Isub => {
                let [a, b] = [self.many(args[0])?, self.many(args[1])?];
                let mut all = Parts::new();
                for (n, (&x, &y)) in a.iter().zip(&b).enumerate() {
                    let s = if op == Iadd { self.b.ins().iadd(x, y) } else { self.b.ins().isub(x, y) };
                    all.push(s);
                    if nsw {
                        let over = self.sum_overflows(op, [x, y], s);
                        self.note_signs(over, n);
                    }
                }
                Ok(Some(all))
            }
            Imul => {
                let [a, b] = [self.many(args[0])?, self.many(args[1])?];
                let mut all = Parts::new();
                for (n, (&x, &y)) in a.iter().zip(&b).enumerate() {
                    let product = self.b.ins().imul(x, y);
                    all.push(product);
                    if nsw {
                        let over = self.product_overflows([x, y], product);
                        self.note_signs(over, n);
                    }
                }
                Ok(Some(all))
            }
            Smin => self.both(args, |e, x, y| e.b.ins().smin(x, y)),
            Smax => self.both(args, |e, x, y| e.b.ins().smax(x, y)),
            Umin => self.both(args, |e, x, y| e.b.ins().umin(x, y)),
            Umax => self.both(args, |e, x, y| e.b.ins().umax(x, y)),
            Shl | Lshr | Ashr if !nsw => {
                let Some(by) = self.given.func.const_bits(args[1]).filter(|&n| n < 32) else {
                    return Ok(None);
                };
                let x = self.many(args[0])?;
                let by = self.b.ins().iconst(ct::I32, by as i64);
                Ok(self.each(&x, |e, x| match op {
                    Shl => e.b.ins().ishl(x, by),
                    Lshr => e.b.ins().ushr(x, by),
                    _ => e.b.ins().sshr(x, by),
                }))
            }
            _ => Ok(None),
        }
    }

    /// Whether signed products of four lanes have overflowed, in the sign: their high halves are no copies of the sign.
    fn product_overflows(&mut self, [x, y]: [cl::Value; 2], product: cl::Value) -> cl::Value {
        let [low, high] = [false, true].map(|high| {
            let [x, y] =
                [x, y].map(|x| if high { self.b.ins().swiden_high(x) } else { self.b.ins().swiden_low(x) });
            let wide = self.b.ins().imul(x, y);
            self.cast_vector(ct::I32X4, wide)
        });
        let high = self.pick(low, high, [1, 3, 5, 7]);
        let by = self.b.ins().iconst(ct::I32, 31);
        let sign = self.b.ins().sshr(product, by);
        self.b.ins().icmp(Cc::NotEqual, high, sign)
    }

    /// Notes that a signed operation of a part of the lanes has overflowed where a sign is set, of those that run.
    fn note_signs(&mut self, mut over: cl::Value, part: usize) {
        if let Some(mask) = self.mask.as_ref().map(|mask| mask.parts[part]) {
            over = self.b.ins().band(over, mask);
        }
        let before = self.b.use_var(self.vector_signs);
        let both = self.b.ins().bor(before, over);
        self.b.def_var(self.vector_signs, both);
    }

    fn vector_icmp(&mut self, cc: IntCC, args: [Value; 2]) -> Result<Option<Parts>, Refusal> {
        match self.ty(args[0]) {
            ty @ (Type::I32 | Type::I16 | Type::I8) => {
                let is_signed = cc.is_signed();
                let cc = crate::arith::int_condition(cc);
                self.both(args, |e, x, y| {
                    let [x, y] = if is_signed { [x, y].map(|x| e.signed(ty, x)) } else { [x, y] };
                    e.b.ins().icmp(cc, x, y)
                })
            }
            Type::I1 if cc == IntCC::Ne => self.both(args, |e, x, y| e.b.ins().bxor(x, y)),
            Type::I1 if cc == IntCC::Eq => self.both(args, |e, x, y| {
                let differ = e.b.ins().bxor(x, y);
                e.b.ins().bnot(differ)
            }),
            _ => Ok(None),
        }
    }

    fn vector_fcmp(&mut self, cc: FloatCC, args: [Value; 2]) -> Result<Option<Parts>, Refusal> {
        if self.ty(args[0]) != Type::F32 {
            return Ok(None);
        }
        let cc = crate::arith::float_condition(cc);
        let differ = |e: &mut Self, x: cl::Value, y: cl::Value| {
            let (less, more) = (e.b.ins().fcmp(Fcc::LessThan, x, y), e.b.ins().fcmp(Fcc::GreaterThan, x, y));
            e.b.ins().bor(less, more)
        };
        // Cranelift has not all of them for vectors.
        match cc {
            Fcc::OrderedNotEqual => self.both(args, differ),
            Fcc::UnorderedOrEqual => self.both(args, |e, x, y| {
                let differ = differ(e, x, y);
                e.b.ins().bnot(differ)
            }),
            _ => self.both(args, |e, x, y| e.b.ins().fcmp(cc, x, y)),
        }
    }

    /// The device's NaN in place of any other.
    pub(crate) fn many_seen(&mut self, v: Value) -> Result<Parts, Refusal> {
        let mut x = self.many(v)?;
        if self.given.computed[v] {
            let nan = self.vector_of([0x7fff_ffff; 4]);
            let nan = self.cast_vector(ct::F32X4, nan);
            for x in &mut x {
                let is = self.b.ins().fcmp(Fcc::Unordered, *x, *x);
                *x = self.choose(is, nan, *x);
            }
        }
        Ok(x)
    }

    pub(crate) fn cast_vector(&mut self, to: cl::Type, x: cl::Value) -> cl::Value {
        if self.b.func.dfg.value_type(x) == to {
            return x;
        }
        self.b.ins().bitcast(to, MemFlagsData::new().with_endianness(cl::Endianness::Little), x)
    }

    /// By a mask, lanes of one vector or of another.
    pub(crate) fn choose(&mut self, mask: cl::Value, yes: cl::Value, no: cl::Value) -> cl::Value {
        let ty = self.b.func.dfg.value_type(yes);
        let mask = self.cast_vector(ty, mask);
        self.b.ins().bitselect(mask, yes, no)
    }

    fn vector_ternary(
        &mut self,
        inst: Inst,
        op: TernaryOp,
        args: [Value; 3],
    ) -> Result<Option<Parts>, Refusal> {
        let ty = self.ty(args[1]);
        match op {
            TernaryOp::Fma if matches!(ty, Type::F32 | Type::F64) => {
                let [x, y, z] = [self.many(args[0])?, self.many(args[1])?, self.many(args[2])?];
                let all: Vec<cl::Value> = (0..x.len()).map(|n| self.b.ins().fma(x[n], y[n], z[n])).collect();
                if ty == Type::F32 {
                    return Ok(Some(all.into()));
                }
                let operands: Vec<[cl::Value; 3]> = (0..x.len()).map(|n| [x[n], y[n], z[n]]).collect();
                Ok(Some(self.first_nan(&all, &operands).into()))
            }
            TernaryOp::Select if matches!(ty, Type::F32 | Type::I32 | Type::I16 | Type::I8 | Type::I1) => {
                let result = self.given.func.result(inst).ok_or(Refusal("a selection has no result"))?;
                let mixes = ty == Type::F32 && !self.given.computed[result];
                let mask = self.many(args[0])?;
                let [x, y] = [args[1], args[2]];
                let x = if mixes { self.many_seen(x)? } else { self.many(x)? };
                let y = if mixes { self.many_seen(y)? } else { self.many(y)? };
                Ok(Some((0..x.len()).map(|n| self.choose(mask[n], x[n], y[n])).collect()))
            }
            _ => Ok(None),
        }
    }

    // Control.

    /// A branch on a condition that differs between the lanes. All go one way; or some go one way and then the others theirs, until
    /// they come together; or each goes on alone.
    pub(crate) fn vector_branch(
        &mut self,
        (block, at): Point,
        cond: Value,
        targets: [&'a BlockCall; 2],
        [yes, no]: [cl::Block; 2],
    ) -> Result<(), Refusal> {
        let mixed = self.b.create_block();
        let region = self.given.regions.get(&block);
        let of_loop = self.given.loops.get(block);
        if region.is_none() && of_loop.is_none() {
            self.b.set_cold_block(mixed);
        }
        // Which sides stay in the loop around, if not both do.
        let [yes_leaves, no_leaves] = targets.map(|dest| self.leaves(block, dest));
        let other = self.b.create_block();
        if let Some(ends) = self.ends(cond)? {
            let first = self.b.create_block();
            let (stays, leaves) = if no_leaves { (first, other) } else { (other, first) };
            let start = if no_leaves { ends[0] } else { branch::not(&mut self.b, ends[0]) };
            self.stay(start, stays, leaves);
            self.b.switch_to_block(first);
            self.stay(ends[1], yes, mixed);
            self.b.switch_to_block(other);
            self.b.ins().brif(ends[1], mixed, &[], no, &[]);
        } else {
            let cost = if region.is_some() || of_loop.is_some() { 1 } else { DIVERGENCE };
            self.cost.1 += cost * self.given.plan.turns[block];
            let mask = self.many(cond)?;
            let all = self.all(&mask);
            let any = self.b.ins().bor(mask[0], mask[1]);
            let any = self.b.ins().vany_true(any);
            if no_leaves && !yes_leaves {
                self.stay(any, other, no);
                self.b.switch_to_block(other);
                self.stay(all, yes, mixed);
            } else {
                self.b.ins().brif(all, yes, &[], other, &[]);
                self.b.switch_to_block(other);
                self.b.ins().brif(any, mixed, &[], no, &[]);
            }
        }
        self.b.switch_to_block(mixed);
        if let Some(region) = region {
            self.set_idle(false);
            return self.masked(region, cond, targets);
        }
        if let Some(of) = of_loop {
            self.set_idle(false);
            return self.masked_loop(of, block, cond);
        }
        let n = self.given.divergent.iter().position(|p| (p.block, p.at) == (block, at));
        let n = n.ok_or(Refusal("a branch is not in the plan"))?;
        self.keep_apart(&self.given.divergent[n].live)?;
        let entry = self.given.plan.syncs.len() + 1 + n;
        let entry = self.b.ins().iconst(ct::I32, entry as i64);
        self.part(entry)
    }

    /// A comparison of two numbers which grow evenly from lane to lane, and not in step: how, of what, and by how much they grow. Those
    /// of 64 bits may go around.
    fn even_operands(&self, cond: Value) -> Option<(IntCC, [Value; 2], [i64; 2])> {
        let func = self.given.func;
        let &InstData::Icmp { cc, args } = func.def_inst(cond).map(|inst| &func.insts[inst])? else {
            return None;
        };
        let [Some(s), Some(t)] = args.map(|v| self.class(v).stride()) else { return None };
        let suits = s != t && (!matches!(cc, IntCC::Eq | IntCC::Ne) || (s - t).abs() == 1);
        (suits && matches!(self.ty(args[0]), Type::I32 | Type::I64)).then_some((cc, args, [s, t]))
    }

    /// The same, of numbers that are in order from lane to lane.
    pub(crate) fn even_comparison(&self, cond: Value) -> Option<(IntCC, [Value; 2], [i64; 2])> {
        let natural = |v: &Value| self.given.ranges.at(*v, self.block).0 >= 0;
        // Those of 32 bits do not go around.
        self.even_operands(cond).filter(|(cc, args, _)| {
            self.ty(args[0]) == Type::I32 && (!cc.is_unsigned() || args.iter().all(natural))
        })
    }

    /// The lane, from the first of those that run together, in which two numbers are equal, if there is one: the left one moves up or
    /// down by one from lane to lane, seen from the right one.
    pub(crate) fn lane_of_equality(&mut self, [a, b]: [cl::Value; 2], up: bool) -> cl::Value {
        if up { self.b.ins().isub(b, a) } else { self.b.ins().isub(a, b) }
    }

    /// Of a comparison of numbers that grow evenly from lane to lane: two conditions which both hold where it holds in all lanes,
    /// and neither of which holds where it holds in none.
    fn ends(&mut self, cond: Value) -> Result<Option<[cl::Value; 2]>, Refusal> {
        let Some((cc, args, [s, t])) = self.even_operands(cond) else { return Ok(None) };
        let [a, b] = [self.first(args[0])?, self.first(args[1])?];
        if matches!(cc, IntCC::Eq | IntCC::Ne) {
            let lane = self.lane_of_equality([a, b], s > t);
            let width = i64::from(WIDTH);
            return Ok(Some(if cc == IntCC::Eq {
                let none = self.b.ins().iconst(ct::I8, 0);
                [self.b.ins().icmp_imm_s(Cc::UnsignedLessThan, lane, width), none]
            } else {
                let all = self.b.ins().iconst(ct::I8, 1);
                [all, self.b.ins().icmp_imm_s(Cc::UnsignedGreaterThanOrEqual, lane, width)]
            }));
        }
        let in_order = self.even_comparison(cond).is_some();
        let (mut ends, mut around) = ([a, b], None);
        for (end, stride) in ends.iter_mut().zip([s, t]).filter(|(_, stride)| *stride != 0) {
            let first = *end;
            *end = self.b.ins().iadd_imm_s(first, stride * i64::from(WIDTH - 1));
            if !in_order {
                let before = if cc.is_unsigned() { Cc::UnsignedLessThan } else { Cc::SignedLessThan };
                let [low, high] = if stride > 0 { [first, *end] } else { [*end, first] };
                let this = self.b.ins().icmp(before, high, low);
                around = Some(around.map_or(this, |others| self.b.ins().bor(others, this)));
            }
        }
        let cc = crate::arith::int_condition(cc);
        let [mut first, mut last] = [self.b.ins().icmp(cc, a, b), self.b.ins().icmp(cc, ends[0], ends[1])];
        if let Some(around) = around {
            // The ends do not tell of the lanes between them.
            let in_order = branch::not(&mut self.b, around);
            first = self.b.ins().band(first, in_order);
            last = self.b.ins().bor(last, around);
        }
        Ok(Some([first, last]))
    }

    /// Lanes go on one by one, in the kernel's other function. Gives where they are then.
    pub(crate) fn lanes_alone(
        &mut self,
        entry: cl::Value,
        first: cl::Value,
        end: cl::Value,
    ) -> Result<cl::Value, Refusal> {
        let scalar = self.scalar.ok_or(Refusal("there is no function for lanes alone"))?;
        let left = self.b.use_var(self.turns);
        self.set_frame_field(left, offset_of!(Frame, turns));
        let call = self.b.ins().call(scalar, &[self.frame, entry, first, end]);
        let exit = self.b.inst_results(call)[0];
        let gave_up = self.b.ins().icmp_imm_s(Cc::Equal, exit, i64::from(BAIL as i32));
        // The reason stands in the frame.
        let go_on = self.b.create_block();
        let (gone, bail) = (self.gone, self.b.ins().iconst(ct::I32, i64::from(BAIL)));
        self.b.ins().brif(gave_up, gone, &[bail.into()], go_on, &[]);
        self.b.switch_to_block(go_on);
        let left = self.frame_field(ct::I64, offset_of!(Frame, turns));
        self.b.def_var(self.turns, left);
        Ok(exit)
    }
}
