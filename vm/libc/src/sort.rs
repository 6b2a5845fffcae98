//! `qsort` and the searches: the comparison function is the program's.

use cudair_engine::guest::{Guest, Host};
use cudair_engine::{Args, Machine, Ret};
use cudair_ir::Space;
use cudair_lane::fault::{AllocKind, Stop};
use cudair_lane::ptr::Ptr;
use cudair_memory::{AllocInfo, InitState};

/// The comparison.
#[derive(Clone, Copy)]
struct Compare {
    func: Ptr,
    /// `qsort_r`'s third argument.
    context: Option<u64>,
}

impl Compare {
    fn call(self, m: &mut Machine, a: &Args<'_>, x: Ptr, y: Ptr) -> Result<i32, Stop> {
        let mut args = vec![u128::from(x.0), u128::from(y.0)];
        args.extend(self.context.map(u128::from));
        Ok(m.call_guest(self.func, &args, a.place)?.bits() as i32)
    }
}

/// `qsort`
pub(crate) fn qsort(m: &mut Machine, a: &Args<'_>) -> Result<Ret, Stop> {
    sort(m, a, Compare { func: a.ptr(3), context: None })
}

/// `qsort_r`
pub(crate) fn qsort_r(m: &mut Machine, a: &Args<'_>) -> Result<Ret, Stop> {
    sort(m, a, Compare { func: a.ptr(3), context: Some(a.u64(4)) })
}

fn sort(m: &mut Machine, a: &Args<'_>, compare: Compare) -> Result<Ret, Stop> {
    let (base, count, size) = (a.ptr(0), a.u64(1), a.u64(2));
    let total = count.saturating_mul(size);
    if count > 1 && size > 0 {
        Host::new(m, a, "qsort").check(base, total, true)?;
        let info = AllocInfo { kind: AllocKind::Runtime, name: Some("qsort".into()), place: a.place };
        let scratch = m.mem.alloc(Space::Host, total, 16, InitState::Uninit, info)?;
        let result = merge_sort(m, a, compare, base, count, size, scratch);
        m.mem.drop_object(scratch);
        result?;
    }
    Ok(Ret::Void)
}

/// A merge sort in glibc's order of comparisons: the halves, then the merge into the scratch memory, whose
/// used part is copied back.
fn merge_sort(
    m: &mut Machine,
    a: &Args<'_>,
    compare: Compare,
    base: Ptr,
    count: u64,
    size: u64,
    scratch: Ptr,
) -> Result<(), Stop> {
    if count <= 1 {
        return Ok(());
    }
    let (mut left, mut right) = (count / 2, count - count / 2);
    let (mut p, mut q) = (base, base.add((left * size) as i64));
    merge_sort(m, a, compare, p, left, size, scratch)?;
    merge_sort(m, a, compare, q, right, size, scratch)?;
    let step = size as i64;
    let mut out = scratch;
    while left > 0 && right > 0 {
        let take_left = compare.call(m, a, p, q)? <= 0;
        let source = if take_left { p } else { q };
        if take_left {
            left -= 1;
            p = p.add(step);
        } else {
            right -= 1;
            q = q.add(step);
        }
        Host::new(m, a, "qsort").copy(out, source, size)?;
        out = out.add(step);
    }
    let h = &mut Host::new(m, a, "qsort");
    h.copy(out, p, left * size)?;
    h.copy(base, scratch, (count - right) * size)
}

/// `bsearch`
pub(crate) fn bsearch(m: &mut Machine, a: &Args<'_>) -> Result<Ret, Stop> {
    let (key, base, size) = (a.ptr(0), a.ptr(1), a.u64(3));
    let compare = Compare { func: a.ptr(4), context: None };
    let (mut low, mut high) = (0, a.u64(2));
    while low < high {
        let middle = low + (high - low) / 2;
        let p = base.add((middle * size) as i64);
        match compare.call(m, a, key, p)? {
            0 => return Ok(p.into()),
            ..0 => high = middle,
            _ => low = middle + 1,
        }
    }
    Ok(Ptr::NULL.into())
}

/// `lfind`
pub(crate) fn lfind(m: &mut Machine, a: &Args<'_>) -> Result<Ret, Stop> {
    let (key, base, size) = (a.ptr(0), a.ptr(1), a.u64(3));
    let count = Host::new(m, a, "lfind").word(a.ptr(2), 8)?;
    let compare = Compare { func: a.ptr(4), context: None };
    for i in 0..count {
        let p = base.add((i * size) as i64);
        if compare.call(m, a, key, p)? == 0 {
            return Ok(p.into());
        }
    }
    Ok(Ptr::NULL.into())
}
