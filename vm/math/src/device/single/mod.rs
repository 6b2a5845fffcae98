//! CUDA's elementary functions in single precision, step by step as the device library takes them: the reduction
//! of the argument, the polynomial with its coefficients, the order of roundings. So results agree to the last
//! bit where only arithmetic is involved; where the hardware approximates ([`super::hardware`]), mostly.

mod errors;
mod trigonometry;

use super::hardware::*;
use crate::libm;

pub use errors::*;
pub use trigonometry::*;

const LN_2: f32 = 0.693_147_2;
/// Two factors of half of pi, the product of which is nearer to it than one number.
const HALF_PI: (f32, f32) = (0.933_189_45, 1.683_255_6);

#[inline(always)]
pub(super) fn fma(a: f32, b: f32, c: f32) -> f32 {
    a.mul_add(b, c)
}

/// Bits as a signed number: magnitudes of positive numbers in order.
#[inline(always)]
pub(super) fn bits(x: f32) -> i32 {
    x.to_bits() as i32
}

#[inline(always)]
pub(super) fn from_bits(x: i32) -> f32 {
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
    fast_divide(libm::sin(f64::from(x)) as f32, libm::cos(f64::from(x)) as f32)
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
