//! How many threads have come to the places that the program counts ([`InstData::Count`](cudair_ir::InstData::Count)).

/// The counters of a program, or of one launch of it.
#[derive(Debug, Default)]
pub(crate) struct Counters {
    /// By the counter's number; those that are missing are zero.
    counts: Vec<u64>,
}

impl Counters {
    /// `threads` have come to a place.
    pub(crate) fn add(&mut self, counter: u32, threads: u64) {
        let n = counter as usize;
        if n >= self.counts.len() {
            self.counts.resize(n + 1, 0);
        }
        self.counts[n] += threads;
    }

    /// Adds what was counted in a launch.
    pub(crate) fn absorb(&mut self, other: &Counters) {
        if other.counts.len() > self.counts.len() {
            self.counts.resize(other.counts.len(), 0);
        }
        self.counts.iter_mut().zip(&other.counts).for_each(|(all, n)| *all += n);
    }

    /// The counts by number.
    pub(crate) fn into_counts(self) -> Vec<u64> {
        self.counts
    }
}
