//! Calls: direct, indirect, of methods, with their arguments and results.

use super::func::FnLower;
use super::lvalue::Place;
use super::{At, R};
use crate::ast::{Call, Ex, Expr, ExprKind, Launch, Member};
use crate::clang::TypeKind;
use crate::types::{Decl, DeclKind};
use crate::types::{FnTy, Kind, QTy};
use cudair_ir::{CastOp, FuncId, Param, ParamAttr, Side, Signature, Space, TrapCode, Type, Value};
use std::rc::Rc;

/// What is called.
enum Callee<'tu> {
    Direct(Decl<'tu>),
    Pointer(Value),
    /// A member function by its address.
    Method(Value),
}

/// A callee resolved to what the module knows.
enum Target {
    Func(FuncId),
    Pointer(Signature, Value),
}

/// What a call gives.
pub(crate) enum CallResult {
    /// Nothing, or an aggregate that was written where it was wanted.
    None,
    Value(Value),
}

/// Does a call, which gives a reference, give one to an object about to end?
fn gives_xvalue(call: &Call<'_>) -> bool {
    let callee = call.target.map(Decl::ty).or_else(|| call.callee.map(Expr::written_type));
    callee.is_some_and(|f| {
        let f = f.canonical();
        let f = if f.kind() == TypeKind::Pointer { f.pointee() } else { f };
        f.canonical().result().kind() == TypeKind::RValueReference
    })
}

impl<'tu> FnLower<'_, 'tu, '_> {
    /// The value of a call with a scalar result.
    pub fn call_value(&mut self, call: &'tu Call<'tu>, e: Ex<'tu>) -> R<Value> {
        let q = e.q;
        if self.cx.ast.types.is_aggregate(q.ty) {
            return self.internal("an aggregate call as a scalar", e);
        }
        match self.call(call, e, None)? {
            CallResult::Value(value) => {
                // A function that returns a reference, read.
                if self.returns_reference(call) {
                    let place = super::lvalue::Place::new(value, self.cx.ast.types.align(q.ty), q);
                    if matches!(self.cx.ast.types.kind(q.ty), Kind::Function(_)) {
                        return Ok(value);
                    }
                    return self.load(&place, e);
                }
                Ok(value)
            }
            CallResult::None => {
                if self.b.is_unreachable() {
                    // After a call that does not return any value will do.
                    return self.zero(q.ty, e);
                }
                self.internal("a call without a value", e)
            }
        }
    }

    /// A call for its effects.
    pub fn call_discard(&mut self, call: &'tu Call<'tu>, e: Ex<'tu>) -> R<()> {
        let q = e.q;
        if self.cx.ast.types.is_aggregate(q.ty) && !self.returns_reference(call) {
            return self.materialize(e).map(|_| ());
        }
        self.call(call, e, None).map(|_| ())
    }

    /// A call whose aggregate result becomes the object at `dst`.
    pub fn call_into(&mut self, call: &'tu Call<'tu>, e: Ex<'tu>, dst: Value, q: QTy) -> R<()> {
        if self.returns_reference(call) {
            let CallResult::Value(ptr) = self.call(call, e, None)? else {
                return self.internal("a reference result without a value", e);
            };
            let place = Place::new(ptr, self.cx.ast.types.align(q.ty), q);
            return self.copy_named(dst, &place, place.align, q, gives_xvalue(call), e);
        }
        self.call(call, e, Some(dst)).map(|_| ())
    }

    /// The pointer that a call returning a reference gives; `None` where it returns a value.
    pub fn call_reference(&mut self, call: &'tu Call<'tu>, e: Ex<'tu>) -> R<Option<Value>> {
        if !self.returns_reference(call) {
            return Ok(None);
        }
        match self.call(call, e, None)? {
            CallResult::Value(value) => Ok(Some(value)),
            CallResult::None => self.internal("a reference result without a value", e),
        }
    }

    fn returns_reference(&mut self, call: &'tu Call<'tu>) -> bool {
        if !self.cx.ast.cxx {
            return false;
        }
        match self.callee_type(call) {
            Some(f) => matches!(self.cx.ast.types.kind(f.ret.ty), Kind::Reference(_)),
            None => false,
        }
    }

    /// The function type that a call goes by.
    fn callee_type(&mut self, call: &'tu Call<'tu>) -> Option<Rc<FnTy>> {
        if let Some(d) = call.target {
            if d.kind() == DeclKind::Constructor {
                return None;
            }
            let q = self.cx.ast.types.of(d.ty());
            return self.cx.ast.types.function(q.ty);
        }
        let callee = call.callee?;
        if let Some(f) = self.bound_member_type(callee) {
            return Some(f);
        }
        self.cx.ast.types.function(callee.q.ty)
    }

    fn call(&mut self, call: &'tu Call<'tu>, e: Ex<'tu>, dst: Option<Value>) -> R<CallResult> {
        if let Some(meant) = call.here {
            return match meant.kind {
                ExprKind::Call(inner) => self.call(inner, meant, dst),
                ExprKind::Fault(broken) => self.broken(broken, meant),
                _ => self.internal("a call that stands for something else", e),
            };
        }
        if let Some(launch) = call.launch {
            self.launch(call, launch, e)?;
            return Ok(CallResult::None);
        }
        let direct = call.target;
        if let Some(decl) = direct
            && decl.kind() == DeclKind::Constructor
        {
            return self.constructor_call(call, e, decl, dst);
        }
        if let Some(decl) = direct
            && let Some(result) = self.known_call(call, e, decl, dst)?
        {
            return Ok(result);
        }
        if self.destructor_call(call, e)? {
            return Ok(CallResult::None);
        }
        let Some(fn_ty) = self.callee_type(call) else {
            return self.unsupported("a call of this expression", e);
        };
        let mut args: Vec<Value> = Vec::new();
        // The callee comes before the arguments.
        let (callee, this) = self.callee(call, e)?;
        let mut written = call.args;
        self.sequence_arguments(written);
        let (mut callee, mut this) = (callee, this);
        // The right operand of an assignment comes before the left one (C++17, [expr.ass] 1, [over.match.oper] 2).
        let mut assigned = None;
        if let (Callee::Direct(decl), None, &[ref first @ .., right]) = (&callee, this, written)
            && first.len() == 1
            && is_assignment(*decl)
        {
            let param = fn_ty.params.last().copied();
            assigned = Some(self.argument(right, param)?);
            written = first;
        }
        if let (Callee::Direct(decl), None) = (&callee, this)
            && decl.has_this()
        {
            let decl = *decl;
            // An overloaded operator as a member: its first argument is the object.
            let Some((&object, rest)) = written.split_first() else {
                return self.internal("a method call without an object", e);
            };
            let place = self.place(object)?.ptr;
            if decl.is_virtual_method() && !self.is_whole_object(object) {
                let place = self.generic(place);
                let old = self.enter(e);
                callee = Callee::Method(self.virtual_function(place, decl, e)?);
                self.b.set_loc(old);
            }
            this = Some(place);
            written = rest;
        }
        let side = self.b.func.side;
        let side = if side.on_device() { Side::Device } else { Side::Host };
        let result_slot = if self.cx.ast.types.is_aggregate(fn_ty.ret.ty) {
            let ptr = match dst {
                Some(dst) => dst,
                None => {
                    let slot = self.temp_slot(fn_ty.ret.ty, e)?;
                    self.b.slot_addr(slot)
                }
            };
            args.push(self.generic(ptr));
            true
        } else {
            false
        };
        if let Some(this) = this {
            args.push(self.generic(this));
        }
        let target = match callee {
            Callee::Direct(decl) => Target::Func(self.cx.func(decl, self.frame.device())?),
            Callee::Pointer(value) | Callee::Method(value) => {
                let Some(sig) = self.cx.signature(&fn_ty, side, matches!(callee, Callee::Method(_))) else {
                    return self.unsupported("a call of this type", e);
                };
                Target::Pointer(sig, value)
            }
        };
        for (i, &arg) in written.iter().enumerate() {
            let param = fn_ty.params.get(i).copied();
            let value = self.argument(arg, param)?;
            args.push(value);
        }
        args.extend(assigned);
        let old = self.enter(e);
        let value = self.call_target(target, args, fn_ty.prototype, e)?;
        self.b.set_loc(old);
        if let Some(decl) = direct
            && is_noreturn(&decl.spelling())
            && self.cx.ast.body_of(decl).is_none()
            && self.cx.ast.is_known_by_name(decl)
        {
            self.b.trap(TrapCode::Unreachable);
            self.reach.escape();
            return Ok(CallResult::None);
        }
        Ok(match value {
            Some(value) if !result_slot => CallResult::Value(value),
            _ => CallResult::None,
        })
    }

    /// A call that is no call of a function: of a builtin, of a closure's conversion to a pointer, of an assignment that
    /// the compiler makes.
    fn known_call(
        &mut self,
        call: &'tu Call<'tu>,
        e: Ex<'tu>,
        decl: Decl<'tu>,
        dst: Option<Value>,
    ) -> R<Option<CallResult>> {
        if self.cx.ast.body_of(decl).is_none()
            && self.cx.ast.is_known_by_name(decl)
            && let Some(result) = self.builtin_call(call, e, decl, dst)?
        {
            return Ok(Some(result));
        }
        if decl.kind() == DeclKind::Conversion
            && let Some(class) = decl.semantic_parent()
            && class.is_closure()
        {
            let class = self.cx.ast.types.of(class.ty()).ty;
            let func = self.cx.closure_function(class, self.frame.device(), e)?;
            return Ok(Some(CallResult::Value(self.b.func_addr(func))));
        }
        Ok(self.implicit_assignment(call, e, decl)?.map(CallResult::Value))
    }

    /// The call itself, of arguments that stand ready.
    fn call_target(
        &mut self,
        target: Target,
        mut args: Vec<Value>,
        prototype: bool,
        e: Ex<'tu>,
    ) -> R<Option<Value>> {
        match target {
            Target::Func(func) => {
                if let Some(what) = self.cx.unanswerable(func) {
                    return self.unsupported(what, e);
                }
                let sig = self.cx.module.funcs[func].sig.clone();
                if !prototype && !sig.variadic {
                    args.truncate(sig.params.len());
                }
                self.fit_arguments(&mut args, &sig.params, sig.variadic, e)?;
                Ok(self.call_func(func, &args))
            }
            Target::Pointer(mut sig, pointer) => {
                if !prototype {
                    // Without a prototype the arguments say what the callee must take.
                    sig.params.extend(args[sig.params.len()..].iter().map(|a| Param::new(self.b.ty(*a))));
                    sig.variadic = false;
                }
                let sig = self.cx.module.sig(&sig);
                Ok(self.call_pointer(sig, pointer, &args))
            }
        }
    }

    /// `p->~T()`, unless it is dispatched on the object's type: what ends the object's life, which for a
    /// scalar, and for a class that needs nothing, is nothing.
    fn destructor_call(&mut self, call: &'tu Call<'tu>, e: Ex<'tu>) -> R<bool> {
        let Some(ExprKind::Member(member)) = call.member.map(|m| &m.kind) else { return Ok(false) };
        match call.target {
            None if member.decl.is_none() && member.name.is_empty() => {
                if let Some(object) = member.object {
                    self.discard(object)?;
                }
                Ok(true)
            }
            Some(decl)
                if decl.kind() == DeclKind::Destructor
                    && (!call.dynamic || self.is_known_dynamic_type(member)) =>
            {
                let object = self.method_object(member, decl, e)?;
                let object = self.generic(object);
                let Some(class) = decl.semantic_parent() else {
                    return self.internal("a destructor outside a class", e);
                };
                let class = self.cx.ast.types.of(class.ty()).ty;
                if self.cx.needs_destruction(class)
                    && let Some(func) = self.destructor(class, e)?
                {
                    self.enter(e);
                    self.b.call(self.cx.module, func, &[object]);
                }
                Ok(true)
            }
            _ => Ok(false),
        }
    }

    /// Brings arguments to the types of the callee's parameters, which differ where a C function was
    /// called by another type than it is defined with.
    fn fit_arguments(&mut self, args: &mut [Value], params: &[Param], variadic: bool, at: At<'_>) -> R<()> {
        if args.len() < params.len() || args.len() > params.len() && !variadic {
            return self.unsupported("a call with another number of arguments than the function has", at);
        }
        for (arg, param) in args.iter_mut().zip(params) {
            let have = self.b.ty(*arg);
            if have == param.ty {
                continue;
            }
            *arg = match (have, param.ty) {
                (Type::Ptr(_), Type::Ptr(_)) => self.as_pointer(*arg, param.ty),
                _ => {
                    return self
                        .unsupported("a call with arguments of other types than the function has", at);
                }
            };
        }
        Ok(())
    }

    /// What a call calls and, for a method, the object's address.
    fn callee(&mut self, call: &'tu Call<'tu>, e: Ex<'tu>) -> R<(Callee<'tu>, Option<Value>)> {
        let Some(decl) = call.target else {
            let Some(first) = call.callee else {
                return self.internal("a call without a function", e);
            };
            let q = first.q;
            if self.bound_member_type(first).is_some() {
                let (function, object) = self.bound_member_callee(first)?;
                return Ok((Callee::Method(function), Some(object)));
            }
            if self.cx.ast.types.function(q.ty).is_none() {
                return self.unsupported("a call of this expression", e);
            }
            let value = if matches!(self.cx.ast.types.kind(q.ty), Kind::Function(_)) {
                self.function_value(first)?
            } else {
                self.rv(first)?
            };
            let value = self.as_pointer(value, Type::Ptr(Space::Code));
            return Ok((Callee::Pointer(value), None));
        };
        // An operator call has the object as its first argument, and no member expression.
        let Some(ExprKind::Member(member)) = call.member.map(|m| &m.kind) else {
            return Ok((Callee::Direct(decl), None));
        };
        if !decl.has_this() {
            // A static function is called, and the object is evaluated all the same.
            if let Some(object) = member.object {
                self.discard(object)?;
            }
            return Ok((Callee::Direct(decl), None));
        }
        let at: At<'_> = call.member.map_or(e, |m| m);
        if call.dynamic && !self.is_known_dynamic_type(member) {
            let object = self.method_object(member, decl, at)?;
            let object = self.generic(object);
            let old = self.enter(e);
            let func = self.virtual_function(object, decl, e)?;
            self.b.set_loc(old);
            return Ok((Callee::Method(func), Some(object)));
        }
        let object = self.method_object(member, decl, at)?;
        Ok((Callee::Direct(decl), Some(object)))
    }

    /// The address of the object of a method call, as the class that the method belongs to.
    pub fn method_object(&mut self, member: &'tu Member<'tu>, decl: Decl<'tu>, at: At<'_>) -> R<Value> {
        let (place, record) = self.member_base(member, at)?;
        let class = decl.semantic_parent().map(|parent| self.cx.ast.types.of(parent.ty()).ty);
        let Some(target) = class.and_then(|class| self.cx.ast.types.as_record(class)) else {
            return self.internal("a method outside a class", at);
        };
        if target == record {
            return Ok(place.ptr);
        }
        match self.cx.base_path(record, target) {
            Some(path) => self.base_at(place.ptr, record, path, at),
            None => self.internal("a method of a class that is not a base of the object's class", at),
        }
    }

    /// Whether the dynamic type of the object is its static one: a variable or a qualified call.
    fn is_known_dynamic_type(&mut self, member: &'tu Member<'tu>) -> bool {
        if member.qualified {
            return true;
        }
        member.object.is_some_and(|object| self.is_whole_object(object))
    }

    /// Whether an expression is a variable of class type, so that its dynamic type is its static one.
    fn is_whole_object(&mut self, e: Ex<'tu>) -> bool {
        let ExprKind::Name(name) = e.kind else { return false };
        name.decl.is_some_and(|d| {
            let q = self.cx.ast.types.of(d.ty());
            self.cx.ast.types.as_record(q.ty).is_some()
        })
    }

    /// One argument, for a parameter of type `param` or the variable part.
    pub fn argument(&mut self, arg: Ex<'tu>, param: Option<QTy>) -> R<Value> {
        let Some(param) = param else {
            return self.variable_argument(arg);
        };
        if let Kind::Reference(_) = self.cx.ast.types.kind(param.ty) {
            let place = self.referred_place(arg)?;
            return self.pointer_for(place.ptr, param.ty);
        }
        if self.cx.ast.types.is_aggregate(param.ty) {
            let slot = self.temp_slot(param.ty, arg)?;
            let ptr = self.b.slot_addr(slot);
            let align = self.cx.ast.types.align(param.ty);
            self.init_object(ptr, align, QTy::plain(param.ty), arg)?;
            self.register_destructor(param.ty, super::func::cleanups::CleanupPlace::Slot(slot), arg)?;
            // The address may have moved into a later block; take it afresh where it is used.
            return Ok(self.b.slot_addr(slot));
        }
        let value = self.rv_as(arg, param.ty)?;
        Ok(match self.cx.ast.types.ir(param.ty) {
            Some(ir) if ir.is_ptr() => self.as_pointer(value, ir),
            _ => value,
        })
    }

    /// An argument of the variable part. The default promotions are part of the tree; an aggregate is
    /// passed by the address of a copy.
    fn variable_argument(&mut self, arg: Ex<'tu>) -> R<Value> {
        let q = arg.q;
        let q = self.cx.ast.types.decayed(q);
        if self.cx.ast.types.is_aggregate(q.ty) {
            let slot = self.temp_slot(q.ty, arg)?;
            let ptr = self.b.slot_addr(slot);
            let align = self.cx.ast.types.align(q.ty);
            self.init_object(ptr, align, q, arg)?;
            return Ok(self.generic(ptr));
        }
        let value = self.rv_as(arg, q.ty)?;
        Ok(match self.b.ty(value) {
            Type::I1 | Type::I8 | Type::I16 => {
                let signed = self.cx.ast.types.is_signed(q.ty);
                self.widen(value, signed, Type::I32)
            }
            Type::F32 | Type::F16 | Type::BF16 => self.b.cast(CastOp::Fpext, Type::F64, value),
            Type::Ptr(Space::Code) => value,
            Type::Ptr(_) => self.generic(value),
            _ => value,
        })
    }

    /// `kernel<<<grid, block, shared, stream>>>(arguments)`
    fn launch(&mut self, call: &'tu Call<'tu>, launch: &'tu Launch<'tu>, e: Ex<'tu>) -> R<()> {
        let mut args = Vec::new();
        for dim in [launch.grid, launch.block] {
            let place = self.place(dim)?;
            for offset in [0, 4, 8] {
                let ptr = self.b.ptr_offset(place.ptr, offset);
                args.push(self.b.load(Type::I32, ptr, cudair_ir::MemFlags::aligned(4)));
            }
        }
        let ulong = self.cx.ast.types.ulong;
        args.push(self.rv_as(launch.shared, ulong)?);
        let void_ptr = self.cx.ast.types.void_ptr;
        let stream = self.rv_as(launch.stream, void_ptr)?;
        args.push(self.generic(stream));

        let Some(callee) = call.callee else {
            return self.internal("a launch without a kernel", e);
        };
        let callee_q = callee.q;
        let Some(fn_ty) = self.cx.ast.types.function(callee_q.ty) else {
            return self.unsupported("a launch of this expression", e);
        };
        let kernel = launch.kernel;
        let pointer = match kernel {
            Some(_) => None,
            None => Some(self.rv(callee)?),
        };
        for (i, &arg) in call.args.iter().enumerate() {
            let param = fn_ty.params.get(i).copied();
            args.push(self.argument(arg, param)?);
        }
        let old = self.enter(e);
        match (kernel, pointer) {
            (Some(decl), _) => {
                let func = self.cx.func(decl, false)?;
                let params: Vec<Param> = self.cx.module.funcs[func].sig.params.clone();
                for (arg, param) in args[8..].iter_mut().zip(&params) {
                    if matches!(param.attr, ParamAttr::None) && self.b.ty(*arg).is_ptr() {
                        *arg = self.as_pointer(*arg, param.ty);
                    }
                }
                self.b.launch(func, &args);
            }
            (None, Some(pointer)) => {
                let Some(sig) = self.cx.signature(&fn_ty, Side::Kernel, false) else {
                    return self.unsupported("a launch of this type", e);
                };
                let sig = self.cx.module.sig(&sig);
                let pointer = self.as_pointer(pointer, Type::Ptr(Space::Code));
                self.b.launch_indirect(sig, pointer, &args);
            }
            (None, None) => return self.internal("a launch without a kernel", e),
        }
        self.b.set_loc(old);
        Ok(())
    }
}

/// Whether a function is an overloaded assignment operator.
fn is_assignment(decl: Decl<'_>) -> bool {
    let name = decl.spelling();
    let Some(operator) = name.strip_prefix("operator") else { return false };
    operator.ends_with('=') && !matches!(operator, "==" | "!=" | "<=" | ">=")
}

/// Whether a function of the host library never returns.
fn is_noreturn(name: &str) -> bool {
    matches!(
        name,
        "exit"
            | "abort"
            | "_Exit"
            | "_exit"
            | "quick_exit"
            | "__assert_fail"
            | "__assert_perror_fail"
            | "__assert"
            | "longjmp"
            | "siglongjmp"
            | "_longjmp"
            | "__builtin_unreachable"
            | "__builtin_trap"
            | "__builtin_abort"
            | "__trap"
            | "pthread_exit"
    )
}
