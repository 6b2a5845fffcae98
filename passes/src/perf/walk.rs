//! Which warps, blocks and iterations are looked at.

use super::affine::{Value, value};
use super::request::{Assessed, LANES, SHAPE, request};
use super::warp::{Warp, coming, warps};
use super::{Does, Site};
use crate::registry::KernelView;
use crate::symbolic::summary::Summary;
use crate::symbolic::term::{Node, Sym, Term, Terms};

/// Terms that are looked at for one place, at most, where blocks and iterations are gone through.
const MAX_WORK: usize = 4_000_000;

/// The same for all places of a kernel.
pub(super) const KERNEL_WORK: usize = 4 * MAX_WORK;

/// What a place costs; why it cannot be told otherwise. `left` is what may be looked at for it and the places behind it.
pub(super) fn assess(
    view: &KernelView<'_, '_>,
    site: &Site,
    left: &mut usize,
) -> Result<Assessed, &'static str> {
    if let Does::Unknown(why) = site.does {
        return Err(why);
    }
    let at_once = all_at_once(view, site, left);
    match &at_once {
        Ok(found) if found.sure => at_once,
        _ => one_by_one(view, site, left).map_or(at_once, Ok),
    }
}

/// Each warp of a block once, in whatever block and iterations. Takes what is looked at from what is `left`.
fn all_at_once(view: &KernelView<'_, '_>, site: &Site, left: &mut usize) -> Result<Assessed, &'static str> {
    let s = &*view.summary;
    let (warps, all) =
        warps(view.root.shape, [None; 3]).ok_or("how a warp lies in its block is not known")?;
    let mut out = Assessed::new();
    if !all {
        out.full_warp = true;
        out.doubt(SHAPE);
    }
    for mut warp in warps {
        let alive = vec![true; warp.len()];
        let come = coming(&mut warp, &s.terms, site.guard, &alive);
        // Threads that leave a loop earlier than others are in no later iteration.
        let together = s.cx.control.cycles_of(site.node).all(|c| {
            s.loops[c].again.is_some_and(|again| {
                let mut values =
                    come.lanes.iter().map(|&n| value(&mut warp, n, &s.terms, again)).collect::<Vec<_>>();
                values.dedup();
                values.len() <= 1 && values.first() != Some(&Value::Varies)
            })
        });
        if !together && !come.lanes.is_empty() {
            out.doubt(LANES);
        }
        request(s, &mut warp, &come, &site.does, &mut out)?;
        let looked = looked_at(&mut warp);
        *left = left.checked_sub(looked).ok_or("its warps compute too much to look at each of them")?;
    }
    Ok(out)
}

/// How many terms the lanes looked at, which they forget.
fn looked_at(warp: &mut Warp) -> usize {
    warp.iter_mut().map(|lane| 1 + lane.forget()).sum()
}

/// Every warp of every block in every iteration; none where these are too many, or not known.
fn one_by_one(view: &KernelView<'_, '_>, site: &Site, left: &mut usize) -> Option<Assessed> {
    let s = &*view.summary;
    let shape = view.root.shape;
    let cycles: Vec<usize> = s.cx.control.cycles_of(site.node).collect();
    let mut terms: Vec<Term> = vec![site.guard];
    match site.does {
        Does::Access { offset, .. } => terms.push(offset),
        Does::Branch(condition) => terms.push(condition),
        Does::Unknown(_) => return None,
    }
    terms.extend(cycles.iter().filter_map(|&c| s.loops[c].again));
    let mut extents = [1u32; 3];
    let mut asked = [false; 3];
    for d in 0..3 {
        let is = |n: &Node| matches!(n, Node::Sym { sym: Sym::Bid(b), .. } if usize::from(*b) == d);
        asked[d] = terms.iter().any(|&t| s.terms.mentions(t, is));
        if asked[d] {
            extents[d] = shape.grid[d]?;
        }
    }
    let rest = left.saturating_sub(MAX_WORK);
    let mut walk = Walk { s, site, cycles, left, rest, out: Assessed::new() };
    walk.out.whole_launch = true;
    for z in 0..extents[2] {
        for y in 0..extents[1] {
            for x in 0..extents[0] {
                let index = [x, y, z];
                let block = [0, 1, 2].map(|d| asked[d].then_some(index[d]));
                let (warps, true) = warps(shape, block)? else { return None };
                for mut warp in warps {
                    let alive = vec![true; warp.len()];
                    walk.iterate(&mut warp, walk.cycles.len(), alive)?;
                    walk.forget(&mut warp)?;
                }
            }
        }
    }
    Some(walk.out).filter(|out| out.sure)
}

struct Walk<'a, 'b> {
    s: &'b Summary<'a>,
    site: &'b Site,
    /// The loops around the place, innermost first.
    cycles: Vec<usize>,
    /// Terms that may still be looked at, and those of them that are for other places.
    left: &'b mut usize,
    rest: usize,
    out: Assessed,
}

impl Walk<'_, '_> {
    /// Forgets what the lanes looked at, and counts it; none where it was too much.
    fn forget(&mut self, warp: &mut Warp) -> Option<()> {
        let looked = looked_at(warp);
        let enough = *self.left >= self.rest + looked;
        *self.left = self.left.saturating_sub(looked);
        enough.then_some(())
    }

    /// Goes through the iterations of the innermost `depth` loops.
    fn iterate(&mut self, warp: &mut Warp, depth: usize, mut alive: Vec<bool>) -> Option<()> {
        let terms = &self.s.terms;
        let Some(outer) = depth.checked_sub(1) else {
            let come = coming(warp, terms, self.site.guard, &alive);
            request(self.s, warp, &come, &self.site.does, &mut self.out).ok()?;
            return self.out.sure.then_some(());
        };
        let cycle = self.cycles[outer];
        let again = self.s.loops[cycle].again?;
        let entered = self.s.guards[self.s.cx.control.cycle_head(cycle) as usize];
        retain(warp, &mut alive, terms, entered)?;
        let mut n = 0;
        while alive.contains(&true) {
            for lane in warp.iter_mut() {
                lane.counters.push((cycle as u32, n));
            }
            self.forget(warp)?;
            self.iterate(warp, outer, alive.clone())?;
            retain(warp, &mut alive, terms, again)?;
            for lane in warp.iter_mut() {
                lane.counters.pop();
            }
            self.forget(warp)?;
            n += 1;
        }
        Some(())
    }
}

/// Keeps the lanes alive for which a condition holds; none where that is not known.
fn retain(warp: &mut Warp, alive: &mut [bool], terms: &Terms, condition: Term) -> Option<()> {
    for n in (0..warp.len()).filter(|&n| alive[n]).collect::<Vec<_>>() {
        match value(warp, n, terms, condition) {
            Value::Sum(s) => alive[n] = s.as_constant()? != 0,
            Value::Varies => return None,
        }
    }
    Some(())
}
