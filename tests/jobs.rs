//! On any number of cores a program prints the same and the same is found.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// The programs whose blocks have something to do with each other, or could have.
fn programs() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut all = Vec::new();
    for folder in ["run/pass/cuda", "run/pass/race", "run/fail/race", "run/pass/jobs", "run/fail/jobs"] {
        let entries =
            std::fs::read_dir(root.join("tests").join(folder)).expect("the folder of tests is there");
        all.extend(entries.map(|e| e.expect("its entries can be read").path()));
    }
    all.retain(|p| p.extension().is_some_and(|e| e == "cu"));
    all.sort();
    all
}

fn run(program: &Path, jobs: &str) -> Output {
    Command::new(env!("CARGO_BIN_EXE_cudair"))
        .args(["run", "--jobs", jobs])
        .arg(program)
        // Launches part at once, however short they are.
        .env("CUDAIR_SHARE_AFTER", "0")
        .output()
        .expect("cudair starts")
}

#[test]
fn cores_make_no_difference() {
    let programs = programs();
    assert!(programs.len() > 40, "only {} programs", programs.len());
    let mut different = Vec::new();
    for program in &programs {
        let (one, three) = (run(program, "1"), run(program, "3"));
        if one != three {
            different.push(format!(
                "{}\non one core:\n{}{}\non three:\n{}{}",
                program.display(),
                String::from_utf8_lossy(&one.stdout),
                String::from_utf8_lossy(&one.stderr),
                String::from_utf8_lossy(&three.stdout),
                String::from_utf8_lossy(&three.stderr),
            ));
        }
    }
    assert!(different.is_empty(), "{}", different.join("\n"));
}
