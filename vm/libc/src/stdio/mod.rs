//! `stdio.h`: streams, formatted output and input.

mod files;
pub(crate) mod input;
mod memory;
pub mod print;

use super::file::{Backing, Buffering, File, HostIo};
use super::format::{self, Arguments, End, Output, Value, Want};
use super::scan::{self, Input, Scanned};
use super::sys;
use crate::layout::{FILE, Laid};
use crate::{Errno, Kept, ProcessCall};
use cudair_engine::guest::{Guest, Host, runtime_object};
use cudair_engine::parts::HostProcess;
use cudair_engine::{Args, HostFn, ProcessFn, Ret};
use cudair_ir::f80::F80;
use cudair_ir::{Kind, Space, Type};
use cudair_lane::fault::{AllocKind, Fault, FaultKind, Stop};
use cudair_lane::ptr::Ptr;
use cudair_memory::InitState;
use std::io;

/// `EOF`
const EOF: i32 = -1;
/// `EINVAL`
const EINVAL: i32 = 22;

/// Where arguments are: in the call from an index, or in the `va_list` that an argument points to.
#[derive(Clone, Copy)]
enum From {
    Call(usize),
    List(usize),
}

/// The open streams.
pub(crate) struct Streams {
    /// By number; closed ones are gone.
    files: Vec<Option<File>>,
    by_pointer: rustc_hash::FxHashMap<Ptr, usize>,
    /// Those over the program's memory.
    in_memory: rustc_hash::FxHashMap<usize, memory::Target>,
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
            in_memory: rustc_hash::FxHashMap::default(),
            standard: [Ptr::NULL; 3],
        }
    }
}

const STDIN: usize = 0;
const STDOUT: usize = 1;
const STDERR: usize = 2;

fn parts<'a>(m: &'a mut HostProcess<'_>, stream: usize) -> Option<(&'a mut File, &'a mut HostIo)> {
    let libc = m.libc.get_mut();
    libc.streams.files.get_mut(stream)?.as_mut().map(|f| (f, &mut libc.io))
}

/// Passes on what all streams hold back.
pub(crate) fn flush_all(m: &mut HostProcess<'_>) {
    let libc = m.libc.get_mut();
    for file in libc.streams.files.iter_mut().flatten() {
        // A stream that cannot be written keeps its error mark; there is nobody left to tell.
        let _ = file.flush(&mut libc.io);
    }
}

/// Writes to the program's standard output, in order with what it wrote itself.
pub fn write_stdout(m: &mut HostProcess<'_>, bytes: &[u8]) {
    if let Some((file, io)) = parts(m, STDOUT) {
        let _ = file.write(io, bytes);
    }
}

/// Writes to the program's standard error, after what it wrote to standard output.
pub fn write_stderr(m: &mut HostProcess<'_>, bytes: &[u8]) {
    let _ = write_stream(m, STDERR, bytes);
}

pub(crate) fn write_stream(m: &mut HostProcess<'_>, stream: usize, bytes: &[u8]) -> Result<(), i32> {
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
pub(crate) fn standard(m: &mut HostProcess<'_>, n: usize) -> Result<Ptr, Stop> {
    let known = m.libc.get().streams.standard[n];
    if !known.is_null() {
        return Ok(known);
    }
    let name = ["*stdin", "*stdout", "*stderr"][n];
    let ptr = runtime_object(m, name, &[0; FILE::SIZE], 8)?;
    m.libc.get_mut().streams.standard[n] = ptr;
    m.libc.get_mut().streams.by_pointer.insert(ptr, n);
    Ok(ptr)
}

/// The stream that a `FILE` pointer names.
fn stream(h: &mut ProcessCall<'_, '_>, ptr: Ptr) -> Result<usize, Stop> {
    if let Some(&n) = h.m.libc.get().streams.by_pointer.get(&ptr) {
        if h.m.libc.get().streams.files.get(n).is_some_and(Option::is_some) {
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
    Err(h.fault(Kind::UndefinedBehavior, "this pointer is not a stream".to_owned()).into())
}

/// The stream of a descriptor: descriptors are the numbers of streams.
pub(crate) fn descriptor(m: &HostProcess<'_>, fd: i32) -> Option<usize> {
    let n = usize::try_from(fd).ok()?;
    m.libc.get().streams.files.get(n).is_some_and(Option::is_some).then_some(n)
}

/// The number that the next stream gets.
pub(crate) fn next_number(m: &HostProcess<'_>) -> i32 {
    m.libc.get().streams.files.len() as i32
}

/// Adds a stream without a `FILE` for it.
pub(crate) fn add_descriptor(m: &mut HostProcess<'_>, file: File) -> i32 {
    m.libc.get_mut().streams.files.push(Some(file));
    next_number(m) - 1
}

/// A `FILE` for a descriptor.
pub(crate) fn file_of(m: &mut HostProcess<'_>, n: usize) -> Result<Ptr, Stop> {
    if n < 3 {
        return standard(m, n);
    }
    let ptr = runtime_object(m, "FILE", &[0; FILE::SIZE], 8)?;
    m.libc.get_mut().streams.by_pointer.insert(ptr, n);
    Ok(ptr)
}

/// Ends a stream.
pub(crate) fn close(h: &mut ProcessCall<'_, '_>, n: usize) -> Result<bool, Stop> {
    let done = attempt(h, n, |f, io| f.flush(io))?;
    memory::publish(h, n)?;
    h.m.libc.get_mut().streams.in_memory.remove(&n);
    h.m.libc.get_mut().streams.files[n] = None;
    Ok(done.is_some())
}

fn add_file(m: &mut HostProcess<'_>, file: File) -> Result<Ptr, Stop> {
    let ptr = runtime_object(m, "FILE", &[0; FILE::SIZE], 8)?;
    let streams = &mut m.libc.get_mut().streams;
    streams.by_pointer.insert(ptr, streams.files.len());
    m.libc.get_mut().streams.files.push(Some(file));
    Ok(ptr)
}

/// What a stream's operation gives, or an `errno` that is set and `None`.
pub(crate) fn attempt<T>(
    h: &mut ProcessCall<'_, '_>,
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

/// The functions by name.
pub(crate) fn lookup(name: &str) -> Option<HostFn> {
    print::output(name)
        .or_else(|| input::input(name))
        .or_else(|| files::files(name))
        .or_else(|| memory::lookup(name))
}
