//! Repairs that were tried. Where two threads of a block race, the help proposes a barrier only if one was put into the
//! program, the program was looked at and run again, and the race was gone.
//!
//! A barrier is put into the text ([`places`]), which is parsed and lowered as the program was: what is tried is what the help
//! says. Findings of both programs are compared by their places in the text before the change ([`change`]).

mod change;
mod outline;
mod places;
mod trial;

pub use trial::{Program, Rerun};

use change::Changed;
use cudair_ir::{Certainty, Finding, Kind, Module, Repair, SourceMap, Span, Trial, Unordered};
use cudair_passes::check::{CheckOptions, Checked};
use cudair_passes::transform::Pipeline;
use cudair_vm::Choice;
use places::{Barrier, Candidate, Candidates, candidates};
use rustc_hash::{FxHashMap, FxHashSet};
use std::time::{Duration, Instant};
use trial::{Key, Ran, back, is_bad, key};

/// Findings for which repairs are tried, where nobody asks for more.
const FINDINGS: usize = 3;
/// Operations of a run that tries one, where nobody asks for more.
const FUEL: u64 = 100_000_000;
/// The longest such run, and the time after which no other is tried. Nets: the limits above do not depend on the machine.
const LONGEST: Duration = Duration::from_secs(10);
const PATIENCE: Duration = Duration::from_secs(20);

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

/// What came of one candidate.
enum Tried {
    /// The race is gone and nothing else is wrong.
    Mends(Vec<Trial>),
    /// Not all threads come to the barrier: where they part.
    Diverges(Option<Span>),
    /// The race is still there, or something else is wrong.
    Fails,
    /// Nobody knows.
    Unknown(String),
}

/// The trials of one command.
pub struct Repairs<'a> {
    /// The program.
    pub program: Program<'a>,
    /// What the analyses are asked for, but for the kernel.
    pub options: CheckOptions,
    /// Whether a solver may be started.
    pub solver: bool,
    /// How much is tried.
    pub effort: Effort,
}

/// What tries a candidate; none where that was not done before and would be too much.
type Try<'t> = dyn FnMut(&Finding, &Candidate, &str, bool) -> Option<Tried> + 't;

/// A text before and after a change.
type Change<'c> = Option<(&'c Changed, &'c str)>;

impl Repairs<'_> {
    /// Tries to mend what a run found in a module, by running it again.
    pub fn after_run(
        &self,
        module: &Module,
        (findings, all_found): (Vec<&mut Finding>, &[Finding]),
        rerun: &Rerun<'_>,
        choice: &dyn Fn(&Module) -> Option<Choice>,
        launches: u64,
    ) {
        let known: FxHashSet<Key> = all_found.iter().map(|f| key(f, None)).collect();
        let mut diverging: FxHashMap<String, FxHashSet<Key>> = FxHashMap::default();
        let mut programs: FxHashMap<(String, Option<u64>), Option<(Module, Result<Ran, String>)>> =
            FxHashMap::default();
        let passes = Pipeline::machine();
        let mut one = |finding: &Finding, candidate: &Candidate, old: &str, may: bool| {
            let changed = &candidate.changed;
            let name = (changed.text.clone(), finding.seed);
            if !may && !programs.contains_key(&name) {
                return None;
            }
            let run = programs.entry(name).or_insert_with(|| {
                let new = self.program.compile(changed, &passes)?;
                let ran = choice(&new)
                    .ok_or_else(String::new)
                    .and_then(|c| rerun.run(new.clone(), c, finding.seed));
                Some((new, ran))
            });
            let Some((new, ran)) = run else { return Some(Tried::Fails) };
            let options = self.on_kernel(finding);
            let kernel = finding.kernel.clone().unwrap_or_default();
            let before = diverging.entry(kernel).or_insert_with(|| {
                trial::divergence(module, &options, false).iter().map(|f| key(f, None)).collect()
            });
            let change = Some((changed, old));
            let parts = |f: &Finding| !before.contains(&key(f, change));
            let mut bad = trial::divergence(new, &options, false);
            bad.retain(parts);
            if self.solver && !bad.is_empty() && bad.iter().all(|f| f.certainty == Certainty::Possible) {
                bad = trial::divergence(new, &options, true);
                bad.retain(parts);
            }
            if let Some(f) = bad.first() {
                return Some(Tried::Diverges(branch(f, change)));
            }
            Some(match ran {
                Ok(ran) if ran.launches < launches => Tried::Fails,
                Ok(ran) => {
                    let bad = ran.findings.iter().find(|f| is_bad(f) && !known.contains(&key(f, change)));
                    let waits = bad.filter(|f| f.kind == Kind::BarrierDivergence);
                    match (waits, bad) {
                        (Some(_), _) => Tried::Diverges(None),
                        (None, Some(_)) => Tried::Fails,
                        (None, None) if is_there(finding, ran.findings.iter(), change) => Tried::Fails,
                        (None, None) => Tried::Mends(vec![Trial::Analysis, Trial::Run]),
                    }
                }
                Err(why) if self.solver => {
                    let [a, b] = [module, new].map(|m| trial::check(m, &options));
                    match by_analysis(finding, &a, &b, change) {
                        // What the analysis never found is not gone.
                        Tried::Mends(_) if !is_there(finding, all(&a), None) => Tried::Unknown(why.clone()),
                        Tried::Fails => Tried::Unknown(why.clone()),
                        tried => tried,
                    }
                }
                Err(why) => Tried::Unknown(why.clone()),
            })
        };
        self.each(&module.source, findings, &mut one);
    }

    /// Tries to mend what the analyses found, by looking again.
    pub fn after_check(&self, module: &Module, findings: Vec<&mut Finding>) {
        let mut before: FxHashMap<Option<String>, Checked> = FxHashMap::default();
        let mut programs: FxHashMap<(String, Option<String>), Option<Checked>> = FxHashMap::default();
        let passes = Pipeline::default();
        let mut one = |finding: &Finding, candidate: &Candidate, old: &str, may: bool| {
            let changed = &candidate.changed;
            let name = (changed.text.clone(), finding.kernel.clone());
            if !may && !programs.contains_key(&name) {
                return None;
            }
            let checked = programs.entry(name).or_insert_with(|| {
                Some(trial::check(&self.program.compile(changed, &passes)?, &self.on_kernel(finding)))
            });
            let before = before.entry(finding.kernel.clone());
            let before = before.or_insert_with(|| trial::check(module, &self.on_kernel(finding)));
            Some(match checked {
                Some(checked) => by_analysis(finding, before, checked, Some((changed, old))),
                None => Tried::Fails,
            })
        };
        self.each(&module.source, findings, &mut one);
    }

    fn on_kernel(&self, finding: &Finding) -> CheckOptions {
        CheckOptions { kernel: finding.kernel.clone(), every_pair: true, ..self.options.clone() }
    }

    /// Goes through the findings whose help proposes a barrier.
    fn each(&self, map: &SourceMap, findings: Vec<&mut Finding>, one: &mut Try<'_>) {
        if self.effort == Effort::None {
            return;
        }
        let begin = Instant::now();
        let textual = self.program.files.iter().any(|f| f.extension().is_some_and(|e| e == "cir"));
        let mut tried = 0;
        for finding in findings {
            let Some(race) = finding.unordered.clone() else { continue };
            let few = self.effort == Effort::All || tried < FINDINGS;
            let may = || few && (self.effort == Effort::All || begin.elapsed() < PATIENCE);
            let search = if textual {
                Search { unknown: Some("the program is textual IR".to_owned()), ..Search::default() }
            } else {
                search(map, finding, &race, &may, one)
            };
            tried += usize::from(search.tried);
            conclude(finding, &race, search);
        }
    }
}

/// What the candidates for one finding came to.
#[derive(Default)]
struct Search {
    mends: Option<(Candidate, Barrier, Vec<Trial>)>,
    found: Candidates,
    diverges: Option<Option<Span>>,
    fails: usize,
    unknown: Option<String>,
    /// Whether any was tried.
    tried: bool,
}

/// Tries the candidates for one finding.
fn search(
    map: &SourceMap,
    finding: &Finding,
    race: &Unordered,
    may: &dyn Fn() -> bool,
    one: &mut Try<'_>,
) -> Search {
    let mut out = Search::default();
    let mut barriers = vec![Barrier::Block];
    barriers.extend(race.same_warp.then_some(Barrier::Warp));
    for barrier in barriers {
        let found = candidates(map, race, barrier);
        for candidate in &found.list {
            let Some(old) = places::text(map, &candidate.changed.file) else { continue };
            match one(finding, candidate, &old, may()) {
                Some(Tried::Mends(by)) => {
                    out.mends = Some((candidate.clone(), barrier, by));
                    out.tried = true;
                    return out;
                }
                Some(Tried::Diverges(at)) if barrier == Barrier::Block => {
                    let known = out.diverges.take().flatten();
                    out.diverges = Some(known.or(at));
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
    }
    out
}

/// Says in a finding what came of the search.
fn conclude(finding: &mut Finding, race: &Unordered, search: Search) {
    if let Some((candidate, barrier, by)) = search.mends {
        let verified = match by.contains(&Trial::Run) {
            true => "the program ran again with it, and this race is gone",
            false => {
                "the analysis looked again: with it, all threads come to the barrier and this race is not found"
            }
        };
        finding.help = Some(format!("{} (verified: {verified})", candidate.words));
        finding.repair = Some(Box::new(Repair {
            insert: barrier.call().to_owned(),
            edits: candidate.changed.edits,
            verified_by: by,
        }));
        return;
    }
    let Candidates { list, against, atomic } = search.found;
    let why = if let Some(Some(at)) = &search.diverges {
        Some(format!(
            "no `__syncthreads()` can be inserted here without divergence: the branch at line {} depends on the \
             thread",
            at.start.line
        ))
    } else if search.diverges.is_some() {
        Some("no `__syncthreads()` can be inserted here without divergence".to_owned())
    } else if let Some(against) = against.filter(|_| search.fails == 0) {
        Some(format!("no barrier orders them: {against}"))
    } else if let Some(why) = search.unknown {
        Some(format!("something has to order the two accesses; no barrier was tried: {why}"))
    } else if search.fails > 0 {
        Some(match search.fails {
            1 => "the one place for a `__syncthreads()` was tried, and it does not mend this".to_owned(),
            n => format!("a `__syncthreads()` was tried at {n} places, and none mends this"),
        })
    } else if list.is_empty() && atomic.is_none() {
        Some("there is no place between the two accesses where a barrier could stand".to_owned())
    } else {
        None
    };
    let instead = match (atomic, &race.otherwise) {
        (Some(atomic), _) => Some(atomic),
        (None, otherwise) => otherwise.clone(),
    };
    let said: Vec<String> = instead.into_iter().chain(why).collect();
    finding.help = Some(said.join("; "));
}

fn all(checked: &Checked) -> impl Iterator<Item = &Finding> {
    checked.findings.iter().chain(&checked.possible)
}

/// What the analyses say of a change.
fn by_analysis(finding: &Finding, before: &Checked, after: &Checked, change: Change<'_>) -> Tried {
    let known: FxHashSet<Key> = all(before).map(|f| key(f, None)).collect();
    match all(after).find(|f| is_bad(f) && !known.contains(&key(f, change))) {
        Some(f) if f.kind == Kind::BarrierDivergence => Tried::Diverges(branch(f, change)),
        Some(_) => Tried::Fails,
        None if is_there(finding, all(after), change) => Tried::Fails,
        None => Tried::Mends(vec![Trial::Analysis]),
    }
}

/// Whether a race is among findings, in whatever words: one of its kind between the same two places, through the same
/// calls.
fn is_there<'f>(finding: &Finding, list: impl Iterator<Item = &'f Finding>, change: Change<'_>) -> bool {
    let sides = |f: &Finding, change: Change<'_>| {
        let race = f.unordered.as_ref()?;
        let place = |s: &Span| (s.file.clone(), back(s, change));
        let mut sides = race.sides.each_ref().map(|s| s.iter().map(place).collect::<Vec<_>>());
        sides.sort();
        Some((f.kind, f.kernel.clone(), sides))
    };
    let (wanted, race) = (key(finding, None), sides(finding, None));
    let mut list = list;
    list.any(|f| key(f, change) == wanted || race.is_some() && sides(f, change) == race)
}

/// The branch that parts the threads of a finding about a barrier, where it was before a change.
fn branch(finding: &Finding, change: Change<'_>) -> Option<Span> {
    let mut at = finding.related.iter().find(|s| s.label.starts_with("control flow depends"))?.clone();
    at.start = back(&at, change);
    Some(at)
}
