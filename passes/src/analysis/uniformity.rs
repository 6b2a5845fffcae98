//! Uniformity: over which threads a value is the same.
//!
//! Follows LLVM's `UniformityAnalysis` ("Divergence analysis for SIMT" line of work: Karrenberg & Hack 2012,
//! Rosemann, Moll & Hack 2021): an optimistic fixed point from the sources of divergence (thread indices,
//! lane numbers, results of atomics, loads that may meet a write), through data, through joins that depend
//! on a divergent branch (sync dependence) and through cycles that threads leave in different iterations
//! (temporal divergence).
//!
//! It differs in two ways. The lattice has four levels ([`Uniformity`]) instead of two, and a fact carries
//! the set of the function's parameters on which it depends, so that one analysis of a function serves all
//! its callers ([`Uniform::bind`]).
//!
//! A value is called uniform with respect to one dynamic instance of its definition: two threads that
//! execute the definition in the same iteration of each enclosing cycle get the same value. A value that is
//! defined in a cycle and read after threads left it in different iterations is divergent altogether.
//!
//! What it may miss: nothing, as long as the barriers of the kernel are reached uniformly. Loads from
//! memory that the kernel writes are uniform only where no write is possible in their barrier interval.

use super::callgraph::CallGraph;
use super::control::{Control, DivergenceReach, Join, Node, deciding_value};
use super::engine::{Arg, Cx, Domain, FactTable, Outcome, incoming_arg, solve};
use super::memory::{RootMemory, Source};
use super::shape::Shape;
use cranelift_entity::SecondaryMap;
use cudair_ir::*;
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

/// How uniform a value is, given how uniform the function's parameters are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Uniform {
    /// Its uniformity if all parameters are the same in the whole grid.
    pub level: Uniformity,
    /// The parameters on which it depends, a bit each.
    pub params: u64,
}

impl Default for Uniform {
    fn default() -> Uniform {
        Uniform::GRID
    }
}

impl Uniform {
    /// The same in the whole grid.
    pub const GRID: Uniform = Uniform { level: Uniformity::Grid, params: 0 };
    /// May differ between any two threads.
    pub const DIVERGENT: Uniform = Uniform { level: Uniformity::Divergent, params: 0 };

    /// No dependence on parameters.
    pub fn of(level: Uniformity) -> Uniform {
        Uniform { level, params: 0 }
    }

    /// What holds of a value that depends on both.
    #[must_use]
    pub fn meet(self, other: Uniform) -> Uniform {
        let level = self.level.min(other.level);
        if level == Uniformity::Divergent {
            return Uniform::DIVERGENT;
        }
        Uniform { level, params: self.params | other.params }
    }

    /// The fact with the parameters' facts put in.
    #[must_use]
    pub fn bind(self, param: impl Fn(usize) -> Uniform) -> Uniform {
        let mut out = Uniform::of(self.level);
        let mut bits = self.params;
        while bits != 0 {
            out = out.meet(param(bits.trailing_zeros() as usize));
            bits &= bits - 1;
        }
        out
    }
}

/// Why a value is less than uniform.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Why {
    /// The instruction gives each thread its own: an index, a lane, a clock, the result of an atomic.
    Source(Inst),
    /// It is computed from this value.
    Operand(Value),
    /// A load whose contents another thread may change meanwhile, and where, if that is in this function.
    Load {
        /// The load.
        load: Inst,
        /// The write that may come between.
        write: Option<Inst>,
    },
    /// Which value arrives depends on the branch that ends this block.
    Join(Block),
    /// Threads leave a cycle in different iterations because of the branch that ends this block.
    Temporal(Block),
    /// The parameter of the function.
    Param(u32),
    /// The callee's result differs.
    Return(Inst),
}

/// What the analysis knows of one function below a root.
#[derive(Clone, Debug)]
pub struct FuncUniformity {
    /// Each value's fact.
    pub facts: FactTable<Uniform>,
    /// Why it is not [`Uniform::GRID`].
    pub causes: SecondaryMap<Value, Option<Why>>,
    /// The fact of what each block's terminator decides on.
    pub branches: Vec<Uniform>,
    /// The fact of the result.
    pub result: Uniform,
}

/// What holds below one kernel.
#[derive(Clone, Debug, Default)]
pub struct RootUniformity {
    /// By function.
    pub funcs: FxHashMap<FuncId, FuncUniformity>,
}

/// What the analysis of a kernel and its callees takes as given.
#[derive(Clone, Copy)]
pub struct RootContext<'a> {
    /// The module.
    pub module: &'a Module,
    /// The call graph below the kernel.
    pub graph: &'a CallGraph,
    /// Control structure of each function in it.
    pub controls: &'a FxHashMap<FuncId, Control>,
    /// Its memory side.
    pub memory: &'a RootMemory,
    /// What is known of the launch.
    pub shape: &'a Shape,
    /// Whether the program is taken to be free of races between blocks and its pointer parameters to be
    /// distinct: see [`super::memory::FuncMemory::conflict`]. Never where the machine relies on the facts.
    pub race_free: bool,
    /// Loads of the kernel's own code that are proved to race with no write: while the threads of a block execute one,
    /// its memory stays as it is.
    pub stable_loads: Option<&'a FxHashSet<Inst>>,
    /// Barriers with numbers in the kernel's own code that are proved to be ones of the whole block.
    pub block_barriers: Option<&'a FxHashSet<Inst>>,
}

impl<'a> RootContext<'a> {
    /// The engine's view of one function.
    pub fn cx(&self, id: FuncId) -> Cx<'a> {
        Cx { module: self.module, id, func: &self.module.funcs[id], control: &self.controls[&id] }
    }
}

impl RootUniformity {
    /// Analyses the functions below a root, callees first.
    pub fn new(root: &RootContext<'_>) -> RootUniformity {
        let mut found = RootUniformity::default();
        let mut results: FxHashMap<FuncId, Uniform> = FxHashMap::default();
        for component in &root.graph.components {
            // Recursive functions start from the optimistic result and are analysed until it holds.
            loop {
                let mut stable = true;
                for &id in component {
                    let one = analyse(root, &results, id);
                    let old = results.insert(id, one.result).unwrap_or(Uniform::GRID);
                    stable &= old == one.result || !root.graph.is_recursive(id);
                    found.funcs.insert(id, one);
                }
                if stable {
                    break;
                }
            }
        }
        found
    }

    /// The tables that travel to the machine: parameters of callees get what all their callers pass.
    pub fn facts(&self, root: &RootContext<'_>) -> Facts {
        let mut params: FxHashMap<FuncId, Vec<Uniform>> = FxHashMap::default();
        for id in root.graph.functions() {
            params.insert(id, vec![Uniform::GRID; root.module.funcs[id].sig.params.len()]);
        }
        let mut changed = true;
        while changed {
            changed = false;
            for caller in root.graph.functions().rev() {
                changed |= self.pass_arguments(root, caller, &mut params);
            }
        }
        let mut facts = Facts::default();
        for (&id, found) in &self.funcs {
            let func = &root.module.funcs[id];
            let context = &params[&id];
            let bind = |u: Uniform| u.bind(|n| context.get(n).copied().unwrap_or(Uniform::DIVERGENT)).level;
            let mut out = FuncFacts::default();
            let control = &root.controls[&id];
            for node in 0..control.len() as u32 {
                let block = control.block(node);
                for &v in func.block_params(block) {
                    out.uniform[v] = bind(found.facts[v]);
                }
                for &i in func.block_insts(block) {
                    for &v in func.inst_results(i) {
                        out.uniform[v] = bind(found.facts[v]);
                    }
                }
                out.divergent_branch[block] = bind(found.branches[node as usize]) < Uniformity::Block;
            }
            facts.funcs.insert(id, out);
        }
        facts
    }

    /// Lowers the parameters of what `caller` calls to what it passes. Tells whether any changed.
    fn pass_arguments(
        &self,
        root: &RootContext<'_>,
        caller: FuncId,
        params: &mut FxHashMap<FuncId, Vec<Uniform>>,
    ) -> bool {
        let (func, found) = (&root.module.funcs[caller], &self.funcs[&caller]);
        let context = params[&caller].clone();
        let mut changed = false;
        for &b in &root.controls[&caller].order {
            for &i in func.block_insts(b) {
                let Some(args) = call_args(func, i) else { continue };
                for callee in root.graph.callees(root.module, caller, i) {
                    let Some(slots) = params.get_mut(&callee) else { continue };
                    for (n, slot) in slots.iter_mut().enumerate() {
                        let passed = match args.get(n) {
                            Some(&v) => {
                                found.facts[v].bind(|n| context.get(n).copied().unwrap_or(Uniform::DIVERGENT))
                            }
                            None => Uniform::DIVERGENT,
                        };
                        let new = slot.meet(passed);
                        changed |= new != *slot;
                        *slot = new;
                    }
                }
            }
        }
        changed
    }
}

/// The arguments of a call, direct or not.
pub fn call_args(func: &Function, inst: Inst) -> Option<&[Value]> {
    match &func.insts[inst] {
        InstData::Call { args, .. }
        | InstData::CallIndirect { args, .. }
        | InstData::Invoke { args, .. }
        | InstData::InvokeIndirect { args, .. } => Some(args.as_slice(&func.pool)),
        _ => None,
    }
}

fn analyse(root: &RootContext<'_>, results: &FxHashMap<FuncId, Uniform>, id: FuncId) -> FuncUniformity {
    let cx = root.cx(id);
    let n = cx.control.len();
    let mut domain = Divergence {
        root,
        results,
        live_out: live_out(&cx),
        influences: vec![None; n],
        branches: vec![Uniform::GRID; n],
        joins: vec![SmallVec::new(); n],
    };
    let solution = solve(&cx, &mut domain);
    let branches = domain.branches;
    let mut result = Uniform::GRID;
    let returns: Vec<(Node, Option<Value>)> = (0..n as u32)
        .filter_map(|node| {
            let inst = cx.func.terminator(cx.control.block(node))?;
            match cx.func.insts[inst] {
                InstData::Return { ref args } => Some((node, args.as_slice(&cx.func.pool).first().copied())),
                _ => None,
            }
        })
        .collect();
    for &(node, value) in &returns {
        let Some(value) = value else { continue };
        result = result.meet(solution.facts[value]);
        if returns.len() > 1 {
            for x in cx.control.controlling(node) {
                result = result.meet(branches[x as usize]);
            }
        }
    }
    FuncUniformity { facts: solution.facts, causes: solution.causes, branches, result }
}

/// Values of each cycle that are read after it; for an argument on the way out, the parameter it becomes.
fn live_out(cx: &Cx<'_>) -> Vec<Vec<Value>> {
    let mut out: Vec<Vec<Value>> = vec![Vec::new(); cx.control.cycle_count()];
    if out.is_empty() {
        return out;
    }
    let mut listed: FxHashSet<(usize, Value)> = FxHashSet::default();
    let mut home: SecondaryMap<Value, u32> = SecondaryMap::with_default(u32::MAX);
    for node in 0..cx.control.len() as u32 {
        let block = cx.control.block(node);
        for &v in cx.func.block_params(block) {
            home[v] = node;
        }
        for &i in cx.func.block_insts(block) {
            for &v in cx.func.inst_results(i) {
                home[v] = node;
            }
        }
    }
    let mut read = |value: Value, at: Node, lowered: Value| {
        if home[value] == u32::MAX || home[value] == at {
            return;
        }
        for c in cx.control.cycles_of(home[value]) {
            if cx.control.contains(c, at) {
                break;
            }
            if listed.insert((c, lowered)) {
                out[c].push(lowered);
            }
        }
    };
    for node in 0..cx.control.len() as u32 {
        for &inst in cx.func.block_insts(cx.control.block(node)) {
            cx.func.for_each_arg(inst, |v| read(v, node, v));
        }
        for (k, &to) in cx.control.targets(node).iter().enumerate() {
            for (n, &param) in cx.func.block_params(cx.control.block(to)).iter().enumerate() {
                if let Some(Arg::Value(v)) = incoming_arg(cx, node, k as u32, n) {
                    read(v, to, param);
                }
            }
        }
    }
    out
}

/// The domain.
struct Divergence<'a> {
    root: &'a RootContext<'a>,
    results: &'a FxHashMap<FuncId, Uniform>,
    live_out: Vec<Vec<Value>>,
    influences: Vec<Option<DivergenceReach>>,
    branches: Vec<Uniform>,
    /// For each block the branches whose paths meet there.
    joins: Vec<SmallVec<[DivergentJoin; 1]>>,
}

/// A branch whose paths meet at a block.
#[derive(Clone)]
struct DivergentJoin {
    branch: Node,
    fact: Uniform,
    edges: SmallVec<[(Node, u32); 4]>,
}

impl Domain for Divergence<'_> {
    type Fact = Uniform;
    type Cause = Why;
    type State = ();

    fn entry(&mut self, _: &Cx<'_>) {}

    fn param(&mut self, cx: &Cx<'_>, n: usize) -> (Uniform, Why) {
        let fact = match cx.func.side {
            Side::Kernel => Uniform::GRID,
            _ if n < 64 => Uniform { level: Uniformity::Grid, params: 1 << n },
            _ => Uniform::DIVERGENT,
        };
        (fact, Why::Param(n as u32))
    }

    fn join(&self, a: &Uniform, b: &Uniform) -> Uniform {
        a.meet(*b)
    }

    fn join_state(&self, (): &mut (), (): &()) {}

    fn through(&self, value: Value) -> Why {
        Why::Operand(value)
    }

    fn inst(
        &mut self,
        cx: &Cx<'_>,
        facts: &FactTable<Uniform>,
        inst: Inst,
        (): &mut (),
        out: &mut Outcome<Self>,
    ) {
        let results = cx.func.inst_results(inst);
        if results.is_empty() {
            return;
        }
        let (fact, why) = self.transfer(cx, facts, inst);
        if fact == Uniform::GRID {
            return;
        }
        for &v in results {
            out.set(v, fact, why);
        }
    }

    fn terminator(&mut self, cx: &Cx<'_>, facts: &FactTable<Uniform>, block: Node, out: &mut Outcome<Self>) {
        if !cx.control.is_branch(block) {
            return;
        }
        let here = cx.control.block(block);
        let fact = match deciding_value(cx.func, here) {
            Some(v) => facts[v],
            // Whether a callee throws.
            None => Uniform::DIVERGENT,
        };
        let old = self.branches[block as usize];
        let new = old.meet(fact);
        if new == old {
            return;
        }
        self.branches[block as usize] = new;
        let influence =
            self.influences[block as usize].get_or_insert_with(|| cx.control.influence(block)).clone();
        for Join { node, edges } in influence.joins {
            let at = &mut self.joins[node as usize];
            match at.iter_mut().find(|m| m.branch == block) {
                Some(met) => met.fact = new,
                None => at.push(DivergentJoin { branch: block, fact: new, edges }),
            }
            out.revisit.push(node);
        }
        for &cycle in &influence.cycles {
            for &v in &self.live_out[cycle] {
                out.set(v, new, Why::Temporal(here));
            }
        }
    }

    fn at_join(&mut self, cx: &Cx<'_>, block: Node, param: usize) -> Option<(Uniform, Why)> {
        let mut found: Option<(Uniform, &DivergentJoin)> = None;
        for met in &self.joins[block as usize] {
            let old = found.map_or(Uniform::GRID, |(fact, _)| fact);
            if old.meet(met.fact) == old || same_incoming(cx, &met.edges, param) {
                continue;
            }
            let lowest = match found {
                Some((_, other)) if other.fact.level <= met.fact.level => other,
                _ => met,
            };
            found = Some((old.meet(met.fact), lowest));
        }
        found.map(|(fact, met)| (fact, Why::Join(cx.control.block(met.branch))))
    }

    fn unknown(&mut self, _: &Cx<'_>, inst: Inst) -> (Uniform, Why) {
        (Uniform::DIVERGENT, Why::Source(inst))
    }
}

/// Whether these edges bring one value (or equal constants) to a parameter.
fn same_incoming(cx: &Cx<'_>, edges: &[(Node, u32)], param: usize) -> bool {
    let mut first: Option<Value> = None;
    for &(from, k) in edges {
        match incoming_arg(cx, from, k, param) {
            Some(Arg::Value(v)) => match first {
                None => first = Some(v),
                Some(f) if f == v => {}
                Some(f) => {
                    let (a, b) = (cx.func.const_bits(f), cx.func.const_bits(v));
                    if a.is_none() || a != b {
                        return false;
                    }
                }
            },
            _ => return false,
        }
    }
    true
}

/// Device functions without side effects whose result depends on their arguments alone.
pub fn is_pure_native(func: &Function) -> bool {
    const NAMES: &[&str] = &[
        "sin",
        "cos",
        "tan",
        "asin",
        "acos",
        "atan",
        "atan2",
        "sinh",
        "cosh",
        "tanh",
        "asinh",
        "acosh",
        "atanh",
        "exp",
        "exp2",
        "exp10",
        "expm1",
        "log",
        "log2",
        "log10",
        "log1p",
        "pow",
        "sqrt",
        "rsqrt",
        "cbrt",
        "rcbrt",
        "hypot",
        "rhypot",
        "floor",
        "ceil",
        "trunc",
        "round",
        "rint",
        "nearbyint",
        "fmod",
        "remainder",
        "fmin",
        "fmax",
        "fdim",
        "fabs",
        "fma",
        "ldexp",
        "scalbn",
        "erf",
        "erfc",
        "erfinv",
        "tgamma",
        "lgamma",
        "sinpi",
        "cospi",
        "copysign",
        "nextafter",
        "logb",
        "ilogb",
        "lrint",
        "llrint",
        "lround",
        "llround",
        "abs",
        "labs",
        "llabs",
        "fdivide",
        "saturate",
        "mul24",
        "umul24",
        "sad",
        "usad",
        "brev",
        "popc",
        "clz",
        "ffs",
    ];
    let sig = &func.sig;
    if sig.ret.is_none() || sig.variadic || sig.params.iter().any(|p| p.ty.is_ptr()) {
        return false;
    }
    let name = func.name.strip_suffix(DEVICE_SUFFIX).unwrap_or(&func.name);
    let name = name.strip_prefix("__builtin_").or(name.strip_prefix("__")).unwrap_or(name);
    let name = name.strip_prefix("nv_").unwrap_or(name);
    let bare = name.strip_suffix('f').unwrap_or(name);
    NAMES.contains(&name) || NAMES.contains(&bare)
}

impl Divergence<'_> {
    fn level(&self, level: Uniformity) -> Uniform {
        Uniform::of(self.root.shape.lift(level))
    }

    /// The meet of values and the one that decides it.
    fn operands(facts: &FactTable<Uniform>, values: impl IntoIterator<Item = Value>) -> (Uniform, Why) {
        let mut fact = Uniform::GRID;
        let mut why: Option<Value> = None;
        for v in values {
            let f = facts[v];
            let joined = fact.meet(f);
            if joined != fact {
                if why.is_none_or(|w| facts[v].level < facts[w].level) {
                    why = Some(v);
                }
                fact = joined;
            }
        }
        // Without a decisive operand the fact is the greatest one, whose cause nobody asks for.
        (fact, why.map_or(Why::Param(0), Why::Operand))
    }

    fn transfer(&self, cx: &Cx<'_>, facts: &FactTable<Uniform>, inst: Inst) -> (Uniform, Why) {
        use InstData::*;
        let source = (self.level(Uniformity::Divergent), Why::Source(inst));
        match cx.func.insts[inst] {
            Const { .. } | FuncAddr { .. } => (Uniform::GRID, Why::Source(inst)),
            // Each block has its own shared variables.
            GlobalAddr { global } if cx.module.globals[global].space == Space::Shared => {
                (self.level(Uniformity::Block), Why::Source(inst))
            }
            GlobalAddr { .. } => (Uniform::GRID, Why::Source(inst)),
            // Each thread has its own locals.
            SlotAddr { .. } | Alloca { .. } => source,
            Special { reg } => (self.level(self.root.shape.special(reg)), Why::Source(inst)),
            Binary { op, args, .. } => match self.warp_number(cx, op, args) {
                Some(level) => (self.level(level), Why::Operand(args[0])),
                None => Self::operands(facts, args),
            },
            Unary { .. }
            | Cast { .. }
            | Icmp { .. }
            | Fcmp { .. }
            | Ternary { .. }
            | PtrAdd { .. }
            | PtrDiff { .. } => {
                let mut args: SmallVec<[Value; 4]> = SmallVec::new();
                cx.func.for_each_arg(inst, |v| args.push(v));
                Self::operands(facts, args)
            }
            Load { flags, ptr, .. } => self.load(cx, facts, inst, flags, ptr),
            AtomicLoad { .. } | AtomicRmw { .. } | AtomicCas { .. } => source,
            // All threads of the block get the barrier's result.
            Barrier { .. } => (self.level(Uniformity::Block), Why::Source(inst)),
            Shfl { mode: ShflMode::Idx, mask, lane, width, .. } if cx.func.const_int(width) == Some(32) => {
                let way = facts[mask].meet(facts[lane]);
                self.warp_wide(way, inst)
            }
            Shfl { .. } | Match { mode: MatchMode::Any, .. } | ActiveMask { .. } => source,
            Vote { mode, mask, pred, .. } => {
                let (m, p) = (facts[mask], facts[pred]);
                let known = m.params == 0 && p.params == 0;
                if known && m.level >= Uniformity::Block && p.level >= Uniformity::Block {
                    let fact = if mode == VoteMode::Ballot { m.meet(p) } else { p };
                    return (fact, Why::Operand(pred));
                }
                self.warp_wide(m, inst)
            }
            Match { mode: MatchMode::All, mask, .. } | Reduce { mask, .. } => {
                self.warp_wide(facts[mask], inst)
            }
            Call { func, ref args, .. } => {
                let args = args.as_slice(&cx.func.pool);
                if cx.module.funcs[func].layout.is_empty() {
                    if is_pure_native(&cx.module.funcs[func]) {
                        return Self::operands(facts, args.iter().copied());
                    }
                    return source;
                }
                self.call(facts, func, args, inst)
            }
            CallIndirect { callee, ref args, .. } => {
                let args = args.as_slice(&cx.func.pool);
                let candidates = self.root.graph.callees(cx.module, cx.id, inst);
                if candidates.is_empty() {
                    return source;
                }
                let mut out = (facts[callee], Why::Operand(callee));
                for f in candidates {
                    let (fact, why) = self.call(facts, f, args, inst);
                    let joined = out.0.meet(fact);
                    if joined != out.0 {
                        out = (joined, why);
                    }
                }
                out
            }
            VaArg { .. } | Launch { .. } | LaunchIndirect { .. } => source,
            insts!(NoResult) => (Uniform::GRID, Why::Source(inst)),
        }
    }

    /// What all lanes of a warp that take part get alike, provided they name one mask (and source lane).
    fn warp_wide(&self, way: Uniform, inst: Inst) -> (Uniform, Why) {
        let fact = if way.level >= Uniformity::Warp {
            Uniform { params: way.params, ..self.level(Uniformity::Warp) }
        } else {
            self.level(Uniformity::Divergent)
        };
        (fact, Why::Source(inst))
    }

    /// `threadIdx.x / 32` in all its spellings: the number of the warp.
    fn warp_number(&self, cx: &Cx<'_>, op: BinaryOp, [a, b]: [Value; 2]) -> Option<Uniformity> {
        let amount = cx.func.const_int(b)?;
        let whole = match op {
            BinaryOp::Udiv | BinaryOp::Sdiv => amount > 0 && amount % 32 == 0,
            BinaryOp::Lshr | BinaryOp::Ashr => (5..32).contains(&amount),
            _ => false,
        };
        let mut at = a;
        loop {
            match cx.func.insts[cx.func.def_inst(at)?] {
                InstData::Cast { op: CastOp::Zext | CastOp::Sext, arg, .. } => at = arg,
                InstData::Special { reg: SpecialReg::TidX } => break,
                _ => return None,
            }
        }
        (whole && self.root.shape.rows_are_warps()).then_some(Uniformity::Warp)
    }

    fn call(&self, facts: &FactTable<Uniform>, callee: FuncId, args: &[Value], inst: Inst) -> (Uniform, Why) {
        let result = self.results.get(&callee).copied().unwrap_or(Uniform::GRID);
        let fact = result.bind(|n| args.get(n).map_or(Uniform::DIVERGENT, |&v| facts[v]));
        let lowest = (0..64)
            .filter(|n| result.params >> n & 1 == 1)
            .filter_map(|n: usize| args.get(n).copied())
            .min_by_key(|&v| facts[v].level);
        let why = match lowest {
            Some(v) if facts[v].level < result.level || result.level == Uniformity::Grid => Why::Operand(v),
            _ => Why::Return(inst),
        };
        (fact, why)
    }

    fn load(
        &self,
        cx: &Cx<'_>,
        facts: &FactTable<Uniform>,
        inst: Inst,
        flags: MemFlags,
        ptr: Value,
    ) -> (Uniform, Why) {
        let address = (facts[ptr], Why::Operand(ptr));
        let source = (self.level(Uniformity::Divergent), Why::Load { load: inst, write: None });
        if address.0.level == Uniformity::Divergent {
            return address;
        }
        if flags.volatile {
            return source;
        }
        let Some(memory) = self.root.memory.funcs.get(&cx.id) else { return source };
        match memory.source(cx, ptr) {
            Source::Constant => address,
            Source::Private => source,
            Source::Place(place) => {
                let stable =
                    cx.func.side == Side::Kernel && self.root.stable_loads.is_some_and(|s| s.contains(&inst));
                match memory.conflict(self.root.memory, inst, place, self.root.race_free) {
                    Some(write) if !stable => {
                        (self.level(Uniformity::Divergent), Why::Load { load: inst, write })
                    }
                    // Other blocks may write, in an interval of theirs.
                    _ if place.is_shared()
                        || memory.is_written(self.root.memory, place, self.root.race_free) =>
                    {
                        let block = self.level(Uniformity::Block);
                        if block.level < address.0.level {
                            (address.0.meet(block), Why::Load { load: inst, write: None })
                        } else {
                            address
                        }
                    }
                    _ => address,
                }
            }
        }
    }
}
