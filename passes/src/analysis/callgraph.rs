//! The call graph of the device side and its strongly connected components, callees first.

use cranelift_entity::SecondaryMap;
use cudair_ir::{FuncId, Inst, InstData, Module, SigId};
use rustc_hash::FxHashSet;

/// Who calls whom among the functions that `root` reaches.
#[derive(Clone, Debug)]
pub struct CallGraph {
    /// The functions with a body that the root reaches, in components, callees first. Functions of one
    /// component call each other.
    pub components: Vec<Vec<FuncId>>,
    /// Which of them are in a component with a cycle.
    recursive: FxHashSet<FuncId>,
    /// Device functions whose address is taken anywhere in the module.
    pub address_taken: Vec<FuncId>,
}

impl CallGraph {
    /// The graph below `root`.
    pub fn new(module: &Module, address_taken: &[FuncId], root: FuncId) -> CallGraph {
        let mut graph = CallGraph {
            components: Vec::new(),
            recursive: FxHashSet::default(),
            address_taken: address_taken.to_vec(),
        };
        graph.tarjan(module, root);
        graph
    }

    /// All functions below the root, callees first.
    pub fn functions(&self) -> impl DoubleEndedIterator<Item = FuncId> + '_ {
        self.components.iter().flatten().copied()
    }

    /// Whether a function may call itself, perhaps through others.
    pub fn is_recursive(&self, func: FuncId) -> bool {
        self.recursive.contains(&func)
    }

    /// The functions with a body that an instruction may call.
    pub fn callees(&self, module: &Module, func: FuncId, inst: Inst) -> Vec<FuncId> {
        match module.funcs[func].insts[inst] {
            InstData::Call { func, .. } | InstData::Invoke { func, .. } => {
                if module.funcs[func].layout.is_empty() { Vec::new() } else { vec![func] }
            }
            InstData::CallIndirect { sig, .. } | InstData::InvokeIndirect { sig, .. } => {
                self.candidates(module, sig)
            }
            _ => Vec::new(),
        }
    }

    fn candidates(&self, module: &Module, sig: SigId) -> Vec<FuncId> {
        let sig = &module.sigs[sig];
        self.address_taken
            .iter()
            .copied()
            .filter(|&f| {
                let s = &module.funcs[f].sig;
                s.params.len() == sig.params.len() && s.ret.is_some() == sig.ret.is_some()
            })
            .collect()
    }

    fn successors(&self, module: &Module, func: FuncId) -> Vec<FuncId> {
        let f = &module.funcs[func];
        let mut out = Vec::new();
        for &b in &f.layout {
            for &i in f.block_insts(b) {
                for callee in self.callees(module, func, i) {
                    if !out.contains(&callee) {
                        out.push(callee);
                    }
                }
            }
        }
        out
    }

    fn tarjan(&mut self, module: &Module, root: FuncId) {
        let mut state: SecondaryMap<FuncId, (u32, u32, bool)> = SecondaryMap::new();
        let mut clock = 1;
        let mut path: Vec<FuncId> = Vec::new();
        let mut stack: Vec<(FuncId, Vec<FuncId>, usize)> = Vec::new();
        if module.funcs[root].layout.is_empty() {
            return;
        }
        state[root] = (clock, clock, true);
        path.push(root);
        stack.push((root, self.successors(module, root), 0));
        while let Some((func, succs, next)) = stack.last_mut() {
            let func = *func;
            if let Some(&s) = succs.get(*next) {
                *next += 1;
                if s == func {
                    self.recursive.insert(func);
                }
                if state[s].0 == 0 {
                    clock += 1;
                    state[s] = (clock, clock, true);
                    path.push(s);
                    let succs = self.successors(module, s);
                    stack.push((s, succs, 0));
                } else if state[s].2 {
                    state[func].1 = state[func].1.min(state[s].0);
                }
                continue;
            }
            stack.pop();
            let (number, low, _) = state[func];
            if let Some((parent, ..)) = stack.last() {
                state[*parent].1 = state[*parent].1.min(low);
            }
            if number == low {
                let mut component = Vec::new();
                while let Some(f) = path.pop() {
                    state[f].2 = false;
                    component.push(f);
                    if f == func {
                        break;
                    }
                }
                if component.len() > 1 {
                    self.recursive.extend(component.iter().copied());
                }
                self.components.push(component);
            }
        }
    }
}
