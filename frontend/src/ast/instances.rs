//! Instances of templates that no expression shown by libclang names.
//!
//! The steps of a range-for, the `get` of a structured binding and the constructor that an inherited one
//! stands for are calls that are not part of the tree. Their callees, where they are instances of templates,
//! are among the unit's children (see [`crate::clang::TranslationUnit`]).

use super::Ast;
use crate::clang::{Cursor, CursorKind};
use crate::types::{Decl, DeclKind, RecId};

impl<'tu> Ast<'tu> {
    /// The instances of a name; `class`: constructors of this one alone are wanted.
    pub fn instances(&mut self, name: &str, class: Option<Decl<'tu>>) -> Vec<Decl<'tu>> {
        let unit = self.unit;
        unit.look_for(name, class.map(Decl::cursor));
        let known = self.instances.get_or_insert_with(|| {
            let mut known = rustc_hash::FxHashMap::<String, Vec<Decl<'tu>>>::default();
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
                    known.entry(cursor.spelling()).or_default().push(Decl::new(cursor));
                }
            }
            known
        });
        // A name of which nothing was made has no instances.
        known.get(name).cloned().unwrap_or_default()
    }

    /// The functions of a name that the unit's namespaces declare, wherever these are opened, each once.
    pub fn in_namespaces(&mut self, name: &str) -> Vec<Decl<'tu>> {
        let unit = self.unit;
        unit.miss(name);
        let known = self.in_namespaces.get_or_insert_with(|| {
            let mut known = rustc_hash::FxHashMap::default();
            collect_functions(unit.cursor(), &mut known, &mut rustc_hash::FxHashSet::default());
            known
        });
        known.entry(name.to_owned()).or_default().clone()
    }

    /// The functions of a name that a scope declares: a namespace, or a class for its friends.
    pub fn declared_in(&self, scope: Decl<'tu>, name: &str) -> Vec<Decl<'tu>> {
        let children = scope.cursor().children();
        children.into_iter().filter(|c| c.spelling() == name).map(Decl::new).collect()
    }

    /// The constructors of a class that take what `decl` takes.
    pub fn constructors_like(&mut self, decl: Decl<'tu>, record: RecId) -> Vec<Decl<'tu>> {
        let class = self.types.record(record).decl;
        let mut candidates: Vec<Decl<'tu>> = self.methods(record);
        let instances = self.instances(&decl.spelling(), Some(class));
        candidates.extend(
            instances.into_iter().filter(|c| c.semantic_parent().is_some_and(|p| p.is_same_entity(class))),
        );
        let mut found: Vec<Decl<'tu>> = Vec::new();
        for c in candidates {
            if c.kind() != DeclKind::Constructor || found.iter().any(|f| f.is_same_entity(c)) {
                continue;
            }
            let same = c.ty().takes_what(decl.ty());
            if same {
                found.push(c);
            }
        }
        // Those of the library's classes have no bodies to see.
        if found.iter().any(|c| self.body_of(*c).is_some()) {
            found.retain(|c| self.body_of(*c).is_some());
        }
        found
    }
}

/// The functions that a scope and the namespaces in it declare, by name.
fn collect_functions<'tu>(
    scope: Cursor<'tu>,
    known: &mut rustc_hash::FxHashMap<String, Vec<Decl<'tu>>>,
    seen: &mut rustc_hash::FxHashSet<crate::clang::CursorId>,
) {
    for child in scope.children() {
        match child.kind() {
            CursorKind::Namespace | CursorKind::LinkageSpec => collect_functions(child, known, seen),
            CursorKind::FunctionDecl if seen.insert(child.canonical().id()) => {
                known.entry(child.spelling()).or_default().push(Decl::new(child));
            }
            _ => {}
        }
    }
}

/// Whether a declaration is a member of a class template itself, which is no code.
pub(super) fn is_of_template(decl: Cursor<'_>) -> bool {
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
pub(super) fn is_instance(function: Cursor<'_>) -> bool {
    function.specialized_template().is_some_and(|t| t.location() == function.location())
}
