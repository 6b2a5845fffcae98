//! Host code: operations for the usual case in place of general ones.
//!
//! Runs over finished code and changes operations one for one, so that places and targets stay. A pair stands
//! in place of its first operation; the second stays behind it.

use cudair_bytecode::{Code, Ext, MemAcc, Op, Operand, S, Target, families};

/// The operation for the usual case of an access, where it may be one.
fn quick(op: Op) -> Op {
    /// Whether the access must be aligned to its width, so that one test of the offset serves both.
    fn usual(acc: MemAcc) -> bool {
        acc.align() >= acc.bytes() && !acc.volatile()
    }
    families! {
        match op {
            @for (N r) in [(Ld d) (St v)] {
                @for B in [8 16 32 64] {
                    Op::N~B { r, base, disp, acc } if usual(acc) => Op::N~Q~B { r, base, disp, acc },
                    Op::N~x~B { r, base, index, scale, disp, acc } if usual(acc) => match acc.ext() {
                        Ext::Sign => Op::N~xQ~B { r, base, index, scale, disp, acc },
                        Ext::Zero => Op::N~xL~B { r, base, index, scale, disp, acc },
                    },
                    Op::N~Sl~B { r, slot, disp, acc } if usual(acc) => Op::N~SlQ~B { r, slot, disp, acc },
                    Op::N~xSl~B { r, slot, index, scale, disp, acc } if usual(acc) => match acc.ext() {
                        Ext::Sign => Op::N~xSlQ~B { r, slot, index, scale, disp, acc },
                        Ext::Zero => Op::N~xSlL~B { r, slot, index, scale, disp, acc },
                    },
                }
            }
            other => other,
        }
    }
}

/// A pair, and how many operations it can run.
type Pair = Option<(Op, usize)>;

/// Makes a [`Pair`] from the name of its operation. With a condition behind, that of the third operation's being one
/// that it runs.
macro_rules! pair {
    ($name:ident { $($f:ident),* }) => { Some((Op::$name { $($f),* }, 2)) };
    ($name:ident { $($f:ident),* } $third:expr) => {
        Some((Op::$name { $($f),* }, if $third { 3 } else { 2 }))
    };
}

fn branches_on(op: Op, d: S) -> bool {
    matches!(op, Op::BrZ { c, .. } | Op::BrNz { c, .. } if c == d)
}

fn indexed_by(op: Op, d: S) -> bool {
    matches!(op, Op::LdxQ32 { index, .. } | Op::LdxQ64 { index, .. } if index == d)
}

/// The operation that runs `first` and then the one behind it, `second`, and how many operations it can run;
/// `third` is the one behind `second`. Where the second operation uses the result of the first, it must be the
/// operand that the engine takes it for.
fn pair(first: Op, second: Op, third: Option<Op>) -> Pair {
    arithmetic_first(first, second, third)
        .or_else(|| load_first(first, second, third))
        .or_else(|| store_first(first, second, third))
}

fn arithmetic_first(first: Op, second: Op, third: Option<Op>) -> Pair {
    families! {
        match (first, second) {
            @for B in [BrSltI32I BrSltI32] {
                (Op::AddNswI32I { d, a, imm }, Op::B { a: i, .. }) if i == d => pair!(AddNswI32IThen~B { d, a, imm }),
            }
            (Op::AddI64I { d, a, imm }, Op::BrUlt { a: i, .. }) if i == d => pair!(AddI64IThenBrUlt { d, a, imm }),
            (Op::AddI32I { d, a, imm }, Op::StxL32 { .. } | Op::StxSlL32 { .. }) => {
                pair!(AddI32IThenStxL32 { d, a, imm })
            }
            @for T in [F32 F64] {
                (Op::Mul~T { d, a, b }, Op::Add~T { b: x, .. }) if x == d => pair!(Mul~T~ThenAdd~T { d, a, b }),
                @for N in [CmpOlt CmpOle] {
                    (Op::N~T { d, a, b }, br) if branches_on(br, d) => pair!(N~T~ThenBr { d, a, b }),
                }
            }
            (Op::MulNswI32 { d, a, b }, Op::AddNswI32 { d: sum, a: x, .. }) if x == d => {
                // Without a load behind that uses the sum, none may stand there.
                let load = third.is_some_and(|t| indexed_by(t, sum));
                if !load && matches!(third, Some(Op::LdxQ32 { .. } | Op::LdxQ64 { .. })) {
                    return None;
                }
                pair!(MulNswI32ThenAddNswI32 { d, a, b } load)
            }
            @for N in [Add Sub] {
                (Op::N~NswI32 { d, a, b }, load) if indexed_by(load, d) => pair!(N~NswI32ThenLdx { d, a, b }),
            }
            (Op::PtrAddI { d, a, imm }, Op::LdQ8 { d: x, base: p, .. }) if p == d => {
                let br = third.is_some_and(|t| branches_on(t, x));
                if !br && matches!(third, Some(Op::BrZ { .. } | Op::BrNz { .. })) {
                    return None;
                }
                pair!(PtrAddIThenLdQ8 { d, a, imm } br)
            }
            (Op::AndI { d, a, imm }, br) if branches_on(br, d) => pair!(AndIThenBr { d, a, imm }),
            _ => None,
        }
    }
}

fn load_first(first: Op, second: Op, third: Option<Op>) -> Pair {
    families! {
        match (first, second) {
            @for (B T) in [(32 F32) (64 F64)] {
                (Op::LdxQ~B { d, base, index, scale, disp, acc }, Op::LdxQ~B { .. }) => {
                    pair!(LdxQ~B~ThenLdxQ~B { d, base, index, scale, disp, acc })
                }
                (Op::LdxQ~B { d, base, index, scale, disp, acc }, Op::Mul~T { d: product, b: x, .. }) if x == d => {
                    // A third one that uses the result of the second. Another sum may not stand there.
                    let add = matches!(third, Some(Op::AddF32 { b, .. } | Op::AddF64 { b, .. }) if b == product);
                    if !add && matches!(third, Some(Op::Add~T { .. })) {
                        return None;
                    }
                    pair!(LdxQ~B~ThenMul~T { d, base, index, scale, disp, acc } add)
                }
                (Op::LdxQ~B { d, base, index, scale, disp, acc }, Op::Add~T { b: x, .. }) if x == d => {
                    pair!(LdxQ~B~ThenAdd~T { d, base, index, scale, disp, acc })
                }
            }
            (Op::LdxQ32 { d, base, index, scale, disp, acc }, Op::SubF32 { b: x, .. }) if x == d => {
                pair!(LdxQ32ThenSubF32 { d, base, index, scale, disp, acc })
            }
            (
                Op::LdxQ32 { d, base, index, scale, disp, acc },
                Op::BrSltI32 { .. } | Op::BrSleI32 { .. } | Op::BrNe { .. },
            ) => pair!(LdxQ32ThenBr { d, base, index, scale, disp, acc }),
            (
                Op::LdxQ8 { d, base, index, scale, disp, acc },
                Op::LdxL32 { index: i, .. } | Op::LdxSlL32 { index: i, .. },
            ) if i == d => pair!(LdxQ8ThenLdxL32 { d, base, index, scale, disp, acc }),
            (Op::LdxQ8 { d, base, index, scale, disp, acc }, br) if branches_on(br, d) => {
                pair!(LdxQ8ThenBr { d, base, index, scale, disp, acc })
            }
            (Op::LdQ64 { d, base, disp, acc }, Op::LdxQ32 { base: p, .. }) if p == d => {
                pair!(LdQ64ThenLdxQ32 { d, base, disp, acc })
            }
            @for B in [32 64] {
                (Op::LdQ~B { d, base, disp, acc }, Op::LdQ~B { .. }) => pair!(LdQ~B~ThenLdQ~B { d, base, disp, acc }),
            }
            @for B in [8 64] {
                (Op::LdQ~B { d, base, disp, acc }, br) if branches_on(br, d) => {
                    pair!(LdQ~B~ThenBr { d, base, disp, acc })
                }
            }
            _ => None,
        }
    }
}

fn store_first(first: Op, second: Op, third: Option<Op>) -> Pair {
    let latch = matches!(third, Some(Op::BrSltI32 { .. } | Op::BrSltI32I { .. }));
    families! {
        match (first, second) {
            @for B in [8 32 64] {
                (Op::StxQ~B { v, base, index, scale, disp, acc }, Op::AddNswI32I { .. }) => {
                    pair!(StxQ~B~ThenInc { v, base, index, scale, disp, acc } latch)
                }
            }
            _ => None,
        }
    }
}

/// Puts the operations for the usual case, and pairs, into code of the host.
pub(super) fn fuse(code: &mut Code) {
    for op in &mut code.ops {
        *op = quick(*op);
    }
    // A pair does not reach over the head of a loop, which would run without its own pairs.
    let mut heads = vec![false; code.ops.len()];
    let mut head = |t: Target| {
        if let Some(h) = heads.get_mut(t.index()) {
            *h = true;
        }
    };
    for op in &code.ops {
        op.operands(|_, operand| {
            if let Operand::Target(t) = operand {
                head(t);
            }
        });
    }
    for switch in &code.tables.switches {
        head(switch.default);
        switch.cases.iter().for_each(|c| head(c.1));
    }
    let mut at = 0;
    while at + 1 < code.ops.len() {
        let second = Some(code.ops[at + 1]).filter(|_| !heads[at + 1]);
        let found = second.and_then(|b| pair(code.ops[at], b, code.ops.get(at + 2).copied()));
        at += match found {
            Some((op, n)) => {
                code.ops[at] = op;
                if n == 3 && heads[at + 2] { 2 } else { n }
            }
            None => 1,
        };
    }
}
