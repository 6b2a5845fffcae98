//! Accesses to memory by lanes that run together, side by side: one check for all of them.

use crate::Refusal;
use crate::abi::{ATOMIC, Bail, Helper, SEVERAL, View, kind};
use crate::access::{LINE_LOG2, Place, guest};
use crate::classes::Class;
use crate::emit::{Emitter, trusted, unaligned};
use crate::vector::{Parts, WIDTH, parts};
use cranelift_codegen::ir::condcodes::IntCC as Cc;
use cranelift_codegen::ir::types as ct;
use cranelift_codegen::ir::{self as cl, InstBuilder};
use cudair_ir::*;
use std::mem::offset_of;

impl Emitter<'_, '_> {
    /// The place of the first lane of an access by lanes side by side, with bounds and alignment of all of them checked.
    fn run(&mut self, ptr: Value, ty: Type, align_log2: u8, writes: bool) -> Result<Option<Place>, Refusal> {
        let width = ty.mem_bytes();
        let fits = matches!(ty, Type::I8 | Type::I16 | Type::I32 | Type::F32 | Type::F64);
        if self.class(ptr) != Class::Affine(width.into()) || !fits {
            return Ok(None);
        }
        let width_log2 = width.trailing_zeros() as u8;
        if !self.suits_run(ptr, ty, align_log2) {
            return Ok(None);
        }
        let Some(place) = self.place(ptr, ty, align_log2, writes)? else { return Ok(None) };
        let last = self.b.ins().iadd_imm_s(place.offset, i64::from((WIDTH - 1) * width));
        self.check_bounds(place.root, last, width_log2, writes);
        Ok(Some(place))
    }

    /// Whether what lanes access side by side is aligned, and a granule each where somebody looks at granules.
    fn suits_run(&self, ptr: Value, ty: Type, align_log2: u8) -> bool {
        let width_log2 = ty.mem_bytes().trailing_zeros() as u8;
        let granule = match self.root_of(ptr) {
            Some(root) if self.is_shared(root) => self.given.plan.shared_granule(root as usize),
            Some(root) if !self.is_watched(root) => width_log2,
            Some(_) => self.given.plan.global_granule(),
            None => return false,
        };
        granule == width_log2 && align_log2.max(self.alignment(ptr, 12)) >= width_log2
    }

    pub(crate) fn vector_load(
        &mut self,
        inst: Inst,
        ty: Type,
        flags: MemFlags,
        ptr: Value,
    ) -> Result<Option<Parts>, Refusal> {
        if self.is_local(ptr) {
            return self.local_gather(ty, flags, ptr).map(Some);
        }
        if self.mask.is_some() && self.is_run_of_some(ptr, ty, flags.align_log2) {
            let words = self.if_all_inside(inst, ptr, ty, |e| {
                let x = e.run_load(ty, flags, ptr)?;
                x.ok_or(Refusal("lanes that run are not side by side"))
            })?;
            return Ok(Some(words));
        }
        if self.mask.is_none()
            && let Some(x) = self.run_load(ty, flags, ptr)?
        {
            return Ok(Some(x));
        }
        self.gather_load(ty, flags, ptr)
    }

    fn run_load(&mut self, ty: Type, flags: MemFlags, ptr: Value) -> Result<Option<Parts>, Refusal> {
        let Some(place) = self.run(ptr, ty, flags.align_log2, false)? else { return Ok(None) };
        if self.is_shared(place.root) {
            self.shared_run(place, false)?;
        } else {
            let facts = self.given.promises.roots[place.root as usize];
            if facts.bitmap && !self.unchecked {
                let (word, mask) = self.run_bits(place);
                let have = self.b.ins().band(word, mask);
                let fine = self.b.ins().icmp(Cc::Equal, have, mask);
                self.require(fine, Bail::Uninitialised);
            }
            if self.is_watched(place.root) {
                self.global_run(place, kind::READ)?;
            }
        }
        let at = self.address(place);
        if let Type::I8 | Type::I16 = ty {
            let all = match ty {
                Type::I8 => self.b.ins().uload8x8(guest(), at, 0),
                _ => self.b.ins().load(ct::I16X8, guest(), at, 0),
            };
            let halves = [self.b.ins().uwiden_low(all), self.b.ins().uwiden_high(all)];
            return Ok(Some(halves.into_iter().collect()));
        }
        let (reg, n) = parts(ty)?;
        Ok(Some((0..n as i32).map(|i| self.b.ins().load(reg, guest(), at, 16 * i)).collect()))
    }

    /// Whether the lanes store side by side or at several places, which is done then.
    pub(crate) fn vector_store(
        &mut self,
        inst: Inst,
        flags: MemFlags,
        value: Value,
        ptr: Value,
    ) -> Result<bool, Refusal> {
        if self.is_local(ptr) {
            return self.local_scatter(flags, value, ptr);
        }
        let ty = self.ty(value);
        if self.mask.is_some() && self.is_run_of_some(ptr, ty, flags.align_log2) {
            self.if_all_inside(inst, ptr, ty, |e| {
                let stored = e.run_store(flags, value, ptr)?;
                if stored { Ok(Parts::new()) } else { Err(Refusal("lanes that run are not side by side")) }
            })?;
            return Ok(true);
        }
        if self.mask.is_none() && self.run_store(flags, value, ptr)? {
            return Ok(true);
        }
        self.scatter_store(flags, value, ptr)
    }

    fn run_store(&mut self, flags: MemFlags, value: Value, ptr: Value) -> Result<bool, Refusal> {
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
            if self.is_watched(place.root) {
                self.global_run(place, kind::WRITE)?;
            }
        }
        let at = self.address(place);
        if let Type::I8 | Type::I16 = ty {
            self.store_narrow(at, ty, &x);
        } else {
            self.store_run(at, &x);
        }
        if facts.bitmap && !shared && self.given.promises.threads {
            self.initialise_run_beside_others(place);
        } else if facts.bitmap && !shared {
            let (word, mask) = self.run_bits(place);
            let all = self.b.ins().bor(word, mask);
            let at = self.bits_at(place);
            self.b.ins().store(unaligned(), all, at, 0);
        }
        Ok(true)
    }

    /// Whether lanes, of which some run, access shared memory side by side. Memory of the grid has other owners between them.
    fn is_run_of_some(&self, ptr: Value, ty: Type, align_log2: u8) -> bool {
        let is_shared = self.root_of(ptr).is_some_and(|root| self.is_shared(root));
        is_shared
            && matches!(ty, Type::I32 | Type::F32)
            && self.class(ptr) == Class::Affine(4)
            && self.suits_run(ptr, ty, align_log2)
    }

    /// Of an access by lanes of which some run: does it for all at once where the places of the others are inside, too.
    fn if_all_inside(
        &mut self,
        inst: Inst,
        ptr: Value,
        ty: Type,
        at_once: impl FnOnce(&mut Self) -> Result<Parts, Refusal>,
    ) -> Result<Parts, Refusal> {
        let root = self.root_of(ptr).ok_or(Refusal("a pointer has no root"))?;
        // What the block may read of its shared memory it may write.
        let limit = self.limit(root, 2, false);
        let first = self.first(ptr)?;
        let last = self.b.ins().iadd_imm_s(first, 4 * i64::from(WIDTH - 1));
        let inside = [first, last].map(|x| self.b.ins().icmp(Cc::UnsignedLessThan, x, limit));
        let inside = self.b.ins().band(inside[0], inside[1]);
        let (fast, slow, done) = (self.b.create_block(), self.b.create_block(), self.b.create_block());
        self.b.set_cold_block(slow);
        self.b.ins().brif(inside, fast, &[], slow, &[]);
        self.b.switch_to_block(fast);
        let x = at_once(self)?;
        let out = x.iter().map(|&x| self.b.append_block_param(done, self.b.func.dfg.value_type(x))).collect();
        let args: Vec<cl::BlockArg> = x.into_iter().map(Into::into).collect();
        self.b.ins().jump(done, &args);
        self.b.switch_to_block(slow);
        let words = self.guarded(inst)?;
        let x = if words.is_empty() { Parts::new() } else { self.gather(ty, &words)? };
        let args: Vec<cl::BlockArg> = x.into_iter().map(Into::into).collect();
        self.b.ins().jump(done, &args);
        self.b.switch_to_block(done);
        Ok(out)
    }

    /// The bits of initialisation of lanes side by side, and those that are of them.
    fn run_bits(&mut self, place: Place) -> (cl::Value, cl::Value) {
        let at = self.bits_at(place);
        let word = self.b.ins().load(ct::I64, unaligned(), at, 0);
        let all = (u64::MAX >> (64 - (WIDTH << place.width_log2))) as i64;
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
    pub(crate) fn threads(&mut self, first: cl::Value) -> [cl::Value; 2] {
        let me = self.b.ins().bor(first, self.lane);
        let me = self.b.ins().splat(ct::I32X4, me);
        [0, 4].map(|from| {
            let steps = self.vector_of([from, from + 1, from + 2, from + 3]);
            self.b.ins().iadd(me, steps)
        })
    }

    /// Whether a mask holds in all lanes that run.
    fn all_that_run(&mut self, mut fine: [cl::Value; 2]) -> cl::Value {
        if let Some(mask) = self.mask.as_ref().map(|mask| mask.parts) {
            for n in 0..2 {
                let others = self.b.ins().bnot(mask[n]);
                fine[n] = self.b.ins().bor(fine[n], others);
            }
        }
        self.all(&fine)
    }

    /// Whether a mask holds in all lanes.
    pub(crate) fn all(&mut self, masks: &[cl::Value]) -> cl::Value {
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
        let (block, first) = self.shared_epochs();
        let watched = self.is_watched(place.root);
        if writes && !watched {
            return self.unless_initialised(place.root, |e| {
                let first = e.b.ins().splat(ct::I32X4, first);
                e.store_run(writers, &[first; 2]);
                Ok(())
            });
        }
        if !(writes || between.writes && watched) {
            return self.unless_initialised(place.root, |e| {
                let block = e.b.ins().splat(ct::I32X4, block);
                let fine = [0, 16].map(|at| {
                    let w = e.b.ins().load(ct::I32X4, unaligned(), writers, at);
                    e.b.ins().icmp(Cc::SignedGreaterThanOrEqual, w, block)
                });
                let fine = e.all_that_run(fine);
                e.require(fine, Bail::Uninitialised);
                Ok(())
            });
        }
        let w = [0, 16].map(|at| self.b.ins().load(ct::I32X4, unaligned(), writers, at));
        let me = self.threads(first);
        let first_all = self.b.ins().splat(ct::I32X4, first);
        let atomic = self.vector_of([!ATOMIC as i32; 4]);
        // An earlier interval's, or the lane's own. Epochs are positive numbers.
        let fine = |e: &mut Self, epochs: [cl::Value; 2]| {
            let old = epochs.map(|w| e.b.ins().icmp(Cc::SignedLessThan, w, first_all));
            let plain = epochs.map(|w| e.b.ins().band(w, atomic));
            let mine = [0, 1].map(|n| e.b.ins().icmp(Cc::Equal, plain[n], me[n]));
            [0, 1].map(|n| e.b.ins().bor(old[n], mine[n]))
        };
        let ok = fine(self, w);
        let ok = self.all_that_run(ok);
        self.require(ok, Bail::SharedRace);
        if !writes {
            let block = self.b.ins().splat(ct::I32X4, block);
            let written = w.map(|w| self.b.ins().icmp(Cc::SignedGreaterThanOrEqual, w, block));
            let written = self.all_that_run(written);
            self.require(written, Bail::Uninitialised);
        }
        if !writes || between.reads {
            let readers = self.shared_cell(place.root, offset_of!(View, read_lines), cell);
            let r = [0, 16].map(|at| self.b.ins().load(ct::I32X4, unaligned(), readers, at));
            if writes {
                let ok = fine(self, r);
                let ok = self.all_that_run(ok);
                self.require(ok, Bail::SharedRace);
            } else {
                let several = self.b.ins().bor_imm_s(first, i64::from(SEVERAL));
                let several = self.b.ins().splat(ct::I32X4, several);
                let alone = fine(self, r);
                let new = [0, 1].map(|n| self.choose(alone[n], me[n], several));
                self.store_run(readers, &new);
            }
        }
        if writes {
            self.store_run(writers, &me);
        }
        Ok(())
    }

    /// Stores what lanes side by side have, of those that run.
    fn store_run(&mut self, at: cl::Value, new: &[cl::Value]) {
        let mask = self.mask.as_ref().map(|mask| mask.parts);
        for (n, &x) in new.iter().enumerate() {
            let by = 16 * n as i32;
            let x = match mask {
                Some(mask) => {
                    let ty = self.b.func.dfg.value_type(x);
                    let old = self.b.ins().load(ty, unaligned(), at, by);
                    self.choose(mask[n], x, old)
                }
                None => x,
            };
            self.b.ins().store(unaligned(), x, at, by);
        }
    }

    /// Stores narrow numbers side by side, of lanes that all run.
    fn store_narrow(&mut self, at: cl::Value, ty: Type, x: &Parts) {
        let mut all = self.b.ins().unarrow(x[0], x[1]);
        if ty == Type::I8 {
            let bytes = self.b.ins().unarrow(all, all);
            let words = self.cast_vector(ct::I64X2, bytes);
            all = self.b.ins().extractlane(words, 0);
        }
        self.b.ins().store(guest(), all, at, 0);
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
        let epochs @ (_, _, first) = self.global_epochs();
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
            fine.push(self.is_mine(epoch, epochs, me));
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
}
