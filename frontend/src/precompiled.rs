//! Precompiled headers. What a source includes first, by names in angle brackets, and what is read before it, is mostly
//! the system's and stays the same while the source changes. libclang can save its tree and take it from a file the next
//! time, which takes a tenth of the time of a parse.
//!
//! Only headers of the system and of cudair are precompiled: libclang does not list the declarations of a precompiled
//! header among those of the unit, and the lowering begins with those of the user's files. Where a precompiled header was
//! used and the source is refused, but for what libclang says of the user's files, it is read again without one
//! ([`crate::lower_files`]).

use crate::clang::crash::Guard;
use crate::clang::{self, Diagnostic, FileKey, Hidden, Severity, TranslationUnit, Unsaved};
use crate::parse::{Language, MACROS_NAME, Options};
use crate::reads::Reads;
use std::fmt::Debug;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Where precompiled headers are kept from one run to the next.
pub trait Headers: Debug + Send + Sync {
    /// What is kept under a key for a file. The key tells what the parser is told and which headers are read; the library
    /// and its surroundings are for the keeper to tell apart.
    fn find(&self, key: &str, file: &str) -> Found;
    /// Keeps a header: `save` writes it to a path and says whether it did. `None` where it cannot be used now.
    fn keep(&self, key: &str, header: New<'_>, save: &dyn Fn(&Path) -> bool) -> Option<Kept>;
    /// Never asks for a header of this key again; `file`: for this file.
    fn refuse(&self, key: &str, file: Option<&str>, why: &str);
    /// Lets a header go, which the parser does not take: a new one is to be made.
    fn forget(&self, key: &str, why: &str);
}

/// What is kept under a key.
#[derive(Debug)]
pub enum Found {
    /// A header, of which all holds that it was made from.
    Kept(Kept),
    /// None; one is to be made.
    Wanted,
    /// None, and none is to be made.
    Unwanted,
}

/// A precompiled header that may be used.
#[derive(Debug)]
pub struct Kept {
    /// Its file.
    pub path: PathBuf,
    /// What is emptied if the process crashes while the header is in use. It is then refused.
    pub record: PathBuf,
    /// The files that it was made from, as the parser names them.
    pub files: Vec<String>,
    /// What a unit with it does not show.
    pub hidden: Hidden,
    /// How many of the leading includes it holds.
    pub includes: usize,
}

/// One that was made.
#[derive(Clone, Copy, Debug)]
pub struct New<'a> {
    /// What it was made from.
    pub reads: &'a Reads,
    /// As in [`Kept`].
    pub files: &'a [String],
    /// As in [`Kept`].
    pub hidden: &'a Hidden,
    /// As in [`Kept`].
    pub includes: usize,
}

/// Precompiled headers for a compilation.
#[derive(Clone, Debug)]
pub struct Precompiled {
    keeper: Arc<dyn Headers>,
    used: Arc<Mutex<Used>>,
}

/// Headers that are in use.
#[derive(Default)]
struct Used {
    /// Their keys, each with the file that uses it.
    keys: Vec<(String, String)>,
    /// As in [`Kept`].
    records: Vec<PathBuf>,
    guard: Option<Guard>,
}

impl Debug for Used {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Used").field("keys", &self.keys).finish_non_exhaustive()
    }
}

impl Precompiled {
    /// Those of a keeper.
    pub fn new(keeper: Arc<dyn Headers>) -> Precompiled {
        Precompiled { keeper, used: Arc::default() }
    }

    fn used(&self) -> MutexGuard<'_, Used> {
        self.used.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Notes that a header is used from now on.
    fn begin(&self, key: &str, file: &str, kept: &Kept) -> Option<()> {
        let mut used = self.used();
        // One after the other: an older guard would restore what a newer one has set.
        used.guard = None;
        clang::settle().ok()?;
        used.records.push(kept.record.clone());
        used.guard = Some(Guard::new(&used.records)?);
        log::debug!(target: "cache", "from here on a crash starts cudair again");
        used.keys.push((key.to_owned(), file.to_owned()));
        Some(())
    }

    /// Notes that none is in use any more, and gives the keys of those that were.
    pub(crate) fn end(&self) -> Vec<(String, String)> {
        let mut used = self.used();
        used.guard = None;
        used.records.clear();
        std::mem::take(&mut used.keys)
    }

    /// Refuses headers for files: with them the files are refused, and without them not.
    pub(crate) fn refuse(&self, keys: &[(String, String)]) {
        for (key, file) in keys {
            self.keeper.refuse(key, Some(file), "the program is refused with it alone");
        }
    }
}

/// The name of the text that is precompiled. It lies nowhere.
const LEADING: &str = "/__cudair__/leading.h";

/// A parse for which a header may be kept.
pub(crate) struct Request<'a> {
    pub options: &'a Options,
    pub language: Language,
    pub file: &'a str,
    /// What the parser is to read as the file.
    pub text: &'a str,
    pub arguments: &'a [String],
    /// What is served from memory; a text for the file itself is not used.
    pub unsaved: &'a [Unsaved<'a>],
}

impl Request<'_> {
    /// The unit, parsed with a precompiled header, with what errors the file may have. `None` where there is no header.
    pub fn parse(&self) -> Option<TranslationUnit> {
        let precompiled = self.options.precompiled.as_ref()?;
        // The headers of the user, and texts that are not what lies on the disk, are not precompiled.
        let user =
            !self.options.includes.is_empty() || !self.options.replaced.is_empty() || self.options.isolate;
        // A source that is no UTF-8 is read as it is.
        if user || self.text.contains(char::REPLACEMENT_CHARACTER) {
            return None;
        }
        let includes = leading(self.text);
        if includes.is_empty() && self.language != Language::Cuda {
            return None;
        }
        let keeper = &*precompiled.keeper;
        let macros = self.unsaved.iter().find(|u| u.path.ends_with(MACROS_NAME)).map(|u| u.contents);
        let names: Vec<&str> = includes.iter().map(|i| i.name).collect();
        let key = format!("{:?} {macros:?} {names:?}", self.arguments);
        let kept = match keeper.find(&key, self.file) {
            Found::Kept(kept) => kept,
            Found::Wanted => self.make(keeper, &key, &names)?,
            Found::Unwanted => return None,
        };
        precompiled.begin(&key, self.file, &kept)?;
        self.parse_with(kept, &includes).map_err(|why| keeper.forget(&key, &why)).ok()
    }

    /// Parses with a header. An error is about the header.
    fn parse_with(&self, kept: Kept, includes: &[Include<'_>]) -> Result<TranslationUnit, String> {
        let mut text = self.text.to_owned();
        for include in includes.iter().take(kept.includes) {
            text.replace_range(include.range.clone(), &" ".repeat(include.range.len()));
        }
        let path = kept.path.to_str().ok_or("its path is no text")?;
        let mut arguments = self.arguments.to_vec();
        arguments.extend(["-include-pch".to_owned(), path.to_owned()]);
        let unsaved = self.served(self.file, &text);
        let unit = TranslationUnit::parse(self.file, &arguments, &unsaved).map_err(|e| e.to_string())?;
        // What is wrong with the header has no place, nor has the end of a list that is too long.
        let of_header = |d: &Diagnostic| {
            d.severity >= Severity::Error && d.start.file.is_none() && !d.message.contains("too many errors")
        };
        match unit.diagnostics().into_iter().find(of_header) {
            Some(wrong) => Err(wrong.message),
            None => Ok(unit.with_precompiled(&kept.files, kept.hidden, self.text)),
        }
    }

    /// What is served from memory, and a text in the file's place.
    fn served<'b>(&'b self, path: &'b str, contents: &'b str) -> Vec<Unsaved<'b>> {
        let others = self.unsaved.iter().copied().filter(|u| u.path != self.file);
        others.chain([Unsaved { path, contents }]).collect()
    }

    /// Precompiles what the file includes first, as far as that is the system's.
    fn make(&self, keeper: &dyn Headers, key: &str, names: &[&str]) -> Option<Kept> {
        let made = self.header(names).and_then(|(unit, includes)| {
            let files = unit.files().into_iter().map(|file| unit.file_name(file));
            let files: Vec<String> = files.filter(|name| name != LEADING).collect();
            let hidden = Hidden::of(&unit);
            let mut reads = Reads::default();
            let text = includes_of(&names[..includes]);
            let unsaved = self.served(LEADING, &text);
            reads.unit(&unit, &unit.diagnostics(), &unsaved);
            reads.complete(self.options);
            if let Some(why) = reads.unrepeatable {
                return Err(Why::Never(why));
            }
            let new = New { reads: &reads, files: &files, hidden: &hidden, includes };
            Ok(keeper.keep(key, new, &|path| unit.save(path)))
        });
        match made {
            Ok(kept) => kept,
            Err(Why::Never(why)) => {
                keeper.refuse(key, None, &why);
                None
            }
            Err(Why::Wrong(why)) => {
                keeper.forget(key, &why);
                None
            }
        }
    }

    /// The unit of the leading includes, and how many of them it holds.
    fn header(&self, names: &[&str]) -> Result<(TranslationUnit, usize), Why> {
        let mut count = names.len();
        loop {
            let text = includes_of(&names[..count]);
            let unsaved = self.served(LEADING, &text);
            let unit = TranslationUnit::parse_to_save(LEADING, self.arguments, &unsaved)
                .map_err(|error| Why::Wrong(error.to_string()))?;
            if let Some(wrong) = unit.diagnostics().into_iter().find(|d| d.severity >= Severity::Error) {
                return Err(Why::Wrong(wrong.message));
            }
            match unit.inclusions().into_iter().find(|&(file, _)| is_foreign(&unit, file)) {
                None => return Ok((unit, count)),
                Some((file, Some(line))) if (1..=count as u32).contains(&line) => {
                    log::debug!(target: "parse", "{} is not precompiled", unit.file_name(file));
                    count = line as usize - 1;
                }
                Some((file, _)) => {
                    let name = unit.file_name(file);
                    return Err(Why::Never(format!("{name} is read before the source")));
                }
            }
            if count == 0 && self.language != Language::Cuda {
                return Err(Why::Never("the first header is not the system's".to_owned()));
            }
        }
    }
}

/// A text that includes headers.
fn includes_of(names: &[&str]) -> String {
    names.iter().flat_map(|name| ["#include <", name, ">\n"]).collect()
}

/// Why a header was not made.
enum Why {
    /// Another time it would be the same.
    Never(String),
    /// The headers do not parse, as they are.
    Wrong(String),
}

/// Whether a file of the leading includes is not the system's. One with a relative path would get another name.
fn is_foreign(unit: &TranslationUnit, file: FileKey) -> bool {
    let name = unit.file_name(file);
    name != LEADING && (!unit.is_system_header(file) || !Path::new(&name).is_absolute())
}

/// A directive that includes a header by a name in angle brackets.
#[derive(Debug, PartialEq, Eq)]
struct Include<'a> {
    /// From its `#` to behind the name.
    range: Range<usize>,
    name: &'a str,
}

/// The directives with which a text begins, up to the first that is another one, and up to anything but comments and
/// blanks.
fn leading(text: &str) -> Vec<Include<'_>> {
    let mut found = Vec::new();
    let blanks = |rest: &str| rest.len() - rest.trim_start_matches([' ', '\t']).len();
    let mut at = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
    let mut starts_line = true;
    loop {
        let rest = &text[at..];
        if let Some(c) = rest.chars().next().filter(char::is_ascii_whitespace) {
            starts_line |= c == '\n';
            at += 1;
        } else if rest.starts_with("//") {
            let line = rest.split('\n').next().unwrap_or_default();
            // A line that goes on is left to the parser.
            if line.trim_end().ends_with(['\\', '/']) {
                return found;
            }
            at += line.len();
        } else if let Some(comment) = rest.strip_prefix("/*") {
            let Some(end) = comment.find("*/") else { return found };
            at += 2 + end + 2;
        } else if starts_line && rest.starts_with('#') {
            let mut end = 1 + blanks(&rest[1..]);
            let Some(after) = rest[end..].strip_prefix("include") else { return found };
            end = rest.len() - after.len();
            end += blanks(after);
            let Some(name) = rest[end..].strip_prefix('<') else { return found };
            let Some(length) = name.find(['>', '\n']).filter(|&n| name[n..].starts_with('>')) else {
                return found;
            };
            let name = &name[..length];
            end += length + 2;
            // What stands behind it is a comment, or it is not one of these.
            let behind = rest[end..].split('\n').next().unwrap_or_default().trim();
            let plain = behind.is_empty()
                || (behind.starts_with("//") && !behind.ends_with(['\\', '/']))
                || (behind.starts_with("/*") && behind.find("*/") == Some(behind.len() - 2));
            if !plain || name.contains('\\') {
                return found;
            }
            found.push(Include { range: at..at + end, name });
            starts_line = false;
            at += end;
        } else {
            return found;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(text: &str) -> Vec<&str> {
        leading(text).into_iter().map(|i| i.name).collect()
    }

    #[test]
    fn what_a_text_includes_first() {
        let text = "// One.\n/* two\n */ #include <a.h>\n\n  # include\t<b/c> // three\n#include <d>/* */\n#define X\n\
            #include <e>\n";
        assert_eq!(names(text), ["a.h", "b/c", "d"]);
        let found = leading(text);
        assert_eq!(&text[found[1].range.clone()], "# include\t<b/c>");
        assert_eq!(names("\u{feff}#include <a>\r\n#include <b>\r\n"), ["a", "b"]);
        assert_eq!(names("#include <a>"), ["a"]);
    }

    #[test]
    fn what_ends_the_leading_includes() {
        for behind in [
            "#include \"b\"\n",
            "int x;\n",
            "#pragma once\n",
            "#include_next <b>\n",
            "#include <b> x\n",
            "#include <b> /* a\n*/\n",
            "#include <b\n>\n",
            "#include \\\n<b>\n",
            "// goes on \\\n#include <b>\n",
            "// goes on ??/\n#include <b>\n",
            "/* open\n#include <b>\n",
            "x #include <b>\n",
            "/**/ # /**/ include <b>\n",
        ] {
            assert_eq!(names(&format!("#include <a>\n{behind}#include <c>\n")), ["a"], "{behind}");
        }
    }
}
