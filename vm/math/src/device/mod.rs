//! CUDA's mathematical functions as the device library computes them, so that results agree to the last bit
//! with a GPU's wherever that library uses arithmetic alone. Written from the steps that its results follow;
//! `tools/ulp` compares both over the whole range, and `docs/device-math.md` has what came of it.
//!
//! Each function is compiled twice, with and without the processor's fused multiply-add; both give the same.
#![allow(
    clippy::approx_constant,
    clippy::excessive_precision,
    reason = "coefficients are those that the results follow from, near a constant or not"
)]
#![allow(
    unsafe_code,
    reason = "calls functions compiled for a processor with fused operations, where it has them"
)]

mod bessel;
mod double;
mod gamma;
mod hardware;
mod norms;
mod reduction;
mod single;

use crate::table::MathFn;

/// Whether the processor has what the fused variants are compiled for.
fn has_fma() -> bool {
    #[cfg(target_arch = "x86_64")]
    {
        std::arch::is_x86_feature_detected!("fma") && std::arch::is_x86_feature_detected!("avx2")
    }
    #[cfg(not(target_arch = "x86_64"))]
    {
        false
    }
}

/// A function of the table: the variant for this processor.
macro_rules! variant {
    ($kind:ident $f:path, ($($x:ident: $t:ty),+) -> $r:ty) => {{
        fn plain($($x: $t),+) -> $r {
            $f($($x),+)
        }
        #[cfg(target_arch = "x86_64")]
        if has_fma() {
            #[target_feature(enable = "avx2,fma")]
            fn fused($($x: $t),+) -> $r {
                $f($($x),+)
            }
            // SAFETY: the processor has both features.
            return Some(MathFn::$kind(|$($x),+| unsafe { fused($($x),+) }));
        }
        MathFn::$kind(plain)
    }};
}

macro_rules! table {
    ($name:ident; $($kind:ident: $($text:literal $f:path;)*)*) => {
        match $name {
            $($($text => table!(@ $kind $f),)*)*
            _ => return None,
        }
    };
    (@ s1 $f:path) => { variant!(F32 $f, (x: f32) -> f32) };
    (@ d1 $f:path) => { variant!(F64 $f, (x: f64) -> f64) };
    (@ d2 $f:path) => { variant!(F64x2 $f, (x: f64, y: f64) -> f64) };
    (@ d3 $f:path) => { variant!(F64x3 $f, (x: f64, y: f64, z: f64) -> f64) };
    (@ d4 $f:path) => { variant!(F64x4 $f, (x: f64, y: f64, z: f64, w: f64) -> f64) };
    (@ s2 $f:path) => { variant!(F32x2 $f, (x: f32, y: f32) -> f32) };
    (@ s3 $f:path) => { variant!(F32x3 $f, (x: f32, y: f32, z: f32) -> f32) };
    (@ s4 $f:path) => { variant!(F32x4 $f, (x: f32, y: f32, z: f32, w: f32) -> f32) };
}

/// The device's function of a name, where it is not the one that the host has.
pub fn lookup(name: &str) -> Option<MathFn> {
    Some(table! { name;
        s1:
            "sinf" single::sin; "cosf" single::cos; "tanf" single::tan; "sinpif" single::sinpi; "cospif" single::cospi;
            "asinf" single::asin; "acosf" single::acos; "atanf" single::atan;
            "sinhf" single::sinh; "coshf" single::cosh; "tanhf" single::tanh;
            "asinhf" single::asinh; "acoshf" single::acosh; "atanhf" single::atanh;
            "expf" single::exp; "exp2f" single::exp2; "exp10f" single::exp10; "expm1f" single::expm1;
            "logf" single::log; "log2f" single::log2; "log10f" single::log10; "log1pf" single::log1p; "logbf" single::logb;
            "cbrtf" single::cbrt; "rcbrtf" single::rcbrt;
            "__expf" single::fast_exp; "__exp10f" single::fast_exp10; "__logf" single::fast_log; "__log10f" single::fast_log10;
            "__tanf" single::fast_tan;
            "erff" single::erf; "erfcf" single::erfc; "erfcxf" single::erfcx; "erfinvf" single::erfinv;
            "erfcinvf" single::erfcinv; "normcdff" single::normcdf; "normcdfinvf" single::normcdfinv;
            "j0f" bessel::single::j0; "j1f" bessel::single::j1; "y0f" bessel::single::y0; "y1f" bessel::single::y1;
            "cyl_bessel_i0f" bessel::single::i0; "cyl_bessel_i1f" bessel::single::i1;
            "lgammaf" gamma::lgamma; "tgammaf" gamma::tgamma;
        s2:
            "__powf" single::fast_pow; "__fdividef" single::fast_divide;
            "powf" single::pow; "atan2f" single::atan2; "hypotf" norms::single::hypot; "rhypotf" norms::single::rhypot;
        s3:
            "norm3df" norms::single::norm3d; "rnorm3df" norms::single::rnorm3d;
        s4:
            "norm4df" norms::single::norm4d; "rnorm4df" norms::single::rnorm4d;
        d1:
            "sin" double::sin; "cos" double::cos; "tan" double::tan; "sinpi" double::sinpi; "cospi" double::cospi;
            "asin" double::asin; "acos" double::acos; "atan" double::atan;
            "sinh" double::sinh; "cosh" double::cosh; "tanh" double::tanh;
            "asinh" double::asinh; "acosh" double::acosh; "atanh" double::atanh;
            "exp" double::exp; "exp2" double::exp2; "exp10" double::exp10; "expm1" double::expm1;
            "log" double::log; "log2" double::log2; "log10" double::log10; "log1p" double::log1p;
            "cbrt" double::cbrt; "rcbrt" double::rcbrt; "rsqrt" double::rsqrt; "erf" double::erf;
            "erfc" double::erfc; "erfcx" double::erfcx; "erfinv" double::erfinv;
            "erfcinv" double::erfcinv; "normcdf" double::normcdf; "normcdfinv" double::normcdfinv;
            "j0" bessel::double::j0; "j1" bessel::double::j1; "y0" bessel::double::y0; "y1" bessel::double::y1;
            "cyl_bessel_i0" bessel::double::i0; "cyl_bessel_i1" bessel::double::i1;
        d2:
            "pow" double::pow; "atan2" double::atan2; "hypot" norms::double::hypot; "rhypot" norms::double::rhypot;
        d3:
            "norm3d" norms::double::norm3d; "rnorm3d" norms::double::rnorm3d;
        d4:
            "norm4d" norms::double::norm4d; "rnorm4d" norms::double::rnorm4d;
    })
}
