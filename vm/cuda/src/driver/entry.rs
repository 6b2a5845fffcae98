//! Functions of the driver found by their name while the program runs.

use crate::api::{self, Interface};
use crate::call::Call;
use crate::constants::{
    CU_GET_PROC_ADDRESS_SUCCESS as FOUND, CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND as NOT_FOUND,
    CU_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT as VERSION_TOO_LOW,
};
use crate::layout::Fields;
use crate::{Api, CudaError, Fail, RuntimeCall};
use cudair_engine::Args;
use cudair_lane::fault::Stop;
use cudair_lane::ptr::Ptr;

/// The longest name that is looked up.
const MAX_NAME: u64 = 4096;
/// The oldest version whose functions can be had so.
const OLDEST: i32 = 2000;

/// The address of a function of the driver by its name, for a version of the interface.
fn find(
    h: &mut RuntimeCall<'_, '_>,
    name: Ptr,
    version: i32,
    flags: u64,
) -> Result<(Option<Ptr>, u32), Fail> {
    // Streams as usual, the legacy default one, or that of the thread.
    if flags > 2 {
        return Err(CudaError::INVALID_VALUE.into());
    }
    let name = h.string(name, Some(MAX_NAME))?;
    let name = String::from_utf8_lossy(&name).into_owned();
    let known = api::find(&name).is_some_and(|function| function.interface == Interface::Driver);
    if !known {
        return Ok((None, NOT_FOUND));
    }
    if version < OLDEST {
        return Ok((None, VERSION_TOO_LOW));
    }
    match h.m.module.func_by_name(&name) {
        Some(func) => Ok((Some(Ptr::code(func.as_u32())), FOUND)),
        None => Err(Fail::Stop(Stop::unsupported(format!(
            "the address of `{name}` by its name, when the program mentions the function nowhere else"
        )))),
    }
}

/// `cuGetProcAddress(name, function, version, flags, status)`
pub(super) fn of_driver(h: &mut RuntimeCall<'_, '_>, a: &Args<'_>) -> Api {
    if a.ptr(1).is_null() {
        return Err(CudaError::INVALID_VALUE.into());
    }
    let (found, status) = find(h, a.ptr(0), a.i32(2), a.u64(3))?;
    h.give(a.ptr(1), found.unwrap_or(Ptr::NULL).0, 8)?;
    if !a.ptr(4).is_null() {
        h.put_value(a.ptr(4), status)?;
    }
    match found {
        Some(_) => Ok(()),
        // Whoever asks for the status is told by it.
        None if !a.ptr(4).is_null() => Ok(()),
        None => Err(CudaError::SYMBOL_NOT_FOUND.into()),
    }
}

fn of_runtime(h: &mut RuntimeCall<'_, '_>, a: &Args<'_>, version: i32, flags: u64, status: Ptr) -> Api {
    if a.ptr(1).is_null() {
        return Err(CudaError::INVALID_VALUE.into());
    }
    let (found, result) = find(h, a.ptr(0), version, flags)?;
    h.give(a.ptr(1), found.unwrap_or(Ptr::NULL).0, 8)?;
    if !status.is_null() {
        return h.put_value(status, result);
    }
    if found.is_some() { Ok(()) } else { Err(CudaError::SYMBOL_NOT_FOUND.into()) }
}

/// `cudaGetDriverEntryPoint(name, function, flags, status)`
pub(crate) fn point(h: &mut RuntimeCall<'_, '_>, a: &Args<'_>) -> Api {
    let version = h.m.config.device.runtime_version;
    of_runtime(h, a, version, a.u64(2), a.ptr(3))
}

/// `cudaGetDriverEntryPointByVersion(name, function, version, flags, status)`
pub(crate) fn point_of_version(h: &mut RuntimeCall<'_, '_>, a: &Args<'_>) -> Api {
    of_runtime(h, a, a.i32(2), a.u64(3), a.ptr(4))
}
