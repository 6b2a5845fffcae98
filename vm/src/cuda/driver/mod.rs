//! The driver's functions, where they are more than the runtime's under another name.

mod error;
