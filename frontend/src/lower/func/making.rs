//! The bases that a constructor is making, each with its construction table.

use crate::types::RecId;
use cudair_ir::Value;
use rustc_hash::FxHashMap;

/// The bases that are being made, by their places, with their construction tables and whether these were used.
#[derive(Default)]
pub(crate) struct BasesInMaking(FxHashMap<(Value, RecId), (Value, bool)>);

impl BasesInMaking {
    /// What is made at `object` is a base with a construction table.
    pub fn begin(&mut self, object: Value, class: RecId, table: Value) {
        self.0.insert((object, class), (table, false));
    }

    /// The base is made. Whether its table was used; `None` where it has none.
    pub fn end(&mut self, object: Value, class: RecId) -> Option<bool> {
        self.0.remove(&(object, class)).map(|(_, used)| used)
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The construction table of an object that is being made as a base. It counts as used.
    pub fn table(&mut self, object: Value, class: RecId) -> Option<Value> {
        let (table, used) = self.0.get_mut(&(object, class))?;
        *used = true;
        Some(*table)
    }
}
