//! Clusters of blocks: their turns, and their barrier.
//!
//! The blocks of a cluster start together and take turns until all have exited or each waits for what only other
//! clusters can do. Who arrived at the barrier and who may go on is the block's memory's to know
//! ([`cudair_memory::ClusterMem`]); that a phase is complete is noticed when nothing of a block can run any more.

use super::block::Block;
use super::exec::{Exec, Flow, Yield};
use super::grid::{Grid, Running, make};
use super::strip::{ConvergenceGroup, State, Strip};
use crate::worker::Worker;
use cudair_ir::{BarrierKind, Kind};
use cudair_lane::fault::{Fault, Stop};
use cudair_lane::{Mask, block_index};
use cudair_memory::ClusterMem;

/// The shape of a grid in clusters.
#[derive(Clone, Copy, Debug)]
pub(super) struct ClusterShape {
    grid: [u32; 3],
    dims: [u32; 3],
}

impl ClusterShape {
    pub(super) fn new(grid: [u32; 3], dims: [u32; 3]) -> ClusterShape {
        ClusterShape { grid, dims: dims.map(|d| d.max(1)) }
    }

    /// Blocks of a cluster.
    pub(super) fn size(self) -> u32 {
        self.dims.iter().product()
    }

    /// The index of the block of a rank in the cluster of a number.
    fn block(self, cluster: u64, rank: u32) -> [u32; 3] {
        let clusters = [0, 1, 2].map(|d| self.grid[d] / self.dims[d]);
        let (at, within) = (block_index(clusters, cluster), block_index(self.dims, rank.into()));
        [0, 1, 2].map(|d| at[d] * self.dims[d] + within[d])
    }
}

impl Running<'_> {
    /// A cluster, until its end or until each of its blocks waits for others.
    pub(super) fn cluster(&mut self, w: &mut Worker, grid: &Grid, number: u64) -> Result<(), Stop> {
        let result = self.begin_cluster(w, grid, number).and_then(|()| self.take_turns(w, grid));
        self.suspended.append(&mut self.cluster);
        result
    }

    /// The blocks of the cluster under way take turns.
    fn take_turns(&mut self, w: &mut Worker, grid: &Grid) -> Result<(), Stop> {
        while !self.cluster.iter().all(|b| b.is_stuck(w.state.changes))
            && let Some(block) = self.cluster.pop_front()
        {
            let left = self.go_on(w, grid, block)?;
            self.cluster.extend(left);
        }
        Ok(())
    }

    fn begin_cluster(&mut self, w: &mut Worker, grid: &Grid, number: u64) -> Result<(), Stop> {
        let size = grid.clusters.size();
        let mut strips: Vec<Vec<Strip>> = Vec::new();
        for rank in 0..size {
            let index = grid.clusters.block(number, rank);
            strips.push(self.strips(grid, index));
        }
        let shapes: Vec<_> = strips.iter().filter_map(|s| Some(s.first()?.shape)).collect();
        let dynamic = grid.launch.dynamic_shared;
        let memory = w.mem.begin_cluster(&grid.layout, dynamic, &shapes, &mut w.findings)?;
        self.clusters.insert(number, Box::new(memory));
        for (rank, strips) in strips.into_iter().enumerate() {
            let block = make(w, grid, strips, None)?;
            self.cluster.push_back(Block { cluster: Some((number, rank as u32)), ..block });
        }
        Ok(())
    }

    /// Gives a block that is to run the memory of its cluster.
    pub(super) fn lend(&mut self, block: &mut Block) {
        if let Some((number, rank)) = block.cluster
            && let Some(mut cluster) = self.clusters.remove(&number)
        {
            block.mem = cluster.take(rank);
            if let Some(mem) = &mut block.mem {
                mem.cluster = Some(cluster);
            }
        }
    }

    /// Takes it back. `ended`: the block has.
    pub(super) fn take_back(&mut self, w: &mut Worker, block: &mut Block, ended: bool) {
        let Some((number, rank)) = block.cluster else { return };
        let Some(mut mem) = block.mem.take() else { return };
        let Some(mut cluster) = mem.cluster.take() else { return };
        if let (true, Some(strip)) = (ended, block.strips.first()) {
            w.mem.exit_block(&mut mem, &strip.shape);
        }
        cluster.put(rank, mem);
        if ended && cluster.end_one() {
            w.mem.end_cluster(*cluster, &mut w.findings);
        } else {
            self.clusters.insert(number, cluster);
        }
    }

    /// Clusters that an abort left behind.
    pub(super) fn end_clusters(&mut self, w: &mut Worker) {
        let mut left: Vec<(u64, Box<ClusterMem>)> = self.clusters.drain().collect();
        left.sort_unstable_by_key(|c| c.0);
        for (_, cluster) in left {
            w.mem.end_cluster(*cluster, &mut w.findings);
        }
    }
}

/// What came of a look at the cluster's barrier.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Settled {
    /// Nobody goes on.
    No,
    /// Threads of the block go on.
    Woken,
    /// All of the cluster go on, in the order of its blocks.
    Completed,
}

impl Block {
    /// Nothing of the block can run, or all of it had its turn: lets those go on that the cluster's barrier lets.
    pub(super) fn settle_cluster(&mut self, w: &mut Worker) -> Settled {
        if self.wake(w) {
            return Settled::Woken;
        }
        let Some(mem) = self.mem.as_mut().filter(|mem| mem.is_clustered()) else { return Settled::No };
        let Some(shape) = self.strips.first().map(|s| s.shape) else { return Settled::No };
        let mut live = [0; 32];
        for strip in &self.strips {
            let first = strip.shape.first_thread as usize / 32;
            (0..8).filter(|w| first + w < 32).for_each(|w| live[first + w] = strip.live.warp(w));
        }
        if !mem.complete_phase(live) {
            return Settled::No;
        }
        w.state.changes += 1;
        w.mem.grid.complete(shape.block_index);
        if self.cluster.is_some() {
            return Settled::Completed;
        }
        if self.wake(w) { Settled::Woken } else { Settled::No }
    }

    /// Lets those go on that wait for a phase which is complete. Whether there are such.
    fn wake(&mut self, w: &mut Worker) -> bool {
        let Some(mem) = self.mem.as_mut().filter(|mem| mem.is_clustered()) else { return false };
        let Some(shape) = self.strips.first().map(|s| s.shape) else { return false };
        let mut any = false;
        for strip in &mut self.strips {
            let first = strip.shape.first_thread;
            for f in strip.groups.iter_mut().filter(|f| f.state == State::Cluster) {
                if mem.passed(first, &f.mask) != f.mask {
                    f.stuck_at = Some(w.state.changes);
                    continue;
                }
                mem.waited(first, &f.mask);
                let top = f.top();
                let place = top.code.code().fault_place(top.pc);
                w.mem.grid.waited(shape.block_index, (first, &f.mask), place);
                f.state = State::Ready;
                f.stuck_at = None;
                f.top_mut().pc += 1;
                any = true;
            }
        }
        if any {
            mem.beyond_cluster(&mut w.findings);
        }
        any
    }

    /// Whether a convergence group waits for the cluster.
    pub(super) fn waits_for_cluster(&self) -> bool {
        self.strips.iter().flat_map(|s| &s.groups).any(|f| f.state == State::Cluster)
    }
}

impl Exec<'_> {
    /// Half of the cluster's barrier; `pc` is the operation after it.
    pub(super) fn cluster_barrier(
        &mut self,
        f: &mut ConvergenceGroup,
        kind: BarrierKind,
        pc: usize,
    ) -> Result<Flow, Stop> {
        let (first, index) = (self.strip.shape.first_thread, self.strip.shape.block_index);
        let arrived = self.block.arrived(first, &f.mask);
        let place = f.top().code.code().fault_place(pc - 1);
        if kind == BarrierKind::ClusterWait {
            let strangers = f.mask.without(&arrived);
            if !strangers.is_empty() {
                return Err(self.misused(
                    &strangers,
                    place,
                    "a thread waits for the barrier of its cluster and has not arrived at it",
                    "waits here without `barrier_arrive` before",
                ));
            }
            let passed = self.block.passed(first, &f.mask);
            if passed == f.mask {
                self.block.waited(first, &f.mask);
                self.worker.mem.grid.waited(index, (first, &f.mask), place);
                self.block.beyond_cluster(&mut self.worker.findings);
                return Ok(Flow::Next);
            }
            if !passed.is_empty() {
                // Some can go on: they come here again by themselves.
                let mut other = f.split(passed, &mut self.strip.pool);
                other.top_mut().pc = pc - 1;
                f.mask = f.mask.without(&passed);
                self.strip.groups.push(other);
            }
            let mut waiting = std::mem::replace(f, ConvergenceGroup::empty());
            waiting.state = State::Cluster;
            waiting.deferred = false;
            waiting.stuck_at = None;
            self.strip.groups.push(waiting);
            return Ok(Flow::Leave(Yield::Next));
        }
        if !arrived.is_empty() {
            return Err(self.misused(
                &arrived,
                place,
                "a thread arrives at the barrier of its cluster a second time without having waited",
                "arrives here again without `barrier_wait` in between",
            ));
        }
        let release = kind == BarrierKind::ClusterArrive;
        self.block.arrive(first, &f.mask, release);
        self.worker.mem.grid.arrive(index, (first, &f.mask), release, place);
        self.worker.state.changes += 1;
        Ok(Flow::Next)
    }

    #[cold]
    fn misused(&self, lanes: &Mask, place: cudair_lane::fault::Place, message: &str, label: &str) -> Stop {
        let who = self.who(lanes);
        let mut fault = Fault::other(Kind::UndefinedBehavior, place, message, label)
            .with_help("let each thread arrive once and then wait once, as `cluster.sync()` does");
        (fault.thread, fault.launch, fault.count) = (who.thread, who.launch, who.count);
        fault.into()
    }
}
