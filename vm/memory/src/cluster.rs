//! The shared memory of a cluster: what a block that runs sees of the others.
//!
//! While a block runs it holds those of the others; while none runs the engine does. A block that has exited leaves
//! its memory until the whole cluster has: who still touches it is told so by the race detector, whatever the order
//! in which blocks run.

use super::lanes::LaneCx;
use super::raw::Obj;
use super::shared::BlockMem;
use super::{Memory, SharedLayout};
use cudair_lane::fault::{ObjectInfo, Stop};
use cudair_lane::pattern::AddressPattern;
use cudair_lane::ptr::{Ptr, Tag};
use cudair_lane::{How, Mask, StripShape, Values};
use cudair_race::RaceAccess;
use cudair_race::cluster::{ClusterWatch, Threads, Visit};
use cudair_report::Findings;
use std::sync::Arc;

/// Addresses that the window of shared memory has for a block.
const BLOCK_WINDOW: u64 = 1 << 24;

/// The blocks of a cluster by rank, but for the one that runs.
#[derive(Debug)]
pub struct ClusterMem {
    blocks: Vec<Option<BlockMem>>,
    /// Somebody has arrived at the running phase without a release.
    relaxed: bool,
    /// Blocks that have not ended.
    left: usize,
}

impl ClusterMem {
    /// The memory of the block of a rank, to be put back.
    #[inline]
    pub fn take(&mut self, rank: u32) -> Option<BlockMem> {
        self.blocks.get_mut(rank as usize).and_then(Option::take)
    }

    /// Puts a block's memory back.
    #[inline]
    pub fn put(&mut self, rank: u32, block: BlockMem) {
        if let Some(place) = self.blocks.get_mut(rank as usize) {
            *place = Some(block);
        }
    }

    /// A block has ended. Whether it was the last.
    #[inline]
    pub fn end_one(&mut self) -> bool {
        self.left = self.left.saturating_sub(1);
        self.left == 0
    }

    fn block(&self, rank: u32) -> Option<&BlockMem> {
        self.blocks.get(rank as usize)?.as_ref()
    }

    /// The block, and the variable of it, that an address names.
    fn find(&self, ptr: Ptr) -> Option<(u32, usize)> {
        let mut blocks = self.blocks.iter().enumerate();
        blocks.find_map(|(rank, b)| Some((rank as u32, b.as_ref()?.number(ptr)?)))
    }
}

impl BlockMem {
    /// The rank in the cluster and how many blocks that has.
    #[inline]
    pub fn place_in_cluster(&self) -> (u32, u32) {
        let rank = self.watch().map_or(0, |w| w.rank);
        (rank, self.cluster.as_ref().map_or(1, |c| c.blocks.len() as u32))
    }

    /// The variable of another block of the cluster that an address names, and that block's rank.
    #[cold]
    pub(super) fn foreign(&self, ptr: Ptr) -> Option<(u32, usize)> {
        self.cluster.as_ref()?.find(ptr)
    }

    /// A variable of another block, and [`BlockMem::start`] of it.
    pub(super) fn foreign_obj(&self, rank: u32, number: usize) -> Option<(&Obj, u64)> {
        let block = self.cluster.as_ref()?.block(rank)?;
        Some((block.obj(number), block.start(number)))
    }

    pub(super) fn foreign_info(&self, rank: u32, number: usize) -> Option<&Arc<ObjectInfo>> {
        Some(self.cluster.as_ref()?.block(rank)?.info(number))
    }

    /// Whether an address is in the block's own shared memory.
    #[inline]
    pub fn owns(&self, ptr: Ptr) -> bool {
        ptr.tag() == Tag::Shared && self.number(ptr).is_some()
    }

    /// The rank of the block of the cluster whose memory an address lies in.
    #[inline]
    pub fn rank_of(&self, ptr: Ptr) -> Option<u32> {
        match self.number(ptr) {
            _ if ptr.tag() != Tag::Shared => None,
            Some(_) => Some(self.place_in_cluster().0),
            None => self.foreign(ptr).map(|(rank, _)| rank),
        }
    }

    /// The same place in the memory of the block of another rank, which the cluster must have.
    #[inline]
    pub fn mapped(&self, ptr: Ptr, rank: u32) -> Option<Ptr> {
        if ptr.tag() != Tag::Shared {
            return None;
        }
        let number = self.number(ptr).or_else(|| self.foreign(ptr).map(|(_, n)| n))?;
        let start = if rank == self.place_in_cluster().0 {
            self.addr(number)
        } else {
            self.cluster.as_ref()?.block(rank)?.addr(number)
        };
        Some(start.add(ptr.offset()))
    }

    /// The address of a pointer in the window through which a block sees shared memory: its own first, then that
    /// of the blocks of the cluster by rank.
    #[inline]
    pub fn to_window(&self, ptr: Ptr) -> Option<u64> {
        if ptr.tag() != Tag::Shared {
            return None;
        }
        if self.number(ptr).is_some() {
            return self.window(ptr);
        }
        let (rank, _) = self.foreign(ptr)?;
        let at = self.cluster.as_ref()?.block(rank)?.window(ptr)?;
        Some((u64::from(rank) + 1) * BLOCK_WINDOW + at % BLOCK_WINDOW)
    }

    /// The pointer of an address in that window. What is none stays what it is.
    #[inline]
    pub fn from_window(&self, address: u64) -> Ptr {
        if address >> 32 != 0 {
            return Ptr(address);
        }
        let (block, at) = (address / BLOCK_WINDOW, address % BLOCK_WINDOW);
        let found = match block.checked_sub(1) {
            None => self.at_window(at),
            Some(rank) if rank == u64::from(self.place_in_cluster().0) => self.at_window(at),
            Some(rank) => {
                self.cluster.as_ref().and_then(|c| c.block(rank as u32)).and_then(|owner| owner.at_window(at))
            }
        };
        found.unwrap_or(Ptr(address))
    }

    fn watch(&self) -> Option<&ClusterWatch> {
        self.races().cluster()
    }

    fn watch_mut(&mut self) -> &mut ClusterWatch {
        self.parts().1.join_cluster(0, 1, false)
    }

    /// Which of a strip's lanes have arrived at the cluster's barrier and not yet waited.
    #[inline]
    pub fn arrived(&self, first: u32, mask: &Mask) -> Mask {
        self.watch().map_or(Mask::NONE, |w| w.standing.arrived(first, mask))
    }

    /// Which of them the barrier lets go on.
    #[inline]
    pub fn passed(&self, first: u32, mask: &Mask) -> Mask {
        self.watch().map_or(Mask::NONE, |w| w.standing.passed(first, mask))
    }

    /// Lanes of a strip arrive at the cluster's barrier.
    #[inline]
    pub fn arrive(&mut self, first: u32, mask: &Mask, release: bool) {
        self.watch_mut().standing.arrive(first, mask);
        match &mut self.cluster {
            Some(cluster) => cluster.relaxed |= !release,
            None => self.relaxed |= !release,
        }
    }

    /// Lanes have waited for the cluster's barrier.
    #[inline]
    pub fn waited(&mut self, first: u32, mask: &Mask) {
        self.watch_mut().standing.waited(first, mask);
    }

    /// After lanes have waited: whether this was to the block what a barrier of its own is.
    #[inline]
    pub fn beyond_cluster(&mut self, findings: &mut Findings) -> bool {
        self.parts().1.beyond_cluster(findings)
    }

    /// Whether threads of the block have used the cluster's barrier, or it has company.
    #[inline]
    pub fn is_clustered(&self) -> bool {
        self.watch().is_some()
    }

    /// Some threads of the block may have exited; these have not. If all threads of the cluster that have not have
    /// arrived, the barrier lets them go on, and this is true.
    pub fn complete_phase(&mut self, live: Threads) -> bool {
        let watch = self.watch_mut();
        watch.standing.set_live(live);
        let (mut some, mut all) = watch.standing.arrivals();
        for other in self.cluster.iter().flat_map(|c| &c.blocks).flatten() {
            if let Some(watch) = other.watch() {
                let (theirs, whole) = watch.standing.arrivals();
                (some, all) = (some || theirs, all && whole);
            }
        }
        if !some || !all {
            return false;
        }
        let relaxed = match &mut self.cluster {
            Some(cluster) => std::mem::take(&mut cluster.relaxed),
            None => std::mem::take(&mut self.relaxed),
        };
        self.watch_mut().standing.complete(!relaxed);
        for other in self.cluster.iter_mut().flat_map(|c| &mut c.blocks).flatten() {
            other.watch_mut().standing.complete(!relaxed);
        }
        true
    }
}

impl Memory {
    /// The shared memory of the blocks of a cluster, which start together.
    ///
    /// # Errors
    /// [`Stop::Limit`] where there is no memory for them.
    pub fn begin_cluster(
        &mut self,
        layout: &Arc<SharedLayout>,
        dynamic: u64,
        shapes: &[StripShape],
        findings: &mut Findings,
    ) -> Result<ClusterMem, Stop> {
        let watched = !self.unwatched && !self.grid.is_replay();
        let mut blocks = Vec::with_capacity(shapes.len());
        for (rank, shape) in shapes.iter().enumerate() {
            match self.begin_block(layout, dynamic, shape) {
                Ok(mut block) => {
                    block.parts().1.join_cluster(rank as u32, shapes.len() as u32, watched);
                    blocks.push(Some(block));
                }
                Err(stop) => {
                    blocks.into_iter().flatten().for_each(|b| self.end_block(b, findings));
                    return Err(stop);
                }
            }
        }
        Ok(ClusterMem { left: blocks.len(), blocks, relaxed: false })
    }

    /// All threads of a block of a cluster have exited; its memory stays until the others have, too.
    #[inline]
    pub fn exit_block(&mut self, block: &mut BlockMem, shape: &StripShape) {
        block.parts().1.exit();
        self.grid.exit_block(shape.block_index);
    }

    /// The end of a cluster, however it came.
    #[inline]
    pub fn end_cluster(&mut self, cluster: ClusterMem, findings: &mut Findings) {
        for block in cluster.blocks.into_iter().flatten() {
            self.end_block(block, findings);
        }
    }

    /// Tells the race detector of an access by one lane to the memory of another block of the cluster.
    pub(super) fn race_foreign(
        &self,
        cx: &mut LaneCx,
        lane: usize,
        (rank, number): (u32, usize),
        how: How,
        width: u32,
        off: u64,
        values: Option<Values>,
        failed: bool,
    ) {
        let (first_thread, index) = (cx.shape.first_thread, cx.shape.block_index);
        let Some(block) = cx.block.as_deref_mut() else { return };
        let (mask, spot, obj) = (&Mask::single(lane), AddressPattern::Uniform(off as u32), number as u32);
        let failed = failed.then_some(mask);
        let access = RaceAccess { how, obj, width, mask, first_thread, spot, values, failed };
        let Some(mut cluster) = block.cluster.take() else { return };
        if let (Some(watch), Some(Some(owner))) = (block.watch(), cluster.blocks.get_mut(rank as usize)) {
            let visit = Visit { rank: watch.rank, standing: &watch.standing, access: &access };
            let visitor = self.grid.number_of(index);
            owner.parts().1.visit(rank, visitor, &visit);
        }
        block.cluster = Some(cluster);
    }
}
