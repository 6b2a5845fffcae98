//! The lane functions.
//!
//! Each has the name of its operation, and stands once for both widths: `Uint` and `Int` are the integers of a lane of
//! `V` or `W`, `Float` its floating point.

#![allow(clippy::unnecessary_cast)] // one text for both lane types

use super::{Bits, Blend};
use crate::device::planes::Lane;
use crate::eval::{FirstNan, FloatMinMax};
use cudair_bytecode::families;
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

families! {
    @for (L Uint Int Float Bits) in [(V u32 i32 f32 32) (W u64 i64 f64 64)] {
        unary!(L~Mov: Uint, |x| x);

        // Integers.
        @for (N name) in [(Add add) (Sub sub) (Mul mul)] { binary!(L~N: Uint, |x, y| x.wrapping_~name(y)); }
        @for (N sign) in [(And (&)) (Or (|)) (Xor (^))] { binary!(L~N: Uint, |x, y| x sign y); }
        flagged!(L~AddNsw: Uint, |x, y| { let z = x.wrapping_add(y); (z, (x ^ z) & (y ^ z)) });
        flagged!(L~SubNsw: Uint, |x, y| { let z = x.wrapping_sub(y); (z, (x ^ y) & (x ^ z)) });
        @for (N name) in [(Shl wrapping_shl) (Lshr wrapping_shr)] {
            flagged!(forgets L~N: Uint, |x, n| {
                (if n < Bits { x.name(n as u32) } else { 0 }, if n < Bits { 0 } else { Uint::MAX })
            });
        }
        flagged!(forgets L~Ashr: Uint, |x, n| {
            ((x as Int).wrapping_shr(n.min(Bits - 1) as u32) as Uint, if n < Bits { 0 } else { Uint::MAX })
        });
        @for (N name X) in [(Smin min Int) (Smax max Int) (Umin min Uint) (Umax max Uint)] {
            binary!(L~N: Uint, |x, y| (x as X).name(y as X) as Uint);
        }
        @for (N name) in [(Sdiv wrapping_div) (Srem wrapping_rem)] {
            binary!(L~N: Uint, |x, y| (x as Int).name(y as Int) as Uint);
        }
        @for (N sign) in [(Udiv (/)) (Urem (%))] { binary!(L~N: Uint, |x, y| x sign y); }

        // Floats.
        @for (N sign) in [(Fadd (+)) (Fsub (-)) (Fmul (*)) (Fdiv (/))] {
            binary!(L~N: Uint, |x, y| (Float::from_bits(x) sign Float::from_bits(y)).to_bits());
        }
        @for (N name) in [(Fmin c_min) (Fmax c_max)] {
            binary!(L~N: Uint, |x, y| Float::from_bits(x).name(Float::from_bits(y)).to_bits());
        }
        ternary!(L~Ffma: Uint, |x, y, z| {
            Float::from_bits(x).fused(Float::from_bits(y), Float::from_bits(z)).to_bits()
        });
        unary!(L~Fneg: Uint, |x| x ^ (1 << (Bits - 1)));
        unary!(L~Fabs: Uint, |x| x & !(1 << (Bits - 1)));
        @for (N name) in [
            (Fsqrt sqrt) (Ffloor floor) (Fceil ceil) (Ftrunc trunc) (Fnearest round_ties_even)
        ] {
            unary!(L~N: Uint, |x| Float::from_bits(x).name().to_bits());
        }
        unary!(L~Sitofp: Uint, |x| (x as Int as Float).to_bits());

        // Conditions.
        compare!(L~Odd: Uint, |x, y| x & y != 0);
        @for (N sign X) in [
            (Eq (==) Uint) (Ne (!=) Uint) (Slt (<) Int) (Sle (<=) Int) (Ult (<) Uint) (Ule (<=) Uint)
        ] {
            compare!(L~Cmp~N: Uint, |x, y| (x as X) sign (y as X));
        }
        @for (N sign) in [(Oeq (==)) (Une (!=)) (Olt (<)) (Ole (<=))] {
            compare!(L~Fcmp~N: Uint, |x, y| Float::from_bits(x) sign Float::from_bits(y));
        }
    }
}

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
flagged!(forgets WMulNsw: u64, |x, y| { let (z, o) = (x as i64).overflowing_mul(y as i64); (z as u64, if o { u64::MAX } else { 0 }) });

unary!(VSext8: u32, |x| i32::from(x as u8 as i8) as u32);
unary!(VSext16: u32, |x| i32::from(x as u16 as i16) as u32);
convert!(WSextV: u32 => u64, |x| i64::from(x as i32) as u64);
convert!(WZextV: u32 => u64, |x| u64::from(x));
convert!(VTruncW: u64 => u32, |x| x as u32);
unary!(VFnan: u32, |x| cudair_ir::eval::gpu_nan(x));
unary!(VHnan: u32, |x| if x & 0x7fff > 0x7c00 { 0x7fff } else { x });
unary!(VUitofp: u32, |x| (x as f32).to_bits());
convert!(WSitofpV: u32 => u64, |x| f64::from(x as i32).to_bits());
convert!(WUitofpV: u32 => u64, |x| f64::from(x).to_bits());
unary!(VFptosi: u32, |x| f32::from_bits(x) as i32 as u32);
unary!(VFptoui: u32, |x| f32::from_bits(x) as u32);
convert!(VFptosiW: u64 => u32, |x| {
    let x = f64::from_bits(x);
    if x.is_nan() { 1 << 31 } else { x as i32 as u32 }
});
convert!(VFptouiW: u64 => u32, |x| {
    let x = f64::from_bits(x);
    if x.is_nan() { 1 << 31 } else { x as u32 }
});
unary!(WUitofp: u64, |x| (x as f64).to_bits());
unary!(WFptosi: u64, |x| {
    let x = f64::from_bits(x);
    if x.is_nan() { 1 << 63 } else { x as i64 as u64 }
});
unary!(WFptoui: u64, |x| {
    let x = f64::from_bits(x);
    if x.is_nan() { 1 << 63 } else { x as u64 }
});
convert!(WFpextV: u32 => u64, |x| f64::from(f32::from_bits(x)).to_bits());
convert!(VFptruncW: u64 => u32, |x| (f64::from_bits(x) as f32).to_bits());
binary!(PtrAdd: u64, |p, i| Ptr(p).add(i as i64).0);
