//! Larger kernels on one core and on more, in turn, round after round: `./x bench --cores`. Results must agree.

mod common;

use common::median;
use std::process::ExitCode;

/// Kernels of `benches/kernels` with a size at which they take some tenths of a second on one core. The last two run as
/// bytecode, by processes; the others are proved free of races and run as machine code, on threads. The histogram's atomics keep
/// it on one core: the attempt must not cost much.
const KERNELS: &[(&str, &str)] = &[
    ("nbody", "32768"),
    ("matmul_naive", "1024"),
    ("stencil", "4096"),
    ("reduce", "16777216"),
    ("vecadd", "16777216"),
    ("matmul_tiled", "512"),
    ("scan", "8388608"),
    ("bitonic", "8192"),
    ("histogram", "16777216"),
];

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
        let mut printed = None;
        for _ in 0..rounds {
            for (cores, times) in cores.iter().zip(&mut times) {
                let mut command = common::cudair(*cores, &[], &common::kernel(kernel));
                let run = common::run(command.args(["--", size]))?;
                common::agree(&mut printed, &run)?;
                times.push(run.number("time")?);
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
    common::main(|| bench(5))
}
