//! From cursors to IR.
//!
//! One [`Cx`] lowers one translation unit into a module that it may share with others. The walk is
//! driven by demand: [`Cx::func`] and [`Cx::global`] declare what an expression refers to and queue its
//! body, [`Cx::run`] works the queue off. A function that both sides use is lowered once for each.
//!
//! A construct that is not supported becomes a trap at its place, so that a program which never gets
//! there runs; where it is certainly reached it is an error instead (see `FnLower::fault`).

mod aggregate;
mod alloc;
mod allocation;
mod annotation;
mod asm;
mod atomics;
mod bases;
mod bindings;
mod bit_access;
mod builtins;
mod call;
mod cast;
mod class;
mod cleanup;
mod closure;
mod complex;
mod constant;
mod convert;
mod copies;
mod copying;
mod cuda;
mod decl;
mod dynamic;
mod effects;
mod elision;
mod exceptions;
mod expr;
mod fields;
mod func;
mod hidden_conversion;
mod hidden_ctor;
mod inherit;
mod init;
mod intrinsics;
mod layout;
mod leaves;
mod library_exceptions;
mod local;
mod lvalue;
mod measures;
mod named_barrier;
mod operators;
mod places;
mod range_for;
mod rows;
mod rtti;
mod sequence;
mod source_types;
mod startup;
mod std_list;
mod stmt;
mod three_way;
mod tuple_like;
mod unit;
mod virtuals;
mod vla;

use crate::ast::{Ast, symbol};
use crate::clang::TranslationUnit;
use crate::error::FrontendError;
use crate::fault::FaultKind;
use crate::types::{Decl, DeclKind, Located};
use bumpalo::Bump;
use cudair_ir::{FuncId, Loc, Module, Span};
use places::Places;
use source_types::SourceTypes;
pub(crate) use startup::{Turn, Weak};
use unit::classes::Classes;
use unit::descriptions::Descriptions;
use unit::functions::{FunctionKey, Functions, Wanted, Work};
use unit::initialisers::Initialisers;
use unit::memory::OwnMemory;
use unit::variables::{Internal, Variables};

/// Why a construct could not be lowered.
#[derive(Clone, Debug)]
pub(crate) struct Fault {
    pub kind: FaultKind,
    pub what: String,
    pub loc: Option<Loc>,
}

/// Where something stands, for places and faults.
pub(crate) type At<'a> = &'a dyn Located;

/// The result of lowering something.
pub(crate) type R<T> = Result<T, Box<Fault>>;

impl Fault {
    /// As an error for the user.
    pub fn error(&self, module: &Module) -> FrontendError {
        let place = self.loc.map(|l| Span::new(&module.source, l, ""));
        let what = self.what.clone();
        match self.kind {
            FaultKind::Unsupported | FaultKind::Consequence => FrontendError::Unsupported { what, place },
            FaultKind::Program => FrontendError::Program { message: what, place },
            FaultKind::Internal => FrontendError::Internal { what, place },
        }
    }
}

/// What to lower.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Roots {
    /// `main`, everything it reaches, and all kernels of the user's files.
    Program,
    /// Also every function with external linkage that the main file defines.
    All,
    /// Also those that no other unit can name, whether or not anybody calls them.
    Uncalled,
}

/// The lowering of one translation unit.
pub(crate) struct Cx<'tu, 'm> {
    pub module: &'m mut Module,
    pub ast: Ast<'tu>,
    pub places: Places<'tu>,
    /// Modifications that nothing orders.
    sequence: sequence::Sequence,
    functions: Functions<'tu>,
    variables: Variables,
    initialisers: Initialisers<'tu>,
    classes: Classes<'tu>,
    descriptions: Descriptions,
    memory: OwnMemory<'tu>,
    source_types: SourceTypes,
    /// Functions that state what holds from the start of each kernel.
    axioms: Vec<Decl<'tu>>,
    pub faults: Vec<Fault>,
    /// Kernel templates without an instance: of them there is no code.
    pub uninstantiated: Vec<Uninstantiated>,
    /// The functions that run before `main`.
    pub started: Vec<(Turn, FuncId)>,
    /// What is declared weak.
    pub weak: Vec<Weak>,
}

/// A kernel template that nothing instantiates.
pub(crate) struct Uninstantiated {
    pub name: String,
    pub loc: Option<Loc>,
}

/// What the host's parse of a file hands to the device's.
#[derive(Debug, Default)]
pub(crate) struct Handover {
    wanted: Vec<Wanted>,
    internal: Internal,
}

impl<'tu, 'm> Cx<'tu, 'm> {
    pub fn new(module: &'m mut Module, unit: &'tu TranslationUnit, arena: &'tu Bump, cxx: bool) -> Self {
        Cx {
            module,
            ast: Ast::new(unit, arena, cxx),
            places: Places::new(unit),
            sequence: sequence::Sequence::default(),
            functions: Functions::default(),
            variables: Variables::default(),
            initialisers: Initialisers::default(),
            classes: Classes::default(),
            descriptions: Descriptions::default(),
            memory: OwnMemory::default(),
            source_types: SourceTypes::default(),
            axioms: Vec::new(),
            faults: Vec::new(),
            uninstantiated: Vec::new(),
            started: Vec::new(),
            weak: Vec::new(),
        }
    }

    /// Tells what the parser has found besides the tree.
    pub fn set_hints(&mut self, parsed: &crate::parse::Parsed) {
        self.sequence = sequence::Sequence::new(&mut self.ast, parsed);
        self.ast.cxx17 = parsed.cxx17;
    }

    /// Leaves the bodies of device functions to another parse of the file.
    pub fn leave_device_code(&mut self) {
        self.functions.leave_device_code();
    }

    /// What [`Cx::leave_device_code`] left.
    pub fn handover(&mut self) -> Handover {
        Handover { wanted: self.functions.take_left(), internal: self.variables.take_shared() }
    }

    /// Lowers the device functions that the host's parse left, and what they reach.
    pub fn run_device(&mut self, handover: Handover) {
        self.variables.share_all(handover.internal);
        for decl in self.ast.tops() {
            self.note_axiom(decl);
        }
        let known = self.ast.functions_by_symbol();
        for wanted in handover.wanted {
            match known.get(&wanted.symbol) {
                Some(&decl) => {
                    let kernel = self.ast.attributes(decl).global;
                    let key = FunctionKey { decl: decl.canonical().id(), device: !kernel, base: wanted.base };
                    self.functions.declare(key, wanted.func);
                    self.functions.queue(Work { func: wanted.func, decl, base: wanted.base });
                }
                None => self.faults.push(Fault {
                    kind: FaultKind::Unsupported,
                    what: format!("the function `{}`, which exists on the host only", wanted.display_name),
                    loc: self.module.funcs[wanted.func].loc.expand(),
                }),
            }
        }
        self.lower_all();
        self.refuse_constants_by_consteval();
        self.refuse_defects();
    }

    /// Lowers the roots and everything that they reach.
    pub fn run(&mut self, roots: Roots) {
        for decl in self.ast.tops() {
            self.root(decl, roots);
            self.starts_or_ends(decl);
        }
        if self.ast.cxx {
            let made = self.ast.members_and_instances();
            let of_program = made.iter().copied().filter(|d| !d.in_system_header());
            for decl in self.ast.functions_in_classes().into_iter().chain(of_program) {
                self.starts_or_ends(decl);
            }
            self.note_uninstantiated(&made);
            match roots {
                Roots::All | Roots::Uncalled => self.members_and_instances(made, roots),
                Roots::Program => self.instantiated_kernels(made),
            }
        }
        self.lower_all();
        self.write_library_thrower();
        self.refuse_constants_by_consteval();
        self.refuse_defects();
    }

    /// Lowers the functions that are wanted, and the initialisers that run before `main`.
    fn lower_all(&mut self) {
        loop {
            while let Some(work) = self.functions.next() {
                func::lower_function(self, work.func, work.decl, work.base);
            }
            if self.initialisers.is_done() {
                break;
            }
            self.lower_dynamic_inits();
        }
        self.started.extend(self.initialisers.in_order());
    }

    /// Refuses a program of whose types something is not told that has to be.
    fn refuse_defects(&mut self) {
        for (what, decl) in self.ast.types.take_defects() {
            self.defect(what, &decl);
        }
    }

    /// Refuses the constants whose value hangs on whether the compiler computes them.
    fn refuse_constants_by_consteval(&mut self) {
        for constant in self.ast.constants_by_consteval() {
            let kind = if constant.kind().is_function() { "consteval function" } else { "constant" };
            let name = constant.spelling();
            let what = format!(
                "the {kind} `{name}`, whose value depends on `if consteval` or `std::is_constant_evaluated`"
            );
            let loc = self.loc(&constant);
            self.faults.push(Fault { kind: FaultKind::Unsupported, what, loc });
        }
    }

    /// What other units may call beside functions: members whose definitions stand in this file outside of their
    /// classes, and instances of templates that it defines, which it may make for others explicitly.
    fn members_and_instances(&mut self, made: Vec<Decl<'tu>>, roots: Roots) {
        for decl in made {
            if !decl.in_system_header() && self.ast.body_in_main_file(decl) {
                self.root(decl, roots);
            }
        }
    }

    /// Kernels that templates were instantiated to. `template __global__ void k<4>(int *);` instantiates one that no
    /// expression names, and it is a kernel of the program as any other.
    fn instantiated_kernels(&mut self, made: Vec<Decl<'tu>>) {
        for decl in made {
            let kernel = !decl.in_system_header() && self.ast.attributes(decl).global;
            if kernel && self.ast.body_of(decl).is_some() {
                self.root(decl, Roots::Program);
            }
        }
    }

    /// Notes the kernel templates of which no instance was made.
    fn note_uninstantiated(&mut self, made: &[Decl<'tu>]) {
        for template in self.ast.function_templates() {
            if !self.ast.attributes(template).global {
                continue;
            }
            let is_of = |d: &Decl<'tu>| d.specialized_template().is_some_and(|t| t.is_same_entity(template));
            if !made.iter().any(|d| is_of(d) && self.ast.body_of(*d).is_some()) {
                let loc = self.loc(At::from(&template));
                self.uninstantiated.push(Uninstantiated { name: template.spelling(), loc });
            }
        }
    }

    fn root(&mut self, decl: Decl<'tu>, roots: Roots) {
        self.note_axiom(decl);
        let result = if matches!(decl.kind(), DeclKind::Variable | DeclKind::Unexposed) {
            let constant_or_unused = !self.ast.cxx || !self.may_need_dynamic_init(decl);
            let is_member = decl.semantic_parent().is_some_and(|p| p.kind() == DeclKind::Record);
            if is_member && constant_or_unused {
                return;
            }
            // What has external linkage may be another unit's, whatever this one does with it.
            if constant_or_unused && roots == Roots::Program {
                let attributes = self.ast.attributes(decl);
                let on_host = !attributes.device && !attributes.constant && !attributes.managed;
                if on_host
                    && decl.has_external_linkage()
                    && let Err(fault) = self.global(decl, false)
                    && let Some(id) = self.variables.seen(decl.canonical().id(), false)
                {
                    // One that is not supported is told where it is used.
                    self.variables.give_up(id, *fault);
                }
                return;
            }
            self.global(decl, false).map(|_| ())
        } else {
            let attributes = self.ast.attributes(decl);
            // What replaces the library's memory functions is called without being named.
            let replaces = self.ast.cxx && allocation::is_allocation(&decl.spelling()) && !attributes.device;
            if replaces {
                self.memory.replace(symbol(decl));
            }
            let is_root = roots == Roots::Uncalled || roots == Roots::All && decl.has_external_linkage();
            let wanted = attributes.global
                || decl.spelling() == "main"
                || replaces
                || is_root && self.ast.in_source_file(decl) && !attributes.device;
            let device_root = is_root && attributes.device && !attributes.global && decl.in_main_file();
            let mut result = Ok(());
            if wanted || device_root && attributes.host {
                result = self.func_everywhere(decl, false);
            }
            if device_root {
                result = result.and_then(|()| self.func_everywhere(decl, true));
            }
            result
        };
        if let Err(fault) = result {
            self.faults.push(*fault);
        }
    }

    /// Lowers a function for other units.
    fn func_everywhere(&mut self, decl: Decl<'tu>, device: bool) -> R<()> {
        self.func(decl, device)?;
        if self.has_base_flavour(decl) {
            self.func_as(decl, device, true)?;
        }
        Ok(())
    }

    /// The source place of a node.
    pub fn loc(&mut self, at: At<'_>) -> Option<Loc> {
        self.places.range(self.module, at.range())
    }

    /// The place of a block's closing brace.
    pub fn closing_brace(&mut self, block: At<'_>) -> Option<Loc> {
        let mut range = block.range();
        let back = |end: crate::clang::RawPos| crate::clang::RawPos {
            offset: end.offset.saturating_sub(1),
            column: end.column.saturating_sub(1),
            ..end
        };
        if range.end.column < 2 {
            return self.loc(block);
        }
        range.start = back(range.end);
        range.spelling = None;
        self.places.range(self.module, range)
    }

    /// A fault of the given kind at a node.
    pub fn fault<T>(&mut self, kind: FaultKind, what: impl Into<String>, at: At<'_>) -> R<T> {
        let loc = self.loc(at);
        Err(Box::new(Fault { kind, what: what.into(), loc }))
    }

    /// A construct that is not supported.
    pub fn unsupported<T>(&mut self, what: impl Into<String>, at: At<'_>) -> R<T> {
        self.fault(FaultKind::Unsupported, what, at)
    }

    /// A tree that is not as expected.
    pub fn internal<T>(&mut self, what: impl Into<String>, at: At<'_>) -> R<T> {
        self.fault(FaultKind::Internal, what, at)
    }
}
