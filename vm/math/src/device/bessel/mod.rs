//! Bessel functions: polynomials about their zeros near the origin, modulus and phase further out.

pub mod double;
pub mod single;
