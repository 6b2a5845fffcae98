//! Calls of pure mathematical functions, on bits.

use crate::native::math::MathFn;

/// Calls a mathematical function.
#[inline]
pub(crate) fn math(f: MathFn, args: &[u128]) -> u128 {
    f.call_bits(args)
}
