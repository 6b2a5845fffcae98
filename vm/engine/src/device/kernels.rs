//! The lane functions and the loops that apply them to registers, chunk by chunk of 16 lanes.
//!
//! Every loop is a generic function over its lane function, written once, inlined into two copies: one
//! compiled for AVX2, one for the baseline. Operands are a pointer and a step, which is 0 for a scalar that
//! all lanes share, so that one copy serves every form of an operation.
#![allow(unsafe_code)] // raw registers; the AVX2 copies and their mask instructions
#![allow(clippy::needless_range_loop)] // lanes of several arrays at once
#![allow(clippy::unnecessary_cast)] // one text for both lane types
#![allow(clippy::cast_ptr_alignment, reason = "loads and stores of vectors here are unaligned ones")]

mod functions;

pub(in crate::device) use functions::*;

use super::planes::{Lane, Lanes};
use cudair_lane::ptr::Ptr;
use cudair_lane::{CHUNK, Mask};

/// An operand: chunk `c` lies at `at + c * step`.
#[derive(Clone, Copy)]
pub(super) struct Source<T> {
    at: *const T,
    step: usize,
}

impl<T: Lane> Source<T> {
    /// # Safety
    /// `c` is a chunk of the register (or the operand is a scalar's).
    #[inline(always)]
    unsafe fn chunk(self, c: usize) -> [T; CHUNK] {
        // SAFETY: the caller's promise.
        unsafe { *self.at.add(c * self.step).cast::<[T; CHUNK]>() }
    }
}

/// A register as an operand.
#[inline(always)]
pub(super) fn register<T: Lane>(lanes: Lanes, reg: T::Reg) -> Source<T> {
    Source { at: T::at(lanes, reg), step: CHUNK }
}

/// Chunks outside the registers as an operand; they must outlive its use.
#[inline(always)]
pub(super) fn kept<T: Lane>(chunks: &[[T; CHUNK]]) -> Source<T> {
    Source { at: chunks.as_ptr().cast(), step: CHUNK }
}

/// A scalar for all lanes.
#[repr(align(64))]
pub(super) struct Splat<T>([T; CHUNK]);

/// A scalar for all lanes.
#[inline(always)]
pub(super) fn splat<T: Lane>(x: T) -> Splat<T> {
    Splat([x; CHUNK])
}

impl<T: Lane> Splat<T> {
    /// The operand; `self` must outlive its use.
    #[inline(always)]
    pub(super) fn source(&self) -> Source<T> {
        Source { at: self.0.as_ptr(), step: 0 }
    }
}

/// What a loop works on besides its operands: lanes to write, lanes that count, chunks, the result.
#[derive(Clone, Copy)]
pub(super) struct Job<'a, T> {
    pub(super) write: &'a Mask,
    pub(super) active: &'a Mask,
    pub(super) n: usize,
    pub(super) d: *mut T,
}

impl<T: Blend> Job<'_, T> {
    /// # Safety
    /// `c` is a chunk of the result's register.
    #[inline(always)]
    unsafe fn put<const AVX2: bool>(&self, c: usize, values: [T; CHUNK]) {
        let mask = self.write.0[c];
        // SAFETY: the caller's promise; no reference to the register is alive.
        let to = unsafe { &mut *self.d.add(c * CHUNK).cast::<[T; CHUNK]>() };
        if mask == u16::MAX {
            *to = values;
        } else {
            T::blend::<AVX2>(to, &values, mask);
        }
    }
}

/// A lane type whose lanes can be written by a mask.
pub(super) trait Blend: Lane {
    /// Writes the lanes of `mask`.
    fn blend<const AVX2: bool>(to: &mut [Self; CHUNK], values: &[Self; CHUNK], mask: u16);
}

impl Blend for u32 {
    #[inline(always)]
    fn blend<const AVX2: bool>(to: &mut [u32; CHUNK], values: &[u32; CHUNK], mask: u16) {
        #[cfg(target_arch = "x86_64")]
        if AVX2 {
            use std::arch::x86_64::*;
            // SAFETY: only the AVX2 copies are instantiated with this flag; 16 words each.
            unsafe {
                let bits = _mm256_setr_epi32(1, 2, 4, 8, 16, 32, 64, 128);
                for i in 0..2 {
                    let word = _mm256_set1_epi32(i32::from(mask >> (8 * i) & 0xff));
                    let on = _mm256_cmpeq_epi32(_mm256_and_si256(word, bits), bits);
                    let to = to.as_mut_ptr().add(8 * i).cast::<__m256i>();
                    let new = _mm256_loadu_si256(values.as_ptr().add(8 * i).cast());
                    _mm256_storeu_si256(to, _mm256_blendv_epi8(_mm256_loadu_si256(to), new, on));
                }
            }
            return;
        }
        for i in 0..CHUNK {
            to[i] = if mask & 1 << i != 0 { values[i] } else { to[i] };
        }
    }
}

impl Blend for u64 {
    #[inline(always)]
    fn blend<const AVX2: bool>(to: &mut [u64; CHUNK], values: &[u64; CHUNK], mask: u16) {
        #[cfg(target_arch = "x86_64")]
        if AVX2 {
            use std::arch::x86_64::*;
            // SAFETY: as above; 16 double words each.
            unsafe {
                let bits = _mm256_setr_epi64x(1, 2, 4, 8);
                for i in 0..4 {
                    let word = _mm256_set1_epi64x(i64::from(mask >> (4 * i) & 0xf));
                    let on = _mm256_cmpeq_epi64(_mm256_and_si256(word, bits), bits);
                    let to = to.as_mut_ptr().add(4 * i).cast::<__m256i>();
                    let new = _mm256_loadu_si256(values.as_ptr().add(4 * i).cast());
                    _mm256_storeu_si256(to, _mm256_blendv_epi8(_mm256_loadu_si256(to), new, on));
                }
            }
            return;
        }
        for i in 0..CHUNK {
            to[i] = if mask & 1 << i != 0 { values[i] } else { to[i] };
        }
    }
}

/// A lane type with what comparisons and checks need.
pub(super) trait Bits: Blend + PartialEq {
    const ONES: Self;
    const ONE: Self;
    const MIN: Self;
    /// The sign bits of a chunk.
    fn signs<const AVX2: bool>(x: &[Self; CHUNK]) -> u16;
    /// Whether a sign bit of a chunk is set.
    fn any_sign<const AVX2: bool>(x: &[Self; CHUNK]) -> bool;
}

impl Bits for u32 {
    const ONES: u32 = u32::MAX;
    const ONE: u32 = 1;
    const MIN: u32 = 1 << 31;

    #[inline(always)]
    fn signs<const AVX2: bool>(x: &[u32; CHUNK]) -> u16 {
        #[cfg(target_arch = "x86_64")]
        if AVX2 {
            use std::arch::x86_64::*;
            // SAFETY: only the AVX2 copies are instantiated with this flag; the loads stay in the array.
            return unsafe {
                let lo = _mm256_loadu_ps(x.as_ptr().cast());
                let hi = _mm256_loadu_ps(x.as_ptr().add(8).cast());
                (_mm256_movemask_ps(lo) | _mm256_movemask_ps(hi) << 8) as u16
            };
        }
        (0..CHUNK).fold(0, |m, i| m | ((x[i] >> 31) as u16) << i)
    }

    #[inline(always)]
    fn any_sign<const AVX2: bool>(x: &[u32; CHUNK]) -> bool {
        #[cfg(target_arch = "x86_64")]
        if AVX2 {
            use std::arch::x86_64::*;
            // SAFETY: as above.
            return unsafe {
                let half = |i: usize| _mm256_loadu_ps(x.as_ptr().add(i).cast());
                let any = _mm256_or_ps(half(0), half(8));
                _mm256_testz_ps(any, any) == 0
            };
        }
        x.iter().fold(0, |a, x| a | x) >> 31 != 0
    }
}

impl Bits for u64 {
    const ONES: u64 = u64::MAX;
    const ONE: u64 = 1;
    const MIN: u64 = 1 << 63;

    #[inline(always)]
    fn signs<const AVX2: bool>(x: &[u64; CHUNK]) -> u16 {
        #[cfg(target_arch = "x86_64")]
        if AVX2 {
            use std::arch::x86_64::*;
            // SAFETY: as above.
            return unsafe {
                let four = |i: usize| _mm256_movemask_pd(_mm256_loadu_pd(x.as_ptr().add(i).cast()));
                (four(0) | four(4) << 4 | four(8) << 8 | four(12) << 12) as u16
            };
        }
        (0..CHUNK).fold(0, |m, i| m | ((x[i] >> 63) as u16) << i)
    }

    #[inline(always)]
    fn any_sign<const AVX2: bool>(x: &[u64; CHUNK]) -> bool {
        // The compiler makes vectors of this itself.
        x.iter().fold(0, |a, x| a | x) >> 63 != 0
    }
}

/// Declares a loop with its two copies: `name` calls the AVX2 one where `AVX2` is set.
///
/// # Safety of the loops
/// Operands and result are registers of `job.n` chunks (or splats), each equal to or disjoint from the
/// result's; with `AVX2` the processor has the features. [`super::vector`] sees to both.
macro_rules! two_copies {
    ($(#[$doc:meta])* $name:ident / $inner:ident / $fast:ident
        <$($g:ident: $bound:path),*> ($($arg:ident: $ty:ty),*) -> $ret:ty) => {
        #[cfg(target_arch = "x86_64")]
        #[target_feature(enable = "avx2,fma,bmi2")]
        unsafe fn $fast<$($g: $bound),*>($($arg: $ty),*) -> $ret {
            // SAFETY: the caller's promise.
            unsafe { $inner::<$($g,)* true>($($arg),*) }
        }

        $(#[$doc])*
        ///
        /// # Safety
        /// See `two_copies`.
        #[inline(always)]
        pub(super) unsafe fn $name<$($g: $bound,)* const AVX2: bool>($($arg: $ty),*) -> $ret {
            #[cfg(target_arch = "x86_64")]
            if AVX2 {
                // SAFETY: the caller's promise.
                return unsafe { $fast::<$($g),*>($($arg),*) };
            }
            // SAFETY: the caller's promise.
            unsafe { $inner::<$($g,)* false>($($arg),*) }
        }
    };
}

two_copies! {
    /// One operand.
    map1 / map1_inner / map1_fast <T: Blend, K: Fn1<T>> (job: Job<'_, T>, a: Source<T>) -> ()
}

#[inline(always)]
unsafe fn map1_inner<T: Blend, K: Fn1<T>, const AVX2: bool>(job: Job<'_, T>, a: Source<T>) {
    for c in 0..job.n {
        if job.write.0[c] != 0 {
            // SAFETY: `c` is a chunk of every register.
            unsafe {
                let x = a.chunk(c);
                let mut r = [T::default(); CHUNK];
                for i in 0..CHUNK {
                    r[i] = K::f(x[i]);
                }
                job.put::<AVX2>(c, r);
            }
        }
    }
}

two_copies! {
    /// Two operands.
    map2 / map2_inner / map2_fast <T: Blend, K: Fn2<T>> (job: Job<'_, T>, a: Source<T>, b: Source<T>) -> ()
}

#[inline(always)]
unsafe fn map2_inner<T: Blend, K: Fn2<T>, const AVX2: bool>(job: Job<'_, T>, a: Source<T>, b: Source<T>) {
    for c in 0..job.n {
        if job.write.0[c] != 0 {
            // SAFETY: `c` is a chunk of every register.
            unsafe {
                let (x, y) = (a.chunk(c), b.chunk(c));
                let mut r = [T::default(); CHUNK];
                for i in 0..CHUNK {
                    r[i] = K::f(x[i], y[i]);
                }
                job.put::<AVX2>(c, r);
            }
        }
    }
}

two_copies! {
    /// Three operands.
    map3 / map3_inner / map3_fast
        <T: Blend, K: Fn3<T>> (job: Job<'_, T>, a: Source<T>, b: Source<T>, z: Source<T>) -> ()
}

#[inline(always)]
unsafe fn map3_inner<T: Blend, K: Fn3<T>, const AVX2: bool>(
    job: Job<'_, T>,
    a: Source<T>,
    b: Source<T>,
    z: Source<T>,
) {
    for c in 0..job.n {
        if job.write.0[c] != 0 {
            // SAFETY: `c` is a chunk of every register.
            unsafe {
                let (x, y, z) = (a.chunk(c), b.chunk(c), z.chunk(c));
                let mut r = [T::default(); CHUNK];
                for i in 0..CHUNK {
                    r[i] = K::f(x[i], y[i], z[i]);
                }
                job.put::<AVX2>(c, r);
            }
        }
    }
}

two_copies! {
    /// Two operands and a flag; gives the active lanes with one.
    map_flagged / map_flagged_inner / map_flagged_fast
        <T: Bits, K: FnFlag<T>> (job: Job<'_, T>, a: Source<T>, b: Source<T>, seen: &mut Seen) -> Mask
}

/// A chunk that may have flags; gives the active lanes with one.
///
/// # Safety
/// `c` is a chunk of the result's register; with `AVX2` the processor has the features.
#[inline(always)]
unsafe fn flagged_chunk<T: Bits, K: FnFlag<T>, const AVX2: bool>(
    job: &Job<'_, T>,
    c: usize,
    x: &[T; CHUNK],
    y: &[T; CHUNK],
    seen: &mut Seen,
) -> u16 {
    let mut r = [T::default(); CHUNK];
    let mut o = [T::default(); CHUNK];
    for i in 0..CHUNK {
        (r[i], o[i]) = K::f(x[i], y[i]);
    }
    // SAFETY: the caller's promise.
    unsafe { job.put::<AVX2>(c, r) };
    let flags = T::signs::<AVX2>(&o) & job.active.0[c];
    if K::FORGETS && flags != 0 {
        seen.keep(x, y, flags);
    }
    flags
}

/// [`flagged_chunk`], apart, so that nothing of it keeps the usual case out of vector registers.
///
/// # Safety
/// See there.
#[cfg(target_arch = "x86_64")]
#[inline(never)]
#[target_feature(enable = "avx2,fma,bmi2")]
unsafe fn flagged_chunk_fast<T: Bits, K: FnFlag<T>>(
    job: &Job<'_, T>,
    c: usize,
    x: &[T; CHUNK],
    y: &[T; CHUNK],
    seen: &mut Seen,
) -> u16 {
    // SAFETY: the caller's promise.
    unsafe { flagged_chunk::<T, K, true>(job, c, x, y, seen) }
}

#[inline(always)]
unsafe fn map_flagged_inner<T: Bits, K: FnFlag<T>, const AVX2: bool>(
    job: Job<'_, T>,
    a: Source<T>,
    b: Source<T>,
    seen: &mut Seen,
) -> Mask {
    let mut flags = Mask::NONE;
    for c in 0..job.n {
        if job.write.0[c] != 0 {
            // SAFETY: `c` is a chunk of every register.
            unsafe {
                let (x, y) = (a.chunk(c), b.chunk(c));
                let mut r = [T::default(); CHUNK];
                let mut o = [T::default(); CHUNK];
                for i in 0..CHUNK {
                    (r[i], o[i]) = K::quick(x[i], y[i]);
                }
                // Mostly there are none.
                if T::any_sign::<AVX2>(&o) {
                    #[cfg(target_arch = "x86_64")]
                    if AVX2 {
                        flags.0[c] = flagged_chunk_fast::<T, K>(&job, c, &x, &y, seen);
                        continue;
                    }
                    flags.0[c] = flagged_chunk::<T, K, AVX2>(&job, c, &x, &y, seen);
                } else {
                    job.put::<AVX2>(c, r);
                }
            }
        }
    }
    flags
}

two_copies! {
    /// A condition; `old` are the bits of lanes that are not written.
    compare / compare_inner / compare_fast
        <T: Bits, K: FnCmp<T>> (write: &Mask, n: usize, old: Mask, a: Source<T>, b: Source<T>) -> Mask
}

#[inline(always)]
unsafe fn compare_inner<T: Bits, K: FnCmp<T>, const AVX2: bool>(
    write: &Mask,
    n: usize,
    old: Mask,
    a: Source<T>,
    b: Source<T>,
) -> Mask {
    let mut out = old;
    for c in 0..n {
        let m = write.0[c];
        if m != 0 {
            // SAFETY: `c` is a chunk of every register.
            let (x, y) = unsafe { (a.chunk(c), b.chunk(c)) };
            let mut r = [T::default(); CHUNK];
            for i in 0..CHUNK {
                r[i] = if K::f(x[i], y[i]) { T::ONES } else { T::default() };
            }
            out.0[c] = T::signs::<AVX2>(&r) & m | out.0[c] & !m;
        }
    }
    out
}

two_copies! {
    /// From one lane type to the other. The narrow register may be a half of the wide one: then the chunks
    /// are taken in the order in which none is overwritten before it is read. `upper` says that it is the
    /// upper half.
    convert / convert_inner / convert_fast
        <K: FnConvert> (job: Job<'_, K::To>, a: Source<K::From>, upper: bool) -> ()
}

#[inline(always)]
unsafe fn convert_inner<K: FnConvert, const AVX2: bool>(
    job: Job<'_, K::To>,
    a: Source<K::From>,
    upper: bool,
) {
    let widens = size_of::<K::To>() > size_of::<K::From>();
    for at in 0..job.n {
        let c = if widens == upper { at } else { job.n - 1 - at };
        if job.write.0[c] != 0 {
            // SAFETY: `c` is a chunk of both registers.
            unsafe {
                let x = a.chunk(c);
                let mut r = [<K::To>::default(); CHUNK];
                for i in 0..CHUNK {
                    r[i] = K::f(x[i]);
                }
                job.put::<AVX2>(c, r);
            }
        }
    }
}

two_copies! {
    /// `p ? a : b`.
    select / select_inner / select_fast
        <T: Blend> (job: Job<'_, T>, p: &Mask, a: Source<T>, b: Source<T>) -> ()
}

#[inline(always)]
unsafe fn select_inner<T: Blend, const AVX2: bool>(job: Job<'_, T>, p: &Mask, a: Source<T>, b: Source<T>) {
    for c in 0..job.n {
        if job.write.0[c] != 0 {
            // SAFETY: `c` is a chunk of every register.
            unsafe {
                let (x, y) = (a.chunk(c), b.chunk(c));
                let mut r = [T::default(); CHUNK];
                for i in 0..CHUNK {
                    r[i] = if p.0[c] & 1 << i != 0 { x[i] } else { y[i] };
                }
                job.put::<AVX2>(c, r);
            }
        }
    }
}

two_copies! {
    /// Division; active lanes with a zero divisor are given, and divide by one.
    divide / divide_inner / divide_fast
        <T: Bits, K: Fn2<T>> (job: Job<'_, T>, a: Source<T>, b: Source<T>) -> Mask
}

#[inline(always)]
unsafe fn divide_inner<T: Bits, K: Fn2<T>, const AVX2: bool>(
    job: Job<'_, T>,
    a: Source<T>,
    b: Source<T>,
) -> Mask {
    let mut zero = Mask::NONE;
    for c in 0..job.n {
        if job.write.0[c] != 0 {
            // SAFETY: `c` is a chunk of every register.
            unsafe {
                let (x, mut y) = (a.chunk(c), b.chunk(c));
                let mut flags = 0u16;
                for i in 0..CHUNK {
                    flags |= u16::from(y[i] == T::default()) << i;
                    if y[i] == T::default() {
                        y[i] = T::ONE;
                    }
                }
                zero.0[c] = flags & job.active.0[c];
                if zero.0[c] != 0 {
                    // This is the end; the operands are for the report.
                    continue;
                }
                let mut r = [T::default(); CHUNK];
                for i in 0..CHUNK {
                    r[i] = K::f(x[i], y[i]);
                }
                job.put::<AVX2>(c, r);
            }
        }
    }
    zero
}

two_copies! {
    /// The active lanes that divide the smallest integer by -1.
    extreme / extreme_inner / extreme_fast
        <T: Bits> (active: &Mask, n: usize, a: Source<T>, b: Source<T>) -> Mask
}

#[inline(always)]
unsafe fn extreme_inner<T: Bits, const AVX2: bool>(
    active: &Mask,
    n: usize,
    a: Source<T>,
    b: Source<T>,
) -> Mask {
    let mut out = Mask::NONE;
    for c in 0..n {
        if active.0[c] != 0 {
            // SAFETY: `c` is a chunk of both registers.
            let (x, y) = unsafe { (a.chunk(c), b.chunk(c)) };
            let mut flags = 0u16;
            for i in 0..CHUNK {
                flags |= u16::from(x[i] == T::MIN && y[i] == T::ONES) << i;
            }
            out.0[c] = flags & active.0[c];
        }
    }
    out
}

two_copies! {
    /// `p ? 1 : 0`.
    from_pred / from_pred_inner / from_pred_fast <T: Bits> (job: Job<'_, T>, p: &Mask) -> ()
}

#[inline(always)]
unsafe fn from_pred_inner<T: Bits, const AVX2: bool>(job: Job<'_, T>, p: &Mask) {
    for c in 0..job.n {
        if job.write.0[c] != 0 {
            let mut r = [T::default(); CHUNK];
            for i in 0..CHUNK {
                r[i] = if p.0[c] & 1 << i != 0 { T::ONE } else { T::default() };
            }
            // SAFETY: `c` is a chunk of the register.
            unsafe { job.put::<AVX2>(c, r) };
        }
    }
}

/// `base + index * scale + disp` per lane, saturating in each pointer's object. The indices are 64 bits wide
/// here, copied out of their registers, since the result may overwrite them.
///
/// # Safety
/// See `two_copies`.
pub(super) unsafe fn ptr_idx(
    job: Job<'_, u64>,
    base: Source<u64>,
    index: &[[i64; CHUNK]; 16],
    scale: u16,
    disp: i32,
) {
    let (scale, disp) = (i64::from(scale), i64::from(disp));
    for c in 0..job.n {
        if job.write.0[c] != 0 {
            // SAFETY: `c` is a chunk of every register.
            unsafe {
                let p = base.chunk(c);
                let mut r = [0; CHUNK];
                for i in 0..CHUNK {
                    let offset = index[c][i].saturating_mul(scale).saturating_add(disp);
                    r[i] = Ptr(p[i]).add(offset).0;
                }
                job.put::<false>(c, r);
            }
        }
    }
}

/// How a 32-bit index becomes one of 64 bits.
pub(super) trait Widen {
    fn widen(index: u32) -> i64;
}

/// By its sign.
pub(super) struct Signed;

impl Widen for Signed {
    #[inline(always)]
    fn widen(index: u32) -> i64 {
        i64::from(index as i32)
    }
}

/// By zeros.
pub(super) struct Unsigned;

impl Widen for Unsigned {
    #[inline(always)]
    fn widen(index: u32) -> i64 {
        index.into()
    }
}

two_copies! {
    /// [`ptr_idx`] of 32-bit indices. Their register must not be part of the result's.
    ptr_idx32 / ptr_idx32_inner / ptr_idx32_fast <I: Widen>
        (job: Job<'_, u64>, base: Source<u64>, index: Source<u32>, scale: u16, disp: i32) -> ()
}

#[inline(always)]
unsafe fn ptr_idx32_inner<I: Widen, const AVX2: bool>(
    job: Job<'_, u64>,
    base: Source<u64>,
    index: Source<u32>,
    scale: u16,
    disp: i32,
) {
    const LOW: u64 = 0xffff_ffff;
    for c in 0..job.n {
        if job.write.0[c] != 0 {
            // SAFETY: `c` is a chunk of every register.
            unsafe {
                let (p, x) = (base.chunk(c), index.chunk(c));
                // Exact: an index has 32 bits, its scale 16.
                let offset = |i: usize| I::widen(x[i]) * i64::from(scale) + i64::from(disp);
                let (mut r, mut far) = ([0; CHUNK], 0);
                for i in 0..CHUNK {
                    let sum = ((p[i] & LOW) as i64 + offset(i)) as u64;
                    far |= sum;
                    r[i] = p[i] & !LOW | sum & LOW;
                }
                if far > LOW {
                    // A lane, perhaps one that is not active, leaves the range of an object.
                    for i in 0..CHUNK {
                        r[i] = Ptr(p[i]).add(offset(i)).0;
                    }
                }
                job.put::<AVX2>(c, r);
            }
        }
    }
}
