//! Constants whose value hangs on `if consteval` or `std::is_constant_evaluated`.
//!
//! The evaluator answers as if at run time, and so does a call of the function. A constant is neither: what its
//! initialiser gives is known to the compiler alone. So is what a call of a `consteval` function gives.

use super::print::Prints;
use crate::clang::{Cursor, CursorId, CursorKind, TranslationUnit, TypeKind};
use rustc_hash::FxHashMap;

/// Whether the text of a file may ask whether the compiler evaluates it.
pub(crate) fn mentions_consteval(text: &[u8]) -> bool {
    let words: [&[u8]; 2] = [b"consteval", b"is_constant_evaluated"];
    words.iter().any(|word| text.windows(word.len()).any(|part| part == *word))
}

/// The constants of the user's files whose initialisers ask whether the compiler evaluates them, or call, directly or
/// not, or may call a function that does; and the functions among these that are `consteval` and called elsewhere.
pub(crate) fn constants_by_consteval(unit: &TranslationUnit) -> Vec<Cursor<'_>> {
    let mut known = FxHashMap::default();
    let mut found = Vec::new();
    search(unit.cursor(), &mut known, &mut found);
    found
}

fn search<'tu>(at: Cursor<'tu>, known: &mut FxHashMap<CursorId, bool>, found: &mut Vec<Cursor<'tu>>) {
    for child in at.children() {
        if child.kind().is_declaration() && child.in_system_header() {
            continue;
        }
        if child.kind() == CursorKind::VarDecl
            && child.initializer().is_some_and(|init| is_constant(child, init) && asks(init, false, known))
        {
            found.push(child);
            continue;
        }
        if child.kind() == CursorKind::CallExpr
            && let Some(called) = child.referenced().filter(|f| is_consteval(*f))
            && asks(child, true, known)
        {
            found.push(called);
        }
        search(child, known, found);
    }
}

/// Whether the compiler evaluates the initialiser of a variable, if it can: that of `constexpr` variables, of static ones,
/// and of constant numbers ([expr.const]).
fn is_constant(variable: Cursor<'_>, init: Cursor<'_>) -> bool {
    let ty = variable.ty().canonical();
    let number = ty.is_const()
        && ((TypeKind::Bool.0..=TypeKind::Int128.0).contains(&ty.kind().0) || ty.kind() == TypeKind::Enum);
    variable.has_static_storage() || number && init.evaluate().is_some() || is_constexpr(variable)
}

/// Whether only the compiler calls a function.
fn is_consteval(function: Cursor<'_>) -> bool {
    !function.in_system_header()
        && Prints::declaration(function, |tokens| {
            tokens.iter().take_while(|t| !matches!(t.text, "(" | "{")).any(|t| t.text == "consteval")
        })
}

/// Whether a variable is declared `constexpr`.
pub(crate) fn is_constexpr(variable: Cursor<'_>) -> bool {
    Prints::declaration(variable, |tokens| {
        tokens.iter().take_while(|t| t.text != "=").any(|t| t.text == "constexpr")
    })
}

/// Whether a tree asks whether the compiler evaluates it, or names a function that does. Until the first call, `called` being false, a name
/// is an address and no more. Behind it a name may be called, whatever way it takes there.
fn asks(at: Cursor<'_>, called: bool, known: &mut FxHashMap<CursorId, bool>) -> bool {
    let children = at.children();
    if at.kind() == CursorKind::IfStmt
        && children.first().is_some_and(|c| c.kind() == CursorKind::CompoundStmt)
    {
        return true;
    }
    let called = called || at.kind() == CursorKind::CallExpr;
    if called
        && matches!(at.kind(), CursorKind::CallExpr | CursorKind::DeclRefExpr | CursorKind::MemberRefExpr)
        && let Some(named) = at.referenced()
    {
        if matches!(named.spelling().as_str(), "is_constant_evaluated" | "__builtin_is_constant_evaluated") {
            return true;
        }
        if named.in_system_header() {
            return children.into_iter().any(|c| asks(c, called, known));
        }
        let id = named.canonical().id();
        let asked = match known.get(&id) {
            Some(&asked) => asked,
            None => {
                // One that calls itself asks elsewhere, if at all.
                known.insert(id, false);
                let asked = named
                    .definition()
                    .is_some_and(|f| f.children().into_iter().any(|c| asks(c, true, known)));
                known.insert(id, asked);
                asked
            }
        };
        if asked {
            return true;
        }
    }
    children.into_iter().any(|c| asks(c, called, known))
}
