//! Mathematical functions that give a second result through a pointer, on both sides.

use super::number::parse_float;
use crate::{Functions, both};
use cudair_engine::guest::{Bytes, Guest, Lane};
use cudair_engine::parts::HostMemory;
use cudair_engine::{Args, DeviceCall, DeviceFn, HostFn, Ret};
use cudair_ir::f80;
use cudair_lane::fault::Stop;
use cudair_lane::ptr::Ptr;
use cudair_math::{MathFn, libm, lookup as lookup_host_math, lookup_device as lookup_device_math, norm};

/// `frexp`: the fraction in [1/2, 1) and the exponent.
fn frexp(x: f64) -> (f64, i32) {
    if x == 0.0 || !x.is_finite() {
        return (x, 0);
    }
    let e = libm::ilogb(x) + 1;
    (libm::ldexp(x, -e), e)
}

/// `modf`: the integer part and the fraction, both with the sign of `x`.
fn modf(x: f64) -> (f64, f64) {
    let whole = x.trunc();
    let fraction = if x.is_infinite() { 0.0 } else { x - whole };
    (whole, fraction.copysign(x))
}

/// `remquo`: the remainder and the quotient's sign and low bits.
fn remquo(x: f64, y: f64) -> (f64, i32) {
    let r = libm::remainder(x, y);
    if !r.is_finite() || !x.is_finite() || y == 0.0 || !y.is_finite() {
        return (r, 0);
    }
    // The remainder by eight times the divisor keeps the low three bits of the quotient.
    let wide = if y.abs() <= f64::MAX / 8.0 { libm::fmod(x, 8.0 * y) } else { x };
    let low = ((wide - r) / y).round().abs() as i64 & 7;
    (r, if (x < 0.0) == (y < 0.0) { low as i32 } else { -(low as i32) })
}

fn put_f64(g: &mut impl Guest, ptr: Ptr, x: f64) -> Result<(), Stop> {
    g.put(ptr, x.to_bits(), 8)
}

fn put_f32(g: &mut impl Guest, ptr: Ptr, x: f64) -> Result<(), Stop> {
    g.put(ptr, u64::from((x as f32).to_bits()), 4)
}

both!(frexp_h, frexp_d, "frexp", |g, a| {
    let (f, e) = frexp(a.f64(0));
    g.put(a.ptr(1), u64::from(e as u32), 4)?;
    Ok(f.into())
});
both!(frexpf_h, frexpf_d, "frexpf", |g, a| {
    let (f, e) = frexp(f64::from(a.f32(0)));
    g.put(a.ptr(1), u64::from(e as u32), 4)?;
    Ok((f as f32).into())
});
both!(modf_h, modf_d, "modf", |g, a| {
    let (whole, fraction) = modf(a.f64(0));
    put_f64(g, a.ptr(1), whole)?;
    Ok(fraction.into())
});
both!(modff_h, modff_d, "modff", |g, a| {
    let (whole, fraction) = modf(f64::from(a.f32(0)));
    put_f32(g, a.ptr(1), whole)?;
    Ok((fraction as f32).into())
});
both!(remquo_h, remquo_d, "remquo", |g, a| {
    let (r, q) = remquo(a.f64(0), a.f64(1));
    g.put(a.ptr(2), u64::from(q as u32), 4)?;
    Ok(r.into())
});
both!(remquof_h, remquof_d, "remquof", |g, a| {
    let (r, q) = remquo(f64::from(a.f32(0)), f64::from(a.f32(1)));
    g.put(a.ptr(2), u64::from(q as u32), 4)?;
    Ok((r as f32).into())
});
/// A sine and a cosine together are what the functions for each give, those of the side that calls.
fn sine_and_cosine(
    g: &mut impl Guest,
    a: &Args<'_>,
    functions: [Option<MathFn>; 2],
    bytes: usize,
) -> Result<Ret, Stop> {
    let x = u128::from(if bytes == 4 { u64::from(a.f32(0).to_bits()) } else { a.f64(0).to_bits() });
    for (k, f) in functions.into_iter().enumerate() {
        let f = f.ok_or_else(|| Stop::internal("a sine or a cosine is missing".to_owned()))?;
        g.put(a.ptr(k + 1), f.call_bits(&[x]) as u64, bytes)?;
    }
    Ok(Ret::Void)
}

macro_rules! pair {
    ($host:ident, $device:ident, $name:literal, $sin:literal, $cos:literal, $bytes:literal) => {
        fn $host(m: &mut HostMemory<'_>, a: &Args<'_>) -> Result<Ret, Stop> {
            sine_and_cosine(&mut Bytes::new(m, a, $name), a, [$sin, $cos].map(lookup_host_math), $bytes)
        }
        fn $device(call: &mut DeviceCall<'_>, a: &Args<'_>) -> Result<Ret, Stop> {
            sine_and_cosine(&mut Lane::new(call, a, $name), a, [$sin, $cos].map(lookup_device_math), $bytes)
        }
    };
}
pair!(sincos_h, sincos_d, "sincos", "sin", "cos", 8);
pair!(sincosf_h, sincosf_d, "sincosf", "sinf", "cosf", 4);
pair!(sincospi_h, sincospi_d, "sincospi", "sinpi", "cospi", 8);
pair!(sincospif_h, sincospif_d, "sincospif", "sinpif", "cospif", 4);
both!(nan_h, nan_d, "nan", |g, a| {
    let bits = nan(g, a.ptr(0), f80::BINARY64)?;
    Ok(Ret::Word(bits))
});
both!(nanf_h, nanf_d, "nanf", |g, a| {
    let bits = nan(g, a.ptr(0), f80::BINARY32)?;
    Ok(Ret::Word(bits))
});
both!(norm_h, norm_d, "norm", |g, a| {
    let v = vector(g, a, 8)?;
    Ok(norm(&v).into())
});
both!(normf_h, normf_d, "normf", |g, a| {
    let v = vector(g, a, 4)?;
    Ok((norm(&v) as f32).into())
});
both!(rnorm_h, rnorm_d, "rnorm", |g, a| {
    let v = vector(g, a, 8)?;
    Ok((1.0 / norm(&v)).into())
});
both!(rnormf_h, rnormf_d, "rnormf", |g, a| {
    let v = vector(g, a, 4)?;
    Ok(((1.0 / norm(&v)) as f32).into())
});

fn nan(g: &mut impl Guest, ptr: Ptr, format: f80::BinaryFormat) -> Result<u64, Stop> {
    let mut text = b"nan(".to_vec();
    text.extend(g.cstr(ptr, Some(4096))?);
    text.push(b')');
    let parsed = parse_float(&text, format);
    Ok(if parsed.consumed == text.len() {
        parsed.bits as u64
    } else {
        parse_float(b"nan", format).bits as u64
    })
}

fn vector(g: &mut impl Guest, a: &Args<'_>, size: i64) -> Result<Vec<f64>, Stop> {
    let count = i64::from(a.i32(0)).max(0);
    let bytes = g.read(a.ptr(1), (count * size) as u64)?;
    Ok(bytes
        .chunks_exact(size as usize)
        .map(|c| match *c {
            [a, b, c, d] => f64::from(f32::from_le_bytes([a, b, c, d])),
            [a, b, c, d, e, f, g, h] => f64::from_le_bytes([a, b, c, d, e, f, g, h]),
            _ => 0.0,
        })
        .collect())
}

macro_rules! pairs {
    ($($name:literal $host:ident $device:ident;)*) => {
        /// The host's functions by name.
        pub(crate) fn lookup(name: &str) -> Option<HostFn> {
            Some(HostFn::Memory(match name { $($name => $host,)* _ => return host_only(name) }))
        }
        /// The device's functions by name.
        pub(crate) fn lookup_device(name: &str) -> Option<DeviceFn> {
            Some(match name { $($name => $device,)* _ => return None })
        }
    };
}

pairs! {
    "frexp" frexp_h frexp_d; "frexpf" frexpf_h frexpf_d;
    "modf" modf_h modf_d; "modff" modff_h modff_d;
    "remquo" remquo_h remquo_d; "remquof" remquof_h remquof_d;
    "sincos" sincos_h sincos_d; "sincosf" sincosf_h sincosf_d;
    "sincospi" sincospi_h sincospi_d; "sincospif" sincospif_h sincospif_d;
    "nan" nan_h nan_d; "nanf" nanf_h nanf_d;
    "norm" norm_h norm_d; "normf" normf_h normf_d; "rnorm" rnorm_h rnorm_d; "rnormf" rnormf_h rnormf_d;
}

/// What the C library has beside CUDA.
fn host_only(name: &str) -> Option<HostFn> {
    HOST_ONLY.find(name)
}

const HOST_ONLY: Functions = Functions {
    memory: &[
        (&["lgamma_r"], |m, a| {
            let x = a.f64(0);
            let negative =
                x < 0.0 && x.floor() != x && x.floor() as i64 & 1 != 0 || x == 0.0 && x.is_sign_negative();
            Bytes::new(m, a, "lgamma_r").put(a.ptr(1), u64::from(if negative { u32::MAX } else { 1 }), 4)?;
            Ok(libm::lgamma(x).into())
        }),
        (&["frexpl"], |m, a| {
            let x = a.f80(0);
            let (f, e) = match f80::Parts::from(x).class {
                f80::Class::Finite { mant, exp } if mant != 0 => {
                    let e = exp + 64 - mant.leading_zeros() as i32;
                    (x.scale(-e), e)
                }
                _ => (x, 0),
            };
            Bytes::new(m, a, "frexpl").put(a.ptr(1), u64::from(e as u32), 4)?;
            Ok(Ret::Wide(f.to_bits()))
        }),
        (&["modfl"], |m, a| {
            let x = a.f80(0);
            let whole = x.trunc();
            let fraction = if x.is_infinite() { f80::F80::ZERO } else { x.sub(whole) };
            Bytes::new(m, a, "modfl").write(a.ptr(1), &whole.to_bits().to_le_bytes()[..10])?;
            Ok(Ret::Wide(fraction.with_sign(x.is_negative()).to_bits()))
        }),
        // Rounding is to nearest, and no exception is kept.
        (&["fegetround", "fetestexcept", "feclearexcept", "fegetenv", "feupdateenv"], |_, _| Ok(0.into())),
        (&["fesetround"], |_, a| Ok(i32::from(a.i32(0) != 0).into())),
    ],
    ..Functions::NONE
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_results() {
        assert_eq!(frexp(8.0), (0.5, 4));
        assert_eq!(frexp(5e-324), (0.5, -1073));
        assert_eq!(modf(-3.25), (-3.0, -0.25));
        assert_eq!(modf(f64::INFINITY), (f64::INFINITY, 0.0));
        assert_eq!(remquo(17.0, 5.0), (2.0, 3));
        assert_eq!(remquo(-17.0, 5.0), (-2.0, -3));
        assert_eq!(remquo(18.0, 5.0), (-2.0, 4));
    }
}
