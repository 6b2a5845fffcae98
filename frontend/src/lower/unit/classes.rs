//! What was worked out about classes: their layouts, tables, and the functions that destroy their objects.

use super::Once;
use crate::lower::bases::Embedding;
use crate::lower::layout::Layout;
use crate::lower::virtuals::{Entry, Tables};
use crate::types::RecId;
use cudair_ir::{FuncId, GlobalId};
use std::rc::Rc;

/// Tables for objects of a class on a side whose virtual bases lie somewhere.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct TableKey {
    pub class: RecId,
    pub device: bool,
    pub embedding: Embedding,
}

/// A function on a side that ends objects of a class.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct DestructorKey {
    pub class: RecId,
    pub device: bool,
    /// For objects that are bases of others.
    pub base: bool,
}

/// What was worked out about classes, each once.
#[derive(Default)]
pub(crate) struct Classes<'tu> {
    /// Whether it has virtual functions.
    pub dynamic: Once<RecId, bool>,
    pub with_virtual_bases: Once<RecId, bool>,
    pub layouts: Once<RecId, Rc<Layout>>,
    /// The entries of its virtual table.
    pub entries: Once<RecId, Rc<Vec<Entry<'tu>>>>,
    /// Its virtual tables.
    pub tables: Once<TableKey, Tables>,
    pub construction_tables: Once<TableKey, GlobalId>,
    /// Destructors that the program does not write.
    pub destructors: Once<DestructorKey, FuncId>,
    /// Functions that destroy and free.
    pub deleting: Once<DestructorKey, FuncId>,
}
