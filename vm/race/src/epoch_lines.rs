//! The fast tier in global memory: who wrote and who read each granule in the running launch.
//!
//! A granule is as wide as the narrowest access to its object so far, up to eight bytes, and has a *cell*: two
//! [epochs](super::epochs), of who wrote it and of who read it. 16 cells in a row are a *line*. As long as accesses
//! cover whole lines, threads in a row or all at once, one epoch tells of all cells of a line, which is a
//! sixteenth of the work and of the memory. Epochs of single cells come with the first access that takes a line
//! apart, and go with the next that covers it.
//!
//! What was read before a write does not matter after it: whatever conflicts with these reads conflicts with the
//! write, too.
//!
//! Where threads in a row access structures in a row, or columns, cells are ordered by a granule's place in its
//! *record* first, so that cells of threads in a row stand in a row all the same.

#![allow(clippy::needless_range_loop, reason = "several arrays of a line are walked together")]

use super::epochs::*;
use super::sweep::Sweep;
use super::{AddressPattern, RaceAccess};
use cudair_lane::pages::Words;
use cudair_lane::pattern::ChunkPattern;
use cudair_lane::simd::{Kernel, dispatch};
use cudair_lane::{CHUNK, MASK_WORDS};
use std::ops::Range;

/// Cells of a line.
pub(super) const LINE: usize = CHUNK;
/// In place of a line's epoch: its cells have epochs of their own, and this is where.
pub(super) const APART: u32 = 1 << 31;
/// The widest granule, as a power of two of bytes.
const WIDEST: u32 = 3;

pub(super) type Line = [u32; LINE];

/// The epochs of those who wrote an object, or of those who read it.
#[derive(Debug, Default)]
pub(super) struct Stamped {
    /// An epoch per line. With [`SEVERAL`] it is that of each cell; without, the cells are of threads in a row, and
    /// it is the first one's. With [`APART`], the cells of the line are at that place among `cells`.
    pub(super) lines: Words,
    /// Epochs of lines that have been taken apart.
    pub(super) cells: Words,
    /// EpochLines in `cells` so far.
    used: u32,
    /// Of these, the ones that are free again.
    free: Vec<u32>,
}

/// The epochs of the cells of a line of this epoch.
#[inline(always)]
fn spread(epoch: u32) -> Line {
    let step = u32::from(epoch & SEVERAL == 0);
    std::array::from_fn(|i| epoch + step * i as u32)
}

impl Stamped {
    fn new(lines: usize) -> Stamped {
        Stamped { lines: Words::zeroed(lines), ..Stamped::default() }
    }

    /// Where the epochs of a line taken apart are.
    #[inline(always)]
    pub(super) fn place(epoch: u32) -> Range<usize> {
        let at = (epoch & !APART) as usize * LINE;
        at..at + LINE
    }

    /// The epochs of a line's cells.
    #[inline(always)]
    pub(super) fn line(&self, line: usize) -> Line {
        let epoch = self.lines.get(line).copied().unwrap_or(0);
        if epoch & APART == 0 {
            return spread(epoch);
        }
        self.cells.get(Stamped::place(epoch)).and_then(|c| c.first_chunk()).copied().unwrap_or_default()
    }

    /// The epoch of a cell.
    #[inline(always)]
    pub(super) fn cell(&self, cell: usize) -> u32 {
        self.cell_of(self.lines.get(cell / LINE).copied().unwrap_or(0), cell % LINE)
    }

    /// The epoch of a cell of a line of this epoch.
    #[inline(always)]
    pub(super) fn cell_of(&self, epoch: u32, cell: usize) -> u32 {
        if epoch & APART != 0 {
            return self.cells.get(Stamped::place(epoch).start + cell).copied().unwrap_or(0);
        }
        epoch + if epoch & SEVERAL == 0 { cell as u32 } else { 0 }
    }

    /// The epochs of a line's cells, to be changed one by one. None beyond the object, or without memory.
    #[inline(always)]
    pub(super) fn open(&mut self, line: usize) -> Option<&mut Line> {
        let epoch = self.open_at(line)?;
        self.cells.get_mut(Stamped::place(epoch))?.first_chunk_mut()
    }

    /// Sees to it that a line is taken apart; what stands in place of its epoch.
    #[inline(always)]
    pub(super) fn open_at(&mut self, line: usize) -> Option<u32> {
        let epoch = *self.lines.get(line)?;
        if epoch & APART == 0 { self.take_apart(line, epoch) } else { Some(epoch) }
    }

    /// An access of a kind by one thread to `N` cells of one line from `from` on; `other` has the epochs of the
    /// others.
    #[inline(always)]
    pub(super) fn few<const KIND: u8, const N: usize>(
        &mut self,
        other: &mut Stamped,
        from: usize,
        bases: Bases,
        me: u32,
    ) -> bool {
        let seen = other.lines.get(from / LINE).copied().unwrap_or(0);
        let others: [u32; N] = if seen & APART == 0 {
            let step = u32::from(seen & SEVERAL == 0);
            std::array::from_fn(|i| seen + step * (from % LINE + i) as u32)
        } else {
            let cells = other.cells.get(Stamped::place(seen).start + from % LINE..);
            cells.and_then(|c| c.first_chunk()).copied().unwrap_or([0; N])
        };
        let Some(line) = self.open(from / LINE) else { return false };
        let Some(cells) = line.get_mut(from % LINE..).and_then(|c| c.first_chunk_mut::<N>()) else {
            return false;
        };
        let (mut next, mut conflict) = (*cells, 0);
        for i in 0..N {
            conflict |= u32::from(step::<KIND, true>(&mut next[i], others[i], bases, me));
        }
        *cells = next;
        if KIND == WRITE {
            other.forget(from / LINE, (((1 << N) - 1) << (from % LINE)) as u16, bases.launch);
        }
        conflict != 0
    }

    /// [`Stamped::few`] of any number of cells.
    #[inline(always)]
    pub(super) fn many<const KIND: u8>(
        &mut self,
        other: &mut Stamped,
        cells: Range<usize>,
        bases: Bases,
        me: u32,
    ) -> bool {
        let mut conflict = false;
        for line in cells.start / LINE..cells.end.div_ceil(LINE) {
            let (from, to) = (cells.start.max(line * LINE), cells.end.min((line + 1) * LINE));
            let seen = other.lines.get(line).copied().unwrap_or(0);
            let Some(own) = self.open(line) else { continue };
            for i in from - line * LINE..to - line * LINE {
                let seen = other.cell_of(seen, i);
                conflict |= step::<KIND, true>(&mut own[i & (LINE - 1)], seen, bases, me);
            }
            if KIND == WRITE {
                let bits = (1u32 << (to - line * LINE)) - (1u32 << (from - line * LINE));
                other.forget(line, bits as u16, bases.launch);
            }
        }
        conflict
    }

    /// A plain access of a kind by threads in a row to one cell each, side by side: the first one, of epoch `me`, to the first
    /// of `cells`.
    #[inline(always)]
    fn side_by_side<const KIND: u8>(
        &mut self,
        other: &mut Stamped,
        cells: Range<usize>,
        bases: Bases,
        me: u32,
    ) -> bool {
        let mut conflict = 0;
        for line in cells.start / LINE..cells.end.div_ceil(LINE) {
            let start = line * LINE;
            let (from, to) = (cells.start.max(start) - start, cells.end.min(start + LINE) - start);
            let bits = ((1u32 << to) - (1u32 << from)) as u16;
            let me = me.wrapping_add(start as u32).wrapping_sub(cells.start as u32);
            let others = other.line(line);
            let Some(own) = self.open(line) else { return true };
            for i in 0..LINE {
                let on = u32::from((from..to).contains(&i));
                let mut epoch = own[i];
                conflict |=
                    u32::from(step::<KIND, true>(&mut epoch, others[i], bases, me.wrapping_add(i as u32)))
                        & on;
                own[i] = if on != 0 { epoch } else { own[i] };
            }
            if KIND == WRITE {
                other.forget(line, bits, bases.launch);
            }
        }
        conflict != 0
    }

    fn take_apart(&mut self, line: usize, epoch: u32) -> Option<u32> {
        if self.cells.is_empty() {
            // Memory comes with the first use.
            self.cells = Words::zeroed(self.lines.len() * LINE);
        }
        let place = self.free.pop().unwrap_or_else(|| {
            self.used += 1;
            self.used - 1
        });
        let cells: &mut Line = self.cells.get_mut(Stamped::place(place))?.first_chunk_mut()?;
        *cells = spread(epoch);
        self.lines[line] = APART | place;
        Some(APART | place)
    }

    /// One epoch tells of a whole line from now on.
    #[inline(always)]
    pub(super) fn close(&mut self, line: usize, epoch: u32) {
        if let Some(old) = self.lines.get_mut(line) {
            if *old & APART != 0 {
                self.free.push(*old & !APART);
            }
            *old = epoch;
        }
    }

    /// The epochs of the cells of `bits` do not matter any more, nor any before `launch`.
    #[inline(always)]
    pub(super) fn forget(&mut self, line: usize, bits: u16, launch: u32) {
        let Some(&epoch) = self.lines.get(line).filter(|epoch| **epoch & APART != 0) else { return };
        let cells = self.cells.get_mut(Stamped::place(epoch)).and_then(|c| c.first_chunk_mut::<LINE>());
        let Some(cells) = cells else { return };
        let mut live = 0;
        for i in 0..LINE {
            cells[i] = if bits >> i & 1 != 0 { 0 } else { cells[i] };
            live |= u32::from(cells[i] >= launch);
        }
        if live == 0 {
            self.close(line, 0);
        }
    }

    /// A bit per granule: whether its cell's epoch is `from` or later.
    fn since(&self, from: u32, layout: &Layout) -> Vec<u64> {
        let mut bits = vec![0u64; (layout.size as usize).div_ceil(1 << layout.shift).div_ceil(64)];
        for (line, _) in self.lines.iter().enumerate().filter(|(_, epoch)| **epoch >= from) {
            if layout.stride == 0 {
                let word = self.line(line).iter().rev().fold(0, |w, &c| w << 1 | u64::from(c >= from));
                // Behind the object nothing is touched.
                let left = layout.row - line * LINE;
                bits[line / 4] |= (word & ((1 << left.min(LINE)) - 1)) << (line % 4 * LINE);
                continue;
            }
            for (i, _) in self.line(line).iter().enumerate().filter(|(_, epoch)| **epoch >= from) {
                let granule = layout.granule(line * LINE + i);
                if let Some(word) = bits.get_mut(granule / 64) {
                    *word |= 1 << (granule % 64);
                }
            }
        }
        bits
    }

    /// See [`EpochLines::fold`].
    fn fold(&mut self, launch: u32) {
        for epoch in self.lines.iter_mut().chain(self.cells.iter_mut()) {
            *epoch = match *epoch {
                apart if apart & APART != 0 => apart,
                old if old < launch => 0,
                live => 1 << INTERVAL_SHIFT | SEVERAL | live & ATOMIC,
            };
        }
    }

    /// The epochs for narrower granules; those before `launch` do not matter any more.
    fn split(&self, old: &Layout, to: &Layout, launch: u32) -> Stamped {
        let by = old.shift - to.shift;
        let mut new = Stamped::new(to.lines());
        for (line, &epoch) in self.lines.iter().enumerate().filter(|(_, epoch)| **epoch >= launch) {
            let cells = self.line(line);
            if epoch & APART != 0 && cells.iter().all(|&c| c < launch) {
                continue;
            }
            if old.stride != 0 {
                // Each row becomes several.
                let (row, at) = (line / old.row_lines, line % old.row_lines);
                for row in row << by..(row + 1) << by {
                    let line = row * to.row_lines + at;
                    if epoch & APART == 0 {
                        new.close(line, epoch);
                    } else if let Some(new) = new.open(line) {
                        *new = cells;
                    }
                }
                continue;
            }
            for (part, line) in (line << by..(line + 1) << by).enumerate() {
                if epoch & (APART | SEVERAL) == SEVERAL {
                    new.close(line, epoch);
                } else if let Some(new) = new.open(line) {
                    *new = std::array::from_fn(|i| cells[(part * LINE + i) >> by & (LINE - 1)]);
                }
            }
        }
        new
    }
}

/// Which cell a granule has.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Layout {
    /// Bytes of the object.
    size: u64,
    /// Bytes per granule as a power of two.
    pub(super) shift: u32,
    /// Bytes of a record: cells are in rows, one for each granule of a record, and of each record a cell in each
    /// row. Without records, 0, there is one row.
    pub(super) stride: u32,
    /// Cells of a row that are in use.
    pub(super) row: usize,
    /// EpochLines of a row.
    pub(super) row_lines: usize,
}

impl Layout {
    fn new(size: u64, shift: u32, stride: u32) -> Layout {
        let row = (size as usize).div_ceil(if stride == 0 { 1 << shift } else { stride as usize });
        Layout { size, shift, stride, row, row_lines: row.div_ceil(LINE) }
    }

    fn lines(&self) -> usize {
        self.row_lines * (self.stride as usize >> self.shift).max(1)
    }

    /// The cell of the granule at an offset.
    #[inline(always)]
    pub(super) fn cell(&self, off: u32) -> usize {
        if self.stride == 0 {
            return (off >> self.shift) as usize;
        }
        let (record, inside) = (off / self.stride, off % self.stride);
        (inside >> self.shift) as usize * self.row_lines * LINE + record as usize
    }

    /// The granule of a cell, by number; of cells that are not in use, some number beyond.
    fn granule(&self, cell: usize) -> usize {
        if self.stride == 0 {
            return cell;
        }
        let (row, record) = (cell / LINE / self.row_lines, cell % (LINE * self.row_lines));
        if record < self.row { record * (self.stride as usize >> self.shift) + row } else { usize::MAX }
    }

    /// Whether records of this size are worth it.
    pub(super) fn suits(&self, stride: u32, width: u32) -> bool {
        (width + 1..=LONGEST).contains(&stride) && self.size / u64::from(stride) >= RECORDS
    }
}

/// Bytes of a record at most: a strip's lanes do not go around the numbers of 32 bits.
const LONGEST: u32 = 1 << 22;
/// Records of an object at least, for an order of cells by records.
const RECORDS: u64 = 64;

/// Where the epochs of an object are, for compiled code. They stay there while [`EpochLines`] keeps its layout.
#[derive(Clone, Copy, Debug)]
pub struct RawLines {
    /// Epochs of lines of those who wrote.
    pub write_lines: *mut u32,
    /// Epochs of cells of those who wrote.
    pub write_cells: *mut u32,
    /// Epochs of lines of those who read.
    pub read_lines: *mut u32,
    /// Epochs of cells of those who read.
    pub read_cells: *mut u32,
}

/// The epochs of an object.
#[derive(Debug, Default)]
pub struct EpochLines {
    pub(super) layout: Layout,
    pub(super) write: Stamped,
    pub(super) read: Stamped,
    /// The first epoch of the launch that these are of.
    launch: u32,
    /// By how many accesses of the launch the layout was right, and by how many another would have been: the stride
    /// of its records.
    pub(super) right: u32,
    pub(super) wrong: u32,
    pub(super) better: u32,
}

impl EpochLines {
    /// Makes room for an object of `size` bytes, once the first access comes.
    #[inline(always)]
    pub fn fit(&mut self, size: u64) {
        if self.layout.size != size {
            *self = EpochLines { layout: Layout::new(size, 0, 0), ..EpochLines::default() };
        }
    }

    /// Epochs of the launch that starts at epoch `launch` become those of another block; older ones go.
    #[inline]
    pub fn fold(&mut self, launch: u32) {
        self.write.fold(launch);
        self.read.fold(launch);
        self.launch = if self.launch == launch { 1 << INTERVAL_SHIFT } else { 0 };
    }

    /// Bytes per granule as a power of two, 2 or 0, and a bit for each granule: written, and read, since epoch
    /// `from`.
    pub(super) fn since(&self, from: u32) -> (u32, [Vec<u64>; 2]) {
        let bits = [&self.write, &self.read].map(|marked| {
            let bits = marked.since(from, &self.layout);
            if self.layout.shift.is_multiple_of(2) { bits } else { twice(&bits) }
        });
        (self.layout.shift & 2, bits)
    }

    /// Checks and records an access. False where it is suspicious.
    #[inline]
    pub fn access(&mut self, bases: Bases, acc: &RaceAccess) -> bool {
        if self.launch != bases.launch {
            self.begin(bases.launch, acc);
        }
        if self.layout.shift != 0 && low_bits(acc) & ((1 << self.layout.shift) - 1) != 0 {
            self.split(granule(acc), bases.launch);
        }
        dispatch(Sweep { layout: self.layout, lines: self, bases, acc })
    }

    /// Makes ready for the accesses of compiled code in a launch that starts: granules of `1 << shift` bytes, one row, and
    /// room for lines that are taken apart. None without memory for it.
    pub(super) fn for_compiled(&mut self, launch: u32, shift: u32) -> Option<RawLines> {
        if (self.layout.shift, self.layout.stride) != (shift, 0) || self.write.lines.is_empty() {
            self.layout = Layout::new(self.layout.size, shift, 0);
            let lines = self.layout.lines();
            (self.write, self.read) = (Stamped::new(lines), Stamped::new(lines));
        }
        (self.launch, self.right, self.wrong) = (launch, 0, 0);
        let lines = self.layout.lines();
        for side in [&mut self.write, &mut self.read] {
            if side.cells.is_empty() {
                side.cells = Words::zeroed(lines * LINE);
            }
            if side.lines.len() < lines || side.cells.len() < lines * LINE {
                return None;
            }
        }
        Some(RawLines {
            write_lines: self.write.lines.as_mut_ptr(),
            write_cells: self.write.cells.as_mut_ptr(),
            read_lines: self.read.lines.as_mut_ptr(),
            read_cells: self.read.cells.as_mut_ptr(),
        })
    }

    /// A plain access by eight threads of compiled code in a row to a granule each, side by side: the first one, of epoch `me`, to
    /// granule `from`. False where it is suspicious.
    pub(super) fn side_by_side(&mut self, bases: Bases, from: usize, writes: bool, me: u32) -> bool {
        !dispatch(SideBySide { lines: self, bases, from, writes, me })
    }

    /// Whether granules are `1 << shift` bytes, in one row.
    pub(super) fn is_for(&self, shift: u32) -> bool {
        (self.layout.shift, self.layout.stride) == (shift, 0)
    }

    /// The first access of a launch: no epoch counts any more, so that the layout may change.
    #[cold]
    fn begin(&mut self, launch: u32, acc: &RaceAccess) {
        let fresh = self.write.lines.is_empty();
        if fresh || self.wrong > self.right {
            let stride = if fresh { stride(acc).unwrap_or(0) } else { self.better };
            let stride = if self.layout.suits(stride, acc.width) { stride } else { 0 };
            let shift = granule(acc).min((stride | 1 << WIDEST).trailing_zeros());
            self.layout = Layout::new(self.layout.size, shift, stride);
            let lines = self.layout.lines();
            (self.write, self.read) = (Stamped::new(lines), Stamped::new(lines));
        }
        (self.launch, self.right, self.wrong) = (launch, 0, 0);
    }

    /// From now on a granule is narrower.
    #[cold]
    fn split(&mut self, shift: u32, launch: u32) {
        let old = self.layout;
        self.layout = Layout::new(old.size, shift, old.stride);
        self.write = self.write.split(&old, &self.layout, launch);
        self.read = self.read.split(&old, &self.layout, launch);
    }
}

/// Each bit twice.
fn twice(bits: &[u64]) -> Vec<u64> {
    let spread = |half: u64| (0..32).fold(0, |w, i| w | ((half >> i & 1) * 0b11) << (2 * i));
    bits.iter().flat_map(|&w| [spread(w & 0xffff_ffff), spread(w >> 32)]).collect()
}

/// All offsets of an access or-ed, and its width.
#[inline(always)]
fn low_bits(acc: &RaceAccess) -> u32 {
    let low = match acc.spot {
        AddressPattern::Contiguous(off) => off as u32,
        AddressPattern::Uniform(off) => off,
        AddressPattern::Chunks(_) => (0..MASK_WORDS).filter(|&c| acc.mask.0[c] != 0).fold(0, |low, c| {
            low | match acc.spot.chunk(c, acc.width) {
                ChunkPattern::Contiguous(off) => off as u32,
                ChunkPattern::Uniform(off) => off,
                ChunkPattern::Gather(offs) => offs.iter().fold(0, |a, &o| a | o),
            }
        }),
    };
    low | acc.width
}

/// The widest granules of which an access covers whole ones only, as a power of two.
fn granule(acc: &RaceAccess) -> u32 {
    low_bits(acc).trailing_zeros().min(WIDEST)
}

/// How far the lanes of the first chunk of an access are apart, if that is a fixed distance.
pub(super) fn stride(acc: &RaceAccess) -> Option<u32> {
    let lane = acc.mask.lowest()?;
    let (c, first) = (lane / CHUNK, lane % CHUNK);
    let (word, ChunkPattern::Gather(offs)) = (acc.mask.0[c], acc.spot.chunk(c, acc.width)) else {
        return None;
    };
    let second = (word & (word - 1)).trailing_zeros() as usize;
    let stride = offs.get(second)?.checked_sub(offs[first])? / (second - first) as u32;
    let zero = i64::from(offs[first]) - first as i64 * i64::from(stride);
    let fixed = |i: usize| word >> i & 1 == 0 || i64::from(offs[i]) == zero + i as i64 * i64::from(stride);
    (0..CHUNK).all(fixed).then_some(stride)
}

#[cfg(test)]
mod tests;

/// [`EpochLines::side_by_side`], for the machine's vectors. Gives whether there is a conflict.
struct SideBySide<'a> {
    lines: &'a mut EpochLines,
    bases: Bases,
    from: usize,
    writes: bool,
    me: u32,
}

impl Kernel for SideBySide<'_> {
    type Out = bool;

    #[inline(always)]
    fn run<const AVX2: bool>(self) -> bool {
        let SideBySide { lines, bases, from, writes, me } = self;
        let (write, read) = (&mut lines.write, &mut lines.read);
        let cells = from..from + 8;
        if writes {
            write.side_by_side::<WRITE>(read, cells, bases, me)
        } else {
            read.side_by_side::<READ>(write, cells, bases, me)
        }
    }
}
