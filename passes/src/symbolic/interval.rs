//! Barrier intervals: which accesses may happen between one barrier and the next, and in which iterations.
//!
//! From each barrier (and from the kernel's start) the blocks are walked until the next barrier. If all threads meet at
//! every barrier, which the check of barrier divergence proves, then the threads of a block that stand at one barrier
//! stand at it in the same iteration of each loop around it. So the counters of those loops are common to all threads,
//! plus the number of back edges that a thread has gone since. This is the "two-thread reduction" of Li & Gopalakrishnan
//! ("Scalable SMT-based verification of GPU kernel functions", FSE 2010) and of GPUVerify (Betts et al., OOPSLA 2012),
//! without their rewriting of the kernel.

use super::summary::Summary;
use crate::analysis::barrier::is_of_block;
use crate::analysis::control::Node;
use cudair_ir::{BarrierKind, Inst, InstData};
use rustc_hash::FxHashSet;
use smallvec::SmallVec;

/// The iteration of a loop at an access, told from the barrier that begins its interval.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Iteration {
    /// The same as at the barrier, which lies in the loop.
    Same,
    /// The one after it.
    Next,
    /// The first: the loop waits at barriers, and was entered after the one that begins the interval.
    First,
    /// Any, each thread its own.
    Any,
}

/// The iterations of the loops around an access, innermost first: cycle and iteration.
pub type Iterations = SmallVec<[(usize, Iteration); 2]>;

/// An access in an interval.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Member {
    /// Its number in the summary.
    pub access: usize,
    /// In which iterations it happens.
    pub iterations: Iterations,
    /// Loops that wait at barriers, and were left on the way from the barrier that begins the interval: in which iterations of
    /// the loop, which comes first, and of those around it.
    pub left: SmallVec<[Iterations; 1]>,
}

/// What orders threads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Order {
    /// Barriers of the block.
    Block,
    /// Those, and `__syncwarp` with all lanes: for two threads of one warp.
    Warp,
    /// Barriers of the grid alone: for threads of two blocks.
    Grid,
}

/// The accesses of each interval, those to visible memory only.
pub fn intervals(s: &Summary<'_>, order: Order) -> Vec<Vec<Member>> {
    let control = s.cx.control;
    let mut waits = vec![false; control.cycle_count()];
    let mut starts: Vec<(Node, usize)> = Vec::new();
    for node in 0..control.len() as u32 {
        for at in barriers(s, node, order) {
            starts.push((node, at + 1));
            control.cycles_of(node).for_each(|c| waits[c] = true);
        }
    }
    let mut by_block: Vec<Vec<usize>> = vec![Vec::new(); control.len()];
    for (n, a) in s.accesses.iter().enumerate() {
        by_block[a.block as usize].push(n);
    }
    let walk = Walk { s, order, waits, by_block };
    let mut out = vec![walk.from(0, 0, Iterations::new())];
    for (node, at) in starts {
        let iterations = control.cycles_of(node).map(|c| (c, Iteration::Same)).collect();
        out.push(walk.from(node, at, iterations));
    }
    out
}

/// Where each of [`intervals`] begins, in their order: at a barrier, or at the start of the kernel.
pub fn interval_starts(s: &Summary<'_>, order: Order) -> Vec<Option<Inst>> {
    let control = s.cx.control;
    let of = |node: Node| {
        let insts = s.cx.func.block_insts(control.block(node));
        barriers(s, node, order).map(|at| Some(insts[at]))
    };
    std::iter::once(None).chain((0..control.len() as u32).flat_map(of)).collect()
}

/// The places in a block at which threads wait for each other.
pub(super) fn barriers<'a>(
    s: &Summary<'a>,
    node: Node,
    order: Order,
) -> impl Iterator<Item = usize> + use<'a> {
    let cx = s.cx;
    let waits = move |data: &InstData| match *data {
        InstData::WarpSync { mask, .. } => order == Order::Warp && cx.func.const_int(mask) == Some(-1),
        InstData::Barrier { kind, .. } if order == Order::Grid => kind == BarrierKind::Grid,
        _ => is_of_block(data),
    };
    let insts = cx.func.block_insts(cx.control.block(node));
    // Those with numbers that are barriers of the block.
    let numbered: SmallVec<[usize; 2]> = if order == Order::Grid || s.block_barriers.is_empty() {
        SmallVec::new()
    } else {
        (0..insts.len()).filter(|&at| s.block_barriers.contains(&insts[at])).collect()
    };
    let of_number = move |at: usize| numbered.contains(&at);
    insts
        .iter()
        .enumerate()
        .filter(move |&(at, &i)| waits(&cx.func.insts[i]) || of_number(at))
        .map(|(at, _)| at)
}

struct Walk<'a, 'b> {
    s: &'b Summary<'a>,
    order: Order,
    /// The loops in which threads wait for each other.
    waits: Vec<bool>,
    by_block: Vec<Vec<usize>>,
}

impl Walk<'_, '_> {
    fn from(&self, node: Node, at: usize, iterations: Iterations) -> Vec<Member> {
        let control = self.s.cx.control;
        let mut members: Vec<Member> = Vec::new();
        let mut seen: FxHashSet<Member> = FxHashSet::default();
        let mut visited: FxHashSet<(Node, Iterations, SmallVec<[Iterations; 1]>)> = FxHashSet::default();
        let mut work = vec![(node, at, iterations, SmallVec::new())];
        while let Some((node, from, iterations, left)) = work.pop() {
            let until = barriers(self.s, node, self.order).find(|&b| b >= from);
            for &n in &self.by_block[node as usize] {
                let a = &self.s.accesses[n];
                if a.at >= from && until.is_none_or(|u| a.at < u) {
                    let member = Member { access: n, iterations: iterations.clone(), left: left.clone() };
                    if seen.insert(member.clone()) {
                        members.push(member);
                    }
                }
            }
            if until.is_some() {
                continue;
            }
            for &to in control.targets(node) {
                let leaves = |&(c, i): &(usize, Iteration)| i == Iteration::First && !control.contains(c, to);
                if iterations.iter().any(|i| leaves(i) && self.s.repeats.contains(&i.0)) {
                    continue;
                }
                let next = self.step(node, to, &iterations);
                let mut left = left.clone();
                for is in self.left(node, to, &iterations) {
                    if !left.contains(&is) {
                        left.push(is);
                    }
                }
                if visited.insert((to, next.clone(), left.clone())) {
                    work.push((to, 0, next, left));
                }
            }
        }
        members
    }

    /// The loops that an edge leaves, as [`Member::left`] tells of them.
    fn left(&self, from: Node, to: Node, iterations: &Iterations) -> Vec<Iterations> {
        let control = self.s.cx.control;
        let leaves = move |c: usize| self.waits[c] && !control.contains(c, to);
        // Those of the loops around stand behind a loop's own.
        let of = |c: usize| -> Option<Iterations> {
            let own = iterations.iter().position(|i| i.0 == c)?;
            let all = Iterations::from_slice(&iterations[own..]);
            all.iter().all(|i| i.1 != Iteration::Any).then_some(all)
        };
        control.cycles_of(from).filter(|&c| leaves(c)).filter_map(of).collect()
    }

    /// The iterations behind an edge.
    fn step(&self, from: Node, to: Node, iterations: &Iterations) -> Iterations {
        let control = self.s.cx.control;
        let known = |c: usize| iterations.iter().find(|i| i.0 == c).map(|i| i.1);
        let back = control.is_back_edge(from, to).then(|| control.cycle_of_head(to)).flatten();
        control
            .cycles_of(to)
            .map(|c| {
                let iteration = match known(c).filter(|_| control.contains(c, from)) {
                    Some(Iteration::Same) if back == Some(c) => Iteration::Next,
                    Some(_) if back == Some(c) => Iteration::Any,
                    Some(same) => same,
                    None if self.waits[c] => Iteration::First,
                    None => Iteration::Any,
                };
                (c, iteration)
            })
            .collect()
    }
}
