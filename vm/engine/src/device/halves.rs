//! Conversions between half and single precision without branches, so that the compiler does several lanes at once (Giesen,
//! "Half to float done quic" and "Float->half variants", 2012).

/// Bits by which the exponents' biases differ, as the exponent of a single.
const REBIAS: u32 = (127 - 15) << 23;
/// The least normal half, as a single.
const LEAST_NORMAL: u32 = 113 << 23;
/// Adding it to a single below the least normal half leaves the half's bits at the end of the sum, rounded.
const TO_THE_END: u32 = (127 - 15 + 23 - 10 + 1) << 23;

/// The bits of the single that has a half's value. A NaN keeps its payload, and is quiet.
#[inline(always)]
pub(super) fn to_single(half: u32) -> u32 {
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
pub(super) fn to_half(single: u32) -> u32 {
    let sign = single >> 16 & 0x8000;
    let size = single & 0x7fff_ffff;
    let odd = size >> 13 & 1;
    let normal = size.wrapping_sub(REBIAS).wrapping_add(0xfff).wrapping_add(odd) >> 13;
    let small = (f32::from_bits(size) + f32::from_bits(TO_THE_END)).to_bits().wrapping_sub(TO_THE_END);
    let nan = if size > 255 << 23 { 0x200 | size >> 13 & 0x3ff } else { 0 };
    let finite = if size < LEAST_NORMAL { small } else { normal };
    sign | if size >= (127 + 16) << 23 { 0x7c00 | nan } else { finite }
}

#[cfg(test)]
mod tests {
    use super::*;
    use half::f16;

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
}
