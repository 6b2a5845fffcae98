//! The kernels of `benches/kernels`, regular and irregular ones, side by side: cudair with all checks, Oclgrind with and without
//! `--data-races`, PoCL unchecked, and plain C, on one core, in turn, round after round.
//!
//! `./x bench --peers` runs it; names of kernels as arguments run these alone. Times are those of the kernels alone, as each program measures them
//! (`benches/kernels/bench.h`); what counts are the ratios. Results must agree. Peers that are not
//! installed are left out and named.

mod common;

use common::{IRREGULAR, KERNELS, median};
use std::path::PathBuf;
use std::process::{Command, ExitCode, Stdio};

/// A contender: its name and how its command for a kernel is made.
struct Peer {
    name: &'static str,
    command: fn(&Paths, &str) -> Command,
    /// Rounds of this many of the benchmark's rounds; Oclgrind takes minutes.
    rounds: usize,
}

struct Paths {
    root: PathBuf,
    build: PathBuf,
}

const PEERS: &[Peer] = &[
    Peer { name: "cudair", command: |_, k| common::cudair(1, &[], &common::kernel(k)), rounds: usize::MAX },
    Peer { name: WARM, command: |_, k| warm(common::cudair(1, &[], &common::kernel(k))), rounds: usize::MAX },
    Peer { name: "oclgrind races", command: |p, k| oclgrind(p, k, &["--data-races"]), rounds: 1 },
    Peer { name: "oclgrind", command: |p, k| oclgrind(p, k, &[]), rounds: 1 },
    Peer { name: "pocl", command: pocl, rounds: usize::MAX },
    Peer { name: "c -O2", command: scalar, rounds: usize::MAX },
];

/// cudair when the kernels have run once before in the process, as those of PoCL and C have.
const WARM: &str = "cudair warm";

fn warm(mut command: Command) -> Command {
    command.env("BENCH_WARM", "1");
    command
}

/// The program for OpenCL that has this kernel, and the file with the kernel itself.
fn opencl(p: &Paths, kernel: &str) -> (PathBuf, PathBuf) {
    let (program, kernels) = if IRREGULAR.contains(&kernel) {
        ("irregular_opencl", "irregular.cl")
    } else {
        ("opencl", "kernels.cl")
    };
    (p.build.join(program), p.root.join("benches/peers").join(kernels))
}

fn oclgrind(p: &Paths, kernel: &str, extra: &[&str]) -> Command {
    let (program, kernels) = opencl(p, kernel);
    let mut c = Command::new("oclgrind");
    c.args(extra).args(["--num-threads", "1"]);
    c.arg(program).arg(kernel).arg(kernels);
    c
}

fn pocl(p: &Paths, kernel: &str) -> Command {
    let (program, kernels) = opencl(p, kernel);
    let mut c = Command::new(program);
    c.arg(kernel).arg(kernels).arg("warm");
    c.env("POCL_MAX_PTHREAD_COUNT", "1");
    c
}

fn scalar(p: &Paths, kernel: &str) -> Command {
    let program = if IRREGULAR.contains(&kernel) { "irregular_scalar" } else { "scalar" };
    let mut c = Command::new(p.build.join(program));
    c.arg(kernel);
    c
}

/// Compiles the C programs; the names of peers that cannot be had here.
fn build(paths: &Paths) -> Result<Vec<&'static str>, String> {
    std::fs::create_dir_all(&paths.build).map_err(|e| e.to_string())?;
    let cc = |source: &str, out: &str, libs: &[&str]| {
        Command::new("cc")
            .args(["-O2", "-o"])
            .arg(paths.build.join(out))
            .arg(paths.root.join("benches/peers").join(source))
            .args(libs)
            .status()
            .is_ok_and(|s| s.success())
    };
    if !cc("scalar.c", "scalar", &["-lm"]) || !cc("irregular_scalar.c", "irregular_scalar", &["-lm"]) {
        return Err("a C compiler is needed to build benches/peers/scalar.c and irregular_scalar.c".into());
    }
    let mut missing = Vec::new();
    let opencl = cc("opencl.c", "opencl", &["-lOpenCL"])
        && cc("irregular_opencl.c", "irregular_opencl", &["-lOpenCL", "-lm"]);
    let there = |program: &str, arg: &str| {
        Command::new(program).arg(arg).stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok()
    };
    if !opencl {
        missing.push("pocl");
    }
    if !opencl || !there("oclgrind", "--version") {
        missing.extend(["oclgrind races", "oclgrind"]);
    }
    Ok(missing)
}

fn bench(rounds: usize) -> Result<(), String> {
    let root = common::root().to_path_buf();
    let paths = Paths { build: root.join("target/peers"), root };
    let missing = build(&paths)?;
    for name in &missing {
        println!(
            "left out, not installed: {name} (Debian: apt-get install oclgrind pocl-opencl-icd ocl-icd-opencl-dev opencl-c-headers)"
        );
    }
    let peers: Vec<&Peer> = PEERS.iter().filter(|p| !missing.contains(&p.name)).collect();
    print!("{:<14}", "kernel, ms");
    for p in &peers {
        print!(" {:>15}", p.name);
    }
    println!("  ratios to cudair");
    for kernels in [KERNELS, IRREGULAR] {
        let kernels = common::chosen(kernels);
        if !kernels.is_empty() {
            compare(&paths, &peers, &kernels, rounds)?;
        }
    }
    Ok(())
}

/// Measures these kernels, and prints a row of each and the geometric means of them all.
fn compare(paths: &Paths, peers: &[&Peer], kernels: &[&str], rounds: usize) -> Result<(), String> {
    // Of the logarithms of the ratios to cudair, and to cudair when it is warm.
    let mut logs = vec![[0.0; 2]; peers.len()];
    let warm = peers.iter().position(|p| p.name == WARM).unwrap_or(0);
    for kernel in kernels {
        let mut times: Vec<Vec<f64>> = vec![Vec::new(); peers.len()];
        let mut result = None;
        for round in 0..rounds {
            for (peer, times) in peers.iter().zip(&mut times) {
                if round >= peer.rounds {
                    continue;
                }
                let run = common::run(&mut (peer.command)(paths, kernel))?;
                common::agree(&mut result, &run)?;
                times.push(run.number("time")?);
            }
        }
        print!("{kernel:<14}");
        let medians: Vec<f64> = times.iter_mut().map(|t| median(t)).collect();
        for m in &medians {
            print!(" {m:>15.3}");
        }
        print!(" ");
        for (m, log) in medians.iter().zip(&mut logs).skip(1) {
            print!(" {:.2}", m / medians[0]);
            for (log, base) in log.iter_mut().zip([0, warm]) {
                *log += (m / medians[base]).ln();
            }
        }
        println!();
    }
    for (n, base) in ["cudair", WARM].into_iter().enumerate() {
        print!("geometric mean of the ratios to {base}:");
        for (p, log) in peers.iter().zip(&logs).filter(|(p, _)| p.name != base) {
            print!("  {} {:.2}", p.name, (log[n] / kernels.len() as f64).exp());
        }
        println!();
    }
    Ok(())
}

fn main() -> ExitCode {
    common::main(|| bench(5))
}
