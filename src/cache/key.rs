//! What tells one compilation from another before any file but the sources is read.

use super::libraries::identity;
use crate::compiler_args::{CompilerArgs, SOURCES};
use cudair_frontend::{Options, clang};
use cudair_passes::transform::Pipeline;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

/// Environment variables that decide what libclang does or which one is taken: their whole names.
const VARIABLES: [&str; 19] = [
    "AFS_HOME",
    "CPATH",
    "COMPILER_PATH",
    "CUDAIR_LIBCLANG",
    "CUDA_PATH",
    "FORCE_SDKROOT",
    "GCC_EXEC_PREFIX",
    "GLIBC_TUNABLES",
    "HIP_DEVICE_LIB_PATH",
    "HIP_PATH",
    "HOME",
    "LIBRARY_PATH",
    "PWD",
    "RC_DEBUG_PREFIX_MAP",
    "ROCM_PATH",
    "SDKROOT",
    "SOURCE_DATE_EPOCH",
    "XDG_CONFIG_HOME",
    "XDG_DATA_HOME",
];
/// The beginnings of others.
const BEGINNINGS: [&str; 8] = ["CCC_", "CINDEXTEST_", "CLANG_", "DYLD_", "LD_", "LIBCLANG_", "LLVM_", "RC_"];
/// The ends of others.
const ENDS: [&str; 2] = ["_INCLUDE_PATH", "_DEPLOYMENT_TARGET"];

fn decides(name: &OsStr) -> bool {
    let name = name.to_string_lossy();
    VARIABLES.contains(&&*name)
        || BEGINNINGS.iter().any(|b| name.starts_with(b))
        || ENDS.iter().any(|e| name.ends_with(e))
}

/// The key of a compilation. `None` where it is not one of files alone, or something of it cannot be told.
pub fn key(
    surroundings: &blake3::Hash,
    files: &[PathBuf],
    options: &Options,
    compiler: &CompilerArgs,
    passes: &Pipeline,
) -> Option<blake3::Hash> {
    let mut hasher = Parts(blake3::Hasher::new());
    hasher.part(surroundings.as_bytes());
    // Everything that the frontend is told.
    let Options {
        files: sources,
        include_dirs,
        system_dirs,
        macros,
        includes,
        std,
        arch,
        cuda_version,
        force_cuda,
        all_functions,
        uncalled_functions,
        isolate,
        replaced,
        record: _,
        precompiled: _,
        stage: _,
    } = options;
    let lists = [sources, include_dirs, system_dirs, macros, includes];
    let flags = [force_cuda, all_functions, uncalled_functions, isolate];
    let told = (lists, std, arch, cuda_version, flags, replaced);
    hasher.part(format!("{told:?}").as_bytes());
    hasher.part(format!("{passes:?}").as_bytes());
    hasher.part(&[u8::from(compiler.no_contraction), u8::from(compiler.fast_math)]);
    for file in files {
        let ending = file.extension().and_then(|e| e.to_str());
        if !compiler.force_cuda && !ending.is_some_and(|e| SOURCES.contains(&e)) {
            return None;
        }
        // A pipe can be read once.
        if !std::fs::metadata(file).ok()?.is_file() {
            return None;
        }
        hasher.part(file.to_str()?.as_bytes());
        hasher.part(&std::fs::read(file).ok()?);
    }
    Some(hasher.0.finalize())
}

/// What every compilation here rests on: cudair itself, the working directory, the environment, the libraries that may be
/// taken for libclang, and the system. `None` where something of it cannot be told.
pub fn surroundings() -> Option<blake3::Hash> {
    let mut hasher = Parts(blake3::Hasher::new());
    hasher.part(env!("CARGO_PKG_VERSION").as_bytes());
    let this = std::env::current_exe().ok()?;
    hasher.file(&this)?;
    hasher.part(std::env::current_dir().ok()?.as_os_str().as_encoded_bytes());
    let mut variables: Vec<_> = std::env::vars_os().filter(|(name, _)| decides(name)).collect();
    variables.sort();
    for (name, value) in variables {
        hasher.part(name.as_encoded_bytes());
        hasher.part(value.as_encoded_bytes());
    }
    for library in clang::candidates() {
        hasher.file(&library)?;
    }
    for about in SYSTEM {
        hasher.part(&std::fs::read(about).unwrap_or_else(|_| Vec::new()));
    }
    // clang looks for an installation of CUDA by the first `ptxas` of the search path.
    let path = std::env::var_os("PATH");
    let ptxas = path.iter().flat_map(std::env::split_paths).map(|p| p.join("ptxas")).find(|p| p.exists());
    hasher.part(ptxas.map_or(Vec::new(), |p| p.into_os_string().into_encoded_bytes()).as_slice());
    Some(hasher.0.finalize())
}

/// Files that say which libraries the system's loader takes, and which system it is.
const SYSTEM: [&str; 7] = [
    "/etc/ld.so.cache",
    "/etc/ld.so.preload",
    "/etc/os-release",
    "/etc/lsb-release",
    "/etc/redhat-release",
    "/etc/debian_version",
    "/System/Library/CoreServices/SystemVersion.plist",
];

/// Parts that are hashed one after the other, so that each ends where it ends.
struct Parts(blake3::Hasher);

impl Parts {
    fn part(&mut self, bytes: &[u8]) {
        self.0.update(&(bytes.len() as u64).to_le_bytes());
        self.0.update(bytes);
    }

    /// A file by its path and by what the file system says of it.
    fn file(&mut self, path: &Path) -> Option<()> {
        self.part(path.as_os_str().as_encoded_bytes());
        for number in identity(path)? {
            self.part(&number.to_le_bytes());
        }
        Some(())
    }
}
