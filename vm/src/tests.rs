//! Small programs in the textual IR, run from start to end.

use crate::VmConfig;
use crate::{Exit, Outcome, Vm};
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
    let config = VmConfig::default();
    let watch = config.watch.clone();
    let killer = std::thread::spawn(move || {
        std::thread::sleep(std::time::Duration::from_millis(50));
        watch.interrupt("enough");
    });
    let outcome_of_it = outcome_with(endless, config);
    killer.join().expect("the other thread ends");
    assert_eq!(outcome_of_it.exit, Exit::Limit);
    assert_eq!(outcome_of_it.diagnostics[0].message, "enough");
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

/// A program that launches `kernel` (the text of a function `@k (ptr.generic)`) on an array of `n` zeroed `i32`
/// and gives the sum of its elements, each multiplied by its index plus one.
fn kernel_sum(kernel: &str, grid: u32, block: u32, n: u32) -> String {
    format!(
        "
{kernel}
func host external @cudaMalloc (ptr.host, i64) -> i32
func host external @cudaMemset (ptr.generic, i32, i64) -> i32
func host external @cudaMemcpy (ptr.generic, ptr.generic, i64, i32) -> i32
func host external @cudaFree (ptr.generic) -> i32
func host external @main () -> i32 {{
  slot0: host 8 align 8 \"p\"
  slot1: host {bytes} align 4 \"h\"
block0:
  v0 = slot_addr slot0
  v1 = slot_addr slot1
  v2 = const.i64 {bytes}
  v3 = const.i32 0
  v4 = const.i32 1
  v5 = const.i32 2
  v6 = const.i64 0
  v7 = const.ptr.generic null
  v8 = const.i32 {grid}
  v9 = const.i32 {block}
  v10 = call @cudaMalloc(v0, v2) site0
  v11 = load.ptr.generic v0 site1
  v12 = call @cudaMemset(v11, v3, v2) site2
  v13 = launch @k<<<v8, v4, v4, v9, v4, v4, v6, v7>>>(v11) site3
  v14 = spacecast.ptr.generic v1
  v15 = call @cudaMemcpy(v14, v11, v2, v5) site4
  v16 = call @cudaFree(v11) site5
  v17 = const.i32 {n}
  v18 = const.i64 4
  jump block1(v3, v3)
block1(v19: i32, v20: i32):
  v21 = icmp.slt v19, v17
  branch v21, block2, block3
block2:
  v22 = sext.i64 v19
  v23 = imul.i64 v22, v18
  v24 = ptradd.host v1, v23
  v25 = load.i32 v24 site6
  v26 = iadd.i32 v19, v4
  v27 = imul.i32 v25, v26
  v28 = iadd.i32 v20, v27
  jump block1(v26, v28)
block3:
  return v20
}}",
        bytes = 4 * n
    )
}

/// Stores `v9` (an `i32`) at the thread's global index.
const STORE: &str = "
  v90 = special ctaid.x
  v91 = special ntid.x
  v92 = imul.i32 v90, v91
  v93 = special tid.x
  v94 = iadd.i32 v92, v93
  v95 = sext.i64 v94
  v96 = const.i64 4
  v97 = imul.i64 v95, v96
  v98 = ptradd.generic v0, v97
  store.i32 v9, v98 site90
  return
}";

#[test]
fn every_thread_stores() {
    let k = format!(
        "func kernel external @k (ptr.generic) {{\nblock0(v0: ptr.generic):\n  v1 = special tid.x\n  v2 = const.i32 3\n  \
         v9 = imul.i32 v1, v2\n{STORE}"
    );
    for (grid, block) in [(1, 1), (1, 9), (2, 32), (3, 100), (1, 256), (2, 300), (1, 1024)] {
        let n = grid * block;
        let want: i32 = (0..n).map(|i| (i % block * 3) as i32 * (i as i32 + 1)).sum();
        assert_eq!(code(&kernel_sum(&k, grid, block, n)), want, "{grid} blocks of {block}");
    }
}

#[test]
fn lanes_diverge_and_meet() {
    // r = 0; for (i = 0; i < tid; i++) if (i & 1) r += i; else r += 2; then a switch on tid % 3.
    let k = format!(
        "func kernel external @k (ptr.generic) {{
block0(v0: ptr.generic):
  v1 = special tid.x
  v2 = const.i32 0
  v3 = const.i32 1
  v4 = const.i32 2
  v5 = const.i32 3
  jump block1(v2, v2)
block1(v10: i32, v11: i32):
  v12 = icmp.slt v10, v1
  branch v12, block2, block6
block2:
  v13 = and.i32 v10, v3
  v14 = icmp.ne v13, v2
  branch v14, block3, block4
block3:
  v15 = iadd.i32 v11, v10
  jump block5(v15)
block4:
  v16 = iadd.i32 v11, v4
  jump block5(v16)
block5(v17: i32):
  v18 = iadd.i32 v10, v3
  jump block1(v18, v17)
block6:
  v19 = urem.i32 v1, v5
  switch.i32 v19, block9(v11) {{
    0: block7
    1: block8
  }}
block7:
  v20 = iadd.i32 v11, v3
  jump block9(v20)
block8:
  v21 = imul.i32 v11, v4
  jump block9(v21)
block9(v9: i32):
{STORE}"
    );
    let value = |t: i32| {
        let r = (0..t).map(|i| if i & 1 != 0 { i } else { 2 }).sum::<i32>();
        match t % 3 {
            0 => r + 1,
            1 => r * 2,
            _ => r,
        }
    };
    for block in [1u32, 9, 33, 256, 300] {
        let want = (0..block as i32).fold(0i32, |s, t| s.wrapping_add(value(t).wrapping_mul(t + 1)));
        assert_eq!(code(&kernel_sum(&k, 1, block, block)), want, "a block of {block}");
    }
}

#[test]
fn barriers_reduce() {
    let k = |kind: &str| {
        format!(
            "func kernel external @k (ptr.generic) {{\nblock0(v0: ptr.generic):\n  v1 = special tid.x\n  \
             v2 = const.i32 1\n  v3 = and.i32 v1, v2\n  v9 = barrier.{kind} v3 site0\n{STORE}"
        )
    };
    for (kind, block, each) in [("count", 300, 150), ("and", 300, 0), ("or", 300, 1), ("count", 9, 4)] {
        let want = (1..=block).sum::<i32>() * each;
        assert_eq!(code(&kernel_sum(&k(kind), 1, block as u32, block as u32)), want, "{kind}");
    }
}

#[test]
fn divergent_barriers_are_found() {
    // if (tid < 4) barrier A; else barrier B.
    let k = "func kernel external @k (ptr.generic) {
block0(v0: ptr.generic):
  v1 = special tid.x
  v2 = const.i32 4
  v3 = icmp.slt v1, v2
  branch v3, block1, block2
block1:
  barrier.sync site0
  jump block3
block2:
  barrier.sync site1
  jump block3
block3:
  return
}";
    for block in [9, 300] {
        let o = outcome(&kernel_sum(k, 1, block, 1));
        let found: Vec<_> = o.findings.iter().filter(|f| f.kind == Kind::BarrierDivergence).collect();
        assert_eq!(found.len(), 1, "{o:#?}");
        assert_eq!(found[0].severity, Severity::Error);
    }
    // if (tid < 4) { barrier; } with the others gone: a warning.
    let k = k.replace("block2:\n  barrier.sync site1\n  jump block3", "block2:\n  return");
    let o = outcome(&kernel_sum(&k, 1, 9, 1));
    assert_eq!(o.findings.len(), 1, "{o:#?}");
    assert_eq!((o.findings[0].kind, o.findings[0].severity), (Kind::BarrierDivergence, Severity::Warning));
    let config = VmConfig { strict: true, ..VmConfig::default() };
    let o = outcome_with(&kernel_sum(&k, 1, 9, 1), config);
    assert_eq!(o.findings[0].severity, Severity::Error, "{o:#?}");
}

#[test]
fn warps_shuffle_and_vote() {
    let k = |body: &str| {
        format!(
            "func kernel external @k (ptr.generic) {{\nblock0(v0: ptr.generic):\n  v1 = special tid.x\n  \
             v2 = const.i32 -1\n  v3 = const.i32 1\n  v4 = const.i32 32\n  v5 = const.i32 8\n{body}\n{STORE}"
        )
    };
    let sum = |f: &dyn Fn(i32) -> i32| (0..64).fold(0i32, |s, t| s.wrapping_add(f(t).wrapping_mul(t + 1)));
    for (body, f) in [
        (
            "  v9 = shfl.down.i32 v2, v1, v3, v4 site0",
            (&|t| if t % 32 == 31 { t } else { t + 1 }) as &dyn Fn(i32) -> i32,
        ),
        ("  v9 = shfl.up.i32 v2, v1, v3, v5 site0", &|t| if t % 8 == 0 { t } else { t - 1 }),
        ("  v9 = shfl.bfly.i32 v2, v1, v5, v4 site0", &|t| t ^ 8),
        ("  v9 = shfl.idx.i32 v2, v1, v1, v5 site0", &|t| t),
        ("  v6 = and.i32 v1, v3\n  v9 = vote.ballot v2, v6 site0", &|_| 0xaaaa_aaaa_u32 as i32),
        ("  v9 = reduce.add v2, v1 site0", &|t| if t < 32 { 496 } else { 496 + 1024 }),
        ("  v6 = and.i32 v1, v3\n  v9 = match.any v2, v6 site0", &|t| {
            if t & 1 != 0 { 0xaaaa_aaaa_u32 as i32 } else { 0x5555_5555 }
        }),
        ("  v9 = active_mask site0", &|_| -1),
    ] {
        assert_eq!(code(&kernel_sum(&k(body), 1, 64, 64)), sum(f), "{body}");
    }
}

#[test]
fn warp_operations_wait_for_their_lanes() {
    // Both sides of a branch shuffle with the full mask: they meet although they stand at two places.
    let k = format!(
        "func kernel external @k (ptr.generic) {{
block0(v0: ptr.generic):
  v1 = special tid.x
  v2 = const.i32 -1
  v3 = const.i32 16
  v4 = const.i32 32
  v5 = icmp.slt v1, v3
  branch v5, block1, block2
block1:
  v6 = shfl.bfly.i32 v2, v1, v3, v4 site0
  jump block3(v6)
block2:
  v7 = shfl.bfly.i32 v2, v1, v3, v4 site1
  jump block3(v7)
block3(v9: i32):
{STORE}"
    );
    let want: i32 = (0..32).map(|t| (t ^ 16) * (t + 1)).sum();
    assert_eq!(code(&kernel_sum(&k, 1, 32, 32)), want);
    // One side only: the others never arrive.
    let alone = k.replace(
        "  v7 = shfl.bfly.i32 v2, v1, v3, v4 site1\n  jump block3(v7)",
        "  barrier.sync site1\n  jump block3(v1)",
    );
    let o = outcome(&kernel_sum(&alone, 1, 32, 32));
    assert!(o.findings.iter().any(|f| f.kind == Kind::SyncMask), "{o:#?}");
}

#[test]
fn device_functions_recurse() {
    let k = format!(
        "func device external @down (i32) -> i32 {{
block0(v0: i32):
  v1 = const.i32 0
  v2 = icmp.eq v0, v1
  branch v2, block1, block2
block1:
  return v1
block2:
  v3 = const.i32 1
  v4 = isub.i32 v0, v3
  v5 = call @down(v4) site0
  v6 = iadd.i32 v5, v0
  return v6
}}
func kernel external @k (ptr.generic) {{
block0(v0: ptr.generic):
  v1 = special tid.x
  v9 = call @down(v1) site0
{STORE}"
    );
    let want: i32 = (0..40).map(|t| t * (t + 1) / 2 * (t + 1)).sum();
    assert_eq!(code(&kernel_sum(&k, 1, 40, 40)), want);
}

#[test]
fn a_lock_between_blocks_is_handed_on() {
    // while (atomicCAS(p + 1, 0, 1) != 0); p[0]++ with fences; atomicExch(p + 1, 0); by one thread a block,
    // and by all threads of a block one after the other.
    let k = "func kernel external @k (ptr.generic) {
block0(v0: ptr.generic):
  v1 = const.i64 4
  v2 = ptradd.generic v0, v1
  v3 = const.i32 0
  v4 = const.i32 1
  jump block1
block1:
  v5 = atomic_cas.i32 relaxed device v2, v3, v4 site0
  v6 = icmp.ne v5, v3
  branch v6, block1, block2
block2:
  fence seq_cst device site1
  v7 = load.i32 volatile v0 site2
  v8 = iadd.i32 v7, v4
  store.i32 volatile v8, v0 site3
  fence seq_cst device site4
  v9 = atomic.xchg.i32 relaxed device v2, v3 site5
  return
}";
    for (grid, block) in [(8, 1), (1, 40), (3, 70)] {
        let o = outcome(&kernel_sum(k, grid, block, 2));
        assert_eq!(o.exit, Exit::Code((grid * block) as i32), "{o:#?}");
    }
}

#[test]
fn variable_arguments() {
    // sum(n, ...) adds n ints, the copy of its list n doubles; text(buf, fmt, ...) passes its list to vsprintf.
    let text = "
global internal @.fmt \"string literal\" host 6 align 1 constant = data { \"%d-%s\\x00\" }
global internal @.arg \"string literal\" host 3 align 1 constant = data { \"ok\\x00\" }
func host external @vsprintf (ptr.host, ptr.host, ptr.host) -> i32
func host external @sum (i32, ...) -> i32 {
  slot0: host 24 align 8 \"ap\"
  slot1: host 24 align 8 \"aq\"
block0(v0: i32):
  v1 = slot_addr slot0
  v2 = slot_addr slot1
  va.start v1 site0
  v3 = va_arg.i32 v1 site1
  va.copy v2, v1 site2
  v4 = va_arg.i32 v1 site3
  v5 = va_arg.f64 v1 site4
  v6 = va_arg.i32 v2 site5
  va.end v1 site6
  va.end v2 site7
  v7 = fptosi.i32 v5
  v8 = iadd.i32 v3, v4
  v9 = iadd.i32 v8, v7
  v10 = iadd.i32 v9, v6
  return v10
}
func host external @text (ptr.host, ptr.host, ...) -> i32 {
  slot0: host 24 align 8 \"ap\"
block0(v0: ptr.host, v1: ptr.host):
  v2 = slot_addr slot0
  va.start v2 site0
  v3 = call @vsprintf(v0, v1, v2) site1
  va.end v2 site2
  return v3
}
func host external @main () -> i32 {
  slot0: host 16 align 1 \"buf\"
block0:
  v0 = const.i32 2
  v1 = const.i32 10
  v2 = const.i32 20
  v3 = const.f64 3.5
  v4 = call @sum(v0, v1, v2, v3) site0
  v5 = slot_addr slot0
  v6 = global_addr @.fmt
  v7 = global_addr @.arg
  v8 = call @text(v5, v6, v2, v7) site1
  v9 = iadd.i32 v4, v8
  v10 = const.i64 3
  v11 = ptradd.host v5, v10
  v12 = load.i8 v11 site2
  v13 = zext.i32 v12
  v14 = iadd.i32 v9, v13
  return v14
}";
    assert_eq!(code(text), 10 + 20 + 3 + 20 + 5 + i32::from(b'o'));
    // One argument too few is a fault.
    let o = outcome(&text.replace("call @sum(v0, v1, v2, v3)", "call @sum(v0, v1, v2)"));
    assert_eq!((o.exit.clone(), o.findings.len()), (Exit::Fault, 1), "{o:#?}");
}

#[test]
fn long_jumps() {
    // n = setjmp(buf); if (n < 3) f(buf, n + 1); return n * 10 + x, x being known before.
    let text = "
func host external @_setjmp (ptr.host) -> i32
func host external @longjmp (ptr.host, i32) noreturn
func host external @f (ptr.host, i32) {
block0(v0: ptr.host, v1: i32):
  call @g(v0, v1) site0
  trap unreachable
}
func host external @g (ptr.host, i32) {
  slot0: host 4 align 4 \"x\"
block0(v0: ptr.host, v1: i32):
  v2 = slot_addr slot0
  store.i32 v1, v2 site0
  call @longjmp(v0, v1) site1
  trap unreachable
}
func host external @main () -> i32 returns_twice {
  slot0: host 200 align 16 \"buf\"
block0:
  v0 = slot_addr slot0
  v1 = const.i32 5
  v2 = const.i32 2
  v3 = iadd.i32 v1, v2
  v4 = call @_setjmp(v0) site0
  v5 = const.i32 3
  v6 = icmp.slt v4, v5
  branch v6, block1, block2
block1:
  v7 = const.i32 1
  v8 = iadd.i32 v4, v7
  call @f(v0, v8) site1
  trap unreachable
block2:
  v9 = const.i32 10
  v10 = imul.i32 v4, v9
  v11 = iadd.i32 v10, v3
  return v11
}";
    assert_eq!(code(text), 37);
    let unset = text.replace("  v4 = call @_setjmp(v0) site0", "  v4 = const.i32 0");
    let o = outcome(&unset);
    assert_eq!((o.exit.clone(), o.findings.len()), (Exit::Fault, 1), "{o:#?}");
}

#[test]
fn endless_spinning_is_a_deadlock() {
    // while (atomicCAS(p, 0, 1) != 0); by all threads, and nobody ever lets go.
    let k = "func kernel external @k (ptr.generic) {
block0(v0: ptr.generic):
  v3 = const.i32 0
  v4 = const.i32 1
  jump block1
block1:
  v5 = atomic_cas.i32 relaxed device v0, v3, v4 site0
  v6 = icmp.ne v5, v3
  branch v6, block1, block2
block2:
  barrier.sync site1
  return
}";
    for (grid, block) in [(1, 2), (1, 300), (3, 40), (2, 1)] {
        let o = outcome(&kernel_sum(k, grid, block, 1));
        let found = o.findings.iter().filter(|f| f.kind == Kind::Deadlock).count();
        assert_eq!(found, 1, "{grid} blocks of {block}: {o:#?}");
    }
}

#[test]
fn diverged_calls_keep_their_registers_apart() {
    // Half of the lanes call a function that works on 64-bit values, half one that works on 32-bit values, and
    // each loops as often as its lane says.
    let k = format!(
        "func device external @wide (i32) -> i32 {{
block0(v0: i32):
  v1 = sext.i64 v0
  v2 = const.i64 1
  v3 = const.i64 0
  jump block1(v3, v3)
block1(v4: i64, v5: i64):
  v6 = icmp.slt v4, v1
  branch v6, block2, block3
block2:
  v7 = iadd.i64 v4, v2
  v8 = imul.i64 v4, v4
  v9 = iadd.i64 v5, v8
  jump block1(v7, v9)
block3:
  v10 = trunc.i32 v5
  return v10
}}
func device external @narrow (i32) -> i32 {{
block0(v0: i32):
  v2 = const.i32 1
  v3 = const.i32 0
  jump block1(v3, v3)
block1(v4: i32, v5: i32):
  v6 = icmp.slt v4, v0
  branch v6, block2, block3
block2:
  v7 = iadd.i32 v4, v2
  v9 = iadd.i32 v5, v4
  jump block1(v7, v9)
block3:
  return v5
}}
func kernel external @k (ptr.generic) {{
block0(v0: ptr.generic):
  v1 = special tid.x
  v2 = const.i32 1
  v3 = and.i32 v1, v2
  v4 = const.i32 0
  v5 = func_addr @wide
  v6 = func_addr @narrow
  v7 = icmp.ne v3, v4
  v8 = select.ptr.code v7, v5, v6
  v9 = call_indirect (i32) -> i32, v8(v1) site0
{STORE}"
    );
    let value = |t: i32| (0..t).map(|i| if t & 1 != 0 { i * i } else { i }).sum::<i32>();
    for block in [4, 33, 100] {
        let want = (0..block).fold(0i32, |s, t| s.wrapping_add(value(t).wrapping_mul(t + 1)));
        assert_eq!(code(&kernel_sum(&k, 1, block as u32, block as u32)), want, "a block of {block}");
    }
}
