//! What the engine keeps of launches, from one to the next.

use super::compiled::Tier;
use super::elision::Answers;
use super::explore::Locks;
use super::footprint::Footprints;
use super::grid::KernelShared;
use super::influence::NondeterminismTaint;
use super::transaction::Open;
use super::workers::Sharing;
use crate::cache::{DeviceCode, Units};
use cudair_ir::FuncId;
use cudair_report::{Launched, Unseen};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// See the module's documentation.
pub(crate) struct Launches {
    /// The device's functions, for what launches know.
    pub(crate) code: DeviceCode,
    /// How many have run, and of them those that are reported on.
    pub(crate) counts: [u64; 2],
    /// The launches of the kernels that have run.
    pub(crate) ran: FxHashMap<FuncId, Launched>,
    /// What was not looked at so far.
    pub(crate) unseen: Unseen,
    /// The shared memory of the kernels launched so far.
    pub(crate) shared: FxHashMap<FuncId, KernelShared>,
    /// What functions of the device access.
    pub(crate) footprints: Footprints,
    /// Which kernels' blocks stay on one core.
    pub(crate) sharing: Sharing,
    /// What hangs on the order of threads.
    pub(crate) influence: NondeterminismTaint,
    /// Which kernels have locks.
    pub(crate) locks: Locks,
    /// What is proved of launches.
    pub(crate) elision: Answers,
    /// The kernels that run as machine code.
    pub(crate) tier: Tier,
    /// Whether one runs.
    pub(crate) open: Open,
}

impl Launches {
    /// None so far.
    pub(crate) fn new(units: Arc<Units>) -> Launches {
        Launches {
            code: DeviceCode::new(units),
            counts: [0; 2],
            ran: FxHashMap::default(),
            unseen: Unseen::default(),
            shared: FxHashMap::default(),
            footprints: Footprints::default(),
            sharing: Sharing::default(),
            influence: NondeterminismTaint::default(),
            locks: Locks::default(),
            elision: Answers::default(),
            tier: Tier::default(),
            open: Open::default(),
        }
    }
}
