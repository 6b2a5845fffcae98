//! Values of lanes: slices of 32-bit words in lane order. One word per lane for widths up to four bytes
//! (zero-extended), two words (low, high) for eight bytes, four for sixteen. A vector register of the engine is such
//! a slice. Lanes outside the mask are neither read nor written.

/// The 64-bit value of a lane in words.
#[inline(always)]
pub fn pair(words: &[u32], lane: usize) -> u64 {
    u64::from(words[2 * lane]) | u64::from(words[2 * lane + 1]) << 32
}

/// Operands of a store or an atomic.
#[derive(Clone, Copy, Debug)]
pub enum Values<'a> {
    /// All lanes the same bits.
    Uniform(u128),
    /// A value per lane, in words as the module describes.
    Lanes(&'a [u32]),
}

impl Values<'_> {
    /// The bits of one lane's value of `width` bytes.
    #[inline(always)]
    pub fn lane(&self, lane: usize, width: u8) -> u128 {
        match *self {
            Values::Uniform(bits) => bits,
            Values::Lanes(words) => match width {
                0..=4 => u128::from(words[lane]),
                5..=8 => u128::from(pair(words, lane)),
                _ => u128::from(pair(words, 2 * lane)) | u128::from(pair(words, 2 * lane + 1)) << 64,
            },
        }
    }

    /// The first word of a lane's value of up to four bytes.
    #[inline(always)]
    pub fn word(&self, lane: usize) -> u32 {
        match *self {
            Values::Uniform(bits) => bits as u32,
            Values::Lanes(words) => words[lane],
        }
    }
}
