//! The driver's functions: those that are more than the runtime's under another name, and all of them by name.

mod array;
pub(crate) mod context;
mod device;
pub(super) mod entry;
mod error;
pub(super) mod function;
mod graph;
mod memory;
mod table;

pub(super) use error::RESULTS;
pub(super) use table::FUNCTIONS;

use cudair_engine::Args;

/// A call with other arguments, for a function of the runtime that takes them in another order.
fn rearranged<'a>(a: &Args<'_>, values: &'a [u128]) -> Args<'a> {
    Args { values, types: &[], fixed: values.len(), func: a.func, place: a.place, loc: a.loc }
}
