//! Identities that hold exactly, whatever the operands.
//!
//! Canonical forms, on which the machine's compiler relies: a constant stands on the right; an address is
//! `ptradd (ptradd base, (imul (sext index), scale)), constant`; comparisons with a constant compare the
//! value itself, not its extension; a condition is an `i1` without `inot`.

use super::combine::{Combiner, Outcome};
use crate::transform::range::{is_non_negative, never_overflows, range};
use cudair_ir::eval::{self, signed};
use cudair_ir::*;

use Outcome::{Again, Keep};

/// Constant offsets up to this are added last. A pointer saturates at its object's range, so what is
/// added in another order must not lead out of it on the way.
const MAX_MOVED: u64 = 1 << 24;

/// Applies one rule to an instruction.
pub(super) fn apply(c: &mut Combiner<'_>, inst: Inst) -> Outcome {
    match c.func.insts[inst].clone() {
        InstData::Unary { op, nsw: false, arg } => unary(c, inst, op, arg),
        InstData::Binary { op, nsw, args: [a, b] } => binary(c, inst, op, nsw, a, b),
        InstData::Cast { op, ty, arg } => cast(c, inst, op, ty, arg),
        InstData::Icmp { cc, args: [a, b] } => icmp(c, inst, cc, a, b),
        InstData::Ternary { op: TernaryOp::Select, args: [cond, a, b] } => select(c, inst, cond, a, b),
        InstData::PtrAdd { ptr, offset } => ptr_add(c, inst, ptr, offset),
        InstData::Special { reg: SpecialReg::Warpsize } => Outcome::Value(c.constant(inst, Type::I32, 32)),
        InstData::Branch { cond, then, other } => {
            if let Some(arg) = negated(c.func, cond) {
                c.func.insts[inst] = InstData::Branch { cond: arg, then: other, other: then };
                return Again;
            }
            Keep
        }
        _ => Keep,
    }
}

fn def(func: &Function, v: Value) -> Option<&InstData> {
    Some(&func.insts[func.def_inst(v)?])
}

/// `v` if this is `inot v` on an `i1`.
fn negated(func: &Function, v: Value) -> Option<Value> {
    match *def(func, v)? {
        InstData::Unary { op: UnaryOp::Inot, arg, .. } if func.value_type(arg) == Type::I1 => Some(arg),
        _ => None,
    }
}

fn set(c: &mut Combiner<'_>, inst: Inst, data: InstData) -> Outcome {
    c.func.insts[inst] = data;
    Again
}

fn unary(c: &mut Combiner<'_>, inst: Inst, op: UnaryOp, arg: Value) -> Outcome {
    match (op, def(c.func, arg)) {
        // Twice is not at all. Negating a float flips one bit, of a NaN as well.
        (
            UnaryOp::Inot | UnaryOp::Fneg | UnaryOp::Bitrev | UnaryOp::Bswap,
            Some(&InstData::Unary { op: inner, arg, .. }),
        ) if inner == op => Outcome::Value(arg),
        (UnaryOp::Fabs, Some(&InstData::Unary { op: UnaryOp::Fneg | UnaryOp::Fabs, arg, .. })) => {
            set(c, inst, InstData::Unary { op, nsw: false, arg })
        }
        (UnaryOp::Inot, Some(&InstData::Icmp { cc, args })) if comparable(c.func, cc, args) => {
            set(c, inst, InstData::Icmp { cc: cc.inverse(), args })
        }
        (UnaryOp::Inot, Some(&InstData::Fcmp { cc, args })) => {
            set(c, inst, InstData::Fcmp { cc: cc.inverse(), args })
        }
        _ => Keep,
    }
}

/// Whether the comparison can be repeated without a second report: unsigned orders of pointers check.
fn comparable(func: &Function, cc: IntCC, args: [Value; 2]) -> bool {
    func.value_type(args[0]).is_int() || matches!(cc, IntCC::Eq | IntCC::Ne)
}

fn binary(c: &mut Combiner<'_>, inst: Inst, op: BinaryOp, nsw: bool, a: Value, b: Value) -> Outcome {
    use BinaryOp::*;
    let ty = c.func.value_type(a);
    if op.is_float() {
        return Keep;
    }
    let (ka, kb) = (c.func.const_bits(a), c.func.const_bits(b));
    if op.is_commutative() && ka.is_some() && kb.is_none() {
        return set(c, inst, InstData::Binary { op, nsw, args: [b, a] });
    }
    // In narrower arithmetic the flag stays: it lets the sum of an index be taken apart behind its
    // extension.
    if nsw && ty == Type::I64 && never_overflows(c.func, op, a, b) {
        return set(c, inst, InstData::Binary { op, nsw: false, args: [a, b] });
    }
    let ones = ty.bit_mask();
    let zero = |c: &mut Combiner<'_>| Outcome::Value(c.constant(inst, ty, 0));
    match (op, kb) {
        // A negative number is not shifted to the left, not even by 0.
        (Shl, Some(0)) if !nsw => return Outcome::Value(a),
        (Iadd | Isub | Or | Xor | Lshr | Ashr | Rotl, Some(0)) => return Outcome::Value(a),
        (Imul | Sdiv | Udiv, Some(1)) if ty != Type::I1 || op != Sdiv => return Outcome::Value(a),
        (And | Umin, Some(k)) if k == ones => return Outcome::Value(a),
        (Imul | And | Umin, Some(0)) => return zero(c),
        (Urem, Some(1)) => return zero(c),
        (Srem, Some(1)) if ty != Type::I1 => return zero(c),
        (Or | Umax, Some(k)) if k == ones => return Outcome::Value(c.constant(inst, ty, ones)),
        (Umax, Some(0)) => return Outcome::Value(a),
        (Xor, Some(k)) if k == ones => {
            return set(c, inst, InstData::Unary { op: UnaryOp::Inot, nsw: false, arg: a });
        }
        _ => {}
    }
    if a == b {
        match op {
            And | Or | Smin | Smax | Umin | Umax => return Outcome::Value(a),
            Xor | Isub => return zero(c),
            _ => {}
        }
    }
    if let Some(k) = kb
        && let Some(data) = power_of_two(c, inst, op, a, k)
    {
        return set(c, inst, data);
    }
    // A signed multiplication by two is no cheaper as an addition, and the canonical address is a
    // multiplication: a plain shift of 64 bits becomes one.
    if let (Shl, Some(k)) = (op, kb)
        && !nsw
        && ty == Type::I64
        && k < 64
    {
        let factor = c.constant(inst, ty, 1 << k);
        return set(c, inst, InstData::Binary { op: Imul, nsw: false, args: [a, factor] });
    }
    // x - k is x + (-k), where overflow does not matter.
    if let (Isub, Some(k)) = (op, kb)
        && !nsw
    {
        let minus = c.constant(inst, ty, k.wrapping_neg());
        return set(c, inst, InstData::Binary { op: Iadd, nsw: false, args: [a, minus] });
    }
    // (x op k) op l is x op (k op l), where overflow does not matter.
    if let (Some(l), Some(&InstData::Binary { op: inner, nsw: false, args: [x, k] })) = (kb, def(c.func, a))
        && let Some(k) = c.func.const_bits(k)
        && !nsw
    {
        let joined = match (op, inner) {
            (Iadd, Iadd) => Some((Iadd, k.wrapping_add(l))),
            (Imul, Imul) => Some((Imul, k.wrapping_mul(l))),
            (And, And) => Some((And, k & l)),
            (Or, Or) => Some((Or, k | l)),
            (Xor, Xor) => Some((Xor, k ^ l)),
            _ => None,
        };
        if let Some((op, bits)) = joined {
            let k = c.constant(inst, ty, bits);
            return set(c, inst, InstData::Binary { op, nsw: false, args: [x, k] });
        }
        // (x + k) * l is x * l + k * l: a constant part of an index moves out of the scaling.
        if (op, inner) == (Imul, Iadd) && ty == Type::I64 {
            let factor = c.constant(inst, ty, l);
            let scaled = c.emit(inst, InstData::Binary { op: Imul, nsw: false, args: [x, factor] }, ty);
            let k = c.constant(inst, ty, k.wrapping_mul(l));
            return set(c, inst, InstData::Binary { op: Iadd, nsw: false, args: [scaled, k] });
        }
    }
    if let (Imul, Some(_)) = (op, kb) {
        return Keep;
    }
    // x & 1 of an extended bit and the like: masks that keep all that there is.
    if let (And, Some(k), Some(&InstData::Cast { op: CastOp::Zext, arg, .. })) = (op, kb, def(c.func, a)) {
        let from = c.func.value_type(arg);
        if k & from.bit_mask() == from.bit_mask() {
            return Outcome::Value(a);
        }
    }
    // Bits that are only extended are computed as bits.
    if ty != Type::I1
        && matches!(op, And | Or | Xor)
        && let (Some(x), Some(y)) = (extended_bit(c.func, a), extended_bit(c.func, b))
    {
        let bit = c.emit(inst, InstData::Binary { op, nsw: false, args: [x, y] }, Type::I1);
        return set(c, inst, InstData::Cast { op: CastOp::Zext, ty, arg: bit });
    }
    Keep
}

/// Division and remainder by a power of two, of what is not negative, as a shift and a mask.
fn power_of_two(c: &mut Combiner<'_>, inst: Inst, op: BinaryOp, a: Value, k: u128) -> Option<InstData> {
    let ty = c.func.value_type(a);
    let unsigned = match op {
        BinaryOp::Udiv | BinaryOp::Urem => true,
        BinaryOp::Sdiv | BinaryOp::Srem => is_non_negative(c.func, a) && signed(ty, k) > 0,
        _ => false,
    };
    if !unsigned || !k.is_power_of_two() {
        return None;
    }
    let (op, bits) = match op {
        BinaryOp::Udiv | BinaryOp::Sdiv => (BinaryOp::Lshr, k.trailing_zeros().into()),
        _ => (BinaryOp::And, k - 1),
    };
    let by = c.constant(inst, ty, bits);
    Some(InstData::Binary { op, nsw: false, args: [a, by] })
}

/// The `i1` of which `v` is the zero extension.
fn extended_bit(func: &Function, v: Value) -> Option<Value> {
    match *def(func, v)? {
        InstData::Cast { op: CastOp::Zext, arg, .. } if func.value_type(arg) == Type::I1 => Some(arg),
        _ => None,
    }
}

fn cast(c: &mut Combiner<'_>, inst: Inst, op: CastOp, ty: Type, arg: Value) -> Outcome {
    use CastOp::*;
    let from = c.func.value_type(arg);
    if matches!(op, Spacecast | Bitcast) && from == ty {
        return Outcome::Value(arg);
    }
    let inner = match def(c.func, arg) {
        Some(&InstData::Cast { op, arg, .. }) => Some((op, arg)),
        _ => None,
    };
    if op == Trunc
        && let Some(high) = high_half(c, inst, ty, arg)
    {
        return if ty == Type::I64 {
            Outcome::Value(high)
        } else {
            set(c, inst, InstData::Cast { op, ty, arg: high })
        };
    }
    match (op, inner) {
        (Trunc, Some((Zext | Sext, x))) => {
            let bits = c.func.value_type(x).bits();
            match bits.cmp(&ty.bits()) {
                std::cmp::Ordering::Equal => Outcome::Value(x),
                std::cmp::Ordering::Greater => set(c, inst, InstData::Cast { op: Trunc, ty, arg: x }),
                std::cmp::Ordering::Less => {
                    let op = inner.map_or(Zext, |i| i.0);
                    set(c, inst, InstData::Cast { op, ty, arg: x })
                }
            }
        }
        (Trunc, Some((Trunc, x))) => set(c, inst, InstData::Cast { op: Trunc, ty, arg: x }),
        (Zext, Some((Zext, x))) => set(c, inst, InstData::Cast { op: Zext, ty, arg: x }),
        (Sext, Some((Sext, x))) => set(c, inst, InstData::Cast { op: Sext, ty, arg: x }),
        // A zero extension is not negative.
        (Sext, Some((Zext, x))) => set(c, inst, InstData::Cast { op: Zext, ty, arg: x }),
        // One extension for what both would give: more of them are equal. Of an index it is the signed one.
        (Zext, _) if (from, ty) == (Type::I32, Type::I64) && is_non_negative(c.func, arg) => {
            set(c, inst, InstData::Cast { op: Sext, ty, arg })
        }
        (Sext, _) if from.bits() < 32 && is_non_negative(c.func, arg) => {
            set(c, inst, InstData::Cast { op: Zext, ty, arg })
        }
        (Sext, _) if (from, ty) == (Type::I32, Type::I64) => {
            flag_index(c.func, arg);
            Keep
        }
        (Bitcast, Some((Bitcast, x))) => set(c, inst, InstData::Cast { op: Bitcast, ty, arg: x }),
        (Spacecast, Some((Spacecast, x))) => set(c, inst, InstData::Cast { op: Spacecast, ty, arg: x }),
        (Ptrtoint, Some((Spacecast, x))) => set(c, inst, InstData::Cast { op: Ptrtoint, ty, arg: x }),
        _ => Keep,
    }
}

/// The high half of a product of two words of 64 bits, where a program takes it of one of 128.
fn high_half(c: &mut Combiner<'_>, inst: Inst, ty: Type, v: Value) -> Option<Value> {
    let Some(&InstData::Binary { op: BinaryOp::Lshr | BinaryOp::Ashr, args: [product, by], .. }) =
        def(c.func, v)
    else {
        return None;
    };
    if c.func.value_type(v) != Type::I128 || ty.bits() > 64 || c.func.const_bits(by) != Some(64) {
        return None;
    }
    let Some(&InstData::Binary { op: BinaryOp::Imul, nsw, args }) = def(c.func, product) else { return None };
    // What is extended to 128 bits, or a constant of 64.
    let word = |v: Value, ext: CastOp| match (c.func.const_bits(v), def(c.func, v)) {
        (Some(k), _) if ext == CastOp::Zext => Some(Err(u64::try_from(k).ok()?)),
        (Some(k), _) => Some(Err(i64::try_from(k as i128).ok()? as u64)),
        (None, Some(&InstData::Cast { op, arg, .. })) if op == ext && c.func.value_type(arg).bits() <= 64 => {
            Some(Ok(arg))
        }
        _ => None,
    };
    let words = |ext: CastOp| Some([word(args[0], ext)?, word(args[1], ext)?]);
    let (op, ext, words) = match (words(CastOp::Zext), words(CastOp::Sext)) {
        // As signed numbers, products of unsigned ones may overflow.
        (Some(words), _) if !nsw => (BinaryOp::Umulhi, CastOp::Zext, words),
        (_, Some(words)) => (BinaryOp::Smulhi, CastOp::Sext, words),
        _ => return None,
    };
    // The product of two signed ones fits: without its check it goes, if nothing else uses it.
    if let (CastOp::Sext, Some(product)) = (ext, c.func.def_inst(product)) {
        c.func.insts[product] = InstData::Binary { op: BinaryOp::Imul, nsw: false, args };
    }
    let args = words.map(|word| match word {
        Err(k) => c.constant(inst, Type::I64, k.into()),
        Ok(arg) if c.func.value_type(arg) == Type::I64 => arg,
        Ok(arg) => c.emit(inst, InstData::Cast { op: ext, ty: Type::I64, arg }, Type::I64),
    });
    Some(c.emit(inst, InstData::Binary { op, nsw: false, args }, Type::I64))
}

/// Says of an index that it does not overflow where that is proved, so that its sum can be taken apart.
fn flag_index(func: &mut Function, v: Value) {
    let Some(def) = func.def_inst(v) else { return };
    if let InstData::Binary { op, nsw: false, args: [a, b] } = func.insts[def]
        && op.takes_nsw()
        && never_overflows(func, op, a, b)
    {
        func.insts[def] = InstData::Binary { op, nsw: true, args: [a, b] };
    }
}

fn icmp(c: &mut Combiner<'_>, inst: Inst, cc: IntCC, a: Value, b: Value) -> Outcome {
    let ty = c.func.value_type(a);
    let (ka, kb) = (c.func.const_bits(a), c.func.const_bits(b));
    if ka.is_some() && kb.is_none() {
        return set(c, inst, InstData::Icmp { cc: cc.swapped(), args: [b, a] });
    }
    if ty.is_ptr() {
        return pointer_icmp(c, inst, cc, a, b);
    }
    if a == b {
        let holds = matches!(cc, IntCC::Eq | IntCC::Sle | IntCC::Sge | IntCC::Ule | IntCC::Uge);
        return Outcome::Value(c.constant(inst, Type::I1, holds.into()));
    }
    let Some(k) = kb else {
        // Extensions of one kind compare as what they extend.
        if let (Some(&InstData::Cast { op: oa, arg: x, .. }), Some(&InstData::Cast { op: ob, arg: y, .. })) =
            (def(c.func, a), def(c.func, b))
            && oa == ob
            && matches!(oa, CastOp::Zext | CastOp::Sext)
            && c.func.value_type(x) == c.func.value_type(y)
        {
            let cc = if oa == CastOp::Zext { unsigned(cc) } else { cc };
            return set(c, inst, InstData::Icmp { cc, args: [x, y] });
        }
        return Keep;
    };
    // Comparisons that every value of the type decides alike.
    let mask = ty.bit_mask();
    let (least, greatest) = (1u128 << (ty.bits() - 1), mask >> 1);
    let known = match cc {
        IntCC::Ult if k == 0 => Some(false),
        IntCC::Uge if k == 0 => Some(true),
        IntCC::Ugt if k == mask => Some(false),
        IntCC::Ule if k == mask => Some(true),
        IntCC::Slt if k == least => Some(false),
        IntCC::Sge if k == least => Some(true),
        IntCC::Sgt if k == greatest => Some(false),
        IntCC::Sle if k == greatest => Some(true),
        _ => None,
    };
    if let Some(holds) = known {
        return Outcome::Value(c.constant(inst, Type::I1, holds.into()));
    }
    if let Some(holds) = decided(c.func, cc, a, signed(ty, k)) {
        return Outcome::Value(c.constant(inst, Type::I1, holds.into()));
    }
    if ty == Type::I1 {
        match (cc, k) {
            (IntCC::Ne, 0) | (IntCC::Eq, 1) => return Outcome::Value(a),
            (IntCC::Eq, 0) | (IntCC::Ne, 1) => {
                return set(c, inst, InstData::Unary { op: UnaryOp::Inot, nsw: false, arg: a });
            }
            _ => {}
        }
    }
    match def(c.func, a).cloned() {
        // The extension of x against a constant: x against it, if x can be it at all.
        Some(InstData::Cast { op: ext @ (CastOp::Zext | CastOp::Sext), arg, .. }) => {
            let from = c.func.value_type(arg);
            let narrow = k & from.bit_mask();
            let back = if ext == CastOp::Zext { narrow } else { signed(from, narrow) as u128 & mask };
            if back == k {
                let cc = if ext == CastOp::Zext { unsigned(cc) } else { cc };
                let narrow = c.constant(inst, from, narrow);
                return set(c, inst, InstData::Icmp { cc, args: [arg, narrow] });
            }
            if matches!(cc, IntCC::Eq | IntCC::Ne) {
                return Outcome::Value(c.constant(inst, Type::I1, (cc == IntCC::Ne).into()));
            }
            Keep
        }
        // A choice between two constants against a third.
        Some(InstData::Ternary { op: TernaryOp::Select, args: [cond, x, y] }) => {
            let (Some(x), Some(y)) = (c.func.const_bits(x), c.func.const_bits(y)) else { return Keep };
            let of = |v: u128| eval::icmp(cc, ty, v, k);
            match (of(x), of(y)) {
                (true, false) => Outcome::Value(cond),
                (false, true) => set(c, inst, InstData::Unary { op: UnaryOp::Inot, nsw: false, arg: cond }),
                (same, _) => Outcome::Value(c.constant(inst, Type::I1, same.into())),
            }
        }
        // x ^ k == l and x + k == l: the constant moves over.
        Some(InstData::Binary { op: op @ (BinaryOp::Xor | BinaryOp::Iadd), nsw: false, args: [x, l] })
            if matches!(cc, IntCC::Eq | IntCC::Ne) =>
        {
            let Some(l) = c.func.const_bits(l) else { return Keep };
            let moved = if op == BinaryOp::Xor { k ^ l } else { k.wrapping_sub(l) & mask };
            let moved = c.constant(inst, ty, moved);
            set(c, inst, InstData::Icmp { cc, args: [x, moved] })
        }
        _ => Keep,
    }
}

/// What a comparison with a constant gives if the range of the value decides it.
fn decided(func: &Function, cc: IntCC, v: Value, k: i128) -> Option<bool> {
    let (least, greatest) = range(func, v);
    if func.value_type(v).bits() > 64 {
        return None;
    }
    // Numbers that are not negative have one order.
    let both = least >= 0 && k >= 0;
    let order = |never: bool, always: bool| match (never, always) {
        (true, _) => Some(false),
        (_, true) => Some(true),
        _ => None,
    };
    match cc {
        IntCC::Eq => order(k < least || k > greatest, least == k && greatest == k),
        IntCC::Ne => order(least == k && greatest == k, k < least || k > greatest),
        IntCC::Slt => order(least >= k, greatest < k),
        IntCC::Sle => order(least > k, greatest <= k),
        IntCC::Sgt => order(greatest <= k, least > k),
        IntCC::Sge => order(greatest < k, least >= k),
        IntCC::Ult if both => order(least >= k, greatest < k),
        IntCC::Ule if both => order(least > k, greatest <= k),
        IntCC::Ugt if both => order(greatest <= k, least > k),
        IntCC::Uge if both => order(greatest < k, least >= k),
        _ => None,
    }
}

fn unsigned(cc: IntCC) -> IntCC {
    match cc {
        IntCC::Slt => IntCC::Ult,
        IntCC::Sle => IntCC::Ule,
        IntCC::Sgt => IntCC::Ugt,
        IntCC::Sge => IntCC::Uge,
        other => other,
    }
}

fn pointer_icmp(c: &mut Combiner<'_>, inst: Inst, cc: IntCC, a: Value, b: Value) -> Outcome {
    if !matches!(cc, IntCC::Eq | IntCC::Ne) {
        return Keep;
    }
    if a == b {
        return Outcome::Value(c.constant(inst, Type::I1, (cc == IntCC::Eq).into()));
    }
    // What has a name is not null.
    let named = matches!(
        def(c.func, a),
        Some(InstData::SlotAddr { .. } | InstData::GlobalAddr { .. } | InstData::FuncAddr { .. })
    );
    if named && c.func.const_bits(b) == Some(0) {
        return Outcome::Value(c.constant(inst, Type::I1, (cc == IntCC::Ne).into()));
    }
    // A space is only a name for the same pointer.
    let bare = |func: &Function, v: Value| match def(func, v) {
        Some(&InstData::Cast { op: CastOp::Spacecast, arg, .. }) => Some(arg),
        _ => None,
    };
    match (bare(c.func, a), bare(c.func, b)) {
        (None, None) => Keep,
        (x, y) => set(c, inst, InstData::Icmp { cc, args: [x.unwrap_or(a), y.unwrap_or(b)] }),
    }
}

fn select(c: &mut Combiner<'_>, inst: Inst, cond: Value, a: Value, b: Value) -> Outcome {
    let ty = c.func.value_type(b);
    if a == b && c.func.value_type(a) == ty {
        return Outcome::Value(a);
    }
    if let Some(bit) = c.func.const_bits(cond) {
        let chosen = if bit == 1 { a } else { b };
        return if c.func.value_type(chosen) == ty { Outcome::Value(chosen) } else { Keep };
    }
    if let Some(arg) = negated(c.func, cond)
        && c.func.value_type(a) == ty
    {
        return set(c, inst, InstData::Ternary { op: TernaryOp::Select, args: [arg, b, a] });
    }
    if !ty.is_int() {
        return Keep;
    }
    // Of zero all bits are counted: the test in front of it says nothing more.
    if let Some(&InstData::Icmp { cc: cc @ (IntCC::Eq | IntCC::Ne), args: [x, zero] }) = def(c.func, cond) {
        let (of_zero, other) = if cc == IntCC::Eq { (a, b) } else { (b, a) };
        if c.func.const_bits(zero) == Some(0)
            && c.func.const_bits(of_zero) == Some(ty.bits().into())
            && matches!(def(c.func, other), Some(&InstData::Unary { op: UnaryOp::Clz | UnaryOp::Ctz, arg, .. }) if arg == x)
        {
            return Outcome::Value(other);
        }
    }
    match (c.func.const_bits(a), c.func.const_bits(b)) {
        (Some(1), Some(0)) if ty == Type::I1 => Outcome::Value(cond),
        (Some(0), Some(1)) if ty == Type::I1 => {
            set(c, inst, InstData::Unary { op: UnaryOp::Inot, nsw: false, arg: cond })
        }
        (Some(1), Some(0)) => set(c, inst, InstData::Cast { op: CastOp::Zext, ty, arg: cond }),
        (Some(0), Some(1)) => {
            let not = InstData::Unary { op: UnaryOp::Inot, nsw: false, arg: cond };
            let not = c.emit(inst, not, Type::I1);
            set(c, inst, InstData::Cast { op: CastOp::Zext, ty, arg: not })
        }
        // Both sides of a logical connection are computed already.
        (_, Some(0)) if ty == Type::I1 => {
            set(c, inst, InstData::Binary { op: BinaryOp::And, nsw: false, args: [cond, a] })
        }
        (Some(1), _) if ty == Type::I1 => {
            set(c, inst, InstData::Binary { op: BinaryOp::Or, nsw: false, args: [cond, b] })
        }
        _ => Keep,
    }
}

fn ptr_add(c: &mut Combiner<'_>, inst: Inst, ptr: Value, offset: Value) -> Outcome {
    let ty = c.func.value_type(ptr);
    let k = c.func.const_int(offset);
    if k == Some(0) {
        return Outcome::Value(ptr);
    }
    let inner = match def(c.func, ptr) {
        Some(&InstData::PtrAdd { ptr, offset }) => Some((ptr, offset)),
        _ => None,
    };
    if let Some((base, first)) = inner
        && let Some(first) = c.func.const_int(first).filter(|k| k.unsigned_abs() <= MAX_MOVED)
    {
        match k {
            // (p + k) + l is p + (k + l).
            Some(k) => {
                let Some(sum) = k.checked_add(first) else { return Keep };
                let sum = c.constant(inst, Type::I64, sum as u64 as u128);
                return set(c, inst, InstData::PtrAdd { ptr: base, offset: sum });
            }
            // (p + k) + x is (p + x) + k: the constant goes last.
            None => {
                let moved = c.emit(inst, InstData::PtrAdd { ptr: base, offset }, ty);
                let first = c.constant(inst, Type::I64, first as u64 as u128);
                return set(c, inst, InstData::PtrAdd { ptr: moved, offset: first });
            }
        }
    }
    // p + (x + k) is (p + x) + k.
    if let Some(&InstData::Binary { op: BinaryOp::Iadd, nsw: false, args: [x, l] }) = def(c.func, offset)
        && c.func.const_int(l).is_some_and(|k| k.unsigned_abs() <= MAX_MOVED)
    {
        let moved = c.emit(inst, InstData::PtrAdd { ptr, offset: x }, ty);
        return set(c, inst, InstData::PtrAdd { ptr: moved, offset: l });
    }
    Keep
}
