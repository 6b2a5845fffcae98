//! What only the pretty-printer tells: which parts a `for` statement has.
//!
//! libclang leaves out the missing parts of `for (;;)`, so that `for (n = 0;;)` and `for (;; n++)` look
//! alike. The printed form of the function shows them; its loops and the cursor's are in one order.

use super::R;
use super::func::FnLower;
use crate::clang::{Cursor, CursorId, CursorKind};
use rustc_hash::FxHashMap;

/// Initialisation, condition variable, condition, step.
pub(crate) type ForParts<'tu> =
    (Option<Cursor<'tu>>, Option<Cursor<'tu>>, Option<Cursor<'tu>>, Option<Cursor<'tu>>);

impl<'tu> FnLower<'_, 'tu, '_> {
    /// Assigns the children of a `for` statement before its body to their roles.
    pub fn for_statement_parts(&mut self, s: Cursor<'tu>, parts: &[Cursor<'tu>]) -> R<ForParts<'tu>> {
        let is_init = |c: &Cursor<'tu>| matches!(c.kind(), CursorKind::DeclStmt | CursorKind::NullStmt);
        let is_variable = |c: &Cursor<'tu>| c.kind() == CursorKind::VarDecl;
        match *parts {
            [] => return Ok((None, None, None, None)),
            [a, b, c] if !is_variable(&a) && !is_variable(&b) => {
                return Ok((Some(a), None, Some(b), Some(c)));
            }
            [a, v, b, c] if is_variable(&v) => return Ok((Some(a), Some(v), Some(b), Some(c))),
            [a] if is_init(&a) => return Ok((Some(a), None, None, None)),
            [v, b, c] if is_variable(&v) => return Ok((None, Some(v), Some(b), Some(c))),
            [v, b] if is_variable(&v) => return Ok((None, Some(v), Some(b), None)),
            [a, v, b] if is_variable(&v) => return Ok((Some(a), Some(v), Some(b), None)),
            _ => {}
        }
        if self.for_parts.is_none() {
            let parts = self.read_for_parts();
            self.for_parts = Some(parts);
        }
        let known = self.for_parts.as_ref().and_then(|p| p.get(&s.id())).copied();
        let Some(present) = known.filter(|p| p.iter().filter(|x| **x).count() == parts.len()) else {
            return self.unsupported("a for statement whose parts cannot be told apart", s);
        };
        let mut rest = parts.iter().copied();
        let mut take = |present: bool| if present { rest.next() } else { None };
        let init = take(present[0]);
        let condition = take(present[1]);
        let step = take(present[2]);
        Ok((init, None, condition, step))
    }

    fn read_for_parts(&mut self) -> FxHashMap<CursorId, [bool; 3]> {
        let mut loops = Vec::new();
        collect_loops(self.decl, &mut loops);
        let printed = printed_loops(&self.decl.pretty_printed());
        if loops.len() != printed.len() {
            return FxHashMap::default();
        }
        loops.into_iter().zip(printed).filter_map(|(c, parts)| parts.map(|p| (c.id(), p))).collect()
    }
}

fn collect_loops<'tu>(at: Cursor<'tu>, found: &mut Vec<Cursor<'tu>>) {
    for child in at.children() {
        if matches!(child.kind(), CursorKind::ForStmt | CursorKind::CXXForRangeStmt) {
            found.push(child);
        }
        collect_loops(child, found);
    }
}

/// The loops of a printed function in order: which of the three parts each has; `None` for a range-for.
fn printed_loops(text: &str) -> Vec<Option<[bool; 3]>> {
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    let mut i = 0;
    while i < bytes.len() {
        match bytes[i] {
            quote @ (b'"' | b'\'') => i = skip_quoted(bytes, i, quote),
            c if c.is_ascii_alphanumeric() || c == b'_' => {
                let start = i;
                while i < bytes.len() && (bytes[i].is_ascii_alphanumeric() || bytes[i] == b'_') {
                    i += 1;
                }
                if &bytes[start..i] == b"for" {
                    let mut open = i;
                    while bytes.get(open) == Some(&b' ') {
                        open += 1;
                    }
                    if bytes.get(open) == Some(&b'(') {
                        found.push(loop_parts(bytes, open));
                    }
                }
            }
            _ => i += 1,
        }
    }
    found
}

fn skip_quoted(bytes: &[u8], start: usize, quote: u8) -> usize {
    let mut i = start + 1;
    while i < bytes.len() && bytes[i] != quote {
        i += if bytes[i] == b'\\' { 2 } else { 1 };
    }
    i + 1
}

fn loop_parts(bytes: &[u8], open: usize) -> Option<[bool; 3]> {
    let mut parts = [false; 3];
    let mut part = 0;
    let mut depth = 0;
    let mut i = open;
    while i < bytes.len() {
        match bytes[i] {
            quote @ (b'"' | b'\'') => {
                parts[part] = true;
                i = skip_quoted(bytes, i, quote);
                continue;
            }
            b'(' | b'[' | b'{' => {
                if depth > 0 {
                    parts[part] = true;
                }
                depth += 1;
            }
            b')' | b']' | b'}' => {
                depth -= 1;
                if depth == 0 {
                    return (part == 2).then_some(parts);
                }
            }
            b';' if depth == 1 => {
                part += 1;
                if part > 2 {
                    return None;
                }
            }
            c if !c.is_ascii_whitespace() => parts[part] = true,
            _ => {}
        }
        i += 1;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_of_printed_loops() {
        let text =
            "int f() { for (n = 0;;) break; for (;; n++) ; for (; n > \"a;)\"[0];) { for (int x : v) ; } }";
        assert_eq!(
            printed_loops(text),
            [Some([true, false, false]), Some([false, false, true]), Some([false, true, false]), None]
        );
    }
}
