//! Graphs: operations with what each waits for, captured from streams or added one by one, and launched as a whole.
//!
//! A graph keeps its nodes in the order in which they were added; a node that is destroyed leaves a gap, so that numbers
//! hold and a clone has its nodes under the numbers of the original. What runs is another thing ([`exec`]): the nodes
//! as they were when the graph was instantiated, in an order in which they can run, children unfolded.

mod capture;
mod conditional;
mod device;
mod dot;
mod exec;
pub(super) mod memory;
mod nodes;
mod objects;
mod parameters;
mod topology;

pub(crate) use capture::{
    answer, begin as begin_capture, begin_to_graph, end as end_capture, exchange_mode, info as capture_info,
    info_with_edges as capture_info_with_edges, is_captured, is_capturing, record_event, refuse, refuse_all,
    refuse_unsafe, update_dependencies, update_dependencies_with_edges, wait_event,
};
pub(crate) use conditional::{
    Conditional, create as create_condition, perform as perform_conditional, set as set_condition,
};
pub(crate) use device::{DeviceChange, current, end as end_environment, fired, launch as launch_by_device};
pub(crate) use dot::print as print_dot;
pub(crate) use exec::{
    Conditions, destroy as destroy_exec, enabled, flags as exec_flags, instantiate, instantiate_with_flags,
    instantiate_with_params, run, set as set_in_exec, set_any as set_any_in_exec,
    set_copy_1d as set_copy_1d_in_exec, set_enabled, set_from_symbol as set_from_symbol_in_exec,
    set_to_symbol as set_to_symbol_in_exec, update, upload,
};
pub(crate) use nodes::{
    add, add_any, add_any_with_edges, add_copy_1d, add_free, add_from_symbol, add_to_symbol, attribute,
    copy_attributes, get, get_graph, get_type, set, set_any, set_attribute, set_copy_1d, set_from_symbol,
    set_to_symbol,
};
pub(crate) use objects::{
    create as create_object, release as release_object, release_of_graph as release_object_of_graph,
    retain as retain_object, retain_for_graph as retain_object_for_graph,
};
pub(crate) use topology::{
    add_dependencies, add_dependencies_with_edges, clone, create, dependencies, dependencies_with_edges,
    dependents, dependents_with_edges, destroy, destroy_node, edges, edges_with_data, find_in_clone,
    nodes as list_nodes, remove_dependencies, remove_dependencies_with_edges, roots,
};

use super::queue::{OpId, Work};
use super::{Cuda, CudaError, Fail};
use crate::call::Call;
use crate::constants::*;
use crate::{Kept, RuntimeCall};
use conditional::Condition;
use cudair_engine::Machine;
use cudair_engine::guest::{Host, runtime_object};
use cudair_engine::parts::HasRuntime;
use cudair_lane::fault::Stop;
use cudair_lane::ptr::Ptr;
use cudair_memory::ByteAccess;
use exec::Exec;
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::{SmallVec, smallvec};

/// The number of a graph.
type GraphId = usize;
/// A node: its graph, and its number in it.
type NodeId = (GraphId, usize);
/// Numbers of nodes of one graph.
type Deps = SmallVec<[usize; 2]>;

/// What stands for the number of an operation that was not queued but became a node.
const NODE: OpId = OpId::MAX;
/// More nodes than this no program makes by hand.
const MAX_NODES: usize = 1 << 20;

/// `cudaGraphNodeType`
#[repr(u32)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum NodeKind {
    Kernel = cudaGraphNodeTypeKernel,
    Copy = cudaGraphNodeTypeMemcpy,
    Fill = cudaGraphNodeTypeMemset,
    Host = cudaGraphNodeTypeHost,
    Child = cudaGraphNodeTypeGraph,
    Empty = cudaGraphNodeTypeEmpty,
    Wait = cudaGraphNodeTypeWaitEvent,
    Record = cudaGraphNodeTypeEventRecord,
    Alloc = cudaGraphNodeTypeMemAlloc,
    Free = cudaGraphNodeTypeMemFree,
    Conditional = cudaGraphNodeTypeConditional,
}

impl NodeKind {
    /// The kind of a number.
    fn of(number: u32) -> Option<NodeKind> {
        use NodeKind::*;
        [Kernel, Copy, Fill, Host, Child, Empty, Wait, Record, Alloc, Free, Conditional]
            .into_iter()
            .find(|&k| k as u32 == number)
    }

    /// What captured work becomes.
    fn of_work(work: &Work) -> NodeKind {
        match work {
            Work::Launch { .. } => NodeKind::Kernel,
            Work::Copy { .. } => NodeKind::Copy,
            Work::Fill { .. } => NodeKind::Fill,
            Work::Host { .. } => NodeKind::Host,
            Work::GraphAlloc(_) | Work::Alloc(_) => NodeKind::Alloc,
            Work::GraphFree(_) | Work::Free(_) => NodeKind::Free,
            Work::Record(_) => NodeKind::Record,
            Work::Conditional(_) => NodeKind::Conditional,
            Work::Wait | Work::Conditions(_) | Work::Tails(_) => NodeKind::Empty,
        }
    }

    fn name(self) -> &'static str {
        match self {
            NodeKind::Kernel => "kernel",
            NodeKind::Copy => "memcpy",
            NodeKind::Fill => "memset",
            NodeKind::Host => "host",
            NodeKind::Child => "graph",
            NodeKind::Empty => "empty",
            NodeKind::Wait => "event wait",
            NodeKind::Record => "event record",
            NodeKind::Alloc => "mem alloc",
            NodeKind::Free => "mem free",
            NodeKind::Conditional => "conditional",
        }
    }
}

/// What a node does.
#[derive(Clone, Debug)]
enum Body {
    /// What a queue runs.
    Work(Work),
    /// Nothing.
    Empty,
    /// Records an event.
    Record(usize),
    /// Waits for what an event marks when the graph is launched.
    Wait(usize),
    /// Another graph, which the node owns.
    Child(GraphId),
    /// Graphs that run as a value decides.
    Branch { condition: usize, kind: conditional::Branch, bodies: Vec<GraphId> },
}

impl Body {
    /// The graphs that the node owns.
    fn graphs(&self) -> &[GraphId] {
        match self {
            Body::Child(child) => std::slice::from_ref(child),
            Body::Branch { bodies, .. } => bodies,
            Body::Work(_) | Body::Empty | Body::Record(_) | Body::Wait(_) => &[],
        }
    }
}

/// What a node waits for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Edge {
    from: usize,
    /// A `cudaGraphEdgeData`.
    data: [u8; 8],
}

impl Edge {
    fn plain(from: usize) -> Edge {
        Edge { from, data: [0; 8] }
    }
}

/// A node.
#[derive(Clone, Debug)]
struct Node {
    kind: NodeKind,
    body: Body,
    who: ByteAccess,
    after: Vec<Edge>,
    /// The structure that described it, where the work does not tell all.
    described: Option<Vec<u8>>,
    /// What `cudaGraphKernelNodeSetAttribute` set, by the attribute's number.
    attributes: FxHashMap<u32, Vec<u8>>,
}

impl Node {
    fn new(kind: NodeKind, body: Body, who: ByteAccess, after: Vec<Edge>) -> Node {
        Node { kind, body, who, after, described: None, attributes: FxHashMap::default() }
    }
}

/// A graph.
#[derive(Clone, Debug, Default)]
struct Graph {
    nodes: Vec<Option<Node>>,
    /// A node owns it: the program cannot destroy it.
    owned: bool,
    /// The graph that it is a clone of.
    original: Option<GraphId>,
    /// References to user objects: which, and how many.
    objects: Vec<(usize, u32)>,
}

impl Graph {
    fn node(&self, n: usize) -> Option<&Node> {
        self.nodes.get(n).and_then(Option::as_ref)
    }

    /// The nodes with their numbers.
    fn live(&self) -> impl Iterator<Item = (usize, &Node)> {
        self.nodes.iter().enumerate().filter_map(|(i, n)| n.as_ref().map(|n| (i, n)))
    }
}

/// What becomes nodes of a graph instead of running.
#[derive(Clone, Debug)]
struct Recording {
    graph: GraphId,
    /// What the next node waits for.
    after: Deps,
    /// The capture began on this stream, and not through an event.
    origin: bool,
    mode: capture::Mode,
    /// Who began it.
    thread: u64,
    /// The program was given the graph beforehand, and keeps it.
    given: bool,
    /// Something that a capture does not allow has ended it.
    broken: bool,
}

impl Recording {
    /// The edges to the next node.
    fn edges(&self) -> Vec<Edge> {
        self.after.iter().map(|&n| Edge::plain(n)).collect()
    }
}

/// Graphs, and the streams whose work is captured.
#[derive(Debug, Default)]
pub(crate) struct Graphs {
    all: Vec<Graph>,
    handles: FxHashMap<Ptr, GraphId>,
    handle_of: FxHashMap<GraphId, Ptr>,
    node_handles: FxHashMap<Ptr, NodeId>,
    node_handle_of: FxHashMap<NodeId, Ptr>,
    execs: FxHashMap<Ptr, Exec>,
    captures: FxHashMap<usize, Recording>,
    /// Events recorded in a capture: its graph, and the nodes before.
    events: FxHashMap<usize, (GraphId, Deps)>,
    /// How the thread captures where `cudaThreadExchangeStreamCaptureMode` says so.
    mode: capture::Mode,
    /// A capture forbade what the call under way asked for: what that returns.
    refused: Option<CudaError>,
    /// The work of a node that is added by hand is taken from what would be queued.
    by_hand: Option<Vec<Work>>,
    objects: Vec<objects::Object>,
    object_handles: FxHashMap<Ptr, usize>,
    conditions: Vec<Condition>,
    /// Nanoseconds that bodies of the operation under way have taken, in the model of time.
    body_time: u64,
    /// Launches that are under way, by number.
    environments: FxHashMap<u64, device::Environment>,
    next_environment: u64,
    /// Graphs that device code has launched and that have not ended.
    on_device: FxHashSet<Ptr>,
    /// How deep graphs fire graphs at the moment.
    depth: u32,
    /// Whether device code launches graphs, once that is known.
    device_launches: Option<bool>,
}

impl Graphs {
    /// What bodies of conditional nodes have taken since this was last asked, in nanoseconds of the model.
    pub(crate) fn take_time(&mut self) -> u64 {
        std::mem::take(&mut self.body_time)
    }

    fn push(&mut self, graph: GraphId, node: Node) -> Result<usize, Stop> {
        let nodes = &mut self.all[graph].nodes;
        if nodes.len() >= MAX_NODES {
            return Err(Stop::unsupported("a graph of more than a million nodes"));
        }
        nodes.push(Some(node));
        Ok(nodes.len() - 1)
    }

    fn node(&self, (graph, node): NodeId) -> Option<&Node> {
        self.all.get(graph)?.node(node)
    }

    fn node_mut(&mut self, (graph, node): NodeId) -> Option<&mut Node> {
        self.all.get_mut(graph)?.nodes.get_mut(node)?.as_mut()
    }
}

/// Whether what is put on a stream becomes a node.
pub(crate) fn records(cuda: &Cuda, stream: usize) -> bool {
    cuda.graphs.by_hand.is_some() || cuda.graphs.captures.contains_key(&stream)
}

/// Takes an operation into a graph, where one is recorded.
///
/// # Errors
/// What no node can do.
pub(crate) fn take(
    m: &mut Machine,
    stream: usize,
    work: &Work,
    who: ByteAccess,
) -> Result<Option<OpId>, Stop> {
    let graphs = &m.cuda.get().graphs;
    let capture = graphs.captures.get(&stream);
    if graphs.by_hand.is_none() && capture.is_none() {
        return Ok(if capture::forbids(m, stream) { Some(NODE) } else { None });
    }
    match work {
        Work::Free(ptr) if !m.cuda.get().graph_memory.has(*ptr) => {
            return Err(Stop::unsupported("a graph that frees memory which no graph has allocated"));
        }
        // It is numbered when it runs.
        Work::Launch { .. } => m.cuda.get_mut().launches = m.cuda.get().launches.saturating_sub(1),
        _ => {}
    }
    let work = match *work {
        Work::Free(ptr) => Work::GraphFree(ptr),
        ref work => work.clone(),
    };
    let graphs = &mut m.cuda.get_mut().graphs;
    if let Some(taken) = &mut graphs.by_hand {
        taken.push(work);
        return Ok(Some(NODE));
    }
    let Some(capture) = graphs.captures.get(&stream).cloned() else { return Ok(None) };
    if capture.broken {
        graphs.refused = Some(CudaError::STREAM_CAPTURE_INVALIDATED);
        return Ok(Some(NODE));
    }
    let after = capture.edges();
    let kind = NodeKind::of_work(&work);
    capture::append(m, stream, Node::new(kind, Body::Work(work), who, after))?;
    Ok(Some(NODE))
}

/// A graph with its handle.
fn make(h: &mut RuntimeCall<'_, '_>, graph: Graph) -> Result<(Ptr, GraphId), Fail> {
    let id = h.m.cuda.get().graphs.all.len();
    h.m.cuda.get_mut().graphs.all.push(graph);
    Ok((handle(h, id)?, id))
}

/// The handle of a graph, made when it is first asked for.
fn handle(h: &mut RuntimeCall<'_, '_>, graph: GraphId) -> Result<Ptr, Fail> {
    if let Some(&known) = h.m.cuda.get().graphs.handle_of.get(&graph) {
        return Ok(known);
    }
    let handle = runtime_object(h.m, "graph", &[0; 8], 8)?;
    h.m.cuda.get_mut().graphs.handles.insert(handle, graph);
    h.m.cuda.get_mut().graphs.handle_of.insert(graph, handle);
    Ok(handle)
}

/// The handle of a node, made when it is first asked for.
fn node_handle(h: &mut RuntimeCall<'_, '_>, node: NodeId) -> Result<Ptr, Fail> {
    if let Some(&known) = h.m.cuda.get().graphs.node_handle_of.get(&node) {
        return Ok(known);
    }
    let handle = runtime_object(h.m, "graph node", &[0; 8], 8)?;
    h.m.cuda.get_mut().graphs.node_handles.insert(handle, node);
    h.m.cuda.get_mut().graphs.node_handle_of.insert(node, handle);
    Ok(handle)
}

/// The graph that a handle names.
fn find<M: HasRuntime>(h: &mut Host<'_, M>, handle: Ptr) -> Result<GraphId, Fail> {
    h.with_runtime(|h| match h.m.cuda.get().graphs.handles.get(&handle) {
        Some(&graph) => Ok(graph),
        None => {
            let message = "this value is not a graph, or the graph was destroyed".to_owned();
            Err(h.bad_argument(CudaError::INVALID_VALUE, message))
        }
    })
}

/// The node that a handle names.
fn find_node(h: &mut RuntimeCall<'_, '_>, handle: Ptr) -> Result<NodeId, Fail> {
    let known = h.m.cuda.get().graphs.node_handles.get(&handle).copied();
    match known.filter(|&node| h.m.cuda.get().graphs.node(node).is_some()) {
        Some(node) => Ok(node),
        None => {
            let message = "this value is not a node of a graph, or the node was destroyed".to_owned();
            Err(h.bad_argument(CudaError::INVALID_VALUE, message))
        }
    }
}

/// The node that a handle names, which is of this kind.
fn find_kind<M: HasRuntime>(h: &mut Host<'_, M>, handle: Ptr, kind: NodeKind) -> Result<NodeId, Fail> {
    h.with_runtime(|h| {
        let id = find_node(h, handle)?;
        match h.m.cuda.get().graphs.node(id) {
            Some(node) if node.kind == kind => Ok(id),
            _ => Err(CudaError::INVALID_VALUE.into()),
        }
    })
}

/// What operations `f` queues, kept from running.
fn taken(h: &mut Host<'_>, f: impl FnOnce(&mut Host<'_>) -> super::Api) -> Result<Vec<Work>, Fail> {
    h.m.cuda.get_mut().graphs.by_hand = Some(Vec::new());
    let result = f(h);
    let taken = h.m.cuda.get_mut().graphs.by_hand.take().unwrap_or_default();
    result.map(|()| taken)
}

/// Makes of a node's work one that runs: a launch is numbered, and the graph's copies of its arguments stay for the next.
fn number(m: &mut Machine, work: &mut Work) {
    if let Work::Launch { launch, objects } = work {
        launch.number = m.cuda.get().launches;
        m.cuda.get_mut().launches += 1;
        objects.clear();
    }
}

fn one(node: usize) -> Deps {
    smallvec![node]
}
