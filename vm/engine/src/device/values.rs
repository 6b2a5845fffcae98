//! Values of single lanes in registers of any kind.

use super::planes::Lanes;
use crate::regs::Words;
use cudair_bytecode::{Reg, S, V};
use cudair_lane::Mask;

/// The registers of a frame, all files.
#[derive(Clone, Copy)]
pub(crate) struct View {
    pub(crate) s: Words,
    pub(crate) v: Lanes,
}

impl View {
    /// The bits of a lane's value.
    #[inline]
    pub(crate) fn get(self, reg: Reg, lane: usize) -> u128 {
        match reg {
            Reg::S(r) => self.s.get(r).into(),
            Reg::S2(r) => self.s.get2(r),
            Reg::V(r) => self.v.lane::<u32>(r, lane).into(),
            Reg::W(r) => self.v.lane::<u64>(r, lane).into(),
            Reg::X(r) => {
                let words = self.v.words(r.0, 4);
                (0..4).fold(0, |bits, i| bits | u128::from(words[4 * lane + i]) << (32 * i))
            }
            Reg::P(r) => self.v.pred(r).contains(lane).into(),
        }
    }

    /// Writes a lane's value. A scalar is written for all lanes.
    #[inline]
    pub(crate) fn set(self, reg: Reg, lane: usize, bits: u128) {
        match reg {
            Reg::S(r) => self.s.set(r, bits as u64),
            Reg::S2(r) => self.s.set2(r, bits),
            Reg::V(r) => self.v.set_lane::<u32>(r, lane, bits as u32),
            Reg::W(r) => self.v.set_lane::<u64>(r, lane, bits as u64),
            Reg::X(r) => {
                let words = self.v.words_mut(r.0, 4);
                (0..4).for_each(|i| words[4 * lane + i] = (bits >> (32 * i)) as u32);
            }
            Reg::P(r) => {
                let mut p = self.v.pred(r);
                if bits & 1 != 0 {
                    p.insert(lane);
                } else {
                    p.remove(lane);
                }
                self.v.set_pred(r, p);
            }
        }
    }

    /// Writes one value for the lanes of `mask`.
    pub(crate) fn splat(self, reg: Reg, mask: &Mask, bits: u128) {
        match reg {
            Reg::S(_) | Reg::S2(_) => self.set(reg, 0, bits),
            Reg::V(r) => {
                for c in 0..self.v.chunks() {
                    self.v.set_chunk::<u32>(r, c, mask.0[c], [bits as u32; 16]);
                }
            }
            Reg::W(r) => {
                for c in 0..self.v.chunks() {
                    self.v.set_chunk::<u64>(r, c, mask.0[c], [bits as u64; 16]);
                }
            }
            Reg::X(_) => mask.iter().for_each(|lane| self.set(reg, lane, bits)),
            Reg::P(r) => {
                let old = self.v.pred(r);
                self.v.set_pred(r, if bits & 1 != 0 { old.or(mask) } else { old.without(mask) });
            }
        }
    }

    /// Moves a value for the lanes of `mask` from a register of `from` to one of this frame. A scalar is
    /// broadcast; a scalar destination takes the first lane's value.
    pub(crate) fn copy_from(self, to: Reg, from: View, reg: Reg, mask: &Mask) {
        match (to, reg) {
            (Reg::S(d), Reg::S(a)) => self.s.set(d, from.s.get(a)),
            (Reg::S2(d), Reg::S2(a)) => self.s.set2(d, from.s.get2(a)),
            (Reg::V(d), Reg::V(a)) => {
                for c in 0..self.v.chunks() {
                    let m = mask.0[c];
                    if m != 0 {
                        self.v.set_chunk::<u32>(d, c, m, from.v.chunk::<u32>(a, c));
                    }
                }
            }
            (Reg::W(d), Reg::W(a)) => {
                for c in 0..self.v.chunks() {
                    let m = mask.0[c];
                    if m != 0 {
                        self.v.set_chunk::<u64>(d, c, m, from.v.chunk::<u64>(a, c));
                    }
                }
            }
            (Reg::P(d), Reg::P(a)) => {
                let value = from.v.pred(a).and(mask).or(&self.v.pred(d).without(mask));
                self.v.set_pred(d, value);
            }
            (_, Reg::S(_) | Reg::S2(_)) => self.splat(to, mask, from.get(reg, 0)),
            (Reg::S(_) | Reg::S2(_), _) => {
                if let Some(lane) = mask.lowest() {
                    self.set(to, 0, from.get(reg, lane));
                }
            }
            _ => mask.iter().for_each(|lane| self.set(to, lane, from.get(reg, lane))),
        }
    }
}

/// The plane after a value of `planes` planes: its bits of initialisation.
pub(crate) fn init_plane(first: u16, planes: u16) -> V {
    V(first + planes)
}

/// The word after a scalar.
pub(crate) fn init_word(r: S) -> S {
    S(r.0 + 1)
}
