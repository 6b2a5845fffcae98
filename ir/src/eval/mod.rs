//! The arithmetic of single operations: what every pass, the engine and the compiled kernels must agree with.
//!
//! **Values** are bits in a `u128`. The low [`Type::bits`] of them count; all others are zero, in operands and in
//! results. An integer has no sign of its own: operations take their operands as signed or unsigned. An `i1` is 0 or 1.
//!
//! **Undefined behaviour** is not an error here. An operation gives an [`Eval`]: the bits that the machine goes on with,
//! and what was undefined about them. The caller decides: the engine reports it, a pass leaves the operation alone
//! ([`defined`]). What is undefined is what ISO C says (C17 6.5, 6.3.1.4), on either side: division by zero, `MIN / -1`,
//! signed overflow where the operation is marked `nsw`, a shift amount that is not less than the width. A floating value
//! that does not fit an integer is undefined on the host only.
//!
//! **Host and device** ([`Side`]) differ where C leaves the result open:
//!
//! | | host (x86-64) | device (PTX ISA) |
//! | --- | --- | --- |
//! | shift amount too large | taken modulo 32, 64 or 128 | clamped: every bit is shifted out |
//! | floating to integer, out of range | the smallest integer, undefined | the nearest integer, defined |
//! | floating to integer, NaN | the smallest integer, undefined | from binary32 to 32 bits zero, else the top bit alone; defined |
//! | NaN of binary32 arithmetic | an operand's bits, or `0xffc00000` | `0x7fffffff` |
//!
//! The last row is not applied here: the evaluator gives the NaN of the host. A device value passes through [`gpu_nan`]
//! where its bits can be seen.
//!
//! **Rounding** is to nearest, ties to even, once for each operation, also where a format is computed in a wider one.
//! Subnormal numbers are kept. The one exception is `fma` of `f80`, which rounds product and sum.

mod cast;
mod extremes;
mod float;
mod int;

pub use cast::{cast, cast_word};
pub use extremes::extremes;
pub use float::{FirstNan, FloatMinMax, fcmp, fcmp_order, gpu_nan};
pub use int::{icmp, signed};

use crate::{BinaryOp, Side, TernaryOp, Type, UnaryOp};

/// Undefined behaviour met while evaluating.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Ub {
    /// Division by zero. There is no value to go on with.
    DivZero,
    /// `MIN / -1`. There is no value to go on with.
    DivOverflow,
    /// Signed overflow. The result is the wrapped one.
    Overflow,
    /// A shift amount that is negative or not less than the width.
    Shift,
    /// A floating value outside the range of the integer type it is converted to.
    FloatRange,
}

/// The bits of a result, and what was undefined about it.
pub type Eval = (u128, Option<Ub>);

/// The bits of a result that is defined.
#[inline]
pub fn defined((bits, ub): Eval) -> Option<u128> {
    match ub {
        None => Some(bits),
        Some(_) => None,
    }
}

fn ok(bits: u128) -> Eval {
    (bits, None)
}

/// An operation on one operand of type `ty`. With `nsw`, the negation of the smallest integer is undefined.
pub fn unary(op: UnaryOp, nsw: bool, ty: Type, a: u128) -> Eval {
    use UnaryOp::*;
    match op {
        Ineg | Inot | Popcnt | Clz | Ctz | Bitrev | Bswap => int::unary(op, nsw, ty, a),
        Fneg | Fabs | Fsqrt | Ffloor | Fceil | Ftrunc | Fnearest => ok(float::unary(op, ty, a)),
    }
}

/// An operation on two operands of type `ty`. With `nsw`, signed overflow is undefined. The side decides what a shift
/// by too much gives.
pub fn binary(op: BinaryOp, nsw: bool, ty: Type, a: u128, b: u128, side: Side) -> Eval {
    if op.is_float() { ok(float::binary(op, ty, a, b)) } else { int::binary(op, nsw, ty, a, b, side) }
}

/// An operation on three operands of type `ty`. The first of `select` is an `i1`.
pub fn ternary(op: TernaryOp, ty: Type, a: u128, b: u128, c: u128) -> u128 {
    match op {
        TernaryOp::Select if a & 1 != 0 => b,
        TernaryOp::Select => c,
        TernaryOp::Fshl | TernaryOp::Fshr => int::funnel(op, ty, a, b, c),
        TernaryOp::Fma => float::fma(ty, a, b, c),
    }
}
