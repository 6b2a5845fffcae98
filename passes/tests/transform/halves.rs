//! High halves of products, and what counts bits of zero.

use super::*;

check!(
    simplify_high_halves,
    "simplify",
    r#"
func device external @yes (i64, i64, i32) -> i64 {
block0(v0: i64, v1: i64, v2: i32):
  v3 = zext.i128 v0
  v4 = zext.i128 v1
  v5 = imul.i128 v3, v4
  v6 = const.i128 64
  v7 = lshr.i128 v5, v6
  v8 = trunc.i64 v7
  v9 = const.i128 11400714819323198485
  v10 = imul.i128 v4, v9
  v11 = lshr.i128 v10, v6
  v12 = trunc.i32 v11
  v13 = sext.i128 v0
  v14 = sext.i128 v2
  v15 = imul.nsw.i128 v13, v14
  v16 = ashr.i128 v15, v6
  v17 = trunc.i64 v16
  v18 = zext.i64 v12
  v19 = iadd.i64 v8, v18
  v20 = iadd.i64 v19, v17
  return v20
}

func device external @no (i64, i64) -> i64 {
block0(v0: i64, v1: i64):
  v2 = zext.i128 v0
  v3 = zext.i128 v1
  v4 = imul.nsw.i128 v2, v3
  v5 = const.i128 64
  v6 = ashr.i128 v4, v5
  v7 = trunc.i64 v6
  v8 = sext.i128 v1
  v9 = imul.i128 v2, v8
  v10 = lshr.i128 v9, v5
  v11 = trunc.i64 v10
  v12 = imul.i128 v2, v3
  v13 = const.i128 63
  v14 = lshr.i128 v12, v13
  v15 = trunc.i64 v14
  v16 = const.i128 18446744073709551616
  v17 = imul.i128 v2, v16
  v18 = lshr.i128 v17, v5
  v19 = trunc.i64 v18
  v20 = iadd.i64 v7, v11
  v21 = iadd.i64 v15, v19
  v22 = iadd.i64 v20, v21
  return v22
}
"#
);

check!(
    simplify_bits_of_zero,
    "simplify",
    r#"
func device external @yes (i32, i64) -> i64 {
block0(v0: i32, v1: i64):
  v2 = const.i32 0
  v3 = icmp.eq v0, v2
  v4 = clz.i32 v0
  v5 = const.i32 32
  v6 = select.i32 v3, v5, v4
  v7 = const.i64 0
  v8 = icmp.ne v1, v7
  v9 = ctz.i64 v1
  v10 = const.i64 64
  v11 = select.i64 v8, v9, v10
  v12 = zext.i64 v6
  v13 = iadd.i64 v11, v12
  return v13
}

func device external @no (i32, i32) -> i32 {
block0(v0: i32, v1: i32):
  v2 = const.i32 0
  v3 = icmp.eq v0, v2
  v4 = clz.i32 v0
  v5 = const.i32 31
  v6 = select.i32 v3, v5, v4
  v7 = const.i32 32
  v8 = clz.i32 v1
  v9 = select.i32 v3, v7, v8
  v10 = iadd.i32 v6, v9
  v11 = select.i32 v3, v4, v7
  v12 = iadd.i32 v10, v11
  return v12
}
"#
);
