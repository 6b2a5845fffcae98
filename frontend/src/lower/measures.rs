//! What is certain where an object is made or a function called: the size of a type, its form in IR, a function's type.
//!
//! Where one of them is missing, the tree is not as it should be. That is a defect, and says so: a value in its place
//! would be a wrong program without a word.

use super::func::FnLower;
use super::{At, Cx, Fault, R};
use crate::fault::FaultKind;
use crate::types::{Decl, FnTy, Kind, Located, RecId, Ty};
use cudair_ir::Type;
use std::rc::Rc;

impl<'tu> Cx<'tu, '_> {
    /// The size of a type whose objects are made.
    pub fn object_size(&mut self, ty: Ty, at: At<'_>) -> R<u64> {
        match self.ast.types.size(ty) {
            Some(size) => Ok(size),
            None => {
                self.internal(format!("an object of type {}, which has no size", self.ast.types.name(ty)), at)
            }
        }
    }

    /// The bytes that a member takes in its object: an array without a length at the end has none of its own.
    pub fn member_size(&self, ty: Ty) -> Option<u64> {
        match self.ast.types.kind(ty) {
            Kind::Array { len: None, .. } => Some(0),
            _ => self.ast.types.size(ty),
        }
    }

    /// The type of a function.
    pub fn function_type(&mut self, function: Decl<'tu>, at: At<'_>) -> R<Rc<FnTy>> {
        let q = self.ast.types.of(function.ty());
        match self.ast.types.function(q.ty) {
            Some(ty) => Ok(ty),
            None => self.internal(format!("`{}` has no function type", function.spelling()), at),
        }
    }

    /// The declared parameters of a function.
    pub fn parameters_of(&mut self, function: Decl<'tu>, at: At<'_>) -> R<Vec<Decl<'tu>>> {
        match function.parameters() {
            Some(parameters) => Ok(parameters),
            None => self.internal(format!("`{}` has no parameters to ask for", function.spelling()), at),
        }
    }

    /// A defect where nothing can be given back: the program is refused.
    pub fn defect(&mut self, what: impl Into<String>, at: At<'_>) {
        let loc = self.loc(at);
        self.faults.push(Fault { kind: FaultKind::Internal, what: what.into(), loc });
    }

    /// As [`Self::defect`], of a class.
    pub fn class_defect(&mut self, what: &str, class: RecId) {
        let decl = self.ast.types.record(class).decl;
        self.defect(format!("{what} of `{}`", decl.spelling()), &decl as &dyn Located);
    }
}

impl FnLower<'_, '_, '_> {
    /// The size of a type whose objects are made.
    pub fn object_size(&mut self, ty: Ty, at: At<'_>) -> R<u64> {
        self.cx.object_size(ty, at)
    }

    /// The form in IR of a pointer or reference type.
    pub fn pointer_type(&mut self, ty: Ty) -> R<Type> {
        match self.cx.ast.types.ir(ty) {
            Some(ir) if ir.is_ptr() => Ok(ir),
            _ => self.defect(format!("{} as a pointer", self.cx.ast.types.name(ty))),
        }
    }

    /// What a pointer type points to.
    pub fn pointee(&mut self, ty: Ty, at: At<'_>) -> R<Ty> {
        match self.cx.ast.types.pointee(ty) {
            Some(to) => Ok(to.ty),
            None => self.internal(format!("what {} points to", self.cx.ast.types.name(ty)), at),
        }
    }

    /// A defect at the current place.
    pub fn defect<T>(&mut self, what: impl Into<String>) -> R<T> {
        Err(Box::new(Fault { kind: FaultKind::Internal, what: what.into(), loc: self.b.loc() }))
    }
}
