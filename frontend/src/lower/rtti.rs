//! Descriptions of types at run time: what `typeid` gives, what handlers and `dynamic_cast` compare.
//!
//! A description begins as `std::type_info` does for the system's `<typeinfo>`: a word and a pointer to the mangled
//! name. The word, a pointer to the class's table elsewhere, says here what follows:
//!
//! | word | type | what follows |
//! | --- | --- | --- |
//! | 0 | any other | nothing |
//! | 1 | class | how many bases; for each its description, and its offset shifted left by 8, with 1 for a virtual and 2 for a public base |
//! | 2 | pointer | 1 for `const`, 2 for `volatile`; the description of what it points to |
//! | 3 | pointer to member | as for a pointer; the description of the class |

use super::{At, Cx, R};
use crate::ast::mangle;
use crate::clang::{Type as ClangType, TypeKind};
use crate::types::RecId;
use cudair_ir::{Global, GlobalId, GlobalInit, Linkage, Reloc, RelocTarget, Space};

/// The word at the start of a description.
mod form {
    pub const CLASS: u64 = 1;
    pub const POINTER: u64 = 2;
    pub const MEMBER_POINTER: u64 = 3;
}

/// A description being written.
#[derive(Default)]
pub(super) struct Words {
    pub bytes: Vec<u8>,
    pub relocs: Vec<Reloc>,
}

impl Words {
    /// Begins the description of a class.
    pub fn class(name: GlobalId, bases: u64) -> Words {
        let mut words = Words::default();
        words.word(form::CLASS);
        words.address(name);
        words.word(bases);
        words
    }

    /// Adds a base.
    pub fn base(&mut self, info: GlobalId, offset: i64, is_virtual: bool, is_public: bool) {
        self.address(info);
        self.word((offset << 8) as u64 | u64::from(is_virtual) | u64::from(is_public) << 1);
    }

    fn word(&mut self, word: u64) {
        self.bytes.extend(word.to_le_bytes());
    }

    fn address(&mut self, global: GlobalId) {
        let offset = self.bytes.len() as u64;
        self.relocs.push(Reloc { offset, target: RelocTarget::Global(global), addend: 0 });
        self.word(0);
    }
}

impl<'tu> Cx<'tu, '_> {
    /// The description of the type of an exception, a handler or an operand: without references and qualifiers,
    /// arrays and functions as pointers.
    pub fn type_info(&mut self, ty: ClangType<'tu>, at: At<'_>) -> R<GlobalId> {
        let mut ty = ty.canonical();
        if matches!(ty.kind(), TypeKind::LValueReference | TypeKind::RValueReference) {
            ty = ty.pointee().canonical();
        }
        self.exact_type_info(ty.unqualified().canonical(), at)
    }

    /// The description of a type as it is.
    pub fn exact_type_info(&mut self, ty: ClangType<'tu>, at: At<'_>) -> R<GlobalId> {
        let Some(mangled) = mangle(ty) else {
            return self.unsupported(format!("the name of `{}` at run time", ty.spelling()), at);
        };
        // Two classes of one name would be one to handlers.
        let mut class = ty;
        while class.kind() == TypeKind::Pointer {
            class = class.pointee().canonical();
        }
        let described = class.declaration().canonical().id();
        if *self.descriptions.classes.entry(mangled.clone()).or_insert(described) != described {
            return self.unsupported(format!("the name of `{}` at run time", ty.spelling()), at);
        }
        if let Some(known) = self.descriptions.types.get(&mangled) {
            return Ok(known);
        }
        // `type_info` compares names, but for those that begin so: another file may have a class of the same.
        let unnamed = mangled.contains("12_GLOBAL__N_1");
        let star = if unnamed { "*" } else { "" };
        let text = self.constant_bytes([star.as_bytes(), mangled.as_bytes(), &[0]].concat(), 1, false);
        let internal = unnamed || mangled.starts_with('Z');
        let symbol = format!("_ZTI{mangled}");
        if !internal && let Some(id) = self.module.global_by_name(&symbol) {
            self.descriptions.types.set(mangled, id);
            return Ok(id);
        }
        let name = if internal { self.unique_name(symbol) } else { symbol };
        let id = self.module.add_global(Global {
            name,
            display_name: ty.unqualified().spelling(),
            space: Space::Host,
            size: 16,
            align_log2: 3,
            linkage: if internal { Linkage::Internal } else { Linkage::Weak },
            constant: true,
            dynamic: false,
            init: GlobalInit::Zero,
            loc: None.into(),
            ty: None,
        });
        // Known before it is filled: a class may be told of by a pointer to it.
        self.descriptions.types.set(mangled, id);
        let mut words = Words::default();
        match ty.kind() {
            TypeKind::Pointer => {
                let to = ty.pointee().canonical();
                let flags = u64::from(to.is_const()) | u64::from(to.is_volatile()) << 1;
                let to = self.exact_type_info(to.unqualified().canonical(), at)?;
                words.word(form::POINTER);
                words.address(text);
                words.word(flags);
                words.address(to);
            }
            TypeKind::MemberPointer => {
                let to = ty.pointee().canonical();
                let flags = u64::from(to.is_const()) | u64::from(to.is_volatile()) << 1;
                let to = self.exact_type_info(to.unqualified().canonical(), at)?;
                let class = self.exact_type_info(ty.member_class().canonical(), at)?;
                words.word(form::MEMBER_POINTER);
                words.address(text);
                words.word(flags);
                words.address(to);
                words.address(class);
            }
            _ => {
                let q = self.ast.types.of(ty);
                match self.ast.types.as_record(q.ty) {
                    Some(record) => self.describe_class(record, text, &mut words, at)?,
                    None => {
                        words.word(0);
                        words.address(text);
                    }
                }
            }
        }
        let global = &mut self.module.globals[id];
        global.size = words.bytes.len() as u64;
        global.init = GlobalInit::Data { bytes: words.bytes, relocs: words.relocs };
        Ok(id)
    }

    /// The description of a type of the language.
    pub fn simple_type_info(&mut self, mangled: &str, display: &str) -> GlobalId {
        self.described(mangled, display, |words, text| {
            words.word(0);
            words.address(text);
        })
    }

    /// The description of a pointer to a type that is described.
    pub fn pointer_type_info(&mut self, to: GlobalId, is_const: bool, is_volatile: bool) -> GlobalId {
        let global = &self.module.globals[to];
        let inner = global.name.trim_start_matches("_ZTI").to_owned();
        let qualifiers = [(is_volatile, "V"), (is_const, "K")];
        let prefix: String = qualifiers.iter().filter(|q| q.0).map(|q| q.1).collect();
        let (mangled, display) = (format!("P{prefix}{inner}"), format!("{} *", global.display_name));
        self.described(&mangled, &display, |words, text| {
            words.word(form::POINTER);
            words.address(text);
            words.word(u64::from(is_const) | u64::from(is_volatile) << 1);
            words.address(to);
        })
    }

    /// The description of the type of this mangled name, which `write` fills unless there is one already; it is
    /// given the global with the name.
    pub(super) fn described(
        &mut self,
        mangled: &str,
        display: &str,
        write: impl FnOnce(&mut Words, GlobalId),
    ) -> GlobalId {
        if let Some(known) = self.descriptions.types.get(mangled) {
            return known;
        }
        let symbol = format!("_ZTI{mangled}");
        if let Some(known) = self.module.global_by_name(&symbol) {
            self.descriptions.types.set(mangled.to_owned(), known);
            return known;
        }
        let text = self.constant_bytes([mangled.as_bytes(), &[0]].concat(), 1, false);
        let mut words = Words::default();
        write(&mut words, text);
        let id = self.module.add_global(Global {
            name: symbol,
            display_name: display.to_owned(),
            space: Space::Host,
            size: words.bytes.len() as u64,
            align_log2: 3,
            linkage: Linkage::Weak,
            constant: true,
            dynamic: false,
            init: GlobalInit::Data { bytes: words.bytes, relocs: words.relocs },
            loc: None.into(),
            ty: None,
        });
        self.descriptions.types.set(mangled.to_owned(), id);
        id
    }

    fn describe_class(&mut self, id: RecId, text: GlobalId, words: &mut Words, at: At<'_>) -> R<()> {
        let complete = self.ast.types.record(id).clang.size().is_some();
        let bases = if complete { self.ast.types.bases(id) } else { None };
        let bases: Vec<_> = bases.iter().flat_map(|b| b.iter().cloned()).collect();
        *words = Words::class(text, bases.len() as u64);
        for base in bases {
            let Some(record) = self.ast.types.as_record(base.ty) else {
                return self.internal("a base that is not a class", at);
            };
            let ty = self.ast.types.record(record).clang;
            let info = self.exact_type_info(ty.canonical().unqualified(), at)?;
            // Where a virtual base is stands in the object's table.
            let offset = match self.slot_of(id, record, false) {
                Some(slot) if base.is_virtual => slot,
                _ => base.offset as i64,
            };
            words.base(info, offset, base.is_virtual, base.is_public);
        }
        Ok(())
    }
}
