//! Memory that graphs allocate and free. Its address is fixed when the node is made and lives as long as the run, since
//! each launch of the graph allocates there again; what is counted is how much of it is in use, and while it is not
//! allocated nobody may access it.
//!
//! Not looked for: reads of what an earlier launch left there.

use crate::call::Call;
use crate::constants::{
    cudaGraphMemAttrReservedMemCurrent, cudaGraphMemAttrReservedMemHigh, cudaGraphMemAttrUsedMemCurrent,
    cudaGraphMemAttrUsedMemHigh,
};
use crate::queue::Work;
use crate::{Api, CudaError, Fail, Kept, RuntimeCall, memory, queue};
use cudair_engine::Args;
use cudair_engine::guest::Host;
use cudair_ir::Space;
use cudair_lane::fault::{AllocKind, Place};
use cudair_lane::ptr::Ptr;
use rustc_hash::{FxHashMap, FxHashSet};

/// What graphs take from the device at a time.
const CHUNK: u64 = 32 << 20;

/// Memory of graphs.
#[derive(Debug, Default)]
pub(crate) struct GraphMemory {
    /// Each allocation's size, and whether it is allocated.
    all: FxHashMap<Ptr, (u64, bool)>,
    /// What launches so far leave allocated, once they have run.
    left: FxHashSet<Ptr>,
    /// Bytes of what is allocated.
    live: u64,
    /// What graphs have of the device, all of which counts as used until it is trimmed, as on an H100 with driver 580.
    reserved: u64,
    used_high: u64,
    reserved_high: u64,
}

impl GraphMemory {
    /// Whether memory is a graph's.
    pub(crate) fn has(&self, ptr: Ptr) -> bool {
        self.all.contains_key(&ptr)
    }

    /// An allocating node runs. One whose memory is still there gets it anew.
    pub(crate) fn allocated(&mut self, ptr: Ptr) {
        if let Some((size, live)) = self.all.get_mut(&ptr)
            && !std::mem::replace(live, true)
        {
            self.live += *size;
            self.reserved = self.reserved.max(self.live.next_multiple_of(CHUNK));
            self.used_high = self.used_high.max(self.reserved);
            self.reserved_high = self.reserved_high.max(self.reserved);
        }
    }

    /// Whether a launch has left memory that nothing has been asked to free.
    pub(super) fn is_left(&self, ptr: Ptr) -> bool {
        self.left.contains(&ptr)
    }

    /// A launch allocates memory, and leaves it allocated or not.
    pub(super) fn leave(&mut self, ptr: Ptr, kept: bool) {
        if kept {
            self.left.insert(ptr);
        }
    }

    /// Something is asked to free memory.
    pub(crate) fn take_back(&mut self, ptr: Ptr) {
        self.left.remove(&ptr);
    }

    /// Memory is freed, by a node or outside of graphs; whether it is a graph's.
    pub(crate) fn freed(&mut self, ptr: Ptr) -> bool {
        let Some((size, live)) = self.all.get_mut(&ptr) else { return false };
        if std::mem::replace(live, false) {
            self.live -= *size;
        }
        true
    }
}

/// Memory for a node that allocates, which is made by queueing its work.
pub(crate) fn allocate(h: &mut Host<'_>, out: Ptr, size: u64, stream: usize) -> Api {
    if !h.m.config.device.memory_pools() {
        return Err(CudaError::NOT_SUPPORTED.into());
    }
    let ptr =
        h.with_runtime(|h| memory::device_alloc(h, size, Space::Global, AllocKind::Graph, Ptr::NULL))?;
    if ptr.is_null() {
        return Err(CudaError::INVALID_VALUE.into());
    }
    h.give(out, ptr.0, 8)?;
    h.m.cuda.get_mut().graph_memory.all.insert(ptr, (size, false));
    h.m.mem.set_dormant(ptr, true, Place::Unknown);
    let who = h.access();
    queue::push(h.m, stream, Work::GraphAlloc(ptr), None, who)?;
    Ok(())
}

fn check_device(device: i32) -> Result<(), Fail> {
    if device == 0 { Ok(()) } else { Err(CudaError::INVALID_DEVICE.into()) }
}

/// `cudaDeviceGetGraphMemAttribute(device, attribute, value)`
pub(crate) fn attribute(h: &mut RuntimeCall<'_, '_>, a: &Args<'_>) -> Api {
    check_device(a.i32(0))?;
    let memory = &h.m.cuda.get().graph_memory;
    let value = match a.u32(1) {
        cudaGraphMemAttrUsedMemCurrent | cudaGraphMemAttrReservedMemCurrent => memory.reserved,
        cudaGraphMemAttrUsedMemHigh => memory.used_high,
        cudaGraphMemAttrReservedMemHigh => memory.reserved_high,
        _ => return Err(CudaError::INVALID_VALUE.into()),
    };
    h.give(a.ptr(2), value, 8)
}

/// `cudaDeviceSetGraphMemAttribute(device, attribute, value)`: the high marks can be set to zero.
pub(crate) fn set_attribute(h: &mut RuntimeCall<'_, '_>, a: &Args<'_>) -> Api {
    check_device(a.i32(0))?;
    let value = h.value(a.ptr(2), 8)?;
    let memory = &mut h.m.cuda.get_mut().graph_memory;
    match (a.u32(1), value) {
        (cudaGraphMemAttrUsedMemHigh, 0) => memory.used_high = memory.reserved,
        (cudaGraphMemAttrReservedMemHigh, 0) => memory.reserved_high = memory.reserved,
        _ => return Err(CudaError::INVALID_VALUE.into()),
    }
    Ok(())
}

/// `cudaDeviceGraphMemTrim(device)`: what is not in use goes back to the device.
pub(crate) fn trim(h: &mut RuntimeCall<'_, '_>, a: &Args<'_>) -> Api {
    check_device(a.i32(0))?;
    let memory = &mut h.m.cuda.get_mut().graph_memory;
    memory.reserved = memory.live.next_multiple_of(CHUNK);
    Ok(())
}
