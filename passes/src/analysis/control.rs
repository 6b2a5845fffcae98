//! Which branch decides what: the control structure that the analyses stand on.
//!
//! Divergence needs two questions answered about a branch whose threads may go separate ways:
//!
//! 1. *Where do they meet again?* ([`Control::influence`]) Blocks that two disjoint paths from the branch
//!    reach first (their parameters depend on the branch), and the cycles that threads leave in different
//!    iterations (temporal divergence).
//! 2. *Which blocks does it decide?* ([`Control::controlling`]) The branches on which it depends whether,
//!    and how often, a block is executed.
//!
//! Both are answered on the *cut graph*: the reachable blocks with each back edge replaced by edges to
//! the exits of its cycle. It has no cycle, so one topological order serves every walk, and "the end of
//! an iteration" is a place like any other: a `continue` that only some threads take makes the rest of
//! the loop's body depend on it, which post-dominance in the graph with its back edges does not see
//! (the body is executed in the end, in a later iteration).
//!
//! The algorithm of question 1 is LLVM's (`UniformityAnalysis`, `SyncDependenceAnalysis`): labels flow
//! from the targets of the branch; a block where two labels meet is a join and becomes a label itself.
//! Irreducible cycles get the conservative answer: every branch in one decides every block of it.

use cranelift_entity::{EntityRef, SecondaryMap};
use cudair_ir::{Block, Cfg, Cycle, Cycles, Function, InstData};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// A block's number in the topological order of the cut graph.
pub type Node = u32;

const NONE: u32 = u32::MAX;

/// A cycle in terms of nodes.
#[derive(Clone, Debug)]
struct CycleShape {
    parent: Option<usize>,
    irreducible: bool,
    /// Greatest node of the cycle.
    last: Node,
    nodes: Vec<Node>,
    /// Blocks inside with an edge that leaves, and the targets.
    exits: Vec<(Node, Node)>,
    /// Targets of the exits, reached going forward.
    forward: Vec<Node>,
}

/// The branches on which it depends at once whether a node is executed, nearest first.
pub type Depends = Vec<SmallVec<[Node; 2]>>;

/// The control structure of a function.
#[derive(Clone, Debug)]
pub struct Control {
    /// The reachable blocks in topological order of the cut graph.
    pub order: Vec<Block>,
    node: SecondaryMap<Block, u32>,
    /// Targets of each block's terminator, in order, with repetitions.
    targets: Vec<SmallVec<[Node; 2]>>,
    /// Number of edges that enter, repetitions counted.
    entering: Vec<u32>,
    /// Edges that enter: block and number of the target.
    incoming: Vec<SmallVec<[(Node, u32); 4]>>,
    cut: Vec<SmallVec<[Node; 2]>>,
    ipdom: Vec<u32>,
    depends: Depends,
    cycle_of: Vec<Option<usize>>,
    cycles: Vec<CycleShape>,
}

/// A block where paths of one branch meet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Join {
    /// The block.
    pub node: Node,
    /// The edges by which the paths come in: from where, and the number of the target there.
    pub edges: SmallVec<[(Node, u32); 4]>,
}

/// What a branch has in its hand when the threads that execute it go separate ways.
#[derive(Clone, Debug, Default)]
pub struct DivergenceReach {
    /// Blocks where its paths meet: which value a parameter gets depends on the branch.
    pub joins: Vec<Join>,
    /// Cycles that threads leave in different iterations, by number.
    pub cycles: Vec<usize>,
}

impl Control {
    /// Computes the structure of `func`. Of a declaration it is empty.
    pub fn new(func: &Function) -> Control {
        let cfg = Cfg::new(func);
        let found = Cycles::new(func, &cfg);
        Builder { func, cfg: &cfg, found: &found }.build()
    }

    /// How many reachable blocks there are.
    pub fn len(&self) -> usize {
        self.order.len()
    }

    /// Whether the function has no body.
    pub fn is_empty(&self) -> bool {
        self.order.is_empty()
    }

    /// The node of a block; none if it is unreachable.
    pub fn node(&self, block: Block) -> Option<Node> {
        Some(self.node[block]).filter(|&n| n != NONE)
    }

    /// The block of a node.
    pub fn block(&self, node: Node) -> Block {
        self.order[node as usize]
    }

    /// The targets of a node's terminator, in order.
    pub fn targets(&self, node: Node) -> &[Node] {
        &self.targets[node as usize]
    }

    /// The edges that enter a node: from where, and the number of the target there.
    pub fn incoming(&self, node: Node) -> &[(Node, u32)] {
        &self.incoming[node as usize]
    }

    /// Whether an edge ends an iteration.
    pub fn is_back_edge(&self, from: Node, to: Node) -> bool {
        to <= from
    }

    /// Whether an edge that ends an iteration enters the node.
    pub fn is_cycle_head(&self, node: Node) -> bool {
        self.incoming(node).iter().any(|&(from, _)| self.is_back_edge(from, node))
    }

    /// The cycles that contain a node, innermost first.
    pub fn cycles_of(&self, node: Node) -> impl Iterator<Item = usize> + '_ {
        let mut at = self.cycle_of[node as usize];
        std::iter::from_fn(move || {
            let c = at?;
            at = self.cycles[c].parent;
            Some(c)
        })
    }

    /// The cycles around a cycle, outermost first.
    pub fn around(&self, cycle: usize) -> Vec<usize> {
        let mut around: Vec<usize> = self.cycles_of(self.cycle_head(cycle)).filter(|&c| c != cycle).collect();
        around.reverse();
        around
    }

    /// How many cycles there are.
    pub fn cycle_count(&self) -> usize {
        self.cycles.len()
    }

    /// Whether a cycle contains a node.
    pub fn contains(&self, cycle: usize, node: Node) -> bool {
        self.cycles_of(node).any(|c| c == cycle)
    }

    /// The node at which control enters a cycle; one of them where there are several ([`Control::is_irreducible`]).
    pub fn cycle_head(&self, cycle: usize) -> Node {
        let nodes = self.cycles[cycle].nodes.iter().copied();
        nodes.min().unwrap_or_else(|| unreachable!("a cycle has no node"))
    }

    /// The cycle whose head a node is.
    pub fn cycle_of_head(&self, node: Node) -> Option<usize> {
        self.cycles_of(node).find(|&c| self.cycle_head(c) == node)
    }

    /// Whether control enters a cycle at several nodes.
    pub fn is_irreducible(&self, cycle: usize) -> bool {
        self.cycles[cycle].irreducible
    }

    /// The nodes of a cycle that have a way out of it.
    pub fn exiting(&self, cycle: usize) -> impl Iterator<Item = Node> + '_ {
        self.cycles[cycle].exits.iter().map(|e| e.0)
    }

    /// The outermost irreducible cycle that contains a node.
    fn irreducible(&self, node: Node) -> Option<usize> {
        self.cycles_of(node).filter(|&c| self.cycles[c].irreducible).last()
    }

    /// Whether a terminator has more than one way to go.
    pub fn is_branch(&self, node: Node) -> bool {
        self.targets(node).len() > 1
    }

    /// Where the paths of a branch meet and which cycles it makes threads leave apart.
    pub fn influence(&self, branch: Node) -> DivergenceReach {
        Labels::new(self, branch).run()
    }

    /// The branches on which it depends whether, and how often, `node` is executed by a thread that
    /// enters the function. Nearest first.
    pub fn controlling(&self, node: Node) -> Vec<Node> {
        self.controlling_beside(node, &self.depends, &[])
    }

    /// What depends on what if no thread takes an edge to a node that is `dead`, from where none comes back.
    pub fn depends_beside(&self, dead: &[bool]) -> Depends {
        if !dead.contains(&true) {
            return self.depends.clone();
        }
        let live = |n: &Node| !dead[*n as usize];
        let cut: Vec<SmallVec<[Node; 2]>> =
            self.cut.iter().map(|to| to.iter().copied().filter(live).collect()).collect();
        dependences(&cut, &post_dominators(&cut))
    }

    /// As [`Control::controlling`], with what [`Control::depends_beside`] gives for the same dead nodes.
    pub fn controlling_beside(&self, node: Node, depends: &Depends, dead: &[bool]) -> Vec<Node> {
        let is_dead = |n: Node| dead.get(n as usize).copied().unwrap_or(false);
        let mut seen = vec![false; self.len()];
        let mut out = Vec::new();
        let mut work: Vec<Node> = Vec::new();
        let push = |n: Node, work: &mut Vec<Node>, seen: &mut Vec<bool>| {
            if !seen[n as usize] {
                seen[n as usize] = true;
                work.push(n);
            }
        };
        for &x in &depends[node as usize] {
            push(x, &mut work, &mut seen);
        }
        for c in self.cycles_of(node) {
            for &(from, to) in &self.cycles[c].exits {
                if !is_dead(to) {
                    push(from, &mut work, &mut seen);
                }
            }
            if self.cycles[c].irreducible {
                for &n in &self.cycles[c].nodes {
                    push(n, &mut work, &mut seen);
                }
            }
        }
        let mut at = 0;
        while at < work.len() {
            let x = work[at];
            at += 1;
            if self.is_branch(x) {
                out.push(x);
            }
            for &y in &depends[x as usize] {
                push(y, &mut work, &mut seen);
            }
            if let Some(s) = self.irreducible(x) {
                for i in 0..self.cycles[s].nodes.len() {
                    push(self.cycles[s].nodes[i], &mut work, &mut seen);
                }
            }
        }
        out
    }
}

/// Builds a [`Control`].
struct Builder<'a> {
    func: &'a Function,
    cfg: &'a Cfg,
    found: &'a Cycles,
}

impl Builder<'_> {
    /// Works in reverse postorder numbers first, then renumbers.
    fn build(&self) -> Control {
        let rpo = self.cfg.rpo();
        let n = rpo.len();
        let index = |b: Block| match self.cfg.rpo_index(b) {
            Some(index) => index,
            None => unreachable!("what follows a block that is reached is not reached"),
        };
        let succs: Vec<SmallVec<[usize; 2]>> =
            rpo.iter().map(|&b| self.func.successors(b).iter().map(|&s| index(s)).collect()).collect();

        // Exit targets of each cycle. Outer cycles have greater numbers, so they come first.
        let count = self.found.cycles.len();
        let mut forward: Vec<Vec<usize>> = vec![Vec::new(); count];
        for c in self.found.cycles.keys().rev() {
            let mut out = Vec::new();
            for (from, to) in self.found.exits(self.func, c) {
                if self.cfg.is_back_edge(from, to) {
                    // The exit is at once the end of an iteration further out.
                    if let Some(outer) = self.common_cycle(from, to) {
                        out.extend_from_slice(&forward[outer.index()]);
                    }
                } else {
                    out.push(index(to));
                }
            }
            out.sort_unstable();
            out.dedup();
            forward[c.index()] = out;
        }
        let mut cut: Vec<SmallVec<[usize; 2]>> = vec![SmallVec::new(); n];
        for (i, &b) in rpo.iter().enumerate() {
            for &s in &succs[i] {
                if s > i {
                    cut[i].push(s);
                } else if let Some(c) = self.common_cycle(b, rpo[s]) {
                    cut[i].extend_from_slice(&forward[self.irreducible_root(c).index()]);
                }
            }
            cut[i].sort_unstable();
            cut[i].dedup();
        }

        // A topological order of the cut graph.
        let order = topological(&cut);
        let mut number = vec![0u32; n];
        for (new, &old) in order.iter().enumerate() {
            number[old] = new as u32;
        }
        let mut node = SecondaryMap::with_default(NONE);
        for (i, &b) in rpo.iter().enumerate() {
            node[b] = number[i];
        }
        let mut control = Control {
            order: order.iter().map(|&i| rpo[i]).collect(),
            node,
            targets: order.iter().map(|&i| succs[i].iter().map(|&s| number[s]).collect()).collect(),
            entering: vec![0; n],
            incoming: vec![SmallVec::new(); n],
            cut: order
                .iter()
                .enumerate()
                .map(|(new, &i)| cut[i].iter().map(|&s| number[s]).filter(|&s| s > new as u32).collect())
                .collect(),
            ipdom: Vec::new(),
            depends: Vec::new(),
            cycle_of: vec![None; n],
            cycles: Vec::with_capacity(count),
        };
        for from in 0..n {
            for k in 0..control.targets[from].len() {
                let to = control.targets[from][k] as usize;
                control.entering[to] += 1;
                control.incoming[to].push((from as u32, k as u32));
            }
        }
        for (c, data) in &self.found.cycles {
            let mut nodes: Vec<Node> =
                self.found.blocks(c).into_iter().map(|b| control.node[b]).filter(|&x| x != NONE).collect();
            nodes.sort_unstable();
            control.cycles.push(CycleShape {
                parent: data.parent.expand().map(|p| p.index()),
                irreducible: !data.is_reducible(),
                last: nodes.last().copied().unwrap_or(0),
                exits: self
                    .found
                    .exits(self.func, c)
                    .into_iter()
                    .map(|(a, b)| (control.node[a], control.node[b]))
                    .collect(),
                forward: forward[c.index()].iter().map(|&i| number[i]).collect(),
                nodes,
            });
        }
        for (i, &b) in control.order.iter().enumerate() {
            control.cycle_of[i] = self.found.innermost(b).map(|c| c.index());
        }
        control.ipdom = post_dominators(&control.cut);
        control.depends = dependences(&control.cut, &control.ipdom);
        control
    }

    fn common_cycle(&self, a: Block, b: Block) -> Option<Cycle> {
        let mut at = self.found.innermost(a);
        while let Some(c) = at {
            if self.found.contains(c, b) {
                return Some(c);
            }
            at = self.found.cycles[c].parent.expand();
        }
        None
    }

    /// The outermost irreducible cycle around `cycle`, or itself.
    fn irreducible_root(&self, cycle: Cycle) -> Cycle {
        let (mut at, mut root) = (Some(cycle), cycle);
        while let Some(c) = at {
            if !self.found.cycles[c].is_reducible() {
                root = c;
            }
            at = self.found.cycles[c].parent.expand();
        }
        root
    }
}

/// Reverse postorder by a depth-first search with an explicit stack.
fn topological(succs: &[SmallVec<[usize; 2]>]) -> Vec<usize> {
    if succs.is_empty() {
        return Vec::new();
    }
    let mut seen = vec![false; succs.len()];
    let mut post = Vec::with_capacity(succs.len());
    let mut stack = vec![(0usize, succs[0].len())];
    seen[0] = true;
    while let Some((n, left)) = stack.last_mut() {
        if *left == 0 {
            post.push(*n);
            stack.pop();
            continue;
        }
        *left -= 1;
        let s = succs[*n][*left];
        if !seen[s] {
            seen[s] = true;
            stack.push((s, succs[s].len()));
        }
    }
    post.reverse();
    post
}

/// Immediate post-dominators of an acyclic graph in topological order; `NONE` is the virtual exit.
fn post_dominators(succs: &[SmallVec<[Node; 2]>]) -> Vec<u32> {
    let mut ipdom = vec![NONE; succs.len()];
    for n in (0..succs.len()).rev() {
        let mut at: Option<u32> = None;
        for &s in &succs[n] {
            at = Some(match at {
                None => s,
                Some(mut a) => {
                    let mut b = s;
                    // Post-dominators have greater numbers; the virtual exit has the greatest.
                    while a != b {
                        if a < b {
                            a = ipdom[a as usize];
                        } else {
                            b = ipdom[b as usize];
                        }
                    }
                    a
                }
            });
        }
        ipdom[n] = at.unwrap_or(NONE);
    }
    ipdom
}

/// The branches of an acyclic graph on which each node depends at once.
fn dependences(cut: &[SmallVec<[Node; 2]>], ipdom: &[u32]) -> Depends {
    let mut depends: Depends = vec![SmallVec::new(); cut.len()];
    for (x, targets) in cut.iter().enumerate().filter(|(_, targets)| targets.len() > 1) {
        for &s in targets {
            let mut at = s;
            while at != ipdom[x] && at != NONE {
                if depends[at as usize].last() != Some(&(x as u32)) {
                    depends[at as usize].push(x as u32);
                }
                at = ipdom[at as usize];
            }
        }
    }
    // Nearest branch first.
    for d in &mut depends {
        d.reverse();
    }
    depends
}

/// The label flow of one branch.
struct Labels<'a> {
    control: &'a Control,
    branch: Node,
    /// What came to each node from the branch to its end.
    reached: Vec<Reached>,
    /// The same for heads of cycles before the branch.
    heads: FxHashMap<Node, Reached>,
    /// Cycles that contain the branch, innermost first, with the labels that end an iteration (merged)
    /// and those that leave.
    cycles: Vec<CycleLabels>,
    end: u32,
}

/// What the label flow brought to a node.
#[derive(Clone)]
struct Reached {
    /// A node that became a label, or `TARGET` with the number of a target of the branch.
    label: u32,
    join: bool,
    /// Edges that brought a label.
    edges: SmallVec<[(Node, u32); 4]>,
}

impl Default for Reached {
    fn default() -> Reached {
        Reached { label: NONE, join: false, edges: SmallVec::new() }
    }
}

/// Marks a label that is a target of the branch.
const TARGET: u32 = 1 << 31;

struct CycleLabels {
    cycle: usize,
    back: u32,
    exit: u32,
    exits_differ: bool,
}

impl<'a> Labels<'a> {
    fn new(control: &'a Control, branch: Node) -> Labels<'a> {
        let n = control.len() as u32;
        let end = control.ipdom[branch as usize];
        Labels {
            control,
            branch,
            reached: vec![Reached::default(); (end.min(n.saturating_sub(1)) - branch) as usize + 1],
            heads: FxHashMap::default(),
            cycles: control
                .cycles_of(branch)
                .filter(|&c| end == NONE || !control.contains(c, end))
                .map(|cycle| CycleLabels { cycle, back: NONE, exit: NONE, exits_differ: false })
                .collect(),
            end: end.min(n),
        }
    }

    fn reached(&mut self, node: Node) -> &mut Reached {
        let window = node.checked_sub(self.branch).map(|i| i as usize);
        match window.filter(|&i| i < self.reached.len()) {
            Some(i) => &mut self.reached[i],
            None => self.heads.entry(node).or_default(),
        }
    }

    fn arrive(&mut self, at: Node, label: u32) {
        let reached = self.reached(at);
        if reached.label == NONE {
            reached.label = label;
        } else if reached.label != label {
            reached.label = at;
            reached.join = true;
        }
    }

    fn came_by(&mut self, to: Node, edge: (Node, u32)) {
        let edges = &mut self.reached(to).edges;
        if !edges.contains(&edge) {
            edges.push(edge);
        }
    }

    fn edge(&mut self, from: Node, k: usize, to: Node, label: u32) {
        self.came_by(to, (from, k as u32));
        for i in 0..self.cycles.len() {
            let cycle = self.cycles[i].cycle;
            if !self.control.contains(cycle, to) {
                let c = &mut self.cycles[i];
                c.exits_differ |= c.exit != NONE && c.exit != label;
                c.exit = label;
            }
        }
        if !self.control.is_back_edge(from, to) {
            self.arrive(to, label);
        } else {
            self.back(to, label);
        }
    }

    /// A label reaches the head of a cycle again. Heads of cycles without the branch get no new labels
    /// this way: all threads inside came in through the head.
    fn back(&mut self, head: Node, label: u32) {
        let Some(i) = (0..self.cycles.len()).find(|&i| self.control.contains(self.cycles[i].cycle, head))
        else {
            return;
        };
        let c = &mut self.cycles[i];
        if c.back == NONE {
            c.back = label;
        } else if c.back != label {
            c.back = head;
            self.reached(head).join = true;
        }
    }

    fn run(mut self) -> DivergenceReach {
        let control = self.control;
        let first: SmallVec<[Node; 2]> = SmallVec::from_slice(control.targets(self.branch));
        let mut irreducible = control.irreducible(self.branch);
        let conservative = irreducible.is_some();
        for (k, to) in first.into_iter().enumerate() {
            self.edge(self.branch, k, to, TARGET | k as u32);
        }
        let mut touched: Vec<usize> = Vec::new();
        let mut at = self.branch;
        loop {
            // What the next iterations bring to the exits, once the cycle lies behind.
            for i in 0..self.cycles.len() {
                let cycle = self.cycles[i].cycle;
                if control.cycles[cycle].last == at && self.cycles[i].back != NONE {
                    self.next_iterations(i);
                }
            }
            at += 1;
            if at >= self.end {
                break;
            }
            let label = self.reached(at).label;
            if label == NONE {
                continue;
            }
            if let Some(s) = control.irreducible(at) {
                irreducible = Some(s);
                if !touched.contains(&s) {
                    touched.push(s);
                }
            }
            let targets: SmallVec<[Node; 2]> = SmallVec::from_slice(control.targets(at));
            for (k, to) in targets.into_iter().enumerate() {
                self.edge(at, k, to, label);
            }
        }
        let window = self.reached.iter().zip(self.branch..).map(|(r, n)| (n, r));
        let mut joins: Vec<Node> = window
            .chain(self.heads.iter().map(|(&n, r)| (n, r)))
            .filter(|&(n, r)| r.join && control.entering[n as usize] > 1)
            .map(|(n, _)| n)
            .collect();
        joins.sort_unstable();
        let mut cycles: Vec<usize> = self
            .cycles
            .iter()
            .filter(|c| c.exits_differ || (c.exit != NONE && c.back != NONE && c.exit != c.back))
            .map(|c| c.cycle)
            .collect();
        if irreducible.is_some() {
            if let Some(s) = control.irreducible(self.branch) {
                touched.push(s);
            }
            for &s in &touched {
                joins.extend_from_slice(&control.cycles[s].nodes);
                cycles.push(s);
                // Cycles inside are left in no order that this walk has followed.
                cycles.extend(
                    (0..control.cycles.len()).filter(|&c| {
                        control.cycles[c].nodes.first().is_some_and(|&n| control.contains(s, n))
                    }),
                );
            }
            if conservative {
                cycles.extend(control.cycles_of(self.branch));
            }
            // Whatever lies between the branch and its end may be a join.
            let window = self.reached.iter().zip(self.branch..);
            joins.extend(window.filter(|(r, _)| r.label != NONE || conservative).map(|(_, n)| n));
            joins.sort_unstable();
            joins.dedup();
            joins.retain(|&n| control.entering[n as usize] > 1);
            cycles.sort_unstable();
            cycles.dedup();
        }
        let joins = joins
            .into_iter()
            .map(|node| {
                let edges = match irreducible {
                    Some(_) => SmallVec::from_slice(control.incoming(node)),
                    None => std::mem::take(&mut self.reached(node).edges),
                };
                Join { node, edges }
            })
            .collect();
        DivergenceReach { joins, cycles }
    }

    /// Threads that stay in a cycle leave it later: their label arrives at its exits too.
    fn next_iterations(&mut self, i: usize) {
        let (cycle, label) = (self.cycles[i].cycle, self.cycles[i].back);
        let control = self.control;
        for &(from, to) in &control.cycles[cycle].exits {
            for (k, &t) in control.targets(from).iter().enumerate() {
                if t == to {
                    self.came_by(to, (from, k as u32));
                }
            }
            if control.is_back_edge(from, to) {
                self.back(to, label);
            }
            for j in 0..self.cycles.len() {
                let outer = self.cycles[j].cycle;
                if outer != cycle && control.contains(outer, from) && !control.contains(outer, to) {
                    let c = &mut self.cycles[j];
                    c.exits_differ |= c.exit != NONE && c.exit != label;
                    c.exit = label;
                }
            }
        }
        for &to in &control.cycles[cycle].forward {
            // Exits that end an iteration further out hand the label on there.
            if control.cycles[cycle].exits.iter().any(|&(_, t)| t == to) {
                self.arrive(to, label);
            }
        }
    }
}

/// Whether the terminator's way depends on a value, and on which.
pub fn deciding_value(func: &Function, block: Block) -> Option<cudair_ir::Value> {
    match func.insts[func.terminator(block)?] {
        InstData::Branch { cond, .. } => Some(cond),
        InstData::Switch { arg, .. } => Some(arg),
        _ => None,
    }
}
