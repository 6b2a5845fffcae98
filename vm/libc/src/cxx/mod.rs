//! What the C++ standard library has in its binary rather than in its headers, and what the headers that
//! stand in for some of it ask for.

mod hash;
mod random;

use cudair_engine::HostFn;

/// The host's function of a symbol.
pub(crate) fn lookup(name: &str) -> Option<HostFn> {
    hash::lookup(name).or_else(|| random::lookup(name))
}
