//! How an access is made.

use crate::fault::{AccessOp, Place};
use cudair_ir::Scope;

/// What an access is to the race detector, besides where in memory.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct How {
    /// Where in the program.
    pub place: Place,
    /// Reads, writes, or both.
    pub op: AccessOp,
    /// The scope, of an atomic.
    pub atomic: Option<Scope>,
    /// Whether it is volatile.
    pub volatile: bool,
}

impl How {
    /// Whether it is neither atomic nor volatile.
    #[inline]
    pub fn is_plain(&self) -> bool {
        self.atomic.is_none() && !self.volatile
    }

    /// Whether it is volatile and no atomic operation.
    #[inline]
    pub fn is_volatile(&self) -> bool {
        self.atomic.is_none() && self.volatile
    }
}
