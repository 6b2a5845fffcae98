//! A changed program is looked at and run again, quietly.

use super::change::Changed;
use crate::compiler_args::CompilerArgs;
use crate::monitor::Monitor;
use crate::pipeline::compile_changed;
use crate::quiet;
use crate::solver::Z3;
use cudair_ir::{Finding, Kind, Module, Pos, Severity, Span};
use cudair_passes::check::{CheckOptions, Checked, analyze_module, check_module};
use cudair_passes::symbolic::smt::NoSolver;
use cudair_passes::transform::Pipeline;
use cudair_vm::{Choice, DeviceProfile, Exit, Outcome, Unseen, VmConfig};
use std::io::{self, Read};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Duration;

/// What a finding is known by in two versions of a program: its kind, its kernel and its places, as they were before the
/// change.
pub type Key = (Kind, Option<String>, Vec<(String, Pos)>);

/// The program that is changed, and how it is compiled.
pub struct Program<'a> {
    /// The files.
    pub files: &'a [PathBuf],
    /// What they are compiled with.
    pub compiler: &'a CompilerArgs,
    /// The device.
    pub device: &'a DeviceProfile,
}

impl Program<'_> {
    /// The changed program, if it is one.
    pub fn compile(&self, changed: &Changed, passes: &Pipeline) -> Option<Module> {
        let replaced = [(changed.file.clone(), changed.text.clone())];
        let compiled = compile_changed(self.files, self.compiler, self.device, passes, &replaced).ok()?;
        Some(compiled.module)
    }
}

/// The findings of a program, known by their places in the text before a change, if there was one.
pub fn key(finding: &Finding, change: Option<(&Changed, &str)>) -> Key {
    let spans = finding.primary.iter().chain(&finding.related);
    let mut places: Vec<(String, Pos)> = spans.map(|s| (s.file.clone(), back(s, change))).collect();
    places.sort();
    places.dedup();
    (finding.kind, finding.kernel.clone(), places)
}

/// Where a span began before a change.
pub fn back(span: &Span, change: Option<(&Changed, &str)>) -> Pos {
    match change {
        Some((changed, old)) if changed.file == span.file => changed.back(old, span.start),
        _ => span.start,
    }
}

/// Whether a finding says that threads do not come together where they have to.
pub fn is_of_waiting(kind: Kind) -> bool {
    matches!(kind, Kind::BarrierDivergence | Kind::SyncMask | Kind::Deadlock)
}

/// Whether a finding that a change brings speaks against it.
pub fn is_bad(finding: &Finding) -> bool {
    finding.severity == Severity::Error || is_of_waiting(finding.kind)
}

/// The findings about barriers in one kernel; where they are only possible, those that a solver leaves.
pub fn divergence(module: &Module, options: &CheckOptions, solver: bool) -> Vec<Finding> {
    let of_barriers = |mut found: Vec<Finding>| {
        found.retain(|f| f.kind == Kind::BarrierDivergence);
        found
    };
    let found = of_barriers(analyze_module(module, options).1);
    if !solver || found.is_empty() {
        return found;
    }
    of_barriers(check_module(module, options, &mut Z3::default()).findings)
}

/// All that the analyses find in one kernel.
pub fn check(module: &Module, options: &CheckOptions, solver: bool) -> Checked {
    if solver {
        check_module(module, options, &mut Z3::default())
    } else {
        check_module(module, options, &mut NoSolver)
    }
}

/// How a program runs again.
pub struct Rerun<'a> {
    /// Its arguments.
    pub args: &'a [String],
    /// The configuration of the first run, with a gate that is shut, without what it writes.
    pub config: VmConfig,
    /// The longest run; none: until it ends.
    pub longest: Option<Duration>,
    /// Knows when the user wants no more.
    pub monitor: &'a Monitor,
}

/// What a second run came to.
#[derive(Clone, Debug)]
pub struct Ran {
    /// What was found.
    pub findings: Vec<Finding>,
    /// How many launches there were.
    pub launches: u64,
    /// How much was not looked at: findings that were not kept, races that nobody could look for.
    pub unlooked: u64,
}

impl Ran {
    /// What a run came to whose outcome is known.
    pub fn of(outcome: &Outcome) -> Ran {
        let Unseen { second_runs, stranded, words, places, launches, .. } = &outcome.unseen;
        Ran {
            findings: outcome.findings.clone(),
            launches: outcome.launches[0],
            unlooked: outcome.left + second_runs + stranded + words + places + launches,
        }
    }
}

impl Rerun<'_> {
    /// Runs a program quietly: what was found, or why nothing can be said.
    pub fn run(&self, module: Module, choice: Choice, seed: Option<u64>) -> Result<Ran, String> {
        let asked: Arc<AtomicBool> = Arc::default();
        let config = VmConfig { choice, seed: seed.or(self.config.seed), ..self.config.clone() };
        let late =
            |ran: Duration| self.longest.is_some_and(|longest| ran > longest) || self.monitor.is_to_end();
        let input = Box::new(NoInput(asked.clone()));
        let outcome = quiet::run(Arc::new(module), config, self.args, input, late);
        if asked.load(Relaxed) {
            return Err("the program reads its standard input".to_owned());
        }
        match outcome.exit {
            Exit::Code(_) | Exit::Fault => Ok(Ran::of(&outcome)),
            Exit::Limit => Err("the program takes too long to run it once more".to_owned()),
            Exit::Unsupported | Exit::Internal => {
                let why = outcome.diagnostics.first().map_or("it stopped", |d| d.message.as_str());
                Err(format!("the program cannot be run once more without what is around it: {why}"))
            }
        }
    }
}

/// Nobody types the program's input again.
struct NoInput(Arc<AtomicBool>);

impl Read for NoInput {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        self.0.store(true, Relaxed);
        Ok(0)
    }
}
