//! Trigonometric functions in single precision, and their inverses.

use super::*;

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
pub fn turned_cos(x: f32, turn: f32) -> f32 {
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
pub fn sinpi_of(a: f32) -> f32 {
    sine_pi(a, 0)
}

/// The same in another way.
#[inline(always)]
pub fn sine_of_pi(a: f32) -> f32 {
    let halves = (a + a).round_ties_even();
    sine(fma(-halves, 0.5, a) * 3.141_592_7, halves as i32)
}

/// `a` to the power of `a - 1/2` over `exp(a)`; its inverse if asked, where it is small times two to the 48th.
#[inline(always)]
pub fn stirling_power(a: f32, inverse: bool) -> f32 {
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
