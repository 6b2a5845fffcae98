//! POSIX threads: the functions of the library, and what each thread has of its own of it. Who runs is decided by the
//! engine's scheduler ([`cudair_engine::threads`]).
//!
//! A function that waits returns [`cudair_lane::fault::Stop::Switch`], having done nothing but noted what for. When that
//! has happened it is called again from the start, so it looks again at what it waited for.

mod functions;
mod local;
mod locks;
mod waits;

use cudair_engine::{HostFn, Machine};
use cudair_lane::fault::Stop;
use cudair_lane::ptr::Ptr;
pub(crate) use local::destroy as destroy_variables;
use rustc_hash::{FxHashMap, FxHashSet};

/// What the library keeps for threads.
#[derive(Debug, Default)]
pub(crate) struct ThreadData {
    /// The values that keys have for threads, and the keys' destructors.
    specific: FxHashMap<(u64, u64), u64>,
    keys: Vec<Option<Ptr>>,
    /// Conditions that count the time from an unnamed point.
    steady: FxHashSet<Ptr>,
    local: local::Variables,
}

/// The host's function of a name.
pub(crate) fn lookup(name: &str) -> Option<HostFn> {
    functions::lookup(name)
        .or_else(|| locks::lookup(name))
        .or_else(|| waits::lookup(name))
        .or_else(|| local::lookup(name))
}

/// What a thread leaves undone when it ends: its variables and the values of its keys are destroyed.
pub(crate) fn end(m: &mut Machine) -> Result<(), Stop> {
    local::destroy(m)?;
    functions::destroy_values(m)
}
