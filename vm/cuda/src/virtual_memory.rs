//! The driver's virtual memory: addresses are reserved, physical memory is made, and mapped there.
//!
//! A reservation is one object, so that its bounds and its end are checked. Not looked for: accesses to parts of it to which
//! nothing is mapped, or without access. One piece of physical memory at two addresses is not supported.

use super::{Api, CudaError, Fail};
use crate::call::Call;
use crate::constants::*;
use crate::layout::{CUmemAllocationProp, Fields, Laid, cudaMemAccessDesc, cudaMemLocation, element};
use crate::{Kept, RuntimeCall};
use cudair_engine::Args;
use cudair_engine::guest::{Guest, Host};
use cudair_ir::Space;
use cudair_lane::fault::{AllocKind, Stop};
use cudair_lane::ptr::Ptr;
use cudair_memory::{AllocInfo, InitState, LaneCx, Memory};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// Sizes of pieces are multiples of this.
const GRANULARITY: u64 = 2 << 20;

/// Physical memory.
#[derive(Clone, Debug)]
struct Piece {
    size: u64,
    properties: Vec<u8>,
    released: bool,
    /// Handles of it besides the first.
    retained: u32,
    mapped: bool,
}

/// What is reserved, made and mapped.
#[derive(Debug, Default)]
pub(super) struct VirtualMemory {
    reserved: FxHashMap<Ptr, u64>,
    pieces: FxHashMap<u64, Piece>,
    made: u64,
    /// By their first address: bytes and the piece.
    mapped: BTreeMap<u64, (u64, u64)>,
}

impl VirtualMemory {
    /// The mappings that make up a range, if they do so exactly.
    fn within(&self, start: Ptr, size: u64) -> Option<Vec<u64>> {
        let mut at = start.0;
        let end = at.checked_add(size)?;
        let mut found = Vec::new();
        while at < end {
            let (bytes, _) = self.mapped.get(&at)?;
            found.push(at);
            at += bytes;
        }
        (at == end).then_some(found)
    }

    /// The bytes of pieces that are neither mapped nor held; they are gone.
    fn sweep(&mut self) -> u64 {
        let gone = self.pieces.values().filter(|p| p.released && !p.mapped).map(|p| p.size).sum();
        self.pieces.retain(|_, p| !p.released || p.mapped);
        gone
    }
}

fn fits(size: u64) -> Result<(), Fail> {
    let good = size != 0 && size.is_multiple_of(GRANULARITY);
    if good { Ok(()) } else { Err(CudaError::INVALID_VALUE.into()) }
}

/// The properties of memory to be made, which must be pinned memory of the device.
fn properties(h: &mut RuntimeCall<'_, '_>, ptr: Ptr) -> Result<Vec<u8>, Fail> {
    use CUmemAllocationProp as Prop;
    if ptr.is_null()
        || h.field(ptr, Prop::kind)? != cudaMemAllocationTypePinned
        || h.field(ptr, Prop::location.then(cudaMemLocation::kind))? != cudaMemLocationTypeDevice
    {
        return Err(CudaError::INVALID_VALUE.into());
    }
    if h.field(ptr, Prop::location.then(cudaMemLocation::id))? != 0 {
        return Err(CudaError::INVALID_DEVICE.into());
    }
    if h.field(ptr, Prop::requestedHandleTypes)? != cudaMemHandleTypeNone {
        return Err(Fail::Stop(Stop::unsupported("memory that other processes may open")));
    }
    Ok(h.read(ptr, Prop::SIZE as u64)?)
}

/// `cuMemGetAllocationGranularity(size, properties, which)`
pub(crate) fn granularity(h: &mut RuntimeCall<'_, '_>, a: &Args<'_>) -> Api {
    properties(h, a.ptr(1))?;
    h.give(a.ptr(0), GRANULARITY, 8)
}

/// `cuMemGetAllocationPropertiesFromHandle(properties, handle)`
pub(crate) fn properties_of(h: &mut RuntimeCall<'_, '_>, a: &Args<'_>) -> Api {
    let Some(piece) = h.m.cuda.get().virtual_memory.pieces.get(&a.u64(1)) else {
        return Err(CudaError::INVALID_VALUE.into());
    };
    let bytes = piece.properties.clone();
    h.store(a.ptr(0), &bytes)?;
    Ok(())
}

/// `cuMemAddressReserve(address, size, alignment, wish, flags)`
pub(crate) fn reserve(h: &mut RuntimeCall<'_, '_>, a: &Args<'_>) -> Api {
    let (size, align) = (a.u64(1), a.u64(2));
    fits(size)?;
    if !(align == 0 || align.is_power_of_two()) || a.u64(4) != 0 || !Memory::is_plausible(size) {
        return Err(CudaError::INVALID_VALUE.into());
    }
    let info = AllocInfo { kind: AllocKind::Reserved, name: None, place: h.who.place };
    let align = align.clamp(256, 4096);
    let ptr = h.m.mem.alloc(Space::Global, size, align, InitState::Uninit, info)?;
    h.m.cuda.get_mut().virtual_memory.reserved.insert(ptr, size);
    h.give(a.ptr(0), ptr.0, 8)
}

/// `cuMemAddressFree(address, size)`
pub(crate) fn give_back(h: &mut Host<'_>, a: &Args<'_>) -> Api {
    super::queue::synchronize(h.m)?;
    let (ptr, size) = (a.ptr(0), a.u64(1));
    let memory = &mut h.m.cuda.get_mut().virtual_memory;
    let mapped = memory.mapped.range(ptr.0..ptr.0.saturating_add(size)).next().is_some();
    if memory.reserved.get(&ptr) != Some(&size) || mapped {
        let message = "this range is not a whole reservation, or memory is still mapped in it".to_owned();
        return Err(h.bad_argument(CudaError::INVALID_VALUE, message));
    }
    memory.reserved.remove(&ptr);
    let who = h.who;
    let cx = LaneCx::host(&mut h.m.findings);
    h.m.mem.free(&cx, who, ptr, AllocKind::Reserved).map_err(Stop::from)?;
    Ok(())
}

/// `cuMemCreate(handle, size, properties, flags)`
pub(crate) fn create(h: &mut RuntimeCall<'_, '_>, a: &Args<'_>) -> Api {
    let size = a.u64(1);
    fits(size)?;
    let properties = properties(h, a.ptr(2))?;
    let free = super::memory::free_bytes(h.m);
    if size > free {
        h.m.cuda.get_mut().errors.refused = Some(super::errors::Refused { wanted: size, free });
        return Err(CudaError::MEMORY_ALLOCATION.into());
    }
    h.m.cuda.get_mut().memory.take(size);
    let memory = &mut h.m.cuda.get_mut().virtual_memory;
    memory.made += 1;
    let handle = memory.made << 4;
    memory.pieces.insert(handle, Piece { size, properties, released: false, retained: 0, mapped: false });
    h.give(a.ptr(0), handle, 8)
}

/// `cuMemRelease(handle)`: the memory lives on as long as it is mapped.
pub(crate) fn release(h: &mut RuntimeCall<'_, '_>, a: &Args<'_>) -> Api {
    match h.m.cuda.get_mut().virtual_memory.pieces.get_mut(&a.u64(0)).filter(|p| !p.released) {
        Some(piece) if piece.retained > 0 => piece.retained -= 1,
        Some(piece) => piece.released = true,
        None => {
            let message = "this handle does not name memory, or the memory was released before".to_owned();
            return Err(h.bad_argument(CudaError::INVALID_VALUE, message));
        }
    }
    let gone = h.m.cuda.get_mut().virtual_memory.sweep();
    h.m.cuda.get_mut().memory.give_back(gone);
    Ok(())
}

/// `cuMemMap(address, size, offset, handle, flags)`
pub(crate) fn map(h: &mut RuntimeCall<'_, '_>, a: &Args<'_>) -> Api {
    let (ptr, size, handle) = (a.ptr(0), a.u64(1), a.u64(3));
    fits(size)?;
    let memory = &mut h.m.cuda.get_mut().virtual_memory;
    let inside = memory.reserved.iter().any(|(start, bytes)| {
        ptr.0 >= start.0 && ptr.0.checked_add(size).is_some_and(|end| end <= start.0 + bytes)
    });
    let before = memory.mapped.range(..ptr.0.saturating_add(size)).next_back();
    let taken = before.is_some_and(|(&at, &(bytes, _))| at + bytes > ptr.0);
    let Some(piece) = memory.pieces.get_mut(&handle).filter(|p| !p.released) else {
        return Err(CudaError::INVALID_VALUE.into());
    };
    if !inside || taken || a.u64(2) != 0 || size != piece.size || a.u64(4) != 0 {
        return Err(CudaError::INVALID_VALUE.into());
    }
    if std::mem::replace(&mut piece.mapped, true) {
        return Err(Fail::Stop(Stop::unsupported("memory that is mapped at two addresses")));
    }
    memory.mapped.insert(ptr.0, (size, handle));
    Ok(())
}

/// `cuMemSetAccess(address, size, descriptions, count)`
pub(crate) fn set_access(h: &mut RuntimeCall<'_, '_>, a: &Args<'_>) -> Api {
    let known = h.m.cuda.get().virtual_memory.within(a.ptr(0), a.u64(1)).is_some();
    let count = a.u64(3);
    if !known || a.ptr(2).is_null() || count == 0 {
        return Err(CudaError::INVALID_VALUE.into());
    }
    for i in 0..count {
        let location = cudaMemAccessDesc::location.of(element::<cudaMemAccessDesc>(a.ptr(2), i));
        if h.field(location, cudaMemLocation::kind)? != cudaMemLocationTypeDevice {
            return Err(CudaError::INVALID_VALUE.into());
        }
        if h.field(location, cudaMemLocation::id)? != 0 {
            return Err(CudaError::INVALID_DEVICE.into());
        }
    }
    Ok(())
}

/// `cuMemGetAccess(flags, location, ptr)`: what is mapped the device reads and writes.
pub(crate) fn access(h: &mut RuntimeCall<'_, '_>, a: &Args<'_>) -> Api {
    let location = a.ptr(1);
    if location.is_null() || h.field(location, cudaMemLocation::kind)? != cudaMemLocationTypeDevice {
        return Err(CudaError::INVALID_VALUE.into());
    }
    if h.field(location, cudaMemLocation::id)? != 0 {
        return Err(CudaError::INVALID_DEVICE.into());
    }
    if at(h, a.ptr(2)).is_none() {
        return Err(CudaError::INVALID_VALUE.into());
    }
    h.put_value(a.ptr(0), u64::from(cudaMemAccessFlagsProtReadWrite))
}

/// The piece that is mapped at an address.
fn at(h: &RuntimeCall<'_, '_>, ptr: Ptr) -> Option<u64> {
    let (&start, &(bytes, handle)) = h.m.cuda.get().virtual_memory.mapped.range(..=ptr.0).next_back()?;
    (ptr.0 - start < bytes).then_some(handle)
}

/// `cuMemRetainAllocationHandle(handle, address)`: the handle lives until it is released once more.
pub(crate) fn retain(h: &mut RuntimeCall<'_, '_>, a: &Args<'_>) -> Api {
    let Some(handle) = at(h, a.ptr(1)) else { return Err(CudaError::INVALID_VALUE.into()) };
    if a.ptr(0).is_null() {
        return Err(CudaError::INVALID_VALUE.into());
    }
    if let Some(piece) = h.m.cuda.get_mut().virtual_memory.pieces.get_mut(&handle) {
        if piece.released {
            piece.released = false;
        } else {
            piece.retained += 1;
        }
    }
    h.give(a.ptr(0), handle, 8)
}

/// `cuMemExportToShareableHandle` and `cuMemImportFromShareableHandle`: no memory here was made for others
/// (`cuMemCreate` says so), which is what CUDA refuses these calls for.
pub(crate) fn nothing_shared(_: &mut RuntimeCall<'_, '_>, _: &Args<'_>) -> Api {
    Err(CudaError::INVALID_VALUE.into())
}

/// `cuMemUnmap(address, size)`
pub(crate) fn unmap(h: &mut Host<'_>, a: &Args<'_>) -> Api {
    super::queue::synchronize(h.m)?;
    let memory = &mut h.m.cuda.get_mut().virtual_memory;
    let Some(all) = memory.within(a.ptr(0), a.u64(1)) else {
        return Err(CudaError::INVALID_VALUE.into());
    };
    for at in all {
        if let Some((_, handle)) = memory.mapped.remove(&at)
            && let Some(piece) = memory.pieces.get_mut(&handle)
        {
            piece.mapped = false;
        }
    }
    let gone = memory.sweep();
    h.m.cuda.get_mut().memory.give_back(gone);
    Ok(())
}
