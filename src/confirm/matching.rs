//! Whether what a run reports is what an analysis found, and what becomes of the finding then.

use crate::verdicts;
use cudair_ir::verdict::KernelVerdict;
use cudair_ir::{Certainty, Finding, Kind, Module, Origin, Severity, Span};
use std::fmt::Write;

/// Whether a verdict is on the kernel of a finding.
pub fn is_of(module: &Module, finding: &Finding, verdict: &KernelVerdict) -> bool {
    let symbol = finding.counterexamples.first().map(|c| &c.kernel);
    let kernel = symbol.and_then(|name| module.func_by_name(name)).map(|id| &module.funcs[id]);
    kernel.is_some_and(|func| verdicts::is_on(verdict, module, func))
}

/// A file's absolute path, as far as there is such a file.
pub fn canonical(file: &str) -> String {
    std::fs::canonicalize(file).map_or(file.to_owned(), |p| p.to_string_lossy().into_owned())
}

/// The line of a span.
fn line(span: &Span) -> (String, u32) {
    (canonical(&span.file), span.start.line)
}

/// Whether a finding of a run shows what one of the analyses says: at the same line; of a race, at the same two.
pub fn shows(run: &Finding, known: &Finding) -> bool {
    if run.certainty != Certainty::Definite || run.severity == Severity::Note {
        return false;
    }
    if run.kind == Kind::InvalidLaunch && known.kind == run.kind {
        // There is one launch, whose place is in the program that was made for it.
        return true;
    }
    // Where not all come to a barrier of the grid, or to one with a number, the others wait for ever.
    let waits = known.kind == Kind::BarrierDivergence && run.kind == Kind::Deadlock;
    let same = run.kind == known.kind || waits;
    if !same || run.kernel != known.kernel {
        return false;
    }
    // What overflows is another matter, of which no analysis speaks.
    if run.kind == Kind::UndefinedBehavior && run.severity < Severity::Error {
        return false;
    }
    let (Some(at), Some(main)) = (known.primary.as_ref().map(line), run.primary.as_ref().map(line)) else {
        return false;
    };
    let mut others = run.related.iter().map(line);
    match run.kind {
        Kind::SharedRace | Kind::GlobalRace => {
            let other = known.related.first().map_or_else(|| at.clone(), line);
            let met = |x: &(String, u32)| {
                (main == *x && run.related.is_empty()) || run.related.iter().any(|s| line(s) == *x)
            };
            main == at && met(&other) || main == other && met(&at)
        }
        // Others may wait there for a thread that waits elsewhere; at a barrier of the grid each waits somewhere of its own.
        _ if waits && !known.counterexamples.iter().any(|c| c.cooperative) => main == at,
        _ => main == at || others.any(|o| o == at),
    }
}

/// Takes over what a run says of a finding.
pub fn take_over(finding: &mut Finding, run: &Finding) {
    finding.origin = Origin::Both;
    finding.severity = run.severity;
    finding.schedule_dependent = run.schedule_dependent;
    if finding.certainty == Certainty::Definite {
        return;
    }
    finding.certainty = Certainty::Definite;
    finding.message.clone_from(&run.message);
    finding.threads.clone_from(&run.threads);
    if finding.help.is_none() {
        finding.help.clone_from(&run.help);
    }
    // An example is of other threads than those of the run.
    let spans = finding.primary.iter_mut().chain(&mut finding.related);
    for span in spans {
        let told: Vec<&Span> =
            run.primary.iter().chain(&run.related).filter(|s| line(s) == line(span)).collect();
        if let [first, rest @ ..] = told.as_slice() {
            span.label.clone_from(&first.label);
            for s in rest.iter().filter(|s| s.label != first.label && s.label != "called from here").take(1) {
                let _ = write!(span.label, ", {}", s.label);
            }
        }
    }
}
