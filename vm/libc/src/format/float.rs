//! Conversions of floating numbers: `%f`, `%e`, `%g` and `%a`.

use super::super::decimal::Decimal;
use super::{Output, Spec};
use cudair_ir::f80::{Class, Parts};

/// The text of a floating number without sign and padding: parts in the order of writing, with runs of
/// zeros that need not be held.
#[derive(Default)]
struct Text {
    before: Vec<u8>,
    zeros_before: u64,
    middle: Vec<u8>,
    zeros: u64,
    after: Vec<u8>,
}

impl Text {
    fn len(&self) -> u64 {
        self.before.len() as u64
            + self.zeros_before
            + self.middle.len() as u64
            + self.zeros
            + self.after.len() as u64
    }
}

pub(super) fn float(
    spec: &Spec,
    width: u64,
    precision: Option<u64>,
    parts: Parts,
    long: bool,
    out: &mut Output,
) {
    let upper = spec.conversion.is_ascii_uppercase();
    let sign: &[u8] = match (parts.neg, spec.plus, spec.space) {
        (true, ..) => b"-",
        (_, true, _) => b"+",
        (_, _, true) => b" ",
        _ => b"",
    };
    let (mut prefix, text, zero_pad) = match parts.class {
        Class::Nan | Class::Inf => {
            let word: &[u8] = match (parts.class == Class::Nan, upper) {
                (true, true) => b"NAN",
                (true, false) => b"nan",
                (false, true) => b"INF",
                (false, false) => b"inf",
            };
            (sign.to_vec(), Text { before: word.to_vec(), ..Text::default() }, false)
        }
        Class::Finite { mant, exp } => match spec.conversion.to_ascii_lowercase() {
            b'a' => {
                let mut prefix = sign.to_vec();
                prefix.extend_from_slice(if upper { b"0X" } else { b"0x" });
                (prefix, hexadecimal(spec, precision, mant, exp, long, upper), true)
            }
            b'f' => (
                sign.to_vec(),
                fixed(spec, precision.unwrap_or(6), Decimal::from_binary(mant, exp), false),
                true,
            ),
            b'e' => {
                let mut decimal = Decimal::from_binary(mant, exp);
                let precision = precision.unwrap_or(6);
                decimal.round_to(i64::try_from(precision).unwrap_or(i64::MAX).saturating_add(1));
                (sign.to_vec(), scientific(spec, precision, &decimal, false, upper), true)
            }
            _ => {
                let digits = precision.unwrap_or(6).max(1);
                let mut decimal = Decimal::from_binary(mant, exp);
                decimal.round_to(i64::try_from(digits).unwrap_or(i64::MAX));
                let x = if decimal.digits.is_empty() { 0 } else { i64::from(decimal.point) - 1 };
                let text = if x >= -4 && x < digits as i64 {
                    fixed(spec, (digits as i64 - 1 - x) as u64, decimal, !spec.alt)
                } else {
                    scientific(spec, digits - 1, &decimal, !spec.alt, upper)
                };
                (sign.to_vec(), text, true)
            }
        },
    };
    let len = prefix.len() as u64 + text.len();
    let mut pad = width.saturating_sub(len);
    let mut lead = 0;
    if spec.zero && !spec.left && zero_pad {
        lead = std::mem::take(&mut pad);
    }
    if !spec.left {
        out.fill(b' ', pad);
    }
    out.put(&std::mem::take(&mut prefix));
    out.fill(b'0', lead);
    out.put(&text.before);
    out.fill(b'0', text.zeros_before);
    out.put(&text.middle);
    out.fill(b'0', text.zeros);
    out.put(&text.after);
    if spec.left {
        out.fill(b' ', pad);
    }
}

/// `123.456`: `precision` digits after the point; `strip` drops those that are zero at the end.
fn fixed(spec: &Spec, precision: u64, mut decimal: Decimal, strip: bool) -> Text {
    let limit = i64::from(decimal.point).saturating_add(i64::try_from(precision).unwrap_or(i64::MAX));
    decimal.round_to(limit);
    let mut text = Text::default();
    let whole = if decimal.digits.is_empty() { 0 } else { i64::from(decimal.point).max(0) as usize };
    if whole == 0 {
        text.before.push(b'0');
    } else {
        // Behind the digits that count stand zeros.
        text.before.extend((0..whole).map(|i| b'0' + decimal.digits.get(i).copied().unwrap_or(0)));
    }
    let fraction = decimal.digits.get(whole..).unwrap_or(&[]);
    let gap = if decimal.digits.is_empty() { 0 } else { i64::from(-decimal.point).max(0) as u64 };
    let shown = gap * u64::from(!fraction.is_empty()) + fraction.len() as u64;
    let wanted = if strip { shown } else { precision };
    if wanted > 0 || spec.alt {
        text.before.push(b'.');
    }
    if fraction.is_empty() {
        text.zeros = wanted;
    } else {
        text.zeros_before = gap;
        text.middle.extend(fraction.iter().map(|d| d + b'0'));
        text.zeros = wanted - shown;
    }
    text
}

/// `1.234e+05`.
fn scientific(spec: &Spec, precision: u64, decimal: &Decimal, strip: bool, upper: bool) -> Text {
    let mut text = Text::default();
    let (first, fraction) = match decimal.digits.split_first() {
        Some((first, rest)) => (*first, rest),
        None => (0, &[][..]),
    };
    text.before.push(b'0' + first);
    let wanted = if strip { fraction.len() as u64 } else { precision };
    if wanted > 0 || spec.alt {
        text.before.push(b'.');
    }
    text.middle.extend(fraction.iter().map(|d| d + b'0'));
    text.zeros = wanted - fraction.len() as u64;
    let exponent = if decimal.digits.is_empty() { 0 } else { decimal.point - 1 };
    let sign = if exponent < 0 { '-' } else { '+' };
    let letter = if upper { 'E' } else { 'e' };
    text.after = format!("{letter}{sign}{:02}", exponent.unsigned_abs()).into_bytes();
    text
}

/// `1.8p+3` after the prefix. A `double` has one leading bit, a `long double` four.
fn hexadecimal(spec: &Spec, precision: Option<u64>, mant: u64, exp: i32, long: bool, upper: bool) -> Text {
    // The leading digit and the fraction's digits, and the exponent of the leading digit's lowest bit.
    let (mut lead, mut fraction, fraction_digits, mut exponent) = if mant == 0 {
        (0, 0, if long { 15 } else { 13 }, 0)
    } else if long {
        (mant >> 60, mant << 4 >> 4, 15, exp + 60)
    } else {
        (mant >> 52, mant & ((1 << 52) - 1), 13, exp + 52)
    };
    let mut digits = fraction_digits;
    let zeros = match precision {
        None => {
            while digits > 0 && fraction.trailing_zeros() >= 4 {
                fraction >>= 4;
                digits -= 1;
            }
            0
        }
        Some(p) if p >= digits as u64 => p - digits as u64,
        Some(p) => {
            let drop = 4 * (digits as u32 - p as u32);
            let tail = fraction & ((1 << drop) - 1);
            let half = 1 << (drop - 1);
            fraction = if drop == 64 { 0 } else { fraction >> drop };
            digits = p as usize;
            let odd = if p == 0 { lead & 1 == 1 } else { fraction & 1 == 1 };
            if tail > half || tail == half && odd {
                fraction += 1;
                if fraction >> (4 * digits) != 0 {
                    fraction = 0;
                    lead += 1;
                }
            }
            if lead > 15 {
                lead = 1;
                exponent += 4;
            }
            0
        }
    };
    let mut text = Text::default();
    text.before.push(char::from_digit(lead as u32, 16).map_or(b'0', |c| c as u8));
    if digits > 0 || zeros > 0 || spec.alt {
        text.before.push(b'.');
    }
    if digits > 0 {
        text.middle = format!("{fraction:0digits$x}").into_bytes();
    }
    text.zeros = zeros;
    text.after = format!("p{exponent:+}").into_bytes();
    if upper {
        text.before.make_ascii_uppercase();
        text.middle.make_ascii_uppercase();
        text.after.make_ascii_uppercase();
    }
    text
}
