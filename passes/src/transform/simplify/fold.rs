//! Constant folding with exact semantics. What would be undefined behaviour, or is NaN, is not folded:
//! the machine reports the one and knows the bits of the other.

use cudair_ir::eval::{self, Eval, defined};
use cudair_ir::*;

/// The result of an instruction whose operands have the bits `args`.
pub fn inst(func: &Function, data: &InstData, args: &[u128]) -> Option<(Type, u128)> {
    match (data, args) {
        (InstData::Unary { op, nsw, arg }, &[a]) => {
            let ty = func.value_type(*arg);
            Some((ty, unary(*op, *nsw, ty, a)?))
        }
        (InstData::Cast { op, ty, arg }, &[a]) => Some((*ty, cast(*op, func.value_type(*arg), *ty, a)?)),
        (InstData::Binary { op, nsw, args: v }, &[a, b]) => {
            let ty = func.value_type(v[0]);
            Some((ty, binary(*op, *nsw, ty, a, b)?))
        }
        (InstData::Icmp { cc, args: v }, &[a, b]) => {
            let ty = func.value_type(v[0]);
            // Of pointers only null is a constant that is known to be what it says.
            if ty.is_ptr() && !(a == 0 && b == 0) {
                return None;
            }
            Some((Type::I1, eval::icmp(*cc, ty, a, b).into()))
        }
        (InstData::Fcmp { cc, args: v }, &[a, b]) => {
            let ty = func.value_type(v[0]);
            folded(ty).then(|| (Type::I1, eval::fcmp(*cc, ty, a, b).into()))
        }
        (InstData::Ternary { op, args: v }, &[a, b, c]) => {
            let ty = func.value_type(v[2]);
            Some((ty, ternary(*op, ty, a, b, c)?))
        }
        _ => None,
    }
}

/// The machine's arithmetic. Both sides agree on what is folded: they differ in undefined behaviour and NaN only.
const RULES: Side = Side::Host;

/// Whether results of that type are folded: integers, `float` and `double`.
fn folded(ty: Type) -> bool {
    !ty.is_float() || matches!(ty, Type::F32 | Type::F64)
}

/// The bits of a result that is defined and no NaN.
fn number(ty: Type, result: Eval) -> Option<u128> {
    let bits = defined(result)?;
    let is_nan = ty.is_float() && eval::fcmp(FloatCC::Uno, ty, bits, bits);
    (folded(ty) && !is_nan).then_some(bits)
}

fn unary(op: UnaryOp, nsw: bool, ty: Type, a: u128) -> Option<u128> {
    let result = eval::unary(op, nsw, ty, a);
    match op {
        // These move bits, of any floating type. Of `float` the device makes its own NaN.
        UnaryOp::Fneg | UnaryOp::Fabs if ty != Type::F32 => defined(result),
        _ => number(ty, result),
    }
}

fn binary(op: BinaryOp, nsw: bool, ty: Type, a: u128, b: u128) -> Option<u128> {
    let is = |cc| folded(ty) && eval::fcmp(cc, ty, a, b);
    let both_zero = || (a | b) & (ty.bit_mask() >> 1) == 0;
    // Which zero wins, and what a NaN becomes, is the machine's to say.
    if matches!(op, BinaryOp::Fmin | BinaryOp::Fmax) && (is(FloatCC::Uno) || both_zero()) {
        return None;
    }
    number(ty, eval::binary(op, nsw, ty, a, b, RULES))
}

fn ternary(op: TernaryOp, ty: Type, a: u128, b: u128, c: u128) -> Option<u128> {
    let bits = eval::ternary(op, ty, a, b, c);
    match op {
        TernaryOp::Fma => number(ty, (bits, None)),
        TernaryOp::Select | TernaryOp::Fshl | TernaryOp::Fshr => Some(bits),
    }
}

fn cast(op: CastOp, from: Type, to: Type, a: u128) -> Option<u128> {
    use CastOp::*;
    let result = eval::cast(op, from, to, a, RULES);
    match op {
        Trunc | Zext | Sext | Bitcast => defined(result),
        // Of pointers only null is known.
        Ptrtoint | Inttoptr | Spacecast => (a == 0).then_some(0),
        Fpconv => None,
        Fptosi | Fptoui if to == Type::I1 => None,
        Fpext | Fptrunc | Sitofp | Uitofp | Fptosi | Fptoui if folded(from) => number(to, result),
        Fpext | Fptrunc | Sitofp | Uitofp | Fptosi | Fptoui => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn undefined_behaviour_is_not_folded() {
        use BinaryOp::*;
        let max = 0x7fff_ffff;
        assert_eq!(binary(Iadd, true, Type::I32, max, 1), None);
        assert_eq!(binary(Iadd, false, Type::I32, max, 1), Some(0x8000_0000));
        assert_eq!(binary(Sdiv, false, Type::I32, 0x8000_0000, 0xffff_ffff), None);
        assert_eq!(binary(Srem, false, Type::I32, 0x8000_0000, 0xffff_ffff), None);
        assert_eq!(binary(Udiv, false, Type::I32, 1, 0), None);
        assert_eq!(binary(Shl, false, Type::I32, 1, 32), None);
        assert_eq!(binary(Sdiv, false, Type::I32, (-7i32 as u32).into(), 2), Some((-3i32 as u32).into()));
        assert_eq!(unary(UnaryOp::Ineg, true, Type::I32, 0x8000_0000), None);
        assert_eq!(cast(CastOp::Fptosi, Type::F32, Type::I32, f32::MAX.to_bits().into()), None);
    }

    #[test]
    fn an_overflow_into_the_sign_of_128_bits_is_not_folded() {
        let min = 1 << 127;
        assert_eq!(binary(BinaryOp::Shl, true, Type::I128, 1, 127), None);
        assert_eq!(binary(BinaryOp::Shl, true, Type::I128, 1, 126), Some(1 << 126));
        assert_eq!(binary(BinaryOp::Shl, false, Type::I128, 1, 127), Some(min));
    }

    #[test]
    fn a_nan_of_float_is_left_to_the_side_that_runs() {
        let nan = f32::NAN.to_bits().into();
        assert_eq!(unary(UnaryOp::Fneg, false, Type::F32, nan), None);
        assert_eq!(unary(UnaryOp::Fabs, false, Type::F32, nan), None);
        let nan = u128::from(f64::NAN.to_bits());
        assert_eq!(unary(UnaryOp::Fneg, false, Type::F64, nan), Some(nan ^ 1 << 63));
    }

    #[test]
    fn floats_are_exact() {
        let f = |x: f32| u128::from(x.to_bits());
        // Through f64 this would be rounded twice.
        let (a, b, c) = (1.0 + f32::EPSILON, 1.0 + f32::EPSILON, f32::MIN_POSITIVE);
        assert_eq!(ternary(TernaryOp::Fma, Type::F32, f(a), f(b), f(c)), Some(f(a.mul_add(b, c))));
        assert_eq!(binary(BinaryOp::Fdiv, false, Type::F32, f(1.0), f(3.0)), Some(f(1.0 / 3.0)));
        assert_eq!(binary(BinaryOp::Fdiv, false, Type::F32, f(0.0), f(0.0)), None);
        assert_eq!(binary(BinaryOp::Fmin, false, Type::F32, f(0.0), f(-0.0)), None);
        assert_eq!(
            cast(CastOp::Sitofp, Type::I64, Type::F32, 0x0080_0000_0000_0001),
            Some(f(36028797018963970.0))
        );
    }
}
