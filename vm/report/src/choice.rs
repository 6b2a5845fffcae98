//! Which launches the user wants to hear of, and how many findings are kept.

use cudair_ir::FuncId;
use cudair_lane::fault::LaunchRef;
use std::ops::Range;

/// The launches whose findings are wanted. All of them run; the others are not looked at for races.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Choice {
    /// Those of these kernels, unless empty.
    pub kernels: Vec<FuncId>,
    /// Those with these numbers, unless empty.
    pub launches: Vec<Range<u64>>,
}

impl Choice {
    /// Whether every launch is wanted.
    #[inline]
    pub fn is_all(&self) -> bool {
        self.kernels.is_empty() && self.launches.is_empty()
    }

    /// Whether a launch is wanted.
    #[inline]
    pub fn holds(&self, launch: LaunchRef) -> bool {
        (self.kernels.is_empty() || self.kernels.contains(&launch.kernel))
            && (self.launches.is_empty() || self.launches.iter().any(|r| r.contains(&launch.number)))
    }
}

/// How many findings there is room for: so many errors, and as many others.
#[derive(Clone, Copy, Debug)]
pub(super) struct Room {
    most: usize,
    errors: usize,
    others: usize,
}

impl Default for Room {
    fn default() -> Room {
        Room { most: usize::MAX, errors: 0, others: 0 }
    }
}

impl Room {
    pub(super) fn new(most: usize) -> Room {
        Room { most, ..Room::default() }
    }

    /// As much as there was at first.
    pub(super) fn fresh(self) -> Room {
        Room::new(self.most)
    }

    /// Takes the room for a further one; false where there is none.
    pub(super) fn take(&mut self, is_error: bool) -> bool {
        let taken = if is_error { &mut self.errors } else { &mut self.others };
        let fits = *taken < self.most;
        *taken += usize::from(fits);
        fits
    }
}
