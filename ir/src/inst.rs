//! Instructions.
//!
//! The rows of `inst/table.rs` are the instructions with their fields and properties; [`InstData`], [`Opcode`] and the walks over
//! parts come from them. Those who give instructions a meaning (text, verifier, analyses, codegen) match exhaustively: a new
//! instruction does not compile until each has said what it means there. Operands that vary in number live in the
//! function's [`ValueList`] pool.

mod parts;
mod table;

pub use parts::Part;

use crate::entities::*;
use crate::ops::*;
use crate::types::Type;
use cranelift_entity::{EntityList, ListPool};
use parts::Field;

/// A list of values, stored in the function's pool.
pub type ValueList = EntityList<Value>;
/// The pool of a function's value lists.
pub type ValuePool = ListPool<Value>;

/// A branch target with the values for its block's parameters.
#[derive(Clone, Copy, Debug)]
pub struct BlockCall {
    /// The block jumped to.
    pub block: Block,
    /// One value per parameter of the block.
    pub args: ValueList,
}

/// What is said of a memory access besides its type.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct MemFlags {
    /// The access may not be merged, dropped or reordered with other volatile ones.
    pub volatile: bool,
    /// Of a load: bytes may be uninitialised without a fault, since only some of their bits are used (a
    /// store to a bit-field reads its neighbours to write them back).
    pub partial: bool,
    /// Alignment that the language demands of the address, as a power of two (0 is one byte).
    pub align_log2: u8,
}

impl MemFlags {
    /// Alignment in bytes.
    pub fn align(self) -> u32 {
        1 << self.align_log2
    }

    /// Plain access with the alignment given in bytes (a power of two).
    pub fn aligned(bytes: u32) -> MemFlags {
        debug_assert!(bytes.is_power_of_two());
        MemFlags { volatile: false, partial: false, align_log2: bytes.trailing_zeros() as u8 }
    }

    /// Plain access with the natural alignment of `ty`.
    pub fn natural(ty: Type) -> MemFlags {
        MemFlags::aligned(ty.align())
    }

    /// The same, volatile.
    pub fn with_volatile(self, volatile: bool) -> MemFlags {
        MemFlags { volatile, ..self }
    }

    /// The same, of which only some bits are used.
    pub fn with_partial(self, partial: bool) -> MemFlags {
        MemFlags { partial, ..self }
    }
}

/// Why control cannot go on.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum TrapCode {
    /// The program said that this is not reached (`__builtin_unreachable`, after a `noreturn` call).
    Unreachable,
    /// The end of a function with a result was reached without `return`.
    MissingReturn,
    /// `__trap()`, `__builtin_trap()`.
    Trap,
    /// A construct that cudair does not support; the module's message says which. Not a fault of the
    /// program: the run ends with a diagnostic of class `unsupported`.
    Unsupported(Message),
}

/// How many results an instruction has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Results {
    /// None.
    None,
    /// One.
    One,
    /// It depends on an operand, a mode or a signature.
    Varies,
}

/// What an instruction does to the contents of memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Touches {
    /// Nothing.
    None,
    /// It reads.
    Reads,
    /// It writes.
    Writes,
    /// It does both.
    Updates,
    /// What the functions do that it calls.
    Calls,
}

/// Makes the enumerations and their properties from the table.
macro_rules! define_insts {
    ($(
        $(#[$doc:meta])* $name:ident $($mnemonic:literal)? $($op:ident : $Op:ident)?,
        $flow:ident, results $results:ident, memory $memory:ident $(, pure $pure:block)? => {
            $($(#[$field_doc:meta])* $field:ident : $ty:ty,)*
        }
    )*) => {
        /// An instruction. The rows stand in `inst/table.rs`.
        #[derive(Clone, Debug)]
        pub enum InstData {
            $($(#[$doc])* $name { $($(#[$field_doc])* $field: $ty,)* },)*
        }

        /// The name of an instruction's row: the instruction without its fields.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        pub enum Opcode {
            $($(#[$doc])* $name,)*
        }

        impl Opcode {
            /// Every opcode, in the order of the table.
            pub const ALL: &'static [Opcode] = &[$(Opcode::$name,)*];

            /// The opcode of the instruction whose text begins with this word.
            pub fn from_mnemonic(word: &str) -> Option<Opcode> {
                match word {
                    $($($mnemonic => return Some(Opcode::$name),)?)*
                    _ => {}
                }
                $($(if $Op::from_name(word).is_some() { return Some(Opcode::$name); })?)*
                None
            }

            /// Whether it ends a block.
            pub fn is_terminator(self) -> bool {
                match self { $(Opcode::$name => flow!(terminator: $flow),)* }
            }

            /// Whether it acts on several threads.
            pub fn is_convergent(self) -> bool {
                match self { $(Opcode::$name => flow!(convergent: $flow),)* }
            }

            /// How many results it has.
            pub fn results(self) -> Results {
                match self { $(Opcode::$name => results!($results),)* }
            }

            /// What it does to the contents of memory.
            pub fn touches(self) -> Touches {
                match self { $(Opcode::$name => touches!($memory),)* }
            }
        }

        impl InstData {
            /// The instruction's row.
            #[inline]
            pub fn opcode(&self) -> Opcode {
                match self { $(InstData::$name { .. } => Opcode::$name,)* }
            }

            /// The word that its text begins with.
            pub fn mnemonic(&self) -> &'static str {
                match self {
                    $(InstData::$name { $($op,)? .. } => one!($($mnemonic)? $($op.name())?),)*
                }
            }

            /// Whether executing it does nothing but compute its results, whatever its operands: it may be
            /// dropped when they are unused and moved anywhere its operands dominate.
            #[allow(unused_variables)] // the conditions look at few fields
            pub fn is_pure(&self) -> bool {
                match self {
                    $(InstData::$name { $($field,)* } => one!($($pure,)? false),)*
                }
            }

            /// Visits the parts that name something, in the order of the table. What stands in a switch's
            /// table is not visited (it belongs to the function; see [`crate::Function::for_each_arg`]).
            #[inline]
            pub fn visit(&mut self, mut f: impl FnMut(Part<'_>)) {
                match self {
                    $(InstData::$name { $($field,)* } => { $(Field::visit($field, &mut f);)* })*
                }
            }
        }

        impl crate::binary::Code for InstData {
            fn write(&self, w: &mut crate::binary::Writer<'_>) {
                w.byte(self.opcode() as u8);
                match self {
                    $(InstData::$name { $($field,)* } => { $(crate::binary::Code::write($field, w);)* })*
                }
            }
            fn read(r: &mut crate::binary::Reader<'_>) -> Option<Self> {
                let opcode = *Opcode::ALL.get(usize::from(r.byte()?))?;
                Some(match opcode {
                    $(Opcode::$name => InstData::$name { $($field: crate::binary::Code::read(r)?,)* },)*
                })
            }
        }

        pattern! { insts_terminator: [] $((terminator $flow $name))* }
        pattern! { insts_convergent: [] $((convergent $flow $name))* }
        pattern! { insts_without_result: [] $((none $results $name))* }
        pattern! { insts_without_memory: [] $((none $memory $name))* }
    };
}

/// The first of what is given.
macro_rules! one {
    ($first:expr $(, $other:expr)?) => {
        $first
    };
}

macro_rules! flow {
    (terminator: terminator) => {
        true
    };
    (convergent: convergent) => {
        true
    };
    ($which:ident: plain) => {
        false
    };
    ($which:ident: terminator) => {
        false
    };
    ($which:ident: convergent) => {
        false
    };
}

macro_rules! results {
    (none) => {
        Results::None
    };
    (one) => {
        Results::One
    };
    (varies) => {
        Results::Varies
    };
}

macro_rules! touches {
    (none) => {
        Touches::None
    };
    (reads) => {
        Touches::Reads
    };
    (writes) => {
        Touches::Writes
    };
    (updates) => {
        Touches::Updates
    };
    (calls) => {
        Touches::Calls
    };
}

/// Makes a macro that stands for the pattern of all instructions with a property. Each row states the value that is
/// wanted, the value that it has, and its name.
macro_rules! pattern {
    ($macro:ident: [$($kept:ident)*]) => {
        #[doc(hidden)]
        #[macro_export]
        macro_rules! $macro {
            () => { $($crate::InstData::$kept { .. })|* };
        }
    };
    ($macro:ident: [$($kept:ident)*] (terminator terminator $name:ident) $($rest:tt)*) => {
        pattern! { $macro: [$($kept)* $name] $($rest)* }
    };
    ($macro:ident: [$($kept:ident)*] (convergent convergent $name:ident) $($rest:tt)*) => {
        pattern! { $macro: [$($kept)* $name] $($rest)* }
    };
    ($macro:ident: [$($kept:ident)*] (none none $name:ident) $($rest:tt)*) => {
        pattern! { $macro: [$($kept)* $name] $($rest)* }
    };
    ($macro:ident: [$($kept:ident)*] ($wanted:ident $is:ident $name:ident) $($rest:tt)*) => {
        pattern! { $macro: [$($kept)*] $($rest)* }
    };
}

/// A pattern for all instructions with a property: `insts!(Terminator)`, `insts!(Convergent)`, `insts!(NoResult)`,
/// `insts!(NoMemory)` (which neither read nor write, nor call what may). A match that names them stays exhaustive.
#[macro_export]
macro_rules! insts {
    (Terminator) => {
        $crate::insts_terminator!()
    };
    (Convergent) => {
        $crate::insts_convergent!()
    };
    (NoResult) => {
        $crate::insts_without_result!()
    };
    (NoMemory) => {
        $crate::insts_without_memory!()
    };
}

table::for_each_inst!(define_insts);

/// The cases of a `switch`. No two cases have one value.
#[derive(Clone, Debug)]
pub struct SwitchData {
    /// Where to go when no case matches.
    pub default: BlockCall,
    /// Value (low bits of the operand's type) and target.
    pub cases: Vec<(u128, BlockCall)>,
}

impl InstData {
    /// Whether this ends a block.
    #[inline]
    pub fn is_terminator(&self) -> bool {
        self.opcode().is_terminator()
    }

    /// Whether no pass may duplicate it or change what its execution depends on.
    #[inline]
    pub fn is_convergent(&self) -> bool {
        self.opcode().is_convergent()
    }

    /// The site of this instruction, and for a copy also that of its read.
    pub fn sites(&self) -> [Option<Site>; 2] {
        let mut found = [None, None];
        let mut n = 0;
        self.clone().map_sites(|s| {
            found[n] = Some(s);
            n += 1;
            s
        });
        found
    }

    /// Replaces the sites (`f` gets each old one); for cloning an instruction into another function.
    #[inline]
    pub fn map_sites(&mut self, mut f: impl FnMut(Site) -> Site) {
        self.visit(|part| {
            if let Part::Site(site) = part {
                *site = f(*site);
            }
        });
    }

    /// Replaces the local variables; for cloning an instruction into another function.
    #[inline]
    pub fn map_slots(&mut self, mut f: impl FnMut(Slot) -> Slot) {
        self.visit(|part| {
            if let Part::Slot(slot) = part {
                *slot = f(*slot);
            }
        });
    }

    /// Calls `f` with the function and `g` with the variable that the instruction names, if it names one.
    #[inline]
    pub fn for_each_symbol(&self, mut f: impl FnMut(FuncId), mut g: impl FnMut(GlobalId)) {
        self.clone().visit(|part| match part {
            Part::Func(func) => f(*func),
            Part::Global(global) => g(*global),
            _ => {}
        });
    }

    /// Visits the targets that stand in the instruction itself (a switch keeps its own in its table).
    #[inline]
    pub fn visit_targets(&mut self, mut f: impl FnMut(&mut BlockCall)) {
        self.visit(|part| {
            if let Part::Target(call) = part {
                f(call);
            }
        });
    }

    /// Visits the operands in order: single values and lists, those of targets included. Switch tables are not
    /// visited (they belong to the function; see [`crate::Function::for_each_arg`]).
    #[inline]
    pub(crate) fn visit_operands(&mut self, mut f: impl FnMut(Operand<'_>)) {
        self.visit(|part| match part {
            Part::Value(v) => f(Operand::One(v)),
            Part::Values(list) => f(Operand::List(list)),
            Part::Target(call) => f(Operand::List(&mut call.args)),
            Part::Table(_)
            | Part::Site(_)
            | Part::Slot(_)
            | Part::Func(_)
            | Part::Global(_)
            | Part::Sig(_)
            | Part::Message(_) => {}
        });
    }
}

/// An operand as [`InstData::visit_operands`] shows it.
pub(crate) enum Operand<'a> {
    /// A single value.
    One(&'a mut Value),
    /// A list in the function's pool.
    List(&'a mut ValueList),
}
