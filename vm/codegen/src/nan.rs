//! Device code: where a NaN of binary32 has to be made the one there is.
//!
//! On a GPU every operation on binary32 whose result is not a number gives 0x7fffffff (PTX ISA, "Floating-point
//! instructions"; the CUDA C++ Programming Guide, "Floating-point standard"), where the CPU gives 0xffc00000 or an
//! operand's bits. What only arithmetic uses may be either; so a result is made canonical where its bits are seen:
//! stored, passed on, exchanged, read as an integer, widened. What comes out of memory keeps its bits.

use super::Context;
use super::order::BlockOrder;
use super::plan::is_math_call;
use cranelift_entity::SecondaryMap;
use cudair_ir::{BinaryOp, Block, CastOp, FloatCC, Function, Inst, InstData, IntCC, TernaryOp, Type, Value};

/// Whether parameter `n` of `block` counts as a result: where a loop begins one that comes in is enough.
fn meets(
    func: &Function,
    order: &BlockOrder,
    computed: &SecondaryMap<Value, bool>,
    block: Block,
    n: usize,
) -> bool {
    let (mut any, mut all) = (false, true);
    for &pred in order.preds(block) {
        let Some(end) = func.terminator(pred) else { continue };
        func.for_each_target(end, |call| {
            if call.block != block {
                return;
            }
            let args = call.args.as_slice(&func.pool);
            // The result of an invoke comes first, and has no argument.
            let skipped = func.block_params(block).len().saturating_sub(args.len());
            match n.checked_sub(skipped).and_then(|n| args.get(n)) {
                Some(&arg) => {
                    any |= computed[arg];
                    all &= computed[arg] || is_number(func, arg);
                }
                None => all = false,
            }
        });
    }
    let head = order.preds(block).iter().any(|&pred| order.is_back_edge(pred, block));
    any && (all || head)
}

/// Whether a value is a constant, and a number.
fn is_number(func: &Function, v: Value) -> bool {
    let data = func.def_inst(v).map(|inst| &func.insts[inst]);
    matches!(data, Some(&InstData::Const { bits, .. }) if !f32::from_bits(bits as u32).is_nan())
}

/// What `inst` makes canonical: it selects the GPU's NaN of binary16 in place of any other, and else the bits of a number that
/// was rounded to binary16 or computed in it. CUDA's functions of halves end so.
pub(super) fn canonical_half(func: &Function, inst: Inst) -> Option<Value> {
    const NAN: u128 = 0x7fff;
    const INFINITY: u128 = 0x7c00;
    let data = |v: Value| func.def_inst(v).map(|inst| &func.insts[inst]);
    let is =
        |v: Value, wanted: u128| matches!(data(v), Some(&InstData::Const { bits, .. }) if bits == wanted);
    let InstData::Ternary { op: TernaryOp::Select, args: [condition, nan, half] } = func.insts[inst] else {
        return None;
    };
    if func.value_type(half) != Type::I16 || !is(nan, NAN) {
        return None;
    }
    let found = match *data(condition)? {
        InstData::Icmp { cc: IntCC::Ugt, args: [size, limit] } if is(limit, INFINITY) => match *data(size)? {
            InstData::Binary { op: BinaryOp::And, args: [bits, mask], .. } if is(mask, NAN) => {
                bits == half
                    || matches!(data(bits), Some(&InstData::Cast { op: CastOp::Zext, arg, .. }) if arg == half)
            }
            _ => false,
        },
        InstData::Fcmp { cc: FloatCC::Une | FloatCC::Uno, args: [x, y] } => match *data(half)? {
            InstData::Cast { op: CastOp::Bitcast, arg, .. } if func.value_type(arg) == Type::F16 => {
                let rounded = |v: Value| matches!(data(arg), Some(&InstData::Cast { op: CastOp::Fptrunc, arg, .. }) if arg == v);
                x == y && rounded(x)
            }
            _ => false,
        },
        _ => false,
    };
    found.then_some(half)
}

/// The values of `func` that may be the result of an operation on binary32. One that is selected from such a result and
/// something else is not: what is selected is made canonical before; and so it is where branches meet. Where a loop begins
/// all that comes in counts as a result, so that a loop that adds up, from what it loads on, is not slower for it.
pub(super) fn computed(cx: &Context<'_>, func: &Function, order: &BlockOrder) -> SecondaryMap<Value, bool> {
    let mut computed = SecondaryMap::new();
    if !func.side.on_device() {
        return computed;
    }
    // Loops carry results back to where blocks begin.
    let mut changed = true;
    while changed {
        changed = false;
        let mut set = |computed: &mut SecondaryMap<Value, bool>, v: Value| {
            changed |= !std::mem::replace(&mut computed[v], true);
        };
        for &block in &order.blocks {
            for &inst in func.block_insts(block) {
                let data = &func.insts[inst];
                let Some(v) = func.result(inst).filter(|&v| func.value_type(v) == Type::F32) else {
                    continue;
                };
                let is = match *data {
                    // It takes bits from its operands, which are canonical.
                    InstData::Binary { op: BinaryOp::Fcopysign, .. } => false,
                    InstData::Unary { .. } | InstData::Binary { .. } => true,
                    InstData::Ternary { op: TernaryOp::Select, args: [_, a, b] } => {
                        (computed[a] || is_number(func, a)) && (computed[b] || is_number(func, b))
                    }
                    InstData::Ternary { .. } => true,
                    // What is not a number in binary64 keeps its sign and the upper bits of its payload.
                    InstData::Cast { op: CastOp::Fptrunc, arg, .. } => func.value_type(arg) != Type::F64,
                    InstData::Cast { op, .. } => op == CastOp::Fpext,
                    _ => is_math_call(cx, data),
                };
                if is {
                    set(&mut computed, v);
                }
            }
            for (n, &param) in func.block_params(block).iter().enumerate() {
                if func.value_type(param) == Type::F32 && meets(func, order, &computed, block, n) {
                    set(&mut computed, param);
                }
            }
        }
    }
    computed
}
