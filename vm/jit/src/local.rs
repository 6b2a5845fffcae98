//! Local variables in memory.
//!
//! Eight lanes in a row share a piece of memory, in which a variable is cut into granules of its widest access. The granules of one
//! number lie side by side, lane by lane, so that what all lanes access at one offset is a vector (the bytecode's engine interleaves
//! its local memory in the same way). Behind them is a byte of each granule, whose bits say which bytes of it are initialised.
//!
//! Where no lane waits for another, all groups of eight lanes of a block use one piece, one after the other.

use crate::Refusal;
use crate::abi::{Bail, Frame};
use crate::access::guest;
use crate::classes::Class;
use crate::copies::Copied;
use crate::emit::{Emitter, register, trusted, unaligned};
use crate::plan::{Root, RootUse};
use crate::vector::{Parts, WIDTH, parts};
use cranelift_codegen::ir::condcodes::IntCC as Cc;
use cranelift_codegen::ir::types as ct;
use cranelift_codegen::ir::{self as cl, InstBuilder, MemFlagsData};
use cudair_ir::*;
use rustc_hash::FxHashMap;
use std::mem::offset_of;

/// Bytes of local variables of a lane, at most.
const MOST: usize = 16 << 10;
/// Granules whose bytes of initialisation are cleared one by one; those of more are cleared in a loop.
const FEW: u32 = 16;

/// Where a variable lies in the memory of eight lanes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Layout {
    /// Bytes of the variable.
    size: u32,
    /// Bytes of a granule as a power of two.
    granule_log2: u8,
    /// Some accesses are narrower than a granule.
    mixed: bool,
    /// Where its first granule is, and the first byte of initialisation: bytes behind the start of the lanes' memory.
    data: i32,
    init: i32,
    /// It is read somewhere: else nobody asks what is initialised.
    reads: bool,
}

/// The local variables of a kernel.
#[derive(Debug, Default)]
pub(crate) struct Locals {
    /// By root.
    layouts: FxHashMap<u32, Layout>,
    /// The roots of the variables.
    roots: FxHashMap<Slot, u32>,
    /// Those that live as long as the kernel runs: without lifetime markers.
    unmarked: Vec<u32>,
    /// Bytes of eight lanes.
    pub bytes: usize,
}

impl Locals {
    /// Whether all accesses to the variable of a root are of so many bytes.
    pub fn is_whole(&self, root: u32, bytes: u32) -> bool {
        self.layouts.get(&root).is_some_and(|l| !l.mixed && 1 << l.granule_log2 == bytes)
    }

    /// Lays out the variables among the roots, which are used so.
    ///
    /// # Errors
    /// They have too many bytes.
    pub fn new(func: &Function, roots: &[Root], uses: &[RootUse]) -> Result<Locals, Refusal> {
        let mut out = Locals::default();
        let marked = crate::lifetimes::marked(func);
        for (n, (root, usage)) in roots.iter().zip(uses).enumerate() {
            let Root::Local(slot) = *root else { continue };
            let size = func.slots[slot].size;
            // Of none, the narrowest is wider than the widest.
            let (narrowest, granule_log2) = (usage.width_log2, usage.widest_log2);
            let granules = size.div_ceil(1 << granule_log2) as usize;
            let data = out.bytes;
            let init = data + (granules << granule_log2) * WIDTH as usize;
            out.bytes = (init + granules * WIDTH as usize).next_multiple_of(16);
            if out.bytes > MOST * WIDTH as usize {
                return Err(Refusal("too many bytes of local variables"));
            }
            let layout = Layout {
                size,
                granule_log2,
                mixed: narrowest < granule_log2,
                data: data as i32,
                init: init as i32,
                reads: usage.reads,
            };
            out.layouts.insert(n as u32, layout);
            out.roots.insert(slot, n as u32);
            if !marked.contains(slot) {
                out.unmarked.push(n as u32);
            }
        }
        // Each lane's memory begins in a line of the cache of its own.
        out.bytes = out.bytes.next_multiple_of(64);
        Ok(out)
    }
}

/// A row of granules of one number: the addresses of the first lane's, without the variable's place, and bytes inside of a granule.
#[derive(Clone, Copy)]
struct Row {
    data: cl::Value,
    init: cl::Value,
    inside: Option<cl::Value>,
}

/// Where a lane has its granule and its byte of initialisation: addresses and displacements.
#[derive(Clone, Copy)]
struct Spot {
    data: (cl::Value, i32),
    init: (cl::Value, i32),
    inside: Option<cl::Value>,
}

/// An access by lanes that run together.
struct Spots {
    layout: Layout,
    width_log2: u8,
    /// All lanes access one row, by its first lane's spot.
    row: Option<Row>,
    lanes: [Spot; WIDTH as usize],
}

impl Emitter<'_, '_> {
    /// The local variable that a pointer points into, if it does.
    fn local(&self, ptr: Value) -> Option<Layout> {
        self.given.plan.locals.layouts.get(&self.root_of(ptr)?).copied()
    }

    /// Whether a pointer points into a local variable.
    pub(crate) fn is_local(&self, ptr: Value) -> bool {
        self.local(ptr).is_some()
    }

    /// Where the lanes' memory is, from the lane that runs on, which is the first of those that run together.
    pub(crate) fn find_locals(&mut self, lane: cl::Value) {
        let bytes = self.given.plan.locals.bytes as i64;
        if bytes == 0 {
            return;
        }
        self.locals = self.fixed_field(ct::I64, offset_of!(Frame, locals));
        if !self.given.plan.syncs.is_empty() {
            let group = self.b.ins().ushr_imm_s(lane, i64::from(WIDTH.trailing_zeros()));
            let before = self.b.ins().imul_imm_s(group, bytes);
            self.locals = self.b.ins().iadd(self.locals, before);
        }
        if self.classes.is_none() {
            self.lane_of_eight = self.b.ins().band_imm_s(lane, i64::from(WIDTH - 1));
        }
    }

    /// The kernel begins: variables without lifetime markers come to life.
    pub(crate) fn begin_locals(&mut self) -> Result<(), Refusal> {
        let plan = self.given.plan;
        for root in &plan.locals.unmarked {
            self.set_idle(false);
            self.forget(plan.locals.layouts[root])?;
        }
        Ok(())
    }

    /// A lifetime marker.
    pub(crate) fn lifetime(&mut self, op: LifetimeOp, slot: Slot) -> Result<(), Refusal> {
        // That nobody accesses it behind the end was seen to.
        match self.given.plan.locals.roots.get(&slot) {
            Some(root) if op == LifetimeOp::Live => self.forget(self.given.plan.locals.layouts[root]),
            _ => Ok(()),
        }
    }

    /// Nothing of a variable is initialised, in the lanes that run.
    fn forget(&mut self, layout: Layout) -> Result<(), Refusal> {
        if !layout.reads {
            return Ok(());
        }
        let granules = layout.size.div_ceil(1 << layout.granule_log2);
        // Rows of eight bytes: of one lane, a byte of each.
        let (ty, start, kept) = if self.are_several() {
            let kept = self.lane_bytes()?.map(|bytes| self.b.ins().bnot(bytes));
            (ct::I64, self.locals, kept)
        } else {
            let lane = self.lane_now();
            (ct::I8, self.b.ins().iadd(self.locals, lane), None)
        };
        let clear = |e: &mut Self, at: cl::Value, by: i32| {
            let new = match kept {
                Some(kept) => {
                    let old = e.b.ins().load(ty, unaligned(), at, by);
                    e.b.ins().band(old, kept)
                }
                None => e.b.ins().iconst(ty, 0),
            };
            e.b.ins().store(unaligned(), new, at, by);
        };
        if granules <= FEW {
            for n in 0..granules as i32 {
                clear(self, start, layout.init + n * WIDTH as i32);
            }
            return Ok(());
        }
        let (body, done) = (self.b.create_block(), self.b.create_block());
        let n = self.b.append_block_param(body, ct::I64);
        let zero = self.b.ins().iconst(ct::I64, 0);
        self.b.ins().jump(body, &[zero.into()]);
        self.b.switch_to_block(body);
        let at = self.b.ins().iadd(start, n);
        clear(self, at, layout.init);
        let next = self.b.ins().iadd_imm_s(n, i64::from(WIDTH));
        let more =
            self.b.ins().icmp_imm_s(Cc::UnsignedLessThan, next, i64::from(granules) * i64::from(WIDTH));
        self.b.ins().brif(more, body, &[next.into()], done, &[]);
        self.b.seal_block(body);
        self.b.seal_block(done);
        self.b.switch_to_block(done);
        Ok(())
    }

    /// The number among eight of the lane that runs alone.
    fn lane_now(&mut self) -> cl::Value {
        match &self.alone {
            Some(alone) => {
                let lane = i64::from(alone.lane());
                self.b.ins().iconst(ct::I64, lane)
            }
            None => self.lane_of_eight,
        }
    }

    /// A byte of ones for each lane that runs, where not all do.
    fn lane_bytes(&mut self) -> Result<Option<cl::Value>, Refusal> {
        let Some([low, high]) = self.mask.as_ref().map(|mask| mask.parts) else { return Ok(None) };
        let words = self.b.ins().snarrow(low, high);
        let bytes = self.b.ins().snarrow(words, words);
        let little = MemFlagsData::new().with_endianness(cl::Endianness::Little);
        let both = self.b.ins().bitcast(ct::I64X2, little, bytes);
        Ok(Some(self.b.ins().extractlane(both, 0)))
    }

    /// Gives up where an access at an offset is not inside its variable, or misaligned. What is known before needs no check.
    fn check_local(
        &mut self,
        (layout, ptr): (Layout, Value),
        offset: cl::Value,
        (width_log2, align_log2): (u8, u8),
    ) {
        let align_log2 = align_log2.max(width_log2);
        let (limit, is_aligned) = self.local_limits(layout, ptr, width_log2, align_log2);
        if let Some(limit) = limit {
            let fine = self.b.ins().icmp_imm_s(Cc::UnsignedLessThan, offset, limit);
            self.require(fine, Bail::Access);
        }
        if !is_aligned {
            self.check_alignment(offset, align_log2);
        }
    }

    /// The first offset at which an access does not fit any more, unless it is known to fit, and whether it is known to be aligned.
    fn local_limits(
        &self,
        layout: Layout,
        ptr: Value,
        width_log2: u8,
        align_log2: u8,
    ) -> (Option<i64>, bool) {
        let limit = (i64::from(layout.size) + 1 - (1 << width_log2)).max(0);
        let func = self.given.func;
        let (start, known) = func.pointer_start(ptr);
        let is_start =
            func.def_inst(start).is_some_and(|i| matches!(func.insts[i], InstData::SlotAddr { .. }));
        let is_aligned = self.alignment(ptr, 12) >= align_log2;
        match known {
            Some(at) if is_start => {
                let inside = (0..limit).contains(&at);
                ((!inside).then_some(limit), is_aligned || at & ((1 << align_log2) - 1) == 0)
            }
            _ => (Some(limit), is_aligned),
        }
    }

    /// The row of an offset, which was checked.
    fn local_row(&mut self, layout: Layout, offset: cl::Value) -> Row {
        let (mut whole, mut inside) = (offset, None);
        if layout.mixed {
            let low = (1i64 << layout.granule_log2) - 1;
            whole = self.b.ins().band_imm_s(offset, !low);
            inside = Some(self.b.ins().band_imm_s(offset, low));
        }
        let width_log2 = i64::from(WIDTH.trailing_zeros());
        let row = self.b.ins().ishl_imm_s(whole, width_log2);
        let mut data = self.b.ins().iadd(self.locals, row);
        if let Some(inside) = inside {
            data = self.b.ins().iadd(data, inside);
        }
        let granule = self.b.ins().ushr_imm_s(whole, i64::from(layout.granule_log2));
        let row = self.b.ins().ishl_imm_s(granule, width_log2);
        let init = self.b.ins().iadd(self.locals, row);
        Row { data, init, inside }
    }

    /// A lane's spot in a row.
    fn spot(layout: Layout, row: Row, lane: u32) -> Spot {
        let lane = lane as i32;
        Spot {
            data: (row.data, layout.data + (lane << layout.granule_log2)),
            init: (row.init, layout.init + lane),
            inside: row.inside,
        }
    }

    /// The spot of the lane that runs alone.
    fn own_spot(&mut self, layout: Layout, row: Row) -> Spot {
        if let Some(alone) = &self.alone {
            return Self::spot(layout, row, alone.lane());
        }
        let granules = self.b.ins().ishl_imm_s(self.lane_of_eight, i64::from(layout.granule_log2));
        let data = self.b.ins().iadd(row.data, granules);
        let init = self.b.ins().iadd(row.init, self.lane_of_eight);
        Self::spot(layout, Row { data, init, ..row }, 0)
    }

    /// The bits of initialisation of an access in a byte of a type, or in each byte of it.
    fn bits_of_access(&mut self, ty: cl::Type, width_log2: u8, inside: Option<cl::Value>) -> cl::Value {
        let bits = (1u64 << (1 << width_log2)) - 1;
        let all = if ty == ct::I64 { bits * 0x0101_0101_0101_0101 } else { bits };
        let bits = self.b.ins().iconst(ty, all as i64);
        match inside {
            Some(inside) => self.b.ins().ishl(bits, inside),
            None => bits,
        }
    }

    /// A load by a lane that runs alone.
    pub(crate) fn local_load(&mut self, ty: Type, flags: MemFlags, ptr: Value) -> Result<cl::Value, Refusal> {
        let (spot, width_log2, layout) = self.own(ty, flags, ptr)?;
        if layout.reads && !self.unchecked {
            let have = self.b.ins().load(ct::I8, trusted(), spot.init.0, spot.init.1);
            let need = self.bits_of_access(ct::I8, width_log2, spot.inside);
            let lacks = self.b.ins().band_not(need, have);
            let fine = self.b.ins().icmp_imm_s(Cc::Equal, lacks, 0);
            self.require(fine, Bail::Uninitialised);
        }
        let x = self.b.ins().load(register(ty)?, guest(), spot.data.0, spot.data.1);
        Ok(self.condition(ty, x))
    }

    /// A store by a lane that runs alone.
    pub(crate) fn local_store(
        &mut self,
        (value, x): (Value, cl::Value),
        flags: MemFlags,
        ptr: Value,
    ) -> Result<(), Refusal> {
        let ty = self.ty(value);
        let (spot, width_log2, layout) = self.own(ty, flags, ptr)?;
        self.b.ins().store(guest(), x, spot.data.0, spot.data.1);
        if layout.reads {
            let mut all = self.bits_of_access(ct::I8, width_log2, spot.inside);
            if let Some(&Copied::One(bits)) = self.copied.get(&value) {
                all = bits;
            }
            if layout.mixed {
                let have = self.b.ins().load(ct::I8, trusted(), spot.init.0, spot.init.1);
                all = self.b.ins().bor(have, all);
            }
            self.b.ins().store(trusted(), all, spot.init.0, spot.init.1);
        }
        Ok(())
    }

    /// The place of an access by a lane that runs alone, once it is checked.
    fn own(&mut self, ty: Type, flags: MemFlags, ptr: Value) -> Result<(Spot, u8, Layout), Refusal> {
        let layout = self.local(ptr).ok_or(Refusal("a pointer has no local variable"))?;
        let width_log2 = ty.mem_bytes().trailing_zeros() as u8;
        let offset = self.value(ptr)?;
        self.check_local((layout, ptr), offset, (width_log2, flags.align_log2));
        let row = self.local_row(layout, offset);
        Ok((self.own_spot(layout, row), width_log2, layout))
    }

    /// The places of an access by lanes that run together, once they are checked.
    fn spots(&mut self, ty: Type, flags: MemFlags, ptr: Value) -> Result<Spots, Refusal> {
        let layout = self.local(ptr).ok_or(Refusal("a pointer has no local variable"))?;
        let width_log2 = ty.mem_bytes().trailing_zeros() as u8;
        if self.class(ptr) == Class::Uniform {
            let offset = self.first(ptr)?;
            self.check_local((layout, ptr), offset, (width_log2, flags.align_log2));
            let row = self.local_row(layout, offset);
            let lanes = std::array::from_fn(|lane| Self::spot(layout, row, lane as u32));
            return Ok(Spots { layout, width_log2, row: Some(row), lanes });
        }
        let mut offsets = self.many(ptr)?;
        if let Some(bits) = self.mask.as_ref().map(|mask| mask.bits) {
            // Lanes that do not run stand at the start, and change nothing.
            let zero = self.b.ins().iconst(ct::I64, 0);
            for (lane, x) in offsets.iter_mut().enumerate() {
                let runs = self.b.ins().band_imm_s(bits, 1 << lane);
                *x = self.b.ins().select(runs, *x, zero);
            }
        }
        let align_log2 = flags.align_log2.max(width_log2);
        let (limit, is_aligned) = self.local_limits(layout, ptr, width_log2, align_log2);
        if let Some(limit) = limit {
            let last = self.b.ins().iconst(ct::I64, limit - 1);
            self.check_all_before(last, offsets.iter().copied());
        }
        if !is_aligned {
            let mut low = offsets[0];
            for &x in &offsets[1..] {
                low = self.b.ins().bor(low, x);
            }
            self.check_alignment(low, align_log2);
        }
        let mut lanes = Vec::with_capacity(offsets.len());
        for (lane, &x) in offsets.iter().enumerate() {
            let row = self.local_row(layout, x);
            lanes.push(Self::spot(layout, row, lane as u32));
        }
        let lanes = lanes.try_into().map_err(|_| Refusal("an access has too few lanes"))?;
        Ok(Spots { layout, width_log2, row: None, lanes })
    }

    /// Whether a value's registers lie in memory as they are.
    fn is_vector(all: &Spots, ty: Type) -> bool {
        all.row.is_some()
            && all.width_log2 == all.layout.granule_log2
            && matches!(ty, Type::I32 | Type::F32 | Type::F64)
    }

    /// A load by lanes that run together.
    pub(crate) fn local_gather(&mut self, ty: Type, flags: MemFlags, ptr: Value) -> Result<Parts, Refusal> {
        let all = self.spots(ty, flags, ptr)?;
        self.check_local_initialised(&all)?;
        let (reg, n) = parts(ty)?;
        let (base, at) = all.lanes[0].data;
        if Self::is_vector(&all, ty) {
            return Ok((0..n as i32).map(|i| self.b.ins().load(reg, guest(), base, at + 16 * i)).collect());
        }
        self.load_words(ty, all.lanes.map(|spot| spot.data))
    }

    /// A store by lanes that run together. Whether it was done.
    pub(crate) fn local_scatter(
        &mut self,
        flags: MemFlags,
        value: Value,
        ptr: Value,
    ) -> Result<bool, Refusal> {
        let ty = self.ty(value);
        if ty.is_ptr() {
            return Ok(false);
        }
        let x = if ty == Type::F32 { self.many_seen(value)? } else { self.many(value)? };
        let all = self.spots(ty, flags, ptr)?;
        let mask = self.mask.as_ref().map(|mask| (mask.parts, mask.bits));
        let (base, at) = all.lanes[0].data;
        if Self::is_vector(&all, ty) {
            let (reg, n) = parts(ty)?;
            let mut x = x;
            if let Some((mask, _)) = mask {
                let old = (0..n as i32).map(|i| self.b.ins().load(reg, guest(), base, at + 16 * i)).collect();
                x = self.blend(ty, mask, &x, &old)?;
            }
            for (i, &x) in x.iter().enumerate() {
                self.b.ins().store(guest(), x, base, at + 16 * i as i32);
            }
        } else {
            let (ty, x) = self.as_words(ty, x);
            for (lane, spot) in all.lanes.iter().enumerate() {
                let mut x = self.lane_of(ty, &x, lane as u32)?;
                if let Some((_, bits)) = mask {
                    let old = self.b.ins().load(register(ty)?, guest(), spot.data.0, spot.data.1);
                    let runs = self.b.ins().band_imm_s(bits, 1 << lane);
                    x = self.b.ins().select(runs, x, old);
                }
                self.b.ins().store(guest(), x, spot.data.0, spot.data.1);
            }
        }
        let copied = self.copied.get(&value).copied();
        self.initialise_locals(&all, copied)?;
        Ok(true)
    }

    /// What is initialised where a pointer points that is the same for all lanes that run.
    pub(crate) fn local_bits(&mut self, ptr: Value) -> Result<Copied, Refusal> {
        let layout = self.local(ptr).ok_or(Refusal("a pointer has no local variable"))?;
        let offset = self.first(ptr)?;
        let row = self.local_row(layout, offset);
        if self.are_several() {
            return Ok(Copied::Row(self.b.ins().load(ct::I64, trusted(), row.init, layout.init)));
        }
        let spot = self.own_spot(layout, row);
        Ok(Copied::One(self.b.ins().load(ct::I8, trusted(), spot.init.0, spot.init.1)))
    }

    fn check_local_initialised(&mut self, all: &Spots) -> Result<(), Refusal> {
        if self.unchecked {
            return Ok(());
        }
        let lacks = if let Some(row) = all.row {
            let have = self.b.ins().load(ct::I64, trusted(), row.init, all.layout.init);
            let mut need = self.bits_of_access(ct::I64, all.width_log2, row.inside);
            if let Some(lanes) = self.lane_bytes()? {
                need = self.b.ins().band(need, lanes);
            }
            self.b.ins().band_not(need, have)
        } else {
            let bits = self.mask.as_ref().map(|mask| mask.bits);
            let zero = self.b.ins().iconst(ct::I8, 0);
            let mut lacks = zero;
            for (lane, spot) in all.lanes.iter().enumerate() {
                let have = self.b.ins().load(ct::I8, trusted(), spot.init.0, spot.init.1);
                let need = self.bits_of_access(ct::I8, all.width_log2, spot.inside);
                let mut own = self.b.ins().band_not(need, have);
                if let Some(bits) = bits {
                    let runs = self.b.ins().band_imm_s(bits, 1 << lane);
                    own = self.b.ins().select(runs, own, zero);
                }
                lacks = self.b.ins().bor(lacks, own);
            }
            lacks
        };
        let fine = self.b.ins().icmp_imm_s(Cc::Equal, lacks, 0);
        self.require(fine, Bail::Uninitialised);
        Ok(())
    }

    fn initialise_locals(&mut self, all: &Spots, copied: Option<Copied>) -> Result<(), Refusal> {
        if !all.layout.reads {
            return Ok(());
        }
        if let Some(row) = all.row {
            let mut new = match copied {
                Some(Copied::Row(bits)) => bits,
                Some(Copied::One(bits)) => {
                    let wide = self.b.ins().uextend(ct::I64, bits);
                    self.b.ins().imul_imm_s(wide, 0x0101_0101_0101_0101)
                }
                None => self.bits_of_access(ct::I64, all.width_log2, row.inside),
            };
            let lanes = self.lane_bytes()?;
            if let Some(lanes) = lanes {
                new = self.b.ins().band(new, lanes);
            }
            if lanes.is_some() || all.layout.mixed {
                let mut old = self.b.ins().load(ct::I64, trusted(), row.init, all.layout.init);
                if let (Some(_), Some(lanes)) = (copied, lanes) {
                    old = self.b.ins().band_not(old, lanes);
                }
                new = self.b.ins().bor(old, new);
            }
            self.b.ins().store(trusted(), new, row.init, all.layout.init);
            return Ok(());
        }
        let bits = self.mask.as_ref().map(|mask| mask.bits);
        for (lane, spot) in all.lanes.iter().enumerate() {
            let mut new = self.bits_of_access(ct::I8, all.width_log2, spot.inside);
            if bits.is_some() || all.layout.mixed {
                let old = self.b.ins().load(ct::I8, trusted(), spot.init.0, spot.init.1);
                if let Some(bits) = bits {
                    let runs = self.b.ins().band_imm_s(bits, 1 << lane);
                    let none = self.b.ins().iconst(ct::I8, 0);
                    new = self.b.ins().select(runs, new, none);
                }
                new = self.b.ins().bor(old, new);
            }
            self.b.ins().store(trusted(), new, spot.init.0, spot.init.1);
        }
        Ok(())
    }
}
