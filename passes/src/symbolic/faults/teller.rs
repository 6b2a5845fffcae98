//! Findings and verdicts of what was answered about single threads.

use super::super::conflicts::Witness;
use super::super::diverged::Diverging;
use super::super::given::{in_words, launch_of};
use super::super::race::Apart;
use super::super::report::{Threads, example, excluded_by, object, thread};
use super::super::smt::CUT;
use super::super::summary::{Base, Fault, Summary, Suspect};
use super::{Answered, FaultReport, NULL_PAGE, check_of};
use crate::analysis::only_possible;
use crate::analysis::uniformity::RootContext;
use crate::analysis::witness::{
    ThreadIndex, Trace, address_of, address_of_global, address_of_local, is_near,
};
use cudair_ir::eval::Ub;
use cudair_ir::verdict::{self, CheckVerdict, Outcome};
use cudair_ir::*;

/// Makes findings of answers.
pub(super) struct Teller<'a, 'b, 'c> {
    pub(super) root: &'b RootContext<'a>,
    pub(super) s: &'c Summary<'a>,
    pub(super) strict: bool,
    pub(super) given: &'c [u32],
    pub(super) followed: Threads<'a, 'b>,
    /// The barriers to which not all threads of a block may come.
    pub(super) diverging: &'c Diverging,
    /// The last place of which something was told.
    pub(super) last: Option<Inst>,
}

impl Teller<'_, '_, '_> {
    pub(super) fn tell(
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
            Answered::Inside => {
                (Outcome::NotChecked, "what a function of a library does inside is not looked at".to_owned())
            }
            Answered::NoDescription => {
                (Outcome::NotChecked, "what a texture or surface describes is not known".to_owned())
            }
            Answered::NoPlace => (Outcome::NotChecked, "where a pointer points to is not known".to_owned()),
            Answered::Unknown(_) | Answered::Cut if self.is_told(suspect) => return,
            Answered::Cut => (Outcome::NotChecked, CUT.to_owned()),
            Answered::Unknown(why) => (Outcome::Possible, why.clone()),
            Answered::Always(w) if !self.may_never_come(suspect) => {
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
                    Fault::Row => {
                        let len = self.s.terms.bits(suspect.bytes).unwrap_or_default();
                        format!("every thread uses an index outside of its array of {}", elements(len))
                    }
                    Fault::DivZero => "every thread divides by zero".to_owned(),
                    Fault::DivOverflow => "every thread divides the smallest integer by -1".to_owned(),
                    Fault::Shift => "every thread shifts by an amount out of range".to_owned(),
                    _ => "an assertion is false for every thread".to_owned(),
                };
                finding.certainty = Certainty::Definite;
                finding.severity = Severity::Error;
                finding.notes.clear();
                let why = finding.message.clone();
                finding.merge_into(&mut out.refuted);
                (Outcome::Refuted, why)
            }
            Answered::Always(w) | Answered::Maybe(w) => {
                let mut at = thread(self.root, Apart::InBlock, w, 1);
                let mut certain = self.is_certain(suspect, at);
                let mut argument = None;
                let params = self.s.cx.func.sig.params.len();
                if let (None, Some(shape)) = (certain, launch_of(self.root.shape, self.given, w, params)) {
                    let root = RootContext { shape: &shape, ..*self.root };
                    let followed = Threads::new(&root, self.s.cx.id);
                    let mut told = Teller {
                        root: &root,
                        s: self.s,
                        strict: self.strict,
                        given: &[],
                        followed,
                        diverging: self.diverging,
                        last: None,
                    };
                    certain = told.is_certain(suspect, at);
                    argument = in_words(self.s.cx.func, self.given, w);
                }
                if certain.is_none()
                    && let Some((first, hit)) = self.is_certain_undisturbed(suspect, at)
                {
                    (at, certain) = (first, Some(hit));
                }
                let outcome = if certain.is_some() { Outcome::Refuted } else { Outcome::Possible };
                if outcome == Outcome::Possible && self.is_told(suspect) {
                    return;
                }
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
        self.last = Some(suspect.inst);
        verdict.places += 1;
        if outcome > verdict.outcome {
            let place = self.s.cx.func.locs[suspect.inst].expand();
            (verdict.outcome, verdict.why) = (outcome, Some(why));
            verdict.place = place.map(|loc| Span::new(&self.root.module.source, loc, ""));
        }
    }

    /// Whether more is told of this operation than would be told now: one that may divide by zero.
    fn is_told(&self, suspect: &Suspect) -> bool {
        suspect.fault == Fault::DivOverflow && self.last == Some(suspect.inst)
    }

    /// Whether threads may wait for others for ever on the way there.
    fn may_never_come(&self, suspect: &Suspect) -> bool {
        let (block, cx) = (suspect.block, self.s.cx);
        let insts = cx.func.block_insts(cx.control.block(block));
        let at = insts.iter().position(|&i| i == suspect.inst).unwrap_or(insts.len());
        self.diverging.come_before(self.s, block, at)
    }

    /// Whether the launch alone leads a thread there, and what it touches then: address and bytes.
    fn is_certain(&mut self, suspect: &Suspect, at: ThreadIndex) -> Option<(u64, u64)> {
        let (object, func) = ((self.object(suspect), self.lies(suspect)), self.s.cx.func);
        let never = self.may_never_come(suspect);
        let trace = self.followed.trace(at).filter(|trace| !never || trace.waits_for_nobody())?;
        shows(trace, suspect, object, func)
    }

    /// The first thread that the launch leads there by what it has written itself.
    fn is_certain_undisturbed(
        &mut self,
        suspect: &Suspect,
        at: ThreadIndex,
    ) -> Option<(ThreadIndex, (u64, u64))> {
        if self.may_never_come(suspect) {
            return None;
        }
        let (object, func) = ((self.object(suspect), self.lies(suspect)), self.s.cx.func);
        let all = self.followed.undisturbed(at)?;
        let shown = all.iter().filter_map(|(&t, trace)| Some((t, shows(trace, suspect, object, func)?)));
        shown.min_by_key(|((block, thread), _)| {
            [block[2], block[1], block[0], thread[2], thread[1], thread[0]]
        })
    }

    /// Where the object lies for threads that are followed, and its bytes, if both are constants.
    fn object(&self, suspect: &Suspect) -> Option<(u64, u64)> {
        match suspect.base {
            Base::Global(g) => Some((address_of_global(g), self.s.cx.module.globals[g].size)),
            Base::Local(slot) => {
                let func = self.s.cx.func;
                Some((address_of_local(func, slot), func.slots[slot].size.into()))
            }
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

    /// How far past a multiple of its alignment an access's object lies.
    fn lies(&self, suspect: &Suspect) -> u64 {
        let (cx, align) = (&self.s.cx, self.s.cx.func.stated_alignment(suspect.inst));
        match suspect.fault {
            Fault::Misaligned => super::alignment::lies(cx.module, cx.id, suspect.base, align).unwrap_or(0),
            _ => 0,
        }
    }

    fn finding(&self, suspect: &Suspect, w: &Witness, certain: Option<(ThreadIndex, (u64, u64))>) -> Finding {
        let object = || object(self.s, suspect.base);
        let kind = check_of(suspect.fault).map_or(Kind::AssertionFailed, verdict::Check::kind);
        let dims = self.root.shape.dims();
        let who = match certain {
            Some(((block, thread), _)) => dims.thread_of(ThreadCoord { block, thread }),
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
            (Fault::Row, certain) => {
                let elements = elements(self.s.terms.bits(suspect.bytes).unwrap_or_default());
                match certain {
                    Some((_, (index, _))) => {
                        format!(
                            "{who} uses index {}, which is outside of its array of {elements}",
                            index as i64
                        )
                    }
                    None => format!("{who} may use an index outside of its array of {elements}"),
                }
            }
            (Fault::Misaligned, Some((_, (offset, bytes)))) => {
                let (offset, align) = (offset as i64, self.s.cx.func.stated_alignment(suspect.inst));
                let object = object();
                match self.lies(suspect) {
                    0 => format!(
                        "{who} touches {bytes} bytes at offset {offset} of {object}, which is not a multiple of {align}"
                    ),
                    past => format!(
                        "{who} touches {bytes} bytes at offset {offset} of {object}, which starts {past} bytes past a multiple of \
                         {align}"
                    ),
                }
            }
            (Fault::Misaligned, None) => {
                let align = self.s.cx.func.stated_alignment(suspect.inst);
                format!(
                    "{who} may touch bytes of {} at an address that is not a multiple of {align}",
                    object()
                )
            }
            (Fault::Bounds, None) => format!("{who} may touch bytes outside of {}", object()),
            (Fault::Call, Some(_)) => format!("{who} calls through a pointer that is no function"),
            (Fault::Call, None) => format!("{who} may call through a pointer that is no function"),
            (Fault::DivZero, Some(_)) => format!("{who} divides by zero"),
            (Fault::DivZero, None) => format!("{who} may divide by zero"),
            (Fault::DivOverflow, Some(_)) => format!("{who} divides the smallest integer by -1"),
            (Fault::DivOverflow, None) => format!("{who} may divide the smallest integer by -1"),
            (Fault::Shift, Some(_)) => format!("{who} shifts by an amount out of range"),
            (Fault::Shift, None) => format!("{who} may shift by an amount out of range"),
            (Fault::Null, _) => format!("{who} {may}{verb} memory at a null pointer"),
            (Fault::ReadOnly, Some(_)) => format!("{who} writes to {}, which is constant memory", object()),
            (Fault::ReadOnly, None) => format!("{who} may write to {}, which is constant memory", object()),
            (Fault::Texels, _) => {
                "a texture or surface may be used as its description does not allow".to_owned()
            }
            (Fault::Assertion | Fault::Assumption, Some(_)) => format!("an assertion is false for {who}"),
            (Fault::Assertion | Fault::Assumption, None) => "an assertion may be false".to_owned(),
        };
        let mut finding = Finding::dynamic(kind, message);
        finding.origin = Origin::Static;
        finding.kernel = Some(self.s.cx.func.display_name.clone());
        finding.dims = dims;
        let loc = self.s.cx.func.locs[suspect.inst].expand();
        finding.primary = loc.map(|loc| Span::new(&self.root.module.source, loc, "here"));
        match certain {
            Some(((block, thread), _)) => finding.threads = vec![ThreadCoord { block, thread }],
            None => {
                only_possible(&mut finding, self.strict);
                finding.notes.extend(example(self.s, w, 1, Apart::InBlock));
                finding.notes.extend(excluded_by(self.s.cx.func, w));
            }
        }
        finding
    }
}

/// So many elements, in words.
fn elements(n: u128) -> String {
    format!("{n} element{}", if n == 1 { "" } else { "s" })
}

/// Whether a thread does what is suspected, and what it touches then: address and bytes. The object is given with how far past
/// a multiple of its alignment it lies ([`super::alignment::lies`]).
fn shows(
    trace: &Trace,
    suspect: &Suspect,
    (object, lies): (Option<(u64, u64)>, u64),
    func: &Function,
) -> Option<(u64, u64)> {
    let deed = (suspect.inst, suspect.writes);
    match suspect.fault {
        Fault::Assumption | Fault::Texels => None,
        Fault::Assertion | Fault::Call => trace.ends_at(suspect.inst).then_some((0, 0)),
        Fault::DivZero => trace.is_undefined(suspect.inst, Ub::DivZero).then_some((0, 0)),
        Fault::DivOverflow => trace.is_undefined(suspect.inst, Ub::DivOverflow).then_some((0, 0)),
        Fault::Shift => trace.is_undefined(suspect.inst, Ub::Shift).then_some((0, 0)),
        Fault::Null => trace.touches(deed, |at, _| at < NULL_PAGE),
        Fault::ReadOnly => {
            let (start, size) = object?;
            trace.touches(deed, |at, _| at >= start && at - start < size)
        }
        Fault::Row => trace.outside_row(suspect.inst).map(|index| (index as u64, 0)),
        Fault::Misaligned => {
            let (start, _) = object?;
            let align = u64::from(func.stated_alignment(suspect.inst));
            let off = |at: u64| at.wrapping_sub(start);
            let is_off = |at: u64| off(at).wrapping_add(lies) & (align - 1) != 0;
            let hit = trace.touches(deed, |at, _| is_near(start, at) && is_off(at))?;
            Some((off(hit.0), hit.1))
        }
        Fault::Bounds => {
            let (start, size) = object?;
            let end = start.wrapping_add(size);
            let outside = |at: u64, n: u64| at < start || at.saturating_add(n) > end;
            let hit = trace.touches(deed, |at, n| is_near(start, at) && outside(at, n))?;
            // From the object's start.
            Some((hit.0.wrapping_sub(start), hit.1))
        }
    }
}
