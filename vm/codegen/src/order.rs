//! The order in which blocks are laid out in the bytecode.
//!
//! The engine runs the convergence group that stands earliest in the bytecode, so the order decides where
//! diverged lanes meet again. It is a topological order of the control-flow graph without its back
//! edges, in which every cycle is contiguous and begins with its header: a join stands behind all its
//! branches, a loop's exit behind the whole loop, and the latch at the loop's end. Blocks that the
//! entry does not reach are left out.

use cranelift_entity::SecondaryMap;
use cudair_ir::{Block, Function};
use smallvec::SmallVec;

/// Stands for "no number" in the tables below.
const NONE: u32 = u32::MAX;

/// The layout of a function's blocks.
#[derive(Debug, Default)]
pub(super) struct BlockOrder {
    /// The reachable blocks in layout order.
    pub blocks: Vec<Block>,
    position: SecondaryMap<Block, Number>,
    depth: SecondaryMap<Block, u32>,
    preds: SecondaryMap<Block, SmallVec<[Block; 4]>>,
    succs: SecondaryMap<Block, SmallVec<[Block; 4]>>,
    /// The loops, outer ones before inner ones.
    pub loops: Vec<Loop>,
    /// The innermost loop of each block, plus one; 0 for none.
    innermost: SecondaryMap<Block, u32>,
}

/// A cycle of the control-flow graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Loop {
    /// The position of its first block.
    pub start: u32,
    /// The position behind its last block.
    pub end: u32,
    /// The loop around it.
    pub parent: Option<usize>,
}

/// A number that defaults to [`NONE`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Number(u32);

impl Default for Number {
    fn default() -> Number {
        Number(NONE)
    }
}

/// What remains to be laid out.
enum Task {
    /// A block, its loop depth and its loop.
    Place(Block, u32, Option<usize>),
    /// A strongly connected region with its header, its loop depth and the loop around it.
    Region(Vec<Block>, Block, u32, Option<usize>),
}

impl BlockOrder {
    /// Lays out `func`, which has an entry block.
    pub fn new(func: &Function, entry: Block) -> BlockOrder {
        let mut order = BlockOrder::default();
        let mut scc = Components::new(func);
        let mut tasks = vec![Task::Region(func.layout.clone(), entry, 0, None)];
        while let Some(task) = tasks.pop() {
            match task {
                Task::Place(block, depth, in_loop) => {
                    order.innermost[block] = in_loop.map_or(0, |l| l as u32 + 1);
                    order.position[block] = Number(order.blocks.len() as u32);
                    order.depth[block] = depth;
                    order.blocks.push(block);
                }
                Task::Region(blocks, header, depth, parent) => {
                    let mut in_loop = parent;
                    if depth > 0 {
                        let start = order.blocks.len() as u32;
                        in_loop = Some(order.loops.len());
                        order.loops.push(Loop { start, end: start + blocks.len() as u32, parent });
                    }
                    // Components come out in reverse topological order, which is what a stack wants.
                    for (component, cyclic) in scc.of_region(func, &blocks, header) {
                        let first = component[0];
                        // The header's own cycle is the region itself, unless that is the whole function.
                        let own = component[0] == header && (depth > 0 || component.len() > 1);
                        if component.len() > 1 || cyclic && !own {
                            tasks.push(Task::Region(component, first, depth + 1, in_loop));
                        } else {
                            tasks.push(Task::Place(first, depth, in_loop));
                        }
                    }
                }
            }
        }
        for i in 0..order.blocks.len() {
            let block = order.blocks[i];
            let succs = func.successors(block);
            for &succ in &succs {
                order.preds[succ].push(block);
            }
            order.succs[block] = succs;
        }
        order
    }

    /// The place of a block in the layout, if it is reachable.
    pub fn position(&self, block: Block) -> Option<u32> {
        let Number(n) = self.position[block];
        (n != NONE).then_some(n)
    }

    /// How many loops contain a block.
    pub fn depth(&self, block: Block) -> u32 {
        self.depth[block]
    }

    /// The innermost loop of a block.
    pub fn innermost(&self, block: Block) -> Option<usize> {
        (self.innermost[block] as usize).checked_sub(1)
    }

    /// The loops that an edge, or a value on its way from definition to use, leaves; innermost first.
    pub fn left(&self, from: Block, to: Block) -> impl Iterator<Item = usize> {
        let at = self.position(to);
        let mut next = self.innermost(from);
        std::iter::from_fn(move || {
            let this = next?;
            let l = self.loops[this];
            if at.is_some_and(|at| (l.start..l.end).contains(&at)) {
                return None;
            }
            next = l.parent;
            Some(this)
        })
    }

    /// The reachable predecessors of a block, one per edge.
    pub fn preds(&self, block: Block) -> &[Block] {
        &self.preds[block]
    }

    /// The successors of a block, one per edge.
    pub(crate) fn succs(&self, block: Block) -> &[Block] {
        &self.succs[block]
    }

    /// Whether the edge goes backwards in the layout (or stays): it closes a cycle.
    pub(crate) fn is_back_edge(&self, from: Block, to: Block) -> bool {
        self.position[to].0 <= self.position[from].0
    }
}

/// Tarjan's strongly connected components of a region, without recursion.
struct Components {
    /// Which region a block belongs to, by the number of the call that saw it last.
    region: SecondaryMap<Block, u32>,
    call: u32,
    number: SecondaryMap<Block, Number>,
    low: SecondaryMap<Block, u32>,
    on_stack: SecondaryMap<Block, bool>,
    /// Successors, the last target first, so that a branch's first target ends up nearest to it.
    succs: SecondaryMap<Block, SmallVec<[Block; 4]>>,
}

impl Components {
    fn new(func: &Function) -> Components {
        let mut succs: SecondaryMap<Block, SmallVec<[Block; 4]>> = SecondaryMap::new();
        for &block in &func.layout {
            let mut list = func.successors(block);
            list.reverse();
            succs[block] = list;
        }
        Components {
            region: SecondaryMap::new(),
            call: 0,
            number: SecondaryMap::new(),
            low: SecondaryMap::new(),
            on_stack: SecondaryMap::new(),
            succs,
        }
    }

    /// The components of `blocks` that `header` reaches without edges into `header`, in reverse
    /// topological order. Each begins with the block at which the search entered it and tells
    /// whether it is a cycle.
    fn of_region(&mut self, func: &Function, blocks: &[Block], header: Block) -> Vec<(Vec<Block>, bool)> {
        self.call += 1;
        for &b in blocks {
            self.region[b] = self.call;
            self.number[b] = Number(NONE);
        }
        let mut found = Vec::new();
        let mut next = 0u32;
        let mut stack: Vec<Block> = Vec::new();
        let mut path: Vec<(Block, usize)> = Vec::new();
        self.enter(header, &mut next, &mut stack, &mut path);
        while let Some(&mut (block, ref mut at)) = path.last_mut() {
            if let Some(&succ) = self.succs[block].get(*at) {
                *at += 1;
                if succ == header || self.region[succ] != self.call {
                    continue;
                }
                if self.number[succ].0 == NONE {
                    self.enter(succ, &mut next, &mut stack, &mut path);
                } else if self.on_stack[succ] {
                    self.low[block] = self.low[block].min(self.number[succ].0);
                }
                continue;
            }
            path.pop();
            if let Some(&(parent, _)) = path.last() {
                self.low[parent] = self.low[parent].min(self.low[block]);
            }
            if self.low[block] == self.number[block].0 {
                let at = stack.iter().rposition(|&b| b == block);
                let at = at.unwrap_or_else(|| unreachable!("the head of a component is on the stack"));
                let component: Vec<Block> = stack.drain(at..).collect();
                for &b in &component {
                    self.on_stack[b] = false;
                }
                let cyclic = component.len() > 1 || func.successors(block).contains(&block);
                found.push((component, cyclic));
            }
        }
        found
    }

    fn enter(
        &mut self,
        block: Block,
        next: &mut u32,
        stack: &mut Vec<Block>,
        path: &mut Vec<(Block, usize)>,
    ) {
        self.number[block] = Number(*next);
        self.low[block] = *next;
        *next += 1;
        self.on_stack[block] = true;
        stack.push(block);
        path.push((block, 0));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cudair_ir::builder::FuncBuilder;
    use cudair_ir::{Side, Signature, Type};

    /// A function whose block `n` branches to the blocks of `succs[n]`.
    fn graph(succs: &[&[usize]]) -> Function {
        let mut b = FuncBuilder::new(Function::new("f", Side::Host, Signature::default()));
        b.make_entry();
        let mut blocks = vec![b.current_block().unwrap()];
        blocks.extend((1..succs.len()).map(|_| b.make_block()));
        for (n, targets) in succs.iter().enumerate() {
            b.switch_to(blocks[n]);
            match targets {
                [] => b.ret(None),
                [t] => b.jump(blocks[*t], &[]),
                [t, e] => {
                    let c = b.iconst(Type::I1, 0);
                    b.branch(c, blocks[*t], blocks[*e]);
                }
                _ => unreachable!("tests use at most two targets"),
            }
        }
        b.finish()
    }

    fn order(succs: &[&[usize]]) -> Vec<u32> {
        let f = graph(succs);
        BlockOrder::new(&f, f.entry().unwrap()).blocks.iter().map(|b| b.as_u32()).collect()
    }

    #[test]
    fn a_join_stands_behind_its_branches() {
        assert_eq!(order(&[&[1, 2], &[3], &[3], &[]]), [0, 1, 2, 3]);
        assert_eq!(order(&[&[2, 1], &[3], &[3], &[]]), [0, 2, 1, 3]);
    }

    #[test]
    fn a_loop_is_contiguous_and_its_exit_follows() {
        // 1 is the header, 2 the exit, 3 and 4 the body.
        assert_eq!(order(&[&[1], &[2, 3], &[], &[4], &[1]]), [0, 1, 3, 4, 2]);
    }

    #[test]
    fn a_break_path_stands_behind_the_loop() {
        // 0 -> 1; 1 -> 2 | 5; 2 -> 3 (break path) | 4; 4 -> 1; 3 -> 5
        assert_eq!(order(&[&[1], &[2, 5], &[3, 4], &[5], &[1], &[]]), [0, 1, 2, 4, 3, 5]);
    }

    #[test]
    fn nested_loops() {
        let f = graph(&[&[1], &[2, 6], &[3, 5], &[4], &[2], &[1], &[]]);
        let o = BlockOrder::new(&f, f.entry().unwrap());
        let n: Vec<u32> = o.blocks.iter().map(|b| b.as_u32()).collect();
        assert_eq!(n, [0, 1, 2, 3, 4, 5, 6]);
        let depth: Vec<u32> = o.blocks.iter().map(|&b| o.depth(b)).collect();
        assert_eq!(depth, [0, 1, 2, 2, 2, 1, 0]);
    }

    #[test]
    fn an_irreducible_cycle_is_contiguous() {
        // 0 -> 1 | 2; 1 <-> 2; 2 -> 3
        let o = order(&[&[1, 2], &[2], &[1, 3], &[]]);
        assert_eq!(o.len(), 4);
        assert_eq!(o[3], 3);
    }

    #[test]
    fn unreachable_blocks_are_left_out() {
        assert_eq!(order(&[&[2], &[2], &[]]), [0, 2]);
    }

    #[test]
    fn a_self_loop_has_depth() {
        let f = graph(&[&[1], &[1, 2], &[]]);
        let o = BlockOrder::new(&f, f.entry().unwrap());
        assert_eq!(o.depth(o.blocks[1]), 1);
        assert!(o.is_back_edge(o.blocks[1], o.blocks[1]));
    }
}
