//! The device: grids, blocks, strips, convergence groups.

mod block;
mod calls;
mod clock;
mod cluster;
mod dump;
mod exec;
mod explore;
mod footprint;
mod fork;
mod grid;
mod influence;
mod kernels;
mod memops;
mod perf;
mod planes;
mod schedule;
mod spin;
mod strip;
mod transaction;
mod values;
mod vector;
mod warp;
mod workers;

pub(crate) use clock::PollCounter;
pub(crate) use explore::Locks;
pub(crate) use footprint::Footprints;
pub(crate) use grid::{KernelShared, run_grid};
pub(crate) use influence::NondeterminismTaint;
pub(crate) use perf::Perf;
pub(crate) use spin::Loops;
pub(crate) use transaction::Open;
pub(crate) use workers::Sharing;
