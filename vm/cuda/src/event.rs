//! Events.

use super::queue::{self, OpId, Work};
use super::{Api, CudaError, Fail, graph, stream};
use crate::call::Call;
use crate::constants::{cudaEventBlockingSync, cudaEventDisableTiming, cudaEventInterprocess};
use crate::{Kept, RuntimeCall};
use cudair_engine::guest::{Host, runtime_object};
use cudair_engine::parts::HasRuntime;
use cudair_engine::{Args, Machine};
use cudair_lane::fault::Stop;
use cudair_lane::ptr::Ptr;
use cudair_memory::ByteAccess;
use cudair_race::streams::Clock;
use rustc_hash::FxHashMap;

/// Every flag that an event may have.
const ALL_FLAGS: u32 = cudaEventBlockingSync | cudaEventDisableTiming | cudaEventInterprocess;

/// An event.
#[derive(Clone, Debug)]
pub(crate) struct Event {
    /// The operation that records it, if it was recorded.
    pub last: Option<OpId>,
    /// When it was recorded last, in the model of time.
    pub time: Option<u64>,
    /// What has ended when it is recorded, to the race detector.
    pub clock: Clock,
    timing: bool,
    /// Made for other processes too.
    pub interprocess: bool,
    /// By which call it ended.
    destroyed: Option<&'static str>,
    handle: Ptr,
}

/// The events that the program made.
#[derive(Debug, Default)]
pub(crate) struct Events {
    pub(crate) all: Vec<Event>,
    handles: FxHashMap<Ptr, usize>,
}

impl Events {
    /// The handle of an event.
    pub(crate) fn handle(&self, event: usize) -> Ptr {
        self.all[event].handle
    }

    /// The device is reset: the events are gone.
    pub(crate) fn reset(&mut self) {
        for event in &mut self.all {
            event.destroyed.get_or_insert("cudaDeviceReset");
        }
    }

    fn add(&mut self, handle: Ptr, event: Event) {
        self.handles.insert(handle, self.all.len());
        self.all.push(event);
    }
}

/// The event that a handle names.
pub(crate) fn find<M: HasRuntime>(h: &mut Host<'_, M>, handle: Ptr) -> Result<usize, Fail> {
    h.with_runtime(|h| {
        let events = &h.m.cuda.get().events;
        let message = match events.handles.get(&handle) {
            Some(&n) => match events.all[n].destroyed {
                None => return Ok(n),
                Some(by) => format!("an event is used after `{by}`"),
            },
            None => "this value is not an event".to_owned(),
        };
        Err(h.bad_argument(CudaError::INVALID_RESOURCE_HANDLE, message))
    })
}

fn make(h: &mut RuntimeCall<'_, '_>, out: Ptr, flags: u32) -> Api {
    let interprocess = flags & cudaEventInterprocess != 0;
    // What other processes see has no times.
    if out.is_null() || flags & !ALL_FLAGS != 0 || interprocess && flags & cudaEventDisableTiming == 0 {
        return Err(CudaError::INVALID_VALUE.into());
    }
    let handle = runtime_object(h.m, "event", &[0; 8], 8)?;
    let timing = flags & cudaEventDisableTiming == 0;
    let clock = Clock::default();
    let event = Event { last: None, time: None, clock, timing, interprocess, destroyed: None, handle };
    h.m.cuda.get_mut().events.add(handle, event);
    h.give(out, handle.0, 8)
}

pub(crate) fn create(h: &mut RuntimeCall<'_, '_>, a: &Args<'_>) -> Api {
    make(h, a.ptr(0), 0)
}

pub(crate) fn create_with_flags(h: &mut RuntimeCall<'_, '_>, a: &Args<'_>) -> Api {
    make(h, a.ptr(0), a.u32(1))
}

pub(crate) fn destroy(h: &mut RuntimeCall<'_, '_>, a: &Args<'_>) -> Api {
    let n = find(h, a.ptr(0))?;
    h.m.cuda.get_mut().events.all[n].destroyed = Some("cudaEventDestroy");
    Ok(())
}

/// Marks an event behind what a stream holds.
///
/// # Errors
/// What running an older operation meets, when the queue is full.
pub(crate) fn mark(m: &mut Machine, n: usize, stream: usize, who: ByteAccess) -> Result<OpId, Stop> {
    let op = queue::push(m, stream, Work::Record(n), None, who)?;
    let clock = m.mem.streams.clock(stream);
    let event = &mut m.cuda.get_mut().events.all[n];
    event.last = Some(op);
    event.time = None;
    event.clock = clock;
    Ok(op)
}

pub(crate) fn record(h: &mut Host<'_>, a: &Args<'_>) -> Api {
    record_as(h, a, false)
}

/// An `external` record in a capture is a node of its graph.
fn record_as(h: &mut Host<'_>, a: &Args<'_>, external: bool) -> Api {
    let n = find(h, a.ptr(0))?;
    let stream = stream::find(h, a.ptr(1))?;
    if graph::record_event(h, n, stream, external)? {
        return Ok(());
    }
    if external {
        return Err(CudaError::ILLEGAL_STATE.into());
    }
    let who = h.access();
    mark(h.m, n, stream, who)?;
    Ok(())
}

/// `cudaEventRecordWithFlags(event, stream, flags)`: `cudaEventRecordDefault` or `cudaEventRecordExternal`.
pub(crate) fn record_with_flags(h: &mut Host<'_>, a: &Args<'_>) -> Api {
    if a.u32(2) > 1 { Err(CudaError::INVALID_VALUE.into()) } else { record_as(h, a, a.u32(2) == 1) }
}

/// As a stream's query, this lets the queue move. An event that was never recorded is complete.
pub(crate) fn query(h: &mut Host<'_>, a: &Args<'_>) -> Api {
    let n = find(h, a.ptr(0))?;
    h.with_runtime(|h| refuse_captured(h, n))?;
    match h.m.cuda.get().events.all[n].last.filter(|&op| h.m.cuda.get().queue.is_pending(op)) {
        None => {
            h.with_runtime(|h| waited(h, n));
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

/// The host cannot wait for what a capture has recorded.
fn refuse_captured(h: &mut RuntimeCall<'_, '_>, n: usize) -> Api {
    if graph::is_captured(h.m, n) {
        let message =
            "this event was recorded in a capture, so the host cannot wait for it or query it".to_owned();
        return Err(h.bad_argument(CudaError::CAPTURED_EVENT, message));
    }
    Ok(())
}

pub(crate) fn synchronize(h: &mut Host<'_>, a: &Args<'_>) -> Api {
    let n = find(h, a.ptr(0))?;
    h.with_runtime(|h| refuse_captured(h, n))?;
    let op = h.m.cuda.get().events.all[n].last;
    let result = queue::synchronize_op(h.m, op);
    h.with_runtime(|h| waited(h, n));
    result
}

/// The host has waited for an event.
fn waited(h: &mut RuntimeCall<'_, '_>, n: usize) {
    let clock = h.m.cuda.get().events.all[n].clock.clone();
    queue::waited(h.m, &clock);
}

/// Milliseconds between two events.
pub(crate) fn elapsed(h: &mut RuntimeCall<'_, '_>, a: &Args<'_>) -> Api {
    let (first, second) = (find(h, a.ptr(1))?, find(h, a.ptr(2))?);
    if a.ptr(0).is_null() {
        return Err(CudaError::INVALID_VALUE.into());
    }
    let events = [first, second];
    let [first, second] = events.map(|n| &h.m.cuda.get().events.all[n]);
    if !first.timing || !second.timing || first.last.is_none() || second.last.is_none() {
        return Err(CudaError::INVALID_RESOURCE_HANDLE.into());
    }
    let (Some(from), Some(to)) = (first.time, second.time) else { return Err(CudaError::NOT_READY.into()) };
    // Both have ended, and the host knows.
    for n in events {
        waited(h, n);
    }
    let ms = (to as f64 - from as f64) / 1e6;
    h.give(a.ptr(0), u64::from((ms as f32).to_bits()), 4)
}
