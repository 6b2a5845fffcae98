//! Workflow commands of GitHub Actions: one for each finding and diagnostic, which GitHub shows at its line of a change.
//!
//! Columns are told for places within one line alone: GitHub takes none for others. What follows the last command is
//! no command, and stands in the job's log.

use super::{Report, human, short};
use cudair_ir::{Diagnostic, DiagnosticClass, Finding, Severity, Span};

/// The whole report.
pub fn render(report: &Report) -> String {
    let findings = report.listed().iter().map(finding);
    let commands: String = findings.chain(report.diagnostics.iter().map(diagnostic)).collect();
    let verdicts = report.verdicts.iter().map(|v| format!("cudair: {}\n", super::verdict(v)));
    commands + &verdicts.collect::<String>() + &human::end(report)
}

fn finding(f: &Finding) -> String {
    let name = match f.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Note => "notice",
    };
    let title = match &f.kernel {
        Some(kernel) => format!("{} in kernel {kernel}", f.kind),
        None => f.kind.to_string(),
    };
    let notes = f.notes.iter().chain(&f.help);
    let places = f.primary.iter().chain(f.further_places());
    command(name, f.primary.as_ref(), &title, &text(&f.message, places, notes))
}

fn diagnostic(d: &Diagnostic) -> String {
    let name = match d.class {
        DiagnosticClass::Note => "notice",
        DiagnosticClass::Warning => "warning",
        _ => "error",
    };
    let title = format!("cudair: {}", d.class);
    command(name, d.primary.as_ref(), &title, &text(&d.message, d.primary.iter().chain(&d.related), &d.help))
}

/// A message, and below it what is said of each place, and what else is known.
fn text<'a>(
    message: &str,
    places: impl Iterator<Item = &'a Span>,
    notes: impl IntoIterator<Item = &'a String>,
) -> String {
    let mut lines = vec![message.to_owned()];
    let labelled = places.filter(|s| !s.label.is_empty());
    lines.extend(labelled.map(|s| format!("{}: {}", short::at(s), s.label)));
    lines.extend(notes.into_iter().cloned());
    lines.join("\n")
}

fn command(name: &str, place: Option<&Span>, title: &str, message: &str) -> String {
    let mut properties = Vec::new();
    if let Some(s) = place {
        properties.push(("file", s.file.clone()));
        let (line, end) = (s.start.line, s.end.line.max(s.start.line));
        if line > 0 {
            properties.extend([("line", line.to_string()), ("endLine", end.to_string())]);
        }
        if line > 0 && line == end {
            let col = s.start.col.max(1);
            // Ours ends behind the last character, theirs at it.
            let last = s.end.col.saturating_sub(1).max(col);
            properties.extend([("col", col.to_string()), ("endColumn", last.to_string())]);
        }
    }
    properties.push(("title", title.to_owned()));
    let properties: Vec<String> =
        properties.iter().map(|(name, value)| format!("{name}={}", property(value))).collect();
    format!("::{name} {}::{}\n", properties.join(","), data(message))
}

/// The text of a command, as the runner takes it apart.
fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// The value of a property.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;
    use cudair_ir::{Kind, Pos};

    #[test]
    fn what_ends_a_command_or_a_property_is_escaped() {
        let pos = |line, col| Pos { line, col };
        let mut f = Finding::dynamic(Kind::OutOfBounds, "100% wrong:\r\n::error::no, not this");
        f.kernel = Some("f<int, a::b>".to_owned());
        let label = "here".to_owned();
        let file = "a,b:c%.cu".to_owned();
        f.primary = Some(Span { file, start: pos(3, 5), end: pos(3, 9), spelling: None, label });
        assert_eq!(
            finding(&f),
            "::error file=a%2Cb%3Ac%25.cu,line=3,endLine=3,col=5,endColumn=8,title=out-of-bounds in kernel \
             f<int%2C a%3A%3Ab>::100%25 wrong:%0D%0A::error::no, not this%0Aa,b:c%25.cu:3:5: here\n"
        );
        // A range of several lines has no columns there.
        f.primary.as_mut().expect("a place").end = pos(4, 2);
        assert!(finding(&f).contains("line=3,endLine=4,title="), "{}", finding(&f));
        // No place, and a diagnostic.
        let mut d = Diagnostic::new(DiagnosticClass::Limit, "too long");
        d.help = Some("give it more".to_owned());
        assert_eq!(diagnostic(&d), "::error title=cudair%3A limit::too long%0Agive it more\n");
    }
}
