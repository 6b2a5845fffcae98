//! What one thread may do wrong: accesses outside of objects and at null pointers, writes to constant memory, assertions.
//!
//! For each suspect of the summary the question is put whether a thread can come to it under the condition that makes it
//! wrong. *No* is a proof for every launch that the shape allows, whatever memory holds. *Yes* with a thread that the
//! launch alone leads there ([`trace`](crate::analysis::witness::trace)) is certain.

use super::given::{in_words, launch_of};
use super::interval::{Iteration, Iterations};
use super::premises::Premises;
use super::race::{Apart, Check, Topic, Witness};
use super::report::{Threads, example, excluded_by, object, show, thread};
use super::smt::{Answer, Solver};
use super::summary::{Base, Fault, Summary, Suspect};
use super::term::*;
use crate::analysis::only_possible;
use crate::analysis::shape::Shape;
use crate::analysis::uniformity::RootContext;
use crate::analysis::witness::{ThreadIndex, address_of, address_of_global};
use cudair_ir::verdict::{self, CheckVerdict, Outcome};
use cudair_ir::*;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// What was found of what single threads do.
#[derive(Default)]
pub struct FaultReport {
    /// What happens in each launch.
    pub refuted: Vec<Finding>,
    /// What may happen.
    pub possible: Vec<Finding>,
    /// A verdict for each check that applies.
    pub verdicts: Vec<CheckVerdict>,
}

/// What the question about a suspect came to.
enum Answered {
    No,
    /// The size of the object is not known.
    NoSize,
    /// The object, or the place in it, is not known.
    NoPlace,
    Maybe(Witness),
    /// Every thread of every launch comes there.
    Always(Witness),
    Unknown(String),
}

/// The check that a fault belongs to; none for what is taken not to happen.
fn check_of(fault: Fault) -> Option<verdict::Check> {
    Some(match fault {
        Fault::Bounds => verdict::Check::Bounds,
        Fault::Null => verdict::Check::Null,
        Fault::ReadOnly => verdict::Check::ReadOnly,
        Fault::Assertion => verdict::Check::Assertions,
        Fault::Call => verdict::Check::Calls,
        Fault::Assumption => return None,
    })
}

/// Looks at every suspect of a summary. `granted` is what the facts of the launch take for granted; the arguments for the
/// parameters `given` are those that a witness has; with `strict` what may be is an error.
pub fn faults(
    root: &RootContext<'_>,
    s: &mut Summary<'_>,
    (granted, given): (Premises, &[u32]),
    strict: bool,
    solver: &mut dyn Solver,
) -> FaultReport {
    let suspects = s.suspects.clone();
    let mut check = Check::new(s, root.memory, root.shape, solver);
    let answers: Vec<Answered> = suspects.iter().map(|s| ask(&mut check, s)).collect();
    let mut rests_on = check.premises();
    rests_on.distinct_parameters = false;
    rests_on.join(granted);
    let mut out = FaultReport::default();
    let mut told = Teller { root, s, strict, given, followed: Threads::new(root, s.cx.id) };
    for kind in verdict::Check::ALL {
        let of_kind = || suspects.iter().zip(&answers).filter(|(s, _)| check_of(s.fault) == Some(kind));
        if of_kind().next().is_none() {
            continue;
        }
        let mut verdict = CheckVerdict::proved(kind);
        for (suspect, answer) in of_kind() {
            told.tell(suspect, answer, &mut verdict, &mut out);
        }
        if verdict.outcome == Outcome::Proved {
            verdict.premises = rests_on.in_words(kind);
        }
        out.verdicts.push(verdict);
    }
    out
}

/// The extent of an object: bytes before what a pointer to it is counted from, and its bytes.
fn extent(s: &mut Summary<'_>, base: Base) -> Option<(Term, Term)> {
    let zero = s.terms.constant(0, 64);
    match base {
        Base::Global(g) => {
            let size = s.cx.module.globals[g].size;
            Some((zero, s.terms.constant(size.into(), 64)))
        }
        Base::DynamicShared if s.dynamic_told => {
            let size = s.terms.sym(Sym::DynamicShared, 32);
            Some((zero, s.terms.zext(size, 64)))
        }
        Base::Param(n) => match s.cx.func.sig.params[n as usize].attr {
            ParamAttr::ByVal { size, .. } => Some((zero, s.terms.constant(size.into(), 64))),
            _ => s.extents.get(n as usize).copied().flatten(),
        },
        _ => None,
    }
}

/// Whether an offset comes from a pointer of which no more is known than its object.
fn points_anywhere(s: &Summary<'_>, offset: Term) -> bool {
    let func = s.cx.func;
    let is = |n: &Node| matches!(*n, Node::App { func: Func::Value(v), .. } if func.value_type(v).is_ptr());
    s.terms.mentions(offset, is)
}

fn ask(check: &mut Check<'_, '_, '_>, suspect: &Suspect) -> Answered {
    let mut conditions = check.launch();
    let mut roots = vec![suspect.guard];
    let wrong = match suspect.fault {
        Fault::Assumption => return Answered::No,
        Fault::Null | Fault::ReadOnly | Fault::Assertion | Fault::Call => None,
        Fault::Bounds => {
            if !suspect.base.is_known() || points_anywhere(check.s, suspect.offset) {
                return Answered::NoPlace;
            }
            let Some((start, size)) = extent(check.s, suspect.base) else { return Answered::NoSize };
            let terms = &mut check.s.terms;
            let from = terms.add(start, suspect.offset);
            let left = terms.sub(size, from);
            let outside = terms.compare(IntCC::Ult, size, from);
            let beyond = terms.compare(IntCC::Ult, left, suspect.bytes);
            let zero = terms.constant(0, 64);
            // An access of no bytes is none.
            let some = terms.compare(IntCC::Ne, suspect.bytes, zero);
            let either = terms.or(outside, beyond);
            roots.extend([from, suspect.bytes]);
            Some(terms.and(some, either))
        }
    };
    if let Some(kind) = check_of(suspect.fault) {
        let asks = "whether a thread can come here and do this";
        check.topic = Topic { check: kind, asks, insts: SmallVec::from_slice(&[suspect.inst]) };
    }
    let control = check.s.cx.control;
    let iterations: Iterations = control.cycles_of(suspect.block).map(|c| (c, Iteration::Any)).collect();
    let mut raw = check.context(&roots, &iterations, false);
    raw.push(suspect.guard);
    raw.extend(wrong);
    let mut done = FxHashMap::default();
    check.exact.clear();
    check.reach.clear();
    check.note_exact([suspect.offset, suspect.guard], &iterations, (1, Uniformity::Block), &mut done);
    check.add_of(raw, (1, Uniformity::Block), &mut done, &mut conditions);
    match check.ask(&conditions) {
        Answer::No => Answered::No,
        Answer::Unknown(why) => Answered::Unknown(why),
        Answer::Yes(_) if suspect.fault != Fault::Bounds && always(check, suspect) => {
            Answered::Always(check.witness(&conditions))
        }
        Answer::Yes(_) => Answered::Maybe(check.witness(&conditions)),
    }
}

/// Whether every thread comes to a suspect outside of loops, if it does not fail an assumption.
fn always(check: &mut Check<'_, '_, '_>, suspect: &Suspect) -> bool {
    if check.s.terms.bits(suspect.guard) == Some(1) {
        return true;
    }
    if check.s.cx.control.cycles_of(suspect.block).next().is_some() {
        return false;
    }
    let mut failing = check.s.failed_assumptions();
    failing.push(suspect.guard);
    let mut conditions = check.launch();
    let mut raw = check.context(&failing, &Iterations::new(), false);
    raw.extend(failing.into_iter().map(|t| check.s.terms.not(t)));
    check.add_of(raw, (1, Uniformity::Block), &mut FxHashMap::default(), &mut conditions);
    check.ask(&conditions) == Answer::No
}

/// Makes findings of answers.
struct Teller<'a, 'b, 'c> {
    root: &'b RootContext<'a>,
    s: &'c Summary<'a>,
    strict: bool,
    given: &'c [u32],
    followed: Threads<'a, 'b>,
}

impl Teller<'_, '_, '_> {
    fn tell(
        &mut self,
        suspect: &Suspect,
        answer: &Answered,
        verdict: &mut CheckVerdict,
        out: &mut FaultReport,
    ) {
        let (outcome, why) = match answer {
            Answered::No => return,
            Answered::NoSize => {
                (Outcome::NotChecked, format!("the size of {} is not known", object(self.s, suspect.base)))
            }
            Answered::NoPlace => (Outcome::NotChecked, "where a pointer points to is not known".to_owned()),
            Answered::Unknown(why) => (Outcome::Possible, why.clone()),
            Answered::Always(w) => {
                let mut finding = self.finding(suspect, &Witness::default(), None);
                finding.counterexamples.extend(w.launch.as_deref().cloned());
                finding.message = match suspect.fault {
                    Fault::Null => "every thread touches memory at a null pointer".to_owned(),
                    Fault::ReadOnly => {
                        format!(
                            "every thread writes to {}, which is constant memory",
                            object(self.s, suspect.base)
                        )
                    }
                    Fault::Call => "every thread calls through a pointer that is no function".to_owned(),
                    _ => "an assertion is false for every thread".to_owned(),
                };
                finding.certainty = Certainty::Definite;
                finding.severity = Severity::Error;
                finding.notes.clear();
                let why = finding.message.clone();
                finding.merge_into(&mut out.refuted);
                (Outcome::Refuted, why)
            }
            Answered::Maybe(w) => {
                let at = thread(self.root, Apart::InBlock, w, 1);
                let mut certain = self.is_certain(suspect, at);
                let mut argument = None;
                let params = self.s.cx.func.sig.params.len();
                if let (None, Some(shape)) = (certain, launch_of(self.root.shape, self.given, w, params)) {
                    let root = RootContext { shape: &shape, ..*self.root };
                    let followed = Threads::new(&root, self.s.cx.id);
                    let mut told =
                        Teller { root: &root, s: self.s, strict: self.strict, given: &[], followed };
                    certain = told.is_certain(suspect, at);
                    argument = in_words(self.s.cx.func, self.given, w);
                }
                let outcome = if certain.is_some() { Outcome::Refuted } else { Outcome::Possible };
                let mut finding = self.finding(suspect, w, certain.map(|hit| (at, hit)));
                finding.notes.extend(argument.filter(|_| certain.is_some()));
                finding.counterexamples.extend(w.launch.as_deref().cloned());
                let why = finding.message.clone();
                if certain.is_some() {
                    finding.merge_into(&mut out.refuted);
                } else {
                    finding.merge_into(&mut out.possible);
                }
                (outcome, why)
            }
        };
        if let Answered::Unknown(why) = answer {
            let mut finding = self.finding(suspect, &Witness::default(), None);
            finding.notes.push(why.clone());
            finding.merge_into(&mut out.possible);
        }
        verdict.places += 1;
        if outcome > verdict.outcome {
            let place = self.s.cx.func.locs[suspect.inst].expand();
            (verdict.outcome, verdict.why) = (outcome, Some(why));
            verdict.place = place.map(|loc| Span::new(&self.root.module.source, loc, ""));
        }
    }

    /// Whether the launch alone leads a thread there, and what it touches then: address and bytes.
    fn is_certain(&mut self, suspect: &Suspect, at: ThreadIndex) -> Option<(u64, u64)> {
        let object = self.object(suspect);
        let trace = self.followed.trace(at)?;
        let deed = (suspect.inst, suspect.writes);
        match suspect.fault {
            Fault::Assumption => None,
            Fault::Assertion | Fault::Call => trace.ends_at(suspect.inst).then_some((0, 0)),
            Fault::Null => trace.touches(deed, |at, _| at < NULL_PAGE),
            Fault::ReadOnly => {
                let (start, size) = object?;
                trace.touches(deed, |at, _| at >= start && at - start < size)
            }
            Fault::Bounds => {
                let (start, size) = object?;
                let end = start.wrapping_add(size);
                let hit = trace.touches(deed, |at, n| at < start || at.saturating_add(n) > end)?;
                // From the object's start.
                Some((hit.0.wrapping_sub(start), hit.1))
            }
        }
    }

    /// Where the object lies for threads that are followed, and its bytes, if both are constants.
    fn object(&self, suspect: &Suspect) -> Option<(u64, u64)> {
        match suspect.base {
            Base::Global(g) => Some((address_of_global(g), self.s.cx.module.globals[g].size)),
            Base::Param(n) => {
                let (start, size) = self.s.extents.get(n as usize).copied().flatten()?;
                let [start, size] = [start, size].map(|t| self.s.terms.bits(t));
                let passed = self.root.shape.args.get(n as usize).copied().flatten();
                let at = passed.map_or(address_of(n), |bits| bits as u64);
                Some((at.wrapping_sub(start? as u64), size? as u64))
            }
            _ => None,
        }
    }

    fn finding(&self, suspect: &Suspect, w: &Witness, certain: Option<(ThreadIndex, (u64, u64))>) -> Finding {
        let object = || object(self.s, suspect.base);
        let kind = check_of(suspect.fault).map_or(Kind::AssertionFailed, verdict::Check::kind);
        let who = match certain {
            Some(((block, thread), _)) => format!("thread {} of block {}", show(thread), show(block)),
            None => "a thread".to_owned(),
        };
        let (verb, may) = if certain.is_some() { ("touches", "") } else { ("touch", "may ") };
        let message = match (suspect.fault, certain) {
            (Fault::Bounds, Some((_, (offset, bytes)))) => {
                let offset = offset as i64;
                let size = self.object(suspect).map_or(0, |o| o.1);
                format!(
                    "{who} touches {bytes} bytes at offset {offset} of {}, which has {size} bytes",
                    object()
                )
            }
            (Fault::Bounds, None) => format!("{who} may touch bytes outside of {}", object()),
            (Fault::Call, Some(_)) => format!("{who} calls through a pointer that is no function"),
            (Fault::Call, None) => format!("{who} may call through a pointer that is no function"),
            (Fault::Null, _) => format!("{who} {may}{verb} memory at a null pointer"),
            (Fault::ReadOnly, Some(_)) => format!("{who} writes to {}, which is constant memory", object()),
            (Fault::ReadOnly, None) => format!("{who} may write to {}, which is constant memory", object()),
            (Fault::Assertion | Fault::Assumption, Some(_)) => format!("an assertion is false for {who}"),
            (Fault::Assertion | Fault::Assumption, None) => "an assertion may be false".to_owned(),
        };
        let mut finding = Finding::dynamic(kind, message);
        finding.origin = Origin::Static;
        finding.kernel = Some(self.s.cx.func.display_name.clone());
        let loc = self.s.cx.func.locs[suspect.inst].expand();
        finding.primary = loc.map(|loc| Span::new(&self.root.module.source, loc, "here"));
        match certain {
            Some(((block, thread), _)) => finding.threads = vec![ThreadCoord { block, thread }],
            None => {
                only_possible(&mut finding, self.strict);
                finding.notes.extend(example(self.s.cx.func, w, 1, Apart::InBlock));
                finding.notes.extend(excluded_by(self.s.cx.func, w));
            }
        }
        finding
    }
}

/// Addresses below are those of a null pointer and its members.
const NULL_PAGE: u64 = 4096;

/// Why a device would refuse launches of a shape, if it would.
pub fn refused(shape: &Shape) -> Option<String> {
    let [x, y, z] = shape.block.map(|d| d.unwrap_or(1));
    let threads = volume([x, y, z]);
    if threads == 0 {
        return Some("a block has no threads".to_owned());
    }
    if let Some(most) = shape.max_threads
        && threads > u64::from(most)
    {
        return Some(format!(
            "a block of {threads} threads is launched, and `__launch_bounds__` allows {most}"
        ));
    }
    if threads > 1024 {
        return Some(format!("a block of {threads} threads is launched, and no device takes more than 1024"));
    }
    if z > 64 {
        return Some(format!(
            "a block is launched with {z} threads along z, and no device takes more than 64"
        ));
    }
    let far = (1..3).find(|&d| shape.grid[d].is_some_and(|n| n > 65535))?;
    let dim = ["x", "y", "z"][far];
    Some(format!(
        "a grid is launched with {} blocks along {dim}, and no device takes more than 65535",
        shape.grid[far].unwrap_or_default()
    ))
}
