//! What the launches of a kernel were to those who conclude from a run: whether all of a launch was seen, and nothing was
//! wrong with it.

use cudair_ir::verdict::Saving;

/// What a launch lacks that a proof by one run takes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Lack {
    /// Races were looked for.
    Watched,
    /// It came to its end.
    End,
    /// Nothing was found in it.
    Silence,
    /// A second run said of what was suspected whether it is a race.
    SecondRun,
    /// The race detector compared all accesses to what was suspected.
    Comparison,
    /// There was no object so large that races in it are not looked for.
    Shadow,
    /// The host launched it.
    Host,
}

impl Lack {
    /// What is so instead, as a clause.
    pub fn clause(self) -> &'static str {
        match self {
            Lack::Watched => "races were not looked for",
            Lack::End => "the launch did not come to its end",
            Lack::Silence => "something is wrong in it",
            Lack::SecondRun => "suspected races could not be looked at in a second run",
            Lack::Comparison => "the race detector did not compare all accesses",
            Lack::Shadow => "races in objects of 2 GiB and more are not looked for",
            Lack::Host => "a kernel launched it, whose own accesses are not compared with it",
        }
    }
}

/// Accesses of a kernel's code to memory that other threads see, and those that the race detector need not see, since they
/// are proved free of races: added over launches.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Unwatched {
    /// All of them, in the launches in which the detector does not see some.
    pub accesses: u64,
    /// Those of them that the detector does not see.
    pub unwatched: u64,
    /// These launches.
    pub launches: u64,
}

impl Unwatched {
    /// Adds what was counted elsewhere.
    pub fn add(&mut self, other: Unwatched) {
        let Unwatched { accesses, unwatched, launches } = other;
        self.accesses += accesses;
        self.unwatched += unwatched;
        self.launches += launches;
    }
}

/// The launches of a kernel in a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Launched {
    /// How many began.
    pub launches: u64,
    /// Of how many of them all was seen, with nothing wrong.
    pub whole: u64,
    /// What the first of the others lacks, and its number; none where it ended the run.
    pub lack: Option<(Lack, u64)>,
    /// The accesses that the race detector did not see.
    pub accesses: Unwatched,
    /// The time that this saved in one of them, if it was measured.
    pub saving: Option<Saving>,
}

impl Launched {
    /// A launch has ended, in which everything was seen unless it lacks something.
    #[inline]
    pub fn ended(&mut self, number: u64, lack: Option<Lack>) {
        match lack {
            None => self.whole += 1,
            Some(lack) => self.lack = self.lack.or(Some((lack, number))),
        }
    }

    /// Adds the launches of another run of the program.
    pub fn join(&mut self, other: Launched) {
        let Launched { launches, whole, lack, accesses, saving } = other;
        self.accesses.add(accesses);
        self.launches += launches;
        self.whole += whole;
        self.lack = self.lack.or(lack);
        self.saving = self.saving.or(saving);
    }

    /// What a launch lacks, if one does.
    pub fn lacks(&self) -> Option<Lack> {
        match self.lack {
            Some((lack, _)) => Some(lack),
            None => (self.whole < self.launches).then_some(Lack::End),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_launch_that_did_not_end_lacks_that() {
        let mut all = Launched { launches: 2, ..Launched::default() };
        all.ended(0, None);
        assert_eq!(all.lacks(), Some(Lack::End));
        all.ended(1, None);
        assert_eq!(all.lacks(), None);
        let mut other = Launched { launches: 1, ..Launched::default() };
        other.ended(0, Some(Lack::Silence));
        all.join(other);
        assert_eq!((all.launches, all.whole, all.lacks()), (3, 2, Some(Lack::Silence)));
    }
}
