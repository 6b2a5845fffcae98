//! What accesses and branches cost warps, computed instead of counted: `check --perf`.
//!
//! The definitions are those of the run ([`cudair_ir::cost`]). The address of each lane of a warp is made an [affine
//! form](affine) of unknowns that the warp shares: the lanes' distances alone decide how many banks and sectors a request
//! takes, but for where the first one stands in its sector. Each warp of the block is looked at, or, where the block's extents
//! are open, one full warp that stands for all.
//!
//! A note is *definite* where the block is known, which lanes come to the place, and where their addresses stand in a sector.
//! Where an index of the block or a loop's counter decides that, blocks and iterations are gone through one by one. Else a note
//! is *possible*, and says what it takes for granted. What is not decided either way makes no note, and its verdict is *not
//! checked*.

mod affine;
mod request;
mod walk;
mod warp;

use crate::registry::{Analysis, KernelView, Told};
use crate::symbolic::summary::Base;
use crate::symbolic::term::Term;
use cudair_ir::verdict::{Check, CheckVerdict, Outcome};
use cudair_ir::*;
use request::Assessed;
use std::collections::BTreeSet;

/// Bank conflicts, uncoalesced accesses and warp divergence.
#[derive(Clone, Copy, Debug)]
pub struct Perf;

/// The checks, in the order of reports.
const CHECKS: [Check; 3] = [Check::BankConflicts, Check::Coalescing, Check::WarpDivergence];

/// A place in the kernel that costs something.
pub(crate) struct Site {
    check: Check,
    inst: Inst,
    /// Its block.
    node: u32,
    /// When a thread comes there.
    guard: Term,
    does: Does,
}

/// What a thread does there.
enum Does {
    /// Touches so many bytes of an object at an offset.
    Access { base: Base, offset: Term, bytes: u64 },
    /// Goes one way where this holds, and another where not.
    Branch(Term),
    /// Something that cannot be told, and why.
    Unknown(&'static str),
}

impl Analysis for Perf {
    fn name(&self) -> &'static str {
        "perf"
    }

    fn check(&self, view: &mut KernelView<'_, '_>, out: &mut Told) {
        let module = view.root.module;
        let sites = sites(view);
        let mut places: Vec<Place> = Vec::new();
        let mut verdicts: Vec<CheckVerdict> = Vec::new();
        // What is not decided at a place makes the rest there unsure.
        let mut open: Vec<(&Site, Loc)> = Vec::new();
        let mut left = walk::KERNEL_WORK;
        for site in &sites {
            let verdict = match verdicts.iter_mut().find(|v| v.check == site.check) {
                Some(v) => v,
                None => {
                    verdicts.push(CheckVerdict::proved(site.check));
                    let last = verdicts.len() - 1;
                    &mut verdicts[last]
                }
            };
            let loc = view.summary.cx.func.locs[site.inst].expand();
            match walk::assess(view, site, &mut left) {
                Ok(assessed) => {
                    for p in assessed.premises() {
                        if !verdict.premises.iter().any(|known| known == p) {
                            verdict.premises.push(p.to_owned());
                        }
                    }
                    let why = assessed.open(site.check);
                    if let Some(loc) = loc {
                        Place::add(&mut places, module, site, loc, assessed);
                    }
                    if let Some(why) = why {
                        worsen(
                            verdict,
                            Outcome::NotChecked,
                            why,
                            loc.map(|l| Span::new(&module.source, l, "")),
                        );
                    }
                }
                Err(why) => {
                    open.extend(loc.map(|loc| (site, loc)));
                    worsen(verdict, Outcome::NotChecked, why, loc.map(|l| Span::new(&module.source, l, "")));
                }
            }
        }
        for (site, loc) in open {
            if let Some(p) = Place::find(&mut places, module, site, loc) {
                p.assessed.sure = false;
            }
        }
        for place in places.iter().filter(|p| p.assessed.cost.is_told(p.check.kind())) {
            let finding = place.finding(view);
            let outcome = match finding.certainty {
                Certainty::Definite => Outcome::Refuted,
                Certainty::Possible => Outcome::Possible,
            };
            if let Some(v) = verdicts.iter_mut().find(|v| v.check == place.check) {
                worsen(v, outcome, &finding.message, finding.primary.clone());
            }
            out.findings.push(finding);
        }
        for v in verdicts.iter_mut().filter(|v| v.outcome != Outcome::Proved) {
            v.premises.clear();
        }
        verdicts.sort_by_key(|v| CHECKS.iter().position(|c| *c == v.check));
        out.verdicts.extend(verdicts);
    }
}

/// Makes a verdict one that is as bad as this.
fn worsen(verdict: &mut CheckVerdict, outcome: Outcome, why: &str, place: Option<Span>) {
    if outcome > verdict.outcome {
        (verdict.outcome, verdict.why, verdict.place, verdict.places) =
            (outcome, Some(why.to_owned()), place, 0);
    }
    if outcome == verdict.outcome {
        verdict.places += 1;
    }
}

/// The accesses and branches of a kernel. Of the accesses, loads and stores are computed, as they are counted by the run.
fn sites(view: &mut KernelView<'_, '_>) -> Vec<Site> {
    let s = &mut *view.summary;
    let func = s.cx.func;
    let mut out: Vec<Site> = Vec::new();
    let yes = s.terms.truth(true);
    // What depends on no branch every thread comes to, once it is out of the loops before.
    let always: Vec<bool> =
        (0..s.cx.control.len() as u32).map(|n| s.cx.control.controlling(n).is_empty()).collect();
    let guard = |given: Term, node: u32| if always[node as usize] { yes } else { given };
    for a in s.accesses.iter().filter(|a| !a.base.is_surface()) {
        let check = if s.is_shared(a.base) { Check::BankConflicts } else { Check::Coalescing };
        if let Some(other) = out.iter_mut().find(|o| o.inst == a.inst) {
            other.does = Does::Unknown("it touches one of several objects");
            continue;
        }
        let does = match s.terms.bits(a.bytes) {
            _ if !matches!(func.insts[a.inst], InstData::Load { .. } | InstData::Store { .. }) => {
                Does::Unknown("what atomics and copies of objects cost is neither computed nor counted")
            }
            _ if !a.base.is_known() => Does::Unknown("where the pointer points to is not known"),
            Some(n @ 1..=16) => Does::Access { base: a.base, offset: a.offset, bytes: n as u64 },
            _ => Does::Unknown("how many bytes are touched is not known"),
        };
        out.push(Site { check, inst: a.inst, node: a.block, guard: guard(a.guard, a.block), does });
    }
    for node in 0..s.cx.control.len() as u32 {
        for &inst in func.block_insts(s.cx.control.block(node)) {
            let InstData::Call { func: callee, .. } = func.insts[inst] else { continue };
            if s.cx.module.funcs[callee].attrs.texels.is_some() {
                let does = Does::Unknown("what reads and writes of texels cost is not computed");
                out.push(Site { check: Check::Coalescing, inst, node, guard: yes, does });
            }
        }
        let Some(inst) = func.terminator(s.cx.control.block(node)) else { continue };
        let InstData::Branch { cond, .. } = func.insts[inst] else { continue };
        let does = s.number_at(cond, node).map_or(Does::Unknown(BRANCH), Does::Branch);
        let does = if s.is_whole() { does } else { Does::Unknown("the kernel is too large") };
        let guard = s.guards.get(node as usize).map_or(yes, |&g| guard(g, node));
        out.push(Site { check: Check::WarpDivergence, inst, node, guard, does });
    }
    out
}

/// Why a branch is not decided.
pub(crate) const BRANCH: &str = "whether the threads of a warp agree in the condition is not known";

/// All that happens at one place in the source.
struct Place {
    check: Check,
    span: Span,
    loc: Loc,
    node: u32,
    assessed: Assessed,
}

impl Place {
    fn find<'p>(list: &'p mut [Place], module: &Module, site: &Site, loc: Loc) -> Option<&'p mut Place> {
        let span = Span::new(&module.source, loc, "");
        list.iter_mut().find(|p| p.check == site.check && p.span.place() == span.place())
    }

    fn add(list: &mut Vec<Place>, module: &Module, site: &Site, loc: Loc, assessed: Assessed) {
        match Place::find(list, module, site, loc) {
            Some(p) => {
                let old = p.assessed.cost;
                // How often one happens for the other decides the factor of both together.
                let alike = p.node == site.node
                    || old.actual * assessed.cost.ideal == assessed.cost.actual * old.ideal;
                p.assessed.sure &= assessed.sure && alike;
                p.assessed.cost.add(assessed.cost);
                p.assessed.given.extend(assessed.given);
                p.assessed.whole_launch |= assessed.whole_launch;
            }
            None => {
                let span = Span::new(&module.source, loc, "");
                list.push(Place { check: site.check, span, loc, node: site.node, assessed });
            }
        }
    }

    fn finding(&self, view: &KernelView<'_, '_>) -> Finding {
        let Assessed { cost, sure, ref given, whole_launch, full_warp, .. } = self.assessed;
        let kind = self.check.kind();
        let words = cost.words(kind, sure);
        let source = &view.root.module.source;
        let mut notes: Vec<String> = words.requests.into_iter().collect();
        notes.push(
            match (full_warp, whole_launch) {
                (true, _) => "computed for a warp of 32 threads along x",
                (_, true) => "computed for the whole launch",
                _ => "computed for each warp of a block, once",
            }
            .to_owned(),
        );
        let given: BTreeSet<&str> = given.iter().copied().collect();
        notes.extend(given.into_iter().map(|g| format!("this takes for granted that {g}")));
        let finding = Finding::dynamic(kind, words.message);
        Finding {
            severity: Severity::Note,
            certainty: if sure { Certainty::Definite } else { Certainty::Possible },
            origin: Origin::Static,
            kernel: Some(view.summary.cx.func.display_name.clone()),
            primary: Some(Span::new(source, self.loc, words.label)),
            related: Span::call_path(source, self.loc),
            notes,
            help: Some(words.help.to_owned()),
            cost: Some(cost),
            ..finding
        }
    }
}

#[cfg(test)]
mod tests;
