//! Calls: direct, indirect, of methods, with their arguments and results.

use super::R;
use super::decl::{has_this, is_function};
use super::func::FnLower;
use super::lvalue::Place;
use super::types::{FnTy, Kind, QTy};
use crate::clang::{Cursor, CursorKind, TypeKind};
use cudair_ir::{CastOp, FuncId, Param, ParamAttr, Side, Signature, Space, TrapCode, Type, Value};
use std::rc::Rc;

/// What is called.
enum Callee<'tu> {
    Direct(Cursor<'tu>),
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
fn gives_xvalue(e: Cursor) -> bool {
    let callee = direct_callee(e).map(|d| d.ty()).or_else(|| e.expressions().first().map(|c| c.ty()));
    callee.is_some_and(|f| {
        let f = f.canonical();
        let f = if f.kind() == TypeKind::Pointer { f.pointee() } else { f };
        f.canonical().result().kind() == TypeKind::RValueReference
    })
}

impl<'tu> FnLower<'_, 'tu, '_> {
    /// The value of a call with a scalar result.
    pub fn call_value(&mut self, e: Cursor<'tu>) -> R<Value> {
        let q = self.cx.type_of(e);
        if self.cx.types.is_aggregate(q.ty) {
            return self.internal("an aggregate call as a scalar", e);
        }
        match self.call(e, None)? {
            CallResult::Value(value) => {
                // A function that returns a reference, read.
                if self.returns_reference(e) {
                    let place = super::lvalue::Place::new(value, self.cx.types.align(q.ty), q);
                    if matches!(self.cx.types.kind(q.ty), Kind::Function(_)) {
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
    pub fn call_discard(&mut self, e: Cursor<'tu>) -> R<()> {
        let q = self.cx.type_of(e);
        if self.cx.types.is_aggregate(q.ty) && !self.returns_reference(e) {
            return self.materialize(e).map(|_| ());
        }
        self.call(e, None).map(|_| ())
    }

    /// A call whose aggregate result becomes the object at `dst`.
    pub fn call_into(&mut self, e: Cursor<'tu>, dst: Value, q: QTy) -> R<()> {
        if self.returns_reference(e) {
            let CallResult::Value(ptr) = self.call(e, None)? else {
                return self.internal("a reference result without a value", e);
            };
            let place = Place::new(ptr, self.cx.types.align(q.ty), q);
            return self.copy_named(dst, &place, place.align, q, gives_xvalue(e), e);
        }
        self.call(e, Some(dst)).map(|_| ())
    }

    /// The pointer that a call returning a reference gives; `None` where it returns a value.
    pub fn call_reference(&mut self, e: Cursor<'tu>) -> R<Option<Value>> {
        if !self.returns_reference(e) {
            return Ok(None);
        }
        match self.call(e, None)? {
            CallResult::Value(value) => Ok(Some(value)),
            CallResult::None => self.internal("a reference result without a value", e),
        }
    }

    fn returns_reference(&mut self, e: Cursor<'tu>) -> bool {
        if !self.cx.cxx {
            return false;
        }
        match self.callee_type(e) {
            Some(f) => matches!(self.cx.types.kind(f.ret.ty), Kind::Reference(_)),
            None => false,
        }
    }

    /// The function type that a call goes by.
    fn callee_type(&mut self, e: Cursor<'tu>) -> Option<Rc<FnTy>> {
        if let Some(d) = direct_callee(e) {
            if d.kind() == CursorKind::Constructor {
                return None;
            }
            let q = self.cx.types.of(d.ty());
            return self.cx.types.function(q.ty);
        }
        let callee = e.expressions().first().copied()?;
        if let Some(f) = self.bound_member_type(callee) {
            return Some(f);
        }
        let q = self.cx.type_of(callee);
        self.cx.types.function(q.ty)
    }

    fn call(&mut self, e: Cursor<'tu>, dst: Option<Value>) -> R<CallResult> {
        if let Some(meant) = unchecked_call(e) {
            return self.call(meant, dst);
        }
        if let Some(configuration) = self.launch_configuration(e) {
            self.launch(e, configuration)?;
            return Ok(CallResult::None);
        }
        let direct = direct_callee(e);
        if let Some(decl) = direct
            && decl.kind() == CursorKind::Constructor
        {
            return self.constructor_call(e, decl, dst);
        }
        if let Some(decl) = direct {
            if self.cx.body_of(decl).is_none()
                && let Some(result) = self.builtin_call(e, decl, dst)?
            {
                return Ok(result);
            }
            if decl.kind() == CursorKind::ConversionFunction
                && let Some(class) = decl.semantic_parent()
                && super::closure::is_closure(class)
            {
                let class = self.cx.types.of(class.ty()).ty;
                let func = self.cx.closure_function(class, self.device, e)?;
                return Ok(CallResult::Value(self.b.func_addr(func)));
            }
            if let Some(ptr) = self.implicit_assignment(e, decl)? {
                return Ok(CallResult::Value(ptr));
            }
        }
        if self.destructor_call(e, direct)? {
            return Ok(CallResult::None);
        }
        let Some(fn_ty) = self.callee_type(e) else {
            return self.unsupported("a call of this expression", e);
        };
        let mut args: Vec<Value> = Vec::new();
        // The callee comes before the arguments.
        let (callee, this) = self.callee(e, direct)?;
        let written = e.arguments().unwrap_or_default();
        self.sequence_arguments(&written);
        let mut written: &[Cursor<'tu>] = &written;
        let mut this = this;
        if let (Callee::Direct(decl), None) = (&callee, this)
            && has_this(*decl)
        {
            // An overloaded operator as a member: its first argument is the object.
            let Some((&object, rest)) = written.split_first() else {
                return self.internal("a method call without an object", e);
            };
            this = Some(self.place(object)?.ptr);
            written = rest;
        }
        let side = self.b.func.side;
        let side = if side.on_device() { Side::Device } else { Side::Host };
        let result_slot = if self.cx.types.is_aggregate(fn_ty.ret.ty) {
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
            Callee::Direct(decl) => Target::Func(self.cx.func(decl, self.device)?),
            Callee::Pointer(value) | Callee::Method(value) => {
                let Some(sig) = self.cx.signature(&fn_ty, side, matches!(callee, Callee::Method(_))) else {
                    return self.unsupported("a call of this type", e);
                };
                Target::Pointer(sig, value)
            }
        };
        let decl = direct;
        for (i, &arg) in written.iter().enumerate() {
            let param = fn_ty.params.get(i).copied();
            let value = self.argument(arg, param, decl, i)?;
            args.push(value);
        }
        let old = self.enter(e);
        let value = match target {
            Target::Func(func) => {
                let sig = self.cx.module.funcs[func].sig.clone();
                if !fn_ty.prototype && !sig.variadic {
                    args.truncate(sig.params.len());
                }
                self.fit_arguments(&mut args, &sig.params, sig.variadic, e)?;
                self.call_func(func, &args)
            }
            Target::Pointer(mut sig, pointer) => {
                if !fn_ty.prototype {
                    // Without a prototype the arguments say what the callee must take.
                    sig.params.extend(args[sig.params.len()..].iter().map(|a| Param::new(self.b.ty(*a))));
                    sig.variadic = false;
                }
                let sig = self.cx.module.sig(&sig);
                self.call_pointer(sig, pointer, &args)
            }
        };
        self.b.set_loc(old);
        if let Some(decl) = direct
            && is_noreturn(&decl.spelling())
            && self.cx.body_of(decl).is_none()
        {
            self.b.trap(TrapCode::Unreachable);
            self.escaped = true;
            return Ok(CallResult::None);
        }
        Ok(match value {
            Some(value) if !result_slot => CallResult::Value(value),
            _ => CallResult::None,
        })
    }

    /// `p->~T()`, unless it is dispatched on the object's type: what ends the object's life, which for a
    /// scalar, and for a class that needs nothing, is nothing.
    fn destructor_call(&mut self, e: Cursor<'tu>, direct: Option<Cursor<'tu>>) -> R<bool> {
        let Some(member) = e.expressions().first().copied().and_then(peel_to_member) else {
            return Ok(false);
        };
        match direct {
            None if member.referenced().is_none() && member.spelling().is_empty() => {
                if let Some(&object) = member.expressions().first() {
                    self.discard(object)?;
                }
                Ok(true)
            }
            Some(decl)
                if decl.kind() == CursorKind::Destructor
                    && (!e.is_dynamic_call() || self.is_known_dynamic_type(member)) =>
            {
                let object = self.method_object(member, decl)?;
                let object = self.generic(object);
                let Some(class) = decl.semantic_parent() else { return Ok(true) };
                let class = self.cx.types.of(class.ty()).ty;
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
    fn fit_arguments(
        &mut self,
        args: &mut [Value],
        params: &[Param],
        variadic: bool,
        at: Cursor<'tu>,
    ) -> R<()> {
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
    fn callee(&mut self, e: Cursor<'tu>, direct: Option<Cursor<'tu>>) -> R<(Callee<'tu>, Option<Value>)> {
        let children = e.expressions();
        let first = children.first().copied();
        let Some(decl) = direct else {
            let Some(first) = first else {
                return self.internal("a call of nothing", e);
            };
            let q = self.cx.type_of(first);
            if self.bound_member_type(first).is_some() {
                let (function, object) = self.bound_member_callee(first)?;
                return Ok((Callee::Method(function), Some(object)));
            }
            if self.cx.types.function(q.ty).is_none() {
                return self.unsupported("a call of this expression", e);
            }
            let value = if matches!(self.cx.types.kind(q.ty), Kind::Function(_)) {
                self.function_value(first)?
            } else {
                self.rv(first)?
            };
            let value = self.as_pointer(value, Type::Ptr(Space::Code));
            return Ok((Callee::Pointer(value), None));
        };
        if !has_this(decl) {
            return Ok((Callee::Direct(decl), None));
        }
        // A method call's first child is the member expression, with the object below it. An operator
        // call has the object as its first argument instead.
        let member = first.and_then(peel_to_member);
        let Some(member) =
            member.filter(|m| m.referenced().is_some_and(|r| r.canonical().id() == decl.canonical().id()))
        else {
            return Ok((Callee::Direct(decl), None));
        };
        if e.is_dynamic_call() && !self.is_known_dynamic_type(member) {
            return self.virtual_callee(e, member, decl);
        }
        let object = self.method_object(member, decl)?;
        Ok((Callee::Direct(decl), Some(object)))
    }

    fn virtual_callee(
        &mut self,
        e: Cursor<'tu>,
        member: Cursor<'tu>,
        decl: Cursor<'tu>,
    ) -> R<(Callee<'tu>, Option<Value>)> {
        let object = self.method_object(member, decl)?;
        let object = self.generic(object);
        let old = self.enter(e);
        let func = self.virtual_function(object, decl, e)?;
        self.b.set_loc(old);
        Ok((Callee::Method(func), Some(object)))
    }

    /// The address of the object of a method call, as the class that the method belongs to.
    pub fn method_object(&mut self, member: Cursor<'tu>, decl: Cursor<'tu>) -> R<Value> {
        let (place, record) = self.member_base(member)?;
        let Some(parent) = decl.semantic_parent() else { return Ok(place.ptr) };
        let class = self.cx.types.of(parent.ty()).ty;
        if let Some(target) = self.cx.types.as_record(class)
            && target != record
            && let Some(path) = self.cx.base_path(record, target)
        {
            return self.base_at(place.ptr, record, path, member);
        }
        Ok(place.ptr)
    }

    /// Whether the dynamic type of the object is its static one: a variable or a qualified call.
    fn is_known_dynamic_type(&mut self, member: Cursor<'tu>) -> bool {
        if member.children().iter().any(|c| c.kind() == CursorKind::TypeRef) {
            return true;
        }
        match member.expressions().first() {
            Some(object) => {
                object.kind() == CursorKind::DeclRefExpr
                    && object.referenced().is_some_and(|d| {
                        let q = self.cx.types.of(d.ty());
                        self.cx.types.as_record(q.ty).is_some()
                    })
            }
            None => false,
        }
    }

    /// One argument, for a parameter of type `param` or the variable part.
    pub fn argument(
        &mut self,
        arg: Cursor<'tu>,
        param: Option<QTy>,
        decl: Option<Cursor<'tu>>,
        index: usize,
    ) -> R<Value> {
        let arg = self.default_argument(arg, decl, index)?;
        let Some(param) = param else {
            return self.variable_argument(arg);
        };
        if let Kind::Reference(_) = self.cx.types.kind(param.ty) {
            let place = self.place(arg)?;
            return Ok(self.pointer_for(place.ptr, param.ty));
        }
        if self.cx.types.is_aggregate(param.ty) {
            let slot = self.temp_slot(param.ty, arg)?;
            let ptr = self.b.slot_addr(slot);
            let align = self.cx.types.align(param.ty);
            self.init_object(ptr, align, QTy::plain(param.ty), arg)?;
            self.register_destructor(param.ty, super::cleanup::CleanupPlace::Slot(slot), arg)?;
            // The address may have moved into a later block; take it afresh where it is used.
            return Ok(self.b.slot_addr(slot));
        }
        let value = self.rv_as(arg, param.ty)?;
        Ok(match self.cx.types.ir(param.ty) {
            Some(ir) if ir.is_ptr() => self.as_pointer(value, ir),
            _ => value,
        })
    }

    /// An argument of the variable part. The default promotions are part of the tree; an aggregate is
    /// passed by the address of a copy.
    fn variable_argument(&mut self, arg: Cursor<'tu>) -> R<Value> {
        let q = self.cx.type_of(arg);
        let q = self.cx.types.decayed(q);
        if self.cx.types.is_aggregate(q.ty) {
            let slot = self.temp_slot(q.ty, arg)?;
            let ptr = self.b.slot_addr(slot);
            let align = self.cx.types.align(q.ty);
            self.init_object(ptr, align, q, arg)?;
            return Ok(self.generic(ptr));
        }
        let value = self.rv_as(arg, q.ty)?;
        Ok(match self.b.ty(value) {
            Type::I1 | Type::I8 | Type::I16 => {
                let signed = self.cx.types.is_signed(q.ty);
                self.widen(value, signed, Type::I32)
            }
            Type::F32 | Type::F16 | Type::BF16 => self.b.cast(CastOp::Fpext, Type::F64, value),
            Type::Ptr(Space::Code) => value,
            Type::Ptr(_) => self.generic(value),
            _ => value,
        })
    }

    /// A default argument shows as a node without children: the expression behind it.
    fn default_argument(
        &mut self,
        arg: Cursor<'tu>,
        decl: Option<Cursor<'tu>>,
        index: usize,
    ) -> R<Cursor<'tu>> {
        if arg.kind() != CursorKind::UnexposedExpr
            || !arg.expressions().is_empty()
            || arg.range().start.file.is_some()
        {
            return Ok(arg);
        }
        let Some(decl) = decl else { return Ok(arg) };
        let q = self.cx.type_of(arg);
        if self.cx.types.is_arithmetic(q.ty) && arg.evaluate().is_some() {
            return Ok(arg);
        }
        let mut candidates = vec![decl, decl.canonical()];
        candidates.extend(decl.definition());
        candidates.extend(decl.specialized_template());
        if decl.kind() == CursorKind::Constructor
            && self.is_inherited_constructor(decl)
            && let Some(original) = self.inherited_from(decl)
        {
            candidates.push(original);
            candidates.extend(original.specialized_template());
        }
        for candidate in candidates {
            let params = match candidate.arguments() {
                Some(params) if !params.is_empty() => params,
                _ => candidate.children().into_iter().filter(|c| c.kind() == CursorKind::ParmDecl).collect(),
            };
            if let Some(value) =
                params.get(index).and_then(|p| p.initializer().or_else(|| p.expressions().last().copied()))
            {
                return Ok(value);
            }
        }
        self.unsupported("this default argument", decl)
    }

    /// The configuration of a launch, if the call is one.
    fn launch_configuration(&self, e: Cursor<'tu>) -> Option<Cursor<'tu>> {
        let children = e.children();
        let &configuration = children.get(1)?;
        let name = configuration.spelling();
        if configuration.kind() != CursorKind::CallExpr
            || !matches!(name.as_str(), "cudaConfigureCall" | "cudaLaunchDevice")
        {
            return None;
        }
        let is_argument = e.arguments().is_some_and(|a| a.iter().any(|a| a.id() == configuration.id()));
        (!is_argument).then_some(configuration)
    }

    /// `kernel<<<grid, block, shared, stream>>>(arguments)`
    fn launch(&mut self, e: Cursor<'tu>, configuration: Cursor<'tu>) -> R<()> {
        let config_decl = configuration.referenced();
        let shape = configuration.arguments().unwrap_or_default();
        // Launches from device code name the kernel and its parameters first, which is all null.
        let first = shape.len().saturating_sub(4);
        let &[grid, block, shared, stream] = &shape[first..] else {
            return self.internal("a launch without a configuration", e);
        };
        let mut args = Vec::new();
        for (i, dim) in [grid, block].into_iter().enumerate() {
            let dim = self.default_argument(dim, config_decl, first + i)?;
            let place = self.place(dim)?;
            for offset in [0, 4, 8] {
                let ptr = self.b.ptr_offset(place.ptr, offset);
                args.push(self.b.load(Type::I32, ptr, cudair_ir::MemFlags::aligned(4)));
            }
        }
        let ulong = self.cx.types.ulong;
        let shared = self.default_argument(shared, config_decl, first + 2)?;
        args.push(self.rv_as(shared, ulong)?);
        let stream = self.default_argument(stream, config_decl, first + 3)?;
        let void_ptr = self.cx.types.void_ptr;
        let stream = self.rv_as(stream, void_ptr)?;
        args.push(self.generic(stream));

        let Some(callee) = e.expressions().first().copied() else {
            return self.internal("a launch of nothing", e);
        };
        let callee_q = self.cx.type_of(callee);
        let Some(fn_ty) = self.cx.types.function(callee_q.ty) else {
            return self.unsupported("a launch of this expression", e);
        };
        let kernel = peel_to_decl(callee).filter(|d| d.kind() == CursorKind::FunctionDecl);
        let pointer = match kernel {
            Some(_) => None,
            None => Some(self.rv(callee)?),
        };
        for (i, &arg) in e.arguments().unwrap_or_default().iter().enumerate() {
            let param = fn_ty.params.get(i).copied();
            args.push(self.argument(arg, param, kernel, i)?);
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
            (None, None) => return self.internal("a launch of nothing", e),
        }
        self.b.set_loc(old);
        Ok(())
    }
}

/// The function that a call names. libclang also reports one where the callee is itself a call, so what
/// it reports is looked for.
pub(crate) fn direct_callee(e: Cursor<'_>) -> Option<Cursor<'_>> {
    // `(std::min)(a, b)`: the parentheses keep a macro off.
    let decl = match e.referenced() {
        Some(decl) => Some(decl).filter(|d| is_function(d.kind())),
        None => e.expressions().first().copied().and_then(in_parentheses),
    }?;
    if decl.kind() == CursorKind::Constructor {
        return Some(decl);
    }
    let id = decl.canonical().id();
    let names = |c: &Cursor<'_>| {
        let named = peel_to_member(*c).and_then(|m| m.referenced()).or_else(|| peel_to_decl(*c));
        named.is_some_and(|d| d.canonical().id() == id)
    };
    let children = e.expressions();
    let found = if decl.spelling().starts_with("operator") {
        // The children of an overloaded operator are in source order.
        children.iter().any(names) || children.is_empty()
    } else {
        children.first().is_some_and(names)
    };
    found.then_some(decl)
}

/// The function that parentheses name.
fn in_parentheses(e: Cursor<'_>) -> Option<Cursor<'_>> {
    let inner = e.expressions();
    match (e.kind(), inner.as_slice()) {
        (CursorKind::UnexposedExpr | CursorKind::ParenExpr, [one]) => in_parentheses(*one),
        (CursorKind::DeclRefExpr, _) => e.referenced().filter(|d| d.kind() == CursorKind::FunctionDecl),
        _ => None,
    }
}

/// The declaration that an expression names, conversions and parentheses aside.
pub(crate) fn peel_to_decl(mut e: Cursor<'_>) -> Option<Cursor<'_>> {
    loop {
        match e.kind() {
            CursorKind::DeclRefExpr => return e.referenced(),
            CursorKind::ParenExpr | CursorKind::UnexposedExpr => match e.expressions().as_slice() {
                [one] => e = *one,
                _ => return None,
            },
            CursorKind::UnaryOperator
                if matches!(
                    e.unary_operator(),
                    clang_sys::CXUnaryOperator_AddrOf | clang_sys::CXUnaryOperator_Deref
                ) =>
            {
                // `(*kernel)<<<…>>>` and `(&kernel)<<<…>>>` name the kernel too, a pointer variable is none.
                match e.expressions().first() {
                    Some(inner) => e = *inner,
                    None => return None,
                }
            }
            _ => return None,
        }
    }
}

pub(crate) fn peel_to_member(mut e: Cursor<'_>) -> Option<Cursor<'_>> {
    loop {
        match e.kind() {
            CursorKind::MemberRefExpr => return Some(e),
            CursorKind::ParenExpr | CursorKind::UnexposedExpr => match e.expressions().as_slice() {
                [one] => e = *one,
                _ => return None,
            },
            _ => return None,
        }
    }
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

/// The call that `__cudair_here<R>(noexcept(call))` stands for: one that the parser does not check, since code that
/// runs on both sides may make it on the device alone.
fn unchecked_call(e: Cursor<'_>) -> Option<Cursor<'_>> {
    if e.referenced()?.spelling() != "__cudair_here" {
        return None;
    }
    let mut at = *e.arguments()?.first()?;
    while at.kind() != CursorKind::CallExpr {
        at = match at.expressions().as_slice() {
            [one] => *one,
            _ => return None,
        };
    }
    Some(at)
}
