//! The choice of a generic selection, `_Generic`.
//!
//! libclang shows neither the choice nor the types of the associations. Where the type of the whole does not tell the choice,
//! the print gives the names of the types, and what a name stands for is looked up in the scopes around the place.

use super::recovered::{is_builtin_word, squeezed};
use crate::ast::{Ast, Broken};
use crate::clang::{Cursor, CursorKind, Type as ClangType, TypeKind};
use crate::recover;

/// `const`, `volatile` and `restrict`.
#[derive(Clone, Copy, Default, PartialEq)]
struct Qualifiers {
    is_const: bool,
    is_volatile: bool,
    is_restrict: bool,
}

impl Qualifiers {
    fn of(ty: ClangType<'_>) -> Self {
        Qualifiers { is_const: ty.is_const(), is_volatile: ty.is_volatile(), is_restrict: ty.is_restrict() }
    }

    /// Takes a word; `false` if it is no qualifier.
    fn take(&mut self, word: &str) -> bool {
        match word {
            "const" => self.is_const = true,
            "volatile" => self.is_volatile = true,
            "restrict" | "__restrict" | "__restrict__" => self.is_restrict = true,
            _ => return false,
        }
        true
    }

    fn and(self, more: Self) -> Self {
        Qualifiers {
            is_const: self.is_const || more.is_const,
            is_volatile: self.is_volatile || more.is_volatile,
            is_restrict: self.is_restrict || more.is_restrict,
        }
    }
}

/// A type as pointers to pointers to a base, with the qualifiers of each, the outermost first and the base's last.
struct Shape<'tu> {
    qualifiers: Vec<Qualifiers>,
    base: Base<'tu>,
}

/// The type of the controlling expression's value.
struct Value<'tu> {
    shape: Shape<'tu>,
    /// As clang writes it.
    text: String,
}

enum Base<'tu> {
    Type(ClangType<'tu>),
    /// Words such as `unsigned long`.
    Words(String),
}

impl<'tu> Shape<'tu> {
    /// The shape of a type, its own qualifiers first.
    fn of(ty: ClangType<'tu>) -> Self {
        let mut shape = Shape { qualifiers: Vec::new(), base: Base::Type(ty) };
        shape.extend(ty, Qualifiers::default());
        shape
    }

    /// Goes on with a type, which has these qualifiers besides its own.
    fn extend(&mut self, ty: ClangType<'tu>, more: Qualifiers) {
        let mut ty = ty.canonical();
        self.qualifiers.push(Qualifiers::of(ty).and(more));
        while ty.kind() == TypeKind::Pointer {
            ty = ty.pointee().canonical();
            self.qualifiers.push(Qualifiers::of(ty));
        }
        self.base = Base::Type(ty.unqualified().canonical());
    }

    /// Whether it is the type of a value of shape `value`, or in C one compatible with it; `None` where words do not tell.
    fn is(&self, value: &Shape<'tu>, cxx: bool) -> Option<bool> {
        let (Some((own, inner)), Some((_, wanted))) =
            (self.qualifiers.split_first(), value.qualifiers.split_first())
        else {
            return None;
        };
        let Base::Type(wanted_base) = value.base else { return None };
        // A value has no qualifiers of its own.
        if *own != Qualifiers::default() || inner != wanted {
            return Some(false);
        }
        let is = |ty: ClangType<'tu>, kind: TypeKind| ty.kind() == kind;
        // In C an enumeration is compatible with its integer type, but no two with one another (C17, 6.7.2.2).
        let integer = |ty: ClangType<'tu>| {
            if cxx || !is(ty, TypeKind::Enum) {
                return ty;
            }
            let decl = ty.declaration();
            decl.definition().unwrap_or(decl).enum_integer_type().canonical()
        };
        let id = |ty: ClangType<'tu>| ty.declaration().canonical().id();
        let declared = [TypeKind::Record, TypeKind::Enum];
        match &self.base {
            Base::Type(base) if declared.into_iter().any(|kind| is(*base, kind) && is(wanted_base, kind)) => {
                Some(id(*base) == id(wanted_base))
            }
            Base::Type(base) => Some(integer(*base).spelling() == integer(wanted_base).spelling()),
            Base::Words(words) => Some(normalized(words) == normalized(&integer(wanted_base).spelling())),
        }
    }
}

impl<'tu> Ast<'tu> {
    /// The association that `_Generic` selects. libclang does not say which; the type of the whole does
    /// where it is unique, else the associations are read from the print.
    pub(super) fn generic_choice(&mut self, e: Cursor<'tu>) -> Result<Cursor<'tu>, Broken> {
        let exprs = e.expressions();
        let Some((&control, choices)) = exprs.split_first() else {
            return Err(Broken::internal("a generic selection without a controlling expression"));
        };
        let want = self.type_of(e);
        let mut fitting = Vec::new();
        for &choice in choices {
            if self.type_of(choice).ty == want.ty {
                fitting.push(choice);
            }
        }
        if let [one] = fitting.as_slice() {
            return Ok(*one);
        }
        if let [one] = choices {
            return Ok(*one);
        }
        // Of these the evaluator keeps the whole value.
        if self.types.is_integer(want.ty)
            && self.types.size(want.ty).is_some_and(|size| size <= 8)
            && let Some(choice) = chosen_by_value(e, &fitting)
        {
            return Ok(choice);
        }
        let hidden = || Broken::unsupported("a generic selection whose choice is not visible");
        let within = self.within();
        let labels =
            recover::generic_labels(&mut self.prints, self.unit, Some(within), e).ok_or_else(hidden)?;
        if labels.len() != choices.len() {
            return Err(hidden());
        }
        let value = Value { shape: value_shape(control.ty()), text: value_text(control.ty()) };
        let (mut default, mut told) = (None, true);
        for (words, &choice) in labels.iter().zip(choices) {
            let words: Vec<&str> = words.iter().map(String::as_str).collect();
            if words == ["default"] {
                default = Some(choice);
                continue;
            }
            match self.names_type(&without_parentheses(&words), &value, e) {
                Some(true) => return Ok(choice),
                Some(false) => {}
                None => told = false,
            }
        }
        default.filter(|_| told).ok_or_else(hidden)
    }

    /// Whether words that stand at `e` name the type of a value; `None` where they do not tell.
    fn names_type(&mut self, words: &[&str], value: &Value<'tu>, e: Cursor<'tu>) -> Option<bool> {
        if words.iter().any(|w| matches!(*w, "(" | "[")) {
            // Arrays, functions and pointers to them, as clang writes them.
            let Base::Type(base) = value.shape.base else { return None };
            let compound = |text: &str| text.contains(['(', '[']);
            let mut resolved = Vec::new();
            for (n, &word) in words.iter().enumerate() {
                let tag = n > 0 && is_tag_word(words[n - 1]);
                match self.visible_type(word, tag, e) {
                    Some(named) if !tag && !compound(&named.canonical().spelling()) => {
                        resolved.push(named.canonical().spelling());
                    }
                    // The print of another class may be the same.
                    Some(_) => return None,
                    // `typeof (x)`, `_Atomic(int)` and the like say what they stand for in their own ways.
                    None if words.get(n + 1) == Some(&"(") && is_unknown_name(word) => return None,
                    None => resolved.push(word.to_owned()),
                }
            }
            if !compound(&base.spelling()) {
                return Some(false);
            }
            return (squeezed(&resolved.concat()) == squeezed(&value.text)).then_some(true);
        }
        let mut rest = words;
        let mut qualifiers = Vec::new();
        let mut own = Qualifiers::default();
        while let Some((last, front)) = rest.split_last() {
            if *last == "*" {
                qualifiers.push(std::mem::take(&mut own));
            } else if !own.take(last) {
                break;
            }
            rest = front;
        }
        let base: Vec<&str> = rest.iter().copied().filter(|w| !own.take(w)).collect();
        let mut shape = Shape { qualifiers, base: Base::Words(base.join(" ")) };
        let named = match *base.as_slice() {
            [name] => self.visible_type(name, false, e),
            [tag, name] if is_tag_word(tag) => Some(self.visible_type(name, true, e)?),
            _ => None,
        };
        match named {
            Some(named) => shape.extend(named, own),
            None if base.iter().all(|w| is_builtin(w)) => shape.qualifiers.push(own),
            None => return None,
        }
        shape.is(&value.shape, self.cxx)
    }

    /// The type that a name stands for at a place: a tag behind `struct` and the like, else a typedef. Each scope hides what
    /// those around it declare.
    fn visible_type(&mut self, name: &str, tag: bool, e: Cursor<'tu>) -> Option<ClangType<'tu>> {
        if !name.starts_with(|c: char| c.is_alphabetic() || c == '_') {
            return None;
        }
        let local = self.around.and_then(|decl| declared_before(decl.cursor(), name, tag, e)?);
        if local.is_some() || !tag {
            return local.or_else(|| self.typedef(name));
        }
        let is_it = |c: &Cursor<'tu>| is_tag(*c) && c.spelling() == name;
        let found = self.unit.cursor().children().into_iter().find(is_it).map(Cursor::ty);
        if found.is_none() {
            self.unit.miss_type(name);
        }
        found
    }
}

/// The shape of a value: of an array and a function a pointer, without qualifiers of its own.
fn value_shape(ty: ClangType<'_>) -> Shape<'_> {
    let ty = ty.canonical();
    match ty.kind() {
        TypeKind::ConstantArray | TypeKind::IncompleteArray | TypeKind::VariableArray => {
            let mut shape = Shape { qualifiers: vec![Qualifiers::default()], base: Base::Type(ty) };
            shape.extend(ty.array_element(), Qualifiers::default());
            shape
        }
        TypeKind::FunctionProto | TypeKind::FunctionNoProto => {
            Shape { qualifiers: vec![Qualifiers::default(); 2], base: Base::Type(ty) }
        }
        _ => Shape::of(ty.unqualified()),
    }
}

/// The type of a value as clang writes it: of an array and a function the pointer to which it decays.
fn value_text(ty: ClangType<'_>) -> String {
    let ty = ty.canonical();
    let pointee = match ty.kind() {
        TypeKind::ConstantArray | TypeKind::IncompleteArray | TypeKind::VariableArray => ty.array_element(),
        TypeKind::FunctionProto | TypeKind::FunctionNoProto => ty,
        _ => return ty.unqualified().spelling(),
    };
    let text = pointee.canonical().spelling();
    // Where the name of a variable would stand: within the innermost parentheses in front.
    let mut at = text.find(['(', '[']).map_or(text.len(), |at| at);
    while text[at..].starts_with("(*") {
        let inside = &text[at + 1..];
        let Some(end) = inside.find(['(', '[', ')']) else { break };
        at += 1 + end;
    }
    let pointer = if text[at..].starts_with(['(', '[']) { "(*)" } else { "*" };
    format!("{}{pointer}{}", &text[..at], &text[at..])
}

/// The association whose value is that of the whole, where this leaves one, or several with the same value. `fitting`: those
/// of its type, which is one of integers.
fn chosen_by_value<'tu>(e: Cursor<'tu>, fitting: &[Cursor<'tu>]) -> Option<Cursor<'tu>> {
    // libclang crashes on lists.
    if !fitting.iter().all(|c| recover::has_no_effects(*c) && !holds_list(*c)) {
        return None;
    }
    let value = e.evaluate();
    let mut same = fitting.iter().copied().filter(|c| c.evaluate() == value);
    let first = same.next()?;
    (value.is_some() || same.next().is_none()).then_some(first)
}

fn holds_list(e: Cursor<'_>) -> bool {
    e.kind() == CursorKind::InitListExpr || e.expressions().into_iter().any(holds_list)
}

/// The words of a type without the parentheses in which clang writes a pointer to no array or function: `int (*)`.
fn without_parentheses<'a>(words: &[&'a str]) -> Vec<&'a str> {
    let mut words = words.to_vec();
    let is_declarator =
        |inner: &[&str]| inner.first() == Some(&"*") && !inner.iter().any(|w| matches!(*w, "(" | ")" | "["));
    let spare = |words: &[&str], start: usize| {
        let end = start + words[start..].iter().position(|w| *w == ")")?;
        let leads_on = words.get(end + 1).is_some_and(|w| matches!(*w, "(" | "["));
        (is_declarator(&words[start + 1..end]) && !leads_on).then_some((start, end))
    };
    while let Some((start, end)) =
        (0..words.len()).filter(|at| words[*at] == "(").find_map(|start| spare(&words, start))
    {
        words.remove(end);
        words.remove(start);
    }
    words
}

/// Whether a word is a name, but none that a type begins with.
fn is_unknown_name(word: &str) -> bool {
    let is_name = word.starts_with(|c: char| c.is_alphabetic() || c == '_');
    is_name && !is_builtin(word) && !Qualifiers::default().take(word)
}

fn is_tag_word(word: &str) -> bool {
    matches!(word, "struct" | "union" | "enum")
}

fn is_tag(c: Cursor<'_>) -> bool {
    matches!(c.kind(), CursorKind::StructDecl | CursorKind::UnionDecl | CursorKind::EnumDecl)
}

/// Whether a word is one that names built-in types in C.
fn is_builtin(word: &str) -> bool {
    is_builtin_word(word) || matches!(word, "_Bool" | "_Complex" | "_Float16" | "__float128" | "_Float128")
}

/// The type of a name that the scopes between a node and one below it declare in front of that one, the innermost first.
/// `None` if `e` is not below the node, `Some(None)` if no scope declares the name.
#[expect(clippy::option_option, reason = "not below the node and not declared are two answers")]
fn declared_before<'tu>(
    scope: Cursor<'tu>,
    name: &str,
    tag: bool,
    e: Cursor<'tu>,
) -> Option<Option<ClangType<'tu>>> {
    if scope.id() == e.id() {
        return Some(None);
    }
    let children = scope.children();
    let (at, inner) =
        children.iter().enumerate().find_map(|(n, c)| Some((n, declared_before(*c, name, tag, e)?)))?;
    let declares = |c: &Cursor<'tu>| {
        let kind = if tag { is_tag(*c) } else { c.kind() == CursorKind::TypedefDecl };
        kind && c.spelling() == name
    };
    let before = children[..at].iter().rev().filter(|c| c.kind() == CursorKind::DeclStmt);
    Some(inner.or_else(|| before.flat_map(|c| c.children()).find(declares).map(Cursor::ty)))
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
