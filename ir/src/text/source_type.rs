//! Source types in the textual IR.

use super::parse::{Cursor, Parse};
use super::print::Quoted;
use crate::module::Module;
use crate::source_type::*;
use std::fmt::{self, Write};
use std::sync::Arc;

/// ` type …`, or nothing.
pub(super) fn write_source_type(f: &mut dyn Write, ty: Option<&SourceType>) -> fmt::Result {
    match ty {
        Some(ty) => {
            f.write_str(" type ")?;
            write_type(f, ty)
        }
        None => Ok(()),
    }
}

fn write_type(f: &mut dyn Write, ty: &SourceType) -> fmt::Result {
    let mut ty = ty;
    loop {
        ty = match ty {
            SourceType::Pointer(inner) => {
                f.write_str("pointer ")?;
                inner
            }
            SourceType::Reference(inner) => {
                f.write_str("reference ")?;
                inner
            }
            SourceType::Array(len, inner) => {
                write!(f, "array {len} ")?;
                inner
            }
            SourceType::Void => return f.write_str("void"),
            SourceType::Function => return f.write_str("function"),
            SourceType::Base(name, encoding) => {
                return write!(f, "base {} {}", Quoted(name.as_bytes()), encoding.name());
            }
            SourceType::Named(name) => return write!(f, "named {}", Quoted(name.as_bytes())),
            SourceType::Other(name, size) => return write!(f, "other {} {size}", Quoted(name.as_bytes())),
        }
    }
}

/// The named types that the types of some variables need, a line each.
pub(super) fn write_named_types<'a>(
    f: &mut dyn Write,
    module: &'a Module,
    roots: impl Iterator<Item = &'a SourceType>,
    gap: bool,
) -> fmt::Result {
    for (n, name) in needed(&module.types, roots).into_iter().enumerate() {
        if n == 0 && gap {
            f.write_char('\n')?;
        }
        write!(f, "type {} = ", Quoted(name.as_bytes()))?;
        match &module.types[name] {
            NamedType::Record(r) => {
                write!(f, "{} {} {{", if r.is_union { "union" } else { "struct" }, r.size)?;
                for (n, field) in r.fields.iter().enumerate() {
                    f.write_str(if n == 0 { " " } else { ", " })?;
                    write!(f, "{} {}", Quoted(field.name.as_bytes()), field.at)?;
                    if let Some(width) = field.width {
                        write!(f, ":{width}")?;
                    }
                    f.write_char(' ')?;
                    write_type(f, &field.ty)?;
                }
            }
            NamedType::Enum(e) => {
                write!(f, "enum {} {{", e.encoding.name())?;
                for (n, (name, value)) in e.values.iter().enumerate() {
                    f.write_str(if n == 0 { " " } else { ", " })?;
                    write!(f, "{} {value}", Quoted(name.as_bytes()))?;
                }
            }
        }
        f.write_str(" }\n")?;
    }
    Ok(())
}

/// Takes ` type …` if it is next on this line.
pub(super) fn opt_source_type(c: &mut Cursor<'_, '_>) -> Parse<Option<SourceType>> {
    if c.eat_word("type") { parse_type(c).map(Some) } else { Ok(None) }
}

/// What a type is made around.
enum Around {
    Pointer,
    Reference,
    Array(u64),
}

/// Pointers to pointers and arrays of arrays that a type may have.
const MAX_NESTED: usize = 64;

fn parse_type(c: &mut Cursor<'_, '_>) -> Parse<SourceType> {
    let mut around = Vec::new();
    let inner = loop {
        if around.len() > MAX_NESTED {
            return c.error(format!("a type of more than {MAX_NESTED} pointers and arrays"));
        }
        match c.word("a source type")? {
            "pointer" => around.push(Around::Pointer),
            "reference" => around.push(Around::Reference),
            "array" => around.push(Around::Array(c.number("a length")?)),
            "void" => break SourceType::Void,
            "function" => break SourceType::Function,
            "base" => break SourceType::Base(name(c)?, c.keyword("an encoding", Encoding::from_name)?),
            "named" => break SourceType::Named(name(c)?),
            "other" => break SourceType::Other(name(c)?, c.number("a size")?),
            other => return c.error(format!("there is no source type `{other}`")),
        }
    };
    Ok(around.into_iter().rev().fold(inner, |inner, around| match around {
        Around::Pointer => SourceType::Pointer(inner.into()),
        Around::Reference => SourceType::Reference(inner.into()),
        Around::Array(len) => SourceType::Array(len, inner.into()),
    }))
}

fn name(c: &mut Cursor<'_, '_>) -> Parse<Arc<str>> {
    Ok(c.string()?.into())
}

/// Takes `type "NAME" = …`.
pub(super) fn parse_named_type(c: &mut Cursor<'_, '_>, module: &mut Module) -> Parse<()> {
    c.bump();
    let at = c.at();
    let of = name(c)?;
    c.expect("=")?;
    let ty = match c.word("`struct`, `union` or `enum`")? {
        sort @ ("struct" | "union") => {
            let size = c.number("a size")?;
            let mut fields = Vec::new();
            list(c, |c| {
                let (name, at) = (name(c)?, c.number("an offset in bits")?);
                let width = if c.eat(":") { Some(c.number("a width in bits")?) } else { None };
                fields.push(FieldType { name, at, width, ty: parse_type(c)? });
                Ok(())
            })?;
            NamedType::Record(RecordType { size, is_union: sort == "union", fields })
        }
        "enum" => {
            let encoding = c.keyword("an encoding", Encoding::from_name)?;
            let mut values = Vec::new();
            list(c, |c| {
                values.push((name(c)?, c.signed_number("a value")?));
                Ok(())
            })?;
            NamedType::Enum(EnumType { encoding, values })
        }
        other => return c.error(format!("there is no sort of type `{other}`")),
    };
    match module.types.insert(of, ty) {
        None => Ok(()),
        Some(_) => Err((at, "this type is defined twice".to_owned())),
    }
}

/// Takes `{ item, … }`.
fn list(c: &mut Cursor<'_, '_>, mut item: impl FnMut(&mut Cursor<'_, '_>) -> Parse<()>) -> Parse<()> {
    c.expect("{")?;
    if c.eat("}") {
        return Ok(());
    }
    loop {
        item(c)?;
        if !c.eat(",") {
            return c.expect("}");
        }
    }
}
