//! Zeroed slots for very small pieces, each at the place that its number says.
//!
//! Who has a number can look at the slot before it knows whether the piece is there, and need not wait for a table to say
//! where it is. A slot costs memory once its page is used, and keeps it.

#![allow(unsafe_code)]

use super::pages::map_small;
use super::slab::SLACK;

/// Slots, by number from 0 on. They are mapped when the first is asked for.
#[derive(Debug, Default)]
pub struct Numbered {
    /// The mapping, or 0.
    start: usize,
    /// The machine had no room for it.
    refused: bool,
}

/// Bytes of a slot.
pub const SLOT: usize = 32;
/// How many there are.
const SLOTS: usize = 1 << 21;
/// Around them there are [`SLACK`] bytes that may be read.
const MAPPED: usize = SLOTS * SLOT + 2 * SLACK;

impl Numbered {
    /// Slot `n`, of zeros until somebody writes it. None where there is none.
    #[inline]
    pub fn slot(&mut self, n: usize) -> Option<*mut u8> {
        if n >= SLOTS || self.start == 0 && !self.map() {
            return None;
        }
        Some((self.start + SLACK + n * SLOT) as *mut u8)
    }

    #[cold]
    fn map(&mut self) -> bool {
        if !self.refused {
            self.start = map_small(MAPPED, 4096).unwrap_or(0);
            self.refused = self.start == 0;
        }
        !self.refused
    }

    /// Where slot 0 would be; 0 where there are none.
    #[inline]
    pub fn base(&self) -> usize {
        if self.start == 0 { 0 } else { self.start + SLACK }
    }
}

impl Drop for Numbered {
    fn drop(&mut self) {
        if self.start != 0 {
            // SAFETY: the mapping is owned.
            unsafe { libc::munmap(self.start as *mut _, MAPPED) };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slots_are_where_their_numbers_say() {
        let mut slots = Numbered::default();
        assert_eq!(slots.base(), 0);
        for n in [1, 0, 7, SLOTS - 1] {
            let p = slots.slot(n).unwrap();
            assert_eq!(p as usize, slots.base() + n * SLOT);
            // SAFETY: a slot, and the slack around it.
            unsafe {
                assert_eq!(p.cast::<[u8; SLOT]>().read(), [0; SLOT]);
                p.write_bytes(0xff, SLOT);
                let _ = (p.sub(SLACK).read(), p.add(SLOT + SLACK - 1).read());
            }
        }
        assert_eq!(slots.slot(SLOTS), None);
    }
}
