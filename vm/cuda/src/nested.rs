//! Launches by device code, CUDA's dynamic parallelism, and the device's part of the runtime.
//!
//! CUDA orders a child grid after what its thread did before the launch and before the end of the grid that launched it, and
//! promises no more: whether it starts while its parent runs is open. Here it starts when its parent's blocks are done,
//! in the order in which launches were issued, which satisfies each device stream and each event wait among them. A child's own
//! children run before what was issued after it, since a grid is done when its children are; tail launches come last. So nothing
//! that only a child's early start would bring can be waited for.
//!
//! Not looked for: races of a child with its parent, and of children of one parent with each other.

use super::effects::Change;
use super::{CudaError, admission, graph, queue};
use crate::Kept;
use crate::constants::{cudaStreamFireAndForget as FIRE_AND_FORGET, cudaStreamTailLaunch as TAIL};
use cudair_engine::guest::{Guest, Lane};
use cudair_engine::parts::{HasFuel, HasRuntime};
use cudair_engine::{Args, DeviceCall, DeviceFn, GridLaunch, LaunchEnd, LaunchRequest, Machine, Ret};
use cudair_ir::{Kind, Space, ThreadCoord};
use cudair_lane::fault::{AllocKind, Stop};
use cudair_lane::ptr::Ptr;
use cudair_memory::{AllocInfo, ByteAccess, InitState, LaneCx, Reach};
use rustc_hash::FxHashMap;

/// How deep grids nest: the first one's depth is 0.
const MAX_DEPTH: u32 = 24;
/// The handle of the first stream or event of device code; each next one is 16 on.
const FIRST_HANDLE: u64 = 0x1000;

/// What a grid has asked for that runs after it.
enum Child {
    Launch {
        launch: GridLaunch,
        objects: Vec<Ptr>,
    },
    Copy {
        dst: Ptr,
        src: Ptr,
        len: u64,
        who: ByteAccess,
    },
    Fill {
        dst: Ptr,
        byte: u8,
        len: u64,
        who: ByteAccess,
    },
    /// An executable graph.
    Graph(Ptr),
}

/// The device's part of the runtime.
#[derive(Default)]
pub(super) struct Nested {
    /// The depth of the grid that runs.
    pub(super) depth: u32,
    issued: Vec<Child>,
    tail: Vec<Child>,
    /// The last error of each thread that had one.
    errors: FxHashMap<ThreadCoord, CudaError>,
    /// Streams and events of device code: whether they are still there.
    handles: Vec<bool>,
    /// The launch of a graph that the running grid is part of.
    pub(super) environment: Option<u64>,
    /// It is part of a conditional node's body.
    pub(super) in_body: bool,
}

/// What was under way when a graph was launched from within.
pub(super) struct Outer {
    depth: u32,
    environment: Option<u64>,
}

/// A graph runs that a grid has launched, which is done: what is under way comes back with [`back`].
pub(super) fn leave(m: &mut Machine) -> Outer {
    let nested = &m.cuda.get().nested;
    Outer { depth: nested.depth, environment: nested.environment }
}

/// The graph has run.
pub(super) fn back(m: &mut Machine, outer: Outer) {
    (m.cuda.get_mut().nested.depth, m.cuda.get_mut().nested.environment) = (outer.depth, outer.environment);
}

impl Nested {
    /// Takes what the grid that has run issued, what comes first last.
    fn take(&mut self) -> Vec<Child> {
        self.errors.clear();
        let mut all = std::mem::take(&mut self.issued);
        all.append(&mut self.tail);
        all.reverse();
        all
    }

    pub(super) fn make(&mut self) -> Ptr {
        self.handles.push(true);
        Ptr(FIRST_HANDLE + 16 * (self.handles.len() as u64 - 1))
    }

    /// The slot of a handle that is alive.
    fn find(&self, handle: Ptr) -> Option<usize> {
        let n = handle.0.checked_sub(FIRST_HANDLE)?;
        let slot = usize::try_from(n / 16).ok().filter(|_| n % 16 == 0)?;
        (self.handles.get(slot) == Some(&true)).then_some(slot)
    }

    /// Sets a thread's last error; gives what it was.
    pub(super) fn set_error(&mut self, thread: ThreadCoord, error: Option<CudaError>) -> Option<CudaError> {
        match error {
            Some(error) => self.errors.insert(thread, error),
            None => self.errors.remove(&thread),
        }
    }

    /// Takes back the last change that is one of those here.
    pub(super) fn undo(&mut self, change: Change) {
        match change {
            Change::Made => {
                self.handles.pop();
            }
            Change::Destroyed(slot) => self.handles[slot] = true,
            Change::Error(thread, before) => {
                self.set_error(thread, before);
            }
            // What a child's arguments stand in is memory's to take back.
            Change::Issued { tail: true } => {
                self.tail.pop();
            }
            Change::Issued { tail: false } => {
                self.issued.pop();
            }
            Change::Text(_) | Change::Capable(_) | Change::Graph(_) => {}
        }
    }

    fn is_stream(&self, stream: Ptr) -> bool {
        matches!(stream.0, 0..=FIRE_AND_FORGET) || self.find(stream).is_some()
    }
}

/// Issues a child on a stream.
fn push(m: &mut Machine, stream: Ptr, child: Child) {
    let tail = stream.0 == TAIL;
    let nested = &mut m.cuda.get_mut().nested;
    if tail {
        nested.tail.push(child);
    } else {
        nested.issued.push(child);
    }
    m.cuda.get_mut().note(Change::Issued { tail });
}

/// A graph is to run when the grid is done.
pub(super) fn fire(m: &mut Machine, graph: Ptr) {
    push(m, Ptr::NULL, Child::Graph(graph));
}

/// Runs a launch with all that it launches, to their end.
pub(super) fn run(m: &mut Machine, launch: GridLaunch) -> Result<LaunchEnd, Stop> {
    let mut stack = vec![(0, Child::Launch { launch, objects: Vec::new() })];
    let mut end = Ok(LaunchEnd::Done);
    while let Some((depth, child)) = stack.pop() {
        if !matches!(end, Ok(LaunchEnd::Done)) {
            forget(m, child);
            continue;
        }
        end = match child {
            Child::Launch { launch, objects } => {
                m.cuda.get_mut().nested.depth = depth;
                m.cuda.get_mut().nested.environment = launch.environment;
                let end = m.run_grid(launch);
                for object in objects {
                    m.mem.drop_object(object);
                }
                stack.extend(m.cuda.get_mut().nested.take().into_iter().map(|c| (depth + 1, c)));
                end
            }
            Child::Graph(graph) => {
                graph::fired(m, graph)?;
                if m.cuda.get().errors.sticky.is_some() {
                    // It has been told, and nothing that waits runs any more.
                    stack.drain(..).for_each(|(_, child)| forget(m, child));
                }
                Ok(LaunchEnd::Done)
            }
            Child::Copy { dst, src, len, who } => {
                let cx = &mut LaneCx::host(&mut m.findings);
                let done = m.mem.copy_between(cx, who, (dst, Reach::Device), (src, Reach::Device), len);
                aborted(m, done)
            }
            Child::Fill { dst, byte, len, who } => {
                let pattern = vec![byte; usize::try_from(len).unwrap_or(usize::MAX).min(1 << 20)];
                let done = queue::fill_row(&mut m.runtime(), who, dst, Reach::Device, &pattern, len);
                aborted(m, done)
            }
        };
    }
    end
}

fn aborted(m: &mut Machine, done: Result<(), Stop>) -> Result<LaunchEnd, Stop> {
    match done {
        Ok(()) => Ok(LaunchEnd::Done),
        Err(Stop::Fault(fault)) => {
            let kind = fault.kind.kind();
            m.findings.note_any(*fault);
            Ok(LaunchEnd::Aborted(kind))
        }
        Err(stop) => Err(stop),
    }
}

/// Drops what will not run, because what it follows failed.
fn forget(m: &mut Machine, child: Child) {
    if let Child::Launch { objects, .. } = child {
        for object in objects {
            m.mem.drop_object(object);
        }
    }
}

/// The `Launch` instruction by a thread of the device. Gives the error code.
///
/// # Errors
/// Arguments that cannot be read.
pub(crate) fn launch(call: &mut DeviceCall<'_>, request: LaunchRequest) -> Result<CudaError, Stop> {
    let error = issue(call, request)?;
    if error != CudaError::SUCCESS {
        let thread = call.thread();
        call.runtime()?.get_mut().set_device_error(thread, Some(error));
    }
    Ok(error)
}

fn issue(call: &mut DeviceCall<'_>, request: LaunchRequest) -> Result<CudaError, Stop> {
    let by = Some((call.thread(), call.shape.launch));
    if let Some(error) = refused(&mut *call.machine()?, &request, by)? {
        return Ok(error);
    }
    let who = ByteAccess { lane: call.lane, place: request.place, native: Some("a launch") };
    let module = call.program.module.clone();
    let (args, objects) = admission::by_value(&module, &request, |info, size, align, source| {
        let (mem, mut cx) = call.memory();
        let copy = mem.alloc(Space::Const, size, align, InitState::Uninit, info)?;
        if size > 0 {
            mem.copy_between(&mut cx, who, (copy, Reach::Any), (source, Reach::Own), size)?;
        }
        Ok::<_, Stop>(copy)
    })?;
    let m = &mut *call.machine()?;
    let launch = admission::numbered(m, &request, args, Box::default());
    push(m, request.stream, Child::Launch { launch, objects });
    Ok(CudaError::SUCCESS)
}

/// The error of a launch that is not taken.
fn refused(
    m: &mut Machine,
    request: &LaunchRequest,
    by: Option<admission::Parent>,
) -> Result<Option<CudaError>, Stop> {
    m.spend(64)?;
    let depth = m.cuda.get().nested.depth + 1;
    if !m.cuda.get().nested.is_stream(request.stream) {
        return Ok(Some(CudaError::INVALID_VALUE));
    }
    if depth >= MAX_DEPTH {
        let name = &m.module.funcs[request.kernel].display_name;
        let message = format!(
            "the launch of `{name}` at a depth of {depth}: grids nest at most \
                               {MAX_DEPTH} deep"
        );
        let refused = (CudaError::LAUNCH_MAX_DEPTH_EXCEEDED, message, None);
        let help = "end the recursion earlier, or continue with calls instead of launches".to_owned();
        return Ok(Some(admission::refuse(m, request, refused, help, by)));
    }
    Ok(admission::admit(m, request, by).err())
}

/// What a function of the device's runtime gives.
type Answer = Result<CudaError, Stop>;

/// A call of the device's runtime: its error is the thread's last.
fn answer(
    call: &mut DeviceCall<'_>,
    a: &Args<'_>,
    name: &'static str,
    f: fn(&mut Lane<'_, '_>, &Args<'_>) -> Answer,
) -> Result<Ret, Stop> {
    let error = f(&mut Lane::new(call, a, name), a)?;
    if error != CudaError::SUCCESS {
        let thread = call.thread();
        call.runtime()?.get_mut().set_device_error(thread, Some(error));
    }
    Ok(error.0.into())
}

/// The thread's last error, which is none afterwards if `clear` says so.
fn last_error(call: &mut DeviceCall<'_>, clear: bool) -> Result<Ret, Stop> {
    let thread = call.thread();
    let cuda = call.runtime()?.get_mut();
    let error =
        if clear { cuda.set_device_error(thread, None) } else { cuda.nested.errors.get(&thread).copied() };
    Ok(error.unwrap_or(CudaError::SUCCESS).0.into())
}

/// A stream or an event of device code: `flags` are the only ones that the device has.
fn create(lane: &mut Lane<'_, '_>, a: &Args<'_>, flags: u32) -> Answer {
    if a.u32(1) != flags {
        return Ok(CudaError::INVALID_VALUE);
    }
    let cuda = lane.call.runtime()?.get_mut();
    let handle = cuda.nested.make();
    cuda.note(Change::Made);
    lane.put(a.ptr(0), handle.0, 8)?;
    Ok(CudaError::SUCCESS)
}

fn destroy(lane: &mut Lane<'_, '_>, a: &Args<'_>) -> Answer {
    let cuda = lane.call.runtime()?.get_mut();
    Ok(match cuda.nested.find(a.ptr(0)) {
        Some(slot) => {
            cuda.nested.handles[slot] = false;
            cuda.note(Change::Destroyed(slot));
            CudaError::SUCCESS
        }
        None => CudaError::INVALID_RESOURCE_HANDLE,
    })
}

/// `cudaMemcpyAsync` and `cudaMemsetAsync` by device code, as children.
fn later(lane: &mut Lane<'_, '_>, stream: Ptr, child: Child) -> Answer {
    let m = &mut *lane.call.machine()?;
    if !m.cuda.get().nested.is_stream(stream) {
        return Ok(CudaError::INVALID_RESOURCE_HANDLE);
    }
    push(m, stream, child);
    Ok(CudaError::SUCCESS)
}

/// A text for device code.
fn device_text(lane: &mut Lane<'_, '_>, text: &str) -> Result<Ptr, Stop> {
    let place = lane.who.place;
    let m = &mut *lane.call.machine()?;
    let key = format!("device {text}");
    if let Some(&known) = m.cuda.get().texts.get(&key) {
        return Ok(known);
    }
    let mut bytes = text.as_bytes().to_vec();
    bytes.push(0);
    let info = AllocInfo { kind: AllocKind::Runtime, name: None, place };
    let ptr = m.mem.alloc(Space::Const, bytes.len() as u64, 1, InitState::Zero, info)?;
    let source = cudair_engine::guest::runtime_object(m, "text", &bytes, 1)?;
    let cx = &mut LaneCx::host(&mut m.findings);
    let len = bytes.len() as u64;
    m.mem.copy_between(cx, ByteAccess::default(), (ptr, Reach::Any), (source, Reach::Host), len)?;
    m.mem.drop_object(source);
    m.cuda.get_mut().keep_text(key, ptr);
    Ok(ptr)
}

/// The device's functions of the runtime, by name.
pub(crate) fn lookup(name: &str) -> Option<DeviceFn> {
    macro_rules! api {
        ($name:literal, |$lane:ident, $a:ident| $body:expr) => {
            |c, a| answer(c, a, $name, |$lane, $a| $body)
        };
    }
    Some(match name {
        "cudaGetLastError" => |c, _| last_error(c, true),
        "cudaPeekAtLastError" => |c, _| last_error(c, false),
        "cudaGetErrorString" => |c, a| {
            let lane = &mut Lane::new(c, a, "cudaGetErrorString");
            Ok(device_text(lane, CudaError(a.i32(0)).text())?.into())
        },
        "cudaGetErrorName" => |c, a| {
            let lane = &mut Lane::new(c, a, "cudaGetErrorName");
            Ok(device_text(lane, CudaError(a.i32(0)).name())?.into())
        },
        "cudaGetDevice" => api!("cudaGetDevice", |lane, a| {
            lane.put(a.ptr(0), 0, 4)?;
            Ok(CudaError::SUCCESS)
        }),
        "cudaGetDeviceCount" => api!("cudaGetDeviceCount", |lane, a| {
            lane.put(a.ptr(0), 1, 4)?;
            Ok(CudaError::SUCCESS)
        }),
        // A stream of device code must be non-blocking, an event without timing.
        "cudaStreamCreateWithFlags" => api!("cudaStreamCreateWithFlags", |lane, a| create(lane, a, 1)),
        "cudaEventCreateWithFlags" => api!("cudaEventCreateWithFlags", |lane, a| create(lane, a, 2)),
        "cudaStreamDestroy" => api!("cudaStreamDestroy", |lane, a| destroy(lane, a)),
        "cudaEventDestroy" => api!("cudaEventDestroy", |lane, a| destroy(lane, a)),
        // What is issued runs in order, which is more than events ask for.
        "cudaEventRecord" => api!("cudaEventRecord", |lane, a| {
            let nested = &lane.call.runtime()?.get().nested;
            let known = nested.find(a.ptr(0)).is_some() && nested.is_stream(a.ptr(1));
            Ok(if known { CudaError::SUCCESS } else { CudaError::INVALID_RESOURCE_HANDLE })
        }),
        "cudaStreamWaitEvent" => api!("cudaStreamWaitEvent", |lane, a| {
            let nested = &lane.call.runtime()?.get().nested;
            let known = nested.is_stream(a.ptr(0)) && nested.find(a.ptr(1)).is_some();
            Ok(if known { CudaError::SUCCESS } else { CudaError::INVALID_RESOURCE_HANDLE })
        }),
        "cudaMemcpyAsync" => api!("cudaMemcpyAsync", |lane, a| {
            let who = ByteAccess { lane: 0, ..lane.who };
            let (dst, src, len) = (a.ptr(0), a.ptr(1), a.u64(2));
            if len == 0 {
                return Ok(CudaError::SUCCESS);
            }
            later(lane, a.ptr(4), Child::Copy { dst, src, len, who })
        }),
        "cudaMemsetAsync" => api!("cudaMemsetAsync", |lane, a| {
            let who = ByteAccess { lane: 0, ..lane.who };
            let (dst, byte, len) = (a.ptr(0), a.u32(1) as u8, a.u64(2));
            if len == 0 {
                return Ok(CudaError::SUCCESS);
            }
            later(lane, a.ptr(3), Child::Fill { dst, byte, len, who })
        }),
        "cudaMalloc" => api!("cudaMalloc", |lane, a| {
            let place = lane.who.place;
            let cuda = lane.call.runtime()?;
            let size = a.u64(1);
            if size == 0 {
                lane.put(a.ptr(0), 0, 8)?;
                return Ok(CudaError::SUCCESS);
            }
            if !cuda.get_mut().device.heap_take(size) {
                return Ok(CudaError::MEMORY_ALLOCATION);
            }
            let info = AllocInfo { kind: AllocKind::DeviceMalloc, name: None, place };
            let ptr = lane.call.worker.mem.alloc(Space::Global, size, 256, InitState::Uninit, info)?;
            lane.put(a.ptr(0), ptr.0, 8)?;
            Ok(CudaError::SUCCESS)
        }),
        "cudaGraphLaunch" => api!("cudaGraphLaunch", |lane, a| graph::launch_by_device(lane, a)),
        "cudaGetCurrentGraphExec" => |c, _| Ok(graph::current(&*c.machine()?).into()),
        "cudaGraphSetConditional" => |c, a| {
            if !graph::set_condition(&mut *c.machine()?, a.u64(0), a.u32(1)) {
                let message = "this value is not a conditional handle".to_owned();
                let fault = Lane::new(c, a, "cudaGraphSetConditional").fault(Kind::ApiError, message);
                return Err(fault.into());
            }
            Ok(Ret::Void)
        },
        "cudaFree" => |c, a| {
            crate::device_library::release(c, a, "cudaFree", AllocKind::DeviceMalloc)?;
            Ok(CudaError::SUCCESS.0.into())
        },
        _ => return None,
    })
}

#[cfg(test)]
impl Nested {
    /// All that a launch may change.
    pub(super) fn whole(&self) -> String {
        let mut errors: Vec<String> = self.errors.iter().map(|e| format!("{e:?}")).collect();
        errors.sort();
        format!("{} {} {errors:?} {:?}", self.issued.len(), self.tail.len(), self.handles)
    }

    /// Destroys one of the handles that are alive.
    pub(super) fn kill(&mut self, n: u64) -> Option<usize> {
        let slot = n as usize % self.handles.len().max(1);
        let alive = self.handles.get_mut(slot).filter(|alive| **alive)?;
        *alive = false;
        Some(slot)
    }

    /// Issues a graph.
    pub(super) fn issue(&mut self, tail: bool) {
        if tail { &mut self.tail } else { &mut self.issued }.push(Child::Graph(Ptr::NULL));
    }
}
