//! Instructions that only compute.

use super::memory::register_type;
use super::parse::{Class, Instruction, Operand, Suffix};
use super::{Done, Fault, Statement, ir_type};
use crate::lower::func::FnLower;
use cudair_ir::{BinaryOp, CastOp, FloatCC, IntCC, TernaryOp, Type, UnaryOp, Value};

const U32: Suffix = Suffix { bits: 32, class: Class::Unsigned };
const PRED: Suffix = Suffix { bits: 1, class: Class::Predicate };

/// Modifiers that change no result here: flushing denormals is not modelled.
fn is_mode(part: &str) -> bool {
    matches!(part, "rn" | "ftz" | "approx" | "full" | "wide" | "lo" | "hi" | "to")
}

/// An instruction on integers.
#[derive(Clone, Copy)]
struct Integer<'i> {
    op: &'i str,
    parts: &'i [&'i str],
    suffix: Suffix,
    ty: Type,
    signed: bool,
    sources: &'i [Operand],
}

impl Integer<'_> {
    /// Whether a part stands behind a dot.
    fn has(&self, part: &str) -> bool {
        self.parts.contains(&part)
    }
}

impl FnLower<'_, '_, '_> {
    /// Everything that is neither memory nor another thread's.
    pub(super) fn asm_arithmetic(&mut self, s: &mut Statement, i: &Instruction, name: &[&str]) -> Done<()> {
        let (Some((&op, rest)), Some((target, sources))) = (name.split_first(), i.operands.split_first())
        else {
            return Err(Fault::Unknown);
        };
        let Some((ty, parts)) = rest.split_last() else { return Err(Fault::Unknown) };
        let suffix = Suffix::of(ty).ok_or(Fault::Unknown)?;
        if op == "mov" {
            return self.asm_move(s, suffix, target, sources);
        }
        if op == "cvt" {
            return self.asm_convert(s, parts, suffix, target, sources);
        }
        if op == "setp" || op == "set" {
            return self.asm_compare(s, op, parts, suffix, target, sources);
        }
        if op == "selp" {
            let [a, b, flag] = sources else { return Err(Fault::Unknown) };
            let (a, b) = (self.asm_read(s, a, suffix)?, self.asm_read(s, b, suffix)?);
            let flag = self.asm_read(s, flag, PRED)?;
            let value = self.b.select(flag, a, b);
            return self.asm_write(s, target, value);
        }
        let value = if suffix.is_float() {
            self.asm_float(s, op, parts, suffix, sources)?
        } else {
            self.asm_integer(s, op, parts, suffix, sources)?
        };
        self.asm_write(s, target, value)
    }

    /// `mov`, which also packs and unpacks halves.
    fn asm_move(
        &mut self,
        s: &mut Statement,
        suffix: Suffix,
        target: &Operand,
        sources: &[Operand],
    ) -> Done<()> {
        let [source] = sources else { return Err(Fault::Unknown) };
        let part = |count: usize| Suffix { bits: suffix.bits / count as u32, class: Class::Bits };
        match (target, source) {
            (Operand::Vector(targets), source) => {
                let whole = self.asm_read(s, source, Suffix { class: Class::Bits, ..suffix })?;
                let part = part(targets.len());
                for (n, target) in targets.iter().enumerate() {
                    let by = self.b.iconst(register_type(suffix), i128::from(n as u32 * part.bits));
                    let shifted = self.b.binary(BinaryOp::Lshr, whole, by);
                    let value = self.widen(shifted, false, register_type(part));
                    self.asm_write(s, target, value)?;
                }
                Ok(())
            }
            (_, Operand::Vector(parts)) => {
                let wide = register_type(suffix);
                let part = part(parts.len());
                let mut whole = self.b.iconst(wide, 0);
                for (n, source) in parts.iter().enumerate() {
                    let value = self.asm_read(s, source, part)?;
                    let value = self.widen(value, false, wide);
                    let by = self.b.iconst(wide, i128::from(n as u32 * part.bits));
                    let value = self.b.binary(BinaryOp::Shl, value, by);
                    whole = self.b.binary(BinaryOp::Or, whole, value);
                }
                self.asm_write(s, target, whole)
            }
            _ => {
                let value = self.asm_read(s, source, suffix)?;
                self.asm_write(s, target, value)
            }
        }
    }

    fn asm_integer(
        &mut self,
        s: &mut Statement,
        op: &str,
        parts: &[&str],
        suffix: Suffix,
        sources: &[Operand],
    ) -> Done<Value> {
        let signed = suffix.is_signed();
        let ty = ir_type(suffix).ok_or(Fault::Unknown)?;
        let i = &Integer { op, parts, suffix, ty, signed, sources };
        let known = ["lo", "hi", "wide", "cc", "sat", "wrap", "clamp", "l", "r", "shiftamt", "b32"];
        if parts.iter().any(|p| !known.contains(p)) || i.has("sat") {
            return Err(Fault::Unknown);
        }
        if suffix.class == Class::Predicate {
            return self.asm_on_predicates(s, i);
        }
        match op {
            "add" | "addc" | "sub" | "subc" | "mad" | "madc" if i.has("cc") || op.ends_with('c') => {
                self.asm_carry(s, op, parts, suffix, sources)
            }
            "mul" | "mad" | "mul24" | "mad24" | "sad" => self.asm_multiply(s, i),
            "bfe" | "bfi" | "bfind" => self.asm_field(s, i),
            "clz" | "popc" | "brev" | "neg" | "not" | "cnot" | "abs" => self.asm_unary(s, i),
            "shl" | "shr" | "shf" | "prmt" | "lop3" => self.asm_bits(s, i),
            _ => self.asm_binary(s, i),
        }
    }

    /// A source operand of the instruction's type.
    fn asm_source(&mut self, s: &mut Statement, i: &Integer<'_>, n: usize) -> Done<Value> {
        self.asm_nth(s, i, n, i.suffix)
    }

    /// A source operand of a type.
    fn asm_nth(&mut self, s: &mut Statement, i: &Integer<'_>, n: usize, suffix: Suffix) -> Done<Value> {
        self.asm_read(s, i.sources.get(n).ok_or(Fault::Unknown)?, suffix)
    }

    /// Operations on predicates.
    fn asm_on_predicates(&mut self, s: &mut Statement, i: &Integer<'_>) -> Done<Value> {
        use BinaryOp::*;
        let op = i.op;
        let a = self.asm_source(s, i, 0)?;
        Ok(match op {
            "not" => self.b.unary(UnaryOp::Inot, a),
            "and" | "or" | "xor" => {
                let b = self.asm_source(s, i, 1)?;
                let op = match op {
                    "and" => And,
                    "or" => Or,
                    _ => Xor,
                };
                self.b.binary(op, a, b)
            }
            _ => return Err(Fault::Unknown),
        })
    }

    /// Products, their sums, and the sum of absolute differences.
    fn asm_multiply(&mut self, s: &mut Statement, i: &Integer<'_>) -> Done<Value> {
        use BinaryOp::*;
        let Integer { op, suffix, ty, signed, .. } = *i;
        match op {
            "mul" | "mad" => {
                let (a, b) = (self.asm_source(s, i, 0)?, self.asm_source(s, i, 1)?);
                let product = if i.has("wide") {
                    if suffix.bits > 32 {
                        return Err(Fault::Unknown);
                    }
                    let wide = super::int_type(suffix.bits * 2);
                    let (a, b) = (self.widen(a, signed, wide), self.widen(b, signed, wide));
                    self.b.binary(Imul, a, b)
                } else if i.has("hi") {
                    self.b.binary(if signed { Smulhi } else { Umulhi }, a, b)
                } else {
                    self.b.binary(Imul, a, b)
                };
                if op == "mul" {
                    return Ok(product);
                }
                let bits = if i.has("wide") { suffix.bits * 2 } else { suffix.bits };
                let c = self.asm_nth(s, i, 2, Suffix { bits, ..suffix })?;
                Ok(self.b.binary(Iadd, product, c))
            }
            "mul24" | "mad24" if i.has("lo") => {
                let by = self.b.iconst(ty, 8);
                let shift = if signed { Ashr } else { Lshr };
                let mut low = [self.asm_source(s, i, 0)?, self.asm_source(s, i, 1)?];
                for v in &mut low {
                    let up = self.b.binary(Shl, *v, by);
                    *v = self.b.binary(shift, up, by);
                }
                let product = self.b.binary(Imul, low[0], low[1]);
                if op == "mul24" {
                    return Ok(product);
                }
                let c = self.asm_source(s, i, 2)?;
                Ok(self.b.binary(Iadd, product, c))
            }
            "sad" => {
                let (a, b, c) =
                    (self.asm_source(s, i, 0)?, self.asm_source(s, i, 1)?, self.asm_source(s, i, 2)?);
                let (big, small) = if signed { (Smax, Smin) } else { (Umax, Umin) };
                let (big, small) = (self.b.binary(big, a, b), self.b.binary(small, a, b));
                let apart = self.b.binary(Isub, big, small);
                Ok(self.b.binary(Iadd, apart, c))
            }
            _ => Err(Fault::Unknown),
        }
    }

    /// Shifts, and bits chosen by tables.
    fn asm_bits(&mut self, s: &mut Statement, i: &Integer<'_>) -> Done<Value> {
        use BinaryOp::*;
        let Integer { op, suffix, signed, .. } = *i;
        match op {
            "shl" | "shr" => {
                let a = self.asm_source(s, i, 0)?;
                let by = self.asm_nth(s, i, 1, U32)?;
                let op = if op == "shl" {
                    Shl
                } else if signed {
                    Ashr
                } else {
                    Lshr
                };
                Ok(self.asm_shift(op, a, by, suffix.bits))
            }
            "prmt" if i.parts.is_empty() => {
                let (a, b, select) =
                    (self.asm_source(s, i, 0)?, self.asm_source(s, i, 1)?, self.asm_source(s, i, 2)?);
                Ok(self.asm_permute(a, b, select))
            }
            "lop3" => {
                let (a, b, c) =
                    (self.asm_source(s, i, 0)?, self.asm_source(s, i, 1)?, self.asm_source(s, i, 2)?);
                let Some(Operand::Int(table)) = i.sources.get(3) else { return Err(Fault::Unknown) };
                Ok(self.asm_lut(a, b, c, *table as u8))
            }
            "shf" => {
                let (low, high) = (self.asm_source(s, i, 0)?, self.asm_source(s, i, 1)?);
                let by = self.asm_nth(s, i, 2, U32)?;
                let limit = self.b.iconst(Type::I32, if i.has("clamp") { 32 } else { 31 });
                let by = self.b.binary(if i.has("clamp") { Umin } else { And }, by, limit);
                let (low, high) = (self.widen(low, false, Type::I64), self.widen(high, false, Type::I64));
                let half = self.b.iconst(Type::I64, 32);
                let high = self.b.binary(Shl, high, half);
                let pair = self.b.binary(Or, high, low);
                let by = self.widen(by, false, Type::I64);
                let moved = self.b.binary(if i.has("l") { Shl } else { Lshr }, pair, by);
                let moved = if i.has("l") { self.b.binary(Lshr, moved, half) } else { moved };
                Ok(self.widen(moved, false, Type::I32))
            }
            _ => Err(Fault::Unknown),
        }
    }

    /// Fields of bits, and the highest bit.
    fn asm_field(&mut self, s: &mut Statement, i: &Integer<'_>) -> Done<Value> {
        use BinaryOp::*;
        let Integer { op, suffix, ty, signed, .. } = *i;
        match op {
            "bfe" => {
                let a = self.asm_source(s, i, 0)?;
                let at = self.asm_nth(s, i, 1, U32)?;
                let len = self.asm_nth(s, i, 2, U32)?;
                Ok(self.asm_extract(a, at, len, suffix))
            }
            "bfi" => {
                let (a, b) = (self.asm_source(s, i, 0)?, self.asm_source(s, i, 1)?);
                let at = self.asm_nth(s, i, 2, U32)?;
                let len = self.asm_nth(s, i, 3, U32)?;
                let (at, len) = (self.asm_byte(at), self.asm_byte(len));
                let all = self.b.iconst(ty, -1);
                let none = self.asm_shift(Shl, all, len, suffix.bits);
                let field = self.b.unary(UnaryOp::Inot, none);
                let mask = self.asm_shift(Shl, field, at, suffix.bits);
                let moved = self.asm_shift(Shl, a, at, suffix.bits);
                let inside = self.b.binary(And, moved, mask);
                let outside = self.b.unary(UnaryOp::Inot, mask);
                let kept = self.b.binary(And, b, outside);
                Ok(self.b.binary(Or, inside, kept))
            }
            "bfind" => {
                let a = self.asm_source(s, i, 0)?;
                let a = if signed {
                    let by = self.b.iconst(ty, i128::from(suffix.bits - 1));
                    let sign = self.b.binary(Ashr, a, by);
                    self.b.binary(Xor, a, sign)
                } else {
                    a
                };
                let zeros = self.b.unary(UnaryOp::Clz, a);
                let zeros = self.widen(zeros, false, Type::I32);
                if i.has("shiftamt") {
                    let whole = self.b.iconst(Type::I32, i128::from(suffix.bits));
                    let none = self.b.icmp(IntCC::Eq, zeros, whole);
                    let minus = self.b.iconst(Type::I32, -1);
                    return Ok(self.b.select(none, minus, zeros));
                }
                let top = self.b.iconst(Type::I32, i128::from(suffix.bits) - 1);
                Ok(self.b.binary(Isub, top, zeros))
            }
            _ => Err(Fault::Unknown),
        }
    }

    /// Operations with one operand.
    fn asm_unary(&mut self, s: &mut Statement, i: &Integer<'_>) -> Done<Value> {
        use BinaryOp::*;
        let Integer { op, ty, .. } = *i;
        match op {
            "clz" | "popc" => {
                let a = self.asm_source(s, i, 0)?;
                let v = self.b.unary(if op == "clz" { UnaryOp::Clz } else { UnaryOp::Popcnt }, a);
                Ok(self.widen(v, false, Type::I32))
            }
            "brev" => {
                let a = self.asm_source(s, i, 0)?;
                Ok(self.b.unary(UnaryOp::Bitrev, a))
            }
            "neg" => {
                let a = self.asm_source(s, i, 0)?;
                Ok(self.b.unary(UnaryOp::Ineg, a))
            }
            "not" => {
                let a = self.asm_source(s, i, 0)?;
                Ok(self.b.unary(UnaryOp::Inot, a))
            }
            "cnot" => {
                let a = self.asm_source(s, i, 0)?;
                let zero = self.b.iconst(ty, 0);
                let none = self.b.icmp(IntCC::Eq, a, zero);
                Ok(self.widen(none, false, ty))
            }
            "abs" => {
                let a = self.asm_source(s, i, 0)?;
                let minus = self.b.unary(UnaryOp::Ineg, a);
                Ok(self.b.binary(Smax, a, minus))
            }
            _ => Err(Fault::Unknown),
        }
    }

    /// Operations with two operands.
    fn asm_binary(&mut self, s: &mut Statement, i: &Integer<'_>) -> Done<Value> {
        use BinaryOp::*;
        let Integer { op, signed, .. } = *i;
        match op {
            "add" | "sub" | "min" | "max" | "and" | "or" | "xor" | "div" | "rem" => {
                let (a, b) = (self.asm_source(s, i, 0)?, self.asm_source(s, i, 1)?);
                let op = match op {
                    "add" => Iadd,
                    "sub" => Isub,
                    "min" if signed => Smin,
                    "min" => Umin,
                    "max" if signed => Smax,
                    "max" => Umax,
                    "and" => And,
                    "or" => Or,
                    "xor" => Xor,
                    "div" if signed => Sdiv,
                    "div" => Udiv,
                    _ if signed => Srem,
                    _ => Urem,
                };
                Ok(self.b.binary(op, a, b))
            }
            _ => Err(Fault::Unknown),
        }
    }

    /// A shift whose amount is clamped to the width, as PTX has it.
    fn asm_shift(&mut self, op: BinaryOp, a: Value, by: Value, bits: u32) -> Value {
        let ty = self.b.ty(a);
        let width = self.b.iconst(Type::I32, i128::from(bits));
        let fits = self.b.icmp(IntCC::Ult, by, width);
        let most = self.b.iconst(Type::I32, i128::from(bits - 1));
        let within = self.b.binary(BinaryOp::Umin, by, most);
        let within = self.widen(within, false, ty);
        let moved = self.b.binary(op, a, within);
        if op == BinaryOp::Ashr {
            // All bits are the sign's then, as after the longest shift.
            return moved;
        }
        let zero = self.b.iconst(ty, 0);
        self.b.select(fits, moved, zero)
    }

    fn asm_byte(&mut self, v: Value) -> Value {
        let low = self.b.iconst(Type::I32, 255);
        self.b.binary(BinaryOp::And, v, low)
    }

    /// `bfe`: `len` bits from bit `at` on; for signed types the field's top bit, or the value's if the field
    /// goes beyond it, fills the rest.
    fn asm_extract(&mut self, a: Value, at: Value, len: Value, suffix: Suffix) -> Value {
        use BinaryOp::*;
        let (at, len) = (self.asm_byte(at), self.asm_byte(len));
        let ty = self.b.ty(a);
        let moved = self.asm_shift(if suffix.is_signed() { Ashr } else { Lshr }, a, at, suffix.bits);
        let width = self.b.iconst(Type::I32, i128::from(suffix.bits));
        let shown = self.b.binary(Umin, len, width);
        let spare = self.b.binary(Isub, width, shown);
        let up = self.asm_shift(Shl, moved, spare, suffix.bits);
        let down = self.asm_shift(if suffix.is_signed() { Ashr } else { Lshr }, up, spare, suffix.bits);
        // No bits at all: the longest shift of a signed value would leave its sign.
        let zero = self.b.iconst(Type::I32, 0);
        let none = self.b.icmp(IntCC::Eq, len, zero);
        let nothing = self.b.iconst(ty, 0);
        self.b.select(none, nothing, down)
    }

    fn asm_permute(&mut self, a: Value, b: Value, select: Value) -> Value {
        use BinaryOp::*;
        let (a, b) = (self.widen(a, false, Type::I64), self.widen(b, false, Type::I64));
        let half = self.b.iconst(Type::I64, 32);
        let b = self.b.binary(Shl, b, half);
        let pair = self.b.binary(Or, a, b);
        let mut whole = self.b.iconst(Type::I32, 0);
        for n in 0..4 {
            let by = self.b.iconst(Type::I32, 4 * n);
            let nibble = self.b.binary(Lshr, select, by);
            let seven = self.b.iconst(Type::I32, 7);
            let which = self.b.binary(And, nibble, seven);
            let three = self.b.iconst(Type::I32, 3);
            let bits = self.b.binary(Shl, which, three);
            let bits = self.widen(bits, false, Type::I64);
            let byte = self.b.binary(Lshr, pair, bits);
            let byte = self.widen(byte, false, Type::I8);
            // The nibble's top bit asks for the byte's sign in all its bits.
            let top = self.b.iconst(Type::I8, 7);
            let sign = self.b.binary(Ashr, byte, top);
            let eight = self.b.iconst(Type::I32, 8);
            let wanted = self.b.binary(And, nibble, eight);
            let zero = self.b.iconst(Type::I32, 0);
            let wanted = self.b.icmp(IntCC::Ne, wanted, zero);
            let byte = self.b.select(wanted, sign, byte);
            let byte = self.widen(byte, false, Type::I32);
            let by = self.b.iconst(Type::I32, 8 * n);
            let byte = self.b.binary(Shl, byte, by);
            whole = self.b.binary(Or, whole, byte);
        }
        whole
    }

    /// `lop3`: the function of three bits that the table holds, bit by bit: the union of its minterms.
    fn asm_lut(&mut self, a: Value, b: Value, c: Value, table: u8) -> Value {
        let mut whole = self.b.iconst(Type::I32, 0);
        let inputs = [(a, 4), (b, 2), (c, 1)];
        for row in (0..8u8).filter(|row| table >> row & 1 == 1) {
            let mut term: Option<Value> = None;
            for (value, bit) in inputs {
                let value = if row & bit == 0 { self.b.unary(UnaryOp::Inot, value) } else { value };
                term = Some(match term {
                    Some(term) => self.b.binary(BinaryOp::And, term, value),
                    None => value,
                });
            }
            if let Some(term) = term {
                whole = self.b.binary(BinaryOp::Or, whole, term);
            }
        }
        whole
    }

    /// Additions and subtractions that leave or take a carry.
    fn asm_carry(
        &mut self,
        s: &mut Statement,
        op: &str,
        parts: &[&str],
        suffix: Suffix,
        sources: &[Operand],
    ) -> Done<Value> {
        use BinaryOp::*;
        let ty = ir_type(suffix).ok_or(Fault::Unknown)?;
        let takes = op.ends_with('c');
        let signed = suffix.is_signed();
        let (a, b) = if op.starts_with("mad") {
            let [x, y, c] = sources else { return Err(Fault::Unknown) };
            let (x, y) = (self.asm_read(s, x, suffix)?, self.asm_read(s, y, suffix)?);
            let op = match (parts.contains(&"hi"), signed) {
                (true, true) => Smulhi,
                (true, false) => Umulhi,
                _ => Imul,
            };
            (self.b.binary(op, x, y), self.asm_read(s, c, suffix)?)
        } else {
            let [a, b] = sources else { return Err(Fault::Unknown) };
            (self.asm_read(s, a, suffix)?, self.asm_read(s, b, suffix)?)
        };
        let less = op.starts_with("sub");
        let operation = if less { Isub } else { Iadd };
        let first = self.b.binary(operation, a, b);
        // Borrow where the second is the larger; carry where the sum is below an operand.
        let mut over = if less { self.b.icmp(IntCC::Ult, a, b) } else { self.b.icmp(IntCC::Ult, first, a) };
        let mut value = first;
        if takes {
            let carry = s.carry.ok_or(Fault::Unknown)?;
            let carry = self.widen(carry, false, ty);
            value = self.b.binary(operation, first, carry);
            let again = if less {
                self.b.icmp(IntCC::Ult, first, carry)
            } else {
                self.b.icmp(IntCC::Ult, value, first)
            };
            over = self.b.binary(Or, over, again);
        }
        if parts.contains(&"cc") {
            s.carry = Some(over);
        }
        Ok(value)
    }

    fn asm_float(
        &mut self,
        s: &mut Statement,
        op: &str,
        parts: &[&str],
        suffix: Suffix,
        sources: &[Operand],
    ) -> Done<Value> {
        let rounding = parts.iter().copied().find(|p| matches!(*p, "rz" | "ru" | "rd" | "rm" | "rp"));
        if parts.iter().any(|p| !is_mode(p) && Some(*p) != rounding) {
            return Err(Fault::Unknown);
        }
        let read = |f: &mut Self, n: usize| f.asm_read(s, sources.get(n).ok_or(Fault::Unknown)?, suffix);
        let ty = ir_type(suffix).ok_or(Fault::Unknown)?;
        let a = read(self, 0)?;
        if let Some(rounding) = rounding {
            let (letter, fused) = match suffix.bits {
                32 => ("f", "__fmaf"),
                64 => ("d", "__fma"),
                _ => return Err(Fault::Unknown),
            };
            let mut args = vec![a];
            let name = match op {
                "add" | "sub" | "mul" | "div" => {
                    args.push(read(self, 1)?);
                    format!("__{letter}{op}_{rounding}")
                }
                "rcp" | "sqrt" => format!("__{letter}{op}_{rounding}"),
                "fma" | "mad" => {
                    args.push(read(self, 1)?);
                    args.push(read(self, 2)?);
                    format!("{fused}_{rounding}")
                }
                _ => return Err(Fault::Unknown),
            };
            return self.asm_native(&name, &args, Some(ty))?.ok_or(Fault::Unknown);
        }
        let approximate = parts.contains(&"approx") && suffix.bits == 32;
        let binary = match op {
            "add" => Some(BinaryOp::Fadd),
            "sub" => Some(BinaryOp::Fsub),
            "mul" => Some(BinaryOp::Fmul),
            "div" => Some(BinaryOp::Fdiv),
            "min" => Some(BinaryOp::Fmin),
            "max" => Some(BinaryOp::Fmax),
            "copysign" => Some(BinaryOp::Fcopysign),
            _ => None,
        };
        if let Some(binary) = binary {
            let b = read(self, 1)?;
            // `copysign` takes the sign from its first operand.
            let (a, b) = if op == "copysign" { (b, a) } else { (a, b) };
            // Without a rounding mode the assembler may fuse them.
            let rounded = parts.contains(&"rn");
            return Ok(if rounded {
                self.b.rounded_binary(binary, a, b)
            } else {
                self.b.binary(binary, a, b)
            });
        }
        let native = match op {
            "fma" | "mad" => {
                let (b, c) = (read(self, 1)?, read(self, 2)?);
                return Ok(self.b.ternary(TernaryOp::Fma, a, b, c));
            }
            "abs" => return Ok(self.b.unary(UnaryOp::Fabs, a)),
            "neg" => return Ok(self.b.unary(UnaryOp::Fneg, a)),
            "sqrt" => return Ok(self.b.unary(UnaryOp::Fsqrt, a)),
            "rcp" => {
                let one = if ty == Type::F64 { self.b.f64const(1.0) } else { self.b.f32const(1.0) };
                return Ok(self.b.binary(BinaryOp::Fdiv, one, a));
            }
            "ex2" if approximate => "exp2f",
            "lg2" if approximate => "__log2f",
            "sin" if approximate => "__sinf",
            "cos" if approximate => "__cosf",
            "tanh" if approximate => "__tanhf",
            "rsqrt" if approximate => "rsqrtf",
            _ => return Err(Fault::Unknown),
        };
        self.asm_native(native, &[a], Some(ty))?.ok_or(Fault::Unknown)
    }

    fn asm_convert(
        &mut self,
        s: &mut Statement,
        parts: &[&str],
        from: Suffix,
        target: &Operand,
        sources: &[Operand],
    ) -> Done<()> {
        let ([source], Some((to, modes))) = (sources, parts.split_last()) else { return Err(Fault::Unknown) };
        let to = Suffix::of(to).ok_or(Fault::Unknown)?;
        let ir = ir_type(to).ok_or(Fault::Unknown)?;
        let value = self.asm_read(s, source, from)?;
        let rounding = modes.iter().copied().find(|m| m.starts_with('r'));
        if modes.iter().any(|m| Some(*m) != rounding && *m != "ftz") {
            return Err(Fault::Unknown);
        }
        let converted = match (from.is_float(), to.is_float()) {
            (false, false) => {
                let value = self.widen(value, from.is_signed(), ir);
                if to.bits < 32 { self.widen(value, to.is_signed(), Type::I32) } else { value }
            }
            (false, true) if rounding == Some("rn") => {
                self.b.cast(if from.is_signed() { CastOp::Sitofp } else { CastOp::Uitofp }, ir, value)
            }
            (true, true) if from.bits < to.bits => self.b.cast(CastOp::Fpext, ir, value),
            (true, true) if from.bits > to.bits && rounding == Some("rn") => {
                self.b.cast(CastOp::Fptrunc, ir, value)
            }
            (true, true) if from.bits == to.bits => {
                let op = match rounding {
                    None => return self.asm_write(s, target, value),
                    Some("rni") => UnaryOp::Fnearest,
                    Some("rzi") => UnaryOp::Ftrunc,
                    Some("rmi") => UnaryOp::Ffloor,
                    Some("rpi") => UnaryOp::Fceil,
                    _ => return Err(Fault::Unknown),
                };
                self.b.unary(op, value)
            }
            (true, false) if to.bits >= 32 => {
                let mode = match rounding {
                    Some("rni") => "rn",
                    Some("rzi") => "rz",
                    Some("rmi") => "rd",
                    Some("rpi") => "ru",
                    _ => return Err(Fault::Unknown),
                };
                let source = match from.bits {
                    32 => "float",
                    64 => "double",
                    _ => return Err(Fault::Unknown),
                };
                let kind = match (to.bits, to.is_signed()) {
                    (32, true) => "int",
                    (32, false) => "uint",
                    (_, true) => "ll",
                    (_, false) => "ull",
                };
                let name = format!("__{source}2{kind}_{mode}");
                self.asm_native(&name, &[value], Some(ir))?.ok_or(Fault::Unknown)?
            }
            _ => return Err(Fault::Unknown),
        };
        self.asm_write(s, target, converted)
    }

    fn asm_compare(
        &mut self,
        s: &mut Statement,
        op: &str,
        parts: &[&str],
        suffix: Suffix,
        target: &Operand,
        sources: &[Operand],
    ) -> Done<()> {
        let [cc, rest @ ..] = parts else { return Err(Fault::Unknown) };
        let [a, b] = sources else { return Err(Fault::Unknown) };
        let (a, b) = (self.asm_read(s, a, suffix)?, self.asm_read(s, b, suffix)?);
        let flag = if suffix.is_float() {
            let cc = match *cc {
                "eq" => FloatCC::Oeq,
                "ne" => FloatCC::One,
                "lt" => FloatCC::Olt,
                "le" => FloatCC::Ole,
                "gt" => FloatCC::Ogt,
                "ge" => FloatCC::Oge,
                "equ" => FloatCC::Ueq,
                "neu" => FloatCC::Une,
                "ltu" => FloatCC::Ult,
                "leu" => FloatCC::Ule,
                "gtu" => FloatCC::Ugt,
                "geu" => FloatCC::Uge,
                "num" => FloatCC::Ord,
                "nan" => FloatCC::Uno,
                _ => return Err(Fault::Unknown),
            };
            self.b.fcmp(cc, a, b)
        } else {
            let signed = suffix.is_signed();
            let cc = match *cc {
                "eq" => IntCC::Eq,
                "ne" => IntCC::Ne,
                "lt" if signed => IntCC::Slt,
                "le" if signed => IntCC::Sle,
                "gt" if signed => IntCC::Sgt,
                "ge" if signed => IntCC::Sge,
                "lt" | "lo" => IntCC::Ult,
                "le" | "ls" => IntCC::Ule,
                "gt" | "hi" => IntCC::Ugt,
                "ge" | "hs" => IntCC::Uge,
                _ => return Err(Fault::Unknown),
            };
            self.b.icmp(cc, a, b)
        };
        let value = match (op, rest) {
            ("setp", [] | ["ftz"]) => flag,
            // All bits where it holds.
            ("set", ["u32" | "s32"] | ["ftz", "u32" | "s32"]) => {
                let bits = self.widen(flag, false, Type::I32);
                self.b.unary(UnaryOp::Ineg, bits)
            }
            _ => return Err(Fault::Unknown),
        };
        self.asm_write(s, target, value)
    }
}
