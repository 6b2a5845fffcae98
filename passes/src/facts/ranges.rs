//! The least and the greatest number that an integer can be.

use super::{FactList, FuncView, Subject};
use crate::registry::Analysis;
use crate::transform::range::ranges;
use serde_json::json;

/// Shows the [ranges](crate::transform::range) that are narrower than the type's.
#[derive(Clone, Copy, Debug)]
pub struct Ranges;

impl Analysis for Ranges {
    fn name(&self) -> &'static str {
        "range"
    }

    fn facts(&self, view: &FuncView<'_>, out: &mut FactList) {
        let known = ranges(view.func());
        for v in view.values() {
            if let Some((least, greatest)) = known[v] {
                let data = json!({ "least": least, "greatest": greatest });
                out.add_data(Subject::Value(v), format!("{least}..={greatest}"), data);
            }
        }
    }
}
