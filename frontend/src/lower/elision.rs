//! The local variable that is a function's result itself.
//!
//! As the system's compiler does it: where all `return` statements of a function name one variable of its outermost
//! scope, of the type returned, that variable is made in the place of the result, and neither copied nor destroyed.
//! Other compilers may do it elsewhere too; programs that print from constructors show it.

use super::func::FnLower;
use super::types::Kind;
use crate::clang::{Cursor, CursorId, CursorKind};

impl FnLower<'_, '_, '_> {
    /// The variable that is the result, if there is one and it matters.
    pub(super) fn returned_variable(&mut self) -> Option<CursorId> {
        let ret = self.ret;
        if !self.cx.cxx
            || self.sret.is_none()
            || matches!(self.cx.types.kind(ret.ty), Kind::Reference(_))
            || self.cx.is_trivially_copyable(ret.ty) && !self.cx.needs_destruction(ret.ty)
        {
            return None;
        }
        let body = self.decl.children().into_iter().rfind(|c| c.kind() == CursorKind::CompoundStmt)?;
        let mut found = None;
        if !all_return(body, &mut found) {
            return None;
        }
        let variable = found?;
        let declared = body
            .children()
            .into_iter()
            .filter(|s| s.kind() == CursorKind::DeclStmt)
            .flat_map(|s| s.children())
            .find(|d| d.kind() == CursorKind::VarDecl && d.id() == variable)?;
        let q = self.cx.types.of(declared.ty());
        (q.ty == ret.ty && !q.volatile && !declared.has_static_storage()).then_some(variable)
    }
}

/// Whether all `return` statements below a node name one variable, and which.
fn all_return(at: Cursor<'_>, found: &mut Option<CursorId>) -> bool {
    for child in at.children() {
        let kind = child.kind();
        if kind == CursorKind::ReturnStmt {
            let Some(variable) = child.expressions().first().and_then(|&e| returned(e)) else { return false };
            if found.is_some_and(|f| f != variable) {
                return false;
            }
            *found = Some(variable);
        } else if kind != CursorKind::LambdaExpr && !kind.is_declaration() && !all_return(child, found) {
            return false;
        }
    }
    true
}

/// The variable that a `return` names, copied or moved as the language has it.
pub(super) fn returned(mut e: Cursor<'_>) -> Option<CursorId> {
    loop {
        let exprs = e.expressions();
        match e.kind() {
            CursorKind::DeclRefExpr => {
                return e.referenced().filter(|d| d.kind() == CursorKind::VarDecl).map(|d| d.id());
            }
            CursorKind::ParenExpr | CursorKind::UnexposedExpr if exprs.len() == 1 => e = exprs[0],
            CursorKind::CallExpr => {
                let constructor = e.referenced().filter(|d| d.kind() == CursorKind::Constructor)?;
                if !constructor.is_copy_constructor() && !constructor.is_move_constructor() {
                    return None;
                }
                match exprs[..] {
                    [one] => e = one,
                    _ => return None,
                }
            }
            _ => return None,
        }
    }
}
