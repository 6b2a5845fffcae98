//! The least and the greatest number that an integer can be.

use super::{FactList, FuncView, Subject};
use crate::registry::Analysis;
use crate::transform::range::{full, range};
use cudair_ir::InstData;
use serde_json::json;

/// Shows the [ranges](crate::transform::range) that are narrower than the type's.
#[derive(Clone, Copy, Debug)]
pub struct Ranges;

impl Analysis for Ranges {
    fn name(&self) -> &'static str {
        "range"
    }

    fn facts(&self, view: &FuncView<'_>, out: &mut FactList) {
        let func = view.func();
        for v in view.values() {
            let ty = func.value_type(v);
            // Numbers of more than 64 bits, and truth values, have no range worth telling.
            if !ty.is_int() || !(2..=64).contains(&ty.bits()) {
                continue;
            }
            let is_const = func.def_inst(v).is_some_and(|i| matches!(func.insts[i], InstData::Const { .. }));
            let known = range(func, v);
            if !is_const && known != full(ty) {
                let data = json!({ "least": known.0 as i64, "greatest": known.1 as i64 });
                out.add_data(Subject::Value(v), format!("{}..={}", known.0, known.1), data);
            }
        }
    }
}
