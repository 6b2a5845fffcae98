//! Devices, as the driver describes them.

use super::array::format_bits;
use crate::call::Call;
use crate::device::{known, linear_texture};
use crate::layout::{CUdevprop, Structure};
use crate::{Api, CudaError, Kept, RuntimeCall, properties, text};
use cudair_engine::Args;
use cudair_engine::guest::Guest;
use cudair_lane::ptr::Ptr;

/// `cuInit(flags)`
pub(super) fn init(h: &mut RuntimeCall<'_, '_>, a: &Args<'_>) -> Api {
    if a.u32(0) != 0 {
        return Err(CudaError::INVALID_VALUE.into());
    }
    h.m.cuda.get_mut().contexts.initialized = true;
    Ok(())
}

/// `cuGetErrorName(error, name)` and `cuGetErrorString(error, text)`: null for what is no error.
fn told(h: &mut RuntimeCall<'_, '_>, out: Ptr, known: Option<&'static str>) -> Api {
    let at = match known {
        Some(known) => text(h.m, known)?,
        None => Ptr::NULL,
    };
    h.give(out, at.0, 8)?;
    if known.is_some() { Ok(()) } else { Err(CudaError::INVALID_VALUE.into()) }
}

pub(super) fn error_name(h: &mut RuntimeCall<'_, '_>, a: &Args<'_>) -> Api {
    told(h, a.ptr(1), CudaError(a.i32(0)).driver_name())
}

pub(super) fn error_text(h: &mut RuntimeCall<'_, '_>, a: &Args<'_>) -> Api {
    told(h, a.ptr(1), CudaError(a.i32(0)).driver_text())
}

/// `cuDeviceGet(device, ordinal)`
pub(super) fn get(h: &mut RuntimeCall<'_, '_>, a: &Args<'_>) -> Api {
    if a.ptr(0).is_null() {
        return Err(CudaError::INVALID_VALUE.into());
    }
    known(a.i32(1))?;
    h.give(a.ptr(0), 0, 4)
}

/// `cuCtxGetDevice(device)`
pub(super) fn of_context(h: &mut RuntimeCall<'_, '_>, a: &Args<'_>) -> Api {
    h.give(a.ptr(0), 0, 4)
}

/// `cuDeviceGetName(name, size, device)`
pub(super) fn name(h: &mut RuntimeCall<'_, '_>, a: &Args<'_>) -> Api {
    if a.ptr(0).is_null() || a.i32(1) <= 0 {
        return Err(CudaError::INVALID_VALUE.into());
    }
    known(a.i32(2))?;
    let name = h.m.config.device.name.clone();
    let fits = name.len().min(a.i32(1) as usize - 1);
    h.put_cstr(a.ptr(0), &name.as_bytes()[..fits])?;
    Ok(())
}

/// `cuDeviceGetUuid(uuid, device)`
pub(super) fn uuid(h: &mut RuntimeCall<'_, '_>, a: &Args<'_>) -> Api {
    known(a.i32(1))?;
    h.store(a.ptr(0), &properties::UUID)
}

/// `cuDeviceGetLuid(luid, mask, device)`: another system's way to name devices.
pub(super) fn no_luid(_: &mut RuntimeCall<'_, '_>, a: &Args<'_>) -> Api {
    known(a.i32(2))?;
    Err(CudaError::NOT_SUPPORTED.into())
}

/// `cuDeviceTotalMem(bytes, device)`
pub(super) fn total_memory(h: &mut RuntimeCall<'_, '_>, a: &Args<'_>) -> Api {
    known(a.i32(1))?;
    let bytes = crate::memory::total_bytes(h.m);
    h.give(a.ptr(0), bytes, 8)
}

/// `cuDeviceComputeCapability(major, minor, device)`
pub(super) fn capability(h: &mut RuntimeCall<'_, '_>, a: &Args<'_>) -> Api {
    known(a.i32(2))?;
    let (major, minor) = (h.m.config.device.major, h.m.config.device.minor);
    h.give(a.ptr(0), u64::from(major as u32), 4)?;
    h.give(a.ptr(1), u64::from(minor as u32), 4)
}

/// `cuDeviceGetProperties(properties, device)`: a `CUdevprop`.
pub(super) fn properties(h: &mut RuntimeCall<'_, '_>, a: &Args<'_>) -> Api {
    known(a.i32(1))?;
    let p = &h.m.config.device;
    let clamp = |n: u64| i32::try_from(n).unwrap_or(i32::MAX);
    let mut told = Structure::zeroed();
    told.set(CUdevprop::maxThreadsPerBlock, p.block.max_threads_per_block);
    told.set(CUdevprop::maxThreadsDim, p.block.max_threads_dim);
    told.set(CUdevprop::maxGridSize, p.block.max_grid_size);
    told.set(CUdevprop::sharedMemPerBlock, clamp(p.block.shared_mem_per_block));
    told.set(CUdevprop::totalConstantMemory, clamp(p.memory.total_const_mem));
    told.set(CUdevprop::SIMDWidth, p.block.warp_size);
    told.set(CUdevprop::memPitch, clamp(p.memory.mem_pitch));
    told.set(CUdevprop::regsPerBlock, p.block.regs_per_block);
    told.set(CUdevprop::clockRate, p.multiprocessor.clock_rate);
    told.set(CUdevprop::textureAlign, clamp(p.texture.texture_alignment));
    h.store(a.ptr(0), told.bytes())
}

/// `cuDeviceGetTexture1DLinearMaxWidth(width, format, channels, device)`
pub(super) fn linear_texture_width(h: &mut RuntimeCall<'_, '_>, a: &Args<'_>) -> Api {
    let (Some(bits), 1 | 2 | 4) = (format_bits(a.u32(1)), a.u32(2)) else {
        return Err(CudaError::INVALID_VALUE.into());
    };
    known(a.i32(3))?;
    linear_texture(h, a.ptr(0), u64::from(bits.0) * u64::from(a.u32(2)) / 8)
}

/// `cuDeviceGetExecAffinitySupport(support, type, device)`: the device is used whole.
pub(super) fn affinity_support(h: &mut RuntimeCall<'_, '_>, a: &Args<'_>) -> Api {
    if a.u32(1) != 0 {
        return Err(CudaError::INVALID_VALUE.into());
    }
    known(a.i32(2))?;
    h.give(a.ptr(0), 0, 4)
}
