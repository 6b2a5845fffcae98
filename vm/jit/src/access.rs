//! Accesses to memory, with the checks that the bytecode's engine makes: bounds and rights, alignment, initialisation,
//! races, and the undo log before a write.

use crate::Refusal;
use crate::abi::{APART, ATOMIC, Bail, Frame, Helper, SEVERAL, View, kind};
use crate::emit::{Emitter, register, trusted};
use crate::plan::{From, Root};
use cranelift_codegen::ir::condcodes::IntCC as Cc;
use cranelift_codegen::ir::types as ct;
use cranelift_codegen::ir::{self as cl, InstBuilder, MemFlagsData};
use cudair_ir::*;
use std::mem::offset_of;

/// Cells of a line of epochs, as a power of two.
pub(crate) const LINE_LOG2: i64 = 4;

/// An access to an object with a root.
#[derive(Clone, Copy)]
pub(crate) struct Place {
    pub root: u32,
    /// Bytes from the object's start.
    pub offset: cl::Value,
    /// Bytes of the access as a power of two.
    pub width_log2: u8,
    /// Whether the offset is a multiple of the width.
    pub aligned: bool,
}

impl Emitter<'_, '_> {
    pub(crate) fn load(&mut self, ty: Type, flags: MemFlags, ptr: Value) -> Result<cl::Value, Refusal> {
        if self.is_local(ptr) {
            return self.local_load(ty, flags, ptr);
        }
        let reg = register(ty)?;
        let Some(place) = self.place(ptr, ty, flags.align_log2, false)? else {
            let p = self.value(ptr)?;
            self.unknown(Helper::Load, p, ty, flags.align_log2)?;
            let x = self.frame_field(reg, offset_of!(Frame, value));
            return Ok(self.condition(ty, x));
        };
        self.check_initialised(place);
        if self.is_shared(place.root) {
            self.shared_read(place)?;
        } else if self.is_watched(place.root) {
            self.global(place, kind::READ)?;
        }
        let at = self.address(place);
        let x = self.b.ins().load(reg, guest(), at, 0);
        Ok(self.condition(ty, x))
    }

    /// What was read of a condition's byte counts in its lowest bit.
    pub(crate) fn condition(&mut self, ty: Type, x: cl::Value) -> cl::Value {
        if ty == Type::I1 { self.b.ins().band_imm_s(x, 1) } else { x }
    }

    pub(crate) fn store(&mut self, flags: MemFlags, value: Value, ptr: Value) -> Result<(), Refusal> {
        let ty = self.ty(value);
        let x = if ty.is_ptr() { self.full(value)? } else { self.seen(value)? };
        if self.is_local(ptr) {
            return self.local_store((value, x), flags, ptr);
        }
        let Some(place) = self.place(ptr, ty, flags.align_log2, true)? else {
            let p = self.value(ptr)?;
            self.set_frame_field(x, offset_of!(Frame, value));
            return self.unknown(Helper::Store, p, ty, flags.align_log2);
        };
        self.before_write(place)?;
        if self.is_shared(place.root) {
            self.shared_write(place)?;
        } else if self.is_watched(place.root) {
            self.global(place, kind::WRITE)?;
        }
        let at = self.address(place);
        self.b.ins().store(guest(), x, at, 0);
        self.initialise(place);
        Ok(())
    }

    /// An atomic read-modify-write. Gives the old value.
    pub(crate) fn update(&mut self, op: AtomicOp, ptr: Value, value: Value) -> Result<cl::Value, Refusal> {
        let ty = self.ty(value);
        let y = self.seen(value)?;
        let (at, x) = self.before_update(ptr, ty)?;
        if self.given.promises.threads && !self.root_of(ptr).is_some_and(|root| self.is_shared(root)) {
            return self.update_beside_others(op, register(ty)?, at, y);
        }
        let ins = self.b.ins();
        let new = match op {
            AtomicOp::Add => ins.iadd(x, y),
            AtomicOp::Sub => ins.isub(x, y),
            AtomicOp::Smin => ins.smin(x, y),
            AtomicOp::Smax => ins.smax(x, y),
            AtomicOp::Umin => ins.umin(x, y),
            AtomicOp::Umax => ins.umax(x, y),
            AtomicOp::And => ins.band(x, y),
            AtomicOp::Or => ins.bor(x, y),
            AtomicOp::Xor => ins.bxor(x, y),
            AtomicOp::Xchg => y,
            AtomicOp::Fadd if ty == Type::F32 => {
                let sum = ins.fadd(x, y);
                self.device_nan(sum)
            }
            AtomicOp::Fadd => ins.fadd(x, y),
            AtomicOp::Inc => {
                let ends = ins.icmp(Cc::UnsignedGreaterThanOrEqual, x, y);
                let more = self.b.ins().iadd_imm_s(x, 1);
                let zero = self.b.ins().iconst(register(ty)?, 0);
                self.b.ins().select(ends, zero, more)
            }
            AtomicOp::Dec => {
                let beyond = ins.icmp(Cc::UnsignedGreaterThan, x, y);
                let none = self.b.ins().icmp_imm_s(Cc::Equal, x, 0);
                let ends = self.b.ins().bor(beyond, none);
                let less = self.b.ins().iadd_imm_s(x, -1);
                self.b.ins().select(ends, y, less)
            }
            AtomicOp::Fmin | AtomicOp::Fmax => return Err(Refusal("an unusual atomic operation")),
        };
        self.b.ins().store(guest(), new, at, 0);
        Ok(x)
    }

    /// An atomic compare-and-swap. Gives the old value.
    pub(crate) fn compare_and_swap(
        &mut self,
        ptr: Value,
        expected: Value,
        new: Value,
    ) -> Result<cl::Value, Refusal> {
        let (expected, wanted) = (self.value(expected)?, self.value(new)?);
        let (at, x) = self.before_update(ptr, self.ty(new))?;
        let equal = self.b.ins().icmp(Cc::Equal, x, expected);
        let new = self.b.ins().select(equal, wanted, x);
        self.b.ins().store(guest(), new, at, 0);
        Ok(x)
    }

    /// Says that what follows may hang on the order of threads, where the result of an atomic operation is used.
    pub(crate) fn uses_order(&mut self, inst: Inst) {
        if self.given.plan.seen.contains(&inst) {
            let set = self.b.ins().iconst(ct::I32, 1);
            self.set_frame_field(set, offset_of!(Frame, unsteady));
        }
    }

    /// The checks before an atomic operation; the address, and what is there.
    fn before_update(&mut self, ptr: Value, ty: Type) -> Result<(cl::Value, cl::Value), Refusal> {
        if self.is_local(ptr) {
            return Err(Refusal("an atomic operation on a local variable"));
        }
        let align = ty.mem_bytes().trailing_zeros() as u8;
        let Some(place) = self.place(ptr, ty, align, true)? else {
            return Err(Refusal("an atomic operation through a pointer of which nothing is known"));
        };
        // What may be written may be read.
        self.check_initialised(place);
        self.before_write(place)?;
        if self.is_shared(place.root) {
            self.shared_update(place)?;
        } else if self.is_watched(place.root) {
            self.global(place, kind::UPDATE)?;
        }
        let at = self.address(place);
        Ok((at, self.b.ins().load(register(ty)?, guest(), at, 0)))
    }

    /// An access through a pointer of which nothing is known, by a helper.
    fn unknown(&mut self, helper: Helper, p: cl::Value, ty: Type, align_log2: u8) -> Result<(), Refusal> {
        let what = i64::from(ty.mem_bytes()) | i64::from(align_log2) << 32;
        let what = self.b.ins().iconst(ct::I64, what);
        let thread = self.b.ins().uextend(ct::I64, self.lane);
        let fine = self.helper(helper, &[p, what, thread]);
        self.require(fine, Bail::Refused);
        Ok(())
    }

    /// Whether atomic operations on a root do not race here.
    pub(crate) fn is_free(&self, root: u32) -> bool {
        !self.is_watched(root) || self.is_shared(root) && self.between(root).is_atomic()
    }

    /// Whether threads may race on what is behind a root.
    pub(crate) fn is_watched(&self, root: u32) -> bool {
        self.given.promises.roots[root as usize].watched
    }

    pub(crate) fn is_shared(&self, root: u32) -> bool {
        matches!(self.given.plan.roots[root as usize], Root::Shared(_))
    }

    /// The place that a pointer with a root names, once bounds, rights and alignment are checked.
    pub(crate) fn place(
        &mut self,
        ptr: Value,
        ty: Type,
        align_log2: u8,
        writes: bool,
    ) -> Result<Option<Place>, Refusal> {
        let From::Root(root) = self.given.plan.from[ptr] else { return Ok(None) };
        let width_log2 = ty.mem_bytes().trailing_zeros() as u8;
        let offset = self.value(ptr)?;
        self.check_bounds(root, offset, width_log2, writes);
        let known = self.alignment(ptr, 12);
        if align_log2 > known {
            self.check_alignment(offset, align_log2);
        }
        Ok(Some(Place { root, offset, width_log2, aligned: align_log2.max(known) >= width_log2 }))
    }

    /// The root of a pointer, if it has one.
    pub(crate) fn root_of(&self, ptr: Value) -> Option<u32> {
        match self.given.plan.from[ptr] {
            From::Root(root) => Some(root),
            _ => None,
        }
    }

    /// Gives up where an access at an offset is not inside its object, or not allowed.
    pub(crate) fn check_bounds(&mut self, root: u32, offset: cl::Value, width_log2: u8, writes: bool) {
        let limit = self.limit(root, width_log2, writes);
        let fine = self.b.ins().icmp(Cc::UnsignedLessThan, offset, limit);
        self.require(fine, Bail::Access);
    }

    /// The first offset at which an access to an object does not fit any more, or is not allowed.
    pub(crate) fn limit(&mut self, root: u32, width_log2: u8, writes: bool) -> cl::Value {
        // What a block shares may be read and written.
        let limits =
            if writes && !self.is_shared(root) { offset_of!(View, writes) } else { offset_of!(View, reads) };
        self.view_field(root, ct::I64, limits + 8 * usize::from(width_log2))
    }

    /// Gives up where an offset, or what is left of several combined by *or*, is not a multiple of a power of two.
    pub(crate) fn check_alignment(&mut self, offset: cl::Value, align_log2: u8) {
        let low = self.b.ins().band_imm_s(offset, (1 << align_log2) - 1);
        let fine = self.b.ins().icmp_imm_s(Cc::Equal, low, 0);
        self.require(fine, Bail::Alignment);
    }

    /// Of how high a power of two a value is a multiple, as far as that is seen.
    pub(crate) fn alignment(&self, v: Value, depth: u32) -> u8 {
        const MOST: u8 = 16;
        let func = self.given.func;
        if depth == 0 {
            return 0;
        }
        let Some(inst) = func.def_inst(v) else {
            // A parameter of the kernel points where the launch says.
            let is_of_kernel = matches!(func.values[v].def, ValueDef::Param(b, _) if func.entry() == Some(b));
            return match self.given.plan.from[v] {
                From::Root(n) if is_of_kernel => self.given.promises.roots[n as usize].align_log2,
                _ => 0,
            };
        };
        let of = |v: Value| self.alignment(v, depth - 1);
        match func.insts[inst] {
            InstData::Const { bits: 0, .. } => MOST,
            InstData::Const { bits, .. } => (bits.trailing_zeros() as u8).min(MOST),
            InstData::GlobalAddr { .. } | InstData::SlotAddr { .. } => MOST,
            InstData::PtrAdd { ptr, offset } => of(ptr).min(of(offset)),
            InstData::Cast { op: CastOp::Sext | CastOp::Zext | CastOp::Spacecast, arg, .. } => of(arg),
            InstData::Binary { op: BinaryOp::Iadd | BinaryOp::Isub, args: [a, b], .. } => of(a).min(of(b)),
            InstData::Binary { op: BinaryOp::Imul, args: [a, b], .. } => (of(a) + of(b)).min(MOST),
            InstData::Binary { op: BinaryOp::Shl, args: [a, b], .. } => {
                let by = func.const_bits(b).map_or(0, |n| n.min(16) as u8);
                (of(a) + by).min(MOST)
            }
            InstData::Ternary { op: TernaryOp::Select, args: [_, a, b] } => of(a).min(of(b)),
            _ => 0,
        }
    }

    pub(crate) fn address(&mut self, place: Place) -> cl::Value {
        let data = self.view_field(place.root, ct::I64, offset_of!(View, data));
        self.b.ins().iadd(data, place.offset)
    }

    // Initialisation of global memory.

    fn check_initialised(&mut self, place: Place) {
        if self.unchecked
            || self.is_shared(place.root)
            || !self.given.promises.roots[place.root as usize].bitmap
        {
            return;
        }
        let (word, mask) = self.bits(place);
        let have = self.b.ins().band(word, mask);
        let fine = self.b.ins().icmp(Cc::Equal, have, mask);
        self.require(fine, Bail::Uninitialised);
    }

    pub(crate) fn initialise(&mut self, place: Place) {
        if self.is_shared(place.root) || !self.given.promises.roots[place.root as usize].bitmap {
            return;
        }
        if self.given.promises.threads {
            return self.initialise_beside_others(place);
        }
        let (word, mask) = self.bits(place);
        let all = self.b.ins().bor(word, mask);
        let at = self.bits_at(place);
        self.b.ins().store(trusted(), all, at, 0);
    }

    pub(crate) fn bits_at(&mut self, place: Place) -> cl::Value {
        let init = self.view_field(place.root, ct::I64, offset_of!(View, init));
        let byte = self.b.ins().ushr_imm_s(place.offset, 3);
        self.b.ins().iadd(init, byte)
    }

    /// The bits of initialisation around a place (16 of them, so that a misaligned access has its own), and those that are
    /// of it.
    pub(crate) fn bits(&mut self, place: Place) -> (cl::Value, cl::Value) {
        let at = self.bits_at(place);
        let word = self.b.ins().load(ct::I16, trusted(), at, 0);
        let shift = self.b.ins().band_imm_s(place.offset, 7);
        let all = self.b.ins().iconst(ct::I16, (1 << (1u32 << place.width_log2)) - 1);
        let mask = self.b.ins().ishl(all, shift);
        (word, mask)
    }

    // The undo log.

    fn before_write(&mut self, place: Place) -> Result<(), Refusal> {
        if self.is_shared(place.root) || !self.given.promises.roots[place.root as usize].kept {
            return Ok(());
        }
        let mut is_kept = self.is_kept(place.root, place.offset);
        if !place.aligned {
            // It may go on in the next page.
            let inside = self.b.ins().band_imm_s(place.offset, 0xfff);
            let fits =
                self.b.ins().icmp_imm_s(Cc::UnsignedLessThanOrEqual, inside, 4096 - (1 << place.width_log2));
            let fits = self.b.ins().uextend(ct::I64, fits);
            is_kept = self.b.ins().band(is_kept, fits);
        }
        self.unless(is_kept, |e| {
            let root = e.b.ins().iconst(ct::I64, i64::from(place.root));
            let width = e.b.ins().iconst(ct::I64, 1 << place.width_log2);
            let fine = e.helper(Helper::Save, &[root, place.offset, width]);
            e.require(fine, Bail::Refused);
            Ok(())
        })
    }

    /// Whether the page of an offset is in the undo log, as a word.
    pub(crate) fn is_kept(&mut self, root: u32, offset: cl::Value) -> cl::Value {
        let saved = self.view_field(root, ct::I64, offset_of!(View, saved));
        let page = self.b.ins().ushr_imm_s(offset, 12);
        let bit = self.b.ins().band_imm_s(page, 63);
        let word = self.b.ins().ushr_imm_s(offset, 18);
        let word = self.b.ins().ishl_imm_s(word, 3);
        let at = self.b.ins().iadd(saved, word);
        let word = self.b.ins().load(ct::I64, trusted(), at, 0);
        let shifted = self.b.ins().ushr(word, bit);
        self.b.ins().band_imm_s(shifted, 1)
    }

    // Races.

    /// The first epochs of the launch, of the block and of the running interval, in global memory.
    pub(crate) fn global_epochs(&mut self) -> (cl::Value, cl::Value, cl::Value) {
        (
            self.fixed_field(ct::I32, offset_of!(Frame, launch_epoch)),
            self.fixed_field(ct::I32, offset_of!(Frame, block_epoch)),
            self.fixed_field(ct::I32, offset_of!(Frame, first_epoch)),
        )
    }

    /// The first epochs of the block and of the running interval, in shared memory.
    pub(crate) fn shared_epochs(&mut self) -> (cl::Value, cl::Value) {
        (
            self.fixed_field(ct::I32, offset_of!(Frame, shared_block)),
            self.fixed_field(ct::I32, offset_of!(Frame, shared_first)),
        )
    }

    /// The cells of an access in granules of a size: how many, and the first one's number.
    fn cells(&mut self, place: Place, granule_log2: u8) -> Result<(u32, cl::Value), Refusal> {
        if !place.aligned || place.width_log2 < granule_log2 {
            return Err(Refusal("an access may be misaligned"));
        }
        let cell = self.b.ins().ushr_imm_s(place.offset, i64::from(granule_log2));
        Ok((1 << (place.width_log2 - granule_log2), cell))
    }

    /// Where an epoch of a cell of shared memory is.
    pub(crate) fn shared_cell(&mut self, root: u32, field: usize, cell: cl::Value) -> cl::Value {
        let cells = self.view_field(root, ct::I64, field);
        let at = self.b.ins().ishl_imm_s(cell, 2);
        self.b.ins().iadd(cells, at)
    }

    fn shared_read(&mut self, place: Place) -> Result<(), Refusal> {
        let granule = self.given.plan.shared_granule(place.root as usize);
        let (n, cell) = self.cells(place, granule)?;
        let writers = self.shared_cell(place.root, offset_of!(View, write_lines), cell);
        let (block, first) = self.shared_epochs();
        // Where nobody writes before the next barrier, no read races.
        let races = self.between(place.root).writes && self.is_watched(place.root);
        if !races {
            return self.check_written(place.root, n, writers, block);
        }
        let me = self.b.ins().bor(first, self.lane);
        for i in 0..n as i32 {
            let w = self.b.ins().load(ct::I32, trusted(), writers, 4 * i);
            let since = self.b.ins().isub(w, block);
            let span = self.b.ins().isub(first, block);
            let earlier = self.b.ins().icmp(Cc::UnsignedLessThan, since, span);
            // What several threads read, one of them has not written alone.
            if self.are_several() {
                self.require(earlier, Bail::SharedRace);
            }
            self.unless(earlier, |e| {
                let plain = e.b.ins().band_imm_s(w, !i64::from(ATOMIC));
                let fine = e.b.ins().icmp(Cc::Equal, plain, me);
                e.require(fine, Bail::SharedRace);
                Ok(())
            })?;
            let readers = self.shared_cell(place.root, offset_of!(View, read_lines), cell);
            let r = self.b.ins().load(ct::I32, trusted(), readers, 4 * i);
            let new = if self.are_several() {
                self.b.ins().bor_imm_s(first, i64::from(SEVERAL))
            } else {
                self.reader(r, first, me)
            };
            self.b.ins().store(trusted(), new, readers, 4 * i);
        }
        Ok(())
    }

    /// Gives up where the block has not written all of `n` cells: its first epoch is as good as a bit of initialisation.
    fn check_written(
        &mut self,
        root: u32,
        n: u32,
        writers: cl::Value,
        block: cl::Value,
    ) -> Result<(), Refusal> {
        self.unless_initialised(root, |e| {
            for i in 0..n as i32 {
                let w = e.b.ins().load(ct::I32, trusted(), writers, 4 * i);
                let fine = e.b.ins().icmp(Cc::UnsignedGreaterThanOrEqual, w, block);
                e.require(fine, Bail::Uninitialised);
            }
            Ok(())
        })
    }

    /// Runs `check` but where the block had written all of a `__shared__` variable at its last barrier ([`Frame::initialised`]).
    pub(crate) fn unless_initialised(
        &mut self,
        root: u32,
        check: impl FnOnce(&mut Self) -> Result<(), Refusal>,
    ) -> Result<(), Refusal> {
        if root >= u64::BITS || !self.given.plan.has_barriers() {
            return check(self);
        }
        let all = self.fixed_field(ct::I64, offset_of!(Frame, initialised));
        let bit = self.b.ins().band_imm_s(all, (1u64 << root) as i64);
        self.unless(bit, check)
    }

    /// The epoch of the readers after one more.
    fn reader(&mut self, r: cl::Value, first: cl::Value, me: cl::Value) -> cl::Value {
        let old = self.b.ins().icmp(Cc::UnsignedLessThan, r, first);
        let mine = self.b.ins().icmp(Cc::Equal, r, me);
        let alone = self.b.ins().bor(old, mine);
        let several = self.b.ins().bor_imm_s(first, i64::from(SEVERAL));
        self.b.ins().select(alone, me, several)
    }

    fn shared_write(&mut self, place: Place) -> Result<(), Refusal> {
        let granule = self.given.plan.shared_granule(place.root as usize);
        let (n, cell) = self.cells(place, granule)?;
        let writers = self.shared_cell(place.root, offset_of!(View, write_lines), cell);
        let (_, first) = self.shared_epochs();
        if !self.is_watched(place.root) {
            return self.unless_initialised(place.root, |e| {
                (0..n as i32).for_each(|i| {
                    e.b.ins().store(trusted(), first, writers, 4 * i);
                });
                Ok(())
            });
        }
        let readers = self.shared_cell(place.root, offset_of!(View, read_lines), cell);
        let me = self.b.ins().bor(first, self.lane);
        for i in 0..n as i32 {
            let mut epochs = vec![self.b.ins().load(ct::I32, trusted(), writers, 4 * i)];
            if self.between(place.root).reads {
                epochs.push(self.b.ins().load(ct::I32, trusted(), readers, 4 * i));
            }
            for e in epochs {
                let old = self.b.ins().icmp(Cc::UnsignedLessThan, e, first);
                let plain = self.b.ins().band_imm_s(e, !i64::from(ATOMIC));
                let mine = self.b.ins().icmp(Cc::Equal, plain, me);
                let fine = self.b.ins().bor(old, mine);
                self.require(fine, Bail::SharedRace);
            }
            self.b.ins().store(trusted(), me, writers, 4 * i);
        }
        Ok(())
    }

    fn shared_update(&mut self, place: Place) -> Result<(), Refusal> {
        let granule = self.given.plan.shared_granule(place.root as usize);
        let (n, cell) = self.cells(place, granule)?;
        let writers = self.shared_cell(place.root, offset_of!(View, write_lines), cell);
        let (block, first) = self.shared_epochs();
        if self.is_free(place.root) {
            // Atomic operations alone do not race, and who comes behind the next barrier sees no difference.
            return self.check_written(place.root, n, writers, block);
        }
        let readers = self.shared_cell(place.root, offset_of!(View, read_lines), cell);
        let me = self.b.ins().bor(first, self.lane);
        for i in 0..n as i32 {
            let w = self.b.ins().load(ct::I32, trusted(), writers, 4 * i);
            let fine = self.b.ins().icmp(Cc::UnsignedGreaterThanOrEqual, w, block);
            self.require(fine, Bail::Uninitialised);
            let r = self.b.ins().load(ct::I32, trusted(), readers, 4 * i);
            let old = self.b.ins().icmp(Cc::UnsignedLessThan, r, first);
            let mine = self.b.ins().icmp(Cc::Equal, r, me);
            let fine = self.b.ins().bor(old, mine);
            self.require(fine, Bail::SharedRace);
            // Writers: earlier ones, atomic ones, or this thread.
            let old = self.b.ins().icmp(Cc::UnsignedLessThan, w, first);
            let atomic = self.b.ins().band_imm_s(w, i64::from(ATOMIC));
            let atomic = self.b.ins().icmp_imm_s(Cc::NotEqual, atomic, 0);
            let plain = self.b.ins().band_imm_s(w, !i64::from(ATOMIC));
            let mine = self.b.ins().icmp(Cc::Equal, plain, me);
            let fine = self.b.ins().bor(old, atomic);
            let fine = self.b.ins().bor(fine, mine);
            self.require(fine, Bail::SharedRace);
            // A plain write of this thread stays one.
            let fresh = self.b.ins().bor_imm_s(me, i64::from(ATOMIC));
            let flag = self.b.ins().band_imm_s(w, i64::from(ATOMIC));
            let several = self.b.ins().bor_imm_s(first, i64::from(SEVERAL));
            let several = self.b.ins().bor(several, flag);
            let kept = self.b.ins().select(mine, w, several);
            let new = self.b.ins().select(old, fresh, kept);
            self.b.ins().store(trusted(), new, writers, 4 * i);
        }
        Ok(())
    }

    /// An access to global memory on which threads may race. The usual case is inline: the lines of the cells have been
    /// taken apart, and their epochs are old or this thread's.
    pub(crate) fn global(&mut self, place: Place, how: u64) -> Result<(), Refusal> {
        if self.are_several() {
            return self.stamp_all(place, how, false);
        }
        let granule = self.given.plan.global_granule();
        let inline = place.aligned && place.width_log2 >= granule && how != kind::UPDATE;
        let call = |e: &mut Self| {
            let root = e.b.ins().iconst(ct::I64, i64::from(place.root));
            let what = e.b.ins().iconst(ct::I64, (1i64 << place.width_log2) | (how as i64) << 32);
            let thread = e.b.ins().uextend(ct::I64, e.lane);
            let fine = e.helper(Helper::Stamp, &[root, place.offset, what, thread]);
            e.require(fine, Bail::GlobalRace);
            Ok(())
        };
        if !inline {
            return call(self);
        }
        let (n, cell) = self.cells(place, granule)?;
        for i in 0..n {
            let cell = self.b.ins().iadd_imm_s(cell, i64::from(i));
            self.global_cell(place.root, cell, how == kind::WRITE, &call)?;
        }
        Ok(())
    }

    fn global_cell(
        &mut self,
        root: u32,
        cell: cl::Value,
        writes: bool,
        call: &dyn Fn(&mut Self) -> Result<(), Refusal>,
    ) -> Result<(), Refusal> {
        let (own, own_cells, other, other_cells) = if writes {
            (
                offset_of!(View, write_lines),
                offset_of!(View, write_cells),
                offset_of!(View, read_lines),
                offset_of!(View, read_cells),
            )
        } else {
            (
                offset_of!(View, read_lines),
                offset_of!(View, read_cells),
                offset_of!(View, write_lines),
                offset_of!(View, write_cells),
            )
        };
        let epochs @ (launch, _, first) = self.global_epochs();
        let me = self.b.ins().bor(first, self.lane);
        let (go_on, slow) = (self.b.create_block(), self.b.create_block());
        self.b.set_cold_block(slow);
        let line = self.b.ins().ushr_imm_s(cell, LINE_LOG2);
        let line = self.b.ins().ishl_imm_s(line, 2);
        let inside = self.b.ins().band_imm_s(cell, (1 << LINE_LOG2) - 1);
        // The line of the own side has to be apart.
        let own = self.apart_cell(root, (own, own_cells), line, inside, slow);
        let epoch = self.b.ins().load(ct::I32, trusted(), own, 0);
        // The other side's line may be older than the launch as a whole.
        let others = self.view_field(root, ct::I64, other);
        let others = self.b.ins().iadd(others, line);
        let others = self.b.ins().load(ct::I32, trusted(), others, 0);
        let (look, looked) = (self.b.create_block(), self.b.create_block());
        let none = self.b.ins().icmp(Cc::UnsignedLessThan, others, launch);
        self.b.ins().brif(none, looked, &[], look, &[]);
        self.b.switch_to_block(look);
        let at = self.apart_cell(root, (other, other_cells), line, inside, slow);
        let seen = self.b.ins().load(ct::I32, trusted(), at, 0);
        let fine = self.is_mine(seen, epochs, me);
        self.b.ins().brif(fine, looked, &[], slow, &[]);
        self.b.switch_to_block(looked);
        let fine = self.is_mine(epoch, epochs, me);
        let write = self.b.create_block();
        self.b.ins().brif(fine, write, &[], slow, &[]);
        self.b.switch_to_block(write);
        self.b.ins().store(trusted(), me, own, 0);
        self.b.ins().jump(go_on, &[]);
        self.b.switch_to_block(slow);
        call(self)?;
        self.b.ins().jump(go_on, &[]);
        self.b.switch_to_block(go_on);
        Ok(())
    }

    /// Whether an epoch is older than the launch, of the block before its last barrier, or this thread's.
    pub(crate) fn is_mine(
        &mut self,
        epoch: cl::Value,
        (launch, block, first): (cl::Value, cl::Value, cl::Value),
        me: cl::Value,
    ) -> cl::Value {
        let old = self.b.ins().icmp(Cc::UnsignedLessThan, epoch, launch);
        let mine = self.b.ins().icmp(Cc::Equal, epoch, me);
        let mut fine = self.b.ins().bor(old, mine);
        if !self.given.plan.syncs.is_empty() {
            let since = self.b.ins().isub(epoch, block);
            let span = self.b.ins().isub(first, block);
            let before = self.b.ins().icmp(Cc::UnsignedLessThan, since, span);
            fine = self.b.ins().bor(fine, before);
        }
        fine
    }

    /// Where the epoch of a cell is, if its line is apart.
    fn apart_cell(
        &mut self,
        root: u32,
        (lines, cells): (usize, usize),
        line: cl::Value,
        inside: cl::Value,
        slow: cl::Block,
    ) -> cl::Value {
        let lines = self.view_field(root, ct::I64, lines);
        let at = self.b.ins().iadd(lines, line);
        let epoch = self.b.ins().load(ct::I32, trusted(), at, 0);
        let zero = self.b.ins().iconst(ct::I32, 0);
        let is_apart = self.b.ins().icmp(Cc::SignedLessThan, epoch, zero);
        let go_on = self.b.create_block();
        self.b.ins().brif(is_apart, go_on, &[], slow, &[]);
        self.b.switch_to_block(go_on);
        let n = self.b.ins().band_imm_s(epoch, !i64::from(APART as i32));
        let n = self.b.ins().uextend(ct::I64, n);
        let n = self.b.ins().ishl_imm_s(n, LINE_LOG2);
        let n = self.b.ins().iadd(n, inside);
        let n = self.b.ins().ishl_imm_s(n, 2);
        let cells = self.view_field(root, ct::I64, cells);
        self.b.ins().iadd(cells, n)
    }
}

/// Accesses to the guest's memory: they do not trap, since they are checked, and may be misaligned.
pub(crate) fn guest() -> MemFlagsData {
    MemFlagsData::new().with_notrap()
}
