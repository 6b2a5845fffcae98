//! Functions of a name, where libclang tells of one that the program uses no more than that.

use super::Ast;
use super::instances::is_of_template;
use crate::clang::{Cursor, CursorKind as K};
use crate::types::Decl;

/// A function that a name may mean.
#[derive(Clone, Copy)]
pub(crate) struct Named<'tu> {
    pub function: Decl<'tu>,
    /// Whether it is a template, or a member of one: the name then means an instance of it.
    pub is_template: bool,
}

impl<'tu> Ast<'tu> {
    /// The functions of a name, each once, that take one parameter and no object, of all namespaces and classes, and of the
    /// functions of the user's files.
    pub fn of_one_parameter(&self, name: &str) -> Vec<Named<'tu>> {
        self.unit.miss(name);
        let mut found: Vec<Named<'tu>> = Vec::new();
        let mut scopes = vec![self.unit.cursor()];
        while let Some(scope) = scopes.pop() {
            for child in scope.children() {
                let is_template = child.kind() == K::FunctionTemplate;
                if is_template || matches!(child.kind(), K::FunctionDecl | K::CXXMethod) {
                    let function = Decl::new(child);
                    let takes_one = child.spelling() == name
                        && child.children().iter().filter(|c| c.kind() == K::ParmDecl).count() == 1
                        && (child.kind() != K::CXXMethod || child.is_static_method());
                    if takes_one && !found.iter().any(|f| f.function.is_same_entity(function)) {
                        found.push(Named { function, is_template: is_template || is_of_template(child) });
                    }
                }
                if is_scope(child) {
                    scopes.push(child);
                }
            }
        }
        found
    }

    /// The functions outside of namespaces and classes.
    pub fn functions_at_file_scope(&self, wanted: impl Fn(Decl<'tu>) -> bool) -> Vec<Decl<'tu>> {
        let (mut found, mut blocks) = (Vec::new(), vec![self.unit.cursor()]);
        while let Some(block) = blocks.pop() {
            for child in block.children() {
                match child.kind() {
                    K::LinkageSpec => blocks.push(child),
                    K::FunctionDecl if wanted(Decl::new(child)) => found.push(Decl::new(child)),
                    _ => {}
                }
            }
        }
        found
    }
}

/// Whether functions may be declared in it that other code can name. No code of the library's names the user's.
fn is_scope(cursor: Cursor<'_>) -> bool {
    match cursor.kind() {
        K::Namespace
        | K::LinkageSpec
        | K::StructDecl
        | K::ClassDecl
        | K::UnionDecl
        | K::ClassTemplate
        | K::ClassTemplatePartialSpecialization => true,
        _ => !cursor.in_system_header(),
    }
}
