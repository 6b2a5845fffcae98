//! POSIX's view of the file system: what `stat` tells, directories, names, and files mapped into memory.
//!
//! A mapping is an object of its own. What the program writes to a shared one is written to the file by `msync`,
//! `munmap`, and at the end of the program.

use super::file::{Backing, File};
use super::stdio::{add_descriptor, attempt, descriptor, next_number, write_stream};
use super::time::put_timeval;
use crate::layout::{Fields, Laid, dirent, rusage, stat, timespec, utsname};
use crate::{Errno, Functions, Kept, ProcessCall};
use cudair_engine::gate::{Access, Follow};
use cudair_engine::guest::{Bytes, Guest, Host};
use cudair_engine::parts::HostProcess;
use cudair_engine::{Args, HostFn, Ret};
use cudair_lane::fault::{AllocKind, Stop};
use cudair_lane::ptr::Ptr;
use cudair_memory::InitState;
use rustc_hash::FxHashMap;
use std::fs::Metadata;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{FileTypeExt, MetadataExt, PermissionsExt};

const ENOENT: i32 = 2;
const EBADF: i32 = 9;
const EINVAL: i32 = 22;
const ENOSYS: i32 = 38;

const NAME_MAX: usize = 255;

/// Open directories and mappings.
#[derive(Debug, Default)]
pub(crate) struct Files {
    /// The entries of each open directory, and the next one.
    directories: FxHashMap<Ptr, (Vec<Entry>, usize)>,
    mappings: FxHashMap<Ptr, Mapping>,
}

#[derive(Debug)]
struct Entry {
    name: Vec<u8>,
    inode: u64,
    kind: u8,
}

#[derive(Debug)]
struct Mapping {
    /// The stream's number and the offset that a shared mapping is written back to.
    shared: Option<(usize, u64)>,
    size: u64,
}

fn fail(h: &mut ProcessCall<'_, '_>, errno: i32) -> Result<Ret, Stop> {
    h.set_errno(errno)?;
    Ok((-1).into())
}

fn fail_null(h: &mut ProcessCall<'_, '_>, errno: i32) -> Result<Ret, Stop> {
    h.set_errno(errno)?;
    Ok(Ptr::NULL.into())
}

fn code(e: &std::io::Error) -> i32 {
    e.raw_os_error().unwrap_or(EINVAL)
}

/// `struct stat`.
fn put_stat(h: &mut ProcessCall<'_, '_>, at: Ptr, about: &Metadata) -> Result<(), Stop> {
    h.clear::<stat>(at)?;
    h.put_field(at, stat::st_dev, about.dev())?;
    h.put_field(at, stat::st_ino, about.ino())?;
    h.put_field(at, stat::st_nlink, about.nlink())?;
    h.put_field(at, stat::st_mode, about.mode())?;
    h.put_field(at, stat::st_uid, about.uid())?;
    h.put_field(at, stat::st_gid, about.gid())?;
    h.put_field(at, stat::st_rdev, about.rdev())?;
    h.put_field(at, stat::st_size, about.size())?;
    h.put_field(at, stat::st_blksize, about.blksize())?;
    h.put_field(at, stat::st_blocks, about.blocks())?;
    for (field, seconds, nanoseconds) in [
        (stat::atime, about.atime(), about.atime_nsec()),
        (stat::mtime, about.mtime(), about.mtime_nsec()),
        (stat::ctime, about.ctime(), about.ctime_nsec()),
    ] {
        h.put_field(at, field.then(timespec::tv_sec), seconds as u64)?;
        h.put_field(at, field.then(timespec::tv_nsec), nanoseconds as u64)?;
    }
    Ok(())
}

fn status(m: &mut HostProcess<'_>, a: &Args<'_>, follow: Follow) -> Result<Ret, Stop> {
    let h = &mut Host::new(m, a, "stat");
    let name = h.cstr(a.ptr(0), None)?;
    match h.reach(&name, Access::Read, follow)?.metadata(follow) {
        Ok(about) => {
            put_stat(h, a.ptr(1), &about)?;
            Ok(0.into())
        }
        Err(e) => fail(h, code(&e)),
    }
}

/// What `d_type` says of a file.
fn kind_of(about: std::fs::FileType) -> u8 {
    match about {
        t if t.is_dir() => 4,
        t if t.is_file() => 8,
        t if t.is_symlink() => 10,
        t if t.is_fifo() => 1,
        t if t.is_char_device() => 2,
        t if t.is_block_device() => 6,
        t if t.is_socket() => 12,
        _ => 0,
    }
}

fn open_directory(m: &mut HostProcess<'_>, a: &Args<'_>) -> Result<Ret, Stop> {
    let h = &mut Host::new(m, a, "opendir");
    let name = h.cstr(a.ptr(0), None)?;
    let here = match h.reach(&name, Access::Read, Follow::Link)?.entries() {
        Ok(here) => here,
        Err(e) => return fail_null(h, code(&e)),
    };
    let dots = [".", ".."].map(|n| Entry { name: n.into(), inode: 1, kind: 4 });
    let mut entries: Vec<Entry> = dots.into();
    for entry in here {
        // `DT_UNKNOWN`.
        let kind = entry.kind.map_or(0, kind_of);
        entries.push(Entry { name: entry.name.as_bytes().to_vec(), inode: entry.inode, kind });
    }
    // The directory's stream is the entry that `readdir` gives, which each call overwrites.
    let ptr = h.alloc(dirent::SIZE as u64, 8, InitState::Zero, AllocKind::Runtime)?;
    h.m.libc.get_mut().files.directories.insert(ptr, (entries, 0));
    Ok(ptr.into())
}

fn read_directory(m: &mut HostProcess<'_>, a: &Args<'_>) -> Result<Ret, Stop> {
    let h = &mut Host::new(m, a, "readdir");
    let stream = a.ptr(0);
    let Some((entries, next)) = h.m.libc.get_mut().files.directories.get_mut(&stream) else {
        return fail_null(h, EBADF);
    };
    let Some(entry) = entries.get_mut(*next) else { return Ok(Ptr::NULL.into()) };
    let name: Vec<u8> = entry.name.iter().copied().take(NAME_MAX).collect();
    let (inode, kind) = (entry.inode, entry.kind);
    *next += 1;
    let at = *next as u64;
    h.put_field(stream, dirent::d_ino, inode)?;
    h.put_field(stream, dirent::d_off, at)?;
    h.put_field(stream, dirent::d_reclen, dirent::SIZE as u16)?;
    h.put_field(stream, dirent::d_type, kind)?;
    h.put_cstr(dirent::d_name.of(stream), &name)?;
    Ok(stream.into())
}

/// `mmap(address, length, protection, flags, descriptor, offset)`
fn map(m: &mut HostProcess<'_>, a: &Args<'_>) -> Result<Ret, Stop> {
    const SHARED: i32 = 1;
    const FIXED: i32 = 0x10;
    const ANONYMOUS: i32 = 0x20;
    const WRITE: i32 = 2;
    const PAGE: u64 = 4096;
    let failed = Ret::Word(u64::MAX);
    let h = &mut Host::new(m, a, "mmap");
    let (size, protection, flags) = (a.u64(1), a.i32(2), a.i32(3));
    if size == 0 || flags & FIXED != 0 || size > 1 << 46 {
        h.set_errno(EINVAL)?;
        return Ok(failed);
    }
    // All of a page can be reached.
    let whole = size.next_multiple_of(PAGE);
    if flags & ANONYMOUS != 0 {
        let ptr = h.alloc(whole, PAGE, InitState::Zero, AllocKind::Mapped)?;
        h.m.libc.get_mut().files.mappings.insert(ptr, Mapping { shared: None, size });
        return Ok(ptr.into());
    }
    let Some(n) = descriptor(h.m, a.i32(4)) else {
        h.set_errno(EBADF)?;
        return Ok(failed);
    };
    let offset = a.i64(5);
    let bytes = attempt(h, n, |f, io| {
        let at = f.tell()?;
        f.seek(io, offset, 0)?;
        let bytes = f.read(io, usize::try_from(size).map_err(|_| EINVAL)?);
        f.seek(io, at, 0)?;
        bytes
    })?;
    let Some(bytes) = bytes else { return Ok(failed) };
    let ptr = h.alloc(whole, PAGE, InitState::Zero, AllocKind::Mapped)?;
    h.write(ptr, &bytes)?;
    let shared = (flags & SHARED != 0 && protection & WRITE != 0).then_some((n, offset as u64));
    h.m.libc.get_mut().files.mappings.insert(ptr, Mapping { shared, size });
    Ok(ptr.into())
}

/// Writes a shared mapping to its file.
fn write_back(h: &mut ProcessCall<'_, '_>, at: Ptr) -> Result<(), Stop> {
    let Some(Mapping { shared: Some((n, offset)), size }) = h.m.libc.get().files.mappings.get(&at) else {
        return Ok(());
    };
    let (n, offset, size) = (*n, *offset, *size);
    if descriptor(h.m, n as i32).is_none() {
        return Ok(());
    }
    // No more than the file holds: a mapping does not make it longer.
    let length = attempt(h, n, |f, io| {
        let here = f.tell()?;
        f.seek(io, 0, 2)?;
        let end = f.tell()?;
        f.seek(io, offset as i64, 0)?;
        Ok((here, end as u64))
    })?;
    let Some((here, end)) = length else { return Ok(()) };
    let bytes = h.read(at, size.min(end.saturating_sub(offset)))?;
    // What cannot be written there is lost, as with a mapping.
    let _ = write_stream(h.m, n, &bytes);
    attempt(h, n, |f, io| {
        f.flush(io)?;
        f.seek(io, here, 0)
    })?;
    Ok(())
}

/// Writes what is still mapped to its files, at the end of the program.
pub(crate) fn write_mappings(m: &mut HostProcess<'_>) -> Result<(), Stop> {
    let mut shared: Vec<Ptr> = m
        .libc
        .get()
        .files
        .mappings
        .iter()
        .filter(|(_, mapping)| mapping.shared.is_some())
        .map(|(&at, _)| at)
        .collect();
    shared.sort_by_key(|p| p.0);
    for at in shared {
        write_back(&mut Host::unasked(m, "mmap"), at)?;
    }
    Ok(())
}

/// A part of a path in a buffer of the library's: `basename`, `dirname`.
fn base_name(text: &[u8]) -> &[u8] {
    let end = text.iter().rposition(|&b| b != b'/').map_or(0, |at| at + 1);
    let Some(text) = text.get(..end).filter(|t| !t.is_empty()) else {
        return if text.is_empty() { b"." } else { b"/" };
    };
    text.iter().rposition(|&b| b == b'/').map_or(text, |at| &text[at + 1..])
}

fn dir_name(text: &[u8]) -> &[u8] {
    let trim = |t: &[u8]| t.iter().rposition(|&b| b != b'/').map_or(0, |at| at + 1);
    let end = trim(text);
    let Some(slash) = text[..end].iter().rposition(|&b| b == b'/') else {
        return if end == 0 && !text.is_empty() { b"/" } else { b"." };
    };
    match trim(&text[..slash]) {
        0 => b"/",
        end => &text[..end],
    }
}

fn part_of_path(
    m: &mut HostProcess<'_>,
    a: &Args<'_>,
    name: &'static str,
    part: fn(&[u8]) -> &[u8],
) -> Result<Ret, Stop> {
    let text = if a.ptr(0).is_null() { Vec::new() } else { Host::new(m, a, name).cstr(a.ptr(0), None)? };
    super::static_text(m, name, part(&text))
}

/// The functions by name.
pub(crate) fn lookup(name: &str) -> Option<HostFn> {
    FUNCTIONS.find(name)
}

const FUNCTIONS: Functions = Functions {
    memory: &[
        (&["uname"], |m, a| {
            let h = &mut Bytes::new(m, a, "uname");
            h.clear::<utsname>(a.ptr(0))?;
            let fields: [&[u8]; 5] = [b"Linux", b"localhost", b"6.1.0", b"#1 SMP", b"x86_64"];
            for (n, text) in fields.into_iter().enumerate() {
                h.put_cstr(utsname::texts.nth(n).of(a.ptr(0)), text)?;
            }
            Ok(0.into())
        }),
        (&["madvise", "posix_madvise", "mlock", "munlock", "mlockall", "posix_fadvise"], {
            |_, _| Ok(0.into())
        }),
        (&["tzset"], |_, _| Ok(Ret::Void)),
    ],
    process: &[
        (&["stat", "stat64"], |m, a| status(m, a, Follow::Link)),
        (&["lstat", "lstat64"], |m, a| status(m, a, Follow::Entry)),
        (&["fstat", "fstat64"], |m, a| {
            let h = &mut Host::new(m, a, "fstat");
            let Some(n) = descriptor(h.m, a.i32(0)) else { return fail(h, EBADF) };
            match attempt(h, n, |f, io| f.metadata(io))? {
                Some(Some(about)) => put_stat(h, a.ptr(1), &about)?,
                // A pipe, for what is no file.
                Some(None) => {
                    h.clear::<stat>(a.ptr(1))?;
                    h.put_field(a.ptr(1), stat::st_mode, 0o010_600)?;
                }
                None => return Ok((-1).into()),
            }
            Ok(0.into())
        }),
        (&["creat", "creat64"], |m, a| {
            let h = &mut Host::new(m, a, "creat");
            let name = h.cstr(a.ptr(0), None)?;
            let path = h.reach(&name, Access::Write, Follow::Link)?;
            let number = next_number(h.m);
            match path.open(std::fs::OpenOptions::new().write(true).create(true).truncate(true)) {
                Ok(file) => {
                    let file = File::new(Backing::Disk(file), false, true, false, number);
                    Ok(add_descriptor(h.m, file).into())
                }
                Err(e) => fail(h, code(&e)),
            }
        }),
        (&["ftruncate", "ftruncate64"], |m, a| {
            let h = &mut Host::new(m, a, "ftruncate");
            let Some(n) = descriptor(h.m, a.i32(0)) else { return fail(h, EBADF) };
            let size = a.i64(1);
            let done = attempt(h, n, |f, io| f.truncate(io, size))?;
            Ok(if done.is_some() { 0 } else { -1 }.into())
        }),
        (&["chmod"], |m, a| {
            let h = &mut Host::new(m, a, "chmod");
            let name = h.cstr(a.ptr(0), None)?;
            let mode = std::fs::Permissions::from_mode(a.u32(1));
            match h.reach(&name, Access::Write, Follow::Link)?.set_permissions(mode) {
                Ok(()) => Ok(0.into()),
                Err(e) => fail(h, code(&e)),
            }
        }),
        (&["opendir"], open_directory),
        (&["readdir", "readdir64"], read_directory),
        (&["rewinddir"], |m, a| {
            if let Some((_, next)) = m.libc.get_mut().files.directories.get_mut(&a.ptr(0)) {
                *next = 0;
            }
            Ok(Ret::Void)
        }),
        (&["closedir"], |m, a| {
            let known = m.libc.get_mut().files.directories.remove(&a.ptr(0)).is_some();
            let h = &mut Host::new(m, a, "closedir");
            if known { Ok(0.into()) } else { fail(h, EBADF) }
        }),
        (&["realpath"], |m, a| {
            let h = &mut Host::new(m, a, "realpath");
            let name = h.cstr(a.ptr(0), None)?;
            if name.is_empty() {
                return fail_null(h, ENOENT);
            }
            match h.reach(&name, Access::Read, Follow::Link)?.resolved() {
                Ok(found) => {
                    let text = found.as_os_str().as_bytes();
                    let to = match a.ptr(1) {
                        p if p.is_null() => {
                            h.alloc(text.len() as u64 + 1, 16, InitState::Uninit, AllocKind::Malloc)?
                        }
                        p => p,
                    };
                    h.put_cstr(to, text)?;
                    Ok(to.into())
                }
                Err(e) => fail_null(h, code(&e)),
            }
        }),
        (&["basename", "__xpg_basename"], |m, a| part_of_path(m, a, "basename", base_name)),
        (&["dirname"], |m, a| part_of_path(m, a, "dirname", dir_name)),
        (&["mmap", "mmap64"], map),
        (&["msync"], |m, a| {
            write_back(&mut Host::new(m, a, "msync"), a.ptr(0))?;
            Ok(0.into())
        }),
        (&["munmap"], |m, a| {
            let h = &mut Host::new(m, a, "munmap");
            write_back(h, a.ptr(0))?;
            let size = a.u64(1).checked_next_multiple_of(4096).unwrap_or(u64::MAX);
            let whole =
                h.m.mem.lookup(a.ptr(0)).filter(|(start, ..)| *start == a.ptr(0)).map(|(_, size, ..)| size);
            // Of a mapping whose start alone goes all stays; what goes is not told from the rest.
            if whole.is_none_or(|whole| size >= whole) {
                h.m.libc.get_mut().files.mappings.remove(&a.ptr(0));
                h.free(a.ptr(0), AllocKind::Mapped)?;
            }
            Ok(0.into())
        }),
        (&["getrusage"], |m, a| {
            let spent = m.elapsed();
            let h = &mut Host::new(m, a, "getrusage");
            h.clear::<rusage>(a.ptr(1))?;
            put_timeval(h, rusage::ru_utime.of(a.ptr(1)), spent)?;
            Ok(0.into())
        }),
        (&["symlink", "link", "readlink", "chown"], |m, a| fail(&mut Host::new(m, a, "link"), ENOSYS)),
    ],
    ..Functions::NONE
};

#[cfg(test)]
mod tests {
    use super::{base_name, dir_name};

    #[test]
    fn parts_of_paths_are_as_posix_has_them() {
        for (text, dir, base) in [
            ("/usr/lib", "/usr", "lib"),
            ("/usr/", "/", "usr"),
            ("usr", ".", "usr"),
            ("/", "/", "/"),
            ("a//b//", "a", "b"),
            ("", ".", "."),
        ] {
            assert_eq!(dir_name(text.as_bytes()), dir.as_bytes(), "{text}");
            assert_eq!(base_name(text.as_bytes()), base.as_bytes(), "{text}");
        }
    }
}
