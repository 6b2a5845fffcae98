//! The descriptions of types that exceptions, `typeid` and `dynamic_cast` go by.

use super::Once;
use crate::lower::exceptions::HandlerTypes;
use cudair_ir::GlobalId;

/// The descriptions of a unit's types.
#[derive(Default)]
pub(crate) struct Descriptions {
    /// By their mangled names.
    pub types: Once<String, GlobalId>,
    /// Tables of the types that handlers take.
    pub handlers: Once<HandlerTypes, GlobalId>,
}
