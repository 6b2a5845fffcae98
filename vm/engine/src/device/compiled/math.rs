//! Mathematical functions for compiled code.

use cudair_jit::abi::{ARGS, Frame, ROW, Row, wide};
use cudair_math::MathFn;

/// Calls a function for one lane. Gives 0 where there is none of this number.
pub(super) fn compute(math: &[MathFn], frame: &mut Frame, n: u64) -> u32 {
    let Some(&function) = math.get(n as usize) else { return 0 };
    let args = &mut frame.value;
    let (s, d) = (|bits: u64| f32::from_bits(bits as u32), f64::from_bits);
    // The usual ones without a detour through wide bits.
    args[0] = match function {
        MathFn::F32(f) => f(s(args[0])).to_bits().into(),
        MathFn::F32x2(f) => f(s(args[0]), s(args[1])).to_bits().into(),
        MathFn::F64(f) => f(d(args[0])).to_bits(),
        MathFn::F64x2(f) => f(d(args[0]), d(args[1])).to_bits(),
        _ => function.call_bits(&args.map(u128::from)) as u64,
    };
    1
}

/// Calls a function for those of the lanes that run together whose bits are set in `what`, which also says which rows are of numbers
/// of eight bytes. Gives 0 where there is none of this number.
pub(super) fn compute_lanes(math: &[MathFn], frame: &mut Frame, n: u64, what: u64) -> u32 {
    let Some(&function) = math.get(n as usize) else { return 0 };
    let [args @ .., out] = &mut frame.rows;
    let s = |n: usize, lane| f32::from_bits(half(&args[n], lane));
    let d = |n: usize, lane: usize| f64::from_bits(args[n][lane]);
    let lanes = (0..ROW).filter(|lane| what >> lane & 1 != 0);
    match function {
        MathFn::F32(f) => lanes.for_each(|l| set_half(out, l, f(s(0, l)).to_bits())),
        MathFn::F32x2(f) => lanes.for_each(|l| set_half(out, l, f(s(0, l), s(1, l)).to_bits())),
        MathFn::F64(f) => lanes.for_each(|l| out[l] = f(d(0, l)).to_bits()),
        MathFn::F64x2(f) => lanes.for_each(|l| out[l] = f(d(0, l), d(1, l)).to_bits()),
        _ => lanes.for_each(|l| {
            let arg = |n: usize| match what & wide(n) {
                0 => half(&args[n], l).into(),
                _ => args[n][l].into(),
            };
            let result = function.call_bits(&std::array::from_fn::<u128, ARGS, _>(arg));
            match what & wide(ARGS) {
                0 => set_half(out, l, result as u32),
                _ => out[l] = result as u64,
            }
        }),
    }
    1
}

/// A lane's number of four bytes.
fn half(row: &Row, lane: usize) -> u32 {
    (row[lane / 2] >> (lane % 2 * 32)) as u32
}

fn set_half(row: &mut Row, lane: usize, bits: u32) {
    let at = lane % 2 * 32;
    row[lane / 2] = row[lane / 2] & !(0xffff_ffff << at) | u64::from(bits) << at;
}
