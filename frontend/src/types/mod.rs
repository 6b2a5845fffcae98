//! C and C++ types as the lowering sees them: interned, without sugar, with what layout needs.
//!
//! libclang shows a parameter declared `int a[10]` as an array although it is a pointer; with types of
//! our own such repairs are possible (see [`Types::decayed`]).

mod decl;
mod literals;

use crate::clang::{CursorId, Type as ClangType, TypeKind};
use cudair_ir as ir;
use cudair_ir::Space;
pub(crate) use decl::{Decl, DeclKind, Located};
pub(crate) use literals::{long_double_bits, string_bytes, string_units};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// A type, without qualifiers.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Ty(u32);

/// A type with the qualifiers that matter.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct QTy {
    pub ty: Ty,
    pub volatile: bool,
    pub is_const: bool,
}

impl QTy {
    pub fn plain(ty: Ty) -> QTy {
        QTy { ty, volatile: false, is_const: false }
    }
}

/// A record of [`Types::records`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct RecId(u32);

/// A function type.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct FnTy {
    pub ret: QTy,
    pub params: Vec<QTy>,
    pub variadic: bool,
    /// Whether the parameters are known (`int f()` in C says nothing).
    pub prototype: bool,
}

/// How many elements of an array lie in the object that it is part of: an array without a length, at a struct's end, has
/// none there.
pub(crate) fn own_elements(len: Option<u64>) -> u64 {
    len.unwrap_or(0)
}

/// What a type is.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Kind {
    Void,
    Bool,
    /// Integers, characters and enumerations.
    Int {
        bits: u16,
        signed: bool,
    },
    Float(ir::Type),
    NullPtr,
    Pointer(QTy),
    Reference(QTy),
    Function(Rc<FnTy>),
    /// `len` is absent for `T[]`.
    Array {
        elem: QTy,
        len: Option<u64>,
    },
    /// A variable length array; `key` tells one declaration's from another's. libclang makes qualified
    /// array types anew at each question, with keys of their own: `text` is the spelling without qualifiers.
    Vla {
        elem: QTy,
        key: usize,
        text: Rc<str>,
    },
    Record(RecId),
    /// `_Complex T`: two numbers in memory.
    Complex(Ty),
    /// A pointer to a data member of a class: the offset in bytes, -1 for null.
    MemberData(Ty),
    /// A pointer to a member function of a class (`super::dynamic`).
    MemberFunction(Ty, Rc<FnTy>),
    /// What the lowering has no representation for, by its spelling.
    Unsupported(Rc<str>),
}

/// A field of a record.
#[derive(Clone)]
pub(crate) struct Field<'tu> {
    pub decl: Decl<'tu>,
    pub name: Rc<str>,
    pub offset_bits: u64,
    pub ty: QTy,
    /// The width of a bit-field.
    pub width: Option<u32>,
    /// An anonymous struct or union, whose members belong to this record.
    pub anonymous: bool,
}

/// A direct base class.
#[derive(Clone)]
pub(crate) struct Base {
    pub ty: Ty,
    /// Of a virtual base, where it is in an object of just this class.
    pub offset: u64,
    pub is_virtual: bool,
    pub is_public: bool,
}

/// A struct, union or class.
pub(crate) struct Record<'tu> {
    pub decl: Decl<'tu>,
    pub clang: ClangType<'tu>,
    pub size: u64,
    pub align: u32,
    pub is_union: bool,
    /// Read on first use.
    fields: Option<Rc<Vec<Field<'tu>>>>,
    bases: Option<Rc<Vec<Base>>>,
}

/// All types of a translation unit.
pub(crate) struct Types<'tu> {
    kinds: Vec<Kind>,
    ids: FxHashMap<Kind, Ty>,
    by_clang: FxHashMap<usize, QTy>,
    records: Vec<Record<'tu>>,
    record_ids: FxHashMap<CursorId, RecId>,
    /// What did not hold, each with its place.
    defects: Vec<(String, Decl<'tu>)>,
    pub void: Ty,
    pub bool: Ty,
    pub int: Ty,
    pub uint: Ty,
    pub char: Ty,
    pub long: Ty,
    pub ulong: Ty,
    pub void_ptr: Ty,
}

impl<'tu> Types<'tu> {
    pub fn new() -> Self {
        let zero = Ty(0);
        let mut types = Types {
            kinds: Vec::new(),
            ids: FxHashMap::default(),
            by_clang: FxHashMap::default(),
            records: Vec::new(),
            record_ids: FxHashMap::default(),
            defects: Vec::new(),
            void: zero,
            bool: zero,
            int: zero,
            uint: zero,
            char: zero,
            long: zero,
            ulong: zero,
            void_ptr: zero,
        };
        types.void = types.intern(Kind::Void);
        types.bool = types.intern(Kind::Bool);
        types.int = types.int_type(32, true);
        types.uint = types.int_type(32, false);
        types.char = types.int_type(8, true);
        types.long = types.int_type(64, true);
        types.ulong = types.int_type(64, false);
        types.void_ptr = types.pointer_to(QTy::plain(types.void));
        types
    }

    pub fn intern(&mut self, kind: Kind) -> Ty {
        if let Some(&ty) = self.ids.get(&kind) {
            return ty;
        }
        let ty = Ty(self.kinds.len() as u32);
        self.kinds.push(kind.clone());
        self.ids.insert(kind, ty);
        ty
    }

    /// The arithmetic type that some words name.
    pub fn arithmetic(&mut self, words: &[&str]) -> Option<Ty> {
        let count = |w: &str| words.iter().filter(|t| **t == w).count();
        let known = ["unsigned", "signed", "long", "short", "int", "char", "float", "double"];
        if words.is_empty() || !words.iter().all(|w| known.contains(w)) {
            return None;
        }
        let signed = count("unsigned") == 0;
        Some(match (count("double"), count("float"), count("long")) {
            (1, 0, 0) => self.intern(Kind::Float(ir::Type::F64)),
            (0, 1, 0) => self.intern(Kind::Float(ir::Type::F32)),
            (0, 0, 1 | 2) => self.int_type(64, signed),
            (0, 0, 0) if count("char") == 1 => self.int_type(8, signed),
            (0, 0, 0) if count("short") == 1 => self.int_type(16, signed),
            (0, 0, 0) => self.int_type(32, signed),
            _ => return None,
        })
    }

    pub fn int_type(&mut self, bits: u16, signed: bool) -> Ty {
        self.intern(Kind::Int { bits, signed })
    }

    pub fn pointer_to(&mut self, pointee: QTy) -> Ty {
        self.intern(Kind::Pointer(pointee))
    }

    pub fn kind(&self, ty: Ty) -> &Kind {
        &self.kinds[ty.0 as usize]
    }

    pub fn record(&self, id: RecId) -> &Record<'tu> {
        &self.records[id.0 as usize]
    }

    /// The record that `ty` is, if it is one.
    pub fn as_record(&self, ty: Ty) -> Option<RecId> {
        match self.kind(ty) {
            Kind::Record(id) => Some(*id),
            _ => None,
        }
    }

    /// Whether values of the type live in memory only.
    pub fn is_aggregate(&self, ty: Ty) -> bool {
        matches!(self.kind(ty), Kind::Record(_) | Kind::Array { .. } | Kind::Vla { .. } | Kind::Complex(_))
    }

    /// What a pointer or reference refers to.
    pub fn pointee(&self, ty: Ty) -> Option<QTy> {
        match self.kind(ty) {
            Kind::Pointer(q) | Kind::Reference(q) => Some(*q),
            _ => None,
        }
    }

    /// The element of an array type.
    pub fn element(&self, ty: Ty) -> Option<QTy> {
        match self.kind(ty) {
            Kind::Array { elem, .. } | Kind::Vla { elem, .. } => Some(*elem),
            _ => None,
        }
    }

    /// The referred type of a reference, any other type itself.
    pub fn strip_reference(&self, q: QTy) -> QTy {
        match self.kind(q.ty) {
            Kind::Reference(inner) => *inner,
            _ => q,
        }
    }

    pub fn function(&self, ty: Ty) -> Option<Rc<FnTy>> {
        match self.kind(ty) {
            Kind::Function(f) => Some(f.clone()),
            Kind::Pointer(q) | Kind::Reference(q) => match self.kind(q.ty) {
                Kind::Function(f) => Some(f.clone()),
                _ => None,
            },
            _ => None,
        }
    }

    pub fn is_signed(&self, ty: Ty) -> bool {
        matches!(self.kind(ty), Kind::Int { signed: true, .. })
    }

    pub fn is_integer(&self, ty: Ty) -> bool {
        matches!(self.kind(ty), Kind::Int { .. } | Kind::Bool)
    }

    pub fn is_arithmetic(&self, ty: Ty) -> bool {
        matches!(self.kind(ty), Kind::Int { .. } | Kind::Bool | Kind::Float(_))
    }

    pub fn is_pointer(&self, ty: Ty) -> bool {
        matches!(self.kind(ty), Kind::Pointer(_))
    }

    /// The type after array-to-pointer and function-to-pointer decay.
    pub fn decayed(&mut self, q: QTy) -> QTy {
        match *self.kind(q.ty) {
            Kind::Array { elem, .. } | Kind::Vla { elem, .. } => {
                // The qualifiers of an array are those of its elements.
                let elem = QTy {
                    is_const: elem.is_const || q.is_const,
                    volatile: elem.volatile || q.volatile,
                    ..elem
                };
                QTy::plain(self.pointer_to(elem))
            }
            Kind::Function(_) => QTy::plain(self.pointer_to(QTy::plain(q.ty))),
            _ => q,
        }
    }

    /// The IR type of a scalar; `None` for `void` and what lives in memory only.
    pub fn ir(&self, ty: Ty) -> Option<ir::Type> {
        Some(match self.kind(ty) {
            Kind::Bool => ir::Type::I1,
            Kind::Int { bits, .. } => ir::Type::int(u32::from(*bits))?,
            Kind::Float(f) => *f,
            Kind::NullPtr => ir::Type::GENERIC_PTR,
            Kind::Pointer(q) | Kind::Reference(q) => {
                if matches!(self.kind(q.ty), Kind::Function(_)) {
                    ir::Type::Ptr(Space::Code)
                } else {
                    ir::Type::GENERIC_PTR
                }
            }
            Kind::MemberData(_) => ir::Type::I64,
            Kind::MemberFunction(..) => ir::Type::I128,
            Kind::Void
            | Kind::Function(_)
            | Kind::Array { .. }
            | Kind::Vla { .. }
            | Kind::Record(_)
            | Kind::Complex(_)
            | Kind::Unsupported(_) => return None,
        })
    }

    /// Whether a variable length array occurs in the type's own storage.
    pub fn contains_vla(&self, ty: Ty) -> bool {
        match self.kind(ty) {
            Kind::Vla { .. } => true,
            Kind::Array { elem, .. } => self.contains_vla(elem.ty),
            _ => false,
        }
    }

    /// Size in bytes, where it is known statically. `void` and functions count 1, as GNU C has it.
    pub fn size(&self, ty: Ty) -> Option<u64> {
        Some(match self.kind(ty) {
            Kind::Void | Kind::Function(_) => 1,
            Kind::Array { elem, len } => self.size(elem.ty)?.checked_mul((*len)?)?,
            Kind::Vla { .. } | Kind::Unsupported(_) => return None,
            Kind::Record(id) => self.record(*id).size,
            Kind::Complex(part) => 2 * self.size(*part)?,
            _ => u64::from(self.ir(ty)?.mem_bytes()),
        })
    }

    /// Alignment in bytes.
    pub fn align(&self, ty: Ty) -> u32 {
        match self.kind(ty) {
            Kind::Void | Kind::Function(_) | Kind::Unsupported(_) => 1,
            Kind::Array { elem, .. } | Kind::Vla { elem, .. } => self.align(elem.ty),
            Kind::Record(id) => self.record(*id).align,
            Kind::MemberFunction(..) => 8,
            Kind::Complex(part) => self.align(*part),
            // An integer of a width without a form in IR has no size either.
            _ => self.ir(ty).map_or(1, ir::Type::align),
        }
    }

    /// Reads a type of libclang's.
    pub fn of(&mut self, clang: ClangType<'tu>) -> QTy {
        if let Some(&q) = self.by_clang.get(&clang.id()) {
            return q;
        }
        let canonical = clang.canonical();
        let q = QTy {
            ty: self.of_canonical(canonical),
            volatile: canonical.is_volatile(),
            is_const: canonical.is_const(),
        };
        self.by_clang.insert(clang.id(), q);
        q
    }

    fn of_canonical(&mut self, t: ClangType<'tu>) -> Ty {
        let int = |types: &mut Self, signed| match t.size() {
            Some(size) => types.int_type(size as u16 * 8, signed),
            None => types.intern(Kind::Unsupported(t.spelling().into())),
        };
        match t.kind() {
            TypeKind::Void => self.void,
            TypeKind::Bool => self.bool,
            TypeKind::CharS
            | TypeKind::SChar
            | TypeKind::WChar
            | TypeKind::Short
            | TypeKind::Int
            | TypeKind::Long
            | TypeKind::LongLong
            | TypeKind::Int128 => int(self, true),
            TypeKind::CharU
            | TypeKind::UChar
            | TypeKind::Char8
            | TypeKind::Char16
            | TypeKind::Char32
            | TypeKind::UShort
            | TypeKind::UInt
            | TypeKind::ULong
            | TypeKind::ULongLong
            | TypeKind::UInt128 => int(self, false),
            TypeKind::Half | TypeKind::Float16 => self.intern(Kind::Float(ir::Type::F16)),
            TypeKind::BFloat16 => self.intern(Kind::Float(ir::Type::BF16)),
            TypeKind::Float => self.intern(Kind::Float(ir::Type::F32)),
            TypeKind::Double => self.intern(Kind::Float(ir::Type::F64)),
            TypeKind::LongDouble => self.intern(Kind::Float(ir::Type::F80)),
            TypeKind::NullPtr => self.intern(Kind::NullPtr),
            TypeKind::Pointer => {
                let pointee = self.of(t.pointee());
                self.intern(Kind::Pointer(pointee))
            }
            TypeKind::LValueReference | TypeKind::RValueReference => {
                let pointee = self.of(t.pointee());
                self.intern(Kind::Reference(pointee))
            }
            TypeKind::Enum => {
                let decl = t.declaration();
                let q = self.of(decl.definition().unwrap_or(decl).enum_integer_type());
                q.ty
            }
            TypeKind::ConstantArray => {
                let elem = self.of(t.array_element());
                self.intern(Kind::Array { elem, len: t.array_length() })
            }
            TypeKind::IncompleteArray => {
                let elem = self.of(t.array_element());
                self.intern(Kind::Array { elem, len: None })
            }
            TypeKind::VariableArray => {
                let elem = self.of(t.array_element());
                let text = t.spelling().replace("const ", "").replace("volatile ", "").into();
                self.intern(Kind::Vla { elem, key: t.id(), text })
            }
            TypeKind::FunctionProto | TypeKind::FunctionNoProto => {
                let f = self.function_type(t);
                self.intern(Kind::Function(Rc::new(f)))
            }
            TypeKind::Record => self.record_type(t),
            TypeKind::Complex => {
                let part = self.of(t.element()).ty;
                self.intern(Kind::Complex(part))
            }
            TypeKind::Atomic => self.of(t.atomic_value()).ty,
            TypeKind::Attributed => self.of(t.modified()).ty,
            TypeKind::MemberPointer => {
                let pointee = t.pointee().canonical();
                let class = self.of(t.member_class()).ty;
                if matches!(pointee.kind(), TypeKind::FunctionProto) {
                    let f = self.function_type(pointee);
                    self.intern(Kind::MemberFunction(class, Rc::new(f)))
                } else {
                    self.intern(Kind::MemberData(class))
                }
            }
            // libclang has a kind for it, and does not use it.
            _ if t.spelling() == "__bf16" => self.intern(Kind::Float(ir::Type::BF16)),
            _ => self.intern(Kind::Unsupported(t.spelling().into())),
        }
    }

    fn function_type(&mut self, t: ClangType<'tu>) -> FnTy {
        let ret = self.of(t.result());
        let params = t
            .parameters()
            .into_iter()
            .map(|p| {
                let q = self.of(p);
                self.decayed(q)
            })
            .collect();
        let prototype = t.kind() != TypeKind::FunctionNoProto;
        FnTy { ret, params, variadic: t.is_variadic(), prototype }
    }

    fn record_type(&mut self, t: ClangType<'tu>) -> Ty {
        let decl = t.declaration();
        let decl = decl.definition().unwrap_or(decl);
        let key = decl.canonical().id();
        let id = match self.record_ids.get(&key) {
            Some(&id) => id,
            None => {
                let id = RecId(self.records.len() as u32);
                self.records.push(Record {
                    decl: Decl::new(decl),
                    clang: t.unqualified(),
                    // A class that is only declared has neither; there are no objects of it.
                    size: t.size().unwrap_or(0),
                    align: t.align().unwrap_or(1).max(1),
                    is_union: decl.kind() == crate::clang::CursorKind::UnionDecl,
                    fields: None,
                    bases: None,
                });
                self.record_ids.insert(key, id);
                id
            }
        };
        self.intern(Kind::Record(id))
    }

    /// The fields of a record in order.
    pub fn fields(&mut self, id: RecId) -> Rc<Vec<Field<'tu>>> {
        if let Some(fields) = &self.records[id.0 as usize].fields {
            return fields.clone();
        }
        let clang = self.records[id.0 as usize].clang;
        let mut fields = Vec::new();
        for cursor in clang.fields() {
            let ty = self.of(cursor.ty());
            let name: Rc<str> = cursor.spelling().into();
            let unnamed = cursor.is_anonymous() || name.is_empty() || name.contains('(');
            let width = cursor.bit_width();
            let anonymous = unnamed
                && width.is_none()
                && self.as_record(ty.ty).is_some_and(|r| self.record(r).decl.is_anonymous_record());
            fields.push(Field {
                decl: Decl::new(cursor),
                name,
                offset_bits: self.field_offset(clang, cursor),
                ty,
                width,
                anonymous,
            });
        }
        let fields = Rc::new(fields);
        self.records[id.0 as usize].fields = Some(fields.clone());
        fields
    }

    fn field_offset(&mut self, class: ClangType<'tu>, field: crate::clang::Cursor<'tu>) -> u64 {
        let offset = field.field_offset_bits();
        if offset.is_none() && class.size().is_some() {
            self.defects.push((format!("the place of the member `{}`", field.spelling()), Decl::new(field)));
        }
        // A class without a size is a template's own, of which there are no objects. Else the program is refused.
        offset.unwrap_or(0)
    }

    /// What did not hold in types since this was last asked.
    pub fn take_defects(&mut self) -> Vec<(String, Decl<'tu>)> {
        std::mem::take(&mut self.defects)
    }

    /// The direct bases of a class with their offsets; `None` for a template's own class, and where the program is
    /// refused since libclang does not tell them.
    pub fn bases(&mut self, id: RecId) -> Option<Rc<Vec<Base>>> {
        if let Some(bases) = &self.records[id.0 as usize].bases {
            return Some(bases.clone());
        }
        let (clang, decl) = (self.records[id.0 as usize].clang, self.records[id.0 as usize].decl);
        let bases = self.read_bases(clang, decl).map(Rc::new);
        if bases.is_none() && clang.size().is_some() {
            self.defects.push((format!("the bases of `{}`", clang.spelling()), decl));
        }
        self.records[id.0 as usize].bases.clone_from(&bases);
        bases
    }

    fn read_bases(&mut self, clang: ClangType<'tu>, decl: Decl<'tu>) -> Option<Vec<Base>> {
        let mut bases = Vec::new();
        for cursor in clang.bases()? {
            let ty = self.of(cursor.ty()).ty;
            self.as_record(ty)?;
            let offset = decl.cursor().offset_of_base(cursor)?;
            bases.push(Base {
                ty,
                offset,
                is_virtual: cursor.is_virtual_base(),
                is_public: cursor.is_public(),
            });
        }
        Some(bases)
    }

    /// The one class known so far that fits and is written so, spaces and the namespaces around names aside.
    pub fn class_written(&self, text: &str, fits: impl Fn(ClangType<'tu>) -> bool) -> Option<ClangType<'tu>> {
        let text = unqualified(text);
        let mut found: Option<&Record<'tu>> = None;
        for record in &self.records {
            if unqualified(&record.clang.spelling()) == text
                && fits(record.clang)
                && found.is_none_or(|f| f.decl.canonical().id() != record.decl.canonical().id())
            {
                if found.is_some() {
                    return None;
                }
                found = Some(record);
            }
        }
        found.map(|record| record.clang)
    }

    /// The offset in bits of `field` within `record`, through anonymous members.
    pub fn field_path(&mut self, record: RecId, field: CursorId) -> Option<(u64, Field<'tu>)> {
        for f in self.fields(record).iter() {
            if f.decl.id() == field || f.decl.canonical().id() == field {
                return Some((f.offset_bits, f.clone()));
            }
            if f.anonymous {
                let inner = self.as_record(f.ty.ty)?;
                if let Some((offset, found)) = self.field_path(inner, field) {
                    return Some((f.offset_bits + offset, found));
                }
            }
        }
        None
    }

    /// The type as a reader would write it, roughly.
    pub fn name(&self, ty: Ty) -> String {
        match self.kind(ty) {
            Kind::Void => "void".into(),
            Kind::Bool => "bool".into(),
            Kind::Int { bits, signed } => format!("{}int{bits}", if *signed { "" } else { "u" }),
            Kind::Float(f) => f.to_string(),
            Kind::NullPtr => "nullptr_t".into(),
            Kind::Pointer(q) => format!("{}*", self.name(q.ty)),
            Kind::Reference(q) => format!("{}&", self.name(q.ty)),
            Kind::Function(_) => "a function".into(),
            Kind::Array { elem, .. } | Kind::Vla { elem, .. } => format!("{}[]", self.name(elem.ty)),
            Kind::Record(id) => self.record(*id).clang.spelling(),
            Kind::Complex(part) => format!("complex {}", self.name(*part)),
            Kind::MemberData(_) | Kind::MemberFunction(..) => "a pointer to member".into(),
            Kind::Unsupported(name) => name.to_string(),
        }
    }
}

/// The text of a type without spaces and without the namespaces and classes before names.
fn unqualified(text: &str) -> String {
    let squeezed: String = text.split_whitespace().collect();
    let squeezed = squeezed.replace("(anonymousnamespace)::", "");
    let parts: Vec<&str> = squeezed.split("::").collect();
    let Some((last, before)) = parts.split_last() else { return String::new() };
    let name = |c: char| c.is_alphanumeric() || c == '_';
    before.iter().map(|part| part.trim_end_matches(name)).collect::<String>() + last
}
