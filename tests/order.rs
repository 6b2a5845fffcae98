//! What is found does not hang on the order in which the machine runs blocks, warps and lanes, on how many cores it
//! does so, nor on its instructions.

use serde_json::Value;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// A program with the defines of one of its revisions.
struct Case {
    path: PathBuf,
    define: Option<String>,
    /// Order comes from barriers alone.
    barriers: bool,
}

fn cases() -> Vec<Case> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut all = Vec::new();
    for folder in ["run/pass/race", "run/fail/race"] {
        let entries =
            std::fs::read_dir(root.join("tests").join(folder)).expect("the folder of tests is there");
        for path in entries.map(|e| e.expect("its entries can be read").path()) {
            if path.extension().is_none_or(|e| e != "cu") {
                continue;
            }
            let text = std::fs::read_to_string(&path).expect("a program");
            let barriers = !["atomic", "fence", "volatile"].iter().any(|word| text.contains(word));
            let revisions = text.lines().find_map(|l| l.strip_prefix("// revisions:"));
            let names: Vec<Option<String>> = match revisions {
                Some(names) => names.split_whitespace().map(|n| Some(format!("-DREV_{n}"))).collect(),
                None => vec![None],
            };
            all.extend(names.into_iter().map(|define| Case { path: path.clone(), define, barriers }));
        }
    }
    all.sort_by(|a, b| (&a.path, &a.define).cmp(&(&b.path, &b.define)));
    all
}

/// The findings of a run: all that is said of each, or the kinds by kernel.
fn findings(case: &Case, flags: &[&str], environment: &[(&str, &str)]) -> BTreeSet<String> {
    let output = Command::new(env!("CARGO_BIN_EXE_cudair"))
        .args(["run", "--format", "json"])
        .args(flags)
        .args(&case.define)
        .arg(&case.path)
        .envs(environment.iter().copied())
        .output()
        .expect("cudair starts");
    let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
    let found = stderr.lines().filter_map(|l| serde_json::from_str::<Value>(l).ok());
    let found = found.filter(|v| v["type"] != "summary");
    let text = |f: &Value| {
        let place = |s: &Value| format!("{}:{}: {}", s["line"], s["column"], s["label"]);
        let related: Vec<String> = f["related"].as_array().into_iter().flatten().map(place).collect();
        let kernel = format!("{} in {}", f["kind"], f["kernel"]);
        if case.barriers {
            format!(
                "{kernel} {} {} {} {}",
                f["severity"],
                f["message"],
                place(&f["primary"]),
                related.join(" ")
            )
        } else {
            kernel
        }
    };
    found.filter(|f| f["kind"].is_string()).map(|f| text(&f)).collect()
}

#[test]
fn order_makes_no_difference() {
    let cases = cases();
    assert!(cases.len() > 50, "only {} cases", cases.len());
    let next = AtomicUsize::new(0);
    let different = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, |n| n.get()) {
            scope.spawn(|| {
                while let Some(case) = cases.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let found = compare(case);
                    different.lock().expect("no other thread has panicked").extend(found);
                }
            });
        }
    });
    let different = different.into_inner().expect("no thread has panicked");
    assert!(different.is_empty(), "{}", different.join("\n"));
}

/// How the findings under other orders differ.
fn compare(case: &Case) -> Vec<String> {
    let expected = findings(case, &[], &[]);
    let (narrow, plain) = (("CUDAIR_LANES", "32"), ("CUDAIR_BASELINE", "1"));
    // Launches part at once, however short they are.
    let parted = ("CUDAIR_SHARE_AFTER", "0");
    let others = [
        ("seed 1", findings(case, &["--seed", "1", "--jobs", "1"], &[])),
        ("seed 7, without AVX2", findings(case, &["--seed", "7"], &[plain])),
        ("32 lanes", findings(case, &[], &[narrow])),
        ("32 lanes, seed 3", findings(case, &["--seed", "3"], &[narrow])),
        ("without AVX2", findings(case, &[], &[plain])),
        ("two cores", findings(case, &["--jobs", "2"], &[parted])),
        ("two cores, seed 5, 32 lanes", findings(case, &["--jobs", "2", "--seed", "5"], &[parted, narrow])),
    ];
    let different = others.into_iter().filter(|(_, found)| *found != expected);
    let define = case.define.as_deref().unwrap_or("");
    let path = case.path.display();
    different
        .map(|(what, found)| format!("{path} {define}, {what}:\n{found:#?}\nand not {expected:#?}"))
        .collect()
}
