//! What the analyses and a run say of each kernel together: `run --verdicts`.

use cudair_ir::oblivious;
use cudair_ir::verdict::{Basis, Because, ByRun, Check, CheckVerdict, KernelVerdict, Outcome};
use cudair_ir::{Certainty, Finding, FuncId, Function, Kind, Module, Origin, Severity, Side, Span};
use cudair_vm::{DeviceProfile, Launched, WarpModel, is_pure};
use rustc_hash::FxHashMap;

/// What a run has shown.
pub struct Seen<'a> {
    /// The program as it ran.
    pub module: &'a Module,
    /// The same, as the analyses looked at it.
    pub analysed: &'a Module,
    /// The launches of each kernel.
    pub ran: &'a FxHashMap<FuncId, Launched>,
    /// What was found.
    pub findings: &'a [Finding],
    /// How many findings were not kept.
    pub left: u64,
    /// The device.
    pub device: &'a DeviceProfile,
    /// How the lanes of a warp advanced.
    pub warp_model: WarpModel,
}

/// Joins what the analyses proved of each kernel to what a run says of it.
pub fn join(mut analysed: Vec<KernelVerdict>, seen: &Seen<'_>) -> Vec<KernelVerdict> {
    for v in &mut analysed {
        let run = by_run(v, seen);
        for check in Check::ALL {
            let wrong: Vec<&Finding> =
                seen.findings.iter().filter(|f| is_found_by(f, check) && is_wrong(f, v)).collect();
            let confirmed = !wrong.is_empty();
            match v.checks.iter_mut().find(|c| c.check == check) {
                Some(c) => judge(c, confirmed, wrong.into_iter().any(is_of_one_launch), &run),
                None if confirmed => v.checks.push(CheckVerdict {
                    outcome: Outcome::Confirmed,
                    basis: Basis::Run,
                    ..CheckVerdict::proved(check)
                }),
                None => {}
            }
        }
        v.checks.sort_by_key(|c| c.check);
        v.run = Some(run);
    }
    analysed
}

/// Whether a finding is of the kind that a check looks for. Where threads wait for others that never come, a run tells a
/// deadlock: it is that of a barrier where the analysis says so of its place.
fn is_found_by(f: &Finding, check: Check) -> bool {
    f.kind == check.kind()
        || check == Check::BarrierDivergence && f.kind == Kind::Deadlock && f.origin == Origin::Both
}

/// Whether a finding of the run says that something is wrong with a kernel.
fn is_wrong(f: &Finding, v: &KernelVerdict) -> bool {
    let happened = f.origin != Origin::Static && f.certainty == Certainty::Definite;
    happened && f.severity != Severity::Note && f.kernel.as_ref() == Some(&v.kernel)
}

/// Whether what happened is what an analysis of one launch speaks of: a race with the host or with another launch names
/// a thread of one side only.
fn is_of_one_launch(f: &Finding) -> bool {
    !matches!(f.kind, Kind::SharedRace | Kind::GlobalRace) || f.threads.len() == 2
}

/// Why a check is confirmed that the analysis proved: something that the proof takes for granted is false here.
fn refuted_proof(c: &CheckVerdict) -> Option<String> {
    // The others speak of some accesses only: of memory that several threads see, of pointers that the kernel makes.
    let whole = matches!(
        c.check,
        Check::BarrierDivergence | Check::SharedRaces | Check::GlobalRaces | Check::Assertions | Check::Masks
    );
    if c.outcome != Outcome::Proved || !whole {
        return None;
    }
    Some(match &c.premises[..] {
        [] => "the analysis says that it cannot happen: this is a defect of cudair".to_owned(),
        [one] => format!("the analysis excludes it, but for this, which is false here: {one}"),
        all => {
            format!("the analysis excludes it, but for one of these, which is false here: {}", all.join(", "))
        }
    })
}

/// What a check came to, with a run behind it. It was confirmed, perhaps against what was proved of a launch.
fn judge(c: &mut CheckVerdict, confirmed: bool, contradicts: bool, run: &ByRun) {
    let because = match refuted_proof(c).filter(|_| confirmed) {
        Some(_) if !contradicts => Some("the host or another launch races with it".to_owned()),
        because => because,
    };
    // Whether arithmetic is defined hangs on values, of which a run knows its own alone.
    let proved = run.proved && c.check != Check::Undefined;
    let outcome = match c.outcome {
        _ if confirmed => Outcome::Confirmed,
        Outcome::Proved => Outcome::Proved,
        _ if run.launches == 0 => Outcome::NotLaunched,
        _ if proved => Outcome::ProvedForLaunches,
        // What did not happen in this run is possible at most.
        Outcome::Possible | Outcome::Refuted => Outcome::Possible,
        _ => Outcome::SeenClean,
    };
    c.basis = match (outcome, c.outcome) {
        (Outcome::Confirmed, Outcome::Refuted | Outcome::Possible) => Basis::Both,
        (Outcome::Proved, _) if proved => Basis::Both,
        (Outcome::Proved | Outcome::NotLaunched, _) => Basis::Analysis,
        (Outcome::Possible, _) => Basis::Both,
        _ => Basis::Run,
    };
    if matches!(outcome, Outcome::Confirmed | Outcome::ProvedForLaunches) {
        settle(c);
    }
    c.why = because.or(c.why.take());
    c.outcome = outcome;
}

/// Forgets why nothing better was known.
fn settle(c: &mut CheckVerdict) {
    (c.why, c.place, c.places) = (None, None, 0);
    c.premises.clear();
}

/// That a run shows what the analysis found.
pub fn confirm(c: &mut CheckVerdict) {
    (c.outcome, c.basis) = (Outcome::Confirmed, Basis::Both);
    settle(c);
}

/// Whether a verdict is on a kernel: instances of one template have one place, and kernels of two files may have one name.
pub fn is_on(v: &KernelVerdict, module: &Module, func: &Function) -> bool {
    let at = func.loc.expand().map(|loc| Span::new(&module.source, loc, ""));
    func.side == Side::Kernel
        && func.display_name == v.kernel
        && at.as_ref().map(Span::place) == v.place.as_ref().map(Span::place)
}

/// What the launches of a kernel say of it.
fn by_run(v: &KernelVerdict, seen: &Seen<'_>) -> ByRun {
    let module = seen.module;
    let place = |loc: Option<_>| loc.map(|loc| Span::new(&module.source, loc, ""));
    let mut run = ByRun::default();
    for (id, func) in module.funcs.iter().filter(|(_, f)| is_on(v, module, f)) {
        let Some(launched) = seen.ran.get(&id) else { continue };
        run.launches += launched.launches;
        run.accesses += launched.accesses.accesses;
        run.unwatched += launched.accesses.unwatched;
        run.elided += launched.accesses.launches;
        run.saving = run.saving.or(launched.saving);
        if let Some(lack) = launched.lacks() {
            run.because.push(Because { clause: lack.clause().to_owned(), place: place(func.loc.expand()) });
        }
        let analysed = seen.analysed;
        let place = |loc: Option<_>| loc.map(|loc| Span::new(&analysed.source, loc, ""));
        let reasons = oblivious::reasons(analysed, id, is_pure).into_iter();
        run.because.extend(reasons.map(|r| Because { clause: r.clause(analysed), place: place(r.loc) }));
    }
    if run.launches == 0 {
        return run;
    }
    if run.because.is_empty() && seen.findings.iter().any(|f| is_wrong(f, v)) {
        run.because.push(Because { clause: "something is wrong with it".to_owned(), place: None });
    }
    if seen.left > 0 {
        run.because.push(Because { clause: "not all findings were kept".to_owned(), place: None });
    }
    // Of what a header of ours does the call is shown, once for each thing.
    let mut told: Vec<Because> = Vec::new();
    run.because.retain(|b| {
        let new = !told.contains(b);
        if new {
            told.push(b.clone());
        }
        new
    });
    run.proved = run.because.is_empty();
    if run.proved {
        run.holds_for = vec![
            "arguments".to_owned(),
            "aliasing".to_owned(),
            "initialised bytes".to_owned(),
            format!("device ({})", seen.device.profile),
            format!("warp model ({})", seen.warp_model.name()),
        ];
    }
    run
}

/// Whether a run excludes a possible finding of the analyses: each launch of its kernel proves that it does not happen.
pub fn excludes(verdicts: &[KernelVerdict], f: &Finding) -> bool {
    let of = verdicts.iter().filter(|v| f.kernel.as_ref() == Some(&v.kernel));
    let mut of = of.filter(|v| v.run.as_ref().is_some_and(|run| run.launches > 0)).peekable();
    let excluded = |v: &KernelVerdict| {
        v.checks.iter().any(|c| c.check.kind() == f.kind && c.outcome == Outcome::ProvedForLaunches)
    };
    of.peek().is_some() && of.all(excluded)
}

/// Whether a finding of the run and one of the analyses are of one defect: a race at the same two places, a barrier at which threads
/// wait for ever at the run's main place, anything else at the analyses' main place.
fn is_same_defect(f: &Finding, known: &Finding) -> bool {
    let Some(at) = &known.primary else { return false };
    let same_kernel = f.kernel.is_none() || known.kernel.is_none() || f.kernel == known.kernel;
    let waits = f.kind == Kind::Deadlock && known.kind == Kind::BarrierDivergence;
    if !(f.kind == known.kind || waits) || !same_kernel {
        return false;
    }
    if waits {
        // Others may wait there for a thread that waits elsewhere.
        return f.primary.as_ref().is_some_and(|s| s.place() == at.place());
    }
    if !matches!(f.kind, Kind::SharedRace | Kind::GlobalRace) {
        return f.primary.iter().chain(&f.related).any(|s| s.place() == at.place());
    }
    let Some(main) = &f.primary else { return false };
    // The other access comes first of the related places; two accesses at one place have none.
    let other = known.related.first().unwrap_or(at).place();
    let met = |s: &Span| s.place() == other;
    let (x, y) = (main.place(), at.place());
    let related = || f.related.iter();
    x == y && (other == x || related().any(met)) || x == other && related().any(|s| s.place() == y)
}

/// Joins what the analyses know to what the run found: a finding of both says so and gets the places that
/// explain it. What the run did not confirm is possible at most, and shown where verdicts are wanted.
pub fn merge(findings: &mut Vec<Finding>, known: Vec<Finding>, verdicts: bool) {
    for mut new in known {
        match findings.iter_mut().find(|f| is_same_defect(f, &new)) {
            Some(f) => {
                f.origin = Origin::Both;
                for span in new.related.drain(..) {
                    let there = f.primary.iter().chain(&f.related).any(|s| s.place() == span.place());
                    if !there {
                        f.related.push(span);
                    }
                }
                // A barrier that nobody tried is not proposed.
                if f.help.is_none() && new.unordered.is_none() {
                    f.help = new.help;
                }
            }
            None if verdicts => {
                new.certainty = Certainty::Possible;
                new.severity = new.severity.min(Severity::Warning);
                new.threads.clear();
                findings.push(new);
            }
            None => {}
        }
    }
}
