//! Where the lanes of an access lie in an object of which they may touch a part.

use super::raw::{Obj, Right};
use cudair_lane::pattern::{AddressPattern, Surveyed};

/// [`cudair_lane::pattern::survey`] of an access of all lanes at one offset.
#[inline]
pub(super) fn survey_one<'p>(
    obj: &Obj,
    right: Right,
    off: i64,
    width: u8,
    align_log2: u8,
) -> Option<Surveyed<'p>> {
    let misaligned = off & ((1 << align_log2) - 1) != 0;
    if misaligned || off > i64::from(i32::MAX) || !obj.fits(right, off, width.into()) {
        return None;
    }
    let low = off as u64;
    Some(Surveyed { spot: AddressPattern::Uniform(off as u32), low, end: low + u64::from(width) })
}
