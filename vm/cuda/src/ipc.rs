//! Sharing with other processes: handles of memory and events are made, and nobody else is there to open them. A process
//! cannot open its own, here as on a device.

use super::{Api, CudaError, event, queue};
use crate::Kept;
use crate::call::Call;
use cudair_engine::Args;
use cudair_engine::guest::Host;
use cudair_lane::fault::AllocKind;
use cudair_lane::ptr::Ptr;

/// Bytes of a handle.
const SIZE: usize = 64;
/// What handles of this process begin with: memory, events.
const MEMORY: u64 = 0x6d65_6d6f_7279_0001;
const EVENT: u64 = 0x6576_656e_7400_0001;
/// `cudaIpcMemLazyEnablePeerAccess`
const LAZY_PEER_ACCESS: u32 = 1;

fn give(h: &mut Host<'_>, out: Ptr, kind: u64, of: u64) -> Api {
    if out.is_null() {
        return Err(CudaError::INVALID_VALUE.into());
    }
    let mut bytes = [0; SIZE];
    bytes[..8].copy_from_slice(&kind.to_le_bytes());
    bytes[8..16].copy_from_slice(&of.to_le_bytes());
    h.store(out, &bytes)
}

/// `cudaIpcGetMemHandle(handle, ptr)`
pub(crate) fn memory_handle(h: &mut Host<'_>, a: &Args<'_>) -> Api {
    match h.m.mem.lookup(a.ptr(1)) {
        Some((start, _, _, AllocKind::CudaMalloc)) => give(h, a.ptr(0), MEMORY, start.0),
        _ => Err(CudaError::INVALID_VALUE.into()),
    }
}

/// `cudaIpcGetEventHandle(handle, event)`
pub(crate) fn event_handle(h: &mut Host<'_>, a: &Args<'_>) -> Api {
    let n = event::find(h, a.ptr(1))?;
    if !h.m.cuda.get().events[n].interprocess {
        return Err(CudaError::INVALID_VALUE.into());
    }
    give(h, a.ptr(0), EVENT, a.u64(1))
}

/// What opening a handle gives: one of this process is no other's, and any other value is none.
fn open(h: &mut Host<'_>, out: Ptr, handle: Ptr, kind: u64) -> Api {
    if out.is_null() {
        return Err(CudaError::INVALID_VALUE.into());
    }
    if h.value(handle, 8)? == kind {
        let message = "a process opens a handle that it made itself: only another process can open it";
        return Err(h.bad_argument(CudaError::DEVICE_UNINITIALIZED, message.to_owned()));
    }
    Err(CudaError::INVALID_VALUE.into())
}

/// `cudaIpcOpenMemHandle(ptr, handle, flags)`
pub(crate) fn open_memory(h: &mut Host<'_>, a: &Args<'_>) -> Api {
    if a.u32(2) != LAZY_PEER_ACCESS {
        return Err(CudaError::INVALID_VALUE.into());
    }
    open(h, a.ptr(0), a.ptr(1), MEMORY)
}

/// `cudaIpcOpenEventHandle(event, handle)`
pub(crate) fn open_event(h: &mut Host<'_>, a: &Args<'_>) -> Api {
    open(h, a.ptr(0), a.ptr(1), EVENT)
}

/// `cudaIpcCloseMemHandle(ptr)`: nothing is open.
pub(crate) fn close_memory(h: &mut Host<'_>, _: &Args<'_>) -> Api {
    queue::synchronize(h.m)?;
    Err(CudaError::INVALID_VALUE.into())
}
