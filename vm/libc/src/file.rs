//! Streams of the C library: buffers over the machine's own streams, over files and over memory.

use cudair_engine::gate::{Access, Gate, OuterFile, Reached};
use std::fs;
use std::io::{self, Read, Seek, SeekFrom, Write};

/// Where the program's standard streams lead.
pub struct HostIo {
    /// Standard input.
    pub stdin: Box<dyn Read + Send>,
    /// Standard output.
    pub stdout: Box<dyn Write + Send>,
    /// Standard error.
    pub stderr: Box<dyn Write + Send>,
    /// Standard output is a terminal: it is written at each line's end.
    pub terminal: bool,
}

impl HostIo {
    /// The process's own.
    pub fn process() -> HostIo {
        use std::io::IsTerminal;
        HostIo {
            stdin: Box::new(io::stdin()),
            stdout: Box::new(io::stdout()),
            stderr: Box::new(io::stderr()),
            terminal: io::stdout().is_terminal(),
        }
    }

    /// Nothing to read, and what is written is lost.
    pub fn null() -> HostIo {
        HostIo {
            stdin: Box::new(io::empty()),
            stdout: Box::new(io::sink()),
            stderr: Box::new(io::sink()),
            terminal: false,
        }
    }
}

/// What is behind a stream.
#[derive(Debug)]
pub(crate) enum Backing {
    /// Standard input.
    Stdin,
    /// Standard output.
    Stdout,
    /// Standard error.
    Stderr,
    /// A file.
    Disk(OuterFile),
    /// Bytes in memory (`tmpfile`), and the position in them.
    Memory(io::Cursor<Vec<u8>>),
}

/// When written bytes are passed on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Buffering {
    /// When the buffer is full.
    Full,
    /// At the end of each line as well.
    Line,
    /// At once.
    None,
}

/// How much is gathered before it is passed on.
const BUFFER: usize = 1 << 16;
/// How much is read from a file at once.
const CHUNK: usize = 1 << 14;

/// A stream.
#[derive(Debug)]
pub(crate) struct File {
    backing: Backing,
    readable: bool,
    writable: bool,
    append: bool,
    /// When bytes are passed on.
    pub buffering: Buffering,
    input: Vec<u8>,
    /// The next byte of `input`.
    at: usize,
    /// Characters put back, last first out.
    back: Vec<u8>,
    output: Vec<u8>,
    /// The end was met.
    pub eof: bool,
    /// An operation failed.
    pub error: bool,
    /// The numbering for `fileno`.
    pub number: i32,
}

/// `errno` of an operation on a stream that is not open for it.
const EBADF: i32 = 9;
/// `errno` of a position that cannot be.
const EINVAL: i32 = 22;
/// `errno` of a position in a stream that has none.
const ESPIPE: i32 = 29;
/// `errno` of an error without a number.
const EIO: i32 = 5;

fn errno(e: &io::Error) -> i32 {
    e.raw_os_error().unwrap_or(EIO)
}

impl File {
    pub fn new(backing: Backing, readable: bool, writable: bool, append: bool, number: i32) -> File {
        File {
            backing,
            readable,
            writable,
            append,
            buffering: Buffering::Full,
            input: Vec::new(),
            at: 0,
            back: Vec::new(),
            output: Vec::new(),
            eof: false,
            error: false,
            number,
        }
    }

    /// What the system knows of the file behind the stream; `None` where there is none.
    pub fn metadata(&mut self, io: &mut HostIo) -> Result<Option<fs::Metadata>, i32> {
        self.flush(io)?;
        match &mut self.backing {
            Backing::Disk(file) => file.metadata().map(Some).map_err(|e| errno(&e)),
            Backing::Memory(_) | Backing::Stdin | Backing::Stdout | Backing::Stderr => Ok(None),
        }
    }

    /// Makes the file so many bytes long.
    pub fn truncate(&mut self, io: &mut HostIo, size: i64) -> Result<(), i32> {
        let size = u64::try_from(size).map_err(|_| EINVAL)?;
        self.flush(io)?;
        match &mut self.backing {
            Backing::Disk(file) if self.writable => file.set_len(size).map_err(|e| errno(&e)),
            Backing::Memory(bytes) => {
                let size = usize::try_from(size).map_err(|_| EINVAL)?;
                bytes.get_mut().resize(size, 0);
                Ok(())
            }
            Backing::Disk(_) | Backing::Stdin | Backing::Stdout | Backing::Stderr => Err(EINVAL),
        }
    }

    /// What a mode of `fopen` asks of the file.
    pub fn access(mode: &[u8]) -> Access {
        match (mode.first(), mode.contains(&b'+')) {
            (_, true) => Access::Both,
            (Some(b'r'), false) => Access::Read,
            _ => Access::Write,
        }
    }

    /// Opens a file as `fopen` does. The error is an `errno`.
    pub fn open(path: &Reached, mode: &[u8], number: i32) -> Result<File, i32> {
        let plus = mode.contains(&b'+');
        let exclusive = mode.contains(&b'x');
        let mut options = fs::OpenOptions::new();
        let (readable, writable, append) = match mode.first() {
            Some(b'r') => (true, plus, false),
            Some(b'w') => (plus, true, false),
            Some(b'a') => (plus, true, true),
            _ => return Err(EINVAL),
        };
        options.read(readable).write(writable && !append).append(append);
        if mode[0] != b'r' {
            options.create(true);
            if exclusive {
                options.create_new(true);
            }
        }
        if mode[0] == b'w' {
            options.truncate(true);
        }
        let file = path.open(&options).map_err(|e| errno(&e))?;
        Ok(File::new(Backing::Disk(file), readable, writable, append, number))
    }

    /// Makes a file of a name nobody has, from a template that ends in six X and where it leads. Gives it with its name.
    pub fn unique(
        template: &[u8],
        place: &Reached,
        gate: &Gate,
        number: i32,
    ) -> Result<(File, Vec<u8>), i32> {
        let Some(stem) = template.strip_suffix(b"XXXXXX") else { return Err(EINVAL) };
        // Another name for each process and time; of an isolated program, whose folders are its own, the first that is free.
        let seed = gate.calendar().map_or(0, |d| d.as_nanos() as u64) ^ u64::from(gate.process_id()) << 32;
        for attempt in 0..1000u64 {
            let mut x = (seed ^ attempt).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            let mut name = stem.to_vec();
            for _ in 0..6 {
                name.push(b"abcdefghijklmnopqrstuvwxyz0123456789"[(x >> 33) as usize % 36]);
                x = x.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            }
            let start = name.iter().rposition(|&byte| byte == b'/').map_or(0, |slash| slash + 1);
            let path = place.sibling(&name[start..]);
            match path.open(fs::OpenOptions::new().read(true).write(true).create_new(true)) {
                Ok(file) => return Ok((File::new(Backing::Disk(file), true, true, false, number), name)),
                Err(e) if e.kind() == io::ErrorKind::AlreadyExists => {}
                Err(e) => return Err(errno(&e)),
            }
        }
        Err(17)
    }

    /// The bytes of a stream in memory that have been passed on.
    pub fn memory(&self) -> Option<&[u8]> {
        match &self.backing {
            Backing::Memory(cursor) => Some(cursor.get_ref()),
            Backing::Disk(_) | Backing::Stdin | Backing::Stdout | Backing::Stderr => None,
        }
    }

    pub fn is_stderr(&self) -> bool {
        matches!(self.backing, Backing::Stderr)
    }

    /// Passes on what was written.
    pub fn flush(&mut self, io: &mut HostIo) -> Result<(), i32> {
        let bytes = std::mem::take(&mut self.output);
        let result = match &mut self.backing {
            Backing::Stdin => Ok(()),
            Backing::Stdout => io.stdout.write_all(&bytes).and_then(|()| io.stdout.flush()),
            Backing::Stderr => io.stderr.write_all(&bytes).and_then(|()| io.stderr.flush()),
            Backing::Disk(file) => file.write_all(&bytes),
            Backing::Memory(cursor) => {
                if self.append {
                    cursor.set_position(cursor.get_ref().len() as u64);
                }
                cursor.write_all(&bytes)
            }
        };
        result.map_err(|e| {
            self.error = true;
            errno(&e)
        })
    }

    /// Writes bytes.
    pub fn write(&mut self, io: &mut HostIo, bytes: &[u8]) -> Result<(), i32> {
        if !self.writable {
            self.error = true;
            return Err(EBADF);
        }
        self.drop_input();
        self.output.extend_from_slice(bytes);
        let now = match self.buffering {
            Buffering::Full => self.output.len() >= BUFFER,
            Buffering::Line => bytes.contains(&b'\n') || self.output.len() >= BUFFER,
            Buffering::None => true,
        };
        if now { self.flush(io) } else { Ok(()) }
    }

    /// What was read ahead is given back, so that a write stands where the program thinks it is.
    fn drop_input(&mut self) {
        let ahead = (self.input.len() - self.at + self.back.len()) as i64;
        if ahead > 0 {
            match &mut self.backing {
                Backing::Disk(file) => drop(file.seek(SeekFrom::Current(-ahead))),
                Backing::Memory(cursor) => drop(cursor.seek(SeekFrom::Current(-ahead))),
                Backing::Stdin | Backing::Stdout | Backing::Stderr => {}
            }
        }
        self.input.clear();
        self.at = 0;
        self.back.clear();
    }

    /// The next byte; `None` at the end or on an error.
    pub fn get(&mut self, io: &mut HostIo) -> Result<Option<u8>, i32> {
        if let Some(b) = self.back.pop() {
            return Ok(Some(b));
        }
        if self.at == self.input.len() && !self.refill(io)? {
            return Ok(None);
        }
        self.at += 1;
        Ok(Some(self.input[self.at - 1]))
    }

    fn refill(&mut self, io: &mut HostIo) -> Result<bool, i32> {
        if !self.readable {
            self.error = true;
            return Err(EBADF);
        }
        self.flush(io)?;
        self.input.resize(CHUNK, 0);
        self.at = 0;
        let n = loop {
            let result = match &mut self.backing {
                Backing::Stdin => io.stdin.read(&mut self.input),
                Backing::Disk(file) => file.read(&mut self.input),
                Backing::Memory(cursor) => cursor.read(&mut self.input),
                Backing::Stdout | Backing::Stderr => Ok(0),
            };
            match result {
                Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
                other => break other,
            }
        };
        match n {
            Ok(n) => {
                self.input.truncate(n);
                self.eof |= n == 0;
                Ok(n > 0)
            }
            Err(e) => {
                self.input.clear();
                self.error = true;
                Err(errno(&e))
            }
        }
    }

    /// Up to `max` bytes.
    pub fn read(&mut self, io: &mut HostIo, max: usize) -> Result<Vec<u8>, i32> {
        let mut out = Vec::new();
        while out.len() < max {
            if self.back.is_empty() && self.at < self.input.len() {
                let n = (self.input.len() - self.at).min(max - out.len());
                out.extend_from_slice(&self.input[self.at..self.at + n]);
                self.at += n;
                continue;
            }
            match self.get(io) {
                Ok(Some(b)) => out.push(b),
                Ok(None) => break,
                Err(e) if out.is_empty() => return Err(e),
                Err(_) => break,
            }
        }
        Ok(out)
    }

    /// Bytes up to and with the next `delimiter`, at most `max`.
    pub fn line(&mut self, io: &mut HostIo, delimiter: u8, max: usize) -> Result<Vec<u8>, i32> {
        let mut out = Vec::new();
        while out.len() < max {
            match self.get(io)? {
                None => break,
                Some(b) => {
                    out.push(b);
                    if b == delimiter {
                        break;
                    }
                }
            }
        }
        Ok(out)
    }

    /// Puts a byte back.
    pub fn unget(&mut self, byte: u8) {
        self.back.push(byte);
        self.eof = false;
    }

    /// The position, as `ftell` gives it.
    pub fn tell(&mut self) -> Result<i64, i32> {
        let ahead = (self.input.len() - self.at + self.back.len()) as i64;
        let pending = self.output.len() as i64;
        let base = match &mut self.backing {
            Backing::Disk(file) => file.stream_position().map_err(|e| errno(&e))?,
            Backing::Memory(cursor) => cursor.position(),
            Backing::Stdin | Backing::Stdout | Backing::Stderr => return Err(ESPIPE),
        };
        Ok(base as i64 - ahead + pending)
    }

    /// Moves the position: `whence` 0 from the start, 1 from here, 2 from the end.
    pub fn seek(&mut self, io: &mut HostIo, offset: i64, whence: i32) -> Result<(), i32> {
        self.flush(io)?;
        let target = match whence {
            0 => SeekFrom::Start(u64::try_from(offset).map_err(|_| EINVAL)?),
            1 => SeekFrom::Start(u64::try_from(self.tell()?.saturating_add(offset)).map_err(|_| EINVAL)?),
            2 => SeekFrom::End(offset),
            _ => return Err(EINVAL),
        };
        match &mut self.backing {
            Backing::Disk(file) => file.seek(target),
            Backing::Memory(cursor) => cursor.seek(target),
            Backing::Stdin | Backing::Stdout | Backing::Stderr => return Err(ESPIPE),
        }
        .map_err(|e| errno(&e))?;
        self.input.clear();
        self.at = 0;
        self.back.clear();
        self.eof = false;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cudair_engine::gate::{Access, Follow, Gate};

    #[test]
    fn a_memory_stream_reads_what_was_written() {
        let io = &mut HostIo::null();
        let mut f = File::new(Backing::Memory(io::Cursor::default()), true, true, false, 3);
        f.write(io, b"hello\nworld").expect("written");
        assert_eq!(f.tell(), Ok(11));
        f.seek(io, 0, 0).expect("sought");
        assert_eq!(f.line(io, b'\n', 100).expect("read"), b"hello\n");
        assert_eq!(f.tell(), Ok(6));
        assert_eq!(f.get(io), Ok(Some(b'w')));
        f.unget(b'W');
        f.write(io, b"!").expect("written");
        f.seek(io, -4, 2).expect("sought");
        assert_eq!(f.read(io, 100).expect("read"), b"orld");
        assert!(f.eof);
        f.seek(io, 5, 0).expect("sought");
        assert_eq!(f.read(io, 3).expect("read"), b"\n!o");
    }

    #[test]
    fn modes_are_respected() {
        let dir = std::env::temp_dir().join(format!("cudair-file-test-{}", std::process::id()));
        let path = dir.to_string_lossy().into_owned();
        let io = &mut HostIo::null();
        let open = Gate::default();
        let name = path.as_bytes();
        let reached = open.path("fopen", std::path::Path::new("/"), name, Access::Both, Follow::Link);
        let reached = &reached.expect("an open gate lets it through");
        assert_eq!(File::open(reached, b"r", 3).expect_err("absent"), 2);
        let mut f = File::open(reached, b"w", 3).expect("created");
        assert_eq!(f.get(io), Err(EBADF));
        f.write(io, b"abc").expect("written");
        f.flush(io).expect("flushed");
        let mut f = File::open(reached, b"ab+", 3).expect("opened");
        f.write(io, b"def").expect("written");
        f.seek(io, 1, 0).expect("sought");
        assert_eq!(f.read(io, 100).expect("read"), b"bcdef");
        assert!(File::open(reached, b"wx", 3).is_err());
        std::fs::remove_file(path).expect("removed");
    }
}
