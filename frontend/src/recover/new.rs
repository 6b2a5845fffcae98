//! `new` and `delete` expressions.
//!
//! libclang shows placement arguments, references to types, the length and the initialiser one after the other. How
//! many of each there are, and whether empty parentheses ask for zeros, the print tells.

use super::print::{Prints, closing};
use super::token::{IMPLICIT, Kind, Token};
use crate::clang::{Cursor, TranslationUnit};

/// How a `new` expression is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct NewParts {
    /// `::new`
    pub global: bool,
    /// How many placement arguments it has.
    pub placement: usize,
    /// It makes an array.
    pub array: bool,
    /// The length is written, and not only counted from a list.
    pub sized: bool,
    /// Empty parentheses or braces ask for zeros.
    pub value_init: bool,
    /// It has an initialiser, be it an empty one.
    pub initialized: bool,
}

/// How a `delete` expression is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct DeleteParts {
    /// `::delete`
    pub global: bool,
    /// `delete[]`
    pub array: bool,
}

/// The parts of a `new` expression of the declaration `decl`.
pub(crate) fn new_parts(
    prints: &mut Prints,
    unit: &TranslationUnit,
    decl: Cursor<'_>,
    e: Cursor<'_>,
) -> Option<NewParts> {
    let parts = prints.read(unit, Some(decl), e, |p| {
        let mut parts = parse(&p.tokens()[1..])?;
        parts.global = p.before() == Some("::");
        Some(parts)
    })?;
    // The tree has these children at least.
    let shown = e.expressions().len();
    (parts.placement + usize::from(parts.sized) <= shown).then_some(parts)
}

/// The parts of a `delete` expression of the declaration `decl`.
pub(crate) fn delete_parts(
    prints: &mut Prints,
    unit: &TranslationUnit,
    decl: Cursor<'_>,
    e: Cursor<'_>,
) -> Option<DeleteParts> {
    prints.read(unit, Some(decl), e, |p| {
        let array = matches!(p.tokens(), [_, open, close, ..] if open.text == "[" && close.text == "]");
        Some(DeleteParts { global: p.before() == Some("::"), array })
    })
}

/// What follows the keyword `new` in a print.
fn parse(tokens: &[Token<'_>]) -> Option<NewParts> {
    let mut parts = NewParts {
        global: false,
        placement: 0,
        array: false,
        sized: false,
        value_init: false,
        initialized: false,
    };
    let is = |at: usize, text: &str| tokens.get(at).is_some_and(|t| t.kind == Kind::Sign && t.text == text);
    let mut at = 0;
    // Behind placement arguments clang prints a space and the type, in parentheses or not; behind a type in
    // parentheses the initialiser without a space, or what is no part of the expression.
    if is(0, "(") {
        let close = closing(tokens, 0)?;
        let next = tokens.get(close + 1);
        let typed =
            next.is_some_and(|t| t.spaced && (t.kind == Kind::Word || t.text == "(" || t.text == "::"));
        if typed {
            parts.placement = 1 + commas(&tokens[1..close]);
            at = close + 1;
        }
    }
    // The type.
    if is(at, "(") {
        let close = closing(tokens, at)?;
        parts.note_array(&tokens[at + 1..close]);
        at = close + 1;
    } else {
        let start = at;
        at = type_end(tokens, at)?;
        parts.note_array(&tokens[start..at]);
    }
    if is(at, "(") || is(at, "{") {
        parts.initialized = true;
        parts.value_init = closing(tokens, at)? == at + 1 || tokens[at + 1].text == IMPLICIT;
    }
    Some(parts)
}

impl NewParts {
    /// Finds whether a type is an array: its brackets stand where a name would, so that those behind a declarator in
    /// parentheses belong to what that points to.
    fn note_array(&mut self, ty: &[Token<'_>]) {
        let mut at = 0;
        while at < ty.len() {
            match (ty[at].kind, ty[at].text) {
                (Kind::Sign, "<") => match angle_end(ty, at) {
                    Some(end) => at = end,
                    None => return,
                },
                (Kind::Sign, "(") if is_declarator(ty, at) => {
                    let Some(close) = closing(ty, at) else { return };
                    return self.note_array(&ty[at + 1..close]);
                }
                (Kind::Sign, "(") => match closing(ty, at) {
                    Some(close) => at = close,
                    None => return,
                },
                (Kind::Sign, "[") => {
                    self.array = true;
                    self.sized = closing(ty, at).is_some_and(|close| close > at + 1);
                    return;
                }
                _ => {}
            }
            at += 1;
        }
    }
}

/// How many commas stand between the tokens, those in brackets and template arguments aside.
fn commas(tokens: &[Token<'_>]) -> usize {
    let (mut at, mut count) = (0, 0);
    while at < tokens.len() {
        match tokens[at].text {
            _ if tokens[at].kind != Kind::Sign => {}
            // What is not closed ends with the text.
            "(" | "[" | "{" => at = closing(tokens, at).unwrap_or(tokens.len()),
            // An operator stands between spaces, a template's arguments do not. `,` is an operator too, and printed with
            // a space in front.
            "<" if !tokens[at].spaced => at = angle_end(tokens, at).unwrap_or(at),
            "," if !tokens[at].spaced => count += 1,
            _ => {}
        }
        at += 1;
    }
    count
}

/// The `>` that ends the template arguments which begin at a position.
pub(super) fn angle_end(tokens: &[Token<'_>], open: usize) -> Option<usize> {
    let mut depth = 0;
    let mut at = open;
    while at < tokens.len() {
        match tokens[at].text {
            _ if tokens[at].kind != Kind::Sign => {}
            "<" => depth += 1,
            ">" => {
                depth -= 1;
                if depth == 0 {
                    return Some(at);
                }
            }
            "(" | "[" | "{" => at = closing(tokens, at)?,
            ";" => return None,
            _ => {}
        }
        at += 1;
    }
    None
}

/// Whether parentheses in a type hold a declarator without a name, as in `int (*)[2]`.
fn is_declarator(tokens: &[Token<'_>], open: usize) -> bool {
    let Some(close) = closing(tokens, open) else { return false };
    // A pointer to member names its class first.
    let inner = &tokens[open + 1..close];
    let Some(star) = inner.iter().position(|t| matches!(t.text, "*" | "&" | "&&" | "^")) else {
        return false;
    };
    let scope = &inner[..star];
    if !(scope.is_empty() || scope.last().is_some_and(|t| t.text == "::")) {
        return false;
    }
    let mut at = star;
    while at < inner.len() {
        match (inner[at].kind, inner[at].text) {
            (Kind::Sign, "*" | "&" | "&&" | "^") | (Kind::Word, "const" | "volatile" | "__restrict") => {}
            (Kind::Sign, "[") => match closing(inner, at) {
                Some(end) => at = end,
                None => return false,
            },
            (Kind::Sign, "(") => {
                // The parameters of a function that the declarator returns a pointer to, or another declarator.
                match closing(inner, at) {
                    Some(end) => at = end,
                    None => return false,
                }
            }
            _ => return false,
        }
        at += 1;
    }
    true
}

/// Where a type ends that begins at a position and has no parentheses around it.
fn type_end(tokens: &[Token<'_>], start: usize) -> Option<usize> {
    let mut at = start;
    let mut declared = false;
    while at < tokens.len() {
        let token = tokens[at];
        match (token.kind, token.text) {
            (Kind::Word, "decltype" | "__attribute__" | "typeof" | "__typeof__" | "_Atomic") => {
                at = closing(tokens, at + 1)?;
            }
            (Kind::Word, _) | (Kind::Sign, "::" | "*" | "&" | "&&") => {}
            (Kind::Sign, "<") => at = angle_end(tokens, at)?,
            (Kind::Sign, "[") => at = closing(tokens, at)?,
            (Kind::Sign, "(") if !declared && is_declarator(tokens, at) => {
                declared = true;
                at = closing(tokens, at)?;
                // The parameters of the function that is pointed to.
                if tokens.get(at + 1).is_some_and(|t| t.text == "(") {
                    at = closing(tokens, at + 1)?;
                }
            }
            _ => return Some(at),
        }
        at += 1;
    }
    Some(at)
}

#[cfg(test)]
mod tests {
    use super::super::token::tokens;
    use super::*;

    /// Placement arguments, array, length written, empty initialiser.
    fn read(text: &str) -> (usize, bool, bool, bool) {
        let tokens = tokens(text);
        let p = parse(&tokens[1..]).unwrap();
        (p.placement, p.array, p.sized, p.value_init)
    }

    #[test]
    fn types_and_placement_arguments_are_told_apart() {
        assert_eq!(read("new (S);"), (0, false, false, false));
        assert_eq!(read("new (S)();"), (0, false, false, true));
        assert_eq!(read("new (p) (S)(p);"), (1, false, false, false));
        assert_eq!(read("new (p, f(1, 2), A<int, 3>()) S{};"), (3, false, false, true));
        assert_eq!(read("new (q) ::N::S(1)"), (1, false, false, false));
        assert_eq!(read("new ((a , b)) S"), (1, false, false, false));
    }

    #[test]
    fn arrays_are_told_from_pointers_to_arrays() {
        assert_eq!(read("new int [3]"), (0, true, true, false));
        assert_eq!(read("new int []{1, 2}"), (0, true, false, false));
        assert_eq!(read("new int [n]()"), (0, true, true, true));
        assert_eq!(read("new int [4UL](/*implicit*/(int[4])0);"), (0, true, true, true));
        assert_eq!(read("new int (*[2])[3]"), (0, true, true, false));
        assert_eq!(read("new (int (*)[3])"), (0, false, false, false));
        assert_eq!(read("new A<int[3], (2 > 1)>(4)"), (0, false, false, false));
        assert_eq!(read("new void (*)(int)(f)"), (0, false, false, false));
        assert_eq!(read("new void (*)(int)()"), (0, false, false, true));
        assert_eq!(read("new int *(*p)"), (0, false, false, false));
    }
}
