//! Where cudair is known to differ from the reference, each with its cause. A cause goes when its defect does.

use super::program::Program;
use super::reference::Race;
use std::fmt;

/// Why a difference is none that a run fails for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Cause {
    /// Under every seed lanes of a warp that stand at one place go in the order of their numbers, where they part those
    /// of the first arm go first, code without joins is not interrupted, and a block that need not wait runs to its
    /// end before another. So who comes second observes what the first has written.
    Uninterrupted,
}

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Cause::Uninterrupted => {
                "no seed interrupts a block, code without joins, or lanes of a warp that stand together"
            }
        })
    }
}

/// Whether any two threads of a race are of one warp or of two blocks.
pub fn is_never_interrupted(p: &Program, race: &Race) -> bool {
    let threads = p.threads as usize;
    let warp = |t: usize| (t / threads, t % threads / 32);
    race.threads.iter().all(|&(a, b)| warp(a) == warp(b) || warp(a).0 != warp(b).0)
}
