//! The register files, accessed without bounds checks.
//!
//! This is one of the crate's few modules with `unsafe` code. What makes it sound: a view ([`Words`],
//! [`Ops`]) is made by an `unsafe` constructor whose caller promises that the memory behind it holds the
//! registers (operations) of one [`VerifiedCode`] for as long as the view is used, and views are only asked
//! for operands of that code's operations, which the verifier has checked to lie inside.
#![allow(unsafe_code)]

use cudair_bytecode::{Code, Op, S, S2, VerifiedCode};
#[cfg(feature = "jit")]
use cudair_jit::{Refusal, host::HostFunction};
use cudair_memory::FrameLayout;
use std::ptr::NonNull;
use std::sync::Arc;
#[cfg(feature = "jit")]
use std::sync::{
    OnceLock,
    atomic::{AtomicPtr, AtomicU32},
};

/// A verified function with what the engine derives from it.
#[derive(Debug)]
pub(crate) struct Unit {
    /// The code.
    pub(crate) code: VerifiedCode,
    /// Its local variables in memory, if it has any.
    pub(crate) layout: Option<Arc<FrameLayout>>,
    /// Of a function of the host: its machine code, once that was compiled, or why it was not.
    #[cfg(feature = "jit")]
    pub(crate) machine: OnceLock<Result<HostFunction, Refusal>>,
    /// Of a function of the host: how much it has worked.
    #[cfg(feature = "jit")]
    pub(crate) heat: AtomicU32,
    /// The address of the machine code; null until there is some.
    #[cfg(feature = "jit")]
    pub(crate) address: AtomicPtr<u8>,
}

/// A unit that lives as long as the machine.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct CodeRef(NonNull<Unit>);

// SAFETY: a `CodeRef` is a shared reference to data that only changes as `Sync` has it (`Unit` is `Send + Sync`, see below).
unsafe impl Send for CodeRef {}
// SAFETY: as above.
unsafe impl Sync for CodeRef {}

const _: fn() = || {
    fn shared<T: Send + Sync>() {}
    shared::<Unit>();
};

impl CodeRef {
    /// A reference to code that is never freed before the last use of the reference.
    ///
    /// # Safety
    /// The box's contents stay where they are, unchanged, until the machine is dropped; the machine drops
    /// them after everything that holds a `CodeRef`.
    pub(crate) unsafe fn new(unit: &Unit) -> CodeRef {
        CodeRef(NonNull::from(unit))
    }

    /// The unit.
    #[inline(always)]
    pub(crate) fn unit<'a>(self) -> &'a Unit {
        // SAFETY: the constructor's contract: alive and unchanged for as long as any `CodeRef` is used.
        unsafe { self.0.as_ref() }
    }

    /// The reference as bits, as compiled code writes it to frames.
    pub(crate) fn bits(self) -> u64 {
        self.0.as_ptr() as u64
    }

    /// The code.
    #[inline(always)]
    pub(crate) fn code<'a>(self) -> &'a Code {
        &self.unit().code
    }

    /// Its operations.
    #[inline(always)]
    pub(crate) fn ops(self) -> Ops {
        Ops(self.code().ops.as_ptr())
    }
}

/// The operations of a verified function.
#[derive(Clone, Copy)]
pub(crate) struct Ops(*const Op);

impl Ops {
    /// Operation `pc`, which control reached from an operation of the same function.
    #[inline(always)]
    pub(crate) fn at<'a>(self, pc: usize) -> &'a Op {
        self.ip(pc).op()
    }

    /// The place of operation `pc`.
    #[inline(always)]
    pub(crate) fn ip(self, pc: usize) -> Ip {
        Ip(self.0.wrapping_add(pc))
    }

    /// The number of the operation at `ip`, which is a place in these operations.
    #[inline(always)]
    pub(crate) fn pc(self, ip: Ip) -> usize {
        (ip.0 as usize - self.0 as usize) / size_of::<Op>()
    }
}

/// A place in the operations of a verified function.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Ip(*const Op);

impl Ip {
    /// The operation there, which control reached from an operation of the same function.
    #[inline(always)]
    pub(crate) fn op<'a>(self) -> &'a Op {
        // SAFETY: the code is verified: branch targets lie inside and the last operation does not fall
        // through, so that control stays inside; the code outlives its views (see `CodeRef`).
        unsafe { &*self.0 }
    }

    /// The next place.
    #[inline(always)]
    pub(crate) fn next(self) -> Ip {
        Ip(self.0.wrapping_add(1))
    }
}

/// The scalar registers of one frame.
#[derive(Clone, Copy)]
pub(crate) struct Words(*mut u64);

/// A stack of frames of scalar registers.
#[derive(Clone, Debug, Default)]
pub(crate) struct WordStack {
    words: Vec<u64>,
}

impl WordStack {
    /// The frame of `code` whose registers start at word `base`; the stack grows to hold it. Views of
    /// other frames are void afterwards: whoever calls this takes a new view of the frame it goes on with.
    #[inline(always)]
    pub(crate) fn frame(&mut self, base: usize, code: &Code) -> Words {
        let end = base + usize::from(code.files.scalars);
        if end > self.words.len() {
            self.grow(end);
        }
        // SAFETY: the words up to `end` exist; nothing else refers to them until the next `&mut self` call.
        Words(unsafe { self.words.as_mut_ptr().add(base) })
    }

    /// Makes room for so many words behind word `end`; gives the end of all that there is.
    #[inline(always)]
    pub(crate) fn reserve(&mut self, end: usize, more: usize) -> *mut u64 {
        if end + more > self.words.len() {
            self.grow(end + more);
        }
        self.words.as_mut_ptr_range().end
    }

    #[cold]
    fn grow(&mut self, end: usize) {
        self.words.resize(end.next_power_of_two().max(256), 0);
    }

    /// The words of a range, as far as they exist.
    pub(crate) fn slice(&self, base: usize, n: usize) -> &[u64] {
        let end = (base + n).min(self.words.len());
        &self.words[base.min(end)..end]
    }

    /// Writes words from `base` on.
    pub(crate) fn restore(&mut self, base: usize, words: &[u64]) {
        if base + words.len() > self.words.len() {
            self.grow(base + words.len());
        }
        self.words[base..base + words.len()].copy_from_slice(words);
    }

    /// Makes this a copy of the first `n` words of `other`.
    pub(crate) fn copy_from(&mut self, other: &WordStack, n: usize) {
        self.words.clear();
        self.words.extend_from_slice(other.slice(0, n));
    }
}

impl Words {
    /// The first register's word.
    pub(crate) fn as_ptr(self) -> *mut u64 {
        self.0
    }

    /// The view whose [`Words::as_ptr`] gave this.
    ///
    /// # Safety
    /// The view would still be good.
    pub(crate) unsafe fn from_ptr(words: *mut u64) -> Words {
        Words(words)
    }

    /// Copies the constants of the frame's function to their registers.
    #[inline(always)]
    pub(crate) fn set_consts(self, code: &Code) {
        for (i, &c) in code.files.consts.iter().enumerate() {
            self.set(S(code.files.consts_at.0 + i as u16), c);
        }
    }

    /// Reads a register.
    #[inline(always)]
    pub(crate) fn get(self, r: S) -> u64 {
        // SAFETY: see the module: `r` is an operand of the function the view was made for.
        unsafe { *self.0.add(r.index()) }
    }

    /// Writes a register.
    #[inline(always)]
    pub(crate) fn set(self, r: S, value: u64) {
        // SAFETY: as in `get`.
        unsafe { *self.0.add(r.index()) = value }
    }

    /// Reads a register of two words.
    #[inline(always)]
    pub(crate) fn get2(self, r: S2) -> u128 {
        u128::from(self.get(S(r.0))) | u128::from(self.get(S(r.0 + 1))) << 64
    }

    /// Writes a register of two words.
    #[inline(always)]
    pub(crate) fn set2(self, r: S2, value: u128) {
        self.set(S(r.0), value as u64);
        self.set(S(r.0 + 1), (value >> 64) as u64);
    }
}

impl Words {
    /// Reads an `f32`.
    #[inline(always)]
    pub(crate) fn get_f32(self, r: S) -> f32 {
        f32::from_bits(self.get(r) as u32)
    }

    /// Writes an `f32`.
    #[inline(always)]
    pub(crate) fn set_f32(self, r: S, x: f32) {
        // The way through a general register would take longer than most operations.
        #[cfg(target_arch = "x86_64")]
        {
            use std::arch::x86_64::{_mm_castps_pd, _mm_set_ss, _mm_store_sd};
            // SAFETY: as in `get`, and every x86-64 processor has SSE2.
            unsafe { _mm_store_sd(self.0.add(r.index()).cast(), _mm_castps_pd(_mm_set_ss(x))) };
        }
        #[cfg(not(target_arch = "x86_64"))]
        self.set(r, u64::from(x.to_bits()));
    }

    /// Reads an `f64`.
    #[inline(always)]
    pub(crate) fn get_f64(self, r: S) -> f64 {
        f64::from_bits(self.get(r))
    }

    /// Writes an `f64`.
    #[inline(always)]
    pub(crate) fn set_f64(self, r: S, x: f64) {
        self.set(r, x.to_bits());
    }
}
