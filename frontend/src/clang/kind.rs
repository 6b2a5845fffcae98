//! What a cursor is.

use clang_sys as cs;

/// The kind of a cursor: libclang's number, with names for those the lowering knows.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct CursorKind(pub i32);

macro_rules! kinds {
    ($($name:ident = $value:ident,)*) => {
        #[allow(non_upper_case_globals, missing_docs)]
        impl CursorKind {
            $(pub const $name: CursorKind = CursorKind(cs::$value);)*
        }
    };
}

kinds! {
    UnexposedDecl = CXCursor_UnexposedDecl,
    StructDecl = CXCursor_StructDecl,
    UnionDecl = CXCursor_UnionDecl,
    ClassDecl = CXCursor_ClassDecl,
    EnumDecl = CXCursor_EnumDecl,
    FieldDecl = CXCursor_FieldDecl,
    EnumConstantDecl = CXCursor_EnumConstantDecl,
    FunctionDecl = CXCursor_FunctionDecl,
    VarDecl = CXCursor_VarDecl,
    ParmDecl = CXCursor_ParmDecl,
    TypedefDecl = CXCursor_TypedefDecl,
    CXXMethod = CXCursor_CXXMethod,
    TemplateTypeParameter = CXCursor_TemplateTypeParameter,
    Namespace = CXCursor_Namespace,
    LinkageSpec = CXCursor_LinkageSpec,
    Constructor = CXCursor_Constructor,
    Destructor = CXCursor_Destructor,
    ConversionFunction = CXCursor_ConversionFunction,
    NonTypeTemplateParameter = CXCursor_NonTypeTemplateParameter,
    TemplateTemplateParameter = CXCursor_TemplateTemplateParameter,
    FunctionTemplate = CXCursor_FunctionTemplate,
    ClassTemplate = CXCursor_ClassTemplate,
    ClassTemplatePartialSpecialization = CXCursor_ClassTemplatePartialSpecialization,
    UsingDirective = CXCursor_UsingDirective,
    UsingDeclaration = CXCursor_UsingDeclaration,
    NamespaceAlias = CXCursor_NamespaceAlias,
    TypeAliasDecl = CXCursor_TypeAliasDecl,
    CXXAccessSpecifier = CXCursor_CXXAccessSpecifier,
    TypeRef = CXCursor_TypeRef,
    CXXBaseSpecifier = CXCursor_CXXBaseSpecifier,
    TemplateRef = CXCursor_TemplateRef,
    NamespaceRef = CXCursor_NamespaceRef,
    MemberRef = CXCursor_MemberRef,
    LabelRef = CXCursor_LabelRef,
    OverloadedDeclRef = CXCursor_OverloadedDeclRef,
    VariableRef = CXCursor_VariableRef,
    UnexposedExpr = CXCursor_UnexposedExpr,
    DeclRefExpr = CXCursor_DeclRefExpr,
    MemberRefExpr = CXCursor_MemberRefExpr,
    CallExpr = CXCursor_CallExpr,
    BlockExpr = CXCursor_BlockExpr,
    IntegerLiteral = CXCursor_IntegerLiteral,
    FloatingLiteral = CXCursor_FloatingLiteral,
    ImaginaryLiteral = CXCursor_ImaginaryLiteral,
    StringLiteral = CXCursor_StringLiteral,
    CharacterLiteral = CXCursor_CharacterLiteral,
    ParenExpr = CXCursor_ParenExpr,
    UnaryOperator = CXCursor_UnaryOperator,
    ArraySubscriptExpr = CXCursor_ArraySubscriptExpr,
    BinaryOperator = CXCursor_BinaryOperator,
    CompoundAssignOperator = CXCursor_CompoundAssignOperator,
    ConditionalOperator = CXCursor_ConditionalOperator,
    CStyleCastExpr = CXCursor_CStyleCastExpr,
    CompoundLiteralExpr = CXCursor_CompoundLiteralExpr,
    InitListExpr = CXCursor_InitListExpr,
    AddrLabelExpr = CXCursor_AddrLabelExpr,
    StmtExpr = CXCursor_StmtExpr,
    GenericSelectionExpr = CXCursor_GenericSelectionExpr,
    GNUNullExpr = CXCursor_GNUNullExpr,
    CXXStaticCastExpr = CXCursor_CXXStaticCastExpr,
    CXXDynamicCastExpr = CXCursor_CXXDynamicCastExpr,
    CXXReinterpretCastExpr = CXCursor_CXXReinterpretCastExpr,
    CXXConstCastExpr = CXCursor_CXXConstCastExpr,
    CXXFunctionalCastExpr = CXCursor_CXXFunctionalCastExpr,
    CXXTypeidExpr = CXCursor_CXXTypeidExpr,
    CXXBoolLiteralExpr = CXCursor_CXXBoolLiteralExpr,
    CXXNullPtrLiteralExpr = CXCursor_CXXNullPtrLiteralExpr,
    CXXThisExpr = CXCursor_CXXThisExpr,
    CXXThrowExpr = CXCursor_CXXThrowExpr,
    CXXNewExpr = CXCursor_CXXNewExpr,
    CXXDeleteExpr = CXCursor_CXXDeleteExpr,
    UnaryExpr = CXCursor_UnaryExpr,
    PackExpansionExpr = CXCursor_PackExpansionExpr,
    SizeOfPackExpr = CXCursor_SizeOfPackExpr,
    LambdaExpr = CXCursor_LambdaExpr,
    ConceptSpecializationExpr = CXCursor_ConceptSpecializationExpr,
    RequiresExpr = CXCursor_RequiresExpr,
    CXXParenListInitExpr = CXCursor_CXXParenListInitExpr,
    BuiltinBitCastExpr = CXCursor_BuiltinBitCastExpr,
    UnexposedStmt = CXCursor_UnexposedStmt,
    LabelStmt = CXCursor_LabelStmt,
    CompoundStmt = CXCursor_CompoundStmt,
    CaseStmt = CXCursor_CaseStmt,
    DefaultStmt = CXCursor_DefaultStmt,
    IfStmt = CXCursor_IfStmt,
    SwitchStmt = CXCursor_SwitchStmt,
    WhileStmt = CXCursor_WhileStmt,
    DoStmt = CXCursor_DoStmt,
    ForStmt = CXCursor_ForStmt,
    GotoStmt = CXCursor_GotoStmt,
    IndirectGotoStmt = CXCursor_IndirectGotoStmt,
    ContinueStmt = CXCursor_ContinueStmt,
    BreakStmt = CXCursor_BreakStmt,
    ReturnStmt = CXCursor_ReturnStmt,
    AsmStmt = CXCursor_AsmStmt,
    CXXCatchStmt = CXCursor_CXXCatchStmt,
    CXXTryStmt = CXCursor_CXXTryStmt,
    CXXForRangeStmt = CXCursor_CXXForRangeStmt,
    NullStmt = CXCursor_NullStmt,
    DeclStmt = CXCursor_DeclStmt,
    UnexposedAttr = CXCursor_UnexposedAttr,
    AnnotateAttr = CXCursor_AnnotateAttr,
    AsmLabelAttr = CXCursor_AsmLabelAttr,
    CUDAConstantAttr = CXCursor_CUDAConstantAttr,
    CUDADeviceAttr = CXCursor_CUDADeviceAttr,
    CUDAGlobalAttr = CXCursor_CUDAGlobalAttr,
    CUDAHostAttr = CXCursor_CUDAHostAttr,
    CUDASharedAttr = CXCursor_CUDASharedAttr,
    AlignedAttr = CXCursor_AlignedAttr,
    StaticAssert = CXCursor_StaticAssert,
    FriendDecl = CXCursor_FriendDecl,
    TypeAliasTemplateDecl = CXCursor_TypeAliasTemplateDecl,
}

impl CursorKind {
    /// Whether this is an expression.
    pub fn is_expression(self) -> bool {
        (100..=199).contains(&self.0) || self == CursorKind::BuiltinBitCastExpr
    }

    /// Whether this is a statement that is no expression.
    pub fn is_statement(self) -> bool {
        (200..=349).contains(&self.0) && self != CursorKind::BuiltinBitCastExpr
    }

    /// Whether this is a declaration.
    pub fn is_declaration(self) -> bool {
        (1..=39).contains(&self.0) || (600..700).contains(&self.0)
    }

    /// Whether this is a reference to a type, a template, a namespace, a member or a label, which
    /// carries no meaning of its own in an expression.
    pub fn is_reference(self) -> bool {
        (40..=50).contains(&self.0)
    }

    /// Whether this is an attribute.
    pub fn is_attribute(self) -> bool {
        (400..500).contains(&self.0)
    }
}
