//! Values that live across synchronisation points, in memory: a row of lanes for each value.
//!
//! Lanes that run together store what is the same for all of them once, for the first lane, and note that they are whole. Where
//! they part, each lane's own is stored, and that is noted. So lanes that come together again know whether they have to compare
//! what should be the same for all. What is the same for all threads of the block is stored once for it, at one of two places in
//! turn: lanes that go on still read what lanes that wait again have written anew.

use crate::Refusal;
use crate::abi::{Frame, LANE_BYTES, VALUE_BYTES};
use crate::classes::Class;
use crate::emit::{Emitter, constant, register, trusted};
use crate::vector::{WIDTH, parts};
use cranelift_codegen::ir::condcodes::IntCC as Cc;
use cranelift_codegen::ir::types as ct;
use cranelift_codegen::ir::{self as cl, InstBuilder};
use cudair_ir::*;
use std::mem::offset_of;

/// What lanes that run together note: that they are whole, or that each has its own values.
const WHOLE: i64 = 0;
const PARTED: i64 = 1;

/// Where the row of a value begins: the address of the first lane's, without and with the row's offset.
#[derive(Clone, Copy)]
struct Row {
    base: cl::Value,
    at: i32,
    /// Bytes from lane to lane.
    step: i32,
}

impl Row {
    fn lane(self, lane: u32) -> i32 {
        self.at + self.step * lane as i32
    }
}

impl Emitter<'_, '_> {
    fn row(&self, number: usize, four_bytes: bool) -> Result<Row, Refusal> {
        let at =
            i32::try_from(number * VALUE_BYTES).map_err(|_| Refusal("too much lives across its barriers"))?;
        let (base, step) = if four_bytes { (self.halves, LANE_BYTES / 2) } else { (self.words, LANE_BYTES) };
        Ok(Row { base, at, step: step as i32 })
    }

    fn row_of(&self, v: Value) -> Result<Row, Refusal> {
        let n = self.given.slots.get(&v).ok_or(Refusal("a value has no place to be kept"))?;
        self.row(*n as usize, matches!(self.ty(v), Type::I32 | Type::F32 | Type::I1))
    }

    /// Notes whether the lanes that run together are whole.
    fn note(&mut self, what: i64) -> Result<(), Refusal> {
        let row = self.row(self.given.slots.len(), true)?;
        let what = self.b.ins().iconst(ct::I32, what);
        self.b.ins().store(trusted(), what, row.base, row.at);
        Ok(())
    }

    /// Whether a value is kept for each group of lanes that run together, and is the same for all of them, but for a stride.
    fn is_shared_by_lanes(&self, v: Value) -> bool {
        !self.is_remat(v) && self.class(v) != Class::Many && !self.given.shared_slots.contains_key(&v)
    }

    /// Where a value is kept that is the same for all threads of the block: with those of the last synchronisation point, or with
    /// those of the next one.
    fn shared_row(&mut self, v: Value, next: bool) -> Option<(cl::Value, i32)> {
        let n = *self.given.shared_slots.get(&v)?;
        let base = self.fixed_field(ct::I64, offset_of!(Frame, uniform) + 8 * usize::from(next));
        Some((base, 8 * n as i32))
    }

    /// Stores values for later: of lanes that run together, at a synchronisation point that all of them have come to.
    pub(crate) fn keep(&mut self, values: &[Value]) -> Result<(), Refusal> {
        if self.classes.is_some() && values.iter().any(|&v| self.is_shared_by_lanes(v)) {
            self.note(WHOLE)?;
        }
        for &v in values {
            if self.is_remat(v) {
                continue;
            }
            if let Some((base, at)) = self.shared_row(v, true) {
                let x = self.first(v)?;
                self.b.ins().store(trusted(), x, base, at);
            } else {
                self.set_idle(false);
                self.keep_one(v, false)?;
            }
        }
        Ok(())
    }

    /// The same where lanes that ran together part.
    pub(crate) fn keep_apart(&mut self, values: &[Value]) -> Result<(), Refusal> {
        values.iter().try_for_each(|&v| self.keep_one(v, true))
    }

    fn keep_one(&mut self, v: Value, apart: bool) -> Result<(), Refusal> {
        if self.is_remat(v) {
            return Ok(());
        }
        let row = self.row_of(v)?;
        if self.classes.is_none() || !apart && self.class(v) != Class::Many {
            let x = self.first(v)?;
            let x = if self.ty(v) == Type::I1 { self.mask_of(x) } else { x };
            self.b.ins().store(trusted(), x, row.base, row.at);
            return Ok(());
        }
        let ty = self.ty(v);
        let all = self.many(v)?;
        if is_contiguous(ty) {
            for (i, &x) in all.iter().enumerate() {
                self.b.ins().store(trusted(), x, row.base, row.at + 16 * i as i32);
            }
            return Ok(());
        }
        for lane in 0..WIDTH {
            let x = self.lane_of(ty, &all, lane)?;
            self.b.ins().store(trusted(), x, row.base, row.lane(lane));
        }
        Ok(())
    }

    /// Loads values that were stored, for lanes that go on at `entry`. Lanes that went alone before may differ where those that
    /// run together do not: then they go on alone.
    pub(crate) fn fetch(&mut self, values: &[Value], entry: usize) -> Result<(), Refusal> {
        let parted = entry > self.given.plan.syncs.len();
        if self.classes.is_some() && values.iter().any(|&v| self.is_shared_by_lanes(v)) {
            self.compare(values, entry)?;
        }
        for &v in values {
            if self.is_remat(v) {
                continue;
            }
            let shared = if parted { None } else { self.shared_row(v, false) };
            if let Some((base, at)) = shared {
                let reg = register(self.ty(v))?;
                let x = self.b.ins().load(reg, constant(), base, at);
                self.define(v, x)?;
                continue;
            }
            let (row, ty) = (self.row_of(v)?, self.ty(v));
            if self.class(v) != Class::Many {
                let x = self.b.ins().load(kept_as(ty)?, trusted(), row.base, row.at);
                let x = if ty == Type::I1 { self.b.ins().icmp_imm_s(Cc::NotEqual, x, 0) } else { x };
                self.define(v, x)?;
                continue;
            }
            let (reg, n) = parts(ty)?;
            let all = if is_contiguous(ty) {
                (0..n as i32).map(|i| self.b.ins().load(reg, trusted(), row.base, row.at + 16 * i)).collect()
            } else {
                let reg = register(ty)?;
                let words: Vec<cl::Value> = (0..WIDTH)
                    .map(|lane| self.b.ins().load(reg, trusted(), row.base, row.lane(lane)))
                    .collect();
                self.gather(ty, &words)?
            };
            self.define_many(v, &all)?;
        }
        Ok(())
    }

    /// Sees to it that lanes which were alone have the same values where lanes that run together must; else they go on alone.
    fn compare(&mut self, values: &[Value], entry: usize) -> Result<(), Refusal> {
        let note = self.row(self.given.slots.len(), true)?;
        let parted = self.b.ins().load(ct::I32, trusted(), note.base, note.at);
        let (compare, go_on, alone) = (self.b.create_block(), self.b.create_block(), self.b.create_block());
        self.b.set_cold_block(compare);
        self.b.set_cold_block(alone);
        self.b.ins().brif(parted, compare, &[], go_on, &[]);
        self.b.switch_to_block(compare);
        let mut differ: Option<cl::Value> = None;
        for &v in values {
            if !self.is_shared_by_lanes(v) {
                continue;
            }
            let (row, stride) = (self.row_of(v)?, self.class(v).stride().unwrap_or(0));
            // Bits are compared: a NaN is equal to itself.
            let bits = kept_as(self.ty(v))?.as_int();
            let first = self.b.ins().load(bits, trusted(), row.base, row.at);
            for lane in 1..WIDTH {
                let other = self.b.ins().load(bits, trusted(), row.base, row.lane(lane));
                let wanted = if stride == 0 {
                    first
                } else {
                    self.b.ins().iadd_imm_s(first, stride * i64::from(lane))
                };
                let bits_that_differ = self.b.ins().bxor(other, wanted);
                let wide = match bits {
                    ct::I64 => bits_that_differ,
                    _ => self.b.ins().uextend(ct::I64, bits_that_differ),
                };
                differ = Some(differ.map_or(wide, |before| self.b.ins().bor(before, wide)));
            }
        }
        let differ = differ.ok_or(Refusal("nothing is compared where lanes come together"))?;
        self.b.ins().brif(differ, alone, &[], go_on, &[]);
        self.b.switch_to_block(alone);
        let entry = self.b.ins().iconst(ct::I32, entry as i64);
        self.part(entry)?;
        self.b.switch_to_block(go_on);
        Ok(())
    }

    /// Lanes that ran together go on one by one to the next synchronisation point, or to their end.
    pub(crate) fn part(&mut self, entry: cl::Value) -> Result<(), Refusal> {
        let end = self.b.ins().iadd_imm_s(self.lane, i64::from(WIDTH));
        let exit = self.lanes_alone(entry, self.lane, end)?;
        self.note(PARTED)?;
        self.set_idle(false);
        let to = self.lane_end;
        self.b.ins().jump(to, &[exit.into()]);
        Ok(())
    }
}

/// Whether the registers of several lanes have a value's bytes as a row in memory has them.
fn is_contiguous(ty: Type) -> bool {
    matches!(ty, Type::I32 | Type::F32 | Type::F64 | Type::I1)
}

/// As what a lane's value is kept: a condition as its part of a mask.
fn kept_as(ty: Type) -> Result<cl::Type, Refusal> {
    if ty == Type::I1 { Ok(ct::I32) } else { register(ty) }
}
