//! Resident memory with all checks, at its peak, over the program's own global data: `./x bench --memory`.
//!
//! `benches/kernels/memory.cu` has the accesses; it reads the peak from the system, of the process that interprets
//! it. What that takes with next to no data is subtracted.

mod common;

use std::process::ExitCode;

const MIB: f64 = 1048576.0;

/// What is done to which data, how much of it in MiB, and what it may cost.
const CASES: &[(&str, usize, f64)] = &[
    ("words-update", 256, 4.0),
    ("words-copy", 256, 4.0),
    ("words-shifted", 256, 4.0),
    ("words-scattered", 64, 4.0),
    ("doubles-update", 256, 4.0),
    ("bytes-update", 64, 10.0),
    ("bytes-copy", 64, 10.0),
    ("bytes-scattered", 16, 10.0),
];

/// Live allocations of the host: their bytes, and how many thousands of them.
const OBJECTS: &[(&str, usize)] = &[
    ("objects-4", 1000),
    ("objects-16", 1000),
    ("objects-16", 4000),
    ("objects-100", 1000),
    ("objects-1000", 200),
];
/// The bytes that one of at most 128 bytes may take beyond its own.
const OBJECT_LIMIT: f64 = 100.0;

/// The peak in bytes, and the bytes of data.
fn measure(case: &str, mib: usize) -> Result<(f64, f64), String> {
    let mut command = common::cudair(1, &[], &common::kernel("memory"));
    let run = common::run(command.args(["--", case, &mib.to_string()]))?;
    Ok((run.number("peak")? * 1024.0, run.number("data")?))
}

fn bench() -> Result<(), String> {
    let (base, _) = measure(CASES[0].0, 0)?;
    println!("base footprint of the process: {:.1} MiB, subtracted", base / MIB);
    println!("{:<18} {:>10} {:>10} {:>8} {:>8}", "MiB", "data", "peak", "ratio", "limit");
    for (case, mib, limit) in CASES {
        let (peak, data) = measure(case, *mib)?;
        let peak = peak - base;
        println!("{case:<18} {:>10.1} {:>10.1} {:>8.2} {limit:>8.1}", data / MIB, peak / MIB, peak / data);
    }
    let (base, _) = measure(OBJECTS[0].0, 0)?;
    println!("{:<18} {:>10} {:>10} {:>8} {:>8}", "live allocations", "thousands", "peak", "beyond", "limit");
    for &(case, thousands) in OBJECTS {
        let (peak, data) = measure(case, thousands)?;
        let beyond = (peak - base - data) / (thousands as f64 * 1000.0);
        println!(
            "{case:<18} {thousands:>10} {:>10.1} {beyond:>8.0} {OBJECT_LIMIT:>8.0}",
            (peak - base) / MIB
        );
    }
    Ok(())
}

fn main() -> ExitCode {
    common::main(bench)
}
