//! The function of a kernel: a loop over lanes around the kernel's stretches.
//!
//! ```text
//! fn (frame, entry, first, end) -> exit
//!     for lane in first..end
//!         load what lives at `entry`; run from there to the next synchronisation point or the end
//!         store what lives there; all lanes must come to the same
//! ```
//!
//! Values of the IR are variables of `cranelift-frontend`, which makes SSA of them again: a stretch can begin behind a
//! value's definition.

use crate::Refusal;
use crate::abi::{BAIL, Bail, DONE, Frame, Helper, LANE_BYTES, VALUE_BYTES, View};
use crate::kernel::Promises;
use crate::plan::{From, Plan};
use cranelift_codegen::ir::condcodes::IntCC as Cc;
use cranelift_codegen::ir::types as ct;
use cranelift_codegen::ir::{self as cl, InstBuilder, MemFlagsData as MemFlags};
use cranelift_entity::SecondaryMap;
use cranelift_frontend::{FunctionBuilder, Switch, Variable};
use cudair_codegen::Ranges;
use cudair_ir::cfg::Cfg;
use cudair_ir::*;
use rustc_hash::FxHashMap;
use std::mem::offset_of;

/// What the emission of a kernel looks at.
pub(crate) struct Given<'a> {
    pub func: &'a Function,
    pub plan: &'a Plan,
    pub promises: &'a Promises,
    pub cfg: &'a Cfg,
    pub ranges: &'a Ranges<'a>,
    /// Values whose NaN is made the device's where its bits are seen.
    pub computed: &'a SecondaryMap<Value, bool>,
}

/// A stretch of a block: from its start, or from behind one of its synchronisation points.
type Node = (Block, usize);

/// The function that is made.
pub(crate) struct Emitter<'a, 'b> {
    pub(crate) given: &'a Given<'a>,
    pub(crate) b: FunctionBuilder<'b>,
    /// The signatures of helpers, by number of arguments behind the frame.
    pub(crate) trampolines: [cl::FuncRef; crate::abi::HELPERS],
    vars: SecondaryMap<Value, Option<Variable>>,
    nodes: FxHashMap<Node, cl::Block>,
    pub(crate) frame: cl::Value,
    /// The lane, and its words in the memory for what lives across synchronisation points.
    pub(crate) lane: cl::Value,
    words: cl::Value,
    tid: [Option<cl::Value>; 3],
    /// Where compiled code gives up, with the reason.
    bail: cl::Block,
    /// Turns that are left; signed overflow so far, in the sign bit and in any bit.
    turns: Variable,
    pub(crate) signs: Variable,
    pub(crate) bits: Variable,
    /// Where a lane ends, with where it stands then.
    lane_end: cl::Block,
    /// The place of the instruction that is emitted.
    pub(crate) block: Block,
}

/// The type of a value's register.
pub(crate) fn register(ty: Type) -> Result<cl::Type, Refusal> {
    Ok(match ty {
        Type::I1 | Type::I8 => ct::I8,
        Type::I16 => ct::I16,
        Type::I32 => ct::I32,
        Type::I64 | Type::Ptr(_) => ct::I64,
        Type::F32 => ct::F32,
        Type::F64 => ct::F64,
        _ => return Err(Refusal("a value has a type without a register")),
    })
}

/// Loads and stores of the frame and of views: they neither trap nor are misaligned.
pub(crate) fn trusted() -> MemFlags {
    MemFlags::trusted()
}

impl<'a, 'b> Emitter<'a, 'b> {
    /// Fills the function that `b` builds.
    pub(crate) fn emit(
        given: &'a Given<'a>,
        mut b: FunctionBuilder<'b>,
        trampolines: [cl::FuncRef; crate::abi::HELPERS],
        target: cranelift_codegen::isa::TargetFrontendConfig,
    ) -> Result<(), Refusal> {
        let start = b.create_block();
        b.append_block_params_for_function_params(start);
        b.switch_to_block(start);
        let &[frame, entry, first, end] = b.block_params(start) else {
            return Err(Refusal("the function has other parameters"));
        };
        let (bail, lane_end) = (b.create_block(), b.create_block());
        b.append_block_param(bail, ct::I32);
        b.set_cold_block(bail);
        b.append_block_param(lane_end, ct::I32);
        let (turns, signs, bits) = (b.declare_var(ct::I64), b.declare_var(ct::I64), b.declare_var(ct::I64));
        let mut e = Emitter {
            given,
            b,
            trampolines,
            vars: SecondaryMap::new(),
            nodes: FxHashMap::default(),
            frame,
            lane: first,
            words: frame,
            tid: [None; 3],
            bail,
            turns,
            signs,
            bits,
            lane_end,
            block: given.func.entry().ok_or(Refusal("it has no body"))?,
        };
        e.body(entry, first, end)?;
        e.b.seal_all_blocks();
        e.b.finalize(target);
        Ok(())
    }

    fn body(&mut self, entry: cl::Value, first: cl::Value, end: cl::Value) -> Result<(), Refusal> {
        let (head, body, done) = (self.b.create_block(), self.b.create_block(), self.b.create_block());
        let left = self.frame_field(ct::I64, offset_of!(Frame, turns));
        self.b.def_var(self.turns, left);
        let zero = self.b.ins().iconst(ct::I64, 0);
        self.b.def_var(self.signs, zero);
        self.b.def_var(self.bits, zero);
        let exit = self.b.declare_var(ct::I32);
        let none = self.b.ins().iconst(ct::I32, i64::from(BAIL));
        self.b.def_var(exit, none);
        let lanes = self.frame_field(ct::I64, offset_of!(Frame, lanes));
        let lane_var = self.b.declare_var(ct::I32);
        self.b.def_var(lane_var, first);
        self.b.ins().jump(head, &[]);

        self.b.switch_to_block(head);
        let lane = self.b.use_var(lane_var);
        let more = self.b.ins().icmp(Cc::UnsignedLessThan, lane, end);
        self.b.ins().brif(more, body, &[], done, &[]);

        self.b.switch_to_block(body);
        self.lane = lane;
        let wide = self.b.ins().uextend(ct::I64, lane);
        let bytes = self.b.ins().imul_imm_s(wide, LANE_BYTES as i64);
        self.words = self.b.ins().iadd(lanes, bytes);
        self.dispatch(entry)?;
        self.nodes()?;

        // A lane has come to a synchronisation point or to its end.
        self.b.switch_to_block(self.lane_end);
        let here = self.b.block_params(self.lane_end)[0];
        let before = self.b.use_var(exit);
        let same = self.b.ins().icmp(Cc::Equal, here, before);
        let is_first = self.b.ins().icmp(Cc::Equal, lane, first);
        let fine = self.b.ins().bor(same, is_first);
        self.require(fine, Bail::Barrier);
        self.b.def_var(exit, here);
        let next = self.b.ins().iadd_imm_s(lane, 1);
        self.b.def_var(lane_var, next);
        self.b.ins().jump(head, &[]);

        self.b.switch_to_block(done);
        let (signs, bits) = (self.b.use_var(self.signs), self.b.use_var(self.bits));
        let zero = self.b.ins().iconst(ct::I64, 0);
        let fine = self.b.ins().icmp(Cc::SignedGreaterThanOrEqual, signs, zero);
        self.require(fine, Bail::Overflow);
        let fine = self.b.ins().icmp(Cc::Equal, bits, zero);
        self.require(fine, Bail::Overflow);
        let left = self.b.use_var(self.turns);
        self.set_frame_field(left, offset_of!(Frame, turns));
        let exit = self.b.use_var(exit);
        self.b.ins().return_(&[exit]);

        self.b.switch_to_block(self.bail);
        let reason = self.b.block_params(self.bail)[0];
        self.set_frame_field(reason, offset_of!(Frame, reason));
        let exit = self.b.ins().iconst(ct::I32, i64::from(BAIL));
        self.b.ins().return_(&[exit]);
        Ok(())
    }

    /// The threads' coordinates, and a jump to where the stretch of this number begins: 0 is the kernel's start, and the
    /// others are behind synchronisation points.
    fn dispatch(&mut self, entry: cl::Value) -> Result<(), Refusal> {
        let plan = self.given.plan;
        let at = self.given.func.entry().ok_or(Refusal("it has no body"))?;
        self.coordinates();
        let stubs: Vec<cl::Block> = (0..=plan.syncs.len()).map(|_| self.b.create_block()).collect();
        if let [only] = stubs[..] {
            self.b.ins().jump(only, &[]);
        } else {
            let mut switch = Switch::new();
            for (n, &stub) in stubs.iter().enumerate() {
                switch.set_entry(n as u128, stub);
            }
            let other = self.b.create_block();
            self.b.set_cold_block(other);
            switch.emit(&mut self.b, entry, other);
            self.b.switch_to_block(other);
            self.give_up(Bail::Refused);
        }
        for (n, &stub) in stubs.iter().enumerate() {
            self.b.switch_to_block(stub);
            let node = match n.checked_sub(1) {
                None => {
                    self.arguments(at)?;
                    (at, 0)
                }
                Some(n) => {
                    for &v in &plan.live[n] {
                        let slot = plan.kept[&v];
                        let ty = register(self.ty(v))?;
                        let at = i32::try_from(slot as usize * VALUE_BYTES)
                            .map_err(|_| Refusal("too much lives across its barriers"))?;
                        let x = self.b.ins().load(ty, trusted(), self.words, at);
                        self.define(v, x)?;
                    }
                    (plan.syncs[n].block, plan.syncs[n].at + 1)
                }
            };
            let to = self.node(node);
            self.b.ins().jump(to, &[]);
        }
        Ok(())
    }

    /// The kernel's arguments.
    fn arguments(&mut self, entry: Block) -> Result<(), Refusal> {
        let args = self.frame_field(ct::I64, offset_of!(Frame, args));
        for (n, &param) in self.given.func.block_params(entry).iter().enumerate() {
            let x = match self.given.plan.from[param] {
                From::Root(root) => self.view_field(root, ct::I64, offset_of!(View, offset)),
                _ => {
                    let ty = register(self.ty(param))?;
                    self.b.ins().load(ty, trusted(), args, 8 * n as i32)
                }
            };
            self.define(param, x)?;
        }
        Ok(())
    }

    /// The coordinates of the thread in its block.
    fn coordinates(&mut self) {
        let [x, y, z] = self.given.promises.shape.block_dim;
        let lane = self.lane;
        self.tid = match (x, y, z) {
            (_, 1, 1) => [Some(lane), None, None],
            (_, _, 1) => {
                let row = self.b.ins().udiv_imm_s(lane, i64::from(x));
                let before = self.b.ins().imul_imm_s(row, i64::from(x));
                [Some(self.b.ins().isub(lane, before)), Some(row), None]
            }
            _ => {
                let row = self.b.ins().udiv_imm_s(lane, i64::from(x));
                let before = self.b.ins().imul_imm_s(row, i64::from(x));
                let plane = self.b.ins().udiv_imm_s(row, i64::from(y));
                let rows = self.b.ins().imul_imm_s(plane, i64::from(y));
                [
                    Some(self.b.ins().isub(lane, before)),
                    Some(self.b.ins().isub(row, rows)),
                    Some(plane),
                ]
            }
        };
    }

    /// The stretches that are reached, each as a block.
    fn nodes(&mut self) -> Result<(), Refusal> {
        let mut done: Vec<Node> = Vec::new();
        loop {
            // Those that came up, in the order of the function, so that the code is the same each time.
            let mut open: Vec<Node> = self.nodes.keys().copied().filter(|n| !done.contains(n)).collect();
            open.sort_by_key(|&(block, at)| (self.given.cfg.rpo_index(block), at));
            let Some(&node) = open.first() else { return Ok(()) };
            done.push(node);
            let to = self.nodes[&node];
            self.b.switch_to_block(to);
            self.stretch(node)?;
        }
    }

    /// The block of a stretch.
    fn node(&mut self, node: Node) -> cl::Block {
        let b = &mut self.b;
        *self.nodes.entry(node).or_insert_with(|| b.create_block())
    }

    fn stretch(&mut self, (block, from): Node) -> Result<(), Refusal> {
        self.block = block;
        let func = self.given.func;
        for (at, &inst) in func.block_insts(block).iter().enumerate().skip(from) {
            match &func.insts[inst] {
                InstData::Barrier { .. } => {
                    let sync = self.given.plan.syncs.iter().position(|s| (s.block, s.at) == (block, at));
                    let n = sync.ok_or(Refusal("a barrier is not in the plan"))?;
                    for &v in &self.given.plan.live[n] {
                        let slot = self.given.plan.kept[&v];
                        let x = self.value(v)?;
                        self.b.ins().store(trusted(), x, self.words, (slot as usize * VALUE_BYTES) as i32);
                    }
                    let here = self.b.ins().iconst(ct::I32, n as i64 + 1);
                    self.b.ins().jump(self.lane_end, &[here.into()]);
                    return Ok(());
                }
                InstData::Jump { dest } => {
                    self.edge(block, dest)?;
                    return Ok(());
                }
                InstData::Branch { cond, then, other } => {
                    let c = self.value(*cond)?;
                    let (yes, no) = (self.b.create_block(), self.b.create_block());
                    self.b.ins().brif(c, yes, &[], no, &[]);
                    for (at, dest) in [(yes, then), (no, other)] {
                        self.b.switch_to_block(at);
                        self.edge(block, dest)?;
                    }
                    return Ok(());
                }
                InstData::Switch { arg, table } => return self.switch(block, *arg, *table),
                InstData::Return { .. } => {
                    let here = self.b.ins().iconst(ct::I32, i64::from(DONE));
                    self.b.ins().jump(self.lane_end, &[here.into()]);
                    return Ok(());
                }
                InstData::Trap { .. } => {
                    self.give_up(Bail::Trap);
                    return Ok(());
                }
                _ => self.inst(inst)?,
            }
        }
        Err(Refusal("a block has no end"))
    }

    /// Goes along an edge of the control-flow graph.
    fn edge(&mut self, from: Block, dest: &BlockCall) -> Result<(), Refusal> {
        let func = self.given.func;
        let (params, args) = (func.block_params(dest.block), dest.args.as_slice(&func.pool));
        let mut values = Vec::with_capacity(args.len());
        for (&param, &arg) in params.iter().zip(args) {
            let x = if self.given.computed[arg] && !self.given.computed[param] {
                self.seen(arg)?
            } else {
                self.value(arg)?
            };
            values.push(self.rooted(x, arg, param)?);
        }
        for (&param, x) in params.iter().zip(values) {
            self.define(param, x)?;
        }
        if self.given.cfg.is_back_edge(from, dest.block) {
            self.turn();
        }
        let to = self.node((dest.block, 0));
        self.b.ins().jump(to, &[]);
        Ok(())
    }

    fn switch(&mut self, block: Block, arg: Value, table: SwitchTable) -> Result<(), Refusal> {
        let x = self.value(arg)?;
        let table = &self.given.func.tables[table];
        let mut switch = Switch::new();
        let mut targets = Vec::new();
        for (value, dest) in &table.cases {
            let at = self.b.create_block();
            switch.set_entry(*value & self.ty(arg).bit_mask(), at);
            targets.push((at, dest));
        }
        let at = self.b.create_block();
        targets.push((at, &table.default));
        switch.emit(&mut self.b, x, at);
        for (at, dest) in targets {
            self.b.switch_to_block(at);
            self.edge(block, dest)?;
        }
        Ok(())
    }

    /// A turn of a loop.
    fn turn(&mut self) {
        let left = self.b.use_var(self.turns);
        let left = self.b.ins().iadd_imm_s(left, -1);
        self.b.def_var(self.turns, left);
        let (ask, go_on) = (self.b.create_block(), self.b.create_block());
        self.b.set_cold_block(ask);
        let zero = self.b.ins().iconst(ct::I64, 0);
        let over = self.b.ins().icmp(Cc::SignedLessThan, left, zero);
        self.b.ins().brif(over, ask, &[], go_on, &[]);
        self.b.switch_to_block(ask);
        self.set_frame_field(left, offset_of!(Frame, turns));
        let fine = self.helper(Helper::Poll, &[]);
        self.require(fine, Bail::Turns);
        let left = self.frame_field(ct::I64, offset_of!(Frame, turns));
        self.b.def_var(self.turns, left);
        self.b.ins().jump(go_on, &[]);
        self.b.switch_to_block(go_on);
    }

    // What instructions are made of.

    /// The type of a value.
    pub(crate) fn ty(&self, v: Value) -> Type {
        self.given.func.value_type(v)
    }

    fn var(&mut self, v: Value) -> Result<Variable, Refusal> {
        if let Some(var) = self.vars[v] {
            return Ok(var);
        }
        let var = self.b.declare_var(register(self.given.func.value_type(v))?);
        self.vars[v] = Some(var);
        Ok(var)
    }

    /// A value's register. A pointer with a root is the distance from its object's start.
    pub(crate) fn value(&mut self, v: Value) -> Result<cl::Value, Refusal> {
        let var = self.var(v)?;
        Ok(self.b.use_var(var))
    }

    /// Defines a value.
    pub(crate) fn define(&mut self, v: Value, x: cl::Value) -> Result<(), Refusal> {
        let var = self.var(v)?;
        self.b.def_var(var, x);
        Ok(())
    }

    /// A coordinate of the thread in its block.
    pub(crate) fn thread(&mut self, axis: usize) -> cl::Value {
        match self.tid[axis] {
            Some(x) => x,
            None => self.b.ins().iconst(ct::I32, 0),
        }
    }

    /// A field of the frame.
    pub(crate) fn frame_field(&mut self, ty: cl::Type, at: usize) -> cl::Value {
        self.b.ins().load(ty, trusted(), self.frame, at as i32)
    }

    /// Sets a field of the frame.
    pub(crate) fn set_frame_field(&mut self, x: cl::Value, at: usize) {
        self.b.ins().store(trusted(), x, self.frame, at as i32);
    }

    /// A field of a root's view.
    pub(crate) fn view_field(&mut self, root: u32, ty: cl::Type, at: usize) -> cl::Value {
        let roots = self.frame_field(ct::I64, offset_of!(Frame, roots));
        let at = root as usize * size_of::<View>() + at;
        self.b.ins().load(ty, trusted(), roots, at as i32)
    }

    /// Gives up where the condition does not hold.
    pub(crate) fn require(&mut self, fine: cl::Value, why: Bail) {
        let go_on = self.b.create_block();
        let reason = self.b.ins().iconst(ct::I32, i64::from(why as u32));
        self.b.ins().brif(fine, go_on, &[], self.bail, &[reason.into()]);
        self.b.switch_to_block(go_on);
    }

    /// Gives up.
    pub(crate) fn give_up(&mut self, why: Bail) {
        let reason = self.b.ins().iconst(ct::I32, i64::from(why as u32));
        self.b.ins().jump(self.bail, &[reason.into()]);
    }

    /// Runs `rare` where a condition does not hold, and goes on behind it.
    pub(crate) fn unless(
        &mut self,
        usual: cl::Value,
        rare: impl FnOnce(&mut Self) -> Result<(), Refusal>,
    ) -> Result<(), Refusal> {
        let (other, go_on) = (self.b.create_block(), self.b.create_block());
        self.b.set_cold_block(other);
        self.b.ins().brif(usual, go_on, &[], other, &[]);
        self.b.switch_to_block(other);
        rare(self)?;
        self.b.ins().jump(go_on, &[]);
        self.b.switch_to_block(go_on);
        Ok(())
    }

    /// Calls a helper with the frame and further words.
    pub(crate) fn helper(&mut self, helper: Helper, args: &[cl::Value]) -> cl::Value {
        let mut all = vec![self.frame];
        all.extend(args);
        self.b.ins().call(self.trampolines[helper as usize], &all);
        self.frame_field(ct::I32, offset_of!(Frame, answer))
    }
}
