//! The programs in the texts of `cudair explain`: the wrong one has a finding of its kind, the corrected
//! one has none at all.

use serde_json::Value;
use std::path::Path;
use std::process::Command;

/// Kinds that only `--perf` reports, and what decides them; their programs are kernels alone.
const PERFORMANCE: [(&str, &[&str]); 3] = [
    ("bank-conflict", &["--perf"]),
    ("uncoalesced-access", &["--perf", "--block-dim", "64", "--assume", "n == 1024"]),
    ("warp-divergence", &["--perf"]),
];

/// Kinds that the machine does not report yet. One that it does has to leave this list.
const NOT_YET: [&str; 0] = [];

/// The two programs of a page.
fn programs(page: &str) -> Vec<String> {
    page.split("```cuda\n").skip(1).filter_map(|part| Some(part.split_once("```")?.0.to_owned())).collect()
}

/// Exit code and findings.
fn cudair(verb: &str, options: &[&str], file: &Path) -> (i32, Vec<Value>, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_cudair"))
        .args([verb, "--format", "json"])
        .args(options)
        .arg(file)
        .output()
        .expect("cudair starts");
    let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
    let findings = stderr
        .lines()
        .filter(|l| l.starts_with("{\"schema\""))
        .map(|l| serde_json::from_str(l).expect("a line of JSON"))
        .filter(|v: &serde_json::Value| v["type"] != "summary" && v["type"] != "verdict")
        .collect();
    (output.status.code().unwrap_or(-1), findings, stderr)
}

#[test]
fn every_wrong_program_is_found_wrong() {
    let folder = tempfile::tempdir().expect("a folder");
    let pages = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/explain");
    let mut problems = Vec::new();
    let mut count = 0;
    for entry in std::fs::read_dir(pages).expect("the pages") {
        let path = entry.expect("an entry").path();
        if path.extension().is_none_or(|e| e != "md") {
            continue;
        }
        count += 1;
        let kind = path.file_stem().expect("a name").to_string_lossy().into_owned();
        let page = std::fs::read_to_string(&path).expect("a page");
        let performance = PERFORMANCE.iter().find(|(k, _)| *k == kind);
        let (verb, options) = performance.map_or(("run", &["--fuel", "2000000"][..]), |p| ("check", p.1));
        for (name, text) in ["wrong", "right"].iter().zip(programs(&page)) {
            let file = folder.path().join(format!("{kind}-{name}.cu"));
            std::fs::write(&file, text).expect("a file");
            let (code, findings, stderr) = cudair(verb, options, &file);
            let met = findings.iter().any(|f| f["kind"] == kind.as_str());
            let fine = match (*name, verb) {
                ("wrong", _) => met != NOT_YET.contains(&kind.as_str()),
                _ => findings.is_empty() && code == 0,
            };
            if !fine {
                problems.push(format!("{kind}, {name}: exit {code}\n{stderr}"));
            }
        }
    }
    assert_eq!(count, 22);
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}
