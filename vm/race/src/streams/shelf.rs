//! Operations that have run, kept for those that they may overlap with.
//!
//! A program may issue operations for ever without ever waiting for all of them, so that a thousand are kept at any
//! time. So nothing here looks at all of them for each operation: those with an object in common are found by the
//! object, those that the host has waited for by their streams, and what nobody can meet any more goes when it
//! has become as much as the rest.

use super::{Issued, Kept};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::collections::{BTreeMap, VecDeque};

/// Operations from which on the shelf is looked through for those that may go.
const CLEAN: usize = 64;

/// Numbers of operations of one stream, in order.
type OfStream = (usize, VecDeque<u64>);

/// The operations, numbered in the order in which they ran.
#[derive(Debug, Default)]
pub(super) struct Shelf {
    all: BTreeMap<u64, Kept>,
    next: u64,
    /// By object, and whether they write it: those of each stream.
    touching: FxHashMap<(u32, bool), SmallVec<[OfStream; 2]>>,
    /// Of each stream: those that the host has not waited for.
    open: FxHashMap<usize, VecDeque<u64>>,
    /// Those that it has waited for, and since when, in this order.
    closed: VecDeque<(u64, u64)>,
    /// The number of operations at which the shelf is looked through.
    clean_at: usize,
    /// Operations that were looked at.
    #[cfg(test)]
    pub(super) looked: u64,
}

/// The objects that an operation touches, and whether it writes them.
fn objects(kept: &Kept) -> impl Iterator<Item = (u32, bool)> + '_ {
    kept.classes.chunk_by(|x, y| x.obj == y.obj).map(|c| (c[0].obj, c.iter().any(|c| c.how.op.writes())))
}

impl Shelf {
    /// All of them.
    pub(super) fn all(&self) -> impl Iterator<Item = &Kept> {
        self.all.values()
    }

    /// Those of other streams that touch an object which `new` touches, and one of the two writes it.
    pub(super) fn meeting(&mut self, new: &Kept) -> impl Iterator<Item = &Kept> {
        let mut numbers: Vec<u64> = Vec::new();
        for (obj, writes) in objects(new) {
            for other in [Some(true), writes.then_some(false)].into_iter().flatten() {
                let lists = self.touching.get(&(obj, other)).into_iter().flatten();
                let others = lists.filter(|l| l.0 != new.issued.doer.stream);
                others.for_each(|l| numbers.extend(&l.1));
            }
        }
        numbers.sort_unstable();
        numbers.dedup();
        #[cfg(test)]
        {
            self.looked += numbers.len() as u64;
        }
        numbers.into_iter().filter_map(|n| self.all.get(&n))
    }

    /// Keeps one that the host has not waited for.
    pub(super) fn put(&mut self, new: Kept) {
        let (number, stream) = (self.next, new.issued.doer.stream);
        self.next += 1;
        for key in objects(&new) {
            let lists = self.touching.entry(key).or_default();
            match lists.iter_mut().find(|l| l.0 == stream) {
                Some(list) => list.1.push_back(number),
                None => lists.push((stream, VecDeque::from([number]))),
            }
        }
        self.open.entry(stream).or_default().push_back(number);
        self.all.insert(number, new);
    }

    /// The host has waited `now` for those of whom `is_over` tells so, which is monotone within a stream. They are
    /// told in the order in which they ran.
    pub(super) fn close(
        &mut self,
        now: u64,
        is_over: impl Fn(&Issued) -> bool,
    ) -> impl Iterator<Item = &Kept> {
        let mut over: Vec<u64> = Vec::new();
        for list in self.open.values_mut() {
            while let Some(&n) = list.front()
                && self.all.get(&n).is_none_or(|k| is_over(&k.issued))
            {
                list.pop_front();
                over.push(n);
            }
        }
        self.open.retain(|_, list| !list.is_empty());
        over.sort_unstable();
        for n in &over {
            if let Some(kept) = self.all.get_mut(n) {
                kept.synced = Some(now);
                self.closed.push_back((*n, now));
            }
        }
        over.into_iter().filter_map(|n| self.all.get(&n))
    }

    /// Drops what nobody can meet any more: what the host had waited for when the `oldest` of those that have not run
    /// was issued, and, now and then, the others that are not `needed`.
    pub(super) fn clean(&mut self, oldest: u64, needed: impl Fn(&Kept) -> bool) {
        while let Some(&(n, since)) = self.closed.front()
            && since <= oldest
        {
            self.closed.pop_front();
            self.drop_one(n);
        }
        if self.closed.len() < self.clean_at.max(CLEAN) {
            return;
        }
        #[cfg(test)]
        {
            self.looked += self.closed.len() as u64;
        }
        for (n, since) in std::mem::take(&mut self.closed) {
            if self.all.get(&n).is_some_and(&needed) {
                self.closed.push_back((n, since));
            } else {
                self.drop_one(n);
            }
        }
        self.clean_at = 2 * self.closed.len();
    }

    fn drop_one(&mut self, number: u64) {
        let Some(kept) = self.all.remove(&number) else { return };
        for key in objects(&kept) {
            let Some(lists) = self.touching.get_mut(&key) else { continue };
            if let Some(list) = lists.iter_mut().find(|l| l.0 == kept.issued.doer.stream)
                && let Ok(n) = list.1.binary_search(&number)
            {
                // Mostly it is the first.
                list.1.remove(n);
            }
            lists.retain(|l| !l.1.is_empty());
            if lists.is_empty() {
                self.touching.remove(&key);
            }
        }
    }

    /// When the first of those was issued that the host has not waited for.
    pub(super) fn first_open(&self) -> Option<u64> {
        self.open.values().filter_map(|list| self.all.get(list.front()?)).map(|k| k.issued.at).min()
    }
}

#[cfg(test)]
mod tests {
    use super::super::{OperationKind, StreamOperation, Streams};
    use cudair_lane::How;
    use cudair_lane::fault::{AccessOp, Place};
    use std::iter::empty;

    /// Operations looked at where `n` are issued in turn on streams with memory of their own, and run late.
    fn looked(n: u64) -> u64 {
        let mut streams = Streams::default();
        streams.enable();
        let place = Place::default();
        let doer = |stream| StreamOperation {
            deed: OperationKind::Fill,
            stream,
            non_blocking: true,
            place,
            native: None,
        };
        let how = How { place, op: AccessOp::Write, atomic: None, volatile: false };
        let run = |streams: &mut Streams, op: u64| {
            let clock = streams.clock_after(op).unwrap();
            let mut touches = streams.start(op);
            if let Some(touches) = &mut touches {
                touches.bytes((op % 4) as u32, how, 0, 4);
            }
            streams.end(touches);
            streams.sync(&clock);
        };
        for op in 0..n {
            assert!(streams.issue(op, (op % 4) as usize, empty(), Some(doer((op % 4) as usize))));
            if op >= 256 {
                run(&mut streams, op - 256);
            }
        }
        (n - 256..n).for_each(|op| run(&mut streams, op));
        assert!(streams.take_found().is_empty());
        streams.sync_all();
        assert_eq!(streams.kept.all().count(), 0);
        streams.kept.looked
    }

    #[test]
    fn an_operation_looks_at_few_others() {
        assert!(looked(4096) <= 4 * 4096, "{}", looked(4096));
    }
}
