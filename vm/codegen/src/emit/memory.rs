//! Loads, stores and operations on blocks of memory.

use super::Emitter;
use crate::Refusal;
use crate::address::{Address, Base, Term};
use crate::vreg::Class;
use cudair_bytecode::{
    Address as At, AllocaDesc, CopyDesc, Ext, FillDesc, LateDesc, LateUse, MemAcc, Op, Reg, S, SlotId, V, Vw,
    X,
};
use cudair_ir::{Inst, InstData, MemFlags, Type, Value};
use smallvec::SmallVec;

/// The address of a vector access.
enum VectorAddress {
    /// One for all lanes.
    Uniform,
    /// One object.
    Narrow {
        base: S,
        index: V,
    },
    /// One object, index of 64 bits.
    Wide {
        base: S,
        index: cudair_bytecode::W,
    },
    /// Each lane's pointer.
    Full(cudair_bytecode::W),
    Slot(SlotId),
    SlotScalar {
        slot: SlotId,
        index: S,
    },
    SlotVector {
        slot: SlotId,
        index: V,
    },
}

/// The access that an instruction makes.
fn access(ty: Type, flags: MemFlags) -> MemAcc {
    let bytes = ty.access_bytes().next_power_of_two();
    MemAcc::new(bytes, flags.align_log2).with_volatile(flags.volatile)
}

impl Emitter<'_> {
    pub(super) fn load(&mut self, inst: Inst, ty: Type, flags: MemFlags, ptr: Value) {
        let Some(result) = self.plan.func.result(inst) else { return };
        let address = self.plan.address(ptr);
        let acc =
            access(ty, flags).with_copy(self.plan.copied[result]).with_late(self.plan.late.loads[result]);
        let d = self.def(result);
        if self.is_scalar_address(address) {
            match d {
                Reg::S(d) => self.scalar_load(d.0, acc, address),
                Reg::S2(d) => self.scalar_load(d.0, acc, address),
                _ => {
                    // One load for all lanes, then each has its copy.
                    let copy = acc.copy();
                    let t = self.temp_with(Class::scalar(ty), u32::from(copy));
                    let at = match t {
                        Reg::S(t) => t.0,
                        Reg::S2(t) => t.0,
                        _ => 0,
                    };
                    self.scalar_load(at, acc, address);
                    self.copy(d, t, ty);
                    if copy {
                        self.splat_bits(d, t);
                    }
                }
            }
            return;
        }
        match d {
            Reg::V(V(r)) => self.vector_load(Vw(r), acc, address),
            Reg::W(r) => self.vector_load(Vw(r.0), acc, address),
            Reg::X(d) => {
                let (ptr, disp) = self.vector_pointer(address);
                self.op(Op::VLdX { d, ptr, disp, acc });
            }
            Reg::P(d) => {
                let t = self.temp_v();
                self.vector_load(Vw(t.0), acc, address);
                self.op(Op::PFromV { d, a: t });
            }
            Reg::S(_) | Reg::S2(_) => {}
        }
    }

    /// Copies the bits of initialisation that follow a scalar to those that follow a vector.
    fn splat_bits(&mut self, d: Reg, from: Reg) {
        let behind = match d {
            Reg::V(r) => r.0 + 1,
            Reg::W(r) => r.0 + 2,
            Reg::X(r) => r.0 + 4,
            _ => return,
        };
        let bits = match from {
            Reg::S(r) => r.0 + 1,
            Reg::S2(r) => r.0 + 2,
            _ => return,
        };
        self.op(Op::VSplat { d: V(behind), a: S(bits) });
    }

    fn is_scalar_address(&self, address: Address) -> bool {
        self.scalar_base(address.base) && address.index.is_none_or(|t| self.plan.regs[t.reg].is_scalar())
    }

    fn scalar_address(&mut self, address: Address) -> (At, Ext) {
        let index = address.index.map(|t: Term| match self.machine_reg(t.reg) {
            Reg::S(r) => (r, t.scale as u16, Self::scalar_ext(&t)),
            _ => (S(u16::MAX), 1, Ext::Zero),
        });
        let disp = address.disp;
        let slot = match address.base {
            Base::Slot(slot) => self.slots[slot],
            _ => None,
        };
        let ext = index.map_or(Ext::Zero, |i| i.2);
        let at = match (slot, index) {
            (Some(slot), None) => At::Slot { slot, disp },
            (Some(slot), Some((index, scale, _))) => At::SlotIndexed { slot, index, scale, disp },
            (None, None) => At::Base { base: self.base_s(address.base), disp },
            (None, Some((index, scale, _))) => {
                At::Indexed { base: self.base_s(address.base), index, scale, disp }
            }
        };
        (at, ext)
    }

    fn scalar_load(&mut self, at: u16, acc: MemAcc, address: Address) {
        let (address, ext) = self.scalar_address(address);
        self.selected(Op::load(at, acc.with_ext(ext), address));
    }

    fn scalar_store(&mut self, at: u16, acc: MemAcc, address: Address) {
        let (address, ext) = self.scalar_address(address);
        self.selected(Op::store(at, acc.with_ext(ext), address));
    }

    /// The form of a vector access, with the scale, the displacement and the extension of its index.
    fn vector_address(&mut self, address: Address) -> (VectorAddress, u16, i32, Ext) {
        let Address { base, index, disp } = address;
        let scale = index.map_or(1, |t| t.scale as u16);
        let ext = index.and_then(|t| t.ext).unwrap_or(Ext::Zero);
        let reg = index.map(|t| self.machine_reg(t.reg));
        if let Base::Slot(slot) = base
            && let Some(slot) = self.slots[slot]
        {
            match reg {
                None => return (VectorAddress::Slot(slot), scale, disp, ext),
                Some(Reg::S(index)) => return (VectorAddress::SlotScalar { slot, index }, scale, disp, ext),
                Some(Reg::V(index)) => return (VectorAddress::SlotVector { slot, index }, scale, disp, ext),
                _ => {}
            }
        }
        if self.scalar_base(base) {
            match reg {
                None | Some(Reg::S(_)) => return (VectorAddress::Uniform, scale, disp, ext),
                Some(Reg::V(index)) => {
                    let base = self.base_s(base);
                    return (VectorAddress::Narrow { base, index }, scale, disp, ext);
                }
                Some(Reg::W(index)) => {
                    let base = self.base_s(base);
                    return (VectorAddress::Wide { base, index }, scale, disp, ext);
                }
                _ => {}
            }
        }
        let (ptr, disp) = self.vector_pointer(address);
        (VectorAddress::Full(ptr), 1, disp, Ext::Zero)
    }

    fn vector_load(&mut self, d: Vw, acc: MemAcc, address: Address) {
        let (form, scale, disp, ext) = self.vector_address(address);
        let acc = acc.with_ext(ext);
        self.op(match form {
            // Uniform addresses are loaded as scalars.
            VectorAddress::Uniform => return,
            VectorAddress::Narrow { base, index } => Op::VLdB { d, base, index, scale, disp, acc },
            VectorAddress::Wide { base, index } => Op::VLdBw { d, base, index, scale, disp, acc },
            VectorAddress::Full(ptr) => Op::VLdP { d, ptr, disp, acc },
            VectorAddress::Slot(slot) => Op::VLdSl { d, slot, disp, acc },
            VectorAddress::SlotScalar { slot, index } => Op::VLdSlS { d, slot, index, scale, disp, acc },
            VectorAddress::SlotVector { slot, index } => Op::VLdSlV { d, slot, index, scale, disp, acc },
        });
    }

    pub(super) fn store(&mut self, flags: MemFlags, value: Value, ptr: Value) {
        let address = self.plan.address(ptr);
        let ty = self.ty(value);
        let acc = access(ty, flags).with_copy(self.plan.copied[value]);
        let value = self.seen(value);
        if !self.on_device() {
            match value {
                Reg::S(v) => self.scalar_store(v.0, acc, address),
                Reg::S2(v) => self.scalar_store(v.0, acc, address),
                _ => {}
            }
            return;
        }
        match value {
            Reg::V(V(r)) => self.vector_store(Vw(r), acc, address),
            Reg::W(r) => self.vector_store(Vw(r.0), acc, address),
            Reg::P(a) => {
                let d = self.temp_v();
                self.op(Op::VFromP { d, a });
                self.vector_store(Vw(d.0), acc, address);
            }
            Reg::X(v) => self.store_x(v, acc, address),
            Reg::S2(_) => {
                let Reg::X(d) = self.temp_with(Class::X, u32::from(acc.copy())) else { return };
                self.copy(Reg::X(d), value, ty);
                if acc.copy() {
                    self.splat_bits(Reg::X(d), value);
                }
                self.store_x(d, acc, address);
            }
            Reg::S(v) => self.broadcast_store(v, acc, address, ty),
        }
    }

    fn store_x(&mut self, v: X, acc: MemAcc, address: Address) {
        let (ptr, disp) = self.vector_pointer(address);
        self.op(Op::VStX { v, ptr, disp, acc });
    }

    fn vector_store(&mut self, v: Vw, acc: MemAcc, address: Address) {
        let (form, scale, disp, ext) = self.vector_address(address);
        let acc = acc.with_ext(ext);
        let op = match form {
            VectorAddress::Uniform => match self.scalar_address(address).0 {
                At::Indexed { base, index, scale, disp } => Op::VStUx { v, base, index, scale, disp, acc },
                At::Base { base, disp } => Op::VStU { v, base, disp, acc },
                // Local variables have no uniform addresses.
                At::Slot { .. } | At::SlotIndexed { .. } => return,
            },
            VectorAddress::Narrow { base, index } => Op::VStB { v, base, index, scale, disp, acc },
            VectorAddress::Wide { base, index } => Op::VStBw { v, base, index, scale, disp, acc },
            VectorAddress::Full(ptr) => Op::VStP { v, ptr, disp, acc },
            VectorAddress::Slot(slot) => Op::VStSl { v, slot, disp, acc },
            VectorAddress::SlotScalar { slot, index } => Op::VStSlS { v, slot, index, scale, disp, acc },
            VectorAddress::SlotVector { slot, index } => Op::VStSlV { v, slot, index, scale, disp, acc },
        };
        self.op(op);
    }

    /// A store of one value by every lane.
    fn broadcast_store(&mut self, v: S, acc: MemAcc, address: Address, ty: Type) {
        let (form, scale, disp, ext) = self.vector_address(address);
        let with_ext = acc.with_ext(ext);
        match form {
            VectorAddress::Uniform => {
                let (base, disp) = self.scalar_pointer(address);
                self.op(Op::VStUs { v, base, disp, acc });
            }
            VectorAddress::Narrow { base, index } => {
                self.op(Op::VStBs { v, base, index, scale, disp, acc: with_ext });
            }
            VectorAddress::Full(ptr) => self.op(Op::VStPs { v, ptr, disp, acc }),
            VectorAddress::Wide { .. }
            | VectorAddress::Slot(_)
            | VectorAddress::SlotScalar { .. }
            | VectorAddress::SlotVector { .. } => {
                let class = if ty.bits() > 32 { Class::W } else { Class::V };
                let t = self.temp_with(class, u32::from(acc.copy()));
                self.op(match t {
                    Reg::W(d) => Op::WSplat { d, a: v },
                    Reg::V(d) => Op::VSplat { d, a: v },
                    _ => return,
                });
                if acc.copy() {
                    self.splat_bits(t, Reg::S(v));
                }
                let at = match t {
                    Reg::W(t) => t.0,
                    Reg::V(t) => t.0,
                    _ => 0,
                };
                self.vector_store(Vw(at), acc, address);
            }
        }
    }

    /// What asks whether values that `inst` is the first to use were loaded from memory that was written.
    pub(super) fn late_uses(&mut self, inst: Inst) {
        let plan = self.plan;
        let Some(checks) = plan.late.checks.get(&inst) else { return };
        let mut uses = SmallVec::new();
        for check in checks {
            // Nobody wants what such a selection gives.
            if check.when.is_some() && !plan.emitted[inst] {
                continue;
            }
            let when = check.when.map(|(cond, wanted)| (self.reg(cond), wanted));
            uses.push(LateUse { site: check.site, when });
        }
        if uses.is_empty() {
            return;
        }
        let id = self.code.tables.lates.next_idx();
        self.code.tables.lates.push(LateDesc { uses });
        self.op(Op::UseLate { id });
    }

    /// `MemCopy`, `MemFill`, `Alloca`.
    pub(super) fn memory_block(&mut self, inst: Inst) -> Result<(), Refusal> {
        match self.plan.func.insts[inst] {
            InstData::MemCopy { flags, dst, src, len, dst_site, src_site } => {
                let id = self.code.tables.copies.next_idx();
                let (dst, src, len) = (self.reg(dst), self.reg(src), self.reg(len));
                self.code.tables.copies.push(CopyDesc { dst, src, len, flags, dst_site, src_site });
                self.op(Op::MemCopy { id });
            }
            InstData::MemFill { flags, dst, byte, len, .. } => {
                let id = self.code.tables.fills.next_idx();
                let (dst, byte, len) = (self.reg(dst), self.reg(byte), self.reg(len));
                self.code.tables.fills.push(FillDesc { dst, byte, len, flags });
                self.op(Op::MemFill { id });
            }
            InstData::Alloca { size, align_log2, scoped, .. } => {
                let Some(result) = self.plan.func.result(inst) else { return Ok(()) };
                let id = self.code.tables.allocas.next_idx();
                let (d, size) = (self.def(result), self.reg(size));
                self.code.tables.allocas.push(AllocaDesc {
                    d,
                    size,
                    align_log2,
                    scoped: scoped.then_some(id.0),
                });
                self.op(Op::Alloca { id });
            }
            _ => return self.misplaced(inst, "a copy or a fill"),
        }
        Ok(())
    }
}
