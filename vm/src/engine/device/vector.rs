//! Vector operations: one operation for all lanes of a strip.
//!
//! [`run`] executes operations from a place on until one is no vector operation, chunk by chunk of 16 lanes.
//! Everything below it is inlined into two copies, one for AVX2 and one for the baseline; which one runs is
//! decided once. Lanes outside the write mask keep their values; where the fragment is alone in its strip
//! nothing is masked, since no other lane's registers can be harmed.
#![allow(unsafe_code)] // the AVX2 copy and its two mask instructions

use super::planes::{Lane, Lanes};
use crate::bytecode::*;
use crate::engine::eval::{FloatMinMax, Ub};
use crate::engine::regs::{Ops, Words};
use crate::memory::{CHUNK, Mask};
use crate::ptr::Ptr;

/// Every lane.
pub(crate) const ALL: Mask = Mask([u16::MAX; 16]);

/// What vector operations work on.
#[derive(Clone, Copy)]
pub(crate) struct VecCx<'a> {
    pub(crate) ops: Ops,
    pub(crate) s: Words,
    pub(crate) v: Lanes,
    /// Lanes whose registers are written.
    pub(crate) write: &'a Mask,
    /// Lanes that are there and active: those whose undefined behaviour counts.
    pub(crate) active: &'a Mask,
}

/// Undefined behaviour of some lanes at an operation; their results are written.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LaneUb {
    pub(crate) ub: Ub,
    pub(crate) lanes: Mask,
}

/// Runs vector operations from `pc` on; `pc` is then the operation after the last that ran. `None` where
/// the next one is no vector operation.
pub(crate) fn run(cx: &VecCx<'_>, pc: &mut usize, avx2: bool) -> Option<LaneUb> {
    #[cfg(target_arch = "x86_64")]
    if avx2 {
        // SAFETY: `avx2` says that the processor has these features.
        return unsafe { run_avx2(cx, pc) };
    }
    let _ = avx2;
    run_generic::<false>(cx, pc)
}

/// Whether this processor runs the AVX2 copy.
pub(crate) fn has_avx2() -> bool {
    #[cfg(target_arch = "x86_64")]
    {
        std::is_x86_feature_detected!("avx2")
            && std::is_x86_feature_detected!("fma")
            && std::is_x86_feature_detected!("bmi2")
    }
    #[cfg(not(target_arch = "x86_64"))]
    false
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma,bmi2")]
fn run_avx2(cx: &VecCx<'_>, pc: &mut usize) -> Option<LaneUb> {
    run_generic::<true>(cx, pc)
}

/// An operand: a register or a scalar for all lanes.
trait Source<T: Lane>: Copy {
    fn chunk(self, c: usize) -> [T; CHUNK];
}

#[derive(Clone, Copy)]
struct Register<T: Lane>(Lanes, T::Reg);

impl<T: Lane> Source<T> for Register<T> {
    #[inline(always)]
    fn chunk(self, c: usize) -> [T; CHUNK] {
        self.0.chunk(self.1, c)
    }
}

#[derive(Clone, Copy)]
struct Scalar<T>(T);

impl<T: Lane> Source<T> for Scalar<T> {
    #[inline(always)]
    fn chunk(self, _c: usize) -> [T; CHUNK] {
        [self.0; CHUNK]
    }
}

/// A lane type whose sign bits can be gathered.
trait Bits: Lane {
    const ONES: Self;
    const ONE: Self;
    const MIN: Self;
    fn is_zero(self) -> bool;
    /// The sign bits of a chunk.
    fn signs<const AVX2: bool>(x: &[Self; CHUNK]) -> u16;
}

impl Bits for u32 {
    const ONES: u32 = u32::MAX;
    const ONE: u32 = 1;
    const MIN: u32 = 1 << 31;

    #[inline(always)]
    fn is_zero(self) -> bool {
        self == 0
    }

    #[inline(always)]
    fn signs<const AVX2: bool>(x: &[u32; CHUNK]) -> u16 {
        #[cfg(target_arch = "x86_64")]
        if AVX2 {
            use std::arch::x86_64::*;
            // SAFETY: only the AVX2 copy is instantiated with this flag; the loads stay in the array.
            return unsafe {
                let lo = _mm256_loadu_ps(x.as_ptr().cast());
                let hi = _mm256_loadu_ps(x.as_ptr().add(8).cast());
                (_mm256_movemask_ps(lo) | _mm256_movemask_ps(hi) << 8) as u16
            };
        }
        (0..CHUNK).fold(0, |m, i| m | ((x[i] >> 31) as u16) << i)
    }
}

impl Bits for u64 {
    const ONES: u64 = u64::MAX;
    const ONE: u64 = 1;
    const MIN: u64 = 1 << 63;

    #[inline(always)]
    fn is_zero(self) -> bool {
        self == 0
    }

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
}

#[inline(always)]
fn xor(a: &Mask, b: &Mask) -> Mask {
    Mask(std::array::from_fn(|i| a.0[i] ^ b.0[i]))
}

#[inline(always)]
fn extend(i: u32, ext: Ext) -> i64 {
    match ext {
        Ext::Sign => i64::from(i as i32),
        Ext::Zero => i64::from(i),
    }
}

#[inline(always)]
fn map1<T: Lane>(cx: &VecCx<'_>, d: T::Reg, a: impl Source<T>, f: impl Fn(T) -> T) {
    for c in 0..cx.v.chunks() {
        let m = cx.write.0[c];
        if m != 0 {
            let x = a.chunk(c);
            let mut r = [T::default(); CHUNK];
            for i in 0..CHUNK {
                r[i] = f(x[i]);
            }
            cx.v.set_chunk(d, c, m, r);
        }
    }
}

#[inline(always)]
fn map2<T: Lane>(cx: &VecCx<'_>, d: T::Reg, a: impl Source<T>, b: impl Source<T>, f: impl Fn(T, T) -> T) {
    for c in 0..cx.v.chunks() {
        let m = cx.write.0[c];
        if m != 0 {
            let (x, y) = (a.chunk(c), b.chunk(c));
            let mut r = [T::default(); CHUNK];
            for i in 0..CHUNK {
                r[i] = f(x[i], y[i]);
            }
            cx.v.set_chunk(d, c, m, r);
        }
    }
}

#[inline(always)]
fn map3<T: Lane>(
    cx: &VecCx<'_>,
    d: T::Reg,
    a: impl Source<T>,
    b: impl Source<T>,
    z: impl Source<T>,
    f: impl Fn(T, T, T) -> T,
) {
    for c in 0..cx.v.chunks() {
        let m = cx.write.0[c];
        if m != 0 {
            let (x, y, z) = (a.chunk(c), b.chunk(c), z.chunk(c));
            let mut r = [T::default(); CHUNK];
            for i in 0..CHUNK {
                r[i] = f(x[i], y[i], z[i]);
            }
            cx.v.set_chunk(d, c, m, r);
        }
    }
}

/// From one lane type to the other. The narrow register may be a half of the wide one: then the chunks are
/// taken in the order in which none is overwritten before it is read. `upper` says that it is the upper half.
#[inline(always)]
fn convert<T: Lane, U: Lane>(cx: &VecCx<'_>, d: U::Reg, a: T::Reg, upper: bool, f: impl Fn(T) -> U) {
    let n = cx.v.chunks();
    let widens = size_of::<U>() > size_of::<T>();
    for at in 0..n {
        let c = if widens == upper { at } else { n - 1 - at };
        let m = cx.write.0[c];
        if m != 0 {
            let x = cx.v.chunk::<T>(a, c);
            let mut r = [U::default(); CHUNK];
            for i in 0..CHUNK {
                r[i] = f(x[i]);
            }
            cx.v.set_chunk(d, c, m, r);
        }
    }
}

/// Computes a value and flags in the sign bit; gives the active lanes with a flag.
#[inline(always)]
fn flagged<T: Bits, const AVX2: bool>(
    cx: &VecCx<'_>,
    d: T::Reg,
    a: impl Source<T>,
    b: impl Source<T>,
    f: impl Fn(T, T) -> (T, T),
) -> Mask {
    let mut flags = Mask::NONE;
    for c in 0..cx.v.chunks() {
        let m = cx.write.0[c];
        if m != 0 {
            let (x, y) = (a.chunk(c), b.chunk(c));
            let mut r = [T::default(); CHUNK];
            let mut o = [T::default(); CHUNK];
            for i in 0..CHUNK {
                (r[i], o[i]) = f(x[i], y[i]);
            }
            flags.0[c] = T::signs::<AVX2>(&o) & cx.active.0[c];
            cx.v.set_chunk(d, c, m, r);
        }
    }
    flags
}

#[inline(always)]
fn compare<T: Bits, const AVX2: bool>(
    cx: &VecCx<'_>,
    d: P,
    a: impl Source<T>,
    b: impl Source<T>,
    f: impl Fn(T, T) -> bool,
) {
    let mut out = cx.v.pred(d);
    for c in 0..cx.v.chunks() {
        let m = cx.write.0[c];
        if m != 0 {
            let (x, y) = (a.chunk(c), b.chunk(c));
            let mut r = [T::default(); CHUNK];
            for i in 0..CHUNK {
                r[i] = if f(x[i], y[i]) { T::ONES } else { T::default() };
            }
            out.0[c] = T::signs::<AVX2>(&r) & m | out.0[c] & !m;
        }
    }
    cx.v.set_pred(d, out);
}

#[inline(always)]
fn select<T: Lane>(cx: &VecCx<'_>, d: T::Reg, p: P, a: impl Source<T>, b: impl Source<T>) {
    let p = cx.v.pred(p);
    for c in 0..cx.v.chunks() {
        let m = cx.write.0[c];
        if m != 0 {
            let (x, y) = (a.chunk(c), b.chunk(c));
            let mut r = [T::default(); CHUNK];
            for i in 0..CHUNK {
                r[i] = if p.0[c] & 1 << i != 0 { x[i] } else { y[i] };
            }
            cx.v.set_chunk(d, c, m, r);
        }
    }
}

/// Division: lanes that cannot divide are flagged and divide by one.
#[inline(always)]
fn divide<T: Bits>(
    cx: &VecCx<'_>,
    d: T::Reg,
    a: impl Source<T>,
    b: impl Source<T>,
    f: impl Fn(T, T) -> T,
) -> Mask
where
    T: PartialEq,
{
    let mut zero = Mask::NONE;
    for c in 0..cx.v.chunks() {
        let m = cx.write.0[c];
        if m != 0 {
            let (x, mut y) = (a.chunk(c), b.chunk(c));
            let mut flags = 0u16;
            for i in 0..CHUNK {
                flags |= u16::from(y[i].is_zero()) << i;
                if y[i].is_zero() {
                    y[i] = T::ONE;
                }
            }
            zero.0[c] = flags & cx.active.0[c];
            let mut r = [T::default(); CHUNK];
            for i in 0..CHUNK {
                r[i] = f(x[i], y[i]);
            }
            cx.v.set_chunk(d, c, m, r);
        }
    }
    zero
}

/// Lanes that divide the smallest integer by -1.
#[inline(always)]
fn extreme<T: Bits + PartialEq>(cx: &VecCx<'_>, a: impl Source<T>, b: impl Source<T>) -> Mask {
    let mut out = Mask::NONE;
    for c in 0..cx.v.chunks() {
        if cx.active.0[c] != 0 {
            let (x, y) = (a.chunk(c), b.chunk(c));
            let mut flags = 0u16;
            for i in 0..CHUNK {
                flags |= u16::from(x[i] == T::MIN && y[i] == T::ONES) << i;
            }
            out.0[c] = flags & cx.active.0[c];
        }
    }
    out
}

#[inline(always)]
fn from_pred<T: Bits>(cx: &VecCx<'_>, d: T::Reg, p: P) {
    let p = cx.v.pred(p);
    for c in 0..cx.v.chunks() {
        let m = cx.write.0[c];
        if m != 0 {
            let mut r = [T::default(); CHUNK];
            for i in 0..CHUNK {
                r[i] = if p.0[c] & 1 << i != 0 { T::ONE } else { T::default() };
            }
            cx.v.set_chunk(d, c, m, r);
        }
    }
}

/// `base + index * scale + disp` per lane, saturating in each pointer's object.
#[inline(always)]
fn ptr_idx<I: Lane>(
    cx: &VecCx<'_>,
    d: W,
    base: impl Source<u64>,
    index: I::Reg,
    widen: impl Fn(I) -> i64,
    scale: u16,
    disp: i32,
) {
    let n = cx.v.chunks();
    let mut fresh = [[0u64; CHUNK]; 16];
    for c in 0..n {
        if cx.write.0[c] != 0 {
            let (p, i) = (base.chunk(c), cx.v.chunk::<I>(index, c));
            for l in 0..CHUNK {
                let i = widen(i[l]);
                let offset = i.saturating_mul(i64::from(scale)).saturating_add(i64::from(disp));
                fresh[c][l] = Ptr(p[l]).add(offset).0;
            }
        }
    }
    // The index may be one half of the result.
    for c in 0..n {
        let m = cx.write.0[c];
        if m != 0 {
            cx.v.set_chunk(d, c, m, fresh[c]);
        }
    }
}

#[inline(always)]
fn run_generic<const AVX2: bool>(cx: &VecCx<'_>, pc: &mut usize) -> Option<LaneUb> {
    // Operands: a register, or a scalar for all lanes.
    macro_rules! operand {
        ($t:ty, r($r:expr)) => {
            Register::<$t>(cx.v, $r)
        };
        ($t:ty, k($r:expr)) => {
            Scalar::<$t>(<$t as Lane>::from_word(cx.s.get($r)))
        };
    }
    macro_rules! map {
        ($t:ty, $d:expr, $ka:ident($a:expr), $f:expr) => {
            map1::<$t>(cx, $d, operand!($t, $ka($a)), $f)
        };
    }
    macro_rules! bin {
        ($t:ty, $d:expr, $ka:ident($a:expr), $kb:ident($b:expr), $f:expr) => {
            map2::<$t>(cx, $d, operand!($t, $ka($a)), operand!($t, $kb($b)), $f)
        };
    }
    macro_rules! tri {
        ($t:ty, $d:expr, $ka:ident($a:expr), $kb:ident($b:expr), $kc:ident($c:expr), $f:expr) => {
            map3::<$t>(cx, $d, operand!($t, $ka($a)), operand!($t, $kb($b)), operand!($t, $kc($c)), $f)
        };
    }
    macro_rules! finish {
        ($lanes:expr, $ub:expr) => {{
            let lanes = $lanes;
            if !lanes.is_empty() {
                *pc += 1;
                return Some(LaneUb { ub: $ub, lanes });
            }
        }};
    }
    macro_rules! nsw {
        ($t:ty, $d:expr, $ka:ident($a:expr), $kb:ident($b:expr), $f:expr) => {
            finish!(
                flagged::<$t, AVX2>(cx, $d, operand!($t, $ka($a)), operand!($t, $kb($b)), $f),
                Ub::Overflow
            )
        };
    }
    macro_rules! nsw_any {
        ($t:ty, $d:expr, $ka:ident($a:expr), $kb:ident($b:expr), $f:expr) => {
            finish!(
                flagged::<$t, AVX2>(cx, $d, operand!($t, $ka($a)), operand!($t, $kb($b)), |x, y| {
                    let multiply: fn($t, $t) -> ($t, $t) = $f;
                    let (z, o) = multiply(x, y);
                    (z, if o != 0 { <$t>::MAX } else { 0 })
                }),
                Ub::Overflow
            )
        };
    }
    macro_rules! shift {
        ($t:ty, $d:expr, $ka:ident($a:expr), $kb:ident($b:expr), $f:expr) => {
            finish!(
                flagged::<$t, AVX2>(cx, $d, operand!($t, $ka($a)), operand!($t, $kb($b)), |x, n| {
                    let shift: fn($t, $t) -> ($t, bool) = $f;
                    let (z, o) = shift(x, n);
                    (z, if o { <$t>::MAX } else { 0 })
                }),
                Ub::Shift
            )
        };
    }
    macro_rules! udiv {
        ($t:ty, $d:expr, $ka:ident($a:expr), $kb:ident($b:expr), $f:expr) => {
            finish!(divide::<$t>(cx, $d, operand!($t, $ka($a)), operand!($t, $kb($b)), $f), Ub::DivZero)
        };
    }
    macro_rules! sdiv {
        ($t:ty, $d:expr, $ka:ident($a:expr), $kb:ident($b:expr), $f:expr) => {{
            let (a, b) = (operand!($t, $ka($a)), operand!($t, $kb($b)));
            finish!(extreme::<$t>(cx, a, b), Ub::DivOverflow);
            finish!(divide::<$t>(cx, $d, a, b, $f), Ub::DivZero)
        }};
    }
    macro_rules! cmp {
        ($t:ty, $d:expr, $ka:ident($a:expr), $kb:ident($b:expr), $f:expr) => {
            compare::<$t, AVX2>(cx, $d, operand!($t, $ka($a)), operand!($t, $kb($b)), $f)
        };
    }
    macro_rules! select {
        ($t:ty, $d:expr, $c:expr, $ka:ident($a:expr), $kb:ident($b:expr)) => {
            select::<$t>(cx, $d, $c, operand!($t, $ka($a)), operand!($t, $kb($b)))
        };
    }
    macro_rules! convert {
        ($t:ty, $u:ty, $d:expr, $a:expr, $f:expr) => {
            convert::<$t, $u>(cx, $d, $a, $d.0 ^ $a.0 == 1, $f)
        };
    }
    macro_rules! from_pred {
        ($t:ty, $d:expr, $a:expr) => {
            from_pred::<$t>(cx, $d, $a)
        };
    }
    macro_rules! pred {
        ($d:expr, $value:expr) => {{
            let value: Mask = $value;
            cx.v.set_pred($d, value.and(cx.write).or(&cx.v.pred($d).without(cx.write)))
        }};
    }
    macro_rules! ptr_idx {
        ($d:expr, $ka:ident($a:expr), $index:expr, $i:ty, $widen:expr, $scale:expr, $disp:expr) => {
            ptr_idx::<$i>(cx, $d, operand!(u64, $ka($a)), $index, $widen, $scale, $disp)
        };
    }
    loop {
        match *cx.ops.at(*pc) {
            Op::VMov { d, a } => map!(u32, d, r(a), |x| x),
            Op::WMov { d, a } => map!(u64, d, r(a), |x| x),
            Op::VSplat { d, a } => map!(u32, d, k(a), |x| x),
            Op::WSplat { d, a } => map!(u64, d, k(a), |x| x),
            Op::VSel { d, c, a, b } => select!(u32, d, c, r(a), r(b)),
            Op::VSelVs { d, c, a, b } => select!(u32, d, c, r(a), k(b)),
            Op::VSelSv { d, c, a, b } => select!(u32, d, c, k(a), r(b)),
            Op::VSelSs { d, c, a, b } => select!(u32, d, c, k(a), k(b)),
            Op::WSel { d, c, a, b } => select!(u64, d, c, r(a), r(b)),
            Op::WSelVs { d, c, a, b } => select!(u64, d, c, r(a), k(b)),
            Op::WSelSv { d, c, a, b } => select!(u64, d, c, k(a), r(b)),
            Op::WSelSs { d, c, a, b } => select!(u64, d, c, k(a), k(b)),
            Op::VAdd { d, a, b } => bin!(u32, d, r(a), r(b), |x, y| x.wrapping_add(y)),
            Op::VAddVs { d, a, b } => bin!(u32, d, r(a), k(b), |x, y| x.wrapping_add(y)),
            Op::VSub { d, a, b } => bin!(u32, d, r(a), r(b), |x, y| x.wrapping_sub(y)),
            Op::VSubVs { d, a, b } => bin!(u32, d, r(a), k(b), |x, y| x.wrapping_sub(y)),
            Op::VSubSv { d, a, b } => bin!(u32, d, k(a), r(b), |x, y| x.wrapping_sub(y)),
            Op::VMul { d, a, b } => bin!(u32, d, r(a), r(b), |x, y| x.wrapping_mul(y)),
            Op::VMulVs { d, a, b } => bin!(u32, d, r(a), k(b), |x, y| x.wrapping_mul(y)),
            Op::VAddNsw { d, a, b } => nsw!(u32, d, r(a), r(b), |x, y| {
                let z = x.wrapping_add(y);
                (z, (x ^ z) & (y ^ z))
            }),
            Op::VAddNswVs { d, a, b } => nsw!(u32, d, r(a), k(b), |x, y| {
                let z = x.wrapping_add(y);
                (z, (x ^ z) & (y ^ z))
            }),
            Op::VSubNsw { d, a, b } => nsw!(u32, d, r(a), r(b), |x, y| {
                let z = x.wrapping_sub(y);
                (z, (x ^ y) & (x ^ z))
            }),
            Op::VSubNswVs { d, a, b } => nsw!(u32, d, r(a), k(b), |x, y| {
                let z = x.wrapping_sub(y);
                (z, (x ^ y) & (x ^ z))
            }),
            Op::VSubNswSv { d, a, b } => nsw!(u32, d, k(a), r(b), |x, y| {
                let z = x.wrapping_sub(y);
                (z, (x ^ y) & (x ^ z))
            }),
            Op::VMulNsw { d, a, b } => nsw_any!(u32, d, r(a), r(b), |x, y| {
                let z = i64::from(x as i32) * i64::from(y as i32);
                (z as u32, ((z >> 32) as i32 ^ (z as i32) >> 31) as u32)
            }),
            Op::VMulNswVs { d, a, b } => nsw_any!(u32, d, r(a), k(b), |x, y| {
                let z = i64::from(x as i32) * i64::from(y as i32);
                (z as u32, ((z >> 32) as i32 ^ (z as i32) >> 31) as u32)
            }),
            Op::VAnd { d, a, b } => bin!(u32, d, r(a), r(b), |x, y| x & y),
            Op::VAndVs { d, a, b } => bin!(u32, d, r(a), k(b), |x, y| x & y),
            Op::VOr { d, a, b } => bin!(u32, d, r(a), r(b), |x, y| x | y),
            Op::VOrVs { d, a, b } => bin!(u32, d, r(a), k(b), |x, y| x | y),
            Op::VXor { d, a, b } => bin!(u32, d, r(a), r(b), |x, y| x ^ y),
            Op::VXorVs { d, a, b } => bin!(u32, d, r(a), k(b), |x, y| x ^ y),
            Op::VShl { d, a, b } => shift!(u32, d, r(a), r(b), |x, n| (
                if n < 32 { x.wrapping_shl(n as u32) } else { 0 },
                n >= 32
            )),
            Op::VShlVs { d, a, b } => shift!(u32, d, r(a), k(b), |x, n| (
                if n < 32 { x.wrapping_shl(n as u32) } else { 0 },
                n >= 32
            )),
            Op::VShlSv { d, a, b } => shift!(u32, d, k(a), r(b), |x, n| (
                if n < 32 { x.wrapping_shl(n as u32) } else { 0 },
                n >= 32
            )),
            Op::VLshr { d, a, b } => shift!(u32, d, r(a), r(b), |x, n| (
                if n < 32 { x.wrapping_shr(n as u32) } else { 0 },
                n >= 32
            )),
            Op::VLshrVs { d, a, b } => shift!(u32, d, r(a), k(b), |x, n| (
                if n < 32 { x.wrapping_shr(n as u32) } else { 0 },
                n >= 32
            )),
            Op::VLshrSv { d, a, b } => shift!(u32, d, k(a), r(b), |x, n| (
                if n < 32 { x.wrapping_shr(n as u32) } else { 0 },
                n >= 32
            )),
            Op::VAshr { d, a, b } => shift!(u32, d, r(a), r(b), |x, n| (
                (x as i32).wrapping_shr((if n < 32 { n } else { 31 }) as u32) as u32,
                n >= 32
            )),
            Op::VAshrVs { d, a, b } => shift!(u32, d, r(a), k(b), |x, n| (
                (x as i32).wrapping_shr((if n < 32 { n } else { 31 }) as u32) as u32,
                n >= 32
            )),
            Op::VAshrSv { d, a, b } => shift!(u32, d, k(a), r(b), |x, n| (
                (x as i32).wrapping_shr((if n < 32 { n } else { 31 }) as u32) as u32,
                n >= 32
            )),
            Op::VSmin { d, a, b } => bin!(u32, d, r(a), r(b), |x, y| (x as i32).min(y as i32) as u32),
            Op::VSminVs { d, a, b } => bin!(u32, d, r(a), k(b), |x, y| (x as i32).min(y as i32) as u32),
            Op::VSmax { d, a, b } => bin!(u32, d, r(a), r(b), |x, y| (x as i32).max(y as i32) as u32),
            Op::VSmaxVs { d, a, b } => bin!(u32, d, r(a), k(b), |x, y| (x as i32).max(y as i32) as u32),
            Op::VUmin { d, a, b } => bin!(u32, d, r(a), r(b), |x, y| x.min(y)),
            Op::VUminVs { d, a, b } => bin!(u32, d, r(a), k(b), |x, y| x.min(y)),
            Op::VUmax { d, a, b } => bin!(u32, d, r(a), r(b), |x, y| x.max(y)),
            Op::VUmaxVs { d, a, b } => bin!(u32, d, r(a), k(b), |x, y| x.max(y)),
            Op::VSdiv { d, a, b } => {
                sdiv!(u32, d, r(a), r(b), |x, y| (x as i32).wrapping_div(y as i32) as u32)
            }
            Op::VSdivVs { d, a, b } => {
                sdiv!(u32, d, r(a), k(b), |x, y| (x as i32).wrapping_div(y as i32) as u32)
            }
            Op::VSdivSv { d, a, b } => {
                sdiv!(u32, d, k(a), r(b), |x, y| (x as i32).wrapping_div(y as i32) as u32)
            }
            Op::VSrem { d, a, b } => {
                sdiv!(u32, d, r(a), r(b), |x, y| (x as i32).wrapping_rem(y as i32) as u32)
            }
            Op::VSremVs { d, a, b } => {
                sdiv!(u32, d, r(a), k(b), |x, y| (x as i32).wrapping_rem(y as i32) as u32)
            }
            Op::VSremSv { d, a, b } => {
                sdiv!(u32, d, k(a), r(b), |x, y| (x as i32).wrapping_rem(y as i32) as u32)
            }
            Op::VUdiv { d, a, b } => udiv!(u32, d, r(a), r(b), |x, y| x / y),
            Op::VUdivVs { d, a, b } => udiv!(u32, d, r(a), k(b), |x, y| x / y),
            Op::VUdivSv { d, a, b } => udiv!(u32, d, k(a), r(b), |x, y| x / y),
            Op::VUrem { d, a, b } => udiv!(u32, d, r(a), r(b), |x, y| x % y),
            Op::VUremVs { d, a, b } => udiv!(u32, d, r(a), k(b), |x, y| x % y),
            Op::VUremSv { d, a, b } => udiv!(u32, d, k(a), r(b), |x, y| x % y),
            Op::WAdd { d, a, b } => bin!(u64, d, r(a), r(b), |x, y| x.wrapping_add(y)),
            Op::WAddVs { d, a, b } => bin!(u64, d, r(a), k(b), |x, y| x.wrapping_add(y)),
            Op::WSub { d, a, b } => bin!(u64, d, r(a), r(b), |x, y| x.wrapping_sub(y)),
            Op::WSubVs { d, a, b } => bin!(u64, d, r(a), k(b), |x, y| x.wrapping_sub(y)),
            Op::WSubSv { d, a, b } => bin!(u64, d, k(a), r(b), |x, y| x.wrapping_sub(y)),
            Op::WMul { d, a, b } => bin!(u64, d, r(a), r(b), |x, y| x.wrapping_mul(y)),
            Op::WMulVs { d, a, b } => bin!(u64, d, r(a), k(b), |x, y| x.wrapping_mul(y)),
            Op::WAddNsw { d, a, b } => nsw!(u64, d, r(a), r(b), |x, y| {
                let z = x.wrapping_add(y);
                (z, (x ^ z) & (y ^ z))
            }),
            Op::WAddNswVs { d, a, b } => nsw!(u64, d, r(a), k(b), |x, y| {
                let z = x.wrapping_add(y);
                (z, (x ^ z) & (y ^ z))
            }),
            Op::WSubNsw { d, a, b } => nsw!(u64, d, r(a), r(b), |x, y| {
                let z = x.wrapping_sub(y);
                (z, (x ^ y) & (x ^ z))
            }),
            Op::WSubNswVs { d, a, b } => nsw!(u64, d, r(a), k(b), |x, y| {
                let z = x.wrapping_sub(y);
                (z, (x ^ y) & (x ^ z))
            }),
            Op::WSubNswSv { d, a, b } => nsw!(u64, d, k(a), r(b), |x, y| {
                let z = x.wrapping_sub(y);
                (z, (x ^ y) & (x ^ z))
            }),
            Op::WMulNsw { d, a, b } => nsw_any!(u64, d, r(a), r(b), |x, y| {
                let (z, o) = (x as i64).overflowing_mul(y as i64);
                (z as u64, u64::from(o))
            }),
            Op::WMulNswVs { d, a, b } => nsw_any!(u64, d, r(a), k(b), |x, y| {
                let (z, o) = (x as i64).overflowing_mul(y as i64);
                (z as u64, u64::from(o))
            }),
            Op::WAnd { d, a, b } => bin!(u64, d, r(a), r(b), |x, y| x & y),
            Op::WAndVs { d, a, b } => bin!(u64, d, r(a), k(b), |x, y| x & y),
            Op::WOr { d, a, b } => bin!(u64, d, r(a), r(b), |x, y| x | y),
            Op::WOrVs { d, a, b } => bin!(u64, d, r(a), k(b), |x, y| x | y),
            Op::WXor { d, a, b } => bin!(u64, d, r(a), r(b), |x, y| x ^ y),
            Op::WXorVs { d, a, b } => bin!(u64, d, r(a), k(b), |x, y| x ^ y),
            Op::WShl { d, a, b } => shift!(u64, d, r(a), r(b), |x, n| (
                if n < 64 { x.wrapping_shl(n as u32) } else { 0 },
                n >= 64
            )),
            Op::WShlVs { d, a, b } => shift!(u64, d, r(a), k(b), |x, n| (
                if n < 64 { x.wrapping_shl(n as u32) } else { 0 },
                n >= 64
            )),
            Op::WShlSv { d, a, b } => shift!(u64, d, k(a), r(b), |x, n| (
                if n < 64 { x.wrapping_shl(n as u32) } else { 0 },
                n >= 64
            )),
            Op::WLshr { d, a, b } => shift!(u64, d, r(a), r(b), |x, n| (
                if n < 64 { x.wrapping_shr(n as u32) } else { 0 },
                n >= 64
            )),
            Op::WLshrVs { d, a, b } => shift!(u64, d, r(a), k(b), |x, n| (
                if n < 64 { x.wrapping_shr(n as u32) } else { 0 },
                n >= 64
            )),
            Op::WLshrSv { d, a, b } => shift!(u64, d, k(a), r(b), |x, n| (
                if n < 64 { x.wrapping_shr(n as u32) } else { 0 },
                n >= 64
            )),
            Op::WAshr { d, a, b } => shift!(u64, d, r(a), r(b), |x, n| (
                (x as i64).wrapping_shr((if n < 64 { n } else { 63 }) as u32) as u64,
                n >= 64
            )),
            Op::WAshrVs { d, a, b } => shift!(u64, d, r(a), k(b), |x, n| (
                (x as i64).wrapping_shr((if n < 64 { n } else { 63 }) as u32) as u64,
                n >= 64
            )),
            Op::WAshrSv { d, a, b } => shift!(u64, d, k(a), r(b), |x, n| (
                (x as i64).wrapping_shr((if n < 64 { n } else { 63 }) as u32) as u64,
                n >= 64
            )),
            Op::WSmin { d, a, b } => bin!(u64, d, r(a), r(b), |x, y| (x as i64).min(y as i64) as u64),
            Op::WSminVs { d, a, b } => bin!(u64, d, r(a), k(b), |x, y| (x as i64).min(y as i64) as u64),
            Op::WSmax { d, a, b } => bin!(u64, d, r(a), r(b), |x, y| (x as i64).max(y as i64) as u64),
            Op::WSmaxVs { d, a, b } => bin!(u64, d, r(a), k(b), |x, y| (x as i64).max(y as i64) as u64),
            Op::WUmin { d, a, b } => bin!(u64, d, r(a), r(b), |x, y| x.min(y)),
            Op::WUminVs { d, a, b } => bin!(u64, d, r(a), k(b), |x, y| x.min(y)),
            Op::WUmax { d, a, b } => bin!(u64, d, r(a), r(b), |x, y| x.max(y)),
            Op::WUmaxVs { d, a, b } => bin!(u64, d, r(a), k(b), |x, y| x.max(y)),
            Op::WSdiv { d, a, b } => {
                sdiv!(u64, d, r(a), r(b), |x, y| (x as i64).wrapping_div(y as i64) as u64)
            }
            Op::WSdivVs { d, a, b } => {
                sdiv!(u64, d, r(a), k(b), |x, y| (x as i64).wrapping_div(y as i64) as u64)
            }
            Op::WSdivSv { d, a, b } => {
                sdiv!(u64, d, k(a), r(b), |x, y| (x as i64).wrapping_div(y as i64) as u64)
            }
            Op::WSrem { d, a, b } => {
                sdiv!(u64, d, r(a), r(b), |x, y| (x as i64).wrapping_rem(y as i64) as u64)
            }
            Op::WSremVs { d, a, b } => {
                sdiv!(u64, d, r(a), k(b), |x, y| (x as i64).wrapping_rem(y as i64) as u64)
            }
            Op::WSremSv { d, a, b } => {
                sdiv!(u64, d, k(a), r(b), |x, y| (x as i64).wrapping_rem(y as i64) as u64)
            }
            Op::WUdiv { d, a, b } => udiv!(u64, d, r(a), r(b), |x, y| x / y),
            Op::WUdivVs { d, a, b } => udiv!(u64, d, r(a), k(b), |x, y| x / y),
            Op::WUdivSv { d, a, b } => udiv!(u64, d, k(a), r(b), |x, y| x / y),
            Op::WUrem { d, a, b } => udiv!(u64, d, r(a), r(b), |x, y| x % y),
            Op::WUremVs { d, a, b } => udiv!(u64, d, r(a), k(b), |x, y| x % y),
            Op::WUremSv { d, a, b } => udiv!(u64, d, k(a), r(b), |x, y| x % y),
            Op::VSext8 { d, a } => map!(u32, d, r(a), |x| x as u8 as i8 as i32 as u32),
            Op::VSext16 { d, a } => map!(u32, d, r(a), |x| x as u16 as i16 as i32 as u32),
            Op::WSextV { d, a } => convert!(u32, u64, d, a, |x| x as i32 as i64 as u64),
            Op::WZextV { d, a } => convert!(u32, u64, d, a, |x| u64::from(x)),
            Op::VTruncW { d, a } => convert!(u64, u32, d, a, |x| x as u32),
            Op::VFadd { d, a, b } => {
                bin!(u32, d, r(a), r(b), |x, y| (f32::from_bits(x) + f32::from_bits(y)).to_bits())
            }
            Op::VFaddVs { d, a, b } => {
                bin!(u32, d, r(a), k(b), |x, y| (f32::from_bits(x) + f32::from_bits(y)).to_bits())
            }
            Op::VFsub { d, a, b } => {
                bin!(u32, d, r(a), r(b), |x, y| (f32::from_bits(x) - f32::from_bits(y)).to_bits())
            }
            Op::VFsubVs { d, a, b } => {
                bin!(u32, d, r(a), k(b), |x, y| (f32::from_bits(x) - f32::from_bits(y)).to_bits())
            }
            Op::VFsubSv { d, a, b } => {
                bin!(u32, d, k(a), r(b), |x, y| (f32::from_bits(x) - f32::from_bits(y)).to_bits())
            }
            Op::VFmul { d, a, b } => {
                bin!(u32, d, r(a), r(b), |x, y| (f32::from_bits(x) * f32::from_bits(y)).to_bits())
            }
            Op::VFmulVs { d, a, b } => {
                bin!(u32, d, r(a), k(b), |x, y| (f32::from_bits(x) * f32::from_bits(y)).to_bits())
            }
            Op::VFdiv { d, a, b } => {
                bin!(u32, d, r(a), r(b), |x, y| (f32::from_bits(x) / f32::from_bits(y)).to_bits())
            }
            Op::VFdivVs { d, a, b } => {
                bin!(u32, d, r(a), k(b), |x, y| (f32::from_bits(x) / f32::from_bits(y)).to_bits())
            }
            Op::VFdivSv { d, a, b } => {
                bin!(u32, d, k(a), r(b), |x, y| (f32::from_bits(x) / f32::from_bits(y)).to_bits())
            }
            Op::VFmin { d, a, b } => {
                bin!(u32, d, r(a), r(b), |x, y| (f32::from_bits(x).c_min(f32::from_bits(y))).to_bits())
            }
            Op::VFminVs { d, a, b } => {
                bin!(u32, d, r(a), k(b), |x, y| (f32::from_bits(x).c_min(f32::from_bits(y))).to_bits())
            }
            Op::VFmax { d, a, b } => {
                bin!(u32, d, r(a), r(b), |x, y| (f32::from_bits(x).c_max(f32::from_bits(y))).to_bits())
            }
            Op::VFmaxVs { d, a, b } => {
                bin!(u32, d, r(a), k(b), |x, y| (f32::from_bits(x).c_max(f32::from_bits(y))).to_bits())
            }
            Op::VFfma { d, a, b, c } => tri!(u32, d, r(a), r(b), r(c), |x, y, z| f32::from_bits(x)
                .mul_add(f32::from_bits(y), f32::from_bits(z))
                .to_bits()),
            Op::VFfmaVsv { d, a, b, c } => tri!(u32, d, r(a), k(b), r(c), |x, y, z| f32::from_bits(x)
                .mul_add(f32::from_bits(y), f32::from_bits(z))
                .to_bits()),
            Op::VFfmaVvs { d, a, b, c } => tri!(u32, d, r(a), r(b), k(c), |x, y, z| f32::from_bits(x)
                .mul_add(f32::from_bits(y), f32::from_bits(z))
                .to_bits()),
            Op::VFneg { d, a } => map!(u32, d, r(a), |x| x ^ (1 << 31)),
            Op::VFabs { d, a } => map!(u32, d, r(a), |x| x & !(1 << 31)),
            Op::VFsqrt { d, a } => map!(u32, d, r(a), |x| f32::from_bits(x).sqrt().to_bits()),
            Op::VFfloor { d, a } => map!(u32, d, r(a), |x| f32::from_bits(x).floor().to_bits()),
            Op::VFceil { d, a } => map!(u32, d, r(a), |x| f32::from_bits(x).ceil().to_bits()),
            Op::VFtrunc { d, a } => map!(u32, d, r(a), |x| f32::from_bits(x).trunc().to_bits()),
            Op::VFnearest { d, a } => map!(u32, d, r(a), |x| f32::from_bits(x).round_ties_even().to_bits()),
            Op::WFadd { d, a, b } => {
                bin!(u64, d, r(a), r(b), |x, y| (f64::from_bits(x) + f64::from_bits(y)).to_bits())
            }
            Op::WFaddVs { d, a, b } => {
                bin!(u64, d, r(a), k(b), |x, y| (f64::from_bits(x) + f64::from_bits(y)).to_bits())
            }
            Op::WFsub { d, a, b } => {
                bin!(u64, d, r(a), r(b), |x, y| (f64::from_bits(x) - f64::from_bits(y)).to_bits())
            }
            Op::WFsubVs { d, a, b } => {
                bin!(u64, d, r(a), k(b), |x, y| (f64::from_bits(x) - f64::from_bits(y)).to_bits())
            }
            Op::WFsubSv { d, a, b } => {
                bin!(u64, d, k(a), r(b), |x, y| (f64::from_bits(x) - f64::from_bits(y)).to_bits())
            }
            Op::WFmul { d, a, b } => {
                bin!(u64, d, r(a), r(b), |x, y| (f64::from_bits(x) * f64::from_bits(y)).to_bits())
            }
            Op::WFmulVs { d, a, b } => {
                bin!(u64, d, r(a), k(b), |x, y| (f64::from_bits(x) * f64::from_bits(y)).to_bits())
            }
            Op::WFdiv { d, a, b } => {
                bin!(u64, d, r(a), r(b), |x, y| (f64::from_bits(x) / f64::from_bits(y)).to_bits())
            }
            Op::WFdivVs { d, a, b } => {
                bin!(u64, d, r(a), k(b), |x, y| (f64::from_bits(x) / f64::from_bits(y)).to_bits())
            }
            Op::WFdivSv { d, a, b } => {
                bin!(u64, d, k(a), r(b), |x, y| (f64::from_bits(x) / f64::from_bits(y)).to_bits())
            }
            Op::WFmin { d, a, b } => {
                bin!(u64, d, r(a), r(b), |x, y| (f64::from_bits(x).c_min(f64::from_bits(y))).to_bits())
            }
            Op::WFminVs { d, a, b } => {
                bin!(u64, d, r(a), k(b), |x, y| (f64::from_bits(x).c_min(f64::from_bits(y))).to_bits())
            }
            Op::WFmax { d, a, b } => {
                bin!(u64, d, r(a), r(b), |x, y| (f64::from_bits(x).c_max(f64::from_bits(y))).to_bits())
            }
            Op::WFmaxVs { d, a, b } => {
                bin!(u64, d, r(a), k(b), |x, y| (f64::from_bits(x).c_max(f64::from_bits(y))).to_bits())
            }
            Op::WFfma { d, a, b, c } => tri!(u64, d, r(a), r(b), r(c), |x, y, z| f64::from_bits(x)
                .mul_add(f64::from_bits(y), f64::from_bits(z))
                .to_bits()),
            Op::WFfmaVsv { d, a, b, c } => tri!(u64, d, r(a), k(b), r(c), |x, y, z| f64::from_bits(x)
                .mul_add(f64::from_bits(y), f64::from_bits(z))
                .to_bits()),
            Op::WFfmaVvs { d, a, b, c } => tri!(u64, d, r(a), r(b), k(c), |x, y, z| f64::from_bits(x)
                .mul_add(f64::from_bits(y), f64::from_bits(z))
                .to_bits()),
            Op::WFneg { d, a } => map!(u64, d, r(a), |x| x ^ (1 << 63)),
            Op::WFabs { d, a } => map!(u64, d, r(a), |x| x & !(1 << 63)),
            Op::WFsqrt { d, a } => map!(u64, d, r(a), |x| f64::from_bits(x).sqrt().to_bits()),
            Op::WFfloor { d, a } => map!(u64, d, r(a), |x| f64::from_bits(x).floor().to_bits()),
            Op::WFceil { d, a } => map!(u64, d, r(a), |x| f64::from_bits(x).ceil().to_bits()),
            Op::WFtrunc { d, a } => map!(u64, d, r(a), |x| f64::from_bits(x).trunc().to_bits()),
            Op::WFnearest { d, a } => map!(u64, d, r(a), |x| f64::from_bits(x).round_ties_even().to_bits()),
            Op::VSitofp { d, a } => map!(u32, d, r(a), |x| (x as i32 as f32).to_bits()),
            Op::VUitofp { d, a } => map!(u32, d, r(a), |x| (x as f32).to_bits()),
            Op::WSitofpV { d, a } => convert!(u32, u64, d, a, |x| f64::from(x as i32).to_bits()),
            Op::WUitofpV { d, a } => convert!(u32, u64, d, a, |x| f64::from(x).to_bits()),
            Op::WSitofp { d, a } => map!(u64, d, r(a), |x| (x as i64 as f64).to_bits()),
            Op::VFptosi { d, a } => map!(u32, d, r(a), |x| f32::from_bits(x) as i32 as u32),
            Op::VFptoui { d, a } => map!(u32, d, r(a), |x| f32::from_bits(x) as u32),
            Op::VFptosiW { d, a } => convert!(u64, u32, d, a, |x| f64::from_bits(x) as i32 as u32),
            Op::WFpextV { d, a } => convert!(u32, u64, d, a, |x| f64::from(f32::from_bits(x)).to_bits()),
            Op::VFptruncW { d, a } => convert!(u64, u32, d, a, |x| (f64::from_bits(x) as f32).to_bits()),
            Op::PMov { d, a } => pred!(d, cx.v.pred(a)),
            Op::PSplat { d, a } => pred!(d, if cx.s.get(a) & 1 != 0 { ALL } else { Mask::NONE }),
            Op::PAnd { d, a, b } => pred!(d, cx.v.pred(a).and(&cx.v.pred(b))),
            Op::POr { d, a, b } => pred!(d, cx.v.pred(a).or(&cx.v.pred(b))),
            Op::PXor { d, a, b } => pred!(d, xor(&cx.v.pred(a), &cx.v.pred(b))),
            Op::PAndNot { d, a, b } => pred!(d, cx.v.pred(a).without(&cx.v.pred(b))),
            Op::PNot { d, a } => pred!(d, ALL.without(&cx.v.pred(a))),
            Op::PFromV { d, a } => cmp!(u32, d, r(a), r(a), |x, _y| x & 1 != 0),
            Op::PFromW { d, a } => cmp!(u64, d, r(a), r(a), |x, _y| x & 1 != 0),
            Op::VFromP { d, a } => from_pred!(u32, d, a),
            Op::WFromP { d, a } => from_pred!(u64, d, a),
            Op::VCmpEq { d, a, b } => cmp!(u32, d, r(a), r(b), |x, y| x == y),
            Op::VCmpNe { d, a, b } => cmp!(u32, d, r(a), r(b), |x, y| x != y),
            Op::VCmpSlt { d, a, b } => cmp!(u32, d, r(a), r(b), |x, y| (x as i32) < (y as i32)),
            Op::VCmpSle { d, a, b } => cmp!(u32, d, r(a), r(b), |x, y| (x as i32) <= (y as i32)),
            Op::VCmpUlt { d, a, b } => cmp!(u32, d, r(a), r(b), |x, y| x < y),
            Op::VCmpUle { d, a, b } => cmp!(u32, d, r(a), r(b), |x, y| x <= y),
            Op::VCmpEqVs { d, a, b } => cmp!(u32, d, r(a), k(b), |x, y| x == y),
            Op::VCmpNeVs { d, a, b } => cmp!(u32, d, r(a), k(b), |x, y| x != y),
            Op::VCmpSltVs { d, a, b } => cmp!(u32, d, r(a), k(b), |x, y| (x as i32) < (y as i32)),
            Op::VCmpSleVs { d, a, b } => cmp!(u32, d, r(a), k(b), |x, y| (x as i32) <= (y as i32)),
            Op::VCmpSgtVs { d, a, b } => cmp!(u32, d, r(a), k(b), |x, y| (x as i32) > (y as i32)),
            Op::VCmpSgeVs { d, a, b } => cmp!(u32, d, r(a), k(b), |x, y| (x as i32) >= (y as i32)),
            Op::VCmpUltVs { d, a, b } => cmp!(u32, d, r(a), k(b), |x, y| x < y),
            Op::VCmpUleVs { d, a, b } => cmp!(u32, d, r(a), k(b), |x, y| x <= y),
            Op::VCmpUgtVs { d, a, b } => cmp!(u32, d, r(a), k(b), |x, y| x > y),
            Op::VCmpUgeVs { d, a, b } => cmp!(u32, d, r(a), k(b), |x, y| x >= y),
            Op::VFcmpOeq { d, a, b } => {
                cmp!(u32, d, r(a), r(b), |x, y| f32::from_bits(x) == f32::from_bits(y))
            }
            Op::VFcmpOeqVs { d, a, b } => {
                cmp!(u32, d, r(a), k(b), |x, y| f32::from_bits(x) == f32::from_bits(y))
            }
            Op::VFcmpUne { d, a, b } => {
                cmp!(u32, d, r(a), r(b), |x, y| f32::from_bits(x) != f32::from_bits(y))
            }
            Op::VFcmpUneVs { d, a, b } => {
                cmp!(u32, d, r(a), k(b), |x, y| f32::from_bits(x) != f32::from_bits(y))
            }
            Op::VFcmpOlt { d, a, b } => {
                cmp!(u32, d, r(a), r(b), |x, y| f32::from_bits(x) < f32::from_bits(y))
            }
            Op::VFcmpOltVs { d, a, b } => {
                cmp!(u32, d, r(a), k(b), |x, y| f32::from_bits(x) < f32::from_bits(y))
            }
            Op::VFcmpOle { d, a, b } => {
                cmp!(u32, d, r(a), r(b), |x, y| f32::from_bits(x) <= f32::from_bits(y))
            }
            Op::VFcmpOleVs { d, a, b } => {
                cmp!(u32, d, r(a), k(b), |x, y| f32::from_bits(x) <= f32::from_bits(y))
            }
            Op::VFcmpOgtVs { d, a, b } => {
                cmp!(u32, d, r(a), k(b), |x, y| f32::from_bits(x) > f32::from_bits(y))
            }
            Op::VFcmpOgeVs { d, a, b } => {
                cmp!(u32, d, r(a), k(b), |x, y| f32::from_bits(x) >= f32::from_bits(y))
            }
            Op::WCmpEq { d, a, b } => cmp!(u64, d, r(a), r(b), |x, y| x == y),
            Op::WCmpNe { d, a, b } => cmp!(u64, d, r(a), r(b), |x, y| x != y),
            Op::WCmpSlt { d, a, b } => cmp!(u64, d, r(a), r(b), |x, y| (x as i64) < (y as i64)),
            Op::WCmpSle { d, a, b } => cmp!(u64, d, r(a), r(b), |x, y| (x as i64) <= (y as i64)),
            Op::WCmpUlt { d, a, b } => cmp!(u64, d, r(a), r(b), |x, y| x < y),
            Op::WCmpUle { d, a, b } => cmp!(u64, d, r(a), r(b), |x, y| x <= y),
            Op::WCmpEqVs { d, a, b } => cmp!(u64, d, r(a), k(b), |x, y| x == y),
            Op::WCmpNeVs { d, a, b } => cmp!(u64, d, r(a), k(b), |x, y| x != y),
            Op::WCmpSltVs { d, a, b } => cmp!(u64, d, r(a), k(b), |x, y| (x as i64) < (y as i64)),
            Op::WCmpSleVs { d, a, b } => cmp!(u64, d, r(a), k(b), |x, y| (x as i64) <= (y as i64)),
            Op::WCmpSgtVs { d, a, b } => cmp!(u64, d, r(a), k(b), |x, y| (x as i64) > (y as i64)),
            Op::WCmpSgeVs { d, a, b } => cmp!(u64, d, r(a), k(b), |x, y| (x as i64) >= (y as i64)),
            Op::WCmpUltVs { d, a, b } => cmp!(u64, d, r(a), k(b), |x, y| x < y),
            Op::WCmpUleVs { d, a, b } => cmp!(u64, d, r(a), k(b), |x, y| x <= y),
            Op::WCmpUgtVs { d, a, b } => cmp!(u64, d, r(a), k(b), |x, y| x > y),
            Op::WCmpUgeVs { d, a, b } => cmp!(u64, d, r(a), k(b), |x, y| x >= y),
            Op::WFcmpOeq { d, a, b } => {
                cmp!(u64, d, r(a), r(b), |x, y| f64::from_bits(x) == f64::from_bits(y))
            }
            Op::WFcmpOeqVs { d, a, b } => {
                cmp!(u64, d, r(a), k(b), |x, y| f64::from_bits(x) == f64::from_bits(y))
            }
            Op::WFcmpUne { d, a, b } => {
                cmp!(u64, d, r(a), r(b), |x, y| f64::from_bits(x) != f64::from_bits(y))
            }
            Op::WFcmpUneVs { d, a, b } => {
                cmp!(u64, d, r(a), k(b), |x, y| f64::from_bits(x) != f64::from_bits(y))
            }
            Op::WFcmpOlt { d, a, b } => {
                cmp!(u64, d, r(a), r(b), |x, y| f64::from_bits(x) < f64::from_bits(y))
            }
            Op::WFcmpOltVs { d, a, b } => {
                cmp!(u64, d, r(a), k(b), |x, y| f64::from_bits(x) < f64::from_bits(y))
            }
            Op::WFcmpOle { d, a, b } => {
                cmp!(u64, d, r(a), r(b), |x, y| f64::from_bits(x) <= f64::from_bits(y))
            }
            Op::WFcmpOleVs { d, a, b } => {
                cmp!(u64, d, r(a), k(b), |x, y| f64::from_bits(x) <= f64::from_bits(y))
            }
            Op::WFcmpOgtVs { d, a, b } => {
                cmp!(u64, d, r(a), k(b), |x, y| f64::from_bits(x) > f64::from_bits(y))
            }
            Op::WFcmpOgeVs { d, a, b } => {
                cmp!(u64, d, r(a), k(b), |x, y| f64::from_bits(x) >= f64::from_bits(y))
            }
            Op::WPtrIdx { d, base, index, scale, disp, ext } => {
                ptr_idx!(d, k(base), index, u32, |i| extend(i, ext), scale, disp)
            }
            Op::WPtrIdxW { d, base, index, scale, disp } => {
                ptr_idx!(d, k(base), index, u64, |i| i as i64, scale, disp)
            }
            Op::WPtrIdxP { d, base, index, scale, disp, ext } => {
                ptr_idx!(d, r(base), index, u32, |i| extend(i, ext), scale, disp)
            }
            Op::WPtrIdxPw { d, base, index, scale, disp } => {
                ptr_idx!(d, r(base), index, u64, |i| i as i64, scale, disp)
            }
            Op::WPtrIdxPs { d, base, index } => {
                bin!(u64, d, r(base), k(index), |p, i| Ptr(p).add(i as i64).0)
            }
            Op::WPtrAddI { d, a, imm } => map!(u64, d, r(a), |p| Ptr(p).add(i64::from(imm)).0),
            _ => return None,
        }
        *pc += 1;
    }
}
