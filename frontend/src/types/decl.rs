//! Declarations as the lowering sees them.
//!
//! A [`Decl`] names a declaration and answers what libclang tells of it for certain: its name, type, linkage and the
//! flags of its kind. What hangs on expressions (initialisers, bodies, attributes with arguments) is asked of the
//! tree ([`crate::ast`]).

use crate::clang::{Cursor, CursorId, CursorKind, ExceptionSpecification, RawRange, StorageClass, Type};

/// What a declaration declares.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum DeclKind {
    Variable,
    Parameter,
    Function,
    Method,
    Constructor,
    Destructor,
    Conversion,
    Field,
    Enumerator,
    /// A struct, class or union.
    Record,
    Enumeration,
    /// A `typedef` or an alias.
    TypeName,
    Namespace,
    Linkage,
    FunctionTemplate,
    /// A class template or a partial specialisation of one.
    ClassTemplate,
    Friend,
    /// What libclang has no kind for: structured bindings and their names, instances of variable templates.
    Unexposed,
    Other,
}

impl DeclKind {
    /// Whether it is a function of any sort.
    pub fn is_function(self) -> bool {
        matches!(
            self,
            DeclKind::Function
                | DeclKind::Method
                | DeclKind::Constructor
                | DeclKind::Destructor
                | DeclKind::Conversion
        )
    }
}

/// A declaration of the translation unit.
#[derive(Clone, Copy)]
pub(crate) struct Decl<'tu>(Cursor<'tu>);

/// Something that stands somewhere in the source.
pub(crate) trait Located {
    /// Where it stands.
    fn range(&self) -> RawRange;
}

impl Located for Decl<'_> {
    fn range(&self) -> RawRange {
        self.0.range()
    }
}

impl Located for RawRange {
    fn range(&self) -> RawRange {
        *self
    }
}

macro_rules! forward {
    ($($(#[$meta:meta])* $name:ident -> $result:ty;)*) => {
        $($(#[$meta])* pub fn $name(self) -> $result { self.0.$name() })*
    };
}

impl<'tu> Decl<'tu> {
    /// The declaration that a cursor is.
    pub fn new(cursor: Cursor<'tu>) -> Self {
        Decl(cursor)
    }

    /// The cursor, for the stages below the lowering.
    pub fn cursor(self) -> Cursor<'tu> {
        self.0
    }

    /// What it declares.
    pub fn kind(self) -> DeclKind {
        kind_of(self.0.kind())
    }

    forward! {
        /// The identity of this declaration; another of the same entity has its own.
        id -> CursorId;
        /// The name.
        spelling -> String;
        /// The name that a linker sees, as far as libclang tells it.
        mangling -> String;
        /// The names of a constructor or destructor for a linker.
        cxx_manglings -> Vec<String>;
        /// The declared type.
        ty -> Type<'tu>;
        /// The type that a `typedef` names.
        typedef_underlying -> Type<'tu>;
        /// The template arguments as a reader writes them.
        template_arguments -> Vec<String>;
        /// Whether other units may name it.
        has_external_linkage -> bool;
        /// Whether each thread has its own.
        is_thread_local -> bool;
        /// The storage class that is written.
        storage_class -> StorageClass;
        /// Whether a variable lives as long as the program.
        has_static_storage -> bool;
        /// What is said of exceptions.
        exception_specification -> ExceptionSpecification;
        /// Whether it is a definition.
        is_definition -> bool;
        /// Whether its members belong to its parent.
        is_anonymous_record -> bool;
        /// Whether it has no name.
        is_anonymous -> bool;
        /// The width of a bit-field.
        bit_width -> Option<u32>;
        /// Whether a member may change in constant objects.
        is_mutable -> bool;
        /// Whether a method may be called on constant objects.
        is_const_method -> bool;
        /// Whether a method is static.
        is_static_method -> bool;
        /// Whether a method is virtual.
        is_virtual_method -> bool;
        /// Whether a method is pure virtual.
        is_pure_virtual -> bool;
        /// Whether a function is defaulted.
        is_defaulted -> bool;
        /// Whether a function is deleted.
        is_deleted -> bool;
        /// Whether a constructor or conversion function is explicit.
        is_explicit -> bool;
        /// Whether this is a copy constructor.
        is_copy_constructor -> bool;
        /// Whether this is a move constructor.
        is_move_constructor -> bool;
        /// Whether this is a default constructor.
        is_default_constructor -> bool;
        /// Whether this is a copy assignment operator.
        is_copy_assignment -> bool;
        /// Whether this is a move assignment operator.
        is_move_assignment -> bool;
        /// Whether a function is declared inline.
        is_inline -> bool;
        /// Whether it stands in a header of the system or of our own.
        in_system_header -> bool;
        /// Whether it stands in the file that was named.
        in_main_file -> bool;
        /// Whether it is a member of the namespace `std` itself, not of one of that name elsewhere.
        is_in_std -> bool;
    }

    /// The first declaration of the entity.
    pub fn canonical(self) -> Decl<'tu> {
        Decl(self.0.canonical())
    }

    /// The definition, if the unit has it.
    pub fn definition(self) -> Option<Decl<'tu>> {
        self.0.definition().map(Decl)
    }

    /// What it is a member of.
    pub fn semantic_parent(self) -> Option<Decl<'tu>> {
        self.0.semantic_parent().map(Decl)
    }

    /// The template that it was made from.
    pub fn specialized_template(self) -> Option<Decl<'tu>> {
        self.0.specialized_template().map(Decl)
    }

    /// Whether it is an instance of a function template, rather than a member of a class template's instance.
    pub fn is_made_from_function_template(self) -> bool {
        self.specialized_template().is_some_and(|t| t.kind() == DeclKind::FunctionTemplate)
    }

    /// The parameters of a function template, in order.
    pub fn written_parameters(self) -> Vec<Decl<'tu>> {
        let children = self.0.children().into_iter();
        children.filter(|c| c.kind() == CursorKind::ParmDecl).map(Decl).collect()
    }

    /// The parameters of a function; `None` for what has none to tell.
    pub fn parameters(self) -> Option<Vec<Decl<'tu>>> {
        self.0.arguments().map(|a| a.into_iter().map(Decl).collect())
    }

    /// The functions of bases that a method overrides directly.
    pub fn overridden(self) -> Vec<Decl<'tu>> {
        self.0.overridden().into_iter().map(Decl).collect()
    }

    /// The declarations inside: members, the names of a structured binding.
    pub fn members(self) -> Vec<Decl<'tu>> {
        self.0.children().into_iter().filter(|c| c.kind().is_declaration()).map(Decl).collect()
    }

    /// The value of an enumerator.
    pub fn enumerator_value(self, signed: bool) -> i128 {
        self.0.enumerator_value(signed)
    }

    /// Whether a variable has an initialiser.
    pub fn is_initialized(self) -> bool {
        self.0.initializer().is_some()
    }

    /// Whether a member is public.
    pub fn is_public(self) -> bool {
        self.0.is_public()
    }

    /// Whether two declarations stand at one place, as those that the compiler provides do with their class.
    pub fn is_at(self, other: Decl<'tu>) -> bool {
        self.0.location() == other.0.location()
    }

    /// Whether this is a lambda's class.
    pub fn is_closure(self) -> bool {
        // Other names may have one among their template arguments.
        let name = self.0.ty().spelling();
        name.find("(lambda").is_some_and(|at| !name[..at].contains('<'))
    }

    /// Whether a function takes `this`.
    pub fn has_this(self) -> bool {
        match self.kind() {
            DeclKind::Constructor | DeclKind::Destructor | DeclKind::Conversion => true,
            DeclKind::Method => !self.is_static_method(),
            _ => false,
        }
    }

    /// Whether this one stands before another in the unit.
    pub fn is_before(self, other: Decl<'tu>) -> bool {
        self.0.location().is_before(other.0.location())
    }

    /// Whether the types of the two are the same declaration's.
    pub fn is_same_entity(self, other: Decl<'tu>) -> bool {
        self.canonical().id() == other.canonical().id()
    }
}

fn kind_of(kind: CursorKind) -> DeclKind {
    match kind {
        CursorKind::VarDecl => DeclKind::Variable,
        CursorKind::ParmDecl => DeclKind::Parameter,
        CursorKind::FunctionDecl => DeclKind::Function,
        CursorKind::CXXMethod => DeclKind::Method,
        CursorKind::Constructor => DeclKind::Constructor,
        CursorKind::Destructor => DeclKind::Destructor,
        CursorKind::ConversionFunction => DeclKind::Conversion,
        CursorKind::FieldDecl => DeclKind::Field,
        CursorKind::EnumConstantDecl => DeclKind::Enumerator,
        CursorKind::StructDecl | CursorKind::ClassDecl | CursorKind::UnionDecl => DeclKind::Record,
        CursorKind::EnumDecl => DeclKind::Enumeration,
        CursorKind::TypedefDecl | CursorKind::TypeAliasDecl => DeclKind::TypeName,
        CursorKind::Namespace => DeclKind::Namespace,
        CursorKind::LinkageSpec => DeclKind::Linkage,
        CursorKind::FunctionTemplate => DeclKind::FunctionTemplate,
        CursorKind::ClassTemplate | CursorKind::ClassTemplatePartialSpecialization => DeclKind::ClassTemplate,
        CursorKind::FriendDecl => DeclKind::Friend,
        CursorKind::UnexposedDecl => DeclKind::Unexposed,
        _ => DeclKind::Other,
    }
}
