//! Memory: what the driver copies, fills and tells of pointers.

use super::context;
use crate::call::Call;
use crate::constants::*;
use crate::layout::{Fields, element};
use crate::memory::{Side, Timing, fill_with, side, transfer};
use crate::queue::Extent;
use crate::{Api, CudaError, Fail, Kept, RuntimeCall, memory, pool, stream};
use cudair_engine::Args;
use cudair_engine::guest::Host;
use cudair_lane::fault::AllocKind;
use cudair_lane::ptr::Ptr;

/// `cuMemAlloc(ptr, size)`: nothing is no size.
pub(super) fn alloc(h: &mut RuntimeCall<'_, '_>, a: &Args<'_>) -> Api {
    if a.u64(1) == 0 { Err(CudaError::INVALID_VALUE.into()) } else { memory::malloc(h, a) }
}

/// `cuMemAllocManaged(ptr, size, flags)`: nothing is no size, and what is given for it is null.
pub(super) fn alloc_managed(h: &mut RuntimeCall<'_, '_>, a: &Args<'_>) -> Api {
    if a.u64(1) != 0 {
        return memory::malloc_managed(h, a);
    }
    h.give(a.ptr(0), 0, 8)?;
    Err(CudaError::INVALID_VALUE.into())
}

/// `cuMemAllocPitch(ptr, pitch, width, height, element)`
pub(super) fn alloc_pitch(h: &mut RuntimeCall<'_, '_>, a: &Args<'_>) -> Api {
    if !matches!(a.u32(4), 4 | 8 | 16) || a.u64(2) == 0 || a.u64(3) == 0 {
        return Err(CudaError::INVALID_VALUE.into());
    }
    memory::malloc_pitch(h, a)
}

/// `cuMemcpy…(dst, src, count)`
pub(super) fn copy(h: &mut Host<'_>, a: &Args<'_>, kind: i32) -> Api {
    transfer(h, (a.ptr(0), 0, 0), (a.ptr(1), 0, 0), Extent::linear(a.u64(2)), kind, Timing::Blocking)
}

/// `cuMemcpy…Async(dst, src, count, stream)`
pub(super) fn copy_async(h: &mut Host<'_>, a: &Args<'_>, kind: i32) -> Api {
    let timing = Timing::Async(stream::find(h, a.ptr(3))?);
    transfer(h, (a.ptr(0), 0, 0), (a.ptr(1), 0, 0), Extent::linear(a.u64(2)), kind, timing)
}

/// `cuMemcpyPeer(dst, context, src, context, count)`
pub(super) fn copy_peer(h: &mut Host<'_>, a: &Args<'_>, stream: Option<usize>) -> Api {
    h.with_runtime(|h| context::check(h, a.ptr(1)))?;
    h.with_runtime(|h| context::check(h, a.ptr(3)))?;
    let timing = match stream {
        Some(at) => Timing::Async(stream::find(h, a.ptr(at))?),
        None => Timing::Blocking,
    };
    transfer(h, (a.ptr(0), 0, 0), (a.ptr(2), 0, 0), Extent::linear(a.u64(4)), cudaMemcpyDefault, timing)
}

/// `cuMemsetD…(ptr, value, count)`, of elements of so many bytes; the stream is behind.
pub(super) fn fill(h: &mut Host<'_>, a: &Args<'_>, bytes: usize, is_async: bool) -> Api {
    let timing = if is_async { Timing::Async(stream::find(h, a.ptr(3))?) } else { Timing::Blocking };
    elements(h, (a.ptr(0), 0), a.u32(1), bytes, (a.u64(2), 1), timing)
}

/// `cuMemsetD2D…(ptr, pitch, value, width, height)`
pub(super) fn fill_2d(h: &mut Host<'_>, a: &Args<'_>, bytes: usize, is_async: bool) -> Api {
    let timing = if is_async { Timing::Async(stream::find(h, a.ptr(5))?) } else { Timing::Blocking };
    let (pitch, width, height) = (a.u64(1), a.u64(3), a.u64(4));
    let row = width.checked_mul(bytes as u64);
    if height > 1 && row.is_none_or(|row| row > pitch) || !pitch.is_multiple_of(bytes as u64) {
        return Err(CudaError::INVALID_VALUE.into());
    }
    elements(h, (a.ptr(0), pitch), a.u32(2), bytes, (width, height), timing)
}

fn elements(
    h: &mut Host<'_>,
    (ptr, pitch): (Ptr, u64),
    value: u32,
    bytes: usize,
    (width, height): (u64, u64),
    timing: Timing,
) -> Api {
    if !ptr.0.is_multiple_of(bytes as u64) {
        let message =
            format!("a fill with elements of {bytes} bytes at an address that is not a multiple of {bytes}");
        return Err(h.bad_argument(CudaError::INVALID_VALUE, message));
    }
    let extent = Extent { width: width.saturating_mul(bytes as u64), height, depth: 1 };
    fill_with(h, (ptr, pitch, 0), &value.to_le_bytes()[..bytes], extent, timing)
}

/// `cuStreamWriteValue…(stream, ptr, value, flags)`
pub(super) fn write_value(h: &mut Host<'_>, a: &Args<'_>, bytes: usize) -> Api {
    let timing = Timing::Async(stream::find(h, a.ptr(0))?);
    if a.u32(3) > 1 || !a.ptr(1).0.is_multiple_of(bytes as u64) {
        return Err(CudaError::INVALID_VALUE.into());
    }
    let value = a.u64(2).to_le_bytes();
    fill_with(h, (a.ptr(1), 0, 0), &value[..bytes], Extent::linear(bytes as u64), timing)
}

/// `cuMemGetAddressRange(base, size, ptr)`
pub(super) fn address_range(h: &mut RuntimeCall<'_, '_>, a: &Args<'_>) -> Api {
    let known = !matches!(side(h, a.ptr(2)), Side::Pageable | Side::None);
    let Some((start, size, ..)) = h.m.mem.lookup(a.ptr(2)).filter(|_| known) else {
        return Err(CudaError::SYMBOL_NOT_FOUND.into());
    };
    for (out, word) in [(a.ptr(0), start.0), (a.ptr(1), size)] {
        if !out.is_null() {
            h.give(out, word, 8)?;
        }
    }
    Ok(())
}

/// An attribute of a pointer: its value and bytes; a size of 1 is that of a boolean.
fn attribute_of(h: &mut RuntimeCall<'_, '_>, attribute: u32, ptr: Ptr) -> Result<(u64, usize), Fail> {
    let refused = || Err(CudaError::INVALID_VALUE.into());
    let side = side(h, ptr);
    let Some((start, size, _, kind)) = h.m.mem.lookup(ptr) else { return refused() };
    if matches!(side, Side::Pageable | Side::None) {
        return refused();
    }
    Ok(match attribute {
        CU_POINTER_ATTRIBUTE_CONTEXT => (context::current(h)?.0, 8),
        CU_POINTER_ATTRIBUTE_MEMORY_TYPE => {
            let pinned = side == Side::Pinned;
            (u64::from(if pinned { CU_MEMORYTYPE_HOST } else { CU_MEMORYTYPE_DEVICE }), 4)
        }
        CU_POINTER_ATTRIBUTE_DEVICE_POINTER => (ptr.0, 8),
        CU_POINTER_ATTRIBUTE_HOST_POINTER if side == Side::Device => return refused(),
        CU_POINTER_ATTRIBUTE_HOST_POINTER => (ptr.0, 8),
        CU_POINTER_ATTRIBUTE_SYNC_MEMOPS => (h.m.cuda.get().memory.synchronous.contains(&start).into(), 1),
        CU_POINTER_ATTRIBUTE_BUFFER_ID | CU_POINTER_ATTRIBUTE_MEMORY_BLOCK_ID => (start.0 >> 4 | 1, 8),
        CU_POINTER_ATTRIBUTE_IS_MANAGED => ((side == Side::Managed).into(), 1),
        CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL => (0, 4),
        CU_POINTER_ATTRIBUTE_IS_LEGACY_CUDA_IPC_CAPABLE => ((kind == AllocKind::CudaMalloc).into(), 1),
        CU_POINTER_ATTRIBUTE_RANGE_START_ADDR | CU_POINTER_ATTRIBUTE_MAPPING_BASE_ADDR => (start.0, 8),
        CU_POINTER_ATTRIBUTE_RANGE_SIZE | CU_POINTER_ATTRIBUTE_MAPPING_SIZE => (size, 8),
        CU_POINTER_ATTRIBUTE_MAPPED => (1, 1),
        CU_POINTER_ATTRIBUTE_ALLOWED_HANDLE_TYPES => (0, 8),
        CU_POINTER_ATTRIBUTE_IS_GPU_DIRECT_RDMA_CAPABLE | CU_POINTER_ATTRIBUTE_IS_HW_DECOMPRESS_CAPABLE => {
            (0, 1)
        }
        CU_POINTER_ATTRIBUTE_ACCESS_FLAGS => (CU_POINTER_ATTRIBUTE_ACCESS_FLAG_READWRITE.into(), 4),
        CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE => (pool::of(h, start).0, 8),
        _ => return refused(),
    })
}

/// Gives an attribute. A boolean takes as much as there is for it: programs have `bool` and `int` there.
fn tell(h: &mut RuntimeCall<'_, '_>, out: Ptr, (value, bytes): (u64, usize)) -> Api {
    let room = |h: &RuntimeCall<'_, '_>| {
        h.m.mem.lookup(out).map_or(1, |(from, size, ..)| (from.0 + size).saturating_sub(out.0))
    };
    let bytes = if bytes == 1 && room(h) >= 4 { 4 } else { bytes };
    h.give(out, value, bytes)
}

/// `cuPointerGetAttribute(data, attribute, ptr)`
pub(super) fn attribute(h: &mut RuntimeCall<'_, '_>, a: &Args<'_>) -> Api {
    let value = attribute_of(h, a.u32(1), a.ptr(2))?;
    tell(h, a.ptr(0), value)
}

/// `cuPointerGetAttributes(count, attributes, data, ptr)`: zeros where there is none.
pub(super) fn attributes(h: &mut RuntimeCall<'_, '_>, a: &Args<'_>) -> Api {
    let count = a.u32(0);
    if count == 0 || count > 64 || a.ptr(1).is_null() || a.ptr(2).is_null() {
        return Err(CudaError::INVALID_VALUE.into());
    }
    for i in 0..u64::from(count) {
        let which: u32 = h.load(element::<u32>(a.ptr(1), i))?;
        let out: Ptr = h.load(element::<Ptr>(a.ptr(2), i))?;
        let value = match attribute_of(h, which, a.ptr(3)) {
            Ok(value) => value,
            Err(Fail::Code(_)) => match which {
                CU_POINTER_ATTRIBUTE_CONTEXT
                | CU_POINTER_ATTRIBUTE_DEVICE_POINTER
                | CU_POINTER_ATTRIBUTE_HOST_POINTER
                | CU_POINTER_ATTRIBUTE_BUFFER_ID
                | CU_POINTER_ATTRIBUTE_RANGE_START_ADDR
                | CU_POINTER_ATTRIBUTE_RANGE_SIZE
                | CU_POINTER_ATTRIBUTE_ALLOWED_HANDLE_TYPES
                | CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE
                | CU_POINTER_ATTRIBUTE_MAPPING_SIZE
                | CU_POINTER_ATTRIBUTE_MAPPING_BASE_ADDR
                | CU_POINTER_ATTRIBUTE_MEMORY_BLOCK_ID => (0, 8),
                CU_POINTER_ATTRIBUTE_MEMORY_TYPE | CU_POINTER_ATTRIBUTE_ACCESS_FLAGS => (0, 4),
                CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL => (u64::from(cudaInvalidDeviceId as u32), 4),
                CU_POINTER_ATTRIBUTE_SYNC_MEMOPS
                | CU_POINTER_ATTRIBUTE_IS_MANAGED
                | CU_POINTER_ATTRIBUTE_IS_LEGACY_CUDA_IPC_CAPABLE
                | CU_POINTER_ATTRIBUTE_MAPPED
                | CU_POINTER_ATTRIBUTE_IS_GPU_DIRECT_RDMA_CAPABLE
                | CU_POINTER_ATTRIBUTE_IS_HW_DECOMPRESS_CAPABLE => (0, 1),
                _ => return Err(CudaError::INVALID_VALUE.into()),
            },
            Err(fail) => return Err(fail),
        };
        tell(h, out, value)?;
    }
    Ok(())
}

/// `cuPointerSetAttribute(value, attribute, ptr)`: only that copies of it wait can be set.
pub(super) fn set_attribute(h: &mut RuntimeCall<'_, '_>, a: &Args<'_>) -> Api {
    let Some((start, ..)) = h.m.mem.lookup(a.ptr(2)) else { return Err(CudaError::INVALID_VALUE.into()) };
    if a.u32(1) != CU_POINTER_ATTRIBUTE_SYNC_MEMOPS
        || matches!(side(h, a.ptr(2)), Side::Pageable | Side::None)
    {
        return Err(CudaError::INVALID_VALUE.into());
    }
    if h.value(a.ptr(0), 1)? != 0 {
        h.m.cuda.get_mut().memory.synchronous.insert(start);
    } else {
        h.m.cuda.get_mut().memory.synchronous.remove(&start);
    }
    Ok(())
}
