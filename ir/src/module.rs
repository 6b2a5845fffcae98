//! The module: everything that one or several linked translation units define.

use crate::entities::*;
use crate::function::{Function, Linkage, Signature};
use crate::inst::InstData;
use crate::loc::SourceMap;
use crate::ops::MatchMode;
use crate::source_type::{NamedTypes, SourceType};
use crate::stored::Stored;
use crate::types::{Space, Type};
use cranelift_entity::packed_option::PackedOption;
use cranelift_entity::{EntityRef, PrimaryMap};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::{SmallVec, smallvec};

/// What the name of the device copy of a `__host__ __device__` function ends in.
pub const DEVICE_SUFFIX: &str = "$device";

/// The name of the shared variable that holds the numbered barriers of a block. It starts at zero, and no device counts
/// it as shared memory.
pub const NAMED_BARRIERS: &str = "__cudair_named_barriers";

/// An address inside a variable's initial contents.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Reloc {
    /// Where the 8-byte pointer lies.
    pub offset: u64,
    /// What it points to.
    pub target: RelocTarget,
    /// Bytes added to the target's start.
    pub addend: i64,
}

/// What a [`Reloc`] points to.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum RelocTarget {
    /// A variable.
    Global(GlobalId),
    /// A function.
    Func(FuncId),
}

/// The contents of a variable before the program starts.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum GlobalInit {
    /// Declared only: defined in another translation unit or by the host library (`stdout`).
    Extern,
    /// No contents (`__shared__`).
    Uninit,
    /// All bytes zero.
    Zero,
    /// These bytes, as many as the variable has; addresses are zero there and stand in the list.
    Data {
        /// The bytes.
        bytes: Vec<u8>,
        /// The addresses.
        relocs: Vec<Reloc>,
    },
}

/// A variable of static storage duration.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Global {
    /// The symbol, unique in the module.
    pub name: String,
    /// What a reader calls it.
    pub display_name: String,
    /// Its memory space: `host`, `global`, `shared`, `const` or `managed`.
    pub space: Space,
    /// Bytes. 0 with [`Global::dynamic`].
    pub size: u64,
    /// Alignment as a power of two.
    pub align_log2: u8,
    /// Its visibility.
    pub linkage: Linkage,
    /// The device cannot write it, or the host's compiler puts it into read-only memory.
    pub constant: bool,
    /// `extern __shared__`: starts at the block's dynamic shared memory, whose size the launch says.
    pub dynamic: bool,
    /// The contents.
    pub init: GlobalInit,
    /// Where it is declared.
    pub loc: PackedOption<Loc>,
    /// The source type; none for what no declaration makes, and for variables of libraries.
    pub ty: Option<SourceType>,
}

/// A module.
#[derive(Clone, Debug, Default)]
pub struct Module {
    /// Files and places.
    pub source: SourceMap,
    /// The functions, defined and declared. Add with [`Module::add_func`].
    pub funcs: PrimaryMap<FuncId, Function>,
    /// The variables. Add with [`Module::add_global`].
    pub globals: PrimaryMap<GlobalId, Global>,
    /// Signatures of indirect calls.
    pub sigs: PrimaryMap<SigId, Signature>,
    /// Messages of traps.
    pub messages: PrimaryMap<Message, String>,
    /// Host functions without parameters that run before `main`, in order.
    pub ctors: Vec<FuncId>,
    /// The structures, unions and enumerations among the source types of variables.
    pub types: NamedTypes,
    /// What memory goes by that calls allocate ([`stored`](crate::stored())). Not part of the textual IR.
    pub stored: Stored,
    func_names: FxHashMap<String, FuncId>,
    global_names: FxHashMap<String, GlobalId>,
    sig_ids: FxHashMap<Signature, SigId>,
}

impl Module {
    /// An empty module.
    pub fn new() -> Module {
        Module::default()
    }

    /// Adds a function. Its name must be new.
    pub fn add_func(&mut self, func: Function) -> FuncId {
        let name = func.name.clone();
        let id = self.funcs.push(func);
        let old = self.func_names.insert(name, id);
        debug_assert!(old.is_none(), "a function name must be unique");
        id
    }

    /// The function of a name.
    pub fn func_by_name(&self, name: &str) -> Option<FuncId> {
        self.func_names.get(name).copied()
    }

    /// Adds a variable. Its name must be new.
    pub fn add_global(&mut self, global: Global) -> GlobalId {
        let name = global.name.clone();
        let id = self.globals.push(global);
        let old = self.global_names.insert(name, id);
        debug_assert!(old.is_none(), "a variable name must be unique");
        id
    }

    /// The variable of a name.
    pub fn global_by_name(&self, name: &str) -> Option<GlobalId> {
        self.global_names.get(name).copied()
    }

    /// The entity of a signature, added when new.
    pub fn sig(&mut self, sig: &Signature) -> SigId {
        if let Some(&id) = self.sig_ids.get(sig) {
            return id;
        }
        let id = self.sigs.push(sig.clone());
        self.sig_ids.insert(sig.clone(), id);
        id
    }

    /// The entity of a message.
    pub fn message(&mut self, text: impl Into<String>) -> Message {
        self.messages.push(text.into())
    }

    /// The types of the results of `data` in `func`. The result of an `invoke` is a parameter of its
    /// normal block, so it has none itself.
    pub fn result_types(&self, func: &Function, data: &InstData) -> SmallVec<[Type; 2]> {
        use InstData::*;
        let ty = |v: Value| func.value_type(v);
        match *data {
            Const { ty, .. }
            | Cast { ty, .. }
            | Load { ty, .. }
            | AtomicLoad { ty, .. }
            | VaArg { ty, .. }
            | Alloca { ty, .. } => smallvec![ty],
            GlobalAddr { global } => smallvec![Type::Ptr(self.globals[global].space)],
            FuncAddr { .. } => smallvec![Type::Ptr(Space::Code)],
            SlotAddr { slot } => smallvec![Type::Ptr(func.slots[slot].space)],
            Special { reg } => smallvec![if reg.is_counter() { Type::I64 } else { Type::I32 }],
            Unary { arg, .. } => smallvec![ty(arg)],
            Binary { args, .. } => smallvec![ty(args[0])],
            Icmp { .. } | Fcmp { .. } => smallvec![Type::I1],
            Ternary { args, .. } => smallvec![ty(args[2])],
            PtrAdd { ptr, .. } => smallvec![ty(ptr)],
            PtrDiff { .. } => smallvec![Type::I64],
            AtomicRmw { value, .. } => smallvec![ty(value)],
            AtomicCas { new, .. } => smallvec![ty(new)],
            Barrier { ref args, .. } => {
                if args.is_empty() {
                    smallvec![]
                } else {
                    smallvec![Type::I32]
                }
            }
            Shfl { value, .. } => smallvec![ty(value)],
            Vote { .. } | Reduce { .. } | ActiveMask { .. } | Launch { .. } | LaunchIndirect { .. } => {
                smallvec![Type::I32]
            }
            Match { mode: MatchMode::Any, .. } => smallvec![Type::I32],
            Match { mode: MatchMode::All, .. } => smallvec![Type::I32, Type::I32],
            Call { func, .. } => self.funcs[func].sig.ret.into_iter().collect(),
            CallIndirect { sig, .. } => self.sigs[sig].ret.into_iter().collect(),
            insts_without_result!() => smallvec![],
        }
    }
}

/// A function with those that it calls or whose addresses it takes, and so on.
pub fn reachable(module: &Module, from: FuncId) -> Vec<FuncId> {
    let (mut found, mut seen) = (Vec::new(), FxHashSet::default());
    walk_calls(module, vec![from], &mut seen, &mut found);
    found
}

/// A function with all that it may come to run: what is [`reachable`], and where that calls through a pointer, what
/// such a call may reach on the device.
pub fn may_run(module: &Module, from: FuncId) -> Vec<FuncId> {
    let (mut found, mut seen) = (Vec::new(), FxHashSet::default());
    if walk_calls(module, vec![from], &mut seen, &mut found) {
        walk_calls(module, address_taken(module), &mut seen, &mut found);
    }
    found
}

/// Adds the functions of `work`, and what is reachable from them, to `found`, each once. Whether any of them calls
/// through a pointer.
fn walk_calls(
    module: &Module,
    mut work: Vec<FuncId>,
    seen: &mut FxHashSet<FuncId>,
    found: &mut Vec<FuncId>,
) -> bool {
    let mut indirect = false;
    while let Some(id) = work.pop() {
        if !seen.insert(id) {
            continue;
        }
        found.push(id);
        let func = &module.funcs[id];
        for &inst in func.layout.iter().flat_map(|&b| func.block_insts(b)) {
            match func.insts[inst] {
                InstData::Call { func, .. } | InstData::Invoke { func, .. } | InstData::FuncAddr { func } => {
                    work.push(func);
                }
                InstData::CallIndirect { .. } | InstData::InvokeIndirect { .. } => indirect = true,
                _ => {}
            }
        }
    }
    indirect
}

/// The device functions of a module whose address is taken: what a call through a pointer may reach.
pub fn address_taken(module: &Module) -> Vec<FuncId> {
    let mut out: Vec<FuncId> = Vec::new();
    let mut add = |f: FuncId| {
        let func = &module.funcs[f];
        if func.side.on_device() && !func.layout.is_empty() {
            out.push(f);
        }
    };
    for func in module.funcs.values() {
        for &b in &func.layout {
            for &i in func.block_insts(b) {
                if let InstData::FuncAddr { func } = func.insts[i] {
                    add(func);
                }
            }
        }
    }
    for global in module.globals.values() {
        if let GlobalInit::Data { relocs, .. } = &global.init {
            for r in relocs {
                if let RelocTarget::Func(f) = r.target {
                    add(f);
                }
            }
        }
    }
    out.sort_unstable_by_key(|f| f.index());
    out.dedup();
    out
}
