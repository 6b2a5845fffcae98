//! Statements.

use super::R;
use super::cleanup::Action;
use super::func::{FnLower, Jump};
use super::types::{Kind, Ty};
use crate::clang::{Cursor, CursorId, CursorKind, Evaluated};
use cudair_ir::{BinaryOp, Block, IntCC, Type, Value};

/// Above this many values a case range is tested by comparison instead of listed.
const MAX_LISTED_RANGE: u128 = 256;

impl<'tu> FnLower<'_, 'tu, '_> {
    /// Lowers a statement. What cannot be lowered becomes a trap or an error, and lowering goes on.
    pub fn stmt(&mut self, s: Cursor<'tu>) {
        let (cleanups, jumps, path, depth) =
            (self.cleanups.len(), self.jumps.len(), self.path.len(), self.depth);
        let conditional = self.conditional;
        let arms = std::mem::take(&mut self.arms);
        if let Err(fault) = self.try_stmt(s) {
            self.fault(*fault);
            self.cleanups.truncate(cleanups);
            self.jumps.truncate(jumps);
            self.path.truncate(path);
            self.conditional = conditional;
            self.extended.clear();
        }
        self.arms = arms;
        self.depth = depth;
    }

    pub fn try_stmt(&mut self, s: Cursor<'tu>) -> R<()> {
        self.deeper(s)?;
        let old = self.enter(s);
        let result = self.stmt_kind(s);
        self.b.set_loc(old);
        result
    }

    pub fn stmt_kind(&mut self, s: Cursor<'tu>) -> R<()> {
        let kind = s.kind();
        match kind {
            CursorKind::CompoundStmt => {
                self.compound(s);
                Ok(())
            }
            CursorKind::DeclStmt => self.decl_stmt(s),
            CursorKind::NullStmt => Ok(()),
            CursorKind::IfStmt => self.if_stmt(s),
            CursorKind::WhileStmt => self.while_stmt(s),
            CursorKind::DoStmt => self.do_stmt(s),
            CursorKind::ForStmt => self.for_stmt(s),
            CursorKind::CXXForRangeStmt => self.range_for(s),
            CursorKind::SwitchStmt => self.switch_stmt(s),
            CursorKind::CaseStmt | CursorKind::DefaultStmt => self.case_stmt(s),
            CursorKind::LabelStmt => self.label_stmt(s),
            CursorKind::GotoStmt => self.goto_stmt(s),
            CursorKind::IndirectGotoStmt => self.indirect_goto(s),
            CursorKind::BreakStmt | CursorKind::ContinueStmt => self.jump_stmt(s),
            CursorKind::ReturnStmt => self.return_stmt(s),
            CursorKind::AsmStmt => self.asm_stmt(s),
            CursorKind::CXXTryStmt => self.try_block(s),
            CursorKind::UnexposedStmt => {
                // An attributed statement (`[[fallthrough]];`, `#pragma unroll`): its last child.
                match s.children().into_iter().rfind(|c| !c.kind().is_attribute()) {
                    Some(inner) => self.try_stmt(inner),
                    None => Ok(()),
                }
            }
            _ if kind.is_expression() => self.full_expression(s),
            _ if kind.is_declaration() => self.local_decl(s),
            _ if (cs::OMP_FIRST..=cs::OMP_LAST).contains(&kind.0) => match s.children().last() {
                // OpenMP is off, so the pragma says nothing.
                Some(&inner) => self.try_stmt(inner),
                None => Ok(()),
            },
            _ => self.unsupported("this statement", s),
        }
    }

    /// An expression statement: temporaries die at its end.
    pub fn full_expression(&mut self, e: Cursor<'tu>) -> R<()> {
        let keep = self.cleanups.len();
        self.discard(e)?;
        self.pop_cleanups(keep);
        Ok(())
    }

    pub fn compound(&mut self, s: Cursor<'tu>) {
        let keep = self.cleanups.len();
        self.path.push((s.id(), keep));
        for child in s.children() {
            self.stmt(child);
        }
        self.path.pop();
        // The frame itself ends what lives in the function's outermost scope.
        if self.path.is_empty() && self.cleanups[keep..].iter().all(|c| matches!(c.action, Action::Dead(_))) {
            self.cleanups.truncate(keep);
        } else if self.cleanups.len() > keep {
            let brace = self.cx.closing_brace(s);
            let old = self.b.loc();
            self.b.set_loc(brace.or(old));
            self.pop_cleanups(keep);
            self.b.set_loc(old);
        }
    }

    pub fn decl_stmt(&mut self, s: Cursor<'tu>) -> R<()> {
        for decl in s.children() {
            let old = self.enter(decl);
            self.local_decl(decl)?;
            self.b.set_loc(old);
        }
        Ok(())
    }

    pub fn if_stmt(&mut self, s: Cursor<'tu>) -> R<()> {
        let keep = self.cleanups.len();
        let children = s.children();
        let mut rest: &[Cursor<'tu>] = &children;
        let mut variable = None;
        if let [first, tail @ ..] = rest
            && first.kind() == CursorKind::VarDecl
        {
            variable = Some(*first);
            rest = tail;
        }
        if let [first, tail @ ..] = rest
            && (first.kind() == CursorKind::DeclStmt
                || first.kind() == CursorKind::NullStmt
                || self.has_init_expression(s, rest))
        {
            self.try_stmt(*first)?;
            rest = tail;
        }
        if let Some(decl) = variable {
            let old = self.enter(decl);
            self.local_variable(decl)?;
            self.b.set_loc(old);
        }
        let (condition, then, other) = match *rest {
            [c, t] => (c, Some(t), None),
            [c, t, e] => (c, Some(t), Some(e)),
            // `if constexpr` with a discarded branch.
            [c] => (c, None, None),
            _ => return self.internal("an if statement of unknown shape", s),
        };
        if is_side_test(condition) {
            if let Some(chosen) = if self.device { then } else { other } {
                self.stmt(chosen);
            }
            self.pop_cleanups(keep);
            return Ok(());
        }
        if self.is_constexpr_if(s, condition, rest.len()) {
            self.constexpr_if(condition, then, other)?;
            self.pop_cleanups(keep);
            return Ok(());
        }
        let (yes, end) = (self.b.make_block(), self.b.make_block());
        let no = if other.is_some() { self.b.make_block() } else { end };
        self.branch_on_condition(condition, yes, no)?;
        self.conditional += 1;
        self.b.switch_to(yes);
        if let Some(then) = then {
            self.stmt(then);
        }
        if !self.b.is_unreachable() {
            self.b.jump(end, &[]);
        }
        if let Some(other) = other {
            self.b.switch_to(no);
            self.stmt(other);
            if !self.b.is_unreachable() {
                self.b.jump(end, &[]);
            }
        }
        self.conditional -= 1;
        self.b.switch_to(end);
        self.pop_cleanups(keep);
        Ok(())
    }

    /// Whether `if (x = f(); cond)` begins with an expression. Without `else` it has the children of
    /// `if (a) b; else c;`, and only the text tells them apart.
    pub fn has_init_expression(&mut self, s: Cursor<'tu>, rest: &[Cursor<'tu>]) -> bool {
        if !self.cx.cxx
            || rest.len() < 3
            || !rest[0].kind().is_expression()
            || !rest[1].kind().is_expression()
        {
            return false;
        }
        if rest.len() == 4 {
            return true;
        }
        // A `;` before the condition's closing parenthesis.
        let mut depth = 0;
        for token in s.tokens(self.cx.unit) {
            match token.as_str() {
                "(" => depth += 1,
                ")" => {
                    depth -= 1;
                    if depth == 0 {
                        return false;
                    }
                }
                ";" if depth == 1 => return true,
                _ => {}
            }
        }
        false
    }

    /// Whether a branch was discarded at compile time. A discarded branch is absent, which an ordinary
    /// `if` without `else` looks like too; deciding it by its constant condition is right for both.
    pub fn is_constexpr_if(&mut self, s: Cursor<'tu>, condition: Cursor<'tu>, parts: usize) -> bool {
        if !self.cx.cxx || parts == 3 && s.tokens(self.cx.unit).get(1).is_none_or(|t| t != "constexpr") {
            return false;
        }
        let is_constexpr = parts == 1 || s.tokens(self.cx.unit).get(1).is_some_and(|t| t == "constexpr");
        is_constexpr && matches!(condition.evaluate(), Some(Evaluated::Int(_)))
    }

    pub fn constexpr_if(
        &mut self,
        condition: Cursor<'tu>,
        then: Option<Cursor<'tu>>,
        other: Option<Cursor<'tu>>,
    ) -> R<()> {
        let holds = matches!(condition.evaluate(), Some(Evaluated::Int(v)) if v != 0);
        // With one branch left it is the one that the condition chose, if it chose one at all: a
        // condition that is false without `else` leaves an empty statement.
        let chosen = match (holds, other) {
            (true, _) => then,
            (false, Some(other)) => Some(other),
            (false, None) => {
                then.filter(|t| t.kind() != CursorKind::NullStmt && self.is_else_only(condition, *t))
            }
        };
        if let Some(chosen) = chosen {
            self.stmt(chosen);
        }
        Ok(())
    }

    /// Whether the only branch shown stands after an `else`.
    pub fn is_else_only(&mut self, condition: Cursor<'tu>, branch: Cursor<'tu>) -> bool {
        let (from, to) = (condition.range().end, branch.range().start);
        let Some(file) = from.file else { return false };
        if to.file != Some(file) {
            return false;
        }
        let Some(text) = self.cx.unit.file_contents(file) else { return false };
        match text.get(from.offset as usize..to.offset as usize) {
            Some(between) => String::from_utf8_lossy(between).contains("else"),
            None => false,
        }
    }

    pub fn loop_scope(&mut self, break_to: Block, continue_to: Block) {
        self.jumps.push(Jump {
            break_to: Some(break_to),
            continue_to: Some(continue_to),
            cleanups: self.cleanups.len(),
        });
    }

    pub fn while_stmt(&mut self, s: Cursor<'tu>) -> R<()> {
        let children = s.children();
        let (variable, condition, body) = match *children.as_slice() {
            [c, b] => (None, c, b),
            [v, c, b] => (Some(v), c, b),
            _ => return self.internal("a while statement of unknown shape", s),
        };
        let (head, run, next, end) =
            (self.b.make_block(), self.b.make_block(), self.b.make_block(), self.b.make_block());
        self.b.jump(head, &[]);
        self.b.switch_to(head);
        let keep = self.cleanups.len();
        if let Some(decl) = variable {
            let old = self.enter(decl);
            self.local_variable(decl)?;
            self.b.set_loc(old);
        }
        // The variable of the condition dies on each way out of an iteration.
        let exit = if self.cleanups.len() > keep { self.b.make_block() } else { end };
        self.branch_on_condition(condition, run, exit)?;
        if exit != end {
            self.b.switch_to(exit);
            self.emit_cleanups(keep, true);
            self.b.jump(end, &[]);
        }
        self.conditional += 1;
        self.b.switch_to(run);
        self.jumps.push(Jump { break_to: Some(end), continue_to: Some(next), cleanups: keep });
        self.stmt(body);
        self.jumps.pop();
        if !self.b.is_unreachable() {
            self.emit_cleanups(keep, true);
            self.b.jump(next, &[]);
        }
        self.cleanups.truncate(keep);
        self.b.switch_to(next);
        self.b.jump(head, &[]);
        self.conditional -= 1;
        self.b.switch_to(end);
        Ok(())
    }

    pub fn do_stmt(&mut self, s: Cursor<'tu>) -> R<()> {
        let children = s.children();
        let &[body, condition] = children.as_slice() else {
            return self.internal("a do statement of unknown shape", s);
        };
        let (run, next, end) = (self.b.make_block(), self.b.make_block(), self.b.make_block());
        self.b.jump(run, &[]);
        self.b.switch_to(run);
        self.loop_scope(end, next);
        self.conditional += 1;
        self.stmt(body);
        self.conditional -= 1;
        self.jumps.pop();
        if !self.b.is_unreachable() {
            self.b.jump(next, &[]);
        }
        self.b.switch_to(next);
        self.branch_on_condition(condition, run, end)?;
        self.b.switch_to(end);
        Ok(())
    }

    pub fn for_stmt(&mut self, s: Cursor<'tu>) -> R<()> {
        let keep = self.cleanups.len();
        let children = s.children();
        let Some((&body, parts)) = children.split_last() else {
            return self.internal("a for statement without a body", s);
        };
        let (init, variable, condition, step) = self.for_statement_parts(s, parts)?;
        self.path.push((s.id(), keep));
        if let Some(init) = init {
            self.try_stmt(init)?;
        }
        let (head, run, next, end) =
            (self.b.make_block(), self.b.make_block(), self.b.make_block(), self.b.make_block());
        self.b.jump(head, &[]);
        self.b.switch_to(head);
        let inner = self.cleanups.len();
        if let Some(decl) = variable {
            let old = self.enter(decl);
            self.local_variable(decl)?;
            self.b.set_loc(old);
        }
        // The variable of the condition dies on each way out of an iteration.
        let exit = if self.cleanups.len() > inner { self.b.make_block() } else { end };
        match condition {
            Some(condition) => self.branch_on_condition(condition, run, exit)?,
            None => self.b.jump(run, &[]),
        }
        if exit != end {
            self.b.switch_to(exit);
            self.emit_cleanups(inner, true);
            self.b.jump(end, &[]);
        }
        self.conditional += 1;
        self.b.switch_to(run);
        self.jumps.push(Jump {
            break_to: Some(exit),
            continue_to: Some(next),
            cleanups: self.cleanups.len(),
        });
        self.stmt(body);
        self.jumps.pop();
        if !self.b.is_unreachable() {
            self.b.jump(next, &[]);
        }
        self.b.switch_to(next);
        if let Some(step) = step {
            self.stmt(step);
        }
        if !self.b.is_unreachable() {
            self.emit_cleanups(inner, true);
            self.b.jump(head, &[]);
        }
        self.cleanups.truncate(inner);
        self.conditional -= 1;
        self.b.switch_to(end);
        self.path.pop();
        self.pop_cleanups(keep);
        Ok(())
    }

    pub fn switch_stmt(&mut self, s: Cursor<'tu>) -> R<()> {
        let keep = self.cleanups.len();
        let children = s.children();
        let Some((&body, head)) = children.split_last() else {
            return self.internal("a switch statement without a body", s);
        };
        let Some((&condition, before)) = head.split_last() else {
            return self.internal("a switch statement without a condition", s);
        };
        self.hidden_init(s, &[], before.first().copied().unwrap_or(condition))?;
        for &part in before {
            let old = self.enter(part);
            if part.kind() == CursorKind::VarDecl {
                self.local_variable(part)?;
            } else {
                self.try_stmt(part)?;
            }
            self.b.set_loc(old);
        }
        let inner = self.cleanups.len();
        let value = self.rv(condition)?;
        self.pop_cleanups(inner);
        let ty = self.b.ty(value);
        let mut found = Found::default();
        find_cases(body, &mut Vec::new(), &mut found);
        self.jumped_into.extend(found.scopes);
        let end = self.b.make_block();
        let mut default = end;
        let mut cases: Vec<(u128, Block)> = Vec::new();
        let mut ranges = Vec::new();
        for case in found.cases {
            let block = self.b.make_block();
            self.cases.insert(case.id(), block);
            if case.kind() == CursorKind::DefaultStmt {
                default = block;
                continue;
            }
            let parts = case.children();
            let constant = |e: &Cursor<'tu>| match e.evaluate() {
                Some(Evaluated::Int(v)) => Some(v),
                _ => None,
            };
            match parts.as_slice() {
                [low, high, _] => {
                    let (Some(low), Some(high)) = (constant(low), constant(high)) else {
                        return self.unsupported("a case whose value is not constant", case);
                    };
                    if high < low {
                        continue;
                    }
                    if (high - low) as u128 >= MAX_LISTED_RANGE {
                        ranges.push((low, high, block));
                    } else {
                        cases.extend((low..=high).map(|v| (v as u128 & ty.bit_mask(), block)));
                    }
                }
                [value, ..] => match constant(value) {
                    Some(v) => cases.push((v as u128 & ty.bit_mask(), block)),
                    None => return self.unsupported("a case whose value is not constant", case),
                },
                [] => return self.internal("a case without a value", case),
            }
        }
        for (low, high, block) in ranges {
            let from = self.b.iconst(ty, low);
            let distance = self.b.binary(BinaryOp::Isub, value, from);
            let width = self.b.iconst(ty, high - low);
            let inside = self.b.icmp(IntCC::Ule, distance, width);
            let next = self.b.make_block();
            self.b.branch(inside, block, next);
            self.b.switch_to(next);
        }
        self.b.switch(value, default, &cases);
        self.conditional += 1;
        self.jumps.push(Jump { break_to: Some(end), continue_to: None, cleanups: self.cleanups.len() });
        self.stmt(body);
        self.jumps.pop();
        self.conditional -= 1;
        if !self.b.is_unreachable() {
            self.b.jump(end, &[]);
        }
        self.b.switch_to(end);
        self.pop_cleanups(keep);
        Ok(())
    }

    pub fn case_stmt(&mut self, s: Cursor<'tu>) -> R<()> {
        let Some(&block) = self.cases.get(&s.id()) else {
            return self.internal("a case outside a switch", s);
        };
        if !self.b.is_unreachable() {
            self.b.jump(block, &[]);
        }
        self.b.switch_to(block);
        match s.children().last() {
            Some(&inner) => self.try_stmt(inner),
            None => Ok(()),
        }
    }

    pub fn label_stmt(&mut self, s: Cursor<'tu>) -> R<()> {
        let block = self.label_block(s);
        if !self.b.is_unreachable() {
            self.b.jump(block, &[]);
        }
        self.b.switch_to(block);
        let here = self.cleanups.len();
        if let Some(label) = self.labels.get_mut(&s.id()) {
            label.cleanups = Some(here);
        }
        // Whatever follows may be reached again.
        match s.children().last() {
            Some(&inner) => self.try_stmt(inner),
            None => Ok(()),
        }
    }

    pub fn goto_stmt(&mut self, s: Cursor<'tu>) -> R<()> {
        let label =
            s.children().into_iter().find(|c| c.kind() == CursorKind::LabelRef).and_then(|c| c.referenced());
        let Some(label) = label else {
            return self.internal("a goto without a label", s);
        };
        let block = self.label_block(label);
        let label = &self.labels[&label.id()];
        let leaving = self.path.iter().find(|(id, _)| !label.path.contains(id)).map(|(_, keep)| *keep);
        // Back before a variable of the same scope ends its life too.
        let leaving = leaving.into_iter().chain(label.cleanups).min();
        if let Some(keep) = leaving.filter(|&keep| keep <= self.cleanups.len()) {
            self.emit_cleanups(keep, true);
        }
        self.b.jump(block, &[]);
        self.escaped = true;
        Ok(())
    }

    /// `goto *p`: a switch over the labels whose addresses are taken, numbered in order.
    pub fn indirect_goto(&mut self, s: Cursor<'tu>) -> R<()> {
        let Some(&target) = s.expressions().first() else {
            return self.internal("a computed goto without a target", s);
        };
        let pointer = self.rv(target)?;
        let number = self.b.cast(cudair_ir::CastOp::Ptrtoint, Type::I64, pointer);
        let mut labels: Vec<(u32, Block)> =
            self.labels.values().map(|l| (l.block.as_u32(), l.block)).collect();
        labels.sort_unstable();
        let invalid = self.b.make_block();
        let cases: Vec<_> = labels.iter().map(|(n, b)| (u128::from(*n), *b)).collect();
        self.b.switch(number, invalid, &cases);
        self.b.switch_to(invalid);
        self.b.trap(cudair_ir::TrapCode::Unreachable);
        Ok(())
    }

    pub fn jump_stmt(&mut self, s: Cursor<'tu>) -> R<()> {
        let is_break = s.kind() == CursorKind::BreakStmt;
        let found = self.jumps.iter().rev().find_map(|j| {
            let to = if is_break { j.break_to } else { j.continue_to };
            to.map(|to| (to, j.cleanups))
        });
        let Some((target, keep)) = found else {
            return self.internal("a jump outside a loop", s);
        };
        self.emit_cleanups(keep, true);
        self.b.jump(target, &[]);
        Ok(())
    }

    pub fn return_stmt(&mut self, s: Cursor<'tu>) -> R<()> {
        let keep = self.cleanups.len();
        let result = self.return_value(s);
        // What was made for the result is no more in what follows.
        self.cleanups.truncate(keep);
        result
    }

    fn return_value(&mut self, s: Cursor<'tu>) -> R<()> {
        let value = s.expressions().first().copied();
        let ret = self.ret;
        self.escaped = true;
        let Some(e) = value else {
            self.emit_cleanups(0, false);
            if self.b.is_unreachable() {
                return Ok(());
            }
            return match self.b.func.sig.ret {
                // `return;` where a value is due is C only, and wrong only if the caller uses it.
                Some(ty) => {
                    let value = self.b.const_bits(ty, 0);
                    self.b.ret(Some(value));
                    Ok(())
                }
                None => self.leave(),
            };
        };
        match self.cx.types.kind(ret.ty) {
            Kind::Void => {
                self.discard(e)?;
                self.emit_cleanups(0, false);
                self.leave()?;
            }
            Kind::Reference(_) => {
                let place = self.place(e)?;
                let pointer = self.pointer_for(place.ptr, ret.ty);
                self.return_after_cleanups(pointer);
            }
            _ if self.cx.types.is_aggregate(ret.ty) => {
                let Some(sret) = self.sret else {
                    return self.internal("an aggregate result without a place", s);
                };
                if self.result.is_none() || self.result != super::elision::returned(e) {
                    let align = self.cx.types.align(ret.ty);
                    self.init_object(sret, align, ret, e)?;
                }
                self.emit_cleanups(0, false);
                if !self.b.is_unreachable() {
                    self.b.ret(None);
                }
            }
            _ => {
                let value = self.rv_as(e, ret.ty)?;
                self.return_after_cleanups(value);
            }
        }
        Ok(())
    }

    fn return_after_cleanups(&mut self, value: Value) {
        self.emit_cleanups(0, false);
        if !self.b.is_unreachable() {
            self.b.ret(Some(value));
        }
    }

    /// Leaves a function without a result; a destructor goes on with the members.
    pub fn leave(&mut self) -> R<()> {
        if self.b.is_unreachable() {
            return Ok(());
        }
        if self.decl.kind() == CursorKind::Destructor && !self.members_unwind {
            self.destroy_members()?;
        }
        self.b.ret(None);
        Ok(())
    }

    /// A pointer as the IR type that a pointer or reference of type `ty` has.
    pub fn pointer_for(&mut self, pointer: Value, ty: Ty) -> Value {
        let ir = self.cx.types.ir(ty).unwrap_or(Type::GENERIC_PTR);
        self.as_pointer(pointer, ir)
    }
}

#[derive(Default)]
struct Found<'tu> {
    cases: Vec<Cursor<'tu>>,
    scopes: Vec<CursorId>,
}

/// The cases of a switch body, those of nested switches excluded, and the compound statements that
/// hold one.
fn find_cases<'tu>(at: Cursor<'tu>, path: &mut Vec<CursorId>, found: &mut Found<'tu>) {
    let compound = matches!(at.kind(), CursorKind::CompoundStmt | CursorKind::ForStmt);
    if compound {
        path.push(at.id());
    }
    if matches!(at.kind(), CursorKind::CaseStmt | CursorKind::DefaultStmt) {
        found.cases.push(at);
        found.scopes.extend(path.iter().copied());
    }
    if at.kind().is_statement() && at.kind() != CursorKind::DeclStmt {
        for child in at.children() {
            if child.kind().is_statement() && child.kind() != CursorKind::SwitchStmt {
                find_cases(child, path, found);
            }
        }
    }
    if compound {
        path.pop();
    }
}

/// The range of libclang's OpenMP directives, which only appear when OpenMP is switched on.
mod cs {
    pub const OMP_FIRST: i32 = clang_sys::CXCursor_OMPParallelDirective;
    pub const OMP_LAST: i32 = clang_sys::CXCursor_OMPAssumeDirective;
}

/// Whether a condition asks which side the code runs on, by the headers' `__cudair_on_device()`: then only the
/// branch for this side is lowered.
fn is_side_test(mut condition: Cursor<'_>) -> bool {
    loop {
        match (condition.kind(), condition.expressions().as_slice()) {
            (CursorKind::ParenExpr | CursorKind::UnexposedExpr, [one]) => condition = *one,
            (CursorKind::CallExpr, _) => return condition.spelling() == "__cudair_on_device",
            _ => return false,
        }
    }
}
