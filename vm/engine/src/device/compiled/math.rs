//! Mathematical functions for compiled code.

use cudair_jit::abi::{ARGS, Frame, ROW, Row, wide};
use cudair_math::MathFn;

/// Results of the last calls for one lane: what is the same for all threads of a block is computed for eight lanes at a time, with the
/// same arguments again and again, which the bytecode does once.
#[derive(Default)]
pub(super) struct Memo(Vec<Call>);

/// Calls that are remembered.
const CALLS: usize = 1 << 10;

/// A function by number, from 1 on, its arguments and its result.
#[derive(Clone, Copy, Default)]
struct Call {
    function: u64,
    args: [u64; 2],
    result: u64,
}

impl Memo {
    fn get(&mut self, n: u64, args: [u64; 2], compute: impl FnOnce() -> u64) -> u64 {
        const ODD: u64 = 0x9e37_79b9_7f4a_7c15;
        if self.0.is_empty() {
            self.0.resize(CALLS, Call::default());
        }
        let mixed = (args[0] ^ args[1].rotate_left(23) ^ n.rotate_left(47)).wrapping_mul(ODD);
        let call = &mut self.0[(mixed >> (u64::BITS - CALLS.ilog2())) as usize];
        if (call.function, call.args) != (n + 1, args) {
            *call = Call { function: n + 1, args, result: compute() };
        }
        call.result
    }
}

/// Calls a function for one lane. Gives 0 where there is none of this number.
pub(super) fn compute(math: &[MathFn], memo: &mut Memo, frame: &mut Frame, n: u64) -> u32 {
    let Some(&function) = math.get(n as usize) else { return 0 };
    let args = &mut frame.value;
    let (s, d) = (|bits: u64| f32::from_bits(bits as u32), f64::from_bits);
    // Of a number of four bytes the rest of its word is what was there.
    let [a, b] = [args[0], args[1]];
    let narrow = [a, b].map(|bits| bits & u64::from(u32::MAX));
    args[0] = match function {
        MathFn::F32(f) => memo.get(n, [narrow[0], 0], || f(s(a)).to_bits().into()),
        MathFn::F32x2(f) => memo.get(n, narrow, || f(s(a), s(b)).to_bits().into()),
        MathFn::F64(f) => memo.get(n, [a, 0], || f(d(a)).to_bits()),
        MathFn::F64x2(f) => memo.get(n, [a, b], || f(d(a), d(b)).to_bits()),
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
