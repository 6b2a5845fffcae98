//! Variables declared in functions.

use super::R;
use super::func::{FnLower, Var};
use super::types::Kind;
use crate::clang::{Cursor, CursorKind, Evaluated, StorageClass};
use cudair_ir::{MemFlags, Type};

impl<'tu> FnLower<'_, 'tu, '_> {
    pub fn local_decl(&mut self, decl: Cursor<'tu>) -> R<()> {
        match decl.kind() {
            CursorKind::VarDecl => self.local_variable(decl),
            CursorKind::TypedefDecl | CursorKind::TypeAliasDecl => {
                self.vla_dimensions(decl.typedef_underlying(), decl)
            }
            CursorKind::UnexposedDecl if !decl.children().is_empty() && self.cx.cxx => {
                self.structured_binding(decl)
            }
            _ => Ok(()),
        }
    }

    /// A variable declared in a function.
    pub fn local_variable(&mut self, decl: Cursor<'tu>) -> R<()> {
        if decl.has_static_storage() || decl.storage_class() == StorageClass::Extern {
            return self.static_variable(decl);
        }
        let q = self.cx.types.of(decl.ty());
        let name = decl.spelling();
        if self.contains_vla(q.ty)
            && matches!(self.cx.types.kind(q.ty), Kind::Vla { .. } | Kind::Array { .. })
        {
            self.vla_dimensions(decl.ty(), decl)?;
            let size = self.size_value(q.ty, decl)?;
            let align = self.cx.types.align(q.ty);
            let pointer = self.b.alloca(size, align, true);
            let pointer = self.generic(pointer);
            let slot = self.b.slot(&name, 8, 8);
            let address = self.b.slot_addr(slot);
            self.b.store(pointer, address, MemFlags::aligned(8));
            self.vars.insert(decl.id(), Var::Indirect(slot));
            return Ok(());
        }
        self.vla_dimensions(decl.ty(), decl)?;
        if let Kind::Reference(_) = self.cx.types.kind(q.ty) {
            let slot = self.variable_slot(&name, 8, 8, decl)?;
            self.vars.insert(decl.id(), Var::Indirect(slot));
            let Some(init) = decl.initializer() else {
                return self.internal("a reference without an initialiser", decl);
            };
            // Which temporary the reference is bound to is not visible: all of the initialiser's live as
            // long as the reference.
            let place = self.place(init)?;
            let pointer = self.pointer_for(place.ptr, q.ty);
            let ir = self.b.ty(pointer);
            let address = self.b.slot_addr(slot);
            self.b.store(pointer, address, MemFlags::natural(ir));
            return Ok(());
        }
        let Some(size) = self.cx.types.size(q.ty) else {
            return self.unsupported(format!("a variable of type {}", self.cx.types.name(q.ty)), decl);
        };
        let align =
            self.cx.types.align(q.ty).max(decl.ty().align().unwrap_or(1)).max(self.declared_alignment(decl));
        let slot = self.variable_slot(&name, size, align, decl)?;
        self.vars.insert(decl.id(), Var::Slot(slot));
        if let Some(init) = decl.initializer() {
            let keep = self.cleanups.len();
            let address = self.b.slot_addr(slot);
            self.init_object(address, align, q, init)?;
            self.pop_cleanups(keep);
        }
        self.register_destructor(q.ty, super::func::CleanupPlace::Slot(slot), decl)
    }

    pub fn static_variable(&mut self, decl: Cursor<'tu>) -> R<()> {
        let global = self.cx.global(decl, self.device)?;
        self.vars.insert(decl.id(), Var::Global(global));
        if !self.cx.late.contains(&global) || decl.semantic_parent().is_none() || !decl.is_definition() {
            return Ok(());
        }
        // Initialised the first time that control passes.
        let name = self.cx.unique_name(format!("{}.guard", self.cx.module.globals[global].name));
        let guard = self.cx.module.add_global(cudair_ir::Global {
            display_name: format!("guard of {}", decl.spelling()),
            name,
            space: self.cx.module.globals[global].space,
            size: 1,
            align_log2: 0,
            linkage: cudair_ir::Linkage::Internal,
            constant: false,
            dynamic: false,
            init: cudair_ir::GlobalInit::Zero,
            loc: self.b.loc().into(),
        });
        let address = self.b.global_addr(self.cx.module, guard);
        let done = self.b.load(Type::I1, address, MemFlags::aligned(1));
        let (run, after) = (self.b.make_block(), self.b.make_block());
        self.b.branch(done, after, run);
        self.b.switch_to(run);
        self.conditional += 1;
        let yes = self.b.iconst(Type::I1, 1);
        self.b.store(yes, address, MemFlags::aligned(1));
        self.dynamic_init(global, decl)?;
        self.conditional -= 1;
        self.b.jump(after, &[]);
        self.b.switch_to(after);
        Ok(())
    }

    /// Runs the initialiser of a static variable.
    pub fn dynamic_init(&mut self, global: cudair_ir::GlobalId, decl: Cursor<'tu>) -> R<()> {
        let Some(init) = decl.initializer() else { return Ok(()) };
        let old = self.enter(decl);
        let q = self.cx.types.of(decl.ty());
        let address = self.b.global_addr(self.cx.module, global);
        let keep = self.cleanups.len();
        if let Kind::Reference(_) = self.cx.types.kind(q.ty) {
            let place = self.place(init)?;
            let pointer = self.pointer_for(place.ptr, q.ty);
            let ir = self.b.ty(pointer);
            self.b.store(pointer, address, MemFlags::natural(ir));
        } else {
            let align = self.cx.types.align(q.ty);
            self.init_object(address, align, q, init)?;
        }
        self.pop_cleanups(keep);
        self.b.set_loc(old);
        Ok(())
    }

    pub fn declared_alignment(&self, decl: Cursor<'tu>) -> u32 {
        decl.children()
            .iter()
            .filter(|c| c.kind() == CursorKind::AlignedAttr)
            .flat_map(|c| c.expressions())
            .filter_map(|e| match e.evaluate() {
                Some(Evaluated::Int(v)) => u32::try_from(v).ok().filter(|v| v.is_power_of_two()),
                _ => None,
            })
            .max()
            .unwrap_or(1)
    }
}
