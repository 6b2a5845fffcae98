//! Source places.
//!
//! A [`LocData`] is interned once per module; instructions, sites, slots and globals refer to it by
//! [`Loc`]. The range is the one a reader of the program sees: for code from a macro, the use of the
//! macro, with [`LocData::spelling`] naming the place inside its definition. Code that was inlined
//! keeps its own place and adds [`LocData::inlined_at`], so that clones of one place are recognised
//! (see [`SourceMap::source_place`]) and a report can walk the call path.

use crate::entities::{FileId, Loc};
use cranelift_entity::PrimaryMap;
use cranelift_entity::packed_option::PackedOption;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// A position in a file. Lines and columns count from 1, columns in characters.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Pos {
    /// Line, from 1.
    pub line: u32,
    /// Column in characters, from 1.
    pub col: u32,
}

/// A source file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileData {
    /// The path as the user wrote it or as the compiler resolved it.
    pub path: String,
    /// The contents, where they are at hand. Not part of the textual IR.
    pub text: Option<Arc<str>>,
    /// It is the system's or our own rather than the user's.
    pub library: bool,
}

/// A source place.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct LocData {
    /// The file.
    pub file: FileId,
    /// Start of the range.
    pub start: Pos,
    /// End of the range, exclusive.
    pub end: Pos,
    /// Where the code comes from a macro: the place inside the macro's definition.
    pub spelling: PackedOption<Loc>,
    /// Where the code was inlined: the place of the call.
    pub inlined_at: PackedOption<Loc>,
}

/// Where the paths of headers that cudair brings itself begin. A reader of a report does not know them.
pub const OWN_HEADERS: &str = "/__cudair__/";

/// Whether a path is one of the system's headers or ours.
fn is_library(path: &str) -> bool {
    [OWN_HEADERS, "/usr/include/", "/usr/lib/", "/usr/local/include/"].iter().any(|p| path.starts_with(p))
        || path.contains("/include/c++/")
}

/// All files and places of a module.
#[derive(Clone, Debug, Default)]
pub struct SourceMap {
    /// The files.
    pub files: PrimaryMap<FileId, FileData>,
    /// The places. Add with [`SourceMap::intern`].
    pub locs: PrimaryMap<Loc, LocData>,
    interned: FxHashMap<LocData, Loc>,
    by_path: FxHashMap<String, FileId>,
}

impl SourceMap {
    /// The entity of a file, added when new. A text given later fills a missing one.
    pub fn file(&mut self, path: &str, text: Option<Arc<str>>) -> FileId {
        if let Some(&id) = self.by_path.get(path) {
            if self.files[id].text.is_none() {
                self.files[id].text = text;
            }
            return id;
        }
        let id = self.files.push(FileData { path: path.to_owned(), text, library: is_library(path) });
        self.by_path.insert(path.to_owned(), id);
        id
    }

    /// The entity of a place, added when new.
    pub fn intern(&mut self, data: LocData) -> Loc {
        if let Some(&loc) = self.interned.get(&data) {
            return loc;
        }
        let loc = self.locs.push(data);
        self.interned.insert(data, loc);
        loc
    }

    /// `loc` as it stands once the call at `call` was inlined: the innermost chain is extended at its
    /// outer end.
    pub fn inlined(&mut self, loc: Loc, call: Loc) -> Loc {
        let data = self.locs[loc];
        let at = match data.inlined_at.expand() {
            None => call,
            Some(inner) => self.inlined(inner, call),
        };
        self.intern(LocData { inlined_at: at.into(), ..data })
    }

    /// What is written at a place, on one line; `None` where the file's contents are not at hand.
    pub fn text(&self, loc: Loc) -> Option<String> {
        let data = &self.locs[loc];
        let (first, last) = (data.start.line as usize, data.end.line as usize);
        let lines =
            self.files[data.file].text.as_ref()?.lines().enumerate().take(last).skip(first.max(1) - 1);
        let mut words: Vec<String> = Vec::new();
        for (n, line) in lines {
            let end = if n + 1 == last { data.end.col.saturating_sub(1) as usize } else { usize::MAX };
            let start = if n + 1 == first { data.start.col.saturating_sub(1) as usize } else { 0 };
            let part: String = line.chars().take(end).skip(start).collect();
            words.extend(part.split_whitespace().map(str::to_owned));
        }
        (!words.is_empty()).then(|| words.join(" "))
    }

    /// The place without its inlining chain: equal for all clones of one source place.
    pub fn source_place(&self, loc: Loc) -> LocData {
        LocData { inlined_at: None.into(), ..self.locs[loc] }
    }

    /// The place inside a macro's definition that code comes from: file, start, end.
    pub fn spelling(&self, place: &LocData) -> Option<(String, Pos, Pos)> {
        let inside = &self.locs[place.spelling.expand()?];
        Some((self.files[inside.file].path.clone(), inside.start, inside.end))
    }

    /// The place that a reader knows: `loc` itself, or where it lies in a header of our own, the innermost
    /// call on its path that does not.
    pub fn visible(&self, loc: Loc) -> Loc {
        let mut at = loc;
        while self.files[self.locs[at].file].path.starts_with(OWN_HEADERS) {
            match self.locs[at].inlined_at.expand() {
                Some(call) => at = call,
                None => return loc,
            }
        }
        at
    }

    /// The innermost of `loc` and the calls on its path that is in a file of the user's.
    pub fn outside_libraries(&self, loc: Loc) -> Option<Loc> {
        let mut at = loc;
        while self.files[self.locs[at].file].library {
            at = self.locs[at].inlined_at.expand()?;
        }
        Some(at)
    }

    /// The places of the calls through which `loc` was inlined, innermost first.
    pub fn call_path(&self, loc: Loc) -> Vec<Loc> {
        let mut path = Vec::new();
        let mut at = self.locs[loc].inlined_at.expand();
        while let Some(call) = at {
            path.push(call);
            at = self.locs[call].inlined_at.expand();
        }
        path
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_at_a_place_is_one_line() {
        let mut map = SourceMap::default();
        let file = map.file("k.cu", Some("a = (é +\n     \t c)  ;\n".into()));
        let mut text = |start: (u32, u32), end: (u32, u32)| {
            let pos = |(line, col)| Pos { line, col };
            let (spelling, inlined_at) = (None.into(), None.into());
            let loc = map.intern(LocData { file, start: pos(start), end: pos(end), spelling, inlined_at });
            map.text(loc)
        };
        assert_eq!(text((1, 5), (2, 10)).as_deref(), Some("(é + c)"));
        assert_eq!(text((1, 6), (1, 7)).as_deref(), Some("é"));
        assert_eq!(text((1, 2), (1, 3)), None);
        assert_eq!(text((0, 0), (0, 0)), None);
        assert_eq!(text((7, 1), (9, 1)), None);
    }
}
