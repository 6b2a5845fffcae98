//! Launches: what a device refuses, the queueing, and what the runtime tells of kernels.

use super::admission::{self, shared_limit, static_shared};
use super::queue::{self, Work};
use super::registers::{registers, set_aside};
use super::{Api, CALL_COST, CudaError, Fail, cluster, event, graph, stream, text};
use crate::api::{Interface, refuse_called_back};
use crate::call::Call;
use crate::constants::*;
use crate::errors::remember;
use crate::layout::{
    Fields, Structure, cudaFuncAttributes, cudaLaunchAttribute, cudaLaunchAttributeValue, cudaLaunchConfig_t,
    dim3, element,
};
use crate::{Kept, RuntimeCall};
use cudair_engine::guest::{Guest, Host};
use cudair_engine::parts::{HasRuntime, HostRuntime};
use cudair_engine::{Args, ClusterRequest, LaunchRequest, Machine};
use cudair_ir::{FuncId, InstData, Module, ParamAttr, Side, Space};
use cudair_lane::fault::Stop;
use cudair_lane::ptr::{Ptr, Tag};
use cudair_memory::{ByteAccess, InitState, LaneCx, Reach};

/// The `Launch` instruction: checks the configuration and queues the kernel. Gives the error code.
///
/// # Errors
/// What running an older operation meets, when the queue is full.
pub(crate) fn launch(m: &mut Machine, request: LaunchRequest) -> Result<i32, Stop> {
    m.cuda.get_mut().host_time += CALL_COST;
    m.cuda.get_mut().contexts.of_runtime();
    if let Some(error) = m.cuda.get().errors.sticky {
        m.cuda.get_mut().errors.last = error;
        return Ok(error.0);
    }
    let place = request.place;
    let result = if m.cuda.get().called_back == Some(m.threads.current()) {
        let who = ByteAccess { lane: 0, place, native: Some("a launch") };
        Err(refuse_called_back(&mut Host { m: &mut *m, who }, "a launch"))
    } else {
        enqueue(m, request)
    };
    let (error, reported) = match graph::answer(&mut m.runtime(), result, place) {
        Ok(()) => return Ok(CudaError::SUCCESS.0),
        Err(Fail::Stop(stop)) => return Err(stop),
        Err(Fail::Code(error)) => (error, false),
        Err(Fail::Reported(error)) => (error, true),
    };
    m.cuda.get_mut().errors.last = error;
    if !reported {
        remember(&mut m.runtime(), error, ("<<<...>>>", Interface::Runtime), place);
    }
    Ok(error.0)
}

fn enqueue(m: &mut Machine, request: LaunchRequest) -> Api {
    let who = ByteAccess { lane: 0, place: request.place, native: Some("a launch") };
    let stream = {
        let mut host = Host { m: &mut *m, who };
        stream::find(&mut host, request.stream)?
    };
    admission::admit(m, &request, None).map_err(Fail::Reported)?;
    let (args, objects) = admission::by_value(&m.module.clone(), &request, |info, size, align, source| {
        let copy = m.mem.alloc(Space::Const, size, align, InitState::Uninit, info)?;
        if size > 0 {
            let cx = &mut LaneCx::host(&mut m.findings);
            m.mem.copy_between(cx, who, (copy, Reach::Any), (source, Reach::Host), size)?;
        }
        Ok::<_, Fail>(copy)
    })?;
    let calls = m.host_calls().into();
    let launch = admission::numbered(m, &request, args, calls);
    queue::push(m, stream, Work::Launch { launch: Box::new(launch), objects }, None, who)?;
    Ok(())
}

/// The kernel that a pointer names.
pub(super) fn kernel(h: &mut RuntimeCall<'_, '_>, ptr: Ptr) -> Result<FuncId, Fail> {
    let module = h.m.module.clone();
    let func = FuncId::from_u32(ptr.serial());
    if ptr.tag() == Tag::Code && module.funcs.get(func).is_some_and(|f| f.side == Side::Kernel) {
        return Ok(func);
    }
    Err(CudaError::INVALID_DEVICE_FUNCTION.into())
}

/// As [`kernel`], for calls that look at the kernel itself: what is a pointer but names none is called a bad handle.
pub(super) fn loaded(h: &mut RuntimeCall<'_, '_>, ptr: Ptr) -> Result<FuncId, Fail> {
    match kernel(h, ptr) {
        Err(_) if !ptr.is_null() => Err(CudaError::INVALID_RESOURCE_HANDLE.into()),
        found => found,
    }
}

fn dims(h: &mut Host<'_>, ptr: Ptr) -> Result<[u32; 3], Fail> {
    h.field(ptr, dim3::all)
}

/// `cudaLaunchKernel(func, grid, block, args, shared, stream)`: the arguments are found through pointers.
pub(crate) fn launch_kernel(h: &mut Host<'_>, a: &Args<'_>) -> Api {
    let shape = (dims(h, a.ptr(1))?, dims(h, a.ptr(2))?);
    let parameters = Parameters::Each(a.ptr(3));
    launch_with(h, a, a.ptr(0), shape, a.u64(4), parameters, a.ptr(5), ClusterRequest::default())
}

/// Where the arguments of a launch are found.
#[derive(Clone, Copy)]
pub(super) enum Parameters {
    /// An array of their addresses.
    Each(Ptr),
    /// A buffer of so many bytes, in which they stand as in a structure.
    Buffer(Ptr, u64),
}

/// Three arguments as dimensions.
pub(super) fn dims_of(a: &Args<'_>, at: usize) -> [u32; 3] {
    std::array::from_fn(|i| a.u32(at + i))
}

/// A launch whose arguments are found in memory.
pub(super) fn launch_with(
    h: &mut Host<'_>,
    a: &Args<'_>,
    function: Ptr,
    (grid, block): ([u32; 3], [u32; 3]),
    dynamic_shared: u64,
    parameters: Parameters,
    stream: Ptr,
    cluster: ClusterRequest,
) -> Api {
    let func = h.with_runtime(|h| loaded(h, function))?;
    let module = h.m.module.clone();
    let mut args = Vec::new();
    // Of the buffer.
    let mut end = 0u64;
    for (i, param) in module.funcs[func].sig.params.iter().enumerate() {
        let (size, align) = match param.attr {
            ParamAttr::ByVal { size, align_log2 } => (size.into(), 1 << align_log2.min(12)),
            _ => (u64::from(param.ty.access_bytes()), u64::from(param.ty.access_bytes()).max(1)),
        };
        let ptr = match parameters {
            Parameters::Each(list) if !list.is_null() => h.load(element::<Ptr>(list, i as u64))?,
            Parameters::Buffer(start, bytes) => {
                let at = end.next_multiple_of(align);
                end = at + size;
                if end > bytes {
                    return Err(CudaError::INVALID_VALUE.into());
                }
                start.add(at as i64)
            }
            Parameters::Each(_) => return Err(CudaError::INVALID_VALUE.into()),
        };
        if let ParamAttr::ByVal { .. } = param.attr {
            args.push(ptr.0.into());
            continue;
        }
        let bytes = h.read(ptr, size)?;
        args.push(bytes.iter().rev().fold(0u128, |w, &b| w << 8 | u128::from(b)));
    }
    let (place, loc) = (a.place, a.loc);
    let request =
        LaunchRequest { kernel: func, grid, block, cluster, dynamic_shared, stream, args, place, loc };
    enqueue(h.m, request)
}

/// The attributes of a `cudaLaunchConfig_t`: numbers, and where their values lie.
pub(super) fn launch_attributes(h: &mut RuntimeCall<'_, '_>, config: Ptr) -> Result<Vec<(u32, Ptr)>, Fail> {
    let count = h.field(config, cudaLaunchConfig_t::numAttrs)?;
    let list = if count == 0 { Ptr::NULL } else { h.field(config, cudaLaunchConfig_t::attrs)? };
    if count > 0 && list.is_null() {
        return Err(CudaError::INVALID_VALUE.into());
    }
    let mut found = Vec::new();
    for at in (0..count.min(64)).map(|i| element::<cudaLaunchAttribute>(list, i.into())) {
        found.push((h.field(at, cudaLaunchAttribute::id)?, cudaLaunchAttribute::val.of(at)));
    }
    Ok(found)
}

/// `cudaLaunchKernelExC(config, func, args)`: shape, shared memory, stream and attributes in a structure.
pub(crate) fn launch_configured(h: &mut Host<'_>, a: &Args<'_>) -> Api {
    use cudaLaunchAttributeValue as Value;
    use cudaLaunchConfig_t as Config;
    let config = Structure::read_to(h, a.ptr(0), Config::stream)?;
    let shape = (config.get(Config::gridDim.then(dim3::all)), config.get(Config::blockDim.then(dim3::all)));
    let (shared, stream) = (config.get(Config::dynamicSmemBytes), config.get(Config::stream));
    let mut marks = Vec::new();
    let mut clusters = ClusterRequest::default();
    for (number, value) in h.with_runtime(|h| launch_attributes(h, a.ptr(0)))? {
        h.with_runtime(|h| cluster::attribute(h, &mut clusters, number, value))?;
        match number {
            cudaLaunchAttributeCooperative if h.field(value, Value::cooperative)? != 0 => {
                check_cooperative(h, a.ptr(1), shape, shared)?;
            }
            // Events that the kernel's blocks or their end mark: behind the kernel, which is as late as they may be.
            cudaLaunchAttributeProgrammaticEvent => {
                let event = h.field(value, Value::programmaticEvent_event)?;
                marks.push(event::find(h, event)?);
            }
            cudaLaunchAttributeLaunchCompletionEvent => {
                let event = h.field(value, Value::launchCompletionEvent_event)?;
                marks.push(event::find(h, event)?);
            }
            // It is for launches that are captured.
            cudaLaunchAttributeDeviceUpdatableKernelNode if h.field(value, Value::deviceUpdatable)? != 0 => {
                return Err(Fail::Stop(Stop::unsupported(
                    "a kernel node of a graph that device code updates",
                )));
            }
            cudaLaunchAttributeIgnore..=cudaLaunchAttributePreferredSharedMemoryCarveout => {}
            _ => return Err(CudaError::INVALID_VALUE.into()),
        }
    }
    launch_with(h, a, a.ptr(1), shape, shared, Parameters::Each(a.ptr(2)), stream, clusters)?;
    let stream = stream::find(h, stream)?;
    let who = h.access();
    for event in marks {
        event::mark(h.m, event, stream, who)?;
    }
    Ok(())
}

/// `cudaLaunchCooperativeKernel`: all blocks must fit on the device at once, so that they can wait for each other.
pub(crate) fn launch_cooperative(h: &mut Host<'_>, a: &Args<'_>) -> Api {
    let shape = (dims(h, a.ptr(1))?, dims(h, a.ptr(2))?);
    check_cooperative(h, a.ptr(0), shape, a.u64(4))?;
    launch_kernel(h, a)
}

/// Whether all blocks of a cooperative launch find room at once.
pub(super) fn check_cooperative(
    h: &mut Host<'_>,
    function: Ptr,
    (grid, block): ([u32; 3], [u32; 3]),
    dynamic_shared: u64,
) -> Api {
    let func = h.with_runtime(|h| loaded(h, function))?;
    if !h.m.config.device.pascal() {
        return Err(CudaError::NOT_SUPPORTED.into());
    }
    let volume = |d: [u32; 3]| d.iter().fold(1u64, |n, &d| n.saturating_mul(d.into()));
    let room = h.with_runtime(|h| resident(h, func, volume(block), dynamic_shared))
        * h.m.config.device.multiprocessor.multiprocessor_count as u64;
    // What is no launch at all is said by the launch itself.
    if room != 0 && volume(grid) > room {
        return Err(CudaError::COOPERATIVE_LAUNCH_TOO_LARGE.into());
    }
    Ok(())
}

/// The most threads that a block of a kernel may have.
pub(super) fn max_threads(h: &RuntimeCall<'_, '_>, func: FuncId) -> u64 {
    let limit = h.m.config.device.block.max_threads_per_block as u64;
    match h.m.module.funcs[func].attrs.launch_bounds[0] {
        0 => limit,
        n => limit.min(n.into()),
    }
}

/// The registers of a thread of a kernel.
fn thread_registers(h: &RuntimeCall<'_, '_>, func: FuncId) -> u64 {
    registers(h.m, func, max_threads(h, func))
}

/// A `CUfunction_attribute` of a kernel.
pub(super) fn attribute_of(h: &mut RuntimeCall<'_, '_>, function: Ptr, which: u32) -> Result<i32, Fail> {
    let func = kernel(h, function)?;
    let fixed = static_shared(h.m, func);
    let clamp = |n: u64| i32::try_from(n).unwrap_or(i32::MAX);
    Ok(match which {
        CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK => clamp(max_threads(h, func)),
        CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES => clamp(fixed),
        CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES => clamp(constant_bytes(h.m.module)),
        CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES => clamp(local_bytes(h.m.module, func)),
        CU_FUNC_ATTRIBUTE_NUM_REGS => clamp(thread_registers(h, func)),
        CU_FUNC_ATTRIBUTE_PTX_VERSION | CU_FUNC_ATTRIBUTE_BINARY_VERSION => h.m.config.compiled_for as i32,
        CU_FUNC_ATTRIBUTE_CACHE_MODE_CA => 0,
        CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES => {
            clamp(shared_limit(h.m, func, fixed).saturating_sub(fixed))
        }
        CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT => cudaSharedmemCarveoutDefault,
        CU_FUNC_ATTRIBUTE_CLUSTER_SIZE_MUST_BE_SET => cluster::known(h.m, func).must_be_set.into(),
        CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH => cluster::known(h.m, func).required[0] as i32,
        CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_HEIGHT => cluster::known(h.m, func).required[1] as i32,
        CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_DEPTH => cluster::known(h.m, func).required[2] as i32,
        CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED => cluster::known(h.m, func).non_portable.into(),
        CU_FUNC_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE => cluster::known(h.m, func).policy as i32,
        _ => return Err(CudaError::INVALID_VALUE.into()),
    })
}

/// The program's own `__constant__` variables, of those that anything uses. Tables and texts, which have no place in the
/// source, and the device's copies of constants of the host are no memory that the program asked for.
fn constant_bytes(module: &Module) -> u64 {
    let own = |g: &&cudair_ir::Global| {
        g.space == Space::Const && g.loc.is_some() && !g.name.ends_with(cudair_ir::DEVICE_SUFFIX)
    };
    module.globals.values().filter(own).fold(0, |all: u64, g| all.saturating_add(g.size))
}

/// What a thread keeps in local memory: the kernel's variables that stayed in memory, and those of the deepest chain of
/// calls below it. A function that calls itself counts once.
fn local_bytes(module: &Module, kernel: FuncId) -> u64 {
    fn below(module: &Module, func: FuncId, known: &mut rustc_hash::FxHashMap<FuncId, u64>) -> u64 {
        if let Some(&bytes) = known.get(&func) {
            return bytes;
        }
        known.insert(func, 0);
        let f = &module.funcs[func];
        let own: u64 = f.slots.values().map(|s| u64::from(s.size)).sum();
        let mut deepest = 0;
        for &inst in f.layout.iter().flat_map(|&block| f.block_insts(block)) {
            if let InstData::Call { func: callee, .. } = f.insts[inst] {
                deepest = deepest.max(below(module, callee, known));
            }
        }
        known.insert(func, own + deepest);
        own + deepest
    }
    below(module, kernel, &mut rustc_hash::FxHashMap::default())
}

/// The fields of `cudaFuncAttributes` that say something, the others zero.
pub(crate) fn attributes(h: &mut RuntimeCall<'_, '_>, a: &Args<'_>) -> Api {
    let func = loaded(h, a.ptr(1))?;
    if a.ptr(0).is_null() {
        return Err(CudaError::INVALID_VALUE.into());
    }
    let fixed = static_shared(h.m, func);
    let dynamic = shared_limit(h.m, func, fixed).saturating_sub(fixed);
    let (constants, local) = (constant_bytes(h.m.module), local_bytes(h.m.module, func));
    let version = h.m.config.compiled_for;
    let clusters = cluster::known(h.m, func);
    let mut told = Structure::zeroed();
    told.set(cudaFuncAttributes::sharedSizeBytes, fixed);
    told.set(cudaFuncAttributes::constSizeBytes, constants);
    told.set(cudaFuncAttributes::localSizeBytes, local);
    told.set(cudaFuncAttributes::maxThreadsPerBlock, max_threads(h, func) as u32);
    told.set(cudaFuncAttributes::numRegs, thread_registers(h, func) as u32);
    told.set(cudaFuncAttributes::ptxVersion, version);
    told.set(cudaFuncAttributes::binaryVersion, version);
    told.set(cudaFuncAttributes::maxDynamicSharedSizeBytes, dynamic as u32);
    told.set(cudaFuncAttributes::preferredShmemCarveout, cudaSharedmemCarveoutDefault);
    told.set(cudaFuncAttributes::clusterDimMustBeSet, clusters.must_be_set.into());
    told.set(cudaFuncAttributes::requiredClusterWidth, clusters.required[0]);
    told.set(cudaFuncAttributes::requiredClusterHeight, clusters.required[1]);
    told.set(cudaFuncAttributes::requiredClusterDepth, clusters.required[2]);
    told.set(cudaFuncAttributes::clusterSchedulingPolicyPreference, clusters.policy);
    told.set(cudaFuncAttributes::nonPortableClusterSizeAllowed, clusters.non_portable.into());
    h.store(a.ptr(0), told.bytes())
}

/// `cudaFuncSetAttribute`: dynamic shared memory beyond the usual must be asked for.
pub(crate) fn set_attribute(h: &mut RuntimeCall<'_, '_>, a: &Args<'_>) -> Api {
    let func = kernel(h, a.ptr(0))?;
    let value = a.i32(2);
    match a.u32(1) {
        CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES => {
            let fixed = static_shared(h.m, func);
            let limit = h.m.config.device.block.shared_mem_per_block_optin;
            if value < 0 || fixed.saturating_add(value as u64) > limit {
                return Err(CudaError::INVALID_VALUE.into());
            }
            h.m.cuda.get_mut().kernels.dynamic_limits.insert(func, value as u64);
            Ok(())
        }
        CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT
            if (cudaSharedmemCarveoutDefault..=cudaSharedmemCarveoutMaxShared).contains(&value) =>
        {
            let carveouts = &mut h.m.cuda.get_mut().kernels.carveouts;
            match u64::try_from(value) {
                Ok(percent) => carveouts.insert(func, percent),
                Err(_) => carveouts.remove(&func),
            };
            Ok(())
        }
        other => cluster::set(h, func, other, value).unwrap_or(Err(CudaError::INVALID_VALUE.into())),
    }
}

pub(crate) fn set_cache_config(h: &mut RuntimeCall<'_, '_>, a: &Args<'_>) -> Api {
    kernel(h, a.ptr(0))?;
    if (cudaFuncCachePreferNone..=cudaFuncCachePreferEqual).contains(&a.i32(1)) {
        Ok(())
    } else {
        Err(CudaError::INVALID_VALUE.into())
    }
}

/// `cudaFuncGetName`: the symbol.
pub(crate) fn name(h: &mut RuntimeCall<'_, '_>, a: &Args<'_>) -> Api {
    let func = loaded(h, a.ptr(1))?;
    let name = h.m.module.funcs[func].name.clone();
    let ptr = text(h.m, name)?;
    h.give(a.ptr(0), ptr.0, 8)
}

/// Blocks of a kernel that one multiprocessor holds.
pub(super) fn resident(h: &mut RuntimeCall<'_, '_>, func: FuncId, threads: u64, dynamic: u64) -> u64 {
    let fixed = static_shared(h.m, func);
    let limit = shared_limit(h.m, func, fixed);
    let p = h.m.config.device.clone();
    // `__launch_bounds__` are looked at by launches alone.
    if threads == 0 || threads > p.block.max_threads_per_block as u64 || fixed.saturating_add(dynamic) > limit
    {
        return 0;
    }
    let warps = threads.div_ceil(p.block.warp_size as u64);
    let by_threads =
        p.multiprocessor.max_threads_per_multiprocessor as u64 / (warps * p.block.warp_size as u64);
    let of_thread = set_aside(thread_registers(h, func));
    let by_registers =
        p.multiprocessor.regs_per_multiprocessor as u64 / (warps * p.block.warp_size as u64 * of_thread);
    let shared = taken(h, fixed, dynamic);
    let by_shared = p.multiprocessor.shared_mem_per_multiprocessor.checked_div(shared).unwrap_or(u64::MAX);
    by_threads.min(by_registers).min(by_shared).min(p.multiprocessor.max_blocks_per_multiprocessor as u64)
}

/// What the first-level cache leaves a kernel of shared memory, in KiB: one of these, or all that there is.
const CARVEOUTS: [u64; 9] = [0, 8, 16, 32, 64, 100, 132, 164, 196];

/// Bytes of shared memory of a multiprocessor where a kernel runs whose blocks take `each`: the least that is as much as the
/// program prefers for it and holds a block, or all.
fn carveout(m: &HostRuntime<'_>, func: FuncId, each: u64) -> u64 {
    let all = m.config.device.multiprocessor.shared_mem_per_multiprocessor;
    let Some(&percent) = m.cuda.get().kernels.carveouts.get(&func) else { return all };
    let wanted = (all * percent / 100).max(each);
    CARVEOUTS.iter().map(|k| k << 10).find(|&step| step >= wanted).map_or(all, |step| step.min(all))
}

/// Bytes of shared memory that a block takes of its multiprocessor's: at most what a number holds.
fn taken(h: &RuntimeCall<'_, '_>, fixed: u64, dynamic: u64) -> u64 {
    let reserved = h.m.config.device.block.reserved_shared_mem_per_block;
    fixed.saturating_add(dynamic).saturating_add(reserved)
}

/// `(blocks, kernel, threads, dynamic)`
pub(crate) fn occupancy(h: &mut RuntimeCall<'_, '_>, a: &Args<'_>) -> Api {
    let func = loaded(h, a.ptr(1))?;
    if a.i32(2) <= 0 {
        return Err(CudaError::INVALID_VALUE.into());
    }
    let blocks = resident(h, func, a.i32(2) as u64, a.u64(3));
    let fixed = static_shared(h.m, func);
    let each = taken(h, fixed, a.u64(3));
    let room = carveout(h.m, func, each).checked_div(each).unwrap_or(u64::MAX);
    h.give(a.ptr(0), blocks.min(room), 4)
}

/// `(blocks, kernel, threads, dynamic, flags)`: the one flag is about a cache that has no say here.
pub(crate) fn occupancy_with_flags(h: &mut RuntimeCall<'_, '_>, a: &Args<'_>) -> Api {
    if a.u32(4) > 1 { Err(CudaError::INVALID_VALUE.into()) } else { occupancy(h, a) }
}

/// `(bytes, kernel, blocks, threads)`
pub(crate) fn available_shared(h: &mut RuntimeCall<'_, '_>, a: &Args<'_>) -> Api {
    let func = loaded(h, a.ptr(1))?;
    if a.i32(2) <= 0 || a.i32(3) <= 0 {
        return Err(CudaError::INVALID_VALUE.into());
    }
    let fixed = static_shared(h.m, func);
    let p = h.m.config.device.clone();
    let each = p.multiprocessor.shared_mem_per_multiprocessor / a.i32(2) as u64;
    let free = each.saturating_sub(p.block.reserved_shared_mem_per_block + fixed);
    h.give(a.ptr(0), free.min(shared_limit(h.m, func, fixed).saturating_sub(fixed)), 8)
}

/// `cudaGetFuncBySymbol(function, symbol)`: a kernel's handle is its symbol.
pub(crate) fn by_symbol(h: &mut RuntimeCall<'_, '_>, a: &Args<'_>) -> Api {
    kernel(h, a.ptr(1))?;
    h.give(a.ptr(0), a.ptr(1).0, 8)
}

/// `cudaFuncGetParamInfo(function, index, offset, size)`: where a parameter lies among the arguments.
pub(crate) fn parameter(h: &mut RuntimeCall<'_, '_>, a: &Args<'_>) -> Api {
    let func = kernel(h, a.ptr(0))?;
    let mut end = 0u64;
    let params: Vec<(u64, u64)> = h.m.module.funcs[func]
        .sig
        .params
        .iter()
        .map(|p| {
            let (size, align) = match p.attr {
                ParamAttr::ByVal { size, align_log2 } => (u64::from(size), 1u64 << align_log2.min(12)),
                _ => (p.ty.mem_bytes().into(), p.ty.mem_bytes().max(1).into()),
            };
            let offset = end.next_multiple_of(align);
            end = offset + size;
            (offset, size)
        })
        .collect();
    let Some(&(offset, size)) = params.get(a.u64(1) as usize) else {
        return Err(CudaError::INVALID_VALUE.into());
    };
    h.give(a.ptr(2), offset, 8)?;
    // Whoever does not ask for the size passes null.
    if a.ptr(3).is_null() { Ok(()) } else { h.give(a.ptr(3), size, 8) }
}

/// `cudaLaunchCooperativeKernelMultiDevice(list, count, flags)`: there is one device, and none that does so.
pub(crate) fn no_multi_device(_: &mut RuntimeCall<'_, '_>, a: &Args<'_>) -> Api {
    if a.ptr(0).is_null() || a.u32(1) == 0 {
        return Err(CudaError::INVALID_VALUE.into());
    }
    Err(CudaError::NOT_SUPPORTED.into())
}
