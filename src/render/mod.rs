//! One renderer per output format. Findings and diagnostics are data; layout is decided here and nowhere
//! else.

mod fit;
mod github;
mod html;
pub mod human;
pub mod json;
mod junit;
mod last;
mod look;
mod narrow;
pub mod sarif;
mod short;
#[cfg(test)]
mod tests;

use crate::baseline::Compared;
pub use look::Look;

use crate::cli::Format;
use crate::early::Shown;
use crate::groups::{Group, groups};
use crate::suppress::By;
use cudair_ir::verdict::{ByRun, KernelVerdict, Outcome, Saving};
use cudair_ir::{Diagnostic, Finding, Kind, SourceMap, Span};
use cudair_vm::Unseen;
use rustc_hash::FxHashMap;
use std::sync::Arc;
use std::time::Duration;

/// What a command has to tell.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// Faults of the program.
    pub findings: Vec<Finding>,
    /// Why cudair could not do, or could not finish, what it was asked.
    pub diagnostics: Vec<Diagnostic>,
    /// The command that shows the same again.
    pub reproduce: String,
    /// How many are written at most, if that is limited: findings, or for people groups of them.
    pub most: Option<usize>,
    /// For people, every finding is written, and not one of each group.
    pub verbose: bool,
    /// Findings that were left out before because there were too many.
    pub left_out: usize,
    /// Findings that the user does not want to hear of, and who said so.
    pub suppressed: Vec<(Finding, By)>,
    /// What the run did not look at.
    pub unseen: Unseen,
    /// What was proved of each kernel.
    pub verdicts: Vec<KernelVerdict>,
    /// What an earlier report says of the findings, where there is one. The findings are those that it does not have.
    pub baseline: Option<Compared>,
    /// Findings less severe than what is wanted (`--min-severity`).
    pub mild: usize,
    /// Findings in kernels that are not wanted (`--exclude-kernel`).
    pub excluded: usize,
    /// Kinds that were not looked for.
    pub unchecked: Vec<Kind>,
    /// The exit code of the command.
    pub exit: Option<u8>,
    /// Groups that stand on stderr already, in the order in which they were shown.
    pub shown: Vec<Shown>,
}

impl Report {
    /// The findings that are written where none stands for others.
    pub fn listed(&self) -> &[Finding] {
        &self.findings[..self.most.map_or(self.findings.len(), |most| most.min(self.findings.len()))]
    }

    /// How many findings there are besides those.
    pub fn unlisted(&self) -> usize {
        self.left_out + self.findings.len() - self.listed().len()
    }

    /// The findings as people see them, and how many groups there are besides. Those that were shown before come first.
    pub fn grouped(&self) -> (Vec<Group<'_>>, usize) {
        let mut all = if self.verbose {
            self.findings.iter().map(|shown| Group { shown, others: Vec::new() }).collect()
        } else {
            groups(&self.findings)
        };
        if !self.shown.is_empty() {
            all.sort_by_key(|group| !self.is_shown(group));
        }
        let most = self.most.map_or(all.len(), |most| most.min(all.len()));
        let more = all.len() - most;
        all.truncate(most);
        (all, more)
    }

    /// Whether a group stands on stderr already.
    fn is_shown(&self, group: &Group<'_>) -> bool {
        group.members().any(|f| self.shown.iter().any(|s| s.shows(f)))
    }

    /// The groups that are written now, each with what is said beside it.
    fn written(&self) -> Vec<(&Finding, Option<String>)> {
        let groups = self.grouped().0.into_iter().filter(|group| !self.is_shown(group));
        groups
            .map(|group| {
                let before = Shown::before(&self.shown, group.shown);
                let said: Vec<String> = group.more().into_iter().chain(before).collect();
                (group.shown, (!said.is_empty()).then(|| said.join("\n")))
            })
            .collect()
    }

    /// What of the groups that were shown before is not as it was shown. `brief`: how often something happened, how sure it
    /// is and what helps was not shown either.
    fn corrected(&self, brief: bool) -> Vec<Correction<'_>> {
        let groups = self.grouped().0;
        let mut out = Vec::new();
        for shown in &self.shown {
            let f = shown.finding();
            let Some(group) = groups.iter().find(|g| g.members().any(|f| shown.shows(f))) else {
                // What has become worse is written now.
                if !self.findings.iter().any(|f| shown.is(f)) {
                    let parts = vec!["it is not among the findings at the end".to_owned()];
                    out.push(Correction { of: f, parts, help: None });
                }
                continue;
            };
            let parts = shown.corrections(group, brief);
            let help = shown.help(group).filter(|_| !brief);
            if !parts.is_empty() || help.is_some() {
                out.push(Correction { of: f, parts, help });
            }
        }
        out
    }

    /// Whether there is nothing to tell.
    pub fn is_empty(&self) -> bool {
        self.findings.is_empty()
            && self.shown.is_empty()
            && self.diagnostics.is_empty()
            && self.left_out == 0
            && self.suppressed.is_empty()
            && self.unseen.is_empty()
            && self.verdicts.is_empty()
            && self.mild + self.excluded == 0
            && self.baseline.as_ref().is_none_or(Compared::is_empty)
    }
}

/// What of a group that was shown while the program ran is not as it was shown.
struct Correction<'r> {
    /// The finding, as it was shown.
    of: &'r Finding,
    /// What is so now.
    parts: Vec<String>,
    /// What helps, where that was not said.
    help: Option<String>,
}

/// The verdicts on a kernel, in a line.
fn verdict(v: &KernelVerdict) -> String {
    let at = |span: &Option<Span>| {
        span.as_ref().map(|s| format!("{}:{}", s.file, s.start.line)).unwrap_or_default()
    };
    let mut parts = Vec::new();
    let mut premises: Vec<&str> = Vec::new();
    for c in &v.checks {
        let mut text = format!("{} {}", c.check.name(), outcome(c.outcome, v.run.as_ref()));
        // A finding says why it is refuted.
        if let (Some(why), false) = (&c.why, c.outcome == Outcome::Refuted) {
            let place = at(&c.place);
            let place = if place.is_empty() { place } else { format!("{place}: ") };
            let more = match c.places {
                0 | 1 => String::new(),
                n => format!("; {n} places"),
            };
            text = format!("{text} ({place}{why}{more})");
        }
        parts.push(text);
        for p in &c.premises {
            if !premises.contains(&p.as_str()) {
                premises.push(p);
            }
        }
    }
    let what = if parts.is_empty() { "nothing that threads share".to_owned() } else { parts.join(", ") };
    let given = match premises[..] {
        [] => String::new(),
        _ => format!("; taken for granted: {}", premises.join(", ")),
    };
    let (ran, by_run) = v.run.as_ref().map(|run| self::by_run(v, run)).unwrap_or_default();
    format!("`{}` {}{ran}: {what}{given}{by_run}", v.kernel, v.launches)
}

/// An outcome in words.
fn outcome(outcome: Outcome, run: Option<&ByRun>) -> String {
    match (outcome, run.map(|run| run.launches)) {
        (Outcome::ProvedForLaunches, Some(n)) if n > 1 => {
            format!("proved for every input of these {n} launches")
        }
        (Outcome::ProvedForLaunches, _) => "proved for every input of this launch".to_owned(),
        (outcome, _) => outcome.name().to_owned(),
    }
}

/// How often a kernel ran, and what a proof by that speaks of or why there is none.
fn by_run(v: &KernelVerdict, run: &ByRun) -> (String, String) {
    let has = |wanted: &[Outcome]| v.checks.iter().any(|c| wanted.contains(&c.outcome));
    let more = if has(&[Outcome::ProvedForLaunches]) {
        format!("; every input: with the same {}", run.holds_for.join(", "))
    } else if has(&[Outcome::Possible, Outcome::SeenClean]) && !run.because.is_empty() {
        let told = run.because.iter().take(MAX_REASONS).map(|b| match &b.place {
            Some(place) => format!("{} ({}:{})", b.clause, place.file, place.start.line),
            None => b.clause.clone(),
        });
        let more = match run.because.len().saturating_sub(MAX_REASONS) {
            0 => String::new(),
            n => format!(" and {n} more"),
        };
        format!("; not for every input: {}{more}", told.collect::<Vec<_>>().join(", "))
    } else {
        String::new()
    };
    let watched = unwatched(run).map(|text| format!("; {text}")).unwrap_or_default();
    (format!(", {}", launched(run)), more + &watched)
}

/// How often a kernel ran.
fn launched(run: &ByRun) -> String {
    match run.launches {
        0 => "never launched".to_owned(),
        1 => "launched once".to_owned(),
        n => format!("launched {n} times"),
    }
}

/// What race detection left out of a kernel, if anything.
fn unwatched(run: &ByRun) -> Option<String> {
    let launches = match (run.elided, run.launches) {
        (some, all) if some < all => format!(" in {some} of {all} launches"),
        _ => String::new(),
    };
    (run.unwatched > 0).then(|| {
        let percent = 100 * run.unwatched / run.accesses;
        let saved = run.saving.map(|Saving { launch, watched, left_out }| {
            let ms = |d: Duration| format!("{:.2}", d.as_secs_f64() * 1e3);
            format!(": launch {launch} takes {} ms instead of {} ms", ms(left_out), ms(watched))
        });
        format!(
            "race detection left out {percent} % of the accesses in its code{launches}, which are proved free of races{}",
            saved.unwrap_or_default()
        )
    })
}

/// Reasons that are named at most.
const MAX_REASONS: usize = 3;

/// The texts of source files: what the parser kept, else what lies on disk.
#[derive(Clone, Debug, Default)]
pub struct Sources {
    texts: FxHashMap<String, Option<Arc<str>>>,
}

/// Sources beyond this size are not shown.
const MAX_SOURCE_BYTES: u64 = 16 << 20;

impl Sources {
    /// The sources of a module.
    pub fn new(map: Option<&SourceMap>) -> Sources {
        let mut sources = Sources::default();
        if let Some(map) = map {
            for file in map.files.values() {
                if let Some(text) = &file.text {
                    sources.texts.insert(file.path.clone(), Some(text.clone()));
                }
            }
        }
        sources
    }

    /// Adds a text, for files that exist nowhere.
    pub fn insert(&mut self, path: &str, text: &str) {
        self.texts.insert(path.to_owned(), Some(Arc::from(text)));
    }

    /// The text of a file, if it is at hand.
    pub fn text(&mut self, path: &str) -> Option<Arc<str>> {
        if let Some(known) = self.texts.get(path) {
            return known.clone();
        }
        let small = std::fs::metadata(path).is_ok_and(|m| m.is_file() && m.len() <= MAX_SOURCE_BYTES);
        let text = small
            .then(|| std::fs::read(path).ok())
            .flatten()
            .filter(|bytes| !bytes.contains(&0))
            .map(|bytes| Arc::from(String::from_utf8_lossy(&bytes).as_ref()));
        self.texts.insert(path.to_owned(), text.clone());
        text
    }
}

/// Renders a report in a format.
pub fn render(report: &Report, sources: &mut Sources, format: Format, look: Look) -> String {
    match format {
        Format::Human => look.shown(human::render(report, sources, look)),
        Format::Short => look.shown(short::render(report)),
        Format::Json => json::render(report, sources),
        Format::Sarif => sarif::render(report, sources),
        Format::Github => github::render(report),
        Format::Junit => junit::render(report),
        Format::Html => html::render(report, sources),
    }
}

/// A finding that is shown while the program runs, and what is said of those that it stands for.
pub fn early(f: &Finding, more: Option<String>, sources: &mut Sources, format: Format, look: Look) -> String {
    look.shown(match format {
        Format::Short => short::group(f, more),
        _ => human::finding(f, more, sources, look) + "\n",
    })
}

/// A diagnostic for people.
pub fn diagnostic(d: &Diagnostic, sources: &mut Sources, look: Look) -> String {
    look.shown(human::diagnostic(d, sources, look))
}

/// Whether a place is a call that led to another one.
pub fn is_call(place: &Span) -> bool {
    place.label == "called from here"
}

/// The command that shows a finding again: of several seeds, with the first that showed it.
fn reproduce(command: &str, finding: &Finding) -> String {
    let Some(seed) = finding.seed else { return command.to_owned() };
    let mut out: Vec<String> = Vec::new();
    let mut words = command.split(' ');
    if !command.split(' ').take_while(|&word| word != "--").any(|word| word.starts_with("--seeds")) {
        // Seen in another order than the default one: the program's name and the command's come first.
        out.extend(words.by_ref().take(2).map(str::to_owned));
        out.push(format!("--seed {seed}"));
    }
    while let Some(word) = words.next() {
        if word == "--" {
            out.push(word.to_owned());
            out.extend(words.map(str::to_owned));
            break;
        }
        if word == "--seeds" {
            words.next();
            out.push(format!("--seed {seed}"));
        } else if word.starts_with("--seeds=") {
            out.push(format!("--seed {seed}"));
        } else {
            out.push(word.to_owned());
        }
    }
    out.join(" ")
}
