//! Inherited constructors: `using Base::Base;`.
//!
//! What such a constructor does is not shown: it passes its parameters to the constructor of the base that
//! it was inherited from, and initialises the rest by default.

use super::R;
use super::func::FnLower;
use crate::ast::Inherited;
use crate::types::RecId;
use cudair_ir::Value;

impl FnLower<'_, '_, '_> {
    /// What the inherited constructor being lowered does to the object.
    pub fn inherit_construct(&mut self, object: Value, class: RecId, vtt: Option<Value>) -> R<()> {
        let decl = self.frame.decl();
        let Some(Inherited { base: named, origin }) = self.cx.ast.inherited(class, decl) else {
            return self
                .unsupported("a constructor inherited from a base that libclang does not tell", &decl);
        };
        // The constructor of a virtual base is passed nothing where the whole object's does that.
        let is_virtual = self.cx.virtual_bases(class).iter().any(|&(v, _)| v == origin);
        let mut passed = vtt.is_some() && is_virtual;
        for base in self.made_bases(class, vtt, &decl)? {
            let record = base.record;
            let at = self.b.ptr_offset(object, base.offset);
            if !passed && record == origin && (is_virtual || named == origin) {
                passed = true;
                self.pass_parameters(at, record, base.vtt)?;
            } else if record == named && named != origin {
                passed = true;
                self.inherit_construct(at, record, base.vtt)?;
            } else if self.cx.needs_construction(base.ty) {
                self.begin_base(at, &base);
                self.default_construct(at, base.ty, false, &decl)?;
                self.end_base(at, &base, &decl)?;
            }
            self.register_base(at, &base, &decl)?;
        }
        if !passed {
            return self.internal("an inherited constructor without its base", &decl);
        }
        self.set_tables(object, class, vtt, &decl)?;
        self.init_members(object, class, &[], false, &decl)
    }

    /// Calls the base's constructor that takes the same parameters with those of this one.
    fn pass_parameters(&mut self, base: Value, record: RecId, vtt: Option<Value>) -> R<()> {
        let decl = self.frame.decl();
        let found = self.cx.ast.constructors_like(decl, record);
        let &[ctor] = found.as_slice() else {
            return self.unsupported("the constructor that this one inherits", &decl);
        };
        let func = self.cx.func_as(ctor, self.frame.device(), vtt.is_some())?;
        let mut args = vec![self.generic(base)];
        args.extend(vtt);
        args.extend(self.frame.arguments());
        self.call_func(func, &args);
        Ok(())
    }
}
