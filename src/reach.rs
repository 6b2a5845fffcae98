//! What a program certainly comes to before it ends: calls of functions that nobody knows and constructs
//! that are not supported are told before the program starts where nothing can keep it from them.

use crate::pipeline::MAX_TOLD;
use cudair_ir::{
    Diagnostic, DiagnosticClass, FuncId, GlobalInit, InstData, Loc, Module, Side, Space, Span, TrapCode,
};
use cudair_passes::analysis::control::Control;
use rustc_hash::{FxHashMap, FxHashSet};

/// Diagnostics for what the host program certainly reaches and cudair cannot do.
pub fn hopeless(module: &Module) -> Vec<Diagnostic> {
    let mut walk =
        Walk { module, seen: FxHashSet::default(), returns: FxHashMap::default(), found: Vec::new() };
    for &ctor in &module.ctors {
        if walk.function(ctor).is_none() {
            return walk.found;
        }
    }
    if let Some(main) = module.func_by_name("main") {
        walk.function(main);
    }
    walk.found.truncate(MAX_TOLD);
    walk.found
}

/// Diagnostics for variables that functions use and no file defines, which a linker would refuse.
pub fn undefined_variables(module: &Module) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    let mut told = FxHashSet::default();
    for func in module.funcs.values() {
        for inst in func.layout.iter().flat_map(|&block| func.block_insts(block)) {
            let InstData::GlobalAddr { global, .. } = func.insts[*inst] else { continue };
            let g = &module.globals[global];
            let defined = g.init != GlobalInit::Extern
                || g.space == Space::Shared
                || cudair_vm::has_variable(&g.name)
                // Headers of the system ask for the addresses of weak symbols, which are null if nobody defines them.
                || g.name.starts_with("__") && g.ty.is_none();
            if defined || !told.insert(global) {
                continue;
            }
            let library = ["_ZSt", "_ZNSt", "_ZN9__gnu_cxx"].iter().any(|std| g.name.starts_with(std));
            let of_linker = ["__start_", "__stop_"].iter().any(|bound| g.name.starts_with(bound));
            let mut d = if of_linker {
                let message =
                    format!("not supported: `{}`, a section's bound that the linker defines", g.display_name);
                Diagnostic::new(DiagnosticClass::Unsupported, message)
            } else if library {
                let message = format!("not supported: the library's variable `{}`", g.display_name);
                Diagnostic::new(DiagnosticClass::Unsupported, message)
            } else {
                let message =
                    format!("`{}` is declared, but no file of the program defines it", g.display_name);
                Diagnostic::new(DiagnosticClass::Usage, message)
            };
            if let Some(loc) = func.locs[*inst].expand() {
                d.primary = Some(Span::new(&module.source, loc, "used here"));
            }
            if let Some(loc) = g.loc.expand() {
                d.related.push(Span::new(&module.source, loc, "declared here"));
            }
            if !library && !of_linker {
                d.help = Some("name the file that defines it on the command line too".to_owned());
            }
            found.push(d);
        }
    }
    found.truncate(MAX_TOLD);
    found
}

struct Walk<'a> {
    module: &'a Module,
    seen: FxHashSet<FuncId>,
    /// Whether a function is sure to return if it ends at all; absent while that is being found out.
    returns: FxHashMap<FuncId, bool>,
    found: Vec<Diagnostic>,
}

impl Walk<'_> {
    /// Walks what a function certainly executes. `None` where what follows its call is not certain.
    fn function(&mut self, id: FuncId) -> Option<()> {
        let func = &self.module.funcs[id];
        if func.is_declaration() || func.side != Side::Host || !self.seen.insert(id) {
            return self.returns(id).then_some(());
        }
        let control = Control::new(func);
        for node in 0..control.len() as u32 {
            if !control.controlling(node).is_empty() {
                continue;
            }
            for &inst in func.block_insts(control.block(node)) {
                let loc = func.locs[inst].expand();
                match func.insts[inst] {
                    InstData::Call { func: callee, .. } => {
                        let f = &self.module.funcs[callee];
                        if f.is_declaration() && !is_known(&f.name) {
                            self.tell(
                                loc,
                                format!(
                                    "call of `{}`, which is neither defined in the program nor known to cudair",
                                    f.display_name
                                ),
                            );
                        }
                        self.function(callee)?;
                    }
                    InstData::CallIndirect { .. } | InstData::InvokeIndirect { .. } => return None,
                    InstData::Trap { code: TrapCode::Unsupported(message) } => {
                        let what = self.module.messages[message].clone();
                        self.tell(loc, what);
                        return None;
                    }
                    InstData::Trap { .. } => return None,
                    _ => {}
                }
            }
        }
        self.returns(id).then_some(())
    }

    fn tell(&mut self, loc: Option<Loc>, message: String) {
        let mut d = Diagnostic::new(DiagnosticClass::Unsupported, message);
        if let Some(loc) = loc {
            d.primary = Some(Span::new(&self.module.source, loc, "certainly reached"));
            d.related = Span::call_path(&self.module.source, loc);
        }
        if !self.found.contains(&d) {
            self.found.push(d);
        }
    }

    /// Whether nothing in a function, or in what it calls, can end the program or jump away.
    fn returns(&mut self, id: FuncId) -> bool {
        if let Some(&known) = self.returns.get(&id) {
            return known;
        }
        let func = &self.module.funcs[id];
        if func.is_declaration() {
            let leaves = func.attrs.noreturn
                || matches!(
                    func.name.as_str(),
                    "exit"
                        | "_exit"
                        | "_Exit"
                        | "quick_exit"
                        | "abort"
                        | "longjmp"
                        | "_longjmp"
                        | "siglongjmp"
                        | "raise"
                        | "__assert_fail"
                        | "__cudair_assume_fail"
                        | "pthread_exit"
                );
            return !leaves;
        }
        // A recursive function returns if nothing else in it speaks against that.
        self.returns.insert(id, true);
        let mut sure = true;
        'all: for &block in &func.layout {
            for &inst in func.block_insts(block) {
                let fine = match func.insts[inst] {
                    InstData::Call { func, .. } => self.returns(func),
                    InstData::Invoke { .. }
                    | InstData::InvokeIndirect { .. }
                    | InstData::CallIndirect { .. }
                    | InstData::Resume { .. }
                    | InstData::Trap { .. } => false,
                    _ => true,
                };
                if !fine {
                    sure = false;
                    break 'all;
                }
            }
        }
        self.returns.insert(id, sure);
        sure
    }
}

/// Whether the machine has a host function of this name.
fn is_known(name: &str) -> bool {
    cudair_vm::has_host_function(name) || name.contains("setjmp") || name.contains("longjmp")
}
