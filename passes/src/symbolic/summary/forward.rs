//! What a thread reads back that it has written itself: store-to-load forwarding.
//!
//! From a load it is gone back, over instructions that come before it on every way, to a store of the same bytes. What lies
//! between writes nothing there, and orders no threads: no barrier, no fence, no atomic operation and no call. So another
//! thread that writes there meanwhile races with the store or the load. That none does is a premise, unless the checks of
//! races prove it: the first read that gives something else would come behind a race. Local variables are the thread's own.

use super::*;

/// Instructions that are gone back over, at most.
const MAX_BACK: usize = 400;

/// What an instruction on the way back is to the load.
enum Before {
    /// It writes nothing that is loaded.
    Apart,
    /// It writes what is loaded: this value.
    Same(Value),
    /// Nobody knows.
    Unclear,
}

/// The bytes that a load gives.
struct Wanted {
    base: Base,
    offset: Term,
    ty: Type,
    source: Source,
}

/// Instructions that touch no memory, order no threads and give the same at any time.
pub fn computes(data: &InstData) -> bool {
    use InstData::*;
    matches!(
        data,
        Const { .. }
            | GlobalAddr { .. }
            | SlotAddr { .. }
            | Unary { .. }
            | Binary { .. }
            | Ternary { .. }
            | Cast { .. }
            | Icmp { .. }
            | Fcmp { .. }
            | PtrAdd { .. }
            | PtrDiff { .. }
            | Bounds { .. }
            | Jump { .. }
            | Branch { .. }
            | Switch { .. }
    )
}

impl Follower<'_, '_> {
    /// The number that a load gives because the thread itself has stored it.
    pub(super) fn read_back(&mut self, load: Inst, node: Block) -> Option<Term> {
        let (cx, all) = (self.s.cx, self.memory?);
        let InstData::Load { ty, flags, ptr, .. } = cx.func.insts[load] else { return None };
        let source = all.funcs.get(&cx.id)?.source(&cx, ptr);
        let [case] = self.ptr(ptr, node)[..] else { return None };
        let own = matches!(case.base, Base::Local(_));
        let visible = matches!(case.base, Base::Global(_) | Base::DynamicShared | Base::Param(_));
        // Nothing is taken for granted where the machine relies on it.
        if ty.is_ptr() || !own && (flags.volatile || !visible || !self.distinct) {
            return None;
        }
        let wanted = Wanted { base: case.base, offset: case.offset, ty, source };
        let control = cx.control;
        let mut left = MAX_BACK;
        let mut at = node;
        let mut end = cx.func.block_insts(control.block(node)).iter().position(|&i| i == load)?;
        loop {
            for &inst in cx.func.block_insts(control.block(at))[..end].iter().rev() {
                left = left.checked_sub(1)?;
                match self.before(inst, node, &wanted) {
                    Before::Apart => {}
                    Before::Unclear => return None,
                    Before::Same(value) => {
                        let Val::Int(t) = self.value(value, node) else { return None };
                        self.s.reads_back |= !own;
                        return Some(t);
                    }
                }
            }
            // The only block before, in the same iteration of the same loops.
            let &[(from, _)] = control.incoming(at) else { return None };
            if control.is_back_edge(from, at) || !control.cycles_of(from).eq(control.cycles_of(at)) {
                return None;
            }
            at = from;
            end = cx.func.block_insts(control.block(at)).len();
        }
    }

    fn before(&mut self, inst: Inst, node: Block, wanted: &Wanted) -> Before {
        use InstData::*;
        let cx = self.s.cx;
        match cx.func.insts[inst] {
            Store { flags, value, ptr, .. } => self.store_before(flags, value, ptr, node, wanted),
            Call { func, .. } if is_pure_native(&cx.module.funcs[func]) => Before::Apart,
            Load { flags, ptr, .. } if flags.volatile => {
                // It may wait for another thread.
                match self.ptr(ptr, node)[..] {
                    [case] if matches!(case.base, Base::Local(_)) => Before::Apart,
                    _ => Before::Unclear,
                }
            }
            FuncAddr { .. } | Count { .. } | Load { .. } => Before::Apart,
            ref data if computes(data) => Before::Apart,
            Lifetime { slot, .. } if wanted.base != Base::Local(slot) => Before::Apart,
            Special { reg } if !reg.is_counter() => Before::Apart,
            _ => Before::Unclear,
        }
    }

    /// How far one offset is behind another one, where that is a constant.
    fn distance(&self, a: Term, b: Term) -> Option<i128> {
        let split = |t: Term| match *self.s.terms.node(t) {
            Node::Const(bits) => (None, bits as u64),
            Node::Binary(BinaryOp::Iadd, x, y) => match self.s.terms.bits(y) {
                Some(bits) => (Some(x), bits as u64),
                None => (Some(t), 0),
            },
            _ => (Some(t), 0),
        };
        let ((x, m), (y, n)) = (split(a), split(b));
        (x == y).then(|| i128::from(m.wrapping_sub(n) as i64))
    }

    fn store_before(
        &mut self,
        flags: MemFlags,
        value: Value,
        ptr: Value,
        node: Block,
        wanted: &Wanted,
    ) -> Before {
        let cx = self.s.cx;
        let [case] = self.ptr(ptr, node)[..] else { return Before::Unclear };
        let own = matches!(case.base, Base::Local(_));
        if flags.volatile && !own {
            return Before::Unclear;
        }
        if case.base == wanted.base {
            let ty = cx.func.value_type(value);
            let sizes = [ty, wanted.ty].map(|t| u128::from(t.access_bytes()));
            return match self.distance(case.offset, wanted.offset) {
                Some(0) if ty == wanted.ty => Before::Same(value),
                Some(d) if d >= sizes[1] as i128 || -d >= sizes[0] as i128 => Before::Apart,
                _ => Before::Unclear,
            };
        }
        let known =
            |b: Base| matches!(b, Base::Local(_) | Base::Global(_) | Base::DynamicShared | Base::Param(_));
        let Some(all) = self.memory else { return Before::Unclear };
        let Some(source) = all.funcs.get(&cx.id).map(|m| m.source(&cx, ptr)) else { return Before::Unclear };
        let apart = match (source, wanted.source) {
            // Two variables.
            (Source::Private, Source::Private) => known(case.base) && known(wanted.base),
            (Source::Private, Source::Place(_)) => known(case.base),
            (Source::Place(_), Source::Private) => known(wanted.base),
            (Source::Place(a), Source::Place(b)) => {
                let apart = !all.may_overlap(a, b, self.distinct);
                self.s.reads_past_parameters |= apart && all.may_overlap(a, b, false);
                apart
            }
            _ => false,
        };
        if apart { Before::Apart } else { Before::Unclear }
    }
}
