//! The host's loop: scalar operations, one lane.

use super::cache::HostTarget;
use super::eval::{self, FloatMinMax, Ub};
use super::faults::{Who, locate};
use super::regs::{CodeRef, WordStack, Words};
use super::scalar::*;
use super::va::{VaId, va_arg, va_copy, va_end, va_start};
use super::{BUDGET, native};
use crate::bytecode::*;
use crate::fault::{Fault, Place, Stop};
use crate::machine::{Args, LaunchRequest, Machine, Ret};
use crate::memory::{Access, Addrs, Atomic, HostFrame, LaneCx, Lens, Values};
use crate::ptr::{Ptr, Tag};
use cudair_ir::*;
use smallvec::SmallVec;

/// Nested activations of the host's loop at most: each holds a part of the machine's own stack.
const MAX_ACTIVATIONS: u32 = 128;

/// A frame of the host.
#[derive(Clone, Copy, Debug)]
pub(super) struct Frame {
    pub(super) code: CodeRef,
    /// The operation after the call that this frame is in.
    pub(super) pc: usize,
    /// The first of its scalar registers.
    pub(super) base: usize,
    locals: Option<HostFrame>,
    va: Option<VaId>,
    /// Which frame of all that were ever entered.
    pub(super) serial: u64,
}

/// One activation of the loop: `main`, or a callback of a native function.
pub(super) struct Host<'m> {
    pub(super) m: &'m mut Machine,
    pub(super) stack: WordStack,
    /// The frames; the last one runs.
    pub(super) frames: Vec<Frame>,
    pub(super) activation: u32,
}

/// Calls a function of the program by its pointer.
pub(crate) fn call_guest(m: &mut Machine, func: Ptr, args: &[u128], place: Place) -> Result<Ret, Stop> {
    let id = code_pointer(m, func, place)?;
    m.engine.callback()?;
    let module = m.module.clone();
    let f = &module.funcs[id];
    let ret = f.sig.ret;
    let bits = match m.resolve_host(id)? {
        HostTarget::Code(code) => run(m, code, args)?,
        HostTarget::Native(native) => {
            let types: SmallVec<[Type; 8]> = f.sig.params.iter().map(|p| p.ty).collect();
            let n = args.len().min(types.len());
            let args = Args {
                values: &args[..n],
                types: &types[..n],
                fixed: n,
                func: id,
                place,
                loc: m.loc_of(place),
            };
            native(m, &args)?.bits()
        }
        HostTarget::Math(math) => native::math(math, args),
        HostTarget::SetJmp | HostTarget::LongJmp | HostTarget::Unresolved => {
            return Err(Stop::unsupported(format!("`{}` called through a pointer", f.display_name)));
        }
    };
    Ok(match ret {
        None => Ret::Void,
        Some(ty) if ty.bits() > 64 => Ret::Wide(bits),
        Some(_) => Ret::Word(bits as u64),
    })
}

/// The function that a pointer names.
pub(crate) fn code_pointer(m: &Machine, ptr: Ptr, place: Place) -> Result<FuncId, Stop> {
    let what = match ptr.tag() {
        Tag::Code if ptr.offset() == 0 && (ptr.serial() as usize) < m.module.funcs.len() => {
            return Ok(FuncId::from_u32(ptr.serial()));
        }
        _ if ptr.is_null() => "a null function pointer is called",
        Tag::Code => "a pointer into the middle of a function is called",
        _ => "a pointer that is not a function's is called",
    };
    let mut fault = Fault::other(Kind::UndefinedBehavior, place, what, "called here");
    fault.ptr = ptr;
    Err(fault.into())
}

/// Runs a function of the host to its end.
pub(crate) fn run(m: &mut Machine, code: CodeRef, args: &[u128]) -> Result<u128, Stop> {
    if m.engine.activations >= MAX_ACTIVATIONS {
        return Err(Stop::limit(format!(
            "more than {MAX_ACTIVATIONS} library functions that call back into the program are nested"
        )));
    }
    m.engine.activations += 1;
    let depth = m.engine.depth;
    let stack = m.engine.stacks.pop().unwrap_or_default();
    let activation = m.engine.activations;
    let mut host = Host { m, stack, frames: Vec::new(), activation };
    let result = host.start(code, args).and_then(|()| host.run());
    let Host { m, stack, frames, .. } = host;
    // After a stop frames are left over.
    if let Some(first) = frames.iter().find_map(|f| f.locals) {
        m.mem.host.leave(first);
    }
    if let Some(first) = frames.iter().find_map(|f| f.va) {
        m.engine.va.leave(first);
    }
    m.engine.depth = depth;
    m.engine.stacks.push(stack);
    m.engine.activations -= 1;
    result
}

impl Host<'_> {
    /// Enters the first function.
    fn start(&mut self, code: CodeRef, args: &[u128]) -> Result<(), Stop> {
        let s = self.push(code, 0)?;
        s.set_consts(code.code());
        for (param, &bits) in code.code().params.iter().zip(args) {
            write(s, param.reg, bits);
        }
        Ok(())
    }

    /// Pushes a frame whose registers start at word `base`. Its constants and arguments are not there yet.
    #[inline(always)]
    fn push(&mut self, code: CodeRef, base: usize) -> Result<Words, Stop> {
        let s = self.stack.frame(base, code.code());
        let engine = &mut self.m.engine;
        engine.depth += 1;
        engine.serial += 1;
        if engine.depth > engine.limits.depth {
            return Err(self.overflow());
        }
        let serial = engine.serial;
        let locals = match &code.unit().layout {
            Some(layout) => Some(self.m.mem.host.enter(layout)?),
            None => None,
        };
        self.frames.push(Frame { code, pc: 0, base, locals, va: None, serial });
        Ok(s)
    }

    #[cold]
    fn overflow(&self) -> Stop {
        Stop::limit(format!("the call stack is deeper than {} frames", self.m.engine.limits.depth))
    }

    /// Runs until the first frame returns.
    fn run(&mut self) -> Result<u128, Stop> {
        let mut pc = 0;
        self.run_from(&mut pc).map_err(|stop| match self.frames.last() {
            Some(frame) => locate(&self.m.module, frame.code.code(), pc.saturating_sub(1), stop),
            None => stop,
        })
    }

    fn run_from(&mut self, at: &mut usize) -> Result<u128, Stop> {
        let mut budget = BUDGET;
        let Some(&frame) = self.frames.last() else { return Ok(0) };
        let mut code = frame.code;
        let mut ops = code.ops();
        let mut locals = frame.locals;
        let mut s = self.stack.frame(frame.base, code.code());
        // The operation after the one that runs.
        let mut pc = 0usize;

        macro_rules! tick {
            () => {{
                budget -= 1;
                if budget == 0 {
                    budget = BUDGET;
                    *at = pc;
                    self.m.engine.spend(u64::from(BUDGET))?;
                }
            }};
        }
        macro_rules! jump {
            ($target:expr) => {{
                let target = $target.index();
                if target < pc {
                    tick!();
                }
                pc = target;
            }};
        }
        macro_rules! ub {
            ($ub:expr) => {{
                *at = pc;
                self.m.undefined(code.code(), pc - 1, $ub, Who::HOST)?;
            }};
        }
        // A fault keeps the place; evaluation of `at` is left to the failing path.
        macro_rules! check {
            ($e:expr) => {
                match $e {
                    Ok(v) => v,
                    Err(stop) => {
                        *at = pc;
                        return Err(stop);
                    }
                }
            };
        }
        macro_rules! access {
            ($acc:expr) => {
                Access {
                    width: $acc.bytes() as u8,
                    align_log2: $acc.align().trailing_zeros() as u8,
                    volatile: $acc.volatile(),
                    copy: $acc.copy(),
                    site: code.code().site(pc - 1),
                }
            };
        }
        macro_rules! load {
            ($d:expr, $acc:expr, $width:literal, $ptr:expr) => {{
                let ptr = $ptr;
                let acc = Access { width: $width, ..access!($acc) };
                s.set($d, check!(self.m.mem.host_load(ptr, acc, &mut self.m.findings)));
                if $acc.copy() {
                    s.set(S($d.0 + 1), self.m.mem.host_init(ptr, $width).into());
                }
            }};
        }
        macro_rules! load_wide {
            ($d:expr, $acc:expr, $ptr:expr) => {{
                let ptr = $ptr;
                s.set2($d, check!(self.m.mem.host_load_wide(ptr, access!($acc), &mut self.m.findings)));
                if $acc.copy() {
                    s.set(S($d.0 + 2), self.m.mem.host_init(ptr, 16).into());
                }
            }};
        }
        macro_rules! store {
            ($v:expr, $acc:expr, $width:literal, $ptr:expr) => {{
                let ptr = $ptr;
                let acc = Access { width: $width, ..access!($acc) };
                check!(self.m.mem.host_store(ptr, acc, s.get($v)));
                if $acc.copy() {
                    self.m.mem.host_set_init(ptr, $width, s.get(S($v.0 + 1)) as u16);
                }
            }};
        }
        macro_rules! store_wide {
            ($v:expr, $acc:expr, $ptr:expr) => {{
                let ptr = $ptr;
                check!(self.m.mem.host_store_wide(ptr, access!($acc), s.get2($v)));
                if $acc.copy() {
                    self.m.mem.host_set_init(ptr, 16, s.get(S($v.0 + 2)) as u16);
                }
            }};
        }
        macro_rules! frame {
            () => {
                match locals {
                    Some(f) => f,
                    None => {
                        *at = pc;
                        return Err(Stop::internal("a local variable without a frame"));
                    }
                }
            };
        }
        macro_rules! load_slot {
            ($d:expr, $slot:expr, $acc:expr, $width:literal, $offset:expr) => {{
                let f = frame!();
                if $acc.copy() {
                    load!($d, $acc, $width, self.m.mem.host.addr(f, $slot.0.into()).add($offset));
                } else {
                    let acc = Access { width: $width, ..access!($acc) };
                    let slot = u32::from($slot.0);
                    let offset = $offset;
                    s.set($d, check!(self.m.mem.host_load_slot(f, slot, offset, acc, &mut self.m.findings)));
                }
            }};
        }
        macro_rules! store_slot {
            ($v:expr, $slot:expr, $acc:expr, $width:literal, $offset:expr) => {{
                let f = frame!();
                if $acc.copy() {
                    store!($v, $acc, $width, self.m.mem.host.addr(f, $slot.0.into()).add($offset));
                } else {
                    let acc = Access { width: $width, ..access!($acc) };
                    let offset = $offset;
                    check!(self.m.mem.host_store_slot(f, $slot.0.into(), offset, acc, s.get($v)));
                }
            }};
        }
        macro_rules! slot_ptr {
            ($slot:expr, $offset:expr) => {{
                let f = frame!();
                self.m.mem.host.addr(f, $slot.0.into()).add($offset)
            }};
        }
        // Takes up the innermost frame.
        macro_rules! reload {
            ($frame:expr) => {{
                let frame: Frame = $frame;
                code = frame.code;
                ops = code.ops();
                locals = frame.locals;
                s = self.stack.frame(frame.base, code.code());
            }};
        }

        loop {
            let op = ops.at(pc);
            pc += 1;
            scalar_match!(op, s, false, ub, jump, {
                Op::Ld8 { d, base, disp, acc } => load!(d, acc, 1, Ptr(s.get(base)).add(disp.into())),
                Op::Ld16 { d, base, disp, acc } => load!(d, acc, 2, Ptr(s.get(base)).add(disp.into())),
                Op::Ld32 { d, base, disp, acc } => load!(d, acc, 4, Ptr(s.get(base)).add(disp.into())),
                Op::Ld64 { d, base, disp, acc } => load!(d, acc, 8, Ptr(s.get(base)).add(disp.into())),
                Op::Ld128 { d, base, disp, acc } => load_wide!(d, acc, Ptr(s.get(base)).add(disp.into())),
                Op::Ldx8 { d, base, index, scale, disp, acc } =>
                    load!(d, acc, 1, indexed(s, base, index, scale, disp, acc.ext())),
                Op::Ldx16 { d, base, index, scale, disp, acc } =>
                    load!(d, acc, 2, indexed(s, base, index, scale, disp, acc.ext())),
                Op::Ldx32 { d, base, index, scale, disp, acc } =>
                    load!(d, acc, 4, indexed(s, base, index, scale, disp, acc.ext())),
                Op::Ldx64 { d, base, index, scale, disp, acc } =>
                    load!(d, acc, 8, indexed(s, base, index, scale, disp, acc.ext())),
                Op::Ldx128 { d, base, index, scale, disp, acc } =>
                    load_wide!(d, acc, indexed(s, base, index, scale, disp, acc.ext())),
                Op::LdSl8 { d, slot, disp, acc } => load_slot!(d, slot, acc, 1, i64::from(disp)),
                Op::LdSl16 { d, slot, disp, acc } => load_slot!(d, slot, acc, 2, i64::from(disp)),
                Op::LdSl32 { d, slot, disp, acc } => load_slot!(d, slot, acc, 4, i64::from(disp)),
                Op::LdSl64 { d, slot, disp, acc } => load_slot!(d, slot, acc, 8, i64::from(disp)),
                Op::LdSl128 { d, slot, disp, acc } => load_wide!(d, acc, slot_ptr!(slot, disp.into())),
                Op::LdxSl8 { d, slot, index, scale, disp, acc } =>
                    load_slot!(d, slot, acc, 1, offset(s, index, scale, disp, acc.ext())),
                Op::LdxSl16 { d, slot, index, scale, disp, acc } =>
                    load_slot!(d, slot, acc, 2, offset(s, index, scale, disp, acc.ext())),
                Op::LdxSl32 { d, slot, index, scale, disp, acc } =>
                    load_slot!(d, slot, acc, 4, offset(s, index, scale, disp, acc.ext())),
                Op::LdxSl64 { d, slot, index, scale, disp, acc } =>
                    load_slot!(d, slot, acc, 8, offset(s, index, scale, disp, acc.ext())),
                Op::LdxSl128 { d, slot, index, scale, disp, acc } =>
                    load_wide!(d, acc, slot_ptr!(slot, offset(s, index, scale, disp, acc.ext()))),
                Op::St8 { v, base, disp, acc } => store!(v, acc, 1, Ptr(s.get(base)).add(disp.into())),
                Op::St16 { v, base, disp, acc } => store!(v, acc, 2, Ptr(s.get(base)).add(disp.into())),
                Op::St32 { v, base, disp, acc } => store!(v, acc, 4, Ptr(s.get(base)).add(disp.into())),
                Op::St64 { v, base, disp, acc } => store!(v, acc, 8, Ptr(s.get(base)).add(disp.into())),
                Op::St128 { v, base, disp, acc } => store_wide!(v, acc, Ptr(s.get(base)).add(disp.into())),
                Op::Stx8 { v, base, index, scale, disp, acc } =>
                    store!(v, acc, 1, indexed(s, base, index, scale, disp, acc.ext())),
                Op::Stx16 { v, base, index, scale, disp, acc } =>
                    store!(v, acc, 2, indexed(s, base, index, scale, disp, acc.ext())),
                Op::Stx32 { v, base, index, scale, disp, acc } =>
                    store!(v, acc, 4, indexed(s, base, index, scale, disp, acc.ext())),
                Op::Stx64 { v, base, index, scale, disp, acc } =>
                    store!(v, acc, 8, indexed(s, base, index, scale, disp, acc.ext())),
                Op::Stx128 { v, base, index, scale, disp, acc } =>
                    store_wide!(v, acc, indexed(s, base, index, scale, disp, acc.ext())),
                Op::StSl8 { v, slot, disp, acc } => store_slot!(v, slot, acc, 1, i64::from(disp)),
                Op::StSl16 { v, slot, disp, acc } => store_slot!(v, slot, acc, 2, i64::from(disp)),
                Op::StSl32 { v, slot, disp, acc } => store_slot!(v, slot, acc, 4, i64::from(disp)),
                Op::StSl64 { v, slot, disp, acc } => store_slot!(v, slot, acc, 8, i64::from(disp)),
                Op::StSl128 { v, slot, disp, acc } => store_wide!(v, acc, slot_ptr!(slot, disp.into())),
                Op::StxSl8 { v, slot, index, scale, disp, acc } =>
                    store_slot!(v, slot, acc, 1, offset(s, index, scale, disp, acc.ext())),
                Op::StxSl16 { v, slot, index, scale, disp, acc } =>
                    store_slot!(v, slot, acc, 2, offset(s, index, scale, disp, acc.ext())),
                Op::StxSl32 { v, slot, index, scale, disp, acc } =>
                    store_slot!(v, slot, acc, 4, offset(s, index, scale, disp, acc.ext())),
                Op::StxSl64 { v, slot, index, scale, disp, acc } =>
                    store_slot!(v, slot, acc, 8, offset(s, index, scale, disp, acc.ext())),
                Op::StxSl128 { v, slot, index, scale, disp, acc } =>
                    store_wide!(v, acc, slot_ptr!(slot, offset(s, index, scale, disp, acc.ext()))),
                Op::SwitchS { a, table } => {
                    let target = code.code().switches[table].target(s.get(a));
                    jump!(target);
                }
                Op::Join { .. } => {}
                Op::Call { call } => {
                    tick!();
                    let desc = &code.code().calls[call];
                    *at = pc;
                    if let Callee::Direct(func) = desc.callee
                        && let HostTarget::Code(callee) = self.m.engine.cache.host(func)
                        && !callee.code().variadic
                    {
                        let base = self.enter(callee, pc)?;
                        let t = self.stack.frame(base, callee.code());
                        // The caller's view again: the stack may have moved.
                        s = self.stack.frame(base - usize::from(code.code().nscalars), code.code());
                        t.set_consts(callee.code());
                        for (param, arg) in callee.code().params.iter().zip(&desc.args) {
                            match (param.reg, arg.reg) {
                                (Reg::S(d), Reg::S(a)) => t.set(d, s.get(a)),
                                _ => write(t, param.reg, read(s, arg.reg)),
                            }
                        }
                    } else {
                        self.call(desc, pc, s)?;
                    }
                    if let Some(&frame) = self.frames.last() {
                        reload!(frame);
                        pc = frame.pc;
                    }
                }
                Op::Ret {} => {
                    if self.leave() {
                        return Ok(0);
                    }
                    let Some(&frame) = self.frames.last() else { return Ok(0) };
                    reload!(frame);
                    pc = frame.pc;
                }
                Op::RetS { a } => {
                    let value = s.get(a);
                    if self.leave() {
                        return Ok(value.into());
                    }
                    let Some(&frame) = self.frames.last() else { return Ok(0) };
                    reload!(frame);
                    pc = frame.pc;
                    if let Some(Op::Call { call }) = code.code().ops.get(pc - 1)
                        && let Some(ret) = code.code().calls[*call].ret
                    {
                        write(s, ret.reg, value.into());
                    }
                }
                Op::RetR { a } => {
                    let value = read(s, code.code().regs[a].reg);
                    if self.leave() {
                        return Ok(value);
                    }
                    let Some(&frame) = self.frames.last() else { return Ok(0) };
                    reload!(frame);
                    pc = frame.pc;
                    if let Some(Op::Call { call }) = code.code().ops.get(pc - 1)
                        && let Some(ret) = code.code().calls[*call].ret
                    {
                        write(s, ret.reg, value);
                    }
                }
                Op::SlotAddr { d, slot } => {
                    let f = frame!();
                    s.set(d, self.m.mem.host.addr(f, slot.0.into()).0);
                }
                Op::GlobalAddr { d, global } => s.set(d, self.m.globals[global].0),
                Op::Gen { id } => {
                    let g = &code.code().gens[id];
                    let (bits, ub) = gen_scalar(g, s, false);
                    write(s, g.d.reg, bits);
                    if let Some(ub) = ub {
                        ub!(ub);
                    }
                }
                _ => {
                    *at = pc;
                    self.rare(op, pc, s)?;
                }
            });
        }
    }

    /// Enters `callee` from the innermost frame, which goes on at `pc`; gives where its registers start.
    #[inline(always)]
    fn enter(&mut self, callee: CodeRef, pc: usize) -> Result<usize, Stop> {
        let mut base = 0;
        if let Some(caller) = self.frames.last_mut() {
            caller.pc = pc;
            base = caller.base + usize::from(caller.code.code().nscalars);
        }
        self.push(callee, base)?;
        Ok(base)
    }

    /// Leaves the innermost frame. Whether it was the last.
    #[inline(always)]
    pub(super) fn leave(&mut self) -> bool {
        if let Some(frame) = self.frames.pop() {
            self.m.engine.depth -= 1;
            if let Some(locals) = frame.locals {
                self.m.mem.host.leave(locals);
            }
            if let Some(va) = frame.va {
                self.m.engine.va.leave(va);
            }
        }
        self.frames.is_empty()
    }

    /// Calls in general. On return the innermost frame is where to go on.
    fn call(&mut self, desc: &CallDesc, pc: usize, s: Words) -> Result<(), Stop> {
        let Some(frame) = self.frames.last_mut() else { return Ok(()) };
        frame.pc = pc;
        let code = frame.code.code();
        let place = code.fault_place(pc - 1);
        let module = self.m.module.clone();
        let func = match desc.callee {
            Callee::Direct(func) => func,
            Callee::Indirect { ptr, sig } => {
                let func = code_pointer(self.m, Ptr(read(s, ptr) as u64), place)?;
                check_signature(&module, func, &module.sigs[sig], place)?;
                func
            }
        };
        let target = self.m.resolve_host(func)?;
        let values: SmallVec<[u128; 8]> = desc.args.iter().map(|a| read(s, a.reg)).collect();
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
                    let id = self.m.engine.va.enter(extra.map(|(&v, a)| (v, a.ty)).collect());
                    if let Some(frame) = self.frames.last_mut() {
                        frame.va = Some(id);
                    }
                }
                return Ok(());
            }
            HostTarget::Native(native) => {
                let types: SmallVec<[Type; 8]> = desc.args.iter().map(|a| a.ty).collect();
                let fixed = module.funcs[func].sig.params.len().min(values.len());
                let loc = self.m.loc_of(place);
                let ret = native(self.m, &Args { values: &values, types: &types, fixed, func, place, loc })?;
                // It may have waited, or worked, for long.
                self.m.engine.watch.check()?;
                ret.bits()
            }
            HostTarget::Math(math) => native::math(math, &values),
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

    /// Operations that are not worth a place in the loop.
    #[cold]
    fn rare(&mut self, op: &Op, pc: usize, s: Words) -> Result<(), Stop> {
        let Some(&frame) = self.frames.last() else { return Ok(()) };
        let code = frame.code.code();
        let place = code.fault_place(pc - 1);
        let locals = || frame.locals.ok_or_else(|| Stop::internal("a local variable without a frame"));
        let site = code.site(pc - 1);
        match *op {
            Op::PtrDiff { d, a, b } => {
                let (a, b) = (Ptr(s.get(a)), Ptr(s.get(b)));
                s.set(d, a.0.wrapping_sub(b.0));
                if a.object_start() != b.object_start() {
                    self.m.undefined(code, pc - 1, Ub::PtrDiff, Who::HOST)?;
                }
            }
            Op::PtrCmp { d, a, b, cc } => {
                let (a, b) = (Ptr(s.get(a)), Ptr(s.get(b)));
                s.set(d, eval::icmp(cc, Type::I64, a.0.into(), b.0.into()).into());
                if a.object_start() != b.object_start() {
                    self.m.undefined(code, pc - 1, Ub::PtrOrder, Who::HOST)?;
                }
            }
            Op::Math { id } => {
                let desc = &code.maths[id];
                let values: SmallVec<[u128; 3]> = desc.args.iter().map(|a| read(s, a.reg)).collect();
                let HostTarget::Math(f) = self.m.resolve_host(desc.func)? else {
                    return Err(Stop::internal("an operation on a function that is not mathematical"));
                };
                write(s, desc.d.reg, native::math(f, &values) & desc.d.ty.bit_mask());
            }
            Op::MemCopy { id } => {
                let c = &code.copies[id];
                let dst = Addrs::Uniform(Ptr(read(s, c.dst) as u64));
                let src = Addrs::Uniform(Ptr(read(s, c.src) as u64));
                let len = Lens::Uniform(read(s, c.len) as u64);
                let sites = (
                    crate::fault::SiteRef { func: code.func, site: c.dst_site },
                    crate::fault::SiteRef { func: code.func, site: c.src_site },
                );
                let cx = &mut LaneCx::host(&mut self.m.findings);
                self.m.mem.copy_lanes(cx, &dst, &src, len, c.flags.align_log2, sites)?;
            }
            Op::MemFill { id } => {
                let f = &code.fills[id];
                let dst = Addrs::Uniform(Ptr(read(s, f.dst) as u64));
                let byte = Values::Uniform(read(s, f.byte) & 0xff);
                let len = Lens::Uniform(read(s, f.len) as u64);
                let cx = &mut LaneCx::host(&mut self.m.findings);
                self.m.mem.fill_lanes(cx, &dst, byte, len, f.flags.align_log2, site)?;
            }
            Op::Lifetime { slot, live } => {
                let kind = if live { LifetimeOp::Live } else { LifetimeOp::Dead };
                self.m.mem.host.lifetime(locals()?, slot.0.into(), kind, place);
            }
            Op::Alloca { id } => {
                let a = &code.allocas[id];
                let size = read(s, a.size) as u64;
                let frame = match frame.locals {
                    Some(f) => f,
                    None => self.late_frame()?,
                };
                let p = self.m.mem.host.alloca(frame, size, 1 << a.align_log2.min(63), place)?;
                write(s, a.d, p.0.into());
            }
            Op::Atomic { id } => {
                let a = &code.atomics[id];
                let value = Values::Uniform(a.value.map_or(0, |r| read(s, r)));
                let atomic = match a.kind {
                    AtomicKind::Load => Atomic::Load,
                    AtomicKind::Store => Atomic::Store(value),
                    AtomicKind::Rmw(op) => Atomic::Rmw { op, values: value, bf16: a.ty == Type::BF16 },
                    AtomicKind::Cas => Atomic::Cas {
                        expected: Values::Uniform(a.expected.map_or(0, |r| read(s, r))),
                        new: value,
                    },
                };
                let bytes = a.ty.access_bytes();
                let acc = Access {
                    width: bytes as u8,
                    align_log2: bytes.trailing_zeros() as u8,
                    volatile: false,
                    copy: false,
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
            }
            // The host has one thread: a fence orders nothing that program order does not.
            Op::Fence { .. } => {}
            Op::Launch { id } => {
                let request = self.launch_request(&code.launches[id], s, place)?;
                let error = crate::cuda::launch(self.m, request)?;
                if let Some(d) = code.launches[id].d {
                    s.set(d, u64::from(error as u32));
                }
            }
            Op::Va { id } => match code.vas[id] {
                VaDesc::Start { list } => va_start(self.m, Ptr(s.get(list)), frame.va, place)?,
                VaDesc::End { list } => va_end(self.m, Ptr(s.get(list)), place)?,
                VaDesc::Copy { dst, src } => va_copy(self.m, Ptr(s.get(dst)), Ptr(s.get(src)), place)?,
                VaDesc::Arg { list, d } => {
                    let bits = va_arg(self.m, Ptr(s.get(list)), d.ty, place)?;
                    write(s, d.reg, bits);
                }
            },
            Op::Trap { trap } => {
                return Err(self.m.trap(code, pc - 1, code.traps[trap], Who::HOST));
            }
            _ => return Err(Stop::internal(format!("`{}` in code of the host", op.mnemonic()))),
        }
        Ok(())
    }

    /// A frame for `alloca` in a function without variables in memory.
    fn late_frame(&mut self) -> Result<HostFrame, Stop> {
        let frame = self.m.mem.host.enter(&std::sync::Arc::default())?;
        if let Some(f) = self.frames.last_mut() {
            f.locals = Some(frame);
        }
        Ok(frame)
    }

    fn launch_request(&mut self, desc: &LaunchDesc, s: Words, place: Place) -> Result<LaunchRequest, Stop> {
        let module = self.m.module.clone();
        let kernel = match desc.kernel {
            Callee::Direct(f) => f,
            Callee::Indirect { ptr, sig } => {
                let f = code_pointer(self.m, Ptr(read(s, ptr) as u64), place)?;
                check_signature(&module, f, &module.sigs[sig], place)?;
                f
            }
        };
        let value = |i: usize| desc.args.get(i).map_or(0, |a| read(s, a.reg));
        let dims = |at: usize| std::array::from_fn(|i| value(at + i) as u32);
        Ok(LaunchRequest {
            kernel,
            grid: dims(0),
            block: dims(3),
            dynamic_shared: value(6) as u64,
            stream: Ptr(value(7) as u64),
            args: desc.args.iter().skip(8).map(|a| read(s, a.reg)).collect(),
            place,
            loc: self.m.loc_of(place),
        })
    }
}

/// Reads a scalar register of either width; vectors do not occur on the host.
#[inline(always)]
pub(crate) fn read(s: Words, reg: Reg) -> u128 {
    match reg {
        Reg::S(r) => s.get(r).into(),
        Reg::S2(r) => s.get2(r),
        Reg::V(_) | Reg::W(_) | Reg::X(_) | Reg::P(_) => 0,
    }
}

/// Writes a scalar register of either width.
#[inline(always)]
pub(crate) fn write(s: Words, reg: Reg, bits: u128) {
    match reg {
        Reg::S(r) => s.set(r, bits as u64),
        Reg::S2(r) => s.set2(r, bits),
        Reg::V(_) | Reg::W(_) | Reg::X(_) | Reg::P(_) => {}
    }
}

/// Evaluates a generic operation on scalars.
pub(crate) fn gen_scalar(g: &GenDesc, s: Words, device: bool) -> eval::Eval {
    let values: SmallVec<[u128; 3]> = g.args.iter().map(|a| read(s, a.reg)).collect();
    let ty = g.args.first().map_or(g.d.ty, |a| a.ty);
    let (bits, ub) = eval::generic(g.kind, &values, ty, g.d.ty, device);
    (bits & g.d.ty.bit_mask(), ub)
}

/// Whether a function can be called as the signature says: the same number and kinds of values.
pub(crate) fn check_signature(
    module: &Module,
    func: FuncId,
    sig: &Signature,
    place: Place,
) -> Result<(), Stop> {
    let f = &module.funcs[func];
    let same = |a: Type, b: Type| a.bits() == b.bits() && a.is_float() == b.is_float();
    let fits = f.sig.params.len() == sig.params.len()
        && f.sig.params.iter().zip(&sig.params).all(|(a, b)| same(a.ty, b.ty))
        && match (f.sig.ret, sig.ret) {
            (Some(a), Some(b)) => same(a, b),
            (None, Some(_)) => false,
            (_, None) => true,
        };
    if fits {
        return Ok(());
    }
    let fault = Fault::other(
        Kind::UndefinedBehavior,
        place,
        format!("`{}` is called through a pointer to another type of function", f.display_name),
        "the arguments or the result do not fit the function",
    );
    Err(match f.loc.expand() {
        Some(loc) => fault.with_related(Some(loc), "the function called"),
        None => fault,
    }
    .into())
}
