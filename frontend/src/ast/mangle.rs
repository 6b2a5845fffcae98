//! Names of types as the Itanium C++ ABI has them, for what `typeid` and handlers compare.
//!
//! libclang gives the names of functions alone. That of a class that a template or a function made is taken from those of
//! its members.

use super::symbol;
use crate::clang::{Cursor, CursorKind, TemplateArgument, Type as ClangType, TypeKind};
use crate::types::{Decl, DeclKind};

/// The name of a type as the Itanium C++ ABI has it; `None` where libclang does not tell what it is made of.
pub(crate) fn mangle(ty: ClangType<'_>) -> Option<String> {
    Mangler::default().ty(ty)
}

/// Writes names of types; what came before is written shorter.
#[derive(Default)]
struct Mangler {
    /// What came before, in full.
    seen: Vec<String>,
}

impl Mangler {
    fn ty(&mut self, ty: ClangType<'_>) -> Option<String> {
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
                let full = format!("M{}{}", mangle(ty.member_class())?, mangle(ty.pointee())?);
                if let Some(short) = self.short(&full) {
                    return Some(short);
                }
                let class = self.ty(ty.member_class())?;
                let to = self.ty(ty.pointee())?;
                self.seen.push(full);
                Some(format!("M{class}{to}"))
            }
            TypeKind::FunctionProto | TypeKind::FunctionNoProto => self.compound("F", ty, |m, t| {
                let mut text = m.ty(t.result())?;
                let parameters = t.parameters();
                for &p in &parameters {
                    text += &m.ty(p)?;
                }
                if t.is_variadic() {
                    text += "z";
                } else if parameters.is_empty() {
                    text += "v";
                }
                Some(text + "E")
            }),
            TypeKind::Record | TypeKind::Enum => {
                let full = declared(Decl::new(ty.declaration()))?;
                if let Some(short) = self.short(&full) {
                    return Some(short);
                }
                self.seen.push(full.clone());
                Some(full)
            }
            kind => Some(builtin(kind).map_or_else(|| source_name(&ty.spelling()), str::to_owned)),
        }
    }

    /// A type made from another.
    fn compound<'tu>(
        &mut self,
        prefix: &str,
        inner: ClangType<'tu>,
        write: impl Fn(&mut Mangler, ClangType<'tu>) -> Option<String>,
    ) -> Option<String> {
        let full = format!("{prefix}{}", write(&mut Mangler::default(), inner)?);
        if let Some(short) = self.short(&full) {
            return Some(short);
        }
        let text = format!("{prefix}{}", write(self, inner)?);
        self.seen.push(full);
        Some(text)
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
        TypeKind::Char8 => "Du",
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
fn declared(decl: Decl<'_>) -> Option<String> {
    let encloser = function_around(decl);
    if decl.is_closure() || encloser.is_some() || is_made_from_template(decl) {
        if let Some(name) = name_from_members(decl, encloser) {
            return Some(name);
        }
        if decl.is_closure() {
            return None;
        }
    }
    let mut parts = vec![class_part(decl)?];
    let mut at = decl;
    while let Some(parent) = at.semantic_parent() {
        if parent.kind().is_function() {
            break;
        }
        match parent.kind() {
            DeclKind::Namespace if parent.spelling().is_empty() || parent.is_anonymous() => {
                parts.push(("12_GLOBAL__N_1".to_owned(), String::new()));
            }
            DeclKind::Namespace if is_std(parent) => parts.push(("St".to_owned(), String::new())),
            DeclKind::Namespace => parts.push((source_name(&parent.spelling()), String::new())),
            DeclKind::Record => parts.push(class_part(parent)?),
            DeclKind::Linkage => {}
            _ => break,
        }
        at = parent;
    }
    parts.reverse();
    // A class among the arguments would be written shorter where a part of its name came before.
    let classes = parts.iter().filter(|p| p.1.contains(|c: char| c.is_ascii_digit())).count();
    let repeats = |(_, arguments): &(String, String)| parts.iter().any(|p| arguments.contains(&p.0));
    if classes > 1 || parts.iter().any(repeats) {
        return None;
    }
    let name = nested(&parts.into_iter().map(|(name, arguments)| name + &arguments).collect::<Vec<_>>());
    Some(match encloser {
        Some(function) => format!("Z{}E{name}{}", encoding(function), local_number(decl, function)),
        None => name,
    })
}

/// The name of a class or enumeration itself, and the arguments of the template that it was made from.
fn class_part(decl: Decl<'_>) -> Option<(String, String)> {
    let arguments = decl.cursor().arguments_of_template();
    let arguments = if arguments.is_empty() { String::new() } else { template_arguments(decl, &arguments)? };
    Some((source_name(&decl.spelling()), arguments))
}

/// Whether a declaration is the namespace `std` itself.
fn is_std(decl: Decl<'_>) -> bool {
    decl.spelling() == "std" && scopes(decl) == 0
}

/// How many namespaces and classes stand around a declaration, up to a function.
fn scopes(decl: Decl<'_>) -> usize {
    match decl.semantic_parent() {
        Some(parent) => match parent.kind() {
            DeclKind::Namespace | DeclKind::Record => 1 + scopes(parent),
            DeclKind::Linkage => scopes(parent),
            _ => 0,
        },
        None => 0,
    }
}

fn function_around(decl: Decl<'_>) -> Option<Decl<'_>> {
    let parent = decl.semantic_parent()?;
    if parent.kind().is_function() { Some(parent) } else { function_around(parent) }
}

fn is_made_from_template(decl: Decl<'_>) -> bool {
    decl.specialized_template().is_some() || in_template(decl)
}

fn nested(parts: &[String]) -> String {
    match parts {
        [_] => parts.concat(),
        [first, _] if first == "St" => parts.concat(),
        _ => format!("N{}E", parts.concat()),
    }
}

/// The name and type of a function, as they stand in the names of what it declares.
fn encoding(function: Decl<'_>) -> String {
    let name = plain_encoding(function);
    match function.semantic_parent().filter(|p| p.is_closure()) {
        Some(closure) => numbered(name, closure),
        None => name,
    }
}

/// As [`encoding`] where libclang tells it.
fn plain_encoding(function: Decl<'_>) -> String {
    let name = symbol(function);
    name.strip_prefix("_Z").map_or_else(|| source_name(&name), str::to_owned)
}

/// `I`, the arguments of the template that a class was made from, and `E`; `None` where they are others than types, of which
/// one may be a class, and integers.
fn template_arguments(decl: Decl<'_>, arguments: &[TemplateArgument<'_>]) -> Option<String> {
    let mut template = decl.specialized_template()?;
    while let Some(primary) = template.specialized_template() {
        template = primary;
    }
    let is_parameter = |c: &Cursor<'_>| {
        matches!(
            c.kind(),
            CursorKind::TemplateTypeParameter
                | CursorKind::NonTypeTemplateParameter
                | CursorKind::TemplateTemplateParameter
        )
    };
    let parameters: Vec<_> = template.cursor().children().into_iter().filter(is_parameter).collect();
    let mut text = "I".to_owned();
    let mut classes = 0;
    for (i, argument) in arguments.iter().enumerate() {
        match *argument {
            TemplateArgument::Type(ty) => {
                let name = mangle(ty)?;
                classes += usize::from(name.contains(|c: char| c.is_ascii_digit()) || name.len() > 2);
                text += &name;
            }
            TemplateArgument::Integer(value) => {
                let ty = builtin(parameters.get(i)?.ty().canonical().kind())?;
                let is_unsigned = matches!(ty, "m" | "y");
                let value = if is_unsigned { i128::from(value as u64) } else { i128::from(value) };
                text += &format!("L{ty}{}{}E", if value < 0 { "n" } else { "" }, value.unsigned_abs());
            }
            TemplateArgument::Other => return None,
        }
    }
    (classes <= 1).then(|| text + "E")
}

/// The name of an instance of a template, of a closure or of what a function declares, taken from that of one of its
/// members.
fn name_from_members(decl: Decl<'_>, encloser: Option<Decl<'_>>) -> Option<String> {
    let closure = decl.is_closure();
    let methods: Vec<_> = decl.ty().methods().into_iter().flatten().map(Decl::new).collect();
    let methods = if methods.is_empty() { decl.members() } else { methods };
    methods.into_iter().filter(|m| m.kind().is_function()).find_map(|method| {
        let mut names = method.cxx_manglings();
        let (prefix, behind) = match method.kind() {
            DeclKind::Constructor | DeclKind::Destructor => structor_class(&names)?,
            DeclKind::Method if closure && method.spelling() == "operator()" => {
                names.push(method.mangling());
                call_class(names.last()?)?
            }
            _ => return None,
        };
        let prefix = numbered(prefix.to_owned(), decl);
        let Some(function) = encloser else {
            let parts = without_qualifiers(prefix.strip_prefix("_ZN")?);
            // A member of a namespace's own is written without brackets.
            let single = if closure {
                components(parts) == 1 || parts.starts_with("St") && components(&parts[2..]) == 1
            } else {
                scopes(decl) == 0 || scopes(decl) == 1 && decl.semantic_parent().is_some_and(is_std)
            };
            return Some(if single { parts.to_owned() } else { format!("N{parts}E") });
        };
        // A member of what a function declares: `Z` function `E`, then the name, then its number among those of that name.
        let inside = prefix.strip_prefix("_ZZ")?.get(plain_encoding(function).len()..)?.strip_prefix("EN")?;
        let inside = without_qualifiers(inside);
        let name = if scopes(decl) == 0 { inside.to_owned() } else { format!("N{inside}E") };
        let number = match discriminator(behind) {
            "" if !closure => local_number(decl, function),
            told => told.to_owned(),
        };
        Some(format!("Z{}E{name}{number}", encoding(function)))
    })
}

/// The names of a constructor's or destructor's variants differ in one digit, which follows the name of the class: that name
/// with what is before it, and what follows the variant's.
fn structor_class(names: &[String]) -> Option<(&str, &str)> {
    let (first, others) = names.split_first()?;
    let at = others.iter().find_map(|other| {
        let differ = |(a, b): (u8, u8)| a != b;
        first.bytes().zip(other.bytes()).position(differ).filter(|_| first.len() == other.len())
    })?;
    let class = first.get(..at)?.strip_suffix('C').or_else(|| first[..at].strip_suffix('D'));
    // `CI1` and `CI2` are inherited: a type follows, which nobody needs here.
    Some((class?, first.get(at + 1..)?.strip_prefix('E')?))
}

/// The number of a local class among those of its name in a function: none for the first, `_0` for the second. libclang tells
/// it where other units may see the class.
fn local_number(decl: Decl<'_>, function: Decl<'_>) -> String {
    let mut outermost = decl;
    while let Some(parent) = outermost.semantic_parent().filter(|p| !p.is_same_entity(function)) {
        outermost = parent;
    }
    let mut same = Vec::new();
    collect_local(function.cursor(), &outermost.spelling(), &mut same);
    same.retain(|d| d.semantic_parent().is_some_and(|p| p.is_same_entity(function)));
    match same.iter().position(|d| d.is_same_entity(outermost)).and_then(|n| n.checked_sub(1)) {
        Some(n) if n < 10 => format!("_{n}"),
        Some(n) => format!("__{n}_"),
        None => String::new(),
    }
}

/// The classes and enumerations of a name that stand below a node.
fn collect_local<'tu>(at: Cursor<'tu>, name: &str, found: &mut Vec<Decl<'tu>>) {
    for child in at.children() {
        let decl = Decl::new(child);
        let is_type = matches!(decl.kind(), DeclKind::Record | DeclKind::Enumeration);
        if is_type && decl.spelling() == name && !found.iter().any(|d| d.is_same_entity(decl)) {
            found.push(decl);
        }
        collect_local(child, name, found);
    }
}

/// clang numbers the closures that no other unit sees as it meets them; libclang meets each as the first.
const UNNUMBERED: &str = "3$_0";

/// A name with such closures in it, of a closure or of a class with closures among its arguments. Their numbers are here the
/// lines and columns where they stand and, of those that a macro makes, where they stand in its definition.
fn numbered(name: String, class: Decl<'_>) -> String {
    if !name.contains(UNNUMBERED) {
        return name;
    }
    let mut closures = Vec::new();
    note_closures(class.ty(), &mut closures);
    let mut places = String::new();
    for closure in closures {
        let range = closure.cursor().range();
        places += &format!("_{}_{}", range.start.line, range.start.column);
        if let Some((spelled, _)) = range.spelling {
            places += &format!("_{}_{}", spelled.line, spelled.column);
        }
    }
    if places.is_empty() { name } else { name.replace(UNNUMBERED, &source_name(&format!("${places}"))) }
}

/// The closures that a type is made of or declared in.
fn note_closures<'tu>(ty: ClangType<'tu>, found: &mut Vec<Decl<'tu>>) {
    let ty = ty.canonical();
    match ty.kind() {
        TypeKind::Record => {
            let mut around = Some(Decl::new(ty.declaration()));
            while let Some(scope) = around {
                found.extend(Some(scope).filter(|s| s.is_closure()));
                around = scope.semantic_parent();
            }
            ty.template_arguments().into_iter().for_each(|argument| note_closures(argument, found));
        }
        TypeKind::Pointer | TypeKind::LValueReference | TypeKind::RValueReference => {
            note_closures(ty.pointee(), found);
        }
        TypeKind::ConstantArray | TypeKind::IncompleteArray => note_closures(ty.array_element(), found),
        TypeKind::FunctionProto => {
            note_closures(ty.result(), found);
            ty.parameters().into_iter().for_each(|parameter| note_closures(parameter, found));
        }
        _ => {}
    }
}

/// As [`structor_class`] of a closure's call operator, `cl`, which follows `Ul` types `E` number `_`.
fn call_class(name: &str) -> Option<(&str, &str)> {
    let bytes = name.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        let digits = bytes[at..].iter().take_while(|b| b.is_ascii_digit()).count();
        let behind = bytes.get(at + digits).copied();
        if digits > 0 && behind != Some(b'_') && !is_literal(bytes, at) {
            // An identifier: its own letters say nothing.
            at += digits + name[at..at + digits].parse::<usize>().ok()?;
            continue;
        }
        at += digits.max(1);
        let numbered = name[..at].trim_end_matches(|c: char| c.is_ascii_digit());
        if numbered.ends_with('E') && bytes[at..].starts_with(b"_cl") {
            // Behind the operator of a generic closure its arguments follow.
            let behind = name.get(at + 3..)?;
            return Some((&name[..=at], behind.trim_start_matches('E')));
        }
    }
    None
}

/// `const`, `volatile` and the like of a member function stand before the class's name.
fn without_qualifiers(text: &str) -> &str {
    text.trim_start_matches(['r', 'V', 'K', 'R', 'O'])
}

/// The number of a name among the same names of a function, `_0` or `__10_`, that begins a text.
fn discriminator(text: &str) -> &str {
    let digits = |from: usize| text[from..].bytes().take_while(u8::is_ascii_digit).count();
    if text.starts_with("__") && digits(2) > 0 && text[2 + digits(2)..].starts_with('_') {
        return &text[..3 + digits(2)];
    }
    if text.starts_with('_') && digits(1) > 0 { &text[..2] } else { "" }
}

fn in_template(decl: Decl<'_>) -> bool {
    decl.semantic_parent().is_some_and(is_made_from_template)
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
    use super::{call_class, discriminator, sequence, structor_class};

    /// The letters of identifiers are not those of the grammar.
    #[test]
    fn classes_in_names_of_members() {
        let names = |names: [&str; 2]| names.map(str::to_owned);
        let ctor = names(["_ZN3C1E3C2EIiEC2ES_3C1E", "_ZN3C1E3C2EIiEC1ES_3C1E"]);
        assert_eq!(structor_class(&ctor), Some(("_ZN3C1E3C2EIiE", "S_3C1E")));
        let local = names(["_ZZ4mainEN1AD2E_0v", "_ZZ4mainEN1AD1E_0v"]);
        assert_eq!(structor_class(&local), Some(("_ZZ4mainEN1A", "_0v")));
        assert_eq!(call_class("_ZZ4mainENKUl4E_clE0_clES_"), Some(("_ZZ4mainENKUl4E_clE0_", "S_")));
        assert_eq!(call_class("_ZZ4mainENKUlvE_clEv"), Some(("_ZZ4mainENKUlvE_", "v")));
        assert_eq!(call_class("_ZN3fooEv"), None);
    }

    #[test]
    fn numbers_of_local_names() {
        let found = ["_0v", "__10_v", "v", "", "_", "_ZTS"].map(discriminator);
        assert_eq!(found, ["_0", "__10_", "", "", "", ""]);
    }

    /// As the Itanium C++ ABI counts: `<seq-id>` is a number to the base 36.
    #[test]
    fn parts_are_counted_to_the_base_36() {
        let names = [0, 1, 10, 11, 36, 37, 38, 72, 73, 1296, 1297].map(sequence);
        let expected = ["S_", "S0_", "S9_", "SA_", "SZ_", "S10_", "S11_", "S1Z_", "S20_", "SZZ_", "S100_"];
        assert_eq!(names, expected);
    }
}
