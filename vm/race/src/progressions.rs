//! What needs not even a bit per granule: accesses in which thread `t` touches the bytes from `at + t * step` on.
//!
//! Two such accesses of one `at` and `step` touch a byte with the same thread. Two others touch none in common if
//! their ranges are apart, or if no two of their terms can be close: all differences between terms of two
//! arithmetic progressions are congruent modulo the greatest common divisor of the steps (the *GCD test* of
//! dependence analysis: Banerjee 1988). Where neither is seen, the interval goes on with [`super::ownership`].

use super::{AddressPattern, RaceAccess};
use cudair_lane::fault::AccessOp;

/// Progressions of an object in an interval.
const MOST: usize = 8;

/// Bytes that threads touch.
#[derive(Clone, Copy, Debug)]
struct Progression {
    /// Where thread 0 is, or would be.
    at: i64,
    /// Bytes from one thread to the next; 0 where all are at one place.
    step: i64,
    /// At one place: the thread, or all of them that read there.
    thread: Option<u32>,
    /// Bytes per thread.
    width: i64,
    /// The first byte.
    low: i64,
    /// The byte behind the last.
    end: i64,
    wrote: bool,
}

/// The progressions of an object in an interval.
#[derive(Clone, Debug, Default)]
pub(super) struct Progressions {
    all: Vec<Progression>,
}

fn gcd(mut a: i64, mut b: i64) -> i64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

impl Progression {
    fn of(acc: &RaceAccess) -> Option<Progression> {
        let plain = acc.how.atomic.is_none() && acc.how.op != AccessOp::Atomic;
        let (first, last) = (acc.mask.lowest()?, acc.mask.highest()?);
        let (thread, width) = (i64::from(acc.first_thread), i64::from(acc.width));
        let wrote = acc.how.op != AccessOp::Read;
        let (lane0, step) = match acc.spot {
            AddressPattern::Contiguous(off) => (off, width),
            AddressPattern::Chunks(pattern) => pattern.stride().map(|s| (s.at, s.step))?,
            AddressPattern::Uniform(off) => {
                let one = (first == last).then_some(acc.first_thread + first as u32);
                let at = i64::from(off);
                let progression =
                    Progression { at, step: 0, thread: one, width, low: at, end: at + width, wrote };
                return (plain && (one.is_some() || !wrote)).then_some(progression);
            }
        };
        let ends = [first, last].map(|l| lane0 + l as i64 * step);
        let [low, high] = if step < 0 { [ends[1], ends[0]] } else { ends };
        let progression = Progression {
            at: lane0 - thread * step,
            step,
            thread: None,
            width,
            low,
            end: high + width,
            wrote,
        };
        (plain && width <= step.abs()).then_some(progression)
    }

    /// Whether a byte that both touch is always touched by one and the same thread.
    fn is_same(&self, other: &Progression) -> bool {
        if self.step == 0 && other.step == 0 {
            return self.thread.is_some() && self.thread == other.thread;
        }
        let lone = |one: &Progression, many: &Progression| {
            one.thread.is_some_and(|t| {
                one.at >= many.at + i64::from(t) * many.step
                    && one.at + one.width <= many.at + i64::from(t) * many.step + many.step.abs()
            })
        };
        match (self.step, other.step) {
            (0, _) => lone(self, other),
            (_, 0) => lone(other, self),
            _ => self.at == other.at && self.step == other.step,
        }
    }

    /// Whether they touch no byte in common.
    fn is_apart(&self, other: &Progression) -> bool {
        if self.end <= other.low || other.end <= self.low {
            return true;
        }
        let g = gcd(self.step.abs(), other.step.abs());
        if g == 0 {
            return false;
        }
        let r = (self.at - other.at).rem_euclid(g);
        r >= other.width && g - r >= self.width
    }
}

impl Progressions {
    /// Forgets all.
    pub(super) fn clear(&mut self) {
        self.all.clear();
    }

    /// Enters an access. False where it may conflict with one before, or where that is not told: then this is
    /// of no use any more in the interval.
    pub(super) fn enter(&mut self, acc: &RaceAccess) -> bool {
        let Some(new) = Progression::of(acc) else { return false };
        let mut known = None;
        for (n, old) in self.all.iter().enumerate() {
            if (new.wrote || old.wrote) && !old.is_same(&new) && !old.is_apart(&new) {
                return false;
            }
            if (old.at, old.step, old.thread, old.width) == (new.at, new.step, new.thread, new.width) {
                known = Some(n);
            }
        }
        match known {
            Some(n) => {
                let old = &mut self.all[n];
                (old.low, old.end) = (old.low.min(new.low), old.end.max(new.end));
                old.wrote |= new.wrote;
            }
            None if self.all.len() < MOST => self.all.push(new),
            None => return false,
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The threads `from..to`, every `every`-th.
    fn bytes(s: &Progression, threads: std::ops::Range<i64>) -> Vec<(i64, i64)> {
        threads.flat_map(|t| (0..s.width).map(move |b| (s.at + t * s.step + b, t))).collect()
    }

    fn made_of(at: i64, step: i64, width: i64, threads: &std::ops::Range<i64>, wrote: bool) -> Progression {
        let ends = [at + threads.start * step, at + (threads.end - 1) * step];
        let (low, high) = (ends[0].min(ends[1]), ends[0].max(ends[1]));
        let thread = (step == 0).then_some(threads.start as u32);
        Progression { at, step, thread, width, low, end: high + width, wrote }
    }

    fn progression() -> impl Strategy<Value = (Progression, std::ops::Range<i64>)> {
        (-40i64..40, -12i64..=12, 1i64..=8, 0i64..6, 1i64..8).prop_map(|(at, step, width, first, n)| {
            let threads = if step == 0 { first..first + 1 } else { first..first + n };
            let width = if step == 0 { width } else { width.min(step.abs()) };
            (made_of(at, step, width, &threads, true), threads)
        })
    }

    proptest! {
        /// What is called apart shares no byte; what is called the same shares bytes of one thread only.
        #[test]
        fn as_byte_by_byte((a, at) in progression(), (b, bt) in progression()) {
            let (left, right) = (bytes(&a, at), bytes(&b, bt));
            let shared = left.iter().flat_map(|x| right.iter().filter(|y| y.0 == x.0).map(|y| (x.1, y.1)));
            let shared: Vec<(i64, i64)> = shared.collect();
            prop_assert!(!a.is_apart(&b) || shared.is_empty());
            prop_assert!(!a.is_same(&b) || shared.iter().all(|(x, y)| x == y));
        }
    }

    #[test]
    fn strides_that_never_meet_are_seen() {
        let threads = 0..64;
        let even = made_of(0, 8, 4, &threads, true);
        let odd = made_of(4, 8, 4, &threads, true);
        let off = made_of(2, 8, 4, &threads, true);
        assert!(even.is_apart(&odd) && !even.is_apart(&off));
        assert!(even.is_apart(&made_of(1024, 4, 4, &threads, true)));
        assert!(even.is_same(&even) && !even.is_same(&odd));
    }
}
