//! Expressions, each with its type and all of its parts.

use super::stmt::St;
use crate::clang::{Cursor, CursorKind, Evaluated, Location, RawRange, Type as ClangType};
use crate::types::{Decl, Located, QTy, Ty};
use std::cell::OnceCell;

/// An expression in the tree's arena.
pub(crate) type Ex<'tu> = &'tu Expr<'tu>;

/// The identity of a node.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct NodeId(usize);

impl NodeId {
    pub(super) fn of<T>(node: &T) -> NodeId {
        NodeId(std::ptr::from_ref(node) as usize)
    }
}

/// An expression.
pub(crate) struct Expr<'tu> {
    /// The type, a parameter's declared array being the pointer that it is.
    pub q: QTy,
    pub kind: ExprKind<'tu>,
    range: RawRange,
    cursor: Cursor<'tu>,
    value: OnceCell<Option<Evaluated>>,
}

impl Located for Expr<'_> {
    fn range(&self) -> RawRange {
        self.range
    }
}

impl<'tu> Expr<'tu> {
    pub(super) fn new(cursor: Cursor<'tu>, q: QTy, kind: ExprKind<'tu>) -> Self {
        Expr { q, kind, range: cursor.range(), cursor, value: OnceCell::new() }
    }

    /// What the evaluator says of this node is not its value.
    pub(super) fn has_no_value(&self) {
        self.value.get_or_init(|| None);
    }

    /// The identity of this node.
    pub fn id(&self) -> NodeId {
        NodeId::of(self)
    }

    /// The first token.
    pub fn start(&self) -> Location<'tu> {
        self.cursor.start()
    }

    /// Whether this expression or one inside begins with this token.
    pub fn holds(&self, token: Location<'tu>) -> bool {
        self.start() == token || self.parts().iter().any(|part| part.holds(token))
    }

    /// The type with all that libclang tells of it.
    pub fn written_type(&self) -> ClangType<'tu> {
        self.cursor.ty()
    }

    /// The value, if the expression is constant and computing it does nothing else.
    pub fn value(&self) -> Option<Evaluated> {
        *self.value.get_or_init(|| match self.is_wide() {
            Some(signed) => self.wide_value(signed).map(Evaluated::Int),
            None => crate::recover::value_without_effects(self.cursor),
        })
    }

    /// The value of a call of the compiler's own function that folds.
    pub fn folded(&self) -> Option<Evaluated> {
        self.cursor.evaluate()
    }

    /// The operand of a node that stands for its operand: parentheses and conversions.
    pub fn operand(&self) -> Option<Ex<'tu>> {
        match self.kind {
            ExprKind::Paren(inner) | ExprKind::Implicit(inner) | ExprKind::View(inner) => Some(inner),
            _ => None,
        }
    }

    /// Whether it is an integer's literal.
    pub fn is_integer_literal(&self) -> bool {
        self.cursor.kind() == CursorKind::IntegerLiteral
    }

    /// The functions of an overload set.
    pub fn overloads(&self) -> Vec<Decl<'tu>> {
        let named = self.cursor.referenced().filter(|c| c.kind() == CursorKind::OverloadedDeclRef);
        named.into_iter().flat_map(|set| set.overloads()).map(Decl::new).collect()
    }

    /// Whether it uses `this`, written or not.
    pub fn mentions_this(&self) -> bool {
        mentions_this(self.cursor)
    }

    /// The expressions directly inside, without those of nested functions.
    pub fn parts(&self) -> Vec<Ex<'tu>> {
        match self.kind {
            ExprKind::Paren(a)
            | ExprKind::Unary(_, a)
            | ExprKind::CompoundLiteral(a)
            | ExprKind::Chosen(a)
            | ExprKind::Cast(Cast { operand: a, .. })
            | ExprKind::DynamicCast(a)
            | ExprKind::BitCast(a)
            | ExprKind::Implicit(a)
            | ExprKind::View(a)
            | ExprKind::ArrayCopy(a)
            | ExprKind::Throw(Some(a))
            | ExprKind::Imaginary(a)
            | ExprKind::VaArg(a)
            | ExprKind::Typeid(Typeid::Object(a)) => vec![a],
            ExprKind::Subscript { base: a, index: b }
            | ExprKind::Binary(_, a, b)
            | ExprKind::CompoundAssign(_, a, b)
            | ExprKind::GnuConditional { common: a, other: b } => vec![a, b],
            ExprKind::Conditional { condition, yes, no } => vec![condition, yes, no],
            ExprKind::Member(m) => m.object.into_iter().collect(),
            ExprKind::Call(call) => {
                call.callee.into_iter().chain(call.here).chain(call.args.iter().copied()).collect()
            }
            ExprKind::New(new) => new.placement.iter().copied().chain(new.count).chain(new.init).collect(),
            ExprKind::Delete(delete) => vec![delete.operand],
            ExprKind::List(list) | ExprKind::SizeOf(SizeOf::Written(_, list)) => list.to_vec(),
            ExprKind::Designated(d) => vec![d.value],
            ExprKind::Atomic(atomic) => {
                std::iter::once(atomic.pointer).chain(atomic.operands.iter().copied()).collect()
            }
            ExprKind::Name(Name { argument, .. }) => argument.into_iter().collect(),
            ExprKind::Literal
            | ExprKind::Extended(_)
            | ExprKind::Folded
            | ExprKind::Null
            | ExprKind::String(_)
            | ExprKind::SizeOf(_)
            | ExprKind::Statement(_)
            | ExprKind::LabelAddress(_)
            | ExprKind::This
            | ExprKind::Throw(None)
            | ExprKind::Lambda(_)
            | ExprKind::Typeid(_)
            | ExprKind::ValueInit
            | ExprKind::Fault(_) => Vec::new(),
        }
    }

    /// The member expression that this is, parentheses and conversions aside.
    pub fn peel_to_member(&'tu self) -> Option<Ex<'tu>> {
        let mut at = self;
        loop {
            match at.kind {
                ExprKind::Member(_) => return Some(at),
                _ => at = at.operand()?,
            }
        }
    }

    /// Whether it is a list in braces.
    pub fn is_list(&self) -> bool {
        matches!(self.kind, ExprKind::List(_))
    }
}

/// What an expression is.
pub(crate) enum ExprKind<'tu> {
    /// A number, a character, a truth value: what [`Expr::value`] gives.
    Literal,
    /// A `long double`: its bits.
    Extended(u128),
    /// An expression whose value the language fixes at compile time, such as a type trait: what [`Expr::value`]
    /// gives.
    Folded,
    /// `nullptr`
    Null,
    /// A string literal, by its spelling with the compiler's escapes.
    String(&'tu str),
    SizeOf(SizeOf<'tu>),
    Name(Name<'tu>),
    Paren(Ex<'tu>),
    Member(&'tu Member<'tu>),
    Subscript {
        /// What is subscripted: a pointer or an array.
        base: Ex<'tu>,
        index: Ex<'tu>,
    },
    /// `(T){…}`
    CompoundLiteral(Ex<'tu>),
    Unary(UnaryOp, Ex<'tu>),
    Binary(BinaryOp, Ex<'tu>, Ex<'tu>),
    /// `left op= right`
    CompoundAssign(BinaryOp, Ex<'tu>, Ex<'tu>),
    Conditional {
        condition: Ex<'tu>,
        yes: Ex<'tu>,
        no: Ex<'tu>,
    },
    /// `common ?: other`
    GnuConditional {
        common: Ex<'tu>,
        other: Ex<'tu>,
    },
    /// What `_Generic` or `__builtin_choose_expr` chose.
    Chosen(Ex<'tu>),
    Cast(Cast<'tu>),
    DynamicCast(Ex<'tu>),
    BitCast(Ex<'tu>),
    /// An implicit conversion, or nothing: the pair of types tells.
    Implicit(Ex<'tu>),
    /// A `std::initializer_list` made from an array.
    View(Ex<'tu>),
    /// The copy of an array, in a closure or a structured binding: the whole array.
    ArrayCopy(Ex<'tu>),
    Call(&'tu Call<'tu>),
    /// `({ … })`
    Statement(St<'tu>),
    /// `&&label`
    LabelAddress(Option<LabelId>),
    This,
    New(&'tu New<'tu>),
    Delete(&'tu Delete<'tu>),
    /// A list in braces, as it is written.
    List(&'tu [Ex<'tu>]),
    /// An element of a list with designators.
    Designated(&'tu Designated<'tu>),
    /// Without an operand, it throws again.
    Throw(Option<Ex<'tu>>),
    Lambda(Lambda<'tu>),
    Typeid(Typeid<'tu>),
    /// An imaginary literal: the number.
    Imaginary(Ex<'tu>),
    /// `va_arg`: the argument list.
    VaArg(Ex<'tu>),
    Atomic(&'tu Atomic<'tu>),
    /// `T()`
    ValueInit,
    /// What the tree cannot say.
    Fault(&'tu Broken),
}

/// Why a node is not complete.
pub(crate) struct Broken {
    pub kind: super::FaultKind,
    pub what: String,
}

/// `sizeof` and its like.
#[derive(Clone, Copy)]
pub(crate) enum SizeOf<'tu> {
    Known(i128),
    /// A type that holds a variable length array, declared elsewhere.
    Declared(Ty),
    /// Dimensions that stand here, outermost first, of elements of a type.
    Written(Ty, &'tu [Ex<'tu>]),
}

/// A name.
#[derive(Clone, Copy)]
pub(crate) struct Name<'tu> {
    /// What it names; a template parameter names nothing.
    pub decl: Option<Decl<'tu>>,
    /// What stands for it, where it is a template argument.
    pub argument: Option<Ex<'tu>>,
    /// The name itself.
    pub text: &'tu str,
}

/// `object.member`, `object->member`, or a member of `*this`.
pub(crate) struct Member<'tu> {
    /// The object, or a pointer to it; without one it is `*this`.
    pub object: Option<Ex<'tu>>,
    pub decl: Option<Decl<'tu>>,
    pub name: &'tu str,
    /// Whether a class's name stands in front of the member's, so that a call is not dispatched.
    pub qualified: bool,
}

/// A cast that is written.
#[derive(Clone, Copy)]
pub(crate) struct Cast<'tu> {
    pub kind: CastKind,
    pub operand: Ex<'tu>,
}

/// How a cast is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum CastKind {
    /// `(T)e`
    C,
    /// `T(e)`, `T{e}`
    Functional,
    Static,
    Reinterpret,
    Const,
}

/// A call.
pub(crate) struct Call<'tu> {
    /// The expression that is called; operators and constructors may have none.
    pub callee: Option<Ex<'tu>>,
    /// The function that the call names, conversions and parentheses aside.
    pub target: Option<Decl<'tu>>,
    /// The arguments, those left out as the defaults that they are.
    pub args: &'tu [Ex<'tu>],
    /// The member expression that names the method.
    pub member: Option<Ex<'tu>>,
    /// Whether the method is looked up in the object's table.
    pub dynamic: bool,
    /// Whether a construction without arguments has parentheses or braces, which ask for zeros first.
    pub parenthesized: bool,
    /// The configuration of a kernel's launch.
    pub launch: Option<&'tu Launch<'tu>>,
    /// The call that `__cudair_here(noexcept(call))` stands for.
    pub here: Option<Ex<'tu>>,
}

/// The configuration of a launch.
pub(crate) struct Launch<'tu> {
    pub grid: Ex<'tu>,
    pub block: Ex<'tu>,
    pub shared: Ex<'tu>,
    pub stream: Ex<'tu>,
    /// The kernel, where the expression names one.
    pub kernel: Option<Decl<'tu>>,
}

/// `new T`
pub(crate) struct New<'tu> {
    pub placement: &'tu [Ex<'tu>],
    /// `::new`
    pub global: bool,
    /// The length of an array.
    pub count: Option<Ex<'tu>>,
    pub init: Option<Ex<'tu>>,
    /// Whether empty parentheses or braces ask for zeros.
    pub value_init: bool,
}

/// `delete p`
pub(crate) struct Delete<'tu> {
    pub operand: Ex<'tu>,
    /// `delete[]`
    pub array: bool,
    /// `::delete`
    pub global: bool,
}

/// `.a[3].b = value` in a list.
pub(crate) struct Designated<'tu> {
    pub designators: Vec<Designator<'tu>>,
    pub value: Ex<'tu>,
}

/// One step of a designator.
#[derive(Clone, Copy)]
pub(crate) enum Designator<'tu> {
    Field(Decl<'tu>),
    Index(Ex<'tu>),
    /// `[first ... last]`
    Range(Ex<'tu>, Ex<'tu>),
}

/// A lambda: what it captures is asked of [`super::Ast::closure_of`].
#[derive(Clone, Copy)]
pub(crate) struct Lambda<'tu>(pub(super) Cursor<'tu>);

/// The operand of `typeid`.
#[derive(Clone, Copy)]
pub(crate) enum Typeid<'tu> {
    Type(&'tu WrittenType<'tu>),
    Object(Ex<'tu>),
}

/// A type as it is written: a base and the pointers to it.
pub(crate) struct WrittenType<'tu> {
    pub base: TypeBase<'tu>,
    pub is_const: bool,
    pub is_volatile: bool,
    /// Of each `*`, whether the pointer is `const` and `volatile`, outermost first.
    pub levels: Vec<(bool, bool)>,
}

/// What pointers point to in the end.
pub(crate) enum TypeBase<'tu> {
    /// A type of the language's own: its mangled name and its words.
    Builtin(&'static str, String),
    Type(ClangType<'tu>),
}

/// An atomic operation of the compiler's.
pub(crate) struct Atomic<'tu> {
    /// The name without `__atomic_`, `__c11_atomic_` and `_explicit`.
    pub name: String,
    /// Whether it is of the family `__atomic_`, which counts in bytes.
    pub gnu: bool,
    pub pointer: Ex<'tu>,
    /// The operands without orders.
    pub operands: &'tu [Ex<'tu>],
}

/// A label of a function.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct LabelId(pub(super) crate::clang::CursorId);

/// Operators with one operand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum UnaryOp {
    PostInc,
    PostDec,
    PreInc,
    PreDec,
    AddrOf,
    Deref,
    Plus,
    Minus,
    Not,
    LNot,
    Real,
    Imag,
    Extension,
    Other,
}

impl UnaryOp {
    /// The operator of libclang's number.
    pub(super) fn new(number: i32) -> UnaryOp {
        use clang_sys as cs;
        match number {
            cs::CXUnaryOperator_PostInc => UnaryOp::PostInc,
            cs::CXUnaryOperator_PostDec => UnaryOp::PostDec,
            cs::CXUnaryOperator_PreInc => UnaryOp::PreInc,
            cs::CXUnaryOperator_PreDec => UnaryOp::PreDec,
            cs::CXUnaryOperator_AddrOf => UnaryOp::AddrOf,
            cs::CXUnaryOperator_Deref => UnaryOp::Deref,
            cs::CXUnaryOperator_Plus => UnaryOp::Plus,
            cs::CXUnaryOperator_Minus => UnaryOp::Minus,
            cs::CXUnaryOperator_Not => UnaryOp::Not,
            cs::CXUnaryOperator_LNot => UnaryOp::LNot,
            cs::CXUnaryOperator_Real => UnaryOp::Real,
            cs::CXUnaryOperator_Imag => UnaryOp::Imag,
            cs::CXUnaryOperator_Extension => UnaryOp::Extension,
            _ => UnaryOp::Other,
        }
    }

    /// `++` or `--`
    pub fn is_step(self) -> bool {
        matches!(self, UnaryOp::PostInc | UnaryOp::PostDec | UnaryOp::PreInc | UnaryOp::PreDec)
    }
}

/// Operators with two operands. A compound assignment has the operator that it applies.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum BinaryOp {
    PtrMemD,
    PtrMemI,
    Mul,
    Div,
    Rem,
    Add,
    Sub,
    Shl,
    Shr,
    Cmp,
    Lt,
    Gt,
    Le,
    Ge,
    Eq,
    Ne,
    And,
    Xor,
    Or,
    LAnd,
    LOr,
    Assign,
    Comma,
    Other,
}

impl BinaryOp {
    /// The operator of libclang's number.
    pub(super) fn new(number: i32) -> BinaryOp {
        use clang_sys as cs;
        match number {
            cs::CXBinaryOperator_PtrMemD => BinaryOp::PtrMemD,
            cs::CXBinaryOperator_PtrMemI => BinaryOp::PtrMemI,
            cs::CXBinaryOperator_Mul | cs::CXBinaryOperator_MulAssign => BinaryOp::Mul,
            cs::CXBinaryOperator_Div | cs::CXBinaryOperator_DivAssign => BinaryOp::Div,
            cs::CXBinaryOperator_Rem | cs::CXBinaryOperator_RemAssign => BinaryOp::Rem,
            cs::CXBinaryOperator_Add | cs::CXBinaryOperator_AddAssign => BinaryOp::Add,
            cs::CXBinaryOperator_Sub | cs::CXBinaryOperator_SubAssign => BinaryOp::Sub,
            cs::CXBinaryOperator_Shl | cs::CXBinaryOperator_ShlAssign => BinaryOp::Shl,
            cs::CXBinaryOperator_Shr | cs::CXBinaryOperator_ShrAssign => BinaryOp::Shr,
            cs::CXBinaryOperator_Cmp => BinaryOp::Cmp,
            cs::CXBinaryOperator_LT => BinaryOp::Lt,
            cs::CXBinaryOperator_GT => BinaryOp::Gt,
            cs::CXBinaryOperator_LE => BinaryOp::Le,
            cs::CXBinaryOperator_GE => BinaryOp::Ge,
            cs::CXBinaryOperator_EQ => BinaryOp::Eq,
            cs::CXBinaryOperator_NE => BinaryOp::Ne,
            cs::CXBinaryOperator_And | cs::CXBinaryOperator_AndAssign => BinaryOp::And,
            cs::CXBinaryOperator_Xor | cs::CXBinaryOperator_XorAssign => BinaryOp::Xor,
            cs::CXBinaryOperator_Or | cs::CXBinaryOperator_OrAssign => BinaryOp::Or,
            cs::CXBinaryOperator_LAnd => BinaryOp::LAnd,
            cs::CXBinaryOperator_LOr => BinaryOp::LOr,
            cs::CXBinaryOperator_Assign => BinaryOp::Assign,
            cs::CXBinaryOperator_Comma => BinaryOp::Comma,
            _ => BinaryOp::Other,
        }
    }

    /// `.*` or `->*`
    pub fn is_member_pointer(self) -> bool {
        matches!(self, BinaryOp::PtrMemD | BinaryOp::PtrMemI)
    }
}

fn mentions_this(e: Cursor<'_>) -> bool {
    match e.kind() {
        CursorKind::CXXThisExpr => true,
        CursorKind::MemberRefExpr if e.expressions().is_empty() => true,
        _ => e.children().into_iter().any(mentions_this),
    }
}
