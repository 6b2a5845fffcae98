//! What the solver's clock cuts is not checked: it is neither proved nor possible, and no finding speaks of it.

use cudair_ir::parse_module;
use cudair_ir::verdict::{Check, Outcome};
use cudair_passes::check::{CheckOptions, check_module};
use cudair_passes::symbolic::smt::{CUT, NoReply, Solver};

/// Runs out of time at each question.
#[derive(Default)]
struct Slow {
    questions: usize,
}

impl Solver for Slow {
    fn run(&mut self, _: &str) -> Result<(String, u64), NoReply> {
        self.questions += 1;
        Err(NoReply::OutOfTime)
    }
}

/// A barrier in a loop that some threads leave first, elements of shared memory that another thread may have written, and
/// an index that may be too large.
const KERNEL: &str = r#"
global internal @s "s" shared 256 align 4 = uninit

func kernel external @k "k" (ptr.generic, i32) params("a", "n") {
block0(v0: ptr.generic, v1: i32):
  v2 = special tid.x
  v3 = const.i64 4
  v4 = global_addr @s
  v5 = sext.i64 v2
  v6 = imul.i64 v5, v3
  v7 = ptradd.shared v4, v6
  v9 = const.i32 5
  v10 = imul.i32 v2, v9
  v12 = const.i32 64
  v14 = urem.i32 v10, v1
  v15 = sext.i64 v14
  v16 = imul.i64 v15, v3
  v17 = ptradd.shared v4, v16
  jump block1(v2)

block1(v18: i32):
  v19 = icmp.slt v18, v1
  branch v19, block2, block3

block2:
  v20 = sext.i64 v18
  v21 = imul.i64 v20, v3
  v22 = ptradd.generic v0, v21
  v23 = load.f32 v22                              site0
  store.f32 v23, v7                               site1
  barrier.sync                                    site2
  v24 = load.f32 v17                              site3
  store.f32 v24, v22                              site4
  barrier.sync                                    site5
  v25 = iadd.nsw.i32 v18, v12
  jump block1(v25)

block3:
  return
}
"#;

#[test]
fn what_the_clock_cuts_is_not_checked() {
    let module = parse_module(KERNEL, "k.cir").unwrap_or_else(|e| panic!("{}", e.message));
    let mut solver = Slow::default();
    let checked = check_module(&module, &CheckOptions::default(), &mut solver);
    assert!(solver.questions > 4, "{} questions", solver.questions);
    assert!(checked.findings.is_empty(), "{:?}", checked.findings);
    assert!(checked.possible.is_empty(), "{:?}", checked.possible);
    let [kernel] = &checked.verdicts[..] else { panic!("{:?}", checked.verdicts) };
    for check in
        [Check::BarrierDivergence, Check::SharedRaces, Check::GlobalRaces, Check::Bounds, Check::Initialised]
    {
        let verdict = kernel.checks.iter().find(|v| v.check == check);
        let Some(verdict) = verdict else { panic!("no verdict on {}", check.name()) };
        assert_eq!(verdict.outcome, Outcome::NotChecked, "{}", check.name());
        if check != Check::Bounds {
            // The size of what `a` points to is not known, whatever a solver says.
            assert_eq!(verdict.why.as_deref(), Some(CUT), "{}", check.name());
        }
    }
    assert!(kernel.checks.iter().all(|v| v.outcome < Outcome::Possible), "{:?}", kernel.checks);
}
