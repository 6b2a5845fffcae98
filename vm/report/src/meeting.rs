//! Races between operations of streams, and between them and the host: what is noted of them.

use cudair_ir::ThreadCoord;
use cudair_lane::How;
use cudair_lane::fault::{LaunchRef, Place};
use cudair_lane::ptr::Ptr;

/// What an operation does, for reports.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OperationKind {
    /// A kernel, with its grid and block.
    Launch(LaunchRef, [u32; 3], [u32; 3]),
    /// A copy.
    Copy,
    /// A fill.
    Fill,
    /// Makes memory.
    Alloc,
    /// Frees memory.
    Free,
    /// Calls the function of the host at this address.
    Call(Ptr),
    /// Runs the body of a conditional node of a graph.
    Body,
}

/// An operation, for reports.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct StreamOperation {
    /// What it does.
    pub deed: OperationKind,
    /// The stream, by number; 0 is the default one.
    pub stream: usize,
    /// The stream does not wait for the default stream.
    pub non_blocking: bool,
    /// Where it was issued.
    pub place: Place,
    /// By which function.
    pub native: Option<&'static str>,
}

/// One side of a race.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Side {
    /// How it accesses the bytes, and where in the program.
    pub how: How,
    /// The operation; absent for the host.
    pub doer: Option<StreamOperation>,
    /// The thread, of a kernel.
    pub thread: Option<ThreadCoord>,
}

/// Two accesses to the same bytes that nothing orders.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Meeting {
    /// The one issued first; the host is the second.
    pub sides: [Side; 2],
    /// The object, by number.
    pub obj: u32,
    /// Where in it the bytes start that both touch.
    pub offset: u32,
    /// How many bytes both touch.
    pub bytes: u32,
    /// What both always write.
    pub same_value: Option<u64>,
    /// At how many places in memory.
    pub count: u64,
}
