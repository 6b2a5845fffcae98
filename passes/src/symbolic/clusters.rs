//! Barriers of a block's cluster: whether threads wait there for ever, and whether they order the threads of a block.
//!
//! Such a barrier waits for all threads of the cluster that have not left, wherever in the kernel each of them comes to one.
//! So nobody waits for ever where nothing else waits: of those that wait, the ones that have waited least often are complete.
//! Where there are barriers of the block, too, it takes a thread that waits for its cluster while another one of its block
//! waits for the block. That is excluded where the threads of a block come to each barrier of the cluster, in the same
//! iterations of the loops around, or none does. Blocks of a cluster may differ in that, unless they wait for the grid, too.
//!
//! Where all threads of a block come, the barrier orders them, as one of the block does. Of other blocks of the cluster nothing
//! is said. The two halves are followed only where one comes right behind the other.

use super::numbered::{Numbered, all_come};
use super::premises::Premises;
use super::race::Check as Questions;
use super::smt::{CUT, Solver};
use super::summary::{OTHER_BLOCK, Summary, computes};
use crate::analysis::barrier::confirm;
use crate::analysis::control::Node;
use crate::analysis::only_possible;
use crate::analysis::uniformity::{RootContext, RootUniformity};
use crate::analysis::witness::{cluster_search, prove};
use cudair_ir::verdict::{Check, CheckVerdict, Outcome};
use cudair_ir::*;
use rustc_hash::FxHashSet;

/// Where a thread arrives and waits at once.
#[derive(Clone, Copy)]
struct Sync {
    node: Node,
    /// The wait.
    inst: Inst,
    /// What was done before is released.
    releases: bool,
}

/// The barriers of the cluster in the kernel's own code.
struct Places {
    syncs: Vec<Sync>,
    /// The first half that is not followed, and why.
    untold: Option<(Option<Loc>, &'static str)>,
}

const HALVES: &str = "an arrival at the cluster's barrier that is apart from the wait is not followed";
const ELSEWHERE: &str = "a barrier of the cluster in a function that stays a call is not followed";
const CALLS: &str = "what may wait for other threads is not followed";

/// Looks at them. `meets` says that the threads of a block are proved to meet at all other barriers, and `granted` what the
/// facts of the launch take for granted: all of them, and those alone that the kernel's own code states. With `strict` what
/// may be is an error.
pub fn clusters(
    root: &RootContext<'_>,
    uniformity: &RootUniformity,
    s: &mut Summary<'_>,
    (meets, strict): (bool, bool),
    (granted, stated): (Premises, Premises),
    solver: &mut dyn Solver,
) -> Numbered {
    let mut out = Numbered::default();
    let Places { syncs, untold } = places(root, s);
    let Some(first) = syncs.first().map(|p| s.cx.func.locs[p.inst].expand()).or(untold.map(|u| u.0)) else {
        return out;
    };
    let follows = s.gaps.iter().all(|g| g.what == OTHER_BLOCK);
    let untold = untold.or((!follows).then_some((first, CALLS)));
    if let Some((loc, why)) = untold {
        let place = loc.map(|loc| Span::new(&root.module.source, loc, ""));
        out.verdict = Some(CheckVerdict::not_checked(Check::BarrierDivergence, why, place, 1));
        out.open = waits(s);
        return out;
    }
    s.any_cut = false;
    let mut rests_on = stated;
    rests_on.loops_end |= s.cx.control.cycle_count() > 0;
    // The first one to which threads may come at different times, if any.
    let parting = parting(root, uniformity, s, &syncs, (&mut rests_on, granted), solver);
    if meets && parting.is_none() {
        out.of_block = syncs.iter().filter(|p| p.releases).map(|p| p.inst).collect();
        out.agreed = true;
    } else {
        out.open = waits(s);
    }
    let grid = may_part_for_grid(root, uniformity, s, &syncs);
    let fine = parting.is_none() && grid.is_none()
        || !waits_otherwise(root)
        || meets && grid.is_none() && prove(root, s.cx.id, true);
    if fine {
        // Where threads may not meet at another barrier, that one is told.
        out.premises = rests_on;
        out.verdict = meets.then(|| CheckVerdict::proved(Check::BarrierDivergence));
        return out;
    }
    let found = findings(root, s, &syncs, parting.or(grid).unwrap_or(0), strict);
    let worst = &found[0];
    let certain = worst.certainty == Certainty::Definite;
    let cut = s.any_cut && !certain;
    out.verdict = Some(CheckVerdict {
        outcome: match certain {
            true => Outcome::Refuted,
            false if cut => Outcome::NotChecked,
            false => Outcome::Possible,
        },
        why: Some(if cut { CUT.to_owned() } else { worst.message.clone() }),
        place: worst.primary.clone(),
        places: found.len(),
        ..CheckVerdict::proved(Check::BarrierDivergence)
    });
    if !cut {
        out.findings = found;
    }
    out
}

/// The barriers of the cluster below a kernel.
fn places(root: &RootContext<'_>, s: &Summary<'_>) -> Places {
    let mut out = Places { syncs: Vec::new(), untold: None };
    for id in root.graph.functions() {
        let cx = root.cx(id);
        for node in 0..cx.control.len() as u32 {
            // The arrival that nothing has come behind yet.
            let mut arrived: Option<(Inst, bool)> = None;
            for &inst in cx.func.block_insts(cx.control.block(node)) {
                let untold = match cx.func.insts[inst] {
                    InstData::Barrier { kind, .. } if kind.is_cluster() && id != s.cx.id => {
                        Some((inst, ELSEWHERE))
                    }
                    InstData::Barrier { kind: BarrierKind::ClusterWait, .. } => match arrived.take() {
                        Some((_, releases)) => {
                            out.syncs.push(Sync { node, inst, releases });
                            None
                        }
                        None => Some((inst, HALVES)),
                    },
                    InstData::Barrier { kind, .. } if kind.is_cluster() => arrived
                        .replace((inst, kind == BarrierKind::ClusterArrive))
                        .map(|(before, _)| (before, HALVES)),
                    ref data if computes(data) && !data.is_terminator() => None,
                    InstData::Count { .. } | InstData::Lifetime { .. } | InstData::Special { .. } => None,
                    _ => arrived.take().map(|(before, _)| (before, HALVES)),
                };
                if let Some((inst, why)) = untold {
                    out.untold = out.untold.or(Some((cx.func.locs[inst].expand(), why)));
                }
            }
        }
    }
    out
}

/// Where threads of the kernel's own code wait for their cluster: block, and instruction.
fn waits(s: &Summary<'_>) -> Vec<(Node, Inst)> {
    let cx = s.cx;
    let is = |i: &Inst| matches!(cx.func.insts[*i], InstData::Barrier { kind: BarrierKind::ClusterWait, .. });
    let of =
        |n: Node| cx.func.block_insts(cx.control.block(n)).iter().copied().filter(is).map(move |i| (n, i));
    (0..cx.control.len() as u32).flat_map(of).collect()
}

/// The first to which one thread of a block may come and another one not, and what it rests on that there is none.
fn parting(
    root: &RootContext<'_>,
    uniformity: &RootUniformity,
    s: &mut Summary<'_>,
    syncs: &[Sync],
    (rests_on, granted): (&mut Premises, Premises),
    solver: &mut dyn Solver,
) -> Option<usize> {
    let branches = &uniformity.funcs[&s.cx.id].branches;
    let mut check = Questions::new(s, root.memory, root.shape, solver);
    let parts = syncs.iter().position(|p| {
        let agree = check.s.cx.control.controlling(p.node);
        !agree.iter().all(|&x| branches[x as usize].level >= Uniformity::Block)
            && !all_come(&mut check, (p.node, p.inst))
    });
    rests_on.join(check.premises());
    rests_on.join(granted);
    parts
}

/// The first to which one block of the grid may come and another one not, where there are barriers of the grid: two blocks of a
/// cluster could wait for each other.
fn may_part_for_grid(
    root: &RootContext<'_>,
    uniformity: &RootUniformity,
    s: &Summary<'_>,
    syncs: &[Sync],
) -> Option<usize> {
    let of_grid = |data: &InstData| matches!(data, InstData::Barrier { kind: BarrierKind::Grid, .. });
    let any = root.graph.functions().any(|id| root.module.funcs[id].insts.values().any(of_grid));
    if !any || root.shape.grid == [Some(1); 3] {
        return None;
    }
    let branches = &uniformity.funcs[&s.cx.id].branches;
    let grid = |x: &u32| branches[*x as usize].level == Uniformity::Grid;
    syncs.iter().position(|p| !s.cx.control.controlling(p.node).iter().all(grid))
}

/// Whether threads wait for others in another way than for their cluster.
fn waits_otherwise(root: &RootContext<'_>) -> bool {
    let waits = |data: &InstData| match *data {
        InstData::Barrier { kind, .. } => !kind.is_cluster(),
        InstData::Call { func, .. } => root.module.funcs[func].attrs.barrier.is_some(),
        InstData::ActiveMask { .. } => false,
        ref data => data.is_convergent(),
    };
    root.graph.functions().any(|id| root.module.funcs[id].insts.values().any(waits))
}

/// What is wrong, or may be: at `open` where nothing is certain.
fn findings(
    root: &RootContext<'_>,
    s: &Summary<'_>,
    syncs: &[Sync],
    open: usize,
    strict: bool,
) -> Vec<Finding> {
    let kernel = s.cx.id;
    let of = |inst: Inst| {
        let message = "threads of a block wait for their cluster while others wait for the block";
        let mut finding = Finding::dynamic(Kind::BarrierDivergence, message.to_owned());
        finding.origin = Origin::Static;
        finding.kernel = Some(s.cx.func.display_name.clone());
        if let Some(loc) = s.cx.func.locs[inst].expand() {
            finding.primary =
                Some(Span::new(&root.module.source, loc, "only some threads of a block wait here"));
            finding.related = Span::call_path(&root.module.source, loc);
        }
        finding
    };
    let certain = if s.impossible { Vec::new() } else { cluster_search(root, kernel) };
    let mut out = Vec::new();
    let mut seen = FxHashSet::default();
    for w in &certain {
        let Some(p) = syncs.iter().find(|p| w.waits.1[..] == [(kernel, p.inst)]) else { continue };
        if seen.insert(p.inst) {
            let mut finding = of(p.inst);
            confirm(root, &mut finding, w);
            out.push(finding);
        }
    }
    if out.is_empty() {
        let mut finding = of(syncs[open].inst);
        only_possible(&mut finding, strict);
        out.push(finding);
    }
    out
}
