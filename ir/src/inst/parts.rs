//! What the fields of instructions are.
//!
//! A walk over all instructions ([`InstData::visit`](super::InstData::visit)) hands on each field as the [`Part`] that it
//! is by its type. A type without an implementation of [`Field`] cannot stand in the table.

use super::{BlockCall, MemFlags, TrapCode, ValueList};
use crate::entities::*;
use crate::ops::*;
use crate::types::Type;

/// A part of an instruction that names something else.
#[derive(Debug)]
pub enum Part<'a> {
    /// An operand.
    Value(&'a mut Value),
    /// Operands that vary in number, in the function's pool.
    Values(&'a mut ValueList),
    /// A target that stands in the instruction.
    Target(&'a mut BlockCall),
    /// The cases of a `switch`, in the function.
    Table(&'a mut SwitchTable),
    /// The identity of an access or a synchronisation.
    Site(&'a mut Site),
    /// A local variable of the function.
    Slot(&'a mut Slot),
    /// A function of the module.
    Func(&'a mut FuncId),
    /// A variable of the module.
    Global(&'a mut GlobalId),
    /// A signature of the module.
    Sig(&'a mut SigId),
    /// A message of the module.
    Message(&'a mut Message),
}

/// A type of fields.
pub(super) trait Field {
    /// Calls `f` with what the field names, if it names anything.
    fn visit(&mut self, f: &mut impl FnMut(Part<'_>));
}

/// Fields that name something.
macro_rules! names {
    ($($ty:ty => $part:ident,)*) => {
        $(impl Field for $ty {
            #[inline]
            fn visit(&mut self, f: &mut impl FnMut(Part<'_>)) {
                f(Part::$part(self));
            }
        })*
    };
}

names! {
    Value => Value,
    ValueList => Values,
    BlockCall => Target,
    SwitchTable => Table,
    Site => Site,
    Slot => Slot,
    FuncId => Func,
    GlobalId => Global,
    SigId => Sig,
    Message => Message,
}

/// Fields that say something about the instruction itself.
macro_rules! plain {
    ($($ty:ty)*) => {
        $(impl Field for $ty {
            #[inline]
            fn visit(&mut self, _: &mut impl FnMut(Part<'_>)) {}
        })*
    };
}

plain! {
    bool u8 u32 u64 u128 Type MemFlags MemOrder Scope SpecialReg
    UnaryOp CastOp BinaryOp TernaryOp IntCC FloatCC LifetimeOp AtomicOp
    BarrierKind ShflMode VoteMode MatchMode ReduceOp VaOp
}

impl<const N: usize> Field for [Value; N] {
    #[inline]
    fn visit(&mut self, f: &mut impl FnMut(Part<'_>)) {
        for v in self {
            f(Part::Value(v));
        }
    }
}

impl Field for TrapCode {
    #[inline]
    fn visit(&mut self, f: &mut impl FnMut(Part<'_>)) {
        match self {
            TrapCode::Unsupported(message) => f(Part::Message(message)),
            TrapCode::Unreachable | TrapCode::MissingReturn | TrapCode::Trap => {}
        }
    }
}
