//! Random kernels whose lanes have to meet: at warp operations with masks, at barriers behind a branch on what shared
//! memory holds, and at barriers with numbers and of clusters. Where `check` proves that they do, no lane may be missing in the launch that
//! the host makes; a few lines here compute who comes. Where it refutes a mask, some lane does not meet those that it names, and
//! a run says so. Where it refutes that threads come past barriers with numbers, they come past them in no order, and a run does not come to
//! its end.
//!
//! `CUDAIR_MEETING=SEED/N` takes N kernels of a seed.

use std::collections::HashMap;
use std::fmt::Write;
use std::path::Path;
use std::process::Command;

#[path = "ui/proofs.rs"]
mod proofs;

use proofs::{Random, each_file, says_something, verdicts};

/// Kernels that are tried where nobody says how many.
const DEFAULT: usize = 60;

/// A number that a thread computes of its index and of a loop's counter.
#[derive(Clone, Copy, Debug)]
enum Term {
    Number(u32),
    Thread,
    Counter,
    Lane(u32),
    Warp(u32),
    Bits(u32),
    Twice,
}

impl Term {
    fn random(r: &mut Random, counts: bool) -> Term {
        match r.below(if counts { 8 } else { 7 }) {
            0 => Term::Number(r.below(5) as u32),
            1 => Term::Thread,
            2 | 3 => Term::Lane(*r.pick(&[2, 8, 16, 32])),
            4 => Term::Warp(*r.pick(&[16, 32])),
            5 => Term::Bits(*r.pick(&[1, 3, 16, 48])),
            6 => Term::Twice,
            _ => Term::Counter,
        }
    }

    fn text(self) -> String {
        match self {
            Term::Number(n) => format!("{n}u"),
            Term::Thread => "t".to_owned(),
            Term::Counter => "i".to_owned(),
            Term::Lane(n) => format!("t % {n}"),
            Term::Warp(n) => format!("t / {n}"),
            Term::Bits(n) => format!("(t & {n})"),
            Term::Twice => "2 * t".to_owned(),
        }
    }

    fn value(self, t: u32, i: u32) -> u32 {
        match self {
            Term::Number(n) => n,
            Term::Thread => t,
            Term::Counter => i,
            Term::Lane(n) => t % n,
            Term::Warp(n) => t / n,
            Term::Bits(n) => t & n,
            Term::Twice => 2 * t,
        }
    }
}

const SIGNS: [&str; 4] = ["<", ">=", "==", "!="];

/// A comparison with a number.
#[derive(Clone, Copy, Debug)]
struct Condition(Term, &'static str, u32);

impl Condition {
    fn random(r: &mut Random, counts: bool) -> Condition {
        let bound = if r.chance(50) { *r.pick(&[8, 16, 32, 48]) } else { r.below(40) as u32 };
        Condition(Term::random(r, counts), SIGNS[r.below(SIGNS.len())], bound)
    }

    fn text(self) -> String {
        format!("{} {} {}u", self.0.text(), self.1, self.2)
    }

    fn holds(self, t: u32, i: u32) -> bool {
        let value = self.0.value(t, i);
        match self.1 {
            "<" => value < self.2,
            ">=" => value >= self.2,
            "==" => value == self.2,
            _ => value != self.2,
        }
    }
}

/// Which lanes a thread names.
#[derive(Clone, Copy, Debug)]
enum Mask {
    These(u32),
    Itself,
    Either(Condition, u32, u32),
}

impl Mask {
    fn text(self) -> String {
        match self {
            Mask::These(m) => format!("{m:#x}u"),
            Mask::Itself => "1u << (t & 31)".to_owned(),
            Mask::Either(c, a, b) => format!("{} ? {a:#x}u : {b:#x}u", c.text()),
        }
    }

    fn of(self, t: u32) -> u32 {
        match self {
            Mask::These(m) => m,
            Mask::Itself => 1 << (t & 31),
            Mask::Either(c, a, b) => {
                if c.holds(t, 0) {
                    a
                } else {
                    b
                }
            }
        }
    }
}

/// What threads for which a condition holds do at a barrier.
#[derive(Clone, Copy, Debug)]
enum Step {
    /// All threads of the block meet.
    Block,
    /// So many threads meet at this number.
    Sync(u32, Option<u32>),
    /// The same, and who arrives goes on.
    Arrive(u32, u32),
    /// All threads of the cluster meet that have not left. Here each block is one of its own.
    Cluster,
}

impl Step {
    fn random(r: &mut Random, threads: u32) -> Step {
        let number = 1 + r.below(2) as u32;
        let count = if r.chance(60) { threads } else { *r.pick(&[0, 32, 32, 64, 96]) };
        match r.below(8) {
            0 => Step::Block,
            1 | 2 => Step::Arrive(number, count),
            3 => Step::Sync(number, None),
            _ => Step::Sync(number, Some(count)),
        }
    }

    /// With barriers of clusters instead of those with numbers.
    fn of_cluster(r: &mut Random) -> Step {
        if r.chance(40) { Step::Block } else { Step::Cluster }
    }

    fn text(self) -> String {
        match self {
            Step::Cluster => "{ __cluster_barrier_arrive(); __cluster_barrier_wait(); }".to_owned(),
            Step::Block => "__syncthreads();".to_owned(),
            Step::Sync(n, None) => format!("asm volatile(\"bar.sync {n};\");"),
            Step::Sync(n, Some(count)) => format!("asm volatile(\"bar.sync {n}, {count};\");"),
            Step::Arrive(n, count) => format!("asm volatile(\"bar.arrive {n}, {count};\");"),
        }
    }
}

/// Where the barrier of the cluster is counted, behind those with numbers.
const CLUSTER: usize = 3;

/// Whether all threads come to the end of what they do, one after the other in a random order. A thread's steps come with their
/// places in the program: a barrier of the block is one for all threads only if they wait at one place.
fn ends(steps: &[Vec<(usize, Step)>], r: &mut Random) -> bool {
    let all = steps.len();
    let (mut at, mut waits) = (vec![0; all], vec![None; all]);
    let (mut arrived, mut phase) = ([0u32; 4], [0u32; 4]);
    loop {
        let able: Vec<usize> = (0..all)
            .filter(|&t| at[t] < steps[t].len())
            .filter(|&t| waits[t].is_none_or(|(n, p): (usize, u32)| phase[n] != p))
            .collect();
        let alive = (0..all).filter(|&t| at[t] < steps[t].len()).count() as u32;
        // Number 0 is the block's. A device does not wait there for those that have left, and a run reports them.
        if able.is_empty() && alive > 0 && arrived[0] == alive {
            if alive < all as u32 {
                return false;
            }
            let mut places = (0..all).map(|t| steps[t][at[t]].0);
            let first = places.next();
            if !places.all(|place| Some(place) == first) {
                return false;
            }
            (arrived[0], phase[0]) = (0, phase[0] + 1);
            continue;
        }
        if able.is_empty() && alive > 0 && arrived[CLUSTER] == alive {
            (arrived[CLUSTER], phase[CLUSTER]) = (0, phase[CLUSTER] + 1);
            continue;
        }
        if able.is_empty() {
            return alive == 0;
        }
        let t = able[r.below(able.len())];
        if waits[t].take().is_some() {
            at[t] += 1;
            continue;
        }
        let (n, count) = match steps[t][at[t]].1 {
            Step::Block => (0, u32::MAX),
            Step::Sync(n, count) => (n as usize, count.unwrap_or(all as u32)),
            Step::Arrive(n, count) => (n as usize, count),
            Step::Cluster => (CLUSTER, u32::MAX),
        };
        arrived[n] += 1;
        let full = arrived[n] == count;
        let of = phase[n];
        if full {
            (arrived[n], phase[n]) = (0, of + 1);
        }
        if full || matches!(steps[t][at[t]].1, Step::Arrive(..)) {
            at[t] += 1;
        } else {
            waits[t] = Some((n, of));
        }
    }
}

#[derive(Debug)]
enum Body {
    /// A shuffle in a loop with so many rounds, under a condition.
    Lanes { rounds: Term, when: Option<Condition>, mask: Mask },
    /// A barrier where an element is less than a bound, beside a write of another.
    Barrier { element: u32, at: [Term; 2], when: Option<Condition>, bound: u32 },
    /// So many rounds of steps, each under a condition.
    Numbered { rounds: u32, steps: Vec<(Option<Condition>, Step)> },
}

#[derive(Debug)]
struct Kernel {
    name: String,
    threads: u32,
    body: Body,
}

impl Kernel {
    fn random(r: &mut Random, number: usize) -> Kernel {
        let (name, threads) = (format!("k{number}"), *r.pick(&[32, 64, 64, 48]));
        let body = if r.chance(35) {
            let of_cluster = r.chance(40);
            let step = |r: &mut Random| {
                let bound = *r.pick(&[1, 32, 32]);
                let term = if bound == 1 { Term::Warp(32) } else { Term::Thread };
                let when = Condition(term, SIGNS[r.below(SIGNS.len())], bound);
                let when = if r.chance(80) { when } else { Condition::random(r, true) };
                let step = if of_cluster { Step::of_cluster(r) } else { Step::random(r, threads) };
                (r.chance(50).then_some(when), step)
            };
            let steps = (0..=r.below(3)).map(|_| step(r)).collect();
            Body::Numbered { rounds: 1 + r.below(2) as u32, steps }
        } else if r.chance(65) {
            let rounds =
                if r.chance(70) { Term::Number(1 + r.below(3) as u32) } else { Term::random(r, false) };
            let when = r.chance(80).then(|| Condition::random(r, true));
            // Often the lanes that come are those that a mask names.
            let comes = |t: u32| when.is_none_or(|w| w.holds(t, 0)) && rounds.value(t, 0) > 0;
            let fits = (0..32).filter(|&t| comes(t)).fold(0, |m, t| m | 1 << t);
            let mask = match r.below(6) {
                0 => Mask::These(u32::MAX),
                1 => Mask::Itself,
                2 => Mask::Either(Condition::random(r, false), fits, u32::MAX),
                3 => Mask::These(fits ^ 1 << r.below(32)),
                _ => Mask::These(fits),
            };
            Body::Lanes { rounds, when, mask }
        } else {
            let when = r.chance(50).then(|| Condition::random(r, false));
            let at = [Term::random(r, false), Term::Number(r.below(80) as u32)];
            Body::Barrier { element: r.below(100) as u32, at, when, bound: r.below(4) as u32 }
        };
        Kernel { name, threads, body }
    }

    fn text(&self) -> String {
        let mut t = format!(
            "__global__ void {}(unsigned *out) {{\n    unsigned t = threadIdx.x, v = t;\n",
            self.name
        );
        let guard = |c: &Option<Condition>| c.map_or(String::new(), |c| format!("if ({}) ", c.text()));
        match &self.body {
            Body::Lanes { rounds, when, mask } => {
                let _ = writeln!(t, "    for (unsigned i = 0; i < {}; i++)", rounds.text());
                let _ = writeln!(t, "        {}v += __shfl_xor_sync({}, v, 0);", guard(when), mask.text());
            }
            Body::Barrier { element, at: [a, b], when, bound } => {
                t += "    __shared__ unsigned s[256];\n";
                t += "    for (unsigned i = t; i < 256; i += blockDim.x) s[i] = i % 4;\n    __syncthreads();\n";
                let _ = writeln!(t, "    v = s[{element}];");
                let _ = writeln!(t, "    {}s[{} + {}] = 9;", guard(when), a.text(), b.text());
                let _ = writeln!(t, "    if (v < {bound}u) __syncthreads();");
            }
            Body::Numbered { rounds, steps } => {
                // What data decides lies between.
                t += "    if (out[t] > 3u)\n        v += 2;\n";
                let _ = writeln!(t, "    for (unsigned i = 0; i < {rounds}; i++) {{");
                for (when, step) in steps {
                    let _ = writeln!(t, "        {}{}", guard(when), step.text());
                }
                t += "    }\n";
            }
        }
        t + "    out[512 + blockIdx.x * blockDim.x + t] = v;\n}\n"
    }

    /// A lane that may miss another, in words.
    fn missing(&self) -> Option<String> {
        match &self.body {
            &Body::Lanes { rounds, when, mask } => {
                let most = (0..self.threads).map(|t| rounds.value(t, 0)).max().unwrap_or(0);
                let comes = |t: u32, i: u32| {
                    t < self.threads && i < rounds.value(t, 0) && when.is_none_or(|w| w.holds(t, i))
                };
                for (i, t) in (0..most).flat_map(|i| (0..self.threads).map(move |t| (i, t))) {
                    let named = |lane: u32| mask.of(t) >> lane & 1 == 1;
                    if !comes(t, i) {
                        continue;
                    }
                    if !named(t % 32) {
                        return Some(format!("thread {t} does not name itself"));
                    }
                    if let Some(lane) = (0..32).find(|&l| named(l) && !comes(t / 32 * 32 + l, i)) {
                        return Some(format!("thread {t} waits for lane {lane} in round {i}"));
                    }
                    let unlike = |l: &u32| named(*l) && mask.of(t / 32 * 32 + l) != mask.of(t);
                    if let Some(lane) = (0..32).find(unlike) {
                        return Some(format!("thread {t} and lane {lane} name different masks"));
                    }
                }
                None
            }
            &Body::Barrier { element, at: [a, b], when, bound } => {
                let writer = (0..self.threads)
                    .filter(|&t| when.is_none_or(|w| w.holds(t, 0)))
                    .find(|&t| a.value(t, 0) + b.value(t, 0) == element)?;
                // What others load is either value; alone, a thread has loaded before it writes.
                let differs = (element % 4 < bound) != (9 < bound);
                differs.then(|| format!("thread {writer} writes element {element}"))
            }
            Body::Numbered { .. } => {
                let (come, all) = self.orders();
                (come < all).then(|| format!("threads come to their ends in {come} of {all} orders"))
            }
        }
    }

    fn check(&self) -> &'static str {
        match self.body {
            Body::Lanes { .. } => "sync-mask",
            Body::Barrier { .. } | Body::Numbered { .. } => "barrier-divergence",
        }
    }

    /// What its lanes meet at.
    fn what(&self) -> &'static str {
        match &self.body {
            Body::Lanes { .. } => "warp operations",
            Body::Barrier { .. } => "barriers",
            Body::Numbered { steps, .. } if steps.iter().any(|s| matches!(s.1, Step::Cluster)) => {
                "barriers of clusters"
            }
            Body::Numbered { .. } => "barriers with numbers",
        }
    }

    /// In how many of some orders all threads come to their ends.
    fn orders(&self) -> (usize, usize) {
        let Body::Numbered { rounds, steps } = &self.body else { return (0, 0) };
        let of = |t: u32| {
            let all = (0..*rounds).flat_map(|i| steps.iter().enumerate().map(move |s| (i, s)));
            all.filter(|(i, s)| s.1.0.is_none_or(|c| c.holds(t, *i))).map(|(_, (n, s))| (n, s.1)).collect()
        };
        let steps: Vec<Vec<(usize, Step)>> = (0..self.threads).map(of).collect();
        let come = (0..ORDERS).filter(|&n| ends(&steps, &mut Random::new(n as u64, "orders"))).count();
        (come, ORDERS)
    }

    /// Whether a run of it alone, with a seed, does not come to its end, or tells of threads that left before a barrier of the block.
    fn deadlocks(&self, path: &Path, seed: u64) -> bool {
        let text = self.run(path, seed);
        // Some kernels spin until the limit.
        let spins = text.contains("\"class\":\"limit\"");
        assert!(spins || !text.contains("\"diagnostic\""), "{text}");
        spins || text.contains("\"deadlock\"") || text.contains("\"barrier-divergence\"")
    }

    /// What a run of it alone reports.
    fn run(&self, path: &Path, seed: u64) -> String {
        let output = Command::new(env!("CARGO_BIN_EXE_cudair"))
            .args(["run", "--format", "json", "--timeout", "5", "--seed", &seed.to_string()])
            .arg(path)
            .args(["--", &self.name])
            .output()
            .expect("cudair starts");
        String::from_utf8_lossy(&output.stderr).into_owned()
    }

    /// Why a verdict on barriers with numbers is wrong, or one that refutes a mask, if it is.
    fn contradicts(&self, verdict: &str, path: &Path) -> Option<String> {
        if let (Body::Lanes { .. }, "refuted") = (&self.body, verdict) {
            if self.missing().is_none() {
                return Some("all lanes meet".to_owned());
            }
            let seed = 1 + u64::from(self.threads);
            let shown = self.run(path, seed).contains("\"sync-mask\"");
            return (!shown).then(|| format!("a run does not show it, with seed {seed}"));
        }
        let refuted = match (&self.body, verdict) {
            (Body::Numbered { .. }, "refuted") => true,
            (Body::Numbered { .. }, "proved") => false,
            _ => return None,
        };
        let (come, all) = self.orders();
        if refuted && come > 0 {
            return Some(format!("threads come to their ends in {come} of {all} orders"));
        }
        let seed = 1 + u64::from(self.threads);
        (self.deadlocks(path, seed) != refuted).then(|| format!("a run says another thing, with seed {seed}"))
    }
}

/// Orders of its threads in which a kernel is tried here.
const ORDERS: usize = 20;

fn program(kernels: &[Kernel]) -> String {
    let kernels_text: String = kernels.iter().map(Kernel::text).collect();
    let mut text = format!("#include <cstring>\n{kernels_text}");
    text += "int main(int argc, char **argv) {\n    unsigned *out;\n    cudaMalloc(&out, 4096);\n";
    text += "    cudaMemset(out, 0, 4096);\n";
    for k in kernels {
        let only = format!("if (argc < 2 || !strcmp(argv[1], \"{}\"))", k.name);
        let _ = writeln!(text, "    {only} {}<<<2, {}>>>(out);", k.name, k.threads);
    }
    text + "    cudaDeviceSynchronize();\n}\n"
}

#[test]
fn lanes_meet_where_that_is_proved() {
    let mut wrong = Vec::new();
    // By what they meet at: those that are right, and those of them that are proved.
    let mut right: HashMap<&str, [usize; 2]> = HashMap::new();
    // Those with wrong masks, and those of them that are refuted.
    let mut masks = [0; 2];
    let mut clusters = [0; 2];
    let count =
        each_file("meeting", ("CUDAIR_MEETING", DEFAULT), Kernel::random, program, |path, kernels| {
            let said = verdicts(path);
            for k in kernels {
                let of = said.get(&k.name);
                let of = of.unwrap_or_else(|| panic!("no verdict on {} of {}", k.name, path.display()));
                // Without a verdict there is nothing to meet at.
                let verdict = of.get(k.check()).map_or("proved", String::as_str);
                let proved = verdict == "proved";
                let missing = k.missing();
                let but = missing.clone().filter(|_| proved).or_else(|| k.contradicts(verdict, path));
                if let Some(why) = but {
                    let at = path.display();
                    wrong.push(format!("{} of {at} is {verdict}: but {why}\n{}", k.name, k.text()));
                }
                if missing.is_some() && k.what() == "barriers of clusters" {
                    clusters[0] += 1;
                    clusters[1] += usize::from(verdict == "refuted");
                }
                if missing.is_some() && k.check() == "sync-mask" {
                    masks[0] += 1;
                    masks[1] += usize::from(verdict == "refuted");
                }
                if missing.is_none() {
                    let counts = right.entry(k.what()).or_default();
                    counts[0] += 1;
                    counts[1] += usize::from(proved);
                }
            }
        });
    for (check, [all, proved]) in &right {
        println!("{check}: {proved} of {all} kernels that are right are proved");
    }
    println!(
        "{} of {} kernels are refuted whose threads wait for their cluster for ever",
        clusters[1], clusters[0]
    );
    println!("{} of {} kernels with wrong masks are refuted", masks[1], masks[0]);
    assert!(wrong.is_empty(), "{} wrong verdicts:\n{}", wrong.len(), wrong.join("\n"));
    if says_something("CUDAIR_MEETING", count) {
        // Of barriers with numbers some are right in a run, and PTX says nothing of them.
        let part = |what: &str| if what == "barriers with numbers" { 4 } else { 2 };
        let little = right.iter().find(|(what, [all, proved])| proved * part(what) < *all);
        assert!(little.is_none(), "{little:?}: the test says little");
        assert!(masks[1] * 2 > masks[0], "{masks:?}: the test says little of wrong masks");
    }
}
