//! What a lane access is made of: who accesses ([`LaneCx`]), where ([`Addrs`]), how ([`Access`]), and the
//! offsets of local variables. Operands and results are [`cudair_lane::Values`].

use super::{BlockMem, LocalFrames};
use cudair_ir::{Loc, ThreadCoord};
use cudair_lane::fault::{Place, SiteRef};
use cudair_lane::ptr::Ptr;
use cudair_lane::{Mask, MemSide, StripShape, pair};
use cudair_report::Findings;

/// Who accesses memory: the active lanes of a convergence group, or the host.
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
    #[inline]
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
    #[inline]
    pub fn narrowed<'b>(&'b mut self, mask: &'b Mask) -> LaneCx<'b> {
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
    #[inline]
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
    pub fn each(&self, mask: &Mask, mut f: impl FnMut(Ptr)) {
        match self {
            Addrs::Uniform(p) => f(*p),
            Addrs::Base32 { .. } => mask.for_each(|l| f(self.lane(l))),
            Addrs::Base64 { .. } => mask.for_each(|l| f(self.lane(l))),
            Addrs::Full { .. } => mask.for_each(|l| f(self.lane(l))),
            Addrs::Full32 { .. } => mask.for_each(|l| f(self.lane(l))),
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
    #[inline]
    pub fn host(native: &'static str, loc: Option<Loc>) -> ByteAccess {
        ByteAccess { lane: 0, place: loc.into(), native: Some(native) }
    }

    /// A call of `native` by a lane.
    #[inline]
    pub fn lane(native: &'static str, loc: Option<Loc>, lane: usize) -> ByteAccess {
        ByteAccess { lane, place: loc.into(), native: Some(native) }
    }
}

/// What a new object is.
#[derive(Clone, Debug)]
pub struct AllocInfo {
    /// Who makes it.
    pub kind: cudair_lane::fault::AllocKind,
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
