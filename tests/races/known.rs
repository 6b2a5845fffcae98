//! Where cudair is known to differ from the reference, each with its cause. A cause goes when its defect does.

use std::fmt;

/// Why a difference is none that a run fails for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Cause {
    /// The race needs others to come at one certain place: of 64 schedules none has that, of 1024 one has.
    Rare,
}

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Cause::Rare => "no seed of 64 shows it, one of 1024 does",
        })
    }
}
