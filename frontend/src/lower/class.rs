//! Classes: construction, destruction, copies, `new` and `delete`.
//!
//! libclang shows the members that a constructor's list names and the body; default initialisers and
//! the constructors of the rest are filled in here, and so are the bodies of defaulted functions.

use super::bases::MadeBase;
use super::call::CallResult;
use super::cleanup::CleanupPlace;
use super::func::FnLower;
use super::lvalue::Place;
use super::types::{Field, Kind, QTy, RecId, Ty};
use super::{Cx, R};
use crate::clang::{Cursor, CursorKind};
use cudair_ir::{MemFlags, Type, Value};

impl<'tu> Cx<'tu, '_> {
    /// The default member initialiser of a field.
    pub fn field_initializer(&self, f: &Field<'tu>) -> Option<Cursor<'tu>> {
        let mut exprs = f.cursor.expressions();
        // What stands before the name belongs to the type.
        let name = f.cursor.place();
        exprs.retain(|e| {
            let start = e.range().start;
            start.file != name.file || start.offset >= name.offset
        });
        let mut others = usize::from(f.width.is_some());
        let mut ty = f.ty.ty;
        while let Some(elem) = self.types.element(ty) {
            others += 1;
            ty = elem.ty;
        }
        let last = exprs.last()?;
        let written = exprs.len() > others || last.kind() == CursorKind::InitListExpr;
        (written && exprs.len() > usize::from(f.width.is_some())).then_some(*last).filter(|_| {
            // A dimension alone is no initialiser, whatever the count says for typedef'd arrays.
            exprs.len() > others || last.kind() == CursorKind::InitListExpr || others == 0
        })
    }

    /// The member functions of a class, where they can be seen.
    pub fn methods(&mut self, id: RecId) -> Vec<Cursor<'tu>> {
        if let Some(known) = self.methods.get(&id) {
            return known.to_vec();
        }
        let mut methods = self.declared_methods(id);
        self.drop_constrained(&mut methods);
        if self.types.record(id).clang.size().is_some() {
            self.methods.insert(id, methods.clone().into());
        }
        methods
    }

    /// Of special member functions that differ in their constraints, those are dropped that do not hold: one with a body
    /// holds, since only then the template's was made into it; else the one that the compiler writes does.
    fn drop_constrained(&mut self, methods: &mut Vec<Cursor<'tu>>) {
        let special = |m: &Cursor<'tu>| {
            matches!(m.kind(), CursorKind::Destructor)
                || m.kind() == CursorKind::Constructor && (m.is_copy_constructor() || m.is_move_constructor())
                || m.kind() == CursorKind::CXXMethod && (m.is_copy_assignment() || m.is_move_assignment())
        };
        let defaulted: Vec<_> = methods.iter().copied().filter(|m| m.is_defaulted() && special(m)).collect();
        for own in defaulted {
            let takes = |m: &Cursor<'tu>| -> Vec<String> {
                let parameters = m.ty().canonical().parameters();
                parameters.into_iter().map(|p| p.canonical().spelling()).collect()
            };
            let same = |m: &Cursor<'tu>| {
                m.id() != own.id() && m.kind() == own.kind() && special(m) && takes(m) == takes(&own)
            };
            let others: Vec<_> = methods.iter().copied().filter(|m| same(m)).collect();
            if others.is_empty() {
                continue;
            }
            let written = others.iter().filter(|m| !m.is_defaulted());
            let holds = own.is_deleted() || written.into_iter().any(|m| self.body_of(*m).is_some());
            let dropped = if holds { vec![own.id()] } else { others.iter().map(|m| m.id()).collect() };
            methods.retain(|m| !dropped.contains(&m.id()));
        }
    }

    fn declared_methods(&mut self, id: RecId) -> Vec<Cursor<'tu>> {
        let record = self.types.record(id);
        let (clang, decl) = (record.clang, record.decl);
        let methods = clang.methods().map(|m| m.to_vec()).unwrap_or_default();
        if !methods.is_empty() {
            return methods;
        }
        decl.children().into_iter().filter(|c| super::decl::is_function(c.kind())).collect()
    }

    /// Whether objects of the type have a constructor that does something by default.
    pub fn needs_construction(&mut self, ty: Ty) -> bool {
        if !self.cxx {
            return false;
        }
        match *self.types.kind(ty) {
            Kind::Array { elem, .. } => self.needs_construction(elem.ty),
            Kind::Record(id) => {
                if self.is_dynamic(id) {
                    return true;
                }
                let methods = self.methods(id);
                if methods.iter().any(|m| m.kind() == CursorKind::Constructor && !m.is_defaulted()) {
                    return true;
                }
                let fields = self.types.fields(id);
                if !self.types.record(id).is_union
                    && fields.iter().any(|f| {
                        self.field_initializer(f).is_some()
                            || self.bit_field_text(f).is_some()
                            || self.needs_construction(f.ty.ty)
                    })
                {
                    return true;
                }
                let bases = self.types.bases(id);
                bases.is_some_and(|b| b.iter().any(|b| self.needs_construction(b.ty)))
            }
            _ => false,
        }
    }

    /// Whether objects of the type have a destructor that does something.
    pub fn needs_destruction(&mut self, ty: Ty) -> bool {
        if !self.cxx {
            return false;
        }
        match *self.types.kind(ty) {
            Kind::Array { elem, .. } => self.needs_destruction(elem.ty),
            Kind::Record(id) => {
                let methods = self.methods(id);
                if methods.iter().any(|m| m.kind() == CursorKind::Destructor && !m.is_defaulted()) {
                    return true;
                }
                let fields = self.types.fields(id);
                if !self.types.record(id).is_union && fields.iter().any(|f| self.needs_destruction(f.ty.ty)) {
                    return true;
                }
                let bases = self.types.bases(id);
                bases.is_some_and(|b| b.iter().any(|b| self.needs_destruction(b.ty)))
            }
            _ => false,
        }
    }

    /// Whether copying an object is copying its bytes.
    pub fn is_trivially_copyable(&mut self, ty: Ty) -> bool {
        if !self.cxx {
            return true;
        }
        match *self.types.kind(ty) {
            Kind::Array { elem, .. } => self.is_trivially_copyable(elem.ty),
            Kind::Record(id) => {
                // Bytes of an object of a derived class would bring its table along.
                if self.is_dynamic(id) {
                    return false;
                }
                let methods = self.methods(id);
                let written = |m: &Cursor<'tu>| {
                    !m.is_defaulted()
                        && (m.kind() == CursorKind::Constructor
                            && (m.is_copy_constructor() || m.is_move_constructor())
                            || m.kind() == CursorKind::CXXMethod
                                && (m.is_copy_assignment() || m.is_move_assignment()))
                };
                if methods.iter().any(written) {
                    return false;
                }
                let fields = self.types.fields(id);
                if self.types.record(id).is_union {
                    return true;
                }
                if fields.iter().any(|f| !self.is_trivially_copyable(f.ty.ty)) {
                    return false;
                }
                let bases = self.types.bases(id);
                bases.is_none_or(|b| b.iter().all(|b| self.is_trivially_copyable(b.ty)))
            }
            _ => true,
        }
    }

    /// Whether objects of the class hold nothing.
    pub fn is_empty_class(&mut self, id: RecId) -> bool {
        if !self.cxx || self.is_dynamic(id) || !self.types.fields(id).is_empty() {
            return false;
        }
        let bases = self.types.bases(id);
        bases.is_some_and(|b| {
            b.iter().all(|b| self.types.as_record(b.ty).is_some_and(|r| self.is_empty_class(r)))
        })
    }

    /// Whether an initialiser is the call of a constructor that does nothing, as device variables
    /// have.
    pub fn is_trivial_construction(&mut self, e: Cursor<'tu>) -> bool {
        e.kind() == CursorKind::CallExpr
            && e.referenced().is_some_and(|d| {
                d.kind() == CursorKind::Constructor
                    && e.arguments().is_some_and(|a| a.is_empty())
                    && (d.is_defaulted() || self.has_empty_body(d))
            })
    }

    pub fn has_empty_body(&mut self, ctor: Cursor<'tu>) -> bool {
        self.body_of(ctor).is_some_and(|b| {
            b.children().iter().all(|c| match c.kind() {
                CursorKind::CompoundStmt => c.children().is_empty(),
                CursorKind::MemberRef => false,
                k => !k.is_expression(),
            })
        })
    }
}

impl<'tu> FnLower<'_, 'tu, '_> {
    /// The offset of a base class within a derived one, where that is fixed.
    pub fn base_offset(&mut self, derived: RecId, base: RecId) -> Option<u64> {
        self.cx.base_offset(derived, base)
    }

    /// The destructor of a class, as a function of the module.
    pub fn destructor(&mut self, class: Ty, e: Cursor<'tu>) -> R<Option<cudair_ir::FuncId>> {
        let Some(id) = self.cx.types.as_record(class) else { return Ok(None) };
        self.cx.destructor_of(id, self.device, false, e)
    }

    /// A constructor call: the object at `dst`, or a temporary.
    pub fn constructor_call(
        &mut self,
        e: Cursor<'tu>,
        ctor: Cursor<'tu>,
        dst: Option<Value>,
    ) -> R<CallResult> {
        let q = self.cx.type_of(e);
        let dst = match dst {
            Some(dst) => dst,
            None => {
                let slot = self.temp_slot(q.ty, e)?;
                self.register_destructor(q.ty, CleanupPlace::Slot(slot), e)?;
                self.b.slot_addr(slot)
            }
        };
        if let Kind::Array { .. } = self.cx.types.kind(q.ty) {
            self.default_construct(dst, q.ty, e)?;
            return Ok(CallResult::None);
        }
        let args = e.arguments().unwrap_or_default();
        self.construct(dst, q, ctor, &args, e)?;
        Ok(CallResult::None)
    }

    /// Runs a constructor on the object at `dst`.
    pub fn construct(
        &mut self,
        dst: Value,
        q: QTy,
        ctor: Cursor<'tu>,
        args: &[Cursor<'tu>],
        e: Cursor<'tu>,
    ) -> R<()> {
        let align = self.cx.types.align(q.ty);
        let copies = ctor.is_copy_constructor() || ctor.is_move_constructor();
        let provided = self.cx.body_of(ctor).is_some() && !ctor.is_defaulted();
        if copies
            && let [source] = args
            && self.cx.type_of(*source).ty == q.ty
            && !self.names_object(*source)
        {
            // Before C++17 the copy of a value that is about to become an object may be left out, and is.
            return self.init_object(dst, align, q, *source);
        }
        if copies && !provided && ctor.is_defaulted() {
            let Some(&source) = args.first() else {
                return self.internal("a copy of nothing", e);
            };
            if self.cx.is_trivially_copyable(q.ty) {
                let from = self.cx.type_of(source);
                // A prvalue becomes the object itself.
                if from.ty == q.ty && !self.names_object(source) {
                    return self.init_object(dst, align, q, source);
                }
                let place = self.place(source)?;
                return self.copy_object(dst, place.ptr, align.min(place.align), q, e);
            }
            let place = self.place(source)?;
            return self.copy_members(dst, place.ptr, q, ctor.is_move_constructor(), e);
        }
        if !provided && ctor.is_defaulted() && args.is_empty() {
            if e.kind().is_expression() && e.tokens(self.cx.unit).iter().any(|t| t == "(" || t == "{") {
                match self.construction_table_at(dst, q.ty) {
                    Some(_) => self.zero_base(dst, q, e)?,
                    None => self.zero_object(dst, align, q, e)?,
                }
            }
            return self.default_members(dst, q.ty, e);
        }
        let fn_q = self.cx.types.of(ctor.ty());
        let params = self.cx.types.function(fn_q.ty).map(|f| f.params.clone()).unwrap_or_default();
        // Named before what its arguments call.
        self.constructor_func(dst, q.ty, ctor)?;
        let mut values = vec![self.generic(dst)];
        for (i, &arg) in args.iter().enumerate() {
            values.push(self.argument(arg, params.get(i).copied(), Some(ctor), i)?);
        }
        self.call_constructor(dst, q, ctor, values, e)
    }

    /// Calls a constructor with the object at `dst`, values for its first parameters and the defaults for the
    /// others.
    pub fn call_constructor(
        &mut self,
        dst: Value,
        q: QTy,
        ctor: Cursor<'tu>,
        mut values: Vec<Value>,
        e: Cursor<'tu>,
    ) -> R<()> {
        let fn_q = self.cx.types.of(ctor.ty());
        let params = self.cx.types.function(fn_q.ty).map(|f| f.params.clone()).unwrap_or_default();
        let (func, vtt) = self.constructor_func(dst, q.ty, ctor)?;
        // A defaulted parameter that libclang does not count as an argument; the object is no parameter.
        for (i, &param) in params.iter().enumerate().skip(values.len() - 1) {
            let value = self.missing_argument(ctor, param, i, e)?;
            values.push(value);
        }
        if let Some(vtt) = vtt {
            values.insert(1, vtt);
        }
        self.enter(e);
        self.call_func(func, &values);
        self.set_tables_of_library(dst, q.ty, ctor, e)
    }

    /// The function of a constructor for the object at `dst`, and the construction table if it takes one.
    pub fn constructor_func(
        &mut self,
        dst: Value,
        class: Ty,
        ctor: Cursor<'tu>,
    ) -> R<(cudair_ir::FuncId, Option<Value>)> {
        let vtt = self.construction_table_at(dst, class);
        let func = self.cx.func_as(ctor, self.device, vtt.is_some())?;
        Ok((func, vtt))
    }

    /// What a constructor of the library, which knows nothing of our tables, leaves to be done.
    fn set_tables_of_library(&mut self, dst: Value, class: Ty, ctor: Cursor<'tu>, e: Cursor<'tu>) -> R<()> {
        match self.cx.types.as_record(class) {
            Some(id) if self.cx.is_dynamic(id) && self.cx.body_of(ctor).is_none() => {
                let vtt = self.construction_table_at(dst, class);
                self.set_tables(dst, id, vtt, e)
            }
            _ => Ok(()),
        }
    }

    pub fn missing_argument(
        &mut self,
        ctor: Cursor<'tu>,
        param: QTy,
        index: usize,
        e: Cursor<'tu>,
    ) -> R<Value> {
        let declared = ctor.arguments().unwrap_or_default();
        match declared.get(index).and_then(|p| p.expressions().last().copied()) {
            Some(value) => self.argument(value, Some(param), None, index),
            None => self.unsupported("this default argument", e),
        }
    }

    /// Whether the source of a copy is an object rather than a value about to become one.
    pub fn names_object(&mut self, mut e: Cursor<'tu>) -> bool {
        loop {
            match e.kind() {
                CursorKind::CallExpr => {
                    let constructs = e.referenced().is_some_and(|d| d.kind() == CursorKind::Constructor);
                    return !constructs && self.is_lvalue(e);
                }
                CursorKind::UnexposedExpr | CursorKind::ParenExpr => match e.expressions().as_slice() {
                    [one] => e = *one,
                    _ => return true,
                },
                CursorKind::InitListExpr
                | CursorKind::CXXFunctionalCastExpr
                | CursorKind::CompoundLiteralExpr => {
                    return false;
                }
                _ => return true,
            }
        }
    }

    /// Default-initialises the object at `dst`.
    pub fn default_construct(&mut self, dst: Value, ty: Ty, e: Cursor<'tu>) -> R<()> {
        if let Kind::Array { elem, len } = *self.cx.types.kind(ty) {
            if !self.cx.needs_construction(elem.ty) {
                return Ok(());
            }
            let count = self.b.iconst(Type::I64, i128::from(len.unwrap_or(0)));
            return self.for_each_forwards(dst, count, elem.ty, e, |f, p| f.default_construct(p, elem.ty, e));
        }
        let Some(id) = self.cx.types.as_record(ty) else { return Ok(()) };
        let methods = self.cx.methods(id);
        let ctors: Vec<_> = methods.iter().copied().filter(|m| m.kind() == CursorKind::Constructor).collect();
        let default = ctors.iter().copied().find(|c| {
            !c.is_deleted()
                && (c.is_default_constructor()
                    || c.arguments().is_some_and(|a| a.iter().all(|p| !p.expressions().is_empty())))
        });
        match default {
            Some(c) => self.construct(dst, QTy::plain(ty), c, &[], e),
            None => self.default_members(dst, ty, e),
        }
    }

    /// What an implicit default constructor does: bases, then members.
    pub fn default_members(&mut self, dst: Value, ty: Ty, e: Cursor<'tu>) -> R<()> {
        let Some(id) = self.cx.types.as_record(ty) else { return Ok(()) };
        if self.cx.types.record(id).is_union {
            return Ok(());
        }
        let mark = self.cleanups.len();
        let vtt = self.construction_table_at(dst, ty);
        for base in self.made_bases(id, vtt, e)? {
            if self.cx.needs_construction(base.ty) {
                let ptr = self.b.ptr_offset(dst, base.offset);
                self.begin_base(ptr, &base);
                self.default_construct(ptr, base.ty, e)?;
                self.end_base(ptr, &base, e)?;
                self.register_base(ptr, &base, e)?;
            }
        }
        self.set_tables(dst, id, vtt, e)?;
        for f in self.cx.types.fields(id).iter() {
            self.default_field(dst, f, e)?;
            self.register_field(dst, f, e)?;
        }
        self.drop_parts(mark);
        Ok(())
    }

    /// A member was made: should what follows throw, it is destroyed.
    fn register_field(&mut self, object: Value, f: &Field<'tu>, e: Cursor<'tu>) -> R<()> {
        if f.width.is_some() || !self.cx.needs_destruction(f.ty.ty) {
            return Ok(());
        }
        let ptr = self.b.ptr_offset(object, (f.offset_bits / 8) as i64);
        self.register_part(f.ty.ty, ptr, e)
    }

    pub fn default_field(&mut self, object: Value, f: &Field<'tu>, e: Cursor<'tu>) -> R<()> {
        if let Some(init) = self.cx.field_initializer(f) {
            if !mentions_this(init) {
                return self.init_field(object, f, init);
            }
            // In a constructor that the program does not write, `this` is the object all the same.
            let class = f.cursor.semantic_parent().map(|p| self.cx.types.of(p.ty()).ty);
            let slot = self.b.slot("this", 8, 8);
            let address = self.b.slot_addr(slot);
            let pointer = self.generic(object);
            self.b.store(pointer, address, MemFlags::aligned(8));
            let old = (self.this.replace(slot), self.class, self.outer_this.take());
            self.class = class.or(self.class);
            let result = self.init_field(object, f, init);
            (self.this, self.class, self.outer_this) = old;
            return result;
        }
        if let Some(text) = self.cx.bit_field_text(f) {
            let ptr = self.b.ptr_offset(object, (f.offset_bits / 8) as i64);
            let value = self.bit_field_default(f, &text, f.cursor)?;
            let bits = f.width.map(|width| ((f.offset_bits % 8) as u32, width));
            self.store(&Place { bits, ..Place::new(ptr, 1, f.ty) }, value, e)?;
            return Ok(());
        }
        if self.cx.needs_construction(f.ty.ty) {
            let ptr = self.b.ptr_offset(object, (f.offset_bits / 8) as i64);
            return self.default_construct(ptr, f.ty.ty, e);
        }
        Ok(())
    }

    pub fn init_field(&mut self, object: Value, f: &Field<'tu>, init: Cursor<'tu>) -> R<()> {
        let ptr = self.b.ptr_offset(object, (f.offset_bits / 8) as i64);
        let align = self.cx.types.align(f.ty.ty);
        let keep = self.cleanups.len();
        if let Some(width) = f.width {
            let value = self.rv_as(init, f.ty.ty)?;
            let place = Place { bits: Some(((f.offset_bits % 8) as u32, width)), ..Place::new(ptr, 1, f.ty) };
            self.store(&place, value, init)?;
        } else {
            self.init_object(ptr, align, f.ty, init)?;
        }
        self.pop_cleanups(keep);
        Ok(())
    }

    /// The member initialisers of the constructor being lowered.
    pub fn construct_members(&mut self) -> R<()> {
        let decl = self.decl;
        let Some(class) = self.class else {
            return self.internal("a constructor outside a class", decl);
        };
        let Some(id) = self.cx.types.as_record(class) else {
            return self.internal("a constructor of no class", decl);
        };
        if self.is_inherited_constructor(decl) {
            let object = self.this_place(decl)?.ptr;
            return self.inherit_construct(object, id, self.vtt);
        }
        let mut fields: Vec<(Cursor<'tu>, Cursor<'tu>)> = Vec::new();
        let mut bases: Vec<(Ty, Cursor<'tu>)> = Vec::new();
        let mut member = None;
        for child in decl.children() {
            match child.kind() {
                CursorKind::MemberRef => member = child.referenced(),
                CursorKind::CompoundStmt => break,
                k if k.is_expression() => match member.take() {
                    Some(field) => fields.push((field, child)),
                    None => {
                        let ty = self.cx.type_of(child).ty;
                        bases.push((ty, child));
                    }
                },
                _ => {}
            }
        }
        let object = self.this_place(decl)?.ptr;
        if let Some(&(_, target)) = bases.iter().find(|(ty, _)| *ty == class) {
            // Delegation: the other constructor does everything.
            let itself = MadeBase { ty: class, record: id, offset: 0, vtt: self.vtt };
            self.begin_base(object, &itself);
            self.init_object(object, 1, QTy::plain(class), target)?;
            self.end_base(object, &itself, target)?;
            // From here on it is whole, and destroyed as such.
            return self.register_base(object, &itself, decl);
        }
        for base in self.made_bases(id, self.vtt, decl)? {
            let ptr = self.b.ptr_offset(object, base.offset);
            let written = bases.iter().find(|(ty, _)| *ty == base.ty).copied();
            // What an initialiser does with `this` may need to know where virtual bases are.
            if self.cx.has_virtual_base(id) && written.is_some_and(|(_, init)| mentions_this(init)) {
                self.set_tables(object, id, self.vtt, decl)?;
            }
            self.begin_base(ptr, &base);
            match written {
                Some((ty, init)) => {
                    let align = self.cx.types.align(ty);
                    let keep = self.cleanups.len();
                    if base.vtt.is_some() && !self.constructs(init) {
                        // A function that returns an object makes a whole one.
                        let slot = self.temp_slot(ty, init)?;
                        let whole = self.b.slot_addr(slot);
                        self.init_object(whole, align, QTy::plain(ty), init)?;
                        self.register_destructor(ty, CleanupPlace::Slot(slot), init)?;
                        let whole = self.b.slot_addr(slot);
                        self.copy_one(ptr, whole, QTy::plain(ty), true, init)?;
                    } else {
                        self.init_object(ptr, align, QTy::plain(ty), init)?;
                    }
                    self.pop_cleanups(keep);
                }
                None if self.cx.needs_construction(base.ty) => self.default_construct(ptr, base.ty, decl)?,
                None => {}
            }
            self.end_base(ptr, &base, written.map_or(decl, |(_, init)| init))?;
            self.register_base(ptr, &base, decl)?;
        }
        self.set_tables(object, id, self.vtt, decl)?;
        for f in self.cx.types.fields(id).iter() {
            let written = fields.iter().find(|(field, _)| {
                field.canonical().id() == f.cursor.canonical().id() || field.id() == f.cursor.id()
            });
            match written {
                Some(&(_, init)) => self.init_field(object, f, init)?,
                None if f.anonymous => self.init_anonymous(object, f, &fields)?,
                None if self.cx.types.record(id).is_union => continue,
                None => self.default_field(object, f, decl)?,
            }
            if !self.cx.types.record(id).is_union && !f.anonymous {
                self.register_field(object, f, decl)?;
            }
        }
        Ok(())
    }

    /// Whether an initialiser calls a constructor or is a list, rather than something that returns an object.
    fn constructs(&mut self, e: Cursor<'tu>) -> bool {
        let exprs = e.expressions();
        match (e.kind(), exprs.as_slice()) {
            (CursorKind::CallExpr, _) => {
                let Some(ctor) = e.referenced().filter(|d| d.kind() == CursorKind::Constructor) else {
                    return false;
                };
                let arguments = e.arguments().unwrap_or_default();
                match arguments.as_slice() {
                    [one] if ctor.is_copy_constructor() || ctor.is_move_constructor() => {
                        self.names_object(*one) || self.constructs(*one)
                    }
                    _ => true,
                }
            }
            (
                CursorKind::UnexposedExpr | CursorKind::ParenExpr | CursorKind::CXXFunctionalCastExpr,
                [one],
            ) => self.constructs(*one),
            (CursorKind::InitListExpr, _) => true,
            _ => false,
        }
    }

    /// Members of an anonymous union that the constructor names.
    pub fn init_anonymous(
        &mut self,
        object: Value,
        f: &Field<'tu>,
        written: &[(Cursor<'tu>, Cursor<'tu>)],
    ) -> R<()> {
        let Some(inner) = self.cx.types.as_record(f.ty.ty) else { return Ok(()) };
        let base = self.b.ptr_offset(object, (f.offset_bits / 8) as i64);
        for &(field, init) in written {
            if let Some((bits, found)) = self.cx.types.field_path(inner, field.canonical().id()) {
                let found = Field { offset_bits: bits, ..found };
                self.init_field(base, &found, init)?;
            }
        }
        Ok(())
    }

    /// What follows the body of the destructor being lowered: members, then bases, last first.
    pub fn destroy_members(&mut self) -> R<()> {
        let decl = self.decl;
        let Some(id) = self.class.and_then(|c| self.cx.types.as_record(c)) else { return Ok(()) };
        if self.cx.types.record(id).is_union {
            return Ok(());
        }
        let object = self.this_place(decl)?.ptr;
        for f in self.cx.types.fields(id).iter().rev() {
            self.destroy_object(object, f.offset_bits / 8, f.ty.ty, decl)?;
        }
        for base in self.made_bases(id, self.vtt, decl)?.iter().rev() {
            let Some(vtt) = base.vtt else {
                self.destroy_object(object, base.offset as u64, base.ty, decl)?;
                continue;
            };
            if self.cx.needs_destruction(base.ty)
                && let Some(dtor) = self.cx.destructor_of(base.record, self.device, true, decl)?
            {
                let ptr = self.b.ptr_offset(object, base.offset);
                self.call_func(dtor, &[ptr, vtt]);
            }
        }
        Ok(())
    }

    /// Zeros an object that is a base of another: its virtual bases lie among the other's members.
    fn zero_base(&mut self, dst: Value, q: QTy, e: Cursor<'tu>) -> R<()> {
        let Some(id) = self.cx.types.as_record(q.ty).filter(|&id| self.cx.has_virtual_base(id)) else {
            return self.zero_object(dst, self.cx.types.align(q.ty), q, e);
        };
        let bases = self.cx.types.bases(id);
        for base in bases.iter().flat_map(|b| b.iter()).filter(|b| !b.is_virtual) {
            let ptr = self.b.ptr_offset(dst, base.offset as i64);
            self.zero_base(ptr, QTy::plain(base.ty), e)?;
        }
        for f in self.cx.types.fields(id).iter() {
            let ptr = self.b.ptr_offset(dst, (f.offset_bits / 8) as i64);
            match f.width {
                Some(0) => {}
                Some(width) => {
                    let ir = self.cx.types.ir(f.ty.ty).unwrap_or(Type::I32);
                    let zero = self.b.const_bits(ir, 0);
                    let bits = Some(((f.offset_bits % 8) as u32, width));
                    self.store(&Place { bits, ..Place::new(ptr, 1, f.ty) }, zero, e)?;
                }
                None => self.zero_object(ptr, self.cx.types.align(f.ty.ty), f.ty, e)?,
            }
        }
        Ok(())
    }

    pub fn destroy_object(&mut self, base: Value, offset: u64, ty: Ty, e: Cursor<'tu>) -> R<()> {
        if !self.cx.needs_destruction(ty) {
            return Ok(());
        }
        let (mut elem, mut count) = (ty, 1);
        while let Kind::Array { elem: inner, len } = *self.cx.types.kind(elem) {
            count *= len.unwrap_or(0);
            elem = inner.ty;
        }
        let Some(dtor) = self.destructor(elem, e)? else { return Ok(()) };
        let size = self.cx.types.size(elem).unwrap_or(0);
        let ptr = self.b.ptr_offset(base, offset as i64);
        let ptr = self.generic(ptr);
        self.for_each_backwards(ptr, count, size, |f, p| {
            f.call_func(dtor, &[p]);
        });
        Ok(())
    }

    /// A scalar made from an object of class type, which the tree shows as a conversion of a call.
    pub fn convert_class(&mut self, inner: Cursor<'tu>, from: QTy, to: QTy, e: Cursor<'tu>) -> R<Value> {
        if let Some(part) = self.complex_part(from.ty) {
            return self.complex_to_scalar(inner, part, to.ty, e);
        }
        let (a, b) = (self.cx.types.name(from.ty), self.cx.types.name(to.ty));
        self.unsupported(format!("a conversion from {a} to {b}"), e)
    }
}

/// Whether an expression uses `this`, written or not.
fn mentions_this(e: Cursor<'_>) -> bool {
    match e.kind() {
        CursorKind::CXXThisExpr => true,
        CursorKind::MemberRefExpr if e.expressions().is_empty() => true,
        _ => e.children().into_iter().any(mentions_this),
    }
}
