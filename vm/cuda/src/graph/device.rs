//! Graphs that device code launches.
//!
//! A launch of a graph is an *environment*: its own operations, the graphs that they fire, and those that come behind
//! all of these. What is fired starts when the grid that fires it is done, and runs to its end before anything else of its
//! environment does, which is one of the orders that CUDA allows. Tails come when the environment is done, each with
//! its own tails before the next.
//!
//! Not looked for: races between such graphs and what may run beside them.

use super::exec::{self, DEVICE_LAUNCH};
use super::{Graphs, NodeKind};
use crate::Kept;
use crate::constants::{
    cudaStreamGraphFireAndForget as FIRE_AND_FORGET, cudaStreamGraphFireAndForgetAsSibling as SIBLING,
    cudaStreamGraphTailLaunch as TAIL,
};
use crate::queue::Work;
use crate::{CudaError, nested, queue};
use cudair_engine::guest::{Guest, Lane};
use cudair_engine::parts::{HasFuel, HostRuntime};
use cudair_engine::{Args, Machine};
use cudair_ir::{DEVICE_SUFFIX, Kind, Space};
use cudair_lane::fault::{AllocKind, Stop};
use cudair_lane::ptr::Ptr;
use cudair_memory::ByteAccess;

/// Graphs that an environment may fire, and tails that may wait.
const MOST_FIRED: u32 = 120;
const MOST_TAILS: usize = 255;
/// How deep graphs may fire graphs here.
const MAX_DEPTH: u32 = 24;

/// A launch of a graph.
#[derive(Debug)]
pub(super) struct Environment {
    /// The executable graph.
    graph: Ptr,
    tails: Vec<Ptr>,
    fired: u32,
}

/// What a launch of a graph by device code, or the setting of a conditional's value, changes.
#[derive(Debug, Default)]
pub(crate) struct DeviceChange {
    /// A tail was added to this environment.
    pub(super) tail: Option<u64>,
    /// One was fired by it.
    pub(super) fired: Option<u64>,
    /// This graph is on the device since.
    pub(super) on_device: Option<Ptr>,
    /// A conditional's value by number, and what it was.
    pub(super) condition: Option<(usize, Option<u32>)>,
}

impl Graphs {
    /// Takes back the last change by device code.
    pub(crate) fn undo(&mut self, change: DeviceChange) {
        let DeviceChange { tail, fired, on_device, condition } = change;
        if let Some(environment) = tail.and_then(|e| self.environments.get_mut(&e)) {
            environment.tails.pop();
        }
        if let Some(environment) = fired.and_then(|e| self.environments.get_mut(&e)) {
            environment.fired -= 1;
        }
        if let Some(graph) = on_device {
            self.on_device.remove(&graph);
        }
        if let Some((n, value)) = condition {
            self.conditions[n].set_value(value);
        }
    }

    /// A new environment.
    fn begin_environment(&mut self, graph: Ptr) -> u64 {
        self.next_environment += 1;
        self.environments.insert(self.next_environment, Environment { graph, tails: Vec::new(), fired: 0 });
        self.next_environment
    }

    /// The handle that `cudaGetCurrentGraphExec` gives in an environment: that of a graph for the device.
    pub(crate) fn current(&self, environment: Option<u64>) -> Ptr {
        let graph = environment.and_then(|e| self.environments.get(&e)).map(|e| e.graph);
        let of_device = |g: &Ptr| self.execs.get(g).is_some_and(|e| e.flags & DEVICE_LAUNCH != 0);
        graph.filter(of_device).unwrap_or(Ptr::NULL)
    }
}

/// The environment of a launch by the host, where device code may launch graphs at all.
pub(super) fn begin(m: &mut Machine, graph: Ptr) -> Option<u64> {
    let module = &m.module;
    let may = *m.cuda.get_mut().graphs.device_launches.get_or_insert_with(|| {
        let name = format!("cudaGraphLaunch{DEVICE_SUFFIX}");
        module.funcs.values().any(|f| f.name == name || f.name == "cudaGraphLaunch" && f.side.on_device())
    });
    may.then(|| m.cuda.get_mut().graphs.begin_environment(graph))
}

/// What keeps an executable graph from being one for the device.
pub(super) fn unfit(m: &HostRuntime<'_>, works: &[(NodeKind, Option<&Work>)]) -> Option<String> {
    let reachable = |ptr: Ptr| match m.mem.lookup(ptr) {
        Some((_, _, Space::Host, kind)) => kind == AllocKind::CudaHost,
        Some(_) => true,
        None => false,
    };
    for (kind, work) in works {
        match (kind, work) {
            (NodeKind::Copy, Some(Work::Copy { dst, src, .. })) => {
                if !reachable(dst.ptr) || !reachable(src.ptr) {
                    return Some("it copies memory that the device cannot reach".to_owned());
                }
            }
            (NodeKind::Kernel | NodeKind::Fill | NodeKind::Child, _) => {}
            (other, _) => {
                return Some(format!("it has a node of kind {}, which is not allowed", other.name()));
            }
        }
    }
    let idle =
        !works.iter().any(|(kind, _)| matches!(kind, NodeKind::Kernel | NodeKind::Copy | NodeKind::Fill));
    idle.then(|| "it has no kernel, copy or fill".to_owned())
}

/// `cudaGetCurrentGraphExec()`
pub(crate) fn current(m: &Machine) -> Ptr {
    m.cuda.get().graphs.current(m.cuda.get().nested.environment)
}

/// `cudaGraphLaunch(exec, stream)` by a thread of the device.
///
/// # Errors
/// Reports that cannot be made.
pub(crate) fn launch(lane: &mut Lane<'_, '_>, a: &Args<'_>) -> Result<CudaError, Stop> {
    if lane.call.runtime()?.get().nested.in_body {
        return Err(Stop::unsupported("a launch of a graph by a kernel in the body of a conditional node"));
    }
    let (graph, how) = (a.ptr(0), a.u64(1));
    lane.call.worker.spend(64)?;
    let issued = issue(&mut *lane.call.machine()?, graph, how);
    if let Err(message) = issued {
        let fault = lane.fault(Kind::ApiError, message.to_owned());
        lane.note(fault);
        return Ok(CudaError::INVALID_VALUE);
    }
    Ok(CudaError::SUCCESS)
}

/// Takes a launch; what is wrong with it, if something is.
fn issue(m: &mut Machine, graph: Ptr, how: u64) -> Result<(), &'static str> {
    let cuda = m.cuda.get_mut();
    let (graphs, number) = (&mut cuda.graphs, cuda.nested.environment);
    let mut change = DeviceChange::default();
    let Some(exec) = graphs.execs.get(&graph) else {
        return Err("device code launches a value that is not an executable graph, or the graph was \
                    destroyed");
    };
    if exec.flags & DEVICE_LAUNCH == 0 {
        return Err(
            "device code launches a graph that was instantiated without `cudaGraphInstantiateFlagDeviceLaunch`",
        );
    }
    if !exec.uploaded {
        return Err(
            "device code launches a graph that was not uploaded: upload it with `cudaGraphUpload` or \
             launch it on the host first",
        );
    }
    let Some(environment) = number.and_then(|e| graphs.environments.get_mut(&e)) else {
        return Err("a kernel that is not part of a graph launches a graph");
    };
    match how {
        TAIL => {
            // A graph may come again behind itself, once.
            if environment.tails.contains(&graph)
                || environment.graph != graph && graphs.on_device.contains(&graph)
            {
                return Err("device code launches a graph whose last launch has not ended");
            }
            if environment.tails.len() >= MOST_TAILS {
                return Err("more than 255 graphs wait for the end of the one that launches them");
            }
            environment.tails.push(graph);
            change.tail = number;
        }
        FIRE_AND_FORGET | SIBLING => {
            if environment.graph == graph || graphs.on_device.contains(&graph) {
                return Err("device code launches a graph whose last launch has not ended");
            }
            if environment.fired >= MOST_FIRED {
                return Err("a graph fires more than 120 graphs");
            }
            environment.fired += 1;
            change.fired = number;
        }
        _ => {
            return Err("device code launches a graph on a stream other than `cudaStreamGraphTailLaunch`, \
                         `cudaStreamGraphFireAndForget` and `cudaStreamGraphFireAndForgetAsSibling`");
        }
    }
    if graphs.on_device.insert(graph) {
        change.on_device = Some(graph);
    }
    let fires = change.fired.is_some();
    m.cuda.get_mut().note_graph(change);
    if fires {
        nested::fire(m, graph);
    }
    Ok(())
}

/// Runs what is behind an environment whose operations have run.
///
/// # Errors
/// What operations meet; running out of fuel.
pub(crate) fn end(m: &mut Machine, environment: u64) -> Result<(), Stop> {
    let Some(done) = m.cuda.get_mut().graphs.environments.remove(&environment) else { return Ok(()) };
    let mut left: Vec<Ptr> = done.tails.into_iter().rev().collect();
    while let Some(graph) = left.pop() {
        left.extend(one(m, graph)?.into_iter().rev());
    }
    Ok(())
}

/// Runs a graph that was fired, with its tails.
///
/// # Errors
/// As [`end`]; graphs that fire graphs too deep.
pub(crate) fn fired(m: &mut Machine, graph: Ptr) -> Result<(), Stop> {
    if m.cuda.get().graphs.depth >= MAX_DEPTH {
        return Err(Stop::unsupported(format!("graphs that fire graphs more than {MAX_DEPTH} deep")));
    }
    m.cuda.get_mut().graphs.depth += 1;
    let mut left = vec![graph];
    let mut result = Ok(());
    while let (Some(graph), Ok(())) = (left.pop(), &result) {
        match one(m, graph) {
            Ok(tails) => left.extend(tails.into_iter().rev()),
            Err(stop) => result = Err(stop),
        }
    }
    m.cuda.get_mut().graphs.depth -= 1;
    result
}

/// Runs a graph that device code launched; gives its tails.
fn one(m: &mut Machine, graph: Ptr) -> Result<Vec<Ptr>, Stop> {
    m.cuda.get_mut().graphs.on_device.remove(&graph);
    let Some(works) = m.cuda.get().graphs.execs.get(&graph).map(exec::works) else { return Ok(Vec::new()) };
    let environment = m.cuda.get_mut().graphs.begin_environment(graph);
    m.cuda.get_mut().graphs.on_device.insert(graph);
    for (mut work, who) in works {
        m.spend(64)?;
        if m.cuda.get().errors.sticky.is_some() {
            break;
        }
        super::number(m, &mut work);
        enter(&mut work, Some(environment));
        m.cuda.get_mut().graphs.body_time += queue::cost(m, &work);
        perform(m, work, who)?;
    }
    let done = m.cuda.get_mut().graphs.environments.remove(&environment);
    let tails = done.map(|e| e.tails).unwrap_or_default();
    if !tails.contains(&graph) {
        m.cuda.get_mut().graphs.on_device.remove(&graph);
    }
    Ok(if m.cuda.get().errors.sticky.is_some() { Vec::new() } else { tails })
}

fn perform(m: &mut Machine, work: Work, who: ByteAccess) -> Result<(), Stop> {
    let outer = nested::leave(m);
    let result = queue::perform(m, work, who, 0);
    nested::back(m, outer);
    result
}

/// A launch is of an environment.
pub(super) fn enter(work: &mut Work, environment: Option<u64>) {
    if let Work::Launch { launch, .. } = work {
        launch.environment = environment;
    }
}
