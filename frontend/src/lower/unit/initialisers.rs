//! The initialisers that run before `main`.

use crate::types::Decl;
use cudair_ir::{FuncId, GlobalId};

/// A variable whose initialiser runs before `main`.
pub(crate) struct DynamicInit<'tu> {
    pub global: GlobalId,
    pub decl: Decl<'tu>,
    /// The device's variable whose contents `global` has on the host: it is copied there.
    pub device: Option<GlobalId>,
}

/// The initialisers of a unit.
#[derive(Default)]
pub(crate) struct Initialisers<'tu> {
    /// Those that no function runs yet.
    waiting: Vec<DynamicInit<'tu>>,
    /// The functions that run initialisers, each with its variable.
    written: Vec<(Decl<'tu>, FuncId)>,
    /// Those of the device's variables, which are constants.
    constants: Vec<FuncId>,
}

impl<'tu> Initialisers<'tu> {
    pub fn add(&mut self, init: DynamicInit<'tu>) {
        self.waiting.push(init);
    }

    pub fn take_waiting(&mut self) -> Vec<DynamicInit<'tu>> {
        std::mem::take(&mut self.waiting)
    }

    pub fn is_done(&self) -> bool {
        self.waiting.is_empty()
    }

    /// A function runs the initialiser of a variable.
    pub fn written(&mut self, init: &DynamicInit<'tu>, func: FuncId) {
        if init.device.is_some() {
            self.constants.push(func);
        } else {
            self.written.push((init.decl, func));
        }
    }

    /// The functions, in the order in which they run: constants first. Variables are initialised in the order in which they
    /// are defined; one that only another's initialiser uses was met after it.
    pub fn in_order(&mut self) -> impl Iterator<Item = FuncId> + use<'tu> {
        let mut all = std::mem::take(&mut self.written);
        all.sort_by(|(a, _), (b, _)| match (a.is_before(*b), b.is_before(*a)) {
            (true, false) => std::cmp::Ordering::Less,
            (false, true) => std::cmp::Ordering::Greater,
            _ => std::cmp::Ordering::Equal,
        });
        std::mem::take(&mut self.constants).into_iter().chain(all.into_iter().map(|(_, func)| func))
    }
}
