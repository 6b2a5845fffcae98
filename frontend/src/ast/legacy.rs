//! What is still read from tokens (`tests/recovery.rs` lists it).

use super::{Ast, CastKind};
use crate::clang::Cursor;
use std::collections::VecDeque;

impl<'tu> Ast<'tu> {
    /// Whether a node is `__builtin_LINE()` or its like outside of the function whose tree is made: in a default argument
    /// or a member's initialiser, where it is the caller's.
    pub(super) fn is_callers_line(&mut self, e: Cursor<'tu>) -> bool {
        let range = e.range().start;
        let Some(file) = range.file else { return false };
        let own = self.around.is_some_and(|function| {
            let decl = function.cursor();
            let around = decl.definition().unwrap_or(decl).range();
            around.start.file == Some(file)
                && (around.start.offset..around.end.offset).contains(&range.offset)
                && decl.arguments().is_none_or(|p| !p.iter().any(|p| is_within(*p, range.offset)))
        });
        !own && e.tokens(self.unit).first().is_some_and(|t| t == "__builtin_LINE" || t == "__builtin_COLUMN")
    }

    /// Whether a node without children value-initialises: an empty pair of parentheses or braces.
    pub(super) fn is_value_initialization(&mut self, e: Cursor<'tu>) -> bool {
        if e.range().start.file.is_none() {
            return true;
        }
        let tokens = e.tokens(self.unit);
        // `__builtin_FILE()` and kin, which stand for their caller's place, are no `T()`.
        if tokens.first().is_some_and(|t| t.starts_with("__builtin_")) {
            return false;
        }
        matches!(tokens.as_slice(), [.., open, close] if open == "(" && close == ")" || open == "{" && close == "}")
    }

    /// Whether the type that a cast names is a reference's.
    pub(super) fn is_reference_cast(&mut self, e: Cursor<'tu>, kind: CastKind) -> bool {
        let (open, close) = match kind {
            CastKind::Functional => return false,
            CastKind::C => ("(", ")"),
            _ => ("<", ">"),
        };
        let mut depth = 0;
        let mut last = String::new();
        for token in e.tokens(self.unit) {
            if token == open {
                depth += 1;
            } else if token == close {
                depth -= 1;
                if depth == 0 {
                    return last == "&" || last == "&&";
                }
            }
            last = token;
        }
        false
    }

    /// For each bracket of the designators of an element: whether it is a range.
    pub(super) fn bracket_ranges(&mut self, e: Cursor<'tu>) -> VecDeque<bool> {
        bracket_ranges(&e.tokens(self.unit))
    }
}

/// Whether a place of a cursor's file lies in its text.
fn is_within(cursor: Cursor<'_>, offset: u32) -> bool {
    let range = cursor.range();
    (range.start.offset..range.end.offset).contains(&offset)
}

/// For each bracket of the designators at the head of the tokens: whether it is a range.
fn bracket_ranges(tokens: &[String]) -> VecDeque<bool> {
    let mut found = VecDeque::new();
    let mut depth = 0;
    for token in tokens {
        match token.as_str() {
            "[" => {
                depth += 1;
                if depth == 1 {
                    found.push_back(false);
                }
            }
            "]" => depth -= 1,
            "..." if depth == 1 => {
                if let Some(last) = found.back_mut() {
                    *last = true;
                }
            }
            "=" if depth == 0 => break,
            _ => {}
        }
    }
    found
}
