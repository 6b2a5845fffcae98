//! Parts of statements that libclang does not show, or does not tell apart.

use super::effects::has_no_effects;
use super::print::{Printed, Prints, closing};
use super::token::{Kind, Token};
use crate::clang::{Cursor, CursorKind, Evaluated, Location, TranslationUnit, TypeKind};
use rustc_hash::FxHashSet;

/// What an `if` statement asks.
#[derive(Clone, Copy)]
pub(crate) enum Condition<'tu> {
    /// A value.
    Value(Cursor<'tu>),
    /// Whether this is a constant evaluation; `negated`: whether it is none.
    Consteval { negated: bool },
}

/// An `if` statement.
#[derive(Clone, Copy)]
pub(crate) struct If<'tu> {
    /// The first part of `if (init; condition)`.
    pub init: Option<Cursor<'tu>>,
    /// The variable that the condition declares.
    pub variable: Option<Cursor<'tu>>,
    pub condition: Condition<'tu>,
    pub then: Cursor<'tu>,
    pub other: Option<Cursor<'tu>>,
}

/// Initialisation, condition variable, condition, step.
pub(crate) type ForParts<'tu> =
    (Option<Cursor<'tu>>, Option<Cursor<'tu>>, Option<Cursor<'tu>>, Option<Cursor<'tu>>);

/// What a `switch` or a range-based `for` does first, which libclang does not show.
#[derive(Clone)]
pub(crate) enum HiddenInit<'tu> {
    None,
    Variables(Vec<Cursor<'tu>>),
    /// Something else than a declaration of variables.
    Other,
    /// Variables that are not found.
    NotFound,
}

/// The parts of an `if` statement of the declaration `decl`; `cxx`: of a C++ program. Its children are the variable of
/// the condition, the first part, the condition and the branches. A branch that was discarded in an instance of a
/// template is an empty compound statement in its place.
pub(crate) fn if_parts<'tu>(
    prints: &mut Prints,
    unit: &TranslationUnit,
    decl: Cursor<'tu>,
    s: Cursor<'tu>,
    cxx: bool,
) -> Option<If<'tu>> {
    let children = s.children();
    let mut rest: &[Cursor<'tu>] = &children;
    let mut variable = None;
    if let [first, tail @ ..] = rest
        && first.kind() == CursorKind::VarDecl
    {
        variable = Some(*first);
        rest = tail;
    }
    if let [then, tail @ ..] = rest
        && cxx
        && then.kind() == CursorKind::CompoundStmt
        && variable.is_none()
        && tail.len() <= 1
    {
        let negated = prints.read(unit, Some(decl), s, |p| match p.tokens() {
            [_, not, word, ..] if not.text == "!" && word.text == "consteval" => Some(true),
            [_, word, ..] if word.text == "consteval" => Some(false),
            _ => None,
        })?;
        let condition = Condition::Consteval { negated };
        return Some(If { init: None, variable: None, condition, then: *then, other: tail.first().copied() });
    }
    let mut init = None;
    if let [first, tail @ ..] = rest {
        let is_init = match first.kind() {
            CursorKind::DeclStmt | CursorKind::NullStmt => true,
            _ => has_init_expression(prints, unit, decl, s, rest, cxx)?,
        };
        if is_init {
            init = Some(*first);
            rest = tail;
        }
    }
    let (condition, then, other) = match *rest {
        [c, t] => (c, t, None),
        [c, t, e] => (c, t, Some(e)),
        _ => return None,
    };
    Some(If { init, variable, condition: Condition::Value(condition), then, other })
}

/// Whether `if (x = f(); condition)` begins with an expression. Without `else` it has the children of
/// `if (a) b; else c;`. A condition is of type `bool`; where that does not tell, the print does.
fn has_init_expression(
    prints: &mut Prints,
    unit: &TranslationUnit,
    decl: Cursor<'_>,
    s: Cursor<'_>,
    parts: &[Cursor<'_>],
    cxx: bool,
) -> Option<bool> {
    let is_bool = |c: &Cursor<'_>| c.ty().canonical().kind() == TypeKind::Bool;
    match parts {
        _ if !cxx => Some(false),
        [a, b, _] if a.kind().is_expression() && b.kind().is_expression() => match (is_bool(a), is_bool(b)) {
            (_, false) => Some(false),
            (false, true) => Some(true),
            (true, true) => prints.read(unit, Some(decl), s, |p| Some(sections(p)?.len() == 2)),
        },
        [a, b, _, _] => Some(a.kind().is_expression() && b.kind().is_expression()),
        _ => Some(false),
    }
}

/// The branch of an `if` whose condition is constant; the inner `None` is no branch. Neither the tree nor the print shows
/// whether it is `if constexpr`, and nothing hangs on that: without effects in the condition and labels in the other
/// branch, taking the branch means the same as branching on the constant.
#[expect(clippy::option_option, reason = "a constant condition may choose no branch")]
pub(crate) fn chosen_branch<'tu>(parts: &If<'tu>) -> Option<Option<Cursor<'tu>>> {
    let Condition::Value(condition) = parts.condition else { return None };
    let Some(Evaluated::Int(value)) = condition.evaluate() else { return None };
    if !has_no_effects(condition) {
        return None;
    }
    let (chosen, dropped) =
        if value != 0 { (Some(parts.then), parts.other) } else { (parts.other, Some(parts.then)) };
    (!dropped.is_some_and(holds_label)).then_some(chosen)
}

/// Whether something may jump into a statement.
fn holds_label(s: Cursor<'_>) -> bool {
    matches!(s.kind(), CursorKind::LabelStmt | CursorKind::CaseStmt | CursorKind::DefaultStmt)
        || s.children().into_iter().any(holds_label)
}

/// Assigns the children of a `for` statement before its body to their roles. libclang leaves out the missing parts of
/// `for (;;)`, so that `for (n = 0;;)` and `for (;; n++)` look alike.
pub(crate) fn for_parts<'tu>(
    prints: &mut Prints,
    unit: &TranslationUnit,
    decl: Cursor<'tu>,
    s: Cursor<'tu>,
    parts: &[Cursor<'tu>],
) -> Option<ForParts<'tu>> {
    let is_init = |c: &Cursor<'tu>| matches!(c.kind(), CursorKind::DeclStmt | CursorKind::NullStmt);
    let is_variable = |c: &Cursor<'tu>| c.kind() == CursorKind::VarDecl;
    match *parts {
        [] => return Some((None, None, None, None)),
        [a, b, c] if !is_variable(&a) && !is_variable(&b) => {
            return Some((Some(a), None, Some(b), Some(c)));
        }
        [a, v, b, c] if is_variable(&v) => return Some((Some(a), Some(v), Some(b), Some(c))),
        [a] if is_init(&a) => return Some((Some(a), None, None, None)),
        [v, b, c] if is_variable(&v) => return Some((None, Some(v), Some(b), Some(c))),
        [v, b] if is_variable(&v) => return Some((None, Some(v), Some(b), None)),
        [a, v, b] if is_variable(&v) => return Some((Some(a), Some(v), Some(b), None)),
        _ => {}
    }
    let present = prints.read(unit, Some(decl), s, |p| match sections(p)?.as_slice() {
        [init, condition, step] => Some([!init.is_empty(), !condition.is_empty(), !step.is_empty()]),
        _ => None,
    })?;
    if present.iter().filter(|p| **p).count() != parts.len() {
        return None;
    }
    let mut rest = parts.iter().copied();
    let mut take = |present: bool| if present { rest.next() } else { None };
    Some((take(present[0]), None, take(present[1]), take(present[2])))
}

/// What a `switch` or a range-based `for` of the function `decl` does first. The indexer shows the variables, their places
/// tell whose they are, and the print has as many of the same names.
pub(crate) fn hidden_init<'tu>(
    prints: &mut Prints,
    hidden: &mut HiddenVariables<'tu>,
    unit: &'tu TranslationUnit,
    decl: Cursor<'tu>,
    s: Cursor<'tu>,
) -> Option<HiddenInit<'tu>> {
    let names = prints.read(unit, Some(decl), s, |p| {
        let first = first_part(p)?;
        Some((!first.is_empty()).then(|| declared_names(&first)))
    })?;
    let Some(names) = names else { return Some(HiddenInit::None) };
    if names.is_empty() {
        return Some(HiddenInit::Other);
    }
    let start = s.start();
    let shown: Vec<Location<'tu>> = s.children().into_iter().map(Cursor::start).collect();
    let mut own = hidden.of(unit, decl);
    own.retain(|v| {
        let name = v.location();
        start.is_before(name) && !shown.iter().any(|c| c.is_before(name))
    });
    // A lambda in an initialiser has variables of its own, and one with `auto` parameters has them once for each instance.
    let parent = |v: &Cursor<'tu>| v.semantic_parent().map(Cursor::id);
    let function = own.first().and_then(parent);
    own.retain(|v| parent(v) == function);
    let agree = own.len() == names.len() && own.iter().zip(&names).all(|(v, name)| v.spelling() == *name);
    Some(if agree { HiddenInit::Variables(own) } else { HiddenInit::NotFound })
}

/// The first of two parts in the parentheses of a statement; nothing where there is one part, or three.
fn first_part<'a>(p: &Printed<'a>) -> Option<Vec<Token<'a>>> {
    Some(match sections(p)?.as_slice() {
        [init, _] => init.to_vec(),
        _ => Vec::new(),
    })
}

/// The variables of a unit's functions that a visit of the function does not show, found when first needed.
#[derive(Default)]
pub(crate) struct HiddenVariables<'tu> {
    all: Option<Vec<Cursor<'tu>>>,
}

impl<'tu> HiddenVariables<'tu> {
    fn of(&mut self, unit: &'tu TranslationUnit, decl: Cursor<'tu>) -> Vec<Cursor<'tu>> {
        let all = self.all.get_or_insert_with(|| unit.local_variables());
        let mut own: Vec<Cursor<'tu>> = all.iter().copied().filter(|v| is_within(*v, decl)).collect();
        if own.is_empty() {
            unit.miss("a variable of a statement");
        } else {
            let mut visible = FxHashSet::default();
            note_variables(decl, &mut visible);
            own.retain(|v| !visible.contains(&v.id()));
        }
        own
    }
}

/// Whether a variable belongs to a function or to a lambda in it.
fn is_within(variable: Cursor<'_>, function: Cursor<'_>) -> bool {
    let wanted = function.canonical().id();
    let mut around = variable.semantic_parent();
    while let Some(scope) = around {
        if scope.canonical().id() == wanted {
            return true;
        }
        // The function around a lambda is the parent of its class; the methods of other classes are no part of it.
        let class = scope.semantic_parent().filter(|c| c.ty().spelling().contains("(lambda at "));
        around = class.and_then(Cursor::semantic_parent);
    }
    false
}

fn note_variables(at: Cursor<'_>, found: &mut FxHashSet<crate::clang::CursorId>) {
    for child in at.children() {
        if child.kind() == CursorKind::VarDecl {
            found.insert(child.id());
        }
        note_variables(child, found);
    }
}

/// The parts between the semicolons in the parentheses behind a keyword.
fn sections<'a>(p: &Printed<'a>) -> Option<Vec<&'a [Token<'a>]>> {
    let inner = p.parenthesized()?;
    let mut parts = Vec::new();
    let (mut start, mut at) = (0, 0);
    while at < inner.len() {
        if inner[at].kind == Kind::Sign {
            match inner[at].text {
                "(" | "[" | "{" => at = closing(inner, at)?,
                ";" => {
                    parts.push(&inner[start..at]);
                    start = at + 1;
                }
                _ => {}
            }
        }
        at += 1;
    }
    parts.push(&inner[start..]);
    Some(parts)
}

/// The names that a printed declaration of variables declares; none where it is something else.
fn declared_names(tokens: &[Token<'_>]) -> Vec<String> {
    // A type, then a name with `=`, `(`, `{`, `[` or the end behind it; further names stand behind commas.
    let mut names = Vec::new();
    let mut at = 0;
    let mut words = 0;
    let mut expects = true;
    while at < tokens.len() {
        let token = tokens[at];
        let next = tokens.get(at + 1).map(|t| t.text);
        match (token.kind, token.text) {
            (Kind::Word, "typedef" | "using") => return Vec::new(),
            (Kind::Word, name) if expects => {
                let ends = matches!(next, None | Some("=" | "(" | "{" | "[" | "," | ")"));
                if ends && (words > 0 || !names.is_empty()) {
                    names.push(name.to_owned());
                    expects = false;
                }
                words += 1;
            }
            (Kind::Sign, ",") => expects = true,
            (Kind::Sign, "<") if expects => {
                let Some(end) = super::new::angle_end(tokens, at) else { return Vec::new() };
                at = end;
            }
            // `int (*p)(int)` has its name in parentheses.
            (Kind::Sign, "(") if expects && words > 0 => {}
            (Kind::Sign, "(" | "[" | "{") => {
                let Some(end) = closing(tokens, at) else { return Vec::new() };
                at = end;
            }
            (Kind::Sign, "=" | "++" | "--" | "." | "->" | "+=") if expects => return Vec::new(),
            _ => {}
        }
        at += 1;
    }
    names
}

#[cfg(test)]
mod tests {
    use super::super::token::tokens;
    use super::*;

    fn names(text: &str) -> Vec<String> {
        declared_names(&tokens(text))
    }

    #[test]
    fn names_of_declarations() {
        assert_eq!(names("int q = 3"), ["q"]);
        assert_eq!(names("A<int, b> x{1, y}, *z = &w"), ["x", "z"]);
        assert_eq!(names("auto t = f(a, b)"), ["t"]);
        assert_eq!(names("int (*p)(int) = f"), ["p"]);
        assert_eq!(names("S s"), ["s"]);
        assert!(names("x = f()").is_empty());
        assert!(names("f(3)").is_empty());
        assert!(names("using T = int").is_empty());
        assert!(names("auto [a, b] = p").is_empty());
    }
}
