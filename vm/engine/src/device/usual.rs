//! Generic operations in their usual kinds and types, a loop for each: what the evaluator gives for them, lane by lane,
//! without a detour through wide bits. Whatever is not here, it does ([`crate::eval::generic`]).
//!
//! Registers of different widths share no planes (`codegen`, `alloc.rs`), so that a result may be written chunk by chunk.

use super::halves::{fused, to_halves, to_singles};
use super::planes::{Lane, Lanes};
use super::values::View;
use cudair_bytecode::*;
use cudair_ir::eval::{fcmp_order, ternary};
use cudair_ir::*;
use cudair_lane::simd::{Kernel, dispatch};
use cudair_lane::{CHUNK, Mask};

/// `d = f(a)` in the lanes of a mask.
struct Map<'a, D: Lane, A: Lane, F> {
    v: Lanes,
    mask: &'a Mask,
    d: D::Reg,
    a: A::Reg,
    f: F,
}

impl<D: Lane, A: Lane, F: Fn(A) -> D> Kernel for Map<'_, D, A, F> {
    type Out = ();

    #[inline(always)]
    fn run<const AVX2: bool>(self) {
        for c in (0..self.v.chunks()).filter(|&c| self.mask.0[c] != 0) {
            let x = self.v.chunk::<A>(self.a, c);
            self.v.set_chunk::<D>(self.d, c, self.mask.0[c], std::array::from_fn(|i| (self.f)(x[i])));
        }
    }
}

/// An operand: a register of the lanes, or what all of them have.
#[derive(Clone, Copy)]
enum Operand<A: Lane> {
    Lanes(A::Reg),
    Same(A),
}

impl<A: Lane> Operand<A> {
    /// The operand in a register: a scalar one, or one of those of which `lanes` gives the lanes.
    fn new(reg: Reg, view: View, lanes: impl Fn(Reg) -> Option<A::Reg>) -> Option<Self> {
        match reg {
            Reg::S(r) => Some(Operand::Same(A::from_word(view.s.get(r)))),
            _ => lanes(reg).map(Operand::Lanes),
        }
    }

    #[inline(always)]
    fn chunk(self, v: Lanes, c: usize) -> [A; CHUNK] {
        match self {
            Operand::Lanes(r) => v.chunk::<A>(r, c),
            Operand::Same(x) => [x; CHUNK],
        }
    }
}

/// What two chunks give. A trait, since a closure of this size would not be inlined, and so be without AVX2.
trait Pairs<A> {
    fn of<const AVX2: bool>(&self, x: [A; CHUNK], y: [A; CHUNK]) -> [A; CHUNK];
}

/// `d = f(a, b)` in the lanes of a mask.
struct Map2<'a, A: Lane, F> {
    v: Lanes,
    mask: &'a Mask,
    d: A::Reg,
    a: [Operand<A>; 2],
    f: F,
}

impl<A: Lane, F: Pairs<A>> Kernel for Map2<'_, A, F> {
    type Out = ();

    #[inline(always)]
    fn run<const AVX2: bool>(self) {
        for c in (0..self.v.chunks()).filter(|&c| self.mask.0[c] != 0) {
            let x = self.a[0].chunk(self.v, c);
            let y = self.a[1].chunk(self.v, c);
            self.v.set_chunk::<A>(self.d, c, self.mask.0[c], self.f.of::<AVX2>(x, y));
        }
    }
}

/// `d = f(a, b)` in the lanes of a mask. False where an operand is missing, with nothing done.
fn pairs<A: Lane>(
    v: Lanes,
    mask: &Mask,
    d: A::Reg,
    [a, b]: [Option<Operand<A>>; 2],
    f: impl Pairs<A>,
) -> bool {
    let (Some(a), Some(b)) = (a, b) else { return false };
    dispatch(Map2 { v, mask, d, a: [a, b], f });
    true
}

/// Magnitudes, with the signs of others.
struct Signs;

impl Pairs<u32> for Signs {
    #[inline(always)]
    fn of<const AVX2: bool>(&self, x: [u32; CHUNK], y: [u32; CHUNK]) -> [u32; CHUNK] {
        std::array::from_fn(|i| x[i] & i32::MAX as u32 | y[i] & 1 << 31)
    }
}

/// High halves of products.
struct HighHalves {
    is_signed: bool,
}

impl Pairs<u64> for HighHalves {
    #[inline(always)]
    fn of<const AVX2: bool>(&self, x: [u64; CHUNK], y: [u64; CHUNK]) -> [u64; CHUNK] {
        std::array::from_fn(|i| {
            let high = ((u128::from(x[i]) * u128::from(y[i])) >> 64) as u64;
            // A negative one has been taken for 2⁶⁴ more.
            let more = |is: u64, other: u64| if self.is_signed && (is as i64) < 0 { other } else { 0 };
            high.wrapping_sub(more(x[i], y[i])).wrapping_sub(more(y[i], x[i]))
        })
    }
}

/// Remainders of binary32, with the sign of what is divided (C's `fmodf`).
struct Remainders;

impl Pairs<u32> for Remainders {
    #[inline(always)]
    fn of<const AVX2: bool>(&self, x: [u32; CHUNK], y: [u32; CHUNK]) -> [u32; CHUNK] {
        let size = |bits: u32| f32::from_bits(bits & i32::MAX as u32);
        let (mut out, mut fits) = ([0; CHUNK], true);
        // One instruction multiplies and subtracts, without a rounding in between.
        if AVX2 {
            for i in 0..CHUNK {
                let (a, b) = (size(x[i]), size(y[i]));
                let ratio = a / b;
                // A ratio just below an integer is rounded up to it; then the difference is one divisor too small. Either is a
                // multiple of the divisor's last place, and not larger than the divisor. Zero times infinity is no number.
                fits &= ratio < (1u32 << 24) as f32 && b < f32::INFINITY;
                let rest = (-ratio.trunc()).mul_add(b, a);
                let rest = if rest < 0.0 { rest + b } else { rest };
                out[i] = rest.to_bits() | x[i] & 1 << 31;
            }
            if fits {
                return out;
            }
            fits = true;
        }
        for i in 0..CHUNK {
            let (a, b) = (f64::from(size(x[i])), f64::from(size(y[i])));
            let ratio = a / b;
            // A quotient of 29 bits times a divisor of 24 is exact, and so is the difference.
            fits &= ratio < (1u64 << 29) as f64 && b < f64::INFINITY;
            let rest = a - ratio.trunc() * b;
            let rest = if rest < 0.0 { rest + b } else { rest };
            out[i] = (rest as f32).to_bits() | x[i] & 1 << 31;
        }
        if fits { out } else { any_remainders(x, y) }
    }
}

/// Those with large ratios as well, and of zeros, infinities and what is no number.
#[cold]
fn any_remainders(x: [u32; CHUNK], y: [u32; CHUNK]) -> [u32; CHUNK] {
    std::array::from_fn(|i| (f32::from_bits(x[i]) % f32::from_bits(y[i])).to_bits())
}

/// A comparison of floats in the lanes of a mask: those for which it holds.
struct Compare<'a, F> {
    v: Lanes,
    mask: &'a Mask,
    a: [V; 2],
    f: F,
}

impl<F: Fn(f32, f32) -> bool> Kernel for Compare<'_, F> {
    type Out = Mask;

    #[inline(always)]
    fn run<const AVX2: bool>(self) -> Mask {
        let mut out = Mask::NONE;
        for c in (0..self.v.chunks()).filter(|&c| self.mask.0[c] != 0) {
            let [x, y] = self.a.map(|a| self.v.chunk::<u32>(a, c));
            let holds = |i: usize| (self.f)(f32::from_bits(x[i]), f32::from_bits(y[i]));
            out.0[c] = (0..CHUNK).fold(0, |w, i| w | u16::from(holds(i)) << i) & self.mask.0[c];
        }
        out
    }
}

/// Conversions between halves and singles in the lanes of a mask.
struct Halves<'a> {
    v: Lanes,
    mask: &'a Mask,
    d: V,
    a: V,
    widens: bool,
}

impl Kernel for Halves<'_> {
    type Out = ();

    #[inline(always)]
    fn run<const AVX2: bool>(self) {
        for c in (0..self.v.chunks()).filter(|&c| self.mask.0[c] != 0) {
            let x = self.v.chunk::<u32>(self.a, c);
            let out = if self.widens { to_singles::<AVX2>(x) } else { to_halves::<AVX2>(x) };
            self.v.set_chunk::<u32>(self.d, c, self.mask.0[c], out);
        }
    }
}

/// `d = a * b + c` of halves, rounded once, in the lanes of a mask.
struct FusedHalves<'a> {
    v: Lanes,
    mask: &'a Mask,
    d: V,
    a: [Operand<u32>; 3],
}

impl Kernel for FusedHalves<'_> {
    type Out = ();

    #[inline(always)]
    fn run<const AVX2: bool>(self) {
        for c in (0..self.v.chunks()).filter(|&c| self.mask.0[c] != 0) {
            let [x, y, z] =
                [self.a[0].chunk(self.v, c), self.a[1].chunk(self.v, c), self.a[2].chunk(self.v, c)];
            let (sums, any_nan) =
                fused::<AVX2>([to_singles::<AVX2>(x), to_singles::<AVX2>(y), to_singles::<AVX2>(z)]);
            let out = if any_nan && is_any_nan(&sums, self.mask.0[c]) {
                any_fused([x, y, z])
            } else {
                to_halves::<AVX2>(sums)
            };
            self.v.set_chunk::<u32>(self.d, c, self.mask.0[c], out);
        }
    }
}

/// Whether one of the lanes in a mask's word is no number.
#[cold]
fn is_any_nan(singles: &[u32; CHUNK], word: u16) -> bool {
    (0..CHUNK).any(|i| word >> i & 1 != 0 && f32::from_bits(singles[i]).is_nan())
}

/// Those that are no number as well.
#[cold]
fn any_fused([x, y, z]: [[u32; CHUNK]; 3]) -> [u32; CHUNK] {
    let half = |bits: u32| u128::from(bits & 0xffff);
    std::array::from_fn(|i| ternary(TernaryOp::Fma, Type::F16, half(x[i]), half(y[i]), half(z[i])) as u32)
}

/// A lane of a register of 128 bits.
#[inline(always)]
fn quad(v: Lanes, r: X, lane: usize) -> u128 {
    let words = &v.words(r.0, 4)[4 * lane..4 * lane + 4];
    words.iter().rev().fold(0, |bits, &w| bits << 32 | u128::from(w))
}

/// Writes a lane of a register of 128 bits.
#[inline(always)]
fn set_quad(v: Lanes, r: X, lane: usize, bits: u128) {
    for (i, word) in v.words_mut(r.0, 4)[4 * lane..4 * lane + 4].iter_mut().enumerate() {
        *word = (bits >> (32 * i)) as u32;
    }
}

/// Does a generic operation for the lanes of `mask`, if it is a usual one that is defined for all of them. False where
/// it is not, with nothing done.
pub(super) fn usual(g: &GenDesc, mask: &Mask, view: View) -> bool {
    let v = view.v;
    let arg = |n: usize| g.args.get(n).map(|a| (a.reg, a.ty));
    let Some((first, ty)) = arg(0) else { return false };
    let two = [0, 1].map(|n| arg(n).map(|(reg, _)| reg));
    let word_of =
        |reg: Reg| Operand::<u32>::new(reg, view, |r| if let Reg::V(r) = r { Some(r) } else { None });
    let words = || two.map(|reg| word_of(reg?));
    let double_words =
        || two.map(|reg| Operand::<u64>::new(reg?, view, |r| if let Reg::W(r) = r { Some(r) } else { None }));
    match (g.kind, g.d.reg, first) {
        (GenKind::Unary { op, nsw: false }, Reg::V(d), Reg::V(a)) if ty == Type::I32 => {
            word(op, v, mask, d, a)
        }
        (GenKind::Unary { op, nsw: false }, Reg::W(d), Reg::W(a)) if ty == Type::I64 => {
            double_word(op, v, mask, d, a)
        }
        (GenKind::Binary { op: BinaryOp::Fcopysign, .. }, Reg::V(d), _) if ty == Type::F32 => {
            pairs(v, mask, d, words(), Signs)
        }
        (GenKind::Binary { op: BinaryOp::Frem, .. }, Reg::V(d), _) if ty == Type::F32 => {
            pairs(v, mask, d, words(), Remainders)
        }
        (GenKind::Binary { op: BinaryOp::Umulhi, .. }, Reg::W(d), _) if ty == Type::I64 => {
            pairs(v, mask, d, double_words(), HighHalves { is_signed: false })
        }
        (GenKind::Binary { op: BinaryOp::Smulhi, .. }, Reg::W(d), _) if ty == Type::I64 => {
            pairs(v, mask, d, double_words(), HighHalves { is_signed: true })
        }
        (GenKind::Ternary(TernaryOp::Fma), Reg::V(d), _) if ty == Type::F16 => {
            let third = arg(2).and_then(|(reg, _)| word_of(reg));
            let ([Some(a), Some(b)], Some(c)) = (words(), third) else { return false };
            dispatch(FusedHalves { v, mask, d, a: [a, b, c] });
            true
        }
        (GenKind::Fcmp(cc), Reg::P(d), Reg::V(a)) if ty == Type::F32 => {
            let Some((Reg::V(b), _)) = arg(1) else { return false };
            let (old, a) = (v.pred(d).without(mask), [a, b]);
            let out = match cc {
                FloatCC::Uno => dispatch(Compare { v, mask, a, f: |x: f32, y: f32| x.is_nan() | y.is_nan() }),
                FloatCC::Ord => {
                    dispatch(Compare { v, mask, a, f: |x: f32, y: f32| !(x.is_nan() | y.is_nan()) })
                }
                _ => dispatch(Compare { v, mask, a, f: |x: f32, y: f32| fcmp_order(cc, x.partial_cmp(&y)) }),
            };
            v.set_pred(d, old.or(&out));
            true
        }
        (GenKind::Cast(op), d, a) => cast(op, v, mask, (d, g.d.ty), (a, ty)),
        (GenKind::Binary { op, nsw: false }, Reg::X(d), Reg::X(a)) if ty == Type::I128 => {
            match (op, arg(1)) {
                (BinaryOp::Imul, Some((Reg::X(b), _))) => {
                    mask.for_each(|l| set_quad(v, d, l, quad(v, a, l).wrapping_mul(quad(v, b, l))));
                    true
                }
                (BinaryOp::Lshr, Some((by @ (Reg::S(_) | Reg::S2(_)), _))) => {
                    let Some(by) = u32::try_from(view.get(by, 0)).ok().filter(|&by| by < 128) else {
                        return false;
                    };
                    mask.for_each(|l| set_quad(v, d, l, quad(v, a, l) >> by));
                    true
                }
                _ => false,
            }
        }
        _ => false,
    }
}

/// An operation on a word of each lane.
fn word(op: UnaryOp, v: Lanes, mask: &Mask, d: V, a: V) -> bool {
    macro_rules! each {
        ($f:expr) => {{
            dispatch(Map::<u32, u32, _> { v, mask, d, a, f: $f });
            true
        }};
    }
    match op {
        UnaryOp::Popcnt => each!(|x: u32| x.count_ones()),
        // The exponent of what is left if no two ones stand side by side, which rounding cannot carry: vectors have it.
        UnaryOp::Clz => each!(|x: u32| {
            let exponent = ((x & !(x >> 1)) as i32 as f32).to_bits() >> 23;
            let is_positive = !((x as i32) >> 31) as u32;
            158u32.wrapping_sub(exponent).min(32) & is_positive
        }),
        UnaryOp::Ctz => each!(|x: u32| x.trailing_zeros()),
        UnaryOp::Bitrev => each!(|x: u32| x.reverse_bits()),
        UnaryOp::Bswap => each!(|x: u32| x.swap_bytes()),
        UnaryOp::Inot => each!(|x: u32| !x),
        UnaryOp::Ineg => each!(|x: u32| x.wrapping_neg()),
        _ => false,
    }
}

/// An operation on two words of each lane.
fn double_word(op: UnaryOp, v: Lanes, mask: &Mask, d: W, a: W) -> bool {
    macro_rules! each {
        ($f:expr) => {{
            dispatch(Map::<u64, u64, _> { v, mask, d, a, f: $f });
            true
        }};
    }
    match op {
        UnaryOp::Popcnt => each!(|x: u64| x.count_ones().into()),
        UnaryOp::Clz => each!(|x: u64| x.leading_zeros().into()),
        UnaryOp::Ctz => each!(|x: u64| x.trailing_zeros().into()),
        UnaryOp::Bitrev => each!(|x: u64| x.reverse_bits()),
        UnaryOp::Bswap => each!(|x: u64| x.swap_bytes()),
        UnaryOp::Inot => each!(|x: u64| !x),
        UnaryOp::Ineg => each!(|x: u64| x.wrapping_neg()),
        _ => false,
    }
}

/// Integers below it are added to 1.5 times 2⁵² without rounding.
const EXACT: f32 = (1u64 << 51) as f32;

/// A conversion.
fn cast(op: CastOp, v: Lanes, mask: &Mask, (d, to): (Reg, Type), (a, from): (Reg, Type)) -> bool {
    match (op, d, a, from, to) {
        (CastOp::Sitofp, Reg::V(d), Reg::W(a), Type::I64, Type::F32) => {
            dispatch(Map { v, mask, d, a, f: |x: u64| (x as i64 as f32).to_bits() });
        }
        (CastOp::Uitofp, Reg::V(d), Reg::W(a), Type::I64, Type::F32) => {
            dispatch(Map { v, mask, d, a, f: |x: u64| (x as f32).to_bits() });
        }
        (CastOp::Fptosi | CastOp::Fptoui, _, Reg::V(a), Type::F32, Type::I64 | Type::I32) => {
            // Those that both types have, of which the one of 32 bits is taken from one of 64.
            let low = if op == CastOp::Fptoui { -0.5 } else { -(2f32.powi(to.bits() as i32 - 1)) };
            let high = 2f32.powi(to.bits() as i32 - i32::from(op == CastOp::Fptosi || to == Type::I64));
            let lie_between = |low: f32, high: f32| {
                dispatch(Compare { v, mask, a: [a; 2], f: |x: f32, _| (low..high).contains(&x) }) == *mask
            };
            if let Reg::W(d) = d
                && lie_between(low.max(-EXACT), high.min(EXACT))
            {
                // The end of the sum's bits is the integer.
                let shift = 1.5 * 2f64.powi(52);
                let f = |x: u32| {
                    let sum = f64::from(f32::from_bits(x).trunc()) + shift;
                    sum.to_bits().wrapping_sub(shift.to_bits())
                };
                dispatch(Map { v, mask, d, a, f });
                return true;
            }
            if !lie_between(low, high) {
                return false;
            }
            // Of lanes that are not active nobody wants to know.
            match d {
                Reg::W(d) => dispatch(Map { v, mask, d, a, f: |x: u32| f32::from_bits(x) as i64 as u64 }),
                Reg::V(d) => dispatch(Map { v, mask, d, a, f: |x: u32| f32::from_bits(x) as i64 as u32 }),
                _ => return false,
            }
        }
        (CastOp::Fpext, Reg::V(d), Reg::V(a), Type::F16, Type::F32) => {
            dispatch(Halves { v, mask, d, a, widens: true });
        }
        (CastOp::Fptrunc, Reg::V(d), Reg::V(a), Type::F32, Type::F16) => {
            dispatch(Halves { v, mask, d, a, widens: false });
        }
        (CastOp::Zext, Reg::X(d), Reg::W(a), Type::I64, Type::I128) => {
            mask.for_each(|l| set_quad(v, d, l, v.lane::<u64>(a, l).into()));
        }
        (CastOp::Trunc, Reg::W(d), Reg::X(a), Type::I128, Type::I64) => {
            mask.for_each(|l| v.set_lane::<u64>(d, l, quad(v, a, l) as u64));
        }
        _ => return false,
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Remainders as this machine computes them.
    struct Here([[u32; CHUNK]; 2]);

    impl Kernel for Here {
        type Out = [u32; CHUNK];

        #[inline(always)]
        fn run<const AVX2: bool>(self) -> Self::Out {
            Remainders.of::<AVX2>(self.0[0], self.0[1])
        }
    }

    #[test]
    fn remainders_are_exact() {
        let mut state = 1u32;
        let mut next = || {
            state = state.wrapping_mul(0x0019_660d).wrapping_add(0x3c6e_f35f);
            state
        };
        for n in 0..60_000u32 {
            // Ratios next to integers below 2^1 to 2^30, and numbers of any size.
            let any = n % 16 == 0;
            let bits = 1 + n / 16 % 30;
            let pairs: [[u32; 2]; CHUNK] = std::array::from_fn(|_| {
                if any {
                    return [next(), next()];
                }
                let y = f32::from_bits(0x2000_0000 + (next() >> 3));
                let x = y * (next() >> (32 - bits)) as f32;
                [
                    (x.to_bits().wrapping_add((next() >> 24) % 3).wrapping_sub(1)) | next() & 1 << 31,
                    y.to_bits(),
                ]
            });
            let [x, y] = [pairs.map(|p| p[0]), pairs.map(|p| p[1])];
            for out in [dispatch(Here([x, y])), Remainders.of::<false>(x, y)] {
                for (i, &bits) in out.iter().enumerate() {
                    let (a, b) = (f32::from_bits(x[i]), f32::from_bits(y[i]));
                    let (got, wanted) = (f32::from_bits(bits), a % b);
                    assert!(bits == wanted.to_bits() || got.is_nan() && wanted.is_nan(), "{a:e} % {b:e}");
                }
            }
        }
    }
}
