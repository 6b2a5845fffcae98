//! Vector operations: one operation for all lanes of a strip.
//!
//! [`run`] executes operations from a place on until one is no vector operation. Lanes outside the write mask
//! keep their values; where the convergence group is alone in its strip nothing is masked, since no other lane's
//! registers can be harmed.
#![allow(unsafe_code)] // calls of the loops in `kernels`

use super::kernels::*;
use super::planes::{Lane, Lanes};
use crate::eval::Ub;
use crate::regs::{Ops, Words};
use cudair_bytecode::*;
use cudair_lane::{CHUNK, Mask};

/// Every lane.
pub(crate) const ALL: Mask = Mask([u16::MAX; 16]);

/// What vector operations work on.
#[derive(Clone, Copy)]
pub(crate) struct VecCx<'a> {
    pub(crate) ops: Ops,
    pub(crate) s: Words,
    pub(crate) v: Lanes,
    /// Lanes whose registers are written.
    pub(crate) write: &'a Mask,
    /// Lanes that are there and active: those whose undefined behaviour counts.
    pub(crate) active: &'a Mask,
    /// Loads wait for the use of their values: see [`cudair_memory::late`].
    pub(crate) late: bool,
}

/// Undefined behaviour of some lanes at an operation; their results are written.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LaneUb {
    pub(crate) ub: Ub,
    pub(crate) lanes: Mask,
    /// The operands of the first of them, where they cannot be told from registers any more.
    pub(crate) seen: Option<[u128; 2]>,
}

/// Runs vector operations from `pc` on; `pc` is then the operation after the last that ran. `None` where
/// the next one is no vector operation.
pub(crate) fn run(cx: &VecCx<'_>, pc: &mut usize, avx2: bool) -> Option<LaneUb> {
    // Builds for debugging have one copy only: two take twice as long to compile.
    #[cfg(not(debug_assertions))]
    if avx2 {
        return run_with::<true>(cx, pc);
    }
    let _ = avx2;
    run_with::<false>(cx, pc)
}

#[inline(always)]
fn xor(a: &Mask, b: &Mask) -> Mask {
    Mask(std::array::from_fn(|i| a.0[i] ^ b.0[i]))
}

/// 32-bit indices, copied.
fn copied(v: Lanes, index: V) -> [[u32; CHUNK]; 16] {
    let mut out = [[0; CHUNK]; 16];
    for (c, out) in out.iter_mut().enumerate().take(v.chunks()) {
        *out = v.chunk::<u32>(index, c);
    }
    out
}

/// 64-bit indices.
fn wide(v: Lanes, index: W) -> [[i64; CHUNK]; 16] {
    let mut out = [[0; CHUNK]; 16];
    for (c, out) in out.iter_mut().enumerate().take(v.chunks()) {
        *out = v.chunk::<u64>(index, c).map(|i| i as i64);
    }
    out
}

// The handlers' bodies. `r(x)` is a register as an operand, `k(x)` a scalar for all lanes.
//
// SAFETY of the calls of loops in them: operands and results are registers of the frame's verified code, of
// `cx.v.chunks()` chunks each; the verifier sees to it that two of a kind are equal or disjoint; `AVX2` is set
// only where the processor has the features (`simd::has_avx2`).
macro_rules! job {
    ($cx:ident, $t:ty, $d:expr) => {
        Job { write: $cx.write, active: $cx.active, n: $cx.v.chunks(), d: <$t as Lane>::at($cx.v, $d) }
    };
}
// Binds `$name` to an operand.
macro_rules! with {
    ($cx:ident, $t:ty, $name:ident = r($r:expr), $body:expr) => {{
        let $name = register::<$t>($cx.v, $r);
        $body
    }};
    ($cx:ident, $t:ty, $name:ident = k($r:expr), $body:expr) => {{
        let held = splat::<$t>(<$t as Lane>::from_word($cx.s.get($r)));
        let $name = held.source();
        $body
    }};
}
macro_rules! map1 {
    ($cx:ident, $k:ident, $t:ty, $d:expr, $ka:ident($a:expr)) => {
        with!($cx, $t, a = $ka($a), unsafe { map1::<$t, $k, AVX2>(job!($cx, $t, $d), a) })
    };
}
macro_rules! map2 {
    ($cx:ident, $k:ident, $t:ty, $d:expr, $ka:ident($a:expr), $kb:ident($b:expr)) => {
        with!(
            $cx,
            $t,
            a = $ka($a),
            with!($cx, $t, b = $kb($b), unsafe { map2::<$t, $k, AVX2>(job!($cx, $t, $d), a, b) })
        )
    };
}
macro_rules! map3 {
    ($cx:ident, $k:ident, $t:ty, $d:expr, $ka:ident($a:expr), $kb:ident($b:expr), $kc:ident($c:expr)) => {
        with!(
            $cx,
            $t,
            a = $ka($a),
            with!(
                $cx,
                $t,
                b = $kb($b),
                with!($cx, $t, z = $kc($c), unsafe { map3::<$t, $k, AVX2>(job!($cx, $t, $d), a, b, z) })
            )
        )
    };
}
// Some lanes did something undefined: this is the end.
macro_rules! finish {
    ($pc:ident, $lanes:expr, $ub:expr, $seen:expr) => {{
        let lanes: Mask = $lanes;
        if !lanes.is_empty() {
            *$pc += 1;
            return Some(LaneUb { ub: $ub, lanes, seen: $seen });
        }
    }};
}
macro_rules! flagged {
    ($cx:ident, $pc:ident, $ub:ident, $k:ident, $t:ty, $d:expr, $ka:ident($a:expr), $kb:ident($b:expr)) => {{
        let mut seen = Seen::default();
        let lanes = with!(
            $cx,
            $t,
            a = $ka($a),
            with!($cx, $t, b = $kb($b), unsafe {
                map_flagged::<$t, $k, AVX2>(job!($cx, $t, $d), a, b, &mut seen)
            })
        );
        finish!($pc, lanes, Ub::$ub, seen.0)
    }};
}
macro_rules! udiv {
    ($cx:ident, $pc:ident, $k:ident, $t:ty, $d:expr, $ka:ident($a:expr), $kb:ident($b:expr)) => {{
        let lanes = with!(
            $cx,
            $t,
            a = $ka($a),
            with!($cx, $t, b = $kb($b), unsafe { divide::<$t, $k, AVX2>(job!($cx, $t, $d), a, b) })
        );
        finish!($pc, lanes, Ub::DivZero, None)
    }};
}
macro_rules! sdiv {
    ($cx:ident, $pc:ident, $k:ident, $t:ty, $d:expr, $ka:ident($a:expr), $kb:ident($b:expr)) => {{
        let lanes = with!(
            $cx,
            $t,
            a = $ka($a),
            with!($cx, $t, b = $kb($b), unsafe { extreme::<$t, AVX2>($cx.active, $cx.v.chunks(), a, b) })
        );
        finish!($pc, lanes, Ub::DivOverflow, None);
        udiv!($cx, $pc, $k, $t, $d, $ka($a), $kb($b))
    }};
}
macro_rules! compare {
    ($cx:ident, $k:ident, $t:ty, $d:expr, $ka:ident($a:expr), one) => {{
        let one = splat::<$t>(1);
        let (n, old) = ($cx.v.chunks(), $cx.v.pred($d));
        let out = with!($cx, $t, a = $ka($a), unsafe {
            compare::<$t, $k, AVX2>($cx.write, n, old, a, one.source())
        });
        $cx.v.set_pred($d, out)
    }};
    ($cx:ident, $k:ident, $t:ty, $d:expr, $ka:ident($a:expr), $kb:ident($b:expr)) => {{
        let (n, old) = ($cx.v.chunks(), $cx.v.pred($d));
        let out = with!(
            $cx,
            $t,
            a = $ka($a),
            with!($cx, $t, b = $kb($b), unsafe { compare::<$t, $k, AVX2>($cx.write, n, old, a, b) })
        );
        $cx.v.set_pred($d, out)
    }};
}
macro_rules! bounds {
    ($cx:ident, $pc:ident, $k:ident, $t:ty, $a:expr, $len:expr) => {{
        let len = splat::<$t>($len as $t);
        let inside = with!($cx, $t, a = r($a), unsafe {
            compare::<$t, $k, AVX2>($cx.active, $cx.v.chunks(), Mask::NONE, a, len.source())
        });
        finish!($pc, $cx.active.without(&inside), Ub::Row, None)
    }};
}
macro_rules! select {
    ($cx:ident, $t:ty, $d:expr, $c:expr, $ka:ident($a:expr), $kb:ident($b:expr)) => {{
        let p = $cx.v.pred($c);
        with!(
            $cx,
            $t,
            a = $ka($a),
            with!($cx, $t, b = $kb($b), unsafe { select::<$t, AVX2>(job!($cx, $t, $d), &p, a, b) })
        )
    }};
}
macro_rules! convert {
    ($cx:ident, $k:ident, $d:expr, $a:expr) => {{
        let a = register::<<$k as FnConvert>::From>($cx.v, $a);
        let upper = $d.0 ^ $a.0 == 1;
        unsafe { convert::<$k, AVX2>(job!($cx, <$k as FnConvert>::To, $d), a, upper) }
    }};
}
macro_rules! from_pred {
    ($cx:ident, $t:ty, $d:expr, $a:expr) => {{
        let p = $cx.v.pred($a);
        unsafe { from_pred::<$t, AVX2>(job!($cx, $t, $d), &p) }
    }};
}
macro_rules! pred {
    ($cx:ident, $d:expr, $value:expr) => {{
        let value: Mask = $value;
        $cx.v.set_pred($d, value.and($cx.write).or(&$cx.v.pred($d).without($cx.write)))
    }};
}
macro_rules! ptr_idx {
    ($cx:ident, $d:expr, $ka:ident($a:expr), $widen:ident($($index:expr),*), $scale:expr, $disp:expr) => {{
        let index = $widen($cx.v, $($index),*);
        with!($cx, u64, a = $ka($a), unsafe { ptr_idx(job!($cx, u64, $d), a, &index, $scale, $disp) });
    }};
}

macro_rules! ptr_idx32 {
    ($cx:ident, $d:expr, $ka:ident($a:expr), $index:expr, $ext:expr, $scale:expr, $disp:expr) => {{
        let copy;
        // The result has two planes.
        let index = if $index.0.wrapping_sub($d.0) < 2 {
            copy = copied($cx.v, $index);
            kept(&copy)
        } else {
            register::<u32>($cx.v, $index)
        };
        let job = job!($cx, u64, $d);
        with!(
            $cx,
            u64,
            a = $ka($a),
            match $ext {
                Ext::Sign => unsafe { ptr_idx32::<Signed, AVX2>(job, a, index, $scale, $disp) },
                Ext::Zero => unsafe { ptr_idx32::<Unsigned, AVX2>(job, a, index, $scale, $disp) },
            }
        );
    }};
}

/// Every vector operation has its arm here, written once for what differs by width and by the kinds of operands. It is
/// one `match`, so that one jump leads from an operation to the next.
fn run_with<const AVX2: bool>(cx: &VecCx<'_>, pc: &mut usize) -> Option<LaneUb> {
    families! {
        loop {
            match *cx.ops.at(*pc) {
                // Moves and selections.
                @for (L Uint) in [(V u32) (W u64)] {
                    Op::L~Mov { d, a } => map1!(cx, L~Mov, Uint, d, r(a)),
                    Op::L~Splat { d, a } => map1!(cx, L~Mov, Uint, d, k(a)),
                    @for (Form x y) in [(() r r) (Vs r k) (Sv k r) (Ss k k)] {
                        Op::L~Sel~Form { d, c, a, b } => select!(cx, Uint, d, c, x(a), y(b)),
                    }
                }

                // Integers.
                @for (L Uint) in [(V u32) (W u64)] {
                    @for (Form y) in [(() r) (Vs k)] {
                        @for N in [Add Sub Mul And Or Xor Smin Smax Umin Umax] {
                            Op::L~N~Form { d, a, b } => map2!(cx, L~N, Uint, d, r(a), y(b)),
                        }
                        @for N in [AddNsw SubNsw MulNsw] {
                            Op::L~N~Form { d, a, b } => flagged!(cx, pc, Overflow, L~N, Uint, d, r(a), y(b)),
                        }
                    }
                    Op::L~SubSv { d, a, b } => map2!(cx, L~Sub, Uint, d, k(a), r(b)),
                    Op::L~SubNswSv { d, a, b } => flagged!(cx, pc, Overflow, L~SubNsw, Uint, d, k(a), r(b)),
                    @for (Form x y) in [(() r r) (Vs r k) (Sv k r)] {
                        @for N in [Shl Lshr Ashr] {
                            Op::L~N~Form { d, a, b } => flagged!(cx, pc, Shift, L~N, Uint, d, x(a), y(b)),
                        }
                        @for N in [Sdiv Srem] { Op::L~N~Form { d, a, b } => sdiv!(cx, pc, L~N, Uint, d, x(a), y(b)), }
                        @for N in [Udiv Urem] { Op::L~N~Form { d, a, b } => udiv!(cx, pc, L~N, Uint, d, x(a), y(b)), }
                    }
                }
                @for N in [VSext8 VSext16] { Op::N { d, a } => map1!(cx, N, u32, d, r(a)), }
                @for N in [WSextV WZextV VTruncW] { Op::N { d, a } => convert!(cx, N, d, a), }

                // Floats.
                @for (L Uint) in [(V u32) (W u64)] {
                    @for (Form y) in [(() r) (Vs k)] {
                        @for N in [Fadd Fsub Fmul Fdiv Fmin Fmax] {
                            Op::L~N~Form { d, a, b } => map2!(cx, L~N, Uint, d, r(a), y(b)),
                        }
                    }
                    @for N in [Fsub Fdiv] { Op::L~N~Sv { d, a, b } => map2!(cx, L~N, Uint, d, k(a), r(b)), }
                    @for (Form y z) in [(() r r) (Vsv k r) (Vvs r k)] {
                        Op::L~Ffma~Form { d, a, b, c } => map3!(cx, L~Ffma, Uint, d, r(a), y(b), z(c)),
                    }
                    @for N in [Fneg Fabs Fsqrt Ffloor Fceil Ftrunc Fnearest Sitofp] {
                        Op::L~N { d, a } => map1!(cx, L~N, Uint, d, r(a)),
                    }
                }
                @for N in [VFnan VHnan VUitofp VFptosi VFptoui] { Op::N { d, a } => map1!(cx, N, u32, d, r(a)), }
                @for N in [WUitofp WFptosi WFptoui] { Op::N { d, a } => map1!(cx, N, u64, d, r(a)), }
                @for N in [WSitofpV WUitofpV VFptosiW VFptouiW WFpextV VFptruncW] { Op::N { d, a } => convert!(cx, N, d, a), }

                // Predicates, comparisons and the checks of indices.
                Op::PMov { d, a } => pred!(cx, d, cx.v.pred(a)),
                Op::PSplat { d, a } => pred!(cx, d, if cx.s.get(a) & 1 != 0 { ALL } else { Mask::NONE }),
                Op::PAnd { d, a, b } => pred!(cx, d, cx.v.pred(a).and(&cx.v.pred(b))),
                Op::POr { d, a, b } => pred!(cx, d, cx.v.pred(a).or(&cx.v.pred(b))),
                Op::PXor { d, a, b } => pred!(cx, d, xor(&cx.v.pred(a), &cx.v.pred(b))),
                Op::PAndNot { d, a, b } => pred!(cx, d, cx.v.pred(a).without(&cx.v.pred(b))),
                Op::PNot { d, a } => pred!(cx, d, ALL.without(&cx.v.pred(a))),
                @for (L Uint) in [(V u32) (W u64)] {
                    Op::PFrom~L { d, a } => compare!(cx, L~Odd, Uint, d, r(a), one),
                    Op::L~FromP { d, a } => from_pred!(cx, Uint, d, a),
                    Op::L~Bounds { a, len } => bounds!(cx, pc, L~CmpUlt, Uint, a, len),
                    @for (Form y) in [(() r) (Vs k)] {
                        @for N in [CmpEq CmpNe CmpSlt CmpSle CmpUlt CmpUle FcmpOeq FcmpUne FcmpOlt FcmpOle] {
                            Op::L~N~Form { d, a, b } => compare!(cx, L~N, Uint, d, r(a), y(b)),
                        }
                    }
                    @for (N Less) in [
                        (CmpSgt CmpSlt) (CmpSge CmpSle) (CmpUgt CmpUlt) (CmpUge CmpUle)
                        (FcmpOgt FcmpOlt) (FcmpOge FcmpOle)
                    ] {
                        Op::L~N~Vs { d, a, b } => compare!(cx, L~Less, Uint, d, k(b), r(a)),
                    }
                }

                // Addresses.
                @for (N x) in [(() k) (P r)] {
                    Op::WPtrIdx~N { d, base, index, scale, disp, ext } => {
                        ptr_idx32!(cx, d, x(base), index, ext, scale, disp);
                    }
                }
                @for (N x) in [(W k) (Pw r)] {
                    Op::WPtrIdx~N { d, base, index, scale, disp } => {
                        ptr_idx!(cx, d, x(base), wide(index), scale, disp);
                    }
                }
                Op::WPtrIdxPs { d, base, index } => map2!(cx, PtrAdd, u64, d, r(base), k(index)),
                Op::WPtrAddI { d, a, imm } => {
                    let imm = splat::<u64>(i64::from(imm) as u64);
                    let a = register::<u64>(cx.v, a);
                    unsafe { map2::<u64, PtrAdd, AVX2>(job!(cx, u64, d), a, imm.source()) }
                }

                Op::UseLate { .. } if !cx.late => {}
                ops!(ScalarMove | ScalarInt | ScalarFloat | ScalarCompare | ScalarBranch | ScalarAddress)
                | ops!(LaneBranch | Flow | Leave | ScalarLoad | ScalarStore | HostMemory | HostPair)
                | ops!(HostMemoryPair | Variable | Address | Generic | Check | Group | Rare | Claim | LaneValue)
                | ops!(VectorMemory) => return None,
            }
            *pc += 1;
        }
    }
}
