//! The members of families: which operation of the [`table`](crate::table) does what the IR says, for a width, a
//! condition and the kinds of the operands.
//!
//! Where a family has no such member the answer is `None`, and [`Op::Gen`] does it. Scalars are of 32 bits, or of 64
//! where `wide`; a vector's register says its width.

use super::{MemAcc, Op, P, Reg, S, S2, SlotId, Target, families};
use cudair_ir::{BinaryOp, CastOp, FloatCC, IntCC, Type, UnaryOp};

/// The right operand of a scalar operation.
#[derive(Clone, Copy, Debug)]
pub enum Right {
    /// A register.
    Reg(S),
    /// A number, sign-extended to the operation's width.
    Imm(i32),
}

/// Where a scalar operation accesses memory.
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs)] // the operands of those names
pub enum Address {
    /// At a pointer.
    Base { base: S, disp: i32 },
    /// In an array at a pointer.
    Indexed { base: S, index: S, scale: u16, disp: i32 },
    /// In a local variable.
    Slot { slot: SlotId, disp: i32 },
    /// In a local array.
    SlotIndexed { slot: SlotId, index: S, scale: u16, disp: i32 },
}

/// Scalars.
impl Op {
    /// `And`, `Or`, `Xor` of any width up to 64 bits.
    pub fn bitwise(op: BinaryOp, d: S, a: S, b: S) -> Option<Op> {
        families! {
            match op {
                @for N in [And Or Xor] { BinaryOp::N => Some(Op::N { d, a, b }), }
                _ => None,
            }
        }
    }

    /// The same with a number that is zero-extended.
    pub fn bitwise_imm(op: BinaryOp, d: S, a: S, imm: u32) -> Option<Op> {
        families! {
            match op {
                @for N in [And Or Xor] { BinaryOp::N => Some(Op::N~I { d, a, imm }), }
                _ => None,
            }
        }
    }

    /// Arithmetic and shifts of integers.
    pub fn int(op: BinaryOp, nsw: bool, wide: bool, d: S, a: S, b: S) -> Option<Op> {
        families! {
            Some(match (wide, op, nsw) {
                @for (IsWide T) in [(false I32) (true I64)] {
                    @for (Ir N) in [(Iadd Add) (Isub Sub) (Imul Mul)] {
                        (IsWide, BinaryOp::Ir, false) => Op::N~T { d, a, b },
                        (IsWide, BinaryOp::Ir, true) => Op::N~Nsw~T { d, a, b },
                    }
                    @for N in [Sdiv Udiv Srem Urem Smin Smax Umin Umax] {
                        (IsWide, BinaryOp::N, _) => Op::N~T { d, a, b },
                    }
                    @for N in [Shl Lshr Ashr] { (IsWide, BinaryOp::N, false) => Op::N~T { d, a, b }, }
                }
                _ => return None,
            })
        }
    }

    /// The same with a number on the right: sums, differences and products with a number of 32 bits, and shifts by an
    /// amount that is in range.
    pub fn int_imm(op: BinaryOp, nsw: bool, wide: bool, d: S, a: S, imm: i32) -> Option<Op> {
        let (op, imm) = match op {
            BinaryOp::Isub => (BinaryOp::Iadd, imm.checked_neg()?),
            _ => (op, imm),
        };
        families! {
            Some(match (wide, op, nsw) {
                @for (IsWide T) in [(false I32) (true I64)] {
                    @for (Ir N) in [(Iadd Add) (Imul Mul)] {
                        (IsWide, BinaryOp::Ir, false) => Op::N~T~I { d, a, imm },
                        (IsWide, BinaryOp::Ir, true) => Op::N~Nsw~T~I { d, a, imm },
                    }
                    @for N in [Shl Lshr Ashr] {
                        (IsWide, BinaryOp::N, false) => Op::N~T~I { d, a, imm: u8::try_from(imm).ok()? },
                    }
                }
                _ => return None,
            })
        }
    }

    /// Arithmetic of floats.
    pub fn float(op: BinaryOp, wide: bool, d: S, a: S, b: S) -> Option<Op> {
        families! {
            Some(match (wide, op) {
                @for (IsWide T) in [(false F32) (true F64)] {
                    @for (Ir N) in [(Fadd Add) (Fsub Sub) (Fmul Mul) (Fdiv Div) (Fmin Min) (Fmax Max)] {
                        (IsWide, BinaryOp::Ir) => Op::N~T { d, a, b },
                    }
                }
                _ => return None,
            })
        }
    }

    /// One operand, an integer or a float.
    pub fn unary(op: UnaryOp, nsw: bool, wide: bool, d: S, a: S) -> Option<Op> {
        families! {
            Some(match (wide, op, nsw) {
                @for (IsWide I F) in [(false I32 F32) (true I64 F64)] {
                    (IsWide, UnaryOp::Ineg, false) => Op::Neg~I { d, a },
                    (IsWide, UnaryOp::Ineg, true) => Op::NegNsw~I { d, a },
                    (IsWide, UnaryOp::Inot, _) => Op::Not~I { d, a },
                    @for (Ir N) in [(Fneg Neg) (Fabs Abs) (Fsqrt Sqrt)] {
                        (IsWide, UnaryOp::Ir, _) => Op::N~F { d, a },
                    }
                }
                _ => return None,
            })
        }
    }

    /// A conversion of up to 64 bits.
    pub fn cast(op: CastOp, from: Type, to: Type, d: S, a: S) -> Option<Op> {
        families! {
            Some(match (op, from, to) {
                (CastOp::Trunc, _, Type::I32) => Op::TruncI32 { d, a },
                (CastOp::Trunc, ..) => Op::AndI { d, a, imm: to.bit_mask() as u32 },
                @for (From To) in [(I8 I32) (I8 I64) (I16 I32) (I16 I64) (I32 I64)] {
                    (CastOp::Sext, Type::From, Type::To) => Op::Sext~From~To { d, a },
                }
                @for F in [F32 F64] {
                    (CastOp::Uitofp, _, Type::F) => Op::Uitofp~F { d, a },
                    @for I in [I32 I64] {
                        (CastOp::Sitofp, Type::I, Type::F) => Op::Sitofp~I~F { d, a },
                        (CastOp::Fptosi, Type::F, Type::I) => Op::Fptosi~F~I { d, a },
                    }
                }
                (CastOp::Fpext, Type::F32, Type::F64) => Op::FpextF32F64 { d, a },
                (CastOp::Fptrunc, Type::F64, Type::F32) => Op::FptruncF64F32 { d, a },
                _ => return None,
            })
        }
    }

    /// `a * b + c` with one rounding.
    pub fn fma(wide: bool, d: S, [a, b, c]: [S; 3]) -> Op {
        if wide { Op::FmaF64 { d, a, b, c } } else { Op::FmaF32 { d, a, b, c } }
    }

    /// A comparison of integers. Without a number on the right, equality and unsigned order are of any width.
    pub fn compare(cc: IntCC, wide: bool, d: S, a: S, b: Right) -> Op {
        families! {
            match (b, cc, wide) {
                @for N in [Eq Ne Ult Ule] { (Right::Reg(b), IntCC::N, _) => Op::Cmp~N { d, a, b }, }
                @for (N Less) in [(Ugt Ult) (Uge Ule)] {
                    (Right::Reg(b), IntCC::N, _) => Op::Cmp~Less { d, a: b, b: a },
                }
                @for (IsWide T) in [(false I32) (true I64)] {
                    @for N in [Slt Sle] { (Right::Reg(b), IntCC::N, IsWide) => Op::Cmp~N~T { d, a, b }, }
                    @for (N Less) in [(Sgt Slt) (Sge Sle)] {
                        (Right::Reg(b), IntCC::N, IsWide) => Op::Cmp~Less~T { d, a: b, b: a },
                    }
                    @for N in [Eq Ne Slt Sle Sgt Sge Ult Ule Ugt Uge] {
                        (Right::Imm(imm), IntCC::N, IsWide) => Op::Cmp~N~T~I { d, a, imm },
                    }
                }
            }
        }
    }

    /// A jump to `target` where [`Op::compare`] gives 1.
    pub fn branch(cc: IntCC, wide: bool, a: S, b: Right, target: Target) -> Op {
        families! {
            match (b, cc, wide) {
                (Right::Imm(0), IntCC::Eq, _) => Op::BrZ { c: a, target },
                (Right::Imm(0), IntCC::Ne, _) => Op::BrNz { c: a, target },
                @for N in [Eq Ne Ult Ule] { (Right::Reg(b), IntCC::N, _) => Op::Br~N { a, b, target }, }
                @for (N Less) in [(Ugt Ult) (Uge Ule)] {
                    (Right::Reg(b), IntCC::N, _) => Op::Br~Less { a: b, b: a, target },
                }
                @for (IsWide T) in [(false I32) (true I64)] {
                    @for N in [Slt Sle] { (Right::Reg(b), IntCC::N, IsWide) => Op::Br~N~T { a, b, target }, }
                    @for (N Less) in [(Sgt Slt) (Sge Sle)] {
                        (Right::Reg(b), IntCC::N, IsWide) => Op::Br~Less~T { a: b, b: a, target },
                    }
                    @for N in [Eq Ne Slt Sle Sgt Sge Ult Ule Ugt Uge] {
                        (Right::Imm(imm), IntCC::N, IsWide) => Op::Br~N~T~I { a, imm, target },
                    }
                }
            }
        }
    }

    /// A comparison of floats.
    pub fn compare_float(cc: FloatCC, wide: bool, d: S, a: S, b: S) -> Option<Op> {
        families! {
            Some(match (cc, wide) {
                @for (IsWide T) in [(false F32) (true F64)] {
                    @for N in [Oeq Une Olt Ole] { (FloatCC::N, IsWide) => Op::Cmp~N~T { d, a, b }, }
                    @for (N Less) in [(Ogt Olt) (Oge Ole)] {
                        (FloatCC::N, IsWide) => Op::Cmp~Less~T { d, a: b, b: a },
                    }
                }
                _ => return None,
            })
        }
    }

    /// A load of as many bytes as the access says into a scalar register: two words for 16 bytes.
    pub fn load(d: u16, acc: MemAcc, at: Address) -> Option<Op> {
        families! {
            Some(match (acc.bytes(), at) {
                @for (Bytes B R) in [(1 8 S) (2 16 S) (4 32 S) (8 64 S) (16 128 S2)] {
                    (Bytes, Address::Base { base, disp }) => Op::Ld~B { d: R(d), base, disp, acc },
                    (Bytes, Address::Indexed { base, index, scale, disp }) => {
                        Op::Ldx~B { d: R(d), base, index, scale, disp, acc }
                    }
                    (Bytes, Address::Slot { slot, disp }) => Op::LdSl~B { d: R(d), slot, disp, acc },
                    (Bytes, Address::SlotIndexed { slot, index, scale, disp }) => {
                        Op::LdxSl~B { d: R(d), slot, index, scale, disp, acc }
                    }
                }
                _ => return None,
            })
        }
    }

    /// A store on the host, as [`Op::load`].
    pub fn store(v: u16, acc: MemAcc, at: Address) -> Option<Op> {
        families! {
            Some(match (acc.bytes(), at) {
                @for (Bytes B R) in [(1 8 S) (2 16 S) (4 32 S) (8 64 S) (16 128 S2)] {
                    (Bytes, Address::Base { base, disp }) => Op::St~B { v: R(v), base, disp, acc },
                    (Bytes, Address::Indexed { base, index, scale, disp }) => {
                        Op::Stx~B { v: R(v), base, index, scale, disp, acc }
                    }
                    (Bytes, Address::Slot { slot, disp }) => Op::StSl~B { v: R(v), slot, disp, acc },
                    (Bytes, Address::SlotIndexed { slot, index, scale, disp }) => {
                        Op::StxSl~B { v: R(v), slot, index, scale, disp, acc }
                    }
                }
                _ => return None,
            })
        }
    }
}

/// Vectors. At most one operand is a scalar; of operations that commute, the right one.
impl Op {
    /// Arithmetic, of integers or of floats.
    pub fn lanes(op: BinaryOp, nsw: bool, d: Reg, a: Reg, b: Reg) -> Option<Op> {
        families! {
            Some(match (d, a, b, op, nsw) {
                @for L in [V W] {
                    @for (Form A B) in [(() L L) (Vs L S)] {
                        @for (Ir N) in [(Iadd Add) (Isub Sub) (Imul Mul)] {
                            (Reg::L(d), Reg::A(a), Reg::B(b), BinaryOp::Ir, false) => Op::L~N~Form { d, a, b },
                            (Reg::L(d), Reg::A(a), Reg::B(b), BinaryOp::Ir, true) => Op::L~N~Nsw~Form { d, a, b },
                        }
                        @for N in [And Or Xor Smin Smax Umin Umax] {
                            (Reg::L(d), Reg::A(a), Reg::B(b), BinaryOp::N, _) => Op::L~N~Form { d, a, b },
                        }
                        @for N in [Fadd Fsub Fmul Fdiv Fmin Fmax] {
                            (Reg::L(d), Reg::A(a), Reg::B(b), BinaryOp::N, _) => Op::L~N~Form { d, a, b },
                        }
                    }
                    (Reg::L(d), Reg::S(a), Reg::L(b), BinaryOp::Isub, false) => Op::L~SubSv { d, a, b },
                    (Reg::L(d), Reg::S(a), Reg::L(b), BinaryOp::Isub, true) => Op::L~SubNswSv { d, a, b },
                    @for N in [Fsub Fdiv] {
                        (Reg::L(d), Reg::S(a), Reg::L(b), BinaryOp::N, _) => Op::L~N~Sv { d, a, b },
                    }
                    @for (Form A B) in [(() L L) (Vs L S) (Sv S L)] {
                        @for N in [Sdiv Udiv Srem Urem] {
                            (Reg::L(d), Reg::A(a), Reg::B(b), BinaryOp::N, _) => Op::L~N~Form { d, a, b },
                        }
                        (Reg::L(d), Reg::A(a), Reg::B(b), BinaryOp::Shl, false) => Op::L~Shl~Form { d, a, b },
                        @for N in [Lshr Ashr] {
                            (Reg::L(d), Reg::A(a), Reg::B(b), BinaryOp::N, _) => Op::L~N~Form { d, a, b },
                        }
                    }
                }
                @for N in [And Or Xor] { (Reg::P(d), Reg::P(a), Reg::P(b), BinaryOp::N, _) => Op::P~N { d, a, b }, }
                _ => return None,
            })
        }
    }

    /// One operand, a float.
    pub fn lanes_unary(op: UnaryOp, d: Reg, a: Reg) -> Option<Op> {
        families! {
            Some(match (d, a, op) {
                @for L in [V W] {
                    @for N in [Fneg Fabs Fsqrt Ffloor Fceil Ftrunc Fnearest] {
                        (Reg::L(d), Reg::L(a), UnaryOp::N) => Op::L~N { d, a },
                    }
                }
                _ => return None,
            })
        }
    }

    /// `a * b + c` with one rounding. One of `b` and `c` may be a scalar.
    pub fn lanes_fma(d: Reg, [a, b, c]: [Reg; 3]) -> Option<Op> {
        families! {
            Some(match (d, a, b, c) {
                @for L in [V W] {
                    @for (Form B C) in [(() L L) (Vsv S L) (Vvs L S)] {
                        (Reg::L(d), Reg::L(a), Reg::B(b), Reg::C(c)) => Op::L~Ffma~Form { d, a, b, c },
                    }
                }
                _ => return None,
            })
        }
    }

    /// `c ? a : b`; both operands may be scalars.
    pub fn lanes_select(d: Reg, c: P, a: Reg, b: Reg) -> Option<Op> {
        families! {
            Some(match (d, a, b) {
                @for L in [V W] {
                    @for (Form A B) in [(() L L) (Vs L S) (Sv S L) (Ss S S)] {
                        (Reg::L(d), Reg::A(a), Reg::B(b)) => Op::L~Sel~Form { d, c, a, b },
                    }
                }
                _ => return None,
            })
        }
    }

    /// A comparison of integers; the right operand may be a scalar.
    pub fn lanes_compare(cc: IntCC, d: P, a: Reg, b: Reg) -> Option<Op> {
        families! {
            Some(match (a, b, cc) {
                @for L in [V W] {
                    @for N in [Eq Ne Slt Sle Ult Ule] { (Reg::L(a), Reg::L(b), IntCC::N) => Op::L~Cmp~N { d, a, b }, }
                    @for (N Less) in [(Sgt Slt) (Sge Sle) (Ugt Ult) (Uge Ule)] {
                        (Reg::L(a), Reg::L(b), IntCC::N) => Op::L~Cmp~Less { d, a: b, b: a },
                    }
                    @for N in [Eq Ne Slt Sle Sgt Sge Ult Ule Ugt Uge] {
                        (Reg::L(a), Reg::S(b), IntCC::N) => Op::L~Cmp~N~Vs { d, a, b },
                    }
                }
                _ => return None,
            })
        }
    }

    /// A comparison of floats; the right operand may be a scalar.
    pub fn lanes_compare_float(cc: FloatCC, d: P, a: Reg, b: Reg) -> Option<Op> {
        families! {
            Some(match (a, b, cc) {
                @for L in [V W] {
                    @for N in [Oeq Une Olt Ole] { (Reg::L(a), Reg::L(b), FloatCC::N) => Op::L~Fcmp~N { d, a, b }, }
                    @for (N Less) in [(Ogt Olt) (Oge Ole)] {
                        (Reg::L(a), Reg::L(b), FloatCC::N) => Op::L~Fcmp~Less { d, a: b, b: a },
                    }
                    @for N in [Oeq Une Olt Ole Ogt Oge] {
                        (Reg::L(a), Reg::S(b), FloatCC::N) => Op::L~Fcmp~N~Vs { d, a, b },
                    }
                }
                _ => return None,
            })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{V, W};
    use std::collections::BTreeSet;

    /// The operation's text, as far as it goes without a function.
    fn text(op: Option<Op>) -> String {
        let Some(op) = op else { return "none".into() };
        let mut out = op.mnemonic().to_owned();
        op.operands(|name, operand| out.push_str(&format!(" {name}={operand:?}")));
        out
    }

    macro_rules! define_sections {
        ($($section:ident $about:literal { $($name:ident $mnemonic:literal { $($_f:ident : $_t:ty),* } $doc:literal;)* })*) => {
            /// The table's sections with their operations' names.
            const SECTIONS: &[(&str, &[&str])] = &[$((stringify!($section), &[$($mnemonic),*])),*];
        };
    }

    crate::table::for_each_op!(define_sections);

    /// The sections whose operations are members of families.
    const SELECTED: [&str; 10] = [
        "ScalarInt",
        "ScalarFloat",
        "ScalarCompare",
        "ScalarBranch",
        "ScalarLoad",
        "ScalarStore",
        "VectorMove",
        "VectorInt",
        "VectorFloat",
        "Predicate",
    ];

    /// Operations of these sections that are no members: `codegen` names them itself.
    #[rustfmt::skip]
    const SINGLE: &[&str] = &[
        "nan.f32", "jump",
        "v.mov", "w.mov", "v.splat", "w.splat",
        "v.sext.8", "v.sext.16", "w.sext.v", "w.zext.v", "v.trunc.w",
        "v.fnan", "v.hnan", "v.sitofp", "v.uitofp", "w.sitofp.v", "w.uitofp.v", "w.sitofp", "v.fptosi", "v.fptoui",
        "v.fptosi.w", "v.fptoui.w", "w.fptosi", "w.fptoui", "w.uitofp", "w.fpext.v", "v.fptrunc.w",
        "p.mov", "p.splat", "p.and.not", "p.not", "p.from.v", "p.from.w", "v.from.p", "w.from.p",
    ];

    /// What the functions above give, whatever they are asked.
    fn selected() -> BTreeSet<&'static str> {
        let (d, a, b) = (S(1), S(2), S(3));
        let both = [false, true];
        let scalar = [Reg::S(S(0)), Reg::S(S(1)), Reg::S(S(2))];
        let vector = [Reg::V(V(0)), Reg::V(V(2)), Reg::V(V(4))];
        let wide = [Reg::W(W(0)), Reg::W(W(2)), Reg::W(W(4))];
        let lanes = [scalar, vector, wide, [Reg::P(P(0)), Reg::P(P(1)), Reg::P(P(2))]];
        let mut ops: Vec<Option<Op>> = Vec::new();
        for flag in both {
            ops.push(Some(Op::fma(flag, d, [a, b, a])));
            for &op in BinaryOp::ALL {
                ops.extend([
                    Op::bitwise(op, d, a, b),
                    Op::bitwise_imm(op, d, a, 1),
                    Op::float(op, flag, d, a, b),
                ]);
                for nsw in both {
                    ops.extend([Op::int(op, nsw, flag, d, a, b), Op::int_imm(op, nsw, flag, d, a, 1)]);
                }
                for (d, a, b) in lanes
                    .iter()
                    .flat_map(|d| lanes.map(|a| (d[0], a)))
                    .flat_map(|(d, a)| lanes.map(|b| (d, a[1], b[2])))
                {
                    ops.push(Op::lanes(op, flag, d, a, b));
                }
            }
            for &op in UnaryOp::ALL {
                ops.extend(both.map(|nsw| Op::unary(op, nsw, flag, d, a)));
                ops.extend(lanes.map(|of| Op::lanes_unary(op, of[0], of[1])));
            }
            for &cc in IntCC::ALL {
                for right in [Right::Reg(b), Right::Imm(0), Right::Imm(1)] {
                    ops.push(Some(Op::compare(cc, flag, d, a, right)));
                    ops.push(Some(Op::branch(cc, flag, a, right, Target(0))));
                }
            }
            ops.extend(FloatCC::ALL.iter().map(|&cc| Op::compare_float(cc, flag, d, a, b)));
        }
        for (from, to) in Type::SCALARS.iter().flat_map(|&from| Type::SCALARS.map(|to| (from, to))) {
            ops.extend(CastOp::ALL.iter().map(|&op| Op::cast(op, from, to, d, a)));
        }
        for bytes in [1, 2, 4, 8, 16] {
            let (acc, disp, scale) = (MemAcc::new(bytes, 0), 0, 1);
            for at in [
                Address::Base { base: a, disp },
                Address::Indexed { base: a, index: b, scale, disp },
                Address::Slot { slot: SlotId(0), disp },
                Address::SlotIndexed { slot: SlotId(0), index: b, scale, disp },
            ] {
                ops.extend([Op::load(1, acc, at), Op::store(1, acc, at)]);
            }
        }
        for of in [vector, wide] {
            for (x, y) in [scalar, of].iter().flat_map(|x| [scalar, of].map(|y| (x[1], y[2]))) {
                ops.push(Op::lanes_select(of[0], P(0), x, y));
                ops.push(Op::lanes_fma(of[0], [of[1], x, y]));
                ops.extend(IntCC::ALL.iter().map(|&cc| Op::lanes_compare(cc, P(0), x, y)));
                ops.extend(FloatCC::ALL.iter().map(|&cc| Op::lanes_compare_float(cc, P(0), x, y)));
            }
        }
        ops.into_iter().flatten().map(|op| op.mnemonic()).collect()
    }

    #[test]
    fn every_member_is_selected() {
        let table: BTreeSet<&str> = SECTIONS
            .iter()
            .filter(|(section, _)| SELECTED.contains(section))
            .flat_map(|(_, ops)| ops.iter().copied())
            .collect();
        let selected = selected();
        let lost: Vec<_> =
            table.iter().filter(|op| !selected.contains(*op) && !SINGLE.contains(op)).collect();
        assert!(lost.is_empty(), "nothing selects {lost:?}");
        let stale: Vec<_> =
            SINGLE.iter().filter(|op| selected.contains(*op) || !table.contains(*op)).collect();
        assert!(stale.is_empty(), "{stale:?} are members, or stand in no section of members");
        let strange: Vec<_> = selected.difference(&table).collect();
        assert!(strange.is_empty(), "{strange:?} are selected and stand in other sections");
        assert!(SELECTED.iter().all(|name| SECTIONS.iter().any(|(section, _)| section == name)));
    }

    #[test]
    fn members_of_a_family_have_its_name() {
        let (d, a, b) = (S(1), S(2), S(3));
        let name = |op: Option<Op>| op.map_or("none", |op| op.mnemonic());
        assert_eq!(name(Op::int(BinaryOp::Iadd, true, true, d, a, b)), "add.nsw.i64");
        assert_eq!(name(Op::int(BinaryOp::Urem, false, false, d, a, b)), "urem.i32");
        assert_eq!(name(Op::int(BinaryOp::Shl, true, false, d, a, b)), "none");
        assert_eq!(name(Op::int(BinaryOp::Rotl, false, false, d, a, b)), "none");
        assert_eq!(name(Op::int_imm(BinaryOp::Ashr, false, true, d, a, 63)), "ashr.i64.i");
        assert_eq!(name(Op::float(BinaryOp::Fmin, true, d, a, b)), "min.f64");
        assert_eq!(name(Op::unary(UnaryOp::Ineg, true, false, d, a)), "neg.nsw.i32");
        assert_eq!(
            name(Op::lanes(BinaryOp::Isub, true, Reg::W(W(0)), Reg::S(a), Reg::W(W(2)))),
            "w.sub.nsw.sv"
        );
        assert_eq!(name(Op::lanes(BinaryOp::Iadd, true, Reg::W(W(0)), Reg::S(a), Reg::W(W(2)))), "none");
        assert_eq!(
            name(Op::lanes(BinaryOp::Fmax, false, Reg::V(V(0)), Reg::V(V(1)), Reg::S(a))),
            "v.fmax.vs"
        );
        let access = Op::load(1, MemAcc::new(2, 1), Address::Slot { slot: SlotId(0), disp: 4 });
        assert_eq!(name(access), "ld.slot.16");
    }

    #[test]
    fn a_missing_order_is_another_with_exchanged_operands() {
        let (d, a, b) = (S(1), S(2), S(3));
        let same = |x: Op, y: Op| assert_eq!(text(Some(x)), text(Some(y)));
        same(Op::compare(IntCC::Sgt, false, d, a, Right::Reg(b)), Op::CmpSltI32 { d, a: b, b: a });
        same(Op::compare(IntCC::Uge, true, d, a, Right::Reg(b)), Op::CmpUle { d, a: b, b: a });
        same(Op::compare(IntCC::Ugt, true, d, a, Right::Imm(-1)), Op::CmpUgtI64I { d, a, imm: -1 });
        let target = Target(0);
        same(Op::branch(IntCC::Ne, true, a, Right::Imm(0), target), Op::BrNz { c: a, target });
        same(Op::branch(IntCC::Sge, true, a, Right::Reg(b), target), Op::BrSleI64 { a: b, b: a, target });
        let (v, p) = (V(7), P(4));
        let greater = Op::lanes_compare_float(FloatCC::Ogt, p, Reg::V(v), Reg::V(V(8)));
        assert_eq!(text(greater), text(Some(Op::VFcmpOlt { d: p, a: V(8), b: v })));
    }

    #[test]
    fn a_difference_with_a_number_is_a_sum() {
        let (d, a) = (S(1), S(2));
        let sum = Op::int_imm(BinaryOp::Isub, true, false, d, a, 5);
        assert_eq!(text(sum), text(Some(Op::AddNswI32I { d, a, imm: -5 })));
        assert_eq!(text(Op::int_imm(BinaryOp::Isub, true, false, d, a, i32::MIN)), "none");
    }
}
