//! Trigonometric functions in double precision, and their inverses.

use super::*;

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
        INVALID
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
