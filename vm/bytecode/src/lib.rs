//! The bytecode: what a function becomes for one side or one launch context.
//!
//! Operations have a fixed size of 16 bytes; one table ([`table`]) drives the enumeration, the verifier,
//! the disassembler and the documentation. Registers are typed ([`regs`]):
//!
//! - **scalars** ([`S`], [`S2`]) are words of the *convergence group's* frame: values that are the same for all
//!   lanes that run together. Integers narrower than the word and `f32` are zero-extended; `i1` is 0 or 1.
//!   The words at [`Files::consts_at`] hold [`Files::consts`] when the function is entered.
//! - **vectors** ([`V`], [`W`], [`X`]) are planes of 32 bits times the strip's lanes, shared by the
//!   convergence groups of a strip, whose lanes are disjoint. Narrow values are zero-extended to 32 bits.
//! - **predicates** ([`P`]) are one bit a lane: vectors of `i1`.
//!
//! Code lies in layout order: cycles contiguous, joins after their branches, so that the convergence group earliest
//! in layout order is the one to run. A loop has one latch (several back edges meet in a block before the
//! header), else lanes that `continue` would run ahead of the others. A block where convergence groups may meet
//! begins with [`Op::Join`].
//!
//! The crate knows the IR's types and places, and nothing of how operations run. Begin with [`table`].

pub mod desc;
mod disasm;
mod flow;
mod places;
pub mod regs;
pub mod select;
pub mod table;
pub mod tables;
mod verify;

pub use desc::*;
pub use regs::*;
pub use select::{Address, Right};
pub use tables::{Table, Tables};
pub use verify::VerifiedCode;

#[doc(hidden)]
pub use cudair_families::families;
use cudair_ir::{FuncId, GlobalId, IntCC, Side, SpecialReg, Type};
use index_vec::IndexVec;
use std::ops::Range;

/// Makes the enumeration of operations from the table, and a pattern for the operations of each section.
macro_rules! define_ops {
    ($($section:ident $about:literal {
        $($name:ident $mnemonic:literal { $($field:ident : $ty:ty),* } $doc:literal;)*
    })*) => {
        /// An operation. Fields are operands; see [`table`] for the meaning of each row.
        #[derive(Clone, Copy, Debug)]
        #[allow(missing_docs)] // operands are named alike everywhere: `d` result, `a b c` operands
        pub enum Op {
            $($(#[doc = $doc] $name { $($field: $ty),* },)*)*
        }

        impl Op {
            /// The name in a disassembly.
            #[inline]
            pub fn mnemonic(&self) -> &'static str {
                match self { $($(Op::$name { .. } => $mnemonic,)*)* }
            }

            /// Calls `f` with the name and value of each operand, in the order of the table.
            #[inline]
            pub fn operands(&self, mut f: impl FnMut(&'static str, Operand)) {
                match *self {
                    $($(Op::$name { $($field),* } => { $(f(stringify!($field), Operand::from($field));)* })*)*
                }
                let _ = &mut f;
            }
        }

        /// A pattern for all operations of a section of the [`table`].
        #[doc(hidden)]
        #[macro_export]
        macro_rules! section {
            $(($section) => { $($crate::Op::$name { .. })|* };)*
        }
    };
}

/// A pattern for the operations of sections of the [`table`]: `ops!(ScalarInt | ScalarFloat)`.
#[macro_export]
macro_rules! ops {
    ($($section:ident)|+) => { $($crate::section!($section))|+ };
}

table::for_each_op!(define_ops);

const _: () = assert!(size_of::<Op>() == 16);

/// A compiled function.
#[derive(Clone, Debug)]
pub struct Code {
    /// The function.
    pub func: FuncId,
    /// What a reader calls it.
    pub name: String,
    /// Where it runs.
    pub side: Side,
    /// The operations; the first is the entry.
    pub ops: Vec<Op>,
    /// Where each operation comes from; as many as operations.
    pub places: Vec<Place>,
    /// The registers.
    pub files: Files,
    /// Where the parameters are expected.
    pub params: Vec<TypedReg>,
    /// The type of the result.
    pub ret: Option<Type>,
    /// Whether further arguments may follow.
    pub variadic: bool,
    /// The local variables in memory.
    pub slots: IndexVec<SlotId, SlotLayout>,
    /// What operations name by index.
    pub tables: Tables,
    /// Where calls that throw go on, by the operation behind the call.
    pub landings: Vec<Landing>,
    /// How many facts about its values are tested.
    pub facts: FactCounts,
}

/// The sizes of a function's register files, and the constants in them.
#[derive(Clone, Debug)]
pub struct Files {
    /// Words of scalar registers.
    pub scalars: u16,
    /// Planes of vector registers.
    pub planes: u16,
    /// Predicate registers.
    pub preds: u16,
    /// The first of the words that hold [`Files::consts`].
    pub consts_at: S,
    /// Constants.
    pub consts: Vec<u64>,
    /// The scalar registers that count the iterations of loops; none unless facts are tested. They keep lanes apart
    /// that are in different iterations, and nothing else depends on them.
    pub counters: Range<u16>,
}

impl Code {
    /// Code without operations.
    pub fn new(func: FuncId, name: impl Into<String>, side: Side) -> Code {
        Code {
            func,
            name: name.into(),
            side,
            ops: Vec::new(),
            places: Vec::new(),
            files: Files {
                scalars: 0,
                planes: 0,
                preds: 0,
                consts_at: S(0),
                consts: Vec::new(),
                counters: 0..0,
            },
            params: Vec::new(),
            ret: None,
            variadic: false,
            slots: IndexVec::new(),
            tables: Tables::default(),
            landings: Vec::new(),
            facts: FactCounts::default(),
        }
    }
}
