//! One cause, one finding. Findings of one kind in one kernel that share an object and lack the same order, and races
//! of one kind that one tried repair mends, are a group. For people, a group is shown by the member that explains it best.

use cudair_ir::{Edit, Finding, Kind};
use rustc_hash::FxHashMap;

/// So many lines are named of the findings that are not shown.
const LINES: usize = 8;

/// Numbers the groups, from 1, in the order of their first findings.
pub fn number(findings: &mut [Finding]) {
    let mut by_repair: Vec<((Kind, Vec<Edit>), u32)> = Vec::new();
    let mut by_key: FxHashMap<_, u32> = FxHashMap::default();
    let mut groups = 0..;
    let mut new = || groups.next().unwrap_or(u32::MAX);
    // A repair that was tried knows more than what findings share.
    for f in findings.iter_mut() {
        f.group = None;
        let Some(repair) = &f.repair else { continue };
        let mends = (f.kind, repair.edits.clone());
        let group = match by_repair.iter().find(|(known, _)| *known == mends) {
            Some(&(_, group)) => group,
            None => {
                let group = new();
                by_repair.push((mends, group));
                group
            }
        };
        if let Some(key) = f.shared_cause() {
            by_key.entry(key).or_insert(group);
        }
        f.group = Some(group);
    }
    for f in findings.iter_mut().filter(|f| f.group.is_none()) {
        f.group = Some(match f.shared_cause() {
            Some(key) => *by_key.entry(key).or_insert_with(&mut new),
            None => new(),
        });
    }
    let mut numbers: FxHashMap<Option<u32>, u32> = FxHashMap::default();
    for f in findings {
        let next = numbers.len() as u32 + 1;
        f.group = Some(*numbers.entry(f.group).or_insert(next));
    }
}

/// A group as people see it.
pub struct Group<'f> {
    /// The finding that is shown.
    pub shown: &'f Finding,
    /// The others, in their order.
    pub others: Vec<&'f Finding>,
}

impl<'f> Group<'f> {
    /// All of them, the one that is shown first.
    pub fn members(&self) -> impl Iterator<Item = &'f Finding> {
        std::iter::once(self.shown).chain(self.others.iter().copied())
    }

    /// What is said of the findings that are not shown; nothing where all are.
    pub fn more(&self) -> Option<String> {
        Some(format!("{}; `--verbose` shows all", self.others_in_words()?))
    }

    /// How many others there are, and in which lines; nothing where there are none.
    pub fn others_in_words(&self) -> Option<String> {
        let times = |f: &&Finding| if f.kind == Kind::MemoryLeak { f.count } else { 1 };
        let n: u64 = self.others.iter().map(times).sum();
        let (one, many) = match self.shown.kind {
            Kind::MemoryLeak => ("more allocation is never freed", "more allocations are never freed"),
            Kind::UninitializedRead => (
                "more place reads what was never written there",
                "more places read what was never written there",
            ),
            Kind::InvalidLaunch => (
                "place reads what was never written, since this launch does not run",
                "places read what was never written, since this launch does not run",
            ),
            _ => ("more pair of places has this cause", "more pairs of places have this cause"),
        };
        let lines = self.lines();
        match n {
            0 => None,
            1 => Some(format!("1 {one}{lines}")),
            _ => Some(format!("{n} {many}{lines}")),
        }
    }

    /// ", in lines 4 and 7", where all are in one file.
    fn lines(&self) -> String {
        let file = self.shown.primary.as_ref().map(|p| p.file.as_str());
        let places = || self.others.iter().filter_map(|f| f.primary.as_ref());
        let mut lines: Vec<u32> = places().map(|p| p.start.line).collect();
        if lines.len() < self.others.len() || places().any(|p| Some(p.file.as_str()) != file) {
            return String::new();
        }
        lines.sort_unstable();
        lines.dedup();
        let more = lines.len().saturating_sub(LINES);
        let mut names: Vec<String> = lines.iter().take(LINES).map(u32::to_string).collect();
        if more > 0 {
            names.push(format!("{more} more"));
        }
        match (names.pop(), names.is_empty()) {
            (Some(last), true) => format!(", in line {last}"),
            (Some(last), false) => format!(", in lines {} and {last}", names.join(", ")),
            (None, _) => String::new(),
        }
    }
}

/// The groups of findings, in the order of the first of each; one that has no number is a group of its own.
pub fn groups(findings: &[Finding]) -> Vec<Group<'_>> {
    let mut at: FxHashMap<u32, usize> = FxHashMap::default();
    let mut members: Vec<Vec<&Finding>> = Vec::new();
    for f in findings {
        let known = f.group.and_then(|group| at.get(&group).copied());
        match known {
            Some(n) => members[n].push(f),
            None => {
                at.extend(f.group.map(|group| (group, members.len())));
                members.push(vec![f]);
            }
        }
    }
    members.into_iter().filter_map(best).collect()
}

/// A group with the finding that explains it best in front.
fn best(mut all: Vec<&Finding>) -> Option<Group<'_>> {
    let shown = (0..all.len()).min_by_key(|&n| rank(all[n]))?;
    Some(Group { shown: all.remove(shown), others: all })
}

/// How well a finding explains its group; the least does best: what is no consequence of another one, the worst one, of which a repair is known, that each
/// schedule shows, of places that are near in the text, of threads that are neighbours. Of equals the first found is shown.
fn rank(f: &Finding) -> impl Ord + use<> {
    let apart = match f.threads[..] {
        [a, b] => {
            let between =
                |x: [u32; 3], y: [u32; 3]| (0..3).map(|d| u64::from(x[d].abs_diff(y[d]))).sum::<u64>();
            between(a.thread, b.thread) + between(a.block, b.block)
        }
        _ => 0,
    };
    let near = match (&f.primary, f.related.first()) {
        (Some(a), Some(b)) if a.file == b.file => {
            (a.start.line.abs_diff(b.start.line), a.start.col.abs_diff(b.start.col))
        }
        (Some(_), Some(_)) => (u32::MAX, u32::MAX),
        _ => (0, 0),
    };
    (
        f.because.is_some(),
        std::cmp::Reverse(f.severity),
        f.repair.is_none(),
        f.schedule_dependent,
        near,
        apart,
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use cudair_ir::{Pos, Repair, Severity, Span, Trial};

    fn race(line: u32, cause: &str) -> Finding {
        let mut f = Finding::dynamic(Kind::SharedRace, "a race");
        let at = |col| Pos { line, col };
        let (file, label) = ("k.cu".to_owned(), String::new());
        f.primary = Some(Span { file, start: at(1), end: at(2), spelling: None, label });
        f.kernel = Some("k".to_owned());
        f.cause = Some(cause.to_owned());
        f
    }

    fn repaired(mut f: Finding, line: u32) -> Finding {
        let (at, text) = (Pos { line, col: 1 }, "__syncthreads();".to_owned());
        let edit = Edit { file: "k.cu".to_owned(), start: at, end: at, text: text.clone() };
        f.repair = Some(Box::new(Repair { insert: text, edits: vec![edit], verified_by: vec![Trial::Run] }));
        f
    }

    fn numbers(findings: &mut [Finding]) -> Vec<u32> {
        number(findings);
        findings.iter().filter_map(|f| f.group).collect()
    }

    #[test]
    fn findings_of_one_cause_are_a_group() {
        let mut other = race(4, "a");
        other.kernel = Some("other".to_owned());
        let mut alone = race(5, "");
        alone.cause = None;
        let mut all = [race(1, "a"), race(2, "b"), race(3, "a"), other, alone.clone(), alone];
        assert_eq!(numbers(&mut all), [1, 2, 1, 3, 4, 5]);
    }

    #[test]
    fn what_one_repair_mends_is_a_group() {
        let mut all = [repaired(race(3, "b"), 9), race(2, "b"), repaired(race(4, "a"), 9), race(5, "a")];
        assert_eq!(numbers(&mut all), [1, 1, 1, 1]);
        let mut all = [repaired(race(1, "a"), 8), repaired(race(2, "a"), 9), race(3, "a")];
        assert_eq!(numbers(&mut all), [1, 2, 1]);
    }

    #[test]
    fn the_worst_that_is_mended_is_shown_and_the_others_are_counted() {
        let mut mild = race(1, "a");
        mild.severity = Severity::Warning;
        let mut all = [mild, race(7, "a"), repaired(race(3, "a"), 9), race(7, "a"), race(4, "b")];
        number(&mut all);
        let groups = groups(&all);
        let lines: Vec<Option<u32>> =
            groups.iter().map(|g| g.shown.primary.as_ref().map(|p| p.start.line)).collect();
        assert_eq!(lines, [Some(3), Some(4)]);
        let more = groups[0].more();
        assert_eq!(
            more.as_deref(),
            Some("3 more pairs of places have this cause, in lines 1 and 7; `--verbose` shows all")
        );
        assert_eq!(groups[1].more(), None);
    }
}
