//! Where cudair is known to differ from the reference, each with its cause. A cause goes when its defect does.

use std::fmt;

/// Why a difference is none that a run fails for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Cause {
    /// The race needs several threads to be interrupted at one certain place each: of 64 schedules none has that, of
    /// 32,768 one has.
    Rare,
}

/// The seeds that a race is looked for under which 64 did not show: mostly the first of these ranges has it.
pub const MORE_SEEDS: [&str; 2] = ["0..1024", "1024..32768"];

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Cause::Rare => "no seed of 64 shows it, one of 32,768 does",
        })
    }
}
