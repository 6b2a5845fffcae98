//! The text of string literals, back to code units.
//!
//! libclang shows a string literal by its spelling: concatenated, without user-defined suffix, with
//! the compiler's own escapes (octal for what is not printable, universal names in wide strings).

/// The code units of a literal as spelled (`"a\n"`, `L"h\x41i"`), without the terminating zero;
/// `unit` is the size of one in bytes. `None` where the spelling makes no sense.
pub(crate) fn string_units(spelling: &str, unit: u32) -> Option<Vec<u32>> {
    let open = spelling.find('"')?;
    let inner = spelling.get(open + 1..spelling.len().checked_sub(1)?)?;
    if !spelling.ends_with('"') {
        return None;
    }
    let mut units = Vec::with_capacity(inner.len());
    let mut chars = inner.chars().peekable();
    while let Some(c) = chars.next() {
        if c != '\\' {
            push_char(&mut units, c, unit);
            continue;
        }
        let escaped = chars.next()?;
        let simple = match escaped {
            'n' => 10,
            't' => 9,
            'r' => 13,
            'a' => 7,
            'b' => 8,
            'f' => 12,
            'v' => 11,
            'e' => 27,
            '\\' | '"' | '\'' | '?' => escaped as u32,
            '0'..='7' => {
                let mut value = escaped as u32 - '0' as u32;
                for _ in 0..2 {
                    match chars.peek().and_then(|c| c.to_digit(8)) {
                        Some(d) => {
                            value = value * 8 + d;
                            chars.next();
                        }
                        None => break,
                    }
                }
                value
            }
            'x' => {
                let mut value = 0u32;
                while let Some(d) = chars.peek().and_then(|c| c.to_digit(16)) {
                    value = value.wrapping_mul(16).wrapping_add(d);
                    chars.next();
                }
                value
            }
            'u' | 'U' => {
                let digits = if escaped == 'u' { 4 } else { 8 };
                let mut value = 0u32;
                for _ in 0..digits {
                    value = value * 16 + chars.next()?.to_digit(16)?;
                }
                push_char(&mut units, char::from_u32(value)?, unit);
                continue;
            }
            _ => return None,
        };
        units.push(simple);
    }
    Some(units)
}

fn push_char(units: &mut Vec<u32>, c: char, unit: u32) {
    match unit {
        1 => units.extend(c.encode_utf8(&mut [0; 4]).bytes().map(u32::from)),
        2 => units.extend(c.encode_utf16(&mut [0; 2]).iter().map(|u| u32::from(*u))),
        _ => units.push(c as u32),
    }
}

/// The units as little-endian bytes, cut or padded with zeros to `length` units.
pub(crate) fn string_bytes(units: &[u32], unit: u32, length: u64) -> Vec<u8> {
    let mut bytes = Vec::with_capacity((length * u64::from(unit)) as usize);
    for i in 0..length as usize {
        let value = units.get(i).copied().unwrap_or(0);
        bytes.extend_from_slice(&value.to_le_bytes()[..unit as usize]);
    }
    bytes
}

/// The bits of an x87 extended number from the text of a literal such as `1.5L` or `0x1p-3L`.
///
/// The decimal case goes through a binary big number, so that the result is correctly rounded.
pub(crate) fn long_double_bits(text: &str) -> Option<u128> {
    let text: String = text.trim_end_matches(['l', 'L']).chars().filter(|c| *c != '\'').collect();
    let hex = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X"));
    // The value is `digits * radix^exponent`, with a hexadecimal exponent in powers of two.
    let (mantissa, exponent_text) = match hex {
        Some(rest) => rest.split_once(['p', 'P']).unwrap_or((rest, "0")),
        None => text.split_once(['e', 'E']).unwrap_or((&text, "0")),
    };
    let mut exponent: i64 = exponent_text.parse().ok()?;
    let radix = if hex.is_some() { 16 } else { 10 };
    let mut digits = Big::default();
    let mut seen_dot = false;
    for c in mantissa.chars() {
        if c == '.' {
            seen_dot = true;
            continue;
        }
        digits.multiply_add(radix, c.to_digit(radix)?);
        if seen_dot {
            exponent -= if hex.is_some() { 4 } else { 1 };
        }
    }
    if digits.is_zero() {
        return Some(0);
    }
    if exponent.abs() > 6000 + 20_000 {
        return Some(if exponent < 0 { 0 } else { 0x7fff << 64 | 1 << 63 });
    }
    // Scale to numerator / denominator * 2^shift.
    let mut numerator = digits;
    let mut denominator = Big::from(1);
    let mut shift: i64 = 0;
    if hex.is_some() {
        shift = exponent;
    } else {
        for _ in 0..exponent.unsigned_abs() {
            if exponent > 0 { &mut numerator } else { &mut denominator }.multiply_add(10, 0);
        }
    }
    // Bring the quotient to 66 bits or a little more, then round to 64.
    let lead = numerator.bits() as i64 - denominator.bits() as i64;
    let up = 66 - lead;
    if up >= 0 {
        numerator.shift_left(up as usize);
    } else {
        denominator.shift_left((-up) as usize);
    }
    shift -= up;
    let (mut quotient, inexact) = numerator.divide(&denominator);
    let bits = 128 - i64::from(quotient.leading_zeros());
    let mut extra = bits - 64;
    // Subnormal results lose more bits.
    let exponent_of_lsb = shift + extra;
    if exponent_of_lsb < -16382 - 63 {
        extra += -16382 - 63 - exponent_of_lsb;
    }
    if extra > 100 {
        return Some(0);
    }
    let rest = quotient & ((1u128 << extra) - 1);
    let half = 1u128 << (extra - 1);
    quotient >>= extra;
    shift += extra;
    if rest > half || rest == half && (inexact || quotient & 1 == 1) {
        quotient += 1;
        if quotient >> 64 != 0 {
            quotient >>= 1;
            shift += 1;
        }
    }
    if quotient == 0 {
        return Some(0);
    }
    let biased = if quotient >> 63 == 0 { 0 } else { shift + 63 + 16383 };
    if biased >= 0x7fff {
        return Some(0x7fff << 64 | 1 << 63);
    }
    Some((biased as u128) << 64 | quotient)
}

/// An unsigned number of any size, least significant word first.
#[derive(Clone, Default)]
struct Big(Vec<u32>);

impl From<u32> for Big {
    fn from(v: u32) -> Big {
        Big(vec![v])
    }
}

impl Big {
    fn is_zero(&self) -> bool {
        self.0.iter().all(|w| *w == 0)
    }

    fn bits(&self) -> usize {
        match self.0.iter().rposition(|w| *w != 0) {
            Some(i) => i * 32 + 32 - self.0[i].leading_zeros() as usize,
            None => 0,
        }
    }

    fn multiply_add(&mut self, factor: u32, add: u32) {
        let mut carry = u64::from(add);
        for word in &mut self.0 {
            let v = u64::from(*word) * u64::from(factor) + carry;
            *word = v as u32;
            carry = v >> 32;
        }
        if carry != 0 {
            self.0.push(carry as u32);
        }
    }

    fn shift_left(&mut self, n: usize) {
        let (words, bits) = (n / 32, n % 32);
        if bits != 0 {
            let mut carry = 0;
            for word in &mut self.0 {
                let v = u64::from(*word) << bits | carry;
                *word = v as u32;
                carry = v >> 32;
            }
            if carry != 0 {
                self.0.push(carry as u32);
            }
        }
        self.0.splice(0..0, std::iter::repeat_n(0, words));
    }

    fn compare(&self, other: &Big) -> std::cmp::Ordering {
        let n = self.0.len().max(other.0.len());
        for i in (0..n).rev() {
            // Above the highest digit there are zeros.
            let a = self.0.get(i).copied().unwrap_or(0);
            let b = other.0.get(i).copied().unwrap_or(0);
            if a != b {
                return a.cmp(&b);
            }
        }
        std::cmp::Ordering::Equal
    }

    fn subtract(&mut self, other: &Big) {
        let mut borrow = 0i64;
        for i in 0..self.0.len() {
            // As above.
            let v = i64::from(self.0[i]) - i64::from(other.0.get(i).copied().unwrap_or(0)) - borrow;
            self.0[i] = v as u32;
            borrow = i64::from(v < 0);
        }
    }

    fn halve(&mut self) {
        let mut carry = 0;
        for word in self.0.iter_mut().rev() {
            let v = *word;
            *word = v >> 1 | carry;
            carry = v << 31;
        }
    }

    /// The quotient, which must fit 128 bits, and whether there is a remainder.
    fn divide(mut self, by: &Big) -> (u128, bool) {
        let steps = (self.bits() + 1).saturating_sub(by.bits()).min(127);
        let mut divisor = by.clone();
        divisor.shift_left(steps);
        let mut quotient = 0u128;
        for _ in 0..=steps {
            quotient <<= 1;
            if self.compare(&divisor).is_ge() {
                self.subtract(&divisor);
                quotient |= 1;
            }
            divisor.halve();
        }
        (quotient, !self.is_zero())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes() {
        assert_eq!(string_units(r#""a\n\0\"b""#, 1), Some(vec![97, 10, 0, 34, 98]));
        assert_eq!(string_units(r#"L"h\x41i""#, 4), Some(vec![104, 0x41, 105]));
        assert_eq!(string_units(r#""\303\244""#, 1), Some(vec![0xc3, 0xa4]));
        assert_eq!(string_units("u\"\\u00e4\"", 2), Some(vec![0xe4]));
        assert_eq!(string_units("broken", 1), None);
    }

    #[test]
    fn long_doubles() {
        assert_eq!(long_double_bits("1.0L"), Some(0x3fff << 64 | 1 << 63));
        assert_eq!(long_double_bits("0x1.8p1L"), Some(0x4000 << 64 | 3 << 62));
        assert_eq!(long_double_bits("0.1L"), Some(0x3ffb << 64 | 0xcccc_cccc_cccc_cccd));
        assert_eq!(long_double_bits("3.14159265358979323846L"), Some(0x4000 << 64 | 0xc90f_daa2_2168_c235));
        assert_eq!(long_double_bits("1e4932L"), Some(0x7ffe << 64 | 0xd72c_b2a9_5c7e_f6cd));
        assert_eq!(long_double_bits("1e5000L"), Some(0x7fff << 64 | 1 << 63));
        assert_eq!(long_double_bits("0.0L"), Some(0));
    }
}
