//! Which lines of a kernel race, worked out from all pairs of accesses.
//!
//! What a thread does is the same in every execution, so that one order holds in all of them: program order, barriers,
//! and `__syncwarp` among the lanes of its mask. Two accesses that it leaves open may come in either order, and race if
//! the rules of `cudair explain global-race` and `shared-race` say so. What a fence and a flag order hangs on whether
//! the flag's new value is read; as no branch waits for it, there is an execution in which it is not, and such a pair is a
//! race as well. But one execution may not show it: such pairs are told apart as [`Certainty::Chance`].
//!
//! Nothing of this is taken from the detector.

use super::events::*;
use super::program::*;
use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;

/// Whether one execution has to show a race.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Certainty {
    /// Those alone in which no flag's new value is read.
    Chance,
    /// Every one but for what is known of granules ([`super::known::Cause::Granule`]).
    Granule,
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

/// A fence.
struct FenceAt {
    thread: Thread,
    step: usize,
}

struct Execution<'a> {
    program: &'a Program,
    events: Vec<Event>,
    /// The number of the event at each step.
    at: HashMap<(Thread, usize), usize>,
    fences: Vec<FenceAt>,
    /// What is known before each step of a thread at which that changes, in order.
    known: Vec<Vec<(usize, Rc<Vec<usize>>)>>,
    /// Steps at which a thread met its block or the grid.
    met: Vec<Vec<usize>>,
}

/// Follows all threads from meeting to meeting. Nothing where threads wait for each other in vain.
fn follow<'a>(program: &'a Program, threads: &[Vec<Step>]) -> Option<Execution<'a>> {
    let n = threads.len();
    let mut position = vec![0; n];
    let mut clocks: Vec<Rc<Vec<usize>>> = (0..n).map(|_| Rc::new(vec![0; n])).collect();
    let mut e = Execution {
        program,
        events: Vec::new(),
        at: HashMap::new(),
        fences: Vec::new(),
        known: clocks.iter().map(|c| vec![(0, c.clone())]).collect(),
        met: vec![Vec::new(); n],
    };
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
                    Step::Fence => e.fences.push(FenceAt { thread: t, step: position[t] }),
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
                if !matches!(waits(t), Some(Meeting::Warp(_))) {
                    e.met[t].push(position[t]);
                }
                clocks[t] = joined.clone();
                e.known[t].push((position[t], joined.clone()));
                passed.push(t);
            }
        }
        for t in passed {
            position[t] += 1;
        }
    }
}

/// A place in the launch: a thread's step.
type At = (Thread, usize);

impl Execution<'_> {
    fn before(&self, t: Thread, step: usize) -> &Rc<Vec<usize>> {
        let known = &self.known[t];
        let n = known.partition_point(|k| k.0 <= step);
        &known[n - 1].1
    }

    /// Whether a step comes before another in every execution.
    fn hb(&self, (t, step): At, (u, other): At) -> bool {
        if t == u { step < other } else { step < self.before(u, other)[t] }
    }

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

    /// Whether an execution in which flags are read late may order x before y, if a fence after the read is there,
    /// or, where `lenient`, if not.
    fn may_order(&self, x: &Event, y: &Event, lenient: bool, strong: &[usize]) -> bool {
        let of = |n: usize| &self.events[n];
        let at = |e: &Event| (e.thread, e.step);
        let reached = |a: At, b: At| a == b || self.hb(a, b);
        // What a write may pass on: a fence stands between.
        let releases = |w: &Event| {
            self.fences
                .iter()
                .any(|f| reached(at(x), (f.thread, f.step)) && self.hb((f.thread, f.step), at(w)))
        };
        let acquires = |r: &Event| {
            reached(at(r), at(y))
                && (lenient
                    || self.fences.iter().any(|f| {
                        f.thread == r.thread && f.step > r.step && reached((f.thread, f.step), at(y))
                    })
                    || self.met[r.thread].iter().any(|&m| m > r.step && reached((r.thread, m), at(y))))
        };
        let writes = |e: &Event| e.access.op != Op::Read;
        let learns = |e: &Event| e.access.op != Op::Write && e.access.used;
        let mut reached_by: Vec<usize> =
            strong.iter().copied().filter(|&n| writes(of(n)) && releases(of(n))).collect();
        let mut seen = vec![false; strong.len()];
        let index: HashMap<usize, usize> = strong.iter().enumerate().map(|(i, &n)| (n, i)).collect();
        for n in &reached_by {
            seen[index[n]] = true;
        }
        while let Some(n) = reached_by.pop() {
            for &m in strong {
                let reads = writes(of(n)) && learns(of(m)) && overlap(&of(n).access, &of(m).access);
                if !seen[index[&m]] && (reads || reached(at(of(n)), at(of(m)))) {
                    seen[index[&m]] = true;
                    reached_by.push(m);
                }
            }
        }
        strong.iter().any(|&n| seen[index[&n]] && learns(of(n)) && acquires(of(n)))
    }

    /// Whether y may follow a read of what the thread of x, strong, has written at its place then or later.
    fn may_observe(
        &self,
        x: &Event,
        y: &Event,
        strong: &[usize],
        touch: fn(&Access, &Access) -> bool,
    ) -> bool {
        let all = || strong.iter().map(|&n| &self.events[n]);
        let told = || {
            all().filter(|w| {
                w.thread == x.thread
                    && w.step >= x.step
                    && w.access.op != Op::Read
                    && touch(&w.access, &x.access)
            })
        };
        is_strong(&x.access)
            && all().any(|r| {
                let later = (r.thread, r.step) != (y.thread, y.step)
                    && (Self::event_hb(r, y) || !self.fences.is_empty());
                later
                    && r.access.op != Op::Write
                    && r.access.used
                    && told().any(|w| touch(&w.access, &r.access))
            })
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

/// Whether two accesses touch the same four bytes.
fn meet(a: &Access, b: &Access) -> bool {
    let cells = |a: &Access| (a.start / 4, (a.start + a.width).div_ceil(4));
    let ((a0, a1), (b0, b1)) = (cells(a), cells(b));
    (a.array, a.owner) == (b.array, b.owner) && a0.max(b0) < a1.min(b1)
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

/// Strong accesses above which every pair of a program with fences counts as one of chance.
const MOST_STRONG: usize = 400;

/// The races of a program; nothing where it does not end, or is too large.
pub fn races(program: &Program) -> Option<Races> {
    let threads = unfold(program)?;
    let e = follow(program, &threads)?;
    let strong: Vec<usize> = (0..e.events.len()).filter(|&n| is_strong(&e.events[n].access)).collect();
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
                    weigh(&e, x, y, severity, &strong, entry);
                }
            }
        }
    }
    Some(out)
}

/// Adds what a racing pair of accesses says of its lines.
fn weigh(e: &Execution, x: &Event, y: &Event, severity: Severity, strong: &[usize], race: &mut Race) {
    if race.certainty == Certainty::Certain && (severity <= race.severity || race.severity == Severity::Error)
    {
        return;
    }
    let fenced = !e.fences.is_empty();
    let many = strong.len() > MOST_STRONG;
    let ordered = |lenient| {
        fenced && (many || e.may_order(x, y, lenient, strong) || e.may_order(y, x, lenient, strong))
    };
    let observed = |touch: fn(&Access, &Access) -> bool| {
        e.may_observe(x, y, strong, touch) || e.may_observe(y, x, strong, touch)
    };
    // A compare-and-swap that fails overwrites nothing.
    let spares = |x: &Event, y: &Event| x.access.conditional && e.update(y).is_some();
    let chance = ordered(false) || observed(overlap) || spares(x, y) || spares(y, x);
    let certainty = match chance {
        true => Certainty::Chance,
        false if observed(meet) => Certainty::Granule,
        false => Certainty::Certain,
    };
    race.certainty = race.certainty.max(certainty);
    // Where only the fence after the read is missing, and the flag was read, it is a warning.
    let severity =
        if severity == Severity::Error && (chance || ordered(true)) { Severity::Either } else { severity };
    race.severity = race.severity.max(severity);
    if chance && race.severity == Severity::Warning {
        race.severity = Severity::Either;
    }
}
