//! The alignment that a declaration asks for.

use super::recovered::builtin;
use crate::ast::{Ast, Broken};
use crate::clang::{Cursor, CursorKind, Evaluated};
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
        self.sum(words, decl).or_else(|| self.of_type(words, decl).map(|t| t.1))
    }

    /// A sum of products, without brackets but those of `sizeof`, `alignof` and around parts.
    fn sum(&mut self, words: &[&str], decl: Decl<'tu>) -> Option<u64> {
        let mut total: u64 = 0;
        for part in split(words, "+") {
            let mut product: u64 = 1;
            for factor in split(part, "*") {
                product = product.checked_mul(self.factor(factor, decl)?)?;
            }
            total = total.checked_add(product)?;
        }
        Some(total)
    }

    fn factor(&mut self, words: &[&str], decl: Decl<'tu>) -> Option<u64> {
        match words {
            ["(", inner @ .., ")"] => self.sum(inner, decl),
            ["sizeof", "(", inner @ .., ")"] => self.of_type(inner, decl).map(|t| t.0),
            ["alignof" | "_Alignof" | "__alignof" | "__alignof__", "(", inner @ .., ")"] => {
                self.of_type(inner, decl).map(|t| t.1)
            }
            [number] if number.starts_with(|c: char| c.is_ascii_digit()) => {
                let digits = number.trim_end_matches(['u', 'U', 'l', 'L']);
                match digits.strip_prefix("0x") {
                    Some(hex) => u64::from_str_radix(hex, 16).ok(),
                    None => digits.parse().ok(),
                }
            }
            [.., name] => u64::try_from(self.constant_named(name)?).ok(),
            [] => None,
        }
    }

    /// Size and alignment of the type that some words name.
    fn of_type(&mut self, words: &[&str], decl: Decl<'tu>) -> Option<(u64, u64)> {
        let ignored =
            |w: &&str| matches!(*w, "const" | "volatile" | "struct" | "class" | "union" | "typename");
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
        let around = self.around.replace(decl);
        let argument = self.template_argument(&words);
        self.around = around;
        let ty = match argument {
            Some(ty) => ty,
            None => self.types.class_written(&words.join(" "), |_| true).or_else(|| {
                for top in self.unit.cursor().children().into_iter().filter(|c| !c.in_system_header()) {
                    self.meet_types(top);
                }
                self.types.class_written(&words.join(" "), |_| true)
            })?,
        };
        let q = self.types.of(ty);
        if let Kind::Unsupported(_) = self.types.kind(q.ty) {
            return None;
        }
        Some((self.types.size(q.ty)?, u64::from(self.types.align(q.ty))))
    }

    /// The value of the constants of the program that have a name, if all of them have the same.
    fn constant_named(&self, name: &str) -> Option<i128> {
        let mut found = Vec::new();
        for top in self.unit.cursor().children() {
            constants_named(top, name, &mut found);
        }
        let first = *found.first()?;
        found.iter().all(|v| *v == first).then_some(first)?
    }
}

/// Notes the values of the constants with a name that a declaration holds; `None` of one that has no value.
fn constants_named(at: Cursor<'_>, name: &str, found: &mut Vec<Option<i128>>) {
    match at.kind() {
        CursorKind::Namespace
        | CursorKind::LinkageSpec
        | CursorKind::EnumDecl
        | CursorKind::StructDecl
        | CursorKind::ClassDecl => {
            for inner in at.children() {
                constants_named(inner, name, found);
            }
        }
        CursorKind::VarDecl if at.spelling() == name => {
            let value = at.initializer().and_then(Cursor::evaluate);
            found.push(match value {
                Some(Evaluated::Int(n)) => Some(n),
                _ => None,
            });
        }
        CursorKind::EnumConstantDecl if at.spelling() == name => found.push(Some(at.enumerator_value(true))),
        _ => {}
    }
}

/// The parts between the signs outside of brackets.
fn split<'a, 'w>(words: &'a [&'w str], sign: &str) -> Vec<&'a [&'w str]> {
    let (mut parts, mut start, mut depth) = (Vec::new(), 0, 0usize);
    for (n, word) in words.iter().enumerate() {
        match *word {
            "(" | "[" | "<" => depth += 1,
            ")" | "]" | ">" => depth = depth.saturating_sub(1),
            w if w == sign && depth == 0 => {
                parts.push(&words[start..n]);
                start = n + 1;
            }
            _ => {}
        }
    }
    parts.push(&words[start..]);
    parts
}

fn unknown(decl: Decl<'_>, operand: Option<&[String]>) -> Broken {
    let operand = operand.map_or(String::new(), |words| format!(" `{}`", words.join(" ")));
    Broken::unsupported(format!("the alignment{operand} that `{}` asks for", decl.spelling()))
}
