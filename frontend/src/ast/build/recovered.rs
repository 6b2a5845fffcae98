//! What [`crate::recover`] finds, as parts of nodes.

use crate::ast::{Ast, Broken, TypeBase, WrittenType};
use crate::clang::{Assembly, Cursor, CursorKind, Evaluated, Type as ClangType, TypeKind};
use crate::recover::{self, Childless, FieldDefault, HiddenInit};
use crate::types::{Decl, DeclKind, Field, Kind, QTy, Ty};
use cudair_ir::Type;

impl<'tu> Ast<'tu> {
    /// The cursor of the function or variable whose tree is made.
    pub(super) fn within(&self) -> Cursor<'tu> {
        self.around.map_or(self.unit.cursor(), Decl::cursor)
    }

    pub(super) fn if_parts(&mut self, s: Cursor<'tu>) -> Result<recover::If<'tu>, Broken> {
        let (within, cxx) = (self.within(), self.cxx);
        let parts = recover::if_parts(&mut self.prints, self.unit, within, s, cxx)
            .ok_or_else(|| Broken::unsupported("an if statement whose parts cannot be told apart"))?;
        #[cfg(test)]
        self.note(
            s.range(),
            crate::oracle::Fact::If {
                init: parts.init.is_some(),
                variable: parts.variable.is_some(),
                other: parts.other.is_some(),
                consteval: matches!(parts.condition, recover::Condition::Consteval { .. }),
            },
        );
        Ok(parts)
    }

    pub(super) fn for_parts(
        &mut self,
        s: Cursor<'tu>,
        parts: &[Cursor<'tu>],
    ) -> Result<recover::ForParts<'tu>, Broken> {
        let within = self.within();
        let parts = recover::for_parts(&mut self.prints, self.unit, within, s, parts)
            .ok_or_else(|| Broken::unsupported("a for statement whose parts cannot be told apart"))?;
        #[cfg(test)]
        self.note(
            s.range(),
            crate::oracle::Fact::For {
                init: parts.0.is_some(),
                variable: parts.1.is_some(),
                condition: parts.2.is_some(),
                step: parts.3.is_some(),
            },
        );
        Ok(parts)
    }

    /// The variables of `for (init; x : range)` or `switch (init; x)`.
    pub(super) fn hidden_init(&mut self, s: Cursor<'tu>) -> Result<&'tu [Decl<'tu>], Broken> {
        if !self.cxx {
            return Ok(&[]);
        }
        let within = self.within();
        let init = recover::hidden_init(&mut self.prints, &mut self.hidden_variables, self.unit, within, s);
        #[cfg(test)]
        if let Some(init) = &init {
            let fact = crate::oracle::Fact::First(!matches!(init, HiddenInit::None));
            self.note(s.range(), fact);
        }
        match init {
            Some(HiddenInit::None) => Ok(&[]),
            Some(HiddenInit::Variables(variables)) => {
                let declared: Vec<Decl<'tu>> = variables.into_iter().map(Decl::new).collect();
                Ok(self.arena.alloc_slice_copy(&declared))
            }
            Some(HiddenInit::Other) => {
                Err(Broken::unsupported("an init-statement here that declares no variables"))
            }
            Some(HiddenInit::NotFound) => {
                Err(Broken::unsupported("an init-statement here whose variables libclang does not show"))
            }
            None => Err(Broken::unsupported(
                "a statement for which libclang does not show whether it has an init-statement",
            )),
        }
    }

    pub(super) fn new_parts(&mut self, e: Cursor<'tu>) -> Result<recover::NewParts, Broken> {
        let within = self.within();
        let parts = recover::new_parts(&mut self.prints, self.unit, within, e)
            .ok_or_else(|| Broken::unsupported("a new expression whose parts libclang does not show"))?;
        #[cfg(test)]
        self.note(e.range(), crate::oracle::Fact::New { global: parts.global, array: parts.array });
        Ok(parts)
    }

    pub(super) fn delete_parts(&mut self, e: Cursor<'tu>) -> Result<recover::DeleteParts, Broken> {
        let within = self.within();
        let parts = recover::delete_parts(&mut self.prints, self.unit, within, e)
            .ok_or_else(|| Broken::unsupported("a delete expression whose parts libclang does not show"))?;
        #[cfg(test)]
        self.note(e.range(), crate::oracle::Fact::Delete { global: parts.global, array: parts.array });
        Ok(parts)
    }

    /// What a node without parts is.
    pub(super) fn childless_kind(&mut self, e: Cursor<'tu>) -> Childless {
        let within = self.within();
        recover::childless(&mut self.prints, self.unit, Some(within), e, self.cxx)
    }

    /// Whether a node without parts is its caller's line or column.
    pub(super) fn is_callers_line(&mut self, e: Cursor<'tu>) -> bool {
        let within = self.within();
        recover::is_callers_line(&mut self.prints, self.unit, Some(within), e)
    }

    /// For each bracket of an element's designators, whether it is a range.
    pub(super) fn bracket_ranges(&mut self, e: Cursor<'tu>) -> Result<Vec<bool>, Broken> {
        let within = self.within();
        recover::bracket_ranges(&mut self.prints, self.unit, Some(within), e)
            .ok_or_else(|| Broken::unsupported("designators that libclang shows in pieces"))
    }

    /// The name of an atomic operation without what all have in front, and whether its family counts in bytes.
    pub(super) fn atomic_name(&mut self, e: Cursor<'tu>) -> Option<(String, bool)> {
        let within = self.within();
        let name = recover::atomic_name(&mut self.prints, self.unit, Some(within), e)?;
        let rest = ["__atomic_", "__c11_atomic_"].iter().find_map(|p| name.strip_prefix(p))?;
        Some((rest.trim_end_matches("_explicit").to_owned(), name.starts_with("__atomic_")))
    }

    /// What to say of an expression that is not known.
    pub(super) fn unknown_expression(&mut self, e: Cursor<'tu>) -> Broken {
        let within = self.within();
        let name = recover::atomic_name(&mut self.prints, self.unit, Some(within), e);
        Broken::unsupported(name.map_or_else(|| "this expression".to_owned(), |name| format!("`{name}`")))
    }

    /// The bits of a `long double`.
    pub(super) fn long_double(&mut self, e: Cursor<'tu>) -> Result<u128, Broken> {
        let within = self.within();
        recover::long_double(&mut self.prints, self.unit, Some(within), e)
            .and_then(|text| crate::types::long_double_bits(&text))
            .ok_or_else(|| Broken::unsupported("a long double whose digits libclang does not show"))
    }

    /// The items of a lambda's list of captures.
    pub(in crate::ast) fn capture_items(&mut self, lambda: Cursor<'tu>) -> Result<Vec<Vec<String>>, Broken> {
        let within = self.within();
        recover::capture_list(&mut self.prints, self.unit, Some(within), lambda)
            .ok_or_else(|| Broken::unsupported("a lambda whose captures libclang does not show"))
    }

    /// The default initialiser of a bit-field: its value, `Err` where that is not constant.
    pub fn bit_field_default(&self, f: &Field<'tu>) -> Option<Result<i128, ()>> {
        f.width.filter(|&width| width > 0)?;
        let cursor = f.decl.cursor();
        match recover::bit_field_default(cursor) {
            FieldDefault::None => None,
            FieldDefault::Plain => Some(match cursor.evaluate() {
                Some(Evaluated::Int(number)) => Ok(number),
                _ => Err(()),
            }),
            FieldDefault::Effects => Some(Err(())),
        }
    }

    /// Whether a bit-field has a default initialiser.
    pub(in crate::ast) fn has_bit_field_default(&self, f: &Field<'tu>) -> bool {
        f.width.is_some_and(|width| width > 0)
            && recover::bit_field_default(f.decl.cursor()) != FieldDefault::None
    }

    /// The element type of `sizeof(int[n][m])` and how many bounds there are: both are in the print alone.
    pub(super) fn written_element(&mut self, e: Cursor<'tu>) -> Option<(Ty, usize)> {
        let within = self.within();
        let words = recover::operand(&mut self.prints, self.unit, Some(within), e)?;
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        // Arguments of a template may have brackets of their own.
        let mut angles = 0;
        let is_bound = |word: &&str| {
            angles += match *word {
                "<" => 1,
                ">" => -1,
                ">>" => -2,
                _ => 0,
            };
            *word == "[" && angles == 0
        };
        let (name, bounds) = words.split_at(words.iter().position(is_bound)?);
        // Parentheses would make it an array of something else than what stands in front.
        if name.contains(&"(") {
            return None;
        }
        let mut depth = 0;
        let mut count = 0;
        for word in bounds {
            match *word {
                "[" => {
                    count += usize::from(depth == 0);
                    depth += 1;
                }
                "]" => depth -= 1,
                _ => {}
            }
        }
        Some((self.named_type(name, e)?, count))
    }

    /// The type that a `__builtin_bit_cast` names.
    pub(in crate::ast) fn bit_cast_type(&mut self, e: Cursor<'tu>) -> QTy {
        let within = self.within();
        // Without the print the type has no name, and is unsupported below.
        let words = recover::bit_cast_type(&mut self.prints, self.unit, Some(within), e).unwrap_or_default();
        let named: Vec<&str> = words.iter().map(String::as_str).collect();
        if let Some(ty) = self.types.arithmetic(&named) {
            return QTy::plain(ty);
        }
        // A class, an enumeration, a name for a type: what it refers to or, as that is not shown, an argument of a template.
        let shown: Vec<Cursor<'tu>> = e.children().into_iter().filter(|c| is_type_name(*c)).collect();
        if let Some(ty) = last_named(&named, &shown) {
            return self.types.of(ty);
        }
        if shown.is_empty()
            && let Some(ty) = self.template_argument(&named)
        {
            return self.types.of(ty);
        }
        if let [name] = named.as_slice()
            && shown.is_empty()
            && let Some(ty) = self.typedef(name)
        {
            return self.types.of(ty);
        }
        let unknown = format!("`{}`, the type of a bit cast", named.join(" "));
        QTy::plain(self.types.intern(Kind::Unsupported(unknown.into())))
    }

    /// The type that `typeid` names. libclang shows named types of it only, the print the rest.
    pub(super) fn typeid_type(&mut self, e: Cursor<'tu>) -> Result<WrittenType<'tu>, Broken> {
        let within = self.within();
        let Some(tokens) = recover::operand(&mut self.prints, self.unit, Some(within), e) else {
            return Err(Broken::unsupported("typeid of a type that libclang does not show"));
        };
        let mut words: Vec<&str> = tokens.iter().map(String::as_str).collect();
        // What is named there is shown, an argument of a template in its place is not.
        let named: Vec<Cursor<'tu>> = e.children().into_iter().filter(|c| is_type_name(*c)).collect();
        if named.is_empty()
            && let Some(ty) = self.template_argument(&words)
        {
            let base = TypeBase::Type(ty);
            return Ok(WrittenType { base, is_const: false, is_volatile: false, levels: Vec::new() });
        }
        // References and outer qualifiers do not count.
        while let Some("&" | "&&" | "const" | "volatile") = words.last().copied() {
            words.pop();
        }
        let mut levels: Vec<(bool, bool)> = Vec::new();
        let (mut is_const, mut is_volatile) = (false, false);
        loop {
            match words.last().copied() {
                Some("const") => is_const = true,
                Some("volatile") => is_volatile = true,
                Some("*") => {
                    levels.push((is_const, is_volatile));
                    (is_const, is_volatile) = (false, false);
                }
                _ => break,
            }
            words.pop();
        }
        let base_const = is_const || words.contains(&"const");
        let base_volatile = is_volatile || words.contains(&"volatile");
        words.retain(|w| {
            !matches!(*w, "const" | "volatile" | "struct" | "class" | "enum" | "union" | "typename")
        });
        let base = match builtin(&words) {
            Some(mangled) => TypeBase::Builtin(mangled, words.join(" ")),
            None => TypeBase::Type(match last_named(&words, &named) {
                Some(named) => named,
                // Of an instance of a template only the parts of its name are shown.
                None => {
                    let argument = if named.is_empty() { self.template_argument(&words) } else { None };
                    let class = without_typedefs(&words, &named);
                    match argument.or_else(|| self.class_written(&class.join(" "), &named)) {
                        Some(ty) => ty,
                        None => return Err(Broken::unsupported(format!("typeid of `{}`", words.join(" ")))),
                    }
                }
            }),
        };
        Ok(WrittenType { base, is_const: base_const, is_volatile: base_volatile, levels })
    }

    /// The argument of a template around this place that is written so.
    pub(super) fn template_argument(&self, words: &[&str]) -> Option<ClangType<'tu>> {
        let name = squeezed(&words.concat());
        let mut around = self.around.map(Decl::cursor);
        while let Some(scope) = around {
            let fits = |ty: &ClangType<'tu>| squeezed(&ty.spelling()) == name;
            if let Some(ty) = scope.type_arguments().into_iter().find(fits) {
                return Some(ty);
            }
            around = scope.semantic_parent();
        }
        None
    }

    /// The one class of the program that is written so, of these templates and classes.
    fn class_written(&mut self, text: &str, named: &[Cursor<'tu>]) -> Option<ClangType<'tu>> {
        let mut parts: Vec<Decl<'tu>> = Vec::new();
        for name in named {
            match name.kind() {
                CursorKind::TypeRef => note_parts(name.ty(), &mut parts),
                _ => parts.extend(name.referenced().map(Decl::new)),
            }
        }
        let mut around = self.around.map(Decl::cursor);
        while let Some(scope) = around {
            for ty in scope.type_arguments() {
                note_parts(ty, &mut parts);
            }
            if Decl::new(scope).kind() == DeclKind::Record {
                note_parts(scope.ty(), &mut parts);
            }
            around = scope.semantic_parent();
        }
        let fits = |ty: ClangType<'tu>| {
            let mut found = Vec::new();
            note_parts(ty, &mut found);
            found.iter().all(|f| parts.iter().any(|p| p.is_same_entity(*f)))
        };
        if let Some(found) = self.types.class_written(text, fits) {
            return Some(found);
        }
        self.meet_all_types();
        self.types.class_written(text, fits)
    }

    /// Reads the types of what the program declares, so that they are known.
    pub(super) fn meet_all_types(&mut self) {
        for top in self.unit.cursor().children().into_iter().filter(|c| !c.in_system_header()) {
            self.meet_types(top);
        }
    }

    /// Reads the types of what stands below a node, and the bases of classes, so that they are known.
    fn meet_types(&mut self, at: Cursor<'tu>) {
        match at.kind() {
            CursorKind::FunctionTemplate | CursorKind::ClassTemplate => return,
            CursorKind::StructDecl | CursorKind::ClassDecl if at.is_definition() => self.meet_bases(at),
            CursorKind::VarDecl | CursorKind::FieldDecl | CursorKind::ParmDecl | CursorKind::CallExpr => {
                self.types.of(at.ty());
            }
            _ => {}
        }
        for child in at.children() {
            self.meet_types(child);
        }
    }

    /// Reads the bases of a class, so that their types are known.
    fn meet_bases(&mut self, class: Cursor<'tu>) {
        let ty = self.types.of(class.ty()).ty;
        let Some(bases) = self.types.as_record(ty).and_then(|id| self.types.bases(id)) else { return };
        for base in bases.iter() {
            if let Some(id) = self.types.as_record(base.ty) {
                self.meet_bases(self.types.record(id).decl.cursor());
            }
        }
    }

    /// A type from its name: built-in types, pointers to them, and the typedefs and tags that a node refers to.
    fn named_type(&mut self, words: &[&str], e: Cursor<'tu>) -> Option<Ty> {
        let is_qualifier = |w: &str| matches!(w, "const" | "volatile" | "restrict");
        let words: Vec<&str> = words.iter().copied().filter(|w| !is_qualifier(w)).collect();
        if let Some((&"*", front)) = words.split_last() {
            let inner = self.named_type(front, e)?;
            return Some(self.types.pointer_to(QTy::plain(inner)));
        }
        let shown: Vec<Cursor<'tu>> = e.children().into_iter().filter(|c| is_type_name(*c)).collect();
        if let Some(ty) = last_named(&words, &shown) {
            return Some(self.types.of(ty).ty);
        }
        if !shown.is_empty() {
            return None;
        }
        if let Some(ty) = self.template_argument(&words) {
            return Some(self.types.of(ty).ty);
        }
        if let [one] = words.as_slice()
            && let Some(t) = self.typedef(one)
        {
            return Some(self.types.of(t).ty);
        }
        let count = |w: &str| words.iter().filter(|x| **x == w).count();
        let unsigned = count("unsigned") > 0;
        let types = &mut self.types;
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

    /// The text and operands of an assembly statement.
    pub(super) fn assembly_of(&mut self, s: Cursor<'tu>) -> Option<Assembly<'tu>> {
        let mut assembly = s.assembly()?;
        assembly.template = from_llvm(&assembly.template);
        // It ends before a special register that is written with one sign.
        if assembly.template.trim_end().ends_with(',') {
            let within = self.within();
            let text = recover::assembly_text(&mut self.prints, self.unit, Some(within), s)?;
            assembly.template = text.iter().map(|t| unescape(t.trim_matches('"'))).collect();
        }
        Some(assembly)
    }
}

/// Whether a child names a type or a template of types.
fn is_type_name(c: Cursor<'_>) -> bool {
    matches!(c.kind(), CursorKind::TypeRef | CursorKind::TemplateRef)
}

/// The last type that is shown by name, if that is what words name: `struct a::A`, `In<A>::type`. In an instance a name
/// behind arguments of a template is not shown, but those of the arguments that are types are.
fn last_named<'tu>(words: &[&str], shown: &[Cursor<'tu>]) -> Option<ClangType<'tu>> {
    let last = shown.iter().rfind(|c| c.kind() == CursorKind::TypeRef)?;
    let is_plain = words.iter().all(|w| *w == "::" || is_word(w));
    let of_instance = || {
        let class = last.referenced().and_then(Cursor::semantic_parent).map(Decl::new);
        class.is_some_and(|c| c.kind() == DeclKind::Record && c.specialized_template().is_some())
    };
    let spelling = last.spelling();
    let is_last = spelling.rsplit([':', ' ']).next() == words.last().copied();
    (is_last && (is_plain || of_instance())).then(|| last.ty())
}

/// The words with the types that typedefs stand for in the place of their names. What is shown has the order of the words.
fn without_typedefs(words: &[&str], shown: &[Cursor<'_>]) -> Vec<String> {
    let mut rest = shown;
    let mut result: Vec<String> = Vec::with_capacity(words.len());
    for word in words {
        result.push((*word).to_owned());
        let is_named = |c: &Cursor<'_>| c.referenced().is_some_and(|named| named.spelling() == *word);
        let Some(number) = rest.iter().position(is_named) else { continue };
        let named = rest[number];
        rest = &rest[number + 1..];
        let is_typedef =
            |c: Cursor<'_>| matches!(c.kind(), CursorKind::TypedefDecl | CursorKind::TypeAliasDecl);
        if !named.referenced().is_some_and(is_typedef) {
            continue;
        }
        // The typedef's own qualifiers go with its name; the arguments of a template among them stay, and fit nothing.
        result.pop();
        while result.last().is_some_and(|last| last == "::") {
            result.pop();
            if result.last().is_some_and(|last| is_word(last)) {
                result.pop();
            }
        }
        result.push(named.ty().canonical().spelling());
    }
    result
}

/// Whether a token is a name or a keyword.
fn is_word(token: &str) -> bool {
    token.chars().all(|c| c.is_alphanumeric() || c == '_')
}

/// Whether a word is one that names built-in types in C and C++.
pub(super) fn is_builtin_word(word: &str) -> bool {
    matches!(
        word,
        "void"
            | "bool"
            | "char"
            | "short"
            | "int"
            | "long"
            | "float"
            | "double"
            | "signed"
            | "unsigned"
            | "__int128"
    )
}

/// The classes and templates that a type is made of, those of its arguments among them.
fn note_parts<'tu>(ty: ClangType<'tu>, parts: &mut Vec<Decl<'tu>>) {
    let mut ty = ty.canonical();
    loop {
        ty = match ty.kind() {
            TypeKind::Pointer | TypeKind::LValueReference | TypeKind::RValueReference => ty.pointee(),
            TypeKind::ConstantArray | TypeKind::IncompleteArray => ty.array_element(),
            _ => break,
        }
        .canonical();
    }
    if !matches!(ty.kind(), TypeKind::Record | TypeKind::Enum) {
        return;
    }
    let mut decl = Decl::new(ty.declaration());
    let arguments = decl.cursor().type_arguments();
    if !decl.cursor().arguments_of_template().is_empty() {
        while let Some(template) = decl.specialized_template() {
            decl = template;
        }
    }
    parts.push(decl);
    for argument in arguments {
        note_parts(argument, parts);
    }
}

/// A text without its white space.
pub(super) fn squeezed(text: &str) -> String {
    text.split_whitespace().collect()
}

/// The text as it was written, from the one that LLVM takes.
fn from_llvm(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        match (c, rest.peek()) {
            ('%', _) => plain.push_str("%%"),
            ('$', Some('$')) => plain.extend(rest.next()),
            ('$', Some('(')) => {
                rest.next();
                plain.push('{');
            }
            ('$', Some(')')) => {
                rest.next();
                plain.push('}');
            }
            ('$', Some('|')) => {
                rest.next();
                plain.push('|');
            }
            ('$', Some('{')) => {
                rest.next();
                plain.push('%');
                // `${0:w}`: a modifier says nothing here.
                let inner: String = rest.by_ref().take_while(|c| *c != '}').collect();
                plain.push_str(inner.split(':').next().unwrap_or_default());
            }
            ('$', _) => plain.push('%'),
            (c, _) => plain.push(c),
        }
    }
    plain
}

fn unescape(text: &str) -> String {
    text.replace("\\n", "\n")
        .replace("\\t", "\t")
        .replace("\\r", "\r")
        .replace("\\\"", "\"")
        .replace("\\\\", "\\")
}

/// The mangled name of a type written in the language's own words.
pub(super) fn builtin(words: &[&str]) -> Option<&'static str> {
    let count = |w: &str| words.iter().filter(|x| **x == w).count();
    let known = |w: &&str| is_builtin_word(w) || matches!(*w, "wchar_t" | "char16_t" | "char32_t");
    if words.is_empty() || !words.iter().all(known) {
        return None;
    }
    let unsigned = count("unsigned") > 0;
    let pick = |signed: &'static str, other: &'static str| if unsigned { other } else { signed };
    Some(match () {
        () if count("void") > 0 => "v",
        () if count("bool") > 0 => "b",
        () if count("wchar_t") > 0 => "w",
        () if count("char16_t") > 0 => "Ds",
        () if count("char32_t") > 0 => "Di",
        () if count("char") > 0 && count("signed") > 0 => "a",
        () if count("char") > 0 => pick("c", "h"),
        () if count("short") > 0 => pick("s", "t"),
        () if count("float") > 0 => "f",
        () if count("double") > 0 && count("long") > 0 => "e",
        () if count("double") > 0 => "d",
        () if count("__int128") > 0 => pick("n", "o"),
        () if count("long") > 1 => pick("x", "y"),
        () if count("long") > 0 => pick("l", "m"),
        () => pick("i", "j"),
    })
}
