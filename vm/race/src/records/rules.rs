//! Which unordered accesses of two threads are a race, where `volatile` or an atomic is in play.
//!
//! An aligned volatile access of at most eight bytes is a relaxed access at system scope (PTX ISA, "Memory
//! Consistency Model": volatile operations): it is never torn, and it orders nothing. Against a plain access it
//! is what a plain one is. Among volatile and atomic accesses it matters what becomes of a loaded value
//! ([`cudair_ir::Uses`]):
//!
//! - two writes, of which one is volatile, leave one of two values: a race, unless the other is atomic and its
//!   result decides whether its thread goes on (a test-and-set lock that is released by a volatile store);
//! - a read whose value only decides is prepared for an old one, and so is one that is repeated until its value
//!   was accepted; any other use as data is not;
//! - a store that depends on the thread's own volatile read of the same bytes is an *update*. A write that comes
//!   neither before the read nor after the store is lost.
//!
//! A plain read whose value decides branches and is the guess of a compare-and-swap at the same place is no
//! race with atomic operations there: the operation finds out whether the guess was right. Strict rules note it.

use super::{Class, Granule, Record, Recorder, Side, in_order};
use crate::exact::meet;
use crate::is_strong;
use crate::order::{STRICT, Who};
use cudair_ir::{FuncId, LoadUse, Uses};
use cudair_lane::How;
use cudair_lane::fault::{AccessOp, Place, SiteRef};
use cudair_report::Violation;
use rustc_hash::FxHashMap;
use std::sync::{Arc, Mutex, PoisonError};

/// Who knows what becomes of the values that the launch reads.
#[derive(Clone, Debug, Default)]
pub enum ReadUses {
    /// Nobody: each may be used for anything.
    #[default]
    Unknown,
    /// The program, in a launch of this kernel.
    Program(Arc<Mutex<Uses>>, Option<FuncId>),
    /// What becomes of what a place reads, and whether a branch or an address depends on it.
    #[cfg(test)]
    Told(fn(Place) -> (LoadUse, bool)),
}

impl ReadUses {
    /// What becomes of what is read at a place.
    pub fn of(&self, place: Place) -> LoadUse {
        match (self, place) {
            (ReadUses::Program(uses, _), Place::Site(site)) => {
                let mut uses = uses.lock().unwrap_or_else(PoisonError::into_inner);
                LoadUse::clone(&uses.of(site.func, site.site))
            }
            #[cfg(test)]
            (ReadUses::Told(tell), place) => tell(place).0,
            _ => LoadUse::unknown(),
        }
    }

    /// Whether a branch or an address depends on what is read at a place.
    fn controls(&self, place: Place) -> bool {
        match (self, place) {
            (ReadUses::Program(uses, Some(kernel)), Place::Site(site)) => {
                let mut uses = uses.lock().unwrap_or_else(PoisonError::into_inner);
                uses.controls(*kernel, site.func, site.site)
            }
            #[cfg(test)]
            (ReadUses::Told(tell), place) => tell(place).1,
            _ => true,
        }
    }

    /// The same in launches of a kernel.
    #[inline]
    pub fn within(&self, kernel: Option<FuncId>) -> ReadUses {
        let mut uses = self.clone();
        if let ReadUses::Program(_, of) = &mut uses {
            *of = kernel;
        }
        uses
    }
}

/// What becomes of the value that an access reads; all are false for one that reads nothing.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Usage {
    pub(super) data: bool,
    pub(super) decides: bool,
    /// It is the guess of a compare-and-swap.
    guess: bool,
    /// A store depends on it.
    pub(super) feeds: bool,
    /// Its thread learns something from it: what it does, or where, depends on the value, and not only by an update of the
    /// same place. Otherwise it would do the same before the write that it has read as after it.
    pub(super) learns: bool,
    /// What it learns is more than chance: the read waits for it, or is part of an atomic operation.
    pub(super) waits: bool,
}

/// A write that a thread's read of the same bytes has missed, or would have if it came later.
#[derive(Clone, Copy, Debug)]
pub(super) struct Missed {
    side: Side,
    record: Record,
}

/// Places of missed writes that are kept of a read.
const MISSED: usize = 32;

/// What reads of one granule have missed, by their bytes (start and width) and thread.
pub(super) type MissedBy = FxHashMap<((u32, u32), Who), Vec<Missed>>;

impl Recorder {
    /// What becomes of what an access reads.
    pub(super) fn usage(&mut self, how: &How) -> Usage {
        if how.op == AccessOp::Write {
            return Usage::default();
        }
        if let Some(&known) = self.usages.get(how) {
            return known;
        }
        let found = self.uses.of(how.place);
        let mut usage = Usage {
            data: found.data,
            decides: found.decides,
            guess: found.is_guess(),
            feeds: how.is_volatile() && !found.feeds.is_empty(),
            learns: found.data || found.decides || found.guesses,
            waits: found.waits || how.atomic.is_some(),
        };
        if how.atomic.is_some() {
            // What an atomic operation reads goes into what it writes as one step.
            usage.data |= found.updates;
            usage.learns |= found.updates;
        }
        usage.learns &= self.uses.controls(how.place);
        if usage.feeds {
            for &(func, site) in &found.feeds {
                let store = Place::Site(SiteRef { func, site });
                self.fed.entry(store).or_default().push(how.place);
            }
        }
        self.usages.insert(*how, usage);
        usage
    }

    /// Enters a strong access into what reads have missed.
    pub(super) fn miss(
        &mut self,
        granule: Granule,
        classes: &[Class],
        how: How,
        (start, width): (u32, u32),
        new: &Record,
    ) {
        if self.fed.is_empty() || !is_strong(&how, start, width) {
            return;
        }
        let usage = self.usage(&how);
        let meets = |c: &Class| meet(granule.1, (c.start, c.width), (start, width));
        if usage.feeds {
            let mut missed = Vec::new();
            for c in classes {
                if !(meets(c) && c.how.op.writes() && is_strong(&c.how, c.start, c.width)) {
                    continue;
                }
                for old in &c.records {
                    let known = old.who == new.who
                        || self.order.is_before(STRICT, old.who, old.at, new.who)
                        || self.was_observed(granule, &c.how, old, new.who, true);
                    if old.wrote && !known {
                        let side = Side::of(c.how, c.start, c.width, old);
                        enter(&mut missed, Missed { side, record: *old });
                    }
                }
            }
            self.missed.entry(granule).or_default().insert(((start, width), new.who), missed);
        }
        if new.wrote {
            let side = Side::of(how, start, width, new);
            let all = self.missed.entry(granule).or_default();
            for c in classes {
                if meets(c) && self.usages.get(&c.how).is_some_and(|u| u.feeds) {
                    for old in c.records.iter().filter(|old| old.who != new.who) {
                        let missed = all.entry(((c.start, c.width), old.who)).or_default();
                        enter(missed, Missed { side, record: *new });
                    }
                }
            }
        }
    }

    /// The updates that a thread's update overwrites without having seen them.
    pub(super) fn lose(&mut self, granule: Granule, side: Side, new: &Record) {
        let of_thread = ((side.start, side.width), new.who);
        let Some(missed) = self.missed.get(&granule).and_then(|all| all.get(&of_thread)).cloned() else {
            return;
        };
        for Missed { side: other, record } in missed {
            let number = |s: &Side| self.hows.get(&s.how).copied();
            let (Some(m), Some(n)) = (number(&other), number(&side)) else { continue };
            self.found(granule, in_order((other, m), (side, n)), &record, new, Violation::LostUpdate);
        }
    }

    /// Whether one reads a guess, and the other is the atomic operation that decides whether it was right, or
    /// another such.
    pub(super) fn is_guess(&self, a: &How, b: &How) -> bool {
        let guesses = |how: &How, other: &How| {
            (how.op, how.atomic, other.op) == (AccessOp::Read, None, AccessOp::Atomic)
                && self.usages.get(how).is_some_and(|u| u.guess)
        };
        guesses(a, b) || guesses(b, a)
    }

    /// What unordered relaxed accesses are, volatile or atomic and of a scope that holds both threads; `None` where they
    /// are no race. `update` says whether one of them may end an update.
    fn relaxed(&self, a: &How, b: &How, update: bool) -> Option<Violation> {
        let usage = |how: &How| self.usages.get(how).copied().unwrap_or_default();
        if !a.is_volatile() && !b.is_volatile() {
            return None;
        }
        if a.op.writes() && b.op.writes() {
            let decides = |how: &How| !how.is_volatile() && usage(how).decides;
            return if update {
                Some(Violation::LostUpdate)
            } else {
                (!decides(a) && !decides(b)).then_some(Violation::Unordered)
            };
        }
        let reader = if a.op.writes() { b } else { a };
        if reader.is_volatile() {
            usage(reader).data.then_some(Violation::UsedValue)
        } else {
            (!usage(reader).decides).then_some(Violation::Unordered)
        }
    }

    /// Whether relaxed accesses of two places can be a race, the threads aside.
    pub(super) fn may_conflict(&self, a: &How, b: &How) -> bool {
        let updates = |how: &How| how.is_volatile() && self.fed.contains_key(&how.place);
        self.relaxed(a, b, updates(a) || updates(b)).is_some()
    }

    /// What unordered accesses of two threads are, each given by how and where it is made and whether it ends an update;
    /// `None` where they are no race. `held` says whether the scopes of those that are atomic hold both threads.
    pub(super) fn judge(
        &self,
        [a, b]: [(&How, (u32, u32), bool); 2],
        (global, same_warp, held): (bool, bool, bool),
    ) -> Option<Violation> {
        if held && a.1 == b.1 && self.is_guess(a.0, b.0) {
            return self.strict.then_some(Violation::Guess);
        }
        let strong = |(how, (start, width), _): (&How, (u32, u32), bool)| is_strong(how, start, width);
        if !(strong(a) && strong(b) && held) {
            return Some(Violation::Unordered);
        }
        match self.relaxed(a.0, b.0, a.2 || b.2)? {
            Violation::UsedValue if same_warp && self.lockstep && a.0.is_volatile() && b.0.is_volatile() => {
                None
            }
            Violation::UsedValue if global && !same_warp => Some(Violation::StaleValue),
            violation => Some(violation),
        }
    }
}

/// Whether an access ends an update: it stores what depends on the thread's own volatile read of the bytes.
pub(super) fn is_update(
    fed: &FxHashMap<Place, Vec<Place>>,
    usages: &FxHashMap<How, Usage>,
    classes: &[Class],
    how: &How,
    (start, width): (u32, u32),
    who: Who,
) -> bool {
    if how.op != AccessOp::Write || !how.is_volatile() || !is_strong(how, start, width) {
        return false;
    }
    let Some(reads) = fed.get(&how.place) else { return false };
    classes.iter().any(|c| {
        reads.contains(&c.how.place)
            && usages.get(&c.how).is_some_and(|u| u.feeds)
            && (c.start, c.width) == (start, width)
            && c.records.binary_search_by_key(&who, |r| r.who).is_ok()
    })
}

/// Enters a missed write, of each place the one by the least thread.
fn enter(all: &mut Vec<Missed>, new: Missed) {
    if let Some(known) = all.iter_mut().find(|m| m.side.how == new.side.how) {
        if new.record.who < known.record.who {
            *known = new;
        }
    } else if all.len() < MISSED {
        all.push(new);
    }
}
