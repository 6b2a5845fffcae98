//! What `lower` prints of a module that passes have left: the IR in its forms, the machine's code, what the analyses know.

use crate::cli::{Emit, Format, Lower};
use crate::oracle::Oracle;
use cudair_ir::{Diagnostic, FuncId, Module, extract};
use cudair_passes::analysis::shape::Shape;
use cudair_passes::check::CheckOptions;
use cudair_passes::facts::facts;
use cudair_passes::regions::regions;
use cudair_vm::{DeviceProfile, Vm, VmConfig};
use std::sync::Arc;

/// Why a combination of options is none, if it is none.
pub fn refused(command: &Lower) -> Option<&'static str> {
    let known = matches!(command.emit, Emit::Facts | Emit::Regions);
    if !known && (command.block_dim.is_some() || command.grid_dim.is_some()) {
        return Some("`--block-dim` and `--grid-dim` go with `--emit facts` or `--emit regions`");
    }
    None
}

/// The text that `--emit` asks for, of the functions that are `wanted`.
///
/// # Errors
/// What the machine's compiler does not support.
pub fn text(
    mut module: Module,
    command: &Lower,
    wanted: &[FuncId],
    device: &Arc<DeviceProfile>,
) -> Result<String, Box<Diagnostic>> {
    if matches!(command.emit, Emit::Facts | Emit::Regions) {
        // The names of values are those of the text.
        for func in module.funcs.values_mut() {
            func.compact();
        }
    }
    let all = command.function.is_none();
    Ok(match command.emit {
        Emit::Ir if all => module.to_string(),
        Emit::Ir => extract(&module, wanted).to_string(),
        Emit::Cfg => cudair_ir::dot::cfg_to_dot(&module, wanted.iter().copied()),
        Emit::Json if all => format!("{}\n", cudair_ir::json::module_to_json(&module)),
        Emit::Json => {
            format!("{}\n", cudair_ir::json::module_to_json_of(&module, wanted.iter().copied()))
        }
        Emit::Bytecode => bytecode(module, wanted, device)?,
        Emit::Facts => of_facts(&module, command, wanted),
        Emit::Regions => of_regions(&module, command, wanted),
    })
}

/// What the analyses know of values and blocks.
fn of_facts(module: &Module, command: &Lower, wanted: &[FuncId]) -> String {
    let shape = Shape::given(command.block_dim, command.grid_dim);
    let found = facts(module, &shape, &|id| wanted.contains(&id));
    let told = |id: FuncId| found.iter().any(|k| k.funcs.iter().any(|list| list.id == id));
    let untold = wanted.iter().filter(|&&id| !told(id));
    let untold: Vec<&str> = untold.map(|&id| module.funcs[id].display_name.as_str()).collect();
    let why = "no kernel calls them: what is known of device code is known below a kernel";
    match command.common.format {
        Format::Json => {
            let mut lines: Vec<String> = found.iter().map(|k| k.to_json().to_string() + "\n").collect();
            if !untold.is_empty() {
                let line =
                    serde_json::json!({ "schema": 1, "type": "untold", "functions": untold, "why": why });
                lines.push(format!("{line}\n"));
            }
            lines.concat()
        }
        _ => {
            let mut parts: Vec<String> = found.iter().map(ToString::to_string).collect();
            if !untold.is_empty() {
                parts.push(format!("; nothing of {}: {why}\n", untold.join(", ")));
            }
            parts.join("\n")
        }
    }
}

/// What the proofs about two threads know.
fn of_regions(module: &Module, command: &Lower, wanted: &[FuncId]) -> String {
    let options =
        CheckOptions { block: command.block_dim, grid: command.grid_dim, ..CheckOptions::default() };
    let found = regions(module, &options, &|id| wanted.contains(&id));
    match command.common.format {
        Format::Json => found.iter().map(|r| r.to_json().to_string() + "\n").collect(),
        _ if found.is_empty() => "; there is no kernel that a launch runs\n".to_owned(),
        _ => found.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"),
    }
}

/// The machine's code of functions as text.
fn bytecode(
    module: Module,
    wanted: &[FuncId],
    device: &Arc<DeviceProfile>,
) -> Result<String, Box<Diagnostic>> {
    let module = Arc::new(module);
    let config = VmConfig { device: device.clone(), ..VmConfig::default() };
    let mut vm = Vm::new(module.clone(), config, Arc::new(Oracle::default()));
    let mut out = String::new();
    for &id in wanted {
        if !module.funcs[id].is_declaration() {
            out.push_str(&vm.bytecode_text(id).map_err(Box::new)?);
            out.push('\n');
        }
    }
    Ok(out)
}
