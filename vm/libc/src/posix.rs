//! What programs use of POSIX beside the C library: descriptors, files' existence, the machine's numbers;
//! and OpenMP's functions, for a program whose `#pragma omp` lines are not followed.

use super::file::{Backing, File};
use super::stdio::{
    add_descriptor, attempt, close, descriptor, file_of, input::read_bytes, next_number, write_stream,
};
use crate::{Errno, Functions, ProcessCall};
use cudair_engine::gate::{Access, Follow, Reached};
use cudair_engine::guest::{Guest, Host};
use cudair_engine::parts::HostProcess;
use cudair_engine::{Args, HostFn, Ret};
use cudair_lane::fault::{AllocKind, Stop};
use cudair_lane::ptr::Ptr;
use cudair_memory::InitState;
use std::os::unix::ffi::OsStringExt;

const READ: (Access, Follow) = (Access::Read, Follow::Link);
const WRITE_ENTRY: (Access, Follow) = (Access::Write, Follow::Entry);

const ENOENT: i32 = 2;
const EBADF: i32 = 9;
const EINVAL: i32 = 22;
const ERANGE: i32 = 34;

fn fail(h: &mut ProcessCall<'_, '_>, errno: i32) -> Result<Ret, Stop> {
    h.set_errno(errno)?;
    Ok((-1).into())
}

fn fail_long(h: &mut ProcessCall<'_, '_>, errno: i32) -> Result<Ret, Stop> {
    h.set_errno(errno)?;
    Ok(Ret::Word(-1i64 as u64))
}

/// `open(path, flags, mode)`
fn open(m: &mut HostProcess<'_>, a: &Args<'_>) -> Result<Ret, Stop> {
    const WRITE_ONLY: i32 = 1;
    const READ_WRITE: i32 = 2;
    const CREATE: i32 = 0o100;
    const EXCLUSIVE: i32 = 0o200;
    const TRUNCATE: i32 = 0o1000;
    const APPEND: i32 = 0o2000;
    let h = &mut Host::new(m, a, "open");
    let path = h.cstr(a.ptr(0), None)?;
    let flags = a.i32(1);
    let (readable, writable) = match flags & 3 {
        0 => (true, false),
        WRITE_ONLY => (false, true),
        READ_WRITE => (true, true),
        _ => return fail(h, EINVAL),
    };
    let access = match (readable, writable) {
        (true, false) if flags & (CREATE | TRUNCATE) == 0 => Access::Read,
        (false, true) => Access::Write,
        _ => Access::Both,
    };
    let path = h.reach(&path, access, Follow::Link)?;
    let append = flags & APPEND != 0;
    let mut options = std::fs::OpenOptions::new();
    options.read(readable).write(writable && !append).append(writable && append);
    options.truncate(flags & TRUNCATE != 0 && !append);
    if flags & CREATE != 0 {
        options.create(true).create_new(flags & EXCLUSIVE != 0);
    }
    match path.open(&options) {
        Ok(file) => {
            let number = next_number(h.m);
            let file = File::new(Backing::Disk(file), readable, writable, append, number);
            Ok(add_descriptor(h.m, file).into())
        }
        Err(e) => fail(h, e.raw_os_error().unwrap_or(EINVAL)),
    }
}

/// An operation on the file system that gives 0 or -1.
fn path_operation(
    m: &mut HostProcess<'_>,
    a: &Args<'_>,
    name: &'static str,
    (access, follow): (Access, Follow),
    f: impl FnOnce(&Reached) -> std::io::Result<()>,
) -> Result<Ret, Stop> {
    let h = &mut Host::new(m, a, name);
    let path = h.cstr(a.ptr(0), None)?;
    match f(&h.reach(&path, access, follow)?) {
        Ok(()) => Ok(0.into()),
        Err(e) => fail(h, e.raw_os_error().unwrap_or(EINVAL)),
    }
}

/// Copies a text into a buffer of the program, if it fits.
fn put_text(h: &mut ProcessCall<'_, '_>, buffer: Ptr, size: u64, text: &[u8]) -> Result<bool, Stop> {
    if text.len() as u64 >= size {
        return Ok(false);
    }
    h.put_cstr(buffer, text)?;
    Ok(true)
}

/// The functions by name.
pub(crate) fn lookup(name: &str) -> Option<HostFn> {
    FUNCTIONS.find(name)
}

const FUNCTIONS: Functions = Functions {
    memory: &[
        (&["getpagesize"], |_, _| Ok(4096.into())),
        (&["sched_yield"], |_, _| Ok(0.into())),
        // No signal ever comes: a handler is taken and never called.
        (&["signal", "bsd_signal"], |_, _| Ok(Ptr::NULL.into())),
        (&["omp_get_num_threads", "omp_get_max_threads", "omp_get_num_procs", "omp_get_thread_limit"], {
            |_, _| Ok(1.into())
        }),
        (
            &[
                "omp_get_thread_num",
                "omp_in_parallel",
                "omp_get_dynamic",
                "omp_get_nested",
                "omp_get_num_devices",
                "omp_get_level",
            ],
            |_, _| Ok(0.into()),
        ),
        (&["omp_set_num_threads", "omp_set_dynamic", "omp_set_nested"], |_, _| Ok(Ret::Void)),
        (&["omp_get_wtick"], |_, _| Ok(1e-9.into())),
    ],
    process: &[
        (&["open", "open64"], open),
        (&["close"], |m, a| {
            let h = &mut Host::new(m, a, "close");
            match descriptor(h.m, a.i32(0)) {
                Some(n) => Ok(if close(h, n)? { 0 } else { -1 }.into()),
                None => fail(h, EBADF),
            }
        }),
        (&["read"], |m, a| {
            let h = &mut Host::new(m, a, "read");
            let Some(n) = descriptor(h.m, a.i32(0)) else { return fail_long(h, EBADF) };
            Ok(Ret::Word(read_bytes(h, n, a.ptr(1), a.u64(2))?.map_or(-1i64 as u64, |n| n)))
        }),
        (&["write"], |m, a| {
            let h = &mut Host::new(m, a, "write");
            let Some(n) = descriptor(h.m, a.i32(0)) else { return fail_long(h, EBADF) };
            let bytes = h.read(a.ptr(1), a.u64(2))?;
            if let Err(errno) = write_stream(h.m, n, &bytes) {
                return fail_long(h, errno);
            }
            attempt(h, n, |f, io| f.flush(io))?;
            Ok(Ret::Word(bytes.len() as u64))
        }),
        (&["lseek", "lseek64"], |m, a| {
            let h = &mut Host::new(m, a, "lseek");
            let Some(n) = descriptor(h.m, a.i32(0)) else { return fail_long(h, EBADF) };
            let moved = attempt(h, n, |f, io| {
                f.seek(io, a.i64(1), a.i32(2))?;
                f.tell()
            })?;
            Ok(Ret::Word(moved.unwrap_or(-1) as u64))
        }),
        (&["fdopen"], |m, a| {
            let h = &mut Host::new(m, a, "fdopen");
            match descriptor(h.m, a.i32(0)) {
                Some(n) => Ok(file_of(h.m, n)?.into()),
                None => {
                    h.set_errno(EBADF)?;
                    Ok(Ptr::NULL.into())
                }
            }
        }),
        (&["fsync", "fdatasync"], |m, a| {
            let h = &mut Host::new(m, a, "fsync");
            let Some(n) = descriptor(h.m, a.i32(0)) else { return fail(h, EBADF) };
            let done = attempt(h, n, |f, io| f.flush(io))?;
            Ok(if done.is_some() { 0 } else { -1 }.into())
        }),
        (&["mkstemp", "mkstemp64"], |m, a| {
            let h = &mut Host::new(m, a, "mkstemp");
            let template = h.cstr(a.ptr(0), None)?;
            let place = h.reach(&template, Access::Both, Follow::Entry)?;
            let (gate, number) = (h.m.config.gate.clone(), next_number(h.m));
            match File::unique(&template, &place, &gate, number) {
                Ok((file, name)) => {
                    h.put_cstr(a.ptr(0), &name)?;
                    Ok(add_descriptor(h.m, file).into())
                }
                Err(errno) => fail(h, errno),
            }
        }),
        (&["access"], |m, a| path_operation(m, a, "access", READ, |p| p.metadata(Follow::Link).map(|_| ()))),
        (&["mkdir"], |m, a| path_operation(m, a, "mkdir", WRITE_ENTRY, Reached::create_folder)),
        (&["rmdir"], |m, a| path_operation(m, a, "rmdir", WRITE_ENTRY, Reached::remove_folder)),
        // The program's folder is its own: that of the process stays.
        (&["chdir"], |m, a| {
            let h = &mut Host::new(m, a, "chdir");
            let name = h.cstr(a.ptr(0), None)?;
            if name.is_empty() {
                return fail(h, ENOENT);
            }
            match h.reach(&name, Access::Read, Follow::Link)?.folder() {
                Ok(folder) => {
                    *h.m.folder = Some(folder);
                    Ok(0.into())
                }
                Err(errno) => fail(h, errno),
            }
        }),
        (&["getpid", "gettid"], |m, _| Ok((m.config.gate.process_id() as i32).into())),
        (&["getcwd"], |m, a| {
            let h = &mut Host::new(m, a, "getcwd");
            let directory = match h.reach(b".", Access::Read, Follow::Link)?.resolved() {
                Ok(directory) => directory.into_os_string().into_vec(),
                Err(e) => {
                    h.set_errno(e.raw_os_error().unwrap_or(EINVAL))?;
                    return Ok(Ptr::NULL.into());
                }
            };
            let size = directory.len() as u64 + 1;
            // Without a buffer the library makes one, as large as asked for or as needed.
            let to = match (a.ptr(0), a.u64(1)) {
                (to, wanted) if to.is_null() && (wanted == 0 || wanted >= size) => {
                    h.alloc(wanted.max(size), 16, InitState::Uninit, AllocKind::Malloc)?
                }
                (to, _) => to,
            };
            if !to.is_null()
                && put_text(h, to, a.u64(1).max(if a.u64(1) == 0 { size } else { 0 }), &directory)?
            {
                return Ok(to.into());
            }
            h.set_errno(ERANGE)?;
            Ok(Ptr::NULL.into())
        }),
        (&["gethostname"], |m, a| {
            let h = &mut Host::new(m, a, "gethostname");
            if put_text(h, a.ptr(0), a.u64(1), b"localhost")? { Ok(0.into()) } else { fail(h, EINVAL) }
        }),
        (&["sysconf"], |m, a| {
            let h = &mut Host::new(m, a, "sysconf");
            match a.i32(0) {
                // Ticks a second, size of a page, processors.
                2 => Ok(Ret::Word(100)),
                30 => Ok(Ret::Word(4096)),
                83 | 84 => Ok(Ret::Word(1)),
                _ => fail_long(h, EINVAL),
            }
        }),
        (&["setlocale"], |m, a| {
            let h = &mut Host::new(m, a, "setlocale");
            let wanted = if a.ptr(1).is_null() { Vec::new() } else { h.cstr(a.ptr(1), None)? };
            if matches!(wanted.as_slice(), b"" | b"C" | b"POSIX") {
                return super::static_text(h.m, "setlocale", b"C");
            }
            Ok(Ptr::NULL.into())
        }),
        (&["omp_get_wtime"], |m, _| Ok(m.elapsed().as_secs_f64().into())),
    ],
    ..Functions::NONE
};
