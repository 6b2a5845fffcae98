//! The host: scalar operations, one lane. The loop is in [`exec`], what it leaves to others in [`rare`].

mod arms;
#[cfg_attr(not(feature = "jit"), path = "interpreted.rs")]
mod compiled;
mod exec;
mod rare;
mod state;
mod threads;
mod unwind;

pub(crate) use state::HostState;
pub(crate) use threads::Parked;

use super::cache::HostTarget;
use super::eval::{self, FirstNan, FloatMinMax, Ub};
use super::faults::{Notes, Who, locate};
use super::operands::Operands;
use super::regs::{CodeRef, WordStack, Words};
use super::scalar::*;
use super::va::{VaId, va_copy, va_end, va_start};
use crate::debug::{Halted, Here, Order};
use crate::engine_state::BUDGET;
use crate::machine::{Args, LaunchRequest, Machine, Ret};
use cudair_bytecode::*;
use cudair_ir::*;
use cudair_lane::Values;
use cudair_lane::fault::{Fault, Place, Stop};
use cudair_lane::ptr::{Ptr, Tag};
use cudair_memory::{Access, Addrs, Atomic, HostFrame, LaneCx, Lengths};
use smallvec::SmallVec;

/// Nested activations of the host's loop at most: each holds a part of the machine's own stack.
const MAX_ACTIVATIONS: u32 = 128;

/// A frame of the host.
///
/// Compiled code makes frames, too: `cudair_jit::host::abi::frame` has the places of the fields.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub(crate) struct Frame {
    pub(crate) code: CodeRef,
    /// The operation after the call that this frame is in.
    pub(crate) pc: usize,
    /// The first of its scalar registers.
    pub(super) base: usize,
    /// [`HostFrame::NONE`] where it has none.
    slots: HostFrame,
    /// [`VaId::NONE`] where it has none.
    arguments: VaId,
    /// Which frame of all that were ever entered.
    pub(super) serial: u64,
}

impl Frame {
    /// Its local variables in memory.
    #[inline(always)]
    pub(crate) fn locals(&self) -> Option<HostFrame> {
        (self.slots != HostFrame::NONE).then_some(self.slots)
    }

    /// Its variable arguments.
    #[inline(always)]
    fn va(&self) -> Option<VaId> {
        (self.arguments != VaId::NONE).then_some(self.arguments)
    }
}

/// One activation of the loop: `main`, or a callback of a native function.
pub(super) struct Host<'m> {
    pub(super) m: &'m mut Machine,
    pub(super) stack: WordStack,
    /// The frames; the last one runs.
    pub(super) frames: Vec<Frame>,
    /// The activation that the frames are of: this one's, or the first of another thread.
    pub(super) activation: u32,
    /// Which activation this is.
    level: u32,
    /// The thread for which the loop was entered.
    thread: u64,
    /// Back edges and calls before the loop looks at the limits, when it is entered next.
    budget: u32,
}

/// Calls a function of the program by its pointer.
pub(crate) fn call_guest(m: &mut Machine, func: Ptr, args: &[u128], place: Place) -> Result<Ret, Stop> {
    let id = code_pointer(&m.module, func, place)?;
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
            match native.call(m, &args) {
                Err(Stop::Switch(_)) => {
                    let what = format!("not supported: `{}` called by a library function", f.display_name);
                    return Err(Stop::unsupported(what));
                }
                result => result?.bits(),
            }
        }
        HostTarget::Math(math) => math.call_bits(args),
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
pub(crate) fn code_pointer(module: &Module, ptr: Ptr, place: Place) -> Result<FuncId, Stop> {
    let what = match ptr.tag() {
        Tag::Code if ptr.offset() == 0 && (ptr.serial() as usize) < module.funcs.len() => {
            return Ok(FuncId::from_u32(ptr.serial()));
        }
        _ if ptr.is_null() => "a null function pointer is called",
        Tag::Code => "a pointer into the middle of a function is called",
        _ => "a pointer that does not point to a function is called",
    };
    let mut fault = Fault::other(Kind::UndefinedBehavior, place, what, "called here");
    fault.ptr = ptr;
    Err(fault.into())
}

/// Runs a function of the host to its end.
pub(crate) fn run(m: &mut Machine, code: CodeRef, args: &[u128]) -> Result<u128, Stop> {
    if m.engine.host.activations >= MAX_ACTIVATIONS {
        return Err(Stop::limit(format!(
            "more than {MAX_ACTIVATIONS} library functions that call back into the program are nested"
        )));
    }
    m.engine.host.activations += 1;
    let depth = m.engine.host.depth;
    let stack = m.engine.host.stacks.pop().unwrap_or_default();
    let activation = m.engine.host.activations;
    let thread = m.threads.current;
    let mut host =
        Host { m, stack, frames: Vec::new(), activation, level: activation, thread, budget: BUDGET };
    let result = host.start(code, args).and_then(|()| host.run());
    if let Err(stop) = &result {
        host.stopped(stop);
    }
    if let Err(stop) = &result
        && host.m.engine.worker.dumps()
    {
        host.dump(stop);
    }
    let Host { m, stack, frames, .. } = host;
    // After a stop frames are left over.
    if let Some(first) = frames.iter().find_map(Frame::locals) {
        m.mem.host.leave(first);
    }
    if let Some(first) = frames.iter().find_map(Frame::va) {
        m.engine.host.va.leave(first);
    }
    m.engine.host.depth = depth;
    m.engine.host.stacks.push(stack);
    m.engine.host.activations -= 1;
    result
}

impl Host<'_> {
    /// Adds the host's stack to the state.
    #[cold]
    fn dump(&mut self, stop: &Stop) {
        use super::dump::{Variable, frame_lines, reason, variable_lines};
        use crate::state::Show;
        let Some(why) = reason(stop) else { return };
        let mut out = format!("host\nstopped by {why}\n");
        for (n, frame) in self.frames.iter().enumerate().rev() {
            let code = frame.code.code();
            frame_lines(
                &self.m.module,
                code,
                frame.pc.saturating_sub(1),
                n + 1 == self.frames.len(),
                &mut out,
            );
            let Some(locals) = frame.locals() else { continue };
            let module = &*self.m.module;
            let named = code.slots.iter().enumerate().filter(|(_, l)| !l.name.is_empty());
            let variables: Vec<Variable> = named
                .map(|(slot, l)| {
                    let bytes = self.m.mem.host.peek(locals, slot as u32);
                    Variable { name: l.name.clone(), ty: Variable::ty(module, code, l), of: vec![(0, bytes)] }
                })
                .collect();
            let show = Show { mem: &self.m.mem, types: &module.types, block: None };
            variable_lines(show, &variables, |_| String::new(), &mut out);
        }
        out.push('\n');
        self.m.engine.worker.add_to_dump(&out);
    }

    /// Asks the debugger, at a place that the program counts, whether the run goes on.
    #[cold]
    fn reached(&mut self, point: u32, pc: usize) -> Result<(), Stop> {
        let Some(debugger) = self.m.config.debugger.clone() else { return Ok(()) };
        match debugger.reached(&self.here(Some(point), pc)) {
            Order::Go => Ok(()),
            Order::End => Err(Stop::Exit(0)),
        }
    }

    /// What a debugger sees, with the innermost frame at `pc`.
    fn here(&self, point: Option<u32>, pc: usize) -> Here<'_> {
        let side = Halted::Host { frames: &self.frames, pc, thread: self.m.threads.current() };
        Here { point, module: &self.m.module, mem: &self.m.mem, watch: &self.m.config.watch, side }
    }

    /// Tells the debugger of what ends the run.
    #[cold]
    fn stopped(&self, stop: &Stop) {
        if let (Some(debugger), Some(why)) = (&self.m.config.debugger, super::dump::reason(stop)) {
            let pc = self.frames.last().map_or(0, |f| f.pc);
            // It ends in any case.
            debugger.stopped(&self.here(None, pc), &why, None);
        }
    }

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
        let host = &mut self.m.engine.host;
        host.depth += 1;
        host.serial += 1;
        if host.depth > host.max_depth {
            return Err(self.overflow());
        }
        let serial = host.serial;
        let slots = match &code.unit().layout {
            Some(layout) => self.m.mem.host.enter(layout)?,
            None => HostFrame::NONE,
        };
        self.frames.push(Frame { code, pc: 0, base, slots, arguments: VaId::NONE, serial });
        Ok(s)
    }

    #[cold]
    fn overflow(&self) -> Stop {
        Stop::limit(format!("the call stack is deeper than {} frames", self.m.engine.host.max_depth))
    }

    /// Runs until the first frame returns.
    fn run(&mut self) -> Result<u128, Stop> {
        let mut pc = 0;
        loop {
            let ended = if self.m.engine.host.tier.is_on {
                self.run_from::<true>(&mut pc)
            } else {
                self.run_from::<false>(&mut pc)
            };
            let mut result = match ended {
                Ok(Some(bits)) => Ok(bits),
                // From now on there is machine code.
                Ok(None) => {
                    if let Some(frame) = self.frames.last_mut() {
                        frame.pc = pc;
                    }
                    continue;
                }
                Err(stop) => Err(stop),
            };
            let turned = match result {
                Err(Stop::Throw(handle)) => Some(self.unwind(handle)),
                Err(Stop::Switch(how)) => Some(match self.switch(how, pc) {
                    // A callback of the runtime, which ran while all threads waited, has no caller.
                    Err(Stop::Throw(handle)) => {
                        Err(self.m.host.uncaught(self.m, handle, "an uncaught exception"))
                    }
                    other => other,
                }),
                Ok(bits) if self.is_guest() => Some(self.end_thread(bits as u64)),
                _ => None,
            };
            match turned {
                Some(Ok(())) => continue,
                Some(Err(stop)) => {
                    pc = self.frames.last().map_or(0, |f| f.pc);
                    result = Err(stop);
                }
                None => {}
            }
            return result.map_err(|stop| match self.frames.last_mut() {
                Some(frame) => {
                    frame.pc = pc;
                    let stop = locate(&self.m.module, frame.code.code(), pc.saturating_sub(1), stop);
                    self.name_caller(stop)
                }
                None => stop,
            });
        }
    }

    /// Says by which calls the host came to what was noted since the last time, if anything was.
    #[inline(always)]
    pub(super) fn trace_new(&mut self) {
        if self.m.findings.is_untraced() {
            self.trace();
        }
    }

    /// [`Host::trace_new`], of what is not among the findings yet, too.
    #[cold]
    pub(super) fn trace(&mut self) {
        let calls = rare::calls(&self.frames);
        self.m.findings.trace(&calls);
        self.m.engine.worker.ub.trace(&calls);
    }

    /// Says by which calls the host came to a fault.
    #[cold]
    fn name_caller(&mut self, mut stop: Stop) -> Stop {
        self.trace();
        if let Stop::Fault(fault) = &mut stop
            && fault.calls.is_empty()
            && fault.thread.is_none()
        {
            fault.calls = rare::calls(&self.frames);
        }
        stop
    }

    /// Enters `callee` from the innermost frame, which goes on at `pc`; gives where its registers start.
    #[inline(always)]
    fn enter(&mut self, callee: CodeRef, pc: usize) -> Result<usize, Stop> {
        let mut base = 0;
        if let Some(caller) = self.frames.last_mut() {
            caller.pc = pc;
            base = caller.base + usize::from(caller.code.code().files.scalars);
        }
        self.push(callee, base)?;
        Ok(base)
    }

    /// Leaves the innermost frame. Whether it was the last.
    #[inline(always)]
    pub(super) fn leave(&mut self) -> bool {
        if let Some(frame) = self.frames.pop() {
            self.m.engine.host.depth -= 1;
            if let Some(locals) = frame.locals() {
                self.m.mem.host.leave(locals);
            }
            if let Some(va) = frame.va() {
                self.m.engine.host.va.leave(va);
            }
        }
        self.frames.is_empty()
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
    if let (GenKind::Cast(op), [a]) = (g.kind, g.args.as_slice())
        && let Reg::S(from) = a.reg
        && let Some(bits) = eval::cast_word(op, a.ty, g.d.ty, s.get(from))
    {
        return (bits.into(), None);
    }
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
