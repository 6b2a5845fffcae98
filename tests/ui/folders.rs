//! The folders of end-to-end tests. Each is named here, so that one that is missing or empty fails: its tests
//! would pass by not running.

use std::path::{Path, PathBuf};

/// Folders of programs, each with the command that runs them.
const PROGRAMS: [(&str, &str); 6] = [
    ("examples", "run"),
    ("tests/run/fail", "run"),
    ("tests/run/pass", "run"),
    ("tests/check/fail", "check"),
    ("tests/check/pass", "check"),
    ("tests/lower", "lower"),
];

/// The programs with one of these extensions, relative to the root, each with its command.
pub fn programs(root: &Path, extensions: &[&str]) -> Result<Vec<(&'static str, PathBuf)>, String> {
    let mut found = Vec::new();
    for (folder, verb) in PROGRAMS {
        found.extend(files(root, folder, extensions)?.into_iter().map(|path| (verb, path)));
    }
    Ok(found)
}

/// The `.case` files, relative to the root.
pub fn cases(root: &Path) -> Result<Vec<PathBuf>, String> {
    files(root, "tests/cli", &["case"])
}

/// The files below a folder with one of these extensions; at least one.
fn files(root: &Path, folder: &str, extensions: &[&str]) -> Result<Vec<PathBuf>, String> {
    let mut found = Vec::new();
    below(root, Path::new(folder), extensions, &mut found)?;
    if found.is_empty() {
        return Err(format!("there is no test below {folder}"));
    }
    Ok(found)
}

/// Collects files in order. `aux` folders hold files that belong to other tests.
fn below(root: &Path, folder: &Path, extensions: &[&str], into: &mut Vec<PathBuf>) -> Result<(), String> {
    let told = |error| format!("the folder {} cannot be read: {error}", folder.display());
    let mut names = Vec::new();
    for entry in std::fs::read_dir(root.join(folder)).map_err(told)? {
        names.push(entry.map_err(told)?.file_name());
    }
    names.sort();
    for name in names {
        let path = folder.join(&name);
        if root.join(&path).is_dir() {
            if name != "aux" {
                below(root, &path, extensions, into)?;
            }
        } else if path.extension().is_some_and(|e| extensions.iter().any(|x| e == *x)) {
            into.push(path);
        }
    }
    Ok(())
}
