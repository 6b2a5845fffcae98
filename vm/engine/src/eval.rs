//! What the engine makes of single operations: [`cudair_ir::eval`] under the rules of the side that runs them, and
//! what the engine itself finds undefined.

use cudair_bytecode::GenKind;
use cudair_ir::eval;
pub(crate) use cudair_ir::eval::{FirstNan, FloatMinMax, cast_word, icmp};
use cudair_ir::*;

/// Undefined behaviour met while running.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Ub {
    /// Division by zero. There is no value to go on with.
    DivZero,
    /// `MIN / -1`. There is no value to go on with.
    DivOverflow,
    /// Signed overflow; the result is the wrapped one.
    Overflow,
    /// A shift amount that is negative or not less than the width.
    Shift,
    /// A floating value outside the range of the integer type it is converted to.
    FloatRange,
    /// Two pointers into different objects were subtracted.
    PtrDiff,
    /// Two pointers into different objects were ordered.
    PtrOrder,
    /// An index outside its row or member array.
    Row,
}

impl Ub {
    /// Whether the program cannot go on.
    pub(crate) fn is_fatal(self) -> bool {
        matches!(self, Ub::DivZero | Ub::DivOverflow)
    }
}

impl From<eval::Ub> for Ub {
    fn from(ub: eval::Ub) -> Ub {
        match ub {
            eval::Ub::DivZero => Ub::DivZero,
            eval::Ub::DivOverflow => Ub::DivOverflow,
            eval::Ub::Overflow => Ub::Overflow,
            eval::Ub::Shift => Ub::Shift,
            eval::Ub::FloatRange => Ub::FloatRange,
        }
    }
}

/// A value, and what was undefined about it.
pub(crate) type Eval = (u128, Option<Ub>);

/// The rules that hold where C leaves a result open.
fn side(device: bool) -> Side {
    if device { Side::Device } else { Side::Host }
}

fn noted((bits, ub): eval::Eval) -> Eval {
    (bits, ub.map(Ub::from))
}

/// Evaluates a generic operation. `ty` is the type of its first operand (for `select` of the last), `res`
/// that of the result. `device` says which side's rules hold where C leaves the result open.
pub(crate) fn generic(kind: GenKind, args: &[u128], ty: Type, res: Type, device: bool) -> Eval {
    let arg = |i: usize| args.get(i).copied().unwrap_or_else(|| unreachable!("{kind:?} lacks operand {i}"));
    let bits = match kind {
        GenKind::Unary { op, nsw } => return noted(eval::unary(op, nsw, ty, arg(0))),
        GenKind::Binary { op, nsw } => return binary(op, nsw, ty, arg(0), arg(1), device),
        GenKind::Cast(op) => return cast(op, ty, res, arg(0), device),
        GenKind::Icmp(cc) => icmp(cc, ty, arg(0), arg(1)).into(),
        GenKind::Fcmp(cc) => eval::fcmp(cc, ty, arg(0), arg(1)).into(),
        GenKind::Ternary(op) => eval::ternary(op, res, arg(0), arg(1), arg(2)),
        GenKind::Copy => arg(0),
    };
    (bits, None)
}

/// Two operands.
pub(crate) fn binary(op: BinaryOp, nsw: bool, ty: Type, a: u128, b: u128, device: bool) -> Eval {
    noted(eval::binary(op, nsw, ty, a, b, side(device)))
}

/// Conversions.
pub(crate) fn cast(op: CastOp, from: Type, to: Type, a: u128, device: bool) -> Eval {
    noted(eval::cast(op, from, to, a, side(device)))
}
