//! Loads whose values are used on some of the ways behind them only.
//!
//! To load bytes that were never written is no error, to use them is one. Where a value is used whatever way is taken
//! behind its load, the load itself is checked. A load is *late* where there is a way without a use: its value is
//! checked where it is used first, once on each way, and by a selection for those lanes alone that take it.

use super::order::BlockOrder;
use cranelift_entity::SecondaryMap;
use cudair_ir::{Block, Cfg, DomTree, Function, Inst, InstData, PostDomTree, Site, TernaryOp, Value};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// The late loads of a function.
#[derive(Default)]
pub(super) struct LateUses {
    /// Which values come from them.
    pub loads: SecondaryMap<Value, bool>,
    /// What is checked before an instruction.
    pub checks: FxHashMap<Inst, SmallVec<[Check; 2]>>,
}

/// A check of a value.
pub(super) struct Check {
    /// The site of its load.
    pub site: Site,
    /// Only lanes for which this `i1` has this value use it.
    pub when: Option<(Value, bool)>,
}

/// A use of a value.
#[derive(Clone, Copy)]
struct Use {
    inst: Inst,
    /// The instruction before which it can be checked: the first behind the last one that may not return.
    at: Inst,
    block: Block,
    when: Option<(Value, bool)>,
}

/// A load that may be late.
struct Candidate {
    value: Value,
    site: Site,
    block: Block,
    uses: SmallVec<[Use; 4]>,
    /// It is used where nothing can be checked: by the edges of a branch.
    on_edges: bool,
}

impl LateUses {
    /// Finds the late loads of `func`. Those in `copied` are not checked at all.
    pub fn new(func: &Function, order: &BlockOrder, copied: &SecondaryMap<Value, bool>) -> LateUses {
        let mut late = LateUses::default();
        let mut candidates = candidates(func, order, copied);
        note_uses(func, order, &mut candidates);
        candidates.retain(|c| !c.on_edges && !c.uses.is_empty() && !is_used_at_once(c));
        if candidates.is_empty() {
            return late;
        }
        let cfg = Cfg::new(func);
        let (dominators, post) = (DomTree::new(&cfg), PostDomTree::new(func, &cfg));
        for c in &candidates {
            let plain = || c.uses.iter().filter(|u| u.when.is_none());
            if plain().any(|u| post.post_dominates(u.block, c.block)) {
                continue;
            }
            late.loads[c.value] = true;
            // Uses are listed in an order in which a block's come one behind the other.
            for (n, u) in c.uses.iter().enumerate() {
                let is_checked =
                    |o: &Use| o.when.is_none() && dominators.strictly_dominates(o.block, u.block);
                let before = c.uses[..n].iter().any(|o| o.block == u.block && o.when.is_none());
                if before || plain().any(is_checked) {
                    continue;
                }
                let at = if u.when.is_some() { u.inst } else { u.at };
                late.checks.entry(at).or_default().push(Check { site: c.site, when: u.when });
            }
        }
        late
    }
}

/// Loads that are checked and whose site is theirs alone.
fn candidates(func: &Function, order: &BlockOrder, copied: &SecondaryMap<Value, bool>) -> Vec<Candidate> {
    let mut found: Vec<Candidate> = Vec::new();
    let mut times: FxHashMap<Site, u32> = FxHashMap::default();
    for &block in &order.blocks {
        for &inst in func.block_insts(block) {
            if let InstData::Load { site, .. } = func.insts[inst]
                && let Some(value) = func.result(inst)
            {
                *times.entry(site).or_default() += 1;
                if !copied[value] {
                    found.push(Candidate { value, site, block, uses: SmallVec::new(), on_edges: false });
                }
            }
        }
    }
    found.retain(|c| times[&c.site] == 1);
    found
}

/// Lists the uses of the candidates.
fn note_uses(func: &Function, order: &BlockOrder, candidates: &mut [Candidate]) {
    let mut number: SecondaryMap<Value, u32> = SecondaryMap::new();
    for (n, c) in candidates.iter().enumerate() {
        number[c.value] = n as u32 + 1;
    }
    for &block in &order.blocks {
        let mut start = None;
        for &inst in func.block_insts(block) {
            let at = *start.get_or_insert(inst);
            let data = &func.insts[inst];
            let select = match *data {
                InstData::Ternary { op: TernaryOp::Select, args: [cond, a, b] } => Some((cond, a, b)),
                _ => None,
            };
            let mut note = |v: Value, when: Option<(Value, bool)>| {
                let Some(n) = (number[v] as usize).checked_sub(1) else { return };
                candidates[n].uses.push(Use { inst, at, block, when });
            };
            match select {
                Some((cond, a, b)) if a != b && a != cond && b != cond => {
                    note(cond, None);
                    note(a, Some((cond, true)));
                    note(b, Some((cond, false)));
                }
                _ => func.for_each_arg(inst, |v| note(v, None)),
            }
            if data.is_terminator() && func.successors(block).len() > 1 {
                func.for_each_target(inst, |call| {
                    for &v in call.args.as_slice(&func.pool) {
                        if let Some(n) = (number[v] as usize).checked_sub(1) {
                            candidates[n].on_edges = true;
                        }
                    }
                });
            }
            if may_not_return(data) {
                start = None;
            }
        }
    }
}

/// Whether a candidate is used in its own block, by all lanes.
fn is_used_at_once(c: &Candidate) -> bool {
    c.uses.iter().any(|u| u.block == c.block && u.when.is_none())
}

/// Whether what follows an instruction may not be reached though the instruction is.
fn may_not_return(data: &InstData) -> bool {
    matches!(data, InstData::Call { .. } | InstData::CallIndirect { .. } | InstData::Barrier { .. })
        || data.is_convergent()
}
