//! glibc's random number generators, number for number.

/// `rand`, `random`: the additive feedback generator over 31 words.
#[derive(Clone, Debug)]
pub struct Random {
    state: [i32; 31],
    front: usize,
    rear: usize,
}

impl Default for Random {
    fn default() -> Random {
        Random::new(1)
    }
}

impl Random {
    /// As after `srand(seed)`.
    pub fn new(seed: u32) -> Random {
        let mut state = [0i32; 31];
        let mut word = if seed == 0 { 1 } else { seed as i32 };
        state[0] = word;
        for slot in &mut state[1..] {
            let hi = i64::from(word) / 127_773;
            let lo = i64::from(word) % 127_773;
            let mut next = 16_807 * lo - 2836 * hi;
            if next < 0 {
                next += 2_147_483_647;
            }
            word = next as i32;
            *slot = word;
        }
        let mut random = Random { state, front: 3, rear: 0 };
        for _ in 0..310 {
            random.next();
        }
        random
    }

    /// The next number, 31 bits.
    #[allow(clippy::should_implement_trait, reason = "an endless generator, not an iterator")]
    pub fn next(&mut self) -> i32 {
        let sum = self.state[self.front].wrapping_add(self.state[self.rear]);
        self.state[self.front] = sum;
        self.front = (self.front + 1) % 31;
        self.rear = (self.rear + 1) % 31;
        (sum as u32 >> 1) as i32
    }
}

/// `rand_r`.
pub fn rand_r(seed: &mut u32) -> i32 {
    let mut step = || {
        *seed = seed.wrapping_mul(1_103_515_245).wrapping_add(12_345);
        *seed / 65_536
    };
    let a = step() % 2048;
    let b = step() % 1024;
    let c = step() % 1024;
    ((a << 10 ^ b) << 10 ^ c) as i32
}

/// The 48-bit linear congruential generator of `drand48` and kin.
#[derive(Clone, Debug)]
pub struct Rand48 {
    /// The state, 48 bits.
    pub x: u64,
    /// The multiplier.
    pub a: u64,
    /// The addend.
    pub c: u64,
}

const MASK48: u64 = (1 << 48) - 1;
const MULTIPLIER48: u64 = 0x5_deec_e66d;
const ADDEND48: u64 = 0xb;

impl Default for Rand48 {
    fn default() -> Rand48 {
        Rand48 { x: 0, a: MULTIPLIER48, c: ADDEND48 }
    }
}

impl Rand48 {
    /// `srand48`.
    pub fn seed(&mut self, seed: i64) {
        *self = Rand48 { x: (seed as u32 as u64) << 16 | 0x330e, ..Rand48::default() };
    }

    /// `seed48`, without the old state.
    pub fn seed_words(&mut self, words: [u16; 3]) {
        *self = Rand48 { x: join48(words), ..Rand48::default() };
    }

    /// `lcong48`.
    pub fn configure(&mut self, words: [u16; 7]) {
        self.x = join48([words[0], words[1], words[2]]);
        self.a = join48([words[3], words[4], words[5]]);
        self.c = u64::from(words[6]);
    }

    /// Steps `x` and gives the new state.
    pub fn step(&self, x: u64) -> u64 {
        x.wrapping_mul(self.a).wrapping_add(self.c) & MASK48
    }
}

/// Three words, lowest first, as a state.
pub fn join48(words: [u16; 3]) -> u64 {
    u64::from(words[0]) | u64::from(words[1]) << 16 | u64::from(words[2]) << 32
}

/// A state as three words, lowest first.
pub fn split48(x: u64) -> [u16; 3] {
    [x as u16, (x >> 16) as u16, (x >> 32) as u16]
}

/// A state as a `double` in `[0, 1)`.
pub fn real48(x: u64) -> f64 {
    x as f64 / (1u64 << 48) as f64
}

#[cfg(test)]
#[allow(unsafe_code, reason = "calls the C library to compare with")]
mod tests {
    use super::*;

    unsafe extern "C" {
        fn rand_r(seed: *mut u32) -> i32;
        fn erand48(state: *mut u16) -> f64;
        fn nrand48(state: *mut u16) -> i64;
        fn jrand48(state: *mut u16) -> i64;
    }

    #[test]
    fn rand_agrees() {
        // All in one test: the C library's generator is shared.
        for seed in [1, 0, 7, 42, 123_456_789, u32::MAX, 0x8000_0000] {
            let mut ours = Random::new(seed);
            // SAFETY: no argument is a pointer.
            unsafe { libc::srand(seed) };
            for _ in 0..1000 {
                // SAFETY: as above.
                assert_eq!(ours.next(), unsafe { libc::rand() }, "seed {seed}");
            }
        }
    }

    #[test]
    fn rand_r_agrees() {
        let (mut ours, mut theirs) = (99u32, 99u32);
        for _ in 0..1000 {
            // SAFETY: the pointer is to a live integer.
            assert_eq!(super::rand_r(&mut ours), unsafe { rand_r(&raw mut theirs) });
        }
    }

    #[test]
    fn drand48_agrees() {
        let g = Rand48::default();
        let mut words = [1u16, 2, 3];
        let mut x = join48(words);
        for _ in 0..300 {
            x = g.step(x);
            // SAFETY: the pointer is to three words.
            assert_eq!(real48(x), unsafe { erand48(words.as_mut_ptr()) });
            x = g.step(x);
            // SAFETY: as above.
            assert_eq!((x >> 17) as i64, unsafe { nrand48(words.as_mut_ptr()) });
            x = g.step(x);
            // SAFETY: as above.
            assert_eq!(i64::from((x >> 16) as i32), unsafe { jrand48(words.as_mut_ptr()) });
            assert_eq!(split48(x), words);
        }
    }
}
