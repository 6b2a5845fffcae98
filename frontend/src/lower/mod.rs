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
mod asm;
mod atomics;
mod bases;
mod bindings;
mod bit_access;
mod bit_fields;
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
mod cuda;
mod decl;
mod dynamic;
mod effects;
mod elision;
mod exceptions;
mod expr;
mod fields;
mod func;
mod generic;
mod hidden_ctor;
mod inherit;
mod init;
mod instances;
mod intrinsics;
mod layout;
mod library_exceptions;
mod literals;
mod local;
mod lvalue;
mod named_barrier;
mod operators;
mod places;
mod pretty;
mod range_for;
mod rows;
mod rtti;
mod sequence;
mod std_list;
mod stmt;
mod three_way;
mod tuple_like;
mod types;
mod virtuals;
mod vla;

use crate::clang::{Cursor, CursorId, CursorKind, TranslationUnit};
use crate::error::FrontendError;
use cudair_ir::{FuncId, GlobalId, Loc, Module, Span};
use decl::Attributes;
use places::Places;
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;
use types::Types;

/// Why a construct could not be lowered.
#[derive(Clone, Debug)]
pub(crate) struct Fault {
    pub kind: FaultKind,
    pub what: String,
    pub loc: Option<Loc>,
}

/// Whose fault a [`Fault`] is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum FaultKind {
    /// cudair does not support it.
    Unsupported,
    /// The program is wrong in a way that the parser does not see.
    Program,
    /// The tree is not as the lowering expects.
    Internal,
}

/// The result of lowering something.
pub(crate) type R<T> = Result<T, Box<Fault>>;

impl Fault {
    /// As an error for the user.
    pub fn error(&self, module: &Module) -> FrontendError {
        let place = self.loc.map(|l| Span::new(&module.source, l, ""));
        let what = self.what.clone();
        match self.kind {
            FaultKind::Unsupported => FrontendError::Unsupported { what, place },
            FaultKind::Program => FrontendError::Parse { message: what, place, notes: Vec::new() },
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
}

/// A function whose body is to be lowered.
struct Work<'tu> {
    func: FuncId,
    cursor: Cursor<'tu>,
    /// A constructor or destructor for objects that are bases of others (`bases`).
    base: bool,
}

/// A variable whose initialiser runs before `main`.
struct DynamicInit<'tu> {
    global: GlobalId,
    cursor: Cursor<'tu>,
}

/// The lowering of one translation unit.
pub(crate) struct Cx<'tu, 'm> {
    pub module: &'m mut Module,
    pub unit: &'tu TranslationUnit,
    pub types: Types<'tu>,
    pub places: Places<'tu>,
    /// Modifications that nothing orders.
    sequence: sequence::Sequence,
    /// C++ (and CUDA) rather than C.
    pub cxx: bool,
    /// Functions on the host (false) and on the device, and constructors and destructors for bases (true).
    funcs: FxHashMap<(CursorId, bool, bool), FuncId>,
    globals: FxHashMap<(CursorId, bool), GlobalId>,
    strings: FxHashMap<(Vec<u8>, u32, bool), GlobalId>,
    attributes: FxHashMap<CursorId, Rc<Attributes>>,
    definitions: Option<FxHashMap<CursorId, Cursor<'tu>>>,
    /// The instances of function templates and of members of class templates, by name.
    instances: Option<FxHashMap<String, Vec<Cursor<'tu>>>>,
    /// The structured bindings of static storage by their names, once needed.
    static_bindings: Option<FxHashMap<CursorId, Cursor<'tu>>>,
    typedefs: Option<FxHashMap<String, crate::clang::Type<'tu>>>,
    work: Vec<Work<'tu>>,
    /// What the function being lowered returns.
    returned: types::QTy,
    dynamic: Vec<DynamicInit<'tu>>,
    /// The functions that run initialisers, each with its variable.
    initializers: Vec<(Cursor<'tu>, FuncId)>,
    /// Variables whose initialiser is not constant.
    late: FxHashSet<GlobalId>,
    /// The captures of each closure class.
    closures: FxHashMap<CursorId, Rc<Vec<closure::Binding<'tu>>>>,
    /// Whether a class has virtual functions.
    dynamic_classes: FxHashMap<types::RecId, bool>,
    /// The entries of a class's virtual table.
    table_entries: FxHashMap<types::RecId, Rc<Vec<virtuals::Entry<'tu>>>>,
    /// The virtual tables of a class on the host (false) and on the device.
    tables: FxHashMap<(types::RecId, bool, bases::Embedding), virtuals::Tables>,
    construction_tables: FxHashMap<(types::RecId, bool, bases::Embedding), GlobalId>,
    layouts: FxHashMap<types::RecId, Rc<layout::Layout>>,
    methods: FxHashMap<types::RecId, Rc<[Cursor<'tu>]>>,
    with_virtual_bases: FxHashMap<types::RecId, bool>,
    /// Destructors that the program does not write, on a side, for bases (true) or whole objects.
    destructors: FxHashMap<(types::RecId, bool, bool), FuncId>,
    /// Functions that destroy and free.
    deleting: FxHashMap<(types::RecId, bool), FuncId>,
    /// The symbols of the library's memory functions that the program defines itself.
    replaced: Vec<String>,
    /// The program's own `operator new` with placement arguments, once needed.
    placements: Option<Vec<Cursor<'tu>>>,
    /// Tables of the types that handlers take.
    handler_tables: FxHashMap<exceptions::HandlerTypes, GlobalId>,
    /// The descriptions of types by their mangled names.
    type_infos: FxHashMap<String, GlobalId>,
    pub faults: Vec<Fault>,
    /// Variables of internal linkage by their symbol, which the device's parse of the file shares.
    internal: FxHashMap<String, GlobalId>,
    /// Where the source asks for `__CUDA_ARCH__`, device code comes from a second parse: the functions
    /// whose bodies it shall give.
    wanted: Option<Vec<Wanted>>,
}

/// A device function whose body another parse of the file gives.
#[derive(Clone, Debug)]
pub(crate) struct Wanted {
    func: FuncId,
    symbol: String,
    display_name: String,
    /// As [`Work::base`].
    base: bool,
}

/// What the host's parse of a file hands to the device's.
#[derive(Debug, Default)]
pub(crate) struct Handover {
    wanted: Vec<Wanted>,
    internal: FxHashMap<String, GlobalId>,
}

impl<'tu, 'm> Cx<'tu, 'm> {
    pub fn new(module: &'m mut Module, unit: &'tu TranslationUnit, cxx: bool) -> Self {
        let types = Types::new();
        let returned = types::QTy::plain(types.void);
        Cx {
            module,
            unit,
            types,
            places: Places::new(unit),
            sequence: sequence::Sequence::default(),
            cxx,
            funcs: FxHashMap::default(),
            globals: FxHashMap::default(),
            strings: FxHashMap::default(),
            attributes: FxHashMap::default(),
            definitions: None,
            instances: None,
            static_bindings: None,
            typedefs: None,
            work: Vec::new(),
            returned,
            dynamic: Vec::new(),
            initializers: Vec::new(),
            late: FxHashSet::default(),
            closures: FxHashMap::default(),
            dynamic_classes: FxHashMap::default(),
            table_entries: FxHashMap::default(),
            tables: FxHashMap::default(),
            construction_tables: FxHashMap::default(),
            layouts: FxHashMap::default(),
            methods: FxHashMap::default(),
            with_virtual_bases: FxHashMap::default(),
            destructors: FxHashMap::default(),
            deleting: FxHashMap::default(),
            replaced: Vec::new(),
            placements: None,
            handler_tables: FxHashMap::default(),
            type_infos: FxHashMap::default(),
            faults: Vec::new(),
            internal: FxHashMap::default(),
            wanted: None,
        }
    }

    /// Tells what the parser has found besides the tree.
    pub fn heed(&mut self, parsed: &crate::parse::Parsed) {
        let found = parsed.unsequenced.clone();
        self.sequence = sequence::Sequence::new(found, parsed.ordered_arguments);
    }

    /// Leaves the bodies of device functions to another parse of the file.
    pub fn leave_device_code(&mut self) {
        self.wanted = Some(Vec::new());
    }

    /// What [`Cx::leave_device_code`] left.
    pub fn handover(&mut self) -> Handover {
        Handover {
            wanted: self.wanted.take().unwrap_or_default(),
            internal: std::mem::take(&mut self.internal),
        }
    }

    /// Lowers the device functions that the host's parse left, and what they reach.
    pub fn run_device(&mut self, handover: Handover) {
        self.internal = handover.internal;
        let mut tops = Vec::new();
        self.collect_tops(self.unit.cursor(), &mut tops);
        self.collect_members(self.unit.cursor(), &mut tops);
        let mut known = FxHashMap::default();
        let mut visited = FxHashSet::default();
        for top in tops {
            decl::collect_symbols(top, &mut known, &mut visited);
        }
        for wanted in handover.wanted {
            match known.get(&wanted.symbol) {
                Some(&cursor) => {
                    let kernel = self.attributes(cursor).global;
                    self.funcs.insert((cursor.canonical().id(), !kernel, wanted.base), wanted.func);
                    self.work.push(Work { func: wanted.func, cursor, base: wanted.base });
                }
                None => self.faults.push(Fault {
                    kind: FaultKind::Unsupported,
                    what: format!("the function `{}`, which exists on the host only", wanted.display_name),
                    loc: self.module.funcs[wanted.func].loc.expand(),
                }),
            }
        }
        while let Some(work) = self.work.pop() {
            func::lower_function(self, work.func, work.cursor, work.base);
        }
    }

    /// Lowers the roots and everything that they reach.
    pub fn run(&mut self, roots: Roots) {
        let mut tops = Vec::new();
        self.collect_tops(self.unit.cursor(), &mut tops);
        for &cursor in &tops {
            self.root(cursor, roots);
        }
        if roots == Roots::All && self.cxx {
            self.members_and_instances();
        }
        loop {
            while let Some(work) = self.work.pop() {
                func::lower_function(self, work.func, work.cursor, work.base);
            }
            if self.dynamic.is_empty() {
                break;
            }
            self.lower_dynamic_inits();
        }
        self.order_initializers();
        self.write_library_thrower();
    }

    /// The declarations of the user's files, namespaces and linkage blocks opened.
    fn collect_tops(&self, parent: Cursor<'tu>, tops: &mut Vec<Cursor<'tu>>) {
        for cursor in parent.children() {
            match cursor.kind() {
                CursorKind::Namespace | CursorKind::LinkageSpec if !cursor.in_system_header() => {
                    self.collect_tops(cursor, tops);
                }
                CursorKind::FunctionDecl | CursorKind::VarDecl
                    if cursor.is_definition()
                        && !cursor.in_system_header()
                        && !instances::is_instance(cursor)
                        && !instances::is_of_template(cursor) =>
                {
                    tops.push(cursor);
                }
                CursorKind::UnexposedDecl
                    if !cursor.in_system_header() && bindings::is_static_binding(cursor) =>
                {
                    tops.push(cursor);
                }
                _ => {}
            }
        }
    }

    /// What other units may call beside functions: members whose definitions stand in this file outside of their
    /// classes, and instances of templates that it defines, which it may make for others explicitly.
    fn members_and_instances(&mut self) {
        let mut found = Vec::new();
        self.collect_members(self.unit.cursor(), &mut found);
        for cursor in found {
            if !cursor.in_system_header() && self.body_of(cursor).is_some_and(|body| body.in_main_file()) {
                self.root(cursor, Roots::All);
            }
        }
    }

    fn collect_members(&self, parent: Cursor<'tu>, found: &mut Vec<Cursor<'tu>>) {
        for cursor in parent.children() {
            let member = matches!(
                cursor.kind(),
                CursorKind::CXXMethod
                    | CursorKind::Constructor
                    | CursorKind::Destructor
                    | CursorKind::ConversionFunction
            );
            match cursor.kind() {
                CursorKind::Namespace | CursorKind::LinkageSpec if !cursor.in_system_header() => {
                    self.collect_members(cursor, found);
                }
                CursorKind::FunctionDecl if instances::is_instance(cursor) => found.push(cursor),
                // Those of a class template itself are no code.
                _ if member && cursor.semantic_parent().is_some_and(is_class) => found.push(cursor),
                _ => {}
            }
        }
    }

    /// Whether a declaration stands in a file that units are made of: this one, or another source file that it
    /// includes.
    fn in_source_file(&self, cursor: Cursor<'tu>) -> bool {
        cursor.in_main_file()
            || cursor.place().file.is_some_and(|file| {
                let name = self.unit.file_name(file);
                let extension = std::path::Path::new(&name).extension().and_then(|e| e.to_str());
                matches!(extension, Some("c" | "cc" | "cpp" | "cxx" | "cu"))
            })
    }

    fn root(&mut self, cursor: Cursor<'tu>, roots: Roots) {
        let result = if matches!(cursor.kind(), CursorKind::VarDecl | CursorKind::UnexposedDecl) {
            let constant_or_unused = !self.cxx || !self.may_need_dynamic_init(cursor);
            // What has external linkage may be another unit's, whatever this one does with it.
            if constant_or_unused && roots != Roots::All {
                let attributes = self.attributes(cursor);
                let on_host = !attributes.device && !attributes.constant && !attributes.managed;
                if on_host && cursor.has_external_linkage() {
                    // One that is not supported is told where it is used.
                    let _ = self.global(cursor, false);
                }
                return;
            }
            self.global(cursor, false).map(|_| ())
        } else {
            let attributes = self.attributes(cursor);
            // What replaces the library's memory functions is called without being named.
            let replaces = self.cxx && allocation::is_allocation(&cursor.spelling()) && !attributes.device;
            if replaces {
                self.replaced.push(decl::symbol(cursor));
            }
            let wanted = attributes.global
                || cursor.spelling() == "main"
                || replaces
                || roots == Roots::All
                    && cursor.has_external_linkage()
                    && self.in_source_file(cursor)
                    && !attributes.device;
            let device_root = roots == Roots::All
                && attributes.device
                && !attributes.global
                && cursor.has_external_linkage()
                && cursor.in_main_file();
            let mut result = Ok(());
            if wanted || device_root && attributes.host {
                result = self.func_everywhere(cursor, false);
            }
            if device_root {
                result = result.and_then(|()| self.func_everywhere(cursor, true));
            }
            result
        };
        if let Err(fault) = result {
            self.faults.push(*fault);
        }
    }

    /// Lowers a function for other units.
    fn func_everywhere(&mut self, cursor: Cursor<'tu>, device: bool) -> R<()> {
        self.func(cursor, device)?;
        if self.has_base_flavour(cursor) {
            self.func_as(cursor, device, true)?;
        }
        Ok(())
    }

    /// The type that a typedef at file scope names.
    pub fn typedef(&mut self, name: &str) -> Option<crate::clang::Type<'tu>> {
        let unit = self.unit;
        let known = self.typedefs.get_or_insert_with(|| {
            let decls = unit.cursor().children();
            decls
                .into_iter()
                .filter(|c| matches!(c.kind(), CursorKind::TypedefDecl | CursorKind::TypeAliasDecl))
                .map(|c| (c.spelling(), c.typedef_underlying()))
                .collect()
        });
        known.get(name).copied()
    }

    /// The source place of a node.
    pub fn loc(&mut self, cursor: Cursor<'tu>) -> Option<Loc> {
        self.places.cursor(self.module, cursor)
    }

    /// The place of a block's closing brace.
    pub fn closing_brace(&mut self, block: Cursor<'tu>) -> Option<Loc> {
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
    pub fn fault<T>(&mut self, kind: FaultKind, what: impl Into<String>, cursor: Cursor<'tu>) -> R<T> {
        let loc = self.loc(cursor);
        Err(Box::new(Fault { kind, what: what.into(), loc }))
    }

    /// A construct that is not supported.
    pub fn unsupported<T>(&mut self, what: impl Into<String>, cursor: Cursor<'tu>) -> R<T> {
        self.fault(FaultKind::Unsupported, what, cursor)
    }

    /// A tree that is not as expected.
    pub fn internal<T>(&mut self, what: impl Into<String>, cursor: Cursor<'tu>) -> R<T> {
        self.fault(FaultKind::Internal, what, cursor)
    }
}

/// Whether a cursor is a class, and no template of one.
fn is_class(cursor: Cursor<'_>) -> bool {
    matches!(cursor.kind(), CursorKind::ClassDecl | CursorKind::StructDecl | CursorKind::UnionDecl)
}
