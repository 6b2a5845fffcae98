//! The host code of `benches/host`: cudair, which interprets it with every check, against the same
//! source compiled by `c++ -O0`, in turn, round after round.
//!
//! `./x bench --host [NAME…]` runs it. Times are the processor time of the loops alone, as each program
//! measures it (`benches/host/host.h`); what counts are the ratios. The outputs must be the same.

mod common;

use common::median;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

const PROGRAMS: &[&str] = &[
    "matmul",
    "stencil",
    "sort",
    "histogram",
    "text",
    "structs",
    "numeric",
    "integers",
    "calls",
    "list",
    "classes",
];

/// What the interpreter may cost, as a multiple of native code.
const AIM: f64 = 10.0;

fn compile(source: &Path, binary: &Path) -> Result<(), String> {
    let status = Command::new("c++")
        .args(["-x", "c++", "-O0", "-o"])
        .arg(binary)
        .arg(source)
        .arg("-lm")
        .status()
        .map_err(|e| format!("a C++ compiler is needed: {e}"))?;
    if status.success() { Ok(()) } else { Err(format!("`c++ -O0 {}` failed", source.display())) }
}

fn bench(names: &[&str], rounds: usize) -> Result<(), String> {
    let root = common::root();
    let build: PathBuf = Path::new(env!("CARGO_TARGET_TMPDIR")).join("host");
    std::fs::create_dir_all(&build).map_err(|e| e.to_string())?;
    println!("{:<12} {:>12} {:>12} {:>8}  aim {AIM}", "host, ms", "cudair", "c++ -O0", "ratio");
    let mut all = Vec::new();
    for name in names {
        let source = root.join(format!("benches/host/{name}.cu"));
        let binary = build.join(name);
        compile(&source, &binary)?;
        let (mut ours, mut theirs, mut ratios) = (Vec::new(), Vec::new(), Vec::new());
        for _ in 0..rounds {
            let compiled = common::run(&mut Command::new(&binary))?;
            let interpreted = common::run(&mut common::cudair(1, &[], &source))?;
            common::agree(&mut Some(compiled.output.clone()), &interpreted)?;
            let (t, c) = (compiled.number("time")?, interpreted.number("time")?);
            ours.push(c);
            theirs.push(t);
            ratios.push(c / t);
        }
        let ratio = median(&mut ratios);
        all.push(ratio);
        println!("{name:<12} {:>12.1} {:>12.1} {ratio:>8.1}", median(&mut ours), median(&mut theirs));
    }
    println!("{:<12} {:>34.1}", "geometric mean", common::mean(&all));
    Ok(())
}

fn main() -> ExitCode {
    common::main(|| bench(&common::chosen(PROGRAMS), 5))
}
