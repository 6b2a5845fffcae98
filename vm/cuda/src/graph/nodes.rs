//! Nodes: added, described, changed.

use super::parameters::{self, Described, copy_1d};
use super::{
    Body, Edge, Node, NodeKind, conditional, find, find_kind, find_node, handle, node_handle, topology,
};
use crate::call::Call;
use crate::constants::*;
use crate::layout::{
    Fields, Laid, Structure, cudaAccessPolicyWindow, cudaConditionalNodeParams, cudaGraphNodeParams,
    cudaLaunchAttributeValue,
};
use crate::queue::Work;
use crate::{Api, CudaError, Fail, Kept, RuntimeCall, cluster, symbol};
use cudair_engine::Args;
use cudair_engine::guest::Host;
use cudair_engine::parts::HasRuntime;
use cudair_lane::fault::Stop;
use cudair_lane::ptr::Ptr;

/// Adds a node: `(node, graph, dependencies, …)`.
fn insert<M: HasRuntime>(
    h: &mut Host<'_, M>,
    a: &Args<'_>,
    kind: NodeKind,
    (edges, count): (Ptr, u64),
    make: impl FnOnce(&mut Host<'_, M>, usize) -> Result<Described, Fail>,
) -> Api {
    let (graph, after, data) = h.with_runtime(|h| {
        let graph = find(h, a.ptr(1))?;
        let after = topology::listed(h, graph, a.ptr(2), count)?;
        let data = topology::edge_data(h, edges, after.len())?;
        Ok::<_, Fail>((graph, after, data))
    })?;
    if a.ptr(0).is_null() || (1..after.len()).any(|i| after[..i].contains(&after[i])) {
        return Err(CudaError::INVALID_VALUE.into());
    }
    let (body, described) = make(h, graph)?;
    let who = h.access();
    let after = after.iter().zip(data).map(|(&from, data)| Edge { from, data }).collect();
    let node = Node { described, ..Node::new(kind, body, who, after) };
    h.with_runtime(|h| {
        let number = h.m.cuda.get_mut().graphs.push(graph, node)?;
        let handle = node_handle(h, (graph, number))?;
        h.give(a.ptr(0), handle.0, 8)
    })
}

/// `cudaGraphAdd…Node(node, graph, dependencies, count, params)`
pub(crate) fn add(h: &mut Host<'_>, a: &Args<'_>, kind: NodeKind) -> Api {
    let plain = (Ptr::NULL, a.u64(3));
    match kind {
        NodeKind::Child => insert(h, a, kind, plain, |h, graph| {
            let child = find(h, a.ptr(4))?;
            if child == graph {
                return Err(CudaError::INVALID_VALUE.into());
            }
            Ok((Body::Child(h.with_runtime(|h| topology::copy(h, child, true))?), None))
        }),
        NodeKind::Record | NodeKind::Wait => {
            insert(h, a, kind, plain, |h, _| Ok((parameters::marked(h, kind, a.ptr(4))?, None)))
        }
        NodeKind::Empty => insert(h, a, kind, plain, |_, _| Ok((Body::Empty, None))),
        _ => insert(h, a, kind, plain, |h, _| parameters::read(h, a, kind, a.ptr(4))),
    }
}

/// `cudaGraphAddMemFreeNode(node, graph, dependencies, count, address)`
pub(crate) fn add_free(h: &mut RuntimeCall<'_, '_>, a: &Args<'_>) -> Api {
    let ptr = a.ptr(4);
    if !h.m.config.device.memory_pools() {
        return Err(CudaError::NOT_SUPPORTED.into());
    }
    if !h.m.cuda.get().graph_memory.has(ptr) {
        let message = "a graph frees memory that no graph has allocated".to_owned();
        return Err(h.bad_argument(CudaError::INVALID_VALUE, message));
    }
    let graph = find(h, a.ptr(1))?;
    let frees = |node: &Node| matches!(node.body, Body::Work(Work::GraphFree(p)) if p == ptr);
    if h.m.cuda.get().graphs.all[graph].nodes.iter().flatten().any(frees) {
        let message = "a graph frees memory twice".to_owned();
        return Err(h.bad_argument(CudaError::INVALID_VALUE, message));
    }
    let body = Body::Work(Work::GraphFree(ptr));
    insert(h, a, NodeKind::Free, (Ptr::NULL, a.u64(3)), |_, _| Ok((body, None)))
}

/// `cudaGraphAddMemcpyNode1D(…, dst, src, count, kind)`
pub(crate) fn add_copy_1d(h: &mut Host<'_>, a: &Args<'_>) -> Api {
    insert(h, a, NodeKind::Copy, (Ptr::NULL, a.u64(3)), |h, _| {
        Ok((copy_1d(h, a.ptr(4), a.ptr(5), a.u64(6), a.i32(7))?, None))
    })
}

/// `cudaGraphAddMemcpyNodeToSymbol(…, symbol, src, count, offset, kind)`
pub(crate) fn add_to_symbol(h: &mut Host<'_>, a: &Args<'_>) -> Api {
    insert(h, a, NodeKind::Copy, (Ptr::NULL, a.u64(3)), |h, _| Ok((to_symbol(h, a, 4)?, None)))
}

/// `cudaGraphAddMemcpyNodeFromSymbol(…, dst, symbol, count, offset, kind)`
pub(crate) fn add_from_symbol(h: &mut Host<'_>, a: &Args<'_>) -> Api {
    insert(h, a, NodeKind::Copy, (Ptr::NULL, a.u64(3)), |h, _| Ok((from_symbol(h, a, 4)?, None)))
}

/// A copy to a symbol whose description begins at an argument.
pub(super) fn to_symbol(h: &mut Host<'_>, a: &Args<'_>, at: usize) -> Result<Body, Fail> {
    let to = symbol::place(h, a.ptr(at), a.u64(at + 2), a.u64(at + 3))?;
    if !symbol::can_be_target(a.i32(at + 4)) {
        return Err(CudaError::INVALID_MEMCPY_DIRECTION.into());
    }
    copy_1d(h, to, a.ptr(at + 1), a.u64(at + 2), a.i32(at + 4))
}

/// A copy from a symbol whose description begins at an argument.
pub(super) fn from_symbol(h: &mut Host<'_>, a: &Args<'_>, at: usize) -> Result<Body, Fail> {
    let from = symbol::place(h, a.ptr(at + 1), a.u64(at + 2), a.u64(at + 3))?;
    if !symbol::can_be_source(a.i32(at + 4)) {
        return Err(CudaError::INVALID_MEMCPY_DIRECTION.into());
    }
    copy_1d(h, a.ptr(at), from, a.u64(at + 2), a.i32(at + 4))
}

/// `cudaGraphAddNode(node, graph, dependencies, count, params)`
pub(crate) fn add_any(h: &mut Host<'_>, a: &Args<'_>) -> Api {
    any(h, a, (Ptr::NULL, a.u64(3)), a.ptr(4))
}

/// `cudaGraphAddNode_v2(node, graph, dependencies, edges, count, params)`
pub(crate) fn add_any_with_edges(h: &mut Host<'_>, a: &Args<'_>) -> Api {
    any(h, a, (a.ptr(3), a.u64(4)), a.ptr(5))
}

/// The kind that a `cudaGraphNodeParams` is for.
fn kind_of(h: &mut Host<'_>, params: Ptr) -> Result<NodeKind, Fail> {
    let kind = h.field(params, cudaGraphNodeParams::kind)?;
    NodeKind::of(kind).ok_or_else(|| CudaError::INVALID_VALUE.into())
}

fn any(h: &mut Host<'_>, a: &Args<'_>, edges: (Ptr, u64), params: Ptr) -> Api {
    let kind = kind_of(h, params)?;
    let part = parameters::part(kind, params);
    insert(h, a, kind, edges, |h, graph| {
        if kind != NodeKind::Conditional {
            return parameters::read(h, a, kind, part);
        }
        let (condition, kind, size) = parameters::branch(h, graph, part)?;
        let bodies = conditional::make_bodies(h, size, cudaConditionalNodeParams::phGraph_out.of(part))?;
        let of = &mut h.m.cuda.get_mut().graphs.conditions[condition];
        (of.used, of.taken) = (true, true);
        Ok((Body::Branch { condition, kind, bodies }, None))
    })
}

/// `cudaGraphNodeGetType(node, type)`
pub(crate) fn get_type(h: &mut RuntimeCall<'_, '_>, a: &Args<'_>) -> Api {
    let id = find_node(h, a.ptr(0))?;
    let node = h.m.cuda.get().graphs.node(id);
    let kind = node.ok_or_else(|| Stop::internal("a node that was found is not there"))?.kind as u64;
    h.give(a.ptr(1), kind, 4)
}

/// `cudaGraph…NodeGetParams(node, params)`
pub(crate) fn get(h: &mut RuntimeCall<'_, '_>, a: &Args<'_>, kind: NodeKind) -> Api {
    let id = find_kind(h, a.ptr(0), kind)?;
    match h.m.cuda.get().graphs.node(id).cloned() {
        Some(node) => parameters::write(h, &node, a.ptr(1)),
        None => Err(CudaError::INVALID_VALUE.into()),
    }
}

/// `cudaGraphChildGraphNodeGetGraph(node, graph)`: the graph that the node owns.
pub(crate) fn get_graph(h: &mut RuntimeCall<'_, '_>, a: &Args<'_>) -> Api {
    let id = find_kind(h, a.ptr(0), NodeKind::Child)?;
    let Some(Body::Child(child)) = h.m.cuda.get().graphs.node(id).map(|n| n.body.clone()) else {
        return Err(CudaError::INVALID_VALUE.into());
    };
    let handle = handle(h, child)?;
    h.give(a.ptr(1), handle.0, 8)
}

/// A node does something else of its kind.
fn replace(h: &mut RuntimeCall<'_, '_>, id: super::NodeId, (mut body, described): Described) -> Api {
    let who = h.access();
    if let (Some(Node { body: Body::Work(old), .. }), Body::Work(new)) =
        (h.m.cuda.get().graphs.node(id), &mut body)
    {
        cluster::inherit(h.m, old, new)?;
    }
    if let Some(node) = h.m.cuda.get_mut().graphs.node_mut(id) {
        (node.body, node.described, node.who) = (body, described, who);
    }
    Ok(())
}

/// `cudaGraph…NodeSetParams(node, params)`
pub(crate) fn set(h: &mut Host<'_>, a: &Args<'_>, kind: NodeKind) -> Api {
    let id = find_kind(h, a.ptr(0), kind)?;
    let new = match kind {
        NodeKind::Record | NodeKind::Wait => (parameters::marked(h, kind, a.ptr(1))?, None),
        _ => parameters::read(h, a, kind, a.ptr(1))?,
    };
    h.with_runtime(|h| replace(h, id, new))
}

/// Whether nodes of a kind can be changed by `cudaGraphNodeSetParams` and its kin.
pub(super) fn is_changeable(kind: NodeKind) -> bool {
    !matches!(
        kind,
        NodeKind::Child | NodeKind::Empty | NodeKind::Alloc | NodeKind::Free | NodeKind::Conditional
    )
}

/// `cudaGraphNodeSetParams(node, params)`
pub(crate) fn set_any(h: &mut Host<'_>, a: &Args<'_>) -> Api {
    let kind = kind_of(h, a.ptr(1))?;
    let id = find_kind(h, a.ptr(0), kind)?;
    if !is_changeable(kind) {
        return Err(CudaError::NOT_SUPPORTED.into());
    }
    let new = parameters::read(h, a, kind, parameters::part(kind, a.ptr(1)))?;
    h.with_runtime(|h| replace(h, id, new))
}

/// As [`set_any`] for an executable graph: the kind, the body and its description.
pub(super) fn read_any(h: &mut Host<'_>, a: &Args<'_>, params: Ptr) -> Result<(NodeKind, Described), Fail> {
    let kind = kind_of(h, params)?;
    if !is_changeable(kind) && kind != NodeKind::Child {
        return Err(CudaError::NOT_SUPPORTED.into());
    }
    Ok((kind, parameters::read(h, a, kind, parameters::part(kind, params))?))
}

/// `cudaGraphMemcpyNodeSetParams1D(node, dst, src, count, kind)`
pub(crate) fn set_copy_1d(h: &mut Host<'_>, a: &Args<'_>) -> Api {
    let id = find_kind(h, a.ptr(0), NodeKind::Copy)?;
    let body = copy_1d(h, a.ptr(1), a.ptr(2), a.u64(3), a.i32(4))?;
    h.with_runtime(|h| replace(h, id, (body, None)))
}

/// `cudaGraphMemcpyNodeSetParamsToSymbol(node, symbol, src, count, offset, kind)`
pub(crate) fn set_to_symbol(h: &mut Host<'_>, a: &Args<'_>) -> Api {
    let id = find_kind(h, a.ptr(0), NodeKind::Copy)?;
    let body = to_symbol(h, a, 1)?;
    h.with_runtime(|h| replace(h, id, (body, None)))
}

/// `cudaGraphMemcpyNodeSetParamsFromSymbol(node, dst, symbol, count, offset, kind)`
pub(crate) fn set_from_symbol(h: &mut Host<'_>, a: &Args<'_>) -> Api {
    let id = find_kind(h, a.ptr(0), NodeKind::Copy)?;
    let body = from_symbol(h, a, 1)?;
    h.with_runtime(|h| replace(h, id, (body, None)))
}

/// Whether kernel nodes have an attribute: the window of persisting accesses, cooperative launches, the dimensions of
/// clusters and how they are spread, the priority, the domains of memory synchronisation.
fn is_attribute(number: u32) -> bool {
    matches!(
        number,
        cudaLaunchAttributeAccessPolicyWindow
            | cudaLaunchAttributeCooperative
            | cudaLaunchAttributeClusterDimension
            | cudaLaunchAttributeClusterSchedulingPolicyPreference
            | cudaLaunchAttributePriority
            | cudaLaunchAttributeMemSyncDomainMap
            | cudaLaunchAttributeMemSyncDomain
            | cudaLaunchAttributePreferredSharedMemoryCarveout
    )
}

/// How many bytes of an attribute's value say something.
fn attribute_bytes(number: u32) -> u64 {
    use cudaLaunchAttributeValue as Value;
    let bytes = match number {
        cudaLaunchAttributeAccessPolicyWindow => {
            Value::accessPolicyWindow.then(cudaAccessPolicyWindow::missProp).end()
        }
        cudaLaunchAttributeClusterDimension => Value::clusterDim.end(),
        cudaLaunchAttributeMemSyncDomainMap => Value::memSyncDomainMap.end(),
        _ => Value::priority.end(),
    };
    bytes as u64
}

/// `cudaGraphKernelNodeSetAttribute(node, attribute, value)`
pub(crate) fn set_attribute(h: &mut RuntimeCall<'_, '_>, a: &Args<'_>) -> Api {
    let id = find_kind(h, a.ptr(0), NodeKind::Kernel)?;
    let number = a.u32(1);
    if number == cudaLaunchAttributeDeviceUpdatableKernelNode
        && h.field(a.ptr(2), cudaLaunchAttributeValue::deviceUpdatable)? != 0
    {
        return Err(Fail::Stop(Stop::unsupported("a kernel node of a graph that device code updates")));
    }
    if !is_attribute(number) {
        return Err(CudaError::INVALID_VALUE.into());
    }
    let value = Structure::of_bytes(&h.structure(a.ptr(2), attribute_bytes(number))?);
    if number == cudaLaunchAttributeClusterSchedulingPolicyPreference
        && !cluster::is_policy(value.get(cudaLaunchAttributeValue::clusterSchedulingPolicyPreference))
    {
        return Err(CudaError::INVALID_VALUE.into());
    }
    if number == cudaLaunchAttributeClusterDimension {
        let body = h.m.cuda.get().graphs.node(id).map(|n| n.body.clone());
        if let Some(Body::Work(Work::Launch { mut launch, objects })) = body {
            cluster::reshape(h.m, &mut launch, value.get(cudaLaunchAttributeValue::clusterDim))?;
            if let Some(node) = h.m.cuda.get_mut().graphs.node_mut(id) {
                node.body = Body::Work(Work::Launch { launch, objects });
            }
        }
    }
    if let Some(node) = h.m.cuda.get_mut().graphs.node_mut(id) {
        node.attributes.insert(number, value.into_bytes());
    }
    Ok(())
}

/// `cudaGraphKernelNodeGetAttribute(node, attribute, value)`
pub(crate) fn attribute(h: &mut RuntimeCall<'_, '_>, a: &Args<'_>) -> Api {
    let id = find_kind(h, a.ptr(0), NodeKind::Kernel)?;
    let number = a.u32(1);
    if !is_attribute(number) || a.ptr(2).is_null() {
        return Err(CudaError::INVALID_VALUE.into());
    }
    let node = h.m.cuda.get().graphs.node(id);
    // What a launch that was captured says of its clusters is an attribute of the node.
    let given = node.and_then(|n| match &n.body {
        Body::Work(Work::Launch { launch, .. })
            if number == cudaLaunchAttributeClusterDimension && launch.explicit_cluster =>
        {
            let mut value = Structure::zeroed();
            value.set(cudaLaunchAttributeValue::clusterDim, launch.cluster);
            Some(value.into_bytes())
        }
        _ => None,
    });
    let known = node.and_then(|n| n.attributes.get(&number).cloned()).or(given);
    let mut value = known.unwrap_or_else(|| vec![0; cudaLaunchAttributeValue::SIZE]);
    value.truncate(attribute_bytes(number).next_multiple_of(4) as usize);
    h.store(a.ptr(2), &value)?;
    Ok(())
}

/// `cudaGraphKernelNodeCopyAttributes(to, from)`
pub(crate) fn copy_attributes(h: &mut RuntimeCall<'_, '_>, a: &Args<'_>) -> Api {
    let (to, from) = (find_kind(h, a.ptr(0), NodeKind::Kernel)?, find_kind(h, a.ptr(1), NodeKind::Kernel)?);
    let attributes = h.m.cuda.get().graphs.node(from).map(|n| n.attributes.clone());
    let attributes = attributes.ok_or_else(|| Stop::internal("a node that was found is not there"))?;
    if let Some(node) = h.m.cuda.get_mut().graphs.node_mut(to) {
        node.attributes = attributes;
    }
    Ok(())
}
