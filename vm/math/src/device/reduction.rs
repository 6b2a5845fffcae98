//! Arguments of sines and cosines in double precision, less a multiple of half of pi.

use super::double::{fma, high};
use super::hardware::INVALID;

/// 2 over pi as a binary fraction, from its most significant word on: as many bits as any number needs.
const TWO_OVER_PI: [u64; 18] = [
    0xa2f9_836e_4e44_1529,
    0xfc27_57d1_f534_ddc0,
    0xdb62_9599_3c43_9041,
    0xfe51_63ab_debb_c561,
    0xb724_6e3a_424d_d2e0,
    0x0649_2eea_09d1_921c,
    0xfe1d_eb1c_b129_a73e,
    0xe882_35f5_2ebb_4484,
    0xe99c_7026_b45f_7e41,
    0x3991_d639_8353_39f4,
    0x9c84_5f8b_bdf9_283b,
    0x1ff8_97ff_de05_980f,
    0xef2f_118b_5a0a_6d1f,
    0x6d36_7ecf_27cb_09b7,
    0x4f46_3f66_9e5f_ea2d,
    0x7527_bac7_ebe5_f17b,
    0x3d07_39f7_8a52_92ea,
    0x6bfb_5fb1_1f8d_5d08,
];
/// Half of pi, its first 64 bits.
const HALF_PI: u64 = 0xc90f_daa2_2168_c235;

/// What is left of the argument, and the quadrant.
#[inline(always)]
pub(super) fn reduce(x: f64) -> (f64, i32) {
    if x.abs() == f64::INFINITY {
        return (INVALID, 0);
    }
    if x.abs() >= 2_147_483_648.0 {
        return reduce_large(x);
    }
    let quadrant = (x * 0.636_619_772_367_581_4).round_ties_even() as i32;
    let n = -f64::from(quadrant);
    let t = fma(n, 6.123_233_995_736_757e-17, fma(n, std::f64::consts::FRAC_PI_2, x));
    (fma(n, 8.478_427_660_368_898e-32, t), quadrant)
}

/// The product with those words of 2 over pi that make neither a whole number of turns nor too little.
fn reduce_large(x: f64) -> (f64, i32) {
    let exponent = (high(x) as u32 >> 20 & 0x7ff) as usize - 1024;
    let (skip, shift) = (exponent >> 6, exponent & 63);
    let mantissa = x.to_bits() << 11 | 1 << 63;
    // Three or four words, from the least significant one.
    let last = skip + 3;
    let first = skip.saturating_sub(1);
    let mut words = [0u64; 5];
    let mut carry = 0u128;
    let mut n = 0;
    for k in (first..last).rev() {
        let sum = u128::from(TWO_OVER_PI[k]) * u128::from(mantissa) + carry;
        words[n] = sum as u64;
        carry = sum >> 64;
        n += 1;
    }
    words[n] = carry as u64;
    let mut wide = u128::from(words[3]) << 64 | u128::from(words[2]);
    if shift > 0 {
        wide = wide << shift | u128::from(words[1] >> (64 - shift));
    }
    let up = (wide >> 125 & 1) as i32;
    let quadrant = (wide >> 126) as i32 + up;
    let fraction = wide << 2;
    let magnitude = if up == 1 { fraction.wrapping_neg() } else { fraction };
    let negative = x.is_sign_negative();
    // Normalised, times half of pi, rounded to the mantissa's width.
    let mut zeros = u64::from(((magnitude >> 64) as u64).leading_zeros());
    let normal = (magnitude << zeros >> 64) as u64;
    let mut product = u128::from(normal) * u128::from(HALF_PI);
    let upper = (product >> 64) as i64;
    if upper > 0 {
        product <<= 1;
        zeros += 1;
    }
    let mantissa = ((((product >> 64) as u64).wrapping_add(1) >> 10) + 1) >> 1;
    let bits = 0x3fe0_0000_0000_0000u64.wrapping_sub(zeros << 52).wrapping_add(mantissa);
    let bits = bits | u64::from(negative != (up == 1)) << 63;
    (f64::from_bits(bits), if negative { -quadrant } else { quadrant })
}
