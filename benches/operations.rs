//! What single operations of kernels take: `./x bench --operations`. Names as arguments run these alone.
//!
//! `benches/kernels/operations.cu` does one of them in a loop, as bytecode, and as what is chosen without a word.

mod common;

use std::process::ExitCode;

/// Operations: their names, and what they are in C++.
const OPERATIONS: &[(&str, &str)] = &[
    ("popc", "__popc(x)"),
    ("clz", "__clz(x)"),
    ("ffs", "__ffs(x)"),
    ("brev", "__brev(x)"),
    ("byte_perm", "__byte_perm(x, sum, 0x3210 + n)"),
    ("abs", "abs((int)x)"),
    ("remainder", "x % (unsigned)(n + 7)"),
    ("quotient", "(int)x / (n - 7)"),
    ("mulhi", "__umulhi(x, x + 3)"),
    ("umul64hi", "__umul64hi(x * 0x123456789abcull, x + 3ull)"),
    ("long_product", "(unsigned long long)x * x >> 7"),
    ("copysign", "copysignf(f, -1.0f)"),
    ("isnan", "isnan(f)"),
    ("fmin", "fminf(f, 1.5f)"),
    ("fmod", "fmodf(f, 0.37f)"),
    ("sqrt", "sqrtf(f) * 16.0f"),
    ("division", "16.0f / f"),
    ("rsqrt", "rsqrtf(f) * 16.0f"),
    ("exp", "expf(f)"),
    ("sin", "sinf(f) * 16.0f"),
    ("to_long", "(unsigned)(long long)(f * 1e9f)"),
    ("to_double", "(double)x * 0.25"),
    ("double_fma", "fma(d, d, 3.0)"),
    ("float_to_half", "__half_as_ushort(__float2half(f))"),
    ("half_to_float", "__half2float(h)"),
    ("half_sum", "__half_as_ushort(__hadd(h, h))"),
    ("half_fma", "__half_as_ushort(__hfma(h, h, h))"),
    ("shuffle", "__shfl_xor_sync(~0u, x, 5)"),
    ("vote", "__ballot_sync(~0u, x & 64)"),
];

fn bench(rounds: usize) -> Result<(), String> {
    println!(
        "nanoseconds of a thread for one operation more in a loop, on one core, the least of {rounds} rounds"
    );
    println!("{:<16} {:>10} {:>10}", "operation", "bytecode", "chosen");
    let program = common::kernel("operations");
    let measure = |operation: &str| -> Result<[f64; 2], String> {
        let define = format!("-DOPERATION={operation}");
        let mut least = [f64::INFINITY; 2];
        let mut printed = None;
        for _ in 0..rounds {
            for (least, engine) in least.iter_mut().zip(["vm", "auto"]) {
                let mut command = common::cudair(1, &["--engine", engine, &define], &program);
                let run = common::run(command.env("BENCH_WARM", "1"))?;
                common::agree(&mut printed, &run)?;
                *least = least.min(run.number("time")? * 1e6 / run.number("work")?);
            }
        }
        Ok(least)
    };
    let alone = measure("x")?;
    println!("{:<16} {:>10.2} {:>10.2}", "the loop alone", alone[0], alone[1]);
    let names: Vec<&str> = OPERATIONS.iter().map(|o| o.0).collect();
    let names = common::chosen(&names);
    for (name, operation) in OPERATIONS.iter().filter(|o| names.contains(&o.0)) {
        let all = measure(operation)?;
        println!("{name:<16} {:>10.2} {:>10.2}", all[0] - alone[0], all[1] - alone[1]);
    }
    Ok(())
}

fn main() -> ExitCode {
    common::main(|| bench(3))
}
