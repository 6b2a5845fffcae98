//! Indexed accesses of a strip to one object: classify the addresses, check them all at once, move the values
//! and the bits of initialisation.
//!
//! The address of lane `l` is `base + index[l] * scale`. One pass over the indices finds the least and the
//! greatest, so that one range check serves all lanes, and tells whether the lanes stand side by side
//! ([`Plan::Contig`]), all at one place ([`Plan::Broadcast`]) or otherwise ([`Plan::Scatter`]). Whatever a
//! kernel refuses, the slow path of [`super::access`] looks at lane by lane.

#![allow(unsafe_code)]
#![allow(clippy::needless_range_loop, reason = "several arrays of a chunk are walked together")]

#[cfg(target_arch = "x86_64")]
use super::avx2;
use super::lanes::Values;
use super::mask::{CHUNK, MASK_WORDS, MAX_LANES, Mask};
use super::raw::{Obj, Right, init_word, load_le, set_bits, store_le};
use super::simd::{Kernel, dispatch};

/// Byte offsets of the lanes of a strip.
pub(super) type Offsets = [u32; MAX_LANES];

/// How the lanes of an access lie.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Plan {
    /// Lane `l` at this offset plus `l` times the width. Lane 0 may be inactive and outside.
    Contig(i64),
    /// All at this offset.
    Broadcast(u32),
    /// Lane `l` at the `l`-th of the offsets.
    Scatter,
}

/// Addresses of a strip in one object.
#[derive(Clone, Copy)]
pub(super) struct Indexed<'a> {
    pub(super) mask: &'a Mask,
    /// 32-bit signed indices, at least as many as the mask has lanes.
    pub(super) index: &'a [u32],
    pub(super) scale: i32,
    pub(super) base: i64,
    /// 1, 2, 4 or 8.
    pub(super) width: u8,
    pub(super) align_log2: u8,
}

/// All lanes of a chunk where the word's bit is set, as masks of ones.
#[inline(always)]
fn expand(word: u16) -> [u32; CHUNK] {
    std::array::from_fn(|i| 0u32.wrapping_sub(u32::from(word) >> i & 1))
}

#[inline(always)]
fn chunk(words: &[u32], c: usize) -> Option<&[u32; CHUNK]> {
    words.get(c * CHUNK..)?.first_chunk()
}

/// The indices of a chunk; of a chunk that the slice does not fill, zeros behind.
#[inline(always)]
fn index_chunk(words: &[u32], c: usize) -> [u32; CHUNK] {
    match chunk(words, c) {
        Some(full) => *full,
        None => std::array::from_fn(|i| words.get(c * CHUNK + i).copied().unwrap_or(0)),
    }
}

struct PlanKernel<'a> {
    at: Indexed<'a>,
    limit: u64,
    offs: &'a mut Offsets,
}

impl PlanKernel<'_> {
    /// Offsets of all chunks; the least and the greatest index, what differs from lanes side by side, and all
    /// offsets or-ed. Inactive lanes of a chunk count as the first active one.
    #[inline(always)]
    fn survey<const AVX2: bool>(&mut self, start: u32, unit_start: u32) -> Option<(i32, i32, u32, u32)> {
        let Indexed { mask, index, scale, base, .. } = self.at;
        #[cfg(target_arch = "x86_64")]
        if AVX2 {
            // SAFETY: `AVX2` says that the machine has it.
            unsafe {
                let mut survey = avx2::Survey::new(start, unit_start, scale as u32, base as u32);
                for c in 0..MASK_WORDS {
                    let word = mask.0[c];
                    if word == 0 {
                        continue;
                    }
                    let offs = self.offs[c * CHUNK..].first_chunk_mut()?;
                    let lane0 = (c * CHUNK) as u32;
                    match chunk(index, c) {
                        Some(idx) => survey.chunk(idx, word, lane0, offs),
                        None => survey.chunk(&index_chunk(index, c), word, lane0, offs),
                    }
                }
                return Some(survey.end());
            }
        }
        let (mut min, mut max) = (start as i32, start as i32);
        let (mut not_unit, mut low) = (0u32, 0u32);
        for c in 0..MASK_WORDS {
            let word = mask.0[c];
            if word == 0 {
                continue;
            }
            let mut idx = index_chunk(index, c);
            let lane0 = (c * CHUNK) as u32;
            let active = expand(word);
            for i in 0..CHUNK {
                not_unit |= (idx[i].wrapping_sub(lane0 + i as u32) ^ unit_start) & active[i];
                idx[i] = idx[i] & active[i] | start & !active[i];
            }
            let offs: &mut [u32; CHUNK] = self.offs[c * CHUNK..].first_chunk_mut()?;
            for i in 0..CHUNK {
                min = min.min(idx[i] as i32);
                max = max.max(idx[i] as i32);
                offs[i] = idx[i].wrapping_mul(scale as u32).wrapping_add(base as u32);
                low |= offs[i];
            }
        }
        Some((min, max, not_unit, low))
    }
}

impl Kernel for PlanKernel<'_> {
    type Out = Option<Plan>;

    #[inline(always)]
    fn run<const AVX2: bool>(mut self) -> Option<Plan> {
        let Indexed { mask, index, scale, base, width, align_log2 } = self.at;
        let first = mask.lowest()?;
        let start = *index.get(first)?;
        let unit_start = start.wrapping_sub(first as u32);
        let (min, max, not_unit, low) = self.survey::<AVX2>(start, unit_start)?;
        // Exact: indices and scale have 32 bits, the base is an offset in an object.
        let ends = [min, max].map(|i| i64::from(i) * i64::from(scale) + base);
        let (lo, hi) = (ends[0].min(ends[1]), ends[0].max(ends[1]));
        let last = self.limit.checked_sub(u64::from(width))?;
        if lo < 0 || hi as u64 > last || hi > i64::from(i32::MAX) || low & ((1 << align_log2) - 1) != 0 {
            return None;
        }
        Some(if min == max || scale == 0 {
            Plan::Broadcast(lo as u32)
        } else if not_unit == 0 && scale == i32::from(width) {
            Plan::Contig(i64::from(unit_start as i32) * i64::from(scale) + base)
        } else {
            Plan::Scatter
        })
    }
}

/// One pass over addresses: what [`Obj::load_indexed`] and [`Obj::store_indexed`] go by. `None` where a lane
/// is not allowed what it asks, whatever that is.
pub(super) fn plan(obj: &Obj, right: Right, at: &Indexed, offs: &mut Offsets) -> Option<Plan> {
    dispatch(PlanKernel { at: *at, limit: obj.limit(right), offs })
}

/// Low and high words of the pairs of a chunk; zeros behind the end.
#[inline(always)]
fn split<const AVX2: bool>(words: &[u32]) -> ([u32; CHUNK], [u32; CHUNK]) {
    let padded;
    let words = match words.first_chunk::<{ 2 * CHUNK }>() {
        Some(full) => full,
        None => {
            padded = std::array::from_fn(|i| words.get(i).copied().unwrap_or(0));
            &padded
        }
    };
    #[cfg(target_arch = "x86_64")]
    if AVX2 {
        // SAFETY: `AVX2` says that the machine has it.
        return unsafe { avx2::split(words) };
    }
    (std::array::from_fn(|i| words[2 * i]), std::array::from_fn(|i| words[2 * i + 1]))
}

/// Narrows 64-bit indices, two words per lane. False where an active one does not fit.
pub(super) fn narrow(mask: &Mask, words: &[u32], out: &mut Offsets) -> bool {
    struct Narrow<'a>(&'a Mask, &'a [u32], &'a mut Offsets);
    impl Kernel for Narrow<'_> {
        type Out = bool;
        #[inline(always)]
        fn run<const AVX2: bool>(self) -> bool {
            let mut bad = [0; CHUNK];
            for c in 0..MASK_WORDS {
                if self.0.0[c] == 0 {
                    continue;
                }
                let active = expand(self.0.0[c]);
                let Some(words) = self.1.get(2 * c * CHUNK..) else { return false };
                let Some(out) = self.2[c * CHUNK..].first_chunk_mut::<CHUNK>() else { return false };
                let (low, high) = split::<AVX2>(words);
                for i in 0..CHUNK {
                    let (lo, hi) = (low[i], high[i]);
                    bad[i] |= (hi ^ (lo as i32 >> 31) as u32) & active[i];
                    out[i] = lo;
                }
            }
            bad == [0; CHUNK]
        }
    }
    dispatch(Narrow(mask, words, out))
}

/// Pointers of lanes that all name one object of the table, a block or the host's stack: the high half, and
/// signed offsets from the object's start per lane. `None` where they differ.
pub(super) fn same_object(mask: &Mask, ptrs: &[u32], out: &mut Offsets) -> Option<u32> {
    struct Same<'a>(&'a Mask, &'a [u32], &'a mut Offsets);
    impl Kernel for Same<'_> {
        type Out = Option<u32>;
        #[inline(always)]
        fn run<const AVX2: bool>(self) -> Option<u32> {
            let first = self.0.lowest()?;
            let id = *self.1.get(2 * first + 1)?;
            let mut differ = [0; CHUNK];
            for c in 0..MASK_WORDS {
                if self.0.0[c] == 0 {
                    continue;
                }
                let active = expand(self.0.0[c]);
                let words = self.1.get(2 * c * CHUNK..)?;
                let out = self.2[c * CHUNK..].first_chunk_mut::<CHUNK>()?;
                let (low, high) = split::<AVX2>(words);
                for i in 0..CHUNK {
                    let (lo, hi) = (low[i], high[i]);
                    differ[i] |= (hi ^ id) & active[i];
                    out[i] = lo ^ 0x8000_0000;
                }
            }
            (differ == [0; CHUNK]).then_some(id)
        }
    }
    dispatch(Same(mask, ptrs, out))
}

/// Copies the words of the active lanes of a chunk of results.
#[inline(always)]
fn blend(out: &mut [u32], c: usize, word: u16, values: [u32; CHUNK]) {
    let Some(out) = out.get_mut(c * CHUNK..) else { return };
    match out.first_chunk_mut::<CHUNK>() {
        Some(out) if word == u16::MAX => *out = values,
        Some(out) => {
            let active = expand(word);
            for i in 0..CHUNK {
                out[i] = values[i] & active[i] | out[i] & !active[i];
            }
        }
        None => {
            for (i, o) in out.iter_mut().enumerate() {
                if word >> i & 1 != 0 {
                    *o = values[i];
                }
            }
        }
    }
}

/// [`blend`] for values of two words.
#[inline(always)]
fn blend_pairs(out: &mut [u32], c: usize, word: u16, values: [u64; CHUNK]) {
    let Some(out) = out.get_mut(2 * c * CHUNK..) else { return };
    for (i, o) in out.chunks_exact_mut(2).take(CHUNK).enumerate() {
        if word >> i & 1 != 0 {
            o[0] = values[i] as u32;
            o[1] = (values[i] >> 32) as u32;
        }
    }
}

struct LoadKernel<'a> {
    obj: &'a Obj,
    at: Indexed<'a>,
    plan: Plan,
    offs: &'a Offsets,
    out: &'a mut [u32],
    check: bool,
}

impl LoadKernel<'_> {
    /// # Safety
    /// Every lane of a full chunk, and some lane of another, must be inside the object.
    #[inline(always)]
    unsafe fn contig_chunk(&mut self, off: i64, c: usize, word: u16) {
        let width = self.at.width;
        // SAFETY: the chunk has a lane inside the object, so the others are at most 15 lanes of 8 bytes
        // outside, where there is slack.
        unsafe {
            let p = self.obj.data.offset(off as isize + (c * CHUNK * usize::from(width)) as isize);
            match width {
                4 => blend(self.out, c, word, p.cast::<[u32; CHUNK]>().read_unaligned()),
                8 => {
                    let words = p.cast::<[u32; 2 * CHUNK]>().read_unaligned();
                    if word == u16::MAX
                        && let Some(out) = self.out.get_mut(2 * c * CHUNK..)
                        && let Some(out) = out.first_chunk_mut::<{ 2 * CHUNK }>()
                    {
                        *out = words;
                    } else {
                        let values = std::array::from_fn(|i| {
                            u64::from(words[2 * i]) | u64::from(words[2 * i + 1]) << 32
                        });
                        blend_pairs(self.out, c, word, values);
                    }
                }
                2 => {
                    let v = p.cast::<[u16; CHUNK]>().read_unaligned();
                    blend(self.out, c, word, v.map(u32::from));
                }
                _ => {
                    let v = p.cast::<[u8; CHUNK]>().read_unaligned();
                    blend(self.out, c, word, v.map(u32::from));
                }
            }
        }
    }

    /// # Safety
    /// All offsets must be inside the object.
    #[inline(always)]
    unsafe fn scatter_chunk<const AVX2: bool>(&mut self, offs: &[u32; CHUNK], c: usize, word: u16) {
        let data = self.obj.data;
        // SAFETY: the caller's promise.
        unsafe {
            match self.at.width {
                8 => {
                    let v = offs.map(|o| data.add(o as usize).cast::<u64>().read_unaligned());
                    blend_pairs(self.out, c, word, v);
                }
                4 => {
                    #[cfg(target_arch = "x86_64")]
                    if AVX2 {
                        blend(self.out, c, word, avx2::gather(data, offs));
                        return;
                    }
                    let v = offs.map(|o| data.add(o as usize).cast::<u32>().read_unaligned());
                    blend(self.out, c, word, v);
                }
                2 => {
                    let v = offs.map(|o| u32::from(data.add(o as usize).cast::<u16>().read_unaligned()));
                    blend(self.out, c, word, v);
                }
                _ => blend(self.out, c, word, offs.map(|o| u32::from(data.add(o as usize).read()))),
            }
        }
    }

    /// The lanes of a chunk, given their offsets, that read a byte that is not initialised.
    ///
    /// # Safety
    /// The active lanes must be inside the object, which must have a bitmap.
    #[inline(always)]
    unsafe fn missing<const AVX2: bool>(&self, offs: &[u32; CHUNK], word: u16) -> u16 {
        let all = (1u32 << self.at.width) - 1;
        #[cfg(target_arch = "x86_64")]
        if AVX2 {
            // SAFETY: the caller's promise; inactive lanes have an active lane's offset.
            return unsafe { avx2::missing(self.obj.init, offs, all, word) };
        }
        let mut missing = 0;
        let mut rest = word;
        while rest != 0 {
            let i = rest.trailing_zeros();
            rest &= rest - 1;
            // SAFETY: the caller's promise.
            let bits = unsafe { init_word(self.obj.init, offs[i as usize] as usize) };
            missing |= u16::from(bits & all != all) << i;
        }
        missing
    }
}

impl Kernel for LoadKernel<'_> {
    type Out = Mask;

    #[inline(always)]
    fn run<const AVX2: bool>(mut self) -> Mask {
        let mut missing = Mask::NONE;
        let mask = self.at.mask;
        let width = self.at.width;
        let check = self.check && self.obj.has_bitmap();
        match self.plan {
            Plan::Contig(off) => {
                for c in 0..MASK_WORDS {
                    let word = mask.0[c];
                    if word != 0 {
                        // SAFETY: the plan says that active lanes are inside.
                        unsafe { self.contig_chunk(off, c, word) };
                    }
                }
                if check {
                    // The range from the first to the last active lane at once, which is what usually is
                    // initialised; only if it is not, lane by lane.
                    let lanes = mask.lowest().zip(highest(mask));
                    if let Some((first, last)) = lanes {
                        let w = i64::from(width);
                        let start = (off + first as i64 * w) as u64;
                        let len = ((last - first + 1) as i64 * w) as u64;
                        if !all_init(self.obj, start, len) {
                            for c in 0..MASK_WORDS {
                                if let (word @ 1.., Some(offs)) = (mask.0[c], chunk(self.offs, c)) {
                                    // SAFETY: as above.
                                    missing.0[c] = unsafe { self.missing::<AVX2>(offs, word) };
                                }
                            }
                        }
                    }
                }
            }
            Plan::Broadcast(off) => {
                // SAFETY: the plan says that it is inside.
                let value = unsafe { load_le(self.obj.data.add(off as usize), width) };
                for c in 0..MASK_WORDS {
                    let word = mask.0[c];
                    if word == 0 {
                        continue;
                    }
                    if width == 8 {
                        blend_pairs(self.out, c, word, [value; CHUNK]);
                    } else {
                        blend(self.out, c, word, [value as u32; CHUNK]);
                    }
                }
                let all = (1u32 << width) - 1;
                if check && self.obj.init_bits(i64::from(off), width) != all {
                    missing = *mask;
                }
            }
            Plan::Scatter => {
                for c in 0..MASK_WORDS {
                    let word = mask.0[c];
                    let (1.., Some(offs)) = (word, chunk(self.offs, c)) else { continue };
                    let offs = *offs;
                    // Inactive lanes have an active lane's offset: see `PlanKernel`.
                    // SAFETY: all offsets are of active lanes, which are inside.
                    unsafe { self.scatter_chunk::<AVX2>(&offs, c, word) };
                    if check {
                        // SAFETY: as above.
                        missing.0[c] = unsafe { self.missing::<AVX2>(&offs, word) };
                    }
                }
            }
        }
        missing
    }
}

/// The highest lane of a mask.
#[inline(always)]
fn highest(mask: &Mask) -> Option<usize> {
    let c = mask.0.iter().rposition(|&w| w != 0)?;
    Some(c * CHUNK + 15 - mask.0[c].leading_zeros() as usize)
}

/// Whether a range inside an object with a bitmap is initialised.
#[inline(always)]
fn all_init(obj: &Obj, start: u64, len: u64) -> bool {
    if start.is_multiple_of(8) && len.is_multiple_of(8) {
        let n = (len / 8) as usize;
        // SAFETY: the range is inside the object, its bits inside the bitmap.
        let bytes = unsafe { std::slice::from_raw_parts(obj.init.add((start / 8) as usize), n) };
        bytes.iter().fold(0xff, |a, &b| a & b) == 0xff
    } else {
        obj.first_uninit(start, len).is_none()
    }
}

struct StoreKernel<'a> {
    obj: &'a Obj,
    at: Indexed<'a>,
    plan: Plan,
    offs: &'a Offsets,
    values: Values<'a>,
}

impl Kernel for StoreKernel<'_> {
    type Out = ();

    #[inline(always)]
    fn run<const AVX2: bool>(self) {
        let StoreKernel { obj, at: Indexed { mask, width, .. }, plan, offs, values } = self;
        match plan {
            Plan::Contig(off) => {
                for c in 0..MASK_WORDS {
                    let word = mask.0[c];
                    if word == 0 {
                        continue;
                    }
                    let at = off + (c * CHUNK * usize::from(width)) as i64;
                    let full = word == u16::MAX;
                    // SAFETY: the active lanes are inside the object, so a full chunk is.
                    unsafe {
                        let p = obj.data.offset(at as isize);
                        match (values, width) {
                            (Values::Lanes(w), 4) if full && chunk(w, c).is_some() => {
                                if let Some(v) = chunk(w, c) {
                                    p.cast::<[u32; CHUNK]>().write_unaligned(*v);
                                }
                            }
                            (Values::Uniform(bits), 4) if full => {
                                p.cast::<[u32; CHUNK]>().write_unaligned([bits as u32; CHUNK]);
                            }
                            (Values::Lanes(w), 1) if full && chunk(w, c).is_some() => {
                                if let Some(v) = chunk(w, c) {
                                    p.cast::<[u8; CHUNK]>().write_unaligned(v.map(|x| x as u8));
                                }
                            }
                            (Values::Lanes(w), 2) if full && chunk(w, c).is_some() => {
                                if let Some(v) = chunk(w, c) {
                                    p.cast::<[u16; CHUNK]>().write_unaligned(v.map(|x| x as u16));
                                }
                            }
                            (Values::Lanes(w), 8) if full && w.len() >= 2 * (c + 1) * CHUNK => {
                                if let Some(v) = w[2 * c * CHUNK..].first_chunk::<{ 2 * CHUNK }>() {
                                    p.cast::<[u32; 2 * CHUNK]>().write_unaligned(*v);
                                }
                            }
                            _ => {
                                let mut rest = word;
                                while rest != 0 {
                                    let i = rest.trailing_zeros() as usize;
                                    rest &= rest - 1;
                                    let bits = values.lane(c * CHUNK + i, width) as u64;
                                    store_le(p.add(i * usize::from(width)), width, bits);
                                }
                            }
                        }
                    }
                }
            }
            Plan::Broadcast(off) => {
                // In lane order, so the last lane's value stays.
                if let Some(last) = highest(mask) {
                    let bits = values.lane(last, width) as u64;
                    // SAFETY: the plan says that it is inside.
                    unsafe {
                        store_le(obj.data.add(off as usize), width, bits);
                        if obj.has_bitmap() {
                            set_bits(obj.init, off as usize, width);
                        }
                    }
                }
                return;
            }
            Plan::Scatter => {
                for c in 0..MASK_WORDS {
                    let word = mask.0[c];
                    let (1.., Some(offs)) = (word, chunk(offs, c)) else { continue };
                    if let (Values::Lanes(w), 4, u16::MAX) = (values, width, word)
                        && let Some(v) = chunk(w, c)
                    {
                        for i in 0..CHUNK {
                            // SAFETY: active lanes are inside.
                            unsafe {
                                obj.data.add(offs[i] as usize).cast::<u32>().write_unaligned(v[i]);
                            }
                        }
                        continue;
                    }
                    let mut rest = word;
                    while rest != 0 {
                        let i = rest.trailing_zeros() as usize;
                        rest &= rest - 1;
                        let bits = values.lane(c * CHUNK + i, width) as u64;
                        // SAFETY: active lanes are inside.
                        unsafe { store_le(obj.data.add(offs[i] as usize), width, bits) };
                    }
                }
            }
        }
        if !obj.has_bitmap() {
            return;
        }
        // A run of lanes side by side is one range.
        if let (Plan::Contig(off), Some((first, last))) = (plan, mask.lowest().zip(highest(mask)))
            && last - first + 1 == mask.count() as usize
        {
            let w = i64::from(width);
            obj.set_init_range((off + first as i64 * w) as u64, (last - first + 1) as u64 * w as u64, true);
            return;
        }
        for c in 0..MASK_WORDS {
            let (word @ 1.., Some(offs)) = (mask.0[c], chunk(offs, c)) else { continue };
            let mut rest = word;
            #[cfg(target_arch = "x86_64")]
            if AVX2 {
                // Mostly they are all set already.
                // SAFETY: active lanes are inside, and inactive ones have an active lane's offset.
                rest = unsafe { avx2::missing(obj.init, offs, (1 << width) - 1, word) };
            }
            while rest != 0 {
                let i = rest.trailing_zeros() as usize;
                rest &= rest - 1;
                // SAFETY: active lanes are inside.
                unsafe { set_bits(obj.init, offs[i] as usize, width) };
            }
        }
    }
}

impl Obj {
    /// Loads by a plan that [`plan`] made of the same object, mask and addresses just before. The lanes
    /// that read what was never written come back, if that is to be checked.
    pub(super) fn load_indexed(
        &self,
        at: &Indexed,
        plan: Plan,
        offs: &Offsets,
        out: &mut [u32],
        check: bool,
    ) -> Mask {
        dispatch(LoadKernel { obj: self, at: *at, plan, offs, out, check })
    }

    /// Stores by a plan that [`plan`] made of the same object, mask and addresses just before.
    pub(super) fn store_indexed(&self, at: &Indexed, plan: Plan, offs: &Offsets, values: Values) {
        dispatch(StoreKernel { obj: self, at: *at, plan, offs, values });
    }
}
