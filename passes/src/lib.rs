//! Passes over [`cudair_ir`]: the analyses and what they prove.

pub mod analysis;
pub mod check;
pub mod facts;
pub mod perf;
pub mod regions;
pub mod registry;
pub mod symbolic;
pub mod transform;
