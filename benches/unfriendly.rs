//! Kernels whose accesses are not the friendly ones, against friendly ones of the same size, so that cliffs stand
//! out: `./x bench --unfriendly`. Names of kernels as arguments run these alone.
//!
//! Each program in `benches/kernels/unfriendly` says how many operations of single threads it timed, and is
//! compiled once more with `FRIENDLY` defined: the same work in words, side by side, in blocks of 256.

mod common;

use std::process::ExitCode;

/// Programs, and what is given to them as an argument: a block's threads.
const KERNELS: &[(&str, &str, &[&str])] = &[
    ("bytes", "bytes", &[]),
    ("wide", "wide", &[]),
    ("packed", "packed", &[]),
    ("structs", "structs", &[]),
    ("scattered", "scattered", &[]),
    ("columns", "columns", &[]),
    ("locals", "locals", &[]),
    ("divergent", "divergent", &[]),
    ("recursion", "recursion", &[]),
    ("checked", "checked", &[]),
    ("launches", "launches", &[]),
    ("block1", "blocks", &["1"]),
    ("block32", "blocks", &["32"]),
    ("block1024", "blocks", &["1024"]),
    ("million", "million", &[]),
];

fn bench(rounds: usize) -> Result<(), String> {
    println!("nanoseconds per operation of a thread on one core, the least of {rounds} rounds");
    println!(
        "{:<12} {:>10} {:>12} {:>12} {:>8} {:>12} {:>10}",
        "kernel", "ms", "bounds only", "all checks", "ratio", "friendly", "ratio"
    );
    let names: Vec<&str> = KERNELS.iter().map(|k| k.0).collect();
    let names = common::chosen(&names);
    let mut ratios = Vec::new();
    for (name, program, args) in KERNELS.iter().filter(|k| names.contains(&k.0)) {
        let program = common::kernel(&format!("unfriendly/{program}"));
        let measure = |flags: &[&str]| -> Result<_, String> {
            let mut command = common::cudair(1, flags, &program);
            let run = common::run(command.arg("--").args(*args))?;
            Ok((run.number("time")?, run.number("work")?, run))
        };
        let (mut all, mut bounds, mut friendly) = (Vec::new(), Vec::new(), Vec::new());
        let (mut printed, mut ms) = (None, Vec::new());
        for _ in 0..rounds {
            let (time, work, run) = measure(&[])?;
            common::agree(&mut printed, &run)?;
            ms.push(time);
            all.push(time * 1e6 / work);
            let (time, work, run) = measure(common::WITHOUT_RACES)?;
            common::agree(&mut printed, &run)?;
            bounds.push(time * 1e6 / work);
            let (time, work, _) = measure(&["-DFRIENDLY"])?;
            friendly.push(time * 1e6 / work);
        }
        let [ms, all, bounds, friendly] = [ms, all, bounds, friendly].map(|values| common::least(&values));
        ratios.push(all / bounds);
        println!(
            "{name:<12} {ms:>10.2} {bounds:>12.3} {all:>12.3} {:>8.2} {friendly:>12.3} {:>10.2}",
            all / bounds,
            all / friendly
        );
    }
    println!("geometric mean of race overhead: {:.2}", common::mean(&ratios));
    Ok(())
}

fn main() -> ExitCode {
    common::main(|| bench(5))
}
