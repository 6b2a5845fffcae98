//! `check --dump-smt`: each question that is written down has, from z3 alone, the answer that the index has.

use serde_json::Value;
use std::path::Path;
use std::process::Command;

#[path = "ui/optional.rs"]
mod optional;
#[path = "ui/solver.rs"]
mod solver;

fn cudair() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_cudair"));
    command.current_dir(env!("CARGO_MANIFEST_DIR"));
    command
}

/// The lines of the index.
fn index(folder: &Path) -> Vec<Value> {
    let text = std::fs::read_to_string(folder.join("index.jsonl")).expect("an index");
    text.lines().map(|l| serde_json::from_str(l).expect("a line of JSON")).collect()
}

#[test]
fn each_question_has_the_recorded_answer() {
    let Some(z3) = solver::z3() else { return optional::left_out("there is no SMT solver") };
    let root = tempfile::tempdir().expect("a folder");
    let mut answers = std::collections::BTreeMap::<String, usize>::new();
    let mut checks = std::collections::BTreeSet::<String>::new();
    for (n, (file, options)) in [
        ("tests/lower/sum.cu", &[][..]),
        ("tests/lower/sum.cu", &["--block-dim", "64"]),
        ("tests/check/fail/assume.cu", &[]),
        ("tests/check/fail/barrier_in_loop.cu", &[]),
    ]
    .into_iter()
    .enumerate()
    {
        let folder = root.path().join(n.to_string());
        let output = cudair()
            .arg("check")
            .args(options)
            .arg("--dump-smt")
            .arg(&folder)
            .arg(file)
            .output()
            .expect("cudair starts");
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(!said.contains("panicked"), "{said}");
        let lines = index(&folder);
        let files = std::fs::read_dir(&folder).expect("the folder").count();
        assert_eq!(files, lines.len() + 1, "a file for each line, and the index");
        for line in lines {
            let name = line["file"].as_str().expect("a file");
            let result = line["result"].as_str().unwrap_or_else(|| panic!("{file}: {line}"));
            let output = Command::new(&z3).arg(folder.join(name)).output().expect("z3 starts");
            let text = String::from_utf8_lossy(&output.stdout).into_owned();
            assert_eq!(text.lines().next(), Some(result), "{file}: {line}\n{text}");
            assert!(!text.contains("(error"), "{file}: {line}\n{text}");
            assert!(line["kernel"].is_string() && line["asks"].is_string(), "{line}");
            *answers.entry(result.to_owned()).or_default() += 1;
            let check = line["check"].as_str().expect("a check").to_owned();
            if check.ends_with("-race") {
                assert_eq!(line["places"].as_array().map(Vec::len), Some(2), "{line}");
            }
            checks.insert(check);
        }
    }
    assert!(answers.contains_key("sat") && answers.contains_key("unsat"), "{answers:?}");
    for check in ["barrier-divergence", "shared-race", "out-of-bounds", "invalid-launch"] {
        assert!(checks.contains(check), "{checks:?}");
    }
}

#[test]
fn a_folder_that_cannot_be_taken_is_refused() {
    let root = tempfile::tempdir().expect("a folder");
    let taken = root.path().join("taken");
    std::fs::write(&taken, "a file").expect("it is written");
    let full = root.path().join("full");
    std::fs::create_dir(&full).expect("a folder");
    std::fs::write(full.join("other"), "something").expect("it is written");
    for folder in [taken, full] {
        let output = cudair()
            .args(["check", "--dump-smt"])
            .arg(&folder)
            .arg("tests/lower/sum.cu")
            .output()
            .expect("cudair");
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(said.contains("cannot write questions to"), "{said}");
        assert!(!said.contains("proved"), "nothing is checked: {said}");
    }
}

#[test]
fn without_a_solver_the_questions_are_written_and_it_is_said() {
    let root = tempfile::tempdir().expect("a folder");
    let folder = root.path().join("questions");
    let output = cudair()
        .args(["check", "--dump-smt"])
        .arg(&folder)
        .arg("tests/lower/sum.cu")
        .env("CUDAIR_Z3", root.path().join("none"))
        .output()
        .expect("cudair starts");
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{said}");
    assert!(said.contains("no question in") && said.contains("there is no SMT solver"), "{said}");
    let lines = index(&folder);
    assert!(!lines.is_empty());
    assert!(lines.iter().all(|l| l["result"].is_null() && l["why"].is_string()), "{lines:?}");
}
