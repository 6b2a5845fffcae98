//! What the benchmarks share: running a program that says on stderr what it measured, medians, and the way in.

#![allow(dead_code, reason = "each benchmark takes what it needs")]

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

/// Checks that go beyond bounds, lifetime, space and initialisation: what `--no-check` takes off for a comparison.
pub const WITHOUT_RACES: &[&str] = &["--no-check", "shared-race", "--no-check", "global-race"];

/// The regular ones of the kernels that the peers have too.
pub const KERNELS: &[&str] =
    &["vecadd", "reduce", "matmul_tiled", "matmul_naive", "histogram", "bitonic", "stencil", "nbody", "scan"];

/// Those of them with branches, lengths or addresses that differ from lane to lane, in `benches/kernels/irregular`.
pub const IRREGULAR: &[&str] = &[
    "spmv_scalar",
    "spmv_vector",
    "bfs",
    "mandelbrot",
    "transpose",
    "gauss",
    "convolve",
    "strings",
    "hash",
    "tree",
];

/// What a program printed, with what it says it measured.
pub struct Run {
    /// Its standard output.
    pub output: String,
    stderr: String,
    what: String,
}

impl Run {
    /// The number on the line of stderr that starts with `name`: `time` is milliseconds.
    pub fn number(&self, name: &str) -> Result<f64, String> {
        let number = |line: &str| line.strip_prefix(name)?.strip_prefix(' ')?.trim().parse().ok();
        let found = self.stderr.lines().find_map(number);
        found.ok_or_else(|| format!("{} printed no {name}\n{}", self.what, self.stderr))
    }
}

/// Runs a command to its end, which must be a good one.
pub fn run(command: &mut Command) -> Result<Run, String> {
    let what = format!("{command:?}");
    let out = command.stdin(Stdio::null()).output().map_err(|e| format!("cannot start {what}: {e}"))?;
    let stderr = String::from_utf8_lossy(&out.stderr).into_owned();
    if !out.status.success() {
        return Err(format!("{what}: {}\n{stderr}", out.status));
    }
    Ok(Run { output: String::from_utf8_lossy(&out.stdout).into_owned(), stderr, what })
}

/// The project's folder.
pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// A kernel's program by its name in `benches/kernels`, or in `irregular` there.
pub fn kernel(name: &str) -> PathBuf {
    let folder = if IRREGULAR.contains(&name) { "irregular/" } else { "" };
    root().join(format!("benches/kernels/{folder}{name}.cu"))
}

/// `cudair run` on this many cores.
pub fn cudair(cores: usize, flags: &[&str], program: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_cudair"));
    command.args(["run", "--jobs", &cores.to_string()]).args(flags).arg(program);
    command
}

/// The middle one.
pub fn median(values: &mut [f64]) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

/// The least: what other work on the machine adds to a time, it does not take away from all.
pub fn least(values: &[f64]) -> f64 {
    values.iter().copied().fold(f64::INFINITY, f64::min)
}

/// The geometric mean.
pub fn mean(values: &[f64]) -> f64 {
    (values.iter().map(|v| v.ln()).sum::<f64>() / values.len() as f64).exp()
}

/// Fails where a contender prints something else than the first one did.
pub fn agree(first: &mut Option<String>, run: &Run) -> Result<(), String> {
    let expected = first.get_or_insert_with(|| run.output.clone());
    // Some end with a line more.
    if expected.trim() == run.output.trim() {
        return Ok(());
    }
    Err(format!("{} prints `{}`, expected `{expected}`", run.what, run.output))
}

/// Those of `all` that the command line names; all where it names none.
pub fn chosen<'a>(all: &[&'a str]) -> Vec<&'a str> {
    let args: Vec<String> = std::env::args().skip(1).filter(|a| !a.starts_with('-')).collect();
    let is_named = |name: &&&str| args.is_empty() || args.iter().any(|a| a == **name);
    all.iter().filter(is_named).copied().collect()
}

/// Whether this is a benchmark, and not a run under `cargo test --benches`, where there is little to do that the
/// tests do not check better.
pub fn is_bench() -> bool {
    std::env::args().any(|a| a == "--bench")
}

/// The exit code of a benchmark.
pub fn end(result: Result<(), String>) -> ExitCode {
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(e) => {
            eprintln!("{e}");
            ExitCode::FAILURE
        }
    }
}

/// Runs a benchmark.
pub fn main(bench: impl FnOnce() -> Result<(), String>) -> ExitCode {
    end(if is_bench() { bench() } else { Ok(()) })
}
