//! Reads `.cir` files, verifies them, and counts what is in each function.
//!
//! ```console
//! $ cudair lower kernel.cu > kernel.cir
//! $ cargo run -p cudair-ir --example count -- kernel.cir
//! ```

use cudair_ir::{parse_module, verify_module};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let paths: Vec<String> = std::env::args().skip(1).collect();
    if paths.is_empty() {
        return Err("which files?".into());
    }
    for path in paths {
        let text = std::fs::read_to_string(&path)?;
        let module = parse_module(&text, &path)
            .map_err(|e| format!("{}:{}:{}: {}", e.path, e.line, e.col, e.message))?;
        if let Err(errors) = verify_module(&module) {
            return Err(errors.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n").into());
        }
        for func in module.funcs.values().filter(|f| !f.is_declaration()) {
            let insts: usize = func.layout.iter().map(|&b| func.block_insts(b).len()).sum();
            let side = func.side.name();
            println!("{side} {}: {} blocks, {insts} instructions", func.display_name, func.layout.len());
        }
    }
    Ok(())
}
