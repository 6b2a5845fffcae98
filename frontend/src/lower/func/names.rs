//! What the names of a function stand for: its variables, the parts of structured bindings, and what a lambda captured.

use crate::ast::{Capture, Captured};
use crate::clang::CursorId;
use crate::types::{Decl, QTy};
use cudair_ir::{GlobalId, Slot, Value};
use rustc_hash::{FxHashMap, FxHashSet};

/// Where a variable lives.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Var {
    /// In a slot.
    Slot(Slot),
    /// At an address that a slot holds: references and variable length arrays.
    Indirect(Slot),
    /// At an address: aggregates passed by value.
    Address(Value),
    /// In static storage.
    Global(GlobalId),
}

/// What a name of a structured binding stands for: a part of the hidden object.
#[derive(Clone, Copy)]
pub(crate) struct Bound<'tu> {
    /// The declaration whose variable is the hidden object.
    pub object: Decl<'tu>,
    pub offset_bits: u64,
    pub ty: QTy,
    /// The width of a bit-field.
    pub width: Option<u32>,
}

/// What the names in a function stand for.
#[derive(Default)]
pub(crate) struct Names<'tu> {
    vars: FxHashMap<CursorId, Var>,
    bindings: FxHashMap<CursorId, Bound<'tu>>,
    captures: FxHashMap<CursorId, Capture<'tu>>,
    /// Variables whose declarations could not be lowered.
    given_up: FxHashSet<CursorId>,
    /// Where a lambda keeps `this` of the enclosing class.
    outer_this: Option<Capture<'tu>>,
}

impl<'tu> Names<'tu> {
    /// A variable lives somewhere; declared again, in the next iteration of a loop, it lives there.
    pub fn declare(&mut self, decl: Decl<'tu>, var: Var) {
        self.vars.insert(decl.id(), var);
    }

    /// The declaration of a variable could not be lowered.
    pub fn give_up(&mut self, decl: Decl<'tu>) {
        self.given_up.insert(decl.id());
    }

    /// Whether the declaration of a variable could not be lowered.
    pub fn is_given_up(&self, decl: Decl<'tu>) -> bool {
        self.given_up.contains(&decl.id())
    }

    pub fn var(&self, decl: Decl<'tu>) -> Option<Var> {
        self.vars.get(&decl.id()).copied()
    }

    /// Whether a variable is declared in the function or captured by it.
    pub fn is_known(&self, decl: Decl<'tu>) -> bool {
        self.vars.contains_key(&decl.id()) || self.captures.contains_key(&decl.id())
    }

    /// A name of a structured binding stands for a part of its object.
    pub fn bind(&mut self, name: Decl<'tu>, bound: Bound<'tu>) {
        self.bindings.insert(name.id(), bound);
    }

    pub fn bound(&self, name: Decl<'tu>) -> Option<Bound<'tu>> {
        self.bindings.get(&name.id()).copied()
    }

    /// Whether a declaration of unknown kind is a name of a structured binding.
    pub fn is_binding(&self, decl: Decl<'tu>) -> bool {
        self.bindings.contains_key(&decl.id()) || self.captures.contains_key(&decl.id())
    }

    /// The function is a closure's call operator, and this a field of the closure.
    pub fn capture(&mut self, capture: Capture<'tu>) {
        match capture.what {
            Captured::Variable(decl) => {
                self.captures.insert(decl.id(), capture);
            }
            Captured::This | Captured::Object => self.outer_this = Some(capture),
        }
    }

    /// The field of the closure that holds a variable.
    pub fn captured(&self, decl: Decl<'tu>) -> Option<Capture<'tu>> {
        self.captures.get(&decl.id()).copied()
    }

    /// The field of the closure that holds `this` of the enclosing class.
    pub fn outer_this(&self) -> Option<Capture<'tu>> {
        self.outer_this
    }

    /// Replaces what [`Self::outer_this`] gives, and gives what it was.
    pub fn replace_outer_this(&mut self, this: Option<Capture<'tu>>) -> Option<Capture<'tu>> {
        std::mem::replace(&mut self.outer_this, this)
    }
}
