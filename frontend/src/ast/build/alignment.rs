//! The alignment that a declaration asks for.

use super::recovered::builtin;
use crate::ast::{Ast, Broken};
use crate::clang::{Cursor, CursorKind, Evaluated, Type as ClangType};
use crate::recover;
use crate::types::{Decl, Kind};

/// What the attribute `aligned` without an operand asks for: the most that a type of the target wants.
const MOST: u64 = 16;

impl<'tu> Ast<'tu> {
    /// The alignment in bytes that attributes on a declaration ask for, 1 where they ask for none.
    ///
    /// # Errors
    /// Where an operand's value cannot be known.
    pub fn declared_alignment(&mut self, decl: Decl<'tu>) -> Result<u32, Broken> {
        let mut most = 1;
        for operand in recover::alignments(decl.cursor()).ok_or_else(|| unknown(decl, None))? {
            let words: Vec<&str> = operand.iter().map(String::as_str).collect();
            let asked = match words.as_slice() {
                [] => Some(MOST),
                // `alignas(0)` asks for nothing.
                words => self.operand(words, decl).filter(|&n| n == 0 || n.is_power_of_two()),
            };
            let asked = asked.and_then(|n| u32::try_from(n).ok());
            most = most.max(asked.ok_or_else(|| unknown(decl, Some(&operand)))?);
        }
        Ok(most)
    }

    /// The value of an operand: a constant expression, or a type's alignment.
    fn operand(&mut self, words: &[&str], decl: Decl<'tu>) -> Option<u64> {
        let mut rest = words;
        match self.shift(&mut rest, decl) {
            Some(value) if rest.is_empty() => Some(value),
            _ => self.of_type(words, decl).map(|t| t.1),
        }
    }

    /// Shifts of sums of products, as far as the words go on so. `<<` is two words, as it may end lists of templates.
    fn shift(&mut self, rest: &mut &[&str], decl: Decl<'tu>) -> Option<u64> {
        let mut value = self.sum(rest, decl)?;
        while let ["<", "<", ..] = rest {
            *rest = &rest[2..];
            let by = u32::try_from(self.sum(rest, decl)?).ok()?;
            value = value.checked_mul(1u64.checked_shl(by)?)?;
        }
        Some(value)
    }

    fn sum(&mut self, rest: &mut &[&str], decl: Decl<'tu>) -> Option<u64> {
        let mut value = self.product(rest, decl)?;
        while let [sign @ ("+" | "-"), ..] = **rest {
            *rest = &rest[1..];
            let other = self.product(rest, decl)?;
            value = if sign == "+" { value.checked_add(other)? } else { value.checked_sub(other)? };
        }
        Some(value)
    }

    fn product(&mut self, rest: &mut &[&str], decl: Decl<'tu>) -> Option<u64> {
        let mut value = self.factor(rest, decl)?;
        while let [sign @ ("*" | "/" | "%"), ..] = **rest {
            *rest = &rest[1..];
            let other = self.factor(rest, decl)?;
            value = match sign {
                "*" => value.checked_mul(other)?,
                "/" => value.checked_div(other)?,
                _ => value.checked_rem(other)?,
            };
        }
        Some(value)
    }

    fn factor(&mut self, rest: &mut &[&str], decl: Decl<'tu>) -> Option<u64> {
        let (&first, behind) = rest.split_first()?;
        let is_measure = matches!(first, "sizeof" | "alignof" | "_Alignof" | "__alignof" | "__alignof__");
        if first == "(" || is_measure {
            let open = usize::from(is_measure);
            let close = closing(rest, open)?;
            let mut inner = &rest[open + 1..close];
            *rest = &rest[close + 1..];
            return match first {
                "(" => self.shift(&mut inner, decl).filter(|_| inner.is_empty()),
                "sizeof" => self.of_type(inner, decl).map(|t| t.0),
                _ => self.of_type(inner, decl).map(|t| t.1),
            };
        }
        if first.starts_with(|c: char| c.is_ascii_digit()) {
            *rest = behind;
            let digits = first.trim_end_matches(['u', 'U', 'l', 'L']);
            return match digits.strip_prefix("0x") {
                Some(hex) => u64::from_str_radix(hex, 16).ok(),
                None => digits.parse().ok(),
            };
        }
        let mut length = 1;
        while let Some(["::", _]) = rest.get(length..length + 2) {
            length += 2;
        }
        let name = Name::read(&rest[..length])?;
        *rest = &rest[length..];
        let values: Vec<_> = self.named(&name).into_iter().filter(|c| is_value(*c)).collect();
        if values.is_empty() {
            self.unit.miss_value(name.last);
        }
        u64::try_from(one(values.into_iter().map(value))?).ok()
    }

    /// Size and alignment of the type that some words name.
    fn of_type(&mut self, words: &[&str], decl: Decl<'tu>) -> Option<(u64, u64)> {
        let ignored = |w: &&str| {
            matches!(*w, "const" | "volatile" | "struct" | "class" | "union" | "enum" | "typename")
        };
        let words: Vec<&str> = words.iter().copied().filter(|w| !ignored(w)).collect();
        if words.last() == Some(&"*") {
            return Some((8, 8));
        }
        if let Some(mangled) = builtin(&words) {
            let size = match mangled {
                "b" | "c" | "a" | "h" => 1,
                "s" | "t" | "Ds" => 2,
                "i" | "j" | "f" | "w" | "Di" => 4,
                "l" | "m" | "x" | "y" | "d" => 8,
                "e" | "n" | "o" => 16,
                _ => return None,
            };
            return Some((size, size));
        }
        if let [word] = words.as_slice()
            && let Some(named) = type_of_function(decl.cursor(), word)
        {
            return self.measures(named.ty());
        }
        let around = self.around.replace(decl);
        let argument = self.template_argument(&words);
        self.around = around;
        if let Some(ty) = argument {
            return self.measures(ty);
        }
        if let Some(name) = Name::read(&words) {
            let types: Vec<Cursor<'tu>> = self.named(&name).into_iter().filter(|c| is_type(*c)).collect();
            if !types.is_empty() {
                return one(types.into_iter().map(|c| self.measures(c.ty())));
            }
            self.unit.miss_type(name.last);
        }
        self.meet_all_types();
        let ty = self.types.class_written(&words.join(" "), |_| true)?;
        self.measures(ty)
    }

    /// Size and alignment of a type.
    fn measures(&mut self, ty: ClangType<'tu>) -> Option<(u64, u64)> {
        let q = self.types.of(ty);
        if let Kind::Unsupported(_) = self.types.kind(q.ty) {
            return None;
        }
        // A type may be aligned by its own name.
        let align = self.types.align(q.ty).max(ty.align()?);
        Some((self.types.size(q.ty)?, u64::from(align)))
    }

    /// What is declared with a name, wherever it stands in the program, and outside of classes and functions of libraries.
    fn named(&self, name: &Name<'_>) -> Vec<Cursor<'tu>> {
        let find = |name: &Name<'_>| {
            let mut found = Vec::new();
            for top in self.unit.cursor().children() {
                note_named(top, name, top.in_system_header(), &mut found);
            }
            found
        };
        let found = find(name);
        // What C has, too, `std` takes from outside of all namespaces.
        let of_c = found.is_empty() && name.scope == Some("std");
        if of_c { find(&Name { scope: None, ..*name }) } else { found }
    }
}

/// A name, with what stands in front of its last `::`.
struct Name<'a> {
    last: &'a str,
    scope: Option<&'a str>,
}

impl<'a> Name<'a> {
    /// Reads `name`, `scope::name` and so on: nothing of what has arguments of templates.
    fn read(words: &[&'a str]) -> Option<Name<'a>> {
        let is_name = |w: &str| w.starts_with(|c: char| c.is_alphabetic() || c == '_');
        let is_right = |(n, w): (usize, &&str)| if n % 2 == 0 { is_name(w) } else { *w == "::" };
        if words.len().is_multiple_of(2) || !words.iter().enumerate().all(is_right) {
            return None;
        }
        let scope = words.len().checked_sub(3).map(|n| words[n]);
        Some(Name { last: words.last()?, scope })
    }

    fn is_of(&self, c: Cursor<'_>) -> bool {
        let in_scope = |scope| c.semantic_parent().is_some_and(|p| p.spelling() == scope);
        c.spelling() == self.last && self.scope.is_none_or(in_scope)
    }
}

fn note_named<'tu>(at: Cursor<'tu>, name: &Name<'_>, of_library: bool, found: &mut Vec<Cursor<'tu>>) {
    if (is_type(at) || is_value(at)) && name.is_of(at) {
        found.push(at);
    }
    let enters = matches!(at.kind(), CursorKind::Namespace | CursorKind::LinkageSpec | CursorKind::EnumDecl);
    if enters || !of_library {
        for inner in at.children() {
            note_named(inner, name, of_library, found);
        }
    }
}

/// The type of a name that the function around a declaration gives or takes, by reference, too.
fn type_of_function<'tu>(decl: Cursor<'tu>, name: &str) -> Option<Cursor<'tu>> {
    let function = decl.semantic_parent()?.ty();
    let named = |ty: ClangType<'tu>| {
        let ty = ty.canonical();
        let decls = [ty.declaration(), ty.pointee().declaration()];
        decls.into_iter().find(|d| is_type(*d) && d.spelling() == name)
    };
    [function.result()].into_iter().chain(function.parameters()).find_map(named)
}

fn is_type(c: Cursor<'_>) -> bool {
    match c.kind() {
        CursorKind::TypedefDecl | CursorKind::TypeAliasDecl => true,
        CursorKind::StructDecl | CursorKind::ClassDecl | CursorKind::UnionDecl | CursorKind::EnumDecl => {
            c.is_definition()
        }
        _ => false,
    }
}

fn is_value(c: Cursor<'_>) -> bool {
    matches!(c.kind(), CursorKind::VarDecl | CursorKind::EnumConstantDecl)
}

/// The value of an enumerator, or of a variable that has one.
fn value(c: Cursor<'_>) -> Option<i128> {
    if c.kind() == CursorKind::EnumConstantDecl {
        return Some(c.enumerator_value(true));
    }
    match c.initializer().and_then(Cursor::evaluate) {
        Some(Evaluated::Int(n)) => Some(n),
        _ => None,
    }
}

/// What all say, if there are any and each says something: a name may stand for any of those that have it.
fn one<T: PartialEq>(mut all: impl Iterator<Item = Option<T>>) -> Option<T> {
    let first = all.next()??;
    all.all(|other| other.as_ref() == Some(&first)).then_some(first)
}

/// Where the bracket at a position is closed.
fn closing(words: &[&str], open: usize) -> Option<usize> {
    let mut depth = 0usize;
    for (at, word) in words.iter().enumerate().skip(open) {
        match *word {
            "(" => depth += 1,
            ")" => depth = depth.checked_sub(1)?,
            _ => {}
        }
        if depth == 0 {
            return Some(at);
        }
    }
    None
}

fn unknown(decl: Decl<'_>, operand: Option<&[String]>) -> Broken {
    let operand = operand.map_or(String::new(), |words| format!(" `{}`", words.join(" ")));
    Broken::unsupported(format!("the alignment{operand} that `{}` asks for", decl.spelling()))
}
