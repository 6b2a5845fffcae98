//! Lengths of vectors, and one over them: the largest component brought near one by a power of two, so that no
//! square overflows, and the squares summed from the smallest.

/// What both precisions do alike.
macro_rules! lengths {
    ($t:ty) => {
        /// The smaller and the larger magnitude.
        #[inline(always)]
        fn ordered(x: $t, y: $t) -> ($t, $t) {
            // As integers: not a number is largest.
            let (a, b) = (x.abs().to_bits(), y.abs().to_bits());
            (<$t>::from_bits(a.min(b)), <$t>::from_bits(a.max(b)))
        }

        /// What a vector's length follows from.
        struct Squares {
            /// The sum of the magnitudes.
            sum: $t,
            largest: $t,
            /// The sum of the squares of the components times `down`.
            scaled: $t,
            /// The power of two that brings the largest near one, and its inverse.
            down: $t,
            up: $t,
        }

        /// Takes the magnitudes in an order of addition.
        #[inline(always)]
        fn squares<const N: usize>(v: [$t; N], order: [usize; N]) -> Squares {
            let a = v.map(<$t>::abs);
            let mut sum = a[order[0]];
            for &k in &order[1..] {
                sum += a[k];
            }
            // The smaller of each comparison is put aside.
            let mut aside = [0.0; N];
            let mut largest = a[0];
            for k in 1..N {
                aside[k - 1] = largest.min(a[k]);
                largest = largest.max(a[k]);
            }
            let (down, up) = scales(largest);
            let last = aside[N - 2] * down;
            let mut scaled = last * last;
            for &x in aside[..N - 2].iter().rev() {
                let x = x * down;
                scaled = fma(x, x, scaled);
            }
            let l = largest * down;
            Squares { sum, largest, scaled: fma(l, l, scaled), down, up }
        }

        #[inline(always)]
        pub fn norm3d(x: $t, y: $t, z: $t) -> $t {
            norm([x, y, z], [0, 1, 2])
        }

        #[inline(always)]
        pub fn norm4d(x: $t, y: $t, z: $t, w: $t) -> $t {
            norm([x, y, z, w], ORDER)
        }

        #[inline(always)]
        pub fn rnorm3d(x: $t, y: $t, z: $t) -> $t {
            rnorm([x, y, z], [0, 1, 2])
        }

        #[inline(always)]
        pub fn rnorm4d(x: $t, y: $t, z: $t, w: $t) -> $t {
            rnorm([x, y, z, w], ORDER)
        }
    };
}

/// Lengths in single precision.
pub mod single {
    use super::super::hardware::rsqrt;
    use super::super::single::{bits, fma, from_bits};

    lengths!(f32);

    /// The order in which four magnitudes are added.
    const ORDER: [usize; 4] = [0, 1, 3, 2];

    /// The power of two that brings a magnitude near one, and its inverse; by steps of four.
    #[inline(always)]
    fn scales(largest: f32) -> (f32, f32) {
        let b = bits(largest) & -0x200_0000;
        (from_bits(0x7e80_0000 - b), from_bits(b | 0x80_0000))
    }

    #[inline(always)]
    pub fn hypot(x: f32, y: f32) -> f32 {
        let (small, large) = ordered(x, y);
        let (down, up) = scales(large);
        let (s, l) = (small * down, large * down);
        let r = fma(l, l, s * s).sqrt() * up;
        if small == f32::INFINITY {
            f32::INFINITY
        } else if small == 0.0 {
            large
        } else {
            r
        }
    }

    #[inline(always)]
    pub fn rhypot(x: f32, y: f32) -> f32 {
        let (small, large) = ordered(x, y);
        let (down, _) = scales(large);
        let (s, l) = (small * down, large * down);
        if small == f32::INFINITY { 0.0 } else { rsqrt(fma(l, l, s * s)) * down }
    }

    #[inline(always)]
    fn norm<const N: usize>(v: [f32; N], order: [usize; N]) -> f32 {
        let Squares { sum, largest, scaled, up, .. } = squares(v, order);
        if largest == f32::INFINITY {
            return f32::INFINITY;
        }
        if sum > largest { scaled.sqrt() * up } else { sum }
    }

    #[inline(always)]
    fn rnorm<const N: usize>(v: [f32; N], order: [usize; N]) -> f32 {
        let Squares { sum, largest, scaled, down, .. } = squares(v, order);
        if largest == f32::INFINITY {
            return 0.0;
        }
        if sum.is_nan() { sum } else { rsqrt(scaled) * down }
    }
}

/// Lengths in double precision.
pub mod double {
    use super::super::double::{fma, from_high, high, reciprocal_root};

    lengths!(f64);

    /// The order in which four magnitudes are added.
    const ORDER: [usize; 4] = [0, 1, 2, 3];

    /// The power of two that brings a magnitude near one, and its inverse; by steps of four.
    #[inline(always)]
    fn scales(largest: f64) -> (f64, f64) {
        let upper = high(largest) & -0x40_0000;
        (from_high(0x7fd0_0000i32.wrapping_sub(upper)), from_high(upper | 0x10_0000))
    }

    #[inline(always)]
    pub fn hypot(x: f64, y: f64) -> f64 {
        let (small, large) = ordered(x, y);
        if high(small) >= 0x7ff0_0000 {
            return small;
        }
        if small == 0.0 {
            return large;
        }
        let (down, up) = scales(large);
        let (s, l) = (down * small, down * large);
        let sum = fma(l, l, s * s);
        sum * reciprocal_root(sum.min(f64::MAX)) * up
    }

    #[inline(always)]
    pub fn rhypot(x: f64, y: f64) -> f64 {
        let (small, large) = ordered(x, y);
        let (down, _) = scales(large);
        let (s, l) = (down * small, down * large);
        let r = down * reciprocal_root(fma(l, l, s * s));
        if (high(r) as u32) < 0x7ff0_0000 {
            r
        } else if small == f64::INFINITY {
            0.0
        } else if large.is_nan() {
            large + small
        } else if large == f64::INFINITY {
            0.0
        } else {
            f64::INFINITY
        }
    }

    #[inline(always)]
    fn norm<const N: usize>(v: [f64; N], order: [usize; N]) -> f64 {
        let Squares { sum, largest, scaled, up, .. } = squares(v, order);
        if high(largest) as u32 >= 0x7ff0_0000 {
            return largest;
        }
        if sum > largest { scaled * reciprocal_root(scaled.min(f64::MAX)) * up } else { sum }
    }

    #[inline(always)]
    fn rnorm<const N: usize>(v: [f64; N], order: [usize; N]) -> f64 {
        let Squares { sum, largest, scaled, down, .. } = squares(v, order);
        if largest == f64::INFINITY {
            return 0.0;
        }
        if sum > 0.0 { down * reciprocal_root(scaled) } else { sum + f64::INFINITY }
    }
}
