//! From CUDA C and C++ source to [`cudair_ir`].
//!
//! libclang parses ([`clang`]), served with the CUDA headers of [`headers`] from memory; [`parse`]
//! decides its arguments and turns its diagnostics into errors; the lowering walks its cursors and
//! writes IR.

pub mod clang;
