//! CUDA's elementary functions in single precision, step by step as the device library takes them: the reduction
//! of the argument, the polynomial with its coefficients, the order of roundings. So results agree to the last
//! bit where only arithmetic is involved; where the hardware approximates ([`super::hardware`]), mostly.

use super::super::sys;
use super::hardware::*;

const LN_2: f32 = 0.693_147_2;
/// Two factors of half of pi, the product of which is nearer to it than one number.
const HALF_PI: (f32, f32) = (0.933_189_45, 1.683_255_6);

#[inline(always)]
fn fma(a: f32, b: f32, c: f32) -> f32 {
    a.mul_add(b, c)
}

/// Bits as a signed number: magnitudes of positive numbers in order.
#[inline(always)]
fn bits(x: f32) -> i32 {
    x.to_bits() as i32
}

#[inline(always)]
fn from_bits(x: i32) -> f32 {
    f32::from_bits(x as u32)
}

// Logarithms.

/// A positive number as a power of two and a factor in `[least, 2 * least)`; the least has these bits. The number
/// itself too, scaled where it was denormal.
#[inline(always)]
fn split(x: f32, least: i32) -> (f32, f32, f32) {
    let (x, start) = if x < f32::MIN_POSITIVE { (x * 8_388_608.0, -23.0) } else { (x, 0.0) };
    let exponent = bits(x).wrapping_sub(least) & -0x80_0000;
    (fma(exponent as f32, f32::EPSILON, start), from_bits(bits(x).wrapping_sub(exponent)), x)
}

/// What a logarithm is of no positive number, of infinity and of zero.
#[inline(always)]
fn log_ends(x: f32, result: f32) -> f32 {
    let result = if x.to_bits() < 0x7f80_0000 { result } else { fma(x, f32::INFINITY, f32::INFINITY) };
    if x == 0.0 { f32::NEG_INFINITY } else { result }
}

#[inline(always)]
fn log_unscaled(x: f32) -> (f32, f32) {
    let (exponent, m, x) = split(x, 0x3f2a_aaab);
    let t = m - 1.0;
    let p = poly(
        t,
        [
            -0.130_188_57,
            0.140_846_1,
            -0.121_486_28,
            0.139_806_1,
            -0.166_842_36,
            0.200_123,
            -0.249_996_69,
            0.333_331_82,
            -0.5,
        ],
    );
    (x, fma(exponent, LN_2, fma(t * p, t, t)))
}

#[inline(always)]
pub fn log(x: f32) -> f32 {
    let (x, result) = log_unscaled(x);
    log_ends(x, result)
}

#[inline(always)]
pub fn log10(x: f32) -> f32 {
    log(x) * 0.434_294_5
}

#[inline(always)]
pub fn log2(x: f32) -> f32 {
    let (exponent, m, x) = split(x, 0x3f35_04f3);
    let t = m - 1.0;
    let p = poly(
        t,
        [
            0.097_020_14,
            -0.168_453_93,
            0.171_688_7,
            -0.179_009_48,
            0.205_123_72,
            -0.240_465_33,
            0.288_571_15,
            -0.360_674_17,
            0.480_898_2,
            -0.721_347_5,
        ],
    );
    log_ends(x, exponent + fma(t, 1.442_695, t * (t * p)))
}

#[inline(always)]
pub fn log1p(x: f32) -> f32 {
    let exponent = bits(add_toward_zero(x, 1.0)).wrapping_sub(0x3f40_0000) & -0x80_0000;
    // The argument and one, both scaled, so that their sum is exact.
    let scaled = from_bits(bits(x).wrapping_sub(exponent));
    let one = fma(0.25, from_bits(0x4080_0000i32.wrapping_sub(exponent)), -1.0);
    let t = one + scaled;
    let p = poly(
        t,
        [
            -0.045_348_614,
            0.105_468_884,
            -0.132_297_04,
            0.144_914_46,
            -0.166_415_65,
            0.199_888_68,
            -0.250_001_97,
            0.333_335_1,
            -0.5,
        ],
    );
    let result = fma(exponent as f32 * f32::EPSILON, LN_2, fma(t * p, t, t));
    if x.to_bits() < 0x7f80_0000 {
        return result;
    }
    // Infinity, -1 and below, not a number.
    let result = if bits(x) < -0x407f_ffff { result } else { fma(x, f32::INFINITY, f32::INFINITY) };
    if x == 0.0 { -0.0 } else { result }
}

// Exponentials.

/// Two to the power of `x * (high + low)`, in a fraction and a power of two.
#[inline(always)]
fn exp_parts(x: f32, range: f32, high: f32, low: f32) -> (f32, f32) {
    let place = f64::from(saturate(fma(x, range, 0.5))) * 252.0;
    let shifted = (12_582_913.0 + place.floor()) as f32;
    let whole = shifted - 12_583_039.0;
    let fraction = fma(x, low, fma(x, high, -whole));
    (ex2_ftz(fraction), f32::from_bits(shifted.to_bits() << 23))
}

#[inline(always)]
pub fn exp(x: f32) -> f32 {
    let (fraction, power) = exp_parts(x, 0.005_724_98, 1.442_695, 1.925_963e-8);
    fraction * power
}

#[inline(always)]
pub fn exp10(x: f32) -> f32 {
    let (fraction, power) = exp_parts(x, 0.013_182_254_5, 3.321_928, 7.059_537e-8);
    fraction * power
}

#[inline(always)]
pub fn exp2(x: f32) -> f32 {
    ex2(x)
}

// The fast forms.

#[inline(always)]
pub fn fast_exp(x: f32) -> f32 {
    ex2(x * 1.442_695)
}

#[inline(always)]
pub fn fast_exp10(x: f32) -> f32 {
    ex2(x * 3.321_928)
}

#[inline(always)]
pub fn fast_log(x: f32) -> f32 {
    lg2(x) * LN_2
}

#[inline(always)]
pub fn fast_log10(x: f32) -> f32 {
    lg2(x) * 0.301_03
}

#[inline(always)]
pub fn fast_pow(x: f32, y: f32) -> f32 {
    ex2(y * lg2(x))
}

#[inline(always)]
pub fn fast_tan(x: f32) -> f32 {
    fast_divide(sys::sin(f64::from(x)) as f32, sys::cos(f64::from(x)) as f32)
}

/// Nothing by very large numbers, as the guide says.
#[inline(always)]
pub fn fast_divide(x: f32, y: f32) -> f32 {
    if y.abs() > 8.507_059e37 { (x * 0.0) * y.signum() } else { x / y }
}

#[inline(always)]
pub fn expm1(x: f32) -> f32 {
    let x = if x.abs() > 88.722_84 { 88.722_84f32.copysign(x) } else { x };
    let shifted = fma(x, 1.442_695, 12_583_039.0);
    let whole = shifted - 12_583_039.0;
    let t = fma(-whole, 5.769_999e-8, fma(-whole, 0.693_147_1, x));
    let large = whole >= 25.0;
    let power = f32::from_bits((shifted.to_bits() << 23).wrapping_sub(if large { 0x80_0000 } else { 0 }));
    let power = if whole == -128.0 { 0.0 } else { power };
    let p = poly(t, [0.001_386_248_3, 0.008_366_426, 0.041_665_73, 0.166_665_45, 0.500_000_2, 0.0]);
    let result = fma(fma(p, t, t), power, -(1.0 - power));
    if large { result + result } else { result }
}

/// The exponential as older functions take it, times a power of two.
#[inline(always)]
fn exp_scaled(x: f32, scale: i32) -> f32 {
    let whole = (x * 1.442_695).trunc();
    let whole = if whole.abs() > 126.0 { 126f32.copysign(whole) } else { whole };
    let t = fma(whole, 1.904_654_2e-9, fma(whole, -LN_2, x));
    let power = f32::from_bits((whole + (12_583_039 + scale) as f32).to_bits() << 23);
    ex2_ftz(t * 1.442_695) * power
}

#[inline(always)]
pub fn sinh(x: f32) -> f32 {
    let a = x.abs();
    if a >= 1.0 {
        let e = exp_scaled(a, -2);
        return fma(2.0, e, div_ftz(-0.125, e)).copysign(x);
    }
    let s = x * x;
    fma(s * poly(s, [2.816_951e-6, 0.000_198_361_6, 0.008_333_35, 0.166_666_67]), x, x)
}

#[inline(always)]
pub fn cosh(x: f32) -> f32 {
    let e = exp_scaled(x.abs(), -2);
    fma(2.0, e, div_ftz(0.125, e))
}

#[inline(always)]
pub fn tanh(x: f32) -> f32 {
    let a = x.abs();
    if a >= 0.6 {
        let r = fma(rcp(ex2_ftz(a * 2.885_39) + 1.0), -2.0, 1.0);
        return if a >= 9.010_914 { 1.0 } else { r }.copysign(x);
    }
    let s = x * x;
    fma(poly(s, [0.015_739_683, -0.052_303_962, 0.133_152_98, -0.333_327_68, 0.0]), x, x)
}

#[inline(always)]
pub fn asinh(x: f32) -> f32 {
    let a = x.abs();
    let s = fma(x, x, 1.0);
    let t = fma(a, a * rcp(fma(s, rsqrt_ftz(s), 1.0)), a);
    let large = a > 8_388_608.0;
    let l = log1p(if large { a } else { t });
    let result = if large { l + LN_2 } else { l };
    if a <= f32::INFINITY { result.copysign(x) } else { result }
}

#[inline(always)]
fn rsqrt_ftz(x: f32) -> f32 {
    rsqrt(flush(x))
}

#[inline(always)]
pub fn acosh(x: f32) -> f32 {
    let t = x - 1.0;
    let large = t.to_bits() > 0x4b00_0000;
    let s = fma(x, x, -1.0);
    let r = rsqrt_ftz(s);
    let root = s * r;
    let root = if s == 0.0 { 0.0 } else { fma(fma(-root, root, s), r * 0.5, root) };
    let l = log1p(t + if large { -1.000_000_1 } else { root });
    if large { l + LN_2 } else { l }
}

#[inline(always)]
pub fn atanh(x: f32) -> f32 {
    let a = x.abs();
    let r = rcp(1.0 - a);
    let t = if a > 8.507_059e37 { -2.0 } else { a * (r + r) };
    0.5f32.copysign(x) * log1p(t)
}

// Powers and roots.

#[inline(always)]
pub fn cbrt(x: f32) -> f32 {
    let a = x.abs();
    let r = ex2_ftz(lg2(a) * -0.666_666_7);
    let t = a * r;
    let root = fma(t, fma(t, -(r * t), 1.0) * 0.333_333_34, t);
    if x + x == x {
        x + x
    } else if x < 0.0 {
        -root
    } else {
        root
    }
}

#[inline(always)]
pub fn rcbrt(x: f32) -> f32 {
    let a = x.abs();
    let r = ex2_ftz(lg2(a) * -0.333_333_34);
    let root = fma(fma(r * r, -(a * r), 1.0), r * 0.333_333_34, r);
    if x + x == x {
        // Zero and infinity change places.
        return f32::from_bits((x + x).to_bits() ^ 0x7f80_0000);
    }
    if x < 0.0 { -root } else { root }
}

/// The logarithm to base two of a magnitude, in two parts.
#[inline(always)]
fn log2_parts(a: f32, precise: bool) -> (f32, f32) {
    let (a, start) = if a < f32::MIN_POSITIVE { (a * 16_777_216.0, -24.0) } else { (a, 0.0) };
    let exponent = bits(a).wrapping_sub(0x3f35_04f3) & -0x80_0000;
    let m = from_bits(bits(a).wrapping_sub(exponent));
    let e = fma(exponent as f32, f32::EPSILON, start);
    let (t, r) = (m - 1.0, rcp(m + 1.0));
    let q = (t + t) * r;
    let s = q * q;
    let rest = t - q;
    let q_low = r * fma(-q, t, rest + rest);
    let p = poly(s, [0.000_656_886_26, 0.003_218_165_4, 0.018_033_719, 0.120_224_59]) * s;
    let high = fma(q, 1.442_695, e);
    let mut low = fma(q, 1.442_695, e - high);
    low = fma(q_low, 1.442_695, low);
    low = fma(q, 1.925_136_7e-8, low);
    if precise {
        low = fma(p * 3.0, q_low, low);
    }
    low = fma(p, q, low);
    let sum = high + low;
    (sum, low + -(sum + -high))
}

/// Two to the power of a whole number and a fraction.
#[inline(always)]
fn exp2_parts(whole: f32, fraction: f32) -> f32 {
    let p = poly(
        fraction,
        [0.000_152_392_52, 0.001_339_135_3, 0.009_618_839, 0.055_503_59, 0.240_226_45, LN_2, 1.0],
    );
    // The power of two in two factors, so that results may be denormal.
    let shift = if whole > 0.0 { 0 } else { -0x7d00_0000 };
    let first = from_bits(shift + 0x7f00_0000);
    let second = from_bits(((whole as i32) << 23).wrapping_sub(shift));
    p * first * second
}

#[inline(always)]
pub fn pow(x: f32, y: f32) -> f32 {
    if x == 1.0 || y == 0.0 {
        return 1.0;
    }
    let a = x.abs();
    if a.is_nan() || y.is_nan() {
        return x + y;
    }
    let half = (y * 0.5).trunc();
    let odd = (y - (half + half)).abs() == 1.0;
    if x == 0.0 || a == f32::INFINITY {
        let r = (x + x).to_bits();
        let r = if y < 0.0 { r ^ 0x7f80_0000 } else { r };
        return f32::from_bits(if odd { r } else { r & 0x7fff_ffff });
    }
    if x == -1.0 && y.abs() == f32::INFINITY {
        return 1.0;
    }
    let (high, low) = log2_parts(a, true);
    let product = high * y;
    let rest = fma(low, y, fma(high, y, -product));
    let whole = product.round_ties_even();
    let t = rest + (product - whole);
    let mut result = exp2_parts(whole, t);
    if product.abs() > 152.0 {
        result = if product < 0.0 { 0.0 } else { f32::INFINITY };
    }
    if x >= 0.0 {
        return result;
    }
    if y.floor() != y {
        return f32::NAN;
    }
    if odd { -result } else { result }
}

/// The power of two that brings a magnitude near one, and its inverse; by steps of four.
#[inline(always)]
fn scales(largest: f32) -> (f32, f32) {
    let b = bits(largest) & -0x200_0000;
    (from_bits(0x7e80_0000 - b), from_bits(b | 0x80_0000))
}

#[inline(always)]
fn ordered(x: f32, y: f32) -> (f32, f32) {
    // As integers: not a number is largest.
    let (a, b) = (bits(x.abs()), bits(y.abs()));
    (from_bits(a.min(b)), from_bits(a.max(b)))
}

#[inline(always)]
pub fn hypot(x: f32, y: f32) -> f32 {
    let (small, large) = ordered(x, y);
    let (down, up) = scales(large);
    let (s, l) = (small * down, large * down);
    let r = fma(l, l, s * s).sqrt() * up;
    if small == f32::INFINITY {
        f32::INFINITY
    } else if small == 0.0 {
        large
    } else {
        r
    }
}

#[inline(always)]
pub fn rhypot(x: f32, y: f32) -> f32 {
    let (small, large) = ordered(x, y);
    let (down, _) = scales(large);
    let (s, l) = (small * down, large * down);
    if small == f32::INFINITY { 0.0 } else { rsqrt(fma(l, l, s * s)) * down }
}

/// The sum of the magnitudes in the order of addition, the largest, and the squares' sum scaled by it.
#[inline(always)]
fn squares<const N: usize>(v: [f32; N], order: [usize; N]) -> (f32, f32, f32, f32, f32) {
    let a = v.map(f32::abs);
    let mut sum = a[order[0]];
    for &k in &order[1..] {
        sum += a[k];
    }
    // The smaller of each comparison is put aside.
    let mut aside = [0.0; N];
    let mut largest = a[0];
    for k in 1..N {
        aside[k - 1] = largest.min(a[k]);
        largest = largest.max(a[k]);
    }
    let (down, up) = scales(largest);
    let last = aside[N - 2] * down;
    let mut s = last * last;
    for &x in aside[..N - 2].iter().rev() {
        let x = x * down;
        s = fma(x, x, s);
    }
    let l = largest * down;
    (sum, largest, fma(l, l, s), down, up)
}

#[inline(always)]
fn norm<const N: usize>(v: [f32; N], order: [usize; N]) -> f32 {
    let (sum, largest, s, _, up) = squares(v, order);
    if largest == f32::INFINITY {
        return f32::INFINITY;
    }
    if sum > largest { s.sqrt() * up } else { sum }
}

#[inline(always)]
fn rnorm<const N: usize>(v: [f32; N], order: [usize; N]) -> f32 {
    let (sum, largest, s, down, _) = squares(v, order);
    if largest == f32::INFINITY {
        return 0.0;
    }
    if sum.is_nan() { sum } else { rsqrt(s) * down }
}

#[inline(always)]
pub fn norm3d(x: f32, y: f32, z: f32) -> f32 {
    norm([x, y, z], [0, 1, 2])
}

#[inline(always)]
pub fn norm4d(x: f32, y: f32, z: f32, w: f32) -> f32 {
    norm([x, y, z, w], [0, 1, 3, 2])
}

#[inline(always)]
pub fn rnorm3d(x: f32, y: f32, z: f32) -> f32 {
    rnorm([x, y, z], [0, 1, 2])
}

#[inline(always)]
pub fn rnorm4d(x: f32, y: f32, z: f32, w: f32) -> f32 {
    rnorm([x, y, z, w], [0, 1, 3, 2])
}

// Trigonometry.

/// 2 over pi, from its most significant word.
const TWO_OVER_PI: [u32; 6] = [0xa2f9_836e, 0x4e44_1529, 0xfc27_57d1, 0xf534_ddc0, 0xdb62_9599, 0x3c43_9041];

/// The quadrant and the rest of a large argument, by the product with as many bits of 2 over pi as count.
#[inline(always)]
fn reduce_large(x: f32) -> (f32, i32) {
    let exponent = ((x.to_bits() >> 23) & 255).wrapping_sub(128);
    let mantissa = u64::from(x.to_bits() << 8 | 0x8000_0000);
    let mut words = [0u32; 7];
    let mut carry = 0u64;
    for (k, &word) in TWO_OVER_PI.iter().rev().enumerate() {
        let sum = u64::from(word) * mantissa + carry;
        words[k] = sum as u32;
        carry = sum >> 32;
    }
    words[6] = carry as u32;
    let from = (4 - (exponent >> 5)) as usize;
    let shift = exponent & 31;
    let wide =
        u128::from(words[from + 2]) << 64 | u128::from(words[from + 1]) << 32 | u128::from(words[from]);
    let fixed = (wide << shift >> 32) as u64;
    // Two bits of the quadrant, then the fraction as a signed number.
    let fraction = fixed << 2;
    let up = (fraction >> 63) as i32;
    let quadrant = (fixed >> 62) as i32 + up;
    let magnitude = if up == 1 { !fraction } else { fraction };
    let rest = (magnitude as i64 as f64 * 8.515_303_950_216_386e-20) as f32;
    let negative = x.is_sign_negative();
    (if negative != (up == 1) { -rest } else { rest }, if negative { -quadrant } else { quadrant })
}

/// The argument less a multiple of half of pi, and that multiple.
#[inline(always)]
fn reduce(x: f32) -> (f32, i32) {
    if x.abs() >= 105_615.0 {
        return if x.abs() == f32::INFINITY { (f32::NAN, 0) } else { reduce_large(x) };
    }
    let quadrant = (x * 0.636_619_75).round_ties_even() as i32;
    let whole = quadrant as f32;
    let t = fma(whole, -7.549_789_4e-8, fma(whole, -1.570_796_3, x));
    (fma(whole, -5.390_303e-15, t), quadrant)
}

/// The sine or cosine of what [`reduce`] left, by the quadrant.
#[inline(always)]
fn sine(t: f32, quadrant: i32) -> f32 {
    let s = t * t;
    let (first, p) = if quadrant & 1 == 0 {
        (t, poly(s, [-0.000_195_746_59, 0.008_332_703, -0.166_666_63]))
    } else {
        (1.0, poly(s, [2.427_958e-5, -0.001_388_786, 0.041_666_728, -0.499_999_97]))
    };
    let r = fma(p, fma(s, first, 0.0), first);
    if quadrant & 2 == 0 { r } else { fma(r, -1.0, 0.0) }
}

#[inline(always)]
pub fn sin(x: f32) -> f32 {
    let (t, quadrant) = reduce(x);
    sine(t, quadrant)
}

#[inline(always)]
pub fn cos(x: f32) -> f32 {
    let (t, quadrant) = reduce(x);
    sine(t, quadrant.wrapping_add(1))
}

/// The cosine of an argument turned by an angle, for the Bessel functions.
#[inline(always)]
pub(super) fn turned_cos(x: f32, turn: f32) -> f32 {
    let (t, quadrant) = reduce(x);
    let angle = t + fma((quadrant & 3) as f32, 1.570_796_4, turn);
    let quadrant = (angle * 0.636_619_75).round_ties_even() as i32;
    let whole = quadrant as f32;
    let t = fma(whole, -7.549_789_4e-8, fma(whole, -1.570_796_3, angle));
    sine(t, quadrant.wrapping_add(1))
}

#[inline(always)]
pub fn tan(x: f32) -> f32 {
    let (t, quadrant) = reduce(x);
    let s = t * t;
    let p =
        poly(s, [0.009_338_379, 0.003_265_380_9, 0.024_291_992, 0.053_466_797, 0.133_377_91, 0.333_332_3]);
    let r = if t.abs() == 0.000_490_966_95 { t } else { fma(p, s * t, t) };
    if quadrant & 1 == 1 { rcp(-r) } else { r }
}

#[inline(always)]
fn sine_pi(x: f32, quarter: i32) -> f32 {
    let halves = (x + x).round_ties_even();
    let t = fma(-halves, 0.5, x);
    let quadrant = (halves as i32).wrapping_add(quarter);
    let s = t * t;
    let r = if quadrant & 1 == 0 {
        let p = poly(s, [-0.592_480_24, 2.550_144_2, -5.167_72]);
        fma(3.141_592_7, t, fma(p, fma(s, t, 0.0), 0.0))
    } else {
        let p = poly(s, [0.226_860_31, -1.334_560_4, 4.058_692_5, -4.934_802]);
        fma(p, fma(s, 1.0, 0.0), 1.0)
    };
    if quadrant & 2 == 0 { r } else { 0.0 - r }
}

#[inline(always)]
pub fn sinpi(x: f32) -> f32 {
    if x.trunc() == x { x * 0.0 } else { sine_pi(x, 0) }
}

#[inline(always)]
pub fn cospi(x: f32) -> f32 {
    sine_pi(if x.abs() <= 16_777_216.0 { x } else { x * 0.0 }, 1)
}

/// A magnitude's sine of pi times it, as the gamma function takes it.
#[inline(always)]
pub(super) fn sinpi_of(a: f32) -> f32 {
    sine_pi(a, 0)
}

/// The same in another way.
#[inline(always)]
pub(super) fn sine_of_pi(a: f32) -> f32 {
    let halves = (a + a).round_ties_even();
    sine(fma(-halves, 0.5, a) * 3.141_592_7, halves as i32)
}

/// `a` to the power of `a - 1/2` over `exp(a)`; its inverse if asked, where it is small times two to the 48th.
#[inline(always)]
pub(super) fn stirling_power(a: f32, inverse: bool) -> f32 {
    let (l, l_low) = log2_parts(a, false);
    let y = a + -0.5;
    let product = l * y;
    let rest = fma(l_low, y, fma(l, y, -product));
    // The exponent of exp(a) in two parts as well.
    let e = 1.442_695 * a;
    let e_low = fma(1.925_963e-8, a, fma(1.442_695, a, -e));
    let d = product + -e;
    let back = d + e;
    let lost = (product + -back) + (-e + -(d + -back));
    let low = (rest - e_low) + lost;
    let (d, low) = if inverse { (if a > 33.0 { 48.0 } else { -0.0 } - d, -low) } else { (d, low) };
    let whole = d.round_ties_even();
    exp2_parts(whole, (d - whole) + low)
}

#[inline(always)]
pub fn atan(x: f32) -> f32 {
    let a = x.abs();
    let t = if a > 1.0 { rcp(a) } else { a };
    let s = t * t;
    let p = poly(
        s,
        [
            0.002_450_029,
            -0.014_396_979_5,
            0.039_849_75,
            -0.072_529_75,
            0.105_184_8,
            -0.141_718_03,
            0.199_887_75,
            -0.333_329_4,
        ],
    );
    let r = fma(s * p, t, t);
    let r = if a > 1.0 { fma(HALF_PI.0, HALF_PI.1, -r) } else { r };
    if a <= f32::INFINITY { r.copysign(x) } else { r }
}

#[inline(always)]
pub fn atan2(y: f32, x: f32) -> f32 {
    let (ax, ay) = (x.abs(), y.abs());
    if ax.is_nan() || ay.is_nan() {
        return ax + ay;
    }
    let steep = ay > ax;
    let (large, small) = if steep { (ay, ax) } else { (ax, ay) };
    let negative = x.is_sign_negative();
    let r = if large == 0.0 {
        if negative { std::f32::consts::PI } else { 0.0 }
    } else if ax == ay {
        if negative { 2.356_194_5 } else { std::f32::consts::FRAC_PI_4 }
    } else {
        let t = small / large;
        let s = t * t;
        let p = poly(
            s,
            [
                0.002_738_061_1,
                -0.015_681_878,
                0.042_200_75,
                -0.074_792_98,
                0.106_404_155,
                -0.142_077_22,
                0.199_939_25,
                -0.333_331_97,
            ],
        );
        let r = fma(s * p, t, t);
        match (steep, negative) {
            (false, false) => r,
            (false, true) => fma(1.866_378_9, HALF_PI.1, -r),
            (true, false) => fma(HALF_PI.0, HALF_PI.1, -r),
            (true, true) => fma(HALF_PI.0, HALF_PI.1, r),
        }
    };
    r.copysign(y)
}

/// The square root of half the distance to one, for arguments beyond 0.56.
#[inline(always)]
fn half_root(a: f32) -> f32 {
    if a == 1.0 {
        return 0.0;
    }
    let h = fma(0.5, -a, 0.5);
    let r = rsqrt_ftz(h);
    let root = h * r;
    fma(root, fma(-root, r * 0.5, 0.5), root)
}

#[inline(always)]
pub fn asin(x: f32) -> f32 {
    let a = x.abs();
    let t = if a > 0.56 { half_root(a) } else { a };
    let s = t * t;
    let p = poly(s, [0.050_250_02, 0.018_773_36, 0.046_769_053, 0.074_823_014, 0.166_671_81]);
    let r = fma(s * p, t, t);
    let r = if a > 0.56 { fma(HALF_PI.0, HALF_PI.1, r * -2.0) } else { r };
    if r <= f32::INFINITY { r.copysign(x) } else { r }
}

#[inline(always)]
pub fn acos(x: f32) -> f32 {
    let a = x.abs();
    let t = if a > 0.56 { half_root(a) } else { a }.copysign(x);
    let s = t * t;
    let p = poly(s, [0.035_382_207, 0.016_980_52, 0.030_762_933, 0.044_709_418, 0.074_989_04, 0.166_667_07]);
    let r = fma(s * p, t, t);
    let turned = fma(HALF_PI.0, HALF_PI.1, if a > 0.56 { r } else { -r });
    let r = if x > 0.56 { r } else { turned };
    if a > 0.56 { r + r } else { r }
}

// The error function and its relatives.

#[inline(always)]
pub fn erf(x: f32) -> f32 {
    let a = x.abs();
    // The range of x also for what is no number.
    if a >= 1.003_758_4 {
        let p = poly(
            a,
            [
                6.784_818e-5,
                -0.000_929_938_8,
                0.006_954_225,
                -0.037_528_004,
                0.156_687_42,
                0.914_443_2,
                0.628_721_9,
            ],
        );
        let t = fma(p, x, x);
        return (1.0 - ex2_ftz(-t.abs())).copysign(x);
    }
    let s = x * x;
    let p = poly(
        s,
        [
            6.749_86e-5,
            -0.000_764_764_67,
            0.005_143_017,
            -0.026_827_244,
            0.112_828_694,
            -0.376_125_57,
            0.128_379_17,
        ],
    );
    fma(p, x, x)
}

/// `exp(a * a) * erfc(a)` for magnitudes up to 10.055.
#[inline(always)]
fn erfcx_near(a: f32) -> f32 {
    // (a - 4) / (a + 4), with a correction.
    let r = rcp(a + 4.0);
    let q = (a - 4.0) * r;
    let t = fma(r, fma(-q, a, fma(-4.0, q + 1.0, a)), q);
    let p = poly(
        t,
        [
            0.000_891_217_1,
            0.007_045_788,
            -0.015_866_896,
            0.036_429_625,
            -0.066_643_43,
            0.093_814_53,
            -0.100_990_56,
            0.068_094,
            0.015_377_387,
            -0.139_621_08,
            1.232_995_2,
        ],
    );
    // p / (1 + 2 a)
    let d = rcp(fma(2.0, a, 1.0));
    let q = p * d;
    fma(fma(a, q * -2.0, p) - q, d, q)
}

#[inline(always)]
pub fn erfc(x: f32) -> f32 {
    let a = x.abs();
    let s = a * a;
    let e = exp_scaled(-s, 0);
    let r = erfcx_near(a) * fma(e, fma(-a, a, s), e);
    let r = if a > 10.055 { 0.0 } else { r };
    if x < 0.0 { 2.0 - r } else { r }
}

#[inline(always)]
pub fn erfcx(x: f32) -> f32 {
    let a = x.abs();
    let r = if a < 10.055 {
        erfcx_near(a)
    } else {
        let t = 0.25 / (a * 0.25);
        let s = t * t;
        (t * 0.564_189_6) * poly(s, [6.5625, -1.875, 0.75, -0.5, 1.0])
    };
    if x >= 0.0 || x.is_nan() {
        return r;
    }
    // 2 exp(x * x) - r
    let s = mul_toward_zero(a, a);
    let rest = fma(a, a, -s);
    let (fraction, power) = exp_parts(s, 0.005_724_98, 1.442_695, 1.925_963e-8);
    let e = fma(fraction, power, fraction * power);
    if e == f32::INFINITY { e } else { fma(e, rest, e) - r }
}

#[inline(always)]
fn erfinv_near(w: f32) -> f32 {
    poly(
        w,
        [
            -2.517_270_8e-10,
            9.427_429e-9,
            -1.205_475_3e-7,
            2.169_700_5e-7,
            8.062_148_5e-6,
            -3.167_549_2e-5,
            -0.000_774_363_1,
            0.005_546_588,
            0.160_820_23,
            0.886_226_9,
        ],
    )
}

#[inline(always)]
pub fn erfinv(x: f32) -> f32 {
    let l = flush(lg2(flush(fma(x, -x, 1.0))));
    let w = -l;
    if l >= -8.2 || l.is_nan() {
        return erfinv_near(w) * x;
    }
    let r = rsqrt_ftz(w);
    let p = poly(r, [-0.589_914_4, -0.663_004_2, 1.597_011_1, -0.675_215_54, -0.095_224_79, 0.835_353_43]);
    if w == f32::INFINITY { w } else { (r * w) * p }.copysign(x)
}

#[inline(always)]
pub fn erfcinv(x: f32) -> f32 {
    let other = 2.0 - x;
    if (0.0034..=1.9966).contains(&x) {
        let p = erfinv_near(-flush(lg2(flush(other * x))));
        return fma(p, -x, p);
    }
    let w = -lg2(if x > 1.0 { other } else { x });
    let r = rsqrt_ftz(w);
    let p = poly(
        r,
        [
            -63.113_224,
            127.484_69,
            -114.105_68,
            60.325_787,
            -21.789_892,
            6.467_409,
            -1.832_947_4,
            -0.030_327_775,
            0.832_877_46,
        ],
    );
    let t = if w == f32::INFINITY { w } else { r * w };
    p * if x > 1.0 { -t } else { t }
}

#[inline(always)]
pub fn normcdfinv(x: f32) -> f32 {
    fma(-1.414_213_5, erfcinv(x + x), 0.0)
}

#[inline(always)]
pub fn normcdf(x: f32) -> f32 {
    let x = if x.abs() > 14.5 { 14.5f32.copysign(x) } else { x };
    // -x over the square root of two, in two parts.
    let high = x * -std::f32::consts::FRAC_1_SQRT_2;
    let low = fma(x, -1.210_161_75e-8, fma(x, -std::f32::consts::FRAC_1_SQRT_2, -high));
    let t = high + low;
    let mut r = erfc(t);
    if x < -1.0 {
        let rest = (high - t) + low;
        r = fma((t * -2.0) * r, rest, r);
    }
    r * 0.5
}

#[inline(always)]
pub fn logb(x: f32) -> f32 {
    let b = x.to_bits() & 0x7fff_ffff;
    if b >= 0x7f80_0000 {
        return x * x;
    }
    if b >= 0x80_0000 {
        return (b >> 23) as f32 - 127.0;
    }
    if b == 0 { f32::NEG_INFINITY } else { -118.0 - b.leading_zeros() as f32 }
}
