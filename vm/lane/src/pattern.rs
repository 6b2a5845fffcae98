//! Where the lanes of an access lie in their object.
//!
//! The address of lane `l` is `base + index[l] * scale`. One pass over the indices ([`survey`]) finds the least
//! and the greatest, so that one range check serves all lanes, and how the lanes of each chunk lie: side by
//! side, all at one place, or apart. The loads, stores and race detectors that follow go by that and look at
//! offsets of single lanes only where they must.

#![allow(unsafe_code)]
#![allow(clippy::needless_range_loop, reason = "several arrays of a chunk are walked together")]

#[cfg(target_arch = "x86_64")]
use super::avx2;
use super::mask::{CHUNK, MASK_WORDS, MAX_LANES, Mask};
use super::simd::{Kernel, dispatch};
use crate::fault::SiteRef;

/// Byte offsets of the lanes of a strip.
pub type Offsets = [u32; MAX_LANES];

/// How the lanes of a chunk lie.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ChunkPattern<'a> {
    /// Lane `l` of the chunk at this offset plus `l` times the width. Inactive lanes may be outside.
    Contiguous(i32),
    /// All at one offset. A single active lane lies so, too.
    Uniform(u32),
    /// Each at its own; inactive lanes at the offset of an active one.
    Gather(&'a [u32; CHUNK]),
}

/// Lanes that are a fixed number of bytes apart: lane `l` at offset `at + l * step`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Stride {
    /// The offset that lane 0 has, or would have.
    pub at: i64,
    /// Bytes from one lane to the next; not 0.
    pub step: i64,
}

/// How the lanes of each chunk of a strip lie.
#[derive(Clone, Debug)]
pub struct Pattern {
    /// Where all lanes of the strip are so: that; their chunks are then apart.
    stride: Option<Stride>,
    /// Chunks, a bit each, whose lanes are all at one place, or not active.
    same: u16,
    /// Chunks whose lanes are side by side.
    side: u16,
    /// The offset that goes with these.
    first: [u32; MASK_WORDS],
    /// Of chunks whose lanes are apart.
    offs: Offsets,
}

impl Default for Pattern {
    fn default() -> Pattern {
        Pattern { stride: None, same: 0, side: 0, first: [0; MASK_WORDS], offs: [0; MAX_LANES] }
    }
}

impl Pattern {
    /// How a chunk lies.
    #[inline(always)]
    pub fn chunk(&self, c: usize) -> ChunkPattern<'_> {
        let c = c & (MASK_WORDS - 1);
        if self.same >> c & 1 != 0 {
            ChunkPattern::Uniform(self.first[c])
        } else if self.side >> c & 1 != 0 {
            ChunkPattern::Contiguous(self.first[c] as i32)
        } else {
            self.offs[c * CHUNK..].first_chunk().map_or(ChunkPattern::Uniform(0), ChunkPattern::Gather)
        }
    }

    /// Where the chunks start, if the lanes of all active ones are side by side.
    #[inline(always)]
    pub fn all_side(&self, mask: &Mask) -> Option<&[u32; MASK_WORDS]> {
        // Inactive chunks count as of one place. A single lane is of one place and side by side, and its offset is
        // its own and not that of the chunk's first lane.
        let mut rest = self.same;
        let mut fine = self.same | self.side == u16::MAX;
        while fine && rest != 0 {
            fine = mask.0[rest.trailing_zeros() as usize] == 0;
            rest &= rest - 1;
        }
        fine.then_some(&self.first)
    }

    /// How far apart the lanes are, where that is the same for all.
    #[inline(always)]
    pub fn stride(&self) -> Option<Stride> {
        self.stride
    }

    /// Moves all offsets; it has no stride.
    #[inline(always)]
    fn move_by(&mut self, by: u32) {
        for first in &mut self.first {
            *first = first.wrapping_add(by);
        }
        let mut apart = !(self.same | self.side);
        while apart != 0 {
            let c = apart.trailing_zeros() as usize;
            apart &= apart - 1;
            for off in &mut self.offs[c * CHUNK..(c + 1) * CHUNK] {
                *off = off.wrapping_add(by);
            }
        }
    }

    /// Becomes `other`, which has no stride, with all offsets moved.
    #[inline(always)]
    fn moved(&mut self, other: &Pattern, by: u32) {
        (self.stride, self.same, self.side) = (None, other.same, other.side);
        for (to, from) in self.first.iter_mut().zip(&other.first) {
            *to = from.wrapping_add(by);
        }
        let mut apart = !(other.same | other.side);
        while apart != 0 {
            let c = apart.trailing_zeros() as usize;
            apart &= apart - 1;
            for i in c * CHUNK..(c + 1) * CHUNK {
                self.offs[i] = other.offs[i].wrapping_add(by);
            }
        }
    }

    /// Becomes lanes with this stride; inactive ones before the first and behind the last active one get the
    /// offsets of these.
    #[inline(always)]
    pub fn set_stride(&mut self, stride: Stride, mask: &Mask) {
        let (Some(first), Some(highest)) = (mask.lowest(), mask.highest()) else { return };
        self.only_stride(stride);
        self.same = mask.0.iter().enumerate().fold(0, |s, (c, &word)| s | u16::from(word == 0) << c);
        let (at, step) = (stride.at as u32, stride.step as u32);
        let offset = |lane: usize| at.wrapping_add((lane as u32).wrapping_mul(step));
        let (from, to) = (first / CHUNK, highest / CHUNK);
        let (chunks, _) = self.offs.as_chunks_mut::<CHUNK>();
        let mut next: [u32; CHUNK] = std::array::from_fn(|i| offset(from * CHUNK + i));
        let apart = step.wrapping_mul(CHUNK as u32);
        for offs in chunks.iter_mut().take(to + 1).skip(from) {
            *offs = next;
            for n in &mut next {
                *n = n.wrapping_add(apart);
            }
        }
        chunks[from][..first % CHUNK].fill(offset(first));
        chunks[to][highest % CHUNK + 1..].fill(offset(highest));
    }

    /// Becomes lanes with this stride, for those who ask for no more than that.
    #[inline(always)]
    pub fn only_stride(&mut self, stride: Stride) {
        (self.stride, self.side) = (Some(stride), 0);
    }

    /// Writes itself down, as it is for the lanes of `mask`.
    #[inline]
    pub fn save(&self, mask: &Mask, words: &mut Vec<u32>) {
        words.push(u32::from(self.same) | u32::from(self.side) << 16);
        words.extend_from_slice(&self.first);
        let apart = !(self.same | self.side);
        for c in 0..MASK_WORDS {
            if apart >> c & 1 != 0 && mask.0[c] != 0 {
                words.extend_from_slice(&self.offs[c * CHUNK..][..CHUNK]);
            }
        }
    }

    /// Becomes what [`Pattern::save`] wrote for the same mask at the start of `words`; gives how many those are.
    #[inline]
    pub fn restore(&mut self, mask: &Mask, words: &[u32]) -> usize {
        let Some((&[lies], rest)) = words.split_first_chunk() else { cut_short() };
        let Some((&first, mut rest)) = rest.split_first_chunk::<MASK_WORDS>() else { cut_short() };
        (self.stride, self.same, self.side, self.first) = (None, lies as u16, (lies >> 16) as u16, first);
        let apart = !(self.same | self.side);
        for c in 0..MASK_WORDS {
            if apart >> c & 1 != 0 && mask.0[c] != 0 {
                let Some((offs, more)) = rest.split_first_chunk::<CHUNK>() else { cut_short() };
                self.offs[c * CHUNK..][..CHUNK].copy_from_slice(offs);
                rest = more;
            }
        }
        words.len() - rest.len()
    }

    /// Says how a chunk lies.
    pub fn set(&mut self, c: usize, lie: ChunkPattern) {
        let c = c & (MASK_WORDS - 1);
        self.stride = None;
        self.same &= !(1 << c);
        self.side &= !(1 << c);
        match lie {
            ChunkPattern::Contiguous(off) => {
                self.side |= 1 << c;
                self.first[c] = off as u32;
            }
            ChunkPattern::Uniform(off) => {
                self.same |= 1 << c;
                self.first[c] = off;
            }
            ChunkPattern::Gather(offs) => self.offs[c * CHUNK..][..CHUNK].copy_from_slice(offs),
        }
    }
}

/// The byte offsets of the lanes of an access in their object.
#[derive(Clone, Copy, Debug)]
pub enum AddressPattern<'a> {
    /// Lane `l` at this offset plus `l` times the width. Lane 0 may be inactive and outside.
    Contiguous(i64),
    /// All at one offset.
    Uniform(u32),
    /// Chunk by chunk.
    Chunks(&'a Pattern),
}

impl<'a> AddressPattern<'a> {
    /// The offset of a lane.
    #[inline(always)]
    pub fn lane(&self, lane: usize, width: u32) -> u32 {
        match self.chunk(lane / CHUNK, width) {
            ChunkPattern::Contiguous(off) => (off as u32).wrapping_add((lane % CHUNK) as u32 * width),
            ChunkPattern::Uniform(off) => off,
            ChunkPattern::Gather(offs) => offs[lane % CHUNK],
        }
    }

    /// How a chunk lies.
    #[inline(always)]
    pub fn chunk(&self, c: usize, width: u32) -> ChunkPattern<'a> {
        match *self {
            AddressPattern::Contiguous(off) => {
                ChunkPattern::Contiguous((off + (c * CHUNK) as i64 * i64::from(width)) as i32)
            }
            AddressPattern::Uniform(off) => ChunkPattern::Uniform(off),
            AddressPattern::Chunks(pattern) => pattern.chunk(c),
        }
    }

    /// Calls `f` with each active lane and its offset, in lane order.
    #[inline(always)]
    pub fn for_each(&self, mask: &Mask, width: u32, mut f: impl FnMut(usize, u32)) {
        for c in 0..MASK_WORDS {
            let mut rest = mask.0[c];
            if rest == 0 {
                continue;
            }
            let (first, step, offs) = match self.chunk(c, width) {
                ChunkPattern::Contiguous(off) => (off as u32, width, None),
                ChunkPattern::Uniform(off) => (off, 0, None),
                ChunkPattern::Gather(offs) => (0, 0, Some(offs)),
            };
            while rest != 0 {
                let i = rest.trailing_zeros();
                rest &= rest - 1;
                let off = match offs {
                    Some(offs) => offs[i as usize & (CHUNK - 1)],
                    None => first.wrapping_add(i * step),
                };
                f(c * CHUNK + i as usize, off);
            }
        }
    }
}

/// Addresses of a strip in one object.
#[derive(Clone, Copy)]
pub struct Indexed<'a> {
    /// The active lanes.
    pub mask: &'a Mask,
    /// 32-bit signed indices, at least as many as the mask has lanes.
    pub index: &'a [u32],
    /// Bytes per step of an index.
    pub scale: i32,
    /// The offset of index 0, in bytes.
    pub base: i64,
    /// 1, 2, 4 or 8.
    pub width: u8,
    /// The alignment that is demanded, as a power of two.
    pub align_log2: u8,
}

/// What a survey found.
#[derive(Clone, Copy)]
pub struct Surveyed<'a> {
    /// Where the lanes are.
    pub spot: AddressPattern<'a>,
    /// The first byte that a lane touches.
    pub low: u64,
    /// The byte behind the last.
    pub end: u64,
}

/// All lanes of a chunk where the word's bit is set, as masks of ones.
#[inline(always)]
pub fn expand(word: u16) -> [u32; CHUNK] {
    std::array::from_fn(|i| 0u32.wrapping_sub(u32::from(word) >> i & 1))
}

/// The words of the lanes of chunk `c`; `None` where the slice does not fill it.
#[inline(always)]
pub fn chunk(words: &[u32], c: usize) -> Option<&[u32; CHUNK]> {
    words.get(c * CHUNK..)?.first_chunk()
}

/// The indices of a chunk; of a chunk that the slice does not fill, zeros behind.
#[inline(always)]
pub fn index_chunk(words: &[u32], c: usize) -> [u32; CHUNK] {
    match chunk(words, c) {
        Some(full) => *full,
        None => std::array::from_fn(|i| words.get(c * CHUNK + i).copied().unwrap_or(0)),
    }
}

/// A pattern by chunk and what it was made of, for the same access when it comes again at another place.
#[derive(Debug)]
struct Remembered {
    mask: Mask,
    scale: i32,
    width: u8,
    /// How far the indices are from that of the first active lane.
    relative: Offsets,
    /// The least and the greatest of them.
    min: i64,
    max: i64,
    /// As if the first active lane's offset were 0.
    pattern: Pattern,
    /// How often it was of use of late: where it is not, it is not kept up.
    use_: i8,
}

/// Patterns of the accesses at some sites.
#[derive(Debug, Default)]
pub struct Patterns(Vec<Option<Box<Remembered>>>);

/// Sites whose patterns are kept.
const KNOWN: usize = 32;

impl Patterns {
    /// The place for a site.
    #[inline(always)]
    fn at(&mut self, site: SiteRef) -> &mut Option<Box<Remembered>> {
        if self.0.is_empty() {
            self.0.resize_with(KNOWN, || None);
        }
        let n = site.site.as_u32().wrapping_add(site.func.as_u32().wrapping_mul(7)) as usize % KNOWN;
        &mut self.0[n]
    }
}

impl Remembered {
    /// Of no access.
    fn unused() -> Remembered {
        Remembered {
            mask: Mask::NONE,
            scale: 0,
            width: 0,
            relative: [0; MAX_LANES],
            min: 0,
            max: 0,
            pattern: Pattern::default(),
            use_: 0,
        }
    }

    /// Becomes that of an access, with the least and the greatest of its indices and its pattern.
    #[inline(always)]
    fn take(&mut self, at: &Indexed<'_>, start: u32, (min, max): (i64, i64), pattern: &Pattern) {
        (self.mask, self.scale, self.width) = (*at.mask, at.scale, at.width);
        let from = i64::from(start as i32);
        (self.min, self.max) = (min - from, max - from);
        for (relative, index) in self.relative.iter_mut().zip(at.index) {
            *relative = index.wrapping_sub(start);
        }
        self.pattern.moved(pattern, 0);
    }

    /// Whether it is of this access, the first active lane's index being `start`.
    #[inline(always)]
    fn is_of<const AVX2: bool>(&self, at: &Indexed, start: u32) -> bool {
        let range = i64::from(i32::MIN)..=i64::from(i32::MAX);
        let from = i64::from(start as i32);
        if self.scale != at.scale
            || self.width != at.width
            || self.mask != *at.mask
            // Exact, since the indices do not go around the circle.
            || !range.contains(&(from + self.min))
            || !range.contains(&(from + self.max))
        {
            return false;
        }
        #[cfg(target_arch = "x86_64")]
        if AVX2 {
            // SAFETY: `AVX2` says that the machine has it.
            return unsafe { avx2::is_moved(at.index, start, &self.relative, at.mask) };
        }
        is_moved(at.index, start, &self.relative, at.mask)
    }
}

/// Whether the indices of all active lanes are `relative` to `start`.
#[inline(always)]
pub(crate) fn is_moved(index: &[u32], start: u32, relative: &Offsets, mask: &Mask) -> bool {
    let (relative, _) = relative.as_chunks::<CHUNK>();
    relative.iter().zip(&mask.0).enumerate().all(|(c, (relative, &word))| {
        let (index, active) = (index_chunk(index, c), expand(word));
        (0..CHUNK).fold(0, |a, i| a | (index[i].wrapping_sub(start) ^ relative[i]) & active[i]) == 0
    })
}

struct SurveyKernel<'a, 'p> {
    at: Indexed<'a>,
    limit: u64,
    pattern: &'p mut Pattern,
    known: &'p mut Option<Box<Remembered>>,
}

/// What a pass over the indices goes by.
#[derive(Clone, Copy)]
pub struct Pass<'a> {
    /// The active lanes.
    pub mask: &'a Mask,
    /// One 32-bit index per lane.
    pub index: &'a [u32],
    /// The index of the first active lane.
    pub start: u32,
    /// By how much indices go up where lanes stand side by side; 0 where no index does it.
    pub unit: u32,
    /// Bytes per step of an index.
    pub scale: u32,
    /// The offset of index 0, in bytes.
    pub base: u32,
    /// Whether all offsets are to be or-ed.
    pub exact: bool,
}

/// What a pass found.
pub struct Ends {
    /// The least and the greatest index.
    pub min: i32,
    /// See `min`.
    pub max: i32,
    /// Offsets or-ed: all that were wanted, or those of chunks apart.
    pub low: u32,
}

/// Where each chunk of a strip lies, as a pass writes it.
pub struct Chunks<'p> {
    /// A bit per chunk: its lanes are at one place.
    pub same: &'p mut u16,
    /// A bit per chunk: its lanes are side by side.
    pub side: &'p mut u16,
    /// Of each chunk, the offset of its first lane.
    pub first: &'p mut [u32; MASK_WORDS],
    /// The offsets of lanes of chunks that are neither.
    pub offs: &'p mut Offsets,
}

/// Whether the indices of all active lanes go up by the unit from one lane to the next.
#[inline(always)]
pub(crate) fn is_run(p: &Pass) -> bool {
    let origin = p.start.wrapping_sub((p.mask.lowest().unwrap_or(0) as u32).wrapping_mul(p.unit));
    let mut differ = 0;
    for c in 0..MASK_WORDS {
        let word = p.mask.0[c];
        if word == 0 {
            continue;
        }
        let (idx, active) = (index_chunk(p.index, c), expand(word));
        for i in 0..CHUNK {
            let lane = (c * CHUNK + i) as u32;
            differ |= (idx[i] ^ origin.wrapping_add(lane.wrapping_mul(p.unit))) & active[i];
        }
        if differ != 0 {
            return false;
        }
    }
    true
}

/// Finds how each chunk lies.
#[inline(always)]
fn by_chunk(p: &Pass, out: Chunks) -> Ends {
    let mut ends = Ends { min: p.start as i32, max: p.start as i32, low: 0 };
    for c in 0..MASK_WORDS {
        let word = p.mask.0[c];
        if word == 0 {
            continue;
        }
        let (mut idx, active) = (index_chunk(p.index, c), expand(word));
        let lane = word.trailing_zeros() & 15;
        let first = idx[lane as usize];
        let from = first.wrapping_sub(p.unit.wrapping_mul(lane));
        let (mut differ, mut off_unit) = (0, 0);
        for i in 0..CHUNK {
            idx[i] = idx[i] & active[i] | first & !active[i];
            differ |= idx[i] ^ first;
            off_unit |= (idx[i] ^ from.wrapping_add(p.unit.wrapping_mul(i as u32))) & active[i];
            ends.min = ends.min.min(idx[i] as i32);
            ends.max = ends.max.max(idx[i] as i32);
        }
        let (same, side) = (differ == 0, off_unit == 0);
        if p.exact || !same && !side {
            for i in 0..CHUNK {
                let off = idx[i].wrapping_mul(p.scale).wrapping_add(p.base);
                out.offs[c * CHUNK + i] = off;
                ends.low |= off;
            }
        }
        *out.same |= u16::from(same) << c;
        *out.side |= u16::from(side) << c;
        out.first[c] = if same { first } else { from }.wrapping_mul(p.scale).wrapping_add(p.base);
    }
    ends
}

/// [`is_run`], by the machine's best means.
#[inline(always)]
fn goes_up<const AVX2: bool>(pass: &Pass<'_>, first: usize, highest: usize) -> bool {
    #[cfg(target_arch = "x86_64")]
    if AVX2 {
        // SAFETY: `AVX2` says that the machine has it.
        return unsafe { avx2::is_run(pass, first, highest) };
    }
    let _ = (first, highest);
    is_run(pass)
}

/// [`by_chunk`], by the machine's best means.
#[inline(always)]
fn ends<const AVX2: bool>(pass: &Pass<'_>, chunks: Chunks<'_>) -> Ends {
    #[cfg(target_arch = "x86_64")]
    if AVX2 {
        // SAFETY: `AVX2` says that the machine has it.
        return unsafe { avx2::by_chunk(pass, chunks) };
    }
    by_chunk(pass, chunks)
}

impl<'p> Kernel for SurveyKernel<'_, 'p> {
    type Out = Option<Surveyed<'p>>;

    #[inline(always)]
    fn run<const AVX2: bool>(self) -> Option<Surveyed<'p>> {
        let Indexed { mask, index, scale, base, width, align_log2 } = self.at;
        let first = mask.lowest()?;
        let highest = mask.highest()?;
        let start = *index.get(first)?;
        if highest >= index.len() {
            return None;
        }
        let align = (1u32 << align_log2) - 1;
        let w = i32::from(width);
        let unit = if scale > 0 && w % scale == 0 { (w / scale) as u32 } else { 0 };
        // Where scale and base are aligned, all offsets are.
        let exact = (scale as u32 | base as u32) & align != 0;
        let (scale32, base32) = (scale as u32, base as u32);
        let pass = Pass { mask, index, start, unit, scale: scale32, base: base32, exact };
        let last = self.limit.checked_sub(u64::from(width))?;
        // Exact: indices and scale have 32 bits, the base is an offset in an object.
        let offset = |i: i64| i * i64::from(scale) + base;
        let fits = |lo: i64, hi: i64| lo >= 0 && hi as u64 <= last && hi <= i64::from(i32::MAX);
        let surveyed = |spot, lo: i64, hi: i64| {
            Some(Surveyed { spot, low: lo as u64, end: hi as u64 + u64::from(width) })
        };
        if first == highest {
            let at = offset(i64::from(start as i32));
            if !fits(at, at) || at as u32 & align != 0 {
                return None;
            }
            return surveyed(AddressPattern::Uniform(at as u32), at, at);
        }
        let in_units = unit != 0 && align < u32::from(width);
        if in_units && goes_up::<AVX2>(&pass, first, highest) {
            let lo = offset(i64::from(start as i32));
            let hi = lo + (highest - first) as i64 * i64::from(width);
            if !fits(lo, hi) || lo as u32 & align != 0 {
                return None;
            }
            return surveyed(AddressPattern::Contiguous(lo - first as i64 * i64::from(width)), lo, hi);
        }
        let pattern = self.pattern;
        if let Some((low, high, step)) = stride::<AVX2>(&pass, first, highest, in_units) {
            let step = i64::from(step) * i64::from(scale);
            let ends = [low, high].map(offset);
            let (lo, hi) = (ends[0].min(ends[1]), ends[0].max(ends[1]));
            if !fits(lo, hi) || (lo as u32 | step as u32) & align != 0 {
                return None;
            }
            if step == 0 {
                return surveyed(AddressPattern::Uniform(lo as u32), lo, hi);
            }
            let at = if step > 0 { lo } else { hi } - first as i64 * step;
            pattern.set_stride(Stride { at, step }, mask);
            return surveyed(AddressPattern::Chunks(pattern), lo, hi);
        }
        let (min, max);
        match self.known {
            Some(known) if !exact && known.is_of::<AVX2>(&self.at, start) => {
                known.use_ = (known.use_ + 1).min(4);
                let from = i64::from(start as i32);
                (min, max) = (from + known.min, from + known.max);
                pattern.moved(&known.pattern, start.wrapping_mul(scale32).wrapping_add(base32));
            }
            known => {
                (pattern.stride, pattern.same, pattern.side) = (None, 0, 0);
                // As if the first active lane's offset were 0, unless the offsets are wanted as they are.
                let by = start.wrapping_mul(scale32).wrapping_add(base32);
                let pass = if exact { pass } else { Pass { base: base32.wrapping_sub(by), ..pass } };
                let Pattern { same, side, first, offs, .. } = &mut *pattern;
                let chunks = Chunks { same, side, first, offs };
                let ends = ends::<AVX2>(&pass, chunks);
                if exact && ends.low & align != 0 {
                    return None;
                }
                for (c, &word) in mask.0.iter().enumerate() {
                    pattern.same |= u16::from(word == 0) << c;
                }
                (min, max) = (i64::from(ends.min), i64::from(ends.max));
                if !exact {
                    if let Some(known) = known {
                        // Tried again after some time.
                        known.use_ = if known.use_ == i8::MIN { 0 } else { known.use_ - 1 };
                        if known.use_ < -4 {
                            pattern.move_by(by);
                            return end(pattern, (min, max), offset, fits, width);
                        }
                    }
                    let new = known.get_or_insert_with(|| Box::new(Remembered::unused()));
                    new.take(&self.at, start, (min, max), pattern);
                    pattern.moved(&new.pattern, by);
                }
            }
        }
        end(pattern, (min, max), offset, fits, width)
    }
}

/// The least and the greatest index in the order of lanes, and what it grows by from one lane to the next, where
/// that is the same for all active ones, of which there are several. `not_unit` says that it is not the unit.
#[inline(always)]
fn stride<const AVX2: bool>(
    p: &Pass,
    first: usize,
    highest: usize,
    not_unit: bool,
) -> Option<(i64, i64, i32)> {
    let second = p.mask.second()?;
    let apart = i64::from(*p.index.get(second)? as i32) - i64::from(p.start as i32);
    let lanes = (second - first) as i64;
    let step = i32::try_from(apart / lanes).ok().filter(|&s| i64::from(s) * lanes == apart)?;
    if not_unit && step as u32 == p.unit {
        return None;
    }
    let low = i64::from(p.start as i32);
    let high = low + (highest - first) as i64 * i64::from(step);
    // In range at both ends, and so between: no index goes around the circle.
    i32::try_from(high).ok()?;
    let pass = Pass { unit: step as u32, ..*p };
    #[cfg(target_arch = "x86_64")]
    // SAFETY: `AVX2` says that the machine has it.
    let run = if AVX2 { unsafe { avx2::is_run(&pass, first, highest) } } else { is_run(&pass) };
    #[cfg(not(target_arch = "x86_64"))]
    let run = is_run(&pass);
    run.then_some((low, high, step))
}

/// The last check.
#[inline(always)]
fn end(
    pattern: &Pattern,
    (min, max): (i64, i64),
    offset: impl Fn(i64) -> i64,
    fits: impl Fn(i64, i64) -> bool,
    width: u8,
) -> Option<Surveyed<'_>> {
    let ends = [min, max].map(offset);
    let (lo, hi) = (ends[0].min(ends[1]), ends[0].max(ends[1]));
    if !fits(lo, hi) {
        return None;
    }
    let spot = if lo == hi { AddressPattern::Uniform(lo as u32) } else { AddressPattern::Chunks(pattern) };
    Some(Surveyed { spot, low: lo as u64, end: hi as u64 + u64::from(width) })
}

/// One pass over addresses of an object of which lanes may touch the first `limit` bytes. `None` where a lane is not
/// allowed what it asks, whatever that is.
#[inline]
pub fn survey<'p>(
    limit: u64,
    at: &Indexed,
    site: SiteRef,
    pattern: &'p mut Pattern,
    patterns: &'p mut Patterns,
) -> Option<Surveyed<'p>> {
    dispatch(SurveyKernel { at: *at, limit, pattern, known: patterns.at(site) })
}
#[cold]
fn cut_short() -> ! {
    unreachable!("what a pattern has written down of itself is cut short")
}
