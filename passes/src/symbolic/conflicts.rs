//! Pairs of accesses that were not proved apart.

use super::premises::Premises;
use super::race::Apart;
use super::smt::Answer;
use super::summary::{Access, Gap, Summary};
use super::term::{Node, Sym};
use crate::analysis::witness::ThreadIndex;
use cudair_ir::{Counterexample, Inst};
use rustc_hash::FxHashSet;

/// What a question about two accesses came to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Meeting {
    /// They may meet: both may, in this way.
    Possible(Witness),
    /// Both write, the same value.
    SameValue(Witness),
    /// Nobody could tell, and why.
    Unknown(String),
    /// The solver ran out of time.
    Cut,
}

impl Meeting {
    /// That nobody could tell, where that is the answer.
    pub(super) fn open(answer: Answer) -> Option<Meeting> {
        match answer {
            Answer::Unknown(why) => Some(Meeting::Unknown(why)),
            Answer::Cut => Some(Meeting::Cut),
            Answer::Yes(_) | Answer::No => None,
        }
    }

    /// Whether nobody could tell.
    pub(super) fn is_open(&self) -> bool {
        matches!(self, Meeting::Unknown(_) | Meeting::Cut)
    }
}

/// Values under which two threads meet.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Witness {
    /// Each symbol that matters, by name, with its value; that of a thread as `threadIdx.x'1`.
    pub values: Vec<(Node, u128)>,
    /// Whether it rests on what memory was taken to hold, or on another unknown result.
    pub data: bool,
    /// Two threads that meet whatever memory and arguments hold, if there are some.
    pub certain: Option<[ThreadIndex; 2]>,
    /// A launch, as small as may be, in which they meet, where somebody wants one.
    pub launch: Option<Box<Counterexample>>,
}

impl Witness {
    /// The value of a symbol, or of a thread's own.
    pub fn value(&self, sym: Sym, copy: u8) -> Option<u128> {
        self.values.iter().find(|(n, _)| *n == Node::Sym { sym, copy }).map(|v| v.1)
    }
}

/// Two accesses that were not proved apart.
#[derive(Clone, Debug)]
pub struct Conflict {
    /// Their numbers in the summary; that of the first thread first.
    pub accesses: (usize, usize),
    /// How the threads stand to each other.
    pub apart: Apart,
    /// What is known of it.
    pub meeting: Meeting,
}

impl Conflict {
    /// Whether it is one of this access.
    pub(super) fn is_of(&self, access: usize) -> bool {
        self.accesses.0 == access || self.accesses.1 == access
    }
}

/// What was found of one kernel.
#[derive(Clone, Debug, Default)]
pub struct Races {
    /// Pairs of accesses that were not proved apart.
    pub conflicts: Vec<Conflict>,
    /// What could not be followed: nothing is proved where there is any.
    pub gaps: Vec<Gap>,
    /// What the proof rests on.
    pub premises: Premises,
    /// How many questions went to the solver.
    pub questions: usize,
    /// Whether there was nothing to prove: no memory that other threads see is written.
    pub trivial: bool,
}

impl Races {
    /// Whether one more conflict, of which nothing is known, would say nothing new: of each of its two accesses there is one
    /// with that reason. Whoever reads conflicts asks which accesses have some.
    pub(super) fn say(&self, conflict: &Conflict) -> bool {
        let alike = |n| self.conflicts.iter().any(|c| c.meeting == conflict.meeting && c.is_of(n));
        conflict.meeting.is_open() && alike(conflict.accesses.0) && alike(conflict.accesses.1)
    }

    /// Adds a conflict, unless there is one of these accesses with an answer of that kind.
    pub(super) fn add(&mut self, conflict: Conflict) {
        let kind = std::mem::discriminant(&conflict.meeting);
        let same =
            |c: &Conflict| c.accesses == conflict.accesses && std::mem::discriminant(&c.meeting) == kind;
        if !self.conflicts.iter().any(same) {
            self.conflicts.push(conflict);
        }
    }

    /// Pairs of accesses to shared memory that may meet, each in both orders.
    pub fn racing(&self, s: &Summary<'_>) -> FxHashSet<(Inst, Inst)> {
        let told = |c: &&Conflict| matches!(c.meeting, Meeting::Possible(_) | Meeting::SameValue(_));
        let both = |c: &Conflict| [c.accesses.0, c.accesses.1].map(|n| &s.accesses[n]);
        let shared = |pair: &[&Access; 2]| pair.iter().any(|a| s.is_shared(a.base));
        let pairs = self.conflicts.iter().filter(told).map(both).filter(shared);
        pairs.flat_map(|[a, b]| [(a.inst, b.inst), (b.inst, a.inst)]).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_access_with_an_open_conflict_has_one() {
        let open = |a, b, why: &str| Conflict {
            accesses: (a, b),
            apart: Apart::InBlock,
            meeting: Meeting::Unknown(why.to_owned()),
        };
        let mut races = Races::default();
        races.add(open(0, 1, "hard"));
        races.add(open(2, 3, "hard"));
        races.add(open(2, 3, "hard"));
        assert_eq!(races.conflicts.len(), 2);
        assert!(races.say(&open(1, 2, "hard")));
        // Another reason, and accesses of which nothing was said: the first, the second, both.
        assert!(!races.say(&open(1, 2, "too many")));
        assert!(
            !races.say(&open(4, 1, "hard"))
                && !races.say(&open(1, 4, "hard"))
                && !races.say(&open(4, 4, "hard"))
        );
        // What is known is always told.
        let known = Conflict { meeting: Meeting::Possible(Witness::default()), ..open(0, 1, "") };
        races.add(known.clone());
        assert!(!races.say(&known));
        assert_eq!(races.conflicts.len(), 3);
    }
}
