//! Objects as compiled code sees them: where their bytes are, and what it has to ask for.

use super::Memory;
use super::raw::Right;
use cudair_lane::fault::{AccessOp, Place};
use cudair_lane::pattern::AddressPattern;
use cudair_lane::ptr::{Ptr, Tag};
use cudair_lane::{How, Mask, StripShape};
use cudair_race::RaceAccess;

/// An object of the table, for the device.
#[derive(Clone, Copy, Debug)]
pub struct RawObject {
    /// Its number in the table.
    pub number: u32,
    /// Its bytes.
    pub data: *mut u8,
    /// A bit of initialisation per byte; null where all is initialised.
    pub init: *mut u8,
    /// Bytes.
    pub size: u64,
    /// Whether the device may read it.
    pub reads: bool,
    /// Whether the device may write it.
    pub writes: bool,
    /// Whether the host may read it.
    pub host_reads: bool,
}

/// How many threads of compiled code make an access, and where.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Lanes {
    /// One.
    One,
    /// Eight in a row, side by side.
    Side,
    /// Eight in a row, at one place.
    Same,
}

impl Memory {
    /// The object that a pointer names, where it is one of the table and below two gigabytes. It stays as it is until the
    /// next call that may change the table or give the object bits of initialisation.
    pub fn raw_object(&self, ptr: Ptr) -> Option<RawObject> {
        let number = (ptr.tag() == Tag::Table).then(|| ptr.serial())?;
        let obj = self.table.get(number)?;
        Some(RawObject {
            number,
            data: obj.data,
            init: obj.init,
            size: obj.size(),
            reads: obj.limit(Right::DeviceRead) != 0,
            writes: obj.limit(Right::DeviceWrite) != 0,
            host_reads: obj.limit(Right::HostRead) != 0,
        })
    }

    /// A bit for each page of an object that is in the undo log; nothing where nothing of the object is kept.
    pub fn saved_pages(&mut self, number: u32) -> Option<*mut u64> {
        let size = self.table.get(number)?.size();
        self.undo.saved_pages(number, size)
    }

    /// Bytes of an object, which lie inside, are about to be written. Whether the undo log has them now.
    pub fn save_pages(&mut self, number: u32, from: u64, len: u64) -> bool {
        let Some(obj) = self.table.get(number) else { return false };
        self.undo.before_write_at((number, obj.size()), from, len, |from, len| obj.page_kept(from, len));
        self.undo.is_kept()
    }

    /// Threads of compiled code, from a first one on, access so many bytes each of an object, which lie inside. Whether nothing
    /// is suspected.
    pub fn compare_compiled(
        &mut self,
        shape: &StripShape,
        (number, shift): (u32, u32),
        (from, width): (u32, u32),
        op: AccessOp,
        (thread, lanes): (u32, Lanes),
    ) -> bool {
        let Some(obj) = self.table.get(number) else { return false };
        if lanes == Lanes::Side && width == 1 << shift && op != AccessOp::Atomic {
            let writes = op == AccessOp::Write;
            let suits = from.is_multiple_of(width);
            return suits
                && self.grid.side_by_side_compiled(
                    (number, shift),
                    (from >> shift) as usize,
                    writes,
                    thread,
                );
        }
        let mask = if lanes == Lanes::One { Mask::single(0) } else { (0..8).collect() };
        let atomic = (op == AccessOp::Atomic).then_some(cudair_ir::Scope::Device);
        let how = How { place: Place::Unknown, op, atomic, volatile: false };
        let acc = RaceAccess {
            how,
            obj: number,
            width,
            mask: &mask,
            first_thread: thread,
            spot: match lanes {
                Lanes::Side => AddressPattern::Contiguous(from.into()),
                Lanes::One | Lanes::Same => AddressPattern::Uniform(from),
            },
            values: None,
            failed: None,
        };
        self.grid.access_compiled(shape, (obj.size(), shift), &acc)
    }
}
