//! The compiler from IR to bytecode.
//!
//! A function is compiled once per context: for the host, where every value is a scalar, or for a launch,
//! where facts say which values are the same in all threads of a block. The steps:
//!
//! 1. [`order`]: blocks are laid out so that diverged lanes meet again as early as they can.
//! 2. [`close`]: scalars that outlive a loop become vectors where lanes leave it one by one.
//! 3. [`classify`]: each value becomes a scalar of the convergence group, a vector over its lanes or a predicate.
//! 4. [`plan`] and [`address`]: constants, index arithmetic and comparisons are folded into the
//!    operations that use them; what is left is what is emitted.
//!    Loads whose values are not used on every way are checked where they are used ([`late`]).
//! 5. [`live`] and [`alloc`]: lifetimes and registers.
//! 6. [`emit`]: operations, with the parallel moves ([`moves`]) of block arguments on the edges.
//! 7. [`fuse`]: on the host, operations for the usual case.
//!
//! The crate knows the IR and the bytecode, and neither memory nor the engine. Begin with [`compile`].

mod address;
mod alloc;
mod bounds;
mod classify;
mod close;
mod emit;
mod fuse;
mod late;
mod live;
mod moves;
mod nan;
mod order;
mod plan;
#[cfg(test)]
mod tests;
mod vreg;

pub use crate::bounds::{Ranges, Shape};

use crate::alloc::Affinity;
use crate::emit::Emitter;
use crate::live::Liveness;
use crate::plan::{Operand, Plan};
use crate::vreg::VReg;
use cranelift_entity::SecondaryMap;
use cudair_bytecode::{Code, VerifiedCode};
use cudair_ir::{
    Diagnostic, DiagnosticClass, FuncFacts, FuncId, Function, Loc, Module, Span, Uniformity, Value,
};

/// What a function is compiled for.
#[derive(Clone, Copy)]
pub struct Context<'a> {
    /// The program.
    pub module: &'a Module,
    /// What was proved of the function in the launch; nothing for the host.
    pub facts: Option<&'a FuncFacts>,
    /// What is to be tested; whoever gives it gives no facts, so that each lane computes its own value.
    pub claims: Option<&'a FuncFacts>,
    /// How far a value must be the same to stand in a scalar register: over the block, or over the grid
    /// where blocks share strips.
    pub uniform_over: Uniformity,
    /// The shape of the launch's blocks; zeros where it is not known.
    pub block_dim: [u32; 3],
    /// Whether a declared function is pure arithmetic that runs lane by lane.
    pub is_math: fn(&str) -> bool,
}

/// Why a function cannot be compiled.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Refusal {
    class: DiagnosticClass,
    loc: Option<Loc>,
    message: String,
}

impl Refusal {
    /// Something that is not supported.
    fn unsupported(loc: Option<Loc>, what: impl std::fmt::Display) -> Refusal {
        Refusal { class: DiagnosticClass::Unsupported, loc, message: format!("{what} is not supported") }
    }

    /// A defect of cudair.
    fn defect(loc: Option<Loc>, message: impl Into<String>) -> Refusal {
        Refusal { class: DiagnosticClass::Internal, loc, message: message.into() }
    }

    fn diagnostic(self, module: &Module, func: &Function) -> Diagnostic {
        let mut d = Diagnostic::new(self.class, self.message);
        d.primary = self
            .loc
            .or(func.loc.expand())
            .map(|loc| Span::new(&module.source, loc, format!("in `{}`", func.display_name)));
        d
    }
}

/// The values of a device function that may be the result of an operation on binary32, so that a NaN among them has to be
/// made the device's where its bits are seen.
pub fn binary32_results(cx: &Context<'_>, func: &Function) -> SecondaryMap<Value, bool> {
    match func.entry() {
        Some(entry) => nan::computed(cx, func, &order::BlockOrder::new(func, entry)),
        None => SecondaryMap::new(),
    }
}

/// By block: its place in the layout of the bytecode, which the engine runs the earliest convergence group by. An edge to a block
/// that is no later closes a cycle. Blocks that are not reached come last.
pub fn layout(func: &Function) -> SecondaryMap<cudair_ir::Block, u32> {
    let mut places = SecondaryMap::with_default(u32::MAX);
    if let Some(entry) = func.entry() {
        let order = order::BlockOrder::new(func, entry);
        for (n, &block) in order.blocks.iter().enumerate() {
            places[block] = n as u32;
        }
    }
    places
}

/// Compiles a function that has a body.
#[expect(clippy::result_large_err, reason = "a diagnostic ends the run")]
pub fn compile(cx: &Context<'_>, id: FuncId) -> Result<VerifiedCode, Diagnostic> {
    let func = &cx.module.funcs[id];
    let code = compile_unverified(cx, id).map_err(|r| r.diagnostic(cx.module, func))?;
    code.verify().map_err(|e| Diagnostic::new(DiagnosticClass::Internal, e))
}

fn compile_unverified(cx: &Context<'_>, id: FuncId) -> Result<Code, Refusal> {
    let func = &cx.module.funcs[id];
    let Some(entry) = func.entry() else {
        return Err(Refusal::defect(None, format!("`{}` has no body to compile", func.name)));
    };
    let closed = close::close_loops(cx, func, entry);
    let func = closed.as_ref().unwrap_or(func);
    let plan = Plan::new(cx, func, entry);
    let steps = plan.steps();
    let live = Liveness::new(&plan.order, &steps, &plan.regs);
    let places = alloc::assign(&plan.regs, &plan.extra(), &live, &mut affinity(&plan));
    let mut code = Emitter::emit(&plan, &live, &steps, &places, id)?;
    if !func.side.on_device() {
        fuse::fuse(&mut code);
    }
    Ok(code)
}

/// Block parameters would like the registers of their arguments.
fn affinity(plan: &Plan<'_>) -> Affinity {
    let mut affinity = Affinity::default();
    let func = plan.func;
    for &block in &plan.order.blocks {
        let Some(t) = func.terminator(block) else { continue };
        func.for_each_target(t, |call| {
            for (n, &param) in func.block_params(call.block).iter().enumerate() {
                let param = VReg::from(param);
                if plan.needed[param]
                    && let Some(arg) = plan.edge_arg(call.block, call.args.as_slice(&func.pool), n as u32)
                    && let Operand::Reg(arg) = plan.operand(arg)
                    && plan.regs[arg] == plan.regs[param]
                {
                    affinity.join(param, arg);
                }
            }
        });
    }
    affinity
}

/// A map of the registers for which `f` holds.
fn flags(regs: impl Iterator<Item = VReg>) -> SecondaryMap<VReg, bool> {
    let mut map = SecondaryMap::new();
    for r in regs {
        map[r] = true;
    }
    map
}
