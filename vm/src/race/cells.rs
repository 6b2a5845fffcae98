//! The fast tier: who wrote and who read each granule in the running interval.
//!
//! A stamp is `interval : 20 | atomic : 1 | several : 1 | thread : 10`. Stamps of earlier intervals compare
//! less than the running interval's first and need no clearing; when the numbers wrap, all cells are cleared.

use super::{RaceAccess, Spot};
use crate::fault::AccessOp;
use crate::memory::simd::{Kernel, dispatch};
use crate::memory::{CHUNK, MASK_WORDS, Mask};
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

    fn first(self) -> u32 {
        self.interval << INTERVAL_SHIFT
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
    pub(crate) fn access(&mut self, stamps: &Stamps, acc: &RaceAccess, suspects: &mut FxHashSet<(u16, u32)>) {
        if self.write.is_empty() {
            // A little more, so that the last chunk of an access has whole granules.
            let cells = (self.size.div_ceil(4) as usize).next_multiple_of(4) << (2 - self.shift);
            self.write = vec![0; cells];
            self.read = vec![0; cells];
        }
        if self.shift != 0 && !whole_granules(acc) {
            self.split();
        }
        let sweep = Sweep { cells: self, first: stamps.first(), acc };
        let clean = dispatch(sweep);
        if !clean {
            for lane in acc.mask.iter() {
                let off = acc.spot.lane(lane, acc.width);
                suspects.extend((off / 4..(off + acc.width).div_ceil(4)).map(|g| (acc.obj, g)));
            }
        }
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

struct Sweep<'a> {
    cells: &'a mut Cells,
    first: u32,
    acc: &'a RaceAccess<'a>,
}

/// Whether a plain access by `me` conflicts with what a stamp tells.
#[inline(always)]
fn conflicts(stamp: u32, first: u32, me: u32) -> bool {
    stamp >= first && (stamp & !ATOMIC) != me
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
fn step<const KIND: u8>(w: &mut u32, r: &mut u32, first: u32, me: u32) -> bool {
    let reader = |r: u32| if r < first || r == me { me } else { first | SEVERAL };
    match KIND {
        READ => {
            *r = reader(*r);
            conflicts(*w, first, me)
        }
        WRITE => {
            let conflict = conflicts(*w, first, me) | conflicts(*r, first, me);
            *w = me;
            conflict
        }
        ATOMIC_READ => {
            // Atomic writers are no conflict. It counts as a plain reader, so that a later atomic store is
            // suspected; the replay knows better.
            *r = reader(*r);
            *w & ATOMIC == 0 && conflicts(*w, first, me)
        }
        _ => {
            let plain = *w >= first && *w & ATOMIC == 0;
            let conflict = plain && *w != me || conflicts(*r, first, me);
            if *w < first {
                *w = me | ATOMIC;
            } else if *w & !ATOMIC != me {
                // Several threads. A plain write among them stays plain.
                *w = first | SEVERAL | (*w & ATOMIC);
            }
            conflict
        }
    }
}

impl Sweep<'_> {
    /// One cell.
    #[inline(always)]
    fn cell<const KIND: u8>(&mut self, cell: usize, me: u32) -> bool {
        match (self.cells.write.get_mut(cell), self.cells.read.get_mut(cell)) {
            (Some(w), Some(r)) => step::<KIND>(w, r, self.first, me),
            _ => false,
        }
    }

    #[inline(always)]
    fn thread(&self, lane: usize) -> u32 {
        self.first | (self.acc.first_thread + lane as u32) & 0x3ff
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
            let (write, read, first) = (&mut self.cells.write[..], &mut self.cells.read[..], self.first);
            while rest != 0 {
                let i = rest.trailing_zeros();
                rest &= rest - 1;
                let cell = offs.get(i as usize).map_or(usize::MAX, |&o| (o >> shift) as usize);
                if let (Some(w), Some(r)) = (write.get_mut(cell), read.get_mut(cell)) {
                    conflict |= step::<KIND>(w, r, first, me0 + i);
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
                conflict |= *w >= self.first;
                *r = self.first | SEVERAL;
            }
        }
        conflict
    }

    /// Several lanes update one place atomically.
    #[inline(always)]
    fn all_update(&mut self, off: u32) -> bool {
        let (shift, first) = (self.cells.shift, self.first);
        let mut conflict = false;
        for cell in off >> shift..(off + self.acc.width + (1 << shift) - 1) >> shift {
            let cell = cell as usize;
            if let (Some(w), Some(r)) = (self.cells.write.get_mut(cell), self.cells.read.get(cell)) {
                let plain = *w >= first && *w & ATOMIC == 0;
                conflict |= plain || *r >= first;
                *w = first | SEVERAL | if plain { 0 } else { ATOMIC };
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
        let first = self.first;
        let n = CHUNK << PER_LANE;
        let w = self.cells.write.get_mut(cell..)?.get_mut(..n)?;
        let r = self.cells.read.get_mut(cell..)?.get_mut(..n)?;
        // A strip's threads stay below 1024, so that this adds up.
        let me0 = first | (self.acc.first_thread + lane0 as u32) & 0x3ff;
        let reads = self.acc.how.op == AccessOp::Read;
        #[cfg(target_arch = "x86_64")]
        if AVX2 {
            let stamps = (first, SEVERAL, ATOMIC);
            return Some(crate::memory::simd::avx2_sweep::<PER_LANE>(stamps, w, r, me0, word, reads));
        }
        let mut conflict = false;
        for i in 0..n {
            let lane = i >> PER_LANE;
            if word >> lane & 1 == 0 {
                continue;
            }
            let me = me0 + lane as u32;
            conflict |= conflicts(w[i], first, me);
            if reads {
                r[i] = if r[i] < first || r[i] == me { me } else { first | SEVERAL };
            } else {
                conflict |= conflicts(r[i], first, me);
                w[i] = me;
            }
        }
        Some(conflict)
    }
}

impl Kernel for Sweep<'_> {
    type Out = bool;

    /// Whether there is no conflict.
    #[inline(always)]
    fn run<const AVX2: bool>(mut self) -> bool {
        let mask: &Mask = self.acc.mask;
        let plain = self.acc.how.atomic.is_none();
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
