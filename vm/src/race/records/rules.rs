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
//! race with atomic operations there: the operation finds out whether the guess was right.

use super::{Class, Granule, Record, Recorder, Side, is_first};
use crate::fault::{AccessOp, Place};
use crate::race::exact::overlap;
use crate::race::order::{STRICT, Who};
use crate::race::{How, is_strong};
use crate::report::Violation;
use cudair_ir::{LoadUse, Uses};
use rustc_hash::FxHashMap;
use std::sync::{Arc, Mutex, PoisonError};

/// Who knows what becomes of the values that the launch reads.
#[derive(Clone, Debug, Default)]
pub(crate) enum ReadUses {
    /// Nobody: each may be used for anything.
    #[default]
    Unknown,
    /// The program.
    Program(Arc<Mutex<Uses>>),
    #[cfg(test)]
    Told(fn(Place) -> LoadUse),
}

impl ReadUses {
    fn of(&self, place: Place) -> LoadUse {
        let unknown = LoadUse { data: true, decides: true, ..LoadUse::default() };
        match (self, place) {
            (ReadUses::Program(uses), Place::Site(site)) => {
                let mut uses = uses.lock().unwrap_or_else(PoisonError::into_inner);
                LoadUse::clone(&uses.of(site.func, site.site))
            }
            #[cfg(test)]
            (ReadUses::Told(tell), place) => tell(place),
            _ => unknown,
        }
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
    /// Its thread learns something from it: it is no atomic operation without a use of its result, and no read
    /// that only goes into an update.
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

/// A thread's reads of some bytes.
pub(super) type Read = (Granule, (u32, u32), Who);

/// What makes an access strong, or does not.
#[derive(Clone, Copy)]
struct Party {
    how: How,
    strong: bool,
    usage: Usage,
    /// The end of an update.
    update: bool,
}

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
            feeds: how.volatile && how.atomic.is_none() && !found.feeds.is_empty(),
            learns: found.data || found.decides || found.guesses,
            waits: found.waits || how.atomic.is_some(),
        };
        if how.atomic.is_some() {
            // What an atomic operation reads goes into what it writes as one step.
            usage.data |= found.updates;
            usage.learns |= found.updates;
        }
        if usage.feeds {
            for &(func, site) in &found.feeds {
                let store = Place::Site(crate::fault::SiteRef { func, site });
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
        let strong = |how: &How, start, width| is_strong(how, start, width);
        if self.fed.is_empty() || !strong(&how, start, width) {
            return;
        }
        let usage = self.usage(&how);
        let meets = |c: &Class| {
            let (from, to) = overlap((c.start, c.width), (start, width));
            from.max(granule.1 * 4) < to.min(granule.1 * 4 + 4)
        };
        if usage.feeds {
            let mut missed = Vec::new();
            for c in classes {
                if !(meets(c) && c.how.op.writes() && strong(&c.how, c.start, c.width)) {
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
            self.missed.insert((granule, (start, width), new.who), missed);
        }
        if new.wrote {
            let side = Side::of(how, start, width, new);
            for c in classes {
                if meets(c) && self.usages.get(&c.how).is_some_and(|u| u.feeds) {
                    for old in c.records.iter().filter(|old| old.who != new.who) {
                        let missed = self.missed.entry((granule, (c.start, c.width), old.who)).or_default();
                        enter(missed, Missed { side, record: *new });
                    }
                }
            }
        }
    }

    /// The updates that a thread's update overwrites without having seen them.
    pub(super) fn lose(&mut self, granule: Granule, side: Side, new: &Record) {
        let Some(missed) = self.missed.get(&(granule, (side.start, side.width), new.who)).cloned() else {
            return;
        };
        for Missed { side: other, record } in missed {
            let number = |s: &Side| self.hows.get(&s.how).copied();
            let (Some(m), Some(n)) = (number(&other), number(&side)) else { continue };
            let first = is_first((other.how, other.who), (side.how, side.who));
            let pair = if first { ([other, side], [m, n]) } else { ([side, other], [n, m]) };
            self.found(granule, pair, &record, new, Violation::LostUpdate);
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

    /// Whether unordered accesses of two places can be a race, both being volatile or atomic and of the grid's scope:
    /// what [`Recorder::judge`] tells, the threads aside.
    pub(super) fn may_conflict(&self, a: &How, b: &How) -> bool {
        let volatile = |how: &How| how.volatile && how.atomic.is_none();
        let usage = |how: &How| self.usages.get(how).copied().unwrap_or_default();
        if !volatile(a) && !volatile(b) {
            return false;
        }
        if a.op.writes() && b.op.writes() {
            let decides = |how: &How| !volatile(how) && usage(how).decides;
            let updates = |how: &How| volatile(how) && self.fed.contains_key(&how.place);
            return updates(a) || updates(b) || !decides(a) && !decides(b);
        }
        let reader = if a.op.writes() { b } else { a };
        if volatile(reader) { usage(reader).data } else { !usage(reader).decides }
    }

    /// What unordered accesses of two threads are; `None` where they are no race.
    pub(super) fn judge(
        &self,
        classes: [(&How, u32, u32, bool); 2],
        (global, same_warp, held): (bool, bool, bool),
    ) -> Option<Violation> {
        let [a, b] = classes.map(|(how, start, width, update)| Party {
            how: *how,
            strong: is_strong(how, start, width),
            usage: self.usages.get(how).copied().unwrap_or_default(),
            update,
        });
        let same_bytes = classes[0].1 == classes[1].1 && classes[0].2 == classes[1].2;
        if held && same_bytes && self.is_guess(&a.how, &b.how) {
            return None;
        }
        let volatile = |p: &Party| p.how.volatile && p.how.atomic.is_none();
        if !(a.strong && b.strong && held) {
            return Some(Violation::Unordered);
        }
        if !volatile(&a) && !volatile(&b) {
            return None;
        }
        let both = volatile(&a) && volatile(&b);
        if a.how.op.writes() && b.how.op.writes() {
            if a.update || b.update {
                return Some(Violation::LostUpdate);
            }
            let decides = |p: &Party| !volatile(p) && p.usage.decides;
            return (!decides(&a) && !decides(&b)).then_some(Violation::Unordered);
        }
        let reader = if a.how.op.writes() { &b } else { &a };
        if !volatile(reader) {
            return (!reader.usage.decides).then_some(Violation::Unordered);
        }
        if !reader.usage.data || both && same_warp && self.lockstep {
            return None;
        }
        Some(if global && !same_warp { Violation::StaleValue } else { Violation::UsedValue })
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
    if how.op != AccessOp::Write || !is_strong(how, start, width) || how.atomic.is_some() {
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
