//! Lanes that run together: [`WIDTH`] threads in a row, whose values are vectors of 128 bits where Cranelift has the
//! operation, and words one by one where it has not.
//!
//! Control is that of one lane. Where a branch would part the lanes, what lives there is stored, and each lane goes on alone,
//! in the other function of the kernel, until all meet at the next synchronisation point.

use crate::Refusal;
use crate::abi::{ATOMIC, BAIL, Bail, Frame, Helper, LANE_BYTES, SEVERAL, VALUE_BYTES, View, kind};
use crate::access::{LINE_LOG2, Place, guest};
use crate::classes::Class;
use crate::emit::{Emitter, register, trusted};
use cranelift_codegen::ir::condcodes::{FloatCC as Fcc, IntCC as Cc};
use cranelift_codegen::ir::types as ct;
use cranelift_codegen::ir::{self as cl, InstBuilder, MemFlagsData};
use cudair_ir::*;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::mem::offset_of;

/// Lanes that run together.
pub(crate) const WIDTH: u32 = 8;

/// The registers of a value of [`WIDTH`] lanes.
pub(crate) type Parts = SmallVec<[cl::Value; 8]>;

/// The registers that hold a value of [`WIDTH`] lanes: their type, and how many.
pub(crate) fn parts(ty: Type) -> Result<(cl::Type, usize), Refusal> {
    Ok(match ty {
        // A condition is a mask.
        Type::I32 | Type::I1 => (ct::I32X4, 2),
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

impl Emitter<'_, '_> {
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
            _ => self.first(v)?,
        };
        if let Some(alone) = &mut self.alone {
            alone.values.insert(v, x);
        }
        Ok(Some(x))
    }

    /// The word of one lane among registers of a type.
    fn lane_of(&mut self, ty: Type, parts: &[cl::Value], lane: u32) -> Result<cl::Value, Refusal> {
        let per = WIDTH as usize / parts.len();
        let (part, at) = (parts[lane as usize / per], (lane as usize % per) as u8);
        if per == 1 {
            return Ok(part);
        }
        let x = self.b.ins().extractlane(part, at);
        Ok(if ty == Type::I1 { self.b.ins().icmp_imm_s(Cc::NotEqual, x, 0) } else { x })
    }

    /// Registers of a type from the lanes' words.
    fn gather(&mut self, ty: Type, words: &[cl::Value]) -> Result<Parts, Refusal> {
        let (reg, n) = parts(ty)?;
        let per = WIDTH as usize / n;
        if per == 1 {
            return Ok(words.iter().copied().collect());
        }
        let mut out = Parts::new();
        for words in words.chunks(per) {
            let mut part = None;
            for (at, &word) in words.iter().enumerate() {
                let word = if ty == Type::I1 {
                    let wide = self.b.ins().uextend(ct::I32, word);
                    self.b.ins().ineg(wide)
                } else {
                    word
                };
                part = Some(match part {
                    None => self.b.ins().splat(reg, word),
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
            Class::Affine(s) if reg == ct::I32X4 => {
                let base = self.first(v)?;
                let all = self.b.ins().splat(reg, base);
                let mut out = Parts::new();
                for part in 0..n {
                    let steps: [i32; 4] = std::array::from_fn(|i| (part * 4 + i) as i32 * s as i32);
                    let steps = self.words(steps);
                    out.push(self.b.ins().iadd(all, steps));
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
                    if ty == Type::I1 {
                        let wide = self.b.ins().uextend(ct::I32, x);
                        x = self.b.ins().ineg(wide);
                    }
                    x = self.b.ins().splat(reg, x);
                }
                Ok(SmallVec::from_elem(x, n))
            }
        }
    }

    /// Four words as a vector.
    fn words(&mut self, words: [i32; 4]) -> cl::Value {
        let bytes: Vec<u8> = words.iter().flat_map(|w| w.to_le_bytes()).collect();
        let constant = self.b.func.dfg.constants.insert(cl::ConstantData::from(&bytes[..]));
        self.b.ins().vconst(ct::I32X4, constant)
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
            InstData::Load { ty, flags, ptr, .. } => self.vector_load(ty, flags, ptr)?,
            InstData::Store { value, flags, ptr, .. } => {
                if self.vector_store(flags, value, ptr)? {
                    return Ok(());
                }
                None
            }
            _ => None,
        };
        if let (Some(parts), Some(v)) = (&quick, result) {
            self.cost.0 += self.given.weight[self.block];
            return self.define_many(v, parts);
        }
        // One lane after the other.
        self.cost.1 += self.given.weight[self.block];
        let first = self.lane;
        let mut words = Vec::new();
        for lane in 0..WIDTH {
            self.alone = Some(Alone { lane, values: FxHashMap::default() });
            self.lane = self.b.ins().iadd_imm_s(first, i64::from(lane));
            words.extend(self.compute(inst)?);
        }
        (self.alone, self.lane) = (None, first);
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

    fn each(&mut self, parts: &Parts, f: impl Fn(&mut Self, cl::Value) -> cl::Value) -> Option<Parts> {
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
            _ => None,
        })
    }

    fn vector_binary(&mut self, op: BinaryOp, nsw: bool, args: [Value; 2]) -> Result<Option<Parts>, Refusal> {
        use BinaryOp::*;
        let ty = self.ty(args[0]);
        if !matches!(ty, Type::I32 | Type::F32 | Type::F64 | Type::I1) {
            return Ok(None);
        }
        let nsw = nsw && !self.is_within(op, args);
        match op {
            Fadd => self.both(args, |e, x, y| e.b.ins().fadd(x, y)),
            Fsub => self.both(args, |e, x, y| e.b.ins().fsub(x, y)),
            Fmul => self.both(args, |e, x, y| e.b.ins().fmul(x, y)),
            Fdiv => self.both(args, |e, x, y| e.b.ins().fdiv(x, y)),
            And => self.both(args, |e, x, y| e.b.ins().band(x, y)),
            Or => self.both(args, |e, x, y| e.b.ins().bor(x, y)),
            Xor => self.both(args, |e, x, y| e.b.ins().bxor(x, y)),
            _ if ty != Type::I32 => Ok(None),
            Iadd | Isub => self.both(args, |e, x, y| {
                let s = if op == Iadd { e.b.ins().iadd(x, y) } else { e.b.ins().isub(x, y) };
                if nsw {
                    let left = e.b.ins().bxor(x, s);
                    let right = if op == Iadd { e.b.ins().bxor(y, s) } else { e.b.ins().bxor(x, y) };
                    let over = e.b.ins().band(left, right);
                    let before = e.b.use_var(e.vector_signs);
                    let both = e.b.ins().bor(before, over);
                    e.b.def_var(e.vector_signs, both);
                }
                s
            }),
            Imul if !nsw => self.both(args, |e, x, y| e.b.ins().imul(x, y)),
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

    fn vector_icmp(&mut self, cc: IntCC, args: [Value; 2]) -> Result<Option<Parts>, Refusal> {
        match self.ty(args[0]) {
            Type::I32 => {
                let cc = crate::arith::int_condition(cc);
                self.both(args, |e, x, y| e.b.ins().icmp(cc, x, y))
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
        self.both(args, |e, x, y| e.b.ins().fcmp(cc, x, y))
    }

    /// The device's NaN in place of any other.
    pub(crate) fn many_seen(&mut self, v: Value) -> Result<Parts, Refusal> {
        let mut x = self.many(v)?;
        if self.given.computed[v] {
            let nan = self.words([0x7fff_ffff; 4]);
            let nan = self.cast_vector(ct::F32X4, nan);
            for x in &mut x {
                let is = self.b.ins().fcmp(Fcc::Unordered, *x, *x);
                *x = self.choose(is, nan, *x);
            }
        }
        Ok(x)
    }

    fn cast_vector(&mut self, to: cl::Type, x: cl::Value) -> cl::Value {
        if self.b.func.dfg.value_type(x) == to {
            return x;
        }
        self.b.ins().bitcast(to, MemFlagsData::new().with_endianness(cl::Endianness::Little), x)
    }

    /// By a mask, lanes of one vector or of another.
    fn choose(&mut self, mask: cl::Value, yes: cl::Value, no: cl::Value) -> cl::Value {
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
                Ok(Some((0..x.len()).map(|n| self.b.ins().fma(x[n], y[n], z[n])).collect()))
            }
            TernaryOp::Select if matches!(ty, Type::F32 | Type::I32 | Type::I1) => {
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

    fn vector_cast(&mut self, op: CastOp, to: Type, arg: Value) -> Result<Option<Parts>, Refusal> {
        use CastOp::*;
        let from = self.ty(arg);
        Ok(match (op, from, to) {
            (Sitofp, Type::I32, Type::F32) => {
                let x = self.many(arg)?;
                self.each(&x, |e, x| e.b.ins().fcvt_from_sint(ct::F32X4, x))
            }
            (Fptosi, Type::F32, Type::I32) => {
                let x = self.many(arg)?;
                self.each(&x, |e, x| e.b.ins().fcvt_to_sint_sat(ct::I32X4, x))
            }
            (Zext, Type::I1, Type::I32) => {
                let x = self.many(arg)?;
                let one = self.words([1; 4]);
                self.each(&x, |e, x| e.b.ins().band(x, one))
            }
            (Bitcast, Type::I32, Type::F32) => {
                let x = self.many(arg)?;
                self.each(&x, |e, x| e.cast_vector(ct::F32X4, x))
            }
            (Bitcast, Type::F32, Type::I32) => {
                let x = self.many_seen(arg)?;
                self.each(&x, |e, x| e.cast_vector(ct::I32X4, x))
            }
            _ => None,
        })
    }

    // Memory.

    /// The place of the first lane of an access by lanes side by side, with bounds and alignment of all of them checked.
    fn run(&mut self, ptr: Value, ty: Type, align_log2: u8, writes: bool) -> Result<Option<Place>, Refusal> {
        let width = ty.mem_bytes();
        if self.class(ptr) != Class::Affine(width.into()) || !matches!(ty, Type::I32 | Type::F32 | Type::F64)
        {
            return Ok(None);
        }
        let width_log2 = width.trailing_zeros() as u8;
        let granule = match self.root_of(ptr) {
            Some(root) if self.is_shared(root) => self.given.plan.shared_granule(root as usize),
            Some(_) => self.given.plan.global_granule(),
            None => return Ok(None),
        };
        let known = self.alignment(ptr, 12);
        if granule != width_log2 || align_log2.max(known) < width_log2 {
            return Ok(None);
        }
        let Some(place) = self.place(ptr, ty, align_log2, writes)? else { return Ok(None) };
        let last = self.b.ins().iadd_imm_s(place.offset, i64::from((WIDTH - 1) * width));
        self.check_bounds(place.root, last, width_log2, writes);
        Ok(Some(place))
    }

    fn vector_load(&mut self, ty: Type, flags: MemFlags, ptr: Value) -> Result<Option<Parts>, Refusal> {
        let Some(place) = self.run(ptr, ty, flags.align_log2, false)? else { return Ok(None) };
        if self.is_shared(place.root) {
            self.shared_run(place, false)?;
        } else {
            let facts = self.given.promises.roots[place.root as usize];
            if facts.bitmap {
                let (word, mask) = self.run_bits(place);
                let have = self.b.ins().band(word, mask);
                let fine = self.b.ins().icmp(Cc::Equal, have, mask);
                self.require(fine, Bail::Uninitialised);
            }
            if facts.watched {
                self.global_run(place, kind::READ)?;
            }
        }
        let at = self.address(place);
        let (reg, n) = parts(ty)?;
        Ok(Some((0..n as i32).map(|i| self.b.ins().load(reg, guest(), at, 16 * i)).collect()))
    }

    /// Whether the lanes store side by side, which is done then.
    fn vector_store(&mut self, flags: MemFlags, value: Value, ptr: Value) -> Result<bool, Refusal> {
        let ty = self.ty(value);
        let Some(place) = self.run(ptr, ty, flags.align_log2, true)? else { return Ok(false) };
        let x = if ty == Type::F32 { self.many_seen(value)? } else { self.many(value)? };
        let facts = self.given.promises.roots[place.root as usize];
        let shared = self.is_shared(place.root);
        if shared {
            self.shared_run(place, true)?;
        } else {
            if facts.kept {
                self.keep_run(place)?;
            }
            if facts.watched {
                self.global_run(place, kind::WRITE)?;
            }
        }
        let at = self.address(place);
        for (i, &x) in x.iter().enumerate() {
            self.b.ins().store(guest(), x, at, 16 * i as i32);
        }
        if facts.bitmap && !shared {
            let (word, mask) = self.run_bits(place);
            let all = self.b.ins().bor(word, mask);
            let at = self.bits_at(place);
            self.b.ins().store(trusted_unaligned(), all, at, 0);
        }
        Ok(true)
    }

    /// The bits of initialisation of lanes side by side, and those that are of them.
    fn run_bits(&mut self, place: Place) -> (cl::Value, cl::Value) {
        let at = self.bits_at(place);
        let word = self.b.ins().load(ct::I64, trusted_unaligned(), at, 0);
        let all = if place.width_log2 == 3 { -1 } else { 0xffff_ffff };
        let all = self.b.ins().iconst(ct::I64, all);
        let shift = self.b.ins().band_imm_s(place.offset, 7);
        (word, self.b.ins().ishl(all, shift))
    }

    /// Sees to it that the undo log has the pages of lanes side by side.
    fn keep_run(&mut self, place: Place) -> Result<(), Refusal> {
        let bytes = i64::from(WIDTH) << place.width_log2;
        let last = self.b.ins().iadd_imm_s(place.offset, bytes - 1);
        let (a, b) = (self.is_kept(place.root, place.offset), self.is_kept(place.root, last));
        let both = self.b.ins().band(a, b);
        self.unless(both, |e| {
            let root = e.b.ins().iconst(ct::I64, i64::from(place.root));
            let bytes = e.b.ins().iconst(ct::I64, bytes);
            let fine = e.helper(Helper::Save, &[root, place.offset, bytes]);
            e.require(fine, Bail::Refused);
            Ok(())
        })
    }

    /// The epochs of the threads that run together, from a first one on.
    fn threads(&mut self, first: cl::Value) -> [cl::Value; 2] {
        let me = self.b.ins().bor(first, self.lane);
        let me = self.b.ins().splat(ct::I32X4, me);
        [0, 4].map(|from| {
            let steps = self.words([from, from + 1, from + 2, from + 3]);
            self.b.ins().iadd(me, steps)
        })
    }

    /// Whether a mask holds in all lanes.
    fn all(&mut self, masks: &[cl::Value]) -> cl::Value {
        let mut all = masks[0];
        for &mask in &masks[1..] {
            all = self.b.ins().band(all, mask);
        }
        self.b.ins().vall_true(all)
    }

    /// An access to shared memory by lanes side by side.
    fn shared_run(&mut self, place: Place, writes: bool) -> Result<(), Refusal> {
        let cell = self.b.ins().ushr_imm_s(place.offset, i64::from(place.width_log2));
        let writers = self.shared_cell(place.root, offset_of!(View, write_lines), cell);
        let between = self.between(place.root);
        let (block, first) = (
            self.fixed_field(ct::I32, offset_of!(Frame, shared_block)),
            self.fixed_field(ct::I32, offset_of!(Frame, shared_first)),
        );
        let w = [0, 16].map(|at| self.b.ins().load(ct::I32X4, trusted_unaligned(), writers, at));
        if !writes && !between.writes {
            let block = self.b.ins().splat(ct::I32X4, block);
            let fine = w.map(|w| self.b.ins().icmp(Cc::SignedGreaterThanOrEqual, w, block));
            let fine = self.all(&fine);
            self.require(fine, Bail::Uninitialised);
            return Ok(());
        }
        let me = self.threads(first);
        let first_all = self.b.ins().splat(ct::I32X4, first);
        let atomic = self.words([!ATOMIC as i32; 4]);
        // An earlier interval's, or the lane's own. Epochs are positive numbers.
        let fine = |e: &mut Self, epochs: [cl::Value; 2]| {
            let old = epochs.map(|w| e.b.ins().icmp(Cc::SignedLessThan, w, first_all));
            let plain = epochs.map(|w| e.b.ins().band(w, atomic));
            let mine = [0, 1].map(|n| e.b.ins().icmp(Cc::Equal, plain[n], me[n]));
            [0, 1].map(|n| e.b.ins().bor(old[n], mine[n]))
        };
        let ok = fine(self, w);
        let ok = self.all(&ok);
        self.require(ok, Bail::SharedRace);
        if !writes {
            let block = self.b.ins().splat(ct::I32X4, block);
            let written = w.map(|w| self.b.ins().icmp(Cc::SignedGreaterThanOrEqual, w, block));
            let written = self.all(&written);
            self.require(written, Bail::Uninitialised);
        }
        if !writes || between.reads {
            let readers = self.shared_cell(place.root, offset_of!(View, read_lines), cell);
            let r = [0, 16].map(|at| self.b.ins().load(ct::I32X4, trusted_unaligned(), readers, at));
            if writes {
                let ok = fine(self, r);
                let ok = self.all(&ok);
                self.require(ok, Bail::SharedRace);
            } else {
                let several = self.b.ins().bor_imm_s(first, i64::from(SEVERAL));
                let several = self.b.ins().splat(ct::I32X4, several);
                let alone = fine(self, r);
                for n in 0..2 {
                    let new = self.choose(alone[n], me[n], several);
                    self.b.ins().store(trusted_unaligned(), new, readers, 16 * n as i32);
                }
            }
        }
        if writes {
            for (&me, at) in me.iter().zip([0, 16]) {
                self.b.ins().store(trusted_unaligned(), me, writers, at);
            }
        }
        Ok(())
    }

    /// An access to global memory on which threads may race, by lanes side by side. The usual case is inline: half a line
    /// whose epochs are all old or those of these threads. The line's epoch then stands for the other half, too, of which it
    /// says too much rather than too little.
    fn global_run(&mut self, place: Place, how: u64) -> Result<(), Refusal> {
        let (own, other) = if how == kind::WRITE {
            (offset_of!(View, write_lines), offset_of!(View, read_lines))
        } else {
            (offset_of!(View, read_lines), offset_of!(View, write_lines))
        };
        let (launch, block, first) = (
            self.fixed_field(ct::I32, offset_of!(Frame, launch_epoch)),
            self.fixed_field(ct::I32, offset_of!(Frame, block_epoch)),
            self.fixed_field(ct::I32, offset_of!(Frame, first_epoch)),
        );
        let cell = self.b.ins().ushr_imm_s(place.offset, i64::from(place.width_log2));
        let inside = self.b.ins().band_imm_s(cell, 15);
        let inside = self.b.ins().ireduce(ct::I32, inside);
        let (go_on, slow, half) = (self.b.create_block(), self.b.create_block(), self.b.create_block());
        self.b.set_cold_block(slow);
        // Lanes of one row have the whole line then.
        let [x, y, z] = self.given.promises.shape.block_dim;
        if y == 1 && z == 1 || x % 16 == 0 {
            let of_line = self.b.ins().band_imm_s(self.lane, 15);
            let fine = self.b.ins().icmp(Cc::Equal, of_line, inside);
            self.b.ins().brif(fine, half, &[], slow, &[]);
        } else {
            self.b.ins().jump(slow, &[]);
        }
        self.b.switch_to_block(half);
        let line = self.b.ins().ushr_imm_s(cell, LINE_LOG2);
        let line = self.b.ins().ishl_imm_s(line, 2);
        let me = self.b.ins().bor(first, self.lane);
        let me = self.b.ins().isub(me, inside);
        let own = self.view_field(place.root, ct::I64, own);
        let own = self.b.ins().iadd(own, line);
        let other = self.view_field(place.root, ct::I64, other);
        let other = self.b.ins().iadd(other, line);
        let mut fine = Vec::new();
        for at in [own, other] {
            let epoch = self.b.ins().load(ct::I32, trusted(), at, 0);
            fine.push(self.is_mine(epoch, (launch, block, first), me));
        }
        let fine = self.b.ins().band(fine[0], fine[1]);
        let write = self.b.create_block();
        self.b.ins().brif(fine, write, &[], slow, &[]);
        self.b.switch_to_block(write);
        self.b.ins().store(trusted(), me, own, 0);
        self.b.ins().jump(go_on, &[]);
        self.b.switch_to_block(slow);
        self.stamp_all(place, how, true)?;
        self.b.ins().jump(go_on, &[]);
        self.b.switch_to_block(go_on);
        Ok(())
    }

    /// Has the detector compare an access of all lanes that run together: side by side, or at one place.
    pub(crate) fn stamp_all(&mut self, place: Place, how: u64, side: bool) -> Result<(), Refusal> {
        let root = self.b.ins().iconst(ct::I64, i64::from(place.root));
        let form = if side { kind::RUN } else { kind::SAME };
        let what = self.b.ins().iconst(ct::I64, (1i64 << place.width_log2) | ((how | form) as i64) << 32);
        let thread = self.b.ins().uextend(ct::I64, self.lane);
        let fine = self.helper(Helper::Stamp, &[root, place.offset, what, thread]);
        self.require(fine, Bail::GlobalRace);
        Ok(())
    }

    // Control.

    /// A branch on a condition that differs between the lanes. All go one way, or each goes on alone.
    pub(crate) fn vector_branch(
        &mut self,
        block: Block,
        at: usize,
        cond: Value,
        [yes, no]: [cl::Block; 2],
    ) -> Result<(), Refusal> {
        let mask = self.many(cond)?;
        let all = self.all(&mask);
        let (other, mixed) = (self.b.create_block(), self.b.create_block());
        self.b.ins().brif(all, yes, &[], other, &[]);
        self.b.switch_to_block(other);
        let any = self.b.ins().bor(mask[0], mask[1]);
        let any = self.b.ins().vany_true(any);
        self.b.set_cold_block(mixed);
        self.b.ins().brif(any, mixed, &[], no, &[]);
        self.b.switch_to_block(mixed);
        let n = self.given.parting.iter().position(|p| (p.block, p.at) == (block, at));
        let n = n.ok_or(Refusal("a branch is not in the plan"))?;
        self.keep(&self.given.parting[n].live)?;
        let entry = self.given.plan.syncs.len() + 1 + n;
        let entry = self.b.ins().iconst(ct::I32, entry as i64);
        let end = self.b.ins().iadd_imm_s(self.lane, i64::from(WIDTH));
        let exit = self.lanes_alone(entry, self.lane, end)?;
        let to = self.lane_end;
        self.b.ins().jump(to, &[exit.into()]);
        Ok(())
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
        let fine = self.b.ins().icmp_imm_s(Cc::NotEqual, exit, i64::from(BAIL as i32));
        // The reason stands in the frame.
        let go_on = self.b.create_block();
        let (gone, bail) = (self.gone, self.b.ins().iconst(ct::I32, i64::from(BAIL)));
        self.b.ins().brif(fine, go_on, &[], gone, &[bail.into()]);
        self.b.switch_to_block(go_on);
        let left = self.frame_field(ct::I64, offset_of!(Frame, turns));
        self.b.def_var(self.turns, left);
        Ok(exit)
    }

    /// Stores values of the lanes that run together for later.
    pub(crate) fn keep(&mut self, values: &[Value]) -> Result<(), Refusal> {
        for &v in values {
            if self.is_anew(v) {
                continue;
            }
            let slot = self.slot(v)?;
            let ty = self.ty(v);
            if self.classes.is_none() {
                let x = self.value(v)?;
                self.b.ins().store(trusted(), x, self.words, slot);
                continue;
            }
            let parts = self.many(v)?;
            for lane in 0..WIDTH {
                let x = self.lane_of(ty, &parts, lane)?;
                let at = slot + lane as i32 * LANE_BYTES as i32;
                self.b.ins().store(trusted(), x, self.words, at);
            }
        }
        Ok(())
    }

    /// Loads values that were stored, for lanes that go on at `entry`. Lanes that went alone before may differ where those that
    /// run together do not: then they go on alone.
    pub(crate) fn fetch(&mut self, values: &[Value], entry: usize) -> Result<(), Refusal> {
        let mut same: Option<cl::Value> = None;
        for &v in values {
            if self.is_anew(v) {
                continue;
            }
            let slot = self.slot(v)?;
            let reg = register(self.ty(v))?;
            let lanes = if self.classes.is_some() { WIDTH as i32 } else { 1 };
            let at = |lane: i32| slot + lane * LANE_BYTES as i32;
            let stride = match self.class(v) {
                Class::Many => {
                    let words: Vec<cl::Value> =
                        (0..lanes).map(|n| self.b.ins().load(reg, trusted(), self.words, at(n))).collect();
                    let parts = self.gather(self.ty(v), &words)?;
                    self.define_many(v, &parts)?;
                    continue;
                }
                Class::Affine(stride) => stride,
                _ => 0,
            };
            let x = self.b.ins().load(reg, trusted(), self.words, at(0));
            self.define(v, x)?;
            // Bits are compared: a NaN is equal to itself.
            let bits = reg.as_int();
            let first = self.b.ins().load(bits, trusted(), self.words, at(0));
            for n in 1..lanes {
                let other = self.b.ins().load(bits, trusted(), self.words, at(n));
                let wanted =
                    if stride == 0 { first } else { self.b.ins().iadd_imm_s(first, stride * i64::from(n)) };
                let equal = self.b.ins().icmp(Cc::Equal, other, wanted);
                same = Some(same.map_or(equal, |same| self.b.ins().band(same, equal)));
            }
        }
        if let Some(same) = same {
            let (go_on, alone) = (self.b.create_block(), self.b.create_block());
            self.b.set_cold_block(alone);
            self.b.ins().brif(same, go_on, &[], alone, &[]);
            self.b.switch_to_block(alone);
            let entry = self.b.ins().iconst(ct::I32, entry as i64);
            let end = self.b.ins().iadd_imm_s(self.lane, i64::from(WIDTH));
            let exit = self.lanes_alone(entry, self.lane, end)?;
            let to = self.lane_end;
            self.b.ins().jump(to, &[exit.into()]);
            self.b.switch_to_block(go_on);
        }
        Ok(())
    }

    fn slot(&self, v: Value) -> Result<i32, Refusal> {
        let n = self.given.slots.get(&v).ok_or(Refusal("a value has no place to be kept"))?;
        i32::try_from(*n as usize * VALUE_BYTES).map_err(|_| Refusal("too much lives across its barriers"))
    }
}

/// Loads and stores of cells and bits, which may be misaligned.
fn trusted_unaligned() -> MemFlagsData {
    MemFlagsData::new().with_notrap()
}
