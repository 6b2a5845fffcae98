//! Integers of any width up to 128 bits.

use super::{Eval, Ub, ok};
use crate::{BinaryOp, IntCC, Side, TernaryOp, Type, UnaryOp};

/// The low bits as a signed integer of the type's width.
#[inline(always)]
pub fn signed(ty: Type, bits: u128) -> i128 {
    let shift = 128 - ty.bits();
    ((bits << shift) as i128) >> shift
}

pub(super) fn unary(op: UnaryOp, nsw: bool, ty: Type, a: u128) -> Eval {
    use UnaryOp::*;
    let bits = ty.bits();
    let mask = ty.bit_mask();
    ok(match op {
        Ineg => {
            let overflow = nsw && a == 1 << (bits - 1);
            return (a.wrapping_neg() & mask, overflow.then_some(Ub::Overflow));
        }
        Inot => !a & mask,
        Popcnt => a.count_ones().into(),
        Clz => u128::from((a << (128 - bits)).leading_zeros().min(bits)),
        Ctz => u128::from(a.trailing_zeros().min(bits)),
        Bitrev => a.reverse_bits() >> (128 - bits),
        // Less than two bytes have no order.
        Bswap if bits < 16 => a,
        Bswap => a.swap_bytes() >> (128 - bits),
        Fneg | Fabs | Fsqrt | Ffloor | Fceil | Ftrunc | Fnearest => super::float::unary(op, ty, a),
    })
}

pub(super) fn binary(op: BinaryOp, nsw: bool, ty: Type, a: u128, b: u128, side: Side) -> Eval {
    use BinaryOp::*;
    let bits = ty.bits();
    let mask = ty.bit_mask();
    let (sa, sb) = (signed(ty, a), signed(ty, b));
    let cut = |x: u128| x & mask;
    let check = |r: Option<i128>, wrapped: u128| {
        let fits = r.is_some_and(|r| signed(ty, r as u128) == r);
        (wrapped & mask, (nsw && !fits).then_some(Ub::Overflow))
    };
    match op {
        Iadd => check(sa.checked_add(sb), a.wrapping_add(b)),
        Isub => check(sa.checked_sub(sb), a.wrapping_sub(b)),
        Imul => check(sa.checked_mul(sb), a.wrapping_mul(b)),
        Smulhi if bits == 128 => ok(mulhi_signed(sa, sb) as u128),
        Umulhi if bits == 128 => ok(mulhi(a, b)),
        Smulhi => ok(cut(((sa * sb) >> bits) as u128)),
        Umulhi => ok(cut((a * b) >> bits)),
        Sdiv | Srem => {
            if sb == 0 {
                return (0, Some(Ub::DivZero));
            }
            if sb == -1 && a == 1 << (bits - 1) {
                return (a, Some(Ub::DivOverflow));
            }
            ok(cut(if op == Sdiv { sa / sb } else { sa % sb } as u128))
        }
        Udiv | Urem => {
            if b == 0 {
                return (0, Some(Ub::DivZero));
            }
            ok(if op == Udiv { a / b } else { a % b })
        }
        And => ok(a & b),
        Or => ok(a | b),
        Xor => ok(a ^ b),
        Shl | Lshr | Ashr => shift(op, nsw, ty, a, b, side),
        Rotl => {
            let n = (b % u128::from(bits)) as u32;
            ok(if n == 0 { a } else { cut(a << n) | a >> (bits - n) })
        }
        Smin => ok(if sa <= sb { a } else { b }),
        Smax => ok(if sa >= sb { a } else { b }),
        Umin => ok(a.min(b)),
        Umax => ok(a.max(b)),
        Fadd | Fsub | Fmul | Fdiv | Frem | Fmin | Fmax | Fcopysign => ok(super::float::binary(op, ty, a, b)),
    }
}

fn shift(op: BinaryOp, nsw: bool, ty: Type, a: u128, b: u128, side: Side) -> Eval {
    let bits = ty.bits();
    let sa = signed(ty, a);
    let (n, ub) = if b < bits.into() {
        (b as u32, None)
    } else if side.on_device() {
        // The device clamps the amount: everything is shifted out.
        let r = if op == BinaryOp::Ashr && sa < 0 { ty.bit_mask() } else { 0 };
        return (r, Some(Ub::Shift));
    } else {
        (b as u32 & (bits.max(32) - 1), Some(Ub::Shift))
    };
    let r = match op {
        // 128 bits moved by as many leave nothing.
        BinaryOp::Shl => a.checked_shl(n).unwrap_or(0),
        BinaryOp::Lshr => a.checked_shr(n).unwrap_or(0),
        _ => (sa >> n.min(127)) as u128,
    } & ty.bit_mask();
    if ub.is_none() && nsw && op == BinaryOp::Shl && (sa < 0 || signed(ty, r) >> n != sa) {
        return (r, Some(Ub::Overflow));
    }
    (r, ub)
}

/// The high word of the unsigned product of 128-bit integers.
fn mulhi(a: u128, b: u128) -> u128 {
    let (al, ah) = (a & u128::from(u64::MAX), a >> 64);
    let (bl, bh) = (b & u128::from(u64::MAX), b >> 64);
    let mid = ((al * bl) >> 64) + ((ah * bl) & u128::from(u64::MAX)) + ((al * bh) & u128::from(u64::MAX));
    ah * bh + ((ah * bl) >> 64) + ((al * bh) >> 64) + (mid >> 64)
}

fn mulhi_signed(a: i128, b: i128) -> i128 {
    let mut r = mulhi(a as u128, b as u128);
    if a < 0 {
        r = r.wrapping_sub(b as u128);
    }
    if b < 0 {
        r = r.wrapping_sub(a as u128);
    }
    r as i128
}

/// Funnel shifts.
pub(super) fn funnel(op: TernaryOp, ty: Type, a: u128, b: u128, c: u128) -> u128 {
    let bits = ty.bits();
    let n = (c % u128::from(bits)) as u32;
    let r = match (op, n) {
        (TernaryOp::Fshl, 0) => a,
        (_, 0) => b,
        (TernaryOp::Fshl, n) => a << n | b >> (bits - n),
        (_, n) => b >> n | a << (bits - n),
    };
    r & ty.bit_mask()
}

/// A comparison of integers or pointers.
pub fn icmp(cc: IntCC, ty: Type, a: u128, b: u128) -> bool {
    let (sa, sb) = (signed(ty, a), signed(ty, b));
    match cc {
        IntCC::Eq => a == b,
        IntCC::Ne => a != b,
        IntCC::Slt => sa < sb,
        IntCC::Sle => sa <= sb,
        IntCC::Sgt => sa > sb,
        IntCC::Sge => sa >= sb,
        IntCC::Ult => a < b,
        IntCC::Ule => a <= b,
        IntCC::Ugt => a > b,
        IntCC::Uge => a >= b,
    }
}
