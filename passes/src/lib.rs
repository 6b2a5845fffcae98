//! Passes over [`cudair_ir`]: the analyses and what they prove.

pub mod analysis;
pub mod check;
pub mod symbolic;
pub mod transform;
