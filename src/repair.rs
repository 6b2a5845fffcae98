//! Repairs that were tried. Where two threads of a block race, the help proposes a barrier only if one was put into the
//! program, the program was looked at and run again, and the race was gone.
//!
//! A barrier is put into the text ([`places`]), which is parsed and lowered as the program was: what is tried is what the help
//! says. Findings of both programs are compared by their places in the text before the change ([`change`]).

mod atomics;
mod change;
mod judge;
mod outline;
mod places;
mod trial;

pub use judge::{Analyses, Runs};
pub use trial::{Program, Ran, Rerun};

use cudair_ir::cost::WARP;
use cudair_ir::{Finding, LaunchDims, Repair, SourceMap, Trial, Unordered};
use judge::{Judge, Parting, Tried};
use places::{Barrier, Candidate, Candidates, candidates};
use std::cell::Cell;
use std::time::{Duration, Instant};

/// Findings for which repairs are tried, where nobody asks for more.
const FINDINGS: usize = 3;
/// Operations of a run that tries one, where nobody asks for more.
const FUEL: u64 = 400_000_000;
/// Candidates that are tried, where nobody asks for more.
const TRIALS: usize = 18;
/// The longest such run, and the time after which no other is tried. Nets: the limits above do not depend on the machine, and
/// on one that does little else they come first.
const LONGEST: Duration = Duration::from_secs(20);
const PATIENCE: Duration = Duration::from_mins(1);

/// What is tried at all.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Effort {
    /// Nothing: helps stay as they are.
    None,
    /// A few findings, in short runs.
    #[default]
    Some,
    /// All findings, however long it takes.
    All,
}

impl Effort {
    /// The most operations of one run, and its longest time.
    pub fn limits(self, fuel: u64) -> (u64, Option<Duration>) {
        match self {
            Effort::All => (fuel, None),
            _ => (fuel.min(FUEL), Some(LONGEST)),
        }
    }
}

/// Tries to mend findings whose help proposes a barrier. `textual`: the program is IR, which nobody changes.
pub fn mend(
    map: &SourceMap,
    findings: Vec<&mut Finding>,
    judge: &mut dyn Judge,
    effort: Effort,
    textual: bool,
) {
    if effort == Effort::None {
        return;
    }
    let begin = Instant::now();
    let findings: Vec<&mut Finding> = findings.into_iter().filter(|f| is_open(f)).collect();
    let mut searches: Vec<Search> = Vec::new();
    let (mut tried, trials) = (0, Cell::new(0));
    for finding in &findings {
        let few = effort == Effort::All || tried < FINDINGS;
        let may = || {
            trials.set(trials.get() + 1);
            few && (effort == Effort::All || trials.get() <= TRIALS && begin.elapsed() < PATIENCE)
        };
        let search = match &finding.unordered {
            Some(_) if textual => {
                Search { unknown: Some("the program is textual IR".to_owned()), ..Search::default() }
            }
            Some(race) => search(map, finding, race, &may, judge),
            None => Search::default(),
        };
        tried += usize::from(search.tried);
        searches.push(search);
    }
    // One barrier may mend many races, and then it is the one that is missing: what mends one is tried for all.
    let mut pool: Vec<(Candidate, Barrier)> = Vec::new();
    for Mend { candidate, barrier, .. } in searches.iter().flat_map(|s| &s.mends) {
        if !pool.iter().any(|(c, _)| c.changed.text == candidate.changed.text) {
            pool.push((candidate.clone(), *barrier));
        }
    }
    for (finding, mut search) in findings.into_iter().zip(searches) {
        let mut judged = false;
        for (candidate, barrier) in &pool {
            let Some(old) = places::text(map, &candidate.changed.file) else { continue };
            let tried = judge.judge(finding, candidate, &old, false);
            judged |= tried.is_some();
            if let Some(Tried::Mends(by, left)) = tried {
                search.mends.push(Mend { candidate: candidate.clone(), barrier: *barrier, by, left });
            }
        }
        // What mends others of one cause, and not this one, is not what this one lacks.
        if search.mends.is_empty() && judged {
            finding.cause = finding.cause.take().map(|cause| format!("{cause}, whatever mends others"));
        }
        conclude(finding, search);
    }
}

/// Whether a barrier may be what a finding lacks: not where all threads touch one place at a time.
fn is_open(finding: &Finding) -> bool {
    finding.unordered.is_some() && finding.help.is_some()
}

/// A candidate that mends a race.
struct Mend {
    candidate: Candidate,
    barrier: Barrier,
    by: Vec<Trial>,
    /// How many races are left.
    left: usize,
}

/// What the candidates for one finding came to.
#[derive(Default)]
struct Search {
    mends: Vec<Mend>,
    found: Candidates,
    diverges: Option<Parting>,
    fails: usize,
    unknown: Option<String>,
    /// Whether any was tried.
    tried: bool,
}

/// Tries the candidates for one finding, until one leaves no race. Where a block has several warps, two threads of one need
/// no barrier of the block, unless threads of different warps race as they do.
fn search(
    map: &SourceMap,
    finding: &Finding,
    race: &Unordered,
    may: &dyn Fn() -> bool,
    judge: &mut dyn Judge,
) -> Search {
    let mut out = Search::default();
    let block = LaunchDims::known(finding.dims.block);
    let warps = block.is_some_and(|b| b.iter().map(|&n| n as usize).product::<usize>() > WARP);
    let barriers: &[Barrier] = match (race.same_warp, warps) {
        (true, true) => &[Barrier::Warp, Barrier::Block],
        (true, false) => &[Barrier::Block, Barrier::Warp],
        (false, _) => &[Barrier::Block],
    };
    for &barrier in barriers {
        let found = candidates(map, race, barrier);
        for candidate in &found.list {
            let Some(old) = places::text(map, &candidate.changed.file) else { continue };
            match judge.judge(finding, candidate, &old, may()) {
                Some(Tried::Mends(by, left)) => {
                    out.mends.push(Mend { candidate: candidate.clone(), barrier, by, left });
                    if left == 0 {
                        break;
                    }
                }
                Some(Tried::Diverges(at)) if barrier == Barrier::Block => {
                    let told = out.diverges.filter(|known| known.line.is_some());
                    out.diverges = told.or(Some(at));
                }
                Some(Tried::Diverges(_) | Tried::Fails) => out.fails += 1,
                Some(Tried::Unknown(why)) => {
                    // No other candidate would run.
                    out.unknown.get_or_insert(why);
                }
                None => {
                    out.unknown.get_or_insert("`--repair` tries one for each race".to_owned());
                    return Search { found, ..out };
                }
            }
            out.tried = true;
        }
        if barrier == Barrier::Block {
            out.found = found;
        }
        if out.mends.iter().any(|m| m.left == 0 || m.barrier == Barrier::Block) {
            break;
        }
    }
    out
}

/// Says in a finding what came of the search.
fn conclude(finding: &mut Finding, search: Search) {
    // Of two that leave as many races the one of this finding comes first.
    let best = search.mends.into_iter().min_by_key(|m| m.left);
    if let Some(Mend { candidate, barrier, by, .. }) = best {
        let verified = if by.contains(&Trial::Run) {
            "verified: the program ran again with it, and this race is gone"
        } else {
            "verified by the analysis: with it, all threads come to the barrier, and this race is not found"
        };
        let elsewhere = candidate.changed.file.as_str();
        let elsewhere = Some(elsewhere).filter(|&f| finding.primary.as_ref().is_some_and(|p| p.file != f));
        let place = elsewhere.map(|file| format!("in {file}, ")).unwrap_or_default();
        let words = format!("{place}{}", candidate.words);
        let otherwise = finding.unordered.as_ref().and_then(|race| race.otherwise.as_ref());
        let words = otherwise.map(|o| format!("{o}, or {words}")).unwrap_or(words);
        finding.help = Some(format!("{words} ({verified})"));
        finding.repair = Some(Box::new(Repair {
            insert: barrier.call().to_owned(),
            edits: candidate.changed.edits,
            verified_by: by,
        }));
        return;
    }
    let Candidates { list, found, against, atomic } = search.found;
    let is_update = atomic.is_some();
    let instead = atomic.or_else(|| finding.unordered.as_ref()?.otherwise.clone());
    let why = if let Some(Parting { line, certain }) = search.diverges {
        let branch = match line {
            Some(line) if certain => format!(": the branch at line {line} depends on the thread"),
            Some(line) => format!(": the branch at line {line} may part the threads of a block"),
            None => String::new(),
        };
        Some(format!("no `__syncthreads()` can be inserted here without divergence{branch}"))
    } else if let Some(against) = against.filter(|_| search.fails == 0) {
        Some(format!("no barrier orders them: {against}"))
    } else if let Some(why) = search.unknown.filter(|_| !is_update) {
        Some(format!("something has to order the two accesses; no barrier was tried: {why}"))
    } else if search.fails > 0 {
        Some(match search.fails {
            1 => "the one place for a `__syncthreads()` was tried, and it does not mend this".to_owned(),
            n => format!("a `__syncthreads()` was tried at {n} places, and none mends this"),
        })
    } else if !found {
        Some("something has to order the two accesses; no barrier was tried: where it could stand is not known".to_owned())
    } else if list.is_empty() && !is_update {
        Some(
            "there is no place between the two accesses where a barrier could stand: use an atomic operation, or let \
             each thread write an element of its own"
                .to_owned(),
        )
    } else {
        None
    };
    let said: Vec<String> = instead.into_iter().chain(why).collect();
    finding.help = Some(said.join("; "));
}
