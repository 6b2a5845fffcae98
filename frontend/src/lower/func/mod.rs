//! One function: parameters, scopes, cleanups, and how faults inside it are handled.
//!
//! [`FnLower`] writes the function. What it knows on the way is kept by a few objects, each in a file of its own, which
//! alone may change it.

pub(crate) mod arrays;
pub(crate) mod cleanups;
pub(crate) mod frame;
pub(crate) mod jumps;
pub(crate) mod making;
pub(crate) mod names;
pub(crate) mod reach;
pub(crate) mod temporaries;
pub(crate) mod unfinished;

use super::{At, Cx, Fault, R};
use crate::ast::{Body, Broken, NodeId, St};
use crate::fault::FaultKind;
use crate::types::{Decl, DeclKind, Located};
use crate::types::{Kind, QTy, Ty};
use arrays::ArraySizes;
use cleanups::{Action, Cleanups};
use cudair_ir::builder::FuncBuilder;
use cudair_ir::{
    FuncId, Function, LifetimeOp, Linkage, Loc, MemFlags, ParamAttr, Side, Signature, Slot, Space, TrapCode,
    Type, Value,
};
use frame::Frame;
use jumps::Jumps;
use making::BasesInMaking;
use names::{Names, Var};
use reach::Reach;
use temporaries::Temporaries;
use unfinished::Unfinished;

/// The lowering of one function.
pub(crate) struct FnLower<'a, 'tu, 'm> {
    pub cx: &'a mut Cx<'tu, 'm>,
    pub b: FuncBuilder,
    pub frame: Frame<'tu>,
    pub names: Names<'tu>,
    pub cleanups: Cleanups,
    pub jumps: Jumps,
    pub reach: Reach,
    pub temporaries: Temporaries,
    pub arrays: ArraySizes,
    pub bases: BasesInMaking,
    pub unfinished: Unfinished,
    /// The innermost operand of `&` met so far.
    pub address_of: Option<NodeId>,
}

/// Lowers the body of `id`; `base`: as a constructor or destructor for objects that are bases of others.
pub(crate) fn lower_function<'tu>(cx: &mut Cx<'tu, '_>, id: FuncId, decl: Decl<'tu>, base: bool) {
    let function = cx.module.funcs[id].clone();
    if !function.is_declaration() {
        return;
    }
    let mut f = FnLower::new(cx, function, decl);
    if base {
        f.frame.work_for_bases();
    }
    f.body();
    let function = f.b.finish();
    cx.module.funcs[id] = function;
}

impl<'a, 'tu, 'm> FnLower<'a, 'tu, 'm> {
    pub fn new(cx: &'a mut Cx<'tu, 'm>, function: Function, decl: Decl<'tu>) -> Self {
        let void = QTy::plain(cx.ast.types.void);
        FnLower {
            cx,
            frame: Frame::new(&function, decl, void),
            b: FuncBuilder::new(function),
            names: Names::default(),
            cleanups: Cleanups::default(),
            jumps: Jumps::default(),
            reach: Reach::default(),
            temporaries: Temporaries::default(),
            arrays: ArraySizes::default(),
            bases: BasesInMaking::default(),
            unfinished: Unfinished::default(),
            address_of: None,
        }
    }

    fn body(&mut self) {
        let loc = self.cx.loc(&self.frame.decl());
        self.b.set_loc(loc);
        self.b.make_entry();
        self.cx.ast.enter_function(self.frame.decl());
        let body = self.cx.ast.body(self.frame.decl(), self.frame.device());
        self.jumps.find_labels(&mut self.b, body);
        if let Err(fault) = self.parameters() {
            self.fault(*fault);
            self.finish();
            return;
        }
        // No call of an axiom stands in the program.
        self.b.set_loc(None);
        if self.b.func.side == Side::Kernel
            && let Err(fault) = self.axioms()
        {
            self.fault(*fault);
        }
        self.b.set_loc(loc);
        let result = self.returned_variable();
        self.frame.make_in_place(result);
        if self.frame.is_destructor() {
            let may =
                matches!(body, Some(Body::Try(_))) || self.cx.is_noexcept(self.frame.decl()) != Some(true);
            self.frame.body_may_throw(may);
        }
        match body {
            Some(Body::Try(tried)) => {
                if let Err(fault) = self.function_try(tried, |f, body| f.whole_body(Some(body))) {
                    self.fault(*fault);
                }
            }
            Some(Body::Plain(body)) => self.whole_body(Some(body)),
            Some(Body::Fault(broken, range)) => {
                let fault = Fault { kind: broken.kind, what: broken.what.clone(), loc: self.cx.loc(&range) };
                self.fault(fault);
            }
            None => self.whole_body(None),
        }
        self.finish();
    }

    /// What the constructor's list makes, the body, and in a destructor what follows it.
    fn whole_body(&mut self, body: Option<St<'tu>>) {
        if self.frame.decl().kind() == DeclKind::Constructor
            && let Err(fault) = self.construct_members()
        {
            self.fault(*fault);
        }
        if self.frame.decl().kind() == DeclKind::Destructor
            && let Err(fault) = self.start_of_destructor()
        {
            self.fault(*fault);
        }
        let mark = self.cleanups.mark();
        if self.frame.members_unwind()
            && let Err(fault) = self.register_members()
        {
            self.fault(*fault);
        }
        if let Some(body) = body {
            self.stmt(body);
        }
        if self.frame.members_unwind() {
            let end = self.end_of_body();
            self.b.set_loc(end);
            self.pop_cleanups(mark);
        } else if self.frame.decl().kind() == DeclKind::Destructor && !self.b.is_unreachable() {
            let end = self.end_of_body();
            self.b.set_loc(end);
            if let Err(fault) = self.destroy_members() {
                self.fault(*fault);
            }
        }
    }

    /// From here on the object is one of this class and no more of a derived one.
    fn start_of_destructor(&mut self) -> R<()> {
        let decl = self.frame.decl();
        let Some(id) = self.frame.class().and_then(|c| self.cx.ast.types.as_record(c)) else {
            return self.internal("a destructor outside a class", &decl);
        };
        if !self.cx.is_dynamic(id) {
            return Ok(());
        }
        let object = self.this_place(&decl)?.ptr;
        self.set_tables(object, id, self.frame.vtt(), &decl)
    }

    /// Ends the function, whatever was left unfinished in it.
    fn finish(&mut self) {
        self.end();
        for (block, trap) in self.unfinished.traps(&self.b.func) {
            self.b.switch_to(block);
            let (code, loc) = trap.unwrap_or_else(|| {
                let message = self.cx.module.message("internal error: a block that nothing writes");
                (TrapCode::Unsupported(message), None)
            });
            self.b.set_loc(loc);
            self.b.trap(code);
        }
    }

    /// Ends the function where control runs off its end.
    fn end(&mut self) {
        if self.b.is_unreachable() {
            return;
        }
        let end = self.end_of_body();
        self.b.set_loc(end);
        if self.frame.is_main() {
            let zero = self.b.iconst(Type::I32, 0);
            self.b.ret(Some(zero));
            return;
        }
        match self.b.func.sig.ret {
            None => self.b.ret(None),
            Some(_) if self.cx.ast.cxx => self.b.trap(TrapCode::MissingReturn),
            // In C only a caller that uses the value does wrong, which cannot be seen from here.
            Some(ty) => {
                let value = self.b.const_bits(ty, 0);
                self.b.ret(Some(value));
            }
        }
    }

    /// The place of the closing brace.
    fn end_of_body(&mut self) -> Option<Loc> {
        let range = self.frame.decl().range();
        let end = range.end;
        let start = crate::clang::RawPos {
            column: end.column.saturating_sub(1).max(1),
            offset: end.offset.saturating_sub(1),
            ..end
        };
        let range = crate::clang::RawRange { start, end, spelling: None, before_macro: false };
        self.cx.places.range(self.cx.module, range)
    }

    fn parameters(&mut self) -> R<()> {
        let decl = self.frame.decl();
        let fn_ty = self.cx.function_type(decl, &decl)?;
        let Some(entry) = self.b.current_block() else {
            return self.internal("a function without a first block", &decl);
        };
        let values: Vec<Value> = self.b.func.block_params(entry).to_vec();
        let attrs: Vec<ParamAttr> = self.b.func.sig.params.iter().map(|p| p.attr).collect();
        let mut next = 0;
        let mut place = None;
        if let Some(ParamAttr::SRet { .. }) = attrs.first() {
            place = values.first().copied();
            next = 1;
        }
        self.frame.give_back(fn_ty.ret, place);
        if self.frame.decl().has_this() {
            let slot = self.b.slot("this", 8, 8);
            let address = self.b.slot_addr(slot);
            if let Some(&this) = values.get(next) {
                self.b.store(this, address, MemFlags::aligned(8));
            }
            self.frame.work_on(Some(slot), None);
            next += 1;
            if self.frame.for_bases() {
                self.frame.take_vtt(values.get(next).copied());
                next += 1;
            }
        }
        if let Some(parent) = self.frame.decl().semantic_parent()
            && matches!(parent.kind(), DeclKind::Record | DeclKind::ClassTemplate)
        {
            let class = self.cx.ast.types.of(parent.ty()).ty;
            self.frame.work_on(self.frame.this(), Some(class));
            self.bind_captures(parent)?;
        }
        let Some(arguments) = values.get(next..) else {
            return self.internal("a function whose object has no value", &decl);
        };
        self.frame.take_arguments(arguments.to_vec());
        let params = self.cx.parameters_of(decl, &decl)?;
        for (i, &param) in params.iter().enumerate() {
            let (Some(&value), Some(&attr)) = (values.get(next + i), attrs.get(next + i)) else {
                return self.internal("a parameter without a value", &param);
            };
            let loc = self.cx.loc(&param);
            self.b.set_loc(loc);
            let declared = self.cx.ast.types.of(param.ty());
            let declared = self.cx.ast.types.decayed(declared);
            // The size expressions of a parameter such as `int a[n][m]` are evaluated on entry.
            self.vla_dimensions(param.ty(), param)?;
            let var = match attr {
                ParamAttr::None => {
                    if self.b.func.side == Side::Kernel && self.cx.ast.attributes(param).grid_constant {
                        self.cx.copied_grid_constant(param)?;
                    }
                    // Without a prototype the declared type is what is passed.
                    let passed = fn_ty.params.get(i).copied().unwrap_or(declared);
                    let value = self.convert(value, passed.ty, declared.ty, &param)?;
                    let ir = self.b.ty(value);
                    let slot = self.b.slot(&param.spelling(), ir.mem_bytes(), ir.align());
                    self.typed(slot, param);
                    let address = self.b.slot_addr(slot);
                    self.b.store(value, address, MemFlags::natural(ir));
                    if matches!(self.cx.ast.types.kind(declared.ty), Kind::Reference(_)) {
                        Var::Indirect(slot)
                    } else {
                        Var::Slot(slot)
                    }
                }
                ParamAttr::ByVal { size, align_log2 }
                    if self.b.func.side == Side::Kernel && !self.cx.ast.attributes(param).grid_constant =>
                {
                    // The launch's parameter memory is constant; the parameter is a variable.
                    let slot = self.b.slot(&param.spelling(), size, 1 << align_log2);
                    self.typed(slot, param);
                    let address = self.b.slot_addr(slot);
                    self.copy_bytes(address, value, u64::from(size), 1 << align_log2);
                    Var::Slot(slot)
                }
                ParamAttr::ByVal { .. } | ParamAttr::SRet { .. } => Var::Address(value),
            };
            self.names.declare(param, var);
        }
        Ok(())
    }

    /// Sets the source place to a node's; gives the old one for [`FuncBuilder::set_loc`].
    pub fn enter(&mut self, at: At<'_>) -> Option<Loc> {
        let loc = self.cx.loc(at);
        let old = self.b.loc();
        // A node without a place (a default argument) keeps that of its parent.
        self.b.set_loc(loc.or(old));
        old
    }

    /// Counts nesting; an error when there is too much of it.
    pub fn deeper(&mut self, at: At<'_>) -> R<()> {
        if !self.reach.deeper() {
            return self.unsupported("code nested this deep", at);
        }
        Ok(())
    }

    pub fn unsupported<T>(&mut self, what: impl Into<String>, at: At<'_>) -> R<T> {
        self.fault_at(FaultKind::Unsupported, what, at)
    }

    pub fn internal<T>(&mut self, what: impl Into<String>, at: At<'_>) -> R<T> {
        self.fault_at(FaultKind::Internal, what, at)
    }

    /// A use of a variable whose declaration could not be lowered, which was told.
    pub fn consequence<T>(&mut self, variable: Decl<'tu>, at: At<'_>) -> R<T> {
        let what = format!("the variable `{}`, whose declaration is not supported", variable.spelling());
        self.fault_at(FaultKind::Consequence, what, at)
    }

    fn fault_at<T>(&mut self, kind: FaultKind, what: impl Into<String>, at: At<'_>) -> R<T> {
        let loc = self.cx.loc(at).or(self.b.loc());
        Err(Box::new(Fault { kind, what: what.into(), loc }))
    }

    /// The fault that a node of the tree bears.
    pub fn broken<T>(&mut self, broken: &Broken, at: At<'_>) -> R<T> {
        self.fault_at(broken.kind, broken.what.clone(), at)
    }

    /// Deals with a construct that could not be lowered: an error where it is certainly reached or the
    /// program itself is wrong, else a trap that names it.
    pub fn fault(&mut self, fault: Fault) {
        let certain = self.frame.is_main() && self.reach.is_certain() && !self.b.is_unreachable();
        if certain && fault.kind != FaultKind::Consequence || fault.kind == FaultKind::Program {
            self.cx.faults.push(fault.clone());
        }
        let old = self.b.set_loc(fault.loc.or(self.b.loc()));
        let text = match fault.kind {
            FaultKind::Internal => format!("internal error: {}", fault.what),
            _ => fault.what,
        };
        let message = self.cx.module.message(text);
        self.b.trap(TrapCode::Unsupported(message));
        self.unfinished.give_up(&self.b.func, message, self.b.loc());
        self.b.set_loc(old);
    }

    /// Notes the source type of a variable.
    pub fn typed(&mut self, slot: Slot, decl: Decl<'tu>) {
        self.b.func.slots[slot].ty = self.cx.source_type(decl);
    }

    /// The slot of a local variable, alive until the scope ends.
    pub fn variable_slot(&mut self, name: &str, size: u64, align: u32, at: At<'_>) -> R<Slot> {
        let Ok(size) = u32::try_from(size) else {
            return self.unsupported("a local variable of 4 GiB or more", at);
        };
        let slot = self.b.slot(name, size, align.max(1));
        if !self.jumps.may_pass_declaration() {
            self.b.lifetime(LifetimeOp::Live, slot);
            self.push_cleanup(Action::Dead(slot));
        }
        Ok(slot)
    }

    /// A slot for an unnamed object that lives as long as the frame.
    pub fn temp_slot(&mut self, ty: Ty, at: At<'_>) -> R<Slot> {
        let Some(size) = self.cx.ast.types.size(ty).and_then(|s| u32::try_from(s).ok()) else {
            return self.unsupported(format!("a value of type {}", self.cx.ast.types.name(ty)), at);
        };
        let align = self.cx.ast.types.align(ty);
        Ok(self.b.slot("", size, align))
    }

    /// A pointer as one whose space is not known.
    pub fn generic(&mut self, pointer: Value) -> Value {
        match self.b.ty(pointer) {
            Type::Ptr(Space::Generic) => pointer,
            _ => self.b.cast(cudair_ir::CastOp::Spacecast, Type::GENERIC_PTR, pointer),
        }
    }

    /// A pointer as `ty`, which is another pointer type or the same.
    pub fn as_pointer(&mut self, pointer: Value, ty: Type) -> Value {
        self.b.cast(cudair_ir::CastOp::Spacecast, ty, pointer)
    }

    /// Copies an object.
    pub fn copy_bytes(&mut self, dst: Value, src: Value, size: u64, align: u32) {
        if size == 0 {
            return;
        }
        let len = self.b.iconst(Type::I64, i128::from(size));
        self.b.mem_copy(dst, src, len, MemFlags::aligned(align.max(1)));
    }
}

/// Writes the functions that run the initialisers of a unit's variables before `main`.
impl Cx<'_, '_> {
    pub(super) fn lower_dynamic_inits(&mut self) {
        for init in self.initialisers.take_waiting() {
            // A thread finds that of a variable of its own by its name.
            let name = if init.decl.is_thread_local() {
                format!("__cudair_thread_init.{}", self.module.globals[init.global].name)
            } else {
                "__cudair_init".to_owned()
            };
            let name = self.unique_name(name);
            let mut function = Function::new(name, Side::Host, Signature::default());
            function.linkage = Linkage::Internal;
            let id = self.module.add_func(function.clone());
            if let Some(around) = init.decl.semantic_parent().filter(|p| p.kind().is_function()) {
                self.ast.enter_function(around);
            }
            let mut f = FnLower::new(self, function, init.decl);
            f.b.make_entry();
            if let Err(fault) = f.dynamic_init(&init) {
                f.cx.faults.push((*fault).clone());
                f.fault(*fault);
            }
            if !f.b.is_unreachable() {
                f.b.ret(None);
            }
            let function = f.b.finish();
            self.module.funcs[id] = function;
            match self.init_priority(init.decl) {
                Ok(priority) => self.initialisers.written(&init, priority, id),
                Err(fault) => self.faults.push(*fault),
            }
        }
    }
}
