//! Managed memory: advice and prefetching, which change nothing that a program computes, and what the runtime
//! then says of a range.

use super::device::known;
use super::memory::{Side, side};
use super::{Api, CudaError, Fail, stream};
use crate::call::Call;
use crate::constants::{cudaCpuDeviceId as CPU, cudaInvalidDeviceId as NOWHERE, *};
use crate::layout::{Fields, Value, cudaMemLocation, element};
use crate::{Kept, RuntimeCall};
use cudair_engine::Args;
use cudair_lane::ptr::Ptr;
use std::ops::Range;

/// What advice holds for.
const PAGE: u64 = 4096;

/// What a program asked for a page.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Page {
    read_mostly: bool,
    preferred: i32,
    by_cpu: bool,
    by_device: bool,
    prefetched: i32,
}

const UNTOUCHED: Page =
    Page { read_mostly: false, preferred: NOWHERE, by_cpu: false, by_device: false, prefetched: NOWHERE };

/// The start of the allocation that a range lies in, how many pages that has, and which of them the range touches.
fn pages(h: &mut RuntimeCall<'_, '_>, ptr: Ptr, count: u64) -> Result<(Ptr, usize, Range<usize>), Fail> {
    if count == 0 {
        return Err(CudaError::INVALID_VALUE.into());
    }
    h.check_range(ptr, count, false)?;
    let (Side::Managed, Some((start, size, ..))) = (side(h, ptr), h.m.mem.lookup(ptr)) else {
        return Err(CudaError::INVALID_VALUE.into());
    };
    let from = ptr.offset().abs_diff(start.offset());
    let range = (from / PAGE) as usize..(from + count).div_ceil(PAGE) as usize;
    Ok((start, size.div_ceil(PAGE) as usize, range))
}

fn change(h: &mut RuntimeCall<'_, '_>, ptr: Ptr, count: u64, f: impl Fn(&mut Page)) -> Api {
    let (start, total, range) = pages(h, ptr, count)?;
    let all = h.m.cuda.get_mut().memory.managed.entry(start).or_insert_with(|| vec![UNTOUCHED; total]);
    all[range].iter_mut().for_each(f);
    Ok(())
}

/// A place to put pages or to access them from: the host, or a device that can fault pages in.
fn place(h: &RuntimeCall<'_, '_>, id: i32) -> Api {
    if id == CPU {
        return Ok(());
    }
    known(id)?;
    if h.m.config.device.pascal() { Ok(()) } else { Err(CudaError::INVALID_DEVICE.into()) }
}

/// A `cudaMemLocation` as a device's number.
fn location(h: &mut RuntimeCall<'_, '_>, at: Ptr) -> Result<i32, Fail> {
    // The number counts for a device only, and may be left out otherwise.
    match h.field(at, cudaMemLocation::kind)? {
        cudaMemLocationTypeDevice => h.field(at, cudaMemLocation::id),
        cudaMemLocationTypeHost..=cudaMemLocationTypeHostNumaCurrent => Ok(CPU),
        _ => Err(CudaError::INVALID_VALUE.into()),
    }
}

fn prefetch_to(h: &mut RuntimeCall<'_, '_>, a: &Args<'_>, to: i32, queue: Ptr) -> Api {
    place(h, to)?;
    stream::find(h, queue)?;
    change(h, a.ptr(0), a.u64(1), |page| page.prefetched = to)
}

/// `cudaMemPrefetchAsync(ptr, count, device, stream)`
pub(crate) fn prefetch(h: &mut RuntimeCall<'_, '_>, a: &Args<'_>) -> Api {
    prefetch_to(h, a, a.i32(2), a.ptr(3))
}

/// `cudaMemPrefetchAsync_v2(ptr, count, location, flags, stream)`
pub(crate) fn prefetch_location(h: &mut RuntimeCall<'_, '_>, a: &Args<'_>) -> Api {
    if a.u32(3) != 0 {
        return Err(CudaError::INVALID_VALUE.into());
    }
    let to = location(h, a.ptr(2))?;
    prefetch_to(h, a, to, a.ptr(4))
}

/// Whether advice names a place.
fn has_place(advice: u32) -> bool {
    matches!(
        advice,
        cudaMemAdviseSetPreferredLocation | cudaMemAdviseSetAccessedBy | cudaMemAdviseUnsetAccessedBy
    )
}

fn advise_for(h: &mut RuntimeCall<'_, '_>, a: &Args<'_>, id: i32) -> Api {
    let (ptr, count) = (a.ptr(0), a.u64(1));
    let advice = a.u32(2);
    if has_place(advice) {
        place(h, id)?;
    }
    match advice {
        cudaMemAdviseSetReadMostly => change(h, ptr, count, |page| page.read_mostly = true),
        cudaMemAdviseUnsetReadMostly => change(h, ptr, count, |page| page.read_mostly = false),
        cudaMemAdviseSetPreferredLocation => change(h, ptr, count, |page| page.preferred = id),
        cudaMemAdviseUnsetPreferredLocation => change(h, ptr, count, |page| page.preferred = NOWHERE),
        cudaMemAdviseSetAccessedBy | cudaMemAdviseUnsetAccessedBy => {
            let set = advice == cudaMemAdviseSetAccessedBy;
            change(h, ptr, count, |page| if id == CPU { page.by_cpu = set } else { page.by_device = set })
        }
        _ => Err(CudaError::INVALID_VALUE.into()),
    }
}

/// `cudaMemAdvise(ptr, count, advice, device)`
pub(crate) fn advise(h: &mut RuntimeCall<'_, '_>, a: &Args<'_>) -> Api {
    advise_for(h, a, a.i32(3))
}

/// `cudaMemAdvise_v2(ptr, count, advice, location)`
pub(crate) fn advise_location(h: &mut RuntimeCall<'_, '_>, a: &Args<'_>) -> Api {
    // Where no place is asked for, what the location says does not count.
    let id = if has_place(a.u32(2)) { location(h, a.ptr(3))? } else { CPU };
    advise_for(h, a, id)
}

/// One attribute of a range, written to `data`: what all its pages have, or "nowhere".
fn attribute_of(
    h: &mut RuntimeCall<'_, '_>,
    data: Ptr,
    size: u64,
    attribute: u32,
    ptr: Ptr,
    count: u64,
) -> Api {
    let (start, total, range) = pages(h, ptr, count)?;
    let pages: Vec<Page> = match h.m.cuda.get().memory.managed.get(&start) {
        Some(all) => all[range].to_vec(),
        None => vec![UNTOUCHED; range.len().min(total)],
    };
    let all = |f: fn(&Page) -> bool| pages.iter().all(f);
    let same = |f: fn(&Page) -> i32| {
        let first = pages.first().map_or(NOWHERE, f);
        if pages.iter().all(|p| f(p) == first) { first } else { NOWHERE }
    };
    let kind = |id: i32| match id {
        NOWHERE => cudaMemLocationTypeInvalid as i32,
        CPU => cudaMemLocationTypeHost as i32,
        _ => cudaMemLocationTypeDevice as i32,
    };
    let one = match attribute {
        cudaMemRangeAttributeReadMostly => i32::from(all(|p| p.read_mostly)),
        cudaMemRangeAttributePreferredLocation | cudaMemRangeAttributePreferredLocationId => {
            same(|p| p.preferred)
        }
        cudaMemRangeAttributeAccessedBy => {
            if size == 0 || !size.is_multiple_of(4) {
                return Err(CudaError::INVALID_VALUE.into());
            }
            let mut ids = Vec::new();
            if all(|p| p.by_device) {
                ids.push(0);
            }
            if all(|p| p.by_cpu) {
                ids.push(CPU);
            }
            for n in 0..size / 4 {
                let id = ids.get(n as usize).copied().unwrap_or(NOWHERE);
                h.put_value(element::<i32>(data, n), id)?;
            }
            return Ok(());
        }
        cudaMemRangeAttributeLastPrefetchLocation | cudaMemRangeAttributeLastPrefetchLocationId => {
            same(|p| p.prefetched)
        }
        cudaMemRangeAttributePreferredLocationType => kind(same(|p| p.preferred)),
        cudaMemRangeAttributeLastPrefetchLocationType => kind(same(|p| p.prefetched)),
        _ => return Err(CudaError::INVALID_VALUE.into()),
    };
    if size != 4 {
        return Err(CudaError::INVALID_VALUE.into());
    }
    h.put_value(data, one)
}

/// `cudaMemRangeGetAttribute(data, size, attribute, ptr, count)`
pub(crate) fn attribute(h: &mut RuntimeCall<'_, '_>, a: &Args<'_>) -> Api {
    attribute_of(h, a.ptr(0), a.u64(1), a.u32(2), a.ptr(3), a.u64(4))
}

/// The elements of a list of the program's.
fn list<T: Value>(h: &mut impl Call, at: Ptr, many: u64) -> Result<Vec<T>, Fail> {
    Ok(h.structure(at, T::SIZE as u64 * many)?.chunks_exact(T::SIZE).map(T::of_bytes).collect())
}

/// `cudaMemRangeGetAttributes(data[], sizes[], attributes[], how many, ptr, count)`
pub(crate) fn attributes(h: &mut RuntimeCall<'_, '_>, a: &Args<'_>) -> Api {
    let many = a.u64(3);
    // There are eight.
    if many == 0 || many > 64 {
        return Err(CudaError::INVALID_VALUE.into());
    }
    let data = list::<Ptr>(h, a.ptr(0), many)?;
    let sizes = list::<u64>(h, a.ptr(1), many)?;
    let kinds = list::<u32>(h, a.ptr(2), many)?;
    for ((data, size), kind) in data.into_iter().zip(sizes).zip(kinds) {
        attribute_of(h, data, size, kind, a.ptr(4), a.u64(5))?;
    }
    Ok(())
}

/// `cudaStreamAttachMemAsync(stream, ptr, length, flags)`: the length is 0 or the allocation's.
pub(crate) fn attach(h: &mut RuntimeCall<'_, '_>, a: &Args<'_>) -> Api {
    stream::find(h, a.ptr(0))?;
    let (Side::Managed, Some((start, size, ..))) = (side(h, a.ptr(1)), h.m.mem.lookup(a.ptr(1))) else {
        return Err(CudaError::INVALID_VALUE.into());
    };
    let whole = a.ptr(1) == start && (a.u64(2) == 0 || a.u64(2) == size);
    let known = matches!(a.u32(3), cudaMemAttachGlobal | cudaMemAttachHost | cudaMemAttachSingle);
    if whole && known { Ok(()) } else { Err(CudaError::INVALID_VALUE.into()) }
}
