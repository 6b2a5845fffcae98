//! The side tables of a function: one row for each operation that is too wide for 16 bytes.

use super::desc::*;
use super::regs::*;
use cudair_ir::TrapCode;
use index_vec::IndexVec;

/// Declares the tables: name, field, what an operation names a row by, and the row.
macro_rules! side_tables {
    ($($table:ident $field:ident[$id:ident]: $row:ty, $doc:literal;)*) => {
        /// The side tables of a [`super::Code`].
        #[derive(Clone, Debug, Default)]
        pub struct Tables {
            $(#[doc = $doc] pub $field: IndexVec<$id, $row>,)*
        }

        /// Which of the [`Tables`].
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub enum Table {
            $(#[doc = $doc] $table,)*
        }

        impl Tables {
            /// How many rows a table has.
            pub(crate) fn rows(&self, table: Table) -> usize {
                match table { $(Table::$table => self.$field.len(),)* }
            }
        }

        $(impl From<$id> for Operand {
            fn from(row: $id) -> Operand { Operand::Row(Table::$table, row.0) }
        })*
    };
}

side_tables! {
    Switches switches[SwitchId]: SwitchDesc, "Descriptors of switches.";
    Joins joins[JoinId]: JoinDesc, "Descriptors of joins.";
    Calls calls[CallId]: CallDesc, "Descriptors of calls.";
    Regs regs[RegId]: TypedReg, "Registers named by index.";
    Traps traps[TrapId]: TrapCode, "Reasons of traps.";
    Gens gens[GenId]: GenDesc, "Descriptors of generic operations.";
    Maths maths[MathId]: MathDesc, "Descriptors of mathematical functions.";
    Copies copies[CopyId]: CopyDesc, "Descriptors of copies.";
    Fills fills[FillId]: FillDesc, "Descriptors of fills.";
    Allocas allocas[AllocaId]: AllocaDesc, "Descriptors of allocas.";
    Atomics atomics[AtomicId]: AtomicDesc, "Descriptors of atomics.";
    Fences fences[FenceId]: FenceDesc, "Descriptors of fences.";
    Barriers barriers[BarrierId]: BarrierDesc, "Descriptors of barriers.";
    Warps warps[WarpId]: WarpDesc, "Descriptors of warp operations.";
    Launches launches[LaunchId]: LaunchDesc, "Descriptors of launches.";
    Lates lates[LateId]: LateDesc, "Descriptors of uses of loaded values.";
    Vas vas[VaId]: VaDesc, "Descriptors of operations on argument lists.";
    Facts facts[FactId]: FactDesc, "Facts that are tested.";
}
