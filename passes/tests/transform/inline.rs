//! Inlining.

use super::*;

check!(
    inline_call,
    "inline",
    r#"
func device external @add (i32, ptr.generic) -> i32 @loc0 {
  slot0: local 4 align 4 "tmp" @loc1
block0(v0: i32, v1: ptr.generic):
  v2 = slot_addr slot0
  call @use(v2) site0 @loc1
  v3 = load.i32 v1 site1 @loc1
  v4 = iadd.nsw.i32 v0, v3 @loc1
  v5 = icmp.slt v4, v0
  branch v5, block1, block2
block1:
  return v0
block2:
  barrier.sync site2 @loc1
  return v4
}
func device external @use (ptr.generic)
func kernel external @k (ptr.generic, i32) {
  slot0: local 4 align 4 "x"
block0(v0: ptr.generic, v1: i32):
  v2 = slot_addr slot0
  store.i32 v1, v2 site0
  v3 = call @add(v1, v2) site1 @loc2
  v4 = call @add(v3, v0) site2 @loc3
  store.i32 v4, v0 site3
  return
}
file0 = "a.cu"
loc0 = file0:1:1-1:9
loc1 = file0:2:1-2:9
loc2 = file0:9:1-9:9
loc3 = file0:10:1-10:9
"#
);

check!(
    inline_leaves,
    "inline",
    r#"
func host internal @recursive (i32) -> i32 {
block0(v0: i32):
  v1 = call @recursive(v0) site0
  return v1
}
func host internal @noinline (i32) -> i32 noinline {
block0(v0: i32):
  return v0
}
func host internal @alloca (i64) -> i64 {
block0(v0: i64):
  v1 = alloca.host align 8 v0
  return v0
}
func host internal @throws () {
block0:
  call @native() site0
  return
}
func host internal @leaf () -> i32 {
block0:
  v0 = const.i32 5
  return v0
}
func host external @native ()
func host external @main () -> i32 {
block0:
  v0 = const.i32 1
  v1 = call @recursive(v0) site0
  v2 = call @noinline(v1) site1
  v3 = const.i64 8
  v4 = call @alloca(v3) site2
  invoke @throws() to block1 unwind block2 site3
block1:
  invoke @leaf() to block3 unwind block2 site4
block2(v5: ptr.host):
  return v0
block3(v6: i32):
  return v6
}
"#
);
