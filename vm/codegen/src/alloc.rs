//! Register assignment: linear scan over lifetimes, per register file, without spilling.
//!
//! Registers are plentiful (65,536 of each kind), but the fewer planes a kernel touches, the more of
//! them stay in the cache: the lowest free register is taken. Block parameters and their arguments
//! prefer one register, so that most edges need no moves.
//!
//! Convergence groups of a strip stand at different places of the function and share the planes: one may write a
//! register while another keeps in it a value that is live where *it* stands. That is well as long as
//! both take lane `n` to be the same bytes. So vectors of different widths never share planes: each width
//! has a region of its own.

use super::live::{Liveness, Range};
use super::vreg::{Class, VReg, VRegs};
use cranelift_entity::{EntityRef, SecondaryMap};
use smallvec::SmallVec;
use std::collections::BTreeMap;

/// Groups of registers that would like to share one, as a union-find forest.
#[derive(Debug, Default)]
pub(super) struct Affinity {
    parent: SecondaryMap<VReg, u32>,
}

impl Affinity {
    fn root(&mut self, r: VReg) -> VReg {
        let mut at = r;
        while self.parent[at] != 0 {
            let up = VReg::new(self.parent[at] as usize - 1);
            let above = self.parent[up];
            if above != 0 {
                self.parent[at] = above;
            }
            at = up;
        }
        at
    }

    /// Says that `a` and `b` would like to share a register.
    pub fn join(&mut self, a: VReg, b: VReg) {
        let (a, b) = (self.root(a), self.root(b));
        if a != b {
            self.parent[a.max(b)] = a.min(b).index() as u32 + 1;
        }
    }
}

/// Where every virtual register lies, and how many registers of each file the function needs.
#[derive(Debug, Default)]
pub(super) struct Assignment {
    /// The first machine register of each virtual one.
    pub place: SecondaryMap<VReg, u32>,
    /// Scalars used.
    pub scalars: u32,
    /// Planes used.
    pub planes: u32,
    /// Predicates used.
    pub preds: u32,
}

/// When each register of one file is taken: ranges in order.
#[derive(Debug, Default)]
struct File {
    taken: Vec<BTreeMap<u32, u32>>,
}

impl File {
    /// Whether `width` registers from `at` on are free in all `ranges`.
    fn is_free(&self, at: u32, width: u32, ranges: &[Range]) -> bool {
        (at..at + width).all(|r| {
            let Some(taken) = self.taken.get(r as usize) else { return true };
            ranges.iter().all(|range| {
                // The last one that begins before this range ends must have ended by its start.
                taken.range(..range.end).next_back().is_none_or(|(_, &end)| end <= range.start)
            })
        })
    }

    fn take(&mut self, at: u32, width: u32, ranges: &[Range]) {
        for r in (at..at + width).map(|r| r as usize) {
            if r >= self.taken.len() {
                self.taken.resize_with(r + 1, BTreeMap::new);
            }
            self.taken[r].extend(ranges.iter().map(|range| (range.start, range.end)));
        }
    }

    /// The lowest place that is free.
    fn lowest(&self, width: u32, align: u32, ranges: &[Range]) -> u32 {
        let mut at = 0;
        while !self.is_free(at, width, ranges) {
            at += align;
        }
        at
    }
}

/// Assigns registers. Those in `extra` are followed by one more, for the bits of initialisation.
pub(super) fn assign(
    regs: &VRegs,
    extra: &SecondaryMap<VReg, bool>,
    live: &Liveness,
    affinity: &mut Affinity,
) -> Assignment {
    let mut result = Assignment::default();
    let mut files: [File; FILES] = Default::default();
    let mut order: Vec<(u32, VReg)> =
        regs.keys().filter_map(|r| live.ranges[r].first().map(|range| (range.start, r))).collect();
    order.sort_unstable();
    let mut preferred: SecondaryMap<VReg, SmallVec<[u32; 2]>> = SecondaryMap::new();
    for &(_, reg) in &order {
        let ranges = &live.ranges[reg][..];
        let (index, width, unit) = kind(regs[reg], extra[reg]);
        let file = &mut files[index];
        let group = affinity.root(reg);
        let hint =
            preferred[group].iter().copied().find(|&at| at % unit == 0 && file.is_free(at, width, ranges));
        let at = hint.unwrap_or_else(|| file.lowest(width, unit, ranges));
        if hint.is_none() && preferred[group].len() < 4 {
            preferred[group].push(at);
        }
        file.take(at, width, ranges);
        result.place[reg] = at;
    }
    let sizes = files.map(|f| f.taken.len() as u32);
    result.scalars = sizes[0];
    result.preds = sizes[1];
    // The regions of the planes, one behind the other.
    let mut bases = [0; FILES];
    for index in (FIRST_PLANES..FILES).filter(|&index| sizes[index] > 0) {
        bases[index] = result.planes.next_multiple_of(4);
        result.planes = bases[index] + sizes[index];
    }
    for (_, reg) in order {
        result.place[reg] += bases[kind(regs[reg], extra[reg]).0];
    }
    result
}

/// Scalars, predicates, and a file for each way in which vectors lie in planes.
pub(crate) const FILES: usize = 7;
/// The first of the files that are regions of the planes.
pub(crate) const FIRST_PLANES: usize = 2;
/// By file, what the first number of a register is a multiple of, at most.
pub(crate) const UNITS: [u32; FILES] = [1, 1, 1, 2, 4, 4, 8];

/// The file that a register lies in, how many numbers it takes there, and what the first must be a
/// multiple of.
pub(crate) fn kind(class: Class, extra: bool) -> (usize, u32, u32) {
    let width = class.width() + u32::from(extra);
    match (class, extra) {
        (Class::S | Class::S2, _) => (0, width, 1),
        (Class::P, _) => (1, width, 1),
        // The bits of initialisation are 32 bits a lane, as the value is.
        (Class::V, _) => (2, width, 1),
        // Numbers that the verifier asks for: even for pairs, multiples of four for quadruples.
        (Class::W, false) => (3, width, 2),
        (Class::W, true) => (4, width, 4),
        (Class::X, false) => (5, width, 4),
        (Class::X, true) => (6, width, 8),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn live(lives: &[(u32, u32)]) -> Liveness {
        let mut l = Liveness::default();
        for (n, &(start, end)) in lives.iter().enumerate() {
            l.ranges[VReg::new(n)].push(Range { start, end });
        }
        l
    }

    fn regs(classes: &[Class]) -> VRegs {
        classes.iter().copied().collect()
    }

    #[test]
    fn overlapping_lifetimes_get_different_registers() {
        let a = assign(
            &regs(&[Class::V, Class::W, Class::V]),
            &SecondaryMap::new(),
            &live(&[(1, 9), (3, 7), (7, 9)]),
            &mut Affinity::default(),
        );
        let at: Vec<u32> = (0..3).map(|n| a.place[VReg::new(n)]).collect();
        // The pair has a region of its own, behind that of the single planes.
        assert_eq!(at, [0, 4, 1]);
        assert_eq!(a.planes, 6);
    }

    #[test]
    fn affinity_is_followed_where_free() {
        let mut aff = Affinity::default();
        aff.join(VReg::new(0), VReg::new(2));
        let a =
            assign(&regs(&[Class::S; 3]), &SecondaryMap::new(), &live(&[(3, 5), (1, 9), (7, 8)]), &mut aff);
        assert_eq!(a.place[VReg::new(0)], a.place[VReg::new(2)]);
        assert_ne!(a.place[VReg::new(0)], a.place[VReg::new(1)]);
    }

    #[test]
    fn pairs_do_not_straddle_taken_registers() {
        let a = assign(
            &regs(&[Class::S, Class::S, Class::S2]),
            &SecondaryMap::new(),
            &live(&[(1, 3), (2, 9), (4, 9)]),
            &mut Affinity::default(),
        );
        // Register 0 is free again but 1 is taken: the pair goes to 2.
        assert_eq!(a.place[VReg::new(2)], 2);
    }
}
