//! The function that is being lowered: what it is, what it works on and what it was called with.

use crate::clang::CursorId;
use crate::types::{Decl, DeclKind, QTy, Ty};
use cudair_ir::{Function, Slot, Value};

/// The function that is being lowered. Its signature is told once, when its parameters are bound.
pub(crate) struct Frame<'tu> {
    decl: Decl<'tu>,
    device: bool,
    is_main: bool,
    /// A constructor or destructor for objects that are bases of others.
    for_bases: bool,
    ret: QTy,
    sret: Option<Value>,
    this: Option<Slot>,
    class: Option<Ty>,
    vtt: Option<Value>,
    arguments: Vec<Value>,
    members_unwind: bool,
    result: Option<CursorId>,
}

/// What `this` was before [`Frame::work_on`].
pub(crate) struct Object {
    this: Option<Slot>,
    class: Option<Ty>,
}

impl<'tu> Frame<'tu> {
    pub fn new(function: &Function, decl: Decl<'tu>, void: QTy) -> Self {
        Frame {
            decl,
            device: function.side.on_device(),
            is_main: function.name == "main",
            for_bases: false,
            ret: void,
            sret: None,
            this: None,
            class: None,
            vtt: None,
            arguments: Vec::new(),
            members_unwind: false,
            result: None,
        }
    }

    // What the function is.

    pub fn decl(&self) -> Decl<'tu> {
        self.decl
    }

    /// Whether the code runs on the device.
    pub fn device(&self) -> bool {
        self.device
    }

    pub fn is_main(&self) -> bool {
        self.is_main
    }

    /// Whether it is a constructor or destructor for objects that are bases of others.
    pub fn for_bases(&self) -> bool {
        self.for_bases
    }

    /// It makes or destroys bases of other objects.
    pub fn work_for_bases(&mut self) {
        self.for_bases = true;
    }

    pub fn is_destructor(&self) -> bool {
        self.decl.kind() == DeclKind::Destructor
    }

    /// Whether it is a destructor whose body may be left by an exception: members and bases are then destroyed as
    /// objects of its scope are.
    pub fn members_unwind(&self) -> bool {
        self.members_unwind
    }

    /// An exception may leave the body, if the function is a destructor of the host.
    pub fn body_may_throw(&mut self, may: bool) {
        self.members_unwind = may && self.is_destructor() && !self.device;
    }

    // What it gives back.

    pub fn ret(&self) -> QTy {
        self.ret
    }

    /// Where the caller wants the result, if it is an aggregate.
    pub fn sret(&self) -> Option<Value> {
        self.sret
    }

    pub fn give_back(&mut self, ret: QTy, place: Option<Value>) {
        (self.ret, self.sret) = (ret, place);
    }

    /// The local variable that is the result itself.
    pub fn result(&self) -> Option<CursorId> {
        self.result
    }

    /// A variable is made in the place of the result. Without a place there is none.
    pub fn make_in_place(&mut self, variable: Option<CursorId>) {
        self.result = variable.filter(|_| self.sret.is_some());
    }

    // What it works on.

    /// Where `this` is kept.
    pub fn this(&self) -> Option<Slot> {
        self.this
    }

    /// The class whose member function this is.
    pub fn class(&self) -> Option<Ty> {
        self.class
    }

    /// `this` is kept in a slot from here on. Gives what was so before.
    pub fn work_on(&mut self, this: Option<Slot>, class: Option<Ty>) -> Object {
        Object {
            this: std::mem::replace(&mut self.this, this),
            class: std::mem::replace(&mut self.class, class),
        }
    }

    /// Undoes [`Self::work_on`].
    pub fn work_on_again(&mut self, before: Object) {
        (self.this, self.class) = (before.this, before.class);
    }

    /// The construction table of the object, where the constructor or destructor is one for bases.
    pub fn vtt(&self) -> Option<Value> {
        self.vtt
    }

    pub fn take_vtt(&mut self, vtt: Option<Value>) {
        self.vtt = vtt;
    }

    /// What the function was called with, `this` and the place of the result aside.
    pub fn arguments(&self) -> &[Value] {
        &self.arguments
    }

    pub fn take_arguments(&mut self, arguments: Vec<Value>) {
        self.arguments = arguments;
    }
}
