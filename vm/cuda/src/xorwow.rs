//! The jumps of cuRAND's XORWOW generator: its five words are a vector of 160 bits, a step is a matrix over them.

use std::sync::OnceLock;

/// The words that a step mixes.
pub(crate) type Words = [u32; 5];
/// What each bit of the words becomes.
type Matrix = Vec<Words>;

const BITS: usize = 160;
/// Jumps of up to 64 bits times the distance of two sequences, 2^67 steps.
const POWERS: usize = 64 + 67;

fn step(v: Words) -> Words {
    let t = v[0] ^ v[0] >> 2;
    let last = v[4] ^ v[4] << 4 ^ t ^ t << 1;
    [v[1], v[2], v[3], v[4], last]
}

fn apply(m: &Matrix, v: Words) -> Words {
    let mut out = [0; 5];
    for (bit, image) in m.iter().enumerate() {
        if v[bit / 32] >> (bit % 32) & 1 != 0 {
            for (o, i) in out.iter_mut().zip(image) {
                *o ^= i;
            }
        }
    }
    out
}

/// The steps of 1, 2, 4, … as matrices.
fn powers() -> &'static Vec<Matrix> {
    static ALL: OnceLock<Vec<Matrix>> = OnceLock::new();
    ALL.get_or_init(|| {
        let unit = |bit: usize| {
            let mut v = [0; 5];
            v[bit / 32] = 1 << (bit % 32);
            v
        };
        let mut all: Vec<Matrix> = vec![(0..BITS).map(|bit| step(unit(bit))).collect()];
        while let (Some(last), true) = (all.last(), all.len() < POWERS) {
            let twice = last.iter().map(|&image| apply(last, image)).collect();
            all.push(twice);
        }
        all
    })
}

/// The words after `n * 2^shift` steps.
pub(crate) fn jump(mut v: Words, n: u64, shift: usize) -> Words {
    for (i, m) in powers().iter().skip(shift).take(64).enumerate() {
        if n >> i & 1 != 0 {
            v = apply(m, v);
        }
    }
    v
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_jump_is_so_many_steps() {
        let start = [123_456_789, 362_436_069, 521_288_629, 88_675_123, 5_783_321];
        let mut v = start;
        for n in 0..300u64 {
            assert_eq!(jump(start, n, 0), v);
            v = step(v);
        }
        // Two jumps are the jump of their sum, however they are written.
        assert_eq!(jump(jump(start, 5, 67), 7, 67), jump(start, 12, 67));
        assert_eq!(jump(start, 1 << 3, 60), jump(start, 1, 63));
    }
}
