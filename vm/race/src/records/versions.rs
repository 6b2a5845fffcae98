//! The strong writes of a granule, and which of them were observed.

use super::Record;
use crate::clock::Epoch;
use crate::order::Who;
use cudair_ir::Scope;
use rustc_hash::FxHashMap;
use std::collections::VecDeque;

/// The strong writes of a granule, and who observed them.
#[derive(Debug, Default)]
pub(super) struct Versions {
    pub(super) last: u64,
    /// The first that a read of the last one observes: those between were passed on by read-modify-writes.
    from: u64,
    /// Who wrote the last ones.
    pub(super) writers: VecDeque<(u64, Who)>,
    /// Of each writer among these: its writes, in order.
    pub(super) written: FxHashMap<Who, VecDeque<u64>>,
    pub(super) observers: VecDeque<Observer>,
    /// Observers that are no longer remembered.
    gone: u64,
    /// Of each thread with a reach: its last observation, counted from the first of all.
    pub(super) latest: FxHashMap<(Who, Scope, bool), u64>,
}

/// A strong read, and which writes it observed. Those happened before whatever follows the read, fences or not.
#[derive(Clone, Copy, Debug)]
pub(super) struct Observer {
    pub(super) who: Who,
    pub(super) at: Epoch,
    pub(super) from: u64,
    pub(super) to: u64,
    /// Those of which blocks.
    pub(super) reach: Scope,
    /// Whether the read waits for what it observes.
    pub(super) waits: bool,
}

/// Strong reads remembered of a granule.
pub(super) const OBSERVERS: usize = 256;
/// Strong writes remembered of a granule.
pub(super) const WRITERS: usize = 512;

impl Versions {
    /// Whether an older one was dropped for it.
    pub(super) fn read(&mut self, who: Who, at: Epoch, reach: Scope, waits: bool) -> bool {
        let new = Observer { who, at, from: self.from, to: self.last, reach, waits };
        if new.from == 0 || new.from > new.to {
            return false;
        }
        // What a thread observes never goes back, so that only its last observation can be the same.
        let number = self.gone + self.observers.len() as u64;
        let last = self.latest.insert((who, reach, waits), number);
        if let Some(last) = last.filter(|&l| l >= self.gone)
            && let Some(old) = self.observers.get_mut((last - self.gone) as usize)
            && old.from == new.from
            && (old.to == new.to || old.at == at)
        {
            // At the same moment the longer range says all that the shorter one said.
            old.to = new.to;
            self.latest.insert((who, reach, waits), last);
            return false;
        }
        let full = self.observers.len() >= OBSERVERS;
        if full && let Some(old) = self.observers.pop_front() {
            let key = (old.who, old.reach, old.waits);
            if self.latest.get(&key) == Some(&self.gone) {
                self.latest.remove(&key);
            }
            self.gone += 1;
        }
        self.observers.push_back(new);
        full
    }

    pub(super) fn weak_write(&mut self) {
        self.from = self.last + 1;
    }

    /// Whether a reader observed a write of a thread, or a later one of it: the thread's own accesses to the place
    /// keep their order.
    pub(super) fn saw(&self, o: &Observer, old: &Record) -> bool {
        let range = o.from.max(old.version)..=o.to;
        old.wrote && range.contains(&old.version)
            || self.written.get(&old.who).is_some_and(|own| {
                // The first that is not below the range.
                let n = own.partition_point(|v| v < range.start());
                own.get(n).is_some_and(|v| range.contains(v))
            })
    }

    /// Whether an older one was dropped for it.
    pub(super) fn strong_write(&mut self, who: Who, goes_on: bool) -> bool {
        self.last += 1;
        let full = self.writers.len() >= WRITERS;
        if full
            && let Some((_, old)) = self.writers.pop_front()
            && let Some(own) = self.written.get_mut(&old)
        {
            own.pop_front();
            if own.is_empty() {
                self.written.remove(&old);
            }
        }
        self.writers.push_back((self.last, who));
        self.written.entry(who).or_default().push_back(self.last);
        if !goes_on || self.from == 0 {
            self.from = self.last;
        }
        full
    }
}
