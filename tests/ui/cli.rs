//! Tests of the command line: `.case` files.
//!
//! A case is lines of `key: value`, then files. Each `run:` starts a command; the keys after it are what has
//! to hold of it:
//!
//! ```text
//! # A comment.
//! run: run missing.cu
//! exit: 2
//! stderr: missing.cu
//! not-stderr: panicked
//!
//! === name.cu
//! contents, to the next line of this form
//! === binary.cu hex
//! 00 ff 7f
//! ```
//!
//! `stdout:` and `stderr:` are parts that must appear; `stdout-is:` is the whole of it (with `\n` as escapes,
//! empty for none); `json: PATH VALUE` looks into the first line of JSON on stderr (`json: class "parse"`).
//! `stdin:` feeds a line, `env: NAME=VALUE` sets a variable, `unset: NAME` takes one away. `interrupt: TEXT`
//! keeps the input open and presses Ctrl-C as soon as TEXT is on stdout. The commands run in a fresh folder that holds the files; no case may panic.

use crate::process;
use std::path::Path;

struct Step {
    line: usize,
    arguments: Vec<String>,
    stdin: String,
    interrupt: Option<String>,
    variables: Vec<(String, String)>,
    unset: Vec<String>,
    checks: Vec<(usize, String, String)>,
}

/// Runs a case.
pub fn run(path: &Path) -> Result<(), String> {
    let text = std::fs::read_to_string(Path::new(crate::ROOT).join(path)).map_err(|e| e.to_string())?;
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let steps = read(&text, folder.path())?;
    let mut problems = Vec::new();
    for step in steps {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_cudair"));
        let input = match &step.interrupt {
            Some(sign) => process::Input::InterruptAfter(sign),
            None => process::Input::Text(&step.stdin),
        };
        for name in &step.unset {
            command.env_remove(name);
        }
        let outcome = process::run(command.args(&step.arguments).envs(step.variables), folder.path(), input)?;
        let before = problems.len();
        for (line, key, value) in &step.checks {
            if let Some(problem) = check(key, value, &outcome)? {
                problems.push(format!("line {line}: {problem}"));
            }
        }
        if outcome.stderr.contains("panicked at") {
            problems.push("a panic".to_owned());
        }
        if problems.len() > before {
            problems.push(format!(
                "--- line {}: cudair {}: exit {}\n--- stdout\n{}--- stderr\n{}",
                step.line,
                step.arguments.join(" "),
                outcome.code,
                process::clip(&outcome.stdout),
                process::clip(&outcome.stderr)
            ));
        }
    }
    if problems.is_empty() { Ok(()) } else { Err(problems.join("\n")) }
}

/// What does not hold.
fn check(key: &str, value: &str, outcome: &process::Outcome) -> Result<Option<String>, String> {
    let value = value.replace("\\n", "\n");
    let holds = match key {
        "exit" => outcome.code.to_string() == value,
        "stdout" => outcome.stdout.contains(&value),
        "stderr" => outcome.stderr.contains(&value),
        "not-stdout" => !outcome.stdout.contains(&value),
        "not-stderr" => !outcome.stderr.contains(&value),
        "stdout-is" => outcome.stdout == value,
        "stderr-is" => outcome.stderr == value,
        "json" => {
            let (place, expected) = value.split_once(' ').ok_or("json: PATH VALUE")?;
            let expected: serde_json::Value =
                serde_json::from_str(expected).map_err(|error| format!("{expected}: {error}"))?;
            let line = outcome.stderr.lines().find(|line| line.starts_with('{')).unwrap_or("null");
            let mut found: serde_json::Value = serde_json::from_str(line).unwrap_or_default();
            for step in place.split('.') {
                found = match step.parse::<usize>() {
                    Ok(index) => found.get_mut(index).map(serde_json::Value::take),
                    Err(_) => found.get_mut(step).map(serde_json::Value::take),
                }
                .unwrap_or_default();
            }
            found == expected
        }
        _ => return Err(format!("unknown key '{key}'")),
    };
    Ok((!holds).then(|| format!("{key}: {value}")))
}

/// Reads the steps, and writes the files into the folder.
fn read(text: &str, folder: &Path) -> Result<Vec<Step>, String> {
    let mut steps: Vec<Step> = Vec::new();
    let mut file: Option<(String, bool, String)> = None;
    let flush = |file: Option<(String, bool, String)>| -> Result<(), String> {
        let Some((name, hex, contents)) = file else { return Ok(()) };
        let bytes = if hex {
            contents
                .split_whitespace()
                .map(|byte| u8::from_str_radix(byte, 16).map_err(|error| format!("{byte}: {error}")))
                .collect::<Result<Vec<_>, _>>()?
        } else {
            contents.into_bytes()
        };
        let path = folder.join(name);
        if let Some(parent) = path.parent() {
            std::fs::create_dir_all(parent).map_err(|error| error.to_string())?;
        }
        std::fs::write(path, bytes).map_err(|error| error.to_string())
    };
    for (index, line) in text.lines().enumerate() {
        let number = index + 1;
        if let Some(name) = line.strip_prefix("=== ") {
            flush(file.take())?;
            let (name, hex) = name.strip_suffix(" hex").map_or((name, false), |name| (name, true));
            file = Some((name.trim().to_owned(), hex, String::new()));
            continue;
        }
        if let Some((_, _, contents)) = &mut file {
            contents.push_str(line);
            contents.push('\n');
            continue;
        }
        if line.trim().is_empty() || line.starts_with('#') {
            continue;
        }
        let (key, value) = line.split_once(':').ok_or_else(|| format!("line {number}: {line}"))?;
        let value = value.trim();
        match (key, steps.last_mut()) {
            ("run", _) => steps.push(Step {
                line: number,
                arguments: value.split_whitespace().map(str::to_owned).collect(),
                stdin: String::new(),
                interrupt: None,
                variables: Vec::new(),
                unset: Vec::new(),
                checks: Vec::new(),
            }),
            (_, None) => return Err(format!("line {number}: '{key}' before the first 'run'")),
            ("stdin", Some(step)) => {
                step.stdin.push_str(value);
                step.stdin.push('\n');
            }
            ("env", Some(step)) => {
                let pair = value.split_once('=').ok_or_else(|| format!("line {number}: env: NAME=VALUE"))?;
                step.variables.push((pair.0.to_owned(), pair.1.to_owned()));
            }
            ("unset", Some(step)) => step.unset.push(value.to_owned()),
            ("interrupt", Some(step)) => step.interrupt = Some(value.to_owned()),
            (_, Some(step)) => step.checks.push((number, key.to_owned(), value.to_owned())),
        }
    }
    flush(file)?;
    Ok(steps)
}
