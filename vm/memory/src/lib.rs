//! Guest memory: objects, the accesses of lanes and of native functions, and every check on them.
//!
//! Checks come in this order: null, lifetime, space, bounds, alignment, read-only, initialisation, race.
//! All have byte precision. The first five stop the program (see [`cudair_lane::fault::Stop`]); use of what was
//! never written and races are noted in [`cudair_report::Findings`], and the program goes on.
//!
//! The crate holds the race detectors and tells them of each access. It knows nothing of bytecode, the engine or
//! CUDA.
//! Begin with [`Memory`] and [`LaneCx`]; `access.rs` has the accesses of lanes, `bytes.rs` those of native functions.

// Every error is one of the faults listed above, or a limit.
#![allow(clippy::missing_errors_doc)]
#![allow(
    clippy::result_large_err,
    reason = "as everywhere in the machine: faults are rare and move by value"
)]

mod access;
mod atomic;
mod bytes;
mod check;
mod cluster;
mod compiled;
mod few;
mod host;
mod host_compiled;
mod kernels;
mod lanes;
pub mod late;
mod local;
mod origins;
mod quick;
mod raw;
mod refused;
mod share;
mod shared;
mod survey;
mod table;
mod threads;
mod undo;
mod what;

#[cfg(test)]
mod bench;
#[cfg(test)]
mod tests;

pub use cluster::ClusterMem;
pub use compiled::{Lanes, RawObject};
pub use host::HostFrame;
use host::HostFrames;
pub use host_compiled::{HostLocals, HostObjects, ObjectLayout};
pub use lanes::{Access, Addrs, AllocInfo, ByteAccess, InitState, LaneCx, Reach, SlotOffsets};
pub use local::{FrameId, FrameLayout, LocalFrames, SlotLayout};
pub use share::{Parted, Share};
pub use shared::{BlockMem, SharedLayout, SharedVar};
pub use threads::{SharedLog, SharedPages};
pub use undo::{GivenUp, Keep};

use cudair_ir::{AtomicOp, Space};
use cudair_lane::fault::{AccessOp, AllocKind, Fault, FaultKind, InvalidFree, Leak, Place, Stop};
use cudair_lane::ptr::{Ptr, Tag};
use cudair_lane::{StripShape, Values, pair};
use cudair_report::Findings;
use std::sync::Arc;
use table::Table;

/// An atomic operation on lanes.
#[derive(Clone, Copy, Debug)]
pub enum Atomic<'a> {
    /// An atomic load.
    Load,
    /// An atomic store of the values.
    Store(Values<'a>),
    /// Read, combine with the values, write; the result is the old value. For `fadd`, `fmin` and `fmax`
    /// on two bytes the type matters: `bf16` says which.
    Rmw {
        /// The operation.
        op: AtomicOp,
        /// The operands.
        values: Values<'a>,
        /// Two-byte floats are `bfloat16` and not `binary16`.
        bf16: bool,
        /// Somebody wants the old value.
        wanted: bool,
    },
    /// Compare and swap; the result is the old value.
    Cas {
        /// What is compared with.
        expected: Values<'a>,
        /// What is stored when equal.
        new: Values<'a>,
    },
}

/// Lengths of a copy or a fill.
#[derive(Clone, Copy, Debug)]
pub enum Lengths<'a> {
    /// All lanes the same.
    Uniform(u64),
    /// Two words per lane.
    Lanes(&'a [u32]),
}

impl Lengths<'_> {
    /// The length of one lane.
    #[inline]
    pub fn lane(&self, lane: usize) -> u64 {
        match *self {
            Lengths::Uniform(n) => n,
            Lengths::Lanes(words) => pair(words, lane),
        }
    }
}

/// All guest memory but shared and device-local variables.
#[derive(Debug, Default)]
pub struct Memory {
    /// The host's local variables.
    pub host: HostFrames,
    /// Warps run in lockstep: volatile accesses of one warp do not race.
    pub lockstep: bool,
    /// Races in shared memory are not looked for.
    pub unwatched: bool,
    /// The shared variables, by number in the layout, of which all accesses are proved free of races.
    pub proved_shared: Option<Arc<[bool]>>,
    /// Races in global memory.
    pub grid: cudair_race::grid::GridRaces,
    /// Races between operations of streams, and between them and the host.
    pub streams: cudair_race::streams::Streams,
    table: Table,
    /// Loads of the host whose values have not been used yet.
    late: late::LateLoads,
    /// The copies that carried bytes which were never written.
    origins: origins::Origins,
    /// What launches would have written that the device refused.
    refused: refused::Refused,
    /// What the running launch has changed, should it be taken back.
    undo: undo::UndoLog,
    limit: u64,
    used: u64,
    next_shared: u32,
    /// Blocks that ended, for the next ones.
    pool: Vec<BlockMem>,
    /// Room for addresses.
    scratch: Option<Box<access::Scratch>>,
}

/// A thread may take a part of the memory along: nothing in it is tied to the thread that made it.
const _: fn() = || {
    fn send<T: Send>() {}
    send::<Memory>();
    send::<BlockMem>();
    send::<ClusterMem>();
    send::<LocalFrames>();
    send::<Parted>();
    send::<Share>();
};

/// What an object costs besides its bytes, to the memory limit.
const OVERHEAD: u64 = 128;
/// Blocks kept for the next ones.
const POOL: usize = 8;

impl Memory {
    /// Empty memory that may grow to `limit` bytes.
    #[inline]
    pub fn new(limit: u64) -> Memory {
        Memory { limit, next_shared: 1, ..Memory::default() }
    }

    /// Makes an object. `align` is a power of two, at most what [`Ptr::CENTRE`] is a multiple of: all
    /// objects start at multiples of it. Addresses depend only on the calls made so far. [`Stop::Limit`] when
    /// the memory limit does not allow it.
    pub fn alloc(
        &mut self,
        space: Space,
        size: u64,
        align: u64,
        init: InitState,
        info: AllocInfo,
    ) -> Result<Ptr, Stop> {
        debug_assert!(align.is_power_of_two() && align <= Ptr::CENTRE);
        let full = || {
            Stop::limit(format!(
                "the program needs more than {} bytes of memory (`--memory-limit`)",
                self.limit
            ))
        };
        if !self.has_room(size.saturating_add(OVERHEAD)) {
            return Err(full());
        }
        let (ptr, before) = self.table.add(space, size, init, info).ok_or_else(full)?;
        self.note_added(ptr, before);
        self.used += size + OVERHEAD;
        Ok(ptr)
    }

    /// The size of the largest object that the limit leaves room for.
    #[inline]
    pub fn room(&self) -> u64 {
        self.limit.saturating_sub(self.used).saturating_sub(OVERHEAD)
    }

    fn has_room(&self, size: u64) -> bool {
        size <= self.limit.saturating_sub(self.used)
    }

    /// Whether a machine could have an object of `size` bytes: natives that may fail (`malloc`,
    /// `cudaMalloc`) ask first and fail as they do there. What a machine could have and the memory limit
    /// forbids is no failure of the program but [`Stop::Limit`], which [`Memory::alloc`] gives.
    #[inline]
    pub fn is_plausible(size: u64) -> bool {
        size <= Ptr::MAX_SIZE
    }

    /// Bytes held by live objects.
    #[inline]
    pub fn used(&self) -> u64 {
        self.used
    }

    /// Frees the allocation that starts at `ptr`, as the deallocator of `by` does (`free` is
    /// [`AllocKind::Malloc`], `delete` is [`AllocKind::New`], `cudaFree` is [`AllocKind::CudaMalloc`]).
    /// Freeing null does nothing.
    #[inline]
    pub fn free(&mut self, cx: &LaneCx, who: ByteAccess, ptr: Ptr, by: AllocKind) -> Result<(), Box<Fault>> {
        if ptr.is_null() {
            return Ok(());
        }
        match self.freeable(ptr, by) {
            Ok(index) => {
                self.used -= self.end_object(index, who.place) + OVERHEAD;
                Ok(())
            }
            Err(how) => Err(self.invalid_free(cx, who, ptr, how, by)),
        }
    }

    /// Whether [`Memory::free`] would free it, which somebody does later.
    ///
    /// # Errors
    /// Why it would not.
    pub fn check_free(
        &self,
        cx: &LaneCx,
        who: ByteAccess,
        ptr: Ptr,
        by: AllocKind,
    ) -> Result<(), Box<Fault>> {
        match self.freeable(ptr, by) {
            Ok(_) => Ok(()),
            Err(how) => Err(self.invalid_free(cx, who, ptr, how, by)),
        }
    }

    /// Whether `delete` may free an object of a class of `size` bytes: what `new` allocated there has as many
    /// ([new.delete.single] of C++). What may not be freed at all is [`Memory::free`]'s to tell.
    ///
    /// # Errors
    /// If the allocation has another size.
    pub fn check_deleted_size(
        &self,
        cx: &LaneCx,
        who: ByteAccess,
        ptr: Ptr,
        size: u64,
    ) -> Result<(), Box<Fault>> {
        let Ok(index) = self.freeable(ptr, AllocKind::New) else { return Ok(()) };
        if self.table.at(index).1.size() == size {
            return Ok(());
        }
        Err(self.invalid_free(cx, who, ptr, InvalidFree::WrongSize(size), AllocKind::New))
    }

    fn invalid_free(
        &self,
        cx: &LaneCx,
        who: ByteAccess,
        ptr: Ptr,
        how: InvalidFree,
        by: AllocKind,
    ) -> Box<Fault> {
        let kind = FaultKind::InvalidFree { how, by };
        let mut fault = self.access_fault(cx, kind, who, ptr, AccessOp::Write, 0);
        fault.access = None;
        Box::new(fault)
    }

    /// The object that a deallocator may free.
    fn freeable(&self, ptr: Ptr, by: AllocKind) -> Result<usize, InvalidFree> {
        let index = match ptr.tag() {
            Tag::Table | Tag::Huge => self.table.index(ptr).ok_or(InvalidFree::Wild)?,
            Tag::Invalid => return Err(InvalidFree::Wild),
            _ => return Err(InvalidFree::NotAllocated),
        };
        let (_, cold) = self.table.at(index);
        let kind = cold.kind();
        if kind.deallocator().is_none() {
            return Err(InvalidFree::NotAllocated);
        }
        if !cold.is_alive() {
            return Err(InvalidFree::Twice);
        }
        // `cudaFree` serves managed memory too; otherwise each to its own.
        let fits = kind.family() == by || by == AllocKind::CudaMalloc && kind == AllocKind::CudaManaged;
        if !fits {
            return Err(InvalidFree::WrongAllocator);
        }
        if ptr.offset() != 0 {
            return Err(InvalidFree::Inside);
        }
        Ok(index)
    }

    /// Ends the life of an object that the machine made (launch arguments), without checks.
    #[inline]
    pub fn drop_object(&mut self, ptr: Ptr) {
        if let Some(index) = self.table.index(ptr)
            && self.table.at(index).1.is_alive()
        {
            self.used -= self.end_object(index, Place::Unknown) + OVERHEAD;
        }
    }

    /// Makes an object read-only for the program (constants are made so by their space on the device;
    /// this is for literals and `const` statics of the host).
    #[inline]
    pub fn set_read_only(&mut self, ptr: Ptr) {
        if let Some(index) = self.table.index(ptr) {
            self.table.set_read_only(index);
        }
    }

    /// Memory of a graph is allocated or freed, which is where that is known.
    #[inline]
    pub fn set_dormant(&mut self, ptr: Ptr, dormant: bool, ended: Place) {
        if let Some(index) = self.table.index(ptr) {
            self.table.set_dormant(index, dormant, ended);
        }
    }

    /// The race detector watches what the host does with an object of its own while operations are under way, since one
    /// of them uses it.
    pub fn watch(&mut self, ptr: Ptr) {
        if let Some(index) = self.table.index(ptr) {
            self.table.watch(index);
        }
    }

    /// Lets the device use a host object (`cudaHostAlloc` and `cudaHostRegister` with mapping), or no more.
    #[inline]
    pub fn set_mapped(&mut self, ptr: Ptr, mapped: bool) {
        if let Some(index) = self.table.index(ptr) {
            self.table.set_mapped(index, mapped);
        }
    }

    /// Allocations that were never freed, in order of allocation.
    #[inline]
    pub fn leaks(&self) -> Vec<Leak> {
        self.table.leaks()
    }

    /// Start, size, space and maker of the live object of the object table that `ptr` points into: for
    /// `cudaPointerGetAttributes`, `realloc`, `cudaMemcpyDefault`.
    #[inline]
    pub fn lookup(&self, ptr: Ptr) -> Option<(Ptr, u64, Space, AllocKind)> {
        let (_, cold) = self.table.at(self.table.index(ptr)?);
        cold.is_alive().then(|| (cold.ptr(), cold.size(), cold.space(), cold.kind()))
    }

    /// So many bytes of a live object of the object table, nothing for those never written: for those who show memory. Nothing
    /// at all where the object does not have so many behind `ptr`.
    pub fn peek(&self, ptr: Ptr, bytes: u64) -> Option<Vec<Option<u8>>> {
        let (obj, cold) = self.table.at(self.table.index(ptr)?);
        let from = usize::try_from(ptr.offset()).ok()?;
        let to = from.checked_add(usize::try_from(bytes).ok()?)?;
        if !cold.is_alive() || to as u64 > obj.size() {
            return None;
        }
        let mut data = vec![0; to - from];
        obj.read(from as u64, &mut data);
        let known = |(n, byte): (usize, u8)| (obj.init_bits((from + n) as i64, 1) & 1 != 0).then_some(byte);
        Some(data.into_iter().enumerate().map(known).collect())
    }

    /// An operation of a stream is about to run.
    #[inline]
    pub fn begin_operation(&mut self, op: u64) {
        self.grid.touches = self.streams.start(op).map(Box::new);
    }

    /// It has run; where it was a fill, all that it wrote was this byte.
    #[inline]
    pub fn end_operation(&mut self, filled: Option<u8>) {
        let mut touches = self.grid.touches.take();
        if let (Some(touches), Some(byte)) = (&mut touches, filled) {
            touches.wrote(byte);
        }
        self.streams.end(touches.map(|t| *t));
    }

    /// An operation makes or frees memory: to the race detector as if it wrote all of it.
    #[inline]
    pub fn wholly_written(&mut self, place: Place, ptr: Ptr) {
        if let (Some(index), Some(touches)) = (self.table.index(ptr), &mut self.grid.touches) {
            let size = self.table.at(index).0.size();
            let how = cudair_lane::How { place, op: AccessOp::Write, atomic: None, volatile: false };
            if size < Ptr::HUGE_SIZE {
                touches.bytes(index as u32, how, 0, size as u32);
            }
        }
    }

    /// While operations are under way, the host's accesses to what they may touch take the slow path.
    #[inline]
    pub fn guard(&mut self) {
        let busy = self.streams.is_busy();
        self.table.guard(busy);
    }

    /// Whether the host may access an object, by its number in the table.
    #[inline]
    pub fn is_for_host(&self, obj: u32) -> bool {
        (obj < self.table.len()) && self.table.at(obj as usize).1.reachable().0
    }

    /// What is known of an object by its number in the table.
    #[inline]
    pub fn info_of(&self, obj: u32) -> cudair_lane::fault::ObjectInfo {
        self.table.at(obj as usize).1.info()
    }

    // Blocks.

    /// The shared memory of a block that starts: each variable of `layout` its own uninitialised object,
    /// the dynamic one `dynamic` bytes long.
    pub fn begin_block(
        &mut self,
        layout: &Arc<SharedLayout>,
        dynamic: u64,
        shape: &StripShape,
    ) -> Result<BlockMem, Stop> {
        let found = self.pool.iter().position(|b| b.suits(layout, dynamic));
        let mut block = match found {
            Some(n) => self.pool.swap_remove(n),
            None => BlockMem::new(layout, dynamic)?,
        };
        if self.next_shared.saturating_add(block.len()) >= Ptr::SERIALS {
            self.next_shared = 1;
        }
        block.begin(self.next_shared, shape, self.lockstep, self.unwatched);
        if let Some(proved) = &self.proved_shared {
            block.parts().1.take_as_proved(proved);
        }
        self.observe(&mut block, shape.block_index);
        self.next_shared += block.len();
        Ok(block)
    }

    /// The end of a block, however it came: races of its last interval go to `findings`, its memory comes
    /// back.
    #[inline]
    pub fn end_block(&mut self, mut block: BlockMem, findings: &mut Findings) {
        block.end(findings);
        let (index, deferred) = block.parts().1.deferred();
        self.grid.end_block(index, deferred);
        if self.pool.len() >= POOL {
            self.pool.remove(0);
        }
        self.pool.push(block);
    }
}
