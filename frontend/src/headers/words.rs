//! The words of headers. A name that one of them declares is among these, unless a macro pastes it together.

use super::parts::identifiers;
use rustc_hash::FxHashSet;
use std::path::{Path, PathBuf};

/// The words of a header and of all that it includes, comments and strings left out.
#[derive(Debug)]
pub struct Words<'a> {
    /// Where the system's headers are looked for.
    folders: &'a [PathBuf],
    found: FxHashSet<String>,
    is_whole: bool,
    seen: FxHashSet<PathBuf>,
    left: Vec<Header>,
}

/// A header that is still to be read.
#[derive(Debug)]
enum Header {
    /// Of cudair's own: its text.
    Own(&'static str),
    /// Of the system's: its path.
    System(PathBuf),
}

/// The folders in which absolute paths of files lie, and the folders in which these lie.
pub fn folders_of(files: impl Iterator<Item = String>) -> Vec<PathBuf> {
    let mut folders = FxHashSet::default();
    for file in files.filter(|file| file.starts_with('/') && !super::is_own_header(file)) {
        for folder in Path::new(&file).ancestors().skip(1) {
            if !folders.insert(folder.to_owned()) {
                break;
            }
        }
    }
    folders.into_iter().collect()
}

impl<'a> Words<'a> {
    /// Reads one of cudair's own headers, and what it leads to there and in folders of the system. Conditions are not looked at:
    /// all is read that could be included.
    pub fn of(first: &str, folders: &'a [PathBuf]) -> Words<'a> {
        let (found, seen) = Default::default();
        let mut all = Words { folders, found, is_whole: true, seen, left: Vec::new() };
        all.include(first, None);
        while let Some(header) = all.left.pop() {
            match header {
                Header::Own(text) => all.read(text, None),
                Header::System(path) => {
                    let text = std::fs::read(&path).unwrap_or_default();
                    all.read(&String::from_utf8_lossy(&text), path.parent());
                }
            }
        }
        all
    }

    /// Whether a name is a word of the headers.
    pub fn contains(&self, name: &str) -> bool {
        self.found.contains(name)
    }

    /// Whether all was found that cudair's own headers include. What others include need not be there: it can hang on conditions.
    pub fn is_whole(&self) -> bool {
        self.is_whole
    }

    fn read(&mut self, text: &str, beside: Option<&Path>) {
        for line in without_comments(text).lines() {
            let directive = line.trim_start().strip_prefix('#').map(str::trim_start);
            if let Some(rest) = directive.and_then(|d| d.strip_prefix("include")) {
                // What `#include_next` finds, the folders have, too.
                let rest = rest.strip_prefix("_next").unwrap_or(rest).trim();
                self.include(rest.trim_matches(['<', '>', '"']), beside);
                continue;
            }
            for word in identifiers(line) {
                if !self.found.contains(word) {
                    self.found.insert(word.to_owned());
                }
            }
        }
    }

    /// Adds the headers of a name that were not seen before to what is left to read.
    fn include(&mut self, name: &str, beside: Option<&Path>) {
        // cudair's own name each other from their own folder.
        let is_it = |path: &str| path == name || path.strip_prefix("cudair/") == Some(name);
        let own = super::unsaved_files().iter().chain(super::builtin_files());
        let mut is_found = false;
        for (path, text) in own.filter(|(path, _)| is_it(path)) {
            is_found = true;
            if self.seen.insert(PathBuf::from(path)) {
                self.left.push(Header::Own(text));
            }
        }
        for folder in beside.into_iter().chain(self.folders.iter().map(PathBuf::as_path)) {
            let path = folder.join(name);
            if self.seen.contains(&path) {
                is_found = true;
            } else if path.is_file() {
                is_found = true;
                self.seen.insert(path.clone());
                self.left.push(Header::System(path));
            }
        }
        self.is_whole &= is_found || beside.is_some();
    }
}

/// A text without what stands in comments and strings.
fn without_comments(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(['/', '"', '\'']) {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        let is_include = || {
            let line = out.lines().next_back().filter(|_| !out.ends_with('\n')).unwrap_or_default();
            line.trim_start().starts_with('#') && line.contains("include")
        };
        let skipped = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if let Some(comment) = rest.strip_prefix("/*") {
            out.push(' ');
            comment.find("*/").map_or(rest.len(), |end| 2 + end + 2)
        } else if rest.starts_with('"') && !is_include() {
            string_length(rest)
        } else if let Some(quote) = ["'\"'", "'\\\"'"].iter().find(|quote| rest.starts_with(**quote)) {
            quote.len()
        } else {
            out.push_str(&rest[..1]);
            1
        };
        rest = &rest[skipped..];
    }
    out.push_str(rest);
    out
}

/// How long a string is: to its closing quote, or to the line's end.
fn string_length(text: &str) -> usize {
    let mut escaped = false;
    for (at, byte) in text.bytes().enumerate().skip(1) {
        match byte {
            b'\n' if !escaped => return at,
            b'"' if !escaped => return at + 1,
            b'\\' if !escaped => escaped = true,
            _ => escaped = false,
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn comments_and_strings_are_no_words() {
        let text = "a /* b\n c */ d // e \"\nf(\"g \\\" h\", '\"', i)\n # include \"j.h\" /* k";
        let words: Vec<_> = identifiers(&without_comments(text)).map(str::to_owned).collect();
        assert_eq!(words, ["a", "d", "f", "i", "include", "j", "h"]);
    }

    #[test]
    fn headers_of_the_system_are_followed() {
        let folder = tempfile::tempdir().expect("a folder");
        let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).expect("a file");
        fs::create_dir(folder.path().join("bits")).expect("a folder");
        write(
            "vector",
            "#pragma once\n#  include \"bits/one.h\"\n#include_next <bits/two.h>\nint of_vector;\n",
        );
        write("bits/one.h", "#include <vector>\n#include \"beside.h\"\nint of_one;\n");
        write("bits/two.h", "int of_two; // not_declared\n#include <nowhere.h>\n");
        write("bits/beside.h", "int of_beside;\n");
        let folders = [folder.path().to_owned()];
        let words = Words::of(super::super::TRANSITIVE_NAME, &folders);
        for name in ["of_vector", "of_one", "of_two", "of_beside", "device_vector", "CachingDeviceAllocator"]
        {
            assert!(words.contains(name), "{name}");
        }
        assert!(!words.contains("not_declared"));
        // There is no `<iostream>`.
        assert!(!words.is_whole());
    }
}
