//! Inherited constructors: `using Base::Base;`.
//!
//! libclang shows such a constructor at the place of the declaration that inherits it, under the name of the class that
//! wrote it, and says no more. A class of that name is not enough to go by: there may be several, the class itself among
//! them. What the declaration names and the parameters tell it.

use super::Ast;
use crate::clang::{Cursor, CursorKind};
use crate::types::{Decl, RecId};

/// Where an inherited constructor comes from.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Inherited {
    /// The direct base that the declaration names.
    pub base: RecId,
    /// That base or one further up, which has the constructor itself.
    pub origin: RecId,
}

impl<'tu> Ast<'tu> {
    /// Whether a constructor is one of a base class.
    pub fn is_inherited_constructor(&self, ctor: Decl<'tu>) -> bool {
        ctor.semantic_parent().is_some_and(|class| {
            class.spelling() != ctor.spelling() || using_declarations(class).any(|u| stands_at(u, ctor))
        })
    }

    /// Whether a class takes over its bases' functions of a name, `using Base::name;`.
    pub fn uses(&self, class: Decl<'tu>, name: &str) -> bool {
        using_declarations(class).any(|u| u.spelling() == name)
    }

    /// The constructor of a base class that an inherited one stands for.
    pub fn inherited_from(&mut self, ctor: Decl<'tu>) -> Option<Decl<'tu>> {
        let class = self.types.of(ctor.semantic_parent()?.ty()).ty;
        let class = self.types.as_record(class)?;
        let origin = self.inherited(class, ctor)?.origin;
        match self.constructors_like(ctor, origin).as_slice() {
            [one] => Some(*one),
            _ => None,
        }
    }

    /// Where `class` has an inherited constructor from, that takes what `ctor` takes: one of its own or of a class derived
    /// from it. `None` where more than one base may be meant.
    pub fn inherited(&mut self, class: RecId, ctor: Decl<'tu>) -> Option<Inherited> {
        let decl = self.types.record(class).decl;
        let own = ctor.semantic_parent().is_some_and(|c| c.is_same_entity(decl));
        let mut found: Option<Inherited> = None;
        for using in using_declarations(decl).filter(|u| !own || stands_at(*u, ctor)) {
            for base in self.named_bases(class, using)? {
                let Some(origin) = self.constructor_origin(base, ctor) else { continue };
                if found.is_some_and(|f| f.base != base) {
                    return None;
                }
                found = Some(Inherited { base, origin });
            }
        }
        found
    }

    /// The class that has a constructor for what `ctor` takes: the given one, or one that it inherits from.
    fn constructor_origin(&mut self, class: RecId, ctor: Decl<'tu>) -> Option<RecId> {
        let own = self.constructors_like(ctor, class);
        if own.iter().any(|c| {
            !c.is_copy_constructor() && !c.is_move_constructor() && !self.is_inherited_constructor(*c)
        }) {
            return Some(class);
        }
        self.inherited(class, ctor).map(|i| i.origin)
    }

    /// The direct bases of a class that a using-declaration may name: those that it refers to, or all where that hangs on a
    /// template's parameter.
    fn named_bases(&mut self, class: RecId, using: Cursor<'tu>) -> Option<Vec<RecId>> {
        let bases: Vec<_> = self.types.bases(class)?.iter().map(|b| b.ty).collect();
        let bases: Vec<RecId> = bases.into_iter().filter_map(|ty| self.types.as_record(ty)).collect();
        // In a template it is shown as `Base<type-parameter-0-0>`.
        let name = using.spelling();
        let hangs = name.contains("type-parameter-");
        let name = name.split('<').next();
        let (mut classes, mut templates) = (Vec::new(), Vec::new());
        for child in using.children() {
            match child.kind() {
                CursorKind::TypeRef if !hangs => {
                    let named = self.types.of(child.ty()).ty;
                    classes.extend(self.types.as_record(named));
                }
                CursorKind::TemplateRef => templates.extend(child.referenced().map(Decl::new)),
                _ => {}
            }
        }
        templates.retain(|t| !hangs || t.spelling().split('<').next() == name);
        let is_named = |base: &RecId| {
            let mut made_from = self.types.record(*base).decl.specialized_template();
            while let Some(template) = made_from {
                if templates.iter().any(|t| t.is_same_entity(template)) {
                    return true;
                }
                // A partial specialisation is of a template, too.
                made_from = template.specialized_template();
            }
            classes.contains(base)
        };
        let fitting: Vec<RecId> = bases.iter().copied().filter(is_named).collect();
        Some(if fitting.is_empty() { bases } else { fitting })
    }
}

/// The using-declarations of a class, or of the template that it is an instance of.
fn using_declarations(class: Decl<'_>) -> impl Iterator<Item = Cursor<'_>> {
    let template = class.specialized_template().map(|t| t.definition().unwrap_or(t));
    let pattern = template.map(|t| t.cursor().children());
    let all = class.cursor().children().into_iter().chain(pattern.into_iter().flatten());
    all.filter(|c| c.kind() == CursorKind::UsingDeclaration)
}

fn stands_at(using: Cursor<'_>, ctor: Decl<'_>) -> bool {
    using.location() == ctor.cursor().location()
}
