//! Numbers of CUDA's headers by their names: enumerations and flags that functions of the API take and give.
//!
//! Where the driver has its own name for what the runtime takes, the row has both, since one function serves both.
//! `tests/cuda_headers.rs` compares each name's value with the headers'.

#![allow(dead_code, reason = "an enumeration stands there whole")]

mod devices;
mod driver;
mod runtime;

pub(crate) use devices::*;
pub(crate) use driver::*;
pub(crate) use runtime::*;

/// A constant as the tables have it.
pub struct ConstantRow {
    /// CUDA's name.
    pub name: &'static str,
    /// Its value.
    pub value: i128,
}

/// All constants.
pub const CONSTANTS: [&[ConstantRow]; 3] = [runtime::ROWS, devices::ROWS, driver::ROWS];

/// Enumerations: the type that the code has their values in, and rows `name = value`, with other names behind `|`.
macro_rules! constants {
    ($($ty:ident { $($name:ident $(| $other:ident)* = $value:expr;)* })*) => {
        $($(
            pub(crate) const $name: $ty = $value;
            $(pub(crate) const $other: $ty = $value;)*
        )*)*

        pub(super) const ROWS: &[$crate::constants::ConstantRow] = &[$($(
            $crate::constants::ConstantRow { name: stringify!($name), value: $value },
            $($crate::constants::ConstantRow { name: stringify!($other), value: $value },)*
        )*)*];
    };
}

use constants;
