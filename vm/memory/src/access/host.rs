//! The host's one lane, by the shortest way.

use super::{Access, Addrs, Memory, Values};
use crate::HostFrame;
use crate::lanes::LaneCx;
use crate::raw::{Obj, Right};
use cudair_lane::fault::{AccessOp, FaultKind, Stop};
use cudair_lane::ptr::Ptr;
use cudair_report::Findings;

impl Memory {
    #[inline(always)]
    pub(crate) fn host_object(&self, ptr: Ptr) -> &Obj {
        match ptr.id() >> 29 {
            0 => self.table.obj(ptr.id()),
            0b100 => self.host.by_serial(ptr.serial()),
            0b101 => self.table.index(ptr).map_or(Obj::refuses(), |i| self.table.at(i).0),
            _ => Obj::refuses(),
        }
    }

    /// Loads up to eight bytes for the host.
    #[inline]
    pub fn host_load(&mut self, ptr: Ptr, acc: Access, findings: &mut Findings) -> Result<u64, Stop> {
        let obj = self.host_object(ptr);
        let off = ptr.offset();
        if off & ((1 << acc.align_log2) - 1) == 0
            && let Some(bits) = obj.load(Right::HostRead, off, acc.width)
            && (acc.copy || obj.init_bits(off, acc.width) == acc.all())
        {
            return Ok(bits);
        }
        self.host_load_slow(ptr, acc, findings).map(|bits| bits as u64)
    }

    /// Loads up to sixteen bytes for the host.
    #[inline]
    pub fn host_load_wide(&mut self, ptr: Ptr, acc: Access, findings: &mut Findings) -> Result<u128, Stop> {
        self.host_load_slow(ptr, acc, findings)
    }

    #[cold]
    fn host_load_slow(&mut self, ptr: Ptr, acc: Access, findings: &mut Findings) -> Result<u128, Stop> {
        let mut cx = LaneCx::host(findings);
        let mut words = [0; 4];
        self.load_slow(&mut cx, &Addrs::Uniform(ptr), acc, &mut words)?;
        Ok(Values::Lanes(&words).lane(0, acc.width))
    }

    /// Stores up to eight bytes for the host.
    #[inline]
    pub fn host_store(&mut self, ptr: Ptr, acc: Access, bits: u64) -> Result<(), Stop> {
        let off = ptr.offset();
        if off & ((1 << acc.align_log2) - 1) == 0
            && self.host_object(ptr).store(Right::HostWrite, off, acc.width, bits)
        {
            return Ok(());
        }
        self.host_store_wide(ptr, acc, u128::from(bits))
    }

    /// Stores up to sixteen bytes for the host.
    #[cold]
    pub fn host_store_wide(&mut self, ptr: Ptr, acc: Access, bits: u128) -> Result<(), Stop> {
        let mut findings = Findings::new();
        let mut cx = LaneCx::host(&mut findings);
        self.store_slow(&mut cx, &Addrs::Uniform(ptr), acc, Values::Uniform(bits), None)
    }

    /// Which bytes are initialised, a bit each; goes with a load whose [`Access::copy`] is set.
    #[inline]
    pub fn host_init(&mut self, ptr: Ptr, width: u8) -> u16 {
        self.host_object(ptr).init_bits(ptr.offset(), width) as u16
    }

    /// After a copy's store: which bytes of it are initialised.
    #[inline]
    pub fn host_set_init(&mut self, ptr: Ptr, width: u8, bits: u16) {
        if u32::from(bits) != (1 << width) - 1
            && let Some(index) = self.table.index(ptr)
            && !self.table.add_bitmap(index)
        {
            return;
        }
        self.host_object(ptr).set_init_bits(ptr.offset(), width, u32::from(bits));
    }

    /// Loads up to eight bytes of a local variable of the host.
    #[inline]
    pub fn host_load_slot(
        &mut self,
        frame: HostFrame,
        slot: u32,
        offset: i64,
        acc: Access,
        findings: &mut Findings,
    ) -> Result<u64, Stop> {
        let obj = self.host.by_slot(frame, slot);
        if offset & ((1 << acc.align_log2) - 1) == 0
            && let Some(bits) = obj.load(Right::HostRead, offset, acc.width)
            && (acc.copy || obj.init_bits(offset, acc.width) == acc.all())
        {
            return Ok(bits);
        }
        self.host_load_slot_wide(frame, slot, offset, acc, findings).map(|bits| bits as u64)
    }

    /// Loads up to sixteen bytes of a local variable of the host.
    #[cold]
    pub fn host_load_slot_wide(
        &mut self,
        frame: HostFrame,
        slot: u32,
        offset: i64,
        acc: Access,
        findings: &mut Findings,
    ) -> Result<u128, Stop> {
        // By its address, which gives the faults their words; a variable out of scope has one too.
        let ptr = self.host.addr(frame, slot).add(offset);
        if !self.host.is_alive(frame, slot) {
            return Err(self.host_slot_ended(frame, slot, ptr, acc, AccessOp::Read));
        }
        self.host_load_slow(ptr, acc, findings)
    }

    /// Stores up to eight bytes to a local variable of the host.
    #[inline]
    pub fn host_store_slot(
        &mut self,
        frame: HostFrame,
        slot: u32,
        offset: i64,
        acc: Access,
        bits: u64,
    ) -> Result<(), Stop> {
        let obj = self.host.by_slot(frame, slot);
        if offset & ((1 << acc.align_log2) - 1) == 0 && obj.store(Right::HostWrite, offset, acc.width, bits) {
            return Ok(());
        }
        self.host_store_slot_wide(frame, slot, offset, acc, u128::from(bits))
    }

    /// Stores up to sixteen bytes to a local variable of the host.
    #[cold]
    pub fn host_store_slot_wide(
        &mut self,
        frame: HostFrame,
        slot: u32,
        offset: i64,
        acc: Access,
        bits: u128,
    ) -> Result<(), Stop> {
        let ptr = self.host.addr(frame, slot).add(offset);
        if !self.host.is_alive(frame, slot) {
            return Err(self.host_slot_ended(frame, slot, ptr, acc, AccessOp::Write));
        }
        self.host_store_wide(ptr, acc, bits)
    }

    fn host_slot_ended(&self, frame: HostFrame, slot: u32, ptr: Ptr, acc: Access, op: AccessOp) -> Stop {
        let mut findings = Findings::new();
        let cx = LaneCx::host(&mut findings);
        let object = self.host.slot_info(frame, slot);
        let len = u64::from(acc.width);
        self.fault_on(&cx, FaultKind::UseAfterScope, acc.who(0), ptr, op, len, object).into()
    }

    /// Which bytes of a local variable of the host are initialised.
    #[cfg(test)]
    pub(crate) fn host_init_slot(&mut self, frame: HostFrame, slot: u32, offset: i64, width: u8) -> u16 {
        self.host.by_slot(frame, slot).init_bits(offset, width) as u16
    }
}
