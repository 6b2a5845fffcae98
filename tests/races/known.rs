//! Where cudair is known to differ from the reference, each with its cause. A cause goes when its defect does.

use super::program::Program;
use super::reference::{Certainty, Race, Races};
use super::steady::{Differences, Found};
use std::fmt;

/// Why a difference is none that a run fails for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Cause {
    /// What a volatile or atomic read has observed is kept by four bytes, so that it also orders their neighbours.
    Granule,
    /// Under every seed lanes of a warp that stand at one place go in the order of their numbers, where they part those
    /// of the first arm go first, code without joins is not interrupted, and a block that need not wait runs to its
    /// end before another. So who comes second observes what the first has written.
    Uninterrupted,
}

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Cause::Granule => "a read orders the neighbours of what it has observed",
            Cause::Uninterrupted => {
                "no seed interrupts a block, code without joins, or lanes of a warp that stand together"
            }
        })
    }
}

/// Which known causes are allowed for.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Leniency {
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
    let granule = Leniency { granule: true };
    if differences(p, races, found, granule).is_empty() {
        return (Vec::new(), vec![Cause::Granule]);
    }
    (all, Vec::new())
}

/// Whether any two threads of a race are of one warp or of two blocks.
pub fn is_never_interrupted(p: &Program, race: &Race) -> bool {
    let threads = p.threads as usize;
    let warp = |t: usize| (t / threads, t % threads / 32);
    race.threads.iter().all(|&(a, b)| warp(a) == warp(b) || warp(a).0 != warp(b).0)
}
