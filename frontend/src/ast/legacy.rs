//! What is still read from the text.

use super::build::body_cursor;
use super::{Ast, Broken, CastKind, TypeBase, WrittenType};
use crate::clang::{Assembly, Cursor, CursorId, CursorKind, Evaluated, Type as ClangType};
use crate::types::{Decl, Field, Kind, QTy, Ty};
use cudair_ir::Type;
use rustc_hash::FxHashMap;
use std::collections::VecDeque;

type ForParts<'tu> = (Option<Cursor<'tu>>, Option<Cursor<'tu>>, Option<Cursor<'tu>>, Option<Cursor<'tu>>);

impl<'tu> Ast<'tu> {
    /// Whether `if (x = f(); cond)` begins with an expression. Without `else` it has the children of
    /// `if (a) b; else c;`, and only the text tells them apart.
    pub(super) fn has_init_expression(&mut self, s: Cursor<'tu>, rest: &[Cursor<'tu>]) -> bool {
        if !self.cxx
            || rest.len() < 3
            || !rest[0].kind().is_expression()
            || !rest[1].kind().is_expression()
        {
            return false;
        }
        if rest.len() == 4 {
            return true;
        }
        // A `;` before the condition's closing parenthesis.
        let mut depth = 0;
        for token in s.tokens(self.unit) {
            match token.as_str() {
                "(" => depth += 1,
                ")" => {
                    depth -= 1;
                    if depth == 0 {
                        return false;
                    }
                }
                ";" if depth == 1 => return true,
                _ => {}
            }
        }
        false
    }

    /// Whether a branch was discarded at compile time. A discarded branch is absent, which an ordinary
    /// `if` without `else` looks like too; deciding it by its constant condition is right for both.
    pub(super) fn is_constexpr_if(&mut self, s: Cursor<'tu>, condition: Cursor<'tu>, parts: usize) -> bool {
        if !self.cxx || parts == 3 && s.tokens(self.unit).get(1).is_none_or(|t| t != "constexpr") {
            return false;
        }
        let is_constexpr = parts == 1 || s.tokens(self.unit).get(1).is_some_and(|t| t == "constexpr");
        is_constexpr && matches!(condition.evaluate(), Some(Evaluated::Int(_)))
    }

    /// Whether the only branch shown stands after an `else`.
    pub(super) fn is_else_only(&mut self, condition: Cursor<'tu>, branch: Cursor<'tu>) -> bool {
        let (from, to) = (condition.range().end, branch.range().start);
        let Some(file) = from.file else { return false };
        if to.file != Some(file) {
            return false;
        }
        let Some(text) = self.unit.file_contents(file) else { return false };
        match text.get(from.offset as usize..to.offset as usize) {
            Some(between) => String::from_utf8_lossy(between).contains("else"),
            None => false,
        }
    }

    /// Assigns the children of a `for` statement before its body to their roles.
    pub(super) fn for_statement_parts(&mut self, s: Cursor<'tu>, parts: &[Cursor<'tu>]) -> Result<ForParts<'tu>, Broken> {
        let is_init = |c: &Cursor<'tu>| matches!(c.kind(), CursorKind::DeclStmt | CursorKind::NullStmt);
        let is_variable = |c: &Cursor<'tu>| c.kind() == CursorKind::VarDecl;
        match *parts {
            [] => return Ok((None, None, None, None)),
            [a, b, c] if !is_variable(&a) && !is_variable(&b) => {
                return Ok((Some(a), None, Some(b), Some(c)));
            }
            [a, v, b, c] if is_variable(&v) => return Ok((Some(a), Some(v), Some(b), Some(c))),
            [a] if is_init(&a) => return Ok((Some(a), None, None, None)),
            [v, b, c] if is_variable(&v) => return Ok((None, Some(v), Some(b), Some(c))),
            [v, b] if is_variable(&v) => return Ok((None, Some(v), Some(b), None)),
            [a, v, b] if is_variable(&v) => return Ok((Some(a), Some(v), Some(b), None)),
            _ => {}
        }
        if self.for_parts.is_none() {
            let parts = self.read_for_parts();
            self.for_parts = Some(parts);
        }
        let known = self.for_parts.as_ref().and_then(|p| p.get(&s.id())).copied();
        let Some(present) = known.filter(|p| p.iter().filter(|x| **x).count() == parts.len()) else {
            return Err(Broken::unsupported("a for statement whose parts cannot be told apart"));
        };
        let mut rest = parts.iter().copied();
        let mut take = |present: bool| if present { rest.next() } else { None };
        let init = take(present[0]);
        let condition = take(present[1]);
        let step = take(present[2]);
        Ok((init, None, condition, step))
    }


    fn read_for_parts(&mut self) -> FxHashMap<CursorId, [bool; 3]> {
        let Some(function) = self.around else { return FxHashMap::default() };
        let mut loops = Vec::new();
        collect_loops(function.cursor(), &mut loops);
        let printed = printed_loops(&function.cursor().pretty_printed());
        if loops.len() != printed.len() {
            return FxHashMap::default();
        }
        loops.into_iter().zip(printed).filter_map(|(c, parts)| parts.map(|p| (c.id(), p))).collect()
    }

    /// Whether a node is `__builtin_LINE()` or its like outside of the function being lowered: in a default argument or
    /// a member's initialiser, where it is the caller's.
    pub(super) fn is_callers_line(&mut self, e: Cursor<'tu>) -> bool {
        let range = e.range().start;
        let Some(file) = range.file else { return false };
        let own = self.around.is_some_and(|function| {
            let decl = function.cursor();
            let around = decl.definition().unwrap_or(decl).range();
            around.start.file == Some(file)
                && (around.start.offset..around.end.offset).contains(&range.offset)
                && decl.arguments().is_none_or(|p| !p.iter().any(|p| is_within(*p, range.offset)))
        });
        !own && e
            .tokens(self.unit)
            .first()
            .is_some_and(|t| t == "__builtin_LINE" || t == "__builtin_COLUMN")
    }

    /// Whether a node without children value-initialises: an empty pair of parentheses or braces.
    pub(super) fn is_value_initialization(&mut self, e: Cursor<'tu>) -> bool {
        if e.range().start.file.is_none() {
            return true;
        }
        let tokens = e.tokens(self.unit);
        // `__builtin_FILE()` and kin, which stand for their caller's place, are no `T()`.
        if tokens.first().is_some_and(|t| t.starts_with("__builtin_")) {
            return false;
        }
        matches!(tokens.as_slice(), [.., open, close] if open == "(" && close == ")" || open == "{" && close == "}")
    }

    /// The variables of `for (init; x : range)` or `switch (init; x)`, which is not shown: what the statement names of
    /// it. `until`: what stands after it.
    pub(super) fn hidden_init(&mut self, s: Cursor<'tu>, parts: &[Cursor<'tu>], until: Cursor<'tu>) -> Result<&'tu [Decl<'tu>], Broken> {
        let (from, to) = (s.range().start, until.range().start);
        if from.file.is_none() || from.file != to.file {
            return Ok(&[]);
        }
        let mut found = Vec::new();
        for &part in parts {
            named_variables(part, &mut found);
        }
        named_variables(s, &mut found);
        found.retain(|d: &Cursor<'tu>| {
            let place = d.place();
            place.file == from.file && (from.offset..to.offset).contains(&place.offset)
        });
        found.sort_by_key(|d| d.place().offset);
        if found.is_empty() && has_init(&s.tokens(self.unit)) {
            return Err(Broken::unsupported("a first part of a statement that the rest does not name"));
        }
        let mut declared: Vec<Decl<'tu>> = Vec::new();
        for decl in found {
            if !declared.iter().any(|d| d.id() == decl.id()) {
                declared.push(Decl::new(decl));
            }
        }
        Ok(self.arena.alloc_slice_copy(&declared))
    }

    /// The default initialiser of a bit-field: its value, or its text where that is more than a number.
    pub fn bit_field_default(&self, f: &Field<'tu>) -> Option<Result<i128, String>> {
        let text = self.bit_field_text(f)?;
        Some(number(&text).ok_or_else(|| text.join(" ")))
    }

    /// The text of a bit-field's default initialiser, braces aside.
    pub(super) fn bit_field_text(&self, f: &Field<'tu>) -> Option<Vec<String>> {
        f.width.filter(|&width| width > 0)?;
        // Most have none, and end where the width does.
        let width = f.decl.cursor().expressions().first()?.range().end;
        let end = f.decl.cursor().range().end;
        if width.file == end.file && width.offset >= end.offset {
            return None;
        }
        let tokens = f.decl.cursor().tokens(self.unit);
        let behind = tokens.iter().position(|t| t == ":")? + 1;
        let mut depth = 0;
        let start = tokens[behind..].iter().position(|t| {
            match t.as_str() {
                "(" | "[" => depth += 1,
                ")" | "]" => depth -= 1,
                _ => {}
            }
            depth == 0 && matches!(t.as_str(), "=" | "{")
        })?;
        let mut text: Vec<String> = tokens[behind + start + 1..].to_vec();
        if text.first().is_some_and(|t| t == "{") {
            text.remove(0);
        }
        while text.last().is_some_and(|t| t == "}") {
            text.pop();
        }
        Some(text)
    }

    /// Whether the type that a cast names is a reference's.
    pub(super) fn is_reference_cast(&mut self, e: Cursor<'tu>, kind: CastKind) -> bool {
        let (open, close) = match kind {
            CastKind::Functional => return false,
            CastKind::C => ("(", ")"),
            _ => ("<", ">"),
        };
        let mut depth = 0;
        let mut last = String::new();
        for token in e.tokens(self.unit) {
            if token == open {
                depth += 1;
            } else if token == close {
                depth -= 1;
                if depth == 0 {
                    return last == "&" || last == "&&";
                }
            }
            last = token;
        }
        false
    }

    pub(super) fn delete_form(&mut self, e: Cursor<'tu>) -> (bool, bool) {
        let tokens = e.tokens(self.unit);
        let array = tokens.iter().skip_while(|t| *t != "delete").nth(1).is_some_and(|t| t == "[");
        (array, tokens.first().is_some_and(|t| t == "::"))
    }

    pub(super) fn new_form(&mut self, e: Cursor<'tu>) -> NewForm {
        let mut tokens = e.tokens(self.unit);
        if tokens.last().is_some_and(|t| t == "new" || t == "::")
            && let Some(function) = self.around
        {
            // In an instance of a template the extent ends here, and the text goes on.
            tokens = e.tokens_through(function.cursor(), self.unit);
        }
        NewForm { global: tokens.first().is_some_and(|t| t == "::"), ..NewForm::of(&tokens) }
    }

    pub(super) fn is_parenthesized(&mut self, e: Cursor<'tu>) -> bool {
        e.tokens(self.unit).iter().any(|t| t == "(" || t == "{")
    }

    pub(super) fn unknown_builtin(&mut self, e: Cursor<'tu>) -> Broken {
        let name = e.tokens(self.unit).into_iter().next().unwrap_or_default();
        Broken::unsupported(match name.as_str() {
            "" => "this expression".to_owned(),
            _ if e.expressions().is_empty() && name.starts_with("__builtin_") => format!("the builtin `{name}`"),
            _ if e.expressions().is_empty() => "this expression".to_owned(),
            _ => format!("`{name}`"),
        })
    }

    pub(super) fn atomic_name(&mut self, e: Cursor<'tu>) -> Option<(String, bool)> {
        let name = e.tokens(self.unit).into_iter().next()?;
        let gnu = name.starts_with("__atomic_");
        let rest = ["__atomic_", "__c11_atomic_", "atomic_"].iter().find_map(|p| name.strip_prefix(p))?;
        Some((rest.trim_end_matches("_explicit").to_owned(), gnu))
    }

    pub(super) fn bracket_ranges(&mut self, e: Cursor<'tu>) -> VecDeque<bool> {
        bracket_ranges(&e.tokens(self.unit))
    }

    pub(super) fn capture_items(&mut self, lambda: Cursor<'tu>) -> Vec<Vec<String>> {
        capture_items(&lambda.tokens(self.unit)).into_iter().map(<[String]>::to_vec).collect()
    }

    pub(super) fn long_double(&mut self, e: Cursor<'tu>) -> Option<u128> {
        let text = e.tokens(self.unit).into_iter().next()?;
        crate::lower::long_double_bits(&text).or_else(|| match e.evaluate() {
            // From a macro the token is not at hand; a double may say it exactly.
            Some(Evaluated::Float(f)) => Some(crate::lower::extend_f64(f)),
            _ => None,
        })
    }

    /// The element type of `sizeof(int[n][m])`.
    pub(super) fn written_element(&mut self, e: Cursor<'tu>) -> Option<Ty> {
        let tokens = e.tokens(self.unit);
        let name: Vec<&str> = tokens
            .iter()
            .skip_while(|t| *t != "(")
            .skip(1)
            .take_while(|t| *t != "[")
            .map(String::as_str)
            .collect();
        self.named_type(&name.join(" "), e)
    }

    /// The type that a `__builtin_bit_cast` names, else that of the function around it.
    pub(super) fn bit_cast_type(&mut self, e: Cursor<'tu>) -> QTy {
        let tokens = e.tokens(self.unit);
        let named: Vec<&str> = tokens
            .iter()
            .skip_while(|t| *t != "(")
            .skip(1)
            .take_while(|t| *t != ",")
            .map(String::as_str)
            .collect();
        let found = self.types.arithmetic(&named);
        match (found, named.as_slice()) {
            (Some(ty), _) => QTy::plain(ty),
            (None, [name]) => match self.typedef(name) {
                Some(ty) => self.types.of(ty),
                None => self.returned(),
            },
            (None, _) => self.returned(),
        }
    }

    fn returned(&mut self) -> QTy {
        let void = QTy::plain(self.types.void);
        let Some(function) = self.around else { return void };
        let q = self.types.of(function.ty());
        self.types.function(q.ty).map_or(void, |f| f.ret)
    }

    /// The type that `typeid` names.
    pub(super) fn typeid_type(&mut self, e: Cursor<'tu>) -> Result<WrittenType<'tu>, Broken> {
        let tokens = e.tokens(self.unit);
        let open = tokens.iter().position(|t| t == "(").map_or(0, |n| n + 1);
        let mut words: Vec<&str> = tokens[open..].iter().map(String::as_str).collect();
        if words.last() == Some(&")") {
            words.pop();
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
        let named = e.children().into_iter().rfind(|c| c.kind() == CursorKind::TypeRef);
        let base = match builtin(&words) {
            Some(mangled) => TypeBase::Builtin(mangled, words.join(" ")),
            None => TypeBase::Type(match self.template_argument(&words) {
                Some(ty) => ty,
                None => match named {
                    Some(named) if words.last().is_some_and(|w| named.spelling().ends_with(w)) => named.ty(),
                    // Of an instance of a template only the parts of its name are shown.
                    _ => match self.class_written(&words.join(" ")) {
                        Some(ty) => ty,
                        None => return Err(Broken::unsupported(format!("typeid of `{}`", words.join(" ")))),
                    },
                },
            }),
        };
        Ok(WrittenType { base, is_const: base_const, is_volatile: base_volatile, levels })
    }

    fn template_argument(&mut self, words: &[&str]) -> Option<ClangType<'tu>> {
        let [name] = words else { return None };
        let mut around = self.around.map(Decl::cursor);
        while let Some(scope) = around {
            if let Some(template) = scope.specialized_template() {
                let parameters: Vec<_> = template
                    .children()
                    .into_iter()
                    .filter(|c| c.kind() == CursorKind::TemplateTypeParameter)
                    .collect();
                let place = parameters.iter().position(|p| p.spelling() == *name);
                if let Some(n) = place
                    && let Some(ty) = scope.type_arguments().get(n).copied()
                {
                    return Some(ty);
                }
            }
            around = scope.semantic_parent();
        }
        None
    }

    fn class_written(&mut self, text: &str) -> Option<ClangType<'tu>> {
        if let Some(found) = self.types.class_written(text) {
            return Some(found);
        }
        let mut scopes = vec![self.unit.cursor()];
        while let Some(scope) = scopes.pop() {
            for decl in scope.children().into_iter().filter(|c| !c.in_system_header()) {
                match decl.kind() {
                    CursorKind::Namespace => scopes.push(decl),
                    CursorKind::StructDecl | CursorKind::ClassDecl if decl.is_definition() => {
                        self.meet_bases(decl);
                    }
                    _ => {}
                }
            }
        }
        self.types.class_written(text)
    }

    fn meet_bases(&mut self, class: Cursor<'tu>) {
        let ty = self.types.of(class.ty()).ty;
        let Some(bases) = self.types.as_record(ty).and_then(|id| self.types.bases(id)) else { return };
        for base in bases.iter() {
            if let Some(id) = self.types.as_record(base.ty) {
                self.meet_bases(self.types.record(id).decl.cursor());
            }
        }
    }

    /// The association that `_Generic` selects. libclang does not say which; the type of the whole does
    /// where it is unique, else the associations are read from the text.
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
        let control_ty = control.ty().canonical().unqualified();
        let names = generic_labels(&e.tokens(self.unit));
        if names.len() != choices.len() {
            return Err(Broken::unsupported("a generic selection whose choice is not visible"));
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
            None => Err(Broken::unsupported("a generic selection whose choice is not visible")),
        }
    }

    /// Whether a type name in the text is the type `ty`, after the decay of `ty`.
    pub(super) fn names_type(&mut self, name: &str, ty: crate::clang::Type<'tu>) -> bool {
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
            .map(|w| self.typedef(w).map_or(w.to_owned(), |t| t.canonical().spelling()))
            .collect();
        normalized(&words.join(" ")) == normalized(&wanted)
    }

    /// A type from its name in the text: built-in types, pointers to them, and the typedefs and tags
    /// that the selection refers to.
    pub(super) fn named_type(&mut self, name: &str, e: Cursor<'tu>) -> Option<Ty> {
        let mut words: Vec<&str> = name
            .split(' ')
            .filter(|w| !w.is_empty() && !matches!(*w, "const" | "volatile" | "restrict"))
            .collect();
        if words.last() == Some(&"*") {
            words.pop();
            let inner = self.named_type(&words.join(" "), e)?;
            return Some(self.types.pointer_to(QTy::plain(inner)));
        }
        if let [one] = words.as_slice()
            && let Some(t) = self.typedef(one)
        {
            return Some(self.types.of(t).ty);
        }
        for child in e.children().into_iter().filter(|c| c.kind() == CursorKind::TypeRef) {
            let spelled = child.spelling();
            if spelled == words.join(" ")
                || spelled.rsplit(' ').next() == words.last().copied() && words.len() == 1
            {
                return Some(self.types.of(child.ty()).ty);
            }
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

    pub(super) fn assembly_of(&mut self, s: Cursor<'tu>) -> Option<Assembly<'tu>> {
        let written = |tokens: &[String]| -> String {
            let literals =
                tokens.iter().skip_while(|t| !t.starts_with('"')).take_while(|t| t.starts_with('"'));
            literals.map(|t| unescape(t.trim_matches('"'))).collect()
        };
        if let Some(mut assembly) = s.assembly() {
            assembly.template = from_llvm(&assembly.template);
            // It ends before a special register that is written with one sign.
            if assembly.template.trim_end().ends_with(',') {
                assembly.template = written(&s.tokens(self.unit));
            }
            return Some(assembly);
        }
        let tokens = s.tokens(self.unit);
        let template = written(&tokens);
        let (outputs, inputs) = constraints(&tokens);
        let operands = s.expressions();
        if outputs.len() + inputs.len() != operands.len() {
            return None;
        }
        let (made, read) = operands.split_at(outputs.len());
        Some(Assembly {
            template,
            outputs: outputs.into_iter().zip(made.iter().copied()).collect(),
            inputs: inputs.into_iter().zip(read.iter().copied()).collect(),
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

fn collect_loops<'tu>(at: Cursor<'tu>, found: &mut Vec<Cursor<'tu>>) {
    for child in at.children() {
        if matches!(child.kind(), CursorKind::ForStmt | CursorKind::CXXForRangeStmt) {
            found.push(child);
        }
        collect_loops(child, found);
    }
}

/// The loops of a printed function in order: which of the three parts each has; `None` for a range-for.
fn printed_loops(text: &str) -> Vec<Option<[bool; 3]>> {
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    let mut i = 0;
    while i < bytes.len() {
        match bytes[i] {
            quote @ (b'"' | b'\'') => i = skip_quoted(bytes, i, quote),
            c if c.is_ascii_alphanumeric() || c == b'_' => {
                let start = i;
                while i < bytes.len() && (bytes[i].is_ascii_alphanumeric() || bytes[i] == b'_') {
                    i += 1;
                }
                if &bytes[start..i] == b"for" {
                    let mut open = i;
                    while bytes.get(open) == Some(&b' ') {
                        open += 1;
                    }
                    if bytes.get(open) == Some(&b'(') {
                        found.push(loop_parts(bytes, open));
                    }
                }
            }
            _ => i += 1,
        }
    }
    found
}

fn skip_quoted(bytes: &[u8], start: usize, quote: u8) -> usize {
    let mut i = start + 1;
    while i < bytes.len() && bytes[i] != quote {
        i += if bytes[i] == b'\\' { 2 } else { 1 };
    }
    i + 1
}

fn loop_parts(bytes: &[u8], open: usize) -> Option<[bool; 3]> {
    let mut parts = [false; 3];
    let mut part = 0;
    let mut depth = 0;
    let mut i = open;
    while i < bytes.len() {
        match bytes[i] {
            quote @ (b'"' | b'\'') => {
                parts[part] = true;
                i = skip_quoted(bytes, i, quote);
                continue;
            }
            b'(' | b'[' | b'{' => {
                if depth > 0 {
                    parts[part] = true;
                }
                depth += 1;
            }
            b')' | b']' | b'}' => {
                depth -= 1;
                if depth == 0 {
                    return (part == 2).then_some(parts);
                }
            }
            b';' if depth == 1 => {
                part += 1;
                if part > 2 {
                    return None;
                }
            }
            c if !c.is_ascii_whitespace() => parts[part] = true,
            _ => {}
        }
        i += 1;
    }
    None
}

#[cfg(test)]
mod tests_of_loops {
    use super::*;

    #[test]
    fn parts_of_printed_loops() {
        let text =
            "int f() { for (n = 0;;) break; for (;; n++) ; for (; n > \"a;)\"[0];) { for (int x : v) ; } }";
        assert_eq!(
            printed_loops(text),
            [Some([true, false, false]), Some([false, false, true]), Some([false, true, false]), None]
        );
    }
}

/// Whether the parentheses of a statement begin with a part that ends in a semicolon and is not empty.
fn has_init(tokens: &[String]) -> bool {
    let mut depth = 0;
    for (n, token) in tokens.iter().enumerate() {
        match token.as_str() {
            "(" | "{" | "[" => depth += 1,
            ")" | "}" | "]" => {
                depth -= 1;
                if depth == 0 {
                    return false;
                }
            }
            ";" if depth == 1 => return tokens.get(n.wrapping_sub(1)).is_some_and(|t| t != "("),
            _ => {}
        }
    }
    false
}

fn named_variables<'tu>(e: Cursor<'tu>, found: &mut Vec<Cursor<'tu>>) {
    if e.kind() == CursorKind::DeclRefExpr
        && let Some(decl) = e.referenced()
        && decl.kind() == CursorKind::VarDecl
        && !decl.has_static_storage()
    {
        found.push(decl);
    }
    for child in e.children() {
        named_variables(child, found);
    }
}

/// For each bracket of the designators at the head of the tokens: whether it is a range.
fn bracket_ranges(tokens: &[String]) -> VecDeque<bool> {
    let mut found = VecDeque::new();
    let mut depth = 0;
    for token in tokens {
        match token.as_str() {
            "[" => {
                depth += 1;
                if depth == 1 {
                    found.push_back(false);
                }
            }
            "]" => depth -= 1,
            "..." if depth == 1 => {
                if let Some(last) = found.back_mut() {
                    *last = true;
                }
            }
            "=" if depth == 0 => break,
            _ => {}
        }
    }
    found
}

/// The items of a lambda's capture list, as tokens.
fn capture_items(tokens: &[String]) -> Vec<&[String]> {
    let mut items = Vec::new();
    if tokens.first().is_none_or(|t| t != "[") {
        return items;
    }
    let (mut depth, mut start) = (0, 1);
    for (i, token) in tokens.iter().enumerate() {
        match token.as_str() {
            "[" | "(" | "{" => depth += 1,
            "]" | ")" | "}" => {
                depth -= 1;
                if depth == 0 {
                    if i > start {
                        items.push(&tokens[start..i]);
                    }
                    break;
                }
            }
            "," if depth == 1 => {
                items.push(&tokens[start..i]);
                start = i + 1;
            }
            _ => {}
        }
    }
    items
}


/// Whether a place of a cursor's file lies in its text.
fn is_within(cursor: Cursor<'_>, offset: u32) -> bool {
    let range = cursor.range();
    (range.start.offset..range.end.offset).contains(&offset)
}

/// How a `new` expression is written.
pub(super) struct NewForm {
    /// How many placement arguments it has.
    pub placement: usize,
    pub array: bool,
    /// `::new`
    pub global: bool,
    /// Whether empty parentheses or braces ask for zeros.
    pub value_init: bool,
}

impl NewForm {
    /// Whether a token cannot be part of the type or initialiser of a new expression, outside of brackets.
    fn ends(token: &str) -> bool {
        matches!(
            token,
            ";" | "," | ")" | "]" | "}" | ":" | "?" | "->" | "." | "=" | "==" | "!=" | "&&" | "||"
        )
    }

    fn of(tokens: &[String]) -> NewForm {
        let mut rest = tokens.iter().map(String::as_str).skip_while(|t| *t != "new").skip(1).peekable();
        let mut placement = 0;
        if rest.peek() == Some(&"(") {
            let mut depth = 0;
            for t in rest.by_ref() {
                match t {
                    "(" | "[" | "{" => depth += 1,
                    ")" | "]" | "}" => depth -= 1,
                    "," if depth == 1 => placement += 1,
                    _ => {}
                }
                if depth == 0 {
                    break;
                }
            }
            // `new (T)` has a type in the parentheses and nothing behind them.
            let typed = rest.peek().is_some_and(|t| !NewForm::ends(t));
            placement = if typed { placement + 1 } else { 0 };
        }
        let mut angle = 0;
        let mut array = false;
        let mut value_init = false;
        while let Some(t) = rest.next() {
            match t {
                "<" => angle += 1,
                ">" => angle -= 1,
                ">>" => angle -= 2,
                t if angle <= 0 && NewForm::ends(t) => break,
                "[" if angle == 0 && !array => {
                    array = true;
                    let mut depth = 1;
                    for t in rest.by_ref() {
                        match t {
                            "[" | "(" | "{" => depth += 1,
                            "]" | ")" | "}" => depth -= 1,
                            _ => {}
                        }
                        if depth == 0 {
                            break;
                        }
                    }
                }
                "(" | "{" if angle == 0 => {
                    value_init = matches!(rest.peek(), Some(&")" | &"}"));
                    break;
                }
                _ => {}
            }
        }
        NewForm { placement, array, global: false, value_init }
    }
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

/// The constraints of the outputs and inputs of an assembly statement.
fn constraints(tokens: &[String]) -> (Vec<String>, Vec<String>) {
    let mut sections = [Vec::new(), Vec::new()];
    let mut section = 0;
    let mut depth = 0;
    let mut fresh = true;
    for token in tokens {
        match token.as_str() {
            "(" => {
                depth += 1;
                fresh = fresh || depth == 1;
            }
            ")" => depth -= 1,
            ":" if depth == 1 => {
                section += 1;
                fresh = true;
            }
            "::" if depth == 1 => {
                section += 2;
                fresh = true;
            }
            "," if depth == 1 => fresh = true,
            text if text.starts_with('"') && depth == 1 && fresh => {
                if let 1 | 2 = section {
                    sections[section - 1].push(text.to_owned());
                }
                fresh = false;
            }
            _ => {}
        }
    }
    let [outputs, inputs] = sections;
    (outputs, inputs)
}

/// The mangled name of a type written in the language's own words.
fn builtin(words: &[&str]) -> Option<&'static str> {
    let count = |w: &str| words.iter().filter(|x| **x == w).count();
    let known = |w: &&str| {
        matches!(
            *w,
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
                | "wchar_t"
                | "char16_t"
                | "char32_t"
                | "__int128"
        )
    };
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

/// The number that a few tokens write: a literal with signs in front, or nothing, which is zero.
fn number(text: &[String]) -> Option<i128> {
    match text {
        [] => Some(0),
        [sign, rest @ ..] if sign == "-" => number(rest).filter(|_| !rest.is_empty()).map(|n| -n),
        [sign, rest @ ..] if sign == "+" => number(rest).filter(|_| !rest.is_empty()),
        [sign, rest @ ..] if sign == "~" => number(rest).filter(|_| !rest.is_empty()).map(|n| !n),
        [open, inner @ .., close] if open == "(" && close == ")" => {
            number(inner).filter(|_| !inner.is_empty())
        }
        [one] => literal(one),
        _ => None,
    }
}

fn literal(text: &str) -> Option<i128> {
    match text {
        "true" => return Some(1),
        "false" => return Some(0),
        _ => {}
    }
    if let [b'\'', c, b'\''] = text.as_bytes() {
        return Some(i128::from(*c));
    }
    let digits: String = text.chars().filter(|&c| c != '\'').collect::<String>().to_ascii_lowercase();
    let digits = digits.trim_end_matches(['u', 'l', 'z']);
    let radix =
        |prefix: &str, radix| digits.strip_prefix(prefix).map(|d| i128::from_str_radix(d, radix).ok());
    radix("0x", 16)
        .or_else(|| radix("0b", 2))
        .or_else(|| radix("0", 8).filter(|_| digits.len() > 1))
        .unwrap_or_else(|| digits.parse().ok())
}

#[cfg(test)]
mod tests_of_bit_fields {
    use super::number;

    fn value(text: &[&str]) -> Option<i128> {
        number(&text.iter().map(|t| (*t).to_owned()).collect::<Vec<_>>())
    }

    #[test]
    fn literals_are_read_and_the_rest_is_not() {
        assert_eq!(value(&[]), Some(0));
        assert_eq!(value(&["5u"]), Some(5));
        assert_eq!(value(&["-", "0x1F"]), Some(-31));
        assert_eq!(value(&["~", "(", "0b1'0", ")"]), Some(-3));
        assert_eq!(value(&["017"]), Some(15));
        assert_eq!(value(&["0"]), Some(0));
        assert_eq!(value(&["'a'"]), Some(97));
        assert_eq!(value(&["true"]), Some(1));
        assert_eq!(value(&["-"]), None);
        assert_eq!(value(&["N"]), None);
        assert_eq!(value(&["1", "+", "2"]), None);
    }
}
