//! Which object each pointer points into.

use super::{FactList, FuncView, Subject};
use crate::analysis::memory::{Place, Source};
use crate::registry::Analysis;
use cudair_ir::Module;

/// Shows what the [analysis of memory](crate::analysis::memory) knows of pointers.
#[derive(Clone, Copy, Debug)]
pub struct Pointers;

impl Analysis for Pointers {
    fn name(&self) -> &'static str {
        "points-to"
    }

    fn facts(&self, view: &FuncView<'_>, out: &mut FactList) {
        for v in view.values() {
            if view.func().value_type(v).is_ptr() {
                let text = match view.memory.source(&view.cx, v) {
                    Source::Constant => "memory that the device never writes".to_owned(),
                    Source::Private => "the thread's own memory".to_owned(),
                    Source::Place(place) => in_words(view.cx.module, place),
                };
                out.add(Subject::Value(v), text);
            }
        }
    }
}

/// A place in words.
pub(super) fn in_words(module: &Module, place: Place) -> String {
    match place {
        Place::Shared(g) | Place::Global(g) => format!("`{}`", module.globals[g].display_name),
        Place::SharedDynamic => "the dynamic shared memory".to_owned(),
        Place::AnyShared => "some shared memory".to_owned(),
        Place::Param(n) => format!("what parameter {n} points to"),
        Place::AnyGlobal => "some device memory".to_owned(),
        Place::Any => "any memory".to_owned(),
    }
}
