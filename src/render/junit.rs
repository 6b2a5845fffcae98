//! JUnit's XML: one suite for the command, with a test case for each kind of findings and one for the command itself.
//!
//! The cases are the same in every run of one command line, so that servers can tell how they change. A kind fails where a
//! finding of it is an error; warnings, notes and what was suppressed or known before stand in the case's output. A
//! kind that was not looked for is skipped, and so is one of a command that did not come to its end.

use super::{Report, short};
use cudair_ir::{Finding, Kind, Severity};
use std::fmt::Write;

/// The findings of a kind, those that are errors or all others.
fn of_kind(list: &[Finding], kind: Kind, errors: bool) -> Vec<&Finding> {
    list.iter().filter(|f| f.kind == kind && (f.severity == Severity::Error) == errors).collect()
}

/// The document.
pub fn render(report: &Report) -> String {
    let (others, told): (Vec<_>, Vec<_>) = report.diagnostics.iter().partition(|d| d.class.is_aside());
    let mut cases = String::new();
    let (mut failures, mut skipped) = (0, 0);
    for &kind in Kind::ALL {
        let lines = |list: &[&Finding]| list.iter().map(|f| short::finding(f)).collect::<String>();
        let errors = of_kind(&report.findings, kind, true);
        let _ = write!(cases, "    <testcase classname=\"cudair\" name=\"{kind}\" time=\"0\"");
        let mut inner = String::new();
        // A kind fails also where all its errors are left out for their number.
        if let Some(first) = errors.first() {
            failures += 1;
            let message = match errors.len() {
                1 => first.message.clone(),
                n => format!("{} (and {} more)", first.message, n - 1),
            };
            element(
                &mut inner,
                "failure",
                &[("message", &message), ("type", kind.name())],
                &lines(&of_kind(report.listed(), kind, true)),
            );
        } else if report.unchecked.contains(&kind) {
            skipped += 1;
            element(&mut inner, "skipped", &[("message", "was not looked for")], "");
        } else if !told.is_empty() {
            skipped += 1;
            element(&mut inner, "skipped", &[("message", "the command did not come to its end")], "");
        }
        let mut output = lines(&of_kind(report.listed(), kind, false));
        let suppressed: Vec<&Finding> =
            report.suppressed.iter().map(|(f, _)| f).filter(|f| f.kind == kind).collect();
        let known: Vec<&Finding> = report.known().iter().filter(|f| f.kind == kind).collect();
        for (head, list) in [("suppressed", suppressed), ("known (--baseline)", known)] {
            if !list.is_empty() {
                let _ = write!(output, "{head}:\n{}", lines(&list));
            }
        }
        if !output.is_empty() {
            element(&mut inner, "system-out", &[], &output);
        }
        close(&mut cases, &inner);
    }
    let _ = write!(cases, "    <testcase classname=\"cudair\" name=\"command\" time=\"0\"");
    let mut inner = String::new();
    if let Some(first) = told.first() {
        let text: String = told.iter().map(|d| short::diagnostic(d)).collect();
        let of = [("message", first.message.as_str()), ("type", first.class.name())];
        element(&mut inner, "error", &of, &text);
    }
    let verdicts = report.verdicts.iter().map(|v| super::verdict(v) + "\n");
    let output: String = others.into_iter().map(short::diagnostic).chain(verdicts).collect();
    let output = output + &super::human::end(report);
    if !output.is_empty() {
        element(&mut inner, "system-out", &[], &output);
    }
    close(&mut cases, &inner);
    let errors = u8::from(!told.is_empty());
    let counts = format!(
        "tests=\"{}\" failures=\"{failures}\" errors=\"{errors}\" skipped=\"{skipped}\" time=\"0\"",
        Kind::ALL.len() + 1
    );
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"cudair\" {counts}>\n  <testsuite name=\"{}\" \
         {counts}>\n{cases}  </testsuite>\n</testsuites>\n",
        escaped(&report.reproduce)
    )
}

fn element(out: &mut String, name: &str, attributes: &[(&str, &str)], text: &str) {
    let _ = write!(out, "      <{name}");
    for (name, value) in attributes {
        let _ = write!(out, " {name}=\"{}\"", escaped(&value.replace(['\n', '\t', '\r'], " ")));
    }
    if text.is_empty() {
        out.push_str("/>\n");
    } else {
        let _ = writeln!(out, ">{}</{name}>", escaped(text));
    }
}

fn close(out: &mut String, inner: &str) {
    if inner.is_empty() {
        out.push_str("/>\n");
    } else {
        let _ = write!(out, ">\n{inner}    </testcase>\n");
    }
}

/// A text as XML 1.0 takes it, in an attribute too. It has no way to write most control characters.
pub(super) fn escaped(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\n' | '\t' => out.push(c),
            '\u{0}'..='\u{1f}' | '\u{7f}'..='\u{9f}' | '\u{fffe}' | '\u{ffff}' => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use cudair_ir::{Diagnostic, DiagnosticClass};

    /// Whether a text is XML with one root: tags that match, attributes in quotes, and nothing that has to be escaped.
    fn is_well_formed(text: &str) -> bool {
        let Some(text) = text.strip_prefix("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n") else {
            return false;
        };
        let plain = |t: &str| {
            let entities = ["&amp;", "&lt;", "&gt;", "&quot;"];
            let bare = t.match_indices('&').any(|(at, _)| !entities.iter().any(|e| t[at..].starts_with(e)));
            !bare && !t.contains(['<', '>']) && !t.chars().any(|c| c.is_control() && c != '\n' && c != '\t')
        };
        let (mut open, mut roots) = (Vec::new(), 0);
        for (n, part) in text.split('<').enumerate() {
            if n == 0 {
                continue;
            }
            let Some((tag, after)) = part.split_once('>') else { return false };
            if !plain(after) || (open.is_empty() && tag.starts_with('/')) {
                return false;
            }
            if let Some(name) = tag.strip_prefix('/') {
                if open.pop() != Some(name) {
                    return false;
                }
            } else {
                roots += usize::from(open.is_empty());
                let (tag, empty) = tag.strip_suffix('/').map_or((tag, false), |tag| (tag, true));
                let (name, attributes) = tag.split_once(' ').unwrap_or((tag, ""));
                let quoted: Vec<&str> = attributes.split('"').collect();
                if quoted.len().is_multiple_of(2) || !quoted.iter().all(|q| plain(q)) {
                    return false;
                }
                let names = quoted.iter().step_by(2).filter(|q| !q.trim().is_empty());
                if !names.clone().all(|q| q.ends_with('=')) {
                    return false;
                }
                if !empty {
                    open.push(name);
                }
            }
        }
        open.is_empty() && roots == 1
    }

    #[test]
    fn whatever_a_message_holds_the_document_is_well_formed() {
        let text = "a < b && \"c\" > 'd' ]]> \u{1b}[31m\0\r\n\u{ffff}é";
        let mut f = Finding::dynamic(Kind::AssertionFailed, text);
        f.severity = Severity::Warning;
        let report = Report {
            findings: vec![Finding::dynamic(Kind::Deadlock, text), f],
            diagnostics: vec![Diagnostic::new(DiagnosticClass::Limit, text)],
            reproduce: format!("cudair run '{text}'"),
            unchecked: vec![Kind::MemoryLeak],
            ..Report::default()
        };
        let document = render(&report);
        assert!(is_well_formed(&document), "{document}");
        assert!(document.contains("failures=\"1\" errors=\"1\" skipped=\"21\""), "{document}");
        assert!(document.contains("<failure message=\"a &lt; b &amp;&amp; &quot;c&quot;"), "{document}");
        for wrong in ["<a>", "<a b=c/>", "<a/><b/>", "<a>&nbsp;</a>", "<a></b>", "<a>\u{1}</a>"] {
            let head = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
            assert!(!is_well_formed(&format!("{head}{wrong}")), "{wrong}");
        }
    }

    #[test]
    fn nothing_found_is_a_document() {
        let document = render(&Report::default());
        assert!(is_well_formed(&document), "{document}");
        assert!(document.contains("tests=\"23\" failures=\"0\" errors=\"0\" skipped=\"0\""), "{document}");
    }
}
