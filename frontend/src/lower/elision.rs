//! The local variable that is a function's result itself.
//!
//! As the system's compiler does it: where all `return` statements of a function name one variable of its outermost
//! scope, of the type returned, that variable is made in the place of the result, and neither copied nor destroyed.
//! Other compilers may do it elsewhere too; programs that print from constructors show it.

use super::func::FnLower;
use crate::ast::{Ex, ExprKind};
use crate::clang::CursorId;
use crate::types::DeclKind;
use crate::types::Kind;

impl FnLower<'_, '_, '_> {
    /// The variable that is the result, if there is one and it matters.
    pub(super) fn returned_variable(&mut self) -> Option<CursorId> {
        let ret = self.frame.ret();
        if !self.cx.ast.cxx
            || self.frame.sret().is_none()
            || matches!(self.cx.ast.types.kind(ret.ty), Kind::Reference(_))
            || self.cx.is_trivially_copyable(ret.ty) && !self.cx.needs_destruction(ret.ty)
        {
            return None;
        }
        let declared = self.cx.ast.returned_variable(self.frame.decl())?;
        let q = self.cx.ast.types.of(declared.ty());
        (q.ty == ret.ty && !q.volatile && !declared.has_static_storage()).then_some(declared.id())
    }
}

/// The variable that a `return` names, copied or moved as the language has it.
pub(super) fn returned(mut e: Ex<'_>) -> Option<CursorId> {
    loop {
        match e.kind {
            ExprKind::Name(name) => {
                return name.decl.filter(|d| d.kind() == DeclKind::Variable).map(|d| d.id());
            }
            ExprKind::Call(call) => {
                let constructor = call.target.filter(|d| d.kind() == DeclKind::Constructor)?;
                if !constructor.is_copy_constructor() && !constructor.is_move_constructor() {
                    return None;
                }
                match *call.args {
                    [one] => e = one,
                    _ => return None,
                }
            }
            _ => e = e.operand()?,
        }
    }
}
