//! How many threads have come to the places that the program counts ([`InstData::Count`](cudair_ir::InstData::Count)).

/// The counters of a program, or of one launch of it.
#[derive(Clone, Debug, Default)]
pub struct Counters(Vec<u64>);

impl Counters {
    /// How many threads came to a place, by its counter's number.
    pub fn get(&self, counter: u32) -> u64 {
        // Those behind the last one that somebody came to are not kept.
        self.0.get(counter as usize).copied().unwrap_or(0)
    }

    /// `threads` have come to a place.
    pub(crate) fn add(&mut self, counter: u32, threads: u64) {
        let n = counter as usize;
        self.reach(n + 1);
        self.0[n] += threads;
    }

    /// Adds what was counted in a launch, or in another run.
    pub fn absorb(&mut self, other: &Counters) {
        self.reach(other.0.len());
        self.0.iter_mut().zip(&other.0).for_each(|(all, n)| *all += n);
    }

    fn reach(&mut self, counters: usize) {
        if counters > self.0.len() {
            self.0.resize(counters, 0);
        }
    }
}
