//! Which functions of a unit are declared in the module, and whose bodies are still to be lowered.

use super::Once;
use crate::clang::CursorId;
use crate::types::Decl;
use cudair_ir::FuncId;

/// A function as its callers mean it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct FunctionKey {
    /// The canonical declaration.
    pub decl: CursorId,
    /// Whether it is the device's.
    pub device: bool,
    /// Whether it is a constructor or destructor for objects that are bases of others.
    pub base: bool,
}

/// A function whose body is to be lowered.
pub(crate) struct Work<'tu> {
    pub func: FuncId,
    pub decl: Decl<'tu>,
    /// A constructor or destructor for objects that are bases of others (`bases`).
    pub base: bool,
}

/// A device function whose body another parse of the file gives.
#[derive(Clone, Debug)]
pub(crate) struct Wanted {
    pub func: FuncId,
    pub symbol: String,
    pub display_name: String,
    /// As [`Work::base`].
    pub base: bool,
}

/// The functions of a unit.
#[derive(Default)]
pub(crate) struct Functions<'tu> {
    known: Once<FunctionKey, FuncId>,
    work: Vec<Work<'tu>>,
    /// Where the source asks for `__CUDA_ARCH__`, device code comes from a second parse: the functions
    /// whose bodies it shall give.
    wanted: Option<Vec<Wanted>>,
    /// A kernel has a `__grid_constant__` parameter that is handed over by its value: its address is that of a copy.
    pub copied_grid_constant: bool,
}

impl<'tu> Functions<'tu> {
    pub fn known(&self, key: FunctionKey) -> Option<FuncId> {
        self.known.get(&key)
    }

    /// What callers mean by `key` is a function of the module.
    pub fn declare(&mut self, key: FunctionKey, func: FuncId) {
        self.known.set(key, func);
    }

    /// Queues a body, as the last to be lowered first.
    pub fn queue(&mut self, work: Work<'tu>) {
        self.work.push(work);
    }

    pub fn next(&mut self) -> Option<Work<'tu>> {
        self.work.pop()
    }

    pub fn is_queued(&self, func: FuncId) -> bool {
        self.work.iter().any(|w| w.func == func)
    }

    /// The body that was queued is not the function's after all.
    pub fn drop_queued(&mut self, func: FuncId) {
        self.work.retain(|w| w.func != func);
    }

    // The second parse.

    /// Leaves the bodies of device functions to another parse of the file.
    pub fn leave_device_code(&mut self) {
        self.wanted = Some(Vec::new());
    }

    pub fn leaves_device_code(&self) -> bool {
        self.wanted.is_some()
    }

    /// The list of what is left to another parse, if device code is.
    pub fn left(&mut self) -> Option<&mut Vec<Wanted>> {
        self.wanted.as_mut()
    }

    /// What was left to another parse. Nothing is from here on.
    pub fn take_left(&mut self) -> Vec<Wanted> {
        // Without a second parse nothing was left to it.
        self.wanted.take().unwrap_or_default()
    }
}
