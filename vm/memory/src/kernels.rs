//! Indexed accesses of a strip to one object: move the values and the bits of initialisation, chunk by chunk, by
//! what [`cudair_lane::pattern`] found out about the addresses. Whatever it refuses, the slow path of
//! [`super::access`] looks at lane by lane.

#![allow(unsafe_code)]
#![allow(clippy::needless_range_loop, reason = "several arrays of a chunk are walked together")]
#![allow(clippy::cast_ptr_alignment, reason = "reads and writes through such pointers are unaligned ones")]

use super::raw::{Obj, init_word, load_le, set_bits, store_le};
#[cfg(target_arch = "x86_64")]
use cudair_lane::avx2;
use cudair_lane::pattern::{AddressPattern, ChunkPattern, Offsets, Surveyed, chunk, expand, index_chunk};
use cudair_lane::simd::{Kernel, dispatch};
use cudair_lane::{CHUNK, MASK_WORDS, Mask, Values};

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

/// Bytes whose bits of initialisation are looked at all together before lanes are: a vector register of them
/// is cheaper than what single lanes cost.
const AT_ONCE: u64 = 8192;

/// Whether all bytes of a range inside an object with a bitmap are initialised, and perhaps some around it: a
/// quick look, which may say no where the answer is yes.
#[inline(always)]
fn all_init(obj: &Obj, low: u64, end: u64) -> bool {
    if end - low > AT_ONCE {
        return false;
    }
    let (from, to) = (low as usize / 8, end.div_ceil(8) as usize);
    // SAFETY: the range is inside the object, its bits inside the bitmap.
    let bytes = unsafe { std::slice::from_raw_parts(obj.init.add(from), to - from) };
    let (words, rest) = bytes.as_chunks::<32>();
    let mut all = [0xff; 32];
    for w in words {
        for i in 0..32 {
            all[i] &= w[i];
        }
    }
    all == [0xff; 32] && rest.iter().fold(0xff, |a, &b| a & b) == 0xff
}

/// The lanes of `word` that miss a bit of initialisation, given where they are.
///
/// # Safety
/// The active lanes must be inside the object, which must have a bitmap.
#[inline(always)]
unsafe fn missing<const AVX2: bool>(obj: &Obj, lie: ChunkPattern, width: u8, word: u16) -> u16 {
    let all = (1u32 << width) - 1;
    let (first, step) = match lie {
        // SAFETY: the caller's promise.
        ChunkPattern::Uniform(off) => {
            let bits = unsafe { init_word(obj.init, off as usize) };
            return if bits & all == all { 0 } else { word };
        }
        ChunkPattern::Contiguous(off) => {
            let low = off as u64;
            if word == u16::MAX && all_init(obj, low, low + CHUNK as u64 * u64::from(width)) {
                return 0;
            }
            (off as u32, u32::from(width))
        }
        ChunkPattern::Gather(offs) => {
            #[cfg(target_arch = "x86_64")]
            if AVX2 {
                // SAFETY: the caller's promise; inactive lanes have an active lane's offset.
                return unsafe { avx2::missing(obj.init, offs, all, word) };
            }
            (0, 0)
        }
    };
    let mut missing = 0;
    let mut rest = word;
    while rest != 0 {
        let i = rest.trailing_zeros();
        rest &= rest - 1;
        let off = if let ChunkPattern::Gather(offs) = lie {
            offs[i as usize & (CHUNK - 1)]
        } else {
            first.wrapping_add(i * step)
        };
        // SAFETY: the caller's promise.
        let bits = unsafe { init_word(obj.init, off as usize) };
        missing |= u16::from(bits & all != all) << i;
    }
    missing
}

struct LoadKernel<'a> {
    obj: &'a Obj,
    mask: &'a Mask,
    at: &'a Surveyed<'a>,
    width: u8,
    out: &'a mut [u32],
    check: bool,
}

impl LoadKernel<'_> {
    /// Loads lanes side by side without gaps, whose words are as they lie in memory, as one. Whether it did.
    #[inline(always)]
    fn copy_run(&mut self) -> bool {
        let Surveyed { spot, low, end } = *self.at;
        let width = usize::from(self.width);
        let (AddressPattern::Contiguous(_), 4 | 8, Some(first)) = (spot, width, self.mask.lowest()) else {
            return false;
        };
        let n = (end - low) as usize;
        if n != self.mask.count() as usize * width {
            return false;
        }
        let Some(out) = self.out.get_mut(first * width / 4..).and_then(|o| o.get_mut(..n / 4)) else {
            return false;
        };
        // SAFETY: the survey says that the lanes are inside; guest memory and `out` do not overlap.
        unsafe {
            let from = self.obj.data.add(low as usize);
            if n == 1024 {
                // The usual size, without a call.
                let to = out.as_mut_ptr().cast::<[u8; 1024]>();
                to.write_unaligned(from.cast::<[u8; 1024]>().read_unaligned());
            } else {
                from.copy_to_nonoverlapping(out.as_mut_ptr().cast(), n);
            }
        }
        true
    }

    /// A quick look at the bits of initialisation of chunks side by side or at one place; no where there are
    /// others.
    #[inline(always)]
    fn lies_init(&self) -> bool {
        let all = (1u32 << self.width) - 1;
        (0..MASK_WORDS).all(|c| {
            let word = self.mask.0[c];
            word == 0
                || match self.at.spot.chunk(c, self.width.into()) {
                    // SAFETY: active lanes are inside.
                    ChunkPattern::Uniform(off) => unsafe {
                        init_word(self.obj.init, off as usize) & all == all
                    },
                    ChunkPattern::Contiguous(off) => {
                        word == u16::MAX
                            && all_init(
                                self.obj,
                                off as u64,
                                off as u64 + CHUNK as u64 * u64::from(self.width),
                            )
                    }
                    ChunkPattern::Gather(_) => false,
                }
        })
    }

    /// Loads words chunk by chunk, by the shortest way. Whether it did.
    #[inline(always)]
    fn words<const AVX2: bool>(&mut self) -> bool {
        let Some(highest) = self.mask.highest() else { return true };
        let (chunks, _) = self.out.as_chunks_mut::<CHUNK>();
        let Some(chunks) = chunks.get_mut(..highest / CHUNK + 1) else { return false };
        let data = self.obj.data;
        #[cfg(target_arch = "x86_64")]
        if AVX2
            && let AddressPattern::Chunks(pattern) = self.at.spot
            && let Some(firsts) = pattern.all_side(self.mask)
        {
            // SAFETY: as below.
            unsafe { avx2::load_sides(data, firsts, self.mask, chunks) };
            return true;
        }
        for (c, (out, &word)) in chunks.iter_mut().zip(&self.mask.0).enumerate() {
            if word == 0 {
                continue;
            }
            // SAFETY: the survey says that active lanes are inside; where lanes are side by side, inactive ones
            // are at most 15 words outside, where there is slack, and of a chunk apart they have an active
            // one's offset.
            let values = unsafe {
                match self.at.spot.chunk(c, 4) {
                    ChunkPattern::Contiguous(off) => {
                        data.offset(off as isize).cast::<[u32; CHUNK]>().read_unaligned()
                    }
                    ChunkPattern::Uniform(off) => {
                        [data.add(off as usize).cast::<u32>().read_unaligned(); CHUNK]
                    }
                    #[cfg(target_arch = "x86_64")]
                    ChunkPattern::Gather(offs) if AVX2 => avx2::gather(data, offs),
                    ChunkPattern::Gather(offs) => {
                        offs.map(|o| data.add(o as usize).cast::<u32>().read_unaligned())
                    }
                }
            };
            if word == u16::MAX {
                *out = values;
            } else {
                let active = expand(word);
                for i in 0..CHUNK {
                    out[i] = values[i] & active[i] | out[i] & !active[i];
                }
            }
        }
        true
    }

    /// # Safety
    /// Every lane of a full chunk, and some lane of another, must be inside the object.
    #[inline(always)]
    unsafe fn side_chunk(&mut self, off: i32, c: usize, word: u16) {
        // SAFETY: the chunk has a lane inside the object, so the others are at most 15 lanes of 8 bytes
        // outside, where there is slack.
        unsafe {
            let p = self.obj.data.offset(off as isize);
            match self.width {
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
    /// The offset must be inside the object.
    #[inline(always)]
    unsafe fn same_chunk(&mut self, off: u32, c: usize, word: u16) {
        // SAFETY: the caller's promise.
        let value = unsafe { load_le(self.obj.data.add(off as usize), self.width) };
        if self.width == 8 {
            blend_pairs(self.out, c, word, [value; CHUNK]);
        } else {
            blend(self.out, c, word, [value as u32; CHUNK]);
        }
    }

    /// # Safety
    /// All offsets must be inside the object.
    #[inline(always)]
    unsafe fn apart_chunk<const AVX2: bool>(&mut self, offs: &[u32; CHUNK], c: usize, word: u16) {
        let data = self.obj.data;
        // SAFETY: the caller's promise.
        unsafe {
            match self.width {
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
}

impl Kernel for LoadKernel<'_> {
    type Out = Mask;

    #[inline(always)]
    fn run<const AVX2: bool>(mut self) -> Mask {
        let Surveyed { spot, low, end } = *self.at;
        let (mask, width) = (self.mask, self.width);
        let whole = !self.check || !self.obj.has_bitmap() || all_init(self.obj, low, end);
        let whole = whole || matches!(spot, AddressPattern::Chunks(_)) && self.lies_init();
        let mut without = Mask::NONE;
        if self.copy_run() {
            if whole {
                return without;
            }
        } else if width == 4 && whole && self.words::<AVX2>() {
            return without;
        }
        for c in 0..MASK_WORDS {
            let word = mask.0[c];
            if word == 0 {
                continue;
            }
            let lie = spot.chunk(c, width.into());
            // SAFETY: the survey says that active lanes are inside; inactive ones of a chunk apart have an
            // active one's offset.
            unsafe {
                match lie {
                    ChunkPattern::Contiguous(off) => self.side_chunk(off, c, word),
                    ChunkPattern::Uniform(off) => self.same_chunk(off, c, word),
                    ChunkPattern::Gather(offs) => self.apart_chunk::<AVX2>(offs, c, word),
                }
                if !whole {
                    without.0[c] = missing::<AVX2>(self.obj, lie, width, word);
                }
            }
        }
        without
    }
}

struct StoreKernel<'a> {
    obj: &'a Obj,
    mask: &'a Mask,
    at: &'a Surveyed<'a>,
    width: u8,
    values: Values<'a>,
}

impl StoreKernel<'_> {
    /// A full chunk side by side.
    ///
    /// # Safety
    /// All its lanes must be inside the object. False where nothing was done.
    #[inline(always)]
    unsafe fn full_chunk(&self, off: i32, c: usize) -> bool {
        // SAFETY: the caller's promise.
        unsafe {
            let p = self.obj.data.offset(off as isize);
            match (self.values, self.width) {
                (Values::Uniform(bits), 4) => p.cast::<[u32; CHUNK]>().write_unaligned([bits as u32; CHUNK]),
                (Values::Lanes(w), 4) => match chunk(w, c) {
                    Some(v) => p.cast::<[u32; CHUNK]>().write_unaligned(*v),
                    None => return false,
                },
                (Values::Lanes(w), 1) => match chunk(w, c) {
                    Some(v) => p.cast::<[u8; CHUNK]>().write_unaligned(v.map(|x| x as u8)),
                    None => return false,
                },
                (Values::Lanes(w), 2) => match chunk(w, c) {
                    Some(v) => p.cast::<[u16; CHUNK]>().write_unaligned(v.map(|x| x as u16)),
                    None => return false,
                },
                (Values::Lanes(w), 8) => match w.get(2 * c * CHUNK..).and_then(|w| w.first_chunk()) {
                    Some(v) => p.cast::<[u32; 2 * CHUNK]>().write_unaligned(*v),
                    None => return false,
                },
                _ => return false,
            }
        }
        true
    }
}

impl Kernel for StoreKernel<'_> {
    type Out = ();

    #[inline(always)]
    fn run<const AVX2: bool>(self) {
        let StoreKernel { obj, mask, at: &Surveyed { spot, low, end }, width, values } = self;
        if let (AddressPattern::Contiguous(_), Values::Lanes(words), 4 | 8) = (spot, values, width) {
            // Lanes side by side without gaps, whose words are as they lie in memory, are stored as one.
            let w = usize::from(width);
            let n = (end - low) as usize;
            let first = mask.lowest().unwrap_or(0) * w / 4;
            if n == mask.count() as usize * w
                && let Some(words) = words.get(first..).and_then(|v| v.get(..n / 4))
            {
                // SAFETY: the survey says that the lanes are inside; guest memory and `words` do not overlap.
                unsafe { obj.data.add(low as usize).copy_from_nonoverlapping(words.as_ptr().cast(), n) };
                if obj.has_bitmap() {
                    obj.set_init_range(low, n as u64, true);
                }
                return;
            }
        }
        for c in 0..MASK_WORDS {
            let word = mask.0[c];
            if word == 0 {
                continue;
            }
            let lie = spot.chunk(c, width.into());
            macro_rules! store {
                ($i:expr, $off:expr) => {{
                    let bits = values.lane(c * CHUNK + $i, width) as u64;
                    // SAFETY: the survey says that active lanes are inside.
                    unsafe { store_le(obj.data.add($off as usize), width, bits) };
                }};
            }
            let mut rest = word;
            match lie {
                // In lane order, so the last lane's value stays.
                ChunkPattern::Uniform(off) => store!(15 - word.leading_zeros() as usize, off),
                ChunkPattern::Contiguous(off) => {
                    // SAFETY: the active lanes are inside the object, so a full chunk is.
                    if word != u16::MAX || !unsafe { self.full_chunk(off, c) } {
                        #[cfg(target_arch = "x86_64")]
                        if AVX2
                            && width == 4
                            && let Values::Lanes(w) = values
                            && let Some(v) = chunk(w, c)
                        {
                            // SAFETY: active lanes are inside.
                            unsafe { avx2::masked_store(obj.data.wrapping_offset(off as isize), v, word) };
                            continue;
                        }
                        while rest != 0 {
                            let i = rest.trailing_zeros();
                            rest &= rest - 1;
                            store!(i as usize, (off as u32).wrapping_add(i * u32::from(width)));
                        }
                    }
                }
                ChunkPattern::Gather(offs) => {
                    if let (Values::Lanes(w), 4) = (values, width)
                        && let Some(v) = chunk(w, c)
                    {
                        if word == u16::MAX {
                            for i in 0..CHUNK {
                                // SAFETY: active lanes are inside.
                                unsafe {
                                    obj.data.add(offs[i] as usize).cast::<u32>().write_unaligned(v[i]);
                                }
                            }
                            continue;
                        }
                        while rest != 0 {
                            let i = rest.trailing_zeros() as usize & (CHUNK - 1);
                            rest &= rest - 1;
                            // SAFETY: active lanes are inside.
                            unsafe { obj.data.add(offs[i] as usize).cast::<u32>().write_unaligned(v[i]) };
                        }
                        continue;
                    }
                    while rest != 0 {
                        let i = rest.trailing_zeros() as usize & (CHUNK - 1);
                        rest &= rest - 1;
                        store!(i, offs[i]);
                    }
                }
            }
        }
        // Mostly they are initialised already.
        if !obj.has_bitmap() || all_init(obj, low, end) {
            return;
        }
        if matches!(spot, AddressPattern::Contiguous(_))
            && end - low == u64::from(mask.count()) * u64::from(width)
        {
            obj.set_init_range(low, end - low, true);
            return;
        }
        for c in 0..MASK_WORDS {
            let word = mask.0[c];
            if word == 0 {
                continue;
            }
            let lie = spot.chunk(c, width.into());
            if let (ChunkPattern::Contiguous(off), u16::MAX) = (lie, word) {
                obj.set_init_range(off as u64, CHUNK as u64 * u64::from(width), true);
                continue;
            }
            // SAFETY: active lanes are inside.
            let mut rest = unsafe { missing::<AVX2>(obj, lie, width, word) };
            while rest != 0 {
                let i = rest.trailing_zeros();
                rest &= rest - 1;
                let off = match lie {
                    ChunkPattern::Uniform(off) => off,
                    ChunkPattern::Contiguous(off) => (off as u32).wrapping_add(i * u32::from(width)),
                    ChunkPattern::Gather(offs) => offs[i as usize & (CHUNK - 1)],
                };
                // SAFETY: active lanes are inside.
                unsafe { set_bits(obj.init, off as usize, width) };
            }
        }
    }
}

struct UpdateKernel<'a, F> {
    obj: &'a Obj,
    mask: &'a Mask,
    spot: AddressPattern<'a>,
    values: Values<'a>,
    out: &'a mut [u32],
    new: F,
}

impl<F: Fn(usize, u32, u32) -> u32> Kernel for UpdateKernel<'_, F> {
    type Out = ();

    #[inline(always)]
    fn run<const AVX2: bool>(self) {
        let uniform = match self.values {
            Values::Uniform(bits) => [bits as u32; CHUNK],
            Values::Lanes(_) => [0; CHUNK],
        };
        for c in 0..MASK_WORDS {
            let mut rest = self.mask.0[c];
            if rest == 0 {
                continue;
            }
            let offs: [u32; CHUNK] = match self.spot.chunk(c, 4) {
                ChunkPattern::Contiguous(off) => {
                    std::array::from_fn(|i| (off as u32).wrapping_add(4 * i as u32))
                }
                ChunkPattern::Uniform(off) => [off; CHUNK],
                ChunkPattern::Gather(offs) => *offs,
            };
            let values = match self.values {
                Values::Lanes(words) => index_chunk(words, c),
                Values::Uniform(_) => uniform,
            };
            let mut old = [0; CHUNK];
            while rest != 0 {
                let i = rest.trailing_zeros() as usize & (CHUNK - 1);
                rest &= rest - 1;
                // SAFETY: the survey says that active lanes are inside.
                unsafe {
                    let p = self.obj.data.add(offs[i] as usize).cast::<u32>();
                    old[i] = p.read_unaligned();
                    p.write_unaligned((self.new)(c * CHUNK + i, old[i], values[i]));
                }
            }
            if !self.out.is_empty() {
                blend(self.out, c, self.mask.0[c], old);
            }
        }
    }
}

impl Obj {
    /// Whether all bytes of a range inside it are known to be initialised.
    #[inline]
    pub(super) fn is_init(&self, (low, end): (u64, u64)) -> bool {
        !self.has_bitmap() || all_init(self, low, end)
    }

    /// Gives the words where a survey of the same object found the lanes of `mask` just before new values, in lane
    /// order, made of the lane, the old word and the lane's value; those before go to `out`, unless that is empty. The
    /// words must be initialised.
    pub(super) fn update_words(
        &self,
        mask: &Mask,
        spot: AddressPattern,
        values: Values,
        out: &mut [u32],
        new: impl Fn(usize, u32, u32) -> u32,
    ) {
        dispatch(UpdateKernel { obj: self, mask, spot, values, out, new });
    }

    /// Loads from where a survey of the same object found the lanes of `mask` just before. The lanes that read
    /// what was never written come back, if that is to be checked.
    pub(super) fn load_at(
        &self,
        mask: &Mask,
        at: &Surveyed,
        width: u8,
        out: &mut [u32],
        check: bool,
    ) -> Mask {
        dispatch(LoadKernel { obj: self, mask, at, width, out, check })
    }

    /// Stores to where a survey of the same object found the lanes of `mask` just before.
    pub(super) fn store_at(&self, mask: &Mask, at: &Surveyed, width: u8, values: Values) {
        dispatch(StoreKernel { obj: self, mask, at, width, values });
    }
}
