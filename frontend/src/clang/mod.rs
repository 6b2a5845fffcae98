//! A small safe wrapper over libclang: cursors, types, places, diagnostics, constant evaluation.
//!
//! Only what the lowering needs. Every value borrows from its [`TranslationUnit`], which is what
//! makes the pointers inside valid. This is the one module of the frontend that holds `unsafe`.
#![allow(unsafe_code)]

pub mod crash;
mod elision;
mod ffi;
mod hidden;
mod kind;
mod library;
mod location;
mod macros;
mod search;
mod search_path;
mod types;
mod unit;

pub use hidden::{Hidden, HiddenFunction};
pub use kind::CursorKind;
pub use library::{About, LibraryError, NEWEST, OLDEST, WHEEL, candidates, others, remedy, wheel_home};
pub use location::Location;
pub use macros::Macros;
pub use search::Origin;
pub(crate) use search_path::{SearchPath, search_path};
pub use types::{Type, TypeKind};
pub use unit::{
    Diagnostic, FileKey, Note, ParseFailure, RawPos, RawRange, Severity, TranslationUnit, Unsaved,
};

use clang_sys as cs;
use library::opened;
use smallvec::SmallVec;
use std::ffi::{CStr, c_uint};
use std::marker::PhantomData;
use std::path::{Path, PathBuf};

/// The version of the libclang in use, opened on first use.
pub fn version() -> Result<u32, LibraryError> {
    Ok(library::library()?.version)
}

/// Lets libclang install its signal handlers, which it does when it is first used.
pub(crate) fn settle() -> Result<(), LibraryError> {
    let f = &library::library()?.functions;
    // SAFETY: the index is disposed of once.
    unsafe { (f.clang_disposeIndex)((f.clang_createIndex)(0, 0)) };
    Ok(())
}

/// What is known of the libclang in use.
pub fn about() -> Result<&'static About, LibraryError> {
    Ok(&library::library()?.about)
}

/// Where the builtin headers of the libclang in use were looked for, and the folders in which it finds other libraries.
pub(crate) fn about_files() -> Result<(Vec<PathBuf>, Vec<PathBuf>), LibraryError> {
    let library = library::library()?;
    let path = &library.about.path;
    let headers = library::builtin_places(path, library.version).map(|folder| folder.join("stddef.h"));
    let real = path.canonicalize().ok();
    let folders = [Some(path.as_path()), real.as_deref()].into_iter().flatten().filter_map(Path::parent);
    Ok((headers.collect(), folders.map(Path::to_path_buf).collect()))
}

/// The builtin headers (`stddef.h` and kin) that belong to the libclang in use, if installed.
pub fn builtin_headers() -> Result<Option<&'static Path>, LibraryError> {
    Ok(library::library()?.builtin_headers.as_deref())
}

/// What a function's declaration says of the exceptions that leave it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ExceptionSpecification {
    /// Nothing is written.
    None,
    /// None leave it.
    Nothing,
    /// `noexcept(…)`: the function's type tells.
    Computed,
    /// It follows from what an implicit function calls.
    Unknown,
}

/// An argument of a template, as far as libclang tells it.
#[derive(Clone, Copy)]
pub enum TemplateArgument<'tu> {
    /// A type.
    Type(Type<'tu>),
    /// A number of an integer type, its 64 bits.
    Integer(i64),
    /// Any other: a pack, a template, an address.
    Other,
}

/// The storage class written on a declaration.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StorageClass {
    /// None, `auto` or `register`.
    None,
    /// `extern`.
    Extern,
    /// `static`.
    Static,
}

/// What the constant evaluator found.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Evaluated {
    /// An integer, extended by the signedness of its type to 128 bits.
    Int(i128),
    /// A floating number.
    Float(f64),
}

/// The identity of a cursor, usable as a key.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct CursorId(usize);

/// A node of the syntax tree.
#[derive(Clone, Copy)]
pub struct Cursor<'tu> {
    raw: cs::CXCursor,
    unit: PhantomData<&'tu TranslationUnit>,
}

/// The children of a cursor.
pub type Children<'tu> = SmallVec<[Cursor<'tu>; 4]>;

/// Takes a string out of libclang.
/// An assembly statement.
pub struct Assembly<'tu> {
    /// The text: `$0` is an operand, `$(` `$|` `$)` braces and bars, `$$` a dollar.
    pub template: String,
    /// Constraints and expressions of the outputs.
    pub outputs: Vec<(String, Cursor<'tu>)>,
    /// Those of the inputs.
    pub inputs: Vec<(String, Cursor<'tu>)>,
}

type Operand = unsafe extern "C" fn(cs::CXCursor, c_uint, *mut cs::CXString, *mut cs::CXCursor) -> c_uint;

fn take_string(raw: cs::CXString) -> String {
    let f = &opened().functions;
    // SAFETY: `raw` was just returned by libclang and is disposed of exactly once.
    unsafe {
        let pointer = (f.clang_getCString)(raw);
        let text = if pointer.is_null() {
            String::new()
        } else {
            CStr::from_ptr(pointer).to_string_lossy().into_owned()
        };
        (f.clang_disposeString)(raw);
        text
    }
}

extern "C" fn collect_child(
    cursor: cs::CXCursor,
    _parent: cs::CXCursor,
    data: cs::CXClientData,
) -> cs::CXChildVisitResult {
    // SAFETY: `data` is the vector that `Cursor::children` passed, alive during the visit.
    let children = unsafe { &mut *data.cast::<Children<'_>>() };
    children.push(Cursor { raw: cursor, unit: PhantomData });
    cs::CXChildVisit_Continue
}

extern "C" fn collect_field(cursor: cs::CXCursor, data: cs::CXClientData) -> cs::CXVisitorResult {
    // SAFETY: as in `collect_child`.
    let fields = unsafe { &mut *data.cast::<Children<'_>>() };
    fields.push(Cursor { raw: cursor, unit: PhantomData });
    cs::CXVisit_Continue
}

macro_rules! flags {
    ($($(#[$meta:meta])* $name:ident = $function:ident;)*) => {
        $($(#[$meta])* pub fn $name(self) -> bool {
            // SAFETY: the cursor is valid while its unit lives.
            unsafe { (opened().functions.$function)(self.raw) != 0 }
        })*
    };
}

impl<'tu> Cursor<'tu> {
    pub(super) fn new(raw: cs::CXCursor) -> Self {
        Cursor { raw, unit: PhantomData }
    }

    /// `None` for libclang's null and invalid cursors.
    fn valid(raw: cs::CXCursor) -> Option<Self> {
        let invalid = raw.kind >= cs::CXCursor_InvalidFile && raw.kind <= cs::CXCursor_InvalidCode;
        (!invalid && (!raw.data[0].is_null() || !raw.data[1].is_null()))
            .then_some(Cursor { raw, unit: PhantomData })
    }

    /// What kind of node this is.
    pub fn kind(self) -> CursorKind {
        match CursorKind(self.raw.kind) {
            // `T(a, b)` of an aggregate sets what `T{a, b}` does.
            CursorKind::CXXParenListInitExpr => CursorKind::InitListExpr,
            kind => kind,
        }
    }

    /// Whether a list stands in parentheses: it shows what is left out, too.
    pub fn is_list_in_parentheses(self) -> bool {
        CursorKind(self.raw.kind) == CursorKind::CXXParenListInitExpr
    }

    /// A key that is the same for every cursor of one node: a declaration's address, or an
    /// expression's or statement's.
    pub fn id(self) -> CursorId {
        let kind = self.kind();
        if kind.is_expression() || kind.is_statement() {
            CursorId(self.raw.data[1] as usize)
        } else {
            CursorId(self.raw.data[0] as usize)
        }
    }

    /// The direct children, in libclang's order.
    pub fn children(self) -> Children<'tu> {
        let mut children = Children::new();
        // SAFETY: the callback gets the vector as its data and libclang calls it only during the call.
        unsafe {
            (opened().functions.clang_visitChildren)(self.raw, collect_child, (&raw mut children).cast());
        }
        for child in &mut children {
            *child = child.without_elided_copy();
        }
        children
    }

    /// The direct children that are expressions.
    pub fn expressions(self) -> Children<'tu> {
        let mut children = self.children();
        children.retain(|c| c.kind().is_expression());
        children
    }

    /// The type of an expression or of what is declared.
    pub fn ty(self) -> Type<'tu> {
        // SAFETY: the cursor is valid while its unit lives.
        Type::new(unsafe { (opened().functions.clang_getCursorType)(self.raw) })
    }

    /// The declaration that this refers to.
    pub fn referenced(self) -> Option<Cursor<'tu>> {
        // SAFETY: as above.
        Self::valid(unsafe { (opened().functions.clang_getCursorReferenced)(self.raw) })
    }

    /// The definition of what this declares or refers to.
    pub fn definition(self) -> Option<Cursor<'tu>> {
        // SAFETY: as above.
        Self::valid(unsafe { (opened().functions.clang_getCursorDefinition)(self.raw) })
    }

    /// Whether this declaration is a definition. (libclang's own answer is no for all but the first of a local declaration:
    /// it compares cursors with their mark of the first.)
    pub fn is_definition(self) -> bool {
        self.kind().is_declaration() && self.definition().is_some_and(|d| d.id() == self.id())
    }

    /// The first declaration of this entity.
    pub fn canonical(self) -> Cursor<'tu> {
        // SAFETY: as above.
        Cursor::new(unsafe { (opened().functions.clang_getCanonicalCursor)(self.raw) })
    }

    /// The declaration that this one is a member of.
    pub fn semantic_parent(self) -> Option<Cursor<'tu>> {
        // SAFETY: as above.
        Self::valid(unsafe { (opened().functions.clang_getCursorSemanticParent)(self.raw) })
    }

    /// Whether it is a member of the namespace `std` itself, or of an inline namespace of it, in which the library keeps
    /// its versions; not of one of that name elsewhere.
    pub fn is_in_std(self) -> bool {
        let around = |c: Cursor<'tu>| {
            let mut parent = c.semantic_parent();
            while let Some(linkage) = parent.filter(|p| p.kind() == CursorKind::LinkageSpec) {
                parent = linkage.semantic_parent();
            }
            parent.filter(|p| p.kind() == CursorKind::Namespace)
        };
        let mut namespace = around(self);
        while let Some(inline) = namespace.filter(|n| n.is_inline_namespace()) {
            namespace = around(inline);
        }
        namespace.is_some_and(|n| n.spelling() == "std" && around(n).is_none())
    }

    /// The declaration that this one stands in.
    pub fn lexical_parent(self) -> Option<Cursor<'tu>> {
        // SAFETY: as above.
        Self::valid(unsafe { (opened().functions.clang_getCursorLexicalParent)(self.raw) })
    }

    /// The template that this declaration specialises.
    pub fn specialized_template(self) -> Option<Cursor<'tu>> {
        // SAFETY: as above.
        Self::valid(unsafe { (opened().functions.clang_getSpecializedCursorTemplate)(self.raw) })
    }

    /// The name; for a string literal its text.
    pub fn spelling(self) -> String {
        // SAFETY: as above.
        take_string(unsafe { (opened().functions.clang_getCursorSpelling)(self.raw) })
    }

    /// A name for the entity that is the same in every unit.
    pub fn usr(self) -> String {
        // SAFETY: as above.
        take_string(unsafe { (opened().functions.clang_getCursorUSR)(self.raw) })
    }

    /// The linker's name.
    pub fn mangling(self) -> String {
        // SAFETY: as above.
        take_string(unsafe { (opened().functions.clang_Cursor_getMangling)(self.raw) })
    }

    /// The linker's names of a constructor or destructor, one a variant.
    pub fn cxx_manglings(self) -> Vec<String> {
        let f = &opened().functions;
        // SAFETY: the set lives until it is disposed of, and its strings are only borrowed.
        unsafe {
            let set = (f.clang_Cursor_getCXXManglings)(self.raw);
            if set.is_null() {
                return Vec::new();
            }
            let strings = std::slice::from_raw_parts((*set).Strings, (*set).Count as usize);
            let names = strings
                .iter()
                .map(|s| {
                    let pointer = (f.clang_getCString)(*s);
                    if pointer.is_null() {
                        String::new()
                    } else {
                        CStr::from_ptr(pointer).to_string_lossy().into_owned()
                    }
                })
                .collect();
            (f.clang_disposeStringSet)(set);
            names
        }
    }

    /// Whether the entity is visible outside its translation unit.
    pub fn has_external_linkage(self) -> bool {
        // SAFETY: as above.
        let linkage = unsafe { (opened().functions.clang_getCursorLinkage)(self.raw) };
        linkage == cs::CXLinkage_External
    }

    /// Whether each thread of the host has its own instance of the variable.
    pub fn is_thread_local(self) -> bool {
        // SAFETY: as above.
        unsafe { (opened().functions.clang_getCursorTLSKind)(self.raw) != cs::CXTLS_None }
    }

    /// The printed form of a declaration: macros expanded, templates instantiated.
    pub fn pretty_printed(self) -> String {
        // SAFETY: a null policy means the default one.
        take_string(unsafe {
            (opened().functions.clang_getCursorPrettyPrinted)(self.raw, std::ptr::null_mut())
        })
    }

    /// The value of a constant expression. Only for expressions of scalar type: libclang crashes on
    /// initialiser lists. `None` too for one of 128 bits, of which libclang gives 64 and does not say so.
    pub fn evaluate(self) -> Option<Evaluated> {
        if matches!(self.ty().canonical().kind(), TypeKind::Int128 | TypeKind::UInt128) {
            return None;
        }
        let f = &opened().functions;
        // SAFETY: the result is disposed of once, after it was read.
        unsafe {
            let result = (f.clang_Cursor_Evaluate)(self.raw);
            if result.is_null() {
                return None;
            }
            let value = match (f.clang_EvalResult_getKind)(result) {
                cs::CXEval_Int if (f.clang_EvalResult_isUnsignedInt)(result) != 0 => {
                    Some(Evaluated::Int((f.clang_EvalResult_getAsUnsigned)(result) as i128))
                }
                cs::CXEval_Int => Some(Evaluated::Int((f.clang_EvalResult_getAsLongLong)(result) as i128)),
                cs::CXEval_Float => Some(Evaluated::Float((f.clang_EvalResult_getAsDouble)(result))),
                _ => None,
            };
            (f.clang_EvalResult_dispose)(result);
            value
        }
    }

    /// The arguments of a call, default ones included, or the parameters of a function. `None` where
    /// the node has none by nature.
    pub fn arguments(self) -> Option<Children<'tu>> {
        let f = &opened().functions;
        // SAFETY: as above; indices are below the count.
        unsafe {
            let count = (f.clang_Cursor_getNumArguments)(self.raw);
            (count >= 0).then(|| {
                (0..count as u32)
                    .map(|i| Cursor::new((f.clang_Cursor_getArgument)(self.raw, i)).without_elided_copy())
                    .collect()
            })
        }
    }

    /// The storage class of a declaration.
    pub fn storage_class(self) -> StorageClass {
        // SAFETY: as above.
        match unsafe { (opened().functions.clang_Cursor_getStorageClass)(self.raw) } {
            cs::CX_SC_Extern | cs::CX_SC_PrivateExtern => StorageClass::Extern,
            cs::CX_SC_Static => StorageClass::Static,
            _ => StorageClass::None,
        }
    }

    /// The initialiser of a variable.
    pub fn initializer(self) -> Option<Cursor<'tu>> {
        // SAFETY: as above.
        Self::valid(unsafe { (opened().functions.clang_Cursor_getVarDeclInitializer)(self.raw) })
            .map(Self::without_elided_copy)
    }

    /// Whether the variable has static storage duration.
    pub fn has_static_storage(self) -> bool {
        // SAFETY: as above.
        unsafe { (opened().functions.clang_Cursor_hasVarDeclGlobalStorage)(self.raw) > 0 }
    }

    /// The offset of a field in its record, in bits.
    pub fn field_offset_bits(self) -> Option<u64> {
        // SAFETY: as above.
        u64::try_from(unsafe { (opened().functions.clang_Cursor_getOffsetOfField)(self.raw) }).ok()
    }

    /// The width of a bit-field.
    pub fn bit_width(self) -> Option<u32> {
        let f = &opened().functions;
        // SAFETY: as above.
        unsafe {
            if (f.clang_Cursor_isBitField)(self.raw) == 0 {
                return None;
            }
            u32::try_from((f.clang_getFieldDeclBitWidth)(self.raw)).ok()
        }
    }

    /// The value of an enumerator, in 128 bits by its enumeration's signedness.
    pub fn enumerator_value(self, signed: bool) -> i128 {
        let f = &opened().functions;
        // SAFETY: as above.
        unsafe {
            if signed {
                (f.clang_getEnumConstantDeclValue)(self.raw) as i128
            } else {
                (f.clang_getEnumConstantDeclUnsignedValue)(self.raw) as i128
            }
        }
    }

    /// The integer type of an enumeration.
    pub fn enum_integer_type(self) -> Type<'tu> {
        // SAFETY: as above.
        Type::new(unsafe { (opened().functions.clang_getEnumDeclIntegerType)(self.raw) })
    }

    /// The type that a typedef names.
    pub fn typedef_underlying(self) -> Type<'tu> {
        // SAFETY: as above.
        Type::new(unsafe { (opened().functions.clang_getTypedefDeclUnderlyingType)(self.raw) })
    }

    /// The operator of a binary operator or compound assignment, as libclang numbers it.
    pub fn binary_operator(self) -> i32 {
        // SAFETY: as above.
        unsafe { (opened().functions.clang_getCursorBinaryOperatorKind)(self.raw) }
    }

    /// The operator of a unary operator, as libclang numbers it.
    pub fn unary_operator(self) -> i32 {
        // SAFETY: as above.
        unsafe { (opened().functions.clang_getCursorUnaryOperatorKind)(self.raw) }
    }

    flags! {
        /// Whether this is an anonymous struct or union, whose members belong to its parent.
        is_anonymous_record = clang_Cursor_isAnonymousRecordDecl;
        /// Whether this declaration has no name.
        is_anonymous = clang_Cursor_isAnonymous;
        /// Whether this member may change in constant objects.
        is_mutable = clang_CXXField_isMutable;
        /// Whether this method may be called on constant objects.
        is_const_method = clang_CXXMethod_isConst;
        /// Whether this method is static.
        is_static_method = clang_CXXMethod_isStatic;
        /// Whether this method is virtual.
        is_virtual_method = clang_CXXMethod_isVirtual;
        /// Whether this method is pure virtual.
        is_pure_virtual = clang_CXXMethod_isPureVirtual;
        /// Whether this method is defaulted.
        is_defaulted = clang_CXXMethod_isDefaulted;
        /// Whether this method is deleted.
        is_deleted = clang_CXXMethod_isDeleted;
        /// Whether this constructor or conversion function is explicit.
        is_explicit = clang_CXXMethod_isExplicit;
        /// Whether this is a copy constructor.
        is_copy_constructor = clang_CXXConstructor_isCopyConstructor;
        /// Whether this is a move constructor.
        is_move_constructor = clang_CXXConstructor_isMoveConstructor;
        /// Whether this is a default constructor.
        is_default_constructor = clang_CXXConstructor_isDefaultConstructor;
        /// Whether this method is a copy assignment operator.
        is_copy_assignment = clang_CXXMethod_isCopyAssignmentOperator;
        /// Whether this method is a move assignment operator.
        is_move_assignment = clang_CXXMethod_isMoveAssignmentOperator;
        /// Whether this base is virtual.
        is_virtual_base = clang_isVirtualBase;
        /// Whether the call dispatches on the object's dynamic type.
        is_dynamic_call = clang_Cursor_isDynamicCall;
        /// Whether the function is declared inline.
        is_inline = clang_Cursor_isFunctionInlined;
        /// Whether the namespace's names are found in the one around it.
        is_inline_namespace = clang_Cursor_isInlineNamespace;
    }

    /// The arguments of a specialisation of a function or class template, in order.
    pub fn arguments_of_template(self) -> Vec<TemplateArgument<'tu>> {
        let f = &opened().functions;
        // SAFETY: as above; indices are below the count.
        unsafe {
            let count = (f.clang_Cursor_getNumTemplateArguments)(self.raw);
            (0..count.max(0) as u32)
                .map(|i| match (f.clang_Cursor_getTemplateArgumentKind)(self.raw, i) {
                    cs::CXTemplateArgumentKind_Type => TemplateArgument::Type(Type::new((f
                        .clang_Cursor_getTemplateArgumentType)(
                        self.raw, i
                    ))),
                    cs::CXTemplateArgumentKind_Integral => {
                        TemplateArgument::Integer((f.clang_Cursor_getTemplateArgumentValue)(self.raw, i))
                    }
                    _ => TemplateArgument::Other,
                })
                .collect()
        }
    }

    /// The arguments of a template's specialisation, as a reader would write them.
    pub fn template_arguments(self) -> Vec<String> {
        let written = |argument| match argument {
            TemplateArgument::Type(ty) => ty.spelling(),
            TemplateArgument::Integer(value) => value.to_string(),
            TemplateArgument::Other => "…".to_owned(),
        };
        self.arguments_of_template().into_iter().map(written).collect()
    }

    /// The type arguments of a specialisation of a function or class template, in order.
    pub fn type_arguments(self) -> Vec<Type<'tu>> {
        let ty = |argument| match argument {
            TemplateArgument::Type(ty) => Some(ty),
            _ => None,
        };
        self.arguments_of_template().into_iter().filter_map(ty).collect()
    }

    /// The methods that this one overrides, nearest first.
    pub fn overridden(self) -> Vec<Cursor<'tu>> {
        let f = &opened().functions;
        let (mut list, mut count) = (std::ptr::null_mut(), 0);
        // SAFETY: libclang fills both and the list is read before it is disposed of.
        unsafe {
            (f.clang_getOverriddenCursors)(self.raw, &raw mut list, &raw mut count);
            if list.is_null() {
                return Vec::new();
            }
            let cursors =
                std::slice::from_raw_parts(list, count as usize).iter().map(|c| Cursor::new(*c)).collect();
            (f.clang_disposeOverriddenCursors)(list);
            cursors
        }
    }

    /// The declarations of an overload set.
    pub fn overloads(self) -> Vec<Cursor<'tu>> {
        let f = &opened().functions;
        // SAFETY: as above; indices are below the count.
        unsafe {
            let count = (f.clang_getNumOverloadedDecls)(self.raw);
            (0..count).map(|i| Cursor::new((f.clang_getOverloadedDecl)(self.raw, i))).collect()
        }
    }

    /// The offset in bytes of a base class within `self`, where libclang can tell (20 and newer).
    pub fn offset_of_base(self, base: Cursor<'tu>) -> Option<u64> {
        let f = opened().functions.clang_getOffsetOfBase?;
        // SAFETY: as above.
        u64::try_from(unsafe { f(self.raw, base.raw) }).ok().map(|bits| bits / 8)
    }

    /// Whether a member or base class is public.
    pub fn is_public(self) -> bool {
        // SAFETY: as above.
        let access = opened().functions.clang_getCXXAccessSpecifier.map(|f| unsafe { f(self.raw) });
        access.is_none_or(|a| a == cs::CX_CXXPublic)
    }

    /// What a function's declaration says of exceptions.
    pub fn exception_specification(self) -> ExceptionSpecification {
        // SAFETY: as above.
        let kind =
            opened().functions.clang_getCursorExceptionSpecificationType.map(|f| unsafe { f(self.raw) });
        match kind {
            Some(
                cs::CXCursor_ExceptionSpecificationKind_DynamicNone
                | cs::CXCursor_ExceptionSpecificationKind_BasicNoexcept
                | cs::CXCursor_ExceptionSpecificationKind_NoThrow,
            ) => ExceptionSpecification::Nothing,
            Some(cs::CXCursor_ExceptionSpecificationKind_ComputedNoexcept) => {
                ExceptionSpecification::Computed
            }
            Some(
                cs::CXCursor_ExceptionSpecificationKind_Unevaluated
                | cs::CXCursor_ExceptionSpecificationKind_Uninstantiated,
            ) => ExceptionSpecification::Unknown,
            _ => ExceptionSpecification::None,
        }
    }

    /// The range as the reader sees it: macro uses, not definitions.
    pub fn range(self) -> RawRange {
        let f = &opened().functions;
        // SAFETY: as above.
        let mut range = unit::range(unsafe { (f.clang_getCursorExtent)(self.raw) });
        // Where a type of several words ends, a precompiled header does not tell, and nothing else ends such a parameter.
        if self.kind() == CursorKind::ParmDecl && self.in_system_header() && self.spelling().is_empty() {
            let RawPos { column, offset, .. } = range.start;
            range.end = RawPos { column: column + 1, offset: offset + 1, ..range.start };
        }
        range
    }

    /// The place of the node's own token (an operator, a name).
    pub fn place(self) -> RawPos {
        // SAFETY: as above.
        unit::expansion(unsafe { (opened().functions.clang_getCursorLocation)(self.raw) })
    }

    /// Whether the node stands in a system header.
    pub fn in_system_header(self) -> bool {
        let f = &opened().functions;
        // SAFETY: as above.
        unsafe { (f.clang_Location_isInSystemHeader)((f.clang_getCursorLocation)(self.raw)) != 0 }
    }

    /// Whether the node stands in the file that was given to the parser.
    pub fn in_main_file(self) -> bool {
        let f = &opened().functions;
        // SAFETY: as above.
        unsafe { (f.clang_Location_isFromMainFile)((f.clang_getCursorLocation)(self.raw)) != 0 }
    }

    /// What an assembly statement says: the text as LLVM takes it, then the constraint and expression of each
    /// output and input. `None` below version 22 and for other nodes.
    pub fn assembly(self) -> Option<Assembly<'tu>> {
        let f = &opened().functions;
        let operands = |count: unsafe extern "C" fn(cs::CXCursor) -> c_uint, get: Operand| {
            let mut found = Vec::new();
            // SAFETY: the cursor is of a live unit; the out-pointers are valid.
            for i in 0..unsafe { count(self.raw) } {
                let (mut constraint, mut expr) = (cs::CXString::default(), cs::CXCursor::default());
                if unsafe { get(self.raw, i, &raw mut constraint, &raw mut expr) } == 0 {
                    return None;
                }
                found.push((take_string(constraint), Self::valid(expr)?));
            }
            Some(found)
        };
        let outputs =
            operands(f.clang_Cursor_getGCCAssemblyNumOutputs?, f.clang_Cursor_getGCCAssemblyOutput?)?;
        let inputs = operands(f.clang_Cursor_getGCCAssemblyNumInputs?, f.clang_Cursor_getGCCAssemblyInput?)?;
        // SAFETY: as above.
        let template = take_string(unsafe { f.clang_Cursor_getGCCAssemblyTemplate?(self.raw) });
        Some(Assembly { template, outputs, inputs })
    }
}
