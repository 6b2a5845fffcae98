//! Watches over a run from the process's first thread: Ctrl-C, the time limit, progress.
//!
//! The thread that works is never stopped by force as long as it answers: it is told to end through
//! [`Watch`], and comes back with what was found. Only where nothing was found yet (while sources are parsed)
//! and where it does not come back in time is the process ended from here.

use crate::EXIT_LIMIT;
use crate::progress::Progress;
use cudair_ir::{Diagnostic, DiagnosticClass, Module};
use cudair_vm::Watch;
use std::io;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// How often the monitor looks.
pub const TICK: Duration = Duration::from_millis(40);
/// How long a run that was told to end may take for it.
const GRACE: Duration = Duration::from_secs(5);

/// Writes a diagnostic to where the user wants it.
type Tell = Box<dyn FnOnce(Diagnostic) + Send>;

/// What the first thread knows of the one that works.
#[derive(Default)]
pub struct Monitor {
    state: Mutex<State>,
    /// Ctrl-C was pressed.
    pressed: Arc<AtomicBool>,
}

#[derive(Default)]
struct State {
    phase: Phase,
    limit: Option<(Instant, f64)>,
    tell: Option<Tell>,
    watches: Vec<Arc<Watch>>,
    /// When the run was told to end, and why.
    ending: Option<(Instant, String)>,
    progress: Option<Progress>,
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

    /// `run` begins: from now on Ctrl-C and the time limit count. `tell` writes a diagnostic where the work
    /// cannot.
    ///
    /// # Errors
    /// Handlers of signals that cannot be set.
    pub fn begin(&self, timeout: Option<f64>, tell: Tell) -> io::Result<()> {
        // The second Ctrl-C ends the process at once: this handler runs first, and finds the flag set.
        let interrupt = signal_hook::consts::SIGINT;
        signal_hook::flag::register_conditional_shutdown(interrupt, 128 + interrupt, self.pressed.clone())?;
        signal_hook::flag::register(interrupt, self.pressed.clone())?;
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
        state.watches = watches;
        state.phase = Phase::Running;
    }

    /// The program has ended, and cudair is about to write.
    pub fn telling(&self) {
        let mut state = self.lock();
        state.phase = Phase::Telling;
        state.progress = None;
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

    /// Looks after the run.
    pub fn tick(&self) {
        let mut state = self.lock();
        let why = match &state.limit {
            _ if self.pressed.load(Relaxed) => Some("interrupted by Ctrl-C".to_owned()),
            Some((end, seconds)) if Instant::now() >= *end => {
                Some(format!("the time limit of {seconds} s was reached (`--timeout`)"))
            }
            _ => None,
        };
        match (state.phase, why) {
            (Phase::Preparing, Some(why)) => {
                let d = Diagnostic::new(DiagnosticClass::Limit, format!("{why} before the program started"));
                end(&mut state, d);
            }
            (Phase::Running, why) => {
                if let (Some(why), None) = (why, &state.ending) {
                    state.watches.iter().for_each(|w| w.interrupt(why.clone()));
                    state.ending = Some((Instant::now(), why));
                }
                if let Some((since, why)) = &state.ending
                    && since.elapsed() >= GRACE
                {
                    let seconds = GRACE.as_secs();
                    let mut d = Diagnostic::new(DiagnosticClass::Limit, why.clone());
                    d.help = Some(format!(
                        "the program did not stop within {seconds} s after that; what was found so far is lost"
                    ));
                    end(&mut state, d);
                }
                if let Some(progress) = &mut state.progress {
                    progress.tick();
                }
            }
            _ => {}
        }
    }
}

/// Ends the process with a diagnostic, while the other thread still works.
fn end(state: &mut State, diagnostic: Diagnostic) {
    state.progress = None;
    if let Some(tell) = state.tell.take() {
        tell(diagnostic);
    }
    // Nothing is cleaned up: the other thread uses it.
    signal_hook::low_level::exit(EXIT_LIMIT.into());
}
