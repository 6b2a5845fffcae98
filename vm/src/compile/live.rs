//! Liveness of virtual registers over the laid-out blocks.
//!
//! Positions count in layout order; every instruction has two: operands are read at the even one,
//! results written at the odd one. A register's lifetime is one range of positions without holes,
//! extended over every block at whose end it is live.

use super::order::BlockOrder;
use super::vreg::{VReg, VRegs};
use cranelift_entity::{EntityRef, SecondaryMap};
use cudair_ir::Block;
use smallvec::SmallVec;

/// What an instruction does with registers.
#[derive(Clone, Debug, Default)]
pub(super) struct Step {
    /// Registers read. The flag says that the register must outlive the writing of the results.
    pub uses: SmallVec<[(VReg, bool); 4]>,
    /// Registers written.
    pub defs: SmallVec<[VReg; 2]>,
}

/// What a block does with registers.
#[derive(Clone, Debug, Default)]
pub(super) struct BlockSteps {
    /// The parameters that are kept in registers.
    pub params: Vec<VReg>,
    /// The instructions that are emitted, in order; the last is the terminator with its arguments.
    pub steps: Vec<Step>,
}

/// A lifetime: positions from the definition up to, and without, the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Lifetime {
    /// The position at which it is written.
    pub start: u32,
    /// The first position at which it is no longer needed.
    pub end: u32,
}

/// The result.
#[derive(Debug, Default)]
pub(super) struct Liveness {
    /// Each register's lifetime; empty for those never defined.
    pub lifetimes: SecondaryMap<VReg, Option<Lifetime>>,
    /// The registers live at the head of each block, its parameters not among them.
    pub live_in: SecondaryMap<Block, Vec<VReg>>,
}

impl Liveness {
    /// Computes lifetimes. `blocks` has the steps of every block of the order.
    pub fn new(order: &BlockOrder, blocks: &SecondaryMap<Block, BlockSteps>, regs: &VRegs) -> Liveness {
        let mut live = Liveness::default();
        // Where each block begins and ends, where each register is defined.
        let mut bounds: SecondaryMap<Block, (u32, u32)> = SecondaryMap::new();
        let mut def_block: SecondaryMap<VReg, Option<Block>> = SecondaryMap::new();
        // For each register the blocks that read it before defining it.
        let mut upward: SecondaryMap<VReg, SmallVec<[Block; 2]>> = SecondaryMap::new();
        let mut at = 0u32;
        for &block in &order.blocks {
            let start = at;
            let steps = &blocks[block];
            at += 2;
            for &p in &steps.params {
                def_block[p] = Some(block);
                live.lifetimes[p] = Some(Lifetime { start: start + 1, end: start + 2 });
            }
            for step in &steps.steps {
                for &(r, late) in &step.uses {
                    let end = at + if late { 2 } else { 1 };
                    match &mut live.lifetimes[r] {
                        Some(l) => l.end = l.end.max(end),
                        // Defined later in the layout: impossible in SSA form; kept alive from here.
                        none => *none = Some(Lifetime { start: at, end }),
                    }
                    if def_block[r] != Some(block) && upward[r].last() != Some(&block) {
                        upward[r].push(block);
                    }
                }
                for &r in &step.defs {
                    def_block[r] = Some(block);
                    live.lifetimes[r] = Some(Lifetime { start: at + 1, end: at + 2 });
                }
                at += 2;
            }
            bounds[block] = (start, at);
        }
        // Backwards from each reading block to the definition.
        let mut seen: SecondaryMap<Block, u32> = SecondaryMap::new();
        let mut work: Vec<Block> = Vec::new();
        for r in regs.keys() {
            let stamp = r.index() as u32 + 1;
            work.extend(upward[r].iter().copied());
            while let Some(block) = work.pop() {
                if seen[block] == stamp || def_block[r] == Some(block) {
                    continue;
                }
                seen[block] = stamp;
                live.live_in[block].push(r);
                let (start, _) = bounds[block];
                if let Some(l) = &mut live.lifetimes[r] {
                    l.end = l.end.max(start + 2);
                    l.start = l.start.min(start + 1);
                }
                for &pred in order.preds(block) {
                    if let Some(l) = &mut live.lifetimes[r] {
                        l.end = l.end.max(bounds[pred].1);
                    }
                    work.push(pred);
                }
            }
        }
        live
    }
}
