//! Exact conversion between binary and decimal, for any exponent of the extended format.

use cudair_ir::f80::{BinaryFormat, Rounded, round};

/// Limbs hold nine decimal digits, lowest first.
const BASE: u64 = 1_000_000_000;
const BASE_DIGITS: usize = 9;
/// The largest power of five in a `u32`.
const FIVE: u32 = 1_220_703_125;
const FIVE_POWER: i32 = 13;

/// A non-negative number in decimal: `0.d1 d2 d3… * 10^point`, without leading or trailing zeros. Zero
/// has no digits.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Decimal {
    /// The digits as values 0 to 9.
    pub digits: Vec<u8>,
    /// The place of the decimal point relative to the first digit.
    pub point: i32,
}

impl Decimal {
    /// `mant * 2^exp` exactly.
    pub fn from_binary(mant: u64, exp: i32) -> Decimal {
        if mant == 0 {
            return Decimal::default();
        }
        let zeros = mant.trailing_zeros();
        let (mut mant, exp) = (mant >> zeros, exp + zeros as i32);
        let mut limbs: Vec<u32> = Vec::with_capacity(16);
        while mant != 0 {
            limbs.push((mant % BASE) as u32);
            mant /= BASE;
        }
        // mant * 2^-k is mant * 5^k / 10^k.
        let mut left = exp.unsigned_abs() as i32;
        let (factor, step) = if exp < 0 { (FIVE, FIVE_POWER) } else { (1 << 29, 29) };
        while left >= step {
            multiply(&mut limbs, factor);
            left -= step;
        }
        let last = if exp < 0 { 5u32.pow(left as u32) } else { 1 << left };
        multiply(&mut limbs, last);
        let mut digits = Vec::with_capacity(limbs.len() * BASE_DIGITS);
        for &limb in limbs.iter().rev() {
            let start = digits.len();
            digits.resize(start + BASE_DIGITS, 0);
            let mut limb = limb;
            for d in digits[start..].iter_mut().rev() {
                *d = (limb % 10) as u8;
                limb /= 10;
            }
        }
        let leading = digits.iter().take_while(|&&d| d == 0).count();
        digits.drain(..leading);
        let point = digits.len() as i32 - if exp < 0 { -exp } else { 0 };
        trim(&mut digits);
        Decimal { digits, point }
    }

    /// Rounds to `n` digits (to nearest, ties to even), `n` possibly negative: nothing then remains.
    pub fn round_to(&mut self, n: i64) {
        if n >= self.digits.len() as i64 {
            return;
        }
        if n < 0 {
            self.digits.clear();
            return;
        }
        let n = n as usize;
        let next = self.digits[n];
        let rest = self.digits.len() > n + 1;
        let odd = n > 0 && self.digits[n - 1] & 1 == 1;
        self.digits.truncate(n);
        if next > 5 || next == 5 && (rest || odd) {
            let mut i = n;
            loop {
                if i == 0 {
                    self.digits.clear();
                    self.digits.push(1);
                    self.point += 1;
                    break;
                }
                i -= 1;
                if self.digits[i] < 9 {
                    self.digits[i] += 1;
                    self.digits.truncate(i + 1);
                    break;
                }
            }
        }
        trim(&mut self.digits);
    }
}

fn trim(digits: &mut Vec<u8>) {
    while digits.last() == Some(&0) {
        digits.pop();
    }
}

fn multiply(limbs: &mut Vec<u32>, factor: u32) {
    let mut carry = 0u64;
    for limb in limbs.iter_mut() {
        let t = u64::from(*limb) * u64::from(factor) + carry;
        *limb = (t % BASE) as u32;
        carry = t / BASE;
    }
    while carry != 0 {
        limbs.push((carry % BASE) as u32);
        carry /= BASE;
    }
}

/// A natural number in binary, lowest limb first, without leading zeros.
#[derive(Clone, Debug, Default)]
struct Natural(Vec<u32>);

impl Natural {
    fn muladd(&mut self, factor: u32, add: u32) {
        let mut carry = u64::from(add);
        for limb in &mut self.0 {
            let t = u64::from(*limb) * u64::from(factor) + carry;
            *limb = t as u32;
            carry = t >> 32;
        }
        if carry != 0 {
            self.0.push(carry as u32);
        }
    }

    fn mul_pow10(&mut self, mut n: u32) {
        while n >= 9 {
            self.muladd(BASE as u32, 0);
            n -= 9;
        }
        self.muladd(10u32.pow(n), 0);
    }

    fn bits(&self) -> i32 {
        self.0.last().map_or(0, |top| self.0.len() as i32 * 32 - top.leading_zeros() as i32)
    }

    fn shl(&mut self, n: u32) {
        let (words, bits) = ((n / 32) as usize, n % 32);
        if bits != 0 {
            let mut carry = 0;
            for limb in &mut self.0 {
                let t = u64::from(*limb) << bits | carry;
                *limb = t as u32;
                carry = t >> 32;
            }
            if carry != 0 {
                self.0.push(carry as u32);
            }
        }
        if !self.0.is_empty() {
            self.0.splice(0..0, std::iter::repeat_n(0, words));
        }
    }

    fn shr1(&mut self) {
        let mut carry = 0;
        for limb in self.0.iter_mut().rev() {
            let low = *limb & 1;
            *limb = *limb >> 1 | carry << 31;
            carry = low;
        }
        self.normalise();
    }

    fn normalise(&mut self) {
        while self.0.last() == Some(&0) {
            self.0.pop();
        }
    }

    fn at_least(&self, other: &Natural) -> bool {
        self.0.len().cmp(&other.0.len()).then_with(|| self.0.iter().rev().cmp(other.0.iter().rev())).is_ge()
    }

    fn subtract(&mut self, other: &Natural) {
        let mut borrow = 0i64;
        for (i, limb) in self.0.iter_mut().enumerate() {
            let t = i64::from(*limb) - i64::from(other.0.get(i).copied().unwrap_or(0)) - borrow;
            borrow = i64::from(t < 0);
            *limb = t as u32;
        }
        self.normalise();
    }

    /// The top 128 bits (fewer if there are fewer), the exponent of their lowest, whether more follow.
    fn top(&self) -> (u128, i32, bool) {
        let drop = (self.bits() - 128).max(0);
        let (words, bits) = ((drop / 32) as usize, drop % 32);
        let mut mant = 0u128;
        for i in (words..self.0.len()).rev() {
            let limb = u128::from(self.0[i]);
            // The lowest limb may be taken in part, so that the shift cannot lose high bits.
            if i == words {
                mant = mant << (32 - bits) | limb >> bits;
            } else {
                mant = mant << 32 | limb;
            }
        }
        let sticky = self.0[..words].iter().any(|&l| l != 0)
            || self.0.get(words).is_some_and(|l| bits != 0 && l << (32 - bits) != 0);
        (mant, drop, sticky)
    }
}

/// Digits beyond which nothing but their being there can matter, for every format.
const DIGITS_THAT_MATTER: usize = 12_000;

/// The bits in `format` nearest to `0.d1d2… * 10^point`.
pub fn to_binary(neg: bool, digits: &[u8], point: i64, format: BinaryFormat) -> (u128, Rounded) {
    let leading = digits.iter().take_while(|&&d| d == 0).count();
    let digits = &digits[leading..];
    let point = point.saturating_sub(leading as i64);
    if digits.is_empty() {
        return round(neg, 0, 0, false, format);
    }
    if point > 5000 {
        return round(neg, 1, 100_000, false, format);
    }
    if point < -5100 {
        return round(neg, 1, -100_000, false, format);
    }
    let (used, tail) = digits.split_at(digits.len().min(DIGITS_THAT_MATTER));
    let more = tail.iter().any(|&d| d != 0);
    let mut n = Natural::default();
    let mut chunks = used.chunks_exact(9);
    for chunk in &mut chunks {
        n.muladd(BASE as u32, chunk.iter().fold(0, |a, &d| a * 10 + u32::from(d)));
    }
    for &d in chunks.remainder() {
        n.muladd(10, u32::from(d));
    }
    n.normalise();
    let exp10 = point - used.len() as i64;
    if exp10 >= 0 {
        n.mul_pow10(exp10 as u32);
        let (mant, exp, sticky) = n.top();
        return round(neg, mant, exp, sticky || more, format);
    }
    let mut d = Natural(vec![1]);
    d.mul_pow10(-exp10 as u32);
    // Bring the quotient to at least 70 bits, then divide bit by bit.
    let shift = (d.bits() - n.bits() + 70).max(0);
    n.shl(shift as u32);
    let quotient_bits = n.bits() - d.bits() + 1;
    d.shl(quotient_bits as u32);
    let mut mant = 0u128;
    let mut exp = quotient_bits + 1 - shift;
    while exp > -shift && mant >> 126 == 0 {
        let bit = n.at_least(&d);
        if bit {
            n.subtract(&d);
        }
        mant = mant << 1 | u128::from(bit);
        d.shr1();
        exp -= 1;
    }
    // Whatever is left of the dividend, quotient bits or remainder, is below the bits taken.
    round(neg, mant, exp, more || !n.0.is_empty(), format)
}

#[cfg(test)]
mod tests {
    use super::*;
    use cudair_ir::f80::{BINARY32, BINARY64, EXTENDED, F80};

    fn digits(text: &str) -> Vec<u8> {
        text.bytes().map(|b| b - b'0').collect()
    }

    #[test]
    fn binary_to_decimal_is_exact() {
        let d = Decimal::from_binary(0x0019_9999_9999_999a, -56);
        let text: String = d.digits.iter().map(|d| char::from(d + b'0')).collect();
        assert_eq!(text, "1000000000000000055511151231257827021181583404541015625");
        assert_eq!(d.point, 0);
        assert_eq!(Decimal::from_binary(1, 10), Decimal { digits: vec![1, 0, 2, 4], point: 4 });
        assert_eq!(Decimal::from_binary(5, 1), Decimal { digits: vec![1], point: 2 });
    }

    #[test]
    fn decimal_to_binary_agrees_with_std() {
        let mut state = 1u64;
        for i in 0..20_000 {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            let text = format!("{}{}", state, state >> 7);
            let text = &text[..=(state >> 58) as usize % text.len().min(30)];
            let point = (state >> 32) as i64 % 330 * if i % 2 == 0 { 1 } else { -1 };
            let literal = format!("0.{text}e{point}");
            let (bits, _) = to_binary(false, &digits(text), point, BINARY64);
            assert_eq!(bits as u64, literal.parse::<f64>().unwrap().to_bits(), "{literal}");
            let (bits, _) = to_binary(false, &digits(text), point / 8, BINARY32);
            let literal = format!("0.{text}e{}", point / 8);
            assert_eq!(bits as u32, literal.parse::<f32>().unwrap().to_bits(), "{literal}");
        }
        let long = "1".repeat(700);
        let (bits, _) = to_binary(true, &digits(&long), 200, BINARY64);
        let literal = format!("-0.{long}e200");
        assert_eq!(bits as u64, literal.parse::<f64>().unwrap().to_bits());
    }

    #[test]
    fn extended_round_trips_through_its_exact_decimal() {
        let mut state = 7u64;
        for _ in 0..300 {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            let exp = (state >> 40) as i32 % 32_000 - 16_400;
            let x = F80::rounded(false, u128::from(state | 1 << 63), exp, false);
            if x.is_infinite() {
                continue;
            }
            let cudair_ir::f80::Class::Finite { mant, exp } = cudair_ir::f80::Parts::from(x).class else {
                unreachable!("finite")
            };
            let d = Decimal::from_binary(mant, exp);
            let (bits, _) = to_binary(false, &d.digits, i64::from(d.point), EXTENDED);
            assert_eq!(bits, x.to_bits());
        }
    }
}
