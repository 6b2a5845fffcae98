//! Signatures, and the source types of variables.

use super::code::{Code, Reader, Writer};
use crate::function::{Param, ParamAttr, Signature};
use crate::source_type::{Encoding, EnumType, FieldType, NamedType, NamedTypes, RecordType, SourceType};
use std::sync::Arc;

/// Types inside one another that are read.
const MAX_DEPTH: u32 = 256;

impl Code for Param {
    fn write(&self, w: &mut Writer<'_>) {
        self.ty.write(w);
        let (kind, size, align_log2) = match self.attr {
            ParamAttr::None => return w.byte(0),
            ParamAttr::ByVal { size, align_log2 } => (1, size, align_log2),
            ParamAttr::SRet { size, align_log2 } => (2, size, align_log2),
        };
        w.byte(kind);
        size.write(w);
        align_log2.write(w);
    }
    fn read(r: &mut Reader<'_>) -> Option<Self> {
        let ty = Code::read(r)?;
        let attr = match r.byte()? {
            0 => ParamAttr::None,
            1 => ParamAttr::ByVal { size: Code::read(r)?, align_log2: Code::read(r)? },
            2 => ParamAttr::SRet { size: Code::read(r)?, align_log2: Code::read(r)? },
            _ => return None,
        };
        Some(Param { ty, attr })
    }
}

impl Code for Signature {
    fn write(&self, w: &mut Writer<'_>) {
        let Signature { params, ret, variadic } = self;
        w.list(params.iter(), |w, p| p.write(w));
        ret.write(w);
        variadic.write(w);
    }
    fn read(r: &mut Reader<'_>) -> Option<Self> {
        Some(Signature { params: r.list(Code::read)?, ret: Code::read(r)?, variadic: Code::read(r)? })
    }
}

impl Code for Encoding {
    fn write(&self, w: &mut Writer<'_>) {
        match self {
            Encoding::Bool => w.byte(0),
            Encoding::Char(n) => w.out.extend([1, *n]),
            Encoding::Signed(n) => w.out.extend([2, *n]),
            Encoding::Unsigned(n) => w.out.extend([3, *n]),
            Encoding::Float(ty) => {
                w.byte(4);
                ty.write(w);
            }
        }
    }
    fn read(r: &mut Reader<'_>) -> Option<Self> {
        Some(match r.byte()? {
            0 => Encoding::Bool,
            1 => Encoding::Char(r.byte()?),
            2 => Encoding::Signed(r.byte()?),
            3 => Encoding::Unsigned(r.byte()?),
            4 => Encoding::Float(Code::read(r)?),
            _ => return None,
        })
    }
}

impl Code for SourceType {
    fn write(&self, w: &mut Writer<'_>) {
        match self {
            SourceType::Void => w.byte(0),
            SourceType::Base(name, encoding) => {
                w.byte(1);
                name.write(w);
                encoding.write(w);
            }
            SourceType::Pointer(to) => {
                w.byte(2);
                to.write(w);
            }
            SourceType::Reference(to) => {
                w.byte(3);
                to.write(w);
            }
            SourceType::Array(length, of) => {
                w.byte(4);
                length.write(w);
                of.write(w);
            }
            SourceType::Named(name) => {
                w.byte(5);
                name.write(w);
            }
            SourceType::Function => w.byte(6),
            SourceType::Other(name, size) => {
                w.byte(7);
                name.write(w);
                size.write(w);
            }
        }
    }
    fn read(r: &mut Reader<'_>) -> Option<Self> {
        if r.depth == MAX_DEPTH {
            return None;
        }
        r.depth += 1;
        let ty = match r.byte()? {
            0 => SourceType::Void,
            1 => SourceType::Base(Code::read(r)?, Code::read(r)?),
            2 => SourceType::Pointer(Arc::new(Code::read(r)?)),
            3 => SourceType::Reference(Arc::new(Code::read(r)?)),
            4 => SourceType::Array(Code::read(r)?, Arc::new(Code::read(r)?)),
            5 => SourceType::Named(Code::read(r)?),
            6 => SourceType::Function,
            7 => SourceType::Other(Code::read(r)?, Code::read(r)?),
            _ => return None,
        };
        r.depth -= 1;
        Some(ty)
    }
}

/// Writes the types that have a name.
pub fn write_named(w: &mut Writer<'_>, types: &NamedTypes) {
    w.list(types.iter(), |w, (name, ty)| {
        name.write(w);
        match ty {
            NamedType::Record(RecordType { size, is_union, fields }) => {
                w.byte(0);
                size.write(w);
                is_union.write(w);
                w.list(fields.iter(), |w, FieldType { name, at, width, ty }| {
                    name.write(w);
                    at.write(w);
                    width.write(w);
                    ty.write(w);
                });
            }
            NamedType::Enum(EnumType { encoding, values }) => {
                w.byte(1);
                encoding.write(w);
                w.list(values.iter(), |w, (name, value)| {
                    name.write(w);
                    w.wide(*value as u128);
                });
            }
        }
    });
}

/// Reads them.
pub fn read_named(r: &mut Reader<'_>) -> Option<NamedTypes> {
    let mut types = NamedTypes::new();
    for _ in 0..r.count()? {
        let name = Code::read(r)?;
        let ty = match r.byte()? {
            0 => NamedType::Record(RecordType {
                size: Code::read(r)?,
                is_union: Code::read(r)?,
                fields: r.list(|r| {
                    Some(FieldType {
                        name: Code::read(r)?,
                        at: Code::read(r)?,
                        width: Code::read(r)?,
                        ty: Code::read(r)?,
                    })
                })?,
            }),
            1 => NamedType::Enum(EnumType {
                encoding: Code::read(r)?,
                values: r.list(|r| Some((Code::read(r)?, r.wide()? as i128)))?,
            }),
            _ => return None,
        };
        types.insert(name, ty);
    }
    Some(types)
}
