//! Whether all threads of a block meet at every barrier.
//!
//! They do if any two threads agree, in each iteration of the loops that hold barriers, whether they come to each barrier
//! and whether the loop goes on: then, by induction over the barriers that a thread waits at, both wait at the same ones.

use super::interval::{Iteration, Iterations, Order, barriers};
use super::premises::Premises;
use super::race::{Apart, Check, Topic};
use super::smt::{Answer, Solver};
use super::summary::{Fault, Summary};
use super::term::Term;
use crate::analysis::memory::RootMemory;
use crate::analysis::shape::Shape;
use cudair_ir::{Block, Function, Inst, InstData, verdict};

/// What is asked of two threads of a block, and of threads of two blocks.
const BLOCK_COMES: &str = "whether one thread of a block can come to the barrier and another not";
const GRID_COMES: &str = "whether one block of the grid can come to the barrier and another not";
const BLOCK_GOES_ON: &str = "whether one thread of a block can go on with the loop and another not";
const GRID_GOES_ON: &str = "whether one block of the grid can go on with the loop and another not";

/// On what a proof for every launch of the shape rests, whatever memory holds. An error names a barrier to which not all
/// may come, if it is told which.
///
/// For threads of two blocks it is a proof that all blocks meet at the barriers of the grid, if the threads of each block
/// meet at all barriers.
pub fn converge(
    s: &mut Summary<'_>,
    memory: &RootMemory,
    shape: &Shape,
    apart: Apart,
    solver: &mut dyn Solver,
) -> Result<Premises, Option<Inst>> {
    // A call that is not followed may wait.
    if !s.gaps.is_empty() {
        return Err(None);
    }
    let control = s.cx.control;
    let order = if apart == Apart::Blocks { Order::Grid } else { Order::Block };
    let barrier = |s: &Summary<'_>, node: u32| {
        let at = barriers(s, node, order).next()?;
        Some(s.cx.func.block_insts(control.block(node))[at])
    };
    let nodes: Vec<u32> = (0..control.len() as u32).filter(|&n| barrier(s, n).is_some()).collect();
    let mut cycles: Vec<usize> = nodes.iter().flat_map(|&n| control.cycles_of(n)).collect();
    cycles.sort_unstable();
    cycles.dedup();
    let mut check = Check::new(s, memory, shape, solver);
    check.of_grid = apart == Apart::Blocks;
    // What the solver's clock left open; the other barriers are asked about all the same.
    let mut cut: Vec<Inst> = Vec::new();
    for &node in &nodes {
        let guard = check.s.guards[node as usize];
        let asks = if check.of_grid { GRID_COMES } else { BLOCK_COMES };
        let at = barrier(check.s, node);
        about(&mut check, verdict::Check::BarrierDivergence, asks, |_, _| at, node);
        match agree(&mut check, guard, node, apart) {
            Answer::No => {}
            Answer::Cut => cut.extend(at),
            _ => return Err(at),
        }
    }
    for cycle in cycles {
        let again = check.s.loops[cycle].again;
        let head = control.cycle_head(cycle);
        let asks = if check.of_grid { GRID_GOES_ON } else { BLOCK_GOES_ON };
        about(&mut check, verdict::Check::BarrierDivergence, asks, Function::terminator, head);
        let inside = nodes.iter().find(|&&n| control.contains(cycle, n));
        let at = inside.and_then(|&n| barrier(check.s, n));
        let Some(again) = again else { return Err(at) };
        match agree(&mut check, again, head, apart) {
            Answer::No => {}
            Answer::Cut => {
                let inside = nodes.iter().filter(|&&n| control.contains(cycle, n));
                cut.extend(inside.filter_map(|&n| barrier(check.s, n)));
            }
            _ => return Err(at),
        }
    }
    if let Some(&first) = cut.first() {
        check.s.cut.append(&mut cut);
        return Err(Some(first));
    }
    Ok(check.premises())
}

/// Says what the next question is about: an instruction of a node's block.
pub(super) fn about(
    check: &mut Check<'_, '_, '_>,
    of: verdict::Check,
    asks: &'static str,
    at: impl Fn(&Function, Block) -> Option<Inst>,
    node: u32,
) {
    let cx = check.s.cx;
    let insts = at(cx.func, cx.control.block(node)).into_iter().collect();
    check.topic = Topic { check: of, asks, insts };
}

/// Whether two threads that are in the same iterations of the loops around a block may disagree in a condition.
fn agree(check: &mut Check<'_, '_, '_>, condition: Term, node: u32, apart: Apart) -> Answer {
    let conditions = differ(check, condition, node, apart, None);
    let answer = check.ask(&conditions);
    if let Answer::Yes(_) = answer {
        check.reach.clear();
        let launch = check.counterexample(&conditions);
        check.s.diverging = launch.map(|l| *l);
    }
    answer
}

/// What holds where one of two threads that are in the same iterations of the loops around a block fulfils a condition, and
/// the other one does not. With a `mask` the other one is a lane that the first one's mask names.
pub(super) fn differ(
    check: &mut Check<'_, '_, '_>,
    condition: Term,
    node: u32,
    apart: Apart,
    mask: Option<Term>,
) -> Vec<Term> {
    let shared = apart.shares();
    let control = check.s.cx.control;
    let iterations: Iterations = control.cycles_of(node).map(|c| (c, Iteration::Same)).collect();
    let roots: Vec<Term> = std::iter::once(condition).chain(mask).collect();
    let context = check.context(&roots, &iterations, true);
    let condition = check.iterate(condition, &iterations);
    let mut out = check.launch();
    let mut holds = [condition; 2];
    for copy in [1u8, 2] {
        check.add_of(context.clone(), (copy, shared), &mut out);
        holds[copy as usize - 1] = check.s.terms.instance(condition, copy, shared);
    }
    for failing in check.s.failing_before_barriers() {
        // A thread that fails there ends the launch: nobody waits for it.
        let fine = check.s.terms.not(failing);
        for copy in [1u8, 2] {
            let t = check.s.terms.instance(fine, copy, shared);
            check.flatten(t, &mut out);
        }
    }
    let two = check.apart(apart);
    check.flatten(two, &mut out);
    check.flatten(holds[0], &mut out);
    let not = check.s.terms.not(holds[1]);
    check.flatten(not, &mut out);
    if let Some(mask) = mask {
        let mask = check.iterate(mask, &iterations);
        let mask = check.s.terms.instance(mask, 1, shared);
        let named = check.names(mask, 2);
        check.flatten(named, &mut out);
    }
    out
}

impl Summary<'_> {
    /// When a thread fails an assertion or an assumption before it waits at any barrier, outside of loops.
    fn failing_before_barriers(&self) -> Vec<Term> {
        let control = self.cx.control;
        let mut seen = vec![false; control.len()];
        let mut work = vec![0u32];
        while let Some(node) = work.pop() {
            if std::mem::replace(&mut seen[node as usize], true) {
                continue;
            }
            let insts = self.cx.func.block_insts(control.block(node));
            if !insts.iter().any(|&i| matches!(self.cx.func.insts[i], InstData::Barrier { .. })) {
                work.extend_from_slice(control.targets(node));
            }
        }
        let stated = |f: Fault| matches!(f, Fault::Assertion | Fault::Assumption);
        (self.suspects.iter())
            .filter(|s| {
                stated(s.fault) && seen[s.block as usize] && control.cycles_of(s.block).next().is_none()
            })
            .map(|s| s.guard)
            .collect()
    }
}
