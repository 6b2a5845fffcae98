//! Barriers of a block that have numbers: whether as many threads come to each as it waits for.
//!
//! Two ways lead to a proof. A number at which all threads of the block meet, and no others, is a barrier of the block, in
//! launches of any shape: each thread comes to it in the same iterations of the loops around ([`whole`]). Else all threads
//! of a block are followed, where what they wait at hangs on nothing but the launch ([`judge`]), and it is told which of them
//! meet ([`phases`]). In the same way it is refuted.
//!
//! Such a barrier orders what two threads do only if it is one of the block.

mod judge;
mod phases;

use super::converge::{about, differ};
use super::interval::{Iteration, Iterations};
use super::premises::Premises;
use super::race::{Apart, Check as Questions};
use super::smt::{Answer, CUT, Solver};
use super::summary::{Summary, block_extent};
use super::term::{Node as TermNode, Sym, Term};
use crate::analysis::control::Node;
use crate::analysis::only_possible;
use crate::analysis::uniformity::{RootContext, RootUniformity};
use cudair_ir::verdict::{Check, CheckVerdict, Outcome};
use cudair_ir::*;
use judge::Judged;
use rustc_hash::{FxHashMap, FxHashSet};

/// A barrier with a number in the kernel's own code.
#[derive(Clone, Copy, Debug)]
struct Place {
    inst: Inst,
    node: u32,
    how: NumberedBarrier,
    number: Value,
    count: Option<Value>,
}

/// What is known of them, or of barriers of the cluster.
#[derive(Default)]
pub struct Numbered {
    /// The verdict, where there are some.
    pub verdict: Option<CheckVerdict>,
    /// What is wrong, or may be.
    pub findings: Vec<Finding>,
    /// What a proof rests on.
    pub premises: Premises,
    /// Whether it rests on what threads agree in.
    pub agreed: bool,
    /// Those that are barriers of the block.
    pub of_block: FxHashSet<Inst>,
    /// Those of which nothing is proved: block, and instruction.
    pub open: Vec<(Node, Inst)>,
}

/// The barriers with numbers below a kernel: those of its own code, and whether there are others.
fn places(root: &RootContext<'_>, s: &Summary<'_>) -> (Vec<Place>, Vec<Option<Loc>>) {
    let is = |func: FuncId| root.module.funcs[func].attrs.barrier;
    let (mut own, mut others) = (Vec::new(), Vec::new());
    for id in root.graph.functions().filter(|&id| is(id).is_none()) {
        let cx = root.cx(id);
        for node in 0..cx.control.len() as u32 {
            for &inst in cx.func.block_insts(cx.control.block(node)) {
                let InstData::Call { func, ref args, .. } = cx.func.insts[inst] else { continue };
                let Some(how) = is(func) else { continue };
                let &[number, ref count @ ..] = args.as_slice(&cx.func.pool) else {
                    unreachable!("a barrier with a number has none");
                };
                let count = count.first().copied();
                if id == s.cx.id {
                    own.push(Place { inst, node, how, number, count });
                } else {
                    others.push(cx.func.locs[inst].expand());
                }
            }
        }
    }
    (own, others)
}

/// Looks at them. `meets` says that the threads of a block are proved to meet at its other barriers, and `granted` what the
/// facts of the launch take for granted: all of them, and those alone that the kernel's own code states. With `strict` what
/// may be is an error.
pub fn numbered(
    root: &RootContext<'_>,
    uniformity: &RootUniformity,
    s: &mut Summary<'_>,
    (meets, strict): (bool, bool),
    (granted, stated): (Premises, Premises),
    solver: &mut dyn Solver,
) -> Numbered {
    let mut out = Numbered::default();
    let (own, others) = places(root, s);
    let first = own.iter().map(|p| s.cx.func.locs[p.inst].expand()).chain(others.iter().copied()).next();
    let Some(first) = first else { return out };
    let mut rests_on = Premises::default();
    let mut in_warps = false;
    s.any_cut = false;
    if meets && others.is_empty() && s.gaps.is_empty() {
        let (found, premises) = whole(root, uniformity, s, &own, solver);
        in_warps = counts_warps(root, s, &own, solver);
        if !found.is_empty() {
            rests_on = premises;
            rests_on.join(granted);
        }
        out.of_block = found;
    }
    rests_on.join(stated);
    let of_block = |p: &Place| out.of_block.contains(&p.inst);
    let all = in_warps && own.iter().all(of_block);
    let verdict = CheckVerdict::proved(Check::BarrierDivergence);
    if all {
        return Numbered { verdict: Some(verdict), premises: rests_on, agreed: true, ..out };
    }
    let unchecked = |why: &str| {
        let place = first.map(|loc| Span::new(&root.module.source, loc, ""));
        CheckVerdict::not_checked(Check::BarrierDivergence, why, place, own.len() + others.len())
    };
    if s.any_cut {
        out.verdict = Some(unchecked(CUT));
        out.open = own.iter().filter(|p| !of_block(p)).map(|p| (p.node, p.inst)).collect();
        return out;
    }
    match judge::judge(root, s) {
        Judged::AllMeet { loops_end } => {
            rests_on.loops_end |= loops_end;
            let agreed = !out.of_block.is_empty();
            return Numbered { verdict: Some(verdict), premises: rests_on, agreed, ..out };
        }
        Judged::Unknown(why) => out.verdict = Some(unchecked(why)),
        Judged::Wrong(mut finding) => {
            let certain = finding.certainty == Certainty::Definite && !s.impossible;
            let message = finding.message.clone();
            if !certain {
                only_possible(&mut finding, strict);
                finding.message.clone_from(&message);
            }
            out.verdict = Some(CheckVerdict {
                outcome: if certain { Outcome::Refuted } else { Outcome::Possible },
                why: Some(message),
                place: finding.primary.clone(),
                places: 1,
                ..verdict
            });
            out.findings.push(*finding);
        }
    }
    out.open = own.iter().filter(|p| !out.of_block.contains(&p.inst)).map(|p| (p.node, p.inst)).collect();
    out
}

/// Those that are barriers of the block, and what that rests on. A number is one where all that have it are: all threads
/// wait there, all are counted, and threads agree whether they come.
fn whole(
    root: &RootContext<'_>,
    uniformity: &RootUniformity,
    s: &mut Summary<'_>,
    own: &[Place],
    solver: &mut dyn Solver,
) -> (FxHashSet<Inst>, Premises) {
    let mut numbers: FxHashMap<u128, Vec<Place>> = FxHashMap::default();
    // Those whose number is computed.
    let mut others: Vec<(Place, Term)> = Vec::new();
    for &p in own {
        let Some(number) = s.number_at(p.number, p.node) else {
            // It may be any of them.
            return (FxHashSet::default(), Premises::default());
        };
        match s.terms.bits(number) {
            Some(bits) => numbers.entry(bits).or_default().push(p),
            None => others.push((p, number)),
        }
    }
    if numbers.keys().any(|&n| n >= judge::NUMBERS.into()) {
        return (FxHashSet::default(), Premises::default());
    }
    let branches = &uniformity.funcs[&s.cx.id].branches;
    let mut check = Questions::new(s, root.memory, root.shape, solver);
    let mut rests_on = Premises::default();
    let mut found = FxHashSet::default();
    let mut numbers: Vec<(u128, Vec<Place>)> = numbers.into_iter().collect();
    numbers.sort_unstable_by_key(|n| n.0);
    for (number, places) in &numbers {
        let mut premises = Premises::default();
        let of_others = others.iter().all(|&(p, other)| is_never(&mut check, p, other, *number));
        let all = of_others
            && places.iter().all(|&p| {
                let control = check.s.cx.control;
                let agree = control.controlling(p.node);
                premises.loops_end |= control.cycle_count() > 0;
                p.how == NumberedBarrier::Sync
                    && counts_all(&mut check, p)
                    && (agree.iter().all(|&x| branches[x as usize].level >= Uniformity::Block)
                        || all_come(&mut check, (p.node, p.inst)))
            });
        if all {
            rests_on.join(premises);
            found.extend(places.iter().map(|p| p.inst));
        }
    }
    rests_on.join(check.premises());
    (found, rests_on)
}

/// Whether a number that is computed is never this one.
fn is_never(check: &mut Questions<'_, '_, '_>, p: Place, computed: Term, number: u128) -> bool {
    about(check, Check::BarrierDivergence, NUMBER, |_, _| Some(p.inst), p.node);
    let number = check.s.terms.constant(number, 32);
    let is = check.s.terms.compare(IntCC::Eq, computed, number);
    let guard = check.s.guards[p.node as usize];
    let iterations: Iterations = check.s.cx.control.cycles_of(p.node).map(|c| (c, Iteration::Any)).collect();
    let mut raw = check.context(&[guard, is], &iterations, false);
    raw.extend([guard, is]);
    let mut conditions = check.launch();
    check.add_of(raw, (1, Uniformity::Block), &mut conditions);
    check.ask(&conditions) == Answer::No
}

/// Whether a barrier waits for all threads of the block.
fn counts_all(check: &mut Questions<'_, '_, '_>, p: Place) -> bool {
    let Some(count) = p.count else { return true };
    let Some(count) = check.s.number_at(count, p.node) else { return false };
    let counts = |n: &TermNode| {
        matches!(n, TermNode::Sym { sym: Sym::Counter(_) | Sym::Tid(_), .. } | TermNode::App { .. })
    };
    if check.s.terms.mentions(count, counts) {
        return false;
    }
    let mut all = check.s.terms.constant(1, 32);
    for d in 0..3 {
        let extent = block_extent(&mut check.s.terms, check.shape, d);
        all = check.s.terms.mul(all, extent);
    }
    let other = check.s.terms.compare(IntCC::Ne, count, all);
    about(check, Check::BarrierDivergence, COUNTS, |_, _| Some(p.inst), p.node);
    let mut conditions = check.launch();
    check.flatten(other, &mut conditions);
    check.ask(&conditions) == Answer::No
}

/// Whether each count is a multiple of the warp's size: PTX says nothing of others.
fn counts_warps(root: &RootContext<'_>, s: &mut Summary<'_>, own: &[Place], solver: &mut dyn Solver) -> bool {
    let mut check = Questions::new(s, root.memory, root.shape, solver);
    own.iter().filter_map(|&p| Some((p, p.count?))).all(|(p, count)| {
        let Some(count) = check.s.number_at(count, p.node) else { return false };
        let terms = &mut check.s.terms;
        let [size, zero] = [32, 0].map(|n| terms.constant(n, 32));
        let rest = terms.binary(BinaryOp::Urem, count, size);
        let odd = terms.compare(IntCC::Ne, rest, zero);
        about(&mut check, Check::BarrierDivergence, WARPS, |_, _| Some(p.inst), p.node);
        let mut conditions = check.launch();
        check.flatten(odd, &mut conditions);
        check.ask(&conditions) == Answer::No
    })
}

const WARPS: &str = "whether the barrier's count is no multiple of the warp's size";
const NUMBER: &str = "whether the number that is computed can be that of another barrier";
const COUNTS: &str = "whether the barrier waits for other threads than all of the block";
const COMES: &str = "whether one thread of a block can come to the barrier and another not";
const GOES_ON: &str = "whether one thread of a block can go on with the loop and another not";

/// Whether all threads of a block come to a barrier, in each iteration of the loops around, or none.
pub(super) fn all_come(check: &mut Questions<'_, '_, '_>, (node, inst): (Node, Inst)) -> bool {
    let control = check.s.cx.control;
    let mut conditions = vec![(check.s.guards[node as usize], node, COMES)];
    for cycle in control.cycles_of(node) {
        let Some(again) = check.s.loops[cycle].again else { return false };
        conditions.push((again, control.cycle_head(cycle), GOES_ON));
    }
    conditions.into_iter().all(|(condition, node, asks)| {
        about(check, Check::BarrierDivergence, asks, |_, _| Some(inst), node);
        let conditions = differ(check, condition, node, Apart::InBlock, None);
        check.ask(&conditions) == Answer::No
    })
}
