//! The program's standard streams: the process's own, but interruptible, and in turns with progress.

use crate::monitor::Monitor;
use cudair_vm::{HostIo, Watch};
use std::io::{self, IsTerminal, Read, Write};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// How often a read that waits looks whether the run is to end.
const LOOK: Duration = Duration::from_millis(20);
/// Bytes read at once.
const CHUNK: usize = 1 << 14;

/// The process's streams for a run that `watch` ends.
pub fn process(monitor: &Arc<Monitor>, watch: &Arc<Watch>, input: &SharedInput) -> HostIo {
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
    let stdin = Box::new(Input { watch: watch.clone(), shared: input.clone(), at: 0 });
    HostIo { stdin, stdout, stderr, terminal }
}

/// Streams for one of several runs of a program, which all read the same input: what it writes is kept, and
/// passed on if the run is the one whose output counts.
pub fn captured(
    monitor: &Arc<Monitor>,
    watch: &Arc<Watch>,
    input: &SharedInput,
    shown: bool,
) -> (HostIo, Capture) {
    let capture = Capture::default();
    let HostIo { stdin, stdout, stderr, terminal } = process(monitor, watch, input);
    let kept = |to, kept: &Kept| Box::new(Tee { to: shown.then_some(to), kept: kept.clone() });
    let io =
        HostIo { stdin, stdout: kept(stdout, &capture.out), stderr: kept(stderr, &capture.error), terminal };
    (io, capture)
}

/// Bytes kept of a stream at most.
const MOST_KEPT: usize = 64 << 20;

type Kept = Arc<Mutex<Vec<u8>>>;

/// What a run has written.
#[derive(Clone, Debug, Default)]
pub struct Capture {
    out: Kept,
    error: Kept,
}

impl Capture {
    /// What went to standard output, up to a limit.
    pub fn bytes(&self) -> Vec<u8> {
        self.out.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// What went to standard error.
    pub fn error_bytes(&self) -> Vec<u8> {
        self.error.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

/// Keeps what is written and passes it on.
struct Tee {
    to: Option<Box<dyn Write + Send>>,
    kept: Kept,
}

impl Write for Tee {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let n = match &mut self.to {
            Some(to) => to.write(bytes)?,
            None => bytes.len(),
        };
        if let Ok(mut kept) = self.kept.lock() {
            let room = MOST_KEPT.saturating_sub(kept.len());
            kept.extend_from_slice(&bytes[..n.min(room)]);
        }
        Ok(n)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.to.as_mut().map_or(Ok(()), |to| to.flush())
    }
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

/// Standard input as far as it was read, for all runs that read it. A thread of its own waits for more, when
/// asked, so that a run that is to end does not.
#[derive(Clone, Default)]
pub struct SharedInput(Arc<Mutex<Source>>);

#[derive(Default)]
struct Source {
    bytes: Vec<u8>,
    reader: Option<Reader>,
    /// The reader was asked and has not answered.
    asked: bool,
    /// Several runs read it: what one has read is kept for the others.
    kept: bool,
}

impl SharedInput {
    /// The input for several runs.
    pub fn kept() -> SharedInput {
        SharedInput(Arc::new(Mutex::new(Source { kept: true, ..Source::default() })))
    }
}

impl Source {
    /// Waits a moment for more input; whether any came, or nothing where none can come any more.
    fn more(&mut self) -> io::Result<Option<bool>> {
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
        let Some((ask, given)) = &self.reader else { return Ok(None) };
        if !self.asked {
            ask.send(()).map_err(|_| io::Error::other("the reader is gone"))?;
            self.asked = true;
        }
        match given.recv_timeout(LOOK) {
            Err(RecvTimeoutError::Timeout) => Ok(Some(false)),
            Err(RecvTimeoutError::Disconnected) => Ok(None),
            Ok(result) => {
                self.asked = false;
                let bytes = result?;
                self.bytes.extend_from_slice(&bytes);
                Ok((!bytes.is_empty()).then_some(true))
            }
        }
    }
}

/// One run's way through the input.
struct Input {
    watch: Arc<Watch>,
    shared: SharedInput,
    at: usize,
}

impl Read for Input {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            let mut source = self.shared.0.lock().unwrap_or_else(PoisonError::into_inner);
            if self.at < source.bytes.len() {
                let n = buffer.len().min(source.bytes.len() - self.at);
                buffer[..n].copy_from_slice(&source.bytes[self.at..self.at + n]);
                self.at += n;
                if !source.kept && self.at == source.bytes.len() {
                    source.bytes.clear();
                    self.at = 0;
                }
                return Ok(n);
            }
            if self.watch.is_interrupted() {
                return Err(io::Error::other("the run is to end"));
            }
            if source.more()?.is_none() {
                return Ok(0);
            }
        }
    }
}
