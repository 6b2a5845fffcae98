//! Guest memory: objects, the accesses of lanes and of native functions, and every check on them.
//!
//! Checks come in this order: null, lifetime, space, bounds, alignment, read-only, initialisation, race.
//! All have byte precision. The first five stop the program (see [`crate::fault::Stop`]); use of what was
//! never written and races are noted in [`crate::report::Findings`], and the program goes on.

mod host;
mod lanes;
mod local;
mod mask;
mod shared;

pub use host::{HostFrame, HostFrames};
pub use lanes::{
    Access, Addrs, AllocInfo, ByteAccess, InitState, LaneCx, Leak, MemSide, Reach, SlotOffsets, StripShape,
    Values, pair, thread_coord,
};
pub use local::{FrameId, FrameLayout, LocalFrames, SlotLayout};
pub use mask::{CHUNK, MASK_WORDS, MAX_LANES, Mask};
pub use shared::{BlockMem, SharedLayout, SharedVar};

use crate::fault::{AllocKind, Fault, ObjectInfo, Place, SiteRef, Stop};
use crate::ptr::Ptr;
use crate::report::Findings;
use cudair_ir::{AtomicOp, MemOrder, Scope, Space};
use std::sync::Arc;

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
pub enum Lens<'a> {
    /// All lanes the same.
    Uniform(u64),
    /// Two words per lane.
    Lanes(&'a [u32]),
}

impl Lens<'_> {
    /// The length of one lane.
    pub fn lane(&self, lane: usize) -> u64 {
        match *self {
            Lens::Uniform(n) => n,
            Lens::Lanes(words) => pair(words, lane),
        }
    }
}

/// All guest memory but shared and device-local variables.
#[derive(Debug)]
pub struct Memory {
    /// The host's local variables.
    pub host: HostFrames,
    limit: u64,
    used: u64,
}

fn not_ready<T>() -> Result<T, Stop> {
    Err(Stop::internal("guest memory is not ready"))
}

impl Memory {
    /// Empty memory that may grow to `limit` bytes.
    pub fn new(limit: u64) -> Memory {
        Memory { host: HostFrames::default(), limit, used: 0 }
    }

    /// Makes an object. `align` is a power of two. Addresses depend only on the calls made so far.
    /// [`Stop::Limit`] when the memory limit does not allow it.
    pub fn alloc(
        &mut self,
        _space: Space,
        _size: u64,
        _align: u64,
        _init: InitState,
        _info: AllocInfo,
    ) -> Result<Ptr, Stop> {
        not_ready()
    }

    /// Whether `size` more bytes stay within the memory limit: natives that may fail (`malloc`,
    /// `cudaMalloc`) ask first.
    pub fn has_room(&self, size: u64) -> bool {
        size <= self.limit.saturating_sub(self.used)
    }

    /// Bytes held by live objects.
    pub fn used(&self) -> u64 {
        self.used
    }

    /// Frees the allocation that starts at `ptr`, as the deallocator of `by` does (`free` is
    /// [`AllocKind::Malloc`], `delete` is [`AllocKind::New`], `cudaFree` is [`AllocKind::CudaMalloc`]).
    /// Freeing null does nothing.
    pub fn free(&mut self, _cx: &LaneCx, _who: ByteAccess, _ptr: Ptr, _by: AllocKind) -> Result<(), Stop> {
        not_ready()
    }

    /// Ends the life of an object that the machine made (launch arguments), without checks.
    pub fn drop_object(&mut self, _ptr: Ptr) {}

    /// Makes an object read-only for the program (constants are made so by their space on the device;
    /// this is for literals and `const` statics of the host).
    pub fn set_read_only(&mut self, _ptr: Ptr) {}

    /// Lets the device use a host object (`cudaHostAlloc` and `cudaHostRegister` with mapping), or no more.
    pub fn set_mapped(&mut self, _ptr: Ptr, _mapped: bool) {}

    /// Allocations that were never freed, in order of allocation.
    pub fn leaks(&self) -> Vec<Leak> {
        Vec::new()
    }

    /// What is known of the object that `ptr` points into, alive or dead.
    pub fn object_info(&self, _cx: &LaneCx, _ptr: Ptr) -> Option<ObjectInfo> {
        None
    }

    /// Start, size and space of the live object of the object table that `ptr` points into: for
    /// `cudaPointerGetAttributes`, `realloc`, `cudaMemcpyDefault`.
    pub fn lookup(&self, _ptr: Ptr) -> Option<(Ptr, u64, Space, AllocKind)> {
        None
    }

    // Lane accesses.

    /// Loads a value per active lane into `out` (see [`lanes`] for its shape).
    pub fn load_lanes(
        &mut self,
        _cx: &mut LaneCx,
        _addrs: &Addrs,
        _acc: Access,
        _out: &mut [u32],
    ) -> Result<(), Stop> {
        not_ready()
    }

    /// Loads one value for all active lanes, each of which is a reader to the race detector.
    pub fn load_uniform(&mut self, _cx: &mut LaneCx, _ptr: Ptr, _acc: Access) -> Result<u128, Stop> {
        not_ready()
    }

    /// Stores a value per active lane, in lane order. With `init`, only the bytes whose bit is set in the
    /// lane's word become initialised and the others uninitialised: a copy's store.
    pub fn store_lanes(
        &mut self,
        _cx: &mut LaneCx,
        _addrs: &Addrs,
        _acc: Access,
        _values: Values,
        _init: Option<&[u16]>,
    ) -> Result<(), Stop> {
        not_ready()
    }

    /// Which bytes of an access are initialised, a bit per byte and a word per lane. No other check and
    /// no trace: it goes with a load whose [`Access::copy`] is set.
    pub fn init_lanes(&mut self, _cx: &mut LaneCx, _addrs: &Addrs, _acc: Access, _out: &mut [u16]) {}

    /// Does an atomic operation for each active lane, in lane order; `out` receives the old values (it may
    /// be empty for a store).
    pub fn atomic_lanes(
        &mut self,
        _cx: &mut LaneCx,
        _addrs: &Addrs,
        _acc: Access,
        _atomic: Atomic,
        _order: MemOrder,
        _scope: Scope,
        _out: &mut [u32],
    ) -> Result<(), Stop> {
        not_ready()
    }

    /// Copies bytes with their initialisation for each active lane, as `memmove` does.
    pub fn copy_lanes(
        &mut self,
        _cx: &mut LaneCx,
        _dst: &Addrs,
        _src: &Addrs,
        _len: Lens,
        _align_log2: u8,
        _sites: (SiteRef, SiteRef),
    ) -> Result<(), Stop> {
        not_ready()
    }

    /// Fills bytes for each active lane.
    pub fn fill_lanes(
        &mut self,
        _cx: &mut LaneCx,
        _dst: &Addrs,
        _byte: Values,
        _len: Lens,
        _align_log2: u8,
        _site: SiteRef,
    ) -> Result<(), Stop> {
        not_ready()
    }

    // Local variables of device threads, without pointers.

    /// [`Memory::load_lanes`] from a local variable.
    pub fn load_slot(
        &mut self,
        _cx: &mut LaneCx,
        _frame: FrameId,
        _slot: u32,
        _offs: SlotOffsets,
        _acc: Access,
        _out: &mut [u32],
    ) -> Result<(), Stop> {
        not_ready()
    }

    /// [`Memory::store_lanes`] to a local variable.
    pub fn store_slot(
        &mut self,
        _cx: &mut LaneCx,
        _frame: FrameId,
        _slot: u32,
        _offs: SlotOffsets,
        _acc: Access,
        _values: Values,
        _init: Option<&[u16]>,
    ) -> Result<(), Stop> {
        not_ready()
    }

    // The host's one lane, by the shortest way.

    /// Loads up to eight bytes for the host.
    #[inline]
    pub fn host_load(&mut self, _ptr: Ptr, _acc: Access, _findings: &mut Findings) -> Result<u64, Stop> {
        not_ready()
    }

    /// Loads up to sixteen bytes for the host.
    pub fn host_load_wide(
        &mut self,
        _ptr: Ptr,
        _acc: Access,
        _findings: &mut Findings,
    ) -> Result<u128, Stop> {
        not_ready()
    }

    /// Stores up to eight bytes for the host.
    #[inline]
    pub fn host_store(&mut self, _ptr: Ptr, _acc: Access, _bits: u64) -> Result<(), Stop> {
        not_ready()
    }

    /// Stores up to sixteen bytes for the host.
    pub fn host_store_wide(&mut self, _ptr: Ptr, _acc: Access, _bits: u128) -> Result<(), Stop> {
        not_ready()
    }

    /// Which bytes are initialised, a bit each; goes with a load whose [`Access::copy`] is set.
    pub fn host_init(&mut self, _ptr: Ptr, _width: u8) -> u16 {
        0
    }

    /// After a copy's store: which bytes of it are initialised.
    pub fn host_set_init(&mut self, _ptr: Ptr, _width: u8, _bits: u16) {}

    /// Loads up to eight bytes of a local variable of the host.
    #[inline]
    pub fn host_load_slot(
        &mut self,
        _frame: HostFrame,
        _slot: u32,
        _offset: i64,
        _acc: Access,
        _findings: &mut Findings,
    ) -> Result<u64, Stop> {
        not_ready()
    }

    /// Stores up to eight bytes to a local variable of the host.
    #[inline]
    pub fn host_store_slot(
        &mut self,
        _frame: HostFrame,
        _slot: u32,
        _offset: i64,
        _acc: Access,
        _bits: u64,
    ) -> Result<(), Stop> {
        not_ready()
    }

    // Native functions.

    /// The bytes at `ptr`, as a use of them: what was never written is noted.
    pub fn read(
        &mut self,
        _cx: &mut LaneCx,
        _who: ByteAccess,
        _ptr: Ptr,
        _len: u64,
    ) -> Result<Vec<u8>, Stop> {
        not_ready()
    }

    /// [`Memory::read`] into a buffer.
    pub fn read_into(
        &mut self,
        _cx: &mut LaneCx,
        _who: ByteAccess,
        _ptr: Ptr,
        _out: &mut [u8],
    ) -> Result<(), Stop> {
        not_ready()
    }

    /// The bytes of a string up to its NUL, which is not included, and at most `max` of them.
    pub fn read_cstr(
        &mut self,
        _cx: &mut LaneCx,
        _who: ByteAccess,
        _ptr: Ptr,
        _max: Option<u64>,
    ) -> Result<Vec<u8>, Stop> {
        not_ready()
    }

    /// Writes bytes.
    pub fn write(
        &mut self,
        _cx: &mut LaneCx,
        _who: ByteAccess,
        _ptr: Ptr,
        _bytes: &[u8],
    ) -> Result<(), Stop> {
        not_ready()
    }

    /// Fills bytes.
    pub fn fill(
        &mut self,
        _cx: &mut LaneCx,
        _who: ByteAccess,
        _ptr: Ptr,
        _byte: u8,
        _len: u64,
    ) -> Result<(), Stop> {
        not_ready()
    }

    /// Copies bytes with their initialisation, as `memmove` does.
    pub fn copy(
        &mut self,
        cx: &mut LaneCx,
        who: ByteAccess,
        dst: Ptr,
        src: Ptr,
        len: u64,
    ) -> Result<(), Stop> {
        self.copy_between(cx, who, (dst, Reach::Own), (src, Reach::Own), len)
    }

    /// [`Memory::copy`] where each end may lie on either side: what `cudaMemcpy` does.
    pub fn copy_between(
        &mut self,
        _cx: &mut LaneCx,
        _who: ByteAccess,
        _dst: (Ptr, Reach),
        _src: (Ptr, Reach),
        _len: u64,
    ) -> Result<(), Stop> {
        not_ready()
    }

    /// Whether the `len` bytes at `ptr` are one live object's that `reach` allows, for natives that answer
    /// with an error code instead of a fault.
    pub fn check(
        &mut self,
        _cx: &mut LaneCx,
        _who: ByteAccess,
        _ptr: Ptr,
        _reach: Reach,
        _len: u64,
        _writes: bool,
    ) -> Result<(), Box<Fault>> {
        Ok(())
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
        let _ = (layout, dynamic, shape);
        not_ready()
    }

    /// The end of a block: races of its last interval go to `findings`, its memory comes back.
    pub fn end_block(&mut self, block: BlockMem, findings: &mut Findings) {
        let _ = (block, findings);
    }
}

/// The place of a site, for lane accesses.
#[allow(dead_code)]
fn place_of(site: SiteRef) -> Place {
    Place::Site(site)
}
