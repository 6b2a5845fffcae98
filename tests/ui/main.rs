//! End-to-end tests: every program below `tests/` is a test of the `cudair` binary.
//!
//! | folder | what is run | what has to hold |
//! | --- | --- | --- |
//! | `run/pass`, `run/fail`, `examples/` | `cudair run` | findings, stdout and exit code are the expected ones; `lower`'s output parses back and runs alike |
//! | `check/pass`, `check/fail` | `cudair check` | findings and exit code |
//! | `lower` | `cudair lower` | the text is the snapshot, and parses back |
//! | `cli` | what a `.case` file says | exit code, output |
//!
//! Expectations stand in the programs, as [`expect`] describes; expected output lies beside a program as
//! `NAME.stdout`; the rendering of findings is a snapshot below `snapshots/ui`. `./x bless` writes outputs
//! and snapshots anew.
//!
//! `CUDAIR_TEST_SAMPLE=SEED/N` runs a sample of them, as [`sample`] describes.

mod cli;
mod expect;
mod optional;
mod process;
mod programs;
mod sample;
mod standard;

use libtest_mimic::{Arguments, Trial};
use std::path::{Path, PathBuf};

/// The repository's root, where each command runs, so that places in findings are relative to it.
pub const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// Are expected outputs to be written instead of compared?
pub fn blessing() -> bool {
    std::env::var_os("CUDAIR_BLESS").is_some()
}

fn main() {
    let arguments = Arguments::from_args();
    let mut trials = Vec::new();
    let standard = match standard::asked() {
        Ok(standard) => standard,
        Err(problem) => {
            eprintln!("{problem}");
            std::process::exit(2);
        }
    };
    // C and the textual IR know no standard of C++, and `.case` files write their options themselves.
    let extensions: &[&str] = if standard.is_some() { &["cu"] } else { &["cu", "c", "cir"] };
    for (folder, verb) in
        [("examples", "run"), ("tests/run", "run"), ("tests/check", "check"), ("tests/lower", "lower")]
    {
        let files = files_below(Path::new(folder), extensions);
        assert!(!files.is_empty() || standard.is_some(), "no program below {folder}");
        for path in files {
            trials.extend(programs::trials(verb, &path, standard.as_ref()));
        }
    }
    let cases = if standard.is_some() { Vec::new() } else { files_below(Path::new("tests/cli"), &["case"]) };
    assert!(!cases.is_empty() || standard.is_some(), "no case below tests/cli");
    for path in cases {
        let name = path.to_string_lossy().into_owned();
        trials.push(Trial::test(name, move || cli::run(&path).map_err(Into::into)));
    }
    let sleeping = trials.iter().filter(|t| t.has_ignored_flag()).count();
    if sleeping > 0 {
        optional::left_out(&format!("{sleeping} programs say `// ignore:`"));
    }
    match sample::Sample::asked() {
        Ok(None) => {}
        Ok(Some(sample)) => trials = sample.keep(trials, Trial::name),
        Err(message) => panic!("{message}"),
    }
    libtest_mimic::run(&arguments, trials).exit();
}

/// The files with one of these extensions, in order, relative to the root. `aux` folders hold files that
/// belong to other tests. A folder that cannot be read is a defect: its tests would pass for not running.
fn files_below(folder: &Path, extensions: &[&str]) -> Vec<PathBuf> {
    let entries = match std::fs::read_dir(Path::new(ROOT).join(folder)) {
        Ok(entries) => entries,
        Err(error) => panic!("the folder {} cannot be read: {error}", folder.display()),
    };
    let mut names: Vec<_> = entries
        .map(|entry| entry.unwrap_or_else(|error| panic!("{}: {error}", folder.display())).file_name())
        .collect();
    names.sort();
    let mut found = Vec::new();
    for name in names {
        let path = folder.join(&name);
        if Path::new(ROOT).join(&path).is_dir() {
            if name != "aux" {
                found.extend(files_below(&path, extensions));
            }
        } else if path.extension().is_some_and(|e| extensions.iter().any(|x| e == *x)) {
            found.push(path);
        }
    }
    found
}
