//! Control flow: terminators, the moves on edges, joins, calls.

use super::{Emitter, Label};
use crate::moves::{Source, Step};
use crate::plan::{Operand, is_math_call};
use crate::vreg::{Class, File, VReg};
use crate::{Refusal, moves};
use cudair_bytecode::{
    CallDesc, Callee, JoinDesc, Landing, LaunchDesc, MathDesc, Op, Reg, S, SwitchDesc, Target, TypedReg,
    VaDesc,
};
use cudair_ir::{Block, BlockCall, Inst, InstData, IntCC, TrapCode, Type, VaOp, Value, ValueList};
use smallvec::SmallVec;
use std::ops::Range;

/// How many operations a loop's header may have to be emitted a second time.
const SHORT: usize = 6;

/// A block that no IR block stands for, in which several back edges meet, so that the lanes that
/// `continue` wait for the others.
pub(super) struct Latch {
    header: Block,
    /// The position of the loop's last block.
    pub behind: usize,
    /// Where it begins.
    pub label: Label,
}

impl moves::Place for Reg {
    fn range(&self) -> Range<u32> {
        let (at, width) = match *self {
            Reg::S(r) => (r.0, 1),
            Reg::S2(r) => (r.0, 2),
            Reg::V(r) => (r.0, 1),
            Reg::W(r) => (r.0, 2),
            Reg::X(r) => (r.0, 4),
            Reg::P(r) => (r.0, 1),
        };
        u32::from(at)..u32::from(at) + width
    }
}

/// What a parameter is set to.
#[derive(Clone, Copy)]
struct MoveSource {
    from: From,
    ty: Type,
    /// Whether the source is a register of the file that is being written.
    same_file: bool,
}

#[derive(Clone, Copy)]
enum From {
    Reg(Reg),
    Const(u128),
}

impl Source for MoveSource {
    type Place = Reg;

    fn place(&self) -> Option<Reg> {
        match self.from {
            From::Reg(r) if self.same_file => Some(r),
            _ => None,
        }
    }
}

/// The moves of an edge.
type Moves = SmallVec<[(Reg, MoveSource); 4]>;

fn file(r: Reg) -> File {
    match r {
        Reg::S(_) | Reg::S2(_) => File::S,
        Reg::V(_) | Reg::W(_) | Reg::X(_) => File::V,
        Reg::P(_) => File::P,
    }
}

fn class(r: Reg) -> Class {
    match r {
        Reg::S(_) => Class::S,
        Reg::S2(_) => Class::S2,
        Reg::V(_) => Class::V,
        Reg::W(_) => Class::W,
        Reg::X(_) => Class::X,
        Reg::P(_) => Class::P,
    }
}

impl Emitter<'_> {
    // ----- joins ------------------------------------------------------------------------------------

    /// The latches to add.
    pub(super) fn latches(&mut self) -> Vec<Latch> {
        if !self.on_device() {
            return Vec::new();
        }
        let mut out: Vec<(Block, usize)> = Vec::new();
        let order = &self.plan.order;
        for &header in &order.blocks {
            let back = order.preds(header).iter().filter(|&&p| order.is_back_edge(p, header));
            let positions: SmallVec<[u32; 4]> = back.filter_map(|&p| order.position(p)).collect();
            if positions.len() > 1
                && let Some(&behind) = positions.iter().max()
            {
                out.push((header, behind as usize));
            }
        }
        // Inner loops end first.
        out.sort_by_key(|&(header, behind)| (behind, std::cmp::Reverse(order.position(header))));
        out.into_iter().map(|(header, behind)| Latch { header, behind, label: self.new_label() }).collect()
    }

    pub(super) fn latch(
        &mut self,
        latch: &Latch,
        behind: Option<Label>,
        latches: &[Latch],
    ) -> Result<(), Refusal> {
        self.bind(latch.label);
        self.at(None);
        let live = self.live_at_head(latch.header);
        self.join(&live, latch.header);
        self.back(latch.header, behind, latches)
    }

    /// Goes back to a loop's header. Where that is short and decides whether to go on, it is emitted
    /// again in place of the jump, so that an iteration has one branch.
    fn back(&mut self, header: Block, behind: Option<Label>, latches: &[Latch]) -> Result<(), Refusal> {
        if self.is_short(header) {
            return self.block_body(header, behind, latches);
        }
        let target = self.target(self.block_label(header));
        self.op(Op::Jump { target });
        Ok(())
    }

    /// Whether a block is a few simple operations and a branch.
    fn is_short(&self, block: Block) -> bool {
        let plan = self.plan;
        let func = plan.func;
        let mut count = 0;
        for &inst in func.block_insts(block) {
            if !plan.emitted[inst] {
                continue;
            }
            match &func.insts[inst] {
                InstData::Branch { then, other, .. } => {
                    return count <= SHORT && then.block != block && other.block != block;
                }
                InstData::Load { .. } => count += 1,
                data if data.is_pure() && !data.is_terminator() => count += 1,
                InstData::Binary { .. } | InstData::Unary { .. } | InstData::Icmp { .. } => count += 1,
                _ => return false,
            }
        }
        false
    }

    /// What is bound right behind the block at position `n`.
    pub(super) fn label_behind(&self, n: usize, latches: &[Latch]) -> Option<Label> {
        match latches.iter().find(|l| l.behind == n) {
            Some(l) => Some(l.label),
            None => self.plan.order.blocks.get(n + 1).map(|&b| self.block_label(b)),
        }
    }

    /// A join at the head of a block where diverged lanes may meet: where branches meet, and behind a
    /// loop, which lanes leave one after the other.
    pub(super) fn join_at_head(&mut self, block: Block) {
        if !self.on_device() {
            return;
        }
        let order = &self.plan.order;
        let preds = order.preds(block);
        let forward = preds.iter().filter(|&&p| !order.is_back_edge(p, block)).count();
        let behind_loop = preds.iter().any(|&p| order.left(p, block).next().is_some());
        if forward > 1 || behind_loop {
            let live = self.live_at_head(block);
            self.join(&live, block);
        }
    }

    fn live_at_head(&self, block: Block) -> Vec<VReg> {
        let params = self.plan.func.block_params(block).iter().map(|&p| VReg::from(p));
        params
            .filter(|&p| self.plan.needed[p])
            .chain(self.live.live_in[block].iter().copied())
            .filter(|&r| self.plan.regs[r].is_scalar())
            .collect()
    }

    /// Lanes may meet again in `block`, where these registers are live.
    pub(super) fn join(&mut self, live: &[VReg], block: Block) {
        let mut words: Vec<S> = Vec::with_capacity(live.len());
        let func = self.plan.func;
        for &r in live {
            let at = self.places.place[r] as u16;
            let copied = func.values.is_valid(Value::from_u32(r.as_u32()))
                && self.plan.copied[Value::from_u32(r.as_u32())];
            let width = self.plan.regs[r].width() as u16 + u16::from(copied);
            words.extend((at..at + width).map(S));
        }
        words.extend(self.counters_of(block));
        words.sort_unstable();
        words.dedup();
        let live = self.code.tables.joins.next_idx();
        self.code.tables.joins.push(JoinDesc { live: words });
        self.op(Op::Join { live });
    }

    /// The scalars that are live behind each instruction of a block at which convergence groups split or wait.
    pub(super) fn live_after(&self, block: Block) -> Vec<(Inst, Vec<VReg>)> {
        let mut out = Vec::new();
        let plan = self.plan;
        if !self.on_device() {
            return out;
        }
        let func = plan.func;
        let insts = func.block_insts(block);
        let wanted = |inst: Inst| match &func.insts[inst] {
            InstData::Barrier { .. } => true,
            InstData::Call { func: callee, .. } => !plan.cx.module.funcs[*callee].is_declaration(),
            InstData::CallIndirect { .. } => true,
            data => data.is_convergent(),
        };
        if !insts.iter().any(|&i| wanted(i)) {
            return out;
        }
        let mut live: Vec<VReg> = Vec::new();
        for succ in func.successors(block) {
            live.extend(&self.live.live_in[succ]);
        }
        live.retain(|&r| plan.regs[r].is_scalar());
        live.sort_unstable();
        live.dedup();
        let emitted: Vec<Inst> = insts.iter().copied().filter(|&i| plan.emitted[i]).collect();
        // In the entry block the presets come first: the steps are matched from the end.
        for (&inst, step) in emitted.iter().rev().zip(self.steps[block].steps.iter().rev()) {
            if wanted(inst) {
                out.push((inst, live.clone()));
            }
            live.retain(|r| !step.defs.contains(r));
            for &(r, _) in &step.uses {
                if plan.regs[r].is_scalar() && !live.contains(&r) {
                    live.push(r);
                }
            }
        }
        out
    }

    // ----- edges ------------------------------------------------------------------------------------

    /// The moves of an edge. `first` is what the first parameter becomes where it has no argument.
    fn moves(&mut self, call: &BlockCall, first: Option<TypedReg>) -> Moves {
        let plan = self.plan;
        let func = plan.func;
        let params = func.block_params(call.block);
        let args = call.args.as_slice(&func.pool);
        let skipped = params.len().saturating_sub(args.len());
        let mut out = Moves::new();
        let mut add = |e: &Self, p: Value, from: From, ty: Type| {
            let d = e.machine_reg(p.into());
            let same_file = matches!(from, From::Reg(r) if file(r) == file(d));
            if !matches!(from, From::Reg(r) if r == d) {
                out.push((d, MoveSource { from, ty, same_file }));
            }
        };
        if let (Some(first), Some(&p)) = (first, params.first())
            && skipped > 0
            && plan.needed[p.into()]
        {
            add(self, p, From::Reg(first.reg), first.ty);
        }
        for (&p, &a) in params[skipped..].iter().zip(args) {
            if plan.needed[p.into()] {
                let from = match plan.operand(a) {
                    // A result of arithmetic on binary32 meets something else.
                    Operand::Reg(_) if plan.computed[a] && !plan.computed[p] => From::Reg(self.seen(a)),
                    Operand::Reg(r) => From::Reg(self.machine_reg(r)),
                    Operand::Const(bits) => From::Const(bits),
                };
                add(self, p, from, func.value_type(p));
            }
        }
        out
    }

    fn emit_moves(&mut self, moves: &Moves) {
        // Vectors and predicates may read scalars, and scalars read scalars only: those come last.
        for which in [File::P, File::V, File::S] {
            let group: Moves = moves.iter().copied().filter(|(d, _)| file(*d) == which).collect();
            if group.is_empty() {
                continue;
            }
            let mut temps: SmallVec<[Reg; 4]> = SmallVec::new();
            for step in moves::sequence(&group) {
                match step {
                    Step::Move(d, s) => self.set(d, s),
                    Step::Save(n, r) => {
                        let t = self.temp(class(r));
                        temps.resize(n + 1, t);
                        self.copy(t, r, natural_type(r));
                    }
                    Step::Restore(d, n) => {
                        if let Some(&t) = temps.get(n) {
                            self.copy(d, t, natural_type(d));
                        }
                    }
                }
            }
        }
    }

    fn set(&mut self, d: Reg, source: MoveSource) {
        match (source.from, d) {
            (From::Reg(r), _) => self.copy(d, r, source.ty),
            (From::Const(bits), Reg::S(d)) => self.op(Op::Const { d, bits: bits as u64 }),
            (From::Const(bits), Reg::S2(d)) => {
                self.op(Op::Const { d: S(d.0), bits: bits as u64 });
                self.op(Op::Const { d: S(d.0 + 1), bits: (bits >> 64) as u64 });
            }
            (From::Const(bits), Reg::X(_)) => {
                let c = self.const_s2(bits);
                self.copy(d, Reg::S2(c), source.ty);
            }
            (From::Const(bits), _) => {
                let c = self.const_s(bits as u64);
                self.copy(d, Reg::S(c), source.ty);
            }
        }
    }

    /// The label that an edge goes to.
    fn edge_label(&self, from: Block, to: Block, latches: &[Latch]) -> Label {
        if self.plan.order.is_back_edge(from, to)
            && let Some(latch) = latches.iter().find(|l| l.header == to)
        {
            return latch.label;
        }
        self.block_label(to)
    }

    /// Goes to a label unless it comes next anyway.
    fn go(&mut self, label: Label, behind: Option<Label>) {
        if behind != Some(label) {
            let target = self.target(label);
            self.op(Op::Jump { target });
        }
    }

    // ----- terminators ------------------------------------------------------------------------------

    pub(super) fn terminator(
        &mut self,
        block: Block,
        inst: Inst,
        behind: Option<Label>,
        latches: &[Latch],
    ) -> Result<(), Refusal> {
        let func = self.plan.func;
        match &func.insts[inst] {
            InstData::Jump { dest } => {
                if self.plan.order.is_back_edge(block, dest.block)
                    && self.edge_label(block, dest.block, latches) == self.block_label(dest.block)
                {
                    let moves = self.moves(dest, None);
                    self.emit_moves(&moves);
                    return self.back(dest.block, behind, latches);
                }
                self.jump(block, dest, None, behind, latches);
            }
            InstData::Branch { cond, then, other } => {
                self.branch(block, inst, *cond, [then, other], behind, latches);
            }
            InstData::Switch { arg, .. } => return self.switch(block, inst, *arg, latches),
            InstData::Return { args } => {
                let value = args.as_slice(&func.pool).first().copied();
                match value.map(|v| TypedReg { reg: self.seen(v), ty: self.ty(v) }) {
                    None => self.op(Op::Ret {}),
                    Some(TypedReg { reg: Reg::S(a), .. }) => self.op(Op::RetS { a }),
                    Some(r) => {
                        let a = self.code.tables.regs.next_idx();
                        self.code.tables.regs.push(r);
                        self.op(Op::RetR { a });
                    }
                }
            }
            InstData::Invoke { normal, .. } | InstData::InvokeIndirect { normal, .. } => {
                // The result goes through a temporary: its register may still hold an argument of the
                // edge.
                let result = func.block_params(normal.block).first().copied();
                let has_result =
                    func.block_params(normal.block).len() > normal.args.as_slice(&func.pool).len();
                let first = result.filter(|_| has_result).map(|p| {
                    let reg = self.temp(self.plan.regs[p.into()]);
                    TypedReg { reg, ty: func.value_type(p) }
                });
                self.call(inst, first)?;
                self.landings.push((inst, self.code.ops.len() as u32));
                self.jump(block, normal, first, behind, latches);
            }
            InstData::Resume { .. } if self.on_device() => self.trap(TrapCode::Unreachable),
            InstData::Resume { exception } => {
                let a = self.s(*exception);
                self.op(Op::Resume { a });
            }
            InstData::Trap { code } => self.trap(*code),
            _ => return self.misplaced(inst, "the end of a block"),
        }
        Ok(())
    }

    /// Where the calls that throw go on: behind all blocks, so that calls that do not throw pass by none of it.
    pub(super) fn landings(&mut self) {
        let func = self.plan.func;
        for (inst, after) in std::mem::take(&mut self.landings) {
            if self.on_device() {
                continue;
            }
            let (InstData::Invoke { unwind, .. } | InstData::InvokeIndirect { unwind, .. }) =
                func.insts[inst]
            else {
                continue;
            };
            self.at(Some(inst));
            let target = Target(self.code.ops.len() as u32);
            let parameter = func.block_params(unwind.block).first().copied();
            let first = parameter.map(|p| {
                let reg = self.temp(self.plan.regs[p.into()]);
                TypedReg { reg, ty: func.value_type(p) }
            });
            let moves = self.moves(&unwind, first);
            self.emit_moves(&moves);
            let to = self.target(self.block_label(unwind.block));
            self.op(Op::Jump { target: to });
            let (tables, unknown) = self.plan.handlers(unwind.block);
            let exception = first.map(|f| f.reg);
            self.code.landings.push(Landing { after, target, exception, tables, unknown });
        }
        self.code.landings.sort_by_key(|l| l.after);
    }

    fn trap(&mut self, code: TrapCode) {
        let trap = self.code.tables.traps.next_idx();
        self.code.tables.traps.push(code);
        self.op(Op::Trap { trap });
    }

    fn jump(
        &mut self,
        block: Block,
        dest: &BlockCall,
        first: Option<TypedReg>,
        behind: Option<Label>,
        latches: &[Latch],
    ) {
        let moves = self.moves(dest, first);
        self.emit_moves(&moves);
        self.go(self.edge_label(block, dest.block, latches), behind);
    }

    fn branch(
        &mut self,
        block: Block,
        inst: Inst,
        cond: Value,
        [then, other]: [&BlockCall; 2],
        behind: Option<Label>,
        latches: &[Latch],
    ) {
        if let Operand::Const(bits) = self.plan.operand(cond) {
            let dest = if bits & 1 != 0 { then } else { other };
            return self.jump(block, dest, None, behind, latches);
        }
        let (yes, no) = (self.moves(then, None), self.moves(other, None));
        let (yes_label, no_label) =
            (self.edge_label(block, then.block, latches), self.edge_label(block, other.block, latches));
        match (yes.is_empty(), no.is_empty()) {
            (true, true) if behind == Some(yes_label) => {
                self.branch_if(inst, cond, false, no_label);
            }
            (true, _) => {
                self.branch_if(inst, cond, true, yes_label);
                self.emit_moves(&no);
                self.go(no_label, behind);
            }
            (false, true) => {
                self.branch_if(inst, cond, false, no_label);
                self.emit_moves(&yes);
                self.go(yes_label, behind);
            }
            (false, false) => {
                let stub = self.new_label();
                self.branch_if(inst, cond, true, stub);
                self.emit_moves(&no);
                self.go(no_label, None);
                self.bind(stub);
                self.emit_moves(&yes);
                self.go(yes_label, behind);
            }
        }
    }

    /// Jumps to `label` where the condition is `sense`.
    fn branch_if(&mut self, inst: Inst, cond: Value, sense: bool, label: Label) {
        let target = self.target(label);
        if let Some(compare) = self.plan.fused[inst]
            && let InstData::Icmp { cc, args: [a, b] } = self.plan.func.insts[compare]
        {
            let cc: IntCC = if sense { cc } else { cc.inverse() };
            self.branch_icmp(cc, a, b, target);
            return;
        }
        match self.reg(cond) {
            Reg::P(c) => self.op(if sense { Op::BrP { c, target } } else { Op::BrNotP { c, target } }),
            Reg::S(c) => self.op(if sense { Op::BrNz { c, target } } else { Op::BrZ { c, target } }),
            _ => {}
        }
    }

    fn switch(&mut self, block: Block, inst: Inst, arg: Value, latches: &[Latch]) -> Result<(), Refusal> {
        let func = self.plan.func;
        let InstData::Switch { table, .. } = func.insts[inst] else { return Ok(()) };
        let data = &func.tables[table];
        // Edges with moves go through code behind the switch.
        let mut stubs: Vec<(Label, Moves, Label)> = Vec::new();
        let mut edge = |e: &mut Self, call: &BlockCall| {
            let label = e.edge_label(block, call.block, latches);
            let moves = e.moves(call, None);
            if moves.is_empty() {
                return e.target(label);
            }
            let stub = e.new_label();
            stubs.push((stub, moves, label));
            e.target(stub)
        };
        let default = edge(self, &data.default);
        let mut cases = Vec::with_capacity(data.cases.len());
        for (value, call) in &data.cases {
            cases.push((*value as u64, edge(self, call)));
        }
        let id = self.code.tables.switches.next_idx();
        self.code.tables.switches.push(SwitchDesc::new(default, cases));
        match self.reg(arg) {
            Reg::S(a) => self.op(Op::SwitchS { a, table: id }),
            Reg::V(a) => self.op(Op::SwitchV { a, table: id }),
            Reg::W(a) => self.op(Op::SwitchW { a, table: id }),
            Reg::P(a) => {
                let d = self.temp_v();
                self.op(Op::VFromP { d, a });
                self.op(Op::SwitchV { a: d, table: id });
            }
            Reg::S2(_) | Reg::X(_) => return self.refuse("a `switch` over a 128-bit integer"),
        }
        for (stub, moves, label) in stubs {
            self.bind(stub);
            self.emit_moves(&moves);
            self.go(label, None);
        }
        Ok(())
    }

    // ----- calls ------------------------------------------------------------------------------------

    fn typed_list(&mut self, list: &ValueList) -> Vec<TypedReg> {
        let func = self.plan.func;
        list.as_slice(&func.pool).iter().map(|&v| self.typed(v)).collect()
    }

    /// The same for who sees their bits.
    fn seen_list(&mut self, list: &ValueList) -> Vec<TypedReg> {
        let func = self.plan.func;
        list.as_slice(&func.pool).iter().map(|&v| TypedReg { reg: self.seen(v), ty: self.ty(v) }).collect()
    }

    /// A call. `into` is where the result of an invoke goes.
    pub(super) fn call(&mut self, inst: Inst, into: Option<TypedReg>) -> Result<(), Refusal> {
        let func = self.plan.func;
        let data = &func.insts[inst];
        let result = func.result(inst);
        if let InstData::Call { func: callee, args, .. } = data
            && is_math_call(self.plan.cx, data)
        {
            let Some(v) = result else { return Ok(()) };
            let d = TypedReg { reg: self.def(v), ty: self.ty(v) };
            // The others take every NaN for the same.
            let name = self.plan.cx.module.funcs[*callee].name.as_str();
            let sees = ["copysign", "__signbit"].iter().any(|start| name.starts_with(start));
            let args = if sees { self.seen_list(args) } else { self.typed_list(args) };
            let args = args.into_iter().collect();
            let id = self.code.tables.maths.next_idx();
            self.code.tables.maths.push(MathDesc { func: *callee, d, args });
            self.op(Op::Math { id });
            return Ok(());
        }
        let (callee, args) = match data {
            InstData::Call { func, args, .. } | InstData::Invoke { func, args, .. } => {
                (Callee::Direct(*func), self.seen_list(args))
            }
            InstData::CallIndirect { sig, callee, args, .. }
            | InstData::InvokeIndirect { sig, callee, args, .. } => {
                let ptr = self.reg(*callee);
                (Callee::Indirect { ptr, sig: *sig }, self.seen_list(args))
            }
            _ => return self.misplaced(inst, "a call"),
        };
        let ret = into.or_else(|| {
            result
                .filter(|&v| self.plan.needed[v.into()])
                .map(|v| TypedReg { reg: self.def(v), ty: self.ty(v) })
        });
        let call = self.code.tables.calls.next_idx();
        self.code.tables.calls.push(CallDesc { callee, args, ret });
        self.op(Op::Call { call });
        Ok(())
    }

    pub(super) fn launch(&mut self, inst: Inst) -> Result<(), Refusal> {
        let func = self.plan.func;
        let (kernel, args) = match &func.insts[inst] {
            InstData::Launch { kernel, args, .. } => (Callee::Direct(*kernel), self.seen_list(args)),
            InstData::LaunchIndirect { sig, callee, args, .. } => {
                let ptr = self.reg(*callee);
                (Callee::Indirect { ptr, sig: *sig }, self.seen_list(args))
            }
            _ => return self.misplaced(inst, "a launch"),
        };
        let d = func.result(inst).filter(|&v| self.plan.needed[v.into()]).map(|v| self.def(v));
        let id = self.code.tables.launches.next_idx();
        self.code.tables.launches.push(LaunchDesc { kernel, args, d });
        self.op(Op::Launch { id });
        Ok(())
    }

    pub(super) fn va(&mut self, inst: Inst) -> Result<(), Refusal> {
        if self.on_device() {
            return self.refuse("a variable argument list in device code");
        }
        let func = self.plan.func;
        let desc = match &func.insts[inst] {
            InstData::Va { op, args, .. } => {
                let lists: SmallVec<[S; 2]> = args.as_slice(&func.pool).iter().map(|&v| self.s(v)).collect();
                match (op, &lists[..]) {
                    (VaOp::Start, &[list]) => VaDesc::Start { list },
                    (VaOp::End, &[list]) => VaDesc::End { list },
                    (VaOp::Copy, &[dst, src]) => VaDesc::Copy { dst, src },
                    _ => return self.refuse("a malformed operation on an argument list"),
                }
            }
            InstData::VaArg { list, .. } => {
                let Some(v) = func.result(inst) else { return Ok(()) };
                VaDesc::Arg { list: self.s(*list), d: TypedReg { reg: self.def(v), ty: self.ty(v) } }
            }
            _ => return self.misplaced(inst, "an operation on an argument list"),
        };
        let id = self.code.tables.vas.next_idx();
        self.code.tables.vas.push(desc);
        self.op(Op::Va { id });
        Ok(())
    }
}

/// A type that the register as a whole holds.
fn natural_type(r: Reg) -> Type {
    match r {
        Reg::S(_) | Reg::W(_) => Type::I64,
        Reg::S2(_) | Reg::X(_) => Type::I128,
        Reg::V(_) => Type::I32,
        Reg::P(_) => Type::I1,
    }
}
