//! One access over the [lines](super::epoch_lines) of its object, in as few steps as the way its lanes lie allows.

#![allow(clippy::needless_range_loop, reason = "several arrays of a line are walked together")]

use super::epoch_lines::{APART, EpochLines, LINE, Layout, Line, Stamped, stride};
use super::epochs::*;
use super::{AddressPattern, RaceAccess};
use cudair_ir::Scope;
use cudair_lane::fault::AccessOp;
use cudair_lane::pattern::ChunkPattern;
use cudair_lane::simd::Kernel;
use cudair_lane::{CHUNK, MASK_WORDS};

/// Active lanes of a chunk, at places apart, up to which they are taken one after the other.
const FEW: u32 = 8;

/// An access on its way over the lines.
pub(super) struct Sweep<'a> {
    pub(super) lines: &'a mut EpochLines,
    pub(super) bases: Bases,
    pub(super) acc: &'a RaceAccess<'a>,
    pub(super) layout: Layout,
}

impl Sweep<'_> {
    /// Whose epochs an access of a kind updates, and whose it looks at besides.
    #[inline(always)]
    fn sides<const KIND: u8>(&mut self) -> (&mut Stamped, &mut Stamped) {
        match KIND {
            READ | ATOMIC_READ => (&mut self.lines.read, &mut self.lines.write),
            _ => (&mut self.lines.write, &mut self.lines.read),
        }
    }

    /// A plain access by threads in a row, from that of `me0` on, to all cells of a line.
    #[inline(always)]
    fn whole<const KIND: u8>(&mut self, line: usize, me0: u32) -> bool {
        let bases = self.bases;
        let (own, other) = self.sides::<KIND>();
        let (o, t) = (own.lines.get(line).copied().unwrap_or(0), other.lines.get(line).copied().unwrap_or(0));
        if (o | t) & APART == 0 {
            let mut epoch = o;
            let conflict = step::<KIND, true>(&mut epoch, t, bases, me0);
            own.lines[line] = epoch;
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
        if KIND == WRITE && t & APART != 0 {
            other.close(line, 0);
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
            let mut epoch = cells[i];
            conflict |= step::<KIND, true>(&mut epoch, others[i], bases, me[i]) & on;
            cells[i] = if on { epoch } else { cells[i] };
        }
        if KIND == WRITE {
            other.forget(line, word, bases.launch);
        }
        conflict
    }

    /// A plain access of lanes to cells side by side in the row that starts at line `start`: lane `lane0` at its
    /// cell `cell`, wherever that is. `words` are masks.
    #[inline(always)]
    fn row<const KIND: u8>(&mut self, start: usize, cell: i64, lane0: usize, words: &[u16]) -> bool {
        let (line, skew) = (cell.div_euclid(LINE as i64), cell.rem_euclid(LINE as i64) as usize);
        // The thread of the line's first cell: of cells before the first lane nobody asks.
        let mut me0 = self.bases.thread(self.acc, lane0).wrapping_sub(skew as u32);
        let (mut conflict, mut carry) = (false, 0);
        for (n, &word) in words.iter().chain([&0]).enumerate() {
            let bits = u32::from(word) << skew | carry;
            carry = bits >> LINE;
            let bits = bits as u16;
            if bits != 0 {
                // Active lanes are inside the object; the row's last line may be shorter.
                let line = (line + n as i64) as usize;
                let left = self.layout.row.saturating_sub(line * LINE);
                let all = if left < LINE { (1 << left) - 1 } else { u16::MAX };
                conflict |= if bits == all {
                    self.whole::<KIND>(start + line, me0)
                } else {
                    self.part::<KIND>(start + line, bits, std::array::from_fn(|i| me0.wrapping_add(i as u32)))
                };
            }
            me0 = me0.wrapping_add(LINE as u32);
        }
        conflict
    }

    /// Where lane 0 of an access would be, whose lanes are a record apart each.
    #[inline(always)]
    fn by_records(&self) -> Option<i64> {
        let (mask, stride) = (self.acc.mask, self.layout.stride);
        let first = mask.lowest()?;
        let at = self.acc.spot.lane(first, self.acc.width);
        let zero = at.wrapping_sub(first as u32 * stride);
        for c in 0..MASK_WORDS {
            let (word, from) = (mask.0[c], zero.wrapping_add((c * CHUNK) as u32 * stride));
            match self.acc.spot.chunk(c, self.acc.width) {
                _ if word == 0 => {}
                ChunkPattern::Gather(offs) => {
                    let mut differ = 0;
                    for i in 0..CHUNK {
                        let want = from.wrapping_add(i as u32 * stride);
                        differ |= (offs[i] ^ want) & 0u32.wrapping_sub(u32::from(word) >> i & 1);
                    }
                    if differ != 0 {
                        return None;
                    }
                }
                ChunkPattern::Uniform(off) if word.is_power_of_two() => {
                    if off != from.wrapping_add(word.trailing_zeros() * stride) {
                        return None;
                    }
                }
                _ => return None,
            }
        }
        // Lanes before the first may be outside.
        Some(i64::from(at) - first as i64 * i64::from(stride))
    }

    /// A plain access, if its lanes are a record apart each: row by row. Whether it conflicts.
    #[inline(always)]
    fn records<const KIND: u8>(&mut self) -> Option<bool> {
        let (Layout { stride, shift, row_lines, .. }, width) = (self.layout, self.acc.width);
        let zero = self.by_records()?;
        let (record, inside) = (zero.div_euclid(stride.into()), zero.rem_euclid(stride.into()) as u32);
        if inside + width > stride {
            return None;
        }
        let words = &self.acc.mask.0;
        let mut conflict = false;
        for row in inside >> shift..(inside + width) >> shift {
            conflict |= self.row::<KIND>(row as usize * row_lines, record, 0, words);
        }
        Some(conflict)
    }

    /// A plain access of lanes side by side with several cells each.
    #[inline(always)]
    fn rows<const KIND: u8>(&mut self, off: i32, lane0: usize, word: u16) -> bool {
        let per = (self.acc.width >> self.layout.shift).trailing_zeros();
        let me = self.bases.thread(self.acc, lane0);
        let (first, end) = (word.trailing_zeros(), 16 - word.leading_zeros());
        let start = i64::from(off >> self.layout.shift);
        let (from, to) =
            ((start + i64::from(first << per)) as usize, (start + i64::from(end << per)) as usize);
        let mut conflict = false;
        for line in from / LINE..to.div_ceil(LINE) {
            let (mut bits, mut epochs) = (0, [0; LINE]);
            for (i, epoch) in epochs.iter_mut().enumerate() {
                let lane = ((line * LINE + i) as i64 - start) >> per;
                let on = (0..16).contains(&lane) && word >> (lane & 15) & 1 != 0;
                bits |= u16::from(on) << i;
                *epoch = me.wrapping_add(lane as u32);
            }
            if bits != 0 {
                conflict |= self.part::<KIND>(line, bits, epochs);
            }
        }
        conflict
    }

    /// Lanes anywhere, with a cell each, one after the other.
    #[inline(always)]
    fn walk<const KIND: u8>(&mut self, offs: &[u32; CHUNK], lane0: usize, word: u16) -> bool {
        let (bases, layout) = (self.bases, self.layout);
        let first_thread = self.acc.first_thread + lane0 as u32;
        let (own, other) = self.sides::<KIND>();
        let (mut last, mut place, mut seen) = (usize::MAX, 0, 0);
        // Cells of the last line that were written.
        let mut bits = 0;
        let mut conflict = false;
        let mut rest = word;
        while rest != 0 {
            let i = rest.trailing_zeros();
            rest &= rest - 1;
            let cell = layout.cell(offs[i as usize & (CHUNK - 1)]);
            if cell / LINE != last {
                if KIND == WRITE && bits != 0 {
                    other.forget(last, bits, bases.launch);
                    bits = 0;
                }
                last = cell / LINE;
                let Some(epoch) = own.open_at(last) else { return conflict };
                place = Stamped::place(epoch).start;
                seen = other.lines.get(last).copied().unwrap_or(0);
            }
            bits |= 1 << (cell % LINE);
            let others = other.cell_of(seen, cell % LINE);
            let me = bases.first | first_thread.wrapping_add(i) & 0x3ff;
            if let Some(own) = own.cells.get_mut(place + cell % LINE) {
                conflict |= step::<KIND, true>(own, others, bases, me);
            }
        }
        if KIND == WRITE {
            other.forget(last, bits, bases.launch);
        }
        conflict
    }

    /// Lanes anywhere, with a cell each.
    #[inline(always)]
    fn apart<const KIND: u8>(&mut self, offs: &[u32; CHUNK], lane0: usize, word: u16) -> bool {
        // Lanes that meet in a cell see each other's epochs there: a second writer conflicts, readers become several.
        if KIND == ATOMIC_READ || KIND == ATOMIC_WRITE || word.count_ones() <= FEW {
            return self.walk::<KIND>(offs, lane0, word);
        }
        let (bases, layout, me0) = (self.bases, self.layout, self.bases.thread(self.acc, lane0));
        let (own, other) = self.sides::<KIND>();
        // Where the epochs to update are, and what the others are. Inactive lanes have an active one's offset.
        let (mut at, mut others, mut cell_of) = ([0; CHUNK], [0; CHUNK], [0; CHUNK]);
        let (mut last, mut place, mut seen) = (usize::MAX, 0, 0);
        for i in 0..CHUNK {
            let cell = layout.cell(offs[i]);
            cell_of[i] = cell;
            if cell / LINE != last {
                last = cell / LINE;
                let Some(epoch) = own.open_at(last) else { return false };
                place = Stamped::place(epoch).start;
                seen = other.lines.get(last).copied().unwrap_or(0);
            }
            at[i] = place + cell % LINE;
            others[i] = other.cell_of(seen, cell % LINE);
        }
        let cells = &mut own.cells[..];
        let mut next = [0; CHUNK];
        for i in 0..CHUNK {
            next[i] = cells.get(at[i]).copied().unwrap_or(0);
        }
        let mut conflict = 0;
        for i in 0..CHUNK {
            let on = u32::from(word >> i & 1);
            let me = me0 + i as u32;
            conflict |= u32::from(step::<KIND, true>(&mut next[i], others[i], bases, me)) & on;
        }
        let lanes = (0..CHUNK).filter(|i| word >> i & 1 != 0);
        for i in lanes.clone() {
            if let Some(own) = cells.get_mut(at[i]) {
                *own = next[i];
            }
        }
        // Where two lanes meet in a cell, the epoch of one is lost.
        for i in lanes {
            if let Some(own) = cells.get_mut(at[i])
                && *own != next[i]
            {
                conflict |= u32::from(KIND == WRITE);
                if KIND == READ {
                    *own = bases.first | SEVERAL;
                }
            }
        }
        if KIND == WRITE {
            // Line by line, as long as lanes stay in one.
            let (mut line, mut bits) = (cell_of[0] / LINE, 0);
            for (i, cell) in cell_of.iter().enumerate() {
                if cell / LINE != line {
                    other.forget(line, bits, bases.launch);
                    (line, bits) = (cell / LINE, 0);
                }
                bits |= (word >> i & 1) << (cell % LINE);
            }
            other.forget(line, bits, bases.launch);
        }
        conflict != 0
    }

    /// Cells of one lane.
    #[inline(always)]
    fn lane<const KIND: u8>(&mut self, lane: usize, off: u32) -> bool {
        let (bases, me) = (self.bases, self.bases.thread(self.acc, lane));
        let layout = self.layout;
        let (from, n) = ((off >> layout.shift) as usize, (self.acc.width >> layout.shift) as usize);
        let (own, other) = self.sides::<KIND>();
        let inside = from % LINE + n <= LINE;
        if layout.stride != 0 {
            let mut conflict = false;
            for n in 0..n as u32 {
                let cell = layout.cell(off + (n << layout.shift));
                conflict |= own.many::<KIND>(other, cell..cell + 1, bases, me);
            }
            return conflict;
        }
        match n {
            2 if inside => own.few::<KIND, 2>(other, from, bases, me),
            4 if inside => own.few::<KIND, 4>(other, from, bases, me),
            8 if inside => own.few::<KIND, 8>(other, from, bases, me),
            _ => own.many::<KIND>(other, from..from + n, bases, me),
        }
    }

    /// The lanes of a chunk.
    #[inline(always)]
    fn lanes<const KIND: u8>(&mut self, lie: ChunkPattern, lane0: usize, word: u16) -> bool {
        let single = self.acc.width >> self.layout.shift == 1;
        let plain = KIND == READ || KIND == WRITE;
        let in_order = self.layout.stride == 0;
        match lie {
            ChunkPattern::Contiguous(off) if plain && single && in_order => {
                return self.row::<KIND>(0, i64::from(off >> self.layout.shift), lane0, &[word]);
            }
            ChunkPattern::Contiguous(off) if plain && in_order && self.acc.width.is_power_of_two() => {
                return self.rows::<KIND>(off, lane0, word);
            }
            ChunkPattern::Gather(offs) if single => return self.apart::<KIND>(offs, lane0, word),
            // Mostly a single lane.
            ChunkPattern::Uniform(off) if single => return self.walk::<KIND>(&[off; CHUNK], lane0, word),
            ChunkPattern::Contiguous(off) if single => {
                let offs = std::array::from_fn(|i| (off as u32).wrapping_add(i as u32 * self.acc.width));
                return self.walk::<KIND>(&offs, lane0, word);
            }
            _ => {}
        }
        let mut conflict = false;
        let mut rest = word;
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

    /// Notes which layout would have been better.
    #[inline(always)]
    fn note(&mut self) {
        let better = match self.acc.spot {
            AddressPattern::Contiguous(_) => Some(0),
            _ => stride(self.acc).filter(|&s| self.layout.suits(s, self.acc.width)),
        };
        if let Some(better) = better.filter(|&b| b != self.layout.stride) {
            self.lines.wrong += 1;
            self.lines.better = better;
        }
    }

    /// Several lanes read one place.
    #[inline(always)]
    fn all_read(&mut self, off: u32) -> bool {
        let (bases, EpochLines { write, read, .. }) = (self.bases, &mut *self.lines);
        let mut conflict = false;
        for n in 0..self.acc.width >> self.layout.shift {
            let cell = self.layout.cell(off + (n << self.layout.shift));
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
        let (bases, EpochLines { write, read, .. }) = (self.bases, &mut *self.lines);
        let mut conflict = false;
        for n in 0..self.acc.width >> self.layout.shift {
            let cell = self.layout.cell(off + (n << self.layout.shift));
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
        let plain = self.acc.how.atomic.is_none_or(|scope| matches!(scope, Scope::Block | Scope::Cluster));
        let op = self.acc.how.op;
        if let (AddressPattern::Uniform(off), true) = (self.acc.spot, mask.count() > 1) {
            // All lanes at one place: one update for all of them.
            match (op, plain) {
                (AccessOp::Read, true) => return !self.all_read(off),
                (AccessOp::Atomic, false) => return !self.all_update(off),
                _ => {}
            }
        }
        if plain && self.layout.stride != 0 {
            let done = match op {
                AccessOp::Read => self.records::<READ>(),
                _ => self.records::<WRITE>(),
            };
            if let Some(conflict) = done {
                self.lines.right += 1;
                return !conflict;
            }
            if !matches!(self.acc.spot, AddressPattern::Uniform(_)) {
                self.note();
            }
        } else if let (AddressPattern::Contiguous(off), true, 1) =
            (self.acc.spot, plain, self.acc.width >> self.layout.shift)
        {
            self.lines.right += 1;
            let cell = off >> self.layout.shift;
            return !match op {
                AccessOp::Read => self.row::<READ>(0, cell, 0, &mask.0),
                _ => self.row::<WRITE>(0, cell, 0, &mask.0),
            };
        } else if matches!(self.acc.spot, AddressPattern::Chunks(_)) {
            self.note();
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
                (ChunkPattern::Uniform(off), AccessOp::Read, true) if !word.is_power_of_two() => {
                    self.all_read(off)
                }
                (ChunkPattern::Uniform(off), AccessOp::Atomic, false) if !word.is_power_of_two() => {
                    self.all_update(off)
                }
                (_, AccessOp::Read, true) => self.lanes::<READ>(lie, lane0, word),
                (_, _, true) => self.lanes::<WRITE>(lie, lane0, word),
                (_, AccessOp::Read, false) => self.lanes::<ATOMIC_READ>(lie, lane0, word),
                (_, _, false) => self.lanes::<ATOMIC_WRITE>(lie, lane0, word),
            };
        }
        !conflict
    }
}
