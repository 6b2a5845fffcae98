//! CUDA's elementary functions in double precision: as [`super::single`], for the wider type.

use super::hardware::*;
use super::reduction;
use std::f64::consts::{FRAC_PI_2, FRAC_PI_4, LN_2, LOG2_E, PI};

/// What is missing from [`LN_2`].
const LN_2_LOW: f64 = 2.319_046_813_846_299_6e-17;
/// What is missing from half of pi.
const HALF_PI_LOW: f64 = 6.123_233_995_736_766e-17;
/// Added and taken away again, it leaves an integer, which stands in the low bits in between.
const SHIFT: f64 = 6_755_399_441_055_744.0;

#[inline(always)]
pub(super) fn fma(a: f64, b: f64, c: f64) -> f64 {
    a.mul_add(b, c)
}

/// The upper word, which orders positive numbers.
#[inline(always)]
pub(super) fn high(x: f64) -> i32 {
    (x.to_bits() >> 32) as i32
}

/// The upper word read as a number in single precision, which is how the library compares.
#[inline(always)]
pub(super) fn high_single(x: f64) -> f32 {
    f32::from_bits((x.to_bits() >> 32) as u32)
}

#[inline(always)]
pub(super) fn from_high(high: i32) -> f64 {
    f64::from_bits(u64::from(high as u32) << 32)
}

/// The number with an integer added to its exponent.
#[inline(always)]
pub(super) fn add_exponent(x: f64, n: i32) -> f64 {
    let high = high(x).wrapping_add(n.wrapping_shl(20));
    f64::from_bits(u64::from(high as u32) << 32 | x.to_bits() & 0xffff_ffff)
}

/// One over a number, by one step of third order.
#[inline(always)]
pub(super) fn reciprocal(x: f64) -> f64 {
    let y = rcp_double(x);
    let e = fma(-x, y, 1.0);
    fma(fma(e, e, e), y, y)
}

/// One over a square root.
#[inline(always)]
pub(super) fn reciprocal_root(x: f64) -> f64 {
    let y = rsqrt_double(x);
    let e = fma(x, -(y * y), 1.0);
    fma(fma(0.375, e, 0.5), e * y, y)
}

/// A square root, by two coupled steps.
#[inline(always)]
pub(super) fn root(x: f64) -> f64 {
    let y = rsqrt_double(x);
    let half = add_exponent(y, -1);
    let g = x * y;
    let g = fma(fma(g, -g, x), half, g);
    let h = fma(fma(y, -g, 1.0), half, half);
    fma(fma(g, -g, x), h, g)
}

// Exponentials.

/// `exp(t)` for small arguments.
#[inline(always)]
fn exp_poly(t: f64) -> f64 {
    poly_double(
        t,
        [
            2.502_232_253_650_299e-8,
            2.763_090_348_817_311e-7,
            2.755_751_454_588_244e-6,
            2.480_149_103_909_916_5e-5,
            0.000_198_412_695_891_154_97,
            0.001_388_888_894_591_638,
            0.008_333_333_333_455_043,
            0.041_666_666_666_519_754,
            0.166_666_666_666_664_77,
            0.500_000_000_000_001_2,
            1.0,
            1.0,
        ],
    )
}

/// The integer nearest to `x * scale`, as a number and in its bits.
#[inline(always)]
fn nearest(x: f64, scale: f64) -> (f64, i32) {
    let shifted = fma(x, scale, SHIFT);
    (shifted + -SHIFT, shifted.to_bits() as i32)
}

#[inline(always)]
fn reduce_exp(x: f64) -> (f64, i32) {
    let (whole, n) = nearest(x, LOG2_E);
    (fma(whole, -LN_2_LOW, fma(whole, -LN_2, x)), n)
}

/// A number between one and two times a power of two that needs two steps.
#[inline(always)]
fn scale_twice(x: f64, n: i32) -> f64 {
    let half = n / 2;
    add_exponent(x, half) * add_exponent(1.0, n.wrapping_sub(half))
}

/// The exponential of a negative number by two powers of two, so that it may be denormal.
#[inline(always)]
pub(super) fn exp_in_two(x: f64) -> f64 {
    let (t, n) = reduce_exp(x);
    scale_twice(exp_poly(t), n)
}

#[inline(always)]
pub fn exp(x: f64) -> f64 {
    let (t, n) = reduce_exp(x);
    let r = exp_poly(t);
    let size = high_single(x).abs();
    if size < 4.191_793 {
        add_exponent(r, n)
    } else if size < 4.227_539 {
        scale_twice(r, n)
    } else if x < 0.0 {
        0.0
    } else {
        x + f64::INFINITY
    }
}

/// The ends of the other exponentials: where they stop being normal, and where they are zero or infinite.
#[inline(always)]
fn exp_ends(x: f64, r: f64, n: i32, near: f32, far: f32) -> f64 {
    let size = high_single(x).abs();
    if size < near {
        add_exponent(r, n)
    } else if size < far {
        scale_twice(r, n)
    } else if x.is_nan() {
        x + x
    } else if high(x) < 0 {
        0.0
    } else {
        f64::INFINITY
    }
}

#[inline(always)]
pub fn exp2(x: f64) -> f64 {
    let shifted = x + SHIFT;
    let t = x - (shifted + -SHIFT);
    let r = exp_poly(fma(t, LN_2, t * LN_2_LOW));
    exp_ends(x, r, shifted.to_bits() as i32, 4.498_047, 4.524_902_3)
}

#[inline(always)]
pub fn exp10(x: f64) -> f64 {
    let (whole, n) = nearest(x, std::f64::consts::LOG2_10);
    let t = fma(whole, 2.803_728_127_785_170_4e-18, fma(whole, -std::f64::consts::LOG10_2, x));
    let r = exp_poly(fma(t, std::f64::consts::LN_10, t * -2.170_756_223_382_249_4e-16));
    exp_ends(x, r, n, 3.800_442, 3.816_022_9)
}

/// `exp(x) * 2^n - 2^n` for `n` of 0 or -1.
#[inline(always)]
fn exp_less(x: f64, n: i32) -> f64 {
    let (mut t, whole) = reduce_exp(x);
    let mut k = whole.wrapping_add(n);
    let size = (high(x) << 1) as u32;
    if size < 2_142_496_327 {
        (t, k) = (x, 0);
    }
    let p = poly_double(
        t,
        [
            2.090_032_000_253_653_6e-9,
            2.511_816_259_090_823_2e-8,
            2.755_733_869_778_004_6e-7,
            2.755_722_422_687_505e-6,
            2.480_158_723_377_071_3e-5,
            0.000_198_412_698_970_093_85,
            0.001_388_888_888_892_984_2,
            0.008_333_333_333_321_891,
            0.041_666_666_666_666_61,
            0.166_666_666_666_666_7,
            0.5,
        ],
    );
    let r = fma(t * p, t, t);
    let large = k == 1024;
    let power = add_exponent(1.0, k - i32::from(large));
    let r = fma(r, power, power - add_exponent(1.0, n));
    if size == 0 {
        t
    } else if large {
        r + r
    } else {
        r
    }
}

#[inline(always)]
pub fn expm1(x: f64) -> f64 {
    let size = high_single(x);
    if size < 4.193_147 && size > -3.164_062_5 {
        exp_less(x, 0)
    } else if x.is_nan() {
        x + x
    } else if high(x) < 0 {
        -1.0
    } else {
        f64::INFINITY
    }
}

#[inline(always)]
pub fn sinh(x: f64) -> f64 {
    let a = x.abs();
    let r = if high(a) < 0x3ff0_0000 {
        let s = a * a;
        let p = poly_double(
            s,
            [
                7.758_748_802_150_53e-13,
                1.605_725_976_860_544_4e-10,
                2.505_212_313_672_587_6e-8,
                2.755_731_915_707_185e-6,
                0.000_198_412_698_414_318_73,
                0.008_333_333_333_333_148,
                0.166_666_666_666_666_69,
            ],
        );
        fma(s * p, a, a)
    } else if a >= 710.475_860_073_944 {
        f64::INFINITY
    } else {
        let e = exp_less(a, -1);
        e + e / fma(2.0, e, 1.0)
    };
    r.copysign(x)
}

#[inline(always)]
pub fn cosh(x: f64) -> f64 {
    let a = x.abs();
    let r = if (high(a) as u32) < 1_082_536_911 {
        let (t, n) = reduce_exp(a);
        let e = add_exponent(exp_poly(t), n - 2);
        fma(reciprocal(e), 0.0625, e)
    } else if x <= f64::INFINITY {
        f64::INFINITY
    } else {
        x
    };
    r + r
}

/// `exp(t + low) - 1` over a power of two, and that power; the argument is given with its nearest multiple.
#[inline(always)]
fn exp_split(x: f64, low: Option<f64>, turns: f32) -> (f64, f64) {
    let whole = turns.round_ties_even();
    let t = fma(-f64::from(whole), LN_2, x);
    let p = poly_double(
        t,
        [
            2.506_210_197_447_926e-8,
            2.762_626_470_761_021e-7,
            2.755_738_179_857_422_5e-6,
            2.480_150_459_644_270_2e-5,
            0.000_198_412_697_469_849_88,
            0.001_388_888_893_226_475_7,
            0.008_333_333_333_377_164,
            0.041_666_666_666_573_884,
            0.166_666_666_666_666_07,
            0.500_000_000_000_000_6,
        ],
    );
    let r = match low {
        None => fma(t * p, t, t),
        Some(low) => t + fma(t * p, t, low),
    };
    (r, f64::from(ex2_ftz(whole)))
}

#[inline(always)]
pub fn tanh(x: f64) -> f64 {
    let a = x.abs();
    if a >= 0.655_411_788_940_429_6 {
        let twice = a + a;
        let (e, power) = exp_split(twice, None, twice as f32 * 1.442_695);
        let d = 2.0 - fma(-e, power, 1.0 - power);
        let r = fma(2.0, -reciprocal(d), 1.0);
        return if high(a) as u32 > 1_077_088_193 { 1.0 } else { r }.copysign(x);
    }
    let s = x * x;
    let p = poly_double(
        s,
        [
            -1.596_017_517_389_285e-5,
            7.709_297_689_027_866e-5,
            -0.000_228_701_211_448_561_45,
            0.000_586_488_194_620_488,
            -0.001_455_047_543_504_545,
            0.003_592_014_410_818_271_5,
            -0.008_863_225_224_458_907,
            0.021_869_487_987_893_173,
            -0.053_968_253_953_220_91,
            0.133_333_333_333_171_5,
            -0.333_333_333_333_333_04,
            0.0,
        ],
    );
    fma(p, x, x)
}

// Logarithms.

/// A positive normal number as a power of two and a factor about one.
#[inline(always)]
fn split(high: i32, low: u32, bias: i32) -> (f64, i32) {
    let mut k = bias + (high as u32 >> 20) as i32;
    let mut upper = high & 0x800f_ffffu32 as i32 | 0x3ff0_0000;
    if upper >= 0x3ff6_a09f {
        upper -= 0x10_0000;
        k += 1;
    }
    (f64::from_bits(u64::from(upper as u32) << 32 | u64::from(low)), k)
}

#[inline(always)]
pub fn log(x: f64) -> f64 {
    let (y, bias) = if high(x) < 0x10_0000 { (x * 18_014_398_509_481_984.0, -1077) } else { (x, -1023) };
    if (high(y) as u32).wrapping_sub(1) >= 0x7fef_ffff {
        // Zero, negative, infinite or no number.
        return if y == 0.0 { f64::NEG_INFINITY } else { fma(y, f64::INFINITY, f64::INFINITY) };
    }
    let (m, k) = split(high(y), y.to_bits() as u32, bias);
    let k = f64::from(k);
    let r = reciprocal(m + 1.0);
    let t = m - 1.0;
    let q = fma(t, r, t * r);
    let s = q * q;
    let p = poly_double(
        s,
        [
            1.026_327_690_945_836_5e-6,
            4.036_488_625_710_656e-6,
            1.878_440_701_883_566_7e-5,
            8.877_807_196_497_797e-5,
            0.000_434_027_792_932_019_76,
            0.002_232_142_856_766_558_6,
            0.012_500_000_000_004_514,
            0.083_333_333_333_333_31,
        ],
    );
    let rest = t - q;
    let low = r * fma(-q, t, rest + rest);
    let low = fma(s * p, q, low);
    let sum = fma(k, LN_2, q);
    sum + fma(k, LN_2_LOW, low - (fma(-k, LN_2, sum) - q))
}

#[inline(always)]
pub fn log2(x: f64) -> f64 {
    let l = log(x);
    fma(l, LOG2_E, l * 2.035_527_374_093_103_3e-17)
}

#[inline(always)]
pub fn log10(x: f64) -> f64 {
    let l = log(x);
    fma(l, std::f64::consts::LOG10_E, l * 1.098_319_650_216_765e-17)
}

#[inline(always)]
pub fn log1p(x: f64) -> f64 {
    let size = high_single(x);
    if !(size < 1.791_666_6 && size > -1.699_999_9) {
        return log(x + 1.0);
    }
    let d = x / (x + 2.0) * x;
    let t = x - d;
    let s = t * t;
    let p = poly_double(
        s,
        [
            1.159_259_396_894_553_1e-6,
            3.941_356_435_158_717e-6,
            1.881_270_924_625_768e-5,
            8.877_360_899_515_66e-5,
            0.000_434_028_186_862_558_2,
            0.002_232_142_837_908_637_3,
            0.012_500_000_000_436_613,
            0.083_333_333_333_329_96,
        ],
    );
    fma(s * p, t, -d) + x
}

#[inline(always)]
pub fn asinh(x: f64) -> f64 {
    let a = x.abs();
    let s = fma(x, x, 1.0);
    let r = reciprocal(fma(s, reciprocal_root(s), 1.0));
    let large = high(a) as u32 > 1_138_753_535;
    let l = log1p(if large { a } else { fma(a, a * r, a) });
    if large { l + LN_2 } else { l }.copysign(x)
}

#[inline(always)]
pub fn acosh(x: f64) -> f64 {
    let t = x + -1.0;
    let large = high(t) as u32 > 1_127_219_199;
    let r = if high(t) == 0 { 0.0 } else { root(fma(x, x, -1.0)) };
    let l = log1p(t + if large { -1.000_000_000_000_000_2 } else { r });
    if large { l + LN_2 } else { l }
}

#[inline(always)]
pub fn atanh(x: f64) -> f64 {
    let a = x.abs();
    (log1p((a + a) / (1.0 - a)) * 0.5).copysign(x)
}

// Powers and roots.

/// The sum of two numbers, the first the larger, and what it lacks.
#[inline(always)]
fn two_sum(a: f64, b: f64) -> (f64, f64) {
    let sum = a + b;
    (sum, b + (a - sum))
}

/// `a` to the power of `y`, for positive `a`: the logarithm in two parts, the product in two, the exponential.
#[inline(always)]
fn positive_power(a: f64, y: f64) -> f64 {
    let (b, bias) =
        if high(a) as u32 >> 20 == 0 { (a * 18_014_398_509_481_984.0, -1077) } else { (a, -1023) };
    let (m, k) = split(high(b), b.to_bits() as u32, bias);
    let k = f64::from(k);
    let r = reciprocal(m + 1.0);
    let t = m - 1.0;
    let q = fma(t, r, t * r);
    let s = q * q;
    let p = poly_double(
        s,
        [
            1.010_950_189_959_767_3e-6,
            4.043_636_205_277_137e-6,
            1.878_306_587_078_438_2e-5,
            8.877_820_186_630_203e-5,
            0.000_434_027_786_050_499_6,
            0.002_232_142_856_960_391,
            0.012_500_000_000_001_945,
        ],
    );
    let rest = t - q;
    let q_low = r * fma(-q, t, rest + rest);
    // A twelfth and the polynomial, in two parts.
    let twelfth = 0.083_333_333_333_333_33;
    let c = fma(s, p, twelfth);
    let (c, c_low) = two_sum(c, fma(s, p, twelfth - c) + 0.0 + -2.455_037_321_164_561_6e-18);
    // The square and the cube of q.
    let square = q * q;
    let square_low = fma(q, add_exponent(q_low, 1), fma(q, q, -square));
    let cube = square * q;
    let cube_low = fma(square_low, q, fma(square, q_low, fma(square, q, -cube)));
    let u = c * cube;
    let u_low = fma(c_low, cube, fma(c, cube_low, fma(c, cube, -u)));
    let (u, u_low) = two_sum(u, u_low);
    let (l, l_low) = two_sum(q, u);
    let (l, l_low) = two_sum(l, q_low + (u_low + l_low));
    let sum = fma(k, LN_2, l);
    let low = fma(k, LN_2_LOW, l_low - (fma(-k, LN_2, sum) - l));
    let (l, l_low) = two_sum(sum, low);
    // A factor this large would overflow on the way.
    let upper = if (high(y) << 1) as u32 > 0xfdff_ffff { high(y) & 0xff0f_ffffu32 as i32 } else { high(y) };
    let y = f64::from_bits(u64::from(upper as u32) << 32 | y.to_bits() & 0xffff_ffff);
    let product = l * y;
    let (e, e_low) = two_sum(product, fma(l_low, y, fma(l, y, -product)));
    let power = exp(e);
    if power.is_infinite() { power } else { fma(power, e_low, power) }
}

#[inline(always)]
pub fn pow(x: f64, y: f64) -> f64 {
    if x == 1.0 || y == 0.0 {
        return 1.0;
    }
    if x.is_nan() || y.is_nan() {
        return x + y;
    }
    let negative = x.is_sign_negative();
    let odd = {
        let shift = (high(y) as u32 >> 20 & 0x7ff).wrapping_sub(1012);
        shift < 64 && y.to_bits() << shift == 1 << 63 && y.abs() != 0.5
    };
    if y.is_infinite() {
        let grows = (x.abs() > 1.0) != (y < 0.0);
        return if x == -1.0 {
            1.0
        } else if grows {
            f64::INFINITY
        } else {
            0.0
        };
    }
    if x == 0.0 || x.is_infinite() {
        let r = if (x == 0.0) == (y < 0.0) { f64::INFINITY } else { 0.0 };
        return if negative && odd { -r } else { r };
    }
    let r = positive_power(x.abs(), y);
    if !negative {
        r
    } else if y.trunc() != y {
        f64::NAN
    } else if odd {
        -r
    } else {
        r
    }
}

/// A magnitude as a multiple of the cube of a power of two, the exponent of that power, and the cube root's start
/// in single precision.
#[inline(always)]
fn cube_start(a: f64, third: f32) -> (f64, i32, f64) {
    let (b, less) = if high(a) >> 20 == 0 { (a * 18_014_398_509_481_984.0, 18) } else { (a, 0) };
    let k = (((high(b) as u32 >> 20) as i32 - 1022) as f32 * 0.333_333_34).round_ties_even() as i32;
    let m = f64::from_bits(
        u64::from(high(b).wrapping_sub(k.wrapping_mul(0x30_0000)) as u32) << 32 | b.to_bits() & 0xffff_ffff,
    );
    let start = ex2_ftz(flush(lg2(flush(m as f32))) * third);
    (m, k - less, f64::from(start))
}

#[inline(always)]
pub fn cbrt(x: f64) -> f64 {
    if x + x == x || x.is_nan() {
        return x + x;
    }
    let (m, k, r) = cube_start(x.abs(), 0.333_333_34);
    let square = r * r;
    let slope = reciprocal(fma(add_exponent(square, 1), r, m));
    let r = fma(r, slope * fma(square, -r, m), r);
    add_exponent(r, k).copysign(x)
}

#[inline(always)]
pub fn rcbrt(x: f64) -> f64 {
    if x + x == x {
        // Zero and infinity change places.
        return from_high(high(x) ^ 0x7ff0_0000);
    }
    if x.is_nan() {
        return x + x;
    }
    let (m, k, r) = cube_start(x.abs(), -0.333_333_34);
    let square = r * r;
    let product = m * r;
    let e = fma(square, -product, 1.0);
    let e = fma(square, -fma(m, r, -product), e);
    let e = fma(product, -fma(r, r, -square), e);
    let r = fma(fma(0.222_222_222_222_222_2, e, 0.333_333_333_333_333_3), e * r, r);
    add_exponent(r, -k).copysign(x)
}

/// The power of two that brings a magnitude near one, and its inverse; by steps of four.
#[inline(always)]
pub(super) fn scales(largest: f64) -> (f64, f64) {
    let upper = high(largest) & -0x40_0000;
    (from_high(0x7fd0_0000i32.wrapping_sub(upper)), from_high(upper | 0x10_0000))
}

#[inline(always)]
fn ordered(x: f64, y: f64) -> (f64, f64) {
    // As integers: not a number is largest.
    let (a, b) = (x.abs().to_bits(), y.abs().to_bits());
    (f64::from_bits(a.min(b)), f64::from_bits(a.max(b)))
}

#[inline(always)]
pub fn hypot(x: f64, y: f64) -> f64 {
    let (small, large) = ordered(x, y);
    if high(small) >= 0x7ff0_0000 {
        return small;
    }
    if small == 0.0 {
        return large;
    }
    let (down, up) = scales(large);
    let (s, l) = (down * small, down * large);
    let sum = fma(l, l, s * s);
    sum * reciprocal_root(sum.min(f64::MAX)) * up
}

#[inline(always)]
pub fn rhypot(x: f64, y: f64) -> f64 {
    let (small, large) = ordered(x, y);
    let (down, _) = scales(large);
    let (s, l) = (down * small, down * large);
    let r = down * reciprocal_root(fma(l, l, s * s));
    if (high(r) as u32) < 0x7ff0_0000 {
        r
    } else if small == f64::INFINITY {
        0.0
    } else if large.is_nan() {
        large + small
    } else if large == f64::INFINITY {
        0.0
    } else {
        f64::INFINITY
    }
}

// Trigonometry.

/// The sine or cosine of a reduced argument, by the quadrant.
#[inline(always)]
fn sine(t: f64, quadrant: i32) -> f64 {
    let s = t * t;
    let r = if quadrant & 1 == 0 {
        let p = poly_double(
            s,
            [
                1.590_307_857_061_102_7e-10,
                -2.505_091_138_364_548_7e-8,
                2.755_731_498_463_003e-6,
                -0.000_198_412_698_344_770_3,
                0.008_333_333_333_329_349,
                -0.166_666_666_666_666_63,
                0.0,
            ],
        );
        fma(p, t, t)
    } else {
        let p = poly_double(
            s,
            [
                -1.136_781_730_462_628_4e-11,
                2.087_588_337_859_78e-9,
                -2.755_731_554_299_955_7e-7,
                2.480_158_729_361_868_3e-5,
                -0.001_388_888_888_888_066_7,
                0.041_666_666_666_666_64,
                -0.5,
            ],
        );
        fma(p, s, 1.0)
    };
    if quadrant & 2 == 0 { r } else { fma(r, -1.0, 0.0) }
}

#[inline(always)]
pub fn sin(x: f64) -> f64 {
    let (t, quadrant) = reduction::reduce(x);
    sine(t, quadrant)
}

#[inline(always)]
pub fn cos(x: f64) -> f64 {
    let (t, quadrant) = reduction::reduce(x);
    sine(t, quadrant.wrapping_add(1))
}

#[inline(always)]
pub fn tan(x: f64) -> f64 {
    let (t, quadrant) = reduction::reduce(x);
    let s = t * t;
    let p = s * poly_double(
        s,
        [
            9.800_628_720_328_63e-6,
            -2.427_952_649_417_989_7e-5,
            4.864_417_313_093_716e-5,
            -2.564_001_269_378_227_3e-5,
            6.722_398_433_088_007e-5,
            8.355_928_731_821_164e-5,
            0.000_243_750_398_508_485_64,
            0.000_588_864_877_548_566_7,
            0.001_456_045_484_467_204,
            0.003_592_100_888_585_718,
            0.008_863_237_921_861_371,
            0.021_869_488_399_337_89,
            0.053_968_253_972_902_704,
            0.133_333_333_333_253_42,
            0.333_333_333_333_333_8,
        ],
    );
    let r = fma(p, t, t);
    if quadrant & 1 == 0 {
        return r;
    }
    // Minus one over it, with what its rounding lost.
    let low = fma(p, t, -(r - t));
    let inverse = -reciprocal(r);
    fma(fma(inverse, low, fma(r, inverse, 1.0)), inverse, inverse)
}

#[inline(always)]
fn sine_pi(x: f64, quarter: i32) -> f64 {
    let halves = add_exponent(x, 1).round_ties_even();
    let quadrant = (halves as i64 as i32).wrapping_add(quarter);
    let t = fma(-halves, 0.5, x);
    sine(fma(t, PI, t * 1.224_646_799_147_353_2e-16), quadrant)
}

#[inline(always)]
pub fn sinpi(x: f64) -> f64 {
    if x.trunc() == x { x * 0.0 } else { sine_pi(x, 0) }
}

#[inline(always)]
pub fn cospi(x: f64) -> f64 {
    sine_pi(if ((high(x) << 1) as u32) < 0x8680_0001 { x } else { x * 0.0 }, 1)
}

/// The arc tangent up to one.
#[inline(always)]
fn atan_poly(t: f64) -> f64 {
    let s = t * t;
    let p = poly_double(
        s,
        [
            -2.025_855_304_443_835_8e-5,
            0.000_223_022_403_457_585_1,
            -0.001_164_071_777_993_057_6,
            0.003_855_974_938_362_991_8,
            -0.009_184_559_218_716_548,
            0.016_978_035_834_597_33,
            -0.025_826_796_814_495_994,
            0.034_067_811_082_715_12,
            -0.040_926_382_420_509_97,
            0.046_739_496_199_157_994,
            -0.052_392_330_054_601_32,
            0.058_773_077_721_790_85,
            -0.066_658_603_633_512_57,
            0.076_922_129_305_867_84,
            -0.090_909_012_354_005_23,
            0.111_111_106_787_494_24,
            -0.142_857_142_713_348_15,
            0.199_999_999_997_550_2,
            -0.333_333_333_333_318_6,
        ],
    );
    fma(s * p, t, t)
}

#[inline(always)]
pub fn atan(x: f64) -> f64 {
    let a = x.abs();
    let t = if a == f64::INFINITY {
        0.0
    } else if a > 1.0 {
        reciprocal(a)
    } else {
        a
    };
    let r = atan_poly(t);
    if a > 1.0 { FRAC_PI_2 - r } else { r }.copysign(x)
}

#[inline(always)]
pub fn atan2(y: f64, x: f64) -> f64 {
    let (ax, ay) = (x.abs(), y.abs());
    if ax.is_nan() || ay.is_nan() {
        return ax + ay;
    }
    let steep = ay > ax;
    let (large, small) = if steep { (ay, ax) } else { (ax, ay) };
    let negative = x.is_sign_negative();
    let r = if large == 0.0 {
        if negative { PI } else { 0.0 }
    } else if ax == ay {
        if negative { 2.356_194_490_192_345 } else { FRAC_PI_4 }
    } else {
        let r = atan_poly(small / large);
        match (steep, negative) {
            (false, false) => r,
            (false, true) => PI - r,
            (true, false) => -r + FRAC_PI_2,
            (true, true) => r + FRAC_PI_2,
        }
    };
    r.copysign(y)
}

/// The arc sine's polynomial.
#[inline(always)]
fn asin_poly(s: f64) -> f64 {
    poly_double(
        s,
        [
            0.062_597_981_676_468_03,
            -0.076_205_914_846_769_52,
            0.066_868_948_793_376_43,
            -0.017_878_282_183_693_01,
            0.017_452_279_287_323_26,
            0.010_004_227_542_455_8,
            0.014_181_087_775_151_23,
            0.017_331_945_989_806_28,
            0.022_373_505_115_935_69,
            0.030_381_888_751_349_62,
            0.044_642_858_498_109_86,
            0.074_999_999_983_422_7,
            0.166_666_666_666_737_5,
        ],
    )
}

#[inline(always)]
pub fn asin(x: f64) -> f64 {
    if high_single(x).abs() < 1.768_75 {
        let s = x * x;
        return fma(s * asin_poly(s), x, x);
    }
    let h = fma(-0.5, x.abs(), 0.5);
    let r = if high(h) < 0 {
        f64::NAN
    } else if h == 0.0 {
        h
    } else {
        root(h)
    };
    let p = h * asin_poly(h);
    let t = r * -2.0;
    (((t + FRAC_PI_4) + fma(t, p, HALF_PI_LOW)) + FRAC_PI_4).copysign(x)
}

#[inline(always)]
pub fn acos(x: f64) -> f64 {
    let a = x.abs();
    if high(a) < 1_071_801_958 {
        let s = a * a;
        let r = fma(s * asin_poly(s), a, a);
        return if high(x) < 0 { FRAC_PI_2 + (r + HALF_PI_LOW) } else { FRAC_PI_2 + -(r + -HALF_PI_LOW) };
    }
    let d = 1.0 - a;
    let mut r = if high(d) < 1 {
        a * 0.0
    } else {
        let twice = add_exponent(root(add_exponent(d, -1)), 1);
        let p = poly_double(
            d,
            [
                2.751_918_949_311_172e-6,
                -1.595_121_286_538_839_5e-6,
                6.118_529_412_726_973e-6,
                6.928_343_859_556_241e-6,
                1.948_066_316_216_471_5e-5,
                4.503_196_545_530_714e-5,
                0.000_109_114_263_008_654_35,
                0.000_271_135_544_453_444_55,
                0.000_699_130_061_552_548_6,
                0.001_898_871_524_346_958_5,
                0.005_580_357_142_924_968,
                0.018_749_999_999_999_475,
                0.083_333_333_333_333_33,
            ],
        );
        fma(d * p, twice, twice)
    };
    if high(d) < 0 {
        r *= f64::INFINITY;
    }
    if high(x) < 0 { PI + -(r + -1.224_646_799_147_353_2e-16) } else { r }
}

#[inline(always)]
pub fn erf(x: f64) -> f64 {
    let a = x.abs();
    let p = poly_double(
        a,
        [
            -3.642_577_040_697_121e-15,
            1.636_624_707_883_456e-13,
            -3.407_929_710_074_790_7e-12,
            4.355_597_404_556_682_6e-11,
            -3.806_599_039_253_438e-10,
            2.389_211_325_400_646e-9,
            -1.090_976_090_304_958_3e-8,
            3.508_901_186_822_047e-8,
            -6.720_327_080_051_84e-8,
            -8.299_332_548_682_465e-9,
            5.643_145_203_798_444e-7,
            -2.027_824_977_802_521_5e-6,
            3.121_893_965_831_108_5e-6,
            3.180_046_170_354_655e-6,
            -2.958_330_672_824_158_2e-5,
            6.442_483_232_470_452e-5,
            2.590_260_570_264_615e-5,
            -0.000_590_131_819_532_823_6,
            0.001_696_207_528_729_842,
            -0.000_209_194_831_647_885_62,
            -0.019_128_446_995_328_407,
            0.102_772_603_301_442_33,
            0.636_619_772_367_587_6,
            0.128_379_167_095_512_6,
        ],
    );
    // The exponent of what is missing from one, in two parts.
    let t = fma(p, a, a);
    let low = fma(p, a, a - t);
    let (e, power) = exp_split(-t, Some(-low), t as f32 * -1.442_695);
    let r = fma(-e, power, 1.0 - power);
    if a >= 5.921_587_195_794_506_5 { 1.0 } else { r }.copysign(x)
}
