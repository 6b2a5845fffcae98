//! Where the bases of a class lie in its objects.
//!
//! A base that is not virtual has a fixed place in the class. Where a *virtual* base is hangs on the whole object: each
//! table of a class with virtual bases tells how far they are, in a row of *slots* in front of it. A class that shares
//! its table's place with a base, its *primary base*, takes over that one's slots and adds its own.
//!
//! A constructor or destructor of such a class exists twice. The one for whole objects makes the virtual bases too, and
//! knows where they are. The one for an object that is a base of another leaves them alone, and takes one more parameter
//! after the object: its *construction table*, which lists the tables that the object's parts point to as long as
//! it is one of this class and no more, and the construction tables of its own bases.

use super::func::FnLower;
use super::unit::classes::TableKey;
use super::virtuals::{ENTRY, HEAD};
use super::{At, Cx, R};
use crate::types::{Base, RecId, Ty};
use cudair_ir::{GlobalId, GlobalInit, IntCC, MemFlags, Reloc, RelocTarget, Type, Value};
use std::rc::Rc;

/// The way from an object to a base: first to a virtual base, if there is one on the way, then so many bytes on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct BasePath {
    pub through: Option<RecId>,
    pub offset: u64,
}

/// Where the virtual bases of an object are, counted from its start, in the order of [`Cx::virtual_bases`].
pub(crate) type Embedding = Rc<Vec<i64>>;

/// An object of a class within another, or the whole one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Part {
    pub class: RecId,
    pub offset: i64,
}

impl Cx<'_, '_> {
    /// The virtual bases of a class at whatever depth, in the order in which they are made, with their offsets in an
    /// object of just this class.
    pub fn virtual_bases(&mut self, id: RecId) -> Rc<Vec<(RecId, i64)>> {
        if self.has_virtual_base(id) { Rc::clone(&self.layout(id).virtual_bases) } else { Rc::default() }
    }

    /// Whether a class has a virtual base, at whatever depth.
    pub fn has_virtual_base(&mut self, id: RecId) -> bool {
        if !self.ast.cxx {
            return false;
        }
        if let Some(known) = self.classes.with_virtual_bases.get(&id) {
            return known;
        }
        let bases = self.ast.types.bases(id);
        let has = bases.iter().flat_map(|b| b.iter()).any(|b| {
            b.is_virtual || self.ast.types.as_record(b.ty).is_some_and(|base| self.has_virtual_base(base))
        });
        self.classes.with_virtual_bases.set(id, has);
        has
    }

    /// Where the virtual bases are in a whole object of a class.
    pub fn whole_embedding(&mut self, id: RecId) -> Embedding {
        Rc::new(self.virtual_bases(id).iter().map(|&(_, offset)| offset).collect())
    }

    /// Where a virtual base is in an object of class `id`.
    fn place_of(&mut self, id: RecId, embedding: &Embedding, virtual_base: RecId) -> Option<i64> {
        let n = self.virtual_bases(id).iter().position(|&(v, _)| v == virtual_base)?;
        embedding.get(n).copied()
    }

    /// As [`Self::place_of`], of a class that is a virtual base of the object or of a part of it.
    fn certain_place(&mut self, id: RecId, embedding: &Embedding, virtual_base: RecId) -> i64 {
        let place = self.place_of(id, embedding, virtual_base);
        if place.is_none() {
            self.class_defect("the place of a virtual base", id);
        }
        // The program is refused.
        place.unwrap_or(0)
    }

    /// The embedding of a part of an object of class `id`.
    pub fn embedding_of(&mut self, id: RecId, embedding: &Embedding, part: Part) -> Embedding {
        let own = self.virtual_bases(part.class);
        let places = own.iter().map(|&(v, _)| self.certain_place(id, embedding, v) - part.offset);
        Rc::new(places.collect())
    }

    /// The way from a class to one of its bases.
    pub fn base_path(&mut self, derived: RecId, base: RecId) -> Option<BasePath> {
        if let Some(offset) = self.base_offset(derived, base) {
            return Some(BasePath { through: None, offset });
        }
        for &(v, _) in self.virtual_bases(derived).iter() {
            if v == base {
                return Some(BasePath { through: Some(v), offset: 0 });
            }
            if let Some(offset) = self.base_offset(v, base) {
                return Some(BasePath { through: Some(v), offset });
            }
        }
        None
    }

    /// The offset of a base class within a derived one, where that is fixed.
    pub fn base_offset(&mut self, derived: RecId, base: RecId) -> Option<u64> {
        if derived == base || !self.ast.cxx {
            return None;
        }
        for b in self.ast.types.bases(derived)?.iter().filter(|b| !b.is_virtual) {
            let id = self.ast.types.as_record(b.ty)?;
            if id == base {
                return Some(b.offset);
            }
            if let Some(inner) = self.base_offset(id, base) {
                return Some(b.offset + inner);
            }
        }
        None
    }

    /// The base with which the class shares its table's place.
    pub fn primary_base(&mut self, id: RecId) -> Option<RecId> {
        if self.has_virtual_base(id) {
            return self.layout(id).primary.map(|(class, _)| class);
        }
        self.find_primary(id).map(|(class, _)| class)
    }

    /// All objects within one of class `id`: itself, its bases, theirs and so on, the virtual ones last.
    pub fn all_parts(&mut self, id: RecId, embedding: &Embedding) -> Vec<Part> {
        let mut found = Vec::new();
        self.add_fixed_parts(Part { class: id, offset: 0 }, &mut found);
        for &(class, _) in self.virtual_bases(id).iter() {
            let offset = self.certain_place(id, embedding, class);
            self.add_fixed_parts(Part { class, offset }, &mut found);
        }
        found
    }

    fn add_fixed_parts(&mut self, part: Part, found: &mut Vec<Part>) {
        found.push(part);
        let Some(bases) = self.ast.types.bases(part.class) else { return };
        for base in bases.iter().filter(|b| !b.is_virtual) {
            if let Some(class) = self.ast.types.as_record(base.ty) {
                self.add_fixed_parts(Part { class, offset: part.offset + base.offset as i64 }, found);
            }
        }
    }

    /// Whether one part of an object of class `id` is a base of another.
    pub fn part_contains(&mut self, id: RecId, embedding: &Embedding, outer: Part, inner: Part) -> bool {
        let own = self.embedding_of(id, embedding, outer);
        let relative = Part { offset: inner.offset - outer.offset, ..inner };
        self.all_parts(outer.class, &own).iter().skip(1).any(|&p| p == relative)
    }

    /// The part of an object that a part has as its base.
    pub fn base_part(&mut self, id: RecId, embedding: &Embedding, part: Part, class: RecId) -> Option<Part> {
        if part.class == class {
            return Some(part);
        }
        let path = self.base_path(part.class, class)?;
        let start = match path.through {
            Some(v) => self.place_of(id, embedding, v)?,
            None => part.offset,
        };
        Some(Part { class, offset: start + path.offset as i64 })
    }

    /// The parts of an object that have tables of their own: of those that share a place the most derived.
    pub fn table_parts(&mut self, id: RecId, embedding: &Embedding) -> Vec<Part> {
        let mut parts: Vec<Part> = Vec::new();
        for part in self.all_parts(id, embedding) {
            if !self.is_dynamic(part.class) {
                continue;
            }
            match parts.iter_mut().find(|p| p.offset == part.offset) {
                Some(known) if self.base_path(part.class, known.class).is_some() => *known = part,
                Some(_) => {}
                None => parts.push(part),
            }
        }
        parts
    }

    /// The virtual bases that the tables of a class tell of, in the order of the slots.
    pub fn slots(&mut self, id: RecId) -> Vec<RecId> {
        let own = self.virtual_bases(id);
        if own.is_empty() {
            return Vec::new();
        }
        let mut slots = match self.primary_base(id) {
            Some(primary) => self.slots(primary),
            None => Vec::new(),
        };
        for &(v, _) in own.iter() {
            if !slots.contains(&v) {
                slots.push(v);
            }
        }
        slots
    }

    /// Where a table of a class tells how far a virtual base is, counted from where objects point to.
    pub fn slot_of(&mut self, id: RecId, virtual_base: RecId, device: bool) -> Option<i64> {
        let n = self.slots(id).iter().position(|&v| v == virtual_base)?;
        Some(-((table_head(device) + (n as u64 + 1) * ENTRY) as i64))
    }

    /// The numbers in front of a part's table, as they stand in memory: the last slot first.
    pub fn slot_values(&mut self, id: RecId, embedding: &Embedding, part: Part) -> Vec<i64> {
        let slots = self.slots(part.class);
        slots.into_iter().rev().map(|v| self.certain_place(id, embedding, v) - part.offset).collect()
    }

    /// The places of an object that point to tables, with the parts there as the class itself says: the order of a
    /// construction table.
    fn table_places(&mut self, id: RecId) -> Vec<(Option<RecId>, Part)> {
        let mut starts = vec![(None, id)];
        starts.extend(self.virtual_bases(id).iter().map(|&(v, _)| (Some(v), v)));
        let mut places: Vec<(Option<RecId>, Part)> = Vec::new();
        for (through, class) in starts {
            let mut parts = Vec::new();
            self.add_fixed_parts(Part { class, offset: 0 }, &mut parts);
            for part in parts {
                let known = places.iter().any(|(t, p)| *t == through && p.offset == part.offset);
                if !known && self.is_dynamic(part.class) {
                    places.push((through, part));
                }
            }
        }
        places
    }

    /// The direct bases that are not virtual and have construction tables.
    fn constructed_bases(&mut self, id: RecId) -> Vec<Part> {
        let bases = self.ast.types.bases(id);
        let mut found = Vec::new();
        for base in bases.iter().flat_map(|b| b.iter()).filter(|b| !b.is_virtual) {
            if let Some(class) = self.ast.types.as_record(base.ty)
                && self.has_virtual_base(class)
            {
                found.push(Part { class, offset: base.offset as i64 });
            }
        }
        found
    }

    /// The construction table of an object that is a base of another.
    fn construction_table(
        &mut self,
        id: RecId,
        embedding: &Embedding,
        device: bool,
        at: At<'_>,
    ) -> R<GlobalId> {
        let key = TableKey { class: id, device, embedding: Rc::clone(embedding) };
        if let Some(known) = self.classes.construction_tables.get(&key) {
            return Ok(known);
        }
        let places = self.table_places(id);
        let bases = self.constructed_bases(id);
        let size = (places.len() + bases.len()) as u64 * ENTRY;
        let class = self.ast.types.record(id).clang.spelling();
        let name = self.unique_name(format!("construction.{class}"));
        let global = self.add_table(name, format!("construction table of {class}"), size, device);
        self.classes.construction_tables.set(key, global);
        let tables = self.tables(id, embedding, device, at)?;
        let mut relocs = Vec::new();
        for (through, part) in places {
            let start = match through {
                Some(v) => self.certain_place(id, embedding, v),
                None => 0,
            };
            let Some(table) = tables.iter().find(|t| t.offset == start + part.offset) else {
                return self.internal("a part without a table", at);
            };
            relocs.push((RelocTarget::Global(table.global), table.point as i64));
        }
        for part in bases {
            let own = self.embedding_of(id, embedding, part);
            let inner = self.construction_table(part.class, &own, device, at)?;
            relocs.push((RelocTarget::Global(inner), 0));
        }
        let relocs = relocs.into_iter().enumerate();
        let relocs = relocs.map(|(n, (target, addend))| Reloc { offset: n as u64 * ENTRY, target, addend });
        let init = GlobalInit::Data { bytes: vec![0; size as usize], relocs: relocs.collect() };
        self.module.globals[global].init = init;
        Ok(global)
    }
}

/// Bytes between a table's slots and its entries.
pub(crate) fn table_head(device: bool) -> u64 {
    if device { 0 } else { HEAD }
}

impl FnLower<'_, '_, '_> {
    /// The start of a virtual base of the object of class `class` at `object`.
    pub fn virtual_base(&mut self, object: Value, class: RecId, base: RecId, at: At<'_>) -> R<Value> {
        let Some(slot) = self.cx.slot_of(class, base, self.frame.device()) else {
            return self.internal("a virtual base of another class", at);
        };
        let table = self.b.load(Type::GENERIC_PTR, object, MemFlags::aligned(8));
        let slot = self.b.ptr_offset(table, slot);
        let distance = self.b.load(Type::I64, slot, MemFlags::aligned(8));
        Ok(self.b.ptr_add(object, distance))
    }

    /// An object of class `derived` as its base.
    pub fn base_at(&mut self, object: Value, derived: RecId, path: BasePath, at: At<'_>) -> R<Value> {
        let start = match path.through {
            Some(base) => self.virtual_base(object, derived, base, at)?,
            None => object,
        };
        Ok(self.b.ptr_offset(start, path.offset as i64))
    }

    /// A pointer to an object, which may be null, as one to its base.
    pub fn pointer_to_base(
        &mut self,
        pointer: Value,
        derived: RecId,
        path: BasePath,
        at: At<'_>,
    ) -> R<Value> {
        if path.through.is_none() {
            let fixed = path.offset as i64;
            return Ok(if fixed == 0 { pointer } else { self.adjust_nullable(pointer, fixed) });
        }
        let ty = self.b.ty(pointer);
        let (look, end) = (self.b.make_block(), self.b.make_block());
        let result = self.b.func.append_block_param(end, ty);
        let null = self.b.null(ty);
        let some = self.b.icmp(IntCC::Ne, pointer, null);
        let (then, other) = (self.b.target(look, &[]), self.b.target(end, &[null]));
        self.b.branch_with(some, then, other);
        self.b.switch_to(look);
        let base = self.base_at(pointer, derived, path, at)?;
        self.b.jump(end, &[base]);
        self.b.switch_to(end);
        Ok(result)
    }

    /// A direct base of the object of class `class` at `object`.
    pub fn direct_base(&mut self, object: Value, class: RecId, base: &Base, at: At<'_>) -> R<Value> {
        match self.cx.ast.types.as_record(base.ty) {
            Some(record) if base.is_virtual => self.virtual_base(object, class, record, at),
            _ => Ok(self.b.ptr_offset(object, base.offset as i64)),
        }
    }

    /// The bases that a constructor makes of an object, in order, each with its offset and its construction table. One
    /// for an object that is itself a base, whose own construction table is `vtt`, leaves virtual bases alone.
    pub fn made_bases(&mut self, class: RecId, vtt: Option<Value>, at: At<'_>) -> R<Vec<MadeBase>> {
        let Some(bases) = self.cx.ast.types.bases(class) else {
            return self.unsupported("a class whose bases cannot be placed", at);
        };
        if !self.cx.layout(class).known {
            let name = self.cx.ast.types.record(class).clang.spelling();
            return self.unsupported(format!("the layout of `{name}` with its virtual bases"), at);
        }
        let mut made = Vec::new();
        if vtt.is_none() {
            for &(record, offset) in self.cx.virtual_bases(class).iter() {
                let ty = self.cx.ast.types.of(self.cx.ast.types.record(record).clang).ty;
                let part = Part { class: record, offset };
                let vtt = self.construction_table_of(class, part, at)?;
                made.push(MadeBase { ty, record, offset, vtt });
            }
        }
        let mut next = match vtt {
            Some(_) => self.cx.table_places(class).len() as u64 * ENTRY,
            None => 0,
        };
        for base in bases.iter().filter(|b| !b.is_virtual) {
            let Some(record) = self.cx.ast.types.as_record(base.ty) else {
                return self.internal("a base that is not a class", at);
            };
            let part = Part { class: record, offset: base.offset as i64 };
            let inner = match vtt {
                Some(vtt) if self.cx.has_virtual_base(record) => {
                    let place = self.b.ptr_offset(vtt, next as i64);
                    next += ENTRY;
                    Some(self.b.load(Type::GENERIC_PTR, place, MemFlags::aligned(8)))
                }
                Some(_) => None,
                None => self.construction_table_of(class, part, at)?,
            };
            made.push(MadeBase { ty: base.ty, record, offset: part.offset, vtt: inner });
        }
        Ok(made)
    }

    /// The construction table of a base of a whole object, where it has one.
    fn construction_table_of(&mut self, class: RecId, part: Part, at: At<'_>) -> R<Option<Value>> {
        if !self.cx.has_virtual_base(part.class) {
            return Ok(None);
        }
        let whole = self.cx.whole_embedding(class);
        let own = self.cx.embedding_of(class, &whole, part);
        let table = self.cx.construction_table(part.class, &own, self.frame.device(), at)?;
        let table = self.b.global_addr(self.cx.module, table);
        Ok(Some(self.generic(table)))
    }

    /// Points the parts of an object that is a base of another to the tables that its construction table lists.
    pub fn set_listed_tables(&mut self, object: Value, class: RecId, vtt: Value, at: At<'_>) -> R<()> {
        for (n, (through, part)) in self.cx.table_places(class).into_iter().enumerate() {
            let entry = self.b.ptr_offset(vtt, (n as u64 * ENTRY) as i64);
            let table = self.b.load(Type::GENERIC_PTR, entry, MemFlags::aligned(8));
            // The first table, that of the object itself, is there when virtual bases are looked for.
            let path = BasePath { through, offset: part.offset as u64 };
            let place = self.base_at(object, class, path, at)?;
            self.b.store(table, place, MemFlags::aligned(8));
        }
        Ok(())
    }

    // Objects that are being made as bases of others.

    /// What is made at `object` is a base with a construction table.
    pub fn begin_base(&mut self, object: Value, base: &MadeBase) {
        if let Some(vtt) = base.vtt {
            self.bases.begin(object, base.record, vtt);
        }
    }

    /// The base is made.
    pub fn end_base(&mut self, object: Value, base: &MadeBase, at: At<'_>) -> R<()> {
        match self.bases.end(object, base.record) {
            // What does not ask made a whole object, with virtual bases of its own.
            Some(false) => self.unsupported("this initialiser of a base class with virtual bases", at),
            Some(true) | None => Ok(()),
        }
    }

    /// The construction table of the object at `object`, if it is being made as a base of another.
    pub fn construction_table_at(&mut self, object: Value, class: Ty) -> Option<Value> {
        if self.bases.is_empty() {
            return None;
        }
        let record = self.cx.ast.types.as_record(class)?;
        self.bases.table(object, record)
    }
}

/// A base that a constructor makes.
#[derive(Clone, Copy)]
pub(crate) struct MadeBase {
    pub ty: Ty,
    pub record: RecId,
    pub offset: i64,
    /// Its construction table, if it has virtual bases.
    pub vtt: Option<Value>,
}
