//! What the host's loop leaves to others: calls in general, accesses that are not the usual case, and all
//! operations that are not worth a place in the loop.

use super::*;
use crate::faults::call_places;
use crate::machine::ClusterRequest;
use cudair_lane::fault::{SiteRef, Switch};

/// So many calls that led to a place are told at most.
const MAX_CALLS: usize = 32;

/// The place in the user's files that led to `place`, which may be in a library's, by the frames that it is in.
pub(super) fn user_place(m: &Machine, frames: &[Frame], place: Place) -> Place {
    let source = &m.module.source;
    let Some(loc) = m.loc_of(place) else { return place };
    let found = source.outside_libraries(loc);
    if found == Some(loc) {
        return place;
    }
    let found = found.or_else(|| outer_calls(frames).find_map(|call| source.outside_libraries(call)));
    found.map_or(place, Place::Loc)
}

/// Where each frame but the innermost calls the next one, innermost first.
fn outer_calls(frames: &[Frame]) -> impl Iterator<Item = Loc> {
    call_places(frames.iter().rev().skip(1).map(|f| (f.code, f.pc)))
}

/// The same, as much of it as reports tell.
pub(super) fn calls(frames: &[Frame]) -> Box<[Loc]> {
    outer_calls(frames).take(MAX_CALLS).collect()
}

impl Host<'_> {
    /// Calls in general. On return the innermost frame is where to go on.
    #[inline(never)]
    pub(super) fn call(&mut self, desc: &CallDesc, pc: usize, s: Words) -> Result<(), Stop> {
        let Some(frame) = self.frames.last_mut() else { return Ok(()) };
        frame.pc = pc;
        let code = frame.code.code();
        let place = code.fault_place(pc - 1);
        let module = &self.m.module;
        let func = match desc.callee {
            Callee::Direct(func) => func,
            Callee::Indirect { ptr, sig } => {
                let func = code_pointer(module, Ptr(read(s, ptr) as u64), place)?;
                check_signature(module, func, &module.sigs[sig], place)?;
                func
            }
        };
        if module.funcs[func].side == Side::Kernel {
            self.plain_kernel_call(func, place);
            return Ok(());
        }
        let target = self.m.resolve_host(func)?;
        if let (HostTarget::Code(code), Callee::Indirect { ptr: Reg::S(ptr), sig }) = (target, desc.callee) {
            self.m.engine.host.code.remember_indirect(Ptr(s.get(ptr)), sig, code);
        }
        // One by one, which is faster than to collect the few that there are.
        let mut values: SmallVec<[u128; 8]> = SmallVec::new();
        for arg in &desc.args {
            values.push(read(s, arg.reg));
        }
        let result = match target {
            HostTarget::Code(callee) => {
                let base = self.enter(callee, pc)?;
                let code = callee.code();
                let t = self.stack.frame(base, code);
                t.set_consts(code);
                for (param, &bits) in code.params.iter().zip(&values) {
                    write(t, param.reg, bits);
                }
                if code.variadic {
                    let extra = values.iter().zip(&desc.args).skip(code.params.len());
                    let id = self.m.engine.host.va.enter(extra.map(|(&v, a)| (v, a.ty)).collect());
                    if let Some(frame) = self.frames.last_mut() {
                        frame.arguments = id;
                    }
                }
                return Ok(());
            }
            HostTarget::Native(native) => {
                let mut types: SmallVec<[Type; 8]> = SmallVec::new();
                for arg in &desc.args {
                    types.push(arg.ty);
                }
                let f = &self.m.module.funcs[func];
                let fixed = f.sig.params.len().min(values.len());
                // What a container allocates is allocated where the user's code asks for it, and what it asks
                // of the runtime is asked there.
                let is_asked_of_user = matches!(f.name.get(..3), Some("_Zn" | "_Zd" | "cud"));
                let is_cuda = f.name.starts_with("cu");
                let place = if is_asked_of_user { self.user_place(place) } else { place };
                if is_cuda {
                    self.m.engine.host.calls = calls(&self.frames);
                }
                let loc = self.m.loc_of(place);
                let ret =
                    native.call(self.m, &Args { values: &values, types: &types, fixed, func, place, loc });
                self.trace_new();
                // It may have waited, or worked, for long. Why it stopped, where it did, comes first.
                if ret.is_ok() {
                    self.m.engine.worker.watch.check()?;
                }
                match (ret, desc.ret) {
                    (Err(Stop::Switch(Switch::After(bits))), Some(ret)) => {
                        write(s, ret.reg, u128::from(bits) & ret.ty.bit_mask());
                        return Err(Stop::Switch(Switch::After(0)));
                    }
                    (ret, _) => ret?.bits(),
                }
            }
            HostTarget::Math(math) => math.call_bits(&values),
            HostTarget::SetJmp => {
                self.set_jump(Ptr(values.first().map_or(0, |&v| v as u64)), desc.ret, place)?;
                0
            }
            HostTarget::LongJmp => {
                let value = values.get(1).map_or(0, |&v| v as u32);
                let buf = Ptr(values.first().map_or(0, |&v| v as u64));
                return self.long_jump(buf, if value == 0 { 1 } else { value }, place);
            }
            HostTarget::Unresolved => return Err(Stop::internal("a call was not resolved")),
        };
        if let Some(ret) = desc.ret {
            write(s, ret.reg, result & ret.ty.bit_mask());
        }
        Ok(())
    }

    /// A kernel's address is called without a configuration. What stands there for the host finds none and returns.
    fn plain_kernel_call(&mut self, func: FuncId, place: Place) {
        let name = self.m.module.funcs[func].display_name.clone();
        let message = format!("the kernel `{name}` is called like a function: nothing is launched");
        let help = "launch it with `<<<grid, block>>>`, or by `cudaLaunchKernel`".to_owned();
        let place = self.user_place(place);
        self.m
            .findings
            .note(Fault::other(Kind::InvalidLaunch, place, message, "called here").with_help(help));
    }

    /// The place in the user's files that led to `place`, which may be in a library's.
    pub(super) fn user_place(&self, place: Place) -> Place {
        user_place(self.m, &self.frames, place)
    }

    /// Pointers to two objects are subtracted or ordered.
    #[cold]
    fn two_objects(&mut self, code: &Code, pc: usize, ub: Ub, pair: [Ptr; 2]) {
        let cx = LaneCx::host(&mut self.m.findings);
        let objects = pair.map(|p| self.m.mem.object_info(&cx, p));
        let module = self.m.module.clone();
        self.m.two_objects(&module, (code, pc), ub, Who::HOST, objects);
        self.trace();
    }

    /// Operations that are not worth a place in the loop.
    #[inline(never)]
    pub(super) fn rare(&mut self, op: &Op, pc: usize, s: Words) -> Result<(), Stop> {
        let Some(&frame) = self.frames.last() else { return Ok(()) };
        let code = frame.code.code();
        let place = code.fault_place(pc - 1);
        let locals = || frame.locals().ok_or_else(|| Stop::internal("a local variable without a frame"));
        let site = code.site(pc - 1);
        match *op {
            Op::PtrDiff { d, a, b } => {
                let (a, b) = (Ptr(s.get(a)), Ptr(s.get(b)));
                s.set(d, a.0.wrapping_sub(b.0));
                if a.object_start() != b.object_start() {
                    self.two_objects(code, pc - 1, Ub::PtrDiff, [a, b]);
                }
            }
            Op::PtrCmp { d, a, b, cc } => {
                let (a, b) = (Ptr(s.get(a)), Ptr(s.get(b)));
                s.set(d, eval::icmp(cc, Type::I64, a.0.into(), b.0.into()).into());
                if a.object_start() != b.object_start() {
                    self.two_objects(code, pc - 1, Ub::PtrOrder, [a, b]);
                }
            }
            Op::Math { id } => self.math(&code.tables.maths[id], s)?,
            Op::MemCopy { id } => self.copy(code, &code.tables.copies[id], s)?,
            Op::MemFill { id } => self.fill(&code.tables.fills[id], site, s)?,
            Op::UseLate { id } => self.use_late(code, &code.tables.lates[id], s),
            Op::Lifetime { slot, live } => {
                let kind = if live { LifetimeOp::Live } else { LifetimeOp::Dead };
                self.m.mem.host.lifetime(locals()?, slot.0.into(), kind, place);
            }
            Op::Alloca { id } => {
                let a = &code.tables.allocas[id];
                let size = read(s, a.size) as u64;
                let frame = match frame.locals() {
                    Some(f) => f,
                    None => self.late_frame()?,
                };
                let p = self.m.mem.host.alloca(frame, size, 1 << a.align_log2.min(63), place, a.scoped)?;
                write(s, a.d, p.0.into());
            }
            Op::Atomic { id } => return self.atomic(&code.tables.atomics[id], site, s),
            // The host has one thread: a fence orders nothing that program order does not.
            Op::Fence { .. } => {}
            // The host's loop counts.
            Op::Count { .. } => {}
            Op::Launch { id } => {
                let request = self.launch_request(&code.tables.launches[id], s, place)?;
                let error = self.m.device.launch(self.m, request)?;
                if let Some(d) = code.tables.launches[id].d {
                    write(s, d, u128::from(error as u32));
                }
            }
            Op::Va { id } => self.argument_list(&code.tables.vas[id], frame.va(), place, s)?,
            Op::Resume { a } => {
                if let Some(frame) = self.frames.last_mut() {
                    frame.pc = pc;
                }
                return Err(Stop::Throw(Ptr(s.get(a))));
            }
            Op::Trap { trap } => {
                return Err(crate::faults::trap(&self.m.module, code, pc - 1, code.tables.traps[trap], Who::HOST));
            }
            ops!(ScalarLoad | ScalarStore | HostMemory | HostMemoryPair) => return self.memory(pc, s),
            // The loop does these.
            ops!(ScalarMove | ScalarInt | ScalarFloat | ScalarCompare | ScalarBranch | ScalarAddress)
            | ops!(Flow | HostPair | Variable | Generic | Check)
            // Only the device has these.
            | Op::PtrPair { .. }
            | Op::Special { .. }
            | ops!(LaneBranch | VectorCheck | Group | Claim | VectorMove | VectorInt | VectorFloat | Predicate)
            | ops!(VectorAddress | LaneValue | VectorMemory) => {
                return Err(Stop::internal(format!("`{}` in code of the host", op.mnemonic())));
            }
        }
        Ok(())
    }

    fn math(&mut self, desc: &MathDesc, s: Words) -> Result<(), Stop> {
        let values: SmallVec<[u128; 3]> = desc.args.iter().map(|a| read(s, a.reg)).collect();
        let HostTarget::Math(f) = self.m.resolve_host(desc.func)? else {
            return Err(Stop::internal("an operation on a function that is not mathematical"));
        };
        write(s, desc.d.reg, f.call_bits(&values) & desc.d.ty.bit_mask());
        Ok(())
    }

    fn copy(&mut self, code: &Code, c: &CopyDesc, s: Words) -> Result<(), Stop> {
        let dst = Addrs::Uniform(Ptr(read(s, c.dst) as u64));
        let src = Addrs::Uniform(Ptr(read(s, c.src) as u64));
        let len = Lengths::Uniform(read(s, c.len) as u64);
        let sites =
            (SiteRef { func: code.func, site: c.dst_site }, SiteRef { func: code.func, site: c.src_site });
        let cx = &mut LaneCx::host(&mut self.m.findings);
        self.m.mem.copy_lanes(cx, &dst, &src, len, c.flags.align_log2, sites)
    }

    fn fill(&mut self, f: &FillDesc, site: SiteRef, s: Words) -> Result<(), Stop> {
        let dst = Addrs::Uniform(Ptr(read(s, f.dst) as u64));
        let byte = Values::Uniform(read(s, f.byte) & 0xff);
        let len = Lengths::Uniform(read(s, f.len) as u64);
        let cx = &mut LaneCx::host(&mut self.m.findings);
        self.m.mem.fill_lanes(cx, &dst, byte, len, f.flags.align_log2, site)
    }

    /// Loaded values are used here.
    fn use_late(&mut self, code: &Code, late: &LateDesc, s: Words) {
        let depth = self.frames.len() as u16;
        for used in &late.uses {
            if used.when.is_none_or(|(reg, wanted)| (read(s, reg) != 0) == wanted) {
                let site = SiteRef { func: code.func, site: used.site };
                self.m.mem.use_late(&mut LaneCx::host(&mut self.m.findings), site, depth);
            }
        }
    }

    fn atomic(&mut self, a: &AtomicDesc, site: SiteRef, s: Words) -> Result<(), Stop> {
        let operand = |reg: Option<Reg>| match reg {
            Some(reg) => Values::Uniform(read(s, reg)),
            None => unreachable!("{:?} lacks an operand", a.kind),
        };
        let atomic = match a.kind {
            AtomicKind::Load => Atomic::Load,
            AtomicKind::Store => Atomic::Store(operand(a.value)),
            AtomicKind::Rmw(op) => {
                let (bf16, wanted) = (a.ty == Type::BF16, a.d.is_some());
                Atomic::Rmw { op, values: operand(a.value), bf16, wanted }
            }
            AtomicKind::Cas => Atomic::Cas { expected: operand(a.expected), new: operand(a.value) },
        };
        let bytes = a.ty.access_bytes();
        let acc = Access {
            width: bytes as u8,
            align_log2: bytes.trailing_zeros() as u8,
            volatile: false,
            copy: false,
            late: 0,
            site,
        };
        let addr = Addrs::Uniform(Ptr(read(s, a.ptr) as u64));
        let mut out = [0u32; 4];
        let cx = &mut LaneCx::host(&mut self.m.findings);
        self.m.mem.atomic_lanes(cx, &addr, acc, atomic, a.order, a.scope, &mut out)?;
        if let Some(d) = a.d {
            let bits = (0..4).fold(0, |bits, i| bits | u128::from(out[i]) << (32 * i));
            write(s, d, bits & a.ty.bit_mask());
        }
        if matches!(a.kind, AtomicKind::Load | AtomicKind::Cas) && self.m.threads.spun() {
            return Err(Stop::Switch(Switch::After(0)));
        }
        Ok(())
    }

    fn argument_list(&mut self, va: &VaDesc, own: Option<VaId>, place: Place, s: Words) -> Result<(), Stop> {
        match *va {
            VaDesc::Start { list } => va_start(self.m, Ptr(s.get(list)), own, place),
            VaDesc::End { list } => va_end(self.m, Ptr(s.get(list)), place),
            VaDesc::Copy { dst, src } => va_copy(self.m, Ptr(s.get(dst)), Ptr(s.get(src)), place),
            VaDesc::Arg { list, d } => {
                let bits = self.m.va_arg(Ptr(s.get(list)), d.ty, place)?;
                write(s, d.reg, bits);
                Ok(())
            }
        }
    }

    /// A load at `site` whose value is used later takes the place of the last one.
    #[cold]
    pub(super) fn loaded_again(&mut self, site: SiteRef) {
        let depth = self.frames.len() as u16;
        self.m.mem.load_late(&mut LaneCx::host(&mut self.m.findings), site, depth);
    }

    /// The load or store before `pc`, in general.
    #[inline(never)]
    pub(super) fn memory(&mut self, pc: usize, s: Words) -> Result<(), Stop> {
        let Some(&frame) = self.frames.last() else { return Ok(()) };
        let code = frame.code.code();
        let Some((what, acc, at)) = code.ops.get(pc - 1).and_then(|&op| access(op, s)) else {
            let op = code.ops.get(pc - 1).map_or("nothing", |op| op.mnemonic());
            return Err(Stop::internal(format!("`{op}` in code of the host")));
        };
        let width = acc.bytes() as u8;
        let access = Access {
            width,
            align_log2: acc.align().trailing_zeros() as u8,
            volatile: acc.volatile(),
            copy: acc.copy(),
            late: if acc.late() { self.frames.len() as u16 } else { 0 },
            site: code.site(pc - 1),
        };
        let (mem, findings) = (&mut self.m.mem, &mut self.m.findings);
        if access.late != 0 {
            mem.load_late(&mut LaneCx::host(findings), access.site, access.late);
        }
        let ptr = match at {
            At::Ptr(ptr) => ptr,
            At::Slot(slot, offset) => {
                let frame = frame.slots;
                if !acc.copy() {
                    match what {
                        What::Load(d) => s.set(d, mem.host_load_slot(frame, slot, offset, access, findings)?),
                        What::Store(v) => mem.host_store_slot(frame, slot, offset, access, s.get(v))?,
                        What::LoadWide(d) => {
                            s.set2(d, mem.host_load_slot_wide(frame, slot, offset, access, findings)?);
                        }
                        What::StoreWide(v) => {
                            mem.host_store_slot_wide(frame, slot, offset, access, s.get2(v))?;
                        }
                    }
                    return Ok(());
                }
                mem.host.addr(frame, slot).add(offset)
            }
        };
        match what {
            What::Load(d) => {
                s.set(d, mem.host_load(ptr, access, findings)?);
                if acc.copy() {
                    s.set(S(d.0 + 1), mem.host_init(ptr, width).into());
                }
            }
            What::Store(v) => {
                mem.host_store(ptr, access, s.get(v))?;
                if acc.copy() {
                    mem.host_set_init(ptr, width, s.get(S(v.0 + 1)) as u16);
                }
            }
            What::LoadWide(d) => {
                s.set2(d, mem.host_load_wide(ptr, access, findings)?);
                if acc.copy() {
                    s.set(S(d.0 + 2), mem.host_init(ptr, width).into());
                }
            }
            What::StoreWide(v) => {
                mem.host_store_wide(ptr, access, s.get2(v))?;
                if acc.copy() {
                    mem.host_set_init(ptr, width, s.get(S(v.0 + 2)) as u16);
                }
            }
        }
        mem.quick_again(ptr);
        Ok(())
    }

    /// A frame for `alloca` in a function without variables in memory.
    fn late_frame(&mut self) -> Result<HostFrame, Stop> {
        let frame = self.m.mem.host.enter(&std::sync::Arc::default())?;
        if let Some(f) = self.frames.last_mut() {
            f.slots = frame;
        }
        Ok(frame)
    }

    fn launch_request(&mut self, desc: &LaunchDesc, s: Words, place: Place) -> Result<LaunchRequest, Stop> {
        let module = self.m.module.clone();
        let kernel = match desc.kernel {
            Callee::Direct(f) => f,
            Callee::Indirect { ptr, sig } => {
                let f = code_pointer(&self.m.module, Ptr(read(s, ptr) as u64), place)?;
                check_signature(&module, f, &module.sigs[sig], place)?;
                f
            }
        };
        // The verifier counts a launch's operands.
        let value = |i: usize| read(s, desc.args[i].reg);
        let dims = |at: usize| std::array::from_fn(|i| value(at + i) as u32);
        self.m.engine.host.calls = calls(&self.frames);
        // A library launches where the user's code calls it.
        let place = self.user_place(place);
        Ok(LaunchRequest {
            kernel,
            grid: dims(0),
            block: dims(3),
            cluster: ClusterRequest::default(),
            dynamic_shared: value(6) as u64,
            stream: Ptr(value(7) as u64),
            args: desc.args.iter().skip(8).map(|a| read(s, a.reg)).collect(),
            place,
            loc: self.m.loc_of(place),
        })
    }
}

/// What an operation moves, and the register.
enum What {
    Load(S),
    LoadWide(S2),
    Store(S),
    StoreWide(S2),
}

/// Where it accesses.
enum At {
    Ptr(Ptr),
    Slot(u32, i64),
}

/// Takes a load or a store apart.
fn access(op: Op, s: Words) -> Option<(What, MemAcc, At)> {
    let pointer = |base: S, offset: i64| At::Ptr(Ptr(s.get(base)).add(offset));
    let local = |slot: SlotId, offset: i64| At::Slot(slot.0.into(), offset);
    let bytes = |index: S, scale: u16, disp: i32, acc: MemAcc| offset(s, index, scale, disp, acc.ext());
    families! {
        Some(match op {
            @for (N r Does) in [(Ld d Load) (St v Store)] {
                // General accesses, and the usual ones where something was not as usual.
                @for (B To Ways) in [
                    (8 Does (() Q)) (16 Does (() Q)) (32 Does (() Q)) (64 Does (() Q)) (128 Does~Wide (()))
                ] {
                    @for Q in [Ways] {
                        Op::N~Q~B { r, base, disp, acc } => (What::To(r), acc, pointer(base, disp.into())),
                        Op::N~Sl~Q~B { r, slot, disp, acc } => (What::To(r), acc, local(slot, disp.into())),
                    }
                }
                @for (B To Ways) in [
                    (8 Does (() Q L)) (16 Does (() Q L)) (32 Does (() Q L)) (64 Does (() Q L)) (128 Does~Wide (()))
                ] {
                    @for Q in [Ways] {
                        Op::N~x~Q~B { r, base, index, scale, disp, acc } => {
                            (What::To(r), acc, pointer(base, bytes(index, scale, disp, acc)))
                        }
                        Op::N~xSl~Q~B { r, slot, index, scale, disp, acc } => {
                            (What::To(r), acc, local(slot, bytes(index, scale, disp, acc)))
                        }
                    }
                }
            }
            // The first operations of pairs.
            @for (First Seconds) in [(LdQ8 (Br)) (LdQ32 (LdQ32)) (LdQ64 (LdxQ32 LdQ64 Br))] {
                @for Second in [Seconds] {
                    Op::First~Then~Second { d, base, disp, acc } => {
                        (What::Load(d), acc, pointer(base, disp.into()))
                    }
                }
            }
            @for (First Seconds) in [
                (LdxQ8 (Br LdxL32)) (LdxQ32 (LdxQ32 MulF32 AddF32 SubF32 Br)) (LdxQ64 (LdxQ64 MulF64 AddF64))
            ] {
                @for Second in [Seconds] {
                    Op::First~Then~Second { d, base, index, scale, disp, acc } => {
                        (What::Load(d), acc, pointer(base, bytes(index, scale, disp, acc)))
                    }
                }
            }
            @for B in [8 32 64] {
                Op::StxQ~B~ThenInc { v, base, index, scale, disp, acc } => {
                    (What::Store(v), acc, pointer(base, bytes(index, scale, disp, acc)))
                }
            }
            ops!(ScalarMove | ScalarInt | ScalarFloat | ScalarCompare | ScalarBranch | ScalarAddress)
            | ops!(LaneBranch | Flow | Leave | HostPair | Variable | Address | Generic | Check)
            | ops!(VectorCheck | Group | Rare | Claim | VectorMove | VectorInt | VectorFloat | Predicate)
            | ops!(VectorAddress | LaneValue | VectorMemory) => return None,
        })
    }
}
