//! Where cudair is known to differ from the reference, each with its cause. A cause goes when its defect does.

use super::program::{Line, Program, Rmw, Stmt};
use super::reference::{Certainty, Pair, Race, Races, Severity};
use super::steady::{Differences, Found, Shown};
use std::collections::BTreeMap;
use std::fmt;

/// Why a difference is none that a run fails for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Cause {
    /// Two calls of one atomic function count as one place, that in its header.
    OneAtomic,
    /// What a volatile or atomic read has observed is kept by four bytes, so that it also orders their neighbours.
    Granule,
    /// A read of shared memory that was never written, and that races, makes the second run go otherwise.
    SecondRun,
    /// Under every seed lanes of a warp that stand at one place go in the order of their numbers, where they part those
    /// of the first arm go first, code without joins is not interrupted, and a block that need not wait runs to its
    /// end before another. So who comes second observes what the first has written.
    Uninterrupted,
}

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Cause::OneAtomic => "two calls of one atomic function count as one place",
            Cause::Granule => "a read orders the neighbours of what it has observed",
            Cause::SecondRun => "uninitialised shared memory makes the second run go otherwise",
            Cause::Uninterrupted => {
                "no seed interrupts a block, code without joins, or lanes of a warp that stand together"
            }
        })
    }
}

/// Which known causes are allowed for.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Leniency {
    one_atomic: bool,
    granule: bool,
}

impl Leniency {
    /// Whether a run may leave out a race.
    pub fn may_miss(self, certainty: Certainty) -> bool {
        match certainty {
            Certainty::Chance => true,
            Certainty::Granule => self.granule,
            Certainty::Certain => false,
        }
    }
}

/// What differs, and the known causes of what would.
pub fn explain(
    p: &Program,
    races: &Races,
    found: &Found,
    differences: impl Fn(&Program, &Races, &Found, Leniency) -> Differences,
) -> (Differences, Vec<Cause>) {
    let all = differences(p, races, found, Leniency::default());
    if all.is_empty() {
        return (all, Vec::new());
    }
    let one = one_atomic(p, races, found);
    for (one_atomic, granule) in [(true, false), (false, true), (true, true)] {
        let leniency = Leniency { one_atomic, granule };
        let (races, found) = if one_atomic { (&one.0, &one.1) } else { (races, found) };
        if differences(p, races, found, leniency).is_empty() {
            let causes = [(one_atomic, Cause::OneAtomic), (granule, Cause::Granule)];
            return (Vec::new(), causes.into_iter().filter(|c| c.0).map(|c| c.1).collect());
        }
    }
    (all, Vec::new())
}

/// The lines that call atomic functions.
fn atomic_calls(p: &Program) -> Vec<(Line, Rmw)> {
    fn visit(all: &[Stmt], out: &mut Vec<(Line, Rmw)>) {
        for s in all {
            match s {
                Stmt::Atomic(line, _, rmw, ..) => out.push((*line, *rmw)),
                Stmt::If(_, a, b) => {
                    visit(a, out);
                    visit(b, out);
                }
                Stmt::Loop(_, _, a) | Stmt::Ragged(_, _, a) | Stmt::Copy(_, _, a, ..) => visit(a, out),
                _ => {}
            }
        }
    }
    let mut out = Vec::new();
    visit(&p.body, &mut out);
    out
}

/// The first line that calls the same atomic function, for each that calls one.
fn first_calls(p: &Program) -> BTreeMap<Line, Line> {
    let calls = atomic_calls(p);
    let first = |rmw: Rmw| calls.iter().find(|c| c.1 == rmw).map(|c| c.0);
    calls.iter().filter_map(|&(line, rmw)| Some((line, first(rmw)?))).collect()
}

fn renamed(calls: &BTreeMap<Line, Line>, (space, a, b): Pair) -> Pair {
    let of = |l: Line| calls.get(&l).copied().unwrap_or(l);
    (space, of(a).min(of(b)), of(a).max(of(b)))
}

/// Races and what was found, where all calls of an atomic function are one line.
fn one_atomic(p: &Program, races: &Races, found: &Found) -> (Races, Found) {
    let calls = first_calls(p);
    let (mut all, mut shown) = (Races::new(), Found::new());
    for (&pair, race) in races {
        let entry = all.entry(renamed(&calls, pair)).or_insert_with(|| race.clone());
        entry.certainty = entry.certainty.max(race.certainty);
        if entry.severity != race.severity {
            let either = entry.severity == Severity::Either || race.severity == Severity::Either;
            let bad = entry.severity == Severity::Error || race.severity == Severity::Error;
            entry.severity = if bad && !either { Severity::Error } else { Severity::Either };
        }
        entry.threads.extend(&race.threads);
    }
    for (&pair, one) in found {
        let entry: &mut Shown = shown.entry(renamed(&calls, pair)).or_default();
        entry.error |= one.error;
        entry.told.extend(one.told.iter().cloned());
    }
    (all, shown)
}

/// Whether a pair that was not found is one with another that was.
pub fn is_one_atomic(p: &Program, pair: Pair, found: &Found) -> bool {
    let calls = first_calls(p);
    found.keys().any(|&other| renamed(&calls, other) == renamed(&calls, pair))
}

/// Whether one of a pair of lines is an atomic operation, so that another may be told in its place: in this kernel or,
/// where both are, in another.
pub fn has_atomic(p: &Program, (_, a, b): Pair) -> bool {
    let calls = atomic_calls(p);
    [a, b].iter().any(|l| calls.iter().any(|c| c.0 == *l))
}

/// Whether any two threads of a race are of one warp or of two blocks.
pub fn is_never_interrupted(p: &Program, race: &Race) -> bool {
    let threads = p.threads as usize;
    let warp = |t: usize| (t / threads, t % threads / 32);
    race.threads.iter().all(|&(a, b)| warp(a) == warp(b) || warp(a).0 != warp(b).0)
}

/// Why a run ended otherwise than it should have.
pub fn of_failure(p: &Program, why: &str) -> Option<Cause> {
    let otherwise = why.contains("the second run of a launch went otherwise than the first");
    (otherwise && !p.filled).then_some(Cause::SecondRun)
}
