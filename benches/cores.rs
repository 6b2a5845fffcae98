//! Larger kernels on one core and on more, in turn, round after round: `./x bench --cores`. Results must agree.

use std::path::Path;
use std::process::{Command, ExitCode, Stdio};

/// Kernels of `benches/kernels` with a size at which they take about half a second on one core. The histogram's
/// atomics keep it on one core: the attempt must not cost much.
const KERNELS: &[(&str, &str)] = &[
    ("nbody", "16384"),
    ("matmul_naive", "512"),
    ("matmul_tiled", "512"),
    ("bitonic", "8192"),
    ("scan", "8388608"),
    ("stencil", "2048"),
    ("vecadd", "16777216"),
    ("histogram", "16777216"),
];

/// Milliseconds of the kernel, and what the program prints.
fn measure(kernel: &str, size: &str, cores: usize) -> Result<(f64, Vec<u8>), String> {
    let program = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("benches/kernels/{kernel}.cu"));
    let out = Command::new(env!("CARGO_BIN_EXE_cudair"))
        .args(["run", "--jobs", &cores.to_string()])
        .arg(program)
        .args(["--", size])
        .stdin(Stdio::null())
        .output()
        .map_err(|e| e.to_string())?;
    let stderr = String::from_utf8_lossy(&out.stderr);
    let time = stderr.lines().find_map(|l| l.strip_prefix("time ")?.trim().parse().ok());
    match time {
        Some(time) if out.status.success() => Ok((time, out.stdout)),
        _ => Err(format!("{kernel} on {cores} cores: {}\n{stderr}", out.status)),
    }
}

fn median(values: &mut [f64]) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

fn bench(rounds: usize) -> Result<(), String> {
    let all = std::thread::available_parallelism().map_or(1, usize::from);
    let mut cores = vec![1];
    while cores[cores.len() - 1] < all {
        cores.push((cores[cores.len() - 1] * 2).min(all));
    }
    print!("{:<14}", "kernel, ms");
    for n in &cores {
        print!(" {:>12}", format!("{n} cores"));
    }
    println!("  times as fast");
    for (kernel, size) in KERNELS {
        let mut times = vec![Vec::new(); cores.len()];
        let mut printed: Option<Vec<u8>> = None;
        for _ in 0..rounds {
            for (cores, times) in cores.iter().zip(&mut times) {
                let (time, output) = measure(kernel, size, *cores)?;
                times.push(time);
                if printed.get_or_insert_with(|| output.clone()) != &output {
                    return Err(format!("{kernel} prints something else on {cores} cores"));
                }
            }
        }
        let medians: Vec<f64> = times.iter_mut().map(|t| median(t)).collect();
        print!("{kernel:<14}");
        for m in &medians {
            print!(" {m:>12.2}");
        }
        print!(" ");
        medians[1..].iter().for_each(|m| print!(" {:.2}", medians[0] / m));
        println!();
    }
    Ok(())
}

fn main() -> ExitCode {
    if !std::env::args().any(|a| a == "--bench") {
        return ExitCode::SUCCESS;
    }
    match bench(5) {
        Ok(()) => ExitCode::SUCCESS,
        Err(e) => {
            eprintln!("{e}");
            ExitCode::FAILURE
        }
    }
}
