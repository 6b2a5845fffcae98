//! Instances of templates that no expression shown by libclang names.
//!
//! The steps of a range-for, the `get` of a structured binding and the constructor that an inherited one
//! stands for are calls that are not part of the tree. Their callees, where they are instances of templates,
//! are among the unit's children (see [`crate::clang::TranslationUnit`]).

use super::Cx;
use super::types::{Kind, RecId, Ty};
use crate::clang::{Cursor, CursorKind};

impl<'tu> Cx<'tu, '_> {
    /// The instances of a name.
    pub fn instances(&mut self, name: &str) -> Vec<Cursor<'tu>> {
        let unit = self.unit;
        let known = self.instances.get_or_insert_with(|| {
            let mut known = rustc_hash::FxHashMap::<String, Vec<Cursor<'tu>>>::default();
            for cursor in unit.cursor().children() {
                let member = matches!(cursor.kind(), CursorKind::CXXMethod | CursorKind::Constructor);
                // A friend that a class template defines is a function of the namespace around it.
                let friend = || {
                    cursor
                        .lexical_parent()
                        .is_some_and(|p| matches!(p.kind(), CursorKind::StructDecl | CursorKind::ClassDecl))
                };
                let function = cursor.kind() == CursorKind::FunctionDecl;
                if member || function && (is_instance(cursor) || friend()) {
                    known.entry(cursor.spelling()).or_default().push(cursor);
                }
            }
            known
        });
        known.get(name).cloned().unwrap_or_default()
    }

    /// How far into an object of type `ty` a parameter that takes it lies: 0 for its own type, a base
    /// class's offset. `None` where the parameter takes something else.
    pub fn parameter_takes(&mut self, function: Cursor<'tu>, index: usize, ty: Ty) -> Option<u64> {
        let q = self.types.of(function.ty());
        let param = *self.types.function(q.ty)?.params.get(index)?;
        let reference = matches!(self.types.kind(param.ty), Kind::Reference(_));
        let wanted = self.types.strip_reference(param).ty;
        if wanted == ty {
            return Some(0);
        }
        let (derived, base): (RecId, RecId) = (self.types.as_record(ty)?, self.types.as_record(wanted)?);
        if reference { self.base_offset(derived, base) } else { None }
    }
}

/// Whether a declaration is a member of a class template itself, which is no code.
pub(crate) fn is_of_template(decl: Cursor<'_>) -> bool {
    let mut around = decl.semantic_parent();
    while let Some(scope) = around {
        match scope.kind() {
            CursorKind::ClassTemplate | CursorKind::ClassTemplatePartialSpecialization => return true,
            CursorKind::StructDecl | CursorKind::ClassDecl => around = scope.semantic_parent(),
            _ => return false,
        }
    }
    false
}

/// Whether a function was made from a template: it then stands where the template does.
pub(crate) fn is_instance(function: Cursor<'_>) -> bool {
    function.specialized_template().is_some_and(|t| t.place() == function.place())
}
