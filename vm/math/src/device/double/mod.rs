//! CUDA's elementary functions in double precision: as [`super::single`], for the wider type.

mod errors;
mod trigonometry;

use super::hardware::*;
use super::reduction;
use std::f64::consts::{FRAC_PI_2, FRAC_PI_4, LN_2, LOG2_E, PI};

pub use errors::*;
pub use trigonometry::*;

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

/// `rsqrt`: one step from the hardware's guess, as the assembler expands `rsqrt.approx.f64`.
#[inline(always)]
pub fn rsqrt(x: f64) -> f64 {
    /// Beyond it, and below its inverse, the step is made in the middle of the range.
    const FAR: f64 = f64::from_bits((1023 + 900) << 52);
    const UP: f64 = f64::from_bits((1023 + 400) << 52);
    const ROOT: f64 = f64::from_bits((1023 + 200) << 52);
    if x.is_nan() {
        x + x
    } else if x == 0.0 {
        f64::INFINITY.copysign(x)
    } else if x < 0.0 {
        INVALID
    } else if x == f64::INFINITY {
        0.0
    } else if x > FAR {
        reciprocal_root(x / UP) / ROOT
    } else if x < 1.0 / FAR {
        reciprocal_root(x * UP) * ROOT
    } else {
        reciprocal_root(x)
    }
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

/// A number times two to the 54th where it is denormal (or negative), and the exponent's bias then.
#[inline(always)]
fn normal(x: f64) -> (f64, i32) {
    if high(x) < 0x10_0000 { (x * 18_014_398_509_481_984.0, -1077) } else { (x, -1023) }
}

/// Of a positive normal number `m * 2^k` with `m` about one: `k`, and `2 (m - 1) / (m + 1)` in two parts.
#[inline(always)]
fn log_parts(y: f64, bias: i32) -> (f64, f64, f64) {
    let (m, k) = split(high(y), y.to_bits() as u32, bias);
    let r = reciprocal(m + 1.0);
    let t = m - 1.0;
    let q = fma(t, r, t * r);
    let rest = t - q;
    (f64::from(k), q, r * fma(-q, t, rest + rest))
}

#[inline(always)]
pub fn log(x: f64) -> f64 {
    let (y, bias) = normal(x);
    if (high(y) as u32).wrapping_sub(1) >= 0x7fef_ffff {
        // Zero, negative, infinite or no number.
        return if y == 0.0 { f64::NEG_INFINITY } else { fma(y, f64::INFINITY, f64::INFINITY) };
    }
    let (k, q, q_low) = log_parts(y, bias);
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
    let low = fma(s * p, q, q_low);
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
    let (b, bias) = normal(a);
    let (k, q, q_low) = log_parts(b, bias);
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
        INVALID
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
