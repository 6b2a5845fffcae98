//! Classes: construction, destruction, copies, `new` and `delete`.
//!
//! libclang shows the members that a constructor's list names and the body; default initialisers and
//! the constructors of the rest are filled in here, and so are the bodies of defaulted functions.

use super::bases::MadeBase;
use super::call::CallResult;
use super::copying::Source;
use super::func::FnLower;
use super::func::cleanups::CleanupPlace;
use super::lvalue::{Place, align_at};
use super::{At, Cx, R};
use crate::ast::{Call, Cast, CastKind, Ex, ExprKind};
use crate::types::{Decl, DeclKind, own_elements};
use crate::types::{Field, Kind, QTy, RecId, Ty};
use cudair_ir::{MemFlags, Type, Value};

/// What makes an object without arguments.
pub(crate) enum DefaultConstructor<'tu> {
    /// A constructor that the class declares, or an instance of a template.
    Written(Decl<'tu>),
    /// What the compiler provides.
    Provided,
    /// What libclang shows leaves several.
    Several,
}

impl<'tu> Cx<'tu, '_> {
    /// Whether objects of the type have a constructor that does something by default.
    pub fn needs_construction(&mut self, ty: Ty) -> bool {
        if !self.ast.cxx {
            return false;
        }
        match *self.ast.types.kind(ty) {
            Kind::Array { elem, .. } => self.needs_construction(elem.ty),
            Kind::Record(id) => {
                if self.is_dynamic(id) {
                    return true;
                }
                let methods = self.ast.methods(id);
                if methods.iter().any(|m| m.kind() == DeclKind::Constructor && !m.is_defaulted()) {
                    return true;
                }
                match self.default_constructor(id) {
                    DefaultConstructor::Written(c) if !c.is_defaulted() => return true,
                    DefaultConstructor::Several => return true,
                    DefaultConstructor::Written(_) | DefaultConstructor::Provided => {}
                }
                let fields = self.ast.types.fields(id);
                if self.ast.types.record(id).is_union {
                    return fields.iter().any(|f| self.is_default_variant(f));
                }
                if fields
                    .iter()
                    .any(|f| self.ast.has_field_initializer(f) || self.needs_construction(f.ty.ty))
                {
                    return true;
                }
                let bases = self.ast.types.bases(id);
                bases.is_some_and(|b| b.iter().any(|b| self.needs_construction(b.ty)))
            }
            _ => false,
        }
    }

    /// The constructor that makes an object of the class without arguments.
    pub fn default_constructor(&mut self, class: RecId) -> DefaultConstructor<'tu> {
        let methods = self.ast.methods(class);
        let made = |c: &Decl<'tu>| c.is_made_from_function_template();
        let fits = |cx: &mut Self, c: &Decl<'tu>| {
            c.kind() == DeclKind::Constructor && !c.is_deleted() && cx.takes_nothing(*c)
        };
        // A function that is no template goes first.
        if let Some(own) = methods.iter().copied().find(|c| !made(c) && fits(self, c)) {
            return DefaultConstructor::Written(own);
        }
        if !self.ast.templates(class).constructors {
            return DefaultConstructor::Provided;
        }
        let mut instances = self.ast.constructors(class);
        instances.retain(|c| made(c) && fits(self, c));
        match instances.as_slice() {
            [] => DefaultConstructor::Provided,
            [one] => DefaultConstructor::Written(*one),
            _ => DefaultConstructor::Several,
        }
    }

    /// Whether a constructor can be called without arguments.
    pub fn takes_nothing(&mut self, ctor: Decl<'tu>) -> bool {
        let all_left_out = |p: Vec<Decl<'tu>>| (0..p.len()).all(|i| self.ast.has_default(ctor, i));
        ctor.is_default_constructor() || ctor.parameters().is_some_and(all_left_out)
    }

    /// Whether a member of a union is the one that has a value where the program names none.
    pub fn is_default_variant(&mut self, f: &Field<'tu>) -> bool {
        self.ast.has_field_initializer(f) || f.anonymous && self.needs_construction(f.ty.ty)
    }

    /// Whether objects of the type have a destructor that does something.
    pub fn needs_destruction(&mut self, ty: Ty) -> bool {
        if !self.ast.cxx {
            return false;
        }
        match *self.ast.types.kind(ty) {
            Kind::Array { elem, .. } => self.needs_destruction(elem.ty),
            Kind::Record(id) => {
                let methods = self.ast.methods(id);
                if methods.iter().any(|m| m.kind() == DeclKind::Destructor && !m.is_defaulted()) {
                    return true;
                }
                let fields = self.ast.types.fields(id);
                if !self.ast.types.record(id).is_union
                    && fields.iter().any(|f| self.needs_destruction(f.ty.ty))
                {
                    return true;
                }
                let bases = self.ast.types.bases(id);
                bases.is_some_and(|b| b.iter().any(|b| self.needs_destruction(b.ty)))
            }
            _ => false,
        }
    }

    /// Whether copying an object is copying its bytes.
    pub fn is_trivially_copyable(&mut self, ty: Ty) -> bool {
        if !self.ast.cxx {
            return true;
        }
        match *self.ast.types.kind(ty) {
            Kind::Array { elem, .. } => self.is_trivially_copyable(elem.ty),
            Kind::Record(id) => {
                // Bytes of an object of a derived class would bring its table along.
                if self.is_dynamic(id) {
                    return false;
                }
                let methods = self.ast.methods(id);
                let written = |m: &Decl<'tu>| {
                    !m.is_defaulted()
                        && (m.kind() == DeclKind::Constructor
                            && (m.is_copy_constructor() || m.is_move_constructor())
                            || m.kind() == DeclKind::Method
                                && (m.is_copy_assignment() || m.is_move_assignment()))
                };
                if methods.iter().any(written) || self.is_copied_by_template(id) {
                    return false;
                }
                let fields = self.ast.types.fields(id);
                if self.ast.types.record(id).is_union {
                    return true;
                }
                if fields.iter().any(|f| !self.is_trivially_copyable(f.ty.ty)) {
                    return false;
                }
                let bases = self.ast.types.bases(id);
                bases.is_none_or(|b| b.iter().all(|b| self.is_trivially_copyable(b.ty)))
            }
            _ => true,
        }
    }

    /// Whether objects of the class hold nothing.
    pub fn is_empty_class(&mut self, id: RecId) -> bool {
        if !self.ast.cxx || self.is_dynamic(id) || !self.ast.types.fields(id).is_empty() {
            return false;
        }
        let bases = self.ast.types.bases(id);
        bases.is_some_and(|b| {
            b.iter().all(|b| self.ast.types.as_record(b.ty).is_some_and(|r| self.is_empty_class(r)))
        })
    }
}

impl<'tu> FnLower<'_, 'tu, '_> {
    /// The offset of a base class within a derived one, where that is fixed.
    pub fn base_offset(&mut self, derived: RecId, base: RecId) -> Option<u64> {
        self.cx.base_offset(derived, base)
    }

    /// The destructor of a class, as a function of the module.
    pub fn destructor(&mut self, class: Ty, e: At<'_>) -> R<Option<cudair_ir::FuncId>> {
        let Some(id) = self.cx.ast.types.as_record(class) else { return Ok(None) };
        self.cx.destructor_of(id, self.frame.device(), false, e)
    }

    /// A constructor call: the object at `dst`, or a temporary.
    pub fn constructor_call(
        &mut self,
        call: &'tu Call<'tu>,
        e: Ex<'tu>,
        ctor: Decl<'tu>,
        dst: Option<Value>,
    ) -> R<CallResult> {
        let q = e.q;
        let dst = match dst {
            Some(dst) => dst,
            None => {
                let slot = self.temp_slot(q.ty, e)?;
                self.register_destructor(q.ty, CleanupPlace::Slot(slot), e)?;
                self.b.slot_addr(slot)
            }
        };
        if let Kind::Array { .. } = self.cx.ast.types.kind(q.ty) {
            self.default_construct(dst, q.ty, call.parenthesized, e)?;
            return Ok(CallResult::None);
        }
        self.construct(dst, q, ctor, call.args, call.parenthesized, e)?;
        Ok(CallResult::None)
    }

    /// Runs a constructor on the object at `dst`.
    pub fn construct(
        &mut self,
        dst: Value,
        q: QTy,
        ctor: Decl<'tu>,
        args: &[Ex<'tu>],
        parenthesized: bool,
        e: At<'_>,
    ) -> R<()> {
        let align = self.cx.ast.types.align(q.ty);
        let copies = ctor.is_copy_constructor() || ctor.is_move_constructor();
        let provided = self.cx.ast.body_of(ctor).is_some() && !ctor.is_defaulted();
        if copies
            && let [source] = args
            && source.q.ty == q.ty
            && !self.names_object(source)
        {
            // Before C++17 the copy of a value that is about to become an object may be left out, and is.
            return self.init_object(dst, align, q, source);
        }
        if copies && !provided && ctor.is_defaulted() {
            let Some(&source) = args.first() else {
                return self.internal("a copy without a source", e);
            };
            if self.cx.is_trivially_copyable(q.ty) {
                let from = source.q;
                // A prvalue becomes the object itself.
                if from.ty == q.ty && !self.names_object(source) {
                    return self.init_object(dst, align, q, source);
                }
                let place = self.place(source)?;
                return self.copy_object(dst, place.ptr, align.min(place.align), q, e);
            }
            let place = self.place(source)?;
            return self.copy_members(dst, Source::of_parameter(place.ptr, ctor), q, e);
        }
        if !provided && ctor.is_defaulted() && args.is_empty() {
            return self.provided_default(dst, q.ty, parenthesized, e);
        }
        let params = self.cx.function_type(ctor, e)?.params.clone();
        // Named before what its arguments call.
        self.constructor_func(dst, q.ty, ctor)?;
        let mut values = vec![self.generic(dst)];
        for (i, &arg) in args.iter().enumerate() {
            values.push(self.argument(arg, params.get(i).copied())?);
        }
        self.call_constructor(dst, q, ctor, values, e)
    }

    /// Calls a constructor with the object at `dst`, values for its first parameters and the defaults for the
    /// others.
    pub fn call_constructor(
        &mut self,
        dst: Value,
        q: QTy,
        ctor: Decl<'tu>,
        mut values: Vec<Value>,
        e: At<'_>,
    ) -> R<()> {
        let params = self.cx.function_type(ctor, e)?.params.clone();
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
        ctor: Decl<'tu>,
    ) -> R<(cudair_ir::FuncId, Option<Value>)> {
        let vtt = self.construction_table_at(dst, class);
        let func = self.cx.func_as(ctor, self.frame.device(), vtt.is_some())?;
        Ok((func, vtt))
    }

    /// What a constructor of the library, which knows nothing of our tables, leaves to be done.
    fn set_tables_of_library(&mut self, dst: Value, class: Ty, ctor: Decl<'tu>, e: At<'_>) -> R<()> {
        match self.cx.ast.types.as_record(class) {
            Some(id) if self.cx.is_dynamic(id) && self.cx.ast.body_of(ctor).is_none() => {
                let vtt = self.construction_table_at(dst, class);
                self.set_tables(dst, id, vtt, e)
            }
            _ => Ok(()),
        }
    }

    fn missing_argument(&mut self, ctor: Decl<'tu>, param: QTy, index: usize, e: At<'_>) -> R<Value> {
        match self.cx.ast.shown_default(ctor, index) {
            Some(value) => self.argument(value, Some(param)),
            None => self.unsupported("this default argument", e),
        }
    }

    /// Whether the source of a copy is an object rather than a value about to become one.
    pub fn names_object(&mut self, mut e: Ex<'tu>) -> bool {
        loop {
            match e.kind {
                ExprKind::Call(call) => {
                    let constructs = call.target.is_some_and(|d| d.kind() == DeclKind::Constructor);
                    return !constructs && self.is_lvalue(e);
                }
                ExprKind::List(_)
                | ExprKind::Cast(Cast { kind: CastKind::Functional, .. })
                | ExprKind::CompoundLiteral(_) => return false,
                _ => match e.operand() {
                    Some(inner) => e = inner,
                    None => return true,
                },
            }
        }
    }

    /// Default-initialises the object at `dst`; `zeroed`: one whose constructor the program does not write is zeroed first, as
    /// empty parentheses or braces ask for.
    pub fn default_construct(&mut self, dst: Value, ty: Ty, zeroed: bool, e: At<'_>) -> R<()> {
        if let Kind::Array { elem, len } = *self.cx.ast.types.kind(ty) {
            if !self.cx.needs_construction(elem.ty) {
                return Ok(());
            }
            let count = self.b.iconst(Type::I64, i128::from(own_elements(len)));
            return self.for_each_forwards(dst, count, elem.ty, e, |f, p| {
                f.default_construct(p, elem.ty, zeroed, e)
            });
        }
        // What is no class is left as it is.
        let Some(id) = self.cx.ast.types.as_record(ty) else { return Ok(()) };
        match self.cx.default_constructor(id) {
            DefaultConstructor::Written(c) => self.construct(dst, QTy::plain(ty), c, &[], zeroed, e),
            DefaultConstructor::Several => {
                let name = self.cx.ast.types.name(ty);
                self.unsupported(format!("this {name}, whose default constructor libclang does not show"), e)
            }
            DefaultConstructor::Provided => self.provided_default(dst, ty, zeroed, e),
        }
    }

    /// What a default constructor does that the program does not write; `zeroed`: the object is zeroed first.
    fn provided_default(&mut self, dst: Value, ty: Ty, zeroed: bool, e: At<'_>) -> R<()> {
        if zeroed {
            let q = QTy::plain(ty);
            match self.construction_table_at(dst, ty) {
                Some(_) => self.zero_base(dst, q, e)?,
                None => self.zero_object(dst, self.cx.ast.types.align(ty), q, e)?,
            }
        }
        self.default_members(dst, ty, zeroed, e)
    }

    /// What an implicit default constructor does: bases, then members.
    pub fn default_members(&mut self, dst: Value, ty: Ty, zeroed: bool, e: At<'_>) -> R<()> {
        // What is no class is left as it is.
        let Some(id) = self.cx.ast.types.as_record(ty) else { return Ok(()) };
        let mark = self.cleanups.mark();
        let vtt = self.construction_table_at(dst, ty);
        for base in self.made_bases(id, vtt, e)? {
            if self.cx.needs_construction(base.ty) {
                let ptr = self.b.ptr_offset(dst, base.offset);
                self.begin_base(ptr, &base);
                self.default_construct(ptr, base.ty, zeroed, e)?;
                self.end_base(ptr, &base, e)?;
                self.register_base(ptr, &base, e)?;
            }
        }
        self.set_tables(dst, id, vtt, e)?;
        self.init_members(dst, id, &[], zeroed, e)?;
        self.cleanups.drop_parts(mark);
        Ok(())
    }

    /// Initialises the members of an object: those that a constructor names, and the others as they are without that. Of a
    /// union one at most has a value.
    pub fn init_members(
        &mut self,
        object: Value,
        id: RecId,
        written: &[(Decl<'tu>, Ex<'tu>)],
        zeroed: bool,
        e: At<'_>,
    ) -> R<()> {
        let align = self.cx.ast.types.record(id).align;
        self.init_members_within((object, align), id, written, zeroed, e)
    }

    /// The same for an object with this alignment: an unnamed member of a packed class may lie anywhere.
    fn init_members_within(
        &mut self,
        (object, align): (Value, u32),
        id: RecId,
        written: &[(Decl<'tu>, Ex<'tu>)],
        zeroed: bool,
        e: At<'_>,
    ) -> R<()> {
        let fields = self.cx.ast.types.fields(id);
        let named = |f: &Field<'tu>| {
            let is_it = |d: Decl<'tu>| d.canonical().id() == f.decl.canonical().id() || d.id() == f.decl.id();
            written.iter().find(|(field, _)| is_it(*field)).map(|(_, init)| *init)
        };
        let is_union = self.cx.ast.types.record(id).is_union;
        let chosen: &[Field<'tu>] = if is_union {
            let named = fields.iter().position(|f| named(f).is_some() || self.names_inside(f, written));
            let one = named.or_else(|| fields.iter().position(|f| self.cx.is_default_variant(f)));
            one.map_or(&[], |n| &fields[n..=n])
        } else {
            &fields
        };
        for f in chosen {
            match (named(f), self.cx.ast.types.as_record(f.ty.ty)) {
                (Some(init), _) => self.init_field((object, align), f, init)?,
                (None, Some(inner)) if f.anonymous => {
                    let part = self.b.ptr_offset(object, (f.offset_bits / 8) as i64);
                    let align = self.member_align(align, f);
                    self.init_members_within((part, align), inner, written, zeroed, e)?;
                    continue;
                }
                _ => self.default_field((object, align), f, zeroed, e)?,
            }
            if !is_union {
                self.register_field(object, f, e)?;
            }
        }
        Ok(())
    }

    /// Whether a constructor names a member of an unnamed member.
    fn names_inside(&mut self, f: &Field<'tu>, written: &[(Decl<'tu>, Ex<'tu>)]) -> bool {
        let Some(inner) = self.cx.ast.types.as_record(f.ty.ty).filter(|_| f.anonymous) else { return false };
        written.iter().any(|(field, _)| self.cx.ast.types.field_path(inner, field.canonical().id()).is_some())
    }

    /// A member was made: should what follows throw, it is destroyed.
    fn register_field(&mut self, object: Value, f: &Field<'tu>, e: At<'_>) -> R<()> {
        if f.width.is_some() || !self.cx.needs_destruction(f.ty.ty) {
            return Ok(());
        }
        let ptr = self.b.ptr_offset(object, (f.offset_bits / 8) as i64);
        self.register_part(f.ty.ty, ptr, e)
    }

    /// The alignment of a member of an object with this alignment: that of a packed class limits it.
    pub fn member_align(&self, object: u32, f: &Field<'tu>) -> u32 {
        align_at(object, f.offset_bits / 8).min(self.cx.ast.types.align(f.ty.ty))
    }

    /// Initialises a member, of an object with this alignment, as it is where no constructor names it.
    pub fn default_field(
        &mut self,
        (object, align): (Value, u32),
        f: &Field<'tu>,
        zeroed: bool,
        e: At<'_>,
    ) -> R<()> {
        if let Some(init) = self.cx.ast.field_initializer(f) {
            if !init.mentions_this() {
                return self.init_field((object, align), f, init);
            }
            // In a constructor that the program does not write, `this` is the object all the same.
            let class = f.decl.semantic_parent().map(|p| self.cx.ast.types.of(p.ty()).ty);
            let slot = self.b.slot("this", 8, 8);
            let address = self.b.slot_addr(slot);
            let pointer = self.generic(object);
            self.b.store(pointer, address, MemFlags::aligned(8));
            let old = self.frame.work_on(Some(slot), class.or(self.frame.class()));
            let outer = self.names.replace_outer_this(None);
            let result = self.init_field((object, align), f, init);
            self.frame.work_on_again(old);
            self.names.replace_outer_this(outer);
            return result;
        }
        if let Some(value) = self.cx.ast.bit_field_default(f) {
            let ptr = self.b.ptr_offset(object, (f.offset_bits / 8) as i64);
            let value = self.bit_field_value(f, value, e)?;
            let bits = f.width.map(|width| ((f.offset_bits % 8) as u32, width));
            self.store(&Place { bits, ..Place::new(ptr, 1, f.ty) }, value, e)?;
            return Ok(());
        }
        if self.cx.needs_construction(f.ty.ty) {
            let ptr = self.b.ptr_offset(object, (f.offset_bits / 8) as i64);
            return self.default_construct(ptr, f.ty.ty, zeroed, e);
        }
        Ok(())
    }

    fn init_field(&mut self, (object, align): (Value, u32), f: &Field<'tu>, init: Ex<'tu>) -> R<()> {
        let ptr = self.b.ptr_offset(object, (f.offset_bits / 8) as i64);
        let align = self.member_align(align, f);
        let keep = self.cleanups.mark();
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
        let decl = self.frame.decl();
        let Some(class) = self.frame.class() else {
            return self.internal("a constructor outside a class", &decl);
        };
        let Some(id) = self.cx.ast.types.as_record(class) else {
            return self.internal("a constructor of a type that is not a class", &decl);
        };
        if self.cx.ast.is_inherited_constructor(decl) {
            let object = self.this_place(&decl)?.ptr;
            return self.inherit_construct(object, id, self.frame.vtt());
        }
        let crate::ast::ConstructorList { fields, bases } = self.cx.ast.constructor_list(decl);
        let object = self.this_place(&decl)?.ptr;
        if let Some(&(_, target)) = bases.iter().find(|(ty, _)| *ty == class) {
            // Delegation: the other constructor does everything.
            let itself = MadeBase { ty: class, record: id, offset: 0, vtt: self.frame.vtt() };
            self.begin_base(object, &itself);
            self.init_object(object, 1, QTy::plain(class), target)?;
            self.end_base(object, &itself, target)?;
            // From here on it is whole, and destroyed as such.
            return self.register_base(object, &itself, &decl);
        }
        for base in self.made_bases(id, self.frame.vtt(), &decl)? {
            let ptr = self.b.ptr_offset(object, base.offset);
            let written = bases.iter().find(|(ty, _)| *ty == base.ty).copied();
            // What an initialiser does with `this` may need to know where virtual bases are.
            if self.cx.has_virtual_base(id) && written.is_some_and(|(_, init)| init.mentions_this()) {
                self.set_tables(object, id, self.frame.vtt(), &decl)?;
            }
            self.begin_base(ptr, &base);
            match written {
                Some((ty, init)) => {
                    let align = self.cx.ast.types.align(ty);
                    let keep = self.cleanups.mark();
                    if base.vtt.is_some() && !self.constructs(init) {
                        // A function that returns an object makes a whole one.
                        let slot = self.temp_slot(ty, init)?;
                        let whole = self.b.slot_addr(slot);
                        self.init_object(whole, align, QTy::plain(ty), init)?;
                        self.register_destructor(ty, CleanupPlace::Slot(slot), init)?;
                        let whole = self.b.slot_addr(slot);
                        let whole = Source { ptr: whole, is_const: false, ends: true };
                        self.copy_one(ptr, whole, QTy::plain(ty), init)?;
                    } else {
                        self.init_object(ptr, align, QTy::plain(ty), init)?;
                    }
                    self.pop_cleanups(keep);
                }
                None if self.cx.needs_construction(base.ty) => {
                    self.default_construct(ptr, base.ty, false, &decl)?;
                }
                None => {}
            }
            self.end_base(ptr, &base, written.map_or(&decl as At<'_>, |(_, init)| init))?;
            self.register_base(ptr, &base, &decl)?;
        }
        self.set_tables(object, id, self.frame.vtt(), &decl)?;
        self.init_members(object, id, &fields, false, &decl)
    }

    /// Whether an initialiser calls a constructor or is a list, rather than something that returns an object.
    fn constructs(&mut self, e: Ex<'tu>) -> bool {
        match e.kind {
            ExprKind::Call(call) => {
                let Some(ctor) = call.target.filter(|d| d.kind() == DeclKind::Constructor) else {
                    return false;
                };
                match call.args {
                    [one] if ctor.is_copy_constructor() || ctor.is_move_constructor() => {
                        self.names_object(one) || self.constructs(one)
                    }
                    _ => true,
                }
            }
            ExprKind::Implicit(one)
            | ExprKind::View(one)
            | ExprKind::Paren(one)
            | ExprKind::Cast(Cast { kind: CastKind::Functional, operand: one, .. }) => self.constructs(one),
            ExprKind::List(_) => true,
            _ => false,
        }
    }

    /// What follows the body of the destructor being lowered: members, then bases, last first.
    pub fn destroy_members(&mut self) -> R<()> {
        let decl = self.frame.decl();
        let Some(id) = self.frame.class().and_then(|c| self.cx.ast.types.as_record(c)) else {
            return self.internal("a destructor outside a class", &decl);
        };
        if self.cx.ast.types.record(id).is_union {
            return Ok(());
        }
        let object = self.this_place(&decl)?.ptr;
        for f in self.cx.ast.types.fields(id).iter().rev() {
            self.destroy_object(object, f.offset_bits / 8, f.ty.ty, &decl)?;
        }
        for base in self.made_bases(id, self.frame.vtt(), &decl)?.iter().rev() {
            let Some(vtt) = base.vtt else {
                self.destroy_object(object, base.offset as u64, base.ty, &decl)?;
                continue;
            };
            if self.cx.needs_destruction(base.ty)
                && let Some(dtor) = self.cx.destructor_of(base.record, self.frame.device(), true, &decl)?
            {
                let ptr = self.b.ptr_offset(object, base.offset);
                self.call_func(dtor, &[ptr, vtt]);
            }
        }
        Ok(())
    }

    /// Zeros an object that is a base of another: its virtual bases lie among the other's members.
    fn zero_base(&mut self, dst: Value, q: QTy, e: At<'_>) -> R<()> {
        let Some(id) = self.cx.ast.types.as_record(q.ty).filter(|&id| self.cx.has_virtual_base(id)) else {
            return self.zero_object(dst, self.cx.ast.types.align(q.ty), q, e);
        };
        let bases = self.cx.ast.types.bases(id);
        for base in bases.iter().flat_map(|b| b.iter()).filter(|b| !b.is_virtual) {
            let ptr = self.b.ptr_offset(dst, base.offset as i64);
            self.zero_base(ptr, QTy::plain(base.ty), e)?;
        }
        let align = self.cx.ast.types.record(id).align;
        for f in self.cx.ast.types.fields(id).iter() {
            let ptr = self.b.ptr_offset(dst, (f.offset_bits / 8) as i64);
            match f.width {
                Some(0) => {}
                Some(width) => {
                    let zero = self.zero(f.ty.ty, e)?;
                    let bits = Some(((f.offset_bits % 8) as u32, width));
                    self.store(&Place { bits, ..Place::new(ptr, 1, f.ty) }, zero, e)?;
                }
                None => self.zero_object(ptr, self.member_align(align, f), f.ty, e)?,
            }
        }
        Ok(())
    }

    pub fn destroy_object(&mut self, base: Value, offset: u64, ty: Ty, e: At<'_>) -> R<()> {
        if !self.cx.needs_destruction(ty) {
            return Ok(());
        }
        let (mut elem, mut count) = (ty, 1);
        while let Kind::Array { elem: inner, len } = *self.cx.ast.types.kind(elem) {
            count *= own_elements(len);
            elem = inner.ty;
        }
        let Some(dtor) = self.destructor(elem, e)? else {
            return self.internal(format!("the destructor of {}", self.cx.ast.types.name(elem)), e);
        };
        let size = self.object_size(elem, e)?;
        let ptr = self.b.ptr_offset(base, offset as i64);
        let ptr = self.generic(ptr);
        self.for_each_backwards(ptr, count, size, |f, p| {
            f.call_func(dtor, &[p]);
        });
        Ok(())
    }

    /// A scalar made from an object of class type, which the tree shows as a conversion of a call.
    pub fn convert_class(&mut self, inner: Ex<'tu>, from: QTy, to: QTy, e: Ex<'tu>) -> R<Value> {
        if let Some(part) = self.complex_part(from.ty) {
            return self.complex_to_scalar(inner, part, to.ty, e);
        }
        let (a, b) = (self.cx.ast.types.name(from.ty), self.cx.ast.types.name(to.ty));
        self.unsupported(format!("a conversion from {a} to {b}"), e)
    }
}
