//! Races between operations of different streams, and between operations and the host.
//!
//! Every operation that is issued knows which others must have ended before it starts: its [`Clock`], with a
//! number for each stream. Order comes from a stream's own order, the legacy default stream, events, and from
//! what the host had waited for when it issued the operation. The host's accesses are ordered before what it
//! issues later, and behind what it has waited for.
//!
//! Operations run late, when the host waits for them. So when one runs, all that may overlap it has been issued,
//! and what it touches is recorded ([`super::touch`]) only if there is something to compare it with. What the
//! host does meanwhile matters only in memory that the device reaches too: while operations are under way, the
//! host's rights to it are taken away, so that its accesses leave the fast path and arrive here; otherwise they
//! cost nothing.
//!
//! Flags are taken to order more than they may: where one side has read atomically or `volatile` what the other
//! wrote so, and the kernel executes a fence, what follows in the one is not compared with what precedes in the
//! other.
//!
//! `cudaMemcpy` from pageable memory counts as done when it returns, although CUDA promises only that the source
//! has been read. Not looked at: objects of two gigabytes and more, variables of the host's stack that are
//! page-locked, constant memory, and what host functions of streams do to memory that is the host's alone.

mod shelf;

use super::touch::{Class, Common, Touches, is_strong};
use cudair_ir::Scope;
use cudair_lane::fault::AccessOp;
use cudair_lane::{How, block_index, thread_coord};
use cudair_report::{Meeting, OperationKind, Side, StreamOperation};
use rustc_hash::FxHashMap;
use shelf::Shelf;
use smallvec::SmallVec;
use std::collections::BTreeMap;

/// Repeated reads by the host of what operations under way may change, from which on it is taken to wait.
const POLLS: u32 = 1 << 10;
/// Accesses of the host that are kept, by place and object.
const HOST_CLASSES: usize = 1 << 14;

/// For each stream the number of its operations' last that has ended, plus one; absent is none.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Clock(SmallVec<[(u32, u64); 3]>);

/// Whether the host has not waited for what an entry of a clock tells.
fn is_news(&(stream, to): &(u32, u64), synced: &[u64]) -> bool {
    synced.get(stream as usize).is_none_or(|&known| to > known)
}

impl Clock {
    fn get(&self, stream: u32) -> u64 {
        self.0.iter().find(|(s, _)| *s == stream).map_or(0, |&(_, n)| n)
    }

    fn raise(&mut self, stream: u32, to: u64) {
        match self.0.iter_mut().find(|(s, _)| *s == stream) {
            Some((_, n)) => *n = to.max(*n),
            None => self.0.push((stream, to)),
        }
    }

    /// Joins what the host has not waited for: the number of each stream's last operation that it has, plus one, is
    /// `synced`. The rest says nothing new, and of streams that are gone there is more and more of it.
    fn join(&mut self, other: &Clock, synced: &[u64]) {
        for &(stream, to) in other.0.iter().filter(|e| is_news(e, synced)) {
            self.raise(stream, to);
        }
    }
}

/// An operation that has an effect on memory.
#[derive(Clone, Debug)]
struct Issued {
    op: u64,
    doer: StreamOperation,
    /// What ended before it starts, as far as the host had not waited for it.
    knows: Clock,
    /// The host's time at which it was issued.
    at: u64,
}

/// An operation that has run, with what it touched.
#[derive(Debug)]
struct Kept {
    issued: Issued,
    classes: Vec<Class>,
    fenced: bool,
    /// The host's time at which it had waited for it.
    synced: Option<u64>,
}

impl Kept {
    /// Whether it has ended before a later operation starts.
    fn precedes(&self, later: &Issued) -> bool {
        self.synced.is_some_and(|t| t <= later.at) || self.issued.precedes(later)
    }
}

impl Issued {
    fn precedes(&self, later: &Issued) -> bool {
        later.knows.get(self.doer.stream as u32) > self.op
    }
}

/// The detector.
#[derive(Debug, Default)]
pub struct Streams {
    /// Races are looked for.
    on: bool,
    clocks: Vec<Clock>,
    /// Of each stream: the last operation that the host has waited for, plus one.
    synced: Vec<u64>,
    /// Of each stream: the last operation with an effect on memory, plus one.
    last: Vec<u64>,
    /// Operations with effects on memory are under way as far as the host knows.
    busy: bool,
    /// The host's time: grows with each operation and each wait.
    time: u64,
    pending: BTreeMap<u64, Issued>,
    /// How many of these each stream has.
    queued: Vec<usize>,
    running: Option<Issued>,
    kept: Shelf,
    /// What the host touched while operations were under way, with its time.
    host: FxHashMap<(u32, How, u64), Class>,
    last_strong: bool,
    polls: u32,
    /// Operations run although the host does not wait for them.
    early: bool,
    found: Vec<Meeting>,
}

impl Streams {
    /// Looks for races from now on.
    #[inline]
    pub fn enable(&mut self) {
        self.on = true;
    }

    fn make_room(&mut self, stream: usize) {
        if self.clocks.len() <= stream {
            self.clocks.resize_with(stream + 1, Clock::default);
            self.synced.resize(stream + 1, 0);
            self.last.resize(stream + 1, 0);
            self.queued.resize(stream + 1, 0);
        }
    }

    /// An operation is issued behind all that its stream and the streams `after` hold. Whether it has an effect
    /// on memory.
    pub fn issue(
        &mut self,
        op: u64,
        stream: usize,
        after: impl Iterator<Item = usize>,
        doer: Option<StreamOperation>,
    ) -> bool {
        if !self.on {
            return false;
        }
        self.make_room(stream);
        let mut clock = std::mem::take(&mut self.clocks[stream]);
        clock.0.retain(|entry| is_news(entry, &self.synced));
        for other in after.filter(|&s| s != stream) {
            if let Some(known) = self.clocks.get(other) {
                clock.join(known, &self.synced);
            }
        }
        self.time += 1;
        if let Some(doer) = doer {
            self.last[stream] = op + 1;
            self.busy = true;
            self.queued[stream] += 1;
            self.pending.insert(op, Issued { op, doer, knows: clock.clone(), at: self.time });
        }
        clock.raise(stream as u32, op + 1);
        self.clocks[stream] = clock;
        doer.is_some()
    }

    /// The clock of what a stream holds.
    #[inline]
    pub fn clock(&self, stream: usize) -> Clock {
        self.clocks.get(stream).cloned().unwrap_or_default()
    }

    /// A stream waits for what a clock tells.
    #[inline]
    pub fn join(&mut self, stream: usize, clock: &Clock) {
        if self.on {
            self.make_room(stream);
            self.clocks[stream].join(clock, &self.synced);
        }
    }

    /// Operations run from now on although the host does not wait for them, or no more so.
    #[inline]
    pub fn set_early(&mut self, early: bool) {
        self.early = early;
    }

    /// Whether operations with effects on memory are under way as far as the host knows.
    #[inline]
    pub fn is_busy(&self) -> bool {
        self.busy
    }

    /// An operation is about to run. Whether what it touches has to be recorded.
    pub fn start(&mut self, op: u64) -> Option<Touches> {
        let me = self.pending.remove(&op)?;
        self.queued[me.doer.stream] -= 1;
        // With one stream in use everything is in order.
        let alone = |other: &Issued| other.doer.stream == me.doer.stream;
        let needed = self.early
            || self.kept.all().any(|k| !alone(&k.issued) && !ordered(k, &me))
            || self.pending.len() > self.queued[me.doer.stream]
                && self.pending.values().any(|o| !alone(o) && !me.precedes(o) && !o.precedes(&me))
            || self.host.keys().any(|&(_, _, time)| time >= me.at);
        self.running = Some(me);
        needed.then(Touches::default)
    }

    /// The operation that runs has ended.
    pub fn end(&mut self, touches: Option<Touches>) {
        let Some(issued) = self.running.take() else { return };
        let Some(touches) = touches else { return };
        let fenced = touches.fenced;
        let new = Kept { issued, classes: touches.finish(), fenced, synced: None };
        for old in self.kept.meeting(&new) {
            if !ordered(old, &new.issued) {
                let (a, b) = if old.issued.op < new.issued.op { (old, &new) } else { (&new, old) };
                compare(a, b, &mut self.found);
            }
        }
        self.kept.put(new);
    }

    /// What happened before the operation that runs.
    #[inline]
    pub fn clock_running(&self) -> Option<Clock> {
        self.running.as_ref().map(|r| r.knows.clone())
    }

    /// Whether an operation runs at this moment.
    #[inline]
    pub fn is_running(&self) -> bool {
        self.running.is_some()
    }

    /// The host has waited for what a clock tells.
    pub fn sync(&mut self, clock: &Clock) {
        let mut news = false;
        for &(stream, to) in &clock.0 {
            if let Some(known) = self.synced.get_mut(stream as usize).filter(|n| **n < to) {
                *known = to;
                news = true;
            }
        }
        if news {
            self.settle(false);
        }
    }

    /// The host has waited for everything.
    #[inline]
    pub fn sync_all(&mut self) {
        let all = self.clocks.iter().enumerate().map(|(s, clock)| (s as u32, clock.get(s as u32)));
        let all = Clock(all.filter(|&(_, n)| n > 0).collect());
        self.sync(&all);
    }

    /// The clock at the end of an operation that has not run.
    #[inline]
    pub fn clock_after(&self, op: u64) -> Option<Clock> {
        let issued = self.pending.get(&op)?;
        let mut clock = issued.knows.clone();
        clock.raise(issued.doer.stream as u32, op + 1);
        Some(clock)
    }

    /// What is kept is compared with what the host did until now, if the host has waited for it or the program
    /// is at its end.
    pub fn settle(&mut self, at_end: bool) {
        self.time += 1;
        self.busy = self.last.iter().zip(&self.synced).any(|(last, synced)| last > synced);
        let now = self.time;
        let synced = &self.synced;
        for kept in self.kept.close(now, |i| at_end || synced[i.doer.stream] > i.op) {
            against_host(kept, &mut self.host, &mut self.found);
        }
        let pending = &self.pending;
        // Operations are in the order in which they were issued.
        let oldest = pending.values().next().map_or(u64::MAX, |i| i.at);
        self.kept.clean(oldest, |k| {
            pending.values().any(|o| k.issued.doer.stream != o.doer.stream && !ordered(k, o))
        });
        if self.host.is_empty() {
            return;
        }
        let open = |i: &Issued| synced[i.doer.stream] <= i.op;
        let first =
            pending.values().find(|i| open(i)).map(|i| i.at).into_iter().chain(self.kept.first_open()).min();
        match first {
            Some(first) => self.host.retain(|&(_, _, time), _| time >= first),
            None => self.host.clear(),
        }
    }

    /// The host touches bytes of an object that the device reaches, while operations are under way.
    pub fn host_access(&mut self, obj: u32, how: How, start: u32, end: u32) {
        // An atomic of the host is one to all.
        let how = How { atomic: how.atomic.map(|_| Scope::System), ..how };
        let strong = how.atomic.is_some() || how.volatile;
        if strong != self.last_strong {
            // What comes before a flag and what comes after it are told apart.
            self.last_strong = strong;
            self.time += 1;
        }
        let full = self.host.len() >= HOST_CLASSES;
        let new = match self.host.entry((obj, how, self.time)) {
            std::collections::hash_map::Entry::Vacant(_) if full => return,
            entry => entry.or_insert_with(|| Class::new(obj, how)).add(start, end),
        };
        if how.op == AccessOp::Read && (strong || !new) {
            self.polls += 1;
        }
    }

    /// Whether the host seems to wait for something that an operation under way is to do.
    #[inline]
    pub fn take_poll(&mut self) -> bool {
        std::mem::take(&mut self.polls) >= POLLS
    }

    /// The context is broken: what was queued is gone.
    #[inline]
    pub fn reset(&mut self) {
        let on = self.on;
        let found = std::mem::take(&mut self.found);
        *self = Streams { on, found, ..Streams::default() };
    }

    /// The races found since the last time.
    #[inline]
    pub fn take_found(&mut self) -> Vec<Meeting> {
        std::mem::take(&mut self.found)
    }
}

/// Whether an operation that has run and another one are ordered.
fn ordered(kept: &Kept, other: &Issued) -> bool {
    if kept.issued.op < other.op { kept.precedes(other) } else { other.precedes(&kept.issued) }
}

/// The classes of each object that two lists, in the order of objects, share.
fn shared<'a>(a: &'a [Class], b: &'a [Class]) -> impl Iterator<Item = (&'a [Class], &'a [Class])> {
    let mut rest = b;
    a.chunk_by(|x, y| x.obj == y.obj).filter_map(move |mine| {
        let obj = mine[0].obj;
        rest = &rest[rest.partition_point(|c| c.obj < obj)..];
        let theirs = &rest[..rest.partition_point(|c| c.obj == obj)];
        (!theirs.is_empty()).then_some((mine, theirs))
    })
}

/// The races between two operations that nothing orders.
fn compare(a: &Kept, b: &Kept, found: &mut Vec<Meeting>) {
    let deeds = [a.issued.doer.deed, b.issued.doer.deed];
    if flagged(a, b) || flagged(b, a) || deeds == [OperationKind::Alloc, OperationKind::Free] {
        return;
    }
    for (mine, theirs) in shared(&a.classes, &b.classes) {
        for x in mine {
            for y in theirs {
                if let Some(common) = conflict(x, y, Scope::Device) {
                    let sides = [side(a, x, &common, 0), side(b, y, &common, 1)];
                    found.push(meeting(&sides, x, y, &common));
                }
            }
        }
    }
}

/// Whether `b` may learn from a flag what `a` has done.
fn flagged(a: &Kept, b: &Kept) -> bool {
    let strong = |c: &&Class| is_strong(&c.how, Scope::Device);
    a.fenced
        && b.fenced
        && shared(&a.classes, &b.classes).any(|(mine, theirs)| {
            mine.iter().filter(strong).filter(|c| c.how.op.writes()).any(|x| {
                let reads = |c: &&Class| c.how.op != AccessOp::Write;
                theirs.iter().filter(strong).filter(reads).any(|y| x.common(y).is_some())
            })
        })
}

/// What two ways of access to one object have in common, if they conflict.
fn conflict(x: &Class, y: &Class, within: Scope) -> Option<Common> {
    if !x.how.op.writes() && !y.how.op.writes() || is_strong(&x.how, within) && is_strong(&y.how, within) {
        return None;
    }
    x.common(y)
}

/// The races between an operation and the host.
fn against_host(kept: &Kept, host: &mut FxHashMap<(u32, How, u64), Class>, found: &mut Vec<Meeting>) {
    let mut times: Vec<(u32, How, u64)> =
        host.keys().filter(|&&(_, _, time)| time >= kept.issued.at).copied().collect();
    times.sort_unstable();
    for key in &times {
        if let Some(class) = host.get_mut(key) {
            class.tidy();
        }
    }
    // From when on the host knows what the operation did, and until when the operation what the host did.
    let (mut acquired, mut released) = (u64::MAX, 0);
    let of = |obj: u32| {
        let from = kept.classes.partition_point(|c| c.obj < obj);
        kept.classes[from..].iter().take_while(move |c| c.obj == obj)
    };
    if kept.fenced {
        for key @ &(obj, how, time) in &times {
            let Some(class) = host.get(key).filter(|_| is_strong(&how, Scope::System)) else { continue };
            let flags = |c: &&Class| is_strong(&c.how, Scope::Device) && c.common(class).is_some();
            for theirs in of(obj).filter(flags) {
                if theirs.how.op.writes() && how.op != AccessOp::Write {
                    acquired = acquired.min(time);
                }
                if theirs.how.op != AccessOp::Write && how.op.writes() {
                    released = released.max(time);
                }
            }
        }
    }
    for key @ &(obj, _, time) in &times {
        if time > acquired || time < released {
            continue;
        }
        let Some(class) = host.get(key) else { continue };
        for theirs in of(obj) {
            if let Some(common) = conflict(theirs, class, Scope::System) {
                let host = Side { how: class.how, doer: None, thread: None };
                found.push(meeting(&[side(kept, theirs, &common, 0), host], theirs, class, &common));
            }
        }
    }
}

fn side(kept: &Kept, class: &Class, common: &Common, n: usize) -> Side {
    let doer = kept.issued.doer;
    let thread = match doer.deed {
        OperationKind::Launch(_, grid, block) => common.who[n].map(|who| {
            let threads = block.iter().fold(1u64, |n, &d| n.saturating_mul(d.into())).max(1);
            thread_coord(block_index(grid, who / threads), block, (who % threads) as u32)
        }),
        _ => None,
    };
    Side { how: class.how, doer: Some(doer), thread }
}

fn meeting(sides: &[Side; 2], x: &Class, y: &Class, common: &Common) -> Meeting {
    Meeting {
        sides: *sides,
        obj: x.obj,
        offset: common.offset,
        bytes: common.bytes,
        same_value: x.same_value(y, common),
        count: common.count,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cudair_lane::fault::Place;

    fn issue(s: &mut Streams, op: u64, stream: usize, after: impl Iterator<Item = usize>) {
        let (deed, place) = (OperationKind::Fill, Place::Unknown);
        let doer = StreamOperation { deed, stream, non_blocking: false, place, native: None };
        s.issue(op, stream, after, Some(doer));
    }

    /// An operation of the legacy stream waits for all streams there ever were, and each stream for it.
    #[test]
    fn clocks_do_not_grow_with_streams_that_the_host_has_waited_for() {
        let mut s = Streams::default();
        s.enable();
        let mut op = 0;
        for stream in 1..500 {
            issue(&mut s, op, 0, 1..stream);
            issue(&mut s, op + 1, stream, 0..1);
            assert!(s.clock(0).0.len() <= 2 && s.clock(stream).0.len() <= 3, "{:?}", s.clock(stream));
            let waited = s.clock(stream);
            s.sync(&waited);
            op += 2;
        }
        // What the host has not waited for is kept.
        issue(&mut s, op, 500, 0..0);
        issue(&mut s, op + 1, 0, 1..501);
        assert_eq!(s.clock(0).get(500), op + 1);
    }
}
