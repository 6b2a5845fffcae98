//! Functions, kernels and libraries: handles of the kernels that the program was given with. A kernel's handle is the
//! address by which the runtime knows it, whoever asks; a library is a module.

use super::rearranged;
use crate::call::Call;
use crate::constants::{CU_FUNCTION_LOADING_STATE_LOADED, CU_MODULE_LAZY_LOADING};
use crate::device::known;
use crate::layout::{CUlaunchConfig, Fields, Structure, cudaLaunchConfig_t, dim3, element};
use crate::{Api, CudaError, Fail, Kept, RuntimeCall, cluster, launch, module};
use cudair_engine::Args;
use cudair_engine::guest::{Host, runtime_object};
use cudair_engine::parts::HasMemory;
use cudair_ir::{Side, Space};
use cudair_lane::fault::Stop;
use cudair_lane::ptr::Ptr;

/// The kernels of the program, in the order of its sources.
fn kernels(h: &RuntimeCall<'_, '_>) -> Vec<Ptr> {
    let module = &h.m.module;
    let is_kernel = |f: &cudair_ir::Function| f.side == Side::Kernel && !f.is_declaration();
    module.funcs.iter().filter(|(_, f)| is_kernel(f)).map(|(id, _)| Ptr::code(id.as_u32())).collect()
}

/// `cuModuleGetFunctionCount(count, module)`, and that of a library
pub(crate) fn count(h: &mut RuntimeCall<'_, '_>, a: &Args<'_>) -> Api {
    module::check(h, a.ptr(1))?;
    let count = kernels(h).len();
    h.give(a.ptr(0), count as u64, 4)
}

/// `cuModuleEnumerateFunctions(functions, count, module)`, and that of a library
pub(crate) fn list(h: &mut RuntimeCall<'_, '_>, a: &Args<'_>) -> Api {
    module::check(h, a.ptr(2))?;
    if a.ptr(0).is_null() || a.u32(1) == 0 {
        return Err(CudaError::INVALID_VALUE.into());
    }
    for (i, kernel) in kernels(h).into_iter().enumerate().take(a.u32(1) as usize) {
        h.put_value(element::<Ptr>(a.ptr(0), i as u64), kernel)?;
    }
    Ok(())
}

/// `cuFuncGetAttribute(value, attribute, function)`
pub(super) fn attribute(h: &mut RuntimeCall<'_, '_>, a: &Args<'_>) -> Api {
    let value = launch::attribute_of(h, a.ptr(2), a.u32(1))?;
    h.give(a.ptr(0), u64::from(value as u32), 4)
}

/// `cuKernelGetAttribute(value, attribute, kernel, device)`
pub(super) fn attribute_on(h: &mut RuntimeCall<'_, '_>, a: &Args<'_>) -> Api {
    known(a.i32(3))?;
    attribute(h, a)
}

/// `cuKernelSetAttribute(attribute, value, kernel, device)`
pub(super) fn set_attribute_on(h: &mut RuntimeCall<'_, '_>, a: &Args<'_>) -> Api {
    known(a.i32(3))?;
    launch::set_attribute(h, &rearranged(a, &[a.bits(2), a.bits(0), a.bits(1)]))
}

/// `cudaKernelSetAttributeForDevice(kernel, attribute, value, device)`
pub(crate) fn set_attribute_for(h: &mut RuntimeCall<'_, '_>, a: &Args<'_>) -> Api {
    known(a.i32(3))?;
    launch::set_attribute(h, a)
}

/// `cuKernelSetCacheConfig(kernel, config, device)`
pub(super) fn set_cache_config(h: &mut RuntimeCall<'_, '_>, a: &Args<'_>) -> Api {
    known(a.i32(2))?;
    launch::set_cache_config(h, a)
}

/// The module that all kernels are of, to whoever did not load one.
fn own_module(h: &mut RuntimeCall<'_, '_>) -> Result<Ptr, Fail> {
    if let Some(handle) = h.m.cuda.get().modules.own {
        return Ok(handle);
    }
    let handle = runtime_object(h.m, "module of the program", &[0; 8], 8)?;
    h.m.cuda.get_mut().modules.loaded.insert(handle);
    h.m.cuda.get_mut().modules.own = Some(handle);
    Ok(handle)
}

/// `cuFuncGetModule(module, function)` and `cuKernelGetLibrary(library, kernel)`
pub(super) fn module_of(h: &mut RuntimeCall<'_, '_>, a: &Args<'_>) -> Api {
    launch::kernel(h, a.ptr(1))?;
    let handle = own_module(h)?;
    h.give(a.ptr(0), handle.0, 8)
}

/// `cuLibraryGetModule(module, library)`
pub(super) fn module_of_library(h: &mut RuntimeCall<'_, '_>, a: &Args<'_>) -> Api {
    module::check(h, a.ptr(1))?;
    h.give(a.ptr(0), a.u64(1), 8)
}

/// `cuKernelGetFunction(function, kernel)` and `cudaGetKernel(kernel, function)`
pub(crate) fn same(h: &mut RuntimeCall<'_, '_>, a: &Args<'_>) -> Api {
    launch::kernel(h, a.ptr(1))?;
    h.give(a.ptr(0), a.u64(1), 8)
}

/// `cuFuncIsLoaded(state, function)`: all are.
pub(super) fn is_loaded(h: &mut RuntimeCall<'_, '_>, a: &Args<'_>) -> Api {
    launch::kernel(h, a.ptr(1))?;
    h.put_value(a.ptr(0), CU_FUNCTION_LOADING_STATE_LOADED)
}

/// `cuFuncLoad(function)`
pub(super) fn load(h: &mut RuntimeCall<'_, '_>, a: &Args<'_>) -> Api {
    launch::kernel(h, a.ptr(0))?;
    Ok(())
}

/// `cuModuleGetLoadingMode(mode)`: the driver's default, late.
pub(super) fn loading_mode(h: &mut RuntimeCall<'_, '_>, a: &Args<'_>) -> Api {
    h.put_value(a.ptr(0), CU_MODULE_LAZY_LOADING)
}

/// `cuLibraryGetManaged(address, size, library, name)`
pub(crate) fn managed(h: &mut RuntimeCall<'_, '_>, a: &Args<'_>) -> Api {
    module::variable(h, a, |space| space == Space::Managed)
}

/// `cuLibraryGetUnifiedFunction(function, library, name)`: no device here has one address for both sides' functions.
pub(crate) fn no_unified_function(h: &mut RuntimeCall<'_, '_>, a: &Args<'_>) -> Api {
    module::check(h, a.ptr(1))?;
    if a.ptr(0).is_null() || a.ptr(2).is_null() {
        return Err(CudaError::INVALID_VALUE.into());
    }
    Err(CudaError::SYMBOL_NOT_FOUND.into())
}

/// A `CUlaunchConfig` as the runtime has it, whose count of shared memory is wider, for the length of a call.
fn configured<M: HasMemory>(
    h: &mut Host<'_, M>,
    at: Ptr,
    f: impl FnOnce(&mut Host<'_, M>, Ptr) -> Api,
) -> Api {
    if at.is_null() {
        return Err(CudaError::INVALID_VALUE.into());
    }
    let told = Structure::read_to(h, at, CUlaunchConfig::sharedMemBytes)?;
    let mut config = Structure::zeroed();
    let (grid, block) = (CUlaunchConfig::gridDim.then(dim3::all), CUlaunchConfig::blockDim.then(dim3::all));
    config.set(cudaLaunchConfig_t::gridDim.then(dim3::all), told.get(grid));
    config.set(cudaLaunchConfig_t::blockDim.then(dim3::all), told.get(block));
    config.set(cudaLaunchConfig_t::dynamicSmemBytes, told.get(CUlaunchConfig::sharedMemBytes).into());
    config.set(cudaLaunchConfig_t::stream, h.field(at, CUlaunchConfig::hStream)?);
    let count = h.field(at, CUlaunchConfig::numAttrs)?;
    if count != 0 {
        config.set(cudaLaunchConfig_t::attrs, h.field(at, CUlaunchConfig::attrs)?);
    }
    config.set(cudaLaunchConfig_t::numAttrs, count);
    let config = runtime_object(h.m, "configuration of a launch", config.bytes(), 8)?;
    let result = f(h, config);
    h.m.memory().mem.drop_object(config);
    result
}

/// `cuLaunchKernelEx(config, function, parameters, extra)`
pub(super) fn launch_configured(h: &mut Host<'_>, a: &Args<'_>) -> Api {
    if a.ptr(2).is_null() && !a.ptr(3).is_null() {
        return Err(Fail::Stop(Stop::unsupported("`cuLaunchKernelEx` with a buffer of parameters")));
    }
    configured(h, a.ptr(0), |h, config| {
        launch::launch_configured(h, &rearranged(a, &[config.0.into(), a.bits(1), a.bits(2)]))
    })
}

/// `cuOccupancyMaxPotentialClusterSize(size, function, config)`
pub(super) fn potential_cluster(h: &mut RuntimeCall<'_, '_>, a: &Args<'_>) -> Api {
    configured(h, a.ptr(2), |h, config| {
        cluster::potential_size(h, &rearranged(a, &[a.bits(0), a.bits(1), config.0.into()]))
    })
}

/// `cuOccupancyMaxActiveClusters(clusters, function, config)`
pub(super) fn active_clusters(h: &mut RuntimeCall<'_, '_>, a: &Args<'_>) -> Api {
    configured(h, a.ptr(2), |h, config| {
        cluster::active(h, &rearranged(a, &[a.bits(0), a.bits(1), config.0.into()]))
    })
}
