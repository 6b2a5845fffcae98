//! Device variables by address: the symbol that the program passes is the variable's own address.

use super::memory::{Timing, transfer};
use super::queue::Extent;
use super::{Api, CudaError, Fail, stream};
use crate::RuntimeCall;
use crate::call::Call;
use crate::constants::{
    cudaMemcpyDefault, cudaMemcpyDeviceToDevice, cudaMemcpyDeviceToHost, cudaMemcpyHostToDevice,
};
use cudair_engine::Args;
use cudair_engine::guest::Host;
use cudair_ir::Space;
use cudair_lane::fault::AllocKind;
use cudair_lane::ptr::Ptr;

/// The start and size of the variable that a symbol names.
fn find(h: &mut RuntimeCall<'_, '_>, symbol: Ptr) -> Result<(Ptr, u64), Fail> {
    match h.m.mem.lookup(symbol) {
        Some((start, size, Space::Global | Space::Const | Space::Managed, AllocKind::Static)) => {
            Ok((start, size))
        }
        _ => Err(CudaError::INVALID_SYMBOL.into()),
    }
}

pub(crate) fn address(h: &mut RuntimeCall<'_, '_>, a: &Args<'_>) -> Api {
    let (start, _) = find(h, a.ptr(1))?;
    h.give(a.ptr(0), start.0, 8)
}

pub(crate) fn size(h: &mut RuntimeCall<'_, '_>, a: &Args<'_>) -> Api {
    let (_, size) = find(h, a.ptr(1))?;
    h.give(a.ptr(0), size, 8)
}

/// The place in a variable that a copy starts at.
pub(super) fn place(h: &mut Host<'_>, symbol: Ptr, count: u64, offset: u64) -> Result<Ptr, Fail> {
    let (_, size) = h.with_runtime(|h| find(h, symbol))?;
    if offset.checked_add(count).is_none_or(|end| end > size) {
        let message =
            format!("a copy of {count} bytes at offset {offset} goes outside a variable of {size} bytes");
        return Err(h.bad_argument(CudaError::INVALID_VALUE, message));
    }
    Ok(symbol.add(offset as i64))
}

/// Whether a copy of a kind can write to a symbol, which is the device's.
pub(super) fn can_be_target(kind: i32) -> bool {
    matches!(kind, cudaMemcpyHostToDevice | cudaMemcpyDeviceToDevice | cudaMemcpyDefault)
}

/// Whether a copy of a kind can read from a symbol.
pub(super) fn can_be_source(kind: i32) -> bool {
    matches!(kind, cudaMemcpyDeviceToHost | cudaMemcpyDeviceToDevice | cudaMemcpyDefault)
}

/// `(symbol, src, count, offset, kind)`
fn to(h: &mut Host<'_>, a: &Args<'_>, timing: Timing) -> Api {
    let dst = place(h, a.ptr(0), a.u64(2), a.u64(3))?;
    if !can_be_target(a.i32(4)) {
        return Err(CudaError::INVALID_MEMCPY_DIRECTION.into());
    }
    transfer(h, (dst, 0, 0), (a.ptr(1), 0, 0), Extent::linear(a.u64(2)), a.i32(4), timing)
}

/// `(dst, symbol, count, offset, kind)`
fn from(h: &mut Host<'_>, a: &Args<'_>, timing: Timing) -> Api {
    let src = place(h, a.ptr(1), a.u64(2), a.u64(3))?;
    if !can_be_source(a.i32(4)) {
        return Err(CudaError::INVALID_MEMCPY_DIRECTION.into());
    }
    transfer(h, (a.ptr(0), 0, 0), (src, 0, 0), Extent::linear(a.u64(2)), a.i32(4), timing)
}

pub(crate) fn copy_to(h: &mut Host<'_>, a: &Args<'_>) -> Api {
    to(h, a, Timing::Blocking)
}

pub(crate) fn copy_to_async(h: &mut Host<'_>, a: &Args<'_>) -> Api {
    let stream = stream::find(h, a.ptr(5))?;
    to(h, a, Timing::Async(stream))
}

pub(crate) fn copy_from(h: &mut Host<'_>, a: &Args<'_>) -> Api {
    from(h, a, Timing::Blocking)
}

pub(crate) fn copy_from_async(h: &mut Host<'_>, a: &Args<'_>) -> Api {
    let stream = stream::find(h, a.ptr(5))?;
    from(h, a, Timing::Async(stream))
}
