//! Random kernels, run as bytecode and as machine code: both print the same, find the same and end with the same code.
//!
//! `CUDAIR_ENGINES=SEED/N` takes N kernels of a seed.
#![cfg(feature = "jit")]

mod expressions;
mod kernel;
mod local;
mod loops;
mod program;
#[allow(dead_code)] // what is proved is another test's concern
#[path = "../ui/proofs.rs"]
mod proofs;

use kernel::Kernel;
use proofs::Random;
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Kernels that are tried where nobody says how many.
const DEFAULT: usize = 40;
/// Kernels of one program. A fault ends what follows it: the last one alone is risky.
const BATCH: usize = 4;
/// The exit codes of programs that do not parse, and of those that a limit ends.
const REFUSED: i32 = 2;
const LIMIT: i32 = 4;

/// How both engines run a program.
#[derive(Debug, Default)]
struct How {
    flags: Vec<String>,
    environment: Vec<(&'static str, String)>,
    /// What machine code alone may spend: the bytecode counts the same turns of loops in larger steps.
    fuel: Option<usize>,
}

impl How {
    fn random(r: &mut Random) -> How {
        let mut how = How::default();
        let mut flags = |all: &[&str]| how.flags.extend(all.iter().map(|&f| f.to_owned()));
        match r.below(20) {
            0..=2 => {
                let fuel = (2_000 + r.below(1000)) << r.below(13);
                how.fuel = Some(fuel);
            }
            3..=6 => {
                flags(&["--jobs", "2"]);
                how.environment.push(("CUDAIR_SHARE_AFTER", "0".to_owned()));
            }
            7 => flags(&["--no-elision"]),
            8 | 9 => how.environment.push(("CUDAIR_LANES", r.pick(&["32", "64", "96", "128"]).to_string())),
            _ => {}
        }
        how
    }
}

/// What a run came to.
#[derive(PartialEq)]
struct Outcome {
    code: Option<i32>,
    stdout: String,
    findings: Vec<String>,
}

/// What became of the launches of a run.
#[derive(Clone, Copy, Default)]
struct Launches {
    done: usize,
    given_up: usize,
}

fn run(path: &Path, how: &How, engine: &str) -> (Outcome, Launches) {
    let fuel = how.fuel.filter(|_| engine == "jit").map(|n| format!("--fuel={n}"));
    let output = Command::new(env!("CARGO_BIN_EXE_cudair"))
        .args(["run", "--format", "json", "--no-repair", "--trace", "jit", "--engine", engine])
        .args(&how.flags)
        .args(fuel)
        .arg(path)
        .envs(how.environment.iter().map(|(name, value)| (name, value)))
        .env("CUDAIR_SHOW_AFTER", "1000000")
        .output()
        .expect("cudair starts");
    let (mut findings, mut launches) = (Vec::new(), Launches::default());
    for line in String::from_utf8_lossy(&output.stderr).lines() {
        if line.starts_with("[jit]") {
            launches.done += usize::from(line.contains(": done on "));
            launches.given_up += usize::from(line.contains(": given up: "));
        } else if let Ok(Value::Object(mut v)) = serde_json::from_str(line) {
            v.remove("reproduce");
            findings.push(Value::Object(v).to_string());
        } else {
            findings.push(line.to_owned());
        }
    }
    let stdout = String::from_utf8_lossy(&output.stdout).into_owned();
    (Outcome { code: output.status.code(), stdout, findings }, launches)
}

/// Where two outcomes differ, in words.
fn difference(vm: &Outcome, jit: &Outcome, how: &How) -> Option<String> {
    let is_cut_short = how.fuel.is_some() && jit.code == Some(LIMIT) && vm.stdout.starts_with(&jit.stdout);
    if vm == jit || is_cut_short {
        return None;
    }
    let mut words = format!("exit code {:?} with `--engine vm`, {:?} with `jit`", vm.code, jit.code);
    let lines = |o: &Outcome| {
        o.stdout.lines().chain(o.findings.iter().map(String::as_str)).map(str::to_owned).collect()
    };
    let (of_vm, of_jit): (Vec<String>, Vec<String>) = (lines(vm), lines(jit));
    for (engine, these, others) in [("vm", &of_vm, &of_jit), ("jit", &of_jit, &of_vm)] {
        for line in these.iter().filter(|line| !others.contains(line)) {
            words += &format!("\nonly {engine}: {line}");
        }
    }
    Some(words)
}

/// The program of a batch, and how it is run.
fn written(folder: &Path, seed: u64, batch: usize) -> (PathBuf, How) {
    let mut r = Random::new(seed, &format!("engines {batch}"));
    let kernels: Vec<Kernel> = (0..BATCH).map(|n| Kernel::random(&mut r, n, n + 1 == BATCH)).collect();
    let text = program::program(&mut r, &kernels);
    let how = How::random(&mut r);
    let path = folder.join(format!("{seed}_{batch}.cu"));
    let text = format!("// {how:?}\n{text}");
    std::fs::write(&path, text).expect("a program can be written");
    (path, how)
}

#[test]
fn engines_agree() {
    let (seed, count) = proofs::asked("CUDAIR_ENGINES", DEFAULT);
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("engines");
    std::fs::create_dir_all(&folder).expect("a folder for programs");
    let next = AtomicUsize::new(0);
    let sums = Mutex::new((Launches::default(), 0, Vec::new()));
    let work = || {
        loop {
            let batch = next.fetch_add(1, Ordering::Relaxed);
            if batch >= count.div_ceil(BATCH) {
                return;
            }
            let (path, how) = written(&folder, seed, batch);
            let (vm, _) = run(&path, &how, "vm");
            let (jit, launches) = run(&path, &how, "jit");
            let difference = difference(&vm, &jit, &how);
            let mut sums = sums.lock().expect("no worker panics");
            sums.0.done += launches.done;
            sums.0.given_up += launches.given_up;
            sums.1 += usize::from(vm.code != Some(0));
            // Kernels that no compiler takes would agree, too.
            let refused = vm.code == Some(REFUSED);
            if let Some(words) = difference.or_else(|| refused.then(|| vm.findings.join("\n"))) {
                let (from, to) = (batch * BATCH, batch * BATCH + BATCH - 1);
                let text = std::fs::read_to_string(&path).unwrap_or_default();
                sums.2.push(format!(
                    "seed {seed}, kernels {from} to {to}, {}:\n{words}\n{text}",
                    path.display()
                ));
            }
        }
    };
    std::thread::scope(|s| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            s.spawn(work);
        }
    });
    let (launches, unwell, wrong) = sums.into_inner().expect("no worker panics");
    let Launches { done, given_up } = launches;
    println!(
        "{count} kernels: {done} launches were machine code, {given_up} given up; {unwell} runs were not well"
    );
    assert!(wrong.is_empty(), "{} programs differ:\n{}", wrong.len(), wrong.join("\n"));
    assert!(done > count, "{done} launches of {count} kernels were machine code");
}
