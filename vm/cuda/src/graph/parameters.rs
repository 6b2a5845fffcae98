//! The structures that describe nodes, read and written.

use super::{Body, Node, NodeKind, conditional, handle, taken};
use crate::call::Call;
use crate::constants::*;
use crate::layout::{
    Field, Fields, Laid, Structure, Value, cudaChildGraphNodeParams, cudaConditionalNodeParams,
    cudaEventRecordNodeParams, cudaEventWaitNodeParams, cudaExtent, cudaGraphNodeParams, cudaHostNodeParams,
    cudaKernelNodeParams, cudaMemAllocNodeParams, cudaMemFreeNodeParams, cudaMemcpy3DParms, cudaMemsetParams,
    cudaPitchedPtr, dim3,
};
use crate::queue::{Extent, Pitched, Work};
use crate::{Api, CudaError, Fail, Kept, RuntimeCall, array, event, launch, memory, module};
use cudair_engine::guest::{Host, runtime_object};
use cudair_engine::{Args, ClusterRequest, GridLaunch};
use cudair_ir::ParamAttr;
use cudair_lane::fault::Stop;
use cudair_lane::ptr::Ptr;
use cudair_memory::{LaneCx, Reach};
use smallvec::smallvec;

/// What a node does, and the structure that described it where the work does not tell all.
pub(super) type Described = (Body, Option<Vec<u8>>);

/// What a node of a kind does that a structure describes.
///
/// # Errors
/// What the structure asks for and cannot be had.
pub(super) fn read(h: &mut Host<'_>, a: &Args<'_>, kind: NodeKind, params: Ptr) -> Result<Described, Fail> {
    let mut described = None;
    let body = match kind {
        NodeKind::Kernel => single(taken(h, |h| kernel(h, a, params))?),
        NodeKind::Copy => {
            // What fills up behind the kind nobody writes.
            let told = Structure::read_to(h, params, cudaMemcpy3DParms::kind)?;
            described = Some(told.into_bytes());
            single(taken(h, |h| array::volume(h, params, memory::Timing::Async(0)))?)
        }
        NodeKind::Fill => {
            described = Some(h.structure(params, cudaMemsetParams::SIZE as u64)?);
            single(taken(h, |h| fill(h, params))?)
        }
        NodeKind::Host => {
            let told = Structure::read(h, params)?;
            let func = told.get(cudaHostNodeParams::func);
            if func.is_null() {
                return Err(CudaError::INVALID_VALUE.into());
            }
            Body::Work(Work::Host { func, args: smallvec![told.get(cudaHostNodeParams::userData)] })
        }
        NodeKind::Child => {
            let graph = h.field(params, cudaChildGraphNodeParams::graph)?;
            let child = super::find(h, graph)?;
            Body::Child(h.with_runtime(|h| super::topology::copy(h, child, true))?)
        }
        NodeKind::Empty => Body::Empty,
        NodeKind::Wait => {
            let event = h.field(params, cudaEventWaitNodeParams::event)?;
            marked(h, kind, event)?
        }
        NodeKind::Record => {
            let event = h.field(params, cudaEventRecordNodeParams::event)?;
            marked(h, kind, event)?
        }
        NodeKind::Alloc => {
            let mut told = Structure::read_to(h, params, cudaMemAllocNodeParams::bytesize)?;
            let size = told.get(cudaMemAllocNodeParams::bytesize);
            let out = cudaMemAllocNodeParams::dptr.of(params);
            let work = taken(h, |h| super::memory::allocate(h, out, size, 0))?;
            if let Some(Work::GraphAlloc(ptr)) = work.first() {
                told.set(cudaMemAllocNodeParams::dptr, *ptr);
            }
            described = Some(told.into_bytes());
            single(work)
        }
        NodeKind::Free => {
            let ptr = h.field(params, cudaMemFreeNodeParams::dptr)?;
            if !h.m.cuda.get().graph_memory.has(ptr) {
                let message = "a graph frees memory that no graph has allocated".to_owned();
                return Err(h.bad_argument(CudaError::INVALID_VALUE, message));
            }
            Body::Work(Work::GraphFree(ptr))
        }
        // They are made with their graph, by `nodes`.
        NodeKind::Conditional => return Err(CudaError::INVALID_VALUE.into()),
    };
    Ok((body, described))
}

/// What a node that waits for an event or records it does.
pub(super) fn marked(h: &mut Host<'_>, kind: NodeKind, handle: Ptr) -> Result<Body, Fail> {
    let event = event::find(h, handle)?;
    Ok(if kind == NodeKind::Wait { Body::Wait(event) } else { Body::Record(event) })
}

/// Nothing to do is a node too.
pub(super) fn single(mut work: Vec<Work>) -> Body {
    work.pop().map_or(Body::Empty, Body::Work)
}

/// A `cudaKernelNodeParams`: function, grid, block, shared memory, parameters.
fn kernel(h: &mut Host<'_>, a: &Args<'_>, params: Ptr) -> Api {
    use cudaKernelNodeParams as Params;
    // Between the two parts are bytes that nobody writes.
    let mut told = Structure::read_to(h, params, Params::sharedMemBytes)?;
    told.read_more(h, params, (Params::kernelParams, Params::extra))?;
    let (function, shared) = (told.get(Params::func), told.get(Params::sharedMemBytes).into());
    let (parameters, extra) = (told.get(Params::kernelParams), told.get(Params::extra));
    let parameters = match (parameters.is_null(), extra.is_null()) {
        (true, false) => module::buffer(h, extra)?,
        (false, false) => return Err(CudaError::INVALID_VALUE.into()),
        _ => launch::Parameters::Each(parameters),
    };
    let shape = (told.get(Params::gridDim.then(dim3::all)), told.get(Params::blockDim.then(dim3::all)));
    launch::launch_with(h, a, function, shape, shared, parameters, Ptr::NULL, ClusterRequest::default())
}

/// A `cudaMemsetParams`: destination, pitch, value, the size of an element, width in elements, height.
fn fill(h: &mut Host<'_>, params: Ptr) -> Api {
    use cudaMemsetParams as Params;
    let told = Structure::read(h, params)?;
    let (value, size) = (told.get(Params::value), told.get(Params::elementSize));
    let (width, height) = (told.get(Params::width), told.get(Params::height));
    if !matches!(size, 1 | 2 | 4) || height == 0 || width == 0 {
        return Err(CudaError::INVALID_VALUE.into());
    }
    let pitch = if height <= 1 { 0 } else { told.get(Params::pitch) };
    let to = (told.get(Params::dst), pitch, 0);
    let extent = Extent { width: width.saturating_mul(size.into()), height, depth: 1 };
    memory::fill_with(h, to, &value.to_le_bytes()[..size as usize], extent, memory::Timing::Async(0))
}

/// Writes the structure that describes a node.
///
/// # Errors
/// What cannot be described; memory that cannot be written.
pub(super) fn write(h: &mut RuntimeCall<'_, '_>, node: &Node, out: Ptr) -> Api {
    if out.is_null() {
        return Err(CudaError::INVALID_VALUE.into());
    }
    let bytes = match (&node.described, &node.body) {
        (Some(bytes), _) => bytes.clone(),
        (None, Body::Work(Work::Launch { launch, .. })) => launched(h, launch)?,
        (None, Body::Work(Work::Copy { dst, src, extent, .. })) => copied(dst, src, *extent),
        (None, Body::Work(Work::Fill { dst, element, extent })) => filled(dst, element, *extent),
        (None, Body::Work(Work::Host { func, args })) => {
            let mut told = Structure::zeroed();
            told.set(cudaHostNodeParams::func, *func);
            told.set(cudaHostNodeParams::userData, args.first().copied().unwrap_or(0));
            told.into_bytes()
        }
        (None, Body::Work(Work::GraphFree(ptr))) => only(cudaMemFreeNodeParams::dptr, *ptr),
        // What is asked for is the handle itself.
        (None, Body::Record(event) | Body::Wait(event)) => words(&[h.m.cuda.get().events.handle(*event).0]),
        (None, Body::Child(child)) => words(&[handle(h, *child)?.0]),
        _ => {
            return Err(Fail::Stop(Stop::unsupported(
                "the parameters of a node that was captured from such a call",
            )));
        }
    };
    h.store(out, &bytes)?;
    Ok(())
}

/// A structure of which one field says something.
fn only<S: Laid, T: Value>(field: Field<S, T>, value: T) -> Vec<u8> {
    let mut told = Structure::zeroed();
    told.set(field, value);
    told.into_bytes()
}

fn words(words: &[u64]) -> Vec<u8> {
    words.iter().flat_map(|w| w.to_le_bytes()).collect()
}

/// A `cudaKernelNodeParams`, whose values are the runtime's copies.
fn launched(h: &mut RuntimeCall<'_, '_>, launch: &GridLaunch) -> Result<Vec<u8>, Fail> {
    let module = h.m.module.clone();
    let mut list = Vec::new();
    for (param, &bits) in module.funcs[launch.kernel].sig.params.iter().zip(&launch.args) {
        let object = match param.attr {
            ParamAttr::ByVal { size, .. } => {
                let object = runtime_object(h.m, "argument", &vec![0; size as usize], 16)?;
                let who = h.access();
                let cx = &mut LaneCx::host(h.m.findings);
                h.m.mem.copy_between(
                    cx,
                    who,
                    (object, Reach::Host),
                    (Ptr(bits as u64), Reach::Any),
                    size.into(),
                )?;
                object
            }
            _ => {
                let bytes = param.ty.access_bytes() as usize;
                runtime_object(h.m, "argument", &bits.to_le_bytes()[..bytes.min(16)], 16)?
            }
        };
        list.push(object.0);
    }
    let list = runtime_object(h.m, "arguments", &words(&list), 8)?;
    let mut told = Structure::zeroed();
    told.set(cudaKernelNodeParams::func, Ptr::code(launch.kernel.as_u32()));
    told.set(cudaKernelNodeParams::gridDim.then(dim3::all), launch.grid);
    told.set(cudaKernelNodeParams::blockDim.then(dim3::all), launch.block);
    told.set(cudaKernelNodeParams::sharedMemBytes, launch.dynamic_shared as u32);
    told.set(cudaKernelNodeParams::kernelParams, list);
    Ok(told.into_bytes())
}

/// A `cudaMemcpy3DParms` between memory.
fn copied(dst: &Pitched, src: &Pitched, extent: Extent) -> Vec<u8> {
    use cudaMemcpy3DParms as Copy;
    let mut told = Structure::zeroed();
    for (end, place) in [(src, Copy::srcPtr), (dst, Copy::dstPtr)] {
        let rows = end.slice.checked_div(end.pitch).unwrap_or(0);
        told.set(place.then(cudaPitchedPtr::ptr), end.ptr);
        let pitch = if end.pitch == 0 { extent.width } else { end.pitch };
        told.set(place.then(cudaPitchedPtr::pitch), pitch);
        told.set(place.then(cudaPitchedPtr::xsize), extent.width);
        told.set(place.then(cudaPitchedPtr::ysize), rows.max(extent.height));
    }
    told.set(Copy::extent.then(cudaExtent::all), [extent.width, extent.height, extent.depth]);
    let kind = match (src.reach, dst.reach) {
        (Reach::Host, Reach::Host) => cudaMemcpyHostToHost,
        (Reach::Host, _) => cudaMemcpyHostToDevice,
        (_, Reach::Host) => cudaMemcpyDeviceToHost,
        (Reach::Device, Reach::Device) => cudaMemcpyDeviceToDevice,
        _ => cudaMemcpyDefault,
    };
    told.set(Copy::kind, kind);
    told.into_bytes()
}

/// A `cudaMemsetParams`.
fn filled(dst: &Pitched, element: &[u8], extent: Extent) -> Vec<u8> {
    let size = element.len() as u64;
    let mut value = [0; 4];
    for (to, from) in value.iter_mut().zip(element) {
        *to = *from;
    }
    let mut told = Structure::zeroed();
    told.set(cudaMemsetParams::dst, dst.ptr);
    told.set(cudaMemsetParams::pitch, dst.pitch);
    told.set(cudaMemsetParams::value, u32::from_le_bytes(value));
    told.set(cudaMemsetParams::elementSize, size as u32);
    told.set(cudaMemsetParams::width, extent.width / size);
    told.set(cudaMemsetParams::height, extent.height);
    told.into_bytes()
}

/// Where a structure for a kind lies in a `cudaGraphNodeParams`.
pub(super) fn part(kind: NodeKind, params: Ptr) -> Ptr {
    use cudaGraphNodeParams as Params;
    match kind {
        NodeKind::Kernel => Params::kernel.of(params),
        NodeKind::Copy => Params::memcpy_copyParams.of(params),
        NodeKind::Fill => Params::memset.of(params),
        NodeKind::Host => Params::host.of(params),
        NodeKind::Child => Params::graph.of(params),
        NodeKind::Wait => Params::eventWait.of(params),
        NodeKind::Record => Params::eventRecord.of(params),
        NodeKind::Alloc => Params::alloc.of(params),
        NodeKind::Free => Params::free.of(params),
        NodeKind::Conditional => Params::conditional.of(params),
        // It has none.
        NodeKind::Empty => params,
    }
}

/// The copy that a call with the ends apart describes.
pub(super) fn copy_1d(h: &mut Host<'_>, to: Ptr, from: Ptr, count: u64, kind: i32) -> Result<Body, Fail> {
    let (to, from, extent) = ((to, 0, 0), (from, 0, 0), Extent::linear(count));
    Ok(single(taken(h, |h| memory::transfer(h, to, from, extent, kind, memory::Timing::Async(0)))?))
}

/// A `cudaConditionalNodeParams`: the node's value, kind and count of bodies.
pub(super) fn branch(
    h: &mut Host<'_>,
    graph: usize,
    params: Ptr,
) -> Result<(usize, conditional::Branch, u32), Fail> {
    use cudaConditionalNodeParams as Params;
    let told = Structure::read_to(h, params, Params::size)?;
    let condition = (told.get(Params::handle) as usize).wrapping_sub(1);
    let (kind, size) = (conditional::Branch::of(told.get(Params::kind)), told.get(Params::size));
    let known = h.m.cuda.get().graphs.conditions.get(condition).copied();
    let (Some(of), Some(kind)) = (known, kind.filter(|k| k.takes(size))) else {
        return Err(CudaError::INVALID_VALUE.into());
    };
    if of.taken {
        let message = "a conditional handle is used by a second node".to_owned();
        return Err(h.bad_argument(CudaError::INVALID_VALUE, message));
    }
    if !belongs(h, of.graph, graph) {
        let message = "a conditional handle of another graph is used in this graph".to_owned();
        return Err(h.bad_argument(CudaError::INVALID_VALUE, message));
    }
    Ok((condition, kind, size))
}

/// Whether a graph is another or in one of its nodes.
fn belongs(h: &Host<'_>, outer: usize, inner: usize) -> bool {
    outer == inner
        || h.m.cuda.get().graphs.all[outer]
            .live()
            .any(|(_, n)| n.body.graphs().iter().any(|&graph| belongs(h, graph, inner)))
}
