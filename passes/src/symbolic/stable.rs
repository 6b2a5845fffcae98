//! Loads from memory that the kernel writes, which are the same for all threads of a block all the same.

use super::interval::{Member, Order, intervals};
use super::premises::Premises;
use super::race::{Apart, Check};
use super::smt::Solver;
use super::summary::Summary;
use crate::analysis::memory::RootMemory;
use crate::analysis::shape::Shape;
use cudair_ir::{Inst, InstData};
use rustc_hash::FxHashSet;

/// Which of these loads race with no write of the kernel, and what that rests on besides that all threads meet at every
/// barrier.
///
/// Two threads that execute such a load between the same barriers, at one address, load the same: a write that came
/// between the two, also one of theirs, would race with one of the loads. Whether the threads meet at a barrier may hang on
/// what was loaded before it, and whether a load races on the barriers before it; so both hold by induction over the
/// barriers that a thread waits at.
pub fn stable_loads(
    s: &mut Summary<'_>,
    memory: &RootMemory,
    shape: &Shape,
    mut loads: FxHashSet<Inst>,
    solver: &mut dyn Solver,
) -> (FxHashSet<Inst>, Premises) {
    // What is not followed may write, and warps that synchronise by themselves have intervals of their own.
    if !s.gaps.is_empty() || s.cx.func.insts.values().any(|i| matches!(i, InstData::WarpSync { .. })) {
        return (FxHashSet::default(), Premises::default());
    }
    let mut check = Check::new(s, memory, shape, solver);
    for (order, apart) in [(Order::Block, Apart::InBlock), (Order::Grid, Apart::Blocks)] {
        if apart == Apart::Blocks && shape.grid == [Some(1); 3] {
            continue;
        }
        check.of_grid = apart == Apart::Blocks;
        let all = intervals(check.s, order);
        check.found.premises.grid_convergence |= check.of_grid && all.len() > 1;
        for members in &all {
            let of = |m: &Member| &check.s.accesses[m.access];
            let visible = |m: &&Member| apart == Apart::InBlock || !check.s.is_shared(of(m).base);
            let (writes, reads): (Vec<&Member>, Vec<&Member>) =
                members.iter().filter(visible).partition(|m| of(m).touch.writes());
            let reads: Vec<&Member> = reads.into_iter().filter(|m| loads.contains(&of(m).inst)).collect();
            for (a, b) in reads.iter().flat_map(|a| writes.iter().map(move |b| (*a, *b))) {
                if check.may_alias(&check.s.accesses[a.access], &check.s.accesses[b.access]) {
                    check.pair(a.clone(), b.clone(), apart);
                }
            }
        }
    }
    for c in &check.found.conflicts {
        loads.remove(&check.s.accesses[c.accesses.0].inst);
    }
    (loads, check.premises())
}
