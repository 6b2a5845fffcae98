//! A changed text: what it is made of, and where a place of it was before.

use cudair_ir::{Edit, Pos};
use std::ops::Range;

/// A part of a changed text.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Piece {
    /// What stood there before.
    Old(Range<usize>),
    /// What is new.
    New(String),
}

/// A range that gives way to something else.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Replacement {
    /// What is taken away; empty where something is inserted.
    pub at: Range<usize>,
    /// What is put there.
    pub put: Vec<Piece>,
}

impl Replacement {
    /// Inserts words.
    pub fn insert(at: usize, words: String) -> Replacement {
        Replacement { at: at..at, put: vec![Piece::New(words)] }
    }
}

/// A changed text.
#[derive(Clone, Debug)]
pub struct Changed {
    /// The file's path.
    pub file: String,
    /// What it holds now.
    pub text: String,
    /// How it came to that.
    pub edits: Vec<Edit>,
    old: Lines,
    new: Lines,
    /// Where each piece begins in the new text, and where it was in the old one.
    origins: Vec<(usize, Option<usize>)>,
}

impl Changed {
    /// Changes a text. Ranges do not overlap.
    pub fn new(file: &str, old: &str, mut replacements: Vec<Replacement>) -> Changed {
        replacements.sort_by_key(|r| r.at.start);
        let lines = Lines::of(old);
        let mut text = String::new();
        let mut origins = Vec::new();
        let mut edits = Vec::new();
        let mut at = 0;
        let words = |piece: &Piece| match piece {
            Piece::Old(range) => old[range.clone()].to_owned(),
            Piece::New(words) => words.clone(),
        };
        for r in &replacements {
            let put: String = r.put.iter().map(words).collect();
            let [start, end] = [r.at.start, r.at.end].map(|n| lines.position(old, n));
            edits.push(Edit { file: file.to_owned(), start, end, text: put });
            for piece in std::iter::once(&Piece::Old(at..r.at.start)).chain(&r.put) {
                let from = if let Piece::Old(range) = piece { Some(range.start) } else { None };
                origins.push((text.len(), from));
                text.push_str(&words(piece));
            }
            at = r.at.end;
        }
        origins.push((text.len(), Some(at)));
        text.push_str(&old[at..]);
        Changed { file: file.to_owned(), edits, new: Lines::of(&text), text, old: lines, origins }
    }

    /// Where a place of the changed text was in `old`. What is new was at line 0.
    pub fn back(&self, old: &str, place: Pos) -> Pos {
        let Some(now) = self.new.offset(&self.text, place) else { return place };
        let (start, origin) = match self.origins.partition_point(|(start, _)| *start <= now) {
            0 => return place,
            n => self.origins[n - 1],
        };
        origin.map_or(Pos::default(), |origin| self.old.position(old, origin + (now - start)))
    }
}

/// Where the lines of a text begin.
#[derive(Clone, Debug)]
pub struct Lines(Vec<usize>);

impl Lines {
    /// Those of a text.
    pub fn of(text: &str) -> Lines {
        let after = text.bytes().enumerate().filter(|(_, b)| *b == b'\n').map(|(n, _)| n + 1);
        Lines(std::iter::once(0).chain(after).collect())
    }

    /// Where a byte is.
    pub fn position(&self, text: &str, at: usize) -> Pos {
        let line = self.0.partition_point(|&start| start <= at).max(1);
        let before = text.get(self.0[line - 1]..at).unwrap_or_default();
        Pos { line: line as u32, col: before.chars().count() as u32 + 1 }
    }

    /// The byte at a place.
    pub fn offset(&self, text: &str, place: Pos) -> Option<usize> {
        let start = *self.0.get((place.line as usize).checked_sub(1)?)?;
        let line = text.get(start..)?.split('\n').next()?;
        let column = (place.col as usize).checked_sub(1)?;
        let mut ends = line.char_indices().map(|(n, _)| n).chain([line.len()]);
        ends.nth(column).map(|n| start + n)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_of_a_changed_text_were_somewhere() {
        let old = "é a;\n  b = c;\n";
        let at = |words: &str| old.find(words).expect("there");
        let (b, c) = (at("b = c"), at("c;"));
        let split = Replacement {
            at: b..b,
            put: vec![
                Piece::New("auto v = ".to_owned()),
                Piece::Old(c..c + 1),
                Piece::New(";\n  ".to_owned()),
            ],
        };
        let value = Replacement { at: c..c + 1, put: vec![Piece::New("v".to_owned())] };
        let changed = Changed::new("x.cu", old, vec![value, split]);
        assert_eq!(changed.text, "é a;\n  auto v = c;\n  b = v;\n");
        let pos = |line, col| Pos { line, col };
        assert_eq!(changed.back(old, pos(1, 3)), pos(1, 3));
        assert_eq!(changed.back(old, pos(2, 12)), pos(2, 7), "what was moved");
        assert_eq!(changed.back(old, pos(2, 3)), pos(0, 0), "what is new");
        assert_eq!(changed.back(old, pos(3, 3)), pos(2, 3));
        assert_eq!(changed.back(old, pos(3, 8)), pos(2, 8));
        let edits: Vec<(Pos, Pos, &str)> = changed.edits.iter().map(|e| (e.start, e.end, &*e.text)).collect();
        assert_eq!(edits, [(pos(2, 3), pos(2, 3), "auto v = c;\n  "), (pos(2, 7), pos(2, 8), "v")]);
    }
}
