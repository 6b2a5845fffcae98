//! A program of the suite: run as it is and rewritten, and what has to be the same.

use crate::ROOT;
use crate::expect;
use crate::host::{self, Asked};
use crate::process::{self, Input, Outcome, difference};
use crate::rewrite::digraphs::plain_spelling;
use crate::text::{Text, line_of, offset_of};
use crate::token::tokens;
use cudair_frontend::Options;
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;

/// How a program is run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verb {
    /// `cudair run`
    Run,
    /// `cudair check`
    Check,
    /// `cudair run`, and the system's compiler as well.
    Native,
}

/// A program, in one of its revisions.
#[derive(Clone, Debug)]
pub struct Program {
    /// Its file, relative to the root.
    pub path: PathBuf,
    /// How it is run.
    pub verb: Verb,
    /// Its name: the path, and the revision behind `#`.
    pub name: String,
    /// Options of cudair.
    flags: Vec<String>,
    arguments: Vec<String>,
    stdin: String,
    /// More files of the program.
    pub also: Vec<String>,
    /// The suite expects that cudair takes it for what it cannot run.
    pub is_refused: bool,
}

impl Program {
    /// The revisions of a file, each a program; none if the file says that it is to be ignored.
    pub fn read(path: &Path, verb: Verb) -> Result<Vec<Program>, String> {
        let text = std::fs::read_to_string(Path::new(ROOT).join(path)).map_err(|e| e.to_string())?;
        let name = path.to_string_lossy().into_owned();
        let mut program = Program {
            path: path.to_owned(),
            verb,
            name: name.clone(),
            flags: Vec::new(),
            arguments: Vec::new(),
            stdin: String::new(),
            also: Vec::new(),
            is_refused: false,
        };
        if verb == Verb::Native {
            let asked = host::asked(&text)?;
            program.flags.extend(asked.standard.map(|standard| format!("-std={standard}")));
            program.arguments = asked.arguments;
            program.stdin = asked.stdin;
            return Ok(vec![program]);
        }
        let mut revisions: Vec<Option<String>> = expect::revisions(&text).into_iter().map(Some).collect();
        if revisions.is_empty() {
            revisions.push(None);
        }
        let mut programs = Vec::new();
        for revision in revisions {
            let expected = expect::read(path, &text, revision.as_deref())?;
            if expected.ignore.is_some() {
                continue;
            }
            let mut program = program.clone();
            program.is_refused = expected.exit_code() == 2;
            program.flags = expected.flags;
            program.arguments = expected.args;
            program.stdin = expected.stdin;
            program.also = expected.also;
            if let Some(revision) = revision {
                program.flags.push(format!("-DREV_{revision}"));
                program.name = format!("{name}#{revision}");
            }
            programs.push(program);
        }
        Ok(programs)
    }

    /// The options as the frontend takes them.
    pub fn options(&self) -> Options {
        let mut options = Options::default();
        for flag in &self.flags {
            if let Some(name) = flag.strip_prefix("-D") {
                options.macros.push(format!("D{name}"));
            } else if let Some(standard) = flag.strip_prefix("-std=") {
                options.std = Some(standard.to_owned());
            } else if let Some(number) = flag.strip_prefix("-arch=sm_") {
                options.arch = number.parse::<u32>().map_or(options.arch, |n| n * 10);
            }
        }
        options
    }

    /// Runs it below a folder that has it at its place.
    pub fn run(&self, folder: &Path) -> Result<Observed, String> {
        let report = tempfile::tempdir().map_err(|e| e.to_string())?;
        let report = report.path().join("report.json");
        // CUDAIR_BIN names another binary to test.
        let binary = std::env::var_os("CUDAIR_BIN").unwrap_or_else(|| env!("CARGO_BIN_EXE_cudair").into());
        let mut command = Command::new(binary);
        command.arg(if self.verb == Verb::Check { "check" } else { "run" });
        // Where a barrier belongs is another line in a changed program.
        command.args(["--no-repair", "--format", "json", "--report"]).arg(&report).args(&self.flags);
        command.arg(&self.path).args(&self.also);
        if self.verb != Verb::Check {
            command.arg("--").args(&self.arguments);
        }
        let outcome = process::run(&mut command, folder, Input::Text(&self.stdin))?;
        let lines = std::fs::read_to_string(&report).unwrap_or_default();
        let mut findings = Vec::new();
        for line in lines.lines().chain(outcome.stderr.lines().filter(|line| line.starts_with("{\"schema\"")))
        {
            let value: Value =
                serde_json::from_str(line).map_err(|error| format!("not JSON ({error}): {line}"))?;
            if value["type"] != "summary" {
                findings.push(value);
            }
        }
        Ok(Observed { outcome, findings })
    }

    /// Compiles and runs it with the system's compiler, below a folder that has it at its place.
    pub fn natively(&self, folder: &Path) -> Result<Outcome, String> {
        let standard = self.flags.iter().find_map(|flag| flag.strip_prefix("-std=")).map(str::to_owned);
        let asked =
            Asked { standard, arguments: self.arguments.clone(), stdin: self.stdin.clone(), warns: false };
        host::natively(folder, &self.path, &asked)
    }
}

/// What a run showed.
pub struct Observed {
    /// Exit code and output.
    pub outcome: Outcome,
    /// Findings and diagnostics, as JSON.
    pub findings: Vec<Value>,
}

/// Makes a folder that looks like the repository, but that the program's own folder is its own: what is written there
/// does not reach the repository.
pub fn mirror(to: &Path, path: &Path) -> Result<(), String> {
    let say = |e: std::io::Error| e.to_string();
    let mut below = PathBuf::new();
    let mut components = path.components().peekable();
    while let Some(component) = components.next() {
        for entry in std::fs::read_dir(Path::new(ROOT).join(&below)).map_err(say)? {
            let name = entry.map_err(say)?.file_name();
            if name != component.as_os_str() {
                let (from, to) = (Path::new(ROOT).join(&below).join(&name), to.join(&below).join(&name));
                std::os::unix::fs::symlink(from, to).map_err(say)?;
            }
        }
        below.push(component);
        if components.peek().is_some() {
            std::fs::create_dir(to.join(&below)).map_err(say)?;
        }
    }
    Ok(())
}

/// Whether a finding says that something is not supported.
fn is_refusal(finding: &Value) -> bool {
    finding["class"] == "unsupported"
}

/// Whether a finding is about what a kernel costs.
fn is_advice(finding: &Value) -> bool {
    ["bank-conflict", "uncoalesced-access", "warp-divergence"].iter().any(|kind| finding["kind"] == *kind)
}

/// The rewritten program and the one that it was made of.
pub struct Pair<'a> {
    /// The program.
    pub program: &'a Program,
    /// The original's text.
    pub original: &'a str,
    /// The rewritten text.
    pub text: &'a Text,
}

impl Pair<'_> {
    /// What differs between the two runs.
    pub fn compare(&self, before: &Observed, after: &Observed) -> Result<(), String> {
        let mut problems = Vec::new();
        if before.outcome.code != after.outcome.code {
            problems.push(format!("exit code {}, rewritten {}", before.outcome.code, after.outcome.code));
        }
        problems.extend(difference("stdout", &before.outcome.stdout, &after.outcome.stdout));
        let mut unmet: Vec<&Value> = before.findings.iter().collect();
        let mut surplus = Vec::new();
        for found in &after.findings {
            match unmet.iter().position(|expected| self.is_same(expected, found)) {
                Some(index) => drop(unmet.remove(index)),
                None => surplus.push(found),
            }
        }
        // All that `main` cannot run is told; of a function that it calls, what a run comes to first.
        if self.text.text().contains("_main_body(") && after.findings.iter().any(is_refusal) {
            unmet.retain(|value| !is_refusal(value));
        }
        // What accesses cost is counted by place: of all that a macro stands for now at the macro's use.
        let advised: Vec<Value> =
            surplus.iter().filter(|v| self.is_advice_at_macro(v)).map(|v| v["kind"].clone()).collect();
        unmet.retain(|v| !(is_advice(v) && advised.contains(&v["kind"])));
        surplus.retain(|v| !self.is_advice_at_macro(v));
        problems.extend(unmet.iter().map(|value| format!("only before: {}", brief(value))));
        problems.extend(surplus.iter().map(|value| format!("only after:  {}", brief(value))));
        if problems.is_empty() {
            return Ok(());
        }
        problems.push(format!("--- stderr\n{}", process::clip(&after.outcome.stderr)));
        Err(problems.join("\n"))
    }

    /// Whether a finding advises on the accesses of a macro that a rewrite made.
    fn is_advice_at_macro(&self, finding: &Value) -> bool {
        let place = &finding["primary"];
        let number = |key: &str| place[key].as_u64().unwrap_or(0);
        let written = self.text.text();
        let start = offset_of(&written, number("line"), number("column"));
        let begins = start.and_then(|at| written.get(at..)).is_some_and(|text| text.starts_with("MM"));
        is_advice(finding) && begins
    }

    /// Whether a place is the call of the function that a rewrite made of `main`'s body.
    fn is_call_of_body(&self, place: &Value) -> bool {
        let number = |key: &str| place[key].as_u64().unwrap_or(0);
        let written = self.text.text();
        let call = offset_of(&written, number("line"), number("column")).and_then(|at| written.get(at..));
        call.is_some_and(|text| text.split('(').next().is_some_and(|name| name.ends_with("_main_body")))
    }

    /// Are these the same finding, its places mapped back?
    fn is_same(&self, before: &Value, after: &Value) -> bool {
        if is_refusal(before) && is_refusal(after) {
            return self.is_same_refusal(before, after);
        }
        let same = |key: &str| is_same_text(&before[key], &after[key]);
        let none = Vec::new();
        let related = |value: &Value| value["related"].as_array().unwrap_or(&none).clone();
        let (old, new) = (related(before), related(after));
        ["type", "kind", "class", "severity", "message", "kernel", "launch", "count"]
            .iter()
            .all(|key| same(key))
            && (self.is_same_place(&before["primary"], &after["primary"]) && self.are_same_places(&old, &new)
                || new.is_empty()
                    && joined(&before["primary"], &old)
                        .is_some_and(|place| self.is_same_place(&place, &after["primary"])))
    }

    fn are_same_places(&self, old: &[Value], new: &[Value]) -> bool {
        let is_known = |new| self.is_call_of_body(new) || old.iter().any(|old| self.is_same_place(old, new));
        let is_told =
            |place| new.iter().any(|new| self.is_same_place(place, new)) || self.is_covered(place, old, new);
        new.iter().all(is_known) && old.iter().all(is_told)
    }

    /// Is the same refused at the same place? What is refused in `main` itself is told in other words than what `main`
    /// calls, with no way that leads to it; a body that became a function of its own is called.
    fn is_same_refusal(&self, before: &Value, after: &Value) -> bool {
        let message = |value: &Value| {
            let text = value["message"].as_str().unwrap_or("");
            Value::from(text.strip_prefix("not supported: ").unwrap_or(text))
        };
        let place = |value: &Value| {
            let mut place = value["primary"].clone();
            if let Some(label) = place.get_mut("label") {
                *label = Value::from("");
            }
            place
        };
        before["severity"] == after["severity"]
            && is_same_text(&message(before), &message(after))
            && self.is_same_place(&place(before), &place(after))
    }

    /// Whether a place lies in another that a macro stands for now: the macro's use is shown once.
    fn is_covered(&self, place: &Value, old: &[Value], new: &[Value]) -> bool {
        let at = |value: &Value, line: &str, column: &str| (value[line].as_u64(), value[column].as_u64());
        let range = |v: &Value| (at(v, "line", "column"), at(v, "end_line", "end_column"));
        let (start, end) = range(place);
        let around = old.iter().filter(|&o| o != place && o["file"] == place["file"]).filter(|&o| {
            let (from, to) = range(o);
            from <= start && end <= to
        });
        around.into_iter().any(|o| {
            let is_macro = |n: &&Value| n["label"].as_str().is_some_and(|label| label.contains("`MM"));
            new.iter().filter(is_macro).any(|n| self.is_same_place(o, n))
        })
    }

    fn is_same_place(&self, before: &Value, after: &Value) -> bool {
        if !is_same_text(&before["label"], &after["label"]) {
            return false;
        }
        let own = self.program.path.to_string_lossy();
        let file = after["file"].as_str().unwrap_or("");
        let text = if file == own {
            self.text
        } else if let Some((_, part)) = self
            .text
            .headers
            .iter()
            .find(|(name, _)| self.program.path.with_file_name(name) == Path::new(file))
        {
            part
        } else {
            return ["file", "line", "column"].iter().all(|key| before[key] == after[key]);
        };
        let number = |value: &Value, key: &str| value[key].as_u64().unwrap_or(0);
        let offset = |text: &str, value: &Value, line: &str, column: &str| {
            offset_of(text, number(value, line), number(value, column))
        };
        let written = text.text();
        before["file"] == *own
            && [("line", "column"), ("end_line", "end_column")].iter().all(|(line, column)| {
                // Of the use of a macro within another's argument libclang knows the start alone.
                let has_no_end = after["line"] == after["end_line"] && after["column"] == after["end_column"];
                // Of a new-expression in an instance of a template it knows the first word alone.
                let start = offset(&written, after, "line", "column");
                let end = offset(&written, after, "end_line", "end_column");
                let is_new = start.zip(end).is_some_and(|(from, to)| written.get(from..to) == Some("new"));
                if (has_no_end || is_new) && *line == "end_line" {
                    return true;
                }
                let expected = offset(self.original, before, line, column);
                let origin = offset(&written, after, line, column).and_then(|at| text.origin(at));
                match (expected, origin) {
                    (Some(expected), Some((low, high))) => {
                        (low..=high).contains(&expected) || self.near(expected, low, high)
                    }
                    _ => false,
                }
            })
    }

    /// Whether only blanks lie between a place and where it should be: a node's end is that of its last token, and a
    /// token's start that of what was put before it.
    fn near(&self, expected: usize, low: usize, high: usize) -> bool {
        let between = if expected < low { expected..low } else { high..expected };
        self.original.get(between).is_some_and(|text| {
            text.trim().is_empty()
                && line_of(self.original, expected).abs_diff(line_of(self.original, low)) <= 1
        })
    }
}

/// The place of a finding of two accesses that stand in the use of one macro: a report shows it once.
fn joined(primary: &Value, related: &[Value]) -> Option<Value> {
    let [second] = related else { return None };
    let (at, one) = primary["label"].as_str()?.split_once(" by ")?;
    let (other, two) = second["label"].as_str()?.split_once(" by ")?;
    let label = match two {
        _ if at != other => format!("{at} by {one}, {other} by {two}"),
        "the other" => format!("{at} by both of them"),
        _ => format!("{at} by {one} and {two}"),
    };
    let mut place = primary.clone();
    place["label"] = Value::from(label);
    Some(place)
}

/// Are these two values the same, or texts that quote the same code, which a rewrite spells otherwise?
fn is_same_text(before: &Value, after: &Value) -> bool {
    let (Some(before), Some(after)) = (before.as_str(), after.as_str()) else { return before == after };
    // A function that became a template has an argument.
    let plain = |text: &str| {
        ["<0>", "<void>", "<nullptr>", "<…>"].iter().fold(text.to_owned(), |t, a| t.replace(a, ""))
    };
    let (before, after) = (plain(before), plain(after));
    // What a program states is quoted with its comments, brackets and line ends, all of which a rewrite adds.
    if ["the assertion `", "the assumption `"].iter().any(|p| before.starts_with(p) && after.starts_with(p)) {
        return true;
    }
    let (old, new): (Vec<&str>, Vec<&str>) = (before.split('`').collect(), after.split('`').collect());
    // What is behind a macro is quoted by the macro's name.
    let is_same_code = |old: &str, new: &str| new.contains("MM") || spellings(old) == spellings(new);
    // What is long or goes over more lines is not quoted; the use of a macro in its place is short.
    let unquoted = |quoted: &[&str]| match quoted {
        [before, _, behind] => Some(format!("{before}this{behind}")),
        _ => None,
    };
    if unquoted(&old).is_some_and(|text| text == after)
        || unquoted(&new).is_some_and(|text| text == before && new[1].contains("MM"))
    {
        return true;
    }
    old.len() == new.len()
        && old.iter().zip(&new).enumerate().all(|(i, (a, b))| a == b || (i % 2 == 1 && is_same_code(a, b)))
}

/// The tokens of quoted code in one spelling, without brackets.
fn spellings(code: &str) -> Vec<String> {
    let tokens = tokens(code, true).into_iter().map(|token| plain_spelling(&token.text).to_owned());
    tokens.filter(|text| !matches!(text.as_str(), "(" | ")" | "{" | "}")).collect()
}

/// A finding in a line.
fn brief(value: &Value) -> String {
    let place = |value: &Value| {
        let text = |key: &str| value[key].to_string();
        format!(
            "{}:{}:{}-{}:{} {}",
            value["file"].as_str().unwrap_or("?"),
            text("line"),
            text("column"),
            text("end_line"),
            text("end_column"),
            text("label")
        )
    };
    let related: Vec<String> =
        value["related"].as_array().into_iter().flatten().map(|r| format!("\n      {}", place(r))).collect();
    let kind = value["kind"].as_str().or(value["class"].as_str()).unwrap_or("?");
    format!(
        "{} {kind}: {} x{} kernel {}\n      {}{}",
        value["severity"],
        value["message"],
        value["count"],
        value["kernel"],
        place(&value["primary"]),
        related.concat()
    )
}
