//! The `__shared__` variables of a kernel and how they lie.
//!
//! They lie in the order of their declarations, as nvcc's assembler places them, each at a multiple of its alignment. An
//! access may state more than a declaration promises: that of a `float4` to an array of `float`. Whether its address is a
//! multiple of 16 then depends on where the variable starts in the block's shared memory.

use crate::entities::*;
use crate::function::Side;
use crate::inst::InstData;
use crate::module::{Global, Module, NAMED_BARRIERS, may_run};
use crate::roots::{accessed, roots};
use crate::types::Space;
use rustc_hash::FxHashMap;

/// A `__shared__` variable of a kernel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SharedGlobal {
    /// The variable, or all `extern __shared__` arrays, which start at one place.
    pub globals: Vec<GlobalId>,
    /// Its alignment as a power of two.
    pub align_log2: u8,
    /// The largest alignment that an access states which may reach it, as a power of two.
    pub stated_log2: u8,
}

/// The `__shared__` variables that a kernel and the functions it may call use, in the order in which they lie.
pub fn shared_globals(module: &Module, kernel: FuncId) -> Vec<SharedGlobal> {
    let functions = may_run(module, kernel);
    let mut globals: Vec<GlobalId> = Vec::new();
    for func in functions.iter().map(|&f| &module.funcs[f]) {
        for &inst in func.layout.iter().flat_map(|&b| func.block_insts(b)) {
            if let InstData::GlobalAddr { global } = func.insts[inst]
                && module.globals[global].space == Space::Shared
            {
                globals.push(global);
            }
        }
    }
    // The dynamic ones lie behind the others, and the numbered barriers, which a device has elsewhere, behind all.
    let place = |g: GlobalId| (module.globals[g].name == NAMED_BARRIERS, module.globals[g].dynamic);
    globals.sort_unstable_by_key(|&g| (place(g), g));
    globals.dedup();
    let mut out: Vec<SharedGlobal> = Vec::new();
    let stated = if globals.is_empty() { Stated::default() } else { Stated::by(module, &functions) };
    let is_dynamic = |g: GlobalId| module.globals[g].dynamic;
    for g in globals {
        let (align_log2, stated_log2) = (stated.given(g, &module.globals[g]), stated.of(g));
        match out.last_mut().filter(|last| is_dynamic(g) && last.globals.iter().all(|&g| is_dynamic(g))) {
            Some(last) => {
                last.globals.push(g);
                last.align_log2 = last.align_log2.max(align_log2);
                last.stated_log2 = last.stated_log2.max(stated_log2);
            }
            None => out.push(SharedGlobal { globals: vec![g], align_log2, stated_log2 }),
        }
    }
    out
}

/// Where a variable of static storage starts in the shared memory of a kernel's blocks, in bytes; `None` for any other.
pub fn start(module: &Module, kernel: FuncId, global: GlobalId) -> Option<u64> {
    if module.globals[global].space != Space::Shared {
        return None;
    }
    let vars = shared_globals(module, kernel);
    // Behind the dynamic one, whose size a launch says, nothing lies that a program names.
    let sizes = vars.iter().map(|v| (module.globals[v.globals[0]].size, v.align_log2));
    let n = vars.iter().position(|v| v.globals.contains(&global))?;
    starts(sizes).nth(n)
}

/// Where variables start, in bytes from the start of the block's shared memory, given the size and alignment (a power of two)
/// of each.
pub fn starts(vars: impl IntoIterator<Item = (u64, u8)>) -> impl Iterator<Item = u64> {
    vars.into_iter().scan(0u64, |end, (size, align_log2)| {
        // A launch may ask for more than a number holds; it is refused later.
        let at = end.checked_next_multiple_of(1 << align_log2.min(12)).unwrap_or(u64::MAX);
        *end = at.saturating_add(size);
        Some(at)
    })
}

/// What the accesses of some functions state, as powers of two.
#[derive(Debug, Default)]
struct Stated {
    /// Of accesses that may reach any variable.
    any: u8,
    /// Of those to a variable.
    to: FxHashMap<GlobalId, u8>,
    /// Of those to a variable's first bytes, by its name.
    to_start: FxHashMap<GlobalId, u8>,
}

impl Stated {
    /// What the accesses of `functions` state, which are a kernel and what it may call.
    fn by(module: &Module, functions: &[FuncId]) -> Stated {
        let mut out = Stated::default();
        for func in functions.iter().map(|&f| &module.funcs[f]) {
            let Some(entry) = func.entry() else { continue };
            let mut known = None;
            for &inst in func.layout.iter().flat_map(|&b| func.block_insts(b)) {
                let stated = func.stated_alignment(inst).trailing_zeros() as u8;
                let Some((read, written)) = accessed(&func.insts[inst]) else { continue };
                if stated == 0 {
                    continue;
                }
                let roots = known.get_or_insert_with(|| roots(func, entry));
                for ptr in read.into_iter().chain(written) {
                    if let Some(&InstData::GlobalAddr { global }) = func.def_inst(ptr).map(|i| &func.insts[i])
                    {
                        out.to_start.entry(global).and_modify(|s| *s = stated.max(*s)).or_insert(stated);
                    }
                    let from = &roots[ptr];
                    // What the host hands to a kernel is never an address in shared memory.
                    if from.any || from.params != 0 && func.side != Side::Kernel {
                        out.any = out.any.max(stated);
                    }
                    for &global in &from.globals {
                        out.to.entry(global).and_modify(|s| *s = stated.max(*s)).or_insert(stated);
                    }
                }
            }
        }
        out
    }

    /// What accesses that may reach a variable state.
    fn of(&self, global: GlobalId) -> u8 {
        self.to.get(&global).map_or(self.any, |&s| s.max(self.any))
    }

    /// The alignment that a variable has where it is declared with `declared`: nvcc raises it to what an access to its very start
    /// states (`getOrEnforceKnownAlignment` in LLVM), and that of `extern __shared__` arrays to 16 bytes.
    fn given(&self, id: GlobalId, global: &Global) -> u8 {
        let least = if global.dynamic { 4 } else { 0 };
        let raised = self.to_start.get(&id).copied().unwrap_or(0);
        global.align_log2.max(raised).max(least)
    }
}
