//! Operations of the host's bytecode, as the compiler sees them: which registers they read and write, how they access
//! memory, and which of them it does.

use cudair_bytecode::{
    Callee, Code, MemAcc, Op, Operand, Reg, S, SlotId, Table, Target, VaDesc, families, ops,
};

/// The operation that runs first where one stands for two: the second stands behind it as itself.
pub(crate) fn first(op: Op) -> Op {
    families! {
        match op {
            Op::AddNswI32IThenBrSltI32I { d, a, imm } | Op::AddNswI32IThenBrSltI32 { d, a, imm } => {
                Op::AddNswI32I { d, a, imm }
            }
            @for (First Second) in [
                (AddI64I BrUlt) (AddI32I StxL32) (PtrAddI LdQ8) (AndI Br)
            ] {
                Op::First~Then~Second { d, a, imm } => Op::First { d, a, imm },
            }
            @for (First Second) in [
                (MulF32 AddF32) (MulF64 AddF64) (MulNswI32 AddNswI32) (AddNswI32 Ldx) (SubNswI32 Ldx)
                (CmpOltF32 Br) (CmpOltF64 Br) (CmpOleF32 Br) (CmpOleF64 Br)
            ] {
                Op::First~Then~Second { d, a, b } => Op::First { d, a, b },
            }
            @for (First Second) in [
                (LdxQ32 LdxQ32) (LdxQ32 MulF32) (LdxQ32 AddF32) (LdxQ32 SubF32) (LdxQ32 Br)
                (LdxQ64 LdxQ64) (LdxQ64 MulF64) (LdxQ64 AddF64) (LdxQ8 Br) (LdxQ8 LdxL32)
            ] {
                Op::First~Then~Second { d, base, index, scale, disp, acc } => {
                    Op::First { d, base, index, scale, disp, acc }
                }
            }
            @for B in [8 32 64] {
                Op::StxQ~B~ThenInc { v, base, index, scale, disp, acc } => {
                    Op::StxQ~B { v, base, index, scale, disp, acc }
                }
            }
            @for (First Second) in [(LdQ64 LdxQ32) (LdQ64 LdQ64) (LdQ64 Br) (LdQ32 LdQ32) (LdQ8 Br)] {
                Op::First~Then~Second { d, base, disp, acc } => Op::First { d, base, disp, acc },
            }
            other => other,
        }
    }
}

/// Where an access goes, but for its displacement and index.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Base {
    /// Through a pointer in a register.
    Pointer(S),
    /// To a local variable.
    Slot(SlotId),
}

/// A load or a store of up to eight bytes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Access {
    pub(crate) stores: bool,
    /// What is loaded or stored.
    pub(crate) reg: S,
    pub(crate) base: Base,
    pub(crate) index: Option<(S, u16)>,
    pub(crate) disp: i32,
    pub(crate) acc: MemAcc,
}

impl Access {
    /// Whether one test of the offset serves for the alignment and for the bits of initialisation, which lie in a byte.
    pub(crate) fn is_usual(&self) -> bool {
        self.acc.align() >= self.acc.bytes() && !self.acc.volatile()
    }
}

/// Takes a load or a store apart.
pub(crate) fn access(op: Op) -> Option<Access> {
    families! {
        Some(match op {
            @for (N r on) in [(Ld d (false)) (St v (true))] {
                @for B in [8 16 32 64] {
                    @for Q in [() Q] {
                        Op::N~Q~B { r, base, disp, acc } => {
                            Access { stores: on, reg: r, base: Base::Pointer(base), index: None, disp, acc }
                        }
                        Op::N~Sl~Q~B { r, slot, disp, acc } => {
                            Access { stores: on, reg: r, base: Base::Slot(slot), index: None, disp, acc }
                        }
                    }
                    @for Q in [() Q L] {
                        Op::N~x~Q~B { r, base, index, scale, disp, acc } => {
                            let index = Some((index, scale));
                            Access { stores: on, reg: r, base: Base::Pointer(base), index, disp, acc }
                        }
                        Op::N~xSl~Q~B { r, slot, index, scale, disp, acc } => {
                            let index = Some((index, scale));
                            Access { stores: on, reg: r, base: Base::Slot(slot), index, disp, acc }
                        }
                    }
                }
            }
            _ => return None,
        })
    }
}

/// What becomes of an operation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Way {
    /// Machine code does it, or a helper that keeps to the frame's words.
    Compiled,
    /// The bytecode does it, and compiled code goes on behind it.
    Leaves,
    /// The bytecode does it, and control does not come to the next operation.
    Ends,
    /// It does not occur in a function that is compiled.
    Refused,
}

/// What becomes of an operation that is not the first of two.
pub(crate) fn way(op: Op) -> Way {
    match op {
        Op::Call { .. }
        | Op::MemCopy { .. }
        | Op::MemFill { .. }
        | Op::Alloca { .. }
        | Op::Atomic { .. }
        | Op::Launch { .. }
        | Op::Va { .. }
        | Op::Ld128 { .. }
        | Op::Ldx128 { .. }
        | Op::LdSl128 { .. }
        | Op::LdxSl128 { .. }
        | Op::St128 { .. }
        | Op::Stx128 { .. }
        | Op::StSl128 { .. }
        | Op::StxSl128 { .. } => Way::Leaves,
        Op::Ret {} | Op::RetS { .. } | Op::RetR { .. } | Op::Trap { .. } | Op::Resume { .. } => Way::Ends,
        Op::Count { .. } | Op::PtrPair { .. } | Op::Special { .. } | Op::NanF32 { .. } => Way::Refused,
        ops!(LaneBranch | VectorCheck | Group | Claim | VectorMove | VectorInt | VectorFloat | Predicate)
        | ops!(VectorAddress | LaneValue | VectorMemory) => Way::Refused,
        _ => Way::Compiled,
    }
}

/// Whether a helper does an operation on the words of the frame.
pub(crate) fn is_helped(op: Op) -> bool {
    families! {
        matches!(
            op,
            Op::Gen { .. } | Op::Math { .. } | Op::Lifetime { .. }
            @for T in [F32 F64] { | Op::Fma~T { .. } | Op::Min~T { .. } | Op::Max~T { .. } }
        )
    }
}

/// Whether compiled code may leave before an operation at `pc`.
pub(crate) fn may_leave(op: Op, pc: usize) -> bool {
    if way(op) != Way::Compiled || access(op).is_some() || is_helped(op) {
        return true;
    }
    let mut back = false;
    op.operands(|_, o| back |= matches!(o, Operand::Target(t) if t.index() <= pc));
    families! {
        back || matches!(
            op,
            Op::SwitchS { .. } | Op::Bounds { .. } | Op::PtrDiff { .. } | Op::PtrCmp { .. }
            | Op::PtrAdd { .. } | Op::PtrAddI { .. } | Op::PtrIdx { .. }
            @for T in [I32 I64] {
                @for N in [AddNsw SubNsw MulNsw Sdiv Udiv Srem Urem Shl Lshr Ashr] { | Op::N~T { .. } }
                | Op::AddNsw~T~I { .. } | Op::MulNsw~T~I { .. } | Op::NegNsw~T { .. }
            }
            @for T in [F32 F64] {
                @for N in [Add Sub Mul Div] { | Op::N~T { .. } }
                | Op::Fptosi~T~I32 { .. } | Op::Fptosi~T~I64 { .. }
            }
        )
    }
}

/// Calls `f` with each word of the frame that an operation reads (`false`) or writes (`true`).
pub(crate) fn words(code: &Code, op: Op, mut f: impl FnMut(u16, bool)) {
    let (mut value, mut extra) = (None, false);
    let mut rows = None;
    op.operands(|name, operand| match operand {
        Operand::Reg(reg) => {
            let writes = name == "d";
            if name == "d" || name == "v" {
                value = Some((reg, writes));
            }
            each_word(reg, |w| f(w, writes));
        }
        Operand::Acc(acc) => extra = acc.copy(),
        Operand::Row(table, row) => rows = Some((table, row)),
        _ => {}
    });
    // The bits of initialisation of what is copied.
    if let (Some((reg, writes)), true) = (value, extra) {
        match reg {
            Reg::S(S(r)) => f(r + 1, writes),
            Reg::S2(r) => f(r.0 + 2, writes),
            _ => {}
        }
    }
    if let Some((table, row)) = rows {
        row_words(code, table, row, &mut |reg, writes| each_word(reg, |w| f(w, writes)));
    }
}

fn each_word(reg: Reg, mut f: impl FnMut(u16)) {
    match reg {
        Reg::S(r) => f(r.0),
        Reg::S2(r) => {
            f(r.0);
            f(r.0 + 1);
        }
        Reg::V(_) | Reg::W(_) | Reg::X(_) | Reg::P(_) => {}
    }
}

/// The registers that a row of a side table names.
fn row_words(code: &Code, table: Table, row: u32, f: &mut dyn FnMut(Reg, bool)) {
    let t = &code.tables;
    let n = row as usize;
    let callee = |callee: &Callee, f: &mut dyn FnMut(Reg, bool)| {
        if let Callee::Indirect { ptr, .. } = callee {
            f(*ptr, false);
        }
    };
    match table {
        Table::Calls => {
            let call = &t.calls.raw[n];
            callee(&call.callee, f);
            call.args.iter().for_each(|a| f(a.reg, false));
            if let Some(ret) = call.ret {
                f(ret.reg, true);
            }
        }
        Table::Regs => f(t.regs.raw[n].reg, false),
        Table::Gens => {
            t.gens.raw[n].args.iter().for_each(|a| f(a.reg, false));
            f(t.gens.raw[n].d.reg, true);
        }
        Table::Maths => {
            t.maths.raw[n].args.iter().for_each(|a| f(a.reg, false));
            f(t.maths.raw[n].d.reg, true);
        }
        Table::Copies => {
            let c = &t.copies.raw[n];
            for r in [c.dst, c.src, c.len] {
                f(r, false);
            }
        }
        Table::Fills => {
            let c = &t.fills.raw[n];
            for r in [c.dst, c.byte, c.len] {
                f(r, false);
            }
        }
        Table::Allocas => {
            f(t.allocas.raw[n].size, false);
            f(t.allocas.raw[n].d, true);
        }
        Table::Atomics => {
            let a = &t.atomics.raw[n];
            [Some(a.ptr), a.value, a.expected].into_iter().flatten().for_each(|r| f(r, false));
            if let Some(d) = a.d {
                f(d, true);
            }
        }
        Table::Launches => {
            let l = &t.launches.raw[n];
            callee(&l.kernel, f);
            l.args.iter().for_each(|a| f(a.reg, false));
            if let Some(d) = l.d {
                f(d, true);
            }
        }
        Table::Lates => t.lates.raw[n].uses.iter().filter_map(|u| u.when).for_each(|(r, _)| f(r, false)),
        Table::Vas => match t.vas.raw[n] {
            VaDesc::Start { list } | VaDesc::End { list } => f(Reg::S(list), false),
            VaDesc::Copy { dst, src } => {
                f(Reg::S(dst), false);
                f(Reg::S(src), false);
            }
            VaDesc::Arg { list, d } => {
                f(Reg::S(list), false);
                f(d.reg, true);
            }
        },
        Table::Switches
        | Table::Joins
        | Table::Traps
        | Table::Fences
        | Table::Barriers
        | Table::Warps
        | Table::Facts => {}
    }
}

/// Calls `f` with each operation to which an operation may jump.
pub(crate) fn targets(code: &Code, op: Op, mut f: impl FnMut(Target)) {
    op.operands(|_, o| {
        if let Operand::Target(t) = o {
            f(t);
        }
    });
    if let Op::SwitchS { table, .. } = op {
        let table = &code.tables.switches[table];
        f(table.default);
        table.cases.iter().for_each(|c| f(c.1));
    }
}

/// Whether control never comes to the next operation.
pub(crate) fn does_not_fall(op: Op) -> bool {
    matches!(op, Op::Jump { .. } | Op::SwitchS { .. }) || way(op) == Way::Ends
}
