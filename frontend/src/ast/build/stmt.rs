//! Statements from cursors.

use crate::ast::{
    Asm, Ast, Branches, Broken, Ex, FaultKind, For, Handler, If, LabelId, RangeFor, St, Stmt, StmtKind,
    Switch, Try,
};
use crate::clang::{Cursor, CursorKind};
use crate::recover::{self, Condition};
use crate::types::Decl;

/// The range of libclang's OpenMP directives, which only appear when OpenMP is switched on.
const OMP_FIRST: i32 = clang_sys::CXCursor_OMPParallelDirective;
const OMP_LAST: i32 = clang_sys::CXCursor_OMPAssumeDirective;

impl<'tu> Ast<'tu> {
    /// The tree of a statement.
    pub(super) fn stmt(&mut self, s: Cursor<'tu>) -> St<'tu> {
        let kind = if self.too_deep() {
            StmtKind::Fault(self.nested_too_deep())
        } else {
            self.stmt_kind(s).unwrap_or_else(|broken| StmtKind::Fault(self.arena.alloc(broken)))
        };
        self.depth -= 1;
        self.arena.alloc(Stmt::new(s.range(), kind))
    }

    fn stmts(&mut self, list: &[Cursor<'tu>]) -> &'tu [St<'tu>] {
        let made: Vec<St<'tu>> = list.iter().map(|&s| self.stmt(s)).collect();
        self.arena.alloc_slice_copy(&made)
    }

    fn stmt_kind(&mut self, s: Cursor<'tu>) -> Result<StmtKind<'tu>, Broken> {
        let kind = s.kind();
        Ok(match kind {
            CursorKind::CompoundStmt => StmtKind::Compound(self.stmts(&s.children())),
            CursorKind::DeclStmt => {
                let declared: Vec<Decl<'tu>> = s.children().into_iter().map(Decl::new).collect();
                StmtKind::Declarations(self.arena.alloc_slice_copy(&declared))
            }
            CursorKind::NullStmt => StmtKind::Null,
            CursorKind::IfStmt => self.if_stmt(s)?,
            CursorKind::WhileStmt => {
                let (variable, condition, body) = match *s.children().as_slice() {
                    [c, b] => (None, c, b),
                    [v, c, b] => (Some(Decl::new(v)), c, b),
                    _ => return Err(Broken::internal("a while statement of unknown shape")),
                };
                StmtKind::While { variable, condition: self.expr(condition), body: self.stmt(body) }
            }
            CursorKind::DoStmt => {
                let &[body, condition] = s.children().as_slice() else {
                    return Err(Broken::internal("a do statement of unknown shape"));
                };
                StmtKind::Do { body: self.stmt(body), condition: self.expr(condition) }
            }
            CursorKind::ForStmt => self.for_stmt(s)?,
            CursorKind::CXXForRangeStmt => self.range_for(s)?,
            CursorKind::SwitchStmt => self.switch_stmt(s)?,
            CursorKind::CaseStmt => {
                let parts = s.children();
                let (low, high) = match parts.as_slice() {
                    [low, high, _] => (Some(*low), Some(*high)),
                    [value, ..] => (Some(*value), None),
                    [] => return Err(Broken::internal("a case without a value")),
                };
                StmtKind::Case {
                    low: low.map(|e| self.expr(e)),
                    high: high.map(|e| self.expr(e)),
                    body: parts.last().map(|&inner| self.stmt(inner)),
                }
            }
            CursorKind::DefaultStmt => StmtKind::Default(self.last_stmt(s)),
            CursorKind::LabelStmt => StmtKind::Label { label: LabelId(s.id()), body: self.last_stmt(s) },
            CursorKind::GotoStmt => StmtKind::Goto(label_of(s)),
            CursorKind::IndirectGotoStmt => StmtKind::IndirectGoto(self.first_expr(s)),
            CursorKind::BreakStmt => StmtKind::Break,
            CursorKind::ContinueStmt => StmtKind::Continue,
            CursorKind::ReturnStmt => StmtKind::Return(self.first_expr(s)),
            CursorKind::AsmStmt => StmtKind::Asm(self.assembly(s)),
            CursorKind::CXXTryStmt => StmtKind::Try(self.try_stmt(s)?),
            // An attributed statement (`[[fallthrough]];`, `#pragma unroll`): its last child.
            CursorKind::UnexposedStmt => {
                let inner = s.children().into_iter().rfind(|c| !c.kind().is_attribute());
                StmtKind::Transparent(inner.map(|inner| self.stmt(inner)))
            }
            _ if kind.is_expression() => StmtKind::Expr(self.expr(s)),
            _ if kind.is_declaration() => {
                StmtKind::Declarations(self.arena.alloc_slice_copy(&[Decl::new(s)]))
            }
            // OpenMP is off, so the pragma says nothing.
            _ if (OMP_FIRST..=OMP_LAST).contains(&kind.0) => StmtKind::Transparent(self.last_stmt(s)),
            _ => return Err(Broken::unsupported("this statement")),
        })
    }

    fn last_stmt(&mut self, s: Cursor<'tu>) -> Option<St<'tu>> {
        s.children().last().map(|&inner| self.stmt(inner))
    }

    fn first_expr(&mut self, s: Cursor<'tu>) -> Option<Ex<'tu>> {
        s.expressions().first().map(|&e| self.expr(e))
    }

    fn if_stmt(&mut self, s: Cursor<'tu>) -> Result<StmtKind<'tu>, Broken> {
        let parts = self.if_parts(s)?;
        let init = parts.init.map(|init| self.stmt(init));
        let variable = parts.variable.map(Decl::new);
        let (then, other) = (parts.then, parts.other);
        let chosen = match parts.condition {
            // What runs is no constant evaluation.
            Condition::Consteval { negated } => {
                self.asks_consteval = true;
                Some(if negated { Some(then) } else { other })
            }
            // Code of both sides asks on which it runs; of the branches only the side's own is made.
            Condition::Value(c) if is_side_test(c) => Some(if self.device { Some(then) } else { other }),
            Condition::Value(_) if self.cxx => recover::chosen_branch(&parts),
            Condition::Value(_) => None,
        };
        let condition = match (chosen, parts.condition) {
            (None, Condition::Value(condition)) => condition,
            (chosen, _) => {
                let chosen = chosen.flatten().map(|c| self.stmt(c));
                return Ok(self.if_of(If { init, variable, branches: Branches::Decided(chosen) }));
            }
        };
        let branches = Branches::Both {
            condition: self.expr(condition),
            then: self.stmt(then),
            other: other.map(|t| self.stmt(t)),
        };
        Ok(self.if_of(If { init, variable, branches }))
    }

    fn if_of(&self, s: If<'tu>) -> StmtKind<'tu> {
        StmtKind::If(self.arena.alloc(s))
    }

    fn for_stmt(&mut self, s: Cursor<'tu>) -> Result<StmtKind<'tu>, Broken> {
        let children = s.children();
        let Some((&body, parts)) = children.split_last() else {
            return Err(Broken::internal("a for statement without a body"));
        };
        let (init, variable, condition, step) = self.for_parts(s, parts)?;
        let made = For {
            init: init.map(|s| self.stmt(s)),
            variable: variable.map(Decl::new),
            condition: condition.map(|e| self.expr(e)),
            step: step.map(|s| self.stmt(s)),
            body: self.stmt(body),
        };
        Ok(StmtKind::For(self.arena.alloc(made)))
    }

    fn range_for(&mut self, s: Cursor<'tu>) -> Result<StmtKind<'tu>, Broken> {
        let children = s.children();
        let Some((&body, head)) = children.split_last() else {
            return Err(Broken::internal("a range for without a body"));
        };
        let Some(&variable) = head.iter().find(|c| c.kind().is_declaration()) else {
            return Err(Broken::internal("a range for without a variable"));
        };
        let init = variable.initializer().or_else(|| variable.expressions().last().copied());
        let Some(begin) = init.and_then(|i| find_hidden(i, "__begin")) else {
            return Err(Broken::internal("a range for without an iterator"));
        };
        let Some(range) = begin.initializer().and_then(|i| find_hidden(i, "__range")) else {
            return Err(Broken::internal("a range for without a range"));
        };
        let init = self.hidden_init(s)?;
        let made = RangeFor {
            init,
            variable: Decl::new(variable),
            range: Decl::new(range),
            begin: Decl::new(begin),
            first: begin.initializer().and_then(|i| called(i)).map(Decl::new),
            body: self.stmt(body),
        };
        Ok(StmtKind::RangeFor(self.arena.alloc(made)))
    }

    fn switch_stmt(&mut self, s: Cursor<'tu>) -> Result<StmtKind<'tu>, Broken> {
        let children = s.children();
        let Some((&body, head)) = children.split_last() else {
            return Err(Broken::internal("a switch statement without a body"));
        };
        let Some((&condition, before)) = head.split_last() else {
            return Err(Broken::internal("a switch statement without a condition"));
        };
        let init = self.hidden_init(s)?;
        let made = Switch {
            init,
            before: self.stmts(before),
            condition: self.expr(condition),
            body: self.stmt(body),
        };
        Ok(StmtKind::Switch(self.arena.alloc(made)))
    }

    pub(super) fn try_stmt(&mut self, s: Cursor<'tu>) -> Result<&'tu Try<'tu>, Broken> {
        let children = s.children();
        let Some(&body) = children.iter().find(|c| c.kind() == CursorKind::CompoundStmt) else {
            return Err(Broken::internal("a try block without a body"));
        };
        let body = self.stmt(body);
        let mut handlers = Vec::new();
        for handler in children.into_iter().filter(|c| c.kind() == CursorKind::CXXCatchStmt) {
            let parts = handler.children();
            let variable = parts.iter().copied().find(|c| c.kind() == CursorKind::VarDecl).map(Decl::new);
            let Some(&inner) = parts.iter().find(|c| c.kind() == CursorKind::CompoundStmt) else {
                return Err(Broken::internal("a handler without a body"));
            };
            handlers.push(Handler { variable, body: self.stmt(inner), range: handler.range() });
        }
        let handlers = self.arena.alloc_slice_fill_iter(handlers);
        Ok(self.arena.alloc(Try { body, handlers }))
    }

    fn assembly(&mut self, s: Cursor<'tu>) -> Option<&'tu Asm<'tu>> {
        let assembly = self.assembly_of(s)?;
        let operands = |ast: &mut Self, list: Vec<(String, Cursor<'tu>)>| {
            list.into_iter().map(|(constraint, e)| (constraint, ast.expr(e))).collect()
        };
        let outputs = operands(self, assembly.outputs);
        let inputs = operands(self, assembly.inputs);
        Some(self.arena.alloc(Asm { template: assembly.template, outputs, inputs }))
    }
}

impl Broken {
    /// A construct that is not supported.
    pub fn unsupported(what: impl Into<String>) -> Broken {
        Broken { kind: FaultKind::Unsupported, what: what.into() }
    }

    /// A tree that is not as it should be.
    pub fn internal(what: impl Into<String>) -> Broken {
        Broken { kind: FaultKind::Internal, what: what.into() }
    }
}

/// The label that a `goto` or `&&` names.
pub(super) fn label_of(node: Cursor<'_>) -> Option<LabelId> {
    let named = node.children().into_iter().find(|c| c.kind() == CursorKind::LabelRef)?;
    named.referenced().map(|label| LabelId(label.id()))
}

/// The hidden variable that an expression names whose name starts so.
fn find_hidden<'tu>(e: Cursor<'tu>, name: &str) -> Option<Cursor<'tu>> {
    if e.kind() == CursorKind::DeclRefExpr
        && let Some(decl) = e.referenced()
        && decl.kind() == CursorKind::VarDecl
        && decl.spelling().starts_with(name)
    {
        return Some(decl);
    }
    e.children().into_iter().find_map(|c| find_hidden(c, name))
}

/// The function that an initialiser calls, conversions aside.
fn called(e: Cursor<'_>) -> Option<Cursor<'_>> {
    let callee = super::call::direct_callee(e).filter(|d| d.kind() != CursorKind::Constructor);
    if e.kind() == CursorKind::CallExpr && callee.is_some() {
        return callee;
    }
    e.expressions().into_iter().find_map(called)
}

/// Whether a condition asks which side the code runs on, by the headers' `__cudair_on_device()`.
fn is_side_test(mut condition: Cursor<'_>) -> bool {
    loop {
        match (condition.kind(), condition.expressions().as_slice()) {
            (CursorKind::ParenExpr | CursorKind::UnexposedExpr, [one]) => condition = *one,
            (CursorKind::CallExpr, _) => return condition.spelling() == "__cudair_on_device",
            _ => return false,
        }
    }
}
