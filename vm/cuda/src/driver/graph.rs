//! Nodes of graphs whose descriptions differ from the runtime's: copies.

use super::{array, rearranged};
use crate::call::Call;
use crate::constants::cudaGraphNodeTypeMemcpy;
use crate::graph::NodeKind;
use crate::layout::{
    CUDA_KERNEL_NODE_PARAMS, Fields, Laid, Structure, cudaGraphNodeParams, cudaMemcpy3DParms,
};
use crate::{Api, CudaError, Fail, RuntimeCall, graph};
use cudair_engine::Args;
use cudair_engine::guest::{Guest, Host, runtime_object};
use cudair_lane::ptr::Ptr;

/// The runtime's description of a copy as an object, for the length of a call.
fn described<T>(
    h: &mut Host<'_>,
    at: Ptr,
    f: impl FnOnce(&mut Host<'_>, Ptr) -> Result<T, Fail>,
) -> Result<T, Fail> {
    let copy = array::parameters(h, at)?;
    let object = runtime_object(h.m, "description of a copy", copy.bytes(), 8)?;
    let result = f(h, object);
    h.m.mem.drop_object(object);
    result
}

/// `cuGraphAddMemcpyNode(node, graph, dependencies, count, copy, context)`
pub(super) fn add_copy(h: &mut Host<'_>, a: &Args<'_>) -> Api {
    described(h, a.ptr(4), |h, at| {
        let values = [a.bits(0), a.bits(1), a.bits(2), a.bits(3), at.0.into()];
        graph::add(h, &rearranged(a, &values), NodeKind::Copy)
    })
}

/// `cuGraphMemcpyNodeSetParams(node, copy)`
pub(super) fn set_copy(h: &mut Host<'_>, a: &Args<'_>) -> Api {
    described(h, a.ptr(1), |h, at| graph::set(h, &rearranged(a, &[a.bits(0), at.0.into()]), NodeKind::Copy))
}

/// `cuGraphExecMemcpyNodeSetParams(exec, node, copy, context)`
pub(super) fn set_copy_in_exec(h: &mut Host<'_>, a: &Args<'_>) -> Api {
    described(h, a.ptr(2), |h, at| {
        graph::set_in_exec(h, &rearranged(a, &[a.bits(0), a.bits(1), at.0.into()]), NodeKind::Copy)
    })
}

/// `cuGraphMemcpyNodeGetParams(node, copy)`
pub(super) fn get_copy(h: &mut RuntimeCall<'_, '_>, a: &Args<'_>) -> Api {
    if a.ptr(1).is_null() {
        return Err(CudaError::INVALID_VALUE.into());
    }
    const BYTES: usize = cudaMemcpy3DParms::SIZE;
    let object = runtime_object(h.m, "description of a copy", &[0; BYTES], 8)?;
    let told = graph::get(h, &rearranged(a, &[a.bits(0), object.0.into()]), NodeKind::Copy);
    let bytes = h.read(object, BYTES as u64);
    h.m.mem.drop_object(object);
    told?;
    let copy = array::described(h, &Structure::of_bytes(&bytes?))?;
    h.store(a.ptr(1), copy.bytes())
}

/// `cuGraphKernelNodeGetParams(node, parameters)`: behind what the runtime tells, neither a kernel besides the function
/// nor a context.
pub(super) fn get_kernel(h: &mut RuntimeCall<'_, '_>, a: &Args<'_>) -> Api {
    graph::get(h, a, NodeKind::Kernel)?;
    h.put_field(a.ptr(1), CUDA_KERNEL_NODE_PARAMS::behind, [Ptr::NULL; 2])
}

/// `cuGraphConditionalHandleCreate(handle, graph, context, value, flags)`
pub(super) fn create_condition(h: &mut RuntimeCall<'_, '_>, a: &Args<'_>) -> Api {
    graph::create_condition(h, &rearranged(a, &[a.bits(0), a.bits(1), a.bits(3), a.bits(4)]))
}

/// A `CUgraphNodeParams` is the runtime's but for copies, whose own calls take them.
fn no_copy(h: &mut Host<'_>, at: Ptr) -> Api {
    if !at.is_null() && h.field(at, cudaGraphNodeParams::kind)? == cudaGraphNodeTypeMemcpy {
        return Err(Fail::Stop(cudair_lane::fault::Stop::unsupported(
            "`CUgraphNodeParams` of a copy (`cuGraphAddMemcpyNode` and its kin take one)",
        )));
    }
    Ok(())
}

/// `cuGraphAddNode(node, graph, dependencies, count, params)`
pub(super) fn add_any(h: &mut Host<'_>, a: &Args<'_>) -> Api {
    no_copy(h, a.ptr(4))?;
    graph::add_any(h, a)
}

/// `cuGraphAddNode_v2(node, graph, dependencies, edges, count, params)`
pub(super) fn add_any_with_edges(h: &mut Host<'_>, a: &Args<'_>) -> Api {
    no_copy(h, a.ptr(5))?;
    graph::add_any_with_edges(h, a)
}

/// `cuGraphNodeSetParams(node, params)`
pub(super) fn set_any(h: &mut Host<'_>, a: &Args<'_>) -> Api {
    no_copy(h, a.ptr(1))?;
    graph::set_any(h, a)
}

/// `cuGraphExecNodeSetParams(exec, node, params)`
pub(super) fn set_any_in_exec(h: &mut Host<'_>, a: &Args<'_>) -> Api {
    no_copy(h, a.ptr(2))?;
    graph::set_any_in_exec(h, a)
}
