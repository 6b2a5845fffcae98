//! The initialisers that run before `main`.

use crate::lower::startup::Turn;
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
    /// The functions that run initialisers, each with its variable and its priority.
    written: Vec<(Decl<'tu>, Turn, FuncId)>,
    /// What runs because of the attributes `constructor` and `destructor`.
    functions: Vec<(Decl<'tu>, Turn, FuncId)>,
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

    /// A function runs the initialiser of a variable, with its priority.
    pub fn written(&mut self, init: &DynamicInit<'tu>, priority: u32, func: FuncId) {
        if init.device.is_some() {
            self.constants.push(func);
        } else {
            self.written.push((init.decl, Turn::Start(priority), func));
        }
    }

    /// The attribute of `decl` has `func` run at this turn.
    pub fn runs(&mut self, decl: Decl<'tu>, turn: Turn, func: FuncId) {
        self.functions.push((decl, turn, func));
    }

    /// The functions, in the order in which they run where their turns are alike. Variables are initialised in the order in which
    /// they are defined, behind the functions; one that only another's initialiser uses was met after it.
    pub fn in_order(&mut self) -> impl Iterator<Item = (Turn, FuncId)> + use<'tu> {
        let mut functions = std::mem::take(&mut self.functions);
        let mut variables = std::mem::take(&mut self.written);
        for list in [&mut functions, &mut variables] {
            list.sort_by(|(a, ..), (b, ..)| match (a.is_before(*b), b.is_before(*a)) {
                (true, false) => std::cmp::Ordering::Less,
                (false, true) => std::cmp::Ordering::Greater,
                _ => std::cmp::Ordering::Equal,
            });
        }
        let constants = std::mem::take(&mut self.constants).into_iter().map(|func| (Turn::Constant, func));
        constants.chain(functions.into_iter().chain(variables).map(|(_, turn, func)| (turn, func)))
    }
}
