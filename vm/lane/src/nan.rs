//! The NaN that devices produce.

/// The bits of a number of binary32, the GPU's NaN in place of any other.
#[inline(always)]
pub fn gpu_nan(bits: u32) -> u32 {
    if f32::from_bits(bits).is_nan() { 0x7fff_ffff } else { bits }
}
