//! The mathematics of both sides: pure functions on numbers, by symbol name.
//!
//! It knows the IR for the x87 format, and must not know memory, the engine or any library that has state. Begin
//! with [`lookup`] and [`lookup_device`], which give a [`MathFn`]; `table.rs` has what host and device share, `cuda.rs`
//! CUDA's own functions, `device/` the device's algorithms to the last bit, [`libm`] the platform's library.

mod cuda;
mod device;
pub mod libm;
mod table;

pub use cuda::norm;
pub use table::{MathFn, lookup, lookup_device};
