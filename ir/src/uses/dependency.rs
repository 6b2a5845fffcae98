//! What a branch or an address may depend on.
//!
//! A thread that reads a flag and goes on only if it is set has a *control dependency* on the read, one that
//! reads an index and accesses an element there an *address dependency* (memory models know data dependencies
//! besides). Without either, every access of the launch is made at the same place whatever the value is, so
//! that the value says nothing of what has been done.
//!
//! This goes backward from conditions, addresses and everything of which nothing is known, through arithmetic,
//! block parameters, calls and memory, over all functions that a kernel may reach. Memory is told apart by
//! where pointers begin ([`Root`]), so that a value stored where nothing is loaded for a decision ends there.

use super::slot_of;
use crate::entities::*;
use crate::function::{Function, ParamAttr, Side, ValueDef};
use crate::inst::InstData;
use crate::module::{GlobalInit, Module, RelocTarget, address_taken, may_run};
use crate::ops::TernaryOp;
use crate::types::Space;
use rustc_hash::{FxHashMap, FxHashSet};

/// Where a pointer begins.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Root {
    /// A local variable whose address goes nowhere.
    Slot(FuncId, Slot),
    /// A variable of static storage duration.
    Global(GlobalId),
    /// What the host passes to a kernel: no shared or local memory.
    Passed,
    /// The launch's parameter memory, which nobody writes.
    Parameter,
    Unknown,
}

/// The values of a kernel and its callees on which a branch or an address may depend.
#[derive(Debug)]
pub(super) struct Dependencies {
    marked: FxHashSet<(FuncId, Value)>,
}

impl Dependencies {
    pub(super) fn of(module: &Module, kernel: FuncId) -> Dependencies {
        let mut walk = Walk::new(module);
        let functions = may_run(module, kernel);
        for &id in &functions {
            walk.note_function(id);
        }
        for &id in &functions {
            walk.enter(id);
        }
        walk.finish();
        Dependencies { marked: walk.marked }
    }

    /// Whether a branch or an address may depend on a value.
    pub(super) fn has(&self, func: FuncId, value: Value) -> bool {
        self.marked.contains(&(func, value))
    }
}

struct Walk<'m> {
    module: &'m Module,
    /// Local variables whose address is used for more than accesses.
    escaped: FxHashSet<(FuncId, Slot)>,
    /// The values that are stored in each such variable as a whole; `None` where others are written there, too.
    kept: FxHashMap<(FuncId, Slot), Option<Vec<Value>>>,
    marked: FxHashSet<(FuncId, Value)>,
    work: Vec<(FuncId, Value)>,
    memory: FxHashSet<Root>,
    /// What is stored, by where.
    stores: FxHashMap<Root, Vec<(FuncId, Value)>>,
    /// From where memory is copied, by where to.
    copies: FxHashMap<Root, Vec<Root>>,
    /// The arguments that direct calls pass.
    calls: FxHashMap<FuncId, Vec<(FuncId, Inst)>>,
    /// The values that block parameters get.
    incoming: FxHashMap<(FuncId, Value), Vec<Value>>,
    /// What a call through a pointer may reach.
    address_taken: Vec<FuncId>,
    /// Variables of static storage duration whose address is used for more than accesses, by the host or here.
    exposed: FxHashSet<GlobalId>,
}

impl<'m> Walk<'m> {
    fn new(module: &'m Module) -> Walk<'m> {
        Walk {
            module,
            escaped: FxHashSet::default(),
            kept: FxHashMap::default(),
            marked: FxHashSet::default(),
            work: Vec::new(),
            memory: FxHashSet::default(),
            stores: FxHashMap::default(),
            copies: FxHashMap::default(),
            calls: FxHashMap::default(),
            incoming: FxHashMap::default(),
            address_taken: address_taken(module),
            exposed: named_elsewhere(module),
        }
    }

    fn mark(&mut self, func: FuncId, value: Value) {
        if self.marked.insert((func, value)) {
            self.work.push((func, value));
        }
    }

    fn mark_all(&mut self, id: FuncId, f: &Function, inst: Inst) {
        f.for_each_arg(inst, |v| self.mark(id, v));
    }

    /// Takes up what a function does with local variables, and what it passes to blocks.
    fn note_function(&mut self, id: FuncId) {
        let f = &self.module.funcs[id];
        for &inst in f.layout.iter().flat_map(|&b| f.block_insts(b)) {
            self.note(id, f, inst);
        }
    }

    /// Takes up what a function stores, and marks what it decides by.
    fn enter(&mut self, id: FuncId) {
        let f = &self.module.funcs[id];
        use InstData::*;
        for &inst in f.layout.iter().flat_map(|&b| f.block_insts(b)) {
            self.expose(id, f, inst);
            match f.insts[inst] {
                Unary { .. } | Cast { .. } | Binary { .. } | Icmp { .. } | Fcmp { .. } => {}
                PtrAdd { .. } | PtrDiff { .. } | Barrier { .. } | Jump { .. } | Return { .. } => {}
                Ternary { op, args } => {
                    if op == TernaryOp::Select {
                        self.mark(id, args[0]);
                    }
                }
                Load { ptr, .. } | AtomicLoad { ptr, .. } => self.mark(id, ptr),
                Store { value, ptr, .. } | AtomicStore { value, ptr, .. } | AtomicRmw { value, ptr, .. } => {
                    self.mark(id, ptr);
                    self.store(id, f, ptr, value);
                }
                AtomicCas { ptr, expected, new, .. } => {
                    self.mark(id, ptr);
                    self.mark(id, expected);
                    self.store(id, f, ptr, new);
                }
                MemCopy { dst, src, len, .. } => {
                    for v in [dst, src, len] {
                        self.mark(id, v);
                    }
                    let (to, from) = (self.root(id, f, dst), self.root(id, f, src));
                    self.copies.entry(to).or_default().push(from);
                }
                MemFill { dst, byte, len, .. } => {
                    self.mark(id, dst);
                    self.mark(id, len);
                    self.store(id, f, dst, byte);
                }
                Shfl { mask, lane, width, .. } => {
                    for v in [mask, lane, width] {
                        self.mark(id, v);
                    }
                }
                Vote { mask, .. } | Match { mask, .. } | Reduce { mask, .. } => self.mark(id, mask),
                Branch { cond, .. } => self.mark(id, cond),
                Switch { arg, .. } => self.mark(id, arg),
                Call { func, .. } if !self.module.funcs[func].is_declaration() => {
                    self.calls.entry(func).or_default().push((id, inst));
                }
                // Of these nothing is known.
                _ => self.mark_all(id, f, inst),
            }
        }
    }

    fn store(&mut self, id: FuncId, f: &Function, ptr: Value, value: Value) {
        let root = self.root(id, f, ptr);
        self.stores.entry(root).or_default().push((id, value));
    }

    /// What an instruction does with local variables, and what it passes to blocks.
    fn note(&mut self, id: FuncId, f: &Function, inst: Inst) {
        use InstData::*;
        f.for_each_target(inst, |call| {
            let args = call.args.as_slice(&f.pool);
            for (&arg, &param) in args.iter().zip(f.block_params(call.block)) {
                self.incoming.entry((id, param)).or_default().push(arg);
            }
        });
        let mut escapes = |v: Value| {
            if let Some(slot) = slot_of(f, v) {
                self.escaped.insert((id, slot));
            }
        };
        let (to, stored) = match f.insts[inst] {
            Load { .. } | PtrAdd { .. } | Lifetime { .. } => return,
            MemCopy { dst, .. } => (dst, None),
            MemFill { dst, .. } => (dst, None),
            Store { value, ptr, .. } => {
                escapes(value);
                (ptr, Some(value))
            }
            _ => return f.for_each_arg(inst, &mut escapes),
        };
        if let Some(slot) = slot_of(f, to) {
            let whole = f.def_inst(to).is_some_and(|i| matches!(f.insts[i], SlotAddr { .. }));
            let kept = self.kept.entry((id, slot)).or_insert_with(|| Some(Vec::new()));
            match (stored.filter(|_| whole), kept.as_mut()) {
                (Some(value), Some(all)) => all.push(value),
                _ => *kept = None,
            }
        }
    }

    /// Exposes the variables whose addresses an instruction uses for more than accesses.
    fn expose(&mut self, id: FuncId, f: &Function, inst: Inst) {
        use InstData::*;
        let mut out: Vec<(Value, Option<Root>)> = Vec::new();
        let mut goes = |v: Value| out.push((v, None));
        let whole = |ptr: Value| match f.def_inst(ptr).map(|i| &f.insts[i]) {
            Some(&SlotAddr { slot }) => Some(slot),
            _ => None,
        };
        let kept = |slot: Slot| self.kept.get(&(id, slot)).and_then(Option::as_ref);
        match f.insts[inst] {
            // Pointers that are read in other ways than one by one are not followed.
            Load { ty, ptr, .. } if ty.is_ptr() && whole(ptr).is_some() => {}
            Load { ptr: src, .. } | MemCopy { src, .. } => {
                slot_of(f, src).and_then(kept).into_iter().flatten().copied().for_each(goes);
            }
            AtomicLoad { .. } | PtrAdd { .. } | PtrDiff { .. } => {}
            Icmp { .. } => {}
            Cast { arg, .. } if f.result(inst).is_some_and(|v| f.value_type(v).is_ptr()) => {
                if !f.value_type(arg).is_ptr() {
                    goes(arg);
                }
            }
            AtomicStore { value, .. } | AtomicRmw { value, .. } => goes(value),
            AtomicCas { expected, new, .. } => [expected, new].into_iter().for_each(goes),
            MemFill { byte, len, .. } => [byte, len].into_iter().for_each(goes),
            // In a variable that is followed the address stays what it is, unless the variable has others, too.
            Store { value, ptr, .. } => match whole(ptr) {
                Some(slot) if !self.escaped.contains(&(id, slot)) => {
                    let root = kept(slot).and_then(|all| self.common(id, f, all, &mut FxHashSet::default()));
                    out.push((value, root));
                }
                _ => goes(value),
            },
            _ => f.for_each_arg(inst, &mut goes),
        }
        f.for_each_target(inst, |call| {
            let args = call.args.as_slice(&f.pool);
            for (&arg, &param) in args.iter().zip(f.block_params(call.block)) {
                out.retain(|o| o.0 != arg || o.1.is_some());
                out.push((arg, Some(self.root(id, f, param))));
            }
        });
        for (value, becomes) in out {
            if f.value_type(value).is_ptr()
                && let Root::Global(global) = self.root(id, f, value)
                && becomes != Some(Root::Global(global))
            {
                self.exposed.insert(global);
            }
        }
    }

    /// Where a pointer begins.
    fn root(&self, id: FuncId, f: &Function, ptr: Value) -> Root {
        self.root_within(id, f, ptr, &mut FxHashSet::default()).unwrap_or(Root::Unknown)
    }

    /// The same, but for what goes around a loop of those that were `seen`.
    fn root_within(
        &self,
        id: FuncId,
        f: &Function,
        mut ptr: Value,
        seen: &mut FxHashSet<Value>,
    ) -> Option<Root> {
        loop {
            if !seen.insert(ptr) {
                return None;
            }
            let inst = match f.values[ptr].def {
                ValueDef::Result(inst, _) => inst,
                ValueDef::Param(block, n) if f.entry() == Some(block) => {
                    return Some(match f.sig.params.get(n as usize).map(|p| p.attr) {
                        Some(ParamAttr::None) if f.side == Side::Kernel => Root::Passed,
                        Some(ParamAttr::ByVal { .. }) if f.side == Side::Kernel => Root::Parameter,
                        _ => Root::Unknown,
                    });
                }
                ValueDef::Param(..) => {
                    let all = self.incoming.get(&(id, ptr))?;
                    return self.common(id, f, all, seen);
                }
            };
            match f.insts[inst] {
                InstData::PtrAdd { ptr: base, .. } => ptr = base,
                InstData::Cast { arg, .. } if f.value_type(arg).is_ptr() => ptr = arg,
                InstData::GlobalAddr { global } => return Some(Root::Global(global)),
                InstData::SlotAddr { slot } if !self.escaped.contains(&(id, slot)) => {
                    return Some(Root::Slot(id, slot));
                }
                // A pointer in a variable of its own, as parameters are.
                InstData::Load { ptr: from, .. } => {
                    let from = f.def_inst(from).map(|i| &f.insts[i]);
                    let Some(&InstData::SlotAddr { slot }) = from else { return Some(Root::Unknown) };
                    if self.escaped.contains(&(id, slot)) {
                        return Some(Root::Unknown);
                    }
                    return match self.kept.get(&(id, slot)) {
                        Some(Some(all)) => self.common(id, f, all, seen),
                        _ => Some(Root::Unknown),
                    };
                }
                _ => return Some(Root::Unknown),
            }
        }
    }

    /// Where each of several pointers begins.
    fn common(&self, id: FuncId, f: &Function, all: &[Value], seen: &mut FxHashSet<Value>) -> Option<Root> {
        let mut roots = all.iter().filter_map(|&v| self.root_within(id, f, v, seen));
        let first = roots.next()?;
        Some(if roots.all(|r| r == first) { first } else { Root::Unknown })
    }

    fn may_alias(&self, a: Root, b: Root) -> bool {
        let is_own = |g: GlobalId| self.module.globals[g].space == Space::Shared;
        match (a, b) {
            (Root::Parameter, _) | (_, Root::Parameter) => false,
            (Root::Slot(..), _) | (_, Root::Slot(..)) => a == b,
            (Root::Global(a), Root::Global(b)) => a == b,
            (Root::Global(g), Root::Passed) | (Root::Passed, Root::Global(g)) => {
                self.exposed.contains(&g) && !is_own(g)
            }
            (Root::Global(g), Root::Unknown) | (Root::Unknown, Root::Global(g)) => self.exposed.contains(&g),
            _ => true,
        }
    }

    /// Something is decided by what lies there.
    fn mark_memory(&mut self, root: Root) {
        if !self.memory.insert(root) {
            return;
        }
        let stored: Vec<_> = self.stores.keys().copied().filter(|&r| self.may_alias(r, root)).collect();
        for (func, value) in stored.iter().flat_map(|r| self.stores[r].clone()).collect::<Vec<_>>() {
            self.mark(func, value);
        }
        let copied: Vec<_> = self.copies.keys().copied().filter(|&r| self.may_alias(r, root)).collect();
        for from in copied.iter().flat_map(|r| self.copies[r].clone()).collect::<Vec<_>>() {
            self.mark_memory(from);
        }
    }

    /// Marks what the marked values depend on.
    fn finish(&mut self) {
        while let Some((id, value)) = self.work.pop() {
            let f = &self.module.funcs[id];
            match f.values[value].def {
                ValueDef::Param(block, n) if f.entry() == Some(block) => {
                    // A function that nobody calls gets its arguments from the launch.
                    for (caller, call) in self.calls.get(&id).cloned().unwrap_or_default() {
                        let from = &self.module.funcs[caller];
                        if let InstData::Call { args, .. } = &from.insts[call]
                            && let Some(&arg) = args.as_slice(&from.pool).get(n as usize)
                        {
                            self.mark(caller, arg);
                        }
                    }
                }
                ValueDef::Param(..) => {
                    // Without an entry no edge of this function brings a value.
                    for arg in self.incoming.get(&(id, value)).cloned().unwrap_or_default() {
                        self.mark(id, arg);
                    }
                }
                ValueDef::Result(inst, _) => self.mark_operands(id, f, inst),
            }
        }
    }

    /// Marks what the result of an instruction depends on.
    fn mark_operands(&mut self, id: FuncId, f: &'m Function, inst: Inst) {
        use InstData::*;
        match f.insts[inst] {
            Load { ptr, .. } | AtomicLoad { ptr, .. } | AtomicRmw { ptr, .. } | AtomicCas { ptr, .. } => {
                let root = self.root(id, f, ptr);
                self.mark_memory(root);
            }
            Call { func, .. } if !self.module.funcs[func].is_declaration() => self.mark_returns(func),
            CallIndirect { .. } => {
                for func in self.address_taken.clone() {
                    self.mark_returns(func);
                }
            }
            _ => self.mark_all(id, f, inst),
        }
    }

    fn mark_returns(&mut self, func: FuncId) {
        let f = &self.module.funcs[func];
        for &block in &f.layout {
            if let Some(end) = f.terminator(block)
                && matches!(f.insts[end], InstData::Return { .. })
            {
                self.mark_all(func, f, end);
            }
        }
    }
}

/// The variables that host code or initialisers name: their addresses may be anywhere.
fn named_elsewhere(module: &Module) -> FxHashSet<GlobalId> {
    let mut out = FxHashSet::default();
    for f in module.funcs.values().filter(|f| !f.side.on_device()) {
        for &inst in f.layout.iter().flat_map(|&b| f.block_insts(b)) {
            if let InstData::GlobalAddr { global } = f.insts[inst] {
                out.insert(global);
            }
        }
    }
    for global in module.globals.values() {
        if let GlobalInit::Data { relocs, .. } = &global.init {
            out.extend(relocs.iter().filter_map(|r| match r.target {
                RelocTarget::Global(g) => Some(g),
                RelocTarget::Func(_) => None,
            }));
        }
    }
    out
}
