//! JSON lines: one object for each finding, each diagnostic and each verdict, and last one that counts.
//! `docs/report.schema.json` describes them. The fields are a contract; they may grow.

use super::{Report, Sources};
use crate::baseline::{Compared, fingerprint};
use cudair_ir::cost::Cost;
use cudair_ir::verdict::{Because, KernelVerdict};
use cudair_ir::{Diagnostic, Finding, Kind, LaunchDims, Repair, Severity, Span, TouchedBytes};
use serde_json::{Map, Value, json};
use std::time::Duration;

/// The whole report, an object a line.
pub fn render(report: &Report, sources: &mut Sources) -> String {
    let mut out = String::new();
    let mut known = |f: &Finding, state: &str| {
        let mut value = finding(f, &report.reproduce);
        value["fingerprint"] = fingerprint(f, sources).into();
        if report.baseline.is_some() {
            value["baseline"] = state.into();
        }
        value
    };
    let mut findings: Vec<Value> = report.listed().iter().map(|f| known(f, "new")).collect();
    findings.extend(report.known().iter().map(|f| known(f, "unchanged")));
    let verdicts = report.verdicts.iter().map(verdict);
    for value in findings.into_iter().chain(report.diagnostics.iter().map(diagnostic)).chain(verdicts) {
        out.push_str(&value.to_string());
        out.push('\n');
    }
    out.push_str(&summary(report).to_string());
    out.push('\n');
    out
}

/// What was proved of a kernel.
pub fn verdict(v: &KernelVerdict) -> Value {
    let checks: Vec<Value> = v
        .checks
        .iter()
        .map(|c| {
            json!({
                "check": c.check.name(),
                "verdict": c.outcome.name(),
                "basis": c.basis.name(),
                "why": c.why,
                "place": c.place.as_ref().map(span),
                "places": c.places,
                "premises": c.premises,
            })
        })
        .collect();
    let mut value = json!({
        "schema": 1,
        "type": "verdict",
        "kernel": v.kernel,
        "place": v.place.as_ref().map(span),
        "launches": v.launches,
        "checks": checks,
    });
    if let Some(run) = &v.run {
        let because = |b: &Because| json!({ "clause": b.clause, "place": b.place.as_ref().map(span) });
        value["run"] = json!({
            "launches": run.launches,
            "proved": run.proved,
            "because": run.because.iter().map(because).collect::<Vec<_>>(),
            "holds_for": run.holds_for,
            "accesses": run.accesses,
            "unwatched": run.unwatched,
            "elided": run.elided,
            "saving": run.saving.map(|s| {
                let ms = |d: Duration| d.as_micros() as f64 / 1e3;
                json!({ "launch": s.launch, "watched_ms": ms(s.watched), "left_out_ms": ms(s.left_out) })
            }),
        });
    }
    value
}

/// How many findings there are, by severity and by kind, and what stands in none of the lines.
fn summary(report: &Report) -> Value {
    let of = |severity| report.listed().iter().filter(|f| f.severity == severity).count();
    let severities: Map<String, Value> =
        Severity::ALL.iter().rev().map(|&s| (s.name().to_owned(), of(s).into())).collect();
    let mut kinds = Map::new();
    for &kind in Kind::ALL {
        let n = report.listed().iter().filter(|f| f.kind == kind).count();
        if n > 0 {
            kinds.insert(kind.name().to_owned(), n.into());
        }
    }
    let baseline = |b: &Compared| json!({ "unchanged": b.known.len(), "absent": b.absent.len() });
    json!({
        "schema": 1,
        "type": "summary",
        "severities": severities,
        "kinds": kinds,
        "exit_code": report.exit,
        "left_out": report.unlisted(),
        "suppressed": report.suppressed.len(),
        "baseline": report.baseline.as_ref().map(baseline),
        "less_severe": report.mild,
        "excluded": report.excluded,
        "not_looked_at": unseen(report),
    })
}

/// What the run did not look at.
pub fn unseen(report: &Report) -> Value {
    let unseen = &report.unseen;
    json!({
        "kernels": unseen.kernels,
        "launches": unseen.launches,
        "second_runs": unseen.second_runs,
        "stranded": unseen.stranded,
        "words": unseen.words,
        "places": unseen.places,
    })
}

/// The bytes that a finding is about.
fn memory(m: &TouchedBytes) -> Value {
    let unwritten = m.unwritten.map(|(offset, bytes)| json!({ "offset": offset, "bytes": bytes }));
    json!({
        "object": m.object,
        "size": m.size,
        "offset": m.offset,
        "bytes": m.bytes,
        "unwritten": unwritten,
    })
}

/// A finding.
fn finding(f: &Finding, reproduce: &str) -> Value {
    let threads: Vec<Value> =
        f.threads.iter().map(|t| json!({ "block": t.block, "thread": t.thread })).collect();
    let mut value = json!({
        "schema": 1,
        "type": "finding",
        "kind": f.kind.name(),
        "severity": f.severity.name(),
        "certainty": f.certainty.name(),
        "origin": f.origin.name(),
        "message": f.message,
        "kernel": f.kernel,
        "launch": f.launch,
        "grid": LaunchDims::known(f.dims.grid),
        "block": LaunchDims::known(f.dims.block),
        "memory": f.memory.as_deref().map(memory),
        "group": f.group,
        "launched": f.launched.iter().map(span).collect::<Vec<_>>(),
        "primary": f.primary.as_ref().map(span),
        "related": f.related.iter().map(span).collect::<Vec<_>>(),
        "threads": threads,
        "notes": f.notes,
        "help": f.help,
        "count": f.count,
        "schedule_dependent": f.schedule_dependent,
        "reproduce": super::reproduce(reproduce, f),
    });
    if let Some(c) = f.cost {
        let Cost { requests, actual, ideal, worst } = c;
        value["cost"] = json!({ "requests": requests, "actual": actual, "ideal": ideal, "worst": worst });
    }
    if let Some(r) = &f.repair {
        value["repair"] = repair(r);
    }
    value
}

/// What was tried and mends a finding: what is inserted, at which places, and what has shown that it helps.
fn repair(r: &Repair) -> Value {
    let edits: Vec<Value> = r
        .edits
        .iter()
        .map(|e| {
            json!({
                "file": e.file,
                "line": e.start.line,
                "column": e.start.col,
                "end_line": e.end.line,
                "end_column": e.end.col,
                "text": e.text,
            })
        })
        .collect();
    json!({
        "insert": r.insert,
        "file": r.edits.first().map(|e| &e.file),
        "line": r.edits.first().map(|e| e.start.line),
        "edits": edits,
        "verified_by": r.verified_by.iter().map(|t| t.name()).collect::<Vec<_>>(),
    })
}

/// A diagnostic.
pub fn diagnostic(d: &Diagnostic) -> Value {
    json!({
        "schema": 1,
        "type": "diagnostic",
        "class": d.class.name(),
        "message": d.message,
        "primary": d.primary.as_ref().map(span),
        "related": d.related.iter().map(span).collect::<Vec<_>>(),
        "help": d.help,
    })
}

/// A place.
pub fn span(s: &Span) -> Value {
    json!({
        "file": s.file,
        "line": s.start.line,
        "column": s.start.col,
        "end_line": s.end.line,
        "end_column": s.end.col,
        "label": s.label,
    })
}
