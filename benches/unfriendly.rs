//! Kernels whose accesses are not the friendly ones, by time per operation of a thread, so that cliffs stand out:
//! `./x bench --unfriendly`. Names of kernels as arguments run these alone.

use std::path::Path;
use std::process::{Command, ExitCode, Stdio};

/// Programs in `benches/kernels/unfriendly`. Each says how many operations of single threads it timed.
const KERNELS: &[&str] = &[
    "bytes",
    "wide",
    "packed",
    "scattered",
    "columns",
    "locals",
    "divergent",
    "recursion",
    "checked",
    "launches",
    "block1",
    "block32",
    "block1024",
    "million",
];

/// Milliseconds and operations of a run on one core, and what the program prints.
fn measure(kernel: &str, extra: &[&str]) -> Result<(f64, f64, Vec<u8>), String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/kernels/unfriendly");
    let out = Command::new(env!("CARGO_BIN_EXE_cudair"))
        .args(["run", "--jobs", "1"])
        .args(extra)
        .arg(folder.join(format!("{kernel}.cu")))
        .stdin(Stdio::null())
        .output()
        .map_err(|e| e.to_string())?;
    let stderr = String::from_utf8_lossy(&out.stderr);
    let number = |name: &str| stderr.lines().find_map(|l| l.strip_prefix(name)?.trim().parse().ok());
    match (number("time "), number("work ")) {
        (Some(time), Some(work)) if out.status.success() => Ok((time, work, out.stdout)),
        _ => Err(format!("{kernel}: {}\n{stderr}", out.status)),
    }
}

fn median(values: &mut [f64]) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

fn bench(rounds: usize, only: &[String]) -> Result<(), String> {
    const UNRACED: &[&str] = &["--no-check", "shared-race", "--no-check", "global-race"];
    println!("{:<12} {:>10} {:>14} {:>18}", "kernel", "ms", "ns/operation", "races, times");
    for kernel in KERNELS.iter().filter(|k| only.is_empty() || only.iter().any(|o| o == *k)) {
        let (mut times, mut unraced) = (Vec::new(), Vec::new());
        let mut operations = 0.0;
        for _ in 0..rounds {
            let (time, work, printed) = measure(kernel, &[])?;
            times.push(time);
            operations = work;
            let (time, _, other) = measure(kernel, UNRACED)?;
            unraced.push(time);
            if printed != other {
                return Err(format!("{kernel} prints something else without race detection"));
            }
        }
        let (time, bare) = (median(&mut times), median(&mut unraced));
        println!("{kernel:<12} {time:>10.2} {:>14.3} {:>18.2}", time * 1e6 / operations, time / bare);
    }
    Ok(())
}

fn main() -> ExitCode {
    if !std::env::args().any(|a| a == "--bench") {
        // Under `cargo test --benches` there is nothing to check that the tests do not check better.
        return ExitCode::SUCCESS;
    }
    let only: Vec<String> = std::env::args().skip(1).filter(|a| !a.starts_with('-')).collect();
    match bench(3, &only) {
        Ok(()) => ExitCode::SUCCESS,
        Err(e) => {
            eprintln!("{e}");
            ExitCode::FAILURE
        }
    }
}
