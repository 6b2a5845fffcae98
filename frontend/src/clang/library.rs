//! Finding and opening libclang.
//!
//! `CUDAIR_LIBCLANG`, a file or a folder, is the user's decision: what is wrong with it is an error. Without
//! it the places of [`super::search`] are tried in turn. The first library of a version that was tested
//! wins, then the first newer one. Older ones are refused: what they hide of C++ templates would be lowered
//! wrongly without a word.

use super::ffi::Functions;
use super::search::{Candidate, Origin, Surroundings, candidates_at};
use std::ffi::CStr;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// The oldest version that shows what the lowering needs. With 18, 19 and 20 destructors, copies and
/// assignments of class templates are not to be seen.
pub const OLDEST: u32 = 21;
/// The newest version that was tested.
pub const NEWEST: u32 = 22;

/// The version of the wheel `libclang-ng` that [`remedy`] and `./x` install.
pub const WHEEL: &str = "22.1.4.2";

/// What gets a libclang that works, a line each, none longer than 70 columns but for the folder's name.
pub fn remedy() -> Vec<String> {
    let package = if cfg!(target_os = "macos") {
        "  brew install llvm"
    } else {
        "  apt-get install libclang1-22 libclang-common-22-dev"
    };
    let mut lines = Vec::new();
    if ordered().is_some() {
        lines.push("Without CUDAIR_LIBCLANG cudair looks for one itself.".to_owned());
    }
    lines.push("`./x setup` in cudair's sources installs one, and so does".to_owned());
    lines.push(package.to_owned());
    if let Some(folder) = wheel_home() {
        lines.push("or, without the right to install packages,".to_owned());
        lines.push(format!("  python3 -m pip install libclang-ng=={WHEEL} \\"));
        lines.push(format!("      --target '{}'", folder.display()));
    }
    if ordered().is_none() {
        lines.push("CUDAIR_LIBCLANG may name one that lies elsewhere.".to_owned());
    }
    lines
}

/// The folder of the user's in which the wheel is looked for; `None` where the user has no home.
pub fn wheel_home() -> Option<PathBuf> {
    Surroundings::here().wheel_home()
}

/// Why no libclang can be used.
#[derive(Clone, Debug, thiserror::Error)]
pub enum LibraryError {
    /// None was found.
    #[error("libclang was not found (version {OLDEST} or newer is needed)")]
    Missing,
    /// One was found and is too old.
    #[error("{path} is libclang {version} ({OLDEST} or newer is needed)")]
    TooOld {
        /// The library.
        path: String,
        /// Its version.
        version: String,
    },
    /// One was found and cannot be used.
    #[error("{path} cannot be used as libclang: {why}")]
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
    /// What is known of it.
    pub about: About,
    /// Where the builtin headers of this very version lie, if they are installed.
    pub builtin_headers: Option<PathBuf>,
}

/// A library that was found.
#[derive(Clone, Debug)]
pub struct About {
    /// The file.
    pub path: PathBuf,
    /// How it was found.
    pub origin: Origin,
    /// Its whole version, such as `22.1.8`.
    pub release: String,
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

/// What `CUDAIR_LIBCLANG` says, if it says anything.
fn ordered() -> Option<PathBuf> {
    std::env::var_os("CUDAIR_LIBCLANG").filter(|p| !p.is_empty()).map(PathBuf::from)
}

/// The files among which the process's libclang is chosen, in the order in which they are tried. None is opened.
pub fn candidates() -> Vec<PathBuf> {
    let found = match ordered() {
        Some(path) => candidates_at(&path, Origin::Named),
        None => Surroundings::here().candidates(),
    };
    found.into_iter().map(|c| c.path).collect()
}

fn search() -> Result<Library, LibraryError> {
    let Some(path) = ordered() else { return first_usable(&Surroundings::here().candidates()) };
    if !path.exists() {
        return Err(LibraryError::Unusable {
            path: path.display().to_string(),
            why: "there is no such file, and CUDAIR_LIBCLANG names it".to_owned(),
        });
    }
    first_usable(&candidates_at(&path, Origin::Named)).map_err(|error| match error {
        LibraryError::Missing => LibraryError::Unusable {
            path: path.display().to_string(),
            why: "CUDAIR_LIBCLANG names this folder, and it has no libclang in it".to_owned(),
        },
        other => other,
    })
}

/// Opens the first library that was tested with, else the first newer one; the first error when each fails.
fn first_usable(candidates: &[Candidate]) -> Result<Library, LibraryError> {
    let (mut newer, mut first_error) = (None, None);
    for candidate in candidates {
        if newer.is_some() && candidate.looks_too_old() {
            break;
        }
        match open(candidate) {
            Ok(library) if library.version <= NEWEST => return Ok(library),
            Ok(library) => {
                newer.get_or_insert(library);
            }
            Err(error) => {
                first_error.get_or_insert(error);
            }
        }
    }
    newer.ok_or_else(|| first_error.unwrap_or(LibraryError::Missing))
}

/// What else lies where cudair looks, but for the library in use: with what is wrong with it, if anything.
/// Opens each, so that it is nothing for a run.
pub fn others() -> Vec<(PathBuf, Origin, Result<String, LibraryError>)> {
    let used = library().ok().and_then(|l| l.about.path.canonicalize().ok());
    let mut candidates = ordered().map_or_else(Vec::new, |path| candidates_at(&path, Origin::Named));
    candidates.extend(Surroundings::here().candidates());
    let mut seen = Vec::from_iter(used);
    let mut found = Vec::new();
    for candidate in candidates {
        let real = candidate.path.canonicalize().unwrap_or_else(|_| candidate.path.clone());
        if !seen.contains(&real) {
            seen.push(real);
            let result = open(&candidate).map(|library| library.about.release);
            found.push((candidate.path, candidate.origin, result));
        }
    }
    found
}

fn open(candidate: &Candidate) -> Result<Library, LibraryError> {
    let path = &candidate.path;
    let name = || path.display().to_string();
    let unusable = |why: String| LibraryError::Unusable { path: name(), why };
    // libclang parses on a thread of its own with a stack of 8 MiB, where deep expressions end the
    // process; with this variable it parses on the caller's, which is as large as the lowering needs.
    if std::env::var_os("LIBCLANG_NOTHREADS").is_none() {
        // SAFETY: the variable is written once, while the first library is being opened and every other
        // thread that could read the environment waits for that.
        unsafe { std::env::set_var("LIBCLANG_NOTHREADS", "1") };
    }
    // SAFETY: opening a shared library runs its initialisers; the candidates are libclang by name or
    // by the user's word.
    let library = unsafe { libloading::Library::new(path) }.map_err(|e| unusable(e.to_string()))?;
    let text = version_text(&library).map_err(unusable)?;
    let (version, release) =
        version_of(&text).ok_or_else(|| unusable(format!("its version cannot be read from {text:?}")))?;
    // Apple counts in another way: there the functions decide.
    let apple = text.starts_with("Apple");
    if version < OLDEST && !apple {
        return Err(LibraryError::TooOld { path: name(), version: release });
    }
    let functions =
        Functions::load(&library).map_err(|name| unusable(format!("it lacks the function {name}")))?;
    if let Some(missing) = functions.missing() {
        if apple {
            return Err(LibraryError::TooOld { path: name(), version: format!("{release} of Apple's") });
        }
        return Err(unusable(format!("it lacks the function {missing}, which version {OLDEST} has")));
    }
    // Never unloaded: the function pointers above live as long as the process.
    std::mem::forget(library);
    let builtin_headers = builtin_headers(path, version);
    let version = if apple { OLDEST } else { version };
    log::debug!(target: "parse", "opened {}, libclang {release}", path.display());
    let about = About { path: path.clone(), origin: candidate.origin, release };
    Ok(Library { functions, version, about, builtin_headers })
}

/// What `clang_getClangVersion` reports, such as `Debian clang version 22.1.8`.
fn version_text(library: &libloading::Library) -> Result<String, String> {
    type GetVersion = unsafe extern "C" fn() -> clang_sys::CXString;
    type GetString = unsafe extern "C" fn(clang_sys::CXString) -> *const std::os::raw::c_char;
    type Dispose = unsafe extern "C" fn(clang_sys::CXString);
    // SAFETY: the signatures are those of libclang's C API since its first version.
    unsafe {
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
        Ok(text)
    }
}

/// The major version and the whole one.
fn version_of(text: &str) -> Option<(u32, String)> {
    let rest = text.split("version ").nth(1)?;
    let release = rest.split(|c: char| !c.is_ascii_digit() && c != '.').next()?.trim_end_matches('.');
    Some((release.split('.').next()?.parse().ok()?, release.to_owned()))
}

/// The directory with `stddef.h` and kin of this version, if installed.
fn builtin_headers(library: &Path, version: u32) -> Option<PathBuf> {
    builtin_places(library, version).find(|dir| dir.join("stddef.h").is_file())
}

/// Where that directory may be, in the order in which to look.
pub(super) fn builtin_places(library: &Path, version: u32) -> impl Iterator<Item = PathBuf> {
    let mut candidates = Vec::new();
    let real = library.canonicalize().ok();
    if let Some(dir) = real.as_deref().and_then(Path::parent) {
        // The wheel's, then those of packages.
        candidates.push(dir.join("resource/include"));
        candidates.push(dir.join(format!("clang/{version}/include")));
        candidates.push(dir.join(format!("../lib/clang/{version}/include")));
    }
    candidates.push(format!("/usr/lib/llvm-{version}/lib/clang/{version}/include").into());
    candidates.push(format!("/usr/lib/clang/{version}/include").into());
    candidates.into_iter()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_as_packagers_write_them() {
        let version = |text: &str| version_of(text).map(|(major, release)| format!("{major} {release}"));
        assert_eq!(version("Debian clang version 22.1.8 (1~deb12u1)").as_deref(), Some("22 22.1.8"));
        assert_eq!(version("clang version 18.1.1").as_deref(), Some("18 18.1.1"));
        assert_eq!(version("clang version 23.0.0git (https://x y)").as_deref(), Some("23 23.0.0"));
        assert_eq!(version("Apple clang version 17.0.0 (clang-1700.0.13.3)").as_deref(), Some("17 17.0.0"));
        assert_eq!(version("no such thing"), None);
    }

    #[test]
    fn what_is_no_library_is_an_error_with_its_reason() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("libclang.so");
        std::fs::write(&path, "no library").expect("a file");
        let found = first_usable(&candidates_at(folder.path(), Origin::Named));
        assert!(matches!(found, Err(LibraryError::Unusable { path: p, .. }) if p == path.to_string_lossy()));
    }
}
