//! Batches of copies: one call, behind what its stream holds, and in no order among themselves.

use super::memory::{self, Timing};
use super::queue::Extent;
use super::{Api, CudaError, Fail, array, stream};
use crate::call::Call;
use crate::constants::*;
use crate::layout::{
    Fields, Structure, cudaExtent, cudaMemcpy3DBatchOp, cudaMemcpy3DOperand, cudaMemcpyAttributes, element,
};
use cudair_engine::Args;
use cudair_engine::guest::{Guest, Host};
use cudair_ir::Kind;
use cudair_lane::ptr::Ptr;

/// More copies than this no program makes in a batch.
const MAX_COPIES: u64 = 1 << 20;
/// The orders in which a copy may read its source.
const ORDERS: std::ops::RangeInclusive<u32> = cudaMemcpySrcAccessOrderStream..=cudaMemcpySrcAccessOrderAny;

/// What a copy of a batch touches.
struct Touched {
    ptr: Ptr,
    len: u64,
    writes: bool,
    copy: u64,
}

/// Says in `failed` that no copy is at fault so far.
fn none_failed(h: &mut Host<'_>, failed: Ptr) -> Api {
    if !failed.is_null() {
        h.put(failed, u64::MAX, 8)?;
    }
    Ok(())
}

/// Says in `failed` which copy an error is about, if any is.
fn told(h: &mut Host<'_>, failed: Ptr, copy: u64, result: Api) -> Api {
    if result.is_err() && !failed.is_null() {
        h.put(failed, copy, 8)?;
    }
    result
}

/// Copies that hang on each other: nothing orders them.
fn note_dependent(h: &mut Host<'_>, mut all: Vec<Touched>) {
    all.sort_by_key(|t| (t.ptr.object_start().0, t.ptr.offset(), t.copy));
    // The access that reaches furthest so far, and the write that does.
    let mut furthest: [Option<(Ptr, i64, u64)>; 2] = [None; 2];
    for t in &all {
        let (object, from) = (t.ptr.object_start(), t.ptr.offset());
        let end = from.saturating_add(i64::try_from(t.len).unwrap_or(i64::MAX));
        // A write meets whatever is there, a read only writes.
        let before = furthest[usize::from(!t.writes)];
        if let Some((of, until, copy)) = before
            && (of, copy) != (object, t.copy)
            && of == object
            && until > from
        {
            let (a, b) = (copy.min(t.copy), copy.max(t.copy));
            let message = format!(
                "copies {a} and {b} of a batch touch the same bytes, and one of them writes: nothing orders them"
            );
            let fault = h.fault(Kind::UndefinedBehavior, message);
            h.note(fault);
            return;
        }
        for (i, slot) in furthest.iter_mut().enumerate() {
            let counts = i == 0 || t.writes;
            if counts && slot.is_none_or(|(of, until, _)| of != object || until < end) {
                *slot = Some((object, end, t.copy));
            }
        }
    }
}

/// The stream of a batch, which is not the default one.
fn stream_of(h: &mut Host<'_>, handle: Ptr, failed: Ptr) -> Result<usize, Fail> {
    match stream::find(h, handle)? {
        0 => {
            let message = "a batch of copies on the legacy default stream".to_owned();
            let error = h.bad_argument(CudaError::INVALID_VALUE, message);
            told(h, failed, u64::MAX, Err(error)).map(|()| 0)
        }
        n => Ok(n),
    }
}

fn invalid(h: &mut Host<'_>, failed: Ptr, copy: u64) -> Api {
    told(h, failed, copy, Err(CudaError::INVALID_VALUE.into()))
}

/// `cudaMemcpyBatchAsync(dsts, srcs, sizes, count, attrs, attrsIdxs, numAttrs, failIdx, stream)`
pub(crate) fn copies(h: &mut Host<'_>, a: &Args<'_>) -> Api {
    let (dsts, srcs, sizes, count) = (a.ptr(0), a.ptr(1), a.ptr(2), a.u64(3));
    let (attributes, starts, sets, failed) = (a.ptr(4), a.ptr(5), a.u64(6), a.ptr(7));
    let stream = stream_of(h, a.ptr(8), failed)?;
    none_failed(h, failed)?;
    let null = [dsts, srcs, sizes, attributes, starts].iter().any(|p| p.is_null());
    if null || count == 0 || count > MAX_COPIES || sets == 0 || sets > count {
        return invalid(h, failed, u64::MAX);
    }
    let mut next = 0;
    for i in 0..sets {
        let start: u64 = h.load(element::<u64>(starts, i))?;
        if start >= count || (i == 0) != (start == 0) || i > 0 && start < next {
            return invalid(h, failed, u64::MAX);
        }
        next = start + 1;
        // Hints of places may be left out.
        let at = element::<cudaMemcpyAttributes>(attributes, i);
        let order = h.field(at, cudaMemcpyAttributes::srcAccessOrder)?;
        let flags = h.field(at, cudaMemcpyAttributes::flags)?;
        if !ORDERS.contains(&order) || flags > cudaMemcpyFlagPreferOverlapWithCompute {
            return invalid(h, failed, u64::MAX);
        }
    }
    let mut touched = Vec::new();
    let mut all = Vec::new();
    for copy in 0..count {
        let to: Ptr = h.load(element::<Ptr>(dsts, copy))?;
        let from: Ptr = h.load(element::<Ptr>(srcs, copy))?;
        let len: u64 = h.load(element::<u64>(sizes, copy))?;
        let good = h.check_range(to, len, true).and_then(|()| h.check_range(from, len, false));
        told(h, failed, copy, good)?;
        touched.push(Touched { ptr: to, len, writes: true, copy });
        touched.push(Touched { ptr: from, len, writes: false, copy });
        all.push((to, from, len));
    }
    touched.retain(|t| t.len > 0);
    note_dependent(h, touched);
    for (copy, (to, from, len)) in all.into_iter().enumerate() {
        let result = memory::transfer(
            h,
            (to, 0, 0),
            (from, 0, 0),
            Extent::linear(len),
            cudaMemcpyDefault,
            Timing::Async(stream),
        );
        told(h, failed, copy as u64, result)?;
    }
    Ok(())
}

/// `cudaMemcpy3DBatchAsync(numOps, opList, failIdx, flags, stream)`
pub(crate) fn volumes(h: &mut Host<'_>, a: &Args<'_>) -> Api {
    let (count, list, failed) = (a.u64(0), a.ptr(1), a.ptr(2));
    let stream = stream_of(h, a.ptr(4), failed)?;
    none_failed(h, failed)?;
    if count == 0 || count > MAX_COPIES || list.is_null() || a.u64(3) != 0 {
        return invalid(h, failed, u64::MAX);
    }
    for copy in 0..count {
        let result = volume(h, element::<cudaMemcpy3DBatchOp>(list, copy), stream);
        told(h, failed, copy, result)?;
    }
    Ok(())
}

/// A `cudaMemcpy3DBatchOp`: source, destination, extent, order, flags.
fn volume(h: &mut Host<'_>, op: Ptr, stream: usize) -> Api {
    use cudaMemcpy3DBatchOp as Op;
    use cudaMemcpy3DOperand as Operand;
    let mut told: Structure<Op> = Structure::zeroed();
    // Hints of places and what fills up may be left out.
    for of in [Op::src, Op::dst] {
        let kind = h.field(op, of.then(Operand::kind))?;
        told.set(of.then(Operand::kind), kind);
        if kind == cudaMemcpyOperandTypeArray {
            told.read_more(h, op, (of.then(Operand::array), of.then(Operand::offset)))?;
        } else {
            told.read_more(h, op, (of.then(Operand::ptr), of.then(Operand::layerHeight)))?;
        }
    }
    told.read_more(h, op, (Op::extent, Op::flags))?;
    let size = told.get(Op::extent.then(cudaExtent::all));
    let (order, flags) = (told.get(Op::srcAccessOrder), told.get(Op::flags));
    if size.contains(&0) || !ORDERS.contains(&order) || flags > cudaMemcpyFlagPreferOverlapWithCompute {
        return Err(CudaError::INVALID_VALUE.into());
    }
    array::operands(h, [told.part(Op::src), told.part(Op::dst)], size, Timing::Async(stream))
}
