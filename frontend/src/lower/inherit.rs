//! Inherited constructors: `using Base::Base;`.
//!
//! What such a constructor does is not shown: it passes its parameters to the constructor of the base that
//! it was inherited from, and initialises the rest by default.

use super::R;
use super::func::FnLower;
use super::types::RecId;
use crate::clang::{Cursor, CursorKind};
use cudair_ir::Value;

impl<'tu> FnLower<'_, 'tu, '_> {
    /// Whether a constructor is one of a base class, under whose name it goes.
    pub fn is_inherited_constructor(&self, ctor: Cursor<'tu>) -> bool {
        ctor.semantic_parent().is_some_and(|class| class.spelling() != ctor.spelling())
    }

    /// What the inherited constructor being lowered does to the object.
    pub fn inherit_construct(&mut self, object: Value, class: RecId, vtt: Option<Value>) -> R<()> {
        let decl = self.decl;
        let name = decl.spelling();
        // The constructor of a virtual base is passed nothing where the whole object's does that.
        let virtual_bases = self.cx.virtual_bases(class);
        let mut passed = vtt.is_some()
            && virtual_bases.iter().any(|&(v, _)| self.cx.types.record(v).decl.spelling() == name);
        for base in self.made_bases(class, vtt, decl)? {
            let record = base.record;
            let at = self.b.ptr_offset(object, base.offset);
            if !passed && self.cx.types.record(record).decl.spelling() == name {
                passed = true;
                self.pass_parameters(at, record, base.vtt)?;
            } else if !passed && self.has_ancestor(record, &name) {
                passed = true;
                self.inherit_construct(at, record, base.vtt)?;
            } else if self.cx.needs_construction(base.ty) {
                self.begin_base(at, &base);
                self.default_construct(at, base.ty, decl)?;
                self.end_base(at, &base, decl)?;
            }
            self.register_base(at, &base, decl)?;
        }
        if !passed {
            return self.internal("a constructor inherited from no base", decl);
        }
        self.set_tables(object, class, vtt, decl)?;
        for f in self.cx.types.fields(class).iter() {
            self.default_field(object, f, decl)?;
        }
        Ok(())
    }

    fn has_ancestor(&mut self, class: RecId, name: &str) -> bool {
        let bases = self.cx.types.bases(class);
        bases.iter().flat_map(|b| b.iter()).any(|b| {
            self.cx.types.as_record(b.ty).is_some_and(|r| {
                self.cx.types.record(r).decl.spelling() == name || self.has_ancestor(r, name)
            })
        })
    }

    /// The constructor of a base class that an inherited one stands for.
    pub fn inherited_from(&mut self, ctor: Cursor<'tu>) -> Option<Cursor<'tu>> {
        let class = self.cx.types.of(ctor.semantic_parent()?.ty()).ty;
        let class = self.cx.types.as_record(class)?;
        let base = self.ancestor(class, &ctor.spelling())?;
        match self.constructors_like(ctor, base).as_slice() {
            [one] => Some(*one),
            _ => None,
        }
    }

    fn ancestor(&mut self, class: RecId, name: &str) -> Option<RecId> {
        for base in self.cx.types.bases(class)?.iter() {
            let record = self.cx.types.as_record(base.ty)?;
            if self.cx.types.record(record).decl.spelling() == name {
                return Some(record);
            }
            if let Some(found) = self.ancestor(record, name) {
                return Some(found);
            }
        }
        None
    }

    /// The constructors of a class that take what `decl` takes.
    fn constructors_like(&mut self, decl: Cursor<'tu>, record: RecId) -> Vec<Cursor<'tu>> {
        let q = self.cx.types.of(decl.ty());
        let wanted = self.cx.types.function(q.ty);
        let class = self.cx.types.record(record).decl.canonical().id();
        let mut candidates: Vec<Cursor<'tu>> = self.cx.methods(record);
        let instances = self.cx.instances(&decl.spelling());
        candidates.extend(
            instances
                .into_iter()
                .filter(|c| c.semantic_parent().is_some_and(|p| p.canonical().id() == class)),
        );
        let mut found: Vec<Cursor<'tu>> = Vec::new();
        for c in candidates {
            if c.kind() != CursorKind::Constructor
                || found.iter().any(|f| f.canonical().id() == c.canonical().id())
            {
                continue;
            }
            let own = self.cx.types.of(c.ty());
            let own = self.cx.types.function(own.ty);
            let same = own.zip(wanted.clone()).is_some_and(|(a, b)| {
                a.params.len() == b.params.len() && a.params.iter().zip(&b.params).all(|(a, b)| a.ty == b.ty)
            });
            if same {
                found.push(c);
            }
        }
        // Those of the library's classes have no bodies to see.
        if found.iter().any(|c| self.cx.body_of(*c).is_some()) {
            found.retain(|c| self.cx.body_of(*c).is_some());
        }
        found
    }

    /// Calls the base's constructor that takes the same parameters with those of this one.
    fn pass_parameters(&mut self, base: Value, record: RecId, vtt: Option<Value>) -> R<()> {
        let decl = self.decl;
        let found = self.constructors_like(decl, record);
        let &[ctor] = found.as_slice() else {
            return self.unsupported("the constructor that this one inherits", decl);
        };
        let func = self.cx.func_as(ctor, self.device, vtt.is_some())?;
        let mut args = vec![self.generic(base)];
        args.extend(vtt);
        args.extend(self.parameter_values.iter().copied());
        self.call_func(func, &args);
        Ok(())
    }
}
