//! What is outside of a program under the debugger, over all of its runs: what it was told, and what it has written.

use cudair_vm::{HostIo, Journal};
use std::io::{self, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};

/// The outside.
#[derive(Clone, Default)]
pub struct World {
    /// What files and clocks told the program.
    pub journal: Arc<Journal>,
    /// Somebody wants something of the program while it runs.
    pub attention: Arc<AtomicBool>,
    out: Arc<AtomicUsize>,
    error: Arc<AtomicUsize>,
}

impl World {
    /// The streams of the next run: what another run has written is not written again.
    pub fn streams(&self, io: HostIo) -> HostIo {
        let once = |to, written: &Arc<AtomicUsize>| {
            Box::new(Once { to, journal: self.journal.clone(), written: written.clone(), at: 0 })
        };
        HostIo { stdout: once(io.stdout, &self.out), stderr: once(io.stderr, &self.error), ..io }
    }
}

/// Passes on what no other run has written.
struct Once {
    to: Box<dyn Write + Send>,
    journal: Arc<Journal>,
    /// Bytes that were written by any run.
    written: Arc<AtomicUsize>,
    /// Bytes that this run has written.
    at: usize,
}

impl Write for Once {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.journal.is_left() {
            return Ok(bytes.len());
        }
        let known = self.written.load(Relaxed).saturating_sub(self.at).min(bytes.len());
        let n = if known > 0 { known } else { self.to.write(bytes)? };
        self.at += n;
        self.written.fetch_max(self.at, Relaxed);
        Ok(n)
    }

    fn flush(&mut self) -> io::Result<()> {
        if self.journal.is_left() { Ok(()) } else { self.to.flush() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::{Mutex, PoisonError};

    #[derive(Clone, Default)]
    struct Kept(Arc<Mutex<Vec<u8>>>);

    impl Write for Kept {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().unwrap_or_else(PoisonError::into_inner).extend_from_slice(bytes);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn what_one_run_has_written_no_other_writes() {
        let (world, kept) = (World::default(), Kept::default());
        let run = || world.streams(HostIo { stdout: Box::new(kept.clone()), ..HostIo::null() }).stdout;
        let mut first = run();
        first.write_all(b"one two").expect("written");
        world.journal.leave();
        first.write_all(b" lost").expect("not written");
        world.journal.rewind();
        let mut second = run();
        second.write_all(b"one").expect("known");
        second.write_all(b" two three").expect("written");
        assert_eq!(*kept.0.lock().expect("whole"), b"one two three");
    }
}
