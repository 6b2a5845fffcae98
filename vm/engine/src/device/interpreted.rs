//! In place of `compiled.rs` where cudair is built without machine code: the bytecode runs every launch.

use super::launch::{First, Prepared};
use crate::machine::Machine;
use cudair_lane::fault::Stop;
use std::time::Duration;

/// What there is of kernels that run as machine code.
#[derive(Default)]
pub(crate) struct Tier(());

/// No launch runs as machine code.
pub(super) fn first_run(_: &mut Machine, _: &Prepared) -> Result<Option<First>, Stop> {
    Ok(None)
}

/// What a launch has taken is of no interest.
pub(super) fn has_taken(_: &mut Machine, _: &Prepared, _: u64, _: Duration) {}
