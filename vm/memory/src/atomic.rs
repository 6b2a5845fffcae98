//! Atomic operations of lanes: one lane after the other, in lane order.

use super::access::{Fast, Objects, Scratch, keep, race, race_global};
use super::check::AccessRequest;
use super::lanes::{Access, Addrs, ByteAccess, LaneCx, Reach};
use super::local::put_wide;
use super::raw::{Obj, Right};
use super::{Atomic, Memory};
use cudair_ir::eval::{self, gpu_nan};
use cudair_ir::{AtomicOp, BinaryOp, MemOrder, Scope, Side, Type};
use cudair_lane::fault::{AccessOp, LaneFaults, Place, Stop};
use cudair_lane::pattern::AddressPattern;
use cudair_lane::{How, Mask, MemSide, Values};

/// What an atomic stores where it found `old`; `None` where it stores nothing.
fn combine(atomic: &Atomic, lane: usize, width: u8, old: u128) -> Option<u128> {
    match atomic {
        Atomic::Load => None,
        Atomic::Store(values) => Some(values.lane(lane, width)),
        Atomic::Cas { expected, new } => {
            let mask = if width >= 16 { u128::MAX } else { (1 << (8 * u32::from(width))) - 1 };
            (expected.lane(lane, width) & mask == old).then(|| new.lane(lane, width))
        }
        Atomic::Rmw { op, values, bf16, .. } => Some(rmw(*op, width, *bf16, old, values.lane(lane, width))),
    }
}

/// Whether what is done, or its result, depends on the old value: an exchange whose result nobody wants is a store.
fn reads(atomic: &Atomic) -> bool {
    match *atomic {
        Atomic::Store(_) => false,
        Atomic::Rmw { op: AtomicOp::Xchg, wanted, .. } => wanted,
        Atomic::Load | Atomic::Cas { .. } | Atomic::Rmw { .. } => true,
    }
}

/// The new value of a read-modify-write, as the evaluator computes it.
pub fn rmw(op: AtomicOp, width: u8, is_bf16: bool, old: u128, value: u128) -> u128 {
    let int = match width {
        1 => Type::I8,
        2 => Type::I16,
        4 => Type::I32,
        8 => Type::I64,
        _ => Type::I128,
    };
    let float = match width {
        8 => Type::F64,
        2 if is_bf16 => Type::BF16,
        2 => Type::F16,
        _ => Type::F32,
    };
    let (old, value) = (old & int.bit_mask(), value & int.bit_mask());
    let (op, ty) = match op {
        AtomicOp::Add => (BinaryOp::Iadd, int),
        AtomicOp::Sub => (BinaryOp::Isub, int),
        AtomicOp::And => (BinaryOp::And, int),
        AtomicOp::Or => (BinaryOp::Or, int),
        AtomicOp::Xor => (BinaryOp::Xor, int),
        AtomicOp::Smin => (BinaryOp::Smin, int),
        AtomicOp::Smax => (BinaryOp::Smax, int),
        AtomicOp::Umin => (BinaryOp::Umin, int),
        AtomicOp::Umax => (BinaryOp::Umax, int),
        AtomicOp::Fadd => (BinaryOp::Fadd, float),
        AtomicOp::Fmin => (BinaryOp::Fmin, float),
        AtomicOp::Fmax => (BinaryOp::Fmax, float),
        AtomicOp::Xchg => return value,
        AtomicOp::Inc => return if old >= value { 0 } else { old + 1 },
        AtomicOp::Dec => return if old == 0 || old > value { value } else { old - 1 },
    };
    // Without `nsw` none of these is undefined, and none depends on the side.
    let (bits, _) = eval::binary(op, false, ty, old, value, Side::Device);
    if ty == Type::F32 { gpu_nan(bits as u32).into() } else { bits }
}

/// An atomic by all lanes at offsets that were allowed.
struct Each<'a> {
    obj: &'a Obj,
    side: MemSide,
    mask: &'a Mask,
    spot: AddressPattern<'a>,
    width: u8,
    reads: bool,
    /// The first byte that a lane touches, and the byte behind the last.
    span: (u64, u64),
}

impl Each<'_> {
    /// Does it. The lanes that read what was never written come back.
    fn run(&self, atomic: &Atomic, out: &mut [u32]) -> Mask {
        use AtomicOp::*;
        if let (Atomic::Cas { expected, new }, 4) = (atomic, self.width)
            && self.obj.is_init(self.span)
        {
            // Where it fails, what was there is written again.
            let swap = |lane, old, new| if old == expected.word(lane) { new } else { old };
            self.obj.update_words(self.mask, self.spot, *new, out, swap);
            return Mask::NONE;
        }
        let Atomic::Rmw { op, values, bf16, .. } = *atomic else {
            return self.lanes(out, |lane, old| {
                combine(atomic, lane, self.width, u128::from(old)).map(|new| new as u64)
            });
        };
        // The common operations each have a loop of their own; the evaluator does the others.
        macro_rules! each {
            (|$old:ident, $v:ident| $new:expr) => {
                self.lanes(out, |lane, $old| {
                    let $v = values.lane(lane, self.width) as u64;
                    Some($new)
                })
            };
        }
        // Words that are all initialised: by the shortest way.
        macro_rules! words {
            (|$old:ident, $v:ident| $new:expr) => {{
                self.obj.update_words(self.mask, self.spot, values, out, |_lane, $old, $v| $new);
                return Mask::NONE;
            }};
        }
        if self.width == 4 && (!self.reads || self.obj.is_init(self.span)) {
            match op {
                Add => words!(|old, v| old.wrapping_add(v)),
                Sub => words!(|old, v| old.wrapping_sub(v)),
                And => words!(|old, v| old & v),
                Or => words!(|old, v| old | v),
                Xor => words!(|old, v| old ^ v),
                Smin => words!(|old, v| (old as i32).min(v as i32) as u32),
                Smax => words!(|old, v| (old as i32).max(v as i32) as u32),
                Umin => words!(|old, v| old.min(v)),
                Umax => words!(|old, v| old.max(v)),
                Fadd => words!(|old, v| gpu_nan((f32::from_bits(old) + f32::from_bits(v)).to_bits())),
                _ => {}
            }
        }
        let f32_of = |bits: u64| f32::from_bits(bits as u32);
        match (op, self.width) {
            (Add, _) => each!(|old, v| old.wrapping_add(v)),
            (Sub, _) => each!(|old, v| old.wrapping_sub(v)),
            (And, _) => each!(|old, v| old & v),
            (Or, _) => each!(|old, v| old | v),
            (Xor, _) => each!(|old, v| old ^ v),
            (Xchg, _) => each!(|_old, v| v),
            (Fadd, 4) => each!(|old, v| u64::from(gpu_nan((f32_of(old) + f32_of(v)).to_bits()))),
            (Fadd, 8) => each!(|old, v| (f64::from_bits(old) + f64::from_bits(v)).to_bits()),
            _ => each!(|old, v| rmw(op, self.width, bf16, u128::from(old), u128::from(v)) as u64),
        }
    }

    #[inline(always)]
    fn lanes(&self, out: &mut [u32], new: impl Fn(usize, u64) -> Option<u64>) -> Mask {
        let mut missing = Mask::NONE;
        let all = (1u32 << self.width) - 1;
        let (read, write) = (Right::new(self.side, false), Right::new(self.side, true));
        let check = self.reads && self.obj.has_bitmap();
        self.spot.for_each(self.mask, self.width.into(), |lane, off| {
            let off = i64::from(off);
            if check && self.obj.init_bits(off, self.width) != all {
                missing.insert(lane);
            }
            let old = self.obj.load(read, off, self.width);
            let old = old.unwrap_or_else(|| unreachable!("an atomic that was allowed leaves its object"));
            if let Some(new) = new(lane, old) {
                self.obj.store(write, off, self.width, new);
            }
            if !out.is_empty() {
                put_wide(out, lane, self.width, u128::from(old));
            }
        });
        missing
    }
}

impl Memory {
    /// Does an atomic operation for each active lane, in lane order; `out` receives the old values (it may
    /// be empty where they are not wanted).
    pub fn atomic_lanes(
        &mut self,
        cx: &mut LaneCx,
        addrs: &Addrs,
        acc: Access,
        atomic: Atomic,
        order: MemOrder,
        scope: Scope,
        out: &mut [u32],
    ) -> Result<(), Stop> {
        if cx.side == MemSide::Device && order != MemOrder::Relaxed {
            self.grid.order(order);
            if let Some(block) = cx.block.as_deref_mut() {
                block.fence();
            }
        }
        if cx.mask.is_empty() {
            return Ok(());
        }
        let op = match atomic {
            Atomic::Load => AccessOp::Read,
            Atomic::Store(_) => AccessOp::Write,
            _ => AccessOp::Atomic,
        };
        let how = How { place: Place::Site(acc.site), op, atomic: Some(scope), volatile: acc.volatile };
        // An atomic is aligned to its size, whatever the type of the pointer says.
        let acc = Access { align_log2: acc.align_log2.max(acc.width.trailing_zeros() as u8), ..acc };
        let mut scratch = self.scratch();
        let done = self.atomic_in(cx, addrs, acc, &atomic, how, out, &mut scratch);
        self.scratch = Some(scratch);
        if done {
            return Ok(());
        }
        self.atomic_slow(cx, addrs, acc, &atomic, how, out)
    }

    /// The fast path: false where it does not go.
    fn atomic_in(
        &mut self,
        cx: &mut LaneCx,
        addrs: &Addrs,
        acc: Access,
        atomic: &Atomic,
        how: How,
        out: &mut [u32],
        scratch: &mut Scratch,
    ) -> bool {
        let op = how.op;
        let objects = Objects { table: &self.table, host: &self.host };
        let Some(Fast { obj, shared, global, at }) =
            objects.fast(&self.grid, cx, addrs, acc, op.writes(), scratch)
        else {
            return false;
        };
        let (spot, size) = (at.spot, obj.size());
        if let (Some(n), true) = (global, op.writes()) {
            keep(&mut self.undo, cx.mask, n, obj, spot, acc.width);
        }
        let reads = reads(atomic);
        let span = (at.low, at.end);
        let missing =
            Each { obj, side: cx.side, mask: cx.mask, spot, width: acc.width, reads, span }.run(atomic, out);
        let mut failed = Mask::NONE;
        if let (Atomic::Cas { expected, .. }, 1..=4, false) = (atomic, acc.width, out.is_empty()) {
            let all = u32::MAX >> (32 - 8 * u32::from(acc.width));
            cx.mask.for_each(|lane| {
                if out[lane] != expected.word(lane) & all {
                    failed.insert(lane);
                }
            });
        } else if let Atomic::Cas { .. } = atomic {
            cx.mask.for_each(|lane| {
                let old = Values::Lanes(out).lane(lane, acc.width);
                if !out.is_empty() && combine(atomic, lane, acc.width, old).is_none() {
                    failed.insert(lane);
                }
            });
        }
        if let Some(n) = global {
            race_global(&mut self.grid, cx, (n, size), how, acc.width, spot, None, Some(&failed));
        }
        if !missing.is_empty() {
            self.note_missing_before(cx, addrs, acc, op, &missing);
        }
        if let Some(n) = shared {
            race(cx, n, how, acc.width, spot, None, Some(&failed));
        }
        true
    }

    #[cold]
    fn atomic_slow(
        &mut self,
        cx: &mut LaneCx,
        addrs: &Addrs,
        acc: Access,
        atomic: &Atomic,
        how: How,
        out: &mut [u32],
    ) -> Result<(), Stop> {
        let mut faults = LaneFaults::default();
        let mut missing = Mask::NONE;
        let all = (1u32 << acc.width) - 1;
        for lane in cx.mask.iter() {
            let ptr = addrs.lane(lane);
            let (len, align) = (u64::from(acc.width), 1 << acc.align_log2);
            match self.check_access(
                cx,
                lane,
                &AccessRequest { ptr, len, align, op: how.op, reach: Reach::Own },
            ) {
                Err(kind) => {
                    let who = ByteAccess { lane, place: Place::Site(acc.site), native: None };
                    faults.add(lane, &kind.clone(), || self.access_fault(cx, kind, who, ptr, how.op, len));
                }
                Ok(at) => {
                    let (old, init) = self.read_at(cx, lane, at, acc.width);
                    if reads(atomic) && init != all {
                        missing.insert(lane);
                    }
                    self.keep_at(cx, at, len);
                    let new = combine(atomic, lane, acc.width, old);
                    let failed = new.is_none() && how.op == AccessOp::Atomic;
                    if let Some(new) = new {
                        self.write_at(cx, lane, at, acc.width, new, all)?;
                    }
                    if !out.is_empty() {
                        put_wide(out, lane, acc.width, old);
                    }
                    self.race_at(cx, lane, at, how, len, None, failed);
                }
            }
        }
        if !missing.is_empty() {
            self.note_missing_before(cx, addrs, acc, how.op, &missing);
        }
        faults.done()
    }

    /// [`Memory::note_missing`] for operations that have written meanwhile: which bytes were missing is not
    /// to be had any more, and all are named.
    #[cold]
    fn note_missing_before(&self, cx: &mut LaneCx, addrs: &Addrs, acc: Access, op: AccessOp, missing: &Mask) {
        let Some(lane) = missing.lowest() else { return };
        let place = Place::Site(acc.site);
        let count = u64::from(missing.count());
        if cx.findings.counted_uninitialised(place, cx.shape.launch, count) {
            return;
        }
        let kind = super::access::uninitialised(0, (1 << acc.width) - 1);
        let who = ByteAccess { lane, place, native: None };
        let mut fault = self.access_fault(cx, kind, who, addrs.lane(lane), op, u64::from(acc.width));
        fault.count = count;
        cx.findings.note(fault);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use half::{bf16, f16};

    #[test]
    fn every_operation() {
        let op = |op, old: i32, v: i32| rmw(op, 4, false, old as u32 as u128, v as u32 as u128) as u32 as i32;
        assert_eq!(op(AtomicOp::Add, i32::MAX, 1), i32::MIN);
        assert_eq!(op(AtomicOp::Sub, 0, 1), -1);
        assert_eq!(op(AtomicOp::Smin, -1, 1), -1);
        assert_eq!(op(AtomicOp::Smax, -1, 1), 1);
        assert_eq!(op(AtomicOp::Umin, -1, 1), 1);
        assert_eq!(op(AtomicOp::Umax, -1, 1), -1);
        assert_eq!(op(AtomicOp::Xchg, 3, 4), 4);
        assert_eq!((op(AtomicOp::And, 6, 3), op(AtomicOp::Or, 6, 3), op(AtomicOp::Xor, 6, 3)), (2, 7, 5));
        assert_eq!((op(AtomicOp::Inc, 3, 4), op(AtomicOp::Inc, 4, 4), op(AtomicOp::Inc, 9, 4)), (4, 0, 0));
        assert_eq!((op(AtomicOp::Dec, 3, 4), op(AtomicOp::Dec, 0, 4), op(AtomicOp::Dec, 9, 4)), (2, 4, 4));
        let f = |op, a: f32, b: f32| {
            f32::from_bits(rmw(op, 4, false, u128::from(a.to_bits()), u128::from(b.to_bits())) as u32)
        };
        assert_eq!(f(AtomicOp::Fadd, 1.5, 2.0), 3.5);
        assert_eq!((f(AtomicOp::Fmin, 1.5, -2.0), f(AtomicOp::Fmax, f32::NAN, 2.0)), (-2.0, 2.0));
        let d = rmw(AtomicOp::Fadd, 8, false, u128::from(0.5f64.to_bits()), u128::from(0.25f64.to_bits()));
        assert_eq!(f64::from_bits(d as u64), 0.75);
        let h = |v: f32| u128::from(f16::from_f32(v).to_bits());
        assert_eq!(rmw(AtomicOp::Fadd, 2, false, h(1.0), h(2.0)), h(3.0));
        let b = |v: f32| u128::from(bf16::from_f32(v).to_bits());
        assert_eq!(rmw(AtomicOp::Fadd, 2, true, b(1.0), b(2.0)), b(3.0));
    }

    #[test]
    fn wide_values() {
        assert_eq!(rmw(AtomicOp::Smin, 8, false, 1, u128::from(u64::MAX)), u128::from(u64::MAX));
        assert_eq!(rmw(AtomicOp::Add, 16, false, u128::MAX, 2), 1);
        let cas = |expected, new| {
            let c = Atomic::Cas { expected: Values::Uniform(expected), new: Values::Uniform(new) };
            combine(&c, 0, 2, 7)
        };
        assert_eq!((cas(7, 9), cas(8, 9), cas(0xffff_0007, 9)), (Some(9), None, Some(9)));
    }
}
