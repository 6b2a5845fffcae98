//! Numbers with which operations are tried.

use crate::Type;

/// Bits of a type at the ends of its ranges and between them: the least and the greatest, powers of two and their neighbours, of
/// floats what is denormal, infinite or no number, and where the integers of each width end.
pub fn extremes(ty: Type) -> Vec<u128> {
    let bits = ty.bits();
    let all = ty.bit_mask();
    let mut out: Vec<u128> = if ty.is_float() {
        let significand = match ty {
            Type::F16 => 10,
            Type::BF16 => 7,
            Type::F32 => 23,
            _ => 52,
        };
        let infinity = (all >> 1) >> significand << significand;
        let one = (infinity >> 1) >> significand << significand;
        let unit = 1u128 << significand;
        let power = |n: u128| (one + n * unit).min(infinity - 1);
        let some = [
            0,
            1,
            unit - 1,
            unit,
            one - unit,
            one - 1,
            one,
            one + 1,
            one + unit + unit / 2,
            one + 3 * unit + unit / 4 + 1,
            power(7),
            power(15),
            power(31),
            power(32) - 1,
            power(63),
            power(64),
            infinity - 1,
            infinity,
            infinity | (unit / 2),
        ];
        some.into_iter().flat_map(|x| [x, x | (1 << (bits - 1))]).collect()
    } else {
        let half = 1u128 << (bits - 1);
        let low = 1u128 << (bits / 2);
        let near_half = [half.wrapping_sub(1), half, half + 1];
        let some =
            [0, 1, 2, 3, 7, u128::from(bits) - 1, low - 1, low, all.wrapping_sub(6), all - 1, all, all / 3];
        some.into_iter().chain(near_half).collect()
    };
    out.retain(|&x| x <= all);
    out.sort_unstable();
    out.dedup();
    out
}
