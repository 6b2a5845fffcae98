//! Conversions between half and single precision without branches, so that the compiler does several lanes at once (Giesen,
//! "Half to float done quic" and "Float->half variants", 2012), where the machine has no instruction for them; and what is computed
//! in single precision in between.

use cudair_lane::CHUNK;
#[cfg(target_arch = "x86_64")]
use cudair_lane::simd;

/// Bits by which the exponents' biases differ, as the exponent of a single.
const REBIAS: u32 = (127 - 15) << 23;
/// The least normal half, as a single.
const LEAST_NORMAL: u32 = 113 << 23;
/// Adding it to a single below the least normal half leaves the half's bits at the end of the sum, rounded.
const TO_THE_END: u32 = (127 - 15 + 23 - 10 + 1) << 23;

/// The bits of the single that has a half's value. A NaN keeps its payload, and is quiet.
#[inline(always)]
fn to_single(half: u32) -> u32 {
    let sign = (half & 0x8000) << 16;
    let size = (half & 0x7fff) << 13;
    let normal = size.wrapping_add(REBIAS);
    let small = (f32::from_bits(size.wrapping_add(LEAST_NORMAL)) - f32::from_bits(LEAST_NORMAL)).to_bits();
    let nan = if size > 0x7c00 << 13 { 1 << 22 } else { 0 };
    let special = size.wrapping_add(2 * REBIAS) | nan;
    let finite = if size < 0x400 << 13 { small } else { normal };
    sign | if size >= 0x7c00 << 13 { special } else { finite }
}

/// The bits of the half nearest to a single's value, of two the even one. A NaN keeps the upper bits of its payload, and is quiet.
#[inline(always)]
fn to_half(single: u32) -> u32 {
    let sign = single >> 16 & 0x8000;
    let size = single & 0x7fff_ffff;
    let odd = size >> 13 & 1;
    let normal = size.wrapping_sub(REBIAS).wrapping_add(0xfff).wrapping_add(odd) >> 13;
    let small = (f32::from_bits(size) + f32::from_bits(TO_THE_END)).to_bits().wrapping_sub(TO_THE_END);
    let nan = if size > 255 << 23 { 0x200 | size >> 13 & 0x3ff } else { 0 };
    let finite = if size < LEAST_NORMAL { small } else { normal };
    sign | if size >= (127 + 16) << 23 { 0x7c00 | nan } else { finite }
}

/// The singles that have a chunk of halves' values, of which the upper bits do not count.
#[inline(always)]
pub(super) fn to_singles<const AVX2: bool>(halves: [u32; CHUNK]) -> [u32; CHUNK] {
    #[cfg(target_arch = "x86_64")]
    if AVX2 {
        return simd::avx2_singles(&halves);
    }
    std::array::from_fn(|i| to_single(halves[i] & 0xffff))
}

/// The halves nearest to a chunk of singles.
#[inline(always)]
pub(super) fn to_halves<const AVX2: bool>(singles: [u32; CHUNK]) -> [u32; CHUNK] {
    #[cfg(target_arch = "x86_64")]
    if AVX2 {
        return simd::avx2_halves(&singles);
    }
    std::array::from_fn(|i| to_half(singles[i]))
}

/// `a * b + c` of halves that were widened, so that the nearest half is the one nearest to the exact result. And whether a result is
/// no number.
#[inline(always)]
pub(super) fn fused<const AVX2: bool>(args: [[u32; CHUNK]; 3]) -> ([u32; CHUNK], bool) {
    #[cfg(target_arch = "x86_64")]
    if AVX2 && let Some(sums) = simd::avx2_fused_singles(&args) {
        return (sums, false);
    }
    rounded_to_odd(args)
}

/// `a * b + c`, rounded to odd, so that a second rounding is right (Boldo and Melquiond, "Emulation of FMA and correctly rounded sums",
/// 2008). And whether a result is no number.
#[inline(always)]
fn rounded_to_odd([a, b, c]: [[u32; CHUNK]; 3]) -> ([u32; CHUNK], bool) {
    let mut out = [0; CHUNK];
    let mut any_nan = false;
    for i in 0..CHUNK {
        let (a, b, c) = (f32::from_bits(a[i]), f32::from_bits(b[i]), f32::from_bits(c[i]));
        // Two significands of 11 bits have a product of 22.
        let product = a * b;
        let sum = product + c;
        // The error of the sum, exactly (Knuth's two-sum).
        let part = sum - product;
        let error = (product - (sum - part)) + (c - part);
        let bits = sum.to_bits();
        let step = if (error > 0.0) == (sum > 0.0) { 1 } else { u32::MAX };
        // The error of what is infinite is no number, and no reason for a step.
        let is_even = if bits & 1 == 0 { u32::MAX } else { 0 };
        let step = if error.abs() > 0.0 { step & is_even } else { 0 };
        out[i] = bits.wrapping_add(step);
        any_nan |= sum.is_nan();
    }
    (out, any_nan)
}

#[cfg(test)]
mod tests {
    use super::*;
    use cudair_lane::simd::{Kernel, dispatch};
    use half::f16;

    /// Both conversions of a chunk.
    struct Both([u32; CHUNK]);

    impl Kernel for Both {
        type Out = [[u32; CHUNK]; 2];

        #[inline(always)]
        fn run<const AVX2: bool>(self) -> Self::Out {
            [to_singles::<AVX2>(self.0), to_halves::<AVX2>(self.0)]
        }
    }

    #[test]
    fn the_machine_converts_as_we_do() {
        let mut bits = 1u32;
        for n in 0..200_000u32 {
            let chunk = std::array::from_fn(|i| {
                bits = bits.wrapping_mul(0x0019_660d).wrapping_add(0x3c6e_f35f);
                // Also near the ends of the halves' range, and what is no number.
                match n % 4 {
                    0 => bits,
                    1 => (0x3300_0000 + (bits >> 6)) | (bits << 31),
                    2 => (0x4770_0000 + (bits >> 10)) | (bits << 31),
                    _ => 0x7f80_0000 | (bits >> i),
                }
            });
            assert_eq!(dispatch(Both(chunk)), [chunk.map(|b| to_single(b & 0xffff)), chunk.map(to_half)]);
        }
    }

    #[test]
    fn every_half_is_widened() {
        for bits in 0..=u16::MAX {
            let wanted = f16::from_bits(bits).to_f32().to_bits();
            assert_eq!(to_single(u32::from(bits)), wanted, "{bits:#06x}");
        }
    }

    #[test]
    fn singles_are_rounded() {
        // All upper halves, each with lower ones on both sides of a half's last bit, and some between.
        for upper in 0..=u16::MAX {
            let lowers =
                [0, 1, 0x7ff, 0xfff, 0x1000, 0x1001, 0x1fff, 0x2000, 0x3000, 0x5000, 0x8000, 0xf000, 0xffff];
            for lower in lowers {
                let bits = u32::from(upper) << 16 | lower;
                let wanted = f16::from_f32(f32::from_bits(bits)).to_bits();
                assert_eq!(to_half(bits), u32::from(wanted), "{bits:#010x}");
            }
        }
    }

    /// Products and sums as this machine computes them.
    struct Fused([[u32; CHUNK]; 3]);

    impl Kernel for Fused {
        type Out = ([u32; CHUNK], bool);

        #[inline(always)]
        fn run<const AVX2: bool>(self) -> Self::Out {
            fused::<AVX2>(self.0)
        }
    }

    fn fused_here(args: [[u32; CHUNK]; 3]) -> ([u32; CHUNK], bool) {
        dispatch(Fused(args))
    }

    #[test]
    fn products_and_sums_are_rounded_once() {
        use cudair_ir::eval::ternary;
        use cudair_ir::{TernaryOp, Type};
        let mut state = 7u32;
        for n in 0..100_000u32 {
            let mut chunk = |near: u32| -> [u32; CHUNK] {
                std::array::from_fn(|_| {
                    state = state.wrapping_mul(0x0019_660d).wrapping_add(0x3c6e_f35f);
                    // Of any size, or of like ones, so that the sum has bits of both.
                    if n % 2 == 0 { state >> 16 } else { (near + (state >> 20)) ^ ((state << 15) & 0x8000) }
                })
            };
            let [a, b, c] = [chunk(0x3800), chunk(0x3000), chunk(0x2c00)];
            let widened = [a, b, c].map(|x| x.map(|half| to_single(half & 0xffff)));
            let wanted: [u32; CHUNK] = std::array::from_fn(|i| {
                let [x, y, z] = [a[i], b[i], c[i]].map(|half| u128::from(half & 0xffff));
                ternary(TernaryOp::Fma, Type::F16, x, y, z) as u32
            });
            // Also one operation at a time: in a chunk of any numbers some result lies in the middle, or is small.
            let alone: [u32; CHUNK] =
                std::array::from_fn(|i| fused_here(widened.map(|x| [x[i]; CHUNK])).0[0]);
            for sums in [fused_here(widened).0, fused::<false>(widened).0, alone] {
                for i in (0..CHUNK).filter(|&i| !f32::from_bits(sums[i]).is_nan()) {
                    let [x, y, z] = [a[i], b[i], c[i]];
                    assert_eq!(to_half(sums[i]), wanted[i], "{x:#06x} * {y:#06x} + {z:#06x}");
                }
            }
        }
    }
}
