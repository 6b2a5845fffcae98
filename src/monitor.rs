//! Watches over a run from the process's first thread: signals, the time limit, progress.
//!
//! The thread that works is never stopped by force as long as it answers: it is told to end through
//! [`Watch`], and comes back with what was found. Only where nothing was found yet (while sources are parsed)
//! and where it does not come back in time is the process ended from here, with what [`Watch`] has seen of the findings.

use crate::EXIT_LIMIT;
use crate::early::Early;
use crate::progress::Progress;
use cudair_ir::{Diagnostic, DiagnosticClass, Finding, Module};
use cudair_vm::Watch;
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use std::io;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// How often the monitor looks.
pub const TICK: Duration = Duration::from_millis(40);
/// How long a run that was told to end may take for it, and once more when it has looked for races in what it did.
const PATIENCE: Duration = Duration::from_millis(900);

/// Signals that follow each other within this time are one: `timeout` sends each to the process and to its group.
const TWICE: Duration = Duration::from_millis(200);

/// What the process ends with that is ended from here: why, what was found, and the program's sources.
pub struct Ending {
    /// Why.
    pub diagnostic: Diagnostic,
    /// What was found so far.
    pub findings: Vec<Finding>,
    /// The program, where it is known.
    pub module: Option<Arc<Module>>,
}

/// Writes it to where the user wants it.
type Tell = Box<dyn FnOnce(Ending) + Send>;

/// What the first thread knows of the one that works.
#[derive(Default)]
pub struct Monitor {
    state: Mutex<State>,
    /// A signal has come that ends the run.
    signalled: Arc<AtomicBool>,
    /// Which; 0 is none.
    signal: Arc<AtomicUsize>,
    /// The next one ends the process at once.
    impatient: Arc<AtomicBool>,
}

#[derive(Default)]
struct State {
    phase: Phase,
    limit: Option<(Instant, f64)>,
    tell: Option<Tell>,
    module: Option<Arc<Module>>,
    watches: Vec<Arc<Watch>>,
    /// When a signal was first seen.
    signalled: Option<Instant>,
    /// When the run was told to end, and why.
    ending: Option<(Instant, String)>,
    progress: Option<Progress>,
    /// What shows findings while the program runs.
    early: Option<Arc<Early>>,
}

/// What the work is at.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
enum Phase {
    /// Nothing that is to be watched.
    #[default]
    Unwatched,
    /// Before the program's start: there is nothing to lose.
    Preparing,
    /// The program runs.
    Running,
    /// The program has ended.
    Telling,
}

impl Monitor {
    fn lock(&self) -> MutexGuard<'_, State> {
        // Each change leaves the state whole.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// `run` begins: from now on signals and the time limit count. `tell` writes what there is to say where the work
    /// cannot.
    ///
    /// # Errors
    /// Handlers of signals that cannot be set.
    pub fn begin(&self, timeout: Option<f64>, tell: Tell) -> io::Result<()> {
        for signal in [SIGINT, SIGTERM, SIGHUP] {
            // Whoever starts a run with `nohup` wants it to outlive its terminal.
            if signal == SIGHUP && is_ignored(SIGHUP) {
                continue;
            }
            // A second one ends the process at once.
            signal_hook::flag::register_conditional_shutdown(signal, 128 + signal, self.impatient.clone())?;
            signal_hook::flag::register_usize(signal, self.signal.clone(), signal as usize)?;
            signal_hook::flag::register(signal, self.signalled.clone())?;
        }
        let mut state = self.lock();
        state.phase = Phase::Preparing;
        state.limit = timeout.and_then(|seconds| {
            let end = Instant::now().checked_add(Duration::try_from_secs_f64(seconds).ok()?)?;
            Some((end, seconds))
        });
        state.tell = Some(tell);
        Ok(())
    }

    /// The program starts, once or, with several seeds, several times; the progress of the first is shown.
    pub fn running(&self, module: &Arc<Module>, watches: Vec<Arc<Watch>>) {
        let mut state = self.lock();
        state.progress = watches.first().and_then(|w| Progress::new(module.clone(), w.clone()));
        state.module = Some(module.clone());
        state.watches = watches;
        state.phase = Phase::Running;
    }

    /// From now on this shows findings while the program runs.
    pub fn show_early(&self, early: Arc<Early>) {
        self.lock().early = Some(early);
    }

    /// The program has ended, and cudair is about to write.
    pub fn telling(&self) {
        let mut state = self.lock();
        state.phase = Phase::Telling;
        state.progress = None;
        let early = state.early.take();
        // It writes through this monitor.
        drop(state);
        if let Some(early) = early {
            early.close();
        }
    }

    /// Whether a signal has come or the time is over, so that nothing more is to be begun.
    pub fn is_to_end(&self) -> bool {
        self.signalled.load(Relaxed) || self.lock().limit.is_some_and(|(end, _)| Instant::now() >= end)
    }

    /// Takes what is shown off the terminal, and writes to it undisturbed.
    pub fn write(&self, bytes: &[u8], to: &mut dyn io::Write) -> io::Result<usize> {
        let mut state = self.lock();
        if let Some(progress) = &mut state.progress {
            progress.clear();
        }
        let n = to.write(bytes)?;
        if let (Some(progress), Some(last)) = (&mut state.progress, bytes[..n].last()) {
            progress.line_ended(*last == b'\n');
        }
        Ok(n)
    }

    /// Takes what is shown off the terminal, writes a text of cudair's to stderr, and does what goes with that, so that
    /// whoever ends the process sees both or none.
    pub fn write_whole(&self, text: &str, written: impl FnOnce()) {
        let mut state = self.lock();
        if let Some(progress) = &mut state.progress {
            progress.clear();
        }
        if io::Write::write_all(&mut io::stderr(), text.as_bytes()).is_ok() {
            written();
        }
        if let Some(progress) = &mut state.progress {
            progress.line_ended(true);
        }
    }

    /// Looks after the run.
    pub fn tick(&self) {
        let early = self.look_after();
        // It writes through this monitor.
        if let Some(early) = early {
            early.tick();
        }
    }

    /// Gives what shows findings, if the program runs.
    fn look_after(&self) -> Option<Arc<Early>> {
        let mut state = self.lock();
        if self.signalled.load(Relaxed) && state.signalled.get_or_insert_with(Instant::now).elapsed() >= TWICE
        {
            self.impatient.store(true, Relaxed);
        }
        let why = match &state.limit {
            _ if self.signalled.load(Relaxed) => {
                let by = match self.signal.load(Relaxed) as i32 {
                    SIGTERM => "SIGTERM",
                    SIGHUP => "SIGHUP",
                    _ => "Ctrl-C",
                };
                Some(format!("interrupted by {by}"))
            }
            Some((end, seconds)) if Instant::now() >= *end => {
                Some(format!("the time limit of {seconds} s was reached (`--timeout`)"))
            }
            _ => None,
        };
        match (state.phase, why) {
            (Phase::Preparing, Some(why)) => {
                let d = Diagnostic::new(DiagnosticClass::Limit, format!("{why} before the program started"));
                end(&mut state, d)
            }
            (Phase::Running, why) => {
                if let (Some(why), None) = (why, &state.ending) {
                    state.watches.iter().for_each(|w| w.interrupt(why.clone()));
                    state.ending = Some((Instant::now(), why));
                }
                if let Some((since, why)) = &state.ending
                    && Instant::now() >= deadline(*since, &state.watches)
                {
                    let mut d = Diagnostic::new(DiagnosticClass::Limit, why.clone());
                    d.help = Some(
                        "the run did not stop in time: each finding is counted once, and findings may be \
                         missing"
                            .to_owned(),
                    );
                    end(&mut state, d);
                }
                if let Some(progress) = &mut state.progress {
                    progress.tick();
                }
                state.early.clone()
            }
            _ => None,
        }
    }
}

/// When a run that was told to end at `since` is not waited for any more.
fn deadline(since: Instant, watches: &[Arc<Watch>]) -> Instant {
    let answered = watches.iter().filter_map(|w| w.grace()).max();
    answered.map_or(since, |grace| grace.max(since)) + PATIENCE
}

/// Whether the process was started with a signal ignored, where the system tells.
fn is_ignored(signal: i32) -> bool {
    // Elsewhere there is no such file, and nothing is known.
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|l| l.strip_prefix("SigIgn:"));
    mask.and_then(|m| u64::from_str_radix(m.trim(), 16).ok()).is_some_and(|m| m >> (signal - 1) & 1 != 0)
}

/// Ends the process with a diagnostic and what is known to be found, while the other thread still works.
fn end(state: &mut State, diagnostic: Diagnostic) -> ! {
    state.progress = None;
    let mut findings = Vec::new();
    if let Some(module) = &state.module {
        let all = state.watches.iter().flat_map(|w| w.found(module));
        all.for_each(|f| f.merge_into(&mut findings));
    }
    if let Some(tell) = state.tell.take() {
        tell(Ending { diagnostic, findings, module: state.module.clone() });
    }
    // Nothing is cleaned up: the other thread uses it.
    signal_hook::low_level::exit(EXIT_LIMIT.into())
}
