//! Host programs against the system's compiler: each program below `tests/native` is compiled with `c++`
//! (`cc` for C), run, and run under cudair; stdout, stderr and the exit code must be the same.
//!
//! A program may say, on lines of its own before its code:
//!
//! | line | meaning |
//! | --- | --- |
//! | `// std: c++20` | the language's standard, for both (`c++17` and `c17` unless said) |
//! | `// args: A B` | the program's arguments, split at blanks |
//! | `// stdin: TEXT` | its input, with C's escapes `\n`, `\t` and `\\` |
//! | `// warns` | cudair may say more on stderr than the program does |
//!
//! Each program has no undefined behaviour and prints nothing that differs between runs.

#[allow(dead_code, reason = "what the other tests use of it is not used here")]
#[path = "../ui/process.rs"]
mod process;
#[path = "../ui/sample.rs"]
mod sample;

use libtest_mimic::{Arguments, Failed, Trial};
use process::{Input, Outcome, clip, difference, run};
use std::path::{Path, PathBuf};
use std::process::Command;

/// The repository's root.
pub const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// What a program asks for.
#[derive(Default)]
struct Asked {
    standard: Option<String>,
    arguments: Vec<String>,
    stdin: String,
    warns: bool,
}

fn asked(text: &str) -> Result<Asked, String> {
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

/// Compiles and runs a program natively.
fn natively(path: &Path, asked: &Asked) -> Result<Outcome, String> {
    let is_c = path.extension().is_some_and(|e| e == "c");
    let standard = asked.standard.as_deref().unwrap_or(if is_c { "c17" } else { "c++17" });
    let build = Path::new(env!("CARGO_TARGET_TMPDIR")).join("native");
    std::fs::create_dir_all(&build).map_err(|e| e.to_string())?;
    let binary = build.join(path.to_string_lossy().replace(['/', '\\', '.'], "_"));
    let mut command = Command::new(if is_c { "cc" } else { "c++" });
    command
        .args(["-O0", "-w", "-pthread", &format!("-std={standard}"), "-o"])
        .arg(&binary)
        .arg(path)
        .arg("-lm");
    let compiled = command
        .current_dir(ROOT)
        .output()
        .map_err(|e| format!("this test needs the system's compiler: {e}"))?;
    if !compiled.status.success() {
        return Err(format!(
            "does not compile natively:\n{}",
            clip(&String::from_utf8_lossy(&compiled.stderr))
        ));
    }
    run(Command::new(&binary).args(&asked.arguments), Path::new(ROOT), Input::Text(&asked.stdin))
}

fn agrees(path: &Path) -> Result<(), String> {
    let text = std::fs::read_to_string(Path::new(ROOT).join(path)).map_err(|e| e.to_string())?;
    let asked = asked(&text)?;
    let native = natively(path, &asked)?;
    let mut command = Command::new(env!("CARGO_BIN_EXE_cudair"));
    command.arg("run");
    if let Some(standard) = &asked.standard {
        command.arg(format!("-std={standard}"));
    }
    command.arg(path).arg("--").args(&asked.arguments);
    let ours = run(&mut command, Path::new(ROOT), Input::Text(&asked.stdin))?;
    if native.code != ours.code {
        return Err(format!(
            "exit code {} natively, {} under cudair, which says\n{}",
            native.code,
            ours.code,
            clip(&ours.stderr)
        ));
    }
    let stderr = if asked.warns { None } else { difference("stderr", &native.stderr, &ours.stderr) };
    difference("stdout", &native.stdout, &ours.stdout).or(stderr).map_or(Ok(()), Err)
}

fn programs(folder: &Path, into: &mut Vec<PathBuf>) -> std::io::Result<()> {
    for entry in std::fs::read_dir(Path::new(ROOT).join(folder))? {
        let path = folder.join(entry?.file_name());
        if Path::new(ROOT).join(&path).is_dir() {
            programs(&path, into)?;
        } else if path.extension().is_some_and(|e| e == "c" || e == "cpp") {
            into.push(path);
        }
    }
    Ok(())
}

fn main() {
    let arguments = Arguments::from_args();
    let mut all = Vec::new();
    programs(Path::new("tests/native"), &mut all).expect("the folder of programs can be read");
    all.sort();
    assert!(!all.is_empty(), "no program below tests/native");
    match sample::Sample::asked() {
        Ok(None) => {}
        Ok(Some(sample)) => all = sample.keep(all, |path| path.to_str().expect("names are ASCII")),
        Err(message) => panic!("{message}"),
    }
    let trials = all.into_iter().map(|path| {
        let name = path.to_string_lossy().into_owned();
        Trial::test(name, move || agrees(&path).map_err(Failed::from))
    });
    libtest_mimic::run(&arguments, trials.collect()).exit();
}
