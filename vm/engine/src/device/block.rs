//! Blocks: their strips, their barriers, and what it means when threads wait in vain.

use super::cluster::Settled;
use super::exec::{Exec, Flow, Yield};
use super::grid::Grid;
use super::schedule::Random;
use super::strip::{ConvergenceGroup, State, Strip};
use super::values::View;
use crate::faults::Notes;
use crate::regs::CodeRef;
use crate::worker::{Lent, Worker};
use cudair_bytecode::*;
use cudair_ir::*;
use cudair_lane::fault::{Fault, Place, Standing, Stop};
use cudair_lane::{Mask, StripShape};
use cudair_memory::BlockMem;
use smallvec::SmallVec;
use std::fmt::Write;

/// Turns that a block may use up before blocks that wait get theirs.
const TURNS: u32 = 64;
/// The same under a seed, where turns are short: up to so many.
const TURNS_SEEDED: usize = 16;

/// A block that runs or is suspended.
pub(crate) struct Block {
    /// Its shared memory; of a block of a cluster, only while it runs.
    pub(crate) mem: Option<BlockMem>,
    /// The number of its cluster, if it is of one, and its rank there.
    pub(crate) cluster: Option<(u64, u32)>,
    pub(crate) strips: Vec<Strip>,
    /// Draws the order of the strips and the length of the block's turn, under a seed.
    pub(crate) random: Option<Random>,
}

/// How running a block ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum BlockEnd {
    /// All of its threads have exited.
    Done,
    /// It ran for long: other blocks may run.
    Suspended,
}

impl Block {
    /// Gives back its memory, unless its cluster has it.
    pub(crate) fn end(self, w: &mut Worker) {
        if let Some(mem) = self.mem {
            w.mem.end_block(mem, &mut w.findings);
        }
    }

    /// Runs until all threads have exited or the block has used up its time. That is one turn where the launch
    /// looks at what threads have done and `others` have not begun, which the block may wait for while it works.
    pub(crate) fn run(
        &mut self,
        w: &mut Worker,
        mut rest: Option<Lent<'_>>,
        grid: &Grid,
        others: bool,
    ) -> Result<BlockEnd, Stop> {
        let single = self.strips.len() == 1;
        let mut turns = 0;
        let mut order: SmallVec<[usize; 4]> = (0..self.strips.len()).collect();
        let most = self.random.as_mut().map_or(TURNS, |r| {
            // Mostly the first interruption ends it.
            if r.below(4) != 0 { 1 } else { 1 + r.below(TURNS_SEEDED) as u32 }
        });
        loop {
            let mut out_of_turn = false;
            if let Some(random) = &mut self.random {
                random.shuffle(&mut order);
            }
            for &n in &order {
                let strip = &mut self.strips[n];
                let Some(block) = &mut self.mem else {
                    return Err(Stop::internal("a block runs without its memory"));
                };
                let rest = rest.as_mut().map(Lent::reborrow);
                let mut exec = Exec { worker: w, rest, grid, block, strip, single };
                loop {
                    match exec.strip.next() {
                        Some(f) => {
                            if exec.run(f)? == Yield::Turn {
                                out_of_turn = true;
                                break;
                            }
                        }
                        None => {
                            if !exec.resolve_warps()? {
                                break;
                            }
                        }
                    }
                }
            }
            let settled = self.settle_cluster(w);
            if settled == Settled::Woken {
                turns += u32::from(out_of_turn);
            } else if settled == Settled::Completed && self.strips.iter().any(|s| !s.live.is_empty()) {
                return Ok(BlockEnd::Suspended);
            } else if out_of_turn {
                turns += 1;
                let stuck = self.is_stuck(w.state.changes);
                if stuck && grid.sole {
                    return Err(deadlock(grid, std::iter::once(&*self)));
                }
                let makes_way = others && self.random.is_none() && w.mem.grid.is_unsteady();
                if !grid.sole && (stuck || makes_way || turns >= most) {
                    return Ok(BlockEnd::Suspended);
                }
            } else if self.strips.iter().all(|s| s.live.is_empty()) {
                return Ok(BlockEnd::Done);
            } else if self.waits_for_cluster() {
                if grid.sole && self.is_stuck(w.state.changes) {
                    return Err(deadlock(grid, std::iter::once(&*self)));
                }
                return Ok(BlockEnd::Suspended);
            } else {
                self.meet(w, grid)?;
            }
        }
    }

    /// Whether every thread waits or spins, memory having changed this often.
    pub(crate) fn is_stuck(&self, changes: u64) -> bool {
        self.strips.iter().all(|s| s.is_stuck(changes))
    }

    /// No convergence group of the block can run: all live threads wait at a barrier.
    fn meet(&mut self, w: &mut Worker, grid: &Grid) -> Result<(), Stop> {
        let groups = || self.strips.iter().flat_map(|s| &s.groups);
        let Some(first) = groups().next() else {
            return Err(Stop::internal("a block with live threads has nothing to run"));
        };
        let mut count = 0;
        let mut live = 0;
        let mut same = true;
        for f in groups() {
            let State::Barrier { holds } = f.state else {
                return Err(Stop::internal("a thread waits, but for no known reason"));
            };
            count += holds;
            live += f.mask.count();
            same = same && same_barrier(&grid.program.module, first, f);
        }
        if !same {
            return Err(self.different_barriers(grid));
        }
        let exited: u32 = self.strips.iter().map(|s| s.exited().count()).sum();
        if exited != 0 {
            let top = *first.top();
            let meeting = Meeting { at: (top.code, top.pc), outermost: outermost(first), live };
            note_exited(w, grid, &self.strips, &[], &meeting)?;
        }
        if let Some(mem) = &mut self.mem {
            mem.barrier(&mut w.findings);
        }
        if let Some(strip) = self.strips.first() {
            w.mem.grid.barrier(strip.shape.block_index);
        }
        for strip in &mut self.strips {
            for mut f in std::mem::take(&mut strip.groups) {
                let top = *f.top();
                let code = top.code.code();
                if let Some(desc) = barrier_at(&f) {
                    let view = View {
                        s: f.words.frame(top.base, code),
                        v: strip.planes.frame(top.vbase, top.pbase, code),
                    };
                    if let Some(d) = desc.d {
                        view.splat(d, &f.mask, result(desc.kind, count, live).into());
                    }
                }
                f.top_mut().pc += 1;
                f.state = State::Ready;
                strip.groups.push(f);
            }
        }
        Ok(())
    }

    /// The fault for threads that wait at different barriers.
    fn different_barriers(&self, grid: &Grid) -> Stop {
        // One entry per barrier, with the linear indices of the threads that wait there.
        let mut places: Vec<(&ConvergenceGroup, Vec<u32>)> = Vec::new();
        for strip in &self.strips {
            for f in &strip.groups {
                let threads = f.mask.iter().map(|l| strip.shape.first_thread + l as u32);
                match places.iter_mut().find(|(o, _)| same_barrier(&grid.program.module, o, f)) {
                    Some((_, list)) => list.extend(threads),
                    None => places.push((f, threads.collect())),
                }
            }
        }
        for (_, threads) in &mut places {
            threads.sort_unstable();
        }
        // The barrier that comes first in the program is the one that not all threads reach.
        places.sort_by_key(|(f, threads)| (f.top().pc, threads[0]));
        let (shape, dims) = (self.strips[0].shape, grid.launch.dims());
        let place = |f: &ConvergenceGroup| f.top().code.code().fault_place(f.top().pc);
        let (first, threads) = &places[0];
        let mut fault = Fault::other(
            Kind::BarrierDivergence,
            place(first),
            "threads of one block wait at different barriers",
            format!("{} here", waits(&shape, dims, threads)),
        );
        for (f, threads) in &places[1..] {
            fault = fault.with_related(place(f), format!("{} here", waits(&shape, dims, threads)));
        }
        let exited = exited_threads(&self.strips, &[]);
        if !exited.is_empty() {
            let have = if exited.len() == 1 { "has" } else { "have" };
            fault = fault.with_note(format!("{} {have} exited", thread_list(&shape, dims, &exited)));
        }
        let waiting = places.iter().map(|(f, threads)| (place(f), threads.clone())).collect();
        fault = with_standing(fault, (&shape, dims), waiting, exits(&self.strips, &[]));
        fault = fault.with_help("let every thread of the block reach the same barrier, or none");
        fault.thread = Some(cudair_lane::thread_coord(shape.block_index, shape.block_dim, threads[0]));
        fault.launch = Some(grid.launch_ref);
        fault.into()
    }
}

/// The fault for blocks none of whose threads can ever go on: where each of them waits or spins.
pub(crate) fn deadlock<'a>(grid: &Grid, blocks: impl Iterator<Item = &'a Block>) -> Stop {
    const SHOWN: usize = 8;
    let dims = grid.launch.dims();
    let mut places: Vec<(Place, String, ThreadCoord)> = Vec::new();
    let mut more = 0;
    let mut held_up = false;
    for block in blocks {
        for strip in &block.strips {
            for f in &strip.groups {
                if places.len() >= SHOWN {
                    more += f.mask.count();
                    continue;
                }
                let threads: Vec<u32> = f.mask.iter().map(|l| strip.shape.first_thread + l as u32).collect();
                let Some(&first) = threads.first() else { continue };
                let does = match f.state {
                    State::Ready if strip.is_held_up(f) => {
                        held_up = true;
                        ["waits for lanes of its warp", "wait for lanes of their warp"]
                    }
                    State::Ready => ["spins", "spin"],
                    State::Barrier { .. } => ["waits at a barrier", "wait at a barrier"],
                    State::Cluster => {
                        ["waits at the barrier of the cluster", "wait at the barrier of the cluster"]
                    }
                    State::Warp { .. } => ["waits for lanes of its warp", "wait for lanes of their warp"],
                };
                let does = does[usize::from(threads.len() > 1)];
                let top = f.top();
                let place = stands_at(top.code.code(), top.pc);
                let thread = cudair_lane::thread_coord(strip.shape.block_index, strip.shape.block_dim, first);
                places.push((
                    place,
                    format!("{} {does} here", thread_list(&strip.shape, dims, &threads)),
                    thread,
                ));
            }
        }
    }
    // A thread that spins makes the better first place than one that waits.
    places.sort_by_key(|p| !p.1.contains(" spin"));
    let mut places = places.into_iter();
    let Some((place, label, thread)) = places.next() else {
        return Stop::internal("a deadlock without threads");
    };
    let mut fault = Fault::other(
        Kind::Deadlock,
        place,
        "no thread can go on: nothing that the waiting threads wait for can still happen",
        label,
    );
    for (place, label, _) in places {
        fault = fault.with_related(place, label);
    }
    if more > 0 {
        fault = fault.with_note(format!("{more} further threads wait or spin"));
    }
    if held_up {
        fault = fault.with_note(
            "the lanes of a warp advance together (--warp-model lockstep): those that have left a loop wait \
             for those that are in it",
        );
    }
    fault.thread = Some(thread);
    fault.launch = Some(grid.launch_ref);
    fault.into()
}

/// Where a reader sees threads stand whose next operation is at `pc`: joins have no place of their own.
fn stands_at(code: &Code, pc: usize) -> Place {
    const AHEAD: usize = 8;
    let places = (pc..code.ops.len().min(pc + AHEAD)).map(|at| code.fault_place(at));
    places.into_iter().find(|p| *p != Place::Unknown).unwrap_or_default()
}

/// "threads 0-3 of block 0 wait"
fn waits(shape: &StripShape, dims: LaunchDims, threads: &[u32]) -> String {
    let verb = if threads.len() == 1 { "waits" } else { "wait" };
    format!("{} {verb}", thread_list(shape, dims, threads))
}

/// Threads of the block that have exited; `only` is the strip at hand, where the block has no other.
fn exited_threads(strips: &[Strip], only: &[&Strip]) -> Vec<u32> {
    let all = strips.iter().chain(only.iter().copied());
    all.flat_map(|s| s.exited().iter().map(|l| s.shape.first_thread + l as u32)).collect()
}

/// A fault with where the threads of the block are: those that wait, by place, and those that have exited, whose places are
/// told. A strip that ended as a whole does not know its last.
fn with_standing(
    mut fault: Fault,
    (shape, dims): (&StripShape, LaunchDims),
    waiting: Vec<(Place, Vec<u32>)>,
    exits: Vec<(Place, Vec<u32>)>,
) -> Fault {
    const SHOWN: usize = 6;
    for (place, threads) in exits.iter().take(SHOWN) {
        let left = if threads.len() == 1 { "leaves the kernel here" } else { "leave the kernel here" };
        fault = fault.with_related(*place, format!("{} {left}", thread_list(shape, dims, threads)));
    }
    let of = |left| move |(place, threads): (Place, Vec<u32>)| Standing { place, threads, left };
    fault.standing = waiting.into_iter().map(of(false)).chain(exits.into_iter().map(of(true))).collect();
    fault
}

/// The places where threads have exited, each with its threads, in the order of the first of them.
fn exits(strips: &[Strip], only: &[&Strip]) -> Vec<(Place, Vec<u32>)> {
    let mut places: Vec<(Place, Vec<u32>)> = Vec::new();
    for strip in strips.iter().chain(only.iter().copied()) {
        for (code, pc, lanes) in &strip.exits {
            let place = code.code().fault_place(*pc);
            let threads = lanes.iter().map(|l| strip.shape.first_thread + l as u32);
            match places.iter_mut().find(|p| p.0 == place) {
                Some((_, list)) => list.extend(threads),
                None => places.push((place, threads.collect())),
            }
        }
    }
    for (_, threads) in &mut places {
        threads.sort_unstable();
    }
    places.sort_by_key(|p| p.1[0]);
    places
}

/// Where threads of a block meet, at a barrier.
struct Meeting {
    /// The barrier.
    at: (CodeRef, usize),
    /// The operation of the kernel through which they came there: the barrier or a call.
    outermost: (CodeRef, usize),
    /// How many they are.
    live: u32,
}

/// The operation of the kernel at which a convergence group stands that waits at a barrier.
fn outermost(f: &ConvergenceGroup) -> (CodeRef, usize) {
    let first = f.frames[0];
    (first.code, if f.frames.len() > 1 { first.pc - 1 } else { first.pc })
}

/// Threads of the block have exited while the others meet at a barrier. Devices that count live threads go on. It is
/// forgiven where they left by an early return.
fn note_exited(
    w: &mut Worker,
    grid: &Grid,
    strips: &[Strip],
    only: &[&Strip],
    meeting: &Meeting,
) -> Result<(), Stop> {
    let Meeting { at: (code, pc), outermost: (kernel, came), live } = *meeting;
    let code = code.code();
    let config = &grid.program.config;
    let counted = config.device.major >= 7 && !config.strict;
    let (exited, dims) = (exited_threads(strips, only), grid.launch.dims());
    let all = || strips.iter().chain(only.iter().copied());
    let Some(shape) = all().map(|s| s.shape).next() else {
        return Ok(());
    };
    let thread = exited.first().map(|&t| cudair_lane::thread_coord(shape.block_index, shape.block_dim, t));
    let who = crate::faults::Who { thread, launch: Some(grid.launch_ref), count: 1 };
    let known = &mut w.state.early_returns;
    let leaves = |&(of, exit, _): &(CodeRef, usize, Mask)| {
        of == kernel
            && *known.entry((kernel, exit, came)).or_insert_with(|| kernel.code().leaves_early(exit, came))
    };
    let early = all().flat_map(|s| &s.exits).all(leaves);
    let place = code.fault_place(pc);
    let make = || {
        let waits =
            if live == 1 { "1 thread waits here".to_owned() } else { format!("{live} threads wait here") };
        let have = if exited.len() == 1 { "has" } else { "have" };
        let mut fault = Fault::other(
            Kind::BarrierDivergence,
            place,
            "threads of the block have exited and do not reach this barrier",
            waits,
        )
        .with_note(format!("{} {have} exited", thread_list(&shape, dims, &exited)))
        .with_help("let every thread reach the barrier; guard the work and not the barrier");
        if counted && !early {
            fault = fault.with_note(NO_GUARD);
        }
        let waiting = all().flat_map(|s| s.live.iter().map(|l| s.shape.first_thread + l as u32)).collect();
        with_standing(fault, (&shape, dims), vec![(place, waiting)], exits(strips, only))
    };
    if counted {
        let key = 100 + u8::from(early);
        w.note_once(
            (code.func.as_u32(), pc as u32, key),
            who,
            || {
                if early { make().warning() } else { make() }
            },
        );
        return Ok(());
    }
    let mut fault = make();
    (fault.thread, fault.launch) = (who.thread, who.launch);
    Err(fault.into())
}

/// Why threads that have exited are not forgiven.
const NO_GUARD: &str = "they did more than leave: the path from the branch to the end touches memory, \
                        calls a function or has a barrier, so this is not a guard such as `if (i >= n) \
                        return;`";

/// The barrier that a convergence group waits at.
fn barrier_at<'a>(f: &ConvergenceGroup) -> Option<&'a BarrierDesc> {
    let top = f.top();
    let code = top.code.code();
    match code.ops.get(top.pc) {
        Some(Op::Barrier { id }) => code.tables.barriers.get(*id),
        _ => None,
    }
}

/// What a barrier gives when `count` of `live` threads have a predicate that is not 0.
fn result(kind: BarrierKind, count: u32, live: u32) -> u32 {
    match kind {
        BarrierKind::Sync
        | BarrierKind::Grid
        | BarrierKind::ClusterArrive
        | BarrierKind::ClusterArriveRelaxed
        | BarrierKind::ClusterWait => 0,
        BarrierKind::Count => count,
        BarrierKind::And => u32::from(count == live),
        BarrierKind::Or => u32::from(count != 0),
    }
}

/// Whether two convergence groups wait at one barrier: the same source place, reached through calls at the same
/// source places, whether inlined or not.
fn same_barrier(module: &Module, a: &ConvergenceGroup, b: &ConvergenceGroup) -> bool {
    let same = |a: &ConvergenceGroup, b: &ConvergenceGroup| {
        a.frames.len() == b.frames.len()
            && a.frames.iter().zip(&b.frames).all(|(x, y)| x.code == y.code && x.pc == y.pc)
    };
    same(a, b) || {
        let (pa, pb) = (path(module, a), path(module, b));
        !pa.is_empty() && pa == pb
    }
}

/// The source places from the kernel to the barrier; empty where one is not known.
fn path(module: &Module, f: &ConvergenceGroup) -> Vec<LocData> {
    let mut out = Vec::new();
    for (i, frame) in f.frames.iter().enumerate() {
        let pc = if i + 1 < f.frames.len() { frame.pc - 1 } else { frame.pc };
        let Some(loc) = frame.code.code().loc(pc) else { return Vec::new() };
        let mut calls = module.source.call_path(loc);
        calls.reverse();
        out.extend(calls.into_iter().chain([loc]).map(|l| module.source.source_place(l)));
    }
    out
}

/// Numbers as ranges: "threads 0-3, 7".
pub(crate) fn ranges(items: impl Iterator<Item = u32>, what: &str) -> String {
    let runs = consecutive(items);
    let mut out = String::from(what);
    if runs.len() != 1 || runs[0][0] != runs[0][1] {
        out.push('s');
    }
    let shown = 8;
    for (i, [a, b]) in runs.iter().take(shown).enumerate() {
        let sep = if i == 0 { " " } else { ", " };
        let _ = if a == b { write!(out, "{sep}{a}") } else { write!(out, "{sep}{a}-{b}") };
    }
    if runs.len() > shown {
        let rest: u32 = runs[shown..].iter().map(|[a, b]| b - a + 1).sum();
        let _ = write!(out, " and {rest} more");
    }
    out
}

/// Threads of a block as a reader counts them: by linear index, with the coordinates of the first where the
/// block has more than one dimension.
pub(crate) fn thread_list(shape: &StripShape, dims: LaunchDims, threads: &[u32]) -> String {
    let coord = |t: u32| dims.thread(cudair_lane::thread_coord(shape.block_index, shape.block_dim, t).thread);
    let flat = shape.block_dim[1] == 1 && shape.block_dim[2] == 1;
    let mut out = match threads {
        &[one] if !flat => format!("thread {}", coord(one)),
        _ => ranges(threads.iter().copied(), "thread"),
    };
    if let (false, [first, _, ..]) = (flat, threads) {
        let _ = write!(out, " (in linear order, the first is {})", coord(*first));
    }
    let _ = write!(out, " of block {}", dims.block(shape.block_index));
    out
}

impl Exec<'_> {
    /// A barrier of the block; `pc` is the operation after it.
    pub(crate) fn barrier(
        &mut self,
        f: &mut ConvergenceGroup,
        desc: &BarrierDesc,
        pc: usize,
        view: View,
    ) -> Result<Flow, Stop> {
        if desc.kind.is_cluster() {
            return self.cluster_barrier(f, desc.kind, pc);
        }
        let holds = match desc.pred {
            None => 0,
            Some(reg) if reg.is_scalar() && view.get(reg, 0) as u32 == 0 => 0,
            Some(reg) if reg.is_scalar() => f.mask.count(),
            Some(reg) => f.mask.iter().filter(|&l| view.get(reg, l) as u32 != 0).count() as u32,
        };
        if self.single && f.mask == self.strip.live {
            // Everybody is here.
            let live = f.mask.count();
            if !self.strip.exited().is_empty() {
                let meeting = Meeting { at: (f.top().code, pc - 1), outermost: outermost(f), live };
                note_exited(self.worker, self.grid, &[], &[&*self.strip], &meeting)?;
            }
            self.block.barrier(&mut self.worker.findings);
            let block = self.strip.shape.block_index;
            self.worker.mem.grid.barrier(block);
            if let Some(d) = desc.d {
                view.splat(d, &f.mask, result(desc.kind, holds, live).into());
            }
            return Ok(Flow::Next);
        }
        let mut waiting = std::mem::replace(f, ConvergenceGroup::empty());
        waiting.state = State::Barrier { holds };
        waiting.deferred = false;
        self.strip.groups.push(waiting);
        Ok(Flow::Leave(Yield::Next))
    }
}
