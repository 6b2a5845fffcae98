//! What the closures of lambdas hold.
//!
//! libclang shows a lambda's explicit captures by name, the closure's fields in order and the initialisers of what a default
//! capture copied. What it took by reference is found by what the body uses.

use super::{Ast, Broken, Lambda};
use crate::clang::{Cursor, CursorId, CursorKind, RawPos};
use crate::recover;
use crate::types::{Decl, DeclKind, Field, Kind, QTy, Ty, Types};
use std::rc::Rc;

/// What a field of a closure holds.
#[derive(Clone, Copy)]
pub(crate) enum Captured<'tu> {
    /// A variable, by copy or reference as the field's type says, or an init-capture.
    Variable(Decl<'tu>),
    /// The pointer `this`.
    This,
    /// A copy of `*this`.
    Object,
}

/// A field of a closure and what it holds.
#[derive(Clone, Copy)]
pub(crate) struct Capture<'tu> {
    /// Where the field lies, in bytes.
    pub offset: u64,
    pub ty: QTy,
    pub what: Captured<'tu>,
    /// Whether the variable is an init-capture: the lambda declares it.
    pub is_init: bool,
}

/// The captures of a closure, or why they are not known.
pub(crate) type Captures<'tu> = Result<Rc<Vec<Capture<'tu>>>, Broken>;

impl<'tu> Ast<'tu> {
    /// The captures of the closure that a lambda makes.
    pub fn closure_of(&mut self, lambda: Lambda<'tu>) -> Captures<'tu> {
        self.closure_of_cursor(lambda.0)
    }

    fn closure_of_cursor(&mut self, lambda: Cursor<'tu>) -> Captures<'tu> {
        let class = self.types.of(lambda.ty()).ty;
        let Some(record) = self.types.as_record(class) else {
            return Err(Broken::internal("a lambda without a class"));
        };
        let key = self.types.record(record).decl.canonical().id();
        if let Some(known) = self.closures.get(&key) {
            return Ok(known.clone());
        }
        let fields = self.types.fields(record);
        let explicit = if fields.is_empty() { Vec::new() } else { self.explicit_captures(lambda)? };
        let mut bindings = Vec::with_capacity(fields.len());
        let mut rest = fields.iter();
        let mut named: Vec<CursorId> = Vec::new();
        for what in explicit {
            if let Captured::Variable(decl) = what {
                named.push(decl.id());
            }
            match rest.next() {
                Some(f) => bindings.push(capture(f, what, lambda)),
                None => return Err(Broken::unsupported("this capture list")),
            }
        }
        let rest = rest.as_slice();
        let implicit = self.default_captures(lambda, &named, rest)?;
        bindings.extend(implicit.iter().zip(rest).map(|(what, f)| capture(f, *what, lambda)));
        let bindings = Rc::new(bindings);
        self.closures.insert(key, bindings.clone());
        Ok(bindings)
    }

    /// What these fields of a closure hold, that a default capture took.
    fn default_captures(
        &mut self,
        lambda: Cursor<'tu>,
        named: &[CursorId],
        fields: &[Field<'tu>],
    ) -> Result<Vec<Captured<'tu>>, Broken> {
        let mut used = Vec::new();
        if !fields.is_empty() {
            self.used_variables(lambda, lambda, &mut used);
        }
        let items = self.capture_items(lambda)?;
        let copies = items.first().is_some_and(|item| item.iter().eq(["="]));
        let shown = if copies { shown_captures(lambda) } else { Vec::new() };
        used.retain(|u| match u {
            Captured::Variable(d) if shown.is_empty() => !named.contains(&d.id()),
            Captured::Variable(d) => shown.iter().any(|s| s.is_same_entity(*d)),
            _ => true,
        });
        for decl in shown {
            if !used.iter().any(|u| matches!(u, Captured::Variable(d) if d.is_same_entity(decl))) {
                used.push(Captured::Variable(decl));
            }
        }
        let own_class = class_around(lambda).map(|class| self.types.of(class.ty()).ty);
        let held = (0..fields.len()).map(|n| self.held(&used, fields, n, own_class));
        held.collect::<Option<_>>().ok_or_else(|| Broken::unsupported("what this lambda captures"))
    }

    /// Which of the things that a body uses a field of the closure holds. Uses and fields are in one order where their types
    /// are the same. (A fold to the right takes its packs from the last on, so that the next field need not be what is used
    /// next.) A constant is not captured by being read; it is where its address counts or its use hangs on a parameter.
    /// `None` if there are fewer uses than fields, or more of what is no constant.
    fn held(
        &mut self,
        used: &[Captured<'tu>],
        fields: &[Field<'tu>],
        n: usize,
        own_class: Option<Ty>,
    ) -> Option<Captured<'tu>> {
        let base = |types: &Types<'tu>, f: &Field<'tu>| types.strip_reference(f.ty).ty;
        let ty = base(&self.types, &fields[n]);
        let is_same = |f: &&Field<'tu>| base(&self.types, f) == ty;
        let (before, all) =
            (fields[..n].iter().filter(is_same).count(), fields.iter().filter(is_same).count());
        let is_this = self.types.pointee(ty).is_some_and(|class| Some(class.ty) == own_class);
        let fits = |what: &Captured<'tu>| match *what {
            Captured::Variable(decl) => self.captured_type(decl).ty == ty,
            Captured::This => is_this,
            Captured::Object => false,
        };
        let fitting: Vec<_> = used.iter().copied().filter(fits).collect();
        let (constants, mut variables): (Vec<_>, Vec<_>) =
            fitting.iter().copied().partition(|what| self.is_constant(*what));
        if fitting.len() == all {
            return Some(fitting[before]);
        }
        // Any constants will do for fields that are left: a body reads one that it does not hold as what it is.
        let left = all.checked_sub(variables.len()).filter(|left| *left <= constants.len())?;
        variables.extend(&constants[..left]);
        variables.get(before).copied()
    }

    /// The type of a variable that a closure captures, as a field for a copy has it.
    fn captured_type(&mut self, decl: Decl<'tu>) -> QTy {
        let q = self.types.of(decl.ty());
        let declared = self.types.strip_reference(q);
        let by_value = !matches!(self.types.kind(q.ty), Kind::Reference(_));
        if by_value && decl.kind() == DeclKind::Parameter { self.types.decayed(declared) } else { declared }
    }

    /// Whether a variable has a value that is known when the program is compiled, so that reading it captures nothing.
    fn is_constant(&mut self, what: Captured<'tu>) -> bool {
        let Captured::Variable(decl) = what else { return false };
        let declared = self.captured_type(decl);
        let is_integer = self.types.is_integer(declared.ty) && self.has_constant_integer(decl);
        declared.is_const && (is_integer || recover::is_constexpr(decl.cursor()))
    }

    /// The captures that the list names, in order.
    fn explicit_captures(&mut self, lambda: Cursor<'tu>) -> Result<Vec<Captured<'tu>>, Broken> {
        let mut variables = lambda
            .children()
            .into_iter()
            .filter(|c| c.kind() == CursorKind::VariableRef)
            .filter_map(|c| c.referenced().map(Decl::new))
            .peekable();
        let mut found = Vec::new();
        for item in self.capture_items(lambda)? {
            let words: Vec<&str> = item.iter().map(String::as_str).collect();
            match words.as_slice() {
                ["=" | "&"] | [] => {}
                ["this"] => found.push(Captured::This),
                ["*", "this"] => found.push(Captured::Object),
                // A pack is one item and any number of variables of its name.
                [name, "..."] | ["&", name, "..."] | ["...", name, ..] | ["&", "...", name, ..] => {
                    while let Some(decl) = variables.next_if(|v| v.spelling() == *name) {
                        found.push(Captured::Variable(decl));
                    }
                }
                _ => found.extend(variables.next().map(Captured::Variable)),
            }
        }
        if variables.next().is_some() {
            return Err(Broken::unsupported("a lambda whose captures libclang does not show"));
        }
        Ok(found)
    }

    /// The variables of enclosing functions that the body of `lambda` uses, and `this`, in order of
    /// first use.
    fn used_variables(&mut self, lambda: Cursor<'tu>, at: Cursor<'tu>, found: &mut Vec<Captured<'tu>>) {
        for child in at.children() {
            // A lambda's own children repeat what it captures; only its list and body are uses.
            if at.kind() == CursorKind::LambdaExpr
                && !matches!(child.kind(), CursorKind::VariableRef | CursorKind::CompoundStmt)
            {
                continue;
            }
            match child.kind() {
                CursorKind::VariableRef if at.id() == lambda.id() => {}
                // Operands that are not evaluated: of `sizeof`, `noexcept`, and of `decltype` in a declaration.
                CursorKind::UnaryExpr => continue,
                // A cast's operand is its last part, and what stands before it is of its type.
                kind if is_cast(at.kind())
                    && kind.is_expression()
                    && at.expressions().last().is_some_and(|operand| operand.id() != child.id()) =>
                {
                    continue;
                }
                kind if at.kind() == CursorKind::VarDecl
                    && kind.is_expression()
                    && at.initializer().is_some_and(|init| init.id() != child.id()) =>
                {
                    continue;
                }
                _ => {}
            }
            match child.kind() {
                CursorKind::VariableRef if at.id() == lambda.id() => {}
                CursorKind::DeclRefExpr | CursorKind::VariableRef => {
                    if let Some(decl) = child.referenced().map(Decl::new)
                        && matches!(
                            decl.kind(),
                            DeclKind::Variable | DeclKind::Parameter | DeclKind::Unexposed
                        )
                        && !decl.has_static_storage()
                        && is_local(decl)
                        && !is_declared_in(decl, lambda)
                        && !found.iter().any(|f| matches!(f, Captured::Variable(d) if d.id() == decl.id()))
                    {
                        found.push(Captured::Variable(decl));
                    }
                }
                CursorKind::CXXThisExpr => note_this(found),
                CursorKind::MemberRefExpr if child.expressions().is_empty() => {
                    let implicit = child
                        .referenced()
                        .is_some_and(|m| m.kind() == CursorKind::FieldDecl || Decl::new(m).has_this());
                    if implicit {
                        note_this(found);
                    }
                }
                CursorKind::SwitchStmt | CursorKind::CXXForRangeStmt => {
                    for variable in self.declared_first(lambda, child) {
                        self.used_variables(lambda, variable, found);
                    }
                }
                _ => {}
            }
            self.used_variables(lambda, child, found);
        }
    }

    /// The variables that a statement in the body of `lambda` declares first, where they can be found.
    fn declared_first(&mut self, lambda: Cursor<'tu>, statement: Cursor<'tu>) -> Vec<Cursor<'tu>> {
        let mut around = Decl::new(lambda.ty().canonical().declaration()).semantic_parent();
        while let Some(scope) = around.filter(|s| !s.kind().is_function()) {
            around = scope.semantic_parent();
        }
        let Some(function) = around.map(|f| f.definition().unwrap_or(f).cursor()) else { return Vec::new() };
        match recover::hidden_init(
            &mut self.prints,
            &mut self.hidden_variables,
            self.unit,
            function,
            statement,
        ) {
            Some(recover::HiddenInit::Variables(variables)) => variables,
            _ => Vec::new(),
        }
    }

    /// The captures of a closure class, found from the class alone.
    pub fn closure_of_class(&mut self, class: Decl<'tu>) -> Result<Option<Rc<Vec<Capture<'tu>>>>, Broken> {
        let key = class.canonical().id();
        if let Some(known) = self.closures.get(&key) {
            return Ok(Some(known.clone()));
        }
        let mut around = class.semantic_parent();
        while let Some(scope) = around {
            if scope.kind().is_function() {
                let scope = scope.definition().unwrap_or(scope);
                if let Some(lambda) = self.find_lambda(scope.cursor(), key) {
                    return self.closure_of_cursor(lambda).map(Some);
                }
            }
            around = scope.semantic_parent();
        }
        // What initialises a variable or member outside of functions.
        let is_initialized =
            |c: &Cursor<'tu>| matches!(c.kind(), CursorKind::VarDecl | CursorKind::FieldDecl);
        let scope = class.cursor().lexical_parent().into_iter().flat_map(Cursor::children);
        let lambda = scope.filter(is_initialized).find_map(|v| self.find_lambda(v, key));
        lambda.map(|lambda| self.closure_of_cursor(lambda)).transpose()
    }

    fn find_lambda(&mut self, at: Cursor<'tu>, class: CursorId) -> Option<Cursor<'tu>> {
        for child in at.children() {
            if child.kind() == CursorKind::LambdaExpr
                && child.ty().canonical().declaration().canonical().id() == class
            {
                return Some(child);
            }
            if let Some(found) = self.find_lambda(child, class) {
                return Some(found);
            }
        }
        None
    }
}

/// What a default capture took by copy: libclang shows the initialisers of such fields at the place of the `=`.
fn shown_captures(lambda: Cursor<'_>) -> Vec<Decl<'_>> {
    let is_behind = |c: &Cursor<'_>| matches!(c.kind(), CursorKind::ParmDecl | CursorKind::CompoundStmt);
    let shown = lambda.children().into_iter().take_while(|c| !is_behind(c));
    let inits: Vec<_> = shown.filter(|c| c.kind().is_expression()).collect();
    // What a type behind the list names may stand among them. The `=` is the first token of all.
    let bracket = lambda.range().start;
    let is_default = |p: RawPos| p.file == bracket.file && p.offset == bracket.offset + 1;
    let Some(first) = inits.iter().find(|c| is_default(c.place())) else { return Vec::new() };
    let of_default = inits.iter().filter(|c| c.location() == first.location());
    of_default.filter_map(|c| captured_variable(*c).map(Decl::new)).collect()
}

/// The class whose member's body holds a lambda.
fn class_around(lambda: Cursor<'_>) -> Option<Decl<'_>> {
    let mut around = Some(Decl::new(lambda.ty().canonical().declaration()));
    while let Some(scope) = around.filter(|s| s.kind() != DeclKind::Record || s.is_closure()) {
        around = scope.semantic_parent();
    }
    around
}

fn note_this(found: &mut Vec<Captured<'_>>) {
    if !found.iter().any(|f| matches!(f, Captured::This)) {
        found.push(Captured::This);
    }
}

/// Whether a function declares it.
fn is_local(decl: Decl<'_>) -> bool {
    decl.semantic_parent().is_some_and(|p| p.kind().is_function())
}

/// Whether a variable is one of a lambda's own, or of a lambda inside it.
fn is_declared_in(decl: Decl<'_>, lambda: Cursor<'_>) -> bool {
    let class = lambda.ty().canonical().declaration().canonical().id();
    let mut around = decl.semantic_parent();
    while let Some(scope) = around {
        if scope.canonical().id() == class {
            return true;
        }
        around = scope.semantic_parent();
    }
    false
}

/// Whether a variable is declared among the captures of a lambda.
fn is_init_capture(decl: Decl<'_>, lambda: Cursor<'_>) -> bool {
    let name = decl.cursor().location();
    let body = lambda.children().into_iter().rfind(|c| c.kind() == CursorKind::CompoundStmt);
    lambda.start().is_before(name) && body.is_some_and(|body| name.is_before(body.start()))
}

fn capture<'tu>(f: &Field<'tu>, what: Captured<'tu>, lambda: Cursor<'tu>) -> Capture<'tu> {
    let is_init = match what {
        Captured::Variable(decl) => is_init_capture(decl, lambda),
        _ => false,
    };
    Capture { offset: f.offset_bits / 8, ty: f.ty, what, is_init }
}

/// The variable that the initialiser of a capture names, copies and conversions aside.
fn captured_variable(init: Cursor<'_>) -> Option<Cursor<'_>> {
    match (init.kind(), init.expressions().first().copied()) {
        (CursorKind::DeclRefExpr, _) => init.referenced(),
        (CursorKind::UnexposedExpr | CursorKind::CallExpr | CursorKind::ArraySubscriptExpr, Some(first)) => {
            captured_variable(first)
        }
        _ => None,
    }
}

fn is_cast(kind: CursorKind) -> bool {
    matches!(
        kind,
        CursorKind::CStyleCastExpr
            | CursorKind::CXXFunctionalCastExpr
            | CursorKind::CXXStaticCastExpr
            | CursorKind::CXXReinterpretCastExpr
            | CursorKind::CXXConstCastExpr
            | CursorKind::CXXDynamicCastExpr
    )
}
