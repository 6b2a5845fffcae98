//! Simplification: constant folding, algebra, common subexpressions, control-flow clean-up, dead code.
//!
//! The parts run in rounds until nothing changes: [`combine`] walks the dominator tree, folds what is
//! constant, applies identities that hold exactly and finds expressions that were computed before
//! ([`gvn`]); [`flow`] folds branches, threads jumps, merges blocks and prunes block parameters; [`dead`]
//! removes what nothing uses.
//!
//! What stays: instructions that may find undefined behaviour, unless their operands prove them fine (an
//! equal instruction that dominates one makes it superfluous: the fault would have been found there);
//! every load; floating-point arithmetic but for constants, since a NaN shows how it came about.

mod combine;
mod dead;
mod flow;
pub mod fold;
mod gvn;
mod rules;

use super::util::remove_unreachable;
use cudair_ir::*;

/// Rounds at most; each makes the function smaller or moves it towards the canonical form.
const MAX_ROUNDS: usize = 8;

/// Simplifies one function.
pub fn run(func: &mut Function, module: &Module) {
    for _ in 0..MAX_ROUNDS {
        let mut changed = remove_unreachable(func);
        changed |= combine::run(func);
        changed |= flow::run(func, module);
        changed |= dead::run(func);
        if !changed {
            break;
        }
    }
}
