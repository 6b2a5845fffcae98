//! The driver's modules. What a module holds are the kernels and variables of the sources that the program was given
//! with: its image, a file of the compiler or its bytes, is not looked at beyond whether it is one at all, and whether it is
//! PTX, of which there is no compiler here.

use super::launch::{self, Parameters, dims_of};
use super::{Api, CudaError, Fail};
use crate::call::Call;
use crate::constants::*;
use crate::layout::{Fields, element};
use crate::{Kept, RuntimeCall};
use cudair_engine::gate::{Access, Follow};
use cudair_engine::guest::{Guest, Host, runtime_object};
use cudair_engine::{Args, ClusterRequest};
use cudair_ir::{Diagnostic, DiagnosticClass, Side, Space, Span};
use cudair_lane::ptr::Ptr;
use rustc_hash::FxHashSet;

/// The longest name that is looked up.
const MAX_NAME: u64 = 4096;

/// The driver's modules.
#[derive(Debug, Default)]
pub(crate) struct Modules {
    /// Their handles.
    pub(crate) loaded: FxHashSet<Ptr>,
    /// That of the kernels to whoever asks for it without having loaded one.
    pub(crate) own: Option<Ptr>,
}

/// A handle, which is an object of its own.
fn make(h: &mut RuntimeCall<'_, '_>, out: Ptr) -> Api {
    let handle = runtime_object(h.m, "module", &[0; 8], 8)?;
    h.m.cuda.get_mut().modules.loaded.insert(handle);
    h.give(out, handle.0, 8)
}

/// A module or a library must be one.
pub(super) fn check(h: &mut RuntimeCall<'_, '_>, handle: Ptr) -> Result<(), Fail> {
    if h.m.cuda.get().modules.loaded.contains(&handle) {
        return Ok(());
    }
    let message = "this value is not a module or library, or it was unloaded".to_owned();
    Err(h.bad_argument(CudaError::INVALID_RESOURCE_HANDLE, message))
}

/// `cuModuleLoad(module, file)`
pub(crate) fn load(h: &mut Host<'_>, a: &Args<'_>) -> Api {
    if a.ptr(0).is_null() {
        return Err(CudaError::INVALID_VALUE.into());
    }
    let name = h.string(a.ptr(1), None)?;
    let start = h.reach(&name, Access::Read, Follow::Link)?.read().ok();
    let Some(start) = start else { return Err(CudaError::FILE_NOT_FOUND.into()) };
    let start = &start[..start.len().min(LOOK)];
    h.with_runtime(|h| no_ptx(h, a, start))?;
    image(start)?;
    h.with_runtime(|h| make(h, a.ptr(0)))
}

/// `cuModuleLoadData(module, image)` and kin
pub(crate) fn load_data(h: &mut RuntimeCall<'_, '_>, a: &Args<'_>) -> Api {
    if a.ptr(0).is_null() || a.ptr(1).is_null() {
        return Err(CudaError::INVALID_VALUE.into());
    }
    // As much as there is, up to a NUL in what is text.
    let mut start = Vec::new();
    let size =
        h.m.mem.lookup(a.ptr(1)).map_or(1, |(from, size, ..)| (size + from.0).saturating_sub(a.ptr(1).0));
    for i in 0..size.min(LOOK as u64) {
        match h.read(a.ptr(1).add(i as i64), 1)?.first() {
            // The numbers at the start of an image of bytes may have zeros.
            Some(&byte) if byte != 0 || i < 4 => start.push(byte),
            _ => break,
        }
    }
    no_ptx(h, a, &start)?;
    image(&start)?;
    make(h, a.ptr(0))
}

/// Bytes of an image that are looked at.
const LOOK: usize = 4096;

/// Whether these are the first bytes of an image: of a cubin, which is an ELF file, of a fat binary, or of the wrapper
/// by which the compiler names one. CUDA's code for other bytes is that of an invalid image.
fn image(start: &[u8]) -> Result<(), Fail> {
    const CUBIN: [u8; 4] = *b"\x7fELF";
    const FAT_BINARY: [u8; 4] = 0xba55_ed50_u32.to_le_bytes();
    const WRAPPER: [u8; 4] = 0x4662_43b1_u32.to_le_bytes();
    match start.first_chunk::<4>() {
        Some(&magic) if [CUBIN, FAT_BINARY, WRAPPER].contains(&magic) => Ok(()),
        _ => Err(CudaError::INVALID_KERNEL_IMAGE.into()),
    }
}

fn no_ptx(h: &RuntimeCall<'_, '_>, a: &Args<'_>, start: &[u8]) -> Result<(), Fail> {
    let is_ptx = start.windows(8).any(|w| w == b".version") && start.windows(7).any(|w| w == b".target");
    if !is_ptx {
        return Ok(());
    }
    let mut d = Diagnostic::new(DiagnosticClass::Unsupported, "a module of PTX");
    d.primary = h.m.loc_of(a.place).map(|loc| Span::new(&h.m.module.source, loc, "loaded here"));
    d.help = Some(
        "pass the source that it was compiled from to cudair, with the program's other sources".to_owned(),
    );
    Err(cudair_lane::fault::Stop::Unsupported(Box::new(d)).into())
}

/// `cuModuleUnload(module)`
pub(crate) fn unload(h: &mut RuntimeCall<'_, '_>, a: &Args<'_>) -> Api {
    check(h, a.ptr(0))?;
    h.m.cuda.get_mut().modules.loaded.remove(&a.ptr(0));
    h.m.mem.drop_object(a.ptr(0));
    Ok(())
}

/// `cuLibraryUnload(library)`
pub(crate) fn unload_library(h: &mut RuntimeCall<'_, '_>, a: &Args<'_>) -> Api {
    match unload(h, a) {
        Err(Fail::Reported(CudaError::INVALID_RESOURCE_HANDLE)) => {
            Err(Fail::Reported(CudaError::INVALID_VALUE))
        }
        result => result,
    }
}

fn name_of(h: &mut RuntimeCall<'_, '_>, ptr: Ptr) -> Result<String, Fail> {
    let name = h.string(ptr, Some(MAX_NAME))?;
    Ok(String::from_utf8_lossy(&name).into_owned())
}

/// `cuModuleGetFunction(function, module, name)`: a kernel by its symbol.
pub(crate) fn function(h: &mut RuntimeCall<'_, '_>, a: &Args<'_>) -> Api {
    if a.ptr(0).is_null() {
        return Err(CudaError::INVALID_VALUE.into());
    }
    check(h, a.ptr(1))?;
    let name = name_of(h, a.ptr(2))?;
    let module = h.m.module.clone();
    let func = module
        .func_by_name(&name)
        .filter(|&f| module.funcs[f].side == Side::Kernel && !module.funcs[f].is_declaration());
    let Some(func) = func else { return Err(CudaError::SYMBOL_NOT_FOUND.into()) };
    h.give(a.ptr(0), Ptr::code(func.as_u32()).0, 8)
}

/// `cuModuleGetGlobal(address, size, module, name)`: a variable by its symbol.
pub(crate) fn global(h: &mut RuntimeCall<'_, '_>, a: &Args<'_>) -> Api {
    variable(h, a, |space| matches!(space, Space::Global | Space::Const | Space::Managed))
}

/// As [`global`], of a variable in a space that will do.
pub(super) fn variable(h: &mut RuntimeCall<'_, '_>, a: &Args<'_>, fits: fn(Space) -> bool) -> Api {
    check(h, a.ptr(2))?;
    let name = name_of(h, a.ptr(3))?;
    let module = h.m.module.clone();
    let global = module.global_by_name(&name);
    let known = global.filter(|&g| fits(module.globals[g].space));
    let Some(global) = known else { return Err(CudaError::SYMBOL_NOT_FOUND.into()) };
    let (ptr, size) = (h.m.globals[global], module.globals[global].size);
    if !a.ptr(0).is_null() {
        h.give(a.ptr(0), ptr.0, 8)?;
    }
    if a.ptr(1).is_null() { Ok(()) } else { h.give(a.ptr(1), size, 8) }
}

/// `cuLaunchKernel(function, grid…, block…, shared, stream, parameters, extra)`
pub(crate) fn launch_kernel(h: &mut Host<'_>, a: &Args<'_>) -> Api {
    let parameters = match (a.ptr(9), a.ptr(10)) {
        (list, extra) if extra.is_null() => Parameters::Each(list),
        (list, extra) if list.is_null() => buffer(h, extra)?,
        _ => return Err(CudaError::INVALID_VALUE.into()),
    };
    let shape = (dims_of(a, 1), dims_of(a, 4));
    launch::launch_with(
        h,
        a,
        a.ptr(0),
        shape,
        a.u32(7).into(),
        parameters,
        a.ptr(8),
        ClusterRequest::default(),
    )
}

/// `cuLaunchCooperativeKernel(function, grid…, block…, shared, stream, parameters)`
pub(crate) fn launch_cooperative(h: &mut Host<'_>, a: &Args<'_>) -> Api {
    let shape = (dims_of(a, 1), dims_of(a, 4));
    launch::check_cooperative(h, a.ptr(0), shape, a.u32(7).into())?;
    let parameters = Parameters::Each(a.ptr(9));
    launch::launch_with(
        h,
        a,
        a.ptr(0),
        shape,
        a.u32(7).into(),
        parameters,
        a.ptr(8),
        ClusterRequest::default(),
    )
}

/// The list of what stands for parameters: a buffer of all of them, and its size.
pub(super) fn buffer(h: &mut Host<'_>, extra: Ptr) -> Result<Parameters, Fail> {
    let (mut ptr, mut size) = (None, None);
    for i in 0..3 {
        // What stands there, and a pointer to it or its value.
        let which = element::<[Ptr; 2]>(extra, i);
        let value = element::<Ptr>(which, 1);
        match h.load(which)? {
            CU_LAUNCH_PARAM_END_AS_INT => break,
            CU_LAUNCH_PARAM_BUFFER_POINTER_AS_INT => ptr = Some(h.load(value)?),
            CU_LAUNCH_PARAM_BUFFER_SIZE_AS_INT => {
                let at = h.load(value)?;
                size = Some(h.load(at)?);
            }
            _ => return Err(CudaError::INVALID_VALUE.into()),
        }
    }
    match (ptr, size) {
        (Some(ptr), Some(size)) => Ok(Parameters::Buffer(ptr, size)),
        _ => Err(CudaError::INVALID_VALUE.into()),
    }
}
