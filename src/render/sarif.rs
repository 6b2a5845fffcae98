//! SARIF 2.1.0: one document with one run.

use super::Report;
use crate::explain;
use crate::suppress::By;
use cudair_ir::{Diagnostic, DiagnosticClass, Finding, Kind, Repair, Severity, Span};
use serde_json::{Value, json};

/// The document.
pub fn render(report: &Report) -> String {
    let rules: Vec<Value> = Kind::ALL
        .iter()
        .map(|k| {
            json!({
                "id": k.name(),
                "shortDescription": { "text": explain::summary(*k) },
                "defaultConfiguration": { "level": "error" },
            })
        })
        .collect();
    let mut results: Vec<Value> = report.findings.iter().map(|f| result(f, &report.reproduce)).collect();
    // What is suppressed stays in the document and says so, as the format has it.
    results.extend(report.suppressed.iter().map(|(f, by)| {
        let mut value = result(f, &report.reproduce);
        let kind = match by {
            By::Source => "inSource",
            By::File => "external",
        };
        value["suppressions"] = json!([{ "kind": kind }]);
        value
    }));
    let mut notifications: Vec<Value> = report.diagnostics.iter().map(notification).collect();
    let unseen = report.unseen().map(|text| format!("not looked at: {text}"));
    notifications.extend(
        report
            .left()
            .into_iter()
            .chain(unseen)
            .map(|text| notification(&Diagnostic::new(DiagnosticClass::Note, text))),
    );
    let mut properties = json!({});
    if report.left_out > 0 {
        properties["leftOut"] = json!(report.left_out);
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
                "executionSuccessful": report.diagnostics.iter().all(|d| d.class == DiagnosticClass::Note),
                "commandLine": report.reproduce,
                "toolExecutionNotifications": notifications,
            }],
            "results": results,
        }],
    });
    if properties != json!({}) {
        document["runs"][0]["properties"] = properties;
    }
    format!("{document:#}\n")
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
        .related
        .iter()
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
            DiagnosticClass::Limit => "warning",
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
