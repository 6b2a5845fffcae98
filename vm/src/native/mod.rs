//! The host library by symbol name.

mod decimal;
pub mod f80;
pub mod format;
pub mod number;
pub mod rand;
pub mod scan;
