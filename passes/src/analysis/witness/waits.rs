//! At which barriers each thread of a block waits, those with numbers too.
//!
//! All threads of a block are followed with concrete values. A branch on what is not known is passed over where all of its
//! ways meet again and do nothing on the way that matters here: they wait for nobody, leave the kernel nowhere, and call
//! nothing that is not known. What they compute is not known behind them.

use super::super::engine::Cx;
use super::super::memory::is_read_only_native;
use super::super::uniformity::{RootContext, is_pure_native};
use super::walker::{Lost, Walker};
use super::{BarrierPath, KERNEL_STEPS, PROOF_THREADS, THREAD_STEPS, case_in, failure};
use cudair_ir::*;
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::rc::Rc;

/// Blocks of a function beyond which nobody looks where the ways of a branch meet again.
const MAX_BLOCKS: usize = 400;

/// What a thread waits at, or arrives at.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum WaitsAt {
    /// A barrier of the whole block.
    Block,
    /// A barrier with a number.
    Numbered {
        /// Whether it waits there.
        how: NumberedBarrier,
        /// The number.
        number: u32,
        /// How many threads meet there; all of the block's where it does not say.
        count: Option<u32>,
    },
}

/// A barrier as a thread comes to it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Wait {
    /// Where it is.
    pub path: BarrierPath,
    /// What it is.
    pub at: WaitsAt,
}

/// What the threads of a block wait at.
#[derive(Clone, Debug)]
pub struct BlockWaits {
    /// Of each thread, in the order of their numbers in the block.
    pub threads: Vec<Vec<Wait>>,
    /// It is taken for granted that loops end that were passed over.
    pub loops_end: bool,
}

/// What the threads of block `index`, or of any block, wait at, in order, whatever memory and the arguments that nobody told
/// hold. None where that is not known of each thread up to its end.
pub fn block_waits(root: &RootContext<'_>, kernel: FuncId, index: Option<[u32; 3]>) -> Option<BlockWaits> {
    if root.shape.threads().is_none_or(|n| n == 0 || n > PROOF_THREADS) {
        return None;
    }
    let case = case_in(root, kernel, index)?;
    let [x, y, z] = case.block;
    let passes = Rc::new(RefCell::new(Passes::default()));
    let mut budget = KERNEL_STEPS;
    let mut out = BlockWaits { threads: Vec::new(), loops_end: false };
    for thread in (0..z).flat_map(|c| (0..y).flat_map(move |b| (0..x).map(move |a| [a, b, c]))) {
        let mut walker = Walker::new(root, &case, thread);
        walker.waits = Some(Waits { list: Vec::new(), passes: Rc::clone(&passes), loops_end: false });
        walker.steps = THREAD_STEPS.min(budget);
        let before = walker.steps;
        let run = walker.run(kernel);
        budget = budget.saturating_sub(before - walker.steps.min(before));
        let waits = walker.waits.take()?;
        if !run.ended || budget == 0 {
            return None;
        }
        out.loops_end |= waits.loops_end;
        out.threads.push(waits.list);
    }
    Some(out)
}

/// By branch, what is passed over where it is not decided, if it can be.
type Passes = FxHashMap<(FuncId, Block), Option<Rc<Passed>>>;

/// What a thread has waited at so far.
pub(super) struct Waits {
    list: Vec<Wait>,
    /// The threads share it.
    passes: Rc<RefCell<Passes>>,
    loops_end: bool,
}

/// What lies between a branch and where its ways meet again.
pub(super) struct Passed {
    pub(super) to: Block,
    pub(super) blocks: Vec<Block>,
    has_loop: bool,
}

impl Walker<'_> {
    /// Writes down a barrier of the block.
    pub(super) fn waits_for_block(&mut self, path: &BarrierPath) {
        if let Some(waits) = &mut self.waits {
            waits.list.push(Wait { path: path.clone(), at: WaitsAt::Block });
        }
    }

    /// Writes down a barrier with a number, if those are asked for: whether they are.
    pub(super) fn waits_at_number(
        &mut self,
        how: NumberedBarrier,
        args: &[Option<u128>],
        path: &BarrierPath,
    ) -> Result<bool, Lost> {
        let Some(waits) = &mut self.waits else { return Ok(false) };
        let (Some(&number), count) = (args.first(), args.get(1)) else { return Err(Lost) };
        let number = number.ok_or(Lost)? as u32;
        let count = match count {
            Some(count) => Some(count.ok_or(Lost)? as u32),
            None => None,
        };
        waits.list.push(Wait { path: path.clone(), at: WaitsAt::Numbered { how, number, count } });
        Ok(true)
    }

    /// What is passed over behind a branch of which nobody knows how it is decided.
    pub(super) fn pass_over(&mut self, cx: &Cx<'_>, branch: Block) -> Result<Rc<Passed>, Lost> {
        let waits = self.waits.as_mut().ok_or(Lost)?;
        let mut known = waits.passes.borrow_mut();
        let passed = known.entry((cx.id, branch)).or_insert_with(|| passed_over(cx, branch).map(Rc::new));
        let passed = passed.clone().ok_or(Lost)?;
        waits.loops_end |= passed.has_loop;
        Ok(passed)
    }
}

/// The nearest block that all ways of a branch come to, and what lies between, if nothing there matters.
fn passed_over(cx: &Cx<'_>, branch: Block) -> Option<Passed> {
    if cx.control.len() > MAX_BLOCKS {
        return None;
    }
    let all = between(cx.func, branch, None);
    let mut best: Option<Vec<Block>> = None;
    let mut to = None;
    for &candidate in &all {
        let blocks = between(cx.func, branch, Some(candidate));
        if candidate == branch || best.as_ref().is_some_and(|b| b.len() <= blocks.len()) {
            continue;
        }
        // A way that ends elsewhere, or nowhere, does not come there.
        let comes = leading_to(cx, candidate);
        if blocks.iter().all(|&b| comes.contains(b)) {
            (best, to) = (Some(blocks), Some(candidate));
        }
    }
    let (blocks, to) = (best?, to?);
    // The branch's own block lies between if it is in a loop there, and else has been executed.
    let mut insts = blocks.iter().flat_map(|&b| cx.func.block_insts(b));
    if !insts.all(|&i| is_passed_over(cx.module, &cx.func.insts[i])) {
        return None;
    }
    let back = |from: Block, to: Block| match (cx.control.node(from), cx.control.node(to)) {
        (Some(from), Some(to)) => cx.control.is_back_edge(from, to),
        _ => true,
    };
    let has_loop = blocks.iter().any(|&b| cx.func.successors(b).iter().any(|&s| s != to && back(b, s)));
    Some(Passed { to, blocks, has_loop })
}

/// The blocks that are reached from what follows a block, without passing another one.
fn between(func: &Function, from: Block, stop: Option<Block>) -> Vec<Block> {
    let mut seen: EntitySet<Block> = EntitySet::new();
    let mut out = Vec::new();
    let mut work: Vec<Block> = func.successors(from).to_vec();
    while let Some(block) = work.pop() {
        if Some(block) == stop || !seen.insert(block) {
            continue;
        }
        out.push(block);
        work.extend(func.successors(block).iter().copied());
    }
    out
}

/// The blocks from which there is a way to one.
fn leading_to(cx: &Cx<'_>, to: Block) -> EntitySet<Block> {
    let mut seen: EntitySet<Block> = EntitySet::new();
    let mut work: Vec<Block> = vec![to];
    while let Some(block) = work.pop() {
        // Nothing comes to a block that the kernel never comes to.
        let Some(node) = cx.control.node(block) else { continue };
        let before = cx.control.incoming(node).iter().map(|e| cx.control.block(e.0));
        work.extend(before.filter(|&b| seen.insert(b)));
    }
    seen
}

/// Whether nothing about barriers hangs on an instruction, nor whether the thread goes on.
fn is_passed_over(module: &Module, data: &InstData) -> bool {
    match *data {
        InstData::Call { func, .. } => {
            let callee = &module.funcs[func];
            let plain = is_pure_native(callee) || is_read_only_native(callee);
            callee.is_declaration() && plain && failure(callee).is_none() && !callee.attrs.noreturn
        }
        InstData::Barrier { .. }
        | InstData::CallIndirect { .. }
        | InstData::Invoke { .. }
        | InstData::InvokeIndirect { .. }
        | InstData::Launch { .. }
        | InstData::LaunchIndirect { .. }
        | InstData::Alloca { .. }
        | InstData::Return { .. }
        | InstData::Resume { .. }
        | InstData::Trap { .. } => false,
        _ => true,
    }
}
