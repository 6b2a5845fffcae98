//! Whether all threads of a block meet at every barrier.
//!
//! They do if any two threads agree, in each iteration of the loops that hold barriers, whether they come to each barrier
//! and whether the loop goes on: then, by induction over the barriers that a thread waits at, both wait at the same ones.

use super::interval::{Iteration, Iterations};
use super::race::{Apart, Check, Premises, Topic};
use super::smt::{Answer, Solver};
use super::summary::{Fault, Summary};
use super::term::Term;
use crate::analysis::barrier::is_of_block;
use crate::analysis::memory::RootMemory;
use crate::analysis::shape::Shape;
use cudair_ir::{Block, Function, Inst, Uniformity, verdict};
use rustc_hash::FxHashMap;

/// On what a proof for every launch of the shape rests, whatever memory holds. `None` says nothing.
pub fn converge(
    s: &mut Summary<'_>,
    memory: &RootMemory,
    shape: &Shape,
    solver: &mut dyn Solver,
) -> Option<Premises> {
    // A call that is not followed may wait.
    if !s.gaps.is_empty() {
        return None;
    }
    let control = s.cx.control;
    let waits = |node: u32| {
        let insts = s.cx.func.block_insts(control.block(node));
        insts.iter().any(|&i| is_of_block(&s.cx.func.insts[i]))
    };
    let nodes: Vec<u32> = (0..control.len() as u32).filter(|&n| waits(n)).collect();
    let mut cycles: Vec<usize> = nodes.iter().flat_map(|&n| control.cycles_of(n)).collect();
    cycles.sort_unstable();
    cycles.dedup();
    let mut check = Check::new(s, memory, shape, solver);
    for node in nodes {
        let guard = check.s.guards[node as usize];
        about(
            &mut check,
            "whether one thread of a block can come to the barrier and another not",
            |func, node| func.block_insts(node).iter().copied().find(|&i| is_of_block(&func.insts[i])),
            node,
        );
        if !agree(&mut check, guard, node) {
            return None;
        }
    }
    for cycle in cycles {
        let again = check.s.loops[cycle].again?;
        about(
            &mut check,
            "whether one thread of a block can go on with the loop and another not",
            Function::terminator,
            control.cycle_head(cycle),
        );
        if !agree(&mut check, again, control.cycle_head(cycle)) {
            return None;
        }
    }
    Some(check.premises())
}

/// Says what the next question is about: an instruction of a node's block.
fn about(
    check: &mut Check<'_, '_, '_>,
    asks: &'static str,
    at: impl Fn(&Function, Block) -> Option<Inst>,
    node: u32,
) {
    let cx = check.s.cx;
    let insts = at(cx.func, cx.control.block(node)).into_iter().collect();
    check.topic = Topic { check: verdict::Check::BarrierDivergence, asks, insts };
}

/// Whether any two threads that are in the same iterations of the loops around a block agree in a condition.
fn agree(check: &mut Check<'_, '_, '_>, condition: Term, node: u32) -> bool {
    let control = check.s.cx.control;
    let iterations: Iterations = control.cycles_of(node).map(|c| (c, Iteration::Same)).collect();
    let context = check.context(&[condition], &iterations, true);
    let condition = check.iterate(condition, &iterations);
    let mut out = check.launch();
    let mut holds = [condition; 2];
    for copy in [1u8, 2] {
        let mut done = FxHashMap::default();
        for &t in &context {
            let t = check.s.terms.instance(t, copy, Uniformity::Block, &mut done);
            check.flatten(t, &mut out);
        }
        holds[copy as usize - 1] = check.s.terms.instance(condition, copy, Uniformity::Block, &mut done);
    }
    for failing in check.s.failing_before_barriers() {
        // A thread that fails there ends the launch: nobody waits for it.
        let fine = check.s.terms.not(failing);
        for copy in [1u8, 2] {
            let t = check.s.terms.instance(fine, copy, Uniformity::Block, &mut FxHashMap::default());
            check.flatten(t, &mut out);
        }
    }
    let apart = check.apart(Apart::InBlock);
    check.flatten(apart, &mut out);
    check.flatten(holds[0], &mut out);
    let not = check.s.terms.not(holds[1]);
    check.flatten(not, &mut out);
    check.ask(&out) == Answer::No
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
            if !insts.iter().any(|&i| is_of_block(&self.cx.func.insts[i])) {
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
