//! The platform's mathematical library, where its very bits are wanted. Pure functions over values; no pointer of the
//! program ever gets here.
#![allow(unsafe_code, reason = "declares and calls functions of the C library")]
#![allow(missing_docs, reason = "the functions are the C library's")]

macro_rules! libm {
    ($($name:ident($($arg:ident: $ty:ty),*) -> $ret:ty;)*) => {
        // SAFETY: each is the function of that name of the C library with that signature; all take
        // numbers and give a number, for every argument.
        unsafe extern "C" { $(pub safe fn $name($($arg: $ty),*) -> $ret;)* }
    };
}

libm! {
    sin(x: f64) -> f64; cos(x: f64) -> f64; tan(x: f64) -> f64;
    asin(x: f64) -> f64; acos(x: f64) -> f64; atan(x: f64) -> f64; atan2(y: f64, x: f64) -> f64;
    sinh(x: f64) -> f64; cosh(x: f64) -> f64; tanh(x: f64) -> f64;
    asinh(x: f64) -> f64; acosh(x: f64) -> f64; atanh(x: f64) -> f64;
    exp(x: f64) -> f64; exp2(x: f64) -> f64; exp10(x: f64) -> f64; expm1(x: f64) -> f64;
    log(x: f64) -> f64; log2(x: f64) -> f64; log10(x: f64) -> f64; log1p(x: f64) -> f64; logb(x: f64) -> f64;
    pow(x: f64, y: f64) -> f64; cbrt(x: f64) -> f64; hypot(x: f64, y: f64) -> f64;
    erf(x: f64) -> f64; erfc(x: f64) -> f64; tgamma(x: f64) -> f64; lgamma(x: f64) -> f64;
    fmod(x: f64, y: f64) -> f64; remainder(x: f64, y: f64) -> f64; fma(x: f64, y: f64, z: f64) -> f64;
    nextafter(x: f64, y: f64) -> f64; fdim(x: f64, y: f64) -> f64;
    ldexp(x: f64, n: i32) -> f64; ilogb(x: f64) -> i32;
    j0(x: f64) -> f64; j1(x: f64) -> f64; y0(x: f64) -> f64; y1(x: f64) -> f64;
    jn(n: i32, x: f64) -> f64; yn(n: i32, x: f64) -> f64;
    sinf(x: f32) -> f32; cosf(x: f32) -> f32; tanf(x: f32) -> f32;
    asinf(x: f32) -> f32; acosf(x: f32) -> f32; atanf(x: f32) -> f32; atan2f(y: f32, x: f32) -> f32;
    sinhf(x: f32) -> f32; coshf(x: f32) -> f32; tanhf(x: f32) -> f32;
    asinhf(x: f32) -> f32; acoshf(x: f32) -> f32; atanhf(x: f32) -> f32;
    expf(x: f32) -> f32; exp2f(x: f32) -> f32; exp10f(x: f32) -> f32; expm1f(x: f32) -> f32;
    logf(x: f32) -> f32; log2f(x: f32) -> f32; log10f(x: f32) -> f32; log1pf(x: f32) -> f32; logbf(x: f32) -> f32;
    powf(x: f32, y: f32) -> f32; cbrtf(x: f32) -> f32; hypotf(x: f32, y: f32) -> f32;
    erff(x: f32) -> f32; erfcf(x: f32) -> f32; tgammaf(x: f32) -> f32; lgammaf(x: f32) -> f32;
    fmodf(x: f32, y: f32) -> f32; remainderf(x: f32, y: f32) -> f32; fmaf(x: f32, y: f32, z: f32) -> f32;
    nextafterf(x: f32, y: f32) -> f32; fdimf(x: f32, y: f32) -> f32;
    ldexpf(x: f32, n: i32) -> f32; ilogbf(x: f32) -> i32;
    j0f(x: f32) -> f32; j1f(x: f32) -> f32; y0f(x: f32) -> f32; y1f(x: f32) -> f32;
    jnf(n: i32, x: f32) -> f32; ynf(n: i32, x: f32) -> f32;
}

/// A complex number, passed as C passes its own: the calling conventions say the same of both.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Complex {
    pub re: f64,
    pub im: f64,
}

/// The same in single precision.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Complex32 {
    pub re: f32,
    pub im: f32,
}

libm! {
    cexp(z: Complex) -> Complex; clog(z: Complex) -> Complex; csqrt(z: Complex) -> Complex;
    csin(z: Complex) -> Complex; ccos(z: Complex) -> Complex; ctan(z: Complex) -> Complex;
    csinh(z: Complex) -> Complex; ccosh(z: Complex) -> Complex; ctanh(z: Complex) -> Complex;
    casin(z: Complex) -> Complex; cacos(z: Complex) -> Complex; catan(z: Complex) -> Complex;
    casinh(z: Complex) -> Complex; cacosh(z: Complex) -> Complex; catanh(z: Complex) -> Complex;
    cproj(z: Complex) -> Complex; cpow(z: Complex, w: Complex) -> Complex;
    cabs(z: Complex) -> f64; carg(z: Complex) -> f64;
    cexpf(z: Complex32) -> Complex32; clogf(z: Complex32) -> Complex32; csqrtf(z: Complex32) -> Complex32;
    csinf(z: Complex32) -> Complex32; ccosf(z: Complex32) -> Complex32; ctanf(z: Complex32) -> Complex32;
    csinhf(z: Complex32) -> Complex32; ccoshf(z: Complex32) -> Complex32; ctanhf(z: Complex32) -> Complex32;
    casinf(z: Complex32) -> Complex32; cacosf(z: Complex32) -> Complex32; catanf(z: Complex32) -> Complex32;
    casinhf(z: Complex32) -> Complex32; cacoshf(z: Complex32) -> Complex32; catanhf(z: Complex32) -> Complex32;
    cprojf(z: Complex32) -> Complex32; cpowf(z: Complex32, w: Complex32) -> Complex32;
    cabsf(z: Complex32) -> f32; cargf(z: Complex32) -> f32;
}

/// The bytes of an x87 number as they lie in memory, on the boundary that a call puts them on.
#[repr(C, align(16))]
struct Extended([u128; 2]);

macro_rules! libm_extended {
    ($($name:ident)*) => {
        #[cfg(target_arch = "x86_64")]
        mod extended {
            unsafe extern "C" { $(pub fn $name();)* }
        }
        /// A function of `long double`, of one or two arguments, by its name.
        #[cfg(target_arch = "x86_64")]
        fn extended_function(name: &str) -> Option<unsafe extern "C" fn()> {
            Some(match name {
                $(stringify!($name) => extended::$name,)*
                _ => return None,
            })
        }
    };
}

libm_extended! {
    sinl cosl tanl asinl acosl atanl atan2l sinhl coshl tanhl asinhl acoshl atanhl expl exp2l expm1l logl log2l log10l
    log1pl logbl powl cbrtl hypotl erfl erfcl tgammal lgammal remainderl nextafterl
}

/// Calls the C library's function on `long double` values, given and returned by their 80 bits; `None` where
/// there is none of that name, or the machine has no such type.
#[cfg(target_arch = "x86_64")]
pub fn call_extended(name: &str, x: u128, y: u128) -> Option<u128> {
    let function = extended_function(name)?;
    let arguments = Extended([x, y]);
    let mut result = Extended([0, 0]);
    // SAFETY: the functions take one or two `long double` on the stack, aligned to 16 bytes, and give one in
    // st(0), as the calling convention says; one that takes one argument does not look at the second. The
    // stack pointer is put back from a register that calls preserve, and nothing is kept below it.
    unsafe {
        std::arch::asm!(
            "mov r14, rsp",
            "sub rsp, 256",
            "and rsp, -16",
            "sub rsp, 32",
            "fld tbyte ptr [r12]",
            "fstp tbyte ptr [rsp]",
            "fld tbyte ptr [r12 + 16]",
            "fstp tbyte ptr [rsp + 16]",
            "call r15",
            "fstp tbyte ptr [r13]",
            "mov rsp, r14",
            in("r12") &raw const arguments,
            in("r13") &raw mut result,
            in("r15") function,
            out("r14") _,
            clobber_abi("C"),
        );
    }
    Some(result.0[0] & ((1 << 80) - 1))
}

/// There is no such type on this machine.
#[cfg(not(target_arch = "x86_64"))]
pub fn call_extended(_: &str, _: u128, _: u128) -> Option<u128> {
    None
}
