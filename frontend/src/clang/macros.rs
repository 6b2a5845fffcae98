//! Where the uses of macros end, which libclang does not tell of those in arguments of others.

use super::{RawPos, TranslationUnit};
use crate::literal::{is_word, literal_at, splice_at};
use rustc_hash::FxHashSet;
use std::borrow::Cow;

/// As much of a file is read behind the start of a macro's use, in bytes, to find where the use ends.
const MAX_USE: usize = 4096;

/// The macros of a unit.
pub struct Macros {
    /// The names of those that take arguments, in any file that was read.
    with_arguments: FxHashSet<Vec<u8>>,
}

impl Macros {
    /// Reads the definitions in the files of a unit.
    pub fn new(unit: &TranslationUnit) -> Macros {
        let mut with_arguments = FxHashSet::default();
        for text in unit.files().into_iter().filter_map(|file| unit.contents(file)) {
            let text = Joined::new(text).text;
            let lines = text.split(|&b| b == b'\n');
            with_arguments.extend(lines.filter_map(defined_with_arguments).map(<[u8]>::to_vec));
        }
        Macros { with_arguments }
    }

    /// Where the use of a macro ends that begins at a place: after its name, or, if it takes arguments, after the brackets
    /// behind the name. Spliced lines in front of the name are parts of the use.
    pub fn end_of_use(&self, unit: &TranslationUnit, at: RawPos) -> RawPos {
        let text = at.file.and_then(|file| unit.contents(file)).and_then(|t| t.get(at.offset as usize..));
        let text = text.map_or(&[][..], |text| &text[..text.len().min(MAX_USE)]);
        let used = &text[..self.length_of_use(text)];
        let lines = used.split(|&b| b == b'\n').skip(1).count() as u32;
        let column = match used.iter().rposition(|&b| b == b'\n') {
            Some(newline) => (used.len() - newline) as u32,
            None => at.column + used.len() as u32,
        };
        RawPos { line: at.line + lines, column, offset: at.offset + used.len() as u32, ..at }
    }

    fn length_of_use(&self, text: &[u8]) -> usize {
        let joined = Joined::new(text);
        let name = name(&joined.text);
        let takes = !name.is_empty() && self.with_arguments.contains(name);
        let text = std::str::from_utf8(&joined.text).ok().filter(|_| takes);
        let end = text.and_then(|text| end_of_arguments(text, name.len())).unwrap_or(name.len());
        joined.offset(end)
    }
}

/// A text whose spliced lines are joined, as the second phase of translation does.
struct Joined<'a> {
    text: Cow<'a, [u8]>,
    /// Where a splice stood in `text`, and how many bytes all up to it have, in order.
    splices: Vec<(usize, usize)>,
}

impl<'a> Joined<'a> {
    fn new(text: &'a [u8]) -> Joined<'a> {
        let mut joined = Joined { text: Cow::Borrowed(text), splices: Vec::new() };
        let mut at = 0;
        while let Some(found) = text[at..].iter().position(|&b| b == b'\\').map(|n| at + n) {
            let Some(length) = splice_at(&text[found..]) else {
                at = found + 1;
                continue;
            };
            let cut: usize = joined.splices.last().map_or(0, |&(_, cut)| cut);
            joined.splices.push((found - cut, cut + length));
            at = found + length;
        }
        if !joined.splices.is_empty() {
            let mut plain = Vec::with_capacity(text.len());
            let mut from = 0;
            for &(place, cut) in &joined.splices {
                plain.extend_from_slice(&text[from..from + (place - plain.len())]);
                from = place + cut;
            }
            plain.extend_from_slice(&text[from..]);
            joined.text = Cow::Owned(plain);
        }
        joined
    }

    /// Where the first `length` bytes end in the text with its splices.
    fn offset(&self, length: usize) -> usize {
        let before = self.splices.iter().take_while(|&&(place, _)| place < length).last();
        length + before.map_or(0, |&(_, cut)| cut)
    }
}

/// The name at the start of a text.
fn name(text: &[u8]) -> &[u8] {
    &text[..text.iter().take_while(|&&b| is_word(b)).count()]
}

/// The name of the macro with arguments that a line defines.
fn defined_with_arguments(line: &[u8]) -> Option<&[u8]> {
    let rest = line.trim_ascii_start().strip_prefix(b"#")?.trim_ascii_start().strip_prefix(b"define")?;
    let name = name(rest.trim_ascii_start());
    (rest.trim_ascii_start().get(name.len()) == Some(&b'(')).then_some(name)
}

/// Behind the brackets that open at a place of a text, or after blanks there.
fn end_of_arguments(text: &str, mut at: usize) -> Option<usize> {
    let mut depth = 0;
    loop {
        let rest = text.get(at..)?;
        if rest.starts_with("//") || rest.starts_with("/*") {
            let (close, length) = if rest.starts_with("//") { ("\n", 0) } else { ("*/", 2) };
            at += rest.find(close)? + length;
            continue;
        }
        match rest.as_bytes().first()? {
            b'(' => depth += 1,
            b')' if depth == 1 => return Some(at + 1),
            b')' if depth > 1 => depth -= 1,
            c if c.is_ascii_whitespace() => {}
            _ if depth == 0 => return None,
            b'"' | b'\'' => at = literal_at(text, at).1 - 1,
            _ => {}
        }
        at += 1;
        while !text.is_char_boundary(at) {
            at += 1;
        }
    }
}

#[test]
fn uses_end_behind_their_arguments() {
    let lines = ["#define MAX(a, b) a", "  # define F(...) 1", "#define N (1)", "#define M", "MAX(1)"];
    let names: Vec<&[u8]> = lines.iter().filter_map(|l| defined_with_arguments(l.as_bytes())).collect();
    assert_eq!(names, [b"MAX".as_slice(), b"F"]);
    let macros = Macros { with_arguments: names.into_iter().map(<[u8]>::to_vec).collect() };
    for (text, length) in [
        ("N )", 1),
        ("N (a)", 1),
        ("MAX(a, f(b)) + 1", 12),
        ("MAX (a)", 7),
        ("F(\")\\\"\", ')') x", 13),
        ("F(a,\n b) + 1", 8),
        ("F(a, /* ) */ b // )\n) + 1", 21),
        ("F(é, b) + 1", 8),
        ("F(a", 1),
        ("\\\nN\\\n )", 3),
        ("\\\nM\\\nAX\\\r\n(\\\na\\\n) \\\n+ 1", 17),
        ("F(R\"x()x\", b) c", 13),
        ("F + (a)", 1),
        ("F", 1),
    ] {
        assert_eq!(macros.length_of_use(text.as_bytes()), length, "{text}");
    }
}
