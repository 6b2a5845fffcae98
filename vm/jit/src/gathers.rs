//! Accesses to memory by lanes that run together, but not side by side (*gathers* and *scatters*): checks for all lanes at
//! once where that is possible, and loads and stores lane by lane.

use crate::Refusal;
use crate::abi::{ATOMIC, Bail, Frame, Helper, SEVERAL, View, kind};
use crate::access::{Place, guest};
use crate::classes::Class;
use crate::emit::{Emitter, register, trusted, unaligned};
use crate::vector::{Parts, WIDTH};
use cranelift_codegen::ir::condcodes::IntCC as Cc;
use cranelift_codegen::ir::types as ct;
use cranelift_codegen::ir::{self as cl, InstBuilder};
use cudair_ir::*;
use std::mem::offset_of;

/// Strides, in bytes, that stand in the displacements of instructions.
const NEAR: i64 = 1 << 20;

/// Where one lane accesses an object: a register and a displacement.
#[derive(Clone, Copy)]
struct Spot {
    base: cl::Value,
    at: i32,
}

/// What an access to shared memory on which threads may race is taken to cost, in instructions for one lane after the other: each
/// lane's epochs are read and written.
const WATCHED: u64 = 2;

/// The same of global memory, where each lane's line of epochs is looked up.
const WATCHED_BY_ALL: u64 = 16;

/// An access by lanes that run together, bounds and alignment of which are checked.
#[derive(Clone, Copy)]
pub(crate) struct Scattered {
    root: u32,
    /// By lane: bytes from the object's start.
    spots: [Spot; WIDTH as usize],
    width_log2: u8,
    /// The bytes from lane to lane where they are the same throughout, and not zero.
    stride: Option<i64>,
    /// The same as bytes behind a place that all lanes have in common.
    indexed: Option<Indices>,
    /// No two lanes that run have the same place.
    distinct: bool,
    /// Lanes that do not run have a place behind the object.
    padded: bool,
}

/// Places of lanes: bytes from an object's start, and by lane an index, scaled by a power of two.
#[derive(Clone, Copy)]
pub(crate) struct Indices {
    pub base: cl::Value,
    pub lanes: [cl::Value; WIDTH as usize],
    pub scale_log2: u8,
}

impl Scattered {
    fn is_near(&self) -> bool {
        self.stride.is_some_and(|s| s.abs() < NEAR)
    }
}

impl Emitter<'_, '_> {
    /// The places of an access, where its checks can be made for all lanes at once. Where code behind which this stands has made
    /// them, they are not made again.
    fn scattered(
        &mut self,
        ptr: Value,
        ty: Type,
        align_log2: u8,
        writes: bool,
    ) -> Result<Option<Scattered>, Refusal> {
        let Some(root) = self.root_of(ptr) else { return Ok(None) };
        let writes = writes && !self.is_shared(root);
        let key = (ptr, ty.mem_bytes(), align_log2, writes);
        let known = self.places.iter().find(|(of, _)| *of == key).map(|&(_, all)| all);
        let Some(all) = (match known {
            Some(all) => Some(all),
            None => self.look_up(ptr, ty, align_log2, writes)?,
        }) else {
            return Ok(None);
        };
        if known.is_none() {
            self.places.push((key, all));
        }
        if self.is_watched(root) {
            let each = if self.is_shared(root) { WATCHED } else { WATCHED_BY_ALL };
            self.cost.1 += each * self.given.plan.turns[self.block];
        }
        Ok(Some(all))
    }

    fn look_up(
        &mut self,
        ptr: Value,
        ty: Type,
        align_log2: u8,
        writes: bool,
    ) -> Result<Option<Scattered>, Refusal> {
        let Some(root) = self.root_of(ptr) else { return Ok(None) };
        let stride = match self.class(ptr) {
            Class::Affine(s) => Some(s),
            Class::Strided | Class::Many => None,
            Class::Uniform | Class::Nothing => return Ok(None),
        };
        let index = if stride.is_none() || self.mask.is_some() { self.index_of(ptr)? } else { None };
        // Of the lanes that do not run, nothing is known: each has its place taken from one that does.
        if self.mask.is_some() && (index.is_none() || self.is_watched(root) && !self.is_shared(root)) {
            return Ok(None);
        }
        let stride = if self.mask.is_some() { None } else { stride };
        let width_log2 = ty.mem_bytes().trailing_zeros() as u8;
        let (known, width) = (self.alignment(ptr, 12), 1i64 << width_log2);
        let watched = self.is_watched(root);
        let granule = if self.is_shared(root) {
            self.given.plan.shared_granule(root as usize)
        } else {
            self.given.plan.global_granule()
        };
        let suits = align_log2.max(known) >= width_log2
            && width_log2 >= granule
            && (!self.is_shared(root) || !watched || width_log2 == granule)
            && stride.is_none_or(|s| s % width == 0);
        if !suits {
            return Ok(None);
        }
        if let Some(index) = index
            && (align_log2 <= known || index.scale_log2 >= align_log2)
        {
            if align_log2 > known {
                self.check_alignment(index.base, align_log2);
            }
            let indices = self.check_indices(root, &index, width_log2, writes)?;
            let spots = self.scaled(indices.base, &indices, indices.scale_log2);
            let (indexed, distinct) = (Some(indices), index.distinct);
            let padded = self.has_padding(root, indices.scale_log2);
            return Ok(Some(Scattered { root, spots, width_log2, stride, indexed, distinct, padded }));
        }
        if self.mask.is_some() {
            return Ok(None);
        }
        if self.class(ptr) == Class::Strided {
            let [base, step] = self.first_and_step(ptr)?;
            if align_log2 > known {
                let low = self.b.ins().bor(base, step);
                self.check_alignment(low, align_log2);
            }
            // What lies between two places inside is inside, if the way from one to the other does not go around.
            self.near(step);
            let zero = self.b.ins().iconst(ct::I64, 0);
            let lanes = self.steps(zero, step);
            let indices = Indices { base, lanes, scale_log2: 0 };
            let spots = self.scaled(base, &indices, 0);
            self.check_bounds(root, base, width_log2, writes);
            self.check_bounds(root, spots[WIDTH as usize - 1].base, width_log2, writes);
            let indexed = Some(indices);
            let all = Scattered { root, spots, width_log2, stride, indexed, distinct: false, padded: false };
            return Ok(Some(all));
        }
        let first = if stride.is_some() { Some(self.first(ptr)?) } else { None };
        let spots: [Spot; WIDTH as usize] = match (stride, first) {
            (Some(s), Some(base)) if s.abs() < NEAR => {
                std::array::from_fn(|lane| Spot { base, at: (s * lane as i64) as i32 })
            }
            (Some(s), Some(base)) => std::array::from_fn(|lane| Spot {
                base: self.b.ins().iadd_imm_s(base, s * lane as i64),
                at: 0,
            }),
            _ => {
                let all = self.many(ptr)?;
                std::array::from_fn(|lane| Spot { base: all[lane], at: 0 })
            }
        };
        let distinct = stride.is_some();
        let all = Scattered { root, spots, width_log2, stride, indexed: None, distinct, padded: false };
        if align_log2 > known {
            let mut low = all.spots[0].base;
            if stride.is_none() {
                for spot in &all.spots[1..] {
                    low = self.b.ins().bor(low, spot.base);
                }
            }
            self.check_alignment(low, align_log2);
        }
        match (stride, first) {
            (Some(s), Some(first)) => {
                // What lies between two places inside is inside.
                let last = self.b.ins().iadd_imm_s(first, s * i64::from(WIDTH - 1));
                self.check_bounds(root, first, width_log2, writes);
                self.check_bounds(root, last, width_log2, writes);
            }
            _ => self.check_all_bounds(&all, writes),
        }
        Ok(Some(all))
    }

    /// Gives up where any lane's access is not inside its object, or not allowed.
    fn check_all_bounds(&mut self, all: &Scattered, writes: bool) {
        let limit = self.limit(all.root, all.width_log2, writes);
        let last = self.b.ins().iadd_imm_s(limit, -1);
        self.check_all_before(last, all.spots.iter().map(|spot| spot.base));
    }

    /// Gives up where any offset is negative or behind the last one.
    pub(crate) fn check_all_before(&mut self, last: cl::Value, offsets: impl IntoIterator<Item = cl::Value>) {
        let mut outside = None;
        for x in offsets {
            let left = self.b.ins().isub(last, x);
            let either = self.b.ins().bor(left, x);
            outside = Some(outside.map_or(either, |before| self.b.ins().bor(before, either)));
        }
        if let Some(outside) = outside {
            let fine = self.b.ins().icmp_imm_s(Cc::SignedGreaterThanOrEqual, outside, 0);
            self.require(fine, Bail::Access);
        }
    }

    /// A load by lanes that are not side by side.
    pub(crate) fn gather_load(
        &mut self,
        ty: Type,
        flags: MemFlags,
        ptr: Value,
    ) -> Result<Option<Parts>, Refusal> {
        let Some(all) = self.scattered(ptr, ty, flags.align_log2, false)? else { return Ok(None) };
        self.check_lanes_initialised(&all);
        if self.is_shared(all.root) {
            self.shared_gather(&all)?;
        } else if self.is_watched(all.root) {
            self.each_lane(&all, |e, place| e.global(place, kind::READ))?;
        }
        let places = self.addresses(&all, offset_of!(View, data));
        self.load_words(ty, places.iter().map(|spot| (spot.base, spot.at))).map(Some)
    }

    /// A value of a type from the lanes' words in memory: by lane an address and a displacement.
    pub(crate) fn load_words(
        &mut self,
        ty: Type,
        places: impl IntoIterator<Item = (cl::Value, i32)>,
    ) -> Result<Parts, Refusal> {
        // Words of integers go into vectors straight from memory.
        let word = if ty == Type::F32 { Type::I32 } else { ty };
        let reg = register(word)?;
        let mut words = Vec::with_capacity(WIDTH as usize);
        for (base, at) in places {
            let x = self.b.ins().load(reg, guest(), base, at);
            words.push(self.condition(ty, x));
        }
        let mut out = self.gather(word, &words)?;
        if ty == Type::F32 {
            out.iter_mut().for_each(|x| *x = self.cast_vector(ct::F32X4, *x));
        }
        Ok(out)
    }

    /// A value of which the lanes' words are stored: with its bits as integers where it is of binary32.
    pub(crate) fn as_words(&mut self, ty: Type, mut x: Parts) -> (Type, Parts) {
        if ty != Type::F32 {
            return (ty, x);
        }
        x.iter_mut().for_each(|x| *x = self.cast_vector(ct::I32X4, *x));
        (Type::I32, x)
    }

    /// A store by lanes that are not side by side. Whether it was done.
    pub(crate) fn scatter_store(
        &mut self,
        flags: MemFlags,
        value: Value,
        ptr: Value,
    ) -> Result<bool, Refusal> {
        let ty = self.ty(value);
        // Lanes that do not run store what another does; of other types that is not known.
        let is_word = matches!(ty, Type::I32 | Type::F32 | Type::I16 | Type::I8);
        if ty.is_ptr() || self.mask.is_some() && !is_word {
            return Ok(false);
        }
        let Some(all) = self.scattered(ptr, ty, flags.align_log2, true)? else { return Ok(false) };
        let mut x = if ty == Type::F32 { self.many_seen(value)? } else { self.many(value)? };
        if self.mask.is_some() && !all.padded {
            x = self.or_of_last(&x)?;
        }
        if self.is_shared(all.root) {
            self.shared_scatter(&all)?;
        } else {
            if self.given.promises.roots[all.root as usize].kept {
                self.keep_lanes(&all)?;
            }
            if self.is_watched(all.root) {
                self.each_lane(&all, |e, place| e.global(place, kind::WRITE))?;
            }
        }
        let (ty, x) = self.as_words(ty, x);
        let places = self.addresses(&all, offset_of!(View, data));
        for (lane, spot) in places.iter().enumerate() {
            let x = self.lane_of(ty, &x, lane as u32)?;
            self.b.ins().store(guest(), x, spot.base, spot.at);
        }
        self.initialise_lanes(&all)?;
        Ok(true)
    }

    /// Does something for the place of each lane, which counts as alone meanwhile.
    fn each_lane(
        &mut self,
        all: &Scattered,
        f: impl Fn(&mut Self, Place) -> Result<(), Refusal>,
    ) -> Result<(), Refusal> {
        for (lane, spot) in all.spots.iter().enumerate() {
            self.as_lane(lane as u32, |e| {
                let offset = e.b.ins().iadd_imm_s(spot.base, i64::from(spot.at));
                f(e, Place { root: all.root, offset, width_log2: all.width_log2, aligned: true })
            })?;
        }
        Ok(())
    }

    /// The lanes' addresses behind a pointer of a root's view.
    fn addresses(&mut self, all: &Scattered, field: usize) -> Vec<Spot> {
        let start = self.view_field(all.root, ct::I64, field);
        if all.is_near() {
            let base = self.b.ins().iadd(start, all.spots[0].base);
            return all.spots.iter().map(|spot| Spot { base, at: spot.at }).collect();
        }
        if let Some(indices) = all.indexed {
            let start = self.b.ins().iadd(start, indices.base);
            return self.scaled(start, &indices, indices.scale_log2).to_vec();
        }
        all.spots.iter().map(|spot| Spot { base: self.b.ins().iadd(start, spot.base), at: 0 }).collect()
    }

    /// Addresses by index, in the form in which machines have them in an instruction.
    fn scaled(&mut self, start: cl::Value, indices: &Indices, scale_log2: u8) -> [Spot; WIDTH as usize] {
        indices.lanes.map(|x| {
            let x = self.b.ins().ishl_imm_s(x, i64::from(scale_log2));
            Spot { base: self.b.ins().iadd(start, x), at: 0 }
        })
    }

    /// Where the lanes' epochs of shared memory are.
    fn cells_of(&mut self, all: &Scattered, field: usize, granule_log2: u8) -> Vec<Spot> {
        // An epoch has four bytes.
        let by = i64::from(granule_log2) - 2;
        let start = self.view_field(all.root, ct::I64, field);
        let scale = |e: &mut Self, x: cl::Value| match by {
            0 => x,
            1.. => e.b.ins().ushr_imm_s(x, by),
            _ => e.b.ins().ishl_imm_s(x, -by),
        };
        if all.is_near() {
            let base = scale(self, all.spots[0].base);
            let base = self.b.ins().iadd(start, base);
            let scaled = |at: i32| if by >= 0 { at >> by } else { at << -by };
            return all.spots.iter().map(|spot| Spot { base, at: scaled(spot.at) }).collect();
        }
        if let Some(indices) = all.indexed.filter(|i| i.scale_log2 >= granule_log2) {
            // Both the common place and what is scaled are multiples of a granule.
            let base = scale(self, indices.base);
            let start = self.b.ins().iadd(start, base);
            return self.scaled(start, &indices, indices.scale_log2 + 2 - granule_log2).to_vec();
        }
        all.spots
            .iter()
            .map(|spot| {
                let cell = scale(self, spot.base);
                Spot { base: self.b.ins().iadd(start, cell), at: 0 }
            })
            .collect()
    }

    // Initialisation and the undo log of global memory.

    fn check_lanes_initialised(&mut self, all: &Scattered) {
        if self.unchecked || self.is_shared(all.root) || !self.given.promises.roots[all.root as usize].bitmap
        {
            return;
        }
        let mut missing = None;
        for (at, by, mask) in self.strided_bits(all) {
            let word = self.b.ins().load(ct::I64, unaligned(), at, by);
            let lacks = self.b.ins().band_not(mask, word);
            missing = Some(missing.map_or(lacks, |before| self.b.ins().bor(before, lacks)));
        }
        let apart = if missing.is_some() { &[][..] } else { &all.spots };
        for spot in apart {
            let offset = self.b.ins().iadd_imm_s(spot.base, i64::from(spot.at));
            let place = Place { root: all.root, offset, width_log2: all.width_log2, aligned: true };
            let (word, mask) = self.bits(place);
            let lacks = self.b.ins().band_not(mask, word);
            missing = Some(missing.map_or(lacks, |before| self.b.ins().bor(before, lacks)));
        }
        if let Some(missing) = missing {
            let fine = self.b.ins().icmp_imm_s(Cc::Equal, missing, 0);
            self.require(fine, Bail::Uninitialised);
        }
    }

    /// Words of the bits of initialisation, where a few have all that is of the lanes: address, displacement, and those bits.
    fn strided_bits(&mut self, all: &Scattered) -> Vec<(cl::Value, i32, cl::Value)> {
        let Some(stride @ (8 | 16 | 32)) = all.stride else { return Vec::new() };
        let offset = self.b.ins().iadd_imm_s(all.spots[0].base, i64::from(all.spots[0].at));
        let place = Place { root: all.root, offset, width_log2: all.width_log2, aligned: true };
        let at = self.bits_at(place);
        let one = (1u64 << (1u32 << all.width_log2)) - 1;
        let bits = (0..64 / stride).fold(0, |bits, lane| bits | one << (lane * stride));
        let bits = self.b.ins().iconst(ct::I64, bits as i64);
        // An aligned access does not reach beyond a byte of the bits.
        let shift = self.b.ins().band_imm_s(offset, 7);
        let mask = self.b.ins().ishl(bits, shift);
        (0..stride as i32 / 8).map(|word| (at, 8 * word, mask)).collect()
    }

    /// Notes that the places of the lanes are initialised.
    fn initialise_lanes(&mut self, all: &Scattered) -> Result<(), Refusal> {
        let facts = self.given.promises.roots[all.root as usize];
        if self.is_shared(all.root) || !facts.bitmap {
            return Ok(());
        }
        // What lies between the lanes may be another thread's.
        let words = if self.given.promises.threads { Vec::new() } else { self.strided_bits(all) };
        for &(at, by, mask) in &words {
            let word = self.b.ins().load(ct::I64, unaligned(), at, by);
            let word = self.b.ins().bor(word, mask);
            self.b.ins().store(unaligned(), word, at, by);
        }
        if words.is_empty() {
            self.each_lane(all, |e, place| {
                e.initialise(place);
                Ok(())
            })?;
        }
        Ok(())
    }

    /// Sees to it that the undo log has the pages that the lanes write.
    fn keep_lanes(&mut self, all: &Scattered) -> Result<(), Refusal> {
        let width = 1i64 << all.width_log2;
        let root = i64::from(all.root);
        if let Some(s) = all.stride.filter(|s| s.abs() * i64::from(WIDTH - 1) + width <= 4096) {
            let span = s.abs() * i64::from(WIDTH - 1);
            let low = if s < 0 { -span } else { 0 };
            let low = self.b.ins().iadd_imm_s(all.spots[0].base, low);
            let high = self.b.ins().iadd_imm_s(low, span);
            let (a, b) = (self.is_kept(all.root, low), self.is_kept(all.root, high));
            let both = self.b.ins().band(a, b);
            return self.unless(both, |e| {
                let root = e.b.ins().iconst(ct::I64, root);
                let bytes = e.b.ins().iconst(ct::I64, span + width);
                let fine = e.helper(Helper::Save, &[root, low, bytes]);
                e.require(fine, Bail::Refused);
                Ok(())
            });
        }
        let offsets: Vec<cl::Value> =
            all.spots.iter().map(|s| self.b.ins().iadd_imm_s(s.base, i64::from(s.at))).collect();
        let mut kept = None;
        for &offset in &offsets {
            let is_kept = self.is_kept(all.root, offset);
            kept = Some(kept.map_or(is_kept, |before| self.b.ins().band(before, is_kept)));
        }
        let Some(kept) = kept else { return Ok(()) };
        self.unless(kept, |e| {
            let root = e.b.ins().iconst(ct::I64, root);
            let width = e.b.ins().iconst(ct::I64, width);
            for &offset in &offsets {
                let fine = e.helper(Helper::Save, &[root, offset, width]);
                e.require(fine, Bail::Refused);
            }
            Ok(())
        })
    }

    // Races in shared memory.

    /// The epochs of the lanes' cells.
    fn epochs(&mut self, cells: &[Spot]) -> Result<[cl::Value; 2], Refusal> {
        let words: Vec<cl::Value> =
            cells.iter().map(|c| self.b.ins().load(ct::I32, trusted(), c.base, c.at)).collect();
        let parts = self.gather(Type::I32, &words)?;
        Ok([parts[0], parts[1]])
    }

    /// Stores the lanes' epochs. Gives whether each of them has its own now, where two lanes may have one cell.
    fn stamp_lanes(
        &mut self,
        all: &Scattered,
        cells: &[Spot],
        new: [cl::Value; 2],
    ) -> Result<Option<cl::Value>, Refusal> {
        for (lane, cell) in cells.iter().enumerate() {
            let x = self.lane_of(Type::I32, &new, lane as u32)?;
            self.b.ins().store(trusted(), x, cell.base, cell.at);
        }
        if all.distinct {
            return Ok(None);
        }
        let now = self.epochs(cells)?;
        let same = [0, 1].map(|n| self.b.ins().icmp(Cc::Equal, now[n], new[n]));
        Ok(Some(self.all(&same)))
    }

    /// Has reads of shared memory compared one lane after the other where what was looked at for all at once does not hold.
    fn or_compare(&mut self, fine: cl::Value, all: &Scattered) -> Result<(), Refusal> {
        let granule = self.given.plan.shared_granule(all.root as usize);
        self.unless(fine, |e| {
            for (lane, spot) in all.spots.iter().enumerate() {
                let offset = e.b.ins().iadd_imm_s(spot.base, i64::from(spot.at));
                e.set_frame_field(offset, offset_of!(Frame, offsets) + 8 * lane);
            }
            let root = e.b.ins().iconst(ct::I64, i64::from(all.root));
            let granule = e.b.ins().iconst(ct::I64, i64::from(granule));
            let thread = e.b.ins().uextend(ct::I64, e.lane);
            let lanes = match &e.mask {
                Some(mask) => e.b.ins().uextend(ct::I64, mask.bits),
                None => e.b.ins().iconst(ct::I64, (1 << WIDTH) - 1),
            };
            let lanes = e.b.ins().ishl_imm_s(lanes, 32);
            let who = e.b.ins().bor(lanes, thread);
            let fine = e.helper(Helper::ReadShared, &[root, granule, who]);
            e.require(fine, Bail::SharedRace);
            Ok(())
        })
    }

    /// The epochs of the lanes in the running interval: of those that do not run, of the one whose place they have.
    fn threads_that_run(&mut self, first: cl::Value) -> Result<[cl::Value; 2], Refusal> {
        let me = self.threads(first);
        if self.mask.is_none() {
            return Ok(me);
        }
        let me = self.or_of_last(&me.into_iter().collect())?;
        Ok([me[0], me[1]])
    }

    /// Lanes read shared memory.
    fn shared_gather(&mut self, all: &Scattered) -> Result<(), Refusal> {
        let granule = self.given.plan.shared_granule(all.root as usize);
        let watched = self.is_watched(all.root);
        let cells = self.cells_of(all, offset_of!(View, write_lines), granule);
        let (block, first) = self.shared_epochs();
        let from = self.b.ins().splat(ct::I32X4, block);
        if !watched || !self.between(all.root).writes {
            // What the block has written is initialised.
            return self.unless_initialised(all.root, |e| {
                let mut old = None;
                for n in 0..1i32 << (all.width_log2 - granule) {
                    let cells: Vec<Spot> = cells.iter().map(|c| Spot { at: c.at + 4 * n, ..*c }).collect();
                    let mask = e.mask.as_ref().map(|mask| mask.parts).filter(|_| all.padded);
                    for (part, w) in e.epochs(&cells)?.into_iter().enumerate() {
                        let mut since = e.b.ins().isub(w, from);
                        if let Some(mask) = mask {
                            since = e.b.ins().band(since, mask[part]);
                        }
                        old = Some(old.map_or(since, |before| e.b.ins().bor(before, since)));
                    }
                }
                let old = old.ok_or(Refusal("an access has no cells"))?;
                let fine = e.no_sign(old);
                e.require(fine, Bail::Uninitialised);
                Ok(())
            });
        }
        let writers = self.epochs(&cells)?;
        let me = self.threads_that_run(first)?;
        let first_all = self.b.ins().splat(ct::I32X4, first);
        let atomic = self.vector_of([!ATOMIC as i32; 4]);
        // The block wrote it before the last barrier, or the lane itself has.
        let fine = [0, 1].map(|n| {
            let old = self.b.ins().icmp(Cc::SignedLessThan, writers[n], first_all);
            let plain = self.b.ins().band(writers[n], atomic);
            let mine = self.b.ins().icmp(Cc::Equal, plain, me[n]);
            let ordered = self.b.ins().bor(old, mine);
            let written = self.b.ins().icmp(Cc::SignedGreaterThanOrEqual, writers[n], from);
            self.b.ins().band(ordered, written)
        });
        let mut fine = self.all(&fine);
        let cells = self.cells_of(all, offset_of!(View, read_lines), granule);
        let readers = self.epochs(&cells)?;
        let several = self.b.ins().bor_imm_s(first, i64::from(SEVERAL));
        let several = self.b.ins().splat(ct::I32X4, several);
        let new = [0, 1].map(|n| {
            let old = self.b.ins().icmp(Cc::SignedLessThan, readers[n], first_all);
            let mine = self.b.ins().icmp(Cc::Equal, readers[n], me[n]);
            let alone = self.b.ins().bor(old, mine);
            self.choose(alone, me[n], several)
        });
        if let Some(apart) = self.stamp_lanes(all, &cells, new)? {
            fine = self.b.ins().band(fine, apart);
        }
        self.or_compare(fine, all)
    }

    /// Lanes write shared memory.
    fn shared_scatter(&mut self, all: &Scattered) -> Result<(), Refusal> {
        let granule = self.given.plan.shared_granule(all.root as usize);
        let cells = self.cells_of(all, offset_of!(View, write_lines), granule);
        let (_, first) = self.shared_epochs();
        if !self.is_watched(all.root) {
            return self.unless_initialised(all.root, |e| {
                for cell in &cells {
                    for n in 0..1i32 << (all.width_log2 - granule) {
                        e.b.ins().store(trusted(), first, cell.base, cell.at + 4 * n);
                    }
                }
                Ok(())
            });
        }
        let mut epochs = self.epochs(&cells)?.to_vec();
        if self.between(all.root).reads {
            let cells = self.cells_of(all, offset_of!(View, read_lines), granule);
            epochs.extend(self.epochs(&cells)?);
        }
        let me = self.threads_that_run(first)?;
        let first_all = self.b.ins().splat(ct::I32X4, first);
        let atomic = self.vector_of([!ATOMIC as i32; 4]);
        let fine: Vec<cl::Value> = (0..epochs.len())
            .map(|n| {
                let old = self.b.ins().icmp(Cc::SignedLessThan, epochs[n], first_all);
                let plain = self.b.ins().band(epochs[n], atomic);
                let mine = self.b.ins().icmp(Cc::Equal, plain, me[n % 2]);
                self.b.ins().bor(old, mine)
            })
            .collect();
        let fine = self.all(&fine);
        self.require(fine, Bail::SharedRace);
        if let Some(apart) = self.stamp_lanes(all, &cells, me)? {
            // Two lanes wrote one cell.
            self.require(apart, Bail::SharedRace);
        }
        Ok(())
    }

    /// Whether no lane of a vector has its sign set.
    fn no_sign(&mut self, x: cl::Value) -> cl::Value {
        let signs = self.b.ins().vhigh_bits(ct::I32, x);
        self.b.ins().icmp_imm_s(Cc::Equal, signs, 0)
    }
}
