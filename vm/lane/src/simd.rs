//! The choice of instruction set at run time.
//!
//! A [`Kernel`] is written once, in loops that the compiler vectorises; [`dispatch`] runs it inside a function
//! that is compiled for AVX2 where the machine has it, and as baseline code elsewhere.

#![allow(unsafe_code)]

use std::sync::atomic::{AtomicU8, Ordering};

/// Work whose `run` is inlined into a function compiled for the machine's instruction set. Implement `run`
/// with `#[inline(always)]`, and so everything it calls in its loops.
pub trait Kernel {
    /// The result.
    type Out;
    /// Does it. With `AVX2` the function is compiled for it, and may call what needs it.
    fn run<const AVX2: bool>(self) -> Self::Out;
}

const UNKNOWN: u8 = 0;
const BASELINE: u8 = 1;
const AVX2: u8 = 2;

static LEVEL: AtomicU8 = AtomicU8::new(UNKNOWN);

/// Whether this processor runs the AVX2 copies: it has AVX2, FMA, F16C and both sets of bit instructions, and
/// `CUDAIR_BASELINE` is not set.
#[inline]
pub fn has_avx2() -> bool {
    level() == AVX2
}

#[inline(always)]
fn level() -> u8 {
    match LEVEL.load(Ordering::Relaxed) {
        UNKNOWN => detect(),
        known => known,
    }
}

#[cold]
fn detect() -> u8 {
    #[cfg(target_arch = "x86_64")]
    let level = if std::env::var_os("CUDAIR_BASELINE").is_none()
        && is_x86_feature_detected!("avx2")
        && is_x86_feature_detected!("fma")
        && is_x86_feature_detected!("f16c")
        && is_x86_feature_detected!("bmi1")
        && is_x86_feature_detected!("bmi2")
    {
        AVX2
    } else {
        BASELINE
    };
    #[cfg(not(target_arch = "x86_64"))]
    let level = BASELINE;
    LEVEL.store(level, Ordering::Relaxed);
    level
}

/// Runs a kernel.
#[inline(always)]
pub fn dispatch<K: Kernel>(kernel: K) -> K::Out {
    #[cfg(target_arch = "x86_64")]
    if level() == AVX2 {
        // SAFETY: the machine has these instructions.
        return unsafe { run_avx2(kernel) };
    }
    kernel.run::<false>()
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma,f16c,bmi1,bmi2,popcnt,lzcnt")]
fn run_avx2<K: Kernel>(kernel: K) -> K::Out {
    kernel.run::<true>()
}

/// `avx2::Sweep` over the cells of a chunk, for kernels outside this folder: whether there is a conflict.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
pub fn avx2_sweep<const PER_LANE: i32>(
    (first, several, atomic): (u32, u32, u32),
    write: &mut [u32],
    read: &mut [u32],
    me0: u32,
    word: u16,
    reads: bool,
) -> bool {
    debug_assert_eq!(level(), AVX2);
    // SAFETY: called from kernels that run with `AVX2` only.
    unsafe {
        let mut sweep = super::avx2::Sweep::new(first, several, atomic);
        sweep.cells::<PER_LANE>(write, read, me0, word, reads);
        sweep.end()
    }
}

/// `avx2::Sweep` over a cell each of threads in a row, as many as a multiple of eight: whether there is a conflict.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
pub fn avx2_run(
    (first, several, atomic): (u32, u32, u32),
    write: &mut [u32],
    read: &mut [u32],
    me0: u32,
    reads: bool,
) -> bool {
    debug_assert_eq!(level(), AVX2);
    // SAFETY: called from kernels that run with `AVX2` only.
    unsafe {
        let mut sweep = super::avx2::Sweep::new(first, several, atomic);
        sweep.run(write, read, me0, reads);
        sweep.end()
    }
}

/// `avx2::steps` for kernels outside this folder.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
pub fn avx2_steps(words: &[u32; 16], step: u32) -> bool {
    debug_assert_eq!(level(), AVX2);
    // SAFETY: called from kernels that run with `AVX2` only.
    unsafe { super::avx2::steps(words, step) }
}

/// `avx2::Sweep` over cells that lie apart by a power of two: whether there is a conflict.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
pub fn avx2_strided<const STEP: i32>(
    (first, several, atomic): (u32, u32, u32),
    write: &mut [u32],
    read: &mut [u32],
    me0: u32,
    word: u16,
    reads: bool,
) -> bool {
    debug_assert_eq!(level(), AVX2);
    // SAFETY: called from kernels that run with `AVX2` only.
    unsafe {
        let mut sweep = super::avx2::Sweep::new(first, several, atomic);
        sweep.strided::<STEP>(write, read, me0, word, reads);
        sweep.end()
    }
}

/// `avx2::halves` for kernels outside this folder.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
pub fn avx2_halves(singles: &[u32; 16]) -> [u32; 16] {
    debug_assert_eq!(level(), AVX2);
    // SAFETY: called from kernels that run with `AVX2` only.
    unsafe { super::avx2::halves(singles) }
}

/// `avx2::singles` for kernels outside this folder.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
pub fn avx2_singles(halves: &[u32; 16]) -> [u32; 16] {
    debug_assert_eq!(level(), AVX2);
    // SAFETY: called from kernels that run with `AVX2` only.
    unsafe { super::avx2::singles(halves) }
}

/// `avx2::fused_singles` for kernels outside this folder.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
pub fn avx2_fused_singles(args: &[[u32; 16]; 3]) -> Option<[u32; 16]> {
    debug_assert_eq!(level(), AVX2);
    // SAFETY: called from kernels that run with `AVX2` only.
    unsafe { super::avx2::fused_singles(args) }
}
