//! Running the program: once, or once for each of several seeds, whose findings become one list.

use crate::monitor::Monitor;
use crate::oracle::Oracle;
use crate::streams::{self, Capture, SharedInput};
use crate::timings;
use cudair_ir::{Diagnostic, DiagnosticClass, Finding, Module};
use cudair_vm::{Counters, Exit, HostIo, Outcome, Unseen, Vm, VmConfig, Watch};
use rustc_hash::FxHashMap;
use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};

/// A program that is ready, and how it is to be run.
pub struct Program {
    /// The program.
    pub module: Arc<Module>,
    /// The configuration of each run, but for the seed.
    pub config: VmConfig,
    /// The program's arguments.
    pub args: Vec<String>,
}

/// One run of several.
struct SeedRun {
    outcome: Outcome,
    output: Capture,
}

impl Program {
    /// Runs it once.
    pub fn run(self, monitor: &Arc<Monitor>) -> Outcome {
        self.run_on(monitor, &SharedInput::default(), |io| io)
    }

    /// The same with an input that other runs read, too, and other streams than the process's.
    pub fn run_on(
        self,
        monitor: &Arc<Monitor>,
        input: &SharedInput,
        streams: impl FnOnce(HostIo) -> HostIo,
    ) -> Outcome {
        let watch = self.config.watch.clone();
        let io = streams(streams::process(monitor, &watch, input));
        monitor.running(&self.module, vec![watch]);
        let oracle = Arc::new(Oracle::new(self.config.check_facts));
        let mut vm = Vm::new(self.module, self.config, oracle);
        vm.set_io(io);
        timings::stage("the program");
        let outcome = vm.run_main(&self.args);
        timings::stage("the program's end");
        drop(vm);
        timings::stage("report");
        outcome
    }

    /// Runs it with each seed, so many at a time. The output and the exit are those of the first; where those
    /// of another differ a diagnostic says so.
    pub fn run_seeds(&self, seeds: Range<u64>, jobs: usize, monitor: &Arc<Monitor>) -> Outcome {
        let seeds: Vec<u64> = seeds.collect();
        let watches: Vec<Arc<Watch>> = seeds.iter().map(|_| Arc::default()).collect();
        monitor.running(&self.module, watches.clone());
        let oracle = Arc::new(Oracle::new(self.config.check_facts));
        let input = SharedInput::kept();
        let runs: Vec<Mutex<Option<SeedRun>>> = seeds.iter().map(|_| Mutex::new(None)).collect();
        let next = AtomicUsize::new(0);
        let work = || {
            loop {
                let n = next.fetch_add(1, Relaxed);
                let (Some(&seed), Some(watch)) = (seeds.get(n), watches.get(n)) else { return };
                // What the first cannot do no other can; and a run that is to end starts no more.
                let hopeless = runs[0].lock().is_ok_and(|r| r.as_ref().is_some_and(SeedRun::is_hopeless));
                if n > 0 && (hopeless || watch.is_interrupted()) {
                    return;
                }
                let (io, output) = streams::captured(monitor, watch, &input, n == 0);
                let config = VmConfig { seed: Some(seed), watch: watch.clone(), ..self.config.clone() };
                let mut vm = Vm::new(self.module.clone(), config, oracle.clone());
                vm.set_io(io);
                let outcome = vm.run_main(&self.args);
                drop(vm);
                *runs[n].lock().unwrap_or_else(PoisonError::into_inner) = Some(SeedRun { outcome, output });
            }
        };
        std::thread::scope(|scope| {
            for _ in 1..jobs.min(seeds.len()) {
                let started = std::thread::Builder::new().stack_size(crate::STACK).spawn_scoped(scope, work);
                if started.is_err() {
                    break;
                }
            }
            work();
        });
        let runs = runs.into_iter().map(|r| r.into_inner().unwrap_or_else(PoisonError::into_inner));
        merge(&seeds, runs.collect())
    }
}

impl SeedRun {
    fn is_hopeless(&self) -> bool {
        matches!(self.outcome.exit, Exit::Unsupported | Exit::Internal)
    }
}

/// One outcome from those of all seeds.
fn merge(seeds: &[u64], runs: Vec<Option<SeedRun>>) -> Outcome {
    let total = runs.iter().flatten().count();
    let mut all = Outcome {
        exit: Exit::Limit,
        findings: Vec::new(),
        diagnostics: Vec::new(),
        state: None,
        counts: Counters::default(),
        left: 0,
        launches: [0; 2],
        unseen: Unseen::default(),
        ran: FxHashMap::default(),
    };
    let mut shown: Vec<usize> = Vec::new();
    let mut first: Option<(u64, Exit, Capture)> = None;
    let mut differs = false;
    for (&seed, run) in seeds.iter().zip(runs) {
        let Some(SeedRun { outcome, output }) = run else { continue };
        all.left = all.left.max(outcome.left);
        all.launches = [0, 1].map(|n| all.launches[n].max(outcome.launches[n]));
        all.counts.absorb(&outcome.counts);
        for mut finding in outcome.findings {
            finding.seed = Some(seed);
            match all.findings.iter().position(|f| f.same_place(&finding)) {
                Some(at) => {
                    all.findings[at].count += finding.count;
                    shown[at] += 1;
                }
                None => {
                    all.findings.push(finding);
                    shown.push(1);
                }
            }
        }
        if all.state.as_ref().is_none_or(String::is_empty) {
            // Of the first seed that stops.
            all.state = outcome.state;
        }
        for mut d in outcome.diagnostics {
            // A limit may be met under some seeds only.
            if !all.diagnostics.iter().any(|o| o.class == d.class && o.primary == d.primary) {
                d.message = format!("{} (seed {seed})", d.message);
                all.diagnostics.push(d);
            }
        }
        for (kernel, launched) in outcome.ran {
            all.ran.entry(kernel).or_default().join(launched);
        }
        let unseen = outcome.unseen;
        if first.is_some() {
            all.unseen.join(unseen.clone());
        }
        match &first {
            None => {
                all.unseen = unseen;
                all.exit = outcome.exit.clone();
                first = Some((seed, outcome.exit, output));
            }
            Some((one, exit, expected)) if !differs => {
                if let Some(d) = difference((*one, exit, expected), (seed, &outcome.exit, &output)) {
                    all.diagnostics.push(d);
                    differs = true;
                }
            }
            Some(_) => {}
        }
    }
    for (finding, &n) in all.findings.iter_mut().zip(&shown) {
        tell_seeds(finding, n, total);
    }
    if total < seeds.len() {
        let left = seeds.len() - total;
        let message = format!("{left} of {} seeds were not run", seeds.len());
        all.diagnostics.push(Diagnostic::new(DiagnosticClass::Note, message));
    }
    all
}

/// Says how many of the seeds showed a finding.
fn tell_seeds(finding: &mut Finding, shown: usize, total: usize) {
    let Some(seed) = finding.seed else { return };
    if shown < total {
        finding.schedule_dependent = true;
        let seeds = if shown == 1 { "seed" } else { "seeds" };
        finding.notes.push(format!("under {shown} {seeds} of {total}, first under seed {seed}"));
    } else if total > 1 {
        finding.notes.push(format!("under all {total} seeds"));
    }
}

/// How two runs differ in what is seen from outside, if they do.
fn difference(a: (u64, &Exit, &Capture), b: (u64, &Exit, &Capture)) -> Option<Diagnostic> {
    let ((one, exit, expected), (other, exit2, output)) = (a, b);
    let line = |stream: &str, x: &[u8], y: &[u8]| {
        let (x, y) = (String::from_utf8_lossy(x).into_owned(), String::from_utf8_lossy(y).into_owned());
        let (mut left, mut right) = (x.lines(), y.lines());
        let mut n = 0;
        loop {
            n += 1;
            let (l, r) = (left.next(), right.next());
            if l != r || l.is_none() {
                return format!("line {n} of {stream} is {} and {}", quote(l), quote(r));
            }
        }
    };
    let (out, err) = (expected.bytes(), expected.error_bytes());
    let (out2, err2) = (output.bytes(), output.error_bytes());
    let how = if out != out2 {
        line("the output", &out, &out2)
    } else if err != err2 {
        line("stderr", &err, &err2)
    } else {
        match (exit, exit2) {
            (Exit::Code(x), Exit::Code(y)) if x != y => {
                format!("the exit code is {} and {}", *x as u8, *y as u8)
            }
            _ => return None,
        }
    };
    let message = format!("the program behaves differently under seeds {one} and {other}: {how}");
    let mut d = Diagnostic::new(DiagnosticClass::Note, message);
    d.help = Some("its behaviour depends on the order in which threads run".to_owned());
    Some(d)
}

/// A line as it stands in a message.
fn quote(line: Option<&str>) -> String {
    const MOST: usize = 60;
    match line {
        None => "missing".to_owned(),
        Some(line) if line.chars().count() > MOST => {
            format!("`{}…`", line.chars().take(MOST).collect::<String>())
        }
        Some(line) => format!("`{line}`"),
    }
}
