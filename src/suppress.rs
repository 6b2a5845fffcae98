//! Findings that the user does not want to hear of: `// cudair: allow(KIND)` in the source, and the lines
//! of a file given with `--suppress`.
//!
//! A comment speaks for its own line; where it stands alone on a line, for the next one as well. A line of
//! the file is `KIND`, `KIND PATH` or `KIND PATH:LINE`; the path may hold `*` and `?`, and a path that does
//! not start with `/` fits the end of a longer one (`sum.cu` fits `src/sum.cu`).

use crate::cli;
use crate::pipeline::MAX_TOLD;
use crate::render::Sources;
use cudair_ir::{Diagnostic, DiagnosticClass, Finding, Kind, Pos, SourceMap, Span};
use std::path::Path;

/// Who suppressed a finding.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum By {
    /// A comment in the source.
    Source,
    /// A line of a file.
    File,
}

/// One line of a suppression file.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Rule {
    kind: Kind,
    path: Option<String>,
    line: Option<u32>,
}

/// A rule, where it stands, and whether a finding was met that it names.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Written {
    rule: Rule,
    place: Span,
    used: bool,
}

/// The lines of suppression files.
#[derive(Clone, Default, Debug)]
pub struct Rules {
    rules: Vec<Written>,
}

impl Rules {
    /// Reads a file and adds its lines.
    ///
    /// # Errors
    /// A file that cannot be read, and each line that is not a rule.
    pub fn read(&mut self, file: &Path) -> Result<(), Vec<Diagnostic>> {
        let text = std::fs::read_to_string(file).map_err(|e| {
            let message = format!("{}: cannot be read: {e}", file.display());
            vec![Diagnostic::new(DiagnosticClass::Usage, message)]
        })?;
        let mut wrong = Vec::new();
        for (number, line) in text.lines().enumerate() {
            let content = line.trim();
            if content.is_empty() || content.starts_with('#') {
                continue;
            }
            let indent = line.chars().take_while(|c| c.is_whitespace()).count() as u32;
            let length = content.chars().count() as u32;
            let place = place(&file.to_string_lossy(), number as u32 + 1, indent + 1, length);
            match rule(content) {
                Ok(rule) => self.rules.push(Written { rule, place, used: false }),
                Err((message, help)) => {
                    let mut d = Diagnostic::new(DiagnosticClass::Usage, message);
                    d.primary = Some(place);
                    d.help = Some(help);
                    wrong.push(d);
                }
            }
        }
        if wrong.is_empty() { Ok(()) } else { Err(wrong) }
    }

    /// Who suppresses a finding, if anyone does.
    pub fn suppress(&mut self, finding: &Finding, sources: &mut Sources) -> Option<By> {
        let mut by = None;
        for written in &mut self.rules {
            if written.rule.fits(finding) {
                written.used = true;
                by = Some(By::File);
            }
        }
        if allowed(finding, sources) { Some(By::Source) } else { by }
    }

    /// One warning for each file with lines that no finding fits. Kinds that were not looked for do not count.
    pub fn unmatched(&self, unchecked: &[Kind]) -> Vec<Diagnostic> {
        let mut out: Vec<Diagnostic> = Vec::new();
        let unused = |r: &&Written| !r.used && !unchecked.contains(&r.rule.kind);
        for written in self.rules.iter().filter(unused) {
            let place = Span { label: "this fits none".to_owned(), ..written.place.clone() };
            match out.last_mut() {
                Some(d) if d.primary.as_ref().is_some_and(|p| p.file == place.file) => d.related.push(place),
                _ => {
                    let message = format!("no finding fits what {} suppresses", place.file);
                    let mut d = Diagnostic::new(DiagnosticClass::Warning, message);
                    d.primary = Some(place);
                    out.push(d);
                }
            }
        }
        for d in &mut out {
            let all = d.related.len() + 1;
            if all > 1 {
                let file = d.primary.as_ref().map_or("", |p| &p.file);
                d.message = format!("no finding fits {all} lines of what {file} suppresses");
            }
            if all > MAX_LINES {
                d.related.truncate(MAX_LINES - 1);
                d.help = Some(format!("the first {MAX_LINES} of these lines are shown"));
            }
        }
        out
    }
}

/// Lines of a file that are shown at most.
const MAX_LINES: usize = 5;

/// Part of a line.
fn place(file: &str, line: u32, col: u32, length: u32) -> Span {
    let at = |col| Pos { line, col };
    let (start, end) = (at(col), at(col + length));
    Span { file: file.to_owned(), start, end, spelling: None, label: String::new() }
}

/// Warnings of comments `cudair: allow(KIND)` in a program's files whose kind does not exist.
pub fn unknown_kinds(map: &SourceMap) -> Vec<Diagnostic> {
    let mut out = Vec::new();
    let mut seen: Vec<&str> = Vec::new();
    for file in map.files.values() {
        let Some(text) = file.text.as_ref().filter(|t| t.contains("cudair:")) else { continue };
        if seen.contains(&file.path.as_str()) {
            continue;
        }
        seen.push(&file.path);
        for (number, line) in text.lines().enumerate().filter(|(_, l)| l.contains("cudair:")) {
            for name in allowed_names(line) {
                if Kind::from_name(name).is_some() || out.len() >= MAX_TOLD {
                    continue;
                }
                // The name is part of the line.
                let at = name.as_ptr() as usize - line.as_ptr() as usize;
                let col = line[..at].chars().count() as u32 + 1;
                let message = format!("there is no kind `{name}` that could be allowed");
                let mut d = Diagnostic::new(DiagnosticClass::Warning, message);
                d.primary = Some(place(&file.path, number as u32 + 1, col, name.chars().count() as u32));
                d.help = Some(kind_like(name, "`cudair explain` lists the kinds"));
                out.push(d);
            }
        }
    }
    out
}

/// What is likely meant by a kind that does not exist.
fn kind_like(name: &str, otherwise: &str) -> String {
    let names: Vec<&str> = Kind::ALL.iter().map(|k| k.name()).collect();
    match cli::closest(name, &names) {
        Some(near) => format!("did you mean `{near}`?"),
        None => otherwise.to_owned(),
    }
}

impl Rule {
    fn fits(&self, finding: &Finding) -> bool {
        if self.kind != finding.kind {
            return false;
        }
        let Some(pattern) = &self.path else { return true };
        let Some(place) = &finding.primary else { return false };
        let tail = |at: usize| glob(pattern, &place.file[at..]);
        let fits = tail(0)
            || (!pattern.starts_with('/') && place.file.match_indices('/').any(|(at, _)| tail(at + 1)));
        fits && self.line.is_none_or(|line| line == place.start.line)
    }
}

/// One line of a file, without space around it; else what is wrong and what would mend it.
fn rule(text: &str) -> Result<Rule, (String, String)> {
    let (name, place) = match text.split_once(char::is_whitespace) {
        Some((name, place)) => (name, Some(place.trim())),
        None => (text, None),
    };
    let Some(kind) = Kind::from_name(name) else {
        let form = "a line is KIND, KIND PATH or KIND PATH:LINE; `cudair explain` lists the kinds";
        let help = kind_like(name, form);
        return Err((format!("there is no kind `{name}`"), help));
    };
    let Some(place) = place else { return Ok(Rule { kind, path: None, line: None }) };
    let (path, line) = match place.rsplit_once(':') {
        Some((path, number)) => match number.parse() {
            Ok(line) if line > 0 && !path.is_empty() => (path, Some(line)),
            _ => {
                let message = format!("`{number}` is not the number of a line");
                return Err((message, "write KIND PATH:LINE, such as `shared-race sum.cu:12`".to_owned()));
            }
        },
        None => (place, None),
    };
    Ok(Rule { kind, path: Some(path.strip_prefix("./").unwrap_or(path).to_owned()), line })
}

/// Whether a comment in the source allows the finding.
fn allowed(finding: &Finding, sources: &mut Sources) -> bool {
    let Some(place) = &finding.primary else { return false };
    let Some(text) = sources.text(&place.file) else { return false };
    let Some(at) = (place.start.line as usize).checked_sub(1) else { return false };
    let above = at.checked_sub(1).and_then(|above| text.lines().nth(above));
    text.lines().nth(at).is_some_and(|line| allows(line, finding.kind))
        || above.is_some_and(|line| {
            let line = line.trim_start();
            (line.starts_with("//") || line.starts_with("/*")) && allows(line, finding.kind)
        })
}

/// Whether a line has a comment `cudair: allow(KIND, KIND)` that names the kind.
fn allows(line: &str, kind: Kind) -> bool {
    allowed_names(line).contains(&kind.name())
}

/// The names in the comments `cudair: allow(KIND, KIND)` of a line.
fn allowed_names(line: &str) -> Vec<&str> {
    let mut names = Vec::new();
    let comment = [line.find("//"), line.find("/*")].into_iter().flatten().min();
    let Some(mut rest) = comment.map(|at| &line[at + 2..]) else { return names };
    while let Some((_, after)) = rest.split_once("cudair:") {
        rest = after;
        let list = after
            .trim_start()
            .strip_prefix("allow")
            .and_then(|l| l.trim_start().strip_prefix('(')?.split_once(')'));
        names.extend(list.into_iter().flat_map(|(list, _)| list.split(',').map(str::trim)));
    }
    names
}

/// Whether a text fits a pattern with `*` (anything) and `?` (one character). Takes time in proportion to the
/// product of the lengths at most.
fn glob(pattern: &str, text: &str) -> bool {
    let pattern: Vec<char> = pattern.chars().collect();
    let text: Vec<char> = text.chars().collect();
    let (mut p, mut t) = (0, 0);
    // Where the last star stands, and where the text after what it took.
    let mut star: Option<(usize, usize)> = None;
    while t < text.len() {
        match pattern.get(p) {
            Some('*') => {
                star = Some((p, t));
                p += 1;
            }
            Some(&c) if c == '?' || c == text[t] => {
                p += 1;
                t += 1;
            }
            _ => {
                let Some((at, taken)) = star else { return false };
                star = Some((at, taken + 1));
                p = at + 1;
                t = taken + 1;
            }
        }
    }
    pattern[p..].iter().all(|&c| c == '*')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns() {
        let fits = glob;
        assert!(fits("sum.cu", "sum.cu") && fits("*.cu", "a/sum.cu") && fits("s?m*", "sum.cu"));
        assert!(fits("*a*b*", "xaxxb") && fits("", "") && fits("**", ""));
        assert!(
            !fits("sum.cu", "sum.cuh") && !fits("*.c", "sum.cu") && !fits("?", "") && fits("?.cu", "é.cu")
        );
    }

    #[test]
    fn comments() {
        let k = Kind::SharedRace;
        assert!(allows("x = 1; // cudair: allow(shared-race)", k));
        assert!(allows("/* cudair:allow( global-race , shared-race ) */ x = 1;", k));
        assert!(allows("// see cudair: docs; cudair: allow(shared-race)", k));
        assert!(!allows("x = 1; // cudair: allow(global-race)", k));
        assert!(!allows("allow(shared-race)", k) && !allows("// cudair: allow(shared-race", k));
        assert!(!allows("cudair: allow(shared-race) // no comment", k));
    }

    #[test]
    fn lines_of_a_file() {
        let mut found = Finding::dynamic(Kind::SharedRace, "");
        let at = |line| Pos { line, col: 1 };
        found.primary = Some(Span {
            file: "src/sum.cu".to_owned(),
            start: at(12),
            end: at(12),
            spelling: None,
            label: String::new(),
        });
        for (line, expected) in [
            ("shared-race", true),
            ("shared-race sum.cu", true),
            ("shared-race ./src/sum.cu:12", true),
            ("shared-race src/*:12", true),
            ("shared-race um.cu", false),
            ("shared-race /sum.cu", false),
            ("shared-race sum.cu:13", false),
            ("global-race sum.cu", false),
        ] {
            assert_eq!(rule(line).is_ok_and(|r| r.fits(&found)), expected, "{line}");
        }
        for wrong in ["shard-race", "shared-race sum.cu:x", "shared-race :4", "shared-race sum.cu:0"] {
            assert!(rule(wrong).is_err(), "{wrong}");
        }
    }
}
