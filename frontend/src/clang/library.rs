//! Finding and opening libclang.
//!
//! Looked for, in this order: the path in `CUDAIR_LIBCLANG`, the one in `LIBCLANG_PATH` (a file or a
//! directory, each a decision of the user, so a failure there is final), then the places where
//! packages put it, the newest version first, and last the wheel that the project's own script
//! unpacks below `target/libclang`.

use super::ffi::Functions;
use std::ffi::CStr;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// The oldest version whose API shows what the lowering needs.
pub const OLDEST: u32 = 18;
/// The newest version that was tried.
pub const NEWEST: u32 = 22;

/// The command that installs a libclang that works.
pub const REMEDY: &str = "apt-get install libclang1-22 libclang-common-22-dev";

/// Why no libclang can be used.
#[derive(Clone, Debug, thiserror::Error)]
pub enum LibraryError {
    /// None was found.
    #[error(
        "libclang was not found (version {OLDEST} or newer is needed); install it with \
         `{REMEDY}`, or set CUDAIR_LIBCLANG to the library's path"
    )]
    Missing,
    /// One was found and is too old.
    #[error(
        "{path} is libclang {version}, and version {OLDEST} or newer is needed; install one with \
         `{REMEDY}`, or set CUDAIR_LIBCLANG to another library's path"
    )]
    TooOld {
        /// The library.
        path: String,
        /// Its major version.
        version: u32,
    },
    /// One was found and cannot be used.
    #[error(
        "{path} cannot be used as libclang: {why}; install one with `{REMEDY}`, or set \
         CUDAIR_LIBCLANG to another library's path"
    )]
    Unusable {
        /// The library.
        path: String,
        /// What went wrong.
        why: String,
    },
}

/// An opened libclang.
pub(super) struct Library {
    pub functions: Functions,
    /// Major version.
    pub version: u32,
    /// Where the builtin headers of this very version lie, if they are installed.
    pub builtin_headers: Option<PathBuf>,
}

static LIBRARY: OnceLock<Result<Library, LibraryError>> = OnceLock::new();

/// The process's libclang, opened on first use.
pub(super) fn library() -> Result<&'static Library, LibraryError> {
    LIBRARY.get_or_init(search).as_ref().map_err(Clone::clone)
}

/// The process's libclang, which must have been opened: every wrapper value proves that.
pub(super) fn opened() -> &'static Library {
    match LIBRARY.get() {
        Some(Ok(library)) => library,
        _ => unreachable!("a wrapper exists only after the library was opened"),
    }
}

/// The file names under which a directory may hold the library, newest first.
fn names() -> Vec<String> {
    let mut names = Vec::new();
    for v in (OLDEST..=NEWEST).rev() {
        names.push(format!("libclang-{v}.so.1"));
        names.push(format!("libclang-{v}.so.{v}"));
        names.push(format!("libclang.so.{v}"));
        names.push(format!("libclang-{v}.so"));
    }
    names.extend(["libclang.so".to_owned(), "libclang.so.1".to_owned(), "libclang.dylib".to_owned()]);
    names
}

fn search() -> Result<Library, LibraryError> {
    for variable in ["CUDAIR_LIBCLANG", "LIBCLANG_PATH"] {
        let Some(path) = std::env::var_os(variable).filter(|p| !p.is_empty()) else { continue };
        let path = PathBuf::from(path);
        if path.is_dir() {
            return first_usable(std::slice::from_ref(&path)).unwrap_or_else(|| {
                Err(LibraryError::Unusable {
                    path: path.display().to_string(),
                    why: format!("the directory that {variable} names has no libclang in it"),
                })
            });
        }
        return open(&path);
    }
    first_usable(&directories()).unwrap_or(Err(LibraryError::Missing))
}

/// The directories searched when the user names none.
fn directories() -> Vec<PathBuf> {
    let mut dirs: Vec<PathBuf> =
        (OLDEST..=NEWEST).rev().map(|v| PathBuf::from(format!("/usr/lib/llvm-{v}/lib"))).collect();
    for dir in [
        "/usr/lib/x86_64-linux-gnu",
        "/usr/lib/aarch64-linux-gnu",
        "/usr/lib64",
        "/usr/lib",
        "/usr/local/lib",
        "/opt/homebrew/opt/llvm/lib",
    ] {
        dirs.push(dir.into());
    }
    // The wheel, unpacked beside the project: below the build's target directory, which is an
    // ancestor of the executable, or below the working directory.
    let mut roots = Vec::new();
    if let Ok(exe) = std::env::current_exe() {
        roots.extend(exe.ancestors().skip(1).take(4).map(Path::to_path_buf));
    }
    roots.push("target".into());
    for root in roots {
        dirs.push(root.join("libclang/clang/native"));
        dirs.push(root.join("libclang/native"));
        dirs.push(root.join("libclang"));
    }
    dirs
}

/// Opens the first library in `dirs` that works. `None` when there is no candidate at all; the first
/// error when every candidate fails.
fn first_usable(dirs: &[PathBuf]) -> Option<Result<Library, LibraryError>> {
    let names = names();
    let mut first_error = None;
    for dir in dirs {
        if !dir.is_dir() {
            continue;
        }
        for name in &names {
            let path = dir.join(name);
            if !path.is_file() {
                continue;
            }
            match open(&path) {
                Ok(library) => return Some(Ok(library)),
                Err(error) => {
                    first_error.get_or_insert(error);
                }
            }
        }
    }
    first_error.map(Err)
}

fn open(path: &Path) -> Result<Library, LibraryError> {
    let unusable = |why: String| LibraryError::Unusable { path: path.display().to_string(), why };
    if !path.exists() {
        return Err(unusable("there is no such file".to_owned()));
    }
    // libclang parses on a thread of its own with a stack of 8 MiB, where deep expressions end the
    // process; with this variable it parses on the caller's, which is as large as the lowering needs.
    // SAFETY: the variable is written once, while the library is being opened and every other thread
    // that could read the environment waits for that.
    unsafe { std::env::set_var("LIBCLANG_NOTHREADS", "1") };
    // SAFETY: opening a shared library runs its initialisers; the candidates are libclang by name or
    // by the user's word.
    let library = unsafe { libloading::Library::new(path) }.map_err(|e| unusable(e.to_string()))?;
    let version = version_of(&library).map_err(unusable)?;
    if version < OLDEST {
        return Err(LibraryError::TooOld { path: path.display().to_string(), version });
    }
    let functions =
        Functions::load(&library).map_err(|name| unusable(format!("it lacks the function {name}")))?;
    // Never unloaded: the function pointers above live as long as the process.
    std::mem::forget(library);
    Ok(Library { functions, version, builtin_headers: builtin_headers(path, version) })
}

/// The major version that `clang_getClangVersion` reports.
fn version_of(library: &libloading::Library) -> Result<u32, String> {
    type GetVersion = unsafe extern "C" fn() -> clang_sys::CXString;
    type GetString = unsafe extern "C" fn(clang_sys::CXString) -> *const std::os::raw::c_char;
    type Dispose = unsafe extern "C" fn(clang_sys::CXString);
    // SAFETY: the signatures are those of libclang's C API since its first version.
    let text = unsafe {
        let missing = |_| "it lacks the function clang_getClangVersion".to_owned();
        let get = library.get::<GetVersion>(b"clang_getClangVersion\0").map_err(missing)?;
        let string = library.get::<GetString>(b"clang_getCString\0").map_err(missing)?;
        let dispose = library.get::<Dispose>(b"clang_disposeString\0").map_err(missing)?;
        let raw = get();
        let pointer = string(raw);
        let text = if pointer.is_null() {
            String::new()
        } else {
            CStr::from_ptr(pointer).to_string_lossy().into_owned()
        };
        dispose(raw);
        text
    };
    text.split("version ")
        .nth(1)
        .and_then(|rest| rest.split(|c: char| !c.is_ascii_digit()).next())
        .and_then(|digits| digits.parse().ok())
        .ok_or_else(|| format!("its version cannot be read from {text:?}"))
}

/// The directory with `stddef.h` and kin of this version, if installed.
fn builtin_headers(library: &Path, version: u32) -> Option<PathBuf> {
    let mut candidates = Vec::new();
    let real = library.canonicalize().ok();
    if let Some(dir) = real.as_deref().and_then(Path::parent) {
        candidates.push(dir.join(format!("clang/{version}/include")));
        candidates.push(dir.join(format!("../lib/clang/{version}/include")));
    }
    candidates.push(format!("/usr/lib/llvm-{version}/lib/clang/{version}/include").into());
    candidates.push(format!("/usr/lib/clang/{version}/include").into());
    candidates.into_iter().find(|dir| dir.join("stddef.h").is_file())
}
