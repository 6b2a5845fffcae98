//! Exceptions on the host: `throw`, `try`, handlers, and which functions let none pass.
//!
//! The functions called are those of the Itanium C++ ABI, which the machine has natively; only the choice of a handler
//! is by a function of our own, `__cudair_choose_handler`: it takes the exception and a table of the types that the
//! handlers around a call take, each with the handler's number in its function, and gives the number of the first that
//! takes the exception, 0 for none. How exceptions pass scopes is in [`super::cleanup`].

use super::copying::Source;
use super::func::FnLower;
use super::func::cleanups::{Action, CleanupPlace, Entry, Mark, TryBlock};
use super::func::names::Var;
use super::{Cx, R};
use crate::ast::{Ex, Handler as CatchBlock, St, Try};
use crate::clang::{ExceptionSpecification, Type as ClangType, TypeKind};
use crate::types::{Decl, DeclKind};
use crate::types::{Kind, QTy};
use cudair_ir::{
    Block, Global, GlobalId, GlobalInit, IntCC, Linkage, MemFlags, Param, Reloc, RelocTarget, Signature,
    Space, TrapCode, Type, Value,
};

/// The types of a row of handlers, the innermost first.
pub(crate) type HandlerTypes = Vec<(Option<GlobalId>, u32)>;

/// Bytes of an entry of a table of handlers: a type, 0 for any, and a number.
const ENTRY: u64 = 16;

fn signature(params: &[Type], ret: Option<Type>) -> Signature {
    Signature { params: params.iter().map(|&ty| Param::new(ty)).collect(), ret, variadic: false }
}

/// What `noexcept(true)` or `noexcept(false)` at the end of a function's type says.
fn written_noexcept(ty: ClangType<'_>) -> Option<bool> {
    // Behind what points to a function, that function's own is written last.
    let result = ty.canonical().result().kind();
    if matches!(
        result,
        TypeKind::Pointer | TypeKind::LValueReference | TypeKind::RValueReference | TypeKind::MemberPointer
    ) {
        return None;
    }
    let text = ty.spelling();
    [true, false].into_iter().find(|value| text.ends_with(&format!(" noexcept({value})")))
}

impl<'tu> Cx<'tu, '_> {
    /// Whether a function promises that no exception leaves it; `None` where `noexcept(…)` says it with an expression whose
    /// value libclang does not tell, as before C++17.
    pub fn is_noexcept(&mut self, decl: Decl<'tu>) -> Option<bool> {
        if !self.ast.cxx {
            return Some(false);
        }
        match decl.exception_specification() {
            ExceptionSpecification::Nothing => Some(true),
            ExceptionSpecification::Computed if self.ast.cxx17 => Some(decl.ty().is_noexcept()),
            ExceptionSpecification::Computed => written_noexcept(decl.ty()),
            ExceptionSpecification::None | ExceptionSpecification::Unknown => {
                let class = decl.semantic_parent().filter(|_| decl.kind() == DeclKind::Destructor);
                let Some(class) = class else { return Some(false) };
                let ty = self.ast.types.of(class.ty()).ty;
                self.parts_throw_in_destructors(ty).map(|throws| !throws)
            }
        }
    }

    /// Whether a member's or base's destructor is declared to let exceptions pass; `None` as for [`Self::is_noexcept`].
    fn parts_throw_in_destructors(&mut self, ty: crate::types::Ty) -> Option<bool> {
        let Some(id) = self.ast.types.as_record(ty) else { return Some(false) };
        let mut parts: Vec<_> = self.ast.types.fields(id).iter().map(|f| f.ty.ty).collect();
        parts.extend(self.ast.types.bases(id).iter().flat_map(|b| b.iter()).map(|b| b.ty));
        let mut known = true;
        for mut part in parts {
            while let Some(elem) = self.ast.types.element(part) {
                part = elem.ty;
            }
            let Some(record) = self.ast.types.as_record(part) else { continue };
            let written = self.ast.methods(record).into_iter().find(|m| m.kind() == DeclKind::Destructor);
            let throws = match written {
                Some(d) if !d.is_defaulted() => self.is_noexcept(d).map(|promised| !promised),
                _ => self.parts_throw_in_destructors(part),
            };
            match throws {
                Some(true) => return Some(true),
                Some(false) => {}
                None => known = false,
            }
        }
        known.then_some(false)
    }

    /// The table of a row of handlers.
    fn handler_table(&mut self, types: HandlerTypes) -> GlobalId {
        if let Some(known) = self.descriptions.handlers.get(&types) {
            return known;
        }
        let mut bytes = Vec::with_capacity(types.len() * ENTRY as usize);
        let mut relocs = Vec::new();
        for (n, &(ty, id)) in types.iter().enumerate() {
            bytes.extend([0; 8]);
            bytes.extend(u64::from(id).to_le_bytes());
            if let Some(global) = ty {
                let target = RelocTarget::Global(global);
                relocs.push(Reloc { offset: n as u64 * ENTRY, target, addend: 0 });
            }
        }
        let name = self.unique_name(format!("handlers.{}", self.descriptions.handlers.len()));
        let id = self.module.add_global(Global {
            name,
            display_name: "table of handlers".to_owned(),
            space: Space::Host,
            size: bytes.len() as u64,
            align_log2: 3,
            linkage: Linkage::Internal,
            constant: true,
            dynamic: false,
            init: GlobalInit::Data { bytes, relocs },
            loc: None.into(),
            ty: None,
        });
        self.descriptions.handlers.set(types, id);
        id
    }
}

impl<'tu> FnLower<'_, 'tu, '_> {
    /// Calls a function of the run-time library that throws nothing.
    fn runtime(&mut self, name: &str, args: &[Value], ret: Option<Type>) -> Option<Value> {
        let params: Vec<Type> = args.iter().map(|&a| self.b.ty(a)).collect();
        let func = self.cx.native(name, signature(&params, ret), false);
        self.b.call(self.cx.module, func, args)
    }

    fn throwing(&mut self, name: &str, args: &[Value]) {
        let params: Vec<Type> = args.iter().map(|&a| self.b.ty(a)).collect();
        let func = self.cx.native(name, signature(&params, None), false);
        self.call_func(func, args);
        self.b.trap(TrapCode::Unreachable);
        self.reach.escape();
    }

    /// `throw e`, `throw`
    pub fn throw(&mut self, operand: Option<Ex<'tu>>, e: Ex<'tu>) -> R<()> {
        if self.frame.device() {
            let fault = self.unsupported::<()>("an exception thrown in device code", e);
            if let Err(fault) = &fault {
                self.cx.faults.push((**fault).clone());
            }
            return fault;
        }
        let Some(operand) = operand else {
            self.throwing("__cxa_rethrow", &[]);
            return Ok(());
        };
        let q = operand.q;
        let q = QTy::plain(self.cx.ast.types.decayed(q).ty);
        let Some(size) = self.cx.ast.types.size(q.ty) else {
            return self.unsupported(format!("an exception of type {}", self.cx.ast.types.name(q.ty)), e);
        };
        let info = self.cx.type_info(operand.written_type(), e)?;
        let dtor = if self.cx.needs_destruction(q.ty) { self.destructor(q.ty, e)? } else { None };
        let size = self.b.iconst(Type::I64, i128::from(size.max(1)));
        let Some(object) = self.runtime("__cxa_allocate_exception", &[size], Some(Type::GENERIC_PTR)) else {
            return self.internal("an exception without memory", e);
        };
        let mark = self.cleanups.mark();
        let free = self.cx.native("__cxa_free_exception", signature(&[Type::GENERIC_PTR], None), false);
        self.push_unwinding(Action::Free { memory: object, func: free, size: None });
        let align = self.cx.ast.types.align(q.ty);
        self.init_object(object, align, q, operand)?;
        self.cleanups.remove_unwinding(mark);
        let info = self.b.global_addr(self.cx.module, info);
        let info = self.generic(info);
        let dtor = match dtor {
            Some(dtor) => self.b.func_addr(dtor),
            None => self.b.null(Type::Ptr(Space::Code)),
        };
        self.enter(e);
        self.throwing("__cxa_throw", &[object, info, dtor]);
        Ok(())
    }

    /// Asks which handler takes the exception, of those around an entry.
    pub(super) fn choose_handler(&mut self, entry: Entry, exception: Value) {
        let types = self.cleanups.types_around(entry);
        if types.is_empty() {
            return;
        }
        let count = self.b.iconst(Type::I64, types.len() as i128);
        let table = self.cx.handler_table(types);
        let table = self.b.global_addr(self.cx.module, table);
        let table = self.generic(table);
        let chosen = self.runtime("__cudair_choose_handler", &[exception, table, count], Some(Type::I32));
        if let Some(chosen) = chosen {
            let slot = self.cleanups.chosen_slot(&mut self.b);
            let address = self.b.slot_addr(slot);
            self.b.store(chosen, address, MemFlags::aligned(4));
        }
    }

    /// Goes to the handler of a try block that was chosen, or else on.
    pub(super) fn dispatch(&mut self, tried: TryBlock, next: Block) {
        for handler in self.cleanups.handlers(tried).to_vec() {
            if handler.ty.is_none() {
                self.b.jump(handler.block, &[]);
                return;
            }
            let slot = self.cleanups.chosen_slot(&mut self.b);
            let address = self.b.slot_addr(slot);
            let chosen = self.b.load(Type::I32, address, MemFlags::aligned(4));
            let id = self.b.iconst(Type::I32, i128::from(handler.id));
            let taken = self.b.icmp(IntCC::Eq, chosen, id);
            let other = self.b.make_block();
            self.b.branch(taken, handler.block, other);
            self.b.switch_to(other);
        }
        self.b.jump(next, &[]);
    }

    /// The end of what an exception that must not pass does.
    pub(super) fn terminate_block(&mut self) -> Block {
        if let Some(known) = self.cleanups.terminate() {
            return known;
        }
        let (current, loc) = (self.b.current_block(), self.b.loc());
        let block = self.b.make_block();
        self.cleanups.set_terminate(block);
        let exception = self.b.func.append_block_param(block, Type::GENERIC_PTR);
        self.b.switch_to(block);
        self.runtime("__cudair_call_terminate", &[exception], None);
        self.b.trap(TrapCode::Unreachable);
        self.b.set_current(current);
        self.b.set_loc(loc);
        block
    }

    /// Begins to catch what the handlers of a try statement take. Gives the try block.
    pub(super) fn begin_try(&mut self, s: &'tu Try<'tu>) -> R<TryBlock> {
        let mut handlers = Vec::new();
        for handler in s.handlers {
            let ty = match handler.variable {
                Some(v) => Some(self.cx.type_info(v.ty(), &v)?),
                None => None,
            };
            handlers.push(self.cleanups.new_handler(&mut self.b, ty));
        }
        Ok(self.cleanups.begin_try(&self.b, handlers))
    }

    /// The handlers of a try statement, whose body has ended. `last` is done at the end of each.
    pub(super) fn end_try(
        &mut self,
        s: &'tu Try<'tu>,
        tried: TryBlock,
        mark: Mark,
        last: impl Fn(&mut Self) -> R<()>,
    ) -> R<()> {
        self.cleanups.remove_unwinding(mark);
        let end = self.b.make_block();
        if !self.b.is_unreachable() {
            self.b.jump(end, &[]);
        }
        self.reach.branch();
        let handlers = self.cleanups.handlers(tried).to_vec();
        for (statement, handler) in s.handlers.iter().zip(handlers) {
            self.b.switch_to(handler.block);
            if let Err(fault) = self.handler(statement, &last) {
                self.fault(*fault);
                self.cleanups.forget(mark);
            }
            if !self.b.is_unreachable() {
                self.b.jump(end, &[]);
            }
        }
        self.reach.join();
        self.b.switch_to(end);
        Ok(())
    }

    /// A try block with its handlers.
    pub fn try_block(&mut self, s: &'tu Try<'tu>) -> R<()> {
        let body = s.body;
        if self.frame.device() {
            self.stmt(body);
            return Ok(());
        }
        let mark = self.cleanups.mark();
        let tried = self.begin_try(s)?;
        self.stmt(body);
        self.end_try(s, tried, mark, |_| Ok(()))
    }

    fn handler(&mut self, s: &'tu CatchBlock<'tu>, last: &impl Fn(&mut Self) -> R<()>) -> R<()> {
        let old = self.enter(s);
        let keep = self.cleanups.mark();
        self.jumps.enter_scope(s.id(), keep);
        let slot = self.cleanups.exception_slot(&mut self.b);
        let address = self.b.slot_addr(slot);
        let exception = self.b.load(Type::GENERIC_PTR, address, MemFlags::aligned(8));
        let Some(object) = self.runtime("__cxa_begin_catch", &[exception], Some(Type::GENERIC_PTR)) else {
            return self.internal("a handler without an exception", s);
        };
        self.push_cleanup(Action::EndCatch);
        if let Some(variable) = s.variable {
            self.handler_variable(variable, object)?;
        }
        self.stmt(s.body);
        self.jumps.leave_scope();
        if !self.b.is_unreachable() {
            last(self)?;
        }
        self.pop_cleanups(keep);
        self.b.set_loc(old);
        Ok(())
    }

    fn handler_variable(&mut self, decl: Decl<'tu>, object: Value) -> R<()> {
        let old = self.enter(&decl);
        let q = self.cx.ast.types.of(decl.ty());
        let name = decl.spelling();
        if let Kind::Reference(to) = *self.cx.ast.types.kind(q.ty) {
            let slot = self.variable_slot(&name, 8, 8, &decl)?;
            let mut target = object;
            if self.cx.ast.types.is_pointer(to.ty) {
                // What is caught is the pointer converted, which lives as long as the handler.
                let copy = self.temp_slot(to.ty, &decl)?;
                let ir = self.pointer_type(to.ty)?;
                let pointer = self.as_pointer(object, ir);
                let address = self.b.slot_addr(copy);
                self.b.store(pointer, address, MemFlags::aligned(8));
                target = self.b.slot_addr(copy);
            }
            let pointer = self.pointer_for(target, q.ty)?;
            let ir = self.b.ty(pointer);
            let address = self.b.slot_addr(slot);
            self.b.store(pointer, address, MemFlags::natural(ir));
            self.names.declare(decl, Var::Indirect(slot));
            self.b.set_loc(old);
            return Ok(());
        }
        let Some(size) = self.cx.ast.types.size(q.ty) else {
            return self.unsupported(format!("a variable of type {}", self.cx.ast.types.name(q.ty)), &decl);
        };
        let align = self.cx.ast.types.align(q.ty);
        let slot = self.variable_slot(&name, size, align, &decl)?;
        self.names.declare(decl, Var::Slot(slot));
        let address = self.b.slot_addr(slot);
        if let Some(ir) = self.cx.ast.types.ir(q.ty) {
            let value = if self.cx.ast.types.is_pointer(q.ty) {
                self.as_pointer(object, ir)
            } else {
                self.b.load(ir, object, MemFlags::natural(ir))
            };
            self.b.store(value, address, MemFlags::natural(ir));
        } else {
            // The handler is not active yet: what the copy throws has nowhere to go.
            let outer = self.cleanups.terminates(true);
            let copied = self.copy_one(address, Source::lvalue(object, false), QTy::plain(q.ty), &decl);
            self.cleanups.terminates(outer);
            copied?;
        }
        self.register_destructor(q.ty, CleanupPlace::Slot(slot), &decl)?;
        self.b.set_loc(old);
        Ok(())
    }

    /// A handler ends.
    pub(super) fn end_catch(&mut self) {
        self.runtime("__cxa_end_catch", &[], None);
    }

    /// The body of a function that is a try block as a whole. What a constructor's or destructor's handlers catch is
    /// thrown again at their end.
    pub(super) fn function_try(
        &mut self,
        s: &'tu Try<'tu>,
        inside: impl FnOnce(&mut Self, St<'tu>),
    ) -> R<()> {
        let body = s.body;
        if self.frame.device() {
            inside(self, body);
            return Ok(());
        }
        let mark = self.cleanups.mark();
        let tried = self.begin_try(s)?;
        inside(self, body);
        self.cleanups.forget_inside_first(mark);
        let again = matches!(self.frame.decl().kind(), DeclKind::Constructor | DeclKind::Destructor)
            && self.frame.decl().has_this();
        self.end_try(s, tried, mark, move |f| {
            if again {
                f.throwing("__cxa_rethrow", &[]);
            }
            Ok(())
        })
    }
}
