//! What a trial of a candidate says of a finding.

use super::change::Changed;
use super::places::Candidate;
use super::trial::{self, Key, Program, Ran, Rerun, back, is_bad, key};
use cudair_ir::{Certainty, Finding, Kind, Module, Span, Trial};
use cudair_passes::check::{CheckOptions, Checked};
use cudair_passes::transform::Pipeline;
use cudair_vm::Choice;
use rustc_hash::{FxHashMap, FxHashSet};

/// What came of one candidate.
pub enum Tried {
    /// The race is gone and nothing else is wrong: what has shown it, and how many races of the kernel are left that a
    /// barrier may mend.
    Mends(Vec<Trial>, usize),
    /// Not all threads come to the barrier.
    Diverges(Parting),
    /// The race is still there, or something else is wrong.
    Fails,
    /// Nobody knows.
    Unknown(String),
}

/// That not all threads of a block come to a barrier.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Parting {
    /// The line of the branch that parts them, as far as it is known.
    pub line: Option<u32>,
    /// Whether they part for sure.
    pub certain: bool,
}

/// A text before and after a change.
type Change<'c> = Option<(&'c Changed, &'c str)>;

/// Tries candidates.
pub trait Judge {
    /// What a candidate, put into a text, does for a finding. None where it was not tried before and `may` not be now.
    fn judge(&mut self, finding: &Finding, candidate: &Candidate, old: &str, may: bool) -> Option<Tried>;
}

/// A changed text, and the kernel that is looked at.
type Name = (String, String, Option<String>);

fn name(finding: &Finding, changed: &Changed) -> Name {
    (changed.file.clone(), changed.text.clone(), finding.kernel.clone())
}

/// Looks at changed programs.
pub struct Analyses<'a> {
    /// The program.
    pub program: Program<'a>,
    /// Its module.
    pub module: &'a Module,
    /// The passes behind it.
    pub passes: Pipeline,
    /// What the analyses are asked for, but for the kernel.
    pub options: CheckOptions,
    /// Whether a solver may be started.
    pub solver: bool,
    before: FxHashMap<Option<String>, Checked>,
    after: FxHashMap<Name, Option<Checked>>,
}

impl<'a> Analyses<'a> {
    /// Nothing was looked at.
    pub fn new(
        program: Program<'a>,
        module: &'a Module,
        passes: Pipeline,
        options: CheckOptions,
        solver: bool,
    ) -> Analyses<'a> {
        let (before, after) = (FxHashMap::default(), FxHashMap::default());
        Analyses { program, module, passes, options, solver, before, after }
    }

    fn on_kernel(&self, finding: &Finding) -> CheckOptions {
        CheckOptions { kernel: finding.kernel.clone(), every_pair: true, ..self.options.clone() }
    }
}

impl Judge for Analyses<'_> {
    fn judge(&mut self, finding: &Finding, candidate: &Candidate, old: &str, may: bool) -> Option<Tried> {
        let (changed, options) = (&candidate.changed, self.on_kernel(finding));
        let name = name(finding, changed);
        if !may && !self.after.contains_key(&name) {
            return None;
        }
        let Analyses { program, module, passes, solver, before, after, .. } = self;
        let after = after
            .entry(name)
            .or_insert_with(|| Some(trial::check(&program.compile(changed, passes)?, &options, *solver)));
        let Some(after) = after else { return Some(Tried::Fails) };
        let before =
            before.entry(finding.kernel.clone()).or_insert_with(|| trial::check(module, &options, *solver));
        Some(compare(finding, before, after, Some((changed, old))))
    }
}

/// Runs changed programs.
pub struct Runs<'a> {
    /// What looks at them first.
    pub analyses: Analyses<'a>,
    /// How they run.
    pub rerun: Rerun<'a>,
    /// The launches that are reported on.
    pub choice: &'a dyn Fn(&Module) -> Option<Choice>,
    /// What the first run came to.
    pub first: Ran,
    programs: FxHashMap<(Name, Option<u64>), Option<Seen>>,
    diverging: FxHashMap<Option<String>, FxHashSet<Key>>,
    /// Why no program can run again.
    hopeless: Option<String>,
}

/// A changed program that was looked at, and ran where that did not find threads that part.
enum Seen {
    Diverges(Parting),
    Ran(Result<Ran, String>),
}

impl<'a> Runs<'a> {
    /// Nothing ran again.
    pub fn new(
        analyses: Analyses<'a>,
        rerun: Rerun<'a>,
        choice: &'a dyn Fn(&Module) -> Option<Choice>,
        first: Ran,
    ) -> Runs<'a> {
        let (programs, diverging) = (FxHashMap::default(), FxHashMap::default());
        Runs { analyses, rerun, choice, first, programs, diverging, hopeless: None }
    }

    /// Looks at a program, and runs it.
    fn see(&mut self, finding: &Finding, changed: &Changed, old: &str) -> Option<Seen> {
        let Analyses { program, module, passes, solver, .. } = &self.analyses;
        let options = self.analyses.on_kernel(finding);
        let new = program.compile(changed, passes)?;
        let before = self.diverging.entry(finding.kernel.clone()).or_insert_with(|| {
            trial::divergence(module, &options, false).iter().map(|f| key(f, None)).collect()
        });
        let change = Some((changed, old));
        let parts = |f: &Finding| !before.contains(&key(f, change));
        let mut bad = trial::divergence(&new, &options, false);
        bad.retain(parts);
        if *solver && !bad.is_empty() && bad.iter().all(|f| f.certainty == Certainty::Possible) {
            bad = trial::divergence(&new, &options, true);
            bad.retain(parts);
        }
        Some(match bad.first() {
            Some(f) => Seen::Diverges(parting(f, change)),
            None => {
                let choice = (self.choice)(&new)?;
                let ran = match &self.hopeless {
                    Some(why) => Err(why.clone()),
                    None => self.rerun.run(new, choice, finding.seed),
                };
                self.hopeless = ran.as_ref().err().cloned();
                Seen::Ran(ran)
            }
        })
    }

    /// What a second run says.
    fn compare(&self, finding: &Finding, ran: &Ran, change: Change<'_>) -> Tried {
        if ran.launches < self.first.launches || ran.unlooked > self.first.unlooked {
            return Tried::Fails;
        }
        let known = keys(self.first.findings.iter());
        match ran.findings.iter().find(|f| is_bad(f) && !known.contains(&key(f, change))) {
            Some(f) if f.kind == Kind::BarrierDivergence => {
                Tried::Diverges(Parting { line: None, certain: true })
            }
            Some(_) => Tried::Fails,
            None if is_there(finding, ran.findings.iter(), change) => Tried::Fails,
            None => Tried::Mends(vec![Trial::Analysis, Trial::Run], races(finding, ran.findings.iter())),
        }
    }
}

impl Judge for Runs<'_> {
    fn judge(&mut self, finding: &Finding, candidate: &Candidate, old: &str, may: bool) -> Option<Tried> {
        let changed = &candidate.changed;
        let name = (name(finding, changed), finding.seed);
        if !self.programs.contains_key(&name) {
            if !may || self.rerun.monitor.is_to_end() {
                return None;
            }
            let seen = self.see(finding, changed, old);
            self.programs.insert(name.clone(), seen);
        }
        let why = match self.programs.get(&name)? {
            None => return Some(Tried::Fails),
            Some(Seen::Diverges(at)) => return Some(Tried::Diverges(*at)),
            Some(Seen::Ran(Ok(ran))) => return Some(self.compare(finding, ran, Some((changed, old)))),
            Some(Seen::Ran(Err(why))) => why.clone(),
        };
        let tried = self.analyses.judge(finding, candidate, old, may)?;
        let before = self.analyses.before.get(&finding.kernel);
        // What the analysis never found is not gone.
        let found = before.is_some_and(|before| is_there(finding, all(before), None));
        Some(match tried {
            Tried::Mends(..) if !found => Tried::Unknown(why),
            Tried::Fails => Tried::Unknown(why),
            tried => tried,
        })
    }
}

fn all(checked: &Checked) -> impl Iterator<Item = &Finding> {
    checked.findings.iter().chain(&checked.possible)
}

/// What was wrong before.
fn keys<'f>(findings: impl Iterator<Item = &'f Finding>) -> FxHashSet<Key> {
    findings.filter(|f| is_bad(f)).map(|f| key(f, None)).collect()
}

/// What the analyses say of a change.
fn compare(finding: &Finding, before: &Checked, after: &Checked, change: Change<'_>) -> Tried {
    let known = keys(all(before));
    match all(after).find(|f| is_bad(f) && !known.contains(&key(f, change))) {
        Some(f) if f.kind == Kind::BarrierDivergence => Tried::Diverges(parting(f, change)),
        Some(_) => Tried::Fails,
        None if is_there(finding, all(after), change) => Tried::Fails,
        None => Tried::Mends(vec![Trial::Analysis], races(finding, all(after))),
    }
}

/// How many races of a finding's kernel a barrier may mend.
fn races<'f>(finding: &Finding, list: impl Iterator<Item = &'f Finding>) -> usize {
    list.filter(|f| super::is_open(f) && f.kernel == finding.kernel).count()
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

/// What a finding about a barrier says of the threads, with the line before a change.
fn parting(finding: &Finding, change: Change<'_>) -> Parting {
    let branch = finding.related.iter().find(|s| s.label.starts_with("control flow depends"));
    let line = branch.map(|s| back(s, change).line).filter(|&line| line > 0);
    let by_index = finding.related.iter().any(|s| s.label.starts_with("which depends on `threadIdx"));
    Parting { line, certain: by_index || finding.certainty == Certainty::Definite }
}
