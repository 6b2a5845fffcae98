//! Accesses of two threads between the same barriers of which one belongs to a later iteration of a loop.
//!
//! In program order each thread does one of them and then, around a loop, the other, with no barrier in between. So the
//! barrier that is missing is one at the loop's end: those inside the iteration already order the two. The question is one
//! of paths through the control-flow graph, without what branches decide.

use crate::cfg::Cfg;
use crate::cycles::{Cycle, Cycles};
use crate::*;
use rustc_hash::FxHashSet;

/// How the second of two accesses follows the first around a loop.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct AroundLoop {
    /// Which of the two is in the later iteration: 0 or 1.
    pub later: usize,
    /// That is the next iteration; else it may be one behind that.
    pub next: bool,
    /// The loop is the innermost one that both are in; else one around it.
    pub innermost: bool,
}

impl AroundLoop {
    /// What is said of the later access, behind who does it.
    pub fn label(&self) -> &'static str {
        match (self.next, self.innermost) {
            (true, true) => ", in the next iteration",
            (false, true) => ", in a later iteration",
            (true, false) => ", in the next iteration of an outer loop",
            (false, false) => ", in a later iteration of an outer loop",
        }
    }
}

/// How two accesses at `sites` of a function follow each other, where only a loop's next iterations bring a thread from one
/// to the other without a barrier. None where they may be in one iteration, where each may come first, and where it is not told whether
/// something on the way orders the two: a call of what has barriers, a barrier of the grid or the cluster, `__syncwarp()` of lanes of one
/// warp.
pub fn around_loop(module: &Module, id: FuncId, sites: [Site; 2], same_warp: bool) -> Option<AroundLoop> {
    let func = module.funcs.get(id)?;
    let [Some(a), Some(b)] = sites.map(|site| only(func, site)) else { return None };
    around(module, func, [a, b], same_warp)
}

/// The same of two instructions.
pub fn around(module: &Module, func: &Function, insts: [Inst; 2], same_warp: bool) -> Option<AroundLoop> {
    if insts[0] == insts[1] {
        return None;
    }
    let paths = Paths::new(module, func, insts, same_warp)?;
    let cfg = Cfg::new(func);
    let cycles = Cycles::new(func, &cfg);
    // From the innermost on.
    let common: Vec<Cycle> =
        std::iter::successors(cycles.innermost(paths.at[0].0), |&c| cycles.cycles[c].parent.expand())
            .filter(|&c| cycles.contains(c, paths.at[1].0))
            .collect();
    if common.iter().any(|&c| !cycles.cycles[c].is_reducible()) {
        return None;
    }
    let headers: Vec<Block> = common.iter().map(|&c| cycles.cycles[c].header()).collect();
    for (n, &header) in headers.iter().enumerate() {
        // Further loops may go around, from the innermost on.
        if n == 0 && (paths.lead(0, 1, &headers) || paths.lead(1, 0, &headers)) {
            return None;
        }
        let outer = &headers[n + 1..];
        let later = match [paths.lead(0, 1, outer), paths.lead(1, 0, outer)] {
            [false, false] => continue,
            [true, true] => return None,
            [true, false] => 1,
            [false, true] => 0,
        };
        // Whether a whole iteration is possible without a barrier.
        let next = !paths.reaches((header, 0), |block| block == header, outer);
        return Some(AroundLoop { later, next, innermost: n == 0 });
    }
    None
}

/// The only instruction of a site.
fn only(func: &Function, site: Site) -> Option<Inst> {
    let all = func.layout.iter().flat_map(|&b| func.block_insts(b)).copied();
    let mut of = all.filter(|&i| func.insts[i].sites().contains(&Some(site)));
    of.next().filter(|_| of.next().is_none())
}

/// The type that a plain access at a site has in memory; none where several instructions are there, or another one.
pub fn accessed_type(module: &Module, id: FuncId, site: Site) -> Option<Type> {
    let func = module.funcs.get(id)?;
    type_of(func, only(func, site)?)
}

/// The type of what a load or a store accesses.
pub fn type_of(func: &Function, inst: Inst) -> Option<Type> {
    match func.insts[inst] {
        InstData::Load { ty, .. } => Some(ty),
        InstData::Store { value, .. } => Some(func.value_type(value)),
        _ => None,
    }
}

/// Whether a function, or what it calls, has a barrier.
fn synchronises(module: &Module, id: FuncId) -> bool {
    may_run(module, id).into_iter().any(|id| {
        let func = &module.funcs[id];
        func.layout
            .iter()
            .flat_map(|&b| func.block_insts(b))
            .any(|&i| matches!(func.insts[i], InstData::Barrier { .. } | InstData::WarpSync { .. }))
    })
}

/// The paths of a function that pass no barrier.
struct Paths<'a> {
    func: &'a Function,
    /// Blocks and positions in them of the two accesses.
    at: [(Block, usize); 2],
}

impl Paths<'_> {
    /// None where it is not known what a barrier orders.
    fn new<'a>(module: &Module, func: &'a Function, insts: [Inst; 2], same_warp: bool) -> Option<Paths<'a>> {
        let mut at = [None; 2];
        for &block in &func.layout {
            for (n, &inst) in func.block_insts(block).iter().enumerate() {
                for (at, wanted) in at.iter_mut().zip(insts) {
                    if wanted == inst {
                        *at = Some((block, n));
                    }
                }
                let opaque = match func.insts[inst] {
                    InstData::Call { func, .. } | InstData::Invoke { func, .. } => synchronises(module, func),
                    InstData::CallIndirect { .. } | InstData::InvokeIndirect { .. } => true,
                    InstData::Barrier { kind, .. } => kind.is_cluster() || kind == BarrierKind::Grid,
                    InstData::WarpSync { .. } => same_warp,
                    _ => false,
                };
                if opaque {
                    return None;
                }
            }
        }
        let [Some(a), Some(b)] = at else { return None };
        Some(Paths { func, at: [a, b] })
    }

    /// Whether a path leads from behind one access to the other, without an edge into any of `cut`.
    fn lead(&self, from: usize, to: usize, cut: &[Block]) -> bool {
        let ((block, n), (end, m)) = (self.at[from], self.at[to]);
        let insts = self.func.block_insts(block);
        if block == end && m > n {
            // What lies between is straight code.
            return !insts[n..m].iter().any(|&i| self.is_barrier(i));
        }
        let ends = |block: Block| {
            block == end && !self.func.block_insts(end)[..m].iter().any(|&i| self.is_barrier(i))
        };
        self.reaches((block, n + 1), ends, cut)
    }

    /// Whether a path leads from a place to the head of a block that `ends` it, without an edge into any of `cut`.
    fn reaches(&self, (block, n): (Block, usize), ends: impl Fn(Block) -> bool, cut: &[Block]) -> bool {
        let mut seen = FxHashSet::default();
        let mut work = vec![(block, n)];
        while let Some((block, n)) = work.pop() {
            if self.func.block_insts(block)[n..].iter().any(|&i| self.is_barrier(i)) {
                continue;
            }
            for next in self.func.successors(block) {
                if cut.contains(&next) {
                    continue;
                }
                if ends(next) {
                    return true;
                }
                if seen.insert(next) {
                    work.push((next, 0));
                }
            }
        }
        false
    }

    fn is_barrier(&self, inst: Inst) -> bool {
        matches!(self.func.insts[inst], InstData::Barrier { .. })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is known of the first store and the first load of a kernel.
    fn known(body: &str) -> Option<AroundLoop> {
        let text = format!(
            "global internal @s shared 4 align 4 = uninit\nfunc kernel external @k (i32) {{\nblock0(v0: i32):\n{body}}}\n"
        );
        let module = crate::text::parse_module(&text, "k.cir").expect("IR");
        let func = module.funcs.values().next().expect("a function");
        let find = |wanted: fn(&InstData) -> bool| {
            let mut all = func.layout.iter().flat_map(|&b| func.block_insts(b)).copied();
            all.find(|&i| wanted(&func.insts[i])).expect("an access")
        };
        let store = find(|i| matches!(i, InstData::Store { .. }));
        let load = find(|i| matches!(i, InstData::Load { .. }));
        around(&module, func, [store, load], false)
    }

    /// A loop whose body has `first`, a store, `middle`, a load and `last`.
    fn in_a_loop([first, middle, last]: [&str; 3]) -> Option<AroundLoop> {
        known(&format!(
            "  v1 = global_addr @s\n  jump block1(v0)\nblock1(v2: i32):\n{first}  store.i32 v0, v1 site0\n{middle}  \
             v3 = load.i32 v1 site1\n{last}  v4 = isub.i32 v2, v3\n  v5 = icmp.ne v4, v0\n  branch v5, block1(v4), block2\n\
             block2:\n  return\n"
        ))
    }

    const BARRIER: &str = "  barrier.sync site2\n";

    #[test]
    fn a_barrier_within_the_iteration_leaves_the_way_around() {
        let found = in_a_loop(["", BARRIER, ""]);
        assert_eq!(found, Some(AroundLoop { later: 0, next: true, innermost: true }));
    }

    #[test]
    fn one_iteration_or_none() {
        assert_eq!(in_a_loop(["", "", ""]), None);
        assert_eq!(in_a_loop(["", "", BARRIER]), None);
        assert_eq!(in_a_loop(["", BARRIER, "  barrier.sync site3\n"]), None);
    }
}
