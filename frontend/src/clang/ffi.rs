//! The functions of libclang that the frontend uses, looked up at run time.
//!
//! Only types and constants come from `clang-sys`. Its own loader runs `llvm-config` to search and
//! its wrappers go through a thread-local on every call; a table of plain function pointers, filled
//! once per process from a library that [`super::library`] chose, does neither.

use clang_sys::*;
use std::os::raw::{c_char, c_double, c_int, c_longlong, c_uint, c_ulonglong};

macro_rules! table {
    (
        required { $(fn $name:ident($($p:ident: $t:ty),*) $(-> $ret:ty)?;)* }
        optional { $(fn $oname:ident($($op:ident: $ot:ty),*) $(-> $oret:ty)?;)* }
    ) => {
        /// The function table. `missing` tells of optional functions that the library lacks.
        #[allow(non_snake_case)]
        pub(super) struct Functions {
            $(pub $name: unsafe extern "C" fn($($t),*) $(-> $ret)?,)*
            $(pub $oname: Option<unsafe extern "C" fn($($ot),*) $(-> $oret)?>,)*
        }

        impl Functions {
            /// Looks every function up; the error names the first required one that is missing.
            pub fn load(library: &libloading::Library) -> Result<Functions, String> {
                // SAFETY: the symbols have these signatures in every libclang; the C API
                // never changes a signature. The library is never unloaded while the table lives
                // (`super::library` leaks it).
                unsafe {
                    Ok(Functions {
                        $($name: *library
                            .get(concat!(stringify!($name), "\0").as_bytes())
                            .map_err(|_| stringify!($name).to_owned())?,)*
                        $($oname: library
                            .get(concat!(stringify!($oname), "\0").as_bytes())
                            .ok().map(|s| *s),)*
                    })
                }
            }

            /// The first optional function that the library lacks. Version 21 has them all.
            pub fn missing(&self) -> Option<&'static str> {
                $(if self.$oname.is_none() {
                    return Some(stringify!($oname));
                })*
                None
            }
        }
    };
}

/// The callback of `clang_visitChildren`.
pub(super) type ChildVisitor = extern "C" fn(CXCursor, CXCursor, CXClientData) -> CXChildVisitResult;
/// The callback of the field, base class and method visitors.
pub(super) type FieldVisitor = extern "C" fn(CXCursor, CXClientData) -> CXVisitorResult;
/// The callback of `clang_getInclusions`.
pub(super) type InclusionVisitor = extern "C" fn(CXFile, *mut CXSourceLocation, c_uint, CXClientData);

table! {
    required {
        fn clang_getToken(unit: CXTranslationUnit, location: CXSourceLocation) -> *mut CXToken;
        fn clang_getTokenExtent(unit: CXTranslationUnit, token: CXToken) -> CXSourceRange;
        fn clang_disposeTokens(unit: CXTranslationUnit, tokens: *mut CXToken, count: c_uint);
        fn clang_getLocationForOffset(unit: CXTranslationUnit, file: CXFile, offset: c_uint) -> CXSourceLocation;
        fn clang_getCString(s: CXString) -> *const c_char;
        fn clang_disposeString(s: CXString);
        fn clang_disposeStringSet(s: *mut CXStringSet);
        fn clang_createIndex(exclude: c_int, display: c_int) -> CXIndex;
        fn clang_disposeIndex(index: CXIndex);
        fn clang_IndexAction_create(index: CXIndex) -> CXIndexAction;
        fn clang_IndexAction_dispose(action: CXIndexAction);
        fn clang_indexTranslationUnit(
            action: CXIndexAction, data: CXClientData, callbacks: *mut IndexerCallbacks, size: c_uint,
            options: CXIndexOptFlags, unit: CXTranslationUnit) -> c_int;
        fn clang_parseTranslationUnit2(
            index: CXIndex, file: *const c_char, args: *const *const c_char, n_args: c_int,
            unsaved: *mut CXUnsavedFile, n_unsaved: c_uint, flags: c_int, tu: *mut CXTranslationUnit
        ) -> CXErrorCode;
        fn clang_disposeTranslationUnit(tu: CXTranslationUnit);
        fn clang_saveTranslationUnit(tu: CXTranslationUnit, path: *const c_char, options: c_uint) -> c_int;
        fn clang_getFile(tu: CXTranslationUnit, path: *const c_char) -> CXFile;
        fn clang_getTranslationUnitCursor(tu: CXTranslationUnit) -> CXCursor;
        fn clang_getNumDiagnostics(tu: CXTranslationUnit) -> c_uint;
        fn clang_getDiagnostic(tu: CXTranslationUnit, i: c_uint) -> CXDiagnostic;
        fn clang_disposeDiagnostic(d: CXDiagnostic);
        fn clang_getDiagnosticSeverity(d: CXDiagnostic) -> CXDiagnosticSeverity;
        fn clang_getDiagnosticLocation(d: CXDiagnostic) -> CXSourceLocation;
        fn clang_getDiagnosticNumRanges(d: CXDiagnostic) -> c_uint;
        fn clang_getDiagnosticRange(d: CXDiagnostic, i: c_uint) -> CXSourceRange;
        fn clang_getDiagnosticSpelling(d: CXDiagnostic) -> CXString;
        fn clang_getDiagnosticOption(d: CXDiagnostic, disable: *mut CXString) -> CXString;
        fn clang_getChildDiagnostics(d: CXDiagnostic) -> CXDiagnosticSet;
        fn clang_getNumDiagnosticsInSet(set: CXDiagnosticSet) -> c_uint;
        fn clang_getDiagnosticInSet(set: CXDiagnosticSet, i: c_uint) -> CXDiagnostic;
        fn clang_getInclusions(tu: CXTranslationUnit, visitor: InclusionVisitor, data: CXClientData);
        fn clang_getFileName(f: CXFile) -> CXString;
        fn clang_getFileContents(tu: CXTranslationUnit, f: CXFile, size: *mut usize) -> *const c_char;
        fn clang_getFileLocation(
            l: CXSourceLocation, f: *mut CXFile, line: *mut c_uint, col: *mut c_uint, off: *mut c_uint);
        fn clang_getSpellingLocation(
            l: CXSourceLocation, f: *mut CXFile, line: *mut c_uint, col: *mut c_uint, off: *mut c_uint);
        fn clang_Location_isInSystemHeader(l: CXSourceLocation) -> c_int;
        fn clang_Location_isFromMainFile(l: CXSourceLocation) -> c_int;
        fn clang_getRangeStart(r: CXSourceRange) -> CXSourceLocation;
        fn clang_equalLocations(a: CXSourceLocation, b: CXSourceLocation) -> c_uint;
        fn clang_isBeforeInTranslationUnit(a: CXSourceLocation, b: CXSourceLocation) -> c_uint;
        fn clang_getRangeEnd(r: CXSourceRange) -> CXSourceLocation;
        fn clang_visitChildren(c: CXCursor, visitor: ChildVisitor, data: CXClientData) -> c_uint;
        fn clang_getCursorLocation(c: CXCursor) -> CXSourceLocation;
        fn clang_getCursorExtent(c: CXCursor) -> CXSourceRange;
        fn clang_getCursorType(c: CXCursor) -> CXType;
        fn clang_getCursorReferenced(c: CXCursor) -> CXCursor;
        fn clang_getCursorDefinition(c: CXCursor) -> CXCursor;
        fn clang_getCanonicalCursor(c: CXCursor) -> CXCursor;
        fn clang_getCursorLexicalParent(c: CXCursor) -> CXCursor;
        fn clang_getCursorSemanticParent(c: CXCursor) -> CXCursor;
        fn clang_getCursorSpelling(c: CXCursor) -> CXString;
        fn clang_getCursorUSR(c: CXCursor) -> CXString;
        fn clang_Cursor_getMangling(c: CXCursor) -> CXString;
        fn clang_Cursor_getCXXManglings(c: CXCursor) -> *mut CXStringSet;
        fn clang_getCursorLinkage(c: CXCursor) -> CXLinkageKind;
        fn clang_getCursorTLSKind(c: CXCursor) -> CXTLSKind;
        fn clang_getCursorPrettyPrinted(c: CXCursor, p: CXPrintingPolicy) -> CXString;
        fn clang_Cursor_Evaluate(c: CXCursor) -> CXEvalResult;
        fn clang_EvalResult_getKind(e: CXEvalResult) -> CXEvalResultKind;
        fn clang_EvalResult_getAsLongLong(e: CXEvalResult) -> c_longlong;
        fn clang_EvalResult_isUnsignedInt(e: CXEvalResult) -> c_uint;
        fn clang_EvalResult_getAsUnsigned(e: CXEvalResult) -> c_ulonglong;
        fn clang_EvalResult_getAsDouble(e: CXEvalResult) -> c_double;
        fn clang_EvalResult_dispose(e: CXEvalResult);
        fn clang_Cursor_getNumArguments(c: CXCursor) -> c_int;
        fn clang_Cursor_getArgument(c: CXCursor, i: c_uint) -> CXCursor;
        fn clang_Cursor_getStorageClass(c: CXCursor) -> CX_StorageClass;
        fn clang_Cursor_getVarDeclInitializer(c: CXCursor) -> CXCursor;
        fn clang_Cursor_hasVarDeclGlobalStorage(c: CXCursor) -> c_int;
        fn clang_Cursor_getOffsetOfField(c: CXCursor) -> c_longlong;
        fn clang_Cursor_isBitField(c: CXCursor) -> c_uint;
        fn clang_getFieldDeclBitWidth(c: CXCursor) -> c_int;
        fn clang_Cursor_isAnonymousRecordDecl(c: CXCursor) -> c_uint;
        fn clang_Cursor_isAnonymous(c: CXCursor) -> c_uint;
        fn clang_getEnumConstantDeclValue(c: CXCursor) -> c_longlong;
        fn clang_getEnumConstantDeclUnsignedValue(c: CXCursor) -> c_ulonglong;
        fn clang_getEnumDeclIntegerType(c: CXCursor) -> CXType;
        fn clang_getCursorBinaryOperatorKind(c: CXCursor) -> CXBinaryOperatorKind;
        fn clang_getCursorUnaryOperatorKind(c: CXCursor) -> CXUnaryOperatorKind;
        fn clang_CXXField_isMutable(c: CXCursor) -> c_uint;
        fn clang_CXXMethod_isConst(c: CXCursor) -> c_uint;
        fn clang_CXXMethod_isStatic(c: CXCursor) -> c_uint;
        fn clang_CXXMethod_isVirtual(c: CXCursor) -> c_uint;
        fn clang_CXXMethod_isPureVirtual(c: CXCursor) -> c_uint;
        fn clang_CXXMethod_isDefaulted(c: CXCursor) -> c_uint;
        fn clang_CXXMethod_isCopyAssignmentOperator(c: CXCursor) -> c_uint;
        fn clang_CXXMethod_isMoveAssignmentOperator(c: CXCursor) -> c_uint;
        fn clang_CXXMethod_isDeleted(c: CXCursor) -> c_uint;
        fn clang_CXXMethod_isExplicit(c: CXCursor) -> c_uint;
        fn clang_CXXConstructor_isCopyConstructor(c: CXCursor) -> c_uint;
        fn clang_CXXConstructor_isMoveConstructor(c: CXCursor) -> c_uint;
        fn clang_CXXConstructor_isDefaultConstructor(c: CXCursor) -> c_uint;
        fn clang_Cursor_isDynamicCall(c: CXCursor) -> c_int;
        fn clang_isVirtualBase(c: CXCursor) -> c_uint;
        fn clang_getOverriddenCursors(c: CXCursor, o: *mut *mut CXCursor, n: *mut c_uint);
        fn clang_disposeOverriddenCursors(c: *mut CXCursor);
        fn clang_getCanonicalType(t: CXType) -> CXType;
        fn clang_getUnqualifiedType(t: CXType) -> CXType;
        fn clang_isConstQualifiedType(t: CXType) -> c_uint;
        fn clang_isVolatileQualifiedType(t: CXType) -> c_uint;
        fn clang_isRestrictQualifiedType(t: CXType) -> c_uint;
        fn clang_getPointeeType(t: CXType) -> CXType;
        fn clang_getTypeDeclaration(t: CXType) -> CXCursor;
        fn clang_getTypeSpelling(t: CXType) -> CXString;
        fn clang_getResultType(t: CXType) -> CXType;
        fn clang_getNumArgTypes(t: CXType) -> c_int;
        fn clang_getArgType(t: CXType, i: c_uint) -> CXType;
        fn clang_isFunctionTypeVariadic(t: CXType) -> c_uint;
        fn clang_getElementType(t: CXType) -> CXType;
        fn clang_getNumElements(t: CXType) -> c_longlong;
        fn clang_getArrayElementType(t: CXType) -> CXType;
        fn clang_getArraySize(t: CXType) -> c_longlong;
        fn clang_Type_getSizeOf(t: CXType) -> c_longlong;
        fn clang_Type_getAlignOf(t: CXType) -> c_longlong;
        fn clang_Type_getClassType(t: CXType) -> CXType;
        fn clang_Type_getModifiedType(t: CXType) -> CXType;
        fn clang_Type_getNumTemplateArguments(t: CXType) -> c_int;
        fn clang_Type_getTemplateArgumentAsType(t: CXType, i: c_uint) -> CXType;
        fn clang_Type_getCXXRefQualifier(t: CXType) -> CXRefQualifierKind;
        fn clang_Type_getValueType(t: CXType) -> CXType;
        fn clang_Type_visitFields(t: CXType, visitor: FieldVisitor, data: CXClientData) -> c_uint;
        fn clang_Cursor_getNumTemplateArguments(c: CXCursor) -> c_int;
        fn clang_Cursor_getTemplateArgumentKind(c: CXCursor, i: c_uint) -> CXTemplateArgumentKind;
        fn clang_Cursor_getTemplateArgumentType(c: CXCursor, i: c_uint) -> CXType;
        fn clang_Cursor_getTemplateArgumentValue(c: CXCursor, i: c_uint) -> c_longlong;
        fn clang_getTypedefDeclUnderlyingType(c: CXCursor) -> CXType;
        fn clang_getNumOverloadedDecls(c: CXCursor) -> c_uint;
        fn clang_getOverloadedDecl(c: CXCursor, i: c_uint) -> CXCursor;
        fn clang_Cursor_isFunctionInlined(c: CXCursor) -> c_uint;
        fn clang_Cursor_isInlineNamespace(c: CXCursor) -> c_uint;
        fn clang_getExceptionSpecificationType(t: CXType) -> c_int;
        fn clang_getSpecializedCursorTemplate(c: CXCursor) -> CXCursor;
    }
    optional {
        fn clang_Cursor_getGCCAssemblyTemplate(c: CXCursor) -> CXString;
        fn clang_Cursor_getGCCAssemblyNumOutputs(c: CXCursor) -> c_uint;
        fn clang_Cursor_getGCCAssemblyNumInputs(c: CXCursor) -> c_uint;
        fn clang_Cursor_getGCCAssemblyOutput(
            c: CXCursor, i: c_uint, constraint: *mut CXString, expr: *mut CXCursor) -> c_uint;
        fn clang_Cursor_getGCCAssemblyInput(
            c: CXCursor, i: c_uint, constraint: *mut CXString, expr: *mut CXCursor) -> c_uint;
        fn clang_getCXXAccessSpecifier(c: CXCursor) -> CX_CXXAccessSpecifier;
        fn clang_getCursorExceptionSpecificationType(c: CXCursor) -> c_int;
        fn clang_visitCXXMethods(t: CXType, visitor: FieldVisitor, data: CXClientData) -> c_uint;
        fn clang_visitCXXBaseClasses(t: CXType, visitor: FieldVisitor, data: CXClientData) -> c_uint;
        fn clang_getOffsetOfBase(parent: CXCursor, base: CXCursor) -> c_longlong;
    }
}
