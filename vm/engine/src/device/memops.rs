//! Memory operations and everything rare of the device.

use super::exec::Exec;
use super::strip::ConvergenceGroup;
use super::values::{View, init_plane, init_word};
use crate::cache::DeviceTarget;
use crate::eval;
use crate::eval::Ub;
use crate::faults::{Notes, Who};
use crate::operands::Operands;
use crate::scalar::{indexed, offset};
use cudair_bytecode::*;
use cudair_ir::*;
use cudair_lane::fault::{LaneFaults, Place, SiteRef, Stop};
use cudair_lane::ptr::Ptr;
use cudair_lane::{MAX_LANES, Mask, Values};
use cudair_memory::{Access, Addrs, Atomic, FrameId, Lengths, SlotOffsets};
use smallvec::SmallVec;

/// A buffer for the words of a strip's lanes, up to 16 bytes each.
type Words16 = [u32; 4 * MAX_LANES];

/// Where a vector load or store goes.
#[derive(Clone, Copy)]
enum Where<'a> {
    Memory(Addrs<'a>),
    Slot(FrameId, u32, SlotOffsets<'a>),
}

/// `depth` is that of the calls.
fn access(acc: MemAcc, site: SiteRef, depth: usize) -> Access {
    Access {
        width: acc.bytes() as u8,
        align_log2: acc.align().trailing_zeros() as u8,
        volatile: acc.volatile(),
        copy: acc.copy(),
        late: if acc.late() { depth as u16 } else { 0 },
        site,
    }
}

/// Planes of a value of this width.
fn planes(acc: MemAcc) -> u16 {
    match acc.bytes() {
        0..=4 => 1,
        5..=8 => 2,
        _ => 4,
    }
}

/// A 32-bit index as the memory wants it: signed. Where zero extension makes a difference, widened.
enum Index<'a> {
    Narrow(&'a [u32]),
    Wide(Vec<u32>),
}

fn index<'a>(view: View, r: V, ext: Ext) -> Index<'a> {
    let words = view.v.words(r.0, 1);
    if ext == Ext::Sign || words.iter().fold(0, |a, &w| a | w) >> 31 == 0 {
        return Index::Narrow(words);
    }
    Index::Wide(words.iter().flat_map(|&w| [w, 0]).collect())
}

impl Index<'_> {
    fn addrs(&self, base: Ptr, scale: u16, disp: i32) -> Addrs<'_> {
        let (scale, disp) = (scale.into(), disp.into());
        match self {
            Index::Narrow(index) => Addrs::Base32 { base, index, scale, disp },
            Index::Wide(index) => Addrs::Base64 { base, index, scale, disp },
        }
    }

    fn offsets(&self, scale: u16, disp: i32) -> SlotOffsets<'_> {
        let (scale, disp) = (scale.into(), disp.into());
        match self {
            Index::Narrow(index) => SlotOffsets::Lanes32 { index, scale, disp },
            Index::Wide(index) => SlotOffsets::Lanes64 { index, scale, disp },
        }
    }
}

/// Addresses in a register.
fn addrs<'a>(view: View, r: Reg, disp: i64) -> Addrs<'a> {
    match r {
        Reg::W(w) => Addrs::Full { ptrs: view.v.words(w.0, 2), disp },
        _ => Addrs::Uniform(Ptr(view.get(r, 0) as u64).add(disp)),
    }
}

/// Values in a register.
fn values<'a>(view: View, r: Reg) -> Values<'a> {
    match r {
        Reg::V(r) => Values::Lanes(view.v.words(r.0, 1)),
        Reg::W(r) => Values::Lanes(view.v.words(r.0, 2)),
        Reg::X(r) => Values::Lanes(view.v.words(r.0, 4)),
        Reg::S(_) | Reg::S2(_) | Reg::P(_) => Values::Uniform(view.get(r, 0)),
    }
}

/// A register of the width that an access says.
fn vw(r: Vw, acc: MemAcc) -> Reg {
    if acc.bytes() == 8 { Reg::W(W(r.0)) } else { Reg::V(V(r.0)) }
}

#[cold]
fn no_frame() -> Stop {
    Stop::internal("a local variable without a frame")
}

impl Exec<'_> {
    fn frame_of(f: &ConvergenceGroup) -> Result<FrameId, Stop> {
        f.top().locals.ok_or_else(no_frame)
    }

    /// Loads, of a copy with the bits of initialisation.
    fn load(
        &mut self,
        f: &ConvergenceGroup,
        to: Where<'_>,
        acc: Access,
        out: &mut [u32],
        init: Option<&mut [u32]>,
    ) -> Result<(), Stop> {
        let (mem, mut cx) = self.memory(&f.mask);
        if acc.late != 0 {
            mem.load_late(&mut cx, acc.site, acc.late);
        }
        match (to, init) {
            (Where::Memory(addrs), None) => mem.load_lanes(&mut cx, &addrs, acc, out),
            (Where::Memory(addrs), Some(init)) => mem.load_copied(&mut cx, &addrs, acc, out, init),
            (Where::Slot(frame, slot, offs), None) => mem.load_slot(&mut cx, frame, slot, offs, acc, out),
            (Where::Slot(frame, slot, offs), Some(init)) => {
                mem.load_slot_copied(&mut cx, frame, slot, offs, acc, out, init)
            }
        }
    }

    /// A vector load into `planes` planes from `d` on. `operands` are the planes that the address is made of:
    /// where one is overwritten, the result takes a detour.
    fn load_vector(
        &mut self,
        f: &ConvergenceGroup,
        view: View,
        d: u16,
        acc: MemAcc,
        site: SiteRef,
        to: Where<'_>,
        operands: std::ops::Range<u16>,
    ) -> Result<(), Stop> {
        let n = planes(acc);
        let a = access(acc, site, f.frames.len());
        if let Where::Memory(addrs) = &to
            && self.grid.perf
        {
            self.count_access(&f.mask, addrs, a.width, site);
        }
        let lanes = view.v.chunks() * 16;
        let overlap = d < operands.end && operands.start < d + n + u16::from(acc.copy());
        if overlap {
            let mut temp: Words16 = [0; 4 * MAX_LANES];
            let words = usize::from(n) * lanes;
            let mut init = [0; MAX_LANES];
            let bits = acc.copy().then_some(&mut init[..lanes]);
            let done = self.load(f, to, a, &mut temp[..words], bits);
            // Where some lanes fault, the others have loaded.
            let out = view.v.words_mut(d, n.into());
            let per = usize::from(n);
            for lane in f.mask.iter() {
                out[lane * per..][..per].copy_from_slice(&temp[lane * per..][..per]);
                if acc.copy() {
                    view.v.set_lane::<u32>(init_plane(d, n), lane, init[lane]);
                }
            }
            done
        } else {
            let init = acc.copy().then(|| view.v.words_mut(init_plane(d, n).0, 1));
            self.load(f, to, a, view.v.words_mut(d, n.into()), init)
        }
    }

    /// Which bytes of a copy are initialised, for some of the convergence group's lanes.
    fn init_of(&mut self, mask: &Mask, to: Where<'_>, a: Access, out: &mut [u32]) {
        let (mem, mut cx) = self.memory(mask);
        match to {
            Where::Memory(addrs) => mem.init_lanes(&mut cx, &addrs, a, out),
            Where::Slot(frame, slot, offs) => mem.init_slot(&mut cx, frame, slot, offs, a, out),
        }
    }

    fn store_vector(
        &mut self,
        f: &ConvergenceGroup,
        view: View,
        v: Reg,
        acc: MemAcc,
        site: SiteRef,
        to: Where<'_>,
    ) -> Result<(), Stop> {
        let a = access(acc, site, f.frames.len());
        // Local variables are looked at where a convergence group's state is: see `Strip::fingerprint`.
        self.worker.state.changes += u64::from(!matches!(to, Where::Slot(..)));
        if let Where::Memory(addrs) = &to
            && self.grid.perf
        {
            self.count_access(&f.mask, addrs, a.width, site);
        }
        let values = values(view, v);
        let bits: [u32; MAX_LANES];
        let init = match v {
            _ if !acc.copy() => None,
            Reg::V(V(first)) | Reg::W(W(first)) | Reg::X(X(first)) => {
                Some(view.v.words(init_plane(first, planes(acc)).0, 1))
            }
            Reg::S(r) => {
                bits = [view.s.get(init_word(r)) as u32; MAX_LANES];
                Some(&bits[..])
            }
            Reg::S2(_) | Reg::P(_) => None,
        };
        let (mem, mut cx) = self.memory(&f.mask);
        match to {
            Where::Memory(addrs) => mem.store_lanes(&mut cx, &addrs, a, values, init),
            Where::Slot(frame, slot, offs) => mem.store_slot(&mut cx, frame, slot, offs, a, values, init),
        }
    }

    /// A load of one value for all lanes.
    fn load_scalar(
        &mut self,
        f: &ConvergenceGroup,
        view: View,
        d: Reg,
        acc: MemAcc,
        site: SiteRef,
        to: Where<'_>,
    ) -> Result<(), Stop> {
        let a = access(acc, site, f.frames.len());
        let bits = match to {
            Where::Memory(Addrs::Uniform(ptr)) => {
                let (mem, mut cx) = self.memory(&f.mask);
                if a.late != 0 {
                    mem.load_late(&mut cx, a.site, a.late);
                }
                mem.load_uniform(&mut cx, ptr, a).map_err(Stop::of_all_lanes)?
            }
            _ => {
                let mut temp: Words16 = [0; 4 * MAX_LANES];
                let n = usize::from(planes(acc)) * self.strip.planes.lanes();
                // One value for all: none of them goes on without it.
                self.load(f, to, a, &mut temp[..n], None).map_err(Stop::of_all_lanes)?;
                let lane = f.mask.lowest().unwrap_or(0);
                Values::Lanes(&temp[..n]).lane(lane, a.width)
            }
        };
        if acc.copy() {
            let mut init = [0u32; MAX_LANES];
            let lane = f.mask.lowest().unwrap_or(0);
            self.init_of(&Mask::single(lane), to, a, &mut init);
            let first = u64::from(init[lane]);
            match d {
                Reg::S(r) => view.s.set(init_word(r), first),
                Reg::S2(S2(r)) => view.s.set(S(r + 2), first),
                _ => {}
            }
        }
        view.set(d, 0, bits);
        Ok(())
    }

    /// Operations that are neither scalar arithmetic nor vector arithmetic. `pc` is the one after it.
    pub(crate) fn other(
        &mut self,
        f: &mut ConvergenceGroup,
        op: &Op,
        pc: usize,
        view: View,
    ) -> Result<(), Stop> {
        let s = view.s;
        let at = |base: S, disp: i32| Where::Memory(Addrs::Uniform(Ptr(s.get(base)).add(disp.into())));
        let atx = |base: S, i: S, scale: u16, disp: i32, acc: MemAcc| {
            Where::Memory(Addrs::Uniform(indexed(s, base, i, scale, disp, acc.ext())))
        };
        let wide = |base: S, i: W, scale: u16, disp: i32| {
            let (base, index) = (Ptr(s.get(base)), view.v.words(i.0, 2));
            Where::Memory(Addrs::Base64 { base, index, scale: scale.into(), disp: disp.into() })
        };
        let each = |ptr: W, disp: i32| Where::Memory(addrs(view, Reg::W(ptr), disp.into()));
        let frame = f.top().locals;
        let slot = |slot: SlotId, offs| match frame {
            Some(frame) => Ok(Where::Slot(frame, slot.0.into(), offs)),
            None => Err(no_frame()),
        };
        let uni = |i: S, scale: u16, disp: i32, acc: MemAcc| {
            SlotOffsets::Uniform(offset(s, i, scale, disp, acc.ext()))
        };
        let site = f.top().code.code().site(pc - 1);
        families! {
            match *op {
                @for (R Widths) in [(S (8 16 32 64)) (S2 (128))] {
                    @for B in [Widths] { | Op::Ld~B { d, base, disp, acc } } => {
                        self.load_scalar(f, view, Reg::R(d), acc, site, at(base, disp))
                    }
                    @for B in [Widths] { | Op::Ldx~B { d, base, index, scale, disp, acc } } => {
                        self.load_scalar(f, view, Reg::R(d), acc, site, atx(base, index, scale, disp, acc))
                    }
                    @for B in [Widths] { | Op::LdSl~B { d, slot: n, disp, acc } } => {
                        let to = slot(n, SlotOffsets::Uniform(disp.into()))?;
                        self.load_scalar(f, view, Reg::R(d), acc, site, to)
                    }
                    @for B in [Widths] { | Op::LdxSl~B { d, slot: n, index, scale, disp, acc } } => {
                        let to = slot(n, uni(index, scale, disp, acc))?;
                        self.load_scalar(f, view, Reg::R(d), acc, site, to)
                    }
                }
                // What is done with a place and the planes that its address is made of.
                @for (N r Done Wide) in [
                    (Ld d
                        (self.load_vector(f, view, d.0, acc, site, to, planes))
                        (self.load_vector(f, view, d.0, acc, site, to, planes)))
                    (St v
                        ({ let _ = planes; self.store_vector(f, view, vw(v, acc), acc, site, to) })
                        ({ let _ = planes; self.store_vector(f, view, Reg::X(v), acc, site, to) }))
                ] {
                    Op::V~N~B { r, base, index: n, scale, disp, acc } => {
                        let i = index(view, n, acc.ext());
                        let (to, planes) = (Where::Memory(i.addrs(Ptr(s.get(base)), scale, disp)), n.0..n.0 + 1);
                        Done
                    }
                    Op::V~N~Bw { r, base, index: n, scale, disp, acc } => {
                        let (to, planes) = (wide(base, n, scale, disp), n.0..n.0 + 2);
                        Done
                    }
                    Op::V~N~P { r, ptr, disp, acc } => {
                        let (to, planes) = (each(ptr, disp), ptr.0..ptr.0 + 2);
                        Done
                    }
                    Op::V~N~X { r, ptr, disp, acc } => {
                        let (to, planes) = (each(ptr, disp), ptr.0..ptr.0 + 2);
                        Wide
                    }
                    Op::V~N~Sl { r, slot: n, disp, acc } => {
                        let (to, planes) = (slot(n, SlotOffsets::Uniform(disp.into()))?, 0..0);
                        Done
                    }
                    Op::V~N~SlS { r, slot: n, index, scale, disp, acc } => {
                        let (to, planes) = (slot(n, uni(index, scale, disp, acc))?, 0..0);
                        Done
                    }
                    Op::V~N~SlV { r, slot: m, index: n, scale, disp, acc } => {
                        let i = index(view, n, acc.ext());
                        let (to, planes) = (slot(m, i.offsets(scale, disp))?, n.0..n.0 + 1);
                        Done
                    }
                }
                Op::VStBs { v, base, index: n, scale, disp, acc } => {
                    let i = index(view, n, acc.ext());
                    let to = Where::Memory(i.addrs(Ptr(s.get(base)), scale, disp));
                    self.store_vector(f, view, Reg::S(v), acc, site, to)
                }
                Op::VStPs { v, ptr, disp, acc } => {
                    self.store_vector(f, view, Reg::S(v), acc, site, each(ptr, disp))
                }
                Op::VStU { v, base, disp, acc } => {
                    self.store_vector(f, view, vw(v, acc), acc, site, at(base, disp))
                }
                Op::VStUs { v, base, disp, acc } => {
                    self.store_vector(f, view, Reg::S(v), acc, site, at(base, disp))
                }
                Op::VStUx { v, base, index, scale, disp, acc } => {
                    self.store_vector(f, view, vw(v, acc), acc, site, atx(base, index, scale, disp, acc))
                }
                ops!(ScalarMove | ScalarInt | ScalarFloat | ScalarCompare | ScalarBranch | ScalarAddress)
                | ops!(LaneBranch | Flow | Leave | ScalarStore | HostMemory | HostPair | HostMemoryPair)
                | ops!(Variable | Address | Generic | Check | VectorCheck | Group | Rare | Claim | VectorMove)
                | ops!(VectorInt | VectorFloat | Predicate | VectorAddress | LaneValue) => {
                    self.rare(f, op, pc, view)
                }
            }
        }
    }

    /// Everything that is neither arithmetic nor a load or a store.
    fn rare(&mut self, f: &mut ConvergenceGroup, op: &Op, pc: usize, view: View) -> Result<(), Stop> {
        let code = f.top().code.code();
        let site = code.site(pc - 1);
        let s = view.s;
        match *op {
            Op::GlobalAddr { d, global } => {
                let ptr = match self.grid.shared_index.get(&global) {
                    Some(&n) => self.block.addr(n),
                    None => self.grid.program.globals[global],
                };
                s.set(d, ptr.0);
            }
            Op::Special { d, reg } => s.set(d, self.special(reg, &f.mask, (code, pc))),
            Op::VSpecial { d, reg } => self.special_lanes(f, d, reg, (code, pc), view),
            Op::WSlotAddr { d, slot } => {
                let frame = Self::frame_of(f)?;
                self.strip.locals.addr(frame, slot.0.into(), &f.mask, view.v.words_mut(d.0, 2));
            }
            Op::SlotAddr { .. } => {
                return Err(Stop::internal("one address for the local variables of several lanes"));
            }
            Op::Gen { id } => self.generic(f, &code.tables.gens[id], pc, view)?,
            Op::Math { id } => self.math(f, &code.tables.maths[id], view)?,
            Op::PtrDiff { d, a, b } => {
                let (a, b) = (Ptr(s.get(a)), Ptr(s.get(b)));
                s.set(d, a.0.wrapping_sub(b.0));
                if a.object_start() != b.object_start() {
                    self.two_objects(code, pc - 1, Ub::PtrDiff, (&f.mask, [a, b]));
                }
            }
            Op::PtrPair { a, b, order } => {
                let ub = if order != 0 { Ub::PtrOrder } else { Ub::PtrDiff };
                self.pointer_pair(f, [a, b].map(|r| code.tables.regs[r].reg), (code, pc, ub), view);
            }
            Op::PtrCmp { d, a, b, cc } => {
                let (a, b) = (Ptr(s.get(a)), Ptr(s.get(b)));
                s.set(d, eval::icmp(cc, Type::I64, a.0.into(), b.0.into()).into());
                if a.object_start() != b.object_start() {
                    self.two_objects(code, pc - 1, Ub::PtrOrder, (&f.mask, [a, b]));
                }
            }
            Op::MemCopy { id } => self.copy(f, code, &code.tables.copies[id], view)?,
            Op::MemFill { id } => self.fill(f, &code.tables.fills[id], site, view)?,
            Op::Lifetime { slot, live } => {
                let kind = if live { LifetimeOp::Live } else { LifetimeOp::Dead };
                let frame = Self::frame_of(f)?;
                self.strip.locals.lifetime(frame, slot.0.into(), kind, &f.mask);
            }
            Op::Alloca { id } => self.alloca(f, &code.tables.allocas[id], code.fault_place(pc - 1), view)?,
            Op::Atomic { id } => self.atomic(f, &code.tables.atomics[id], site, view)?,
            Op::Count { counter } => {
                if self.worker.state.count(counter, u64::from(f.mask.count())) {
                    self.reached(f, counter, pc)?;
                }
            }
            Op::Fence { id } => {
                let fence = &code.tables.fences[id];
                let first = self.strip.shape.first_thread;
                let block = self.strip.shape.block_index;
                let races = &mut self.worker.mem.grid;
                races.fence(block, (first, &f.mask), fence.order, fence.scope);
                self.block.fence();
            }
            Op::UseLate { id } => self.use_late(f, code, &code.tables.lates[id], view),
            Op::Launch { id } => self.launch(f, &code.tables.launches[id], pc, view)?,
            Op::Va { .. } => return Err(Stop::unsupported("variable arguments in device code")),
            Op::Trap { trap } => {
                let who = self.who(&f.mask);
                return Err(crate::faults::trap(&self.grid.program.module, code, pc - 1, code.tables.traps[trap], who));
            }
            // The loop, the vector operations and `other` do these.
            ops!(ScalarMove | ScalarInt | ScalarFloat | ScalarCompare | ScalarBranch | ScalarAddress)
            | ops!(LaneBranch | Flow | ScalarLoad | Check | VectorCheck | Group | Claim | VectorMove | VectorInt)
            | ops!(VectorFloat | Predicate | VectorAddress | VectorMemory)
            // Only the host has these.
            | Op::Resume { .. }
            | ops!(ScalarStore | HostMemory | HostPair | HostMemoryPair) => {
                return Err(Stop::internal(format!("`{}` in code of the device", op.mnemonic())));
            }
        }
        Ok(())
    }

    /// A special register that differs between lanes.
    fn special_lanes(&mut self, f: &ConvergenceGroup, d: V, reg: SpecialReg, at: (&Code, usize), view: View) {
        if let SpecialReg::TidX | SpecialReg::TidY | SpecialReg::TidZ = reg {
            // Lanes of other convergence groups have theirs, too.
            let n = reg as usize - SpecialReg::TidX as usize;
            let tid = self.strip.tid(n);
            let out = view.v.words_mut(d.0, 1);
            if self.strip.groups.is_empty() && out.len() == tid.len() {
                out.copy_from_slice(tid);
            } else {
                for lane in f.mask.iter() {
                    view.v.set_lane::<u32>(d, lane, tid[lane]);
                }
            }
            return;
        }
        for lane in f.mask.iter() {
            let value = match self.strip.special(reg, lane) {
                Some(v) => v,
                None => self.special(reg, &f.mask, at) as u32,
            };
            view.v.set_lane::<u32>(d, lane, value);
        }
    }

    fn math(&mut self, f: &ConvergenceGroup, desc: &MathDesc, view: View) -> Result<(), Stop> {
        let DeviceTarget::Math(math) = self.grid.resolve(desc.func)? else {
            return Err(Stop::internal("an operation on a function that is not mathematical"));
        };
        let args: SmallVec<[Reg; 3]> = desc.args.iter().map(|a| a.reg).collect();
        Self::apply_math(math, desc.d, &args, &f.mask, view);
        Ok(())
    }

    /// Lanes subtract or order two pointers, which must be of one object.
    fn pointer_pair(
        &mut self,
        f: &ConvergenceGroup,
        regs: [Reg; 2],
        (code, pc, ub): (&Code, usize, Ub),
        view: View,
    ) {
        let pair = |lane| regs.map(|r| Ptr(view.get(r, lane) as u64));
        let parted = |lane: &usize| {
            let [a, b] = pair(*lane);
            a.object_start() != b.object_start()
        };
        let mut lanes = Mask::NONE;
        f.mask.iter().filter(parted).for_each(|lane| lanes.insert(lane));
        if let Some(first) = lanes.lowest() {
            self.two_objects(code, pc - 1, ub, (&lanes, pair(first)));
        }
    }

    fn copy(&mut self, f: &ConvergenceGroup, code: &Code, c: &CopyDesc, view: View) -> Result<(), Stop> {
        self.worker.state.changes += 1;
        let (dst, src) = (addrs(view, c.dst, 0), addrs(view, c.src, 0));
        let len = lens(view, c.len);
        let sites =
            (SiteRef { func: code.func, site: c.dst_site }, SiteRef { func: code.func, site: c.src_site });
        let (mem, mut cx) = self.memory(&f.mask);
        mem.copy_lanes(&mut cx, &dst, &src, len, c.flags.align_log2, sites)
    }

    fn fill(&mut self, f: &ConvergenceGroup, c: &FillDesc, site: SiteRef, view: View) -> Result<(), Stop> {
        self.worker.state.changes += 1;
        let dst = addrs(view, c.dst, 0);
        let (byte, len) = (values(view, c.byte), lens(view, c.len));
        let (mem, mut cx) = self.memory(&f.mask);
        mem.fill_lanes(&mut cx, &dst, byte, len, c.flags.align_log2, site)
    }

    fn alloca(
        &mut self,
        f: &mut ConvergenceGroup,
        a: &AllocaDesc,
        place: Place,
        view: View,
    ) -> Result<(), Stop> {
        let frame = match f.top().locals {
            Some(frame) => frame,
            None => {
                let frame = self.strip.locals.enter(&std::sync::Arc::default(), &f.mask)?;
                f.top_mut().locals = Some(frame);
                frame
            }
        };
        let mut temp: Words16 = [0; 4 * MAX_LANES];
        let out = &mut temp[..2 * self.strip.planes.lanes()];
        let sizes = lens(view, a.size);
        self.strip.locals.alloca(frame, &f.mask, sizes, (a.align_log2, a.scoped), place, out)?;
        for lane in f.mask.iter() {
            view.set(a.d, lane, cudair_lane::pair(out, lane).into());
        }
        Ok(())
    }

    /// Loaded values are used here.
    fn use_late(&mut self, f: &ConvergenceGroup, code: &Code, late: &LateDesc, view: View) {
        for used in &late.uses {
            let lanes = match used.when {
                None => f.mask,
                Some((Reg::P(p), true)) => f.mask.and(&view.v.pred(p)),
                Some((Reg::P(p), false)) => f.mask.without(&view.v.pred(p)),
                Some((reg, wanted)) if (view.get(reg, 0) != 0) == wanted => f.mask,
                Some(_) => continue,
            };
            let site = SiteRef { func: code.func, site: used.site };
            let depth = f.frames.len() as u16;
            let (mem, mut cx) = self.memory(&lanes);
            mem.use_late(&mut cx, site, depth);
        }
    }

    /// The value of a special register that is the same for the lanes of `mask`.
    fn special(&mut self, reg: SpecialReg, mask: &Mask, (code, pc): (&Code, usize)) -> u64 {
        let g = &self.grid.launch;
        let block = self.strip.shape.block_index;
        let value = match reg {
            SpecialReg::CtaidX => block[0],
            SpecialReg::CtaidY => block[1],
            SpecialReg::CtaidZ => block[2],
            SpecialReg::NtidX => g.block[0],
            SpecialReg::NtidY => g.block[1],
            SpecialReg::NtidZ => g.block[2],
            SpecialReg::NctaidX => g.grid[0],
            SpecialReg::NctaidY => g.grid[1],
            SpecialReg::NctaidZ => g.grid[2],
            SpecialReg::Warpsize => 32,
            SpecialReg::Smid => {
                let linear = u64::from(block[0])
                    + u64::from(g.grid[0])
                        * (u64::from(block[1]) + u64::from(g.grid[1]) * u64::from(block[2]));
                let sms = u64::from(
                    self.grid.program.config.device.multiprocessor.multiprocessor_count.max(1).unsigned_abs(),
                );
                return linear % sms;
            }
            SpecialReg::DynSmemSize => g.dynamic_shared as u32,
            SpecialReg::ClusterNctaidX => g.cluster[0],
            SpecialReg::ClusterNctaidY => g.cluster[1],
            SpecialReg::ClusterNctaidZ => g.cluster[2],
            SpecialReg::IsExplicitCluster => u32::from(g.explicit_cluster),
            SpecialReg::Clock | SpecialReg::Globaltimer => {
                // Deterministic: time is what the program has spent.
                return self.worker.state.look_at_clock(code.func.as_u32(), pc);
            }
            SpecialReg::TidX
            | SpecialReg::TidY
            | SpecialReg::TidZ
            | SpecialReg::Laneid
            | SpecialReg::Warpid => match mask.lowest().and_then(|lane| self.strip.special(reg, lane)) {
                Some(value) => value,
                None => unreachable!("no lane asks for {reg:?}"),
            },
        };
        value.into()
    }

    /// Lanes subtract or order pointers to two objects, the first of them these.
    #[cold]
    fn two_objects(&mut self, code: &Code, pc: usize, ub: Ub, (lanes, pair): (&Mask, [Ptr; 2])) {
        let who = self.who(lanes);
        let (mem, cx) = self.memory(lanes);
        let objects = pair.map(|p| mem.object_info(&cx, p));
        self.worker.two_objects(&self.grid.program.module, (code, pc), ub, who, objects);
    }

    fn generic(&mut self, f: &ConvergenceGroup, g: &GenDesc, pc: usize, view: View) -> Result<(), Stop> {
        let code = f.top().code.code();
        if g.d.reg.is_scalar() {
            let (bits, ub) = crate::host::gen_scalar(g, view.s, true);
            if let Some(ub) = ub {
                let who = self.who(&f.mask);
                self.worker.undefined(code, pc - 1, ub, who, &Operands::Read(&|r| view.get(r, 0)))?;
            }
            view.set(g.d.reg, 0, bits);
            return Ok(());
        }
        if g.kind == GenKind::Copy {
            view.copy_from(g.d.reg, view, g.args[0].reg, &f.mask);
            return Ok(());
        }
        if super::usual::usual(g, &f.mask, view) {
            return Ok(());
        }
        let ty = g.args.first().map_or(g.d.ty, |a| a.ty);
        let mut bad: SmallVec<[(Ub, Mask, [u128; 2]); 1]> = SmallVec::new();
        for lane in f.mask.iter() {
            let values: SmallVec<[u128; 3]> = g.args.iter().map(|a| view.get(a.reg, lane)).collect();
            let (bits, ub) = eval::generic(g.kind, &values, ty, g.d.ty, true);
            view.set(g.d.reg, lane, bits & g.d.ty.bit_mask());
            if let Some(ub) = ub {
                match bad.iter_mut().find(|b| b.0 == ub) {
                    Some(b) => b.1.insert(lane),
                    None => {
                        let operand = |n: usize| values.get(n).copied().unwrap_or(0);
                        bad.push((ub, Mask::single(lane), [operand(0), operand(1)]));
                    }
                }
            }
        }
        let mut faults = LaneFaults::default();
        for (ub, lanes, seen) in bad {
            let who: Who = self.who(&lanes);
            match self.worker.undefined(code, pc - 1, ub, who, &Operands::Known(seen)) {
                Err(Stop::Fault(fault)) => faults.add_all(&lanes, *fault),
                other => other?,
            }
        }
        faults.done()
    }

    fn atomic(
        &mut self,
        f: &ConvergenceGroup,
        a: &AtomicDesc,
        site: SiteRef,
        view: View,
    ) -> Result<(), Stop> {
        let bytes = a.ty.access_bytes();
        let acc = Access {
            width: bytes as u8,
            align_log2: bytes.trailing_zeros() as u8,
            volatile: false,
            copy: false,
            late: 0,
            site,
        };
        let none = Values::Uniform(0);
        let value = a.value.map_or(none, |r| values(view, r));
        let expected = a.expected.map_or(none, |r| values(view, r));
        let atomic = match a.kind {
            AtomicKind::Load => Atomic::Load,
            AtomicKind::Store => Atomic::Store(value),
            AtomicKind::Rmw(op) => {
                Atomic::Rmw { op, values: value, bf16: a.ty == Type::BF16, wanted: a.d.is_some() }
            }
            AtomicKind::Cas => Atomic::Cas { expected, new: value },
        };
        let addrs = addrs(view, a.ptr, 0);
        let per = match bytes {
            0..=4 => 1,
            5..=8 => 2,
            _ => 4,
        };
        let (mut narrow, mut wide): ([u32; MAX_LANES], Words16);
        let lanes = self.strip.planes.lanes();
        let out = if per == 1 {
            narrow = [0; MAX_LANES];
            &mut narrow[..lanes]
        } else {
            wide = [0; 4 * MAX_LANES];
            &mut wide[..per * lanes]
        };
        // Whole numbers that are only added up, or the like, come to the same in any order.
        let ordered = a.d.is_some() || !is_commutative(a.kind);
        let done = match self.strip.lane_order(&f.mask).filter(|_| ordered) {
            None => {
                let (mem, mut cx) = self.memory(&f.mask);
                mem.atomic_lanes(&mut cx, &addrs, acc, atomic, a.order, a.scope, out)
            }
            Some(order) => {
                let mut faults = LaneFaults::default();
                for lane in order {
                    let lane = Mask::single(lane);
                    let (mem, mut cx) = self.memory(&lane);
                    match mem.atomic_lanes(&mut cx, &addrs, acc, atomic, a.order, a.scope, out) {
                        Err(Stop::Fault(fault)) => faults.add_all(&lane, *fault),
                        other => other?,
                    }
                }
                faults.done()
            }
        };
        // Where some lanes fault, the others have done it.
        let old = Values::Lanes(out);
        let mut changed = false;
        if let (AtomicKind::Cas, 4) = (a.kind, acc.width) {
            f.mask.for_each(|l| {
                changed |= out[l] == expected.word(l) && value.word(l) != out[l];
            });
        } else {
            changed = f.mask.iter().any(|l| {
                let (v, old) = (value.lane(l, acc.width), old.lane(l, acc.width));
                changes(a.kind, v, expected.lane(l, acc.width), old)
            });
        }
        self.worker.state.changes += u64::from(changed);
        match a.d {
            None => return done,
            Some(Reg::V(d)) => {
                f.mask.for_each(|lane| view.v.set_lane::<u32>(d, lane, out[lane]));
            }
            Some(d) => {
                for lane in f.mask.iter() {
                    view.set(d, lane, Values::Lanes(out).lane(lane, acc.width));
                }
            }
        }
        self.worker.mem.grid.used_atomic();
        done
    }
}

/// Whether an atomic that found `old` may have changed it: what a thread that polls does not.
fn changes(kind: AtomicKind, value: u128, expected: u128, old: u128) -> bool {
    match kind {
        AtomicKind::Load => false,
        AtomicKind::Store => true,
        AtomicKind::Cas => old == expected && value != old,
        AtomicKind::Rmw(AtomicOp::Add | AtomicOp::Sub | AtomicOp::Xor) => value != 0,
        AtomicKind::Rmw(AtomicOp::Xchg) => value != old,
        AtomicKind::Rmw(AtomicOp::Or) => value | old != old,
        AtomicKind::Rmw(AtomicOp::And) => value & old != old,
        AtomicKind::Rmw(_) => true,
    }
}

/// Whether the order in which lanes do it is no matter to what is left in memory.
fn is_commutative(kind: AtomicKind) -> bool {
    use AtomicOp::*;
    matches!(kind, AtomicKind::Load | AtomicKind::Rmw(Add | Sub | And | Or | Xor | Smin | Smax | Umin | Umax))
}

/// Lengths in a register.
fn lens<'a>(view: View, r: Reg) -> Lengths<'a> {
    match r {
        Reg::W(w) => Lengths::Lanes(view.v.words(w.0, 2)),
        _ => Lengths::Uniform(view.get(r, 0) as u64),
    }
}
