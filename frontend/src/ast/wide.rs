//! Constants of 128 bits. libclang's evaluator gives 64 bits of their value, so they are computed here, from what it
//! tells of their operands.

use super::{BinaryOp, Cast, Expr, ExprKind, UnaryOp};
use crate::clang::{Evaluated, TypeKind};

impl Expr<'_> {
    /// Whether the expression has an integer type of 128 bits, and whether that is signed.
    pub(super) fn is_wide(&self) -> Option<bool> {
        match self.written_type().canonical().kind() {
            TypeKind::Int128 => Some(true),
            TypeKind::UInt128 => Some(false),
            _ => None,
        }
    }

    /// The bits of the value of an expression of 128 bits; `None` where it is not constant, has effects, overflows, or
    /// is written in a way that is not followed.
    pub(super) fn wide_value(&self, signed: bool) -> Option<i128> {
        match self.kind {
            ExprKind::Paren(inner)
            | ExprKind::Implicit(inner)
            | ExprKind::Cast(Cast { operand: inner, .. })
            | ExprKind::Unary(UnaryOp::Plus | UnaryOp::Extension, inner) => inner.bits_of_128(signed),
            ExprKind::Unary(UnaryOp::Not, inner) => Some(!inner.bits_of_128(signed)?),
            ExprKind::Unary(UnaryOp::Minus, inner) => {
                let value = inner.bits_of_128(signed)?;
                if signed { value.checked_neg() } else { Some(value.wrapping_neg()) }
            }
            ExprKind::Binary(op @ (BinaryOp::Shl | BinaryOp::Shr), left, right) => {
                let (value, by) = (left.bits_of_128(signed)?, right.bits_of_128(true)?);
                let by = u32::try_from(by).ok().filter(|by| *by < 128)?;
                Some(match (op, signed) {
                    (BinaryOp::Shl, _) => value << by,
                    (_, true) => value >> by,
                    (_, false) => (value.cast_unsigned() >> by).cast_signed(),
                })
            }
            ExprKind::Binary(op, left, right) => {
                let (a, b) = (left.bits_of_128(signed)?, right.bits_of_128(signed)?);
                if signed { signed_result(op, a, b) } else { unsigned_result(op, a, b) }
            }
            ExprKind::Conditional { condition, yes, no } => match condition.value()? {
                Evaluated::Int(0) => no.bits_of_128(signed),
                Evaluated::Int(_) => yes.bits_of_128(signed),
                Evaluated::Float(_) => None,
            },
            _ => None,
        }
    }

    /// The bits of the value as an integer of 128 bits, which is signed or not.
    fn bits_of_128(&self, signed: bool) -> Option<i128> {
        match self.value()? {
            Evaluated::Int(value) => Some(value),
            // What does not fit has no value.
            Evaluated::Float(value) if signed => (value > -1.7e38 && value < 1.7e38).then_some(value as i128),
            Evaluated::Float(value) => {
                (value > -1.0 && value < 3.4e38).then_some((value as u128).cast_signed())
            }
        }
    }
}

fn signed_result(op: BinaryOp, a: i128, b: i128) -> Option<i128> {
    match op {
        BinaryOp::Add => a.checked_add(b),
        BinaryOp::Sub => a.checked_sub(b),
        BinaryOp::Mul => a.checked_mul(b),
        BinaryOp::Div => a.checked_div(b),
        BinaryOp::Rem => a.checked_rem(b),
        _ => bitwise_result(op, a, b),
    }
}

fn unsigned_result(op: BinaryOp, a: i128, b: i128) -> Option<i128> {
    let (x, y) = (a.cast_unsigned(), b.cast_unsigned());
    match op {
        BinaryOp::Add => Some(a.wrapping_add(b)),
        BinaryOp::Sub => Some(a.wrapping_sub(b)),
        BinaryOp::Mul => Some(a.wrapping_mul(b)),
        BinaryOp::Div => x.checked_div(y).map(u128::cast_signed),
        BinaryOp::Rem => x.checked_rem(y).map(u128::cast_signed),
        _ => bitwise_result(op, a, b),
    }
}

fn bitwise_result(op: BinaryOp, a: i128, b: i128) -> Option<i128> {
    match op {
        BinaryOp::And => Some(a & b),
        BinaryOp::Or => Some(a | b),
        BinaryOp::Xor => Some(a ^ b),
        _ => None,
    }
}
