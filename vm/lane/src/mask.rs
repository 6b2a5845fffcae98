//! Sets of lanes of a strip.

use std::fmt;

/// Lanes of a strip at most.
pub const MAX_LANES: usize = 256;
/// Lanes per word of a [`Mask`]: the chunk by which lane operations go.
pub const CHUNK: usize = 16;
/// Words of a [`Mask`].
pub const MASK_WORDS: usize = MAX_LANES / CHUNK;

/// A set of lanes: one word per chunk of 16 lanes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
#[repr(align(32))]
pub struct Mask(pub [u16; MASK_WORDS]);

impl Mask {
    /// No lane.
    pub const NONE: Mask = Mask([0; MASK_WORDS]);
    /// Lane 0 alone: the host.
    pub const ONE: Mask = Mask::first(1);

    /// Lanes `0..n`.
    #[inline]
    pub const fn first(n: usize) -> Mask {
        let mut words = [0; MASK_WORDS];
        let mut w = 0;
        while w < MASK_WORDS && w * CHUNK < n {
            let rest = n - w * CHUNK;
            words[w] = if rest >= CHUNK { u16::MAX } else { (1 << rest) - 1 };
            w += 1;
        }
        Mask(words)
    }

    /// One lane.
    #[inline]
    pub fn single(lane: usize) -> Mask {
        let mut m = Mask::NONE;
        m.insert(lane);
        m
    }

    /// The lanes of 32-lane warp number `warp` of the strip that `lanes` names.
    #[inline]
    pub fn of_warp(warp: usize, lanes: u32) -> Mask {
        let mut m = Mask::NONE;
        m.0[warp * 2] = lanes as u16;
        m.0[warp * 2 + 1] = (lanes >> 16) as u16;
        m
    }

    /// The lanes of warp number `warp` of the strip.
    #[inline]
    pub fn warp(&self, warp: usize) -> u32 {
        u32::from(self.0[warp * 2]) | u32::from(self.0[warp * 2 + 1]) << 16
    }

    /// Whether a lane is in it.
    #[inline(always)]
    pub fn contains(&self, lane: usize) -> bool {
        self.0[lane / CHUNK] >> (lane % CHUNK) & 1 != 0
    }

    /// Adds a lane.
    #[inline(always)]
    pub fn insert(&mut self, lane: usize) {
        self.0[lane / CHUNK] |= 1 << (lane % CHUNK);
    }

    /// Takes a lane out.
    #[inline(always)]
    pub fn remove(&mut self, lane: usize) {
        self.0[lane / CHUNK] &= !(1 << (lane % CHUNK));
    }

    /// Whether it is empty.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.0.iter().fold(0, |a, &w| a | w) == 0
    }

    /// How many lanes.
    #[inline]
    pub fn count(&self) -> u32 {
        self.0.iter().map(|w| w.count_ones()).sum()
    }

    /// The lowest lane.
    #[inline]
    pub fn lowest(&self) -> Option<usize> {
        self.0.iter().position(|&w| w != 0).map(|i| i * CHUNK + self.0[i].trailing_zeros() as usize)
    }

    /// The lowest lane but one.
    #[inline]
    pub fn second(&self) -> Option<usize> {
        let c = self.0.iter().position(|&w| w != 0)?;
        let rest = self.0[c] & (self.0[c] - 1);
        if rest != 0 {
            return Some(c * CHUNK + rest.trailing_zeros() as usize);
        }
        let next = c + 1 + self.0[c + 1..].iter().position(|&w| w != 0)?;
        Some(next * CHUNK + self.0[next].trailing_zeros() as usize)
    }

    /// The highest lane.
    #[inline]
    pub fn highest(&self) -> Option<usize> {
        let c = self.0.iter().rposition(|&w| w != 0)?;
        Some(c * CHUNK + 15 - self.0[c].leading_zeros() as usize)
    }

    /// The lanes in both.
    #[inline]
    pub fn and(&self, other: &Mask) -> Mask {
        Mask(std::array::from_fn(|i| self.0[i] & other.0[i]))
    }

    /// The lanes in one or both.
    #[inline]
    pub fn or(&self, other: &Mask) -> Mask {
        Mask(std::array::from_fn(|i| self.0[i] | other.0[i]))
    }

    /// The lanes in this and not in `other`.
    #[inline]
    pub fn without(&self, other: &Mask) -> Mask {
        Mask(std::array::from_fn(|i| self.0[i] & !other.0[i]))
    }

    /// Whether every lane of this is in `other`.
    #[inline]
    pub fn is_subset(&self, other: &Mask) -> bool {
        self.without(other).is_empty()
    }

    /// Calls `f` with each lane in order: quicker than [`Mask::iter`]. One call of `f`, so that it is inlined.
    #[inline(always)]
    pub fn for_each(&self, mut f: impl FnMut(usize)) {
        for (c, &word) in self.0.iter().enumerate() {
            let first = c * CHUNK;
            let mut rest = word;
            while rest != 0 {
                f(first + rest.trailing_zeros() as usize);
                rest &= rest - 1;
            }
        }
    }

    /// The lanes in order.
    #[inline]
    pub fn iter(&self) -> impl Iterator<Item = usize> + use<> {
        let words = self.0;
        let mut at = 0;
        let mut word = words[0];
        std::iter::from_fn(move || {
            while word == 0 {
                at += 1;
                if at >= MASK_WORDS {
                    return None;
                }
                word = words[at];
            }
            let bit = word.trailing_zeros() as usize;
            word &= word - 1;
            Some(at * CHUNK + bit)
        })
    }
}

impl FromIterator<usize> for Mask {
    fn from_iter<I: IntoIterator<Item = usize>>(lanes: I) -> Mask {
        let mut m = Mask::NONE;
        lanes.into_iter().for_each(|l| m.insert(l));
        m
    }
}

impl fmt::Debug for Mask {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lanes_in_order() {
        let m: Mask = [255, 3, 16, 31].into_iter().collect();
        assert_eq!(m.iter().collect::<Vec<_>>(), [3, 16, 31, 255]);
        assert_eq!(m.count(), 4);
        let mut each = Vec::new();
        m.or(&Mask::of_warp(2, u32::MAX)).for_each(|l| each.push(l));
        assert_eq!(each, [vec![3, 16, 31], (64..96).collect(), vec![255]].concat());
        assert_eq!(m.lowest(), Some(3));
        assert!(m.is_subset(&Mask::first(256)) && !Mask::first(256).is_subset(&m));
        assert_eq!(Mask::NONE.lowest(), None);
    }

    #[test]
    fn prefixes_and_warps() {
        for n in [0, 1, 15, 16, 17, 255, 256] {
            assert_eq!(Mask::first(n).iter().collect::<Vec<_>>(), (0..n).collect::<Vec<_>>());
        }
        let m = Mask::of_warp(3, 0x8000_0001);
        assert_eq!(m.iter().collect::<Vec<_>>(), [96, 127]);
        assert_eq!(m.warp(3), 0x8000_0001);
    }
}
