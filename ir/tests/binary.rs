//! The compact form gives the module back, and takes whatever bytes without a panic.

use cudair_ir::binary::{read_module, write_module};
use cudair_ir::{Module, parse_module, verify_module};

fn module() -> Module {
    let text = include_str!("every_instruction.cir");
    let mut module = parse_module(text, "every_instruction.cir").expect("it parses");
    module.source.file("unused.h", Some("text".into()));
    module.stored = cudair_ir::stored(&module);
    module
}

fn read(bytes: &[u8]) -> Option<Module> {
    read_module(bytes, |_, path| Some((path == "unused.h").then(|| "text".into())))
}

#[test]
fn it_is_the_same_module() {
    let module = module();
    let bytes = write_module(&module).expect("the module is valid");
    let again = read(&bytes).expect("what was written is read");
    assert_eq!(verify_module(&again), Ok(()));
    assert_eq!(again.to_string(), module.to_string());
    assert_eq!(again.source.files, module.source.files);
    assert_eq!(again.source.locs, module.source.locs);
    assert_eq!(again.stored, module.stored);
    assert_eq!(again.types, module.types);
    assert_eq!(write_module(&again), Some(bytes));
}

#[test]
fn other_bytes_are_refused_or_give_a_module() {
    let bytes = write_module(&module()).expect("the module is valid");
    let mut changed = bytes.clone();
    for at in 0..bytes.len() {
        assert!(read(&bytes[..at]).is_none(), "{at} bytes of it");
        for new in [0, 1, 0x7f, 0x80, 0xff, bytes[at].wrapping_add(1), bytes[at].wrapping_sub(1)] {
            changed[at] = new;
            if let Some(module) = read(&changed) {
                let _ = verify_module(&module);
                let _ = module.to_string();
            }
        }
        changed[at] = bytes[at];
    }
    assert!(read(&[&bytes[..], &[0]].concat()).is_none(), "a byte more");
}
