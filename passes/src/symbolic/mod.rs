//! Proofs about two arbitrary threads of a kernel.
//!
//! [`summary`] says what each value, guard and access of a kernel is as a [`term`]; [`interval`] which accesses may
//! happen between the same barriers; [`race`] puts the questions whether two of them can meet, [`converge`] whether all threads meet at the barriers, and a
//! [`smt::Solver`] answers.

pub mod converge;
pub mod interval;
pub mod race;
pub mod report;
pub mod smt;
pub mod summary;
pub mod term;
