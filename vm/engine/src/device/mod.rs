//! The device: grids, blocks, strips, convergence groups.

mod block;
mod calls;
mod claims;
mod clock;
mod cluster;
#[cfg_attr(not(feature = "jit"), path = "interpreted.rs")]
mod compiled;
mod dump;
mod elision;
mod exec;
mod explore;
mod footprint;
mod fork;
mod grid;
mod halves;
mod influence;
mod kernels;
mod launch;
mod launches;
mod memops;
mod perf;
mod planes;
mod saving;
mod schedule;
mod spin;
mod strip;
mod transaction;
mod usual;
mod values;
mod vector;
mod warp;
mod workers;

pub(crate) use block::Block;
pub(crate) use clock::PollCounter;
pub(crate) use dump::does;
pub(crate) use footprint::written;
pub(crate) use grid::Grid;
pub(crate) use launch::run_grid;
pub(crate) use launches::Launches;
pub(crate) use perf::Perf;
pub(crate) use spin::Loops;
pub(crate) use strip::{ConvergenceGroup, Frame, Strip};
