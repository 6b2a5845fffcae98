//! Memory: allocation, copies, fills, attributes.

use super::errors::Refused;
use super::managed::Page;
use super::queue::{self, Extent, OpId, Pitched, Work};
use super::{Api, CudaError, Fail, graph, stream};
use crate::call::Call;
use crate::constants::*;
use crate::layout::{Fields, Structure, cudaExtent, cudaPitchedPtr, cudaPointerAttributes};
use crate::{Kept, RuntimeCall};
use cudair_engine::Args;
use cudair_engine::guest::{Guest, Host};
use cudair_engine::parts::{HasFuel, HasRuntime, HostRuntime};
use cudair_ir::{Kind, Loc, Space};
use cudair_lane::fault::{AllocKind, Stop};
use cudair_lane::ptr::{Ptr, Tag};
use cudair_memory::{AllocInfo, InitState, LaneCx, Memory, Reach};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

/// What device allocations are aligned to.
const DEVICE_ALIGN: u64 = 256;
/// What the runtime itself takes of the device's memory.
const CONTEXT_BYTES: u64 = 512 << 20;
/// Flags of `cudaHostAlloc`.
const HOST_FLAGS: u32 = cudaHostAllocPortable | cudaHostAllocMapped | cudaHostAllocWriteCombined;
/// Flags of `cudaHostRegister`.
const REGISTER_FLAGS: u32 =
    cudaHostRegisterPortable | cudaHostRegisterMapped | cudaHostRegisterIoMemory | cudaHostRegisterReadOnly;

/// Memory that the host has asked for: what the device holds, and what of the host's the device knows.
#[derive(Debug, Default)]
pub(crate) struct Allocations {
    /// Live allocations of device memory, and their bytes.
    live: FxHashMap<Ptr, u64>,
    /// Bytes of the device's memory that are taken.
    used: u64,
    /// Host memory made known to the device, by its start.
    registered: FxHashMap<Ptr, u64>,
    /// Flags of `cudaHostAlloc`, by the allocation's start.
    host_flags: FxHashMap<Ptr, u32>,
    /// What was asked for the pages of managed allocations, by their start.
    pub(crate) managed: FxHashMap<Ptr, Vec<Page>>,
    /// Allocations whose copies are to wait (`CU_POINTER_ATTRIBUTE_SYNC_MEMOPS`, which all copies here do).
    pub(crate) synchronous: FxHashSet<Ptr>,
}

impl Allocations {
    /// Bytes of the device's memory are taken.
    pub(crate) fn take(&mut self, bytes: u64) {
        self.used += bytes;
    }

    /// Bytes of the device's memory are free again.
    pub(crate) fn give_back(&mut self, bytes: u64) {
        self.used = self.used.saturating_sub(bytes);
    }

    /// There is an allocation.
    fn add(&mut self, ptr: Ptr, bytes: u64) {
        self.take(bytes);
        self.live.insert(ptr, bytes);
    }

    /// An allocation is gone; whether there was one.
    pub(crate) fn remove(&mut self, ptr: Ptr) -> bool {
        let known = self.live.remove(&ptr);
        self.give_back(known.unwrap_or(0));
        known.is_some()
    }

    /// All allocations are gone.
    pub(crate) fn remove_all(&mut self) -> Vec<Ptr> {
        self.used = 0;
        std::mem::take(&mut self.live).into_keys().collect()
    }

    /// Whether a pointer names host memory that was made known to the device.
    fn is_registered(&self, ptr: Ptr) -> bool {
        self.registered.iter().any(|(start, &size)| {
            start.object_start() == ptr.object_start()
                && ptr.offset() >= start.offset()
                && ptr.offset().abs_diff(start.offset()) < size
        })
    }
}

// Allocation.

/// The bytes of the device's memory: the profile's, or `--memory-limit` where that is less.
pub(crate) fn total_bytes(m: &HostRuntime<'_>) -> u64 {
    m.config.device.memory.total_global_mem.min(m.config.memory_limit)
}

/// How many of them are free: also those count as taken that the program holds elsewhere, where they leave less of
/// `--memory-limit`.
pub(crate) fn free_bytes(m: &HostRuntime<'_>) -> u64 {
    let of_profile = m.config.device.memory.total_global_mem.saturating_sub(CONTEXT_BYTES);
    of_profile.saturating_sub(m.cuda.get().memory.used).min(m.mem.room())
}

/// What an allocation is called whose pointer is stored in `out`: as the variable there, if that is the program's and
/// holds nothing else.
pub(crate) fn variable(h: &mut RuntimeCall<'_, '_>, out: Ptr) -> Option<Arc<str>> {
    let object = h.m.mem.object_info(&LaneCx::host(h.m.findings), out)?;
    let source = &h.m.module.source;
    let of_library = |loc: Loc| source.files[source.locs[loc].file].library;
    let made = cudair_report::loc_of(h.m.module, object.made);
    let whole = object.size == 8 && object.part == 0 && out.offset() == 0;
    object.name.filter(|_| whole && made.is_some_and(|loc| !of_library(loc)))
}

/// An allocation of the device, null where there is no room. Its pointer is stored in `out`.
pub(crate) fn device_alloc(
    h: &mut RuntimeCall<'_, '_>,
    size: u64,
    space: Space,
    kind: AllocKind,
    out: Ptr,
) -> Result<Ptr, Fail> {
    if size == 0 {
        return Ok(Ptr::NULL);
    }
    let free = free_bytes(h.m);
    if size > free || !Memory::is_plausible(size) {
        h.m.cuda.get_mut().errors.refused = Some(Refused { wanted: size, free });
        return Err(CudaError::MEMORY_ALLOCATION.into());
    }
    let info = AllocInfo { kind, name: variable(h, out), place: h.who.place };
    h.m.spend(size / 64)?;
    let ptr = h.m.mem.alloc(space, size, DEVICE_ALIGN, InitState::Uninit, info)?;
    h.m.cuda.get_mut().memory.add(ptr, size);
    h.m.cuda.get_mut().contexts.own(ptr);
    Ok(ptr)
}

pub(crate) fn malloc(h: &mut RuntimeCall<'_, '_>, a: &Args<'_>) -> Api {
    if a.ptr(0).is_null() {
        return Err(CudaError::INVALID_VALUE.into());
    }
    let ptr = device_alloc(h, a.u64(1), Space::Global, AllocKind::CudaMalloc, a.ptr(0))?;
    h.give(a.ptr(0), ptr.0, 8)
}

pub(crate) fn malloc_managed(h: &mut RuntimeCall<'_, '_>, a: &Args<'_>) -> Api {
    let sides = matches!(a.u32(2), cudaMemAttachGlobal | cudaMemAttachHost);
    if a.ptr(0).is_null() || !sides {
        return Err(CudaError::INVALID_VALUE.into());
    }
    let ptr = device_alloc(h, a.u64(1), Space::Managed, AllocKind::CudaManaged, a.ptr(0))?;
    h.give(a.ptr(0), ptr.0, 8)
}

/// The pitch of rows of a width: where it is more than copies take, there is mostly no room for it.
fn pitch_of(h: &RuntimeCall<'_, '_>, width: u64) -> Result<u64, Fail> {
    let pitch = width.checked_next_multiple_of(h.m.config.device.texture.texture_alignment.max(1));
    pitch.ok_or_else(|| CudaError::INVALID_VALUE.into())
}

pub(crate) fn malloc_pitch(h: &mut RuntimeCall<'_, '_>, a: &Args<'_>) -> Api {
    if a.ptr(0).is_null() || a.ptr(1).is_null() {
        return Err(CudaError::INVALID_VALUE.into());
    }
    let (width, height) = (a.u64(2), a.u64(3));
    let pitch = pitch_of(h, width)?;
    let ptr = device_alloc(h, pitch.saturating_mul(height), Space::Global, AllocKind::CudaPitch, a.ptr(0))?;
    h.give(a.ptr(0), ptr.0, 8)?;
    h.give(a.ptr(1), pitch, 8)
}

/// `cudaMalloc3D(pitchedPtr, extent)`; the extent is a structure of three sizes.
pub(crate) fn malloc_3d(h: &mut RuntimeCall<'_, '_>, a: &Args<'_>) -> Api {
    let [width, height, depth] = h.field(a.ptr(1), cudaExtent::all)?;
    if a.ptr(0).is_null() {
        return Err(CudaError::INVALID_VALUE.into());
    }
    let pitch = pitch_of(h, width)?;
    let size = pitch.saturating_mul(height).saturating_mul(depth);
    let ptr = device_alloc(h, size, Space::Global, AllocKind::Cuda3D, Ptr::NULL)?;
    h.put_field(a.ptr(0), cudaPitchedPtr::ptr, ptr)?;
    h.put_field(a.ptr(0), cudaPitchedPtr::pitch, pitch)?;
    h.put_field(a.ptr(0), cudaPitchedPtr::xsize, width)?;
    h.put_field(a.ptr(0), cudaPitchedPtr::ysize, height)
}

/// `cudaFree` waits for everything before it frees, but for what a pool has.
pub(crate) fn free(h: &mut Host<'_>, a: &Args<'_>) -> Api {
    let ptr = a.ptr(0);
    if h.m.cuda.get().pools.owns(ptr) {
        return free_at_once(h, ptr);
    }
    queue::synchronize(h.m)?;
    if ptr.is_null() {
        return Ok(());
    }
    let who = h.who;
    h.with_runtime(|h| reported(h, |m| queue::release(m, who, ptr)))
}

/// Frees without waiting: whatever the host has not waited for may still use the memory.
fn free_at_once(h: &mut Host<'_>, ptr: Ptr) -> Api {
    let who = h.access();
    let stream = stream::freeing(h.m);
    queue::push(h.m, stream, Work::Free(ptr), None, who)?;
    queue::advance_all(h.m)?;
    queue::waited_for(&mut h.m.runtime(), stream);
    match h.m.cuda.get().errors.sticky {
        Some(error) => Err(Fail::Reported(error)),
        None => Ok(()),
    }
}

pub(crate) fn free_async(h: &mut Host<'_>, a: &Args<'_>) -> Api {
    let stream = stream::find(h, a.ptr(1))?;
    let who = h.access();
    if !h.m.config.device.memory_pools() {
        return Err(CudaError::NOT_SUPPORTED.into());
    }
    if !a.ptr(0).is_null() {
        if let Side::Pageable | Side::Pinned = h.with_runtime(|h| side(h, a.ptr(0))) {
            let message = "`cudaFreeAsync` of host memory".to_owned();
            return Err(h.bad_argument(CudaError::INVALID_VALUE, message));
        }
        if h.m.cuda.get_mut().pools.let_go(a.ptr(0)) {
            return Ok(());
        }
        // What a graph has, or takes into a node, is not freed for good.
        let cuda = h.m.cuda.get();
        if !graph::records(cuda, stream) && !cuda.graph_memory.has(a.ptr(0)) {
            if cuda.queue.will_free(a.ptr(0)) {
                let message = "`cudaFreeAsync` of memory that an earlier one frees".to_owned();
                return Err(h.bad_argument(CudaError::INVALID_VALUE, message));
            }
            let ptr = a.ptr(0);
            h.with_runtime(|h| {
                reported(h, |m| {
                    Ok(m.mem.check_free(&LaneCx::host(m.findings), who, ptr, AllocKind::CudaMalloc)?)
                })
            })?;
        }
        // The pool may hand the bytes out again at once, to what comes behind the free.
        h.m.cuda.get_mut().pools.give(a.ptr(0));
        h.m.cuda.get_mut().graph_memory.take_back(a.ptr(0));
        queue::push(h.m, stream, Work::Free(a.ptr(0)), None, who)?;
    }
    Ok(())
}

/// A fault becomes a finding and the runtime's error.
fn reported(h: &mut RuntimeCall<'_, '_>, f: impl FnOnce(&mut HostRuntime<'_>) -> Result<(), Stop>) -> Api {
    match f(h.m) {
        Ok(()) => Ok(()),
        Err(Stop::Fault(fault)) => Err(h.memory_fault(CudaError::INVALID_VALUE, *fault)),
        Err(stop) => Err(stop.into()),
    }
}

fn pinned(h: &mut RuntimeCall<'_, '_>, kind: AllocKind, out: Ptr, size: u64, flags: u32) -> Api {
    if out.is_null() || flags & !HOST_FLAGS != 0 {
        return Err(CudaError::INVALID_VALUE.into());
    }
    if size == 0 {
        return h.give(out, 0, 8);
    }
    if !Memory::is_plausible(size) {
        return Err(CudaError::MEMORY_ALLOCATION.into());
    }
    let info = AllocInfo { kind, name: variable(h, out), place: h.who.place };
    let ptr = h.m.mem.alloc(Space::Host, size, 4096, InitState::Uninit, info)?;
    // With one address space for both sides, all pinned memory is mapped.
    h.m.mem.set_mapped(ptr, true);
    h.m.cuda.get_mut().memory.host_flags.insert(ptr, flags);
    h.give(out, ptr.0, 8)
}

pub(crate) fn malloc_host(h: &mut RuntimeCall<'_, '_>, a: &Args<'_>) -> Api {
    pinned(h, AllocKind::CudaHost, a.ptr(0), a.u64(1), 0)
}

pub(crate) fn host_alloc(h: &mut RuntimeCall<'_, '_>, a: &Args<'_>) -> Api {
    pinned(h, AllocKind::CudaHostAlloc, a.ptr(0), a.u64(1), a.u32(2))
}

pub(crate) fn free_host(h: &mut Host<'_>, a: &Args<'_>) -> Api {
    let ptr = a.ptr(0);
    queue::synchronize(h.m)?;
    if ptr.is_null() {
        return Ok(());
    }
    let who = h.who;
    h.m.cuda.get_mut().memory.host_flags.remove(&ptr);
    h.with_runtime(|h| {
        reported(h, |m| Ok(m.mem.free(&LaneCx::host(m.findings), who, ptr, AllocKind::CudaHost)?))
    })
}

/// The device is reset: its page-locked memory is freed, and the program's own is page-locked no more.
pub(crate) fn release_host(h: &mut Host<'_>) {
    let memory = &mut h.m.cuda.get_mut().memory;
    let (registered, pinned) =
        (std::mem::take(&mut memory.registered), std::mem::take(&mut memory.host_flags));
    for ptr in registered.into_keys() {
        h.m.mem.set_mapped(ptr, false);
    }
    let who = h.who;
    for ptr in pinned.into_keys() {
        // What was registered alone is not CUDA's to free.
        if h.with_runtime(|h| side(h, ptr)) == Side::Pinned {
            let cx = LaneCx::host(&mut h.m.findings);
            let _ = h.m.mem.free(&cx, who, ptr, AllocKind::CudaHost);
        }
    }
}

pub(crate) fn host_register(h: &mut RuntimeCall<'_, '_>, a: &Args<'_>) -> Api {
    let (ptr, size) = (a.ptr(0), a.u64(1));
    if ptr.is_null() || size == 0 || a.u32(2) & !REGISTER_FLAGS != 0 {
        return Err(CudaError::INVALID_VALUE.into());
    }
    h.check_range(ptr, size, false)?;
    match side(h, ptr) {
        Side::Pageable => {}
        Side::Pinned => return Err(CudaError::HOST_MEMORY_ALREADY_REGISTERED.into()),
        _ => return Err(CudaError::INVALID_VALUE.into()),
    }
    h.m.mem.set_mapped(ptr, true);
    h.m.cuda.get_mut().memory.registered.insert(ptr, size);
    h.m.cuda.get_mut().memory.host_flags.insert(ptr, a.u32(2));
    Ok(())
}

pub(crate) fn host_unregister(h: &mut Host<'_>, a: &Args<'_>) -> Api {
    if a.ptr(0).is_null() {
        return Err(CudaError::INVALID_VALUE.into());
    }
    if h.m.cuda.get_mut().memory.registered.remove(&a.ptr(0)).is_none() {
        return Err(CudaError::HOST_MEMORY_NOT_REGISTERED.into());
    }
    queue::synchronize(h.m)?;
    h.m.cuda.get_mut().memory.host_flags.remove(&a.ptr(0));
    h.m.mem.set_mapped(a.ptr(0), false);
    Ok(())
}

pub(crate) fn host_device_pointer(h: &mut RuntimeCall<'_, '_>, a: &Args<'_>) -> Api {
    if a.u32(2) != 0 || side(h, a.ptr(1)) != Side::Pinned {
        return Err(CudaError::INVALID_VALUE.into());
    }
    h.give(a.ptr(0), a.u64(1), 8)
}

pub(crate) fn host_flags(h: &mut RuntimeCall<'_, '_>, a: &Args<'_>) -> Api {
    if side(h, a.ptr(1)) != Side::Pinned {
        return Err(CudaError::INVALID_VALUE.into());
    }
    let start = h.m.mem.lookup(a.ptr(1)).map_or(a.ptr(1), |(start, ..)| start);
    // Pinned memory is mapped whether or not that was asked for.
    let flags = h.m.cuda.get().memory.host_flags.get(&start).copied().unwrap_or(0) | cudaHostAllocMapped;
    h.give(a.ptr(0), flags.into(), 4)
}

// Sides.

/// Whose memory a pointer names, for copies.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Side {
    /// The host's own.
    Pageable,
    /// The host's, page-locked: the device reaches it.
    Pinned,
    /// The device's.
    Device,
    /// Both sides'.
    Managed,
    /// Nobody's.
    None,
}

impl Side {
    fn serves_host(self) -> bool {
        matches!(self, Side::Pageable | Side::Pinned | Side::Managed)
    }

    fn serves_device(self) -> bool {
        matches!(self, Side::Pinned | Side::Device | Side::Managed)
    }

    fn reach(self) -> Reach {
        match self {
            Side::Pageable | Side::Pinned => Reach::Host,
            Side::Device => Reach::Device,
            Side::Managed | Side::None => Reach::Any,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Side::Pageable | Side::Pinned => "host memory",
            Side::Device => "device memory",
            Side::Managed => "managed memory",
            Side::None => "no memory",
        }
    }
}

/// The side of the memory that a pointer names.
pub(crate) fn side(h: &RuntimeCall<'_, '_>, ptr: Ptr) -> Side {
    match ptr.tag() {
        Tag::HostLocal => {
            return if h.m.cuda.get().memory.is_registered(ptr) { Side::Pinned } else { Side::Pageable };
        }
        Tag::Table | Tag::Huge => {}
        _ => return Side::None,
    }
    match h.m.mem.lookup(ptr) {
        None => Side::None,
        Some((_, _, Space::Host, kind)) => {
            if kind.family() == AllocKind::CudaHost || h.m.cuda.get().memory.is_registered(ptr) {
                Side::Pinned
            } else {
                Side::Pageable
            }
        }
        Some((_, _, Space::Managed, _)) => Side::Managed,
        Some(_) => Side::Device,
    }
}

// Copies.

/// Whether a copy's call returns before the copy is done.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Timing {
    /// `cudaMemcpy`
    Blocking,
    /// `cudaMemcpyAsync` on this stream.
    Async(usize),
}

/// `cudaMemcpyKind`, with the sides that it says of source and destination being the host.
fn directions(kind: i32) -> Option<(bool, bool)> {
    Some(match kind {
        cudaMemcpyHostToHost => (true, true),
        cudaMemcpyHostToDevice => (true, false),
        cudaMemcpyDeviceToHost => (false, true),
        cudaMemcpyDeviceToDevice => (false, false),
        _ => return None,
    })
}

/// A copy between memory with pitches: checks the arguments, queues it, and waits where the call does.
pub(crate) fn transfer(
    h: &mut Host<'_>,
    dst: (Ptr, u64, u64),
    src: (Ptr, u64, u64),
    extent: Extent,
    kind: i32,
    timing: Timing,
) -> Api {
    if !(cudaMemcpyHostToHost..=cudaMemcpyDefault).contains(&kind) {
        return Err(CudaError::INVALID_MEMCPY_DIRECTION.into());
    }
    if extent.is_empty() {
        return Ok(());
    }
    let pitched = |(ptr, pitch, slice): (Ptr, u64, u64), reach| Pitched { ptr, pitch, slice, reach };
    let (to, from) = (pitched(dst, Reach::Any), pitched(src, Reach::Any));
    h.check_range(to.ptr, to.span(extent), true)?;
    h.check_range(from.ptr, from.span(extent), false)?;
    let (to_side, from_side) = (h.with_runtime(|h| side(h, to.ptr)), h.with_runtime(|h| side(h, from.ptr)));
    if let Some((from_host, to_host)) = directions(kind) {
        let fits = |side: Side, host: bool| if host { side.serves_host() } else { side.serves_device() };
        let names = |host: bool| if host { "host" } else { "device" };
        for (side, host, end) in [(from_side, from_host, "source"), (to_side, to_host, "destination")] {
            if !fits(side, host) {
                let message = format!(
                    "a copy from {} to {} whose {end} is {}",
                    names(from_host),
                    names(to_host),
                    side.name()
                );
                let name = |side: Side| if side.serves_host() { "Host" } else { "Device" };
                let help = if from_side == Side::None || to_side == Side::None {
                    "give a pointer to memory".to_owned()
                } else {
                    format!(
                        "the direction is `cudaMemcpy{}To{}`; `cudaMemcpyDefault` takes it from the pointers",
                        name(from_side),
                        name(to_side)
                    )
                };
                let fault = h.fault(Kind::ApiError, message).with_help(help);
                return Err(h.memory_fault(CudaError::INVALID_VALUE, fault));
            }
        }
    }
    let who = h.access();
    let dst = Pitched { reach: to_side.reach(), ..to };
    let mut src = Pitched { reach: from_side.reach(), ..from };
    let host_involved = to_side != Side::Device || from_side != Side::Device;
    let (stream, blocking) = match timing {
        // Within the device even the blocking form returns at once.
        Timing::Blocking => (0, host_involved),
        // Pageable memory is not the device's to write to, and what does not concern the device the host does:
        // the call waits.
        Timing::Async(n) => {
            let hosts = |side| matches!(side, Side::Pageable | Side::Pinned);
            (n, to_side == Side::Pageable || hosts(to_side) && hosts(from_side))
        }
    };
    // A node of a graph reads its source when it runs.
    let recorded = graph::records(h.m.cuda.get(), stream);
    let blocking = blocking && !recorded;
    let staged = !blocking && !recorded && from_side == Side::Pageable;
    if staged {
        src = h.with_runtime(|h| stage(h, src, extent))?;
    }
    let op = queue::push(h.m, stream, Work::Copy { dst, src, extent, staged }, None, who)?;
    if blocking { wait(h, stream, op) } else { Ok(()) }
}

fn wait(h: &mut Host<'_>, stream: usize, op: OpId) -> Api {
    let result = queue::synchronize_op(h.m, Some(op));
    queue::waited_for(&mut h.m.runtime(), stream);
    result
}

/// A copy of pageable memory as it is now, for an operation that runs later.
fn stage(h: &mut RuntimeCall<'_, '_>, src: Pitched, extent: Extent) -> Result<Pitched, Fail> {
    let info = AllocInfo { kind: AllocKind::Runtime, name: None, place: h.who.place };
    if !Memory::is_plausible(extent.bytes()) {
        return Err(CudaError::MEMORY_ALLOCATION.into());
    }
    let ptr = h.m.mem.alloc(Space::Host, extent.bytes(), 16, InitState::Uninit, info)?;
    let to = Pitched {
        ptr,
        pitch: extent.width,
        slice: extent.width.saturating_mul(extent.height),
        reach: Reach::Host,
    };
    let who = h.access();
    queue::copy(h.m, who, to, src, extent)?;
    Ok(to)
}

pub(crate) fn copy(h: &mut Host<'_>, a: &Args<'_>) -> Api {
    let extent = Extent::linear(a.u64(2));
    transfer(h, (a.ptr(0), 0, 0), (a.ptr(1), 0, 0), extent, a.i32(3), Timing::Blocking)
}

pub(crate) fn copy_async(h: &mut Host<'_>, a: &Args<'_>) -> Api {
    let stream = stream::find(h, a.ptr(4))?;
    let extent = Extent::linear(a.u64(2));
    transfer(h, (a.ptr(0), 0, 0), (a.ptr(1), 0, 0), extent, a.i32(3), Timing::Async(stream))
}

/// `cudaMemcpyPeer(dst, dstDevice, src, srcDevice, count)`
pub(crate) fn copy_peer(h: &mut Host<'_>, a: &Args<'_>) -> Api {
    peer(h, a, Timing::Blocking)
}

pub(crate) fn copy_peer_async(h: &mut Host<'_>, a: &Args<'_>) -> Api {
    let stream = stream::find(h, a.ptr(5))?;
    peer(h, a, Timing::Async(stream))
}

fn peer(h: &mut Host<'_>, a: &Args<'_>, timing: Timing) -> Api {
    if a.i32(1) != 0 || a.i32(3) != 0 {
        return Err(CudaError::INVALID_DEVICE.into());
    }
    transfer(
        h,
        (a.ptr(0), 0, 0),
        (a.ptr(2), 0, 0),
        Extent::linear(a.u64(4)),
        cudaMemcpyDeviceToDevice,
        timing,
    )
}

pub(crate) fn copy_2d(h: &mut Host<'_>, a: &Args<'_>) -> Api {
    plane(h, a, Timing::Blocking)
}

pub(crate) fn copy_2d_async(h: &mut Host<'_>, a: &Args<'_>) -> Api {
    let stream = stream::find(h, a.ptr(7))?;
    plane(h, a, Timing::Async(stream))
}

/// `cudaMemcpy2D(dst, dpitch, src, spitch, width, height, kind)`
fn plane(h: &mut Host<'_>, a: &Args<'_>, timing: Timing) -> Api {
    let (dpitch, spitch, width, height) = (a.u64(1), a.u64(3), a.u64(4), a.u64(5));
    if width > dpitch || width > spitch {
        return Err(CudaError::INVALID_PITCH_VALUE.into());
    }
    let extent = Extent { width, height, depth: 1 };
    transfer(h, (a.ptr(0), dpitch, 0), (a.ptr(2), spitch, 0), extent, a.i32(6), timing)
}

// Fills.

pub(crate) fn fill(h: &mut Host<'_>, dst: (Ptr, u64, u64), byte: i32, extent: Extent, timing: Timing) -> Api {
    fill_with(h, dst, &[byte as u8], extent, timing)
}

/// Fills by an element of several bytes.
pub(crate) fn fill_with(
    h: &mut Host<'_>,
    dst: (Ptr, u64, u64),
    element: &[u8],
    extent: Extent,
    timing: Timing,
) -> Api {
    if extent.is_empty() {
        return Ok(());
    }
    let (ptr, pitch, slice) = dst;
    let mut dst = Pitched { ptr, pitch, slice, reach: Reach::Any };
    h.check_range(ptr, dst.span(extent), true)?;
    let side = h.with_runtime(|h| side(h, ptr));
    if !side.serves_device() {
        let message = format!("the device is asked to fill {}", side.name());
        return Err(h.bad_argument(CudaError::INVALID_VALUE, message));
    }
    dst.reach = side.reach();
    let who = h.access();
    let stream = match timing {
        Timing::Blocking => 0,
        Timing::Async(n) => n,
    };
    let op = queue::push(h.m, stream, Work::Fill { dst, element: element.into(), extent }, None, who)?;
    // A fill of device memory returns at once even where it is called blocking.
    if timing == Timing::Blocking && side != Side::Device { wait(h, stream, op) } else { Ok(()) }
}

pub(crate) fn set(h: &mut Host<'_>, a: &Args<'_>) -> Api {
    fill(h, (a.ptr(0), 0, 0), a.i32(1), Extent::linear(a.u64(2)), Timing::Blocking)
}

pub(crate) fn set_async(h: &mut Host<'_>, a: &Args<'_>) -> Api {
    let stream = stream::find(h, a.ptr(3))?;
    fill(h, (a.ptr(0), 0, 0), a.i32(1), Extent::linear(a.u64(2)), Timing::Async(stream))
}

pub(crate) fn set_2d(h: &mut Host<'_>, a: &Args<'_>) -> Api {
    fill_plane(h, a, Timing::Blocking)
}

pub(crate) fn set_2d_async(h: &mut Host<'_>, a: &Args<'_>) -> Api {
    let stream = stream::find(h, a.ptr(5))?;
    fill_plane(h, a, Timing::Async(stream))
}

/// `cudaMemset2D(ptr, pitch, value, width, height)`
fn fill_plane(h: &mut Host<'_>, a: &Args<'_>, timing: Timing) -> Api {
    let (pitch, width, height) = (a.u64(1), a.u64(3), a.u64(4));
    if width > pitch {
        return Err(CudaError::INVALID_VALUE.into());
    }
    fill(h, (a.ptr(0), pitch, 0), a.i32(2), Extent { width, height, depth: 1 }, timing)
}

pub(crate) fn set_3d(h: &mut Host<'_>, a: &Args<'_>) -> Api {
    fill_volume(h, a, Timing::Blocking)
}

pub(crate) fn set_3d_async(h: &mut Host<'_>, a: &Args<'_>) -> Api {
    let stream = stream::find(h, a.ptr(3))?;
    fill_volume(h, a, Timing::Async(stream))
}

/// `cudaMemset3D(pitchedPtr, value, extent)`; both structures by value.
fn fill_volume(h: &mut Host<'_>, a: &Args<'_>, timing: Timing) -> Api {
    let place = Structure::read(h, a.ptr(0))?;
    let [width, height, depth] = h.field(a.ptr(2), cudaExtent::all)?;
    let (ptr, pitch) = (place.get(cudaPitchedPtr::ptr), place.get(cudaPitchedPtr::pitch));
    let rows = place.get(cudaPitchedPtr::ysize);
    let extent = Extent { width, height, depth };
    if extent.width > pitch {
        return Err(CudaError::INVALID_PITCH_VALUE.into());
    }
    fill(h, (ptr, pitch, pitch.saturating_mul(rows)), a.i32(1), extent, timing)
}

// Attributes.

/// `cudaPointerGetAttributes(attributes, ptr)`: type, device, device pointer, host pointer.
pub(crate) fn attributes(h: &mut RuntimeCall<'_, '_>, a: &Args<'_>) -> Api {
    let ptr = a.ptr(1);
    let (kind, device, on_device, on_host) = match side(h, ptr) {
        Side::Pageable | Side::None => (cudaMemoryTypeUnregistered, cudaInvalidDeviceId, Ptr::NULL, ptr),
        Side::Pinned => (cudaMemoryTypeHost, 0, ptr, ptr),
        Side::Device => (cudaMemoryTypeDevice, 0, ptr, Ptr::NULL),
        Side::Managed => (cudaMemoryTypeManaged, 0, ptr, ptr),
    };
    let out = a.ptr(0);
    h.put_field(out, cudaPointerAttributes::kind, kind)?;
    h.put_field(out, cudaPointerAttributes::device, device)?;
    h.put_field(out, cudaPointerAttributes::devicePointer, on_device)?;
    h.put_field(out, cudaPointerAttributes::hostPointer, on_host)
}
