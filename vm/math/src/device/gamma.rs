//! The gamma function and its logarithm in single precision.

use super::hardware::*;
use super::single::{self, log};

#[inline(always)]
fn fma(a: f32, b: f32, c: f32) -> f32 {
    a.mul_add(b, c)
}

/// The logarithm of the gamma function of a magnitude.
#[inline(always)]
fn positive(a: f32) -> f32 {
    if a >= 7.8 {
        let r = rcp(a);
        let l = log(a) * 0.5 * (a + -0.5);
        let p = poly(r * r, [0.000_777_830_66, -0.002_777_655_4, 0.083_333_276]);
        let r = (l - a) + (l + fma(p, r, 0.918_938_5));
        if a == f32::INFINITY { a } else { r }
    } else if a >= 3.0 {
        let t = a + -3.0;
        let above = poly(t, [-748.890_3, -12_349.742, -41_061.375, -48_310.664, -143_033.4]);
        let below = fma(fma(fma(t + -259.250_98, t, -10_777.18), t, -92_685.05), t, -206_353.58);
        fma(above, rcp(below), t)
    } else if a >= 1.5 {
        let t = a + -2.0;
        let p = poly(
            t,
            [
                4.959_849_3e-5,
                -0.000_220_894_84,
                0.000_541_314_25,
                -0.001_204_517,
                0.002_884_251_8,
                -0.007_382_758,
                0.020_581_32,
                -0.067_352_49,
                0.322_467_03,
                0.422_784_33,
            ],
        );
        t * p
    } else if a >= 0.7 {
        let t = 1.0 - a;
        let p = poly(
            t,
            [
                0.045_882_665,
                0.103_739_67,
                0.122_803_636,
                0.127_524_21,
                0.143_216_68,
                0.169_343_58,
                0.207_407_94,
                0.270_587_5,
                0.400_685_43,
                0.822_466_97,
                0.577_215_7,
            ],
        );
        t * p
    } else {
        let p = poly(
            a,
            [
                0.003_587_515_6,
                -0.005_471_285_4,
                -0.044_627_126,
                0.167_317_7,
                -0.042_135_98,
                -0.655_867_3,
                0.577_215_4,
            ],
        );
        -log(fma(a * p, a, a))
    }
}

#[inline(always)]
pub fn lgamma(x: f32) -> f32 {
    let a = x.abs();
    if a.is_nan() {
        return x + x;
    }
    let r = positive(a);
    if x >= 0.0 {
        return r;
    }
    if a.floor() == a {
        return f32::INFINITY;
    }
    if a < 1e-19 {
        return -log(a);
    }
    // The reflection: the logarithm of pi over a sine.
    let l = log(a * single::sine_of_pi(a).abs());
    fma(1.144_729_9 - l, 1.0, -r)
}

#[inline(always)]
pub fn tgamma(x: f32) -> f32 {
    let a = x.abs();
    let negative = x < 0.0;
    if a >= 1.5 {
        // Stirling's formula: the power in two parts.
        let clamped = if a > 41.1 { 41.1 } else { x };
        let b = clamped.abs();
        let p = rcp(b)
            * poly(
                rcp(b),
                [
                    6.841_391_6e-5,
                    -5.060_326_7e-5,
                    -0.000_422_766_37,
                    0.000_992_141_4,
                    -0.000_278_554_77,
                    -0.002_674_901,
                    0.003_471_803_4,
                    0.083_333_34,
                ],
            );
        let power = single::stirling_power(b, negative) * 2.506_628_3;
        if !negative {
            return fma(p, power, power);
        }
        let factor = fma(p, clamped, clamped);
        let sine = single::sinpi_of(b);
        let d = factor * sine;
        let low = fma(factor, sine, -d);
        let r = 1.0 / d;
        let r = fma(power, r, -(power * (low * (r * r)))) * 0.5;
        return ends(x, if b > 33.0 { r * 3.552_713_7e-15 } else { r });
    }
    let t = if x == 0.0 { x } else { x - x.round_ties_even() };
    let factor = if x < -0.5 { x } else { 1.0 };
    let factor = if x <= 0.5 { factor * t } else { factor };
    let p = poly(
        t,
        [
            -0.001_072_865_7,
            0.007_111_053_4,
            -0.009_643_719,
            -0.042_180_188,
            0.166_540_9,
            -0.042_003_65,
            -0.655_878_2,
            0.577_215_7,
        ],
    );
    let r = 1.0 / fma(fma(p, factor, 0.0), t, factor);
    if negative { ends(x, r) } else { r }
}

/// Poles, and where the function of a negative number is too small.
#[inline(always)]
fn ends(x: f32, r: f32) -> f32 {
    if x.trunc() == x {
        f32::NAN
    } else if x < -41.1 && x.trunc() as i32 & 1 == 1 {
        0.0
    } else {
        r
    }
}
