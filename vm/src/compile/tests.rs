//! Tests of the compiler.
