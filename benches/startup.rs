//! Whole-process times of `cudair run`, as a user sees them.
//!
//! `./x bench` runs this in release mode. The cases take turns, round after round, so that a drift of
//! the machine's speed meets all of them; minimum and median are printed, with the aim where there is
//! one. A case whose output is not the expected one fails the benchmark: a fast wrong answer is none.

mod common;

use std::path::Path;
use std::process::{Command, ExitCode, Stdio};
use std::time::{Duration, Instant};

struct Case {
    name: &'static str,
    args: &'static [&'static str],
    expect: &'static str,
    aim_ms: Option<u32>,
    /// What an earlier run kept is there.
    warm: bool,
    note: &'static str,
}

const CASES: &[Case] = &[
    Case {
        name: "cudair --version",
        args: &["--version"],
        expect: "cudair",
        aim_ms: None,
        warm: false,
        note: "process start alone",
    },
    Case {
        name: "lower examples/sum.cu",
        args: &["lower", "examples/sum.cu"],
        expect: "kernel",
        aim_ms: None,
        warm: false,
        note: "libclang's load and parse, lowering, passes",
    },
    Case {
        name: "run examples/sum.cu",
        args: &["run", "examples/sum.cu"],
        expect: "OUTPUT: 767",
        aim_ms: Some(60),
        warm: false,
        note: "the paper's tool: 3 minutes",
    },
    Case {
        name: "run examples/sum512.cu",
        args: &["run", "examples/sum512.cu"],
        expect: "OUTPUT: ",
        aim_ms: Some(100),
        warm: false,
        note: "512 threads; the paper's tool: 27 hours",
    },
    Case {
        name: "run benches/host/streams.cpp",
        args: &["run", "benches/host/streams.cpp"],
        expect: "sum 6",
        aim_ms: Some(300),
        warm: false,
        note: "<vector> and <iostream>",
    },
    Case {
        name: "run examples/sum.cu, warm",
        args: &["run", "examples/sum.cu"],
        expect: "OUTPUT: 767",
        aim_ms: Some(12),
        warm: true,
        note: "a second run",
    },
    Case {
        name: "run streams.cpp, warm",
        args: &["run", "benches/host/streams.cpp"],
        expect: "sum 6",
        aim_ms: Some(25),
        warm: true,
        note: "a second run",
    },
];

fn run_once(case: &Case, caches: &Path) -> Result<Duration, String> {
    let start = Instant::now();
    let out = Command::new(env!("CARGO_BIN_EXE_cudair"))
        .args(case.args)
        .env("XDG_CACHE_HOME", caches)
        .env("CUDAIR_CACHE_SIZE", if case.warm { "1G" } else { "0" })
        .stdin(Stdio::null())
        .output()
        .map_err(|e| e.to_string())?;
    let time = start.elapsed();
    let stdout = String::from_utf8_lossy(&out.stdout);
    if !out.status.success() || !stdout.contains(case.expect) {
        return Err(format!(
            "{}: {}, expected output with `{}`\n{stdout}{}",
            case.name,
            out.status,
            case.expect,
            String::from_utf8_lossy(&out.stderr)
        ));
    }
    Ok(time)
}

fn bench(rounds: usize) -> Result<(), String> {
    std::env::set_current_dir(common::root())
        .map_err(|e| format!("cannot enter the project's folder: {e}"))?;
    let caches = tempfile::tempdir().map_err(|e| format!("no folder for the cache: {e}"))?;
    for case in CASES.iter().filter(|case| case.warm) {
        run_once(case, caches.path())?;
    }
    let mut times: Vec<Vec<Duration>> = vec![Vec::new(); CASES.len()];
    for _ in 0..rounds {
        for (case, times) in CASES.iter().zip(&mut times) {
            times.push(run_once(case, caches.path())?);
        }
    }
    println!("{:<28} {:>9} {:>9} {:>8}  note", "whole process", "min ms", "median ms", "aim ms");
    for (case, times) in CASES.iter().zip(&mut times) {
        times.sort();
        let ms = |d: Duration| d.as_secs_f64() * 1e3;
        let aim = case.aim_ms.map_or(String::from("-"), |a| format!("< {a}"));
        println!(
            "{:<28} {:>9.1} {:>9.1} {:>8}  {}",
            case.name,
            ms(times[0]),
            ms(times[times.len() / 2]),
            aim,
            case.note
        );
    }
    Ok(())
}

fn main() -> ExitCode {
    // Under `cargo test --benches` a smoke run is enough.
    common::end(bench(if common::is_bench() { 15 } else { 1 }))
}
