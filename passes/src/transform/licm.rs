//! Loop-invariant code motion: pure instructions whose operands do not change in a natural loop move to
//! its preheader, innermost loops first. Only instructions that do nothing but compute (see
//! [`super::util::is_pure`]) move, so it does no harm that the loop may run no round; convergent ones
//! and everything that touches memory stay.

use super::util::is_pure;
use cudair_ir::*;

/// Moves what can be moved. Gives whether anything was.
pub fn run(func: &mut Function) -> bool {
    let cfg = Cfg::new(func);
    let cycles = Cycles::new(func, &cfg);
    // The blocks that are made here belong to the enclosing loops: all are made before anything moves.
    let mut made = false;
    for cycle in cycles.cycles.keys() {
        if cycles.cycles[cycle].is_reducible() && preheader(func, &cfg, &cycles, cycle).is_none() {
            made |= make_preheader(func, &cfg, &cycles, cycle);
        }
    }
    let (cfg, cycles) = if made {
        let cfg = Cfg::new(func);
        let cycles = Cycles::new(func, &cfg);
        (cfg, cycles)
    } else {
        (cfg, cycles)
    };
    let mut changed = made;
    // Inner cycles have lower numbers.
    for cycle in cycles.cycles.keys() {
        if cycles.cycles[cycle].is_reducible() {
            changed |= hoist(func, &cfg, &cycles, cycle);
        }
    }
    changed
}

fn hoist(func: &mut Function, cfg: &Cfg, cycles: &Cycles, cycle: Cycle) -> bool {
    let Some(preheader) = preheader(func, cfg, cycles, cycle) else { return false };
    let mut blocks = cycles.blocks(cycle);
    // Reverse postorder: a definition comes before its uses.
    blocks.sort_by_key(|&b| cfg.rpo_index(b));
    let mut inside: EntitySet<Value> = EntitySet::new();
    // A variable that begins to live in the loop is another one in each round: its address is not the
    // one from before.
    let mut reborn: EntitySet<Slot> = EntitySet::new();
    for &b in &blocks {
        for &v in func.block_params(b) {
            inside.insert(v);
        }
        for &inst in func.block_insts(b) {
            if let InstData::Lifetime { slot, .. } = func.insts[inst] {
                reborn.insert(slot);
            }
            for &v in func.inst_results(inst) {
                inside.insert(v);
            }
        }
    }
    let mut moved = Vec::new();
    for &b in &blocks {
        for &inst in func.block_insts(b) {
            if !is_pure(func, inst)
                || matches!(func.insts[inst], InstData::SlotAddr { slot } if reborn.contains(slot))
            {
                continue;
            }
            let mut invariant = true;
            func.for_each_arg(inst, |v| invariant &= !inside.contains(v));
            if invariant {
                for &v in func.inst_results(inst) {
                    inside.remove(v);
                }
                moved.push((b, inst));
            }
        }
    }
    if moved.is_empty() {
        return false;
    }
    let gone = super::util::set_of(moved.iter().map(|&(_, i)| i));
    for &b in &blocks {
        func.blocks[b].insts.retain(|&i| !gone.contains(i));
    }
    let at = func.blocks[preheader].insts.len() - 1;
    func.blocks[preheader].insts.splice(at..at, moved.into_iter().map(|(_, i)| i));
    true
}

/// The blocks outside of a loop that go to its header.
fn entering(cfg: &Cfg, cycles: &Cycles, cycle: Cycle) -> Vec<Block> {
    let preds = cfg.preds(cycles.cycles[cycle].header());
    preds.iter().copied().filter(|&b| !cycles.contains(cycle, b)).collect()
}

/// The block from which alone the loop is entered and that goes nowhere else.
fn preheader(func: &Function, cfg: &Cfg, cycles: &Cycles, cycle: Cycle) -> Option<Block> {
    let [b] = entering(cfg, cycles, cycle)[..] else { return None };
    matches!(func.insts[func.terminator(b)?], InstData::Jump { .. }).then_some(b)
}

fn make_preheader(func: &mut Function, cfg: &Cfg, cycles: &Cycles, cycle: Cycle) -> bool {
    let header = cycles.cycles[cycle].header();
    let entering = entering(cfg, cycles, cycle);
    // The results of an `invoke` come with its edge, which cannot be led elsewhere.
    let invokes = |func: &Function, b: Block| {
        func.terminator(b).is_some_and(|t| {
            matches!(func.insts[t], InstData::Invoke { .. } | InstData::InvokeIndirect { .. })
        })
    };
    if entering.is_empty() || entering.iter().any(|&b| invokes(func, b)) {
        return false;
    }
    let Some(at) = func.layout.iter().position(|&b| b == header) else { return false };
    let new = func.make_block();
    let types: Vec<Type> = func.block_params(header).iter().map(|&p| func.value_type(p)).collect();
    let params: Vec<Value> = types.into_iter().map(|ty| func.append_block_param(new, ty)).collect();
    let dest = func.block_call(header, &params);
    let loc = entering.first().and_then(|&b| func.terminator(b)).and_then(|t| func.locs[t].expand());
    let jump = func.make_inst(InstData::Jump { dest }, &[], loc);
    func.blocks[new].insts.push(jump);
    for b in entering {
        if let Some(t) = func.terminator(b) {
            func.for_each_target_mut(t, |call, _| {
                if call.block == header {
                    call.block = new;
                }
            });
        }
    }
    func.layout.insert(at, new);
    true
}
