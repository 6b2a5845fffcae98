//! Which temporaries live longer than their full expression.

use super::FnLower;
use crate::ast::{Ex, NodeId};

/// What the temporaries of the initialiser being lowered are bound to.
#[derive(Default)]
pub(crate) struct Temporaries {
    /// The nodes down to temporaries that live as long as the reference being bound to them.
    extended: Vec<NodeId>,
    /// Whether the list being initialised is a variable's: what its references are bound to lives as long.
    list_extends: bool,
    /// Whether those references live as long as the program.
    binds_static: bool,
}

impl Temporaries {
    /// Whether the temporary that a node makes lives as long as a reference.
    pub fn lives_on(&self, e: Ex<'_>) -> bool {
        self.extended.contains(&e.id())
    }

    /// Whether it lives as long as the program.
    pub fn lives_for_ever(&self, e: Ex<'_>) -> bool {
        self.binds_static && self.lives_on(e)
    }

    /// Whether references in the list being initialised extend lives.
    pub fn list_extends(&self) -> bool {
        self.list_extends
    }

    /// The statement was given up: nothing of it lives on.
    pub fn give_up(&mut self) {
        self.extended.clear();
    }
}

impl FnLower<'_, '_, '_> {
    /// Runs `make` while the temporaries that `nodes` lead to live on, and no others.
    pub fn extending<T>(&mut self, nodes: Vec<NodeId>, make: impl FnOnce(&mut Self) -> T) -> T {
        let before = std::mem::replace(&mut self.temporaries.extended, nodes);
        let made = make(self);
        self.temporaries.extended = before;
        made
    }

    /// Runs `make` for a list whose references extend lives, or do not.
    pub fn in_list<T>(&mut self, extends: bool, make: impl FnOnce(&mut Self) -> T) -> T {
        let before = std::mem::replace(&mut self.temporaries.list_extends, extends);
        let made = make(self);
        self.temporaries.list_extends = before;
        made
    }

    /// Runs `make` while what lives on lives as long as the program, or does not.
    pub fn binding_static<T>(&mut self, yes: bool, make: impl FnOnce(&mut Self) -> T) -> T {
        let before = std::mem::replace(&mut self.temporaries.binds_static, yes);
        let made = make(self);
        self.temporaries.binds_static = before;
        made
    }
}
