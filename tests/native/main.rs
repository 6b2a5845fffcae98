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

mod host;
#[allow(dead_code, reason = "what the other tests use of it is not used here")]
#[path = "../ui/process.rs"]
mod process;
#[path = "../ui/sample.rs"]
mod sample;

use host::{asked, natively};
use libtest_mimic::{Arguments, Failed, Trial};
use process::{Input, clip, difference, run};
use std::path::{Path, PathBuf};
use std::process::Command;

/// The repository's root.
pub const ROOT: &str = env!("CARGO_MANIFEST_DIR");

fn agrees(path: &Path) -> Result<(), String> {
    let text = std::fs::read_to_string(Path::new(ROOT).join(path)).map_err(|e| e.to_string())?;
    let asked = asked(&text)?;
    let native = natively(Path::new(ROOT), path, &asked)?;
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
