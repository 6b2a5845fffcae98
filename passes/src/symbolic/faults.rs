//! What one thread may do wrong: accesses outside of objects and at null pointers, writes to constant memory, assertions,
//! divisions and shifts.
//!
//! For each suspect of the summary the question is put whether a thread can come to it under the condition that makes it
//! wrong. *No* is a proof for every launch that the shape allows, whatever memory holds. *Yes* with a thread that the
//! launch alone leads there ([`trace`](crate::analysis::witness::trace)) is certain.

mod alignment;
mod teller;

use super::conflicts::Witness;
use super::diverged::Diverging;
use super::interval::{Iteration, Iterations};
use super::premises::Premises;
use super::race::{Check, Topic};
use super::report::Threads;
use super::smt::{Answer, Solver};
use super::summary::{Base, Fault, Summary, Suspect};
use super::term::*;
use crate::analysis::shape::Shape;
use crate::analysis::uniformity::RootContext;
use cudair_ir::verdict::{self, CheckVerdict, Outcome};
use cudair_ir::*;
use smallvec::SmallVec;
use teller::Teller;

/// What was found of what single threads do.
#[derive(Default)]
pub struct FaultReport {
    /// What happens in each launch.
    pub refuted: Vec<Finding>,
    /// What may happen.
    pub possible: Vec<Finding>,
    /// A verdict for each check that applies.
    pub verdicts: Vec<CheckVerdict>,
    /// Each call through a pointer is of a function, if there are any.
    pub calls_proved: bool,
}

/// What the question about a suspect came to.
enum Answered {
    No,
    /// The size of the object is not known.
    NoSize,
    /// The object, or the place in it, is not known.
    NoPlace,
    /// What the texture or surface describes is not known.
    NoDescription,
    /// It is inside of a function of cudair's headers, and does not follow from the form of the condition.
    Inside,
    Maybe(Witness),
    /// Every thread of every launch comes there.
    Always(Witness),
    Unknown(String),
    /// The solver ran out of time.
    Cut,
}

/// The check that a fault belongs to; none for what is taken not to happen.
fn check_of(fault: Fault) -> Option<verdict::Check> {
    Some(match fault {
        Fault::Bounds | Fault::Row => verdict::Check::Bounds,
        Fault::Null => verdict::Check::Null,
        Fault::ReadOnly => verdict::Check::ReadOnly,
        Fault::Assertion => verdict::Check::Assertions,
        Fault::Call | Fault::DivZero | Fault::DivOverflow | Fault::Shift | Fault::Texels => {
            verdict::Check::Undefined
        }
        Fault::Misaligned => verdict::Check::Alignment,
        Fault::Assumption => return None,
    })
}

/// Questions that share what the solver may spend, and what their proofs rest on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Group {
    /// Accesses to memory that other threads see, and what the program states.
    Accesses,
    /// Accesses to local variables, and indices of rows and members.
    Own,
    /// Divisions and shifts.
    Arithmetic,
    /// Where accesses are aligned.
    Alignment,
}

impl Group {
    const ALL: [Group; 4] = [Group::Accesses, Group::Own, Group::Arithmetic, Group::Alignment];

    fn of(suspect: &Suspect) -> Group {
        match suspect.fault {
            Fault::Row => Group::Own,
            Fault::Bounds if matches!(suspect.base, Base::Local(_)) => Group::Own,
            Fault::Bounds
            | Fault::Null
            | Fault::ReadOnly
            | Fault::Assertion
            | Fault::Assumption
            | Fault::Call
            | Fault::Texels => Group::Accesses,
            Fault::DivZero | Fault::DivOverflow | Fault::Shift => Group::Arithmetic,
            Fault::Misaligned => Group::Alignment,
        }
    }
}

/// Looks at every suspect of a summary. `granted` is what the facts of the launch take for granted; the arguments for the
/// parameters `given` are those that a witness has; behind barriers that are
/// `diverging` nothing is certain; with `strict` what may be is an error.
pub fn faults(
    root: &RootContext<'_>,
    s: &mut Summary<'_>,
    (granted, given, diverging): (Premises, &[u32], &Diverging),
    strict: bool,
    solver: &mut dyn Solver,
) -> FaultReport {
    let (misaligned, [passed, placed]) = alignment::suspects(root.module, s);
    let suspects: Vec<Suspect> = s.suspects.iter().copied().chain(misaligned).collect();
    let mut answers: Vec<Answered> = suspects.iter().map(|_| Answered::No).collect();
    let mut rests_on = Group::ALL.map(|_| Premises::default());
    for group in Group::ALL {
        if !suspects.iter().any(|s| Group::of(s) == group) {
            continue;
        }
        let mut check = Check::new(s, root.memory, root.shape, solver);
        for (suspect, answer) in suspects.iter().zip(&mut answers) {
            if Group::of(suspect) == group {
                *answer = ask(&mut check, suspect);
            }
        }
        let rests_on = &mut rests_on[group as usize];
        *rests_on = check.premises();
        rests_on.distinct_parameters = false;
        rests_on.join(granted);
    }
    // Overflow of signed arithmetic is undefined, too, and nobody asks for it.
    let overflows = |data: &InstData| {
        matches!(data, InstData::Binary { nsw: true, .. } | InstData::Unary { nsw: true, .. })
    };
    rests_on[Group::Arithmetic as usize].signed |= s.cx.func.insts.values().any(overflows);
    rests_on[Group::Alignment as usize].aligned = passed;
    rests_on[Group::Alignment as usize].placed = placed;
    let mut out = FaultReport::default();
    let is_call = |s: &Suspect| s.fault == Fault::Call;
    out.calls_proved = suspects.iter().any(is_call)
        && suspects.iter().zip(&answers).all(|(s, a)| !is_call(s) || matches!(a, Answered::No));
    let mut told =
        Teller { root, s, strict, given, followed: Threads::new(root, s.cx.id), diverging, last: None };
    for kind in verdict::Check::ALL {
        let of_kind = || suspects.iter().zip(&answers).filter(|(s, _)| check_of(s.fault) == Some(kind));
        if of_kind().all(|(suspect, _)| is_inside(s, suspect)) {
            continue;
        }
        let mut verdict = CheckVerdict::proved(kind);
        let mut premises = Premises::default();
        for (suspect, answer) in of_kind() {
            told.tell(suspect, answer, &mut verdict, &mut out);
            premises.join(rests_on[Group::of(suspect) as usize]);
        }
        if verdict.outcome == Outcome::Proved {
            verdict.premises = premises.in_words(kind);
        }
        out.verdicts.push(verdict);
    }
    out
}

/// Whether a suspect is of those that the solver is not asked about: an operation, a local array or an alignment inside of
/// a function of cudair's headers.
fn is_inside(s: &Summary<'_>, suspect: &Suspect) -> bool {
    let map = &s.cx.module.source;
    let ours = |loc: Loc| map.visible(loc) != loc;
    Group::of(suspect) != Group::Accesses && s.cx.func.locs[suspect.inst].expand().is_some_and(ours)
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
        Base::Local(slot) => {
            let size = s.cx.func.slots[slot].size;
            Some((zero, s.terms.constant(size.into(), 64)))
        }
        _ => None,
    }
}

/// Whether it is told which object it is.
fn is_told(base: Base) -> bool {
    base.is_known() && base != Base::Private
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
        Fault::Texels => return Answered::NoDescription,
        Fault::Null
        | Fault::ReadOnly
        | Fault::Assertion
        | Fault::Call
        | Fault::DivZero
        | Fault::DivOverflow
        | Fault::Shift
        | Fault::Row => None,
        Fault::Misaligned => {
            if !is_told(suspect.base) || points_anywhere(check.s, suspect.offset) {
                return Answered::NoPlace;
            }
            let bits = check.s.cx.func.stated_alignment(suspect.inst).trailing_zeros();
            let terms = &mut check.s.terms;
            let low = terms.trunc(suspect.offset, bits);
            let (none, zero) = (terms.constant(0, bits), terms.constant(0, 64));
            let off = terms.compare(IntCC::Ne, low, none);
            // An access of no bytes is none.
            let some = terms.compare(IntCC::Ne, suspect.bytes, zero);
            roots.extend([suspect.offset, suspect.bytes]);
            Some(terms.and(some, off))
        }
        Fault::Bounds => {
            if !is_told(suspect.base) || points_anywhere(check.s, suspect.offset) {
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
    check.exact.clear();
    check.reach.clear();
    check.note_exact([suspect.offset, suspect.guard], &iterations, (1, Uniformity::Block));
    check.add_of(raw, (1, Uniformity::Block), &mut conditions);
    if is_inside(check.s, suspect) {
        return if check.never_holds(&conditions) { Answered::No } else { Answered::Inside };
    }
    match check.ask(&conditions) {
        Answer::No => Answered::No,
        Answer::Unknown(why) => Answered::Unknown(why),
        Answer::Cut => Answered::Cut,
        // That nobody disturbs what is read back is no more than a premise.
        Answer::Yes(_) if !is_of_place(suspect.fault) && !check.s.reads_back && always(check, suspect) => {
            Answered::Always(check.witness(&conditions))
        }
        Answer::Yes(_) => Answered::Maybe(check.witness(&conditions)),
    }
}

/// Whether a fault hangs on where an access is.
fn is_of_place(fault: Fault) -> bool {
    matches!(fault, Fault::Bounds | Fault::Misaligned)
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
    check.add_of(raw, (1, Uniformity::Block), &mut conditions);
    check.ask(&conditions) == Answer::No
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
