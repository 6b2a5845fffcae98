//! What a look at the device's clock costs: as much as a few instructions, and more where threads do nothing but
//! look.

use rustc_hash::FxHashMap;

/// A function and a place in it.
type Site = (u32, usize);

/// Ticks of a look at first.
const STEP: u64 = 16;
/// PollCounter of a loop after which each costs twice as much.
const LOOKS: u32 = 64;
/// How often that happens.
const DOUBLINGS: u32 = 6;

/// The looks of a launch.
#[derive(Debug, Default)]
pub(crate) struct PollCounter {
    last: Option<Site>,
    /// PollCounter that followed one at the same place: who looks from two places measures, who looks again and
    /// again from one waits for time to pass.
    again: FxHashMap<Site, u32>,
}

impl PollCounter {
    /// The ticks that a look at a place takes.
    pub(crate) fn step(&mut self, func: u32, pc: usize) -> u64 {
        let site = (func, pc);
        if self.last.replace(site) != Some(site) {
            return self.again.get(&site).map_or(STEP, |&n| cost(n));
        }
        let again = self.again.entry(site).or_default();
        *again = again.saturating_add(1);
        cost(*again)
    }
}

fn cost(again: u32) -> u64 {
    STEP << (again / LOOKS).min(DOUBLINGS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_waits_pays_more_and_who_measures_does_not() {
        let mut looks = PollCounter::default();
        for _ in 0..1000 {
            assert_eq!((looks.step(1, 5), looks.step(1, 9)), (STEP, STEP));
        }
        let waited: u64 = (0..1000).map(|_| looks.step(1, 20)).sum();
        assert!(waited > 1000 * STEP * 16);
        assert_eq!(looks.step(2, 20), STEP);
    }
}
