//! Each transform: the IR before and after, as snapshots.

use cudair_ir::{Module, parse_module, verify_module};
use cudair_passes::transform::{Pipeline, run_pipeline};

#[track_caller]
fn parse(text: &str) -> Module {
    let m = parse_module(text, "test.cir").unwrap_or_else(|e| panic!("{e}"));
    verify_module(&m).unwrap_or_else(|e| panic!("{}", e[0]));
    m
}

/// Runs `passes` and gives the result as text, compacted.
#[track_caller]
fn transform(passes: &str, text: &str) -> String {
    let mut m = parse(text);
    let pipeline = Pipeline::parse(&format!("{passes},compact")).unwrap();
    run_pipeline(&mut m, &pipeline).unwrap_or_else(|e| panic!("{e}\n{m}"));
    let printed = m.to_string();
    // What a pass leaves prints and parses like anything else.
    assert_eq!(parse(&printed).to_string(), printed);
    printed
}

macro_rules! check {
    ($name:ident, $passes:literal, $text:expr) => {
        #[test]
        fn $name() {
            let text: &str = $text;
            let after = transform($passes, text);
            let both = format!(";;; before {}\n{}\n;;; after\n{after}", $passes, parse(text));
            insta::with_settings!({ snapshot_path => "../../snapshots/passes", prepend_module_to_snapshot => false, omit_expression => true }, {
                insta::assert_snapshot!(stringify!($name), both);
            });
        }
    };
}

mod promote {
    use super::*;

    check!(
        promote_loop,
        "promote",
        r#"
func device external @f (i32) -> i32 {
  slot0: local 4 align 4 "n"
  slot1: local 4 align 4 "i"
block0(v0: i32):
  v1 = slot_addr slot0
  store.i32 v0, v1 site0
  lifetime.live slot1
  v2 = slot_addr slot1
  v3 = const.i32 0
  store.i32 v3, v2 site1
  jump block1
block1:
  v4 = load.i32 v2 site2
  v5 = load.i32 v1 site3
  v6 = icmp.slt v4, v5
  branch v6, block2, block3
block2:
  v7 = const.i32 1
  v8 = iadd.nsw.i32 v4, v7
  store.i32 v8, v2 site4
  jump block1
block3:
  v9 = load.i32 v2 site5
  lifetime.dead slot1
  return v9
}
"#
    );

    // `x` may be read before it is written, `y` not: only `y` becomes a value.
    check!(
        promote_maybe_uninitialised,
        "promote",
        r#"
func host external @f (i1, i32) -> i32 {
  slot0: host 4 align 4 "x"
  slot1: host 4 align 4 "y"
block0(v0: i1, v1: i32):
  branch v0, block1, block2
block1:
  v2 = slot_addr slot0
  store.i32 v1, v2 site0
  v3 = slot_addr slot1
  store.i32 v1, v3 site1
  jump block3
block2:
  v4 = slot_addr slot1
  v5 = const.i32 7
  store.i32 v5, v4 site2
  jump block3
block3:
  v6 = slot_addr slot0
  v7 = load.i32 v6 site3
  v8 = slot_addr slot1
  v9 = load.i32 v8 site4
  v10 = iadd.nsw.i32 v7, v9
  return v10
}
"#
    );

    // The scope is entered anew in each round: the value of the round before is gone.
    check!(
        promote_lifetime_kills,
        "promote",
        r#"
func host external @f (i1) -> i32 {
  slot0: host 4 align 4 "x"
block0(v0: i1):
  v1 = slot_addr slot0
  v2 = const.i32 1
  jump block1
block1:
  lifetime.live slot0
  branch v0, block2, block3
block2:
  store.i32 v2, v1 site0
  jump block1
block3:
  v3 = load.i32 v1 site1
  return v3
}
"#
    );

    // Escapes, volatile, partial and punned accesses, `setjmp`.
    check!(
        promote_leaves,
        "promote",
        r#"
func host external @g (ptr.generic)
func host external @f (i32, f32) {
  slot0: host 4 align 4 "escapes"
  slot1: host 4 align 4 "volatile"
  slot2: host 4 align 4 "partial"
  slot3: host 4 align 4 "punned"
block0(v0: i32, v1: f32):
  v2 = slot_addr slot0
  store.i32 v0, v2 site0
  call @g(v2) site1
  v3 = slot_addr slot1
  store.i32 volatile v0, v3 site2
  v4 = slot_addr slot2
  store.i32 v0, v4 site3
  v5 = load.i8 v4 site4
  v6 = slot_addr slot3
  store.i32 v0, v6 site5
  v7 = load.f32 v6 site6
  return
}
func host external @s (i32) -> i32 returns_twice {
  slot0: host 4 align 4 "x"
block0(v0: i32):
  v1 = slot_addr slot0
  store.i32 v0, v1 site0
  v2 = load.i32 v1 site1
  return v2
}
"#
    );

    // A copied member becomes a load only where it is surely used.
    check!(
        promote_copies,
        "promote",
        r#"
func device external @f (ptr.generic, ptr.generic, i1) -> f32 {
  slot0: local 4 align 4 "used"
  slot1: local 4 align 4 "perhaps used"
  slot2: local 4 align 4 "passed on"
  slot3: local 4 align 4 "through"
block0(v0: ptr.generic, v1: ptr.generic, v2: i1):
  v3 = const.i64 4
  v4 = slot_addr slot0
  v5 = slot_addr slot1
  v6 = slot_addr slot2
  v7 = slot_addr slot3
  memcopy align 4 v4, v0, v3 site0 site1
  memcopy align 4 v5, v0, v3 site2 site3
  memcopy align 4 v6, v0, v3 site4 site5
  memcopy align 4 v1, v6, v3 site6 site7
  memcopy align 4 v7, v4, v3 site8 site9
  branch v2, block1, block2
block1:
  v8 = load.f32 v5 site10
  jump block2
block2:
  v9 = load.f32 v4 site11
  v10 = load.f32 v7 site12
  v11 = fadd.f32 v9, v10
  return v11
}
"#
    );

    // Pointers of several spaces are one type.
    check!(
        promote_pointers,
        "promote",
        r#"
func device external @f (ptr.generic, i1) -> i32 {
  slot0: local 8 align 8 "p"
  slot1: local 4 align 4 "x"
block0(v0: ptr.generic, v1: i1):
  v2 = slot_addr slot0
  store.ptr.generic v0, v2 site0
  branch v1, block1, block2
block1:
  v3 = slot_addr slot1
  v4 = slot_addr slot0
  store.ptr.local v3, v4 site1
  jump block2
block2:
  v5 = slot_addr slot0
  v6 = load.ptr.generic v5 site2
  v7 = load.i32 v6 site3
  return v7
}
"#
    );
}

mod sroa {
    use super::*;

    // struct { float x, y; } a = {1, 2}, b = a; return b.x + b.y;
    check!(
        sroa_struct,
        "sroa",
        r#"
func device external @f () -> f32 {
  slot0: local 8 align 4 "a"
  slot1: local 8 align 4 "b"
block0:
  lifetime.live slot0
  v0 = slot_addr slot0
  v1 = const.f32 1.0
  store.f32 v1, v0 site0
  v2 = const.i64 4
  v3 = ptradd.local v0, v2
  v4 = const.f32 2.0
  store.f32 v4, v3 site1
  lifetime.live slot1
  v5 = slot_addr slot1
  v6 = const.i64 8
  memcopy align 4 v5, v0, v6 site2 site3
  v7 = load.f32 v5 site4
  v8 = ptradd.local v5, v2
  v9 = load.f32 v8 site5
  v10 = fadd.f32 v7, v9
  return v10
}
"#
    );
    check!(
        sroa_struct_promoted,
        "sroa,promote",
        r#"
func device external @f () -> f32 {
  slot0: local 8 align 4 "a"
  slot1: local 8 align 4 "b"
block0:
  v0 = slot_addr slot0
  v1 = const.f32 1.0
  store.f32 v1, v0 site0
  v2 = const.i64 4
  v3 = ptradd.local v0, v2
  v4 = const.f32 2.0
  store.f32 v4, v3 site1
  v5 = slot_addr slot1
  v6 = const.i64 8
  memcopy align 4 v5, v0, v6 site2 site3
  v7 = load.f32 v5 site4
  v8 = ptradd.local v5, v2
  v9 = load.f32 v8 site5
  v10 = fadd.f32 v7, v9
  return v10
}
"#
    );

    // A member that was never written is copied and never used: no load of it appears.
    check!(
        sroa_unwritten_member,
        "sroa,promote,copies",
        r#"
func host external @f (i1) -> i32 {
  slot0: host 8 align 4 "a"
  slot1: host 8 align 4 "b"
block0(v0: i1):
  v1 = slot_addr slot0
  v2 = const.i32 5
  store.i32 v2, v1 site0
  v3 = slot_addr slot1
  v4 = const.i64 8
  memcopy align 4 v3, v1, v4 site1 site2
  v5 = load.i32 v3 site3
  branch v0, block1, block2
block1:
  v6 = const.i64 4
  v7 = ptradd.host v3, v6
  v8 = load.i32 v7 site4
  return v8
block2:
  return v5
}
"#
    );

    check!(
        sroa_fill,
        "sroa,promote",
        r#"
func host external @f () -> i32 {
  slot0: host 16 align 8 "a"
block0:
  v0 = slot_addr slot0
  v1 = const.i8 0
  v2 = const.i64 16
  memfill align 8 v0, v1, v2 site0
  v3 = const.i64 8
  v4 = ptradd.host v0, v3
  v5 = load.ptr.generic v4 site1
  v6 = load.i32 v0 site2
  return v6
}
"#
    );

    // Dynamic index, out of bounds, escape: whole.
    check!(
        sroa_leaves,
        "sroa",
        r#"
func host external @g (ptr.generic)
func host external @f (i64) -> i32 {
  slot0: host 8 align 4 "indexed"
  slot1: host 8 align 4 "beyond"
  slot2: host 8 align 4 "escapes"
block0(v0: i64):
  v1 = slot_addr slot0
  v2 = ptradd.host v1, v0
  v3 = load.i32 v2 site0
  v4 = slot_addr slot1
  v5 = const.i64 8
  v6 = ptradd.host v4, v5
  v7 = load.i32 v6 site1
  v8 = load.i32 v4 site2
  v9 = slot_addr slot2
  v10 = const.i64 4
  v11 = ptradd.host v9, v10
  call @g(v11) site3
  return v3
}
"#
    );
}
