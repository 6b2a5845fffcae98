//! What is found out about a kernel before it is compiled: whether the tier can do it at all, where its pointers come
//! from, where its lanes synchronise, and what lives across that.

use crate::Refusal;
use crate::abi::ARGS;
use crate::emit::register;
use crate::expand::{Member, rewritten};
use crate::lifetimes::accessed_outside;
use crate::local::Locals;
use crate::syncs::{Kind, Sync, find_syncs, is_ordered, seen_atomics};
use cranelift_entity::SecondaryMap;
use cudair_ir::cfg::Cfg;
use cudair_ir::*;
use cudair_math::MathFn;
use rustc_hash::{FxHashMap, FxHashSet};

/// Where a pointer comes from that the whole launch agrees on.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Root {
    /// A parameter of the kernel, by number.
    Param(u32),
    /// A pointer in the memory of a parameter that is passed by value.
    Member(Member),
    /// A variable of static storage.
    Global(GlobalId),
    /// A `__shared__` variable.
    Shared(GlobalId),
    /// A local variable in memory: each lane has one of its own.
    Local(Slot),
}

impl Root {
    /// The local variable that it is.
    pub(crate) fn slot(self) -> Option<Slot> {
        match self {
            Root::Local(slot) => Some(slot),
            _ => None,
        }
    }
}

/// The root of a pointer value.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum From {
    /// Not looked at yet.
    #[default]
    Nothing,
    /// A root, by number.
    Root(u32),
    /// Several, or none that is known.
    Any,
}

impl From {
    fn join(self, other: From) -> From {
        match (self, other) {
            (From::Nothing, x) | (x, From::Nothing) => x,
            (a, b) if a == b => a,
            _ => From::Any,
        }
    }
}

/// Instructions that take as long as an access through a pointer of which nothing is known.
pub(crate) const UNKNOWN: u64 = 64;

/// A program point: in a block, before the instruction of this number.
pub(crate) type Point = (Block, usize);

/// What a kernel is, for all of its launches.
pub struct Plan {
    /// What is compiled in place of the module's function, where that is another.
    rewritten: Option<Function>,
    /// The local variables in memory.
    pub(crate) locals: Locals,
    /// Where its pointers come from.
    pub roots: Vec<Root>,
    /// By root: the narrowest access to it as a power of two, and whether it is read and written at all.
    pub uses: Vec<RootUse>,
    /// The narrowest access through pointers of which nothing is known, if there is one.
    pub unknown: Option<RootUse>,
    /// The mathematical functions that it calls.
    pub math: Vec<(FuncId, MathFn)>,
    /// By block: how often it runs, guessed by the loops around it.
    pub(crate) turns: SecondaryMap<Block, u64>,
    pub(crate) from: SecondaryMap<Value, From>,
    /// What is done with each root in the regions that a program point is in, by the start of its block or by the
    /// synchronisation point before it.
    pub(crate) between: FxHashMap<Point, Vec<RootUse>>,
    /// Loads that do not use what they load, with the pointer by which it is stored, if it is: nobody asks whether it is initialised
    /// ([`crate::copies`]).
    pub(crate) copies: FxHashMap<Inst, Option<Value>>,
    /// In the order of the bytecode's layout.
    pub(crate) syncs: Vec<Sync>,
    /// Their numbers, by place.
    pub(crate) sync_at: FxHashMap<Point, usize>,
    /// The order of atomic operations can be seen: lanes come together before each of them.
    pub(crate) ordered: bool,
    /// The atomic operations whose results are used.
    pub(crate) seen: FxHashSet<Inst>,
    /// By synchronisation point: the values that are used behind it.
    pub(crate) live: Vec<Vec<Value>>,
    /// The values that are used behind any of them.
    pub(crate) crosses: EntitySet<Value>,
    /// The values that are used for nothing but to access memory there.
    pub(crate) addresses: SecondaryMap<Value, bool>,
}

/// How a root is used.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RootUse {
    /// Bytes of the narrowest access as a power of two; of none, 4.
    pub width_log2: u8,
    /// Bytes of the widest access as a power of two; of none, 0.
    pub widest_log2: u8,
    /// It is accessed by other than atomic operations.
    pub plain: bool,
    /// It is read.
    pub reads: bool,
    /// It is written.
    pub writes: bool,
}

impl RootUse {
    const NONE: RootUse =
        RootUse { width_log2: 4, widest_log2: 0, plain: false, reads: false, writes: false };

    /// Whether it is accessed by atomic operations alone, all of one width. These do not race with each other.
    pub fn is_atomic(&self) -> bool {
        self.writes && !self.plain && self.width_log2 == self.widest_log2
    }

    fn join(&mut self, other: RootUse) {
        self.width_log2 = self.width_log2.min(other.width_log2);
        self.widest_log2 = self.widest_log2.max(other.widest_log2);
        self.plain |= other.plain;
        self.reads |= other.reads;
        self.writes |= other.writes;
    }

    fn add(&mut self, width: u32, (reads, writes): (bool, bool)) {
        let width_log2 = width.trailing_zeros() as u8;
        self.width_log2 = self.width_log2.min(width_log2);
        self.widest_log2 = self.widest_log2.max(width_log2);
        self.plain |= !(reads && writes);
        self.reads |= reads;
        self.writes |= writes;
    }
}

/// An access to memory: through which pointer, of how many bytes, and whether it reads and writes.
fn access(func: &Function, data: &InstData) -> Option<(Value, u32, (bool, bool))> {
    match *data {
        InstData::Load { ptr, ty, .. } => Some((ptr, ty.mem_bytes(), (true, false))),
        InstData::Store { ptr, value, .. } => Some((ptr, func.value_type(value).mem_bytes(), (false, true))),
        InstData::AtomicRmw { ptr, value, .. } | InstData::AtomicCas { ptr, new: value, .. } => {
            Some((ptr, func.value_type(value).mem_bytes(), (true, true)))
        }
        _ => None,
    }
}

impl Plan {
    /// Looks at a kernel.
    ///
    /// # Errors
    /// What of it the tier does not do.
    pub fn new(module: &Module, id: FuncId) -> Result<Plan, Refusal> {
        let (rewritten, members) = match rewritten(&module.funcs[id]) {
            Some((func, members)) => (Some(func), members),
            None => (None, Vec::new()),
        };
        let func = rewritten.as_ref().unwrap_or(&module.funcs[id]);
        let entry = func.entry().ok_or(Refusal("it has no body"))?;
        let cfg = Cfg::new(func);
        let mut used: SecondaryMap<Value, u32> = SecondaryMap::new();
        let mut accessed: SecondaryMap<Value, u32> = SecondaryMap::new();
        for &block in cfg.rpo() {
            for &inst in func.block_insts(block) {
                func.for_each_arg(inst, |v| used[v] += 1);
                if let Some((ptr, ..)) = access(func, &func.insts[inst]) {
                    accessed[ptr] += 1;
                }
            }
        }
        let mut addresses = SecondaryMap::new();
        for v in func.values.keys() {
            addresses[v] = accessed[v] == used[v];
        }
        supported(module, func, &cfg)?;
        let (roots, from) = find_roots(module, func, (entry, &members), &cfg);
        let mut uses = vec![RootUse::NONE; roots.len()];
        let mut unknown = None;
        let mut math = Vec::new();
        let seen = seen_atomics(func, &cfg, &used);
        let ordered = is_ordered(func, &cfg, &seen);
        let syncs = find_syncs(func, &cfg, ordered)?;
        for &block in cfg.rpo() {
            for &inst in func.block_insts(block) {
                let data = &func.insts[inst];
                if let Some((ptr, width, how)) = access(func, data) {
                    match from[ptr] {
                        From::Root(n) => uses[n as usize].add(width, how),
                        _ => unknown.get_or_insert(RootUse::NONE).add(width, how),
                    }
                }
                if let InstData::Call { func: callee, .. } = data
                    && !math.iter().any(|(known, _)| known == callee)
                {
                    math.extend(math_function(&module.funcs[*callee]).map(|function| (*callee, function)));
                }
            }
        }
        let accessed = |inst: Inst| {
            let (ptr, ..) = access(func, &func.insts[inst])?;
            match from[ptr] {
                From::Root(n) => roots[n as usize].slot(),
                _ => None,
            }
        };
        if !accessed_outside(func, &cfg, accessed).is_empty() {
            return Err(Refusal("a local variable may be accessed when it does not live"));
        }
        let locals = Locals::new(func, &roots, &uses)?;
        let places: Vec<Point> = syncs.iter().map(Sync::resume).collect();
        let sync_at: FxHashMap<Point, usize> =
            syncs.iter().enumerate().map(|(n, s)| ((s.block, s.at), n)).collect();
        let live = live_across(func, &cfg, &places);
        let mut crosses = EntitySet::new();
        live.iter().flatten().for_each(|&v| _ = crosses.insert(v));
        let root = |ptr: Value| match from[ptr] {
            From::Root(n) => Some((n, roots[n as usize])),
            _ => None,
        };
        let copies = crate::copies::find(func, &cfg, (&used, &sync_at), root, &locals);
        let between = between(func, entry, &syncs, &from, roots.len());
        let turns = turns(func, &cfg);
        Ok(Plan {
            rewritten,
            locals,
            roots,
            uses,
            unknown,
            math,
            turns,
            from,
            between,
            copies,
            syncs,
            sync_at,
            ordered,
            seen,
            live,
            crosses,
            addresses,
        })
    }

    /// The function that is compiled for the kernel `id` of `module`, of which the plan is.
    pub(crate) fn func<'a>(&'a self, module: &'a Module, id: FuncId) -> &'a Function {
        self.rewritten.as_ref().unwrap_or(&module.funcs[id])
    }

    /// Whether lanes of a strip come together where the order of atomic operations can be seen: then [`crate::Kernel::run_ordered`]
    /// runs the kernel.
    pub fn is_ordered(&self) -> bool {
        self.ordered
    }

    /// Whether a synchronisation point, by what a run of lanes gives, is a barrier of the block.
    pub fn is_barrier(&self, entry: u32) -> bool {
        self.waits(entry, Kind::Barrier)
    }

    /// Whether a synchronisation point, by what a run of lanes gives, is a warp operation.
    pub fn is_of_warp(&self, entry: u32) -> bool {
        self.waits(entry, Kind::Warp)
    }

    fn waits(&self, entry: u32, kind: Kind) -> bool {
        entry != 0 && self.syncs.get(entry as usize - 1).is_some_and(|s| s.kind == kind)
    }

    /// Whether lanes of a warp wait for each other: then [`crate::Kernel::run`] is called for one warp after the other.
    pub fn has_warp_operations(&self) -> bool {
        self.syncs.iter().any(|s| s.kind == Kind::Warp)
    }

    /// Whether calls of functions and of the engine take more of a lane's time than all else that it does, guessed by the loops
    /// around them.
    pub(crate) fn calls_often(&self, func: &Function) -> bool {
        /// Instructions that take as long as a call of a function for one lane.
        const CALL: u64 = 16;
        let (mut calls, mut all) = (0u64, 0u64);
        for &block in &func.layout {
            let insts = func.block_insts(block);
            let of = |inst: &Inst| match func.insts[*inst] {
                InstData::Call { .. } => CALL,
                InstData::Load { ptr, .. } | InstData::Store { ptr, .. } if !self.is_known(ptr) => UNKNOWN,
                _ => 0,
            };
            let taken: u64 = insts.iter().map(of).sum();
            calls = calls.saturating_add(self.turns[block].saturating_mul(taken));
            all = all.saturating_add(self.turns[block].saturating_mul(insts.len() as u64));
        }
        calls > all
    }

    fn is_known(&self, ptr: Value) -> bool {
        matches!(self.from[ptr], From::Root(_))
    }

    /// Whether an instruction is a call at which compiled code gives up.
    pub(crate) fn gives_up(&self, data: &InstData) -> bool {
        matches!(data, InstData::Call { func, .. } if self.math_number(*func).is_none())
    }

    /// The number among [`Plan::math`] of the mathematical function that a call is of.
    pub(crate) fn math_number(&self, callee: FuncId) -> Option<usize> {
        self.math.iter().position(|&(known, _)| known == callee)
    }

    /// Whether a pointer points into a local variable.
    pub(crate) fn is_local(&self, ptr: Value) -> bool {
        matches!(self.from[ptr], From::Root(n) if self.roots[n as usize].slot().is_some())
    }

    /// Whether threads of a block wait for each other at a barrier.
    pub fn has_barriers(&self) -> bool {
        self.syncs.iter().any(|s| s.kind == Kind::Barrier)
    }

    /// Whether there is a synchronisation point in a block, from an instruction on.
    pub(crate) fn synchronises(&self, block: Block, from: usize) -> bool {
        self.syncs.iter().any(|s| s.block == block && s.at >= from)
    }

    /// How many entries the kernel has: its start, and its synchronisation points in the order in which lanes come to them.
    pub fn entries(&self) -> usize {
        self.syncs.len() + 1
    }

    /// Bytes of the granules in which the launch's accesses to global memory are compared, as a power of two.
    pub fn global_granule(&self) -> u8 {
        let known =
            self.roots.iter().zip(&self.uses).filter(|(r, _)| !matches!(r, Root::Shared(_) | Root::Local(_)));
        known.map(|(_, u)| u).chain(&self.unknown).map(|u| u.width_log2).fold(3, u8::min)
    }

    /// The same for a `__shared__` variable, by root.
    pub fn shared_granule(&self, root: usize) -> u8 {
        self.uses[root].width_log2.min(3)
    }

    /// Whether a loop that loads has an exit that threads may leave by at different turns: at the end of which block `differs`
    /// says.
    pub fn diverges(func: &Function, differs: impl Fn(Block) -> bool) -> bool {
        let cfg = Cfg::new(func);
        let cycles = cycles::Cycles::new(func, &cfg);
        cycles.cycles.keys().any(|cycle| {
            let loads = cycles.blocks(cycle).iter().any(|&block| {
                let mut insts = func.block_insts(block).iter();
                insts.any(|&inst| matches!(func.insts[inst], InstData::Load { .. }))
            });
            loads && cycles.exits(func, cycle).iter().any(|&(from, _)| differs(from))
        })
    }
}

/// By block: how often it runs, guessed by the loops around it.
fn turns(func: &Function, cfg: &Cfg) -> SecondaryMap<Block, u64> {
    let cycles = cycles::Cycles::new(func, cfg);
    let mut turns = SecondaryMap::new();
    for &block in cfg.rpo() {
        turns[block] = 16u64.pow(cycles.depth(block).min(4));
    }
    turns
}

/// The instructions that a thread executes, and its turns of loops, guessed by the loops around them.
pub fn weight(func: &Function) -> (u64, u64) {
    let cfg = Cfg::new(func);
    let turns = turns(func, &cfg);
    let (mut instructions, mut rounds) = (0u64, 0u64);
    for &block in cfg.rpo() {
        let length = func.block_insts(block).len() as u64;
        instructions = instructions.saturating_add(turns[block].saturating_mul(length));
        if func.successors(block).iter().any(|&to| cfg.is_back_edge(block, to)) {
            rounds = rounds.saturating_add(turns[block]);
        }
    }
    (instructions, rounds)
}

/// The mathematical function that a call of `callee` is, if it is one.
fn math_function(callee: &Function) -> Option<MathFn> {
    let name = callee.name.strip_suffix(DEVICE_SUFFIX).unwrap_or(&callee.name);
    let math = callee.is_declaration().then(|| cudair_math::lookup_device(name))??;
    (callee.sig.params.len() >= math.arity() && math.arity() <= ARGS).then_some(math)
}

/// Whether a launch whose threads come to a call of a function is left to the bytecode: most launches do not come to a failed assertion
/// or to a message.
fn gives_up(callee: &Function) -> bool {
    let name = callee.name.strip_suffix(DEVICE_SUFFIX).unwrap_or(&callee.name);
    callee.is_declaration() && matches!(name, "__assert_fail" | "printf")
}

/// Whether all instructions are among those that the tier does.
fn supported(module: &Module, func: &Function, cfg: &Cfg) -> Result<(), Refusal> {
    for &block in cfg.rpo() {
        for &param in func.block_params(block) {
            register(func.value_type(param))?;
        }
        for &inst in func.block_insts(block) {
            for &v in func.inst_results(inst) {
                register(func.value_type(v))?;
            }
            let refused = match &func.insts[inst] {
                InstData::Const { .. }
                | InstData::Unary { .. }
                | InstData::Binary { .. }
                | InstData::Cast { .. }
                | InstData::Icmp { .. }
                | InstData::Fcmp { .. }
                | InstData::Ternary { .. }
                | InstData::PtrAdd { .. }
                | InstData::PtrDiff { .. }
                | InstData::Bounds { .. }
                | InstData::SlotAddr { .. }
                | InstData::Lifetime { .. }
                | InstData::Fence { .. }
                | InstData::Jump { .. }
                | InstData::Branch { .. }
                | InstData::Switch { .. }
                | InstData::Return { .. }
                | InstData::Trap { .. } => None,
                InstData::GlobalAddr { global } => match module.globals[*global].space {
                    Space::Shared | Space::Const | Space::Global | Space::Managed => None,
                    _ => Some("a variable of an unusual space"),
                },
                InstData::Special { reg } => {
                    use SpecialReg::*;
                    let known = matches!(
                        reg,
                        TidX | TidY
                            | TidZ
                            | CtaidX
                            | CtaidY
                            | CtaidZ
                            | NtidX
                            | NtidY
                            | NtidZ
                            | NctaidX
                            | NctaidY
                            | NctaidZ
                            | Laneid
                            | Warpid
                            | Warpsize
                            | DynSmemSize
                    );
                    (!known).then_some("an unusual special register")
                }
                InstData::Load { flags, .. } | InstData::Store { flags, .. } if flags.volatile => {
                    Some("a volatile access")
                }
                InstData::Load { .. } => None,
                InstData::Store { value, .. } => {
                    register(func.value_type(*value)).is_err().then_some("a store of an unusual type")
                }
                InstData::AtomicRmw { op, order, scope, value, .. } => {
                    use AtomicOp::*;
                    let fits = match func.value_type(*value) {
                        Type::I32 | Type::I64 => !matches!(op, Fadd | Fmin | Fmax),
                        Type::F32 | Type::F64 => matches!(op, Fadd | Xchg),
                        _ => false,
                    };
                    if fits { unusual_order(*order, *scope) } else { Some("an unusual atomic operation") }
                }
                InstData::AtomicCas { order, scope, new, .. } => match func.value_type(*new) {
                    Type::I32 | Type::I64 => unusual_order(*order, *scope),
                    _ => Some("an unusual atomic operation"),
                },
                InstData::Barrier { kind: BarrierKind::Sync, .. } => None,
                InstData::Call { func: callee, .. } => {
                    let callee = &module.funcs[*callee];
                    let known = math_function(callee).is_some() || gives_up(callee);
                    (!known).then_some("a call")
                }
                data @ (InstData::Shfl { .. }
                | InstData::Vote { .. }
                | InstData::Reduce { .. }
                | InstData::WarpSync { .. }) => crate::warp::refused(func, data),
                other => Some(other.mnemonic()),
            };
            if let Some(why) = refused {
                return Err(Refusal(why));
            }
        }
    }
    Ok(())
}

fn unusual_order(order: MemOrder, scope: Scope) -> Option<&'static str> {
    match () {
        () if order != MemOrder::Relaxed => Some("an atomic operation that orders others"),
        () if !matches!(scope, Scope::Device | Scope::System) => {
            Some("an atomic operation of a narrow scope")
        }
        () => None,
    }
}

/// The roots of a kernel, and the root of each pointer.
fn find_roots(
    module: &Module,
    func: &Function,
    (entry, members): (Block, &[Member]),
    cfg: &Cfg,
) -> (Vec<Root>, SecondaryMap<Value, From>) {
    let mut roots = Vec::new();
    let mut from: SecondaryMap<Value, From> = SecondaryMap::new();
    for (n, &param) in func.block_params(entry).iter().enumerate() {
        if func.value_type(param).is_ptr() {
            from[param] = From::Root(roots.len() as u32);
            let member = n.checked_sub(func.sig.params.len()).and_then(|n| members.get(n));
            roots.push(member.map_or(Root::Param(n as u32), |&member| Root::Member(member)));
        }
    }
    let mut globals: FxHashMap<GlobalId, u32> = FxHashMap::default();
    let mut slots: FxHashMap<Slot, u32> = FxHashMap::default();
    loop {
        let mut changed = false;
        let mut set = |from: &mut SecondaryMap<Value, From>, v: Value, x: From| {
            let joined = from[v].join(x);
            changed |= joined != from[v];
            from[v] = joined;
        };
        for &block in cfg.rpo() {
            for &inst in func.block_insts(block) {
                func.for_each_target(inst, |call| {
                    let (params, args) = (func.block_params(call.block), call.args.as_slice(&func.pool));
                    for (&param, &arg) in params.iter().zip(args) {
                        if func.value_type(param).is_ptr() {
                            let x = from[arg];
                            set(&mut from, param, x);
                        }
                    }
                });
                let Some(result) = func.result(inst).filter(|&v| func.value_type(v).is_ptr()) else {
                    continue;
                };
                let x = match func.insts[inst] {
                    InstData::GlobalAddr { global } => {
                        From::Root(*globals.entry(global).or_insert_with(|| {
                            let shared = module.globals[global].space == Space::Shared;
                            roots.push(if shared { Root::Shared(global) } else { Root::Global(global) });
                            roots.len() as u32 - 1
                        }))
                    }
                    InstData::SlotAddr { slot } => From::Root(*slots.entry(slot).or_insert_with(|| {
                        roots.push(Root::Local(slot));
                        roots.len() as u32 - 1
                    })),
                    InstData::PtrAdd { ptr, .. } => from[ptr],
                    InstData::Cast { op: CastOp::Spacecast, arg, .. } => from[arg],
                    InstData::Ternary { op: TernaryOp::Select, args: [_, a, b] } => from[a].join(from[b]),
                    _ => From::Any,
                };
                set(&mut from, result, x);
            }
        }
        if !changed {
            return (roots, from);
        }
    }
}

/// What [`Plan::between`] has.
fn between(
    func: &Function,
    entry: Block,
    syncs: &[Sync],
    from: &SecondaryMap<Value, From>,
    roots: usize,
) -> FxHashMap<Point, Vec<RootUse>> {
    let mut out: FxHashMap<Point, Vec<RootUse>> = FxHashMap::default();
    let starts = syncs.iter().filter(|s| s.kind == Kind::Barrier).map(Sync::resume).chain([(entry, 0)]);
    for start in starts {
        let mut reached = vec![start];
        let mut uses = vec![RootUse::NONE; roots];
        let mut next = 0;
        while let Some(&(block, at)) = reached.get(next) {
            next += 1;
            let mut ends = false;
            for &inst in &func.block_insts(block)[at..] {
                let data = &func.insts[inst];
                if let Some((ptr, width, how)) = access(func, data)
                    && let From::Root(n) = from[ptr]
                {
                    uses[n as usize].add(width, how);
                }
                if matches!(data, InstData::Barrier { .. }) {
                    ends = true;
                    break;
                }
            }
            if !ends {
                for succ in func.successors(block) {
                    if !reached.contains(&(succ, 0)) {
                        reached.push((succ, 0));
                    }
                }
            }
        }
        for point in reached {
            let all = out.entry(point).or_insert_with(|| vec![RootUse::NONE; roots]);
            all.iter_mut().zip(&uses).for_each(|(a, &u)| a.join(u));
        }
    }
    out
}

/// The values that are used from each place on: a block, and the number of an instruction in it.
pub(crate) fn live_across(func: &Function, cfg: &Cfg, places: &[Point]) -> Vec<Vec<Value>> {
    if places.is_empty() {
        return Vec::new();
    }
    let mut live_in: SecondaryMap<Block, EntitySet<Value>> = SecondaryMap::new();
    let live_out = |live_in: &SecondaryMap<Block, EntitySet<Value>>, block: Block| {
        let mut live = EntitySet::new();
        for succ in func.successors(block) {
            let own = func.block_params(succ);
            for v in live_in[succ].iter().filter(|v| !own.contains(v)) {
                live.insert(v);
            }
        }
        live
    };
    let before = |live: &mut EntitySet<Value>, inst: Inst| {
        for &v in func.inst_results(inst) {
            live.remove(v);
        }
        func.for_each_arg(inst, |v| {
            live.insert(v);
        });
    };
    loop {
        let mut changed = false;
        for &block in cfg.rpo().iter().rev() {
            let mut live = live_out(&live_in, block);
            for &inst in func.block_insts(block).iter().rev() {
                before(&mut live, inst);
            }
            if live.iter().any(|v| !live_in[block].contains(v)) {
                live_in[block] = live;
                changed = true;
            }
        }
        if !changed {
            break;
        }
    }
    let across = |&(block, at): &Point| {
        let mut live = live_out(&live_in, block);
        for &inst in func.block_insts(block)[at..].iter().rev() {
            before(&mut live, inst);
        }
        live.iter().collect()
    };
    places.iter().map(across).collect()
}
