//! What declarations hold: attributes, initialisers, bodies.

use super::build::body_cursor;
use super::{Ast, Ex};
use crate::clang::{Cursor, CursorId, CursorKind, Evaluated, FileKey, StorageClass, Type as ClangType};
use crate::recover::{self, Attribute};
use crate::types::{Decl, DeclKind};
use cudair_ir::Texels;
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

/// The attributes of a declaration that the lowering heeds.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Attributes {
    pub global: bool,
    pub device: bool,
    pub host: bool,
    pub constant: bool,
    pub shared: bool,
    pub managed: bool,
    /// A function of our own headers that is too large to be part of its callers.
    pub out_of_line: bool,
    /// What a function of our texture header does to texels.
    pub texels: Option<Texels>,
    /// A kernel's parameter that is the launch's own memory, not a copy of it for each thread.
    pub grid_constant: bool,
    /// A variable that is never destroyed.
    pub immortal: bool,
    /// Threads of a block, blocks of a multiprocessor, blocks of a cluster.
    pub launch_bounds: [u32; 3],
    pub cluster_dims: [u32; 3],
}

/// The initialisers of a constructor's list, as they are written.
#[derive(Default)]
pub(crate) struct ConstructorList<'tu> {
    pub fields: Vec<(Decl<'tu>, Ex<'tu>)>,
    /// Those of bases, by the type that they make.
    pub bases: Vec<(crate::types::Ty, Ex<'tu>)>,
}

/// Up to three numbers that an attribute lists; `rest` stands for those that it leaves out.
fn numbers(attribute: Cursor<'_>, rest: u32) -> [u32; 3] {
    // 0 says nothing: what is negative, or hangs on a template's parameter.
    let mut values = attribute.expressions().into_iter().map(|e| match e.evaluate() {
        Some(Evaluated::Int(v)) => u32::try_from(v).unwrap_or(0),
        _ => 0,
    });
    // What is left out is `rest`.
    [0; 3].map(|_| values.next().unwrap_or(rest))
}

fn read_attributes(cursor: Cursor<'_>, a: &mut Attributes) {
    for child in cursor.children() {
        match child.kind() {
            CursorKind::CUDAGlobalAttr => a.global = true,
            CursorKind::CUDADeviceAttr => a.device = true,
            CursorKind::CUDAHostAttr => a.host = true,
            CursorKind::CUDAConstantAttr => a.constant = true,
            CursorKind::CUDASharedAttr => a.shared = true,
            CursorKind::AnnotateAttr => match child.spelling().as_str() {
                "cudair.managed" => a.managed = true,
                "cudair.grid_constant" => a.grid_constant = true,
                "cudair.immortal" => a.immortal = true,
                "cudair.out_of_line" => a.out_of_line = true,
                "cudair.texture" => a.texels = Some(Texels::Texture),
                "cudair.surface_read" => a.texels = Some(Texels::SurfaceRead),
                "cudair.surface_write" => a.texels = Some(Texels::SurfaceWrite),
                "cudair.launch_bounds" => a.launch_bounds = numbers(child, 0),
                "cudair.cluster_dims" => a.cluster_dims = numbers(child, 1),
                _ => {}
            },
            // What follows a parameter or the body is no attribute of the function.
            CursorKind::CompoundStmt => break,
            _ => {}
        }
    }
}

impl<'tu> Ast<'tu> {
    /// The attributes of a declaration and of its first declaration.
    pub fn attributes(&mut self, decl: Decl<'tu>) -> Rc<Attributes> {
        if let Some(found) = self.attributes.get(&decl.id()) {
            return found.clone();
        }
        let mut a = Attributes::default();
        // What an instance says of its own launch bounds goes before what its template says, where parameters of the
        // template stand in place of numbers.
        if let Some(template) = decl.specialized_template() {
            read_attributes(template.cursor(), &mut a);
        }
        let canonical = decl.canonical();
        if canonical.id() != decl.id() {
            read_attributes(canonical.cursor(), &mut a);
        }
        read_attributes(decl.cursor(), &mut a);
        let a = Rc::new(a);
        self.attributes.insert(decl.id(), a.clone());
        a
    }

    /// The attributes of a declaration of the program that libclang does not show by name, and of its first declaration.
    pub fn unnamed_attributes(&self, decl: Decl<'tu>) -> Vec<Attribute> {
        // Our own headers are system headers, too.
        if decl.in_system_header() {
            return Vec::new();
        }
        let mut found = recover::attributes(decl.cursor());
        if decl.canonical().id() != decl.id() {
            for attribute in recover::attributes(decl.canonical().cursor()) {
                if !found.contains(&attribute) {
                    found.push(attribute);
                }
            }
        }
        found
    }

    /// The names of the attributes that libclang does not show by name, of an instance or a specialisation of the program's
    /// templates: it is printed without its attributes.
    pub fn unnamed_attributes_of_template(&self, decl: Decl<'tu>) -> Vec<String> {
        recover::attribute_names(self.unit, decl.cursor())
    }

    /// Whether a variable is declared `constexpr`.
    pub fn is_constexpr(&self, variable: Decl<'tu>) -> bool {
        recover::is_constexpr(variable.cursor()) || recover::is_constexpr(variable.canonical().cursor())
    }

    /// The declaration of a function that holds its body.
    pub fn body_of(&self, function: Decl<'tu>) -> Option<Decl<'tu>> {
        let definition = function.definition()?;
        body_cursor(definition.cursor()).map(|_| definition)
    }

    /// Whether a constructor does nothing that is written.
    pub fn has_empty_body(&self, function: Decl<'tu>) -> bool {
        self.body_of(function).is_some_and(|b| {
            b.cursor().children().iter().all(|c| match c.kind() {
                CursorKind::CompoundStmt => c.children().is_empty(),
                CursorKind::MemberRef => false,
                k => !k.is_expression(),
            })
        })
    }

    /// What a variable is initialised with; of a structured binding the first expression, since an array shows
    /// its elements' copies as a second one.
    pub fn initializer(&mut self, decl: Decl<'tu>) -> Option<Ex<'tu>> {
        let cursor = initializer_cursor(decl)?;
        let calls = cursor.kind() == CursorKind::CallExpr && cursor.arguments().is_none_or(|a| a.is_empty());
        if calls && decl.kind() == DeclKind::Variable && recover::is_plainly_declared(decl.cursor()) {
            self.plain.insert(cursor.id());
        }
        if decl.semantic_parent().is_some_and(|p| p.kind().is_function()) {
            return Some(self.root(cursor));
        }
        let around = self.around.replace(decl);
        let made = self.root(cursor);
        self.around = around;
        Some(made)
    }

    /// Whether a variable or a structured binding has an initialiser.
    pub fn is_initialized(&self, decl: Decl<'tu>) -> bool {
        initializer_cursor(decl).is_some()
    }

    /// Whether reading a variable's initialiser's value in its place leaves nothing out.
    pub fn has_plain_initializer(&self, decl: Decl<'tu>) -> bool {
        decl.cursor().initializer().is_none_or(recover::has_no_effects)
    }

    /// Whether a variable has an initialiser of its own.
    pub fn has_initializer(&self, decl: Decl<'tu>) -> bool {
        decl.cursor().initializer().is_some()
    }

    /// The value of a variable's initialiser, if that is a constant integer.
    pub fn has_constant_integer(&self, decl: Decl<'tu>) -> bool {
        decl.cursor()
            .initializer()
            .is_some_and(|i| matches!(recover::value_without_effects(i), Some(Evaluated::Int(_))))
    }

    /// Whether an initialiser at namespace scope holds a call or a name, so that it may not be constant.
    pub fn may_call(&self, decl: Decl<'tu>) -> bool {
        initializer_cursor(decl).is_some_and(contains_call)
    }

    /// The default argument of a parameter that a constructor's declaration shows.
    pub fn shown_default(&mut self, function: Decl<'tu>, index: usize) -> Option<Ex<'tu>> {
        let params = function.cursor().arguments()?;
        let value = params.get(index).and_then(|p| p.expressions().last().copied())?;
        Some(self.root(value))
    }

    /// Whether a parameter has a default argument.
    pub fn has_default(&self, function: Decl<'tu>, index: usize) -> bool {
        let params = function.cursor().arguments();
        params.is_some_and(|a| a.get(index).is_some_and(|p| !p.expressions().is_empty()))
    }

    /// The size expressions of variable length arrays in a declared type, innermost first.
    pub fn dimensions(&mut self, decl: Decl<'tu>) -> Vec<Ex<'tu>> {
        let init = decl.cursor().initializer().map(Cursor::id);
        let dims = decl.cursor().expressions().into_iter().filter(|e| Some(e.id()) != init);
        dims.map(|e| self.expr(e)).collect()
    }

    /// The constants whose value hangs on whether the compiler computes them, where a file of the user's asks that, and
    /// the calls of functions that only the compiler calls and that ask it: nothing shows their values.
    pub fn constants_by_consteval(&self) -> Vec<Decl<'tu>> {
        let asks = |file: &FileKey| {
            self.unit.file_contents(*file).is_some_and(|text| recover::mentions_consteval(&text))
        };
        let mut files = self.unit.files().into_iter().filter(|file| !self.unit.is_system_header(*file));
        if !self.asks_consteval && !files.any(|file| asks(&file)) {
            return Vec::new();
        }
        recover::constants_by_consteval(self.unit).into_iter().map(Decl::new).collect()
    }

    /// The unit as a declaration, for functions that no declaration stands for.
    pub fn unit_decl(&self) -> Decl<'tu> {
        Decl::new(self.unit.cursor())
    }

    /// The list of a constructor.
    pub fn constructor_list(&mut self, constructor: Decl<'tu>) -> ConstructorList<'tu> {
        let mut list = ConstructorList::default();
        let mut member = None;
        for child in constructor.cursor().children() {
            match child.kind() {
                CursorKind::MemberRef => member = child.referenced(),
                CursorKind::CompoundStmt => break,
                k if k.is_expression() => {
                    let made = self.expr(child);
                    match member.take() {
                        Some(field) => list.fields.push((Decl::new(field), made)),
                        None => list.bases.push((made.q.ty, made)),
                    }
                }
                _ => {}
            }
        }
        list
    }

    /// The declaration of a variable that says most: with an initialiser, else not `extern`.
    pub fn variable_definition(&mut self, decl: Decl<'tu>) -> Decl<'tu> {
        if let Some(definition) = decl.definition() {
            // Before C++17 a constant member is defined outside its class, and initialised inside.
            let declared = definition.canonical();
            let inside = !definition.is_initialized() && declared.is_initialized();
            return if inside { declared } else { definition };
        }
        let id = decl.canonical().id();
        let unit = self.unit;
        let known = self.definitions.get_or_insert_with(|| {
            let mut found = FxHashMap::default();
            scan_variables(unit.cursor(), &mut found);
            found
        });
        known.get(&id).map_or(decl, |&c| Decl::new(c))
    }

    /// The type that a typedef at file scope names.
    pub(super) fn typedef(&mut self, name: &str) -> Option<ClangType<'tu>> {
        let unit = self.unit;
        let known = self.typedefs.get_or_insert_with(|| {
            let decls = unit.cursor().children();
            decls
                .into_iter()
                .filter(|c| matches!(c.kind(), CursorKind::TypedefDecl | CursorKind::TypeAliasDecl))
                .map(|c| (c.spelling(), c.typedef_underlying()))
                .collect()
        });
        let found = known.get(name).copied();
        if found.is_none() {
            unit.miss_type(name);
        }
        found
    }

    /// Notes the names of a structured binding in a function.
    pub fn note_static_binding(&mut self, decl: Decl<'tu>) {
        self.static_binding(decl);
        let known = self.static_bindings.get_or_insert_default();
        known.extend(bound_names(decl).into_iter().map(|name| (name.id(), decl)));
    }

    /// The structured binding of static storage that declares a name.
    pub fn static_binding(&mut self, name: Decl<'tu>) -> Option<Decl<'tu>> {
        if self.static_bindings.is_none() {
            let mut found = FxHashMap::default();
            let mut scopes = vec![self.unit.cursor()];
            while let Some(scope) = scopes.pop() {
                for decl in scope.children() {
                    if decl.kind() == CursorKind::Namespace {
                        scopes.push(decl);
                    } else if is_static_binding(Decl::new(decl)) {
                        let decl = Decl::new(decl);
                        found.extend(bound_names(decl).into_iter().map(|name| (name.id(), decl)));
                    }
                }
            }
            self.static_bindings = Some(found);
        }
        self.static_bindings.as_ref()?.get(&name.id()).copied()
    }

    /// Whether a local declaration of unknown kind declares something.
    pub fn is_structured_binding(&self, decl: Decl<'tu>) -> bool {
        decl.kind() == DeclKind::Unexposed && !decl.cursor().children().is_empty() && self.cxx
    }

    /// The declarations of the user's files, namespaces and linkage blocks opened.
    pub fn tops(&self) -> Vec<Decl<'tu>> {
        let mut found = Vec::new();
        collect_tops(self.unit.cursor(), &mut found);
        found
    }

    /// Members whose definitions stand outside of their classes, and instances of templates.
    pub fn members_and_instances(&self) -> Vec<Decl<'tu>> {
        let mut found = Vec::new();
        collect_members(self.unit.cursor(), &mut found);
        found
    }

    /// The functions that the classes of the user's files define in their bodies, which belong to no object: static members
    /// and friends. Those of class templates are no code.
    pub fn functions_in_classes(&self) -> Vec<Decl<'tu>> {
        let mut found = Vec::new();
        collect_in_classes(self.unit.cursor(), &mut found);
        found
    }

    /// The function templates that the user's files define.
    pub fn function_templates(&self) -> Vec<Decl<'tu>> {
        let mut found = Vec::new();
        collect_templates(self.unit.cursor(), &mut found);
        found
    }

    /// The functions with bodies that the user's files define or reach, by symbol.
    pub fn functions_by_symbol(&self) -> FxHashMap<String, Decl<'tu>> {
        let (mut known, mut visited) = (FxHashMap::default(), FxHashSet::default());
        for top in self.tops().into_iter().chain(self.members_and_instances()) {
            collect_symbols(top.cursor(), &mut known, &mut visited);
        }
        known
    }

    /// Whether a declaration stands in a file that units are made of: this one, or another source file that it
    /// includes.
    pub fn in_source_file(&self, decl: Decl<'tu>) -> bool {
        decl.in_main_file()
            || decl.cursor().place().file.is_some_and(|file| {
                let name = self.unit.file_name(file);
                let extension = std::path::Path::new(&name).extension().and_then(|e| e.to_str());
                matches!(extension, Some("c" | "cc" | "cpp" | "cxx" | "cu"))
            })
    }

    /// Whether the body of a function stands in the file that was named.
    pub fn body_in_main_file(&self, function: Decl<'tu>) -> bool {
        self.body_of(function).is_some_and(Decl::in_main_file)
    }

    /// Whether what a function without a body does is known by its name: the compiler's, the library's, the runtime's. A
    /// namespace or class of the program may have functions of the same name.
    pub fn is_known_by_name(&self, decl: Decl<'tu>) -> bool {
        let first = decl.canonical();
        let own_class = decl.kind() != DeclKind::Function && !self.in_own_header(first);
        first.in_system_header() && !own_class || decl.mangling() == decl.spelling()
    }

    /// Whether a declaration stands in one of the headers that stand in for CUDA's.
    pub fn in_own_header(&self, decl: Decl<'tu>) -> bool {
        decl.in_system_header()
            && decl
                .cursor()
                .place()
                .file
                .is_some_and(|f| crate::headers::is_own_cuda_header(&self.unit.file_name(f)))
    }

    /// The local variable that is a function's result itself: all `return` statements name it, and it is declared in the
    /// outermost scope.
    pub fn returned_variable(&self, function: Decl<'tu>) -> Option<Decl<'tu>> {
        let body =
            function.cursor().children().into_iter().rfind(|c| c.kind() == CursorKind::CompoundStmt)?;
        let mut found = None;
        if !all_return(body, &mut found) {
            return None;
        }
        let variable = found?;
        body.children()
            .into_iter()
            .filter(|s| s.kind() == CursorKind::DeclStmt)
            .flat_map(|s| s.children())
            .find(|d| d.kind() == CursorKind::VarDecl && d.id() == variable)
            .map(Decl::new)
    }
}

/// The names of a structured binding.
pub(crate) fn bound_names(decl: Decl<'_>) -> Vec<Decl<'_>> {
    let children = decl.cursor().children();
    children.into_iter().filter(|c| c.kind() == CursorKind::UnexposedDecl).map(Decl::new).collect()
}

/// Whether a declaration of unknown kind is a structured binding of static storage.
pub(crate) fn is_static_binding(decl: Decl<'_>) -> bool {
    decl.kind() == DeclKind::Unexposed
        && decl.has_static_storage()
        && !bound_names(decl).is_empty()
        && decl.cursor().children().iter().any(|c| c.kind().is_expression())
}

fn initializer_cursor(decl: Decl<'_>) -> Option<Cursor<'_>> {
    if decl.kind() == DeclKind::Unexposed && !bound_names(decl).is_empty() {
        return decl.cursor().children().into_iter().find(|c| c.kind().is_expression());
    }
    decl.cursor().initializer()
}

/// Whether all `return` statements below a node name one variable, and which.
fn all_return(at: Cursor<'_>, found: &mut Option<CursorId>) -> bool {
    for child in at.children() {
        let kind = child.kind();
        if kind == CursorKind::ReturnStmt {
            let Some(variable) = child.expressions().first().and_then(|&e| returned(e)) else { return false };
            if found.is_some_and(|f| f != variable) {
                return false;
            }
            *found = Some(variable);
        } else if kind != CursorKind::LambdaExpr && !kind.is_declaration() && !all_return(child, found) {
            return false;
        }
    }
    true
}

/// The variable that a `return` names, copied or moved as the language has it.
fn returned(mut e: Cursor<'_>) -> Option<CursorId> {
    loop {
        let exprs = e.expressions();
        match e.kind() {
            CursorKind::DeclRefExpr => {
                return e.referenced().filter(|d| d.kind() == CursorKind::VarDecl).map(|d| d.id());
            }
            CursorKind::ParenExpr | CursorKind::UnexposedExpr if exprs.len() == 1 => e = exprs[0],
            CursorKind::CallExpr => {
                let constructor = e.referenced().filter(|d| d.kind() == CursorKind::Constructor)?;
                if !constructor.is_copy_constructor() && !constructor.is_move_constructor() {
                    return None;
                }
                match exprs[..] {
                    [one] => e = one,
                    _ => return None,
                }
            }
            _ => return None,
        }
    }
}

fn collect_tops<'tu>(parent: Cursor<'tu>, tops: &mut Vec<Decl<'tu>>) {
    for cursor in parent.children() {
        match cursor.kind() {
            CursorKind::Namespace | CursorKind::LinkageSpec if !cursor.in_system_header() => {
                collect_tops(cursor, tops);
            }
            CursorKind::FunctionDecl | CursorKind::VarDecl
                if cursor.is_definition()
                    && !cursor.in_system_header()
                    && !super::instances::is_instance(cursor)
                    && !super::instances::is_of_template(cursor) =>
            {
                tops.push(Decl::new(cursor));
            }
            CursorKind::UnexposedDecl
                if !cursor.in_system_header() && is_static_binding(Decl::new(cursor)) =>
            {
                tops.push(Decl::new(cursor));
            }
            // Inline static members, whose initialisers run whether or not anybody uses them.
            CursorKind::StructDecl | CursorKind::ClassDecl | CursorKind::UnionDecl
                if cursor.is_definition() && !cursor.in_system_header() =>
            {
                collect_tops(cursor, tops);
            }
            _ => {}
        }
    }
}

fn collect_in_classes<'tu>(parent: Cursor<'tu>, found: &mut Vec<Decl<'tu>>) {
    for cursor in parent.children() {
        let in_class = Decl::new(parent).kind() == DeclKind::Record;
        match cursor.kind() {
            _ if cursor.in_system_header() => {}
            CursorKind::Namespace | CursorKind::LinkageSpec => collect_in_classes(cursor, found),
            CursorKind::StructDecl | CursorKind::ClassDecl | CursorKind::UnionDecl
                if cursor.is_definition() =>
            {
                collect_in_classes(cursor, found);
            }
            CursorKind::CXXMethod if in_class && cursor.is_static_method() && cursor.is_definition() => {
                found.push(Decl::new(cursor));
            }
            CursorKind::FriendDecl => {
                let of_friend = cursor.children().into_iter();
                let functions =
                    of_friend.filter(|c| c.kind() == CursorKind::FunctionDecl && c.is_definition());
                found.extend(functions.map(Decl::new));
            }
            _ => {}
        }
    }
}

fn collect_templates<'tu>(parent: Cursor<'tu>, found: &mut Vec<Decl<'tu>>) {
    for cursor in parent.children() {
        match cursor.kind() {
            _ if cursor.in_system_header() => {}
            CursorKind::Namespace | CursorKind::LinkageSpec => collect_templates(cursor, found),
            CursorKind::FunctionTemplate if cursor.is_definition() => found.push(Decl::new(cursor)),
            _ => {}
        }
    }
}

fn collect_members<'tu>(parent: Cursor<'tu>, found: &mut Vec<Decl<'tu>>) {
    for cursor in parent.children() {
        let member = matches!(
            cursor.kind(),
            CursorKind::CXXMethod
                | CursorKind::Constructor
                | CursorKind::Destructor
                | CursorKind::ConversionFunction
        );
        match cursor.kind() {
            CursorKind::Namespace | CursorKind::LinkageSpec if !cursor.in_system_header() => {
                collect_members(cursor, found);
            }
            CursorKind::FunctionDecl if super::instances::is_instance(cursor) => {
                found.push(Decl::new(cursor));
            }
            // Those of a class template itself are no code.
            _ if member
                && cursor.semantic_parent().is_some_and(|p| Decl::new(p).kind() == DeclKind::Record) =>
            {
                found.push(Decl::new(cursor));
            }
            _ => {}
        }
    }
}

/// The functions with bodies that a declaration reaches, by symbol.
fn collect_symbols<'tu>(
    decl: Cursor<'tu>,
    known: &mut FxHashMap<String, Decl<'tu>>,
    visited: &mut FxHashSet<CursorId>,
) {
    if !visited.insert(decl.canonical().id()) {
        return;
    }
    if Decl::new(decl).kind().is_function() {
        known.entry(symbol(Decl::new(decl))).or_insert(Decl::new(decl));
    }
    let mut stack = vec![decl];
    while let Some(at) = stack.pop() {
        for child in at.children() {
            if child.kind().is_expression()
                && let Some(target) = child.referenced().filter(|d| Decl::new(*d).kind().is_function())
                && let Some(definition) = target.definition()
            {
                collect_symbols(definition, known, visited);
            }
            stack.push(child);
        }
    }
}

/// Finds, for each variable of the unit, the declaration with an initialiser, else a tentative one.
fn scan_variables<'tu>(parent: Cursor<'tu>, found: &mut FxHashMap<CursorId, Cursor<'tu>>) {
    for cursor in parent.children() {
        match cursor.kind() {
            CursorKind::LinkageSpec | CursorKind::Namespace => scan_variables(cursor, found),
            CursorKind::VarDecl => {
                let id = cursor.canonical().id();
                let better =
                    |c: Cursor<'_>| (c.initializer().is_some(), c.storage_class() != StorageClass::Extern);
                match found.get(&id) {
                    Some(&old) if better(old) >= better(cursor) => {}
                    _ => {
                        found.insert(id, cursor);
                    }
                }
            }
            _ => {}
        }
    }
}

/// Whether an expression holds a call, so that it may not be constant.
fn contains_call(e: Cursor<'_>) -> bool {
    matches!(
        e.kind(),
        CursorKind::CallExpr | CursorKind::CXXNewExpr | CursorKind::LambdaExpr | CursorKind::DeclRefExpr
    ) || e.children().iter().any(|c| contains_call(*c))
}

/// The linker's name of a declaration; empty where a constructor or destructor has none.
pub(crate) fn symbol(decl: Decl<'_>) -> String {
    let name = match decl.kind() {
        // Its name is its class's, which others have, too.
        DeclKind::Constructor | DeclKind::Destructor => {
            return decl.cxx_manglings().into_iter().next_back().unwrap_or_default();
        }
        _ => decl.mangling(),
    };
    if name.is_empty() { decl.spelling() } else { without_stub(name) }
}

/// In host mode clang mangles a kernel as its launch stub, `__device_stub__` before the name; this is
/// the kernel's own.
fn without_stub(name: String) -> String {
    const STUB: &str = "__device_stub__";
    let Some(at) = name.find(STUB) else { return name };
    let (head, tail) = (&name[..at], &name[at + STUB.len()..]);
    let digits = head.len() - head.trim_end_matches(|c: char| c.is_ascii_digit()).len();
    let (prefix, count) = head.split_at(head.len() - digits);
    match count.parse::<usize>() {
        Ok(length) if length > STUB.len() => format!("{prefix}{}{tail}", length - STUB.len()),
        // An `extern "C"` kernel has no length.
        _ => format!("{head}{tail}"),
    }
}
