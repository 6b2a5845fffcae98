//! The summary of a kernel: what each value is as a term, under which condition each block is reached, and every
//! access to memory that other threads can see.
//!
//! The kernel is followed once, block by block, in the topological order of its [`Control`]. A loop is followed for
//! one iteration, whose number is a symbol ([`Sym::Counter`]); outside of the loop the number of the last iteration
//! ([`Func::Exit`]) takes its place. A parameter of a loop's head gets a closed form where each iteration adds the
//! same, or shifts by the same; else it is an unknown function of the counter. Where paths meet, values and
//! conditions are joined by choices, so that no path is lost and none is looked at alone (gated single assignment, as
//! in Tu & Padua, "Gated SSA-based demand-driven symbolic analysis", 1995).
//!
//! Data that the kernel loads is an unknown function of the counters; from memory that the kernel never writes it is
//! a function of the address. Which threads agree in it is what the analysis of uniformity says.
//!
//! What cannot be followed is written down as a [`Gap`]: who proves something from a summary must look at them.

mod accesses;
mod closed;
mod context;
mod forward;
mod parts;
mod texels;
mod values;

pub use accesses::OTHER_BLOCK;
pub use forward::computes;
pub use parts::*;

use super::budget::Budget;
use super::term::*;
use crate::analysis::control::{Control, Node as Block};
use crate::analysis::engine::{Arg, Cx, incoming_arg};
use crate::analysis::memory::{Place, RootMemory, Source, is_read_only_native};
use crate::analysis::points_to::{PointsTo, Target};
use crate::analysis::shape::Shape;
use crate::analysis::uniformity::{FuncUniformity, RootContext, RootUniformity, is_pure_native};
use cranelift_entity::SecondaryMap;
use cudair_ir::*;
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;
use std::rc::Rc;

/// The most terms that a summary may have.
const MAX_TERMS: usize = 200_000;

/// The summary.
pub struct Summary<'a> {
    /// The function.
    pub cx: Cx<'a>,
    /// The terms.
    pub terms: Terms,
    /// Every access to memory that other threads may see, in the order of blocks.
    pub accesses: Vec<Access>,
    /// What one thread may do wrong.
    pub suspects: Vec<Suspect>,
    /// When each block is reached.
    pub guards: Vec<Term>,
    /// The loops.
    pub loops: Vec<LoopFacts>,
    /// What could not be followed.
    pub gaps: Vec<Gap>,
    /// It calls a function whose body is in files that nobody has here.
    pub calls_elsewhere: bool,
    /// It is told what pointers point to that come out of local variables, which have to be written before they are read.
    pub reads_locals: bool,
    /// It reads back what it has written itself where other threads see it: no other one writes there meanwhile.
    pub reads_back: bool,
    /// It reads back over a write to what another parameter points to.
    pub reads_past_parameters: bool,
    /// It reads textures: what these show is taken not to change.
    pub reads_textures: bool,
    /// No launch is as the host's code and the assumptions say.
    pub impossible: bool,
    /// Barriers with numbers that are proved to be ones of the whole block.
    pub block_barriers: FxHashSet<Inst>,
    /// The launches and calls of host code.
    pub sites: Vec<CallSite>,
    /// Its allocations of device memory.
    pub allocations: Vec<Allocation>,
    /// Where pointer parameters point to: bytes from the start of an object, and the object's bytes, 64 bits each.
    pub extents: Vec<Option<(Term, Term)>>,
    /// Whether the bytes of dynamic shared memory are told.
    pub dynamic_told: bool,
    /// Its signed operations.
    pub signed: Vec<Signed>,
    /// Sums and products that are exact where no signed arithmetic overflows.
    pub exact: FxHashSet<Term>,
    /// The host's code says something of the launch.
    pub launched: bool,
    /// The axes along which it tells how many blocks there are.
    pub told_along: [bool; 3],
    /// All of the launch is told, and nothing is taken for granted.
    pub told: bool,
    /// Loops that no thread leaves in the first iteration, as far as a launch that is told shows it.
    pub repeats: FxHashSet<usize>,
    /// What holds of the launch, besides its shape.
    pub launch: Vec<Term>,
    /// What else the host's code says of the launch, which no question about the kernel hangs on.
    pub untold: Vec<Term>,
    /// What the solver may spend on the kernel; nothing limits it where there is none.
    pub budget: Option<Rc<Budget>>,
    /// Barriers of which the solver ran out of time before it told whether threads meet there.
    pub cut: Vec<Inst>,
    /// It ran out of time at some question.
    pub any_cut: bool,
    /// Somebody wants a launch of each finding.
    pub wants_counterexamples: bool,
    /// A launch in which threads do not meet at a barrier.
    pub diverging: Option<Counterexample>,
    /// Parameters that point into what another one points to.
    pub aliases: Vec<Alias>,
    values: SecondaryMap<Value, Option<Val>>,
    home: SecondaryMap<Value, u32>,
    forms: closed::Forms,
}

/// A parameter of a loop's head, until its closed form is known.
struct Phi {
    param: Value,
    cycle: usize,
    init: Val,
}

struct Follower<'a, 'b> {
    /// Two parameters are taken to point to distinct memory.
    distinct: bool,
    /// What a kernel does to memory; none for host code, whose memory is not followed.
    memory: Option<&'b RootMemory>,
    /// Which threads agree in a kernel's values; host code has one thread.
    uniformity: Option<&'b FuncUniformity>,
    shape: &'b Shape,
    s: Summary<'a>,
    phis: Vec<Phi>,
    /// The only object that a parameter of a loop's head may point into.
    objects: FxHashMap<Value, Base>,
    /// What pointers in local variables point to.
    points_to: PointsTo,
    /// Terms with the counter of a cycle replaced by the last iteration's.
    left: FxHashMap<(Term, usize), Term>,
    /// There are too many terms: the rest is not followed.
    full: bool,
}

/// Follows the kernel of `root`.
pub fn summarize<'a>(root: &RootContext<'a>, uniformity: &RootUniformity, kernel: FuncId) -> Summary<'a> {
    let uniformity = &uniformity.funcs[&kernel];
    let mut s = follow(root.cx(kernel), Some((root.memory, root.race_free)), Some(uniformity), root.shape);
    s.block_barriers = root.block_barriers.cloned().unwrap_or_default();
    s
}

/// Follows a function of the host: what it computes, and when it comes where. Its memory is not followed: what it loads
/// is unknown.
pub fn summarize_host(cx: Cx<'_>) -> Summary<'_> {
    follow(cx, None, None, &Shape::default())
}

fn follow<'a>(
    cx: Cx<'a>,
    memory: Option<(&RootMemory, bool)>,
    uniformity: Option<&FuncUniformity>,
    shape: &Shape,
) -> Summary<'a> {
    let n = cx.control.len();
    let mut home: SecondaryMap<Value, u32> = SecondaryMap::new();
    for node in 0..n as u32 {
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
    let summary = Summary {
        cx,
        terms: Terms::default(),
        accesses: Vec::new(),
        suspects: Vec::new(),
        guards: Vec::with_capacity(n),
        loops: vec![LoopFacts::default(); cx.control.cycle_count()],
        gaps: Vec::new(),
        calls_elsewhere: false,
        reads_back: false,
        reads_past_parameters: false,
        reads_textures: false,
        reads_locals: false,
        impossible: false,
        block_barriers: FxHashSet::default(),
        sites: Vec::new(),
        signed: Vec::new(),
        allocations: Vec::new(),
        extents: Vec::new(),
        dynamic_told: false,
        exact: FxHashSet::default(),
        launched: false,
        budget: None,
        cut: Vec::new(),
        any_cut: false,
        told_along: [false; 3],
        told: false,
        repeats: FxHashSet::default(),
        launch: Vec::new(),
        untold: Vec::new(),
        wants_counterexamples: false,
        diverging: None,
        aliases: Vec::new(),
        values: SecondaryMap::new(),
        home,
        forms: closed::Forms::default(),
    };
    let mut follower = Follower {
        distinct: memory.is_some_and(|m| m.1),
        memory: memory.map(|m| m.0),
        uniformity,
        shape,
        s: summary,
        phis: Vec::new(),
        objects: FxHashMap::default(),
        points_to: if memory.is_some() { PointsTo::new(cx.func) } else { PointsTo::default() },
        left: FxHashMap::default(),
        full: false,
    };
    follower.run();
    follower.s
}

impl Summary<'_> {
    /// The counters of the cycles around a block, outermost first.
    fn counters(&mut self, block: Block) -> Args {
        let cycles: SmallVec<[usize; 4]> = self.cx.control.cycles_of(block).collect();
        cycles.iter().rev().map(|&c| self.counter(c)).collect()
    }

    /// The counter of a cycle.
    pub fn counter(&mut self, cycle: usize) -> Term {
        self.terms.sym(Sym::Counter(cycle as u32), 64)
    }

    /// A number as the block `at` sees it, in the iteration of its counters; none where it is not known as a term, or comes
    /// out of a loop that was left.
    pub fn number_at(&mut self, v: Value, at: Block) -> Option<Term> {
        let control = self.cx.control;
        let home = self.home[v];
        match self.values[v] {
            Some(Val::Int(t)) if control.cycles_of(home).all(|c| control.contains(c, at)) => {
                Some(self.forms.resolve(&mut self.terms, t, &mut FxHashMap::default()))
            }
            _ => None,
        }
    }

    /// When a thread fails an assumption outside of loops.
    pub fn failed_assumptions(&self) -> Vec<Term> {
        let outside = |s: &&Suspect| self.cx.control.cycles_of(s.block).next().is_none();
        let stated = self.suspects.iter().filter(|s| s.fault == Fault::Assumption);
        stated.filter(outside).map(|s| s.guard).collect()
    }

    /// Whether it was followed to its end.
    pub fn is_whole(&self) -> bool {
        self.terms.len() <= MAX_TERMS
    }

    /// Whether an object is shared memory.
    pub fn is_shared(&self, base: Base) -> bool {
        match base {
            Base::Global(g) => self.cx.module.globals[g].space == Space::Shared,
            Base::DynamicShared => true,
            _ => false,
        }
    }

    /// Whether the kernel names any shared memory.
    pub fn names_shared(&self) -> bool {
        let func = self.cx.func;
        (func.layout.iter().flat_map(|&b| func.block_insts(b))).any(|&inst| match func.insts[inst] {
            InstData::GlobalAddr { global } => self.cx.module.globals[global].space == Space::Shared,
            _ => false,
        })
    }

    /// Whether an access through a pointer of which nothing is known may be to shared memory.
    pub fn may_be_shared(&self, a: &Access) -> bool {
        !a.base.is_known() && (a.place == Place::Any || a.place.is_shared())
    }

    fn gap(&mut self, inst: Inst, what: impl Into<String>) {
        let gap = Gap { what: what.into(), loc: self.cx.func.locs[inst].expand() };
        if !self.gaps.contains(&gap) {
            self.gaps.push(gap);
        }
    }
}

impl<'a> Follower<'a, '_> {
    fn run(&mut self) {
        let control: &'a Control = self.s.cx.control;
        for node in 0..control.len() as u32 {
            if self.s.terms.len() > MAX_TERMS {
                self.full = true;
            }
            self.enter(node);
            let insts = self.s.cx.func.block_insts(control.block(node));
            for (at, &inst) in insts.iter().enumerate() {
                self.inst(node, at, inst);
            }
        }
        if self.full {
            self.s.gaps.push(Gap { what: "a kernel of this size".to_owned(), loc: None });
        }
        for cycle in 0..control.cycle_count() {
            let again = self.again(cycle);
            self.s.loops[cycle].again = Some(again);
            if control.is_irreducible(cycle) {
                self.s.gaps.push(Gap { what: "a loop with several entries".to_owned(), loc: None });
            }
        }
        self.close();
    }

    /// When another iteration of a cycle follows.
    fn again(&mut self, cycle: usize) -> Term {
        let control = self.s.cx.control;
        let head = control.cycle_head(cycle);
        let mut again = self.s.terms.truth(false);
        for &(from, k) in control.incoming(head) {
            if control.is_back_edge(from, head) {
                let edge = self.edge(from, k, head);
                again = self.s.terms.or(again, edge);
            }
        }
        again
    }

    /// When an edge is taken, as its target sees it.
    fn edge(&mut self, from: Block, k: u32, to: Block) -> Term {
        let cond = self.branch(from, k);
        let guard = self.s.guards.get(from as usize).copied();
        let Some(guard) = guard else { return self.s.terms.truth(true) };
        let both = self.s.terms.and(guard, cond);
        self.leave(both, from, to)
    }

    /// When a block's terminator goes to its target number `k`.
    fn branch(&mut self, from: Block, k: u32) -> Term {
        let cx = self.s.cx;
        let yes = self.s.terms.truth(true);
        let Some(inst) = cx.func.terminator(cx.control.block(from)) else { return yes };
        match cx.func.insts[inst] {
            InstData::Branch { cond, .. } => {
                let c = self.int(cond, from);
                if k == 0 { c } else { self.s.terms.not(c) }
            }
            InstData::Switch { arg, table } => {
                let a = self.int(arg, from);
                let width = self.s.terms.width(a);
                let cases: Vec<u128> = cx.func.tables[table].cases.iter().map(|c| c.0).collect();
                // The default comes behind the cases.
                match cases.get(k as usize) {
                    Some(&bits) => {
                        let c = self.s.terms.constant(bits, width);
                        self.s.terms.compare(IntCC::Eq, a, c)
                    }
                    None => {
                        let mut other = yes;
                        for bits in cases {
                            let c = self.s.terms.constant(bits, width);
                            let ne = self.s.terms.compare(IntCC::Ne, a, c);
                            other = self.s.terms.and(other, ne);
                        }
                        other
                    }
                }
            }
            _ => yes,
        }
    }

    /// A term as a block outside of cycles sees it in which it was made.
    fn leave(&mut self, mut t: Term, from: Block, to: Block) -> Term {
        let control = self.s.cx.control;
        let cycles: SmallVec<[usize; 4]> = control.cycles_of(from).collect();
        for c in cycles {
            if control.contains(c, to) {
                break;
            }
            t = self.leave_one(t, c);
        }
        t
    }

    fn leave_one(&mut self, t: Term, cycle: usize) -> Term {
        if let Some(&known) = self.left.get(&(t, cycle)) {
            return known;
        }
        let last = self.exit(cycle);
        let counter = self.s.counter(cycle);
        let new = self.s.terms.replace(t, &[(counter, last)]);
        self.left.insert((t, cycle), new);
        new
    }

    /// The iteration in which a cycle is left.
    fn exit(&mut self, cycle: usize) -> Term {
        let control = self.s.cx.control;
        let mut scope = Uniformity::Grid;
        for from in control.exiting(cycle) {
            scope = scope.min(match self.uniformity {
                Some(u) => u.branches[from as usize].level,
                None => Uniformity::Grid,
            });
        }
        let args: Args = control.around(cycle).into_iter().map(|c| self.s.counter(c)).collect();
        self.s.terms.app(Func::Exit(cycle as u32), scope, args, 64)
    }

    /// The guard and the parameters of a block.
    fn enter(&mut self, node: Block) {
        let cx = self.s.cx;
        let control = cx.control;
        let head = control.cycle_of_head(node);
        let mut edges: SmallVec<[(Block, u32, Term); 4]> = SmallVec::new();
        for &(from, k) in control.incoming(node) {
            if control.is_back_edge(from, node) {
                continue;
            }
            let when = self.edge(from, k, node);
            edges.push((from, k, when));
        }
        let mut guard = self.s.terms.truth(node == 0);
        for &(_, _, when) in &edges {
            guard = self.s.terms.or(guard, when);
        }
        self.s.guards.push(guard);
        let block = control.block(node);
        for n in 0..cx.func.block_params(block).len() {
            let param = cx.func.block_params(block)[n];
            if node == 0 {
                let val = self.parameter(param, n);
                self.s.values[param] = Some(val);
                continue;
            }
            let joined = self.join(node, param, n, &edges);
            let val = match head {
                None => joined,
                Some(cycle) => self.head_param(node, cycle, param, joined),
            };
            self.s.values[param] = Some(val);
        }
    }

    /// A parameter of the kernel.
    fn parameter(&mut self, param: Value, n: usize) -> Val {
        let cx = self.s.cx;
        let ty = cx.func.value_type(param);
        if ty.is_ptr() {
            return self.pointer(Base::Param(n as u32));
        }
        let known = self.shape.args.get(n).copied().flatten();
        Val::Int(match known {
            Some(bits) => self.s.terms.constant(bits, ty.bits()),
            None => self.s.terms.sym(Sym::Param(n as u32), ty.bits()),
        })
    }

    fn pointer(&mut self, base: Base) -> Val {
        let offset = self.s.terms.constant(0, 64);
        self.pointer_at(base, offset)
    }

    fn pointer_at(&mut self, base: Base, offset: Term) -> Val {
        let cond = self.s.terms.truth(true);
        Val::Ptr(SmallVec::from_slice(&[PtrCase { cond, base, offset }]))
    }

    /// What arrives at parameter `n` of a block over these edges.
    fn join(&mut self, node: Block, param: Value, n: usize, edges: &[(Block, u32, Term)]) -> Val {
        let cx = self.s.cx;
        let mut cases: SmallVec<[(Term, Val); 4]> = SmallVec::new();
        for &(from, k, when) in edges {
            if self.s.terms.bits(when) == Some(0) {
                continue;
            }
            match incoming_arg(&cx, from, k, n) {
                Some(Arg::Value(v)) => {
                    let val = self.value(v, from);
                    let val = self.leave_val(val, from, node);
                    cases.push((when, val));
                }
                Some(Arg::Result(_)) | None => return self.unknown(param, node),
            }
        }
        self.choose(&cases).unwrap_or_else(|| self.unknown(param, node))
    }

    fn leave_val(&mut self, val: Val, from: Block, to: Block) -> Val {
        match val {
            Val::Int(t) => Val::Int(self.leave(t, from, to)),
            Val::Ptr(mut cases) => {
                for c in &mut cases {
                    c.cond = self.leave(c.cond, from, to);
                    c.offset = self.leave(c.offset, from, to);
                }
                Val::Ptr(cases)
            }
        }
    }

    /// The value of the condition that holds; the last one's where none of the others does.
    fn choose(&mut self, cases: &[(Term, Val)]) -> Option<Val> {
        let (last, rest) = cases.split_last()?;
        let mut out = last.1.clone();
        for (cond, val) in rest.iter().rev() {
            out = match (val.clone(), out) {
                (a, b) if a == b => a,
                (Val::Int(a), Val::Int(b)) => Val::Int(self.s.terms.ite(*cond, a, b)),
                (Val::Ptr(a), Val::Ptr(b)) => Val::Ptr(self.choose_ptr(*cond, &a, &b)),
                _ => return None,
            };
        }
        Some(out)
    }

    fn choose_ptr(&mut self, cond: Term, a: &[PtrCase], b: &[PtrCase]) -> SmallVec<[PtrCase; 1]> {
        // One object under all conditions stays one case.
        if let ([x], [y]) = (a, b)
            && x.base == y.base
        {
            let offset = self.s.terms.ite(cond, x.offset, y.offset);
            return SmallVec::from_slice(&[PtrCase { offset, ..*x }]);
        }
        let not = self.s.terms.not(cond);
        let mut out = SmallVec::new();
        for (when, cases) in [(cond, a), (not, b)] {
            for c in cases {
                let both = self.s.terms.and(when, c.cond);
                if self.s.terms.bits(both) != Some(0) {
                    out.push(PtrCase { cond: both, ..*c });
                }
            }
        }
        out
    }

    /// A parameter of a loop's head: an unknown function of the counter until the loop has been followed.
    fn head_param(&mut self, node: Block, cycle: usize, param: Value, init: Val) -> Val {
        let ty = self.s.cx.func.value_type(param);
        if ty.is_ptr() {
            let targets = self.targets(param);
            if targets.len() > 1 {
                return self.one_of(param, node, &targets);
            }
            self.objects.extend(targets.first().map(|&base| (param, base)));
        }
        let args = self.s.counters(node);
        let scope = self.level(param);
        let atom = self.s.terms.app(Func::Value(param), scope, args, ty.bits());
        let val = if ty.is_ptr() { self.pointer_at(Base::Phi(param), atom) } else { Val::Int(atom) };
        self.phis.push(Phi { param, cycle, init });
        val
    }

    /// Which threads agree in a value.
    fn level(&self, v: Value) -> Uniformity {
        self.uniformity.map_or(Uniformity::Grid, |u| u.facts[v].level)
    }

    /// What nothing is known of.
    fn unknown(&mut self, v: Value, node: Block) -> Val {
        if !self.s.cx.func.value_type(v).is_ptr() {
            return Val::Int(self.opaque(v, node));
        }
        let targets = self.targets(v);
        if targets.is_empty() { self.pointer(Base::Other(v)) } else { self.one_of(v, node, &targets) }
    }

    /// The objects that a kernel's pointer may point into; none where that is not known.
    fn targets(&mut self, v: Value) -> SmallVec<[Base; 2]> {
        let found = self.memory.and_then(|_| self.points_to.of(&self.s.cx, v));
        let Some((targets, loads)) = found else { return SmallVec::new() };
        self.s.reads_locals |= loads;
        let base = |t: Target| match t {
            Target::Global(g) => self.variable(g),
            Target::Param(n) => Base::Param(n),
            Target::Member(n, at) => Base::Member(n, at),
            Target::Private => Base::Private,
            Target::Code(f) => Base::Code(f),
        };
        targets.into_iter().map(base).collect()
    }

    /// A pointer into one of some objects, somewhere.
    fn one_of(&mut self, v: Value, node: Block, objects: &[Base]) -> Val {
        let offset = self.opaque(v, node);
        let (args, scope) = (self.s.counters(node), self.level(v));
        let number = self.s.terms.app(Func::Target(v), scope, args, 8);
        let mut rest = self.s.terms.truth(true);
        let mut cases = SmallVec::new();
        for (n, &base) in objects.iter().enumerate() {
            let mut cond = rest;
            if n + 1 < objects.len() {
                let n = self.s.terms.constant(n as u128, 8);
                let is = self.s.terms.compare(IntCC::Eq, number, n);
                cond = self.s.terms.and(rest, is);
                let not = self.s.terms.not(is);
                rest = self.s.terms.and(rest, not);
            }
            cases.push(PtrCase { cond, base, offset });
        }
        Val::Ptr(cases)
    }

    /// A variable as an object.
    fn variable(&self, global: GlobalId) -> Base {
        let g = &self.s.cx.module.globals[global];
        if g.space == Space::Shared && g.dynamic { Base::DynamicShared } else { Base::Global(global) }
    }

    /// An unknown function of the counters.
    fn opaque(&mut self, v: Value, node: Block) -> Term {
        let args = self.s.counters(node);
        let scope = self.level(v);
        let width = self.s.cx.func.value_type(v).bits();
        self.s.terms.app(Func::Value(v), scope, args, width)
    }

    /// A value as a block sees it.
    fn value(&mut self, v: Value, at: Block) -> Val {
        let home = self.s.home[v];
        match self.s.values[v].clone() {
            Some(val) => self.leave_val(val, home, at),
            None => self.unknown(v, home),
        }
    }

    fn int(&mut self, v: Value, at: Block) -> Term {
        match self.value(v, at) {
            Val::Int(t) => t,
            Val::Ptr(_) => self.opaque(v, at),
        }
    }

    fn ptr(&mut self, v: Value, at: Block) -> SmallVec<[PtrCase; 1]> {
        match self.value(v, at) {
            Val::Ptr(cases) => cases,
            Val::Int(_) => match self.pointer(Base::Other(v)) {
                Val::Ptr(cases) => cases,
                Val::Int(_) => SmallVec::new(),
            },
        }
    }

    /// Writes down a launch, or a call of a function with a body.
    fn site(&mut self, node: Block, inst: Inst) {
        let cx = self.s.cx;
        self.allocation(node, inst);
        let (callee, args) = match cx.func.insts[inst] {
            InstData::Launch { kernel, ref args, .. } => (kernel, args),
            InstData::Call { func, ref args, .. } | InstData::Invoke { func, ref args, .. }
                if !cx.module.funcs[func].is_declaration() =>
            {
                (func, args)
            }
            _ => return,
        };
        let (mut numbers, mut pointers) = (Vec::new(), Vec::new());
        for v in args.as_slice(&cx.func.pool).to_vec() {
            let (number, pointer) = match self.value(v, node) {
                Val::Int(t) => (Some(t), None),
                Val::Ptr(cases) => match cases[..] {
                    [case] => (None, Some((case.base, case.offset))),
                    _ => (None, None),
                },
            };
            numbers.push(number);
            pointers.push(pointer);
        }
        self.s.sites.push(CallSite { inst, block: node, callee, args: numbers, pointers });
    }

    /// Writes down an allocation of device memory.
    fn allocation(&mut self, block: Block, inst: Inst) {
        let func = self.s.cx.func;
        let Some((slot, bytes)) = allocated(self.s.cx.module, func, inst) else { return };
        let bytes = self.int(bytes, block);
        if self.s.terms.width(bytes) == 64 {
            self.s.allocations.push(Allocation { slot, block, bytes });
        }
    }

    fn inst(&mut self, node: Block, at: usize, inst: Inst) {
        let func = self.s.cx.func;
        if self.full {
            return;
        }
        match self.memory {
            Some(memory) => self.touches(memory, node, at, inst),
            None => self.site(node, inst),
        }
        if let Some(v) = func.result(inst) {
            let val = self.result(node, inst, v);
            self.s.values[v] = Some(val);
        }
    }
}

/// What a call that allocates device memory puts into a variable: the variable, and the bytes.
pub fn allocated(module: &Module, func: &Function, inst: Inst) -> Option<(Slot, Value)> {
    let (InstData::Call { func: callee, ref args, .. } | InstData::Invoke { func: callee, ref args, .. }) =
        func.insts[inst]
    else {
        return None;
    };
    let name = &module.funcs[callee].name;
    if !matches!(name.as_str(), "cudaMalloc" | "cudaMallocManaged" | "cudaMallocAsync") {
        return None;
    }
    let &[ptr, bytes, ..] = args.as_slice(&func.pool) else { return None };
    match func.insts[func.def_inst(ptr)?] {
        InstData::SlotAddr { slot } => Some((slot, bytes)),
        _ => None,
    }
}

/// How many threads a block has along an axis.
pub fn block_extent(terms: &mut Terms, shape: &Shape, d: u8) -> Term {
    match shape.block[usize::from(d)] {
        Some(n) => terms.constant(n.into(), 32),
        None => terms.sym(Sym::BlockDim(d), 32),
    }
}

/// The number of a thread in its block.
pub fn linear_thread(terms: &mut Terms, shape: &Shape) -> Term {
    let mut linear = terms.constant(0, 32);
    for d in (0..3u8).rev() {
        if shape.block[d as usize] == Some(1) {
            continue;
        }
        let extent = block_extent(terms, shape, d);
        let index = terms.sym(Sym::Tid(d), 32);
        let scaled = terms.mul(linear, extent);
        linear = terms.add(scaled, index);
    }
    linear
}
