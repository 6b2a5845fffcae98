//! What `cudair check` proves of random kernels.

#[path = "optional.rs"]
mod optional;
#[allow(dead_code)]
#[path = "../metamorphic/random.rs"]
mod random;
#[path = "solver.rs"]
mod solver;

pub use random::Random;
use serde_json::Value;
use std::collections::{BTreeSet, HashMap};
use std::path::Path;
use std::process::Command;

/// Kernels of one file.
const BATCH: usize = 20;

/// Makes random kernels, in files of `program`, for a test of this `name`, and looks at each file. Gives how many kernels an
/// environment variable asks for, as `SEED/N`, or how many there are by default.
pub fn each_file<K>(
    name: &str,
    (variable, by_default): (&str, usize),
    kernel: impl Fn(&mut Random, usize) -> K,
    program: impl Fn(&[K]) -> String,
    mut look: impl FnMut(&Path, &[K]),
) -> usize {
    let (seed, count) = asked(variable, by_default);
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::create_dir_all(&folder).expect("a folder for programs");
    for batch in 0..count.div_ceil(BATCH) {
        let mut r = Random::new(seed, &format!("{name} {batch}"));
        let kernels: Vec<K> = (0..BATCH).map(|n| kernel(&mut r, n)).collect();
        let path = folder.join(format!("{seed}_{batch}.cu"));
        std::fs::write(&path, program(&kernels)).expect("a program can be written");
        look(&path, &kernels);
    }
    count
}

/// The checks that are proved of each kernel of a program.
#[allow(dead_code)] // one of the tests asks for more
pub fn proofs(path: &Path) -> HashMap<String, BTreeSet<String>> {
    let proved = |(check, verdict): (String, String)| (verdict == "proved").then_some(check);
    let of = |(kernel, checks): (String, HashMap<String, String>)| {
        (kernel, checks.into_iter().filter_map(proved).collect())
    };
    verdicts(path).into_iter().map(of).collect()
}

/// The verdict of each check of each kernel of a program.
pub fn verdicts(path: &Path) -> HashMap<String, HashMap<String, String>> {
    let output = Command::new(env!("CARGO_BIN_EXE_cudair"))
        .args(["check", "--format", "json"])
        .arg(path)
        .output()
        .expect("cudair starts");
    let mut out = HashMap::new();
    for line in String::from_utf8_lossy(&output.stderr).lines() {
        let v: Value = serde_json::from_str(line).unwrap_or_else(|_| panic!("no JSON: {line}"));
        assert_ne!(v["type"], "diagnostic", "{line}");
        let Some(kernel) = v["kernel"].as_str().filter(|_| v["type"] == "verdict") else { continue };
        let checks = v["checks"].as_array().expect("a list of checks").iter();
        let text = |v: &Value| v.as_str().expect("a text").to_owned();
        out.insert(kernel.to_owned(), checks.map(|c| (text(&c["check"]), text(&c["verdict"]))).collect());
    }
    out
}

/// The seed and how many kernels to try, as an environment variable says: `SEED/N`. How many there are by default, else.
pub fn asked(variable: &str, by_default: usize) -> (u64, usize) {
    match std::env::var(variable) {
        Ok(text) => {
            let (seed, n) = text.split_once('/').unwrap_or_else(|| panic!("{variable} is SEED/N"));
            (seed.parse().expect("a seed"), n.parse().expect("a number of kernels"))
        }
        Err(_) => (1, by_default),
    }
}

/// Whether there are enough kernels for something to be provable among them, and a solver to prove it.
pub fn says_something(variable: &str, count: usize) -> bool {
    if solver::z3().is_none() {
        optional::left_out("there is no SMT solver");
        return false;
    }
    // In a few kernels of a seed that somebody drew there may be nothing to prove.
    count >= 100 || std::env::var_os(variable).is_none()
}
