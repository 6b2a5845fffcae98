//! Linking, Graphviz and JSON.

use cudair_ir::*;

fn parse(text: &str) -> Module {
    let m = parse_module(text, "test.cir").unwrap_or_else(|e| panic!("{e}\n{text}"));
    verify_module(&m).unwrap_or_else(|e| panic!("{e:?}"));
    m
}

fn linked(texts: &[&str]) -> String {
    let m = link(texts.iter().map(|t| parse(t)).collect()).unwrap_or_else(|e| panic!("{e:?}"));
    verify_module(&m).unwrap_or_else(|e| panic!("{e:?}\n{m}"));
    m.to_string()
}

fn refused(texts: &[&str]) -> Vec<String> {
    let errors = link(texts.iter().map(|t| parse(t)).collect()).expect_err("should be refused");
    errors.iter().map(ToString::to_string).collect()
}

const A: &str = "global external @x host 0 align 4 = extern\nglobal internal @s host 3 align 1 = data { \"ab\\x00\" }\n\
ctor @init\nfunc host internal @init () {\nblock0:\n  v0 = call @get() site0 @loc0\n  v1 = call @tmpl() site1\n  return\n}\n\
func host external @get () -> i32\nfunc host weak @tmpl () -> i32 {\nblock0:\n  v0 = const.i32 1\n  return v0\n}\n\
file0 = \"a.cu\"\nloc0 = file0:1:2-3:4\n";
const B: &str = "global external @x host 8 align 8 = data {\n zero 8\n at 0: global @s + 1\n}\n\
global internal @s host 1 align 1 = zero\nctor @init\nfunc host internal @init () {\nblock0:\n  return\n}\n\
func host external @get () -> i32 @loc0 {\nblock0:\n  v0 = call @tmpl() site0 @loc0\n  v1 = global_addr @s @loc1\n  return v0\n}\n\
func host weak @tmpl () -> i32 {\nblock0:\n  v0 = const.i32 2\n  return v0\n}\n\
file0 = \"b.cu\"\nfile1 = \"a.cu\"\nloc0 = file0:5:1-5:9\nloc1 = file1:1:2-3:4\n";

#[test]
fn names_meet_and_internal_ones_are_renamed() {
    let text = linked(&[A, B]);
    assert!(text.contains("@init.1") && text.contains("@s.1"), "{text}");
    assert!(text.contains("at 0: global @s.1 + 1"), "{text}");
    assert!(text.contains("const.i32 1") && !text.contains("const.i32 2"), "{text}");
    assert_eq!(text.matches("\"a.cu\"").count(), 1, "{text}");
    assert!(!text.contains("extern\n"), "{text}");
    assert_eq!(linked(&[A]), parse(A).to_string());
}

#[test]
fn a_strong_definition_goes_before_a_weak_one() {
    let strong = "func host external @tmpl () -> i32 {\nblock0:\n  v0 = const.i32 3\n  return v0\n}\n";
    for texts in [[A, B, strong], [strong, A, B], [A, strong, B]] {
        let text = linked(&texts);
        assert!(text.contains("const.i32 3") && !text.contains("const.i32 1"), "{text}");
    }
}

#[test]
fn clashes_are_errors() {
    let errors = refused(&[B, B]);
    assert_eq!(errors.len(), 2, "{errors:?}");
    assert!(errors[1].starts_with("b.cu:5:1: `get` is defined twice"), "{errors:?}");
    let errors = refused(&[A, "func host external @get (i32) -> i32\n"]);
    assert!(errors[0].contains("different types"), "{errors:?}");
    let errors = refused(&[A, "func device external @get () -> i32\n"]);
    assert!(errors[0].contains("device function here and a host function there"), "{errors:?}");
    let errors = refused(&[A, "global external @x global 8 align 8 = zero\n"]);
    assert!(errors[0].contains("lies in global here"), "{errors:?}");
}

#[test]
fn graphviz() {
    let m = parse(include_str!("every_instruction.cir"));
    let dot = dot::cfg_to_dot(&m, m.funcs.keys());
    assert!(dot.contains("-> \"fn2.block2\" [label=\"-1\"]"), "{dot}");
    assert!(dot.contains("[label=\"unwind\"]"), "{dot}");
    assert_eq!(dot.matches('{').count(), dot.matches('}').count(), "{dot}");
}

#[test]
fn json() {
    let m = parse(include_str!("every_instruction.cir"));
    let j = json::module_to_json(&m);
    let k = &j["functions"][2];
    assert_eq!(k["name"], "_Z1kPi");
    assert_eq!(k["blocks"][0]["insts"][0]["op"], "const");
    let call = k["blocks"][0]["insts"].as_array().unwrap().iter().find(|i| i["op"] == "call").unwrap();
    assert_eq!(call["place"]["inlined_at"][0]["line"], 8);
}

#[test]
fn a_function_is_extracted_with_what_it_needs() {
    let m = parse(A);
    let init = m.func_by_name("init").unwrap();
    let text = extract(&m, &[init]).to_string();
    assert_eq!(parse(&text).to_string(), text);
    // `tmpl` is declared only; `get` was; no variable is referred to.
    assert!(text.contains("func host weak @tmpl () -> i32\n") && !text.contains("global "), "{text}");
    let m = parse(B);
    let get = m.func_by_name("get").unwrap();
    let text = extract(&m, &[get]).to_string();
    assert!(text.contains("global internal @s") && !text.contains("@x") && !text.contains("ctor"), "{text}");
}
