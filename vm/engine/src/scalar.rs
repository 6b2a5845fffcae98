//! The scalar operations: arithmetic, comparison and branches on the convergence group's own registers, written
//! once for the host's loop and the device's.

use super::regs::Words;
use cudair_bytecode::{Ext, S};
use cudair_lane::ptr::Ptr;

/// A `match` on an operation with the arms of all pure scalar operations, then those given.
///
/// `$s` are the scalar registers, `$device` says whose rules hold where C leaves a result open, `$ub!(kind)`
/// notes undefined behaviour, `$jump!(target)` goes to a target.
///
/// What has several widths stands here once: `Uint` and `Int` are the integers of the width `T`. The
/// result is one flat `match`, and so one table of jumps, wherever it is used: see [`families!`](cudair_bytecode::families).
macro_rules! scalar_match {
    ($op:expr, $s:ident, $device:expr, $ub:ident, $jump:ident, { $($rest:tt)* }) => { cudair_bytecode::families! {
        match *$op {
            Op::Mov { d, a } => $s.set(d, $s.get(a)),
            Op::Mov2 { d, a } => $s.set2(d, $s.get2(a)),
            Op::Const { d, bits } => $s.set(d, bits),
            Op::Select { d, c, a, b } => $s.set(d, if $s.get(c) & 1 != 0 { $s.get(a) } else { $s.get(b) }),

            // Integers.
            @for (N sign) in [(And (&)) (Or (|)) (Xor (^))] {
                Op::N { d, a, b } => $s.set(d, $s.get(a) sign $s.get(b)),
                Op::N~I { d, a, imm } => $s.set(d, $s.get(a) sign u64::from(imm)),
            }
            @for (T Uint Int Bits) in [(I32 u32 i32 32) (I64 u64 i64 64)] {
                @for (N name) in [(Add add) (Sub sub) (Mul mul)] {
                    Op::N~T { d, a, b } => $s.set(d, u64::from(($s.get(a) as Uint).wrapping_~name($s.get(b) as Uint))),
                    Op::N~Nsw~T { d, a, b } => {
                        let (r, o) = ($s.get(a) as Int).overflowing_~name($s.get(b) as Int);
                        if o { $ub!(Ub::Overflow); }
                        $s.set(d, u64::from(r as Uint));
                    }
                }
                @for (N name) in [(Add add) (Mul mul)] {
                    Op::N~T~I { d, a, imm } => {
                        $s.set(d, u64::from(($s.get(a) as Uint).wrapping_~name(Int::from(imm) as Uint)));
                    }
                    Op::N~Nsw~T~I { d, a, imm } => {
                        let (r, o) = ($s.get(a) as Int).overflowing_~name(Int::from(imm));
                        if o { $ub!(Ub::Overflow); }
                        $s.set(d, u64::from(r as Uint));
                    }
                }
                @for (N name) in [(Sdiv div) (Srem rem)] {
                    Op::N~T { d, a, b } => {
                        let (x, y) = ($s.get(a) as Int, $s.get(b) as Int);
                        if y == 0 {
                            $ub!(Ub::DivZero);
                        } else if let Some(r) = x.checked_~name(y) {
                            $s.set(d, u64::from(r as Uint));
                        } else {
                            $ub!(Ub::DivOverflow);
                        }
                    }
                }
                @for (N sign) in [(Udiv (/)) (Urem (%))] {
                    Op::N~T { d, a, b } => {
                        let (x, y) = ($s.get(a) as Uint, $s.get(b) as Uint);
                        if y == 0 { $ub!(Ub::DivZero); } else { $s.set(d, u64::from(x sign y)); }
                    }
                }
                @for (N name X) in [(Shl wrapping_shl Uint) (Lshr wrapping_shr Uint) (Ashr wrapping_shr Int)] {
                    Op::N~T { d, a, b } => {
                        let (x, amount) = ($s.get(a), $s.get(b));
                        if amount < Bits {
                            $s.set(d, u64::from((x as X).name(amount as u32) as Uint));
                        } else {
                            let (r, ub) =
                                eval::binary(BinaryOp::N, false, Type::T, x.into(), amount.into(), $device);
                            if let Some(ub) = ub { $ub!(ub); }
                            $s.set(d, r as u64);
                        }
                    }
                    Op::N~T~I { d, a, imm } => {
                        $s.set(d, u64::from(($s.get(a) as X).name(u32::from(imm)) as Uint));
                    }
                }
                @for (N name X) in [(Smin min Int) (Smax max Int) (Umin min Uint) (Umax max Uint)] {
                    Op::N~T { d, a, b } => $s.set(d, u64::from(($s.get(a) as X).name($s.get(b) as X) as Uint)),
                }
                Op::Neg~T { d, a } => $s.set(d, u64::from(($s.get(a) as Int).wrapping_neg() as Uint)),
                Op::NegNsw~T { d, a } => {
                    let (r, o) = ($s.get(a) as Int).overflowing_neg();
                    if o { $ub!(Ub::Overflow); }
                    $s.set(d, u64::from(r as Uint));
                }
                Op::Not~T { d, a } => $s.set(d, u64::from(!($s.get(a) as Uint))),
            }
            @for (F T From To Uint) in [
                (I8 I32 i8 i32 u32) (I8 I64 i8 i64 u64) (I16 I32 i16 i32 u32) (I16 I64 i16 i64 u64) (I32 I64 i32 i64 u64)
            ] {
                Op::Sext~F~T { d, a } => $s.set(d, u64::from(To::from($s.get(a) as From) as Uint)),
            }
            Op::TruncI32 { d, a } => $s.set(d, $s.get(a) & 0xffff_ffff),

            // Floats.
            @for (T F Sign) in [(F32 f32 (1 << 31)) (F64 f64 (1 << 63))] {
                @for (N name) in [(Add plus) (Mul times)] {
                    Op::N~T { d, a, b } => $s.set_~F(d, $s.get_~F(a).name($s.get_~F(b))),
                }
                @for (N sign) in [(Sub (-)) (Div (/))] {
                    Op::N~T { d, a, b } => $s.set_~F(d, $s.get_~F(a) sign $s.get_~F(b)),
                }
                Op::Fma~T { d, a, b, c } => $s.set_~F(d, $s.get_~F(a).fused($s.get_~F(b), $s.get_~F(c))),
                Op::Min~T { d, a, b } => $s.set_~F(d, $s.get_~F(a).c_min($s.get_~F(b))),
                Op::Max~T { d, a, b } => $s.set_~F(d, $s.get_~F(a).c_max($s.get_~F(b))),
                Op::Neg~T { d, a } => $s.set(d, $s.get(a) ^ (Sign)),
                Op::Abs~T { d, a } => $s.set(d, $s.get(a) & !(Sign)),
                Op::Sqrt~T { d, a } => $s.set_~F(d, $s.get_~F(a).sqrt()),
                @for (To Int Uint) in [(I32 i32 u32) (I64 i64 u64)] {
                    Op::Sitofp~To~T { d, a } => $s.set_~F(d, $s.get(a) as Int as F),
                    Op::Fptosi~T~To { d, a } => {
                        let x = $s.get_~F(a);
                        let r = x as Int;
                        if x > Int::MIN as F && x < -(Int::MIN as F) {
                            $s.set(d, u64::from(r as Uint));
                        } else {
                            let (r, ub) =
                                eval::cast(CastOp::Fptosi, Type::T, Type::To, $s.get(a).into(), $device);
                            if let Some(ub) = ub { $ub!(ub); }
                            $s.set(d, r as u64);
                        }
                    }
                }
                Op::Uitofp~T { d, a } => $s.set_~F(d, $s.get(a) as F),
                @for (N sign) in [(Oeq (==)) (Une (!=)) (Olt (<)) (Ole (<=))] {
                    Op::Cmp~N~T { d, a, b } => $s.set(d, u64::from($s.get_~F(a) sign $s.get_~F(b))),
                }
            }
            Op::NanF32 { d, a } => $s.set(d, u64::from(cudair_ir::eval::gpu_nan($s.get(a) as u32))),
            Op::FpextF32F64 { d, a } => $s.set_f64(d, f64::from($s.get_f32(a))),
            Op::FptruncF64F32 { d, a } => $s.set_f32(d, $s.get_f64(a) as f32),

            // Comparisons and the branches on them.
            @for (N sign) in [(Eq (==)) (Ne (!=)) (Ult (<)) (Ule (<=))] {
                Op::Cmp~N { d, a, b } => $s.set(d, u64::from($s.get(a) sign $s.get(b))),
                Op::Br~N { a, b, target } => if $s.get(a) sign $s.get(b) { $jump!(target) },
            }
            @for (T Uint Int) in [(I32 u32 i32) (I64 u64 i64)] {
                @for (N sign) in [(Slt (<)) (Sle (<=))] {
                    Op::Cmp~N~T { d, a, b } => $s.set(d, u64::from(($s.get(a) as Int) sign ($s.get(b) as Int))),
                    Op::Br~N~T { a, b, target } => if ($s.get(a) as Int) sign ($s.get(b) as Int) { $jump!(target) },
                }
                @for (N sign X) in [
                    (Eq (==) Uint) (Ne (!=) Uint)
                    (Slt (<) Int) (Sle (<=) Int) (Sgt (>) Int) (Sge (>=) Int)
                    (Ult (<) Uint) (Ule (<=) Uint) (Ugt (>) Uint) (Uge (>=) Uint)
                ] {
                    Op::Cmp~N~T~I { d, a, imm } => {
                        $s.set(d, u64::from(($s.get(a) as X) sign (Int::from(imm) as X)));
                    }
                    Op::Br~N~T~I { a, imm, target } => {
                        if ($s.get(a) as X) sign (Int::from(imm) as X) { $jump!(target) }
                    }
                }
            }
            Op::Jump { target } => $jump!(target),
            Op::BrNz { c, target } => if $s.get(c) != 0 { $jump!(target) },
            Op::BrZ { c, target } => if $s.get(c) == 0 { $jump!(target) },

            // Addresses.
            Op::PtrAdd { d, a, b } => $s.set(d, Ptr($s.get(a)).add($s.get(b) as i64).0),
            Op::PtrAddI { d, a, imm } => $s.set(d, Ptr($s.get(a)).add(i64::from(imm)).0),
            Op::PtrIdx { d, base, index, scale, disp, ext } => {
                $s.set(d, indexed($s, base, index, scale, disp, ext).0);
            }
            $($rest)*
        }
    } };
}

pub(crate) use scalar_match;

/// Bytes of `index * scale + disp`.
#[inline(always)]
pub(crate) fn offset(s: Words, index: S, scale: u16, disp: i32, ext: Ext) -> i64 {
    let i = match ext {
        Ext::Zero => s.get(index) as i64,
        Ext::Sign => i64::from(s.get(index) as i32),
    };
    match i.checked_mul(i64::from(scale)) {
        Some(bytes) => bytes.saturating_add(i64::from(disp)),
        None => far(i),
    }
}

/// An offset beyond every object, on the side of `index`.
#[cold]
fn far(index: i64) -> i64 {
    if index < 0 { i64::MIN } else { i64::MAX }
}

/// `base + index * scale + disp`.
#[inline(always)]
pub(crate) fn indexed(s: Words, base: S, index: S, scale: u16, disp: i32, ext: Ext) -> Ptr {
    Ptr(s.get(base)).add(offset(s, index, scale, disp, ext))
}
