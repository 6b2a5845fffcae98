//! Floating numbers: binary32 and binary64 natively, `f80` in software, the halves in binary32.

use crate::f80::F80;
use crate::{BinaryOp, FloatCC, Type, UnaryOp};
use half::{bf16, f16};
use std::cmp::Ordering;

/// The bits of a number of binary32, the GPU's NaN in place of any other (PTX ISA, "Floating-point instructions").
#[inline(always)]
pub fn gpu_nan(bits: u32) -> u32 {
    if f32::from_bits(bits).is_nan() { 0x7fff_ffff } else { bits }
}

/// A value of a floating type of at most 32 bits.
pub(super) fn to_f32(ty: Type, bits: u128) -> f32 {
    match ty {
        Type::F16 => f16::from_bits(bits as u16).to_f32(),
        Type::BF16 => bf16::from_bits(bits as u16).to_f32(),
        _ => f32::from_bits(bits as u32),
    }
}

/// The nearest value of a floating type of at most 32 bits.
pub(super) fn from_f32(ty: Type, x: f32) -> u128 {
    match ty {
        Type::F16 => f16::from_f32(x).to_bits().into(),
        Type::BF16 => bf16::from_f32(x).to_bits().into(),
        _ => x.to_bits().into(),
    }
}

/// Sums and products whose result is told where operands are NaNs: the first of them, quiet. Machines differ in that, and a
/// compiler may exchange the operands of an instruction.
pub trait FirstNan: Copy {
    /// `self + b`.
    fn plus(self, b: Self) -> Self;
    /// `self * b`.
    fn times(self, b: Self) -> Self;
    /// `self * b + c`, rounded once.
    fn fused(self, b: Self, c: Self) -> Self;
}

macro_rules! first_nan {
    ($($t:ident, $quiet:expr;)*) => {$(
        impl FirstNan for $t {
            #[inline(always)]
            fn plus(self, b: $t) -> $t {
                let r = self + b;
                if r.is_nan() { $t::first(r, self, b) } else { r }
            }
            #[inline(always)]
            fn times(self, b: $t) -> $t {
                let r = self * b;
                if r.is_nan() { $t::first(r, self, b) } else { r }
            }
            #[inline(always)]
            fn fused(self, b: $t, c: $t) -> $t {
                let r = self.mul_add(b, c);
                let first = if self.is_nan() { self } else if b.is_nan() { b } else { c };
                if first.is_nan() { <$t>::from_bits(first.to_bits() | $quiet) } else { r }
            }
        }

        impl First for $t {
            #[cold]
            fn first(result: $t, a: $t, b: $t) -> $t {
                let first = if a.is_nan() { a } else { b };
                if first.is_nan() { <$t>::from_bits(first.to_bits() | $quiet) } else { result }
            }
        }
    )*};
}

/// The first NaN of two operands, quiet, or a result that is none of theirs.
trait First {
    fn first(result: Self, a: Self, b: Self) -> Self;
}
first_nan!(f32, 1 << 22; f64, 1 << 51;);

/// C's `fmin` and `fmax`: a NaN loses against a number. Of two zeros `fmin` takes the negative one and `fmax` the
/// positive one, as PTX does; C leaves this open.
pub trait FloatMinMax: Copy {
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

impl FloatMinMax for F80 {
    fn c_min(self, b: F80) -> F80 {
        let wins = match self.compare(b) {
            Some(Ordering::Equal) => self.is_negative(),
            Some(o) => o.is_lt(),
            None => b.is_nan(),
        };
        if wins { self } else { b }
    }

    fn c_max(self, b: F80) -> F80 {
        let wins = match self.compare(b) {
            Some(Ordering::Equal) => !self.is_negative(),
            Some(o) => o.is_gt(),
            None => b.is_nan(),
        };
        if wins { self } else { b }
    }
}

macro_rules! unary_native {
    ($op:expr, $x:expr) => {{
        let x = $x;
        match $op {
            UnaryOp::Fsqrt => x.sqrt(),
            UnaryOp::Ffloor => x.floor(),
            UnaryOp::Fceil => x.ceil(),
            UnaryOp::Ftrunc => x.trunc(),
            _ => x.round_ties_even(),
        }
    }};
}

pub(super) fn unary(op: UnaryOp, ty: Type, a: u128) -> u128 {
    let sign = 1u128 << (ty.bits() - 1);
    match op {
        UnaryOp::Fneg => return a ^ sign,
        UnaryOp::Fabs => return a & !sign,
        _ => {}
    }
    match ty {
        Type::F80 => {
            let x = F80::from_bits(a);
            match op {
                UnaryOp::Fsqrt => x.sqrt(),
                UnaryOp::Ffloor => x.floor(),
                UnaryOp::Fceil => x.ceil(),
                UnaryOp::Ftrunc => x.trunc(),
                _ => x.round_even(),
            }
            .to_bits()
        }
        Type::F64 => unary_native!(op, f64::from_bits(a as u64)).to_bits().into(),
        // A square root in binary32 rounded to half is correctly rounded, 24 >= 2 * 11 + 2.
        _ => from_f32(ty, unary_native!(op, to_f32(ty, a))),
    }
}

macro_rules! binary_native {
    ($op:expr, $x:expr, $y:expr) => {{
        let (x, y) = ($x, $y);
        match $op {
            BinaryOp::Fadd => x.plus(y),
            BinaryOp::Fsub => x - y,
            BinaryOp::Fmul => x.times(y),
            BinaryOp::Fdiv => x / y,
            BinaryOp::Frem => x % y,
            BinaryOp::Fmin => x.c_min(y),
            _ => x.c_max(y),
        }
    }};
}

pub(super) fn binary(op: BinaryOp, ty: Type, a: u128, b: u128) -> u128 {
    let sign = 1u128 << (ty.bits() - 1);
    if op == BinaryOp::Fcopysign {
        return a & !sign | b & sign;
    }
    match ty {
        Type::F80 => {
            let (x, y) = (F80::from_bits(a), F80::from_bits(b));
            match op {
                BinaryOp::Fadd => x.add(y),
                BinaryOp::Fsub => x.sub(y),
                BinaryOp::Fmul => x.mul(y),
                BinaryOp::Fdiv => x.div(y),
                BinaryOp::Frem => x.rem(y),
                BinaryOp::Fmin => x.c_min(y),
                _ => x.c_max(y),
            }
            .to_bits()
        }
        Type::F64 => binary_native!(op, f64::from_bits(a as u64), f64::from_bits(b as u64)).to_bits().into(),
        // Binary32 holds every half product, quotient and sum precisely enough to round twice.
        _ => from_f32(ty, binary_native!(op, to_f32(ty, a), to_f32(ty, b))),
    }
}

/// `a * b + c`.
pub(super) fn fma(ty: Type, a: u128, b: u128, c: u128) -> u128 {
    match ty {
        Type::F80 => {
            // The product of two 64-bit significands has 128 bits, which `F80` cannot hold.
            let p = F80::from_bits(a).mul(F80::from_bits(b));
            p.add(F80::from_bits(c)).to_bits()
        }
        Type::F64 => {
            let r = f64::from_bits(a as u64).fused(f64::from_bits(b as u64), f64::from_bits(c as u64));
            r.to_bits().into()
        }
        Type::F32 => {
            let r = f32::from_bits(a as u32).fused(f32::from_bits(b as u32), f32::from_bits(c as u32));
            r.to_bits().into()
        }
        // The product of two halves is exact in binary64.
        _ => {
            let (x, y, z) = (to_f32(ty, a), to_f32(ty, b), to_f32(ty, c));
            let (p, z) = (f64::from(x) * f64::from(y), f64::from(z));
            if (p + z).is_finite() {
                return super::cast::to_half(ty, odd_sum(p, z));
            }
            // Infinities and NaN, with the sign and payload that the extended format gives.
            super::cast::float_to_float(Type::F80, ty, F80::from_f64(p).add(F80::from_f64(z)).to_bits())
        }
    }
}

/// A finite sum, rounded to odd, so that a second rounding to a much narrower format is right (Boldo and Melquiond,
/// "Emulation of FMA and correctly rounded sums").
fn odd_sum(x: f64, y: f64) -> f64 {
    let sum = x + y;
    // The error of the sum, exactly (Knuth's two-sum).
    let part = sum - x;
    let error = (x - (sum - part)) + (y - part);
    if error == 0.0 || sum.to_bits() & 1 != 0 {
        return sum;
    }
    let outward = (error > 0.0) == (sum > 0.0);
    f64::from_bits(if outward { sum.to_bits() + 1 } else { sum.to_bits() - 1 })
}

/// A floating comparison.
pub fn fcmp(cc: FloatCC, ty: Type, a: u128, b: u128) -> bool {
    let order = match ty {
        Type::F80 => F80::from_bits(a).compare(F80::from_bits(b)),
        Type::F64 => f64::from_bits(a as u64).partial_cmp(&f64::from_bits(b as u64)),
        _ => to_f32(ty, a).partial_cmp(&to_f32(ty, b)),
    };
    fcmp_order(cc, order)
}

/// A condition on the outcome of a comparison (`None` where an operand is NaN).
pub fn fcmp_order(cc: FloatCC, order: Option<Ordering>) -> bool {
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
