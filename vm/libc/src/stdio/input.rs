//! `scanf` and kin, and what reads without a format.

use super::*;
use crate::{Errno, ProcessCall, Table, named};

/// A longer line than this is not read as one.
const MAX_LINE: usize = 1 << 30;

/// Where `scanf` reads from.
enum Source {
    Stream(usize),
    Text(Vec<u8>, usize),
}

struct Scan<'a, 'm, 'b, 'c> {
    host: ProcessCall<'a, 'm>,
    source: Source,
    args: &'b Args<'c>,
    from: From,
    errno: i32,
}

impl Input for Scan<'_, '_, '_, '_> {
    type Error = Stop;

    fn get(&mut self) -> Result<Option<u8>, Stop> {
        match &mut self.source {
            Source::Text(text, at) => {
                let byte = text.get(*at).copied();
                *at += usize::from(byte.is_some());
                Ok(byte)
            }
            Source::Stream(n) => match parts(self.host.m, *n).map_or(Ok(None), |(f, io)| f.get(io)) {
                Ok(byte) => Ok(byte),
                Err(errno) => {
                    self.errno = errno;
                    Ok(None)
                }
            },
        }
    }

    fn unget(&mut self, byte: u8) {
        match &mut self.source {
            Source::Text(_, at) => *at -= 1,
            Source::Stream(n) => {
                if let Some((f, _)) = parts(self.host.m, *n) {
                    f.unget(byte);
                }
            }
        }
    }

    fn next_pointer(&mut self) -> Result<u64, Stop> {
        match &mut self.from {
            From::List(at) => {
                let list = self.args.ptr(*at);
                Ok(self.host.m.va_arg(list, Type::Ptr(Space::Generic), self.host.who.place)? as u64)
            }
            From::Call(at) => {
                let i = *at;
                *at += 1;
                if i >= self.args.len() {
                    let message = "the format stores more values than the call has arguments".to_owned();
                    return Err(self.host.fault(Kind::UndefinedBehavior, message).into());
                }
                Ok(self.args.u64(i))
            }
        }
    }

    fn store(&mut self, ptr: u64, bytes: &[u8]) -> Result<(), Stop> {
        self.host.write(Ptr(ptr), bytes)
    }

    fn allocate(&mut self, size: u64) -> Result<u64, Stop> {
        Ok(self.host.alloc(size, 16, InitState::Uninit, AllocKind::Malloc)?.0)
    }
}

fn scan_from(
    m: &mut HostProcess<'_>,
    a: &Args<'_>,
    name: &'static str,
    source: Source,
    format_at: usize,
    from: From,
) -> Result<Ret, Stop> {
    let mut host = Host::new(m, a, name);
    let text = host.cstr(a.ptr(format_at), None)?;
    let mut input = Scan { host, source, args: a, from, errno: 0 };
    let result = scan::scan(&text, &mut input)?;
    let errno = input.errno;
    if errno != 0 {
        Host::new(m, a, name).set_errno(errno)?;
    }
    match result {
        Scanned::Count(n) => Ok(n.into()),
        Scanned::Unsupported(c) => Err(crate::unsupported(
            m.module,
            a,
            format!("the wide conversion `%{}` of `{name}`", char::from(c)),
        )),
    }
}

fn scan_stream(m: &mut HostProcess<'_>, a: &Args<'_>, name: &'static str, from: From) -> Result<Ret, Stop> {
    let n = stream(&mut Host::new(m, a, name), a.ptr(0))?;
    scan_from(m, a, name, Source::Stream(n), 1, from)
}

fn scan_text(m: &mut HostProcess<'_>, a: &Args<'_>, name: &'static str, from: From) -> Result<Ret, Stop> {
    let text = Host::new(m, a, name).cstr(a.ptr(0), None)?;
    scan_from(m, a, name, Source::Text(text, 0), 1, from)
}

fn get_char(h: &mut ProcessCall<'_, '_>, n: usize) -> Result<Ret, Stop> {
    let byte = attempt(h, n, |f, io| f.get(io))?.flatten();
    Ok(byte.map_or(EOF, i32::from).into())
}

fn get_line(m: &mut HostProcess<'_>, a: &Args<'_>, delimiter: u8, at: usize) -> Result<Ret, Stop> {
    let h = &mut Host::new(m, a, "getline");
    let n = stream(h, a.ptr(at))?;
    // At an error nothing was read.
    let line = attempt(h, n, |f, io| f.line(io, delimiter, MAX_LINE))?.unwrap_or_default();
    if line.len() == MAX_LINE {
        return Err(Stop::limit(format!("a line of more than {MAX_LINE} bytes")));
    }
    if line.is_empty() {
        return Ok(Ret::Word(-1i64 as u64));
    }
    let (mut buffer, size) = (Ptr(h.word(a.ptr(0), 8)?), h.word(a.ptr(1), 8)?);
    if buffer.is_null() || size <= line.len() as u64 {
        let wanted = (line.len() as u64 + 1).max(size.saturating_mul(2)).max(120);
        h.free(buffer, AllocKind::Malloc)?;
        buffer = h.alloc(wanted, 16, InitState::Uninit, AllocKind::Malloc)?;
        h.put(a.ptr(0), buffer.0, 8)?;
        h.put(a.ptr(1), wanted, 8)?;
    }
    h.put_cstr(buffer, &line)?;
    Ok(Ret::Word(line.len() as u64))
}

pub(super) fn input(name: &str) -> Option<HostFn> {
    named(INPUT, name).map(HostFn::Process)
}

const INPUT: Table<ProcessFn> = &[
    (&["scanf", "__isoc99_scanf", "__isoc23_scanf"], {
        |m, a| scan_from(m, a, "scanf", Source::Stream(STDIN), 0, From::Call(1))
    }),
    (&["vscanf", "__isoc99_vscanf", "__isoc23_vscanf"], {
        |m, a| scan_from(m, a, "vscanf", Source::Stream(STDIN), 0, From::List(1))
    }),
    (&["fscanf", "__isoc99_fscanf", "__isoc23_fscanf"], |m, a| scan_stream(m, a, "fscanf", From::Call(2))),
    (&["vfscanf", "__isoc99_vfscanf", "__isoc23_vfscanf"], {
        |m, a| scan_stream(m, a, "vfscanf", From::List(2))
    }),
    (&["sscanf", "__isoc99_sscanf", "__isoc23_sscanf"], |m, a| scan_text(m, a, "sscanf", From::Call(2))),
    (&["vsscanf", "__isoc99_vsscanf", "__isoc23_vsscanf"], {
        |m, a| scan_text(m, a, "vsscanf", From::List(2))
    }),
    (&["getchar", "getchar_unlocked"], |m, a| get_char(&mut Host::new(m, a, "getchar"), STDIN)),
    (&["getc", "fgetc", "_IO_getc", "getc_unlocked", "fgetc_unlocked"], |m, a| {
        let h = &mut Host::new(m, a, "fgetc");
        let n = stream(h, a.ptr(0))?;
        get_char(h, n)
    }),
    (&["ungetc"], |m, a| {
        let h = &mut Host::new(m, a, "ungetc");
        let n = stream(h, a.ptr(1))?;
        let Ok(byte) = u8::try_from(a.i32(0) & 0xff) else { return Ok(EOF.into()) };
        if a.i32(0) == EOF {
            return Ok(EOF.into());
        }
        if let Some((f, _)) = parts(h.m, n) {
            f.unget(byte);
        }
        Ok(i32::from(byte).into())
    }),
    (&["fgets", "fgets_unlocked", "__fgets_chk"], |m, a| {
        let h = &mut Host::new(m, a, "fgets");
        // The fortified form has the buffer's size before the count.
        let chk = a.len() == 4;
        let (count, file) = if chk { (a.i32(2), a.ptr(3)) } else { (a.i32(1), a.ptr(2)) };
        let n = stream(h, file)?;
        if count <= 0 {
            return Ok(Ptr::NULL.into());
        }
        let line = attempt(h, n, |f, io| f.line(io, b'\n', count as usize - 1))?;
        match line {
            Some(line) if !line.is_empty() || count == 1 => {
                h.put_cstr(a.ptr(0), &line)?;
                Ok(a.ptr(0).into())
            }
            _ => Ok(Ptr::NULL.into()),
        }
    }),
    (&["gets"], |m, a| {
        Err(crate::unsupported(m.module, a, "`gets`, which the language no longer has".to_owned()))
    }),
    (&["getline"], |m, a| get_line(m, a, b'\n', 2)),
    (&["getdelim", "__getdelim"], |m, a| get_line(m, a, a.u32(2) as u8, 3)),
    (&["fread", "fread_unlocked"], |m, a| {
        let h = &mut Host::new(m, a, "fread");
        let n = stream(h, a.ptr(3))?;
        let (size, count) = (a.u64(1), a.u64(2));
        let Some(total) = size.checked_mul(count).filter(|&t| t > 0) else { return Ok(Ret::Word(0)) };
        // At an error nothing was read.
        let done = read_bytes(h, n, a.ptr(0), total)?.unwrap_or(0);
        Ok(Ret::Word(done / size))
    }),
];

/// Reads up to `total` bytes of a stream to the program's memory, in parts, so that what does not fit there
/// is met before the machine has gathered it all. Gives how many, or `None` on an error.
pub(crate) fn read_bytes(
    h: &mut ProcessCall<'_, '_>,
    n: usize,
    to: Ptr,
    total: u64,
) -> Result<Option<u64>, Stop> {
    const PART: u64 = 1 << 22;
    let mut done = 0;
    while done < total {
        let wanted = (total - done).min(PART) as usize;
        let Some(bytes) = attempt(h, n, |f, io| f.read(io, wanted))? else {
            return Ok((done > 0).then_some(done));
        };
        h.write(to.add(done as i64), &bytes)?;
        done += bytes.len() as u64;
        if bytes.len() < wanted {
            break;
        }
    }
    Ok(Some(done))
}
