//! Variables declared in functions.

use super::func::FnLower;
use super::func::cleanups::CleanupPlace;
use super::func::names::Var;
use super::init::peel_init;
use super::lvalue::Place;
use super::unit::initialisers::DynamicInit;
use super::{At, R};
use crate::ast::{Ex, ExprKind};
use crate::clang::StorageClass;
use crate::types::{Decl, DeclKind};
use crate::types::{Kind, QTy, Ty};
use cudair_ir::{GlobalId, MemFlags, Param, Signature, Space, Type, Value};

/// `cudaMemcpyHostToDevice`
const HOST_TO_DEVICE: i128 = 1;

impl<'tu> FnLower<'_, 'tu, '_> {
    /// A reference in its variable gets what it refers to.
    pub(super) fn bind_reference(&mut self, slot: cudair_ir::Slot, init: Ex<'tu>, ty: Ty) -> R<()> {
        let keep = self.cleanups.mark();
        let place = self.bound_place(init)?;
        let pointer = self.pointer_for(place.ptr, ty)?;
        let ir = self.b.ty(pointer);
        let address = self.b.slot_addr(slot);
        self.b.store(pointer, address, MemFlags::natural(ir));
        self.pop_temporaries(keep);
        Ok(())
    }

    pub fn local_decl(&mut self, decl: Decl<'tu>) -> R<()> {
        match decl.kind() {
            DeclKind::Variable => self.local_variable(decl),
            DeclKind::TypeName => self.vla_dimensions(decl.typedef_underlying(), decl),
            DeclKind::Unexposed if self.cx.ast.is_structured_binding(decl) => self.structured_binding(decl),
            // Functions, classes, names for types and `using` are no code.
            _ => Ok(()),
        }
    }

    /// A variable declared in a function.
    pub fn local_variable(&mut self, decl: Decl<'tu>) -> R<()> {
        if decl.has_static_storage() || decl.storage_class() == StorageClass::Extern {
            return self.static_variable(decl);
        }
        let q = self.cx.ast.types.of(decl.ty());
        let name = decl.spelling();
        if self.contains_vla(q.ty)
            && matches!(self.cx.ast.types.kind(q.ty), Kind::Vla { .. } | Kind::Array { .. })
        {
            self.vla_dimensions(decl.ty(), decl)?;
            let size = self.size_value(q.ty, &decl)?;
            let align = self.cx.ast.types.align(q.ty);
            let pointer = self.b.alloca(size, align, true);
            let pointer = self.generic(pointer);
            let slot = self.b.slot(&name, 8, 8);
            self.typed(slot, decl);
            let address = self.b.slot_addr(slot);
            self.b.store(pointer, address, MemFlags::aligned(8));
            self.names.declare(decl, Var::Indirect(slot));
            return match self.cx.ast.initializer(decl) {
                Some(init) => self.init_vla(pointer, align, q, init),
                None => Ok(()),
            };
        }
        self.vla_dimensions(decl.ty(), decl)?;
        if let Kind::Reference(_) = self.cx.ast.types.kind(q.ty) {
            let slot = self.variable_slot(&name, 8, 8, &decl)?;
            self.typed(slot, decl);
            self.names.declare(decl, Var::Indirect(slot));
            let Some(init) = self.cx.ast.initializer(decl) else {
                return self.internal("a reference without an initialiser", &decl);
            };
            self.bind_reference(slot, init, q.ty)?;
            return Ok(());
        }
        let Some(size) = self.cx.ast.types.size(q.ty) else {
            return self.unsupported(format!("a variable of type {}", self.cx.ast.types.name(q.ty)), &decl);
        };
        let asked = match self.cx.ast.declared_alignment(decl) {
            Ok(asked) => asked,
            Err(broken) => return self.broken(&broken, &decl),
        };
        // A type without an alignment asks for nothing.
        let of_type = self.cx.ast.types.align(q.ty).max(decl.ty().align().unwrap_or(1));
        let align = of_type.max(asked);
        if self.frame.result() == Some(decl.id())
            && let Some(result) = self.frame.sret()
        {
            // The variable is the result: it is destroyed only if something throws.
            self.names.declare(decl, Var::Address(result));
            if let Some(init) = self.cx.ast.initializer(decl) {
                let keep = self.cleanups.mark();
                self.init_object(result, align, q, init)?;
                self.pop_cleanups(keep);
            }
            return self.register_result(q.ty, result, &decl);
        }
        let slot = self.variable_slot(&name, size, align, &decl)?;
        self.typed(slot, decl);
        self.names.declare(decl, Var::Slot(slot));
        if let Some(init) = self.cx.ast.initializer(decl) {
            let keep = self.cleanups.mark();
            let address = self.b.slot_addr(slot);
            // References in an aggregate extend the life of temporaries too.
            self.in_list(true, |f| f.init_living(address, align, q, init))?;
            self.pop_temporaries(keep);
        }
        self.register_destructor(q.ty, CleanupPlace::Slot(slot), &decl)?;
        self.register_cleanup(decl, slot, size)
    }

    /// Initialises an array of variable length: C has nothing but empty braces for one.
    fn init_vla(&mut self, at: Value, align: u32, q: QTy, init: Ex<'tu>) -> R<()> {
        match peel_init(init).kind {
            ExprKind::List([]) => self.zero_object(at, align, q, init),
            _ => self.unsupported("this initialiser of an array of variable length", init),
        }
    }

    /// Initialises a variable; a list that it is a view of lives as long.
    fn init_living(&mut self, at: Value, align: u32, q: QTy, init: Ex<'tu>) -> R<()> {
        if self.is_std_list(q.ty) {
            return self.with_living_list(init, |f| f.init_object(at, align, q, init));
        }
        self.init_object(at, align, q, init)
    }

    /// The place of what a reference that lives on is bound to.
    pub fn bound_place(&mut self, init: Ex<'tu>) -> R<Place> {
        let mut bound = Vec::new();
        self.bound_temporary(init, &mut bound);
        self.extending(bound, |f| f.referred_place(init))
    }

    pub fn static_variable(&mut self, decl: Decl<'tu>) -> R<()> {
        let global = self.cx.global(decl, self.frame.device())?;
        self.names.declare(decl, Var::Global(global));
        if !self.cx.variables.is_late(global)
            || decl.semantic_parent().is_none()
            || decl.kind() == DeclKind::Variable && !decl.is_definition()
        {
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
            ty: None,
        });
        let of_thread = decl.is_thread_local();
        let address = self.variable_address(guard, of_thread)?;
        let done = self.b.load(Type::I1, address, MemFlags::aligned(1));
        let (run, after) = (self.b.make_block(), self.b.make_block());
        self.b.branch(done, after, run);
        self.b.switch_to(run);
        self.reach.branch();
        self.dynamic_init(&DynamicInit { global, decl, device: None })?;
        // Not before: an initialiser that throws runs again next time.
        let address = self.variable_address(guard, of_thread)?;
        let yes = self.b.iconst(Type::I1, 1);
        self.b.store(yes, address, MemFlags::aligned(1));
        self.reach.join();
        self.b.jump(after, &[]);
        self.b.switch_to(after);
        Ok(())
    }

    /// Runs the initialiser of a static variable.
    pub fn dynamic_init(&mut self, init: &DynamicInit<'tu>) -> R<()> {
        let DynamicInit { global, decl, device } = *init;
        // The initialiser of a static member may stand in the class, its definition outside.
        let init = self.cx.ast.initializer(decl).or_else(|| self.cx.ast.initializer(decl.canonical()));
        let Some(init) = init else {
            return self.internal(format!("the initialiser of `{}`", decl.spelling()), &decl);
        };
        let old = self.enter(&decl);
        let q = self.cx.ast.types.of(decl.ty());
        let of_thread = decl.is_thread_local();
        let address = self.variable_address(global, of_thread)?;
        let keep = self.cleanups.mark();
        if let Kind::Reference(_) = self.cx.ast.types.kind(q.ty) {
            // What it is bound to lives as long as the program.
            let place = self.binding_static(true, |f| f.bound_place(init))?;
            let pointer = self.pointer_for(place.ptr, q.ty)?;
            let ir = self.b.ty(pointer);
            self.b.store(pointer, address, MemFlags::natural(ir));
        } else {
            let align = self.cx.ast.types.align(q.ty);
            self.binding_static(true, |f| f.in_list(true, |f| f.init_living(address, align, q, init)))?;
        }
        self.pop_cleanups(keep);
        if let Some(device) = device {
            self.copy_to_device(device, address);
        } else if !self.cx.ast.attributes(decl).immortal {
            self.destroy_at_exit(q.ty, address, of_thread, &decl)?;
        }
        self.b.set_loc(old);
        Ok(())
    }

    /// Copies the contents of a host variable to one of the device.
    fn copy_to_device(&mut self, device: GlobalId, host: Value) {
        let size = self.cx.module.globals[device].size;
        let params = [Type::GENERIC_PTR, Type::GENERIC_PTR, Type::I64, Type::I64, Type::I32];
        let sig =
            Signature { params: params.map(Param::new).to_vec(), ret: Some(Type::I32), variadic: false };
        let copy = self.cx.native("cudaMemcpyToSymbol", sig, false);
        let symbol = self.b.global_addr(self.cx.module, device);
        let arguments = [
            self.generic(symbol),
            self.generic(host),
            self.b.iconst(Type::I64, i128::from(size)),
            self.b.iconst(Type::I64, 0),
            self.b.iconst(Type::I32, HOST_TO_DEVICE),
        ];
        self.b.call(self.cx.module, copy, &arguments);
    }

    /// Registers the destructor of an object of static storage for the end of the program, or of the thread.
    pub fn destroy_at_exit(&mut self, ty: Ty, address: Value, of_thread: bool, at: At<'_>) -> R<()> {
        if self.frame.device() || !self.cx.needs_destruction(ty) {
            return Ok(());
        }
        let Some(func) = self.cx.whole_destructor(ty, at)? else {
            return self.internal(format!("the destructor of {}", self.cx.ast.types.name(ty)), at);
        };
        let func = self.b.func_addr(func);
        let address = self.generic(address);
        let none = self.b.null(Type::GENERIC_PTR);
        let params = [Type::Ptr(Space::Code), Type::GENERIC_PTR, Type::GENERIC_PTR].map(Param::new).to_vec();
        let sig = Signature { params, ret: Some(Type::I32), variadic: false };
        let register =
            self.cx.native(if of_thread { "__cxa_thread_atexit" } else { "__cxa_atexit" }, sig, false);
        self.b.call(self.cx.module, register, &[func, address, none]);
        Ok(())
    }

    /// A temporary that a reference of static storage is bound to.
    pub fn static_temporary(&mut self, q: QTy, e: Ex<'tu>) -> R<Place> {
        let align = self.cx.ast.types.align(q.ty);
        // A list that it is a view of lives as long.
        let view = self.is_std_list(q.ty);
        self.static_object(q, e, |f, address| f.binding_static(view, |f| f.init_object(address, align, q, e)))
    }

    /// An object of static storage that `init` makes.
    pub fn static_object(
        &mut self,
        q: QTy,
        e: At<'_>,
        init: impl FnOnce(&mut Self, Value) -> R<()>,
    ) -> R<Place> {
        let Some(size) = self.cx.ast.types.size(q.ty) else {
            return self.unsupported(format!("a value of type {}", self.cx.ast.types.name(q.ty)), e);
        };
        let align = self.cx.ast.types.align(q.ty);
        let name = self.cx.unique_name(format!("{}.temporary", self.b.func.name));
        let global = self.cx.module.add_global(cudair_ir::Global {
            display_name: "temporary".to_owned(),
            name,
            space: if self.frame.device() { Space::Global } else { Space::Host },
            size,
            align_log2: align.trailing_zeros() as u8,
            linkage: cudair_ir::Linkage::Internal,
            constant: false,
            dynamic: false,
            init: cudair_ir::GlobalInit::Zero,
            loc: self.b.loc().into(),
            ty: None,
        });
        let address = self.b.global_addr(self.cx.module, global);
        self.binding_static(false, |f| init(f, address))?;
        let address = self.b.global_addr(self.cx.module, global);
        self.destroy_at_exit(q.ty, address, false, e)?;
        Ok(Place::new(address, align, q))
    }
}
