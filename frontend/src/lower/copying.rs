//! Which constructor or assignment operator copies a part of an object where the compiler writes the copy.
//!
//! libclang does not show what it writes for `X(const X &) = default;` or leaves out altogether. Each base and member
//! is made of the source's by overload resolution among all constructors of its class (C++17 §15.8.1, §15.8.2): an lvalue as
//! constant as the source, or with a move an object about to end. Since what is copied is of the class itself, only
//! parameters that are references to the class, or of an assignment the class, can be the best.

use super::Cx;
use crate::ast::Templates;
use crate::clang::{Type as ClangType, TypeKind};
use crate::types::{Decl, DeclKind, Field, RecId};
use cudair_ir::Value;

/// What a part of an object is copied from.
#[derive(Clone, Copy)]
pub(crate) struct Source {
    pub ptr: Value,
    pub is_const: bool,
    /// Whether it is about to end, so that it is moved from.
    pub ends: bool,
}

impl Source {
    /// An object that stays.
    pub fn lvalue(ptr: Value, is_const: bool) -> Source {
        Source { ptr, is_const, ends: false }
    }

    /// What the first parameter of a copying function refers to.
    pub fn of_parameter(ptr: Value, function: Decl<'_>) -> Source {
        let parameters = function.ty().canonical().parameters();
        let Some(first) = parameters.first().map(|p| p.canonical()) else { return Source::lvalue(ptr, true) };
        let is_const = first.is_reference() && first.pointee().is_const();
        Source { ptr, is_const, ends: first.kind() == TypeKind::RValueReference }
    }

    /// A member of it, at an address.
    pub fn member(self, ptr: Value, field: &Field<'_>) -> Source {
        let is_const = field.ty.is_const || self.is_const && !field.decl.is_mutable();
        Source { ptr, is_const, ..self }
    }
}

/// How a part is copied.
pub(crate) enum Copying<'tu> {
    /// By a function that the program writes.
    By(Decl<'tu>),
    /// By one that the compiler writes, which sees the source so.
    Memberwise(Source),
    /// What libclang shows leaves several functions.
    Several,
}

impl<'tu> Cx<'tu, '_> {
    /// The constructor that makes an object of the class of another.
    pub fn copying_constructor(&mut self, class: RecId, source: Source) -> Copying<'tu> {
        let candidates = if self.copying_templates(class).constructors {
            self.ast.constructors(class)
        } else {
            self.ast.methods(class)
        };
        let candidates = candidates.into_iter().filter(|c| c.kind() == DeclKind::Constructor).collect();
        self.choose_copying(class, candidates, source)
    }

    /// The operator that assigns an object of the class to another.
    pub fn copying_assignment(&mut self, class: RecId, source: Source) -> Copying<'tu> {
        let mut candidates = self.ast.methods(class);
        if self.copying_templates(class).assignments {
            let decl = self.ast.types.record(class).decl;
            let made = self.ast.instances("operator=", None);
            candidates.extend(
                made.into_iter().filter(|m| m.semantic_parent().is_some_and(|p| p.is_same_entity(decl))),
            );
        }
        // What is assigned to is an lvalue.
        candidates.retain(|m| {
            m.kind() == DeclKind::Method && m.spelling() == "operator=" && !m.ty().takes_rvalues()
        });
        self.choose_copying(class, candidates, source)
    }

    /// Which templates may make what copies objects of the class. Those of the library do not take an object of their own
    /// class.
    fn copying_templates(&mut self, class: RecId) -> Templates {
        if self.ast.types.record(class).decl.in_system_header() {
            return Templates::default();
        }
        self.ast.templates(class)
    }

    /// Whether an instance of a template of the class's takes an object of the class, so that it may be what copies it.
    pub fn is_copied_by_template(&mut self, class: RecId) -> bool {
        let own = self.ast.types.record(class).clang.canonical().unqualified().id();
        let takes_own = |f: &Decl<'tu>| {
            let parameters = f.ty().canonical().parameters();
            let is_own =
                |p: &ClangType<'tu>| p.is_reference() && p.pointee().canonical().unqualified().id() == own;
            parameters.first().is_some_and(is_own) && f.is_made_from_function_template()
        };
        let by_constructor =
            self.copying_templates(class).constructors && self.ast.constructors(class).iter().any(takes_own);
        by_constructor
            || self.copying_templates(class).assignments
                && self.ast.instances("operator=", None).iter().any(takes_own)
    }

    fn choose_copying(
        &mut self,
        class: RecId,
        mut candidates: Vec<Decl<'tu>>,
        source: Source,
    ) -> Copying<'tu> {
        candidates.retain(|c| !c.is_deleted());
        let own = self.ast.types.record(class).clang.canonical().unqualified().id();
        let mut best: Option<((u32, bool), Decl<'tu>)> = None;
        let mut several = false;
        for candidate in candidates {
            let parameters = candidate.ty().canonical().parameters();
            let Some(first) = parameters.first().map(|p| p.canonical()) else { continue };
            if !self.may_be_left_out(candidate, 1..parameters.len()) {
                continue;
            }
            let Some(adds) = binding(first, own, source) else { continue };
            // A function that is no template goes first.
            let rank = (adds, candidate.is_made_from_function_template());
            match best {
                Some((_, known)) if known.is_same_entity(candidate) => {}
                Some((known, _)) if known < rank => {}
                Some((known, _)) if known == rank => several = true,
                _ => {
                    best = Some((rank, candidate));
                    several = false;
                }
            }
        }
        match best {
            _ if several => Copying::Several,
            Some((_, chosen)) if chosen.is_defaulted() => {
                Copying::Memberwise(Source::of_parameter(source.ptr, chosen))
            }
            Some((_, chosen)) => Copying::By(chosen),
            None => Copying::Memberwise(source),
        }
    }
}

/// What a parameter adds to the source that it takes, lower is better; `None` where it does not take it.
fn binding(parameter: ClangType<'_>, class: usize, source: Source) -> Option<u32> {
    let object = if parameter.is_reference() { parameter.pointee() } else { parameter };
    if object.canonical().unqualified().id() != class {
        return None;
    }
    let (is_const, is_volatile) = (object.is_const(), object.is_volatile());
    let qualifiers = u32::from(is_const && !source.is_const) + u32::from(is_volatile);
    match parameter.kind() {
        TypeKind::LValueReference if source.ends => (is_const && !is_volatile).then_some(4 + qualifiers),
        TypeKind::LValueReference => (is_const || !source.is_const).then_some(qualifiers),
        TypeKind::RValueReference => (source.ends && (is_const || !source.is_const)).then_some(qualifiers),
        _ => Some(0),
    }
}
