//! The x87 extended format, the host's `long double`, in software, and the rounding that it shares with
//! the conversions to the other binary formats.

use std::cmp::Ordering;

/// A binary floating format with a sign, an exponent and a mantissa.
#[derive(Clone, Copy, Debug)]
pub struct BinaryFormat {
    /// Bits of precision, the leading one included.
    pub precision: u32,
    /// Bits of the exponent.
    pub exponent_bits: u32,
    /// Whether the leading bit is stored.
    pub explicit: bool,
}

/// `float`.
pub const BINARY32: BinaryFormat = BinaryFormat { precision: 24, exponent_bits: 8, explicit: false };
/// `double`.
pub const BINARY64: BinaryFormat = BinaryFormat { precision: 53, exponent_bits: 11, explicit: false };
/// `long double`.
pub const EXTENDED: BinaryFormat = BinaryFormat { precision: 64, exponent_bits: 15, explicit: true };

impl BinaryFormat {
    /// The bias of the exponent, which is also the largest exponent.
    pub fn bias(self) -> i32 {
        (1 << (self.exponent_bits - 1)) - 1
    }

    /// The bits of infinity.
    pub fn infinity(self, neg: bool) -> u128 {
        let stored = if self.explicit { self.precision } else { self.precision - 1 };
        let leading = if self.explicit { 1u128 << (stored - 1) } else { 0 };
        ((self.sign(neg) | ((1 << self.exponent_bits) - 1)) << stored) | leading
    }

    fn sign(self, neg: bool) -> u128 {
        u128::from(neg) << self.exponent_bits
    }
}

/// What rounding did.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Rounded {
    /// The value is exact, or rounded and normal.
    Fine,
    /// Too large: the result is infinite.
    Overflow,
    /// Below the normal range and not exact.
    Underflow,
}

/// How a result that is not exact is rounded.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mode {
    /// To nearest, ties to even.
    Nearest,
    /// Towards zero.
    Zero,
    /// Towards plus infinity.
    Up,
    /// Towards minus infinity.
    Down,
}

/// The bits in `format` nearest to `mant * 2^exp` (ties to even); `sticky` says that the true value is
/// a little larger in magnitude.
pub fn round(neg: bool, mant: u128, exp: i32, sticky: bool, format: BinaryFormat) -> (u128, Rounded) {
    round_mode(neg, mant, exp, sticky, format, Mode::Nearest)
}

/// [`round`] in any rounding mode.
pub fn round_mode(
    neg: bool,
    mant: u128,
    exp: i32,
    sticky: bool,
    format: BinaryFormat,
    mode: Mode,
) -> (u128, Rounded) {
    let p = format.precision;
    let stored = if format.explicit { p } else { p - 1 };
    if mant == 0 {
        let state = if sticky { Rounded::Underflow } else { Rounded::Fine };
        return (format.sign(neg) << stored, state);
    }
    let bias = format.bias();
    let shift = mant.leading_zeros();
    let mant = mant << shift;
    // The value is 1.xxx * 2^lead.
    let lead = exp.saturating_sub(shift as i32).saturating_add(127);
    let min = 1 - bias;
    let denormal = lead < min;
    // Bits of `mant` that are kept.
    let keep = if denormal { i64::from(p) - (i64::from(min) - i64::from(lead)) } else { i64::from(p) };
    let (mut kept, half, rest) = match keep {
        ..0 => (0, false, true),
        0 => (0, true, (mant << 1) != 0 || sticky),
        _ => {
            let drop = 128 - keep as u32;
            let tail = mant << (128 - drop);
            (mant >> drop, tail >> 127 == 1, (tail << 1) != 0 || sticky)
        }
    };
    let inexact = half || rest;
    let away = match mode {
        Mode::Nearest => half && (rest || kept & 1 == 1),
        Mode::Zero => false,
        Mode::Up => inexact && !neg,
        Mode::Down => inexact && neg,
    };
    if away {
        kept += 1;
    }
    let mut exponent = if denormal { 0 } else { i64::from(lead) + i64::from(bias) };
    if kept >> p != 0 {
        kept >>= 1;
        exponent += 1;
    }
    if denormal && kept >> (p - 1) != 0 {
        exponent = 1;
    }
    if exponent > 2 * i64::from(bias) {
        let saturates = match mode {
            Mode::Nearest => false,
            Mode::Zero => true,
            Mode::Up => neg,
            Mode::Down => !neg,
        };
        // The largest finite number is the pattern just below infinity's, with the leading bit as it is.
        let leading = if format.explicit { 1u128 << (p - 1) } else { 0 };
        let largest = (format.infinity(neg) - leading - 1) | leading;
        let bits = if saturates { largest } else { format.infinity(neg) };
        return (bits, Rounded::Overflow);
    }
    let field = if format.explicit { kept } else { kept & ((1 << (p - 1)) - 1) };
    let bits = ((format.sign(neg) | exponent as u128) << stored) | field;
    (bits, if denormal && inexact { Rounded::Underflow } else { Rounded::Fine })
}

/// An x87 extended number.
#[derive(Clone, Copy, Debug, Default)]
pub struct F80 {
    /// Sign (top bit) and exponent.
    pub se: u16,
    /// The mantissa with its leading bit.
    pub mant: u64,
}

/// A floating number taken apart.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Parts {
    /// The sign bit.
    pub neg: bool,
    /// What it is.
    pub class: Class,
}

/// The magnitude of a floating number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Class {
    /// Not a number.
    Nan,
    /// Infinite.
    Inf,
    /// `mant * 2^exp`; zero if `mant` is 0.
    Finite {
        /// The mantissa.
        mant: u64,
        /// The exponent of its lowest bit.
        exp: i32,
    },
}

impl From<f64> for Parts {
    fn from(x: f64) -> Parts {
        let bits = x.to_bits();
        let field = (bits >> 52 & 0x7ff) as i32;
        let mant = bits & ((1 << 52) - 1);
        let class = match (field, mant) {
            (0x7ff, 0) => Class::Inf,
            (0x7ff, _) => Class::Nan,
            (0, _) => Class::Finite { mant, exp: -1074 },
            _ => Class::Finite { mant: mant | 1 << 52, exp: field - 1075 },
        };
        Parts { neg: bits >> 63 == 1, class }
    }
}

impl From<F80> for Parts {
    fn from(x: F80) -> Parts {
        let field = i32::from(x.se & 0x7fff);
        let class = match field {
            0x7fff if x.mant << 1 == 0 => Class::Inf,
            0x7fff => Class::Nan,
            // Without its leading bit, a number that is not denormal is invalid: the x87 takes it as NaN.
            1.. if x.mant >> 63 == 0 => Class::Nan,
            _ => Class::Finite { mant: x.mant, exp: field.max(1) - 16383 - 63 },
        };
        Parts { neg: x.se >> 15 == 1, class }
    }
}

#[allow(clippy::should_implement_trait, reason = "operations of an interpreted type, called by name")]
impl F80 {
    /// Positive zero.
    pub const ZERO: F80 = F80 { se: 0, mant: 0 };
    /// One.
    pub const ONE: F80 = F80 { se: 16383, mant: 1 << 63 };
    /// The default NaN of the x87 (negative, quiet).
    pub const NAN: F80 = F80 { se: 0xffff, mant: 0xc000_0000_0000_0000 };

    /// From the low 80 bits.
    pub fn from_bits(bits: u128) -> F80 {
        F80 { se: (bits >> 64) as u16, mant: bits as u64 }
    }

    /// The 80 bits.
    pub fn to_bits(self) -> u128 {
        u128::from(self.se) << 64 | u128::from(self.mant)
    }

    /// Infinity.
    pub fn infinity(neg: bool) -> F80 {
        F80::from_bits(EXTENDED.infinity(neg))
    }

    /// The number nearest to `mant * 2^exp`, and a little more where `sticky`.
    pub fn rounded(neg: bool, mant: u128, exp: i32, sticky: bool) -> F80 {
        F80::from_bits(round(neg, mant, exp, sticky, EXTENDED).0)
    }

    /// Whether this is not a number.
    pub fn is_nan(self) -> bool {
        Parts::from(self).class == Class::Nan
    }

    /// Whether this is an infinity.
    pub fn is_infinite(self) -> bool {
        Parts::from(self).class == Class::Inf
    }

    /// Whether this is a zero.
    pub fn is_zero(self) -> bool {
        matches!(Parts::from(self).class, Class::Finite { mant: 0, .. })
    }

    /// The sign bit.
    pub fn is_negative(self) -> bool {
        self.se >> 15 == 1
    }

    /// The magnitude with the sign given.
    pub fn with_sign(self, neg: bool) -> F80 {
        F80 { se: self.se & 0x7fff | u16::from(neg) << 15, ..self }
    }

    /// The negated number.
    pub fn negated(self) -> F80 {
        self.with_sign(!self.is_negative())
    }

    /// From a `double`, exactly.
    pub fn from_f64(x: f64) -> F80 {
        let p = Parts::from(x);
        match p.class {
            Class::Nan => {
                let payload = (x.to_bits() << 11) | 3 << 62;
                F80 { se: 0x7fff | u16::from(p.neg) << 15, mant: payload }
            }
            Class::Inf => F80::infinity(p.neg),
            Class::Finite { mant, exp } => F80::rounded(p.neg, u128::from(mant), exp, false),
        }
    }

    /// To the nearest `double`.
    pub fn to_f64(self) -> f64 {
        let p = Parts::from(self);
        match p.class {
            Class::Nan => {
                let bits = u64::from(p.neg) << 63 | 0x7ff8 << 48 | (self.mant << 1 >> 12);
                f64::from_bits(bits)
            }
            Class::Inf => f64::from_bits(BINARY64.infinity(p.neg) as u64),
            Class::Finite { mant, exp } => {
                f64::from_bits(round(p.neg, u128::from(mant), exp, false, BINARY64).0 as u64)
            }
        }
    }

    /// To the nearest `float`.
    pub fn to_f32(self) -> f32 {
        let p = Parts::from(self);
        match p.class {
            Class::Finite { mant, exp } => {
                f32::from_bits(round(p.neg, u128::from(mant), exp, false, BINARY32).0 as u32)
            }
            _ => self.to_f64() as f32,
        }
    }

    /// From an integer, exactly up to 64 bits.
    pub fn from_i128(x: i128) -> F80 {
        F80::rounded(x < 0, x.unsigned_abs(), 0, false)
    }

    /// Towards zero; `None` where the number does not fit.
    pub fn to_i128(self) -> Option<i128> {
        let magnitude = self.magnitude()?;
        if self.is_negative() { 0i128.checked_sub_unsigned(magnitude) } else { magnitude.try_into().ok() }
    }

    /// The magnitude without its fraction; `None` where 128 bits do not hold it, and of NaN.
    pub fn magnitude(self) -> Option<u128> {
        let Class::Finite { mant, exp } = Parts::from(self).class else { return None };
        match exp {
            _ if mant == 0 => Some(0),
            0..=64 => Some(u128::from(mant) << exp),
            -63..0 => Some(u128::from(mant >> -exp)),
            ..-63 => Some(0),
            _ => None,
        }
    }

    /// Numeric comparison; `None` where one is NaN.
    pub fn compare(self, other: F80) -> Option<Ordering> {
        if self.is_nan() || other.is_nan() {
            return None;
        }
        if self.is_zero() && other.is_zero() {
            return Some(Ordering::Equal);
        }
        let key = |x: F80| {
            let magnitude = (i128::from(x.se & 0x7fff) << 64) | i128::from(x.mant);
            if x.is_negative() { -magnitude } else { magnitude }
        };
        Some(key(self).cmp(&key(other)))
    }

    fn nan_of(self, other: F80) -> F80 {
        let quiet = |x: F80| F80 { mant: x.mant | 3 << 62, ..x };
        match (self.is_nan(), other.is_nan()) {
            (true, true) if other.mant > self.mant => quiet(other),
            (true, _) => quiet(self),
            _ => quiet(other),
        }
    }

    /// Addition.
    pub fn add(self, other: F80) -> F80 {
        let (a, b) = (Parts::from(self), Parts::from(other));
        match (a.class, b.class) {
            (Class::Nan, _) | (_, Class::Nan) => self.nan_of(other),
            (Class::Inf, Class::Inf) if a.neg != b.neg => F80::NAN,
            (Class::Inf, _) => self,
            (_, Class::Inf) => other,
            (Class::Finite { mant: ma, exp: ea }, Class::Finite { mant: mb, exp: eb }) => {
                if ma == 0 && mb == 0 {
                    return F80::ZERO.with_sign(a.neg && b.neg);
                }
                if mb == 0 {
                    return self;
                }
                if ma == 0 {
                    return other;
                }
                let (hi, lo) = if (ea, ma) >= (eb, mb) {
                    ((a, ma, ea), (b, mb, eb))
                } else {
                    ((b, mb, eb), (a, ma, ea))
                };
                let distance = (hi.2 - lo.2) as u32;
                let big = u128::from(hi.1) << 62;
                let small = u128::from(lo.1) << 62;
                let (small, sticky) = if distance > 126 {
                    (0, true)
                } else {
                    (small >> distance, distance > 0 && small << (128 - distance) != 0)
                };
                let exp = hi.2 - 62;
                if hi.0.neg == lo.0.neg {
                    return F80::rounded(hi.0.neg, big + small, exp, sticky);
                }
                // What was shifted out is taken away from the difference: one less, and a little more.
                let diff = big - small - u128::from(sticky);
                if diff == 0 && !sticky {
                    return F80::ZERO;
                }
                F80::rounded(hi.0.neg, diff, exp, sticky)
            }
        }
    }

    /// Subtraction.
    pub fn sub(self, other: F80) -> F80 {
        if other.is_nan() { self.nan_of(other) } else { self.add(other.negated()) }
    }

    /// Multiplication.
    pub fn mul(self, other: F80) -> F80 {
        let (a, b) = (Parts::from(self), Parts::from(other));
        let neg = a.neg != b.neg;
        match (a.class, b.class) {
            (Class::Nan, _) | (_, Class::Nan) => self.nan_of(other),
            (Class::Inf, _) if other.is_zero() => F80::NAN,
            (_, Class::Inf) if self.is_zero() => F80::NAN,
            (Class::Inf, _) | (_, Class::Inf) => F80::infinity(neg),
            (Class::Finite { mant: ma, exp: ea }, Class::Finite { mant: mb, exp: eb }) => {
                F80::rounded(neg, u128::from(ma) * u128::from(mb), ea + eb, false)
            }
        }
    }

    /// Division.
    pub fn div(self, other: F80) -> F80 {
        let (a, b) = (Parts::from(self), Parts::from(other));
        let neg = a.neg != b.neg;
        match (a.class, b.class) {
            (Class::Nan, _) | (_, Class::Nan) => self.nan_of(other),
            (Class::Inf, Class::Inf) => F80::NAN,
            (Class::Inf, _) => F80::infinity(neg),
            (_, Class::Inf) => F80::ZERO.with_sign(neg),
            (Class::Finite { mant: 0, .. }, Class::Finite { mant: 0, .. }) => F80::NAN,
            (_, Class::Finite { mant: 0, .. }) => F80::infinity(neg),
            (Class::Finite { mant: ma, exp: ea }, Class::Finite { mant: mb, exp: eb }) => {
                let (za, zb) = (ma.leading_zeros(), mb.leading_zeros());
                if ma == 0 {
                    return F80::ZERO.with_sign(neg);
                }
                let n = u128::from(ma << za) << 64;
                let d = u128::from(mb << zb);
                // The quotient may have 64 bits only: one more is needed to round.
                let (q, rest) = (n / d, (n % d) << 1);
                let bit = rest >= d;
                let rest = if bit { rest - d } else { rest };
                let exp = ea - za as i32 - 64 - (eb - zb as i32);
                F80::rounded(neg, q << 1 | u128::from(bit), exp - 1, rest != 0)
            }
        }
    }

    /// Square root.
    pub fn sqrt(self) -> F80 {
        let p = Parts::from(self);
        match p.class {
            Class::Nan => self.nan_of(self),
            Class::Finite { mant: 0, .. } => self,
            _ if p.neg => F80::NAN,
            Class::Inf => self,
            Class::Finite { mant, exp } => {
                let z = mant.leading_zeros();
                let (mut m, mut e) = (u128::from(mant << z) << 64, exp - z as i32 - 64);
                if e & 1 != 0 {
                    m >>= 1;
                    e += 1;
                }
                let root = m.isqrt();
                // The remainder tells on which side of the half the true root lies; a tie cannot be.
                let rest = m - root * root;
                let doubled = root << 1 | u128::from(rest > root);
                F80::rounded(false, doubled, e / 2 - 1, rest != 0)
            }
        }
    }

    /// C's `fmod`: exact.
    pub fn rem(self, other: F80) -> F80 {
        let (a, b) = (Parts::from(self), Parts::from(other));
        match (a.class, b.class) {
            (Class::Nan, _) | (_, Class::Nan) => self.nan_of(other),
            (Class::Inf, _) | (_, Class::Finite { mant: 0, .. }) => F80::NAN,
            (_, Class::Inf) => self,
            (Class::Finite { mant: ma, exp: ea }, Class::Finite { mant: mb, exp: eb }) => {
                if ma == 0 {
                    return self;
                }
                let (za, zb) = (ma.leading_zeros() as i32, mb.leading_zeros() as i32);
                let (ma, ea, mb, eb) = (ma << za, ea - za, mb << zb, eb - zb);
                if ea < eb {
                    return self;
                }
                let divisor = u128::from(mb);
                let mut rest = u128::from(ma) % divisor;
                let mut left = ea - eb;
                while left > 0 && rest != 0 {
                    let step = left.min(64);
                    rest = (rest << step) % divisor;
                    left -= step;
                }
                F80::rounded(a.neg, rest, eb, false)
            }
        }
    }

    /// Rounded to an integer: `up` says, from the integer part's lowest bit, whether the half and less
    /// than the half is left over, whether to go away from zero.
    fn to_integral(self, up: impl Fn(bool, u64, bool, bool) -> bool) -> F80 {
        let p = Parts::from(self);
        let Class::Finite { mant, exp } = p.class else { return self };
        if mant == 0 || exp >= 0 {
            return self;
        }
        let shift = -exp as u32;
        let (whole, half, rest) = match shift {
            1..=63 => {
                let tail = mant << (64 - shift);
                (mant >> shift, tail >> 63 == 1, tail << 1 != 0)
            }
            64 => (0, mant >> 63 == 1, mant << 1 != 0),
            _ => (0, false, true),
        };
        let whole = u128::from(whole) + u128::from((half || rest) && up(p.neg, whole, half, rest));
        F80::rounded(p.neg, whole, 0, false)
    }

    /// Towards minus infinity.
    pub fn floor(self) -> F80 {
        self.to_integral(|neg, _, _, _| neg)
    }

    /// Towards plus infinity.
    pub fn ceil(self) -> F80 {
        self.to_integral(|neg, _, _, _| !neg)
    }

    /// Towards zero.
    pub fn trunc(self) -> F80 {
        self.to_integral(|_, _, _, _| false)
    }

    /// To nearest, ties away from zero.
    pub fn round_away(self) -> F80 {
        self.to_integral(|_, _, half, _| half)
    }

    /// To nearest, ties to even.
    pub fn round_even(self) -> F80 {
        self.to_integral(|_, whole, half, rest| half && (rest || whole & 1 == 1))
    }

    /// Times a power of two.
    pub fn scale(self, n: i32) -> F80 {
        let p = Parts::from(self);
        match p.class {
            Class::Finite { mant, exp } => {
                let n = n.clamp(-70_000, 70_000);
                F80::rounded(p.neg, u128::from(mant), exp + n, false)
            }
            _ => self,
        }
    }
}
