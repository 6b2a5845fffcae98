//! The host library by symbol name.
