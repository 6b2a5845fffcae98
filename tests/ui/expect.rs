//! What a test program says about itself, in comments.
//!
//! On the line concerned:
//!
//! - `//~ ERROR shared-race: part of the message` expects a finding with this severity (`ERROR`, `WARNING`,
//!   `NOTE`), this kind and this primary line; the message part may be left out.
//! - `//~^ ERROR kind` means the line above, `//~^^` the one above that.
//! - `//~ RELATED shared-race` expects that a finding of the kind has a related place on this line.
//! - `//~ DIAGNOSTIC unsupported: part of the message` expects a diagnostic that is no finding, of this class.
//!
//! Anywhere, one per line:
//!
//! - `// args: …` arguments of the program; `// stdin: …` a line of its input (may be repeated);
//! - `// flags: …` options of cudair, `// run-flags: …` those that `run` alone has; `// also: FILE…` more files, relative to
//!   this one;
//! - `// exit: N` the exit code, where it does not follow from the findings;
//! - `// revisions: a b` runs the test once as `a` and once as `b`, with `-DREV_a` and `-DREV_b`; `//[a]~ …`
//!   and `//[a] flags: …` count for one of them only;
//! - `// by-run: KERNEL proved` expects that `run --verdicts` proves the kernel's launches for every input, and
//!   `// by-run: KERNEL part of a reason` that it does not, for a reason that says so;
//! - `// std: c++17` names the oldest standard that the program parses under (see `standard.rs`);
//! - `// ignore: why` leaves the test out.

use crate::standard::Standard;
use std::path::Path;

/// A finding, or a diagnostic, that is expected or was met.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// The file, relative to the root.
    pub file: String,
    /// The primary line, from 1.
    pub line: u64,
    /// `ERROR`, `WARNING`, `NOTE` or `DIAGNOSTIC`.
    pub severity: String,
    /// The kind, or the class of a diagnostic.
    pub kind: String,
    /// What the message says, or a part of it.
    pub message: String,
}

impl Found {
    /// Is `met` what this expects?
    pub fn is_met_by(&self, met: &Found) -> bool {
        self.file == met.file
            && self.line == met.line
            && self.severity == met.severity
            && self.kind == met.kind
            && met.message.contains(&self.message)
    }
}

impl std::fmt::Display for Found {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}: {} {}", self.file, self.line, self.severity, self.kind)?;
        if !self.message.is_empty() {
            write!(f, ": {}", self.message)?;
        }
        Ok(())
    }
}

/// What a test program says about itself.
#[derive(Default, Debug)]
pub struct Expectations {
    /// The findings and diagnostics that must be met, no more and no fewer.
    pub found: Vec<Found>,
    /// Places that must be related to a finding of a kind: (file, line, kind).
    pub related: Vec<(String, u64, String)>,
    /// Arguments of the program.
    pub args: Vec<String>,
    /// Options of cudair.
    pub flags: Vec<String>,
    /// Options of `run`.
    pub run_flags: Vec<String>,
    /// Kernels, and what a run says of them: that it proves their launches, or a part of why it does not.
    pub by_run: Vec<(String, String)>,
    /// More files to compile with this one, relative to the root.
    pub also: Vec<String>,
    /// The program's input.
    pub stdin: String,
    /// The exit code, where it is stated.
    pub exit: Option<i32>,
    /// The oldest standard of C++ that the program parses under.
    pub oldest: Option<Standard>,
    /// Why the test is left out.
    pub ignore: Option<String>,
}

impl Expectations {
    /// The exit code of a run that meets these findings, unless the program has its own.
    pub fn exit_code(&self) -> i32 {
        let has = |severity: &str| self.found.iter().any(|found| found.severity == severity);
        self.exit.unwrap_or(if has("DIAGNOSTIC") {
            2
        } else if has("ERROR") {
            3
        } else {
            0
        })
    }
}

/// The names in `// revisions: …`, if there are any.
pub fn revisions(text: &str) -> Vec<String> {
    directives(text)
        .filter(|(_, _, key, _)| *key == "revisions")
        .flat_map(|(_, _, _, value)| value.split_whitespace().map(str::to_owned).collect::<Vec<_>>())
        .collect()
}

/// Reads a program's expectations, for one of its revisions.
pub fn read(path: &Path, text: &str, revision: Option<&str>) -> Result<Expectations, String> {
    let mut expectations = Expectations::default();
    for (_, only, key, value) in directives(text) {
        if only.is_some() && only != revision {
            continue;
        }
        let words = || value.split_whitespace().map(str::to_owned);
        match key {
            "args" => expectations.args.extend(words()),
            "flags" => expectations.flags.extend(words()),
            "run-flags" => expectations.run_flags.extend(words()),
            "also" => {
                let folder = path.parent().unwrap_or(Path::new(""));
                for name in words() {
                    let other = folder.join(name);
                    let text = std::fs::read_to_string(Path::new(super::ROOT).join(&other))
                        .map_err(|error| format!("{}: {error}", other.display()))?;
                    annotations(&other, &text, revision, &mut expectations)?;
                    expectations.also.push(other.to_string_lossy().into_owned());
                }
            }
            "stdin" => {
                expectations.stdin.push_str(value);
                expectations.stdin.push('\n');
            }
            "exit" => {
                expectations.exit = Some(value.parse().map_err(|_| format!("exit code '{value}'"))?);
            }
            "by-run" => {
                let (kernel, what) = value.split_once(' ').ok_or_else(|| format!("by-run: '{value}'"))?;
                expectations.by_run.push((kernel.to_owned(), what.trim().to_owned()));
            }
            "std" => expectations.oldest = Some(Standard::read(value)?),
            "ignore" => expectations.ignore = Some(value.to_owned()),
            _ => {}
        }
    }
    annotations(path, text, revision, &mut expectations)?;
    Ok(expectations)
}

const KEYS: [&str; 10] =
    ["by-run", "args", "flags", "run-flags", "also", "stdin", "exit", "ignore", "revisions", "std"];

/// Every `// key: value` and `//[revision] key: value` at the start of a line.
fn directives(text: &str) -> impl Iterator<Item = (usize, Option<&str>, &str, &str)> {
    text.lines().enumerate().filter_map(|(number, line)| {
        let rest = line.strip_prefix("//").or_else(|| line.strip_prefix(';'))?;
        let (revision, rest) = match rest.strip_prefix('[') {
            Some(rest) => rest.split_once(']').map(|(name, rest)| (Some(name), rest))?,
            None => (None, rest),
        };
        let (key, value) = rest.strip_prefix(' ')?.split_once(':')?;
        KEYS.contains(&key).then(|| (number, revision, key, value.trim()))
    })
}

/// Adds every `//~` and `//[revision]~` of a file.
fn annotations(
    path: &Path,
    text: &str,
    revision: Option<&str>,
    expectations: &mut Expectations,
) -> Result<(), String> {
    let file = path.to_string_lossy().into_owned();
    for (index, line) in text.lines().enumerate() {
        let number = index + 1;
        let mut rest = line;
        while let Some(start) = rest.find("//") {
            rest = &rest[start + 2..];
            let (only, after) = match rest.strip_prefix('[').and_then(|inner| inner.split_once(']')) {
                Some((names, after)) => (Some(names), after),
                None => (None, rest),
            };
            let Some(annotation) = after.strip_prefix('~') else { continue };
            if only.is_some_and(|names| !names.split(',').any(|name| Some(name) == revision)) {
                continue;
            }
            let annotation = annotation.split("//").next().unwrap_or("");
            let up = annotation.chars().take_while(|c| *c == '^').count();
            let annotation = annotation[up..].trim();
            let problem = || format!("{file}:{number}: cannot read the annotation '{annotation}'");
            let (severity, what) = annotation.split_once(' ').ok_or_else(problem)?;
            let (kind, message) = what.split_once(':').unwrap_or((what, ""));
            let line = number.checked_sub(up).filter(|line| *line > 0).ok_or_else(problem)? as u64;
            let kind = kind.trim().to_owned();
            match severity {
                "RELATED" => expectations.related.push((file.clone(), line, kind)),
                "ERROR" | "WARNING" | "NOTE" | "DIAGNOSTIC" => expectations.found.push(Found {
                    file: file.clone(),
                    line,
                    severity: severity.to_owned(),
                    kind,
                    message: message.trim().to_owned(),
                }),
                _ => return Err(problem()),
            }
        }
    }
    Ok(())
}
