//! Where lanes of a block wait for each other.

use crate::Refusal;
use crate::plan::Point;
use cranelift_entity::SecondaryMap;
use cudair_ir::cfg::Cfg;
use cudair_ir::*;
use rustc_hash::FxHashSet;

/// A place where lanes wait for each other.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sync {
    /// The block it stands in.
    pub block: Block,
    /// Its number in the block.
    pub at: usize,
    /// Who waits there, and why.
    pub kind: Kind,
}

/// Who waits at a synchronisation point.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    /// The threads of the block, at a barrier. They go on behind it.
    Barrier,
    /// The lanes of a warp, before a warp operation.
    Warp,
    /// The lanes of a strip, before an instruction: an atomic operation whose order can be seen, or the end of a loop around one.
    Strip,
}

impl Sync {
    /// Where lanes go on.
    pub fn resume(&self) -> Point {
        (self.block, self.at + usize::from(self.kind == Kind::Barrier))
    }
}

/// Whether an instruction is an atomic operation.
fn is_atomic(data: &InstData) -> bool {
    matches!(data, InstData::AtomicRmw { .. } | InstData::AtomicCas { .. })
}

/// The atomic operations whose results are used.
pub(crate) fn seen_atomics(func: &Function, cfg: &Cfg, used: &SecondaryMap<Value, u32>) -> FxHashSet<Inst> {
    let insts = cfg.rpo().iter().flat_map(|&block| func.block_insts(block)).copied();
    let is_seen =
        |&inst: &Inst| is_atomic(&func.insts[inst]) && func.result(inst).is_some_and(|v| used[v] != 0);
    insts.filter(is_seen).collect()
}

/// Whether the order of a kernel's atomic operations can be seen: the result of one is used, or there are some that do not
/// commute.
pub(crate) fn is_ordered(func: &Function, cfg: &Cfg, seen: &FxHashSet<Inst>) -> bool {
    use AtomicOp::*;
    let mut first = None;
    let mut insts = cfg.rpo().iter().flat_map(|&block| func.block_insts(block));
    insts.any(|&inst| {
        // Those of one kind commute, and so do sums and differences.
        let kind = match func.insts[inst] {
            InstData::AtomicRmw { op: Add | Sub, .. } => Add,
            InstData::AtomicRmw { op: op @ (Smin | Smax | Umin | Umax | And | Or | Xor), .. } => op,
            InstData::AtomicRmw { .. } | InstData::AtomicCas { .. } => return true,
            _ => return false,
        };
        *first.get_or_insert(kind) != kind || seen.contains(&inst)
    })
}

/// Where lanes wait for each other, in the order of the bytecode's layout. Where the order of atomic operations can be seen it is to
/// be that of the bytecode, whose convergence groups do such an operation for all lanes of theirs at once and go round loops in
/// step.
pub(crate) fn find_syncs(func: &Function, cfg: &Cfg, ordered: bool) -> Result<Vec<Sync>, Refusal> {
    let layout = cudair_codegen::layout(func);
    let cycles = cycles::Cycles::new(func, cfg);
    let mut syncs = Vec::new();
    for &block in cfg.rpo() {
        let insts = func.block_insts(block);
        for (at, &inst) in insts.iter().enumerate() {
            let data = &func.insts[inst];
            if matches!(data, InstData::Barrier { .. }) {
                syncs.push(Sync { block, at, kind: Kind::Barrier });
            } else if crate::warp::mask_of(data).is_some() {
                if ordered {
                    return Err(Refusal("warp operations beside atomic operations whose order can be seen"));
                }
                syncs.push(Sync { block, at, kind: Kind::Warp });
            } else if ordered && is_atomic(data) {
                syncs.push(Sync { block, at, kind: Kind::Strip });
            }
        }
    }
    if ordered {
        for cycle in cycles.cycles.keys() {
            let blocks = cycles.blocks(cycle);
            let holds = |&block: &Block| func.block_insts(block).iter().any(|&i| is_atomic(&func.insts[i]));
            if !blocks.iter().any(holds) {
                continue;
            }
            let header = cycles.cycles[cycle].header();
            let latches: Vec<Block> =
                blocks.iter().copied().filter(|&b| func.successors(b).contains(&header)).collect();
            let last = blocks.iter().copied().max_by_key(|&b| layout[b]);
            match latches[..] {
                // All lanes in the loop are in the same turn of it.
                [latch] if Some(latch) == last && layout[header] <= layout[latch] => {
                    let at = func.block_insts(latch).len() - 1;
                    syncs.push(Sync { block: latch, at, kind: Kind::Strip });
                }
                _ => return Err(Refusal("atomic operations in a loop that begins anew from several places")),
            }
        }
    }
    syncs.sort_by_key(|s| (layout[s.block], s.at));
    syncs.dedup_by_key(|s| (s.block, s.at));
    let passed = passed(func, &syncs);
    Ok(syncs.into_iter().zip(passed).filter(|(_, passed)| !passed).map(|(sync, _)| sync).collect())
}

/// The synchronisation points at which lanes would wait only for those that come there with them, all from one entry, and would go
/// on next: each may as well go on at once, as the accesses between two points commute, or else race.
///
/// The earliest point in the layout at which lanes wait goes first. So none waits at a point when those of a later one start, and
/// none at all when those of the kernel's start or of a barrier do. If among the points to which lanes come from such an entry this
/// is the first, all others wait behind it. Between the entry and the point there must not be a second one that is passed, which all
/// lanes would have to do first.
fn passed(func: &Function, syncs: &[Sync]) -> Vec<bool> {
    let Some(entry) = func.entry() else { return Vec::new() };
    let starts = [(entry, 0)].into_iter().chain(syncs.iter().map(|s| (s.block, s.at + 1)));
    // By entry: 0 is the start, and the others are behind the points in their order.
    let next: Vec<Vec<usize>> = starts.map(|start| next_syncs(func, syncs, start)).collect();
    let waits = |n: &usize| syncs[*n].kind == Kind::Strip;
    let mut passed = vec![false; syncs.len()];
    for n in (0..syncs.len()).filter(waits) {
        let mut entries = (0..next.len()).filter(|&e| next[e].contains(&n));
        let all_wait = |e: usize| e == 0 || syncs[e - 1].kind == Kind::Barrier || n < e - 1;
        let comes_first = |e: usize| next[e].iter().copied().find(waits) == Some(n);
        passed[n] = !next[n + 1].iter().any(|&m| passed[m])
            && entries.all(|e| all_wait(e) && comes_first(e) && !(e > 0 && passed[e - 1]));
    }
    passed
}

/// The synchronisation points to which lanes come next from a program point, in order.
fn next_syncs(func: &Function, syncs: &[Sync], from: Point) -> Vec<usize> {
    let mut next = Vec::new();
    let mut reached = vec![from];
    let mut looked = 0;
    while let Some(&(block, at)) = reached.get(looked) {
        looked += 1;
        match (0..syncs.len()).find(|&n| syncs[n].block == block && syncs[n].at >= at) {
            Some(n) => next.push(n),
            None => {
                for succ in func.successors(block) {
                    if !reached.contains(&(succ, 0)) {
                        reached.push((succ, 0));
                    }
                }
            }
        }
    }
    next.sort_unstable();
    next.dedup();
    next
}

#[cfg(test)]
mod tests {
    use super::*;
    use cudair_ir::text::parse_module;

    /// The blocks of the synchronisation points of a kernel with this body, whose entry has `v0`, a pointer, and `v1`, an `i32`.
    fn blocks(body: &str) -> Vec<u32> {
        let head = "func kernel external @k \"k\" (ptr.generic, i32) {\nblock0(v0: ptr.generic, v1: i32):\n";
        let module = parse_module(&format!("{head}{body}}}\n"), "k.cir").expect("a module");
        let func = module.funcs.values().next().expect("a function");
        let cfg = Cfg::new(func);
        let syncs = find_syncs(func, &cfg, true).unwrap_or_else(|why| panic!("{}", why.0));
        syncs.iter().map(|s| s.block.as_u32()).collect()
    }

    const ADD: &str = "atomic.add.i32 relaxed device v0, v1 site0";

    #[test]
    fn nobody_waits_where_all_come_from_the_start() {
        assert_eq!(blocks(&format!("  v2 = {ADD}\n  return\n")), Vec::<u32>::new());
        // Some do not come there.
        let some = format!(
            "  v2 = icmp.slt v1, v1\n  branch v2, block1, block2\nblock1:\n  v3 = {ADD}\n  jump block2\nblock2:\n  return\n"
        );
        assert_eq!(blocks(&some), Vec::<u32>::new());
    }

    #[test]
    fn all_do_the_first_operation_before_the_second() {
        assert_eq!(blocks(&format!("  v2 = {ADD}\n  v3 = {ADD}\n  return\n")), [0]);
        let either = format!(
            "  v2 = icmp.slt v1, v1\n  branch v2, block1, block2\nblock1:\n  v3 = {ADD}\n  jump block2\nblock2:\n  v4 = {ADD}\n  return\n"
        );
        // Who comes to the second one from the start has to wait for who does the first.
        assert_eq!(blocks(&either), [2]);
    }

    #[test]
    fn lanes_wait_at_the_end_of_a_turn() {
        let one = format!(
            "  jump block1\nblock1:\n  v2 = {ADD}\n  v3 = icmp.slt v2, v1\n  branch v3, block2, block3\nblock2:\n  jump block1\nblock3:\n  return\n"
        );
        assert_eq!(blocks(&one), [2]);
        let two = one.replace("block2:\n", &format!("block2:\n  v4 = {ADD}\n"));
        assert_eq!(blocks(&two), [2, 2]);
    }

    #[test]
    fn lanes_wait_where_others_come_from_elsewhere() {
        // Lanes that leave the loop early wait behind it for those that go on.
        let behind = format!(
            "  jump block1\nblock1:\n  v2 = {ADD}\n  v3 = icmp.slt v2, v1\n  branch v3, block2, block3\nblock2:\n  jump block1\nblock3:\n  v4 = {ADD}\n  return\n"
        );
        assert_eq!(blocks(&behind), [2, 3]);
    }

    #[test]
    fn nobody_waits_behind_a_barrier() {
        let both = format!("  v2 = {ADD}\n  barrier.sync site1\n  v3 = {ADD}\n  return\n");
        assert_eq!(blocks(&both), [0]);
    }
}
