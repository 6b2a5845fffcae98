//! Where the pointers of a function come from: its parameters, variables, its own memory.

use crate::entities::*;
use crate::function::Function;
use crate::inst::InstData;
use crate::ops::TernaryOp;
use cranelift_entity::SecondaryMap;

/// Where pointers may come from.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Roots {
    /// Anywhere.
    pub any: bool,
    /// Parameters of the function, a bit each; those from the 64th on are anywhere.
    pub params: u64,
    /// Variables of static storage.
    pub globals: Vec<GlobalId>,
    /// The function's own memory, in which pointers may lie.
    pub local: bool,
}

impl Roots {
    /// Anywhere.
    pub const ANY: Roots = Roots { any: true, params: 0, globals: Vec::new(), local: false };

    /// Adds what `other` has; whether that was more.
    pub fn add(&mut self, other: &Roots) -> bool {
        let before = (self.any, self.params, self.globals.len(), self.local);
        self.any |= other.any;
        self.params |= other.params;
        self.local |= other.local;
        for &g in &other.globals {
            if !self.globals.contains(&g) {
                self.globals.push(g);
            }
        }
        before != (self.any, self.params, self.globals.len(), self.local)
    }
}

/// What an access to memory reads through, and what it writes through; nothing of another instruction.
pub fn accessed(data: &InstData) -> Option<(Option<Value>, Option<Value>)> {
    Some(match *data {
        InstData::Load { ptr, .. } | InstData::AtomicLoad { ptr, .. } => (Some(ptr), None),
        InstData::Store { ptr, .. }
        | InstData::AtomicStore { ptr, .. }
        | InstData::MemFill { dst: ptr, .. } => (None, Some(ptr)),
        InstData::MemCopy { dst, src, .. } => (Some(src), Some(dst)),
        InstData::AtomicRmw { ptr, .. } | InstData::AtomicCas { ptr, .. } => (Some(ptr), Some(ptr)),
        _ => return None,
    })
}

/// Where each value of a function comes from, as far as it is a pointer.
pub fn roots(func: &Function, entry: Block) -> SecondaryMap<Value, Roots> {
    let mut roots: SecondaryMap<Value, Roots> = SecondaryMap::new();
    for (n, &param) in func.block_params(entry).iter().enumerate() {
        let is_pointer = func.value_type(param).is_ptr();
        if is_pointer {
            roots[param] = if n < 64 { Roots { params: 1 << n, ..Roots::default() } } else { Roots::ANY };
        }
    }
    loop {
        let mut changed = false;
        for (inst, data) in &func.insts {
            func.for_each_target(inst, |call| {
                let (params, args) = (func.block_params(call.block), call.args.as_slice(&func.pool));
                // A result that a call hands to its block comes first.
                let skipped = params.len().saturating_sub(args.len());
                for (n, &param) in params.iter().enumerate() {
                    let from = match n.checked_sub(skipped) {
                        Some(n) => roots[args[n]].clone(),
                        None => Roots::ANY,
                    };
                    if func.value_type(param).is_ptr() {
                        changed |= roots[param].add(&from);
                    }
                }
            });
            let Some(result) = func.result(inst) else { continue };
            if !func.value_type(result).is_ptr() {
                continue;
            }
            let from = match *data {
                InstData::Const { .. } | InstData::FuncAddr { .. } => Roots::default(),
                InstData::SlotAddr { .. } | InstData::Alloca { .. } => {
                    Roots { local: true, ..Roots::default() }
                }
                InstData::GlobalAddr { global } => Roots { globals: vec![global], ..Roots::default() },
                InstData::PtrAdd { ptr, .. } => roots[ptr].clone(),
                InstData::Cast { arg, .. } if func.value_type(arg).is_ptr() => roots[arg].clone(),
                InstData::Ternary { op: TernaryOp::Select, args: [_, a, b] } => {
                    let mut both = roots[a].clone();
                    both.add(&roots[b]);
                    both
                }
                _ => Roots::ANY,
            };
            changed |= roots[result].add(&from);
        }
        if !changed {
            return roots;
        }
    }
}
