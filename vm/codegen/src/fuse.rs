//! Host code: operations for the usual case in place of general ones.
//!
//! Runs over finished code and changes operations one for one, so that places and targets stay. A pair stands
//! in place of its first operation; the second stays behind it.

use cudair_bytecode::{Code, Ext, MemAcc, Op, Operand, Target};

/// The operation for the usual case of an access, where it may be one.
fn quick(op: Op) -> Op {
    /// Whether the access must be aligned to its width, so that one test of the offset serves both.
    fn usual(acc: MemAcc) -> bool {
        acc.align() >= acc.bytes() && !acc.volatile()
    }
    macro_rules! quick {
        ($($w:ident $ld:ident $ldx:ident $sl:ident $slx:ident => $q:ident $xq:ident $xl:ident $sq:ident $sxq:ident $sxl:ident;)*) => {
            match op {
                $(
                    Op::$ld { $w, base, disp, acc } if usual(acc) => Op::$q { $w, base, disp, acc },
                    Op::$ldx { $w, base, index, scale, disp, acc } if usual(acc) => match acc.ext() {
                        Ext::Sign => Op::$xq { $w, base, index, scale, disp, acc },
                        Ext::Zero => Op::$xl { $w, base, index, scale, disp, acc },
                    },
                    Op::$sl { $w, slot, disp, acc } if usual(acc) => Op::$sq { $w, slot, disp, acc },
                    Op::$slx { $w, slot, index, scale, disp, acc } if usual(acc) => match acc.ext() {
                        Ext::Sign => Op::$sxq { $w, slot, index, scale, disp, acc },
                        Ext::Zero => Op::$sxl { $w, slot, index, scale, disp, acc },
                    },
                )*
                other => other,
            }
        };
    }
    quick! {
        d Ld8 Ldx8 LdSl8 LdxSl8 => LdQ8 LdxQ8 LdxL8 LdSlQ8 LdxSlQ8 LdxSlL8;
        d Ld16 Ldx16 LdSl16 LdxSl16 => LdQ16 LdxQ16 LdxL16 LdSlQ16 LdxSlQ16 LdxSlL16;
        d Ld32 Ldx32 LdSl32 LdxSl32 => LdQ32 LdxQ32 LdxL32 LdSlQ32 LdxSlQ32 LdxSlL32;
        d Ld64 Ldx64 LdSl64 LdxSl64 => LdQ64 LdxQ64 LdxL64 LdSlQ64 LdxSlQ64 LdxSlL64;
        v St8 Stx8 StSl8 StxSl8 => StQ8 StxQ8 StxL8 StSlQ8 StxSlQ8 StxSlL8;
        v St16 Stx16 StSl16 StxSl16 => StQ16 StxQ16 StxL16 StSlQ16 StxSlQ16 StxSlL16;
        v St32 Stx32 StSl32 StxSl32 => StQ32 StxQ32 StxL32 StSlQ32 StxSlQ32 StxSlL32;
        v St64 Stx64 StSl64 StxSl64 => StQ64 StxQ64 StxL64 StSlQ64 StxSlQ64 StxSlL64;
    }
}

/// The operation that runs `first` and then the one behind it, `second`, and how many operations it can run;
/// `third` is the one behind `second`. Where the second operation uses the result of the first, it must be the
/// operand that the engine takes it for.
fn pair(first: Op, second: Op, third: Option<Op>) -> Option<(Op, usize)> {
    macro_rules! pair {
        ($name:ident { $($f:ident),* }) => { Some((Op::$name { $($f),* }, 2)) };
        ($name:ident { $($f:ident),* } $third:expr) => {
            Some((Op::$name { $($f),* }, if $third { 3 } else { 2 }))
        };
    }
    let branches_on = |op, d| matches!(op, Op::BrZ { c, .. } | Op::BrNz { c, .. } if c == d);
    let latch = matches!(third, Some(Op::BrSltI32 { .. } | Op::BrSltI32I { .. }));
    // A third one that uses the result of the second.
    let then_add = |d| matches!(third, Some(Op::AddF32 { b, .. } | Op::AddF64 { b, .. }) if b == d);
    let indexed_by = |op, d| matches!(op, Op::LdxQ32 { index, .. } | Op::LdxQ64 { index, .. } if index == d);
    match (first, second) {
        (Op::AddNswI32I { d, a, imm }, Op::BrSltI32I { a: i, .. }) if i == d => {
            pair!(AddNswI32IThenBrSltI32I { d, a, imm })
        }
        (Op::AddNswI32I { d, a, imm }, Op::BrSltI32 { a: i, .. }) if i == d => {
            pair!(AddNswI32IThenBrSltI32 { d, a, imm })
        }
        (Op::AddI64I { d, a, imm }, Op::BrUlt { a: i, .. }) if i == d => {
            pair!(AddI64IThenBrUlt { d, a, imm })
        }
        (Op::AddI32I { d, a, imm }, Op::StxL32 { .. } | Op::StxSlL32 { .. }) => {
            pair!(AddI32IThenStxL32 { d, a, imm })
        }
        (Op::MulF32 { d, a, b }, Op::AddF32 { b: x, .. }) if x == d => pair!(MulF32ThenAddF32 { d, a, b }),
        (Op::MulF64 { d, a, b }, Op::AddF64 { b: x, .. }) if x == d => pair!(MulF64ThenAddF64 { d, a, b }),
        (Op::MulNswI32 { d, a, b }, Op::AddNswI32 { d: sum, a: x, .. }) if x == d => {
            // Without a load behind that uses the sum, none may stand there.
            let load = third.is_some_and(|t| indexed_by(t, sum));
            if !load && matches!(third, Some(Op::LdxQ32 { .. } | Op::LdxQ64 { .. })) {
                return None;
            }
            pair!(MulNswI32ThenAddNswI32 { d, a, b } load)
        }
        (Op::AddNswI32 { d, a, b }, load) if indexed_by(load, d) => pair!(AddNswI32ThenLdx { d, a, b }),
        (Op::SubNswI32 { d, a, b }, load) if indexed_by(load, d) => pair!(SubNswI32ThenLdx { d, a, b }),
        (Op::LdxQ32 { d, base, index, scale, disp, acc }, second) => match second {
            Op::LdxQ32 { .. } => pair!(LdxQ32ThenLdxQ32 { d, base, index, scale, disp, acc }),
            Op::MulF32 { d: product, b: x, .. } if x == d => {
                let add = then_add(product);
                if !add && matches!(third, Some(Op::AddF32 { .. })) {
                    return None;
                }
                pair!(LdxQ32ThenMulF32 { d, base, index, scale, disp, acc } add)
            }
            Op::AddF32 { b: x, .. } if x == d => pair!(LdxQ32ThenAddF32 { d, base, index, scale, disp, acc }),
            Op::SubF32 { b: x, .. } if x == d => pair!(LdxQ32ThenSubF32 { d, base, index, scale, disp, acc }),
            Op::BrSltI32 { .. } | Op::BrSleI32 { .. } | Op::BrNe { .. } => {
                pair!(LdxQ32ThenBr { d, base, index, scale, disp, acc })
            }
            _ => None,
        },
        (Op::LdxQ64 { d, base, index, scale, disp, acc }, second) => match second {
            Op::LdxQ64 { .. } => pair!(LdxQ64ThenLdxQ64 { d, base, index, scale, disp, acc }),
            Op::MulF64 { d: product, b: x, .. } if x == d => {
                let add = then_add(product);
                if !add && matches!(third, Some(Op::AddF64 { .. })) {
                    return None;
                }
                pair!(LdxQ64ThenMulF64 { d, base, index, scale, disp, acc } add)
            }
            Op::AddF64 { b: x, .. } if x == d => pair!(LdxQ64ThenAddF64 { d, base, index, scale, disp, acc }),
            _ => None,
        },
        (Op::LdxQ8 { d, base, index, scale, disp, acc }, second) => match second {
            Op::LdxL32 { index: i, .. } | Op::LdxSlL32 { index: i, .. } if i == d => {
                pair!(LdxQ8ThenLdxL32 { d, base, index, scale, disp, acc })
            }
            _ if branches_on(second, d) => pair!(LdxQ8ThenBr { d, base, index, scale, disp, acc }),
            _ => None,
        },
        (Op::LdQ64 { d, base, disp, acc }, second) => match second {
            Op::LdxQ32 { base: p, .. } if p == d => pair!(LdQ64ThenLdxQ32 { d, base, disp, acc }),
            Op::LdQ64 { .. } => pair!(LdQ64ThenLdQ64 { d, base, disp, acc }),
            _ if branches_on(second, d) => pair!(LdQ64ThenBr { d, base, disp, acc }),
            _ => None,
        },
        (Op::LdQ32 { d, base, disp, acc }, Op::LdQ32 { .. }) => pair!(LdQ32ThenLdQ32 { d, base, disp, acc }),
        (Op::LdQ8 { d, base, disp, acc }, br) if branches_on(br, d) => {
            pair!(LdQ8ThenBr { d, base, disp, acc })
        }
        (Op::PtrAddI { d, a, imm }, Op::LdQ8 { d: x, base: p, .. }) if p == d => {
            let br = third.is_some_and(|t| branches_on(t, x));
            if !br && matches!(third, Some(Op::BrZ { .. } | Op::BrNz { .. })) {
                return None;
            }
            pair!(PtrAddIThenLdQ8 { d, a, imm } br)
        }
        (Op::StxQ8 { v, base, index, scale, disp, acc }, Op::AddNswI32I { .. }) => {
            pair!(StxQ8ThenInc { v, base, index, scale, disp, acc } latch)
        }
        (Op::StxQ32 { v, base, index, scale, disp, acc }, Op::AddNswI32I { .. }) => {
            pair!(StxQ32ThenInc { v, base, index, scale, disp, acc } latch)
        }
        (Op::StxQ64 { v, base, index, scale, disp, acc }, Op::AddNswI32I { .. }) => {
            pair!(StxQ64ThenInc { v, base, index, scale, disp, acc } latch)
        }
        (Op::AndI { d, a, imm }, br) if branches_on(br, d) => pair!(AndIThenBr { d, a, imm }),
        (Op::CmpOltF32 { d, a, b }, br) if branches_on(br, d) => pair!(CmpOltF32ThenBr { d, a, b }),
        (Op::CmpOltF64 { d, a, b }, br) if branches_on(br, d) => pair!(CmpOltF64ThenBr { d, a, b }),
        (Op::CmpOleF32 { d, a, b }, br) if branches_on(br, d) => pair!(CmpOleF32ThenBr { d, a, b }),
        (Op::CmpOleF64 { d, a, b }, br) if branches_on(br, d) => pair!(CmpOleF64ThenBr { d, a, b }),
        _ => None,
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
    for switch in &code.switches {
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
