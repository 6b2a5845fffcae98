//! What several transforms need.

use super::range::never_overflows;
use cudair_ir::*;

/// Removes the blocks that the entry does not reach. Gives whether there were any.
pub fn remove_unreachable(func: &mut Function) -> bool {
    let cfg = Cfg::new(func);
    let before = func.layout.len();
    func.layout.retain(|&b| cfg.is_reachable(b));
    func.layout.len() != before
}

/// The variable whose address `v` is, without offset.
pub fn slot_of(func: &Function, v: Value) -> Option<Slot> {
    match func.insts[func.def_inst(v)?] {
        InstData::SlotAddr { slot } => Some(slot),
        _ => None,
    }
}

/// Whether executing the instruction does nothing but compute its results, for the operands that it has:
/// [`InstData::is_pure`], and besides that a division or a shift by a constant that is always defined,
/// arithmetic that the ranges of its operands keep from overflowing, and comparisons of integers.
pub fn is_pure(func: &Function, inst: Inst) -> bool {
    let data = &func.insts[inst];
    if data.is_pure() {
        return true;
    }
    match *data {
        InstData::Binary { op, nsw: false, args: [_, b] } => {
            let Some(bits) = func.const_bits(b) else { return false };
            let ty = func.value_type(b);
            match op {
                BinaryOp::Udiv | BinaryOp::Urem => bits != 0,
                // All ones is -1, by which the least number must not be divided.
                BinaryOp::Sdiv | BinaryOp::Srem => bits != 0 && bits != ty.bit_mask(),
                BinaryOp::Shl | BinaryOp::Lshr | BinaryOp::Ashr => bits < u128::from(ty.bits()),
                _ => false,
            }
        }
        InstData::Binary { op, nsw: true, args: [a, b] } => never_overflows(func, op, a, b),
        InstData::Icmp { args, .. } => func.value_type(args[0]).is_int(),
        _ => false,
    }
}

/// Makes the result of an instruction, if it has one, the first parameter of a block without any: its uses stay as they are.
pub fn result_to_param(func: &mut Function, inst: Inst, block: Block) -> Option<Value> {
    let v = func.result(inst)?;
    func.results[inst] = ValueList::default();
    func.values[v].def = ValueDef::Param(block, 0);
    func.blocks[block].params.push(v, &mut func.pool);
    Some(v)
}

/// Adds an argument at the end of every edge from `from` to `to`.
pub fn append_edge_arg(func: &mut Function, from: Block, to: Block, arg: Value) {
    if let Some(t) = func.terminator(from) {
        func.for_each_target_mut(t, |call, pool| {
            if call.block == to {
                call.args.push(arg, pool);
            }
        });
    }
}

/// A new instruction with one result, put before position `at` of `block`.
pub fn insert_before(
    func: &mut Function,
    block: Block,
    at: usize,
    data: InstData,
    ty: Type,
    loc: Option<Loc>,
) -> Value {
    let inst = func.make_inst(data, &[ty], loc);
    func.blocks[block].insts.insert(at, inst);
    func.inst_results(inst)[0]
}

/// The set of what an iterator gives.
pub fn set_of<T: EntityRef>(items: impl IntoIterator<Item = T>) -> EntitySet<T> {
    let mut set = EntitySet::new();
    for x in items {
        set.insert(x);
    }
    set
}

/// Whether the bits of one type can be read as the other.
pub fn same_width(a: Type, b: Type) -> bool {
    a.bits() == b.bits() && !a.is_ptr() && !b.is_ptr()
}

/// How many arguments precede those of the call in the parameters of target `n` of a terminator: the
/// result or the exception of an `invoke`.
pub fn implicit_params(module: &Module, func: &Function, inst: Inst, n: usize) -> usize {
    match func.insts[inst] {
        InstData::Invoke { func: callee, .. } => {
            usize::from(n == 1 || module.funcs[callee].sig.ret.is_some())
        }
        InstData::InvokeIndirect { sig, .. } => usize::from(n == 1 || module.sigs[sig].ret.is_some()),
        _ => 0,
    }
}
