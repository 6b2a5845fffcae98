//! What a program writes that runs in the test's own process.

use cudair_vm::HostIo;
use std::io::{self, Write};
use std::sync::{Arc, Mutex, PoisonError};

/// Bytes behind which nothing more is kept.
const MOST: usize = 1 << 20;

/// What a program writes to stdout and stderr, up to a bound.
#[derive(Clone, Default)]
pub struct Paper(Arc<Mutex<Vec<u8>>>);

impl Paper {
    /// The files of a program without input that writes here.
    pub fn io(&self) -> HostIo {
        HostIo {
            stdin: Box::new(io::empty()),
            stdout: Box::new(self.clone()),
            stderr: Box::new(self.clone()),
            terminal: false,
        }
    }

    /// What was written; what is not UTF-8 is replaced.
    pub fn text(&self) -> String {
        let written = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        String::from_utf8_lossy(&written).into_owned()
    }
}

impl Write for Paper {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if all.len() < MOST {
            all.extend_from_slice(bytes);
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
