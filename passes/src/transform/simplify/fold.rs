//! Constant folding with exact semantics. What would be undefined behaviour, or is NaN, is not folded:
//! the machine reports the one and knows the bits of the other.

use crate::analysis::eval;
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
            Some((Type::I1, eval::fcmp(*cc, func.value_type(v[0]), a, b)?.into()))
        }
        (InstData::Ternary { op, args: v }, &[a, b, c]) => {
            let ty = func.value_type(v[2]);
            Some((ty, ternary(*op, ty, a, b, c)?))
        }
        _ => None,
    }
}

fn f32_of(bits: u128) -> f32 {
    f32::from_bits(bits as u32)
}

fn f64_of(bits: u128) -> f64 {
    f64::from_bits(bits as u64)
}

fn from_f32(x: f32) -> Option<u128> {
    if x.is_nan() { None } else { Some(x.to_bits().into()) }
}

fn from_f64(x: f64) -> Option<u128> {
    if x.is_nan() { None } else { Some(x.to_bits().into()) }
}

/// Whether `x` is the signed value of the low bits of `bits`.
fn fits(ty: Type, x: i128) -> bool {
    eval::signed(ty, x as u128 & ty.bit_mask()) == x
}

fn unary(op: UnaryOp, nsw: bool, ty: Type, a: u128) -> Option<u128> {
    use UnaryOp::*;
    match op {
        Ineg if nsw => {
            let x = eval::signed(ty, a).checked_neg()?;
            if fits(ty, x) { Some(x as u128 & ty.bit_mask()) } else { None }
        }
        Ineg | Inot | Popcnt | Clz | Ctz | Bitrev | Bswap => {
            if op == Bswap && ty.bits() < 16 {
                return Some(a);
            }
            eval::unary(op, ty, a)
        }
        // These move bits, of any floating type.
        Fneg | Fabs => eval::unary(op, ty, a),
        Fsqrt | Ffloor | Fceil | Ftrunc | Fnearest => match ty {
            Type::F32 => {
                let x = f32_of(a);
                from_f32(match op {
                    Fsqrt => x.sqrt(),
                    Ffloor => x.floor(),
                    Fceil => x.ceil(),
                    Ftrunc => x.trunc(),
                    _ => x.round_ties_even(),
                })
            }
            Type::F64 => {
                let x = f64_of(a);
                from_f64(match op {
                    Fsqrt => x.sqrt(),
                    Ffloor => x.floor(),
                    Fceil => x.ceil(),
                    Ftrunc => x.trunc(),
                    _ => x.round_ties_even(),
                })
            }
            _ => None,
        },
    }
}

fn binary(op: BinaryOp, nsw: bool, ty: Type, a: u128, b: u128) -> Option<u128> {
    use BinaryOp::*;
    if op.is_float() {
        return match ty {
            Type::F32 => float_binary(op, f32_of(a).into(), f32_of(b).into()).map_or_else(
                || {
                    let (x, y) = (f32_of(a), f32_of(b));
                    from_f32(match op {
                        Fadd => x + y,
                        Fsub => x - y,
                        Fmul => x * y,
                        Fdiv => x / y,
                        Frem => x % y,
                        _ => return None,
                    })
                },
                |x| from_f32(x as f32),
            ),
            Type::F64 => float_binary(op, f64_of(a), f64_of(b)).map_or_else(
                || {
                    let (x, y) = (f64_of(a), f64_of(b));
                    from_f64(match op {
                        Fadd => x + y,
                        Fsub => x - y,
                        Fmul => x * y,
                        Fdiv => x / y,
                        Frem => x % y,
                        _ => return None,
                    })
                },
                from_f64,
            ),
            _ => None,
        };
    }
    if nsw {
        let (x, y) = (eval::signed(ty, a), eval::signed(ty, b));
        let exact = match op {
            Iadd => x.checked_add(y),
            Isub => x.checked_sub(y),
            Imul => x.checked_mul(y),
            // A signed shift is defined where no bit that matters is lost.
            Shl if b < u128::from(ty.bits()) && x >= 0 => x.checked_mul(1i128.checked_shl(b as u32)?),
            _ => None,
        }?;
        return if fits(ty, exact) { Some(exact as u128 & ty.bit_mask()) } else { None };
    }
    if matches!(op, Sdiv | Srem) && b == ty.bit_mask() && a == 1 << (ty.bits() - 1) {
        return None;
    }
    eval::binary(op, ty, a, b)
}

/// Operations that give one of their operands, in `f64`, which holds every `f32`.
fn float_binary(op: BinaryOp, x: f64, y: f64) -> Option<f64> {
    // Which zero wins, and what a NaN becomes, is the machine's to say.
    let plain = !x.is_nan() && !y.is_nan() && (x != 0.0 || y != 0.0);
    match op {
        BinaryOp::Fmin if plain => Some(x.min(y)),
        BinaryOp::Fmax if plain => Some(x.max(y)),
        BinaryOp::Fcopysign => Some(x.copysign(y)),
        _ => None,
    }
}

fn ternary(op: TernaryOp, ty: Type, a: u128, b: u128, c: u128) -> Option<u128> {
    match (op, ty) {
        (TernaryOp::Fma, Type::F32) => from_f32(f32_of(a).mul_add(f32_of(b), f32_of(c))),
        (TernaryOp::Fma, Type::F64) => from_f64(f64_of(a).mul_add(f64_of(b), f64_of(c))),
        (TernaryOp::Fma, _) => None,
        _ => eval::ternary(op, ty, a, b, c),
    }
}

fn cast(op: CastOp, from: Type, to: Type, a: u128) -> Option<u128> {
    use CastOp::*;
    match op {
        Trunc | Zext | Bitcast => Some(a & to.bit_mask()),
        Sext => Some(eval::signed(from, a) as u128 & to.bit_mask()),
        // Of pointers only null is known.
        Ptrtoint | Inttoptr | Spacecast => (a == 0).then_some(0),
        Fpext | Fptrunc => match (from, to) {
            (Type::F32, Type::F64) => from_f64(f32_of(a).into()),
            (Type::F64, Type::F32) => from_f32(f64_of(a) as f32),
            _ => None,
        },
        Fpconv => None,
        Sitofp => match to {
            Type::F32 => from_f32(eval::signed(from, a) as f32),
            Type::F64 => from_f64(eval::signed(from, a) as f64),
            _ => None,
        },
        Uitofp => match to {
            Type::F32 => from_f32(a as f32),
            Type::F64 => from_f64(a as f64),
            _ => None,
        },
        Fptosi | Fptoui => {
            let x = match from {
                Type::F32 => f64::from(f32_of(a)),
                Type::F64 => f64_of(a),
                _ => return None,
            }
            .trunc();
            let (least, above) = if op == Fptosi {
                (-(2f64.powi(to.bits() as i32 - 1)), 2f64.powi(to.bits() as i32 - 1))
            } else {
                (0.0, 2f64.powi(to.bits() as i32))
            };
            if to == Type::I1 || !(least..above).contains(&x) {
                return None;
            }
            let bits = if op == Fptosi { (x as i128) as u128 } else { x as u128 };
            Some(bits & to.bit_mask())
        }
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
