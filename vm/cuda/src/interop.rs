//! What only means something beside another interface: memory and semaphores of Vulkan, Direct3D and NvSci, resources of
//! graphics. None of those is there, so that nothing can be imported and no handle is one. Besides: who is to be told of
//! what happens to the device.

use super::device::known;
use super::{Api, CudaError, stream};
use crate::call::Call;
use crate::constants::*;
use crate::layout::{Field, Fields, Laid, cudaExternalMemoryHandleDesc, cudaExternalSemaphoreHandleDesc};
use crate::{Kept, RuntimeCall};
use cudair_engine::Args;
use cudair_engine::guest::runtime_object;
use cudair_lane::ptr::Ptr;

/// A descriptor whose kind is one of `kinds`: the system has no such object.
fn import<S: Laid>(
    h: &mut RuntimeCall<'_, '_>,
    a: &Args<'_>,
    kind: Field<S, u32>,
    kinds: std::ops::RangeInclusive<u32>,
    error: CudaError,
) -> Api {
    let kind = h.field(a.ptr(1), kind)?;
    if a.ptr(0).is_null() || !kinds.contains(&kind) {
        return Err(CudaError::INVALID_VALUE.into());
    }
    Err(error.into())
}

/// `cudaImportExternalMemory(memory, descriptor)`: none of no bytes is asked for.
pub(crate) fn import_memory(h: &mut RuntimeCall<'_, '_>, a: &Args<'_>) -> Api {
    const KINDS: std::ops::RangeInclusive<u32> =
        cudaExternalMemoryHandleTypeOpaqueFd..=cudaExternalMemoryHandleTypeNvSciBuf;
    // Null is told by the kind, which is read first.
    let empty = !a.ptr(1).is_null() && h.field(a.ptr(1), cudaExternalMemoryHandleDesc::size)? == 0;
    let error = if empty { CudaError::INVALID_VALUE } else { CudaError::OPERATING_SYSTEM };
    import(h, a, cudaExternalMemoryHandleDesc::kind, KINDS, error)
}

/// `cudaImportExternalSemaphore(semaphore, descriptor)`
pub(crate) fn import_semaphore(h: &mut RuntimeCall<'_, '_>, a: &Args<'_>) -> Api {
    const KINDS: std::ops::RangeInclusive<u32> =
        cudaExternalSemaphoreHandleTypeOpaqueFd..=cudaExternalSemaphoreHandleTypeTimelineSemaphoreWin32;
    import(h, a, cudaExternalSemaphoreHandleDesc::kind, KINDS, CudaError::UNKNOWN)
}

/// What is used as a handle is none.
fn no_handle(h: &mut RuntimeCall<'_, '_>, what: &str) -> Api {
    let message = format!("this value is not {what}");
    Err(h.bad_argument(CudaError::INVALID_RESOURCE_HANDLE, message))
}

/// `cudaExternalMemoryGetMapped…(out, memory, descriptor)`
pub(crate) fn mapped_memory(h: &mut RuntimeCall<'_, '_>, a: &Args<'_>) -> Api {
    if a.ptr(0).is_null() || a.ptr(2).is_null() {
        return Err(CudaError::INVALID_VALUE.into());
    }
    no_handle(h, "external memory")
}

/// `cudaDestroyExternalMemory(memory)`
pub(crate) fn destroy_memory(h: &mut RuntimeCall<'_, '_>, _: &Args<'_>) -> Api {
    no_handle(h, "external memory")
}

/// `cudaDestroyExternalSemaphore(semaphore)`
pub(crate) fn destroy_semaphore(h: &mut RuntimeCall<'_, '_>, _: &Args<'_>) -> Api {
    no_handle(h, "an external semaphore")
}

/// `cudaSignalExternalSemaphoresAsync(semaphores, parameters, count, stream)`, and waiting
pub(crate) fn semaphores(h: &mut RuntimeCall<'_, '_>, a: &Args<'_>) -> Api {
    stream::find(h, a.ptr(3))?;
    if a.u32(2) == 0 || a.ptr(0).is_null() || a.ptr(1).is_null() {
        return Err(CudaError::INVALID_VALUE.into());
    }
    no_handle(h, "an external semaphore")
}

/// A node of a graph that signals semaphores or waits for them: none is made, and none is one.
pub(crate) fn no_semaphore_node(_: &mut RuntimeCall<'_, '_>, _: &Args<'_>) -> Api {
    Err(CudaError::INVALID_VALUE.into())
}

/// `cudaGraphicsUnregisterResource(resource)` and `cudaGraphicsResourceSetMapFlags(resource, flags)`
pub(crate) fn resource(h: &mut RuntimeCall<'_, '_>, _: &Args<'_>) -> Api {
    no_handle(h, "a graphics resource")
}

/// `cudaGraphicsMapResources(count, resources, stream)`, and unmapping
pub(crate) fn resources(h: &mut RuntimeCall<'_, '_>, a: &Args<'_>) -> Api {
    if a.i32(0) <= 0 || a.ptr(1).is_null() {
        return Err(CudaError::INVALID_VALUE.into());
    }
    stream::find(h, a.ptr(2))?;
    no_handle(h, "a graphics resource")
}

/// `cudaGraphicsResourceGetMapped…(out, …)`
pub(crate) fn mapped_resource(h: &mut RuntimeCall<'_, '_>, a: &Args<'_>) -> Api {
    if a.ptr(0).is_null() {
        return Err(CudaError::INVALID_RESOURCE_HANDLE.into());
    }
    no_handle(h, "a graphics resource")
}

/// `cudaDeviceGetNvSciSyncAttributes(attributes, device, flags)`
pub(crate) fn no_sync_attributes(_: &mut RuntimeCall<'_, '_>, a: &Args<'_>) -> Api {
    const ALL: u32 = cudaNvSciSyncAttrSignal | cudaNvSciSyncAttrWait;
    known(a.i32(1))?;
    if a.ptr(0).is_null() {
        return Err(CudaError::INVALID_RESOURCE_HANDLE.into());
    }
    if !(cudaNvSciSyncAttrSignal..=ALL).contains(&a.u32(2)) {
        return Err(CudaError::INVALID_VALUE.into());
    }
    Err(CudaError::NOT_SUPPORTED.into())
}

/// `cudaGetExportTable(table, id)`: tables of the library's own inside, which none here has.
pub(crate) fn no_table(_: &mut RuntimeCall<'_, '_>, _: &Args<'_>) -> Api {
    Err(CudaError::INVALID_VALUE.into())
}

/// `cudaDeviceRegisterAsyncNotification(device, function, data, handle)`: nothing happens to a simulated device that there
/// is to tell of.
pub(crate) fn register(h: &mut RuntimeCall<'_, '_>, a: &Args<'_>) -> Api {
    known(a.i32(0))?;
    if a.ptr(1).is_null() || a.ptr(3).is_null() {
        return Err(CudaError::INVALID_VALUE.into());
    }
    let handle = runtime_object(h.m, "registration", &[0; 8], 8)?;
    h.m.cuda.get_mut().device.notifications.insert(handle);
    h.give(a.ptr(3), handle.0, 8)
}

/// `cudaDeviceUnregisterAsyncNotification(device, handle)`
pub(crate) fn unregister(h: &mut RuntimeCall<'_, '_>, a: &Args<'_>) -> Api {
    known(a.i32(0))?;
    if a.ptr(1) == Ptr::NULL {
        return Err(CudaError::INVALID_VALUE.into());
    }
    if !h.m.cuda.get_mut().device.notifications.remove(&a.ptr(1)) {
        let message = "this value is not a registration, or the registration was removed".to_owned();
        return Err(h.bad_argument(CudaError::INVALID_VALUE, message));
    }
    h.m.mem.drop_object(a.ptr(1));
    Ok(())
}
