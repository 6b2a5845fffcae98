//! The structures that describe nodes, read and written.

use super::{Body, Node, NodeKind, conditional, handle, taken};
use crate::Kept;
use crate::call::Call;
use crate::queue::{Extent, Pitched, Work};
use crate::{Api, CudaError, Fail, array, event, launch, memory, module, word_at};
use cudair_engine::guest::{Host, runtime_object};
use cudair_engine::{Args, ClusterRequest, GridLaunch};
use cudair_ir::ParamAttr;
use cudair_lane::fault::Stop;
use cudair_lane::ptr::Ptr;
use cudair_memory::{LaneCx, Reach};
use smallvec::smallvec;

/// Bytes of a `cudaMemcpy3DParms`, and those before what only pads it.
const COPY: u64 = 160;
const COPY_TOLD: u64 = 156;
/// Bytes of a `cudaMemAllocNodeParams`; where it says how much, and is told where.
const ALLOC: u64 = 120;
const ALLOC_BYTES: usize = 104;
const ALLOC_ADDRESS: i64 = 112;

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
            let mut bytes = h.structure(params, COPY_TOLD)?;
            bytes.resize(COPY as usize, 0);
            described = Some(bytes);
            single(taken(h, |h| array::volume(h, params, memory::Timing::Async(0)))?)
        }
        NodeKind::Fill => {
            described = Some(h.structure(params, 40)?);
            single(taken(h, |h| fill(h, params))?)
        }
        NodeKind::Host => {
            let bytes = h.structure(params, 16)?;
            let func = Ptr(word_at(&bytes, 0));
            if func.is_null() {
                return Err(CudaError::INVALID_VALUE.into());
            }
            Body::Work(Work::Host { func, args: smallvec![word_at(&bytes, 8)] })
        }
        NodeKind::Child => {
            let word = h.structure(params, 8)?;
            let child = super::find(h, Ptr(word_at(&word, 0)))?;
            Body::Child(super::topology::copy(h, child, true)?)
        }
        NodeKind::Empty => Body::Empty,
        NodeKind::Wait | NodeKind::Record => {
            let word = h.structure(params, 8)?;
            marked(h, kind, Ptr(word_at(&word, 0)))?
        }
        NodeKind::Alloc => {
            let mut bytes = h.structure(params, ALLOC_ADDRESS as u64)?;
            let size = word_at(&bytes, ALLOC_BYTES);
            let out = params.add(ALLOC_ADDRESS);
            let work = taken(h, |h| super::memory::allocate(h, out, size, 0))?;
            if let Some(Work::GraphAlloc(ptr)) = work.first() {
                bytes.extend(ptr.0.to_le_bytes());
            }
            bytes.resize(ALLOC as usize, 0);
            described = Some(bytes);
            single(work)
        }
        NodeKind::Free => {
            let word = h.structure(params, 8)?;
            let ptr = Ptr(word_at(&word, 0));
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
    // Between the two parts are bytes that nobody writes.
    let mut bytes = h.structure(params, 36)?;
    bytes.resize(40, 0);
    bytes.extend(h.structure(params.add(40), 16)?);
    let three = |at: usize| [0, 4, 8].map(|k| word_at(&bytes, at + k) as u32);
    let shared = word_at(&bytes, 32) & u64::from(u32::MAX);
    let (function, parameters) = (Ptr(word_at(&bytes, 0)), Ptr(word_at(&bytes, 40)));
    let extra = Ptr(word_at(&bytes, 48));
    let parameters = match (parameters.is_null(), extra.is_null()) {
        (true, false) => module::buffer(h, extra)?,
        (false, false) => return Err(CudaError::INVALID_VALUE.into()),
        _ => launch::Parameters::Each(parameters),
    };
    let shape = (three(8), three(20));
    launch::launch_with(h, a, function, shape, shared, parameters, Ptr::NULL, ClusterRequest::default())
}

/// A `cudaMemsetParams`: destination, pitch, value, the size of an element, width in elements, height.
fn fill(h: &mut Host<'_>, params: Ptr) -> Api {
    let bytes = h.structure(params, 40)?;
    let (value, size) = (word_at(&bytes, 16) as u32, word_at(&bytes, 20) as u32);
    let (width, height) = (word_at(&bytes, 24), word_at(&bytes, 32));
    if !matches!(size, 1 | 2 | 4) || height == 0 || width == 0 {
        return Err(CudaError::INVALID_VALUE.into());
    }
    let pitch = if height <= 1 { 0 } else { word_at(&bytes, 8) };
    let to = (Ptr(word_at(&bytes, 0)), pitch, 0);
    let extent = Extent { width: width.saturating_mul(size.into()), height, depth: 1 };
    memory::fill_with(h, to, &value.to_le_bytes()[..size as usize], extent, memory::Timing::Async(0))
}

/// Writes the structure that describes a node.
///
/// # Errors
/// What cannot be described; memory that cannot be written.
pub(super) fn write(h: &mut Host<'_>, node: &Node, out: Ptr) -> Api {
    if out.is_null() {
        return Err(CudaError::INVALID_VALUE.into());
    }
    let bytes = match (&node.described, &node.body) {
        (Some(bytes), _) => bytes.clone(),
        (None, Body::Work(Work::Launch { launch, .. })) => launched(h, launch)?,
        (None, Body::Work(Work::Copy { dst, src, extent, .. })) => copied(dst, src, *extent),
        (None, Body::Work(Work::Fill { dst, element, extent })) => filled(dst, element, *extent),
        (None, Body::Work(Work::Host { func, args })) => words(&[func.0, args.first().copied().unwrap_or(0)]),
        (None, Body::Work(Work::GraphFree(ptr))) => words(&[ptr.0]),
        (None, Body::Record(event) | Body::Wait(event)) => words(&[event::handle(h.m, *event).0]),
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

fn words(words: &[u64]) -> Vec<u8> {
    words.iter().flat_map(|w| w.to_le_bytes()).collect()
}

/// A `cudaKernelNodeParams`, whose values are the runtime's copies.
fn launched(h: &mut Host<'_>, launch: &GridLaunch) -> Result<Vec<u8>, Fail> {
    let module = h.m.module.clone();
    let mut list = Vec::new();
    for (param, &bits) in module.funcs[launch.kernel].sig.params.iter().zip(&launch.args) {
        let object = match param.attr {
            ParamAttr::ByVal { size, .. } => {
                let object = runtime_object(h.m, "argument", &vec![0; size as usize], 16)?;
                let who = h.access();
                let cx = &mut LaneCx::host(&mut h.m.findings);
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
    let mut bytes = words(&[Ptr::code(launch.kernel.as_u32()).0]);
    for n in launch.grid.into_iter().chain(launch.block).chain([launch.dynamic_shared as u32, 0]) {
        bytes.extend(n.to_le_bytes());
    }
    bytes.extend(words(&[list.0, 0]));
    Ok(bytes)
}

/// A `cudaMemcpy3DParms` between memory.
fn copied(dst: &Pitched, src: &Pitched, extent: Extent) -> Vec<u8> {
    let end = |p: &Pitched| {
        let rows = p.slice.checked_div(p.pitch).unwrap_or(0);
        // No array, no position, the pointer.
        [
            0,
            0,
            0,
            0,
            p.ptr.0,
            if p.pitch == 0 { extent.width } else { p.pitch },
            extent.width,
            rows.max(extent.height),
        ]
    };
    let kind = match (src.reach, dst.reach) {
        (Reach::Host, Reach::Host) => 0,
        (Reach::Host, _) => 1,
        (_, Reach::Host) => 2,
        (Reach::Device, Reach::Device) => 3,
        _ => 4,
    };
    let tail = [extent.width, extent.height, extent.depth, kind];
    words(&[&end(src)[..], &end(dst)[..], &tail[..]].concat())
}

/// A `cudaMemsetParams`.
fn filled(dst: &Pitched, element: &[u8], extent: Extent) -> Vec<u8> {
    let size = element.len() as u64;
    let value = word_at(element, 0) & u64::from(u32::MAX);
    words(&[dst.ptr.0, dst.pitch, value | size << 32, extent.width / size, extent.height])
}

/// Where a structure for a kind lies in a `cudaGraphNodeParams`.
pub(super) fn part(kind: NodeKind) -> i64 {
    // A copy has its flags before.
    if kind == NodeKind::Copy { 32 } else { 16 }
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
    let bytes = h.structure(params, 16)?;
    let condition = (word_at(&bytes, 0) as usize).wrapping_sub(1);
    let (kind, size) = (conditional::Branch::of(word_at(&bytes, 8) as u32), word_at(&bytes, 12) as u32);
    let known = h.m.cuda.get().graphs.conditions.get(condition).copied();
    let (Some(of), Some(kind)) = (known, kind.filter(|k| k.takes(size))) else {
        return Err(CudaError::INVALID_VALUE.into());
    };
    if of.used {
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
        || h.m.cuda.get().graphs.all[outer].live().any(|(_, n)| match &n.body {
            Body::Child(child) => belongs(h, *child, inner),
            Body::Branch { bodies, .. } => bodies.iter().any(|&b| belongs(h, b, inner)),
            _ => false,
        })
}
