//! Which lines of a kernel race, worked out from all pairs of accesses.
//!
//! What a thread does is the same in every execution, so that one order holds in all of them: program order, barriers,
//! and `__syncwarp` among the lanes of its mask. Two accesses that it leaves open may come in either order, and race if
//! the rules of `cudair explain global-race` and `shared-race` say so. A fence and a flag order nothing here: as no
//! branch waits for the flag, each access is made whether its new value was read or not. Only a compare-and-swap that
//! may fail is a write in some executions and none in others ([`Certainty::Chance`]).
//!
//! Nothing of this is taken from the detector.

use super::events::*;
use super::program::*;
use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;

/// Whether one execution has to show a race.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Certainty {
    /// Those alone in which a compare-and-swap writes.
    Chance,
    /// Every one.
    Certain,
}

/// How bad a race is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Severity {
    Warning,
    /// That hangs on values or on an order that differ from execution to execution.
    Either,
    Error,
}

/// Two lines, the smaller first, in one space.
pub type Pair = (Space, Line, Line);

/// What is known of a racing pair of lines.
#[derive(Clone, Debug)]
pub struct Race {
    pub certainty: Certainty,
    pub severity: Severity,
    /// Pairs of threads, the smaller first.
    pub threads: Vec<(Thread, Thread)>,
}

/// The racing pairs of lines.
pub type Races = BTreeMap<Pair, Race>;

/// An access with what happened before it.
struct Event {
    thread: Thread,
    /// Its step in its thread.
    step: usize,
    access: Access,
    /// Of each thread: how many of its steps happened before.
    before: Rc<Vec<usize>>,
}

struct Execution<'a> {
    program: &'a Program,
    events: Vec<Event>,
    /// The number of the event at each step.
    at: HashMap<(Thread, usize), usize>,
}

/// Follows all threads from meeting to meeting. Nothing where threads wait for each other in vain.
fn follow<'a>(program: &'a Program, threads: &[Vec<Step>]) -> Option<Execution<'a>> {
    let n = threads.len();
    let mut position = vec![0; n];
    let mut clocks: Vec<Rc<Vec<usize>>> = (0..n).map(|_| Rc::new(vec![0; n])).collect();
    let mut e = Execution { program, events: Vec::new(), at: HashMap::new() };
    let block_of = |t: Thread| t / program.threads as usize;
    let lane_of = |t: Thread| t % program.threads as usize;
    loop {
        for t in 0..n {
            while let Some(step) = threads[t].get(position[t]) {
                match step {
                    Step::Access(access) => {
                        let step = position[t];
                        e.at.insert((t, step), e.events.len());
                        e.events.push(Event { thread: t, step, access: *access, before: clocks[t].clone() });
                    }
                    Step::Fence => {}
                    Step::Meet(_) => break,
                }
                position[t] += 1;
            }
        }
        let waits = |t: Thread| match threads[t].get(position[t]) {
            Some(Step::Meet(m)) => Some(*m),
            _ => None,
        };
        let is_done = |t: Thread| position[t] >= threads[t].len();
        if (0..n).all(is_done) {
            return Some(e);
        }
        let mut met: Vec<Vec<Thread>> = Vec::new();
        for t in 0..n {
            let Some(meeting) = waits(t) else { continue };
            let group: Vec<Thread> = (0..n)
                .filter(|&u| match meeting {
                    Meeting::Grid => true,
                    Meeting::Block => block_of(u) == block_of(t),
                    Meeting::Warp(mask) => {
                        block_of(u) == block_of(t)
                            && lane_of(u) / 32 == lane_of(t) / 32
                            && mask >> (lane_of(u) % 32) & 1 != 0
                    }
                })
                .filter(|&u| !is_done(u))
                .collect();
            if group.first() == Some(&t) && group.iter().all(|&u| waits(u) == Some(meeting)) {
                met.push(group);
            }
        }
        if met.is_empty() {
            return None;
        }
        let mut passed = Vec::new();
        for group in met {
            let mut joined = vec![0; n];
            for &t in &group {
                for (all, one) in joined.iter_mut().zip(clocks[t].iter()) {
                    *all = (*all).max(*one);
                }
                joined[t] = position[t];
            }
            let joined = Rc::new(joined);
            for &t in &group {
                clocks[t] = joined.clone();
                passed.push(t);
            }
        }
        for t in passed {
            position[t] += 1;
        }
    }
}

impl Execution<'_> {
    /// Whether an access comes before another in every execution.
    fn event_hb(x: &Event, y: &Event) -> bool {
        if x.thread == y.thread { x.step < y.step } else { x.step < y.before[x.thread] }
    }

    fn block(&self, t: Thread) -> usize {
        t / self.program.threads as usize
    }

    fn warp(&self, t: Thread) -> (usize, usize) {
        (self.block(t), t % self.program.threads as usize / 32)
    }

    /// Whether a volatile store ends an update: the event that read what it hangs on.
    fn update(&self, e: &Event) -> Option<&Event> {
        let a = &e.access;
        if a.op != Op::Write || a.strength != Strength::Volatile {
            return None;
        }
        let read = &self.events[self.at[&(e.thread, a.from?)]];
        let r = &read.access;
        let same = (r.array, r.start, r.width, r.strength) == (a.array, a.start, a.width, Strength::Volatile);
        same.then_some(read)
    }

    /// What two accesses are.
    fn judge(&self, x: &Event, y: &Event) -> Option<Severity> {
        let (a, b) = (&x.access, &y.access);
        if x.thread == y.thread || !overlap(a, b) || a.op == Op::Read && b.op == Op::Read {
            return None;
        }
        let ordered = Self::event_hb(x, y) || Self::event_hb(y, x);
        let same_block = self.block(x.thread) == self.block(y.thread);
        let held = same_block || [a, b].iter().all(|s| s.strength != Strength::Atomic(Reach::Block));
        if is_strong(a) && is_strong(b) && held {
            if a.strength != Strength::Volatile && b.strength != Strength::Volatile {
                return None;
            }
            if a.op != Op::Read && b.op != Op::Read {
                // A write between an update's read and its store is lost.
                let lost = |x: &Event, y: &Event| {
                    self.update(y).map(|read| !Self::event_hb(x, read) && !Self::event_hb(y, x))
                };
                return match (lost(x, y), lost(y, x)) {
                    (None, None) if ordered => None,
                    (None, None) => Some(same_values(a, b)),
                    (l, m) => (l == Some(true) || m == Some(true)).then_some(Severity::Error),
                };
            }
            let reader = if a.op == Op::Read { a } else { b };
            if ordered || !reader.data {
                return None;
            }
            let shared = self.program.arrays[a.array].space == Space::Shared;
            let near = shared || self.warp(x.thread) == self.warp(y.thread);
            return Some(if near { Severity::Error } else { Severity::Warning });
        }
        (!ordered).then(|| same_values(a, b))
    }
}

fn is_strong(a: &Access) -> bool {
    match a.strength {
        Strength::Plain => false,
        Strength::Atomic(_) => true,
        Strength::Volatile => a.width <= 8 && a.start.is_multiple_of(a.width),
    }
}

fn overlap(a: &Access, b: &Access) -> bool {
    (a.array, a.owner) == (b.array, b.owner)
        && a.start.max(b.start) < (a.start + a.width).min(b.start + b.width)
}

/// Two writes of one value are less bad.
fn same_values(a: &Access, b: &Access) -> Severity {
    if a.op != Op::Write || b.op != Op::Write {
        return Severity::Error;
    }
    let (from, to) = (a.start.max(b.start), (a.start + a.width).min(b.start + b.width));
    let bytes = |a: &Access, v: u128| {
        let bits = v >> (8 * (from - a.start));
        if to - from >= 16 { bits } else { bits & ((1 << (8 * (to - from))) - 1) }
    };
    match (a.written, b.written) {
        (Written::Never, _) | (_, Written::Never) => Severity::Error,
        (Written::Bytes(v), Written::Bytes(w)) if bytes(a, v) == bytes(b, w) => Severity::Warning,
        (Written::Bytes(_), Written::Bytes(_)) => Severity::Error,
        _ => Severity::Either,
    }
}

/// The races of a program; nothing where it does not end, or is too large.
pub fn races(program: &Program) -> Option<Races> {
    let threads = unfold(program)?;
    let e = follow(program, &threads)?;
    // Events by 16 bytes.
    let mut cells: BTreeMap<(usize, u32, u32), Vec<usize>> = BTreeMap::new();
    for (n, event) in e.events.iter().enumerate() {
        let a = &event.access;
        for cell in a.start / 16..(a.start + a.width).div_ceil(16) {
            cells.entry((a.array, a.owner, cell)).or_default().push(n);
        }
    }
    let mut out = Races::new();
    for (key, events) in &cells {
        for (i, &n) in events.iter().enumerate() {
            for &m in &events[..i] {
                let (x, y) = (&e.events[m], &e.events[n]);
                if let Some(severity) = e.judge(x, y) {
                    let space = program.arrays[key.0].space;
                    let (l, k) = (x.access.line, y.access.line);
                    let entry = out.entry((space, l.min(k), l.max(k))).or_insert_with(|| Race {
                        certainty: Certainty::Chance,
                        severity: Severity::Warning,
                        threads: Vec::new(),
                    });
                    let threads = (x.thread.min(y.thread), x.thread.max(y.thread));
                    if !entry.threads.contains(&threads) {
                        entry.threads.push(threads);
                    }
                    weigh(&e, x, y, severity, entry);
                }
            }
        }
    }
    Some(out)
}

/// Adds what a racing pair of accesses says of its lines.
fn weigh(e: &Execution, x: &Event, y: &Event, severity: Severity, race: &mut Race) {
    // A compare-and-swap that fails overwrites nothing.
    let spares = |x: &Event, y: &Event| x.access.conditional && e.update(y).is_some();
    let chance = spares(x, y) || spares(y, x);
    race.certainty = race.certainty.max(if chance { Certainty::Chance } else { Certainty::Certain });
    let severity = if severity == Severity::Error && chance { Severity::Either } else { severity };
    race.severity = race.severity.max(severity);
    if chance && race.severity == Severity::Warning {
        race.severity = Severity::Either;
    }
}
