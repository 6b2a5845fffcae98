//! Each transform: the IR before and after, as snapshots.
// All texts are written alike, whether they hold a quote or not.
#![allow(clippy::needless_raw_string_hashes)]

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
            insta::with_settings!({ snapshot_path => "../../../snapshots/passes", prepend_module_to_snapshot => false, omit_expression => true }, {
                insta::assert_snapshot!(stringify!($name), both);
            });
        }
    };
}

mod contract;
mod copies;
mod halves;
mod inline;

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

mod simplify {
    use super::*;

    check!(
        simplify_folds,
        "simplify",
        r#"
func host external @f (i32, f32) -> i32 {
block0(v0: i32, v1: f32):
  v2 = const.i32 2
  v3 = const.i32 3
  v4 = iadd.nsw.i32 v2, v3
  v5 = imul.i32 v4, v0
  v6 = const.i32 0
  v7 = iadd.nsw.i32 v5, v6
  v8 = const.i32 2147483647
  v9 = iadd.nsw.i32 v8, v2
  v10 = sdiv.i32 v2, v6
  v11 = const.f32 0.5
  v12 = const.f32 0.25
  v13 = fadd.f32 v11, v12
  v14 = fmul.f32 v1, v13
  v15 = fcmp.olt v14, v1
  v16 = zext.i32 v15
  v17 = icmp.ne v16, v6
  v18 = zext.i32 v17
  v19 = iadd.i32 v18, v7
  return v19
}
"#
    );

    // a[i].y with i of 32 bits: base + index * scale + constant.
    check!(
        simplify_address,
        "simplify",
        r#"
func device external @f (ptr.generic, i32, i64) -> f32 {
block0(v0: ptr.generic, v1: i32, v2: i64):
  v3 = sext.i64 v1
  v4 = const.i64 4
  v5 = ptradd.generic v0, v4
  v6 = const.i64 3
  v7 = shl.i64 v3, v6
  v8 = ptradd.generic v5, v7
  v9 = ptradd.generic v8, v4
  v10 = load.f32 v9 site0
  v11 = const.i64 1
  v12 = iadd.i64 v2, v11
  v13 = const.i64 8
  v14 = imul.i64 v12, v13
  v15 = ptradd.generic v0, v14
  v16 = load.f32 v15 site1
  v17 = ptradd.generic v0, v7
  v18 = load.f32 v17 site2
  v19 = fadd.f32 v10, v16
  v20 = fadd.f32 v19, v18
  return v20
}
"#
    );

    // if (a && b) … as C lowers it.
    check!(
        simplify_short_circuit,
        "simplify",
        r#"
func device external @f (i32, i32, ptr.generic) {
block0(v0: i32, v1: i32, v2: ptr.generic):
  v3 = const.i32 0
  v4 = icmp.ne v0, v3
  v5 = const.i1 0
  branch v4, block1, block2(v5)
block1:
  v6 = load.i32 v2 site0
  v7 = icmp.slt v6, v1
  jump block2(v7)
block2(v8: i1):
  v9 = zext.i32 v8
  v10 = icmp.ne v9, v3
  branch v10, block3, block4
block3:
  store.i32 v0, v2 site1
  jump block4
block4:
  return
}
"#
    );

    check!(
        simplify_select,
        "simplify",
        r#"
func device external @f (i32, i32, f32) -> f32 {
block0(v0: i32, v1: i32, v2: f32):
  v3 = icmp.slt v0, v1
  branch v3, block1, block2
block1:
  v4 = fneg.f32 v2
  jump block3(v4, v0)
block2:
  jump block3(v2, v0)
block3(v5: f32, v6: i32):
  v7 = sitofp.f32 v6
  v8 = fadd.f32 v5, v7
  return v8
}
"#
    );

    // Convergent instructions stay where they are and as many as they are.
    check!(
        simplify_convergent,
        "simplify",
        r#"
func kernel external @f (i32, ptr.generic) {
block0(v0: i32, v1: ptr.generic):
  v2 = special tid.x
  v3 = icmp.slt v2, v0
  v4 = const.i1 1
  branch v3, block1, block2(v4)
block1:
  barrier.sync site0
  v5 = const.i1 0
  jump block2(v5)
block2(v6: i1):
  barrier.sync site1
  branch v6, block3, block4
block3:
  barrier.sync site2
  return
block4:
  return
}
"#
    );

    // What may be undefined behaviour stays, though unused; what is proved fine goes.
    check!(
        simplify_keeps_checks,
        "simplify",
        r#"
func host external @f (i32, i32, ptr.generic) {
  slot0: host 4 align 4 "written only"
block0(v0: i32, v1: i32, v2: ptr.generic):
  v3 = iadd.nsw.i32 v0, v1
  v4 = iadd.nsw.i32 v0, v1
  v5 = iadd.i32 v0, v1
  v6 = sdiv.i32 v0, v1
  v7 = const.i32 7
  v8 = sdiv.i32 v0, v7
  v9 = shl.i32 v0, v7
  v10 = shl.i32 v0, v1
  v11 = load.i32 v2 site0
  v12 = slot_addr slot0
  store.i32 v5, v12 site1
  return
}
"#
    );

    check!(
        simplify_switch,
        "simplify",
        r#"
func host external @f (i32) -> i32 {
block0(v0: i32):
  v1 = const.i32 2
  switch.i32 v1, block1 {
    1: block1
    2: block2
  }
block1:
  return v0
block2:
  switch.i32 v0, block3 {
    5: block3
  }
block3:
  jump block4(v0)
block4(v2: i32):
  v3 = iadd.i32 v2, v1
  return v3
}
"#
    );

    // Parameters that never change, and those that only feed each other.
    check!(
        simplify_params,
        "simplify",
        r#"
func host external @f (i32, i32) -> i32 {
block0(v0: i32, v1: i32):
  v2 = const.i32 0
  jump block1(v2, v1, v2)
block1(v3: i32, v4: i32, v5: i32):
  v6 = icmp.slt v3, v4
  branch v6, block2, block3
block2:
  v7 = const.i32 1
  v8 = iadd.nsw.i32 v3, v7
  v9 = iadd.i32 v5, v7
  jump block1(v8, v4, v9)
block3:
  return v3
}
"#
    );
}

mod licm {
    use super::*;

    check!(
        licm_hoists,
        "simplify,licm",
        r#"
func device external @f (i32, i32, ptr.generic) {
block0(v0: i32, v1: i32, v2: ptr.generic):
  v3 = const.i32 0
  v4 = icmp.eq v0, v3
  branch v4, block3, block1(v3)
block1(v5: i32):
  v6 = sext.i64 v1
  v7 = const.i64 4
  v8 = imul.i64 v6, v7
  v9 = ptradd.generic v2, v8
  v10 = imul.nsw.i32 v1, v1
  v11 = load.i32 v9 site0
  v12 = iadd.i32 v11, v10
  store.i32 v12, v9 site1
  v13 = const.i32 1
  v14 = iadd.nsw.i32 v5, v13
  v15 = icmp.slt v14, v0
  branch v15, block1(v14), block3
block3:
  return
}
"#
    );
}

mod spaces {
    use super::*;

    check!(
        spaces_narrow,
        "spaces",
        r#"
global external @tile shared 64 align 4 = uninit
func device internal @g (ptr.generic, ptr.generic, ptr.generic) -> i32 {
block0(v0: ptr.generic, v1: ptr.generic, v2: ptr.generic):
  v3 = load.i32 v0 site0
  v4 = load.i32 v1 site1
  v5 = load.i32 v2 site2
  v6 = iadd.i32 v3, v4
  v7 = iadd.i32 v6, v5
  return v7
}
func kernel external @k (ptr.generic, i1, i64) {
  slot0: local 4 align 4 "x"
block0(v0: ptr.generic, v1: i1, v2: i64):
  v3 = global_addr @tile
  v4 = spacecast.ptr.generic v3
  v5 = ptradd.generic v4, v2
  v6 = slot_addr slot0
  v7 = call @g(v5, v5, v0) site0
  v8 = const.ptr.generic null
  v9 = call @g(v8, v6, v3) site1
  branch v1, block1(v5), block1(v8)
block1(v10: ptr.generic):
  v11 = select.ptr.generic v1, v10, v8
  store.i32 v9, v11 site2
  v12 = select.ptr.generic v1, v0, v10
  store.i32 v9, v12 site3
  return
}
"#
    );
}

mod dce {
    use super::*;

    check!(
        dce_unreferenced,
        "dce",
        r#"
global internal @used host 8 align 8 = data { zero 8
 at 0: func @pointed + 0
}
global external @unused host 4 align 4 = zero
func host internal @dead () {
block0:
  call @dead_too() site0
  return
}
func host internal @dead_too () {
block0:
  return
}
func host internal @pointed () {
block0:
  return
}
func host external @native ()
func host external @main () {
block0:
  v0 = global_addr @used
  return
}
func kernel external @k () {
block0:
  return
}
"#
    );
}

mod ranges {
    use super::*;

    check!(
        simplify_ranges,
        "simplify",
        r#"
func kernel external @f (ptr.generic, i32) {
block0(v0: ptr.generic, v1: i32):
  v2 = special tid.x
  v3 = const.i32 1
  v4 = iadd.nsw.i32 v2, v3
  v5 = const.i32 32
  v6 = sdiv.i32 v4, v5
  v7 = srem.i32 v2, v5
  v8 = srem.i32 v1, v5
  v9 = sext.i64 v6
  v10 = const.i64 4
  v11 = imul.nsw.i64 v9, v10
  v12 = ptradd.generic v0, v11
  store.i32 v7, v12 site0
  store.i32 v8, v12 site1
  v13 = const.i32 0
  v14 = icmp.slt v2, v13
  v15 = special warpsize
  v16 = icmp.ult v7, v15
  branch v14, block1, block2
block1:
  barrier.sync site2
  jump block2
block2:
  v17 = zext.i32 v16
  store.i32 v17, v12 site3
  v18 = iadd.nsw.i32 v1, v3
  v19 = sext.i64 v18
  v20 = imul.nsw.i64 v19, v10
  v21 = ptradd.generic v0, v20
  store.i32 v7, v21 site4
  return
}
"#
    );
}
