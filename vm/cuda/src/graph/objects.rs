//! User objects: things of the program that graphs keep alive. Whoever gives up the last reference calls their
//! destructor.

use super::{Graphs, find};
use crate::call::Call;
use crate::constants::{cudaGraphUserObjectMove, cudaUserObjectNoDestructorSync};
use crate::{Api, CudaError, Fail, Kept, RuntimeCall, queue};
use cudair_engine::guest::{Host, runtime_object};
use cudair_engine::{Args, Machine};
use cudair_lane::fault::Place;
use cudair_lane::ptr::Ptr;

/// An object.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Object {
    what: Ptr,
    destructor: Ptr,
    /// References of the program and of graphs.
    references: u32,
    place: Place,
}

fn object(h: &mut RuntimeCall<'_, '_>, handle: Ptr) -> Result<usize, Fail> {
    match h.m.cuda.get().graphs.object_handles.get(&handle) {
        Some(&n) if h.m.cuda.get().graphs.objects[n].references > 0 => Ok(n),
        _ => {
            let message = "this value is not a user object, or the object was destroyed".to_owned();
            Err(h.bad_argument(CudaError::INVALID_VALUE, message))
        }
    }
}

/// `cudaUserObjectCreate(object, what, destructor, references, flags)`
pub(crate) fn create(h: &mut RuntimeCall<'_, '_>, a: &Args<'_>) -> Api {
    let references = a.u32(3);
    if a.ptr(0).is_null()
        || a.ptr(2).is_null()
        || a.u32(4) != cudaUserObjectNoDestructorSync
        || references == 0
        || references > i32::MAX as u32
    {
        return Err(CudaError::INVALID_VALUE.into());
    }
    let handle = runtime_object(h.m, "user object", &[0; 8], 8)?;
    let graphs = &mut h.m.cuda.get_mut().graphs;
    graphs.object_handles.insert(handle, graphs.objects.len());
    graphs.objects.push(Object { what: a.ptr(1), destructor: a.ptr(2), references, place: a.place });
    h.give(a.ptr(0), handle.0, 8)
}

/// A count of references, which must be positive.
fn count(word: u32) -> Result<u32, Fail> {
    if (1..=i32::MAX as u32).contains(&word) { Ok(word) } else { Err(CudaError::INVALID_VALUE.into()) }
}

/// `cudaUserObjectRetain(object, count)`
pub(crate) fn retain(h: &mut RuntimeCall<'_, '_>, a: &Args<'_>) -> Api {
    let n = object(h, a.ptr(0))?;
    let more = count(a.u32(1))?;
    h.m.cuda.get_mut().graphs.retain(&[(n, more)]);
    Ok(())
}

/// `cudaUserObjectRelease(object, count)`
pub(crate) fn release(h: &mut Host<'_>, a: &Args<'_>) -> Api {
    let n = h.with_runtime(|h| object(h, a.ptr(0)))?;
    let fewer = count(a.u32(1))?;
    if fewer > h.m.cuda.get().graphs.objects[n].references {
        let message = "more references to a user object are released than exist".to_owned();
        return Err(h.bad_argument(CudaError::INVALID_VALUE, message));
    }
    released(h.m, &[(n, fewer)])
}

/// `cudaGraphRetainUserObject(graph, object, count, flags)`
pub(crate) fn retain_for_graph(h: &mut RuntimeCall<'_, '_>, a: &Args<'_>) -> Api {
    let graph = find(h, a.ptr(0))?;
    let n = object(h, a.ptr(1))?;
    let more = count(a.u32(2))?;
    if a.u32(3) > cudaGraphUserObjectMove {
        return Err(CudaError::INVALID_VALUE.into());
    }
    if a.u32(3) != cudaGraphUserObjectMove {
        h.m.cuda.get_mut().graphs.retain(&[(n, more)]);
    } else if more > h.m.cuda.get().graphs.objects[n].references {
        return Err(CudaError::INVALID_VALUE.into());
    }
    let held = &mut h.m.cuda.get_mut().graphs.all[graph].objects;
    match held.iter_mut().find(|(of, _)| *of == n) {
        Some((_, count)) => *count += more,
        None => held.push((n, more)),
    }
    Ok(())
}

/// `cudaGraphReleaseUserObject(graph, object, count)`
pub(crate) fn release_of_graph(h: &mut Host<'_>, a: &Args<'_>) -> Api {
    let graph = find(h, a.ptr(0))?;
    let n = h.with_runtime(|h| object(h, a.ptr(1)))?;
    let fewer = count(a.u32(2))?;
    let held = &mut h.m.cuda.get_mut().graphs.all[graph].objects;
    match held.iter_mut().find(|(of, count)| *of == n && *count >= fewer) {
        Some((_, count)) => *count -= fewer,
        None => return Err(CudaError::INVALID_VALUE.into()),
    }
    held.retain(|(_, count)| *count > 0);
    released(h.m, &[(n, fewer)])
}

impl Graphs {
    /// References are taken.
    pub(super) fn retain(&mut self, objects: &[(usize, u32)]) {
        for &(n, count) in objects {
            let references = &mut self.objects[n].references;
            *references = references.saturating_add(count);
        }
    }
}

/// References are given up, and what nobody refers to is destroyed.
pub(super) fn released(m: &mut Machine, objects: &[(usize, u32)]) -> Api {
    for &(n, count) in objects {
        let object = &mut m.cuda.get_mut().graphs.objects[n];
        object.references = object.references.saturating_sub(count);
        if object.references == 0 {
            let Object { what, destructor, place, .. } = *object;
            queue::call_back(m, destructor, &[what.0.into()], place)?;
        }
    }
    Ok(())
}
