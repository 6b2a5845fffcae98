//! Loop exits: a scalar of a loop that lanes leave one after the other becomes a vector where they leave.
//!
//! A counter is the same in all lanes that are in the loop, and different in those that have left. Kept
//! as a scalar it would keep the convergence groups that left apart for as long as it lives; as a vector it would
//! make the loop slow. So the block where the lanes arrive gets a parameter for it: a vector, into which
//! each lane puts the value with which it leaves.

use super::Context;
use super::classify::held_by_exits;
use super::order::{BlockOrder, Loop};
use super::plan::copies;
use cudair_ir::{Block, Function, InstData, Value};
use rustc_hash::FxHashMap;

/// The function with such parameters, if it needs any.
pub(super) fn close_loops(cx: &Context<'_>, func: &Function, entry: Block) -> Option<Function> {
    if !func.side.on_device() {
        return None;
    }
    let order = BlockOrder::new(func, entry);
    let held = held_by_exits(cx, func, &order, &copies(func, &order));
    let mut exits: FxHashMap<usize, Option<Block>> = FxHashMap::default();
    let mut closed: Option<Function> = None;
    // Inner loops come last in the list of loops and first here: outside an outer loop the value that is
    // used is then that of the inner loop's exit.
    for &(value, l) in held.iter().rev() {
        let exit = *exits.entry(l).or_insert_with(|| only_exit(func, &order, order.loops[l]));
        if let Some(exit) = exit {
            let out = closed.get_or_insert_with(|| func.clone());
            pass_through(out, &order, order.loops[l], exit, value);
        }
    }
    closed
}

fn contains(order: &BlockOrder, l: Loop, block: Block) -> bool {
    order.position(block).is_some_and(|at| (l.start..l.end).contains(&at))
}

/// The block to which every edge out of the loop goes, if it is one that nothing else reaches.
fn only_exit(func: &Function, order: &BlockOrder, l: Loop) -> Option<Block> {
    let mut exit = None;
    for &block in &order.blocks[l.start as usize..l.end as usize] {
        // The result of an invoke is a parameter without an argument; exceptional edges are left alone.
        let plain = func.terminator(block).is_none_or(|t| {
            !matches!(func.insts[t], InstData::Invoke { .. } | InstData::InvokeIndirect { .. })
        });
        for &succ in order.succs(block) {
            if !contains(order, l, succ) {
                if !plain || exit.is_some_and(|e| e != succ) {
                    return None;
                }
                exit = Some(succ);
            }
        }
    }
    exit.filter(|&e| order.preds(e).iter().all(|&p| contains(order, l, p)))
}

/// Gives `exit` a parameter for `value` and lets everything outside the loop use that.
fn pass_through(func: &mut Function, order: &BlockOrder, l: Loop, exit: Block, value: Value) {
    let ty = func.value_type(value);
    // Every use outside is dominated by the value, and reached through the exit: so the value dominates
    // the edges there.
    let param = func.append_block_param(exit, ty);
    for &block in &order.blocks {
        if contains(order, l, block) {
            if let Some(t) = func.terminator(block) {
                func.for_each_target_mut(t, |call, pool| {
                    if call.block == exit {
                        call.args.push(value, pool);
                    }
                });
            }
            continue;
        }
        for i in 0..func.blocks[block].insts.len() {
            let inst = func.blocks[block].insts[i];
            func.map_args(inst, |v| if v == value { param } else { v });
        }
    }
}
