//! What leaving a scope does: destructors run, lifetimes end, on the way out and when an exception passes.
//!
//! A function being lowered keeps a stack of [`Cleanup`]s. Leaving a scope emits those above its mark, last
//! registered first. For exceptions each entry has, once something that may throw is called below it, a block that
//! does what the entry asks for and goes on with the next one further out: the *chain*. A call that may throw unwinds
//! to a *landing*, a block that keeps the exception in a slot and enters the chain at the innermost entry. At the end
//! of the chain the exception goes on to the caller.
//!
//! An object made in an arm of `?:`, `&&` or `||` may not exist when the full expression ends: a flag tells, which is
//! cleared in front of the outermost such operator.

use super::bases::MadeBase;
use super::func::FnLower;
use super::func::cleanups::{Action, Cleanup, CleanupPlace, Entry, Lifted, Mark};
use super::{At, R};
use crate::ast::{BinaryOp, Cast, CastKind, Ex, ExprKind, NodeId};
use crate::types::{Kind, Ty, own_elements};
use cudair_ir::{BinaryOp as IrOp, Block, FuncId, IntCC, LifetimeOp, MemFlags, SigId, Slot, Type, Value};

impl<'tu> FnLower<'_, 'tu, '_> {
    /// Registers something for the end of the scope.
    pub fn push_cleanup(&mut self, action: Action) {
        self.cleanups.push(&mut self.b, action);
    }

    /// Registers something that is done only when an exception passes.
    pub fn push_unwinding(&mut self, action: Action) {
        self.cleanups.push_unwinding(&self.b, action);
    }

    /// An operator with arms begins, whose condition comes first.
    pub fn before_arms(&mut self) {
        self.cleanups.before_arms(&mut self.b);
    }

    /// What follows, up to [`Self::end_arms`], is evaluated in some cases only.
    pub fn begin_arms(&mut self) {
        self.cleanups.begin_arms();
        self.reach.branch();
    }

    /// Ends what [`Self::begin_arms`] began.
    pub fn end_arms(&mut self) {
        self.reach.join();
        self.cleanups.end_arms();
    }

    /// Registers the destructor of an object that was just made, if it has one.
    pub fn register_destructor(&mut self, ty: Ty, at: CleanupPlace, e: At<'_>) -> R<()> {
        if let Some(action) = self.destruction(ty, at, e)? {
            self.push_cleanup(action);
        }
        Ok(())
    }

    /// Registers the destructor of a temporary for the end of the full expression, or with the reference that is
    /// bound to it.
    pub fn register_temporary(&mut self, ty: Ty, slot: Slot, e: Ex<'tu>) -> R<()> {
        let before = self.cleanups.mark();
        self.register_destructor(ty, CleanupPlace::Slot(slot), e)?;
        if self.temporaries.lives_on(e) {
            self.cleanups.extend_last(before);
        }
        Ok(())
    }

    /// Registers the destructor of the variable that is the result, which runs only if something throws.
    pub fn register_result(&mut self, ty: Ty, at: Value, e: At<'_>) -> R<()> {
        if !self.frame.device()
            && let Some(action) = self.destruction(ty, CleanupPlace::Address(at), e)?
        {
            self.push_unwinding(action);
        }
        Ok(())
    }

    /// Registers a base, member or element that was made, which is destroyed should what follows of the object throw.
    /// [`super::func::cleanups::Cleanups::drop_parts`] forgets it.
    pub fn register_part(&mut self, ty: Ty, at: Value, e: At<'_>) -> R<()> {
        if self.frame.device() || !self.cx.needs_destruction(ty) {
            return Ok(());
        }
        let at = self.generic(at);
        if let Some(action) = self.destruction(ty, CleanupPlace::Address(at), e)? {
            self.cleanups.push_part(&self.b, action);
        }
        Ok(())
    }

    /// As [`Self::register_part`], for a base.
    pub fn register_base(&mut self, at: Value, base: &MadeBase, e: At<'_>) -> R<()> {
        let Some(vtt) = base.vtt else { return self.register_part(base.ty, at, e) };
        if self.frame.device() || !self.cx.needs_destruction(base.ty) {
            return Ok(());
        }
        let object = self.generic(at);
        if let Some(dtor) = self.cx.destructor_of(base.record, self.frame.device(), true, e)? {
            self.cleanups.push_part(&self.b, Action::DestroyBase { object, dtor, vtt });
        }
        Ok(())
    }

    /// Registers what follows the body of the destructor being lowered, which an exception does not skip.
    pub fn register_members(&mut self) -> R<()> {
        let decl = self.frame.decl();
        let Some(id) = self.frame.class().and_then(|c| self.cx.ast.types.as_record(c)) else {
            return self.internal("a destructor outside a class", &decl);
        };
        if self.cx.ast.types.record(id).is_union {
            return Ok(());
        }
        let object = self.this_place(&decl)?.ptr;
        for base in self.made_bases(id, self.frame.vtt(), &decl)? {
            let at = self.b.ptr_offset(object, base.offset);
            match base.vtt {
                None => self.register_destructor(base.ty, CleanupPlace::Address(at), &decl)?,
                Some(vtt) => {
                    if self.cx.needs_destruction(base.ty)
                        && let Some(dtor) =
                            self.cx.destructor_of(base.record, self.frame.device(), true, &decl)?
                    {
                        self.push_cleanup(Action::DestroyBase { object: at, dtor, vtt });
                    }
                }
            }
        }
        for f in self.cx.ast.types.fields(id).iter().filter(|f| f.width.is_none()) {
            let at = self.b.ptr_offset(object, (f.offset_bits / 8) as i64);
            self.register_destructor(f.ty.ty, CleanupPlace::Address(at), &decl)?;
        }
        Ok(())
    }

    /// The destructors that an object of a type asks for.
    fn destruction(&mut self, ty: Ty, at: CleanupPlace, e: At<'_>) -> R<Option<Action>> {
        if !self.cx.needs_destruction(ty) {
            return Ok(None);
        }
        let (mut elem, mut count) = (ty, 1);
        while let Kind::Array { elem: inner, len } = *self.cx.ast.types.kind(elem) {
            count *= own_elements(len);
            elem = inner.ty;
        }
        let Some(dtor) = self.destructor(elem, e)? else {
            return self.internal(format!("the destructor of {}", self.cx.ast.types.name(elem)), e);
        };
        let size = self.object_size(elem, e)?;
        Ok(Some(Action::Destroy { at, dtor, count, size }))
    }

    /// Emits the cleanups registered above `keep`, without forgetting them.
    pub fn emit_cleanups(&mut self, keep: Mark, lifetimes: bool) {
        self.emit_some(keep, lifetimes, true);
    }

    fn emit_some(&mut self, keep: Mark, lifetimes: bool, all: bool) {
        let mut lifted = Lifted::default();
        for entry in self.cleanups.leaving(keep, all) {
            if self.b.is_unreachable() {
                break;
            }
            let cleanup = self.cleanups.get(entry);
            if let Action::Dead(slot) = cleanup.action {
                if lifetimes {
                    self.b.lifetime(LifetimeOp::Dead, slot);
                }
                continue;
            }
            self.cleanups.lift(entry, &mut lifted);
            self.emit_action(&cleanup);
        }
        self.cleanups.put_back(lifted);
    }

    /// Leaves a scope: emits and forgets the cleanups above `keep`.
    pub fn pop_cleanups(&mut self, keep: Mark) {
        self.emit_cleanups(keep, true);
        self.cleanups.forget(keep);
    }

    /// Ends a full expression: emits and forgets the cleanups above `keep`, but for temporaries that live on.
    pub fn pop_temporaries(&mut self, keep: Mark) {
        self.emit_some(keep, true, false);
        self.cleanups.drop_temporaries(keep);
    }

    fn emit_action(&mut self, cleanup: &Cleanup) {
        let done = cleanup.active.map(|flag| {
            let address = self.b.slot_addr(flag);
            let value = self.b.load(Type::I1, address, MemFlags::aligned(1));
            let (run, done) = (self.b.make_block(), self.b.make_block());
            self.b.branch(value, run, done);
            self.b.switch_to(run);
            done
        });
        match cleanup.action {
            Action::Dead(slot) => self.b.lifetime(LifetimeOp::Dead, slot),
            Action::Destroy { at, dtor, count, size } => {
                let base = match at {
                    CleanupPlace::Slot(slot) => self.b.slot_addr(slot),
                    CleanupPlace::Address(address) => address,
                };
                let base = self.generic(base);
                self.for_each_backwards(base, count, size, |f, p| {
                    f.call_func(dtor, &[p]);
                });
            }
            Action::DestroyMade { base, made, dtor, size } => {
                let base = self.generic(base);
                self.for_each_backwards_dynamic(base, made, size, |f, p| {
                    f.call_func(dtor, &[p]);
                });
            }
            Action::DestroyBase { object, dtor, vtt } => {
                self.call_func(dtor, &[object, vtt]);
            }
            Action::Free { memory, func, size } => self.free(func, memory, size),
            Action::FreePlaced { memory, func, arguments } => {
                let mut args = vec![memory];
                args.extend(self.cleanups.placement(arguments));
                self.b.call(self.cx.module, func, &args);
            }
            Action::EndCatch => self.end_catch(),
            Action::Handlers(_) => {}
        }
        if let Some(done) = done {
            if !self.b.is_unreachable() {
                self.b.jump(done, &[]);
            }
            self.b.switch_to(done);
        }
    }

    // Calls, and what happens when they throw.

    /// A call of a function, which may throw.
    pub fn call_func(&mut self, func: FuncId, args: &[Value]) -> Option<Value> {
        if self.cx.module.funcs[func].attrs.noexcept {
            return self.b.call(self.cx.module, func, args);
        }
        match self.landing() {
            Some(landing) => self.b.invoke(self.cx.module, func, args, landing),
            None => self.b.call(self.cx.module, func, args),
        }
    }

    /// A call through a pointer, which may throw.
    pub fn call_pointer(&mut self, sig: SigId, callee: Value, args: &[Value]) -> Option<Value> {
        match self.landing() {
            Some(landing) => self.b.invoke_indirect(self.cx.module, sig, callee, args, landing),
            None => self.b.call_indirect(self.cx.module, sig, callee, args),
        }
    }

    /// Where an exception goes from here, unless straight to the caller.
    fn landing(&mut self) -> Option<Block> {
        if self.frame.device() || !self.cx.ast.cxx || self.b.is_unreachable() {
            return None;
        }
        if self.cleanups.in_chain() {
            return Some(self.terminate_block());
        }
        let top = self.cleanups.innermost()?;
        if let Some(known) = self.cleanups.landing(top) {
            return Some(known);
        }
        let (current, loc) = (self.b.current_block(), self.b.loc());
        let chain = self.chain(Some(top));
        let landing = self.b.make_block();
        let exception = self.b.func.append_block_param(landing, Type::GENERIC_PTR);
        self.b.switch_to(landing);
        let slot = self.cleanups.exception_slot(&mut self.b);
        let address = self.b.slot_addr(slot);
        self.b.store(exception, address, MemFlags::aligned(8));
        self.choose_handler(top, exception);
        self.b.jump(chain, &[]);
        self.b.set_current(current);
        self.b.set_loc(loc);
        self.cleanups.set_landing(top, landing);
        Some(landing)
    }

    /// The block that does what `entry` and those further out ask for when an exception passes, and passes it on.
    fn chain(&mut self, entry: Option<Entry>) -> Block {
        let Some(entry) = entry else { return self.resume() };
        if let Some(known) = self.cleanups.chain(entry) {
            return known;
        }
        let next = self.chain(self.cleanups.next_outside(entry));
        let block = self.b.make_block();
        self.b.switch_to(block);
        let cleanup = self.cleanups.get(entry);
        self.b.set_loc(cleanup.loc);
        if let Action::Handlers(tried) = cleanup.action {
            self.dispatch(tried, next);
        } else {
            // What a destructor throws meanwhile has nowhere to go.
            let outer = self.cleanups.terminates(true);
            self.emit_action(&cleanup);
            self.cleanups.terminates(outer);
            if !self.b.is_unreachable() {
                self.b.jump(next, &[]);
            }
        }
        self.cleanups.set_chain(entry, block);
        block
    }

    /// The block that passes an exception on to the caller.
    fn resume(&mut self) -> Block {
        if let Some(known) = self.cleanups.resume() {
            return known;
        }
        let block = self.b.make_block();
        self.cleanups.set_resume(block);
        self.b.switch_to(block);
        let slot = self.cleanups.exception_slot(&mut self.b);
        let address = self.b.slot_addr(slot);
        let exception = self.b.load(Type::GENERIC_PTR, address, MemFlags::aligned(8));
        self.b.resume(exception);
        block
    }

    // Full expressions.

    /// Goes to `yes` or `no` by the truth of a full expression, whose temporaries die first.
    pub fn branch_on_condition(&mut self, e: Ex<'tu>, yes: Block, no: Block) -> R<()> {
        let keep = self.cleanups.mark();
        let first = self.b.position().0;
        let placed = self.b.func.layout.len();
        self.branch_on(e, yes, no)?;
        if !self.cleanups.works_above(keep) {
            self.cleanups.forget(keep);
            return Ok(());
        }
        // Each way out of the condition goes by the destructors.
        let blocks: Vec<Block> =
            std::iter::once(first).chain(self.b.func.layout[placed..].iter().copied()).collect();
        for target in [yes, no] {
            let end = self.b.make_block();
            for &block in &blocks {
                self.retarget(block, target, end);
            }
            self.b.switch_to(end);
            self.emit_cleanups(keep, true);
            self.b.jump(target, &[]);
        }
        self.cleanups.forget(keep);
        Ok(())
    }

    /// Leads a block's edges elsewhere.
    fn retarget(&mut self, block: Block, from: Block, to: Block) {
        let Some(&last) = self.b.func.blocks[block].insts.last() else { return };
        self.b.func.insts[last].visit_targets(|target| {
            if target.block == from {
                target.block = to;
            }
        });
    }

    /// The nodes of an initialiser down to the temporary that a reference is bound to, if it is one.
    pub fn bound_temporary(&mut self, e: Ex<'tu>, out: &mut Vec<NodeId>) {
        out.push(e.id());
        match e.kind {
            ExprKind::Paren(inner)
            | ExprKind::Implicit(inner)
            | ExprKind::View(inner)
            | ExprKind::Cast(Cast {
                kind: CastKind::C | CastKind::Functional | CastKind::Static | CastKind::Const,
                operand: inner,
                ..
            })
            | ExprKind::List(&[inner]) => self.bound_temporary(inner, out),
            ExprKind::Member(m) => {
                let through_reference = m.decl.is_some_and(|m| {
                    let q = self.cx.ast.types.of(m.ty());
                    matches!(self.cx.ast.types.kind(q.ty), Kind::Reference(_))
                });
                if let Some(object) = m.object
                    && !through_reference
                    && !self.cx.ast.types.is_pointer(object.q.ty)
                {
                    self.bound_temporary(object, out);
                }
            }
            ExprKind::Subscript { base, .. } => self.bound_temporary(base, out),
            ExprKind::Conditional { yes, no, .. } => {
                self.bound_temporary(yes, out);
                self.bound_temporary(no, out);
            }
            ExprKind::Binary(BinaryOp::Comma, _, last) => self.bound_temporary(last, out),
            _ => {}
        }
    }

    // Runs of objects.

    /// Runs `body` with the address of each of `count` objects of `size` bytes, last first.
    pub fn for_each_backwards(
        &mut self,
        base: Value,
        count: u64,
        size: u64,
        body: impl Fn(&mut Self, Value),
    ) {
        if count == 1 {
            body(self, base);
            return;
        }
        let n = self.b.iconst(Type::I64, i128::from(count));
        self.for_each_backwards_dynamic(base, n, size, body);
    }

    /// As [`Self::for_each_backwards`] with a count known at run time.
    pub fn for_each_backwards_dynamic(
        &mut self,
        base: Value,
        count: Value,
        size: u64,
        body: impl Fn(&mut Self, Value),
    ) {
        let (head, run, done) = (self.b.make_block(), self.b.make_block(), self.b.make_block());
        let i = self.b.func.append_block_param(head, Type::I64);
        self.b.jump(head, &[count]);
        self.b.switch_to(head);
        let zero = self.b.iconst(Type::I64, 0);
        let more = self.b.icmp(IntCC::Ne, i, zero);
        self.b.branch(more, run, done);
        self.b.switch_to(run);
        let one = self.b.iconst(Type::I64, 1);
        let i = self.b.binary(IrOp::Isub, i, one);
        let width = self.b.iconst(Type::I64, i128::from(size));
        let offset = self.b.binary(IrOp::Imul, i, width);
        let p = self.b.ptr_add(base, offset);
        body(self, p);
        self.b.jump(head, &[i]);
        self.b.switch_to(done);
    }

    /// Makes `count` objects of type `ty` and `size` bytes, first to last. Should one throw, those before it are
    /// destroyed.
    pub fn for_each_forwards(
        &mut self,
        base: Value,
        count: Value,
        ty: Ty,
        at: At<'_>,
        body: impl FnOnce(&mut Self, Value) -> R<()>,
    ) -> R<()> {
        self.for_each(base, count, ty, Some(at), body)
    }

    /// Runs `body` for `count` objects of type `ty`, first to last, which are made there if `made` says where.
    pub fn for_each(
        &mut self,
        base: Value,
        count: Value,
        ty: Ty,
        made: Option<At<'_>>,
        body: impl FnOnce(&mut Self, Value) -> R<()>,
    ) -> R<()> {
        let Some(size) = self.cx.ast.types.size(ty) else {
            return self.defect(format!("a row of {}, which has no size", self.cx.ast.types.name(ty)));
        };
        let (head, run, done) = (self.b.make_block(), self.b.make_block(), self.b.make_block());
        let i = self.b.func.append_block_param(head, Type::I64);
        let zero = self.b.iconst(Type::I64, 0);
        self.b.jump(head, &[zero]);
        self.b.switch_to(head);
        let more = self.b.icmp(IntCC::Ne, i, count);
        self.b.branch(more, run, done);
        self.b.switch_to(run);
        let mark = self.cleanups.mark();
        if let Some(at) = made.filter(|_| !self.frame.device())
            && self.cx.needs_destruction(ty)
            && let Some(action) = self.destruction(ty, CleanupPlace::Address(base), at)?
            && let Action::Destroy { dtor, count: per, size, .. } = action
        {
            let base = self.generic(base);
            let mut made = i;
            if per != 1 {
                let per = self.b.iconst(Type::I64, i128::from(per));
                made = self.b.binary(IrOp::Imul, i, per);
            }
            self.push_unwinding(Action::DestroyMade { base, made, dtor, size });
        }
        let width = self.b.iconst(Type::I64, i128::from(size));
        let offset = self.b.binary(IrOp::Imul, i, width);
        let p = self.b.ptr_add(base, offset);
        body(self, p)?;
        self.pop_cleanups(mark);
        let one = self.b.iconst(Type::I64, 1);
        let next = self.b.binary(IrOp::Iadd, i, one);
        self.b.jump(head, &[next]);
        self.b.switch_to(done);
        Ok(())
    }
}
