//! The host code of `benches/host`: cudair, which interprets it with every check, against the same
//! source compiled by `c++ -O0`, in turn, round after round.
//!
//! `./x bench --host [NAME…]` runs it. Times are the processor time of the loops alone, as each program
//! measures it (`benches/host/host.h`); what counts are the ratios. The outputs must be the same.

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

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

/// Runs a program once: milliseconds of its loops and its output.
fn measure(command: &mut Command) -> Result<(f64, String), String> {
    let what = format!("{command:?}");
    let out = command.stdin(Stdio::null()).output().map_err(|e| format!("cannot start {what}: {e}"))?;
    let stderr = String::from_utf8_lossy(&out.stderr);
    if !out.status.success() {
        return Err(format!("{what}: {}\n{stderr}", out.status));
    }
    let time = stderr
        .lines()
        .find_map(|l| l.strip_prefix("time ")?.trim().parse().ok())
        .ok_or_else(|| format!("{what} printed no time\n{stderr}"))?;
    Ok((time, String::from_utf8_lossy(&out.stdout).into_owned()))
}

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

fn median(values: &mut [f64]) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

fn bench(names: &[&str], rounds: usize) -> Result<(), String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let build: PathBuf = Path::new(env!("CARGO_TARGET_TMPDIR")).join("host");
    std::fs::create_dir_all(&build).map_err(|e| e.to_string())?;
    println!("{:<12} {:>12} {:>12} {:>8}  aim {AIM}", "host, ms", "cudair", "c++ -O0", "ratio");
    let mut logs = 0.0;
    for name in names {
        let source = root.join(format!("benches/host/{name}.cu"));
        let binary = build.join(name);
        compile(&source, &binary)?;
        let (mut ours, mut theirs, mut ratios) = (Vec::new(), Vec::new(), Vec::new());
        for _ in 0..rounds {
            let (t, expected) = measure(&mut Command::new(&binary))?;
            let mut command = Command::new(env!("CARGO_BIN_EXE_cudair"));
            let (c, output) = measure(command.args(["run", "--jobs", "1"]).arg(&source))?;
            if output != expected {
                return Err(format!("{name} prints `{output}`, compiled `{expected}`"));
            }
            ours.push(c);
            theirs.push(t);
            ratios.push(c / t);
        }
        let ratio = median(&mut ratios);
        logs += ratio.ln();
        println!("{name:<12} {:>12.1} {:>12.1} {ratio:>8.1}", median(&mut ours), median(&mut theirs));
    }
    println!("{:<12} {:>34.1}", "geometric mean", (logs / names.len() as f64).exp());
    Ok(())
}

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    if !args.iter().any(|a| a == "--bench") {
        // Under `cargo test --benches` there is nothing to check that the tests do not check better.
        return ExitCode::SUCCESS;
    }
    let named: Vec<&str> = PROGRAMS.iter().copied().filter(|p| args.iter().any(|a| a == p)).collect();
    match bench(if named.is_empty() { PROGRAMS } else { &named }, 5) {
        Ok(()) => ExitCode::SUCCESS,
        Err(e) => {
            eprintln!("{e}");
            ExitCode::FAILURE
        }
    }
}
