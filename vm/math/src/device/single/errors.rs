//! The error function and its relatives in single precision.

use super::*;

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
