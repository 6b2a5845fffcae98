//! What a graph is made of: nodes and edges, asked for and changed; clones.

use super::{
    Body, Deps, Edge, Graph, GraphId, NodeId, NodeKind, find, find_node, make, node_handle, objects,
};
use crate::call::Call;
use crate::constants::{cudaGraphDependencyTypeProgrammatic, cudaGraphKernelNodePortLaunchCompletion};
use crate::layout::{Fields, Structure, cudaGraphEdgeData as Data, element};
use crate::{Api, CudaError, Fail, Kept, RuntimeCall};
use cudair_engine::Args;
use cudair_engine::guest::Host;
use cudair_lane::ptr::Ptr;

/// `cudaGraphCreate(graph, flags)`
pub(crate) fn create(h: &mut RuntimeCall<'_, '_>, a: &Args<'_>) -> Api {
    if a.u32(1) != 0 {
        return Err(CudaError::INVALID_VALUE.into());
    }
    let (handle, _) = make(h, Graph::default())?;
    h.give(a.ptr(0), handle.0, 8)
}

/// Whether a graph and its children can be copied: they have no nodes for memory and no conditional ones.
fn can_copy(h: &RuntimeCall<'_, '_>, graph: GraphId) -> bool {
    h.m.cuda.get().graphs.all[graph].live().all(|(_, node)| {
        !matches!(node.kind, NodeKind::Alloc | NodeKind::Free | NodeKind::Conditional)
            && node.body.graphs().iter().all(|&inner| can_copy(h, inner))
    })
}

/// A copy of a graph, with copies of the graphs of its children.
///
/// # Errors
/// Nodes that cannot be copied.
pub(super) fn copy(h: &mut RuntimeCall<'_, '_>, graph: GraphId, owned: bool) -> Result<GraphId, Fail> {
    if !can_copy(h, graph) {
        return Err(CudaError::NOT_SUPPORTED.into());
    }
    let mut copy = h.m.cuda.get().graphs.all[graph].clone();
    (copy.owned, copy.original) = (owned, Some(graph));
    h.m.cuda.get_mut().graphs.retain(&copy.objects);
    for node in copy.nodes.iter_mut().flatten() {
        if let Body::Child(child) = &mut node.body {
            *child = self::copy(h, *child, true)?;
        }
    }
    h.m.cuda.get_mut().graphs.all.push(copy);
    Ok(h.m.cuda.get().graphs.all.len() - 1)
}

/// `cudaGraphClone(clone, original)`
pub(crate) fn clone(h: &mut RuntimeCall<'_, '_>, a: &Args<'_>) -> Api {
    let graph = find(h, a.ptr(1))?;
    if a.ptr(0).is_null() {
        return Err(CudaError::INVALID_VALUE.into());
    }
    let copy = copy(h, graph, false)?;
    let handle = super::handle(h, copy)?;
    h.give(a.ptr(0), handle.0, 8)
}

/// `cudaGraphNodeFindInClone(node, original, clone)`
pub(crate) fn find_in_clone(h: &mut RuntimeCall<'_, '_>, a: &Args<'_>) -> Api {
    let (graph, node) = find_node(h, a.ptr(1))?;
    let clone = find(h, a.ptr(2))?;
    let graphs = &h.m.cuda.get().graphs;
    if graphs.all[clone].original != Some(graph) || graphs.node((clone, node)).is_none() {
        return Err(CudaError::INVALID_VALUE.into());
    }
    let handle = node_handle(h, (clone, node))?;
    h.give(a.ptr(0), handle.0, 8)
}

/// A graph is gone, with those of its nodes.
pub(super) fn drop_graph(h: &mut Host<'_>, graph: GraphId) -> Api {
    let gone = std::mem::take(&mut h.m.cuda.get_mut().graphs.all[graph]);
    let graphs = &mut h.m.cuda.get_mut().graphs;
    if let Some(handle) = graphs.handle_of.remove(&graph) {
        graphs.handles.remove(&handle);
    }
    for node in gone.nodes.iter().flatten() {
        for &inner in node.body.graphs() {
            drop_graph(h, inner)?;
        }
    }
    objects::released(h.m, &gone.objects)
}

/// `cudaGraphDestroy(graph)`
pub(crate) fn destroy(h: &mut Host<'_>, a: &Args<'_>) -> Api {
    let graph = find(h, a.ptr(0))?;
    if h.m.cuda.get().graphs.all[graph].owned {
        let message = "a graph that belongs to a node cannot be destroyed alone".to_owned();
        return Err(h.bad_argument(CudaError::INVALID_VALUE, message));
    }
    drop_graph(h, graph)
}

/// `cudaGraphDestroyNode(node)`: its edges go with it.
pub(crate) fn destroy_node(h: &mut Host<'_>, a: &Args<'_>) -> Api {
    let (graph, number) = h.with_runtime(|h| find_node(h, a.ptr(0)))?;
    let nodes = &mut h.m.cuda.get_mut().graphs.all[graph].nodes;
    if nodes[number].as_ref().is_some_and(|n| matches!(n.kind, NodeKind::Alloc | NodeKind::Free)) {
        return Err(CudaError::NOT_SUPPORTED.into());
    }
    let gone = nodes[number].take();
    for node in nodes.iter_mut().flatten() {
        node.after.retain(|e| e.from != number);
    }
    // Another node may have its handle.
    if let Some(Body::Branch { condition, .. }) = gone.as_ref().map(|n| &n.body) {
        h.m.cuda.get_mut().graphs.conditions[*condition].taken = false;
    }
    let gone = gone.as_ref().map_or(&[][..], |n| n.body.graphs());
    gone.iter().try_for_each(|&inner| drop_graph(h, inner))
}

/// The nodes that a list of handles names, all of one graph.
pub(super) fn listed(
    h: &mut RuntimeCall<'_, '_>,
    graph: GraphId,
    list: Ptr,
    count: u64,
) -> Result<Deps, Fail> {
    let mut found = Deps::new();
    if count > 0 && list.is_null() {
        return Err(CudaError::INVALID_VALUE.into());
    }
    for i in 0..count.min(super::MAX_NODES as u64) {
        let handle = h.load(element::<Ptr>(list, i))?;
        match find_node(h, handle)? {
            (of, node) if of == graph => found.push(node),
            _ => {
                let message = "a node of another graph is used with this graph".to_owned();
                return Err(h.bad_argument(CudaError::INVALID_VALUE, message));
            }
        }
    }
    Ok(found)
}

/// What a list of `cudaGraphEdgeData` says; where there is none, edges are plain.
pub(super) fn edge_data(h: &mut RuntimeCall<'_, '_>, list: Ptr, count: usize) -> Result<Vec<[u8; 8]>, Fail> {
    let mut data = vec![[0; 8]; count];
    if !list.is_null() {
        for (i, edge) in data.iter_mut().enumerate() {
            let told: Structure<Data> = Structure::read(h, element::<Data>(list, i as u64))?;
            // Two types of edges are defined, and three ports.
            if u32::from(told.get(Data::from_port)) > cudaGraphKernelNodePortLaunchCompletion
                || told.get(Data::to_port) > 0
                || u32::from(told.get(Data::kind)) > cudaGraphDependencyTypeProgrammatic
                || told.get(Data::reserved) != [0; 5]
            {
                return Err(CudaError::INVALID_VALUE.into());
            }
            edge.copy_from_slice(told.bytes());
        }
    }
    Ok(data)
}

/// `cudaGraphAddDependencies(graph, from, to, count)`
pub(crate) fn add_dependencies(h: &mut RuntimeCall<'_, '_>, a: &Args<'_>) -> Api {
    connect(h, a, Ptr::NULL, a.u64(3))
}

/// `cudaGraphAddDependencies_v2(graph, from, to, edges, count)`
pub(crate) fn add_dependencies_with_edges(h: &mut RuntimeCall<'_, '_>, a: &Args<'_>) -> Api {
    connect(h, a, a.ptr(3), a.u64(4))
}

/// Edges, none of which may be there; a cycle is found when the graph is instantiated.
fn connect(h: &mut RuntimeCall<'_, '_>, a: &Args<'_>, edges: Ptr, count: u64) -> Api {
    let graph = find(h, a.ptr(0))?;
    let (from, to) = (listed(h, graph, a.ptr(1), count)?, listed(h, graph, a.ptr(2), count)?);
    let data = edge_data(h, edges, from.len())?;
    for ((&from, &to), data) in from.iter().zip(&to).zip(data) {
        let graphs = &mut h.m.cuda.get_mut().graphs;
        // Only between kernels is there more than one kind of edge.
        let is_kernel = |n| graphs.node((graph, n)).is_some_and(|n| n.kind == NodeKind::Kernel);
        if data != [0; 8] && !(is_kernel(from) && is_kernel(to)) {
            return Err(CudaError::INVALID_VALUE.into());
        }
        let Some(node) = graphs.node_mut((graph, to)) else { continue };
        if from == to || node.after.iter().any(|e| e.from == from) {
            return Err(CudaError::INVALID_VALUE.into());
        }
        node.after.push(Edge { from, data });
    }
    Ok(())
}

/// `cudaGraphRemoveDependencies(graph, from, to, count)`
pub(crate) fn remove_dependencies(h: &mut RuntimeCall<'_, '_>, a: &Args<'_>) -> Api {
    disconnect(h, a, None, a.u64(3))
}

/// `cudaGraphRemoveDependencies_v2(graph, from, to, edges, count)`
pub(crate) fn remove_dependencies_with_edges(h: &mut RuntimeCall<'_, '_>, a: &Args<'_>) -> Api {
    disconnect(h, a, Some(a.ptr(3)), a.u64(4))
}

fn disconnect(h: &mut RuntimeCall<'_, '_>, a: &Args<'_>, edges: Option<Ptr>, count: u64) -> Api {
    let graph = find(h, a.ptr(0))?;
    let (from, to) = (listed(h, graph, a.ptr(1), count)?, listed(h, graph, a.ptr(2), count)?);
    let data = edge_data(h, edges.unwrap_or(Ptr::NULL), from.len())?;
    for ((&from, &to), data) in from.iter().zip(&to).zip(data) {
        let Some(node) = h.m.cuda.get_mut().graphs.node_mut((graph, to)) else { continue };
        let known = node.after.iter().position(|e| e.from == from && (edges.is_none() || e.data == data));
        match known {
            Some(at) if !matches!(node.kind, NodeKind::Alloc | NodeKind::Free) => {
                node.after.remove(at);
            }
            _ => return Err(CudaError::INVALID_VALUE.into()),
        }
    }
    Ok(())
}

/// Where lists of nodes, and of what belongs to each, are given: as many as there is room for, or only how many.
fn give_lists(h: &mut RuntimeCall<'_, '_>, lists: &[(Ptr, Vec<u64>)], count: Ptr) -> Api {
    if count.is_null() {
        return Err(CudaError::INVALID_VALUE.into());
    }
    let all = lists[0].1.len() as u64;
    if lists[0].0.is_null() {
        return h.give(count, all, 8);
    }
    let room = h.value(count, 8)?;
    for (out, words) in lists.iter().filter(|(out, _)| !out.is_null()) {
        // What is asked for beyond the end is null.
        for i in 0..room.min(super::MAX_NODES as u64) {
            let word = words.get(i as usize).copied().unwrap_or(0);
            h.put_value(element::<u64>(*out, i), word)?;
        }
    }
    h.give(count, room.min(all), 8)
}

fn handles(h: &mut RuntimeCall<'_, '_>, graph: GraphId, nodes: &[usize]) -> Result<Vec<u64>, Fail> {
    nodes.iter().map(|&n| node_handle(h, (graph, n)).map(|p| p.0)).collect()
}

/// `cudaGraphGetNodes(graph, nodes, count)`
pub(crate) fn nodes(h: &mut RuntimeCall<'_, '_>, a: &Args<'_>) -> Api {
    let graph = find(h, a.ptr(0))?;
    let all: Vec<usize> = h.m.cuda.get().graphs.all[graph].live().map(|(i, _)| i).collect();
    let all = handles(h, graph, &all)?;
    give_lists(h, &[(a.ptr(1), all)], a.ptr(2))
}

/// `cudaGraphGetRootNodes(graph, nodes, count)`
pub(crate) fn roots(h: &mut RuntimeCall<'_, '_>, a: &Args<'_>) -> Api {
    let graph = find(h, a.ptr(0))?;
    let all = h.m.cuda.get().graphs.all[graph].live();
    let roots: Vec<usize> = all.filter(|(_, n)| n.after.is_empty()).map(|(i, _)| i).collect();
    let roots = handles(h, graph, &roots)?;
    give_lists(h, &[(a.ptr(1), roots)], a.ptr(2))
}

/// `cudaGraphGetEdges(graph, from, to, count)`
pub(crate) fn edges(h: &mut RuntimeCall<'_, '_>, a: &Args<'_>) -> Api {
    give_edges(h, a, None, a.ptr(3))
}

/// `cudaGraphGetEdges_v2(graph, from, to, edges, count)`
pub(crate) fn edges_with_data(h: &mut RuntimeCall<'_, '_>, a: &Args<'_>) -> Api {
    give_edges(h, a, Some(a.ptr(3)), a.ptr(4))
}

fn give_edges(h: &mut RuntimeCall<'_, '_>, a: &Args<'_>, data: Option<Ptr>, count: Ptr) -> Api {
    let graph = find(h, a.ptr(0))?;
    if a.ptr(1).is_null() != a.ptr(2).is_null() {
        return Err(CudaError::INVALID_VALUE.into());
    }
    let all: Vec<(usize, Edge)> = {
        let live = h.m.cuda.get().graphs.all[graph].live();
        live.flat_map(|(to, n)| n.after.iter().map(move |&e| (to, e))).collect()
    };
    let lists = all.iter().map(|&(to, edge)| ((edge.from, to), edge.data));
    let (ends, bytes): (Vec<(usize, usize)>, Vec<[u8; 8]>) = lists.unzip();
    let (from, to): (Vec<usize>, Vec<usize>) = ends.into_iter().unzip();
    let (from, to) = (handles(h, graph, &from)?, handles(h, graph, &to)?);
    let bytes = told(bytes, data)?;
    give_lists(h, &[(a.ptr(1), from), (a.ptr(2), to), (data.unwrap_or(Ptr::NULL), bytes)], count)
}

/// The data of edges as words. A caller that does not ask for it must not lose any.
fn told(data: Vec<[u8; 8]>, asked: Option<Ptr>) -> Result<Vec<u64>, Fail> {
    let lost = asked.is_none_or(Ptr::is_null) && data.iter().any(|d| *d != [0; 8]);
    if lost {
        return Err(CudaError::LOSSY_QUERY.into());
    }
    Ok(data.into_iter().map(u64::from_le_bytes).collect())
}

/// `cudaGraphNodeGetDependencies(node, dependencies, count)`
pub(crate) fn dependencies(h: &mut RuntimeCall<'_, '_>, a: &Args<'_>) -> Api {
    neighbours(h, a, before, None, a.ptr(2))
}

/// `cudaGraphNodeGetDependencies_v2(node, dependencies, edges, count)`
pub(crate) fn dependencies_with_edges(h: &mut RuntimeCall<'_, '_>, a: &Args<'_>) -> Api {
    neighbours(h, a, before, Some(a.ptr(2)), a.ptr(3))
}

/// `cudaGraphNodeGetDependentNodes(node, dependents, count)`
pub(crate) fn dependents(h: &mut RuntimeCall<'_, '_>, a: &Args<'_>) -> Api {
    neighbours(h, a, behind, None, a.ptr(2))
}

/// `cudaGraphNodeGetDependentNodes_v2(node, dependents, edges, count)`
pub(crate) fn dependents_with_edges(h: &mut RuntimeCall<'_, '_>, a: &Args<'_>) -> Api {
    neighbours(h, a, behind, Some(a.ptr(2)), a.ptr(3))
}

fn before(graph: &Graph, node: usize) -> Vec<Edge> {
    graph.node(node).map_or_else(Vec::new, |n| n.after.clone())
}

fn behind(graph: &Graph, node: usize) -> Vec<Edge> {
    let edges = |(i, n): (usize, &super::Node)| {
        n.after.iter().find(|e| e.from == node).map(|e| Edge { from: i, data: e.data })
    };
    graph.live().filter_map(edges).collect()
}

fn neighbours(
    h: &mut RuntimeCall<'_, '_>,
    a: &Args<'_>,
    of: fn(&Graph, usize) -> Vec<Edge>,
    data: Option<Ptr>,
    count: Ptr,
) -> Api {
    let (graph, node): NodeId = find_node(h, a.ptr(0))?;
    let found = of(&h.m.cuda.get().graphs.all[graph], node);
    let (nodes, bytes): (Vec<usize>, Vec<[u8; 8]>) = found.into_iter().map(|e| (e.from, e.data)).unzip();
    let nodes = handles(h, graph, &nodes)?;
    let bytes = told(bytes, data)?;
    give_lists(h, &[(a.ptr(1), nodes), (data.unwrap_or(Ptr::NULL), bytes)], count)
}

/// The nodes of a graph in an order in which they can run. Of nodes that can run, the one that was added first does.
///
/// # Errors
/// The first node that waits for itself in the end.
pub(super) fn order(graph: &Graph) -> Result<Vec<usize>, usize> {
    let mut waits: Vec<usize> = graph.nodes.iter().map(|n| n.as_ref().map_or(0, |n| n.after.len())).collect();
    let mut behind: Vec<Deps> = vec![Deps::new(); graph.nodes.len()];
    for (i, node) in graph.live() {
        for edge in &node.after {
            behind[edge.from].push(i);
        }
    }
    let mut ready: std::collections::BTreeSet<usize> =
        graph.live().filter(|(i, _)| waits[*i] == 0).map(|(i, _)| i).collect();
    let mut order = Vec::new();
    while let Some(node) = ready.pop_first() {
        order.push(node);
        for &next in &behind[node] {
            waits[next] -= 1;
            if waits[next] == 0 {
                ready.insert(next);
            }
        }
    }
    match graph.live().find(|(i, _)| waits[*i] > 0) {
        None => Ok(order),
        Some((node, _)) => Err(node),
    }
}
