//! Pure operations on the bits of single values of any type: what every fast path must agree with.

use crate::native::f80::F80;
use cudair_bytecode::GenKind;
use cudair_ir::*;
use half::{bf16, f16};

/// Undefined behaviour met while evaluating.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Ub {
    /// Division by zero. There is no value to go on with.
    DivZero,
    /// `MIN / -1`. There is no value to go on with.
    DivOverflow,
    /// Signed overflow; the result is the wrapped one.
    Overflow,
    /// A shift amount that is negative or not less than the width.
    Shift,
    /// A floating value outside the range of the integer type it is converted to.
    FloatRange,
    /// Two pointers into different objects were subtracted.
    PtrDiff,
    /// Two pointers into different objects were ordered.
    PtrOrder,
    /// An index outside its row or member array.
    Row,
}

impl Ub {
    /// Whether the program cannot go on.
    pub(crate) fn is_fatal(self) -> bool {
        matches!(self, Ub::DivZero | Ub::DivOverflow)
    }
}

/// A value, and what was undefined about it.
pub(crate) type Eval = (u128, Option<Ub>);

fn ok(bits: u128) -> Eval {
    (bits, None)
}

/// The value of the low bits as a signed integer.
#[inline(always)]
fn signed(bits: u128, ty: Type) -> i128 {
    let shift = 128 - ty.bits();
    ((bits << shift) as i128) >> shift
}

/// Evaluates a generic operation. `ty` is the type of its first operand (for `select` of the last), `res`
/// that of the result. `device` says which side's rules hold where C leaves the result open.
pub(crate) fn generic(kind: GenKind, args: &[u128], ty: Type, res: Type, device: bool) -> Eval {
    let a = args.first().copied().unwrap_or(0);
    let b = args.get(1).copied().unwrap_or(0);
    let c = args.get(2).copied().unwrap_or(0);
    match kind {
        GenKind::Unary { op, nsw } => unary(op, nsw, ty, a),
        GenKind::Binary { op, nsw } => binary(op, nsw, ty, a, b, device),
        GenKind::Cast(op) => cast(op, ty, res, a, device),
        GenKind::Icmp(cc) => ok(icmp(cc, ty, a, b).into()),
        GenKind::Fcmp(cc) => ok(fcmp(cc, ty, a, b).into()),
        GenKind::Ternary(op) => ok(ternary(op, res, a, b, c)),
        GenKind::Copy => ok(a),
    }
}

/// One operand.
pub(crate) fn unary(op: UnaryOp, nsw: bool, ty: Type, a: u128) -> Eval {
    use UnaryOp::*;
    let bits = ty.bits();
    let mask = ty.bit_mask();
    ok(match op {
        Ineg => {
            let r = a.wrapping_neg() & mask;
            let overflow = nsw && a == 1 << (bits - 1);
            return (r, overflow.then_some(Ub::Overflow));
        }
        Inot => !a & mask,
        Popcnt => a.count_ones().into(),
        Clz => u128::from((a << (128 - bits)).leading_zeros().min(bits)),
        Ctz => u128::from(a.trailing_zeros().min(bits)),
        Bitrev => a.reverse_bits() >> (128 - bits),
        Bswap => a.swap_bytes() >> (128 - bits),
        Fneg => a ^ 1 << (bits - 1),
        Fabs => a & !(1 << (bits - 1)),
        Fsqrt | Ffloor | Fceil | Ftrunc | Fnearest => match ty {
            Type::F80 => {
                let x = F80::from_bits(a);
                match op {
                    Fsqrt => x.sqrt(),
                    Ffloor => x.floor(),
                    Fceil => x.ceil(),
                    Ftrunc => x.trunc(),
                    _ => x.round_even(),
                }
                .to_bits()
            }
            Type::F64 => {
                let x = f64::from_bits(a as u64);
                let r = match op {
                    Fsqrt => x.sqrt(),
                    Ffloor => x.floor(),
                    Fceil => x.ceil(),
                    Ftrunc => x.trunc(),
                    _ => x.round_ties_even(),
                };
                r.to_bits().into()
            }
            // A square root in binary32 rounded to half is correctly rounded, 24 >= 2 * 11 + 2.
            _ => {
                let x = to_f32(ty, a);
                from_f32(
                    ty,
                    match op {
                        Fsqrt => x.sqrt(),
                        Ffloor => x.floor(),
                        Fceil => x.ceil(),
                        Ftrunc => x.trunc(),
                        _ => x.round_ties_even(),
                    },
                )
            }
        },
    })
}

/// A value of a floating type of at most 32 bits.
fn to_f32(ty: Type, bits: u128) -> f32 {
    match ty {
        Type::F16 => f16::from_bits(bits as u16).to_f32(),
        Type::BF16 => bf16::from_bits(bits as u16).to_f32(),
        _ => f32::from_bits(bits as u32),
    }
}

fn from_f32(ty: Type, x: f32) -> u128 {
    match ty {
        Type::F16 => f16::from_f32(x).to_bits().into(),
        Type::BF16 => bf16::from_f32(x).to_bits().into(),
        _ => x.to_bits().into(),
    }
}

/// C's `fmin` and `fmax`: a NaN loses against a number; of two zeros the smaller sign wins.
pub(crate) trait FloatMinMax: Copy {
    /// The smaller.
    fn c_min(self, other: Self) -> Self;
    /// The larger.
    fn c_max(self, other: Self) -> Self;
}

macro_rules! min_max {
    ($($t:ty)*) => {$(
        impl FloatMinMax for $t {
            #[inline(always)]
            fn c_min(self, b: $t) -> $t {
                if self < b || b.is_nan() || (self == b && self.is_sign_negative()) { self } else { b }
            }
            #[inline(always)]
            fn c_max(self, b: $t) -> $t {
                if self > b || b.is_nan() || (self == b && self.is_sign_positive()) { self } else { b }
            }
        }
    )*};
}
min_max!(f32 f64);

/// Two operands.
pub(crate) fn binary(op: BinaryOp, nsw: bool, ty: Type, a: u128, b: u128, device: bool) -> Eval {
    use BinaryOp::*;
    if op.is_float() {
        return ok(float_binary(op, ty, a, b));
    }
    let bits = ty.bits();
    let mask = ty.bit_mask();
    let (sa, sb) = (signed(a, ty), signed(b, ty));
    let cut = |x: u128| x & mask;
    let check = |r: Option<i128>, wrapped: u128| {
        let fits = r.is_some_and(|r| signed(r as u128, ty) == r);
        (wrapped & mask, (nsw && !fits).then_some(Ub::Overflow))
    };
    match op {
        Iadd => check(sa.checked_add(sb), a.wrapping_add(b)),
        Isub => check(sa.checked_sub(sb), a.wrapping_sub(b)),
        Imul => check(sa.checked_mul(sb), a.wrapping_mul(b)),
        Smulhi if bits == 128 => ok(mulhi_signed(sa, sb) as u128),
        Umulhi if bits == 128 => ok(mulhi(a, b)),
        Smulhi => ok(cut(((sa * sb) >> bits) as u128)),
        Umulhi => ok(cut((a * b) >> bits)),
        Sdiv | Srem => {
            if sb == 0 {
                return (0, Some(Ub::DivZero));
            }
            let r = if op == Sdiv { sa.checked_div(sb) } else { sa.checked_rem(sb) };
            match r {
                Some(_) if sb == -1 && a == 1 << (bits - 1) => (a, Some(Ub::DivOverflow)),
                Some(r) => ok(cut(r as u128)),
                None => (a, Some(Ub::DivOverflow)),
            }
        }
        Udiv | Urem => {
            if b == 0 {
                return (0, Some(Ub::DivZero));
            }
            ok(if op == Udiv { a / b } else { a % b })
        }
        And => ok(a & b),
        Or => ok(a | b),
        Xor => ok(a ^ b),
        Shl | Lshr | Ashr => {
            let (n, ub) = if b < bits.into() {
                (b as u32, None)
            } else if device {
                // The device clamps the amount: everything is shifted out.
                let r = if op == Ashr && sa < 0 { mask } else { 0 };
                return (r, Some(Ub::Shift));
            } else {
                (b as u32 & (bits.max(32) - 1), Some(Ub::Shift))
            };
            let r = match op {
                Shl => a.checked_shl(n).unwrap_or(0),
                Lshr => a.checked_shr(n).unwrap_or(0),
                _ => (sa >> n.min(127)) as u128,
            };
            let r = cut(r);
            if ub.is_none() && nsw && op == Shl && (sa < 0 || signed(r, ty) >> n != sa) {
                return (r, Some(Ub::Overflow));
            }
            (r, ub)
        }
        Rotl => {
            let n = (b % u128::from(bits)) as u32;
            ok(if n == 0 { a } else { cut(a << n) | a >> (bits - n) })
        }
        Smin => ok(if sa <= sb { a } else { b }),
        Smax => ok(if sa >= sb { a } else { b }),
        Umin => ok(a.min(b)),
        Umax => ok(a.max(b)),
        Fadd | Fsub | Fmul | Fdiv | Frem | Fmin | Fmax | Fcopysign => ok(0),
    }
}

fn mulhi(a: u128, b: u128) -> u128 {
    let (al, ah) = (a & u128::from(u64::MAX), a >> 64);
    let (bl, bh) = (b & u128::from(u64::MAX), b >> 64);
    let mid = ((al * bl) >> 64) + ((ah * bl) & u128::from(u64::MAX)) + ((al * bh) & u128::from(u64::MAX));
    ah * bh + ((ah * bl) >> 64) + ((al * bh) >> 64) + (mid >> 64)
}

fn mulhi_signed(a: i128, b: i128) -> i128 {
    let mut r = mulhi(a as u128, b as u128);
    if a < 0 {
        r = r.wrapping_sub(b as u128);
    }
    if b < 0 {
        r = r.wrapping_sub(a as u128);
    }
    r as i128
}

fn float_binary(op: BinaryOp, ty: Type, a: u128, b: u128) -> u128 {
    use BinaryOp::*;
    let sign = 1u128 << (ty.bits() - 1);
    if op == Fcopysign {
        return a & !sign | b & sign;
    }
    match ty {
        Type::F80 => {
            let (x, y) = (F80::from_bits(a), F80::from_bits(b));
            match op {
                Fadd => x.add(y),
                Fsub => x.sub(y),
                Fmul => x.mul(y),
                Fdiv => x.div(y),
                Frem => x.rem(y),
                _ => {
                    let less = match x.compare(y) {
                        Some(std::cmp::Ordering::Equal) => x.is_negative(),
                        Some(o) => o.is_lt(),
                        None => y.is_nan(),
                    };
                    let more = match x.compare(y) {
                        Some(std::cmp::Ordering::Equal) => !x.is_negative(),
                        Some(o) => o.is_gt(),
                        None => y.is_nan(),
                    };
                    if if op == Fmin { less } else { more } { x } else { y }
                }
            }
            .to_bits()
        }
        Type::F64 => {
            let (x, y) = (f64::from_bits(a as u64), f64::from_bits(b as u64));
            let r = match op {
                Fadd => x + y,
                Fsub => x - y,
                Fmul => x * y,
                Fdiv => x / y,
                Frem => x % y,
                Fmin => x.c_min(y),
                _ => x.c_max(y),
            };
            r.to_bits().into()
        }
        // Binary32 holds every half product, quotient and sum precisely enough to round twice.
        _ => {
            let (x, y) = (to_f32(ty, a), to_f32(ty, b));
            from_f32(
                ty,
                match op {
                    Fadd => x + y,
                    Fsub => x - y,
                    Fmul => x * y,
                    Fdiv => x / y,
                    Frem => x % y,
                    Fmin => x.c_min(y),
                    _ => x.c_max(y),
                },
            )
        }
    }
}

/// Conversions.
pub(crate) fn cast(op: CastOp, from: Type, to: Type, a: u128, device: bool) -> Eval {
    use CastOp::*;
    let cut = |x: u128| x & to.bit_mask();
    ok(match op {
        Trunc | Zext | Bitcast | Ptrtoint | Inttoptr | Spacecast => cut(a),
        Sext => cut(signed(a, from) as u128),
        Fptrunc | Fpext | Fpconv => float_to_float(from, to, a),
        Sitofp => int_to_float(signed(a, from), to),
        Uitofp => match i128::try_from(a) {
            Ok(x) => int_to_float(x, to),
            // Halved with the lost bit kept as a sticky one, converted, doubled.
            Err(_) => {
                let half = int_to_float((a >> 1 | a & 1) as i128, to);
                float_binary(BinaryOp::Fadd, to, half, half)
            }
        },
        Fptosi | Fptoui => return float_to_int(op == Fptosi, from, to, a, device),
    })
}

/// The usual conversions between integers and floating point, of words, where nothing is lost but a fraction; none
/// where [`cast`] has to look.
#[inline]
pub(crate) fn cast_word(op: CastOp, from: Type, to: Type, a: u64) -> Option<u64> {
    let sign_extended = |x: u64, bits: u32| (x << (64 - bits)) as i64 >> (64 - bits);
    match op {
        CastOp::Fptosi | CastOp::Fptoui => {
            let x = match from {
                Type::F64 => f64::from_bits(a),
                Type::F32 => f64::from(f32::from_bits(a as u32)),
                _ => return None,
            };
            const BOUND: f64 = (1u64 << 62) as f64;
            let bits = to.bits();
            if bits > 64 || x.is_nan() || x.abs() >= BOUND {
                return None;
            }
            let whole = x as i64;
            let fits = match op {
                CastOp::Fptosi => sign_extended(whole as u64, bits) == whole,
                _ => whole >= 0 && whole as u64 & to.bit_mask() as u64 == whole as u64,
            };
            fits.then_some(whole as u64 & to.bit_mask() as u64)
        }
        CastOp::Sitofp | CastOp::Uitofp => {
            let bits = from.bits();
            if bits > 64 || bits == 0 {
                return None;
            }
            let signed = sign_extended(a, bits);
            Some(match (to, op) {
                (Type::F64, CastOp::Sitofp) => (signed as f64).to_bits(),
                (Type::F64, _) => (a as f64).to_bits(),
                (Type::F32, CastOp::Sitofp) => u64::from((signed as f32).to_bits()),
                (Type::F32, _) => u64::from((a as f32).to_bits()),
                _ => return None,
            })
        }
        _ => None,
    }
}

fn float_to_float(from: Type, to: Type, a: u128) -> u128 {
    match (from, to) {
        (Type::F80, Type::F64) => F80::from_bits(a).to_f64().to_bits().into(),
        (Type::F80, Type::F32) => F80::from_bits(a).to_f32().to_bits().into(),
        (Type::F80, Type::F16) => f16::from_f32(odd_f32(odd_f64(F80::from_bits(a)))).to_bits().into(),
        (Type::F80, Type::BF16) => bf16::from_f32(odd_f32(odd_f64(F80::from_bits(a)))).to_bits().into(),
        (Type::F64, Type::F80) => F80::from_f64(f64::from_bits(a as u64)).to_bits(),
        (Type::F64, Type::F16) => f16::from_f32(odd_f32(f64::from_bits(a as u64))).to_bits().into(),
        (Type::F64, Type::BF16) => bf16::from_f32(odd_f32(f64::from_bits(a as u64))).to_bits().into(),
        (Type::F64, Type::F32) => (f64::from_bits(a as u64) as f32).to_bits().into(),
        (_, Type::F80) => F80::from_f64(f64::from(to_f32(from, a))).to_bits(),
        (_, Type::F64) => f64::from(to_f32(from, a)).to_bits().into(),
        _ => from_f32(to, to_f32(from, a)),
    }
}

/// Rounded to odd, so that a second rounding to a much narrower format is right.
fn odd_f32(x: f64) -> f32 {
    let r = x as f32;
    if r.is_nan() || f64::from(r) == x || r.to_bits() & 1 != 0 {
        return r;
    }
    let away = f64::from(r.abs()) > x.abs();
    f32::from_bits(if away { r.to_bits() - 1 } else { r.to_bits() + 1 })
}

/// The same from the extended format.
fn odd_f64(x: F80) -> f64 {
    let r = x.to_f64();
    if r.is_nan() || r.is_infinite() || F80::from_f64(r).compare(x) == Some(std::cmp::Ordering::Equal) {
        return r;
    }
    let toward_zero = match F80::from_f64(r.abs()).compare(x.with_sign(false)) {
        Some(std::cmp::Ordering::Greater) => f64::from_bits(r.to_bits() - 1),
        _ => r,
    };
    f64::from_bits(toward_zero.to_bits() | 1)
}

fn int_to_float(x: i128, to: Type) -> u128 {
    match to {
        Type::F80 => F80::from_i128(x).to_bits(),
        Type::F64 => (x as f64).to_bits().into(),
        Type::F32 => (x as f32).to_bits().into(),
        // A half's precision is far below binary64's, but a rounding to binary64 first may hit a tie.
        _ => {
            let bits = float_to_float(Type::F80, to, F80::from_i128(x).to_bits());
            bits & to.bit_mask()
        }
    }
}

fn float_to_int(is_signed: bool, from: Type, to: Type, a: u128, device: bool) -> Eval {
    let (whole, nan, negative) = match from {
        Type::F80 => {
            let x = F80::from_bits(a);
            (x.trunc().to_i128(), x.is_nan(), x.is_negative())
        }
        _ => {
            let x = if from == Type::F64 { f64::from_bits(a as u64) } else { f64::from(to_f32(from, a)) };
            let t = x.trunc();
            let whole = (t.abs() < 1.7e38).then_some(t as i128);
            (whole, x.is_nan(), x.is_sign_negative())
        }
    };
    let bits = to.bits();
    let (lo, hi): (i128, u128) = if is_signed {
        (i128::MIN >> (128 - bits), i128::MAX as u128 >> (128 - bits))
    } else {
        (0, to.bit_mask())
    };
    if let Some(v) = whole
        && !nan
        && v >= lo
        && (v < 0 || v as u128 <= hi)
    {
        return ok(v as u128 & to.bit_mask());
    }
    let bits_of = |v: u128| v & to.bit_mask();
    if device {
        return ok(if nan { 0 } else { bits_of(if negative { lo as u128 } else { hi }) });
    }
    // What the host's instruction gives: the smallest integer.
    let r = if is_signed {
        lo as u128
    } else {
        match whole {
            Some(v) if bits < 64 && !nan => v as u128,
            _ => 1 << (bits - 1),
        }
    };
    (bits_of(r), Some(Ub::FloatRange))
}

/// Integer and pointer comparison.
pub(crate) fn icmp(cc: IntCC, ty: Type, a: u128, b: u128) -> bool {
    let (sa, sb) = (signed(a, ty), signed(b, ty));
    match cc {
        IntCC::Eq => a == b,
        IntCC::Ne => a != b,
        IntCC::Slt => sa < sb,
        IntCC::Sle => sa <= sb,
        IntCC::Sgt => sa > sb,
        IntCC::Sge => sa >= sb,
        IntCC::Ult => a < b,
        IntCC::Ule => a <= b,
        IntCC::Ugt => a > b,
        IntCC::Uge => a >= b,
    }
}

/// Floating comparison.
pub(crate) fn fcmp(cc: FloatCC, ty: Type, a: u128, b: u128) -> bool {
    let order = match ty {
        Type::F80 => F80::from_bits(a).compare(F80::from_bits(b)),
        Type::F64 => f64::from_bits(a as u64).partial_cmp(&f64::from_bits(b as u64)),
        _ => to_f32(ty, a).partial_cmp(&to_f32(ty, b)),
    };
    fcmp_order(cc, order)
}

/// A condition on the outcome of a comparison (`None` where an operand is NaN).
pub(crate) fn fcmp_order(cc: FloatCC, order: Option<std::cmp::Ordering>) -> bool {
    use FloatCC::*;
    match order {
        None => matches!(cc, Uno | Ueq | Une | Ult | Ule | Ugt | Uge),
        Some(o) => match cc {
            Oeq | Ueq => o.is_eq(),
            One | Une => o.is_ne(),
            Olt | Ult => o.is_lt(),
            Ole | Ule => o.is_le(),
            Ogt | Ugt => o.is_gt(),
            Oge | Uge => o.is_ge(),
            Ord => true,
            Uno => false,
        },
    }
}

/// Three operands of type `ty` (the first of `select` is an `i1`).
pub(crate) fn ternary(op: TernaryOp, ty: Type, a: u128, b: u128, c: u128) -> u128 {
    let bits = ty.bits();
    match op {
        TernaryOp::Select => {
            if a & 1 != 0 {
                b
            } else {
                c
            }
        }
        TernaryOp::Fshl | TernaryOp::Fshr => {
            let n = (c % u128::from(bits)) as u32;
            let r = match (op, n) {
                (TernaryOp::Fshl, 0) => a,
                (_, 0) => b,
                (TernaryOp::Fshl, n) => a << n | b >> (bits - n),
                (_, n) => b >> n | a << (bits - n),
            };
            r & ty.bit_mask()
        }
        TernaryOp::Fma => match ty {
            Type::F80 => {
                // The product of two 64-bit significands has 128 bits, which `F80` cannot hold.
                let p = F80::from_bits(a).mul(F80::from_bits(b));
                p.add(F80::from_bits(c)).to_bits()
            }
            Type::F64 => f64::from_bits(a as u64)
                .mul_add(f64::from_bits(b as u64), f64::from_bits(c as u64))
                .to_bits()
                .into(),
            Type::F32 => f32::from_bits(a as u32)
                .mul_add(f32::from_bits(b as u32), f32::from_bits(c as u32))
                .to_bits()
                .into(),
            // The product of two halves is exact in binary64, and the sum rounded to odd is rounded once more.
            _ => {
                let (x, y, z) = (to_f32(ty, a), to_f32(ty, b), to_f32(ty, c));
                let p = F80::from_f64(f64::from(x) * f64::from(y)).add(F80::from_f64(f64::from(z)));
                float_to_float(Type::F80, ty, p.to_bits())
            }
        },
    }
}
