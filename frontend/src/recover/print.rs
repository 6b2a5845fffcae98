//! What clang prints of a declaration, beside its cursors.
//!
//! libclang hides parts of the tree: which parts a `for` has, whether `new T` has parentheses, the types that `typeid`
//! and `sizeof` name. `clang_getCursorPrettyPrinted` writes a declaration from that tree, so that no macro, comment,
//! digraph or line splice is left in it, and instances have their arguments put in. This is the one module that reads
//! such prints. It finds the place of a node in the print by its keyword: the keywords of statements, and those of the
//! kind that is asked for, come in one order in the print and in a walk over the cursors. Where the two sequences
//! differ nothing is known of the declaration, and the caller has to say so.

use super::token::{Kind, Token, tokens};
use crate::clang::{Cursor, CursorId, CursorKind, RawPos, TranslationUnit, TypeKind};
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

/// A node that has a keyword of its own in the print.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Mark {
    If,
    For,
    While,
    Do,
    Switch,
    Case,
    Default,
    Goto,
    Try,
    Catch,
    New,
    Delete,
    Typeid,
    /// `sizeof`, `alignof` and kin.
    Sizeof,
    Generic,
    BitCast,
    LongDouble,
    Lambda,
    Asm,
    /// The compiler's atomic operations.
    Atomic,
    /// `__builtin_LINE()` and `__builtin_COLUMN()`, and what else has their type and no parts: `T()`.
    Line,
    /// `__builtin_FILE()` and kin, and what else has their type and no parts: `T()`.
    Name,
    /// An element of a list that begins with `[` or `.`.
    Designated,
}

impl Mark {
    /// Whether the keyword belongs to a statement. The others are compared only where one of them is asked for: some
    /// of them stand in types as well, of which the print and the cursors show different parts.
    fn is_structure(self) -> bool {
        matches!(
            self,
            Mark::If
                | Mark::For
                | Mark::While
                | Mark::Do
                | Mark::Switch
                | Mark::Case
                | Mark::Default
                | Mark::Goto
                | Mark::Try
                | Mark::Catch
        )
    }

    fn of_cursor(c: Cursor<'_>) -> Option<Mark> {
        Some(match c.kind() {
            CursorKind::IfStmt => Mark::If,
            CursorKind::ForStmt | CursorKind::CXXForRangeStmt => Mark::For,
            CursorKind::WhileStmt => Mark::While,
            CursorKind::DoStmt => Mark::Do,
            CursorKind::SwitchStmt => Mark::Switch,
            CursorKind::CaseStmt => Mark::Case,
            CursorKind::DefaultStmt => Mark::Default,
            CursorKind::GotoStmt | CursorKind::IndirectGotoStmt => Mark::Goto,
            CursorKind::CXXTryStmt => Mark::Try,
            CursorKind::CXXCatchStmt => Mark::Catch,
            CursorKind::CXXNewExpr => Mark::New,
            CursorKind::CXXDeleteExpr => Mark::Delete,
            CursorKind::CXXTypeidExpr => Mark::Typeid,
            CursorKind::UnaryExpr => Mark::Sizeof,
            CursorKind::GenericSelectionExpr => Mark::Generic,
            CursorKind::BuiltinBitCastExpr => Mark::BitCast,
            CursorKind::LambdaExpr => Mark::Lambda,
            CursorKind::AsmStmt => Mark::Asm,
            CursorKind::FloatingLiteral if c.ty().canonical().kind() == TypeKind::LongDouble => {
                Mark::LongDouble
            }
            CursorKind::UnexposedExpr if is_atomic(c) => Mark::Atomic,
            CursorKind::UnexposedExpr if is_designated(c) => Mark::Designated,
            CursorKind::UnexposedExpr if c.range().start.file.is_some() && c.children().is_empty() => {
                match c.ty().canonical().spelling().as_str() {
                    "unsigned int" => Mark::Line,
                    "const char *" => Mark::Name,
                    _ => return None,
                }
            }
            _ => return None,
        })
    }

    fn of_token(tokens: &[Token<'_>], at: usize) -> Option<Mark> {
        let token = tokens[at];
        let before = at.checked_sub(1).map(|n| tokens[n].text);
        let after = tokens.get(at + 1).map(|t| t.text);
        match token.kind {
            Kind::Word => {}
            Kind::Number => return is_long_double(token.text).then_some(Mark::LongDouble),
            Kind::Sign => return Self::of_sign(tokens, at),
            Kind::Text => return None,
        }
        if before == Some("operator") {
            return None;
        }
        Some(match token.text {
            "if" => Mark::If,
            "for" => Mark::For,
            "while" => Mark::While,
            "do" => Mark::Do,
            "switch" => Mark::Switch,
            "case" => Mark::Case,
            "default" if after == Some(":") && !matches!(before, Some("," | "(")) => Mark::Default,
            "goto" => Mark::Goto,
            "try" => Mark::Try,
            "catch" => Mark::Catch,
            "new" => Mark::New,
            "delete" if before != Some("=") => Mark::Delete,
            "typeid" => Mark::Typeid,
            "sizeof" if after != Some("...") => Mark::Sizeof,
            "alignof" | "_Alignof" | "__alignof" | "__datasizeof" | "vec_step" => Mark::Sizeof,
            "_Generic" => Mark::Generic,
            "__builtin_bit_cast" => Mark::BitCast,
            "asm" | "__asm" | "__asm__" => Mark::Asm,
            "__builtin_LINE" | "__builtin_COLUMN" => Mark::Line,
            "int" if before == Some("unsigned") && is_empty_call(tokens, at + 1) => Mark::Line,
            "__builtin_FILE" | "__builtin_FILE_NAME" | "__builtin_FUNCTION" | "__builtin_FUNCSIG" => {
                Mark::Name
            }
            name if is_atomic_name(name) && after == Some("(") => Mark::Atomic,
            _ => return None,
        })
    }

    fn of_sign(tokens: &[Token<'_>], at: usize) -> Option<Mark> {
        let before = |n: usize| at.checked_sub(n).map(|n| tokens[n].text);
        match tokens[at].text {
            "[" if begins_lambda(tokens, at) => Some(Mark::Lambda),
            "[" | "." if matches!(before(1), Some("{" | ",")) => Some(Mark::Designated),
            "*" if before(1) == Some("char")
                && before(2) == Some("const")
                && is_empty_call(tokens, at + 1) =>
            {
                Some(Mark::Name)
            }
            _ => None,
        }
    }
}

/// Whether an empty pair of parentheses stands at a position.
fn is_empty_call(tokens: &[Token<'_>], at: usize) -> bool {
    matches!(tokens.get(at..at + 2), Some([open, close]) if open.text == "(" && close.text == ")")
}

/// Whether a node is an element of a list with its designators: it has no type of its own.
fn is_designated(c: Cursor<'_>) -> bool {
    c.ty().canonical().kind() == TypeKind::Void
        && matches!(c.children().as_slice(), [first, .., value]
            if (first.kind() == CursorKind::MemberRef || first.kind().is_expression())
                && value.kind().is_expression())
}

/// Whether a node of unknown kind is an operation on an atomic object: a pointer, then an order.
fn is_atomic(c: Cursor<'_>) -> bool {
    let parts = c.expressions();
    let [pointer, second, ..] = parts.as_slice() else { return false };
    let is_pointer = |c: &Cursor<'_>| {
        matches!(
            c.ty().canonical().kind(),
            TypeKind::Pointer | TypeKind::ConstantArray | TypeKind::IncompleteArray
        )
    };
    // `p ?: q` has the same pointer again in its second place.
    is_pointer(pointer) && !is_pointer(second)
}

fn is_atomic_name(name: &str) -> bool {
    let prefixes = ["__atomic_", "__c11_atomic_", "__scoped_atomic_", "__hip_atomic_", "__opencl_atomic_"];
    let Some(operation) = prefixes.iter().find_map(|p| name.strip_prefix(p)) else { return false };
    // The library has functions with such names too.
    let operation = operation.strip_suffix("_n").unwrap_or(operation);
    let steps = ["add", "sub", "and", "or", "xor", "nand", "min", "max"];
    let step = operation.strip_prefix("fetch_").or_else(|| operation.strip_suffix("_fetch"));
    step.is_some_and(|step| steps.contains(&step))
        || matches!(
            operation,
            "load"
                | "store"
                | "init"
                | "exchange"
                | "compare_exchange"
                | "compare_exchange_strong"
                | "compare_exchange_weak"
                | "test_and_set"
                | "clear"
        )
}

fn is_long_double(text: &str) -> bool {
    let lower = text.to_ascii_lowercase();
    let hex = lower.starts_with("0x");
    if !(lower.contains('.') || lower.contains(if hex { 'p' } else { 'e' })) {
        return false;
    }
    // Without digits all of it is suffix.
    let digits_end = lower.rfind(|c: char| c.is_ascii_digit() || c == '.').map_or(0, |n| n + 1);
    let suffix = &lower[digits_end..];
    // Of one with a suffix of the user's the type is `long double`, too.
    suffix == "l" || suffix.starts_with('_')
}

/// Whether a bracket begins a lambda rather than an index, an array or the names of a structured binding.
fn begins_lambda(tokens: &[Token<'_>], at: usize) -> bool {
    if let Some(before) = at.checked_sub(1).map(|n| tokens[n]) {
        let operand = match before.kind {
            Kind::Word => {
                !matches!(before.text, "return" | "co_return" | "co_yield" | "throw" | "case" | "else" | "do")
            }
            Kind::Number | Kind::Text => true,
            Kind::Sign => matches!(before.text, ")" | "]" | "["),
        };
        let binding = matches!(before.text, "&" | "&&") && at >= 2 && tokens[at - 2].text == "auto";
        if operand || binding {
            return false;
        }
    }
    let Some(close) = closing(tokens, at) else { return false };
    matches!(
        tokens.get(close + 1).map(|t| t.text),
        Some(
            "(" | "{"
                | "<"
                | "mutable"
                | "constexpr"
                | "consteval"
                | "static"
                | "noexcept"
                | "->"
                | "__attribute__"
        )
    )
}

/// The bracket that closes the one at a position.
pub(super) fn closing(tokens: &[Token<'_>], open: usize) -> Option<usize> {
    let mut depth = 0;
    for (at, token) in tokens.iter().enumerate().skip(open) {
        if token.kind != Kind::Sign {
            continue;
        }
        match token.text {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" => {
                depth -= 1;
                if depth == 0 {
                    return Some(at);
                }
            }
            _ => {}
        }
    }
    None
}

/// The printed form of a node: from its keyword to the end of the declaration.
pub(super) struct Printed<'a> {
    tokens: &'a [Token<'a>],
    at: usize,
}

impl<'a> Printed<'a> {
    /// The tokens from the keyword on.
    pub fn tokens(&self) -> &'a [Token<'a>] {
        &self.tokens[self.at..]
    }

    /// The token in front of the keyword.
    pub fn before(&self) -> Option<&'a str> {
        self.at.checked_sub(1).map(|n| self.tokens[n].text)
    }

    /// What stands in the parentheses behind the keyword.
    pub fn parenthesized(&self) -> Option<&'a [Token<'a>]> {
        let open = self.at + 1;
        if self.tokens.get(open)?.text != "(" {
            return None;
        }
        Some(&self.tokens[open + 1..closing(self.tokens, open)?])
    }
}

/// Which part of a print the nodes stand in.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Region {
    /// All of it: a variable, a member.
    Whole,
    /// The body, and in front of it what a constructor initialises.
    Function,
}

/// The print and the nodes of a declaration.
struct Declaration {
    text: String,
    /// The tokens without their text: kind, start, end, whether white space stands in front.
    spots: Vec<(Kind, u32, u32, bool)>,
    region: Region,
    nodes: Vec<(Mark, CursorId)>,
    known: FxHashSet<CursorId>,
    /// The places of the nodes among the tokens by the kind asked for; `None` where the sequences differ.
    places: FxHashMap<Mark, Option<Rc<FxHashMap<CursorId, usize>>>>,
}

/// The prints of a unit's declarations, each made when it is first needed.
#[derive(Default)]
pub(crate) struct Prints {
    declarations: FxHashMap<CursorId, Declaration>,
}

impl Prints {
    /// Reads the print of a node. `decl` is the function or variable being lowered; the node belongs to it, or to a
    /// declaration that it uses, a member with a default initialiser for one. `None` where the print does not agree
    /// with the cursors.
    pub(super) fn read<T>(
        &mut self,
        unit: &TranslationUnit,
        decl: Option<Cursor<'_>>,
        e: Cursor<'_>,
        read: impl FnOnce(&Printed<'_>) -> Option<T>,
    ) -> Option<T> {
        let mark = Mark::of_cursor(e)?;
        let owner = decl.and_then(|d| self.owner(d, e)).or_else(|| self.owner_in(unit, e))?;
        let declaration = self.declarations.get_mut(&owner)?;
        let places = declaration.places_of(mark)?;
        let at = *places.get(&e.id())?;
        let tokens = declaration.tokens();
        read(&Printed { tokens: &tokens, at })
    }

    /// Whether the tree of a function or variable holds a node that has a keyword.
    pub(super) fn holds(&mut self, decl: Cursor<'_>, e: Cursor<'_>) -> bool {
        self.declarations.entry(decl.id()).or_insert_with(|| Declaration::of(decl)).known.contains(&e.id())
    }

    /// The declaration whose tree holds the node: `decl`, its parameters, or a member of its class.
    fn owner(&mut self, decl: Cursor<'_>, e: Cursor<'_>) -> Option<CursorId> {
        if self.holds(decl, e) {
            return Some(decl.id());
        }
        let class = decl.semantic_parent().filter(|p| is_class(p.kind()));
        // What is no member has no class, and what is no function no parameters.
        let fields = class.map(|c| c.ty().fields()).unwrap_or_default();
        let parameters = decl.arguments().unwrap_or_default();
        fields.into_iter().chain(parameters).find(|d| self.holds(*d, e)).map(Cursor::id)
    }

    /// The declaration in the whole unit whose tree holds the node.
    fn owner_in(&mut self, unit: &TranslationUnit, e: Cursor<'_>) -> Option<CursorId> {
        let place = e.range().start;
        place.file?;
        let mut around = Vec::new();
        declarations_around(unit.cursor(), place, &mut around);
        let found = around.into_iter().find_map(|d| self.owner(d, e));
        if found.is_none() {
            unit.miss("the declaration around an expression");
        }
        found
    }

    /// Reads the print of a whole declaration.
    pub(super) fn declaration<T>(decl: Cursor<'_>, read: impl FnOnce(&[Token<'_>]) -> T) -> T {
        read(&tokens(&decl.pretty_printed()))
    }
}

fn is_class(kind: CursorKind) -> bool {
    matches!(kind, CursorKind::StructDecl | CursorKind::ClassDecl | CursorKind::UnionDecl)
}

/// The declarations that may hold what stands at a place: those that reach around it.
fn declarations_around<'tu>(parent: Cursor<'tu>, place: RawPos, found: &mut Vec<Cursor<'tu>>) {
    for child in parent.children() {
        let kind = child.kind();
        let range = child.range();
        let around =
            range.start.file == place.file && (range.start.offset..=range.end.offset).contains(&place.offset);
        if !around || !kind.is_declaration() {
            continue;
        }
        if is_class(kind) || matches!(kind, CursorKind::Namespace | CursorKind::LinkageSpec) {
            declarations_around(child, place, found);
        } else {
            found.push(child);
        }
    }
}

impl Declaration {
    fn of(decl: Cursor<'_>) -> Declaration {
        let text = decl.pretty_printed();
        let start = text.as_ptr() as usize;
        let split = tokens(&text);
        let spots = split
            .iter()
            .map(|t| {
                let from = t.text.as_ptr() as usize - start;
                (t.kind, from as u32, (from + t.text.len()) as u32, t.spaced)
            })
            .collect();
        let mut nodes = Nodes::default();
        let region = match decl.kind() {
            CursorKind::VarDecl
            | CursorKind::FieldDecl
            | CursorKind::ParmDecl
            | CursorKind::UnexposedDecl => {
                nodes.collect(decl);
                Region::Whole
            }
            kind => {
                if kind == CursorKind::Constructor {
                    nodes.initializers(decl, &split);
                }
                for child in decl.children() {
                    if matches!(child.kind(), CursorKind::CompoundStmt | CursorKind::CXXTryStmt) {
                        nodes.visit(child);
                    }
                }
                Region::Function
            }
        };
        let Nodes { list: nodes, disordered, .. } = nodes;
        let known = nodes.iter().map(|(_, id)| *id).collect();
        let text = if disordered { String::new() } else { text };
        let spots = if disordered { Vec::new() } else { spots };
        Declaration { text, spots, region, nodes, known, places: FxHashMap::default() }
    }

    fn tokens(&self) -> Vec<Token<'_>> {
        let token = |&(kind, from, to, spaced): &(Kind, u32, u32, bool)| {
            // The spots are the text's own.
            let text = self.text.get(from as usize..to as usize).unwrap_or_default();
            Token { kind, text, spaced }
        };
        self.spots.iter().map(token).collect()
    }

    /// Where the nodes of a kind stand in the print, if the print has the keywords that the tree has.
    fn places_of(&mut self, mark: Mark) -> Option<Rc<FxHashMap<CursorId, usize>>> {
        if let Some(known) = self.places.get(&mark) {
            return known.clone();
        }
        let counts = |m: Mark| m.is_structure() || m == mark;
        let tokens = self.tokens();
        let printed: Vec<(Mark, usize)> =
            marks(&tokens, self.region).into_iter().filter(|(m, _)| counts(*m)).collect();
        let nodes: Vec<(Mark, CursorId)> = self.nodes.iter().copied().filter(|(m, _)| counts(*m)).collect();
        let agree = printed.len() == nodes.len() && printed.iter().zip(&nodes).all(|((a, _), (b, _))| a == b);
        let places = agree.then(|| {
            let both = nodes.iter().zip(&printed).filter(|((m, _), _)| *m == mark);
            Rc::new(both.map(|((_, id), (_, at))| (*id, *at)).collect())
        });
        self.places.insert(mark, places.clone());
        places
    }
}

/// The keywords of a print and where they stand. Classes are left out: an instance is printed without what is in them.
fn marks(tokens: &[Token<'_>], region: Region) -> Vec<(Mark, usize)> {
    let mut found = Vec::new();
    let mut at = match region {
        Region::Whole => 0,
        Region::Function => function_start(tokens),
    };
    while at < tokens.len() {
        if let Some(end) = class_end(tokens, at) {
            at = end;
            continue;
        }
        found.extend(Mark::of_token(tokens, at).map(|mark| (mark, at)));
        at += 1;
    }
    found
}

/// Where the body of a function begins, or what a constructor initialises in front of it.
fn function_start(tokens: &[Token<'_>]) -> usize {
    let mut at = 0;
    let mut body = tokens.len();
    let mut list = None;
    while at < tokens.len() {
        match (tokens[at].kind, tokens[at].text) {
            (Kind::Sign, "(" | "[" | "{") => {
                if tokens[at].text == "{" {
                    body = at;
                }
                // What is not closed ends with the text.
                at = closing(tokens, at).unwrap_or(tokens.len());
            }
            (Kind::Sign, ":") if list.is_none() => list = Some(at),
            // Without a list of initialisers the body begins here.
            (Kind::Word, "try") => return list.unwrap_or(at),
            _ => {}
        }
        at += 1;
    }
    // As above.
    list.unwrap_or(body)
}

/// Behind a class's members, where its definition begins at a position.
fn class_end(tokens: &[Token<'_>], start: usize) -> Option<usize> {
    let token = tokens[start];
    if token.kind != Kind::Word || !matches!(token.text, "struct" | "class" | "union") {
        return None;
    }
    let label = start.checked_sub(1).is_some_and(|n| matches!(tokens[n].text, "," | "(" | "<"));
    let mut at = start + 1;
    let mut names = 0;
    let mut bases = false;
    loop {
        let token = tokens.get(at)?;
        match (token.kind, token.text) {
            (Kind::Sign, "{") => return closing(tokens, at).map(|end| end + 1),
            (Kind::Sign, ":") if !label => bases = true,
            (Kind::Word, "__attribute__" | "alignas") => at = closing(tokens, at + 1)?,
            (Kind::Word, "final") => {}
            _ if bases => {
                if matches!(token.text, ";" | "=" | ")") {
                    return None;
                }
            }
            (Kind::Word, _) => {
                names += 1;
                if names > 1 {
                    return None;
                }
            }
            _ => return None,
        }
        at += 1;
    }
}

/// The nodes of a declaration that have a keyword, in the order of the print.
#[derive(Default)]
struct Nodes {
    list: Vec<(Mark, CursorId)>,
    seen: FxHashSet<(Mark, CursorId)>,
    /// The order in the print cannot be told.
    disordered: bool,
}

impl Nodes {
    fn note(&mut self, mark: Mark, c: Cursor<'_>) {
        // Some nodes are shown twice.
        if self.seen.insert((mark, c.id())) {
            self.list.push((mark, c.id()));
        }
    }

    fn visit(&mut self, c: Cursor<'_>) {
        if is_class(c.kind()) {
            return;
        }
        if let Some(mark) = Mark::of_cursor(c) {
            self.note(mark, c);
        }
        self.collect(c);
    }

    /// Notes what is below a node.
    fn collect(&mut self, c: Cursor<'_>) {
        let children = c.children();
        match (c.kind(), children.as_slice()) {
            (CursorKind::DoStmt, [body, condition]) => {
                self.visit(*body);
                self.note(Mark::While, c);
                self.visit(*condition);
            }
            // The variable of the condition comes first, but stands behind the first part.
            (CursorKind::IfStmt, [variable, init, rest @ ..])
                if variable.kind() == CursorKind::VarDecl && rest.len() > 1 && init.kind().is_statement() =>
            {
                self.visit(*init);
                self.visit(*variable);
                for part in rest {
                    self.visit(*part);
                }
            }
            (CursorKind::LambdaExpr, parts) => {
                for part in parts {
                    match part.kind() {
                        CursorKind::VariableRef => {
                            let own = part.referenced().filter(|v| is_made_by(*v, c));
                            if let Some(init) = own.and_then(Cursor::initializer) {
                                self.visit(init);
                            }
                        }
                        CursorKind::CompoundStmt => self.visit(*part),
                        // Default arguments are not printed.
                        _ => {}
                    }
                }
            }
            (_, children) => {
                for child in children {
                    self.visit(*child);
                }
            }
        }
    }

    /// Notes what a constructor's list initialises, in the order in which it happens, as it is printed.
    fn initializers(&mut self, constructor: Cursor<'_>, tokens: &[Token<'_>]) {
        let mut groups: Vec<(usize, Nodes)> = Vec::new();
        let mut bases = 0;
        for child in constructor.children() {
            match child.kind() {
                CursorKind::MemberRef => {
                    let place = initializer_place(tokens, &child.spelling());
                    // One without a place makes the print of no use.
                    self.disordered |= place.is_none();
                    groups.push((place.unwrap_or(0), Nodes::default()));
                }
                CursorKind::TypeRef | CursorKind::TemplateRef => {
                    let fresh =
                        groups.last().is_none_or(|(place, nodes)| *place > 0 || !nodes.list.is_empty());
                    if fresh {
                        groups.push((0, Nodes::default()));
                    }
                }
                kind if kind.is_expression() => match groups.last_mut() {
                    Some((_, nodes)) => nodes.visit(child),
                    None => self.visit(child),
                },
                _ => {}
            }
        }
        for (place, nodes) in &groups {
            bases += usize::from(*place == 0 && !nodes.list.is_empty());
        }
        // Of several bases with something in them it is not known which is which. A list that initialises nothing of
        // interest is in order, whatever it names.
        self.disordered =
            bases > 1 || self.disordered && groups.iter().any(|(_, nodes)| !nodes.list.is_empty());
        groups.sort_by_key(|(place, _)| *place);
        for (_, nodes) in groups {
            self.disordered |= nodes.disordered;
            self.list.extend(nodes.list);
        }
    }
}

/// Where a constructor's print initialises a member.
fn initializer_place(tokens: &[Token<'_>], member: &str) -> Option<usize> {
    let mut at = function_start(tokens);
    let mut found = None;
    while at + 2 < tokens.len() {
        if matches!(tokens[at].text, ":" | ",")
            && tokens[at + 1].text == member
            && matches!(tokens[at + 2].text, "(" | "{")
        {
            if found.is_some() {
                return None;
            }
            found = Some(at + 1);
        }
        if tokens[at].kind == Kind::Sign && matches!(tokens[at].text, "(" | "[" | "{") {
            at = closing(tokens, at)?;
        }
        at += 1;
    }
    found
}

/// Whether a variable is one that the list of a lambda makes.
fn is_made_by(variable: Cursor<'_>, lambda: Cursor<'_>) -> bool {
    let class = lambda.ty().canonical().declaration().canonical().id();
    let operator = variable.semantic_parent().filter(|p| p.kind() == CursorKind::CXXMethod);
    operator.and_then(Cursor::semantic_parent).is_some_and(|c| c.canonical().id() == class)
}
