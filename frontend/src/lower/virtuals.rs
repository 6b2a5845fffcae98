//! Virtual functions: the tables, the pointers to them in objects, calls through them, and the destructors that the
//! compiler provides.
//!
//! Objects are laid out as the Itanium C++ ABI has it, since libclang's offsets are: each class with virtual
//! functions has a pointer to its table at its start, which it shares with its *primary base*, the first of its
//! bases that has one. The tables are our own and hold functions only. Where a function of a derived class stands in
//! a base's table, a *thunk* moves `this` from the base to the derived class. Virtual bases are not supported.

use super::decl::is_function;
use super::func::FnLower;
use super::types::{Kind, RecId, Ty};
use super::{Cx, R};
use crate::clang::{Cursor, CursorId, CursorKind};
use cudair_ir::builder::FuncBuilder;
use cudair_ir::{
    FuncId, Function, Global, GlobalId, GlobalInit, IntCC, Linkage, MemFlags, Param, Reloc, RelocTarget,
    Side, Signature, Space, TrapCode, Type, Value,
};
use std::rc::Rc;

/// What an entry of a table is for.
#[derive(Clone, Copy)]
pub(crate) enum Entry<'tu> {
    /// The function that was first declared so.
    Method(Cursor<'tu>),
    /// The destructor.
    Destroy,
    /// The destructor, and freeing the memory.
    Delete,
}

/// A part of an object that has a table of its own: where it is, and the classes from the whole down to it.
struct Part {
    offset: u64,
    path: Vec<(RecId, u64)>,
}

/// The tables of a class and the offsets of the parts of an object that point to them.
pub(crate) type Tables = Rc<Vec<(u64, GlobalId)>>;

/// Bytes of an entry.
pub(crate) const ENTRY: u64 = 8;
/// Bytes in front of the entries on the host: how far the part is from the whole object's start, as a negative number,
/// and the description of the whole's type.
pub(crate) const HEAD: u64 = 16;

fn overrides(method: Cursor<'_>, first: CursorId) -> bool {
    method.canonical().id() == first || method.overridden().into_iter().any(|m| overrides(m, first))
}

impl<'tu> Cx<'tu, '_> {
    /// Whether objects of the class have a pointer to a table.
    pub fn is_dynamic(&mut self, id: RecId) -> bool {
        if !self.cxx {
            return false;
        }
        if let Some(&known) = self.dynamic_classes.get(&id) {
            return known;
        }
        let own = self.methods(id).iter().any(|m| m.is_virtual_method());
        let bases = if own { None } else { self.types.bases(id) };
        let dynamic = own
            || bases.iter().flat_map(|b| b.iter()).any(|b| {
                b.is_virtual || self.types.as_record(b.ty).is_some_and(|base| self.is_dynamic(base))
            });
        self.dynamic_classes.insert(id, dynamic);
        dynamic
    }

    /// The base with which the class shares its table's place.
    fn primary_base(&mut self, id: RecId) -> Option<RecId> {
        let bases = self.types.bases(id)?;
        bases.iter().filter(|b| !b.is_virtual).find_map(|b| {
            let base = self.types.as_record(b.ty)?;
            self.is_dynamic(base).then_some(base)
        })
    }

    /// Whether a class has a virtual base, at whatever depth.
    fn has_virtual_base(&mut self, id: RecId) -> bool {
        let bases = self.types.bases(id);
        bases.iter().flat_map(|b| b.iter()).any(|b| {
            b.is_virtual || self.types.as_record(b.ty).is_some_and(|base| self.has_virtual_base(base))
        })
    }

    fn has_virtual_destructor(&mut self, id: RecId) -> bool {
        let own =
            self.methods(id).iter().any(|m| m.kind() == CursorKind::Destructor && m.is_virtual_method());
        let bases = if own { None } else { self.types.bases(id) };
        own || bases
            .iter()
            .flat_map(|b| b.iter())
            .any(|b| self.types.as_record(b.ty).is_some_and(|base| self.has_virtual_destructor(base)))
    }

    /// The entries of a class's table.
    pub fn table_entries(&mut self, id: RecId) -> Rc<Vec<Entry<'tu>>> {
        if let Some(known) = self.table_entries.get(&id) {
            return known.clone();
        }
        let mut entries = match self.primary_base(id) {
            Some(base) => self.table_entries(base).to_vec(),
            None => Vec::new(),
        };
        for method in self.methods(id) {
            if method.kind() == CursorKind::Destructor || !method.is_virtual_method() {
                continue;
            }
            // One that returns a pointer to another part of the object has an entry of its own too.
            let known = entries.iter().any(|e| match *e {
                Entry::Method(m) => {
                    overrides(method, m.canonical().id()) && self.result_moves(method, m) == Some(0)
                }
                _ => false,
            });
            if !known {
                entries.push(Entry::Method(method));
            }
        }
        if self.has_virtual_destructor(id) && !entries.iter().any(|e| matches!(e, Entry::Destroy)) {
            entries.extend([Entry::Destroy, Entry::Delete]);
        }
        let entries = Rc::new(entries);
        self.table_entries.insert(id, entries.clone());
        entries
    }

    /// Which entry of a class's table a call of a virtual function goes by.
    pub fn table_entry(&mut self, id: RecId, decl: Cursor<'tu>) -> Option<usize> {
        let is_destructor = decl.kind() == CursorKind::Destructor;
        let entries = self.table_entries(id);
        entries.iter().position(|e| match *e {
            Entry::Method(m) => {
                !is_destructor && overrides(decl, m.canonical().id()) && self.result_moves(decl, m) == Some(0)
            }
            Entry::Destroy => is_destructor,
            Entry::Delete => false,
        })
    }

    /// The parts of an object that have tables of their own, the whole first.
    fn parts(&mut self, id: RecId) -> Vec<Part> {
        let mut parts = Vec::new();
        self.add_parts(vec![(id, 0)], 0, true, &mut parts);
        parts
    }

    fn add_parts(&mut self, path: Vec<(RecId, u64)>, offset: u64, own: bool, parts: &mut Vec<Part>) {
        let Some(&(id, _)) = path.last() else { return };
        if own && self.is_dynamic(id) {
            parts.push(Part { offset, path: path.clone() });
        }
        let primary = self.primary_base(id);
        let Some(bases) = self.types.bases(id) else { return };
        for base in bases.iter().filter(|b| !b.is_virtual) {
            let Some(record) = self.types.as_record(base.ty) else { continue };
            if !self.is_dynamic(record) {
                continue;
            }
            let at = offset + base.offset;
            let mut path = path.clone();
            path.push((record, at));
            self.add_parts(path, at, primary != Some(record), parts);
        }
    }

    /// The tables of a class on a side, with the offsets of the parts that point to them.
    fn tables(&mut self, id: RecId, device: bool, at: Cursor<'tu>) -> R<Tables> {
        if let Some(known) = self.tables.get(&(id, device)) {
            return Ok(known.clone());
        }
        let class = self.types.record(id).clang.spelling();
        let parts = self.parts(id);
        let mut tables = Vec::with_capacity(parts.len());
        for part in &parts {
            let head = if device { 0 } else { HEAD };
            let size =
                head + part.path.last().map_or(0, |&(r, _)| self.table_entries(r).len()) as u64 * ENTRY;
            let name = self.unique_name(format!("vtable.{class}.{}", part.offset));
            let global = self.module.add_global(Global {
                name,
                display_name: format!("virtual table of {class}"),
                space: if device { Space::Const } else { Space::Host },
                size: size.max(ENTRY),
                align_log2: 3,
                linkage: Linkage::Internal,
                constant: true,
                dynamic: false,
                init: GlobalInit::Zero,
                loc: None.into(),
            });
            tables.push((part.offset, global));
        }
        let tables = Rc::new(tables);
        // Known before it is filled: what the functions do may need it.
        self.tables.insert((id, device), tables.clone());
        for (part, &(_, global)) in parts.iter().zip(tables.iter()) {
            let mut relocs = self.fill_table(id, part, device, at)?;
            let size = self.module.globals[global].size as usize;
            let mut bytes = vec![0; size];
            if !device {
                for reloc in &mut relocs {
                    reloc.offset += HEAD;
                }
                let info = self.exact_type_info(self.types.record(id).clang.canonical().unqualified(), at)?;
                relocs.insert(0, Reloc { offset: HEAD - 8, target: RelocTarget::Global(info), addend: 0 });
                bytes[..8].copy_from_slice(&(part.offset as i64).wrapping_neg().to_le_bytes());
            }
            if !relocs.is_empty() {
                self.module.globals[global].init = GlobalInit::Data { bytes, relocs };
            }
        }
        Ok(tables)
    }

    fn fill_table(&mut self, id: RecId, part: &Part, device: bool, at: Cursor<'tu>) -> R<Vec<Reloc>> {
        // The classes that may have the last word, the most derived first.
        let mut classes = part.path.clone();
        while let Some(&(last, offset)) = classes.last() {
            match self.primary_base(last) {
                Some(base) => classes.push((base, offset)),
                None => break,
            }
        }
        let Some(&(record, _)) = part.path.last() else { return Ok(Vec::new()) };
        let entries = self.table_entries(record);
        let mut relocs = Vec::new();
        for (n, entry) in entries.iter().enumerate() {
            let found = match *entry {
                Entry::Method(first) => self.final_overrider(&classes, first, device)?,
                Entry::Destroy => self.destructor_of(id, device, at)?.map(|f| (f, 0, 0)),
                Entry::Delete => Some((self.deleting_destructor(id, device, at)?, 0, 0)),
            };
            let Some((func, owner, result_by)) = found else { continue };
            let target = match (part.offset - owner, result_by) {
                (0, 0) => func,
                (by, result_by) => self.thunk(func, by, result_by, at)?,
            };
            relocs.push(Reloc { offset: n as u64 * ENTRY, target: RelocTarget::Func(target), addend: 0 });
        }
        Ok(relocs)
    }

    /// The function that a call of `first` on an object ends in, where the class is that it belongs to, and what its
    /// result is to be moved by. None where the side has no such function.
    fn final_overrider(
        &mut self,
        classes: &[(RecId, u64)],
        first: Cursor<'tu>,
        device: bool,
    ) -> R<Option<(FuncId, u64, u64)>> {
        let id = first.canonical().id();
        for &(class, offset) in classes {
            let methods = self.methods(class);
            let Some(&method) =
                methods.iter().find(|m| m.kind() != CursorKind::Destructor && overrides(**m, id))
            else {
                continue;
            };
            if self.body_of(method).is_none() && method.is_pure_virtual() {
                return Ok(Some((self.pure(method, device)?, offset, 0)));
            }
            let attributes = self.attributes(method);
            let there = if device { attributes.device } else { attributes.host || !attributes.device };
            if !there {
                return Ok(None);
            }
            let Some(result_by) = self.result_moves(method, first) else {
                let what = format!("a covariant result through a virtual base, of `{}`", method.spelling());
                return self.unsupported(what, method);
            };
            return Ok(Some((self.func(method, device)?, offset, result_by)));
        }
        Ok(None)
    }

    /// What stands in a table for a function that has no body: it ends the program.
    fn pure(&mut self, method: Cursor<'tu>, device: bool) -> R<FuncId> {
        let side = if device { Side::Device } else { Side::Host };
        let q = self.types.of(method.ty());
        let sig = self.types.function(q.ty).and_then(|f| self.signature(&f, side, true));
        let Some(sig) = sig else {
            return self.unsupported(format!("the types of the function `{}`", method.spelling()), method);
        };
        let name = self.unique_name(format!("{}$pure", super::decl::symbol(method)));
        let mut function = Function::new(name, side, sig);
        function.display_name = method.spelling();
        function.linkage = Linkage::Internal;
        let id = self.module.add_func(function.clone());
        let loc = self.loc(method);
        let end = self.native("__cxa_pure_virtual", Signature::default(), device);
        let mut b = FuncBuilder::new(function);
        b.set_loc(loc);
        b.make_entry();
        b.call(self.module, end, &[]);
        b.trap(TrapCode::Unreachable);
        self.module.funcs[id] = b.finish();
        Ok(id)
    }

    /// How far the pointer that a function returns is from the part of the object that the overridden one's points
    /// to. None where that is not fixed.
    fn result_moves(&mut self, method: Cursor<'tu>, first: Cursor<'tu>) -> Option<u64> {
        let result = |cx: &mut Self, m: Cursor<'tu>| {
            let q = cx.types.of(m.ty());
            let f = cx.types.function(q.ty)?;
            let pointee = match *cx.types.kind(f.ret.ty) {
                Kind::Pointer(to) | Kind::Reference(to) => to,
                _ => return None,
            };
            cx.types.as_record(pointee.ty)
        };
        match (result(self, method), result(self, first)) {
            (Some(derived), Some(base)) if derived != base => self.base_offset(derived, base),
            _ => Some(0),
        }
    }

    /// A function that calls `func` with `this` moved back by so many bytes, and its result forward.
    fn thunk(&mut self, func: FuncId, by: u64, result_by: u64, at: Cursor<'tu>) -> R<FuncId> {
        let callee = &self.module.funcs[func];
        let (sig, side, display) = (callee.sig.clone(), callee.side, callee.display_name.clone());
        let name = self.unique_name(format!("{}$thunk{by}.{result_by}", callee.name));
        let this = usize::from(matches!(
            sig.params.first().map(|p| p.attr),
            Some(cudair_ir::ParamAttr::SRet { .. })
        ));
        if sig.variadic {
            return self.unsupported("a virtual function with variable arguments in a second base", at);
        }
        let mut function = Function::new(name, side, sig);
        function.display_name = display;
        function.linkage = Linkage::Internal;
        let id = self.module.add_func(function.clone());
        let loc = self.loc(at);
        let mut b = FuncBuilder::new(function);
        b.set_loc(loc);
        let entry = b.make_entry();
        let mut args: Vec<Value> = b.func.block_params(entry).to_vec();
        let Some(object) = args.get_mut(this) else {
            return self.internal("a virtual function without an object", at);
        };
        *object = b.ptr_offset(*object, -(by as i64));
        let mut result = b.call(self.module, func, &args);
        if result_by != 0
            && let Some(pointer) = result
        {
            let ty = b.ty(pointer);
            let null = b.null(ty);
            let is_null = b.icmp(IntCC::Eq, pointer, null);
            let moved = b.ptr_offset(pointer, result_by as i64);
            result = Some(b.select(is_null, pointer, moved));
        }
        b.ret(result);
        self.module.funcs[id] = b.finish();
        Ok(id)
    }

    /// The destructor of a class: the program's, or one made here that destroys members and bases. None where there
    /// is nothing to do.
    pub fn destructor_of(&mut self, id: RecId, device: bool, at: Cursor<'tu>) -> R<Option<FuncId>> {
        let written = self.methods(id).into_iter().find(|m| m.kind() == CursorKind::Destructor);
        if let Some(d) = written
            && (!d.is_defaulted() || self.body_of(d).is_some())
            && !d.is_deleted()
        {
            return self.func(d, device).map(Some);
        }
        if let Some(&known) = self.destructors.get(&(id, device)) {
            return Ok(Some(known));
        }
        let class = self.types.record(id).clang;
        let name = self.unique_name(format!("{}$destroy", class.spelling()));
        let (func, function) = self.object_function(name, class.spelling(), device);
        self.destructors.insert((id, device), func);
        let ty = self.types.of(class).ty;
        let decl = self.types.record(id).decl;
        let mut f = FnLower::new(self, function, decl);
        let object = f.enter_object_function(ty, decl);
        let mut done = f.set_tables(object, id, at);
        if done.is_ok() {
            done = f.destroy_members();
        }
        if let Err(fault) = done {
            f.fault(*fault);
        }
        if !f.b.is_unreachable() {
            f.b.ret(None);
        }
        let function = f.b.finish();
        self.module.funcs[func] = function;
        Ok(Some(func))
    }

    /// A function that destroys an object of a type on the host, an array's elements too.
    pub fn whole_destructor(&mut self, ty: Ty, at: Cursor<'tu>) -> R<Option<FuncId>> {
        if let Some(id) = self.types.as_record(ty) {
            return self.destructor_of(id, false, at);
        }
        let name = self.unique_name("array$destroy".to_owned());
        let (func, function) = self.object_function(name, "array".to_owned(), false);
        let mut f = FnLower::new(self, function, at);
        let object = f.enter_object_function(ty, at);
        if let Err(fault) = f.destroy_object(object, 0, ty, at) {
            f.fault(*fault);
        }
        if !f.b.is_unreachable() {
            f.b.ret(None);
        }
        let function = f.b.finish();
        self.module.funcs[func] = function;
        Ok(Some(func))
    }

    /// The function that destroys an object and frees its memory.
    fn deleting_destructor(&mut self, id: RecId, device: bool, at: Cursor<'tu>) -> R<FuncId> {
        if let Some(&known) = self.deleting.get(&(id, device)) {
            return Ok(known);
        }
        let dtor = self.destructor_of(id, device, at)?;
        let class = self.types.record(id).clang.spelling();
        let name = self.unique_name(format!("{class}$delete"));
        let (func, function) = self.object_function(name, class, device);
        self.deleting.insert((id, device), func);
        let ty = self.types.of(self.types.record(id).clang).ty;
        let (free, sized) = self.deallocation(ty, false, device)?;
        let size = self.types.record(id).size;
        let loc = self.loc(at);
        let mut b = FuncBuilder::new(function);
        b.set_loc(loc);
        let entry = b.make_entry();
        let object = b.func.block_params(entry).to_vec();
        if let Some(dtor) = dtor {
            b.call(self.module, dtor, &object);
        }
        let mut args = object.clone();
        if sized {
            args.push(b.iconst(Type::I64, i128::from(size)));
        }
        b.call(self.module, free, &args);
        b.ret(None);
        self.module.funcs[func] = b.finish();
        Ok(func)
    }

    /// A new function that takes an object.
    fn object_function(&mut self, name: String, class: String, device: bool) -> (FuncId, Function) {
        let sig = Signature { params: vec![Param::new(Type::GENERIC_PTR)], ret: None, variadic: false };
        let mut function = Function::new(name, if device { Side::Device } else { Side::Host }, sig);
        function.display_name = format!("~{class}");
        function.linkage = Linkage::Internal;
        (self.module.add_func(function.clone()), function)
    }

    /// The offset of a base class within a derived one, where that is fixed.
    pub fn base_offset(&mut self, derived: RecId, base: RecId) -> Option<u64> {
        if derived == base || !self.cxx {
            return None;
        }
        for b in self.types.bases(derived)?.iter() {
            let id = self.types.as_record(b.ty)?;
            if b.is_virtual {
                continue;
            }
            if id == base {
                return Some(b.offset);
            }
            if let Some(inner) = self.base_offset(id, base) {
                return Some(b.offset + inner);
            }
        }
        None
    }
}

impl<'tu> FnLower<'_, 'tu, '_> {
    /// The start of a function that takes nothing but an object of class `ty`.
    fn enter_object_function(&mut self, ty: Ty, decl: Cursor<'tu>) -> Value {
        let loc = self.cx.loc(decl);
        self.b.set_loc(loc);
        let entry = self.b.make_entry();
        let object = self.b.func.block_params(entry)[0];
        let slot = self.b.slot("this", 8, 8);
        let address = self.b.slot_addr(slot);
        self.b.store(object, address, MemFlags::aligned(8));
        self.this = Some(slot);
        self.class = Some(ty);
        object
    }

    /// Makes an object one of its class: its parts point to the class's tables.
    pub fn set_tables(&mut self, object: Value, id: RecId, at: Cursor<'tu>) -> R<()> {
        if !self.cx.is_dynamic(id) {
            return Ok(());
        }
        // Where such a base is hangs on the whole object: nothing may be made of a class that has one.
        if self.cx.has_virtual_base(id) {
            return self.unsupported("a virtual base class", at);
        }
        for &(offset, table) in self.cx.tables(id, self.device, at)?.iter() {
            let place = self.b.ptr_offset(object, offset as i64);
            let table = self.b.global_addr(self.cx.module, table);
            let table = if self.device { table } else { self.b.ptr_offset(table, HEAD as i64) };
            let table = self.generic(table);
            self.b.store(table, place, MemFlags::aligned(8));
        }
        Ok(())
    }

    /// The function that a virtual call of `decl` on an object of the class that declares it ends in.
    pub fn virtual_function(&mut self, object: Value, decl: Cursor<'tu>, at: Cursor<'tu>) -> R<Value> {
        let class = decl.semantic_parent().map(|p| self.cx.types.of(p.ty()).ty);
        let Some(id) = class.and_then(|c| self.cx.types.as_record(c)) else {
            return self.internal("a virtual function outside a class", at);
        };
        let entry = self.cx.table_entry(id, decl);
        match entry {
            Some(n) => Ok(self.entry_of(object, n)),
            None => self.unsupported(format!("the virtual call of `{}`", decl.spelling()), at),
        }
    }

    fn entry_of(&mut self, object: Value, n: usize) -> Value {
        let table = self.b.load(Type::GENERIC_PTR, object, MemFlags::aligned(8));
        let entry = self.b.ptr_offset(table, (n as u64 * ENTRY) as i64);
        self.b.load(Type::Ptr(Space::Code), entry, MemFlags::aligned(8))
    }

    /// `delete` of an object whose class has a virtual destructor. False where it has none.
    pub fn virtual_delete(&mut self, ptr: Value, id: RecId) -> R<bool> {
        let entries = self.cx.table_entries(id);
        let Some(n) = entries.iter().position(|e| matches!(e, Entry::Delete)) else { return Ok(false) };
        let (run, end) = (self.b.make_block(), self.b.make_block());
        let null = self.b.null(Type::GENERIC_PTR);
        let some = self.b.icmp(IntCC::Ne, ptr, null);
        self.b.branch(some, run, end);
        self.b.switch_to(run);
        let func = self.entry_of(ptr, n);
        let sig = Signature { params: vec![Param::new(Type::GENERIC_PTR)], ret: None, variadic: false };
        let sig = self.cx.module.sig(&sig);
        self.call_pointer(sig, func, &[ptr]);
        self.b.jump(end, &[]);
        self.b.switch_to(end);
        Ok(true)
    }
}

/// Whether a class declares a function that is virtual, as far as its own text says.
pub(crate) fn declares_virtual(class: Cursor<'_>) -> bool {
    class.children().into_iter().any(|c| is_function(c.kind()) && c.is_virtual_method())
}
