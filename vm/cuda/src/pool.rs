//! Pools of device memory, from which stream-ordered allocations come.

use super::graph::{self, memory as graph_memory};
use super::queue::{self, Work};
use super::{Api, CudaError, Fail, memory, stream};
use crate::call::Call;
use crate::constants::*;
use crate::layout::{
    Fields, Laid, Structure, cudaMemAccessDesc, cudaMemLocation, cudaMemPoolProps, cudaMemPoolPtrExportData,
};
use crate::{Kept, RuntimeCall};
use cudair_engine::Args;
use cudair_engine::guest::{Host, runtime_object};
use cudair_ir::Space;
use cudair_lane::fault::{AllocKind, Stop};
use cudair_lane::ptr::Ptr;

// Three reuse policies, which are switches.
const FIRST_POLICY: u32 = cudaMemPoolReuseFollowEventDependencies;
const LAST_POLICY: u32 = cudaMemPoolReuseAllowInternalDependencies;
/// What a pool takes from the device at a time.
const CHUNK: u64 = 32 << 20;

/// A pool.
#[derive(Clone, Debug)]
pub(crate) struct Pool {
    handle: Ptr,
    policies: [u32; 3],
    threshold: u64,
    reserved: u64,
    reserved_high: u64,
    used: u64,
    used_high: u64,
    /// The most that it may hold, in whole chunks; 0 is no limit.
    limit: u64,
    /// Of what is used, bytes of memory that `cudaFree` gave back: they count until the host waits.
    freed: u64,
    destroyed: bool,
    /// Made for other processes too.
    shared: bool,
    /// It stands for this one, which somebody has exported.
    imported: Option<usize>,
}

impl Pool {
    fn new(handle: Ptr, limit: u64) -> Pool {
        Pool {
            handle,
            policies: [1; 3],
            threshold: 0,
            reserved: 0,
            reserved_high: 0,
            used: 0,
            used_high: 0,
            limit: limit.checked_next_multiple_of(CHUNK).unwrap_or(u64::MAX),
            freed: 0,
            destroyed: false,
            shared: false,
            imported: None,
        }
    }

    fn take(&mut self, size: u64) {
        self.used += size;
        self.used_high = self.used_high.max(self.used);
        self.reserved = self.reserved.max(self.used.next_multiple_of(CHUNK));
        self.reserved_high = self.reserved_high.max(self.reserved);
    }

    /// Gives the device back what is not in use, down to `keep` bytes.
    fn trim(&mut self, keep: u64) {
        // All that there is may be kept: there is no multiple above that.
        let wanted = self.used.max(keep).checked_next_multiple_of(CHUNK).unwrap_or(u64::MAX);
        self.reserved = self.reserved.min(wanted);
    }
}

/// The runtime's pools: the first is the device's own.
#[derive(Debug, Default)]
pub(crate) struct Pools {
    all: Vec<Pool>,
    /// The one that the device takes from now.
    current: usize,
    /// Whose each allocation is, and its size.
    of: rustc_hash::FxHashMap<Ptr, (usize, u64)>,
    /// How often each allocation was imported and is not given up since.
    imports: rustc_hash::FxHashMap<Ptr, u32>,
}

impl Pools {
    /// Whether memory is a pool's own, and not what was imported.
    pub(crate) fn owns(&self, ptr: Ptr) -> bool {
        self.of.contains_key(&ptr) && self.imports.get(&ptr).is_none_or(|&count| count == 0)
    }

    /// An allocation was freed: its pool has the bytes again.
    pub(crate) fn give(&mut self, ptr: Ptr) {
        if let Some((pool, size)) = self.of.remove(&ptr)
            && let Some(pool) = self.all.get_mut(pool)
        {
            pool.used = pool.used.saturating_sub(size);
        }
    }

    /// As [`Pools::give`], for memory that goes back by a call that belongs to no stream.
    pub(crate) fn give_late(&mut self, ptr: Ptr) {
        if let Some((pool, size)) = self.of.remove(&ptr)
            && let Some(pool) = self.all.get_mut(pool)
        {
            pool.freed += size;
        }
    }

    /// Something is asked to free memory; whether that only gives up what was imported.
    pub(crate) fn let_go(&mut self, ptr: Ptr) -> bool {
        match self.imports.get_mut(&ptr) {
            Some(count) if *count > 0 => {
                *count -= 1;
                true
            }
            _ => false,
        }
    }

    /// The host has waited: pools give back what is above their threshold.
    pub(crate) fn trim(&mut self) {
        for pool in &mut self.all {
            pool.used = pool.used.saturating_sub(std::mem::take(&mut pool.freed));
            pool.trim(pool.threshold);
        }
    }
}

/// Makes the device's own pool where it is not there yet.
fn own(h: &mut RuntimeCall<'_, '_>) -> Result<(), Stop> {
    if h.m.cuda.get().pools.all.is_empty() {
        let handle = runtime_object(h.m, "memory pool", &[0; 8], 8)?;
        h.m.cuda.get_mut().pools.all.push(Pool::new(handle, 0));
    }
    Ok(())
}

/// Whether the device has pools.
fn supported(h: &RuntimeCall<'_, '_>) -> Api {
    if h.m.config.device.memory_pools() { Ok(()) } else { Err(CudaError::NOT_SUPPORTED.into()) }
}

fn find(h: &mut RuntimeCall<'_, '_>, handle: Ptr) -> Result<usize, Fail> {
    supported(h)?;
    own(h)?;
    match h.m.cuda.get().pools.all.iter().position(|p| p.handle == handle && !p.destroyed) {
        Some(i) => Ok(i),
        None => {
            let message = "this value is not a memory pool, or the pool was destroyed".to_owned();
            Err(h.bad_argument(CudaError::INVALID_VALUE, message))
        }
    }
}

/// An allocation from a pool, behind what its stream holds. It counts from the call; the stream only decides when its
/// memory may be used.
fn allocate(h: &mut Host<'_>, out: Ptr, size: u64, pool: Option<Ptr>, handle: Ptr) -> Api {
    h.with_runtime(|h| supported(h))?;
    let stream = stream::find(h, handle)?;
    if out.is_null() {
        return Err(CudaError::INVALID_VALUE.into());
    }
    if graph::records(h.m.cuda.get(), stream) {
        return graph_memory::allocate(h, out, size, stream);
    }
    let pool = match pool {
        Some(pool) => h.with_runtime(|h| find(h, pool))?,
        None => {
            h.with_runtime(own)?;
            h.m.cuda.get().pools.current
        }
    };
    // From what another process has made nothing can be taken.
    if h.m.cuda.get().pools.all[pool].imported.is_some() {
        return Err(CudaError::INVALID_VALUE.into());
    }
    let limits = &h.m.cuda.get().pools.all[pool];
    if limits.limit != 0 && limits.used.saturating_add(size) > limits.limit {
        return Err(CudaError::MEMORY_ALLOCATION.into());
    }
    let ptr = h.with_runtime(|h| memory::device_alloc(h, size, Space::Global, AllocKind::CudaAsync, out))?;
    h.give(out, ptr.0, 8)?;
    if !ptr.is_null() {
        h.m.cuda.get_mut().pools.all[pool].take(size);
        h.m.cuda.get_mut().pools.of.insert(ptr, (pool, size));
        let who = h.access();
        queue::push(h.m, stream, Work::Alloc(ptr), None, who)?;
    }
    Ok(())
}

/// `cudaMallocAsync(ptr, size, stream)`
pub(crate) fn malloc(h: &mut Host<'_>, a: &Args<'_>) -> Api {
    allocate(h, a.ptr(0), a.u64(1), None, a.ptr(2))
}

/// `cudaMallocFromPoolAsync(ptr, size, pool, stream)`
pub(crate) fn malloc_from(h: &mut Host<'_>, a: &Args<'_>) -> Api {
    allocate(h, a.ptr(0), a.u64(1), Some(a.ptr(2)), a.ptr(3))
}

fn device(device: i32) -> Api {
    if device == 0 { Ok(()) } else { Err(CudaError::INVALID_DEVICE.into()) }
}

/// `cudaDeviceGetDefaultMemPool(pool, device)`
pub(crate) fn default_of(h: &mut RuntimeCall<'_, '_>, a: &Args<'_>) -> Api {
    supported(h)?;
    device(a.i32(1))?;
    own(h)?;
    let handle = h.m.cuda.get().pools.all[0].handle;
    h.give(a.ptr(0), handle.0, 8)
}

/// `cudaDeviceGetMemPool(pool, device)`
pub(crate) fn current_of(h: &mut RuntimeCall<'_, '_>, a: &Args<'_>) -> Api {
    supported(h)?;
    device(a.i32(1))?;
    own(h)?;
    let handle = h.m.cuda.get().pools.all[h.m.cuda.get().pools.current].handle;
    h.give(a.ptr(0), handle.0, 8)
}

/// `cudaDeviceSetMemPool(device, pool)`
pub(crate) fn set_current(h: &mut RuntimeCall<'_, '_>, a: &Args<'_>) -> Api {
    supported(h)?;
    device(a.i32(0))?;
    let pool = find(h, a.ptr(1))?;
    if h.m.cuda.get().pools.all[pool].imported.is_some() {
        return Err(CudaError::INVALID_VALUE.into());
    }
    h.m.cuda.get_mut().pools.current = pool;
    Ok(())
}

/// `cudaMemPoolCreate(pool, properties)`: pinned memory of the device, which nobody else is to reach.
pub(crate) fn create(h: &mut RuntimeCall<'_, '_>, a: &Args<'_>) -> Api {
    supported(h)?;
    use cudaMemPoolProps as Props;
    let properties = Structure::read_to(h, a.ptr(1), Props::usage)?;
    if a.ptr(0).is_null() || properties.get(Props::allocType) != cudaMemAllocationTypePinned {
        return Err(CudaError::INVALID_VALUE.into());
    }
    let handles = properties.get(Props::handleTypes);
    if handles & !cudaMemHandleTypePosixFileDescriptor != 0 {
        return Err(CudaError::NOT_SUPPORTED.into());
    }
    if properties.get(Props::location.then(cudaMemLocation::kind)) != cudaMemLocationTypeDevice {
        return Err(Fail::Stop(Stop::unsupported("a memory pool outside device memory")));
    }
    if properties.get(Props::location.then(cudaMemLocation::id)) != 0 {
        return Err(CudaError::INVALID_VALUE.into());
    }
    own(h)?;
    let handle = runtime_object(h.m, "memory pool", &[0; 8], 8)?;
    let shared = handles != cudaMemHandleTypeNone;
    let limit = properties.get(Props::maxSize);
    h.m.cuda.get_mut().pools.all.push(Pool { shared, ..Pool::new(handle, limit) });
    h.give(a.ptr(0), handle.0, 8)
}

/// What was allocated from a pool stays; the device's own cannot go.
pub(crate) fn destroy(h: &mut RuntimeCall<'_, '_>, a: &Args<'_>) -> Api {
    let i = find(h, a.ptr(0))?;
    if i == 0 {
        return Err(CudaError::INVALID_VALUE.into());
    }
    h.m.cuda.get_mut().pools.all[i].destroyed = true;
    if h.m.cuda.get().pools.current == i {
        h.m.cuda.get_mut().pools.current = 0;
    }
    Ok(())
}

/// `cudaMemPoolTrimTo(pool, minBytesToKeep)`
pub(crate) fn trim(h: &mut RuntimeCall<'_, '_>, a: &Args<'_>) -> Api {
    let i = find(h, a.ptr(0))?;
    h.m.cuda.get_mut().pools.all[i].trim(a.u64(1));
    Ok(())
}

/// `cudaMemPoolSetAttribute(pool, attribute, value)`
pub(crate) fn set_attribute(h: &mut RuntimeCall<'_, '_>, a: &Args<'_>) -> Api {
    let i = find(h, a.ptr(0))?;
    let attribute = a.u32(1);
    let size = if (FIRST_POLICY..=LAST_POLICY).contains(&attribute) { 4 } else { 8 };
    let value = h.value(a.ptr(2), size)?;
    let pool = &mut h.m.cuda.get_mut().pools.all[i];
    match attribute {
        FIRST_POLICY..=LAST_POLICY => pool.policies[(attribute - FIRST_POLICY) as usize] = value as u32,
        cudaMemPoolAttrReleaseThreshold => pool.threshold = value,
        // The marks can only be put back.
        cudaMemPoolAttrReservedMemHigh if value == 0 => pool.reserved_high = pool.reserved,
        cudaMemPoolAttrUsedMemHigh if value == 0 => pool.used_high = pool.used,
        _ => return Err(CudaError::INVALID_VALUE.into()),
    }
    Ok(())
}

/// `cudaMemPoolGetAttribute(pool, attribute, value)`
pub(crate) fn attribute(h: &mut RuntimeCall<'_, '_>, a: &Args<'_>) -> Api {
    let i = find(h, a.ptr(0))?;
    let pool = &h.m.cuda.get().pools.all[i];
    let (value, size) = match a.u32(1) {
        n @ FIRST_POLICY..=LAST_POLICY => (pool.policies[(n - FIRST_POLICY) as usize].into(), 4),
        cudaMemPoolAttrReleaseThreshold => (pool.threshold, 8),
        cudaMemPoolAttrReservedMemCurrent => (pool.reserved, 8),
        cudaMemPoolAttrReservedMemHigh => (pool.reserved_high, 8),
        cudaMemPoolAttrUsedMemCurrent => (pool.used, 8),
        cudaMemPoolAttrUsedMemHigh => (pool.used_high, 8),
        _ => return Err(CudaError::INVALID_VALUE.into()),
    };
    h.give(a.ptr(2), value, size)
}

/// A place of memory must be on a device that there is.
fn location(place: &Structure<cudaMemLocation>) -> Api {
    if place.get(cudaMemLocation::kind) == cudaMemLocationTypeDevice {
        device(place.get(cudaMemLocation::id))
    } else {
        Err(CudaError::INVALID_VALUE.into())
    }
}

/// `cudaMemPoolSetAccess(pool, descriptions, count)`: there is one device, which reads and writes.
pub(crate) fn set_access(h: &mut RuntimeCall<'_, '_>, a: &Args<'_>) -> Api {
    find(h, a.ptr(0))?;
    const BYTES: usize = cudaMemAccessDesc::SIZE;
    let bytes = h.structure(a.ptr(1), a.u64(2).saturating_mul(BYTES as u64).min(1 << 16))?;
    for description in bytes.chunks_exact(BYTES) {
        let description = Structure::of_bytes(description);
        location(&description.part(cudaMemAccessDesc::location))?;
        // The device keeps what is its own.
        let flags = description.get(cudaMemAccessDesc::flags);
        if !matches!(flags, cudaMemAccessFlagsProtRead | cudaMemAccessFlagsProtReadWrite) {
            return Err(CudaError::INVALID_VALUE.into());
        }
    }
    Ok(())
}

/// `cudaMemPoolGetAccess(flags, pool, location)`
pub(crate) fn access(h: &mut RuntimeCall<'_, '_>, a: &Args<'_>) -> Api {
    find(h, a.ptr(1))?;
    let place = Structure::read(h, a.ptr(2))?;
    location(&place)?;
    h.put_value(a.ptr(0), cudaMemAccessFlagsProtReadWrite)
}

/// The handle of the pool that memory came from, null for other memory.
pub(super) fn of(h: &RuntimeCall<'_, '_>, ptr: Ptr) -> Ptr {
    let pools = &h.m.cuda.get().pools;
    pools.of.get(&ptr).map_or(Ptr::NULL, |&(pool, _)| pools.all[pool].handle)
}

// Sharing. There is one process, which may import what it has exported: the same memory once more.

/// The numbers that stand for file descriptors: far above those of files, since nothing else takes one.
const FIRST_DESCRIPTOR: u64 = 1 << 20;
/// What the description of an exported pointer begins with.
const EXPORTED: u64 = 0x706f_6f6c_7074_7201;

/// `cudaMemPoolExportToShareableHandle(handle, pool, type, flags)`
pub(crate) fn export(h: &mut RuntimeCall<'_, '_>, a: &Args<'_>) -> Api {
    let i = find(h, a.ptr(1))?;
    if a.u32(2) != cudaMemHandleTypePosixFileDescriptor
        || a.u64(3) != 0
        || !h.m.cuda.get().pools.all[i].shared
    {
        return Err(CudaError::INVALID_VALUE.into());
    }
    h.give(a.ptr(0), FIRST_DESCRIPTOR + i as u64, 4)
}

/// `cudaMemPoolImportFromShareableHandle(pool, handle, type, flags)`, the handle by value.
pub(crate) fn import(h: &mut RuntimeCall<'_, '_>, a: &Args<'_>) -> Api {
    supported(h)?;
    if a.ptr(0).is_null() || a.u64(1) == 0 || a.u64(3) != 0 {
        return Err(CudaError::INVALID_VALUE.into());
    }
    if a.u32(2) != cudaMemHandleTypePosixFileDescriptor {
        return Err(CudaError::NOT_SUPPORTED.into());
    }
    let of = a.u64(1).checked_sub(FIRST_DESCRIPTOR).map(|i| i as usize);
    let known = of.filter(|&i| h.m.cuda.get().pools.all.get(i).is_some_and(|p| p.shared && !p.destroyed));
    // A descriptor that there is not, or that is another file's.
    let Some(of) = known else { return Err(CudaError::UNKNOWN.into()) };
    let handle = runtime_object(h.m, "memory pool", &[0; 8], 8)?;
    h.m.cuda.get_mut().pools.all.push(Pool { imported: Some(of), ..Pool::new(handle, 0) });
    h.give(a.ptr(0), handle.0, 8)
}

/// `cudaMemPoolExportPointer(data, ptr)`
pub(crate) fn export_pointer(h: &mut RuntimeCall<'_, '_>, a: &Args<'_>) -> Api {
    let pools = &h.m.cuda.get().pools;
    if !pools.of.get(&a.ptr(1)).is_some_and(|&(pool, _)| pools.all[pool].shared) {
        return Err(CudaError::INVALID_VALUE.into());
    }
    let mut data = [0; 8];
    data[..2].copy_from_slice(&[EXPORTED, a.u64(1)]);
    h.put_field(a.ptr(0), cudaMemPoolPtrExportData::reserved, data)
}

/// `cudaMemPoolImportPointer(ptr, pool, data)`
pub(crate) fn import_pointer(h: &mut RuntimeCall<'_, '_>, a: &Args<'_>) -> Api {
    let i = find(h, a.ptr(1))?;
    let [mark, ptr, ..] = h.field(a.ptr(2), cudaMemPoolPtrExportData::reserved)?;
    let ptr = Ptr(ptr);
    let pools = &h.m.cuda.get().pools;
    let from = pools.of.get(&ptr).map(|&(pool, _)| pool);
    if mark != EXPORTED || from.is_none() || pools.all[i].imported != from || a.ptr(0).is_null() {
        return Err(CudaError::INVALID_VALUE.into());
    }
    *h.m.cuda.get_mut().pools.imports.entry(ptr).or_insert(0) += 1;
    h.give(a.ptr(0), ptr.0, 8)
}
