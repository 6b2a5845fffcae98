//! What the outside told a program, so that another run of it is told the same.
//!
//! A debugger that goes back starts the program again and lets it run up to a place where it was before, as `rr` does
//! (O'Callahan et al., *Engineering Record And Replay For Deployability*, USENIX ATC 2017, section 2): the machine is
//! deterministic, so that what comes from outside is all that has to be kept. While a run lives through what was told
//! before, nothing reaches the outside. Behind that it goes on for real, with the files that are still open.

use std::any::Any;
use std::fs::File;
use std::io;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// What was told, in its order.
#[derive(Debug)]
pub struct Journal {
    started: Instant,
    pages: Mutex<Pages>,
}

#[derive(Debug, Default)]
struct Pages {
    told: Vec<Box<dyn Any + Send>>,
    /// What the current run is told next.
    next: usize,
    /// The current run is ended here: what it still does is not done.
    leaves: bool,
    /// A run asked something else than the one before it.
    differs: bool,
    /// The files that are open after all that was told, by the number of their opening.
    files: rustc_hash::FxHashMap<usize, File>,
}

/// An error that can be told twice.
#[derive(Clone, Copy, Debug)]
struct Told {
    code: Option<i32>,
    kind: io::ErrorKind,
}

impl From<io::Error> for Told {
    fn from(error: io::Error) -> Told {
        Told { code: error.raw_os_error(), kind: error.kind() }
    }
}

impl From<Told> for io::Error {
    fn from(told: Told) -> io::Error {
        told.code.map_or_else(|| told.kind.into(), io::Error::from_raw_os_error)
    }
}

/// What an operation gives that is no longer done.
fn left() -> Told {
    Told { code: None, kind: io::ErrorKind::Other }
}

impl Default for Journal {
    fn default() -> Journal {
        Journal { started: Instant::now(), pages: Mutex::default() }
    }
}

impl Journal {
    fn pages(&self) -> MutexGuard<'_, Pages> {
        self.pages.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// When the first run started.
    pub(super) fn started(&self) -> Instant {
        self.started
    }

    /// Whether the current run is told what another was told.
    pub fn replays(&self) -> bool {
        let pages = self.pages();
        pages.leaves || pages.next < pages.told.len()
    }

    /// Whether the current run has been ended.
    pub fn is_left(&self) -> bool {
        self.pages().leaves
    }

    /// Whether a run asked something else than the one before it, so that it is no longer the same.
    pub fn differs(&self) -> bool {
        self.pages().differs
    }

    /// The current run is to end here. What it does from now on, such as writing what it has gathered, is not done.
    pub fn leave(&self) {
        self.pages().leaves = true;
    }

    /// How much the current run was told.
    pub fn position(&self) -> usize {
        self.pages().next
    }

    /// The current run is taken back to where it was told so much.
    pub fn seek(&self, position: usize) {
        self.pages().next = position;
    }

    /// The next run starts.
    pub fn rewind(&self) {
        let mut pages = self.pages();
        (pages.next, pages.leaves) = (0, false);
    }

    /// The time.
    pub(super) fn time(&self, now: impl FnOnce() -> Duration) -> Duration {
        let mut pages = self.pages();
        if pages.leaves {
            return now();
        }
        match pages.again::<Duration>() {
            Some(told) => told,
            None => pages.first(now()),
        }
    }

    /// Does something outside, or gives what came of it before.
    pub(super) fn io<T: Clone + Send + 'static>(&self, ask: impl FnOnce() -> io::Result<T>) -> io::Result<T> {
        let mut pages = self.pages();
        Ok(pages.io(|_| ask().map_err(Told::from))?)
    }

    /// The same with an open file.
    pub(super) fn io_of<T: Clone + Send + 'static>(
        &self,
        number: usize,
        ask: impl FnOnce(&mut &File) -> io::Result<T>,
    ) -> io::Result<T> {
        let mut pages = self.pages();
        Ok(pages.io(|pages| {
            let file = pages.files.get(&number).ok_or_else(left)?;
            ask(&mut &*file).map_err(Told::from)
        })?)
    }

    /// Opens a file. Gives its number.
    pub(super) fn open(&self, ask: impl FnOnce() -> io::Result<File>) -> io::Result<usize> {
        let mut pages = self.pages();
        Ok(pages.io(|pages| {
            let number = pages.told.len();
            pages.files.insert(number, ask().map_err(Told::from)?);
            Ok(number)
        })?)
    }

    /// The program has closed a file.
    pub(super) fn close(&self, number: usize) {
        let mut pages = self.pages();
        // A run that is left, or has not yet come as far as another, still needs it behind that.
        if !pages.leaves && pages.next >= pages.told.len() {
            pages.files.remove(&number);
        }
    }
}

impl Pages {
    /// What was told here before, if something was.
    fn again<T: Clone + 'static>(&mut self) -> Option<T> {
        let told = self.told.get(self.next)?.downcast_ref::<T>().cloned();
        match told {
            Some(_) => self.next += 1,
            // The rest is of no use to a run that asks something else.
            None => {
                self.differs = true;
                self.told.truncate(self.next);
            }
        }
        told
    }

    /// Keeps what is told for the first time.
    fn first<T: Clone + Send + 'static>(&mut self, told: T) -> T {
        self.told.push(Box::new(told.clone()));
        self.next = self.told.len();
        told
    }

    fn io<T: Clone + Send + 'static>(
        &mut self,
        ask: impl FnOnce(&mut Pages) -> Result<T, Told>,
    ) -> Result<T, Told> {
        if self.leaves {
            return Err(left());
        }
        match self.again() {
            Some(told) => told,
            None => {
                let told = ask(self);
                self.first(told)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Access, Follow, Gate};
    use super::*;
    use std::fs::{self, OpenOptions};
    use std::io::{Read, Seek, SeekFrom, Write};
    use std::path::Path;
    use std::sync::Arc;

    fn reach(gate: &Gate, at: &Path, name: &str) -> super::super::Reached {
        gate.path("open", at, name.as_bytes(), Access::Both, Follow::Link).expect("the gate is open")
    }

    /// A program that reads a file, counts in another, and looks at the clock.
    fn program(gate: &Gate, at: &Path, further: bool) -> (String, Duration, Option<i32>) {
        let time = gate.calendar().expect("an open gate tells the time");
        let mut text = String::new();
        let mut input = reach(gate, at, "in").open(OpenOptions::new().read(true)).expect("it is there");
        input.read_to_string(&mut text).expect("text");
        drop(input);
        let options = OpenOptions::new().create(true).append(true).to_owned();
        let mut output = reach(gate, at, "out").open(&options).expect("opened");
        output.write_all(b"a").expect("written");
        let absent = reach(gate, at, "absent").read().err().and_then(|e| e.raw_os_error());
        if further {
            output.write_all(b"b").expect("written");
        }
        (text, time, absent)
    }

    #[test]
    fn another_run_is_told_the_same_and_changes_nothing() {
        let room = tempfile::tempdir().expect("a folder");
        let at = room.path();
        fs::write(at.join("in"), "before").expect("written");
        let journal = Arc::new(Journal::default());
        let gate = Gate::default().with_journal(journal.clone());
        let first = program(&gate, at, false);
        assert_eq!((first.0.as_str(), first.2), ("before", Some(2)));
        fs::write(at.join("in"), "after").expect("written");
        journal.rewind();
        assert!(journal.replays());
        assert_eq!(program(&gate, at, false), first);
        assert!(!journal.replays() && !journal.differs());
        assert_eq!(fs::read_to_string(at.join("out")).expect("read"), "a");
    }

    #[test]
    fn a_run_that_goes_further_goes_on_for_real() {
        let room = tempfile::tempdir().expect("a folder");
        let at = room.path();
        fs::write(at.join("in"), "x").expect("written");
        let journal = Arc::new(Journal::default());
        let gate = Gate::default().with_journal(journal.clone());
        // The first run is left while its file is open: what it does then is not done.
        let open = OpenOptions::new().create(true).write(true).read(true).to_owned();
        let mut file = reach(&gate, at, "out").open(&open).expect("opened");
        file.write_all(b"12345").expect("written");
        journal.leave();
        assert!(file.write_all(b"6").is_err());
        drop(file);
        journal.rewind();
        let mut file = reach(&gate, at, "out").open(&open).expect("opened");
        file.write_all(b"12345").expect("told");
        file.write_all(b"6").expect("written");
        file.seek(SeekFrom::Start(3)).expect("sought");
        let mut text = String::new();
        file.read_to_string(&mut text).expect("read");
        assert_eq!((text.as_str(), file.metadata().expect("told").len()), ("456", 6));
    }

    #[test]
    fn a_run_that_asks_something_else_is_found_out() {
        let room = tempfile::tempdir().expect("a folder");
        let journal = Arc::new(Journal::default());
        let gate = Gate::default().with_journal(journal.clone());
        let _ = gate.calendar();
        journal.rewind();
        let _ = reach(&gate, room.path(), "x").read();
        assert!(journal.differs());
    }
}
