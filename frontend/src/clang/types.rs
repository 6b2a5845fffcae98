//! Types as libclang shows them.

use super::library::opened;
use super::{Children, Cursor, TranslationUnit, collect_field, take_string};
use clang_sys as cs;
use std::marker::PhantomData;

/// The kind of a type: libclang's number, with names for those the lowering knows.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct TypeKind(pub i32);

macro_rules! kinds {
    ($($name:ident = $value:ident,)*) => {
        #[allow(non_upper_case_globals, missing_docs)]
        impl TypeKind {
            $(pub const $name: TypeKind = TypeKind(cs::$value);)*
        }
    };
}

kinds! {
    Invalid = CXType_Invalid,
    Unexposed = CXType_Unexposed,
    Void = CXType_Void,
    Bool = CXType_Bool,
    CharU = CXType_Char_U,
    UChar = CXType_UChar,
    Char16 = CXType_Char16,
    Char32 = CXType_Char32,
    UShort = CXType_UShort,
    UInt = CXType_UInt,
    ULong = CXType_ULong,
    ULongLong = CXType_ULongLong,
    UInt128 = CXType_UInt128,
    CharS = CXType_Char_S,
    SChar = CXType_SChar,
    WChar = CXType_WChar,
    Short = CXType_Short,
    Int = CXType_Int,
    Long = CXType_Long,
    LongLong = CXType_LongLong,
    Int128 = CXType_Int128,
    Float = CXType_Float,
    Double = CXType_Double,
    LongDouble = CXType_LongDouble,
    NullPtr = CXType_NullPtr,
    Float128 = CXType_Float128,
    Half = CXType_Half,
    Float16 = CXType_Float16,
    BFloat16 = CXType_BFloat16,
    Complex = CXType_Complex,
    Pointer = CXType_Pointer,
    BlockPointer = CXType_BlockPointer,
    LValueReference = CXType_LValueReference,
    RValueReference = CXType_RValueReference,
    Record = CXType_Record,
    Enum = CXType_Enum,
    FunctionNoProto = CXType_FunctionNoProto,
    FunctionProto = CXType_FunctionProto,
    ConstantArray = CXType_ConstantArray,
    Vector = CXType_Vector,
    IncompleteArray = CXType_IncompleteArray,
    VariableArray = CXType_VariableArray,
    MemberPointer = CXType_MemberPointer,
    Auto = CXType_Auto,
    ExtVector = CXType_ExtVector,
    Atomic = CXType_Atomic,
    Attributed = CXType_Attributed,
}

impl TypeKind {
    /// `char8_t`, for which libclang has no number: it is `Unexposed`.
    #[allow(non_upper_case_globals)]
    pub const Char8: TypeKind = TypeKind(-8);
}

/// A type.
#[derive(Clone, Copy)]
pub struct Type<'tu> {
    raw: cs::CXType,
    unit: PhantomData<&'tu TranslationUnit>,
}

impl<'tu> Type<'tu> {
    pub(super) fn new(raw: cs::CXType) -> Self {
        Type { raw, unit: PhantomData }
    }

    /// What kind of type this is, sugar included.
    pub fn kind(self) -> TypeKind {
        let kind = TypeKind(self.raw.kind);
        if kind == TypeKind::Unexposed && self.is_char8() { TypeKind::Char8 } else { kind }
    }

    /// Whether an unexposed type is `char8_t`. Sugar for it, and a type that hangs on a template's parameters, is not.
    fn is_char8(self) -> bool {
        self.id() == self.canonical().id() && self.spelling().rsplit(' ').next() == Some("char8_t")
    }

    /// A key: equal keys are the same type as written.
    pub fn id(self) -> usize {
        self.raw.data[0] as usize
    }

    fn map(self, f: unsafe extern "C" fn(cs::CXType) -> cs::CXType) -> Type<'tu> {
        // SAFETY: the type is valid while its unit lives.
        Type::new(unsafe { f(self.raw) })
    }

    /// The type without typedefs and other sugar.
    pub fn canonical(self) -> Type<'tu> {
        self.map(opened().functions.clang_getCanonicalType)
    }

    /// The type without qualifiers.
    pub fn unqualified(self) -> Type<'tu> {
        self.map(opened().functions.clang_getUnqualifiedType)
    }

    /// What a pointer or reference refers to.
    pub fn pointee(self) -> Type<'tu> {
        self.map(opened().functions.clang_getPointeeType)
    }

    /// The element type of an array.
    pub fn array_element(self) -> Type<'tu> {
        self.map(opened().functions.clang_getArrayElementType)
    }

    /// The element type of a vector or complex type.
    pub fn element(self) -> Type<'tu> {
        self.map(opened().functions.clang_getElementType)
    }

    /// The value type of an atomic type.
    pub fn atomic_value(self) -> Type<'tu> {
        self.map(opened().functions.clang_Type_getValueType)
    }

    /// The type under an attribute.
    pub fn modified(self) -> Type<'tu> {
        self.map(opened().functions.clang_Type_getModifiedType)
    }

    /// What a function returns.
    pub fn result(self) -> Type<'tu> {
        self.map(opened().functions.clang_getResultType)
    }

    /// The class of a pointer to member.
    pub fn member_class(self) -> Type<'tu> {
        self.map(opened().functions.clang_Type_getClassType)
    }

    /// The parameter types of a function type.
    pub fn parameters(self) -> Vec<Type<'tu>> {
        let f = &opened().functions;
        // SAFETY: as above; indices are below the count.
        unsafe {
            let count = (f.clang_getNumArgTypes)(self.raw);
            (0..count.max(0) as u32).map(|i| Type::new((f.clang_getArgType)(self.raw, i))).collect()
        }
    }

    /// Whether two function types have the same parameters.
    pub fn takes_what(self, other: Type<'tu>) -> bool {
        let (own, others) = (self.canonical().parameters(), other.canonical().parameters());
        own.len() == others.len()
            && own.iter().zip(&others).all(|(a, b)| a.canonical().id() == b.canonical().id())
    }

    /// The types among the arguments of the template that it is made from, those of packs among them.
    pub fn template_arguments(self) -> Vec<Type<'tu>> {
        let f = &opened().functions;
        // SAFETY: as above; indices are below the count.
        let arguments = unsafe {
            let count = (f.clang_Type_getNumTemplateArguments)(self.raw);
            (0..count.max(0) as u32).map(|i| Type::new((f.clang_Type_getTemplateArgumentAsType)(self.raw, i)))
        };
        arguments.filter(|ty| ty.kind() != TypeKind::Invalid).collect()
    }

    /// Whether no exception leaves a function of this type. From C++17 on the canonical type has that.
    pub fn is_noexcept(self) -> bool {
        // SAFETY: as above.
        let said = unsafe { (opened().functions.clang_getExceptionSpecificationType)(self.canonical().raw) };
        said == cs::CXCursor_ExceptionSpecificationKind_BasicNoexcept
    }

    /// Whether a member function of this type is for rvalues alone: `&&`.
    pub fn takes_rvalues(self) -> bool {
        self.reference_qualifier() == Some(TypeKind::RValueReference)
    }

    /// The kind of reference by which a method takes its object, where it says one.
    pub fn reference_qualifier(self) -> Option<TypeKind> {
        // SAFETY: as above.
        match unsafe { (opened().functions.clang_Type_getCXXRefQualifier)(self.raw) } {
            cs::CXRefQualifier_LValue => Some(TypeKind::LValueReference),
            cs::CXRefQualifier_RValue => Some(TypeKind::RValueReference),
            _ => None,
        }
    }

    /// Whether a method may be called on volatile objects. clang writes what qualifies a method behind its parameters.
    pub fn is_volatile_method(self) -> bool {
        let text = self.canonical().spelling();
        text.rsplit(')').next().is_some_and(|behind| behind.split(' ').any(|word| word == "volatile"))
    }

    /// Whether the function takes variable arguments.
    pub fn is_variadic(self) -> bool {
        // SAFETY: as above.
        unsafe { (opened().functions.clang_isFunctionTypeVariadic)(self.raw) != 0 }
    }

    /// The element count of a constant array.
    pub fn array_length(self) -> Option<u64> {
        // SAFETY: as above.
        u64::try_from(unsafe { (opened().functions.clang_getArraySize)(self.raw) }).ok()
    }

    /// The element count of a vector type.
    pub fn vector_length(self) -> Option<u64> {
        // SAFETY: as above.
        u64::try_from(unsafe { (opened().functions.clang_getNumElements)(self.raw) }).ok()
    }

    /// Size in bytes; `None` for incomplete types and those whose size is not constant.
    pub fn size(self) -> Option<u64> {
        // SAFETY: as above.
        u64::try_from(unsafe { (opened().functions.clang_Type_getSizeOf)(self.raw) }).ok()
    }

    /// Alignment in bytes; `None` for incomplete types.
    pub fn align(self) -> Option<u32> {
        // libclang crashes on arrays without a length of a class that was never made complete.
        let mut element = self.canonical();
        while matches!(element.kind(), TypeKind::IncompleteArray | TypeKind::ConstantArray) {
            element = element.array_element().canonical();
        }
        if element.kind() == TypeKind::Record && element.size().is_none() {
            return None;
        }
        // SAFETY: as above.
        u32::try_from(unsafe { (opened().functions.clang_Type_getAlignOf)(self.raw) }).ok()
    }

    /// Whether it is a reference.
    pub fn is_reference(self) -> bool {
        matches!(self.kind(), TypeKind::LValueReference | TypeKind::RValueReference)
    }

    /// Whether `const` stands on it.
    pub fn is_const(self) -> bool {
        // SAFETY: as above.
        unsafe { (opened().functions.clang_isConstQualifiedType)(self.raw) != 0 }
    }

    /// Whether `volatile` stands on it.
    pub fn is_volatile(self) -> bool {
        // SAFETY: as above.
        unsafe { (opened().functions.clang_isVolatileQualifiedType)(self.raw) != 0 }
    }

    /// Whether `restrict` stands on it.
    pub fn is_restrict(self) -> bool {
        // SAFETY: as above.
        unsafe { (opened().functions.clang_isRestrictQualifiedType)(self.raw) != 0 }
    }

    /// The declaration of a record, enumeration or typedef.
    pub fn declaration(self) -> Cursor<'tu> {
        // SAFETY: as above.
        Cursor::new(unsafe { (opened().functions.clang_getTypeDeclaration)(self.raw) })
    }

    /// The type as the source would spell it.
    pub fn spelling(self) -> String {
        // SAFETY: as above.
        take_string(unsafe { (opened().functions.clang_getTypeSpelling)(self.raw) })
    }

    /// The fields of a record, in order, unnamed ones included.
    pub fn fields(self) -> Children<'tu> {
        let mut fields = Children::new();
        // SAFETY: the callback gets the vector as its data and libclang calls it only during the call.
        unsafe {
            (opened().functions.clang_Type_visitFields)(self.raw, collect_field, (&raw mut fields).cast());
        }
        fields
    }

    /// The methods of a class, constructors and destructor included; `None` before version 22.
    pub fn methods(self) -> Option<Children<'tu>> {
        let visit = opened().functions.clang_visitCXXMethods?;
        let mut methods = Children::new();
        // SAFETY: as above.
        unsafe { visit(self.raw, collect_field, (&raw mut methods).cast()) };
        Some(methods)
    }

    /// The direct base classes of a class; `None` before version 22.
    pub fn bases(self) -> Option<Children<'tu>> {
        let visit = opened().functions.clang_visitCXXBaseClasses?;
        let mut bases = Children::new();
        // SAFETY: as above.
        unsafe { visit(self.raw, collect_field, (&raw mut bases).cast()) };
        Some(bases)
    }
}
