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

use super::term::*;
use crate::analysis::control::{Control, Node as Block};
use crate::analysis::engine::{Arg, Cx, incoming_arg};
use crate::analysis::memory::{Place, Source, is_read_only_native};
use crate::analysis::shape::Shape;
use crate::analysis::uniformity::{FuncUniformity, RootContext, RootUniformity, is_pure_native};
use cranelift_entity::SecondaryMap;
use cudair_ir::*;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// The most terms that a summary may have.
const MAX_TERMS: usize = 200_000;

/// The object that a pointer points into.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Base {
    /// A variable of static storage.
    Global(GlobalId),
    /// The block's dynamic shared memory, which all its declarations share.
    DynamicShared,
    /// What a parameter points to, or the aggregate that is passed.
    Param(u32),
    /// What a pointer member of an aggregate parameter points to: parameter, byte offset of the member.
    Member(u32, u32),
    /// A local variable of the thread.
    Private,
    /// None: the null pointer.
    Null,
    /// A function.
    Code,
    /// What this value points to is not known.
    Other(Value),
    /// The object of a loop head's parameter, until it is known.
    Phi(Value),
}

impl Base {
    /// Whether other threads may see it.
    fn is_visible(self) -> bool {
        !matches!(self, Base::Private | Base::Null | Base::Code)
    }
}

/// What a pointer is where a condition holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PtrCase {
    /// The condition.
    pub cond: Term,
    /// The object.
    pub base: Base,
    /// Bytes from its start, 64 bits.
    pub offset: Term,
}

/// What a value is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Val {
    /// A number.
    Int(Term),
    /// A pointer: exactly one of the cases holds.
    Ptr(SmallVec<[PtrCase; 1]>),
}

/// How memory is touched.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Touch {
    /// A load.
    Read,
    /// A store.
    Write,
    /// An atomic operation.
    Atomic {
        /// Whether it may write.
        writes: bool,
        /// Whether it is atomic to threads of other blocks, too.
        wide: bool,
    },
}

impl Touch {
    /// Whether it may write.
    pub fn writes(self) -> bool {
        matches!(self, Touch::Write | Touch::Atomic { writes: true, .. })
    }
}

/// An access.
#[derive(Clone, Debug)]
pub struct Access {
    /// The instruction.
    pub inst: Inst,
    /// Its block.
    pub block: Block,
    /// Its number in the block.
    pub at: usize,
    /// What it does.
    pub touch: Touch,
    /// Whether it is volatile.
    pub volatile: bool,
    /// The object.
    pub base: Base,
    /// What other threads can see of it, told without terms.
    pub place: Place,
    /// Bytes from its start, 64 bits.
    pub offset: Term,
    /// How many bytes, 64 bits.
    pub bytes: Term,
    /// When it happens.
    pub guard: Term,
    /// What it writes, if that is a number.
    pub value: Option<Term>,
}

/// What is known of a loop.
#[derive(Clone, Debug, Default)]
pub struct LoopFacts {
    /// When another iteration follows that of the counter; none before the loop has been followed.
    pub again: Option<Term>,
    /// What holds in each iteration if no counter of the program wraps around.
    pub fits: Vec<Term>,
}

/// What could not be followed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Gap {
    /// What, as the end of a sentence ("… is not followed").
    pub what: String,
    /// Where.
    pub loc: Option<Loc>,
}

/// The summary.
pub struct Summary<'a> {
    /// The function.
    pub cx: Cx<'a>,
    /// The terms.
    pub terms: Terms,
    /// Every access to memory that other threads may see, in the order of blocks.
    pub accesses: Vec<Access>,
    /// When each block is reached.
    pub guards: Vec<Term>,
    /// The loops.
    pub loops: Vec<LoopFacts>,
    /// What could not be followed.
    pub gaps: Vec<Gap>,
    values: SecondaryMap<Value, Option<Val>>,
    home: SecondaryMap<Value, u32>,
}

/// A parameter of a loop's head, until its closed form is known.
struct Phi {
    param: Value,
    cycle: usize,
    init: Val,
}

struct Follower<'a, 'b> {
    root: &'b RootContext<'a>,
    uniformity: &'b FuncUniformity,
    shape: &'a Shape,
    s: Summary<'a>,
    phis: Vec<Phi>,
    /// Terms with the counter of a cycle replaced by the last iteration's.
    left: FxHashMap<(Term, usize), Term>,
    /// What the loads of each thread's own memory are not told from.
    full: bool,
}

/// Follows the kernel of `root`.
pub fn summarize<'a>(root: &RootContext<'a>, uniformity: &RootUniformity, kernel: FuncId) -> Summary<'a> {
    let cx = root.cx(kernel);
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
        guards: Vec::with_capacity(n),
        loops: vec![LoopFacts::default(); cx.control.cycle_count()],
        gaps: Vec::new(),
        values: SecondaryMap::new(),
        home,
    };
    let mut follower = Follower {
        root,
        uniformity: &uniformity.funcs[&kernel],
        shape: root.shape,
        s: summary,
        phis: Vec::new(),
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

    /// Whether an object is shared memory.
    pub fn is_shared(&self, base: Base) -> bool {
        match base {
            Base::Global(g) => self.cx.module.globals[g].space == Space::Shared,
            Base::DynamicShared => true,
            _ => false,
        }
    }

    /// What a value is, where it was followed: as a reader in its own block sees it.
    pub fn value(&self, v: Value) -> Option<&Val> {
        self.values[v].as_ref()
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
        let head = control.cycle_head(cycle);
        let mut scope = Uniformity::Grid;
        for from in control.exiting(cycle) {
            scope = scope.min(self.uniformity.branches[from as usize].level);
        }
        let args: Args = {
            let outer: SmallVec<[usize; 4]> = control.cycles_of(head).filter(|&c| c != cycle).collect();
            outer.iter().rev().map(|&c| self.s.counter(c)).collect()
        };
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
        let cond = self.s.terms.truth(true);
        let offset = self.s.terms.constant(0, 64);
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
        let args = self.s.counters(node);
        let scope = self.uniformity.facts[param].level;
        let ty = self.s.cx.func.value_type(param);
        let atom = self.s.terms.app(Func::Value(param), scope, args, ty.bits());
        let val = if ty.is_ptr() {
            let cond = self.s.terms.truth(true);
            Val::Ptr(SmallVec::from_slice(&[PtrCase { cond, base: Base::Phi(param), offset: atom }]))
        } else {
            Val::Int(atom)
        };
        self.phis.push(Phi { param, cycle, init });
        val
    }

    /// What nothing is known of.
    fn unknown(&mut self, v: Value, node: Block) -> Val {
        let ty = self.s.cx.func.value_type(v);
        if ty.is_ptr() { self.pointer(Base::Other(v)) } else { Val::Int(self.opaque(v, node)) }
    }

    /// An unknown function of the counters.
    fn opaque(&mut self, v: Value, node: Block) -> Term {
        let args = self.s.counters(node);
        let scope = self.uniformity.facts[v].level;
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

    fn inst(&mut self, node: Block, at: usize, inst: Inst) {
        let func = self.s.cx.func;
        if self.full {
            return;
        }
        self.touches(node, at, inst);
        if let Some(v) = func.result(inst) {
            let val = self.result(node, inst, v);
            self.s.values[v] = Some(val);
        }
    }

    /// The value that an instruction gives.
    fn result(&mut self, node: Block, inst: Inst, v: Value) -> Val {
        use InstData::*;
        let func = self.s.cx.func;
        let width = func.value_type(v).bits();
        match func.insts[inst] {
            Const { ty, bits } if ty.is_ptr() => {
                self.pointer(if bits == 0 { Base::Null } else { Base::Other(v) })
            }
            Const { bits, .. } => Val::Int(self.s.terms.constant(bits, width)),
            GlobalAddr { global } => {
                let g = &self.s.cx.module.globals[global];
                let dynamic = g.space == Space::Shared && g.dynamic;
                self.pointer(if dynamic { Base::DynamicShared } else { Base::Global(global) })
            }
            FuncAddr { .. } => self.pointer(Base::Code),
            SlotAddr { .. } | Alloca { .. } => self.pointer(Base::Private),
            Special { reg } => Val::Int(self.special(reg, v, node)),
            Unary { op, arg, .. } => Val::Int(self.unary(op, arg, node)),
            Binary { op, args, .. } => Val::Int(self.binary(op, args, node)),
            Cast { op, arg, .. } => self.cast(op, arg, v, node),
            Icmp { cc, args } => Val::Int(self.icmp(cc, args, v, node)),
            Fcmp { cc, args } => {
                let args = args.map(|a| self.int(a, node));
                Val::Int(self.s.terms.app(
                    Func::Op(fcmp_name(cc)),
                    Uniformity::Grid,
                    Args::from_slice(&args),
                    1,
                ))
            }
            Ternary { op: TernaryOp::Select, args: [c, a, b] } => {
                let cond = self.int(c, node);
                let (a, b) = (self.value(a, node), self.value(b, node));
                let truth = self.s.terms.truth(true);
                self.choose(&[(cond, a), (truth, b)]).unwrap_or_else(|| self.unknown(v, node))
            }
            Ternary { op, args } => {
                let args: Args = args.iter().map(|&a| self.int(a, node)).collect();
                Val::Int(self.s.terms.app(Func::Op(op.name()), Uniformity::Grid, args, width))
            }
            PtrAdd { ptr, offset } => {
                let mut cases = self.ptr(ptr, node);
                let by = self.int(offset, node);
                for c in &mut cases {
                    c.offset = self.s.terms.add(c.offset, by);
                }
                Val::Ptr(cases)
            }
            PtrDiff { args: [a, b] } => match (&self.ptr(a, node)[..], &self.ptr(b, node)[..]) {
                ([x], [y]) if x.base == y.base => Val::Int(self.s.terms.sub(x.offset, y.offset)),
                _ => self.unknown(v, node),
            },
            Load { ptr, flags, .. } => self.load(ptr, flags, v, node),
            Call { func: callee, ref args, .. } if is_pure_native(&self.s.cx.module.funcs[callee]) => {
                let args = args.as_slice(&func.pool).to_vec();
                let args: Args = args.into_iter().map(|a| self.int(a, node)).collect();
                Val::Int(self.s.terms.app(Func::Native(callee), Uniformity::Grid, args, width))
            }
            _ => self.unknown(v, node),
        }
    }

    fn extent(&mut self, known: Option<u32>, sym: Sym) -> Term {
        match known {
            Some(n) => self.s.terms.constant(n.into(), 32),
            None => self.s.terms.sym(sym, 32),
        }
    }

    fn index(&mut self, extent: Option<u32>, sym: Sym) -> Term {
        match extent {
            Some(1) => self.s.terms.constant(0, 32),
            _ => self.s.terms.sym(sym, 32),
        }
    }

    fn special(&mut self, reg: SpecialReg, v: Value, node: Block) -> Term {
        use SpecialReg::*;
        let (block, grid) = (self.shape.block, self.shape.grid);
        let dim = |first: SpecialReg| (reg as u8).wrapping_sub(first as u8);
        match reg {
            TidX | TidY | TidZ => {
                let d = dim(TidX);
                self.index(block[d as usize], Sym::Tid(d))
            }
            CtaidX | CtaidY | CtaidZ => {
                let d = dim(CtaidX);
                self.index(grid[d as usize], Sym::Bid(d))
            }
            NtidX | NtidY | NtidZ => {
                let d = dim(NtidX);
                self.extent(block[d as usize], Sym::BlockDim(d))
            }
            NctaidX | NctaidY | NctaidZ => {
                let d = dim(NctaidX);
                self.extent(grid[d as usize], Sym::GridDim(d))
            }
            Warpsize => self.s.terms.constant(32, 32),
            DynSmemSize => self.s.terms.sym(Sym::DynamicShared, 32),
            Laneid | Warpid => {
                let linear = linear_thread(&mut self.s.terms, self.shape);
                let warp = self.s.terms.constant(32, 32);
                let op = if reg == Laneid { BinaryOp::Urem } else { BinaryOp::Udiv };
                self.s.terms.binary(op, linear, warp)
            }
            Smid | ClusterNctaidX | ClusterNctaidY | ClusterNctaidZ | IsExplicitCluster | Clock
            | Globaltimer => self.opaque(v, node),
        }
    }

    fn unary(&mut self, op: UnaryOp, arg: Value, node: Block) -> Term {
        let a = self.int(arg, node);
        let (width, ty) = (self.s.terms.width(a), self.s.cx.func.value_type(arg));
        match op {
            UnaryOp::Ineg => {
                let zero = self.s.terms.constant(0, width);
                self.s.terms.sub(zero, a)
            }
            UnaryOp::Inot => self.s.terms.not(a),
            _ => match self.s.terms.bits(a) {
                Some(bits) if ty.is_int() => {
                    let (bits, _) = eval::unary(op, false, ty, bits);
                    self.s.terms.constant(bits, width)
                }
                _ => self.s.terms.app(Func::Op(op.name()), Uniformity::Grid, Args::from_slice(&[a]), width),
            },
        }
    }

    fn binary(&mut self, op: BinaryOp, [a, b]: [Value; 2], node: Block) -> Term {
        use BinaryOp::*;
        let (a, b) = (self.int(a, node), self.int(b, node));
        let terms = &mut self.s.terms;
        let width = terms.width(a);
        match op {
            Iadd | Isub | Imul | Sdiv | Udiv | Srem | Urem | And | Or | Xor | Shl | Lshr | Ashr => {
                terms.binary(op, a, b)
            }
            Smin | Smax | Umin | Umax => {
                let cc = if matches!(op, Smin | Smax) { IntCC::Slt } else { IntCC::Ult };
                let less = terms.compare(cc, a, b);
                if matches!(op, Smin | Umin) { terms.ite(less, a, b) } else { terms.ite(less, b, a) }
            }
            Smulhi | Umulhi | Rotl | Fadd | Fsub | Fmul | Fdiv | Frem | Fmin | Fmax | Fcopysign => {
                terms.app(Func::Op(op.name()), Uniformity::Grid, Args::from_slice(&[a, b]), width)
            }
        }
    }

    fn cast(&mut self, op: CastOp, arg: Value, v: Value, node: Block) -> Val {
        let to = self.s.cx.func.value_type(v);
        match op {
            CastOp::Spacecast => return Val::Ptr(self.ptr(arg, node)),
            CastOp::Ptrtoint | CastOp::Inttoptr => return self.unknown(v, node),
            CastOp::Bitcast if to.is_ptr() || self.s.cx.func.value_type(arg).is_ptr() => {
                return self.unknown(v, node);
            }
            _ => {}
        }
        let a = self.int(arg, node);
        let (terms, width) = (&mut self.s.terms, to.bits());
        Val::Int(match op {
            CastOp::Trunc => terms.trunc(a, width),
            CastOp::Zext => terms.zext(a, width),
            CastOp::Sext => terms.sext(a, width),
            CastOp::Bitcast if terms.width(a) == width => a,
            _ => terms.app(Func::Op(op.name()), Uniformity::Grid, Args::from_slice(&[a]), width),
        })
    }

    fn icmp(&mut self, cc: IntCC, [a, b]: [Value; 2], v: Value, node: Block) -> Term {
        if !self.s.cx.func.value_type(a).is_ptr() {
            let (a, b) = (self.int(a, node), self.int(b, node));
            return self.s.terms.compare(cc, a, b);
        }
        match (&self.ptr(a, node)[..], &self.ptr(b, node)[..]) {
            ([x], [y]) if x.base == y.base && !matches!(x.base, Base::Other(_)) => {
                self.s.terms.compare(cc, x.offset, y.offset)
            }
            _ => self.opaque(v, node),
        }
    }

    /// What a load gives.
    fn load(&mut self, ptr: Value, flags: MemFlags, v: Value, node: Block) -> Val {
        let (cx, ty) = (self.s.cx, self.s.cx.func.value_type(v));
        let Some(memory) = self.root.memory.funcs.get(&cx.id) else { return self.unknown(v, node) };
        let stable = match memory.source(&cx, ptr) {
            Source::Constant => true,
            Source::Private => false,
            Source::Place(place) => {
                let written = &self.root.memory.written;
                !written.iter().any(|&w| self.root.memory.may_overlap(w, place, true))
            }
        };
        let cases = self.ptr(ptr, node);
        let [case] = &cases[..] else { return self.unknown(v, node) };
        let base = match case.base {
            Base::Global(g) => MemoryBase::Global(g),
            Base::Param(n) => MemoryBase::Param(n),
            Base::Member(n, at) => MemoryBase::Member(n, at),
            _ => return self.unknown(v, node),
        };
        if !stable || flags.volatile {
            return self.unknown(v, node);
        }
        if ty.is_ptr() {
            // A pointer in an aggregate that is passed.
            let attr = match case.base {
                Base::Param(n) => cx.func.sig.params.get(n as usize).map(|p| (n, p.attr)),
                _ => None,
            };
            return match (attr, self.s.terms.bits(case.offset)) {
                (Some((n, ParamAttr::ByVal { .. })), Some(at)) => self.pointer(Base::Member(n, at as u32)),
                _ => self.unknown(v, node),
            };
        }
        let args = Args::from_slice(&[case.offset]);
        Val::Int(self.s.terms.app(Func::Memory(base), Uniformity::Grid, args, ty.bits()))
    }

    /// Writes down what an instruction touches.
    fn touches(&mut self, node: Block, at: usize, inst: Inst) {
        use InstData::*;
        let cx = self.s.cx;
        let func = cx.func;
        let bytes = |ty: Type| u64::from(ty.access_bytes());
        match func.insts[inst] {
            Load { ty, flags, ptr, .. } => {
                self.access(node, at, inst, Touch::Read, flags.volatile, ptr, bytes(ty), None);
            }
            Store { flags, value, ptr, .. } => {
                let size = bytes(func.value_type(value));
                let what = match self.value(value, node) {
                    Val::Int(t) => Some(t),
                    Val::Ptr(_) => None,
                };
                self.access(node, at, inst, Touch::Write, flags.volatile, ptr, size, what);
            }
            MemCopy { dst, src, len, .. } => {
                let len = self.int(len, node);
                self.access_of(node, at, inst, Touch::Read, false, src, len, None);
                self.access_of(node, at, inst, Touch::Write, false, dst, len, None);
            }
            MemFill { dst, len, .. } => {
                let len = self.int(len, node);
                self.access_of(node, at, inst, Touch::Write, false, dst, len, None);
            }
            AtomicLoad { ty, ptr, scope, .. } => {
                let touch = Touch::Atomic { writes: false, wide: scope != Scope::Block };
                self.access(node, at, inst, touch, false, ptr, bytes(ty), None);
            }
            AtomicStore { value, ptr, scope, .. }
            | AtomicRmw { value, ptr, scope, .. }
            | AtomicCas { new: value, ptr, scope, .. } => {
                let touch = Touch::Atomic { writes: true, wide: scope != Scope::Block };
                self.access(node, at, inst, touch, false, ptr, bytes(func.value_type(value)), None);
            }
            Call { func: callee, .. } => {
                let f = &cx.module.funcs[callee];
                // What a native function does to memory or for the order of threads is not known.
                if !(f.is_declaration() && (is_read_only_native(f) || is_pure_native(f))) {
                    self.s.gap(inst, format!("a call of `{}`", f.display_name));
                }
            }
            Barrier { kind, .. } if kind.is_cluster() => self.s.gap(inst, "a barrier of a cluster"),
            Launch { .. } | LaunchIndirect { .. } => self.s.gap(inst, "a launch by the kernel"),
            CallIndirect { .. } | InvokeIndirect { .. } | Invoke { .. } => {
                self.s.gap(inst, "a call through a pointer");
            }
            VaArg { .. } | Va { .. } => self.s.gap(inst, "an access to variable arguments"),
            _ => {}
        }
    }

    #[allow(clippy::too_many_arguments)]
    fn access(
        &mut self,
        node: Block,
        at: usize,
        inst: Inst,
        touch: Touch,
        volatile: bool,
        ptr: Value,
        bytes: u64,
        value: Option<Term>,
    ) {
        let bytes = self.s.terms.constant(bytes.into(), 64);
        self.access_of(node, at, inst, touch, volatile, ptr, bytes, value);
    }

    #[allow(clippy::too_many_arguments)]
    fn access_of(
        &mut self,
        block: Block,
        at: usize,
        inst: Inst,
        touch: Touch,
        volatile: bool,
        ptr: Value,
        bytes: Term,
        value: Option<Term>,
    ) {
        let cx = self.s.cx;
        let space = cx.func.value_type(ptr).space();
        if matches!(space, Some(Space::Const | Space::Local | Space::Code)) {
            return;
        }
        let source = self.root.memory.funcs.get(&cx.id).map(|m| m.source(&cx, ptr));
        let place = match source {
            Some(Source::Place(place)) => place,
            Some(Source::Constant | Source::Private) => return,
            None => Place::Any,
        };
        for case in self.ptr(ptr, block) {
            let constant = match case.base {
                Base::Global(g) => cx.module.globals[g].space == Space::Const,
                Base::Param(n) => {
                    cx.func.sig.params.get(n as usize).is_some_and(|p| p.attr != ParamAttr::None)
                }
                _ => false,
            };
            if constant || !case.base.is_visible() {
                continue;
            }
            let guard = self.s.terms.and(self.s.guards[block as usize], case.cond);
            if self.s.terms.bits(guard) == Some(0) {
                continue;
            }
            let (base, offset) = (case.base, case.offset);
            let access =
                Access { inst, block, at, touch, volatile, base, place, offset, bytes, guard, value };
            self.s.accesses.push(access);
        }
    }

    /// Puts in closed forms where loops have them.
    fn close(&mut self) {
        let phis = std::mem::take(&mut self.phis);
        let mut closed: FxHashMap<Value, Term> = FxHashMap::default();
        let mut bases: FxHashMap<Value, Base> = FxHashMap::default();
        for phi in &phis {
            if let Some((form, base)) = self.closed_form(phi) {
                closed.insert(phi.param, form);
                if let Some(base) = base {
                    bases.insert(phi.param, base);
                }
            }
        }
        let mut heads: FxHashMap<Value, Vec<Term>> = FxHashMap::default();
        for phi in &phis {
            let head = self.s.cx.control.cycle_head(phi.cycle);
            let counters = self.s.counters(head).to_vec();
            heads.insert(phi.param, counters);
        }
        let resolved_base = |mut b: Base| {
            for _ in 0..=bases.len() {
                let Base::Phi(p) = b else { return b };
                b = bases.get(&p).copied().unwrap_or(Base::Other(p));
            }
            b
        };
        // An outer loop's closed form may stand in an inner one's: until nothing changes.
        let mut done: FxHashMap<Term, Term> = FxHashMap::default();
        let mut resolve = |terms: &mut Terms, t: Term| {
            let mut t = t;
            for _ in 0..8 {
                done.clear();
                let new = terms.rewrite(t, &mut done, &mut |terms, at| {
                    let Node::App { func: Func::Value(p), args, .. } = terms.node(at).clone() else {
                        return None;
                    };
                    let form = *closed.get(&p)?;
                    let with: Vec<(Term, Term)> = heads[&p].iter().copied().zip(args).collect();
                    Some(terms.replace(form, &with))
                });
                if new == t {
                    break;
                }
                t = new;
            }
            t
        };
        let mut accesses = std::mem::take(&mut self.s.accesses);
        for a in &mut accesses {
            a.base = resolved_base(a.base);
            for t in [&mut a.offset, &mut a.bytes, &mut a.guard].into_iter().chain(&mut a.value) {
                *t = resolve(&mut self.s.terms, *t);
            }
        }
        accesses.retain(|a| a.base.is_visible() && self.s.terms.bits(a.guard) != Some(0));
        self.s.accesses = accesses;
        let mut guards = std::mem::take(&mut self.s.guards);
        for g in &mut guards {
            *g = resolve(&mut self.s.terms, *g);
        }
        self.s.guards = guards;
        let mut loops = std::mem::take(&mut self.s.loops);
        for l in &mut loops {
            for t in l.again.iter_mut().chain(&mut l.fits) {
                *t = resolve(&mut self.s.terms, *t);
            }
        }
        self.s.loops = loops;
    }

    /// What a head's parameter is in the iteration of the counter, and for a pointer its object.
    fn closed_form(&mut self, phi: &Phi) -> Option<(Term, Option<Base>)> {
        let cx = self.s.cx;
        let control = cx.control;
        let head = control.cycle_head(phi.cycle);
        let n = cx.func.block_params(control.block(head)).iter().position(|&p| p == phi.param)?;
        let mut next: Option<Val> = None;
        for &(from, k) in control.incoming(head) {
            if !control.is_back_edge(from, head) {
                continue;
            }
            let Some(Arg::Value(v)) = incoming_arg(&cx, from, k, n) else { return None };
            let val = self.value(v, from);
            // From an inner cycle's end.
            let val = self.leave_val(val, from, head);
            match &next {
                None => next = Some(val),
                Some(other) if *other == val => {}
                Some(_) => return None,
            }
        }
        let (init, next, base) = match (&phi.init, next?) {
            (Val::Int(init), Val::Int(next)) => (*init, next, None),
            (Val::Ptr(init), Val::Ptr(next)) => match (&init[..], &next[..]) {
                ([i], [n]) if n.base == Base::Phi(phi.param) || n.base == i.base => {
                    (i.offset, n.offset, Some(i.base))
                }
                _ => return None,
            },
            _ => return None,
        };
        let args = self.s.counters(head);
        let scope = self.uniformity.facts[phi.param].level;
        let width = self.s.terms.width(init);
        let own = self.s.terms.app(Func::Value(phi.param), scope, args, width);
        let counter = self.s.counter(phi.cycle);
        if let Some(step) = minus(&mut self.s.terms, next, own) {
            if self.varies(step, phi.cycle) {
                return None;
            }
            return Some((self.sum(init, step, counter, phi.cycle, width), base));
        }
        // A shift by the same amount in each iteration.
        let Node::Binary(op, x, by) = *self.s.terms.node(next) else { return None };
        if x != own || self.varies(by, phi.cycle) {
            return None;
        }
        let amount = match op {
            BinaryOp::Lshr | BinaryOp::Ashr => by,
            // Doubling.
            BinaryOp::Imul => {
                let factor = self.s.terms.bits(by).filter(|f| f.is_power_of_two())?;
                self.s.terms.constant(factor.trailing_zeros().into(), width)
            }
            _ => return None,
        };
        let k = if width < 64 { self.s.terms.trunc(counter, width) } else { counter };
        let total = self.s.terms.mul(amount, k);
        // So many iterations that the amount wraps around are none.
        let most = self.s.terms.constant(u128::from(u8::MAX), 64);
        let few = self.s.terms.compare(IntCC::Ule, counter, most);
        self.s.loops[phi.cycle].fits.push(few);
        let op = if op == BinaryOp::Imul { BinaryOp::Shl } else { op };
        Some((self.s.terms.binary(op, init, total), base))
    }

    /// `init + step * counter`, which the summary says does not wrap around.
    fn sum(&mut self, init: Term, step: Term, counter: Term, cycle: usize, width: u32) -> Term {
        let terms = &mut self.s.terms;
        if width >= 64 {
            let all = terms.mul(step, counter);
            return terms.add(init, all);
        }
        let (i, s) = (terms.sext(init, 64), terms.sext(step, 64));
        let all = terms.mul(s, counter);
        let wide = terms.add(i, all);
        let short = terms.trunc(wide, width);
        let again = terms.sext(short, 64);
        let fits = terms.compare(IntCC::Eq, again, wide);
        self.s.loops[cycle].fits.push(fits);
        short
    }

    /// Whether a term may change from one iteration of a cycle to the next.
    fn varies(&self, t: Term, cycle: usize) -> bool {
        self.s
            .terms
            .mentions(t, |n| matches!(n, Node::Sym { sym: Sym::Counter(c), .. } if *c == cycle as u32))
    }
}

/// What is added to `part` to make `t`, if it is a sum with it.
fn minus(terms: &mut Terms, t: Term, part: Term) -> Option<Term> {
    if t == part {
        let width = terms.width(t);
        return Some(terms.constant(0, width));
    }
    match *terms.node(t) {
        Node::Binary(BinaryOp::Iadd, a, b) => {
            if let Some(rest) = minus(terms, a, part) {
                return Some(terms.add(rest, b));
            }
            let rest = minus(terms, b, part)?;
            Some(terms.add(a, rest))
        }
        Node::Binary(BinaryOp::Isub, a, b) => {
            let rest = minus(terms, a, part)?;
            Some(terms.sub(rest, b))
        }
        _ => None,
    }
}

/// The number of a thread in its block.
pub fn linear_thread(terms: &mut Terms, shape: &Shape) -> Term {
    let mut linear = terms.constant(0, 32);
    for d in (0..3u8).rev() {
        if shape.block[d as usize] == Some(1) {
            continue;
        }
        let extent = match shape.block[d as usize] {
            Some(n) => terms.constant(n.into(), 32),
            None => terms.sym(Sym::BlockDim(d), 32),
        };
        let index = terms.sym(Sym::Tid(d), 32);
        let scaled = terms.mul(linear, extent);
        linear = terms.add(scaled, index);
    }
    linear
}

/// The name of a floating comparison as a function.
fn fcmp_name(cc: FloatCC) -> &'static str {
    use FloatCC::*;
    match cc {
        Oeq => "fcmp.oeq",
        One => "fcmp.one",
        Olt => "fcmp.olt",
        Ole => "fcmp.ole",
        Ogt => "fcmp.ogt",
        Oge => "fcmp.oge",
        Ord => "fcmp.ord",
        Uno => "fcmp.uno",
        Ueq => "fcmp.ueq",
        Une => "fcmp.une",
        Ult => "fcmp.ult",
        Ule => "fcmp.ule",
        Ugt => "fcmp.ugt",
        Uge => "fcmp.uge",
    }
}
