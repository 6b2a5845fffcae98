//! `--baseline`: what an earlier report knew of. Findings that it has are counted; only new ones are told, and decide the exit
//! code.
//!
//! A finding is known by its content, which [`fingerprint`] sums up: kind, kernel, message without its numbers, and the
//! text of its line. Where the line stands in the file does not count. As many findings of one content are
//! known as the report has.

use crate::render::Sources;
use cudair_ir::{Diagnostic, DiagnosticClass, Finding, Pos, Severity, Span};
use rustc_hash::FxHashMap;
use serde_json::Value;
use std::path::Path;

/// What came of a comparison with an earlier report.
#[derive(Clone, Debug, Default)]
pub struct Compared {
    /// Findings that the report has.
    pub known: Vec<Finding>,
    /// What the report has and was not found now.
    pub absent: Vec<Entry>,
}

impl Compared {
    /// Whether there is nothing to tell.
    pub fn is_empty(&self) -> bool {
        self.known.is_empty() && self.absent.is_empty()
    }
}

/// A finding of an earlier report.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entry {
    /// Its content.
    pub fingerprint: String,
    /// Its kind, by name.
    pub kind: String,
    /// Its severity, by name.
    pub severity: String,
    /// What it said.
    pub message: String,
    /// Its kernel.
    pub kernel: Option<String>,
    /// Where it was then.
    pub place: Option<Span>,
}

/// The findings of earlier reports.
#[derive(Clone, Debug, Default)]
pub struct Baseline {
    entries: Vec<Entry>,
}

impl Baseline {
    /// Reads a report: lines of JSON or a SARIF document.
    ///
    /// # Errors
    /// A file that cannot be read, or that is no report.
    pub fn read(file: &Path) -> Result<Baseline, Box<Diagnostic>> {
        let name = file.display();
        let wrong = |why: &str| {
            let mut d = Diagnostic::new(DiagnosticClass::Usage, format!("{name}: {why}"));
            d.help = Some(
                "make one with `--report json:FILE` or `--report sarif:FILE`; nothing was run".to_owned(),
            );
            Box::new(d)
        };
        let text = std::fs::read_to_string(file).map_err(|e| wrong(&format!("cannot be read: {e}")))?;
        let entries = match serde_json::from_str::<Value>(&text) {
            Ok(document) if document["runs"].is_array() => of_document(&document),
            _ => of_lines(&text),
        };
        let entries = entries.ok_or_else(|| wrong("is not a report of cudair in JSON or SARIF"))?;
        if entries.iter().any(|e| e.fingerprint.is_empty()) {
            return Err(wrong("a finding in it has no fingerprint"));
        }
        Ok(Baseline { entries })
    }

    /// Takes out of a list the findings that the report has. What it has and nobody found is told where the command
    /// looked for all; `others` were found too, but are left out for other reasons.
    pub fn compare<'a>(
        &self,
        findings: &mut Vec<Finding>,
        others: impl Iterator<Item = &'a Finding>,
        all: bool,
        sources: &mut Sources,
    ) -> Compared {
        let mut left: FxHashMap<String, Vec<&Entry>> = FxHashMap::default();
        self.entries.iter().for_each(|e| left.entry(e.fingerprint.clone()).or_default().push(e));
        // What has become worse is not known.
        let covers =
            |e: &Entry, f: &Finding| Severity::from_name(&e.severity).is_some_and(|s| s >= f.severity);
        let mut take = |f: &Finding| {
            let entries = left.get_mut(&fingerprint(f, sources));
            let found = entries.and_then(|l| Some((l.iter().rposition(|e| covers(e, f))?, l)));
            found.map(|(at, l)| l.remove(at)).is_some()
        };
        let mut known = Vec::new();
        findings.retain(|f| {
            let is_known = take(f);
            if is_known {
                known.push(f.clone());
            }
            !is_known
        });
        others.for_each(|f| {
            take(f);
        });
        let mut absent = Vec::new();
        if all {
            // In the order of the report.
            for entry in &self.entries {
                if left.get_mut(&entry.fingerprint).is_some_and(|l| l.pop().is_some()) {
                    absent.push(entry.clone());
                }
            }
        }
        Compared { known, absent }
    }
}

/// The findings of a report of lines; `None` where no line is one of ours. What a program wrote between them is passed over.
fn of_lines(text: &str) -> Option<Vec<Entry>> {
    let lines = text.lines().filter_map(|l| serde_json::from_str::<Value>(l).ok());
    let ours: Vec<Value> = lines.filter(|v| v["schema"] == 1).collect();
    let is_finding = |v: &&Value| v["type"] == "finding" || v.get("type").is_none();
    let entry = |v: &Value| {
        let p = &v["primary"];
        let [line, col, end_line, end_col] =
            ["line", "column", "end_line", "end_column"].map(|n| number(&p[n]));
        Entry {
            fingerprint: text_of(&v["fingerprint"]),
            kind: text_of(&v["kind"]),
            severity: text_of(&v["severity"]),
            message: text_of(&v["message"]),
            kernel: v["kernel"].as_str().map(str::to_owned),
            place: place(&p["file"], [line, col, end_line, end_col]),
        }
    };
    (!ours.is_empty()).then(|| ours.iter().filter(is_finding).map(entry).collect())
}

/// The results of a SARIF document; `None` where it is not one of ours.
fn of_document(document: &Value) -> Option<Vec<Entry>> {
    let runs = document["runs"].as_array()?;
    let ours = runs.iter().filter(|r| r["tool"]["driver"]["name"] == "cudair");
    let mut ours = ours.peekable();
    ours.peek()?;
    let results = ours.filter_map(|r| r["results"].as_array()).flatten();
    let entry = |r: &Value| {
        let p = &r["locations"][0]["physicalLocation"];
        let region = &p["region"];
        let at = ["startLine", "startColumn", "endLine", "endColumn"].map(|n| number(&region[n]));
        Entry {
            fingerprint: text_of(&r["partialFingerprints"][FINGERPRINT]),
            kind: text_of(&r["ruleId"]),
            severity: text_of(&r["level"]),
            message: text_of(&r["message"]["text"]),
            kernel: r["properties"]["kernel"].as_str().map(str::to_owned),
            place: place(&Value::String(unescaped(&text_of(&p["artifactLocation"]["uri"]))), at),
        }
    };
    Some(results.filter(|r| r["baselineState"] != "absent").map(entry).collect())
}

/// The name of [`fingerprint`] in SARIF.
pub const FINGERPRINT: &str = "cudair/v1";

fn text_of(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

fn number(value: &Value) -> u32 {
    value.as_u64().and_then(|n| u32::try_from(n).ok()).unwrap_or(0)
}

fn place(file: &Value, [line, col, end_line, end_col]: [u32; 4]) -> Option<Span> {
    let file = file.as_str().filter(|f| !f.is_empty())?.to_owned();
    let (start, end) = (Pos { line, col }, Pos { line: end_line, col: end_col });
    Some(Span { file, start, end, spelling: None, label: String::new() })
}

/// The path of a URI that we wrote.
fn unescaped(uri: &str) -> String {
    let text = uri.strip_prefix("file://").unwrap_or(uri);
    let mut bytes = Vec::new();
    let mut rest = text.as_bytes();
    while let [first, after @ ..] = rest {
        let code = after.get(..2).and_then(|two| std::str::from_utf8(two).ok());
        match code.and_then(|two| u8::from_str_radix(two, 16).ok()) {
            Some(byte) if *first == b'%' => {
                bytes.push(byte);
                rest = &after[2..];
            }
            _ => {
                bytes.push(*first);
                rest = after;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// What a finding is known by in later runs: a number in 16 digits that is the same as long as its kind, its kernel, the words
/// of its message and the text of its line are.
pub fn fingerprint(f: &Finding, sources: &mut Sources) -> String {
    let line = f.primary.as_ref().and_then(|s| {
        let text = sources.text(&s.file)?;
        let line = text.lines().nth((s.start.line as usize).checked_sub(1)?)?;
        Some(line.split_whitespace().collect::<Vec<_>>().join(" "))
    });
    let parts = [
        f.kind.name(),
        f.kernel.as_deref().unwrap_or_default(),
        &without_numbers(&f.message.replace("just past the end", "0 bytes past the end"))
            .replace("# bytes", "# byte"),
        line.as_deref().unwrap_or_default(),
    ];
    // FNV-1a, which is the same everywhere.
    let bytes = parts.iter().flat_map(|part| part.bytes().chain([0]));
    let hash = bytes.fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    format!("{hash:016x}")
}

/// A message with each number as `#`; names keep theirs.
fn without_numbers(message: &str) -> String {
    let mut out = String::new();
    let mut chars = message.chars().peekable();
    let mut in_name = false;
    while let Some(c) = chars.next() {
        if c.is_ascii_digit() && !in_name {
            while chars.next_if(|c| c.is_ascii_alphanumeric()).is_some() {}
            out.push('#');
            continue;
        }
        in_name = c.is_alphanumeric() || c == '_';
        out.push(c);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::render;
    use cudair_ir::Kind;

    const BEFORE: &str = "int a;\nint b = tile[t + 1];\nint c;\n";
    /// Other lines in front, and other space in the line.
    const AFTER: &str = "// new\n// new\nint a;\n    int b = tile[t  + 1];\nint c;\n";

    fn finding(line: u32, message: &str) -> Finding {
        let at = |col| Pos { line, col };
        let mut f = Finding::dynamic(Kind::SharedRace, message);
        f.kernel = Some("k1".to_owned());
        let file = "a b.cu".to_owned();
        f.primary = Some(Span { file, start: at(9), end: at(13), spelling: None, label: String::new() });
        f
    }

    fn sources(text: &str) -> Sources {
        let mut sources = Sources::default();
        sources.insert("a b.cu", text);
        sources
    }

    #[test]
    fn content_counts_and_lines_do_not() {
        let (mut before, mut after) = (sources(BEFORE), sources(AFTER));
        let first = fingerprint(&finding(2, "thread (0,1,0), insert before line 26"), &mut before);
        assert_eq!(first, fingerprint(&finding(4, "thread (7,1,0), insert before line 8"), &mut after));
        assert_ne!(first, fingerprint(&finding(3, "thread (0,1,0), insert before line 26"), &mut before));
        assert_ne!(first, fingerprint(&finding(2, "other words"), &mut before));
        let mut of = |words| fingerprint(&finding(2, words), &mut before);
        assert_eq!(
            of("a read of 1 byte: just past the end of `a`"),
            of("a read of 4 bytes: 8 bytes past the end of `a`")
        );
        let mut other = finding(2, "thread (0,1,0), insert before line 26");
        other.kernel = Some("k2".to_owned());
        assert_ne!(first, fingerprint(&other, &mut before));
        assert_eq!(without_numbers("0x7f of `buf2` at 12, -3 é4"), "# of `buf2` at #, -# é4");
    }

    #[test]
    fn what_has_become_worse_is_new() {
        let mut mild = finding(2, "one");
        mild.severity = Severity::Warning;
        let report = |f: &Finding| render::Report { findings: vec![f.clone()], ..render::Report::default() };
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("report");
        for (before, after, known) in [(&mild, finding(2, "one"), 0), (&finding(2, "one"), mild.clone(), 1)] {
            let json = crate::cli::Format::Json;
            let text = render::render(&report(before), &mut sources(BEFORE), json, render::Look::default());
            std::fs::write(&path, text).expect("it can be written");
            let baseline = Baseline::read(&path).expect("a report");
            let compared = baseline.compare(&mut vec![after], [].iter(), true, &mut sources(BEFORE));
            assert_eq!(compared.known.len(), known);
        }
    }

    #[test]
    fn reports_of_both_forms_are_read_back() {
        let report = render::Report {
            findings: vec![finding(2, "one"), finding(2, "one"), finding(3, "two")],
            reproduce: "cudair run 'a b.cu'".to_owned(),
            ..render::Report::default()
        };
        let folder = tempfile::tempdir().expect("a folder");
        for format in [crate::cli::Format::Json, crate::cli::Format::Sarif] {
            let path = folder.path().join("report");
            let text = render::render(&report, &mut sources(BEFORE), format, render::Look::default());
            std::fs::write(&path, text).expect("it can be written");
            let baseline = Baseline::read(&path).expect("a report");
            let mut found =
                vec![finding(4, "one"), finding(4, "one"), finding(4, "one"), finding(5, "three")];
            let mut after = sources(AFTER);
            let compared = baseline.compare(&mut found, [].iter(), true, &mut after);
            assert_eq!((compared.known.len(), found.len()), (2, 2), "{format:?}");
            let [absent] = &compared.absent[..] else { panic!("{:?}", compared.absent) };
            assert_eq!((absent.message.as_str(), absent.severity.as_str()), ("two", "error"));
            assert_eq!(
                absent.place.as_ref().map(|s| (s.file.as_str(), s.start)),
                Some(("a b.cu", Pos { line: 3, col: 9 }))
            );
            let mut none = Vec::new();
            let compared = baseline.compare(&mut none, report.findings.iter(), true, &mut sources(BEFORE));
            assert!(compared.is_empty(), "what is found and left out is not gone");
        }
    }

    #[test]
    fn what_is_no_report_is_refused() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("report");
        assert!(Baseline::read(&path).is_err());
        for text in ["", "no report\n", "{}", "{\"schema\":1,\"type\":\"finding\",\"kind\":\"deadlock\"}\n"] {
            std::fs::write(&path, text).expect("it can be written");
            assert!(Baseline::read(&path).is_err(), "{text}");
        }
        std::fs::write(&path, "output\n{\"schema\":1,\"type\":\"summary\"}\n").expect("it can be written");
        assert!(Baseline::read(&path).is_ok_and(|b| b.entries.is_empty()));
    }
}
