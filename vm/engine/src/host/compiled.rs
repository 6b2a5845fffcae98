//! Functions of the host that run as machine code (crate `jit`, `host`).
//!
//! Compiled code works on the frame of the bytecode's loop. It leaves to the loop before whatever it does not do, and the loop
//! enters it again at heads of loops, behind calls, and where functions begin. It never reports: what must be told, the
//! loop finds at the operation to which compiled code has left.

#![allow(unsafe_code)] // machine code is called, and its helpers get its context as a pointer

use super::*;
use crate::config::{Engine, VmConfig};
use crate::regs::Unit;
use cudair_jit::Refusal;
use cudair_jit::host::abi::{self, CENTRE, RECENT, frame, object};
use cudair_jit::host::{HostCallee, HostContext, HostFunction, HostProgram, HostSlot};
use cudair_memory::ObjectLayout;
use std::ffi::c_void;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;

/// How much a function has worked when its compilation is worth it, and what each of its operations adds to that.
const WORTH: u32 = 1_500;
const WORTH_OPERATION: u32 = 16;
/// What a function has worked that is found running when the loop looks at the limits. A call counts 1.
const FOUND: u32 = 1_000;
/// Activations of compiled code that call one another, on the machine's own stack, and words of registers for them.
const NESTED: usize = 512;
const WORDS: usize = 2048;

const _: () = {
    let layout = ObjectLayout::THIS;
    assert!(layout.bytes == 1 << object::BYTES_LOG2 && ObjectLayout::SMALL == 1 << object::SMALL_LOG2);
    assert!(layout.data == object::DATA && layout.init == object::INIT);
    assert!(layout.size == object::SIZE && layout.rights == object::RIGHTS);
    assert!(layout.host_reads == object::HOST_READS && layout.host_writes == object::HOST_WRITES);
    use std::mem::offset_of;
    assert!(size_of::<Frame>() == frame::BYTES as usize);
    assert!(offset_of!(Frame, code) == frame::CODE as usize && offset_of!(Frame, pc) == frame::PC as usize);
    assert!(size_of::<[AtomicU64; 4]>() == abi::cache::BYTES as usize);
    assert!(CENTRE == Ptr::CENTRE as i64 && RECENT == 64);
};

/// Whether functions of the host run as machine code.
#[derive(Debug)]
pub(crate) struct Tier {
    /// They may be compiled.
    pub(super) may_compile: bool,
    /// Each function is compiled when it is called first.
    always: bool,
    /// There may be compiled ones.
    pub(super) is_on: bool,
    /// Local variables of functions that compiled code has called and that have not returned, while it runs.
    entered: Vec<Entered>,
}

/// Local variables of a function that compiled code has called, and what the context said of the caller's.
#[derive(Debug)]
struct Entered {
    frame: HostFrame,
    caller: HostFrame,
    locals_len: u64,
    slots: *const u8,
    slot_data: *mut u8,
    slot_init: *mut u8,
}

impl Tier {
    /// What the user wants of a run.
    pub(super) fn new(config: &VmConfig) -> Tier {
        let may_compile = config.allows_machine_code();
        let always = may_compile && config.engine == Engine::Jit;
        Tier { may_compile, always, is_on: always, entered: Vec::new() }
    }
}

impl Host<'_> {
    /// Goes on as machine code in the innermost frame, if there is some and it has an entry at `pc`. Gives the budget that is
    /// left. What the innermost frame is then, and where it goes on, is another matter than before.
    ///
    /// After a stop, `at` is the operation after the one that stopped.
    #[inline(never)]
    pub(super) fn machine(
        &mut self,
        mut code: CodeRef,
        mut pc: usize,
        mut budget: u32,
        at: &mut usize,
    ) -> Result<Option<u32>, Stop> {
        let mut left = None;
        while let Some(rest) = self.enter_machine(code, pc, budget) {
            (budget, left) = (rest, Some(rest));
            // A library function that machine code has left for is called from here, as the loop would do it.
            let Some(&frame) = self.frames.last() else { break };
            let Some(&Op::Call { call }) = frame.code.code().ops.get(frame.pc) else { break };
            let desc = &frame.code.code().tables.calls[call];
            let Callee::Direct(func) = desc.callee else { break };
            let is_native = matches!(self.m.engine.host.code.target(func), HostTarget::Native(_));
            // The last call of a budget is the loop's, which looks at the limits then.
            if budget == 1 || !is_native {
                break;
            }
            *at = frame.pc + 1;
            let s = self.stack.frame(frame.base, frame.code.code());
            self.call(desc, *at, s)?;
            let Some(&frame) = self.frames.last() else { break };
            (code, pc, budget) = (frame.code, frame.pc, budget - 1);
            left = Some(budget);
        }
        Ok(left)
    }

    /// One way through machine code.
    #[inline(always)]
    fn enter_machine(&mut self, code: CodeRef, pc: usize, budget: u32) -> Option<u32> {
        let Some(Ok(function)) = code.unit().machine.get() else { return None };
        let entry = function.entry(pc)?;
        // While a load waits for the use of its value, loads have more to do.
        if !self.m.mem.host_uses_nothing_late() {
            return None;
        }
        let &Frame { base, slots, .. } = self.frames.last()?;
        let room = NESTED.min(self.m.engine.host.max_depth.saturating_sub(self.m.engine.host.depth));
        self.frames.reserve(room);
        let start = base + usize::from(code.code().files.scalars);
        let words_end = self.stack.reserve(start, WORDS);
        let s = self.stack.frame(base, code.code());
        let objects = self.m.mem.host_objects(slots);
        let machine: *mut Machine = self.m;
        let mut current = slots;
        let before = self.frames.len();
        // SAFETY: the end of the frames, and room for so many more.
        let (frames, frames_end) = unsafe {
            let end = self.frames.as_mut_ptr().add(before);
            (end, end.add(room))
        };
        let mut cx = HostContext {
            table: objects.table,
            table_len: objects.table_len as u64,
            small: objects.small as u64,
            locals: objects.locals,
            locals_len: objects.current.locals_len as u64,
            recent: objects.recent,
            refuses: objects.refuses,
            slots: objects.current.slots,
            slot_data: objects.current.slot_data,
            slot_init: objects.current.slot_init,
            helpers: [
                do_operation as *const () as usize,
                address as *const () as usize,
                access as *const () as usize,
                find as *const () as usize,
                enter_locals as *const () as usize,
                leave_locals as *const () as usize,
                look_up as *const () as usize,
            ],
            words_end,
            frames_end: frames_end.cast(),
            value: [0; 2],
            frames: frames.cast(),
            engine: [machine.cast(), (&raw mut current).cast()],
        };
        // SAFETY: `s` are the registers of a frame of this function, `slots` its local variables, and the objects are where
        // they are until one is made or ends, which the helpers do not do. There is room for the frames. The machine is the
        // helpers' alone until this returns.
        let result = unsafe { function.run(&raw mut cx, s.as_ptr(), entry, budget) };
        let entered = (cx.frames as usize - frames as usize) / size_of::<Frame>();
        let host = &mut self.m.engine.host;
        let mut base = start;
        let mut locals = host.tier.entered.drain(..).map(|e| e.frame);
        for n in 0..entered {
            host.serial += 1;
            // SAFETY: compiled code has entered so many frames behind those that there were, where there is room for them. In
            // each it has written the function and, but for the last, the operation. That one's is written below.
            unsafe {
                let frame = frames.add(n);
                (&raw mut (*frame).base).write(base);
                let slots = (*frame).code.unit().layout.as_ref().and_then(|_| locals.next());
                (&raw mut (*frame).slots).write(slots.unwrap_or(HostFrame::NONE));
                (&raw mut (*frame).arguments).write(VaId::NONE);
                (&raw mut (*frame).serial).write(host.serial);
                if n + 1 == entered {
                    (&raw mut (*frame).pc).write(0);
                }
                base += usize::from((*frame).code.code().files.scalars);
            }
        }
        drop(locals);
        // SAFETY: as above.
        unsafe { self.frames.set_len(before + entered) };
        host.depth += entered;
        self.frames.last_mut()?.pc = result as u32 as usize;
        Some((result >> 32) as u32)
    }

    /// A function is called.
    #[inline(always)]
    pub(super) fn called(&mut self, code: CodeRef) {
        if code.unit().machine.get().is_none() {
            self.warm(code, if self.m.engine.host.tier.always { u32::MAX } else { 1 });
        }
    }

    /// The operation at `pc` runs as the loop looks at the limits: its function works. Whether there is machine code.
    #[cold]
    pub(super) fn look_at(&mut self, code: CodeRef, pc: usize) -> bool {
        self.warm(code, FOUND);
        if let Some(Op::Call { call }) = code.code().ops.get(pc)
            && let Callee::Direct(func) = code.code().tables.calls[*call].callee
            && let HostTarget::Code(callee) = self.m.engine.host.code.target(func)
        {
            self.warm(callee, FOUND);
        }
        self.m.engine.host.tier.is_on
    }

    /// Adds to what a function has worked, and compiles it where that is enough.
    fn warm(&mut self, code: CodeRef, heat: u32) {
        let unit = code.unit();
        if unit.machine.get().is_some() {
            return;
        }
        let heat = unit.heat.load(Relaxed).saturating_add(heat);
        unit.heat.store(heat, Relaxed);
        if heat >= WORTH + WORTH_OPERATION * unit.code.ops.len() as u32 {
            self.compile(unit);
        }
    }

    #[cold]
    fn compile(&mut self, unit: &Unit) {
        let begin = std::time::Instant::now();
        let code = &*unit.code;
        let offsets = unit.layout.as_ref().map_or(&[][..], |l| l.host_offsets());
        let slots: Vec<HostSlot> = code
            .slots
            .iter()
            .zip(offsets)
            .map(|(slot, &offset)| HostSlot { offset, size: slot.size, marked: slot.marked })
            .collect();
        let result = if self.calls_setjmp(code) {
            Err(Refusal("it calls `setjmp`"))
        } else {
            let function = std::ptr::from_ref(unit) as u64;
            let callees = self.callees(code);
            let program = HostProgram {
                globals: &|g| self.m.globals[g].0,
                callee: &|func| callees.iter().find(|c| c.0 == func).map(|c| c.1),
                function,
            };
            HostFunction::compile(code, &slots, &program)
        };
        match &result {
            Ok(function) => {
                self.m.engine.host.tier.is_on = true;
                unit.address.store(function.address().cast_mut(), Relaxed);
                log::info!(
                    target: "jit", "`{}` of the host: {} bytes of machine code in {:.1} ms", code.name,
                    function.size(), begin.elapsed().as_secs_f64() * 1e3
                );
            }
            Err(why) => log::info!(target: "jit", "`{}` of the host: not compiled: {}", code.name, why.0),
        }
        // Nobody else compiles functions of the host.
        let _ = unit.machine.set(result);
    }

    /// The functions of the program that a function calls by name.
    fn callees(&mut self, code: &Code) -> Vec<(FuncId, HostCallee)> {
        let direct = |call: &CallDesc| match call.callee {
            Callee::Direct(func) => Some(func),
            Callee::Indirect { .. } => None,
        };
        let mut all: Vec<FuncId> = code.tables.calls.iter().filter_map(direct).collect();
        all.sort_unstable();
        all.dedup();
        let mut callee = |func: FuncId| {
            if self.m.module.funcs[func].is_declaration() || self.m.module.funcs[func].side != Side::Host {
                return None;
            }
            // What cannot be compiled to bytecode is found out where it is called.
            let Ok(HostTarget::Code(target)) = self.m.resolve_host(func) else { return None };
            let unit: &'static Unit = target.unit();
            let callee = HostCallee {
                code: &unit.code,
                function: target.bits(),
                machine: std::ptr::from_ref(&unit.address) as u64,
                has_locals: unit.layout.is_some(),
            };
            Some((func, callee))
        };
        all.into_iter().filter_map(&mut callee).collect()
    }

    /// Whether a function may come back to a place that it has left.
    fn calls_setjmp(&self, code: &Code) -> bool {
        code.tables.calls.iter().any(|call| match call.callee {
            Callee::Direct(func) => {
                let name = self.m.module.funcs[func].name.as_str();
                matches!(name, "setjmp" | "_setjmp" | "__sigsetjmp" | "sigsetjmp")
            }
            Callee::Indirect { .. } => false,
        })
    }
}

/// What a helper works with.
struct Env<'a> {
    m: &'a mut Machine,
    slots: HostFrame,
    value: &'a mut [u64; 2],
}

/// What stands behind the context of compiled code.
///
/// # Safety
/// The context is one that [`Host::machine`] has made, and compiled code runs.
unsafe fn env<'a>(cx: *mut HostContext) -> Env<'a> {
    // SAFETY: [`Host::machine`] has put these pointers there, and nobody else uses what they point to.
    unsafe {
        let cx = &mut *cx;
        let [machine, slots]: [*mut c_void; 2] = cx.engine;
        Env { m: &mut *machine.cast::<Machine>(), slots: *slots.cast::<HostFrame>(), value: &mut cx.value }
    }
}

/// Does an operation on the frame's words, unless there is something to report.
unsafe extern "C" fn do_operation(cx: *mut HostContext, pc: u64, words: u64, function: u64) -> u32 {
    // SAFETY: compiled code hands on its context, the registers of a frame, and the function of that frame.
    let (Env { m, slots, .. }, s, code) =
        unsafe { (env(cx), Words::from_ptr(words as *mut u64), &*(*(function as *const Unit)).code) };
    let pc = pc as usize;
    families! {
        match code.ops[pc] {
            Op::Gen { id } => {
                let g = &code.tables.gens[id];
                let (bits, ub) = gen_scalar(g, s, false);
                if ub.is_some() {
                    return 0;
                }
                write(s, g.d.reg, bits);
            }
            Op::Math { id } => {
                let desc = &code.tables.maths[id];
                let values: SmallVec<[u128; 3]> = desc.args.iter().map(|a| read(s, a.reg)).collect();
                let Ok(HostTarget::Math(f)) = m.resolve_host(desc.func) else { return 0 };
                write(s, desc.d.reg, f.call_bits(&values) & desc.d.ty.bit_mask());
            }
            Op::Lifetime { slot, live } => {
                let kind = if live { LifetimeOp::Live } else { LifetimeOp::Dead };
                m.mem.host.lifetime(slots, slot.0.into(), kind, code.fault_place(pc));
            }
            @for (T F) in [(F32 f32) (F64 f64)] {
                Op::Fma~T { d, a, b, c } => s.set_~F(d, s.get_~F(a).fused(s.get_~F(b), s.get_~F(c))),
                Op::Min~T { d, a, b } => s.set_~F(d, s.get_~F(a).c_min(s.get_~F(b))),
                Op::Max~T { d, a, b } => s.set_~F(d, s.get_~F(a).c_max(s.get_~F(b))),
            }
            _ => return 0,
        }
    }
    1
}

/// The address of a local variable.
unsafe extern "C" fn address(cx: *mut HostContext, slot: u64) -> u32 {
    // SAFETY: compiled code hands on its context.
    let Env { m, slots, value, .. } = unsafe { env(cx) };
    value[0] = m.mem.host.addr(slots, slot as u32).0;
    1
}

/// An access, unless there is something to report.
unsafe extern "C" fn access(cx: *mut HostContext, at: u64, what: u64, bits: u64, init: u64) -> u32 {
    // SAFETY: compiled code hands on its context.
    let Env { m, slots, value, .. } = unsafe { env(cx) };
    let abi::Packed { width, align_log2, copy, stores, slot } = abi::unpack(what);
    let ptr = match slot {
        // Copies have an address, as they have in the loop.
        Some(slot) if copy => m.mem.host.addr(slots, slot.into()).add(at as i64),
        Some(slot) => {
            let (slot, at) = (slot.into(), at as i64);
            if stores {
                return m.mem.host_try_store_slot(slots, slot, at, width, align_log2, bits).into();
            }
            return match m.mem.host_try_load_slot(slots, slot, at, width, align_log2) {
                Some(loaded) => {
                    value[0] = loaded;
                    1
                }
                None => 0,
            };
        }
        None => Ptr(at),
    };
    if stores {
        return m.mem.host_try_store(ptr, width, align_log2, bits, copy.then_some(init as u16)).into();
    }
    match m.mem.host_try_load(ptr, width, align_log2, copy) {
        Some((loaded, init)) => {
            *value = [loaded, init.into()];
            1
        }
        None => 0,
    }
}

/// Makes the local variables of a function that compiled code is about to call.
unsafe extern "C" fn enter_locals(cx: *mut HostContext, function: u64) -> u32 {
    // SAFETY: compiled code hands on its context and a function of the program.
    let (m, current, cx, unit) = unsafe {
        let [machine, slots] = (*cx).engine;
        (
            &mut *machine.cast::<Machine>(),
            &mut *slots.cast::<HostFrame>(),
            &mut *cx,
            &*(function as *const Unit),
        )
    };
    let entered = unit.layout.as_ref().and_then(|layout| m.mem.host_enter_in_place(layout));
    let Some((frame, objects)) = entered else { return 0 };
    m.engine.host.tier.entered.push(Entered {
        frame,
        caller: *current,
        locals_len: cx.locals_len,
        slots: cx.slots,
        slot_data: cx.slot_data,
        slot_init: cx.slot_init,
    });
    *current = frame;
    cx.locals_len = objects.locals_len as u64;
    (cx.slots, cx.slot_data, cx.slot_init) = (objects.slots, objects.slot_data, objects.slot_init);
    1
}

/// Ends the local variables of a function that has returned to compiled code.
unsafe extern "C" fn leave_locals(cx: *mut HostContext) -> u32 {
    // SAFETY: compiled code hands on its context.
    let (m, current, cx) = unsafe {
        let [machine, slots] = (*cx).engine;
        (&mut *machine.cast::<Machine>(), &mut *slots.cast::<HostFrame>(), &mut *cx)
    };
    if let Some(entered) = m.engine.host.tier.entered.pop() {
        m.mem.host.leave(entered.frame);
        *current = entered.caller;
        cx.locals_len = entered.locals_len;
        (cx.slots, cx.slot_data, cx.slot_init) = (entered.slots, entered.slot_data, entered.slot_init);
    }
    1
}

/// The view of the object of a pointer.
unsafe extern "C" fn look_up(cx: *mut HostContext, pointer: u64) -> u32 {
    // SAFETY: compiled code hands on its context.
    let Env { m, value, .. } = unsafe { env(cx) };
    value[0] = m.mem.host_view(Ptr(pointer)) as u64;
    1
}

/// Finds the function that is called through a pointer, if it is one that compiled code can call.
unsafe extern "C" fn find(cx: *mut HostContext, pc: u64, pointer: u64, row: u64, function: u64) -> u32 {
    // SAFETY: compiled code hands on its context, a row of a cache, and the function that runs.
    let (m, row, code) = unsafe {
        let m = &*(*cx).engine[0].cast::<Machine>();
        (m, &*(row as *const [AtomicU64; 4]), &*(*(function as *const Unit)).code)
    };
    let Some(&Op::Call { call }) = code.ops.get(pc as usize) else { return 0 };
    let desc = &code.tables.calls[call];
    let Callee::Indirect { sig, .. } = desc.callee else { return 0 };
    let Some(target) = m.engine.host.code.indirect(Ptr(pointer), sig) else { return 0 };
    let (unit, callee) = (target.unit(), target.code());
    let address = unit.address.load(Relaxed);
    // Arguments stand in the first words, one behind the other.
    let mut next = 0;
    let fits_next = |(param, arg): (&TypedReg, &TypedReg)| {
        let (first, words) = match (param.reg, arg.reg) {
            (Reg::S(r), Reg::S(_)) => (r.0, 1),
            (Reg::S2(r), Reg::S2(_)) => (r.0, 2),
            _ => return false,
        };
        next += words;
        first + words == next
    };
    let fits = !address.is_null()
        && unit.layout.is_none()
        && !callee.variadic
        && callee.params.len() == desc.args.len()
        && callee.params.iter().zip(&desc.args).all(fits_next)
        && (desc.ret.is_none() || callee.ret.is_some());
    if fits {
        let bytes = 8 * u64::from(callee.files.scalars);
        for (cell, value) in row.iter().zip([pointer, address as u64, target.bits(), bytes]) {
            cell.store(value, Relaxed);
        }
    }
    fits.into()
}
