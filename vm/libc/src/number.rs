//! Numbers from text: `strtol`, `strtod` and kin.

use super::decimal::to_binary;
use cudair_ir::f80::{BinaryFormat, Rounded, round};

/// `isspace` in the C locale.
pub fn is_space(b: u8) -> bool {
    matches!(b, b' ' | b'\t'..=b'\r')
}

/// What `strtol` and kin make of a text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ParsedInt {
    /// The magnitude, saturated at `u64::MAX`.
    pub magnitude: u64,
    /// Whether a minus stood before it.
    pub neg: bool,
    /// Whether the magnitude did not fit.
    pub overflow: bool,
    /// Bytes consumed; 0 where there was no number.
    pub consumed: usize,
}

impl ParsedInt {
    /// The value as a signed integer of `bits` bits, saturated; whether it was out of range.
    pub fn signed(self, bits: u32) -> (i64, bool) {
        let max = u64::MAX >> (65 - bits);
        let limit = max + u64::from(self.neg);
        let out = self.overflow || self.magnitude > limit;
        let magnitude = if out { limit } else { self.magnitude };
        (if self.neg { (magnitude as i64).wrapping_neg() } else { magnitude as i64 }, out)
    }

    /// The value as an unsigned integer of 64 bits: a minus negates it, too large saturates.
    pub fn unsigned(self) -> (u64, bool) {
        match (self.overflow, self.neg) {
            (true, _) => (u64::MAX, true),
            (_, true) => (self.magnitude.wrapping_neg(), false),
            _ => (self.magnitude, false),
        }
    }
}

/// Parses an integer: white space, sign, digits of `base` (0 takes the prefix's). `binary` allows the
/// prefix `0b` (C23).
pub fn parse_int(text: &[u8], base: u32, binary: bool) -> ParsedInt {
    let none = ParsedInt { magnitude: 0, neg: false, overflow: false, consumed: 0 };
    if base == 1 || base > 36 {
        return none;
    }
    let mut at = text.iter().take_while(|&&b| is_space(b)).count();
    let neg = text.get(at) == Some(&b'-');
    if matches!(text.get(at), Some(b'-' | b'+')) {
        at += 1;
    }
    let digit = |i: usize, base: u32| text.get(i).and_then(|&b| char::from(b).to_digit(base));
    let mut base = base;
    let marker = text.get(at + 1).map(u8::to_ascii_lowercase);
    if text.get(at) == Some(&b'0') {
        if (base == 0 || base == 16) && marker == Some(b'x') && digit(at + 2, 16).is_some() {
            base = 16;
            at += 2;
        } else if binary && (base == 0 || base == 2) && marker == Some(b'b') && digit(at + 2, 2).is_some() {
            base = 2;
            at += 2;
        } else if base == 0 {
            base = 8;
        }
    } else if base == 0 {
        base = 10;
    }
    let start = at;
    let mut magnitude = 0u64;
    let mut overflow = false;
    while let Some(d) = digit(at, base) {
        match magnitude.checked_mul(u64::from(base)).and_then(|m| m.checked_add(u64::from(d))) {
            Some(m) => magnitude = m,
            None => overflow = true,
        }
        at += 1;
    }
    if at == start {
        return none;
    }
    ParsedInt { magnitude: if overflow { u64::MAX } else { magnitude }, neg, overflow, consumed: at }
}

/// What `strtod` and kin make of a text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ParsedFloat {
    /// The bits in the format asked for.
    pub bits: u128,
    /// Whether it overflowed or underflowed (`ERANGE`).
    pub range: bool,
    /// Bytes consumed; 0 where there was no number.
    pub consumed: usize,
}

fn starts_with(text: &[u8], word: &[u8]) -> bool {
    text.len() >= word.len() && text[..word.len()].eq_ignore_ascii_case(word)
}

/// Parses a floating number: white space, sign, decimal or hexadecimal, `inf`, `nan`.
pub fn parse_float(text: &[u8], format: BinaryFormat) -> ParsedFloat {
    let mut at = text.iter().take_while(|&&b| is_space(b)).count();
    let neg = text.get(at) == Some(&b'-');
    if matches!(text.get(at), Some(b'-' | b'+')) {
        at += 1;
    }
    let rest = &text[at..];
    if starts_with(rest, b"inf") {
        let len = if starts_with(rest, b"infinity") { 8 } else { 3 };
        return ParsedFloat { bits: format.infinity(neg), range: false, consumed: at + len };
    }
    if starts_with(rest, b"nan") {
        let (payload, len) = nan_payload(&rest[3..]);
        let stored = if format.explicit { format.precision } else { format.precision - 1 };
        // The quiet bit is the highest of the fraction.
        let quiet = 1u128 << (format.precision - 2);
        let payload = u128::from(payload) & (quiet - 1);
        let bits = format.infinity(neg) | quiet | payload;
        debug_assert!(stored >= format.precision - 1);
        return ParsedFloat { bits, range: false, consumed: at + 3 + len };
    }
    let parsed = if rest.len() > 2 && rest[0] == b'0' && rest[1].eq_ignore_ascii_case(&b'x') {
        hexadecimal(neg, &rest[2..], format).map(|(bits, state, len)| (bits, state, len + 2))
    } else {
        None
    };
    match parsed.or_else(|| decimal(neg, rest, format)) {
        Some((bits, state, len)) => ParsedFloat { bits, range: state != Rounded::Fine, consumed: at + len },
        None => ParsedFloat { bits: 0, range: false, consumed: 0 },
    }
}

/// `(chars)` after `nan`: the payload and the bytes taken.
fn nan_payload(text: &[u8]) -> (u64, usize) {
    if text.first() != Some(&b'(') {
        return (0, 0);
    }
    let len = text[1..].iter().take_while(|b| b.is_ascii_alphanumeric() || **b == b'_').count();
    if text.get(len + 1) != Some(&b')') {
        return (0, 0);
    }
    let inside = &text[1..=len];
    let parsed = parse_int(inside, 0, false);
    (if parsed.consumed == inside.len() { parsed.magnitude } else { 0 }, len + 2)
}

/// An exponent after its letter: the value, clamped, and the bytes taken with the letter.
fn exponent(text: &[u8], letter: u8) -> (i64, usize) {
    if !text.first().is_some_and(|b| b.eq_ignore_ascii_case(&letter)) {
        return (0, 0);
    }
    let sign = matches!(text.get(1), Some(b'-' | b'+'));
    let start = 1 + usize::from(sign);
    let len = text[start.min(text.len())..].iter().take_while(|b| b.is_ascii_digit()).count();
    if len == 0 {
        return (0, 0);
    }
    let value =
        text[start..start + len].iter().fold(0i64, |n, b| (n * 10 + i64::from(b - b'0')).min(1 << 40));
    (if sign && text[1] == b'-' { -value } else { value }, start + len)
}

fn decimal(neg: bool, text: &[u8], format: BinaryFormat) -> Option<(u128, Rounded, usize)> {
    let mut digits = Vec::new();
    let mut point = None;
    let mut at = 0;
    while let Some(&b) = text.get(at) {
        match b {
            b'0'..=b'9' => digits.push(b - b'0'),
            b'.' if point.is_none() => point = Some(digits.len()),
            _ => break,
        }
        at += 1;
    }
    if digits.is_empty() {
        return None;
    }
    let (exp, len) = exponent(&text[at..], b'e');
    let point = point.unwrap_or(digits.len()) as i64 + exp;
    let (bits, state) = to_binary(neg, &digits, point, format);
    Some((bits, state, at + len))
}

fn hexadecimal(neg: bool, text: &[u8], format: BinaryFormat) -> Option<(u128, Rounded, usize)> {
    let mut mant = 0u128;
    let mut exp = 0i64;
    let mut sticky = false;
    let mut any = false;
    let mut point = false;
    let mut at = 0;
    while let Some(&b) = text.get(at) {
        if let Some(d) = char::from(b).to_digit(16) {
            any = true;
            if mant >> 124 == 0 {
                mant = mant << 4 | u128::from(d);
                exp -= 4 * i64::from(point);
            } else {
                sticky |= d != 0;
                exp += 4 * i64::from(!point);
            }
        } else if b == b'.' && !point {
            point = true;
        } else {
            break;
        }
        at += 1;
    }
    if !any {
        return None;
    }
    let (power, len) = exponent(&text[at..], b'p');
    let exp = (exp + power).clamp(-200_000, 200_000) as i32;
    let (bits, state) = round(neg, mant, exp, sticky, format);
    Some((bits, state, at + len))
}

#[cfg(test)]
#[allow(unsafe_code, reason = "calls the C library to compare with")]
mod tests {
    use super::*;
    use cudair_ir::f80::{BINARY32, BINARY64};
    use std::ffi::CString;

    fn theirs_float(text: &str) -> (u64, u32, usize, bool) {
        let c = CString::new(text).expect("no NUL");
        let mut end = std::ptr::null_mut();
        // SAFETY: the string is terminated, `end` lives; errno is this thread's.
        unsafe {
            *libc::__errno_location() = 0;
            let d = libc::strtod(c.as_ptr(), &raw mut end);
            let range = *libc::__errno_location() == libc::ERANGE;
            let consumed = end.offset_from(c.as_ptr()) as usize;
            let f = libc::strtof(c.as_ptr(), std::ptr::null_mut());
            (d.to_bits(), f.to_bits(), consumed, range)
        }
    }

    fn compare(text: &str) {
        let (d, f, consumed, range) = theirs_float(text);
        let ours = parse_float(text.as_bytes(), BINARY64);
        assert_eq!((ours.bits as u64, ours.consumed, ours.range), (d, consumed, range), "{text:?}");
        assert_eq!(parse_float(text.as_bytes(), BINARY32).bits as u32, f, "{text:?} as float");
    }

    #[test]
    fn floats_agree() {
        for text in [
            "",
            "1",
            "-1.5e3x",
            "  .5",
            ".",
            "1.",
            "1e",
            "1e+",
            "1e-3",
            "0x",
            "0x.",
            "0x1p",
            "0x1.8p1",
            "0x1.8p-1075",
            "0x.8p-1074",
            "0x1p-1075",
            "0x1.00001p-1075",
            "inf",
            "-Infinity",
            "infinit",
            "nan",
            "-nan",
            "nan(12)",
            "nan(0x7f)",
            "nan(q_1)",
            "nan(",
            "1e400",
            "-1e400",
            "1e-400",
            "4.9e-324",
            "2.4e-324",
            "2.5e-324",
            "2.2250738585072011e-308",
            "2.2250738585072014e-308",
            "179769313486231580793728971405301e276",
            "1.7976931348623159e308",
            "0e99999999999",
            "00000000000000000000000000000000000001",
            "1e99999999999999999999",
            "9007199254740993",
            "0x1fffffffffffff8p0",
            "0x1fffffffffffff.8p0",
            "1_0",
            "+3",
            "+-3",
            "- 3",
            "0x1.fffffffffffff8p1023",
        ] {
            compare(text);
        }
        let mut state = 5u64;
        for _ in 0..20_000 {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            let x = f64::from_bits(state ^ state >> 31);
            if x.is_finite() {
                compare(&format!("{x:e}"));
                compare(&format!("{:.*e}", (state >> 60) as usize, x));
            }
        }
    }

    #[test]
    fn integers_agree() {
        for text in [
            "",
            "0",
            "42",
            "-42",
            "  +7z",
            "0x1f",
            "0X",
            "0xg",
            "077",
            "08",
            "9223372036854775807",
            "9223372036854775808",
            "-9223372036854775808",
            "-9223372036854775809",
            "18446744073709551615",
            "18446744073709551616",
            "-1",
            "zz",
            "10110",
            "-",
            "+",
            "\t\n\x0b\x0c\r 12",
        ] {
            for base in [0, 2, 8, 10, 16, 36] {
                let c = CString::new(text).expect("no NUL");
                let mut end = std::ptr::null_mut();
                // SAFETY: the string is terminated and `end` lives.
                let (l, ul, consumed) = unsafe {
                    let l = libc::strtol(c.as_ptr(), &raw mut end, base);
                    (
                        l,
                        libc::strtoul(c.as_ptr(), std::ptr::null_mut(), base),
                        end.offset_from(c.as_ptr()) as usize,
                    )
                };
                let ours = parse_int(text.as_bytes(), base as u32, false);
                assert_eq!(
                    (ours.signed(64).0, ours.unsigned().0, ours.consumed),
                    (l, ul, consumed),
                    "{text:?} {base}"
                );
            }
        }
    }
}
