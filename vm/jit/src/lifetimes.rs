//! When local variables live.

use cudair_ir::cfg::Cfg;
use cudair_ir::*;

/// The variables with lifetime markers. All others live as long as their frame.
pub(crate) fn marked(func: &Function) -> EntitySet<Slot> {
    let mut out = EntitySet::new();
    for &inst in func.layout.iter().flat_map(|&block| func.block_insts(block)) {
        if let InstData::Lifetime { slot, .. } = func.insts[inst] {
            out.insert(slot);
        }
    }
    out
}

/// The variables that some instruction may access before their life begins or behind its end, as far as control says.
/// `accesses` gives the variable that an instruction accesses.
pub(crate) fn accessed_outside(
    func: &Function,
    cfg: &Cfg,
    accesses: impl Fn(Inst) -> Option<Slot>,
) -> EntitySet<Slot> {
    let mut dead_at: SecondaryMap<Block, EntitySet<Slot>> = SecondaryMap::new();
    if let Some(entry) = func.entry() {
        dead_at[entry] = marked(func);
    }
    let mut out = EntitySet::new();
    loop {
        let mut changed = false;
        for &block in cfg.rpo() {
            let mut dead = dead_at[block].clone();
            for &inst in func.block_insts(block) {
                match func.insts[inst] {
                    InstData::Lifetime { op: LifetimeOp::Live, slot } => _ = dead.remove(slot),
                    InstData::Lifetime { op: LifetimeOp::Dead, slot } => _ = dead.insert(slot),
                    _ => {}
                }
                if let Some(slot) = accesses(inst).filter(|&slot| dead.contains(slot)) {
                    out.insert(slot);
                }
            }
            for to in func.successors(block) {
                for slot in dead.iter() {
                    changed |= dead_at[to].insert(slot);
                }
            }
        }
        if !changed {
            return out;
        }
    }
}
