//! The forest of cycles, irreducible ones included.
//!
//! As in LLVM's `CycleInfo`: a cycle is a maximal strongly connected region of the subgraph in which the
//! header of every enclosing cycle is removed. Which block of an irreducible cycle becomes its header
//! depends on the depth-first search, which here follows the order of the terminators' targets. A natural
//! loop is a cycle with a single entry.

use crate::cfg::Cfg;
use crate::entities::Block;
use crate::function::Function;
use cranelift_entity::packed_option::PackedOption;
use cranelift_entity::{PrimaryMap, SecondaryMap, entity_impl};

/// A cycle of the control-flow graph.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cycle(u32);
entity_impl!(Cycle, "cycle");

/// A cycle.
#[derive(Clone, Debug, Default)]
pub struct CycleData {
    /// The blocks through which control enters from outside, the header first. One: a natural loop.
    pub entries: Vec<Block>,
    /// The blocks of this cycle that are in no inner one.
    pub own_blocks: Vec<Block>,
    /// The enclosing cycle.
    pub parent: PackedOption<Cycle>,
    /// The cycles directly inside.
    pub children: Vec<Cycle>,
    /// How many cycles enclose it, itself included: 1 for an outermost one.
    pub depth: u32,
}

impl CycleData {
    /// The header: the entry found first by the depth-first search.
    pub fn header(&self) -> Block {
        self.entries[0]
    }

    /// Whether control enters at one block only.
    pub fn is_reducible(&self) -> bool {
        self.entries.len() == 1
    }
}

/// All cycles of a function.
#[derive(Clone, Debug, Default)]
pub struct Cycles {
    /// The cycles, inner ones before the cycles that contain them.
    pub cycles: PrimaryMap<Cycle, CycleData>,
    innermost: SecondaryMap<Block, PackedOption<Cycle>>,
}

impl Cycles {
    /// Finds the cycles.
    pub fn new(func: &Function, cfg: &Cfg) -> Cycles {
        let mut found = Cycles::default();
        let dfs = Dfs::new(func);
        // The outermost cycle so far that contains each cycle, compressed while asked.
        let mut top: SecondaryMap<Cycle, PackedOption<Cycle>> = SecondaryMap::new();
        let mut work = Vec::new();
        for &candidate in dfs.preorder.iter().rev() {
            work.extend(cfg.preds(candidate).iter().filter(|&&p| dfs.is_ancestor(candidate, p)));
            if work.is_empty() {
                continue;
            }
            let new = found.cycles.push(CycleData {
                entries: vec![candidate],
                own_blocks: vec![candidate],
                ..CycleData::default()
            });
            found.innermost[candidate] = new.into();
            // Blocks below the candidate join the cycle; a predecessor elsewhere makes an entry.
            let visit = |cycle: &mut CycleData, work: &mut Vec<Block>, block: Block| {
                let mut entry = false;
                for &p in cfg.preds(block) {
                    if dfs.is_ancestor(candidate, p) {
                        work.push(p);
                    } else {
                        entry = true;
                    }
                }
                if entry && !cycle.entries.contains(&block) {
                    cycle.entries.push(block);
                }
            };
            while let Some(block) = work.pop() {
                if block == candidate {
                    continue;
                }
                match found.innermost[block].expand() {
                    Some(inner) => {
                        let outer = outermost(&mut top, inner);
                        if outer == new {
                            continue;
                        }
                        top[outer] = new.into();
                        found.cycles[outer].parent = new.into();
                        found.cycles[new].children.push(outer);
                        for e in found.cycles[outer].entries.clone() {
                            visit(&mut found.cycles[new], &mut work, e);
                        }
                    }
                    None => {
                        found.innermost[block] = new.into();
                        found.cycles[new].own_blocks.push(block);
                        visit(&mut found.cycles[new], &mut work, block);
                    }
                }
            }
        }
        // A cycle has a greater number than those inside it.
        for c in found.cycles.keys().rev() {
            // An outermost one lies in none.
            let depth = found.cycles[c].parent.expand().map_or(0, |p| found.cycles[p].depth);
            found.cycles[c].depth = depth + 1;
        }
        found
    }

    /// The innermost cycle that contains `block`.
    pub fn innermost(&self, block: Block) -> Option<Cycle> {
        self.innermost[block].expand()
    }

    /// Whether `block` is in `cycle`, or in one inside it.
    pub fn contains(&self, cycle: Cycle, block: Block) -> bool {
        let mut at = self.innermost[block].expand();
        while let Some(c) = at {
            if c == cycle {
                return true;
            }
            at = self.cycles[c].parent.expand();
        }
        false
    }

    /// How many cycles contain `block`.
    pub fn depth(&self, block: Block) -> u32 {
        // A block in no cycle is at depth 0.
        self.innermost(block).map_or(0, |c| self.cycles[c].depth)
    }

    /// All blocks of a cycle, those of inner cycles included.
    pub fn blocks(&self, cycle: Cycle) -> Vec<Block> {
        let mut out = Vec::new();
        let mut stack = vec![cycle];
        while let Some(c) = stack.pop() {
            let data = &self.cycles[c];
            out.extend_from_slice(&data.own_blocks);
            stack.extend(data.children.iter().rev());
        }
        out
    }

    /// The edges that leave a cycle: from a block inside to one outside.
    pub fn exits(&self, func: &Function, cycle: Cycle) -> Vec<(Block, Block)> {
        let mut out = Vec::new();
        for b in self.blocks(cycle) {
            for s in func.successors(b) {
                if !self.contains(cycle, s) && !out.contains(&(b, s)) {
                    out.push((b, s));
                }
            }
        }
        out
    }
}

fn outermost(top: &mut SecondaryMap<Cycle, PackedOption<Cycle>>, cycle: Cycle) -> Cycle {
    let mut root = cycle;
    while let Some(t) = top[root].expand() {
        root = t;
    }
    let mut at = cycle;
    while let Some(t) = top[at].expand() {
        if t == root {
            break;
        }
        top[at] = root.into();
        at = t;
    }
    root
}

/// Preorder intervals of a depth-first search from the entry.
struct Dfs {
    preorder: Vec<Block>,
    /// First and last preorder number of each block's subtree, plus one; 0 is unreachable.
    span: SecondaryMap<Block, (u32, u32)>,
}

impl Dfs {
    fn new(func: &Function) -> Dfs {
        let mut dfs = Dfs { preorder: Vec::new(), span: SecondaryMap::new() };
        let Some(entry) = func.entry() else { return dfs };
        let mut stack = vec![(entry, func.successors(entry), 0)];
        dfs.preorder.push(entry);
        dfs.span[entry] = (1, 0);
        while let Some((block, succs, next)) = stack.last_mut() {
            match succs.get(*next).copied() {
                Some(s) => {
                    *next += 1;
                    if dfs.span[s].0 == 0 {
                        dfs.preorder.push(s);
                        dfs.span[s] = (dfs.preorder.len() as u32, 0);
                        stack.push((s, func.successors(s), 0));
                    }
                }
                None => {
                    dfs.span[*block].1 = dfs.preorder.len() as u32;
                    stack.pop();
                }
            }
        }
        dfs
    }

    fn is_ancestor(&self, a: Block, b: Block) -> bool {
        let ((first, last), (at, _)) = (self.span[a], self.span[b]);
        at != 0 && first <= at && at <= last
    }
}
