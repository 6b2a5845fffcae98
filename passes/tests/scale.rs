//! The transforms take time in proportion to the program, more or less, and no stack.

use cudair_ir::{parse_module, verify_module};
use cudair_passes::transform::{Pipeline, run_pipeline};
use std::fmt::Write;
use std::time::Instant;

/// A function with `n` variables and `n` diamonds, each of which changes one of the variables.
fn diamonds(n: usize) -> String {
    let mut text = String::from("func host external @main (i32) -> i32 {\n");
    for i in 0..n {
        let _ = writeln!(text, "  slot{i}: host 4 align 4");
    }
    text += "block0(v0: i32):\n";
    let (mut v, mut s) = (1, 0);
    for i in 0..n {
        let _ = writeln!(text, "  v{v} = slot_addr slot{i}\n  store.i32 v0, v{v} site{s}");
        (v, s) = (v + 1, s + 1);
    }
    for i in 0..n {
        let (a, b, c) = (3 * i + 1, 3 * i + 2, 3 * i + 3);
        let _ = writeln!(
            text,
            "  v{v} = slot_addr slot{i}\n  v{} = load.i32 v{v} site{s}\n  v{} = icmp.slt v{}, v0\n  branch v{}, block{a}, block{b}",
            v + 1,
            v + 2,
            v + 1,
            v + 2
        );
        let _ = writeln!(
            text,
            "block{a}:\n  v{} = iadd.nsw.i32 v{}, v0\n  store.i32 v{}, v{v} site{}\n  jump block{c}\nblock{b}:\n  jump block{c}\nblock{c}:",
            v + 3,
            v + 1,
            v + 3,
            s + 1
        );
        (v, s) = (v + 4, s + 2);
    }
    let _ = writeln!(
        text,
        "  v{v} = slot_addr slot0\n  v{} = load.i32 v{v} site{s}\n  return v{}\n}}",
        v + 1,
        v + 1
    );
    text
}

#[test]
fn large_functions() {
    let text = diamonds(1500);
    let mut m = parse_module(&text, "t.cir").unwrap();
    verify_module(&m).unwrap();
    let start = Instant::now();
    run_pipeline(&mut m, &Pipeline::default()).unwrap();
    let took = start.elapsed();
    assert!(took.as_secs() < 60, "{took:?}");
    println!("{took:?}");
}

#[test]
fn long_chains_of_calls() {
    let n = 2000;
    let mut text = String::from(
        "func host external @main (i32) -> i32 {\nblock0(v0: i32):\n  v1 = call @f0(v0) site0 @loc0\n  return v1\n}\n",
    );
    for i in 0..n {
        let _ = write!(
            text,
            "func host internal @f{i} (i32) -> i32 {{\nblock0(v0: i32):\n  v1 = call @f{}(v0) site0 @loc0\n  v2 = iadd.i32 v1, v0\n  return v2\n}}\n",
            i + 1
        );
    }
    let _ = write!(
        text,
        "func host internal @f{n} (i32) -> i32 {{\nblock0(v0: i32):\n  return v0\n}}\nfile0 = \"a.c\"\nloc0 = file0:1:1-1:2\n"
    );
    let mut m = parse_module(&text, "t.cir").unwrap();
    run_pipeline(&mut m, &Pipeline::default()).unwrap();
    assert!(m.to_string().len() < 100 * text.len());
}
