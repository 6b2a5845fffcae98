//! The host's local variables: frames on a stack of their own.

use super::FrameLayout;
use crate::fault::{Place, Stop};
use crate::ptr::Ptr;
use cudair_ir::LifetimeOp;
use std::sync::Arc;

/// A frame of the host: kept in the caller's call stack.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct HostFrame {
    /// Its number in the stack.
    pub(crate) index: u32,
    /// The first of its slots' objects.
    pub(crate) first: u32,
}

/// The host's frames.
#[derive(Debug, Default)]
pub struct HostFrames {}

impl HostFrames {
    /// Enters a function: its variables live until [`HostFrames::leave`]; those with lifetime markers are
    /// dead until [`HostFrames::lifetime`] says otherwise.
    pub fn enter(&mut self, _layout: &Arc<FrameLayout>) -> Result<HostFrame, Stop> {
        Err(Stop::internal("host frames are not ready"))
    }

    /// Leaves `frame` and every frame entered after it (an exception or `longjmp` leaves several).
    pub fn leave(&mut self, _frame: HostFrame) {}

    /// The address of a variable.
    pub fn addr(&mut self, _frame: HostFrame, _slot: u32) -> Ptr {
        Ptr::NULL
    }

    /// A variable's scope begins or ends.
    pub fn lifetime(&mut self, _frame: HostFrame, _slot: u32, _op: LifetimeOp, _place: Place) {}

    /// Memory that lives as long as the frame, which must be the innermost.
    pub fn alloca(&mut self, _frame: HostFrame, _size: u64, _align: u64, _place: Place) -> Result<Ptr, Stop> {
        Err(Stop::internal("host frames are not ready"))
    }
}
