//! The types that the source gives to variables: debug information, as DWARF's types are (DWARF 5, chapter 5). Nothing that a
//! program does depends on them.

use crate::types::Type;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

/// Types inside one another that are looked into.
const MAX_DEPTH: usize = 64;

/// A type of the source.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum SourceType {
    /// No value.
    Void,
    /// A number, character or truth value.
    Base(Arc<str>, Encoding),
    /// A pointer.
    Pointer(Arc<SourceType>),
    /// A reference: the address of what it is bound to.
    Reference(Arc<SourceType>),
    /// So many elements; 0 where the array is as long as its memory.
    Array(u64, Arc<SourceType>),
    /// A structure, union or enumeration, whose parts stand in [`Module::types`](crate::Module::types).
    Named(Arc<str>),
    /// A function.
    Function,
    /// A type of which only the name and the size in bytes are known; 0 where that is not known either.
    Other(Arc<str>, u64),
}

/// What the bytes of a number mean.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Encoding {
    /// A truth value of one byte.
    Bool,
    /// A character of so many bytes.
    Char(u8),
    /// An integer of so many bytes with sign.
    Signed(u8),
    /// One without.
    Unsigned(u8),
    /// A floating-point number.
    Float(Type),
}

/// A type with a name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NamedType {
    /// A structure or union.
    Record(RecordType),
    /// An enumeration.
    Enum(EnumType),
}

/// A structure or union.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RecordType {
    /// Bytes.
    pub size: u64,
    /// All parts lie at its start.
    pub is_union: bool,
    /// Its parts in order. Base classes are among them, by the name of the class.
    pub fields: Vec<FieldType>,
}

/// A part of a structure or union.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FieldType {
    /// Its name; empty for an unnamed structure or union.
    pub name: Arc<str>,
    /// Where it starts, in bits.
    pub at: u64,
    /// Of a bit-field, how many bits it has.
    pub width: Option<u32>,
    /// Its type.
    pub ty: SourceType,
}

/// An enumeration.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EnumType {
    /// That of its values.
    pub encoding: Encoding,
    /// Its names in order, with their values.
    pub values: Vec<(Arc<str>, i128)>,
}

/// Types by name.
pub type NamedTypes = BTreeMap<Arc<str>, NamedType>;

impl Encoding {
    /// Bytes of a value in memory.
    pub fn bytes(self) -> u64 {
        match self {
            Encoding::Bool => 1,
            Encoding::Char(n) | Encoding::Signed(n) | Encoding::Unsigned(n) => n.into(),
            Encoding::Float(ty) => ty.mem_bytes().into(),
        }
    }

    /// Its name in the textual IR.
    pub fn name(self) -> String {
        match self {
            Encoding::Bool => "bool".to_owned(),
            Encoding::Char(n) => format!("c{}", 8 * u32::from(n)),
            Encoding::Signed(n) => format!("s{}", 8 * u32::from(n)),
            Encoding::Unsigned(n) => format!("u{}", 8 * u32::from(n)),
            Encoding::Float(ty) => ty.to_string(),
        }
    }

    /// The encoding of a name.
    pub fn from_name(name: &str) -> Option<Encoding> {
        if name == "bool" {
            return Some(Encoding::Bool);
        }
        if let Ok(ty @ (Type::F16 | Type::BF16 | Type::F32 | Type::F64 | Type::F80)) = name.parse() {
            return Some(Encoding::Float(ty));
        }
        let (sort, bits) = name.split_at_checked(1)?;
        let bytes = match bits {
            "8" => 1,
            "16" => 2,
            "32" => 4,
            "64" => 8,
            "128" => 16,
            _ => return None,
        };
        match sort {
            "c" => Some(Encoding::Char(bytes)),
            "s" => Some(Encoding::Signed(bytes)),
            "u" => Some(Encoding::Unsigned(bytes)),
            _ => None,
        }
    }
}

/// The bytes of a value as a number, the lowest first, if all were written and it has no more than 16.
pub fn whole(bytes: &[Option<u8>]) -> Option<u128> {
    let bytes = bytes.iter().copied().collect::<Option<Vec<u8>>>().filter(|b| b.len() <= 16)?;
    Some(bytes.iter().rev().fold(0u128, |w, &b| w << 8 | u128::from(b)))
}

/// The lowest `width` bits as a number with sign.
pub fn signed(bits: u128, width: u32) -> i128 {
    let unused = 128 - width.clamp(1, 128);
    (bits << unused) as i128 >> unused
}

impl FieldType {
    /// The bytes of a field among those of its record; nothing where it does not lie in them, or has no size.
    pub fn bytes<'b>(&self, types: &NamedTypes, record: &'b [Option<u8>]) -> Option<&'b [Option<u8>]> {
        let size = usize::try_from(self.ty.size(types)?).ok()?;
        record.get(usize::try_from(self.at / 8).ok()?..)?.get(..size)
    }

    /// The number in a bit-field of so many bits.
    pub fn bits(&self, width: u32, record: &[Option<u8>]) -> Option<i128> {
        let shift = (self.at % 8) as u32;
        let bytes = shift.checked_add(width)?.div_ceil(8) as usize;
        let whole = whole(record.get(usize::try_from(self.at / 8).ok()?..)?.get(..bytes)?)? >> shift;
        match (width, &self.ty) {
            (65.., _) => None,
            (_, SourceType::Base(_, Encoding::Signed(_))) => Some(signed(whole, width)),
            _ => Some((whole & ((1 << width) - 1)) as i128),
        }
    }
}

impl NamedType {
    /// Bytes.
    pub fn size(&self) -> u64 {
        match self {
            NamedType::Record(r) => r.size,
            NamedType::Enum(e) => e.encoding.bytes(),
        }
    }

    /// The types that it is made of.
    pub fn parts(&self) -> impl Iterator<Item = &SourceType> {
        let fields = match self {
            NamedType::Record(r) => r.fields.as_slice(),
            NamedType::Enum(_) => &[],
        };
        fields.iter().map(|f| &f.ty)
    }
}

impl SourceType {
    /// Bytes of a variable of this type; nothing where that is not known.
    pub fn size(&self, types: &NamedTypes) -> Option<u64> {
        match self {
            SourceType::Void | SourceType::Function | SourceType::Other(_, 0) => None,
            SourceType::Base(_, encoding) => Some(encoding.bytes()),
            SourceType::Pointer(_) | SourceType::Reference(_) => Some(8),
            SourceType::Array(len, elem) => elem.size(types)?.checked_mul(*len),
            SourceType::Named(name) => types.get(name).map(NamedType::size),
            SourceType::Other(_, size) => Some(*size),
        }
    }

    /// What stands `offset` bytes behind the start of a variable of this type, with exactly `size` bytes: the variable, or the outermost such
    /// part of it.
    pub fn part<'a>(&'a self, types: &'a NamedTypes, offset: u64, size: u64) -> Option<&'a SourceType> {
        let (mut this, mut offset) = (self, offset);
        for _ in 0..MAX_DEPTH {
            if offset == 0 && this.size(types) == Some(size) {
                return Some(this);
            }
            (this, offset) = match this {
                SourceType::Array(_, elem) => {
                    let each = elem.size(types).filter(|&n| n > 0)?;
                    (elem.as_ref(), offset % each)
                }
                SourceType::Named(name) => {
                    let Some(NamedType::Record(record)) = types.get(name) else { return None };
                    let mut fields = record.fields.iter().filter(|f| f.width.is_none());
                    let within = |f: &&FieldType| {
                        let at = f.at / 8;
                        let behind = offset.checked_sub(at)?.checked_add(size)?;
                        f.ty.size(types).filter(|&n| behind <= n)
                    };
                    let field = fields.find(|f| within(f).is_some())?;
                    (&field.ty, offset - field.at / 8)
                }
                _ => return None,
            };
        }
        None
    }

    /// The name of the structure, union or enumeration that it, its elements or what it points to are.
    pub fn named(&self) -> Option<&Arc<str>> {
        let mut this = self;
        loop {
            match this {
                SourceType::Named(name) => return Some(name),
                SourceType::Pointer(inner) | SourceType::Reference(inner) | SourceType::Array(_, inner) => {
                    this = inner.as_ref();
                }
                _ => return None,
            }
        }
    }

    /// The same type, whose structures, unions and enumerations have other names.
    pub fn renamed(&self, new: &impl Fn(&Arc<str>) -> Arc<str>) -> SourceType {
        match self {
            SourceType::Named(name) => SourceType::Named(new(name)),
            SourceType::Pointer(inner) => SourceType::Pointer(inner.renamed(new).into()),
            SourceType::Reference(inner) => SourceType::Reference(inner.renamed(new).into()),
            SourceType::Array(len, inner) => SourceType::Array(*len, inner.renamed(new).into()),
            other => other.clone(),
        }
    }
}

/// As a reader writes it, with what a pointer points to in front.
impl fmt::Display for SourceType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SourceType::Void => f.write_str("void"),
            SourceType::Base(name, _) | SourceType::Named(name) | SourceType::Other(name, _) => {
                f.write_str(name)
            }
            SourceType::Pointer(inner) => write!(f, "{inner} *"),
            SourceType::Reference(inner) => write!(f, "{inner} &"),
            SourceType::Array(len, inner) => {
                // The outer length comes first.
                let length = |len: u64| if len == 0 { "[]".to_owned() } else { format!("[{len}]") };
                let (mut lengths, mut elem) = (length(*len), inner);
                while let SourceType::Array(len, inner) = elem.as_ref() {
                    lengths += &length(*len);
                    elem = inner;
                }
                write!(f, "{elem}{lengths}")
            }
            SourceType::Function => f.write_str("function"),
        }
    }
}

/// The named types that some types need, in order.
pub fn needed<'a>(types: &'a NamedTypes, roots: impl Iterator<Item = &'a SourceType>) -> Vec<&'a Arc<str>> {
    let mut found = std::collections::BTreeSet::new();
    let mut open: Vec<&Arc<str>> = roots.filter_map(SourceType::named).collect();
    while let Some(name) = open.pop() {
        let Some((name, ty)) = types.get_key_value(name) else { continue };
        if found.insert(name) {
            open.extend(ty.parts().filter_map(SourceType::named));
        }
    }
    found.into_iter().collect()
}
