//! The fast tier: who wrote and who read each granule in the running interval.
//!
//! A stamp is `interval : 20 | atomic : 1 | several : 1 | thread : 10`. Stamps of earlier intervals compare
//! less than the running interval's first and need no clearing; when the numbers wrap, all cells are cleared.

use super::{RaceAccess, Spot};
use crate::fault::AccessOp;
use crate::memory::simd::{Kernel, dispatch};
use crate::memory::{CHUNK, MASK_WORDS, Mask};
use cudair_ir::Scope;
use rustc_hash::FxHashSet;

const INTERVAL_SHIFT: u32 = 12;
const ATOMIC: u32 = 1 << 11;
const SEVERAL: u32 = 1 << 10;

/// The running interval.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Stamps {
    interval: u32,
}

impl Stamps {
    /// Goes to the next interval. True where the numbers wrapped and all cells must be cleared.
    pub(crate) fn next(&mut self) -> bool {
        self.interval += 1;
        if self.interval >> 20 != 0 {
            self.interval = 1;
            return true;
        }
        false
    }

    fn bases(self) -> Bases {
        let first = self.interval << INTERVAL_SHIFT;
        Bases { launch: first, block: first, first }
    }
}

/// What tells the stamps apart.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bases {
    /// Stamps from here to `block` are of other blocks.
    pub(crate) launch: u32,
    /// Stamps from here to `first` are of the block, before its last barrier.
    pub(crate) block: u32,
    /// The first stamp of the running interval.
    pub(crate) first: u32,
}

impl Bases {
    /// Whether a stamp is of another block of the launch.
    #[inline(always)]
    fn foreign(self, stamp: u32) -> bool {
        stamp.wrapping_sub(self.launch) < self.block - self.launch
    }
}

/// The running interval of a launch: each stretch in which one block runs between two barriers has a number.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct GridStamps {
    interval: u32,
    launch: u32,
    block: u32,
}

impl GridStamps {
    /// Whether the next number does not fit any more: then all cells have to be folded.
    pub(crate) fn is_full(self) -> bool {
        self.interval + 4 >= 1 << 20
    }

    /// A launch starts: everything before is older than its stamps.
    pub(crate) fn launch(&mut self) {
        self.interval += 1;
        (self.launch, self.block) = (self.interval, self.interval);
        self.block();
    }

    /// Another block goes on.
    pub(crate) fn block(&mut self) {
        self.interval += 1;
        self.block = self.interval;
    }

    /// The block has met at a barrier.
    pub(crate) fn barrier(&mut self) {
        self.interval += 1;
    }

    /// Numbers start again; the stamp before which all of the launch has been folded comes back.
    pub(crate) fn wrap(&mut self) -> u32 {
        let launch = self.launch << INTERVAL_SHIFT;
        (self.launch, self.block, self.interval) = (1, 2, 2);
        launch
    }

    pub(crate) fn bases(self) -> Bases {
        let [launch, block, first] = [self.launch, self.block, self.interval].map(|n| n << INTERVAL_SHIFT);
        Bases { launch, block, first }
    }
}

/// The cells of an object.
#[derive(Debug, Default)]
pub(crate) struct Cells {
    /// Bytes of the object.
    size: u64,
    /// Bytes per granule as a power of two: 2 or 0.
    shift: u32,
    write: Vec<u32>,
    read: Vec<u32>,
}

impl Cells {
    /// Makes room for an object of `size` bytes, once the first access comes.
    pub(crate) fn fit(&mut self, size: u64) {
        if self.size != size {
            *self = Cells { size, shift: 2, write: Vec::new(), read: Vec::new() };
        }
    }

    /// Forgets all stamps.
    pub(crate) fn clear(&mut self) {
        self.write.fill(0);
        self.read.fill(0);
    }

    /// Stamps of the launch that starts at stamp `launch` become those of another block; older ones go.
    pub(crate) fn fold(&mut self, launch: u32) {
        for stamp in self.write.iter_mut().chain(&mut self.read) {
            *stamp = if *stamp < launch { 0 } else { 1 << INTERVAL_SHIFT | SEVERAL | (*stamp & ATOMIC) };
        }
    }

    /// Bytes per granule as a power of two, and a bit for each granule: written, and read, since stamp `from`.
    pub(super) fn since(&self, from: u32) -> (u32, [Vec<u64>; 2]) {
        let bits = |cells: &[u32]| -> Vec<u64> {
            let word = |cells: &[u32]| cells.iter().rev().fold(0, |w, &c| w << 1 | u64::from(c >= from));
            cells.chunks(64).map(word).collect()
        };
        (self.shift, [bits(&self.write), bits(&self.read)])
    }

    /// From now on a granule is a byte.
    #[cold]
    fn split(&mut self) {
        let widen = |cells: &[u32]| -> Vec<u32> { cells.iter().flat_map(|&c| [c; 4]).collect() };
        self.write = widen(&self.write);
        self.read = widen(&self.read);
        self.shift = 0;
    }

    /// Checks and records an access. Suspicious granules of four bytes go to `suspects`.
    #[inline]
    pub(crate) fn access(&mut self, stamps: &Stamps, acc: &RaceAccess, suspects: &mut FxHashSet<(u32, u32)>) {
        if !self.sweep::<false>(stamps.bases(), acc) {
            for lane in acc.mask.iter() {
                let off = acc.spot.lane(lane, acc.width);
                suspects.extend((off / 4..(off + acc.width).div_ceil(4)).map(|g| (acc.obj, g)));
            }
        }
    }

    /// Checks and records an access in global memory. False where it is suspicious.
    #[inline]
    pub(crate) fn access_grid(&mut self, bases: Bases, acc: &RaceAccess) -> bool {
        self.sweep::<true>(bases, acc)
    }

    #[inline(always)]
    fn sweep<const GRID: bool>(&mut self, bases: Bases, acc: &RaceAccess) -> bool {
        if self.write.is_empty() {
            // A little more, so that the last chunk of an access has whole granules.
            let cells = (self.size.div_ceil(4) as usize).next_multiple_of(4) << (2 - self.shift);
            self.write = vec![0; cells];
            self.read = vec![0; cells];
        }
        if self.shift != 0 && !whole_granules(acc) {
            self.split();
        }
        dispatch(Sweep::<GRID> { cells: self, bases, acc })
    }
}

/// Whether an access covers whole granules of four bytes only.
#[inline(always)]
fn whole_granules(acc: &RaceAccess) -> bool {
    acc.width.is_multiple_of(4)
        && match acc.spot {
            Spot::Contig(off) => off % 4 == 0,
            Spot::Broadcast(off) => off % 4 == 0,
            Spot::Scatter(offs) => acc.mask.iter().all(|l| offs[l] % 4 == 0),
        }
}

/// An access on its way over the cells; `GRID` if there may be stamps of other blocks.
struct Sweep<'a, const GRID: bool> {
    cells: &'a mut Cells,
    bases: Bases,
    acc: &'a RaceAccess<'a>,
}

/// Whether a plain access by `me` conflicts with what a stamp tells.
#[inline(always)]
fn conflicts<const GRID: bool>(stamp: u32, bases: Bases, me: u32) -> bool {
    stamp >= bases.first && (stamp & !ATOMIC) != me || GRID && bases.foreign(stamp)
}

/// The stamp of the readers after a read by `me`.
#[inline(always)]
fn reader<const GRID: bool>(r: u32, bases: Bases, me: u32) -> u32 {
    if GRID && bases.foreign(r) {
        // Readers of several blocks: another block's to each of them.
        return bases.launch | SEVERAL;
    }
    if r < bases.first || r == me { me } else { bases.first | SEVERAL }
}

/// Whether the words of a chunk step by `step`, lanes outside `word` aside.
#[inline(always)]
fn steps<const AVX2: bool>(words: &[u32; CHUNK], step: u32, word: u16) -> bool {
    #[cfg(target_arch = "x86_64")]
    if AVX2 {
        return crate::memory::simd::avx2_steps(words, step, word);
    }
    let first = word.trailing_zeros() as usize & 15;
    let start = words[first].wrapping_sub(step.wrapping_mul(first as u32));
    (0..CHUNK).all(|i| word >> i & 1 == 0 || words[i] == start.wrapping_add(step.wrapping_mul(i as u32)))
}

const READ: u8 = 0;
const WRITE: u8 = 1;
const ATOMIC_READ: u8 = 2;
const ATOMIC_WRITE: u8 = 3;

/// An access of a kind by `me` to the cell of these stamps: whether it conflicts.
#[inline(always)]
fn step<const KIND: u8, const GRID: bool>(w: &mut u32, r: &mut u32, bases: Bases, me: u32) -> bool {
    let first = bases.first;
    match KIND {
        READ => {
            *r = reader::<GRID>(*r, bases, me);
            conflicts::<GRID>(*w, bases, me)
        }
        WRITE => {
            let conflict = conflicts::<GRID>(*w, bases, me) | conflicts::<GRID>(*r, bases, me);
            *w = me;
            conflict
        }
        ATOMIC_READ => {
            // Atomic writers are no conflict. It counts as a plain reader, so that a later atomic store is
            // suspected; the replay knows better.
            *r = reader::<GRID>(*r, bases, me);
            *w & ATOMIC == 0 && conflicts::<GRID>(*w, bases, me)
        }
        _ => {
            let plain = *w & ATOMIC == 0 && conflicts::<GRID>(*w, bases, me);
            let conflict = plain || conflicts::<GRID>(*r, bases, me);
            if GRID && bases.foreign(*w) {
                *w = bases.launch | SEVERAL | (*w & ATOMIC);
            } else if GRID && *w >= bases.block && *w < first {
                // The block's own, before a barrier: a plain write stays one to other blocks.
                *w = me | (*w & ATOMIC);
            } else if *w < first {
                *w = me | ATOMIC;
            } else if *w & !ATOMIC != me {
                // Several threads. A plain write among them stays plain.
                *w = first | SEVERAL | (*w & ATOMIC);
            }
            conflict
        }
    }
}

impl<const GRID: bool> Sweep<'_, GRID> {
    /// One cell.
    #[inline(always)]
    fn cell<const KIND: u8>(&mut self, cell: usize, me: u32) -> bool {
        match (self.cells.write.get_mut(cell), self.cells.read.get_mut(cell)) {
            (Some(w), Some(r)) => step::<KIND, GRID>(w, r, self.bases, me),
            _ => false,
        }
    }

    #[inline(always)]
    fn thread(&self, lane: usize) -> u32 {
        self.bases.first | (self.acc.first_thread + lane as u32) & 0x3ff
    }

    /// Cells of one lane.
    #[inline(always)]
    fn lane<const KIND: u8>(&mut self, lane: usize) -> bool {
        let off = self.acc.spot.lane(lane, self.acc.width);
        let shift = self.cells.shift;
        let (from, to) = (off >> shift, (off + self.acc.width + (1 << shift) - 1) >> shift);
        let me = self.thread(lane);
        let mut conflict = false;
        for cell in from..to {
            conflict |= self.cell::<KIND>(cell as usize, me);
        }
        conflict
    }

    /// A chunk of a plain access as one, where its lanes stand side by side or all read one place.
    #[inline(always)]
    fn chunk<const AVX2: bool>(&mut self, c: usize, word: u16) -> Option<bool> {
        let (lane0, width) = (c * CHUNK, self.acc.width);
        let off = match self.acc.spot {
            Spot::Contig(off) => off + lane0 as i64 * i64::from(width),
            Spot::Broadcast(_) => return None,
            Spot::Scatter(offs) => {
                let offs = offs.get(lane0..)?.first_chunk::<CHUNK>()?;
                let lane = word.trailing_zeros();
                let first = offs[lane as usize & 15];
                let several = word & (word - 1) != 0;
                if self.acc.how.op == AccessOp::Read && several && steps::<AVX2>(offs, 0, word) {
                    return Some(self.all_read(first));
                }
                if !steps::<AVX2>(offs, width, word) {
                    return None;
                }
                i64::from(first) - i64::from(lane) * i64::from(width)
            }
        };
        // Of a partial chunk, inactive lanes may lie outside the cells: those go one by one.
        let cell = usize::try_from(off).ok()? >> self.cells.shift;
        match width >> self.cells.shift {
            1 => self.contig::<AVX2, 0>(cell, lane0, word),
            2 => self.contig::<AVX2, 1>(cell, lane0, word),
            4 => self.contig::<AVX2, 2>(cell, lane0, word),
            8 => self.contig::<AVX2, 3>(cell, lane0, word),
            _ => None,
        }
    }

    /// The lanes of a chunk one by one.
    #[inline(always)]
    fn lanes<const KIND: u8>(&mut self, c: usize, word: u16) -> bool {
        let lane0 = c * CHUNK;
        let mut conflict = false;
        let mut rest = word;
        let shift = self.cells.shift;
        if let (Spot::Scatter(offs), 1) = (self.acc.spot, self.acc.width >> shift)
            && let Some(offs) = offs.get(lane0..)
        {
            // The usual case: a cell for each lane.
            let me0 = self.thread(lane0);
            let (write, read, bases) = (&mut self.cells.write[..], &mut self.cells.read[..], self.bases);
            while rest != 0 {
                let i = rest.trailing_zeros();
                rest &= rest - 1;
                let cell = offs.get(i as usize).map_or(usize::MAX, |&o| (o >> shift) as usize);
                if let (Some(w), Some(r)) = (write.get_mut(cell), read.get_mut(cell)) {
                    conflict |= step::<KIND, GRID>(w, r, bases, me0 + i);
                }
            }
            return conflict;
        }
        while rest != 0 {
            let i = rest.trailing_zeros() as usize;
            rest &= rest - 1;
            conflict |= self.lane::<KIND>(lane0 + i);
        }
        conflict
    }

    /// Several lanes read one place.
    #[inline(always)]
    fn all_read(&mut self, off: u32) -> bool {
        let shift = self.cells.shift;
        let mut conflict = false;
        for cell in off >> shift..(off + self.acc.width + (1 << shift) - 1) >> shift {
            let cell = cell as usize;
            if let (Some(w), Some(r)) = (self.cells.write.get(cell), self.cells.read.get_mut(cell)) {
                let bases = self.bases;
                conflict |= *w >= bases.first || GRID && bases.foreign(*w);
                let foreign = GRID && bases.foreign(*r);
                *r = if foreign { bases.launch } else { bases.first } | SEVERAL;
            }
        }
        conflict
    }

    /// Several lanes update one place atomically.
    #[inline(always)]
    fn all_update(&mut self, off: u32) -> bool {
        let (shift, bases) = (self.cells.shift, self.bases);
        let mut conflict = false;
        for cell in off >> shift..(off + self.acc.width + (1 << shift) - 1) >> shift {
            let cell = cell as usize;
            if let (Some(w), Some(r)) = (self.cells.write.get_mut(cell), self.cells.read.get(cell)) {
                let (foreign, own) = (GRID && bases.foreign(*w), GRID && *w >= bases.block);
                let plain = *w & ATOMIC == 0 && (*w >= bases.first || own || foreign);
                conflict |= plain || *r >= bases.first || GRID && bases.foreign(*r);
                let by = if foreign { bases.launch } else { bases.first };
                *w = by | SEVERAL | if plain { 0 } else { ATOMIC };
            }
        }
        conflict
    }

    /// A chunk of lanes side by side, `1 << PER_LANE` cells for each lane.
    #[inline(always)]
    fn contig<const AVX2: bool, const PER_LANE: i32>(
        &mut self,
        cell: usize,
        lane0: usize,
        word: u16,
    ) -> Option<bool> {
        let bases = self.bases;
        let n = CHUNK << PER_LANE;
        let w = self.cells.write.get_mut(cell..)?.get_mut(..n)?;
        let r = self.cells.read.get_mut(cell..)?.get_mut(..n)?;
        // A strip's threads stay below 1024, so that this adds up.
        let me0 = bases.first | (self.acc.first_thread + lane0 as u32) & 0x3ff;
        let reads = self.acc.how.op == AccessOp::Read;
        #[cfg(target_arch = "x86_64")]
        if AVX2 {
            let stamps = (bases, SEVERAL, ATOMIC);
            return Some(crate::memory::simd::avx2_sweep::<PER_LANE, GRID>(stamps, w, r, me0, word, reads));
        }
        let mut conflict = false;
        for i in 0..n {
            let lane = i >> PER_LANE;
            if word >> lane & 1 == 0 {
                continue;
            }
            let me = me0 + lane as u32;
            conflict |= conflicts::<GRID>(w[i], bases, me);
            if reads {
                r[i] = reader::<GRID>(r[i], bases, me);
            } else {
                conflict |= conflicts::<GRID>(r[i], bases, me);
                w[i] = me;
            }
        }
        Some(conflict)
    }
}

impl<const GRID: bool> Kernel for Sweep<'_, GRID> {
    type Out = bool;

    /// Whether there is no conflict.
    #[inline(always)]
    fn run<const AVX2: bool>(mut self) -> bool {
        let mask: &Mask = self.acc.mask;
        // Atomics of a block's scope are none to other blocks.
        let scope = self.acc.how.atomic;
        let plain = scope.is_none() || GRID && scope == Some(Scope::Block);
        let mut conflict = false;
        if let (Spot::Broadcast(off), true) = (self.acc.spot, mask.count() > 1) {
            // All lanes at one place: one update for all of them.
            match (self.acc.how.op, plain) {
                (AccessOp::Read, true) => return !self.all_read(off),
                (AccessOp::Atomic, false) => return !self.all_update(off),
                _ => {}
            }
        }
        for c in 0..MASK_WORDS {
            let word = mask.0[c];
            if word == 0 {
                continue;
            }
            if plain && let Some(done) = self.chunk::<AVX2>(c, word) {
                conflict |= done;
                continue;
            }
            conflict |= match (self.acc.how.op, plain) {
                (AccessOp::Read, true) => self.lanes::<READ>(c, word),
                (_, true) => self.lanes::<WRITE>(c, word),
                (AccessOp::Read, false) => self.lanes::<ATOMIC_READ>(c, word),
                (_, false) => self.lanes::<ATOMIC_WRITE>(c, word),
            };
        }
        !conflict
    }
}
