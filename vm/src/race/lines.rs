//! The fast tier in global memory: who wrote and who read each granule in the running launch.
//!
//! A granule is as wide as the narrowest access to its object so far, up to eight bytes, and has a *cell*: two
//! [stamps](super::stamps), of who wrote it and of who read it. 16 cells in a row are a *line*. As long as accesses
//! cover whole lines, threads in a row or all at once, one stamp tells of all cells of a line, which is a
//! sixteenth of the work and of the memory. Stamps of single cells come with the first access that takes a line
//! apart, and go with the next that covers it.

use super::stamps::*;
use super::{RaceAccess, Spot};
use crate::fault::AccessOp;
use crate::memory::pages::Words;
use crate::memory::pattern::Lie;
use crate::memory::simd::{Kernel, dispatch};
use crate::memory::{CHUNK, MASK_WORDS};
use cudair_ir::Scope;

/// Cells of a line.
const LINE: usize = CHUNK;
/// In place of a line's stamp: its cells have stamps of their own, and this is where.
const APART: u32 = 1 << 31;
/// The widest granule, as a power of two of bytes.
const WIDEST: u32 = 3;

type Line = [u32; LINE];

/// The stamps of those who wrote an object, or of those who read it.
#[derive(Debug, Default)]
struct Stamped {
    /// A stamp per line. With [`SEVERAL`] it is that of each cell; without, the cells are of threads in a row, and
    /// it is the first one's. With [`APART`], the cells of the line are at that place among `cells`.
    lines: Words,
    /// Stamps of lines that have been taken apart.
    cells: Words,
    /// Lines in `cells` so far.
    used: u32,
    /// Of these, the ones that are free again.
    free: Vec<u32>,
}

/// The stamps of the cells of a line of this stamp.
#[inline(always)]
fn spread(stamp: u32) -> Line {
    let step = u32::from(stamp & SEVERAL == 0);
    std::array::from_fn(|i| stamp + step * i as u32)
}

impl Stamped {
    fn new(lines: usize) -> Stamped {
        Stamped { lines: Words::zeroed(lines), ..Stamped::default() }
    }

    /// Where the stamps of a line taken apart are.
    #[inline(always)]
    fn place(stamp: u32) -> std::ops::Range<usize> {
        let at = (stamp & !APART) as usize * LINE;
        at..at + LINE
    }

    /// The stamps of a line's cells.
    #[inline(always)]
    fn line(&self, line: usize) -> Line {
        let stamp = self.lines.get(line).copied().unwrap_or(0);
        if stamp & APART == 0 {
            return spread(stamp);
        }
        self.cells.get(Stamped::place(stamp)).and_then(|c| c.first_chunk()).copied().unwrap_or_default()
    }

    /// The stamp of a cell.
    #[inline(always)]
    fn cell(&self, cell: usize) -> u32 {
        let stamp = self.lines.get(cell / LINE).copied().unwrap_or(0);
        if stamp & APART != 0 {
            let at = (stamp & !APART) as usize * LINE + cell % LINE;
            return self.cells.get(at).copied().unwrap_or(0);
        }
        stamp + if stamp & SEVERAL == 0 { (cell % LINE) as u32 } else { 0 }
    }

    /// The stamps of a line's cells, to be changed one by one. None beyond the object, or without memory.
    #[inline(always)]
    fn open(&mut self, line: usize) -> Option<&mut Line> {
        let mut stamp = *self.lines.get(line)?;
        if stamp & APART == 0 {
            stamp = self.take_apart(line, stamp)?;
        }
        self.cells.get_mut(Stamped::place(stamp))?.first_chunk_mut()
    }

    fn take_apart(&mut self, line: usize, stamp: u32) -> Option<u32> {
        if self.cells.is_empty() {
            // Memory comes with the first use.
            self.cells = Words::zeroed(self.lines.len() * LINE);
        }
        let place = self.free.pop().unwrap_or_else(|| {
            self.used += 1;
            self.used - 1
        });
        let cells: &mut Line = self.cells.get_mut(Stamped::place(place))?.first_chunk_mut()?;
        *cells = spread(stamp);
        self.lines[line] = APART | place;
        Some(APART | place)
    }

    /// One stamp tells of a whole line from now on.
    #[inline(always)]
    fn close(&mut self, line: usize, stamp: u32) {
        if let Some(old) = self.lines.get_mut(line) {
            if *old & APART != 0 {
                self.free.push(*old & !APART);
            }
            *old = stamp;
        }
    }

    /// A bit per cell, up to `n` of them: whether its stamp is `from` or later.
    fn since(&self, from: u32, n: usize) -> Vec<u64> {
        let mut bits = vec![0u64; n.div_ceil(64)];
        for line in 0..n.div_ceil(LINE) {
            if self.lines.get(line).is_none_or(|&stamp| stamp < from) {
                continue;
            }
            let word = self.line(line).iter().rev().fold(0, |w, &c| w << 1 | u64::from(c >= from));
            bits[line / 4] |= word << (line % 4 * LINE);
        }
        bits
    }

    /// See [`Lines::fold`].
    fn fold(&mut self, launch: u32) {
        for stamp in self.lines.iter_mut().chain(self.cells.iter_mut()) {
            *stamp = match *stamp {
                apart if apart & APART != 0 => apart,
                old if old < launch => 0,
                live => 1 << INTERVAL_SHIFT | SEVERAL | live & ATOMIC,
            };
        }
    }

    /// Each cell becomes `1 << by` cells, `lines` lines in all. Stamps before `launch` do not matter any more.
    fn split(&self, by: u32, launch: u32, lines: usize) -> Stamped {
        let mut new = Stamped::new(lines);
        for (n, &stamp) in self.lines.iter().enumerate() {
            let wide = (n << by..(n + 1) << by).filter(|&l| l < lines);
            if stamp < launch {
                continue;
            }
            if stamp & (APART | SEVERAL) == SEVERAL {
                wide.for_each(|l| new.lines[l] = stamp);
                continue;
            }
            let cells = self.line(n);
            if cells.iter().all(|&c| c < launch) {
                continue;
            }
            for (part, line) in wide.enumerate() {
                if let Some(new) = new.open(line) {
                    *new = std::array::from_fn(|i| cells[(part * LINE + i) >> by & (LINE - 1)]);
                }
            }
        }
        new
    }
}

/// The stamps of an object.
#[derive(Debug, Default)]
pub(crate) struct Lines {
    /// Bytes of the object.
    size: u64,
    /// Bytes per granule as a power of two.
    shift: u32,
    write: Stamped,
    read: Stamped,
}

impl Lines {
    /// Makes room for an object of `size` bytes, once the first access comes.
    #[inline(always)]
    pub(crate) fn fit(&mut self, size: u64) {
        if self.size != size {
            *self = Lines { size, ..Lines::default() };
        }
    }

    /// Stamps of the launch that starts at stamp `launch` become those of another block; older ones go.
    pub(crate) fn fold(&mut self, launch: u32) {
        self.write.fold(launch);
        self.read.fold(launch);
    }

    /// Granules of the object.
    #[inline(always)]
    fn cells(&self) -> usize {
        (self.size as usize).div_ceil(1 << self.shift)
    }

    /// Bytes per granule as a power of two, 2 or 0, and a bit for each granule: written, and read, since stamp
    /// `from`.
    pub(super) fn since(&self, from: u32) -> (u32, [Vec<u64>; 2]) {
        let n = self.cells();
        let bits = [&self.write, &self.read].map(|stamped| {
            let bits = stamped.since(from, n);
            if self.shift % 2 == 0 { bits } else { twice(&bits) }
        });
        (self.shift & 2, bits)
    }

    /// Checks and records an access. False where it is suspicious.
    #[inline]
    pub(crate) fn access(&mut self, bases: Bases, acc: &RaceAccess) -> bool {
        if self.write.lines.is_empty() {
            self.shift = granule(acc);
            let lines = self.cells().div_ceil(LINE);
            (self.write, self.read) = (Stamped::new(lines), Stamped::new(lines));
        } else if self.shift != 0 && low_bits(acc) & ((1 << self.shift) - 1) != 0 {
            self.split(granule(acc), bases.launch);
        }
        dispatch(Sweep { shift: self.shift, cells: self.cells(), lines: self, bases, acc })
    }

    /// From now on a granule is narrower.
    #[cold]
    fn split(&mut self, shift: u32, launch: u32) {
        let by = self.shift - shift;
        self.shift = shift;
        let lines = self.cells().div_ceil(LINE);
        self.write = self.write.split(by, launch, lines);
        self.read = self.read.split(by, launch, lines);
    }
}

/// Each bit twice.
fn twice(bits: &[u64]) -> Vec<u64> {
    let spread = |half: u64| (0..32).fold(0, |w, i| w | (half >> i & 1) * 0b11 << (2 * i));
    bits.iter().flat_map(|&w| [spread(w & 0xffff_ffff), spread(w >> 32)]).collect()
}

/// All offsets of an access or-ed, and its width.
#[inline(always)]
fn low_bits(acc: &RaceAccess) -> u32 {
    let low = match acc.spot {
        Spot::Contig(off) => off as u32,
        Spot::Broadcast(off) => off,
        Spot::Chunks(_) => (0..MASK_WORDS).filter(|&c| acc.mask.0[c] != 0).fold(0, |low, c| {
            low | match acc.spot.chunk(c, acc.width) {
                Lie::Side(off) => off as u32,
                Lie::Same(off) => off,
                Lie::Apart(offs) => offs.iter().fold(0, |a, &o| a | o),
            }
        }),
    };
    low | acc.width
}

/// The widest granules of which an access covers whole ones only, as a power of two.
fn granule(acc: &RaceAccess) -> u32 {
    low_bits(acc).trailing_zeros().min(WIDEST)
}

/// An access on its way over the lines.
struct Sweep<'a> {
    lines: &'a mut Lines,
    bases: Bases,
    acc: &'a RaceAccess<'a>,
    shift: u32,
    /// Of the object.
    cells: usize,
}

impl Sweep<'_> {
    /// Whose stamps an access of a kind updates, and whose it looks at besides.
    #[inline(always)]
    fn sides<const KIND: u8>(&mut self) -> (&mut Stamped, &Stamped) {
        match KIND {
            READ | ATOMIC_READ => (&mut self.lines.read, &self.lines.write),
            _ => (&mut self.lines.write, &self.lines.read),
        }
    }

    /// A plain access by threads in a row, from that of `me0` on, to all cells of a line.
    #[inline(always)]
    fn whole<const KIND: u8>(&mut self, line: usize, me0: u32) -> bool {
        let bases = self.bases;
        let (own, other) = self.sides::<KIND>();
        let (o, t) = (own.lines.get(line).copied().unwrap_or(0), other.lines.get(line).copied().unwrap_or(0));
        if (o | t) & APART == 0 {
            let mut stamp = o;
            let conflict = step::<KIND, true>(&mut stamp, t, bases, me0);
            own.lines[line] = stamp;
            return conflict;
        }
        let (mut cells, others) = (own.line(line), other.line(line));
        let (mut conflict, mut differ) = (false, 0);
        for i in 0..LINE {
            let me = me0 + i as u32;
            conflict |= step::<KIND, true>(&mut cells[i], others[i], bases, me);
            differ |= cells[i] ^ me;
        }
        if differ == 0 {
            own.close(line, me0);
        } else if let Some(line) = own.open(line) {
            *line = cells;
        }
        conflict
    }

    /// A plain access by threads in a row to some cells of a line.
    #[inline(always)]
    fn part<const KIND: u8>(&mut self, line: usize, word: u16, me: Line) -> bool {
        let bases = self.bases;
        let (own, other) = self.sides::<KIND>();
        let others = other.line(line);
        let Some(cells) = own.open(line) else { return false };
        let mut conflict = false;
        for i in 0..LINE {
            let on = word >> i & 1 != 0;
            let mut stamp = cells[i];
            conflict |= step::<KIND, true>(&mut stamp, others[i], bases, me[i]) & on;
            cells[i] = if on { stamp } else { cells[i] };
        }
        conflict
    }

    /// A plain access of lanes side by side with a cell each, lane `lane0` at `cell`, wherever that is; `words` are
    /// masks.
    #[inline(always)]
    fn row<const KIND: u8>(&mut self, cell: i64, lane0: usize, words: &[u16]) -> bool {
        let (line, skew) = (cell.div_euclid(LINE as i64), cell.rem_euclid(LINE as i64) as usize);
        // The thread of the line's first cell: of cells before the first lane nobody asks.
        let mut me0 = self.bases.thread(self.acc, lane0).wrapping_sub(skew as u32);
        let (mut conflict, mut carry) = (false, 0);
        for (n, &word) in words.iter().chain([&0]).enumerate() {
            let bits = u32::from(word) << skew | carry;
            carry = bits >> LINE;
            let bits = bits as u16;
            if bits != 0 {
                // Active lanes are inside the object; its last line may be shorter.
                let line = (line + n as i64) as usize;
                let left = self.cells.saturating_sub(line * LINE);
                let all = if left < LINE { (1 << left) - 1 } else { u16::MAX };
                conflict |= if bits == all {
                    self.whole::<KIND>(line, me0)
                } else {
                    self.part::<KIND>(line, bits, std::array::from_fn(|i| me0.wrapping_add(i as u32)))
                };
            }
            me0 = me0.wrapping_add(LINE as u32);
        }
        conflict
    }

    /// A plain access of lanes side by side with several cells each.
    #[inline(always)]
    fn rows<const KIND: u8>(&mut self, off: i32, lane0: usize, word: u16) -> bool {
        let per = (self.acc.width >> self.shift).trailing_zeros();
        let me = self.bases.thread(self.acc, lane0);
        let (first, end) = (word.trailing_zeros(), 16 - word.leading_zeros());
        let start = i64::from(off >> self.shift);
        let (from, to) =
            ((start + i64::from(first << per)) as usize, (start + i64::from(end << per)) as usize);
        let mut conflict = false;
        for line in from / LINE..to.div_ceil(LINE) {
            let (mut bits, mut stamps) = (0, [0; LINE]);
            for (i, stamp) in stamps.iter_mut().enumerate() {
                let lane = ((line * LINE + i) as i64 - start) >> per;
                let on = (0..16).contains(&lane) && word >> (lane & 15) & 1 != 0;
                bits |= u16::from(on) << i;
                *stamp = me.wrapping_add(lane as u32);
            }
            if bits != 0 {
                conflict |= self.part::<KIND>(line, bits, stamps);
            }
        }
        conflict
    }

    /// Lanes anywhere, with a cell each.
    #[inline(always)]
    fn apart<const KIND: u8>(&mut self, offs: &[u32; CHUNK], lane0: usize, word: u16) -> bool {
        let (bases, shift, me0) = (self.bases, self.shift, self.bases.thread(self.acc, lane0));
        let (own, other) = self.sides::<KIND>();
        let mut conflict = false;
        let mut rest = word;
        while rest != 0 {
            let i = rest.trailing_zeros();
            rest &= rest - 1;
            let cell = (offs[i as usize & (CHUNK - 1)] >> shift) as usize;
            let seen = other.cell(cell);
            if let Some(line) = own.open(cell / LINE) {
                conflict |= step::<KIND, true>(&mut line[cell % LINE], seen, bases, me0 + i);
            }
        }
        conflict
    }

    /// Cells of one lane.
    #[inline(always)]
    fn lane<const KIND: u8>(&mut self, lane: usize, off: u32) -> bool {
        let (bases, me) = (self.bases, self.bases.thread(self.acc, lane));
        let (from, to) = ((off >> self.shift) as usize, (off + self.acc.width) as usize >> self.shift);
        let (own, other) = self.sides::<KIND>();
        let mut conflict = false;
        for line in from / LINE..to.div_ceil(LINE) {
            let (first, end) = (from.max(line * LINE), to.min((line + 1) * LINE));
            let others = other.line(line);
            let Some(cells) = own.open(line) else { continue };
            for i in first - line * LINE..end - line * LINE {
                conflict |= step::<KIND, true>(&mut cells[i & 15], others[i & 15], bases, me);
            }
        }
        conflict
    }

    /// The lanes of a chunk.
    #[inline(always)]
    fn lanes<const KIND: u8>(&mut self, lie: Lie, lane0: usize, word: u16) -> bool {
        let single = self.acc.width >> self.shift == 1;
        let plain = KIND == READ || KIND == WRITE;
        match lie {
            Lie::Side(off) if plain && single => {
                return self.row::<KIND>(i64::from(off >> self.shift), lane0, &[word]);
            }
            Lie::Side(off) if plain && self.acc.width.is_power_of_two() => {
                return self.rows::<KIND>(off, lane0, word);
            }
            Lie::Apart(offs) if single => return self.apart::<KIND>(offs, lane0, word),
            _ => {}
        }
        let mut conflict = false;
        let mut rest = word;
        while rest != 0 {
            let i = rest.trailing_zeros();
            rest &= rest - 1;
            let off = match lie {
                Lie::Side(off) => (off as u32).wrapping_add(i * self.acc.width),
                Lie::Same(off) => off,
                Lie::Apart(offs) => offs[i as usize & (CHUNK - 1)],
            };
            conflict |= self.lane::<KIND>(lane0 + i as usize, off);
        }
        conflict
    }

    /// Several lanes read one place.
    #[inline(always)]
    fn all_read(&mut self, off: u32) -> bool {
        let (bases, Lines { write, read, .. }) = (self.bases, &mut *self.lines);
        let mut conflict = false;
        for cell in (off >> self.shift) as usize..(off + self.acc.width) as usize >> self.shift {
            let (w, r) = (write.cell(cell), read.cell(cell));
            conflict |= w >= bases.first || bases.foreign(w);
            let next = read_by_all::<true>(r, bases);
            if next != r
                && let Some(line) = read.open(cell / LINE)
            {
                line[cell % LINE] = next;
            }
        }
        conflict
    }

    /// Several lanes update one place atomically.
    #[inline(always)]
    fn all_update(&mut self, off: u32) -> bool {
        let (bases, Lines { write, read, .. }) = (self.bases, &mut *self.lines);
        let mut conflict = false;
        for cell in (off >> self.shift) as usize..(off + self.acc.width) as usize >> self.shift {
            if let Some(line) = write.open(cell / LINE) {
                conflict |= updated_by_all::<true>(&mut line[cell % LINE], read.cell(cell), bases);
            }
        }
        conflict
    }
}

impl Kernel for Sweep<'_> {
    type Out = bool;

    /// Whether there is no conflict.
    #[inline(always)]
    fn run<const AVX2: bool>(mut self) -> bool {
        let mask = self.acc.mask;
        // Atomics of a block's scope are none to other blocks.
        let plain = self.acc.how.atomic.is_none_or(|scope| scope == Scope::Block);
        let op = self.acc.how.op;
        if let (Spot::Broadcast(off), true) = (self.acc.spot, mask.count() > 1) {
            // All lanes at one place: one update for all of them.
            match (op, plain) {
                (AccessOp::Read, true) => return !self.all_read(off),
                (AccessOp::Atomic, false) => return !self.all_update(off),
                _ => {}
            }
        }
        if let (Spot::Contig(off), true, 1) = (self.acc.spot, plain, self.acc.width >> self.shift) {
            return !match op {
                AccessOp::Read => self.row::<READ>(off >> self.shift, 0, &mask.0),
                _ => self.row::<WRITE>(off >> self.shift, 0, &mask.0),
            };
        }
        let mut conflict = false;
        for c in 0..MASK_WORDS {
            let word = mask.0[c];
            if word == 0 {
                continue;
            }
            let (lane0, lie) = (c * CHUNK, self.acc.spot.chunk(c, self.acc.width));
            conflict |= match (lie, op, plain) {
                // A single lane is a reader, and an updater, with a name.
                (Lie::Same(off), AccessOp::Read, true) if !word.is_power_of_two() => self.all_read(off),
                (Lie::Same(off), AccessOp::Atomic, false) if !word.is_power_of_two() => self.all_update(off),
                (_, AccessOp::Read, true) => self.lanes::<READ>(lie, lane0, word),
                (_, _, true) => self.lanes::<WRITE>(lie, lane0, word),
                (_, AccessOp::Read, false) => self.lanes::<ATOMIC_READ>(lie, lane0, word),
                (_, _, false) => self.lanes::<ATOMIC_WRITE>(lie, lane0, word),
            };
        }
        !conflict
    }
}
