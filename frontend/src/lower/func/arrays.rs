//! Where the sizes of a function's variable length arrays are kept.

use cudair_ir::Slot;
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// The byte count of each variable length array type of a function, in a slot.
#[derive(Default)]
pub(crate) struct ArraySizes {
    by_type: FxHashMap<usize, Slot>,
    /// By the type's spelling without qualifiers.
    by_text: FxHashMap<Rc<str>, Vec<Slot>>,
}

impl ArraySizes {
    /// Keeps the size of a type. Parameters of one spelling have one size: nothing runs between their evaluations.
    pub fn keep(&mut self, key: usize, text: Rc<str>, slot: Slot, of_parameter: bool) {
        self.by_type.insert(key, slot);
        let same = self.by_text.entry(text).or_default();
        if same.is_empty() || !of_parameter {
            same.push(slot);
        }
    }

    /// Where the size of a type is kept. A qualified copy of a declared type is found by its spelling, where only
    /// one declaration of the function has it.
    pub fn find(&self, key: usize, text: &str) -> Option<Slot> {
        self.by_type.get(&key).copied().or_else(|| match self.by_text.get(text)?.as_slice() {
            [slot] => Some(*slot),
            _ => None,
        })
    }
}
