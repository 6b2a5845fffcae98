//! Kernels in which no branch and no address depends on what is read: the default run has to find every race of the
//! reference that hangs on no chance, and nothing else.

use super::counts::Counts;
use super::cudair::{Report, Told, checked, proofs_by_run, report};
use super::generate::{Size, program};
use super::known::{Cause, MORE_SEEDS};
use super::print::source;
use super::program::Program;
use super::reference::{Certainty, Pair, Race, Races, Severity, races};
use super::shrink::shrink;
use std::collections::BTreeMap;
use std::path::Path;

/// Kernels in a file.
const BATCH: usize = 40;

/// A pair of lines as runs show it.
#[derive(Clone, Default)]
pub struct Shown {
    pub error: bool,
    pub told: Vec<Told>,
}

/// What runs show of a program.
pub type Found = BTreeMap<Pair, Shown>;

/// A thing that is wrong about a program.
#[derive(Clone, Debug)]
pub struct Difference {
    /// Of which lines, if of any.
    pub pair: Option<Pair>,
    pub what: String,
}

impl Difference {
    fn of(pair: Pair, what: String) -> Difference {
        Difference { pair: Some(pair), what }
    }

    fn other(what: String) -> Difference {
        Difference { pair: None, what }
    }

    /// Whether another is of the same kind and place.
    fn is_like(&self, other: &Difference) -> bool {
        let word = |d: &Difference| d.what.split(':').next().unwrap_or_default().to_owned();
        self.pair == other.pair && word(self) == word(other)
    }
}

/// All of them.
pub type Differences = Vec<Difference>;

fn shown(told: Vec<Told>, kernels: usize) -> Vec<Found> {
    let mut out = vec![Found::new(); kernels];
    for t in told {
        let entry = out[t.kernel].entry((t.space, t.lines.0, t.lines.1)).or_default();
        entry.error |= t.is_error;
        entry.told.push(t);
    }
    out
}

fn class(size: Size) -> &'static str {
    if size == Size::Small { "small" } else { "large" }
}

/// Runs the kernels of these seeds and prints what differs.
pub fn batch(folder: &Path, size: Size, seeds: std::ops::RangeInclusive<u64>, counts: &mut Counts) {
    let all: Vec<u64> = seeds.collect();
    for part in all.chunks(BATCH) {
        let mut programs = Vec::new();
        for &seed in part {
            let p = program(seed, size);
            match races(&p) {
                Some(r) => programs.push((p, r)),
                None => counts.refused += 1,
            }
        }
        if !programs.is_empty() {
            compare(folder, size, &programs, counts);
        }
    }
}

/// What a run of programs says of each.
struct Verdict {
    /// What differs, and what of that is known.
    differences: Vec<(Differences, Vec<Cause>)>,
    counts: Counts,
}

fn verdict(folder: &Path, name: &str, programs: &[(Program, Races)]) -> Result<Verdict, String> {
    let text = source(&programs.iter().map(|p| p.0.clone()).collect::<Vec<_>>());
    let run = report(folder, name, &text, &[])?;
    let found = shown(run.races, programs.len());
    let check = checked(folder, name, &text)?;
    let by_run = proofs_by_run(folder, name, &text)?;
    let mut out = Verdict { differences: Vec::new(), counts: Counts::default() };
    for (n, (p, races)) in programs.iter().enumerate() {
        out.counts.kernels += 1;
        out.counts.racy += u64::from(!races.is_empty());
        out.counts.pairs += races.len() as u64;
        let by_chance_alone = |r: &(&Pair, &Race)| r.1.certainty == Certainty::Chance;
        out.counts.chance += races.iter().filter(by_chance_alone).count() as u64;
        let late = races.iter().filter(by_chance_alone).filter(|r| !found[n].contains_key(r.0));
        let late: Vec<Pair> = late.map(|r| *r.0).collect();
        let (mut differences, mut causes) = (differences(p, races, &found[n]), Vec::new());
        proofs(n, races, &check, &mut differences, &mut out.counts);
        if by_run.contains(&n) {
            out.counts.by_run += 1;
            // The reference's races are those of every content, also those that another order alone would show.
            let falsely = |(&pair, race): (&Pair, &Race)| {
                Difference::of(pair, format!("falsely proved by a run: {pair:?} {:?}", race.severity))
            };
            differences.extend(races.iter().map(falsely));
        }
        if !late.is_empty() {
            let seeds = by_chance(folder, name, &programs[n], &late);
            out.counts.add(&seeds.counts);
            for (more, other) in seeds.differences {
                differences.extend(more);
                causes.extend(other);
            }
        }
        out.differences.push((differences, causes));
    }
    for (kernel, what) in run.others {
        out.differences[kernel.unwrap_or(0)].0.push(Difference::other(format!("not expected: {what}")));
    }
    Ok(out)
}

/// How what a run shows differs from the reference.
fn differences(p: &Program, races: &Races, found: &Found) -> Differences {
    let mut out = Vec::new();
    for (&pair, race) in races {
        match found.get(&pair) {
            None if race.certainty == Certainty::Chance => {}
            None => out.push(Difference::of(pair, format!("missed: {pair:?} {:?}", race.severity))),
            Some(shown) => judge(p, pair, race, shown, &mut out),
        }
    }
    for (pair, shown) in found.iter().filter(|f| !races.contains_key(f.0)) {
        out.push(Difference::of(*pair, format!("false alarm: {pair:?}: {}", shown.told[0].message)));
    }
    out
}

/// How what `check` proves and refutes of a kernel differs from the reference.
fn proofs(kernel: usize, races: &Races, check: &Report, out: &mut Differences, counts: &mut Counts) {
    counts.proved += check.proved.iter().filter(|p| p.0 == kernel).count() as u64;
    for (&pair, race) in races {
        // Two writes of one value are no race to whom asks for the value.
        if check.proved.contains(&(kernel, pair.0)) {
            out.push(Difference::of(pair, format!("falsely proved: {pair:?} {:?}", race.severity)));
        }
    }
    for told in check.races.iter().filter(|t| t.kernel == kernel) {
        counts.refuted += 1;
        let pair = (told.space, told.lines.0, told.lines.1);
        if !races.contains_key(&pair) {
            out.push(Difference::of(pair, format!("falsely refuted: {pair:?}: {}", told.message)));
        }
    }
}

/// Whether a finding is as bad as it should be, and names threads that race.
fn judge(p: &Program, pair: Pair, race: &Race, shown: &Shown, wrong: &mut Differences) {
    let right = match race.severity {
        Severity::Either => true,
        Severity::Error => shown.error,
        Severity::Warning => !shown.error,
    };
    if !right {
        let what = format!("severity: {pair:?} is {:?}: {}", race.severity, shown.told[0].message);
        wrong.push(Difference::of(pair, what));
    }
    for told in &shown.told {
        let number = |&(block, thread): &(u32, u32)| (block * p.threads + thread) as usize;
        let mut threads: Vec<usize> = told.threads.iter().map(number).collect();
        threads.sort_unstable();
        if let [a, b] = threads[..]
            && !race.threads.contains(&(a, b))
        {
            wrong.push(Difference::of(pair, format!("threads: {pair:?}: {}", told.message)));
        }
    }
}

/// Races that the default run need not show must show under a seed.
fn by_chance(folder: &Path, name: &str, (p, races): &(Program, Races), late: &[Pair]) -> Verdict {
    let mut counts = Counts::default();
    let text = source(std::slice::from_ref(p));
    let under = |seeds: &str| {
        let run = report(folder, &format!("{name}_seeds"), &text, &["--seeds", seeds])?;
        Ok(shown(run.races, 1).remove(0))
    };
    let other = |why: String| vec![(vec![Difference::other(why)], Vec::new())];
    let mut found = match under("0..64") {
        Ok(found) => found,
        Err(why) => return Verdict { differences: other(why), counts },
    };
    let rare: Vec<Pair> = late.iter().copied().filter(|pair| !found.contains_key(pair)).collect();
    counts.late += (late.len() - rare.len()) as u64;
    for seeds in MORE_SEEDS {
        if rare.iter().all(|pair| found.contains_key(pair)) {
            break;
        }
        match under(seeds) {
            Ok(more) => found.extend(more),
            Err(why) => return Verdict { differences: other(why), counts },
        }
    }
    let mut differences = Differences::new();
    for pair in rare {
        if found.contains_key(&pair) {
            counts.known(Cause::Rare);
        } else {
            differences.push(Difference::of(pair, format!("missed under 32,768 seeds: {pair:?}")));
        }
    }
    for pair in found.keys().filter(|pair| !races.contains_key(pair)) {
        differences.push(Difference::of(*pair, format!("false alarm under a seed: {pair:?}")));
    }
    Verdict { differences: vec![(differences, Vec::new())], counts }
}

fn compare(folder: &Path, size: Size, programs: &[(Program, Races)], counts: &mut Counts) {
    let name = format!("{}_{}", class(size), programs[0].0.seed);
    let verdict = match verdict(folder, &name, programs) {
        Ok(verdict) => verdict,
        Err(why) if programs.len() == 1 => {
            let counts = Counts { kernels: 1, ..Counts::default() };
            Verdict { differences: vec![(vec![Difference::other(why)], Vec::new())], counts }
        }
        Err(_) => {
            // Which of them it is.
            let (a, b) = programs.split_at(programs.len() / 2);
            compare(folder, size, a, counts);
            compare(folder, size, b, counts);
            return;
        }
    };
    counts.add(&verdict.counts);
    let mut right = true;
    for (program, (differences, causes)) in programs.iter().zip(&verdict.differences) {
        let (p, _) = program;
        for &cause in causes {
            counts.known(cause);
        }
        if differences.is_empty() {
            continue;
        }
        counts.differ += 1;
        right = false;
        tell(folder, size, p, differences);
    }
    if right {
        for end in [".cu", ".json", "_seeds.cu", "_seeds.json"] {
            let _ = std::fs::remove_file(folder.join(format!("{name}{end}")));
        }
    }
}

/// Prints what differs, with the program in a file of its own; a smaller one, if CUDAIR_SHRINK is set.
fn tell(folder: &Path, size: Size, p: &Program, differences: &[Difference]) {
    let mut p = p.clone();
    if std::env::var_os("CUDAIR_SHRINK").is_some() {
        let wanted = &differences[0];
        p = shrink(&p, |p| {
            races(p).is_some_and(|r| match verdict(folder, "shrinking", &[(p.clone(), r)]) {
                Ok(v) => v.differences[0].0.iter().any(|d| d.is_like(wanted)),
                Err(why) => Difference::other(why).is_like(wanted),
            })
        });
    }
    let path = folder.join(format!("{}_seed{}.cu", class(size), p.seed));
    let _ = std::fs::write(&path, &source(std::slice::from_ref(&p)).text);
    println!("{} seed {} ({}):", class(size), p.seed, path.display());
    for difference in differences {
        println!("    {}", difference.what);
    }
}
