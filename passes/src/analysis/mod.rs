//! The analyses: the abstract interpreter and what stands on it.
pub mod callgraph;
pub mod control;
pub mod engine;
pub mod memory;
pub mod shape;
pub mod uniformity;
