//! Compiled code: what a function of the program is when it is called.
#![allow(unsafe_code)] // `CodeRef::new`: this is where code is owned

use super::regs::{CodeRef, Unit};
use crate::machine::{DeviceFn, HostFn, Machine};
use crate::worker::Program;
use cudair_bytecode::{FactCounts, VerifiedCode};
use cudair_codegen::Context;
use cudair_ir::{
    Diagnostic, DiagnosticClass, EntityRef, FuncFacts, FuncId, Function, LaunchAnswer, Module, SecondaryMap,
    SigId, Uniformity,
};
use cudair_lane::fault::Stop;
use cudair_lane::ptr::Ptr;
use cudair_math::MathFn;
use cudair_memory::{FrameLayout, SlotLayout};
#[cfg(feature = "jit")]
use std::sync::atomic::{AtomicPtr, AtomicU32};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

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
#[derive(Clone, Copy)]
pub(crate) enum DeviceTarget {
    /// A function with a body.
    Code(CodeRef),
    /// A native function.
    Native(DeviceFn),
    /// A pure mathematical function.
    Math(MathFn),
}

/// The compiled functions of a run, by host and device: they stay where they are until the last that holds a part of the
/// cache is gone.
#[derive(Default)]
pub(crate) struct Units {
    /// Never shrinks: `CodeRef`s point into the boxes.
    #[allow(clippy::vec_box)]
    boxes: Mutex<Vec<Box<Unit>>>,
}

/// Pointers to functions that are remembered.
const RECENT: usize = 16;

/// The host's functions.
pub(crate) struct HostCode {
    units: Arc<Units>,
    targets: SecondaryMap<FuncId, HostTarget>,
    /// Functions that were called through a pointer lately, by the pointer's low bits.
    indirect: [Option<(Ptr, SigId, CodeRef)>; RECENT],
}

/// The device's functions.
pub(crate) struct DeviceCode {
    units: Arc<Units>,
    /// Whether the program has checks of indices that a launch's shape may prove.
    checks_rows: Option<bool>,
    sets: Vec<Arc<DeviceSet>>,
}

/// Code compiled under what one launch context knows. Workers share it: a function is compiled by the first that calls
/// it, and stands still from then on.
pub(crate) struct DeviceSet {
    units: Arc<Units>,
    answer: Option<Arc<LaunchAnswer>>,
    /// The shape of blocks, where it may show that indices are in range.
    block_dim: [u32; 3],
    /// By function.
    targets: Box<[OnceLock<DeviceTarget>]>,
}

/// What is known of a function in a launch, and what for.
#[derive(Clone, Copy)]
enum Known<'a> {
    /// The code makes use of it.
    Used(Option<&'a FuncFacts>),
    /// The code tests it.
    Tested(Option<&'a FuncFacts>),
}

/// The bytecode of a function, from the compiler.
#[allow(clippy::result_large_err)] // made once, and it ends the run
fn compile(
    module: &Module,
    func: FuncId,
    known: Known<'_>,
    block_dim: [u32; 3],
) -> Result<VerifiedCode, Diagnostic> {
    let is_math = |name: &str| cudair_math::lookup(name).is_some();
    let (facts, claims) = match known {
        Known::Used(facts) => (facts, None),
        Known::Tested(claims) => (None, claims),
    };
    let cx = Context { module, facts, claims, uniform_over: Uniformity::Block, block_dim, is_math };
    let code = cudair_codegen::compile(&cx, func);
    if log::log_enabled!(target: "compile", log::Level::Info) {
        tell_compiled(module, func, known, &code);
    }
    code
}

/// Traces what the compiler made of a function.
#[cold]
fn tell_compiled(module: &Module, func: FuncId, known: Known<'_>, code: &Result<VerifiedCode, Diagnostic>) {
    let f = &module.funcs[func];
    let how = match known {
        Known::Used(Some(_)) => "with facts",
        Known::Tested(Some(_)) => "tests facts",
        Known::Used(None) | Known::Tested(None) => "without facts",
    };
    match code {
        Ok(code) => {
            log::info!(
                target: "compile",
                "`{}` ({:?}, {how}): {} operations, {} scalars",
                f.display_name, f.side, code.ops.len(), code.files.scalars
            );
            if let Known::Tested(Some(_)) = known {
                let FactCounts { tested, scalar, absent } = code.facts;
                log::info!(
                    target: "compile",
                    "`{}`: {tested} facts are tested, {scalar} are plain, {absent} have no register",
                    f.display_name
                );
            }
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

impl Units {
    /// Takes a function in.
    fn add(&self, code: VerifiedCode) -> CodeRef {
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
        let unit = Box::new(Unit {
            code,
            layout,
            #[cfg(feature = "jit")]
            machine: OnceLock::new(),
            #[cfg(feature = "jit")]
            heat: AtomicU32::new(0),
            #[cfg(feature = "jit")]
            address: AtomicPtr::new(std::ptr::null_mut()),
        });
        // SAFETY: the box goes into `boxes`, which only grows and is dropped with the machine; its contents
        // are not changed. Frames, which hold `CodeRef`s, do not outlive the machine.
        let code = unsafe { CodeRef::new(&unit) };
        self.boxes.lock().unwrap_or_else(PoisonError::into_inner).push(unit);
        code
    }
}

impl HostCode {
    /// Nothing compiled.
    pub(crate) fn new(units: Arc<Units>) -> HostCode {
        HostCode { units, targets: SecondaryMap::new(), indirect: [None; RECENT] }
    }

    /// What the host does when it calls `func`.
    #[inline(always)]
    pub(crate) fn target(&self, func: FuncId) -> HostTarget {
        self.targets[func]
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
}

impl DeviceCode {
    /// Nothing compiled.
    pub(crate) fn new(units: Arc<Units>) -> DeviceCode {
        DeviceCode { units, checks_rows: None, sets: Vec::new() }
    }

    /// The set for an answer of the oracle. Launches about which nothing is known share one.
    pub(crate) fn set(
        &mut self,
        module: &Module,
        answer: &Arc<LaunchAnswer>,
        block_dim: [u32; 3],
    ) -> Arc<DeviceSet> {
        let checks = *self.checks_rows.get_or_insert_with(|| {
            let mut insts = module.funcs.values().flat_map(|f| f.insts.values());
            insts.any(|i| matches!(i, cudair_ir::InstData::Bounds { .. }))
        });
        let block_dim = if checks { block_dim } else { [0; 3] };
        let known = !answer.facts.funcs.is_empty();
        let found = self.sets.iter().find(|s| {
            s.block_dim == block_dim
                && match &s.answer {
                    Some(a) => known && Arc::ptr_eq(a, answer),
                    None => !known,
                }
        });
        if let Some(set) = found {
            return set.clone();
        }
        let set = Arc::new(DeviceSet {
            units: self.units.clone(),
            answer: known.then(|| answer.clone()),
            block_dim,
            targets: std::iter::repeat_with(OnceLock::new).take(module.funcs.len()).collect(),
        });
        self.sets.push(set.clone());
        set
    }
}

impl DeviceSet {
    /// What the device does when it calls `func`, compiled now if it must be.
    #[inline]
    pub(crate) fn resolve(&self, program: &Program, func: FuncId) -> Result<DeviceTarget, Stop> {
        match self.targets.get(func.index()).and_then(OnceLock::get) {
            Some(&known) => Ok(known),
            None => self.resolve_anew(program, func),
        }
    }

    #[cold]
    fn resolve_anew(&self, program: &Program, func: FuncId) -> Result<DeviceTarget, Stop> {
        let module = &program.module;
        let Some(place) = self.targets.get(func.index()) else {
            return Err(Stop::internal("a call of a function that the program does not have"));
        };
        let f = &module.funcs[func];
        let target = if !f.is_declaration() {
            let facts = self.answer.as_ref().and_then(|a| a.facts.funcs.get(&func));
            let known = if program.config.check_facts { Known::Tested(facts) } else { Known::Used(facts) };
            let code = compile(module, func, known, self.block_dim).map_err(refused)?;
            DeviceTarget::Code(self.units.add(code))
        } else {
            let name = f.name.strip_suffix(cudair_ir::DEVICE_SUFFIX).unwrap_or(&f.name);
            if let Some(native) =
                program.host.device_function(name).or_else(|| program.device.device_function(name))
            {
                DeviceTarget::Native(native)
            } else if let Some(math) = cudair_math::lookup_device(name) {
                DeviceTarget::Math(declared(f, math)?)
            } else {
                return Err(unknown(&f.display_name, " in device code"));
            }
        };
        // Where another worker was first, its code is the function's.
        Ok(*place.get_or_init(|| target))
    }
}

impl Machine {
    /// What the host does when it calls `func`, compiled now if it must be.
    #[inline]
    pub(crate) fn resolve_host(&mut self, func: FuncId) -> Result<HostTarget, Stop> {
        match self.engine.host.code.target(func) {
            HostTarget::Unresolved => self.resolve_new(func),
            known => Ok(known),
        }
    }

    #[cold]
    fn resolve_new(&mut self, func: FuncId) -> Result<HostTarget, Stop> {
        let module = self.module.clone();
        let f = &module.funcs[func];
        let target = if !f.is_declaration() {
            if f.side.on_device() {
                return Err(Stop::internal(format!("the host calls `{}` of the device", f.display_name)));
            }
            let code = compile(&module, func, Known::Used(None), [0; 3]).map_err(refused)?;
            HostTarget::Code(self.engine.host.code.units.add(code))
        } else if let Some(native) = self.host.function(&f.name).or_else(|| self.device.function(&f.name)) {
            HostTarget::Native(native)
        } else if let Some(math) = cudair_math::lookup(&f.name) {
            HostTarget::Math(declared(f, math)?)
        } else {
            match f.name.as_str() {
                "setjmp" | "_setjmp" | "__sigsetjmp" | "sigsetjmp" => HostTarget::SetJmp,
                "longjmp" | "_longjmp" | "siglongjmp" | "__longjmp_chk" => HostTarget::LongJmp,
                _ => return Err(unknown(&f.display_name, "")),
            }
        };
        self.engine.host.code.targets[func] = target;
        Ok(target)
    }
}

/// A mathematical function that the program declares with all its arguments.
fn declared(f: &Function, math: MathFn) -> Result<MathFn, Stop> {
    let (stated, takes) = (f.sig.params.len(), math.arity());
    if stated >= takes {
        return Ok(math);
    }
    let name = &f.display_name;
    Err(Stop::unsupported(format!(
        "call of `{name}`, which is declared with {stated} of its {takes} parameters"
    )))
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
        Ok(compile(&self.module, func, Known::Used(None), [0; 3])?.to_string())
    }
}
