//! Lanes: what a vector of threads is made of, and the words of all that is said about it.
//!
//! The lowest floor of the machine. It knows [`cudair_ir`] and nothing of memory, race detection or execution.
//! Begin with [`Mask`] and [`pattern`]; [`ptr`] has guest pointers, [`fault`] what goes wrong.

#[cfg(target_arch = "x86_64")]
pub mod avx2;
pub mod fault;
mod how;
mod mask;
pub mod numbered;
pub mod pages;
pub mod pattern;
pub mod ptr;
pub mod rows;
mod shape;
pub mod simd;
pub mod slab;
mod values;

pub use how::How;
pub use mask::{CHUNK, MASK_WORDS, MAX_LANES, Mask};
pub use shape::{MemSide, StripShape, block_index, thread_coord};
pub use values::{Values, pair};
