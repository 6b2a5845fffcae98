//! The NaN that devices produce.

pub use cudair_ir::eval::gpu_nan;
