//! The function with which native functions of the library throw its exceptions: `__cudair_throw_library`.
//!
//! It takes the number of a class and a text. Description and table of the class are of the same form as those of the
//! program's classes (`super::rtti`, `super::virtuals`), so that handlers and `what` work whether or not the program
//! has seen the class's definition.

use super::virtuals::HEAD;
use super::{Cx, Fault};
use crate::fault::FaultKind;
use cudair_ir::builder::FuncBuilder;
use cudair_ir::{
    Function, Global, GlobalId, GlobalInit, Linkage, MemFlags, Param, Reloc, RelocTarget, Side, Signature,
    Space, TrapCode, Type,
};

/// The name of the function.
const NAME: &str = "__cudair_throw_library";

/// The classes in the machine's order: mangled, as a reader writes them, the base by its place in the list, and the
/// class that defines `what`.
const CLASSES: [(&str, &str, Option<usize>, &str); 15] = [
    ("St11logic_error", "std::logic_error", None, "St11logic_error"),
    ("St12domain_error", "std::domain_error", Some(0), "St11logic_error"),
    ("St16invalid_argument", "std::invalid_argument", Some(0), "St11logic_error"),
    ("St12length_error", "std::length_error", Some(0), "St11logic_error"),
    ("St12out_of_range", "std::out_of_range", Some(0), "St11logic_error"),
    ("St13runtime_error", "std::runtime_error", None, "St13runtime_error"),
    ("St11range_error", "std::range_error", Some(5), "St13runtime_error"),
    ("St14overflow_error", "std::overflow_error", Some(5), "St13runtime_error"),
    ("St15underflow_error", "std::underflow_error", Some(5), "St13runtime_error"),
    ("St9bad_alloc", "std::bad_alloc", None, "St9bad_alloc"),
    ("St20bad_array_new_length", "std::bad_array_new_length", Some(9), "St20bad_array_new_length"),
    ("St8bad_cast", "std::bad_cast", None, "St8bad_cast"),
    ("St10bad_typeid", "std::bad_typeid", None, "St10bad_typeid"),
    ("St17bad_function_call", "std::bad_function_call", None, "St17bad_function_call"),
    ("St13bad_exception", "std::bad_exception", None, "St13bad_exception"),
];

/// Bytes of an object of such a class: the pointer to the table and the one to the text.
const SIZE: u64 = 16;

fn signature(params: &[Type], ret: Option<Type>) -> Signature {
    Signature { params: params.iter().map(|&ty| Param::new(ty)).collect(), ret, variadic: false }
}

impl Cx<'_, '_> {
    /// Writes the function, where the program has handlers that may take what it throws.
    pub(super) fn write_library_thrower(&mut self) {
        if self.descriptions.handlers.is_empty() || self.module.func_by_name(NAME).is_some() {
            return;
        }
        let mut function = Function::new(NAME, Side::Host, signature(&[Type::I32, Type::GENERIC_PTR], None));
        function.linkage = Linkage::Weak;
        let id = self.module.add_func(function.clone());
        let mut b = FuncBuilder::new(function);
        let entry = b.make_entry();
        let (class, text) = (b.func.block_params(entry)[0], b.func.block_params(entry)[1]);
        let other = b.make_block();
        let blocks: Vec<_> = CLASSES.iter().map(|_| b.make_block()).collect();
        let cases: Vec<_> = blocks.iter().enumerate().map(|(n, &block)| (n as u128, block)).collect();
        b.switch(class, other, &cases);
        let pointer = Type::GENERIC_PTR;
        let allocate = self.native("__cxa_allocate_exception", signature(&[Type::I64], Some(pointer)), false);
        let params = [pointer, pointer, Type::Ptr(Space::Code)];
        let throw = self.native("__cxa_throw", signature(&params, None), false);
        let mut infos: Vec<GlobalId> = Vec::new();
        for ((&(mangled, display, base, what), &block), n) in CLASSES.iter().zip(&blocks).zip(0..) {
            let root = self.library_class("St9exception", "std::exception", None);
            let base = base.map_or(root, |base| infos[base]);
            let info = self.library_class(mangled, display, Some(base));
            infos.push(info);
            let destroy = self.native(&format!("_ZN{mangled}D0Ev"), signature(&[pointer], None), false);
            let what =
                self.native(&format!("_ZNK{what}4whatEv"), signature(&[pointer], Some(pointer)), false);
            for f in [destroy, what] {
                self.module.funcs[f].attrs.noexcept = true;
            }
            let address = |offset, func| Reloc { offset, target: RelocTarget::Func(func), addend: 0 };
            let table = self.module.add_global(Global {
                name: self.unique_name(format!("vtable.library.{n}")),
                display_name: format!("virtual table of {display}"),
                space: Space::Host,
                size: HEAD + 24,
                align_log2: 3,
                linkage: Linkage::Internal,
                constant: true,
                dynamic: false,
                init: GlobalInit::Data {
                    bytes: vec![0; HEAD as usize + 24],
                    relocs: vec![
                        Reloc { offset: HEAD - 8, target: RelocTarget::Global(info), addend: 0 },
                        address(HEAD, what),
                        address(HEAD + 8, destroy),
                        address(HEAD + 16, destroy),
                    ],
                },
                loc: None.into(),
                ty: None,
            });
            b.switch_to(block);
            let size = b.iconst(Type::I64, i128::from(SIZE));
            let Some(object) = b.call(self.module, allocate, &[size]) else {
                let what = "an exception without memory".to_owned();
                self.faults.push(Fault { kind: FaultKind::Internal, what, loc: None });
                continue;
            };
            let table = b.global_addr(self.module, table);
            let table = b.ptr_offset(table, HEAD as i64);
            let table = b.cast(cudair_ir::CastOp::Spacecast, pointer, table);
            b.store(table, object, MemFlags::aligned(8));
            let at = b.ptr_offset(object, 8);
            b.store(text, at, MemFlags::aligned(8));
            let info = b.global_addr(self.module, info);
            let info = b.cast(cudair_ir::CastOp::Spacecast, pointer, info);
            let destroy = b.func_addr(destroy);
            b.call(self.module, throw, &[object, info, destroy]);
            b.trap(TrapCode::Unreachable);
        }
        b.switch_to(other);
        b.trap(TrapCode::Unreachable);
        self.module.funcs[id] = b.finish();
    }

    /// The description of a class of the library, with its one base.
    fn library_class(&mut self, mangled: &str, display: &str, base: Option<GlobalId>) -> GlobalId {
        self.described(mangled, display, |words, text| {
            *words = super::rtti::Words::class(text, u64::from(base.is_some()));
            if let Some(base) = base {
                words.base(base, 0, false, true);
            }
        })
    }
}
