//! Sharing with other processes: handles of memory and events are made, and nobody else is there to open them. A process
//! cannot open its own, here as on a device.

use super::{Api, CudaError, event, queue};
use crate::call::Call;
use crate::constants::cudaIpcMemLazyEnablePeerAccess;
use crate::layout::{Field, Fields, Laid, cudaIpcEventHandle_t, cudaIpcMemHandle_t};
use crate::{Kept, RuntimeCall};
use cudair_engine::Args;
use cudair_engine::guest::Host;
use cudair_lane::fault::AllocKind;
use cudair_lane::ptr::Ptr;

/// What handles of this process begin with: memory, events.
const MEMORY: u64 = 0x6d65_6d6f_7279_0001;
const EVENT: u64 = 0x6576_656e_7400_0001;

fn give<S: Laid>(
    h: &mut RuntimeCall<'_, '_>,
    out: Ptr,
    handle: Field<S, [u64; 8]>,
    kind: u64,
    of: u64,
) -> Api {
    if out.is_null() {
        return Err(CudaError::INVALID_VALUE.into());
    }
    let mut words = [0; 8];
    words[..2].copy_from_slice(&[kind, of]);
    h.put_field(out, handle, words)
}

/// `cudaIpcGetMemHandle(handle, ptr)`
pub(crate) fn memory_handle(h: &mut RuntimeCall<'_, '_>, a: &Args<'_>) -> Api {
    match h.m.mem.lookup(a.ptr(1)) {
        Some((start, _, _, AllocKind::CudaMalloc)) => {
            give(h, a.ptr(0), cudaIpcMemHandle_t::reserved, MEMORY, start.0)
        }
        _ => Err(CudaError::INVALID_VALUE.into()),
    }
}

/// `cudaIpcGetEventHandle(handle, event)`
pub(crate) fn event_handle(h: &mut RuntimeCall<'_, '_>, a: &Args<'_>) -> Api {
    let n = event::find(h, a.ptr(1))?;
    if !h.m.cuda.get().events.all[n].interprocess {
        return Err(CudaError::INVALID_RESOURCE_HANDLE.into());
    }
    give(h, a.ptr(0), cudaIpcEventHandle_t::reserved, EVENT, a.u64(1))
}

/// What opening a handle gives: one of this process is no other's, and any other value is none, which is what `none` says.
fn open<S: Laid>(
    h: &mut RuntimeCall<'_, '_>,
    out: Ptr,
    handle: Ptr,
    words: Field<S, [u64; 8]>,
    kind: u64,
    none: CudaError,
) -> Api {
    if out.is_null() {
        return Err(CudaError::INVALID_VALUE.into());
    }
    if h.field(handle, words.nth(0))? == kind {
        let message = "a process opens a handle that it made itself: only another process can open it";
        return Err(h.bad_argument(CudaError::DEVICE_UNINITIALIZED, message.to_owned()));
    }
    Err(none.into())
}

/// `cudaIpcOpenMemHandle(ptr, handle, flags)`: the flags are looked at last.
pub(crate) fn open_memory(h: &mut RuntimeCall<'_, '_>, a: &Args<'_>) -> Api {
    let words = cudaIpcMemHandle_t::reserved;
    if a.u32(2) != cudaIpcMemLazyEnablePeerAccess && !a.ptr(0).is_null() {
        let own = h.field(a.ptr(1), words.nth(0))? == MEMORY;
        return Err(if own { CudaError::DEVICE_UNINITIALIZED } else { CudaError::INVALID_VALUE }.into());
    }
    open(h, a.ptr(0), a.ptr(1), words, MEMORY, CudaError::INVALID_VALUE)
}

/// `cudaIpcOpenEventHandle(event, handle)`
pub(crate) fn open_event(h: &mut RuntimeCall<'_, '_>, a: &Args<'_>) -> Api {
    open(h, a.ptr(0), a.ptr(1), cudaIpcEventHandle_t::reserved, EVENT, CudaError::MAP_FAILED)
}

/// `cudaIpcCloseMemHandle(ptr)`: nothing is open.
pub(crate) fn close_memory(h: &mut Host<'_>, _: &Args<'_>) -> Api {
    queue::synchronize(h.m)?;
    Err(CudaError::INVALID_VALUE.into())
}
