//! The error function's relatives and lengths of vectors in double precision.

use super::double::*;
use super::hardware::*;

/// `exp(a * a) * erfc(a)` for arguments that are not large.
#[inline(always)]
fn erfcx_near(a: f64) -> f64 {
    // (a - 4) / (a + 4), with a correction.
    let r = reciprocal(a + 4.0);
    let q = (a - 4.0) * r;
    let t = fma(r, fma(-q, a, fma(-4.0, q + 1.0, a)), q);
    let p = poly_double(
        t,
        [
            -3.560_269_482_681_74e-10,
            -9.723_912_259_144_727e-9,
            -8.935_022_485_164_912e-9,
            1.040_443_092_162_548_4e-7,
            5.880_669_858_534_126e-8,
            -8.214_741_492_911_691e-7,
            3.095_640_985_330_624e-7,
            5.708_787_184_432_565e-6,
            -1.123_178_743_760_008_5e-5,
            -2.439_955_885_720_019e-5,
            0.000_150_625_571_695_717_88,
            -0.000_199_256_376_847_861_54,
            -0.000_757_774_291_827_858_3,
            0.005_031_969_879_259_957,
            -0.016_197_733_895_953_217,
            0.037_167_515_553_018_73,
            -0.066_330_365_827_532_43,
            0.093_732_834_997_115_54,
            -0.101_039_066_035_556_76,
            0.068_097_054_254_735_14,
            0.015_379_652_102_605_428,
            -0.139_621_116_840_562_91,
            1.232_995_118_625_552_6,
        ],
    );
    // p / (1 + 2 a)
    let d = reciprocal(fma(2.0, a, 1.0));
    let q = p * d;
    fma(fma(a, q * -2.0, p) + -q, d, q)
}

#[inline(always)]
pub fn erfc(x: f64) -> f64 {
    let a = x.abs();
    if high(a) >= 0x7ff0_0000 {
        return if a.is_nan() {
            x + x
        } else if x < 0.0 {
            2.0
        } else {
            0.0
        };
    }
    let s = a * a;
    let e = exp_in_two(-s);
    let r = erfcx_near(a) * fma(e, fma(-a, a, s), e);
    let r = if high(a) > 1_077_624_832 { 0.0 } else { r };
    if x.is_sign_negative() { 2.0 - r } else { r }
}

#[inline(always)]
pub fn erfcx(x: f64) -> f64 {
    let r = if high_single(x).abs() < 3.0 {
        erfcx_near(x.abs())
    } else {
        let t = 1.0 / x;
        let p = poly_double(t * t, [-29.531_25, 6.5625, -1.875, 0.75, -0.5, 1.0]);
        (t * 0.564_189_583_547_756_3) * p
    };
    if high(x) > -1 {
        return r;
    }
    // 2 exp(x * x) - r
    let s = x * x;
    let e = exp(s);
    let e = e + e;
    if e == f64::INFINITY { e } else { fma(e, fma(x, x, -s), e) - r }
}

#[inline(always)]
pub fn normcdf(x: f64) -> f64 {
    let x = if x.abs() > 38.5 { 38.5f64.copysign(x) } else { x };
    // -x over the square root of two, in two parts.
    let upper = x * -std::f64::consts::FRAC_1_SQRT_2;
    let lower = fma(x, 4.833_646_656_726_457e-17, fma(x, -std::f64::consts::FRAC_1_SQRT_2, -upper));
    let t = upper + lower;
    let mut r = erfc(t);
    if high(x) as u32 >= 0xbff0_0001 {
        r = fma(t * -2.0 * r, (upper - t) + lower, r);
    }
    r * 0.5
}

/// A logarithm that is good enough for a first step.
#[inline(always)]
fn quick_log(x: f64) -> f64 {
    let k = f64::from(((high(x) as u32 >> 20 & 0x7fe) as i32) - 1022);
    let upper = high(x) & 0x801f_ffffu32 as i32 | 0x3fe0_0000;
    let m = f64::from_bits(u64::from(upper as u32) << 32 | x.to_bits() & 0xffff_ffff);
    let t = m + -1.0;
    let r = reciprocal(m + 1.0);
    let q = t * r;
    let q = fma(fma(-q, t, fma(-2.0, q, t)), r, q);
    let s = q * q;
    let p = poly_double(
        s,
        [
            0.085_048_800_515_742_28,
            0.041_724_849_126_860_76,
            0.060_524_726_220_470_64,
            0.066_505_606_704_187_08,
            0.076_932_741_976_622,
            0.090_908_722_394_788_73,
            0.111_111_119_768_248_38,
            0.142_857_142_740_589_75,
            0.200_000_000_000_775_59,
            0.333_333_333_333_331_54,
        ],
    );
    let r = fma(s * p, q, q);
    fma(k, std::f64::consts::LN_2, r + r)
}

/// `erfinv(x) / x` from the logarithm of `1 - x * x`, where that is at least -6.25.
#[inline(always)]
fn erfinv_near(l: f64) -> f64 {
    poly_double(
        -3.125 - l,
        [
            -3.644_412_064_017_82e-21,
            -1.685_059_138_182_016_6e-19,
            1.285_848_071_525_64e-18,
            1.115_787_767_802_518_1e-17,
            -1.333_171_662_854_621e-16,
            2.097_276_787_596_856_2e-17,
            6.637_638_134_358_324e-15,
            -4.054_566_272_975_207e-14,
            -8.151_934_197_605_472e-14,
            2.633_509_315_308_232_3e-12,
            -1.297_513_325_345_353_2e-11,
            -5.415_412_054_294_628e-11,
            1.051_212_273_321_532_3e-9,
            -4.112_633_980_346_984e-9,
            -2.907_036_995_788_200_5e-8,
            4.234_787_782_793_240_4e-7,
            -1.365_469_200_083_467_9e-6,
            -1.388_252_336_278_646_9e-5,
            0.000_186_734_208_034_057_14,
            -0.000_740_702_534_166_267,
            -0.006_033_670_871_430_149,
            0.240_158_182_425_589_62,
            1.653_654_562_683_102_7,
        ],
    )
}

#[inline(always)]
pub fn erfinv(x: f64) -> f64 {
    if high_single(x).abs() >= 1.875 || x.is_nan() {
        let a = x.abs();
        let r = if a.is_nan() {
            x
        } else if a == 1.0 {
            f64::INFINITY
        } else {
            f64::NAN
        };
        return r * x;
    }
    let l = quick_log(fma(x, -x, 1.0));
    let r = if (high(l) as u32) < 0xc019_0000 {
        erfinv_near(l)
    } else {
        let w = (-l).sqrt();
        if high(w) < 0x4010_0000 {
            poly_double(
                w + -3.25,
                [
                    2.213_737_692_177_578_7e-9,
                    9.075_656_193_888_539e-8,
                    -2.751_740_629_706_454_5e-7,
                    1.823_962_921_438_922_8e-8,
                    1.502_740_396_890_982_8e-6,
                    -4.013_867_526_981_546e-6,
                    2.923_444_908_995_544_6e-6,
                    1.247_530_448_167_177_9e-5,
                    -4.731_822_900_905_573_4e-5,
                    6.828_485_145_957_318e-5,
                    2.403_111_038_709_789_4e-5,
                    -0.000_355_037_520_362_847_5,
                    0.000_953_289_379_737_380_5,
                    -0.001_688_275_556_023_504_7,
                    0.002_491_442_096_107_851,
                    -0.003_751_208_507_569_241,
                    0.005_370_914_553_590_064,
                    1.005_258_967_694_159_2,
                    3.083_885_610_492_220_8,
                ],
            )
        } else {
            poly_double(
                w + -5.0,
                [
                    -2.710_992_061_643_857_3e-11,
                    -2.555_641_816_996_525e-10,
                    1.507_657_269_350_054_8e-9,
                    -3.789_465_440_126_737e-9,
                    7.615_701_208_078_34e-9,
                    -1.496_002_662_714_924e-8,
                    2.914_795_345_090_108e-8,
                    -6.771_199_775_845_234e-8,
                    2.290_048_222_802_665_5e-7,
                    -9.929_827_294_231_7e-7,
                    4.526_062_597_223_154e-6,
                    -1.968_177_810_553_167e-5,
                    7.599_527_703_001_776e-5,
                    -0.000_215_030_119_300_444_77,
                    -0.000_138_719_318_336_231_22,
                    1.010_300_464_864_534_4,
                    4.849_906_401_408_584,
                ],
            )
        }
    };
    r * x
}

#[inline(always)]
pub fn erfcinv(x: f64) -> f64 {
    let other = 2.0 + -x;
    if (0.000_965_693_349_936_910_8..=1.999_034_306_650_063).contains(&x) {
        let p = erfinv_near(quick_log(other * x));
        return fma(p, -x, p);
    }
    let upper = high(x) > 0x3fef_ffff;
    let a = if upper { other } else { x };
    let r = if high_single(a) >= 6.110_554e-13 {
        let t = reciprocal_root(-quick_log(a));
        let above = poly_double(
            t,
            [
                0.872_208_665_253_756_1,
                2.078_565_979_150_160_3,
                3.057_886_063_281_03,
                3.433_547_754_237_851,
                1.206_823_963_578_982_1,
                0.140_333_733_376_066_94,
                0.005_338_365_518_029_045,
                5.121_743_495_197_056_6e-5,
            ],
        );
        let below = poly_double(
            t,
            [
                1.0,
                2.238_799_967_690_464_4,
                4.279_921_171_209_963,
                4.407_122_201_553_097,
                3.663_374_880_117_919_6,
                1.218_709_379_144_307_3,
                0.140_491_187_294_857_4,
                0.005_338_482_464_667_147,
                5.121_723_638_870_252e-5,
            ],
        );
        above / (t * below)
    } else {
        let t = 1.0 / (-log(a)).sqrt();
        let above = poly_double(
            t,
            [
                0.777_595_573_000_802_1,
                1.632_831_179_742_743_7,
                0.417_963_274_877_342_97,
                0.023_330_972_813_256_093,
                0.000_261_058_222_407_164_7,
            ],
        );
        let below = poly_double(
            t,
            [
                1.0,
                1.349_752_199_074_505_8,
                1.681_859_573_030_365_4,
                0.418_756_574_360_376_1,
                0.023_331_573_970_655_654,
                0.000_261_057_286_969_610_8,
            ],
        );
        above / (t * below)
    };
    if upper { -r } else { r }
}

#[inline(always)]
pub fn normcdfinv(x: f64) -> f64 {
    let r = erfcinv(x + x);
    fma(-1.414_213_562_373_095, r, r * -1.253_716_717_905_021_7e-16) + 0.0
}

/// The sum of the magnitudes, the largest, and the squares' sum scaled by it.
#[inline(always)]
fn squares<const N: usize>(v: [f64; N], order: [usize; N]) -> (f64, f64, f64, f64, f64) {
    let a = v.map(f64::abs);
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
fn norm<const N: usize>(v: [f64; N], order: [usize; N]) -> f64 {
    let (sum, largest, s, _, up) = squares(v, order);
    if high(largest) as u32 >= 0x7ff0_0000 {
        return largest;
    }
    if sum > largest { s * reciprocal_root(s.min(f64::MAX)) * up } else { sum }
}

#[inline(always)]
fn rnorm<const N: usize>(v: [f64; N], order: [usize; N]) -> f64 {
    let (sum, largest, s, down, _) = squares(v, order);
    if largest == f64::INFINITY {
        return 0.0;
    }
    if sum > 0.0 { down * reciprocal_root(s) } else { sum + f64::INFINITY }
}

#[inline(always)]
pub fn norm3d(x: f64, y: f64, z: f64) -> f64 {
    norm([x, y, z], [0, 1, 2])
}

#[inline(always)]
pub fn norm4d(x: f64, y: f64, z: f64, w: f64) -> f64 {
    norm([x, y, z, w], [0, 1, 2, 3])
}

#[inline(always)]
pub fn rnorm3d(x: f64, y: f64, z: f64) -> f64 {
    rnorm([x, y, z], [0, 1, 2])
}

#[inline(always)]
pub fn rnorm4d(x: f64, y: f64, z: f64, w: f64) -> f64 {
    rnorm([x, y, z, w], [0, 1, 2, 3])
}
