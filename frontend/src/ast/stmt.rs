//! Statements, each with all of its parts.

use super::expr::{Broken, Ex, LabelId, NodeId};
use crate::clang::RawRange;
use crate::types::{Decl, Located};

/// A statement in the tree's arena.
pub(crate) type St<'tu> = &'tu Stmt<'tu>;

/// A statement.
pub(crate) struct Stmt<'tu> {
    pub kind: StmtKind<'tu>,
    range: RawRange,
}

impl Located for Stmt<'_> {
    fn range(&self) -> RawRange {
        self.range
    }
}

impl<'tu> Stmt<'tu> {
    pub(super) fn new(range: RawRange, kind: StmtKind<'tu>) -> Self {
        Stmt { kind, range }
    }

    /// The identity of this node.
    pub fn id(&self) -> NodeId {
        NodeId::of(self)
    }

    /// The statements directly inside, nested functions aside.
    pub fn parts(&self) -> Vec<St<'tu>> {
        match self.kind {
            StmtKind::Compound(body) => body.to_vec(),
            StmtKind::If(s) => {
                let (then, other) = match s.branches {
                    Branches::Both { then, other, .. } => (Some(then), other),
                    Branches::Decided(chosen) => (chosen, None),
                };
                s.init.into_iter().chain(then).chain(other).collect()
            }
            StmtKind::While { body, .. }
            | StmtKind::Do { body, .. }
            | StmtKind::Case { body: Some(body), .. }
            | StmtKind::Default(Some(body))
            | StmtKind::Label { body: Some(body), .. }
            | StmtKind::Transparent(Some(body)) => vec![body],
            StmtKind::RangeFor(s) => vec![s.body],
            StmtKind::For(s) => s.init.into_iter().chain([s.body]).collect(),
            StmtKind::Switch(s) => s.before.iter().copied().chain([s.body]).collect(),
            StmtKind::Try(s) => std::iter::once(s.body).chain(s.handlers.iter().map(|h| h.body)).collect(),
            StmtKind::Expr(e) => match e.kind {
                super::ExprKind::Statement(body) => vec![body],
                _ => Vec::new(),
            },
            _ => Vec::new(),
        }
    }
}

/// What a statement is.
pub(crate) enum StmtKind<'tu> {
    Compound(&'tu [St<'tu>]),
    Declarations(&'tu [Decl<'tu>]),
    Null,
    Expr(Ex<'tu>),
    If(&'tu If<'tu>),
    While {
        /// A variable declared in the condition.
        variable: Option<Decl<'tu>>,
        condition: Ex<'tu>,
        body: St<'tu>,
    },
    Do {
        body: St<'tu>,
        condition: Ex<'tu>,
    },
    For(&'tu For<'tu>),
    RangeFor(&'tu RangeFor<'tu>),
    Switch(&'tu Switch<'tu>),
    Case {
        low: Option<Ex<'tu>>,
        /// The end of a range, inclusive.
        high: Option<Ex<'tu>>,
        body: Option<St<'tu>>,
    },
    Default(Option<St<'tu>>),
    Label {
        label: LabelId,
        body: Option<St<'tu>>,
    },
    Goto(Option<LabelId>),
    IndirectGoto(Option<Ex<'tu>>),
    Break,
    Continue,
    Return(Option<Ex<'tu>>),
    Asm(Option<&'tu Asm<'tu>>),
    Try(&'tu Try<'tu>),
    /// A statement with attributes or a pragma that says nothing.
    Transparent(Option<St<'tu>>),
    /// What the tree cannot say.
    Fault(&'tu Broken),
}

/// `if (init; condition) then else other`
pub(crate) struct If<'tu> {
    pub init: Option<St<'tu>>,
    /// A variable declared in the condition.
    pub variable: Option<Decl<'tu>>,
    pub branches: Branches<'tu>,
}

/// The branches of an `if`.
#[derive(Clone, Copy)]
pub(crate) enum Branches<'tu> {
    Both {
        condition: Ex<'tu>,
        then: St<'tu>,
        other: Option<St<'tu>>,
    },
    /// What remains of `if constexpr`, `if consteval` and questions for the side.
    Decided(Option<St<'tu>>),
}

/// `for (init; condition; step) body`
pub(crate) struct For<'tu> {
    pub init: Option<St<'tu>>,
    /// A variable declared in the condition.
    pub variable: Option<Decl<'tu>>,
    pub condition: Option<Ex<'tu>>,
    pub step: Option<St<'tu>>,
    pub body: St<'tu>,
}

/// `for (init; variable : range) body`
pub(crate) struct RangeFor<'tu> {
    /// The variables of the initialiser.
    pub init: &'tu [Decl<'tu>],
    /// The loop's variable, or its structured binding.
    pub variable: Decl<'tu>,
    /// The hidden reference to the range.
    pub range: Decl<'tu>,
    /// The hidden iterator.
    pub begin: Decl<'tu>,
    /// The function that gave the first iterator, if one did.
    pub first: Option<Decl<'tu>>,
    pub body: St<'tu>,
}

/// `switch (before; condition) body`
pub(crate) struct Switch<'tu> {
    /// Variables of an initialiser that is not shown as a statement.
    pub init: &'tu [Decl<'tu>],
    /// The initialiser and the condition's variable, in order.
    pub before: &'tu [St<'tu>],
    pub condition: Ex<'tu>,
    pub body: St<'tu>,
}

/// `try body catch …`
pub(crate) struct Try<'tu> {
    pub body: St<'tu>,
    pub handlers: &'tu [Handler<'tu>],
}

/// `catch (variable) body`
pub(crate) struct Handler<'tu> {
    /// Without one, every exception is taken.
    pub variable: Option<Decl<'tu>>,
    pub body: St<'tu>,
    pub(super) range: RawRange,
}

impl Located for Handler<'_> {
    fn range(&self) -> RawRange {
        self.range
    }
}

impl Handler<'_> {
    /// The identity of this node.
    pub fn id(&self) -> NodeId {
        NodeId::of(self)
    }
}

/// An assembly statement.
pub(crate) struct Asm<'tu> {
    pub template: String,
    /// Constraints and operands.
    pub outputs: Vec<(String, Ex<'tu>)>,
    pub inputs: Vec<(String, Ex<'tu>)>,
}

/// The body of a function.
#[derive(Clone, Copy)]
pub(crate) enum Body<'tu> {
    /// A compound statement.
    Plain(St<'tu>),
    /// A function that is a try block as a whole.
    Try(&'tu Try<'tu>),
    /// What the tree cannot say.
    Fault(&'tu Broken, RawRange),
}
