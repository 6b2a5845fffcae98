//! Graphs that run: instantiated, changed, launched.
//!
//! A launch queues the nodes on the launching stream and, where branches may overlap, on streams of the graph's own, so
//! that what the race detector knows of streams holds for branches too.

use super::conditional::Conditional;
use super::parameters::copy_1d;
use super::{
    Body, Deps, Edge, Graph, GraphId, Graphs, Node, NodeId, NodeKind, Recording, device, find, find_node,
    node_handle, nodes, objects, topology,
};
use crate::call::Call;
use crate::constants::*;
use crate::layout::{
    Fields, Structure, cudaGraphExecUpdateResultInfo as Info, cudaGraphInstantiateParams as Params,
};
use crate::queue::{OpId, Work};
use crate::{Api, CudaError, Fail, Kept, RuntimeCall, cluster, event, memory, queue, stream};
use cudair_engine::guest::{Guest, Host, runtime_object};
use cudair_engine::parts::{HasRuntime, HostRuntime};
use cudair_engine::{Args, Machine};
use cudair_ir::Kind;
use cudair_lane::fault::Stop;
use cudair_lane::ptr::Ptr;
use cudair_memory::ByteAccess;
use cudair_race::streams::Clock;
use smallvec::SmallVec;
use std::sync::Arc;

pub(super) use crate::constants::cudaGraphInstantiateFlagDeviceLaunch as DEVICE_LAUNCH;

/// Every flag of an instantiation.
const ALL_FLAGS: u64 = cudaGraphInstantiateFlagAutoFreeOnLaunch
    | cudaGraphInstantiateFlagUpload
    | cudaGraphInstantiateFlagDeviceLaunch
    | cudaGraphInstantiateFlagUseNodePriority;

/// A node that runs, and the ones before it.
#[derive(Clone, Debug)]
struct Step {
    /// The node that it was made from.
    of: NodeId,
    kind: NodeKind,
    does: Does,
    who: ByteAccess,
    after: Deps,
    enabled: bool,
}

/// What a step does.
#[derive(Clone, Debug)]
enum Does {
    Work(Work),
    Nothing,
    Record(usize),
    Wait(usize),
}

impl Step {
    fn work(&self) -> Option<&Work> {
        match &self.does {
            Does::Work(work) => Some(work),
            Does::Nothing | Does::Record(_) | Does::Wait(_) => None,
        }
    }
}

/// The operations of an executable graph, in an order in which they can run.
pub(super) fn works(exec: &Exec) -> Vec<(Work, ByteAccess)> {
    let enabled = exec.steps.iter().filter(|s| s.enabled);
    enabled.filter_map(|s| Some((s.work()?.clone(), s.who))).collect()
}

/// A graph that can run.
#[derive(Clone, Debug)]
pub(super) struct Exec {
    /// The graph that it was made from.
    graph: GraphId,
    /// Shared with launches and calls that look at them.
    steps: Arc<Vec<Step>>,
    pub(super) flags: u64,
    /// Device code can launch it from now on, where it may.
    pub(super) uploaded: bool,
    /// The streams of its branches, made when they are first needed.
    streams: Vec<usize>,
    /// What the next launch comes behind: the last one.
    last: Option<(OpId, Clock)>,
    objects: Vec<(usize, u32)>,
    /// The values of its conditional nodes.
    conditions: Vec<usize>,
}

fn find_exec<M: HasRuntime>(h: &mut Host<'_, M>, handle: Ptr) -> Result<Exec, Fail> {
    h.with_runtime(|h| match h.m.cuda.get().graphs.execs.get(&handle) {
        Some(exec) => Ok(exec.clone()),
        None => {
            let message = "this value is not an executable graph, or the graph was destroyed".to_owned();
            Err(h.bad_argument(CudaError::INVALID_VALUE, message))
        }
    })
}

/// What cannot be instantiated: the `cudaGraphInstantiateResult`, and a node that is at fault. Where that is missing for an
/// operation that is not supported, it was reported.
type Refusal = (u32, Option<NodeId>);

/// Unfolds a graph into steps behind those that `entry` numbers, and gives the last ones of it.
fn unfold(graphs: &Graphs, graph: GraphId, entry: &Deps, steps: &mut Vec<Step>) -> Result<Deps, Refusal> {
    let source = &graphs.all[graph];
    let order =
        topology::order(source).map_err(|n| (cudaGraphInstantiateInvalidStructure, Some((graph, n))))?;
    let mut number = vec![usize::MAX; source.nodes.len()];
    let mut leaf = vec![false; source.nodes.len()];
    for n in order {
        let Some(node) = source.node(n) else { continue };
        let mut after: Deps = node.after.iter().map(|e| number[e.from]).collect();
        for edge in &node.after {
            leaf[edge.from] = false;
        }
        leaf[n] = true;
        if after.is_empty() {
            after.clone_from(entry);
        }
        let does = match &node.body {
            Body::Work(work) => Does::Work(work.clone()),
            Body::Empty => Does::Nothing,
            Body::Record(event) => Does::Record(*event),
            Body::Wait(event) => Does::Wait(*event),
            Body::Child(child) => {
                let last = unfold(graphs, *child, &after, steps)?;
                if !last.is_empty() {
                    after = last;
                }
                Does::Nothing
            }
            Body::Branch { condition, kind, bodies } => {
                let bodies = bodies.iter().map(|&b| straighten(graphs, b)).collect::<Result<_, _>>()?;
                let node = Conditional { condition: *condition, kind: *kind, bodies };
                Does::Work(Work::Conditional(Arc::new(node)))
            }
        };
        number[n] = steps.len();
        steps.push(Step { of: (graph, n), kind: node.kind, does, who: node.who, after, enabled: true });
    }
    Ok(leaf.iter().zip(number).filter(|(leaf, _)| **leaf).map(|(_, n)| n).collect())
}

/// The operations of a conditional node's body, one behind the other.
fn straighten(graphs: &Graphs, graph: GraphId) -> Result<Vec<(Work, ByteAccess)>, Refusal> {
    let mut steps = Vec::new();
    unfold(graphs, graph, &Deps::new(), &mut steps)?;
    let mut body = Vec::new();
    for step in steps {
        if !matches!(
            step.kind,
            NodeKind::Kernel
                | NodeKind::Copy
                | NodeKind::Fill
                | NodeKind::Empty
                | NodeKind::Child
                | NodeKind::Conditional
        ) {
            return Err((cudaGraphInstantiateNodeOperationNotSupported, Some(step.of)));
        }
        match step.does {
            Does::Work(work) => body.push((work, step.who)),
            Does::Nothing | Does::Record(_) | Does::Wait(_) => {}
        }
    }
    Ok(body)
}

/// The values that a graph's conditional nodes look at.
fn conditions(m: &HostRuntime<'_>, graph: GraphId, found: &mut Vec<usize>) {
    for (_, node) in m.cuda.get().graphs.all[graph].live() {
        if let Body::Branch { condition, .. } = node.body {
            found.push(condition);
        }
        for &inner in node.body.graphs() {
            conditions(m, inner, found);
        }
    }
}

fn make(h: &mut RuntimeCall<'_, '_>, out: Ptr, graph: Ptr, flags: u64) -> Result<Option<Refusal>, Fail> {
    let graph = find(h, graph)?;
    if out.is_null()
        || flags & !ALL_FLAGS != 0
        || flags & (cudaGraphInstantiateFlagAutoFreeOnLaunch | DEVICE_LAUNCH)
            == cudaGraphInstantiateFlagAutoFreeOnLaunch | DEVICE_LAUNCH
    {
        return Err(CudaError::INVALID_VALUE.into());
    }
    let mut steps = Vec::new();
    if let Err(refusal) = unfold(&h.m.cuda.get().graphs, graph, &Deps::new(), &mut steps) {
        return Ok(Some(refusal));
    }
    if flags & DEVICE_LAUNCH != 0 {
        let works: Vec<_> = steps.iter().map(|s| (s.kind, s.work())).collect();
        if let Some(what) = device::unfit(h.m, &works) {
            let message = format!("device code cannot launch this graph: {what}");
            h.bad_argument(CudaError::INVALID_VALUE, message);
            return Ok(Some((cudaGraphInstantiateNodeOperationNotSupported, None)));
        }
    }
    let graphs = &h.m.cuda.get().graphs;
    if graphs.conditions.iter().any(|c| c.graph == graph && !c.used) {
        return Ok(Some((cudaGraphInstantiateConditionalHandleUnused, None)));
    }
    let has_memory = steps.iter().any(|s| matches!(s.kind, NodeKind::Alloc | NodeKind::Free));
    if has_memory && graphs.execs.values().any(|e| e.graph == graph) {
        let message =
            "a graph with memory nodes is instantiated again before its executable graph is destroyed";
        return Err(h.bad_argument(CudaError::NOT_SUPPORTED, message.to_owned()));
    }
    let objects = graphs.all[graph].objects.clone();
    h.m.cuda.get_mut().graphs.retain(&objects);
    let mut found = Vec::new();
    conditions(h.m, graph, &mut found);
    let exec = Exec {
        graph,
        steps: Arc::new(steps),
        flags,
        uploaded: false,
        streams: Vec::new(),
        last: None,
        objects,
        conditions: found,
    };
    let handle = runtime_object(h.m, "executable graph", &[0; 8], 8)?;
    h.m.cuda.get_mut().graphs.execs.insert(handle, exec);
    h.give(out, handle.0, 8)?;
    Ok(None)
}

fn made(h: &mut RuntimeCall<'_, '_>, a: &Args<'_>, flags: u64) -> Api {
    match make(h, a.ptr(0), a.ptr(1), flags)? {
        None => Ok(()),
        Some((cudaGraphInstantiateConditionalHandleUnused, _)) => {
            let message = "a graph has a conditional handle that none of its nodes uses".to_owned();
            Err(h.bad_argument(CudaError::INVALID_VALUE, message))
        }
        Some((cudaGraphInstantiateNodeOperationNotSupported, None)) => {
            Err(Fail::Reported(CudaError::INVALID_VALUE))
        }
        Some((cudaGraphInstantiateNodeOperationNotSupported, node)) => {
            let kind = node.and_then(|n| h.m.cuda.get().graphs.node(n)).map_or("strange", |n| n.kind.name());
            let message = format!(
                "the body of a conditional node has a node of kind {kind}, which is not \
                                   allowed"
            );
            Err(h.bad_argument(CudaError::NOT_SUPPORTED, message))
        }
        Some(_) => {
            let message = "the nodes of this graph wait for each other in a cycle".to_owned();
            Err(h.bad_argument(CudaError::INVALID_VALUE, message))
        }
    }
}

/// `cudaGraphInstantiate(exec, graph, flags)`; with CUDA 11's five arguments the flags stay 0.
pub(crate) fn instantiate(h: &mut RuntimeCall<'_, '_>, a: &Args<'_>) -> Api {
    let flags = if a.values.len() > 3 { 0 } else { a.u64(2) };
    made(h, a, flags)
}

/// `cudaGraphInstantiateWithFlags(exec, graph, flags)`
pub(crate) fn instantiate_with_flags(h: &mut RuntimeCall<'_, '_>, a: &Args<'_>) -> Api {
    made(h, a, a.u64(2))
}

/// `cudaGraphInstantiateWithParams(exec, graph, params)`: flags, a stream to upload on, the node at fault, the result.
pub(crate) fn instantiate_with_params(h: &mut RuntimeCall<'_, '_>, a: &Args<'_>) -> Api {
    let params = a.ptr(2);
    let told = Structure::read_to(h, params, Params::uploadStream)?;
    let (flags, upload) = (told.get(Params::flags), told.get(Params::uploadStream));
    let tell = |h: &mut RuntimeCall<'_, '_>, node: Ptr, result: u32| {
        h.put_field(params, Params::errNode_out, node)?;
        h.put_field(params, Params::result_out, result)
    };
    if flags & cudaGraphInstantiateFlagUpload != 0 {
        stream::find(h, upload)?;
    }
    match make(h, a.ptr(0), a.ptr(1), flags) {
        Ok(None) => {
            let handle = Ptr(h.word(a.ptr(0), 8)?);
            if let Some(exec) = h.m.cuda.get_mut().graphs.execs.get_mut(&handle) {
                exec.uploaded = flags & cudaGraphInstantiateFlagUpload != 0;
            }
            tell(h, Ptr::NULL, cudaGraphInstantiateSuccess)
        }
        Ok(Some((result, node))) => {
            let reported = result == cudaGraphInstantiateNodeOperationNotSupported && node.is_none();
            let node = match node {
                Some(node) => node_handle(h, node)?,
                None => Ptr::NULL,
            };
            tell(h, node, result)?;
            Err(if reported {
                Fail::Reported(CudaError::INVALID_VALUE)
            } else {
                CudaError::INVALID_VALUE.into()
            })
        }
        Err(Fail::Code(error)) => {
            tell(h, Ptr::NULL, cudaGraphInstantiateError)?;
            Err(error.into())
        }
        Err(other) => Err(other),
    }
}

/// `cudaGraphExecGetFlags(exec, flags)`: that nodes have priorities is not told.
pub(crate) fn flags(h: &mut RuntimeCall<'_, '_>, a: &Args<'_>) -> Api {
    let exec = find_exec(h, a.ptr(0))?;
    h.give(a.ptr(1), exec.flags & !cudaGraphInstantiateFlagUseNodePriority, 8)
}

/// The step that a node of the graph became, which is of this kind.
fn step<M: HasRuntime>(h: &mut Host<'_, M>, a: &Args<'_>, kind: Option<NodeKind>) -> Result<usize, Fail> {
    h.with_runtime(|h| {
        let exec = find_exec(h, a.ptr(0))?;
        let node = find_node(h, a.ptr(1))?;
        let found = exec.steps.iter().position(|s| s.of == node && kind.is_none_or(|k| k == s.kind));
        found.ok_or_else(|| CudaError::INVALID_VALUE.into())
    })
}

fn replace(h: &mut RuntimeCall<'_, '_>, a: &Args<'_>, step: usize, mut body: Body) -> Api {
    let who = h.access();
    let old = h.m.cuda.get().graphs.execs.get(&a.ptr(0)).and_then(|e| e.steps.get(step)).map(|s| &s.does);
    if let (Some(Does::Work(old)), Body::Work(new)) = (old, &mut body) {
        cluster::inherit(h.m, old, new)?;
    }
    let does = match body {
        Body::Work(work) => Does::Work(work),
        Body::Record(event) => Does::Record(event),
        Body::Wait(event) => Does::Wait(event),
        Body::Empty => Does::Nothing,
        Body::Child(child) => return replace_child(h, a, step, child),
        Body::Branch { .. } => return Err(CudaError::INVALID_VALUE.into()),
    };
    if let Some(exec) = h.m.cuda.get_mut().graphs.execs.get_mut(&a.ptr(0)) {
        let step = &mut Arc::make_mut(&mut exec.steps)[step];
        (step.does, step.who) = (does, who);
    }
    Ok(())
}

/// A child does what another graph of the same form does.
fn replace_child(h: &mut RuntimeCall<'_, '_>, a: &Args<'_>, step: usize, child: GraphId) -> Api {
    let exec = find_exec(h, a.ptr(0))?;
    let Some(Body::Child(old)) = h.m.cuda.get().graphs.node(exec.steps[step].of).map(|n| n.body.clone())
    else {
        return Err(CudaError::INVALID_VALUE.into());
    };
    let (mut before, mut after) = (Vec::new(), Vec::new());
    let unfolded = unfold(&h.m.cuda.get().graphs, old, &Deps::new(), &mut before).and(unfold(
        &h.m.cuda.get().graphs,
        child,
        &Deps::new(),
        &mut after,
    ));
    if unfolded.is_err() || difference(&before, &after).is_some() {
        return Err(CudaError::INVALID_VALUE.into());
    }
    if let Some(exec) = h.m.cuda.get_mut().graphs.execs.get_mut(&a.ptr(0)) {
        for (old, new) in before.iter().zip(after) {
            if let Some(step) = Arc::make_mut(&mut exec.steps).iter_mut().find(|s| s.of == old.of) {
                (step.does, step.who) = (new.does, new.who);
            }
        }
    }
    Ok(())
}

/// `cudaGraphExec…NodeSetParams(exec, node, params)`
pub(crate) fn set(h: &mut Host<'_>, a: &Args<'_>, kind: NodeKind) -> Api {
    let step = step(h, a, Some(kind))?;
    let body = match kind {
        NodeKind::Record | NodeKind::Wait => super::parameters::marked(h, kind, a.ptr(2))?,
        NodeKind::Child => {
            let child = find(h, a.ptr(2))?;
            Body::Child(child)
        }
        _ => super::parameters::read(h, a, kind, a.ptr(2))?.0,
    };
    h.with_runtime(|h| replace(h, a, step, body))
}

/// `cudaGraphExecNodeSetParams(exec, node, params)`
pub(crate) fn set_any(h: &mut Host<'_>, a: &Args<'_>) -> Api {
    let (kind, (body, _)) = nodes::read_any(h, a, a.ptr(2))?;
    let step = step(h, a, Some(kind))?;
    h.with_runtime(|h| replace(h, a, step, body))
}

/// `cudaGraphExecMemcpyNodeSetParams1D(exec, node, dst, src, count, kind)`
pub(crate) fn set_copy_1d(h: &mut Host<'_>, a: &Args<'_>) -> Api {
    let step = step(h, a, Some(NodeKind::Copy))?;
    let body = copy_1d(h, a.ptr(2), a.ptr(3), a.u64(4), a.i32(5))?;
    h.with_runtime(|h| replace(h, a, step, body))
}

/// `cudaGraphExecMemcpyNodeSetParamsToSymbol(exec, node, symbol, src, count, offset, kind)`
pub(crate) fn set_to_symbol(h: &mut Host<'_>, a: &Args<'_>) -> Api {
    let step = step(h, a, Some(NodeKind::Copy))?;
    let body = nodes::to_symbol(h, a, 2)?;
    h.with_runtime(|h| replace(h, a, step, body))
}

/// `cudaGraphExecMemcpyNodeSetParamsFromSymbol(exec, node, dst, symbol, count, offset, kind)`
pub(crate) fn set_from_symbol(h: &mut Host<'_>, a: &Args<'_>) -> Api {
    let step = step(h, a, Some(NodeKind::Copy))?;
    let body = nodes::from_symbol(h, a, 2)?;
    h.with_runtime(|h| replace(h, a, step, body))
}

/// Whether nodes of a kind can be switched off.
fn has_switch(kind: NodeKind) -> bool {
    matches!(kind, NodeKind::Kernel | NodeKind::Copy | NodeKind::Fill)
}

/// `cudaGraphNodeSetEnabled(exec, node, enabled)`
pub(crate) fn set_enabled(h: &mut RuntimeCall<'_, '_>, a: &Args<'_>) -> Api {
    let step = step(h, a, None)?;
    match h.m.cuda.get_mut().graphs.execs.get_mut(&a.ptr(0)).map(|e| &mut Arc::make_mut(&mut e.steps)[step]) {
        Some(step) if has_switch(step.kind) => {
            step.enabled = a.u32(2) != 0;
            Ok(())
        }
        _ => Err(CudaError::INVALID_VALUE.into()),
    }
}

/// `cudaGraphNodeGetEnabled(exec, node, enabled)`
pub(crate) fn enabled(h: &mut RuntimeCall<'_, '_>, a: &Args<'_>) -> Api {
    let step = step(h, a, None)?;
    let known = h.m.cuda.get().graphs.execs.get(&a.ptr(0)).map(|e| &e.steps[step]);
    match known.filter(|s| has_switch(s.kind)).map(|s| s.enabled) {
        Some(enabled) => h.give(a.ptr(2), enabled.into(), 4),
        None => Err(CudaError::INVALID_VALUE.into()),
    }
}

/// Why one graph cannot take the place of another: the `cudaGraphExecUpdateResult`, the node, and one that it waits for.
type Difference = (u32, Option<NodeId>, Option<NodeId>);

fn difference(old: &[Step], new: &[Step]) -> Option<Difference> {
    if old.len() != new.len() {
        return Some((cudaGraphExecUpdateErrorTopologyChanged, None, None));
    }
    for (old, step) in old.iter().zip(new) {
        if old.kind != step.kind {
            return Some((cudaGraphExecUpdateErrorNodeTypeChanged, Some(step.of), None));
        }
        if old.after != step.after {
            let other = step.after.iter().find(|n| !old.after.contains(n)).map(|&n| new[n].of);
            let from = if old.after.len() == step.after.len() { other } else { None };
            return Some((cudaGraphExecUpdateErrorTopologyChanged, Some(step.of), from));
        }
        let same = match (&old.does, &step.does) {
            // A conditional node cannot be changed, nor can memory.
            (Does::Work(Work::Conditional(a)), Does::Work(Work::Conditional(b))) => {
                a.condition == b.condition && a.kind == b.kind && a.bodies.len() == b.bodies.len()
            }
            (Does::Work(Work::GraphAlloc(a)), Does::Work(Work::GraphAlloc(b))) => a == b,
            _ => true,
        };
        if !same {
            return Some((cudaGraphExecUpdateErrorParametersChanged, Some(step.of), None));
        }
    }
    None
}

/// `cudaGraphExecUpdate(exec, graph, result)`: the result, the node at fault, the one that it waits for.
pub(crate) fn update(h: &mut Host<'_>, a: &Args<'_>) -> Api {
    let exec = find_exec(h, a.ptr(0))?;
    let graph = find(h, a.ptr(1))?;
    let mut steps = Vec::new();
    let different = match unfold(&h.m.cuda.get().graphs, graph, &Deps::new(), &mut steps) {
        Err((_, node)) => Some((cudaGraphExecUpdateError, node, None)),
        Ok(_) => difference(&exec.steps, &steps),
    };
    let (result, node, from) = different.unwrap_or((cudaGraphExecUpdateSuccess, None, None));
    if !a.ptr(2).is_null() {
        h.put_field(a.ptr(2), Info::result, result)?;
        for (field, node) in [(Info::errorNode, node), (Info::errorFromNode, from)] {
            let handle = match node {
                Some(node) => h.with_runtime(|h| node_handle(h, node))?,
                None => Ptr::NULL,
            };
            h.put_field(a.ptr(2), field, handle)?;
        }
    }
    if different.is_some() {
        return Err(CudaError::GRAPH_EXEC_UPDATE_FAILURE.into());
    }
    let objects = h.m.cuda.get().graphs.all[graph].objects.clone();
    h.m.cuda.get_mut().graphs.retain(&objects);
    if let Some(exec) = h.m.cuda.get_mut().graphs.execs.get_mut(&a.ptr(0)) {
        for (old, new) in Arc::make_mut(&mut exec.steps).iter_mut().zip(steps) {
            (old.does, old.who) = (new.does, new.who);
        }
        let gone = std::mem::replace(&mut exec.objects, objects);
        return objects::released(h.m, &gone);
    }
    Ok(())
}

/// `cudaGraphExecDestroy(exec)`
pub(crate) fn destroy(h: &mut Host<'_>, a: &Args<'_>) -> Api {
    let exec = find_exec(h, a.ptr(0))?;
    h.m.cuda.get_mut().graphs.execs.remove(&a.ptr(0));
    if !exec.objects.is_empty() {
        // What is under way still uses what its graph keeps alive.
        queue::run_all(h.m)?;
    }
    objects::released(h.m, &exec.objects)
}

/// `cudaGraphUpload(exec, stream)`
pub(crate) fn upload(h: &mut RuntimeCall<'_, '_>, a: &Args<'_>) -> Api {
    find_exec(h, a.ptr(0))?;
    stream::find(h, a.ptr(1))?;
    if let Some(exec) = h.m.cuda.get_mut().graphs.execs.get_mut(&a.ptr(0)) {
        exec.uploaded = true;
    }
    Ok(())
}

/// A launch of a graph on a captured stream is a child of the graph that is captured.
fn capture(h: &mut Host<'_>, exec: &Exec, stream: usize, recording: Recording) -> Api {
    let nodes = exec.steps.iter().map(|step| {
        let body = match &step.does {
            Does::Work(work) if step.enabled => Body::Work(work.clone()),
            Does::Record(event) => Body::Record(*event),
            Does::Wait(event) => Body::Wait(*event),
            Does::Work(_) | Does::Nothing => Body::Empty,
        };
        let after = step.after.iter().map(|&n| Edge::plain(n)).collect();
        Some(Node::new(step.kind, body, step.who, after))
    });
    let child = Graph { nodes: nodes.collect(), owned: true, ..Graph::default() };
    let graphs = &mut h.m.cuda.get_mut().graphs;
    graphs.all.push(child);
    let child = graphs.all.len() - 1;
    let who = h.access();
    let after = recording.edges();
    super::capture::append(h.m, stream, Node::new(NodeKind::Child, Body::Child(child), who, after))?;
    Ok(())
}

/// Makes a stream wait for what another has been given so far.
fn follow(h: &mut Host<'_>, stream: usize, before: usize) -> Api {
    let clock = h.m.mem.streams.clock(before);
    h.m.mem.streams.join(stream, &clock);
    let last = h.m.cuda.get().streams.all[before].last;
    let who = h.access();
    queue::push(h.m, stream, Work::Wait, last, who)?;
    Ok(())
}

/// What a launch asks of the graph's memory: what an earlier launch has left must be freed by now, or be freed now.
fn check_memory(h: &mut Host<'_>, exec: &Exec) -> Api {
    for step in exec.steps.iter() {
        let ptr = match step.does {
            Does::Work(Work::GraphAlloc(ptr)) => ptr,
            Does::Work(Work::GraphFree(ptr)) => {
                h.m.cuda.get_mut().graph_memory.take_back(ptr);
                continue;
            }
            _ => continue,
        };
        let frees = |s: &Step| matches!(s.does, Does::Work(Work::GraphFree(p)) if p == ptr);
        let kept = !exec.steps.iter().any(frees);
        if exec.flags & cudaGraphInstantiateFlagAutoFreeOnLaunch == 0
            && h.m.cuda.get().graph_memory.is_left(ptr)
        {
            let message =
                "this graph is launched again before the memory of its last launch was freed".to_owned();
            let help = "free it in the stream first, or instantiate with \
                        `cudaGraphInstantiateFlagAutoFreeOnLaunch`";
            let fault = h.fault(Kind::ApiError, message).with_help(help);
            return Err(h.memory_fault(CudaError::INVALID_VALUE, fault));
        }
        h.m.cuda.get_mut().graph_memory.leave(ptr, kept);
    }
    Ok(())
}

/// A graph's copies run while the host goes on, also those of memory that is not page-locked.
fn watch_host(h: &mut Host<'_>, exec: &Exec) {
    for step in exec.steps.iter().filter(|s| s.enabled) {
        let Does::Work(Work::Copy { dst, src, .. }) = &step.does else { continue };
        for ptr in [dst.ptr, src.ptr] {
            if h.with_runtime(|h| memory::side(h, ptr)) == memory::Side::Pageable {
                h.m.mem.watch(ptr);
            }
        }
    }
}

/// `cudaGraphLaunch(exec, stream)`
pub(crate) fn run(h: &mut Host<'_>, a: &Args<'_>) -> Api {
    let mut exec = find_exec(h, a.ptr(0))?;
    let stream = stream::find(h, a.ptr(1))?;
    exec.uploaded = true;
    if let Some(recording) = h.m.cuda.get().graphs.captures.get(&stream).cloned() {
        return capture(h, &exec, stream, recording);
    }
    check_memory(h, &exec)?;
    watch_host(h, &exec);
    let who = h.access();
    // A graph does not run beside itself.
    let before = exec.last.take().map(|(op, clock)| {
        h.m.mem.streams.join(stream, &clock);
        op
    });
    // What the stream waits for by itself, such as the legacy default stream, the branches wait for too.
    queue::push(h.m, stream, Work::Wait, before, who)?;
    if !exec.conditions.is_empty() {
        queue::push(h.m, stream, Work::Conditions(exec.conditions.clone().into()), None, who)?;
    }
    let environment = device::begin(h.m, a.ptr(0));
    // The first branch is the stream itself. A node goes on where the last of those before it ended.
    let mut lanes: Vec<(usize, Option<usize>)> = vec![(stream, None)];
    let mut done: Vec<(OpId, Clock, usize)> = Vec::with_capacity(exec.steps.len());
    let (start, began) = (h.m.cuda.get().streams.all[stream].last, h.m.mem.streams.clock(stream));
    for i in 0..exec.steps.len() {
        let Step { does, who, after, enabled, .. } = exec.steps[i].clone();
        let goes_on =
            after.iter().map(|&n| done[n].2).find(|&lane| lanes[lane].1.is_some_and(|n| after.contains(&n)));
        let lane = match goes_on {
            Some(lane) => lane,
            None if lanes[0].1.is_none() => 0,
            None => {
                let spare = lanes.len() - 1;
                if spare == exec.streams.len() {
                    exec.streams.push(stream::internal(h.m));
                }
                lanes.push((exec.streams[spare], None));
                lanes.len() - 1
            }
        };
        let (on, last) = lanes[lane];
        if last.is_none() && lane != 0 {
            h.m.mem.streams.join(on, &began);
            queue::push(h.m, on, Work::Wait, start, who)?;
        }
        for &before in after.iter().filter(|&&n| Some(n) != last) {
            let (op, clock, _) = done[before].clone();
            h.m.mem.streams.join(on, &clock);
            queue::push(h.m, on, Work::Wait, Some(op), who)?;
        }
        let op = if enabled {
            queue_step(h.m, on, does, who, environment)?
        } else {
            queue::push(h.m, on, Work::Wait, None, who)?
        };
        let clock = h.m.mem.streams.clock(on);
        lanes[lane].1 = Some(i);
        done.push((op, clock, lane));
    }
    for &(on, _) in &lanes[1..] {
        follow(h, stream, on)?;
    }
    if let Some(environment) = environment {
        queue::push(h.m, stream, Work::Tails(environment), None, who)?;
    }
    let clock = h.m.mem.streams.clock(stream);
    exec.last = h.m.cuda.get().streams.all[stream].last.map(|op| (op, clock));
    h.m.cuda.get_mut().graphs.execs.insert(a.ptr(0), exec);
    Ok(())
}

/// Queues what a step does.
fn queue_step(
    m: &mut Machine,
    on: usize,
    does: Does,
    who: ByteAccess,
    environment: Option<u64>,
) -> Result<OpId, Stop> {
    match does {
        Does::Nothing => queue::push(m, on, Work::Wait, None, who),
        Does::Record(event) => event::mark(m, event, on, who),
        Does::Wait(event) => {
            let marked = m.cuda.get().events.all[event].last;
            let clock = m.cuda.get().events.all[event].clock.clone();
            if marked.is_some() {
                m.mem.streams.join(on, &clock);
            }
            queue::push(m, on, Work::Wait, marked, who)
        }
        Does::Work(mut work) => {
            super::number(m, &mut work);
            device::enter(&mut work, environment);
            queue::push(m, on, work, None, who)
        }
    }
}

/// A list of conditions that a launch begins with.
pub(crate) type Conditions = SmallVec<[usize; 2]>;
