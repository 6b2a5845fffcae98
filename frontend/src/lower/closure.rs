//! Lambdas: the closure object, what it captured, and its conversion to a function pointer.
//!
//! libclang shows a lambda's explicit captures by name and the closure's fields in order; what a default
//! capture took is found by the order in which the body first uses it.

use super::copying::Source;
use super::func::FnLower;
use super::lvalue::Place;
use super::{At, Cx, R};
use crate::ast::{Capture, Captured, Ex, Lambda};
use crate::types::{Decl, DeclKind};
use crate::types::{Kind, QTy, Ty};
use cudair_ir::builder::FuncBuilder;
use cudair_ir::{FuncId, Function, Linkage, MemFlags, Side, Type, Value};

impl Cx<'_, '_> {
    /// The function to which a lambda without captures converts: the call operator without `this`.
    pub fn closure_function(&mut self, class: Ty, device: bool, at: At<'_>) -> R<FuncId> {
        let operator = match self.ast.types.as_record(class) {
            Some(id) => self.ast.methods(id).into_iter().find(|m| m.spelling() == "operator()"),
            None => None,
        };
        let Some(operator) = operator else {
            return self.unsupported("this conversion of a lambda", at);
        };
        let callee = self.func(operator, device)?;
        let name = format!("{}$invoke", self.module.funcs[callee].name);
        if let Some(id) = self.module.func_by_name(&name) {
            return Ok(id);
        }
        let mut sig = self.module.funcs[callee].sig.clone();
        let this =
            sig.params.iter().take_while(|p| matches!(p.attr, cudair_ir::ParamAttr::SRet { .. })).count();
        if this >= sig.params.len() {
            return self.internal("a call operator without an object", at);
        }
        sig.params.remove(this);
        let mut function = Function::new(name, if device { Side::Device } else { Side::Host }, sig);
        "lambda".clone_into(&mut function.display_name);
        function.linkage = Linkage::Internal;
        let id = self.module.add_func(function.clone());
        let loc = self.loc(at);
        let mut b = FuncBuilder::new(function);
        b.set_loc(loc);
        let entry = b.make_entry();
        let mut args: Vec<Value> = b.func.block_params(entry).to_vec();
        let object = b.slot("", 1, 1);
        let object = b.slot_addr(object);
        let object = b.cast(cudair_ir::CastOp::Spacecast, Type::GENERIC_PTR, object);
        args.insert(this, object);
        let result = b.call(self.module, callee, &args);
        b.ret(result);
        self.module.funcs[id] = b.finish();
        Ok(id)
    }
}

impl<'tu> FnLower<'_, 'tu, '_> {
    /// Makes the closure object of a lambda at `dst`.
    pub fn lambda(&mut self, dst: Value, lambda: Lambda<'tu>, e: Ex<'tu>) -> R<()> {
        let mark = self.cleanups.mark();
        let captures = match self.cx.ast.closure_of(lambda) {
            Ok(captures) => captures,
            Err(broken) => return self.broken(&broken, e),
        };
        for binding in captures.iter() {
            let ptr = self.b.ptr_offset(dst, binding.offset as i64);
            let align = self.cx.ast.types.align(binding.ty.ty);
            match binding.what {
                Captured::This => {
                    let this = self.this_place(e)?.ptr;
                    let this = self.generic(this);
                    self.b.store(this, ptr, MemFlags::aligned(8));
                }
                Captured::Object => {
                    let this = self.this_place(e)?;
                    let this = Source::lvalue(this.ptr, this.ty.is_const);
                    self.copy_one(ptr, this, QTy::plain(binding.ty.ty), e)?;
                }
                Captured::Variable(decl) => {
                    // An init-capture is a variable of the lambda with an initialiser.
                    let known = self.names.is_known(decl);
                    if !known
                        && binding.is_init
                        && let Some(init) = self.cx.ast.initializer(decl)
                    {
                        self.init_object(ptr, align, binding.ty, init)?;
                        self.register_part(binding.ty.ty, ptr, e)?;
                        continue;
                    }
                    let place = match self.names.bound(decl) {
                        Some(bound) => self.binding_place(bound, e)?,
                        None => self.declared_place(decl, e)?,
                    };
                    if let Kind::Reference(_) = self.cx.ast.types.kind(binding.ty.ty) {
                        let target = self.pointer_for(place.ptr, binding.ty.ty)?;
                        self.b.store(target, ptr, MemFlags::aligned(8));
                    } else if self.cx.ast.types.is_aggregate(binding.ty.ty) {
                        let source = Source::lvalue(place.ptr, place.ty.is_const);
                        self.copy_one(ptr, source, QTy::plain(binding.ty.ty), e)?;
                    } else {
                        let value = self.load(&place, e)?;
                        let field = Place::new(ptr, align, QTy::plain(binding.ty.ty));
                        self.store(&field, value, e)?;
                    }
                }
            }
            self.register_part(binding.ty.ty, ptr, e)?;
        }
        self.cleanups.drop_parts(mark);
        Ok(())
    }

    /// Finds the captures of the closure that the function being lowered is a member of.
    pub fn bind_captures(&mut self, class: Decl<'tu>) -> R<()> {
        if self.frame.decl().kind() != DeclKind::Method || self.frame.decl().spelling() != "operator()" {
            return Ok(());
        }
        let captures = match self.cx.ast.closure_of_class(class) {
            Ok(captures) => captures,
            Err(broken) => return self.broken(&broken, &class),
        };
        if let Some(bindings) = captures {
            for binding in bindings.iter() {
                self.names.capture(*binding);
            }
        }
        Ok(())
    }

    /// The closure object that the function being lowered was called on.
    fn closure_place(&mut self, at: At<'_>) -> R<Place> {
        let (Some(slot), Some(class)) = (self.frame.this(), self.frame.class()) else {
            return self.internal("a capture outside a closure", at);
        };
        let address = self.b.slot_addr(slot);
        let ptr = self.b.load(Type::GENERIC_PTR, address, MemFlags::aligned(8));
        Ok(Place::new(ptr, self.cx.ast.types.align(class), QTy::plain(class)))
    }

    /// A captured variable.
    pub fn capture_place(&mut self, binding: Capture<'tu>, at: At<'_>) -> R<Place> {
        let closure = self.closure_place(at)?;
        let ptr = self.b.ptr_offset(closure.ptr, binding.offset as i64);
        if let Kind::Reference(inner) = *self.cx.ast.types.kind(binding.ty.ty) {
            let ir = self.pointer_type(binding.ty.ty)?;
            let target = self.b.load(ir, ptr, MemFlags::aligned(8));
            return Ok(Place::new(target, self.cx.ast.types.align(inner.ty), inner));
        }
        Ok(Place::new(ptr, self.cx.ast.types.align(binding.ty.ty), binding.ty))
    }

    /// `*this` of the enclosing class, inside a lambda that captured it.
    pub fn captured_this(&mut self, at: At<'_>) -> R<Option<Place>> {
        let Some(binding) = self.names.outer_this() else { return Ok(None) };
        let closure = self.closure_place(at)?;
        let ptr = self.b.ptr_offset(closure.ptr, binding.offset as i64);
        if let Some(class) = self.cx.ast.types.pointee(binding.ty.ty) {
            let target = self.b.load(Type::GENERIC_PTR, ptr, MemFlags::aligned(8));
            return Ok(Some(Place::new(target, self.cx.ast.types.align(class.ty), class)));
        }
        Ok(Some(Place::new(ptr, self.cx.ast.types.align(binding.ty.ty), binding.ty)))
    }
}
