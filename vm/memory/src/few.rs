//! Loads by few lanes of a strip, one after the other: where a handful of lanes is active, to find out how their
//! addresses lie costs more than to load.

#![allow(unsafe_code)]

use super::access::{Objects, watched};
use super::lanes::{Access, Addrs, LaneCx};
use super::raw::{Obj, Right, init_word, load_le};
use cudair_lane::pattern::Indexed;
use cudair_lane::ptr::Tag;
use cudair_lane::simd::{Kernel, dispatch};
use cudair_lane::{CHUNK, MASK_WORDS, Mask};
use cudair_race::grid::GridRaces;

/// Lanes up to which it is worth it in any case.
const HANDFUL: u32 = 12;
/// Lanes up to which it is worth it where they are apart.
const FEW: u32 = 40;

/// Chunks in a word of 64 lanes.
const CHUNKS: usize = 64 / CHUNK;

/// The lanes of four chunks as one word.
#[inline(always)]
fn lanes(mask: &Mask, n: usize) -> u64 {
    (0..CHUNKS).fold(0, |w, c| w | u64::from(mask.0[n * CHUNKS + c]) << (c * CHUNK))
}

struct LoadFew<'a> {
    obj: &'a Obj,
    limit: u64,
    at: &'a Indexed<'a>,
    out: &'a mut [u32],
}

impl LoadFew<'_> {
    /// Whether the lanes are few. Where they are in a row or at one place, as far as their ends tell, several are
    /// quicker at once.
    #[inline(always)]
    fn suits(&self, words: &[u64; MASK_WORDS / CHUNKS]) -> bool {
        let count: u32 = words.iter().map(|w| w.count_ones()).sum();
        if count <= HANDFUL || count > FEW {
            return count <= HANDFUL;
        }
        let (Some(first), Some(highest)) = (self.at.mask.lowest(), self.at.mask.highest()) else {
            return false;
        };
        let (Some(&low), Some(&high)) = (self.at.index.get(first), self.at.index.get(highest)) else {
            return false;
        };
        let apart = i64::from(high as i32) - i64::from(low as i32);
        let in_row = (highest - first) as i64 * i64::from(self.at.width);
        apart != 0 && apart * i64::from(self.at.scale) != in_row
    }

    #[inline(always)]
    fn load<const WIDTH: u8>(self, words: &[u64; MASK_WORDS / CHUNKS]) -> bool {
        let Indexed { index, scale, base, align_log2, .. } = *self.at;
        let Some(last) = self.limit.checked_sub(u64::from(WIDTH)) else { return false };
        let last = last.min(i32::MAX as u64);
        let (all, align) = ((1u32 << WIDTH) - 1, (1u64 << align_log2) - 1);
        for (n, &word) in words.iter().enumerate() {
            let mut rest = word;
            while rest != 0 {
                let lane = n * 64 + rest.trailing_zeros() as usize;
                rest &= rest - 1;
                let Some(&index) = index.get(lane) else { return false };
                // Exact: index and scale have 32 bits, the base less than 2^41. What is below 0 is beyond the limit.
                let off = (i64::from(index as i32) * i64::from(scale) + base) as u64;
                if off > last || off & align != 0 {
                    return false;
                }
                // SAFETY: the bytes from `off` on are below the limit, and so inside the object and its bitmap.
                let bits = unsafe {
                    if self.obj.has_bitmap() && init_word(self.obj.init, off as usize) & all != all {
                        return false;
                    }
                    load_le(self.obj.data.add(off as usize), WIDTH)
                };
                if WIDTH == 8 {
                    let Some(out) = self.out.get_mut(2 * lane..2 * lane + 2) else { return false };
                    out.copy_from_slice(&[bits as u32, (bits >> 32) as u32]);
                } else {
                    let Some(out) = self.out.get_mut(lane) else { return false };
                    *out = bits as u32;
                }
            }
        }
        true
    }
}

impl Kernel for LoadFew<'_> {
    type Out = bool;

    #[inline(always)]
    fn run<const AVX2: bool>(self) -> bool {
        let words = std::array::from_fn(|n| lanes(self.at.mask, n));
        if !self.suits(&words) {
            return false;
        }
        match self.at.width {
            1 => self.load::<1>(&words),
            2 => self.load::<2>(&words),
            4 => self.load::<4>(&words),
            8 => self.load::<8>(&words),
            _ => false,
        }
    }
}

impl Objects<'_> {
    /// Loads the values of few lanes from an object of the table on which nobody races, where all are allowed what they
    /// ask and find it initialised. False where that is not what it is; then some may have been loaded.
    #[inline(always)]
    pub(super) fn load_few(
        self,
        races: &GridRaces,
        cx: &LaneCx,
        addrs: &Addrs,
        acc: Access,
        out: &mut [u32],
    ) -> bool {
        let Addrs::Base32 { base: ptr, index, scale, disp } = *addrs else { return false };
        // Most often many lanes are active, those of the first chunk among them.
        if cx.mask.0[0] == u16::MAX || ptr.tag() != Tag::Table {
            return false;
        }
        let obj = self.table.obj(ptr.serial());
        let base = ptr.offset().saturating_add(disp);
        if watched(races, cx, obj, None, ptr).is_some() || base.unsigned_abs() > 1 << 40 {
            return false;
        }
        let at = Indexed { mask: cx.mask, index, scale, base, width: acc.width, align_log2: acc.align_log2 };
        dispatch(LoadFew { obj, limit: obj.limit(Right::new(cx.side, false)), at: &at, out })
    }
}
