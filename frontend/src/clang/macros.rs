//! Where the uses of macros end, which libclang does not tell of those in arguments of others.

use super::{RawPos, TranslationUnit};
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
        let behind = if self.with_arguments.contains(name) { arguments(&text[name.len()..]) } else { 0 };
        name.len() + behind
    }
}

/// The name at the start of a text.
fn name(text: &[u8]) -> &[u8] {
    let is_part = |b: &u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'$') || !b.is_ascii();
    &text[..text.iter().take_while(|b| is_part(b)).count()]
}

/// The name of the macro with arguments that a line defines.
fn defined_with_arguments(line: &[u8]) -> Option<&[u8]> {
    let rest = line.trim_ascii_start().strip_prefix(b"#")?.trim_ascii_start().strip_prefix(b"define")?;
    let name = name(rest.trim_ascii_start());
    (rest.trim_ascii_start().get(name.len()) == Some(&b'(')).then_some(name)
}

/// How many bytes the arguments at the start of a text take, with blanks before them: 0 if they do not end on the line.
fn arguments(text: &[u8]) -> usize {
    let blanks = text.iter().take_while(|b| matches!(b, b' ' | b'\t')).count();
    let (mut depth, mut quote, mut escaped) = (0, None, false);
    for (n, &b) in text.iter().enumerate().skip(blanks) {
        match (quote, b) {
            (_, b'\n') => break,
            _ if escaped => escaped = false,
            (Some(_), b'\\') => escaped = true,
            (Some(q), _) if b == q => quote = None,
            (Some(_), _) => {}
            (None, b'"' | b'\'') if depth > 0 => quote = Some(b),
            (None, b'(') => depth += 1,
            (None, b')') if depth == 1 => return n + 1,
            (None, b')') if depth > 1 => depth -= 1,
            _ if depth == 0 => break,
            _ => {}
        }
    }
    0
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
        ("F + (a)", 1),
        ("F", 1),
    ] {
        assert_eq!(macros.length_of_use(text.as_bytes()), length, "{text}");
    }
}
