//! Branches at the exits of loops.
//!
//! Cranelift takes what does not change out of a loop while it goes through the dominator tree, and forgets the loop at the first block
//! outside. Of a branch's two targets it comes to the second one first: that has to be the one that stays in the loop.

use cranelift_codegen::ir::condcodes::{CondCode, IntCC as Cc};
use cranelift_codegen::ir::{Block, InstBuilder, InstructionData, Value, ValueDef};
use cranelift_frontend::FunctionBuilder;

/// Branches: where the condition holds, to a block of the loops around; else to one that may be outside of them.
pub(crate) fn stay(b: &mut FunctionBuilder<'_>, condition: Value, stays: Block, leaves: Block) {
    let not = not(b, condition);
    b.ins().brif(not, leaves, &[], stays, &[]);
}

/// Whether a condition does not hold.
pub(crate) fn not(b: &mut FunctionBuilder<'_>, condition: Value) -> Value {
    if let ValueDef::Result(inst, 0) = b.func.dfg.value_def(condition)
        && let InstructionData::FloatCompare { cond, args: [x, y], .. } = b.func.dfg.insts[inst]
    {
        return b.ins().fcmp(cond.complement(), x, y);
    }
    b.ins().icmp_imm_s(Cc::Equal, condition, 0)
}
