//! The control-flow graph: predecessors and reverse postorder of the blocks that the entry reaches.
//!
//! Successors stand in the terminators ([`Function::successors`]); this adds what the terminators do not
//! say. It is a snapshot: a pass that changes a terminator computes it again. Exceptional edges of
//! `invoke` are edges like any other.

use crate::entities::Block;
use crate::function::Function;
use cranelift_entity::SecondaryMap;
use smallvec::SmallVec;

/// Predecessors and an order of the reachable blocks.
#[derive(Clone, Debug, Default)]
pub struct Cfg {
    preds: SecondaryMap<Block, SmallVec<[Block; 4]>>,
    rpo: Vec<Block>,
    /// Position in `rpo` plus one; 0 is unreachable.
    number: SecondaryMap<Block, u32>,
}

impl Cfg {
    /// Computes the graph of `func`; of a declaration it is empty.
    pub fn new(func: &Function) -> Cfg {
        let mut cfg = Cfg::default();
        let Some(entry) = func.entry() else { return cfg };
        let mut postorder = Vec::with_capacity(func.layout.len());
        // 1 marks a block that was met; the numbers proper follow below. Depth first with an explicit
        // stack, targets in reverse, so that the first target of a branch comes first in the order.
        cfg.number[entry] = 1;
        let mut stack = vec![(entry, func.successors(entry))];
        while let Some((block, targets)) = stack.last_mut() {
            let block = *block;
            match targets.pop() {
                Some(t) => {
                    let preds = &mut cfg.preds[t];
                    if !preds.contains(&block) {
                        preds.push(block);
                    }
                    if cfg.number[t] == 0 {
                        cfg.number[t] = 1;
                        stack.push((t, func.successors(t)));
                    }
                }
                None => {
                    postorder.push(block);
                    stack.pop();
                }
            }
        }
        postorder.reverse();
        cfg.rpo = postorder;
        for (i, &b) in cfg.rpo.iter().enumerate() {
            cfg.number[b] = i as u32 + 1;
        }
        // Predecessors in reverse postorder: an order that does not depend on the walk.
        for &b in &cfg.rpo {
            let number = &cfg.number;
            cfg.preds[b].sort_unstable_by_key(|&p| number[p]);
        }
        cfg
    }

    /// The reachable predecessors of a block, each once, in reverse postorder.
    pub fn preds(&self, block: Block) -> &[Block] {
        &self.preds[block]
    }

    /// The reachable blocks in reverse postorder; the first is the entry.
    pub fn rpo(&self) -> &[Block] {
        &self.rpo
    }

    /// The position of a block in [`Cfg::rpo`]; `None` for an unreachable block.
    pub fn rpo_index(&self, block: Block) -> Option<usize> {
        (self.number[block] as usize).checked_sub(1)
    }

    /// Whether the entry reaches `block`.
    pub fn is_reachable(&self, block: Block) -> bool {
        self.number[block] != 0
    }

    /// Whether the edge goes back in reverse postorder; every cycle has such an edge.
    pub fn is_back_edge(&self, from: Block, to: Block) -> bool {
        self.number[to] <= self.number[from]
    }
}
