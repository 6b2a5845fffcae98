//! Descriptions of types at run time: what `typeid` gives, what handlers and `dynamic_cast` compare.
//!
//! A description begins as `std::type_info` does for the system's `<typeinfo>`: a word and a pointer to the mangled
//! name. The word, a pointer to the class's table elsewhere, says here what follows:
//!
//! | word | type | what follows |
//! | --- | --- | --- |
//! | 0 | any other | nothing |
//! | 1 | class | how many bases; for each its description, and its offset shifted left by 8, with 1 for a virtual and 2 for a public base |
//! | 2 | pointer | 1 for `const`, 2 for `volatile`; the description of what it points to |
//! | 3 | pointer to member | as for a pointer; the description of the class |

use super::{At, Cx, R};
use crate::ast::symbol;
use crate::clang::{Type as ClangType, TypeKind};
use crate::types::RecId;
use crate::types::{Decl, DeclKind};
use cudair_ir::{Global, GlobalId, GlobalInit, Linkage, Reloc, RelocTarget, Space};

/// The word at the start of a description.
mod form {
    pub const CLASS: u64 = 1;
    pub const POINTER: u64 = 2;
    pub const MEMBER_POINTER: u64 = 3;
}

/// A description being written.
#[derive(Default)]
pub(super) struct Words {
    pub bytes: Vec<u8>,
    pub relocs: Vec<Reloc>,
}

impl Words {
    /// Begins the description of a class.
    pub fn class(name: GlobalId, bases: u64) -> Words {
        let mut words = Words::default();
        words.word(form::CLASS);
        words.address(name);
        words.word(bases);
        words
    }

    /// Adds a base.
    pub fn base(&mut self, info: GlobalId, offset: i64, is_virtual: bool, is_public: bool) {
        self.address(info);
        self.word((offset << 8) as u64 | u64::from(is_virtual) | u64::from(is_public) << 1);
    }

    fn word(&mut self, word: u64) {
        self.bytes.extend(word.to_le_bytes());
    }

    fn address(&mut self, global: GlobalId) {
        let offset = self.bytes.len() as u64;
        self.relocs.push(Reloc { offset, target: RelocTarget::Global(global), addend: 0 });
        self.word(0);
    }
}

impl<'tu> Cx<'tu, '_> {
    /// The description of the type of an exception, a handler or an operand: without references and qualifiers,
    /// arrays and functions as pointers.
    pub fn type_info(&mut self, ty: ClangType<'tu>, at: At<'_>) -> R<GlobalId> {
        let mut ty = ty.canonical();
        if matches!(ty.kind(), TypeKind::LValueReference | TypeKind::RValueReference) {
            ty = ty.pointee().canonical();
        }
        self.exact_type_info(ty.unqualified().canonical(), at)
    }

    /// The description of a type as it is.
    pub fn exact_type_info(&mut self, ty: ClangType<'tu>, at: At<'_>) -> R<GlobalId> {
        let mangled = mangle(ty);
        if let Some(known) = self.descriptions.types.get(&mangled) {
            return Ok(known);
        }
        let text = self.constant_bytes([mangled.as_bytes(), &[0]].concat(), 1, false);
        let internal = mangled.contains("_GLOBAL__N_") || mangled.starts_with('Z');
        let symbol = format!("_ZTI{mangled}");
        if !internal && let Some(id) = self.module.global_by_name(&symbol) {
            self.descriptions.types.set(mangled, id);
            return Ok(id);
        }
        let name = if internal { self.unique_name(symbol) } else { symbol };
        let id = self.module.add_global(Global {
            name,
            display_name: ty.unqualified().spelling(),
            space: Space::Host,
            size: 16,
            align_log2: 3,
            linkage: if internal { Linkage::Internal } else { Linkage::Weak },
            constant: true,
            dynamic: false,
            init: GlobalInit::Zero,
            loc: None.into(),
        });
        // Known before it is filled: a class may be told of by a pointer to it.
        self.descriptions.types.set(mangled, id);
        let mut words = Words::default();
        match ty.kind() {
            TypeKind::Pointer => {
                let to = ty.pointee().canonical();
                let flags = u64::from(to.is_const()) | u64::from(to.is_volatile()) << 1;
                let to = self.exact_type_info(to.unqualified().canonical(), at)?;
                words.word(form::POINTER);
                words.address(text);
                words.word(flags);
                words.address(to);
            }
            TypeKind::MemberPointer => {
                let to = ty.pointee().canonical();
                let flags = u64::from(to.is_const()) | u64::from(to.is_volatile()) << 1;
                let to = self.exact_type_info(to.unqualified().canonical(), at)?;
                let class = self.exact_type_info(ty.member_class().canonical(), at)?;
                words.word(form::MEMBER_POINTER);
                words.address(text);
                words.word(flags);
                words.address(to);
                words.address(class);
            }
            _ => {
                let q = self.ast.types.of(ty);
                match self.ast.types.as_record(q.ty) {
                    Some(record) => self.describe_class(record, text, &mut words, at)?,
                    None => {
                        words.word(0);
                        words.address(text);
                    }
                }
            }
        }
        let global = &mut self.module.globals[id];
        global.size = words.bytes.len() as u64;
        global.init = GlobalInit::Data { bytes: words.bytes, relocs: words.relocs };
        Ok(id)
    }

    /// The description of a type of the language.
    pub fn simple_type_info(&mut self, mangled: &str, display: &str) -> GlobalId {
        self.described(mangled, display, |words, text| {
            words.word(0);
            words.address(text);
        })
    }

    /// The description of a pointer to a type that is described.
    pub fn pointer_type_info(&mut self, to: GlobalId, is_const: bool, is_volatile: bool) -> GlobalId {
        let global = &self.module.globals[to];
        let inner = global.name.trim_start_matches("_ZTI").to_owned();
        let qualifiers = [(is_volatile, "V"), (is_const, "K")];
        let prefix: String = qualifiers.iter().filter(|q| q.0).map(|q| q.1).collect();
        let (mangled, display) = (format!("P{prefix}{inner}"), format!("{} *", global.display_name));
        self.described(&mangled, &display, |words, text| {
            words.word(form::POINTER);
            words.address(text);
            words.word(u64::from(is_const) | u64::from(is_volatile) << 1);
            words.address(to);
        })
    }

    /// The description of the type of this mangled name, which `write` fills unless there is one already; it is
    /// given the global with the name.
    pub(super) fn described(
        &mut self,
        mangled: &str,
        display: &str,
        write: impl FnOnce(&mut Words, GlobalId),
    ) -> GlobalId {
        if let Some(known) = self.descriptions.types.get(mangled) {
            return known;
        }
        let symbol = format!("_ZTI{mangled}");
        if let Some(known) = self.module.global_by_name(&symbol) {
            self.descriptions.types.set(mangled.to_owned(), known);
            return known;
        }
        let text = self.constant_bytes([mangled.as_bytes(), &[0]].concat(), 1, false);
        let mut words = Words::default();
        write(&mut words, text);
        let id = self.module.add_global(Global {
            name: symbol,
            display_name: display.to_owned(),
            space: Space::Host,
            size: words.bytes.len() as u64,
            align_log2: 3,
            linkage: Linkage::Weak,
            constant: true,
            dynamic: false,
            init: GlobalInit::Data { bytes: words.bytes, relocs: words.relocs },
            loc: None.into(),
        });
        self.descriptions.types.set(mangled.to_owned(), id);
        id
    }

    fn describe_class(&mut self, id: RecId, text: GlobalId, words: &mut Words, at: At<'_>) -> R<()> {
        let complete = self.ast.types.record(id).clang.size().is_some();
        let bases = if complete { self.ast.types.bases(id) } else { None };
        let bases: Vec<_> = bases.iter().flat_map(|b| b.iter().cloned()).collect();
        *words = Words::class(text, bases.len() as u64);
        for base in bases {
            let Some(record) = self.ast.types.as_record(base.ty) else {
                return self.internal("a base that is not a class", at);
            };
            let ty = self.ast.types.record(record).clang;
            let info = self.exact_type_info(ty.canonical().unqualified(), at)?;
            // Where a virtual base is stands in the object's table.
            let offset = match self.slot_of(id, record, false) {
                Some(slot) if base.is_virtual => slot,
                _ => base.offset as i64,
            };
            words.base(info, offset, base.is_virtual, base.is_public);
        }
        Ok(())
    }
}

/// The name of a type as the Itanium C++ ABI has it.
pub(crate) fn mangle(ty: ClangType<'_>) -> String {
    Mangler::default().ty(ty)
}

/// Writes names of types; what came before is written shorter.
#[derive(Default)]
struct Mangler {
    /// What came before, in full.
    seen: Vec<String>,
}

impl Mangler {
    fn ty(&mut self, ty: ClangType<'_>) -> String {
        let ty = ty.canonical();
        let (is_const, is_volatile) = (ty.is_const(), ty.is_volatile());
        if is_const || is_volatile {
            let qualifiers = [(is_volatile, "V"), (is_const, "K")];
            let prefix: String = qualifiers.iter().filter(|q| q.0).map(|q| q.1).collect();
            return self.compound(&prefix, ty.unqualified().canonical(), |m, t| m.ty(t));
        }
        match ty.kind() {
            TypeKind::Pointer => self.compound("P", ty.pointee(), |m, t| m.ty(t)),
            TypeKind::LValueReference => self.compound("R", ty.pointee(), |m, t| m.ty(t)),
            TypeKind::RValueReference => self.compound("O", ty.pointee(), |m, t| m.ty(t)),
            TypeKind::ConstantArray => {
                let len = ty.array_length().map(|len| len.to_string());
                // Without a length it is an array of unknown bound.
                let prefix = format!("A{}_", len.unwrap_or_default());
                self.compound(&prefix, ty.array_element(), |m, t| m.ty(t))
            }
            TypeKind::IncompleteArray => self.compound("A_", ty.array_element(), |m, t| m.ty(t)),
            TypeKind::MemberPointer => {
                let full = format!("M{}{}", mangle(ty.member_class()), mangle(ty.pointee()));
                if let Some(short) = self.short(&full) {
                    return short;
                }
                let class = self.ty(ty.member_class());
                let to = self.ty(ty.pointee());
                self.seen.push(full);
                format!("M{class}{to}")
            }
            TypeKind::FunctionProto | TypeKind::FunctionNoProto => self.compound("F", ty, |m, t| {
                let mut text = m.ty(t.result());
                let parameters = t.parameters();
                for &p in &parameters {
                    text += &m.ty(p);
                }
                if t.is_variadic() {
                    text += "z";
                } else if parameters.is_empty() {
                    text += "v";
                }
                text + "E"
            }),
            TypeKind::Record | TypeKind::Enum => {
                let full = declared(Decl::new(ty.declaration()));
                if let Some(short) = self.short(&full) {
                    return short;
                }
                self.seen.push(full.clone());
                full
            }
            kind => builtin(kind).map_or_else(|| source_name(&ty.spelling()), str::to_owned),
        }
    }

    /// A type made from another.
    fn compound<'tu>(
        &mut self,
        prefix: &str,
        inner: ClangType<'tu>,
        write: impl Fn(&mut Mangler, ClangType<'tu>) -> String,
    ) -> String {
        let full = format!("{prefix}{}", write(&mut Mangler::default(), inner));
        if let Some(short) = self.short(&full) {
            return short;
        }
        let text = format!("{prefix}{}", write(self, inner));
        self.seen.push(full);
        text
    }

    fn short(&self, full: &str) -> Option<String> {
        let n = self.seen.iter().position(|s| s == full)?;
        Some(sequence(n))
    }
}

/// What stands for the part of a name that came as number `n`: `S_`, then `S0_`, `S1_` and on, to the base 36.
fn sequence(n: usize) -> String {
    const DIGITS: &[u8; 36] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
    let Some(mut rest) = n.checked_sub(1) else { return "S_".to_owned() };
    let mut digits = Vec::new();
    loop {
        digits.push(char::from(DIGITS[rest % DIGITS.len()]));
        rest /= DIGITS.len();
        if rest == 0 {
            break;
        }
    }
    let digits: String = digits.into_iter().rev().collect();
    format!("S{digits}_")
}

fn builtin(kind: TypeKind) -> Option<&'static str> {
    Some(match kind {
        TypeKind::Void => "v",
        TypeKind::Bool => "b",
        TypeKind::CharS | TypeKind::CharU => "c",
        TypeKind::SChar => "a",
        TypeKind::UChar => "h",
        TypeKind::WChar => "w",
        TypeKind::Char16 => "Ds",
        TypeKind::Char32 => "Di",
        TypeKind::Short => "s",
        TypeKind::UShort => "t",
        TypeKind::Int => "i",
        TypeKind::UInt => "j",
        TypeKind::Long => "l",
        TypeKind::ULong => "m",
        TypeKind::LongLong => "x",
        TypeKind::ULongLong => "y",
        TypeKind::Int128 => "n",
        TypeKind::UInt128 => "o",
        TypeKind::Float => "f",
        TypeKind::Double => "d",
        TypeKind::LongDouble => "e",
        TypeKind::Float128 => "g",
        TypeKind::NullPtr => "Dn",
        _ => return None,
    })
}

fn source_name(name: &str) -> String {
    format!("{}{name}", name.len())
}

/// The name of a class or enumeration.
fn declared(decl: Decl<'_>) -> String {
    if let Some(name) = name_from_members(decl) {
        return name;
    }
    let mut parts = vec![source_name(&decl.spelling())];
    let mut at = decl;
    while let Some(parent) = at.semantic_parent() {
        if parent.kind().is_function() {
            let inside = symbol(parent);
            let inside = inside.strip_prefix("_Z").map_or_else(|| source_name(&inside), str::to_owned);
            parts.reverse();
            let nested = if parts.len() > 1 { format!("N{}E", parts.concat()) } else { parts.concat() };
            return format!("Z{inside}E{nested}");
        }
        match parent.kind() {
            DeclKind::Namespace if parent.spelling().is_empty() || parent.is_anonymous() => {
                parts.push("12_GLOBAL__N_1".to_owned());
            }
            DeclKind::Namespace if parent.spelling() == "std" => parts.push("St".to_owned()),
            DeclKind::Namespace | DeclKind::Record => {
                parts.push(source_name(&parent.spelling()));
            }
            DeclKind::Linkage => {}
            _ => break,
        }
        at = parent;
    }
    parts.reverse();
    nested(&parts)
}

fn nested(parts: &[String]) -> String {
    match parts {
        [_] => parts.concat(),
        [first, _] if first == "St" => parts.concat(),
        _ => format!("N{}E", parts.concat()),
    }
}

/// The name of an instance of a template or of a closure, taken from that of one of its members.
fn name_from_members(decl: Decl<'_>) -> Option<String> {
    let closure = decl.is_closure();
    if !closure && decl.specialized_template().is_none() && !in_template(decl) {
        return None;
    }
    let methods: Vec<_> = decl.ty().methods().into_iter().flatten().map(Decl::new).collect();
    let methods = if methods.is_empty() { decl.members() } else { methods };
    for method in methods.into_iter().filter(|m| m.kind().is_function()) {
        let name = symbol(method);
        let Some(at) = name.find('N').filter(|_| name.starts_with("_Z")) else { continue };
        let ends: &[&str] = match method.kind() {
            DeclKind::Constructor => &["C2E", "C1E"],
            DeclKind::Destructor => &["D2Ev", "D1Ev", "D0Ev"],
            _ if closure => &["clE"],
            _ => continue,
        };
        let Some(end) = ends.iter().find_map(|e| name.rfind(e)).filter(|&end| end > at) else { continue };
        if name.starts_with("_ZN") {
            let parts = name[3..end].trim_start_matches('K');
            let single = components(parts) == 1 || parts.starts_with("St") && components(&parts[2..]) == 1;
            return Some(if single { parts.to_owned() } else { format!("N{parts}E") });
        }
        // A member of what a function declares: `Z` function `E`, then the name.
        let start = name[..end].rfind("EN")?;
        let inner = name[start + 2..end].trim_start_matches('K');
        return Some(format!("{}E{inner}", &name[2..start]));
    }
    None
}

fn in_template(decl: Decl<'_>) -> bool {
    decl.semantic_parent().is_some_and(|p| p.specialized_template().is_some() || in_template(p))
}

/// How many names stand in a row, template arguments aside.
fn components(text: &str) -> usize {
    let bytes = text.as_bytes();
    let (mut at, mut count) = (0, 0);
    while at < bytes.len() {
        if bytes[at].is_ascii_digit() {
            let mut length = 0;
            while at < bytes.len() && bytes[at].is_ascii_digit() {
                length = length * 10 + usize::from(bytes[at] - b'0');
                at += 1;
            }
            at += length;
            count += 1;
        } else if bytes[at] == b'I' {
            // Template arguments: to the matching `E`. Names in between are skipped whole.
            let mut depth = 0;
            while at < bytes.len() {
                match bytes[at] {
                    b'0'..=b'9' if depth > 0 && !is_literal(bytes, at) => {
                        let mut length = 0;
                        while at < bytes.len() && bytes[at].is_ascii_digit() {
                            length = length * 10 + usize::from(bytes[at] - b'0');
                            at += 1;
                        }
                        at += length;
                        continue;
                    }
                    b'I' | b'N' | b'L' | b'J' | b'F' | b'X' => depth += 1,
                    b'E' => depth -= 1,
                    _ => {}
                }
                at += 1;
                if depth == 0 {
                    break;
                }
            }
        } else {
            at += 1;
            count += usize::from(bytes[at - 1] == b'S');
        }
    }
    count
}

/// Whether the digits at a position are those of a number, `Li5E`.
fn is_literal(bytes: &[u8], at: usize) -> bool {
    at >= 2 && bytes[at - 2] == b'L' || at >= 3 && bytes[at - 3] == b'L' && bytes[at - 1] == b'n'
}

#[cfg(test)]
mod tests {
    use super::sequence;

    /// As the Itanium C++ ABI counts: `<seq-id>` is a number to the base 36.
    #[test]
    fn parts_are_counted_to_the_base_36() {
        let names = [0, 1, 10, 11, 36, 37, 38, 72, 73, 1296, 1297].map(sequence);
        let expected = ["S_", "S0_", "S9_", "SA_", "SZ_", "S10_", "S11_", "S1Z_", "S20_", "SZZ_", "S100_"];
        assert_eq!(names, expected);
    }
}
