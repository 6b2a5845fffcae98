//! Contexts: the device's primary one, which the runtime makes current by itself, and those that the program makes. They
//! share one address space and one device; what a context owns goes with it.
//!
//! Not told apart: threads of the host, which share one stack of current contexts.

use crate::call::Call;
use crate::device::known;
use crate::layout::{CUctxCreateParams, Structure};
use crate::{Api, CudaError, Fail, Kept, RuntimeCall, device, event, queue, stream};
use cudair_engine::Args;
use cudair_engine::guest::{Host, runtime_object};
use cudair_lane::ptr::Ptr;
use rustc_hash::FxHashMap;

/// Every flag of a context.
const FLAGS: u32 = 0x1ff;
/// The version of the interface that contexts are made for.
const API_VERSION: u64 = 3020;

/// A context that the program made.
#[derive(Clone, Copy, Debug)]
struct Context {
    flags: u32,
    /// Uses by `cuCtxAttach`, the first being its making.
    uses: u32,
    id: u64,
    destroyed: bool,
}

/// Contexts of the driver.
#[derive(Debug, Default)]
pub(crate) struct Contexts {
    /// `cuInit` was called, or the runtime has done so.
    pub(crate) initialized: bool,
    /// The runtime was used: where no context is current, the primary one is.
    pub(crate) runtime: bool,
    primary: Option<Ptr>,
    retained: u32,
    made: FxHashMap<Ptr, Context>,
    current: Vec<Ptr>,
    /// Whose each allocation is that is not the primary one's.
    owned: FxHashMap<Ptr, Ptr>,
}

impl Contexts {
    /// The runtime is used.
    pub(crate) fn of_runtime(&mut self) {
        self.initialized = true;
        self.runtime = true;
    }

    /// Whether there is a current context.
    pub(crate) fn any(&self) -> bool {
        self.runtime || !self.current.is_empty()
    }

    /// Memory was allocated: it is the current context's.
    pub(crate) fn own(&mut self, ptr: Ptr) {
        if let Some(&context) = self.current.last()
            && self.primary != Some(context)
        {
            self.owned.insert(ptr, context);
        }
    }

    /// Memory was freed.
    pub(crate) fn disown(&mut self, ptr: Ptr) {
        self.owned.remove(&ptr);
    }
}

/// The handle of the primary context, made where there is none yet.
fn primary(h: &mut RuntimeCall<'_, '_>) -> Result<Ptr, Fail> {
    if let Some(handle) = h.m.cuda.get().contexts.primary {
        return Ok(handle);
    }
    let handle = runtime_object(h.m, "primary context", &[0; 8], 8)?;
    h.m.cuda.get_mut().contexts.primary = Some(handle);
    Ok(handle)
}

/// The current context; null where there is none.
pub(super) fn current(h: &mut RuntimeCall<'_, '_>) -> Result<Ptr, Fail> {
    match h.m.cuda.get().contexts.current.last() {
        Some(&context) => Ok(context),
        None if h.m.cuda.get().contexts.runtime => primary(h),
        None => Ok(Ptr::NULL),
    }
}

/// A context must be one.
pub(super) fn check(h: &mut RuntimeCall<'_, '_>, handle: Ptr) -> Api {
    let contexts = &h.m.cuda.get().contexts;
    let message = match contexts.made.get(&handle) {
        Some(context) if !context.destroyed => return Ok(()),
        Some(_) => "a context is used after `cuCtxDestroy`",
        None if contexts.primary == Some(handle) => return Ok(()),
        None if handle.is_null() => return Err(CudaError::CONTEXT_INVALID.into()),
        None => "this value is not a context",
    };
    Err(h.bad_argument(CudaError::CONTEXT_INVALID, message.to_owned()))
}

/// One of the ways to wait at most, and no flag that is none.
fn check_flags(flags: u32) -> Api {
    let good = flags & !FLAGS == 0 && (flags & 7).count_ones() <= 1;
    if good { Ok(()) } else { Err(CudaError::INVALID_VALUE.into()) }
}

fn make(h: &mut RuntimeCall<'_, '_>, out: Ptr, flags: u32, on: i32) -> Api {
    if out.is_null() {
        return Err(CudaError::INVALID_VALUE.into());
    }
    check_flags(flags)?;
    known(on)?;
    let handle = runtime_object(h.m, "context", &[0; 8], 8)?;
    let id = h.m.cuda.get().contexts.made.len() as u64 + 2;
    h.m.cuda.get_mut().contexts.made.insert(handle, Context { flags, uses: 1, id, destroyed: false });
    h.m.cuda.get_mut().contexts.current.push(handle);
    h.give(out, handle.0, 8)
}

/// `cuCtxCreate(context, flags, device)`
pub(super) fn create(h: &mut RuntimeCall<'_, '_>, a: &Args<'_>) -> Api {
    make(h, a.ptr(0), a.u32(1), a.i32(2))
}

/// `cuCtxCreate_v3(context, affinities, count, flags, device)`: no device here has parts to be chosen.
pub(super) fn create_with_affinity(h: &mut RuntimeCall<'_, '_>, a: &Args<'_>) -> Api {
    if a.i32(2) != 0 {
        return Err(CudaError::UNSUPPORTED_EXEC_AFFINITY.into());
    }
    make(h, a.ptr(0), a.u32(3), a.i32(4))
}

/// `cuCtxCreate_v4(context, parameters, flags, device)`
pub(super) fn create_with_parameters(h: &mut RuntimeCall<'_, '_>, a: &Args<'_>) -> Api {
    if !a.ptr(1).is_null() {
        let parameters = Structure::read(h, a.ptr(1))?;
        if parameters.get(CUctxCreateParams::numExecAffinityParams) != 0 {
            return Err(CudaError::UNSUPPORTED_EXEC_AFFINITY.into());
        }
        if !parameters.get(CUctxCreateParams::cigParams).is_null() {
            return Err(CudaError::NOT_SUPPORTED.into());
        }
    }
    make(h, a.ptr(0), a.u32(2), a.i32(3))
}

/// What a context owns goes, and it is current no more.
fn drop_context(h: &mut Host<'_>, handle: Ptr) -> Api {
    queue::synchronize(h.m)?;
    let owned: Vec<Ptr> =
        h.m.cuda.get().contexts.owned.iter().filter(|(_, c)| **c == handle).map(|(p, _)| *p).collect();
    for ptr in owned {
        h.m.cuda.get_mut().contexts.disown(ptr);
        if h.m.cuda.get_mut().memory.remove(ptr) {
            h.m.mem.drop_object(ptr);
        }
    }
    let contexts = &mut h.m.cuda.get_mut().contexts;
    if let Some(context) = contexts.made.get_mut(&handle) {
        context.destroyed = true;
    }
    if contexts.current.last() == Some(&handle) {
        contexts.current.pop();
    }
    Ok(())
}

/// `cuCtxDestroy(context)`
pub(super) fn destroy(h: &mut Host<'_>, a: &Args<'_>) -> Api {
    h.with_runtime(|h| check(h, a.ptr(0)))?;
    if h.m.cuda.get().contexts.primary == Some(a.ptr(0)) {
        let message = "`cuCtxDestroy` of the primary context: release it with `cuDevicePrimaryCtxRelease`";
        return Err(h.bad_argument(CudaError::CONTEXT_INVALID, message.to_owned()));
    }
    drop_context(h, a.ptr(0))
}

/// `cuCtxAttach(context, flags)`: the current one is used once more.
pub(super) fn attach(h: &mut RuntimeCall<'_, '_>, a: &Args<'_>) -> Api {
    if a.u32(1) != 0 || a.ptr(0).is_null() {
        return Err(CudaError::INVALID_VALUE.into());
    }
    let handle = current(h)?;
    if let Some(context) = h.m.cuda.get_mut().contexts.made.get_mut(&handle) {
        context.uses += 1;
    }
    h.give(a.ptr(0), handle.0, 8)
}

/// `cuCtxDetach(context)`
pub(super) fn detach(h: &mut Host<'_>, a: &Args<'_>) -> Api {
    h.with_runtime(|h| check(h, a.ptr(0)))?;
    if h.with_runtime(current)? != a.ptr(0) {
        return Err(CudaError::CONTEXT_INVALID.into());
    }
    match h.m.cuda.get_mut().contexts.made.get_mut(&a.ptr(0)) {
        Some(context) if context.uses > 1 => {
            context.uses -= 1;
            Ok(())
        }
        Some(_) => drop_context(h, a.ptr(0)),
        None => Ok(()),
    }
}

/// `cuCtxPushCurrent(context)`
pub(super) fn push(h: &mut RuntimeCall<'_, '_>, a: &Args<'_>) -> Api {
    if a.ptr(0).is_null() {
        return Err(CudaError::INVALID_VALUE.into());
    }
    check(h, a.ptr(0))?;
    h.m.cuda.get_mut().contexts.current.push(a.ptr(0));
    Ok(())
}

/// `cuCtxPopCurrent(context)`
pub(super) fn pop(h: &mut RuntimeCall<'_, '_>, a: &Args<'_>) -> Api {
    let top = current(h)?;
    h.m.cuda.get_mut().contexts.current.pop();
    if a.ptr(0).is_null() { Ok(()) } else { h.give(a.ptr(0), top.0, 8) }
}

/// `cuCtxSetCurrent(context)`: null takes the current one away.
pub(super) fn set_current(h: &mut RuntimeCall<'_, '_>, a: &Args<'_>) -> Api {
    if !a.ptr(0).is_null() {
        check(h, a.ptr(0))?;
    }
    let contexts = &mut h.m.cuda.get_mut().contexts;
    contexts.current.pop();
    if !a.ptr(0).is_null() {
        contexts.current.push(a.ptr(0));
    }
    Ok(())
}

/// `cuCtxGetCurrent(context)`
pub(super) fn get_current(h: &mut RuntimeCall<'_, '_>, a: &Args<'_>) -> Api {
    let handle = current(h)?;
    h.give(a.ptr(0), handle.0, 8)
}

/// `cuStreamGetCtx(stream, context)`; a stream of a green context there is none.
pub(super) fn of_stream(h: &mut RuntimeCall<'_, '_>, a: &Args<'_>) -> Api {
    stream::find(h, a.ptr(0))?;
    let handle = current(h)?;
    h.give(a.ptr(1), handle.0, 8)
}

/// `cuStreamGetCtx_v2(stream, context, green)`
pub(super) fn of_stream_or_green(h: &mut RuntimeCall<'_, '_>, a: &Args<'_>) -> Api {
    // Whoever does not ask for the context passes null.
    if a.ptr(1).is_null() {
        stream::find(h, a.ptr(0))?;
    } else {
        of_stream(h, a)?;
    }
    h.give(a.ptr(2), 0, 8)
}

/// `cuEventElapsedTime(milliseconds, first, second)`: the driver calls a null pointer a handle that is none.
pub(super) fn elapsed(h: &mut RuntimeCall<'_, '_>, a: &Args<'_>) -> Api {
    if a.ptr(0).is_null() {
        event::find(h, a.ptr(1))?;
        event::find(h, a.ptr(2))?;
        return Err(CudaError::INVALID_RESOURCE_HANDLE.into());
    }
    event::elapsed(h, a)
}

fn flags_of(h: &mut RuntimeCall<'_, '_>) -> Result<u32, Fail> {
    let handle = current(h)?;
    let own = h.m.cuda.get().contexts.made.get(&handle).map(|c| c.flags);
    // Mapping of host memory is always on.
    Ok(own.unwrap_or(h.m.cuda.get().device.flags) | 8)
}

/// `cuCtxGetFlags(flags)`
pub(super) fn get_flags(h: &mut RuntimeCall<'_, '_>, a: &Args<'_>) -> Api {
    let flags = flags_of(h)?;
    h.give(a.ptr(0), flags.into(), 4)
}

/// `cuCtxSetFlags(flags)`
pub(super) fn set_flags(h: &mut RuntimeCall<'_, '_>, a: &Args<'_>) -> Api {
    check_flags(a.u32(0))?;
    let handle = current(h)?;
    match h.m.cuda.get_mut().contexts.made.get_mut(&handle) {
        Some(context) => context.flags = a.u32(0),
        None => h.m.cuda.get_mut().device.flags = a.u32(0),
    }
    Ok(())
}

/// The context that a call names, or the current one for null.
fn named(h: &mut RuntimeCall<'_, '_>, handle: Ptr) -> Result<Ptr, Fail> {
    if handle.is_null() {
        return current(h);
    }
    check(h, handle)?;
    Ok(handle)
}

/// `cuCtxGetId(context, id)`
pub(super) fn id(h: &mut RuntimeCall<'_, '_>, a: &Args<'_>) -> Api {
    let handle = named(h, a.ptr(0))?;
    let id = h.m.cuda.get().contexts.made.get(&handle).map_or(1, |c| c.id);
    h.give(a.ptr(1), id, 8)
}

/// `cuCtxGetApiVersion(context, version)`
pub(super) fn version(h: &mut RuntimeCall<'_, '_>, a: &Args<'_>) -> Api {
    named(h, a.ptr(0))?;
    h.give(a.ptr(1), API_VERSION, 4)
}

/// `cuCtxGetExecAffinity(affinity, type)`
pub(super) fn affinity(_: &mut RuntimeCall<'_, '_>, a: &Args<'_>) -> Api {
    if a.ptr(0).is_null() || a.u32(1) != 0 {
        return Err(CudaError::INVALID_VALUE.into());
    }
    Err(CudaError::UNSUPPORTED_EXEC_AFFINITY.into())
}

/// `cuCtxEnablePeerAccess(context, flags)`: a context of the only device is no peer.
pub(super) fn enable_peer(h: &mut RuntimeCall<'_, '_>, a: &Args<'_>) -> Api {
    check(h, a.ptr(0))?;
    if a.u32(1) != 0 {
        return Err(CudaError::INVALID_VALUE.into());
    }
    if current(h)? == a.ptr(0) {
        return Err(CudaError::CONTEXT_INVALID.into());
    }
    Err(CudaError::PEER_ACCESS_UNSUPPORTED.into())
}

/// `cuCtxDisablePeerAccess(context)`
pub(super) fn disable_peer(h: &mut RuntimeCall<'_, '_>, a: &Args<'_>) -> Api {
    check(h, a.ptr(0))?;
    Err(CudaError::PEER_ACCESS_NOT_ENABLED.into())
}

// The primary context.

/// `cuDevicePrimaryCtxRetain(context, device)`
pub(super) fn retain_primary(h: &mut RuntimeCall<'_, '_>, a: &Args<'_>) -> Api {
    if a.ptr(0).is_null() {
        return Err(CudaError::INVALID_VALUE.into());
    }
    known(a.i32(1))?;
    let handle = primary(h)?;
    h.m.cuda.get_mut().contexts.retained += 1;
    h.give(a.ptr(0), handle.0, 8)
}

/// `cuDevicePrimaryCtxRelease(device)`: the last release resets it, unless the runtime uses it.
pub(super) fn release_primary(h: &mut Host<'_>, a: &Args<'_>) -> Api {
    known(a.i32(0))?;
    if h.m.cuda.get().contexts.retained == 0 {
        return Err(CudaError::CONTEXT_INVALID.into());
    }
    h.m.cuda.get_mut().contexts.retained -= 1;
    if h.m.cuda.get().contexts.retained > 0 || h.m.cuda.get().contexts.runtime {
        return Ok(());
    }
    reset_primary(h, a)
}

/// `cuDevicePrimaryCtxReset(device)`
pub(super) fn reset_primary(h: &mut Host<'_>, a: &Args<'_>) -> Api {
    known(a.i32(0))?;
    device::reset(h, a)
}

/// `cuDevicePrimaryCtxSetFlags(device, flags)`
pub(super) fn set_primary_flags(h: &mut RuntimeCall<'_, '_>, a: &Args<'_>) -> Api {
    known(a.i32(0))?;
    check_flags(a.u32(1))?;
    h.m.cuda.get_mut().device.flags = a.u32(1);
    Ok(())
}

/// `cuDevicePrimaryCtxGetState(device, flags, active)`
pub(super) fn primary_state(h: &mut RuntimeCall<'_, '_>, a: &Args<'_>) -> Api {
    known(a.i32(0))?;
    if a.ptr(1).is_null() || a.ptr(2).is_null() {
        return Err(CudaError::INVALID_VALUE.into());
    }
    let contexts = &h.m.cuda.get().contexts;
    let active = contexts.retained > 0 || contexts.runtime;
    let flags = h.m.cuda.get().device.flags;
    h.give(a.ptr(1), flags.into(), 4)?;
    h.give(a.ptr(2), active.into(), 4)
}
