//! The program's standard streams: the process's own, but interruptible, and in turns with progress.

use crate::monitor::Monitor;
use cudair_vm::{HostIo, Watch};
use std::io::{self, IsTerminal, Read, Write};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::Duration;

/// How often a read that waits looks whether the run is to end.
const LOOK: Duration = Duration::from_millis(20);
/// Bytes read at once.
const CHUNK: usize = 1 << 14;

/// The process's streams for a run that `watch` ends.
pub fn process(monitor: &Arc<Monitor>, watch: &Arc<Watch>) -> HostIo {
    let terminal = io::stdout().is_terminal();
    let stdout: Box<dyn Write + Send> = if terminal {
        Box::new(Shared { monitor: monitor.clone(), to: io::stdout() })
    } else {
        Box::new(io::stdout())
    };
    let stderr: Box<dyn Write + Send> = if io::stderr().is_terminal() {
        Box::new(Shared { monitor: monitor.clone(), to: io::stderr() })
    } else {
        Box::new(io::stderr())
    };
    HostIo { stdin: Box::new(Input::new(watch.clone())), stdout, stderr, terminal }
}

/// A stream to the terminal, where progress may be shown.
struct Shared<W> {
    monitor: Arc<Monitor>,
    to: W,
}

impl<W: Write> Write for Shared<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.monitor.write(bytes, &mut self.to)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.to.flush()
    }
}

/// Asks the thread that reads, and takes what it gives.
type Reader = (Sender<()>, Receiver<io::Result<Vec<u8>>>);

/// Standard input. A thread of its own waits for it, when asked, so that a run that is to end does not.
struct Input {
    watch: Arc<Watch>,
    reader: Option<Reader>,
    bytes: Vec<u8>,
    at: usize,
}

impl Input {
    fn new(watch: Arc<Watch>) -> Input {
        Input { watch, reader: None, bytes: Vec::new(), at: 0 }
    }

    fn reader(&mut self) -> io::Result<&Reader> {
        if self.reader.is_none() {
            let (ask, asked) = channel::<()>();
            let (give, given) = channel();
            std::thread::Builder::new().name("stdin".to_owned()).spawn(move || {
                for () in asked {
                    let mut bytes = vec![0; CHUNK];
                    let result = io::stdin().read(&mut bytes).map(|n| {
                        bytes.truncate(n);
                        bytes
                    });
                    if give.send(result).is_err() {
                        return;
                    }
                }
            })?;
            self.reader = Some((ask, given));
        }
        self.reader.as_ref().ok_or_else(|| io::Error::other("no reader"))
    }
}

impl Read for Input {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.at == self.bytes.len() {
            let watch = self.watch.clone();
            let (ask, given) = self.reader()?;
            let gone = |_| io::Error::other("the reader is gone");
            ask.send(()).map_err(gone)?;
            let bytes = loop {
                match given.recv_timeout(LOOK) {
                    Ok(result) => break result?,
                    Err(RecvTimeoutError::Timeout) if watch.is_interrupted() => {
                        return Err(io::Error::other("the run is to end"));
                    }
                    Err(RecvTimeoutError::Timeout) => {}
                    Err(RecvTimeoutError::Disconnected) => return Ok(0),
                }
            };
            (self.bytes, self.at) = (bytes, 0);
        }
        let n = buffer.len().min(self.bytes.len() - self.at);
        buffer[..n].copy_from_slice(&self.bytes[self.at..self.at + n]);
        self.at += n;
        Ok(n)
    }
}
