//! The bytecode: what a function becomes for one side or one launch context.
//!
//! Operations have a fixed size of 16 bytes; one table ([`table`]) drives the enumeration, the verifier,
//! the disassembler and the documentation. Registers are typed ([`regs`]):
//!
//! - **scalars** ([`S`], [`S2`]) are words of the *fragment's* frame: values that are the same for all
//!   lanes that run together. Integers narrower than the word and `f32` are zero-extended; `i1` is 0 or 1.
//!   The words at [`Code::consts_at`] hold [`Code::consts`] when the function is entered.
//! - **vectors** ([`V`], [`W`], [`X`]) are planes of 32 bits times the strip's lanes, shared by the
//!   fragments of a strip, whose lanes are disjoint. Narrow values are zero-extended to 32 bits.
//! - **predicates** ([`P`]) are one bit a lane: vectors of `i1`.
//!
//! Code lies in layout order: cycles contiguous, joins after their branches, so that the fragment earliest
//! in layout order is the one to run. A loop has one latch (several back edges meet in a block before the
//! header), else lanes that `continue` would run ahead of the others. A block where fragments may meet
//! begins with [`Op::Join`].

pub mod desc;
mod disasm;
pub mod regs;
pub mod table;
mod verify;

pub use desc::*;
pub use regs::*;
pub use verify::VerifiedCode;

use cudair_ir::{FuncId, GlobalId, IntCC, Side, SpecialReg, TrapCode, Type};

/// Makes the enumeration of operations from the table.
macro_rules! define_ops {
    ($($name:ident $mnemonic:literal { $($field:ident : $ty:ty),* } $doc:literal;)*) => {
        /// An operation. Fields are operands; see [`table`] for the meaning of each row.
        #[derive(Clone, Copy, Debug)]
        #[allow(missing_docs)] // operands are named alike everywhere: `d` result, `a b c` operands
        pub enum Op {
            $(#[doc = $doc] $name { $($field: $ty),* },)*
        }

        impl Op {
            /// The name in a disassembly.
            pub fn mnemonic(&self) -> &'static str {
                match self { $(Op::$name { .. } => $mnemonic,)* }
            }

            /// Calls `f` with the name and value of each operand, in the order of the table.
            pub fn operands(&self, mut f: impl FnMut(&'static str, Operand)) {
                match *self {
                    $(Op::$name { $($field),* } => { $(f(stringify!($field), Operand::from($field));)* })*
                }
                let _ = &mut f;
            }
        }

        /// Every operation: name, mnemonic, operands with their types, meaning.
        pub const OPS: &[OpInfo] = &[
            $(OpInfo {
                name: stringify!($name),
                mnemonic: $mnemonic,
                operands: &[$((stringify!($field), stringify!($ty))),*],
                meaning: $doc,
            },)*
        ];
    };
}

/// A row of the table of operations, as data.
#[derive(Clone, Copy, Debug)]
pub struct OpInfo {
    /// The variant of [`Op`].
    pub name: &'static str,
    /// The name in a disassembly.
    pub mnemonic: &'static str,
    /// Operands: name and type.
    pub operands: &'static [(&'static str, &'static str)],
    /// What it does.
    pub meaning: &'static str,
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
    /// Words of scalar registers.
    pub nscalars: u16,
    /// Planes of vector registers.
    pub nplanes: u16,
    /// Predicate registers.
    pub npreds: u16,
    /// The first of the words that hold [`Code::consts`].
    pub consts_at: S,
    /// Constants.
    pub consts: Vec<u64>,
    /// Where the parameters are expected.
    pub params: Vec<TypedReg>,
    /// The type of the result.
    pub ret: Option<Type>,
    /// Whether further arguments may follow.
    pub variadic: bool,
    /// The local variables in memory.
    pub slots: Vec<SlotLayout>,
    /// Descriptors of switches.
    pub switches: Vec<SwitchDesc>,
    /// Descriptors of joins.
    pub joins: Vec<JoinDesc>,
    /// Descriptors of calls.
    pub calls: Vec<CallDesc>,
    /// Registers named by index.
    pub regs: Vec<TypedReg>,
    /// Reasons of traps.
    pub traps: Vec<TrapCode>,
    /// Descriptors of generic operations.
    pub gens: Vec<GenDesc>,
    /// Descriptors of mathematical functions.
    pub maths: Vec<MathDesc>,
    /// Descriptors of copies.
    pub copies: Vec<CopyDesc>,
    /// Descriptors of fills.
    pub fills: Vec<FillDesc>,
    /// Descriptors of allocas.
    pub allocas: Vec<AllocaDesc>,
    /// Descriptors of atomics.
    pub atomics: Vec<AtomicDesc>,
    /// Descriptors of fences.
    pub fences: Vec<FenceDesc>,
    /// Descriptors of barriers.
    pub barriers: Vec<BarrierDesc>,
    /// Descriptors of warp operations.
    pub warps: Vec<WarpDesc>,
    /// Descriptors of launches.
    pub launches: Vec<LaunchDesc>,
    /// Descriptors of operations on argument lists.
    pub vas: Vec<VaDesc>,
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
            nscalars: 0,
            nplanes: 0,
            npreds: 0,
            consts_at: S(0),
            consts: Vec::new(),
            params: Vec::new(),
            ret: None,
            variadic: false,
            slots: Vec::new(),
            switches: Vec::new(),
            joins: Vec::new(),
            calls: Vec::new(),
            regs: Vec::new(),
            traps: Vec::new(),
            gens: Vec::new(),
            maths: Vec::new(),
            copies: Vec::new(),
            fills: Vec::new(),
            allocas: Vec::new(),
            atomics: Vec::new(),
            fences: Vec::new(),
            barriers: Vec::new(),
            warps: Vec::new(),
            launches: Vec::new(),
            vas: Vec::new(),
        }
    }
}
