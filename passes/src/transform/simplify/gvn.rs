//! Expressions that were computed before: a table scoped by the dominator tree, as in Briggs, Cooper and
//! Simpson, "Value Numbering" (1997), keyed by operation and operands.

use super::super::util::is_pure;
use cudair_ir::*;
use rustc_hash::FxHashMap;

/// An operation with its operands.
#[derive(Clone, PartialEq, Eq, Hash)]
enum Key {
    Const(Type, u128),
    Global(GlobalId),
    Func(FuncId),
    Slot(Slot),
    Special(SpecialReg),
    Unary(UnaryOp, Value),
    Cast(CastOp, Type, Value),
    Binary(BinaryOp, Value, Value),
    Icmp(IntCC, Value, Value),
    Fcmp(FloatCC, Value, Value),
    Ternary(TernaryOp, [Value; 3]),
    PtrAdd(Value, Value),
    PtrDiff(Value, Value),
}

/// What computes the same as an instruction, and whether the instruction also checks for overflow.
fn key(data: &InstData) -> Option<(Key, bool)> {
    use InstData::*;
    Some(match *data {
        Const { ty, bits } => (Key::Const(ty, bits), false),
        GlobalAddr { global } => (Key::Global(global), false),
        FuncAddr { func } => (Key::Func(func), false),
        SlotAddr { slot } => (Key::Slot(slot), false),
        Special { reg } if !matches!(reg, SpecialReg::Clock | SpecialReg::Globaltimer) => {
            (Key::Special(reg), false)
        }
        Unary { op, nsw, arg } => (Key::Unary(op, arg), nsw),
        Cast { op, ty, arg } => (Key::Cast(op, ty, arg), false),
        Binary { op, nsw, args: [a, b] } => {
            // Of two NaNs, the order of operands tells which is seen.
            let commutes = op.is_commutative() && !op.is_float();
            let (a, b) = if commutes && b < a { (b, a) } else { (a, b) };
            (Key::Binary(op, a, b), nsw)
        }
        Icmp { cc, args: [a, b] } => {
            if b < a {
                (Key::Icmp(cc.swapped(), b, a), false)
            } else {
                (Key::Icmp(cc, a, b), false)
            }
        }
        Fcmp { cc, args: [a, b] } => (Key::Fcmp(cc, a, b), false),
        Ternary { op, args } => (Key::Ternary(op, args), false),
        PtrAdd { ptr, offset } => (Key::PtrAdd(ptr, offset), false),
        PtrDiff { args: [a, b] } => (Key::PtrDiff(a, b), false),
        _ => return None,
    })
}

/// The expressions available at a point of the dominator tree.
#[derive(Default)]
pub(super) struct Table {
    /// The value of each expression, and whether it was checked for overflow.
    map: FxHashMap<Key, (Value, bool)>,
    undo: Vec<(Key, Option<(Value, bool)>)>,
}

impl Table {
    /// Marks the current scope.
    pub(super) fn mark(&self) -> usize {
        self.undo.len()
    }

    /// Leaves the scopes entered since `mark`.
    pub(super) fn reset(&mut self, mark: usize) {
        for (key, old) in self.undo.drain(mark..).rev() {
            match old {
                Some(old) => self.map.insert(key, old),
                None => self.map.remove(&key),
            };
        }
    }

    /// An equal value that is available, if the instruction may be replaced by it; otherwise the
    /// instruction's own result becomes available.
    pub(super) fn find_or_add(&mut self, func: &Function, inst: Inst) -> Option<Value> {
        let (key, checked) = key(&func.insts[inst])?;
        let result = func.result(inst)?;
        match self.map.get(&key) {
            // A check that was made before need not be made again; one that was not must be.
            Some(&(v, was_checked)) if was_checked || !checked => {
                (func.value_type(v) == func.value_type(result)).then_some(v)
            }
            old => {
                let old = old.copied();
                self.map.insert(key.clone(), (result, checked));
                self.undo.push((key, old));
                None
            }
        }
    }
}

/// Whether an instruction's only effect are its results: unused, it can go.
pub(super) fn is_removable(func: &Function, inst: Inst) -> bool {
    is_pure(func, inst)
}
