//! The evaluator against native arithmetic, and against exact arithmetic where there is no native type.

use cudair_ir::eval::{Ub, binary, cast, cast_word, defined, fcmp, gpu_nan, icmp, ternary, unary};
use cudair_ir::f80::{BinaryFormat, Class, F80, Parts, round};
use cudair_ir::{BinaryOp, CastOp, FloatCC, IntCC, Side, TernaryOp, Type, UnaryOp};
use proptest::prelude::*;

/// Bits with many zeros, ones, powers of two and their neighbours.
fn word() -> impl Strategy<Value = u128> {
    let power = (0u32..128, -2i128..3).prop_map(|(n, k)| (1u128 << n).wrapping_add(k as u128));
    prop_oneof![any::<u128>(), power, (-3i128..4).prop_map(|x| x as u128), any::<u64>().prop_map(u128::from)]
}

/// Any `double`, with special values and the neighbourhood of integers' limits.
fn double() -> impl Strategy<Value = f64> {
    let special = prop::sample::select(vec![0.0, -0.0, 1.0, -0.5, f64::NAN, f64::INFINITY, -f64::INFINITY]);
    let limit = (-2i32..130, -2i64..3, any::<bool>()).prop_map(|(n, k, neg)| {
        let x = f64::from_bits((2f64.powi(n).to_bits() as i64 + k) as u64);
        if neg { -x } else { x }
    });
    prop_oneof![any::<u64>().prop_map(f64::from_bits), special, limit, (-1e6..1e6f64)]
}

/// The same of `float`; few of its NaNs are signalling.
fn single() -> impl Strategy<Value = f32> {
    prop_oneof![any::<u32>().prop_map(f32::from_bits), double().prop_map(|x| x as f32)]
}

fn both_sides() -> [Side; 2] {
    [Side::Host, Side::Device]
}

const HALVES: [(Type, BinaryFormat); 2] = [
    (Type::F16, BinaryFormat { precision: 11, exponent_bits: 5, explicit: false }),
    (Type::BF16, BinaryFormat { precision: 8, exponent_bits: 8, explicit: false }),
];

macro_rules! integers {
    ($($name:ident: $s:ty, $u:ty, $ty:expr;)*) => { proptest! { $(
        #[test]
        fn $name(a in word(), b in word(), c in word()) {
            let (ty, bits) = ($ty, <$u>::BITS);
            let (ua, ub, uc) = (a as $u, b as $u, c as $u);
            let (sa, sb) = (ua as $s, ub as $s);
            let w = |x: $u| -> u128 { x.into() };
            let s = |x: $s| w(x as $u);
            let one = |op, nsw| unary(op, nsw, ty, w(ua));
            let host = |op, nsw| binary(op, nsw, ty, w(ua), w(ub), Side::Host);
            let flag = |o: bool, nsw: bool| (o && nsw).then_some(Ub::Overflow);
            for nsw in [false, true] {
                let (r, o) = sa.overflowing_neg();
                prop_assert_eq!(one(UnaryOp::Ineg, nsw), (s(r), flag(o, nsw)));
                for (op, (r, o)) in [
                    (BinaryOp::Iadd, sa.overflowing_add(sb)),
                    (BinaryOp::Isub, sa.overflowing_sub(sb)),
                    (BinaryOp::Imul, sa.overflowing_mul(sb)),
                ] {
                    for side in both_sides() {
                        prop_assert_eq!(binary(op, nsw, ty, w(ua), w(ub), side), (s(r), flag(o, nsw)));
                    }
                }
            }
            for (op, r) in [
                (UnaryOp::Inot, w(!ua)),
                (UnaryOp::Popcnt, ua.count_ones().into()),
                (UnaryOp::Clz, ua.leading_zeros().into()),
                (UnaryOp::Ctz, ua.trailing_zeros().into()),
                (UnaryOp::Bitrev, w(ua.reverse_bits())),
                (UnaryOp::Bswap, w(ua.swap_bytes())),
            ] {
                prop_assert_eq!(one(op, false), (r, None), "{}", op);
            }
            for (op, r) in [
                (BinaryOp::And, w(ua & ub)),
                (BinaryOp::Or, w(ua | ub)),
                (BinaryOp::Xor, w(ua ^ ub)),
                (BinaryOp::Smin, s(sa.min(sb))),
                (BinaryOp::Smax, s(sa.max(sb))),
                (BinaryOp::Umin, w(ua.min(ub))),
                (BinaryOp::Umax, w(ua.max(ub))),
                (BinaryOp::Rotl, w(ua.rotate_left((ub % bits as $u) as u32))),
            ] {
                prop_assert_eq!(host(op, false), (r, None), "{}", op);
            }
            for (op, unsigned, r) in [
                (BinaryOp::Sdiv, false, sa.checked_div(sb).map(s)),
                (BinaryOp::Srem, false, sa.checked_rem(sb).map(s)),
                (BinaryOp::Udiv, true, ua.checked_div(ub).map(w)),
                (BinaryOp::Urem, true, ua.checked_rem(ub).map(w)),
            ] {
                let (got, undefined) = host(op, false);
                let want = match r {
                    Some(_) => None,
                    None if ub == 0 => Some(Ub::DivZero),
                    None => Some(Ub::DivOverflow),
                };
                prop_assert_eq!(undefined, want);
                prop_assert!(undefined.is_none_or(|u| u == Ub::DivZero || !unsigned));
                prop_assert!(r.is_none_or(|r| r == got));
            }
            // Shifts: within the width, and by too much.
            let n = (ub % bits as $u) as u32;
            for side in both_sides() {
                let by = |op, nsw, n: u32| binary(op, nsw, ty, w(ua), n.into(), side);
                prop_assert_eq!(by(BinaryOp::Shl, false, n), (w(ua << n), None));
                prop_assert_eq!(by(BinaryOp::Lshr, false, n), (w(ua >> n), None));
                prop_assert_eq!(by(BinaryOp::Ashr, false, n), (s(sa >> n), None));
                let lost = sa < 0 || (sa << n) >> n != sa;
                prop_assert_eq!(by(BinaryOp::Shl, true, n), (w(ua << n), lost.then_some(Ub::Overflow)));
            }
            if ub >= bits as $u {
                let by = |op| binary(op, true, ty, w(ua), w(ub), Side::Device);
                prop_assert_eq!(by(BinaryOp::Shl), (0, Some(Ub::Shift)));
                prop_assert_eq!(by(BinaryOp::Lshr), (0, Some(Ub::Shift)));
                prop_assert_eq!(by(BinaryOp::Ashr), (s(if sa < 0 { -1 } else { 0 }), Some(Ub::Shift)));
                if bits >= 32 {
                    prop_assert_eq!(host(BinaryOp::Shl, false), (w(ua.wrapping_shl(ub as u32)), Some(Ub::Shift)));
                    prop_assert_eq!(host(BinaryOp::Lshr, false), (w(ua.wrapping_shr(ub as u32)), Some(Ub::Shift)));
                    prop_assert_eq!(host(BinaryOp::Ashr, false), (s(sa.wrapping_shr(ub as u32)), Some(Ub::Shift)));
                }
            }
            let n = (uc % bits as $u) as u32;
            let (left, right) = match n {
                0 => (ua, ub),
                n => (ua << n | ub >> (bits - n), ub >> n | ua << (bits - n)),
            };
            prop_assert_eq!(ternary(TernaryOp::Fshl, ty, w(ua), w(ub), w(uc)), w(left));
            prop_assert_eq!(ternary(TernaryOp::Fshr, ty, w(ua), w(ub), w(uc)), w(right));
            prop_assert_eq!(ternary(TernaryOp::Select, ty, a & 1, w(ua), w(ub)), w(if a & 1 == 1 { ua } else { ub }));
            for (cc, r) in [
                (IntCC::Eq, ua == ub), (IntCC::Ne, ua != ub),
                (IntCC::Slt, sa < sb), (IntCC::Sle, sa <= sb), (IntCC::Sgt, sa > sb), (IntCC::Sge, sa >= sb),
                (IntCC::Ult, ua < ub), (IntCC::Ule, ua <= ub), (IntCC::Ugt, ua > ub), (IntCC::Uge, ua >= ub),
            ] {
                prop_assert_eq!(icmp(cc, ty, w(ua), w(ub)), r, "{}", cc);
            }
            // To and from floating point: `as` is exact C within range, and saturates as the device does.
            let to = |op, to| cast(op, ty, to, w(ua), Side::Host);
            prop_assert_eq!(to(CastOp::Sitofp, Type::F64), ((sa as f64).to_bits().into(), None));
            prop_assert_eq!(to(CastOp::Uitofp, Type::F64), ((ua as f64).to_bits().into(), None));
            prop_assert_eq!(to(CastOp::Sitofp, Type::F32), ((sa as f32).to_bits().into(), None));
            prop_assert_eq!(to(CastOp::Uitofp, Type::F32), ((ua as f32).to_bits().into(), None));
            prop_assert_eq!(to(CastOp::Sext, Type::I128), (sa as i128 as u128, None));
            prop_assert_eq!(to(CastOp::Zext, Type::I128), (w(ua), None));
            prop_assert_eq!(cast(CastOp::Trunc, Type::I128, ty, a, Side::Host), (w(ua), None));
        }
    )* } };
}

integers! {
    integers_of_8_bits: i8, u8, Type::I8;
    integers_of_16_bits: i16, u16, Type::I16;
    integers_of_32_bits: i32, u32, Type::I32;
    integers_of_64_bits: i64, u64, Type::I64;
    integers_of_128_bits: i128, u128, Type::I128;
}

macro_rules! to_integer {
    ($x:expr, $from:expr; $($s:ty, $u:ty, $ty:expr;)*) => { $(
        let (x, bits) = ($x, u128::from($x.to_bits()));
        for (op, saturated, fits) in [
            // One more than the largest is a power of two, which floating point holds.
            (CastOp::Fptosi, u128::from((x as $s) as $u), {
                let above = -(<$s>::MIN as f64);
                f64::from(x).trunc() >= -above && f64::from(x).trunc() < above
            }),
            (CastOp::Fptoui, u128::from(x as $u), {
                let above = 2.0 * -(<$s>::MIN as f64);
                f64::from(x).trunc() >= 0.0 && f64::from(x).trunc() < above
            }),
        ] {
            let device = match <$s>::BITS {
                8 | 16 => u128::from(if op == CastOp::Fptosi { x as i32 as u32 } else { x as u32 }) & $ty.bit_mask(),
                32 if x.is_nan() && $from == Type::F64 => 1 << 31,
                64 if x.is_nan() => 1 << 63,
                _ => saturated,
            };
            prop_assert_eq!(cast(op, $from, $ty, bits, Side::Device), (device, None), "{} {}", op, x);
            let (got, undefined) = cast(op, $from, $ty, bits, Side::Host);
            prop_assert_eq!(undefined, (!fits).then_some(Ub::FloatRange), "{} {}", op, x);
            if fits {
                prop_assert_eq!(got, saturated);
            } else if op == CastOp::Fptosi {
                prop_assert_eq!(got, 1 << (<$s>::BITS - 1));
            }
            if let Some(quick) = cast_word(op, $from, $ty, bits as u64) {
                prop_assert_eq!((u128::from(quick), None), (got, undefined));
            }
        }
    )* };
}

macro_rules! floats {
    ($($name:ident: $f:ty, $values:ident, $ty:expr;)*) => { proptest! { $(
        #[test]
        fn $name(x in $values(), y in $values(), z in $values()) {
            let ty = $ty;
            let w = |x: $f| u128::from(x.to_bits());
            let (a, b, c) = (w(x), w(y), w(z));
            for (op, r) in [
                (UnaryOp::Fsqrt, x.sqrt()),
                (UnaryOp::Ffloor, x.floor()),
                (UnaryOp::Fceil, x.ceil()),
                (UnaryOp::Ftrunc, x.trunc()),
                (UnaryOp::Fnearest, x.round_ties_even()),
                (UnaryOp::Fneg, -x),
                (UnaryOp::Fabs, x.abs()),
            ] {
                prop_assert_eq!(unary(op, false, ty, a), (w(r), None), "{}", op);
            }
            for (op, r) in [
                (BinaryOp::Fadd, x + y),
                (BinaryOp::Fsub, x - y),
                (BinaryOp::Fmul, x * y),
                (BinaryOp::Fdiv, x / y),
                (BinaryOp::Frem, x % y),
                (BinaryOp::Fcopysign, x.copysign(y)),
            ] {
                prop_assert_eq!(binary(op, false, ty, a, b, Side::Host), (w(r), None), "{}", op);
            }
            // Of two factors that are NaNs a compiler may take either: it may exchange them.
            let fused = ternary(TernaryOp::Fma, ty, a, b, c);
            let exchanged = w(y.mul_add(x, z));
            prop_assert!(fused == w(x.mul_add(y, z)) || x.is_nan() && y.is_nan() && fused == exchanged, "fma");
            for op in [BinaryOp::Fmin, BinaryOp::Fmax] {
                let got = defined(binary(op, false, ty, a, b, Side::Host)).unwrap();
                let want = match (x.is_nan(), y.is_nan()) {
                    (true, true) => a,
                    (true, false) => b,
                    (false, true) => a,
                    // The bits of the zeros: the negative one is the smaller.
                    _ if x == y => if (op == BinaryOp::Fmin) == x.is_sign_negative() { a } else { b },
                    _ => if (op == BinaryOp::Fmin) == (x < y) { a } else { b },
                };
                prop_assert_eq!(got, want, "{}", op);
            }
            let (ordered, unordered) = (!x.is_nan() && !y.is_nan(), x.is_nan() || y.is_nan());
            for (cc, r) in [
                (FloatCC::Oeq, x == y), (FloatCC::One, ordered && x != y),
                (FloatCC::Olt, x < y), (FloatCC::Ole, x <= y), (FloatCC::Ogt, x > y), (FloatCC::Oge, x >= y),
                (FloatCC::Ord, ordered), (FloatCC::Uno, unordered),
                (FloatCC::Ueq, unordered || x == y), (FloatCC::Une, x != y),
                (FloatCC::Ult, unordered || x < y), (FloatCC::Ule, unordered || x <= y),
                (FloatCC::Ugt, unordered || x > y), (FloatCC::Uge, unordered || x >= y),
            ] {
                prop_assert_eq!(fcmp(cc, ty, a, b), r, "{}", cc);
            }
            to_integer!(x, ty;
                i8, u8, Type::I8; i16, u16, Type::I16; i32, u32, Type::I32; i64, u64, Type::I64;
                i128, u128, Type::I128;);
        }
    )* } };
}

floats! {
    floats_of_32_bits: f32, single, Type::F32;
    floats_of_64_bits: f64, double, Type::F64;
}

proptest! {
    #[test]
    fn formats_convert_with_one_rounding(x in double(), e in any::<(u16, u64)>()) {
        let bits = u128::from(x.to_bits());
        let to = |from, ty, bits| defined(cast(CastOp::Fptrunc, from, ty, bits, Side::Host)).unwrap();
        prop_assert_eq!(to(Type::F64, Type::F32, bits), u128::from((x as f32).to_bits()));
        let widened = defined(cast(CastOp::Fpext, Type::F64, Type::F80, bits, Side::Host)).unwrap();
        if !x.is_nan() {
            prop_assert_eq!(to(Type::F80, Type::F64, widened), bits);
        }
        // The extended number is made valid: its leading bit says whether it is normal.
        let leading = u64::from(e.0 & 0x7fff != 0) << 63;
        let extended = F80 { se: e.0, mant: e.1 & !(1 << 63) | leading };
        for (ty, format) in HALVES {
            for (from, bits, parts) in
                [(Type::F64, bits, Parts::from(x)), (Type::F80, extended.to_bits(), Parts::from(extended))]
            {
                let got = to(from, ty, bits);
                match parts.class {
                    Class::Nan => prop_assert!(fcmp(FloatCC::Uno, ty, got, got)),
                    Class::Inf => prop_assert_eq!(got, format.infinity(parts.neg)),
                    Class::Finite { mant, exp } => {
                        prop_assert_eq!(got, round(parts.neg, mant.into(), exp, false, format).0);
                    }
                }
            }
        }
    }

    #[test]
    fn integers_become_halves_with_one_rounding(a in word()) {
        for (ty, format) in HALVES {
            let got = defined(cast(CastOp::Uitofp, Type::I128, ty, a, Side::Host)).unwrap();
            prop_assert_eq!(got, round(false, a, 0, false, format).0);
            let got = defined(cast(CastOp::Sitofp, Type::I128, ty, a, Side::Host)).unwrap();
            let x = a as i128;
            prop_assert_eq!(got, round(x < 0, x.unsigned_abs(), 0, false, format).0);
        }
    }

    /// Significands and exponents for which the exact result is an integer of 128 bits.
    #[test]
    fn halves_are_computed_with_one_rounding(
        m in prop::array::uniform3(-2047i128..2048),
        e in prop::array::uniform3(0u32..24),
    ) {
        for (ty, format) in HALVES {
            // Scaled so that the smallest is subnormal or not much larger, and a product's unit is that of the sum.
            let low = if ty == Type::F16 { -12 } else { -60 };
            let limit = (1 << format.precision) - 1;
            let m = m.map(|m| m % limit);
            let e = if ty == Type::F16 { e.map(|e| e % 9) } else { e };
            let half = |m: i128, exp: i32| round(m < 0, m.unsigned_abs(), exp, false, format).0;
            let (a, b) = (half(m[0], low + e[0] as i32), half(m[1], low + e[1] as i32));
            let c = half(m[2], low + e[2] as i32);
            let exact = m[0] * m[1] * (1 << (e[0] + e[1])) + m[2] * (1i128 << e[2] << -low);
            if exact != 0 {
                let want = round(exact < 0, exact.unsigned_abs(), 2 * low, false, format).0;
                prop_assert_eq!(ternary(TernaryOp::Fma, ty, a, b, c), want, "{} {:?} {:?}", ty, m, e);
            }
            let product = m[0] * m[1] * (1 << (e[0] + e[1]));
            if product != 0 {
                let want = round(product < 0, product.unsigned_abs(), 2 * low, false, format).0;
                prop_assert_eq!(defined(binary(BinaryOp::Fmul, false, ty, a, b, Side::Host)), Some(want));
            }
            let sum = m[0] * (1 << e[0]) + m[2] * (1 << e[2]);
            if sum != 0 {
                let want = round(sum < 0, sum.unsigned_abs(), low, false, format).0;
                prop_assert_eq!(defined(binary(BinaryOp::Fadd, false, ty, a, c, Side::Host)), Some(want));
            }
        }
    }
}

fn int_of_double(op: CastOp, x: f64, side: Side) -> (u128, Option<Ub>) {
    cast(op, Type::F64, Type::I128, x.to_bits().into(), side)
}

#[test]
fn integers_of_128_bits_have_their_whole_range() {
    let largest = f64::from_bits(2f64.powi(127).to_bits() - 1);
    for side in both_sides() {
        assert_eq!(int_of_double(CastOp::Fptosi, largest, side), (largest as u128, None));
        assert_eq!(int_of_double(CastOp::Fptosi, -2f64.powi(127), side), (1 << 127, None));
        assert_eq!(int_of_double(CastOp::Fptoui, 2f64.powi(127), side), (1 << 127, None));
        let float = cast(CastOp::Fptoui, Type::F32, Type::I128, f32::MAX.to_bits().into(), side);
        assert_eq!(float, (f32::MAX as u128, None));
        // 1.5 * 2^126, and 1.5 * 2^127.
        for (exponent, op, value) in [(126, CastOp::Fptosi, 3 << 125), (127, CastOp::Fptoui, 3 << 126)] {
            let x = F80 { se: 16383 + exponent, mant: 3 << 62 };
            assert_eq!(cast(op, Type::F80, Type::I128, x.to_bits(), side), (value, None));
        }
    }
    assert_eq!(int_of_double(CastOp::Fptosi, 2f64.powi(127), Side::Host).1, Some(Ub::FloatRange));
    assert_eq!(int_of_double(CastOp::Fptoui, 2f64.powi(128), Side::Host).1, Some(Ub::FloatRange));
}

#[test]
fn an_addend_far_below_breaks_a_tie() {
    let b = |x: f32| u128::from(x.to_bits() >> 16);
    let fma = |x: f32, y: f32, z: f32| ternary(TernaryOp::Fma, Type::BF16, b(x), b(y), b(z));
    // (1 + 2^-4) * (1 + 2^-4) = 1 + 2^-3 + 2^-8 lies in the middle of two numbers. The even one is below.
    let (x, tiny) = (1.0 + 2f32.powi(-4), 2f32.powi(-100));
    let (below, above) = (1.0 + 2f32.powi(-3), 1.0 + 2f32.powi(-3) + 2f32.powi(-7));
    assert_eq!(fma(x, x, 0.0), b(below));
    assert_eq!(fma(x, x, tiny), b(above));
    assert_eq!(fma(x, x, -tiny), b(below));
    assert_eq!(fma(x, -x, -tiny), b(-above));
    assert_eq!(fma(x, -x, tiny), b(-below));
}

#[test]
fn the_device_s_nan_is_one() {
    for bits in [0x7fc0_0000, 0xffc0_0000, 0x7f80_0001, 0x7fff_ffff] {
        assert_eq!(gpu_nan(bits), 0x7fff_ffff);
    }
    for x in [0.0, -0.0, 1.5, f32::INFINITY, f32::MIN_POSITIVE / 2.0] {
        assert_eq!(gpu_nan(x.to_bits()), x.to_bits());
    }
}
