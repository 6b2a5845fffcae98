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

/// The 64-bit values of 32-bit indices.
fn narrow(v: Lanes, index: V, ext: Ext) -> [[i64; CHUNK]; 16] {
    let mut out = [[0; CHUNK]; 16];
    for (c, out) in out.iter_mut().enumerate().take(v.chunks()) {
        let x = v.chunk::<u32>(index, c);
        for i in 0..CHUNK {
            out[i] = if ext == Ext::Sign { i64::from(x[i] as i32) } else { i64::from(x[i]) };
        }
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

// SAFETY of the calls of loops below: operands and results are registers of the frame's verified code, of
// `cx.v.chunks()` chunks each; the verifier sees to it that two of a kind are equal or disjoint; `AVX2` is set
// only where the processor has the features (`simd::has_avx2`).
fn run_with<const AVX2: bool>(cx: &VecCx<'_>, pc: &mut usize) -> Option<LaneUb> {
    macro_rules! job {
        ($t:ty, $d:expr) => {
            Job { write: cx.write, active: cx.active, n: cx.v.chunks(), d: <$t as Lane>::at(cx.v, $d) }
        };
    }
    // Binds `$name` to an operand: a register, or a scalar for all lanes.
    macro_rules! with {
        ($t:ty, $name:ident = r($r:expr), $body:expr) => {{
            let $name = register::<$t>(cx.v, $r);
            $body
        }};
        ($t:ty, $name:ident = k($r:expr), $body:expr) => {{
            let held = splat::<$t>(<$t as Lane>::from_word(cx.s.get($r)));
            let $name = held.source();
            $body
        }};
    }
    macro_rules! map1 {
        ($k:ident, $t:ty, $d:expr, $ka:ident($a:expr)) => {
            with!($t, a = $ka($a), unsafe { map1::<$t, $k, AVX2>(job!($t, $d), a) })
        };
    }
    macro_rules! run2 {
        ($k:ident, $t:ty, $d:expr, $a:expr, $b:expr) => {
            unsafe { map2::<$t, $k, AVX2>(job!($t, $d), $a, $b) }
        };
    }
    macro_rules! map2 {
        ($k:ident, $t:ty, $d:expr, $ka:ident($a:expr), $kb:ident($b:expr)) => {
            with!($t, a = $ka($a), with!($t, b = $kb($b), run2!($k, $t, $d, a, b)))
        };
    }
    macro_rules! map3 {
        ($k:ident, $t:ty, $d:expr, $ka:ident($a:expr), $kb:ident($b:expr), $kc:ident($c:expr)) => {
            with!(
                $t,
                a = $ka($a),
                with!(
                    $t,
                    b = $kb($b),
                    with!($t, z = $kc($c), unsafe { map3::<$t, $k, AVX2>(job!($t, $d), a, b, z) })
                )
            )
        };
    }
    macro_rules! finish {
        ($lanes:expr, $ub:expr) => {
            finish!($lanes, $ub, None)
        };
        ($lanes:expr, $ub:expr, $seen:expr) => {{
            let lanes: Mask = $lanes;
            if !lanes.is_empty() {
                *pc += 1;
                return Some(LaneUb { ub: $ub, lanes, seen: $seen });
            }
        }};
    }
    macro_rules! flagged {
        ($ub:expr, $k:ident, $t:ty, $d:expr, $ka:ident($a:expr), $kb:ident($b:expr)) => {{
            let mut seen = Seen::default();
            let lanes = with!(
                $t,
                a = $ka($a),
                with!($t, b = $kb($b), unsafe { map_flagged::<$t, $k, AVX2>(job!($t, $d), a, b, &mut seen) })
            );
            finish!(lanes, $ub, seen.0)
        }};
    }
    macro_rules! overflow {
        ($($x:tt)*) => {
            flagged!(Ub::Overflow, $($x)*)
        };
    }
    macro_rules! shift {
        ($($x:tt)*) => {
            flagged!(Ub::Shift, $($x)*)
        };
    }
    macro_rules! udiv {
        ($k:ident, $t:ty, $d:expr, $ka:ident($a:expr), $kb:ident($b:expr)) => {{
            let lanes = with!(
                $t,
                a = $ka($a),
                with!($t, b = $kb($b), unsafe { divide::<$t, $k, AVX2>(job!($t, $d), a, b) })
            );
            finish!(lanes, Ub::DivZero)
        }};
    }
    macro_rules! sdiv {
        ($k:ident, $t:ty, $d:expr, $ka:ident($a:expr), $kb:ident($b:expr)) => {{
            let lanes = with!(
                $t,
                a = $ka($a),
                with!($t, b = $kb($b), unsafe { extreme::<$t, AVX2>(cx.active, cx.v.chunks(), a, b) })
            );
            finish!(lanes, Ub::DivOverflow);
            udiv!($k, $t, $d, $ka($a), $kb($b))
        }};
    }
    macro_rules! bounds {
        ($k:ident, $t:ty, $ka:ident($a:expr), $len:expr) => {{
            let len = splat::<$t>($len as $t);
            let n = cx.v.chunks();
            let inside = with!($t, a = $ka($a), unsafe {
                compare::<$t, $k, AVX2>(cx.active, n, Mask::NONE, a, len.source())
            });
            finish!(cx.active.without(&inside), Ub::Row)
        }};
    }
    macro_rules! compare {
        ($k:ident, $t:ty, $d:expr, $ka:ident($a:expr), one) => {{
            let one = splat::<$t>(1);
            let (n, old) = (cx.v.chunks(), cx.v.pred($d));
            let out =
                with!($t, a = $ka($a), unsafe { compare::<$t, $k, AVX2>(cx.write, n, old, a, one.source()) });
            cx.v.set_pred($d, out)
        }};
        ($k:ident, $t:ty, $d:expr, $ka:ident($a:expr), $kb:ident($b:expr)) => {{
            let (n, old) = (cx.v.chunks(), cx.v.pred($d));
            let out = with!(
                $t,
                a = $ka($a),
                with!($t, b = $kb($b), unsafe { compare::<$t, $k, AVX2>(cx.write, n, old, a, b) })
            );
            cx.v.set_pred($d, out)
        }};
    }
    macro_rules! select {
        ($t:ty, $d:expr, $c:expr, $ka:ident($a:expr), $kb:ident($b:expr)) => {{
            let p = cx.v.pred($c);
            with!(
                $t,
                a = $ka($a),
                with!($t, b = $kb($b), unsafe { select::<$t, AVX2>(job!($t, $d), &p, a, b) })
            )
        }};
    }
    macro_rules! convert {
        ($k:ident, $d:expr, $a:expr) => {{
            let a = register::<<$k as FnConvert>::From>(cx.v, $a);
            let upper = $d.0 ^ $a.0 == 1;
            unsafe { convert::<$k, AVX2>(job!(<$k as FnConvert>::To, $d), a, upper) }
        }};
    }
    macro_rules! from_pred {
        ($t:ty, $d:expr, $a:expr) => {{
            let p = cx.v.pred($a);
            unsafe { from_pred::<$t, AVX2>(job!($t, $d), &p) }
        }};
    }
    macro_rules! pred {
        ($d:expr, $value:expr) => {{
            let value: Mask = $value;
            cx.v.set_pred($d, value.and(cx.write).or(&cx.v.pred($d).without(cx.write)))
        }};
    }
    macro_rules! ptr_idx {
        ($d:expr, $ka:ident($a:expr), $widen:ident($($index:expr),*), $scale:expr, $disp:expr) => {{
            let index = $widen(cx.v, $($index),*);
            with!(u64, a = $ka($a), unsafe { ptr_idx(job!(u64, $d), a, &index, $scale, $disp) });
        }};
    }
    loop {
        match *cx.ops.at(*pc) {
            Op::VMov { d, a } => map1!(Move32, u32, d, r(a)),
            Op::WMov { d, a } => map1!(Move64, u64, d, r(a)),
            Op::VSplat { d, a } => map1!(Move32, u32, d, k(a)),
            Op::WSplat { d, a } => map1!(Move64, u64, d, k(a)),
            Op::VSel { d, c, a, b } => select!(u32, d, c, r(a), r(b)),
            Op::VSelVs { d, c, a, b } => select!(u32, d, c, r(a), k(b)),
            Op::VSelSv { d, c, a, b } => select!(u32, d, c, k(a), r(b)),
            Op::VSelSs { d, c, a, b } => select!(u32, d, c, k(a), k(b)),
            Op::WSel { d, c, a, b } => select!(u64, d, c, r(a), r(b)),
            Op::WSelVs { d, c, a, b } => select!(u64, d, c, r(a), k(b)),
            Op::WSelSv { d, c, a, b } => select!(u64, d, c, k(a), r(b)),
            Op::WSelSs { d, c, a, b } => select!(u64, d, c, k(a), k(b)),
            Op::VAdd { d, a, b } => map2!(VAdd, u32, d, r(a), r(b)),
            Op::VAddVs { d, a, b } => map2!(VAdd, u32, d, r(a), k(b)),
            Op::VSub { d, a, b } => map2!(VSub, u32, d, r(a), r(b)),
            Op::VSubVs { d, a, b } => map2!(VSub, u32, d, r(a), k(b)),
            Op::VSubSv { d, a, b } => map2!(VSub, u32, d, k(a), r(b)),
            Op::VMul { d, a, b } => map2!(VMul, u32, d, r(a), r(b)),
            Op::VMulVs { d, a, b } => map2!(VMul, u32, d, r(a), k(b)),
            Op::VAddNsw { d, a, b } => overflow!(VAddNsw, u32, d, r(a), r(b)),
            Op::VAddNswVs { d, a, b } => overflow!(VAddNsw, u32, d, r(a), k(b)),
            Op::VSubNsw { d, a, b } => overflow!(VSubNsw, u32, d, r(a), r(b)),
            Op::VSubNswVs { d, a, b } => overflow!(VSubNsw, u32, d, r(a), k(b)),
            Op::VSubNswSv { d, a, b } => overflow!(VSubNsw, u32, d, k(a), r(b)),
            Op::VMulNsw { d, a, b } => overflow!(VMulNsw, u32, d, r(a), r(b)),
            Op::VMulNswVs { d, a, b } => overflow!(VMulNsw, u32, d, r(a), k(b)),
            Op::VAnd { d, a, b } => map2!(VAnd, u32, d, r(a), r(b)),
            Op::VAndVs { d, a, b } => map2!(VAnd, u32, d, r(a), k(b)),
            Op::VOr { d, a, b } => map2!(VOr, u32, d, r(a), r(b)),
            Op::VOrVs { d, a, b } => map2!(VOr, u32, d, r(a), k(b)),
            Op::VXor { d, a, b } => map2!(VXor, u32, d, r(a), r(b)),
            Op::VXorVs { d, a, b } => map2!(VXor, u32, d, r(a), k(b)),
            Op::VShl { d, a, b } => shift!(VShl, u32, d, r(a), r(b)),
            Op::VShlVs { d, a, b } => shift!(VShl, u32, d, r(a), k(b)),
            Op::VShlSv { d, a, b } => shift!(VShl, u32, d, k(a), r(b)),
            Op::VLshr { d, a, b } => shift!(VLshr, u32, d, r(a), r(b)),
            Op::VLshrVs { d, a, b } => shift!(VLshr, u32, d, r(a), k(b)),
            Op::VLshrSv { d, a, b } => shift!(VLshr, u32, d, k(a), r(b)),
            Op::VAshr { d, a, b } => shift!(VAshr, u32, d, r(a), r(b)),
            Op::VAshrVs { d, a, b } => shift!(VAshr, u32, d, r(a), k(b)),
            Op::VAshrSv { d, a, b } => shift!(VAshr, u32, d, k(a), r(b)),
            Op::VSmin { d, a, b } => map2!(VSmin, u32, d, r(a), r(b)),
            Op::VSminVs { d, a, b } => map2!(VSmin, u32, d, r(a), k(b)),
            Op::VSmax { d, a, b } => map2!(VSmax, u32, d, r(a), r(b)),
            Op::VSmaxVs { d, a, b } => map2!(VSmax, u32, d, r(a), k(b)),
            Op::VUmin { d, a, b } => map2!(VUmin, u32, d, r(a), r(b)),
            Op::VUminVs { d, a, b } => map2!(VUmin, u32, d, r(a), k(b)),
            Op::VUmax { d, a, b } => map2!(VUmax, u32, d, r(a), r(b)),
            Op::VUmaxVs { d, a, b } => map2!(VUmax, u32, d, r(a), k(b)),
            Op::VSdiv { d, a, b } => sdiv!(VSdiv, u32, d, r(a), r(b)),
            Op::VSdivVs { d, a, b } => sdiv!(VSdiv, u32, d, r(a), k(b)),
            Op::VSdivSv { d, a, b } => sdiv!(VSdiv, u32, d, k(a), r(b)),
            Op::VSrem { d, a, b } => sdiv!(VSrem, u32, d, r(a), r(b)),
            Op::VSremVs { d, a, b } => sdiv!(VSrem, u32, d, r(a), k(b)),
            Op::VSremSv { d, a, b } => sdiv!(VSrem, u32, d, k(a), r(b)),
            Op::VUdiv { d, a, b } => udiv!(VUdiv, u32, d, r(a), r(b)),
            Op::VUdivVs { d, a, b } => udiv!(VUdiv, u32, d, r(a), k(b)),
            Op::VUdivSv { d, a, b } => udiv!(VUdiv, u32, d, k(a), r(b)),
            Op::VUrem { d, a, b } => udiv!(VUrem, u32, d, r(a), r(b)),
            Op::VUremVs { d, a, b } => udiv!(VUrem, u32, d, r(a), k(b)),
            Op::VUremSv { d, a, b } => udiv!(VUrem, u32, d, k(a), r(b)),
            Op::WAdd { d, a, b } => map2!(WAdd, u64, d, r(a), r(b)),
            Op::WAddVs { d, a, b } => map2!(WAdd, u64, d, r(a), k(b)),
            Op::WSub { d, a, b } => map2!(WSub, u64, d, r(a), r(b)),
            Op::WSubVs { d, a, b } => map2!(WSub, u64, d, r(a), k(b)),
            Op::WSubSv { d, a, b } => map2!(WSub, u64, d, k(a), r(b)),
            Op::WMul { d, a, b } => map2!(WMul, u64, d, r(a), r(b)),
            Op::WMulVs { d, a, b } => map2!(WMul, u64, d, r(a), k(b)),
            Op::WAddNsw { d, a, b } => overflow!(WAddNsw, u64, d, r(a), r(b)),
            Op::WAddNswVs { d, a, b } => overflow!(WAddNsw, u64, d, r(a), k(b)),
            Op::WSubNsw { d, a, b } => overflow!(WSubNsw, u64, d, r(a), r(b)),
            Op::WSubNswVs { d, a, b } => overflow!(WSubNsw, u64, d, r(a), k(b)),
            Op::WSubNswSv { d, a, b } => overflow!(WSubNsw, u64, d, k(a), r(b)),
            Op::WMulNsw { d, a, b } => overflow!(WMulNsw, u64, d, r(a), r(b)),
            Op::WMulNswVs { d, a, b } => overflow!(WMulNsw, u64, d, r(a), k(b)),
            Op::WAnd { d, a, b } => map2!(WAnd, u64, d, r(a), r(b)),
            Op::WAndVs { d, a, b } => map2!(WAnd, u64, d, r(a), k(b)),
            Op::WOr { d, a, b } => map2!(WOr, u64, d, r(a), r(b)),
            Op::WOrVs { d, a, b } => map2!(WOr, u64, d, r(a), k(b)),
            Op::WXor { d, a, b } => map2!(WXor, u64, d, r(a), r(b)),
            Op::WXorVs { d, a, b } => map2!(WXor, u64, d, r(a), k(b)),
            Op::WShl { d, a, b } => shift!(WShl, u64, d, r(a), r(b)),
            Op::WShlVs { d, a, b } => shift!(WShl, u64, d, r(a), k(b)),
            Op::WShlSv { d, a, b } => shift!(WShl, u64, d, k(a), r(b)),
            Op::WLshr { d, a, b } => shift!(WLshr, u64, d, r(a), r(b)),
            Op::WLshrVs { d, a, b } => shift!(WLshr, u64, d, r(a), k(b)),
            Op::WLshrSv { d, a, b } => shift!(WLshr, u64, d, k(a), r(b)),
            Op::WAshr { d, a, b } => shift!(WAshr, u64, d, r(a), r(b)),
            Op::WAshrVs { d, a, b } => shift!(WAshr, u64, d, r(a), k(b)),
            Op::WAshrSv { d, a, b } => shift!(WAshr, u64, d, k(a), r(b)),
            Op::WSmin { d, a, b } => map2!(WSmin, u64, d, r(a), r(b)),
            Op::WSminVs { d, a, b } => map2!(WSmin, u64, d, r(a), k(b)),
            Op::WSmax { d, a, b } => map2!(WSmax, u64, d, r(a), r(b)),
            Op::WSmaxVs { d, a, b } => map2!(WSmax, u64, d, r(a), k(b)),
            Op::WUmin { d, a, b } => map2!(WUmin, u64, d, r(a), r(b)),
            Op::WUminVs { d, a, b } => map2!(WUmin, u64, d, r(a), k(b)),
            Op::WUmax { d, a, b } => map2!(WUmax, u64, d, r(a), r(b)),
            Op::WUmaxVs { d, a, b } => map2!(WUmax, u64, d, r(a), k(b)),
            Op::WSdiv { d, a, b } => sdiv!(WSdiv, u64, d, r(a), r(b)),
            Op::WSdivVs { d, a, b } => sdiv!(WSdiv, u64, d, r(a), k(b)),
            Op::WSdivSv { d, a, b } => sdiv!(WSdiv, u64, d, k(a), r(b)),
            Op::WSrem { d, a, b } => sdiv!(WSrem, u64, d, r(a), r(b)),
            Op::WSremVs { d, a, b } => sdiv!(WSrem, u64, d, r(a), k(b)),
            Op::WSremSv { d, a, b } => sdiv!(WSrem, u64, d, k(a), r(b)),
            Op::WUdiv { d, a, b } => udiv!(WUdiv, u64, d, r(a), r(b)),
            Op::WUdivVs { d, a, b } => udiv!(WUdiv, u64, d, r(a), k(b)),
            Op::WUdivSv { d, a, b } => udiv!(WUdiv, u64, d, k(a), r(b)),
            Op::WUrem { d, a, b } => udiv!(WUrem, u64, d, r(a), r(b)),
            Op::WUremVs { d, a, b } => udiv!(WUrem, u64, d, r(a), k(b)),
            Op::WUremSv { d, a, b } => udiv!(WUrem, u64, d, k(a), r(b)),
            Op::VSext8 { d, a } => map1!(VSext8, u32, d, r(a)),
            Op::VSext16 { d, a } => map1!(VSext16, u32, d, r(a)),
            Op::WSextV { d, a } => convert!(WSextV, d, a),
            Op::WZextV { d, a } => convert!(WZextV, d, a),
            Op::VTruncW { d, a } => convert!(VTruncW, d, a),
            Op::VFadd { d, a, b } => map2!(VFadd, u32, d, r(a), r(b)),
            Op::VFaddVs { d, a, b } => map2!(VFadd, u32, d, r(a), k(b)),
            Op::VFsub { d, a, b } => map2!(VFsub, u32, d, r(a), r(b)),
            Op::VFsubVs { d, a, b } => map2!(VFsub, u32, d, r(a), k(b)),
            Op::VFsubSv { d, a, b } => map2!(VFsub, u32, d, k(a), r(b)),
            Op::VFmul { d, a, b } => map2!(VFmul, u32, d, r(a), r(b)),
            Op::VFmulVs { d, a, b } => map2!(VFmul, u32, d, r(a), k(b)),
            Op::VFdiv { d, a, b } => map2!(VFdiv, u32, d, r(a), r(b)),
            Op::VFdivVs { d, a, b } => map2!(VFdiv, u32, d, r(a), k(b)),
            Op::VFdivSv { d, a, b } => map2!(VFdiv, u32, d, k(a), r(b)),
            Op::VFmin { d, a, b } => map2!(VFmin, u32, d, r(a), r(b)),
            Op::VFminVs { d, a, b } => map2!(VFmin, u32, d, r(a), k(b)),
            Op::VFmax { d, a, b } => map2!(VFmax, u32, d, r(a), r(b)),
            Op::VFmaxVs { d, a, b } => map2!(VFmax, u32, d, r(a), k(b)),
            Op::VFfma { d, a, b, c } => map3!(VFfma, u32, d, r(a), r(b), r(c)),
            Op::VFfmaVsv { d, a, b, c } => map3!(VFfma, u32, d, r(a), k(b), r(c)),
            Op::VFfmaVvs { d, a, b, c } => map3!(VFfma, u32, d, r(a), r(b), k(c)),
            Op::VFneg { d, a } => map1!(VFneg, u32, d, r(a)),
            Op::VFnan { d, a } => map1!(VFnan, u32, d, r(a)),
            Op::VFabs { d, a } => map1!(VFabs, u32, d, r(a)),
            Op::VFsqrt { d, a } => map1!(VFsqrt, u32, d, r(a)),
            Op::VFfloor { d, a } => map1!(VFfloor, u32, d, r(a)),
            Op::VFceil { d, a } => map1!(VFceil, u32, d, r(a)),
            Op::VFtrunc { d, a } => map1!(VFtrunc, u32, d, r(a)),
            Op::VFnearest { d, a } => map1!(VFnearest, u32, d, r(a)),
            Op::WFadd { d, a, b } => map2!(WFadd, u64, d, r(a), r(b)),
            Op::WFaddVs { d, a, b } => map2!(WFadd, u64, d, r(a), k(b)),
            Op::WFsub { d, a, b } => map2!(WFsub, u64, d, r(a), r(b)),
            Op::WFsubVs { d, a, b } => map2!(WFsub, u64, d, r(a), k(b)),
            Op::WFsubSv { d, a, b } => map2!(WFsub, u64, d, k(a), r(b)),
            Op::WFmul { d, a, b } => map2!(WFmul, u64, d, r(a), r(b)),
            Op::WFmulVs { d, a, b } => map2!(WFmul, u64, d, r(a), k(b)),
            Op::WFdiv { d, a, b } => map2!(WFdiv, u64, d, r(a), r(b)),
            Op::WFdivVs { d, a, b } => map2!(WFdiv, u64, d, r(a), k(b)),
            Op::WFdivSv { d, a, b } => map2!(WFdiv, u64, d, k(a), r(b)),
            Op::WFmin { d, a, b } => map2!(WFmin, u64, d, r(a), r(b)),
            Op::WFminVs { d, a, b } => map2!(WFmin, u64, d, r(a), k(b)),
            Op::WFmax { d, a, b } => map2!(WFmax, u64, d, r(a), r(b)),
            Op::WFmaxVs { d, a, b } => map2!(WFmax, u64, d, r(a), k(b)),
            Op::WFfma { d, a, b, c } => map3!(WFfma, u64, d, r(a), r(b), r(c)),
            Op::WFfmaVsv { d, a, b, c } => map3!(WFfma, u64, d, r(a), k(b), r(c)),
            Op::WFfmaVvs { d, a, b, c } => map3!(WFfma, u64, d, r(a), r(b), k(c)),
            Op::WFneg { d, a } => map1!(WFneg, u64, d, r(a)),
            Op::WFabs { d, a } => map1!(WFabs, u64, d, r(a)),
            Op::WFsqrt { d, a } => map1!(WFsqrt, u64, d, r(a)),
            Op::WFfloor { d, a } => map1!(WFfloor, u64, d, r(a)),
            Op::WFceil { d, a } => map1!(WFceil, u64, d, r(a)),
            Op::WFtrunc { d, a } => map1!(WFtrunc, u64, d, r(a)),
            Op::WFnearest { d, a } => map1!(WFnearest, u64, d, r(a)),
            Op::VSitofp { d, a } => map1!(VSitofp, u32, d, r(a)),
            Op::VUitofp { d, a } => map1!(VUitofp, u32, d, r(a)),
            Op::WSitofpV { d, a } => convert!(WSitofpV, d, a),
            Op::WUitofpV { d, a } => convert!(WUitofpV, d, a),
            Op::WSitofp { d, a } => map1!(WSitofp, u64, d, r(a)),
            Op::VFptosi { d, a } => map1!(VFptosi, u32, d, r(a)),
            Op::VFptoui { d, a } => map1!(VFptoui, u32, d, r(a)),
            Op::VFptosiW { d, a } => convert!(VFptosiW, d, a),
            Op::WFpextV { d, a } => convert!(WFpextV, d, a),
            Op::VFptruncW { d, a } => convert!(VFptruncW, d, a),
            Op::PMov { d, a } => pred!(d, cx.v.pred(a)),
            Op::PSplat { d, a } => pred!(d, if cx.s.get(a) & 1 != 0 { ALL } else { Mask::NONE }),
            Op::PAnd { d, a, b } => pred!(d, cx.v.pred(a).and(&cx.v.pred(b))),
            Op::POr { d, a, b } => pred!(d, cx.v.pred(a).or(&cx.v.pred(b))),
            Op::PXor { d, a, b } => pred!(d, xor(&cx.v.pred(a), &cx.v.pred(b))),
            Op::PAndNot { d, a, b } => pred!(d, cx.v.pred(a).without(&cx.v.pred(b))),
            Op::PNot { d, a } => pred!(d, ALL.without(&cx.v.pred(a))),
            Op::PFromV { d, a } => compare!(Odd32, u32, d, r(a), one),
            Op::PFromW { d, a } => compare!(Odd64, u64, d, r(a), one),
            Op::VFromP { d, a } => from_pred!(u32, d, a),
            Op::WFromP { d, a } => from_pred!(u64, d, a),
            Op::VBounds { a, len } => bounds!(VCmpUlt, u32, r(a), len),
            Op::WBounds { a, len } => bounds!(WCmpUlt, u64, r(a), len),
            Op::VCmpEq { d, a, b } => compare!(VCmpEq, u32, d, r(a), r(b)),
            Op::VCmpNe { d, a, b } => compare!(VCmpNe, u32, d, r(a), r(b)),
            Op::VCmpSlt { d, a, b } => compare!(VCmpSlt, u32, d, r(a), r(b)),
            Op::VCmpSle { d, a, b } => compare!(VCmpSle, u32, d, r(a), r(b)),
            Op::VCmpUlt { d, a, b } => compare!(VCmpUlt, u32, d, r(a), r(b)),
            Op::VCmpUle { d, a, b } => compare!(VCmpUle, u32, d, r(a), r(b)),
            Op::VCmpEqVs { d, a, b } => compare!(VCmpEq, u32, d, r(a), k(b)),
            Op::VCmpNeVs { d, a, b } => compare!(VCmpNe, u32, d, r(a), k(b)),
            Op::VCmpSltVs { d, a, b } => compare!(VCmpSlt, u32, d, r(a), k(b)),
            Op::VCmpSleVs { d, a, b } => compare!(VCmpSle, u32, d, r(a), k(b)),
            Op::VCmpSgtVs { d, a, b } => compare!(VCmpSlt, u32, d, k(b), r(a)),
            Op::VCmpSgeVs { d, a, b } => compare!(VCmpSle, u32, d, k(b), r(a)),
            Op::VCmpUltVs { d, a, b } => compare!(VCmpUlt, u32, d, r(a), k(b)),
            Op::VCmpUleVs { d, a, b } => compare!(VCmpUle, u32, d, r(a), k(b)),
            Op::VCmpUgtVs { d, a, b } => compare!(VCmpUlt, u32, d, k(b), r(a)),
            Op::VCmpUgeVs { d, a, b } => compare!(VCmpUle, u32, d, k(b), r(a)),
            Op::VFcmpOeq { d, a, b } => compare!(VFcmpOeq, u32, d, r(a), r(b)),
            Op::VFcmpOeqVs { d, a, b } => compare!(VFcmpOeq, u32, d, r(a), k(b)),
            Op::VFcmpUne { d, a, b } => compare!(VFcmpUne, u32, d, r(a), r(b)),
            Op::VFcmpUneVs { d, a, b } => compare!(VFcmpUne, u32, d, r(a), k(b)),
            Op::VFcmpOlt { d, a, b } => compare!(VFcmpOlt, u32, d, r(a), r(b)),
            Op::VFcmpOltVs { d, a, b } => compare!(VFcmpOlt, u32, d, r(a), k(b)),
            Op::VFcmpOle { d, a, b } => compare!(VFcmpOle, u32, d, r(a), r(b)),
            Op::VFcmpOleVs { d, a, b } => compare!(VFcmpOle, u32, d, r(a), k(b)),
            Op::VFcmpOgtVs { d, a, b } => compare!(VFcmpOlt, u32, d, k(b), r(a)),
            Op::VFcmpOgeVs { d, a, b } => compare!(VFcmpOle, u32, d, k(b), r(a)),
            Op::WCmpEq { d, a, b } => compare!(WCmpEq, u64, d, r(a), r(b)),
            Op::WCmpNe { d, a, b } => compare!(WCmpNe, u64, d, r(a), r(b)),
            Op::WCmpSlt { d, a, b } => compare!(WCmpSlt, u64, d, r(a), r(b)),
            Op::WCmpSle { d, a, b } => compare!(WCmpSle, u64, d, r(a), r(b)),
            Op::WCmpUlt { d, a, b } => compare!(WCmpUlt, u64, d, r(a), r(b)),
            Op::WCmpUle { d, a, b } => compare!(WCmpUle, u64, d, r(a), r(b)),
            Op::WCmpEqVs { d, a, b } => compare!(WCmpEq, u64, d, r(a), k(b)),
            Op::WCmpNeVs { d, a, b } => compare!(WCmpNe, u64, d, r(a), k(b)),
            Op::WCmpSltVs { d, a, b } => compare!(WCmpSlt, u64, d, r(a), k(b)),
            Op::WCmpSleVs { d, a, b } => compare!(WCmpSle, u64, d, r(a), k(b)),
            Op::WCmpSgtVs { d, a, b } => compare!(WCmpSlt, u64, d, k(b), r(a)),
            Op::WCmpSgeVs { d, a, b } => compare!(WCmpSle, u64, d, k(b), r(a)),
            Op::WCmpUltVs { d, a, b } => compare!(WCmpUlt, u64, d, r(a), k(b)),
            Op::WCmpUleVs { d, a, b } => compare!(WCmpUle, u64, d, r(a), k(b)),
            Op::WCmpUgtVs { d, a, b } => compare!(WCmpUlt, u64, d, k(b), r(a)),
            Op::WCmpUgeVs { d, a, b } => compare!(WCmpUle, u64, d, k(b), r(a)),
            Op::WFcmpOeq { d, a, b } => compare!(WFcmpOeq, u64, d, r(a), r(b)),
            Op::WFcmpOeqVs { d, a, b } => compare!(WFcmpOeq, u64, d, r(a), k(b)),
            Op::WFcmpUne { d, a, b } => compare!(WFcmpUne, u64, d, r(a), r(b)),
            Op::WFcmpUneVs { d, a, b } => compare!(WFcmpUne, u64, d, r(a), k(b)),
            Op::WFcmpOlt { d, a, b } => compare!(WFcmpOlt, u64, d, r(a), r(b)),
            Op::WFcmpOltVs { d, a, b } => compare!(WFcmpOlt, u64, d, r(a), k(b)),
            Op::WFcmpOle { d, a, b } => compare!(WFcmpOle, u64, d, r(a), r(b)),
            Op::WFcmpOleVs { d, a, b } => compare!(WFcmpOle, u64, d, r(a), k(b)),
            Op::WFcmpOgtVs { d, a, b } => compare!(WFcmpOlt, u64, d, k(b), r(a)),
            Op::WFcmpOgeVs { d, a, b } => compare!(WFcmpOle, u64, d, k(b), r(a)),
            Op::WPtrIdx { d, base, index, scale, disp, ext } => {
                ptr_idx!(d, k(base), narrow(index, ext), scale, disp);
            }
            Op::WPtrIdxW { d, base, index, scale, disp } => ptr_idx!(d, k(base), wide(index), scale, disp),
            Op::WPtrIdxP { d, base, index, scale, disp, ext } => {
                ptr_idx!(d, r(base), narrow(index, ext), scale, disp);
            }
            Op::WPtrIdxPw { d, base, index, scale, disp } => ptr_idx!(d, r(base), wide(index), scale, disp),
            Op::WPtrIdxPs { d, base, index } => map2!(PtrAdd, u64, d, r(base), k(index)),
            Op::WPtrAddI { d, a, imm } => {
                let imm = splat::<u64>(i64::from(imm) as u64);
                run2!(PtrAdd, u64, d, register::<u64>(cx.v, a), imm.source());
            }
            Op::UseLate { .. } if !cx.late => {}
            ops!(ScalarMove | ScalarInt | ScalarFloat | ScalarCompare | ScalarBranch | ScalarAddress)
            | ops!(LaneBranch | Flow | Leave | ScalarLoad | ScalarStore | HostMemory | HostPair)
            | ops!(HostMemoryPair | Variable | Address | Generic | Check | Group | Rare | LaneValue)
            | ops!(VectorMemory) => return None,
        }
        *pc += 1;
    }
}
