//! Graphs: operations with what each waits for, captured from streams or added one by one, and launched as a whole.
//!
//! A launch queues the nodes on the launching stream and, where branches may overlap, on streams of the graph's own, so
//! that what the race detector knows of streams holds for branches too.

use super::queue::{self, Extent, OpId, Work};
use super::{Api, CudaError, Fail, array, launch, memory, stream, word_at};
use crate::fault::Stop;
use crate::machine::{Args, Machine};
use crate::memory::ByteAccess;
use crate::native::guest::{Guest, Host, runtime_object};
use crate::ptr::Ptr;
use rustc_hash::FxHashMap;
use smallvec::{SmallVec, smallvec};

type Deps = SmallVec<[usize; 2]>;

/// What stands for the number of an operation that was not queued but became a node.
const NODE: OpId = OpId::MAX;
/// More nodes than this no program makes by hand.
const MAX_NODES: usize = 1 << 20;

/// An operation of a graph, and the nodes before it.
#[derive(Clone, Debug)]
struct Node {
    work: Work,
    who: ByteAccess,
    after: Deps,
}

/// A graph that can run.
#[derive(Clone, Debug)]
struct Exec {
    nodes: Vec<Node>,
    /// The streams of its branches, made when they are first needed.
    streams: Vec<usize>,
}

/// What becomes nodes of a graph instead of running.
#[derive(Clone, Debug)]
struct Recording {
    graph: usize,
    /// What the next node waits for.
    after: Deps,
    /// The capture began on this stream, and not through an event.
    origin: bool,
}

/// Graphs, and the streams whose work is captured.
#[derive(Debug, Default)]
pub(crate) struct Graphs {
    all: Vec<Vec<Node>>,
    handles: FxHashMap<Ptr, usize>,
    node_handles: FxHashMap<Ptr, (usize, usize)>,
    execs: FxHashMap<Ptr, Exec>,
    captures: FxHashMap<usize, Recording>,
    /// Events recorded in a capture: its graph, and the nodes before.
    events: FxHashMap<usize, (usize, Deps)>,
    /// A node is being added by hand.
    by_hand: Option<Recording>,
}

impl Graphs {
    fn add(&mut self, graph: usize, node: Node) -> usize {
        let nodes = &mut self.all[graph];
        nodes.push(node);
        nodes.len() - 1
    }
}

/// Whether what is put on a stream becomes a node.
pub(crate) fn records(m: &Machine, stream: usize) -> bool {
    m.cuda.graphs.by_hand.is_some() || m.cuda.graphs.captures.contains_key(&stream)
}

/// Takes an operation into a graph, where one is recorded.
pub(crate) fn take(
    m: &mut Machine,
    stream: usize,
    work: &Work,
    who: ByteAccess,
) -> Result<Option<OpId>, Stop> {
    let graphs = &mut m.cuda.graphs;
    let Some(recording) = graphs.by_hand.clone().or_else(|| graphs.captures.get(&stream).cloned()) else {
        return Ok(None);
    };
    if graphs.all[recording.graph].len() >= MAX_NODES {
        return Err(Stop::unsupported("a graph of more than a million nodes"));
    }
    match work {
        Work::Free(ptr) if !m.cuda.graph_memory.has(*ptr) => {
            return Err(Stop::unsupported("a graph that frees memory which no graph has allocated"));
        }
        // It is numbered when it runs.
        Work::Launch { .. } => m.cuda.launches = m.cuda.launches.saturating_sub(1),
        _ => {}
    }
    let graphs = &mut m.cuda.graphs;
    let work = match *work {
        Work::Free(ptr) => Work::GraphFree(ptr),
        ref work => work.clone(),
    };
    let node = graphs.add(recording.graph, Node { work, who, after: recording.after });
    let recording = match &mut graphs.by_hand {
        Some(by_hand) => Some(by_hand),
        None => graphs.captures.get_mut(&stream),
    };
    if let Some(recording) = recording {
        recording.after = smallvec![node];
    }
    Ok(Some(NODE))
}

/// An event is recorded on a captured stream.
pub(crate) fn record_event(m: &mut Machine, event: usize, stream: usize) -> bool {
    match m.cuda.graphs.captures.get(&stream) {
        Some(capture) => {
            let at = (capture.graph, capture.after.clone());
            m.cuda.graphs.events.insert(event, at);
            true
        }
        None => {
            m.cuda.graphs.events.remove(&event);
            false
        }
    }
}

/// A stream waits for an event: one of a capture draws the stream into it.
pub(crate) fn wait_event(h: &mut Host<'_>, stream: usize, event: usize) -> Result<bool, Fail> {
    let graphs = &mut h.m.cuda.graphs;
    let known = graphs.events.get(&event).cloned();
    match (known, graphs.captures.get_mut(&stream)) {
        (None, None) => Ok(false),
        (Some((graph, after)), Some(capture)) if capture.graph == graph => {
            for node in after {
                if !capture.after.contains(&node) {
                    capture.after.push(node);
                }
            }
            Ok(true)
        }
        (Some((graph, after)), None) => {
            // An event of a capture that has ended is recorded no more.
            if !graphs.captures.values().any(|c| c.graph == graph) {
                graphs.events.remove(&event);
                return Ok(false);
            }
            graphs.captures.insert(stream, Recording { graph, after, origin: false });
            Ok(true)
        }
        (None, Some(_)) => {
            let message =
                "a captured stream waits for an event that was recorded outside of its capture".to_owned();
            Err(h.bad_argument(CudaError::STREAM_CAPTURE_ISOLATION, message))
        }
        (Some(_), Some(_)) => {
            let message = "a captured stream waits for an event of another capture".to_owned();
            Err(h.bad_argument(CudaError::STREAM_CAPTURE_MERGE, message))
        }
    }
}

/// A call that a captured stream does not allow.
pub(crate) fn refuse(h: &mut Host<'_>, stream: usize) -> Api {
    if h.m.cuda.graphs.captures.contains_key(&stream) {
        let message = "the host waits for a stream while it is captured".to_owned();
        return Err(h.bad_argument(CudaError::STREAM_CAPTURE_UNSUPPORTED, message));
    }
    Ok(())
}

fn make(h: &mut Host<'_>, nodes: Vec<Node>) -> Result<(Ptr, usize), Fail> {
    let handle = runtime_object(h.m, "graph", &[0; 8], 8)?;
    let graphs = &mut h.m.cuda.graphs;
    graphs.handles.insert(handle, graphs.all.len());
    graphs.all.push(nodes);
    Ok((handle, graphs.all.len() - 1))
}

fn find(h: &mut Host<'_>, handle: Ptr) -> Result<usize, Fail> {
    match h.m.cuda.graphs.handles.get(&handle) {
        Some(&graph) => Ok(graph),
        None => {
            let message = "a value that is no graph, or one that was destroyed, is used as one".to_owned();
            Err(h.bad_argument(CudaError::INVALID_VALUE, message))
        }
    }
}

fn find_exec(h: &mut Host<'_>, handle: Ptr) -> Result<Exec, Fail> {
    match h.m.cuda.graphs.execs.get(&handle) {
        Some(exec) => Ok(exec.clone()),
        None => {
            let message =
                "a value that is no executable graph, or one that was destroyed, is used as one".to_owned();
            Err(h.bad_argument(CudaError::INVALID_VALUE, message))
        }
    }
}

// Capture.

/// `cudaStreamBeginCapture(stream, mode)`
pub(crate) fn begin_capture(h: &mut Host<'_>, a: &Args<'_>) -> Api {
    let stream = stream::find(h, a.ptr(0))?;
    if stream == 0 {
        let message = "the legacy default stream cannot be captured".to_owned();
        return Err(h.bad_argument(CudaError::STREAM_CAPTURE_UNSUPPORTED, message));
    }
    if records(h.m, stream) || a.u32(1) > 2 {
        return Err(CudaError::ILLEGAL_STATE.into());
    }
    let graph = h.m.cuda.graphs.all.len();
    h.m.cuda.graphs.all.push(Vec::new());
    let capture = Recording { graph, after: Deps::new(), origin: true };
    h.m.cuda.graphs.captures.insert(stream, capture);
    Ok(())
}

/// `cudaStreamEndCapture(stream, graph)`
pub(crate) fn end_capture(h: &mut Host<'_>, a: &Args<'_>) -> Api {
    let stream = stream::find(h, a.ptr(0))?;
    let Some(capture) = h.m.cuda.graphs.captures.get(&stream).cloned() else {
        return Err(CudaError::ILLEGAL_STATE.into());
    };
    if !capture.origin {
        let message = "a capture ends on another stream than it began on".to_owned();
        return Err(h.bad_argument(CudaError::STREAM_CAPTURE_UNMATCHED, message));
    }
    let graphs = &mut h.m.cuda.graphs;
    graphs.captures.retain(|_, c| c.graph != capture.graph);
    graphs.events.retain(|_, (graph, _)| *graph != capture.graph);
    // All that other streams did must come before the end.
    let nodes = std::mem::take(&mut graphs.all[capture.graph]);
    let mut joined = vec![false; nodes.len()];
    let mut work: Vec<usize> = capture.after.to_vec();
    while let Some(node) = work.pop() {
        if !std::mem::replace(&mut joined[node], true) {
            work.extend(nodes[node].after.iter().copied());
        }
    }
    if joined.contains(&false) {
        let message =
            "a capture ends before its stream has waited for what other streams did in it".to_owned();
        return Err(h.bad_argument(CudaError::STREAM_CAPTURE_UNJOINED, message));
    }
    let (handle, _) = make(h, nodes)?;
    h.give(a.ptr(1), handle.0, 8)
}

/// `cudaStreamIsCapturing(stream, status)`
pub(crate) fn is_capturing(h: &mut Host<'_>, a: &Args<'_>) -> Api {
    let stream = stream::find(h, a.ptr(0))?;
    let active = h.m.cuda.graphs.captures.contains_key(&stream);
    h.give(a.ptr(1), active.into(), 4)
}

// Making graphs by hand.

/// `cudaGraphCreate(graph, flags)`
pub(crate) fn create(h: &mut Host<'_>, a: &Args<'_>) -> Api {
    if a.u32(1) != 0 {
        return Err(CudaError::INVALID_VALUE.into());
    }
    let (handle, _) = make(h, Vec::new())?;
    h.give(a.ptr(0), handle.0, 8)
}

/// `cudaGraphClone(clone, original)`
pub(crate) fn duplicate(h: &mut Host<'_>, a: &Args<'_>) -> Api {
    let graph = find(h, a.ptr(1))?;
    let nodes = h.m.cuda.graphs.all[graph].clone();
    let (handle, _) = make(h, nodes)?;
    h.give(a.ptr(0), handle.0, 8)
}

pub(crate) fn destroy(h: &mut Host<'_>, a: &Args<'_>) -> Api {
    let graph = find(h, a.ptr(0))?;
    let graphs = &mut h.m.cuda.graphs;
    graphs.handles.remove(&a.ptr(0));
    graphs.node_handles.retain(|_, (of, _)| *of != graph);
    graphs.all[graph].clear();
    Ok(())
}

/// The nodes that a list of handles names, all of one graph.
fn nodes(h: &mut Host<'_>, graph: usize, list: Ptr, count: u64) -> Result<Deps, Fail> {
    let mut found = Deps::new();
    for i in 0..count.min(MAX_NODES as u64) {
        let handle = Ptr(h.word(list.add(8 * i as i64), 8)?);
        match h.m.cuda.graphs.node_handles.get(&handle) {
            Some(&(of, node)) if of == graph => found.push(node),
            _ => {
                let message = "a value that is no node of the graph is used as one".to_owned();
                return Err(h.bad_argument(CudaError::INVALID_VALUE, message));
            }
        }
    }
    Ok(found)
}

fn name(h: &mut Host<'_>, graph: usize, node: usize, out: Ptr) -> Api {
    let handle = runtime_object(h.m, "graph node", &[0; 8], 8)?;
    h.m.cuda.graphs.node_handles.insert(handle, (graph, node));
    h.give(out, handle.0, 8)
}

/// `cudaGraphAdd…Node(node, graph, dependencies, count, …)`: what `f` would queue becomes a node.
pub(super) fn add(h: &mut Host<'_>, a: &Args<'_>, f: impl FnOnce(&mut Host<'_>) -> Api) -> Api {
    let graph = find(h, a.ptr(1))?;
    let after = nodes(h, graph, a.ptr(2), a.u64(3))?;
    let before = h.m.cuda.graphs.all[graph].len();
    h.m.cuda.graphs.by_hand = Some(Recording { graph, after: after.clone(), origin: false });
    let result = f(h);
    h.m.cuda.graphs.by_hand = None;
    result?;
    if h.m.cuda.graphs.all[graph].len() == before {
        // Nothing to do is a node too.
        let who = h.access();
        h.m.cuda.graphs.add(graph, Node { work: Work::Wait, who, after });
    }
    let node = h.m.cuda.graphs.all[graph].len() - 1;
    name(h, graph, node, a.ptr(0))
}

/// A `cudaKernelNodeParams`: function, grid, block, shared memory, parameters.
fn kernel(h: &mut Host<'_>, a: &Args<'_>, params: Ptr) -> Api {
    // Between the two parts are bytes that nobody writes.
    let mut bytes = h.structure(params, 36)?;
    bytes.resize(40, 0);
    bytes.extend(h.structure(params.add(40), 16)?);
    if word_at(&bytes, 48) != 0 {
        return Err(Fail::Stop(Stop::unsupported("a kernel node whose parameters are in `extra`")));
    }
    let three = |at: usize| [0, 4, 8].map(|k| word_at(&bytes, at + k) as u32);
    let shared = word_at(&bytes, 32) & u64::from(u32::MAX);
    let (function, parameters) = (Ptr(word_at(&bytes, 0)), Ptr(word_at(&bytes, 40)));
    launch::kernel_node(h, a, function, (three(8), three(20)), shared, parameters)
}

pub(crate) fn add_kernel(h: &mut Host<'_>, a: &Args<'_>) -> Api {
    add(h, a, |h| kernel(h, a, a.ptr(4)))
}

pub(crate) fn add_copy(h: &mut Host<'_>, a: &Args<'_>) -> Api {
    add(h, a, |h| array::volume(h, a.ptr(4), memory::Timing::Async(0)))
}

/// `cudaGraphAddMemcpyNode1D(…, dst, src, count, kind)`
pub(crate) fn add_copy_1d(h: &mut Host<'_>, a: &Args<'_>) -> Api {
    let (to, from, extent) = ((a.ptr(4), 0, 0), (a.ptr(5), 0, 0), Extent::linear(a.u64(6)));
    add(h, a, |h| memory::transfer(h, to, from, extent, a.i32(7), memory::Timing::Async(0)))
}

/// A `cudaMemsetParams`: destination, pitch, value, the size of an element, width in elements, height.
pub(crate) fn add_fill(h: &mut Host<'_>, a: &Args<'_>) -> Api {
    let bytes = h.structure(a.ptr(4), 40)?;
    let (value, size) = (word_at(&bytes, 16) as u32, word_at(&bytes, 20) as u32);
    let (width, height) = (word_at(&bytes, 24), word_at(&bytes, 32));
    if !matches!(size, 1 | 2 | 4) {
        return Err(CudaError::INVALID_VALUE.into());
    }
    let parts = value.to_le_bytes();
    if parts[..size as usize].iter().any(|&b| b != parts[0]) {
        return Err(Fail::Stop(Stop::unsupported("a fill of a graph by a value of different bytes")));
    }
    let pitch = if height <= 1 { 0 } else { word_at(&bytes, 8) };
    let to = (Ptr(word_at(&bytes, 0)), pitch, 0);
    let extent = Extent { width: width.saturating_mul(size.into()), height, depth: 1 };
    add(h, a, |h| memory::fill(h, to, parts[0].into(), extent, memory::Timing::Async(0)))
}

/// A `cudaHostNodeParams`: the function and its argument.
pub(crate) fn add_host(h: &mut Host<'_>, a: &Args<'_>) -> Api {
    let bytes = h.structure(a.ptr(4), 16)?;
    let work = Work::Host { func: Ptr(word_at(&bytes, 0)), args: smallvec![word_at(&bytes, 8)] };
    add(h, a, |h| {
        let who = h.access();
        queue::push(h.m, 0, work, None, who)?;
        Ok(())
    })
}

pub(crate) fn add_empty(h: &mut Host<'_>, a: &Args<'_>) -> Api {
    add(h, a, |_| Ok(()))
}

/// `cudaGraphAddChildGraphNode(…, child)`: a copy of the child's nodes, and one that waits for all of them.
pub(crate) fn add_child(h: &mut Host<'_>, a: &Args<'_>) -> Api {
    let graph = find(h, a.ptr(1))?;
    let child = find(h, a.ptr(4))?;
    let after = nodes(h, graph, a.ptr(2), a.u64(3))?;
    let inner = h.m.cuda.graphs.all[child].clone();
    let first = h.m.cuda.graphs.all[graph].len();
    for mut node in inner {
        node.after = if node.after.is_empty() {
            after.clone()
        } else {
            node.after.iter().map(|n| first + n).collect()
        };
        h.m.cuda.graphs.add(graph, node);
    }
    let last = h.m.cuda.graphs.all[graph].len();
    let all = if last == first { after } else { (first..last).collect() };
    let who = h.access();
    let node = h.m.cuda.graphs.add(graph, Node { work: Work::Wait, who, after: all });
    name(h, graph, node, a.ptr(0))
}

/// `cudaGraphAddDependencies(graph, from, to, count)`. Nodes stand in an order in which they can run, so an edge that
/// goes back in it is not taken.
pub(crate) fn add_dependencies(h: &mut Host<'_>, a: &Args<'_>) -> Api {
    let graph = find(h, a.ptr(0))?;
    let (from, to) = (nodes(h, graph, a.ptr(1), a.u64(3))?, nodes(h, graph, a.ptr(2), a.u64(3))?);
    for (&before, &node) in from.iter().zip(&to) {
        if before >= node {
            return Err(Fail::Stop(Stop::unsupported("an edge of a graph to a node that was added before")));
        }
        let after = &mut h.m.cuda.graphs.all[graph][node].after;
        if !after.contains(&before) {
            after.push(before);
        }
    }
    Ok(())
}

/// `cudaGraphGetNodes(graph, nodes, count)`
pub(crate) fn get_nodes(h: &mut Host<'_>, a: &Args<'_>) -> Api {
    let graph = find(h, a.ptr(0))?;
    let all = h.m.cuda.graphs.all[graph].len();
    if a.ptr(1).is_null() {
        return h.give(a.ptr(2), all as u64, 8);
    }
    let room = h.word(a.ptr(2), 8)?;
    for node in 0..room.min(all as u64) {
        name(h, graph, node as usize, a.ptr(1).add(8 * node as i64))?;
    }
    h.give(a.ptr(2), room.min(all as u64), 8)
}

// Running.

/// `cudaGraphInstantiate(exec, graph, …)`
pub(crate) fn instantiate(h: &mut Host<'_>, a: &Args<'_>) -> Api {
    let graph = find(h, a.ptr(1))?;
    let nodes = h.m.cuda.graphs.all[graph].clone();
    let handle = runtime_object(h.m, "executable graph", &[0; 8], 8)?;
    h.m.cuda.graphs.execs.insert(handle, Exec { nodes, streams: Vec::new() });
    h.give(a.ptr(0), handle.0, 8)
}

/// `cudaGraphExecKernelNodeSetParams(exec, node, params)`
pub(crate) fn set_kernel(h: &mut Host<'_>, a: &Args<'_>) -> Api {
    let mut exec = find_exec(h, a.ptr(0))?;
    let Some(&(_, node)) = h.m.cuda.graphs.node_handles.get(&a.ptr(1)) else {
        return Err(CudaError::INVALID_VALUE.into());
    };
    // Recorded into a graph of its own, from which the work is taken.
    let scratch = h.m.cuda.graphs.all.len();
    h.m.cuda.graphs.all.push(Vec::new());
    h.m.cuda.graphs.by_hand = Some(Recording { graph: scratch, after: Deps::new(), origin: false });
    let result = kernel(h, a, a.ptr(2));
    h.m.cuda.graphs.by_hand = None;
    let made = h.m.cuda.graphs.all.pop().and_then(|mut nodes| nodes.pop());
    result?;
    match (exec.nodes.get_mut(node), made) {
        (Some(old), Some(new)) if matches!(old.work, Work::Launch { .. }) => old.work = new.work,
        _ => return Err(CudaError::INVALID_VALUE.into()),
    }
    h.m.cuda.graphs.execs.insert(a.ptr(0), exec);
    Ok(())
}

pub(crate) fn destroy_exec(h: &mut Host<'_>, a: &Args<'_>) -> Api {
    find_exec(h, a.ptr(0))?;
    h.m.cuda.graphs.execs.remove(&a.ptr(0));
    Ok(())
}

/// `cudaGraphUpload(exec, stream)`
pub(crate) fn upload(h: &mut Host<'_>, a: &Args<'_>) -> Api {
    find_exec(h, a.ptr(0))?;
    stream::find(h, a.ptr(1)).map(|_| ())
}

/// Makes a stream wait for what another has been given so far.
fn follow(h: &mut Host<'_>, stream: usize, before: usize) -> Api {
    let clock = h.m.mem.streams.get_mut().clock(before);
    h.m.mem.streams.get_mut().join(stream, &clock);
    let last = h.m.cuda.streams[before].last;
    let who = h.access();
    queue::push(h.m, stream, Work::Wait, last, who)?;
    Ok(())
}

/// `cudaGraphLaunch(exec, stream)`
pub(crate) fn run(h: &mut Host<'_>, a: &Args<'_>) -> Api {
    let mut exec = find_exec(h, a.ptr(0))?;
    let stream = stream::find(h, a.ptr(1))?;
    if records(h.m, stream) {
        return Err(Fail::Stop(Stop::unsupported("the launch of a graph in a capture")));
    }
    // What the stream waits for by itself, such as the legacy default stream, the branches wait for too.
    let who = h.access();
    queue::push(h.m, stream, Work::Wait, None, who)?;
    // The first branch is the stream itself. A node goes on where the last of those before it ended.
    let mut lanes: Vec<(usize, Option<usize>)> = vec![(stream, None)];
    let mut done: Vec<(OpId, crate::race::streams::Clock, usize)> = Vec::with_capacity(exec.nodes.len());
    let (start, began) = (h.m.cuda.streams[stream].last, h.m.mem.streams.get_mut().clock(stream));
    for i in 0..exec.nodes.len() {
        let Node { mut work, who, after } = exec.nodes[i].clone();
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
            h.m.mem.streams.get_mut().join(on, &began);
            queue::push(h.m, on, Work::Wait, start, who)?;
        }
        for &before in after.iter().filter(|&&n| Some(n) != last) {
            let (op, clock, _) = done[before].clone();
            h.m.mem.streams.get_mut().join(on, &clock);
            queue::push(h.m, on, Work::Wait, Some(op), who)?;
        }
        if let Work::Launch { launch, objects } = &mut work {
            launch.number = h.m.cuda.launches;
            h.m.cuda.launches += 1;
            // The graph's copies of the arguments serve every launch.
            objects.clear();
        }
        let op = queue::push(h.m, on, work, None, who)?;
        let clock = h.m.mem.streams.get_mut().clock(on);
        lanes[lane].1 = Some(i);
        done.push((op, clock, lane));
    }
    for &(on, _) in &lanes[1..] {
        follow(h, stream, on)?;
    }
    h.m.cuda.graphs.execs.insert(a.ptr(0), exec);
    Ok(())
}
