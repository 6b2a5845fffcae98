//! What `check` says of reads of shared memory is held against runs.
//!
//! Random kernels write to an array in shared memory and read it, at indices made of the thread's, of a loop's counter, of
//! a parameter and of data, under guards, with barriers and loops between. Where it is proved that each byte is written
//! before it is read, no run may find one that is not; where it is refuted, each run has to.
//!
//! `CUDAIR_WRITTEN=SEED/N` takes N kernels of a seed.

#[path = "ui/proofs.rs"]
mod proofs;

use proofs::{Random, each_file, says_something, verdicts};
use serde_json::Value;
use std::collections::{BTreeSet, HashMap};
use std::fmt::Write;
use std::path::Path;
use std::process::Command;

/// Kernels that are tried where nobody says how many.
const DEFAULT: usize = 40;
/// Elements of the array. No index that is made here is as large.
const ELEMENTS: usize = 64;
/// What is passed for the parameter of each kernel.
const ARGUMENTS: [i32; 4] = [0, 1, 3, 20];

/// An index into the array; `k` is a loop's counter, where there is one.
fn index(r: &mut Random, in_loop: bool) -> String {
    let c = r.below(6);
    match r.below(if in_loop { 17 } else { 13 }) {
        0..=1 => "t".to_owned(),
        2..=3 => "t + T".to_owned(),
        4 => "T - 1 - t".to_owned(),
        5 => format!("t + {c}"),
        6 => "2 * t".to_owned(),
        7 => format!("t / {}", c + 1),
        8 => format!("t % {}", c + 1),
        9 => "(t + n) & 31".to_owned(),
        10 => format!("d[t] & {}", [7, 31, 63][c % 3]),
        11 => format!("{c}"),
        12 => format!("t ^ {}", 1 << (c % 3)),
        13 => "(k & 1) * 32 + t".to_owned(),
        14 => "((k + 1) & 1) * 32 + t".to_owned(),
        15 => "(t + k) & 31".to_owned(),
        _ => "((k & 1) << 5) + (31 - t)".to_owned(),
    }
}

/// A condition, or none.
fn guard(r: &mut Random) -> String {
    let c = r.below(34);
    match r.below(14) {
        0 => format!("if (t < {c}) "),
        1 => "if (t == 0) ".to_owned(),
        2 => "if (t < n) ".to_owned(),
        3 => format!("if (t % {} == 0) ", c % 4 + 1),
        4 => format!("if (n > {}) ", c % 3),
        5 => "if (d[t] > 20) ".to_owned(),
        6 => format!("if (t != {c}) "),
        7 => format!("if ({}odd) ", r.pick(&["", "!"])),
        _ => String::new(),
    }
}

/// A loop that writes many elements; some threads leave it early.
fn fill(r: &mut Random) -> String {
    let step = *r.pick(&["T", "T", "1", "2 * T"]);
    let (first, end) = (*r.pick(&["t", "t", "0", "2 * t"]), ELEMENTS - r.below(ELEMENTS) / 2);
    let leave = match r.below(4) {
        0 => format!("if (i == {}) break; ", r.below(ELEMENTS)),
        1 => "if (d[i] > 50) break; ".to_owned(),
        2 => "if (i > n) break; ".to_owned(),
        _ => String::new(),
    };
    format!("for (int i = {first}; i < {end}; i += {step}) {{ {leave}s[i] = i; }}")
}

/// What each thread finds out alone, of which no analysis knows anything: `odd`.
fn alone(r: &mut Random) -> &'static str {
    let ways = [
        "bool odd = atomicAdd(&out[63], 1) & 1;",
        "int u = d[t]; while (u > 7) u = u % 2 ? u / 2 : u - 3; bool odd = u & 1;",
        "int u = t; do u = (u + 3) % 11; while (u > 4); bool odd = u & 1;",
    ];
    ways[r.below(ways.len())]
}

/// Statements, with barriers where all threads come.
fn statements(r: &mut Random, depth: usize, in_loop: bool, text: &mut String) {
    let indent = "    ".repeat(depth + 1);
    for _ in 0..2 + r.below(3) {
        let line = match r.below(21) {
            0..=6 => format!("{}s[{}] = t + {};", guard(r), index(r, in_loop), r.below(9)),
            7 => fill(r),
            8..=11 => "__syncthreads();".to_owned(),
            12 => format!("{}atomicAdd(&s[{}], 1);", guard(r), index(r, in_loop)),
            13..=17 => format!("{}v += s[{}] * 3;", guard(r), index(r, in_loop)),
            18 => format!("for (int i = t; i < {}; i += T) v += s[i] + 1;", 1 + r.below(ELEMENTS)),
            19 => {
                let [a, b] = [0; 2].map(|_| index(r, in_loop));
                format!("if (odd) s[{a}] = t; else s[{b}] = t + 1;")
            }
            _ if in_loop => "__syncthreads();".to_owned(),
            _ => {
                let turns = *r.pick(&["n", "3", "2"]);
                let _ = writeln!(text, "{indent}for (int k = 0; k < {turns}; k++) {{");
                statements(r, depth + 1, true, text);
                let _ = writeln!(text, "{indent}    __syncthreads();");
                "}".to_owned()
            }
        };
        let _ = writeln!(text, "{indent}{line}");
    }
}

struct Kernel {
    name: String,
    text: String,
    block: [usize; 2],
}

impl Kernel {
    fn random(r: &mut Random, number: usize) -> Kernel {
        let name = format!("k{number}");
        let (threads, thread, block) = match r.below(4) {
            0 => (32, "threadIdx.y * 8 + threadIdx.x", [8, 4]),
            1 => (16, "threadIdx.x * 4 + threadIdx.y", [4, 4]),
            2 => (16, "threadIdx.x", [16, 1]),
            _ => (32, "threadIdx.x", [32, 1]),
        };
        let mut body = String::new();
        if r.chance(60) {
            // Most programs begin so.
            if r.chance(40) {
                body += &format!("    {}\n", fill(r));
            } else {
                body += &format!("    {}s[t] = d[t];\n", guard(r));
            }
            if r.chance(25) {
                body += "    s[t + T] = 0;\n";
            }
            body += "    __syncthreads();\n";
        }
        if r.chance(15) {
            // One loop alone is between the reads and nothing.
            body = format!("    {}\n    __syncthreads();\n", fill(r));
            for _ in 0..2 {
                let _ = writeln!(body, "    v += s[{}] * 3;", index(r, false));
            }
        } else if r.chance(10) {
            // Each thread writes one of two elements, and which, it finds out alone.
            let [a, b] = [0; 2].map(|_| r.below(6));
            body = format!(
                "    if (odd) s[t + {a}] = t;\n    if (!odd) s[t + {b}] = 1;\n    __syncthreads();\n    \
                 if (t > 5) v += s[t] * 3;\n"
            );
        } else {
            statements(r, 0, false, &mut body);
        }
        let text = format!(
            "__global__ void {name}(int *out, const int *d, int n) {{\n    const int T = {threads};\n    \
             __shared__ int s[{ELEMENTS}];\n    int t = {thread}, v = 0;\n    {}\n{body}    out[t] = v;\n}}\n",
            alone(r)
        );
        Kernel { name, text, block }
    }
}

fn program(kernels: &[Kernel]) -> String {
    let mut text = "#include <cstdlib>\n".to_owned();
    for k in kernels {
        text += &k.text;
    }
    text += "int main(int argc, char **argv) {\n    int n = atoi(argv[1]), h[64], *out, *d;\n    \
             for (int i = 0; i < 64; i++) h[i] = (i * 11 + n * 5) % 64;\n    cudaMalloc(&out, 256);\n    \
             cudaMalloc(&d, 256);\n    cudaMemset(out, 0, 256);\n    cudaMemcpy(d, h, 256, cudaMemcpyHostToDevice);\n";
    for k in kernels {
        let _ = writeln!(text, "    {}<<<2, dim3({}, {})>>>(out, d, n);", k.name, k.block[0], k.block[1]);
    }
    text + "    cudaDeviceSynchronize();\n    cudaFree(out);\n    cudaFree(d);\n}\n"
}

/// The kernels that read bytes which were never written, in a run.
fn faulty(path: &Path, argument: i32, seed: u64) -> BTreeSet<String> {
    let output = Command::new(env!("CARGO_BIN_EXE_cudair"))
        .args(["run", "--format", "json", "--max-findings", "100000", "--seed", &seed.to_string()])
        .arg(path)
        .args(["--", &argument.to_string()])
        .output()
        .expect("cudair starts");
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    let lines =
        text.lines().map(|l| serde_json::from_str::<Value>(l).unwrap_or_else(|_| panic!("no JSON: {l}")));
    let mut out = BTreeSet::new();
    for v in lines {
        assert_ne!(v["type"], "diagnostic", "{v}");
        assert_ne!(v["kind"], "out-of-bounds", "{}: {v}", path.display());
        if v["kind"] == "uninitialized-read" {
            out.extend(v["kernel"].as_str().map(str::to_owned));
        }
    }
    out
}

#[test]
fn what_is_read_was_written() {
    let mut wrong = Vec::new();
    let mut counts: HashMap<(String, bool), usize> = HashMap::new();
    let count =
        each_file("written", ("CUDAIR_WRITTEN", DEFAULT), Kernel::random, program, |path, kernels| {
            let said = verdicts(path);
            let runs: Vec<BTreeSet<String>> =
                ARGUMENTS.iter().enumerate().map(|(n, &a)| faulty(path, a, n as u64 + 1)).collect();
            for k in kernels {
                let of = said.get(&k.name);
                let of = of.unwrap_or_else(|| panic!("no verdict on {} of {}", k.name, path.display()));
                // Without a verdict nothing is read.
                let verdict = of.get("uninitialized-read").map_or("proved", String::as_str);
                let shown = runs.iter().filter(|found| found.contains(&k.name)).count();
                *counts.entry((verdict.to_owned(), shown > 0)).or_default() += 1;
                if verdict == "proved" && shown > 0 || verdict == "refuted" && shown < ARGUMENTS.len() {
                    let text = &k.text;
                    wrong.push(format!(
                        "{} of {}: {verdict}, {shown} runs show it\n{text}",
                        k.name,
                        path.display()
                    ));
                }
            }
        });
    let mut lines: Vec<_> = counts.iter().collect();
    lines.sort();
    for ((verdict, shown), n) in lines {
        println!("{n:4} {verdict}, {}", if *shown { "shown by a run" } else { "shown by no run" });
    }
    assert!(wrong.is_empty(), "{} wrong verdicts:\n{}", wrong.len(), wrong.join("\n"));
    if says_something("CUDAIR_WRITTEN", count) {
        let of =
            |verdict: &str| [true, false].map(|s| counts.get(&(verdict.to_owned(), s)).copied().unwrap_or(0));
        assert!(of("proved")[1] * 10 > count, "few kernels are proved: the test says little");
    }
}
