//! Whether what the threads of a kernel do hangs on data.
//!
//! A program is *data-oblivious* if the ways that it takes and the addresses that it accesses are the same whatever
//! memory holds. One run of a launch of such a kernel shows the accesses and barriers of every run of it: what was right
//! about them then is right for every content of memory. [`reasons`] lists what keeps a kernel from that, each with its
//! place; a kernel without a reason is oblivious.
//!
//! Values are followed forward from what brings data (loads, results of atomic operations, clocks, …), through
//! arithmetic, block parameters, shuffles, votes, calls and the thread's own memory, over all functions that the kernel may
//! reach. A thread's own memory is one place: what is loaded there comes of whatever was stored there. Which edge leads
//! to a block needs no following: a branch that hangs on data is a reason already. Arguments, indices and extents are no
//! data, nor is the launch's parameter memory: a launch fixes them. What is not understood is a reason.

use crate::entities::*;
use crate::finding::Span;
use crate::function::{Function, ParamAttr, Side, Texels, ValueDef};
use crate::inst::InstData;
use crate::module::{DEVICE_SUFFIX, Global, GlobalInit, Module, may_run};
use crate::ops::{BinaryOp, MemOrder, SpecialReg};
use crate::types::Space;
use cranelift_entity::SecondaryMap;
use rustc_hash::FxHashMap;

/// What brings a value that no launch fixes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Origin {
    /// A read of constant memory, which no thread writes.
    Constant,
    /// A load.
    Load,
    /// A read of a texture or surface.
    Texel,
    /// An atomic operation.
    Atomic,
    /// A read of a clock.
    Clock,
    /// Which lanes are active, or which multiprocessor runs the block.
    Schedule,
    /// A call that is not followed.
    Call,
}

impl Origin {
    fn words(self) -> &'static str {
        match self {
            Origin::Constant => "the constant memory read",
            Origin::Load => "the value loaded",
            Origin::Texel => "the texel read",
            Origin::Atomic => "the result of the atomic operation",
            Origin::Clock => "the clock read",
            Origin::Schedule => "the order of threads, asked for",
            Origin::Call => "the result of the call",
        }
    }
}

/// What brings a value, and where.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Source {
    /// What.
    pub origin: Origin,
    /// Where.
    pub loc: Option<Loc>,
}

/// What keeps a kernel from being oblivious.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Effect {
    /// A branch or a switch depends on data.
    Branch,
    /// The address of an access does, or an index whose range is checked.
    Address,
    /// How much is copied or filled does.
    Length,
    /// Which lanes take part in an operation of the warp does, or from which one reads.
    Mask,
    /// The size of an allocation does.
    Allocation,
    /// Whether a division is defined does.
    Divisor,
    /// What is called is not followed.
    Call,
    /// A kernel is launched.
    Launch,
    /// A volatile access: which of two conflicting ones is a race depends on what the values are for.
    Volatile,
    /// A fence or an ordered atomic operation, where there are strong accesses: they may order threads in one run and not
    /// in another.
    Order,
    /// A barrier of the cluster.
    Cluster,
    /// A barrier with a number.
    Numbered,
}

/// One of the reasons why a kernel is not oblivious.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Reason {
    /// What it is.
    pub effect: Effect,
    /// Where that is.
    pub loc: Option<Loc>,
    /// On what it depends, where it is that.
    pub source: Option<Source>,
}

impl Reason {
    /// Whether the kernel decides by what other threads may write, or may do so.
    pub fn decides(&self) -> bool {
        match self.effect {
            Effect::Divisor | Effect::Volatile | Effect::Order | Effect::Cluster | Effect::Numbered => false,
            Effect::Call | Effect::Launch => true,
            Effect::Branch | Effect::Address | Effect::Length | Effect::Mask | Effect::Allocation => {
                self.source.is_none_or(|s| s.origin != Origin::Constant)
            }
        }
    }

    /// The reason as a clause, which names the line of what it depends on.
    pub fn clause(&self, module: &Module) -> String {
        let what = match self.effect {
            Effect::Branch => "a branch",
            Effect::Address => "an address",
            Effect::Length => "the length of a copy",
            Effect::Mask => "which lanes take part",
            Effect::Allocation => "the size of an allocation",
            Effect::Divisor => "a divisor",
            Effect::Call => return "what is called here is not followed".to_owned(),
            Effect::Launch => return "a kernel is launched here".to_owned(),
            Effect::Volatile => {
                return "a volatile access may see one value or another".to_owned();
            }
            Effect::Order => return "the order of threads may come of this".to_owned(),
            Effect::Cluster => return "a barrier of a cluster is not followed".to_owned(),
            Effect::Numbered => return "a barrier with a number is not followed".to_owned(),
        };
        let Some(source) = self.source else { return format!("{what} is not followed") };
        let words = source.origin.words();
        let Some(loc) = source.loc else { return format!("{what} depends on {words}") };
        let at = Span::new(&module.source, loc, "");
        let here = self.loc.map(|loc| Span::new(&module.source, loc, "").file);
        if here.as_ref() == Some(&at.file) {
            format!("{what} depends on {words} at line {}", at.start.line)
        } else {
            format!("{what} depends on {words} at {}:{}", at.file, at.start.line)
        }
    }
}

/// Why the kernel is not data-oblivious: each reason once, in the order of the code; none where it is.
/// `is_pure` knows the native functions whose result is computed from their arguments and which do nothing else.
pub fn reasons(module: &Module, kernel: FuncId, is_pure: impl Fn(&Function) -> bool) -> Vec<Reason> {
    let mut functions = may_run(module, kernel);
    // What is done to texels, and that it is a barrier, the call tells.
    functions.retain(|&f| {
        let func = &module.funcs[f];
        !func.is_declaration() && func.attrs.texels.is_none() && func.attrs.barrier.is_none()
    });
    functions.sort_unstable();
    let mut walk = Walk {
        module,
        kernel,
        is_pure: &is_pure,
        values: FxHashMap::default(),
        returns: FxHashMap::default(),
        passed: Vec::new(),
        gives_away: functions.iter().any(|&f| gives_away(&module.funcs[f])),
        own: Taint::NONE,
        sources: Vec::new(),
        known: FxHashMap::default(),
        changed: true,
        found: None,
    };
    while std::mem::take(&mut walk.changed) {
        for &id in &functions {
            walk.function(id);
        }
    }
    walk.found = Some(Found::default());
    for &id in &functions {
        walk.function(id);
    }
    let Found { mut reasons, orders, strong } = walk.found.unwrap_or_default();
    if strong {
        reasons.extend(orders);
    }
    let mut told = Vec::new();
    reasons.retain(|r| {
        let new = !told.contains(r);
        if new {
            told.push(*r);
        }
        new
    });
    reasons
}

/// What a value comes of: a number of [`Walk::sources`] and one more, or 0 for what a launch fixes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Taint(u32);

impl Taint {
    const NONE: Taint = Taint(0);
}

/// What the last walk finds.
#[derive(Debug, Default)]
struct Found {
    reasons: Vec<Reason>,
    /// What orders strong accesses, if there are any.
    orders: Vec<Reason>,
    strong: bool,
}

struct Walk<'m> {
    module: &'m Module,
    kernel: FuncId,
    is_pure: &'m dyn Fn(&Function) -> bool,
    values: FxHashMap<FuncId, SecondaryMap<Value, Taint>>,
    returns: FxHashMap<FuncId, Taint>,
    /// Arguments that the function which is looked at passes to itself.
    passed: Vec<(Value, Taint)>,
    /// Pointers that may be to any memory may be to a thread's own.
    gives_away: bool,
    /// What stands in the memory of the threads' own.
    own: Taint,
    sources: Vec<Source>,
    /// The sources that instructions are.
    known: FxHashMap<(FuncId, Inst), Taint>,
    changed: bool,
    /// Once nothing changes any more.
    found: Option<Found>,
}

/// Whether a function makes a pointer to a thread's own memory one that may be to any memory.
fn gives_away(func: &Function) -> bool {
    let is_own = |v: Value| func.value_type(v).space() == Some(Space::Local);
    func.layout.iter().flat_map(|&b| func.block_insts(b)).any(|&inst| match func.insts[inst] {
        InstData::Cast { arg, .. } => is_own(arg) && !func.result(inst).is_some_and(is_own),
        InstData::Store { value, .. }
        | InstData::AtomicStore { value, .. }
        | InstData::AtomicRmw { value, .. } => is_own(value),
        InstData::AtomicCas { expected, new, .. } => is_own(expected) || is_own(new),
        InstData::Shfl { value, .. } => is_own(value),
        _ => false,
    })
}

impl Walk<'_> {
    /// What comes of two values: the first that threads may write, else of constant memory.
    fn join(&self, a: Taint, b: Taint) -> Taint {
        let is_constant = |t: Taint| self.sources[t.0 as usize - 1].origin == Origin::Constant;
        match (a, b) {
            (Taint::NONE, other) | (other, Taint::NONE) => other,
            (a, b) if is_constant(a) && !is_constant(b) => b,
            (a, _) => a,
        }
    }

    fn source(&mut self, id: FuncId, inst: Inst, origin: Origin) -> Taint {
        if let Some(&known) = self.known.get(&(id, inst)) {
            return known;
        }
        let loc = self.module.funcs[id].locs[inst].expand();
        self.sources.push(Source { origin, loc });
        let taint = Taint(self.sources.len() as u32);
        self.known.insert((id, inst), taint);
        taint
    }

    fn keep(&mut self, space: Option<Space>, taint: Taint) {
        let may_be_own = match space {
            Some(Space::Local) => true,
            Some(Space::Global | Space::Shared | Space::Managed | Space::Const | Space::Code) => false,
            Some(Space::Generic | Space::Host) | None => self.gives_away,
        };
        if may_be_own {
            let new = self.join(self.own, taint);
            self.changed |= new != self.own;
            self.own = new;
        }
    }

    fn add(&mut self, effect: Effect, loc: Option<Loc>, taint: Taint) {
        let source = taint.0.checked_sub(1).map(|n| self.sources[n as usize]);
        if let Some(found) = &mut self.found {
            let reason = Reason { effect, loc, source };
            if effect == Effect::Order {
                found.orders.push(reason);
            } else {
                found.reasons.push(reason);
            }
        }
    }

    /// Takes up a reason where a value is data.
    fn depends(&mut self, effect: Effect, loc: Option<Loc>, taint: Taint) {
        if taint != Taint::NONE {
            self.add(effect, loc, taint);
        }
    }

    /// An access to memory that threads share is strong: volatile or atomic.
    fn strong(&mut self) {
        if let Some(found) = &mut self.found {
            found.strong = true;
        }
    }

    fn function(&mut self, id: FuncId) {
        let module = self.module;
        let func = &module.funcs[id];
        let mut values = self.values.remove(&id).unwrap_or_default();
        for &inst in func.layout.iter().flat_map(|&b| func.block_insts(b)) {
            let out = self.inst(id, func, inst, &values);
            for &result in func.inst_results(inst) {
                self.set(&mut values, result, out);
            }
            func.for_each_target(inst, |call| {
                let (params, args) = (func.block_params(call.block), call.args.as_slice(&func.pool));
                // A result that a call hands to its block comes first.
                let skipped = params.len().saturating_sub(args.len());
                for (n, &param) in params.iter().enumerate() {
                    let from = n.checked_sub(skipped).map_or(out, |n| values[args[n]]);
                    self.set(&mut values, param, from);
                }
            });
        }
        // A function that calls itself has got arguments meanwhile.
        for (param, taint) in std::mem::take(&mut self.passed) {
            self.set(&mut values, param, taint);
        }
        self.values.insert(id, values);
    }

    fn set(&mut self, values: &mut SecondaryMap<Value, Taint>, value: Value, taint: Taint) {
        let new = self.join(values[value], taint);
        if new != values[value] {
            values[value] = new;
            self.changed = true;
        }
    }

    /// What the result of an instruction comes of.
    fn inst(
        &mut self,
        id: FuncId,
        func: &Function,
        inst: Inst,
        values: &SecondaryMap<Value, Taint>,
    ) -> Taint {
        use InstData::*;
        let loc = func.locs[inst].expand();
        let mut all = Taint::NONE;
        func.for_each_arg(inst, |v| all = self.join(all, values[v]));
        let space = |ptr: Value| func.value_type(ptr).space();
        match func.insts[inst] {
            Const { .. } | GlobalAddr { .. } | FuncAddr { .. } | SlotAddr { .. } => Taint::NONE,
            Count { .. } | Lifetime { .. } | Jump { .. } | Resume { .. } | Trap { .. } => Taint::NONE,
            Special { reg } => match reg {
                SpecialReg::Clock | SpecialReg::Globaltimer => self.source(id, inst, Origin::Clock),
                SpecialReg::Smid => self.source(id, inst, Origin::Schedule),
                _ => Taint::NONE,
            },
            Binary { op, args, .. } => {
                if matches!(op, BinaryOp::Sdiv | BinaryOp::Udiv | BinaryOp::Srem | BinaryOp::Urem)
                    && func.const_bits(args[1]).is_none_or(|bits| bits == 0)
                {
                    self.depends(Effect::Divisor, loc, values[args[1]]);
                }
                all
            }
            Unary { .. } | Cast { .. } | Icmp { .. } | Fcmp { .. } | Ternary { .. } => all,
            PtrAdd { .. } | PtrDiff { .. } => all,
            Load { ptr, flags, .. } => {
                self.depends(Effect::Address, loc, values[ptr]);
                if flags.volatile && !matches!(space(ptr), Some(Space::Local | Space::Const)) {
                    self.strong();
                    self.add(Effect::Volatile, loc, Taint::NONE);
                }
                let content = self.content(id, func, inst, ptr);
                self.join(values[ptr], content)
            }
            Store { ptr, value, flags, .. } => {
                self.depends(Effect::Address, loc, values[ptr]);
                if flags.volatile && space(ptr) != Some(Space::Local) {
                    self.strong();
                    self.add(Effect::Volatile, loc, Taint::NONE);
                }
                self.keep(space(ptr), values[value]);
                Taint::NONE
            }
            MemCopy { dst, src, len, flags, .. } => {
                self.depends(Effect::Address, loc, self.join(values[dst], values[src]));
                self.depends(Effect::Length, loc, values[len]);
                if flags.volatile {
                    self.strong();
                    self.add(Effect::Volatile, loc, Taint::NONE);
                }
                let content = self.content(id, func, inst, src);
                self.keep(space(dst), content);
                Taint::NONE
            }
            MemFill { dst, byte, len, flags, .. } => {
                self.depends(Effect::Address, loc, values[dst]);
                self.depends(Effect::Length, loc, values[len]);
                if flags.volatile {
                    self.strong();
                    self.add(Effect::Volatile, loc, Taint::NONE);
                }
                self.keep(space(dst), values[byte]);
                Taint::NONE
            }
            Bounds { .. } => {
                self.depends(Effect::Address, loc, all);
                Taint::NONE
            }
            Alloca { size, .. } => {
                self.depends(Effect::Allocation, loc, values[size]);
                Taint::NONE
            }
            AtomicLoad { ptr, order, .. } | AtomicStore { ptr, order, .. } => {
                self.atomic(id, func, inst, ptr, (order, all), values)
            }
            AtomicRmw { ptr, order, .. } | AtomicCas { ptr, order, .. } => {
                self.atomic(id, func, inst, ptr, (order, all), values)
            }
            Fence { .. } => {
                self.add(Effect::Order, loc, Taint::NONE);
                Taint::NONE
            }
            Barrier { kind, .. } => {
                if kind.is_cluster() {
                    self.add(Effect::Cluster, loc, Taint::NONE);
                }
                all
            }
            WarpSync { mask, .. } => {
                self.depends(Effect::Mask, loc, values[mask]);
                Taint::NONE
            }
            Shfl { mask, lane, width, .. } => {
                let who = [mask, lane, width].iter().fold(Taint::NONE, |t, &v| self.join(t, values[v]));
                self.depends(Effect::Mask, loc, who);
                all
            }
            Vote { mask, .. } | Match { mask, .. } | Reduce { mask, .. } => {
                self.depends(Effect::Mask, loc, values[mask]);
                all
            }
            ActiveMask { .. } => self.source(id, inst, Origin::Schedule),
            Call { func: callee, ref args, .. } => {
                let args = args.as_slice(&func.pool);
                self.call((id, func, inst), callee, args, (all, values))
            }
            CallIndirect { .. } | Invoke { .. } | InvokeIndirect { .. } | Va { .. } | VaArg { .. } => {
                self.add(Effect::Call, loc, Taint::NONE);
                self.source(id, inst, Origin::Call)
            }
            Launch { .. } | LaunchIndirect { .. } => {
                self.add(Effect::Launch, loc, Taint::NONE);
                self.source(id, inst, Origin::Call)
            }
            Branch { cond, .. } => {
                self.depends(Effect::Branch, loc, values[cond]);
                Taint::NONE
            }
            Switch { arg, .. } => {
                self.depends(Effect::Branch, loc, values[arg]);
                Taint::NONE
            }
            Return { .. } => {
                let old = self.returns.get(&id).copied().unwrap_or_default();
                let new = self.join(old, all);
                self.changed |= new != old;
                self.returns.insert(id, new);
                Taint::NONE
            }
        }
    }

    /// An atomic access.
    fn atomic(
        &mut self,
        id: FuncId,
        func: &Function,
        inst: Inst,
        ptr: Value,
        (order, all): (MemOrder, Taint),
        values: &SecondaryMap<Value, Taint>,
    ) -> Taint {
        let loc = func.locs[inst].expand();
        self.depends(Effect::Address, loc, values[ptr]);
        self.strong();
        if order != MemOrder::Relaxed {
            self.add(Effect::Order, loc, Taint::NONE);
        }
        self.keep(func.value_type(ptr).space(), all);
        self.source(id, inst, Origin::Atomic)
    }

    /// What lies where a pointer points.
    fn content(&mut self, id: FuncId, func: &Function, inst: Inst, ptr: Value) -> Taint {
        match func.value_type(ptr).space() {
            Some(Space::Local) => self.own,
            Some(Space::Const) if self.is_parameter(id, func, ptr) => Taint::NONE,
            Some(Space::Const) if literal(self.module, func, ptr).is_some() => Taint::NONE,
            Some(Space::Const) => self.source(id, inst, Origin::Constant),
            _ => self.source(id, inst, Origin::Load),
        }
    }

    /// Whether a pointer is into an aggregate that the launch passes.
    fn is_parameter(&self, id: FuncId, func: &Function, ptr: Value) -> bool {
        match func.values[func.pointer_start(ptr).0].def {
            ValueDef::Param(block, n) => {
                let attr = func.sig.params.get(n as usize).map(|p| p.attr);
                id == self.kernel
                    && func.side == Side::Kernel
                    && func.entry() == Some(block)
                    && matches!(attr, Some(ParamAttr::ByVal { .. }))
            }
            ValueDef::Result(..) => false,
        }
    }

    fn call(
        &mut self,
        (id, func, inst): (FuncId, &Function, Inst),
        callee: FuncId,
        args: &[Value],
        (all, values): (Taint, &SecondaryMap<Value, Taint>),
    ) -> Taint {
        let module = self.module;
        let target = &module.funcs[callee];
        let loc = func.locs[inst].expand();
        // The description of the object is the launch's. With its coordinates it tells which texels are touched.
        if let (Some(_), Some(object)) = (target.attrs.texels, Texels::object(&target.sig)) {
            let place = args[object..].iter().fold(Taint::NONE, |t, &v| self.join(t, values[v]));
            self.depends(Effect::Address, loc, place);
            let texel = self.source(id, inst, Origin::Texel);
            self.keep(Some(Space::Local), texel);
            return texel;
        }
        if target.attrs.barrier.is_some() {
            self.add(Effect::Numbered, loc, Taint::NONE);
            return Taint::NONE;
        }
        if let Some(entry) = target.entry() {
            let params = target.block_params(entry).iter().zip(args).map(|(&p, &a)| (p, values[a]));
            if callee == id {
                self.passed.extend(params);
            } else {
                let mut passed = self.values.remove(&callee).unwrap_or_default();
                for (param, taint) in params {
                    self.set(&mut passed, param, taint);
                }
                self.values.insert(callee, passed);
            }
            return self.returns.get(&callee).copied().unwrap_or_default();
        }
        match target.name.strip_suffix(DEVICE_SUFFIX).unwrap_or(&target.name) {
            _ if (self.is_pure)(target) => all,
            // Reached only where a condition is false, which a branch has decided; a finding then.
            "__assert_fail" | "__assertfail" | "__cudair_assume_fail" | "__cudair_pause" => Taint::NONE,
            "printf" if args.first().is_some_and(|&f| self.prints_values(func, f)) => {
                self.source(id, inst, Origin::Call)
            }
            _ => {
                self.add(Effect::Call, loc, Taint::NONE);
                self.source(id, inst, Origin::Call)
            }
        }
    }

    /// Whether a format is a literal that makes `printf` follow no pointer.
    fn prints_values(&self, func: &Function, format: Value) -> bool {
        let Some(bytes) = literal(self.module, func, format) else { return false };
        let mut rest = bytes.iter();
        while rest.any(|&b| b == b'%') {
            // Flags, width, precision and length stand before the letter.
            let letter = rest.find(|b| !b"-+ #0123456789.*hlLqjzt".contains(b));
            if letter.is_none_or(|b| b"sSn".contains(b)) {
                return false;
            }
        }
        true
    }
}

/// The bytes of the literal that a pointer is into: a constant without a name by which the host could write it.
fn literal<'m>(module: &'m Module, func: &Function, ptr: Value) -> Option<&'m [u8]> {
    let InstData::GlobalAddr { global } = func.insts[func.def_inst(func.pointer_start(ptr).0)?] else {
        return None;
    };
    match &module.globals[global] {
        Global { constant: true, init: GlobalInit::Data { bytes, .. }, loc, .. } if loc.is_none() => {
            Some(bytes)
        }
        _ => None,
    }
}
