//! Where the parser looks for headers.
//!
//! libclang's interface does not tell. With `-v` the driver and the preprocessor write it to the process's stderr, as
//! clang does; so a parse of nothing runs with stderr led into a file. Its form is that of clang since version 3; what
//! does not have it gives nothing.

use super::{TranslationUnit, Unsaved};
use std::fs::File;
use std::io::{Read, Seek};
use std::path::PathBuf;

/// What decides where headers are found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct SearchPath {
    /// The folders in which headers are looked for, in order, and those that are not there.
    pub folders: Vec<PathBuf>,
    /// Installations of GCC and CUDA among which the driver chose, and files of configuration that it read.
    pub found: Vec<PathBuf>,
}

/// The search path under these arguments for a file with this name, which need not exist.
pub(crate) fn search_path(file: &str, arguments: &[String]) -> Option<SearchPath> {
    let mut arguments = arguments.to_vec();
    arguments.push("-v".to_owned());
    let unsaved = [Unsaved { path: file, contents: "\n" }];
    let text = with_stderr(|| TranslationUnit::parse(file, &arguments, &unsaved).map(drop).is_ok())?;
    read(&text)
}

/// Runs something and gives what it wrote to stderr, if it says that it went well.
#[cfg(unix)]
fn with_stderr(work: impl FnOnce() -> bool) -> Option<String> {
    use std::os::fd::{AsFd, AsRawFd, OwnedFd};
    let mut file: File = tempfile::tempfile().ok()?;
    let stderr = std::io::stderr();
    // What others write waits meanwhile.
    let locked = stderr.lock();
    let kept: OwnedFd = locked.as_fd().try_clone_to_owned().ok()?;
    /// Puts stderr back, whatever happens.
    struct Back(OwnedFd);
    impl Drop for Back {
        fn drop(&mut self) {
            // SAFETY: both descriptors are open.
            unsafe { libc::dup2(self.0.as_raw_fd(), libc::STDERR_FILENO) };
        }
    }
    // SAFETY: both descriptors are open; that of stderr is replaced as a whole.
    if unsafe { libc::dup2(file.as_raw_fd(), libc::STDERR_FILENO) } < 0 {
        return None;
    }
    let back = Back(kept);
    let well = work();
    drop(back);
    drop(locked);
    let mut text = String::new();
    file.rewind().ok()?;
    file.read_to_string(&mut text).ok()?;
    well.then_some(text)
}

/// Other systems have no cache.
#[cfg(not(unix))]
fn with_stderr(_: impl FnOnce() -> bool) -> Option<String> {
    None
}

/// Reads what `-v` says.
fn read(text: &str) -> Option<SearchPath> {
    let mut path = SearchPath::default();
    let (mut listed, mut ended) = (false, false);
    for line in text.lines() {
        let quoted = |head: &str| line.strip_prefix(head)?.strip_suffix('"').map(PathBuf::from);
        if listed && !ended {
            match line.strip_prefix(' ') {
                Some(folder) if !folder.ends_with(')') => path.folders.push(folder.into()),
                // Frameworks of a Mac, and maps of headers.
                Some(_) => return None,
                None if line.starts_with("#include <...>") => {}
                None => ended = line.starts_with("End of search list"),
            }
        } else if line.starts_with("#include \"...\" search starts here") {
            listed = true;
        } else if let Some(folder) =
            quoted("ignoring nonexistent directory \"").or_else(|| quoted("ignoring duplicate directory \""))
        {
            path.folders.push(folder);
        } else if let Some(found) = ["Found candidate GCC installation: ", "Configuration file: "]
            .into_iter()
            .find_map(|head| line.strip_prefix(head))
        {
            path.found.push(found.into());
        } else if let Some(found) = line.strip_prefix("Found CUDA installation: ") {
            path.found.push(found.split(", version").next()?.into());
        }
    }
    ended.then_some(path)
}

#[test]
fn the_search_list_is_read() {
    let text = "clang version 22\nFound candidate GCC installation: /usr/lib/gcc/x86_64-linux-gnu/12\n\
        ignoring nonexistent directory \"/include\"\n#include \"...\" search starts here:\n\
        #include <...> search starts here:\n inc\n /usr/include\nEnd of search list.\n";
    let path = read(text).expect("the form is known");
    assert_eq!(path.folders, ["/include", "inc", "/usr/include"].map(PathBuf::from));
    assert_eq!(path.found, [PathBuf::from("/usr/lib/gcc/x86_64-linux-gnu/12")]);
    assert_eq!(read("clang version 22\n"), None);
}
