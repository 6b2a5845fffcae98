//! From libclang's positions to the module's source places.

use crate::clang::{FileKey, Macros, RawPos, RawRange, TranslationUnit};
use cudair_ir::{FileId, Loc, LocData, Module, OWN_HEADERS, Pos, SourceMap};
use rustc_hash::FxHashMap;
use std::sync::Arc;

struct FileInfo {
    id: FileId,
    /// Byte offsets of line starts and the text, kept only for files that are not plain ASCII:
    /// there, byte columns differ from character columns.
    text: Option<Arc<str>>,
}

/// The places of one translation unit.
pub(crate) struct Places<'tu> {
    unit: &'tu TranslationUnit,
    files: FxHashMap<FileKey, FileInfo>,
    cache: FxHashMap<RawRange, Option<Loc>>,
    /// Once somebody has asked.
    macros: Option<Macros>,
}

impl<'tu> Places<'tu> {
    pub fn new(unit: &'tu TranslationUnit) -> Self {
        Places { unit, files: FxHashMap::default(), cache: FxHashMap::default(), macros: None }
    }

    fn file(&mut self, map: &mut SourceMap, key: FileKey) -> &FileInfo {
        self.files.entry(key).or_insert_with(|| {
            let text: Option<Arc<str>> =
                self.unit.file_contents(key).map(|b| String::from_utf8_lossy(&b).into_owned().into());
            let ascii = text.as_deref().is_none_or(str::is_ascii);
            // The parser finds system headers by a path from its own folder; a reader knows them by their own.
            let name = self.unit.file_name(key);
            let plain = name.contains("/../").then(|| std::fs::canonicalize(&name).ok()).flatten();
            let name = plain.map_or(name, |p| p.to_string_lossy().into_owned());
            let id = map.file(&name, text.clone());
            FileInfo { id, text: if ascii { None } else { text } }
        })
    }

    fn pos(&mut self, map: &mut SourceMap, raw: RawPos) -> Option<(FileId, Pos)> {
        let info = self.file(map, raw.file?);
        let col = match &info.text {
            None => raw.column,
            Some(text) => {
                let start = raw.offset.saturating_sub(raw.column - 1) as usize;
                match text.get(start..raw.offset as usize) {
                    Some(before) => before.chars().count() as u32 + 1,
                    None => raw.column,
                }
            }
        };
        Some((info.id, Pos { line: raw.line, col }))
    }

    /// The place of a range; `None` for what stands in no file.
    pub fn range(&mut self, module: &mut Module, raw: RawRange) -> Option<Loc> {
        if let Some(&loc) = self.cache.get(&raw) {
            return loc;
        }
        let map = &mut module.source;
        let end = if raw.before_macro {
            self.macros.get_or_insert_with(|| Macros::new(self.unit)).end_of_use(self.unit, raw.end)
        } else {
            raw.end
        };
        let loc = self.interned(map, raw.start, end, None).map(|plain| {
            let Some((start, end)) = raw.spelling else { return plain };
            // What our own headers define is no place for a reader, and libclang 18 does not tell it.
            if self.pos(map, start).is_none_or(|(file, _)| map.files[file].path.starts_with(OWN_HEADERS)) {
                return plain;
            }
            match self.interned(map, start, end, None) {
                Some(spelling) if spelling != plain => {
                    let data = LocData { spelling: spelling.into(), ..map.locs[plain] };
                    map.intern(data)
                }
                _ => plain,
            }
        });
        self.cache.insert(raw, loc);
        loc
    }

    fn interned(
        &mut self,
        map: &mut SourceMap,
        start: RawPos,
        end: RawPos,
        spelling: Option<Loc>,
    ) -> Option<Loc> {
        let (file, start) = self.pos(map, start)?;
        let end = match self.pos(map, end) {
            Some((end_file, end)) if end_file == file && end >= start => end,
            _ => Pos { line: start.line, col: start.col + 1 },
        };
        Some(map.intern(LocData { file, start, end, spelling: spelling.into(), inlined_at: None.into() }))
    }
}
