//! What could not be lowered, and whose fault that is.

/// Whose fault it is that something could not be lowered.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum FaultKind {
    /// cudair does not support it.
    Unsupported,
    /// The program is wrong in a way that the parser does not see.
    Program,
    /// The tree is not as it should be: a defect of ours.
    Internal,
    /// It needs something whose own fault was told.
    Consequence,
}
