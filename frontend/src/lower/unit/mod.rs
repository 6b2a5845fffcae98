//! What the lowering knows of a translation unit, in a few objects that alone may change it.

pub(crate) mod classes;
pub(crate) mod descriptions;
pub(crate) mod functions;
pub(crate) mod initialisers;
pub(crate) mod memory;
pub(crate) mod variables;

use rustc_hash::FxHashMap;
use std::borrow::Borrow;
use std::hash::Hash;

/// A table whose entries are worked out once and never change.
#[derive(Debug)]
pub(crate) struct Once<K, V>(FxHashMap<K, V>);

impl<K, V> Default for Once<K, V> {
    fn default() -> Self {
        Once(FxHashMap::default())
    }
}

impl<K: Eq + Hash, V: Clone> Once<K, V> {
    pub fn get<Q: Eq + Hash + ?Sized>(&self, key: &Q) -> Option<V>
    where
        K: Borrow<Q>,
    {
        self.0.get(key).cloned()
    }

    pub fn set(&mut self, key: K, value: V) {
        let before = self.0.insert(key, value);
        debug_assert!(before.is_none(), "an entry is written twice");
    }

    pub fn len(&self) -> usize {
        self.0.len()
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}
