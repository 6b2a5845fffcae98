//! (stand-in until the recoveries land)
pub(crate) mod constants {
    use crate::clang::{Cursor, Evaluated};
    pub(crate) fn value(e: Cursor<'_>) -> Option<Evaluated> {
        e.evaluate()
    }
}
