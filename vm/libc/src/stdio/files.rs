//! Streams as such: opening, closing, places in them, and the file system's names.

use super::*;
use crate::{Errno, Functions, Kept, ProcessCall};
use cudair_engine::gate::{Access, Follow};

fn open(h: &mut ProcessCall<'_, '_>, path: Ptr, mode: Ptr) -> Result<Result<File, i32>, Stop> {
    let (path, mode) = (h.cstr(path, None)?, h.cstr(mode, None)?);
    let path = h.reach(&path, File::access(&mode), Follow::Link)?;
    let number = h.m.libc.get().streams.files.len() as i32;
    Ok(File::open(&path, &mode, number))
}

fn position(m: &mut HostProcess<'_>, a: &Args<'_>) -> Result<Option<i64>, Stop> {
    let h = &mut Host::new(m, a, "ftell");
    let n = stream(h, a.ptr(0))?;
    attempt(h, n, |f, _| f.tell())
}

fn seek(m: &mut HostProcess<'_>, a: &Args<'_>, offset: i64, whence: i32) -> Result<Ret, Stop> {
    let h = &mut Host::new(m, a, "fseek");
    let n = stream(h, a.ptr(0))?;
    let done = attempt(h, n, |f, io| f.seek(io, offset, whence))?;
    Ok(if done.is_some() { 0 } else { EOF }.into())
}

pub(super) fn files(name: &str) -> Option<HostFn> {
    FILES.find(name)
}

const FILES: Functions = Functions {
    memory: &[(&["flockfile", "funlockfile"], |_, _| Ok(Ret::Void))],
    process: &[
        (&["fopen", "fopen64"], |m, a| {
            let h = &mut Host::new(m, a, "fopen");
            match open(h, a.ptr(0), a.ptr(1))? {
                Ok(file) => Ok(add_file(h.m, file)?.into()),
                Err(errno) => {
                    h.set_errno(errno)?;
                    Ok(Ptr::NULL.into())
                }
            }
        }),
        (&["freopen", "freopen64"], |m, a| {
            let h = &mut Host::new(m, a, "freopen");
            let n = stream(h, a.ptr(2))?;
            if a.ptr(0).is_null() {
                return Err(crate::unsupported(h.m.module, a, "`freopen` without a file name".to_owned()));
            }
            let file = open(h, a.ptr(0), a.ptr(1))?;
            if let Some((old, io)) = parts(h.m, n) {
                let _ = old.flush(io);
            }
            match file {
                Ok(file) => {
                    h.m.libc.get_mut().streams.files[n] = Some(file);
                    Ok(a.ptr(2).into())
                }
                Err(errno) => {
                    h.m.libc.get_mut().streams.files[n] = None;
                    h.set_errno(errno)?;
                    Ok(Ptr::NULL.into())
                }
            }
        }),
        (&["fclose"], |m, a| {
            let h = &mut Host::new(m, a, "fclose");
            let n = stream(h, a.ptr(0))?;
            Ok(if close(h, n)? { 0 } else { EOF }.into())
        }),
        (&["tmpfile", "tmpfile64"], |m, _| {
            let number = m.libc.get().streams.files.len() as i32;
            let file = File::new(Backing::Memory(io::Cursor::default()), true, true, false, number);
            Ok(add_file(m, file)?.into())
        }),
        (&["ftell", "ftello", "ftello64"], |m, a| Ok(Ret::Word(position(m, a)?.unwrap_or(-1) as u64))),
        (&["fseek", "fseeko", "fseeko64"], |m, a| seek(m, a, a.i64(1), a.i32(2))),
        (&["rewind"], |m, a| {
            seek(m, a, 0, 0)?;
            let h = &mut Host::new(m, a, "rewind");
            let n = stream(h, a.ptr(0))?;
            if let Some((f, _)) = parts(h.m, n) {
                f.error = false;
            }
            Ok(Ret::Void)
        }),
        (&["fgetpos", "fgetpos64"], |m, a| match position(m, a)? {
            Some(at) => {
                Host::new(m, a, "fgetpos").put(a.ptr(1), at as u64, 8)?;
                Ok(0.into())
            }
            None => Ok(EOF.into()),
        }),
        (&["fsetpos", "fsetpos64"], |m, a| {
            let at = Host::new(m, a, "fsetpos").word(a.ptr(1), 8)?;
            seek(m, a, at as i64, 0)
        }),
        (&["feof", "feof_unlocked"], |m, a| mark(m, a, |f| f.eof)),
        (&["ferror", "ferror_unlocked"], |m, a| mark(m, a, |f| f.error)),
        (&["clearerr"], |m, a| {
            mark(m, a, |f| {
                f.eof = false;
                f.error = false;
                false
            })
            .map(|_| Ret::Void)
        }),
        (&["fileno"], |m, a| {
            let h = &mut Host::new(m, a, "fileno");
            let n = stream(h, a.ptr(0))?;
            Ok(parts(h.m, n).map_or(EOF, |(f, _)| f.number).into())
        }),
        (&["isatty"], |m, a| Ok(i32::from(a.i32(0) == 1 && m.libc.get().io.terminal).into())),
        (&["setvbuf"], |m, a| {
            let h = &mut Host::new(m, a, "setvbuf");
            let n = stream(h, a.ptr(0))?;
            let buffering = match a.i32(2) {
                0 => Buffering::Full,
                1 => Buffering::Line,
                2 => Buffering::None,
                _ => return Ok(EOF.into()),
            };
            buffer(h, n, buffering)
        }),
        (&["setbuf", "setbuffer"], |m, a| {
            let h = &mut Host::new(m, a, "setbuf");
            let n = stream(h, a.ptr(0))?;
            buffer(h, n, if a.ptr(1).is_null() { Buffering::None } else { Buffering::Full })?;
            Ok(Ret::Void)
        }),
        (&["setlinebuf"], |m, a| {
            let h = &mut Host::new(m, a, "setlinebuf");
            let n = stream(h, a.ptr(0))?;
            buffer(h, n, Buffering::Line)?;
            Ok(Ret::Void)
        }),
        (&["remove", "unlink"], |m, a| {
            let h = &mut Host::new(m, a, "remove");
            let path = h.cstr(a.ptr(0), None)?;
            let path = h.reach(&path, Access::Write, Follow::Entry)?;
            told(h, path.remove())
        }),
        (&["rename"], |m, a| {
            let h = &mut Host::new(m, a, "rename");
            let (old, new) = (h.cstr(a.ptr(0), None)?, h.cstr(a.ptr(1), None)?);
            let old = h.reach(&old, Access::Both, Follow::Entry)?;
            let new = h.reach(&new, Access::Write, Follow::Entry)?;
            told(h, old.rename(&new))
        }),
    ],
    ..Functions::NONE
};

fn buffer(h: &mut ProcessCall<'_, '_>, n: usize, buffering: Buffering) -> Result<Ret, Stop> {
    let done = attempt(h, n, |f, io| {
        f.buffering = buffering;
        f.flush(io)
    })?;
    Ok(if done.is_some() { 0 } else { EOF }.into())
}

fn mark(m: &mut HostProcess<'_>, a: &Args<'_>, f: impl FnOnce(&mut File) -> bool) -> Result<Ret, Stop> {
    let h = &mut Host::new(m, a, "ferror");
    let n = stream(h, a.ptr(0))?;
    Ok(i32::from(parts(h.m, n).is_some_and(|(file, _)| f(file))).into())
}

/// What an operation on the file system gives the program.
fn told(h: &mut ProcessCall<'_, '_>, result: io::Result<()>) -> Result<Ret, Stop> {
    match result {
        Ok(()) => Ok(0.into()),
        Err(e) => {
            h.set_errno(e.raw_os_error().unwrap_or(EINVAL))?;
            Ok(EOF.into())
        }
    }
}
