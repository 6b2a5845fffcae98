//! The races of one execution of a litmus program, by the rules of `cudair explain global-race`.

use super::explore::{Act, Happened, Machine};
use super::litmus::{How, Var};
use super::program::{Line, Reach, Space};
use std::collections::BTreeSet;

/// A set of events.
type Set = u128;

fn has(set: Set, n: usize) -> bool {
    set >> n & 1 != 0
}

/// Events of an execution at most.
pub const MOST: usize = 128;

#[derive(Clone, Copy)]
struct Access {
    thread: usize,
    block: u32,
    line: Line,
    var: Var,
    how: How,
    act: Act,
}

impl Access {
    fn is_strong(&self) -> bool {
        self.how != How::Plain
    }

    fn writes(&self) -> bool {
        self.act != Act::Read
    }

    /// Whether it is strong to threads of other blocks.
    fn is_far(&self) -> bool {
        self.how != How::Atomic(Reach::Block)
    }
}

struct Execution<'a> {
    machine: &'a Machine<'a>,
    events: &'a [Happened],
    accesses: Vec<Option<Access>>,
    /// Before each event: by program order and barriers, and by these with what flags pass on.
    before: Vec<Set>,
}

/// Adds the racing pairs of lines of an execution.
pub fn races(machine: &Machine, events: &[Happened], out: &mut BTreeSet<(Line, Line)>) {
    if events.len() > MOST {
        return;
    }
    let access = |e: &Happened| match *e {
        Happened::Access { thread, line, var, how, act, .. } => {
            Some(Access { thread, block: machine.program.threads[thread].block, line, var, how, act })
        }
        _ => None,
    };
    let accesses = events.iter().map(access).collect();
    let mut e = Execution { machine, events, accesses, before: Vec::new() };
    let local = e.close(&[]);
    let edges = e.passed_on(&local);
    e.before = e.close(&edges);
    e.compare(out);
}

impl Execution<'_> {
    fn takes_part(&self, n: usize, t: usize) -> bool {
        match self.events[n] {
            Happened::Access { thread, .. } | Happened::Fence { thread, .. } => thread == t,
            Happened::Barrier { block } => self.machine.program.threads[t].block == block,
        }
    }

    /// What is before each event, these edges included.
    fn close(&self, edges: &[(usize, usize)]) -> Vec<Set> {
        let threads = self.machine.program.threads.len();
        let mut last: Vec<Option<usize>> = vec![None; threads];
        let mut before: Vec<Set> = Vec::new();
        for n in 0..self.events.len() {
            let mut set = 0;
            for (t, last) in last.iter_mut().enumerate() {
                if self.takes_part(n, t) {
                    if let Some(l) = *last {
                        set |= before[l] | 1 << l;
                    }
                    *last = Some(n);
                }
            }
            for &(from, _) in edges.iter().filter(|e| e.1 == n) {
                set |= before[from] | 1 << from;
            }
            before.push(set);
        }
        before
    }

    /// Whether the thread of a read learns something by it: a branch or an address depends on it. A value that is
    /// used as data goes to where the results are, which may be where in global memory the flags are.
    fn learns(&self, a: &Access) -> bool {
        let u = self.machine.uses.get(&a.line).copied().unwrap_or_default();
        let may_alias = || {
            let is_read = self.machine.uses.values().any(|u| u.decides || u.address);
            is_read && self.machine.program.space == Space::Global
        };
        a.is_strong() && a.act != Act::Write && (u.decides || u.address || u.data && may_alias())
    }

    fn waits(&self, a: &Access) -> bool {
        a.act == Act::Rmw || self.machine.uses.get(&a.line).is_some_and(|u| u.waits)
    }

    /// The strong writes that a read observes: the last, and those from which read-modify-writes went on.
    fn observed(&self, read: usize) -> Vec<usize> {
        let Some(r) = self.accesses[read] else { return Vec::new() };
        let mut out = Vec::new();
        for n in (0..read).rev() {
            let Some(w) = self.accesses[n].filter(|w| w.var == r.var && w.writes()) else { continue };
            if !w.is_strong() {
                break;
            }
            out.push(n);
            if w.act != Act::Rmw {
                break;
            }
        }
        out
    }

    /// From fences before a flag's write to fences and barriers after the read of its value.
    fn passed_on(&self, local: &[Set]) -> Vec<(usize, usize)> {
        let mut out = Vec::new();
        for read in 0..self.events.len() {
            let Some(r) = self.accesses[read].filter(|r| self.learns(r)) else { continue };
            for write in self.observed(read) {
                let Some(w) = self.accesses[write] else { continue };
                let near = w.block == r.block;
                let reaches = |n: usize| match self.events[n] {
                    Happened::Fence { reach, .. } => near || reach == Reach::Device,
                    _ => self.accesses[n].is_none_or(|a| near || a.is_far()),
                };
                if !reaches(write) || !reaches(read) {
                    continue;
                }
                let is_fence = |n: usize| matches!(self.events[n], Happened::Fence { .. });
                let from = (0..write).filter(|&f| is_fence(f) && has(local[write], f) && reaches(f));
                let to: Vec<usize> = (read + 1..self.events.len())
                    .filter(|&g| match self.events[g] {
                        Happened::Fence { thread, .. } => thread == r.thread && reaches(g),
                        Happened::Barrier { block } => block == r.block,
                        Happened::Access { .. } => false,
                    })
                    .collect();
                for f in from {
                    out.extend(to.iter().map(|&g| (f, g)));
                }
            }
        }
        out
    }

    /// Whether x happened before y, or was observed by a read that did.
    fn known(&self, x: usize, y: usize, waiting: bool) -> bool {
        if has(self.before[y], x) {
            return true;
        }
        let Some(a) = self.accesses[x].filter(Access::is_strong) else { return false };
        (x + 1..y).any(|z| {
            self.accesses[z].is_some_and(|r| {
                self.learns(&r)
                    && (self.waits(&r) || !waiting)
                    && has(self.before[y], z)
                    && (r.block == a.block || a.is_far() && r.is_far())
                    && self.observed(z).iter().any(|&w| {
                        w >= x && self.accesses[w].is_some_and(|w| w.thread == a.thread && w.var == a.var)
                    })
            })
        })
    }

    /// The read with which an update began that ends with this store.
    fn update(&self, store: usize) -> Option<usize> {
        let s = self.accesses[store]?;
        if s.act != Act::Write || s.how != How::Volatile {
            return None;
        }
        let read = (0..store).rev().find(|&n| {
            self.accesses[n].is_some_and(|r| {
                r.thread == s.thread && r.var == s.var && r.how == How::Volatile && r.act == Act::Read
            })
        })?;
        let line = self.accesses[read]?.line;
        let is_its_own = line + 1 == s.line && self.machine.uses.get(&line).is_some_and(|u| u.updates);
        is_its_own.then_some(read)
    }

    fn compare(&self, out: &mut BTreeSet<(Line, Line)>) {
        for y in 0..self.events.len() {
            let Some(b) = self.accesses[y] else { continue };
            for x in 0..y {
                let Some(a) = self.accesses[x] else { continue };
                let touch = a.thread != b.thread && a.var == b.var && (a.writes() || b.writes());
                if touch && self.is_race(x, &a, y, &b) {
                    out.insert((a.line.min(b.line), a.line.max(b.line)));
                }
            }
        }
    }

    fn is_race(&self, x: usize, a: &Access, y: usize, b: &Access) -> bool {
        let held = a.block == b.block || a.is_far() && b.is_far();
        if a.is_strong() && b.is_strong() && held {
            if a.how != How::Volatile && b.how != How::Volatile {
                return false;
            }
            let uses = |a: &Access| self.machine.uses.get(&a.line).copied().unwrap_or_default();
            if a.writes() && b.writes() {
                if let Some(read) = self.update(y) {
                    return x > read || !self.known(x, read, true);
                }
                let decides = |a: &Access| a.act == Act::Rmw && uses(a).decides;
                if self.update(x).is_none() && (decides(a) || decides(b)) {
                    return false;
                }
            } else {
                let reader = if a.writes() { b } else { a };
                if !uses(reader).data {
                    return false;
                }
            }
        }
        !self.known(x, y, false)
    }
}
