//! Virtual functions: the tables, the pointers to them in objects, calls through them, and the destructors that the
//! compiler provides.
//!
//! Objects are laid out as the Itanium C++ ABI has it, since libclang's offsets are: each class with virtual
//! functions or bases has a pointer to its table at its start, which it shares with its *primary base* (`super::bases`).
//! The tables are our own: one for each part of an object that points to one, so that where the part is in the whole is
//! known. Where a function of a derived class stands in a base's table, a *thunk* moves `this` from the base to the
//! derived class.

use super::bases::{BasePath, Embedding, Part, table_head};
use super::func::FnLower;
use super::unit::classes::{DestructorKey, TableKey};
use super::{At, Cx, R};
use crate::ast::symbol;
use crate::clang::CursorId;
use crate::types::{Decl, DeclKind};
use crate::types::{Kind, RecId, Ty};
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
    Method(Decl<'tu>),
    /// The destructor.
    Destroy,
    /// The destructor, and freeing the memory.
    Delete,
}

/// The table of a part of an object.
pub(crate) struct Table {
    /// Where the part is.
    pub offset: i64,
    pub global: GlobalId,
    /// Where in the table the part points to.
    pub point: u64,
}

/// The tables of a class.
pub(crate) type Tables = Rc<Vec<Table>>;

/// A whole object, or one that is being made as a base of another.
struct Object<'a> {
    class: RecId,
    embedding: &'a Embedding,
    parts: Vec<Part>,
    device: bool,
}

/// What a virtual call ends in: the function, where the class that has it is in the object, and how its result
/// becomes what the caller expects.
struct Overrider {
    func: FuncId,
    owner: i64,
    result: Option<(RecId, BasePath)>,
}

/// How the pointer that a function returns becomes one to what the overridden function's result points to.
#[derive(Clone, Copy, PartialEq)]
enum Moves {
    No,
    By(RecId, BasePath),
    Unknown,
}

/// Bytes of an entry.
pub(crate) const ENTRY: u64 = 8;
/// Bytes in front of the entries on the host: how far the part is from the whole object's start, as a negative number,
/// and the description of the whole's type.
pub(crate) const HEAD: u64 = 16;

fn overrides(method: Decl<'_>, first: CursorId) -> bool {
    method.canonical().id() == first || method.overridden().into_iter().any(|m| overrides(m, first))
}

impl<'tu> Cx<'tu, '_> {
    /// Whether objects of the class have a pointer to a table.
    pub fn is_dynamic(&mut self, id: RecId) -> bool {
        if !self.ast.cxx {
            return false;
        }
        if let Some(known) = self.classes.dynamic.get(&id) {
            return known;
        }
        let own = self.ast.methods(id).iter().any(|m| m.is_virtual_method());
        let bases = if own { None } else { self.ast.types.bases(id) };
        let dynamic = own
            || bases.iter().flat_map(|b| b.iter()).any(|b| {
                b.is_virtual || self.ast.types.as_record(b.ty).is_some_and(|base| self.is_dynamic(base))
            });
        self.classes.dynamic.set(id, dynamic);
        dynamic
    }

    fn has_virtual_destructor(&mut self, id: RecId) -> bool {
        let own =
            self.ast.methods(id).iter().any(|m| m.kind() == DeclKind::Destructor && m.is_virtual_method());
        let bases = if own { None } else { self.ast.types.bases(id) };
        own || bases
            .iter()
            .flat_map(|b| b.iter())
            .any(|b| self.ast.types.as_record(b.ty).is_some_and(|base| self.has_virtual_destructor(base)))
    }

    /// The entries of a class's table.
    pub fn table_entries(&mut self, id: RecId) -> Rc<Vec<Entry<'tu>>> {
        if let Some(known) = self.classes.entries.get(&id) {
            return known;
        }
        let mut entries = match self.primary_base(id) {
            Some(base) => self.table_entries(base).to_vec(),
            None => Vec::new(),
        };
        for method in self.ast.methods(id) {
            if method.kind() == DeclKind::Destructor || !method.is_virtual_method() {
                continue;
            }
            // One that returns a pointer to another part of the object has an entry of its own too.
            let known = entries.iter().any(|e| match *e {
                Entry::Method(m) => {
                    overrides(method, m.canonical().id()) && self.result_moves(method, m) == Moves::No
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
        self.classes.entries.set(id, entries.clone());
        entries
    }

    /// Which entry of a class's table a call of a virtual function goes by.
    pub fn table_entry(&mut self, id: RecId, decl: Decl<'tu>) -> Option<usize> {
        let is_destructor = decl.kind() == DeclKind::Destructor;
        let entries = self.table_entries(id);
        entries.iter().position(|e| match *e {
            Entry::Method(m) => {
                !is_destructor
                    && overrides(decl, m.canonical().id())
                    && self.result_moves(decl, m) == Moves::No
            }
            Entry::Destroy => is_destructor,
            Entry::Delete => false,
        })
    }

    /// The tables of a class on a side, for objects whose virtual bases are where `embedding` says.
    pub fn tables(&mut self, id: RecId, embedding: &Embedding, device: bool, at: At<'_>) -> R<Tables> {
        let key = TableKey { class: id, device, embedding: Rc::clone(embedding) };
        if let Some(known) = self.classes.tables.get(&key) {
            return Ok(known);
        }
        let class = self.ast.types.record(id).clang.spelling();
        let parts = self.table_parts(id, embedding);
        let mut tables = Vec::with_capacity(parts.len());
        for part in &parts {
            let point = table_head(device) + self.slots(part.class).len() as u64 * ENTRY;
            let size = point + self.table_entries(part.class).len() as u64 * ENTRY;
            let name = self.unique_name(format!("vtable.{class}.{}", part.offset));
            let global = self.add_table(name, format!("virtual table of {class}"), size.max(ENTRY), device);
            tables.push(Table { offset: part.offset, global, point });
        }
        let tables = Rc::new(tables);
        // Known before it is filled: what the functions do may need it.
        self.classes.tables.set(key, tables.clone());
        let object = Object { class: id, embedding, parts: self.all_parts(id, embedding), device };
        for (&part, table) in parts.iter().zip(tables.iter()) {
            let mut relocs = self.fill_table(&object, part, at)?;
            let size = self.module.globals[table.global].size as usize;
            let mut bytes = vec![0; size];
            for reloc in &mut relocs {
                reloc.offset += table.point;
            }
            for (n, value) in self.slot_values(id, embedding, part).into_iter().enumerate() {
                let n = n * ENTRY as usize;
                bytes[n..n + 8].copy_from_slice(&value.to_le_bytes());
            }
            if !device {
                let info =
                    self.exact_type_info(self.ast.types.record(id).clang.canonical().unqualified(), at)?;
                let offset = table.point - 8;
                relocs.insert(0, Reloc { offset, target: RelocTarget::Global(info), addend: 0 });
                let n = (table.point - HEAD) as usize;
                bytes[n..n + 8].copy_from_slice(&part.offset.wrapping_neg().to_le_bytes());
            }
            self.module.globals[table.global].init = GlobalInit::Data { bytes, relocs };
        }
        Ok(tables)
    }

    fn fill_table(&mut self, object: &Object<'_>, part: Part, at: At<'_>) -> R<Vec<Reloc>> {
        let (id, device) = (object.class, object.device);
        let whole = |func| Overrider { func, owner: 0, result: None };
        let entries = self.table_entries(part.class);
        let mut relocs = Vec::new();
        for (n, entry) in entries.iter().enumerate() {
            let found = match *entry {
                Entry::Method(first) => self.final_overrider(object, part, first)?,
                Entry::Destroy => self.destructor_of(id, device, false, at)?.map(whole),
                Entry::Delete => Some(whole(self.deleting_destructor(id, device, at)?)),
            };
            // A side without the function has nothing there: what calls it would be an error of the program.
            let Some(found) = found else { continue };
            let target = match (part.offset - found.owner, found.result) {
                (0, None) => found.func,
                (by, result) => self.thunk(found.func, by, result, at)?,
            };
            relocs.push(Reloc { offset: n as u64 * ENTRY, target: RelocTarget::Func(target), addend: 0 });
        }
        Ok(relocs)
    }

    /// What a call of `first` on a part of an object ends in. None where the side has no such function.
    fn final_overrider(&mut self, object: &Object<'_>, part: Part, first: Decl<'tu>) -> R<Option<Overrider>> {
        let id = first.canonical().id();
        let declaring = first.semantic_parent().map(|p| self.ast.types.of(p.ty()).ty);
        let Some(declaring) = declaring.and_then(|ty| self.ast.types.as_record(ty)) else {
            return self.internal("a virtual function outside a class", &first);
        };
        let Some(start) = self.base_part(object.class, object.embedding, part, declaring) else {
            return self.internal("a virtual function that no base has", &first);
        };
        // Of the parts that have the function and contain the one that declares it, the most derived.
        let mut best: Option<(Part, Decl<'tu>)> = None;
        for &candidate in &object.parts {
            let methods = self.ast.methods(candidate.class);
            let Some(&method) =
                methods.iter().find(|m| m.kind() != DeclKind::Destructor && overrides(**m, id))
            else {
                continue;
            };
            if candidate != start && !self.part_contains(object.class, object.embedding, candidate, start) {
                continue;
            }
            let better = match best {
                None => true,
                Some((known, _)) => self.part_contains(object.class, object.embedding, candidate, known),
            };
            if better {
                best = Some((candidate, method));
            }
            if candidate.class == object.class || object.embedding.is_empty() && best.is_some() {
                break;
            }
        }
        let Some((owner, method)) = best else { return Ok(None) };
        let (owner, device) = (owner.offset, object.device);
        if self.ast.body_of(method).is_none() && method.is_pure_virtual() {
            return Ok(Some(Overrider { func: self.pure(method, device)?, owner, result: None }));
        }
        let attributes = self.ast.attributes(method);
        let there = if device { attributes.device } else { attributes.host || !attributes.device };
        if !there {
            return Ok(None);
        }
        let result = match self.result_moves(method, first) {
            Moves::No => None,
            Moves::By(class, path) => Some((class, path)),
            Moves::Unknown => {
                let what = format!("the covariant result of `{}`", method.spelling());
                return self.unsupported(what, &method);
            }
        };
        Ok(Some(Overrider { func: self.func(method, device)?, owner, result }))
    }

    /// What stands in a table for a function that has no body: it ends the program.
    fn pure(&mut self, method: Decl<'tu>, device: bool) -> R<FuncId> {
        let side = if device { Side::Device } else { Side::Host };
        let q = self.ast.types.of(method.ty());
        let sig = self.ast.types.function(q.ty).and_then(|f| self.signature(&f, side, true));
        let Some(sig) = sig else {
            return self.unsupported(format!("the types of the function `{}`", method.spelling()), &method);
        };
        let name = self.unique_name(format!("{}$pure", symbol(method)));
        let mut function = Function::new(name, side, sig);
        function.display_name = method.spelling();
        function.linkage = Linkage::Internal;
        let id = self.module.add_func(function.clone());
        let loc = self.loc(&method);
        let end = self.native("__cxa_pure_virtual", Signature::default(), device);
        let mut b = FuncBuilder::new(function);
        b.set_loc(loc);
        b.make_entry();
        b.call(self.module, end, &[]);
        b.trap(TrapCode::Unreachable);
        self.module.funcs[id] = b.finish();
        Ok(id)
    }

    fn result_moves(&mut self, method: Decl<'tu>, first: Decl<'tu>) -> Moves {
        let result = |cx: &mut Self, m: Decl<'tu>| {
            let q = cx.ast.types.of(m.ty());
            let f = cx.ast.types.function(q.ty)?;
            let pointee = match *cx.ast.types.kind(f.ret.ty) {
                Kind::Pointer(to) | Kind::Reference(to) => to,
                _ => return None,
            };
            cx.ast.types.as_record(pointee.ty)
        };
        match (result(self, method), result(self, first)) {
            (Some(derived), Some(base)) if derived != base => match self.base_path(derived, base) {
                Some(BasePath { through: None, offset: 0 }) => Moves::No,
                Some(path) => Moves::By(derived, path),
                None => Moves::Unknown,
            },
            _ => Moves::No,
        }
    }

    /// A function that calls `func` with `this` moved back by so many bytes, and its result as its base.
    fn thunk(&mut self, func: FuncId, by: i64, result: Option<(RecId, BasePath)>, at: At<'_>) -> R<FuncId> {
        let callee = &self.module.funcs[func];
        let (sig, side, display) = (callee.sig.clone(), callee.side, callee.display_name.clone());
        let name = self.unique_name(format!("{}$thunk{by}", callee.name));
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
        let decl = self.ast.unit_decl();
        let mut f = FnLower::new(self, function, decl);
        f.b.set_loc(loc);
        let entry = f.b.make_entry();
        let mut args: Vec<Value> = f.b.func.block_params(entry).to_vec();
        let Some(object) = args.get_mut(this) else {
            return self.internal("a virtual function without an object", at);
        };
        *object = f.b.ptr_offset(*object, -by);
        let mut value = f.b.call(f.cx.module, func, &args);
        if let (Some(pointer), Some((derived, path))) = (value, result) {
            value = Some(f.pointer_to_base(pointer, derived, path, at)?);
        }
        f.b.ret(value);
        let function = f.b.finish();
        self.module.funcs[id] = function;
        Ok(id)
    }

    /// The destructor of a class: the program's, or one made here that destroys members and bases. None where there
    /// is nothing to do. `base`: the one for objects that are bases of others, of a class with virtual bases.
    pub fn destructor_of(&mut self, id: RecId, device: bool, base: bool, at: At<'_>) -> R<Option<FuncId>> {
        let written = self.ast.methods(id).into_iter().find(|m| m.kind() == DeclKind::Destructor);
        if let Some(d) = written
            && (!d.is_defaulted() || self.ast.body_of(d).is_some())
            && !d.is_deleted()
        {
            return self.func_as(d, device, base).map(Some);
        }
        let key = DestructorKey { class: id, device, base };
        if let Some(known) = self.classes.destructors.get(&key) {
            return Ok(Some(known));
        }
        let class = self.ast.types.record(id).clang;
        let name = self.unique_name(format!("{}$destroy", class.spelling()));
        let (func, function) = self.object_function(name, class.spelling(), device, base);
        self.classes.destructors.set(key, func);
        let ty = self.ast.types.of(class).ty;
        let decl = self.ast.types.record(id).decl;
        let mut f = FnLower::new(self, function, decl);
        let object = f.enter_object_function(ty, &decl);
        let vtt = f.frame.vtt();
        let mut done = f.set_tables(object, id, vtt, at);
        if done.is_ok() {
            done = f.destroy_members();
        }
        self.module.funcs[func] = f.end_object_function(done);
        Ok(Some(func))
    }

    /// A table of pointers that only the compiler's code reads, so far without contents.
    pub(super) fn add_table(
        &mut self,
        name: String,
        display_name: String,
        size: u64,
        device: bool,
    ) -> GlobalId {
        self.module.add_global(Global {
            name,
            display_name,
            space: if device { Space::Const } else { Space::Host },
            size,
            align_log2: 3,
            linkage: Linkage::Internal,
            constant: true,
            dynamic: false,
            init: GlobalInit::Zero,
            loc: None.into(),
            ty: None,
        })
    }

    /// A function that destroys an object of a type on the host, an array's elements too.
    pub fn whole_destructor(&mut self, ty: Ty, at: At<'_>) -> R<Option<FuncId>> {
        if let Some(id) = self.ast.types.as_record(ty) {
            return self.destructor_of(id, false, false, at);
        }
        let name = self.unique_name("array$destroy".to_owned());
        let (func, function) = self.object_function(name, "array".to_owned(), false, false);
        let decl = self.ast.unit_decl();
        let mut f = FnLower::new(self, function, decl);
        let object = f.enter_object_function(ty, at);
        let done = f.destroy_object(object, 0, ty, at);
        self.module.funcs[func] = f.end_object_function(done);
        Ok(Some(func))
    }

    /// The function that destroys an object and frees its memory.
    fn deleting_destructor(&mut self, id: RecId, device: bool, at: At<'_>) -> R<FuncId> {
        let key = DestructorKey { class: id, device, base: false };
        if let Some(known) = self.classes.deleting.get(&key) {
            return Ok(known);
        }
        let dtor = self.destructor_of(id, device, false, at)?;
        let class = self.ast.types.record(id).clang.spelling();
        let name = self.unique_name(format!("{class}$delete"));
        let (func, function) = self.object_function(name, class, device, false);
        self.classes.deleting.set(key, func);
        let ty = self.ast.types.of(self.ast.types.record(id).clang).ty;
        let (free, sized) = self.deallocation(ty, false, device)?;
        let size = self.ast.types.record(id).size;
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

    /// A new function that takes an object, and where it is a `base` of another its construction table.
    fn object_function(
        &mut self,
        name: String,
        class: String,
        device: bool,
        base: bool,
    ) -> (FuncId, Function) {
        let params = vec![Param::new(Type::GENERIC_PTR); 1 + usize::from(base)];
        let sig = Signature { params, ret: None, variadic: false };
        let mut function = Function::new(name, if device { Side::Device } else { Side::Host }, sig);
        function.display_name = format!("~{class}");
        function.linkage = Linkage::Internal;
        (self.module.add_func(function.clone()), function)
    }
}

impl<'tu> FnLower<'_, 'tu, '_> {
    /// The function of an object, whose body is done; what failed in it is a trap there.
    fn end_object_function(mut self, done: R<()>) -> Function {
        if let Err(fault) = done {
            self.fault(*fault);
        }
        if !self.b.is_unreachable() {
            self.b.ret(None);
        }
        self.b.finish()
    }

    /// The start of a function that takes nothing but an object of class `ty`.
    fn enter_object_function(&mut self, ty: Ty, at: At<'_>) -> Value {
        let loc = self.cx.loc(at);
        self.b.set_loc(loc);
        let entry = self.b.make_entry();
        let params = self.b.func.block_params(entry).to_vec();
        let object = params[0];
        self.frame.take_vtt(params.get(1).copied());
        let slot = self.b.slot("this", 8, 8);
        let address = self.b.slot_addr(slot);
        self.b.store(object, address, MemFlags::aligned(8));
        self.frame.work_on(Some(slot), Some(ty));
        object
    }

    /// Makes an object one of its class: its parts point to the class's tables. One that is a base of another has a
    /// construction table, which lists them.
    pub fn set_tables(&mut self, object: Value, id: RecId, vtt: Option<Value>, at: At<'_>) -> R<()> {
        if !self.cx.is_dynamic(id) {
            return Ok(());
        }
        if let Some(vtt) = vtt {
            return self.set_listed_tables(object, id, vtt, at);
        }
        let embedding = self.cx.whole_embedding(id);
        for table in self.cx.tables(id, &embedding, self.frame.device(), at)?.iter() {
            let place = self.b.ptr_offset(object, table.offset);
            let address = self.b.global_addr(self.cx.module, table.global);
            let address = self.b.ptr_offset(address, table.point as i64);
            let address = self.generic(address);
            self.b.store(address, place, MemFlags::aligned(8));
        }
        Ok(())
    }

    /// The function that a virtual call of `decl` on an object of the class that declares it ends in.
    pub fn virtual_function(&mut self, object: Value, decl: Decl<'tu>, at: At<'_>) -> R<Value> {
        let class = decl.semantic_parent().map(|p| self.cx.ast.types.of(p.ty()).ty);
        let Some(id) = class.and_then(|c| self.cx.ast.types.as_record(c)) else {
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
