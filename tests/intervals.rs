//! Random kernels whose threads wait for each other in nested loops: butterflies, trees and scans, right and wrong ones. A few lines
//! here compute what each thread touches between two barriers. A run reports a race where two of them touch one element, one of
//! them writing, and nothing else: neither the race detector nor what is proved of a launch before it loses one.
//!
//! `CUDAIR_INTERVALS=SEED/N` takes N kernels of a seed.

use std::collections::{BTreeSet, HashMap};
use std::fmt::Write;
use std::path::Path;
use std::process::Command;

#[allow(dead_code)] // what is proved is another test's concern
#[path = "ui/proofs.rs"]
mod proofs;

use proofs::{Random, each_file};
use serde_json::Value;

/// Kernels that are tried where nobody says how many.
const DEFAULT: usize = 60;
/// Elements of the array in shared memory.
const ELEMENTS: u32 = 256;

/// How a loop's variable goes on.
#[derive(Clone, Copy, Debug)]
enum Steps {
    /// From 1 or 2 to a number, doubled each time.
    Doubled(u32, u32),
    /// From half of a number to 1, halved each time.
    Halved(u32),
    /// The same from half of the variable of the loop around.
    HalvedOf(usize),
    /// So many times, from 0 on.
    Counted(u32),
    /// So many times, down to 0.
    Down(u32),
}

impl Steps {
    /// For the loop of this depth, in a block of so many threads.
    fn random(r: &mut Random, depth: usize, threads: u32) -> Steps {
        match r.below(if depth > 0 { 7 } else { 5 }) {
            0 | 1 => Steps::Doubled(*r.pick(&[1, 2]), threads / *r.pick(&[1, 2, 4])),
            2 => Steps::Halved(*r.pick(&[2, 8, threads])),
            3 => Steps::Counted(r.below(5) as u32),
            4 => Steps::Down(r.below(4) as u32),
            _ => Steps::HalvedOf(depth - 1),
        }
    }

    fn text(self, x: &str) -> String {
        match self {
            Steps::Doubled(from, to) => format!("unsigned {x} = {from}; {x} <= {to}; {x} <<= 1"),
            Steps::Halved(of) => format!("unsigned {x} = {of} >> 1; {x} > 0; {x} >>= 1"),
            Steps::HalvedOf(n) => format!("unsigned {x} = x{n} >> 1; {x} > 0; {x} >>= 1"),
            Steps::Counted(n) => format!("unsigned {x} = 0; {x} < {n}; {x}++"),
            Steps::Down(n) => format!("unsigned {x} = {n}; {x}-- > 0;"),
        }
    }

    /// The variable's values.
    fn values(self, around: &[u32]) -> Vec<u32> {
        let halves = |of: u32| std::iter::successors(Some(of >> 1), |x| Some(x >> 1)).take_while(|&x| x > 0);
        match self {
            Steps::Doubled(from, to) => {
                std::iter::successors(Some(from), |x| Some(x << 1)).take_while(|&x| x <= to).collect()
            }
            Steps::Halved(of) => halves(of).collect(),
            Steps::HalvedOf(n) => halves(around[n]).collect(),
            Steps::Counted(n) => (0..n).collect(),
            Steps::Down(n) => (0..n).rev().collect(),
        }
    }
}

/// An element, by the thread's index and by variables of loops.
#[derive(Clone, Copy, Debug)]
enum Index {
    Thread,
    Flipped(u32),
    FlippedBy(usize),
    Ahead(usize),
    Around(usize),
    Variable(usize),
    Twice,
    Half,
    Above,
}

impl Index {
    fn random(r: &mut Random, depth: usize) -> Index {
        let x = |r: &mut Random| r.below(depth);
        match r.below(if depth > 0 { 14 } else { 8 }) {
            0..=3 => Index::Thread,
            4 => Index::Flipped(*r.pick(&[1, 2, 16])),
            5 => Index::Twice,
            6 => Index::Half,
            7 => Index::Above,
            8..=10 => Index::FlippedBy(depth - 1),
            11 => Index::Ahead(x(r)),
            12 => Index::Around(x(r)),
            _ => Index::Variable(x(r)),
        }
    }

    fn text(self, threads: u32) -> String {
        match self {
            Index::Thread => "t".to_owned(),
            Index::Flipped(n) => format!("t ^ {n}"),
            Index::FlippedBy(n) => format!("t ^ x{n}"),
            Index::Ahead(n) => format!("t + x{n}"),
            Index::Around(n) => format!("(t + x{n}) % {threads}"),
            Index::Variable(n) => format!("x{n}"),
            Index::Twice => "2 * t".to_owned(),
            Index::Half => "t / 2".to_owned(),
            Index::Above => format!("{threads} + t"),
        }
    }

    fn value(self, t: u32, xs: &[u32], threads: u32) -> u32 {
        match self {
            Index::Thread => t,
            Index::Flipped(n) => t ^ n,
            Index::FlippedBy(n) => t ^ xs[n],
            Index::Ahead(n) => t + xs[n],
            Index::Around(n) => (t + xs[n]) % threads,
            Index::Variable(n) => xs[n],
            Index::Twice => 2 * t,
            Index::Half => t / 2,
            Index::Above => threads + t,
        }
    }
}

/// Which threads make an access.
#[derive(Clone, Copy, Debug)]
enum When {
    Always,
    One(u32),
    Lower(usize),
    Clear(usize),
    Above(usize),
    Divides(usize),
    Even,
}

impl When {
    fn random(r: &mut Random, depth: usize) -> When {
        match r.below(if depth > 0 { 12 } else { 4 }) {
            0 | 1 => When::Always,
            2 => When::One(r.below(40) as u32),
            3 => When::Even,
            4 | 5 => When::Lower(r.below(depth)),
            6 | 7 => When::Clear(depth - 1),
            8 | 9 => When::Above(depth - 1),
            _ => When::Divides(r.below(depth)),
        }
    }

    fn text(self) -> String {
        match self {
            When::Always => String::new(),
            When::One(n) => format!("if (t == {n}) "),
            When::Lower(n) => format!("if (t < x{n}) "),
            When::Clear(n) => format!("if ((t & x{n}) == 0) "),
            When::Above(n) => format!("if ((t ^ x{n}) > t) "),
            When::Divides(n) => format!("if (t % (2 * x{n} + 1) == 0) "),
            When::Even => "if (t % 2 == 0) ".to_owned(),
        }
    }

    fn holds(self, t: u32, xs: &[u32]) -> bool {
        match self {
            When::Always => true,
            When::One(n) => t == n,
            When::Lower(n) => t < xs[n],
            When::Clear(n) => t & xs[n] == 0,
            When::Above(n) => t ^ xs[n] > t,
            When::Divides(n) => t.is_multiple_of(2 * xs[n] + 1),
            When::Even => t.is_multiple_of(2),
        }
    }
}

#[derive(Debug)]
enum Statement {
    Read(When, Index),
    Write(When, Index),
    /// One element becomes another one, if one of them is greater.
    Exchange(When, Index, Index),
    Barrier,
    Loop(Steps, Vec<Statement>),
}

fn statements(r: &mut Random, depth: usize, threads: u32, barriers: usize) -> Vec<Statement> {
    let mut out = Vec::new();
    for _ in 0..=r.below(3) {
        let (when, index) = (When::random(r, depth), Index::random(r, depth));
        out.push(match r.below(6) {
            0 => Statement::Read(when, index),
            1 | 2 => Statement::Write(when, index),
            3 => Statement::Exchange(when, index, Index::random(r, depth)),
            _ if depth < 3 => {
                let steps = Steps::random(r, depth, threads);
                let body = statements(r, depth + 1, threads, barriers);
                Statement::Loop(steps, body)
            }
            _ => Statement::Barrier,
        });
        if r.chance(barriers) {
            out.push(Statement::Barrier);
        }
    }
    out
}

fn print(statements: &[Statement], depth: usize, threads: u32, text: &mut String) {
    let indent = "    ".repeat(depth + 1);
    for s in statements {
        let _ = match s {
            Statement::Read(when, index) => {
                writeln!(text, "{indent}{}v += s[{}];", when.text(), index.text(threads))
            }
            Statement::Write(when, index) => {
                writeln!(text, "{indent}{}s[{}] = v + t;", when.text(), index.text(threads))
            }
            Statement::Exchange(when, a, b) => {
                let (a, b) = (a.text(threads), b.text(threads));
                writeln!(text, "{indent}{}{{ v = s[{a}]; s[{b}] = v; }}", when.text())
            }
            Statement::Barrier => writeln!(text, "{indent}__syncthreads();"),
            Statement::Loop(steps, body) => {
                let _ = writeln!(text, "{indent}for ({}) {{", steps.text(&format!("x{depth}")));
                print(body, depth + 1, threads, text);
                writeln!(text, "{indent}}}")
            }
        };
    }
}

/// What a thread touches: the number of the interval, the element, and whether it writes.
fn touched(statements: &[Statement], (t, threads): (u32, u32), xs: &mut Vec<u32>, out: &mut Touched) {
    for s in statements {
        let mut touch = |when: &When, index: &Index, writes: bool| {
            if when.holds(t, xs) {
                out.all.push((out.interval, index.value(t, xs, threads), writes));
            }
        };
        match s {
            Statement::Read(when, index) => touch(when, index, false),
            Statement::Write(when, index) => touch(when, index, true),
            Statement::Exchange(when, a, b) => {
                touch(when, a, false);
                touch(when, b, true);
            }
            Statement::Barrier => out.interval += 1,
            Statement::Loop(steps, body) => {
                for x in steps.values(xs) {
                    xs.push(x);
                    touched(body, (t, threads), xs, out);
                    xs.pop();
                }
            }
        }
    }
}

#[derive(Default)]
struct Touched {
    interval: u32,
    all: Vec<(u32, u32, bool)>,
}

#[derive(Debug)]
struct Kernel {
    name: String,
    threads: u32,
    body: Vec<Statement>,
}

impl Kernel {
    fn random(r: &mut Random, number: usize) -> Kernel {
        let threads = *r.pick(&[32, 64]);
        let barriers = *r.pick(&[30, 60, 90, 100]);
        let body = statements(r, 0, threads, barriers);
        Kernel { name: format!("k{number}"), threads, body }
    }

    fn text(&self) -> String {
        let mut text = format!("__global__ void {}(unsigned *out) {{\n", self.name);
        let _ = writeln!(text, "    __shared__ unsigned s[{ELEMENTS}];");
        text += "    unsigned t = threadIdx.x, v = t;\n";
        let _ = writeln!(
            text,
            "    for (unsigned i = t; i < {ELEMENTS}; i += {}) s[i] = i;\n    __syncthreads();",
            self.threads
        );
        print(&self.body, 0, self.threads, &mut text);
        text + "    out[blockIdx.x * blockDim.x + t] = v;\n}\n"
    }

    /// Two threads that race, in words.
    fn race(&self) -> Option<String> {
        // By interval and element: a thread that touches it, another one, and whether any writes.
        let mut seen: HashMap<(u32, u32), (u32, Option<u32>, bool)> = HashMap::new();
        for t in 0..self.threads {
            let mut touches = Touched::default();
            touched(&self.body, (t, self.threads), &mut Vec::new(), &mut touches);
            for (interval, element, writes) in touches.all {
                let known = seen.entry((interval, element)).or_insert((t, None, false));
                known.2 |= writes;
                if known.0 != t {
                    known.1 = Some(t);
                }
            }
        }
        let mut races: Vec<_> =
            seen.into_iter().filter(|(_, (_, other, writes))| other.is_some() && *writes).collect();
        races.sort_unstable();
        let ((interval, element), (a, b, _)) = races.into_iter().next()?;
        Some(format!("threads {a} and {} at element {element} in interval {interval}", b?))
    }
}

/// Launches of so many blocks each.
fn program(kernels: &[Kernel], blocks: u32) -> String {
    let mut text: String = kernels.iter().map(Kernel::text).collect();
    let _ = writeln!(text, "int main() {{\n    unsigned *out;\n    cudaMalloc(&out, {});", blocks * 64 * 4);
    for k in kernels {
        let _ = writeln!(text, "    {}<<<{blocks}, {}>>>(out);", k.name, k.threads);
    }
    text + "    cudaDeviceSynchronize();\n    cudaFree(out);\n}\n"
}

/// The kernels of which a run reports races, and all else that it says.
fn run(path: &Path, environment: &[(&str, &str)]) -> (BTreeSet<String>, Vec<String>) {
    let output = Command::new(env!("CARGO_BIN_EXE_cudair"))
        .args(["run", "--format", "json"])
        .arg(path)
        .envs(environment.iter().copied())
        .output()
        .expect("cudair starts");
    let (mut races, mut others) = (BTreeSet::new(), Vec::new());
    for line in String::from_utf8_lossy(&output.stderr).lines() {
        let v: Value = serde_json::from_str(line).unwrap_or_else(|_| panic!("no JSON: {line}"));
        match (v["kind"].as_str(), v["kernel"].as_str()) {
            (Some("shared-race"), Some(kernel)) => drop(races.insert(kernel.to_owned())),
            _ if v["type"] == "summary" => {}
            _ => others.push(line.to_owned()),
        }
    }
    (races, others)
}

#[test]
fn races_are_those_of_the_intervals() {
    let (mut wrong, mut right) = (Vec::new(), 0);
    // What is proved of a launch is asked where it is large, or always and then checked.
    let blocks = |kernels: &[Kernel]| if kernels[..2].iter().all(|k| k.threads == 64) { 520 } else { 2 };
    let count = each_file(
        "intervals",
        ("CUDAIR_INTERVALS", DEFAULT),
        Kernel::random,
        |kernels| program(kernels, blocks(kernels)),
        |path, kernels| {
            let checked = [("CUDAIR_CHECK_ELISION", "1")];
            let environment = if blocks(kernels) == 2 { &checked[..] } else { &[] };
            let (races, others) = run(path, environment);
            assert!(others.is_empty(), "{}: {others:#?}", path.display());
            for k in kernels {
                let race = k.race();
                right += usize::from(race.is_none());
                if race.is_some() != races.contains(&k.name) {
                    let is = race.unwrap_or_else(|| "no threads race".to_owned());
                    wrong.push(format!("{} of {}: {is}\n{}", k.name, path.display(), k.text()));
                }
            }
        },
    );
    println!("{right} of {count} kernels have no race");
    assert!(wrong.is_empty(), "{} wrong answers:\n{}", wrong.len(), wrong.join("\n"));
    assert!(count < 60 || right * 10 > count && right * 10 < count * 9, "{right} of {count} have no race");
}
