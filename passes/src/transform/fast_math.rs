//! nvcc's `-use_fast_math`: device code calls the fast form of each function in single precision that has one.
//!
//! Which have one is what the CUDA C++ Programming Guide lists under "Functions Affected by -use_fast_math", and
//! what nvcc writes for each. The option's other effects only allow larger errors (quotients, roots) or take
//! denormal numbers for zero; results here stay as exact as without it there.

use cudair_ir::{FuncId, Function, InstData, Module, SecondaryMap};
use cudair_ir::{PackedOption, Side};

/// The functions that have a fast form, which is called `__` and the same name. `sincosf` calls two of them.
const AFFECTED: [&str; 10] =
    ["cosf", "exp10f", "expf", "log10f", "log2f", "logf", "powf", "sinf", "tanf", "tanhf"];

/// Redirects the calls in device code.
pub fn run(module: &mut Module) {
    let mut fast: SecondaryMap<FuncId, PackedOption<FuncId>> = SecondaryMap::new();
    let affected = |f: &Function| {
        f.side == Side::Device && f.is_declaration() && AFFECTED.contains(&f.display_name.as_str())
    };
    let precise: Vec<FuncId> = module.funcs.keys().filter(|&f| affected(&module.funcs[f])).collect();
    for f in precise {
        fast[f] = declare(module, f).into();
    }
    super::each_function(module, |func, _| {
        if !func.side.on_device() {
            return;
        }
        for inst in func.insts.keys() {
            if let InstData::Call { func: callee, .. }
            | InstData::Invoke { func: callee, .. }
            | InstData::FuncAddr { func: callee } = &mut func.insts[inst]
                && let Some(form) = fast[*callee].expand()
            {
                *callee = form;
            }
        }
    });
}

/// The fast form of a declared function, declared where it is not.
fn declare(module: &mut Module, precise: FuncId) -> FuncId {
    let name = format!("__{}", module.funcs[precise].name);
    if let Some(known) = module.func_by_name(&name) {
        return known;
    }
    let mut func = module.funcs[precise].clone();
    func.display_name = format!("__{}", func.display_name);
    func.name = name;
    module.add_func(func)
}
