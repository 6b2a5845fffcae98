//! The device: grids, blocks, strips, fragments.

mod block;
mod calls;
mod exec;
mod grid;
mod kernels;
mod memops;
mod planes;
mod strip;
mod values;
mod vector;
mod warp;

pub(crate) use grid::{KernelShared, run_grid};
