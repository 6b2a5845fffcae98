//! The compiled tier: kernels as machine code, by Cranelift.
//!
//! Compiled code makes every check that the bytecode's engine makes, but it never reports. Where a check fails, a race is
//! suspected or a loop runs for long, it gives up ([`abi::Bail`]); the engine puts the launch back and runs its bytecode
//! from the start. So a check has one branch and no state behind it, and what is reported is what the engine says.
//!
//! A kernel is cut at its synchronisation points into *parallel regions*, as PoCL does it (Jääskeläinen et al.,
//! "pocl: A Performance-Portable OpenCL Implementation", 2015, section 4): a loop over the lanes runs a region for one
//! lane after the other, and what lives across a synchronisation point waits in memory. That is allowed since nothing orders
//! lanes between synchronisation points: where the order could be seen, there is a race, and compiled code gives up. What
//! makes its order seen without one, such as the result of an atomic operation, is a synchronisation point of the strip, at
//! which lanes go on in the order of the bytecode.
//!
//! 1. [`Plan`] finds out whether a kernel can be compiled, where its pointers come from and what lives across
//!    synchronisation points.
//! 2. [`Kernel::compile`] makes machine code of it for launches of which [`Promises`] hold.
//! 3. The engine fills an [`abi::Frame`], and calls [`Kernel::run`] for the lanes of a block, once for each region.
//!
//! The crate knows the IR, its ranges and the mathematical functions, and neither memory nor the engine: what it knows of
//! them stands in [`abi`].

pub mod abi;
mod access;
mod arith;
mod branch;
mod calls;
mod classes;
mod conversions;
mod copies;
mod emit;
mod entries;
mod expand;
mod gathers;
pub mod host;
mod idle;
mod indices;
mod kept;
mod kernel;
mod lifetimes;
mod local;
mod loops;
mod masked;
mod plan;
mod remat;
mod runs;
pub mod shared;
mod strided;
mod syncs;
mod threads;
mod uniform;
mod vector;
mod warp;

pub use kernel::{Kernel, Promises, Room, RootFacts};
pub use plan::{Plan, Root, RootUse, weight};

/// Why a kernel is not compiled.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Refusal(pub &'static str);

impl Refusal {
    /// Most would be done for one lane after the other: it may be slower than the bytecode, or faster.
    pub const ALONE: Refusal = Refusal("most of it would be done for one lane after the other");

    /// Whether the kernel can be compiled, and only its speed is in doubt.
    pub fn is_about_speed(self) -> bool {
        self.0 == Refusal::ALONE.0
    }
}
