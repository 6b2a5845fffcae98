//! Dead code: instructions whose results nothing needs, block parameters that only feed each other, and
//! variables that are only written.

use super::gvn::is_removable;
use crate::transform::util::slot_of;
use cudair_ir::*;

/// Removes dead code. Gives whether there was any.
pub(super) fn run(func: &mut Function) -> bool {
    let mut changed = drop_unread_slots(func);
    let live = live_values(func);
    changed |= drop_params(func, &live);
    for b in 0..func.layout.len() {
        let block = func.layout[b];
        let mut insts = std::mem::take(&mut func.blocks[block].insts);
        let before = insts.len();
        insts.retain(|&i| !is_removable(func, i) || func.inst_results(i).iter().any(|&v| live.contains(v)));
        changed |= insts.len() != before;
        func.blocks[block].insts = insts;
    }
    changed
}

/// The values that something with an effect needs. An argument is needed where its parameter is.
fn live_values(func: &Function) -> EntitySet<Value> {
    let mut live: EntitySet<Value> = EntitySet::new();
    let mut work: Vec<Value> = Vec::new();
    // For each block, the edges that bring arguments: terminator and how many parameters they skip.
    let mut incoming: SecondaryMap<Block, Vec<(Inst, usize)>> = SecondaryMap::new();
    for &block in &func.layout {
        for &inst in func.block_insts(block) {
            if func.insts[inst].is_terminator() {
                func.for_each_target(inst, |call| {
                    let params = func.block_params(call.block).len();
                    let args = call.args.len(&func.pool);
                    let edges = &mut incoming[call.block];
                    let edge = (inst, params.saturating_sub(args));
                    if edges.last() != Some(&edge) {
                        edges.push(edge);
                    }
                });
                own_operands(func, inst, &mut work);
            } else if !is_removable(func, inst) {
                func.for_each_arg(inst, |v| work.push(v));
            }
        }
    }
    // What the function and the exceptional edges pass cannot be removed.
    if let Some(entry) = func.entry() {
        work.extend_from_slice(func.block_params(entry));
    }
    while let Some(v) = work.pop() {
        if !live.insert(v) {
            continue;
        }
        match func.values[v].def {
            ValueDef::Result(inst, _) => func.for_each_arg(inst, |a| work.push(a)),
            ValueDef::Param(block, n) => {
                for &(inst, skip) in &incoming[block] {
                    func.for_each_target(inst, |call| {
                        if call.block == block
                            && let Some(at) = (n as usize).checked_sub(skip)
                            && let Some(&a) = call.args.as_slice(&func.pool).get(at)
                        {
                            work.push(a);
                        }
                    });
                }
            }
        }
    }
    live
}

/// The operands of a terminator that are no arguments of its targets.
fn own_operands(func: &Function, inst: Inst, out: &mut Vec<Value>) {
    func.insts[inst].clone().visit(|part| match part {
        Part::Value(v) => out.push(*v),
        Part::Values(list) => out.extend_from_slice(list.as_slice(&func.pool)),
        _ => {}
    });
}

/// Removes the parameters that nothing needs, with their arguments.
fn drop_params(func: &mut Function, live: &EntitySet<Value>) -> bool {
    // What an `invoke` brings stays.
    let mut fixed: SecondaryMap<Block, usize> = SecondaryMap::new();
    for &block in &func.layout {
        let Some(t) = func.terminator(block) else { continue };
        func.for_each_target(t, |call| {
            let skip = func.block_params(call.block).len().saturating_sub(call.args.len(&func.pool));
            fixed[call.block] = fixed[call.block].max(skip);
        });
    }
    let mut dropped: SecondaryMap<Block, Vec<usize>> = SecondaryMap::new();
    let mut any = false;
    for &block in func.layout.iter().skip(1) {
        let params = func.block_params(block).iter().enumerate();
        dropped[block] =
            params.filter(|&(n, &v)| n >= fixed[block] && !live.contains(v)).map(|(n, _)| n).collect();
        any |= !dropped[block].is_empty();
    }
    if !any {
        return false;
    }
    for b in 0..func.layout.len() {
        let block = func.layout[b];
        if let Some(t) = func.terminator(block) {
            let params: SecondaryMap<Block, usize> = {
                let mut m = SecondaryMap::new();
                func.for_each_target(t, |call| m[call.block] = func.block_params(call.block).len());
                m
            };
            func.for_each_target_mut(t, |call, pool| {
                let skip = params[call.block].saturating_sub(call.args.len(pool));
                for &n in dropped[call.block].iter().rev() {
                    call.args.remove(n - skip, pool);
                }
            });
        }
    }
    for b in 0..func.layout.len() {
        let block = func.layout[b];
        for &n in dropped[block].iter().rev() {
            func.remove_block_param(block, n);
        }
    }
    true
}

/// Removes the plain writes, in bounds, to variables that nothing reads and whose address goes nowhere.
fn drop_unread_slots(func: &mut Function) -> bool {
    if func.slots.is_empty() || func.attrs.returns_twice {
        return false;
    }
    let mut kept: EntitySet<Slot> = EntitySet::new();
    let fits = |slot: Slot, bytes: u32, flags: MemFlags| {
        let s = &func.slots[slot];
        !flags.volatile && bytes <= s.size && flags.align_log2 <= s.align_log2
    };
    let const_len = |len: Value| func.const_int(len).and_then(|n| u32::try_from(n).ok()).unwrap_or(u32::MAX);
    let mut written = false;
    for &block in &func.layout {
        for &inst in func.block_insts(block) {
            // The variable that is only written here, if the write is plain.
            let target = match func.insts[inst] {
                InstData::Store { flags, value, ptr, .. } => {
                    slot_of(func, ptr).filter(|&s| fits(s, func.value_type(value).access_bytes(), flags))
                }
                InstData::MemFill { flags, dst, len, .. } => {
                    slot_of(func, dst).filter(|&s| fits(s, const_len(len), flags))
                }
                // What is read must not be able to fail either.
                InstData::MemCopy { flags, dst, src, len, .. } => {
                    match (slot_of(func, dst), slot_of(func, src)) {
                        (Some(d), Some(s))
                            if fits(d, const_len(len), flags) && fits(s, const_len(len), flags) =>
                        {
                            Some(d)
                        }
                        _ => None,
                    }
                }
                _ => None,
            };
            written |= target.is_some();
            let mut seen = false;
            func.for_each_arg(inst, |v| {
                if let Some(s) = slot_of(func, v) {
                    // One operand is the address written; any other mention keeps the variable.
                    if Some(s) == target && !seen {
                        seen = true;
                    } else {
                        kept.insert(s);
                    }
                }
            });
        }
    }
    if !written {
        return false;
    }
    let mut changed = false;
    for b in 0..func.layout.len() {
        let block = func.layout[b];
        let mut insts = std::mem::take(&mut func.blocks[block].insts);
        let before = insts.len();
        insts.retain(|&inst| match func.insts[inst] {
            InstData::Store { ptr, .. } => slot_of(func, ptr).is_none_or(|s| kept.contains(s)),
            InstData::MemFill { dst, .. } | InstData::MemCopy { dst, .. } => {
                slot_of(func, dst).is_none_or(|s| kept.contains(s))
            }
            _ => true,
        });
        changed |= insts.len() != before;
        func.blocks[block].insts = insts;
    }
    changed
}
