//! The ways through a code's operations.

use super::{Code, Op, Operand, Table};
use smallvec::SmallVec;

impl Code {
    /// Calls `f` with each operation at which control may go on after the one at `pc`, in this code.
    fn each_next(&self, pc: usize, mut f: impl FnMut(usize)) {
        let op = &self.ops[pc];
        let mut falls = true;
        match *op {
            Op::Jump { .. }
            | Op::Ret {}
            | Op::RetS { .. }
            | Op::RetR { .. }
            | Op::Trap { .. }
            | Op::Resume { .. } => {
                falls = false;
            }
            Op::SwitchS { table, .. } | Op::SwitchV { table, .. } | Op::SwitchW { table, .. } => {
                falls = false;
                let table = &self.tables.switches[table];
                f(table.default.index());
                table.cases.iter().for_each(|&(_, to)| f(to.index()));
            }
            _ => {}
        }
        op.operands(|_, operand| {
            if let Operand::Target(to) = operand {
                f(to.index());
            }
        });
        if falls && pc + 1 < self.ops.len() {
            f(pc + 1);
        }
    }

    /// Whether threads that left by the return at `exit`, and did not come to the operation at `barrier`, have left by
    /// an early return: on no way from where they could still have come to it do they touch memory, a local variable
    /// aside, call a function, or meet a barrier. So it is with the guard `if (i >= n) return;`.
    pub fn leaves_early(&self, exit: usize, barrier: usize) -> bool {
        let len = self.ops.len();
        if exit >= len || barrier >= len {
            return false;
        }
        let mut before: Vec<SmallVec<[usize; 2]>> = vec![SmallVec::new(); len];
        for pc in 0..len {
            self.each_next(pc, |to| before[to].push(pc));
        }
        let mut may_come = vec![false; len];
        let mut work = vec![barrier];
        while let Some(at) = work.pop() {
            for &from in &before[at] {
                if !std::mem::replace(&mut may_come[from], true) {
                    work.push(from);
                }
            }
        }
        // Whoever comes to the barrier, and not again, is none of them.
        let mut passes = vec![false; len];
        passes[0] = true;
        work.push(0);
        if may_come[barrier] {
            self.each_next(barrier, |to| {
                passes[to] = true;
                work.push(to);
            });
        }
        while let Some(at) = work.pop() {
            if at == barrier {
                continue;
            }
            self.each_next(at, |to| {
                if !std::mem::replace(&mut passes[to], true) {
                    work.push(to);
                }
            });
        }
        let mut seen = vec![false; len];
        work.clear();
        work.push(exit);
        while let Some(at) = work.pop() {
            for &from in before[at].iter().filter(|&&from| passes[from] && !may_come[from]) {
                if std::mem::replace(&mut seen[from], true) {
                    continue;
                }
                if self.ops[from].does_work() {
                    return false;
                }
                work.push(from);
            }
        }
        true
    }
}

impl Op {
    /// Whether it touches memory, a local variable aside, calls, launches, or waits for others.
    fn does_work(&self) -> bool {
        let (mut accesses, mut slot, mut other) = (false, false, false);
        self.operands(|_, operand| match operand {
            Operand::Acc(_) => accesses = true,
            Operand::Slot(_) => slot = true,
            Operand::Row(table, _) => {
                other |= matches!(
                    table,
                    Table::Calls
                        | Table::Copies
                        | Table::Fills
                        | Table::Atomics
                        | Table::Barriers
                        | Table::Warps
                        | Table::Launches
                        | Table::Vas
                );
            }
            _ => {}
        });
        other || accesses && !slot
    }
}
