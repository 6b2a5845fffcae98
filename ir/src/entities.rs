//! Entity references: small integers that name the parts of a function or a module.
//!
//! Each has a `Display` that *is* its text syntax (`v7`, `block2`, `site4`), so that messages, the
//! textual IR and the debugger agree. `Value`, `Block`, `Inst`, `Slot`, `Site` and `SwitchTable`
//! are numbered within their function; `FuncId`, `GlobalId`, `FileId`, `Loc` and `Message` within
//! the module.

use cranelift_entity::entity_impl;

/// An SSA value: the result of an instruction or a block parameter.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Value(u32);
entity_impl!(Value, "v");

/// A basic block.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Block(u32);
entity_impl!(Block, "block");

/// An instruction.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Inst(u32);
entity_impl!(Inst, "inst");

/// A local variable in memory (a stack slot of the function's frame, one instance per lane).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Slot(u32);
entity_impl!(Slot, "slot");

/// A place in a function that touches memory or synchronises. Facts, reports, elision of checks
/// and coverage are keyed by it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Site(u32);
entity_impl!(Site, "site");

/// The case table of a `switch`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SwitchTable(u32);
entity_impl!(SwitchTable, "table");

/// A function of the module, defined or declared.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FuncId(u32);
entity_impl!(FuncId, "fn");

/// A function signature, for calls through pointers.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SigId(u32);
entity_impl!(SigId, "sig");

/// A variable of static storage duration, in any memory space.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct GlobalId(u32);
entity_impl!(GlobalId, "gv");

/// A source file.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FileId(u32);
entity_impl!(FileId, "file");

/// A source place: file, range, macro expansion and inlining chain. See [`crate::loc`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Loc(u32);
entity_impl!(Loc, "loc");

/// A message carried by a trap (what is not supported, and why).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Message(u32);
entity_impl!(Message, "msg");
