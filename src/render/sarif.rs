//! SARIF 2.1.0: one document with one run.

use super::{Report, Sources, is_call};
use crate::baseline::{Entry, FINGERPRINT, fingerprint};
use crate::explain;
use crate::suppress::By;
use cudair_ir::{Diagnostic, DiagnosticClass, Finding, Kind, Repair, Severity, Span};
use serde_json::{Value, json};

/// The document.
pub fn render(report: &Report, sources: &mut Sources) -> String {
    let rules: Vec<Value> = Kind::ALL.iter().map(|&k| rule(k)).collect();
    let mut one = |f: &Finding, state: Option<&str>| {
        let mut value = result(f, &report.reproduce);
        value["partialFingerprints"] = json!({ FINGERPRINT: fingerprint(f, sources) });
        if let Some(state) = state.filter(|_| report.baseline.is_some()) {
            value["baselineState"] = state.into();
        }
        value
    };
    let mut results: Vec<Value> = report.listed().iter().map(|f| one(f, Some("new"))).collect();
    results.extend(report.known().iter().map(|f| one(f, Some("unchanged"))));
    // What is suppressed stays in the document and says so, as the format has it.
    results.extend(report.suppressed.iter().map(|(f, by)| {
        let mut value = one(f, None);
        let kind = match by {
            By::Source => "inSource",
            By::File => "external",
        };
        value["suppressions"] = json!([{ "kind": kind }]);
        value
    }));
    results.extend(report.baseline.iter().flat_map(|b| &b.absent).map(absent));
    let mut notifications: Vec<Value> = report.diagnostics.iter().map(notification).collect();
    let unseen = report.unseen().map(|text| format!("not looked at: {text}"));
    let left =
        (report.unlisted() > 0).then(|| format!("{} more left out (--max-findings)", report.unlisted()));
    notifications.extend(
        left.into_iter()
            .chain(unseen)
            .map(|text| notification(&Diagnostic::new(DiagnosticClass::Note, text))),
    );
    let mut properties = json!({});
    let counts = [("leftOut", report.unlisted()), ("lessSevere", report.mild), ("excluded", report.excluded)];
    for (name, n) in counts.into_iter().filter(|(_, n)| *n > 0) {
        properties[name] = json!(n);
    }
    if !report.unseen.is_empty() {
        properties["notLookedAt"] = super::json::unseen(report);
    }
    if !report.verdicts.is_empty() {
        properties["verdicts"] = report.verdicts.iter().map(super::json::verdict).collect();
    }
    let mut document = json!({
        "$schema": "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "cudair",
                "version": env!("CARGO_PKG_VERSION"),
                "informationUri": env!("CARGO_PKG_REPOSITORY"),
                "rules": rules,
            }},
            "columnKind": "unicodeCodePoints",
            "invocations": [{
                "executionSuccessful": report.diagnostics.iter().all(|d| d.class.is_aside()),
                "commandLine": report.reproduce,
                "toolExecutionNotifications": notifications,
            }],
            "results": results,
        }],
    });
    if let Some(code) = report.exit {
        document["runs"][0]["invocations"][0]["exitCode"] = code.into();
    }
    if properties != json!({}) {
        document["runs"][0]["properties"] = properties;
    }
    format!("{document:#}\n")
}

/// What is said of a kind: `cudair explain` has the same text.
fn rule(kind: Kind) -> Value {
    let page = explain::page(kind);
    json!({
        "id": kind.name(),
        "shortDescription": { "text": explain::summary(kind) },
        "fullDescription": { "text": first_paragraph(page) },
        "helpUri": explain::address(kind),
        "help": { "text": explain::text(kind.name()).unwrap_or_default(), "markdown": page },
        "defaultConfiguration": { "level": usual_level(kind) },
    })
}

/// What follows the headline of a page.
fn first_paragraph(page: &str) -> String {
    let lines = page.lines().skip(1).skip_while(|l| l.is_empty()).take_while(|l| !l.is_empty());
    lines.collect::<Vec<_>>().join(" ").replace('`', "")
}

/// The level that findings of a kind have, where nothing speaks for another.
fn usual_level(kind: Kind) -> &'static str {
    match kind {
        Kind::BankConflict | Kind::UncoalescedAccess | Kind::WarpDivergence => "note",
        Kind::MemoryLeak | Kind::ApiError => "warning",
        _ => "error",
    }
}

/// A finding of an earlier report that is gone.
fn absent(e: &Entry) -> Value {
    let mut value = json!({
        "ruleId": e.kind,
        "level": match e.severity.as_str() {
            level @ ("note" | "warning") => level,
            _ => "error",
        },
        "message": { "text": e.message },
        "locations": e.place.iter().map(location).collect::<Vec<_>>(),
        "baselineState": "absent",
        "partialFingerprints": { FINGERPRINT: e.fingerprint },
        "properties": { "kernel": e.kernel },
    });
    if let Some(index) = Kind::ALL.iter().position(|k| k.name() == e.kind) {
        value["ruleIndex"] = index.into();
    }
    value
}

fn labelled(s: &Span) -> Value {
    let mut place = location(s);
    if !s.label.is_empty() {
        place["message"] = json!({ "text": s.label });
    }
    place
}

/// The calls through which the main place was reached, or those of each side of a race, where there are some; and the
/// host's calls that led to the launch.
fn stacks(f: &Finding) -> Vec<Value> {
    let calls = f.primary.iter().chain(f.related.iter().take_while(|s| is_call(s))).collect();
    let sides = f.unordered.iter().flat_map(|u| &u.sides).map(|side| side.iter().collect());
    let host = (!f.launched.is_empty()).then(|| f.launched.iter().collect());
    let paths: Vec<Vec<&Span>> =
        std::iter::once(calls).chain(sides).filter(|p: &Vec<_>| p.len() > 1).chain(host).collect();
    let frame = |s: &&Span| json!({ "location": labelled(s) });
    let stack = |path: &Vec<&Span>| json!({ "frames": path.iter().map(frame).collect::<Vec<_>>() });
    paths.iter().map(stack).collect()
}

/// The two sides of a race: what each thread does, the one at the main place first. Where the calls are known by which each
/// came there, they stand before it, the outermost first.
fn sides(f: &Finding) -> Option<Value> {
    if !matches!(f.kind, Kind::SharedRace | Kind::GlobalRace) {
        return None;
    }
    let main = f.primary.as_ref()?;
    let others = || f.related.iter().filter(|s| !is_call(s));
    let ways: [Vec<&Span>; 2] = match &f.unordered {
        Some(race) => race.sides.each_ref().map(|side| side.iter().collect()),
        None => [vec![main], vec![others().next().unwrap_or(main)]],
    };
    // The finding's places say what is done there; of two accesses at one place a related one tells of the second.
    let same = |s: &&Span| ways[1].first().is_some_and(|access| s.place() == access.place());
    let other = others().find(same).or(Some(main).filter(same)).or(others().next()).unwrap_or(main);
    let flow = |n: usize| {
        let calls = ways[n].iter().skip(1).rev().copied();
        let locations: Vec<Value> =
            calls.chain([[main, other][n]]).map(|place| json!({ "location": labelled(place) })).collect();
        let mut flow = json!({ "locations": locations });
        if let Some(thread) = f.threads.get(n) {
            flow["id"] = f.dims.thread_of(*thread).into();
        }
        flow
    };
    Some(json!([{
        "message": { "text": "the two accesses, which nothing orders" },
        "threadFlows": [flow(0), flow(1)],
    }]))
}

fn result(f: &Finding, reproduce: &str) -> Value {
    let mut message = f.message.clone();
    for note in f.notes.iter().chain(&f.help) {
        message.push('\n');
        message.push_str(note);
    }
    let level = match f.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Note => "note",
    };
    let related: Vec<Value> = f
        .further_places()
        .enumerate()
        .map(|(i, s)| {
            let mut place = location(s);
            place["id"] = json!(i + 1);
            place["message"] = json!({ "text": s.label });
            place
        })
        .collect();
    let threads: Vec<Value> =
        f.threads.iter().map(|t| json!({ "block": t.block, "thread": t.thread })).collect();
    let mut value = json!({
        "ruleId": f.kind.name(),
        "ruleIndex": Kind::ALL.iter().position(|k| *k == f.kind),
        "level": level,
        "message": { "text": message },
        "locations": f.primary.iter().map(location).collect::<Vec<_>>(),
        "relatedLocations": related,
        "occurrenceCount": f.count.max(1),
        "properties": {
            "certainty": f.certainty.name(),
            "origin": f.origin.name(),
            "kernel": f.kernel,
            "launch": f.launch,
            "threads": threads,
            "scheduleDependent": f.schedule_dependent,
            "reproduce": super::reproduce(reproduce, f),
        },
    });
    let stacks = stacks(f);
    if !stacks.is_empty() {
        value["stacks"] = stacks.into();
    }
    if let Some(sides) = sides(f) {
        value["codeFlows"] = sides;
    }
    if let Some(r) = &f.repair {
        value["fixes"] = json!([fix(r, f.help.as_deref())]);
        value["properties"]["verifiedBy"] = r.verified_by.iter().map(|t| t.name()).collect();
    }
    value
}

/// A repair, whose changes are all in one file.
fn fix(r: &Repair, help: Option<&str>) -> Value {
    let replacements: Vec<Value> = r
        .edits
        .iter()
        .map(|e| {
            json!({
                "deletedRegion": {
                    "startLine": e.start.line,
                    "startColumn": e.start.col,
                    "endLine": e.end.line,
                    "endColumn": e.end.col,
                },
                "insertedContent": { "text": e.text },
            })
        })
        .collect();
    json!({
        "description": { "text": help.unwrap_or(&r.insert) },
        "artifactChanges": [{
            "artifactLocation": { "uri": uri(r.edits.first().map_or("", |e| &e.file)) },
            "replacements": replacements,
        }],
    })
}

fn notification(d: &Diagnostic) -> Value {
    let mut text = d.message.clone();
    if let Some(help) = &d.help {
        text.push('\n');
        text.push_str(help);
    }
    json!({
        "descriptor": { "id": d.class.name() },
        "level": match d.class {
            DiagnosticClass::Limit | DiagnosticClass::Warning => "warning",
            DiagnosticClass::Note => "note",
            _ => "error",
        },
        "message": { "text": text },
        "locations": d.primary.iter().chain(&d.related).map(location).collect::<Vec<_>>(),
    })
}

fn location(s: &Span) -> Value {
    json!({
        "physicalLocation": {
            "artifactLocation": { "uri": uri(&s.file) },
            "region": {
                "startLine": s.start.line.max(1),
                "startColumn": s.start.col.max(1),
                "endLine": s.end.line.max(s.start.line).max(1),
                "endColumn": s.end.col.max(1),
            },
        },
    })
}

/// A path as a URI reference: what may not stand in one is written as `%XX`.
fn uri(path: &str) -> String {
    let mut out = String::new();
    if path.starts_with('/') {
        out.push_str("file://");
    }
    for &b in path.as_bytes() {
        match b {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'.' | b'-' | b'_' | b'~' | b'+' | b'=' => {
                out.push(char::from(b));
            }
            _ => out.push_str(&format!("%{b:02X}")),
        }
    }
    out
}
