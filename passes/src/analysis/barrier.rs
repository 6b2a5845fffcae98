//! Barrier divergence: each barrier must be reached by all threads of a block or by none, each time.
//!
//! A barrier is divergent where a branch on which its execution depends ([`super::control::Control::controlling`])
//! may be decided differently by threads of one block. The walk goes down the call graph from the kernel with the
//! arguments' facts, so a helper that is called once with a uniform and once with a divergent argument is
//! reported for the second call only.
//!
//! Severity: an error, unless the threads that do not arrive have left the kernel by an early return, which touches
//! no memory and meets no barrier, and the device counts live threads at a barrier (compute capability 7.0 and up).
//! Certainty: definite where a witness exists
//! ([`super::witness`]); what is only possible is a warning.
//!
//! What it may miss: barriers in functions that are reached by recursion are looked at once; waits of
//! cooperative groups are not barriers of this kind. What it reports falsely: a condition that is divergent
//! to the analysis of uniformity and is not so in truth, as `possible`.

use super::control::{Depends, Node, deciding_value};
use super::engine::{Arg, Cx, incoming_arg};
use super::only_possible;
use super::uniformity::{RootContext, RootUniformity, Uniform, Why, call_args};
use super::witness::{BarrierPath, Witness};
use cudair_ir::*;
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

/// Call paths that are walked for one kernel before the rest is left alone.
const MAX_PATHS: usize = 4096;
/// Steps of a cause that are told.
const MAX_STEPS: usize = 6;

/// What decides how bad a finding is.
#[derive(Clone, Copy, Debug)]
pub struct Rules {
    /// Compute capability times ten.
    pub compute_capability: u32,
    /// Threads that have exited count as missing, and what is only possible is an error.
    pub strict: bool,
    /// Each finding is to come with launches that may show it.
    pub counterexamples: bool,
}

/// One function on the way from the kernel to a barrier.
#[derive(Clone)]
struct Frame {
    func: FuncId,
    args: Vec<Uniform>,
    /// The call in this function through which the next frame was entered.
    call: Option<Inst>,
}

/// What threads do that do not come to a barrier.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Others {
    /// They wait at another barrier, or at this one another time.
    Wait,
    /// They leave the kernel, and do something else before.
    Work,
    /// They leave the kernel by an early return.
    Leave,
}

/// The branch that lets threads part, and the number of its frame.
#[derive(Clone, Copy)]
struct DivergenceSource {
    frame: usize,
    node: Node,
}

/// What depends on what in a function, but for ways that end the whole launch: a failed assertion, a false assumption.
struct Ways {
    dead: Vec<bool>,
    depends: Depends,
}

/// Checks one kernel.
pub struct BarrierCheck<'a> {
    root: &'a RootContext<'a>,
    uniformity: &'a RootUniformity,
    rules: Rules,
    stack: Vec<Frame>,
    paths: usize,
    ways: FxHashMap<FuncId, Rc<Ways>>,
    found: Vec<Found>,
}

/// A finding in the making.
struct Found {
    finding: Finding,
    path: BarrierPath,
    /// The branch that parts the threads.
    branch: (FuncId, Node),
}

/// The findings of `kernel`. `proved` and `witnesses` are asked only when there is something to decide.
pub fn check<'a>(
    root: &'a RootContext<'a>,
    uniformity: &'a RootUniformity,
    kernel: FuncId,
    rules: Rules,
    proved: impl FnOnce() -> bool,
    witnesses: impl FnOnce() -> Vec<Witness>,
) -> Vec<Finding> {
    let params = root.module.funcs[kernel].sig.params.len();
    let mut check = BarrierCheck {
        root,
        uniformity,
        rules,
        stack: vec![Frame { func: kernel, args: vec![Uniform::GRID; params], call: None }],
        paths: 0,
        ways: FxHashMap::default(),
        found: Vec::new(),
    };
    check.walk(None);
    let mut found = check.found;
    if found.is_empty() || proved() {
        return Vec::new();
    }
    let witnesses = witnesses();
    let name = &root.module.funcs[kernel].display_name;
    let mut out = Vec::new();
    // Barriers at which the other threads of a finding wait: one in each arm is one fault.
    let mut told: Vec<(BarrierPath, (FuncId, Node))> = Vec::new();
    for Found { finding, path, branch } in &mut found {
        if told.iter().any(|(p, b)| p == path && b == branch) {
            continue;
        }
        finding.kernel = Some(name.clone());
        let witness = witnesses.iter().find(|w| w.waits.1 == *path);
        if rules.counterexamples {
            finding.counterexamples.extend(witness.map(|w| launch_of(root, kernel, w)));
        }
        match witness {
            Some(w) if !w.chosen => {
                confirm(root, finding, w);
                told.extend(w.other.1.clone().map(|p| (p, *branch)));
            }
            other => {
                only_possible(finding, rules.strict);
                if let Some(w) = other {
                    let [x, y, z] = w.block;
                    let dims = root.shape.dims_with(w.block);
                    let [a, b] = [w.waits.0, w.other.0].map(|t| dims.thread(t));
                    finding.notes.push(format!(
                        "there are launches in which threads {a} and {b} of {x}×{y}×{z} diverge"
                    ));
                }
            }
        }
        finding.clone().merge_into(&mut out);
    }
    for f in &mut out {
        f.count = 1;
    }
    out
}

/// The launch of a witness.
fn launch_of(root: &RootContext<'_>, kernel: FuncId, witness: &Witness) -> Counterexample {
    let known = |n: usize| root.shape.args.get(n).copied().flatten();
    let params = root.module.funcs[kernel].sig.params.iter().enumerate();
    let args = params.map(|(n, p)| match (known(n), witness.argument) {
        _ if p.ty.is_ptr() => Argument::Any,
        (Some(bits), _) => Argument::Bits(bits),
        (None, Some(chosen)) if p.ty.is_int() => Argument::Bits(u128::from(chosen) & p.ty.bit_mask()),
        _ => Argument::Any,
    });
    Counterexample {
        kernel: root.module.funcs[kernel].name.clone(),
        grid: root.shape.grid,
        block: witness.block.map(Some),
        args: args.collect(),
        ..Counterexample::default()
    }
}

/// Puts a witness into a finding.
pub fn confirm(root: &RootContext<'_>, finding: &mut Finding, witness: &Witness) {
    let module = root.module;
    finding.certainty = Certainty::Definite;
    let thread = |t: [u32; 3]| ThreadCoord { block: witness.index, thread: t };
    finding.threads = vec![thread(witness.waits.0), thread(witness.other.0)];
    finding.dims = root.shape.dims_with(witness.block);
    let dims = finding.dims;
    let extents = LaunchDims::extents(witness.block);
    let other = dims.thread(witness.other.0);
    let block = match witness.index {
        [0, 0, 0] => String::new(),
        index => format!(" of block {}", dims.block(index)),
    };
    match &witness.other.1 {
        Some(path) => {
            let place = path.last().and_then(|&(f, i)| module.funcs[f].locs[i].expand());
            let label = format!("thread {other} waits here instead");
            let mut same = false;
            if let Some(loc) = place {
                let span = Span::new(&module.source, loc, label);
                same = finding.primary.as_ref().is_some_and(|p| p.place() == span.place());
                if !same {
                    finding.related.insert(0, span);
                }
            }
            let at = if same { "has not come here as often" } else { "waits at another barrier" };
            finding.notes.push(format!(
                "with {extents} threads per block, thread {}{block} waits here while thread {other} {at}",
                dims.thread(witness.waits.0)
            ));
        }
        None => finding.notes.push(format!(
            "with {extents} threads per block, thread {}{block} waits here after thread {other} has left \
             the kernel",
            dims.thread(witness.waits.0)
        )),
    }
}

impl BarrierCheck<'_> {
    fn frame(&self) -> &Frame {
        &self.stack[self.stack.len() - 1]
    }

    fn bind(&self, frame: usize, fact: Uniform) -> Uniformity {
        let args = &self.stack[frame].args;
        fact.bind(|n| args.get(n).copied().unwrap_or(Uniform::DIVERGENT)).level
    }

    /// Looks at the function on top of the stack, whose call depends on `outer`, if on anything.
    fn walk(&mut self, outer: Option<DivergenceSource>) {
        self.paths += 1;
        if self.paths > MAX_PATHS {
            return;
        }
        let id = self.frame().func;
        let Some(memory) = self.root.memory.funcs.get(&id) else { return };
        if !memory.has_barrier {
            return;
        }
        let cx = self.root.cx(id);
        let depth = self.stack.len() - 1;
        let ways = self.ways(&cx);
        for node in 0..cx.control.len() as u32 {
            let mut source: Option<Option<DivergenceSource>> = None;
            for &inst in cx.func.block_insts(cx.control.block(node)) {
                let barrier = is_of_block(&cx.func.insts[inst]);
                let callees = if barrier { Vec::new() } else { self.waiting_callees(&cx, inst) };
                if !barrier && callees.is_empty() {
                    continue;
                }
                let source = *source.get_or_insert_with(|| self.source(&cx, depth, node, &ways).or(outer));
                if barrier {
                    if let Some(c) = source {
                        self.report(&cx, inst, c);
                    }
                    continue;
                }
                for callee in callees {
                    self.enter(&cx, inst, callee, source);
                }
            }
        }
    }

    fn enter(&mut self, cx: &Cx<'_>, call: Inst, callee: FuncId, source: Option<DivergenceSource>) {
        if self.stack.iter().any(|f| f.func == callee) {
            return;
        }
        let depth = self.stack.len() - 1;
        let facts = &self.uniformity.funcs[&cx.id].facts;
        let args = call_args(cx.func, call)
            .unwrap_or_default()
            .iter()
            .map(|&v| Uniform::of(self.bind(depth, facts[v])))
            .collect();
        self.stack[depth].call = Some(call);
        self.stack.push(Frame { func: callee, args, call: None });
        self.walk(source);
        self.stack.pop();
        self.stack[depth].call = None;
    }

    fn waiting_callees(&self, cx: &Cx<'_>, inst: Inst) -> Vec<FuncId> {
        let mut callees = self.root.graph.callees(cx.module, cx.id, inst);
        callees.retain(|f| self.root.memory.funcs.get(f).is_some_and(|m| m.has_barrier));
        callees
    }

    fn ways(&mut self, cx: &Cx<'_>) -> Rc<Ways> {
        if let Some(known) = self.ways.get(&cx.id) {
            return known.clone();
        }
        let dead = self.dead(cx);
        let ways = Rc::new(Ways { depends: cx.control.depends_beside(&dead), dead });
        self.ways.insert(cx.id, ways.clone());
        ways
    }

    /// The nodes from which each way ends the launch before any thread waits again.
    fn dead(&self, cx: &Cx<'_>) -> Vec<bool> {
        let mut dead = vec![false; cx.control.len()];
        // Targets come later in the order, unless an edge ends an iteration.
        for node in (0..cx.control.len() as u32).rev() {
            let insts = cx.func.block_insts(cx.control.block(node));
            let waits = |&i: &Inst| {
                cx.func.insts[i].is_convergent() && !matches!(cx.func.insts[i], InstData::Call { .. })
                    || !self.waiting_callees(cx, i).is_empty()
            };
            let targets = cx.control.targets(node);
            let ends = match insts.last().map(|&i| &cx.func.insts[i]) {
                Some(InstData::Trap { code }) => !matches!(code, TrapCode::Unsupported(_)),
                _ => !targets.is_empty() && targets.iter().all(|&to| to > node && dead[to as usize]),
            };
            dead[node as usize] = ends && !insts.iter().any(waits);
        }
        dead
    }

    fn source(&self, cx: &Cx<'_>, frame: usize, node: Node, ways: &Ways) -> Option<DivergenceSource> {
        let branches = &self.uniformity.funcs[&cx.id].branches;
        cx.control
            .controlling_beside(node, &ways.depends, &ways.dead)
            .into_iter()
            .find(|&x| self.bind(frame, branches[x as usize]) < Uniformity::Block)
            .map(|node| DivergenceSource { frame, node })
    }

    /// What threads do that do not come to the barrier at the top of the stack.
    fn others(&self, source: DivergenceSource, barrier: Node) -> Others {
        if self.others_wait(source, barrier) {
            Others::Wait
        } else if self.others_work(source, barrier) {
            Others::Work
        } else {
            Others::Leave
        }
    }

    /// Whether such threads, which leave the kernel, do anything else on the way: touch memory, local variables
    /// aside, or call a function that may.
    fn others_work(&self, source: DivergenceSource, barrier: Node) -> bool {
        let frame = &self.stack[source.frame];
        let cx = self.root.cx(frame.func);
        let inside = source.frame + 1 < self.stack.len();
        let Some(avoid) = (if inside { frame.call.and_then(|call| home(&cx, call)) } else { Some(barrier) })
        else {
            return true;
        };
        // Where it can still be reached the branch is not behind them.
        let mut comes = vec![false; cx.control.len()];
        let mut work = vec![avoid];
        while let Some(node) = work.pop() {
            if !std::mem::replace(&mut comes[node as usize], true) {
                work.extend(cx.control.incoming(node).iter().map(|&(from, _)| from));
            }
        }
        let mut seen = vec![false; cx.control.len()];
        work.push(source.node);
        while let Some(node) = work.pop() {
            if std::mem::replace(&mut seen[node as usize], true) || node == avoid {
                continue;
            }
            if self.is_dead(frame.func, node) {
                continue;
            }
            let insts = cx.func.block_insts(cx.control.block(node));
            if !comes[node as usize] && insts.iter().any(|&i| does_work(cx.func, i)) {
                return true;
            }
            work.extend_from_slice(cx.control.targets(node));
        }
        self.callers_do(source.frame, |cx, i| does_work(cx.func, i))
    }

    /// Whether threads that do not come to the barrier at the top of the stack may wait at another, or at
    /// this one in another iteration; else they leave the kernel.
    fn others_wait(&self, source: DivergenceSource, barrier: Node) -> bool {
        let frame = &self.stack[source.frame];
        let cx = self.root.cx(frame.func);
        let avoid = match frame.call {
            Some(call) if source.frame + 1 < self.stack.len() => home(&cx, call),
            _ => Some(barrier),
        };
        let Some(avoid) = avoid else { return true };
        let mut seen = vec![[false; 2]; cx.control.len()];
        let mut work: Vec<(Node, bool)> = Vec::new();
        let step = |from: Node, again: bool, work: &mut Vec<(Node, bool)>| {
            for &to in cx.control.targets(from) {
                let again = again
                    || (cx.control.is_back_edge(from, to)
                        && cx.control.cycles_of(avoid).any(|c| cx.control.contains(c, from)));
                work.push((to, again));
            }
        };
        step(source.node, false, &mut work);
        let mut leaves = false;
        while let Some((node, again)) = work.pop() {
            if seen[node as usize][usize::from(again)] {
                continue;
            }
            seen[node as usize][usize::from(again)] = true;
            if node == avoid {
                if again {
                    return true;
                }
                continue;
            }
            let block = cx.control.block(node);
            for &i in cx.func.block_insts(block) {
                match &cx.func.insts[i] {
                    data if is_of_block(data) => return true,
                    InstData::Return { .. } => leaves = true,
                    _ if !self.waiting_callees(&cx, i).is_empty() => return true,
                    _ => {}
                }
            }
            step(node, again, &mut work);
        }
        let waits =
            |cx: &Cx<'_>, i: Inst| is_of_block(&cx.func.insts[i]) || !self.waiting_callees(cx, i).is_empty();
        leaves && self.callers_do(source.frame, waits)
    }

    /// Whether each way from a node ends the launch, in a function that was looked at.
    fn is_dead(&self, func: FuncId, node: Node) -> bool {
        self.ways.get(&func).is_some_and(|w| w.dead[node as usize])
    }

    /// Whether something follows the return to a frame's callers.
    fn callers_do(&self, frame: usize, does: impl Fn(&Cx<'_>, Inst) -> bool) -> bool {
        (0..frame).rev().any(|frame| {
            let Some(call) = self.stack[frame].call else { return true };
            let cx = self.root.cx(self.stack[frame].func);
            let Some(at) = home(&cx, call) else { return true };
            let insts = |node: Node| cx.func.block_insts(cx.control.block(node)).iter();
            if insts(at).skip_while(|&&i| i != call).skip(1).any(|&i| does(&cx, i)) {
                return true;
            }
            let mut seen = vec![false; cx.control.len()];
            let mut work: Vec<Node> = cx.control.targets(at).to_vec();
            while let Some(node) = work.pop() {
                if std::mem::replace(&mut seen[node as usize], true) {
                    continue;
                }
                if insts(node).any(|&i| does(&cx, i)) {
                    return true;
                }
                work.extend_from_slice(cx.control.targets(node));
            }
            false
        })
    }

    fn report(&mut self, cx: &Cx<'_>, inst: Inst, source: DivergenceSource) {
        let map = &cx.module.source;
        let place = cx.func.locs[inst].expand();
        let node = home(cx, inst).unwrap_or(0);
        let others = self.others(source, node);
        let gone = others != Others::Wait;
        let counted = gone && self.rules.compute_capability >= 70 && !self.rules.strict;
        let forgiven = counted && others == Others::Leave;
        let mut finding = Finding::dynamic(
            Kind::BarrierDivergence,
            if gone {
                "a barrier is reached after some threads of the block have left the kernel"
            } else {
                "a barrier is not reached by all threads of the block"
            },
        );
        finding.origin = Origin::Static;
        finding.severity = if forgiven { Severity::Warning } else { Severity::Error };
        finding.primary = place.map(|loc| Span::new(map, loc, "only some threads of a block come here"));
        finding.related = self.explain(source);
        if let Some(loc) = place {
            finding.related.extend(Span::call_path(map, loc));
        }
        for frame in self.stack[..self.stack.len() - 1].iter().rev() {
            let func = &cx.module.funcs[frame.func];
            if let Some(loc) = frame.call.and_then(|c| func.locs[c].expand()) {
                finding.related.push(Span::new(map, loc, "called from here"));
                finding.related.extend(Span::call_path(map, loc));
            }
        }
        finding.help = Some(
            if gone {
                "let every thread of the block come to the barrier: leave after it, or put the work, not the \
                 barrier, under the condition"
            } else {
                "move the barrier out of the branch, or make the condition the same for all threads of the block"
            }
            .to_owned(),
        );
        if counted && !forgiven {
            finding.notes.push(
                "the others do more than leave: on the path to the end they touch memory or call a \
                 function, so this is not a guard such as `if (i >= n) return;`"
                    .to_owned(),
            );
        }
        if forgiven {
            finding.notes.push(
                "devices of compute capability 7.0 and up count only threads that have not exited".to_owned(),
            );
        }
        let mut path: BarrierPath =
            self.stack[..self.stack.len() - 1].iter().filter_map(|f| Some((f.func, f.call?))).collect();
        path.push((cx.id, inst));
        let branch = (self.stack[source.frame].func, source.node);
        self.found.push(Found { finding, path, branch });
    }

    /// The places that say why a branch is decided differently, from the branch to the source.
    fn explain(&self, source: DivergenceSource) -> Vec<Span> {
        let mut story = CauseTrace { check: self, spans: Vec::new(), seen: FxHashSet::default() };
        story.branch(source.frame, source.node);
        story.spans
    }
}

/// The node whose block contains an instruction.
fn home(cx: &Cx<'_>, inst: Inst) -> Option<Node> {
    (0..cx.control.len() as u32).find(|&n| cx.func.block_insts(cx.control.block(n)).contains(&inst))
}

/// Walks causes.
struct CauseTrace<'a, 'c> {
    check: &'c BarrierCheck<'a>,
    spans: Vec<Span>,
    seen: FxHashSet<(usize, Value)>,
}

impl<'a> CauseTrace<'a, '_> {
    fn cx(&self, frame: usize) -> Cx<'a> {
        self.check.root.cx(self.check.stack[frame].func)
    }

    fn say(&mut self, loc: Option<Loc>, label: impl FnOnce(&str) -> String) {
        let Some(loc) = loc else { return };
        let map = &self.check.root.module.source;
        let text = snippet(map, loc).map_or_else(|| "this".to_owned(), |s| format!("`{s}`"));
        let span = Span::new(map, loc, label(&text));
        if self.spans.len() < MAX_STEPS && !self.spans.iter().any(|s| s.place() == span.place()) {
            self.spans.push(span);
        }
    }

    fn value_loc(cx: &Cx<'_>, value: Value) -> Option<Loc> {
        cx.func.def_inst(value).and_then(|i| cx.func.locs[i].expand())
    }

    fn branch(&mut self, frame: usize, node: Node) {
        let cx = self.cx(frame);
        let block = cx.control.block(node);
        let own = cx.func.terminator(block).and_then(|i| cx.func.locs[i].expand());
        let Some(value) = deciding_value(cx.func, block) else {
            self.say(own, |_| "control flow depends on whether this call throws".to_owned());
            return;
        };
        let loc = Self::value_loc(&cx, value).or(own);
        self.say(loc, |text| format!("control flow depends on {text} here"));
        self.value(frame, value);
    }

    /// Whether a value's fact accounts for divergence in its frame.
    fn divergent(&self, frame: usize, value: Value) -> bool {
        let id = self.check.stack[frame].func;
        self.check.bind(frame, self.check.uniformity.funcs[&id].facts[value]) < Uniformity::Block
    }

    fn value(&mut self, mut frame: usize, mut value: Value) {
        while self.seen.insert((frame, value)) && self.spans.len() < MAX_STEPS {
            let cx = self.cx(frame);
            let loc = Self::value_loc(&cx, value);
            match self.why(frame, value) {
                None => return,
                Some(Why::Operand(next)) => {
                    if let Some(inst) = cx.func.def_inst(value)
                        && matches!(cx.func.insts[inst], InstData::Load { .. })
                    {
                        self.say(loc, |_| "which depends on what each thread loads here".to_owned());
                    }
                    value = next;
                }
                Some(Why::Source(inst)) => {
                    self.source(&cx, inst);
                    return;
                }
                Some(Why::Load { load, write }) => {
                    let at = cx.func.locs[load].expand();
                    self.say(at, |text| format!("which depends on {text}, loaded while others may write it"));
                    let at = write.and_then(|w| cx.func.locs[w].expand());
                    self.say(at, |_| "which is written here, with no barrier between the two".to_owned());
                    return;
                }
                Some(Why::Join(block)) => {
                    let Some(cond) = deciding_value(cx.func, block) else { return };
                    let own = cx.func.terminator(block).and_then(|i| cx.func.locs[i].expand());
                    let at = Self::value_loc(&cx, cond).or(own);
                    self.say(at, |text| format!("which depends on {text} here"));
                    value = cond;
                }
                Some(Why::Temporal(block)) => {
                    let Some(cond) = deciding_value(cx.func, block) else { return };
                    let own = cx.func.terminator(block).and_then(|i| cx.func.locs[i].expand());
                    let at = Self::value_loc(&cx, cond).or(own);
                    self.say(at, |text| format!("which depends on how long {text} keeps a thread looping"));
                    value = cond;
                }
                Some(Why::Param(n)) => {
                    let Some(caller) = frame.checked_sub(1) else { return };
                    let caller_cx = self.cx(caller);
                    let Some(call) = self.check.stack[caller].call else { return };
                    let args = call_args(caller_cx.func, call).unwrap_or_default();
                    let Some(&arg) = args.get(n as usize) else { return };
                    let at = caller_cx.func.locs[call].expand();
                    self.say(at, |_| "which depends on what is passed here".to_owned());
                    frame = caller;
                    value = arg;
                }
                Some(Why::Return(call)) => {
                    let at = cx.func.locs[call].expand();
                    self.say(at, |_| "which depends on the result of this call".to_owned());
                    return;
                }
            }
        }
    }

    /// The recorded cause where it accounts for the value in this call, else another that does.
    fn why(&self, frame: usize, value: Value) -> Option<Why> {
        let cx = self.cx(frame);
        let id = self.check.stack[frame].func;
        let recorded = self.check.uniformity.funcs[&id].causes[value]?;
        let accounts = match recorded {
            Why::Operand(v) => self.divergent(frame, v),
            Why::Param(n) => {
                self.check.stack[frame].args.get(n as usize).is_none_or(|a| a.level < Uniformity::Block)
            }
            Why::Join(block) | Why::Temporal(block) => {
                deciding_value(cx.func, block).is_none_or(|c| self.divergent(frame, c))
            }
            Why::Source(_) | Why::Load { .. } | Why::Return(_) => true,
        };
        if accounts {
            return Some(recorded);
        }
        let mut found = None;
        match cx.func.values[value].def {
            ValueDef::Result(inst, _) => cx.func.for_each_arg(inst, |v| {
                if found.is_none() && self.divergent(frame, v) {
                    found = Some(v);
                }
            }),
            ValueDef::Param(block, n) => {
                let node = cx.control.node(block)?;
                for &(from, k) in cx.control.incoming(node) {
                    if let Some(Arg::Value(v)) = incoming_arg(&cx, from, k, n as usize)
                        && self.divergent(frame, v)
                    {
                        found = Some(v);
                        break;
                    }
                }
            }
        }
        found.map(Why::Operand).or(Some(recorded))
    }

    fn source(&mut self, cx: &Cx<'_>, inst: Inst) {
        let loc = cx.func.locs[inst].expand();
        match cx.func.insts[inst] {
            InstData::Special { reg } => {
                self.say(loc, |_| format!("which depends on `{}` here", register(reg)));
            }
            InstData::AtomicRmw { .. } | InstData::AtomicCas { .. } | InstData::AtomicLoad { .. } => {
                self.say(loc, |_| "which depends on the result of this atomic operation".to_owned());
            }
            InstData::Shfl { .. }
            | InstData::Vote { .. }
            | InstData::Match { .. }
            | InstData::Reduce { .. }
            | InstData::ActiveMask { .. } => {
                self.say(loc, |_| "which depends on the result of this warp operation".to_owned());
            }
            InstData::Call { .. } | InstData::CallIndirect { .. } => {
                self.say(loc, |_| "which depends on the result of this call".to_owned());
            }
            InstData::SlotAddr { .. } | InstData::Alloca { .. } => {
                self.say(loc, |text| format!("which depends on {text}: each thread has its own"));
            }
            InstData::Load { .. } => {
                self.say(loc, |text| format!("which depends on {text}: each thread has its own"));
            }
            _ => self.say(loc, |text| format!("which depends on {text}")),
        }
    }
}

/// Whether an instruction is a barrier of the block: at those of clusters each thread may be for itself.
pub fn is_of_block(data: &InstData) -> bool {
    matches!(data, InstData::Barrier { kind, .. } if !kind.is_cluster())
}

/// Whether an instruction touches memory, a local variable aside, calls a function, or waits for others.
fn does_work(func: &Function, inst: Inst) -> bool {
    let data = &func.insts[inst];
    match *data {
        InstData::Load { ptr, .. } | InstData::Store { ptr, .. } => !is_of_slot(func, ptr),
        InstData::Call { .. }
        | InstData::CallIndirect { .. }
        | InstData::Invoke { .. }
        | InstData::InvokeIndirect { .. }
        | InstData::Launch { .. }
        | InstData::AtomicLoad { .. }
        | InstData::AtomicStore { .. }
        | InstData::AtomicRmw { .. }
        | InstData::AtomicCas { .. }
        | InstData::MemCopy { .. }
        | InstData::MemFill { .. } => true,
        InstData::LaunchIndirect { .. } | InstData::Va { .. } | InstData::VaArg { .. } => false,
        // Barriers and operations of a warp.
        insts!(NoMemory) => data.is_convergent(),
    }
}

/// Whether an address is that of a local variable.
fn is_of_slot(func: &Function, mut ptr: Value) -> bool {
    while let Some(inst) = func.def_inst(ptr) {
        match func.insts[inst] {
            InstData::SlotAddr { .. } | InstData::Alloca { .. } => return true,
            InstData::PtrAdd { ptr: base, .. } => ptr = base,
            _ => return false,
        }
    }
    false
}

/// How the source spells a special register.
fn register(reg: SpecialReg) -> &'static str {
    use SpecialReg::*;
    match reg {
        TidX => "threadIdx.x",
        TidY => "threadIdx.y",
        TidZ => "threadIdx.z",
        CtaidX => "blockIdx.x",
        CtaidY => "blockIdx.y",
        CtaidZ => "blockIdx.z",
        NtidX => "blockDim.x",
        NtidY => "blockDim.y",
        NtidZ => "blockDim.z",
        NctaidX => "gridDim.x",
        NctaidY => "gridDim.y",
        NctaidZ => "gridDim.z",
        Laneid => "the lane's number",
        Warpid => "the warp's number",
        Warpsize => "warpSize",
        Smid => "the multiprocessor's number",
        DynSmemSize => "the size of dynamic shared memory",
        ClusterNctaidX | ClusterNctaidY | ClusterNctaidZ | IsExplicitCluster => "the cluster's shape",
        Clock => "clock()",
        Globaltimer => "the device's clock",
    }
}

/// The source text of a place, if it is at hand, on one line and short.
fn snippet(map: &SourceMap, loc: Loc) -> Option<String> {
    let data = &map.locs[loc];
    let text = map.files[data.file].text.as_ref()?;
    if data.start.line != data.end.line {
        return None;
    }
    let line = text.lines().nth(data.start.line.checked_sub(1)? as usize)?;
    let len = data.end.col.checked_sub(data.start.col)? as usize;
    let out: String = line.chars().skip(data.start.col.checked_sub(1)? as usize).take(len).collect();
    let told = !out.trim().is_empty() && out.chars().count() <= 28 && !out.contains('`');
    (told && is_whole(&out)).then(|| out.trim().to_owned())
}

/// Whether the brackets in a piece of code belong to each other: what begins in a macro's argument may end outside.
fn is_whole(code: &str) -> bool {
    let mut open = Vec::new();
    code.chars().all(|c| match c {
        '(' => {
            open.push(')');
            true
        }
        '[' => {
            open.push(']');
            true
        }
        ')' | ']' => open.pop() == Some(c),
        _ => true,
    }) && open.is_empty()
}

#[test]
fn code_is_whole_with_its_brackets() {
    assert!(is_whole("f(a[i], (b))"));
    for part in ["t) == 3", "f(a", "a[(i])"] {
        assert!(!is_whole(part), "{part}");
    }
}
