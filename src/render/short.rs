//! A line for each finding, and one for each further place, as gcc writes them: `file:line:col: error: message [kind]`.

use super::{Correction, Report, human};
use cudair_ir::{Diagnostic, DiagnosticClass, Finding, Severity, Span};
use std::fmt::Write;

/// The whole report; it ends as that for people does.
pub fn render(report: &Report) -> String {
    let mut out = String::new();
    report.written().into_iter().for_each(|(f, more)| out.push_str(&group(f, more)));
    for Correction { of, parts, .. } in report.corrected(true) {
        line(&mut out, of.primary.as_ref(), "note", &parts.join("; "), of.kind.name());
    }
    report.diagnostics.iter().for_each(|d| out.push_str(&diagnostic(d)));
    for v in &report.verdicts {
        line(&mut out, v.place.as_ref(), "note", &super::verdict(v), "");
    }
    out + &human::end(report)
}

/// A finding, and what is said of those that it stands for.
pub fn group(f: &Finding, more: Option<String>) -> String {
    let mut out = finding(f);
    if let Some(more) = more {
        more.lines().for_each(|more| line(&mut out, f.primary.as_ref(), "note", more, ""));
    }
    out
}

/// A finding.
pub fn finding(f: &Finding) -> String {
    let mut out = String::new();
    let name = match f.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Note => "note",
    };
    line(&mut out, f.primary.as_ref(), name, &f.message, f.kind.name());
    for place in f.primary.iter().chain(f.further_places()).filter(|s| !s.label.is_empty()) {
        line(&mut out, Some(place), "note", &place.label, "");
    }
    out
}

/// A diagnostic.
pub fn diagnostic(d: &Diagnostic) -> String {
    let mut out = String::new();
    let name = match d.class {
        DiagnosticClass::Note => "note",
        DiagnosticClass::Warning => "warning",
        _ => "error",
    };
    line(&mut out, d.primary.as_ref(), name, &d.message, d.class.name());
    for place in d.primary.iter().chain(&d.related).filter(|s| !s.label.is_empty()) {
        line(&mut out, Some(place), "note", &place.label, "");
    }
    if let Some(help) = &d.help {
        line(&mut out, d.primary.as_ref(), "note", help, "");
    }
    out
}

fn line(out: &mut String, place: Option<&Span>, name: &str, message: &str, kind: &str) {
    let place = place.map_or_else(|| "cudair".to_owned(), at);
    let kind = if kind.is_empty() || kind == name { String::new() } else { format!(" [{kind}]") };
    let _ = writeln!(out, "{}: {name}: {}{kind}", one_line(&place), one_line(message));
}

/// A place: `file:line:col`.
pub fn at(place: &Span) -> String {
    match place.start.line {
        0 => place.file.clone(),
        line => format!("{}:{line}:{}", place.file, place.start.col.max(1)),
    }
}

/// A text without what breaks lines.
fn one_line(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}
