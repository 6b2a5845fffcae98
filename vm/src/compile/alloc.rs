//! Register assignment: linear scan over lifetimes, per register file, without spilling.
//!
//! Registers are plentiful (65,536 of each kind), but the fewer planes a kernel touches, the more of
//! them stay in the cache: the lowest free register is taken. Block parameters and their arguments
//! prefer one register, so that most edges need no moves.

use super::live::{Lifetime, Liveness};
use super::vreg::{Class, File, VReg, VRegs};
use cranelift_entity::{EntityRef, SecondaryMap};
use smallvec::SmallVec;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

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

/// The free registers of one file.
#[derive(Debug, Default)]
struct FreeSet {
    /// One bit per register, set while it is taken.
    taken: Vec<u64>,
    used: u32,
}

impl FreeSet {
    fn is_free(&self, at: u32, width: u32) -> bool {
        (at..at + width).all(|r| self.taken.get(r as usize / 64).is_none_or(|w| w >> (r % 64) & 1 == 0))
    }

    fn set(&mut self, at: u32, width: u32, taken: bool) {
        for r in at..at + width {
            let word = r as usize / 64;
            if word >= self.taken.len() {
                self.taken.resize(word + 1, 0);
            }
            let bit = 1 << (r % 64);
            if taken {
                self.taken[word] |= bit;
            } else {
                self.taken[word] &= !bit;
            }
        }
        if taken {
            self.used = self.used.max(at + width);
        }
    }

    /// The lowest free place for `width` registers.
    fn lowest(&self, width: u32, align: u32) -> u32 {
        let aligned = match align {
            2 => 0x5555_5555_5555_5555,
            4 => 0x1111_1111_1111_1111,
            _ => u64::MAX,
        };
        for (n, &word) in self.taken.iter().enumerate() {
            // Free bits whose upper neighbours in the word are free too.
            let mut free = !word;
            for k in 1..width {
                free &= !word >> k;
            }
            free &= aligned;
            if free != 0 {
                return n as u32 * 64 + free.trailing_zeros();
            }
        }
        self.taken.len() as u32 * 64
    }
}

/// Assigns registers. Those in `extra` are followed by one more, for the bits of initialisation.
pub(super) fn assign(
    regs: &VRegs,
    extra: &SecondaryMap<VReg, bool>,
    live: &Liveness,
    affinity: &mut Affinity,
) -> Assignment {
    let width = |r: VReg| regs[r].width() + u32::from(extra[r]);
    let mut result = Assignment::default();
    let mut files = [FreeSet::default(), FreeSet::default(), FreeSet::default()];
    let mut by_start: Vec<(Lifetime, VReg)> =
        regs.keys().filter_map(|r| live.lifetimes[r].map(|l| (l, r))).collect();
    by_start.sort_unstable_by_key(|&(l, r)| (l.start, r));
    // Ends of the lifetimes in progress.
    let mut active: BinaryHeap<Reverse<(u32, VReg)>> = BinaryHeap::new();
    let mut preferred: SecondaryMap<VReg, SmallVec<[u32; 2]>> = SecondaryMap::new();
    for (life, reg) in by_start {
        while let Some(&Reverse((end, old))) = active.peek() {
            if end > life.start {
                break;
            }
            active.pop();
            files[index(regs[old])].set(result.place[old], width(old), false);
        }
        let class = regs[reg];
        let file = &mut files[index(class)];
        let group = affinity.root(reg);
        let hint = preferred[group]
            .iter()
            .copied()
            .find(|&at| at % class.align() == 0 && file.is_free(at, width(reg)));
        let at = hint.unwrap_or_else(|| file.lowest(width(reg), class.align()));
        if hint.is_none() && preferred[group].len() < 4 {
            preferred[group].push(at);
        }
        file.set(at, width(reg), true);
        result.place[reg] = at;
        active.push(Reverse((life.end, reg)));
    }
    let [s, v, p] = &files;
    (result.scalars, result.planes, result.preds) = (s.used, v.used, p.used);
    result
}

fn index(class: Class) -> usize {
    match class.file() {
        File::S => 0,
        File::V => 1,
        File::P => 2,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn live(lives: &[(u32, u32)]) -> Liveness {
        let mut l = Liveness::default();
        for (n, &(start, end)) in lives.iter().enumerate() {
            l.lifetimes[VReg::new(n)] = Some(Lifetime { start, end });
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
        assert_eq!(at, [0, 2, 1]);
        assert_eq!(a.planes, 4);
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
