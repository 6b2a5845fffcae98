//! Each rule of the verifier: one module that passes, one that fails.

use cudair_ir::verify::Rule;
use cudair_ir::*;

fn parse(text: &str) -> Module {
    parse_module(text, "test.cir").unwrap_or_else(|e| panic!("{e}\n{text}"))
}

fn passes(module: &Module) {
    if let Err(errors) = verify_module(module) {
        panic!("{}\n{module}", errors.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"));
    }
}

fn fails(module: &Module, rule: Rule) {
    let errors = verify_module(module).expect_err("the module should be refused");
    assert!(errors.iter().any(|e| e.rule == rule), "{rule}: {errors:#?}");
}

/// A rule with a text that passes and one that fails.
#[track_caller]
fn rule(rule: Rule, good: &str, bad: &str) {
    passes(&parse(good));
    fails(&parse(bad), rule);
}

/// The body of a host function `(v0: i32, v1: i64, v2: ptr.host, v3: i1)`.
fn host(body: &str) -> String {
    format!(
        "func host external @f (i32, i64, ptr.host, i1) -> i32 {{\n  slot0: host 4 align 4\n\
         block0(v0: i32, v1: i64, v2: ptr.host, v3: i1):\n{body}\n  return v0\n}}\n\
         func host external @g (i32) -> i32\nfunc kernel external @k (i32, ptr.const byval(8, 8))\n\
         func device weak @d () {{\nblock0:\n  return\n}}\n"
    )
}

#[track_caller]
fn body(r: Rule, good: &str, bad: &str) {
    rule(r, &host(good), &host(bad));
}

fn device(body: &str) -> String {
    format!("func device external @f (i32) {{\nblock0(v0: i32):\n{body}\n  return\n}}\n")
}

const SIMPLE: &str = "func host external @f (i32) -> i32 {\nblock0(v0: i32):\n  v1 = iadd.i32 v0, v0\n  jump block1(v1)\n\nblock1(v2: i32):\n  return v2\n}\n";

fn simple() -> (Module, FuncId) {
    let m = parse(SIMPLE);
    let f = m.func_by_name("f").unwrap();
    passes(&m);
    (m, f)
}

#[test]
fn every_instruction_passes() {
    passes(&parse(include_str!("every_instruction.cir")));
}

#[test]
fn names() {
    let (mut m, f) = simple();
    m.funcs[f].name = "other".into();
    fails(&m, Rule::Names);
}

#[test]
fn ctor() {
    rule(
        Rule::Ctor,
        "ctor @f\nfunc host internal @f () {\nblock0:\n  return\n}\n",
        "ctor @f\nfunc host internal @f (i32) {\nblock0(v0: i32):\n  return\n}\n",
    );
}

#[test]
fn global() {
    let bad = [
        "global external @g local 4 align 4 = zero",
        "global external @g host 4 align 4 dynamic = uninit",
        "global external @g shared 4 align 4 = zero",
        "global external @g host 8 align 8 = data { 0x0000000000000001\n at 0: global @g + 0\n}",
        "global external @g host 8 align 8 = data { zero 8\n at 4: global @g + 0\n}",
        "global external @g host 16 align 8 = data { zero 16\n at 0: global @g + 0\n at 4: global @g + 0\n}",
    ];
    for bad in bad {
        rule(
            Rule::Global,
            "global external @s shared 4 align 4 = uninit\nglobal external @g host 8 align 8 = data { zero 8\n at 0: global @g + 0\n}",
            bad,
        );
    }
    let mut m = parse("global external @g host 2 align 1 = data { \"ab\" }");
    m.globals[GlobalId::from_u32(0)].size = 3;
    fails(&m, Rule::Global);
}

#[test]
fn place() {
    let (mut m, _) = simple();
    let file = m.source.file("a.cu", None);
    let pos = Pos { line: 1, col: 1 };
    let data = LocData { file, start: pos, end: pos, spelling: None.into(), inlined_at: None.into() };
    let loc = m.source.intern(data);
    passes(&m);
    m.source.locs[loc].inlined_at = loc.into();
    fails(&m, Rule::Place);
    // Printing still ends.
    let _ = m.to_string();
}

#[test]
fn entity() {
    let (mut m, f) = simple();
    let func = &mut m.funcs[f];
    let ret = func.terminator(func.layout[1]).unwrap();
    let args = func.list(&[Value::from_u32(77)]);
    func.insts[ret] = InstData::Return { args };
    fails(&m, Rule::Entity);
}

#[test]
fn entry() {
    rule(Rule::Entry, SIMPLE, "func host external @f (i32) {\nblock0(v0: i64):\n  return\n}\n");
    fails(&parse("func host external @f () {\nblock0:\n  jump block0\n}\n"), Rule::Entry);
}

#[test]
fn layout() {
    let (mut m, f) = simple();
    let entry = m.funcs[f].layout[0];
    m.funcs[f].blocks[entry].insts.pop();
    fails(&m, Rule::Layout);
    let (mut m, f) = simple();
    let (a, b) = (m.funcs[f].layout[0], m.funcs[f].layout[1]);
    let inst = m.funcs[f].blocks[a].insts[0];
    m.funcs[f].blocks[b].insts.insert(0, inst);
    fails(&m, Rule::Layout);
    let (mut m, f) = simple();
    m.funcs[f].layout.push(a);
    fails(&m, Rule::Layout);
    fails(&parse("func host external @f () {\nblock0:\n  return\n  return\n}\n"), Rule::Layout);
}

#[test]
fn target() {
    let call = |args: &str, ty: &str| {
        format!(
            "func host external @f (i32) {{\nblock0(v0: i32):\n  jump block1{args}\n\nblock1(v1: {ty}):\n  return\n}}\n"
        )
    };
    rule(Rule::Target, &call("(v0)", "i32"), &call("(v0)", "i64"));
    fails(&parse(&call("", "i32")), Rule::Target);
    let invoke = |ty: &str, exception: &str| {
        format!(
            "func host external @g () -> i32\nfunc host external @f () {{\nblock0:\n  invoke @g() to block1 unwind block2 site0\n\n\
             block1(v0: {ty}):\n  return\n\nblock2(v1: {exception}):\n  return\n}}\n"
        )
    };
    rule(Rule::Target, &invoke("i32", "ptr.host"), &invoke("i64", "ptr.host"));
    fails(&parse(&invoke("i32", "i64")), Rule::Target);
}

#[test]
fn definition() {
    let (mut m, f) = simple();
    m.funcs[f].values[Value::from_u32(1)].def = ValueDef::Param(Block::from_u32(0), 0);
    fails(&m, Rule::Definition);
}

#[test]
fn dominance() {
    let diamond = |used: &str| {
        format!(
            "func host external @f (i1, i32) -> i32 {{\nblock0(v0: i1, v1: i32):\n  branch v0, block1, block2\n\n\
             block1:\n  v2 = iadd.i32 v1, v1\n  jump block2\n\nblock2:\n  return {used}\n}}\n"
        )
    };
    rule(Rule::Dominance, &diamond("v1"), &diamond("v2"));
    let order =
        "func host external @f () {\nblock0:\n  v1 = iadd.i32 v0, v0\n  v0 = const.i32 1\n  return\n}\n";
    fails(&parse(order), Rule::Dominance);
    let (mut m, f) = simple();
    let b = m.funcs[f].layout[1];
    m.funcs[f].remove_block_param(b, 0);
    fails(&m, Rule::Dominance);
}

#[test]
fn result() {
    let (mut m, f) = simple();
    m.funcs[f].values[Value::from_u32(1)].ty = Type::I64;
    fails(&m, Rule::Result);
    body(Rule::Result, "  v4 = alloca.host align 8 v1", "  v4 = alloca.local align 8 v1");
}

#[test]
fn operand() {
    let cases = [
        ("  v4 = iadd.i32 v0, v0", "  v4 = iadd.i32 v0, v1"),
        ("  v4 = iadd.i32 v0, v0", "  v4 = fadd.i32 v0, v0"),
        ("  v4 = ineg.i32 v0", "  v4 = fneg.i32 v0"),
        ("  v4 = sext.i64 v0", "  v4 = trunc.i64 v0"),
        ("  v4 = bitcast.f32 v0", "  v4 = bitcast.f64 v0"),
        ("  v4 = icmp.eq v0, v0", "  v4 = icmp.eq v0, v1"),
        ("  v4 = ptradd.host v2, v1", "  v4 = ptradd.host v2, v0"),
        ("  v4 = select.i32 v3, v0, v0", "  v4 = select.i32 v0, v0, v0"),
        (
            "  v4 = spacecast.ptr.generic v2\n  v5 = select.ptr.generic v3, v2, v4",
            "  v4 = spacecast.ptr.generic v2\n  v5 = select.ptr.host v3, v4, v2",
        ),
        ("  memcopy align 1 v2, v2, v1 site0 site1", "  memcopy align 1 v2, v2, v0 site0 site1"),
        (
            "  v4 = atomic.add.i32 relaxed device v2, v0 site0",
            "  v4 = atomic.fadd.i32 relaxed device v2, v0 site0",
        ),
    ];
    for (good, bad) in cases {
        body(Rule::Operand, good, bad);
    }
}

#[test]
fn constant() {
    let (mut m, f) = simple();
    let func = &mut m.funcs[f];
    let inst = func.block_insts(func.layout[0])[0];
    func.insts[inst] = InstData::Const { ty: Type::I32, bits: 1 };
    passes(&m);
    m.funcs[f].insts[inst] = InstData::Const { ty: Type::I32, bits: 1 << 40 };
    fails(&m, Rule::Constant);
}

#[test]
fn flag() {
    body(Rule::Flag, "  v4 = iadd.nsw.i32 v0, v0", "  v4 = and.nsw.i32 v0, v0");
    body(Rule::Flag, "  v4 = ineg.nsw.i32 v0", "  v4 = inot.nsw.i32 v0");
}

#[test]
fn access() {
    body(Rule::Access, "  v4 = load.i32 v2 site0", "  v4 = load.i32 v1 site0");
    body(Rule::Access, "  v4 = load.i32 v2 site0", "  v4 = func_addr @g\n  v5 = load.i32 v4 site0");
}

#[test]
fn call() {
    body(Rule::Call, "  v4 = call @g(v0) site0", "  v4 = call @g(v1) site0");
    body(Rule::Call, "  v4 = call @g(v0) site0", "  v4 = call @g() site0");
    body(Rule::Call, "  v4 = call @g(v0) site0", "  call @d() site0");
    body(
        Rule::Call,
        "  v4 = func_addr @g\n  call_indirect (ptr.generic, ...), v4(v2, v0) site0",
        "  v4 = func_addr @g\n  call_indirect (ptr.generic), v4(v2, v0) site0",
    );
}

#[test]
fn launch() {
    body(
        Rule::Launch,
        "  v4 = launch @k<<<v0, v0, v0, v0, v0, v0, v1, v2>>>(v0, v2) site0",
        "  v4 = launch @k<<<v0, v0, v0, v0, v0, v0, v0, v2>>>(v0, v2) site0",
    );
    fails(&parse(&host("  v4 = launch @g<<<v0, v0, v0, v0, v0, v0, v1, v2>>>(v0) site0")), Rule::Launch);
}

#[test]
fn return_() {
    rule(Rule::Return, SIMPLE, "func host external @f () -> i32 {\nblock0:\n  return\n}\n");
    fails(&parse("func host external @f (i64) -> i32 {\nblock0(v0: i64):\n  return v0\n}\n"), Rule::Return);
}

#[test]
fn switch() {
    let cases = |cases: &str| {
        format!(
            "func host external @f (i8) {{\nblock0(v0: i8):\n  switch.i8 v0, block1 {{\n{cases}\n  }}\n\nblock1:\n  return\n}}\n"
        )
    };
    rule(Rule::Switch, &cases("    1: block1\n    -1: block1"), &cases("    255: block1\n    -1: block1"));
}

#[test]
fn slot() {
    let slot = |space: &str| {
        format!("func device external @f () {{\n  slot0: {space} 4 align 4\n\nblock0:\n  return\n}}\n")
    };
    rule(Rule::Slot, &slot("local"), &slot("host"));
}

#[test]
fn side() {
    rule(Rule::Side, &device("  barrier.sync site0"), &host("  barrier.sync site0"));
    rule(Rule::Side, &device("  v1 = special tid.x"), &host("  v4 = special tid.x"));
    rule(Rule::Side, &device("  v1 = active_mask site0"), &host("  v4 = active_mask site0"));
}
