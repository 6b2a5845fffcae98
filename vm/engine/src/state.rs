//! The state of a program that stopped, in words: who is alive, where, with which variables, and what shared
//! memory holds. Bytes come in with their initialisation, so that `??` stands for what was never written.

use cudair_ir::source_type::{signed, whole};
use cudair_ir::{Encoding, FieldType, Loc, Module, NamedType, NamedTypes, SourceType, Type};
use cudair_lane::fault::ObjectInfo;
use cudair_lane::ptr::{Ptr, Tag};
use cudair_memory::{BlockMem, LocalFrames, Memory};
use std::fmt::Write;
use std::sync::Arc;

/// A byte, or nothing where none was ever written.
pub(crate) type Byte = Option<u8>;

/// What shows variables: the memory that pointers point into, and the types of the source.
#[derive(Clone, Copy)]
pub(crate) struct Show<'a> {
    pub(crate) mem: &'a Memory,
    pub(crate) types: &'a NamedTypes,
    /// Where the shared and the local variables of the threads are, as far as pointers to them are of interest.
    pub(crate) block: Option<(&'a BlockMem, &'a LocalFrames)>,
}

/// Elements of an array inside a structure that are shown.
const MOST_ELEMENTS: usize = 8;
/// Bytes of what nobody knows the parts of that are shown inside a structure.
const MOST_BYTES: usize = 16;
/// Characters of a structure behind which no further part of it is shown.
const MOST_TEXT: usize = 2000;
/// Structures inside one another that are shown.
const MOST_NESTED: u32 = 12;

impl Show<'_> {
    /// What a variable holds, in a line if it is one value or a structure; an array's elements by row, rows of equal elements
    /// once. Bytes where nobody says what it is.
    pub(crate) fn contents(self, ty: Option<&SourceType>, bytes: &[Byte], indent: &str) -> String {
        match ty {
            Some(SourceType::Array(..)) if is_text(ty, bytes).is_none() => {
                let elem = elements(ty);
                let Some((elem, size)) = elem.and_then(|e| Some((e, self.size(e)?))) else {
                    return plain(bytes, indent);
                };
                if !bytes.len().is_multiple_of(size) || bytes.is_empty() {
                    return plain(bytes, indent);
                }
                let items: Vec<String> = bytes.chunks(size).map(|b| self.value(elem, b, 0)).collect();
                let alone = matches!(elem, SourceType::Named(_));
                rows_of(&items, if alone { 1 } else { 32 }, indent)
            }
            Some(ty) if self.size(ty).is_none_or(|n| n == bytes.len()) => {
                format!(" {}", self.value(ty, bytes, 0))
            }
            _ => plain(bytes, indent),
        }
    }

    /// Bytes of a type.
    fn size(self, ty: &SourceType) -> Option<usize> {
        ty.size(self.types).and_then(|n| usize::try_from(n).ok()).filter(|&n| n > 0)
    }

    /// Whether a type is a structure of nothing, such as a base class without members.
    fn is_empty(self, ty: &SourceType, depth: u32) -> bool {
        let SourceType::Named(name) = ty else { return false };
        match self.types.get(name) {
            Some(NamedType::Record(r)) if depth < MOST_NESTED => {
                r.fields.iter().all(|f| self.is_empty(&f.ty, depth + 1))
            }
            _ => false,
        }
    }

    /// One value of a type, `depth` structures deep.
    fn value(self, ty: &SourceType, bytes: &[Byte], depth: u32) -> String {
        if !bytes.is_empty() && bytes.iter().all(Option::is_none) && !self.is_empty(ty, 0) {
            return "??".to_owned();
        }
        match ty {
            SourceType::Base(_, encoding) => number(*encoding, bytes),
            SourceType::Pointer(_) | SourceType::Reference(_) => match whole(bytes) {
                Some(bits) if bytes.len() == 8 => pointer(self, Ptr(bits as u64)),
                _ => hex(bytes),
            },
            SourceType::Array(_, elem) => {
                if let Some(text) = is_text(Some(ty), bytes) {
                    return text;
                }
                let Some(size) = self.size(elem) else { return few(bytes) };
                let mut items: Vec<String> = Vec::new();
                for b in bytes.chunks(size).take(MOST_ELEMENTS) {
                    items.push(self.value(elem, b, depth + 1));
                }
                if bytes.len() / size > MOST_ELEMENTS {
                    items.push(format!("… {} in all", bytes.len() / size));
                }
                format!("{{{}}}", items.join(", "))
            }
            SourceType::Named(name) => match self.types.get(name) {
                Some(NamedType::Record(record)) if depth < MOST_NESTED => {
                    let mut out = String::new();
                    // A bit-field without a name is padding.
                    let holds = |f: &&FieldType| {
                        !self.is_empty(&f.ty, 0) && (f.width.is_none() || !f.name.is_empty())
                    };
                    for f in record.fields.iter().filter(holds) {
                        out += if out.is_empty() { "" } else { ", " };
                        if out.len() > MOST_TEXT {
                            out += "…";
                            break;
                        }
                        out += &self.field(f, bytes, depth + 1);
                    }
                    format!("{{{out}}}")
                }
                Some(NamedType::Enum(e)) => match whole(bytes) {
                    Some(_) if bytes.len() as u64 != e.encoding.bytes() => hex(bytes),
                    Some(bits) => {
                        let value = match e.encoding {
                            Encoding::Signed(n) => signed(bits, 8 * u32::from(n)),
                            _ => bits as i128,
                        };
                        match e.values.iter().find(|(_, v)| *v == value) {
                            Some((name, _)) => format!("{name} ({value})"),
                            None => value.to_string(),
                        }
                    }
                    None => hex(bytes),
                },
                _ => few(bytes),
            },
            SourceType::Void | SourceType::Function | SourceType::Other(..) => few(bytes),
        }
    }

    /// A part of a structure with its name.
    fn field(self, f: &FieldType, bytes: &[Byte], depth: u32) -> String {
        let name = if f.name.is_empty() { String::new() } else { format!("{} = ", f.name) };
        let value = match f.width {
            Some(width) => f.bits(width, bytes).map_or_else(|| "??".to_owned(), |n| n.to_string()),
            None => match f.bytes(self.types, bytes).filter(|part| !part.is_empty()) {
                Some(part) => self.value(&f.ty, part, depth),
                // Nothing, or as long as its memory.
                None => "{}".to_owned(),
            },
        };
        name + &value
    }
}

/// What the innermost elements of an array are.
fn elements(ty: Option<&SourceType>) -> Option<&SourceType> {
    let mut ty = ty?;
    while let SourceType::Array(_, elem) = ty {
        ty = elem;
    }
    Some(ty)
}

/// The text that an array of characters is, if it has an end.
fn is_text(ty: Option<&SourceType>, bytes: &[Byte]) -> Option<String> {
    let Some(SourceType::Array(_, elem)) = ty else { return None };
    let SourceType::Base(_, Encoding::Char(1)) = elem.as_ref() else { return None };
    let text: Vec<u8> = bytes.iter().map_while(|b| b.filter(|&b| b != 0)).collect();
    let ends = bytes.get(text.len()) == Some(&Some(0));
    ends.then(|| format!("{:?}", String::from_utf8_lossy(&text)))
}

/// A number.
fn number(encoding: Encoding, bytes: &[Byte]) -> String {
    let Some(bits) = whole(bytes).filter(|_| bytes.len() as u64 == encoding.bytes()) else {
        return hex(bytes);
    };
    match encoding {
        Encoding::Bool => match bits {
            0 => "false".to_owned(),
            1 => "true".to_owned(),
            other => format!("{other:#x}"),
        },
        Encoding::Char(n) => {
            let value = if n == 1 { signed(bits, 8) } else { bits as i128 };
            match u32::try_from(bits)
                .ok()
                .and_then(char::from_u32)
                .filter(|c| !c.is_control() && (n > 1 || c.is_ascii()))
            {
                Some(c) => format!("{value} {c:?}"),
                None => value.to_string(),
            }
        }
        Encoding::Signed(n) => signed(bits, 8 * u32::from(n)).to_string(),
        Encoding::Unsigned(_) => bits.to_string(),
        Encoding::Float(Type::F32) => {
            float(f64::from(f32::from_bits(bits as u32)), &f32::from_bits(bits as u32).to_string())
        }
        Encoding::Float(Type::F64) => {
            float(f64::from_bits(bits as u64), &f64::from_bits(bits as u64).to_string())
        }
        Encoding::Float(Type::F16) => half::f16::from_bits(bits as u16).to_string(),
        Encoding::Float(Type::BF16) => half::bf16::from_bits(bits as u16).to_string(),
        Encoding::Float(_) => format!("{bits:#x}"),
    }
}

/// The first bytes of what nobody knows the parts of.
fn few(bytes: &[Byte]) -> String {
    match bytes.get(..MOST_BYTES) {
        Some(first) if bytes.len() > MOST_BYTES => format!("{} … {} bytes in all", hex(first), bytes.len()),
        _ => hex(bytes),
    }
}

/// Bytes in rows.
fn plain(bytes: &[Byte], indent: &str) -> String {
    rows(bytes.chunks(16).map(|c| (c.len(), hex(c))).collect(), bytes.len() <= 16, indent)
}

/// Values in rows of equal width, of at most so many.
fn rows_of(items: &[String], most: usize, indent: &str) -> String {
    const COLUMNS: usize = 80;
    let widest = items.iter().map(|i| i.chars().count()).max().unwrap_or(1);
    let room = COLUMNS.saturating_sub(indent.len() + 10) / (widest + 1);
    // A power of two, so that rows start where a reader looks for them.
    let per_row = [32, 16, 8, 4, 2].into_iter().find(|&n| n <= room && n <= most).unwrap_or(1);
    let lines = items.chunks(per_row).map(|row| {
        let row_text: Vec<String> =
            row.iter().map(|i| if per_row == 1 { i.clone() } else { format!("{i:>widest$}") }).collect();
        (row.len(), row_text.join(" "))
    });
    rows(lines.collect(), false, indent)
}

/// A float as short as it can be told apart.
fn float(wide: f64, short: &str) -> String {
    if wide != 0.0 && wide.is_finite() && !(1e-5..1e16).contains(&wide.abs()) {
        return format!("{wide:e}");
    }
    short.to_owned()
}

fn pointer(show: Show<'_>, p: Ptr) -> String {
    if p.is_null() {
        return "null".to_owned();
    }
    let into = |name: &str| format!("{} bytes into `{name}`", p.offset());
    match (show.mem.lookup(p), p.tag()) {
        (Some((start, size, _, kind)), _) => {
            let offset = p.0.wrapping_sub(start.0) as i64;
            format!("{offset} bytes into {size} bytes from {}", kind.allocator())
        }
        (None, Tag::Code) => format!("function {}", p.serial()),
        (None, _) => match variable_at(show.mem, show.block, p).and_then(|v| v.0) {
            Some(name) => into(&name),
            None => format!("{:#x}", p.0),
        },
    }
}

/// The name and the bytes of the variable that a pointer points to: of the host, or of these threads.
pub(crate) fn variable_at(
    mem: &Memory,
    block: Option<(&BlockMem, &LocalFrames)>,
    p: Ptr,
) -> Option<(Option<Arc<str>>, Vec<Byte>)> {
    let named = |(info, bytes): (ObjectInfo, Vec<Byte>)| (info.name, bytes);
    match p.tag() {
        Tag::HostLocal => mem.host.peek_at(p).map(named),
        Tag::DeviceLocal => block?.1.peek_at(p).map(named),
        Tag::Shared => {
            let n = block?.0.variable_at(p)?;
            Some((block?.0.layout().vars.get(n).map(|v| v.name.clone()), block?.0.peek(n)))
        }
        Tag::Table | Tag::Huge | Tag::Code | Tag::Invalid => None,
    }
}

fn hex(bytes: &[Byte]) -> String {
    let mut out = String::new();
    for (i, b) in bytes.iter().enumerate() {
        let sep = if i == 0 { "" } else { " " };
        let _ = match b {
            Some(b) => write!(out, "{sep}{b:02x}"),
            None => write!(out, "{sep}??"),
        };
    }
    out
}

/// Rows with the index of their first element; equal rows one after the other are told once.
fn rows(lines: Vec<(usize, String)>, one: bool, indent: &str) -> String {
    if one {
        return format!(" {}", lines.first().map_or("", |l| l.1.as_str()));
    }
    let mut out = String::new();
    let mut at = 0;
    let mut i = 0;
    while i < lines.len() {
        let same = lines[i..].iter().take_while(|l| **l == lines[i]).count();
        let _ = write!(out, "\n{indent}[{at}] {}", lines[i].1);
        at += lines[i].0;
        if same > 2 {
            let skipped: usize = lines[i + 1..i + same].iter().map(|l| l.0).sum();
            let _ = write!(out, "\n{indent}... the same up to [{}]", at + skipped - 1);
            at += skipped;
            i += same;
        } else {
            i += 1;
        }
    }
    out
}

/// A source place as `file:line:column`.
pub(crate) fn place(module: &Module, loc: Option<Loc>) -> String {
    match loc {
        Some(loc) => {
            let data = &module.source.locs[module.source.visible(loc)];
            format!("{}:{}:{}", module.source.files[data.file].path, data.start.line, data.start.col)
        }
        None => "an unknown place".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cudair_ir::{EnumType, RecordType};
    use std::sync::Arc;

    fn base(encoding: Encoding) -> SourceType {
        SourceType::Base("number".into(), encoding)
    }

    fn shown(types: &NamedTypes, ty: Option<&SourceType>, bytes: &[Byte]) -> String {
        Show { mem: &Memory::new(1 << 20), types, block: None }.contents(ty, bytes, "  ")
    }

    fn show(ty: Option<SourceType>, bytes: &[Byte]) -> String {
        shown(&NamedTypes::default(), ty.as_ref(), bytes)
    }

    fn of(words: &[Option<u32>]) -> Vec<Byte> {
        words.iter().flat_map(|w| (0..4).map(move |i| w.map(|w| w.to_le_bytes()[i]))).collect()
    }

    #[test]
    fn values_and_rows() {
        let int = || base(Encoding::Signed(4));
        let array = |len: u64, of: SourceType| Some(SourceType::Array(len, Arc::new(of)));
        assert_eq!(show(Some(int()), &of(&[Some(u32::MAX)])), " -1");
        assert_eq!(show(Some(base(Encoding::Unsigned(4))), &of(&[Some(u32::MAX)])), " 4294967295");
        assert_eq!(show(Some(base(Encoding::Float(Type::F32))), &of(&[Some(1.5f32.to_bits())])), " 1.5");
        assert_eq!(show(Some(int()), &of(&[None])), " ??");
        assert_eq!(show(Some(int()), &[Some(1), None, Some(2), Some(0xff)]), " 01 ?? 02 ff");
        assert_eq!(show(None, &[Some(1), None]), " 01 ??");
        assert_eq!(show(array(3, int()), &of(&[Some(1), Some(20), None])), "\n  [0]  1 20 ??");
        // A dynamic array is as long as its memory.
        assert_eq!(show(array(0, int()), &of(&[Some(1), Some(20)])), "\n  [0]  1 20");
        let many = of(&[Some(7); 128]);
        assert_eq!(
            show(array(128, int()), &many),
            format!("\n  [0] {}\n  ... the same up to [127]", ["7"; 32].join(" "))
        );
        assert_eq!(show(Some(SourceType::Pointer(SourceType::Void.into())), &[Some(0); 8]), " null");
        let text = [Some(b'h'), Some(b'i'), Some(0), None];
        assert_eq!(show(array(4, base(Encoding::Char(1))), &text), " \"hi\"");
        assert_eq!(show(Some(base(Encoding::Char(1))), &[Some(b'h')]), " 104 'h'");
        assert_eq!(show(Some(base(Encoding::Bool)), &[Some(1)]), " true");
    }

    #[test]
    fn structures_and_enumerations() {
        let field = |name: &str, at: u64, width: Option<u32>, ty: SourceType| FieldType {
            name: name.into(),
            at,
            width,
            ty,
        };
        let values = vec![("RED".into(), 0), ("BLUE".into(), -1)];
        let types = NamedTypes::from([
            ("Colour".into(), NamedType::Enum(EnumType { encoding: Encoding::Signed(4), values })),
            (
                "S".into(),
                NamedType::Record(RecordType {
                    size: 12,
                    is_union: false,
                    fields: vec![
                        field("c", 0, None, SourceType::Named("Colour".into())),
                        field("low", 32, Some(3), base(Encoding::Signed(4))),
                        field("high", 35, Some(5), base(Encoding::Unsigned(4))),
                        field("f", 64, None, base(Encoding::Float(Type::F32))),
                    ],
                }),
            ),
        ]);
        let s = SourceType::Named("S".into());
        let bytes = of(&[Some(u32::MAX), Some(0b1000_0111), Some(2f32.to_bits())]);
        assert_eq!(shown(&types, Some(&s), &bytes), " {c = BLUE (-1), low = -1, high = 16, f = 2}");
        let two = SourceType::Array(2, s.into());
        let bytes = [bytes.clone(), of(&[Some(0), None, None])].concat();
        let first = "{c = BLUE (-1), low = -1, high = 16, f = 2}";
        let second = "{c = RED (0), low = ??, high = ??, f = ??}";
        assert_eq!(shown(&types, Some(&two), &bytes), format!("\n  [0] {first}\n  [1] {second}"));
    }
}
