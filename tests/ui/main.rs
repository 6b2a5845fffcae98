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
mod folders;
mod optional;
mod process;
mod programs;
mod sample;
mod standard;

use libtest_mimic::{Arguments, Trial};
use std::path::Path;

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
    let programs =
        folders::programs(Path::new(ROOT), extensions).unwrap_or_else(|problem| panic!("{problem}"));
    for (verb, path) in programs {
        trials.extend(programs::trials(verb, &path, standard.as_ref()));
    }
    if standard.is_none() {
        for path in folders::cases(Path::new(ROOT)).unwrap_or_else(|problem| panic!("{problem}")) {
            let name = path.to_string_lossy().into_owned();
            trials.push(Trial::test(name, move || cli::run(&path).map_err(Into::into)));
        }
    }
    let sleeping = trials.iter().filter(|t| t.has_ignored_flag()).count();
    if sleeping > 0 {
        optional::left_out(&format!(
            "{sleeping} programs say `// ignore:`, or want machine code, which is not built"
        ));
    }
    match sample::Sample::asked() {
        Ok(None) => {}
        Ok(Some(sample)) => trials = sample.keep(trials, Trial::name),
        Err(message) => panic!("{message}"),
    }
    libtest_mimic::run(&arguments, trials).exit();
}
