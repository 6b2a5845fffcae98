//! Analyses of one's own, from `docs/adding-an-analysis.md`: which loads read memory that the kernel never writes, and which
//! launches leave warps partly empty.
//!
//! ```console
//! $ cargo run -p cudair-passes --example read_only_loads              # a kernel that is built in
//! $ cudair lower kernel.cu > kernel.cir
//! $ cargo run -p cudair-passes --example read_only_loads -- kernel.cir
//! ```

use cudair_ir::{Finding, InstData, Kind, Module, Origin, Severity, Span, parse_module};
use cudair_passes::analysis::memory::Source;
use cudair_passes::analysis::shape::Shape;
use cudair_passes::check::{CheckOptions, check_module};
use cudair_passes::facts::{FactList, FuncView, Subject, facts_with};
use cudair_passes::registry::{Analysis, KernelView, Told};
use cudair_passes::symbolic::smt::NoSolver;

// [the type]
/// Finds loads from memory that the kernel never writes.
#[derive(Clone, Copy, Debug)]
struct ReadOnlyLoads;
// [end]

// [the facts]
impl Analysis for ReadOnlyLoads {
    fn name(&self) -> &'static str {
        "read-only"
    }

    fn facts(&self, view: &FuncView<'_>, out: &mut FactList) {
        for inst in view.insts() {
            let InstData::Load { ptr, .. } = view.func().insts[inst] else { continue };
            // The thread's own memory and constant memory are another matter.
            let Source::Place(place) = view.memory.source(&view.cx, ptr) else { continue };
            if !view.memory.is_written(view.root_memory, place, true) {
                out.add(Subject::Inst(inst), "reads what the kernel never writes");
            }
        }
    }
}
// [end]

// [the check]
/// Finds launches whose blocks do not fill their last warp.
#[derive(Clone, Copy, Debug)]
struct PartialWarps;

impl Analysis for PartialWarps {
    fn name(&self) -> &'static str {
        "partial-warps"
    }

    fn check(&self, view: &mut KernelView<'_, '_>, out: &mut Told) {
        // Nobody tells how large a block is: nothing can be said.
        let Some(threads) = view.root.shape.threads() else { return };
        let (module, func) = (view.root.module, view.summary.cx.func);
        if threads % 32 != 0 {
            let message = format!("the last warp of a block has {} threads of 32", threads % 32);
            out.findings.push(Finding {
                severity: Severity::Note,
                origin: Origin::Static,
                kernel: Some(func.display_name.clone()),
                primary: func.loc.expand().map(|loc| Span::new(&module.source, loc, "launched so")),
                ..Finding::dynamic(Kind::WarpDivergence, message)
            });
        }
    }
}
// [end]

/// What the first analysis knows of a module, as text, and what the second one finds in blocks of so many threads.
fn look(module: &Module, threads: u32) -> (String, Vec<Finding>) {
    // [the use]
    let facts = facts_with(module, &Shape::default(), &|_| true, &[&ReadOnlyLoads]);
    let text: String = facts.iter().map(ToString::to_string).collect();
    let analyses: Vec<&'static dyn Analysis> = vec![&PartialWarps];
    let options = CheckOptions { analyses, block: Some([threads, 1, 1]), ..CheckOptions::default() };
    let checked = check_module(module, &options, &mut NoSolver);
    // [end]
    (text, checked.findings)
}

/// `to[i] = from[i] * *by + to[i]`
const SCALE: &str = r#"
func kernel external @scale "scale" (ptr.generic, ptr.generic, ptr.generic) params("to", "from", "by") @loc0 {
block0(v0: ptr.generic, v1: ptr.generic, v2: ptr.generic):
  v3 = special tid.x                              @loc0
  v4 = sext.i64 v3                                @loc0
  v5 = const.i64 4                                @loc0
  v6 = imul.i64 v4, v5                            @loc0
  v7 = ptradd.generic v1, v6                      @loc0
  v8 = load.f32 v7                                site0 @loc0
  v9 = load.f32 v2                                site1 @loc0
  v10 = ptradd.generic v0, v6                     @loc0
  v11 = load.f32 v10                              site2 @loc0
  v12 = fma.f32 v8, v9, v11                       @loc0
  store.f32 v12, v10                              site3 @loc0
  return                                          @loc0
}

file0 = "scale.cu"
loc0 = file0:2:5-2:64
"#;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (text, path) = match std::env::args().nth(1) {
        Some(path) => (std::fs::read_to_string(&path)?, path),
        None => (SCALE.to_owned(), "scale.cir".to_owned()),
    };
    let module = parse_module(&text, &path).map_err(|e| format!("{}:{}: {}", e.path, e.line, e.message))?;
    let (facts, findings) = look(&module, 48);
    print!("{facts}");
    for f in &findings {
        println!("{}[{}]: {}", f.severity.name(), f.kind.name(), f.message);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_of_three_loads_are_read_only() {
        let module = parse_module(SCALE, "scale.cir").expect("it parses");
        let (facts, found) = look(&module, 64);
        assert_eq!(facts.matches("read-only: reads what the kernel never writes").count(), 2, "{facts}");
        assert!(found.is_empty(), "{found:?}");
    }

    #[test]
    fn a_block_of_48_threads_has_half_a_warp() {
        let module = parse_module(SCALE, "scale.cir").expect("it parses");
        let (_, found) = look(&module, 48);
        let messages: Vec<&str> = found.iter().map(|f| f.message.as_str()).collect();
        assert_eq!(messages, ["the last warp of a block has 16 threads of 32"]);
    }
}
