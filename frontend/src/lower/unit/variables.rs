//! Which variables and constants of a unit are declared in the module.

use super::Once;
use crate::clang::CursorId;
use crate::fault::FaultKind;
use crate::lower::{Fault, R};
use cudair_ir::GlobalId;
use rustc_hash::{FxHashMap, FxHashSet};

/// A variable as those that use it mean it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct VariableKey {
    /// The canonical declaration.
    pub decl: CursorId,
    /// Whether it is the device's copy of a constant of the host.
    pub copy: bool,
}

/// Bytes that are a constant of a side, such as a string literal.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Bytes {
    pub content: Vec<u8>,
    pub align: u32,
    pub device: bool,
}

/// Variables of internal linkage by their symbol, which the device's parse of the file shares.
#[derive(Debug, Default)]
pub(crate) struct Internal(FxHashMap<String, GlobalId>);

/// The variables of a unit.
#[derive(Default)]
pub(crate) struct Variables {
    known: Once<VariableKey, GlobalId>,
    constants: Once<Bytes, GlobalId>,
    late: FxHashSet<GlobalId>,
    internal: Internal,
    /// Those whose initialisers are not supported, and why.
    given_up: FxHashMap<GlobalId, Fault>,
}

impl Variables {
    /// Nobody can use a variable; `fault` says why to the next who tries.
    pub fn give_up(&mut self, global: GlobalId, fault: Fault) {
        self.given_up.insert(global, fault);
    }

    /// A variable, unless it was given up. The first who uses it tells why.
    pub fn usable(&mut self, global: GlobalId) -> R<GlobalId> {
        let Some(fault) = self.given_up.get_mut(&global) else { return Ok(global) };
        let told = Fault { kind: FaultKind::Consequence, ..fault.clone() };
        Err(Box::new(std::mem::replace(fault, told)))
    }

    pub fn known(&self, key: VariableKey) -> Option<GlobalId> {
        self.known.get(&key)
    }

    /// The variable that a declaration means on a side: the device's copy, or the one of both.
    pub fn seen(&self, decl: CursorId, device: bool) -> Option<GlobalId> {
        self.known(VariableKey { decl, copy: device })
            .or_else(|| self.known(VariableKey { decl, copy: false }))
    }

    /// What `key` means is a variable of the module.
    pub fn declare(&mut self, key: VariableKey, global: GlobalId) {
        self.known.set(key, global);
    }

    /// The constant that holds these bytes; equal ones are one variable.
    pub fn constant(&self, bytes: &Bytes) -> Option<GlobalId> {
        self.constants.get(bytes)
    }

    pub fn add_constant(&mut self, bytes: Bytes, global: GlobalId) {
        self.constants.set(bytes, global);
    }

    pub fn constants(&self) -> usize {
        self.constants.len()
    }

    // Initialisers that run.

    /// The initialiser of a variable is not constant.
    pub fn initialise_late(&mut self, global: GlobalId) {
        self.late.insert(global);
    }

    /// Whether the initialiser of a variable is not constant.
    pub fn is_late(&self, global: GlobalId) -> bool {
        self.late.contains(&global)
    }

    // The second parse.

    /// The other parse of the file means this variable by the symbol.
    pub fn share(&mut self, symbol: String, global: GlobalId) {
        self.internal.0.insert(symbol, global);
    }

    /// The variable that the other parse of the file declared by this symbol.
    pub fn shared(&self, symbol: &str) -> Option<GlobalId> {
        self.internal.0.get(symbol).copied()
    }

    pub fn take_shared(&mut self) -> Internal {
        std::mem::take(&mut self.internal)
    }

    /// Takes over what the other parse shares.
    pub fn share_all(&mut self, internal: Internal) {
        self.internal = internal;
    }
}
