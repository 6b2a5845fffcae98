//! What instructions touch.

use super::*;
use crate::analysis::memory::{is_of_barrier, takes_pointers};
use crate::analysis::witness::{Failure, failure};
use crate::transform::indirect::NO_FUNCTION;

impl Follower<'_, '_> {
    /// Writes down what an instruction touches.
    pub(super) fn touches(&mut self, memory: &RootMemory, node: Block, at: usize, inst: Inst) {
        use InstData::*;
        let cx = self.s.cx;
        let func = cx.func;
        let bytes = |ty: Type| u64::from(ty.access_bytes());
        match func.insts[inst] {
            Load { ty, flags, ptr, .. } => {
                self.access(memory, node, at, inst, Touch::Read, flags.volatile, ptr, bytes(ty), None);
            }
            Store { flags, value, ptr, .. } => {
                let size = bytes(func.value_type(value));
                let what = match self.value(value, node) {
                    Val::Int(t) => Some(t),
                    Val::Ptr(cases) => self.pointer_as_number(&cases),
                };
                self.access(memory, node, at, inst, Touch::Write, flags.volatile, ptr, size, what);
            }
            MemCopy { dst, src, len, .. } => {
                let len = self.int(len, node);
                self.access_of(memory, node, at, inst, Touch::Read, false, src, len, None);
                self.access_of(memory, node, at, inst, Touch::Write, false, dst, len, None);
            }
            MemFill { dst, len, .. } => {
                let len = self.int(len, node);
                self.access_of(memory, node, at, inst, Touch::Write, false, dst, len, None);
            }
            AtomicLoad { ty, ptr, scope, .. } => {
                let touch = Touch::Atomic { writes: false, wide: scope != Scope::Block };
                self.access(memory, node, at, inst, touch, false, ptr, bytes(ty), None);
            }
            AtomicStore { value, ptr, scope, .. }
            | AtomicRmw { value, ptr, scope, .. }
            | AtomicCas { new: value, ptr, scope, .. } => {
                let touch = Touch::Atomic { writes: true, wide: scope != Scope::Block };
                self.access(memory, node, at, inst, touch, false, ptr, bytes(func.value_type(value)), None);
            }
            Call { func: callee, ref args, .. }
                if let Some(texels) = cx.module.funcs[callee].attrs.texels =>
            {
                let args = args.as_slice(&func.pool).to_vec();
                self.texels(texels, callee, &args, node, at, inst);
            }
            // It touches nothing that the program can name. Whom it orders is asked of all of them together.
            Call { func: callee, .. } if cx.module.funcs[callee].attrs.barrier.is_some() => {}
            // It touches nothing, and waits for nobody.
            Call { func: callee, .. } if of_other_block(&cx.module.funcs[callee]) => {
                self.s.gap(inst, OTHER_BLOCK);
            }
            Call { func: callee, .. } => {
                let f = &cx.module.funcs[callee];
                self.fails(node, inst, f);
                // What a native function does to memory or for the order of threads is not known.
                let elsewhere = memory.elsewhere.contains(&callee);
                self.s.calls_elsewhere |= elsewhere;
                let harmless = is_read_only_native(f)
                    || is_pure_native(f)
                    || f.name == NO_FUNCTION
                    || elsewhere && !takes_pointers(f);
                if !(f.is_declaration() && harmless) {
                    self.s.gap(inst, format!("a call of `{}`", f.display_name));
                }
            }
            Binary { op, args, .. } => self.operation(node, inst, op, args),
            Bounds { index, len } => self.row(node, inst, index, len),
            Launch { .. } | LaunchIndirect { .. } => self.s.gap(inst, "a launch by the kernel"),
            CallIndirect { .. } | InvokeIndirect { .. } | Invoke { .. } => {
                self.s.gap(inst, "a call through a pointer");
            }
            VaArg { .. } | Va { .. } => self.s.gap(inst, "an access to variable arguments"),
            _ => {}
        }
    }

    /// A pointer as a number that equal pointers share: an unknown function of its object and its offset.
    fn pointer_as_number(&mut self, cases: &[PtrCase]) -> Option<Term> {
        let [case] = cases else { return None };
        let object = match case.base {
            Base::Null => 0,
            Base::DynamicShared => 1,
            Base::Global(g) => 1 << 32 | u128::from(g.as_u32()),
            Base::Param(n) => 2 << 32 | u128::from(n),
            Base::Surface(_)
            | Base::Member(..)
            | Base::Local(_)
            | Base::Private
            | Base::Address
            | Base::Code(_)
            | Base::Other(_)
            | Base::Phi(_) => return None,
        };
        let object = self.s.terms.constant(object, 64);
        let args = Args::from_slice(&[object, case.offset]);
        Some(self.s.terms.app(Func::Op("pointer"), Uniformity::Grid, args, 64))
    }

    /// Writes down a call that a false assertion or assumption makes.
    fn fails(&mut self, block: Block, inst: Inst, callee: &Function) {
        let fault = match failure(callee) {
            Some(Failure::Assertion) => Fault::Assertion,
            Some(Failure::Assumption) => Fault::Assumption,
            Some(Failure::Call) => Fault::Call,
            None => return,
        };
        let guard = self.s.guards[block as usize];
        self.deed(fault, block, inst, guard);
    }

    /// Writes down a division or a shift, unless constants say that it is fine.
    fn operation(&mut self, block: Block, inst: Inst, op: BinaryOp, args: [Value; 2]) {
        use BinaryOp::*;
        let func = self.s.cx.func;
        let ty = func.value_type(args[0]);
        let (bits, mask) = (ty.bits(), ty.bit_mask());
        let signed = matches!(op, Sdiv | Srem);
        let known = constant(func, args[1]);
        let fine = match op {
            Sdiv | Srem => known.is_some_and(|n| n != 0 && n != mask),
            Udiv | Urem => known.is_some_and(|n| n != 0),
            Shl | Lshr | Ashr => known.is_some_and(|n| n < bits.into()),
            _ => return,
        };
        if fine {
            return;
        }
        let [a, b] = args.map(|v| self.int(v, block));
        let guard = self.s.guards[block as usize];
        let terms = &mut self.s.terms;
        if matches!(op, Shl | Lshr | Ashr) {
            let width = terms.constant(bits.into(), bits);
            let beyond = terms.compare(IntCC::Uge, b, width);
            let wrong = terms.and(guard, beyond);
            self.deed(Fault::Shift, block, inst, wrong);
            return;
        }
        let zero = terms.constant(0, bits);
        let by_zero = terms.compare(IntCC::Eq, b, zero);
        let by_zero = terms.and(guard, by_zero);
        let (least, minus) = (terms.constant(1 << (bits - 1), bits), terms.constant(mask, bits));
        let (least, minus) = (terms.compare(IntCC::Eq, a, least), terms.compare(IntCC::Eq, b, minus));
        let both = terms.and(least, minus);
        let overflows = terms.and(guard, both);
        let never = terms.bits(overflows) == Some(0);
        self.deed(Fault::DivZero, block, inst, by_zero);
        if signed && !never {
            self.deed(Fault::DivOverflow, block, inst, overflows);
        }
    }

    /// Writes down an index into a row or a member, unless it is a constant within.
    fn row(&mut self, block: Block, inst: Inst, index: Value, len: u64) {
        let func = self.s.cx.func;
        if constant(func, index).is_some_and(|n| n < len.into()) {
            return;
        }
        let index = self.int(index, block);
        let guard = self.s.guards[block as usize];
        let wide = self.s.terms.zext(index, 64);
        let most = self.s.terms.constant(len.into(), 64);
        let beyond = self.s.terms.compare(IntCC::Uge, wide, most);
        let guard = self.s.terms.and(guard, beyond);
        let (base, offset, bytes) = (Base::Null, wide, most);
        self.s.suspects.push(Suspect {
            fault: Fault::Row,
            inst,
            writes: false,
            block,
            guard,
            base,
            offset,
            bytes,
        });
    }

    /// Whether constants alone say that an access to a local variable is inside of it, and aligned.
    fn is_evident(&self, inst: Inst, slot: Slot, offset: Term, bytes: Term) -> bool {
        let (Some(at), Some(bytes)) = (self.s.terms.bits(offset), self.s.terms.bits(bytes)) else {
            return false;
        };
        let func = self.s.cx.func;
        let align = u128::from(func.stated_alignment(inst));
        at.checked_add(bytes).is_some_and(|end| end <= func.slots[slot].size.into())
            && at.is_multiple_of(align)
    }

    /// Writes down what is wrong, and is no access, where a condition holds.
    pub(super) fn deed(&mut self, fault: Fault, block: Block, inst: Inst, guard: Term) {
        let zero = self.s.terms.constant(0, 64);
        self.s.suspects.push(Suspect {
            fault,
            inst,
            writes: false,
            block,
            guard,
            base: Base::Null,
            offset: zero,
            bytes: zero,
        });
    }

    /// Writes down what may be wrong about an access.
    fn suspects(&mut self, inst: Inst, block: Block, touch: Touch, ptr: Value, bytes: Term) {
        let cx = self.s.cx;
        for case in self.ptr(ptr, block) {
            let read_only =
                matches!(case.base, Base::Global(g) if cx.module.globals[g].space == Space::Const);
            let fault = match case.base {
                Base::Null => Fault::Null,
                Base::Global(_) if read_only && touch.writes() => Fault::ReadOnly,
                Base::Global(_)
                | Base::DynamicShared
                | Base::Surface(_)
                | Base::Param(_)
                | Base::Member(..)
                | Base::Address
                | Base::Phi(_)
                | Base::Private
                | Base::Other(_) => Fault::Bounds,
                Base::Local(slot) if self.is_evident(inst, slot, case.offset, bytes) => continue,
                Base::Local(_) => Fault::Bounds,
                Base::Code(_) => continue,
            };
            let guard = self.s.terms.and(self.s.guards[block as usize], case.cond);
            if self.s.terms.bits(guard) != Some(0) {
                let (base, offset, writes) = (case.base, case.offset, touch.writes());
                self.s.suspects.push(Suspect { fault, inst, writes, block, guard, base, offset, bytes });
            }
        }
    }

    #[allow(clippy::too_many_arguments)]
    fn access(
        &mut self,
        memory: &RootMemory,
        node: Block,
        at: usize,
        inst: Inst,
        touch: Touch,
        volatile: bool,
        ptr: Value,
        bytes: u64,
        value: Option<Term>,
    ) {
        let bytes = self.s.terms.constant(bytes.into(), 64);
        self.access_of(memory, node, at, inst, touch, volatile, ptr, bytes, value);
    }

    #[allow(clippy::too_many_arguments)]
    fn access_of(
        &mut self,
        memory: &RootMemory,
        block: Block,
        at: usize,
        inst: Inst,
        touch: Touch,
        volatile: bool,
        ptr: Value,
        bytes: Term,
        value: Option<Term>,
    ) {
        let cx = self.s.cx;
        self.suspects(inst, block, touch, ptr, bytes);
        let space = cx.func.value_type(ptr).space();
        if matches!(space, Some(Space::Const | Space::Local | Space::Code)) {
            return;
        }
        let source = memory.funcs.get(&cx.id).map(|m| m.source(&cx, ptr));
        let place = match source {
            Some(Source::Place(place)) => place,
            Some(Source::Constant | Source::Private) => return,
            None => Place::Any,
        };
        for case in self.ptr(ptr, block) {
            let constant = match case.base {
                Base::Global(g) => {
                    let global = &cx.module.globals[g];
                    global.space == Space::Const || is_of_barrier(global)
                }
                Base::Param(n) => {
                    cx.func.sig.params.get(n as usize).is_some_and(|p| p.attr != ParamAttr::None)
                }
                _ => false,
            };
            if constant || !case.base.is_visible() {
                continue;
            }
            let guard = self.s.terms.and(self.s.guards[block as usize], case.cond);
            if self.s.terms.bits(guard) == Some(0) {
                continue;
            }
            let (base, offset) = (case.base, case.offset);
            let access =
                Access { inst, block, at, touch, volatile, base, place, offset, bytes, guard, value };
            self.s.accesses.push(access);
        }
    }
}

/// Memory that a pointer reaches which is made of one to the block's own.
pub const OTHER_BLOCK: &str = "shared memory of another block of the cluster";

/// Whether a native function makes a pointer into the shared memory of another block of the cluster, or asks of one.
fn of_other_block(func: &Function) -> bool {
    func.is_declaration() && func.name.starts_with("__cudair_cluster_")
}

/// The bits of a value that is a constant.
fn constant(func: &Function, v: Value) -> Option<u128> {
    match func.insts[func.def_inst(v)?] {
        InstData::Const { bits, .. } => Some(bits),
        _ => None,
    }
}
