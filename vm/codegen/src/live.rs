//! Liveness of virtual registers over the laid-out blocks.
//!
//! Positions count in layout order; every instruction has two: operands are read at the even one,
//! results written at the odd one. A register is live in one or several ranges of positions: what is
//! read behind a loop and written anew in it is dead in between.

use super::order::BlockOrder;
use super::vreg::{VReg, VRegs};
use cranelift_entity::SecondaryMap;
use cudair_ir::Block;
use smallvec::SmallVec;

/// What an instruction does with registers.
#[derive(Clone, Debug, Default)]
pub(super) struct Step {
    /// Registers read. The flag says that the register must outlive the writing of the results.
    pub uses: SmallVec<[(VReg, bool); 4]>,
    /// Registers written.
    pub(crate) defs: SmallVec<[VReg; 2]>,
}

/// What a block does with registers.
#[derive(Clone, Debug, Default)]
pub(super) struct BlockSteps {
    /// The parameters that are kept in registers.
    pub params: Vec<VReg>,
    /// The instructions that are emitted, in order; the last is the terminator with its arguments.
    pub steps: Vec<Step>,
}

/// A stretch of positions, from the first up to and without the last.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Range {
    /// The first position.
    pub start: u32,
    /// The first position behind it.
    pub end: u32,
}

/// The result.
#[derive(Debug, Default)]
pub(super) struct Liveness {
    /// Where each register must keep its value: ranges in order, apart from each other.
    pub ranges: SecondaryMap<VReg, SmallVec<[Range; 2]>>,
    /// The registers live at the head of each block, its parameters not among them.
    pub live_in: SecondaryMap<Block, Vec<VReg>>,
}

impl Liveness {
    /// Computes lifetimes. `blocks` has the steps of every block of the order.
    pub fn new(order: &BlockOrder, blocks: &SecondaryMap<Block, BlockSteps>, regs: &VRegs) -> Liveness {
        let mut live = Liveness { live_in: live_in(order, blocks, regs), ..Liveness::default() };
        let mut starts: Vec<u32> = Vec::with_capacity(order.blocks.len());
        let mut at = 0u32;
        for &block in &order.blocks {
            starts.push(at);
            at += 2 * (blocks[block].steps.len() as u32 + 1);
        }
        let mut end_of_block = at;
        // Backwards; a register's open range is the last of its list, which is in reverse meanwhile.
        let mut live_out: Vec<VReg> = Vec::new();
        for (n, &block) in order.blocks.iter().enumerate().rev() {
            let start = starts[n];
            live_out.clear();
            for succ in order.succs(block) {
                live_out.extend(&live.live_in[*succ]);
            }
            for &r in &live_out {
                live.open(r, start, end_of_block);
            }
            let steps = &blocks[block].steps;
            for (k, step) in steps.iter().enumerate().rev() {
                let at = start + 2 * (k as u32 + 1);
                for &r in &step.defs {
                    live.define(r, at + 1);
                }
                for &(r, late) in &step.uses {
                    live.open(r, start, at + if late { 2 } else { 1 });
                }
            }
            for &r in &blocks[block].params {
                live.define(r, start + 1);
            }
            end_of_block = start;
        }
        for r in regs.keys() {
            live.ranges[r].reverse();
        }
        live
    }

    /// Notes that `r` is live from the block's start up to `end`.
    fn open(&mut self, r: VReg, start: u32, end: u32) {
        let list = &mut self.ranges[r];
        if let Some(last) = list.last_mut()
            && last.start <= end
        {
            last.start = last.start.min(start);
            last.end = last.end.max(end);
            return;
        }
        list.push(Range { start, end });
    }

    /// Ends, going backwards, the range of `r` at its definition.
    fn define(&mut self, r: VReg, at: u32) {
        let list = &mut self.ranges[r];
        match list.last_mut() {
            Some(last) if last.start < at && at < last.end => last.start = at,
            // Written, but never read behind.
            _ => list.push(Range { start: at, end: at + 1 }),
        }
    }
}

/// The registers live at the head of each block.
fn live_in(
    order: &BlockOrder,
    blocks: &SecondaryMap<Block, BlockSteps>,
    regs: &VRegs,
) -> SecondaryMap<Block, Vec<VReg>> {
    let mut def_block: SecondaryMap<VReg, Option<Block>> = SecondaryMap::new();
    // For each register the blocks that read it before defining it.
    let mut upward: SecondaryMap<VReg, SmallVec<[Block; 2]>> = SecondaryMap::new();
    for &block in &order.blocks {
        let steps = &blocks[block];
        for &p in &steps.params {
            def_block[p] = Some(block);
        }
        for step in &steps.steps {
            for &(r, _) in &step.uses {
                if def_block[r] != Some(block) && upward[r].last() != Some(&block) {
                    upward[r].push(block);
                }
            }
            for &r in &step.defs {
                def_block[r] = Some(block);
            }
        }
    }
    // Backwards from each reading block to the definition.
    let mut live: SecondaryMap<Block, Vec<VReg>> = SecondaryMap::new();
    let mut work: Vec<Block> = Vec::new();
    for r in regs.keys() {
        work.extend(upward[r].iter().copied());
        while let Some(block) = work.pop() {
            if live[block].last() == Some(&r) {
                continue;
            }
            live[block].push(r);
            work.extend(order.preds(block).iter().copied().filter(|&p| def_block[r] != Some(p)));
        }
    }
    live
}

#[cfg(test)]
mod tests {
    use super::*;
    use cranelift_entity::EntityRef;
    use cudair_ir::builder::FuncBuilder;
    use cudair_ir::{Function, Side, Signature};

    fn step(uses: &[usize], defs: &[usize]) -> Step {
        Step {
            uses: uses.iter().map(|&n| (VReg::new(n), false)).collect(),
            defs: defs.iter().map(|&n| VReg::new(n)).collect(),
        }
    }

    /// A loop in which r1 is redefined before it is read again: r1 has a hole there.
    #[test]
    fn a_value_that_is_read_behind_the_loop_is_dead_in_its_tail() {
        let mut b = FuncBuilder::new(Function::new("f", Side::Host, Signature::default()));
        let entry = b.make_entry();
        let (header, body, exit) = (b.make_block(), b.make_block(), b.make_block());
        b.jump(header, &[]);
        b.switch_to(header);
        let c = b.iconst(cudair_ir::Type::I1, 0);
        b.branch(c, body, exit);
        b.switch_to(body);
        b.jump(header, &[]);
        b.switch_to(exit);
        b.ret(None);
        let func = b.finish();
        let order = BlockOrder::new(&func, entry);
        let mut blocks: SecondaryMap<Block, BlockSteps> = SecondaryMap::new();
        blocks[entry].steps = vec![step(&[], &[0]), step(&[0], &[])];
        blocks[header].params = vec![VReg::new(1)];
        blocks[header].steps = vec![step(&[], &[])];
        blocks[body].steps = vec![step(&[1], &[2]), step(&[2], &[])];
        blocks[exit].steps = vec![step(&[1], &[])];
        let regs: VRegs = (0..3).map(|_| super::super::vreg::Class::S).collect();
        let live = Liveness::new(&order, &blocks, &regs);
        let overlap = |a: usize, b: usize| {
            let (a, b) = (&live.ranges[VReg::new(a)], &live.ranges[VReg::new(b)]);
            a.iter().any(|x| b.iter().any(|y| x.start < y.end && y.start < x.end))
        };
        assert!(!overlap(1, 2));
        assert!(!overlap(0, 1));
        assert_eq!(live.ranges[VReg::new(1)].len(), 2);
    }
}
