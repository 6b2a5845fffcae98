//! What others see of a run while it goes on, and how they end it: shared between the machine and whoever
//! watches it from another thread.

use crate::Findings;
use cudair_ir::{EntityRef, Finding, FuncId, Module};
use cudair_lane::fault::Stop;
use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};

/// Findings as they were noted. A launch that is rolled back leaves them, so that they are no part of what is
/// compared of a machine: their text is the same whatever there is.
#[derive(Default)]
struct Mirror(Mutex<Findings>);

impl fmt::Debug for Mirror {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Mirror")
    }
}

/// A run as seen from outside. The machine looks at it at least every few thousand back edges, after each call of a
/// library function, and on the device at each operation that is a loop by itself.
#[derive(Debug, Default)]
pub struct Watch {
    interrupted: AtomicBool,
    why: OnceLock<String>,
    /// Until when a run that is to end may look for races in what it has done.
    grace: OnceLock<Instant>,
    /// The number of the launch that runs and one; 0 is none.
    launch: AtomicU64,
    kernel: AtomicU32,
    blocks: AtomicU64,
    done: AtomicU64,
    again: AtomicBool,
    /// What was found so far, each thing once.
    found: Mirror,
    /// Who hears what was found when a launch has ended.
    listener: OnceLock<Arc<dyn Listener>>,
    /// How much the listener has heard of.
    heard: AtomicU64,
}

/// Who hears what was found while the run goes on.
pub trait Listener: fmt::Debug + Send + Sync {
    /// A launch has ended and stands. `found`: all that was noted so far, which is more than the listener has heard of.
    /// Counts in it and the text of a race may still change, and a read of memory that was never written may turn out to
    /// be none of the program's faults ([`Findings::excuse`]).
    fn launch_ended(&self, found: Findings);
}

/// A launch that runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LaunchView {
    /// Its number in the run, from 0.
    pub number: u64,
    /// The kernel.
    pub kernel: FuncId,
    /// Its blocks.
    pub blocks: u64,
    /// How many of them are done.
    pub done: u64,
    /// It runs for the second time, to confirm races.
    pub again: bool,
}

impl Watch {
    /// Lets the run end as soon as may be, as at a limit; `why` becomes the message. The first reason counts.
    #[inline]
    pub fn interrupt(&self, why: impl Into<String>) {
        let _ = self.why.set(why.into());
        self.interrupted.store(true, Relaxed);
    }

    /// Whether the run is to end.
    #[inline]
    pub fn is_interrupted(&self) -> bool {
        self.interrupted.load(Relaxed)
    }

    /// Nothing, or the stop that ends the run.
    ///
    /// # Errors
    /// [`Stop::Limit`] where the run is to end.
    #[inline(always)]
    #[allow(clippy::result_large_err, reason = "as everywhere in the machine")]
    pub fn check(&self) -> Result<(), Stop> {
        if self.is_interrupted() { self.may_go_on() } else { Ok(()) }
    }

    #[cold]
    #[allow(clippy::result_large_err, reason = "as everywhere in the machine")]
    fn may_go_on(&self) -> Result<(), Stop> {
        if self.grace.get().is_some_and(|&end| Instant::now() < end) {
            return Ok(());
        }
        // The reason is set before the flag, but by relaxed writes.
        Err(Stop::limit(self.why.get().map_or("the run was interrupted", String::as_str)))
    }

    /// Whether the run is to end at once, also where it was given time.
    #[inline]
    pub fn is_out_of_grace(&self) -> bool {
        self.grace.get().is_some_and(|&end| Instant::now() >= end)
    }

    /// Until when a run that is to end may look for races in what it has done, if it has asked for that.
    #[inline]
    pub fn grace(&self) -> Option<Instant> {
        self.grace.get().copied()
    }

    /// What the run has found so far, for whoever tells it where the run itself does not come back. What happened
    /// again is not counted.
    #[inline]
    pub fn found(&self, module: &Module) -> Vec<Finding> {
        let found = self.mirror().clone();
        found.finish(module)
    }

    /// What the run has found so far, to be added to.
    #[inline]
    pub fn mirror(&self) -> MutexGuard<'_, Findings> {
        // Each change leaves it whole.
        self.found.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// From now on a run that is to end may go on for so long, once.
    #[inline]
    pub fn give_grace(&self, time: Duration) {
        self.interrupted.store(true, Relaxed);
        self.grace.get_or_init(|| Instant::now() + time);
    }

    /// The launch that runs, if one does. Its parts are read one after the other, so that they may be of two
    /// launches that follow each other; good enough to look at.
    pub fn launch(&self) -> Option<LaunchView> {
        let number = self.launch.load(Relaxed).checked_sub(1)?;
        Some(LaunchView {
            number,
            kernel: FuncId::new(self.kernel.load(Relaxed) as usize),
            blocks: self.blocks.load(Relaxed),
            done: self.done.load(Relaxed),
            again: self.again.load(Relaxed),
        })
    }

    /// A launch of this number begins; `again` says that it runs for the second time.
    pub fn begin_launch(&self, number: u64, kernel: FuncId, blocks: u64, again: bool) {
        self.again.store(again, Relaxed);
        self.done.store(0, Relaxed);
        self.blocks.store(blocks, Relaxed);
        self.kernel.store(kernel.as_u32(), Relaxed);
        self.launch.store(number.wrapping_add(1), Relaxed);
    }

    /// One more block of the launch is done.
    #[inline(always)]
    pub fn block_done(&self) {
        self.done.fetch_add(1, Relaxed);
    }

    /// How many blocks are done, where several cores do them.
    #[inline]
    pub fn blocks_done(&self, done: u64) {
        self.done.store(done, Relaxed);
    }

    /// How many blocks of the launch that runs, or ran last, are done.
    #[inline]
    pub fn done(&self) -> u64 {
        self.done.load(Relaxed)
    }

    /// From now on somebody hears what was found whenever a launch has ended. The first one counts.
    pub fn listen(&self, listener: Arc<dyn Listener>) {
        let _ = self.listener.set(listener);
    }

    /// Tells the listener, if there is one, what was found so far, unless it has heard of as many things before: `noted`.
    #[inline]
    pub fn tell(&self, noted: u64, found: impl FnOnce() -> Findings) {
        if let Some(listener) = self.listener.get()
            && self.heard.swap(noted, Relaxed) != noted
        {
            listener.launch_ended(found());
        }
    }

    /// The launch has ended.
    #[inline]
    pub fn end_launch(&self) {
        self.launch.store(0, Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_reason_counts() {
        let watch = Watch::default();
        assert!(watch.check().is_ok());
        watch.interrupt("first");
        watch.interrupt("second");
        let Err(Stop::Limit(d)) = watch.check() else { panic!("goes on") };
        assert_eq!(d.message, "first");
    }

    #[test]
    fn grace_is_given_once() {
        let watch = Watch::default();
        watch.interrupt("enough");
        watch.give_grace(Duration::from_secs(1000));
        assert!(watch.check().is_ok());
        let watch = Watch::default();
        watch.interrupt("enough");
        watch.give_grace(Duration::ZERO);
        watch.give_grace(Duration::from_secs(1000));
        assert!(watch.check().is_err());
    }

    #[derive(Debug, Default)]
    struct Heard(Mutex<Vec<usize>>);

    impl Listener for Heard {
        fn launch_ended(&self, found: Findings) {
            self.0.lock().expect("nobody panicked").push(found.len());
        }
    }

    #[test]
    fn a_listener_hears_what_is_new() {
        let watch = Watch::default();
        watch.tell(1, || panic!("nobody listens"));
        let heard = Arc::new(Heard::default());
        watch.listen(heard.clone());
        watch.tell(0, || panic!("nothing was noted"));
        watch.tell(2, Findings::new);
        watch.tell(2, || panic!("nothing is new"));
        watch.tell(3, Findings::new);
        assert_eq!(*heard.0.lock().expect("nobody panicked"), [0, 0]);
    }

    #[test]
    fn launches_are_seen() {
        let watch = Watch::default();
        assert_eq!(watch.launch(), None);
        watch.begin_launch(3, FuncId::new(7), 10, false);
        watch.block_done();
        let seen = LaunchView { number: 3, kernel: FuncId::new(7), blocks: 10, done: 1, again: false };
        assert_eq!(watch.launch(), Some(seen));
        watch.end_launch();
        assert_eq!(watch.launch(), None);
    }
}
