//! The shared memory of a block.
//!
//! Each `__shared__` variable is an object of its own, all in one store; their serials follow one another, so
//! that an address finds its object by subtraction and an address from another block finds none. A block's
//! memory is kept for the next block of the same layout: only the bits of initialisation are cleared.

use super::cluster::ClusterMem;
use super::raw::{Obj, Store};
use cudair_ir::{GlobalId, Space, shared};
use cudair_lane::StripShape;
use cudair_lane::fault::{AllocKind, LaunchRef, ObjectInfo, Place, Stop};
use cudair_lane::ptr::Ptr;
use cudair_race::BlockRaces;
use cudair_report::Findings;
use std::sync::Arc;

/// A `__shared__` variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SharedVar {
    /// The variable; of several `extern __shared__` arrays, the first.
    pub global: GlobalId,
    /// Its name.
    pub name: Arc<str>,
    /// Bytes; for the dynamic one, what the launch says counts.
    pub size: u64,
    /// Alignment as a power of two.
    pub align_log2: u8,
    /// The largest alignment that an access states which may reach it, as a power of two.
    pub stated_log2: u8,
    /// `extern __shared__`: there is at most one such variable in a layout.
    pub dynamic: bool,
    /// The block's numbered barriers: zero when a block starts, and nothing that a device has in this memory.
    pub barriers: bool,
    /// Where it is declared.
    pub place: Place,
}

/// The shared variables that a kernel and its callees use.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct SharedLayout {
    /// The variables.
    pub vars: Vec<SharedVar>,
}

impl SharedLayout {
    /// Where each variable starts, in bytes from the start of the block's shared memory: in the order of their declarations,
    /// as nvcc's assembler lays them out.
    pub fn starts(&self, dynamic: u64) -> impl Iterator<Item = (u64, &SharedVar)> {
        let sizes = self.vars.iter().map(move |v| (if v.dynamic { dynamic } else { v.size }, v.align_log2));
        shared::starts(sizes).zip(&self.vars)
    }

    /// Bytes of shared memory that a block takes, as the device counts them.
    #[inline]
    pub fn bytes(&self, dynamic: u64) -> u64 {
        let vars = self.starts(dynamic).filter(|(_, v)| !v.barriers && (dynamic > 0 || !v.dynamic));
        vars.last().map_or(0, |(at, v)| at.saturating_add(if v.dynamic { dynamic } else { v.size }))
    }
}

/// The shared memory of one block, with its race detector.
#[derive(Debug)]
pub struct BlockMem {
    layout: Arc<SharedLayout>,
    dynamic: u64,
    store: Store,
    objs: Vec<Obj>,
    /// See [`BlockMem::start`].
    starts: Vec<u64>,
    infos: Vec<Arc<ObjectInfo>>,
    /// The serial of the first object.
    first: u32,
    races: BlockRaces,
    /// The others of the cluster, while the block runs.
    pub cluster: Option<Box<ClusterMem>>,
    /// A thread of a block without company has arrived at the cluster's barrier without a release.
    pub(super) relaxed: bool,
}

impl BlockMem {
    pub(super) fn new(layout: &Arc<SharedLayout>, dynamic: u64) -> Result<BlockMem, Stop> {
        let no_memory = || Stop::limit("no memory for the shared variables of a block");
        let mut at = 0u64;
        let mut places = Vec::new();
        for var in &layout.vars {
            let size = if var.dynamic { dynamic } else { var.size };
            at = at.next_multiple_of(64);
            places.push((at, size));
            at = at.checked_add(size).filter(|&end| end < Ptr::HUGE_SIZE).ok_or_else(no_memory)?;
        }
        let store = Store::new(at, true).ok_or_else(no_memory)?;
        // Where a start matters to an access, the slow path looks at it.
        let matters =
            |(at, var): (u64, &SharedVar)| if at & ((1 << var.stated_log2) - 1) == 0 { 0 } else { at };
        let starts: Vec<u64> = layout.starts(dynamic).map(matters).collect();
        let objs = places.iter().zip(&starts).map(|(&(at, size), &start)| {
            let mut obj = store.part(at, size);
            obj.allow([false, false, start == 0, start == 0]);
            obj
        });
        let objs = objs.collect();
        let infos = layout.vars.iter().zip(&places).map(|(var, &(_, size))| {
            Arc::new(ObjectInfo {
                kind: AllocKind::Shared,
                space: Space::Shared,
                name: Some(Arc::clone(&var.name)),
                size,
                part: 0,
                number: 0,
                made: var.place,
                ended: Place::Unknown,
            })
        });
        let infos = infos.collect();
        let races = BlockRaces::default();
        let layout = Arc::clone(layout);
        Ok(BlockMem {
            layout,
            dynamic,
            store,
            objs,
            starts,
            infos,
            first: 0,
            races,
            cluster: None,
            relaxed: false,
        })
    }

    /// Whether it can serve a block with this layout.
    pub(super) fn suits(&self, layout: &Arc<SharedLayout>, dynamic: u64) -> bool {
        Arc::ptr_eq(&self.layout, layout) && self.dynamic == dynamic
    }

    /// How many objects.
    pub(super) fn len(&self) -> u32 {
        self.objs.len() as u32
    }

    /// A block starts.
    pub(super) fn begin(&mut self, first: u32, shape: &StripShape, lockstep: bool, unwatched: bool) {
        self.first = first;
        (self.cluster, self.relaxed) = (None, false);
        // What an earlier block has left would come out of reads of what this one never wrote: a launch that runs again
        // must see the same.
        self.objs.iter().for_each(|obj| obj.fill(0, 0, obj.size()));
        self.store.forget(0, self.store.size());
        for (_, obj) in self.layout.vars.iter().zip(&self.objs).filter(|(var, _)| var.barriers) {
            obj.fill(0, 0, obj.size());
        }
        let (index, dim, launch) = (shape.block_index, shape.block_dim, shape.launch);
        self.races.begin(self.infos.clone(), index, dim, launch, lockstep);
        if unwatched {
            self.races.ignore();
        }
    }

    /// The block ends.
    pub(super) fn end(&mut self, findings: &mut Findings) {
        self.races.end(findings);
    }

    /// The address of the `n`-th variable of the layout.
    #[inline]
    pub fn addr(&self, n: usize) -> Ptr {
        Ptr::shared(self.first.wrapping_add(n as u32))
    }

    /// How far an address lies from the start of the block's shared memory, as the device lays it out.
    #[inline]
    pub fn window(&self, ptr: Ptr) -> Option<u64> {
        let (at, _) = self.layout.starts(self.dynamic).nth(self.number(ptr)?)?;
        u64::try_from(at as i64 + ptr.offset()).ok()
    }

    /// The pointer at a distance from the start of the block's shared memory: into the variable there, or behind the
    /// one before.
    pub(crate) fn at_window(&self, address: u64) -> Option<Ptr> {
        let starts = self.layout.starts(self.dynamic).take_while(|&(at, _)| at <= address);
        let (n, (at, _)) = starts.enumerate().last()?;
        Some(self.addr(n).add((address - at) as i64))
    }

    /// The variables.
    #[inline]
    pub fn layout(&self) -> &SharedLayout {
        &self.layout
    }

    /// The bytes of the `n`-th variable, nothing for those never written.
    #[inline]
    pub fn peek(&self, n: usize) -> Vec<Option<u8>> {
        self.objs.get(n).map_or(Vec::new(), Obj::peek)
    }

    /// The number in the layout of the variable that an address names.
    pub fn variable_at(&self, ptr: Ptr) -> Option<usize> {
        self.number(ptr)
    }

    /// The launch that the block is of.
    #[inline]
    pub fn launch(&self) -> Option<LaunchRef> {
        self.races.launch()
    }

    /// All live threads of the block have met at a barrier: what came before is ordered before what
    /// follows. Races of the interval that ends go to `findings`.
    #[inline]
    pub fn barrier(&mut self, findings: &mut Findings) {
        self.races.barrier(findings);
    }

    /// The lanes `mask` of warp `warp` (counted in the block) have met at a `__syncwarp` or another warp
    /// operation that orders memory.
    #[inline]
    pub fn warp_sync(&mut self, warp: u32, mask: u32) {
        self.races.warp_sync(warp, mask);
    }

    /// A thread of the block executes a fence, or an atomic operation that has an order of its own.
    #[inline]
    pub fn fence(&mut self) {
        self.races.fence();
    }

    /// The number of the object that an address names.
    #[inline(always)]
    pub(super) fn number(&self, ptr: Ptr) -> Option<usize> {
        let n = ptr.serial().wrapping_sub(self.first) & (Ptr::SERIALS - 1);
        ((n as usize) < self.objs.len()).then_some(n as usize)
    }

    #[inline(always)]
    pub(super) fn obj(&self, number: usize) -> &Obj {
        &self.objs[number]
    }

    /// Where a variable starts in the block's shared memory, in bytes, if an access that states more than the start's alignment
    /// may reach it; else 0. No fast path is open to accesses of such a variable.
    pub(super) fn start(&self, number: usize) -> u64 {
        self.starts[number]
    }

    pub(super) fn info(&self, number: usize) -> &Arc<ObjectInfo> {
        &self.infos[number]
    }

    pub(super) fn races(&self) -> &BlockRaces {
        &self.races
    }

    /// The objects and the detector.
    #[inline(always)]
    pub(super) fn parts(&mut self) -> (&[Obj], &mut BlockRaces) {
        (&self.objs, &mut self.races)
    }
}
