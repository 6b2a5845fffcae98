//! What is known of the masks of warp operations. What is not known is said.
//!
//! All lanes that a full mask names come to an operation if each branch that decides on it is one in which the threads of a
//! warp agree, as [`Control::controlling`](crate::analysis::control::Control::controlling) has it, and if the block has all
//! lanes of its warps. Where that does not tell, the solver is asked about two lanes of a warp, in the same iterations of the
//! loops around: whether one comes to the operation, or goes on with a loop, and another that its mask names does not;
//! whether a lane comes that its own mask does not name; and, in blocks of known shape, whether a lane is named that the block
//! does not have.

use super::converge::{about, differ};
use super::interval::Iteration;
use super::premises::Premises;
use super::race::{Apart, Check as Questions, Witness};
use super::report::{example, thread};
use super::smt::{Answer, CUT, Solver};
use super::summary::{Summary, linear_thread};
use super::term::*;
use crate::analysis::only_possible;
use crate::analysis::uniformity::{RootContext, RootUniformity};
use cudair_ir::verdict::{Check, CheckVerdict, Outcome};
use cudair_ir::*;
use rustc_hash::FxHashMap;

/// The mask of a warp operation.
fn mask_of(data: &InstData) -> Option<Value> {
    match *data {
        InstData::WarpSync { mask, .. }
        | InstData::Shfl { mask, .. }
        | InstData::Vote { mask, .. }
        | InstData::Match { mask, .. }
        | InstData::Reduce { mask, .. } => Some(mask),
        _ => None,
    }
}

const MAY_NOT_COME: &str = "a lane that the mask names may not come here";

/// What is not proved of one operation.
enum Open {
    /// It is for the run, and why.
    Unchecked(&'static str),
    /// It may go wrong, and how: the lanes of an example.
    Possible(&'static str, Box<Witness>),
}

/// A verdict on the masks of warp operations below a kernel, if there are any, and what may go wrong. `granted` is what the
/// facts of the launch take for granted, and `ends` what the agreement of threads in branches does.
pub fn masks(
    root: &RootContext<'_>,
    uniformity: &RootUniformity,
    s: &mut Summary<'_>,
    (granted, ends): (Premises, Premises),
    strict: bool,
    solver: &mut dyn Solver,
) -> (Option<CheckVerdict>, Vec<Finding>) {
    let kernel = s.cx.id;
    let mut verdict = CheckVerdict::proved(Check::Masks);
    let (mut any, mut found) = (false, Vec::new());
    let mut rests_on = ends;
    rests_on.loops_end = false;
    for id in root.graph.functions() {
        let cx = root.cx(id);
        rests_on.loops_end |= cx.control.cycle_count() > 0;
        for node in 0..cx.control.len() as u32 {
            for &inst in cx.func.block_insts(cx.control.block(node)) {
                let Some(mask) = mask_of(&cx.func.insts[inst]) else { continue };
                any = true;
                let agree = |x: &u32| uniformity.funcs[&id].branches[*x as usize].level >= Uniformity::Warp;
                let full = cx.func.const_int(mask) == Some(-1);
                let open = if id != kernel {
                    Some(Open::Unchecked("an operation in a function that stays a call is for the run"))
                } else if full && cx.control.controlling(node).iter().all(agree) {
                    partial_warp(root, s, (node, inst, mask), &mut rests_on, solver)
                } else {
                    asked(root, s, (node, inst, mask), &mut rests_on, solver)
                };
                let Some(open) = open else { continue };
                let place = cx.func.locs[inst].expand();
                let (outcome, why) = match open {
                    Open::Unchecked(why) => (Outcome::NotChecked, why),
                    Open::Possible(why, w) => {
                        finding(root, s, (inst, why, &w), strict).merge_into(&mut found);
                        (Outcome::Possible, why)
                    }
                };
                verdict.places += 1;
                if outcome > verdict.outcome {
                    (verdict.outcome, verdict.why) = (outcome, Some(why.to_owned()));
                    verdict.place = place.map(|loc| Span::new(&root.module.source, loc, ""));
                }
            }
        }
    }
    if verdict.outcome == Outcome::Proved {
        rests_on.join(granted);
        verdict.premises = rests_on.in_words(Check::Masks);
    }
    (any.then_some(verdict), found)
}

/// An operation: its block, itself, its mask.
type Operation = (u32, Inst, Value);

/// What the solver leaves open of an operation.
fn asked(
    root: &RootContext<'_>,
    s: &mut Summary<'_>,
    at: Operation,
    rests_on: &mut Premises,
    solver: &mut dyn Solver,
) -> Option<Open> {
    let (node, inst, mask) = at;
    if !s.gaps.is_empty() {
        return Some(Open::Unchecked("whether all lanes of a warp come here is not known"));
    }
    let control = s.cx.control;
    let Some(mask) = s.number_at(mask, node) else {
        return Some(Open::Unchecked("a mask that does not name all lanes is for the run"));
    };
    let is_data = |n: &Node| matches!(n, Node::App { .. });
    // In each iteration the mask has to be the same, or nobody knows who is named in the next one.
    let counts = |n: &Node| matches!(n, Node::Sym { sym: Sym::Counter(_), .. });
    if s.terms.mentions(mask, is_data) || s.terms.mentions(mask, counts) {
        return Some(Open::Unchecked("a mask that is computed is for the run"));
    }
    let mut check = Questions::new(s, root.memory, root.shape, solver);
    let comes = check.s.guards[node as usize];
    let asks = "whether a lane comes to the operation and another one that its mask names does not";
    about(&mut check, Check::Masks, asks, |_, _| Some(inst), node);
    let mut questions = vec![(comes, node)];
    for cycle in control.cycles_of(node) {
        let Some(again) = check.s.loops[cycle].again else {
            return Some(Open::Unchecked("whether all lanes of a warp come here is not known"));
        };
        questions.push((again, control.cycle_head(cycle)));
    }
    const TOO_HARD: &str = "whether all lanes of a warp come here is too hard for the solver";
    for (condition, node) in questions {
        let conditions = differ(&mut check, condition, node, Apart::InWarp, Some(mask));
        let open = answered(&mut check, &conditions, TOO_HARD, MAY_NOT_COME);
        if open.is_some() {
            return open;
        }
    }
    // One lane, and whether its mask names it.
    let mut conditions = alone(&mut check, node);
    let own = check.s.terms.instance(mask, 1, Uniformity::Block, &mut FxHashMap::default());
    let named = check.names(own, 1);
    let unnamed = check.s.terms.not(named);
    check.flatten(unnamed, &mut conditions);
    let wrong = "a lane may come here that its mask does not name";
    let open = answered(&mut check, &conditions, TOO_HARD, wrong);
    rests_on.join(check.premises());
    open.or_else(|| partial_warp(root, s, at, rests_on, solver))
}

/// What the solver leaves open of a question: that it is too hard, or that something may go wrong.
fn answered(
    check: &mut Questions<'_, '_, '_>,
    conditions: &[Term],
    too_hard: &'static str,
    wrong: &'static str,
) -> Option<Open> {
    match check.ask(conditions) {
        Answer::No => None,
        Answer::Unknown(_) => Some(Open::Unchecked(too_hard)),
        Answer::Cut => Some(Open::Unchecked(CUT)),
        Answer::Yes(_) => Some(Open::Possible(wrong, Box::new(check.witness(conditions)))),
    }
}

/// What holds where lane 1 comes to an operation.
fn alone(check: &mut Questions<'_, '_, '_>, node: u32) -> Vec<Term> {
    let guard = check.s.guards[node as usize];
    let iterations = check.s.cx.control.cycles_of(node).map(|c| (c, Iteration::Any)).collect();
    let mut raw = check.context(&[guard], &iterations, false);
    raw.push(guard);
    let mut conditions = check.launch();
    check.add_of(raw, (1, Uniformity::Block), &mut FxHashMap::default(), &mut conditions);
    conditions
}

/// Whether a lane is named that the block does not have.
fn partial_warp(
    root: &RootContext<'_>,
    s: &mut Summary<'_>,
    (node, inst, mask): Operation,
    rests_on: &mut Premises,
    solver: &mut dyn Solver,
) -> Option<Open> {
    let Some(threads) = root.shape.threads() else {
        return Some(Open::Unchecked("the last warp of a block may have fewer lanes than the mask names"));
    };
    if threads % 32 == 0 {
        return None;
    }
    let Some(mask) = s.number_at(mask, node) else {
        return Some(Open::Unchecked("a mask that does not name all lanes is for the run"));
    };
    let mut check = Questions::new(s, root.memory, root.shape, solver);
    let asks = "whether a lane comes to the operation whose mask names one that the block does not have";
    about(&mut check, Check::Masks, asks, |_, _| Some(inst), node);
    let mut conditions = alone(&mut check, node);
    let linear = linear_thread(&mut check.s.terms, root.shape);
    let linear = check.s.terms.instance(linear, 1, Uniformity::Block, &mut FxHashMap::default());
    // Lanes from this one on are missing in the last warp.
    let (first, last) = (threads % 32, threads / 32);
    let [size, last] = [32, last].map(|n| check.s.terms.constant(n.into(), 32));
    let warp = check.s.terms.binary(BinaryOp::Udiv, linear, size);
    let is_last = check.s.terms.compare(IntCC::Eq, warp, last);
    check.flatten(is_last, &mut conditions);
    let missing = check.s.terms.constant((u32::MAX << first).into(), 32);
    let named = check.s.terms.binary(BinaryOp::And, mask, missing);
    let none = check.s.terms.constant(0, 32);
    let some = check.s.terms.compare(IntCC::Ne, named, none);
    let some = check.s.terms.instance(some, 1, Uniformity::Block, &mut FxHashMap::default());
    check.flatten(some, &mut conditions);
    let too_hard = "whether all lanes that the mask names exist is too hard for the solver";
    let wrong = "the mask may name a lane that the block does not have";
    let open = answered(&mut check, &conditions, too_hard, wrong);
    rests_on.join(check.premises());
    open
}

/// What may go wrong at an operation.
fn finding(
    root: &RootContext<'_>,
    s: &Summary<'_>,
    (inst, why, w): (Inst, &str, &Witness),
    strict: bool,
) -> Finding {
    let mut finding = Finding::dynamic(Kind::SyncMask, why.to_owned());
    finding.origin = Origin::Static;
    finding.kernel = Some(s.cx.func.display_name.clone());
    finding.dims = root.shape.dims();
    only_possible(&mut finding, strict);
    if let Some(loc) = s.cx.func.locs[inst].expand() {
        finding.primary =
            Some(Span::new(&root.module.source, loc, "lanes of a warp wait for each other here"));
        finding.related = Span::call_path(&root.module.source, loc);
    }
    let at = |copy| root.shape.dims().thread(thread(root, Apart::InWarp, w, copy).1);
    finding.notes.push(if why == MAY_NOT_COME {
        format!("for example thread {} comes, and thread {} does not", at(1), at(2))
    } else {
        format!("for example thread {} comes", at(1))
    });
    finding.notes.extend(example(s, w, 0, Apart::InWarp));
    finding
}

impl Questions<'_, '_, '_> {
    /// Whether a mask names the lane that a thread is.
    pub(super) fn names(&mut self, mask: Term, copy: u8) -> Term {
        let linear = linear_thread(&mut self.s.terms, self.shape);
        let linear = self.s.terms.instance(linear, copy, Uniformity::Block, &mut FxHashMap::default());
        let size = self.s.terms.constant(32, 32);
        let lane = self.s.terms.binary(BinaryOp::Urem, linear, size);
        let shifted = self.s.terms.binary(BinaryOp::Lshr, mask, lane);
        self.s.terms.trunc(shifted, 1)
    }
}
