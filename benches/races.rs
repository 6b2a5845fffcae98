//! What race detection costs: the kernels of `benches/kernels` with all checks, and with all but those for races,
//! in turn, round after round, the least of each: `./x bench --races`. Names of kernels as arguments run these alone.

mod common;

use std::process::ExitCode;

fn bench(rounds: usize) -> Result<(), String> {
    println!("{:<14} {:>12} {:>12} {:>8}", "kernel, ms", "bounds only", "all checks", "ratio");
    let mut ratios = Vec::new();
    for name in common::chosen(common::KERNELS) {
        let program = common::kernel(name);
        let mut printed = None;
        let mut times = [Vec::new(), Vec::new()];
        for _ in 0..rounds {
            for (flags, times) in [common::WITHOUT_RACES, &[]].iter().zip(&mut times) {
                let run = common::run(&mut common::cudair(1, flags, &program))?;
                common::agree(&mut printed, &run)?;
                times.push(run.number("time")?);
            }
        }
        let [bounds, all] = times.map(|values| common::least(&values));
        ratios.push(all / bounds);
        println!("{name:<14} {bounds:>12.2} {all:>12.2} {:>8.2}", all / bounds);
    }
    println!("{:<14} {:>34.2}", "geometric mean", common::mean(&ratios));
    Ok(())
}

fn main() -> ExitCode {
    common::main(|| bench(7))
}
