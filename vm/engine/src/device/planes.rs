//! The vector and predicate registers of a strip, accessed without bounds checks.
//!
//! One of the crate's few modules with `unsafe` code, sound for the same reason as [`super::super::regs`]:
//! views are made for the frame of one verified function, large enough for its registers, and asked only for
//! operands of that function.
#![allow(unsafe_code)]

use cudair_bytecode::{Code, P, V, W};
use cudair_lane::{CHUNK, Mask};

/// 16 lanes of 32 bits, aligned for every vector instruction.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
struct Chunk([u32; CHUNK]);

/// The register files of a strip: vectors and predicates of all call depths.
pub(crate) struct Planes {
    chunks: Vec<Chunk>,
    preds: Vec<Mask>,
    /// Chunks of a plane.
    n: usize,
}

impl Planes {
    /// Registers for strips of up to `lanes` lanes.
    pub(crate) fn new(lanes: usize) -> Planes {
        Planes { chunks: Vec::new(), preds: Vec::new(), n: lanes.div_ceil(CHUNK).max(1) }
    }

    /// Lanes of a plane, those included that the strip does not have.
    pub(crate) fn lanes(&self) -> usize {
        self.n * CHUNK
    }

    /// The registers of a frame of `code` that start at plane `vbase` and predicate `pbase`; the files grow
    /// to hold it. Views of other frames are void afterwards.
    #[inline(always)]
    pub(crate) fn frame(&mut self, vbase: usize, pbase: usize, code: &Code) -> Lanes {
        let end = (vbase + usize::from(code.files.planes)) * self.n;
        let pend = pbase + usize::from(code.files.preds);
        if end > self.chunks.len() || pend > self.preds.len() {
            self.grow(end, pend);
        }
        // SAFETY: both files reach at least to the end of the frame (an empty frame at the very end gives a
        // pointer one past it, which is never read).
        unsafe {
            Lanes {
                v: self.chunks.as_mut_ptr().add(vbase * self.n).cast::<u32>(),
                p: self.preds.as_mut_ptr().add(pbase),
                n: self.n,
            }
        }
    }

    #[cold]
    fn grow(&mut self, chunks: usize, preds: usize) {
        let chunks = chunks.max(self.chunks.len()).next_power_of_two();
        self.chunks.resize(chunks, Chunk([0; CHUNK]));
        let preds = preds.max(self.preds.len()).next_power_of_two();
        self.preds.resize(preds, Mask::NONE);
    }
}

/// The vector and predicate registers of one frame.
#[derive(Clone, Copy)]
pub(crate) struct Lanes {
    v: *mut u32,
    p: *mut Mask,
    /// Chunks of a plane.
    n: usize,
}

/// The value of one lane in a register: 32 or 64 bits.
pub(crate) trait Lane: Copy + Default {
    /// The register.
    type Reg: Copy;
    /// Where lane 0 of a register lies.
    fn at(lanes: Lanes, reg: Self::Reg) -> *mut Self;
    /// The low bits of a scalar register.
    fn from_word(word: u64) -> Self;
    /// As a scalar register holds it.
    fn into_word(self) -> u64;
}

impl Lane for u32 {
    type Reg = V;

    #[inline(always)]
    fn at(lanes: Lanes, reg: V) -> *mut u32 {
        // SAFETY: a plane of the frame; see the module.
        unsafe { lanes.v.add(reg.index() * lanes.n * CHUNK) }
    }

    #[inline(always)]
    fn from_word(word: u64) -> u32 {
        word as u32
    }

    #[inline(always)]
    fn into_word(self) -> u64 {
        self.into()
    }
}

impl Lane for u64 {
    type Reg = W;

    #[inline(always)]
    #[allow(clippy::cast_ptr_alignment)] // see the comment on safety
    fn at(lanes: Lanes, reg: W) -> *mut u64 {
        // SAFETY: two planes of the frame; a plane is a multiple of 64 bytes, so it is aligned for `u64`.
        unsafe { lanes.v.add(reg.index() * lanes.n * CHUNK).cast::<u64>() }
    }

    #[inline(always)]
    fn from_word(word: u64) -> u64 {
        word
    }

    #[inline(always)]
    fn into_word(self) -> u64 {
        self
    }
}

impl Lanes {
    /// Chunks of a plane.
    #[inline(always)]
    pub(crate) fn chunks(self) -> usize {
        self.n
    }

    /// Chunk `c` of a register.
    #[inline(always)]
    pub(crate) fn chunk<T: Lane>(self, reg: T::Reg, c: usize) -> [T; CHUNK] {
        debug_assert!(c < self.n);
        // SAFETY: `c` is a chunk of the register.
        unsafe { *T::at(self, reg).add(c * CHUNK).cast::<[T; CHUNK]>() }
    }

    /// Writes chunk `c` of a register where `mask` has a bit.
    #[inline(always)]
    pub(crate) fn set_chunk<T: Lane>(self, reg: T::Reg, c: usize, mask: u16, values: [T; CHUNK]) {
        debug_assert!(c < self.n);
        // SAFETY: `c` is a chunk of the register.
        let to = unsafe { &mut *T::at(self, reg).add(c * CHUNK).cast::<[T; CHUNK]>() };
        if mask == u16::MAX {
            *to = values;
        } else {
            for i in 0..CHUNK {
                to[i] = if mask & 1 << i != 0 { values[i] } else { to[i] };
            }
        }
    }

    /// One lane of a register.
    #[inline(always)]
    pub(crate) fn lane<T: Lane>(self, reg: T::Reg, lane: usize) -> T {
        assert!(lane < self.n * CHUNK);
        // SAFETY: a lane of the register.
        unsafe { *T::at(self, reg).add(lane) }
    }

    /// Writes one lane of a register.
    #[inline(always)]
    pub(crate) fn set_lane<T: Lane>(self, reg: T::Reg, lane: usize, value: T) {
        assert!(lane < self.n * CHUNK);
        // SAFETY: a lane of the register.
        unsafe { *T::at(self, reg).add(lane) = value }
    }

    /// A predicate.
    #[inline(always)]
    pub(crate) fn pred(self, reg: P) -> Mask {
        // SAFETY: a predicate of the frame; see the module.
        unsafe { *self.p.add(reg.index()) }
    }

    /// Writes a predicate.
    #[inline(always)]
    pub(crate) fn set_pred(self, reg: P, value: Mask) {
        // SAFETY: as in `pred`.
        unsafe { *self.p.add(reg.index()) = value }
    }

    /// Words of `planes` planes from `first` on, for reading by memory operations.
    ///
    /// The result must not be alive while a register that overlaps it is written, which the callers see to by
    /// copying operands that overlap the result.
    #[inline(always)]
    pub(crate) fn words<'a>(self, first: u16, planes: usize) -> &'a [u32] {
        // SAFETY: planes of the frame (the verifier has checked the operand that `first` comes from); see
        // above for aliasing. The lifetime ends before the next view is made.
        unsafe {
            std::slice::from_raw_parts(
                self.v.add(usize::from(first) * self.n * CHUNK),
                planes * self.n * CHUNK,
            )
        }
    }

    /// The same words, for writing.
    #[inline(always)]
    #[allow(clippy::mut_from_ref)]
    pub(crate) fn words_mut<'a>(self, first: u16, planes: usize) -> &'a mut [u32] {
        // SAFETY: as in `words`.
        unsafe {
            std::slice::from_raw_parts_mut(
                self.v.add(usize::from(first) * self.n * CHUNK),
                planes * self.n * CHUNK,
            )
        }
    }
}
