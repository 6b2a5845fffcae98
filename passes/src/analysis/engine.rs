//! The abstract interpreter: one fixed-point engine into which a domain is plugged.
//!
//! A [`Domain`] says what is known of a value (its *fact*), what is known at a point beyond that (its
//! *state*: memory, path conditions), how two of either join, and what each instruction makes of them.
//! The engine keeps one fact per value (the IR is SSA) and one state per edge, and iterates over the
//! blocks in the topological order of [`Control`]: an inner cycle is stable before what follows it is
//! looked at, as in a weak topological order (Bourdoncle, "Efficient chaotic iteration strategies with
//! widenings", 1993). Facts of cycle heads are widened after a few rounds and may be narrowed at the end.
//!
//! With each fact goes its *cause*, the one that last moved the fact up the lattice. Since a cause was
//! in place before the fact that it explains, following causes ends.
//!
//! The iteration is optimistic: it starts from the least fact (`Default`), and an edge that the domain
//! calls infeasible contributes nothing until it becomes feasible.

use super::control::{Control, Node};
use cranelift_entity::SecondaryMap;
use cudair_ir::{FuncId, Function, Inst, InstData, Module, Value};
use smallvec::SmallVec;

/// Rounds over a cycle before its head is widened.
const WIDEN_AFTER: u32 = 4;

/// What a domain sees of the function under analysis.
#[derive(Clone, Copy)]
pub struct Cx<'a> {
    /// The module.
    pub module: &'a Module,
    /// The function's name in it.
    pub id: FuncId,
    /// The function.
    pub func: &'a Function,
    /// Its control structure.
    pub control: &'a Control,
}

/// A table with what is known of each value.
pub type FactTable<F> = SecondaryMap<Value, F>;

/// Something that can be known of values and points.
pub trait Domain {
    /// What is known of a value. The default is the least element: nothing has been seen yet.
    type Fact: Clone + PartialEq + Default;
    /// Why.
    type Cause: Clone;
    /// What is known at a point besides the facts of values.
    type State: Clone + PartialEq;

    /// How many descending sweeps follow the fixed point.
    const NARROWING: u32 = 0;

    /// The state at the function's entry.
    fn entry(&mut self, cx: &Cx<'_>) -> Self::State;

    /// The fact of the function's parameter `n`.
    fn param(&mut self, cx: &Cx<'_>, n: usize) -> (Self::Fact, Self::Cause);

    /// The least upper bound.
    fn join(&self, a: &Self::Fact, b: &Self::Fact) -> Self::Fact;

    /// The least upper bound of states.
    fn join_state(&self, into: &mut Self::State, from: &Self::State);

    /// What replaces `new` at a cycle head that keeps growing. Must end every ascending chain.
    fn widen(&self, _old: &Self::Fact, new: &Self::Fact) -> Self::Fact {
        new.clone()
    }

    /// The same for states.
    fn widen_state(&self, _old: &Self::State, new: Self::State) -> Self::State {
        new
    }

    /// What replaces `old` when a descending sweep found `new` below it.
    fn narrow(&self, _old: &Self::Fact, new: &Self::Fact) -> Self::Fact {
        new.clone()
    }

    /// The cause of a fact that came in with `value` through a join.
    fn through(&self, value: Value) -> Self::Cause;

    /// What an instruction makes of its operands: sets the facts of its results and changes the state.
    fn inst(
        &mut self,
        cx: &Cx<'_>,
        facts: &FactTable<Self::Fact>,
        inst: Inst,
        state: &mut Self::State,
        out: &mut Outcome<Self>,
    );

    /// Called once the instructions of a block have been evaluated, its terminator included.
    fn terminator(
        &mut self,
        _cx: &Cx<'_>,
        _facts: &FactTable<Self::Fact>,
        _block: Node,
        _out: &mut Outcome<Self>,
    ) {
    }

    /// The state on the n-th way out of a block, or `None` if no execution takes it.
    fn edge(
        &mut self,
        _cx: &Cx<'_>,
        _facts: &FactTable<Self::Fact>,
        _from: Node,
        _n: u32,
        state: &Self::State,
    ) -> Option<Self::State> {
        Some(state.clone())
    }

    /// What a parameter of a block gets besides its arguments, because control chooses among them.
    fn at_join(&mut self, _cx: &Cx<'_>, _block: Node, _param: usize) -> Option<(Self::Fact, Self::Cause)> {
        None
    }

    /// The fact of a value that the engine cannot see come in (the result of an `invoke`).
    fn unknown(&mut self, cx: &Cx<'_>, inst: Inst) -> (Self::Fact, Self::Cause);
}

/// What the evaluation of an instruction gives.
pub struct Outcome<D: Domain + ?Sized> {
    /// Facts to be joined to values, anywhere in the function.
    pub facts: Vec<(Value, D::Fact, D::Cause)>,
    /// Blocks to look at again (their [`Domain::at_join`] changed).
    pub revisit: Vec<Node>,
}

impl<D: Domain + ?Sized> Outcome<D> {
    /// Joins `fact` to a value.
    pub fn set(&mut self, value: Value, fact: D::Fact, cause: D::Cause) {
        self.facts.push((value, fact, cause));
    }
}

/// The fixed point.
pub struct Solution<D: Domain> {
    /// Each value's fact.
    pub facts: FactTable<D::Fact>,
    /// Why; `None` where the fact is still the least one.
    pub causes: SecondaryMap<Value, Option<D::Cause>>,
    /// The state at each block's entry; `None` where no execution arrives.
    pub entry: Vec<Option<D::State>>,
}

/// Runs `domain` on a function to its fixed point.
pub fn solve<D: Domain>(cx: &Cx<'_>, domain: &mut D) -> Solution<D> {
    let mut engine = Engine::new(cx, domain);
    engine.ascend();
    engine.descend();
    engine.solution
}

struct Engine<'a, 'm, D: Domain> {
    cx: &'a Cx<'m>,
    domain: &'a mut D,
    solution: Solution<D>,
    /// States on the ways out of each block.
    out: Vec<SmallVec<[Option<D::State>; 2]>>,
    /// Blocks that read each value.
    readers: SecondaryMap<Value, SmallVec<[Node; 2]>>,
    visits: Vec<u32>,
    dirty: Dirty,
    outcome: Outcome<D>,
    /// Whether facts may only grow.
    ascending: bool,
    changed: bool,
}

impl<'a, 'm, D: Domain> Engine<'a, 'm, D> {
    fn new(cx: &'a Cx<'m>, domain: &'a mut D) -> Engine<'a, 'm, D> {
        let n = cx.control.len();
        let mut readers: SecondaryMap<Value, SmallVec<[Node; 2]>> = SecondaryMap::new();
        for node in 0..n as u32 {
            let mut read = |v: Value, by: Node| {
                if !readers[v].contains(&by) {
                    readers[v].push(by);
                }
            };
            for &inst in cx.func.block_insts(cx.control.block(node)) {
                // Arguments of targets are read by the target; reading them here as well is harmless.
                cx.func.for_each_arg(inst, |v| read(v, node));
                cx.func.for_each_target(inst, |call| {
                    if let Some(to) = cx.control.node(call.block) {
                        for &v in call.args.as_slice(&cx.func.pool) {
                            read(v, to);
                        }
                    }
                });
            }
        }
        Engine {
            cx,
            domain,
            solution: Solution {
                facts: SecondaryMap::new(),
                causes: SecondaryMap::new(),
                entry: vec![None; n],
            },
            out: cx.control.order.iter().map(|_| SmallVec::new()).collect(),
            readers,
            visits: vec![0; n],
            dirty: Dirty::new(n),
            outcome: Outcome { facts: Vec::new(), revisit: Vec::new() },
            ascending: true,
            changed: false,
        }
    }

    fn ascend(&mut self) {
        if self.cx.control.is_empty() {
            return;
        }
        self.dirty.insert(0);
        while let Some(node) = self.dirty.pop() {
            self.visit(node);
        }
    }

    fn descend(&mut self) {
        self.ascending = false;
        for _ in 0..D::NARROWING {
            self.changed = false;
            for node in 0..self.cx.control.len() as u32 {
                self.visit(node);
            }
            if !self.changed {
                break;
            }
        }
    }

    fn visit(&mut self, node: Node) {
        let Some(mut state) = self.arrive(node) else { return };
        self.visits[node as usize] += 1;
        self.params(node);
        let block = self.cx.control.block(node);
        for &inst in self.cx.func.block_insts(block) {
            self.domain.inst(self.cx, &self.solution.facts, inst, &mut state, &mut self.outcome);
            self.settle();
        }
        self.domain.terminator(self.cx, &self.solution.facts, node, &mut self.outcome);
        self.settle();
        let targets = self.cx.control.targets(node).len();
        self.out[node as usize].resize(targets, None);
        for k in 0..targets {
            let new = self.domain.edge(self.cx, &self.solution.facts, node, k as u32, &state);
            let old = &mut self.out[node as usize][k];
            if *old != new {
                *old = new;
                self.changed = true;
                self.dirty.insert(self.cx.control.targets(node)[k]);
            }
        }
    }

    /// The state at the entry of a block, or `None` while nothing arrives.
    fn arrive(&mut self, node: Node) -> Option<D::State> {
        let mut state = if node == 0 { Some(self.domain.entry(self.cx)) } else { None };
        for &(from, k) in self.cx.control.incoming(node) {
            let Some(Some(edge)) = self.out[from as usize].get(k as usize) else { continue };
            match &mut state {
                None => state = Some(edge.clone()),
                Some(s) => self.domain.join_state(s, edge),
            }
        }
        let new = state?;
        let slot = &mut self.solution.entry[node as usize];
        let widen = self.ascending
            && self.visits[node as usize] >= WIDEN_AFTER
            && self.cx.control.is_cycle_head(node);
        let new = match slot {
            Some(old) if widen => self.domain.widen_state(old, new),
            _ => new,
        };
        *slot = Some(new.clone());
        Some(new)
    }

    fn params(&mut self, node: Node) {
        let cx = self.cx;
        let block = cx.control.block(node);
        for n in 0..cx.func.block_params(block).len() {
            let param = cx.func.block_params(block)[n];
            let mut fact = D::Fact::default();
            let mut cause = None;
            let mut add = |domain: &D, new: (D::Fact, D::Cause)| {
                let joined = domain.join(&fact, &new.0);
                if joined != fact {
                    fact = joined;
                    cause = Some(new.1);
                }
            };
            if node == 0 {
                let new = self.domain.param(cx, n);
                add(self.domain, new);
            }
            for &(from, k) in cx.control.incoming(node) {
                if !matches!(self.out[from as usize].get(k as usize), Some(Some(_))) {
                    continue;
                }
                match incoming_arg(cx, from, k, n) {
                    Some(Arg::Value(v)) => {
                        let new = (self.solution.facts[v].clone(), self.domain.through(v));
                        add(self.domain, new);
                    }
                    Some(Arg::Result(inst)) => {
                        let new = self.domain.unknown(cx, inst);
                        add(self.domain, new);
                    }
                    None => {}
                }
            }
            if let Some(new) = self.domain.at_join(cx, node, n) {
                add(self.domain, new);
            }
            if let Some(cause) = cause {
                let head = cx.control.is_cycle_head(node);
                self.update(param, fact, cause, head && self.visits[node as usize] > WIDEN_AFTER);
            }
        }
    }

    fn settle(&mut self) {
        let mut facts = std::mem::take(&mut self.outcome.facts);
        for (value, fact, cause) in facts.drain(..) {
            self.update(value, fact, cause, false);
        }
        self.outcome.facts = facts;
        for node in self.outcome.revisit.drain(..) {
            self.dirty.insert(node);
        }
    }

    fn update(&mut self, value: Value, fact: D::Fact, cause: D::Cause, widen: bool) {
        let old = &self.solution.facts[value];
        let mut new =
            if self.ascending { self.domain.join(old, &fact) } else { self.domain.narrow(old, &fact) };
        if new == *old {
            return;
        }
        if widen {
            new = self.domain.widen(old, &new);
        }
        self.changed = true;
        self.solution.facts[value] = new;
        self.solution.causes[value] = Some(cause);
        for &node in &self.readers[value] {
            self.dirty.insert(node);
        }
    }
}

/// What an edge brings to a parameter.
pub enum Arg {
    /// An argument.
    Value(Value),
    /// The result or the exception of an `invoke`.
    Result(Inst),
}

/// What the edge number `k` of `from` brings to parameter `n` of its target.
pub fn incoming_arg(cx: &Cx<'_>, from: Node, k: u32, n: usize) -> Option<Arg> {
    let inst = cx.func.terminator(cx.control.block(from))?;
    let invoke = matches!(cx.func.insts[inst], InstData::Invoke { .. } | InstData::InvokeIndirect { .. });
    let mut at = 0;
    let mut found = None;
    cx.func.for_each_target(inst, |call| {
        if at == k {
            let args = call.args.as_slice(&cx.func.pool);
            let params = cx.func.block_params(call.block).len();
            // The first parameter may be the result or the exception, for which no argument stands.
            let skip = if invoke { params.saturating_sub(args.len()) } else { 0 };
            found =
                if n < skip { Some(Arg::Result(inst)) } else { args.get(n - skip).copied().map(Arg::Value) };
        }
        at += 1;
    });
    found
}

/// A set of nodes that gives the least first.
struct Dirty {
    words: Vec<u64>,
    from: usize,
}

impl Dirty {
    fn new(n: usize) -> Dirty {
        Dirty { words: vec![0; n.div_ceil(64)], from: 0 }
    }

    fn insert(&mut self, node: Node) {
        let word = node as usize / 64;
        self.words[word] |= 1 << (node % 64);
        self.from = self.from.min(word);
    }

    fn pop(&mut self) -> Option<Node> {
        while self.from < self.words.len() {
            let word = self.words[self.from];
            if word != 0 {
                let bit = word.trailing_zeros();
                self.words[self.from] &= word - 1;
                return Some(self.from as u32 * 64 + bit);
            }
            self.from += 1;
        }
        None
    }
}
