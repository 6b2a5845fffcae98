//! Tests of the compiler: the code of small functions, and that whatever is compiled verifies.

use super::{Context, compile};
use cranelift_entity::SecondaryMap;
use cudair_bytecode::FactCounts;
use cudair_ir::{Block, FuncFacts, FuncId, Module, Uniformity, Value, ValueDef};

/// A module from the text of its functions.
fn module(text: &str) -> Module {
    match cudair_ir::text::parse_module(text, "test.cir") {
        Ok(m) => {
            cudair_ir::verify_module(&m).expect("the test's IR obeys the rules");
            m
        }
        Err(e) => panic!("{e}"),
    }
}

/// Facts in which these values, as numbered in the text, are the same in all threads.
fn uniform(values: &[u32]) -> FuncFacts {
    let mut facts = FuncFacts::default();
    for &v in values {
        facts.uniform[Value::from_u32(v)] = Uniformity::Grid;
    }
    facts
}

fn disassembly(m: &Module, name: &str, facts: Option<&FuncFacts>) -> String {
    let id = m.func_by_name(name).expect("the function is there");
    let is_math = |n: &str| n == "sqrtf";
    let cx = Context {
        module: m,
        facts,
        claims: None,
        uniform_over: Uniformity::Block,
        block_dim: [0; 3],
        is_math,
    };
    match compile(&cx, id) {
        Ok(code) => code.to_string(),
        Err(d) => format!("refused: {}\n", d.message),
    }
}

macro_rules! snapshot {
    ($name:literal, $text:expr) => {
        insta::with_settings!(
            { snapshot_path => "../../../snapshots/bytecode", prepend_module_to_snapshot => false },
            { insta::assert_snapshot!($name, $text) }
        )
    };
}

#[test]
fn vector_add() {
    let m = module(
        r#"
func kernel external @vadd "vadd" (ptr.global, ptr.global, ptr.global, i32) {
block0(v0: ptr.global, v1: ptr.global, v2: ptr.global, v3: i32):
  v4 = special ctaid.x
  v5 = special ntid.x
  v6 = imul.i32 v4, v5
  v7 = special tid.x
  v8 = iadd.i32 v6, v7
  v9 = icmp.slt v8, v3
  branch v9, block1, block2
block1:
  v10 = sext.i64 v8
  v11 = const.i64 4
  v12 = imul.i64 v10, v11
  v13 = ptradd.global v0, v12
  v14 = load.f32 v13 site0
  v15 = ptradd.global v1, v12
  v16 = load.f32 v15 site1
  v17 = fadd.f32 v14, v16
  v18 = ptradd.global v2, v12
  store.f32 v17, v18 site2
  jump block2
block2:
  return
}
"#,
    );
    snapshot!("vector_add", disassembly(&m, "vadd", None));
}

const MATMUL: &str = r#"
func kernel external @mm "mm" (ptr.global, ptr.global, ptr.global, i32) {
block0(v0: ptr.global, v1: ptr.global, v2: ptr.global, v3: i32):
  v4 = special tid.x
  v5 = special tid.y
  v6 = const.f32 0x0
  v7 = const.i32 0
  v8 = imul.nsw.i32 v5, v3
  jump block1(v6, v7)
block1(v9: f32, v10: i32):
  v11 = icmp.slt v10, v3
  branch v11, block2, block3
block2:
  v12 = iadd.nsw.i32 v8, v10
  v13 = sext.i64 v12
  v14 = const.i64 4
  v15 = imul.i64 v13, v14
  v16 = ptradd.global v0, v15
  v17 = load.f32 v16 site0
  v18 = imul.nsw.i32 v10, v3
  v19 = iadd.nsw.i32 v18, v4
  v20 = sext.i64 v19
  v21 = imul.i64 v20, v14
  v22 = ptradd.global v1, v21
  v23 = load.f32 v22 site1
  v24 = fma.f32 v17, v23, v9
  v25 = const.i32 1
  v26 = iadd.nsw.i32 v10, v25
  jump block1(v24, v26)
block3:
  v27 = iadd.nsw.i32 v8, v4
  v28 = sext.i64 v27
  v29 = const.i64 4
  v30 = imul.i64 v28, v29
  v31 = ptradd.global v2, v30
  store.f32 v9, v31 site2
  return
}
"#;

#[test]
fn matrix_product() {
    let m = module(MATMUL);
    // The loop counter is proved uniform; with nothing proved it is a vector.
    snapshot!("matrix_product", disassembly(&m, "mm", Some(&uniform(&[10]))));
    snapshot!("matrix_product_without_facts", disassembly(&m, "mm", None));
}

#[test]
fn reduction_in_shared_memory() {
    let m = module(
        r#"
global internal @part shared 1024 align 4 = uninit
func kernel external @reduce "reduce" (ptr.global, ptr.global) {
block0(v0: ptr.global, v1: ptr.global):
  v2 = special tid.x
  v3 = sext.i64 v2
  v4 = const.i64 4
  v5 = imul.i64 v3, v4
  v6 = ptradd.global v0, v5
  v7 = load.i32 v6 site0
  v8 = global_addr @part
  v9 = ptradd.shared v8, v5
  store.i32 v7, v9 site1
  barrier.sync site2
  v10 = const.i32 128
  jump block1(v10)
block1(v11: i32):
  v12 = const.i32 0
  v13 = icmp.sgt v11, v12
  branch v13, block2, block5
block2:
  v14 = icmp.slt v2, v11
  branch v14, block3, block4
block3:
  v15 = iadd.nsw.i32 v2, v11
  v16 = sext.i64 v15
  v17 = imul.i64 v16, v4
  v18 = ptradd.shared v8, v17
  v19 = load.i32 v18 site3
  v20 = load.i32 v9 site4
  v21 = iadd.nsw.i32 v20, v19
  store.i32 v21, v9 site5
  jump block4
block4:
  barrier.sync site6
  v22 = const.i32 1
  v23 = ashr.i32 v11, v22
  jump block1(v23)
block5:
  v24 = icmp.eq v2, v12
  branch v24, block6, block7
block6:
  v25 = load.i32 v8 site7
  store.i32 v25, v1 site8
  jump block7
block7:
  return
}
"#,
    );
    snapshot!("reduction", disassembly(&m, "reduce", Some(&uniform(&[11, 25]))));
}

#[test]
fn tile_with_two_vector_indices() {
    let m = module(
        r#"
global internal @tile shared 1024 align 4 = uninit
func kernel external @transpose "transpose" (ptr.global) {
block0(v0: ptr.global):
  v1 = special tid.x
  v2 = special tid.y
  v3 = global_addr @tile
  v4 = zext.i64 v2
  v5 = const.i64 64
  v6 = imul.i64 v4, v5
  v7 = ptradd.shared v3, v6
  v8 = zext.i64 v1
  v9 = const.i64 4
  v10 = imul.i64 v8, v9
  v11 = ptradd.shared v7, v10
  v12 = ptradd.global v0, v10
  v13 = load.f32 v12 site0
  store.f32 v13, v11 site1
  barrier.sync site2
  v14 = load.f32 v11 site3
  v15 = fadd.f32 v14, v14
  store.f32 v15, v12 site4
  return
}
"#,
    );
    snapshot!("tile", disassembly(&m, "transpose", None));
}

#[test]
fn lanes_that_leave_a_loop_one_after_the_other() {
    let m = module(
        r#"
func kernel external @search "search" (ptr.global, ptr.global, i32) {
block0(v0: ptr.global, v1: ptr.global, v2: i32):
  v3 = special tid.x
  v4 = const.i32 0
  jump block1(v4)
block1(v5: i32):
  v6 = icmp.slt v5, v2
  branch v6, block2, block4
block2:
  v7 = sext.i64 v5
  v8 = const.i64 4
  v9 = imul.i64 v7, v8
  v10 = ptradd.global v0, v9
  v11 = load.i32 v10 site0
  v12 = icmp.eq v11, v3
  branch v12, block4, block3
block3:
  v13 = const.i32 1
  v14 = iadd.nsw.i32 v5, v13
  jump block1(v14)
block4:
  v15 = sext.i64 v3
  v16 = const.i64 4
  v17 = imul.i64 v15, v16
  v18 = ptradd.global v1, v17
  store.i32 v5, v18 site1
  return
}
"#,
    );
    snapshot!("search", disassembly(&m, "search", Some(&uniform(&[5, 11]))));
}

#[test]
fn several_back_edges_meet_in_a_latch() {
    let m = module(
        r#"
func kernel external @skip "skip" (ptr.global, i32) {
block0(v0: ptr.global, v1: i32):
  v2 = special tid.x
  v3 = const.i32 0
  jump block1(v3, v3)
block1(v4: i32, v5: i32):
  v6 = icmp.slt v4, v1
  branch v6, block2, block5
block2:
  v7 = const.i32 1
  v8 = iadd.nsw.i32 v4, v7
  v9 = and.i32 v4, v2
  v10 = icmp.eq v9, v3
  branch v10, block1(v8, v5), block4
block4:
  v11 = iadd.i32 v5, v9
  jump block1(v8, v11)
block5:
  v12 = sext.i64 v2
  v13 = const.i64 4
  v14 = imul.i64 v12, v13
  v15 = ptradd.global v0, v14
  store.i32 v5, v15 site0
  return
}
"#,
    );
    snapshot!("latch", disassembly(&m, "skip", Some(&uniform(&[4]))));
}

#[test]
fn host_loop_over_an_array_and_a_local() {
    let m = module(
        r#"
func host external @dot "dot" (ptr.host, ptr.host, i32) -> f64 {
  slot0: host 400 align 4 "t"
block0(v0: ptr.host, v1: ptr.host, v2: i32):
  v3 = slot_addr slot0
  v4 = const.f64 0x0
  v5 = const.i32 0
  jump block1(v4, v5)
block1(v6: f64, v7: i32):
  v8 = icmp.slt v7, v2
  branch v8, block2, block3
block2:
  v9 = sext.i64 v7
  v10 = const.i64 8
  v11 = imul.i64 v9, v10
  v12 = ptradd.host v0, v11
  v13 = load.f64 v12 site0
  v14 = ptradd.host v1, v11
  v15 = load.f64 v14 site1
  v16 = fmul.f64 v13, v15
  v17 = fadd.f64 v6, v16
  v18 = const.i64 4
  v19 = imul.i64 v9, v18
  v20 = ptradd.host v3, v19
  store.i32 v7, v20 site2
  v21 = const.i32 1
  v22 = iadd.nsw.i32 v7, v21
  jump block1(v17, v22)
block3:
  return v6
}
"#,
    );
    snapshot!("host_dot", disassembly(&m, "dot", None));
}

#[test]
fn swapped_parameters_take_a_temporary() {
    let m = module(
        r#"
func host external @gcd "gcd" (i32, i32) -> i32 {
block0(v0: i32, v1: i32):
  jump block1(v0, v1)
block1(v2: i32, v3: i32):
  v4 = const.i32 0
  v5 = icmp.ne v3, v4
  branch v5, block2, block3
block2:
  v6 = isub.nsw.i32 v2, v3
  branch v5, block1(v3, v2), block1(v3, v6)
block3:
  return v2
}
"#,
    );
    snapshot!("swap", disassembly(&m, "gcd", None));
}

#[test]
fn local_array_indexed_by_lane() {
    let m = module(
        r#"
func kernel external @bins "bins" (ptr.global, i32) {
  slot0: local 64 align 4 "bins"
block0(v0: ptr.global, v1: i32):
  v2 = slot_addr slot0
  v3 = special tid.x
  v4 = const.i32 15
  v5 = and.i32 v3, v4
  v6 = sext.i64 v5
  v7 = const.i64 4
  v8 = imul.i64 v6, v7
  v9 = ptradd.local v2, v8
  store.i32 v1, v9 site0
  v10 = sext.i64 v1
  v11 = imul.i64 v10, v7
  v12 = ptradd.local v2, v11
  v13 = load.i32 v12 site1
  v14 = iadd.i32 v13, v3
  store.i32 v14, v2 site2
  v15 = ptradd.global v0, v8
  v16 = load.i32 v2 site3
  store.i32 v16, v15 site4
  return
}
"#,
    );
    snapshot!("local_array", disassembly(&m, "bins", None));
}

/// Every operation of the IR on every type it takes, once with scalars and once with vectors.
#[test]
fn all_operations_compile_and_verify() {
    use cudair_ir::builder::FuncBuilder;
    use cudair_ir::{BinaryOp, FloatCC, Function, IntCC, Param, Side, Signature, TernaryOp, Type, UnaryOp};
    let types: Vec<Type> = Type::SCALARS.to_vec();
    for side in [Side::Host, Side::Device] {
        for &ty in &types {
            let sig = Signature {
                params: vec![Param::new(ty), Param::new(ty), Param::new(ty), Param::new(Type::I1)],
                ret: Some(ty),
                variadic: false,
            };
            let mut b = FuncBuilder::new(Function::new("f", side, sig));
            let entry = b.make_entry();
            let p = b.func.block_params(entry).to_vec();
            let mut last = p[0];
            for &op in UnaryOp::ALL {
                let float = matches!(
                    op,
                    UnaryOp::Fneg
                        | UnaryOp::Fabs
                        | UnaryOp::Fsqrt
                        | UnaryOp::Ffloor
                        | UnaryOp::Fceil
                        | UnaryOp::Ftrunc
                        | UnaryOp::Fnearest
                );
                if float == ty.is_float() {
                    last = b.unary(op, last);
                }
            }
            let k = b.const_bits(ty, 1);
            for &op in BinaryOp::ALL {
                if op.is_float() == ty.is_float() {
                    last = b.binary(op, last, p[1]);
                    last = b.binary(op, last, k);
                    last = b.binary(op, k, last);
                }
            }
            if ty.is_float() {
                for &cc in FloatCC::ALL {
                    let c = b.fcmp(cc, last, p[1]);
                    last = b.ternary(TernaryOp::Select, c, last, p[2]);
                    let c = b.fcmp(cc, k, last);
                    last = b.ternary(TernaryOp::Select, c, k, last);
                }
                last = b.ternary(TernaryOp::Fma, last, p[1], p[2]);
                last = b.ternary(TernaryOp::Fma, last, k, p[2]);
            } else {
                for &cc in IntCC::ALL {
                    let c = b.icmp(cc, last, p[1]);
                    last = b.ternary(TernaryOp::Select, c, last, p[2]);
                    let c = b.icmp(cc, k, last);
                    last = b.ternary(TernaryOp::Select, c, k, last);
                }
                last = b.ternary(TernaryOp::Fshl, last, p[1], p[2]);
            }
            last = b.ternary(TernaryOp::Select, p[3], last, k);
            b.ret(Some(last));
            let mut m = Module::new();
            m.add_func(b.finish());
            let text = disassembly(&m, "f", None);
            assert!(!text.starts_with("refused"), "{side:?} {ty}: {text}");
        }
    }
}

/// The parameters of a device function are vectors, those of a kernel scalars.
#[test]
fn parameters_have_their_places() {
    let m = module(
        r#"
func device external @d "d" (i32, i64, i1) -> i64 {
block0(v0: i32, v1: i64, v2: i1):
  v3 = sext.i64 v0
  v4 = select.i64 v2, v3, v1
  return v4
}
func kernel external @k "k" (ptr.global, i32) {
block0(v0: ptr.global, v1: i32):
  v2 = const.i64 7
  v3 = const.i1 1
  v4 = call @d(v1, v2, v3) site0
  store.i64 v4, v0 site1
  return
}
"#,
    );
    assert_eq!(m.funcs[FuncId::from_u32(0)].values[Value::from_u32(0)].def, {
        let entry = m.funcs[FuncId::from_u32(0)].entry().expect("a body");
        ValueDef::Param(entry, 0)
    });
    snapshot!("device_call", format!("{}{}", disassembly(&m, "d", None), disassembly(&m, "k", None)));
}

/// Whether two conditions agree is one operation for all lanes, as a sort needs it in its innermost loop.
#[test]
fn conditions_are_compared_at_once() {
    for (cc, code) in [("eq", "p.not"), ("ne", "p.xor")] {
        let text = r#"
func kernel external @k "k" (ptr.global, i32, i32) {
block0(v0: ptr.global, v1: i32, v2: i32):
  v3 = special tid.x
  v4 = icmp.slt v3, v1
  v5 = icmp.sgt v3, v2
  v6 = icmp.CC v4, v5
  branch v6, block1, block2
block1:
  store.i32 v3, v0 site0
  jump block2
block2:
  return
}
"#;
        let text = disassembly(&module(&text.replace("CC", cc)), "k", None);
        assert!(text.contains("p.xor") && text.contains(code) && !text.contains("gen"), "{text}");
    }
}

#[test]
fn facts_are_tested_where_values_are_defined() {
    let m = module(
        r#"
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
"#,
    );
    let mut facts = uniform(&[2, 6, 14]);
    facts.range[Value::from_u32(2)] = Some((0, 1023));
    facts.divergent_branch = SecondaryMap::with_default(true);
    facts.divergent_branch[Block::from_u32(1)] = false;
    let id = m.func_by_name("k").expect("the function is there");
    let cx = Context {
        module: &m,
        facts: None,
        claims: Some(&facts),
        uniform_over: Uniformity::Block,
        block_dim: [0; 3],
        is_math: |_| false,
    };
    let code = compile(&cx, id).expect("it compiles");
    snapshot!("facts", code.to_string());
    assert_eq!(code.facts, FactCounts { tested: 4, scalar: 0, absent: 0 });
}
