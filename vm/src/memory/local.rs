//! Local variables of device threads that live in memory, and the layout of frames on both sides.
//!
//! One buffer per strip, interleaved over the lanes by granules of four bytes: granule `g` of lane `l` is
//! word `g * lanes + l`, so that lanes that use one offset touch neighbouring words.

use super::{Mask, StripShape};
use crate::fault::{Place, Stop};
use cudair_ir::LifetimeOp;
use std::sync::Arc;

/// A variable of a frame.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SlotLayout {
    /// Bytes.
    pub size: u32,
    /// Alignment as a power of two.
    pub align_log2: u8,
    /// The source name; empty for temporaries.
    pub name: Arc<str>,
    /// Where it is declared.
    pub place: Place,
    /// Whether lifetime markers say when it lives; otherwise it lives as long as the frame.
    pub markers: bool,
}

/// The variables in memory of a function.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct FrameLayout {
    slots: Vec<SlotLayout>,
    offsets: Vec<u32>,
    size: u32,
}

impl FrameLayout {
    /// Lays variables out.
    pub fn new(slots: Vec<SlotLayout>) -> FrameLayout {
        let mut at = 0u32;
        let mut offsets = Vec::with_capacity(slots.len());
        for slot in &slots {
            let align = 1u32 << slot.align_log2.clamp(2, 12);
            at = at.saturating_add(align - 1) & !(align - 1);
            offsets.push(at);
            at = at.saturating_add(slot.size.max(1)).saturating_add(3) & !3;
        }
        FrameLayout { slots, offsets, size: at }
    }

    /// The variables.
    pub fn slots(&self) -> &[SlotLayout] {
        &self.slots
    }

    /// Where each starts in the frame, in bytes.
    pub fn offsets(&self) -> &[u32] {
        &self.offsets
    }

    /// Bytes of the frame.
    pub fn size(&self) -> u32 {
        self.size
    }
}

/// A frame of some lanes of a strip: kept in the call stack of their fragment. Fragments that split inside
/// the frame share it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct FrameId(pub(crate) u32);

/// The local variables of a strip.
#[derive(Debug)]
pub struct LocalFrames {}

impl LocalFrames {
    /// Frames for a strip.
    pub fn new(_shape: &StripShape) -> LocalFrames {
        LocalFrames {}
    }

    /// Forgets all frames: the strip starts anew in another block.
    pub fn reset(&mut self, _shape: &StripShape) {}

    /// The lanes of `mask` enter a function.
    pub fn enter(&mut self, _layout: &Arc<FrameLayout>, _mask: &Mask) -> Result<FrameId, Stop> {
        Err(Stop::internal("local frames are not ready"))
    }

    /// The lanes of `mask` leave it. The frame ends with its last lane.
    pub fn leave(&mut self, _frame: FrameId, _mask: &Mask) {}

    /// The scope of a variable begins or ends for the lanes of `mask`.
    pub fn lifetime(&mut self, _frame: FrameId, _slot: u32, _op: LifetimeOp, _mask: &Mask) {}

    /// The addresses of a variable: two words per lane of `mask`.
    pub fn addr(&mut self, _frame: FrameId, _slot: u32, _mask: &Mask, _out: &mut [u32]) {}

    /// Memory that lives as long as the frame: `sizes` has two words per lane; so has `out`.
    pub fn alloca(
        &mut self,
        _frame: FrameId,
        _mask: &Mask,
        _sizes: super::Lens,
        _align_log2: u8,
        _place: Place,
        _out: &mut [u32],
    ) -> Result<(), Stop> {
        Err(Stop::internal("local frames are not ready"))
    }
}
