//! Statements.

use super::R;
use super::func::FnLower;
use super::func::cleanups::Mark;
use crate::ast::{Branches, Ex, For, If, LabelId, NodeId, St, StmtKind, Switch};
use crate::clang::Evaluated;
use crate::types::{Decl, DeclKind};
use crate::types::{Kind, Ty};
use cudair_ir::{BinaryOp, Block, IntCC, Type, Value};

/// Above this many values a case range is tested by comparison instead of listed.
const MAX_LISTED_RANGE: u128 = 256;

impl<'tu> FnLower<'_, 'tu, '_> {
    /// Lowers a statement. What cannot be lowered becomes a trap or an error, and lowering goes on.
    pub fn stmt(&mut self, s: St<'tu>) {
        let (cleanups, jumps, nesting) = (self.cleanups.mark(), self.jumps.around(), self.reach.nesting());
        let arms = self.cleanups.begin_statement();
        if let Err(fault) = self.try_stmt(s) {
            self.fault(*fault);
            self.cleanups.forget(cleanups);
            self.jumps.give_up(jumps);
            self.reach.give_up(nesting);
            self.temporaries.give_up();
        }
        self.cleanups.end_statement(arms);
        self.reach.end_statement(nesting);
    }

    pub fn try_stmt(&mut self, s: St<'tu>) -> R<()> {
        self.deeper(s)?;
        let old = self.enter(s);
        let result = self.stmt_kind(s);
        self.b.set_loc(old);
        result
    }

    pub fn stmt_kind(&mut self, s: St<'tu>) -> R<()> {
        match s.kind {
            StmtKind::Compound(body) => {
                self.compound(s, body);
                Ok(())
            }
            StmtKind::Declarations(declared) => self.declarations(declared),
            StmtKind::Null => Ok(()),
            StmtKind::Expr(e) => self.full_expression(e),
            StmtKind::If(parts) => self.as_scope(s, |f| f.if_stmt(parts)),
            StmtKind::While { variable, condition, body } => {
                self.as_scope(s, |f| f.while_stmt(variable, condition, body))
            }
            StmtKind::Do { body, condition } => self.do_stmt(body, condition),
            StmtKind::For(parts) => self.for_stmt(s, parts),
            StmtKind::RangeFor(parts) => self.range_for(s, parts),
            StmtKind::Switch(parts) => self.as_scope(s, |f| f.switch_stmt(parts)),
            StmtKind::Case { body, .. } | StmtKind::Default(body) => self.case_stmt(s, body),
            StmtKind::Label { label, body } => self.label_stmt(label, body),
            StmtKind::Goto(label) => self.goto_stmt(label, s),
            StmtKind::IndirectGoto(target) => self.indirect_goto(target, s),
            StmtKind::Break | StmtKind::Continue => self.jump_stmt(s),
            StmtKind::Return(value) => self.return_stmt(value, s),
            StmtKind::Asm(assembly) => self.asm_stmt(assembly, s),
            StmtKind::Try(parts) => self.try_block(parts),
            StmtKind::Transparent(inner) => match inner {
                Some(inner) => self.try_stmt(inner),
                None => Ok(()),
            },
            StmtKind::Fault(broken) => self.broken(broken, s),
        }
    }

    /// An expression statement: temporaries die at its end.
    pub fn full_expression(&mut self, e: Ex<'tu>) -> R<()> {
        let keep = self.cleanups.mark();
        self.discard(e)?;
        self.pop_cleanups(keep);
        Ok(())
    }

    pub fn compound(&mut self, s: St<'tu>, body: &[St<'tu>]) {
        let keep = self.cleanups.mark();
        self.jumps.enter_scope(s.id(), keep);
        for &part in body {
            self.stmt(part);
        }
        self.jumps.leave_scope();
        // The frame itself ends what lives in the function's outermost scope.
        if self.jumps.at_outermost() && !self.cleanups.works_above(keep) {
            self.cleanups.forget(keep);
        } else if self.cleanups.any_above(keep) {
            let brace = self.cx.closing_brace(s);
            let old = self.b.loc();
            self.b.set_loc(brace.or(old));
            self.pop_cleanups(keep);
            self.b.set_loc(old);
        }
    }

    fn declarations(&mut self, declared: &[Decl<'tu>]) -> R<()> {
        for (n, &decl) in declared.iter().enumerate() {
            let old = self.enter(&decl);
            if let Err(fault) = self.local_decl(decl) {
                // Those behind it are not declared, either.
                declared[n..].iter().for_each(|d| self.names.give_up(*d));
                return Err(fault);
            }
            self.b.set_loc(old);
        }
        Ok(())
    }

    /// A variable that a condition declares.
    fn condition_variable(&mut self, decl: Decl<'tu>) -> R<()> {
        let old = self.enter(&decl);
        self.local_variable(decl)?;
        self.b.set_loc(old);
        Ok(())
    }

    /// A statement that may declare something in its head, which ends where a jump leaves it.
    fn as_scope(&mut self, s: St<'tu>, lower: impl FnOnce(&mut Self) -> R<()>) -> R<()> {
        self.jumps.enter_scope(s.id(), self.cleanups.mark());
        lower(self)?;
        self.jumps.leave_scope();
        Ok(())
    }

    fn if_stmt(&mut self, s: &'tu If<'tu>) -> R<()> {
        let keep = self.cleanups.mark();
        if let Some(init) = s.init {
            self.try_stmt(init)?;
        }
        if let Some(decl) = s.variable {
            self.condition_variable(decl)?;
        }
        let (condition, then, other) = match s.branches {
            Branches::Both { condition, then, other } => (condition, then, other),
            Branches::Decided(chosen) => {
                if let Some(chosen) = chosen {
                    self.stmt(chosen);
                }
                self.pop_cleanups(keep);
                return Ok(());
            }
        };
        let (yes, end) = (self.b.make_block(), self.b.make_block());
        let no = if other.is_some() { self.b.make_block() } else { end };
        self.branch_on_condition(condition, yes, no)?;
        self.reach.branch();
        self.b.switch_to(yes);
        self.stmt(then);
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
        self.reach.join();
        self.b.switch_to(end);
        self.pop_cleanups(keep);
        Ok(())
    }

    fn while_stmt(&mut self, variable: Option<Decl<'tu>>, condition: Ex<'tu>, body: St<'tu>) -> R<()> {
        let (head, run, next, end) =
            (self.b.make_block(), self.b.make_block(), self.b.make_block(), self.b.make_block());
        self.b.jump(head, &[]);
        self.b.switch_to(head);
        let keep = self.cleanups.mark();
        if let Some(decl) = variable {
            self.condition_variable(decl)?;
        }
        // The variable of the condition dies on each way out of an iteration.
        let exit = if self.cleanups.any_above(keep) { self.b.make_block() } else { end };
        self.branch_on_condition(condition, run, exit)?;
        if exit != end {
            self.b.switch_to(exit);
            self.emit_cleanups(keep, true);
            self.b.jump(end, &[]);
        }
        self.reach.branch();
        self.b.switch_to(run);
        self.jumps.enter_loop(end, next, keep);
        self.stmt(body);
        self.jumps.leave_loop();
        if !self.b.is_unreachable() {
            self.emit_cleanups(keep, true);
            self.b.jump(next, &[]);
        }
        self.cleanups.forget(keep);
        self.b.switch_to(next);
        self.b.jump(head, &[]);
        self.reach.join();
        self.b.switch_to(end);
        Ok(())
    }

    fn do_stmt(&mut self, body: St<'tu>, condition: Ex<'tu>) -> R<()> {
        let (run, next, end) = (self.b.make_block(), self.b.make_block(), self.b.make_block());
        self.b.jump(run, &[]);
        self.b.switch_to(run);
        self.jumps.enter_loop(end, next, self.cleanups.mark());
        self.reach.branch();
        self.stmt(body);
        self.reach.join();
        self.jumps.leave_loop();
        if !self.b.is_unreachable() {
            self.b.jump(next, &[]);
        }
        self.b.switch_to(next);
        self.branch_on_condition(condition, run, end)?;
        self.b.switch_to(end);
        Ok(())
    }

    fn for_stmt(&mut self, s: St<'tu>, parts: &'tu For<'tu>) -> R<()> {
        let keep = self.cleanups.mark();
        let &For { init, variable, condition, step, body } = parts;
        self.jumps.enter_scope(s.id(), keep);
        if let Some(init) = init {
            self.try_stmt(init)?;
        }
        let (head, run, next, end) =
            (self.b.make_block(), self.b.make_block(), self.b.make_block(), self.b.make_block());
        self.b.jump(head, &[]);
        self.b.switch_to(head);
        let inner = self.cleanups.mark();
        if let Some(decl) = variable {
            self.condition_variable(decl)?;
        }
        // The variable of the condition dies on each way out of an iteration.
        let exit = if self.cleanups.any_above(inner) { self.b.make_block() } else { end };
        match condition {
            Some(condition) => self.branch_on_condition(condition, run, exit)?,
            None => self.b.jump(run, &[]),
        }
        if exit != end {
            self.b.switch_to(exit);
            self.emit_cleanups(inner, true);
            self.b.jump(end, &[]);
        }
        self.reach.branch();
        self.b.switch_to(run);
        self.jumps.enter_loop(exit, next, self.cleanups.mark());
        self.stmt(body);
        self.jumps.leave_loop();
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
        self.cleanups.forget(inner);
        self.reach.join();
        self.b.switch_to(end);
        self.jumps.leave_scope();
        self.pop_cleanups(keep);
        Ok(())
    }

    fn switch_stmt(&mut self, s: &'tu Switch<'tu>) -> R<()> {
        let keep = self.cleanups.mark();
        self.hidden_init(s.init)?;
        for &part in s.before {
            let old = self.enter(part);
            self.try_stmt(part)?;
            self.b.set_loc(old);
        }
        let (condition, body) = (s.condition, s.body);
        let inner = self.cleanups.mark();
        let value = self.rv(condition)?;
        self.pop_cleanups(inner);
        let ty = self.b.ty(value);
        let mut found = Vec::new();
        find_cases(body, &mut Vec::new(), &mut found);
        let end = self.b.make_block();
        let mut default = end;
        let mut cases: Vec<(u128, Block)> = Vec::new();
        let mut ranges = Vec::new();
        for (case, path) in found {
            let block = self.b.make_block();
            self.jumps.add_case(case.id(), block, path);
            let constant = |e: Ex<'tu>| match e.value() {
                Some(Evaluated::Int(v)) => Some(v),
                _ => None,
            };
            let (low, high) = match case.kind {
                StmtKind::Case { low: Some(low), high, .. } => (low, high),
                _ => {
                    default = block;
                    continue;
                }
            };
            let (Some(low), Some(high)) = (constant(low), high.map_or_else(|| constant(low), constant))
            else {
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
        self.reach.branch();
        self.jumps.enter_switch(end, self.cleanups.mark());
        self.stmt(body);
        self.jumps.leave_loop();
        self.reach.join();
        if !self.b.is_unreachable() {
            self.b.jump(end, &[]);
        }
        self.b.switch_to(end);
        self.pop_cleanups(keep);
        Ok(())
    }

    fn case_stmt(&mut self, s: St<'tu>, body: Option<St<'tu>>) -> R<()> {
        let Some(block) = self.jumps.case_stands(s.id()) else {
            return self.internal("a case outside a switch", s);
        };
        self.fall_into(block);
        match body {
            Some(inner) => self.try_stmt(inner),
            None => Ok(()),
        }
    }

    /// Goes on in a block that others jump to. No statement says so, and the jump has no place.
    fn fall_into(&mut self, block: Block) {
        if !self.b.is_unreachable() {
            let loc = self.b.set_loc(None);
            self.b.jump(block, &[]);
            self.b.set_loc(loc);
        }
        self.b.switch_to(block);
    }

    fn label_stmt(&mut self, label: LabelId, body: Option<St<'tu>>) -> R<()> {
        self.start_label(label);
        self.jumps.label_stands(&mut self.b, label, self.cleanups.mark());
        // Whatever follows may be reached again.
        match body {
            Some(inner) => self.try_stmt(inner),
            None => Ok(()),
        }
    }

    /// Goes on in the block of a label.
    pub fn start_label(&mut self, label: LabelId) {
        let block = self.jumps.label(&mut self.b, label);
        self.fall_into(block);
    }

    fn goto_stmt(&mut self, label: Option<LabelId>, s: St<'tu>) -> R<()> {
        let Some(id) = label else {
            return self.internal("a goto without a label", s);
        };
        let (block, leaving) = self.jumps.goto_target(&mut self.b, id);
        if let Some(keep) = leaving.filter(|&keep| self.cleanups.reaches(keep)) {
            self.emit_cleanups(keep, true);
        }
        self.b.jump(block, &[]);
        self.reach.escape();
        Ok(())
    }

    /// `goto *p`: a switch over the labels whose addresses are taken, numbered in order.
    fn indirect_goto(&mut self, target: Option<Ex<'tu>>, s: St<'tu>) -> R<()> {
        let Some(target) = target else {
            return self.internal("a computed goto without a target", s);
        };
        let pointer = self.rv(target)?;
        let number = self.b.cast(cudair_ir::CastOp::Ptrtoint, Type::I64, pointer);
        let labels = self.jumps.label_blocks();
        let invalid = self.b.make_block();
        let cases: Vec<_> = labels.iter().map(|&b| (u128::from(b.as_u32()), b)).collect();
        self.b.switch(number, invalid, &cases);
        self.b.switch_to(invalid);
        self.b.trap(cudair_ir::TrapCode::Unreachable);
        Ok(())
    }

    pub fn jump_stmt(&mut self, s: St<'tu>) -> R<()> {
        let found = match s.kind {
            StmtKind::Break => self.jumps.break_target(),
            _ => self.jumps.continue_target(),
        };
        let Some((target, keep)) = found else {
            return self.internal("a jump outside a loop", s);
        };
        self.emit_cleanups(keep, true);
        self.b.jump(target, &[]);
        Ok(())
    }

    fn return_stmt(&mut self, value: Option<Ex<'tu>>, s: St<'tu>) -> R<()> {
        let keep = self.cleanups.mark();
        let result = self.return_value(value, s);
        // What was made for the result is no more in what follows.
        self.cleanups.forget(keep);
        result
    }

    fn return_value(&mut self, value: Option<Ex<'tu>>, s: St<'tu>) -> R<()> {
        let ret = self.frame.ret();
        self.reach.escape();
        let Some(e) = value else {
            self.emit_cleanups(Mark::FUNCTION, false);
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
        match self.cx.ast.types.kind(ret.ty) {
            Kind::Void => {
                self.discard(e)?;
                self.emit_cleanups(Mark::FUNCTION, false);
                self.leave()?;
            }
            Kind::Reference(_) => {
                let place = self.referred_place(e)?;
                let pointer = self.pointer_for(place.ptr, ret.ty)?;
                self.return_after_cleanups(pointer);
            }
            _ if self.cx.ast.types.is_aggregate(ret.ty) => {
                let Some(sret) = self.frame.sret() else {
                    return self.internal("an aggregate result without a place", s);
                };
                if self.frame.result().is_none() || self.frame.result() != super::elision::returned(e) {
                    let align = self.cx.ast.types.align(ret.ty);
                    self.init_object(sret, align, ret, e)?;
                }
                self.emit_cleanups(Mark::FUNCTION, false);
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
        self.emit_cleanups(Mark::FUNCTION, false);
        if !self.b.is_unreachable() {
            self.b.ret(Some(value));
        }
    }

    /// Leaves a function without a result; a destructor goes on with the members.
    pub fn leave(&mut self) -> R<()> {
        if self.b.is_unreachable() {
            return Ok(());
        }
        if self.frame.decl().kind() == DeclKind::Destructor && !self.frame.members_unwind() {
            self.destroy_members()?;
        }
        self.b.ret(None);
        Ok(())
    }

    /// A pointer as the IR type that a pointer or reference of type `ty` has.
    pub fn pointer_for(&mut self, pointer: Value, ty: Ty) -> R<Value> {
        let ir = self.pointer_type(ty)?;
        Ok(self.as_pointer(pointer, ir))
    }
}

/// The cases of a switch body, those of nested switches excluded, and the scopes around each.
fn find_cases<'tu>(at: St<'tu>, path: &mut Vec<NodeId>, found: &mut Vec<(St<'tu>, Vec<NodeId>)>) {
    let scope = matches!(at.kind, StmtKind::Compound(_) | StmtKind::For(_));
    if scope {
        path.push(at.id());
    }
    if matches!(at.kind, StmtKind::Case { .. } | StmtKind::Default(_)) {
        found.push((at, path.clone()));
    }
    if !matches!(at.kind, StmtKind::Expr(_)) {
        for part in at.parts() {
            if !matches!(part.kind, StmtKind::Switch(_)) {
                find_cases(part, path, found);
            }
        }
    }
    if scope {
        path.pop();
    }
}
