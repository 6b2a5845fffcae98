//! What holds passes, and what does not is found: facts made up for small kernels.

use crate::VmConfig;
use crate::machine::{GridLaunch, LaunchEnd, Machine};
use cudair_ir::*;
use cudair_lane::fault::{AllocKind, Place, Stop};
use cudair_memory::{AllocInfo, InitState};
use std::sync::Arc;

/// Threads of the block: three warps, which are one strip.
const THREADS: u32 = 96;

/// Threads leave a loop after 0 to 7 iterations. `v6` is the warp, `v8` the iterations, `v9` the counter, `v10` a sum that
/// differs from the second iteration on.
const LEAVE: &str = r#"
func kernel external @k "k" (ptr.global, i32) {
block0(v0: ptr.global, v1: i32):
  v2 = special tid.x
  v3 = const.i32 0
  v4 = const.i32 1
  v5 = const.i32 5
  v6 = ashr.i32 v2, v5
  v7 = const.i32 7
  v8 = and.i32 v2, v7
  jump block1(v3, v3)
block1(v9: i32, v10: i32):
  v11 = icmp.slt v9, v8
  branch v11, block2, block3
block2:
  v12 = iadd.i32 v9, v4
  v13 = iadd.i32 v10, v2
  jump block1(v12, v13)
block3:
  v14 = iadd.i32 v10, v6
  v15 = sext.i64 v2
  v16 = const.i64 4
  v17 = imul.i64 v15, v16
  v18 = ptradd.global v0, v17
  store.i32 v14, v18 site0
  return
}
"#;

/// In the first iteration thread 0 alone is in an inner loop, for so long that the others do not wait for it: when it comes
/// out they are far ahead, in the same loop. `v6` is the counter.
const AHEAD: &str = r#"
func kernel external @k "k" (ptr.global, i32) {
block0(v0: ptr.global, v1: i32):
  v2 = special tid.x
  v3 = const.i32 0
  v4 = const.i32 1
  v5 = ashr.i32 v1, v4
  jump block1(v3)
block1(v6: i32):
  v7 = icmp.slt v6, v1
  branch v7, block2, block6
block2:
  v8 = icmp.eq v6, v3
  v9 = icmp.eq v2, v3
  v10 = and.i1 v8, v9
  branch v10, block3(v3), block5
block3(v11: i32):
  v12 = icmp.slt v11, v5
  branch v12, block4, block5
block4:
  v13 = iadd.i32 v11, v4
  jump block3(v13)
block5:
  v14 = iadd.i32 v6, v4
  jump block1(v14)
block6:
  v15 = sext.i64 v2
  v16 = const.i64 4
  v17 = imul.i64 v15, v16
  v18 = ptradd.global v0, v17
  store.i32 v6, v18 site0
  return
}
"#;

/// An oracle that says this of the kernel.
struct Says(FuncFacts);

impl LaunchOracle for Says {
    fn at_launch(&self, _: &Module, kernel: FuncId, _: &LaunchShape) -> Arc<LaunchAnswer> {
        let mut answer = LaunchAnswer::default();
        answer.facts.funcs.insert(kernel, self.0.clone());
        Arc::new(answer)
    }
}

/// Facts of which those about branches say nothing.
fn facts() -> FuncFacts {
    FuncFacts { divergent_branch: SecondaryMap::with_default(true), ..FuncFacts::default() }
}

/// Facts that say of some values how uniform they are.
fn uniform(values: &[(u32, Uniformity)]) -> FuncFacts {
    let mut facts = facts();
    for &(v, u) in values {
        facts.uniform[Value::from_u32(v)] = u;
    }
    facts
}

/// Facts that say where a value lies.
fn within(v: u32, least: i64, greatest: i64) -> FuncFacts {
    let mut facts = facts();
    facts.range[Value::from_u32(v)] = Some((least, greatest));
    facts
}

/// Runs a kernel, which takes `n`, and tests facts: the defect found, if one was.
fn defect(text: &str, n: u32, facts: FuncFacts) -> Option<String> {
    let module = parse_module(text, "test.cir").expect("the text is right");
    verify_module(&module).expect("the kernel obeys the rules");
    let kernel = module.func_by_name("k").expect("the kernel is there");
    let config = VmConfig { check_leaks: false, check_facts: true, ..VmConfig::default() };
    let mut m = Machine::new(Arc::new(module), config, Arc::new(Says(facts)), crate::stub::libraries());
    let info = AllocInfo { kind: AllocKind::Runtime, name: None, place: Place::Unknown };
    let out = m.mem.alloc(Space::Managed, 4 * u64::from(THREADS), 16, InitState::Zero, info).expect("memory");
    let launch = GridLaunch {
        kernel,
        grid: [1; 3],
        block: [THREADS, 1, 1],
        cluster: [1; 3],
        explicit_cluster: false,
        dynamic_shared: 0,
        args: vec![out.0.into(), n.into()],
        environment: None,
        number: 0,
        loc: None,
        calls: Box::default(),
    };
    match m.run_grid(launch) {
        Ok(LaunchEnd::Done) => None,
        Err(Stop::Internal(d)) => Some(d.message),
        other => panic!("{other:?}"),
    }
}

#[test]
fn true_facts_hold() {
    let mut all = uniform(&[(9, Uniformity::Grid), (12, Uniformity::Block), (6, Uniformity::Warp)]);
    all.range[Value::from_u32(8)] = Some((0, 7));
    all.range[Value::from_u32(2)] = Some((0, 95));
    assert_eq!(defect(LEAVE, 0, all), None);
}

#[test]
fn a_parameter_that_differs_from_the_second_iteration_on() {
    let text = defect(LEAVE, 0, uniform(&[(10, Uniformity::Block)])).expect("a defect");
    let expected = "launch 0: v10 of `k` is proved to be the same in all threads of a block, and is 1 in thread [1, 0, 0] and \
        2 in thread [2, 0, 0] of block [0, 0, 0]";
    assert_eq!(text, expected);
}

#[test]
fn warps_are_told_apart() {
    let text = defect(LEAVE, 0, uniform(&[(6, Uniformity::Block)])).expect("a defect");
    assert!(text.ends_with("0 in thread [0, 0, 0] and 1 in thread [32, 0, 0] of block [0, 0, 0]"), "{text}");
    let text = defect(LEAVE, 0, uniform(&[(8, Uniformity::Warp)])).expect("a defect");
    assert!(text.contains("v8 of `k` is proved to be the same in all threads of a warp"), "{text}");
}

#[test]
fn a_number_outside_its_range() {
    let text = defect(LEAVE, 0, within(8, 0, 6)).expect("a defect");
    assert!(text.ends_with("in 0..=6, and is 7 in thread [7, 0, 0] of block [0, 0, 0]"), "{text}");
    // What stands in registers from the function's entry on.
    assert!(defect(LEAVE, 0, within(2, 0, 94)).is_some());
    assert!(defect(AHEAD, 3, within(1, 0, 2)).is_some());
}

#[test]
fn a_branch_that_is_decided_differently() {
    let mut facts = facts();
    facts.divergent_branch[Block::from_u32(1)] = false;
    let text = defect(LEAVE, 0, facts).expect("a defect");
    assert!(
        text.contains("v11 of `k` is proved to be the same in all threads of a block that decide"),
        "{text}"
    );
}

#[test]
fn lanes_in_different_iterations_are_not_compared() {
    assert_eq!(defect(AHEAD, 20_000, uniform(&[(6, Uniformity::Grid), (14, Uniformity::Grid)])), None);
    assert!(defect(AHEAD, 20_000, uniform(&[(10, Uniformity::Block)])).is_some());
}
