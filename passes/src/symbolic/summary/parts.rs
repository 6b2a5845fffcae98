//! What a summary consists of.

use super::super::term::Term;
use crate::analysis::control::Node as Block;
use crate::analysis::memory::Place;
use cudair_ir::{FuncId, GlobalId, Inst, Loc, Slot, Value};
use smallvec::SmallVec;

/// The object that a pointer points into.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Base {
    /// A variable of static storage.
    Global(GlobalId),
    /// The block's dynamic shared memory, which all its declarations share.
    DynamicShared,
    /// What a parameter points to, or the aggregate that is passed.
    Param(u32),
    /// What a pointer member of an aggregate parameter points to: parameter, byte offset of the member.
    Member(u32, u32),
    /// A local variable of the thread.
    Local(Slot),
    /// Memory of the thread's own, of which nobody knows which variable it is.
    Private,
    /// The texels behind the surface that a parameter is, or behind any of the surfaces. Bytes are counted as if every
    /// array were [as wide](super::texels::WIDTH) as can be.
    Surface(Option<u32>),
    /// None: the null pointer.
    Null,
    /// No object: the offset is the address.
    Address,
    /// A function.
    Code(FuncId),
    /// What this value points to is not known.
    Other(Value),
    /// The object of a loop head's parameter, until it is known.
    Phi(Value),
}

impl Base {
    /// Whether it is a surface.
    pub fn is_surface(self) -> bool {
        matches!(self, Base::Surface(_))
    }

    /// Whether it is told which object it is.
    pub fn is_known(self) -> bool {
        !matches!(self, Base::Address | Base::Other(_) | Base::Phi(_))
    }

    /// Whether other threads may see it.
    pub(super) fn is_visible(self) -> bool {
        !matches!(self, Base::Local(_) | Base::Private | Base::Null | Base::Code(_))
    }
}

/// What a pointer is where a condition holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PtrCase {
    /// The condition.
    pub cond: Term,
    /// The object.
    pub base: Base,
    /// Bytes from its start, 64 bits.
    pub offset: Term,
}

impl PtrCase {
    /// Whether it points into an object of the program, or is a function: so it is not null.
    pub fn is_object(&self) -> bool {
        matches!(
            self.base,
            Base::Global(_) | Base::DynamicShared | Base::Local(_) | Base::Private | Base::Code(_)
        )
    }
}

/// What a value is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Val {
    /// A number.
    Int(Term),
    /// A pointer: exactly one of the cases holds.
    Ptr(SmallVec<[PtrCase; 1]>),
}

/// How memory is touched.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Touch {
    /// A load.
    Read,
    /// A store.
    Write,
    /// An atomic operation.
    Atomic {
        /// Whether it may write.
        writes: bool,
        /// Whether it is atomic to threads of other blocks, too.
        wide: bool,
    },
}

impl Touch {
    /// Whether it may write.
    pub fn writes(self) -> bool {
        matches!(self, Touch::Write | Touch::Atomic { writes: true, .. })
    }
}

/// An access.
#[derive(Clone, Debug)]
pub struct Access {
    /// The instruction.
    pub inst: Inst,
    /// Its block.
    pub block: Block,
    /// Its number in the block.
    pub at: usize,
    /// What it does.
    pub touch: Touch,
    /// Whether it is volatile.
    pub volatile: bool,
    /// The object.
    pub base: Base,
    /// What other threads can see of it, told without terms.
    pub place: Place,
    /// Bytes from its start, 64 bits.
    pub offset: Term,
    /// How many bytes, 64 bits.
    pub bytes: Term,
    /// When it happens.
    pub guard: Term,
    /// What it writes, if that is a number.
    pub value: Option<Term>,
}

impl Access {
    /// The instruction, and whether it is its write.
    pub fn deed(&self) -> (Inst, bool) {
        (self.inst, self.touch.writes())
    }
}

/// What may be wrong about what one thread does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fault {
    /// An access outside of its object.
    Bounds,
    /// An index outside of its row or of an array that is a member.
    Row,
    /// An access that is not aligned as its type asks.
    Misaligned,
    /// An access at a null pointer.
    Null,
    /// A write to constant memory.
    ReadOnly,
    /// A call that a false assertion makes.
    Assertion,
    /// A call that a false assumption makes: it is taken not to happen.
    Assumption,
    /// A call through a pointer that is no function.
    Call,
    /// A division by zero.
    DivZero,
    /// A division of the smallest integer by -1.
    DivOverflow,
    /// A shift by an amount that is negative or not less than the width.
    Shift,
    /// A use of a texture or surface that its description does not allow.
    Texels,
}

/// A place where a thread may do something wrong.
#[derive(Clone, Copy, Debug)]
pub struct Suspect {
    /// What.
    pub fault: Fault,
    /// The instruction.
    pub inst: Inst,
    /// Whether it is the instruction's write.
    pub writes: bool,
    /// Its block.
    pub block: Block,
    /// When it is executed; of an operation, with operands for which it is undefined.
    pub guard: Term,
    /// The object that is accessed; null for what is no access.
    pub base: Base,
    /// Bytes from its start, 64 bits.
    pub offset: Term,
    /// How many bytes, 64 bits; of an index how many elements its array has.
    pub bytes: Term,
}

/// A launch in host code, or a call of a function with a body.
#[derive(Clone, Debug)]
pub struct CallSite {
    /// The instruction.
    pub inst: Inst,
    /// Its block.
    pub block: Block,
    /// The kernel or function.
    pub callee: FuncId,
    /// The configuration of a launch, and the arguments; none for those that are pointers.
    pub args: Vec<Option<Term>>,
    /// Where the arguments that are pointers point to: an object, and bytes from its start.
    pub pointers: Vec<Option<(Base, Term)>>,
}

/// An allocation of device memory by host code, whose address is put into a variable.
#[derive(Clone, Copy, Debug)]
pub struct Allocation {
    /// The variable.
    pub slot: Slot,
    /// The block of the call.
    pub block: Block,
    /// Bytes, 64 bits.
    pub bytes: Term,
}

/// A pointer parameter that points into what another one points to.
#[derive(Clone, Copy, Debug)]
pub struct Alias {
    /// Its number.
    pub param: u32,
    /// That of the other, which is in no such pair.
    pub of: u32,
    /// Bytes from what the other points to, 64 bits, where that is known.
    pub distance: Option<Term>,
}

/// An operation of host code on signed numbers whose overflow is undefined.
#[derive(Clone, Copy, Debug)]
pub struct Signed {
    /// Its block.
    pub block: Block,
    /// What it gives.
    pub result: Term,
    /// That it does not overflow.
    pub fact: Term,
}

/// How a variable of a loop changes that has no closed form.
#[derive(Clone, Copy, Debug)]
pub struct Step {
    /// What it is in the iteration of the counter.
    pub own: Term,
    /// What it is in the first.
    pub init: Term,
    /// What it is in the next one.
    pub next: Term,
}

/// That a variable of a loop does not wrap around.
#[derive(Clone, Copy, Debug)]
pub struct Fit {
    /// What then holds in the iteration of the counter.
    pub holds: Term,
    /// Whether wrapping around is undefined behaviour; else it is taken for granted, but for the test by which the loop
    /// is left.
    pub undefined: bool,
}

/// What is known of a loop.
#[derive(Clone, Debug, Default)]
pub struct LoopFacts {
    /// When another iteration follows that of the counter; none before the loop has been followed.
    pub again: Option<Term>,
    /// What holds in each iteration if no counter of the program wraps around.
    pub fits: Vec<Fit>,
    /// Variables without a closed form.
    pub steps: Vec<Step>,
}

/// What could not be followed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Gap {
    /// What, as the end of a sentence ("… is not followed").
    pub what: String,
    /// Where.
    pub loc: Option<Loc>,
}
