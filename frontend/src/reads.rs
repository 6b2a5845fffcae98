//! What a program's IR was made from: the files that the parser read, and the places where it looked for a header in
//! vain or where one would have been found first. Who keeps the IR asks it whether all that is as it was.
//!
//! The parser does not tell where it looked. It is worked out: the text of each file names the headers that it may ask
//! for, in branches that were left out too, and each of them may lie in each folder of the search path. That is more
//! than was looked at, never less. What makes a name while it is read ([`Reads::unrepeatable`]) is told as such.

use crate::clang::{self, Diagnostic, TranslationUnit, Unsaved};
use crate::headers;
use crate::literal::is_word;
use crate::parse::{self, Language, MACROS_NAME, Options, Prelude};
use rustc_hash::FxHashMap;
use std::borrow::Cow;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// A file that the parser read.
#[derive(Clone, Debug)]
pub struct ReadFile {
    /// Its path, as the parser has it.
    pub path: String,
    /// What it held.
    pub contents: Vec<u8>,
}

/// What IR was made from.
#[derive(Clone, Debug, Default)]
pub struct Reads {
    /// The files, each once. Those that cudair serves itself are not among them.
    pub files: Vec<ReadFile>,
    /// Where headers were looked for, or may have been. Files that were read are among them.
    pub places: BTreeSet<PathBuf>,
    /// Folders whose list of names decides which compiler's headers are used.
    pub folders: BTreeSet<PathBuf>,
    /// Why it may be another next time although all of that is the same.
    pub unrepeatable: Option<String>,
    known: FxHashMap<String, usize>,
    /// Headers that are asked for by a name in angle brackets or quotes.
    names: BTreeSet<String>,
    /// Headers beside a file that asks for them by a name in quotes.
    beside: BTreeSet<PathBuf>,
    /// Those names, by the file.
    quoted: FxHashMap<String, Vec<String>>,
    /// Texts that were looked through: those that are served to the parser.
    served: BTreeSet<String>,
}

impl Reads {
    /// Notes a source that is about to be parsed, as its reader has it.
    pub(crate) fn source(&mut self, file: &str, text: &str) {
        if let Some(&n) = self.known.get(file)
            && String::from_utf8_lossy(&self.files[n].contents) != text
        {
            self.refuse(&format!("{file} changed while it was read"));
        }
        self.file(file, text.as_bytes());
        // What is read as it is served has to be the same text.
        self.look_through(file, text.as_bytes());
    }

    /// Notes what a unit was parsed from.
    pub(crate) fn unit(
        &mut self,
        unit: &TranslationUnit,
        diagnostics: &[Diagnostic],
        unsaved: &[Unsaved<'_>],
    ) {
        if let Some(found) = diagnostics.iter().find(|d| d.option == "-Wdate-time") {
            self.refuse(&found.message);
        }
        for file in unit.files() {
            let name = unit.file_name(file);
            let Some(contents) = unit.file_contents(file) else {
                self.refuse(&format!("{name} cannot be read again"));
                continue;
            };
            if unsaved.iter().any(|u| u.path == name) {
                if self.served.insert(name.clone()) {
                    self.look_through(&name, &contents);
                }
                continue;
            }
            if self.known.contains_key(&name) {
                self.file(&name, &contents);
                continue;
            }
            self.file(&name, &contents);
            self.look_through(&name, &contents);
        }
    }

    /// Adds a file. One that is there already has to have the same contents.
    fn file(&mut self, path: &str, contents: &[u8]) {
        match self.known.get(path) {
            // A source that is not UTF-8 is noted as the text that is made of it; the parser has the bytes.
            Some(&n) if self.files[n].contents == contents => {}
            Some(_) => self.refuse(&format!("{path} changed while it was read, or is no text")),
            None => {
                self.known.insert(path.to_owned(), self.files.len());
                self.files.push(ReadFile { path: path.to_owned(), contents: contents.to_vec() });
            }
        }
    }

    fn refuse(&mut self, why: &str) {
        self.unrepeatable.get_or_insert_with(|| why.to_owned());
    }

    /// Notes the headers that a text may ask for.
    fn look_through(&mut self, file: &str, contents: &[u8]) {
        let text = String::from_utf8_lossy(contents);
        for asked in asked_for(&joined(&text)) {
            match asked {
                Asked::Angled(name) => {
                    self.names.insert(name.to_owned());
                }
                Asked::Quoted(name) => {
                    let folder = Path::new(file).parent().unwrap_or(Path::new(""));
                    self.beside.insert(folder.join(name));
                    self.names.insert(name.to_owned());
                    self.quoted.entry(file.to_owned()).or_default().push(name.to_owned());
                }
                Asked::Unknown(what) => self.refuse(&format!("{file}: {what}")),
            }
        }
    }

    /// Works out the places, once all files are parsed.
    pub(crate) fn complete(&mut self, options: &Options) {
        let mut folders = BTreeSet::new();
        let mut languages: Vec<Language> = Vec::new();
        for file in &options.files {
            let language = Language::of(file, options.force_cuda);
            if !languages.contains(&language) {
                languages.push(language);
            }
            // What is included first is looked for in the working directory, and beside the source.
            let folder = Path::new(file).parent().unwrap_or(Path::new(""));
            let first = [headers::PRELUDE_NAME, MACROS_NAME, headers::TRANSITIVE_NAME];
            for name in options.includes.iter().map(String::as_str).chain(first) {
                self.names.insert(name.to_owned());
                self.beside.insert(folder.join(name));
                self.beside.insert(name.into());
                // A precompiled one would be taken in its place.
                self.beside.extend(["pch", "gch"].map(|ending| format!("{name}.{ending}").into()));
            }
        }
        for language in languages {
            match search_path(options, language) {
                Some(path) => {
                    folders.extend(path.folders);
                    for found in path.found {
                        self.installation(&found);
                    }
                }
                None => self.refuse("the parser's search path is not known"),
            }
        }
        for name in &self.names {
            // An absolute name replaces the folder.
            self.places.extend(folders.iter().map(|folder| folder.join(name)));
        }
        self.places.append(&mut self.beside);
        // The driver takes the folder of a program of its own name for its own.
        self.places.insert("clang".into());
        match clang::about_files() {
            Ok((places, folders)) => {
                self.places.extend(places);
                self.folders.extend(folders);
            }
            Err(error) => self.refuse(&error.to_string()),
        }
        self.other_names();
        self.folders.extend(SURROUNDINGS.iter().map(PathBuf::from));
        self.names.clear();
    }

    /// Of a file that was read by several names the parser tells one. A header that it asks for may lie beside each.
    #[cfg(unix)]
    fn other_names(&mut self) {
        use std::os::unix::fs::MetadataExt;
        let id = |path: &Path| std::fs::metadata(path).ok().map(|about| (about.dev(), about.ino()));
        let quoted = self.quoted.iter().filter_map(|(file, names)| Some((id(Path::new(file))?, names)));
        let quoted: FxHashMap<(u64, u64), &Vec<String>> = quoted.collect();
        let mut new: Vec<PathBuf> = self.places.iter().cloned().collect();
        while let Some(place) = new.pop() {
            let Some(names) = id(&place).and_then(|id| quoted.get(&id)) else { continue };
            for name in *names {
                let beside = place.parent().unwrap_or(Path::new("")).join(name);
                if self.places.insert(beside.clone()) {
                    new.push(beside);
                }
            }
        }
    }

    /// Other systems have no cache.
    #[cfg(not(unix))]
    fn other_names(&mut self) {}

    /// Notes an installation or a file that the driver found, and the folders in which another may come to be.
    fn installation(&mut self, found: &Path) {
        if found.is_dir() {
            self.folders.extend(found.ancestors().take(3).map(Path::to_path_buf));
            for file in ["version.json", "version.txt", "include/cuda.h"] {
                self.folders.insert(found.join("include"));
                if let Ok(contents) = std::fs::read(found.join(file)) {
                    self.file(&found.join(file).to_string_lossy(), &contents);
                }
            }
        } else {
            match std::fs::read(found) {
                // Such a file may name another.
                Ok(contents) if !contents.contains(&b'@') => {
                    self.file(&found.to_string_lossy(), &contents);
                    self.folders.extend(found.parent().map(Path::to_path_buf));
                }
                _ => self.refuse(&format!("the parser's configuration {}", found.display())),
            }
        }
    }
}

/// Folders in which clang's driver looks for installations of GCC, the C++ library and CUDA, and for its configuration.
const SURROUNDINGS: [&str; 22] = [
    "/usr/lib/gcc",
    "/usr/lib/gcc-cross",
    "/usr/lib64/gcc",
    "/usr/lib32/gcc",
    "/usr/libx32/gcc",
    "/usr/local/lib/gcc",
    "/usr/local/lib64/gcc",
    "/lib/gcc",
    "/lib64/gcc",
    "/opt/rh",
    "/etc/env.d/gcc",
    "/usr/lib/x86_64-linux-gnu/gcc",
    "/usr/lib/aarch64-linux-gnu/gcc",
    "/usr/include/c++",
    "/usr/include/c++/v1",
    "/usr/include/x86_64-linux-gnu/c++",
    "/usr/include/aarch64-linux-gnu/c++",
    "/usr/local/include/c++",
    "/usr/local",
    "/usr/lib/cuda",
    "/etc/clang",
    "/usr/include",
];

/// The search path for sources of a language.
fn search_path(options: &Options, language: Language) -> Option<clang::SearchPath> {
    let arguments = parse::arguments(options, language, false, &[], Prelude::Whole).ok()?;
    let mut kept: Vec<String> = Vec::new();
    let mut rest = arguments.into_iter();
    while let Some(argument) = rest.next() {
        if argument == "-include" {
            rest.next();
        } else {
            kept.push(argument);
        }
    }
    clang::search_path("/__cudair__/nothing", &kept)
}

/// A header that a text may ask for.
#[derive(Debug, PartialEq, Eq)]
enum Asked<'a> {
    /// `<NAME>`
    Angled(&'a str),
    /// `"NAME"`
    Quoted(&'a str),
    /// One that the text does not name, or something other than a header.
    Unknown(&'static str),
}

/// Blanks within a line.
const BLANKS: [char; 4] = [' ', '\t', '\u{b}', '\u{c}'];

/// A text whose lines that end in a backslash are joined with the next ones.
fn joined(text: &str) -> Cow<'_, str> {
    let mut joined = String::new();
    let mut from = 0;
    for (at, _) in text.match_indices('\\') {
        let rest = text[at + 1..].trim_start_matches(BLANKS);
        if let Some(next) = ["\r\n", "\n", "\r"].iter().find_map(|end| rest.strip_prefix(end)) {
            joined.push_str(&text[from..at]);
            from = text.len() - next.len();
        }
    }
    if from == 0 {
        return text.into();
    }
    joined.push_str(&text[from..]);
    joined.into()
}

/// The headers that a text may ask for, wherever it does so. Its lines are joined.
fn asked_for(text: &str) -> Vec<Asked<'_>> {
    let mut found = Vec::new();
    if text.contains("??/") {
        found.push(Asked::Unknown("it has a trigraph"));
    }
    if text.contains("date-time") || text.contains("-Weverything") {
        found.push(Asked::Unknown("it switches warnings about dates"));
    }
    for (at, _) in text.match_indices("/*") {
        if is_hash(text[..at].trim_end_matches(BLANKS)) {
            found.push(Asked::Unknown("a comment parts a directive"));
        }
    }
    for word in ["include", "import", "embed"] {
        found.extend(text.match_indices(word).filter_map(|(at, _)| asked_at(text, at, word)));
    }
    found
}

/// What is asked for by a word that may be that of a directive.
fn asked_at<'a>(text: &'a str, at: usize, word: &str) -> Option<Asked<'a>> {
    let before = text[..at].trim_end_matches(BLANKS);
    let after = &text[at + word.len()..];
    let after = after.strip_prefix("_next").unwrap_or(after);
    if before.ends_with("##") || (before.ends_with(',') && after.trim_start().starts_with(')')) {
        return Some(Asked::Unknown("a macro makes a directive"));
    }
    let asks = text[..at].ends_with("__has_");
    // A longer word is none of these.
    if after.bytes().next().is_some_and(is_word) || (!asks && !is_hash(before)) {
        return None;
    }
    if word == "embed" {
        return Some(Asked::Unknown("it embeds a file"));
    }
    let mut after = after.trim_start_matches(BLANKS);
    if asks {
        // Old compilers lack it: it may be defined. Where the name alone stands, nothing is asked.
        if before.trim_end_matches("__has_").trim_end_matches(BLANKS).ends_with("define") {
            return None;
        }
        after = after.strip_prefix('(')?.trim_start_matches(BLANKS);
    }
    let name = |close: char| {
        let name = after[1..].split(['\n', '\r', close]).next()?;
        after[1 + name.len()..].starts_with(close).then_some(name)
    };
    match after.bytes().next()? {
        b'<' => name('>').map(Asked::Angled),
        b'"' => name('"').map(Asked::Quoted),
        // No more than a comment has other things there: `#include's`.
        c if is_word(c) || c == b'/' => Some(Asked::Unknown("a macro names a header")),
        _ => None,
    }
}

/// Whether a directive may begin at the end of this text: at a line's start, or behind a comment.
fn is_hash(before: &str) -> bool {
    let Some(rest) = ["#", "%:", "??="].iter().find_map(|hash| before.strip_suffix(hash)) else {
        return false;
    };
    let rest = rest.trim_end_matches(BLANKS);
    rest.is_empty() || rest.ends_with(['\n', '\r', '\u{feff}']) || rest.ends_with("*/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_in_a_text() {
        use Asked::{Angled, Quoted};
        let text = "#include <a.h>\n # include\t\"b/c.h\" // include\n#include_next <d>\n#if __has_include(<e.h>) && \
            defined(__has_include) && __has_include_next ( \"f\")\n#import <g>\n// to include it\n%:include <h>\n\
            # define __has_include(x) 0\n";
        let wanted = [
            Angled("a.h"),
            Quoted("b/c.h"),
            Angled("d"),
            Angled("e.h"),
            Quoted("f"),
            Angled("h"),
            Angled("g"),
        ];
        assert_eq!(asked_for(text), wanted);
        for text in ["#inc\\\nlude <a>\n", "#include \\ \r\n <a>\n", "x;\r#\\\ninclude <a>\r"] {
            assert_eq!(asked_for(&joined(text)), [Angled("a")], "{text:?}");
        }
        assert_eq!(asked_for("/*\n  #include's parts, #included <a>; do not include \"b\" */"), []);
    }

    #[test]
    fn what_a_text_does_not_tell() {
        for text in [
            "#include NAME\n",
            "#if __has_include(NAME)\n",
            "#embed \"a\"\n",
            "#if __has_embed(<a>)\n",
            "#/**/include <a>\n",
            "CAT(__has_, include)(<a>)\n",
            "#define H __has_ ## include\n",
            "#pragma GCC diagnostic ignored \"-Wdate-time\"\n",
        ] {
            assert!(asked_for(text).iter().any(|a| matches!(a, Asked::Unknown(_))), "{text}");
        }
    }
}
