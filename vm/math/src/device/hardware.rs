//! What the GPU's instructions compute: flushing, roundings, and the approximations of its function unit,
//! which are taken as exact and rounded to the result's precision. NVIDIA does not tell their bits.

use crate::libm;

/// What an invalid operation on binary64 gives, as on an H100.
pub const INVALID: f64 = f64::from_bits(0xfff8_0000_0000_0000);

/// Zero for a number below the normal ones.
#[inline(always)]
pub fn flush(x: f32) -> f32 {
    if x.abs() < f32::MIN_POSITIVE { 0f32.copysign(x) } else { x }
}

/// Into [0, 1]; not a number becomes 0.
#[inline(always)]
pub fn saturate(x: f32) -> f32 {
    if x > 0.0 { if x < 1.0 { x } else { 1.0 } } else { 0.0 }
}

/// `ex2.approx.f32`
#[inline(always)]
pub fn ex2(x: f32) -> f32 {
    libm::exp2(f64::from(x)) as f32
}

/// `ex2.approx.ftz.f32`
#[inline(always)]
pub fn ex2_ftz(x: f32) -> f32 {
    flush(ex2(flush(x)))
}

/// `lg2.approx.f32`
#[inline(always)]
pub fn lg2(x: f32) -> f32 {
    libm::log2(f64::from(x)) as f32
}

/// `rcp.approx.ftz.f32`
#[inline(always)]
pub fn rcp(x: f32) -> f32 {
    flush(1.0 / flush(x))
}

/// `rsqrt.approx.f32`
#[inline(always)]
pub fn rsqrt(x: f32) -> f32 {
    (1.0 / f64::from(x).sqrt()) as f32
}

/// `div.approx.ftz.f32`
#[inline(always)]
pub fn div_ftz(a: f32, b: f32) -> f32 {
    flush(flush(a) / flush(b))
}

/// The upper word alone of a number.
#[inline(always)]
fn upper(x: f64) -> f64 {
    f64::from_bits(x.to_bits() & 0xffff_ffff_0000_0000)
}

#[inline(always)]
fn flush_double(x: f64) -> f64 {
    if x.abs() < f64::MIN_POSITIVE { 0f64.copysign(x) } else { x }
}

/// `rcp.approx.ftz.f64`: looks at the argument's upper word and gives one.
#[inline(always)]
pub fn rcp_double(x: f64) -> f64 {
    upper(flush_double(1.0 / flush_double(upper(x))))
}

/// `rsqrt.approx.ftz.f64`: the same.
#[inline(always)]
pub fn rsqrt_double(x: f64) -> f64 {
    upper(1.0 / flush_double(upper(x)).sqrt())
}

/// A sum rounded towards zero.
#[inline(always)]
pub fn add_toward_zero(a: f32, b: f32) -> f32 {
    let s = a + b;
    let t = s - a;
    let error = (a - (s - t)) + (b - t);
    if error != 0.0 && (error < 0.0) == (s > 0.0) && s.is_finite() {
        f32::from_bits(s.to_bits() - 1)
    } else {
        s
    }
}

/// A positive product rounded towards zero.
#[inline(always)]
pub fn mul_toward_zero(a: f32, b: f32) -> f32 {
    let p = a * b;
    if a.mul_add(b, -p) < 0.0 { f32::from_bits(p.to_bits() - 1) } else { p }
}

/// A polynomial by fused steps, the highest power first.
#[inline(always)]
pub fn poly<const N: usize>(t: f32, c: [f32; N]) -> f32 {
    let mut sum = c[0];
    for &c in &c[1..] {
        sum = sum.mul_add(t, c);
    }
    sum
}

/// The same in double.
#[inline(always)]
pub fn poly_double<const N: usize>(t: f64, c: [f64; N]) -> f64 {
    let mut sum = c[0];
    for &c in &c[1..] {
        sum = sum.mul_add(t, c);
    }
    sum
}
