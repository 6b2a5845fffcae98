//! One function: parameters, scopes, cleanups, and how faults inside it are handled.

use super::cleanup::{Action, Arms, Cleanup, Unwinding};
use super::{At, Cx, Fault, R};
use crate::ast::{Body, Broken, LabelId, NodeId, St, StmtKind};
use crate::clang::CursorId;
use crate::fault::FaultKind;
use crate::types::{Decl, DeclKind, Located};
use crate::types::{Kind, QTy, Ty};
use cudair_ir::builder::FuncBuilder;
use cudair_ir::{
    Block, FuncId, Function, GlobalId, LifetimeOp, Linkage, Loc, MemFlags, ParamAttr, Side, Signature, Slot,
    Space, TrapCode, Type, Value,
};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// How deep expressions and statements may nest before lowering gives up on them. The lowering runs on
/// a stack that holds this many frames with room to spare.
const MAX_DEPTH: u32 = 20_000;

/// Where a variable lives.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Var {
    /// In a slot.
    Slot(Slot),
    /// At an address that a slot holds: references and variable length arrays.
    Indirect(Slot),
    /// At an address: aggregates passed by value.
    Address(Value),
    /// In static storage.
    Global(GlobalId),
}

/// A scope as a jump sees it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Jump {
    pub break_to: Option<Block>,
    pub continue_to: Option<Block>,
    /// How many cleanups were registered outside.
    pub cleanups: usize,
}

/// A label and the compound statements around it.
pub(crate) struct Label {
    pub block: Block,
    pub path: Vec<NodeId>,
    /// How many cleanups were registered where it stands, once that is known.
    pub cleanups: Option<usize>,
}

/// The lowering of one function.
pub(crate) struct FnLower<'a, 'tu, 'm> {
    pub cx: &'a mut Cx<'tu, 'm>,
    pub b: FuncBuilder,
    /// Whether the code runs on the device.
    pub device: bool,
    pub decl: Decl<'tu>,
    pub ret: QTy,
    pub sret: Option<Value>,
    pub this: Option<Slot>,
    /// The construction table of the object, where the constructor or destructor is one for bases.
    pub vtt: Option<Value>,
    /// The bases that are being made, by their places, with their construction tables and whether these were used.
    pub bases_in_making: FxHashMap<(Value, crate::types::RecId), (Value, bool)>,
    /// What the function was called with, `this` and the place of the result aside.
    pub parameter_values: Vec<Value>,
    /// The class whose member function this is.
    pub class: Option<Ty>,
    pub vars: FxHashMap<CursorId, Var>,
    /// What the names of structured bindings stand for.
    pub bindings: FxHashMap<CursorId, super::bindings::Bound<'tu>>,
    pub cleanups: Vec<Cleanup>,
    pub unwinding: Unwinding,
    pub arms: Arms,
    /// The nodes down to temporaries that live as long as the reference being bound to them.
    pub extended: Vec<NodeId>,
    /// Whether the list being initialised is a variable's.
    pub list_extends: bool,
    /// Those references live as long as the program.
    pub binds_static: bool,
    /// The local variable that is the result itself.
    pub result: Option<CursorId>,
    pub jumps: Vec<Jump>,
    pub labels: FxHashMap<LabelId, Label>,
    /// The compound statements around the current place, each with the cleanups outside it.
    pub path: Vec<(NodeId, usize)>,
    /// Blocks of `case` and `default` statements.
    pub cases: FxHashMap<NodeId, Block>,
    /// Compound statements that a `switch` may jump into.
    pub jumped_into: rustc_hash::FxHashSet<NodeId>,
    /// The byte count of each variable length array type, in a slot.
    pub vla_sizes: FxHashMap<usize, Slot>,
    /// The same by the type's spelling without qualifiers.
    pub vla_texts: FxHashMap<Rc<str>, Vec<Slot>>,
    /// The innermost operand of `&` met so far.
    pub address_of: Option<NodeId>,
    /// What a lambda captured: the field of the closure for each variable.
    pub captures: FxHashMap<CursorId, crate::ast::Capture<'tu>>,
    /// Where a lambda keeps `this` of the enclosing class.
    pub outer_this: Option<crate::ast::Capture<'tu>>,
    /// How many branches were taken to get here; 0 is certain.
    pub conditional: u32,
    pub depth: u32,
    /// Whether the function may have been left before the current place.
    pub escaped: bool,
    is_main: bool,
    has_labels: bool,
    /// A constructor or destructor for objects that are bases of others.
    for_bases: bool,
    /// A destructor whose body may be left by an exception: members and bases are destroyed as objects of its scope are.
    pub members_unwind: bool,
}

/// Lowers the body of `id`; `base`: as a constructor or destructor for objects that are bases of others.
pub(crate) fn lower_function<'tu>(cx: &mut Cx<'tu, '_>, id: FuncId, decl: Decl<'tu>, base: bool) {
    let function = cx.module.funcs[id].clone();
    if !function.is_declaration() {
        return;
    }
    let mut f = FnLower::new(cx, function, decl);
    f.for_bases = base;
    f.body();
    let function = f.b.finish();
    cx.module.funcs[id] = function;
}

impl<'a, 'tu, 'm> FnLower<'a, 'tu, 'm> {
    pub fn new(cx: &'a mut Cx<'tu, 'm>, function: Function, decl: Decl<'tu>) -> Self {
        let device = function.side.on_device();
        let is_main = function.name == "main";
        let void = QTy::plain(cx.ast.types.void);
        FnLower {
            cx,
            b: FuncBuilder::new(function),
            device,
            decl,
            ret: void,
            sret: None,
            this: None,
            vtt: None,
            bases_in_making: FxHashMap::default(),
            parameter_values: Vec::new(),
            class: None,
            vars: FxHashMap::default(),
            bindings: FxHashMap::default(),
            cleanups: Vec::new(),
            unwinding: Unwinding::default(),
            arms: Arms::default(),
            extended: Vec::new(),
            list_extends: false,
            binds_static: false,
            result: None,
            jumps: Vec::new(),
            labels: FxHashMap::default(),
            path: Vec::new(),
            cases: FxHashMap::default(),
            jumped_into: rustc_hash::FxHashSet::default(),
            vla_sizes: FxHashMap::default(),
            vla_texts: FxHashMap::default(),
            address_of: None,
            captures: FxHashMap::default(),
            outer_this: None,
            conditional: 0,
            depth: 0,
            escaped: false,
            is_main,
            has_labels: false,
            for_bases: false,
            members_unwind: false,
        }
    }

    fn body(&mut self) {
        let loc = self.cx.loc(&self.decl);
        self.b.set_loc(loc);
        self.b.make_entry();
        self.cx.ast.enter_function(self.decl);
        let body = self.cx.ast.body(self.decl, self.device);
        self.find_labels_of_body(body);
        self.has_labels = !self.labels.is_empty();
        if let Err(fault) = self.parameters() {
            self.fault(*fault);
            self.finish();
            return;
        }
        self.result = self.returned_variable();
        self.members_unwind = self.decl.kind() == DeclKind::Destructor
            && !self.device
            && (matches!(body, Some(Body::Try(_))) || !self.cx.is_noexcept(self.decl));
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
        if self.decl.kind() == DeclKind::Constructor
            && let Err(fault) = self.construct_members()
        {
            self.fault(*fault);
        }
        if self.decl.kind() == DeclKind::Destructor
            && let Err(fault) = self.start_of_destructor()
        {
            self.fault(*fault);
        }
        let mark = self.cleanups.len();
        if self.members_unwind
            && let Err(fault) = self.register_members()
        {
            self.fault(*fault);
        }
        if let Some(body) = body {
            self.stmt(body);
        }
        if self.members_unwind {
            let end = self.end_of_body();
            self.b.set_loc(end);
            self.pop_cleanups(mark);
        } else if self.decl.kind() == DeclKind::Destructor && !self.b.is_unreachable() {
            let end = self.end_of_body();
            self.b.set_loc(end);
            if let Err(fault) = self.destroy_members() {
                self.fault(*fault);
            }
        }
    }

    /// From here on the object is one of this class and no more of a derived one.
    fn start_of_destructor(&mut self) -> R<()> {
        let decl = self.decl;
        let Some(id) = self.class.and_then(|c| self.cx.ast.types.as_record(c)) else { return Ok(()) };
        if !self.cx.is_dynamic(id) {
            return Ok(());
        }
        let object = self.this_place(&decl)?.ptr;
        self.set_tables(object, id, self.vtt, &decl)
    }

    /// Ends the function, whatever was left unfinished in it.
    fn finish(&mut self) {
        self.end();
        // A construct that could not be lowered may leave blocks that are jumped to and never written.
        let mut wanted = Vec::new();
        for &block in &self.b.func.layout {
            wanted.extend(self.b.func.successors(block));
        }
        for block in wanted {
            if !self.b.func.layout.contains(&block) {
                self.b.switch_to(block);
                self.b.trap(TrapCode::Unreachable);
            }
        }
    }

    /// Ends the function where control runs off its end.
    fn end(&mut self) {
        if self.b.is_unreachable() {
            return;
        }
        let end = self.end_of_body();
        self.b.set_loc(end);
        if self.is_main {
            let zero = self.b.iconst(Type::I32, 0);
            self.b.ret(Some(zero));
        } else if self.b.func.sig.ret.is_none() {
            self.b.ret(None);
        } else if self.cx.ast.cxx {
            self.b.trap(TrapCode::MissingReturn);
        } else {
            // In C only a caller that uses the value does wrong, which cannot be seen from here.
            let ty = self.b.func.sig.ret.unwrap_or(Type::I32);
            let value = self.b.const_bits(ty, 0);
            self.b.ret(Some(value));
        }
    }

    /// The place of the closing brace.
    fn end_of_body(&mut self) -> Option<Loc> {
        let range = self.decl.range();
        let end = range.end;
        let start = crate::clang::RawPos {
            column: end.column.saturating_sub(1).max(1),
            offset: end.offset.saturating_sub(1),
            ..end
        };
        let range = crate::clang::RawRange { start, end, spelling: None };
        self.cx.places.range(self.cx.module, range)
    }

    fn parameters(&mut self) -> R<()> {
        let q = self.cx.ast.types.of(self.decl.ty());
        let Some(fn_ty) = self.cx.ast.types.function(q.ty) else {
            let decl = self.decl;
            return self.internal("a function without a function type", &decl);
        };
        self.ret = fn_ty.ret;
        let Some(entry) = self.b.current_block() else { return Ok(()) };
        let values: Vec<Value> = self.b.func.block_params(entry).to_vec();
        let attrs: Vec<ParamAttr> = self.b.func.sig.params.iter().map(|p| p.attr).collect();
        let mut next = 0;
        if let Some(ParamAttr::SRet { .. }) = attrs.first() {
            self.sret = values.first().copied();
            next = 1;
        }
        if self.decl.has_this() {
            let slot = self.b.slot("this", 8, 8);
            let address = self.b.slot_addr(slot);
            if let Some(&this) = values.get(next) {
                self.b.store(this, address, MemFlags::aligned(8));
            }
            self.this = Some(slot);
            next += 1;
            if self.for_bases {
                self.vtt = values.get(next).copied();
                next += 1;
            }
        }
        if let Some(parent) = self.decl.semantic_parent()
            && matches!(parent.kind(), DeclKind::Record | DeclKind::ClassTemplate)
        {
            self.class = Some(self.cx.ast.types.of(parent.ty()).ty);
            self.bind_captures(parent)?;
        }
        self.parameter_values = values.get(next..).unwrap_or(&[]).to_vec();
        let params = self.decl.parameters().unwrap_or_default();
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
                    let passed = fn_ty.params.get(i).copied().unwrap_or(declared);
                    let value = self.convert(value, passed.ty, declared.ty, &param)?;
                    let ir = self.b.ty(value);
                    let slot = self.b.slot(&param.spelling(), ir.mem_bytes(), ir.align());
                    let address = self.b.slot_addr(slot);
                    self.b.store(value, address, MemFlags::natural(ir));
                    if matches!(self.cx.ast.types.kind(declared.ty), Kind::Reference(_)) {
                        Var::Indirect(slot)
                    } else {
                        Var::Slot(slot)
                    }
                }
                ParamAttr::ByVal { size, align_log2 } if self.b.func.side == Side::Kernel => {
                    // The launch's parameter memory is constant; the parameter is a variable.
                    let slot = self.b.slot(&param.spelling(), size, 1 << align_log2);
                    let address = self.b.slot_addr(slot);
                    self.copy_bytes(address, value, u64::from(size), 1 << align_log2);
                    Var::Slot(slot)
                }
                ParamAttr::ByVal { .. } | ParamAttr::SRet { .. } => Var::Address(value),
            };
            self.vars.insert(param.id(), var);
        }
        Ok(())
    }

    /// Finds the labels of the function and the compound statements around each.
    fn find_labels_of_body(&mut self, body: Option<Body<'tu>>) {
        let mut path = Vec::new();
        match body {
            Some(Body::Plain(body)) => self.find_labels(body, &mut path),
            Some(Body::Try(tried)) => self.find_labels_of_try(tried, &mut path),
            Some(Body::Fault(..)) | None => {}
        }
    }

    fn find_labels_of_try(&mut self, s: &'tu crate::ast::Try<'tu>, path: &mut Vec<NodeId>) {
        self.find_labels(s.body, path);
        for handler in s.handlers {
            path.push(handler.id());
            self.find_labels(handler.body, path);
            path.pop();
        }
    }

    fn find_labels(&mut self, s: St<'tu>, path: &mut Vec<NodeId>) {
        match s.kind {
            StmtKind::Label { label, .. } => {
                let block = self.b.make_block();
                self.labels.insert(label, Label { block, path: path.clone(), cleanups: None });
            }
            StmtKind::Try(tried) => return self.find_labels_of_try(tried, path),
            _ => {}
        }
        let scope = matches!(s.kind, StmtKind::Compound(_) | StmtKind::For(_));
        if scope {
            path.push(s.id());
        }
        for part in s.parts() {
            self.find_labels(part, path);
        }
        if scope {
            path.pop();
        }
    }

    /// The block of a label. One inside a statement expression is met here first.
    pub fn label_block(&mut self, label: LabelId) -> Block {
        if let Some(known) = self.labels.get(&label) {
            return known.block;
        }
        let block = self.b.make_block();
        let path = self.path.iter().map(|(id, _)| *id).collect();
        self.labels.insert(label, Label { block, path, cleanups: None });
        block
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
        self.depth += 1;
        if self.depth > MAX_DEPTH {
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
        let certain = self.is_main && self.conditional == 0 && !self.escaped && !self.b.is_unreachable();
        if certain || fault.kind == FaultKind::Program {
            self.cx.faults.push(fault.clone());
        }
        let old = self.b.set_loc(fault.loc.or(self.b.loc()));
        let text = match fault.kind {
            FaultKind::Internal => format!("internal error: {}", fault.what),
            _ => fault.what,
        };
        let message = self.cx.module.message(text);
        self.b.trap(TrapCode::Unsupported(message));
        self.b.set_loc(old);
    }

    /// The slot of a local variable, alive until the scope ends.
    pub fn variable_slot(&mut self, name: &str, size: u64, align: u32, at: At<'_>) -> R<Slot> {
        let Ok(size) = u32::try_from(size) else {
            return self.unsupported("a local variable of 4 GiB or more", at);
        };
        let slot = self.b.slot(name, size, align.max(1));
        let fixed = self.has_labels || self.path.last().is_some_and(|(id, _)| self.jumped_into.contains(id));
        if !fixed {
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
        for init in std::mem::take(&mut self.dynamic) {
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
            let mut f = FnLower::new(self, function, init.decl);
            f.b.make_entry();
            if let Err(fault) = f.dynamic_init(init.global, init.decl) {
                f.cx.faults.push((*fault).clone());
                f.fault(*fault);
            }
            if !f.b.is_unreachable() {
                f.b.ret(None);
            }
            let function = f.b.finish();
            self.module.funcs[id] = function;
            self.initializers.push((init.decl, id));
        }
    }

    /// Variables are initialised in the order in which they are defined; one that only another's initialiser
    /// uses was met after it.
    pub(super) fn order_initializers(&mut self) {
        let mut all = std::mem::take(&mut self.initializers);
        all.sort_by(|(a, _), (b, _)| match (a.is_before(*b), b.is_before(*a)) {
            (true, false) => std::cmp::Ordering::Less,
            (false, true) => std::cmp::Ordering::Greater,
            _ => std::cmp::Ordering::Equal,
        });
        self.module.ctors.extend(all.into_iter().map(|(_, id)| id));
    }
}
