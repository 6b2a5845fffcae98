//! A rewritten text that knows where each of its bytes comes from.
//!
//! A [`Text`] is a list of pieces. A piece is copied from the original, byte by byte, or it was written by a rewrite and
//! stands for a stretch of the original. Edits of an edited text compose.

use std::ops::Range;

/// A stretch of text and what it stands for in the original.
#[derive(Clone, Debug)]
struct Piece {
    text: String,
    /// The bytes of the original.
    origin: Range<usize>,
    /// Byte `i` of the piece is byte `i` of the stretch.
    copied: bool,
}

impl Piece {
    fn slice(&self, range: Range<usize>) -> Piece {
        let origin = if self.copied {
            self.origin.start + range.start..self.origin.start + range.end
        } else {
            self.origin.clone()
        };
        Piece { text: self.text[range].to_owned(), origin, copied: self.copied }
    }
}

/// A change of a text: `range` is replaced.
#[derive(Clone, Debug)]
pub struct Edit {
    /// The bytes that go; empty for an insertion.
    pub range: Range<usize>,
    /// What comes instead.
    pub text: String,
    /// The order of insertions at one place; those of less rank stand first.
    pub rank: i64,
    /// Where the bytes go: a header of this name.
    pub header: Option<String>,
}

/// Ranks of brackets are beyond those of all other insertions.
const BRACKETS: i64 = 1 << 40;

impl Edit {
    /// An insertion.
    pub fn insert(at: usize, text: impl Into<String>) -> Edit {
        Edit { range: at..at, text: text.into(), rank: 0, header: None }
    }

    /// A replacement.
    pub fn replace(range: Range<usize>, text: impl Into<String>) -> Edit {
        Edit { range, text: text.into(), rank: 0, header: None }
    }

    /// A pair of brackets around a range: pairs that share an end are nested as their ranges are.
    pub fn around(range: Range<usize>, open: &str, close: &str) -> [Edit; 2] {
        let size = range.len() as i64;
        [
            Edit { rank: BRACKETS - size, ..Edit::insert(range.start, open) },
            Edit { rank: size - BRACKETS, ..Edit::insert(range.end, close) },
        ]
    }
}

/// A line that a rewrite puts at the head of the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// The line, without its end.
    pub text: String,
    /// The bytes of the text that it stands for, if it does for any.
    pub range: Option<Range<usize>>,
}

/// A text with the places that its bytes come from.
#[derive(Clone, Debug)]
pub struct Text {
    pieces: Vec<Piece>,
    /// Headers that took a part of it.
    pub headers: Vec<(String, Text)>,
}

impl Text {
    /// An original.
    pub fn new(text: &str) -> Text {
        let piece = Piece { text: text.to_owned(), origin: 0..text.len(), copied: true };
        Text { pieces: vec![piece], headers: Vec::new() }
    }

    /// The text itself.
    pub fn text(&self) -> String {
        self.pieces.iter().map(|piece| piece.text.as_str()).collect()
    }

    /// The pieces that make up these bytes.
    fn slice(&self, range: Range<usize>) -> Vec<Piece> {
        let mut found = Vec::new();
        let mut at = 0;
        for piece in &self.pieces {
            let end = at + piece.text.len();
            let (from, to) = (range.start.max(at), range.end.min(end));
            if from < to {
                found.push(piece.slice(from - at..to - at));
            }
            at = end;
        }
        found
    }

    /// The bytes of the original that an offset of this text may stand for, both ends included: where pieces meet, what
    /// either says.
    pub fn origin(&self, offset: usize) -> Option<(usize, usize)> {
        let mut found: Option<(usize, usize)> = None;
        let mut at = 0;
        for piece in &self.pieces {
            let end = at + piece.text.len();
            if at <= offset && offset <= end {
                let (low, high) = if piece.copied {
                    let place = piece.origin.start + (offset - at);
                    (place, place)
                } else {
                    (piece.origin.start, piece.origin.end)
                };
                found = Some(found.map_or((low, high), |(l, h)| (l.min(low), h.max(high))));
            }
            at = end;
        }
        found
    }

    /// For each of these offsets, which rise, the byte of the original that was copied there.
    pub fn copied_from(&self, offsets: impl Iterator<Item = usize>) -> Vec<Option<usize>> {
        let mut pieces = self.pieces.iter();
        let (mut at, mut piece) = (0, pieces.next());
        let mut origins = Vec::new();
        for offset in offsets {
            while let Some(past) = piece.filter(|piece| at + piece.text.len() <= offset) {
                at += past.text.len();
                piece = pieces.next();
            }
            let copied = piece.filter(|piece| piece.copied);
            origins.push(copied.map(|piece| piece.origin.start + (offset - at)));
        }
        origins
    }

    /// What these bytes of this text stand for in the original.
    fn origin_of(&self, range: &Range<usize>) -> Range<usize> {
        if range.is_empty() {
            let (low, high) = self.origin(range.start).unwrap_or_default();
            return low..high;
        }
        let pieces = self.slice(range.clone());
        let low = pieces.iter().map(|piece| piece.origin.start).min().unwrap_or(0);
        low..pieces.iter().map(|piece| piece.origin.end).max().unwrap_or(low)
    }

    /// Makes edits that do not overlap, and puts lines at the head. `renumber` gives the first line of the text its
    /// number back.
    pub fn edited(&self, edits: &[Edit], head: &[Line], renumber: bool) -> Text {
        let mut sorted: Vec<&Edit> = edits.iter().collect();
        sorted.sort_by_key(|e| (e.range.start, e.range.end, e.rank));
        let mut result = Text { pieces: Vec::new(), headers: self.headers.clone() };
        for line in head {
            let origin = line.range.as_ref().map_or(0..0, |range| self.origin_of(range));
            result.pieces.push(Piece { text: format!("{}\n", line.text), origin, copied: false });
        }
        if renumber && !head.is_empty() {
            result.pieces.push(Piece { text: "#line 1\n".to_owned(), origin: 0..0, copied: false });
        }
        let mut at = 0;
        for edit in sorted {
            result.pieces.extend(self.slice(at..edit.range.start));
            let origin = self.origin_of(&edit.range);
            result.pieces.push(Piece { text: edit.text.clone(), origin, copied: false });
            if let Some(name) = &edit.header {
                let part = Text { pieces: self.slice(edit.range.clone()), headers: Vec::new() };
                result.headers.push((name.clone(), part));
            }
            at = edit.range.end;
        }
        let length = self.pieces.iter().map(|piece| piece.text.len()).sum();
        result.pieces.extend(self.slice(at..length));
        result.pieces.retain(|piece| !piece.text.is_empty());
        result
    }
}

/// The offset of a line and a column, both from 1, the column in characters.
pub fn offset_of(text: &str, line: u64, column: u64) -> Option<usize> {
    let mut start = 0;
    for _ in 1..line {
        start += text[start..].find('\n')? + 1;
    }
    let rest = text[start..].split('\n').next().unwrap_or("");
    let ahead = rest.char_indices().nth((column as usize).checked_sub(1)?).map_or(rest.len(), |(at, _)| at);
    Some(start + ahead)
}

/// The line, from 1, that an offset is in.
pub fn line_of(text: &str, offset: usize) -> usize {
    text[..offset.min(text.len())].matches('\n').count() + 1
}
