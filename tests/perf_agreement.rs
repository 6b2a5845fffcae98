//! What `check --perf` computes is what `run --perf` counts: on programs whose launches the host's code tells, both note the
//! same kinds at the same lines with the same factor, and both are silent at the same near misses.

use serde_json::Value;
use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

#[path = "ui/expect.rs"]
#[allow(dead_code, reason = "the revisions alone are read here")]
mod expect;
#[path = "ui/standard.rs"]
#[allow(dead_code, reason = "what `expect` names")]
mod standard;

/// The repository's root.
const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// The kinds that are computed.
const KINDS: [&str; 3] = ["bank-conflict", "uncoalesced-access", "warp-divergence"];

/// Kind, line and factor of each definite note, and kinds and lines of possible ones.
type Notes = (BTreeSet<(String, u64, String)>, BTreeSet<(String, u64)>);

fn notes(verb: &str, file: &str, revision: Option<&str>) -> Notes {
    let mut command = Command::new(env!("CARGO_BIN_EXE_cudair"));
    command.args([verb, "--perf", "--format", "json", file]).current_dir(ROOT);
    command.args(revision.map(|r| format!("-DREV_{r}")));
    let output = command.output().expect("cudair starts");
    let text = String::from_utf8_lossy(&output.stderr);
    let (mut sure, mut possible) = (BTreeSet::new(), BTreeSet::new());
    for line in text.lines().filter(|l| l.starts_with('{')) {
        let value: Value = serde_json::from_str(line).expect("JSON");
        let kind = value["kind"].as_str().unwrap_or("").to_owned();
        if !KINDS.contains(&kind.as_str()) {
            continue;
        }
        let at = value["primary"]["line"].as_u64().expect("a line");
        if value["certainty"] == "possible" {
            possible.insert((kind, at));
        } else {
            let factor = factor(value["message"].as_str().expect("a message"));
            sure.insert((kind, at, factor));
        }
    }
    assert!(matches!(output.status.code(), Some(0)), "{verb} {file}: {text}");
    (sure, possible)
}

/// `N times as many`, or the share of executions that split, in lowest terms.
fn factor(message: &str) -> String {
    if let Some((_, factor)) = message.rsplit_once(": ") {
        return factor.to_owned();
    }
    let words: Vec<&str> = message.split(' ').collect();
    let number = |n: usize| words[n].parse::<u64>().unwrap_or_else(|_| panic!("no share: {message}"));
    let (a, b) = (number(0), number(2));
    let gcd = |mut x: u64, mut y: u64| {
        while y != 0 {
            (x, y) = (y, x % y);
        }
        x.max(1)
    };
    format!("{} of {}", a / gcd(a, b), b / gcd(a, b))
}

#[test]
fn what_is_computed_is_what_is_counted() {
    let mut problems = Vec::new();
    let mut programs = 0;
    let mut compared = 0;
    for folder in ["tests/run/fail/perf", "tests/run/pass/perf"] {
        let mut files: Vec<_> = std::fs::read_dir(Path::new(ROOT).join(folder))
            .expect("the folder")
            .map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned())
            .filter(|name| Path::new(name).extension().is_some_and(|e| e == "cu"))
            .collect();
        files.sort();
        for name in files {
            let file = format!("{folder}/{name}");
            let text = std::fs::read_to_string(Path::new(ROOT).join(&file)).expect("a program");
            let mut revisions: Vec<Option<String>> = expect::revisions(&text).into_iter().map(Some).collect();
            if revisions.is_empty() {
                revisions.push(None);
            }
            for revision in revisions {
                programs += 1;
                let (computed, possible) = notes("check", &file, revision.as_deref());
                let (counted, _) = notes("run", &file, revision.as_deref());
                compared += counted.intersection(&computed).count();
                for n in counted.difference(&computed) {
                    problems.push(format!("{file} {revision:?}: counted, not computed: {n:?}"));
                }
                for n in computed.difference(&counted) {
                    problems.push(format!("{file} {revision:?}: computed, not counted: {n:?}"));
                }
                for n in &possible {
                    problems.push(format!("{file} {revision:?}: possible: {n:?}"));
                }
            }
        }
    }
    assert!(programs >= 8 && compared >= 20, "{compared} notes in {programs} programs");
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}
