//! The verifier: which modules are well formed.
//!
//! Passes and the machine may rely on these rules; whoever writes a module has to obey them. Each rule
//! has a test in which a module passes and one in which it fails (`ir/tests/verifier.rs`).
//!
//! Of the module:
//!
//! - **names**: a function or variable is found by its name, so names are unique.
//! - **ctor**: a constructor is a host function without parameters and result.
//! - **global**: a variable lies in `host`, `global`, `shared`, `const` or `managed`; a shared one has no
//!   contents; `dynamic` is shared and of size 0; contents are as long as the variable; addresses in
//!   them lie inside, do not overlap, are zero in the bytes and lead to something that exists.
//! - **place**: a place names a file and only places made before it.
//! - **entity**: functions, variables, slots, sites, signatures, messages and places that an instruction
//!   or a declaration names exist.
//!
//! Of a function:
//!
//! - **entry**: the parameters of the first block are those of the signature; no branch leads to it.
//! - **layout**: a block is in the layout once, an instruction in one block; a block ends with its only
//!   terminator.
//! - **target**: a branch leads to a block of the layout with one argument of the right type for each
//!   parameter. The normal block of an `invoke` has the callee's result as its first parameter, the
//!   unwind block a pointer, the exception.
//! - **definition**: what a value says of its definition is true.
//! - **dominance**: a use is dominated by its definition.
//! - **result**: results have the number and types that [`Module::result_types`] says.
//! - **operand**: operands have the types that the instruction asks for. A pointer of a known space
//!   may stand where a `generic` one is asked for: as an argument, as a result, as an operand of
//!   `select`, not the other way round (`spacecast` says so).
//! - **constant**: no bit above the type's width is set.
//! - **flag**: `nsw` stands only where it means something; an alignment is at most 2^31.
//! - **access**: the address of an access is a pointer, and not one to code.
//! - **call**: a call passes what the signature asks for, more only where it is variadic. A defined
//!   callee runs on the side of its caller and is no kernel. A barrier with a number has the signature of one.
//! - **launch**: a launch has eight values of configuration and what the kernel's signature asks for.
//! - **return**: a return gives what the signature says.
//! - **switch**: cases are distinct and fit the type.
//! - **slot**: a slot lies in the space of its function's side.
//! - **side**: barriers, warp operations and special registers are in device code.

mod func;
mod operands;

use crate::entities::*;
use crate::module::{Global, GlobalInit, Module, RelocTarget};
use crate::ops::named_enum;
use crate::types::{Space, Type};
use cranelift_entity::packed_option::PackedOption;
use std::fmt;

named_enum! {
    /// The rules; see the module's head.
    Rule {
        /// Unique names.
        Names = "names",
        /// Constructors.
        Ctor = "ctor",
        /// Variables.
        Global = "global",
        /// Places.
        Place = "place",
        /// Entities exist.
        Entity = "entity",
        /// The entry block.
        Entry = "entry",
        /// Blocks and instructions in order.
        Layout = "layout",
        /// Branch targets.
        Target = "target",
        /// Definitions.
        Definition = "definition",
        /// Dominance.
        Dominance = "dominance",
        /// Results.
        Result = "result",
        /// Operands.
        Operand = "operand",
        /// Constants.
        Constant = "constant",
        /// Flags.
        Flag = "flag",
        /// Accesses.
        Access = "access",
        /// Calls.
        Call = "call",
        /// Launches.
        Launch = "launch",
        /// Returns.
        Return = "return",
        /// Switches.
        Switch = "switch",
        /// Slots.
        Slot = "slot",
        /// Sides.
        Side = "side",
    }
}

/// A rule that is broken.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct VerifierError {
    /// Which rule.
    pub rule: Rule,
    /// In which function.
    pub func: Option<FuncId>,
    /// The function's name, empty outside of functions.
    pub func_name: String,
    /// At which instruction.
    pub inst: Option<Inst>,
    /// The instruction's place.
    pub loc: Option<Loc>,
    /// What is wrong, with the text of the instruction.
    pub message: String,
}

impl fmt::Display for VerifierError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.func_name.is_empty() {
            write!(f, "in `{}`: ", self.func_name)?;
        }
        write!(f, "{} (rule {})", self.message, self.rule)
    }
}

impl std::error::Error for VerifierError {}

/// How many broken rules are reported at most.
const MAX_ERRORS: usize = 100;

/// Checks every rule; at most the first hundred errors are given.
///
/// # Errors
///
/// The rules that are broken.
pub fn verify_module(module: &Module) -> Result<(), Vec<VerifierError>> {
    let mut errors = Errors::default();
    check_places(module, &mut errors);
    for id in module.globals.keys() {
        check_global(module, id, &mut errors);
    }
    check_ctors(module, &mut errors);
    for id in module.funcs.keys() {
        if module.func_by_name(&module.funcs[id].name) != Some(id) {
            let name = &module.funcs[id].name;
            errors.push(Rule::Names, format!("the function `{name}` is not found by its name"));
        }
        func::check_function(module, id, &mut errors);
        if errors.0.len() >= MAX_ERRORS {
            break;
        }
    }
    errors.finish()
}

/// Checks the rules of one function.
///
/// # Errors
///
/// The rules that are broken.
pub fn verify_function(module: &Module, func: FuncId) -> Result<(), Vec<VerifierError>> {
    let mut errors = Errors::default();
    func::check_function(module, func, &mut errors);
    errors.finish()
}

/// The errors so far.
#[derive(Default)]
struct Errors(Vec<VerifierError>);

impl Errors {
    fn push(&mut self, rule: Rule, message: String) {
        self.add(VerifierError {
            rule,
            func: None,
            func_name: String::new(),
            inst: None,
            loc: None,
            message,
        });
    }

    fn add(&mut self, error: VerifierError) {
        if self.0.len() < MAX_ERRORS {
            self.0.push(error);
        }
    }

    fn finish(self) -> Result<(), Vec<VerifierError>> {
        if self.0.is_empty() { Ok(()) } else { Err(self.0) }
    }
}

/// Whether a value of type `from` may be passed where `to` is asked for.
fn assignable(from: Type, to: Type) -> bool {
    from == to || (from.is_ptr() && to == Type::GENERIC_PTR)
}

fn loc_exists(module: &Module, loc: PackedOption<Loc>) -> bool {
    loc.expand().is_none_or(|l| module.source.locs.is_valid(l))
}

fn check_places(module: &Module, errors: &mut Errors) {
    for (loc, data) in &module.source.locs {
        if !module.source.files.is_valid(data.file) {
            errors.push(Rule::Place, format!("{loc} names {}, which does not exist", data.file));
        }
        for other in [data.spelling, data.inlined_at].into_iter().filter_map(PackedOption::expand) {
            if other >= loc {
                errors.push(Rule::Place, format!("{loc} names {other}, which was not made before it"));
            }
        }
    }
}

fn check_ctors(module: &Module, errors: &mut Errors) {
    for &ctor in &module.ctors {
        match module.funcs.get(ctor) {
            None => errors.push(Rule::Entity, format!("the constructor {ctor} does not exist")),
            Some(f) => {
                if f.side.on_device() || !f.sig.params.is_empty() || f.sig.ret.is_some() {
                    let name = &f.name;
                    let what = "is not a host function without parameters and result";
                    errors.push(Rule::Ctor, format!("the constructor `{name}` {what}"));
                }
            }
        }
    }
}

fn check_global(module: &Module, id: GlobalId, errors: &mut Errors) {
    let g = &module.globals[id];
    let Global {
        name,
        display_name: _,
        space,
        size,
        align_log2,
        linkage: _,
        constant: _,
        dynamic,
        init,
        loc,
        // Nothing depends on it.
        ty: _,
    } = g;
    let mut bad = |rule: Rule, what: String| errors.push(rule, format!("the variable `{name}` {what}"));
    if module.global_by_name(name) != Some(id) {
        bad(Rule::Names, "is not found by its name".to_owned());
    }
    if !loc_exists(module, *loc) {
        bad(Rule::Entity, "is at a place that does not exist".to_owned());
    }
    if matches!(space, Space::Local | Space::Code | Space::Generic) {
        bad(Rule::Global, format!("cannot lie in space {space}"));
    }
    if *align_log2 > 31 {
        bad(Rule::Flag, format!("is aligned to 2^{align_log2} bytes, more than 2^31"));
    }
    if *dynamic && (*space != Space::Shared || *size != 0) {
        bad(Rule::Global, "is dynamic, but not a shared variable of size 0".to_owned());
    }
    if *space == Space::Shared && matches!(init, GlobalInit::Zero | GlobalInit::Data { .. }) {
        bad(Rule::Global, "is shared and has contents".to_owned());
    }
    let GlobalInit::Data { bytes, relocs } = init else { return };
    if bytes.len() as u64 != *size {
        bad(Rule::Global, format!("has {} bytes of contents and a size of {size}", bytes.len()));
    }
    let mut ends: Vec<(u64, u64)> = Vec::new();
    for r in relocs {
        let end = r.offset.saturating_add(8);
        match bytes.get(r.offset.min(usize::MAX as u64) as usize..end.min(usize::MAX as u64) as usize) {
            None => bad(Rule::Global, format!("has an address at {}, outside its contents", r.offset)),
            Some(under) if under.iter().any(|&b| b != 0) => {
                bad(Rule::Global, format!("has bytes other than zero under the address at {}", r.offset));
            }
            Some(_) => ends.push((r.offset, end)),
        }
        let (exists, target) = match r.target {
            RelocTarget::Global(g) => (module.globals.is_valid(g), g.to_string()),
            RelocTarget::Func(f) => (module.funcs.is_valid(f), f.to_string()),
        };
        if !exists {
            bad(Rule::Entity, format!("holds the address of {target}, which does not exist"));
        }
    }
    ends.sort_unstable();
    if let Some(w) = ends.windows(2).find(|w| w[1].0 < w[0].1) {
        bad(Rule::Global, format!("has overlapping addresses at {} and {}", w[0].0, w[1].0));
    }
}
