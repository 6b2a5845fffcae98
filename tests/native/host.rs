//! Programs of the host, compiled and run by the system's compiler.

use crate::process::{Input, Outcome, clip, run};
use std::path::Path;
use std::process::Command;

/// What a program asks for.
#[derive(Default)]
pub struct Asked {
    /// The language's standard, where it is not the usual one.
    pub standard: Option<String>,
    /// The program's arguments.
    pub arguments: Vec<String>,
    /// Its input.
    pub stdin: String,
    /// cudair may say more on stderr than the program does.
    pub warns: bool,
}

/// Reads what a program says of itself.
pub fn asked(text: &str) -> Result<Asked, String> {
    let mut asked = Asked::default();
    for line in text.lines().take_while(|l| l.is_empty() || l.starts_with("//")) {
        let Some((key, value)) = line.trim_start_matches('/').trim().split_once(':') else {
            asked.warns |= line == "// warns";
            continue;
        };
        match key {
            // A comment may speak of `std::string`.
            "std" if value.starts_with(' ') => asked.standard = Some(value.trim().to_owned()),
            "args" => asked.arguments = value.split_whitespace().map(str::to_owned).collect(),
            "stdin" => asked.stdin = unescape(value.trim())?,
            // A comment like any other.
            _ => {}
        }
    }
    Ok(asked)
}

fn unescape(text: &str) -> Result<String, String> {
    let mut plain = String::new();
    let mut rest = text.chars();
    while let Some(c) = rest.next() {
        plain.push(match (c, if c == '\\' { rest.next() } else { None }) {
            ('\\', Some('n')) => '\n',
            ('\\', Some('t')) => '\t',
            ('\\', Some('\\')) => '\\',
            ('\\', other) => return Err(format!("no escape {other:?} in `// stdin:`")),
            (c, _) => c,
        });
    }
    Ok(plain)
}

/// Compiles a program with the system's compiler and runs it, both in `folder`.
pub fn natively(folder: &Path, path: &Path, asked: &Asked) -> Result<Outcome, String> {
    let is_c = path.extension().is_some_and(|e| e == "c");
    let standard = asked.standard.as_deref().unwrap_or(if is_c { "c17" } else { "c++17" });
    let build = tempfile::tempdir().map_err(|e| e.to_string())?;
    let binary = build.path().join("program");
    let mut command = Command::new(if is_c { "cc" } else { "c++" });
    command
        .args(["-O0", "-w", "-pthread", &format!("-std={standard}"), "-o"])
        .arg(&binary)
        .arg(path)
        .arg("-lm");
    let compiled = command
        .current_dir(folder)
        .output()
        .map_err(|e| format!("this test needs the system's compiler: {e}"))?;
    if !compiled.status.success() {
        return Err(format!(
            "does not compile natively:\n{}",
            clip(&String::from_utf8_lossy(&compiled.stderr))
        ));
    }
    run(Command::new(&binary).args(&asked.arguments), folder, Input::Text(&asked.stdin))
}
