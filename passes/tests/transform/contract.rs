//! Contraction of products and sums as nvcc contracts them.

use super::*;

check!(
    contract_sums,
    "contract,simplify",
    r#"
func kernel external @k (ptr.global, f32, f32, f32, f32) {
block0(v0: ptr.global, v1: f32, v2: f32, v3: f32, v4: f32):
  v5 = fmul.f32 v1, v2
  v6 = fmul.f32 v3, v4
  v7 = fadd.f32 v6, v5
  store.f32 v7, v0 site0
  v8 = fmul.f32 v1, v3
  v9 = fneg.f32 v8
  v10 = fsub.f32 v9, v4
  store.f32 v10, v0 site1
  v11 = fmul.f32 v2, v4
  v12 = fadd.f32 v11, v3
  store.f32 v12, v0 site2
  store.f32 v11, v0 site3
  v13 = fmul.f32 v2, v3
  v14 = fsub.f32 v1, v13
  v15 = fadd.f32 v13, v4
  store.f32 v14, v0 site4
  store.f32 v15, v0 site5
  return
}
"#
);

check!(
    contract_blocks,
    "contract,simplify",
    r#"
func kernel external @k (ptr.global, f32, i1) {
block0(v0: ptr.global, v1: f32, v2: i1):
  v3 = load.f32 v0 site0
  v4 = load.f32 v0 site1
  v5 = fmul.f32 v3, v4
  v6 = fmul.f32 v3, v1
  v7 = fmul.f32 v4, v4
  branch v2, block1, block2
block1:
  v8 = fadd.f32 v5, v1
  store.f32 v8, v0 site2
  v9 = fadd.f32 v6, v1
  store.f32 v9, v0 site3
  v10 = fadd.f32 v7, v1
  store.f32 v10, v0 site4
  jump block3
block2:
  v11 = fsub.f32 v5, v1
  store.f32 v11, v0 site5
  v12 = fsub.f32 v6, v1
  store.f32 v12, v0 site6
  jump block3
block3:
  return
}
"#
);

check!(
    contract_only_the_device,
    "contract",
    r#"
func host external @f (f64, f64, f64) -> f64 {
block0(v0: f64, v1: f64, v2: f64):
  v3 = fmul.f64 v0, v1
  v4 = fadd.f64 v3, v2
  return v4
}

func device external @g (f64, f64, f64) -> f64 {
block0(v0: f64, v1: f64, v2: f64):
  v3 = fmul.f64 v0, v1
  v4 = fadd.f64 v3, v2
  return v4
}
"#
);
