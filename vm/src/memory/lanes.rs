//! What a lane access is made of: who accesses ([`LaneCx`]), where ([`Addrs`]), how ([`Access`]), and the
//! shape of results and operands.
//!
//! **Values of lanes** are slices of 32-bit words in lane order: one word per lane for widths up to four
//! bytes (zero-extended), two words (low, high) for eight bytes, four for sixteen. A register plane of the
//! engine is such a slice. Lanes outside the mask are neither read nor written.

use super::{BlockMem, LocalFrames, Mask};
use crate::fault::{LaunchRef, Place, SiteRef};
use crate::ptr::Ptr;
use crate::report::Findings;
use cudair_ir::{Loc, ThreadCoord};

/// On which side code runs.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum MemSide {
    /// The host.
    Host = 0,
    /// The device.
    Device = 1,
}

/// Where the lanes of a strip stand in their launch.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct StripShape {
    /// `blockIdx`.
    pub block_index: [u32; 3],
    /// `blockDim`.
    pub block_dim: [u32; 3],
    /// The linear thread index, within the block, of lane 0.
    pub first_thread: u32,
    /// Lanes of the strip.
    pub lanes: u32,
    /// The launch; absent on the host.
    pub launch: Option<LaunchRef>,
}

impl StripShape {
    /// The host: one lane, no launch.
    pub const HOST: StripShape =
        StripShape { block_index: [0; 3], block_dim: [1; 3], first_thread: 0, lanes: 1, launch: None };

    /// The thread of a lane.
    pub fn thread(&self, lane: usize) -> ThreadCoord {
        thread_coord(self.block_index, self.block_dim, self.first_thread + lane as u32)
    }
}

/// The coordinates of the thread with a linear index in its block.
pub fn thread_coord(block: [u32; 3], dim: [u32; 3], linear: u32) -> ThreadCoord {
    let (x, y) = (dim[0].max(1), dim[1].max(1));
    ThreadCoord { block, thread: [linear % x, linear / x % y, linear / x / y] }
}

/// The index of the block of this linear number in a grid.
pub fn block_index(grid: [u32; 3], linear: u64) -> [u32; 3] {
    let [gx, gy, _] = grid.map(|n| u64::from(n.max(1)));
    [(linear % gx) as u32, (linear / gx % gy) as u32, (linear / gx / gy) as u32]
}

/// Who accesses memory: the active lanes of a fragment, or the host.
pub struct LaneCx<'a> {
    /// The side.
    pub side: MemSide,
    /// The active lanes.
    pub mask: &'a Mask,
    /// The block's shared memory; absent on the host.
    pub block: Option<&'a mut BlockMem>,
    /// The strip's local memory; absent on the host, whose frames [`super::Memory::host`] holds.
    pub locals: Option<&'a mut LocalFrames>,
    /// Where the lanes stand.
    pub shape: &'a StripShape,
    /// Where faults go that do not stop the program.
    pub findings: &'a mut Findings,
}

impl<'a> LaneCx<'a> {
    /// The host.
    pub fn host(findings: &'a mut Findings) -> LaneCx<'a> {
        LaneCx {
            side: MemSide::Host,
            mask: &Mask::ONE,
            block: None,
            locals: None,
            shape: &StripShape::HOST,
            findings,
        }
    }

    /// The same for some of the lanes.
    pub(crate) fn narrowed<'b>(&'b mut self, mask: &'b Mask) -> LaneCx<'b> {
        LaneCx {
            side: self.side,
            mask,
            block: self.block.as_deref_mut(),
            locals: self.locals.as_deref_mut(),
            shape: self.shape,
            findings: &mut *self.findings,
        }
    }

    /// The thread of a lane; absent on the host.
    pub fn thread(&self, lane: usize) -> Option<ThreadCoord> {
        (self.side == MemSide::Device).then(|| self.shape.thread(lane))
    }
}

/// How an access is made.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Access {
    /// Bytes: 1, 2, 4, 8 or 16 (10 for `f80`, as scalars only).
    pub width: u8,
    /// The alignment that is demanded, as a power of two.
    pub align_log2: u8,
    /// Whether it is volatile.
    pub volatile: bool,
    /// Of a load: it only feeds a store of the same width, so that uninitialised bytes are no fault. The
    /// store takes its initialisation from [`super::Memory::init_lanes`].
    pub copy: bool,
    /// Of a load: its value is used on some of the ways behind it only, so that bytes that were not written are
    /// remembered in [`super::late::LateLoads`] for this depth of calls. 0 for all others.
    pub late: u16,
    /// The site.
    pub site: SiteRef,
}

/// The addresses of a lane access.
#[derive(Clone, Copy, Debug)]
pub enum Addrs<'a> {
    /// All active lanes the same.
    Uniform(Ptr),
    /// `base + index * scale + disp` with 32-bit signed indices, one per lane.
    Base32 {
        /// The object.
        base: Ptr,
        /// Sign-extended.
        index: &'a [u32],
        /// Bytes per index step.
        scale: i32,
        /// Bytes added.
        disp: i64,
    },
    /// `base + index * scale + disp` with 64-bit indices, two words per lane.
    Base64 {
        /// The object.
        base: Ptr,
        /// Low and high word per lane.
        index: &'a [u32],
        /// Bytes per index step.
        scale: i32,
        /// Bytes added.
        disp: i64,
    },
    /// A pointer per lane (two words, low and high), and bytes added.
    Full {
        /// Low and high word per lane.
        ptrs: &'a [u32],
        /// Bytes added to each.
        disp: i64,
    },
    /// `ptrs + index * scale + disp`, both per lane: a pointer (two words) and a 32-bit signed index.
    Full32 {
        /// Low and high word per lane.
        ptrs: &'a [u32],
        /// Sign-extended.
        index: &'a [u32],
        /// Bytes per index step.
        scale: i32,
        /// Bytes added.
        disp: i64,
    },
}

impl Addrs<'_> {
    /// The address of one lane.
    #[inline(always)]
    pub fn lane(&self, lane: usize) -> Ptr {
        match *self {
            Addrs::Uniform(p) => p,
            Addrs::Base32 { base, index, scale, disp } => {
                base.add((index[lane] as i32 as i64).wrapping_mul(scale as i64).wrapping_add(disp))
            }
            Addrs::Base64 { base, index, scale, disp } => {
                base.add((pair(index, lane) as i64).saturating_mul(scale as i64).saturating_add(disp))
            }
            Addrs::Full { ptrs, disp } => Ptr(pair(ptrs, lane)).add(disp),
            Addrs::Full32 { ptrs, index, scale, disp } => Ptr(pair(ptrs, lane))
                .add((index[lane] as i32 as i64).wrapping_mul(scale as i64).wrapping_add(disp)),
        }
    }
}

impl Addrs<'_> {
    /// Does something with the address of each lane of `mask`, in order.
    #[inline(always)]
    pub(crate) fn each(&self, mask: &Mask, mut f: impl FnMut(Ptr)) {
        match self {
            Addrs::Uniform(p) => f(*p),
            Addrs::Base32 { .. } => mask.for_each(|l| f(self.lane(l))),
            Addrs::Base64 { .. } => mask.for_each(|l| f(self.lane(l))),
            Addrs::Full { .. } => mask.for_each(|l| f(self.lane(l))),
            Addrs::Full32 { .. } => mask.for_each(|l| f(self.lane(l))),
        }
    }
}

/// The 64-bit value of a lane in words.
#[inline(always)]
pub fn pair(words: &[u32], lane: usize) -> u64 {
    u64::from(words[2 * lane]) | u64::from(words[2 * lane + 1]) << 32
}

/// Operands of a store or an atomic.
#[derive(Clone, Copy, Debug)]
pub enum Values<'a> {
    /// All lanes the same bits.
    Uniform(u128),
    /// A value per lane, in words as the module describes.
    Lanes(&'a [u32]),
}

impl Values<'_> {
    /// The bits of one lane's value of `width` bytes.
    #[inline(always)]
    pub fn lane(&self, lane: usize, width: u8) -> u128 {
        match *self {
            Values::Uniform(bits) => bits,
            Values::Lanes(words) => match width {
                0..=4 => u128::from(words[lane]),
                5..=8 => u128::from(pair(words, lane)),
                _ => u128::from(pair(words, 2 * lane)) | u128::from(pair(words, 2 * lane + 1)) << 64,
            },
        }
    }
}

/// Offsets into a local variable that is accessed without a pointer.
#[derive(Clone, Copy, Debug)]
pub enum SlotOffsets<'a> {
    /// All lanes the same.
    Uniform(i64),
    /// `index * scale + disp`, 32-bit signed indices.
    Lanes32 {
        /// One per lane.
        index: &'a [u32],
        /// Bytes per index step.
        scale: i32,
        /// Bytes added.
        disp: i64,
    },
    /// `index * scale + disp`, 64-bit indices, two words per lane.
    Lanes64 {
        /// Two words per lane.
        index: &'a [u32],
        /// Bytes per index step.
        scale: i32,
        /// Bytes added.
        disp: i64,
    },
}

impl SlotOffsets<'_> {
    /// The offset of one lane.
    #[inline(always)]
    pub fn lane(&self, lane: usize) -> i64 {
        match *self {
            SlotOffsets::Uniform(off) => off,
            SlotOffsets::Lanes32 { index, scale, disp } => {
                (index[lane] as i32 as i64).wrapping_mul(scale as i64).wrapping_add(disp)
            }
            SlotOffsets::Lanes64 { index, scale, disp } => {
                (pair(index, lane) as i64).saturating_mul(scale as i64).saturating_add(disp)
            }
        }
    }
}

/// Whose memory a native function may touch.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Reach {
    /// What the side that calls may touch.
    #[default]
    Own,
    /// What the host may touch.
    Host,
    /// What the device may touch, constants writable.
    Device,
    /// Either.
    Any,
}

/// On whose behalf a native function touches bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ByteAccess {
    /// The lane; 0 on the host.
    pub lane: usize,
    /// The call.
    pub place: Place,
    /// The function, for the report: "`strlen` reads …".
    pub native: Option<&'static str>,
}

impl ByteAccess {
    /// A call of `native` by the host.
    pub fn host(native: &'static str, loc: Option<Loc>) -> ByteAccess {
        ByteAccess { lane: 0, place: loc.into(), native: Some(native) }
    }

    /// A call of `native` by a lane.
    pub fn lane(native: &'static str, loc: Option<Loc>, lane: usize) -> ByteAccess {
        ByteAccess { lane, place: loc.into(), native: Some(native) }
    }
}

/// What a new object is.
#[derive(Clone, Debug)]
pub struct AllocInfo {
    /// Who makes it.
    pub kind: crate::fault::AllocKind,
    /// Its name.
    pub name: Option<std::sync::Arc<str>>,
    /// Where.
    pub place: Place,
}

/// What an object holds when it is made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum InitState {
    /// Nothing: reading it is a fault. (The bytes are zero all the same, so that runs repeat.)
    Uninit,
    /// Zeros.
    Zero,
}

/// One allocation that was never freed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Leak {
    /// Its start.
    pub ptr: Ptr,
    /// What it is.
    pub object: crate::fault::ObjectInfo,
}
