//! Constants whose value hangs on `if consteval`.
//!
//! The evaluator answers as if at run time, and so does a call of the function. A constant is neither: what its
//! initialiser gives is known to the compiler alone.

use super::print::Prints;
use crate::clang::{Cursor, CursorId, CursorKind, TranslationUnit};
use rustc_hash::FxHashMap;

/// The constants of the user's files whose initialisers call, directly or not, or may call a function that asks `if consteval`.
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
            && child.initializer().is_some_and(|init| asks(init, false, known))
            && (child.has_static_storage() || is_constexpr(child))
        {
            found.push(child);
        }
        search(child, known, found);
    }
}

/// Whether a variable is declared `constexpr`.
pub(crate) fn is_constexpr(variable: Cursor<'_>) -> bool {
    Prints::declaration(variable, |tokens| {
        tokens.iter().take_while(|t| t.text != "=").any(|t| t.text == "constexpr")
    })
}

/// Whether a tree asks `if consteval`, or names a function that does. Until the first call, `called` being false, a name
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
        && let Some(named) = at.referenced().filter(|f| !f.in_system_header())
    {
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
