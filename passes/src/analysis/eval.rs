//! Evaluation of single operations on known bits, for witnesses. What is not known, or would be undefined
//! behaviour, gives `None`.

use cudair_ir::{BinaryOp, CastOp, FloatCC, IntCC, TernaryOp, Type, UnaryOp};

/// The bits as a signed integer of the type's width.
pub fn signed(ty: Type, bits: u128) -> i128 {
    let shift = 128 - ty.bits();
    ((bits << shift) as i128) >> shift
}

fn float(ty: Type, bits: u128) -> Option<f64> {
    match ty {
        Type::F32 => Some(f64::from(f32::from_bits(bits as u32))),
        Type::F64 => Some(f64::from_bits(bits as u64)),
        _ => None,
    }
}

fn from_float(ty: Type, value: f64) -> Option<u128> {
    match ty {
        Type::F32 => Some(u128::from((value as f32).to_bits())),
        Type::F64 => Some(u128::from(value.to_bits())),
        _ => None,
    }
}

/// One operand.
pub fn unary(op: UnaryOp, ty: Type, a: u128) -> Option<u128> {
    let width = ty.bits();
    let out = match op {
        UnaryOp::Ineg => a.wrapping_neg(),
        UnaryOp::Inot => !a,
        UnaryOp::Fneg => a ^ (1 << (width - 1)),
        UnaryOp::Fabs => a & !(1 << (width - 1)),
        UnaryOp::Fsqrt => from_float(ty, float(ty, a)?.sqrt())?,
        UnaryOp::Ffloor => from_float(ty, float(ty, a)?.floor())?,
        UnaryOp::Fceil => from_float(ty, float(ty, a)?.ceil())?,
        UnaryOp::Ftrunc => from_float(ty, float(ty, a)?.trunc())?,
        UnaryOp::Fnearest => from_float(ty, float(ty, a)?.round_ties_even())?,
        UnaryOp::Popcnt => u128::from(a.count_ones()),
        UnaryOp::Clz => u128::from(a.leading_zeros() - (128 - width)),
        UnaryOp::Ctz => u128::from(a.trailing_zeros().min(width)),
        UnaryOp::Bitrev => a.reverse_bits() >> (128 - width),
        UnaryOp::Bswap => a.swap_bytes() >> (128 - width),
    };
    Some(out & ty.bit_mask())
}

/// Two operands.
pub fn binary(op: BinaryOp, ty: Type, a: u128, b: u128) -> Option<u128> {
    let (sa, sb) = (signed(ty, a), signed(ty, b));
    let width = u128::from(ty.bits());
    let out = match op {
        BinaryOp::Iadd => a.wrapping_add(b),
        BinaryOp::Isub => a.wrapping_sub(b),
        BinaryOp::Imul => a.wrapping_mul(b),
        BinaryOp::Smulhi if width <= 64 => ((sa * sb) >> width) as u128,
        BinaryOp::Umulhi if width <= 64 => (a * b) >> width,
        BinaryOp::Smulhi | BinaryOp::Umulhi => return None,
        BinaryOp::Sdiv => sa.checked_div(sb)? as u128,
        BinaryOp::Udiv => a.checked_div(b)?,
        BinaryOp::Srem => sa.checked_rem(sb)? as u128,
        BinaryOp::Urem => a.checked_rem(b)?,
        BinaryOp::And => a & b,
        BinaryOp::Or => a | b,
        BinaryOp::Xor => a ^ b,
        BinaryOp::Shl if b < width => a << b,
        BinaryOp::Lshr if b < width => a >> b,
        BinaryOp::Ashr if b < width => (sa >> b) as u128,
        BinaryOp::Shl | BinaryOp::Lshr | BinaryOp::Ashr => return None,
        BinaryOp::Rotl => {
            let by = b % width;
            if by == 0 { a } else { (a << by) | (a >> (width - by)) }
        }
        BinaryOp::Smin => sa.min(sb) as u128,
        BinaryOp::Smax => sa.max(sb) as u128,
        BinaryOp::Umin => a.min(b),
        BinaryOp::Umax => a.max(b),
        _ => {
            let (x, y) = (float(ty, a)?, float(ty, b)?);
            let value = match op {
                BinaryOp::Fadd => x + y,
                BinaryOp::Fsub => x - y,
                BinaryOp::Fmul => x * y,
                BinaryOp::Fdiv => x / y,
                BinaryOp::Frem => x % y,
                BinaryOp::Fmin => x.min(y),
                BinaryOp::Fmax => x.max(y),
                BinaryOp::Fcopysign => x.copysign(y),
                _ => return None,
            };
            from_float(ty, value)?
        }
    };
    Some(out & ty.bit_mask())
}

/// Three operands.
pub fn ternary(op: TernaryOp, ty: Type, a: u128, b: u128, c: u128) -> Option<u128> {
    match op {
        TernaryOp::Select => Some(if a & 1 == 1 { b } else { c }),
        TernaryOp::Fma => from_float(ty, float(ty, a)?.mul_add(float(ty, b)?, float(ty, c)?)),
        TernaryOp::Fshl | TernaryOp::Fshr => {
            let width = u128::from(ty.bits());
            if width > 64 {
                return None;
            }
            let both = (a << width) | b;
            let by = c % width;
            let out = if op == TernaryOp::Fshl { (both << by) >> width } else { both >> by };
            Some(out & ty.bit_mask())
        }
    }
}

/// Integer and pointer comparison.
pub fn icmp(cc: IntCC, ty: Type, a: u128, b: u128) -> bool {
    let (sa, sb) = (signed(ty, a), signed(ty, b));
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
pub fn fcmp(cc: FloatCC, ty: Type, a: u128, b: u128) -> Option<bool> {
    let (x, y) = (float(ty, a)?, float(ty, b)?);
    let unordered = x.is_nan() || y.is_nan();
    Some(match cc {
        FloatCC::Oeq => x == y,
        FloatCC::One => !unordered && x != y,
        FloatCC::Olt => x < y,
        FloatCC::Ole => x <= y,
        FloatCC::Ogt => x > y,
        FloatCC::Oge => x >= y,
        FloatCC::Ord => !unordered,
        FloatCC::Uno => unordered,
        FloatCC::Ueq => unordered || x == y,
        FloatCC::Une => x != y,
        FloatCC::Ult => unordered || x < y,
        FloatCC::Ule => unordered || x <= y,
        FloatCC::Ugt => unordered || x > y,
        FloatCC::Uge => unordered || x >= y,
    })
}

/// A conversion.
pub fn cast(op: CastOp, from: Type, to: Type, a: u128) -> Option<u128> {
    let out = match op {
        CastOp::Trunc
        | CastOp::Zext
        | CastOp::Bitcast
        | CastOp::Ptrtoint
        | CastOp::Inttoptr
        | CastOp::Spacecast => a,
        CastOp::Sext => signed(from, a) as u128,
        CastOp::Fptrunc | CastOp::Fpext | CastOp::Fpconv => from_float(to, float(from, a)?)?,
        CastOp::Fptosi => {
            let x = float(from, a)?.trunc();
            let limit = 2f64.powi(to.bits() as i32 - 1);
            if !(x >= -limit && x < limit) {
                return None;
            }
            (x as i128) as u128
        }
        CastOp::Fptoui => {
            let x = float(from, a)?.trunc();
            if !(x >= 0.0 && x < 2f64.powi(to.bits() as i32)) {
                return None;
            }
            x as u128
        }
        CastOp::Sitofp => from_float(to, signed(from, a) as f64)?,
        CastOp::Uitofp => from_float(to, a as f64)?,
    };
    Some(out & to.bit_mask())
}
