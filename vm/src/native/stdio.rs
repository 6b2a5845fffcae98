//! `stdio.h`: streams, formatted output and input.

use super::file::{Backing, Buffering, File, HostIo};
use super::format::{self, Arguments, End, Output, Value, Want};
use super::guest::{Guest, Host, runtime_object};
use super::scan::{self, Input, Scanned};
use super::{f80::F80, sys};
use crate::fault::{AllocKind, Fault, FaultKind, Stop};
use crate::machine::{Args, HostFn, Machine, Ret};
use crate::memory::InitState;
use crate::ptr::Ptr;
use cudair_ir::{Kind, Space, Type};
use std::io;

/// `EOF`
const EOF: i32 = -1;
/// `sizeof(FILE)`
const FILE_SIZE: usize = 216;
/// `EACCES`, what `--isolate` answers.
const EACCES: i32 = 13;
/// `EINVAL`
const EINVAL: i32 = 22;

/// The open streams.
pub(crate) struct Streams {
    /// By number; closed ones are gone.
    files: Vec<Option<File>>,
    by_pointer: rustc_hash::FxHashMap<Ptr, usize>,
    /// The `FILE` objects of the standard streams, made when first asked for.
    standard: [Ptr; 3],
}

impl Streams {
    pub fn new(terminal: bool) -> Streams {
        let mut stdout = File::new(Backing::Stdout, false, true, false, 1);
        if terminal {
            stdout.buffering = Buffering::Line;
        }
        let mut stderr = File::new(Backing::Stderr, false, true, false, 2);
        stderr.buffering = Buffering::None;
        let stdin = File::new(Backing::Stdin, true, false, false, 0);
        Streams {
            files: vec![Some(stdin), Some(stdout), Some(stderr)],
            by_pointer: rustc_hash::FxHashMap::default(),
            standard: [Ptr::NULL; 3],
        }
    }
}

const STDIN: usize = 0;
const STDOUT: usize = 1;
const STDERR: usize = 2;

fn parts(m: &mut Machine, stream: usize) -> Option<(&mut File, &mut HostIo)> {
    m.libc.streams.files.get_mut(stream)?.as_mut().map(|f| (f, &mut m.libc.io))
}

/// Passes on what all streams hold back.
pub(crate) fn flush_all(m: &mut Machine) {
    for file in m.libc.streams.files.iter_mut().flatten() {
        // A stream that cannot be written keeps its error mark; there is nobody left to tell.
        let _ = file.flush(&mut m.libc.io);
    }
}

/// Writes to the program's standard output, in order with what it wrote itself.
pub(crate) fn write_stdout(m: &mut Machine, bytes: &[u8]) {
    if let Some((file, io)) = parts(m, STDOUT) {
        let _ = file.write(io, bytes);
    }
}

/// Writes to the program's standard error, after what it wrote to standard output.
pub(crate) fn write_stderr(m: &mut Machine, bytes: &[u8]) {
    let _ = write_stream(m, STDERR, bytes);
}

pub(crate) fn write_stream(m: &mut Machine, stream: usize, bytes: &[u8]) -> Result<(), i32> {
    if parts(m, stream).is_some_and(|(f, _)| f.is_stderr())
        && let Some((out, io)) = parts(m, STDOUT)
    {
        // The two streams often end in one place: their order there is the program's.
        let _ = out.flush(io);
    }
    match parts(m, stream) {
        Some((file, io)) => file.write(io, bytes),
        None => Ok(()),
    }
}

/// The `FILE` object of a standard stream.
pub(crate) fn standard(m: &mut Machine, n: usize) -> Result<Ptr, Stop> {
    let known = m.libc.streams.standard[n];
    if !known.is_null() {
        return Ok(known);
    }
    let name = ["*stdin", "*stdout", "*stderr"][n];
    let ptr = runtime_object(m, name, &[0; FILE_SIZE], 8)?;
    m.libc.streams.standard[n] = ptr;
    m.libc.streams.by_pointer.insert(ptr, n);
    Ok(ptr)
}

/// The stream that a `FILE` pointer names.
fn stream(h: &mut Host<'_>, ptr: Ptr) -> Result<usize, Stop> {
    if let Some(&n) = h.m.libc.streams.by_pointer.get(&ptr) {
        if h.m.libc.streams.files.get(n).is_some_and(Option::is_some) {
            return Ok(n);
        }
        return Err(h.fault(Kind::UseAfterFree, "a stream is used after `fclose`".to_owned()).into());
    }
    if ptr.is_near_null() {
        let mut fault = Fault::new(FaultKind::Null, h.who.place);
        fault.native = h.who.native;
        fault.ptr = ptr;
        return Err(fault.into());
    }
    Err(h.fault(Kind::UndefinedBehavior, "a pointer that is no stream is used as one".to_owned()).into())
}

/// The stream of a descriptor: descriptors are the numbers of streams.
pub(crate) fn descriptor(m: &Machine, fd: i32) -> Option<usize> {
    let n = usize::try_from(fd).ok()?;
    m.libc.streams.files.get(n).is_some_and(Option::is_some).then_some(n)
}

/// The number that the next stream gets.
pub(crate) fn next_number(m: &Machine) -> i32 {
    m.libc.streams.files.len() as i32
}

/// Adds a stream without a `FILE` for it.
pub(crate) fn add_descriptor(m: &mut Machine, file: File) -> i32 {
    m.libc.streams.files.push(Some(file));
    next_number(m) - 1
}

/// A `FILE` for a descriptor.
pub(crate) fn file_of(m: &mut Machine, n: usize) -> Result<Ptr, Stop> {
    if n < 3 {
        return standard(m, n);
    }
    let ptr = runtime_object(m, "FILE", &[0; FILE_SIZE], 8)?;
    m.libc.streams.by_pointer.insert(ptr, n);
    Ok(ptr)
}

/// Ends a stream.
pub(crate) fn close(h: &mut Host<'_>, n: usize) -> Result<bool, Stop> {
    let done = attempt(h, n, |f, io| f.flush(io))?;
    h.m.libc.streams.files[n] = None;
    Ok(done.is_some())
}

fn add_file(m: &mut Machine, file: File) -> Result<Ptr, Stop> {
    let ptr = runtime_object(m, "FILE", &[0; FILE_SIZE], 8)?;
    m.libc.streams.by_pointer.insert(ptr, m.libc.streams.files.len());
    m.libc.streams.files.push(Some(file));
    Ok(ptr)
}

// Arguments.

/// The variable arguments of a call.
struct CallArguments<'a, 'b, 'c> {
    host: Host<'a>,
    args: &'b Args<'c>,
    at: usize,
    /// The faults that were noted: one of each kind is enough for a call.
    noted: bool,
}

/// A `va_list` of the program.
struct ListArguments<'a> {
    host: Host<'a>,
    list: Ptr,
}

/// A value of the argument list, from its bits.
fn value(want: Want, bits: u128) -> Value {
    match want {
        Want::Double => Value::Double(f64::from_bits(bits as u64)),
        Want::LongDouble => Value::LongDouble(F80::from_bits(bits)),
        Want::Int(_) | Want::Pointer => Value::Word(bits as u64),
    }
}

/// What is wrong with an argument of type `ty` where `want` is read, if anything.
pub(crate) fn mismatch(want: Want, ty: Type) -> Option<&'static str> {
    match want {
        Want::Double if ty != Type::F64 => Some("a `double`"),
        Want::LongDouble if ty != Type::F80 => Some("a `long double`"),
        Want::Int(32) if ty.is_float() => Some("an `int`"),
        Want::Int(64) if ty.is_float() || ty.bits() < 64 => Some("an integer of 64 bits"),
        Want::Pointer if ty.is_float() || ty.bits() < 64 => Some("a pointer"),
        _ => None,
    }
}

/// What a reader calls a type.
pub(crate) fn type_name(ty: Type) -> &'static str {
    match ty {
        Type::F64 => "a `double`",
        Type::F80 => "a `long double`",
        Type::Ptr(_) => "a pointer",
        Type::I64 => "an integer of 64 bits",
        _ => "an `int`",
    }
}

impl CallArguments<'_, '_, '_> {
    fn note(&mut self, message: String, error: bool) {
        if !std::mem::replace(&mut self.noted, true) {
            let fault = self.host.fault(Kind::UndefinedBehavior, message);
            self.host.note(if error { fault } else { fault.warning() });
        }
    }
}

impl Arguments for CallArguments<'_, '_, '_> {
    type Error = Stop;

    fn next(&mut self, want: Want) -> Result<Value, Stop> {
        let i = self.at;
        self.at += 1;
        let Some(&ty) = self.args.types.get(i) else {
            let given = self.args.len() - self.args.fixed.min(self.args.len());
            self.note(format!("the format asks for more than the {given} arguments given"), true);
            return Ok(value(want, 0));
        };
        if let Some(wanted) = mismatch(want, ty) {
            let n = i + 1 - self.args.fixed;
            let message = format!("the format reads argument {n} as {wanted}, but it is {}", type_name(ty));
            self.note(
                message,
                ty.is_float() || matches!(want, Want::Double | Want::LongDouble | Want::Pointer),
            );
            if ty.is_float() || matches!(want, Want::Double | Want::LongDouble) {
                return Ok(value(want, 0));
            }
        }
        Ok(value(want, self.args.bits(i)))
    }

    fn string(&mut self, ptr: u64, limit: Option<usize>) -> Result<Vec<u8>, Stop> {
        self.host.cstr(Ptr(ptr), limit.map(|n| n as u64))
    }

    fn wide_string(&mut self, ptr: u64, limit: Option<usize>) -> Result<Vec<u32>, Stop> {
        wide_string(&mut self.host, Ptr(ptr), limit)
    }

    fn store_count(&mut self, ptr: u64, count: u64, bytes: u32) -> Result<(), Stop> {
        self.host.put(Ptr(ptr), count, bytes as usize)
    }

    fn errno_text(&mut self) -> String {
        errno_text(&mut self.host)
    }
}

impl Arguments for ListArguments<'_> {
    type Error = Stop;

    fn next(&mut self, want: Want) -> Result<Value, Stop> {
        let ty = match want {
            Want::Int(32) => Type::I32,
            Want::Int(_) => Type::I64,
            Want::Double => Type::F64,
            Want::LongDouble => Type::F80,
            Want::Pointer => Type::Ptr(Space::Generic),
        };
        let bits = self.host.m.va_arg(self.list, ty, self.host.who.place)?;
        Ok(value(want, bits))
    }

    fn string(&mut self, ptr: u64, limit: Option<usize>) -> Result<Vec<u8>, Stop> {
        self.host.cstr(Ptr(ptr), limit.map(|n| n as u64))
    }

    fn wide_string(&mut self, ptr: u64, limit: Option<usize>) -> Result<Vec<u32>, Stop> {
        wide_string(&mut self.host, Ptr(ptr), limit)
    }

    fn store_count(&mut self, ptr: u64, count: u64, bytes: u32) -> Result<(), Stop> {
        self.host.put(Ptr(ptr), count, bytes as usize)
    }

    fn errno_text(&mut self) -> String {
        errno_text(&mut self.host)
    }
}

fn wide_string(h: &mut Host<'_>, ptr: Ptr, limit: Option<usize>) -> Result<Vec<u32>, Stop> {
    let mut out = Vec::new();
    while limit.is_none_or(|n| out.len() < n) {
        match h.word(ptr.add(4 * out.len() as i64), 4)? as u32 {
            0 => break,
            c => out.push(c),
        }
    }
    Ok(out)
}

fn errno_text(h: &mut Host<'_>) -> String {
    let errno = super::errno_object(h.m).and_then(|p| h.word(p, 4)).unwrap_or(0);
    sys::strerror(errno as i32)
}

/// Where arguments are: in the call from an index, or in the `va_list` that an argument points to.
#[derive(Clone, Copy)]
enum From {
    Call(usize),
    List(usize),
}

/// Formats; `Err` holds an `errno`.
fn formatted(
    m: &mut Machine,
    a: &Args<'_>,
    name: &'static str,
    format_at: usize,
    from: From,
    limit: u64,
) -> Result<Result<Output, i32>, Stop> {
    let mut host = Host::new(m, a, name);
    let text = host.cstr(a.ptr(format_at), None)?;
    let mut out = Output::new(limit);
    let end = match from {
        From::Call(at) => {
            let mut args = CallArguments { host, args: a, at, noted: false };
            format::format(&text, &mut args, &mut out)?
        }
        From::List(at) => {
            let list = a.ptr(at);
            format::format(&text, &mut ListArguments { host, list }, &mut out)?
        }
    };
    Ok(match end {
        End::Done => Ok(out),
        End::Failed(errno) => Err(errno),
    })
}

/// More output than this of one call is refused.
const MAX_OUTPUT: u64 = 1 << 31;
/// A longer line than this is not read as one.
const MAX_LINE: usize = 1 << 30;

/// `printf` and kin to a stream.
fn print(
    m: &mut Machine,
    a: &Args<'_>,
    name: &'static str,
    to: Option<usize>,
    format_at: usize,
    from: From,
) -> Result<Ret, Stop> {
    let target = match to {
        Some(i) => stream(&mut Host::new(m, a, name), a.ptr(i))?,
        None => STDOUT,
    };
    let result = match formatted(m, a, name, format_at, from, MAX_OUTPUT)? {
        Ok(out) => write_stream(m, target, &out.bytes).map(|()| out.total as i32),
        Err(errno) => Err(errno),
    };
    count_or_errno(&mut Host::new(m, a, name), result)
}

fn count_or_errno(h: &mut Host<'_>, result: Result<i32, i32>) -> Result<Ret, Stop> {
    match result {
        Ok(n) => Ok(n.into()),
        Err(errno) => {
            h.set_errno(errno)?;
            Ok(EOF.into())
        }
    }
}

/// `sprintf` and kin to memory; `size` is the argument that bounds it.
fn print_to(
    m: &mut Machine,
    a: &Args<'_>,
    name: &'static str,
    size: Option<usize>,
    format_at: usize,
    from: From,
) -> Result<Ret, Stop> {
    let size = size.map(|i| a.u64(i));
    let keep = size.map_or(MAX_OUTPUT, |n| n.saturating_sub(1));
    let result = match formatted(m, a, name, format_at, from, keep)? {
        Ok(out) => {
            if size != Some(0) {
                Host::new(m, a, name).put_cstr(a.ptr(0), &out.bytes)?;
            }
            Ok(out.total as i32)
        }
        Err(errno) => Err(errno),
    };
    count_or_errno(&mut Host::new(m, a, name), result)
}

/// `asprintf`: memory that the program frees.
fn print_new(m: &mut Machine, a: &Args<'_>, from: From) -> Result<Ret, Stop> {
    let result = match formatted(m, a, "asprintf", 1, from, MAX_OUTPUT)? {
        Ok(out) => {
            let h = &mut Host::new(m, a, "asprintf");
            let ptr = h.alloc(out.total + 1, 16, InitState::Uninit, AllocKind::Malloc)?;
            h.put_cstr(ptr, &out.bytes)?;
            h.put(a.ptr(0), ptr.0, 8)?;
            Ok(out.total as i32)
        }
        Err(errno) => Err(errno),
    };
    count_or_errno(&mut Host::new(m, a, "asprintf"), result)
}

fn output(name: &str) -> Option<HostFn> {
    Some(match name {
        "printf" => |m, a| print(m, a, "printf", None, 0, From::Call(1)),
        "vprintf" => |m, a| print(m, a, "vprintf", None, 0, From::List(1)),
        "fprintf" => |m, a| print(m, a, "fprintf", Some(0), 1, From::Call(2)),
        "vfprintf" => |m, a| print(m, a, "vfprintf", Some(0), 1, From::List(2)),
        "sprintf" => |m, a| print_to(m, a, "sprintf", None, 1, From::Call(2)),
        "vsprintf" => |m, a| print_to(m, a, "vsprintf", None, 1, From::List(2)),
        "snprintf" => |m, a| print_to(m, a, "snprintf", Some(1), 2, From::Call(3)),
        "vsnprintf" => |m, a| print_to(m, a, "vsnprintf", Some(1), 2, From::List(3)),
        "asprintf" => |m, a| print_new(m, a, From::Call(2)),
        "vasprintf" => |m, a| print_new(m, a, From::List(2)),
        "__printf_chk" => |m, a| print(m, a, "printf", None, 1, From::Call(2)),
        "__vprintf_chk" => |m, a| print(m, a, "vprintf", None, 1, From::List(2)),
        "__fprintf_chk" => |m, a| print(m, a, "fprintf", Some(0), 2, From::Call(3)),
        "__vfprintf_chk" => |m, a| print(m, a, "vfprintf", Some(0), 2, From::List(3)),
        "__sprintf_chk" => |m, a| print_to(m, a, "sprintf", None, 3, From::Call(4)),
        "__vsprintf_chk" => |m, a| print_to(m, a, "vsprintf", None, 3, From::List(4)),
        "__snprintf_chk" => |m, a| print_to(m, a, "snprintf", Some(1), 4, From::Call(5)),
        "__vsnprintf_chk" => |m, a| print_to(m, a, "vsnprintf", Some(1), 4, From::List(5)),
        "puts" => |m, a| {
            let mut text = Host::new(m, a, "puts").cstr(a.ptr(0), None)?;
            text.push(b'\n');
            put(m, a, STDOUT, &text)
        },
        "fputs" | "fputs_unlocked" => |m, a| {
            let h = &mut Host::new(m, a, "fputs");
            let (text, target) = (h.cstr(a.ptr(0), None)?, stream(h, a.ptr(1))?);
            put(m, a, target, &text)
        },
        "putchar" | "putchar_unlocked" => |m, a| put_char(m, a, STDOUT),
        "putc" | "fputc" | "_IO_putc" | "putc_unlocked" | "fputc_unlocked" => |m, a| {
            let target = stream(&mut Host::new(m, a, "fputc"), a.ptr(1))?;
            put_char(m, a, target)
        },
        "fwrite" | "fwrite_unlocked" => |m, a| {
            let h = &mut Host::new(m, a, "fwrite");
            let target = stream(h, a.ptr(3))?;
            let (size, count) = (a.u64(1), a.u64(2));
            let Some(total) = size.checked_mul(count).filter(|&t| t > 0) else { return Ok(Ret::Word(0)) };
            let bytes = h.read(a.ptr(0), total)?;
            match write_stream(h.m, target, &bytes) {
                Ok(()) => Ok(Ret::Word(count)),
                Err(errno) => {
                    h.set_errno(errno)?;
                    Ok(Ret::Word(0))
                }
            }
        },
        "perror" => |m, a| {
            let h = &mut Host::new(m, a, "perror");
            let prefix = if a.ptr(0).is_null() { Vec::new() } else { h.cstr(a.ptr(0), None)? };
            let mut line = prefix;
            if !line.is_empty() {
                line.extend_from_slice(b": ");
            }
            line.extend_from_slice(errno_text(h).as_bytes());
            line.push(b'\n');
            write_stderr(h.m, &line);
            Ok(Ret::Void)
        },
        "fflush" | "fflush_unlocked" => |m, a| {
            if a.ptr(0).is_null() {
                flush_all(m);
                return Ok(0.into());
            }
            let target = stream(&mut Host::new(m, a, "fflush"), a.ptr(0))?;
            let result = parts(m, target).map_or(Ok(()), |(f, io)| f.flush(io));
            count_or_errno(&mut Host::new(m, a, "fflush"), result.map(|()| 0))
        },
        _ => return None,
    })
}

fn put(m: &mut Machine, a: &Args<'_>, target: usize, text: &[u8]) -> Result<Ret, Stop> {
    let result = write_stream(m, target, text).map(|()| 1);
    count_or_errno(&mut Host::new(m, a, "fputs"), result)
}

fn put_char(m: &mut Machine, a: &Args<'_>, target: usize) -> Result<Ret, Stop> {
    let byte = a.u32(0) as u8;
    let result = write_stream(m, target, &[byte]).map(|()| i32::from(byte));
    count_or_errno(&mut Host::new(m, a, "fputc"), result)
}

// Input.

/// Where `scanf` reads from.
enum Source {
    Stream(usize),
    Text(Vec<u8>, usize),
}

struct Scan<'a, 'b, 'c> {
    host: Host<'a>,
    source: Source,
    args: &'b Args<'c>,
    from: From,
    errno: i32,
}

impl Input for Scan<'_, '_, '_> {
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
    m: &mut Machine,
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
        Scanned::Unsupported(c) => {
            Err(super::unsupported(m, a, format!("the wide conversion `%{}` of `{name}`", char::from(c))))
        }
    }
}

fn scan_stream(m: &mut Machine, a: &Args<'_>, name: &'static str, from: From) -> Result<Ret, Stop> {
    let n = stream(&mut Host::new(m, a, name), a.ptr(0))?;
    scan_from(m, a, name, Source::Stream(n), 1, from)
}

fn scan_text(m: &mut Machine, a: &Args<'_>, name: &'static str, from: From) -> Result<Ret, Stop> {
    let text = Host::new(m, a, name).cstr(a.ptr(0), None)?;
    scan_from(m, a, name, Source::Text(text, 0), 1, from)
}

/// What a stream's operation gives, or an `errno` that is set and `None`.
pub(crate) fn attempt<T>(
    h: &mut Host<'_>,
    n: usize,
    f: impl FnOnce(&mut File, &mut HostIo) -> Result<T, i32>,
) -> Result<Option<T>, Stop> {
    if parts(h.m, n).is_some_and(|(f, _)| f.number == 0)
        && let Some((out, io)) = parts(h.m, STDOUT)
        && out.buffering == Buffering::Line
    {
        // A prompt is seen before its answer is waited for.
        let _ = out.flush(io);
    }
    match parts(h.m, n).map(|(file, io)| f(file, io)) {
        Some(Ok(value)) => Ok(Some(value)),
        Some(Err(errno)) => {
            h.set_errno(errno)?;
            Ok(None)
        }
        None => Ok(None),
    }
}

fn get_char(h: &mut Host<'_>, n: usize) -> Result<Ret, Stop> {
    let byte = attempt(h, n, |f, io| f.get(io))?.flatten();
    Ok(byte.map_or(EOF, i32::from).into())
}

fn get_line(m: &mut Machine, a: &Args<'_>, delimiter: u8, at: usize) -> Result<Ret, Stop> {
    let h = &mut Host::new(m, a, "getline");
    let n = stream(h, a.ptr(at))?;
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

fn input(name: &str) -> Option<HostFn> {
    Some(match name {
        "scanf" | "__isoc99_scanf" | "__isoc23_scanf" => {
            |m, a| scan_from(m, a, "scanf", Source::Stream(STDIN), 0, From::Call(1))
        }
        "vscanf" | "__isoc99_vscanf" | "__isoc23_vscanf" => {
            |m, a| scan_from(m, a, "vscanf", Source::Stream(STDIN), 0, From::List(1))
        }
        "fscanf" | "__isoc99_fscanf" | "__isoc23_fscanf" => |m, a| scan_stream(m, a, "fscanf", From::Call(2)),
        "vfscanf" | "__isoc99_vfscanf" | "__isoc23_vfscanf" => {
            |m, a| scan_stream(m, a, "vfscanf", From::List(2))
        }
        "sscanf" | "__isoc99_sscanf" | "__isoc23_sscanf" => |m, a| scan_text(m, a, "sscanf", From::Call(2)),
        "vsscanf" | "__isoc99_vsscanf" | "__isoc23_vsscanf" => {
            |m, a| scan_text(m, a, "vsscanf", From::List(2))
        }
        "getchar" | "getchar_unlocked" => |m, a| get_char(&mut Host::new(m, a, "getchar"), STDIN),
        "getc" | "fgetc" | "_IO_getc" | "getc_unlocked" | "fgetc_unlocked" => |m, a| {
            let h = &mut Host::new(m, a, "fgetc");
            let n = stream(h, a.ptr(0))?;
            get_char(h, n)
        },
        "ungetc" => |m, a| {
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
        },
        "fgets" | "fgets_unlocked" | "__fgets_chk" => |m, a| {
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
        },
        "gets" => |m, a| Err(super::unsupported(m, a, "`gets`, which the language no longer has".to_owned())),
        "getline" => |m, a| get_line(m, a, b'\n', 2),
        "getdelim" | "__getdelim" => |m, a| get_line(m, a, a.u32(2) as u8, 3),
        "fread" | "fread_unlocked" => |m, a| {
            let h = &mut Host::new(m, a, "fread");
            let n = stream(h, a.ptr(3))?;
            let (size, count) = (a.u64(1), a.u64(2));
            let Some(total) = size.checked_mul(count).filter(|&t| t > 0) else { return Ok(Ret::Word(0)) };
            let done = read_bytes(h, n, a.ptr(0), total)?.unwrap_or(0);
            Ok(Ret::Word(done / size))
        },
        _ => return None,
    })
}

/// Reads up to `total` bytes of a stream to the program's memory, in parts, so that what does not fit there
/// is met before the machine has gathered it all. Gives how many, or `None` on an error.
pub(crate) fn read_bytes(h: &mut Host<'_>, n: usize, to: Ptr, total: u64) -> Result<Option<u64>, Stop> {
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

// Streams.

fn open(h: &mut Host<'_>, path: Ptr, mode: Ptr) -> Result<Result<File, i32>, Stop> {
    let (path, mode) = (h.cstr(path, None)?, h.cstr(mode, None)?);
    if h.m.config.isolate {
        return Ok(Err(EACCES));
    }
    let number = h.m.libc.streams.files.len() as i32;
    Ok(File::open(&path, &mode, number))
}

fn position(m: &mut Machine, a: &Args<'_>) -> Result<Option<i64>, Stop> {
    let h = &mut Host::new(m, a, "ftell");
    let n = stream(h, a.ptr(0))?;
    attempt(h, n, |f, _| f.tell())
}

fn seek(m: &mut Machine, a: &Args<'_>, offset: i64, whence: i32) -> Result<Ret, Stop> {
    let h = &mut Host::new(m, a, "fseek");
    let n = stream(h, a.ptr(0))?;
    let done = attempt(h, n, |f, io| f.seek(io, offset, whence))?;
    Ok(if done.is_some() { 0 } else { EOF }.into())
}

fn files(name: &str) -> Option<HostFn> {
    Some(match name {
        "fopen" | "fopen64" => |m, a| {
            let h = &mut Host::new(m, a, "fopen");
            match open(h, a.ptr(0), a.ptr(1))? {
                Ok(file) => Ok(add_file(h.m, file)?.into()),
                Err(errno) => {
                    h.set_errno(errno)?;
                    Ok(Ptr::NULL.into())
                }
            }
        },
        "freopen" | "freopen64" => |m, a| {
            let h = &mut Host::new(m, a, "freopen");
            let n = stream(h, a.ptr(2))?;
            if a.ptr(0).is_null() {
                return Err(super::unsupported(h.m, a, "`freopen` without a file name".to_owned()));
            }
            let file = open(h, a.ptr(0), a.ptr(1))?;
            if let Some((old, io)) = parts(h.m, n) {
                let _ = old.flush(io);
            }
            match file {
                Ok(file) => {
                    h.m.libc.streams.files[n] = Some(file);
                    Ok(a.ptr(2).into())
                }
                Err(errno) => {
                    h.m.libc.streams.files[n] = None;
                    h.set_errno(errno)?;
                    Ok(Ptr::NULL.into())
                }
            }
        },
        "fclose" => |m, a| {
            let h = &mut Host::new(m, a, "fclose");
            let n = stream(h, a.ptr(0))?;
            Ok(if close(h, n)? { 0 } else { EOF }.into())
        },
        "tmpfile" | "tmpfile64" => |m, _| {
            let number = m.libc.streams.files.len() as i32;
            let file = File::new(Backing::Memory(io::Cursor::default()), true, true, false, number);
            Ok(add_file(m, file)?.into())
        },
        "ftell" | "ftello" | "ftello64" => |m, a| Ok(Ret::Word(position(m, a)?.unwrap_or(-1) as u64)),
        "fseek" | "fseeko" | "fseeko64" => |m, a| seek(m, a, a.i64(1), a.i32(2)),
        "rewind" => |m, a| {
            seek(m, a, 0, 0)?;
            let h = &mut Host::new(m, a, "rewind");
            let n = stream(h, a.ptr(0))?;
            if let Some((f, _)) = parts(h.m, n) {
                f.error = false;
            }
            Ok(Ret::Void)
        },
        "fgetpos" | "fgetpos64" => |m, a| match position(m, a)? {
            Some(at) => {
                Host::new(m, a, "fgetpos").put(a.ptr(1), at as u64, 8)?;
                Ok(0.into())
            }
            None => Ok(EOF.into()),
        },
        "fsetpos" | "fsetpos64" => |m, a| {
            let at = Host::new(m, a, "fsetpos").word(a.ptr(1), 8)?;
            seek(m, a, at as i64, 0)
        },
        "feof" | "feof_unlocked" => |m, a| mark(m, a, |f| f.eof),
        "ferror" | "ferror_unlocked" => |m, a| mark(m, a, |f| f.error),
        "clearerr" => |m, a| {
            mark(m, a, |f| {
                f.eof = false;
                f.error = false;
                false
            })
            .map(|_| Ret::Void)
        },
        "fileno" => |m, a| {
            let h = &mut Host::new(m, a, "fileno");
            let n = stream(h, a.ptr(0))?;
            Ok(parts(h.m, n).map_or(EOF, |(f, _)| f.number).into())
        },
        "isatty" => |m, a| Ok(i32::from(a.i32(0) == 1 && m.libc.io.terminal).into()),
        "setvbuf" => |m, a| {
            let h = &mut Host::new(m, a, "setvbuf");
            let n = stream(h, a.ptr(0))?;
            let buffering = match a.i32(2) {
                0 => Buffering::Full,
                1 => Buffering::Line,
                2 => Buffering::None,
                _ => return Ok(EOF.into()),
            };
            buffer(h, n, buffering)
        },
        "setbuf" | "setbuffer" => |m, a| {
            let h = &mut Host::new(m, a, "setbuf");
            let n = stream(h, a.ptr(0))?;
            buffer(h, n, if a.ptr(1).is_null() { Buffering::None } else { Buffering::Full })?;
            Ok(Ret::Void)
        },
        "setlinebuf" => |m, a| {
            let h = &mut Host::new(m, a, "setlinebuf");
            let n = stream(h, a.ptr(0))?;
            buffer(h, n, Buffering::Line)?;
            Ok(Ret::Void)
        },
        "flockfile" | "funlockfile" => |_, _| Ok(Ret::Void),
        "remove" | "unlink" => |m, a| {
            let h = &mut Host::new(m, a, "remove");
            let path = h.cstr(a.ptr(0), None)?;
            file_system(h, |p| std::fs::remove_file(p), &path)
        },
        "rename" => |m, a| {
            use std::os::unix::ffi::OsStrExt;
            let h = &mut Host::new(m, a, "rename");
            let (old, new) = (h.cstr(a.ptr(0), None)?, h.cstr(a.ptr(1), None)?);
            file_system(h, |p| std::fs::rename(p, std::ffi::OsStr::from_bytes(&new)), &old)
        },
        _ => return None,
    })
}

fn buffer(h: &mut Host<'_>, n: usize, buffering: Buffering) -> Result<Ret, Stop> {
    let done = attempt(h, n, |f, io| {
        f.buffering = buffering;
        f.flush(io)
    })?;
    Ok(if done.is_some() { 0 } else { EOF }.into())
}

fn mark(m: &mut Machine, a: &Args<'_>, f: impl FnOnce(&mut File) -> bool) -> Result<Ret, Stop> {
    let h = &mut Host::new(m, a, "ferror");
    let n = stream(h, a.ptr(0))?;
    Ok(i32::from(parts(h.m, n).is_some_and(|(file, _)| f(file))).into())
}

fn file_system(
    h: &mut Host<'_>,
    f: impl FnOnce(&std::path::Path) -> io::Result<()>,
    path: &[u8],
) -> Result<Ret, Stop> {
    use std::os::unix::ffi::OsStrExt;
    let result = if h.m.config.isolate {
        Err(EACCES)
    } else {
        f(std::path::Path::new(std::ffi::OsStr::from_bytes(path)))
            .map_err(|e| e.raw_os_error().unwrap_or(EINVAL))
    };
    match result {
        Ok(()) => Ok(0.into()),
        Err(errno) => {
            h.set_errno(errno)?;
            Ok(EOF.into())
        }
    }
}

/// The functions by name.
pub(crate) fn lookup(name: &str) -> Option<HostFn> {
    output(name).or_else(|| input(name)).or_else(|| files(name))
}
