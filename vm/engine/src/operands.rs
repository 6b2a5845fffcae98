//! The operands of an operation that did something undefined, for the report.
//!
//! An operation may write its result over an operand before anybody asks. Scalar operations note what is undefined
//! first; of vector operations those whose operands cannot be told from the result hand them over; for sums and
//! differences they are worked out.

use super::eval::Ub;
use cudair_bytecode::{Code, GenKind, Op, Reg, families};
use cudair_ir::{BinaryOp, CastOp, Type, UnaryOp};
use half::{bf16, f16};

/// How the operands come to hand.
pub(crate) enum Operands<'a> {
    /// They stand in their registers.
    Read(&'a dyn Fn(Reg) -> u128),
    /// They stood in their registers, and the result is written.
    Written(&'a dyn Fn(Reg) -> u128),
    /// Here they are.
    Known([u128; 2]),
}

/// Where an operand comes from.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Source {
    Reg(Reg),
    Imm(i64),
}

/// What an operation does, as far as it may be undefined.
#[derive(Clone, Copy)]
enum What {
    Binary(BinaryOp),
    Negation,
    Cast(CastOp, Type),
}

struct Shape {
    what: What,
    ty: Type,
    d: Reg,
    a: Source,
    b: Option<Source>,
}

/// The operation as the report sees it.
fn shape(code: &Code, op: &Op) -> Option<Shape> {
    use BinaryOp::*;
    use Source::{Imm, Reg as R};
    let of = |what, ty, d, a, b| Some(Shape { what, ty, d, a, b });
    let cast = |from, to, d, a| of(What::Cast(CastOp::Fptosi, to), from, d, R(a), None);
    families! {
        match *op {
            @for (T L) in [(I32 V) (I64 W)] {
                // Scalars: registers, and a number on the right.
                @for (N Ir) in [
                    (AddNsw Iadd) (SubNsw Isub) (MulNsw Imul) (Sdiv Sdiv) (Srem Srem) (Udiv Udiv) (Urem Urem)
                    (Shl Shl) (Lshr Lshr) (Ashr Ashr)
                ] {
                    Op::N~T { d, a, b } => {
                        of(What::Binary(Ir), Type::T, Reg::S(d), R(Reg::S(a)), Some(R(Reg::S(b))))
                    }
                    // Lanes, with a vector on the left.
                    Op::L~N { d, a, b } => {
                        of(What::Binary(Ir), Type::T, Reg::L(d), R(Reg::L(a)), Some(R(Reg::L(b))))
                    }
                    Op::L~N~Vs { d, a, b } => {
                        of(What::Binary(Ir), Type::T, Reg::L(d), R(Reg::L(a)), Some(R(Reg::S(b))))
                    }
                }
                @for (N Ir) in [(AddNsw Iadd) (MulNsw Imul)] {
                    Op::N~T~I { d, a, imm } => {
                        of(What::Binary(Ir), Type::T, Reg::S(d), R(Reg::S(a)), Some(Imm(imm.into())))
                    }
                }
                @for (N Ir) in [
                    (SubNsw Isub) (Sdiv Sdiv) (Srem Srem) (Udiv Udiv) (Urem Urem) (Shl Shl) (Lshr Lshr) (Ashr Ashr)
                ] {
                    Op::L~N~Sv { d, a, b } => {
                        of(What::Binary(Ir), Type::T, Reg::L(d), R(Reg::S(a)), Some(R(Reg::L(b))))
                    }
                }
                Op::NegNsw~T { d, a } => of(What::Negation, Type::T, Reg::S(d), R(Reg::S(a)), None),
                @for F in [F32 F64] {
                    Op::Fptosi~F~T { d, a } => cast(Type::F, Type::T, Reg::S(d), Reg::S(a)),
                }
            }
            // The first operations of pairs.
            @for (N Ir) in [
                (MulNswI32ThenAddNswI32 Imul) (AddNswI32ThenLdx Iadd) (SubNswI32ThenLdx Isub)
            ] {
                Op::N { d, a, b } => {
                    of(What::Binary(Ir), Type::I32, Reg::S(d), R(Reg::S(a)), Some(R(Reg::S(b))))
                }
            }
            Op::AddNswI32IThenBrSltI32I { d, a, imm } | Op::AddNswI32IThenBrSltI32 { d, a, imm } => {
                of(What::Binary(Iadd), Type::I32, Reg::S(d), R(Reg::S(a)), Some(Imm(imm.into())))
            }
            Op::Gen { id } => {
                let g = code.tables.gens.get(id)?;
                let (a, b) = (g.args.first()?, g.args.get(1).map(|b| R(b.reg)));
                let what = match g.kind {
                    GenKind::Unary { op: UnaryOp::Ineg, .. } => What::Negation,
                    GenKind::Binary { op, .. } => What::Binary(op),
                    GenKind::Cast(op) => What::Cast(op, g.d.ty),
                    _ => return None,
                };
                of(what, a.ty, g.d.reg, R(a.reg), b)
            }
            _ => None,
        }
    }
}

/// The values at hand, `None` where they are lost.
fn values(shape: &Shape, operands: &Operands<'_>) -> Option<(u128, u128)> {
    let mask = shape.ty.bit_mask();
    let get = |from: Source, read: &dyn Fn(Reg) -> u128| match from {
        Source::Reg(reg) => read(reg) & mask,
        Source::Imm(value) => value as u128 & mask,
    };
    let b = shape.b.unwrap_or(Source::Imm(0));
    match *operands {
        Operands::Known([a, b]) => Some((a & mask, b & mask)),
        Operands::Read(read) => Some((get(shape.a, read), get(b, read))),
        Operands::Written(read) => {
            let d = Source::Reg(shape.d);
            let result = get(d, read);
            let (x, y) = (get(shape.a, read), get(b, read));
            match (shape.a == d, b == d, shape.what) {
                (false, false, _) => Some((x, y)),
                (true, false, What::Binary(BinaryOp::Iadd)) => Some((result.wrapping_sub(y) & mask, y)),
                (false, true, What::Binary(BinaryOp::Iadd)) => Some((x, result.wrapping_sub(x) & mask)),
                (true, false, What::Binary(BinaryOp::Isub)) => Some((result.wrapping_add(y) & mask, y)),
                (false, true, What::Binary(BinaryOp::Isub)) => Some((x, x.wrapping_sub(result) & mask)),
                (true, true, What::Binary(BinaryOp::Iadd)) => {
                    // Twice a number, and too much: the half of it with the other sign.
                    let top = 1 << (shape.ty.bits() - 1);
                    let half = result >> 1 | if result & top == 0 { top } else { 0 };
                    Some((half & mask, half & mask))
                }
                // The other operand of a division that is not done.
                (
                    true,
                    false,
                    What::Binary(BinaryOp::Sdiv | BinaryOp::Srem | BinaryOp::Udiv | BinaryOp::Urem),
                ) => Some((x, y)),
                _ => None,
            }
        }
    }
}

/// A value as the program means it.
fn number(bits: u128, ty: Type, signed: bool) -> String {
    let float = |x: f64| if x.abs() < 1e16 { x.to_string() } else { format!("{x:e}") };
    match ty {
        Type::F16 => float(f16::from_bits(bits as u16).to_f64()),
        Type::BF16 => float(bf16::from_bits(bits as u16).to_f64()),
        Type::F32 => float(f32::from_bits(bits as u32).into()),
        Type::F64 => float(f64::from_bits(bits as u64)),
        _ if signed => {
            let shift = 128 - ty.bits();
            (((bits << shift) as i128) >> shift).to_string()
        }
        _ => bits.to_string(),
    }
}

/// What is said at an operation that did something undefined, with its values; `None` where they are not known.
pub(super) fn tell(code: &Code, pc: usize, ub: Ub, operands: &Operands<'_>) -> Option<String> {
    let shape = shape(code, code.ops.get(pc)?)?;
    let (a, b) = values(&shape, operands)?;
    let bits = shape.ty.bits();
    let op = match shape.what {
        What::Binary(op) => op,
        What::Negation if ub == Ub::Overflow => {
            let a = number(a, shape.ty, true);
            return Some(format!("-({a}) does not fit a signed integer of {bits} bits"));
        }
        What::Cast(op, to) if ub == Ub::FloatRange && shape.ty != Type::F80 => {
            let kind = if op == CastOp::Fptoui { "an unsigned" } else { "a signed" };
            let value = number(a, shape.ty, true);
            return Some(format!("{value} does not fit {kind} integer of {} bits", to.bits()));
        }
        _ => return None,
    };
    let (sign, signed) = match op {
        BinaryOp::Iadd => ("+", true),
        BinaryOp::Isub => ("-", true),
        BinaryOp::Imul => ("*", true),
        BinaryOp::Sdiv => ("/", true),
        BinaryOp::Udiv => ("/", false),
        BinaryOp::Srem => ("%", true),
        BinaryOp::Urem => ("%", false),
        BinaryOp::Shl => ("<<", true),
        BinaryOp::Ashr => (">>", true),
        BinaryOp::Lshr => (">>", false),
        _ => return None,
    };
    let right = number(b, shape.ty, signed || ub == Ub::Shift);
    let right = if right.starts_with('-') { format!("({right})") } else { right };
    let done = format!("{} {sign} {right}", number(a, shape.ty, signed));
    Some(match ub {
        Ub::Overflow | Ub::DivOverflow => format!("{done} does not fit a signed integer of {bits} bits"),
        Ub::DivZero => format!("the divisor is 0: {done}"),
        Ub::Shift => format!("{done}: a value of {bits} bits is shifted by 0 to {} at most", bits - 1),
        _ => return None,
    })
}
