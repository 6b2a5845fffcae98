//! Compiled code: what a function of the program is when it is called.
#![allow(unsafe_code)] // `CodeRef::new`: this is where code is owned

use super::regs::{CodeRef, Unit};
use crate::machine::{DeviceFn, HostFn, Machine};
use cudair_bytecode::VerifiedCode;
use cudair_codegen::Context;
use cudair_ir::{
    Diagnostic, DiagnosticClass, FuncFacts, FuncId, LaunchAnswer, Module, SecondaryMap, SigId, Uniformity,
};
use cudair_lane::fault::Stop;
use cudair_lane::ptr::Ptr;
use cudair_math::MathFn;
use cudair_memory::{FrameLayout, SlotLayout};
use std::sync::Arc;

/// What a call on the host does.
#[derive(Clone, Copy, Default)]
pub(crate) enum HostTarget {
    /// Not looked up yet.
    #[default]
    Unresolved,
    /// A function with a body.
    Code(CodeRef),
    /// A native function.
    Native(HostFn),
    /// A pure mathematical function.
    Math(MathFn),
    /// `setjmp` and kin.
    SetJmp,
    /// `longjmp` and kin.
    LongJmp,
}

/// What a call on the device does.
#[derive(Clone, Copy, Default)]
pub(crate) enum DeviceTarget {
    /// Not looked up yet.
    #[default]
    Unresolved,
    /// A function with a body.
    Code(CodeRef),
    /// A native function.
    Native(DeviceFn),
    /// A pure mathematical function.
    Math(MathFn),
}

/// Code compiled under what one launch context knows.
struct DeviceSet {
    answer: Option<Arc<LaunchAnswer>>,
    /// The shape of blocks, where it may show that indices are in range.
    block_dim: [u32; 3],
    targets: SecondaryMap<FuncId, DeviceTarget>,
}

/// Pointers to functions that are remembered.
const RECENT: usize = 16;

/// All compiled code of a run.
#[derive(Default)]
pub(crate) struct CodeCache {
    /// Whether the program has checks of indices that a launch's shape may prove.
    checks_rows: Option<bool>,
    host: SecondaryMap<FuncId, HostTarget>,
    /// Functions that were called through a pointer on the host lately, by the pointer's low bits.
    indirect: [Option<(Ptr, SigId, CodeRef)>; RECENT],
    device: Vec<DeviceSet>,
    /// Never shrinks: `CodeRef`s point into the boxes.
    #[allow(clippy::vec_box)]
    units: Vec<Box<Unit>>,
}

/// Which set of device code: an index into the cache.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct DeviceSetId(usize);

/// The bytecode of a function, from the compiler.
#[allow(clippy::result_large_err)] // made once, and it ends the run
fn compile(
    module: &Module,
    func: FuncId,
    facts: Option<&FuncFacts>,
    block_dim: [u32; 3],
) -> Result<VerifiedCode, Diagnostic> {
    let is_math = |name: &str| cudair_math::lookup(name).is_some();
    let cx = Context { module, facts, uniform_over: Uniformity::Block, block_dim, is_math };
    let code = cudair_codegen::compile(&cx, func);
    if log::log_enabled!(target: "compile", log::Level::Info) {
        tell_compiled(module, func, facts.is_some(), &code);
    }
    code
}

/// Traces what the compiler made of a function.
#[cold]
fn tell_compiled(module: &Module, func: FuncId, facts: bool, code: &Result<VerifiedCode, Diagnostic>) {
    let f = &module.funcs[func];
    let how = if facts { "with facts" } else { "without facts" };
    match code {
        Ok(code) => {
            log::info!(
                target: "compile",
                "`{}` ({:?}, {how}): {} operations, {} scalars",
                f.display_name, f.side, code.ops.len(), code.files.scalars
            );
            log::debug!(target: "compile", "\n{}", **code);
        }
        Err(d) => log::info!(target: "compile", "`{}`: refused: {}", f.display_name, d.message),
    }
}

/// The stop for what the compiler could not do.
fn refused(d: Diagnostic) -> Stop {
    match d.class {
        DiagnosticClass::Internal => Stop::Internal(Box::new(d)),
        _ => Stop::Unsupported(Box::new(d)),
    }
}

impl CodeCache {
    /// What the host does when it calls `func`.
    #[inline(always)]
    pub(crate) fn host(&self, func: FuncId) -> HostTarget {
        self.host[func]
    }

    /// The code behind a pointer that was called with this signature before.
    #[inline(always)]
    pub(crate) fn indirect(&self, ptr: Ptr, sig: SigId) -> Option<CodeRef> {
        match self.indirect[ptr.serial() as usize % RECENT] {
            Some((p, s, code)) if p == ptr && s == sig => Some(code),
            _ => None,
        }
    }

    /// Remembers that `ptr` names the function of `code` and that it can be called with this signature.
    pub(crate) fn remember_indirect(&mut self, ptr: Ptr, sig: SigId, code: CodeRef) {
        self.indirect[ptr.serial() as usize % RECENT] = Some((ptr, sig, code));
    }

    /// What the device does when it calls `func` under what the set's launch knows.
    #[inline(always)]
    pub(crate) fn device(&self, set: DeviceSetId, func: FuncId) -> DeviceTarget {
        self.device[set.0].targets[func]
    }

    /// The set for an answer of the oracle. Launches about which nothing is known share one.
    pub(crate) fn device_set(
        &mut self,
        module: &Module,
        answer: &Arc<LaunchAnswer>,
        block_dim: [u32; 3],
    ) -> DeviceSetId {
        let checks = *self.checks_rows.get_or_insert_with(|| {
            let mut insts = module.funcs.values().flat_map(|f| f.insts.values());
            insts.any(|i| matches!(i, cudair_ir::InstData::Bounds { .. }))
        });
        let block_dim = if checks { block_dim } else { [0; 3] };
        let known = !answer.facts.funcs.is_empty();
        let found = self.device.iter().position(|s| {
            s.block_dim == block_dim
                && match &s.answer {
                    Some(a) => known && Arc::ptr_eq(a, answer),
                    None => !known,
                }
        });
        DeviceSetId(found.unwrap_or_else(|| {
            let answer = known.then(|| answer.clone());
            self.device.push(DeviceSet { answer, block_dim, targets: SecondaryMap::new() });
            self.device.len() - 1
        }))
    }

    fn add(&mut self, code: VerifiedCode) -> CodeRef {
        let layout = (!code.slots.is_empty()).then(|| {
            let slots = code.slots.iter().map(|s| SlotLayout {
                size: s.size,
                align_log2: s.align_log2,
                name: s.name.as_str().into(),
                place: s.loc.expand().into(),
                part: s.part,
                markers: s.marked,
                end: s.end.expand().into(),
            });
            Arc::new(FrameLayout::new(slots.collect()))
        });
        let unit = Box::new(Unit { code, layout });
        // SAFETY: the box goes into `units`, which only grows and is dropped with the machine; its contents
        // are not changed. Frames, which hold `CodeRef`s, do not outlive the machine.
        let code = unsafe { CodeRef::new(&unit) };
        self.units.push(unit);
        code
    }
}

impl Machine {
    /// What the host does when it calls `func`, compiled now if it must be.
    pub(crate) fn resolve_host(&mut self, func: FuncId) -> Result<HostTarget, Stop> {
        let known = self.engine.cache.host(func);
        if !matches!(known, HostTarget::Unresolved) {
            return Ok(known);
        }
        let module = self.module.clone();
        let f = &module.funcs[func];
        let target = if !f.is_declaration() {
            if f.side.on_device() {
                return Err(Stop::internal(format!("the host calls `{}` of the device", f.display_name)));
            }
            let code = compile(&module, func, None, [0; 3]).map_err(refused)?;
            HostTarget::Code(self.engine.cache.add(code))
        } else if let Some(native) = self.host.function(&f.name).or_else(|| self.device.function(&f.name)) {
            HostTarget::Native(native)
        } else if let Some(math) = cudair_math::lookup(&f.name) {
            HostTarget::Math(math)
        } else {
            match f.name.as_str() {
                "setjmp" | "_setjmp" | "__sigsetjmp" | "sigsetjmp" => HostTarget::SetJmp,
                "longjmp" | "_longjmp" | "siglongjmp" | "__longjmp_chk" => HostTarget::LongJmp,
                _ => return Err(unknown(&f.display_name, "")),
            }
        };
        self.engine.cache.host[func] = target;
        Ok(target)
    }

    /// What the device does when it calls `func`, compiled now if it must be.
    pub(crate) fn resolve_device(&mut self, set: DeviceSetId, func: FuncId) -> Result<DeviceTarget, Stop> {
        let known = self.engine.cache.device(set, func);
        if !matches!(known, DeviceTarget::Unresolved) {
            return Ok(known);
        }
        let module = self.module.clone();
        let f = &module.funcs[func];
        let target = if !f.is_declaration() {
            let answer = self.engine.cache.device[set.0].answer.clone();
            let facts = answer.as_ref().and_then(|a| a.facts.funcs.get(&func));
            let block_dim = self.engine.cache.device[set.0].block_dim;
            let code = compile(&module, func, facts, block_dim).map_err(refused)?;
            DeviceTarget::Code(self.engine.cache.add(code))
        } else {
            let name = f.name.strip_suffix(cudair_ir::DEVICE_SUFFIX).unwrap_or(&f.name);
            if let Some(native) =
                self.host.device_function(name).or_else(|| self.device.device_function(name))
            {
                DeviceTarget::Native(native)
            } else if let Some(math) = cudair_math::lookup_device(name) {
                DeviceTarget::Math(math)
            } else {
                return Err(unknown(&f.display_name, " in device code"));
            }
        };
        self.engine.cache.device[set.0].targets[func] = target;
        Ok(target)
    }
}

fn unknown(name: &str, side: &str) -> Stop {
    Stop::unsupported(format!(
        "call of `{name}`{side}, which is neither defined in the program nor known to cudair"
    ))
}

impl Machine {
    /// The bytecode of a function as text, compiled without knowledge of a launch.
    ///
    /// # Errors
    /// What the compiler does not support.
    #[allow(clippy::result_large_err)] // made once, and it ends the command
    pub fn bytecode_text(&self, func: FuncId) -> Result<String, Diagnostic> {
        Ok(compile(&self.module, func, None, [0; 3])?.to_string())
    }
}
