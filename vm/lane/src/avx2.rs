//! The inner steps of kernels in AVX2, where the compiler's own vectors were measured to be slower. Each has a
//! plain twin where it is called, which says what it does; both are tested against each other.

#![allow(unsafe_code)]
#![allow(
    clippy::missing_safety_doc,
    reason = "each needs a machine with AVX2, and is called from kernels that run with it"
)]
#![allow(clippy::cast_ptr_alignment, reason = "all loads and stores here are unaligned ones")]
#![allow(clippy::inline_always, reason = "these are parts of a loop's body")]

use super::mask::{CHUNK, MASK_WORDS, Mask};
use super::pattern::{Chunks, Ends, Offsets, Pass, chunk, index_chunk};
use std::arch::x86_64::*;

/// A chunk of lanes: two vectors of eight.
type Pair = [__m256i; 2];

#[inline]
#[target_feature(enable = "avx2")]
fn load(words: &[u32; CHUNK]) -> Pair {
    // SAFETY: 16 words are there.
    unsafe {
        let p = words.as_ptr();
        [_mm256_loadu_si256(p.cast()), _mm256_loadu_si256(p.add(8).cast())]
    }
}

#[inline]
#[target_feature(enable = "avx2")]
fn store(words: &mut [u32; CHUNK], v: Pair) {
    // SAFETY: 16 words are there.
    unsafe {
        let p = words.as_mut_ptr();
        _mm256_storeu_si256(p.cast(), v[0]);
        _mm256_storeu_si256(p.add(8).cast(), v[1]);
    }
}

#[inline]
#[target_feature(enable = "avx2")]
fn splat(v: u32) -> __m256i {
    _mm256_set1_epi32(v as i32)
}

/// Ones in the lanes of a mask word.
#[inline]
#[target_feature(enable = "avx2")]
fn expand(word: u16) -> Pair {
    let w = splat(u32::from(word));
    let low = _mm256_setr_epi32(1, 2, 4, 8, 16, 32, 64, 128);
    let high = _mm256_slli_epi32::<8>(low);
    [_mm256_cmpeq_epi32(_mm256_and_si256(w, low), low), _mm256_cmpeq_epi32(_mm256_and_si256(w, high), high)]
}

/// A bit per lane whose word is all ones.
#[inline]
#[target_feature(enable = "avx2")]
fn bits(v: Pair) -> u16 {
    let a = _mm256_movemask_ps(_mm256_castsi256_ps(v[0])) as u32;
    let b = _mm256_movemask_ps(_mm256_castsi256_ps(v[1])) as u32;
    (a | b << 8) as u16
}

#[inline]
#[target_feature(enable = "avx2")]
fn iota() -> Pair {
    let low = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
    [low, _mm256_add_epi32(low, splat(8))]
}

#[inline]
#[target_feature(enable = "avx2")]
fn fold(v: __m256i, f: fn(u32, u32) -> u32) -> u32 {
    let mut words = [0u32; 8];
    // SAFETY: eight words are there.
    unsafe { _mm256_storeu_si256(words.as_mut_ptr().cast(), v) };
    let [first, rest @ ..] = words;
    rest.into_iter().fold(first, f)
}

/// See [`super::pattern`]. Lanes `first` and `highest` are the lowest and the highest active ones.
#[inline]
#[target_feature(enable = "avx2")]
pub(crate) fn is_run(p: &Pass, first: usize, highest: usize) -> bool {
    let origin = splat(p.start.wrapping_sub((first as u32).wrapping_mul(p.unit)));
    let [a, _] = iota();
    let mut want = _mm256_add_epi32(origin, _mm256_mullo_epi32(a, splat(p.unit)));
    let half = splat(p.unit.wrapping_mul(8));
    let mut differ = _mm256_setzero_si256();
    // Mostly it is seen at once, in the first chunk.
    let chunks = highest / CHUNK + 1;
    let Some(words) = p.index.get(..chunks * CHUNK) else { return super::pattern::is_run(p) };
    for (idx, &word) in words.as_chunks::<CHUNK>().0.iter().zip(&p.mask.0) {
        let [mut v, mut w] = load(idx);
        v = _mm256_xor_si256(v, want);
        want = _mm256_add_epi32(want, half);
        w = _mm256_xor_si256(w, want);
        want = _mm256_add_epi32(want, half);
        if word != u16::MAX {
            let [on, also_on] = expand(word);
            v = _mm256_and_si256(v, on);
            w = _mm256_and_si256(w, also_on);
        }
        differ = _mm256_or_si256(differ, _mm256_or_si256(v, w));
        if _mm256_testz_si256(differ, differ) == 0 {
            return false;
        }
    }
    true
}

/// See [`super::pattern`].
#[inline]
#[target_feature(enable = "avx2")]
pub(crate) fn is_moved(index: &[u32], first: u32, relative: &Offsets, mask: &Mask) -> bool {
    let start = splat(first);
    let mut differ = _mm256_setzero_si256();
    let (chunks, _) = index.as_chunks::<CHUNK>();
    if mask.0.iter().skip(chunks.len()).any(|&word| word != 0) {
        return super::pattern::is_moved(index, first, relative, mask);
    }
    for ((index, relative), &word) in chunks.iter().zip(relative.as_chunks::<CHUNK>().0).zip(&mask.0) {
        let ([v, w], [a, b]) = (load(index), load(relative));
        let mut v = _mm256_xor_si256(_mm256_sub_epi32(v, start), a);
        let mut w = _mm256_xor_si256(_mm256_sub_epi32(w, start), b);
        if word != u16::MAX {
            let [on, also_on] = expand(word);
            v = _mm256_and_si256(v, on);
            w = _mm256_and_si256(w, also_on);
        }
        differ = _mm256_or_si256(differ, _mm256_or_si256(v, w));
    }
    _mm256_testz_si256(differ, differ) != 0
}

/// See [`super::pattern`].
#[inline]
#[target_feature(enable = "avx2")]
pub(crate) fn by_chunk(p: &Pass, out: Chunks) -> Ends {
    let start = splat(p.start);
    let (mut min, mut max, mut low) = (start, start, _mm256_setzero_si256());
    let [a, b] = iota();
    let steps = [_mm256_mullo_epi32(a, splat(p.unit)), _mm256_mullo_epi32(b, splat(p.unit))];
    let (scale, base) = (splat(p.scale), splat(p.base));
    let (mut sames, mut sides) = (0u32, 0u32);
    for c in 0..MASK_WORDS {
        let word = p.mask.0[c];
        if word == 0 {
            continue;
        }
        let copy;
        let idx = match chunk(p.index, c) {
            Some(full) => full,
            None => {
                copy = index_chunk(p.index, c);
                &copy
            }
        };
        let [mut v, mut w] = load(idx);
        let lane = word.trailing_zeros() & 15;
        let first = idx[lane as usize];
        let (f, from) = (splat(first), first.wrapping_sub(p.unit.wrapping_mul(lane)));
        let from_v = splat(from);
        let mut off_unit = [
            _mm256_xor_si256(v, _mm256_add_epi32(from_v, steps[0])),
            _mm256_xor_si256(w, _mm256_add_epi32(from_v, steps[1])),
        ];
        if word != u16::MAX {
            let [on, also_on] = expand(word);
            v = _mm256_blendv_epi8(f, v, on);
            w = _mm256_blendv_epi8(f, w, also_on);
            off_unit = [_mm256_and_si256(off_unit[0], on), _mm256_and_si256(off_unit[1], also_on)];
        }
        let differ = _mm256_or_si256(_mm256_xor_si256(v, f), _mm256_xor_si256(w, f));
        let off_unit = _mm256_or_si256(off_unit[0], off_unit[1]);
        min = _mm256_min_epi32(min, _mm256_min_epi32(v, w));
        max = _mm256_max_epi32(max, _mm256_max_epi32(v, w));
        let same = _mm256_testz_si256(differ, differ) as u32;
        let side = _mm256_testz_si256(off_unit, off_unit) as u32;
        sames |= same << c;
        sides |= side << c;
        let at = if same != 0 { first } else { from };
        out.first[c] = at.wrapping_mul(p.scale).wrapping_add(p.base);
        if p.exact || same | side == 0 {
            let v = _mm256_add_epi32(_mm256_mullo_epi32(v, scale), base);
            let w = _mm256_add_epi32(_mm256_mullo_epi32(w, scale), base);
            low = _mm256_or_si256(low, _mm256_or_si256(v, w));
            if let Some(offs) = out.offs[c * CHUNK..].first_chunk_mut() {
                store(offs, [v, w]);
            }
        }
    }
    (*out.same, *out.side) = (sames as u16, sides as u16);
    Ends {
        min: fold(min, |a, b| (a as i32).min(b as i32) as u32) as i32,
        max: fold(max, |a, b| (a as i32).max(b as i32) as u32) as i32,
        low: fold(low, |a, b| a | b),
    }
}

/// The low and the high words of 16 pairs.
#[inline]
#[target_feature(enable = "avx2")]
pub fn split(words: &[u32; 2 * CHUNK]) -> ([u32; CHUNK], [u32; CHUNK]) {
    let (mut low, mut high) = ([0; CHUNK], [0; CHUNK]);
    for i in 0..2 {
        // SAFETY: 32 words are read, 16 written to each.
        unsafe {
            let p = words.as_ptr().add(16 * i);
            let a = _mm256_castsi256_ps(_mm256_loadu_si256(p.cast()));
            let b = _mm256_castsi256_ps(_mm256_loadu_si256(p.add(8).cast()));
            let lo = _mm256_castps_si256(_mm256_shuffle_ps::<0x88>(a, b));
            let hi = _mm256_castps_si256(_mm256_shuffle_ps::<0xdd>(a, b));
            let order = |v| _mm256_permute4x64_epi64::<0xd8>(v);
            _mm256_storeu_si256(low.as_mut_ptr().add(8 * i).cast(), order(lo));
            _mm256_storeu_si256(high.as_mut_ptr().add(8 * i).cast(), order(hi));
        }
    }
    (low, high)
}

/// The words at 16 offsets.
///
/// # Safety
/// Four bytes at each offset must be readable, and offsets less than 2^31.
#[inline]
#[target_feature(enable = "avx2")]
pub unsafe fn gather(data: *const u8, offs: &[u32; CHUNK]) -> [u32; CHUNK] {
    let mut out = [0; CHUNK];
    // SAFETY: the caller's promise.
    unsafe {
        let [a, b] = load(offs);
        let a = _mm256_i32gather_epi32::<1>(data.cast(), a);
        store(&mut out, [a, _mm256_i32gather_epi32::<1>(data.cast(), b)]);
    }
    out
}

/// Loads the active lanes of chunks whose lanes are side by side, each from its offset on.
///
/// # Safety
/// 16 words from each offset on, which is signed, must be readable.
#[inline]
#[target_feature(enable = "avx2")]
pub unsafe fn load_sides(data: *const u8, offs: &[u32; MASK_WORDS], mask: &Mask, out: &mut [[u32; CHUNK]]) {
    for ((out, &off), &word) in out.iter_mut().zip(offs).zip(&mask.0) {
        if word == 0 {
            continue;
        }
        // SAFETY: the caller's promise.
        let [v, w] = unsafe {
            let p = data.offset(off as i32 as isize);
            [_mm256_loadu_si256(p.cast()), _mm256_loadu_si256(p.add(32).cast())]
        };
        if word == u16::MAX {
            store(out, [v, w]);
        } else {
            let ([a, b], [on, also_on]) = (load(out), expand(word));
            store(out, [_mm256_blendv_epi8(a, v, on), _mm256_blendv_epi8(b, w, also_on)]);
        }
    }
}

/// The lanes of `word` that miss one of the bits `all` at their offset in a bitmap.
///
/// # Safety
/// The bitmap must cover the offsets, with four readable bytes at each; offsets less than 2^31.
#[inline]
#[target_feature(enable = "avx2")]
pub unsafe fn missing(init: *const u8, offs: &[u32; CHUNK], all: u32, word: u16) -> u16 {
    let (all, seven) = (splat(all), splat(7));
    let mut whole = load(offs);
    for o in &mut whole {
        // SAFETY: the caller's promise.
        let w = unsafe { _mm256_i32gather_epi32::<1>(init.cast(), _mm256_srli_epi32::<3>(*o)) };
        let w = _mm256_and_si256(_mm256_srlv_epi32(w, _mm256_and_si256(*o, seven)), all);
        *o = _mm256_cmpeq_epi32(w, all);
    }
    !bits(whole) & word
}

/// Stores the words of the lanes of `word` side by side.
///
/// # Safety
/// The words of these lanes at `p` must be writable.
#[inline]
#[target_feature(enable = "avx2")]
pub unsafe fn masked_store(p: *mut u8, values: &[u32; CHUNK], word: u16) {
    let [v, w] = load(values);
    let [on, also_on] = expand(word);
    // SAFETY: the caller's promise; other words are not touched.
    unsafe {
        _mm256_maskstore_epi32(p.cast(), on, v);
        _mm256_maskstore_epi32(p.cast::<i32>().wrapping_add(8), also_on, w);
    }
}

/// Whether words step by `step`.
#[inline]
#[target_feature(enable = "avx2")]
pub fn steps(words: &[u32; CHUNK], step: u32) -> bool {
    let ([v, w], [a, b]) = (load(words), iota());
    let (start, step) = (splat(words[0]), splat(step));
    let differ = _mm256_or_si256(
        _mm256_xor_si256(v, _mm256_add_epi32(start, _mm256_mullo_epi32(a, step))),
        _mm256_xor_si256(w, _mm256_add_epi32(start, _mm256_mullo_epi32(b, step))),
    );
    _mm256_testz_si256(differ, differ) != 0
}

/// The halves nearest to singles, of two the even one (`vcvtps2ph`).
#[inline]
#[target_feature(enable = "avx2,f16c")]
pub fn halves(singles: &[u32; CHUNK]) -> [u32; CHUNK] {
    let narrow = |v: __m256i| {
        let eight = _mm256_cvtps_ph::<_MM_FROUND_TO_NEAREST_INT>(_mm256_castsi256_ps(v));
        _mm256_cvtepu16_epi32(eight)
    };
    let [v, w] = load(singles);
    let mut out = [0; CHUNK];
    store(&mut out, [narrow(v), narrow(w)]);
    out
}

/// The singles that have halves' values (`vcvtph2ps`).
#[inline]
#[target_feature(enable = "avx2,f16c")]
pub fn singles(halves: &[u32; CHUNK]) -> [u32; CHUNK] {
    let low = splat(0xffff);
    let widen = |v: __m256i| {
        let v = _mm256_and_si256(v, low);
        let eight = _mm_packus_epi32(_mm256_castsi256_si128(v), _mm256_extracti128_si256::<1>(v));
        _mm256_castps_si256(_mm256_cvtph_ps(eight))
    };
    let [v, w] = load(halves);
    let mut out = [0; CHUNK];
    store(&mut out, [widen(v), widen(w)]);
    out
}

/// `a * b + c` of halves that were widened, in one instruction, if a second rounding, to halves, is right in all lanes. It can be wrong
/// only where the first one gave what lies in the middle of two halves; there are none then, nor where a result is no number.
#[inline]
#[target_feature(enable = "avx2,fma")]
pub fn fused_singles([a, b, c]: &[[u32; CHUNK]; 3]) -> Option<[u32; CHUNK]> {
    /// The bits of a single that a half does not have, and of them those in the middle of two.
    const REST: u32 = 0x1fff;
    const MIDDLE: u32 = 0x1000;
    /// The bits of the least normal half. Below it the middle lies elsewhere.
    const LEAST_NORMAL: u32 = 113 << 23;
    let eight = |a, b, c| {
        let [a, b, c] = [a, b, c].map(|v| _mm256_castsi256_ps(v));
        let sum = _mm256_fmadd_ps(a, b, c);
        let bits = _mm256_castps_si256(sum);
        let size = _mm256_castsi256_ps(_mm256_and_si256(bits, splat(i32::MAX as u32)));
        let small = _mm256_cmp_ps::<_CMP_NGE_UQ>(size, _mm256_castsi256_ps(splat(LEAST_NORMAL)));
        let is_zero = _mm256_cmp_ps::<_CMP_EQ_OQ>(sum, _mm256_setzero_ps());
        let small = _mm256_castps_si256(_mm256_andnot_ps(is_zero, small));
        let middle = _mm256_cmpeq_epi32(_mm256_and_si256(bits, splat(REST)), splat(MIDDLE));
        (bits, _mm256_or_si256(small, middle))
    };
    let ([a, also_a], [b, also_b], [c, also_c]) = (load(a), load(b), load(c));
    let ((v, unsure), (w, also_unsure)) = (eight(a, b, c), eight(also_a, also_b, also_c));
    let unsure = _mm256_or_si256(unsure, also_unsure);
    let mut out = [0; CHUNK];
    store(&mut out, [v, w]);
    (_mm256_testz_si256(unsure, unsure) != 0).then_some(out)
}

/// Epochs in the cells of a race detector: see the crate `race`.
pub struct Sweep {
    first: __m256i,
    several: __m256i,
    not_atomic: __m256i,
    conflict: __m256i,
}

impl Sweep {
    /// Epochs from `first` on are of this interval; `several` and `atomic` are their flags.
    #[inline]
    #[target_feature(enable = "avx2")]
    pub fn new(first: u32, several: u32, atomic: u32) -> Sweep {
        Sweep {
            first: splat(first),
            several: splat(first | several),
            not_atomic: splat(!atomic),
            conflict: _mm256_setzero_si256(),
        }
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    fn old(&self, v: __m256i) -> __m256i {
        // Epochs have 31 bits.
        _mm256_cmpgt_epi32(self.first, v)
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    fn fine(&self, v: __m256i, me: __m256i) -> __m256i {
        let mine = _mm256_cmpeq_epi32(_mm256_and_si256(v, self.not_atomic), me);
        _mm256_or_si256(self.old(v), mine)
    }

    /// The next cells, eight at a time; the `n`-th belongs to thread `me0 + (n >> PER_LANE)`. Cells whose
    /// lane is not in `word` stay.
    #[inline]
    #[target_feature(enable = "avx2")]
    pub fn cells<const PER_LANE: i32>(
        &mut self,
        write: &mut [u32],
        read: &mut [u32],
        me0: u32,
        word: u16,
        reads: bool,
    ) {
        let active = expand(word);
        let mut act = [0u32; CHUNK];
        if PER_LANE != 0 {
            store(&mut act, active);
        }
        let lanes = iota()[0];
        let eights = (write.len() / 8).min(read.len() / 8);
        for n in 0..eights {
            let (w, r) = (&mut write[8 * n..][..8], &mut read[8 * n..][..8]);
            let lane = _mm256_srli_epi32::<PER_LANE>(_mm256_add_epi32(lanes, splat(8 * n as u32)));
            let me = _mm256_add_epi32(splat(me0), lane);
            // SAFETY: eight words each; lanes are below 16.
            unsafe {
                let on = if PER_LANE == 0 {
                    active[n & 1]
                } else {
                    _mm256_i32gather_epi32::<4>(act.as_ptr().cast(), lane)
                };
                let (wv, rv) = (_mm256_loadu_si256(w.as_ptr().cast()), _mm256_loadu_si256(r.as_ptr().cast()));
                let mut fine = self.fine(wv, me);
                if reads {
                    let alone = _mm256_or_si256(self.old(rv), _mm256_cmpeq_epi32(rv, me));
                    let next = _mm256_blendv_epi8(self.several, me, alone);
                    let next = _mm256_blendv_epi8(rv, next, on);
                    _mm256_storeu_si256(r.as_mut_ptr().cast(), next);
                } else {
                    fine = _mm256_and_si256(fine, self.fine(rv, me));
                    _mm256_storeu_si256(w.as_mut_ptr().cast(), _mm256_blendv_epi8(wv, me, on));
                }
                self.conflict = _mm256_or_si256(self.conflict, _mm256_andnot_si256(fine, on));
            }
        }
    }

    /// Every `1 << STEP`-th cell, from the first on, belongs to one of 16 threads in a row. Cells whose thread is
    /// not in `word`, and those between, stay.
    #[inline]
    #[target_feature(enable = "avx2")]
    pub fn strided<const STEP: i32>(
        &mut self,
        write: &mut [u32],
        read: &mut [u32],
        me0: u32,
        word: u16,
        reads: bool,
    ) {
        let cells = iota()[0];
        let mine =
            _mm256_cmpeq_epi32(_mm256_and_si256(cells, splat((1 << STEP) - 1)), _mm256_setzero_si256());
        let one = splat(1);
        let (w, _) = write.as_chunks_mut::<8>();
        let (r, _) = read.as_chunks_mut::<8>();
        for (n, (w, r)) in w.iter_mut().zip(r).enumerate() {
            let lane = _mm256_srli_epi32::<STEP>(_mm256_add_epi32(cells, splat(8 * n as u32)));
            let me = _mm256_add_epi32(splat(me0), lane);
            let bit = _mm256_and_si256(_mm256_srlv_epi32(splat(word.into()), lane), one);
            let on = _mm256_and_si256(_mm256_cmpeq_epi32(bit, one), mine);
            // SAFETY: eight words each.
            unsafe {
                let wv = _mm256_loadu_si256(w.as_ptr().cast());
                let rv = _mm256_loadu_si256(r.as_ptr().cast());
                let mut fine = self.fine(wv, me);
                if reads {
                    let alone = _mm256_or_si256(self.old(rv), _mm256_cmpeq_epi32(rv, me));
                    let next = _mm256_blendv_epi8(self.several, me, alone);
                    _mm256_storeu_si256(r.as_mut_ptr().cast(), _mm256_blendv_epi8(rv, next, on));
                } else {
                    fine = _mm256_and_si256(fine, self.fine(rv, me));
                    _mm256_storeu_si256(w.as_mut_ptr().cast(), _mm256_blendv_epi8(wv, me, on));
                }
                self.conflict = _mm256_or_si256(self.conflict, _mm256_andnot_si256(fine, on));
            }
        }
    }

    /// A cell for each of threads in a row, all of which access it; at most as many as a multiple of eight.
    #[inline]
    #[target_feature(enable = "avx2")]
    pub fn run(&mut self, write: &mut [u32], read: &mut [u32], me0: u32, reads: bool) {
        let mut me = _mm256_add_epi32(splat(me0), iota()[0]);
        let eight = splat(8);
        let (w, _) = write.as_chunks_mut::<8>();
        let (r, _) = read.as_chunks_mut::<8>();
        for (w, r) in w.iter_mut().zip(r) {
            // SAFETY: eight words each.
            unsafe {
                let wv = _mm256_loadu_si256(w.as_ptr().cast());
                let rv = _mm256_loadu_si256(r.as_ptr().cast());
                let mut fine = self.fine(wv, me);
                if reads {
                    let alone = _mm256_or_si256(self.old(rv), _mm256_cmpeq_epi32(rv, me));
                    let next = _mm256_blendv_epi8(self.several, me, alone);
                    _mm256_storeu_si256(r.as_mut_ptr().cast(), next);
                } else {
                    fine = _mm256_and_si256(fine, self.fine(rv, me));
                    _mm256_storeu_si256(w.as_mut_ptr().cast(), me);
                }
                self.conflict = _mm256_or_si256(self.conflict, _mm256_xor_si256(fine, _mm256_set1_epi32(-1)));
            }
            me = _mm256_add_epi32(me, eight);
        }
    }

    /// Whether there was a conflict.
    #[inline]
    #[target_feature(enable = "avx2")]
    pub fn end(&self) -> bool {
        _mm256_testz_si256(self.conflict, self.conflict) == 0
    }
}
