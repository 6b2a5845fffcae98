//! Small programs in the textual IR, run from start to end.

use crate::VmConfig;
use crate::machine::{Exit, Outcome, Vm};
use cudair_ir::{Kind, NoOracle, Severity};
use std::sync::Arc;

fn outcome_with(text: &str, config: VmConfig) -> Outcome {
    let module = match cudair_ir::text::parse_module(text, "test.cir") {
        Ok(m) => m,
        Err(e) => panic!("{e:?}"),
    };
    Vm::new(Arc::new(module), config, Arc::new(NoOracle)).run_main(&[])
}

fn outcome(text: &str) -> Outcome {
    outcome_with(text, VmConfig::default())
}

/// The exit code of a program without findings.
fn code(text: &str) -> i32 {
    let o = outcome(text);
    assert!(o.findings.is_empty(), "{:#?}", o.findings);
    match o.exit {
        Exit::Code(c) => c,
        _ => panic!("{o:#?}"),
    }
}

#[test]
fn recursion() {
    let fib = "
func host external @fib (i32) -> i32 {
block0(v0: i32):
  v1 = const.i32 2
  v2 = icmp.slt v0, v1
  branch v2, block1, block2
block1:
  return v0
block2:
  v3 = const.i32 1
  v4 = isub.nsw.i32 v0, v3
  v5 = call @fib(v4) site0
  v6 = isub.nsw.i32 v0, v1
  v7 = call @fib(v6) site1
  v8 = iadd.nsw.i32 v5, v7
  return v8
}
func host external @main () -> i32 {
block0:
  v0 = const.i32 11
  v1 = call @fib(v0) site0
  return v1
}";
    assert_eq!(code(fib), 89);
}

#[test]
fn loops_and_switches() {
    // for (i = 0; i < 10; i++) switch (i) { case 3: s += 100; break; case 7: s += 1; default: s += i; }
    let text = "
func host external @main () -> i32 {
block0:
  v0 = const.i32 0
  v1 = const.i32 1
  v2 = const.i32 10
  v3 = const.i32 100
  jump block1(v0, v0)
block1(v4: i32, v5: i32):
  v6 = icmp.slt v4, v2
  branch v6, block2, block7
block2:
  switch.i32 v4, block5(v5) {
    3: block3
    7: block4
  }
block3:
  v7 = iadd.nsw.i32 v5, v3
  jump block6(v7)
block4:
  v8 = iadd.nsw.i32 v5, v1
  jump block5(v8)
block5(v9: i32):
  v10 = iadd.nsw.i32 v9, v4
  jump block6(v10)
block6(v11: i32):
  v12 = iadd.nsw.i32 v4, v1
  jump block1(v12, v11)
block7:
  return v5
}";
    assert_eq!(code(text), 42 + 100 + 1);
}

#[test]
fn undefined_behaviour_of_arithmetic() {
    let program = |body: &str| {
        format!(
            "func host external @main () -> i32 {{\nblock0:\n  v0 = const.i32 0\n  v1 = const.i32 2147483647\n  \
             v2 = const.i32 -2147483648\n  v3 = const.i32 -1\n  v4 = const.i32 33\n{body}\n  return v0\n}}"
        )
    };
    for (body, fatal) in [
        ("  v5 = sdiv.i32 v1, v0", true),
        ("  v5 = sdiv.i32 v2, v3", true),
        ("  v5 = urem.i32 v1, v0", true),
        ("  v5 = iadd.nsw.i32 v1, v1", false),
        ("  v5 = imul.nsw.i32 v1, v4", false),
        ("  v5 = ineg.nsw.i32 v2", false),
        ("  v5 = shl.i32 v1, v4", false),
        ("  v5 = ashr.i32 v1, v3", false),
    ] {
        let o = outcome(&program(body));
        assert_eq!(o.findings.len(), 1, "{body}: {o:#?}");
        assert_eq!(o.findings[0].kind, Kind::UndefinedBehavior, "{body}");
        assert_eq!(o.exit, if fatal { Exit::Fault } else { Exit::Code(0) }, "{body}");
        let warning = body.contains("nsw");
        assert_eq!(o.findings[0].severity == Severity::Warning, warning, "{body}");
    }
    // Unsigned arithmetic wraps.
    assert_eq!(code(&program("  v5 = iadd.i32 v1, v1")), 0);
}

#[test]
fn wide_and_narrow_scalars() {
    let text = "
func host external @main () -> i32 {
block0:
  v0 = const.i128 170141183460469231731687303715884105727
  v1 = const.i128 3
  v2 = udiv.i128 v0, v1
  v3 = imul.i128 v2, v1
  v4 = isub.i128 v0, v3
  v5 = trunc.i32 v4
  v6 = const.f64 2.0
  v7 = fpext.f80 v6
  v8 = fsqrt.f80 v7
  v9 = fmul.f80 v8, v8
  v10 = fsub.f80 v9, v7
  v11 = const.f80 0x3fc08000000000000000
  v12 = fdiv.f80 v10, v11
  v13 = fptosi.i32 v12
  v14 = const.i8 200
  v15 = sext.i32 v14
  v16 = iadd.i32 v5, v13
  v17 = iadd.i32 v16, v15
  return v17
}";
    // 2^127 - 1 is 1 modulo 3; the square of the rounded root of 2 is 2 - 2^-63, one unit in the last place
    // of its binade; an `i8` of 200 is -56.
    assert_eq!(code(text), 1 - 1 - 56);
}

#[test]
fn limits_end_a_run() {
    let endless = "
func host external @main () -> i32 {
block0:
  jump block1
block1:
  jump block1
}";
    let config = VmConfig { fuel: 1 << 20, ..VmConfig::default() };
    assert_eq!(outcome_with(endless, config).exit, Exit::Limit);
    let config = VmConfig { timeout: Some(0.05), ..VmConfig::default() };
    assert_eq!(outcome_with(endless, config).exit, Exit::Limit);
    let deep = "
func host external @f (i32) -> i32 {
block0(v0: i32):
  v1 = call @f(v0) site0
  return v1
}
func host external @main () -> i32 {
block0:
  v0 = const.i32 11
  v1 = call @f(v0) site0
  return v1
}";
    assert_eq!(outcome(deep).exit, Exit::Limit);
}

#[test]
fn traps_and_bad_calls() {
    let missing = "
func host external @f () -> i32 {
block0:
  trap missing_return
}
func host external @main () -> i32 {
block0:
  v1 = call @f() site0
  return v1
}";
    let o = outcome(missing);
    assert_eq!((o.exit.clone(), o.findings.len()), (Exit::Fault, 1), "{o:#?}");
    let null = "
func host external @main () -> i32 {
block0:
  v0 = const.ptr.code null
  v1 = call_indirect () -> i32, v0() site0
  return v1
}";
    let o = outcome(null);
    assert_eq!((o.exit.clone(), o.findings.len()), (Exit::Fault, 1), "{o:#?}");
    let unknown = "
func host external @no_such_function ()
func host external @main () -> i32 {
block0:
  call @no_such_function() site0
  v0 = const.i32 0
  return v0
}";
    assert_eq!(outcome(unknown).exit, Exit::Unsupported);
}

#[test]
fn function_pointers() {
    let text = "
func host external @twice (i32) -> i32 {
block0(v0: i32):
  v1 = iadd.i32 v0, v0
  return v1
}
func host external @main () -> i32 {
block0:
  v0 = func_addr @twice
  v1 = const.i32 21
  v2 = call_indirect (i32) -> i32, v0(v1) site0
  return v2
}";
    assert_eq!(code(text), 42);
    let wrong = text.replace("call_indirect (i32) -> i32, v0(v1)", "call_indirect () -> i32, v0()");
    let o = outcome(&wrong);
    assert_eq!((o.exit.clone(), o.findings.len()), (Exit::Fault, 1), "{o:#?}");
}
