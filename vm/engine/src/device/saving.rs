//! The time that a launch saves by what the race detector need not see ([`super::elision`]): it runs a few times more, with
//! and without all of its accesses watched. Each of these runs is taken back and prints nothing.
//!
//! A kernel is measured once, in the first of its launches that leaves something out. How long a run may be is counted in
//! operations and not timed, so that a program is always asked the same.

use super::grid::{Grid, run_blocks};
use super::launch::RaceStart;
use super::transaction::Transaction;
use crate::machine::Machine;
use cudair_ir::verdict::Saving;
use cudair_lane::fault::Stop;
use cudair_memory::Keep;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Operations (back edges, calls and threads) that a run may take.
const MOST: u64 = 1 << 22;
/// Bytes of the objects that a launch may write, at most: they are kept while it is measured.
const MOST_WRITTEN: u64 = 64 << 20;
/// Runs of each kind. The fastest counts.
const RUNS: usize = 2;

/// What a launch leaves out of the race detector, and what that sees otherwise.
pub(super) struct WhatIsSaved {
    /// The detector's start with all accesses watched.
    all: RaceStart,
    /// That of a launch that leaves something out.
    some: RaceStart,
    /// No shared memory is watched there.
    unwatched: bool,
    /// Shared variables that are not watched there, by number.
    proved_shared: Option<Arc<[bool]>>,
}

impl WhatIsSaved {
    /// Of a launch that leaves out what `some` and the machine's memory say.
    pub(super) fn new(m: &Machine, all: RaceStart, some: &RaceStart) -> WhatIsSaved {
        let mut some = some.clone();
        // What these runs write is taken back, seen or not.
        some.touched.unheard.clear();
        WhatIsSaved { all, some, unwatched: m.mem.unwatched, proved_shared: m.mem.proved_shared.clone() }
    }
}

/// Whether a launch that leaves something out is to be measured.
pub(super) fn is_wanted(m: &mut Machine, grid: &Grid, all: &RaceStart) -> bool {
    let written = match &all.touched.writes {
        Some(writes) => writes.iter().map(|&o| m.mem.info_of(o).size).fold(0, u64::saturating_add),
        None => u64::MAX,
    };
    written <= MOST_WRITTEN
        && m.engine.launches.elision.get_mut(&grid.launch.kernel).is_some_and(|asked| asked.is_first())
}

/// Runs a launch with and without what is left out of the detector, and takes down how long each took. The machine is as
/// before, but for the start of the detector.
///
/// # Errors
/// Defects; no memory was left for what was to be kept.
pub(super) fn measure(m: &mut Machine, grid: &Grid, blocks: u64, saved: &WhatIsSaved) -> Result<(), Stop> {
    let aside = m.mem.other_detector();
    let mut best = [Duration::MAX; 2];
    let mut ended = true;
    'runs: for _ in 0..RUNS {
        for (watches_all, best) in [false, true].into_iter().zip(&mut best) {
            let Some(took) = timed(m, grid, blocks, saved, watches_all)? else {
                ended = false;
                break 'runs;
            };
            *best = took.min(*best);
        }
    }
    (m.mem.unwatched, m.mem.proved_shared) = (saved.unwatched, saved.proved_shared.clone());
    m.mem.grid = aside;
    let [left_out, watched] = best;
    log::debug!(
        target: "race", "launch {}: ended: {ended}, {left_out:?} in place of {watched:?}", grid.launch.number
    );
    if ended {
        let launched = m.engine.launches.ran.entry(grid.launch.kernel).or_default();
        launched.saving = Some(Saving { launch: grid.launch.number, watched, left_out });
    }
    Ok(())
}

/// How long a run took; nothing if it did not end.
fn timed(
    m: &mut Machine,
    grid: &Grid,
    blocks: u64,
    saved: &WhatIsSaved,
    watches_all: bool,
) -> Result<Option<Duration>, Stop> {
    (m.mem.unwatched, m.mem.proved_shared) =
        if watches_all { (false, None) } else { (saved.unwatched, saved.proved_shared.clone()) };
    let start = if watches_all { &saved.all } else { &saved.some };
    start.begin(m, true);
    let mut transaction = Transaction::begin(m, Keep::Whatever)?;
    m.engine.worker.limit_fuel(MOST);
    let started = Instant::now();
    let result = run_blocks(m, grid, blocks, true);
    let took = started.elapsed();
    let told = super::explore::take_back(m, &mut transaction)?;
    m.mem.abandon_races(&mut told.into_found().0);
    match result {
        Ok(()) => Ok(Some(took)),
        Err(stop @ (Stop::Internal(_) | Stop::Unsupported(_))) => Err(stop),
        // A limit of the whole run is met again at once.
        Err(_) => Ok(None),
    }
}
