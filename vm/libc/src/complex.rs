//! Complex numbers: the C library's functions, and the compiler's for products and quotients. They are passed
//! and returned by their address, the result's first.

use crate::Functions;
use crate::layout::element;
use cudair_engine::guest::{Bytes, Guest};
use cudair_engine::parts::HostMemory;
use cudair_engine::{Args, HostFn, MemoryFn, Ret};
use cudair_lane::fault::Stop;
use cudair_lane::ptr::Ptr;
use cudair_math::libm;

macro_rules! functions {
    ($name:expr; $($double:ident $float:ident)*) => {
        match $name {
            $(stringify!($double) => {
                Some(|m: &mut HostMemory<'_>, a: &Args<'_>| of_one(m, a, |z| libm::$double(z), stringify!($double)))
            }
            stringify!($float) => {
                Some(|m: &mut HostMemory<'_>, a: &Args<'_>| of_one32(m, a, |z| libm::$float(z), stringify!($float)))
            })*
            _ => None,
        }
    };
}

/// The host's function of a name.
pub(crate) fn lookup(name: &str) -> Option<HostFn> {
    let one: Option<MemoryFn> = functions!(name;
        cexp cexpf clog clogf csqrt csqrtf csin csinf ccos ccosf ctan ctanf csinh csinhf ccosh ccoshf ctanh ctanhf
        casin casinf cacos cacosf catan catanf casinh casinhf cacosh cacoshf catanh catanhf cproj cprojf);
    one.map(HostFn::Memory).or_else(|| others(name))
}

fn others(name: &str) -> Option<HostFn> {
    OTHERS.find(name)
}

const OTHERS: Functions = Functions {
    memory: &[
        (&["conj"], |m, a| of_one(m, a, |z| libm::Complex { im: -z.im, ..z }, "conj")),
        (&["conjf"], |m, a| of_one32(m, a, |z| libm::Complex32 { im: -z.im, ..z }, "conjf")),
        (&["cpow"], |m, a| {
            let h = &mut Bytes::new(m, a, "cpow");
            let z = libm::cpow(read(h, a.ptr(1))?, read(h, a.ptr(2))?);
            write(h, a.ptr(0), z)
        }),
        (&["cpowf"], |m, a| {
            let h = &mut Bytes::new(m, a, "cpowf");
            let z = libm::cpowf(read32(h, a.ptr(1))?, read32(h, a.ptr(2))?);
            write32(h, a.ptr(0), z)
        }),
        (&["cabs"], |m, a| Ok(libm::cabs(read(&mut Bytes::new(m, a, "cabs"), a.ptr(0))?).into())),
        (&["carg"], |m, a| Ok(libm::carg(read(&mut Bytes::new(m, a, "carg"), a.ptr(0))?).into())),
        (&["creal"], |m, a| Ok(read(&mut Bytes::new(m, a, "creal"), a.ptr(0))?.re.into())),
        (&["cimag"], |m, a| Ok(read(&mut Bytes::new(m, a, "cimag"), a.ptr(0))?.im.into())),
        (&["cabsf"], |m, a| Ok(libm::cabsf(read32(&mut Bytes::new(m, a, "cabsf"), a.ptr(0))?).into())),
        (&["cargf"], |m, a| Ok(libm::cargf(read32(&mut Bytes::new(m, a, "cargf"), a.ptr(0))?).into())),
        (&["crealf"], |m, a| Ok(read32(&mut Bytes::new(m, a, "crealf"), a.ptr(0))?.re.into())),
        (&["cimagf"], |m, a| Ok(read32(&mut Bytes::new(m, a, "cimagf"), a.ptr(0))?.im.into())),
        (&["__cudair_complex_div"], |m, a| {
            let (re, im) = quotient(parts(a));
            write(&mut Bytes::new(m, a, "complex division"), a.ptr(0), libm::Complex { re, im })
        }),
        (&["__cudair_complex_divf"], |m, a| {
            // In twice the precision nothing is lost.
            let [re, im, c, d] = parts32(a).map(f64::from);
            let scale = c * c + d * d;
            let (x, y) = ((re * c + im * d) / scale, (im * c - re * d) / scale);
            let (x, y) = mended((x, y), [re, im, c, d]);
            let z = libm::Complex32 { re: x as f32, im: y as f32 };
            write32(&mut Bytes::new(m, a, "complex division"), a.ptr(0), z)
        }),
        (&["__cudair_complex_mul"], |m, a| {
            let (re, im) = product(parts(a));
            write(&mut Bytes::new(m, a, "complex product"), a.ptr(0), libm::Complex { re, im })
        }),
        (&["__cudair_complex_mulf"], |m, a| {
            let (re, im) = product(parts32(a).map(f64::from));
            let z = libm::Complex32 { re: re as f32, im: im as f32 };
            write32(&mut Bytes::new(m, a, "complex product"), a.ptr(0), z)
        }),
    ],
    ..Functions::NONE
};

fn parts(a: &Args<'_>) -> [f64; 4] {
    [1, 2, 3, 4].map(|i| f64::from_bits(a.u64(i)))
}

fn parts32(a: &Args<'_>) -> [f32; 4] {
    [1, 2, 3, 4].map(|i| f32::from_bits(a.u32(i)))
}

fn of_one(
    m: &mut HostMemory<'_>,
    a: &Args<'_>,
    f: impl Fn(libm::Complex) -> libm::Complex,
    name: &'static str,
) -> Result<Ret, Stop> {
    let h = &mut Bytes::new(m, a, name);
    let z = f(read(h, a.ptr(1))?);
    write(h, a.ptr(0), z)
}

fn of_one32(
    m: &mut HostMemory<'_>,
    a: &Args<'_>,
    f: impl Fn(libm::Complex32) -> libm::Complex32,
    name: &'static str,
) -> Result<Ret, Stop> {
    let h = &mut Bytes::new(m, a, name);
    let z = f(read32(h, a.ptr(1))?);
    write32(h, a.ptr(0), z)
}

// A complex number is an array of two.

fn read(h: &mut impl Guest, at: Ptr) -> Result<libm::Complex, Stop> {
    let mut part = |i| Ok::<f64, Stop>(f64::from_bits(h.word(element::<f64>(at, i), 8)?));
    Ok(libm::Complex { re: part(0)?, im: part(1)? })
}

fn write(h: &mut impl Guest, at: Ptr, z: libm::Complex) -> Result<Ret, Stop> {
    h.put(element::<f64>(at, 0), z.re.to_bits(), 8)?;
    h.put(element::<f64>(at, 1), z.im.to_bits(), 8)?;
    Ok(Ret::Void)
}

fn read32(h: &mut impl Guest, at: Ptr) -> Result<libm::Complex32, Stop> {
    let mut part = |i| Ok::<f32, Stop>(f32::from_bits(h.word(element::<f32>(at, i), 4)? as u32));
    Ok(libm::Complex32 { re: part(0)?, im: part(1)? })
}

fn write32(h: &mut impl Guest, at: Ptr, z: libm::Complex32) -> Result<Ret, Stop> {
    h.put(element::<f32>(at, 0), z.re.to_bits().into(), 4)?;
    h.put(element::<f32>(at, 1), z.im.to_bits().into(), 4)?;
    Ok(Ret::Void)
}

/// The quotient by Smith's way, scaled where it would overflow or underflow, as GCC's library has it.
fn quotient([mut a, mut b, mut c, mut d]: [f64; 4]) -> (f64, f64) {
    const BIG: f64 = f64::MAX / 2.0;
    const SMALL: f64 = f64::MIN_POSITIVE;
    const SMALLER: f64 = f64::EPSILON;
    const SCALE: f64 = 1.0 / f64::EPSILON;
    const LARGE: f64 = BIG * SMALLER;
    let given = [a, b, c, d];
    let swapped = c.abs() < d.abs();
    let most = if swapped { d.abs() } else { c.abs() };
    let mut scale = |by: f64| [&mut a, &mut b, &mut c, &mut d].into_iter().for_each(|x| *x *= by);
    let [x, y] = [given[0].abs(), given[1].abs()];
    if most >= BIG {
        scale(0.5);
    } else if most < SMALLER || most < LARGE && (x < SMALL && y < LARGE || y < SMALL && x < LARGE) {
        scale(SCALE);
    }
    let result = if swapped {
        let r = c / d;
        let denominator = c * r + d;
        if r.abs() > SMALL {
            ((a * r + b) / denominator, (b * r - a) / denominator)
        } else {
            ((c * (a / d) + b) / denominator, (c * (b / d) - a) / denominator)
        }
    } else {
        let r = d / c;
        let denominator = d * r + c;
        if r.abs() > SMALL {
            ((b * r + a) / denominator, (b - a * r) / denominator)
        } else {
            ((a + d * (b / c)) / denominator, (b - d * (a / c)) / denominator)
        }
    };
    mended(result, given)
}

/// What a quotient of infinities and zeros is, whose parts came out as not-a-numbers.
fn mended(result: (f64, f64), [a, b, c, d]: [f64; 4]) -> (f64, f64) {
    if !(result.0.is_nan() && result.1.is_nan()) {
        return result;
    }
    let sign = |x: f64| if x.is_infinite() { 1f64.copysign(x) } else { 0f64.copysign(x) };
    if c == 0.0 && d == 0.0 && (!a.is_nan() || !b.is_nan()) {
        let infinity = f64::INFINITY.copysign(c);
        return (infinity * a, infinity * b);
    }
    if (a.is_infinite() || b.is_infinite()) && c.is_finite() && d.is_finite() {
        let (a, b) = (sign(a), sign(b));
        return (f64::INFINITY * (a * c + b * d), f64::INFINITY * (b * c - a * d));
    }
    if (c.is_infinite() || d.is_infinite()) && a.is_finite() && b.is_finite() {
        let (c, d) = (sign(c), sign(d));
        return (0.0 * (a * c + b * d), 0.0 * (b * c - a * d));
    }
    result
}

/// A product with infinities among its factors, whose plain parts came out as not-a-numbers.
fn product([mut a, mut b, mut c, mut d]: [f64; 4]) -> (f64, f64) {
    let (ac, bd, ad, bc) = (a * c, b * d, a * d, b * c);
    let plain = (ac - bd, ad + bc);
    if !(plain.0.is_nan() && plain.1.is_nan()) {
        return plain;
    }
    let sign = |x: f64| if x.is_infinite() { 1f64.copysign(x) } else { 0f64.copysign(x) };
    let number = |x: f64| if x.is_nan() { 0f64.copysign(x) } else { x };
    let mut again = false;
    if a.is_infinite() || b.is_infinite() {
        (a, b, c, d) = (sign(a), sign(b), number(c), number(d));
        again = true;
    }
    if c.is_infinite() || d.is_infinite() {
        (c, d, a, b) = (sign(c), sign(d), number(a), number(b));
        again = true;
    }
    if !again && [ac, bd, ad, bc].iter().any(|x| x.is_infinite()) {
        (a, b, c, d) = (number(a), number(b), number(c), number(d));
        again = true;
    }
    if again { (f64::INFINITY * (a * c - b * d), f64::INFINITY * (a * d + b * c)) } else { plain }
}
