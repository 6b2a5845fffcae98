//! What is known of the masks of warp operations. What is not known is said.
//!
//! All lanes that a full mask names come to an operation if each branch that decides on it is one in which the threads of a
//! warp agree, as [`Control::controlling`](crate::analysis::control::Control::controlling) has it, and if the block has all
//! lanes of its warps. Where that does not tell, the solver is asked about two lanes of a warp, in the same iterations of the
//! loops around: whether one comes to the operation, or goes on with a loop, and another that its mask names does not;
//! whether a lane comes that its own mask does not name; and, in blocks of known shape, whether a lane is named that the block
//! does not have; and whether two lanes come, of which one names the other, with different masks: each would wait for lanes
//! that name it alike.
//!
//! Where the shape of the block is told, its threads are followed ([`wrong_masks`]), too: what is wrong with a mask whatever
//! memory and arguments hold is refuted.

use super::conflicts::Witness;
use super::converge::{about, differ};
use super::interval::{Iteration, Iterations};
use super::premises::Premises;
use super::race::{Apart, Check as Questions};
use super::report::{example, thread};
use super::smt::{Answer, CUT, Solver};
use super::summary::{Summary, linear_thread};
use super::term::*;
use crate::analysis::only_possible;
use crate::analysis::uniformity::{RootContext, RootUniformity};
use crate::analysis::witness::{MaskWitness, WrongMask, wrong_masks};
use cudair_ir::verdict::{Check, CheckVerdict, Outcome};
use cudair_ir::*;
use rustc_hash::FxHashSet;

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

const UNLIKE: &str = "lanes that wait for each other may name different masks";
const MAY_NOT_COME: &str = "a lane that the mask names may not come here";

/// What is not proved of one operation.
enum Open {
    /// It is for the run, and why.
    Unchecked(&'static str),
    /// It may go wrong, and how: the lanes of an example.
    Possible(&'static str, Box<Witness>),
}

/// A verdict on the masks of warp operations below a kernel, if there are any, and what may go wrong. `granted` is what the
/// facts of the launch take for granted, and `ends` what the agreement of threads in branches does. `meets` says that the
/// threads of a block are not known to miss each other at a barrier.
pub fn masks(
    root: &RootContext<'_>,
    uniformity: &RootUniformity,
    s: &mut Summary<'_>,
    (granted, ends): (Premises, Premises),
    (strict, meets): (bool, bool),
    solver: &mut dyn Solver,
) -> (Option<CheckVerdict>, Vec<Finding>) {
    let kernel = s.cx.id;
    let mut verdict = CheckVerdict::proved(Check::Masks);
    let (mut any, mut found) = (false, Vec::new());
    let mut certain = Vec::new();
    let mut rests_on = ends;
    rests_on.loops_end = false;
    for id in root.graph.functions() {
        let cx = root.cx(id);
        rests_on.loops_end |= cx.control.cycle_count() > 0;
        for node in 0..cx.control.len() as u32 {
            for &inst in cx.func.block_insts(cx.control.block(node)) {
                let Some(mask) = mask_of(&cx.func.insts[inst]) else { continue };
                if !any {
                    certain = refuted(root, s, meets, strict);
                }
                any = true;
                if certain.iter().any(|(at, _)| *at == (id, inst)) {
                    continue;
                }
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
    if let Some((_, first)) = certain.first() {
        let of: FxHashSet<(FuncId, Inst)> = certain.iter().map(|c| c.0).collect();
        verdict.outcome = Outcome::Refuted;
        verdict.why = Some(first.message.clone());
        verdict.place.clone_from(&first.primary);
        verdict.places += of.len();
        for (_, f) in certain {
            f.merge_into(&mut found);
        }
    }
    if verdict.outcome == Outcome::Proved {
        rests_on.join(granted);
        verdict.premises = rests_on.in_words(Check::Masks);
    }
    (any.then_some(verdict), found)
}

/// What is wrong with masks for certain, at which instructions. What a device goes on with is a warning or a note, as in a run, unless
/// `strict`.
fn refuted(
    root: &RootContext<'_>,
    s: &Summary<'_>,
    meets: bool,
    strict: bool,
) -> Vec<((FuncId, Inst), Finding)> {
    if s.impossible {
        return Vec::new();
    }
    let tell = |w: &MaskWitness| {
        let &(func, inst) = w.path.last()?;
        let message = match w.wrong {
            WrongMask::Omits => "a lane comes here that the mask does not name",
            WrongMask::Never => "lanes that the mask names never come here",
            WrongMask::Stray => "a lane reads from one that does not take part",
            WrongMask::Exited => "the mask names lanes that have left the kernel",
            WrongMask::Absent => "the mask names lanes that the block does not have",
        };
        let mut finding = Finding::dynamic(Kind::SyncMask, message.to_owned());
        finding.origin = Origin::Static;
        finding.kernel = Some(s.cx.func.display_name.clone());
        finding.dims = root.shape.dims();
        match w.wrong {
            WrongMask::Exited if !strict => finding.severity = Severity::Warning,
            WrongMask::Absent if !strict => finding.severity = Severity::Note,
            _ => {}
        }
        if let Some(loc) = root.module.funcs[func].locs[inst].expand() {
            finding.primary =
                Some(Span::new(&root.module.source, loc, "lanes of a warp wait for each other here"));
            finding.related = Span::call_path(&root.module.source, loc);
        }
        let coord = |thread| ThreadCoord { block: [0; 3], thread };
        finding.threads = std::iter::once(w.thread).chain(w.other).map(coord).collect();
        let dims = finding.dims;
        let thread = dims.thread(w.thread);
        finding.notes.push(match (w.wrong, w.other.map(|t| dims.thread(t))) {
            (WrongMask::Never, Some(other)) => {
                format!("thread {thread} waits here for thread {other}, which waits elsewhere")
            }
            (WrongMask::Stray, Some(other)) => {
                format!("thread {thread} reads what thread {other} has, which is not here")
            }
            (WrongMask::Exited, Some(other)) => {
                format!("thread {thread} names thread {other}, which has left")
            }
            _ => format!("thread {thread} comes here"),
        });
        Some(((func, inst), finding))
    };
    wrong_masks(root, s.cx.id, meets).iter().filter_map(tell).collect()
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
    let own = check.s.terms.instance(mask, 1, Uniformity::Block);
    let named = check.names(own, 1);
    let unnamed = check.s.terms.not(named);
    check.flatten(unnamed, &mut conditions);
    let wrong = "a lane may come here that its mask does not name";
    let open = answered(&mut check, &conditions, TOO_HARD, wrong);
    let open = open.or_else(|| {
        // Two lanes that come, of which one names the other.
        let conditions = unlike(&mut check, node, mask)?;
        answered(&mut check, &conditions, TOO_HARD, UNLIKE)
    });
    let open = open.or_else(|| stray(&mut check, (node, inst, mask)));
    rests_on.join(check.premises());
    open.or_else(|| partial_warp(root, s, at, rests_on, solver))
}

/// What holds where two lanes of a warp come in the same iterations of the loops around, the first one names the second, and
/// their masks differ. None where they do not.
fn unlike(check: &mut Questions<'_, '_, '_>, node: u32, mask: Term) -> Option<Vec<Term>> {
    let shared = Apart::InWarp.shares();
    let guard = check.s.guards[node as usize];
    let iterations: Iterations = check.s.cx.control.cycles_of(node).map(|c| (c, Iteration::Same)).collect();
    let mut raw = check.context(&[guard, mask], &iterations, true);
    raw.push(check.iterate(guard, &iterations));
    let mut out = check.launch();
    for copy in [1, 2] {
        check.add_of(raw.clone(), (copy, shared), &mut out);
    }
    let two = check.apart(Apart::InWarp);
    check.flatten(two, &mut out);
    let [own, others] = [1, 2].map(|copy| check.s.terms.instance(mask, copy, shared));
    let named = check.names(own, 2);
    check.flatten(named, &mut out);
    let differ = check.s.terms.compare(IntCC::Ne, own, others);
    check.flatten(differ, &mut out);
    (!check.never_holds(&out)).then_some(out)
}

/// What is open of the lane that a shuffle reads: its mask may not name it, so that it does not take part.
fn stray(check: &mut Questions<'_, '_, '_>, (node, inst, mask): (u32, Inst, Term)) -> Option<Open> {
    let func = check.s.cx.func;
    let InstData::Shfl { mode, lane, width, .. } = func.insts[inst] else { return None };
    if check.s.terms.bits(mask) == Some(u32::MAX.into()) {
        return None;
    }
    let (Some(operand), Some(width)) = (check.s.number_at(lane, node), func.const_bits(width)) else {
        return Some(Open::Unchecked("which lane a shuffle reads is for the run"));
    };
    let mut conditions = alone(check, node);
    let linear = linear_thread(&mut check.s.terms, check.shape);
    let terms = &mut check.s.terms;
    let width = if (1..=32).contains(&width) && width.is_power_of_two() { width as u32 } else { 32 };
    let [all, within, before, width] =
        [32, width - 1, !(width - 1), width].map(|n| terms.constant(n.into(), 32));
    let own = terms.binary(BinaryOp::Urem, linear, all);
    let start = terms.binary(BinaryOp::And, own, before);
    let end = terms.add(start, width);
    // Where the lane that is meant is in another segment, the own one is read.
    let (read, inside) = match mode {
        ShflMode::Idx => {
            let offset = terms.binary(BinaryOp::And, operand, within);
            (terms.add(start, offset), terms.truth(true))
        }
        ShflMode::Up => {
            let read = terms.sub(own, operand);
            let (a, b) = (terms.compare(IntCC::Ule, operand, own), terms.compare(IntCC::Uge, read, start));
            (read, terms.and(a, b))
        }
        ShflMode::Down => {
            let read = terms.add(own, operand);
            let (a, b) = (terms.compare(IntCC::Uge, read, own), terms.compare(IntCC::Ult, read, end));
            (read, terms.and(a, b))
        }
        ShflMode::Bfly => {
            let read = terms.binary(BinaryOp::Xor, own, operand);
            (read, terms.compare(IntCC::Ult, read, end))
        }
    };
    let read = terms.ite(inside, read, own);
    let shifted = terms.binary(BinaryOp::Lshr, mask, read);
    let named = terms.trunc(shifted, 1);
    let unnamed = terms.not(named);
    let unnamed = terms.instance(unnamed, 1, Uniformity::Block);
    check.flatten(unnamed, &mut conditions);
    let too_hard = "whether the lane that a shuffle reads takes part is too hard for the solver";
    answered(check, &conditions, too_hard, "a lane may be read that the mask does not name")
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
    check.add_of(raw, (1, Uniformity::Block), &mut conditions);
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
    let linear = check.s.terms.instance(linear, 1, Uniformity::Block);
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
    let some = check.s.terms.instance(some, 1, Uniformity::Block);
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
    } else if why == UNLIKE {
        format!("for example thread {} names thread {}, which has another mask", at(1), at(2))
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
        let linear = self.s.terms.instance(linear, copy, Uniformity::Block);
        let size = self.s.terms.constant(32, 32);
        let lane = self.s.terms.binary(BinaryOp::Urem, linear, size);
        let shifted = self.s.terms.binary(BinaryOp::Lshr, mask, lane);
        self.s.terms.trunc(shifted, 1)
    }
}
