//! Mathematical functions by symbol name: pure, the same for host and device, for one value or for lanes.
//!
//! The C library's functions give its bits. CUDA's own and its approximations ([`crate::cuda`]) stay
//! within the errors that its guide states.

use crate::{cuda, device, libm};
use cudair_ir::f80::{F80, Parts};

/// A pure function on numbers. Integers that are unsigned in the source are passed as the signed ones of
/// their width.
#[derive(Clone, Copy)]
#[allow(missing_docs, reason = "each variant is its signature")]
pub enum MathFn {
    F32(fn(f32) -> f32),
    F32x2(fn(f32, f32) -> f32),
    F32x3(fn(f32, f32, f32) -> f32),
    F32x4(fn(f32, f32, f32, f32) -> f32),
    F64(fn(f64) -> f64),
    F64x2(fn(f64, f64) -> f64),
    F64x3(fn(f64, f64, f64) -> f64),
    F64x4(fn(f64, f64, f64, f64) -> f64),
    F32I32(fn(f32, i32) -> f32),
    F64I32(fn(f64, i32) -> f64),
    F32I64(fn(f32, i64) -> f32),
    F64I64(fn(f64, i64) -> f64),
    I32F32(fn(i32, f32) -> f32),
    I32F64(fn(i32, f64) -> f64),
    F32ToI32(fn(f32) -> i32),
    F64ToI32(fn(f64) -> i32),
    F32ToI64(fn(f32) -> i64),
    F64ToI64(fn(f64) -> i64),
    I32ToF32(fn(i32) -> f32),
    I64ToF32(fn(i64) -> f32),
    I32ToF64(fn(i32) -> f64),
    I64ToF64(fn(i64) -> f64),
    F64ToF32(fn(f64) -> f32),
    I32(fn(i32) -> i32),
    I64(fn(i64) -> i64),
    F80(fn(F80) -> F80),
    F80x2(fn(F80, F80) -> F80),
    F80I32(fn(F80, i32) -> F80),
    F80ToI32(fn(F80) -> i32),
    F80ToI64(fn(F80) -> i64),
}

impl MathFn {
    /// How many arguments it takes.
    pub fn arity(self) -> usize {
        use MathFn::*;
        match self {
            F32(_) | F64(_) | F80(_) | I32(_) | I64(_) => 1,
            F32ToI32(_) | F64ToI32(_) | F32ToI64(_) | F64ToI64(_) | F80ToI32(_) | F80ToI64(_) => 1,
            I32ToF32(_) | I64ToF32(_) | I32ToF64(_) | I64ToF64(_) | F64ToF32(_) => 1,
            F32x2(_) | F64x2(_) | F80x2(_) | F32I32(_) | F64I32(_) | F32I64(_) | F64I64(_) | F80I32(_) => 2,
            I32F32(_) | I32F64(_) => 2,
            F32x3(_) | F64x3(_) => 3,
            F32x4(_) | F64x4(_) => 4,
        }
    }

    /// The result's bits from the arguments' bits. There are as many as [`MathFn::arity`] says, but for a call through
    /// a pointer of another type: what that does not pass is zero.
    pub fn call_bits(self, args: &[u128]) -> u128 {
        let bits = |i: usize| args.get(i).copied().unwrap_or(0);
        let f32 = |i| f32::from_bits(bits(i) as u32);
        let f64 = |i| f64::from_bits(bits(i) as u64);
        let f80 = |i| F80::from_bits(bits(i));
        let i32 = |i| bits(i) as i32;
        let i64 = |i| bits(i) as i64;
        let w = |x: i32| u128::from(x as u32);
        let l = |x: i64| u128::from(x as u64);
        let s = |x: f32| u128::from(x.to_bits());
        let d = |x: f64| u128::from(x.to_bits());
        match self {
            MathFn::F32(f) => s(f(f32(0))),
            MathFn::F32x2(f) => s(f(f32(0), f32(1))),
            MathFn::F32x3(f) => s(f(f32(0), f32(1), f32(2))),
            MathFn::F32x4(f) => s(f(f32(0), f32(1), f32(2), f32(3))),
            MathFn::F64(f) => d(f(f64(0))),
            MathFn::F64x2(f) => d(f(f64(0), f64(1))),
            MathFn::F64x3(f) => d(f(f64(0), f64(1), f64(2))),
            MathFn::F64x4(f) => d(f(f64(0), f64(1), f64(2), f64(3))),
            MathFn::F32I32(f) => s(f(f32(0), i32(1))),
            MathFn::F64I32(f) => d(f(f64(0), i32(1))),
            MathFn::F32I64(f) => s(f(f32(0), i64(1))),
            MathFn::F64I64(f) => d(f(f64(0), i64(1))),
            MathFn::I32F32(f) => s(f(i32(0), f32(1))),
            MathFn::I32F64(f) => d(f(i32(0), f64(1))),
            MathFn::F32ToI32(f) => w(f(f32(0))),
            MathFn::F64ToI32(f) => w(f(f64(0))),
            MathFn::F32ToI64(f) => l(f(f32(0))),
            MathFn::F64ToI64(f) => l(f(f64(0))),
            MathFn::I32ToF32(f) => s(f(i32(0))),
            MathFn::I64ToF32(f) => s(f(i64(0))),
            MathFn::I32ToF64(f) => d(f(i32(0))),
            MathFn::I64ToF64(f) => d(f(i64(0))),
            MathFn::F64ToF32(f) => s(f(f64(0))),
            MathFn::I32(f) => w(f(i32(0))),
            MathFn::I64(f) => l(f(i64(0))),
            MathFn::F80(f) => f(f80(0)).to_bits(),
            MathFn::F80x2(f) => f(f80(0), f80(1)).to_bits(),
            MathFn::F80I32(f) => f(f80(0), i32(1)).to_bits(),
            MathFn::F80ToI32(f) => w(f(f80(0))),
            MathFn::F80ToI64(f) => l(f(f80(0))),
        }
    }
}

/// `double` to `long`, as x86 converts: out of range and NaN give the most negative number.
fn to_long(x: f64) -> i64 {
    if (-9_223_372_036_854_775_808.0..9_223_372_036_854_775_808.0).contains(&x) { x as i64 } else { i64::MIN }
}

fn long_double_to_long(x: F80) -> i64 {
    x.to_i128().and_then(|n| i64::try_from(n).ok()).unwrap_or(i64::MIN)
}

fn clamp_i32(n: i64) -> i32 {
    n.clamp(i64::from(i32::MIN), i64::from(i32::MAX)) as i32
}

/// A function of the C library's on `long double`. Elsewhere than on x86-64, where it is not the same type, its
/// result is not a number.
fn extended(name: &str, x: F80, y: F80) -> F80 {
    let nan = 0x7fff_c000_0000_0000_0000;
    F80::from_bits(libm::call_extended(name, x.to_bits(), y.to_bits()).unwrap_or(nan))
}

fn fmin80(a: F80, b: F80) -> F80 {
    if b.is_nan() || a.compare(b).is_some_and(|o| o.is_le()) { a } else { b }
}

fn fmax80(a: F80, b: F80) -> F80 {
    if b.is_nan() || a.compare(b).is_some_and(|o| o.is_ge()) { a } else { b }
}

/// The function of a name. CUDA's intrinsics and the C library's functions share one name space; where
/// only one side has a name, only that side's programs can use it.
pub fn lookup(name: &str) -> Option<MathFn> {
    use MathFn::*;
    // A function of the C library in `double` and in `float`.
    if let Some(f) = elementary(name).or_else(|| exact(name)).or_else(|| cuda::lookup(name)) {
        return Some(f);
    }
    Some(match name {
        "abs" => I32(i32::wrapping_abs),
        "labs" | "llabs" | "imaxabs" => I64(i64::wrapping_abs),
        "sinl" => F80(|x| extended("sinl", x, x)),
        "cosl" => F80(|x| extended("cosl", x, x)),
        "tanl" => F80(|x| extended("tanl", x, x)),
        "asinl" => F80(|x| extended("asinl", x, x)),
        "acosl" => F80(|x| extended("acosl", x, x)),
        "atanl" => F80(|x| extended("atanl", x, x)),
        "sinhl" => F80(|x| extended("sinhl", x, x)),
        "coshl" => F80(|x| extended("coshl", x, x)),
        "tanhl" => F80(|x| extended("tanhl", x, x)),
        "asinhl" => F80(|x| extended("asinhl", x, x)),
        "acoshl" => F80(|x| extended("acoshl", x, x)),
        "atanhl" => F80(|x| extended("atanhl", x, x)),
        "expl" => F80(|x| extended("expl", x, x)),
        "exp2l" => F80(|x| extended("exp2l", x, x)),
        "expm1l" => F80(|x| extended("expm1l", x, x)),
        "logl" => F80(|x| extended("logl", x, x)),
        "log2l" => F80(|x| extended("log2l", x, x)),
        "log10l" => F80(|x| extended("log10l", x, x)),
        "log1pl" => F80(|x| extended("log1pl", x, x)),
        "logbl" => F80(|x| extended("logbl", x, x)),
        "cbrtl" => F80(|x| extended("cbrtl", x, x)),
        "erfl" => F80(|x| extended("erfl", x, x)),
        "erfcl" => F80(|x| extended("erfcl", x, x)),
        "tgammal" => F80(|x| extended("tgammal", x, x)),
        "lgammal" => F80(|x| extended("lgammal", x, x)),
        "atan2l" => F80x2(|x, y| extended("atan2l", x, y)),
        "powl" => F80x2(|x, y| extended("powl", x, y)),
        "hypotl" => F80x2(|x, y| extended("hypotl", x, y)),
        "remainderl" => F80x2(|x, y| extended("remainderl", x, y)),
        "nextafterl" => F80x2(|x, y| extended("nextafterl", x, y)),
        "sqrtl" => F80(self::F80::sqrt),
        "fabsl" => F80(|x| x.with_sign(false)),
        "floorl" => F80(self::F80::floor),
        "ceill" => F80(self::F80::ceil),
        "truncl" => F80(self::F80::trunc),
        "roundl" => F80(self::F80::round_away),
        "rintl" | "nearbyintl" => F80(self::F80::round_even),
        "fmodl" => F80x2(self::F80::rem),
        "copysignl" => F80x2(|x, y| x.with_sign(y.is_negative())),
        "fminl" => F80x2(fmin80),
        "fmaxl" => F80x2(fmax80),
        "fdiml" => F80x2(|x, y| {
            if x.is_nan() || y.is_nan() || x.compare(y).is_some_and(|o| o.is_gt()) {
                x.sub(y)
            } else {
                self::F80::ZERO
            }
        }),
        "ldexpl" | "scalbnl" => F80I32(self::F80::scale),
        "lroundl" | "llroundl" => F80ToI64(|x| long_double_to_long(x.round_away())),
        "lrintl" | "llrintl" => F80ToI64(|x| long_double_to_long(x.round_even())),
        "__isnanl" | "isnanl" => F80ToI32(|x| i32::from(x.is_nan())),
        "__isinfl" | "isinfl" => F80ToI32(|x| match (x.is_infinite(), x.is_negative()) {
            (false, _) => 0,
            (_, neg) => 1 - 2 * i32::from(neg),
        }),
        "__finitel" | "finitel" => F80ToI32(|x| i32::from(!x.is_nan() && !x.is_infinite())),
        "__signbitl" => F80ToI32(|x| i32::from(x.is_negative())),
        "__fpclassifyl" => F80ToI32(|x| {
            let normal = x.mant >> 63 == 1;
            classify(Parts::from(x), normal)
        }),
        _ => return None,
    })
}

/// The function of a name on the device, which has its own algorithms for many.
pub fn lookup_device(name: &str) -> Option<MathFn> {
    device::lookup(name).or_else(|| lookup(name))
}

/// `FP_NAN` 0, `FP_INFINITE` 1, `FP_ZERO` 2, `FP_SUBNORMAL` 3, `FP_NORMAL` 4.
fn classify(parts: Parts, normal: bool) -> i32 {
    use cudair_ir::f80::Class;
    match parts.class {
        Class::Nan => 0,
        Class::Inf => 1,
        Class::Finite { mant: 0, .. } => 2,
        Class::Finite { .. } if !normal => 3,
        Class::Finite { .. } => 4,
    }
}

/// Functions whose bits are the C library's. `__name_finite` is what `-ffast-math` once made of them.
fn elementary(name: &str) -> Option<MathFn> {
    use MathFn::*;
    macro_rules! table {
        ($($kind:ident: $($double:ident $single:ident)*;)*) => {
            match name {
                $($(
                    stringify!($double) => table!(@ $kind double $double),
                    stringify!($single) => table!(@ $kind single $single),
                )*)*
                _ => return None,
            }
        };
        (@ one double $f:ident) => { F64(|x| libm::$f(x)) };
        (@ one single $f:ident) => { F32(|x| libm::$f(x)) };
        (@ two double $f:ident) => { F64x2(|x, y| libm::$f(x, y)) };
        (@ two single $f:ident) => { F32x2(|x, y| libm::$f(x, y)) };
        (@ order double $f:ident) => { I32F64(|n, x| libm::$f(n, x)) };
        (@ order single $f:ident) => { I32F32(|n, x| libm::$f(n, x)) };
    }
    Some(table! {
        one: sin sinf cos cosf tan tanf asin asinf acos acosf atan atanf sinh sinhf cosh coshf tanh tanhf
            asinh asinhf acosh acoshf atanh atanhf exp expf exp2 exp2f exp10 exp10f expm1 expm1f
            log logf log2 log2f log10 log10f log1p log1pf logb logbf cbrt cbrtf erf erff erfc erfcf
            tgamma tgammaf lgamma lgammaf j0 j0f j1 j1f y0 y0f y1 y1f;
        two: pow powf atan2 atan2f hypot hypotf remainder remainderf nextafter nextafterf fdim fdimf;
        order: jn jnf yn ynf;
    })
}

/// Functions whose result is one number and no other.
fn exact(name: &str) -> Option<MathFn> {
    use MathFn::*;
    Some(match name {
        "sqrt" => F64(f64::sqrt),
        "sqrtf" => F32(f32::sqrt),
        "fabs" => F64(f64::abs),
        "fabsf" => F32(f32::abs),
        "floor" => F64(f64::floor),
        "floorf" => F32(f32::floor),
        "ceil" => F64(f64::ceil),
        "ceilf" => F32(f32::ceil),
        "trunc" => F64(f64::trunc),
        "truncf" => F32(f32::trunc),
        "round" => F64(f64::round),
        "roundf" => F32(f32::round),
        "rint" | "nearbyint" | "roundeven" => F64(f64::round_ties_even),
        "rintf" | "nearbyintf" | "roundevenf" => F32(f32::round_ties_even),
        "fmod" => F64x2(|x, y| libm::fmod(x, y)),
        "fmodf" => F32x2(|x, y| libm::fmodf(x, y)),
        "drem" => F64x2(|x, y| libm::remainder(x, y)),
        "dremf" => F32x2(|x, y| libm::remainderf(x, y)),
        "gamma" => F64(|x| libm::lgamma(x)),
        "gammaf" => F32(|x| libm::lgammaf(x)),
        "pow10" => F64(|x| libm::exp10(x)),
        "pow10f" => F32(|x| libm::exp10f(x)),
        "copysign" => F64x2(f64::copysign),
        "copysignf" => F32x2(f32::copysign),
        "fmin" => F64x2(f64::min),
        "fminf" => F32x2(f32::min),
        "fmax" => F64x2(f64::max),
        "fmaxf" => F32x2(f32::max),
        "fma" => F64x3(|x, y, z| libm::fma(x, y, z)),
        "fmaf" => F32x3(|x, y, z| libm::fmaf(x, y, z)),
        "ldexp" | "scalbn" => F64I32(|x, n| libm::ldexp(x, n)),
        "ldexpf" | "scalbnf" => F32I32(|x, n| libm::ldexpf(x, n)),
        "scalbln" => F64I64(|x, n| libm::ldexp(x, clamp_i32(n))),
        "scalblnf" => F32I64(|x, n| libm::ldexpf(x, clamp_i32(n))),
        "ilogb" => F64ToI32(|x| libm::ilogb(x)),
        "ilogbf" => F32ToI32(|x| libm::ilogbf(x)),
        "lrint" | "llrint" => F64ToI64(|x| to_long(x.round_ties_even())),
        "lrintf" | "llrintf" => F32ToI64(|x| to_long(f64::from(x.round_ties_even()))),
        "lround" | "llround" => F64ToI64(|x| to_long(x.round())),
        "lroundf" | "llroundf" => F32ToI64(|x| to_long(f64::from(x.round()))),
        "__isnan" | "isnan" => F64ToI32(|x| i32::from(x.is_nan())),
        "__isnanf" | "isnanf" => F32ToI32(|x| i32::from(x.is_nan())),
        "__isinf" | "isinf" => F64ToI32(|x| if x.is_infinite() { x.signum() as i32 } else { 0 }),
        "__isinff" | "isinff" => F32ToI32(|x| if x.is_infinite() { x.signum() as i32 } else { 0 }),
        "__finite" | "finite" => F64ToI32(|x| i32::from(x.is_finite())),
        "__finitef" | "finitef" => F32ToI32(|x| i32::from(x.is_finite())),
        "__signbit" => F64ToI32(|x| i32::from(x.is_sign_negative())),
        "__signbitf" => F32ToI32(|x| i32::from(x.is_sign_negative())),
        "__fpclassify" => F64ToI32(|x| classify(Parts::from(x), x.is_normal())),
        "__fpclassifyf" => F32ToI32(|x| classify(Parts::from(f64::from(x)), x.is_normal())),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn double(name: &str, args: &[f64]) -> f64 {
        let bits: Vec<u128> = args.iter().map(|x| u128::from(x.to_bits())).collect();
        f64::from_bits(lookup(name).expect(name).call_bits(&bits) as u64)
    }

    #[test]
    fn the_library_answers() {
        assert_eq!(double("sin", &[1.0]), 1f64.sin());
        assert_eq!(double("pow", &[2.0, 0.5]), 2f64.powf(0.5));
        assert_eq!(double("fmod", &[5.5, -2.0]), 1.5);
        assert_eq!(double("nextafter", &[1.0, 2.0]), 1.0 + f64::EPSILON);
        assert_eq!(
            lookup("lround").expect("lround").call_bits(&[u128::from((-2.5f64).to_bits())]) as i64,
            -3
        );
        assert_eq!(lookup("lrint").expect("lrint").call_bits(&[u128::from(2.5f64.to_bits())]) as i64, 2);
        assert_eq!(lookup("abs").expect("abs").call_bits(&[u128::from(-7i32 as u32)]), 7);
        assert!(lookup("frobnicate").is_none());
    }

    #[test]
    fn long_double_functions() {
        let two = self::F80::from_i128(2).to_bits();
        let root = self::F80::from_bits(lookup("sqrtl").expect("sqrtl").call_bits(&[two]));
        assert_eq!(root.mant, 0xb504_f333_f9de_6484);
        assert_eq!(self::F80::from_f64(-7.5).floor().to_f64(), -8.0);
        assert_eq!(self::F80::from_f64(7.5).rem(self::F80::from_f64(2.0)).to_f64(), 1.5);
    }
}
