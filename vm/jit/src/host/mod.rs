//! Functions of the host as machine code.
//!
//! What is compiled is the bytecode, so that compiled code and the bytecode's loop stand at the same operations with the
//! same registers. Compiled code keeps registers in variables and writes to the frame's words what the bytecode may need.
//! So it can leave before any operation (a *side exit*): it gives the operation's number, and the bytecode goes on there.
//! It leaves before whatever it does not do, and before whatever could have to be reported. It is entered at the
//! function's start, at heads of loops (on-stack replacement) and behind operations that the bytecode has done for it.
//!
//! 1. [`ops`] says what becomes of each operation, [`flow`] finds blocks, live registers and webs.
//! 2. [`emit`] writes machine code, with [`arith`] for what computes, [`memory`] for accesses, [`calls`] and [`exits`].
//! 3. [`HostFunction::run`] runs it. [`HostContext`] is what it knows of the machine.

pub mod abi;
mod arith;
mod calls;
mod emit;
mod exits;
mod flow;
mod memory;
mod ops;

pub use abi::{HostCache, HostContext, HostHelper};

use crate::Refusal;
use crate::kernel::{module_for_this_machine, refused};
use cranelift_codegen::ir::AbiParam;
use cranelift_codegen::ir::types as ct;
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext};
use cranelift_jit::JITModule;
use cranelift_module::{Linkage, Module as _};
use cudair_bytecode::{Callee, Code, Op};
use cudair_ir::{FuncId, GlobalId};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// A local variable in memory.
#[derive(Clone, Copy, Debug)]
pub struct HostSlot {
    /// Where it starts in the frame's local variables, in bytes, a multiple of eight.
    pub offset: u32,
    /// Bytes.
    pub size: u32,
    /// Whether it is dead at times.
    pub marked: bool,
}

/// A function of the host that compiled code may call.
#[derive(Clone, Copy, Debug)]
pub struct HostCallee {
    /// Its bytecode.
    pub code: &'static Code,
    /// As in [`HostProgram::function`].
    pub function: u64,
    /// Where the address of its machine code stands, once there is some ([`HostFunction::address`]); null until then.
    pub machine: u64,
    /// Whether it has local variables in memory.
    pub has_locals: bool,
}

/// What the compiler asks of the program around a function.
pub struct HostProgram<'a> {
    /// The addresses of variables of static storage.
    pub globals: &'a dyn Fn(GlobalId) -> u64,
    /// The functions that may be called.
    pub callee: &'a dyn Fn(FuncId) -> Option<HostCallee>,
    /// The function that is compiled, as frames name it.
    pub function: u64,
}

/// The type of compiled functions. They get the context, the registers, the end of their frame on the stack of calls, the entry and
/// the budget. Beside the operation and the budget they give the function's result, if it returned.
type Run = extern "C" fn(*mut HostContext, *mut u64, *mut u8, u32, u32) -> Left;

/// What a compiled function gives.
#[derive(Clone, Copy)]
#[repr(C)]
struct Left {
    place: u64,
    result: u64,
}

/// A function of the host as machine code.
pub struct HostFunction {
    /// Owns the machine code. Nothing once it is dropped.
    module: Option<JITModule>,
    code: Run,
    /// By operation: one more than the entry's number, or 0.
    entries: Box<[u32]>,
    /// The machine code refers to them.
    #[expect(dead_code, reason = "kept for as long as the machine code")]
    caches: Box<[HostCache]>,
    size: usize,
}

// SAFETY: the machine code is not changed, and the module is left alone until the function is dropped, when nobody else has it.
#[allow(unsafe_code)]
unsafe impl Sync for HostFunction {}
// SAFETY: as above; nothing in it is tied to a thread.
#[allow(unsafe_code)]
unsafe impl Send for HostFunction {}

impl std::fmt::Debug for HostFunction {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("HostFunction").field("size", &self.size).finish_non_exhaustive()
    }
}

impl Drop for HostFunction {
    #[allow(unsafe_code)]
    fn drop(&mut self) {
        if let Some(module) = self.module.take() {
            // SAFETY: `code` is called through `self` alone, so that nobody is in it, and nobody will be.
            unsafe { module.free_memory() };
        }
    }
}

impl HostFunction {
    /// Compiles a function whose local variables are `slots`.
    ///
    /// # Errors
    /// What the tier does not do, or what the compiler refused.
    pub fn compile(
        code: &Code,
        slots: &[HostSlot],
        program: &HostProgram<'_>,
    ) -> Result<HostFunction, Refusal> {
        // The compiler is not ours: what it panics about is not compiled.
        catch_unwind(AssertUnwindSafe(|| compile(code, slots, program)))
            .unwrap_or(Err(Refusal("the compiler panicked")))
    }

    /// The entry at an operation, if there is one.
    #[inline(always)]
    pub fn entry(&self, pc: usize) -> Option<u32> {
        self.entries[pc].checked_sub(1)
    }

    /// Runs from an entry on. `budget` is how many back edges there may be, at least one, before the bytecode looks at the
    /// limits. Gives the operation with which the bytecode goes on, and in the upper half what is left of the budget.
    ///
    /// # Safety
    /// `words` are the registers of a frame of the function, with its constants; the context's pointers point to what its
    /// documentation says, for this frame, which is the innermost; there is room for frames as far as it says; and nothing else is done with that memory until this returns, but by helpers.
    #[allow(unsafe_code)]
    #[inline(always)]
    pub unsafe fn run(&self, cx: *mut HostContext, words: *mut u64, entry: u32, budget: u32) -> u64 {
        // SAFETY: the caller's promise: the context is one.
        let frames = unsafe { (*cx).frames };
        (self.code)(cx, words, frames, entry, budget).place
    }

    /// The machine code, for compiled functions that call it.
    pub fn address(&self) -> *const u8 {
        self.code as *const u8
    }

    /// Bytes of machine code.
    pub fn size(&self) -> usize {
        self.size
    }
}

fn compile(code: &Code, slots: &[HostSlot], program: &HostProgram<'_>) -> Result<HostFunction, Refusal> {
    let flow = flow::Flow::new(code)?;
    let mut jit = module_for_this_machine()?;
    let pointer = jit.target_config().pointer_type();
    if pointer != ct::I64 {
        return Err(Refusal("this machine's words are not of 64 bits"));
    }
    let mut sig = jit.make_signature();
    sig.params = [pointer, pointer, pointer, ct::I32, ct::I32].map(AbiParam::new).to_vec();
    sig.returns = vec![AbiParam::new(ct::I64); 2];
    let mut cx = jit.make_context();
    cx.func.signature = sig.clone();
    let mut builder = FunctionBuilderContext::new();
    let b = FunctionBuilder::new(&mut cx.func, &mut builder);
    let through_pointer = |op: &&Op| match op {
        Op::Call { call } => matches!(code.tables.calls[*call].callee, Callee::Indirect { .. }),
        _ => false,
    };
    let calls = code.ops.iter().filter(through_pointer).count();
    let caches: Box<[HostCache]> = (0..calls).map(|_| HostCache::default()).collect();
    emit::Emitter::emit(code, &flow, slots, program, &caches, b, jit.target_config())?;
    log::trace!(target: "jit", "{}", cx.func.display());
    let id = jit.declare_function("host", Linkage::Export, &sig).map_err(refused("the compiler refused"))?;
    jit.define_function(id, &mut cx).map_err(|e| {
        log::info!(target: "jit", "the compiler refused: {e:?}");
        Refusal("the compiler refused")
    })?;
    let size = cx.compiled_code().map_or(0, |c| c.code_buffer().len());
    jit.finalize_definitions().map_err(refused("no memory for machine code"))?;
    let address = jit.get_finalized_function(id);
    // SAFETY: the function was declared with this signature and the machine's calling convention.
    #[allow(unsafe_code)]
    let run = unsafe { std::mem::transmute::<*const u8, Run>(address) };
    let mut entries = vec![0; code.ops.len()];
    for (n, &block) in flow.entries.iter().enumerate() {
        entries[flow.blocks[block].first] = n as u32 + 1;
    }
    Ok(HostFunction { module: Some(jit), code: run, entries: entries.into(), caches, size })
}
