//! Accesses that the race detector need not see: those at sites that are proved free of races in a launch
//! ([`cudair_ir::RaceFacts`]).
//!
//! An object is left out if every access of the launch that may touch it is at such a site: no race is lost then, since
//! both of its accesses would be at others. What else watches an access stays: bounds, lifetimes, initialisation, and the
//! pages that a second run puts back.
//!
//! A proof speaks of the launch alone. So nobody asks where the launch overlaps with what other streams or the host do:
//! there all accesses leave the record that is compared. Nor does anybody ask in launches by kernels, and in clusters.

use super::footprint::{self, Objects};
use super::grid::KernelShared;
use crate::config::Elision;
use crate::machine::{GridLaunch, Machine};
use cudair_ir::*;
use cudair_lane::fault::{LaunchRef, Place, SiteRef, Stop};
use cudair_lane::ptr::{Ptr, Tag};
use cudair_race::MayTouch;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// Threads that a kernel has had in its launches so far, from which on the first question about it is worth its time.
const WORTH: u64 = 1 << 15;
/// Each further question has to wait for so many times more, as a power of two: a kernel whose arguments change from launch
/// to launch is not asked about each time.
const FURTHER: u32 = 2;

/// What is known of a kernel's launches.
#[derive(Debug, Default)]
pub(crate) struct Asked {
    /// Threads that it has had so far.
    threads: u64,
    /// What was asked and answered. An answer holds of all launches that it covers.
    answers: Vec<(LaunchShape, Arc<RaceFacts>)>,
    /// Whether the kernel looks at how many blocks there are.
    counts_blocks: bool,
    /// Whether the time was measured that a launch of it saves, or was found to be too long to be measured.
    measured: bool,
}

impl Asked {
    /// What is known of a launch.
    fn answer(&self, shape: &LaunchShape) -> Option<&Arc<RaceFacts>> {
        self.answers.iter().find(|(of, _)| covers(of, shape, self.counts_blocks)).map(|(_, facts)| facts)
    }

    /// Questions whose answers hold of this launch and of others, the most general one first: arguments in which it differs
    /// from launches that were asked about are unknown in them, and there are as many blocks as in any of these, or as here.
    fn general(&self, shape: &LaunchShape) -> Vec<LaunchShape> {
        let mut here = shape.clone();
        let mut most = shape.grid;
        for (of, _) in &self.answers {
            if (of.block, of.dynamic_shared) != (shape.block, shape.dynamic_shared) {
                continue;
            }
            if !self.counts_blocks {
                most = std::array::from_fn(|n| most[n].max(of.grid[n]));
            }
            here.args.iter_mut().zip(&of.args).filter(|(a, b)| a != b).for_each(|(a, _)| *a = None);
        }
        let mut out = vec![LaunchShape { grid: most, ..here.clone() }, here];
        out.dedup();
        out.retain(|general| general != shape);
        out
    }

    /// The kernel is asked about from its first launch on.
    #[cfg(test)]
    pub(crate) fn at_once(&mut self) {
        self.threads = WORTH;
    }

    /// Whether no launch of the kernel was measured before this one.
    pub(super) fn is_first(&mut self) -> bool {
        !std::mem::replace(&mut self.measured, true)
    }
}

/// Whether a proof for one launch holds of another one: of fewer blocks of the same threads, which do the same as there, since
/// they do not look at how many there are; with any arguments where the proof knows none.
fn covers(of: &LaunchShape, launch: &LaunchShape, counts_blocks: bool) -> bool {
    let fits = |(of, n): (&u32, &u32)| if counts_blocks { of == n } else { of >= n };
    (of.block, of.dynamic_shared) == (launch.block, launch.dynamic_shared)
        && of.grid.iter().zip(&launch.grid).all(fits)
        && of.args.iter().zip(&launch.args).all(|(of, arg)| of.is_none() || of == arg)
}

/// Whether a kernel looks at how many blocks there are.
fn counts_blocks(kernel: &Function) -> bool {
    use SpecialReg::{NctaidX, NctaidY, NctaidZ};
    kernel.insts.values().any(|i| matches!(i, InstData::Special { reg: NctaidX | NctaidY | NctaidZ }))
}

/// What is known of the launches of each kernel.
pub(crate) type Answers = FxHashMap<FuncId, Asked>;

/// Asks what is proved of a launch's races. Nothing where the answer would not serve, or a premise does not hold.
pub(super) fn facts(m: &mut Machine, launch: &GridLaunch, shape: &LaunchShape) -> Option<Arc<RaceFacts>> {
    let config = &m.config;
    let alone = m.mem.grid.touches.is_none() && !m.cuda.is_nested();
    if config.elision == Elision::Off || !alone || launch.cluster != [1; 3] {
        return None;
    }
    let always = config.elision == Elision::Check;
    let asked = m.engine.launches.elision.entry(launch.kernel).or_default();
    asked.threads = asked.threads.saturating_add(volume(shape.grid).saturating_mul(volume(shape.block)));
    let facts = match asked.answer(shape) {
        Some(known) => known.clone(),
        None => {
            let times = FURTHER.saturating_mul(asked.answers.len() as u32);
            if !always && (times >= u64::BITS || asked.threads >> times < WORTH) {
                return None;
            }
            asked.counts_blocks = counts_blocks(&m.module.funcs[launch.kernel]);
            let ask = |shape: &LaunchShape| Arc::new(m.oracle.races(&m.module, launch.kernel, shape));
            // What holds of launches with other arguments, too, need not be asked again. What is proved of this one alone may
            // be more.
            let known = asked.answers.iter().map(|(_, facts)| facts.free.len()).max();
            let mut questions = asked.general(shape).into_iter().map(|general| (ask(&general), general));
            let found = questions.find(|(facts, _)| known.is_some_and(|n| facts.free.len() >= n));
            let (facts, of) = found.unwrap_or_else(|| (ask(shape), shape.clone()));
            asked.answers.push((of, facts.clone()));
            facts
        }
    };
    let any = !facts.free.is_empty();
    let number = launch.number;
    log::debug!(target: "race", "launch {number}: {} sites are proved free of races", facts.free.len());
    (any && (!facts.distinct || are_distinct(m, launch))).then_some(facts)
}

/// Whether what pointer parameters point to are different objects, none of which is a variable.
fn are_distinct(m: &Machine, launch: &GridLaunch) -> bool {
    let params = &m.module.funcs[launch.kernel].sig.params;
    let pointers =
        params.iter().zip(&launch.args).filter(|(p, _)| p.ty.is_ptr() && p.attr == ParamAttr::None);
    let mut seen: Vec<u32> =
        m.globals.values().filter(|p| p.tag() == Tag::Table).map(|p| p.serial()).collect();
    for (_, &bits) in pointers {
        let ptr = Ptr(bits as u64);
        if ptr.is_null() {
            continue;
        }
        if ptr.tag() != Tag::Table || seen.contains(&ptr.serial()) {
            return false;
        }
        seen.push(ptr.serial());
    }
    true
}

/// Which of a launch's objects the detector need not see, put into `touched`; gives the same of shared variables, by number in
/// the layout. Where `keeps` holds for an object, its pages are kept all the same.
pub(super) fn leave_out(
    m: &mut Machine,
    launch: &GridLaunch,
    facts: &RaceFacts,
    (touched, shared): (&mut MayTouch, &KernelShared),
    keeps: impl Fn(u32) -> bool,
) -> Vec<bool> {
    let Some(watched) = footprint::unproved(m, launch, facts) else {
        return vec![false; shared.len()];
    };
    let accesses = footprint::unwatched(m, launch, &watched);
    if accesses.unwatched > 0 {
        m.engine.launches.ran.entry(launch.kernel).or_default().accesses.add(accesses);
    }
    let Objects { table, globals } = watched;
    if let Some(writes) = &touched.writes {
        touched.proved = writes.iter().copied().filter(|o| !table.contains(o)).collect();
        touched.unheard = touched.proved.iter().copied().filter(|&o| !keeps(o)).collect();
    }
    let mut proved = shared.proved_by_default();
    for n in globals.iter().filter_map(|g| shared.number(*g)) {
        proved[n] = false;
    }
    proved
}

/// The places of a launch that are proved free of races, for findings to be compared with.
pub(super) fn places(kernel: FuncId, facts: &RaceFacts) -> Arc<rustc_hash::FxHashSet<Place>> {
    Arc::new(facts.free.iter().map(|&site| Place::Site(SiteRef { func: kernel, site })).collect())
}

/// A defect where a race was found at a place that is proved free of races.
pub(super) fn confirm(m: &mut Machine, launch: LaunchRef) -> Result<(), Stop> {
    m.findings.free = None;
    let Some(race) = m.findings.contradiction.take() else { return Ok(()) };
    let module = &m.module;
    let name = &module.funcs[launch.kernel].display_name;
    let at = |place: Place| {
        let Place::Site(SiteRef { func, site }) = place else { return "a place that is unknown".to_owned() };
        let loc = module.funcs.get(func).and_then(|f| f.sites.get(site)).and_then(|s| s.loc.expand());
        match loc.map(|loc| Span::new(&module.source, loc, "")) {
            Some(span) => format!("{}:{}:{}", span.file, span.start.line, span.start.col),
            None => format!("{site}"),
        }
    };
    let [a, b] = race.sides.each_ref().map(|side| at(side.place));
    Err(Stop::internal(format!(
        "launch {} of `{name}` races at {a} and {b}, and one of these is proved free of races in it (from the launch's \
         shape and arguments; premise: what its pointers point to are different objects)",
        launch.number
    )))
}
