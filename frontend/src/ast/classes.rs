//! The members of classes.

use super::{Ast, Ex};
use crate::clang::{Cursor, CursorKind};
use crate::types::{Decl, DeclKind, Field, RecId};

/// Which templates a class has that make functions for its objects.
#[derive(Clone, Copy, Default)]
pub(crate) struct Templates {
    pub constructors: bool,
    pub assignments: bool,
}

impl<'tu> Ast<'tu> {
    /// The default member initialiser of a field.
    pub fn field_initializer(&mut self, f: &Field<'tu>) -> Option<Ex<'tu>> {
        let init = self.field_initializer_cursor(f)?;
        Some(self.root(init))
    }

    /// Whether a field has a default member initialiser.
    pub fn has_field_initializer(&self, f: &Field<'tu>) -> bool {
        self.field_initializer_cursor(f).is_some() || self.has_bit_field_default(f)
    }

    pub(super) fn field_initializer_cursor(&self, f: &Field<'tu>) -> Option<Cursor<'tu>> {
        let cursor = f.decl.cursor();
        let mut exprs = cursor.expressions();
        // What stands before the name belongs to the type.
        let name = cursor.location();
        exprs.retain(|e| !e.start().is_before(name));
        let mut others = usize::from(f.width.is_some());
        let mut ty = f.ty.ty;
        while let Some(elem) = self.types.element(ty) {
            others += 1;
            ty = elem.ty;
        }
        let last = exprs.last()?;
        let written = exprs.len() > others || last.kind() == CursorKind::InitListExpr;
        (written && exprs.len() > usize::from(f.width.is_some())).then_some(*last).filter(|_| {
            // A dimension alone is no initialiser, whatever the count says for typedef'd arrays.
            exprs.len() > others || last.kind() == CursorKind::InitListExpr || others == 0
        })
    }

    /// The member functions of a class, where they can be seen.
    pub fn methods(&mut self, id: RecId) -> Vec<Decl<'tu>> {
        if let Some(known) = self.methods.get(&id) {
            return known.to_vec();
        }
        let mut methods = self.declared_methods(id);
        self.drop_constrained(&mut methods);
        if self.types.record(id).clang.size().is_some() {
            self.methods.insert(id, methods.clone().into());
        }
        methods
    }

    /// Of special member functions that differ in their constraints, those are dropped that do not hold: one with a body
    /// holds, since only then the template's was made into it; else the one that the compiler writes does.
    fn drop_constrained(&mut self, methods: &mut Vec<Decl<'tu>>) {
        let special = |m: &Decl<'tu>| match m.kind() {
            DeclKind::Destructor => true,
            DeclKind::Constructor => m.is_copy_constructor() || m.is_move_constructor(),
            DeclKind::Method => m.is_copy_assignment() || m.is_move_assignment(),
            _ => false,
        };
        let defaulted: Vec<_> = methods.iter().copied().filter(|m| m.is_defaulted() && special(m)).collect();
        for own in defaulted {
            let takes = |m: &Decl<'tu>| -> Vec<String> {
                let parameters = m.ty().canonical().parameters();
                parameters.into_iter().map(|p| p.canonical().spelling()).collect()
            };
            let same = |m: &Decl<'tu>| {
                m.id() != own.id() && m.kind() == own.kind() && special(m) && takes(m) == takes(&own)
            };
            let others: Vec<_> = methods.iter().copied().filter(|m| same(m)).collect();
            if others.is_empty() {
                continue;
            }
            let written = others.iter().filter(|m| !m.is_defaulted());
            let holds = own.is_deleted() || written.into_iter().any(|m| self.body_of(*m).is_some());
            let dropped = if holds { vec![own.id()] } else { others.iter().map(|m| m.id()).collect() };
            methods.retain(|m| !dropped.contains(&m.id()));
        }
    }

    /// Which templates a class has that make constructors and assignment operators.
    pub fn templates(&mut self, id: RecId) -> Templates {
        if let Some(&known) = self.templates.get(&id) {
            return known;
        }
        let decl = self.types.record(id).decl;
        let mut found = Templates::default();
        let name = decl.spelling();
        // The members of an instance of a class template need not show its templates.
        let template = decl.specialized_template().map(|t| t.definition().unwrap_or(t));
        for class in [Some(decl), template].into_iter().flatten() {
            for member in class.members().into_iter().filter(|m| m.kind() == DeclKind::FunctionTemplate) {
                // A constructor of a class template has the template's parameters in its name.
                let spelling = member.spelling();
                found.constructors |= spelling.split('<').next() == Some(name.as_str());
                found.assignments |= spelling == "operator=";
            }
        }
        if self.types.record(id).clang.size().is_some() {
            self.templates.insert(id, found);
        }
        found
    }

    fn declared_methods(&mut self, id: RecId) -> Vec<Decl<'tu>> {
        let record = self.types.record(id);
        let (clang, decl) = (record.clang, record.decl);
        // A class without a list of them is asked for its members.
        let methods = clang.methods().map(|m| m.to_vec()).unwrap_or_default();
        if !methods.is_empty() {
            return methods.into_iter().map(Decl::new).collect();
        }
        decl.members().into_iter().filter(|c| c.kind().is_function()).collect()
    }

    /// The constructors of a class that can be called, those made from templates too.
    pub fn constructors(&mut self, class: RecId) -> Vec<Decl<'tu>> {
        let mut all = self.methods(class);
        // Those made from templates are not among the class's members.
        let decl = self.types.record(class).decl;
        let instances = self.instances(&decl.spelling(), Some(decl));
        all.extend(
            instances.into_iter().filter(|c| c.semantic_parent().is_some_and(|p| p.is_same_entity(decl))),
        );
        // Those of a template's instance may be among both.
        let mut known = rustc_hash::FxHashSet::default();
        all.retain(|m| {
            m.kind() == DeclKind::Constructor && !m.is_deleted() && known.insert(m.canonical().id())
        });
        all
    }
}
