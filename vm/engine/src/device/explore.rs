//! Other orders of a launch with locks.
//!
//! The default order of threads is the one in which a lock or a loop around a compare-and-swap meets no resistance:
//! threads take it one after the other. So a launch with one runs under a few seeds, too, each as a transaction that is
//! taken back and prints nothing. What the default order does to memory stands; what a seed finds besides is told with
//! that seed. The lengths are counted and not timed, so that a program is always told the same.

use super::grid::{Grid, run_blocks};
use super::launch::{RaceStart, no_memory};
use super::schedule::Random;
use super::transaction::{Told, Transaction};
use crate::faults::UbLog;
use crate::machine::Machine;
use cudair_ir::{AtomicOp, FuncId, InstData, Module, may_run};
use cudair_lane::fault::{Place, SiteRef, Stop};
use cudair_memory::Keep;
use cudair_race::records::ReadUses;
use cudair_report::Findings;
use rustc_hash::FxHashMap;

/// Seeds of a launch.
const SEEDS: u64 = 8;
/// Operations (back edges, calls and threads) that a launch may take in the default order.
pub(super) const MOST: u64 = 100_000;
/// What a seed may take of the default order's operations.
const PATIENCE: u64 = 8;
/// Accesses to memory, by lane, behind which a launch runs under no further seed: where thousands of threads want one
/// word, a seed costs many times what the default order does.
const EFFORT: u64 = 200_000;
/// Launches of one kernel that run under seeds; others of it do the same as a rule.
const LAUNCHES: u32 = 16;

/// What is known of the kernels launched so far.
#[derive(Debug, Default)]
pub(crate) struct Locks {
    /// Whether a kernel may wait for a lock, and how many of its launches ran under seeds.
    kernels: FxHashMap<FuncId, (bool, u32)>,
}

/// What a seed has shown.
pub(crate) struct Seeded {
    seed: u64,
    findings: Findings,
    ub: UbLog,
}

/// Whether a launch is to run under seeds if it is short.
pub(super) fn is_wanted(m: &mut Machine, grid: &Grid, threads: u64) -> bool {
    // A run under a seed shows its own order alone; in one of several seeds the others do.
    let free = m.config.seed.is_none() && m.config.explores && threads > 1 && threads <= MOST;
    if !free || !m.config.check_global_races || m.cuda.is_nested() || m.mem.grid.touches.is_some() {
        return false;
    }
    let module = m.module.clone();
    let kernel = grid.launch.kernel;
    let uses = &m.mem.grid.uses;
    let &mut (has, runs) =
        m.engine.launches.locks.kernels.entry(kernel).or_insert_with(|| (has_lock(&module, kernel, uses), 0));
    has && runs < LAUNCHES
}

/// Whether a kernel, or what it calls, has a compare-and-swap or an exchange whose result keeps a thread in a loop.
fn has_lock(module: &Module, kernel: FuncId, uses: &ReadUses) -> bool {
    may_run(module, kernel).into_iter().any(|id| {
        let func = &module.funcs[id];
        func.layout.iter().flat_map(|&b| func.block_insts(b)).any(|&inst| match func.insts[inst] {
            InstData::AtomicCas { site, .. } | InstData::AtomicRmw { op: AtomicOp::Xchg, site, .. } => {
                uses.of(Place::Site(SiteRef { func: id, site })).waits
            }
            _ => false,
        })
    })
}

/// Runs a launch under seeds; the machine is as before. `ops` is what the default order took. Gives what each has
/// shown, and the limit of the whole run where that was met.
///
/// # Errors
/// Defects.
pub(super) fn run(
    m: &mut Machine,
    grid: &mut Grid,
    blocks: u64,
    ops: u64,
    races: &RaceStart,
) -> Result<(Vec<Seeded>, Option<Stop>), Stop> {
    if let Some(known) = m.engine.launches.locks.kernels.get_mut(&grid.launch.kernel) {
        known.1 += 1;
    }
    let mut shown = Vec::new();
    let mut limit = None;
    m.engine.worker.accesses = 0;
    for seed in 0..SEEDS {
        if m.engine.worker.accesses > EFFORT {
            break;
        }
        log::debug!(target: "race", "launch {}: seed {seed}", grid.launch.number);
        grid.random = Some(Random::new(seed).part(grid.launch.number));
        match under(m, grid, blocks, ops, (seed, races)) {
            Err(stop @ Stop::Limit(_)) => {
                limit = Some(stop);
                break;
            }
            found => shown.push(found?),
        }
    }
    grid.random = None;
    Ok((shown, limit))
}

fn under(
    m: &mut Machine,
    grid: &Grid,
    blocks: u64,
    ops: u64,
    (seed, races): (u64, &RaceStart),
) -> Result<Seeded, Stop> {
    races.begin(m, true);
    let mut transaction = Transaction::begin(m, Keep::Whatever)?;
    m.engine.worker.limit_fuel(PATIENCE * ops + u64::from(crate::engine_state::BUDGET));
    let result = run_blocks(m, grid, blocks, true);
    let suspicious = m.mem.wants_second_run();
    let told = take_back(m, &mut transaction)?;
    let (mut findings, ub) = told.into_found();
    let found = |result: Result<(), Stop>, findings: &mut Findings| match result {
        Ok(()) => Ok(()),
        Err(Stop::Fault(mut fault)) => {
            fault.launch = fault.launch.or(Some(grid.launch_ref));
            findings.note_any(*fault);
            Ok(())
        }
        // It took much longer in this order. The run's own limit is no matter of it.
        Err(Stop::Limit(d)) if !m.config.watch.is_interrupted() => {
            drop(d);
            Ok(())
        }
        Err(stop) => Err(stop),
    };
    found(result, &mut findings)?;
    if suspicious {
        let mut transaction = Transaction::begin(m, Keep::Whatever)?;
        m.engine.worker.limit_fuel(PATIENCE * ops + u64::from(crate::engine_state::BUDGET));
        let again = run_blocks(m, grid, blocks, true);
        drop(take_back(m, &mut transaction)?);
        if let Err(stop @ (Stop::Internal(_) | Stop::Unsupported(_))) = again {
            return Err(stop);
        }
        m.mem.end_races(&mut findings);
    } else {
        m.mem.abandon_races(&mut findings);
    }
    m.config.watch.check()?;
    Ok(Seeded { seed, findings, ub })
}

/// Takes a run back that was to be taken back in any case.
///
/// # Errors
/// No memory was left for what was to be kept of it: the run of the program ends. Defects.
pub(super) fn take_back(m: &mut Machine, transaction: &mut Transaction) -> Result<Told, Stop> {
    if m.mem.may_roll_back() {
        return transaction.roll_back(m);
    }
    transaction.commit(m)?;
    Err(no_memory())
}

impl Machine {
    /// What seeds have shown of a launch that stands: what the default order has not.
    pub(super) fn absorb_seeded(&mut self, shown: Vec<Seeded>) {
        for Seeded { seed, findings, ub } in shown {
            let new = self.engine.worker.ub.unknown(ub);
            self.findings.absorb_seeded(findings, new, seed);
        }
    }
}
