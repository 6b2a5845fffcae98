//! What needs no epochs: threads that each own their granules.
//!
//! In most accesses of an interval thread `t` touches granule `at + t * step`: the pair of `at` and `step` is an
//! *ownership*, which says whose each granule is. Two accesses of one ownership touch a granule with the same thread.
//! So accesses of an interval can conflict only where the granules of different ownerships meet, or those of an
//! ownership and of a place that many read. A bit per granule and ownership tells, which is far less work than epochs.
//! Where they meet, or an access has no ownership, the interval's log is entered into the [cells](super::cells), and
//! they decide from then on.

use super::{AddressPattern, RaceAccess};
use cudair_lane::fault::AccessOp;
use cudair_lane::pattern::ChunkPattern;
use cudair_lane::{CHUNK, MASK_WORDS};

/// Words of granules' bits: objects of up to sixteen kilobytes.
const WORDS: usize = 64;
/// Ownerships of an object in an interval.
const OWNERSHIPS: usize = 4;

/// A bit per granule.
#[derive(Clone, Debug)]
struct Bits([u64; WORDS]);

#[derive(Clone, Debug)]
struct Ownership {
    at: i64,
    step: u32,
    read: Bits,
    wrote: Bits,
}

/// The ownerships of an object in an interval.
#[derive(Clone, Debug)]
pub(crate) struct Ownerships {
    all: [Ownership; OWNERSHIPS],
    used: usize,
    /// Granules that several threads read, or that threads without an ownership do.
    many: Bits,
    /// Words in which there may be bits.
    words: usize,
}

impl Default for Ownerships {
    fn default() -> Ownerships {
        let none = Bits([0; WORDS]);
        let ownership = Ownership { at: 0, step: 0, read: none.clone(), wrote: none.clone() };
        Ownerships { all: std::array::from_fn(|_| ownership.clone()), used: 0, many: none, words: 0 }
    }
}

/// Granules of an ownership, or without one, as bits of two words.
#[derive(Clone, Copy)]
struct Touched {
    word: usize,
    bits: [u64; 2],
}

impl Ownerships {
    /// Forgets all.
    #[inline]
    pub fn clear(&mut self) {
        let words = self.words;
        for ownership in &mut self.all[..self.used] {
            ownership.read.0[..words].fill(0);
            ownership.wrote.0[..words].fill(0);
        }
        self.many.0[..words].fill(0);
        (self.used, self.words) = (0, 0);
    }

    /// Enters an access to an object of `size` bytes. False where it may conflict with one before, or where
    /// that is not told: then this is of no use any more in the interval.
    pub fn enter(&mut self, size: u64, acc: &RaceAccess) -> bool {
        let plain = acc.how.atomic.is_none() && acc.how.op != AccessOp::Atomic;
        if !plain || acc.width != 4 || size.div_ceil(4) > (WORDS * 64) as u64 {
            return false;
        }
        self.words = self.words.max((size.div_ceil(4) as usize).div_ceil(64));
        let writes = acc.how.op == AccessOp::Write;
        if let AddressPattern::Contiguous(off) = acc.spot {
            return self.enter_run(off, writes, acc);
        }
        (0..MASK_WORDS).all(|c| acc.mask.0[c] == 0 || self.enter_chunk(c, acc.mask.0[c], writes, acc))
    }

    /// The ownership, a new one if need be.
    #[inline]
    fn ownership(&mut self, at: i64, step: u32) -> Option<usize> {
        let known = self.all[..self.used].iter().position(|t| t.at == at && t.step == step);
        if known.is_none() && self.used < OWNERSHIPS {
            let ownership = &mut self.all[self.used];
            (ownership.at, ownership.step) = (at, step);
            self.used += 1;
            return Some(self.used - 1);
        }
        known
    }

    /// Lanes side by side.
    fn enter_run(&mut self, off: i64, writes: bool, acc: &RaceAccess) -> bool {
        if off % 4 != 0 {
            return false;
        }
        let Some(n) = self.ownership(off / 4 - i64::from(acc.first_thread), 1) else { return false };
        // Four chunks at a time.
        for (q, words) in acc.mask.0.chunks_exact(4).enumerate() {
            let lanes = words.iter().rev().fold(0, |w, &m| w << 16 | u64::from(m));
            if lanes == 0 {
                continue;
            }
            let first = off / 4 + q as i64 * 64;
            let touched = if first >= 0 { shifted(first as usize, lanes) } else { low(first, lanes) };
            if !touched.is_some_and(|t| self.touch(Some(n), t, writes)) {
                return false;
            }
        }
        true
    }

    fn enter_chunk(&mut self, c: usize, word: u16, writes: bool, acc: &RaceAccess) -> bool {
        let thread = i64::from(acc.first_thread) + (c * CHUNK) as i64;
        match acc.spot.chunk(c, 4) {
            ChunkPattern::Contiguous(off) => {
                let first = i64::from(off) / 4;
                let Some(n) = self.ownership(first - thread, 1).filter(|_| off % 4 == 0) else {
                    return false;
                };
                let lanes = u64::from(word);
                let touched = if first >= 0 { shifted(first as usize, lanes) } else { low(first, lanes) };
                touched.is_some_and(|t| self.touch(Some(n), t, writes))
            }
            ChunkPattern::Uniform(off) => {
                let one = word.is_power_of_two();
                let Some(touched) = shifted(off as usize / 4, 1).filter(|_| off % 4 == 0) else {
                    return false;
                };
                if !writes {
                    return self.touch(None, touched, false);
                }
                let lane = i64::from(word.trailing_zeros());
                // Any step would do for a single lane.
                let at = i64::from(off / 4) - thread - lane;
                one && self.ownership(at, 1).is_some_and(|n| self.touch(Some(n), touched, true))
            }
            ChunkPattern::Gather(offs) => {
                let Some((at, step)) = stride(offs, word) else { return false };
                let Some(n) = self.ownership(at - thread * i64::from(step), step) else { return false };
                // Bits of one word at a time.
                let mut touched = Touched { word: 0, bits: [0; 2] };
                let mut rest = word;
                while rest != 0 {
                    let granule = offs[rest.trailing_zeros() as usize & (CHUNK - 1)] as usize / 4;
                    rest &= rest - 1;
                    if granule / 64 != touched.word {
                        if !self.touch(Some(n), touched, writes) {
                            return false;
                        }
                        touched = Touched { word: granule / 64, bits: [0; 2] };
                    }
                    touched.bits[0] |= 1 << (granule % 64);
                }
                self.touch(Some(n), touched, writes)
            }
        }
    }

    /// Whether no other ownership meets these granules in a conflict; notes them.
    #[inline(always)]
    fn touch(&mut self, ownership: Option<usize>, t: Touched, writes: bool) -> bool {
        for (i, &bits) in t.bits.iter().enumerate() {
            if bits == 0 {
                continue;
            }
            let w = (t.word + i) & (WORDS - 1);
            let mut met = if writes { self.many.0[w] } else { 0 };
            for (n, other) in self.all[..self.used].iter().enumerate() {
                if ownership != Some(n) {
                    met |= other.wrote.0[w] | if writes { other.read.0[w] } else { 0 };
                }
            }
            if met & bits != 0 {
                return false;
            }
            match ownership {
                None => self.many.0[w] |= bits,
                Some(n) if writes => self.all[n].wrote.0[w] |= bits,
                Some(n) => self.all[n].read.0[w] |= bits,
            }
        }
        true
    }
}

/// Granules from `first` on, by lanes.
#[inline(always)]
fn shifted(first: usize, lanes: u64) -> Option<Touched> {
    let (word, shift) = (first / 64, first % 64);
    let over = if shift == 0 { 0 } else { lanes >> (64 - shift) };
    if word >= WORDS || over != 0 && word + 1 >= WORDS {
        return None;
    }
    Some(Touched { word, bits: [lanes << shift, over] })
}

/// [`shifted`] where the first lanes, which do not take part, would be before the object.
fn low(first: i64, lanes: u64) -> Option<Touched> {
    let before = u32::try_from(-first).ok().filter(|&n| n < 64 && lanes.trailing_zeros() >= n)?;
    Some(Touched { word: 0, bits: [lanes >> before, 0] })
}

/// The granule of lane 0 and the step of active lanes that are a fixed number of granules apart.
fn stride(offs: &[u32; CHUNK], word: u16) -> Option<(i64, u32)> {
    let first = word.trailing_zeros();
    let second = (word & (word - 1)).trailing_zeros();
    if second >= 16 {
        return None;
    }
    let start = offs[first as usize & (CHUNK - 1)];
    let apart = offs[second as usize & (CHUNK - 1)].checked_sub(start)?;
    let step = apart / (second - first);
    let zero = start.wrapping_sub(first.wrapping_mul(step));
    let mut differ = 0;
    for (i, &off) in offs.iter().enumerate() {
        let want = zero.wrapping_add(step.wrapping_mul(i as u32));
        differ |= (off ^ want) & 0u32.wrapping_sub(u32::from(word) >> i & 1);
    }
    // Offsets have 31 bits, and so there is no way around the circle for as few lanes.
    let fine =
        step != 0 && step < 1 << 16 && step.is_multiple_of(4) && start.is_multiple_of(4) && differ == 0;
    fine.then(|| (i64::from(start / 4) - i64::from(first) * i64::from(step / 4), step / 4))
}
