//! Passes over [`cudair_ir`]: the analyses and what they prove.

pub mod analysis;
pub mod transform;
