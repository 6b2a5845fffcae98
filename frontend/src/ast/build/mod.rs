//! Nodes from cursors.

mod alignment;
mod call;
mod expr;
mod generic;
mod recovered;
mod stmt;
mod unexposed;

use super::{Ast, Body, Ex};
use crate::clang::{Cursor, CursorKind};
use crate::types::{Decl, Kind, QTy};

impl<'tu> Ast<'tu> {
    /// The body of a function, for one side.
    pub fn body(&mut self, function: Decl<'tu>, device: bool) -> Option<Body<'tu>> {
        let body = body_cursor(function.cursor())?;
        let before = std::mem::replace(&mut self.device, device);
        self.enter_function(function);
        let made = if body.kind() == CursorKind::CXXTryStmt {
            match self.try_stmt(body) {
                Ok(made) => Body::Try(made),
                Err(broken) => Body::Fault(self.arena.alloc(broken), body.range()),
            }
        } else {
            Body::Plain(self.stmt(body))
        };
        self.device = before;
        Some(made)
    }

    /// What is made from now on stands in this function.
    pub fn enter_function(&mut self, function: Decl<'tu>) {
        self.around = Some(function);
    }

    /// The tree of an expression that belongs to a declaration, made once for each side.
    pub(super) fn root(&mut self, e: Cursor<'tu>) -> Ex<'tu> {
        let key = (e.id(), self.device);
        if let Some(&known) = self.known.get(&key) {
            return known;
        }
        let depth = std::mem::take(&mut self.depth);
        let made = self.expr(e);
        self.depth = depth;
        self.known.insert(key, made);
        made
    }

    /// The type of an expression, with libclang's undecayed parameters repaired.
    pub(super) fn type_of(&mut self, e: Cursor<'tu>) -> QTy {
        // libclang knows no type of these.
        if e.kind() == CursorKind::BuiltinBitCastExpr {
            return self.bit_cast_type(e);
        }
        let q = self.types.of(e.ty());
        let decays =
            matches!(self.types.kind(q.ty), Kind::Array { .. } | Kind::Vla { .. } | Kind::Function(_));
        if decays && (names_parameter(e) || self.converts_to_parameter(e)) {
            self.types.decayed(q)
        } else {
            q
        }
    }

    /// Whether an expression of array type is a conversion from something else, which only a parameter's
    /// declared type makes possible.
    fn converts_to_parameter(&mut self, e: Cursor<'tu>) -> bool {
        if e.kind() == CursorKind::ConditionalOperator {
            return e.expressions().into_iter().skip(1).any(|arm| {
                let q = self.type_of(arm);
                self.types.element(q.ty).is_none()
            });
        }
        if !matches!(e.kind(), CursorKind::UnexposedExpr | CursorKind::CStyleCastExpr) {
            return false;
        }
        match e.expressions().as_slice() {
            [inner] => {
                let from = self.type_of(*inner);
                matches!(self.types.kind(from.ty), Kind::Pointer(_) | Kind::Int { .. } | Kind::NullPtr)
            }
            _ => false,
        }
    }
}

/// The compound statement or the try block of a function.
pub(super) fn body_cursor(function: Cursor<'_>) -> Option<Cursor<'_>> {
    function
        .children()
        .into_iter()
        .rfind(|c| matches!(c.kind(), CursorKind::CompoundStmt | CursorKind::CXXTryStmt))
}

fn names_parameter(mut e: Cursor<'_>) -> bool {
    loop {
        match e.kind() {
            CursorKind::DeclRefExpr => {
                return e.referenced().is_some_and(|d| {
                    d.kind() == CursorKind::ParmDecl
                        && !matches!(
                            d.ty().canonical().kind().0,
                            clang_sys::CXType_LValueReference | clang_sys::CXType_RValueReference
                        )
                });
            }
            CursorKind::ParenExpr | CursorKind::UnexposedExpr => match e.expressions().as_slice() {
                [one] => e = *one,
                _ => return false,
            },
            CursorKind::BinaryOperator => match e.expressions().as_slice() {
                [_, right] if e.binary_operator() == clang_sys::CXBinaryOperator_Comma => e = *right,
                [left, _] if e.binary_operator() == clang_sys::CXBinaryOperator_Assign => e = *left,
                // A member that is an array, through a pointer to it.
                _ if matches!(
                    e.binary_operator(),
                    clang_sys::CXBinaryOperator_PtrMemD | clang_sys::CXBinaryOperator_PtrMemI
                ) =>
                {
                    return false;
                }
                // Arithmetic gives no array; on a parameter it gives the parameter's type.
                _ => return true,
            },
            CursorKind::CompoundAssignOperator => match e.expressions().first() {
                Some(left) => e = *left,
                None => return false,
            },
            CursorKind::UnaryOperator => match (e.unary_operator(), e.expressions().first()) {
                (1..=4 | 13, Some(inner)) => e = *inner,
                _ => return false,
            },
            _ => return false,
        }
    }
}
