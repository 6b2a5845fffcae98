//! Warp operations: what a thread gets from the others of its warp.
//!
//! A warp operation is a synchronisation point of the warp. Each lane that comes to it stores what it offers in the warp's row, and
//! once all 32 are there, each takes what it needs from there. Two rows are used in turn: lanes that go on still read what the first
//! of them may offer anew.
//!
//! All lanes of the warp have to take part. Where the mask is another, compiled code gives up.

use crate::Refusal;
use crate::abi::{Bail, Frame, WARP};
use crate::classes::Class;
use crate::emit::{Emitter, register, unaligned};
use crate::vector::{Parts, WIDTH, parts};
use cranelift_codegen::ir::condcodes::IntCC as Cc;
use cranelift_codegen::ir::types as ct;
use cranelift_codegen::ir::{self as cl, InstBuilder};
use cudair_ir::*;
use std::mem::offset_of;

/// What a lane offers to its warp, and under which mask.
pub(crate) fn offered(data: &InstData) -> Option<(Value, Value)> {
    match *data {
        InstData::Shfl { mask, value, .. } | InstData::Reduce { mask, value, .. } => Some((mask, value)),
        InstData::Vote { mask, pred, .. } => Some((mask, pred)),
        _ => None,
    }
}

/// The mask of a warp operation.
pub(crate) fn mask_of(data: &InstData) -> Option<Value> {
    match *data {
        InstData::WarpSync { mask, .. } => Some(mask),
        _ => offered(data).map(|(mask, _)| mask),
    }
}

/// Why a warp operation is not compiled, if it is none of the usual ones.
pub(crate) fn refused(func: &Function, data: &InstData) -> Option<&'static str> {
    match *data {
        InstData::Shfl { value, width, .. } => {
            let ty = func.value_type(value);
            let is_usual = func.const_bits(width).is_some_and(|w| w.is_power_of_two() && w <= WARP.into());
            let fits = matches!(ty, Type::I32 | Type::F32 | Type::I64 | Type::F64);
            (!is_usual || !fits).then_some("an unusual shuffle")
        }
        _ => None,
    }
}

/// The class of what a warp operation gives.
pub(crate) fn class(func: &Function, known: impl Fn(Value) -> Class, data: &InstData) -> Option<Class> {
    match *data {
        // Lanes that run together are of one segment.
        InstData::Shfl { mode: ShflMode::Idx, lane, width, .. } if known(lane) == Class::Uniform => {
            let is_wide = func.const_bits(width).is_some_and(|w| w >= WIDTH.into());
            Some(if is_wide { Class::Uniform } else { Class::Many })
        }
        InstData::Shfl { .. } => Some(Class::Many),
        InstData::Vote { .. } | InstData::Reduce { .. } => Some(Class::Uniform),
        _ => None,
    }
}

impl Emitter<'_, '_> {
    /// The lanes that run have come to a warp operation.
    pub(crate) fn offer(&mut self, inst: Inst) -> Result<(), Refusal> {
        self.set_idle(false);
        let data = &self.given.func.insts[inst];
        let mask = mask_of(data).ok_or(Refusal("an operation of a warp has no mask"))?;
        if self.given.func.const_bits(mask) != Some(u32::MAX.into()) {
            self.require_full(mask)?;
        }
        let Some((_, v)) = offered(data) else { return Ok(()) };
        let ty = self.ty(v);
        let row = self.fixed_field(ct::I64, offset_of!(Frame, exchange) + 8);
        let lane = self.lane_of_warp();
        let at = self.place_in_row(row, lane, ty);
        if !self.are_several() {
            let x = self.seen(v)?;
            self.b.ins().store(unaligned(), x, at, 0);
            return Ok(());
        }
        let x = if ty == Type::F32 { self.many_seen(v)? } else { self.many(v)? };
        let (reg, _) = parts(ty)?;
        for (i, &x) in x.iter().enumerate() {
            self.b.ins().store(unaligned(), x, at, reg.bytes() as i32 * i as i32);
        }
        Ok(())
    }

    /// Gives up where the mask of any lane that runs leaves out lanes of the warp.
    fn require_full(&mut self, mask: Value) -> Result<(), Refusal> {
        if self.are_several() && self.class(mask) != Class::Uniform {
            let all = self.vector_of([-1; 4]);
            let masks = self.many(mask)?;
            let full: Vec<cl::Value> = masks.iter().map(|&x| self.b.ins().icmp(Cc::Equal, x, all)).collect();
            let fine = self.all(&full);
            self.require(fine, Bail::Barrier);
            return Ok(());
        }
        let x = self.value(mask)?;
        let fine = self.b.ins().icmp_imm_s(Cc::Equal, x, -1);
        self.require(fine, Bail::Barrier);
        Ok(())
    }

    /// The number in its warp of the lane that runs, or of the first one of those that run together.
    fn lane_of_warp(&mut self) -> cl::Value {
        self.b.ins().band_imm_s(self.lane, i64::from(WARP - 1))
    }

    /// Where a lane has its number in a row of the warp's.
    fn place_in_row(&mut self, row: cl::Value, lane: cl::Value, ty: Type) -> cl::Value {
        let lane = self.b.ins().uextend(ct::I64, lane);
        let bytes = self.b.ins().imul_imm_s(lane, i64::from(ty.mem_bytes()));
        self.b.ins().iadd(row, bytes)
    }

    /// The row from which lanes take what was offered.
    fn taken_row(&mut self) -> cl::Value {
        self.fixed_field(ct::I64, offset_of!(Frame, exchange))
    }

    /// The result of a shuffle for one lane.
    pub(crate) fn shuffle(
        &mut self,
        mode: ShflMode,
        value: Value,
        operand: Value,
        width: Value,
    ) -> Result<cl::Value, Refusal> {
        let ty = self.ty(value);
        let width = self.segment(width)?;
        let (lane, operand) = (self.lane_of_warp(), self.value(operand)?);
        let source = self.source(mode, ct::I32, (lane, operand), width);
        let row = self.taken_row();
        let at = self.place_in_row(row, source, ty);
        Ok(self.b.ins().load(register(ty)?, unaligned(), at, 0))
    }

    /// The same for all lanes that run together.
    pub(crate) fn shuffle_lanes(
        &mut self,
        mode: ShflMode,
        value: Value,
        operand: Value,
        width: Value,
    ) -> Result<Parts, Refusal> {
        let ty = self.ty(value);
        let width = self.segment(width)?;
        let operands = self.many(operand)?;
        let first = self.lane_of_warp();
        let first = self.b.ins().splat(ct::I32X4, first);
        let mut sources = Parts::new();
        for (n, &operand) in operands.iter().enumerate() {
            let steps = self.vector_of(std::array::from_fn(|i| (4 * n + i) as i32));
            let lane = self.b.ins().iadd(first, steps);
            sources.push(self.source(mode, ct::I32X4, (lane, operand), width));
        }
        let row = self.taken_row();
        let mut places = Vec::with_capacity(WIDTH as usize);
        for lane in 0..WIDTH {
            let source = self.lane_of(Type::I32, &sources, lane)?;
            places.push((self.place_in_row(row, source, ty), 0));
        }
        self.load_words(ty, places)
    }

    fn segment(&self, width: Value) -> Result<i64, Refusal> {
        let width = self.given.func.const_bits(width).and_then(|w| i64::try_from(w).ok());
        width.ok_or(Refusal("an unusual shuffle"))
    }

    /// The lane that a shuffle reads, below 32 ([`ShflMode::source`]), of words or of vectors of them.
    fn source(
        &mut self,
        mode: ShflMode,
        ty: cl::Type,
        (lane, operand): (cl::Value, cl::Value),
        width: i64,
    ) -> cl::Value {
        let word = |e: &mut Self, x: i64| {
            let x = e.b.ins().iconst(ct::I32, x);
            if ty == ct::I32 { x } else { e.b.ins().splat(ty, x) }
        };
        let (low, all) = (word(self, width - 1), word(self, i64::from(WARP) - width));
        let start = self.b.ins().band(lane, all);
        let inside = self.b.ins().band(lane, low);
        let (source, is_inside) = match mode {
            ShflMode::Idx => {
                let to = self.b.ins().band(operand, low);
                return self.b.ins().iadd(start, to);
            }
            ShflMode::Up => {
                let source = self.b.ins().isub(lane, operand);
                (source, self.b.ins().icmp(Cc::UnsignedLessThanOrEqual, operand, inside))
            }
            ShflMode::Down => {
                let left = self.b.ins().isub(low, inside);
                let source = self.b.ins().iadd(lane, operand);
                (source, self.b.ins().icmp(Cc::UnsignedLessThanOrEqual, operand, left))
            }
            ShflMode::Bfly => {
                let last = self.b.ins().bor(start, low);
                let source = self.b.ins().bxor(lane, operand);
                (source, self.b.ins().icmp(Cc::UnsignedLessThanOrEqual, source, last))
            }
        };
        if ty == ct::I32 {
            self.b.ins().select(is_inside, source, lane)
        } else {
            self.choose(is_inside, source, lane)
        }
    }

    /// The words that the lanes of the warp have offered, as vectors.
    fn all_taken(&mut self) -> Vec<cl::Value> {
        let row = self.taken_row();
        let load = |n| self.b.ins().load(ct::I32X4, unaligned(), row, 16 * n);
        (0..WARP as i32 / 4).map(load).collect()
    }

    /// The result of a vote, the same for all lanes of the warp.
    pub(crate) fn vote(&mut self, mode: VoteMode) -> cl::Value {
        let zero = self.vector_of([0; 4]);
        let mut ballot = self.b.ins().iconst(ct::I32, 0);
        for (n, x) in self.all_taken().into_iter().enumerate() {
            let holds = self.b.ins().icmp(Cc::NotEqual, x, zero);
            let bits = self.b.ins().vhigh_bits(ct::I32, holds);
            let bits = self.b.ins().ishl_imm_s(bits, 4 * n as i64);
            ballot = self.b.ins().bor(ballot, bits);
        }
        let holds = match mode {
            VoteMode::Ballot => return ballot,
            VoteMode::All => self.b.ins().icmp_imm_s(Cc::Equal, ballot, -1),
            VoteMode::Any => self.b.ins().icmp_imm_s(Cc::NotEqual, ballot, 0),
            VoteMode::Uni => {
                // All or none: one more is none or one.
                let next = self.b.ins().iadd_imm_s(ballot, 1);
                self.b.ins().icmp_imm_s(Cc::UnsignedLessThanOrEqual, next, 1)
            }
        };
        self.b.ins().uextend(ct::I32, holds)
    }

    /// The result of a reduction, the same for all lanes of the warp.
    pub(crate) fn reduce(&mut self, op: ReduceOp) -> cl::Value {
        let both = |e: &mut Self, x: cl::Value, y: cl::Value| {
            let ins = e.b.ins();
            match op {
                ReduceOp::Add => ins.iadd(x, y),
                ReduceOp::Smin => ins.smin(x, y),
                ReduceOp::Smax => ins.smax(x, y),
                ReduceOp::Umin => ins.umin(x, y),
                ReduceOp::Umax => ins.umax(x, y),
                ReduceOp::And => ins.band(x, y),
                ReduceOp::Or => ins.bor(x, y),
                ReduceOp::Xor => ins.bxor(x, y),
            }
        };
        let mut all = self.all_taken();
        let mut last = all.remove(0);
        for x in all {
            last = both(self, last, x);
        }
        let words = [0, 1, 2, 3].map(|n| self.b.ins().extractlane(last, n));
        let [a, b] = [both(self, words[0], words[1]), both(self, words[2], words[3])];
        both(self, a, b)
    }
}
