//! Capture: what is put on a stream becomes nodes of a graph.

use super::{
    Body, Deps, Graph, Node, NodeKind, Recording, find, find_node, handle, make, node_handle, one, records,
};
use crate::call::Call;
use crate::constants::*;
use crate::layout::{Fields, element};
use crate::{Api, CudaError, Fail, Kept, RuntimeCall, stream};
use cudair_engine::guest::{Guest, Host, runtime_object};
use cudair_engine::parts::{HasRuntime, HostRuntime};
use cudair_engine::{Args, Machine};
use cudair_ir::Kind;
use cudair_lane::fault::{Fault, Place, Stop};
use cudair_lane::ptr::Ptr;

/// `cudaStreamCaptureMode`: which calls that might go around a capture are forbidden meanwhile.
#[repr(u32)]
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) enum Mode {
    /// All, of any thread.
    #[default]
    Global = cudaStreamCaptureModeGlobal,
    /// All, of the thread that captures.
    ThreadLocal = cudaStreamCaptureModeThreadLocal,
    /// None.
    Relaxed = cudaStreamCaptureModeRelaxed,
}

impl Mode {
    fn of(number: u32) -> Result<Mode, CudaError> {
        match number {
            cudaStreamCaptureModeGlobal => Ok(Mode::Global),
            cudaStreamCaptureModeThreadLocal => Ok(Mode::ThreadLocal),
            cudaStreamCaptureModeRelaxed => Ok(Mode::Relaxed),
            _ => Err(CudaError::INVALID_VALUE),
        }
    }
}

/// Takes a node into the graph that a stream is captured into.
pub(super) fn append(m: &mut Machine, stream: usize, node: Node) -> Result<usize, Stop> {
    let graphs = &mut m.cuda.get_mut().graphs;
    let Some(graph) = graphs.captures.get(&stream).map(|c| c.graph) else {
        return Err(Stop::internal("a stream is not captured"));
    };
    let n = graphs.push(graph, node)?;
    if let Some(capture) = graphs.captures.get_mut(&stream) {
        capture.after = one(n);
    }
    Ok(n)
}

/// The graph of a capture that the legacy default stream would wait for, if there is one.
fn held(m: &HostRuntime<'_>) -> Option<usize> {
    let streams = &m.cuda.get().streams.all;
    m.cuda.get().graphs.captures.iter().find(|(s, _)| !streams[**s].non_blocking).map(|(_, c)| c.graph)
}

/// Work on the legacy default stream waits for streams that are captured, and they for it, which no capture can have.
pub(super) fn forbids(m: &mut Machine, stream: usize) -> bool {
    if stream != 0 {
        return false;
    }
    let Some(graph) = held(&m.runtime()) else { return false };
    break_capture(&mut m.runtime(), graph);
    m.cuda.get_mut().graphs.refused = Some(CudaError::STREAM_CAPTURE_IMPLICIT);
    true
}

fn break_capture(m: &mut HostRuntime<'_>, graph: usize) {
    for capture in m.cuda.get_mut().graphs.captures.values_mut().filter(|c| c.graph == graph) {
        capture.broken = true;
    }
}

/// What a call gives, or the error where a capture forbade what it asked for, which is reported.
pub(crate) fn answer(m: &mut HostRuntime<'_>, result: Api, place: Place) -> Api {
    let Some(error) = m.cuda.get_mut().graphs.refused.take() else { return result };
    let (message, help) = match error {
        CudaError::STREAM_CAPTURE_IMPLICIT => (
            "work for the default stream, which would wait for a captured stream",
            "use the captured stream, or create the captured stream with `cudaStreamNonBlocking`",
        ),
        _ => ("work for a stream whose capture has failed", "end the capture and look at what it returns"),
    };
    let fault = Fault::other(Kind::ApiError, place, message.to_owned(), "asked for here").with_help(help);
    m.findings.note(fault);
    Err(Fail::Reported(error))
}

/// Whether an event was recorded in a capture: it marks nothing that runs.
pub(crate) fn is_captured(m: &HostRuntime<'_>, event: usize) -> bool {
    m.cuda.get().graphs.events.contains_key(&event)
}

/// The host waits for all streams, which none that is captured allows.
pub(crate) fn refuse_all(h: &mut RuntimeCall<'_, '_>) -> Api {
    let first = h.m.cuda.get().graphs.captures.keys().min().copied();
    first.map_or(Ok(()), |stream| refuse(h, stream))
}

/// A call that might go around a capture: forbidden while there is one that is not relaxed.
pub(crate) fn refuse_unsafe(h: &mut RuntimeCall<'_, '_>) -> Api {
    let graphs = &h.m.cuda.get().graphs;
    if graphs.mode == Mode::Relaxed {
        return Ok(());
    }
    let Some(graph) = graphs.captures.values().find(|c| c.mode != Mode::Relaxed).map(|c| c.graph) else {
        return Ok(());
    };
    break_capture(h.m, graph);
    let message =
        "this call may wait for the device, which is not allowed while a stream is captured".to_owned();
    Err(h.bad_argument(CudaError::STREAM_CAPTURE_UNSUPPORTED, message))
}

/// A call that a captured stream does not allow.
pub(crate) fn refuse(h: &mut RuntimeCall<'_, '_>, stream: usize) -> Api {
    if let Some(graph) = h.m.cuda.get().graphs.captures.get(&stream).map(|c| c.graph) {
        break_capture(h.m, graph);
        let message = "the host waits for a stream while it is captured".to_owned();
        return Err(h.bad_argument(CudaError::STREAM_CAPTURE_UNSUPPORTED, message));
    }
    Ok(())
}

/// An event is recorded on a captured stream; `external` ones become nodes.
pub(crate) fn record_event(
    h: &mut Host<'_>,
    event: usize,
    stream: usize,
    external: bool,
) -> Result<bool, Fail> {
    let graphs = &mut h.m.cuda.get_mut().graphs;
    let Some(capture) = graphs.captures.get(&stream).cloned() else {
        graphs.events.remove(&event);
        return Ok(false);
    };
    if external {
        let who = h.access();
        let after = capture.edges();
        append(h.m, stream, Node::new(NodeKind::Record, Body::Record(event), who, after))?;
    } else {
        graphs.events.insert(event, (capture.graph, capture.after));
    }
    Ok(true)
}

/// A stream waits for an event: one of a capture draws the stream into it, an `external` one becomes a node.
pub(crate) fn wait_event(
    h: &mut Host<'_>,
    stream: usize,
    event: usize,
    external: bool,
) -> Result<bool, Fail> {
    let graphs = &mut h.m.cuda.get_mut().graphs;
    if external && let Some(capture) = graphs.captures.get(&stream).cloned() {
        let who = h.access();
        let after = capture.edges();
        append(h.m, stream, Node::new(NodeKind::Wait, Body::Wait(event), who, after))?;
        return Ok(true);
    }
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
            let Some(of) = graphs.captures.values().find(|c| c.graph == graph).cloned() else {
                graphs.events.remove(&event);
                return Ok(false);
            };
            graphs.captures.insert(stream, Recording { after, origin: false, ..of });
            Ok(true)
        }
        (None, Some(_)) => {
            let message =
                "a captured stream waits for an event that was recorded outside its capture".to_owned();
            Err(h.bad_argument(CudaError::STREAM_CAPTURE_ISOLATION, message))
        }
        (Some(_), Some(_)) => {
            let message = "a captured stream waits for an event of another capture".to_owned();
            Err(h.bad_argument(CudaError::STREAM_CAPTURE_MERGE, message))
        }
    }
}

fn start(h: &mut RuntimeCall<'_, '_>, stream: Ptr, mode: u32, given: Option<(usize, Deps)>) -> Api {
    let stream = stream::find(h, stream)?;
    if stream == 0 {
        let message = "the legacy default stream cannot be captured".to_owned();
        return Err(h.bad_argument(CudaError::STREAM_CAPTURE_UNSUPPORTED, message));
    }
    let mode = Mode::of(mode)?;
    if records(h.m.cuda.get(), stream) {
        return Err(CudaError::ILLEGAL_STATE.into());
    }
    let own = given.is_none();
    let thread = h.m.thread;
    let (graph, after) = match given {
        Some(given) => given,
        None => (make(h, Graph::default())?.1, Deps::new()),
    };
    let capture = Recording { graph, after, origin: true, mode, given: !own, broken: false, thread };
    h.m.cuda.get_mut().graphs.captures.insert(stream, capture);
    Ok(())
}

/// `cudaStreamBeginCapture(stream, mode)`
pub(crate) fn begin(h: &mut RuntimeCall<'_, '_>, a: &Args<'_>) -> Api {
    start(h, a.ptr(0), a.u32(1), None)
}

/// `cudaStreamBeginCaptureToGraph(stream, graph, dependencies, edges, count, mode)`
pub(crate) fn begin_to_graph(h: &mut RuntimeCall<'_, '_>, a: &Args<'_>) -> Api {
    let graph = find(h, a.ptr(1))?;
    let after = super::topology::listed(h, graph, a.ptr(2), a.u64(4))?;
    start(h, a.ptr(0), a.u32(5), Some((graph, after)))
}

/// `cudaStreamEndCapture(stream, graph)`
pub(crate) fn end(h: &mut Host<'_>, a: &Args<'_>) -> Api {
    let stream = stream::find(h, a.ptr(0))?;
    let Some(capture) = h.m.cuda.get().graphs.captures.get(&stream).cloned() else {
        return Err(CudaError::ILLEGAL_STATE.into());
    };
    if !capture.origin {
        let message = "a capture must end on the stream on which it began".to_owned();
        return Err(h.bad_argument(CudaError::STREAM_CAPTURE_UNMATCHED, message));
    }
    if capture.mode != Mode::Relaxed && capture.thread != h.m.threads.current() {
        let message =
            "only the thread that began this capture may end it: its mode is not relaxed".to_owned();
        return Err(h.bad_argument(CudaError::STREAM_CAPTURE_WRONG_THREAD, message));
    }
    let graphs = &mut h.m.cuda.get_mut().graphs;
    // Every other stream of it must have been waited for: its last nodes come before the end.
    let ends: Deps =
        graphs.captures.values().filter(|c| c.graph == capture.graph).flat_map(|c| c.after.clone()).collect();
    let events: Deps = graphs
        .events
        .values()
        .filter(|(g, _)| *g == capture.graph)
        .flat_map(|(_, after)| after.clone())
        .collect();
    graphs.captures.retain(|_, c| c.graph != capture.graph);
    graphs.events.retain(|_, (graph, _)| *graph != capture.graph);
    let nodes = &graphs.all[capture.graph];
    let mut joined = vec![false; nodes.nodes.len()];
    let mut work: Vec<usize> = capture.after.to_vec();
    while let Some(node) = work.pop() {
        if !std::mem::replace(&mut joined[node], true) {
            work.extend(nodes.node(node).into_iter().flat_map(|n| n.after.iter().map(|e| e.from)));
        }
    }
    let lost = ends.iter().chain(&events).any(|&n| !joined[n]);
    if capture.broken || lost {
        if !capture.given {
            super::topology::drop_graph(h, capture.graph)?;
        }
        if !a.ptr(1).is_null() {
            h.put(a.ptr(1), 0, 8)?;
        }
    }
    if capture.broken {
        return Err(CudaError::STREAM_CAPTURE_INVALIDATED.into());
    }
    if lost {
        let message =
            "this capture ends before its stream has waited for the other captured streams".to_owned();
        return Err(h.bad_argument(CudaError::STREAM_CAPTURE_UNJOINED, message));
    }
    let handle = h.with_runtime(|h| handle(h, capture.graph))?;
    if capture.given && a.ptr(1).is_null() {
        return Ok(());
    }
    h.give(a.ptr(1), handle.0, 8)
}

/// What a stream's capture is at: `cudaStreamCaptureStatus`.
fn status(h: &RuntimeCall<'_, '_>, stream: usize) -> u64 {
    match h.m.cuda.get().graphs.captures.get(&stream) {
        None => 0,
        Some(capture) => 1 + u64::from(capture.broken),
    }
}

/// `cudaStreamIsCapturing(stream, status)`
pub(crate) fn is_capturing(h: &mut RuntimeCall<'_, '_>, a: &Args<'_>) -> Api {
    let stream = stream::find(h, a.ptr(0))?;
    if stream == 0 && held(h.m).is_some() {
        return Err(CudaError::STREAM_CAPTURE_IMPLICIT.into());
    }
    let status = status(h, stream);
    h.give(a.ptr(1), status, 4)
}

/// `cudaStreamGetCaptureInfo(stream, status, id, graph, dependencies, count)`
pub(crate) fn info(h: &mut RuntimeCall<'_, '_>, a: &Args<'_>) -> Api {
    describe(h, a, None, a.ptr(5))
}

/// `cudaStreamGetCaptureInfo_v3(stream, status, id, graph, dependencies, edges, count)`
pub(crate) fn info_with_edges(h: &mut RuntimeCall<'_, '_>, a: &Args<'_>) -> Api {
    describe(h, a, Some(a.ptr(5)), a.ptr(6))
}

fn describe(h: &mut RuntimeCall<'_, '_>, a: &Args<'_>, edges: Option<Ptr>, count: Ptr) -> Api {
    let stream = stream::find(h, a.ptr(0))?;
    if stream == 0 && held(h.m).is_some() {
        return Err(CudaError::STREAM_CAPTURE_IMPLICIT.into());
    }
    let status = status(h, stream);
    h.give(a.ptr(1), status, 4)?;
    let Some(capture) = h.m.cuda.get().graphs.captures.get(&stream).cloned().filter(|c| !c.broken) else {
        return Ok(());
    };
    let tell = |h: &mut RuntimeCall<'_, '_>, out: Ptr, word: u64| {
        if out.is_null() { Ok(()) } else { h.give(out, word, 8) }
    };
    // Captures and their graphs come one for one.
    tell(h, a.ptr(2), capture.graph as u64 + 1)?;
    let graph = handle(h, capture.graph)?;
    tell(h, a.ptr(3), graph.0)?;
    let mut list = Vec::new();
    for &node in &capture.after {
        list.extend(node_handle(h, (capture.graph, node))?.0.to_le_bytes());
    }
    if !a.ptr(4).is_null() {
        let list = runtime_object(h.m, "dependencies of a capture", &list, 8)?;
        tell(h, a.ptr(4), list.0)?;
    }
    if let Some(edges) = edges
        && !edges.is_null()
    {
        let data = runtime_object(h.m, "edges of a capture", &vec![0; list.len()], 8)?;
        tell(h, edges, data.0)?;
    }
    tell(h, count, capture.after.len() as u64)
}

/// `cudaStreamUpdateCaptureDependencies(stream, dependencies, count, flags)`
pub(crate) fn update_dependencies(h: &mut RuntimeCall<'_, '_>, a: &Args<'_>) -> Api {
    follow(h, a, a.u64(2), a.u32(3))
}

/// `cudaStreamUpdateCaptureDependencies_v2(stream, dependencies, edges, count, flags)`
pub(crate) fn update_dependencies_with_edges(h: &mut RuntimeCall<'_, '_>, a: &Args<'_>) -> Api {
    follow(h, a, a.u64(3), a.u32(4))
}

/// What the next node waits for: besides what it waits for now (`cudaStreamAddCaptureDependencies`), or instead.
fn follow(h: &mut RuntimeCall<'_, '_>, a: &Args<'_>, count: u64, flags: u32) -> Api {
    let stream = stream::find(h, a.ptr(0))?;
    let Some(capture) = h.m.cuda.get().graphs.captures.get(&stream).cloned() else {
        return Err(CudaError::ILLEGAL_STATE.into());
    };
    let mut after = match flags {
        cudaStreamAddCaptureDependencies => capture.after,
        cudaStreamSetCaptureDependencies => Deps::new(),
        _ => return Err(CudaError::INVALID_VALUE.into()),
    };
    for i in 0..count {
        let node = h.load(element::<Ptr>(a.ptr(1), i))?;
        let (graph, node) = find_node(h, node)?;
        if graph != capture.graph {
            return Err(CudaError::INVALID_VALUE.into());
        }
        if !after.contains(&node) {
            after.push(node);
        }
    }
    if let Some(capture) = h.m.cuda.get_mut().graphs.captures.get_mut(&stream) {
        capture.after = after;
    }
    Ok(())
}

/// `cudaThreadExchangeStreamCaptureMode(mode)`: takes the thread's new mode and gives the one before.
pub(crate) fn exchange_mode(h: &mut RuntimeCall<'_, '_>, a: &Args<'_>) -> Api {
    if a.ptr(0).is_null() {
        return Err(CudaError::INVALID_VALUE.into());
    }
    let new = Mode::of(h.load(a.ptr(0))?)?;
    let old = std::mem::replace(&mut h.m.cuda.get_mut().graphs.mode, new);
    h.put_value(a.ptr(0), old as u32)
}
