//! The textual IR prints and parses back to the same module.

use cudair_ir::parse_module;

fn check(text: &str) -> String {
    let module = parse_module(text, "test.cir").unwrap_or_else(|e| panic!("{e}"));
    let printed = module.to_string();
    let again = parse_module(&printed, "printed.cir").unwrap_or_else(|e| panic!("{e}\n{printed}"));
    assert_eq!(printed, again.to_string());
    printed
}

#[test]
fn every_instruction() {
    let text = include_str!("every_instruction.cir");
    assert_eq!(check(text), text);
}
