//! The fast tier in shared memory: who wrote and who read each granule in the running interval, as two
//! [epochs](super::epochs).

use super::epochs::*;
use super::{AddressPattern, RaceAccess};
use cudair_lane::fault::AccessOp;
use cudair_lane::pages::Words;
use cudair_lane::pattern::ChunkPattern;
use cudair_lane::simd::{Kernel, dispatch};
use cudair_lane::{CHUNK, MASK_WORDS, MAX_LANES, Mask};
use rustc_hash::FxHashSet;

/// The cells of an object.
#[derive(Debug, Default)]
pub(crate) struct Cells {
    /// Bytes of the object.
    size: u64,
    /// Bytes per granule as a power of two: 2 or 0.
    shift: u32,
    write: Words,
    read: Words,
    /// In place of cells of readers where there are none yet: zeros, for a whole strip.
    unread: Vec<u32>,
}

impl Cells {
    /// Makes room for an object of `size` bytes, once the first access comes.
    #[inline]
    pub fn fit(&mut self, size: u64) {
        if self.size != size {
            *self = Cells { size, shift: 2, ..Cells::default() };
        }
    }

    /// Forgets all epochs.
    #[inline]
    pub fn clear(&mut self) {
        self.write.fill(0);
        self.read.fill(0);
    }

    /// From now on a granule is a byte.
    #[cold]
    fn split(&mut self) {
        let widen = |cells: &[u32]| {
            let mut wide = Words::zeroed(4 * cells.len());
            wide.chunks_exact_mut(4).zip(cells).for_each(|(w, &c)| w.fill(c));
            wide
        };
        self.write = widen(&self.write);
        self.read = widen(&self.read);
        self.shift = 0;
    }

    /// Checks and records an access. Suspicious granules of four bytes go to `suspects`.
    #[inline]
    pub fn access(&mut self, epochs: &Epochs, acc: &RaceAccess, suspects: &mut FxHashSet<(u32, u32)>) {
        if !self.sweep(epochs.bases(), acc) {
            for lane in acc.mask.iter() {
                let off = acc.spot.lane(lane, acc.width);
                suspects.extend((off / 4..(off + acc.width).div_ceil(4)).map(|g| (acc.obj, g)));
            }
        }
    }

    #[inline(always)]
    fn sweep(&mut self, bases: Bases, acc: &RaceAccess) -> bool {
        // Those of readers come with the first reader.
        let reads = acc.how.op != AccessOp::Write;
        if self.write.is_empty() || reads && self.read.is_empty() {
            // A little more, so that the last chunk of an access has whole granules.
            let cells =
                ((self.size.div_ceil(4) as usize).next_multiple_of(8) + 4 * CHUNK) << (2 - self.shift);
            if self.write.is_empty() {
                self.write = Words::zeroed(cells);
            }
            if reads {
                self.read = Words::zeroed(cells);
            }
            self.unread.resize(if self.read.is_empty() { MAX_LANES << 3 } else { 0 }, 0);
        }
        if self.shift != 0 && !whole_granules(acc) {
            self.split();
        }
        dispatch(Sweep { cells: self, bases, acc, nobody: 0 })
    }
}

/// Whether an access covers whole granules of four bytes only.
#[inline(always)]
fn whole_granules(acc: &RaceAccess) -> bool {
    acc.width.is_multiple_of(4)
        && match acc.spot {
            AddressPattern::Contiguous(off) => off % 4 == 0,
            AddressPattern::Uniform(off) => off % 4 == 0,
            AddressPattern::Chunks(_) => (0..MASK_WORDS).all(|c| {
                acc.mask.0[c] == 0
                    || match acc.spot.chunk(c, acc.width) {
                        ChunkPattern::Contiguous(off) => off % 4 == 0,
                        ChunkPattern::Uniform(off) => off % 4 == 0,
                        ChunkPattern::Gather(offs) => offs.iter().fold(0, |a, &o| a | o) % 4 == 0,
                    }
            }),
        }
}

/// An access on its way over the cells.
struct Sweep<'a> {
    cells: &'a mut Cells,
    bases: Bases,
    acc: &'a RaceAccess<'a>,
    /// In place of a cell of readers where there are none yet.
    nobody: u32,
}

/// [`step`] by both epochs of a cell.
#[inline(always)]
fn both<const KIND: u8>(w: &mut u32, r: &mut u32, bases: Bases, me: u32) -> bool {
    match KIND {
        READ | ATOMIC_READ => step::<KIND, false>(r, *w, bases, me),
        _ => step::<KIND, false>(w, *r, bases, me),
    }
}

impl Sweep<'_> {
    /// One cell.
    #[inline(always)]
    fn cell<const KIND: u8>(&mut self, cell: usize, me: u32) -> bool {
        let r = self.cells.read.get_mut(cell).unwrap_or(&mut self.nobody);
        self.cells.write.get_mut(cell).is_some_and(|w| both::<KIND>(w, r, self.bases, me))
    }

    #[inline(always)]
    fn thread(&self, lane: usize) -> u32 {
        self.bases.thread(self.acc, lane)
    }

    /// Cells of one lane.
    #[inline(always)]
    fn lane<const KIND: u8>(&mut self, lane: usize, off: u32) -> bool {
        let shift = self.cells.shift;
        let (from, to) = (off >> shift, (off + self.acc.width + (1 << shift) - 1) >> shift);
        let me = self.thread(lane);
        let mut conflict = false;
        for cell in from..to {
            conflict |= self.cell::<KIND>(cell as usize, me);
        }
        conflict
    }

    /// A chunk of a plain access side by side, as one.
    #[inline(always)]
    fn side<const AVX2: bool>(&mut self, off: i32, lane0: usize, word: u16) -> Option<bool> {
        // Of a partial chunk, inactive lanes may lie outside the cells: those go one by one.
        let cell = usize::try_from(off).ok()? >> self.cells.shift;
        match self.acc.width >> self.cells.shift {
            1 => self.contig::<AVX2, 0>(cell, lane0, word),
            2 => self.contig::<AVX2, 1>(cell, lane0, word),
            4 => self.contig::<AVX2, 2>(cell, lane0, word),
            8 => self.contig::<AVX2, 3>(cell, lane0, word),
            _ => None,
        }
    }

    /// The lanes of a chunk one by one.
    #[inline(always)]
    fn lanes<const KIND: u8>(&mut self, lie: ChunkPattern, lane0: usize, word: u16) -> bool {
        let mut conflict = false;
        let mut rest = word;
        let shift = self.cells.shift;
        if let (ChunkPattern::Gather(offs), 1) = (lie, self.acc.width >> shift) {
            // The usual case: a cell for each lane.
            let me0 = self.bases.thread(self.acc, lane0);
            let (write, read, bases) = (&mut self.cells.write[..], &mut self.cells.read[..], self.bases);
            while rest != 0 {
                let i = rest.trailing_zeros();
                rest &= rest - 1;
                let cell = (offs[i as usize & (CHUNK - 1)] >> shift) as usize;
                let r = read.get_mut(cell).unwrap_or(&mut self.nobody);
                if let Some(w) = write.get_mut(cell) {
                    conflict |= both::<KIND>(w, r, bases, me0 + i);
                }
            }
            return conflict;
        }
        while rest != 0 {
            let i = rest.trailing_zeros();
            rest &= rest - 1;
            let off = match lie {
                ChunkPattern::Contiguous(off) => (off as u32).wrapping_add(i * self.acc.width),
                ChunkPattern::Uniform(off) => off,
                ChunkPattern::Gather(offs) => offs[i as usize & (CHUNK - 1)],
            };
            conflict |= self.lane::<KIND>(lane0 + i as usize, off);
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
                conflict |= *w >= self.bases.first;
                *r = read_by_all::<false>(*r, self.bases);
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
                conflict |= updated_by_all::<false>(w, *r, bases);
            }
        }
        conflict
    }

    /// A full chunk of lanes with a cell each, two or four cells apart, as one.
    #[inline(always)]
    fn strided<const AVX2: bool>(&mut self, offs: &[u32; CHUNK], lane0: usize, word: u16) -> Option<bool> {
        #[cfg(target_arch = "x86_64")]
        if AVX2 && word == u16::MAX && self.acc.width >> self.cells.shift == 1 {
            let step = offs[1].wrapping_sub(offs[0]);
            let apart = step >> self.cells.shift;
            if apart != 2 && apart != 4 || !cudair_lane::simd::avx2_steps(offs, step) {
                return None;
            }
            let cell = (offs[0] >> self.cells.shift) as usize;
            let n = CHUNK * apart as usize;
            let w = self.cells.write.get_mut(cell..)?.get_mut(..n)?;
            let r = match &mut self.cells.read {
                none if none.is_empty() => self.cells.unread.get_mut(..n)?,
                some => some.get_mut(cell..)?.get_mut(..n)?,
            };
            let me0 = self.bases.thread(self.acc, lane0);
            let epochs = (self.bases.first, SEVERAL, ATOMIC);
            let reads = self.acc.how.op == AccessOp::Read;
            return Some(if apart == 2 {
                cudair_lane::simd::avx2_strided::<1>(epochs, w, r, me0, word, reads)
            } else {
                cudair_lane::simd::avx2_strided::<2>(epochs, w, r, me0, word, reads)
            });
        }
        let _ = (offs, lane0, word);
        None
    }

    /// Lanes side by side with a cell each and without gaps, as one.
    #[inline(always)]
    fn run_of_lanes<const AVX2: bool>(&mut self) -> Option<bool> {
        let (AddressPattern::Contiguous(off), mask) = (self.acc.spot, self.acc.mask) else { return None };
        let (first, last) = (mask.lowest()?, mask.highest()?);
        let n = last - first + 1;
        if self.acc.width >> self.cells.shift != 1 || n % 8 != 0 || mask.count() as usize != n {
            return None;
        }
        #[cfg(target_arch = "x86_64")]
        if AVX2 {
            let off = off + first as i64 * i64::from(self.acc.width);
            let cell = usize::try_from(off).ok()? >> self.cells.shift;
            let w = self.cells.write.get_mut(cell..)?.get_mut(..n)?;
            let r = match &mut self.cells.read {
                none if none.is_empty() => self.cells.unread.get_mut(..n)?,
                some => some.get_mut(cell..)?.get_mut(..n)?,
            };
            let me0 = self.bases.thread(self.acc, first);
            let epochs = (self.bases.first, SEVERAL, ATOMIC);
            let reads = self.acc.how.op == AccessOp::Read;
            return Some(cudair_lane::simd::avx2_run(epochs, w, r, me0, reads));
        }
        let _ = off;
        None
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
        let r = match &mut self.cells.read {
            none if none.is_empty() => self.cells.unread.get_mut(..n)?,
            some => some.get_mut(cell..)?.get_mut(..n)?,
        };
        // A strip's threads stay below 1024, so that this adds up.
        let me0 = self.bases.thread(self.acc, lane0);
        let reads = self.acc.how.op == AccessOp::Read;
        #[cfg(target_arch = "x86_64")]
        if AVX2 {
            let epochs = (bases.first, SEVERAL, ATOMIC);
            return Some(cudair_lane::simd::avx2_sweep::<PER_LANE>(epochs, w, r, me0, word, reads));
        }
        let mut conflict = false;
        for i in 0..n {
            let lane = i >> PER_LANE;
            if word >> lane & 1 == 0 {
                continue;
            }
            let me = me0 + lane as u32;
            conflict |= conflicts::<false>(w[i], bases, me);
            if reads {
                r[i] = reader::<false>(r[i], bases, me);
            } else {
                conflict |= conflicts::<false>(r[i], bases, me);
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
        if let (AddressPattern::Uniform(off), true) = (self.acc.spot, mask.count() > 1) {
            // All lanes at one place: one update for all of them.
            match (self.acc.how.op, plain) {
                (AccessOp::Read, true) => return !self.all_read(off),
                (AccessOp::Atomic, false) => return !self.all_update(off),
                _ => {}
            }
        }
        if plain && let Some(conflict) = self.run_of_lanes::<AVX2>() {
            return !conflict;
        }
        for c in 0..MASK_WORDS {
            let word = mask.0[c];
            if word == 0 {
                continue;
            }
            let (lane0, lie) = (c * CHUNK, self.acc.spot.chunk(c, self.acc.width));
            let done = match (lie, self.acc.how.op, plain) {
                (ChunkPattern::Contiguous(off), _, true) => self.side::<AVX2>(off, lane0, word),
                (ChunkPattern::Gather(offs), _, true) => self.strided::<AVX2>(offs, lane0, word),
                // A single lane is a reader, and an updater, with a name.
                (ChunkPattern::Uniform(off), AccessOp::Read, true) if !word.is_power_of_two() => {
                    Some(self.all_read(off))
                }
                (ChunkPattern::Uniform(off), AccessOp::Atomic, false) if !word.is_power_of_two() => {
                    Some(self.all_update(off))
                }
                _ => None,
            };
            conflict |= match (done, self.acc.how.op, plain) {
                (Some(done), ..) => done,
                (_, AccessOp::Read, true) => self.lanes::<READ>(lie, lane0, word),
                (_, _, true) => self.lanes::<WRITE>(lie, lane0, word),
                (_, AccessOp::Read, false) => self.lanes::<ATOMIC_READ>(lie, lane0, word),
                (_, _, false) => self.lanes::<ATOMIC_WRITE>(lie, lane0, word),
            };
        }
        !conflict
    }
}
