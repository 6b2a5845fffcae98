//! What attributes make a program start and end with: `constructor`, `destructor`, `init_priority`, `weak`, `cleanup`.

use super::func::FnLower;
use super::func::cleanups::{Action, CleanupPlace};
use super::{Cx, Fault, R};
use crate::fault::FaultKind;
use crate::recover::Attribute;
use crate::types::{Decl, DeclKind};
use cudair_ir::builder::FuncBuilder;
use cudair_ir::{
    FuncId, Function, GlobalId, GlobalInit, Linkage, Module, Param, Side, Signature, Slot, Type,
};

/// When a function runs before `main`, of all that do: the lower, the earlier; those alike in the order of the files.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Turn {
    /// It registers a function for the end of the program. What is registered first runs last.
    End(u32),
    /// It initialises constants of the device.
    Constant,
    /// It runs by the priority that it states, or without one.
    Start(u32),
}

impl Turn {
    /// The priority of what states none.
    pub const USUAL: u32 = 65_536;
}

/// What is declared weak and may be defined nowhere.
pub(crate) struct Weak {
    what: WeakEntity,
    fault: Fault,
}

enum WeakEntity {
    Function(FuncId),
    Variable(GlobalId),
}

impl Weak {
    /// The fault that there is, if no file defines it: such a function's or variable's address is null, and here it is not.
    pub fn fault(self, module: &Module) -> Option<Fault> {
        let is_defined = match self.what {
            WeakEntity::Function(f) => !module.funcs[f].is_declaration(),
            WeakEntity::Variable(g) => !matches!(module.globals[g].init, GlobalInit::Extern),
        };
        (!is_defined).then_some(self.fault)
    }
}

/// The priority that an attribute states.
fn priority(attribute: &Attribute) -> Option<u32> {
    match attribute.arguments.as_slice() {
        [] => Some(Turn::USUAL),
        [number] => number.parse().ok(),
        _ => None,
    }
}

impl<'tu> Cx<'tu, '_> {
    /// Notes a function that runs before `main` or at the end of the program, if its attributes say so.
    pub(super) fn starts_or_ends(&mut self, decl: Decl<'tu>) {
        if !matches!(decl.kind(), DeclKind::Function | DeclKind::Method) || !decl.is_definition() {
            return;
        }
        if decl.specialized_template().is_some() {
            let names = self.ast.unnamed_attributes_of_template(decl);
            // An explicit instance runs where it stands, another behind all else; libclang does not tell which one it is, nor
            // the priority.
            if let Some(name) = names.iter().find(|n| matches!(n.as_str(), "constructor" | "destructor")) {
                let what = format!("the attribute `{name}` of a template");
                let loc = self.loc(&decl);
                self.faults.push(Fault { kind: FaultKind::Unsupported, what, loc });
            }
            return;
        }
        for attribute in self.ast.unnamed_attributes(decl) {
            let ends = match attribute.name.as_str() {
                "constructor" => false,
                "destructor" => true,
                _ => continue,
            };
            if let Err(fault) = self.start_or_end(decl, &attribute, ends) {
                self.faults.push(*fault);
            }
        }
    }

    fn start_or_end(&mut self, decl: Decl<'tu>, attribute: &Attribute, ends: bool) -> R<()> {
        let Some(priority) = priority(attribute) else {
            return self.unsupported(format!("this priority of the attribute `{}`", attribute.name), &decl);
        };
        if decl.has_this() {
            return self.unsupported(format!("the attribute `{}` of this member", attribute.name), &decl);
        }
        let func = self.func(decl, false)?;
        if ends {
            let register = self.registers_end(func);
            self.initialisers.runs(decl, Turn::End(priority), register);
        } else {
            self.initialisers.runs(decl, Turn::Start(priority), func);
        }
        Ok(())
    }

    /// A function that registers another for the end of the program.
    fn registers_end(&mut self, func: FuncId) -> FuncId {
        let name = self.unique_name("__cudair_end".to_owned());
        let mut function = Function::new(name, Side::Host, Signature::default());
        function.linkage = Linkage::Internal;
        let id = self.module.add_func(function.clone());
        let sig = Signature {
            params: vec![Param::new(Type::Ptr(cudair_ir::Space::Code))],
            ret: Some(Type::I32),
            variadic: false,
        };
        let register = self.native("atexit", sig, false);
        let mut b = FuncBuilder::new(function);
        b.make_entry();
        let address = b.func_addr(func);
        b.call(self.module, register, &[address]);
        b.ret(None);
        self.module.funcs[id] = b.finish();
        id
    }

    /// The priority with which a variable is initialised.
    pub(super) fn init_priority(&mut self, decl: Decl<'tu>) -> R<u32> {
        let attributes = self.ast.unnamed_attributes(decl);
        let Some(stated) = attributes.iter().find(|a| a.name == "init_priority") else {
            return Ok(Turn::USUAL);
        };
        match priority(stated) {
            Some(priority) => Ok(priority),
            None => self.unsupported("this priority of an initialiser", &decl),
        }
    }

    /// Notes a function that is declared only, if it is weak or another name of one.
    pub(super) fn note_weak_function(&mut self, decl: Decl<'tu>, func: FuncId) {
        self.note_weak(decl, "function", WeakEntity::Function(func));
    }

    /// Notes a variable that is declared only, if it is weak or another name of one.
    pub(super) fn note_weak_variable(&mut self, decl: Decl<'tu>, global: GlobalId) {
        self.note_weak(decl, "variable", WeakEntity::Variable(global));
    }

    fn note_weak(&mut self, decl: Decl<'tu>, kind: &str, what: WeakEntity) {
        let attributes = self.ast.unnamed_attributes(decl);
        let loc = self.loc(&decl);
        let refused = |what| Fault { kind: FaultKind::Unsupported, what, loc };
        // Another name of what the file defines, or a function that the program chooses when it starts.
        if let Some(other) = attributes.iter().find(|a| matches!(a.name.as_str(), "alias" | "ifunc")) {
            self.faults.push(refused(format!("the attribute `{}`", other.name)));
        } else if attributes.iter().any(|a| a.name == "weak") {
            let text = format!("the weak {kind} `{}`, which no file of the program defines", decl.spelling());
            self.weak.push(Weak { what, fault: refused(text) });
        }
    }
}

impl<'tu> FnLower<'_, 'tu, '_> {
    /// Registers the function that the attribute `cleanup` names for the end of a variable's scope.
    pub(super) fn register_cleanup(&mut self, decl: Decl<'tu>, slot: Slot, size: u64) -> R<()> {
        let attributes = self.cx.ast.unnamed_attributes(decl);
        let mut first: Option<&str> = None;
        for attribute in attributes.iter().filter(|a| a.name == "cleanup") {
            let [name] = attribute.arguments.as_slice() else {
                return self.unsupported("this function of the attribute `cleanup`", &decl);
            };
            // A variable has one such function. Of several gcc takes another than clang.
            match first {
                None => first = Some(name),
                Some(known) if known == name => continue,
                Some(_) => return self.unsupported("several functions of the attribute `cleanup`", &decl),
            }
            // The print leaves out the scope in which the name was found: a name of two functions may mean either.
            let found = self.cx.ast.of_one_parameter(name);
            let function = match found.as_slice() {
                [only] if !only.is_template => only.function,
                [] | [_] => return self.unsupported(format!("the attribute `cleanup` with `{name}`"), &decl),
                _ => {
                    let what = format!("the attribute `cleanup` with `{name}`, a name of several functions");
                    return self.unsupported(what, &decl);
                }
            };
            let func = self.cx.func(function, self.frame.device())?;
            self.push_cleanup(Action::Destroy { at: CleanupPlace::Slot(slot), dtor: func, count: 1, size });
        }
        Ok(())
    }
}
