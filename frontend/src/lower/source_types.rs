//! The source types of the user's variables, as debug information ([`cudair_ir::SourceType`]).
//!
//! Variables of libraries have none, so that a program does not carry its headers' types. Of what a pointer points to, the
//! parts are kept where the user declares it, and of the libraries' plain ones such as `float4`.

use super::Cx;
use crate::clang::{CursorId, Type, TypeKind};
use crate::types::{Decl, DeclKind};
use cudair_ir::{Encoding, EnumType, FieldType, NamedType, RecordType, SourceType, Type as IrType};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// Pointers to pointers and arrays of arrays that are told of a type.
const MAX_NESTED: usize = 32;

/// What is known of source types so far.
#[derive(Default)]
pub(crate) struct SourceTypes {
    /// By libclang's key.
    known: FxHashMap<usize, SourceType>,
    /// The names of structures, unions and enumerations.
    names: FxHashMap<CursorId, Arc<str>>,
}

/// A type of which only the name and the size are told.
fn other(ty: Type<'_>) -> SourceType {
    // A type without a size is one that no variable has.
    SourceType::Other(ty.spelling().into(), ty.size().unwrap_or(0))
}

/// A type's name without what libclang writes for those that have none: their place with the file's whole path, in words that differ
/// from version to version.
fn plain(spelled: &str) -> String {
    let mut out = String::new();
    let mut rest = spelled;
    while let Some((before, after)) = rest.split_once('(') {
        out += before;
        let stands_for = if after.starts_with("lambda") {
            Some("(lambda)")
        } else {
            (after.starts_with("anonymous") || after.starts_with("unnamed")).then_some("(unnamed)")
        };
        match (stands_for, after.split_once(')')) {
            (Some(word), Some((_, behind))) => {
                out += word;
                rest = behind;
            }
            _ => {
                out.push('(');
                rest = after;
            }
        }
    }
    out += rest;
    if out.ends_with("(unnamed)") { "(unnamed)".to_owned() } else { out }
}

impl<'tu> Cx<'tu, '_> {
    /// The type of a variable of the user's.
    pub fn source_type(&mut self, decl: Decl<'tu>) -> Option<SourceType> {
        (!decl.in_system_header()).then(|| self.source_type_of(decl.ty()))
    }

    /// A type.
    pub fn source_type_of(&mut self, ty: Type<'tu>) -> SourceType {
        self.nested(ty, true, 0)
    }

    /// A type; `held` if an object of it is part of the variable.
    fn nested(&mut self, ty: Type<'tu>, held: bool, depth: usize) -> SourceType {
        let ty = ty.canonical().unqualified();
        if let Some(known) = self.source_types.known.get(&ty.id()) {
            return known.clone();
        }
        let name = || Arc::<str>::from(ty.spelling());
        let bytes = ty.size().and_then(|n| u8::try_from(n).ok());
        let number = |of: fn(u8) -> Encoding| match bytes {
            Some(n @ (1 | 2 | 4 | 8 | 16)) => SourceType::Base(name(), of(n)),
            _ => other(ty),
        };
        let float = |of: IrType| SourceType::Base(name(), Encoding::Float(of));
        let found = match ty.kind() {
            _ if depth > MAX_NESTED => other(ty),
            TypeKind::Void => SourceType::Void,
            TypeKind::Bool => SourceType::Base(name(), Encoding::Bool),
            TypeKind::CharS
            | TypeKind::CharU
            | TypeKind::Char8
            | TypeKind::Char16
            | TypeKind::Char32
            | TypeKind::WChar => number(Encoding::Char),
            TypeKind::SChar
            | TypeKind::Short
            | TypeKind::Int
            | TypeKind::Long
            | TypeKind::LongLong
            | TypeKind::Int128 => number(Encoding::Signed),
            TypeKind::UChar
            | TypeKind::UShort
            | TypeKind::UInt
            | TypeKind::ULong
            | TypeKind::ULongLong
            | TypeKind::UInt128 => number(Encoding::Unsigned),
            TypeKind::Half | TypeKind::Float16 => float(IrType::F16),
            TypeKind::BFloat16 => float(IrType::BF16),
            TypeKind::Float => float(IrType::F32),
            TypeKind::Double => float(IrType::F64),
            TypeKind::LongDouble => float(IrType::F80),
            TypeKind::NullPtr => SourceType::Pointer(SourceType::Void.into()),
            TypeKind::Pointer | TypeKind::BlockPointer => {
                SourceType::Pointer(self.nested(ty.pointee(), false, depth + 1).into())
            }
            TypeKind::LValueReference | TypeKind::RValueReference => {
                SourceType::Reference(self.nested(ty.pointee(), false, depth + 1).into())
            }
            TypeKind::FunctionProto | TypeKind::FunctionNoProto => SourceType::Function,
            TypeKind::ConstantArray | TypeKind::IncompleteArray => {
                // One without a length is as long as its memory.
                let len = if ty.kind() == TypeKind::ConstantArray { ty.array_length() } else { Some(0) };
                match len {
                    Some(len) => {
                        SourceType::Array(len, self.nested(ty.array_element(), held, depth + 1).into())
                    }
                    None => other(ty),
                }
            }
            // In memory that is asked for when its length is known.
            TypeKind::VariableArray => {
                SourceType::Pointer(self.nested(ty.array_element(), held, depth + 1).into())
            }
            TypeKind::Vector | TypeKind::ExtVector => match ty.vector_length() {
                Some(len) => SourceType::Array(len, self.nested(ty.element(), held, depth + 1).into()),
                None => other(ty),
            },
            TypeKind::Complex => SourceType::Array(2, self.nested(ty.element(), held, depth + 1).into()),
            TypeKind::Atomic => return self.nested(ty.atomic_value(), held, depth + 1),
            TypeKind::Record => return self.record_type(ty, held),
            TypeKind::Enum => return self.enumeration(ty),
            _ => other(ty),
        };
        if found.named().is_none() && !matches!(found, SourceType::Other(..)) {
            self.source_types.known.insert(ty.id(), found.clone());
        }
        found
    }

    /// The name of a structure, union or enumeration, and whether it is new.
    fn type_name(&mut self, ty: Type<'tu>) -> (Arc<str>, bool) {
        let id = ty.declaration().canonical().id();
        if let Some(known) = self.source_types.names.get(&id) {
            return (known.clone(), false);
        }
        let spelled = plain(&ty.spelling());
        let mut name: Arc<str> = spelled.as_str().into();
        // Functions may have types of their own of one name.
        let mut n = 1;
        while self.source_types.names.values().any(|known| *known == name) {
            n += 1;
            name = format!("{spelled} ({n})").into();
        }
        self.source_types.names.insert(id, name.clone());
        (name, true)
    }

    fn record_type(&mut self, ty: Type<'tu>, held: bool) -> SourceType {
        let q = self.ast.types.of(ty);
        let (Some(size), Some(record)) = (ty.size(), self.ast.types.as_record(q.ty)) else {
            return other(ty);
        };
        // What CUDA calls so is one number.
        let half = match ty.spelling().as_str() {
            "__half" => Some(IrType::F16),
            "__nv_bfloat16" => Some(IrType::BF16),
            _ => None,
        };
        if let Some(of) = half.filter(|_| size == 2) {
            return SourceType::Base(ty.spelling().into(), Encoding::Float(of));
        }
        let fields = self.ast.types.fields(record);
        if !held && Decl::new(ty.declaration()).in_system_header() {
            let plain = fields.iter().all(|f| f.ty.ty != q.ty && !self.ast.types.is_aggregate(f.ty.ty))
                && fields.iter().all(|f| self.ast.types.pointee(f.ty.ty).is_none());
            if !plain || self.ast.types.bases(record).is_none_or(|b| !b.is_empty()) {
                return other(ty);
            }
        }
        let (name, new) = self.type_name(ty);
        if new {
            let mut parts = Vec::new();
            // Where libclang does not tell them the program is refused.
            for base in self.ast.types.bases(record).unwrap_or_default().iter().filter(|b| !b.is_virtual) {
                let Some(class) = self.ast.types.as_record(base.ty) else { continue };
                let clang = self.ast.types.record(class).clang;
                let of = self.nested(clang, held, 0);
                parts.push(FieldType {
                    name: clang.spelling().into(),
                    at: 8 * base.offset,
                    width: None,
                    ty: of,
                });
            }
            for f in fields.iter() {
                let of = self.nested(f.decl.ty(), held, 0);
                let name = if f.anonymous { "".into() } else { Arc::from(&*f.name) };
                parts.push(FieldType { name, at: f.offset_bits, width: f.width, ty: of });
            }
            let is_union = self.ast.types.record(record).is_union;
            let made = NamedType::Record(RecordType { size, is_union, fields: parts });
            return self.add_named_type(ty, name, made);
        }
        SourceType::Named(name)
    }

    fn enumeration(&mut self, ty: Type<'tu>) -> SourceType {
        let encoding = match (ty.size(), self.ast.types.of(ty)) {
            (Some(size @ (1 | 2 | 4 | 8)), q) if self.ast.types.is_signed(q.ty) => {
                Encoding::Signed(size as u8)
            }
            (Some(size @ (1 | 2 | 4 | 8)), _) => Encoding::Unsigned(size as u8),
            _ => return other(ty),
        };
        let (name, new) = self.type_name(ty);
        if new {
            let signed = matches!(encoding, Encoding::Signed(_));
            let names = ty.declaration().children().into_iter();
            let values = names
                .filter(|&c| Decl::new(c).kind() == DeclKind::Enumerator)
                .map(|c| (c.spelling().into(), c.enumerator_value(signed)))
                .collect();
            return self.add_named_type(ty, name, NamedType::Enum(EnumType { encoding, values }));
        }
        SourceType::Named(name)
    }

    /// Adds what a name stands for. The other parse of the file, for the device or the host, may have made it already, or another one.
    fn add_named_type(&mut self, ty: Type<'tu>, name: Arc<str>, made: NamedType) -> SourceType {
        let mut free = name.clone();
        let mut n = 1;
        while self.module.types.get(&free).is_some_and(|known| *known != made) {
            n += 1;
            free = format!("{name} ({n})").into();
        }
        self.module.types.insert(free.clone(), made);
        self.source_types.names.insert(ty.declaration().canonical().id(), free.clone());
        SourceType::Named(free)
    }
}

#[cfg(test)]
mod tests {
    use super::plain;

    #[test]
    fn names_without_places() {
        assert_eq!(plain("n::Box<float2>"), "n::Box<float2>");
        assert_eq!(plain("union S::(anonymous at /a/b.c:3:4)"), "(unnamed)");
        assert_eq!(plain("Node::(anonymous union at /a/b.c:3:4)"), "(unnamed)");
        assert_eq!(plain("(lambda at /a/b.c:3:4)"), "(lambda)");
        assert_eq!(plain("Call<(lambda at /a/b.c:3:4), int (*)(int)>"), "Call<(lambda), int (*)(int)>");
    }
}
