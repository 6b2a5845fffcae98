//! Conversions between types.

use super::float::{from_f32, to_f32};
use super::{Eval, Ub, ok, signed};
use crate::f80::F80;
use crate::{CastOp, Side, Type};
use half::{bf16, f16};
use std::cmp::Ordering;

/// A conversion of `a`, of type `from`, to type `to`. The side decides what a floating value that does not fit an
/// integer gives, and whether that is undefined.
pub fn cast(op: CastOp, from: Type, to: Type, a: u128, side: Side) -> Eval {
    use CastOp::*;
    let cut = |x: u128| x & to.bit_mask();
    ok(match op {
        Trunc | Zext | Bitcast | Ptrtoint | Inttoptr | Spacecast => cut(a),
        Sext => cut(signed(from, a) as u128),
        Fptrunc | Fpext | Fpconv => float_to_float(from, to, a),
        Sitofp => {
            let x = signed(from, a);
            int_to_float(x < 0, x.unsigned_abs(), to)
        }
        Uitofp => int_to_float(false, a, to),
        Fptosi | Fptoui => return float_to_int(op == Fptosi, from, to, a, side),
    })
}

/// The usual conversions between integers and floating point, of words, where nothing is lost but a fraction; none
/// where [`cast`] has to look.
#[inline]
pub fn cast_word(op: CastOp, from: Type, to: Type, a: u64) -> Option<u64> {
    let sign_extended = |x: u64, bits: u32| (x << (64 - bits)) as i64 >> (64 - bits);
    match op {
        CastOp::Fptosi | CastOp::Fptoui => {
            let x = match from {
                Type::F64 => f64::from_bits(a),
                Type::F32 => f64::from(f32::from_bits(a as u32)),
                _ => return None,
            };
            const BOUND: f64 = (1u64 << 62) as f64;
            let bits = to.bits();
            if bits > 64 || x.is_nan() || x.abs() >= BOUND {
                return None;
            }
            let whole = x as i64;
            let fits = match op {
                CastOp::Fptosi => sign_extended(whole as u64, bits) == whole,
                _ => whole >= 0 && whole as u64 & to.bit_mask() as u64 == whole as u64,
            };
            fits.then_some(whole as u64 & to.bit_mask() as u64)
        }
        CastOp::Sitofp | CastOp::Uitofp => {
            let bits = from.bits();
            if bits > 64 || bits == 0 {
                return None;
            }
            let signed = sign_extended(a, bits);
            Some(match (to, op) {
                (Type::F64, CastOp::Sitofp) => (signed as f64).to_bits(),
                (Type::F64, _) => (a as f64).to_bits(),
                (Type::F32, CastOp::Sitofp) => u64::from((signed as f32).to_bits()),
                (Type::F32, _) => u64::from((a as f32).to_bits()),
                _ => return None,
            })
        }
        _ => None,
    }
}

pub(super) fn float_to_float(from: Type, to: Type, a: u128) -> u128 {
    match (from, to) {
        (Type::F80, Type::F64) => F80::from_bits(a).to_f64().to_bits().into(),
        (Type::F80, Type::F32) => F80::from_bits(a).to_f32().to_bits().into(),
        (Type::F80, Type::F16 | Type::BF16) => to_half(to, odd_f64(F80::from_bits(a))),
        (Type::F64, Type::F80) => F80::from_f64(f64::from_bits(a as u64)).to_bits(),
        (Type::F64, Type::F16 | Type::BF16) => to_half(to, f64::from_bits(a as u64)),
        (Type::F64, Type::F32) => (f64::from_bits(a as u64) as f32).to_bits().into(),
        (_, Type::F80) => F80::from_f64(f64::from(to_f32(from, a))).to_bits(),
        (_, Type::F64) => f64::from(to_f32(from, a)).to_bits().into(),
        _ => from_f32(to, to_f32(from, a)),
    }
}

/// The half of type `ty` nearest to `x`, which may itself be rounded to odd.
pub(super) fn to_half(ty: Type, x: f64) -> u128 {
    match ty {
        Type::F16 => f16::from_f32(odd_f32(x)).to_bits().into(),
        _ => bf16::from_f32(odd_f32(x)).to_bits().into(),
    }
}

/// Rounded to odd, so that a second rounding to a much narrower format is right.
fn odd_f32(x: f64) -> f32 {
    let r = x as f32;
    if r.is_nan() || f64::from(r) == x || r.to_bits() & 1 != 0 {
        return r;
    }
    let away = f64::from(r.abs()) > x.abs();
    f32::from_bits(if away { r.to_bits() - 1 } else { r.to_bits() + 1 })
}

/// The same from the extended format.
fn odd_f64(x: F80) -> f64 {
    let r = x.to_f64();
    if r.is_nan() || r.is_infinite() || F80::from_f64(r).compare(x) == Some(Ordering::Equal) {
        return r;
    }
    let toward_zero = match F80::from_f64(r.abs()).compare(x.with_sign(false)) {
        Some(Ordering::Greater) => f64::from_bits(r.to_bits() - 1),
        _ => r,
    };
    f64::from_bits(toward_zero.to_bits() | 1)
}

/// The number nearest to an integer of that sign and magnitude.
fn int_to_float(negative: bool, magnitude: u128, to: Type) -> u128 {
    let sign = u128::from(negative) << (to.bits() - 1);
    sign | match to {
        Type::F80 => F80::rounded(false, magnitude, 0, false).to_bits(),
        Type::F64 => (magnitude as f64).to_bits().into(),
        Type::F32 => (magnitude as f32).to_bits().into(),
        // A rounding to binary64 first may hit a tie of the half's, so bits that it drops are kept as a sticky one.
        _ => {
            let drop = (128 - magnitude.leading_zeros()).saturating_sub(53);
            let kept = magnitude >> drop;
            let sticky = kept << drop != magnitude;
            to_half(to, (kept | u128::from(sticky)) as f64 * (1u128 << drop) as f64)
        }
    }
}

fn float_to_int(is_signed: bool, from: Type, to: Type, a: u128, side: Side) -> Eval {
    // A device has conversions to 32 and 64 bits; a narrower integer is cut from the former.
    if side.on_device() && to.bits() < 32 {
        let (wide, ub) = float_to_int(is_signed, from, Type::I32, a, side);
        return (wide & to.bit_mask(), ub);
    }
    // The magnitude without its fraction, where 128 bits hold it.
    let (whole, nan, negative) = match from {
        Type::F80 => {
            let x = F80::from_bits(a);
            (x.magnitude(), x.is_nan(), x.is_negative())
        }
        _ => {
            let x = if from == Type::F64 { f64::from_bits(a as u64) } else { f64::from(to_f32(from, a)) };
            const LIMIT: f64 = 2.0 * (1u128 << 127) as f64;
            ((x.abs() < LIMIT).then_some(x.abs() as u128), x.is_nan(), x.is_sign_negative())
        }
    };
    let bits = to.bits();
    let (least, most) = match (is_signed, negative) {
        (true, true) => (1 << (bits - 1), 1 << (bits - 1)),
        (true, false) => (1 << (bits - 1), (1 << (bits - 1)) - 1),
        (false, true) => (0, 0),
        (false, false) => (0, to.bit_mask()),
    };
    let of_sign = |m: u128| if negative { m.wrapping_neg() } else { m } & to.bit_mask();
    match whole {
        Some(m) if m <= most => return ok(of_sign(m)),
        // What is not a number gives 0 from binary32 to 32 bits, else the upper bit alone (seen on an H100). No device
        // converts to more than 64 bits.
        _ if side.on_device() && nan => {
            let upper = bits <= 64 && (from == Type::F64 || bits == 64);
            return ok(if upper { 1 << (bits - 1) } else { 0 });
        }
        _ if side.on_device() => return ok(of_sign(most)),
        _ => {}
    }
    // What the host's instruction gives: the smallest integer, or the low bits of a wider conversion.
    let r = match whole {
        _ if is_signed => least,
        Some(m) if bits < 64 && m >> 127 == 0 => of_sign(m),
        _ => 1 << (bits - 1),
    };
    (r, Some(Ub::FloatRange))
}
