//! Dominators and post-dominators.
//!
//! Both trees come from the iterative algorithm of Cooper, Harvey and Kennedy ("A Simple, Fast Dominance
//! Algorithm", 2001), which needs only predecessors and a postorder. Post-dominators are dominators of
//! the reversed graph from one virtual exit, to which every block without successors leads. A region
//! that cannot reach any of them (an endless loop) is tied to the virtual exit at its last block in
//! reverse postorder, so that every reachable block is in the tree.

use crate::cfg::Cfg;
use crate::entities::Block;
use crate::function::Function;
use cranelift_entity::packed_option::PackedOption;
use cranelift_entity::{EntityRef, SecondaryMap};
use smallvec::SmallVec;

const NONE: u32 = u32::MAX;

/// Immediate dominators of a graph whose nodes are numbered in reverse postorder; node 0 is the root.
/// `preds(n)` gives the predecessors of node `n`.
fn immediate_dominators(preds: &[SmallVec<[u32; 4]>]) -> Vec<u32> {
    let mut idom = vec![NONE; preds.len()];
    if idom.is_empty() {
        return idom;
    }
    idom[0] = 0;
    let mut changed = true;
    while changed {
        changed = false;
        for n in 1..preds.len() {
            let mut new = NONE;
            for &p in &preds[n] {
                if idom[p as usize] == NONE {
                    continue;
                }
                new = if new == NONE { p } else { intersect(&idom, p, new) };
            }
            if idom[n] != new {
                idom[n] = new;
                changed = true;
            }
        }
    }
    idom
}

/// The nearest common dominator.
fn intersect(idom: &[u32], mut a: u32, mut b: u32) -> u32 {
    while a != b {
        while a > b {
            a = idom[a as usize];
        }
        while b > a {
            b = idom[b as usize];
        }
    }
    a
}

/// A tree over numbered nodes with constant-time ancestor queries.
#[derive(Clone, Debug, Default)]
struct Tree {
    idom: Vec<u32>,
    children: Vec<SmallVec<[u32; 2]>>,
    /// Preorder interval of each node.
    enter: Vec<u32>,
    leave: Vec<u32>,
}

impl Tree {
    fn new(idom: Vec<u32>) -> Tree {
        let n = idom.len();
        let mut children = vec![SmallVec::new(); n];
        for (i, &d) in idom.iter().enumerate().skip(1) {
            if d != NONE {
                children[d as usize].push(i as u32);
            }
        }
        let (mut enter, mut leave) = (vec![0; n], vec![0; n]);
        let mut clock = 0;
        let mut stack: Vec<(u32, usize)> = if n > 0 { vec![(0, 0)] } else { Vec::new() };
        while let Some((node, next)) = stack.last_mut() {
            let i = *node as usize;
            if *next == 0 {
                enter[i] = clock;
                clock += 1;
            }
            match children[i].get(*next) {
                Some(&c) => {
                    *next += 1;
                    stack.push((c, 0));
                }
                None => {
                    leave[i] = clock;
                    stack.pop();
                }
            }
        }
        Tree { idom, children, enter, leave }
    }

    fn is_ancestor(&self, a: usize, b: usize) -> bool {
        self.enter[a] <= self.enter[b] && self.leave[b] <= self.leave[a]
    }
}

/// The dominator tree of the reachable blocks.
#[derive(Clone, Debug, Default)]
pub struct DomTree {
    tree: Tree,
    blocks: Vec<Block>,
    number: SecondaryMap<Block, PackedOption<Node>>,
}

/// A node's number within its tree.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Node(u32);
cranelift_entity::entity_impl!(Node, "node");

impl DomTree {
    /// Computes the tree.
    pub fn new(cfg: &Cfg) -> DomTree {
        let blocks = cfg.rpo().to_vec();
        let preds: Vec<SmallVec<[u32; 4]>> = blocks
            .iter()
            .map(|&b| cfg.preds(b).iter().filter_map(|&p| cfg.rpo_index(p)).map(|i| i as u32).collect())
            .collect();
        let mut number = SecondaryMap::new();
        for (i, &b) in blocks.iter().enumerate() {
            number[b] = Node::new(i).into();
        }
        DomTree { tree: Tree::new(immediate_dominators(&preds)), blocks, number }
    }

    fn node(&self, block: Block) -> Option<usize> {
        self.number[block].expand().map(Node::index)
    }

    /// The immediate dominator; none for the entry and for unreachable blocks.
    pub fn idom(&self, block: Block) -> Option<Block> {
        let n = self.node(block)?;
        if n == 0 { None } else { Some(self.blocks[self.tree.idom[n] as usize]) }
    }

    /// Whether every path from the entry to `b` passes `a`; a block dominates itself. An unreachable
    /// block is dominated by every block and dominates only itself and unreachable ones.
    pub fn dominates(&self, a: Block, b: Block) -> bool {
        match (self.node(a), self.node(b)) {
            (_, None) => true,
            (None, Some(_)) => false,
            (Some(a), Some(b)) => self.tree.is_ancestor(a, b),
        }
    }

    /// [`DomTree::dominates`] for two different blocks.
    pub fn strictly_dominates(&self, a: Block, b: Block) -> bool {
        a != b && self.dominates(a, b)
    }

    /// The blocks that `block` immediately dominates, in reverse postorder.
    pub fn children(&self, block: Block) -> impl Iterator<Item = Block> + '_ {
        let nodes: &[u32] = self.node(block).map_or(&[], |n| &self.tree.children[n]);
        nodes.iter().map(|&n| self.blocks[n as usize])
    }

    /// The nearest block that dominates both; none if one is unreachable.
    pub fn common_dominator(&self, a: Block, b: Block) -> Option<Block> {
        let (a, b) = (self.node(a)?, self.node(b)?);
        Some(self.blocks[intersect(&self.tree.idom, a as u32, b as u32) as usize])
    }

    /// The blocks in an order in which each comes after its immediate dominator (a preorder).
    pub fn preorder(&self) -> Vec<Block> {
        let mut order: Vec<usize> = (0..self.blocks.len()).collect();
        order.sort_unstable_by_key(|&n| self.tree.enter[n]);
        order.into_iter().map(|n| self.blocks[n]).collect()
    }

    /// The dominance frontier of each block: the joins that it reaches and does not strictly dominate.
    /// In all they can have as many members as the square of the number of blocks; `None` where there
    /// are more than `limit`.
    pub fn frontiers(&self, cfg: &Cfg, limit: usize) -> Option<SecondaryMap<Block, SmallVec<[Block; 4]>>> {
        let mut total = 0;
        let mut df: SecondaryMap<Block, SmallVec<[Block; 4]>> = SecondaryMap::new();
        for &b in cfg.rpo() {
            let preds = cfg.preds(b);
            // A block with one predecessor is in no frontier, unless it is the entry (which then is in
            // a cycle and has no immediate dominator).
            if preds.len() < 2 && self.idom(b).is_some() {
                continue;
            }
            let stop = self.idom(b);
            for &p in preds {
                let mut runner = Some(p);
                while let Some(r) = runner.filter(|&r| Some(r) != stop) {
                    // What was added for this join stands last.
                    if df[r].last() != Some(&b) {
                        df[r].push(b);
                        total += 1;
                        if total > limit {
                            return None;
                        }
                    }
                    runner = self.idom(r);
                }
            }
        }
        Some(df)
    }
}

/// The post-dominator tree of the reachable blocks, rooted in a virtual exit.
#[derive(Clone, Debug, Default)]
pub struct PostDomTree {
    tree: Tree,
    /// The block of each node; node 0 is the virtual exit.
    blocks: Vec<Option<Block>>,
    number: SecondaryMap<Block, PackedOption<Node>>,
    endless: Vec<Block>,
}

impl PostDomTree {
    /// Computes the tree.
    pub fn new(func: &Function, cfg: &Cfg) -> PostDomTree {
        // Postorder of the reversed graph from the virtual exit.
        let mut seen: SecondaryMap<Block, bool> = SecondaryMap::new();
        let mut postorder = Vec::with_capacity(cfg.rpo().len() + 1);
        let mut roots: Vec<Block> = Vec::new();
        let mut endless = Vec::new();
        let exits = cfg.rpo().iter().rev().copied().filter(|&b| func.successors(b).is_empty());
        let walk = |root: Block, seen: &mut SecondaryMap<Block, bool>, postorder: &mut Vec<Block>| {
            if seen[root] {
                return false;
            }
            seen[root] = true;
            let mut stack = vec![(root, 0)];
            while let Some((block, next)) = stack.last_mut() {
                match cfg.preds(*block).get(*next) {
                    Some(&p) => {
                        *next += 1;
                        if !seen[p] {
                            seen[p] = true;
                            stack.push((p, 0));
                        }
                    }
                    None => {
                        postorder.push(*block);
                        stack.pop();
                    }
                }
            }
            true
        };
        for b in exits {
            if walk(b, &mut seen, &mut postorder) {
                roots.push(b);
            }
        }
        for &b in cfg.rpo().iter().rev() {
            if walk(b, &mut seen, &mut postorder) {
                roots.push(b);
                endless.push(b);
            }
        }
        let blocks: Vec<Option<Block>> =
            std::iter::once(None).chain(postorder.into_iter().rev().map(Some)).collect();
        let mut number: SecondaryMap<Block, PackedOption<Node>> = SecondaryMap::new();
        for (i, b) in blocks.iter().enumerate() {
            if let Some(b) = *b {
                number[b] = Node::new(i).into();
            }
        }
        let mut preds: Vec<SmallVec<[u32; 4]>> = vec![SmallVec::new(); blocks.len()];
        for (i, b) in blocks.iter().enumerate() {
            let Some(b) = *b else { continue };
            // In the reversed graph the predecessors are the successors.
            for s in func.successors(b) {
                if let Some(n) = number[s].expand() {
                    preds[i].push(n.as_u32());
                }
            }
        }
        for r in roots {
            if let Some(n) = number[r].expand() {
                preds[n.index()].push(0);
            }
        }
        PostDomTree { tree: Tree::new(immediate_dominators(&preds)), blocks, number, endless }
    }

    fn node(&self, block: Block) -> Option<usize> {
        self.number[block].expand().map(Node::index)
    }

    /// The immediate post-dominator; none where it is the virtual exit, and for unreachable blocks.
    pub fn ipdom(&self, block: Block) -> Option<Block> {
        self.blocks[self.tree.idom[self.node(block)?] as usize]
    }

    /// Whether every path from `b` to an exit passes `a`; a block post-dominates itself.
    pub fn post_dominates(&self, a: Block, b: Block) -> bool {
        match (self.node(a), self.node(b)) {
            (_, None) => true,
            (None, Some(_)) => false,
            (Some(a), Some(b)) => self.tree.is_ancestor(a, b),
        }
    }

    /// The nearest block that post-dominates both; none where that is the virtual exit.
    pub fn common_post_dominator(&self, a: Block, b: Block) -> Option<Block> {
        let (a, b) = (self.node(a)?, self.node(b)?);
        self.blocks[intersect(&self.tree.idom, a as u32, b as u32) as usize]
    }

    /// The blocks at which endless regions were tied to the virtual exit.
    pub fn endless(&self) -> &[Block] {
        &self.endless
    }

    /// For each block, the blocks whose branch decides whether it is executed (control dependence: the
    /// post-dominance frontier).
    pub fn control_dependence(
        &self,
        func: &Function,
        cfg: &Cfg,
    ) -> SecondaryMap<Block, SmallVec<[Block; 2]>> {
        let mut deps: SecondaryMap<Block, SmallVec<[Block; 2]>> = SecondaryMap::new();
        for &b in cfg.rpo() {
            let succs = func.successors(b);
            if succs.len() < 2 {
                continue;
            }
            let stop = self.ipdom(b);
            for s in succs {
                let mut runner = Some(s);
                while let Some(r) = runner.filter(|&r| Some(r) != stop) {
                    // What was added for this branch stands last.
                    if deps[r].last() != Some(&b) {
                        deps[r].push(b);
                    }
                    runner = self.ipdom(r);
                }
            }
        }
        deps
    }
}
