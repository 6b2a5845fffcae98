//! Loops that lanes which run together leave at different turns. Those that have left wait under a mask, with what they have found,
//! until all have left; then the lanes go on together (the loop masks and blends of Karrenberg and Hack, "Whole-Function
//! Vectorization", CGO 2011).
//!
//! As long as all lanes take a loop's branches together, they run the code without masks. Where they first do not, they go on in the
//! middle of a turn under masks: there is one such copy of a loop, into which lanes come behind any branch.

use crate::Refusal;
use crate::classes::{self, Class};
use crate::emit::{Emitter, Given};
use crate::masked::Edge;
use crate::plan::Plan;
use cranelift_codegen::ir::types as ct;
use cranelift_codegen::ir::{self as cl, InstBuilder};
use cranelift_entity::SecondaryMap;
use cranelift_frontend::Variable;
use cudair_ir::cfg::Cfg;
use cudair_ir::cycles::{Cycle, Cycles};
use cudair_ir::*;
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// Instructions of a loop, at most, where an access to memory counts as eight.
const MOST: usize = 96;

/// A loop around no other that lanes may leave at different turns.
pub(crate) struct Loop {
    /// The header first, in reverse postorder: the loop's own blocks, and those between its exits and where lanes come together.
    pub blocks: Vec<Block>,
    /// Where lanes come together that have left.
    pub join: Block,
    /// What lanes that have left may have seen last: it stays as it was then.
    pub last_seen: EntitySet<Value>,
    /// Whether lanes part in it, too, and not only where they leave: one after the other they would guess these branches badly.
    pub parts_inside: bool,
}

/// The loops of a kernel that lanes may leave at different turns, by the branches where they are known to part.
#[derive(Default)]
pub(crate) struct Loops {
    all: Vec<Loop>,
    branches: FxHashMap<Block, usize>,
}

/// The machine code of a loop's turns under masks.
pub(crate) struct Turns {
    /// By block of the loop, where the code for it begins; behind the last one, where a turn ends. The first one begins a turn.
    before: Vec<cl::Block>,
    /// By block, the lanes that take the edges out of it in this turn.
    edges: Vec<Vec<[Variable; 2]>>,
    /// The lanes that have not left at the end of a turn.
    inside: [Variable; 2],
}

impl Loops {
    /// Adds a loop, with the branches in it at which its lanes part.
    pub fn add(&mut self, of: Loop, branches: impl Iterator<Item = Block>) {
        let n = self.all.len();
        self.branches.extend(branches.map(|block| (block, n)));
        self.all.push(of);
    }

    /// The loop in which lanes part at the end of a block.
    pub fn get(&self, block: Block) -> Option<&Loop> {
        self.branches.get(&block).map(|&n| &self.all[n])
    }
}

impl Loop {
    /// A loop of the function, if its lanes can wait for each other behind it: what is done until then has an end, and nobody
    /// synchronises.
    pub fn of(
        func: &Function,
        plan: &Plan,
        cfg: &Cfg,
        (cycles, ends): (&Cycles, &PostDomTree),
        cycle: Cycle,
    ) -> Option<Loop> {
        let data = &cycles.cycles[cycle];
        if !data.is_reducible() || !data.children.is_empty() {
            return None;
        }
        let header = data.header();
        let mut blocks = cycles.blocks(cycle);
        let inside = |block: Block| cycles.contains(cycle, block);
        let mut join = ends.ipdom(header)?;
        while inside(join) {
            join = ends.ipdom(join)?;
        }
        let mut open: Vec<Block> = cycles.exits(func, cycle).into_iter().map(|(_, to)| to).collect();
        while let Some(block) = open.pop() {
            if block != join && !blocks.contains(&block) {
                blocks.push(block);
                open.extend(func.successors(block));
            }
            if blocks.len() > MOST {
                return None;
            }
        }
        let of_inst = |&inst: &Inst| match func.insts[inst].opcode().touches() {
            Touches::None => 1,
            _ => 8,
        };
        let size = blocks.iter().flat_map(|&block| func.block_insts(block)).map(of_inst).sum::<usize>();
        let suits = |&block: &Block| {
            let end = func.terminator(block).map(|end| &func.insts[end]);
            let comes_from_inside = || cfg.preds(block).iter().all(|pred| blocks.contains(pred));
            let turns_back = |to: Block| cfg.is_back_edge(block, to) && !(inside(block) && to == header);
            matches!(end, Some(InstData::Jump { .. } | InstData::Branch { .. }))
                && !plan.synchronises(block, 0)
                && (block == header || comes_from_inside())
                && !func.successors(block).into_iter().any(turns_back)
        };
        if size > MOST || !blocks.iter().all(suits) {
            return None;
        }
        blocks.sort_by_key(|&block| cfg.rpo_index(block));
        if blocks.first() != Some(&header) {
            return None;
        }
        let mut out = Loop { blocks, join, last_seen: EntitySet::new(), parts_inside: false };
        out.last_seen = out.seen_behind(func, cfg);
        Some(out)
    }

    /// The values of the loop that are used behind it and may differ from turn to turn.
    fn seen_behind(&self, func: &Function, cfg: &Cfg) -> EntitySet<Value> {
        let steady = self.steady(func);
        let mut own = EntitySet::new();
        for &block in &self.blocks {
            let results = func.block_insts(block).iter().flat_map(|&inst| func.inst_results(inst));
            for &v in func.block_params(block).iter().chain(results) {
                if !steady.contains(v) {
                    own.insert(v);
                }
            }
        }
        let mut out = EntitySet::new();
        for &block in cfg.rpo().iter().filter(|block| !self.blocks.contains(block)) {
            for &inst in func.block_insts(block) {
                func.for_each_arg(inst, |v| {
                    if own.contains(v) {
                        out.insert(v);
                    }
                });
            }
        }
        out
    }

    /// The values of the loop that are the same at each turn.
    fn steady(&self, func: &Function) -> EntitySet<Value> {
        let mut own = EntitySet::new();
        let mut steady = EntitySet::new();
        for &block in &self.blocks {
            for &v in func.block_params(block) {
                own.insert(v);
            }
            for &inst in func.block_insts(block) {
                let mut same = func.insts[inst].opcode().touches() == Touches::None;
                func.for_each_arg(inst, |v| same &= !own.contains(v) || steady.contains(v));
                for &v in func.inst_results(inst) {
                    own.insert(v);
                    if same {
                        steady.insert(v);
                    }
                }
            }
        }
        steady
    }

    /// The values that differ between lanes in any way if these leave at different turns. Nothing where the loop cannot be run so.
    /// `from` is a block before it that all lanes come to.
    pub fn differing(
        &self,
        given: &Given<'_>,
        known: &SecondaryMap<Value, Class>,
        from: Block,
    ) -> Option<Vec<Value>> {
        let (func, cfg) = (given.func, given.cfg);
        let is_own = |block: &Block| self.blocks.contains(block);
        for &block in self.blocks.iter().chain([&self.join]) {
            let args = classes::incoming(func, block, cfg.preds(block).iter().copied());
            let root = |v: Value| given.plan.from[v];
            let mut pointers =
                func.block_params(block).iter().enumerate().filter(|&(_, &p)| func.value_type(p).is_ptr());
            if !pointers.all(|(n, &p)| args.iter().all(|a| root(a[n]) == root(p))) {
                return None;
            }
        }
        let mut out: Vec<Value> = self.last_seen.iter().collect();
        for &inst in self.blocks.iter().flat_map(|&block| func.block_insts(block)) {
            let Some(v) = func.result(inst) else { continue };
            if matches!(func.insts[inst], InstData::PtrAdd { .. }) && !given.plan.addresses[v] {
                return None;
            }
            // What holds of the lanes that come to a place in the loop need not hold of the first of those that run together.
            if known[v] != Class::Many && classes::class(given, known, from, inst) != known[v] {
                out.push(v);
            }
        }
        let header = self.blocks[0];
        let again = classes::incoming(func, header, cfg.preds(header).iter().copied().filter(is_own));
        let left = classes::incoming(func, self.join, cfg.preds(self.join).iter().copied().filter(is_own));
        let steady = self.steady(func);
        let is_outside = |v: Value| {
            steady.contains(v)
                || !self.blocks.iter().any(|&block| {
                    let mut results =
                        func.block_insts(block).iter().flat_map(|&inst| func.inst_results(inst));
                    func.block_params(block).contains(&v) || results.any(|&result| result == v)
                })
        };
        for (n, &param) in func.block_params(header).iter().enumerate() {
            if again.windows(2).any(|two| two[0][n] != two[1][n]) {
                out.push(param);
            }
        }
        for (n, &param) in func.block_params(self.join).iter().enumerate() {
            let same = left.windows(2).all(|two| two[0][n] == two[1][n]);
            if !same || !left.iter().all(|args| is_outside(args[n])) {
                out.push(param);
            }
        }
        Some(out)
    }
}

impl<'a> Emitter<'a, '_> {
    /// The rest of a loop for lanes of which only some fulfil the condition at the end of a block in it, to where all come together.
    pub(crate) fn masked_loop(&mut self, of: &'a Loop, block: Block, cond: Value) -> Result<(), Refusal> {
        let before = self.point();
        let header = of.blocks[0];
        let known = self.loop_turns.get(&header).cloned();
        let is_new = known.is_none();
        let turns = match known {
            Some(turns) => turns,
            None => Rc::new(self.new_turns(of)?),
        };
        self.loop_turns.insert(header, turns.clone());
        // No lane is elsewhere in the loop.
        for &mask in turns.edges.iter().flatten() {
            self.nobody_takes(mask);
        }
        let n = of.blocks.iter().position(|&b| b == block).ok_or(Refusal("lanes part outside of a loop"))?;
        let &[yes, no] = turns.edges[n].as_slice() else {
            return Err(Refusal("lanes part without a branch"));
        };
        self.part_at(cond, [yes, no])?;
        self.b.ins().jump(turns.before[n + 1], &[]);
        if is_new {
            self.turns_under_masks(of, &turns)?;
        }
        self.enter(before);
        Ok(())
    }

    fn new_turns(&mut self, of: &Loop) -> Result<Turns, Refusal> {
        let mut edges = Vec::with_capacity(of.blocks.len());
        for &block in &of.blocks {
            let count = self.outgoing(block)?.len();
            edges.push((0..count).map(|_| self.edge_masks()).collect());
        }
        let before = (0..=of.blocks.len()).map(|_| self.b.create_block()).collect();
        Ok(Turns { before, edges, inside: self.edge_masks() })
    }

    /// The code of a loop's turns, whose lanes may be anywhere in it.
    fn turns_under_masks(&mut self, of: &'a Loop, turns: &Turns) -> Result<(), Refusal> {
        let mut incoming: FxHashMap<Block, Vec<Edge<'a>>> = FxHashMap::default();
        for (&block, masks) in of.blocks.iter().zip(&turns.edges) {
            for (&mask, dest) in masks.iter().zip(self.outgoing(block)?) {
                incoming.entry(dest.block).or_default().push(Edge { mask, dest });
            }
        }
        let header = of.blocks[0];
        let (body, done) = (self.b.create_block(), self.b.create_block());
        self.b.switch_to_block(turns.before[0]);
        let inside = turns.inside.map(|var| self.b.use_var(var));
        let any = self.b.ins().bor(inside[0], inside[1]);
        let any = self.b.ins().vany_true(any);
        self.stay(any, body, done);
        self.b.switch_to_block(body);
        for (n, &block) in of.blocks.iter().enumerate() {
            let mut mask = inside;
            if block != header {
                let edges = incoming.remove(&block).ok_or(Refusal("no lane comes to a block"))?;
                self.come_together(block, &edges, &of.last_seen)?;
                mask = self.either(&edges);
            }
            self.under_mask(block, mask, &turns.edges[n], &of.last_seen)?;
            self.b.ins().jump(turns.before[n + 1], &[]);
            self.b.switch_to_block(turns.before[n + 1]);
        }
        // Lanes leave, or begin the next turn.
        let left = incoming.remove(&of.join).ok_or(Refusal("no lane leaves a loop"))?;
        let mut params = EntitySet::new();
        for &param in self.given.func.block_params(of.join) {
            params.insert(param);
        }
        self.come_together(of.join, &left, &params)?;
        let again = incoming.remove(&header).ok_or(Refusal("no lane turns"))?;
        let mask = self.either(&again);
        self.come_together(header, &again, &of.last_seen)?;
        let lanes = self.bits_of(mask);
        let lanes = self.b.ins().popcnt(lanes);
        let lanes = self.b.ins().uextend(ct::I64, lanes);
        for (var, mask) in turns.inside.into_iter().zip(mask) {
            self.b.def_var(var, mask);
        }
        self.turns_of(lanes);
        self.b.ins().jump(turns.before[0], &[]);
        self.b.switch_to_block(done);
        let to = self.node((of.join, 0), false);
        self.b.ins().jump(to, &[]);
        Ok(())
    }
}
