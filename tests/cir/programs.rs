//! What is changed: the project's own programs as `cudair lower` prints them.

use crate::ROOT;
use crate::random::Random;
use crate::{expect, process};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Texts that are longer take longer than they teach.
const LONGEST: usize = 120_000;

/// The programs of the suite, relative to the root.
pub fn all() -> Result<Vec<PathBuf>, String> {
    let mut out = Vec::new();
    for folder in [
        "examples",
        "tests/run/fail",
        "tests/run/pass",
        "tests/check/fail",
        "tests/check/pass",
        "tests/lower",
    ] {
        let before = out.len();
        below(Path::new(folder), &mut out)?;
        if out.len() == before {
            return Err(format!("no program below {folder}"));
        }
    }
    out.sort();
    Ok(out)
}

fn below(folder: &Path, into: &mut Vec<PathBuf>) -> Result<(), String> {
    let say = |e: std::io::Error| format!("{}: {e}", folder.display());
    for entry in std::fs::read_dir(Path::new(ROOT).join(folder)).map_err(say)? {
        let name = entry.map_err(say)?.file_name();
        let path = folder.join(&name);
        if Path::new(ROOT).join(&path).is_dir() {
            if name != "aux" {
                below(&path, into)?;
            }
        } else if path.extension().is_some_and(|e| e == "cu" || e == "c" || e == "cpp") {
            into.push(path);
        }
    }
    Ok(())
}

/// The IR of a program, of one of its revisions, drawn, with the passes or without. None where it does not lower or is
/// too long.
pub fn lowered(path: &Path, random: &mut Random) -> Option<String> {
    let text = std::fs::read_to_string(Path::new(ROOT).join(path)).ok()?;
    let revisions = expect::revisions(&text);
    let revision = if revisions.is_empty() { None } else { Some(random.pick(&revisions).clone()) };
    let expected = expect::read(path, &text, revision.as_deref()).ok()?;
    if expected.ignore.is_some() {
        return None;
    }
    let mut command = Command::new(env!("CARGO_BIN_EXE_cudair"));
    command.arg("lower");
    // Options of the compiler alone: the others are drawn.
    let of_compiler =
        |f: &&String| ["-D", "-std", "-arch", "-I", "-x", "-W"].iter().any(|p| f.starts_with(p));
    command.args(expected.flags.iter().filter(of_compiler));
    command.args(revision.map(|r| format!("-DREV_{r}")));
    command.args(["--passes", if random.chance(60) { "none" } else { "default" }]);
    command.arg(path).args(&expected.also);
    let outcome = process::run(&mut command, Path::new(ROOT), process::Input::Text("")).ok()?;
    (outcome.code == 0 && outcome.stdout.len() <= LONGEST).then_some(outcome.stdout)
}
