//! Findings do not depend on the schedule: the programs about races and barriers give the same findings, with
//! the same counts, threads and places, under other seeds.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

const ROOT: &str = env!("CARGO_MANIFEST_DIR");
const FOLDERS: [&str; 4] =
    ["tests/run/fail/race", "tests/run/pass/race", "tests/run/fail/barrier", "tests/run/pass/barrier"];

/// What one run gives: its exit code, its output and its findings but for the command in them.
fn run(file: &Path, flags: &[String], seed: Option<&str>) -> (Option<i32>, Vec<u8>, BTreeSet<String>) {
    let output = Command::new(env!("CARGO_BIN_EXE_cudair"))
        .current_dir(ROOT)
        .args(["run", "--no-repair", "--format", "json"])
        .args(seed.map(|s| format!("--seed={s}")))
        .args(flags)
        .arg(file)
        .stdin(Stdio::null())
        .output()
        .expect("cudair starts");
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    let told = text.lines().map(|l| without_values(l.split("\"reproduce\"").next().unwrap_or(l))).collect();
    (output.status.code(), output.stdout, told)
}

/// A finding without the values that two threads write: where these come from a race, an order decides them.
fn without_values(line: &str) -> String {
    const VALUES: &str = "they write different values: ";
    match line.split_once(VALUES) {
        Some((before, rest)) => format!("{before}{VALUES}{}", &rest[rest.find('"').unwrap_or(0)..]),
        None => line.to_owned(),
    }
}

/// The options of each revision of a program, or of the program alone.
fn variants(text: &str) -> Vec<Vec<String>> {
    let value = |key: &str| -> Vec<String> {
        let lines = text.lines().filter_map(|l| l.strip_prefix(key));
        lines.flat_map(str::split_whitespace).map(str::to_owned).collect()
    };
    let flags = value("// flags:");
    let revisions = value("// revisions:");
    if revisions.is_empty() {
        return vec![flags];
    }
    let of =
        |r: &String| [flags.clone(), value(&format!("//[{r}] flags:")), vec![format!("-DREV_{r}")]].concat();
    revisions.iter().map(of).collect()
}

#[test]
fn findings_are_the_same_under_other_seeds() {
    let mut problems = Vec::new();
    let mut count = 0;
    for folder in FOLDERS {
        let entries = std::fs::read_dir(Path::new(ROOT).join(folder)).expect("the folder");
        let mut files: Vec<PathBuf> = entries.map(|e| e.expect("an entry").path()).collect();
        files.retain(|f| f.extension().is_some_and(|e| e == "cu"));
        files.sort();
        for file in files {
            let text = std::fs::read_to_string(&file).expect("a program");
            for flags in variants(&text) {
                count += 1;
                let plain = run(&file, &flags, None);
                // What may differ by its own account is not compared.
                if plain.2.iter().any(|l| l.contains("\"schedule_dependent\":true")) {
                    continue;
                }
                for seed in ["1", "2"] {
                    let seeded = run(&file, &flags, Some(seed));
                    if plain != seeded {
                        problems.push(format!(
                            "{} {flags:?} seed {seed}:\n{plain:?}\n{seeded:?}",
                            file.display()
                        ));
                    }
                }
            }
        }
    }
    assert!(count > 20, "only {count} programs");
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}
