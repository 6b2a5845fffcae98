//! File tests: small functions of textual IR with what has to come of them beside them, after Cranelift's filetests
//! and LLVM's FileCheck.
//!
//! | folder | header | what is looked at |
//! | --- | --- | --- |
//! | `passes/NAME` | `; test pass=NAME[,NAME…]` | the function behind the passes |
//! | `bytecode` | `; test bytecode context=host` | the function's bytecode |
//! | `bytecode` | `; test bytecode context=device [block=N]` | the same; with the facts of a launch of N threads |
//! | `engine` | `; test run` | output, exit and findings of a run |
//! | `verifier` | `; test verify` | what the parser or the verifier says |
//!
//! The header is the first line. Every function is a test of its own, `FILE::FUNCTION`: the file without its other
//! tests. [`file`] says how a file is taken apart, [`expect`] what an expectation means, [`subject`] what a test does.
//! With `whole` in the header the file is one test, and its module is looked at.
//!
//! A test that expects nothing, a folder without a test and a word that is not known are failures. Nothing writes
//! expectations. `CUDAIR_FILETEST_SHOW=1 cargo test --test filetests -- FILTER` prints what is looked at.

mod expect;
mod file;
#[allow(dead_code, reason = "what the command uses of it is not used here")]
#[path = "../../src/oracle.rs"]
mod oracle;
#[path = "../ui/paper.rs"]
mod paper;
mod subject;

use cudair_passes::transform::Pass;
use file::{Case, TestFile};
use libtest_mimic::{Arguments, Failed, Trial};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The folder of the files.
const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/filetests");

fn main() {
    let arguments = Arguments::from_args();
    let mut folders: Vec<(PathBuf, &str)> =
        Pass::ALL.iter().map(|p| (Path::new("passes").join(p.name()), "pass")).collect();
    for (folder, verb) in [("bytecode", "bytecode"), ("engine", "run"), ("verifier", "verify")] {
        folders.push((folder.into(), verb));
    }
    let mut trials = vec![Trial::test("expectations", || expect::examples_hold().map_err(Failed::from))];
    for (folder, verb) in folders {
        let files = match files_in(&folder) {
            Ok(files) if !files.is_empty() => files,
            Ok(_) => {
                trials.push(failing(folder.display(), "there is no `.cir` file in this folder".to_owned()));
                continue;
            }
            Err(problem) => {
                trials.push(failing(folder.display(), problem));
                continue;
            }
        };
        for path in files {
            trials.extend(trials_of(&path, &folder, verb));
        }
    }
    libtest_mimic::run(&arguments, trials).exit();
}

/// A test that fails with this message.
fn failing(name: impl std::fmt::Display, problem: String) -> Trial {
    Trial::test(name.to_string(), move || Err(Failed::from(problem)))
}

/// The `.cir` files of a folder, in order, relative to [`ROOT`]. Anything else there is an error.
fn files_in(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let told = |e: std::io::Error| format!("the folder {} cannot be read: {e}", folder.display());
    let mut files = Vec::new();
    for entry in std::fs::read_dir(Path::new(ROOT).join(folder)).map_err(told)? {
        let path = folder.join(entry.map_err(told)?.file_name());
        if path.extension().is_none_or(|e| e != "cir") {
            return Err(format!("{} is no `.cir` file", path.display()));
        }
        files.push(path);
    }
    files.sort();
    Ok(files)
}

/// The tests of a file, or one that fails if the file cannot be understood.
fn trials_of(path: &Path, folder: &Path, verb: &str) -> Vec<Trial> {
    let read = || -> Result<TestFile, String> {
        let text = std::fs::read_to_string(Path::new(ROOT).join(path)).map_err(|e| e.to_string())?;
        let file = TestFile::read(&text)?;
        file.header.belongs(folder, verb)?;
        Ok(file)
    };
    let file = match read() {
        Ok(file) => Arc::new(file),
        Err(problem) => return vec![failing(path.display(), problem)],
    };
    let test = |n: usize, case: &Case| {
        let name = match &case.name {
            Some(function) => format!("{}::{function}", path.display()),
            None => path.display().to_string(),
        };
        let file = file.clone();
        Trial::test(name, move || file.cases[n].run(&file.header).map_err(Failed::from))
    };
    file.cases.iter().enumerate().map(|(n, case)| test(n, case)).collect()
}
