//! What a loaded value is used for.
//!
//! The memory model says of a relaxed or volatile access that it orders nothing. Whether a program may
//! make one without an order depends on what it does with the value: a thread that only decides by it, or
//! repeats the read until it likes the value, is prepared for an old one; a thread that computes with it is
//! not. This follows a value forward from the instruction that loads it, through arithmetic, conversions,
//! votes and shuffles, local variables whose address goes nowhere, calls and returns, to its *sinks*.
//!
//! It is flow-insensitive but for one question ([`poll`]): a read that its own value repeats may use its
//! last value as data.

mod dependency;
mod poll;

use crate::entities::*;
use crate::function::{Function, ValueDef};
use crate::inst::{BlockCall, InstData};
use crate::module::{Module, address_taken};
use crate::ops::TernaryOp;
use cranelift_entity::SecondaryMap;
use cranelift_entity::packed_option::ReservedValue;
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;
use std::sync::Arc;

/// What becomes of a value that an instruction reads from memory.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LoadUse {
    /// It reaches something other than a branch's condition, or is used as such only after the read was
    /// repeated until the value was accepted. Stores to the address that was read, and compare-and-swaps there,
    /// are told apart below.
    pub data: bool,
    /// A branch, a switch or a `select` decides by it.
    pub decides: bool,
    /// A branch that decides by it leads back to the read: the thread waits for a value.
    pub waits: bool,
    /// It reaches a value stored to the address that was read.
    pub updates: bool,
    /// It reaches the comparand or the new value of a compare-and-swap at the address that was read.
    pub guesses: bool,
    /// The sites of stores whose stored value depends on it, wherever they store.
    pub feeds: Vec<(FuncId, Site)>,
}

impl LoadUse {
    /// Nothing depends on the value.
    pub fn is_unused(&self) -> bool {
        !(self.data || self.decides || self.updates || self.guesses)
    }

    /// The value is a first guess for a compare-and-swap that finds out whether it was right: it decides
    /// branches and goes into the operation, and nowhere else.
    pub fn is_guess(&self) -> bool {
        self.guesses && !self.data && !self.updates
    }

    /// What is taken for a value of which nothing is known.
    pub fn unknown() -> LoadUse {
        LoadUse { data: true, decides: true, ..LoadUse::default() }
    }

    fn join(&mut self, other: &LoadUse) {
        self.data |= other.data;
        self.decides |= other.decides;
        self.waits |= other.waits;
        self.updates |= other.updates;
        self.guesses |= other.guesses;
        for feed in &other.feeds {
            if !self.feeds.contains(feed) {
                self.feeds.push(*feed);
            }
        }
    }
}

/// Calls that a value is followed through, one inside the other.
const DEPTH: u32 = 8;

/// What is worked out of one function.
#[derive(Debug)]
struct FuncUses {
    users: SecondaryMap<Value, SmallVec<[Inst; 4]>>,
    block_of: SecondaryMap<Inst, Block>,
    /// Of each local variable that only loads, stores and copies name: the values loaded from it.
    slots: SecondaryMap<Slot, Option<Vec<Value>>>,
    /// The instruction of each site.
    sites: FxHashMap<Site, Inst>,
    cfg: crate::Cfg,
}

/// The uses of what a module's functions load, worked out where they are asked for.
#[derive(Debug)]
pub struct Uses {
    module: Arc<Module>,
    funcs: FxHashMap<FuncId, Arc<FuncUses>>,
    loads: FxHashMap<(FuncId, Site), Arc<LoadUse>>,
    params: FxHashMap<(FuncId, usize), Arc<Flow>>,
    /// The device functions that calls through pointers may reach, once asked for.
    address_taken: Option<Vec<FuncId>>,
    /// Who calls each function directly, once asked for.
    callers: Option<FxHashMap<FuncId, Vec<(FuncId, Inst)>>>,
    /// What the branches and addresses of kernels depend on.
    dependencies: FxHashMap<FuncId, dependency::Dependencies>,
}

/// Where a value goes within a function and its callees.
#[derive(Clone, Debug, Default)]
struct Flow {
    /// What its sinks add up to, but for those in `data`.
    found: LoadUse,
    /// Instructions of the function that use it as data.
    data: Vec<Inst>,
    /// Instructions of the function that decide by it and end a block.
    branches: Vec<Inst>,
    /// The function returns what depends on it, at these instructions.
    returns: Vec<Inst>,
}

impl Uses {
    /// Of a module, so far unasked.
    pub fn new(module: Arc<Module>) -> Uses {
        Uses {
            module,
            funcs: FxHashMap::default(),
            loads: FxHashMap::default(),
            params: FxHashMap::default(),
            address_taken: None,
            callers: None,
            dependencies: FxHashMap::default(),
        }
    }

    /// What the value is used for that the instruction of this site reads: a load, or the old value of an atomic
    /// operation. A site that reads nothing, or several things, is taken to be used for anything.
    pub fn of(&mut self, func: FuncId, site: Site) -> Arc<LoadUse> {
        if let Some(known) = self.loads.get(&(func, site)) {
            return known.clone();
        }
        let found = Arc::new(self.work_out(func, site));
        self.loads.insert((func, site), found.clone());
        found
    }

    /// Whether, in a launch of a kernel, a branch or an address may depend on the value that the instruction of this site
    /// reads, also by way of memory: a control or an address dependency.
    pub fn controls(&mut self, kernel: FuncId, func: FuncId, site: Site) -> bool {
        let Some(&inst) = self.func(func).sites.get(&site) else { return true };
        let module = &self.module;
        let known =
            self.dependencies.entry(kernel).or_insert_with(|| dependency::Dependencies::of(module, kernel));
        module.funcs[func].inst_results(inst).iter().any(|&v| known.has(func, v))
    }

    fn work_out(&mut self, func: FuncId, site: Site) -> LoadUse {
        let facts = self.func(func);
        let module = self.module.clone();
        let Some(&inst) = facts.sites.get(&site) else { return LoadUse::unknown() };
        let f = &module.funcs[func];
        use InstData::*;
        match f.insts[inst] {
            Load { ptr, .. } | AtomicLoad { ptr, .. } | AtomicRmw { ptr, .. } | AtomicCas { ptr, .. } => {
                self.read(func, inst, &[ptr], Some(ptr), DEPTH)
            }
            _ => LoadUse::unknown(),
        }
    }

    /// What becomes of the results of an instruction that reads memory: itself, or by the function it calls.
    /// `address` are its operands, which stay the same where the read is repeated.
    fn read(
        &mut self,
        func: FuncId,
        inst: Inst,
        address: &[Value],
        ptr: Option<Value>,
        depth: u32,
    ) -> LoadUse {
        let (module, facts) = (self.module.clone(), self.func(func));
        let f = &module.funcs[func];
        let from = f.inst_results(inst).to_vec();
        let mut flow = self.flow(func, from.clone(), ptr, depth, None);
        let mut found = flow.found;
        let branches = std::mem::take(&mut flow.branches);
        let poll = poll::Poll { func: f, facts: &facts, read: inst, address, branches: &branches };
        found.waits |= poll.waits();
        if !(branches.is_empty() || flow.data.is_empty() && flow.returns.is_empty()) {
            flow = self.flow(func, from, ptr, depth, Some(&poll));
        }
        found.data |= !flow.data.is_empty();
        if !flow.returns.is_empty() {
            found.join(&self.returned(func, depth));
        }
        found
    }

    /// What the callers of a function do with its result.
    fn returned(&mut self, func: FuncId, depth: u32) -> LoadUse {
        if depth == 0 {
            return LoadUse::unknown();
        }
        let module = self.module.clone();
        let mut found = LoadUse::default();
        for (caller, call) in self.callers(func) {
            let mut args = Vec::new();
            module.funcs[caller].for_each_arg(call, |v| args.push(v));
            found.join(&self.read(caller, call, &args, None, depth - 1));
        }
        let taken = self.address_taken.get_or_insert_with(|| address_taken(&module));
        if taken.contains(&func) {
            found.join(&LoadUse::unknown());
        }
        found
    }

    /// Follows values of a function forward. `ptr` is the address that they were read from. Uses of a value that
    /// `poll` accepts are left out.
    fn flow(
        &mut self,
        func: FuncId,
        from: Vec<Value>,
        ptr: Option<Value>,
        depth: u32,
        poll: Option<&poll::Poll<'_>>,
    ) -> Flow {
        let (module, facts) = (self.module.clone(), self.func(func));
        let f = &module.funcs[func];
        let mut flow = Flow::default();
        let mut seen: FxHashSet<Value> = from.iter().copied().collect();
        let mut work = from;
        while let Some(v) = work.pop() {
            for &user in &facts.users[v] {
                if poll.is_some_and(|p| p.accepts(user, v)) {
                    continue;
                }
                let mut next: SmallVec<[Value; 4]> = SmallVec::new();
                self.step(f, func, user, v, ptr, depth, &facts, &mut flow, &mut next);
                f.for_each_target(user, |call| {
                    if !poll.is_some_and(|p| p.accepts_along(user, call.block, v)) {
                        passed(f, call, v, &mut next);
                    }
                });
                work.extend(next.into_iter().filter(|&v| seen.insert(v)));
            }
        }
        flow
    }

    /// What an instruction does with an operand.
    #[expect(clippy::too_many_arguments, reason = "the state of one walk")]
    fn step(
        &mut self,
        f: &Function,
        func: FuncId,
        user: Inst,
        v: Value,
        ptr: Option<Value>,
        depth: u32,
        facts: &FuncUses,
        flow: &mut Flow,
        next: &mut SmallVec<[Value; 4]>,
    ) {
        use InstData::*;
        let data = &f.insts[user];
        match data {
            Unary { .. }
            | Cast { .. }
            | Binary { .. }
            | Icmp { .. }
            | Fcmp { .. }
            | PtrAdd { .. }
            | PtrDiff { .. }
            | Vote { .. }
            | Match { .. }
            | Reduce { .. }
            | Shfl { .. }
            | Barrier { .. } => {
                next.extend(f.inst_results(user).iter().copied());
            }
            Ternary { op, args } => {
                let condition = *op == TernaryOp::Select && args[0] == v;
                flow.found.decides |= condition;
                if !condition || args[1..].contains(&v) {
                    next.extend(f.inst_results(user).iter().copied());
                }
            }
            Branch { cond, .. } => {
                if *cond == v {
                    flow.found.decides = true;
                    flow.branches.push(user);
                }
            }
            Switch { arg, .. } => {
                if *arg == v {
                    flow.found.decides = true;
                    flow.branches.push(user);
                }
            }
            Jump { .. } => {}
            Return { .. } => flow.returns.push(user),
            Store { value, ptr: to, site, .. } => {
                if *value == v {
                    flow.found.feeds.push((func, *site));
                }
                match slot_of(f, *to).and_then(|s| facts.slots[s].as_ref()) {
                    Some(loaded) if *to != v => next.extend(loaded.iter().copied()),
                    _ if *to != v && ptr.is_some_and(|p| same_address(f, p, *to)) => {
                        flow.found.updates = true;
                    }
                    _ => flow.data.push(user),
                }
            }
            AtomicCas { ptr: to, .. } if *to != v && ptr.is_some_and(|p| same_address(f, p, *to)) => {
                flow.found.guesses = true;
            }
            Call { func: callee, args, .. } => {
                let body = !self.module.funcs[*callee].is_declaration();
                if !body || depth == 0 {
                    flow.data.push(user);
                    return;
                }
                for (n, _) in args.as_slice(&f.pool).iter().enumerate().filter(|(_, a)| **a == v) {
                    let inner = self.param(*callee, n, depth - 1);
                    flow.found.join(&inner.found);
                    if !inner.data.is_empty() {
                        flow.data.push(user);
                    }
                    if !inner.returns.is_empty() {
                        next.extend(f.inst_results(user).iter().copied());
                    }
                }
            }
            _ => flow.data.push(user),
        }
    }

    /// What a function does with a parameter.
    fn param(&mut self, func: FuncId, n: usize, depth: u32) -> Arc<Flow> {
        if let Some(known) = self.params.get(&(func, n)) {
            return known.clone();
        }
        // A function that calls itself: nothing more than what the other calls do.
        self.params.insert((func, n), Arc::default());
        let module = self.module.clone();
        let f = &module.funcs[func];
        let param = f.entry().and_then(|entry| f.block_params(entry).get(n).copied());
        let flow = match param {
            Some(param) => Arc::new(self.flow(func, vec![param], None, depth, None)),
            None => Arc::new(Flow { found: LoadUse::unknown(), ..Flow::default() }),
        };
        self.params.insert((func, n), flow.clone());
        flow
    }

    fn callers(&mut self, func: FuncId) -> Vec<(FuncId, Inst)> {
        let module = self.module.clone();
        let callers = self.callers.get_or_insert_with(|| {
            let mut callers: FxHashMap<FuncId, Vec<(FuncId, Inst)>> = FxHashMap::default();
            for (id, f) in &module.funcs {
                for &inst in f.layout.iter().flat_map(|&b| f.block_insts(b)) {
                    if let InstData::Call { func, .. } | InstData::Invoke { func, .. } = f.insts[inst] {
                        callers.entry(func).or_default().push((id, inst));
                    }
                }
            }
            callers
        });
        // Nobody calls it.
        callers.get(&func).cloned().unwrap_or_default()
    }

    fn func(&mut self, func: FuncId) -> Arc<FuncUses> {
        if let Some(known) = self.funcs.get(&func) {
            return known.clone();
        }
        let facts = Arc::new(FuncUses::new(&self.module.funcs[func]));
        self.funcs.insert(func, facts.clone());
        facts
    }
}

impl FuncUses {
    fn new(f: &Function) -> FuncUses {
        let cfg = crate::Cfg::new(f);
        let mut users: SecondaryMap<Value, SmallVec<[Inst; 4]>> = SecondaryMap::new();
        let mut block_of = SecondaryMap::with_default(Block::reserved_value());
        let mut sites = FxHashMap::default();
        let mut slots: SecondaryMap<Slot, Option<Vec<Value>>> = SecondaryMap::new();
        f.slots.keys().for_each(|s| slots[s] = Some(Vec::new()));
        for &block in &f.layout {
            for &inst in f.block_insts(block) {
                block_of[inst] = block;
                f.for_each_arg(inst, |v| {
                    if !users[v].contains(&inst) {
                        users[v].push(inst);
                    }
                });
                if let [Some(site), None] = f.insts[inst].sites() {
                    sites.insert(site, inst);
                }
                match f.insts[inst] {
                    InstData::Load { ptr, .. } => {
                        if let (Some(s), Some(v)) = (slot_of(f, ptr), f.result(inst))
                            && let Some(loaded) = &mut slots[s]
                        {
                            loaded.push(v);
                        }
                    }
                    InstData::Store { value, .. } => {
                        // The variable's address is stored somewhere.
                        if let Some(s) = slot_of(f, value) {
                            slots[s] = None;
                        }
                    }
                    // Offsets are followed by those who use the sum.
                    InstData::PtrAdd { .. } => {}
                    _ => f.for_each_arg(inst, |v| {
                        if let Some(s) = slot_of(f, v) {
                            slots[s] = None;
                        }
                    }),
                }
            }
        }
        FuncUses { users, block_of, slots, sites, cfg }
    }
}

/// The local variable that a pointer points into.
fn slot_of(f: &Function, mut ptr: Value) -> Option<Slot> {
    loop {
        match f.insts[f.def_inst(ptr)?] {
            InstData::SlotAddr { slot } => return Some(slot),
            InstData::PtrAdd { ptr: base, .. } => ptr = base,
            _ => return None,
        }
    }
}

/// The parameters of a target that get a value.
fn passed(f: &Function, call: &BlockCall, v: Value, next: &mut SmallVec<[Value; 4]>) {
    let args = call.args.as_slice(&f.pool);
    next.extend(args.iter().zip(f.block_params(call.block)).filter(|(a, _)| **a == v).map(|(_, p)| *p));
}

/// Nesting of expressions that are compared.
const SAME_DEPTH: u32 = 16;

/// Whether two addresses are computed alike from the same values.
fn same_address(f: &Function, a: Value, b: Value) -> bool {
    same(f, a, b, SAME_DEPTH)
}

fn same(f: &Function, a: Value, b: Value, depth: u32) -> bool {
    if a == b {
        return true;
    }
    let (Some(x), Some(y)) = (f.def_inst(a), f.def_inst(b)) else { return false };
    let (dx, dy) = (&f.insts[x], &f.insts[y]);
    use InstData::*;
    let alike = match (dx, dy) {
        (Const { ty: s, bits: m }, Const { ty: t, bits: n }) => return s == t && m == n,
        (GlobalAddr { global: m }, GlobalAddr { global: n }) => return m == n,
        (SlotAddr { slot: m }, SlotAddr { slot: n }) => return m == n,
        (Special { reg: m }, Special { reg: n }) => return m == n && dx.is_pure(),
        (Unary { op: m, .. }, Unary { op: n, .. }) => m == n,
        (Cast { op: m, ty: s, .. }, Cast { op: n, ty: t, .. }) => m == n && s == t,
        (Binary { op: m, .. }, Binary { op: n, .. }) => m == n,
        (PtrAdd { .. }, PtrAdd { .. }) => true,
        _ => false,
    };
    let operands = |inst| {
        let mut all: SmallVec<[Value; 2]> = SmallVec::new();
        f.for_each_arg(inst, |v| all.push(v));
        all
    };
    alike && depth > 0 && operands(x).iter().zip(&operands(y)).all(|(&a, &b)| same(f, a, b, depth - 1))
}

/// Where a value is defined.
fn def_block(f: &Function, facts: &FuncUses, v: Value) -> Block {
    match f.values[v].def {
        ValueDef::Result(inst, _) => facts.block_of[inst],
        ValueDef::Param(block, _) => block,
    }
}
