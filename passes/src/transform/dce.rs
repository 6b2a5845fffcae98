//! Removal of functions and variables to which nothing leads from `main`, a constructor or a kernel (in
//! a library without `main`: from any function that others can see). Variables that other modules can see
//! stay in a library too.

use super::roots;
use cudair_ir::link::retain;
use cudair_ir::*;

/// Removes what is not referred to.
pub fn run(module: &mut Module) {
    let mut funcs: EntitySet<FuncId> = EntitySet::new();
    let mut globals: EntitySet<GlobalId> = EntitySet::new();
    let mut work_f = roots(module);
    let mut work_g = Vec::new();
    if module.func_by_name("main").is_none_or(|f| module.funcs[f].is_declaration()) {
        work_g
            .extend(module.globals.iter().filter(|(_, g)| g.linkage != Linkage::Internal).map(|(id, _)| id));
    }
    loop {
        if let Some(f) = work_f.pop() {
            if !funcs.insert(f) {
                continue;
            }
            let func = &module.funcs[f];
            for &block in &func.layout {
                for &inst in func.block_insts(block) {
                    func.insts[inst].for_each_symbol(|f| work_f.push(f), |g| work_g.push(g));
                }
            }
        } else if let Some(g) = work_g.pop() {
            if !globals.insert(g) {
                continue;
            }
            if let GlobalInit::Data { relocs, .. } = &module.globals[g].init {
                for r in relocs {
                    match r.target {
                        RelocTarget::Global(g) => work_g.push(g),
                        RelocTarget::Func(f) => work_f.push(f),
                    }
                }
            }
        } else {
            break;
        }
    }
    let all =
        module.funcs.keys().all(|f| funcs.contains(f)) && module.globals.keys().all(|g| globals.contains(g));
    if !all {
        retain(module, &funcs, &globals);
    }
}
