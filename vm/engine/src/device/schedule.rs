//! Schedules other than the default one: `--seed`, which permutes warps and preemption points, and
//! `--warp-model lockstep`, in which the lanes of a warp make no progress of their own.
//!
//! By default a strip's convergence groups hold lanes of several warps and the one that stands first in the program
//! runs. Under a [`Schedule`] each convergence group's lanes are of one warp:
//!
//! - With a seed, which convergence group runs next is drawn, turns are short and of random length, and a convergence
//!   group may have to wait at any join. Either arm of a branch may go first. At an operation that touches memory
//!   some of a warp's lanes may have to wait, and behind it others of the strip, of the block or of other blocks may
//!   come first: how often is drawn for each strip, since some races show in long turns and some in short ones. The
//!   lanes of a warp do an atomic operation in an order that is drawn, too. The draws depend on the seed, the launch,
//!   the block and the strip alone, so that a run with one seed is always the same.
//! - In lockstep a convergence group can run only if no other of its warp stands before it in the program: lanes that
//!   have left a loop wait for those that are in it, as devices before compute capability 7.0 do it.

use super::strip::{ConvergenceGroup, PATIENCE, State, Strip};
use crate::config::WarpModel;
use cudair_lane::Mask;

/// Back edges of a turn under a seed: at least and at most.
const TURN: (u32, u32) = (16, 512);
/// One join in so many makes a convergence group wait, under a seed.
const PREEMPT: u64 = 8;
/// One memory operation in so many is interrupted, under a seed: a strip draws which of these.
const INTERRUPT: [u64; 4] = [1, 2, 6, 48];
/// After so many turns in which memory did not change, memory operations are interrupted no more until it does: groups that
/// part at each one would never be seen to come back to the same state, and a deadlock would not end.
const CALM: u32 = 256;

/// A generator of pseudo-random numbers (splitmix64).
#[derive(Clone, Debug)]
pub(crate) struct Random(u64);

impl Random {
    /// The generator of a seed.
    pub(crate) fn new(seed: u64) -> Random {
        Random(seed)
    }

    /// A generator of its own for part `n` of what this one is for.
    pub(crate) fn part(&self, n: u64) -> Random {
        let mut mixed = Random(self.0 ^ n.wrapping_mul(0xd6e8_feb8_6659_fd93));
        Random(mixed.next())
    }

    /// The next number.
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let x = self.0;
        let x = (x ^ x >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let x = (x ^ x >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        x ^ x >> 31
    }

    /// A number below `n`, which is not 0.
    pub(crate) fn below(&mut self, n: usize) -> usize {
        ((u128::from(self.next()) * n as u128) >> 64) as usize
    }

    /// Puts a list into a random order.
    pub(crate) fn shuffle<T>(&mut self, list: &mut [T]) {
        for i in (1..list.len()).rev() {
            list.swap(i, self.below(i + 1));
        }
    }
}

/// How a strip's convergence groups are scheduled.
#[derive(Clone, Debug)]
pub(crate) struct Schedule {
    pub(crate) lockstep: bool,
    pub(crate) random: Option<Random>,
    /// One memory operation in so many is interrupted.
    interrupt: u64,
    /// How often memory had changed when the last turn ended, and how many turns have ended since without a change.
    idle: (u64, u32),
}

/// Whose turn it is after a memory operation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum After {
    /// The convergence group's that did it.
    Same,
    /// Another's of the strip.
    Strip,
    /// Another strip's or block's.
    Others,
}

impl Schedule {
    /// The schedule of a strip, if it is not the default one: `random` is the launch's generator, `block` and
    /// `first_thread` say which strip.
    pub(crate) fn of_strip(
        model: WarpModel,
        random: Option<&Random>,
        block: u64,
        first_thread: u32,
    ) -> Option<Box<Schedule>> {
        let lockstep = model == WarpModel::Lockstep;
        let mut random = random.map(|r| r.part(block).part(u64::from(first_thread) + 1));
        let interrupt = random.as_mut().map_or(0, |r| INTERRUPT[r.below(INTERRUPT.len())]);
        (lockstep || random.is_some())
            .then(|| Box::new(Schedule { lockstep, random, interrupt, idle: (0, 0) }))
    }
}

/// The warp of a convergence group's lanes, where they are of one.
fn warp(f: &ConvergenceGroup) -> Option<usize> {
    f.mask.lowest().map(|l| l / 32)
}

/// Whether two convergence groups may be one.
pub(super) fn together(schedule: Option<&Schedule>, a: &ConvergenceGroup, b: &ConvergenceGroup) -> bool {
    schedule.is_none() || warp(a) == warp(b)
}

impl Strip {
    /// Splits the convergence group that enters the kernel by warps.
    pub(super) fn by_warps(&mut self, f: ConvergenceGroup) {
        if self.schedule.is_none() {
            self.groups.push(f);
            return;
        }
        for w in 0..self.shape.lanes.div_ceil(32) as usize {
            let lanes = Mask::of_warp(w, f.mask.warp(w));
            if !lanes.is_empty() {
                let part = f.split(lanes, &mut self.pool);
                self.groups.push(part);
            }
        }
        self.pool.push(f.words);
    }

    /// Whether a convergence group could run but for the lanes of its warp that stand before it, which must come
    /// first in lockstep.
    pub(crate) fn is_held_up(&self, f: &ConvergenceGroup) -> bool {
        self.schedule.as_ref().is_some_and(|s| s.lockstep)
            && f.state == State::Ready
            && self.groups.iter().any(|o| {
                o.state == State::Ready && warp(o) == warp(f) && !std::ptr::eq(o, f) && o.order(f).is_lt()
            })
    }

    /// Whether every convergence group waits or spins, memory having changed this often.
    pub(crate) fn is_stuck(&self, changes: u64) -> bool {
        self.groups.iter().all(|f| f.is_stuck(changes) || self.is_held_up(f))
    }

    /// Whether a convergence group can run that has not used up its turn.
    pub(super) fn has_turn_left(&self) -> bool {
        self.groups.iter().any(|f| f.state == State::Ready && !f.deferred && !self.is_held_up(f))
    }

    /// Which convergence group runs next under a schedule.
    pub(super) fn pick_scheduled(&mut self) -> Option<usize> {
        let ready: Vec<usize> = (0..self.groups.len())
            .filter(|&i| self.groups[i].state == State::Ready && !self.is_held_up(&self.groups[i]))
            .collect();
        let mut fresh: Vec<usize> = ready.iter().copied().filter(|&i| !self.groups[i].deferred).collect();
        if fresh.is_empty() {
            self.groups.iter_mut().for_each(|f| f.deferred = false);
            fresh = ready;
        }
        if fresh.is_empty() {
            return None;
        }
        let random = self.schedule.as_mut().and_then(|s| s.random.as_mut());
        let at = random.map_or(0, |random| random.below(fresh.len()));
        // The order of the list is no part of the schedule: warps and places are.
        let (_, &mut next, _) = fresh.select_nth_unstable_by(at, |&a, &b| {
            let (a, b) = (&self.groups[a], &self.groups[b]);
            warp(a).cmp(&warp(b)).then_with(|| a.order(b)).then_with(|| a.mask.lowest().cmp(&b.mask.lowest()))
        });
        Some(next)
    }

    /// Whether `f`, which stands at a join, must let others go first under a schedule.
    pub(super) fn yields_scheduled(&mut self, f: &ConvergenceGroup) -> bool {
        let mut ready = self.groups.iter().filter(|o| o.state == State::Ready);
        if ready.any(|o| warp(o) == warp(f) && o.order(f).is_lt()) {
            let lockstep = self.schedule.as_ref().is_some_and(|s| s.lockstep);
            // Lanes of a warp meet again as a rule; where they may not, as by chance.
            return lockstep || self.chance(PREEMPT).is_none_or(|no| !no);
        }
        self.has_ready() && self.chance(PREEMPT) == Some(true)
    }

    /// True once in `n` times; nothing without a seed.
    fn chance(&mut self, n: u64) -> Option<bool> {
        let random = self.schedule.as_mut()?.random.as_mut()?;
        Some(random.next().is_multiple_of(n))
    }

    /// The generator of a seed under which the lanes of a warp go on by themselves, and how often it interrupts.
    fn interrupts(&mut self, changes: u64) -> Option<(&mut Random, u64)> {
        let calm = |s: &Schedule| s.idle.0 == changes && s.idle.1 >= CALM;
        let schedule = self.schedule.as_mut().filter(|s| !s.lockstep && !calm(s))?;
        Some((schedule.random.as_mut()?, schedule.interrupt))
    }

    /// Before a memory operation of `lanes`: those that have to wait, if there are any.
    pub(super) fn waiting_lanes(&mut self, lanes: &Mask, changes: u64) -> Option<Mask> {
        let (random, rate) = self.interrupts(changes)?;
        if lanes.second().is_none() || !random.next().is_multiple_of(rate) {
            return None;
        }
        let mut waiting = Mask::NONE;
        let mut bits = 0;
        for (n, lane) in lanes.iter().enumerate() {
            if n % 64 == 0 {
                bits = random.next();
            }
            if bits >> (n % 64) & 1 != 0 {
                waiting.insert(lane);
            }
        }
        (!waiting.is_empty() && waiting != *lanes).then_some(waiting)
    }

    /// Behind a memory operation: whose turn it is.
    pub(super) fn after_memory(&mut self, changes: u64) -> After {
        let Some((random, rate)) = self.interrupts(changes) else { return After::Same };
        let drawn = random.next();
        if !drawn.is_multiple_of(rate) {
            After::Same
        } else if (drawn >> 32).is_multiple_of(4) {
            After::Strip
        } else {
            After::Others
        }
    }

    /// Whether those go first, under a seed, who do not stand first in the program where a convergence group has
    /// parted.
    pub(super) fn turns_over(&mut self, changes: u64) -> bool {
        self.interrupts(changes).is_some_and(|(random, _)| random.next().is_multiple_of(2))
    }

    /// The order in which lanes do an atomic operation that all of them come to: that of a seed, if there is one.
    pub(super) fn lane_order(&mut self, mask: &Mask) -> Option<Vec<usize>> {
        let random = self.schedule.as_mut()?.random.as_mut()?;
        let mut lanes: Vec<usize> = mask.iter().collect();
        random.shuffle(&mut lanes);
        Some(lanes)
    }

    /// A turn has ended, memory having changed this often.
    pub(super) fn note_turn(&mut self, changes: u64) {
        if let Some(schedule) = &mut self.schedule {
            let turns = if schedule.idle.0 == changes { schedule.idle.1.saturating_add(1) } else { 0 };
            schedule.idle = (changes, turns);
        }
    }

    /// Back edges that a turn may take under a schedule.
    pub(super) fn turn_scheduled(&mut self) -> Option<u32> {
        let schedule = self.schedule.as_mut()?;
        let (least, most) = TURN;
        match &mut schedule.random {
            Some(random) => Some(least + random.below((most - least) as usize) as u32),
            None => Some(PATIENCE),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_depend_on_the_seed_and_the_part() {
        let draw = |mut r: Random| (0..4).map(|_| r.below(1000)).collect::<Vec<_>>();
        assert_eq!(draw(Random::new(1)), draw(Random::new(1)));
        assert_ne!(draw(Random::new(1)), draw(Random::new(2)));
        assert_ne!(draw(Random::new(1).part(0)), draw(Random::new(1).part(1)));
        let mut list: Vec<u32> = (0..100).collect();
        Random::new(7).shuffle(&mut list);
        assert_ne!(list, (0..100).collect::<Vec<_>>());
        list.sort_unstable();
        assert_eq!(list, (0..100).collect::<Vec<_>>());
    }
}
