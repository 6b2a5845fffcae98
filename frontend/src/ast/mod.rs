//! The typed tree between libclang and the lowering.
//!
//! libclang's cursors hide much: which conversion a node is, what was left out of a `for`, which branch of an
//! `if constexpr` remains. Here every node is complete: its kind says what it is and its parts are named. A tree is made
//! on demand, function by function ([`Ast::body`]) or for one initialiser ([`Ast::initializer`]); what libclang hides is
//! found by [`crate::recover`], and what cannot be found is a node that says so ([`ExprKind::Fault`]). The lowering sees
//! these nodes and declarations, and no cursors, tokens or text.
//!
//! Begin reading with [`expr`] and [`stmt`], the nodes; [`build`] makes them.

mod build;
mod classes;
mod closures;
mod decls;
mod expr;
mod inherited;
mod instances;
mod mangle;
mod named;
mod stmt;
mod tokens;
mod wide;

pub(crate) use crate::fault::FaultKind;
pub(crate) use classes::Templates;
pub(crate) use closures::{Capture, Captured};
pub(crate) use decls::{Attributes, ConstructorList, bound_names, symbol};
pub(crate) use expr::*;
pub(crate) use inherited::Inherited;
pub(crate) use mangle::mangle;
pub(crate) use stmt::*;
pub(crate) use tokens::TokenId;

use crate::clang::{Cursor, CursorId, TranslationUnit, Type as ClangType};
use crate::recover::{HiddenVariables, Prints};
use crate::types::{Decl, RecId, Types};
use bumpalo::Bump;
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

/// The tree of one translation unit, with what was asked of it before.
pub(crate) struct Ast<'tu> {
    pub unit: &'tu TranslationUnit,
    pub types: Types<'tu>,
    /// C++ (and CUDA) rather than C.
    pub cxx: bool,
    /// Whether the standard is C++17 or a later one.
    pub cxx17: bool,
    arena: &'tu Bump,
    tokens: tokens::Tokens<'tu>,
    /// Whether the function whose body is being made is the device's.
    device: bool,
    /// The function whose body is being made.
    around: Option<Decl<'tu>>,
    depth: u32,
    /// What was made of initialisers and default arguments.
    known: FxHashMap<(CursorId, bool), Ex<'tu>>,
    attributes: FxHashMap<CursorId, Rc<Attributes>>,
    /// For each variable, the declaration that says most.
    definitions: Option<FxHashMap<CursorId, Cursor<'tu>>>,
    /// The instances of function templates and of members of class templates, by name.
    instances: Option<FxHashMap<String, Vec<Decl<'tu>>>>,
    /// The functions of namespaces, by name.
    in_namespaces: Option<FxHashMap<String, Vec<Decl<'tu>>>>,
    /// The structured bindings of static storage by their names, once needed.
    static_bindings: Option<FxHashMap<CursorId, Decl<'tu>>>,
    typedefs: Option<FxHashMap<String, ClangType<'tu>>>,
    methods: FxHashMap<RecId, Rc<[Decl<'tu>]>>,
    templates: FxHashMap<RecId, classes::Templates>,
    closures: FxHashMap<CursorId, Rc<Vec<Capture<'tu>>>>,
    /// What clang prints of declarations.
    prints: Prints,
    /// Variables that a visit of their function does not show.
    hidden_variables: HiddenVariables<'tu>,
    /// Whether a function that was made asks `if consteval`.
    asks_consteval: bool,
    /// Constructor calls that come from a declaration or `new` without an initialiser.
    plain: FxHashSet<CursorId>,
}

impl<'tu> Ast<'tu> {
    /// Notes which constructor an element of a list was found to call.
    #[cfg(test)]
    pub fn note_constructor(&self, element: Ex<'tu>, constructor: Decl<'tu>) {
        let fact = crate::oracle::Fact::Constructor(constructor.ty().spelling());
        self.note(crate::types::Located::range(element), fact);
    }

    /// Notes what was recovered of the construct that stands there.
    #[cfg(test)]
    fn note(&self, at: crate::clang::RawRange, fact: crate::oracle::Fact) {
        crate::oracle::note(self.unit, at, fact);
    }

    pub fn new(unit: &'tu TranslationUnit, arena: &'tu Bump, cxx: bool) -> Self {
        Ast {
            unit,
            types: Types::new(),
            cxx,
            cxx17: cxx,
            arena,
            tokens: tokens::Tokens::default(),
            device: false,
            around: None,
            depth: 0,
            known: FxHashMap::default(),
            attributes: FxHashMap::default(),
            definitions: None,
            instances: None,
            in_namespaces: None,
            static_bindings: None,
            typedefs: None,
            methods: FxHashMap::default(),
            templates: FxHashMap::default(),
            closures: FxHashMap::default(),
            prints: Prints::default(),
            hidden_variables: HiddenVariables::default(),
            asks_consteval: false,
            plain: FxHashSet::default(),
        }
    }
}
