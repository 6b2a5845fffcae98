//! Values as an editor shows them: a line each, and their parts behind it.

use crate::debug::expression::{self, Value};
use crate::debug::values::{byte, shown};
use cudair_ir::source_type::whole;
use cudair_ir::{Encoding, FieldType, NamedType, NamedTypes, SourceType};
use cudair_vm::debug::{Byte, Here};

/// Elements of an array in its own line.
const MOST_IN_LINE: usize = 8;
/// Bytes of what has no type in its line.
const MOST_BYTES: usize = 16;
/// Elements behind a pointer.
const MOST_BEHIND: u64 = 256;
/// Arrays inside one another in a line.
const MOST_NESTED: u32 = 8;

/// A value or a part of one.
#[derive(Clone, Debug)]
pub struct Item {
    /// Its name.
    pub name: String,
    /// Its type, for the user.
    pub ty: Option<String>,
    /// Its value in a line.
    pub text: String,
    /// The expression that it is the value of, if there is one.
    pub path: Option<String>,
    /// The value, where it may have parts.
    pub value: Option<Value>,
}

/// How many parts a value has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Parts {
    /// None.
    None,
    /// Some, by name.
    Named,
    /// So many, by index.
    Indexed(usize),
}

impl Item {
    /// A value with a name.
    pub fn new(here: &Here<'_>, name: String, value: Value, path: Option<String>) -> Item {
        let text = line(here, &value);
        Item { name, ty: Some(value.ty.to_string()), text, path, value: Some(value) }
    }

    /// Bytes of which nobody knows the type.
    pub fn untyped(name: String, bytes: &[Byte]) -> Item {
        Item { name, ty: None, text: few(bytes), path: None, value: None }
    }
}

/// The first bytes.
fn few(bytes: &[Byte]) -> String {
    let first: Vec<String> = bytes.iter().take(MOST_BYTES).map(byte).collect();
    let more =
        if bytes.len() > MOST_BYTES { format!(" … {} bytes in all", bytes.len()) } else { String::new() };
    first.join(" ") + &more
}

/// Bytes of a type that has some.
fn size(here: &Here<'_>, ty: &SourceType) -> Option<usize> {
    ty.size(here.types()).and_then(|n| usize::try_from(n).ok()).filter(|&n| n > 0)
}

/// A value in a line.
pub fn line(here: &Here<'_>, value: &Value) -> String {
    if let SourceType::Reference(_) = value.ty
        && let Some(target) = behind(here, value, 0)
    {
        return line(here, &target);
    }
    array(here, &value.ty, &value.bytes, 0).unwrap_or_else(|| shown(here, value).trim().to_owned())
}

/// An array in a line; nothing of what is none, or of a text, which is in a line anyway.
fn array(here: &Here<'_>, ty: &SourceType, bytes: &[Byte], depth: u32) -> Option<String> {
    let SourceType::Array(_, elem) = ty else { return None };
    let plain = here.show(Some(ty), bytes, "");
    if !plain.starts_with('\n') {
        return None;
    }
    let Some(size) = size(here, elem).filter(|_| depth < MOST_NESTED) else { return Some(few(bytes)) };
    let one = |part: &[Byte]| {
        let nested = array(here, elem, part, depth + 1);
        nested.unwrap_or_else(|| here.show(Some(elem.as_ref()), part, "").trim().to_owned())
    };
    let mut items: Vec<String> = bytes.chunks(size).take(MOST_IN_LINE).map(one).collect();
    let count = bytes.len() / size;
    if count > MOST_IN_LINE {
        items.push(format!("… {count} in all"));
    }
    Some(format!("{{{}}}", items.join(", ")))
}

/// What stands `n` elements behind a pointer or reference, where its memory is known.
fn behind(here: &Here<'_>, pointer: &Value, n: u64) -> Option<Value> {
    let (SourceType::Pointer(of) | SourceType::Reference(of)) = &pointer.ty else { return None };
    let size = of.size(here.types()).filter(|&n| n > 0)?;
    let address = address(pointer)?.checked_add(n.checked_mul(size)?)?;
    Some(Value { ty: of.as_ref().clone(), bytes: here.memory(address, size)? })
}

/// The address that a pointer or reference holds.
pub fn address(value: &Value) -> Option<u64> {
    match &value.ty {
        SourceType::Pointer(_) | SourceType::Reference(_) if value.bytes.len() == 8 => {
            whole(&value.bytes).and_then(|w| u64::try_from(w).ok())
        }
        _ => None,
    }
}

/// How many elements stand behind a pointer, up to a limit.
fn count_behind(here: &Here<'_>, pointer: &Value) -> u64 {
    let SourceType::Pointer(of) = &pointer.ty else { return 0 };
    match (address(pointer), of.size(here.types())) {
        (Some(address), Some(size @ 1..)) => (here.bytes_behind(address) / size).min(MOST_BEHIND),
        _ => 0,
    }
}

/// How many parts a value has.
pub fn parts(here: &Here<'_>, value: &Value) -> Parts {
    match &value.ty {
        SourceType::Array(_, elem) => size(here, elem)
            .map(|size| value.bytes.len() / size)
            .filter(|&n| n > 0)
            .map_or(Parts::None, Parts::Indexed),
        SourceType::Named(name) => match here.types().get(name) {
            Some(NamedType::Record(record)) if !record.fields.is_empty() => Parts::Named,
            _ if expression::extents(value).is_some() => Parts::Named,
            _ => Parts::None,
        },
        SourceType::Pointer(_) if behind(here, value, 0).is_some() => Parts::Named,
        SourceType::Reference(_) => match behind(here, value, 0) {
            Some(target) => parts(here, &target),
            None => Parts::None,
        },
        _ => Parts::None,
    }
}

/// The parts of a value; of an array those with an index from `start` on, at most `count`.
pub fn children(
    here: &Here<'_>,
    value: &Value,
    path: Option<&str>,
    (start, count): (usize, usize),
) -> Vec<Item> {
    let types = here.types();
    match &value.ty {
        SourceType::Array(_, elem) => {
            let Some(size) = size(here, elem) else { return Vec::new() };
            let elements = value.bytes.chunks_exact(size).enumerate().skip(start).take(count);
            elements
                .map(|(n, bytes)| {
                    let value = Value { ty: elem.as_ref().clone(), bytes: bytes.to_vec() };
                    Item::new(here, format!("[{n}]"), value, path.map(|p| format!("{p}[{n}]")))
                })
                .collect()
        }
        SourceType::Named(name) => match types.get(name) {
            Some(NamedType::Record(record)) => {
                record.fields.iter().map(|f| field(here, types, f, &value.bytes, path)).collect()
            }
            _ => axes(here, value, path),
        },
        SourceType::Pointer(_) => elements_behind(here, value, path),
        SourceType::Reference(_) => match behind(here, value, 0) {
            Some(target) => children(here, &target, path, (start, count)),
            None => Vec::new(),
        },
        _ => Vec::new(),
    }
}

/// The parts of `threadIdx` and the like.
fn axes(here: &Here<'_>, value: &Value, path: Option<&str>) -> Vec<Item> {
    let Some(extents) = expression::extents(value) else { return Vec::new() };
    let axis = |(axis, n): (&str, u32)| {
        let ty = SourceType::Base("unsigned int".into(), Encoding::Unsigned(4));
        let value = Value { ty, bytes: n.to_le_bytes().map(Some).to_vec() };
        Item::new(here, axis.to_owned(), value, path.map(|p| format!("{p}.{axis}")))
    };
    ["x", "y", "z"].into_iter().zip(extents).map(axis).collect()
}

/// A member of a structure.
fn field(here: &Here<'_>, types: &NamedTypes, f: &FieldType, bytes: &[Byte], path: Option<&str>) -> Item {
    let is_word = !f.name.is_empty() && f.name.chars().all(|c| c.is_alphanumeric() || c == '_');
    let path = match path {
        // Members of an unnamed structure are those of the one around it.
        Some(path) if f.name.is_empty() => Some(path.to_owned()),
        Some(path) if is_word => Some(format!("{path}.{}", f.name)),
        _ => None,
    };
    let name = if f.name.is_empty() { "(unnamed)".to_owned() } else { f.name.to_string() };
    if let Some(width) = f.width {
        let text = f.bits(width, bytes).map_or_else(|| "??".to_owned(), |n| n.to_string());
        return Item { name, ty: Some(format!("{} : {width}", f.ty)), text, path, value: None };
    }
    match f.bytes(types, bytes).filter(|part| !part.is_empty()) {
        Some(part) => Item::new(here, name, Value { ty: f.ty.clone(), bytes: part.to_vec() }, path),
        // Nothing, or as long as its memory.
        None => Item { name, ty: Some(f.ty.to_string()), text: "{}".to_owned(), path, value: None },
    }
}

/// What is behind a pointer: one element, or those up to the end of its memory.
fn elements_behind(here: &Here<'_>, pointer: &Value, path: Option<&str>) -> Vec<Item> {
    let count = count_behind(here, pointer);
    let element = |n: u64| behind(here, pointer, n);
    if count == 1 {
        let path = path.map(|p| format!("(*{p})"));
        return element(0).map(|v| Item::new(here, "*".to_owned(), v, path)).into_iter().collect();
    }
    let item =
        |n: u64| Some(Item::new(here, format!("[{n}]"), element(n)?, path.map(|p| format!("{p}[{n}]"))));
    let mut items: Vec<Item> = (0..count).filter_map(item).collect();
    if count == MOST_BEHIND {
        let text = format!("further elements, by `{}[{count}]` and so on", path.unwrap_or("pointer"));
        items.push(Item { name: "…".to_owned(), ty: None, text, path: None, value: None });
    }
    items
}

/// The expression of a value as the start of a longer one.
pub fn atom(expression: &str) -> String {
    let text = expression.trim();
    if text.chars().all(|c| c.is_alphanumeric() || c == '_') { text.to_owned() } else { format!("({text})") }
}
