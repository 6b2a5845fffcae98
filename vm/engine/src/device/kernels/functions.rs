//! The lane functions.

#![allow(clippy::unnecessary_cast)] // one text for both lane types

use super::{Bits, Blend};
use crate::device::planes::Lane;
use crate::eval::FloatMinMax;
use cudair_lane::CHUNK;
use cudair_lane::ptr::Ptr;

/// A function of one lane.
pub(in crate::device) trait Fn1<T> {
    fn f(x: T) -> T;
}

/// A function of two operands.
pub(in crate::device) trait Fn2<T> {
    fn f(x: T, y: T) -> T;
}

/// A function of three operands.
pub(in crate::device) trait Fn3<T> {
    fn f(x: T, y: T, z: T) -> T;
}

/// A function whose second result's sign bit says that the operands were out of bounds.
pub(in crate::device) trait FnFlag<T> {
    fn f(x: T, y: T) -> (T, T);
    /// The operands cannot be told from the result and one of them.
    const FORGETS: bool = false;
    /// A quick way, with flags that may also stand where they need not.
    #[inline(always)]
    fn quick(x: T, y: T) -> (T, T) {
        Self::f(x, y)
    }
}

/// The operands of the first lane that was out of bounds.
#[derive(Default)]
pub(in crate::device) struct Seen(pub(in crate::device) Option<[u128; 2]>);

impl Seen {
    #[cold]
    pub(super) fn keep<T: Bits>(&mut self, x: &[T; CHUNK], y: &[T; CHUNK], lanes: u16) {
        let i = lanes.trailing_zeros() as usize;
        if self.0.is_none() && i < CHUNK {
            self.0 = Some([x[i].into_word().into(), y[i].into_word().into()]);
        }
    }
}

/// A condition.
pub(in crate::device) trait FnCmp<T> {
    fn f(x: T, y: T) -> bool;
}

/// A conversion.
pub(in crate::device) trait FnConvert {
    type From: Lane;
    type To: Blend;
    fn f(x: Self::From) -> Self::To;
}

macro_rules! unary {
    ($name:ident: $t:ty, |$x:ident| $body:expr) => {
        pub(in crate::device) struct $name;
        impl Fn1<$t> for $name {
            #[inline(always)]
            fn f($x: $t) -> $t {
                $body
            }
        }
    };
}
macro_rules! binary {
    ($name:ident: $t:ty, |$x:ident, $y:ident| $body:expr) => {
        pub(in crate::device) struct $name;
        impl Fn2<$t> for $name {
            #[inline(always)]
            fn f($x: $t, $y: $t) -> $t {
                $body
            }
        }
    };
}
macro_rules! ternary {
    ($name:ident: $t:ty, |$x:ident, $y:ident, $z:ident| $body:expr) => {
        pub(in crate::device) struct $name;
        impl Fn3<$t> for $name {
            #[inline(always)]
            fn f($x: $t, $y: $t, $z: $t) -> $t {
                $body
            }
        }
    };
}
macro_rules! flagged {
    (forgets $name:ident: $t:ty, |$x:ident, $y:ident| $body:expr) => {
        flagged!($name: $t, |$x, $y| $body, true);
    };
    ($name:ident: $t:ty, |$x:ident, $y:ident| $body:expr) => {
        flagged!($name: $t, |$x, $y| $body, false);
    };
    ($name:ident: $t:ty, |$x:ident, $y:ident| $body:expr, $forgets:expr) => {
        pub(in crate::device) struct $name;
        impl FnFlag<$t> for $name {
            const FORGETS: bool = $forgets;
            #[inline(always)]
            fn f($x: $t, $y: $t) -> ($t, $t) {
                $body
            }
        }
    };
}
macro_rules! compare {
    ($name:ident: $t:ty, |$x:ident, $y:ident| $body:expr) => {
        pub(in crate::device) struct $name;
        impl FnCmp<$t> for $name {
            #[inline(always)]
            fn f($x: $t, $y: $t) -> bool {
                $body
            }
        }
    };
}
macro_rules! convert {
    ($name:ident: $t:ty => $u:ty, |$x:ident| $body:expr) => {
        pub(in crate::device) struct $name;
        impl FnConvert for $name {
            type From = $t;
            type To = $u;
            #[inline(always)]
            fn f($x: $t) -> $u {
                $body
            }
        }
    };
}

unary!(Move32: u32, |x| x);
unary!(Move64: u64, |x| x);
binary!(VAdd: u32, |x, y| x.wrapping_add(y));
binary!(VSub: u32, |x, y| x.wrapping_sub(y));
binary!(VMul: u32, |x, y| x.wrapping_mul(y));
flagged!(VAddNsw: u32, |x, y| { let z = x.wrapping_add(y); (z, (x ^ z) & (y ^ z)) });
flagged!(VSubNsw: u32, |x, y| { let z = x.wrapping_sub(y); (z, (x ^ y) & (x ^ z)) });
pub(in crate::device) struct VMulNsw;
impl FnFlag<u32> for VMulNsw {
    #[inline(always)]
    fn f(x: u32, y: u32) -> (u32, u32) {
        let z = i64::from(x as i32) * i64::from(y as i32);
        (z as u32, if z == i64::from(z as i32) { 0 } else { u32::MAX })
    }

    const FORGETS: bool = true;
    /// Two numbers of 16 bits do not overflow.
    #[inline(always)]
    fn quick(x: u32, y: u32) -> (u32, u32) {
        let wide = (x.wrapping_add(0x8000) | y.wrapping_add(0x8000)) >> 16;
        (x.wrapping_mul(y), if wide == 0 { 0 } else { u32::MAX })
    }
}
binary!(VAnd: u32, |x, y| x & y);
binary!(VOr: u32, |x, y| x | y);
binary!(VXor: u32, |x, y| x ^ y);
flagged!(forgets VShl: u32, |x, n| (if n < 32 { x.wrapping_shl(n as u32) } else { 0 }, if n < 32 { 0 } else { u32::MAX }));
flagged!(forgets VLshr: u32, |x, n| (if n < 32 { x.wrapping_shr(n as u32) } else { 0 }, if n < 32 { 0 } else { u32::MAX }));
flagged!(forgets VAshr: u32, |x, n| ((x as i32).wrapping_shr((if n < 32 { n } else { 31 }) as u32) as u32, if n < 32 { 0 } else { u32::MAX }));
binary!(VSmin: u32, |x, y| (x as i32).min(y as i32) as u32);
binary!(VSmax: u32, |x, y| (x as i32).max(y as i32) as u32);
binary!(VUmin: u32, |x, y| x.min(y));
binary!(VUmax: u32, |x, y| x.max(y));
binary!(VSdiv: u32, |x, y| (x as i32).wrapping_div(y as i32) as u32);
binary!(VSrem: u32, |x, y| (x as i32).wrapping_rem(y as i32) as u32);
binary!(VUdiv: u32, |x, y| x / y);
binary!(VUrem: u32, |x, y| x % y);
binary!(WAdd: u64, |x, y| x.wrapping_add(y));
binary!(WSub: u64, |x, y| x.wrapping_sub(y));
binary!(WMul: u64, |x, y| x.wrapping_mul(y));
flagged!(WAddNsw: u64, |x, y| { let z = x.wrapping_add(y); (z, (x ^ z) & (y ^ z)) });
flagged!(WSubNsw: u64, |x, y| { let z = x.wrapping_sub(y); (z, (x ^ y) & (x ^ z)) });
flagged!(forgets WMulNsw: u64, |x, y| { let (z, o) = (x as i64).overflowing_mul(y as i64); (z as u64, if o { u64::MAX } else { 0 }) });
binary!(WAnd: u64, |x, y| x & y);
binary!(WOr: u64, |x, y| x | y);
binary!(WXor: u64, |x, y| x ^ y);
flagged!(forgets WShl: u64, |x, n| (if n < 64 { x.wrapping_shl(n as u32) } else { 0 }, if n < 64 { 0 } else { u64::MAX }));
flagged!(forgets WLshr: u64, |x, n| (if n < 64 { x.wrapping_shr(n as u32) } else { 0 }, if n < 64 { 0 } else { u64::MAX }));
flagged!(forgets WAshr: u64, |x, n| ((x as i64).wrapping_shr((if n < 64 { n } else { 63 }) as u32) as u64, if n < 64 { 0 } else { u64::MAX }));
binary!(WSmin: u64, |x, y| (x as i64).min(y as i64) as u64);
binary!(WSmax: u64, |x, y| (x as i64).max(y as i64) as u64);
binary!(WUmin: u64, |x, y| x.min(y));
binary!(WUmax: u64, |x, y| x.max(y));
binary!(WSdiv: u64, |x, y| (x as i64).wrapping_div(y as i64) as u64);
binary!(WSrem: u64, |x, y| (x as i64).wrapping_rem(y as i64) as u64);
binary!(WUdiv: u64, |x, y| x / y);
binary!(WUrem: u64, |x, y| x % y);
unary!(VSext8: u32, |x| i32::from(x as u8 as i8) as u32);
unary!(VSext16: u32, |x| i32::from(x as u16 as i16) as u32);
convert!(WSextV: u32 => u64, |x| i64::from(x as i32) as u64);
convert!(WZextV: u32 => u64, |x| u64::from(x));
convert!(VTruncW: u64 => u32, |x| x as u32);
binary!(VFadd: u32, |x, y| (f32::from_bits(x) + f32::from_bits(y)).to_bits());
binary!(VFsub: u32, |x, y| (f32::from_bits(x) - f32::from_bits(y)).to_bits());
binary!(VFmul: u32, |x, y| (f32::from_bits(x) * f32::from_bits(y)).to_bits());
binary!(VFdiv: u32, |x, y| (f32::from_bits(x) / f32::from_bits(y)).to_bits());
binary!(VFmin: u32, |x, y| (f32::from_bits(x).c_min(f32::from_bits(y))).to_bits());
binary!(VFmax: u32, |x, y| (f32::from_bits(x).c_max(f32::from_bits(y))).to_bits());
ternary!(VFfma: u32, |x, y, z| f32::from_bits(x).mul_add(f32::from_bits(y), f32::from_bits(z)).to_bits());
unary!(VFneg: u32, |x| x ^ (1 << 31));
unary!(VFnan: u32, |x| cudair_ir::eval::gpu_nan(x));
unary!(VFabs: u32, |x| x & !(1 << 31));
unary!(VFsqrt: u32, |x| f32::from_bits(x).sqrt().to_bits());
unary!(VFfloor: u32, |x| f32::from_bits(x).floor().to_bits());
unary!(VFceil: u32, |x| f32::from_bits(x).ceil().to_bits());
unary!(VFtrunc: u32, |x| f32::from_bits(x).trunc().to_bits());
unary!(VFnearest: u32, |x| f32::from_bits(x).round_ties_even().to_bits());
binary!(WFadd: u64, |x, y| (f64::from_bits(x) + f64::from_bits(y)).to_bits());
binary!(WFsub: u64, |x, y| (f64::from_bits(x) - f64::from_bits(y)).to_bits());
binary!(WFmul: u64, |x, y| (f64::from_bits(x) * f64::from_bits(y)).to_bits());
binary!(WFdiv: u64, |x, y| (f64::from_bits(x) / f64::from_bits(y)).to_bits());
binary!(WFmin: u64, |x, y| (f64::from_bits(x).c_min(f64::from_bits(y))).to_bits());
binary!(WFmax: u64, |x, y| (f64::from_bits(x).c_max(f64::from_bits(y))).to_bits());
ternary!(WFfma: u64, |x, y, z| f64::from_bits(x).mul_add(f64::from_bits(y), f64::from_bits(z)).to_bits());
unary!(WFneg: u64, |x| x ^ (1 << 63));
unary!(WFabs: u64, |x| x & !(1 << 63));
unary!(WFsqrt: u64, |x| f64::from_bits(x).sqrt().to_bits());
unary!(WFfloor: u64, |x| f64::from_bits(x).floor().to_bits());
unary!(WFceil: u64, |x| f64::from_bits(x).ceil().to_bits());
unary!(WFtrunc: u64, |x| f64::from_bits(x).trunc().to_bits());
unary!(WFnearest: u64, |x| f64::from_bits(x).round_ties_even().to_bits());
unary!(VSitofp: u32, |x| (x as i32 as f32).to_bits());
unary!(VUitofp: u32, |x| (x as f32).to_bits());
convert!(WSitofpV: u32 => u64, |x| f64::from(x as i32).to_bits());
convert!(WUitofpV: u32 => u64, |x| f64::from(x).to_bits());
unary!(WSitofp: u64, |x| (x as i64 as f64).to_bits());
unary!(VFptosi: u32, |x| f32::from_bits(x) as i32 as u32);
unary!(VFptoui: u32, |x| f32::from_bits(x) as u32);
convert!(VFptosiW: u64 => u32, |x| f64::from_bits(x) as i32 as u32);
convert!(WFpextV: u32 => u64, |x| f64::from(f32::from_bits(x)).to_bits());
convert!(VFptruncW: u64 => u32, |x| (f64::from_bits(x) as f32).to_bits());
compare!(Odd32: u32, |x, y| x & y != 0);
compare!(Odd64: u64, |x, y| x & y != 0);
compare!(VCmpEq: u32, |x, y| x == y);
compare!(VCmpNe: u32, |x, y| x != y);
compare!(VCmpSlt: u32, |x, y| (x as i32) < (y as i32));
compare!(VCmpSle: u32, |x, y| (x as i32) <= (y as i32));
compare!(VCmpUlt: u32, |x, y| x < y);
compare!(VCmpUle: u32, |x, y| x <= y);
compare!(VFcmpOeq: u32, |x, y| f32::from_bits(x) == f32::from_bits(y));
compare!(VFcmpUne: u32, |x, y| f32::from_bits(x) != f32::from_bits(y));
compare!(VFcmpOlt: u32, |x, y| f32::from_bits(x) < f32::from_bits(y));
compare!(VFcmpOle: u32, |x, y| f32::from_bits(x) <= f32::from_bits(y));
compare!(WCmpEq: u64, |x, y| x == y);
compare!(WCmpNe: u64, |x, y| x != y);
compare!(WCmpSlt: u64, |x, y| (x as i64) < (y as i64));
compare!(WCmpSle: u64, |x, y| (x as i64) <= (y as i64));
compare!(WCmpUlt: u64, |x, y| x < y);
compare!(WCmpUle: u64, |x, y| x <= y);
compare!(WFcmpOeq: u64, |x, y| f64::from_bits(x) == f64::from_bits(y));
compare!(WFcmpUne: u64, |x, y| f64::from_bits(x) != f64::from_bits(y));
compare!(WFcmpOlt: u64, |x, y| f64::from_bits(x) < f64::from_bits(y));
compare!(WFcmpOle: u64, |x, y| f64::from_bits(x) <= f64::from_bits(y));
binary!(PtrAdd: u64, |p, i| Ptr(p).add(i as i64).0);
