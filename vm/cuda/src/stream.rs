//! Streams.

use super::queue::{self, OpId, Work};
use super::{Api, CudaError, Fail, event, graph};
use crate::call::Call;
use crate::constants::*;
use crate::layout::{Fields, Structure, cudaAccessPolicyWindow, cudaLaunchAttributeValue as Value};
use crate::{Kept, RuntimeCall};
use cudair_engine::Args;
use cudair_engine::guest::{Host, runtime_object};
use cudair_engine::parts::HasRuntime;
use cudair_lane::ptr::Ptr;
use rustc_hash::FxHashMap;
use smallvec::smallvec;

/// The highest priority, the lowest being 0.
pub(crate) const HIGHEST_PRIORITY: i32 = -5;

/// A stream.
#[derive(Clone, Debug)]
pub(crate) struct Stream {
    /// It does not wait for the legacy default stream, nor that for it.
    pub non_blocking: bool,
    /// The operation queued last.
    pub last: Option<OpId>,
    /// When its last operation ended, in the model of time.
    pub time: u64,
    priority: i32,
    /// What `cudaStreamSetAttribute` set, by the attribute's number.
    attributes: FxHashMap<u32, Vec<u8>>,
    /// By which call it ended.
    destroyed: Option<&'static str>,
}

/// The streams: the legacy default one, that of the thread, and what the program made.
#[derive(Debug)]
pub(crate) struct Streams {
    pub(crate) all: Vec<Stream>,
    handles: FxHashMap<Ptr, usize>,
    /// The one on which memory is freed by calls that belong to no stream and wait for none, once there is one.
    freeing: Option<usize>,
}

impl Default for Streams {
    fn default() -> Streams {
        Streams {
            all: vec![Stream::default_stream(), Stream::per_thread()],
            handles: FxHashMap::default(),
            freeing: None,
        }
    }
}

impl Streams {
    /// The device is reset: the program's streams are gone.
    pub(crate) fn reset(&mut self) {
        for stream in self.all.iter_mut().skip(2) {
            stream.destroyed.get_or_insert("cudaDeviceReset");
        }
    }

    fn add(&mut self, handle: Ptr, stream: Stream) {
        self.handles.insert(handle, self.all.len());
        self.all.push(stream);
    }
}

impl Stream {
    fn new(non_blocking: bool, priority: i32) -> Stream {
        Stream {
            non_blocking,
            last: None,
            time: 0,
            priority,
            attributes: FxHashMap::default(),
            destroyed: None,
        }
    }

    /// The legacy default stream, number 0.
    pub fn default_stream() -> Stream {
        Stream::new(false, 0)
    }

    /// The default stream of a thread, number 1: the host has one thread.
    pub fn per_thread() -> Stream {
        Stream::new(false, 0)
    }
}

/// The stream that a handle names.
pub(crate) fn find<M: HasRuntime>(h: &mut Host<'_, M>, handle: Ptr) -> Result<usize, Fail> {
    h.with_runtime(|h| {
        match handle.0 {
            0 | cudaStreamLegacy => return Ok(0),
            cudaStreamPerThread => return Ok(1),
            _ => {}
        }
        let streams = &h.m.cuda.get().streams;
        let message = match streams.handles.get(&handle) {
            Some(&n) => match streams.all[n].destroyed {
                None => return Ok(n),
                Some(by) => format!("a stream is used after `{by}`"),
            },
            None => "this value is not a stream".to_owned(),
        };
        Err(h.bad_argument(CudaError::INVALID_RESOURCE_HANDLE, message))
    })
}

fn make(h: &mut RuntimeCall<'_, '_>, out: Ptr, flags: u32, priority: i32) -> Api {
    if out.is_null() || flags & !cudaStreamNonBlocking != 0 {
        return Err(CudaError::INVALID_VALUE.into());
    }
    let handle = runtime_object(h.m, "stream", &[0; 8], 8)?;
    let stream = Stream::new(flags & cudaStreamNonBlocking != 0, priority.clamp(HIGHEST_PRIORITY, 0));
    h.m.cuda.get_mut().streams.add(handle, stream);
    h.give(out, handle.0, 8)
}

pub(crate) fn create(h: &mut RuntimeCall<'_, '_>, a: &Args<'_>) -> Api {
    make(h, a.ptr(0), 0, 0)
}

pub(crate) fn create_with_flags(h: &mut RuntimeCall<'_, '_>, a: &Args<'_>) -> Api {
    make(h, a.ptr(0), a.u32(1), 0)
}

pub(crate) fn create_with_priority(h: &mut RuntimeCall<'_, '_>, a: &Args<'_>) -> Api {
    make(h, a.ptr(0), a.u32(1), a.i32(2))
}

/// The stream's work still runs; its handle is gone at once.
pub(crate) fn destroy(h: &mut RuntimeCall<'_, '_>, a: &Args<'_>) -> Api {
    let n = find(h, a.ptr(0))?;
    if n < 2 {
        return Err(CudaError::INVALID_RESOURCE_HANDLE.into());
    }
    h.m.cuda.get_mut().streams.all[n].destroyed = Some("cudaStreamDestroy");
    Ok(())
}

/// A stream that the program has no handle of: a branch of a graph.
pub(crate) fn internal(m: &mut cudair_engine::Machine) -> usize {
    m.cuda.get_mut().streams.all.push(Stream::new(true, 0));
    m.cuda.get().streams.all.len() - 1
}

/// The stream on which `cudaFree` gives back what it does not wait for.
pub(crate) fn freeing(m: &mut cudair_engine::Machine) -> usize {
    let n = m.cuda.get().streams.freeing.unwrap_or_else(|| internal(m));
    m.cuda.get_mut().streams.freeing = Some(n);
    n
}

pub(crate) fn synchronize(h: &mut Host<'_>, a: &Args<'_>) -> Api {
    let n = find(h, a.ptr(0))?;
    h.with_runtime(|h| graph::refuse(h, n))?;
    // The legacy default stream has waited for the others when its own last operation has; without one
    // of its own it has nothing to wait for but them.
    let op = h.m.cuda.get().streams.all[n].last;
    if n == 0 {
        let others: Vec<OpId> =
            h.m.cuda.get().streams.all.iter().filter(|s| !s.non_blocking).filter_map(|s| s.last).collect();
        queue::run(h.m, &others)?;
    }
    let result = queue::synchronize_op(h.m, op);
    h.with_runtime(|h| waited(h, n));
    result
}

/// The host has waited for a stream; for the legacy default stream that is all those that it waits for.
fn waited(h: &mut RuntimeCall<'_, '_>, n: usize) {
    queue::waited_for(h.m, n);
    if n == 0 {
        let blocking = |s: &usize| !h.m.cuda.get().streams.all[*s].non_blocking;
        let others: Vec<usize> = (1..h.m.cuda.get().streams.all.len()).filter(blocking).collect();
        for s in others {
            queue::waited_for(h.m, s);
        }
    }
}

/// A query lets the queue move, so that a program that asks until the answer changes goes on.
pub(crate) fn query(h: &mut Host<'_>, a: &Args<'_>) -> Api {
    let n = find(h, a.ptr(0))?;
    match h.m.cuda.get().streams.all[n].last.filter(|&op| h.m.cuda.get().queue.is_pending(op)) {
        None => {
            queue::waited_for(&mut h.m.runtime(), n);
            queue::synchronize_op(h.m, None)
        }
        Some(op) => {
            queue::advance(h.m, &[op])?;
            match h.m.cuda.get().errors.sticky {
                Some(error) => Err(Fail::Reported(error)),
                None => Err(CudaError::NOT_READY.into()),
            }
        }
    }
}

/// `cudaStreamWaitEvent(stream, event, flags)`: `cudaEventWaitDefault` or `cudaEventWaitExternal`.
pub(crate) fn wait_event(h: &mut Host<'_>, a: &Args<'_>) -> Api {
    if a.u32(2) > 1 {
        return Err(CudaError::INVALID_VALUE.into());
    }
    let n = find(h, a.ptr(0))?;
    let event = event::find(h, a.ptr(1))?;
    if graph::wait_event(h, n, event, a.u32(2) == 1)? {
        return Ok(());
    }
    if a.u32(2) == 1 {
        return Err(CudaError::ILLEGAL_STATE.into());
    }
    if let Some(op) = h.m.cuda.get().events.all[event].last {
        let who = h.access();
        let clock = &h.m.cuda.get().events.all[event].clock;
        h.m.mem.streams.join(n, clock);
        queue::push(h.m, n, Work::Wait, Some(op), who)?;
    }
    Ok(())
}

pub(crate) fn flags(h: &mut RuntimeCall<'_, '_>, a: &Args<'_>) -> Api {
    let n = find(h, a.ptr(0))?;
    let flags = u64::from(h.m.cuda.get().streams.all[n].non_blocking);
    h.give(a.ptr(1), flags, 4)
}

pub(crate) fn priority(h: &mut RuntimeCall<'_, '_>, a: &Args<'_>) -> Api {
    let n = find(h, a.ptr(0))?;
    let priority = h.m.cuda.get().streams.all[n].priority;
    h.give(a.ptr(1), u64::from(priority as u32), 4)
}

pub(crate) fn id(h: &mut RuntimeCall<'_, '_>, a: &Args<'_>) -> Api {
    let n = find(h, a.ptr(0))?;
    h.give(a.ptr(1), n as u64 + 1, 8)
}

pub(crate) fn device(h: &mut RuntimeCall<'_, '_>, a: &Args<'_>) -> Api {
    find(h, a.ptr(0))?;
    h.give(a.ptr(1), 0, 4)
}

/// `callback(stream, status, data)`
pub(crate) fn add_callback(h: &mut Host<'_>, a: &Args<'_>) -> Api {
    let n = find(h, a.ptr(0))?;
    // No flag is defined.
    if a.ptr(1).is_null() || a.u32(3) != 0 {
        return Err(CudaError::INVALID_VALUE.into());
    }
    let who = h.access();
    let args = smallvec![a.u64(0), 0, a.u64(2)];
    queue::push(h.m, n, Work::Host { func: a.ptr(1), args }, None, who)?;
    Ok(())
}

/// `function(data)`
pub(crate) fn launch_host_func(h: &mut Host<'_>, a: &Args<'_>) -> Api {
    let n = find(h, a.ptr(0))?;
    if a.ptr(1).is_null() {
        return Err(CudaError::INVALID_VALUE.into());
    }
    let who = h.access();
    let args = smallvec![a.u64(2)];
    queue::push(h.m, n, Work::Host { func: a.ptr(1), args }, None, who)?;
    Ok(())
}

/// Whether streams have an attribute: the window of persisting accesses, how the host waits, the priority, the
/// domains of memory synchronisation. Only the priority changes what a program can see here.
fn is_attribute(number: u32) -> bool {
    matches!(
        number,
        cudaLaunchAttributeAccessPolicyWindow
            | cudaLaunchAttributeSynchronizationPolicy
            | cudaLaunchAttributePriority
            | cudaLaunchAttributeMemSyncDomainMap
            | cudaLaunchAttributeMemSyncDomain
    )
}

/// `cudaStreamSetAttribute(stream, attribute, value)`
pub(crate) fn set_attribute(h: &mut RuntimeCall<'_, '_>, a: &Args<'_>) -> Api {
    let n = find(h, a.ptr(0))?;
    let number = a.u32(1);
    if !is_attribute(number) || a.ptr(2).is_null() {
        return Err(CudaError::INVALID_VALUE.into());
    }
    let mut value = Structure::zeroed();
    match number {
        cudaLaunchAttributeAccessPolicyWindow => {
            use cudaAccessPolicyWindow as Window;
            let window = Structure::read_to(h, a.ptr(2), Window::missProp)?;
            let most = h.m.config.device.memory.access_policy_max_window_size as u64;
            let (hit, miss) = (window.get(Window::hitProp), window.get(Window::missProp));
            // A miss cannot be kept.
            if window.get(Window::num_bytes) > most
                || !(0.0..=1.0).contains(&window.get(Window::hitRatio))
                || hit > cudaAccessPropertyPersisting
                || miss > cudaAccessPropertyStreaming
            {
                return Err(CudaError::INVALID_VALUE.into());
            }
            value.set_part(Value::accessPolicyWindow, &window);
        }
        _ => {
            // Whatever it is, a number.
            let number_given = h.field(a.ptr(2), Value::priority)?;
            value.set(Value::priority, number_given);
            if number == cudaLaunchAttributePriority {
                h.m.cuda.get_mut().streams.all[n].priority = number_given.clamp(HIGHEST_PRIORITY, 0);
            }
        }
    }
    h.m.cuda.get_mut().streams.all[n].attributes.insert(number, value.into_bytes());
    Ok(())
}

/// `cudaStreamGetAttribute(stream, attribute, value)`
pub(crate) fn attribute(h: &mut RuntimeCall<'_, '_>, a: &Args<'_>) -> Api {
    let n = find(h, a.ptr(0))?;
    let number = a.u32(1);
    if !is_attribute(number) || a.ptr(2).is_null() {
        return Err(CudaError::INVALID_VALUE.into());
    }
    let known = h.m.cuda.get().streams.all[n].attributes.get(&number).cloned();
    let mut value = known.map_or_else(Structure::zeroed, |bytes| Structure::of_bytes(&bytes));
    if number == cudaLaunchAttributePriority {
        value.set(Value::priority, h.m.cuda.get().streams.all[n].priority);
    }
    h.store(a.ptr(2), value.bytes())
}

/// `cudaStreamCopyAttributes(to, from)`
pub(crate) fn copy_attributes(h: &mut RuntimeCall<'_, '_>, a: &Args<'_>) -> Api {
    let (to, from) = (find(h, a.ptr(0))?, find(h, a.ptr(1))?);
    let attributes = h.m.cuda.get().streams.all[from].attributes.clone();
    h.m.cuda.get_mut().streams.all[to].attributes = attributes;
    Ok(())
}
