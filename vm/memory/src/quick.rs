//! The host's accesses in the usual case: one lane, a natural alignment, an object of the object table or a
//! local variable whose address was used lately, all bytes initialised. Whatever else there is, they
//! refuse, without having done anything, and the general accesses decide.

use super::raw::Obj;
use super::{HostFrame, Memory};
use cudair_lane::ptr::{Ptr, Tag};

impl Memory {
    /// The object of an id, or one that refuses.
    #[inline(always)]
    fn quick_object(&self, id: u32) -> &Obj {
        // Ids with a tag are beyond the end of the table.
        match self.table.get(id) {
            Some(obj) => obj,
            None => self.host.recent(id),
        }
    }

    /// After an access that was refused: the next one to the same object may be the usual case.
    #[inline]
    pub fn quick_again(&mut self, ptr: Ptr) {
        if ptr.tag() == Tag::HostLocal {
            self.host.remember(ptr);
        }
    }

    /// Loads `W` bytes at `delta` bytes from `base`, if this is the usual case. `delta` is below 2^62.
    #[inline(always)]
    pub fn quick_load<const W: u32>(&self, base: u64, delta: i64) -> Option<u64> {
        let off = (base & 0xffff_ffff) as i64 - Ptr::CENTRE as i64 + delta;
        self.quick_object((base >> 32) as u32).load_quick::<W>(off)
    }

    /// Stores `W` bytes at `delta` bytes from `base`, if this is the usual case. `delta` is below 2^62.
    #[inline(always)]
    pub fn quick_store<const W: u32>(&self, base: u64, delta: i64, bits: u64) -> bool {
        let off = (base & 0xffff_ffff) as i64 - Ptr::CENTRE as i64 + delta;
        self.quick_object((base >> 32) as u32).store_quick::<W>(off, bits)
    }

    /// Loads `W` bytes of a local variable.
    #[inline(always)]
    pub fn quick_load_slot<const W: u32>(&self, frame: HostFrame, slot: u16, off: i64) -> Option<u64> {
        self.host.by_slot(frame, slot.into()).load_quick::<W>(off)
    }

    /// Stores `W` bytes to a local variable.
    #[inline(always)]
    pub fn quick_store_slot<const W: u32>(&self, frame: HostFrame, slot: u16, off: i64, bits: u64) -> bool {
        self.host.by_slot(frame, slot.into()).store_quick::<W>(off, bits)
    }
}
