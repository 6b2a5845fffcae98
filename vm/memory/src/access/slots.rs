//! Local variables of device threads, without pointers.

use super::{Access, LaneCx, Memory, SlotOffsets, Values, all_set, fill, no_locals, uninitialised};
use crate::late::{LateAddress, LateLoad};
use crate::local::FrameId;
use cudair_lane::Mask;
use cudair_lane::fault::{AccessOp, Fault, FaultKind, LaneFaults, Place, Stop};
use cudair_lane::ptr::Ptr;

impl Memory {
    /// [`Memory::load_lanes`] from a local variable.
    #[inline]
    pub fn load_slot(
        &mut self,
        cx: &mut LaneCx,
        frame: FrameId,
        slot: u32,
        offs: SlotOffsets,
        acc: Access,
        out: &mut [u32],
    ) -> Result<(), Stop> {
        self.load_slot_with(cx, frame, slot, offs, acc, out, None)
    }

    /// [`Memory::load_copied`] from a local variable.
    #[inline]
    pub fn load_slot_copied(
        &mut self,
        cx: &mut LaneCx,
        frame: FrameId,
        slot: u32,
        offs: SlotOffsets,
        acc: Access,
        out: &mut [u32],
        init: &mut [u32],
    ) -> Result<(), Stop> {
        self.load_slot_with(cx, frame, slot, offs, acc, out, Some(init))
    }

    #[inline]
    fn load_slot_with(
        &mut self,
        cx: &mut LaneCx,
        frame: FrameId,
        slot: u32,
        offs: SlotOffsets,
        acc: Access,
        out: &mut [u32],
        init: Option<&mut [u32]>,
    ) -> Result<(), Stop> {
        let Some(locals) = cx.locals.as_deref() else { return Err(no_locals()) };
        let mut missing = Mask::NONE;
        if !locals.load(cx.mask, frame, slot, offs, acc, out, &mut missing) {
            let faults = self.slot_faults(cx, frame, slot, offs, acc, AccessOp::Read)?;
            let good = cx.mask.without(faults.mask());
            if !good.is_empty() {
                self.load_slot_with(&mut cx.narrowed(&good), frame, slot, offs, acc, out, init)?;
            }
            return faults.done();
        }
        let missing = missing.and(cx.mask);
        if let Some(init) = init {
            fill(cx.mask, acc.all(), init);
            if !missing.is_empty() {
                self.init_of_slot(cx, &missing, (frame, slot), offs, acc, init);
            }
        }
        if acc.late != 0 && !missing.is_empty() {
            for lane in missing.iter() {
                let off = offs.lane(lane);
                let at = self.judge_slot(cx, lane, frame, slot, off, u64::from(acc.width), 1);
                let init = match (at, cx.locals.as_deref()) {
                    (Ok(at), Some(l)) => l.init_bits(lane, at, acc.width),
                    _ => 0,
                };
                self.note_late(cx, LateLoad { lane, at: LateAddress::Slot(frame, slot, off), init, acc });
            }
            return Ok(());
        }
        if let (false, false, Some(lane)) = (missing.is_empty(), acc.copy, missing.lowest()) {
            let place = Place::Site(acc.site);
            if !cx.findings.counted_uninitialised(place, cx.shape.launch, u64::from(missing.count())) {
                let off = offs.lane(lane);
                let at = self.judge_slot(cx, lane, frame, slot, off, u64::from(acc.width), 1);
                let init = match (at, cx.locals.as_deref()) {
                    (Ok(at), Some(l)) => l.init_bits(lane, at, acc.width),
                    _ => 0,
                };
                let mut fault = self.slot_fault(
                    cx,
                    uninitialised(init, acc.all()),
                    (frame, slot),
                    acc,
                    lane,
                    off,
                    AccessOp::Read,
                );
                fault.count = u64::from(missing.count());
                cx.findings.note(fault);
            }
        }
        Ok(())
    }

    /// [`Memory::store_lanes`] to a local variable.
    pub fn store_slot(
        &mut self,
        cx: &mut LaneCx,
        frame: FrameId,
        slot: u32,
        offs: SlotOffsets,
        acc: Access,
        values: Values,
        init: Option<&[u32]>,
    ) -> Result<(), Stop> {
        let mask = cx.mask;
        // A copy of what is all initialised is a plain store.
        let init = init.filter(|bits| !all_set(mask, acc.all(), bits));
        let Some(locals) = cx.locals.as_deref_mut() else { return Err(no_locals()) };
        if locals.store(mask, frame, slot, offs, acc, values, init) {
            return Ok(());
        }
        let faults = self.slot_faults(cx, frame, slot, offs, acc, AccessOp::Write)?;
        let good = mask.without(faults.mask());
        if !good.is_empty() {
            self.store_slot(&mut cx.narrowed(&good), frame, slot, offs, acc, values, init)?;
        }
        faults.done()
    }

    /// [`Memory::init_lanes`] of a local variable.
    #[inline]
    pub fn init_slot(
        &mut self,
        cx: &mut LaneCx,
        frame: FrameId,
        slot: u32,
        offs: SlotOffsets,
        acc: Access,
        out: &mut [u32],
    ) {
        self.init_of_slot(cx, cx.mask, (frame, slot), offs, acc, out);
    }

    fn init_of_slot(
        &self,
        cx: &LaneCx,
        lanes: &Mask,
        (frame, slot): (FrameId, u32),
        offs: SlotOffsets,
        acc: Access,
        out: &mut [u32],
    ) {
        for lane in lanes.iter() {
            let at = self.judge_slot(cx, lane, frame, slot, offs.lane(lane), u64::from(acc.width), 1);
            out[lane] = match (at, cx.locals.as_deref()) {
                (Ok(at), Some(l)) => l.init_bits(lane, at, acc.width),
                _ => acc.all(),
            };
        }
    }

    pub(super) fn slot_fault(
        &self,
        cx: &LaneCx,
        kind: FaultKind,
        (frame, slot): (FrameId, u32),
        acc: Access,
        lane: usize,
        off: i64,
        op: AccessOp,
    ) -> Fault {
        let object = cx.locals.as_deref().and_then(|l| l.info(frame, slot));
        // The address that it would have, for the offset.
        let ptr = Ptr::device_local((cx.shape.first_thread + lane as u32) & 1023, 0).add(off);
        self.fault_on(cx, kind, acc.who(lane), ptr, op, u64::from(acc.width), object)
    }

    /// The faults of an access to a local variable that was refused.
    ///
    /// # Errors
    /// A defect: there is none.
    #[cold]
    fn slot_faults(
        &self,
        cx: &LaneCx,
        frame: FrameId,
        slot: u32,
        offs: SlotOffsets,
        acc: Access,
        op: AccessOp,
    ) -> Result<LaneFaults, Stop> {
        let mut faults = LaneFaults::default();
        for lane in cx.mask.iter() {
            let off = offs.lane(lane);
            let (len, align) = (u64::from(acc.width), 1 << acc.align_log2);
            if let Err(kind) = self.judge_slot(cx, lane, frame, slot, off, len, align) {
                faults.add(lane, &kind.clone(), || {
                    self.slot_fault(cx, kind, (frame, slot), acc, lane, off, op)
                });
            }
        }
        if faults.mask().is_empty() {
            return Err(Stop::internal("an access to a local variable was refused without a reason"));
        }
        Ok(faults)
    }
}
