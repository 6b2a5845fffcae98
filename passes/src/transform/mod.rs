//! The transforms: from what the frontend writes to what the analyses and the machine like to read.
//!
//! A transform keeps every behaviour that cudair promises to report. It never drops an instruction that
//! may find undefined behaviour (`nsw` arithmetic, division, shifts, loads) unless that is proved fine,
//! never duplicates a convergent instruction or changes what its execution depends on, and never invents
//! a value for memory that was not written. Each file says which paper or pass it follows and what it
//! leaves alone.
//!
//! | pass | does |
//! | --- | --- |
//! | `exceptions` | calls that cannot throw become plain calls |
//! | `promote` | variables become SSA values |
//! | `sroa` | structs and arrays accessed at constant offsets become variables |
//! | `inline` | calls become the callee's body |
//! | `texels` | so do those of functions on textures and surfaces; for the machine alone |
//! | `barriers` | and those of barriers with numbers; for the machine alone |
//! | `spaces` | generic pointers become pointers to the space that they are seen to point into |
//! | `simplify` | constant folding, algebra, control-flow clean-up, common subexpressions, dead code |
//! | `licm` | pure instructions leave loops |
//! | `fast-math` | device code: calls of functions become those of their fast forms, as nvcc's `-use_fast_math` has it |
//! | `contract` | device code: multiplications and additions become fused ones, as nvcc has it |
//! | `copies` | small constant copies become a load and a store |
//! | `dce` | functions and variables that nothing refers to are removed |
//! | `compact` | entities are renumbered as the text numbers them |

pub mod contract;
pub mod copies;
pub mod count;
pub mod dce;
pub mod exceptions;
pub mod fast_math;
pub mod indirect;
pub mod inline;
pub mod licm;
pub mod promote;
pub mod range;
pub mod simplify;
pub mod spaces;
pub mod sroa;
pub mod util;

use cudair_ir::{FuncId, Function, Module, Side, VerifierError, verify_module};
use std::fmt;

/// A transform by name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Pass {
    /// [`exceptions`]
    Exceptions,
    /// [`fast_math`], which no list has unless it is named.
    FastMath,
    /// [`promote`]
    Promote,
    /// [`sroa`]
    Sroa,
    /// [`inline`]
    Inline,
    /// [`inline::texels`]
    Texels,
    /// [`inline::barriers`]
    Barriers,
    /// [`spaces`]
    Spaces,
    /// [`simplify`]
    Simplify,
    /// [`licm`]
    Licm,
    /// [`contract`]
    Contract,
    /// [`copies`]
    Copies,
    /// [`dce`]
    Dce,
    /// [`Function::compact`] and unused slots.
    Compact,
}

impl Pass {
    /// Every pass, in the order in which the head of this module lists them.
    pub const ALL: [Pass; 14] = [
        Pass::Exceptions,
        Pass::FastMath,
        Pass::Promote,
        Pass::Sroa,
        Pass::Inline,
        Pass::Texels,
        Pass::Barriers,
        Pass::Spaces,
        Pass::Simplify,
        Pass::Licm,
        Pass::Contract,
        Pass::Copies,
        Pass::Dce,
        Pass::Compact,
    ];

    /// The name in `--passes`.
    pub fn name(self) -> &'static str {
        match self {
            Pass::Exceptions => "exceptions",
            Pass::FastMath => "fast-math",
            Pass::Promote => "promote",
            Pass::Sroa => "sroa",
            Pass::Inline => "inline",
            Pass::Texels => "texels",
            Pass::Barriers => "barriers",
            Pass::Spaces => "spaces",
            Pass::Simplify => "simplify",
            Pass::Licm => "licm",
            Pass::Contract => "contract",
            Pass::Copies => "copies",
            Pass::Dce => "dce",
            Pass::Compact => "compact",
        }
    }

    /// Runs the pass over a module that obeys the verifier's rules.
    pub fn run(self, module: &mut Module) {
        match self {
            Pass::Exceptions => exceptions::run(module),
            Pass::FastMath => fast_math::run(module),
            Pass::Promote => each_function(module, |func, _| {
                promote::run(func);
            }),
            Pass::Sroa => each_function(module, |func, _| {
                sroa::run(func);
            }),
            Pass::Inline => inline::run(module),
            Pass::Texels => inline::texels(module),
            Pass::Barriers => inline::barriers(module),
            Pass::Spaces => spaces::run(module),
            Pass::Simplify => each_function(module, simplify::run),
            Pass::Licm => each_function(module, |func, _| {
                licm::run(func);
            }),
            Pass::Contract => each_function(module, |func, _| contract::run(func)),
            Pass::Copies => each_function(module, |func, _| copies::run(func)),
            Pass::Dce => dce::run(module),
            Pass::Compact => each_function(module, |func, _| {
                func.drop_unused_slots();
                func.compact();
            }),
        }
    }
}

/// Calls `f` with each function that has a body, taken out of the module meanwhile.
pub(crate) fn each_function(module: &mut Module, mut f: impl FnMut(&mut Function, &Module)) {
    let ids: Vec<FuncId> = module.funcs.keys().collect();
    for id in ids {
        if !module.funcs[id].is_declaration() {
            with_function(module, id, &mut f);
        }
    }
}

/// Calls `f` with one function. Meanwhile the module has a declaration of the same signature in its place.
pub(crate) fn with_function<T>(
    module: &mut Module,
    id: FuncId,
    f: impl FnOnce(&mut Function, &Module) -> T,
) -> T {
    let side = module.funcs[id].side;
    let sig = module.funcs[id].sig.clone();
    let mut func = std::mem::replace(&mut module.funcs[id], Function::new("", side, sig));
    let out = f(&mut func, module);
    module.funcs[id] = func;
    out
}

/// The passes to run, in order.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Pipeline {
    /// The passes.
    pub passes: Vec<Pass>,
}

impl Default for Pipeline {
    fn default() -> Pipeline {
        use Pass::*;
        Pipeline {
            passes: vec![
                Exceptions, Dce, Sroa, Promote, Simplify, Inline, Sroa, Promote, Simplify, Spaces, Promote,
                Simplify, Licm, Contract, Simplify, Dce, Compact,
            ],
        }
    }
}

/// A name in a list of passes that is none.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnknownPass(pub String);

impl fmt::Display for UnknownPass {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<&str> = Pass::ALL.into_iter().map(Pass::name).collect();
        write!(
            f,
            "there is no pass `{}`; there are {}, `default`, `machine` and `none`",
            self.0,
            names.join(", ")
        )
    }
}

impl std::error::Error for UnknownPass {}

impl Pipeline {
    /// No pass at all.
    pub fn empty() -> Pipeline {
        Pipeline { passes: Vec::new() }
    }

    /// The passes without one of them.
    #[must_use]
    pub fn without(mut self, pass: Pass) -> Pipeline {
        self.passes.retain(|&p| p != pass);
        self
    }

    /// The passes with another before them.
    #[must_use]
    pub fn after(mut self, pass: Pass) -> Pipeline {
        self.passes.insert(0, pass);
        self
    }

    /// The default pipeline and what the machine wants on top. Copies can no longer be told from reads
    /// behind it, so what is printed to be read again comes from the default one.
    pub fn machine() -> Pipeline {
        let mut pipeline = Pipeline::default();
        pipeline.passes.extend(Pipeline::beyond_default().passes);
        pipeline
    }

    /// What the machine wants on top of the default pipeline.
    pub fn beyond_default() -> Pipeline {
        Pipeline { passes: vec![Pass::Texels, Pass::Barriers, Pass::Copies, Pass::Compact] }
    }

    /// Parses a list with commas. `default` stands for the default pipeline, `machine` for
    /// [`Pipeline::machine`], `none` for nothing.
    ///
    /// # Errors
    ///
    /// The first name that is none.
    pub fn parse(list: &str) -> Result<Pipeline, UnknownPass> {
        let mut passes = Vec::new();
        for name in list.split(',').map(str::trim).filter(|n| !n.is_empty()) {
            match name {
                "default" => passes.extend(Pipeline::default().passes),
                "machine" => passes.extend(Pipeline::machine().passes),
                "none" => {}
                name => match Pass::ALL.into_iter().find(|p| p.name() == name) {
                    Some(p) => passes.push(p),
                    None => return Err(UnknownPass(name.to_owned())),
                },
            }
        }
        Ok(Pipeline { passes })
    }
}

/// A pass that left a module which breaks the verifier's rules: a defect of cudair.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BrokenPass {
    /// The pass.
    pub pass: Pass,
    /// The rules that are broken.
    pub errors: Vec<VerifierError>,
}

impl fmt::Display for BrokenPass {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the pass `{}` left a module that is not well formed", self.pass.name())?;
        match self.errors.first() {
            Some(e) => write!(f, ": {e}"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for BrokenPass {}

/// Runs the passes in order over a module that obeys the verifier's rules. Builds with debug assertions
/// verify the module after each pass.
///
/// # Errors
///
/// The first pass that broke a rule.
pub fn run_pipeline(module: &mut Module, pipeline: &Pipeline) -> Result<(), BrokenPass> {
    for &pass in &pipeline.passes {
        let before = Sizes::of(module);
        pass.run(module);
        before.tell(pass, module);
        if cfg!(debug_assertions) {
            verify_module(module).map_err(|errors| BrokenPass { pass, errors })?;
        }
    }
    Ok(())
}

/// Instructions of each function before a pass, for `--trace passes`; none where that is not asked for.
struct Sizes(Option<Vec<(FuncId, usize)>>);

impl Sizes {
    fn of(module: &Module) -> Sizes {
        let wanted = log::log_enabled!(target: TRACE, log::Level::Info);
        Sizes(wanted.then(|| sizes(module).collect()))
    }

    /// Traces what a pass did.
    fn tell(self, pass: Pass, module: &Module) {
        let Some(before) = self.0 else { return };
        let count = |sizes: &[(FuncId, usize)]| sizes.iter().map(|s| s.1).sum::<usize>();
        let after: Vec<(FuncId, usize)> = sizes(module).collect();
        let name = pass.name();
        log::info!(target: TRACE, "{name}: {} instructions, {} before", count(&after), count(&before));
        for &(id, now) in &after {
            let was = before.iter().find(|b| b.0 == id).map_or(0, |b| b.1);
            if was != now {
                log::debug!(target: TRACE, "{name}: `{}`: {now}, {was} before", module.funcs[id].display_name);
            }
        }
        log::trace!(target: TRACE, "after {name}:\n{module}");
    }
}

/// The part of `--trace` that passes belong to.
const TRACE: &str = "passes";

fn sizes(module: &Module) -> impl Iterator<Item = (FuncId, usize)> {
    let bodies = module.funcs.iter().filter(|(_, f)| !f.is_declaration());
    bodies.map(|(id, f)| (id, f.layout.iter().map(|&b| f.block_insts(b).len()).sum()))
}

/// The functions that run without being named by another: `main`, constructors and kernels. A module
/// without `main` is a library: all functions that other modules can see.
pub fn roots(module: &Module) -> Vec<FuncId> {
    let main = module.func_by_name("main").filter(|&f| !module.funcs[f].is_declaration());
    let is_root = |id: FuncId, f: &Function| {
        f.side == Side::Kernel
            || Some(id) == main
            || module.ctors.contains(&id)
            // The machine calls it.
            || f.name == "__cudair_throw_library"
            || (main.is_none() && f.linkage != cudair_ir::Linkage::Internal)
    };
    module.funcs.iter().filter(|(id, f)| !f.is_declaration() && is_root(*id, f)).map(|(id, _)| id).collect()
}
