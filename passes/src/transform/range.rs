//! What range a value lies in, from its definition alone: constants, extensions, special registers with
//! the limits that every device has, masks, and sums and products of such values. Enough to prove that
//! the arithmetic of addresses and thread numbers does not overflow.

use cudair_ir::eval::signed;
use cudair_ir::*;

/// How many definitions a range is followed through.
const MAX_DEPTH: u32 = 6;

/// The least and the greatest signed value that `v`, an integer, can have.
pub fn range(func: &Function, v: Value) -> (i128, i128) {
    at_depth(func, v, MAX_DEPTH)
}

/// The ranges of a function's integers that are narrower than their types. Truth values, numbers of more than 64 bits
/// and constants have none worth telling.
pub fn ranges(func: &Function) -> SecondaryMap<Value, Option<(i64, i64)>> {
    let mut out = SecondaryMap::new();
    for (v, data) in &func.values {
        let wide = data.ty.is_int() && (2..=64).contains(&data.ty.bits());
        if !wide || func.const_bits(v).is_some() {
            continue;
        }
        let known = range(func, v);
        if known != full(data.ty) {
            out[v] = Some((known.0 as i64, known.1 as i64));
        }
    }
    out
}

/// Whether the result of exact arithmetic on ranges fits the type, so that nothing overflows.
pub fn never_overflows(func: &Function, op: BinaryOp, a: Value, b: Value) -> bool {
    let ty = func.value_type(a);
    exact(op, range(func, a), range(func, b)).is_some_and(|r| fits(ty, r))
}

/// Whether `v` is not negative as a signed number.
pub fn is_non_negative(func: &Function, v: Value) -> bool {
    range(func, v).0 >= 0
}

/// All values of a type, as signed numbers.
pub fn full(ty: Type) -> (i128, i128) {
    match ty.bits() {
        // Wider ranges than those of 64 bits would overflow here.
        n @ ..=64 => (-(1i128 << (n - 1)), (1i128 << (n - 1)) - 1),
        _ => (i128::MIN, i128::MAX),
    }
}

fn fits(ty: Type, r: (i128, i128)) -> bool {
    let all = full(ty);
    ty.bits() <= 64 && all.0 <= r.0 && r.1 <= all.1
}

/// The range of a sum, difference or product as if numbers had no end.
fn exact(op: BinaryOp, a: (i128, i128), b: (i128, i128)) -> Option<(i128, i128)> {
    let span = |xs: [Option<i128>; 4]| -> Option<(i128, i128)> {
        let [p, q, r, s] = xs;
        let (p, q, r, s) = (p?, q?, r?, s?);
        Some((p.min(q).min(r).min(s), p.max(q).max(r).max(s)))
    };
    match op {
        BinaryOp::Iadd => Some((a.0.checked_add(b.0)?, a.1.checked_add(b.1)?)),
        BinaryOp::Isub => Some((a.0.checked_sub(b.1)?, a.1.checked_sub(b.0)?)),
        BinaryOp::Imul => {
            span([a.0.checked_mul(b.0), a.0.checked_mul(b.1), a.1.checked_mul(b.0), a.1.checked_mul(b.1)])
        }
        BinaryOp::Shl if a.0 >= 0 && b.0 == b.1 && (0..64).contains(&b.0) => {
            Some((a.0.checked_mul(1 << b.0)?, a.1.checked_mul(1 << b.0)?))
        }
        _ => None,
    }
}

fn at_depth(func: &Function, v: Value, depth: u32) -> (i128, i128) {
    let ty = func.value_type(v);
    if !ty.is_int() {
        return (i128::MIN, i128::MAX);
    }
    let all = full(ty);
    if ty.bits() > 64 {
        return all;
    }
    let Some(inst) = func.def_inst(v) else { return all };
    let of = |v: Value| if depth == 0 { full(func.value_type(v)) } else { at_depth(func, v, depth - 1) };
    let within = |r: (i128, i128)| if fits(ty, r) { r } else { all };
    match func.insts[inst] {
        InstData::Const { bits, .. } => {
            let x = signed(ty, bits);
            (x, x)
        }
        InstData::Special { reg } => special(reg).unwrap_or(all),
        InstData::Cast { op: CastOp::Zext, arg, .. } => {
            let from = func.value_type(arg);
            let r = of(arg);
            if r.0 >= 0 && from != Type::I1 { r } else { (0, (1 << from.bits()) - 1) }
        }
        InstData::Cast { op: CastOp::Sext, arg, .. } => of(arg),
        InstData::Cast { op: CastOp::Trunc, arg, .. } => within(of(arg)),
        InstData::Binary {
            op: op @ (BinaryOp::Iadd | BinaryOp::Isub | BinaryOp::Imul | BinaryOp::Shl),
            args,
            ..
        } => exact(op, of(args[0]), of(args[1])).map_or(all, within),
        InstData::Binary { op, args: [a, b], .. } => {
            let (x, y) = (of(a), of(b));
            match op {
                // A mask that is not negative bounds the result, whatever the other operand is.
                BinaryOp::And if x.0 >= 0 && y.0 >= 0 => (0, x.1.min(y.1)),
                BinaryOp::And if y.0 >= 0 => (0, y.1),
                BinaryOp::And if x.0 >= 0 => (0, x.1),
                BinaryOp::Urem if y.0 > 0 => (0, if x.0 >= 0 { x.1.min(y.1 - 1) } else { y.1 - 1 }),
                BinaryOp::Srem if y.0 > 0 && x.0 >= 0 => (0, x.1.min(y.1 - 1)),
                BinaryOp::Udiv | BinaryOp::Sdiv if x.0 >= 0 && y.0 > 0 => (x.0 / y.1, x.1 / y.0),
                BinaryOp::Lshr | BinaryOp::Ashr if x.0 >= 0 && y.0 >= 0 && y.1 < 64 => {
                    (x.0 >> y.1, x.1 >> y.0)
                }
                BinaryOp::Lshr if y.0 > 0 && y.1 < i128::from(ty.bits()) => {
                    (0, ((1 << ty.bits()) - 1) >> y.0)
                }
                BinaryOp::Smin => (x.0.min(y.0), x.1.min(y.1)),
                BinaryOp::Smax => (x.0.max(y.0), x.1.max(y.1)),
                _ => all,
            }
        }
        InstData::Ternary { op: TernaryOp::Select, args: [_, a, b] } => {
            let (x, y) = (of(a), of(b));
            (x.0.min(y.0), x.1.max(y.1))
        }
        InstData::Unary { op: UnaryOp::Popcnt | UnaryOp::Clz | UnaryOp::Ctz, .. } if ty.bits() > 8 => {
            (0, ty.bits().into())
        }
        InstData::Vote { mode: VoteMode::All | VoteMode::Any | VoteMode::Uni, .. } => (0, 1),
        _ => all,
    }
}

/// Limits that hold on every device.
fn special(reg: SpecialReg) -> Option<(i128, i128)> {
    Some(match reg {
        SpecialReg::TidX | SpecialReg::TidY => (0, 1023),
        SpecialReg::TidZ => (0, 63),
        SpecialReg::NtidX | SpecialReg::NtidY => (1, 1024),
        SpecialReg::NtidZ => (1, 64),
        SpecialReg::CtaidX => (0, (1 << 31) - 2),
        SpecialReg::CtaidY | SpecialReg::CtaidZ => (0, 65534),
        SpecialReg::NctaidX => (1, (1 << 31) - 1),
        SpecialReg::NctaidY | SpecialReg::NctaidZ => (1, 65535),
        SpecialReg::Laneid | SpecialReg::Warpid => (0, 31),
        SpecialReg::Warpsize => (32, 32),
        SpecialReg::ClusterNctaidX | SpecialReg::ClusterNctaidY | SpecialReg::ClusterNctaidZ => (1, 16),
        SpecialReg::IsExplicitCluster => (0, 1),
        _ => return None,
    })
}
