//! Devices, versions, limits: there is one device, number 0.

use super::array::Channels;
use super::memory::{free_bytes, total_bytes};
use super::stream::HIGHEST_PRIORITY;
use super::{Api, CudaError, graph, memory, queue};
use crate::call::Call;
use crate::constants::*;
use crate::layout::{Fields, Structure, element};
use crate::{Kept, RuntimeCall};
use cudair_engine::Args;
use cudair_engine::guest::{Guest, Host};
use cudair_engine::parts::HasRuntime;
use cudair_engine::profile::DeviceProfile;
use cudair_lane::ptr::Ptr;
use rustc_hash::FxHashSet;

/// The most local memory that a thread may have.
const MOST_STACK: u64 = 512 << 10;
/// What a context takes of the device's memory before its threads' local memory.
const CONTEXT: u64 = 264 << 20;
/// The least buffer for what kernels print.
const LEAST_PRINTF: u64 = 512 << 10;
/// The least heap of the device.
const LEAST_HEAP: u64 = 4 << 20;
/// What the heap grows by.
const HEAP_STEP: u64 = 64 << 10;
/// Where the device sits on its bus.
const PCI_BUS_ID: &[u8] = b"0000:01:00.0";

/// What the program has set of the device, and what it holds of it besides memory.
#[derive(Debug, Default)]
pub(crate) struct DeviceState {
    pub(crate) limits: Limits,
    pub(crate) cache_config: i32,
    pub(crate) shared_config: i32,
    /// `cudaSetDeviceFlags`
    pub(crate) flags: u32,
    /// Bytes of the device's heap that are taken.
    pub(crate) heap_used: u64,
    /// Registrations for what happens to the device.
    pub(crate) notifications: FxHashSet<Ptr>,
}

impl DeviceState {
    /// Takes `size` bytes of the device's heap, if it has them.
    pub(crate) fn heap_take(&mut self, size: u64) -> bool {
        let fits = self.heap_used.checked_add(size).is_some_and(|n| n <= self.limits.heap);
        if fits {
            self.heap_used += size;
        }
        fits
    }

    /// Gives bytes back to the device's heap.
    pub(crate) fn heap_give(&mut self, size: u64) {
        self.heap_used = self.heap_used.saturating_sub(size);
    }

    /// The context is gone, with its heap and what was set.
    pub(crate) fn reset(&mut self) {
        self.heap_used = 0;
        self.limits = Limits::default();
        self.cache_config = 0;
        self.shared_config = 0;
    }
}

/// `cudaDeviceSetLimit`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    stack: u64,
    pub(crate) printf: u64,
    heap: u64,
    sync_depth: u64,
    pending_launches: u64,
    l2_granularity: u64,
    /// Where nothing was set it is a part of the most.
    persisting_l2: Option<u64>,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            stack: 1024,
            printf: 1 << 20,
            heap: 8 << 20,
            sync_depth: 2,
            pending_launches: 2048,
            l2_granularity: 64,
            persisting_l2: None,
        }
    }
}

pub(crate) fn nothing(_: &mut RuntimeCall<'_, '_>, _: &Args<'_>) -> Api {
    Ok(())
}

/// A device's number must be one that there is.
pub(crate) fn known(device: i32) -> Api {
    if device == 0 { Ok(()) } else { Err(CudaError::INVALID_DEVICE.into()) }
}

pub(crate) fn count(h: &mut RuntimeCall<'_, '_>, a: &Args<'_>) -> Api {
    h.give(a.ptr(0), 1, 4)
}

pub(crate) fn get(h: &mut RuntimeCall<'_, '_>, a: &Args<'_>) -> Api {
    h.give(a.ptr(0), 0, 4)
}

pub(crate) fn set(_: &mut RuntimeCall<'_, '_>, a: &Args<'_>) -> Api {
    known(a.i32(0))
}

/// `cudaInitDevice(device, deviceFlags, flags)`: the former count where the latter say so.
pub(crate) fn init(h: &mut RuntimeCall<'_, '_>, a: &Args<'_>) -> Api {
    known(a.i32(0))?;
    match a.u32(2) {
        0 => Ok(()),
        cudaInitDeviceFlagsAreValid => use_flags(h, a.u32(1)),
        _ => Err(CudaError::INVALID_VALUE.into()),
    }
}

pub(crate) fn choose(h: &mut RuntimeCall<'_, '_>, a: &Args<'_>) -> Api {
    if a.ptr(1).is_null() {
        return Err(CudaError::INVALID_VALUE.into());
    }
    h.give(a.ptr(0), 0, 4)
}

pub(crate) fn valid(h: &mut RuntimeCall<'_, '_>, a: &Args<'_>) -> Api {
    let count = a.i32(1);
    if count < 0 {
        return Err(CudaError::INVALID_VALUE.into());
    }
    if a.ptr(0).is_null() && count > 0 {
        return Err(CudaError::INVALID_VALUE.into());
    }
    for i in 0..count as u64 {
        let device = h.load(element::<i32>(a.ptr(0), i))?;
        known(device)?;
    }
    Ok(())
}

pub(crate) fn set_flags(h: &mut RuntimeCall<'_, '_>, a: &Args<'_>) -> Api {
    use_flags(h, a.u32(0))
}

fn use_flags(h: &mut RuntimeCall<'_, '_>, flags: u32) -> Api {
    // At most one way of waiting can be chosen.
    if flags & !cudaDeviceMask != 0 || (flags & cudaDeviceScheduleMask).count_ones() > 1 {
        return Err(CudaError::INVALID_VALUE.into());
    }
    h.m.cuda.get_mut().device.flags = flags;
    Ok(())
}

pub(crate) fn get_flags(h: &mut RuntimeCall<'_, '_>, a: &Args<'_>) -> Api {
    // Mapping of host memory is always on.
    let flags = h.m.cuda.get().device.flags | cudaDeviceMapHost;
    h.give(a.ptr(0), flags.into(), 4)
}

pub(crate) fn driver_version(h: &mut RuntimeCall<'_, '_>, a: &Args<'_>) -> Api {
    let version = h.m.config.device.driver_version;
    h.give(a.ptr(0), u64::from(version as u32), 4)
}

pub(crate) fn runtime_version(h: &mut RuntimeCall<'_, '_>, a: &Args<'_>) -> Api {
    let version = h.m.config.device.runtime_version;
    h.give(a.ptr(0), u64::from(version as u32), 4)
}

pub(crate) fn synchronize(h: &mut Host<'_>, _: &Args<'_>) -> Api {
    h.with_runtime(graph::refuse_all)?;
    queue::synchronize(h.m)
}

/// Everything that the context held is gone. The last error stays.
pub(crate) fn reset(h: &mut Host<'_>, _: &Args<'_>) -> Api {
    if h.m.cuda.get_mut().errors.reset() {
        return Ok(());
    }
    queue::synchronize(h.m)?;
    for ptr in h.m.cuda.get_mut().memory.remove_all() {
        h.m.mem.drop_object(ptr);
    }
    memory::release_host(h);
    h.m.cuda.get_mut().reset();
    // The next call loads the program anew.
    h.m.reload_device_variables()?;
    Ok(())
}

/// Whether a device has a limit: grids wait for those that they launch below 9.0 alone, and what is kept in the
/// second-level cache can be said from 8.0 on.
fn supported(h: &RuntimeCall<'_, '_>, limit: u32) -> Api {
    let has = match limit {
        cudaLimitDevRuntimeSyncDepth => h.m.config.device.major < 9,
        cudaLimitMaxL2FetchGranularity | cudaLimitPersistingL2CacheSize => h.m.config.device.major >= 8,
        CU_LIMIT_CIG_SHMEM_FALLBACK_ENABLED => false,
        _ => true,
    };
    if has { Ok(()) } else { Err(CudaError::UNSUPPORTED_LIMIT.into()) }
}

/// The most local memory that a thread may have: there is room for that of all threads that the device holds.
fn most_stack(device: &DeviceProfile) -> u64 {
    let of = device.multiprocessor;
    let threads = of.multiprocessor_count as u64 * of.max_threads_per_multiprocessor as u64;
    let room = device.memory.total_global_mem.saturating_sub(CONTEXT);
    MOST_STACK.min(room / threads.max(1)) & !15
}

pub(crate) fn set_limit(h: &mut Host<'_>, a: &Args<'_>) -> Api {
    let value = a.u64(1);
    // A launch that is queued runs under the limits that it was launched under.
    queue::advance_all(h.m)?;
    let heap_in_use = h.m.cuda.get().device.heap_used > 0;
    h.with_runtime(|h| supported(h, a.u32(0)))?;
    let device = h.m.config.device.clone();
    // A heap for which there is no room is as large as there is room for.
    let most_heap = total_bytes(&h.m.runtime()) / HEAP_STEP * HEAP_STEP;
    let heap = value.clamp(LEAST_HEAP, most_heap.max(LEAST_HEAP)).next_multiple_of(HEAP_STEP);
    let limits = &mut h.m.cuda.get_mut().device.limits;
    match a.u32(0) {
        cudaLimitStackSize if value > most_stack(&device) => return Err(CudaError::INVALID_VALUE.into()),
        cudaLimitPrintfFifoSize if value > device.memory.total_global_mem => {
            return Err(CudaError::MEMORY_ALLOCATION.into());
        }
        cudaLimitStackSize => limits.stack = value.next_multiple_of(16),
        cudaLimitPrintfFifoSize => limits.printf = value.max(LEAST_PRINTF),
        cudaLimitMallocHeapSize if heap_in_use && heap != limits.heap => {
            return Err(CudaError::INVALID_VALUE.into());
        }
        cudaLimitMallocHeapSize => limits.heap = heap,
        cudaLimitDevRuntimeSyncDepth => limits.sync_depth = value,
        cudaLimitDevRuntimePendingLaunchCount => limits.pending_launches = value,
        cudaLimitMaxL2FetchGranularity if value > 128 => return Err(CudaError::INVALID_VALUE.into()),
        cudaLimitMaxL2FetchGranularity => limits.l2_granularity = value,
        cudaLimitPersistingL2CacheSize if value > device.memory.persisting_l2_cache_max_size as u64 => {
            return Err(CudaError::INVALID_VALUE.into());
        }
        cudaLimitPersistingL2CacheSize => limits.persisting_l2 = Some(value),
        // Only to be asked for.
        CU_LIMIT_SHMEM_SIZE | CU_LIMIT_CIG_ENABLED => return Err(CudaError::NOT_PERMITTED.into()),
        _ => return Err(CudaError::INVALID_VALUE.into()),
    }
    Ok(())
}

pub(crate) fn get_limit(h: &mut RuntimeCall<'_, '_>, a: &Args<'_>) -> Api {
    supported(h, a.u32(1))?;
    let limits = h.m.cuda.get().device.limits;
    let usual = h.m.config.device.memory.persisting_l2_cache_max_size as u64 * 3 / 10;
    let value = match a.u32(1) {
        cudaLimitStackSize => limits.stack,
        cudaLimitPrintfFifoSize => limits.printf,
        cudaLimitMallocHeapSize => limits.heap,
        cudaLimitDevRuntimeSyncDepth => limits.sync_depth,
        cudaLimitDevRuntimePendingLaunchCount => limits.pending_launches,
        cudaLimitMaxL2FetchGranularity => limits.l2_granularity,
        cudaLimitPersistingL2CacheSize => limits.persisting_l2.unwrap_or(usual),
        CU_LIMIT_SHMEM_SIZE => h.m.config.device.block.shared_mem_per_block_optin,
        CU_LIMIT_CIG_ENABLED => 0,
        _ => return Err(CudaError::INVALID_VALUE.into()),
    };
    h.give(a.ptr(0), value, 8)
}

pub(crate) fn get_cache_config(h: &mut RuntimeCall<'_, '_>, a: &Args<'_>) -> Api {
    let config = h.m.cuda.get().device.cache_config;
    h.give(a.ptr(0), u64::from(config as u32), 4)
}

pub(crate) fn set_cache_config(h: &mut RuntimeCall<'_, '_>, a: &Args<'_>) -> Api {
    if !(cudaFuncCachePreferNone..=cudaFuncCachePreferEqual).contains(&a.i32(0)) {
        return Err(CudaError::INVALID_VALUE.into());
    }
    h.m.cuda.get_mut().device.cache_config = a.i32(0);
    Ok(())
}

/// Where nothing was chosen, banks have four bytes.
pub(crate) fn get_shared_config(h: &mut RuntimeCall<'_, '_>, a: &Args<'_>) -> Api {
    let config = h.m.cuda.get().device.shared_config.max(cudaSharedMemBankSizeFourByte);
    h.give(a.ptr(0), u64::from(config as u32), 4)
}

pub(crate) fn set_shared_config(h: &mut RuntimeCall<'_, '_>, a: &Args<'_>) -> Api {
    if !(cudaSharedMemBankSizeDefault..=cudaSharedMemBankSizeEightByte).contains(&a.i32(0)) {
        return Err(CudaError::INVALID_VALUE.into());
    }
    h.m.cuda.get_mut().device.shared_config = a.i32(0);
    Ok(())
}

pub(crate) fn priority_range(h: &mut RuntimeCall<'_, '_>, a: &Args<'_>) -> Api {
    if !a.ptr(0).is_null() {
        h.give(a.ptr(0), 0, 4)?;
    }
    if !a.ptr(1).is_null() {
        h.give(a.ptr(1), u64::from(HIGHEST_PRIORITY as u32), 4)?;
    }
    Ok(())
}

pub(crate) fn pci_bus_id(h: &mut RuntimeCall<'_, '_>, a: &Args<'_>) -> Api {
    known(a.i32(2))?;
    if a.ptr(0).is_null() || a.i32(1) <= PCI_BUS_ID.len() as i32 {
        return Err(CudaError::INVALID_VALUE.into());
    }
    h.put_cstr(a.ptr(0), PCI_BUS_ID)?;
    Ok(())
}

pub(crate) fn by_pci_bus_id(h: &mut RuntimeCall<'_, '_>, a: &Args<'_>) -> Api {
    if a.ptr(0).is_null() || a.ptr(1).is_null() {
        return Err(CudaError::INVALID_VALUE.into());
    }
    if h.string(a.ptr(1), None)? != PCI_BUS_ID {
        return Err(CudaError::INVALID_DEVICE.into());
    }
    h.give(a.ptr(0), 0, 4)
}

pub(crate) fn can_access_peer(h: &mut RuntimeCall<'_, '_>, a: &Args<'_>) -> Api {
    known(a.i32(1))?;
    known(a.i32(2))?;
    // No device is its own peer.
    h.give(a.ptr(0), 0, 4)
}

pub(crate) fn enable_peer(_: &mut RuntimeCall<'_, '_>, a: &Args<'_>) -> Api {
    if a.u32(1) != 0 {
        return Err(CudaError::INVALID_VALUE.into());
    }
    // No device is its own peer.
    known(a.i32(0))?;
    Err(CudaError::PEER_ACCESS_UNSUPPORTED.into())
}

pub(crate) fn disable_peer(_: &mut RuntimeCall<'_, '_>, a: &Args<'_>) -> Api {
    known(a.i32(0))?;
    Err(CudaError::PEER_ACCESS_NOT_ENABLED.into())
}

/// `cudaDeviceGetP2PAttribute(value, attribute, device, device)`
pub(crate) fn peer_attribute(_: &mut RuntimeCall<'_, '_>, a: &Args<'_>) -> Api {
    if a.ptr(0).is_null() || !(1..=5).contains(&a.i32(1)) {
        return Err(CudaError::INVALID_VALUE.into());
    }
    // There is no pair of devices.
    Err(CudaError::INVALID_DEVICE.into())
}

pub(crate) fn memory_info(h: &mut RuntimeCall<'_, '_>, a: &Args<'_>) -> Api {
    let (total, free) = (total_bytes(h.m), free_bytes(h.m));
    h.give(a.ptr(0), free, 8)?;
    h.give(a.ptr(1), total, 8)
}

/// `cudaDeviceGetTexture1DLinearMaxWidth(width, format, device)`
pub(crate) fn linear_texture_width(h: &mut RuntimeCall<'_, '_>, a: &Args<'_>) -> Api {
    if a.ptr(1).is_null() {
        return Err(CudaError::INVALID_VALUE.into());
    }
    known(a.i32(2))?;
    let described = Channels::of(&Structure::read(h, a.ptr(1))?);
    linear_texture(h, a.ptr(0), described.bytes())
}

/// How many texels of so many bytes a texture of linear memory has at most.
pub(super) fn linear_texture(h: &mut RuntimeCall<'_, '_>, out: Ptr, texel: u64) -> Api {
    // The most bytes, which so many of the widest texels have.
    let bytes = h.m.config.device.texture.max_texture_1d_linear as u64 * 16;
    h.give(out, bytes / texel.max(1), 8)
}

/// No card writes to this one over the network: nothing waits to be seen.
pub(crate) fn flush_remote_writes(_: &mut RuntimeCall<'_, '_>, _: &Args<'_>) -> Api {
    Ok(())
}
