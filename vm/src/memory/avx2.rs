//! The inner steps of kernels in AVX2, where the compiler's own vectors were measured to be slower. Each has a
//! plain twin where it is called, which says what it does; both are tested against each other.

#![allow(unsafe_code)]
#![allow(clippy::cast_ptr_alignment, reason = "all loads and stores here are unaligned ones")]
#![allow(clippy::inline_always, reason = "these are parts of a loop's body")]

use super::mask::CHUNK;
use crate::race::cells::Bases;
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
    [low, high].map(|bits| _mm256_cmpeq_epi32(_mm256_and_si256(w, bits), bits))
}

/// A bit per lane whose word is all ones.
#[inline]
#[target_feature(enable = "avx2")]
fn bits(v: Pair) -> u16 {
    let [a, b] = v.map(|v| _mm256_movemask_ps(_mm256_castsi256_ps(v)) as u32);
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
    words.into_iter().reduce(f).unwrap_or(0)
}

/// What the pass over indices collects: see `PlanKernel`.
pub(super) struct Survey {
    min: __m256i,
    max: __m256i,
    not_unit: __m256i,
    low: __m256i,
    start: __m256i,
    unit: __m256i,
    scale: __m256i,
    base: __m256i,
}

impl Survey {
    #[inline]
    #[target_feature(enable = "avx2")]
    pub(super) fn new(start: u32, unit_start: u32, scale: u32, base: u32) -> Survey {
        let zero = _mm256_setzero_si256();
        let start = splat(start);
        Survey {
            min: start,
            max: start,
            not_unit: zero,
            low: zero,
            start,
            unit: splat(unit_start),
            scale: splat(scale),
            base: splat(base),
        }
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    pub(super) fn chunk(&mut self, index: &[u32; CHUNK], word: u16, lane0: u32, offs: &mut [u32; CHUNK]) {
        let mut idx = load(index);
        let lanes = iota();
        let active = if word == u16::MAX { [_mm256_set1_epi32(-1); 2] } else { expand(word) };
        let unit = _mm256_add_epi32(self.unit, splat(lane0));
        let mut out = idx;
        for i in 0..2 {
            let differ = _mm256_xor_si256(idx[i], _mm256_add_epi32(unit, lanes[i]));
            self.not_unit = _mm256_or_si256(self.not_unit, _mm256_and_si256(differ, active[i]));
            idx[i] = _mm256_blendv_epi8(self.start, idx[i], active[i]);
            self.min = _mm256_min_epi32(self.min, idx[i]);
            self.max = _mm256_max_epi32(self.max, idx[i]);
            out[i] = _mm256_add_epi32(_mm256_mullo_epi32(idx[i], self.scale), self.base);
            self.low = _mm256_or_si256(self.low, out[i]);
        }
        store(offs, out);
    }

    /// Least and greatest index, what differs from lanes side by side, and all offsets or-ed.
    #[inline]
    #[target_feature(enable = "avx2")]
    pub(super) fn end(&self) -> (i32, i32, u32, u32) {
        (
            fold(self.min, |a, b| (a as i32).min(b as i32) as u32) as i32,
            fold(self.max, |a, b| (a as i32).max(b as i32) as u32) as i32,
            fold(self.not_unit, |a, b| a | b),
            fold(self.low, |a, b| a | b),
        )
    }
}

/// The low and the high words of 16 pairs.
#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn split(words: &[u32; 2 * CHUNK]) -> ([u32; CHUNK], [u32; CHUNK]) {
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
pub(super) unsafe fn gather(data: *const u8, offs: &[u32; CHUNK]) -> [u32; CHUNK] {
    let mut out = [0; CHUNK];
    // SAFETY: the caller's promise.
    let v = load(offs).map(|o| unsafe { _mm256_i32gather_epi32::<1>(data.cast(), o) });
    store(&mut out, v);
    out
}

/// The lanes of `word` that miss one of the bits `all` at their offset in a bitmap.
///
/// # Safety
/// The bitmap must cover the offsets, with four readable bytes at each; offsets less than 2^31.
#[inline]
#[target_feature(enable = "avx2")]
pub(super) unsafe fn missing(init: *const u8, offs: &[u32; CHUNK], all: u32, word: u16) -> u16 {
    let (all, seven) = (splat(all), splat(7));
    let whole = load(offs).map(|o| {
        // SAFETY: the caller's promise.
        let w = unsafe { _mm256_i32gather_epi32::<1>(init.cast(), _mm256_srli_epi32::<3>(o)) };
        let w = _mm256_and_si256(_mm256_srlv_epi32(w, _mm256_and_si256(o, seven)), all);
        _mm256_cmpeq_epi32(w, all)
    });
    !bits(whole) & word
}

/// Whether words step by `step`, lanes outside `word` aside.
#[inline]
#[target_feature(enable = "avx2")]
pub(crate) fn steps(words: &[u32; CHUNK], step: u32, word: u16) -> bool {
    let first = word.trailing_zeros() & 15;
    let start = splat(words[first as usize].wrapping_sub(first.wrapping_mul(step)));
    let (v, lanes) = (load(words), iota());
    let same = [0, 1].map(|i| {
        _mm256_cmpeq_epi32(v[i], _mm256_add_epi32(start, _mm256_mullo_epi32(lanes[i], splat(step))))
    });
    !bits(same) & word == 0
}

/// Stamps in the cells of a race detector: see [`crate::race::cells`].
pub(crate) struct Sweep {
    first: __m256i,
    several: __m256i,
    not_atomic: __m256i,
    launch: __m256i,
    /// Stamps of other blocks of the launch.
    others: __m256i,
    several_blocks: __m256i,
    conflict: __m256i,
}

impl Sweep {
    #[inline]
    #[target_feature(enable = "avx2")]
    pub(crate) fn new(bases: Bases, several: u32, atomic: u32) -> Sweep {
        let first = bases.first;
        Sweep {
            first: splat(first),
            several: splat(first | several),
            not_atomic: splat(!atomic),
            launch: splat(bases.launch),
            others: splat(bases.block.wrapping_sub(bases.launch)),
            several_blocks: splat(bases.launch | several),
            conflict: _mm256_setzero_si256(),
        }
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    fn old(&self, v: __m256i) -> __m256i {
        // Unsigned: v < first, as not (max(v, first) = v).
        let new = _mm256_cmpeq_epi32(_mm256_max_epu32(v, self.first), v);
        _mm256_xor_si256(new, _mm256_set1_epi32(-1))
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    fn foreign(&self, v: __m256i) -> __m256i {
        let since = _mm256_sub_epi32(v, self.launch);
        let after = _mm256_cmpeq_epi32(_mm256_max_epu32(since, self.others), since);
        _mm256_xor_si256(after, _mm256_set1_epi32(-1))
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    fn fine<const GRID: bool>(&self, v: __m256i, me: __m256i) -> __m256i {
        let mine = _mm256_cmpeq_epi32(_mm256_and_si256(v, self.not_atomic), me);
        let fine = _mm256_or_si256(self.old(v), mine);
        if GRID { _mm256_andnot_si256(self.foreign(v), fine) } else { fine }
    }

    /// The next cells, eight at a time; the `n`-th belongs to thread `me0 + (n >> PER_LANE)`. Cells whose
    /// lane is not in `word` stay.
    #[inline]
    #[target_feature(enable = "avx2")]
    pub(crate) fn cells<const PER_LANE: i32, const GRID: bool>(
        &mut self,
        write: &mut [u32],
        read: &mut [u32],
        me0: u32,
        word: u16,
        reads: bool,
    ) {
        let active = expand(word);
        let mut act = [0u32; CHUNK];
        store(&mut act, active);
        let lanes = iota()[0];
        for (n, (w, r)) in write.chunks_exact_mut(8).zip(read.chunks_exact_mut(8)).enumerate() {
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
                let mut fine = self.fine::<GRID>(wv, me);
                if reads {
                    let alone = _mm256_or_si256(self.old(rv), _mm256_cmpeq_epi32(rv, me));
                    let next = _mm256_blendv_epi8(self.several, me, alone);
                    let next = if GRID {
                        _mm256_blendv_epi8(next, self.several_blocks, self.foreign(rv))
                    } else {
                        next
                    };
                    let next = _mm256_blendv_epi8(rv, next, on);
                    _mm256_storeu_si256(r.as_mut_ptr().cast(), next);
                } else {
                    fine = _mm256_and_si256(fine, self.fine::<GRID>(rv, me));
                    _mm256_storeu_si256(w.as_mut_ptr().cast(), _mm256_blendv_epi8(wv, me, on));
                }
                self.conflict = _mm256_or_si256(self.conflict, _mm256_andnot_si256(fine, on));
            }
        }
    }

    /// Whether there was a conflict.
    #[inline]
    #[target_feature(enable = "avx2")]
    pub(crate) fn end(&self) -> bool {
        _mm256_testz_si256(self.conflict, self.conflict) == 0
    }
}
