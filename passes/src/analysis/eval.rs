//! What witnesses make of single operations on known bits: [`cudair_ir::eval`] by the rules of C, as the device
//! computes it. What would be undefined behaviour gives `None`, and so does arithmetic of other floating types than
//! `float` and `double`.

use cudair_ir::eval::{self, defined, gpu_nan};
use cudair_ir::{BinaryOp, CastOp, FloatCC, Side, TernaryOp, Type, UnaryOp};

/// Out of range a conversion to an integer is undefined in C; the host's rules say so, the device's give a value.
const RULES: Side = Side::Host;

/// Whether operands of that type are followed.
fn followed(ty: Type) -> bool {
    !ty.is_float() || matches!(ty, Type::F32 | Type::F64)
}

/// A result with the device's NaN.
fn on_device(ty: Type, bits: u128) -> u128 {
    if ty == Type::F32 { gpu_nan(bits as u32).into() } else { bits }
}

/// One operand.
pub fn unary(op: UnaryOp, nsw: bool, ty: Type, a: u128) -> Option<u128> {
    if !followed(ty) && !matches!(op, UnaryOp::Fneg | UnaryOp::Fabs) {
        return None;
    }
    Some(on_device(ty, defined(eval::unary(op, nsw, ty, a))?))
}

/// Two operands.
pub fn binary(op: BinaryOp, nsw: bool, ty: Type, a: u128, b: u128) -> Option<u128> {
    if !followed(ty) {
        return None;
    }
    Some(on_device(ty, defined(eval::binary(op, nsw, ty, a, b, RULES))?))
}

/// Three operands.
pub fn ternary(op: TernaryOp, ty: Type, a: u128, b: u128, c: u128) -> Option<u128> {
    let bits = eval::ternary(op, ty, a, b, c);
    match op {
        TernaryOp::Fma => followed(ty).then(|| on_device(ty, bits)),
        TernaryOp::Select | TernaryOp::Fshl | TernaryOp::Fshr => Some(bits),
    }
}

/// Floating comparison.
pub fn fcmp(cc: FloatCC, ty: Type, a: u128, b: u128) -> Option<bool> {
    followed(ty).then(|| eval::fcmp(cc, ty, a, b))
}

/// A conversion.
pub fn cast(op: CastOp, from: Type, to: Type, a: u128) -> Option<u128> {
    let bits = defined(eval::cast(op, from, to, a, RULES))?;
    match op {
        CastOp::Trunc
        | CastOp::Zext
        | CastOp::Sext
        | CastOp::Bitcast
        | CastOp::Ptrtoint
        | CastOp::Inttoptr
        | CastOp::Spacecast => Some(bits),
        _ if !followed(from) || !followed(to) => None,
        _ => Some(on_device(to, bits)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn f(x: f32) -> u128 {
        x.to_bits().into()
    }

    #[test]
    fn undefined_behaviour_is_not_followed() {
        let (min, max) = (0x8000_0000, 0x7fff_ffff);
        assert_eq!(binary(BinaryOp::Sdiv, false, Type::I32, min, 0xffff_ffff), None);
        assert_eq!(binary(BinaryOp::Srem, false, Type::I32, min, 0xffff_ffff), None);
        assert_eq!(binary(BinaryOp::Iadd, true, Type::I32, max, 1), None);
        assert_eq!(binary(BinaryOp::Iadd, false, Type::I32, max, 1), Some(min));
        assert_eq!(unary(UnaryOp::Ineg, true, Type::I32, min), None);
        assert_eq!(binary(BinaryOp::Shl, false, Type::I32, 1, 32), None);
        assert_eq!(cast(CastOp::Fptosi, Type::F32, Type::I32, f(f32::MAX)), None);
    }

    #[test]
    fn floats_are_rounded_once() {
        // Through binary64 each of these would be a tie, and end at the other neighbour.
        let i = (1i64 << 54) + (1 << 30) + 1;
        assert_eq!(cast(CastOp::Sitofp, Type::I64, Type::F32, i as u128), Some(f(i as f32)));
        assert_eq!(cast(CastOp::Uitofp, Type::I64, Type::F32, i as u128), Some(f(i as f32)));
        assert_ne!((i as f64) as f32, i as f32);
        let (a, b, c) = (1.0 + f32::EPSILON, 1.0 - f32::EPSILON / 2.0, 2f32.powi(-60));
        assert_eq!(ternary(TernaryOp::Fma, Type::F32, f(a), f(b), f(c)), Some(f(a.mul_add(b, c))));
        let a = 1.0 + 2f32.powi(-12);
        let c = 2f32.powi(-80);
        assert_ne!(f64::from(a).mul_add(f64::from(a), f64::from(c)) as f32, a.mul_add(a, c));
        assert_eq!(ternary(TernaryOp::Fma, Type::F32, f(a), f(a), f(c)), Some(f(a.mul_add(a, c))));
    }

    #[test]
    fn zeros_and_nan_are_the_device_s() {
        let (zero, minus) = (f(0.0), f(-0.0));
        for (a, b) in [(zero, minus), (minus, zero)] {
            assert_eq!(binary(BinaryOp::Fmin, false, Type::F32, a, b), Some(minus));
            assert_eq!(binary(BinaryOp::Fmax, false, Type::F32, a, b), Some(zero));
        }
        assert_eq!(binary(BinaryOp::Fdiv, false, Type::F32, zero, zero), Some(0x7fff_ffff));
    }
}
