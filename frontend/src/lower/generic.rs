//! `_Generic`: which association is chosen.
//!
//! libclang does not say; the type of the whole does where it is unique, else the text is read.

use super::R;
use super::func::FnLower;
use super::types::{Kind, QTy, Ty};
use crate::clang::{Cursor, CursorKind};
use cudair_ir::Type;

impl<'tu> FnLower<'_, 'tu, '_> {
    /// The association that `_Generic` selects. libclang does not say which; the type of the whole does
    /// where it is unique, else the associations are read from the text.
    pub fn generic_choice(&mut self, e: Cursor<'tu>) -> R<Cursor<'tu>> {
        let exprs = e.expressions();
        let Some((&control, choices)) = exprs.split_first() else {
            return self.internal("a generic selection without a controlling expression", e);
        };
        let want = self.cx.type_of(e);
        let mut fitting = Vec::new();
        for &choice in choices {
            if self.cx.type_of(choice).ty == want.ty {
                fitting.push(choice);
            }
        }
        if let [one] = fitting.as_slice() {
            return Ok(*one);
        }
        if let [one] = choices {
            return Ok(*one);
        }
        let control_ty = control.ty().canonical().unqualified();
        let names = generic_labels(&e.tokens(self.cx.unit));
        if names.len() != choices.len() {
            return self.unsupported("a generic selection whose choice is not visible", e);
        }
        let mut default = None;
        for (name, &choice) in names.iter().zip(choices) {
            if name == "default" {
                default = Some(choice);
            } else if self.names_type(name, control_ty) {
                return Ok(choice);
            }
        }
        match default {
            Some(choice) => Ok(choice),
            None => self.unsupported("a generic selection whose choice is not visible", e),
        }
    }

    /// Whether a type name in the text is the type `ty`, after the decay of `ty`.
    pub fn names_type(&mut self, name: &str, ty: crate::clang::Type<'tu>) -> bool {
        use crate::clang::TypeKind;
        let wanted = match ty.kind() {
            TypeKind::ConstantArray | TypeKind::IncompleteArray | TypeKind::VariableArray => {
                format!("{} *", ty.array_element().spelling())
            }
            _ => ty.spelling(),
        };
        // A typedef in the name stands for its type.
        let words: Vec<String> = name
            .split(' ')
            .map(|w| self.cx.typedef(w).map_or(w.to_owned(), |t| t.canonical().spelling()))
            .collect();
        normalized(&words.join(" ")) == normalized(&wanted)
    }

    /// A type from its name in the text: built-in types, pointers to them, and the typedefs and tags
    /// that the selection refers to.
    pub fn named_type(&mut self, name: &str, e: Cursor<'tu>) -> Option<Ty> {
        let mut words: Vec<&str> = name
            .split(' ')
            .filter(|w| !w.is_empty() && !matches!(*w, "const" | "volatile" | "restrict"))
            .collect();
        if words.last() == Some(&"*") {
            words.pop();
            let inner = self.named_type(&words.join(" "), e)?;
            return Some(self.cx.types.pointer_to(QTy::plain(inner)));
        }
        if let [one] = words.as_slice()
            && let Some(t) = self.cx.typedef(one)
        {
            return Some(self.cx.types.of(t).ty);
        }
        for child in e.children().into_iter().filter(|c| c.kind() == CursorKind::TypeRef) {
            let spelled = child.spelling();
            if spelled == words.join(" ")
                || spelled.rsplit(' ').next() == words.last().copied() && words.len() == 1
            {
                return Some(self.cx.types.of(child.ty()).ty);
            }
        }
        let count = |w: &str| words.iter().filter(|x| **x == w).count();
        let unsigned = count("unsigned") > 0;
        let types = &mut self.cx.types;
        Some(match () {
            () if count("void") > 0 => types.void,
            () if count("_Bool") + count("bool") > 0 => types.bool,
            () if count("char") > 0 => types.int_type(8, !unsigned),
            () if count("short") > 0 => types.int_type(16, !unsigned),
            () if count("float") > 0 => types.intern(Kind::Float(Type::F32)),
            () if count("double") > 0 && count("long") > 0 => types.intern(Kind::Float(Type::F80)),
            () if count("double") > 0 => types.intern(Kind::Float(Type::F64)),
            () if count("long") > 0 => types.int_type(64, !unsigned),
            () if count("__int128") > 0 => types.int_type(128, !unsigned),
            () if count("int") > 0 || unsigned || count("signed") > 0 => types.int_type(32, !unsigned),
            () => return None,
        })
    }
}

/// A type name with its words in one order: per level of pointer, the sorted words without those that
/// say nothing (`int` beside `long`).
fn normalized(name: &str) -> Vec<Vec<String>> {
    let spaced = name.replace('*', " * ");
    spaced
        .split('*')
        .map(|level| {
            let mut words: Vec<String> = level.split_whitespace().map(str::to_owned).collect();
            let has = |w: &str| words.iter().any(|x| x == w);
            let sized = has("long") || has("short");
            let implied = has("unsigned") && !sized && !has("char") && !has("__int128");
            let char = has("char");
            if sized {
                words.retain(|w| w != "int");
            }
            if implied && !words.iter().any(|w| w == "int") {
                words.push("int".to_owned());
            }
            if !char {
                words.retain(|w| w != "signed");
            }
            if words.is_empty() && level.contains("signed") {
                words.push("int".to_owned());
            }
            words.iter_mut().filter(|w| *w == "bool").for_each(|w| "_Bool".clone_into(w));
            words.sort();
            words
        })
        .collect()
}

/// The association labels of a generic selection, from its tokens.
fn generic_labels(tokens: &[String]) -> Vec<String> {
    let mut labels = Vec::new();
    let mut depth = 0;
    let mut current: Option<Vec<&str>> = None;
    for token in tokens {
        match token.as_str() {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" => depth -= 1,
            "," if depth == 1 => {
                current = Some(Vec::new());
                continue;
            }
            ":" if depth == 1 => {
                if let Some(words) = current.take() {
                    labels.push(words.join(" "));
                }
                continue;
            }
            _ => {}
        }
        if let Some(words) = &mut current {
            words.push(token);
        }
    }
    labels
}
