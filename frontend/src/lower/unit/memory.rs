//! The memory functions that the program defines itself.

use crate::types::Decl;

/// The program's own `operator new` and `operator delete`.
#[derive(Default)]
pub(crate) struct OwnMemory<'tu> {
    /// The symbols of the library's functions that the program defines.
    replaced: Vec<String>,
    /// `operator new` with placement arguments, once needed.
    placements: Option<Vec<Decl<'tu>>>,
}

impl<'tu> OwnMemory<'tu> {
    /// The program defines a function of the library's.
    pub fn replace(&mut self, symbol: String) {
        self.replaced.push(symbol);
    }

    /// Whether the program defines a function of the library's itself.
    pub fn replaces(&self, symbol: &str) -> bool {
        self.replaced.iter().any(|r| r == symbol)
    }

    /// The program's functions with placement arguments, which `find` finds where they are not known.
    pub fn placements(&mut self, find: impl FnOnce() -> Vec<Decl<'tu>>) -> &[Decl<'tu>] {
        self.placements.get_or_insert_with(find)
    }
}
