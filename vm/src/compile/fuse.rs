//! Host code: operations for the usual case in place of general ones.
//!
//! Runs over finished code and changes operations one for one, so that places and targets stay.

use crate::bytecode::{Code, Ext, MemAcc, Op};

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

/// Puts the operations for the usual case into code of the host.
pub(super) fn fuse(code: &mut Code) {
    for op in &mut code.ops {
        *op = quick(*op);
    }
}
