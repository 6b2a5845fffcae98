//! The descriptions of types that exceptions, `typeid` and `dynamic_cast` go by.

use super::Once;
use crate::clang::CursorId;
use crate::lower::exceptions::HandlerTypes;
use cudair_ir::GlobalId;
use rustc_hash::FxHashMap;

/// The descriptions of a unit's types.
#[derive(Default)]
pub(crate) struct Descriptions {
    /// By their mangled names.
    pub types: Once<String, GlobalId>,
    /// Which class or enumeration has a mangled name.
    pub classes: FxHashMap<String, CursorId>,
    /// Tables of the types that handlers take.
    pub handlers: Once<HandlerTypes, GlobalId>,
}
