//! Where the uses of macros end, which libclang does not tell of those in arguments of others.

use super::{RawPos, TranslationUnit};
use crate::literal::{is_word, literal_at};
use rustc_hash::FxHashSet;

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
            let lines = text.split(|&b| b == b'\n');
            with_arguments.extend(lines.filter_map(defined_with_arguments).map(<[u8]>::to_vec));
        }
        Macros { with_arguments }
    }

    /// Where the use of a macro ends that begins at a place: after its name, or, if it takes arguments, after the brackets
    /// behind the name, as far as they end on the line.
    pub fn end_of_use(&self, unit: &TranslationUnit, at: RawPos) -> RawPos {
        let text = at.file.and_then(|file| unit.contents(file)).and_then(|t| t.get(at.offset as usize..));
        let length = text.map_or(0, |text| self.length_of_use(text)) as u32;
        RawPos { column: at.column + length, offset: at.offset + length, ..at }
    }

    fn length_of_use(&self, text: &[u8]) -> usize {
        let name = name(text);
        let line = text.split(|&b| b == b'\n').next().filter(|_| self.with_arguments.contains(name));
        let line = line.and_then(|line| std::str::from_utf8(line).ok());
        line.and_then(|line| end_of_arguments(line, name.len())).unwrap_or(name.len())
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

/// Behind the brackets that open at a place of a line, or after blanks there.
fn end_of_arguments(line: &str, mut at: usize) -> Option<usize> {
    let mut depth = 0;
    loop {
        match line.as_bytes().get(at)? {
            b'(' => depth += 1,
            b')' if depth == 1 => return Some(at + 1),
            b')' if depth > 1 => depth -= 1,
            b' ' | b'\t' => {}
            _ if depth == 0 => return None,
            b'"' | b'\'' => at = literal_at(line, at).1 - 1,
            _ => {}
        }
        at += 1;
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
        ("F(a,\n b)", 1),
        ("F(R\"x()x\", b) c", 13),
        ("F + (a)", 1),
        ("F", 1),
    ] {
        assert_eq!(macros.length_of_use(text.as_bytes()), length, "{text}");
    }
}
