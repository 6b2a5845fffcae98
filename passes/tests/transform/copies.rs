//! Copies of aggregates.

use super::*;

// float4 p = a[i]; for (…) sum += p.x; b[i] = a[i + 1];
check!(
    copies_of_vectors,
    "sroa,promote,simplify,copies",
    r#"
func device external @f (ptr.generic, ptr.generic, i32, i1) -> f32 {
  slot0: local 16 align 16 "p"
  slot1: local 16 align 16 "t"
  slot2: local 8 align 4 "tagged"
block0(v0: ptr.generic, v1: ptr.generic, v2: i32, v3: i1):
  v4 = slot_addr slot0
  v5 = const.i64 16
  memcopy align 16 v4, v0, v5 site0 site1
  v6 = slot_addr slot1
  v7 = ptradd.generic v0, v5
  memcopy align 16 v6, v7, v5 site2 site3
  memcopy align 16 v1, v6, v5 site4 site5
  v8 = slot_addr slot2
  v9 = const.i64 8
  memcopy align 4 v8, v0, v9 site6 site7
  v10 = const.i32 0
  v11 = const.f32 0.0
  v12 = const.i32 1
  jump block1(v10, v11)
block1(v13: i32, v14: f32):
  v15 = icmp.slt v13, v2
  branch v15, block2, block3
block2:
  v16 = load.f32 v4 site8
  v17 = fadd.f32 v14, v16
  v18 = iadd.nsw.i32 v13, v12
  jump block1(v18, v17)
block3:
  v19 = load.i32 v8 site9
  v20 = icmp.eq v19, v12
  branch v20, block4, block5
block4:
  v21 = const.i64 4
  v22 = ptradd.local v8, v21
  v23 = load.f32 v22 site10
  return v23
block5:
  return v14
}
"#
);
