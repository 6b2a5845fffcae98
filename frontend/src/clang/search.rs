//! Where a libclang may lie: the folders, the names in them, and which to try first.
//!
//! This is the one list of such places. `./x` has none of its own; it asks `cudair doctor`.

use super::library::{NEWEST, OLDEST};
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// How cudair came to look at a library.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Origin {
    /// The user named it, by `CUDAIR_LIBCLANG` or `LIBCLANG_PATH`.
    Named,
    /// A package of the system, or of Homebrew and kin.
    System,
    /// The wheel of PyPI, in a folder of cudair's own.
    Wheel,
}

impl Origin {
    /// One word for it.
    pub fn name(self) -> &'static str {
        match self {
            Origin::Named => "named",
            Origin::System => "system",
            Origin::Wheel => "wheel",
        }
    }
}

/// A file that is libclang by its name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Candidate {
    /// The file.
    pub path: PathBuf,
    /// How it was met.
    pub origin: Origin,
    /// The major version that its name or its folder suggests.
    pub hint: Option<u32>,
}

impl Candidate {
    /// A file, with what its name, its folder or the file behind its link suggest.
    pub fn new(path: PathBuf, origin: Origin) -> Candidate {
        let real = path.canonicalize().ok();
        let hint = version_in(&path).or_else(|| real.as_deref().and_then(version_in));
        Candidate { path, origin, hint }
    }

    /// What is tried first has the lowest rank. A library that looks too old comes last: to open it takes time
    /// at each start.
    fn rank(&self) -> u32 {
        match self.hint {
            _ if self.origin == Origin::Named => 0,
            Some(version) if (OLDEST..=NEWEST).contains(&version) => 1,
            None if self.origin == Origin::Wheel => 1,
            Some(version) if version < OLDEST => 3,
            _ => 2,
        }
    }

    /// Does its name say that it is too old?
    pub fn looks_too_old(&self) -> bool {
        self.rank() == 3
    }
}

/// What the search depends on.
pub(super) struct Surroundings {
    /// `/`, but in tests.
    pub root: PathBuf,
    /// The executable that runs.
    pub executable: Option<PathBuf>,
    /// The folder of the user's data.
    pub data: Option<PathBuf>,
    /// `LIBCLANG_PATH`, which is also other programs': a hint, where `CUDAIR_LIBCLANG` is an order.
    pub libclang_path: Option<PathBuf>,
}

impl Surroundings {
    /// Those of this process.
    pub fn here() -> Surroundings {
        Surroundings {
            root: PathBuf::from("/"),
            executable: std::env::current_exe().ok(),
            data: data_folder(|name| std::env::var_os(name).filter(|v| !v.is_empty())),
            libclang_path: std::env::var_os("LIBCLANG_PATH").filter(|p| !p.is_empty()).map(PathBuf::from),
        }
    }

    /// Every file that is libclang by its name, each file once, in the order in which to try them.
    pub fn candidates(&self) -> Vec<Candidate> {
        let mut found = Vec::new();
        if let Some(path) = &self.libclang_path {
            found.extend(candidates_at(path, Origin::Named));
        }
        for folder in self.system_folders() {
            found.extend(candidates_at(&folder, Origin::System));
        }
        for folder in self.wheel_folders() {
            found.extend(candidates_at(&folder, Origin::Wheel));
        }
        found.sort_by_key(Candidate::rank);
        let mut seen = Vec::new();
        found.retain(|c| {
            let real = c.path.canonicalize().unwrap_or_else(|_| c.path.clone());
            let new = !seen.contains(&real);
            seen.push(real);
            new
        });
        found
    }

    /// The folders of packages: those of one version first, 22, then 21, then newer ones, then older ones.
    fn system_folders(&self) -> Vec<PathBuf> {
        let mut versioned: Vec<(u32, PathBuf)> = Vec::new();
        let mut add = |parent: &str, prefix: &str, below: &str| {
            for name in entries(&self.root.join(parent)) {
                if let Some(version) = name.strip_prefix(prefix).and_then(|v| v.parse().ok()) {
                    versioned.push((version, self.root.join(parent).join(&name).join(below)));
                }
            }
        };
        // Debian; Alpine; Fedora; Gentoo, twice; FreeBSD; MacPorts; Homebrew on both kinds of Mac and on Linux.
        add("usr/lib", "llvm-", "lib");
        add("usr/lib", "llvm", "lib");
        add("usr/lib64", "llvm", "lib");
        add("usr/lib/llvm", "", "lib64");
        add("usr/lib/llvm", "", "lib");
        add("usr/local", "llvm", "lib");
        add("opt/local/libexec", "llvm-", "lib");
        for homebrew in HOMEBREW {
            add(homebrew, "llvm@", "lib");
        }
        versioned.sort_by_key(|(version, _)| match *version {
            v if v > NEWEST => (1, v),
            v => (if v < OLDEST { 2 } else { 0 }, u32::MAX - v),
        });
        let mut folders: Vec<PathBuf> = versioned.into_iter().map(|(_, folder)| folder).collect();
        // Debian's folders for an architecture.
        for name in entries(&self.root.join("usr/lib")) {
            if name.contains("-linux-gnu") {
                folders.push(self.root.join("usr/lib").join(name));
            }
        }
        for folder in ["usr/lib64", "usr/lib", "usr/local/lib64", "usr/local/lib"] {
            folders.push(self.root.join(folder));
        }
        for homebrew in HOMEBREW {
            folders.push(self.root.join(homebrew).join("llvm/lib"));
        }
        for folder in [
            "Library/Developer/CommandLineTools/usr/lib",
            "Applications/Xcode.app/Contents/Developer/Toolchains/XcodeDefault.xctoolchain/usr/lib",
            "Program Files/LLVM/bin",
        ] {
            folders.push(self.root.join(folder));
        }
        folders
    }

    /// The folders that hold the wheel: the build's target folder, beside the executable, the user's data.
    fn wheel_folders(&self) -> Vec<PathBuf> {
        let mut parents = Vec::new();
        if let Some(folder) = self.executable.as_deref().and_then(Path::parent) {
            // Tests run from `target/debug/deps`. Cargo marks the target folder, whatever its name.
            parents.extend(
                folder
                    .ancestors()
                    .take(3)
                    .filter(|a| a.join("CACHEDIR.TAG").is_file())
                    .map(Path::to_path_buf),
            );
            parents.push(folder.to_path_buf());
            parents.extend(folder.parent().map(|prefix| prefix.join("lib/cudair")));
        }
        parents.extend(self.data.clone());
        let layouts = ["libclang/clang/native", "libclang/native", "libclang"];
        parents.iter().flat_map(|parent| layouts.map(|layout| parent.join(layout))).collect()
    }

    /// The folder into which to unpack the wheel.
    pub fn wheel_home(&self) -> Option<PathBuf> {
        self.data.as_ref().map(|data| data.join("libclang"))
    }
}

/// Where Homebrew keeps what it installs.
const HOMEBREW: [&str; 3] = ["opt/homebrew/opt", "usr/local/opt", "home/linuxbrew/.linuxbrew/opt"];

/// The names in a folder, in order; none where it cannot be read.
fn entries(folder: &Path) -> Vec<String> {
    let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
    let mut names: Vec<String> =
        entries.flatten().map(|e| e.file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

/// The file itself, or those of a folder that are libclang by their names, highest version first.
pub(super) fn candidates_at(path: &Path, origin: Origin) -> Vec<Candidate> {
    if !path.is_dir() {
        return if path.exists() { vec![Candidate::new(path.to_path_buf(), origin)] } else { Vec::new() };
    }
    let files = entries(path).into_iter().filter(|name| is_libclang(name)).map(|name| path.join(name));
    let mut found: Vec<Candidate> =
        files.filter(|file| file.is_file()).map(|file| Candidate::new(file, origin)).collect();
    found.sort_by_key(|c| std::cmp::Reverse(c.hint));
    found
}

/// Is this a name of libclang's shared library: `libclang.so`, `libclang.so.22.1`, `libclang-22.so.1`,
/// `libclang.dylib`? `libclang-cpp.so.22` is another library.
fn is_libclang(name: &str) -> bool {
    let Some(rest) = name.strip_prefix("libclang") else { return false };
    let numbers = |text: &str| text.chars().all(|c| c.is_ascii_digit() || c == '.');
    match rest.split_once(".so") {
        Some((version, suffix)) => {
            (version.is_empty() || version.starts_with('-') && numbers(&version[1..]))
                && (suffix.is_empty() || suffix.starts_with('.') && numbers(suffix))
        }
        None => rest.strip_suffix(".dylib").or_else(|| rest.strip_suffix(".dll")).is_some_and(numbers),
    }
}

/// The major version that a path tells: that of the name, or that of a folder `llvm-22`.
fn version_in(path: &Path) -> Option<u32> {
    let name = path.file_name()?.to_str()?;
    let first = |text: &str| -> Option<u32> { text.split('.').find(|part| !part.is_empty())?.parse().ok() };
    let rest = name.strip_prefix("libclang")?;
    let (version, suffix) = rest.split_once(".so").unwrap_or((rest, ""));
    let named = version.strip_prefix('-').and_then(first).or_else(|| {
        // `libclang.so.1` and, since LLVM 13, `libclang.so.13` name the interface, not the version.
        first(suffix).filter(|&v| v != 1 && v != 13)
    });
    named.or_else(|| {
        path.iter()
            .filter_map(|part| part.to_str()?.strip_prefix("llvm"))
            .find_map(|version| version.trim_start_matches(['-', '@']).parse().ok())
    })
}

/// The folder of cudair's data: `XDG_DATA_HOME` or `~/.local/share`, on a Mac `~/Library/Application Support`,
/// on Windows `LOCALAPPDATA`, and `cudair` below.
fn data_folder(variable: impl Fn(&str) -> Option<OsString>) -> Option<PathBuf> {
    let home = || variable("HOME").map(PathBuf::from);
    let data = if cfg!(windows) {
        variable("LOCALAPPDATA").map(PathBuf::from)
    } else if let Some(data) = variable("XDG_DATA_HOME").map(PathBuf::from).filter(|d| d.is_absolute()) {
        Some(data)
    } else if cfg!(target_os = "macos") {
        home().map(|home| home.join("Library/Application Support"))
    } else {
        home().map(|home| home.join(".local/share"))
    };
    data.map(|data| data.join("cudair"))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A file system with these files, all empty.
    fn files(names: &[&str]) -> tempfile::TempDir {
        let root = tempfile::tempdir().expect("a folder");
        for name in names {
            let path = root.path().join(name);
            std::fs::create_dir_all(path.parent().expect("a parent")).expect("a folder");
            std::fs::write(path, "").expect("a file");
        }
        root
    }

    /// What is found there, in order, relative to the root.
    fn found(root: &Path, executable: Option<&str>) -> Vec<(String, Origin)> {
        let surroundings = Surroundings {
            root: root.to_path_buf(),
            executable: executable.map(|e| root.join(e)),
            data: Some(root.join("home/u/.local/share/cudair")),
            libclang_path: None,
        };
        let relative = |c: Candidate| {
            let path = c.path.strip_prefix(root).expect("below the root").to_string_lossy().into_owned();
            (path, c.origin)
        };
        surroundings.candidates().into_iter().map(relative).collect()
    }

    #[test]
    fn names_of_the_library() {
        for name in [
            "libclang.so",
            "libclang.so.1",
            "libclang.so.13",
            "libclang.so.22.1",
            "libclang.so.22",
            "libclang-22.so.1",
            "libclang-22.so.22.1.8",
            "libclang-22.so",
            "libclang.dylib",
            "libclang.dll",
        ] {
            assert!(is_libclang(name), "{name}");
        }
        for name in [
            "libclang-cpp.so.18",
            "libclang-cpp.so",
            "libclang-cpp.dylib",
            "libclang.a",
            "libclang.so.22.1.debug",
            "libclang_rt.so",
            "libclang",
        ] {
            assert!(!is_libclang(name), "{name}");
        }
    }

    #[test]
    fn versions_in_names() {
        let version = |path: &str| version_in(Path::new(path));
        assert_eq!(version("/a/libclang.so.22.1"), Some(22));
        assert_eq!(version("/a/libclang-14.so.14.0.6"), Some(14));
        assert_eq!(version("/a/libclang-21.so.1"), Some(21));
        assert_eq!(version("/usr/lib/llvm-23/lib/libclang.so.1"), Some(23));
        assert_eq!(version("/opt/homebrew/opt/llvm@21/lib/libclang.dylib"), Some(21));
        assert_eq!(version("/usr/lib/llvm/lib/libclang.so"), None);
        // The number of the interface.
        assert_eq!(version("/a/libclang.so.13"), None);
        assert_eq!(version("/a/libclang.so.1"), None);
    }

    #[test]
    fn the_right_version_comes_first_and_older_ones_last() {
        let root = files(&[
            "usr/lib/llvm-14/lib/libclang.so.1",
            "usr/lib/llvm-18/lib/libclang-cpp.so.18",
            "usr/lib/llvm-21/lib/libclang.so.1",
            "usr/lib/llvm-22/lib/libclang.so.1",
            "usr/lib/llvm-23/lib/libclang.so.1",
            "usr/lib64/libclang.so.13",
            "home/u/.local/share/cudair/libclang/clang/native/libclang.so",
        ]);
        let paths: Vec<String> = found(root.path(), None).into_iter().map(|(path, _)| path).collect();
        let wanted = [
            "usr/lib/llvm-22/lib/libclang.so.1",
            "usr/lib/llvm-21/lib/libclang.so.1",
            "home/u/.local/share/cudair/libclang/clang/native/libclang.so",
            "usr/lib/llvm-23/lib/libclang.so.1",
            "usr/lib64/libclang.so.13",
            "usr/lib/llvm-14/lib/libclang.so.1",
        ];
        assert_eq!(paths, wanted);
    }

    #[test]
    fn places_of_other_systems() {
        for path in [
            "usr/lib64/libclang.so.21.1",
            "usr/lib64/llvm21/lib/libclang.so",
            "usr/lib/llvm21/lib/libclang.so",
            "usr/lib/llvm/22/lib64/libclang.so.22.1",
            "usr/lib/aarch64-linux-gnu/libclang-22.so.1",
            "usr/local/llvm22/lib/libclang.so",
            "opt/homebrew/opt/llvm/lib/libclang.dylib",
            "opt/homebrew/opt/llvm@21/lib/libclang.dylib",
            "usr/local/opt/llvm/lib/libclang.dylib",
            "opt/local/libexec/llvm-22/lib/libclang.dylib",
            "Library/Developer/CommandLineTools/usr/lib/libclang.dylib",
        ] {
            let root = files(&[path]);
            assert_eq!(found(root.path(), None), [(path.to_owned(), Origin::System)]);
        }
    }

    #[test]
    fn places_of_the_wheel() {
        let root = files(&[
            "project/build/CACHEDIR.TAG",
            "project/build/libclang/clang/native/libclang.so",
            "bin/libclang/clang/native/libclang.so",
            "lib/cudair/libclang/clang/native/libclang.so",
            // Another's folder of that name, above the executable.
            "project/libclang/libclang.so",
        ]);
        let wheel = |path: &str| (path.to_owned(), Origin::Wheel);
        let target = [wheel("project/build/libclang/clang/native/libclang.so")];
        assert_eq!(found(root.path(), Some("project/build/release/cudair")), target);
        assert_eq!(found(root.path(), Some("project/build/debug/deps/ui")), target);
        let installed = [
            wheel("bin/libclang/clang/native/libclang.so"),
            wheel("lib/cudair/libclang/clang/native/libclang.so"),
        ];
        assert_eq!(found(root.path(), Some("bin/cudair")), installed);
    }

    #[cfg(unix)]
    #[test]
    fn links_to_one_file_count_once() {
        let root = files(&["usr/lib/llvm-22/lib/libclang-22.so.22.1.8"]);
        let folder = root.path().join("usr/lib/llvm-22/lib");
        for name in ["libclang.so", "libclang.so.1"] {
            std::os::unix::fs::symlink("libclang-22.so.22.1.8", folder.join(name)).expect("a link");
        }
        assert_eq!(found(root.path(), None).len(), 1);
    }

    #[cfg(all(unix, not(target_os = "macos")))]
    #[test]
    fn the_folder_of_data() {
        let folder = |pairs: &[(&str, &str)]| {
            data_folder(|name| pairs.iter().find(|(n, _)| *n == name).map(|(_, v)| (*v).into()))
        };
        assert_eq!(folder(&[("HOME", "/home/u")]), Some("/home/u/.local/share/cudair".into()));
        assert_eq!(folder(&[("HOME", "/home/u"), ("XDG_DATA_HOME", "/d")]), Some("/d/cudair".into()));
        // The specification has relative ones ignored.
        assert_eq!(
            folder(&[("HOME", "/home/u"), ("XDG_DATA_HOME", "d")]),
            Some("/home/u/.local/share/cudair".into())
        );
        assert_eq!(folder(&[]), None);
    }
}
