//! Who meets whom at the barriers of a block that have numbers, where it is told what each thread waits at.
//!
//! Threads that wait at the same barriers in the same order are a *class*. All classes go on until each waits or has ended;
//! then the barriers are completed at which as many threads have arrived as are awaited, and so on. That this is what
//! happens in every run, whoever comes first, is shown on the way: at each barrier, whoever arrives in one phase does so
//! behind all that arrived in the phase before. A thread is behind another one where a chain of completed barriers leads
//! from that one to it, as vector clocks tell (Mattern, "Virtual time and global states of distributed systems", 1989).
//! Then by induction over this order each arrival is of the same phase in every run.

use crate::analysis::witness::WaitsAt;
use cudair_ir::NumberedBarrier;
use rustc_hash::FxHashSet;
use std::collections::BTreeMap;

/// Threads that do the same.
#[derive(Clone, Debug)]
pub struct Class {
    /// How many there are.
    pub threads: u32,
    /// For how many of them a barrier counts them.
    pub weight: u32,
    /// What each waits at, in order.
    pub waits: Vec<WaitsAt>,
}

/// Why it is not told whether all is well.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Why {
    /// Which threads meet hangs on who comes first.
    Order,
    /// Threads name different counts for one phase.
    Counts,
    /// Threads arrive, and nobody waits for them.
    LeftOver,
    /// The threads that are missing have left the kernel, and no count says that they are awaited.
    Left,
}

/// A barrier that nobody comes past.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Stuck {
    /// Its number.
    pub number: u32,
    /// How many threads it waits for.
    pub awaited: u32,
    /// How many have come.
    pub come: u32,
    /// The first class that waits there, and how many barriers it has passed.
    pub waits: (usize, usize),
    /// The classes that have come.
    pub arrived: Vec<usize>,
    /// How many barriers each class has passed.
    pub passed: Vec<usize>,
}

/// What becomes of the threads of a block.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Meeting {
    /// At each barrier as many come as it waits for: the sets of classes that meet, each with the number.
    AllMeet(FxHashSet<(u32, Vec<usize>)>),
    /// Some wait for ever, in every run.
    Stuck(Stuck),
    /// Nobody knows, of the barrier with this number.
    Open(Why, u32),
}

/// An arrival: who, before how many others of its own, and what was behind it then.
struct Arrival {
    class: usize,
    at: usize,
    waits: bool,
    behind: Vec<usize>,
}

/// A phase of a barrier in which threads have arrived.
struct Phase {
    count: u32,
    /// All of the block's threads are awaited, since nothing else is said.
    all: bool,
    arrivals: Vec<Arrival>,
}

struct Block<'a> {
    classes: &'a [Class],
    /// How many barriers each class has passed.
    passed: Vec<usize>,
    /// Whether each waits.
    waits: Vec<bool>,
    /// Of each class, by class how many of its arrivals all of its threads have made, as each thread of the first one knows.
    known: Vec<Vec<usize>>,
    open: BTreeMap<u32, Phase>,
    /// Who arrived in the phase before: the class, and which of its arrivals it was.
    last: BTreeMap<u32, Vec<(usize, usize)>>,
    met: FxHashSet<(u32, Vec<usize>)>,
}

/// Follows all classes of a block.
pub fn meeting(classes: &[Class]) -> Meeting {
    let n = classes.len();
    let mut block = Block {
        classes,
        passed: vec![0; n],
        waits: vec![false; n],
        known: vec![vec![0; n]; n],
        open: BTreeMap::new(),
        last: BTreeMap::new(),
        met: FxHashSet::default(),
    };
    loop {
        for class in 0..n {
            if let Err((why, number)) = block.run(class) {
                return Meeting::Open(why, number);
            }
        }
        let over = block.open.iter().find(|(_, p)| p.count > 0 && block.come(p) > p.count);
        if let Some((&number, _)) = over {
            return Meeting::Open(Why::Order, number);
        }
        if !block.complete() {
            return block.end();
        }
    }
}

impl Block<'_> {
    fn come(&self, phase: &Phase) -> u32 {
        phase.arrivals.iter().map(|a| self.classes[a.class].weight).sum()
    }

    fn total(&self) -> u32 {
        self.classes.iter().map(|c| c.weight).sum()
    }

    fn has_ended(&self, class: usize) -> bool {
        self.passed[class] == self.classes[class].waits.len()
    }

    /// Lets a class go on until it waits or has ended.
    fn run(&mut self, class: usize) -> Result<(), (Why, u32)> {
        while !self.waits[class] && !self.has_ended(class) {
            let at = self.passed[class];
            let WaitsAt::Numbered { how, number, count } = self.classes[class].waits[at] else {
                self.waits[class] = true;
                return Ok(());
            };
            let awaited = count.unwrap_or(self.total());
            let waits = how == NumberedBarrier::Sync;
            let before = self.last.get(&number).into_iter().flatten();
            if !before.into_iter().all(|&(other, made)| self.known[class][other] > made) {
                return Err((Why::Order, number));
            }
            let arrival = Arrival { class, at, waits, behind: self.known[class].clone() };
            let phase =
                self.open.entry(number).or_insert(Phase { count: awaited, all: true, arrivals: Vec::new() });
            if phase.count != awaited {
                return Err((Why::Counts, number));
            }
            if phase.arrivals.iter().any(|a| a.class == class) {
                return Err((Why::Order, number));
            }
            phase.all &= count.is_none();
            phase.arrivals.push(arrival);
            if waits {
                self.waits[class] = true;
            } else {
                self.pass(class);
            }
        }
        Ok(())
    }

    fn pass(&mut self, class: usize) {
        self.passed[class] += 1;
        self.waits[class] = false;
        if self.classes[class].threads == 1 {
            self.known[class][class] = self.passed[class];
        }
    }

    /// Completes each barrier at which all have come that are awaited: whether there was one.
    fn complete(&mut self) -> bool {
        let full: Vec<u32> =
            self.open.iter().filter(|(_, p)| self.come(p) == p.count).map(|(&number, _)| number).collect();
        let alive: Vec<usize> = (0..self.classes.len()).filter(|&c| !self.has_ended(c)).collect();
        let plain = |&c: &usize| self.classes[c].waits[self.passed[c]] == WaitsAt::Block;
        let of_block = !alive.is_empty() && alive.iter().all(plain);
        for &number in &full {
            let Some(phase) = self.open.remove(&number) else {
                unreachable!("barrier {number} has no phase");
            };
            self.go_on(&phase.arrivals);
            self.met.insert((number, phase.arrivals.iter().map(|a| a.class).collect()));
            self.last.insert(number, phase.arrivals.iter().map(|a| (a.class, a.at)).collect());
        }
        if of_block {
            let arrival = |&class: &usize| Arrival {
                class,
                at: self.passed[class],
                waits: true,
                behind: self.known[class].clone(),
            };
            let arrivals: Vec<Arrival> = alive.iter().map(arrival).collect();
            self.go_on(&arrivals);
        }
        of_block || !full.is_empty()
    }

    /// Lets those go on that wait for these arrivals.
    fn go_on(&mut self, arrivals: &[Arrival]) {
        let mut known = vec![0; self.classes.len()];
        for a in arrivals {
            known.iter_mut().zip(&a.behind).for_each(|(k, &b)| *k = (*k).max(b));
            known[a.class] = known[a.class].max(a.at + 1);
        }
        for a in arrivals.iter().filter(|a| a.waits) {
            self.known[a.class].iter_mut().zip(&known).for_each(|(k, &b)| *k = (*k).max(b));
            self.pass(a.class);
        }
    }

    /// What has become of them where nobody goes on.
    fn end(self) -> Meeting {
        if (0..self.classes.len()).all(|c| self.has_ended(c)) {
            return match self.open.keys().next() {
                Some(&number) => Meeting::Open(Why::LeftOver, number),
                None => Meeting::AllMeet(self.met),
            };
        }
        let waiting = self.open.iter().find_map(|(&number, p)| {
            let first = p.arrivals.iter().find(|a| a.waits)?;
            Some((number, p, first))
        });
        let Some((number, phase, first)) = waiting else {
            unreachable!("threads wait, and not at a barrier with a number");
        };
        let come = self.come(phase);
        let left: u32 =
            (0..self.classes.len()).filter(|&c| self.has_ended(c)).map(|c| self.classes[c].weight).sum();
        if phase.all && come + left == phase.count {
            return Meeting::Open(Why::Left, number);
        }
        let (awaited, waits) = (phase.count, (first.class, first.at));
        let arrived = phase.arrivals.iter().map(|a| a.class).collect();
        Meeting::Stuck(Stuck { number, awaited, come, waits, arrived, passed: self.passed })
    }
}

#[cfg(test)]
mod tests;
