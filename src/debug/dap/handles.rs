//! Numbers that a client has for frames and values. They hold until the program goes on; a later stop gives others, so that
//! an old number is told apart.

use crate::debug::Focus;
use crate::debug::expression::Value;
use cudair_vm::debug::DeviceThread;

/// The first number of a frame or value.
const FIRST: i64 = 1000;
/// The client's numbers are of 31 bits. Long before, they start again.
const RESTART: i64 = 1 << 30;
/// The first number of a thread of the device; below are those of the host.
const DEVICE: i64 = 1 << 20;

/// What a number stands for.
#[derive(Clone, Debug)]
pub enum Entry {
    /// A frame of a thread, from the innermost.
    Frame(Focus, usize),
    /// The variables of a frame.
    Locals(Focus, usize),
    /// The shared variables of the block, as a frame sees them.
    Shared(Focus, usize),
    /// `threadIdx` and the like.
    BuiltIns(Focus),
    /// A value with parts, and the expression that it is the value of.
    Value(Value, Option<String>),
}

/// All numbers.
#[derive(Debug)]
pub struct Handles {
    base: i64,
    entries: Vec<Entry>,
    /// Threads of the device that a client was told of. Their numbers stay.
    device: Vec<DeviceThread>,
}

impl Default for Handles {
    fn default() -> Handles {
        Handles { base: FIRST, entries: Vec::new(), device: Vec::new() }
    }
}

impl Handles {
    /// The program goes on: what was known of frames and values does not hold any more.
    pub fn forget(&mut self) {
        self.base += self.entries.len() as i64;
        if self.base > RESTART {
            self.base = FIRST;
        }
        self.entries.clear();
    }

    /// A number for an entry; the same again for a frame.
    pub fn number(&mut self, entry: Entry) -> i64 {
        if let Entry::Frame(focus, frame) = &entry {
            let is = |e: &Entry| matches!(e, Entry::Frame(f, n) if (f, n) == (focus, frame));
            if let Some(n) = self.entries.iter().position(is) {
                return self.base + n as i64;
            }
        }
        self.entries.push(entry);
        self.base + self.entries.len() as i64 - 1
    }

    /// What a number stands for.
    ///
    /// # Errors
    /// Nothing, any more.
    pub fn entry(&self, number: i64) -> Result<&Entry, String> {
        let at = number.checked_sub(self.base).and_then(|n| usize::try_from(n).ok());
        at.and_then(|n| self.entries.get(n)).ok_or_else(|| {
            format!("{number} is nothing of this stop; numbers hold until the program goes on")
        })
    }

    /// The thread and frame of a number.
    ///
    /// # Errors
    /// It is no frame's.
    pub fn frame(&self, number: i64) -> Result<(Focus, usize), String> {
        match self.entry(number)? {
            Entry::Frame(focus, frame) => Ok((*focus, *frame)),
            _ => Err(format!("{number} is not a frame")),
        }
    }

    /// The number of a thread.
    pub fn thread(&mut self, focus: Focus) -> i64 {
        let t = match focus {
            Focus::Host(n) => return n as i64,
            Focus::Device(t) => t,
        };
        let known = self.device.iter().position(|o| *o == t);
        let n = known.unwrap_or_else(|| {
            self.device.push(t);
            self.device.len() - 1
        });
        DEVICE + n as i64
    }

    /// The thread of a number.
    ///
    /// # Errors
    /// Nobody was told of it.
    pub fn focus(&self, number: i64) -> Result<Focus, String> {
        let unknown = || format!("there is no thread {number}");
        match number.checked_sub(DEVICE) {
            Some(n) if n >= 0 => {
                let thread = usize::try_from(n).ok().and_then(|n| self.device.get(n));
                thread.copied().map(Focus::Device).ok_or_else(unknown)
            }
            _ => u64::try_from(number).ok().filter(|&n| n > 0).map(Focus::Host).ok_or_else(unknown),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_hold_for_one_stop() {
        let mut handles = Handles::default();
        let host = Focus::Host(1);
        let frame = handles.number(Entry::Frame(host, 0));
        let other = handles.number(Entry::Frame(host, 1));
        assert_eq!(handles.number(Entry::Frame(host, 0)), frame);
        assert_eq!(handles.frame(other), Ok((host, 1)));
        let locals = handles.number(Entry::Locals(host, 0));
        assert!(handles.frame(locals).is_err());
        handles.forget();
        assert!(handles.entry(frame).is_err() && handles.entry(locals).is_err());
        let next = handles.number(Entry::Frame(host, 0));
        assert!(next > locals);
    }

    #[test]
    fn threads_keep_their_numbers() {
        let mut handles = Handles::default();
        let thread = |thread| Focus::Device(DeviceThread { launch: 0, block: [0; 3], thread });
        let (a, b) = (handles.thread(thread(5)), handles.thread(thread(6)));
        handles.forget();
        assert_eq!((handles.thread(thread(5)), handles.thread(thread(6))), (a, b));
        assert_eq!((handles.focus(b), handles.focus(1)), (Ok(thread(6)), Ok(Focus::Host(1))));
        assert!(handles.focus(b + 1).is_err() && handles.focus(0).is_err() && handles.focus(-1).is_err());
    }
}
