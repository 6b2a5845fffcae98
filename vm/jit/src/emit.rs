//! The function of a kernel: a loop over lanes around the kernel's regions.
//!
//! ```text
//! fn (frame, entry, first, end) -> exit
//!     for lane in first..end
//!         load what lives at `entry`; run from there to the next synchronisation point or the end
//!         store what lives there; all lanes must come to the same
//! ```
//!
//! Values of the IR are variables of `cranelift-frontend`, which makes SSA of them again: a region can begin behind a
//! value's definition.

use crate::Refusal;
use crate::abi::{BAIL, Bail, DONE, Frame, Helper, LANE_BYTES, View};
use crate::branch;
use crate::classes::Class;
use crate::copies::Copied;
use crate::gathers::Scattered;
use crate::kernel::Promises;
use crate::loops::{Loops, Turns};
use crate::masked::{Mask, Region};
use crate::plan::{From, Plan, Point, RootUse};
use crate::remat::Remat;
use crate::syncs::Kind;
use crate::vector::{Alone, Parts, WIDTH};
use cranelift_codegen::ir::condcodes::IntCC as Cc;
use cranelift_codegen::ir::types as ct;
use cranelift_codegen::ir::{self as cl, InstBuilder, MemFlagsData as MemFlags};
use cranelift_entity::SecondaryMap;
use cranelift_frontend::{FunctionBuilder, Switch, Variable};
use cudair_codegen::Ranges;
use cudair_ir::cfg::Cfg;
use cudair_ir::*;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::collections::BTreeMap;
use std::mem::offset_of;
use std::rc::Rc;

/// What the emission of a kernel looks at.
pub(crate) struct Given<'a> {
    pub func: &'a Function,
    pub plan: &'a Plan,
    pub promises: &'a Promises,
    pub cfg: &'a Cfg,
    pub cycles: &'a cycles::Cycles,
    pub ranges: &'a Ranges<'a>,
    /// Values whose NaN is made the device's where its bits are seen.
    pub computed: &'a SecondaryMap<Value, bool>,
    /// The branches at which lanes that run together may part.
    pub divergent: &'a [DivergentBranch],
    /// What lies behind the branches that lanes run under masks, by the branches' blocks.
    pub regions: &'a FxHashMap<Block, Region>,
    /// Loops that lanes leave at different turns.
    pub loops: &'a Loops,
    /// Where values are kept, by number.
    pub slots: &'a FxHashMap<Value, u32>,
    /// Values that are the same for all threads of a block.
    pub uniform: &'a EntitySet<Value>,
    /// Of these, the ones that are kept across synchronisation points once for the block, by number.
    pub shared_slots: &'a FxHashMap<Value, u32>,
}

/// A branch at which lanes that run together may part.
pub(crate) struct DivergentBranch {
    /// Its block.
    pub block: Block,
    /// Its number in the block.
    pub at: usize,
    /// What is used from there on.
    pub live: Vec<Value>,
}

impl Given<'_> {
    /// Whether the ranges of the operands prove that an operation in a block does not overflow as a signed one.
    pub(crate) fn is_within(&self, block: Block, op: BinaryOp, args: [Value; 2]) -> bool {
        let ty = self.func.value_type(args[0]);
        let [(a0, a1), (b0, b1)] = args.map(|v| self.ranges.at(v, block));
        let (low, high) = match op {
            BinaryOp::Iadd => (a0 + b0, a1 + b1),
            BinaryOp::Isub => (a0 - b1, a1 - b0),
            BinaryOp::Imul => {
                let all = [a0, a1].map(|a| [b0, b1].map(|b| a.checked_mul(b)));
                let all: Option<Vec<i128>> = all.into_iter().flatten().collect();
                let Some(all) = all else { return false };
                (
                    all.iter().copied().fold(i128::MAX, i128::min),
                    all.iter().copied().fold(i128::MIN, i128::max),
                )
            }
            _ => return false,
        };
        let most = 1i128 << (ty.bits() - 1);
        low >= -most && high < most
    }
}

/// An access: its pointer, bytes, alignment that it states as a power of two, and whether the object has to be writable.
type Access = (Value, u32, u8, bool);

/// A program point, and whether lanes go on there that have waited for others, at the instruction itself.
type Node = (Point, bool);

/// The function that is made.
pub(crate) struct Emitter<'a, 'b> {
    pub(crate) given: &'a Given<'a>,
    pub(crate) b: FunctionBuilder<'b>,
    /// The functions through which helpers are called, by [`Helper`].
    pub(crate) trampolines: [cl::FuncRef; crate::abi::HELPERS],
    vars: SecondaryMap<Value, SmallVec<[Variable; 8]>>,
    nodes: FxHashMap<Node, cl::Block>,
    /// Of these, the ones without code, in the order of the function.
    open: BTreeMap<(Option<usize>, usize, bool), Block>,
    pub(crate) frame: cl::Value,
    /// The lane, and where it keeps what lives across synchronisation points: values of eight bytes, and of four.
    pub(crate) lane: cl::Value,
    pub(crate) words: cl::Value,
    pub(crate) halves: cl::Value,
    /// The local variables in memory of the lane and those around it, and its number among the eight where each runs alone.
    pub(crate) locals: cl::Value,
    pub(crate) lane_of_eight: cl::Value,
    tid: [Option<cl::Value>; 3],
    /// Which values are rematerialised, and not computed where they are defined.
    pub(crate) remat: SecondaryMap<Value, Remat>,
    /// Where compiled code gives up, with the reason; and for each reason that there is.
    bail: cl::Block,
    reasons: Vec<(Bail, cl::Block)>,
    /// Where compiled code ends with an exit.
    pub(crate) gone: cl::Block,
    /// Of lanes that run together: how values differ between them. None where each lane runs alone.
    pub(crate) classes: Option<&'a SecondaryMap<Value, Class>>,
    /// The function of the kernel for lanes that run alone.
    pub(crate) scalar: Option<cl::FuncRef>,
    /// The lane that is looked at alone, of those that run together.
    pub(crate) alone: Option<Alone>,
    /// The lanes that run, where not all do of those that run together.
    pub(crate) mask: Option<Mask>,
    /// The turns of loops under masks, by the loops' headers.
    pub(crate) loop_turns: FxHashMap<Block, Rc<Turns>>,
    /// Nobody asks whether what is loaded is initialised; and what is, of values that are copied.
    pub(crate) unchecked: bool,
    pub(crate) copied: FxHashMap<Value, Copied>,
    /// Instructions that are done for all lanes at once, and for one after the other, weighted by the loops around them.
    pub(crate) cost: (u64, u64),
    /// Signed overflow of lanes that run together, in the sign bits.
    pub(crate) vector_signs: Variable,
    /// Of lanes that run together: they have done nothing so far but what all that follow will do, too, and what is done
    /// once for the block.
    pub(crate) idle: Variable,
    /// Places that lanes have accessed, checked, in the code that leads to what is emitted without a way around it.
    pub(crate) places: Vec<(Access, Scattered)>,
    /// Turns that are left; signed overflow so far, in the sign bit and in any bit.
    pub(crate) turns: Variable,
    pub(crate) signs: Variable,
    pub(crate) bits: Variable,
    /// Where atomic operations are ordered: the lanes that have not run yet, and the one that runs, which is the first.
    pub(crate) active: Variable,
    /// Where a lane ends, with where it stands then, unless atomic operations are ordered.
    pub(crate) lane_end: cl::Block,
    /// The place of the instruction that is emitted.
    pub(crate) block: Block,
    /// Where the code around it begins: the start of its block, or behind a synchronisation point.
    point: Point,
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

/// Loads and stores of the frame and of epochs: they neither trap nor are misaligned.
pub(crate) fn trusted() -> MemFlags {
    MemFlags::trusted()
}

/// Loads and stores of cells and bits, which may be misaligned.
pub(crate) fn unaligned() -> MemFlags {
    MemFlags::new().with_notrap()
}

/// Loads of what does not change while the function runs.
pub(crate) fn constant() -> MemFlags {
    MemFlags::trusted().with_readonly().with_can_move()
}

impl<'a, 'b> Emitter<'a, 'b> {
    /// Fills the function that `b` builds.
    pub(crate) fn emit(
        given: &'a Given<'a>,
        mut b: FunctionBuilder<'b>,
        trampolines: [cl::FuncRef; crate::abi::HELPERS],
        together: Option<(&'a SecondaryMap<Value, Class>, cl::FuncRef)>,
        target: cranelift_codegen::isa::TargetFrontendConfig,
    ) -> Result<(u64, u64), Refusal> {
        let start = b.create_block();
        b.append_block_params_for_function_params(start);
        b.switch_to_block(start);
        let &[frame, entry, first, end] = b.block_params(start) else {
            return Err(Refusal("the function has other parameters"));
        };
        let (bail, gone, lane_end) = (b.create_block(), b.create_block(), b.create_block());
        b.append_block_param(bail, ct::I32);
        b.set_cold_block(bail);
        b.append_block_param(gone, ct::I32);
        if !given.plan.ordered {
            b.append_block_param(lane_end, ct::I32);
        }
        let active = b.declare_var(ct::I64);
        let (turns, signs, bits) = (b.declare_var(ct::I64), b.declare_var(ct::I64), b.declare_var(ct::I64));
        let entry_block = given.func.entry().ok_or(Refusal("it has no body"))?;
        let vector_signs = b.declare_var(ct::I32X4);
        let idle = b.declare_var(ct::I8);
        let mut e = Emitter {
            given,
            b,
            trampolines,
            vars: SecondaryMap::new(),
            nodes: FxHashMap::default(),
            open: BTreeMap::new(),
            frame,
            lane: first,
            words: frame,
            halves: frame,
            locals: frame,
            lane_of_eight: frame,
            tid: [None; 3],
            remat: SecondaryMap::new(),
            bail,
            reasons: Vec::new(),
            gone,
            classes: together.map(|t| t.0),
            scalar: together.map(|t| t.1),
            alone: None,
            mask: None,
            loop_turns: FxHashMap::default(),
            unchecked: false,
            copied: FxHashMap::default(),
            cost: (0, 0),
            vector_signs,
            idle,
            places: Vec::new(),
            turns,
            signs,
            bits,
            active,
            lane_end,
            block: entry_block,
            point: (entry_block, 0),
        };
        e.body(entry, first, end)?;
        e.b.seal_all_blocks();
        e.b.finalize(target);
        Ok(e.cost)
    }

    fn body(&mut self, entry: cl::Value, first: cl::Value, end: cl::Value) -> Result<(), Refusal> {
        let (head, body, done) = (self.b.create_block(), self.b.create_block(), self.b.create_block());
        let left = self.frame_field(ct::I64, offset_of!(Frame, turns));
        self.b.def_var(self.turns, left);
        let zero = self.b.ins().iconst(ct::I64, 0);
        self.b.def_var(self.signs, zero);
        self.b.def_var(self.bits, zero);
        if self.classes.is_some() {
            let zero = self.b.ins().iconst(ct::I32, 0);
            let zeros = self.b.ins().splat(ct::I32X4, zero);
            self.b.def_var(self.vector_signs, zeros);
        }
        let exit = self.b.declare_var(ct::I32);
        let none = self.b.ins().iconst(ct::I32, i64::from(BAIL));
        self.b.def_var(exit, none);
        let lanes = self.frame_field(ct::I64, offset_of!(Frame, lanes));
        let lane_var = self.b.declare_var(ct::I32);
        self.b.def_var(lane_var, first);
        self.arguments(self.block)?;
        self.find_remat();
        self.rematerialise(Remat::Block)?;
        if self.given.plan.ordered {
            let all = self.frame_field(ct::I64, offset_of!(Frame, active));
            self.b.def_var(self.active, all);
            let none = self.b.ins().iconst(ct::I32, 0);
            self.b.def_var(exit, none);
        }
        self.b.ins().jump(head, &[]);

        self.b.switch_to_block(head);
        let step = if self.classes.is_some() { WIDTH } else { 1 };
        let lane = if self.given.plan.ordered {
            let left = self.b.use_var(self.active);
            self.stay(left, body, done);
            self.b.switch_to_block(body);
            let at = self.b.ins().ctz(left);
            let at = self.b.ins().ireduce(ct::I32, at);
            self.b.ins().iadd(first, at)
        } else {
            let lane = self.b.use_var(lane_var);
            let last = self.b.ins().iadd_imm_s(lane, i64::from(step));
            let more = self.b.ins().icmp(Cc::UnsignedLessThanOrEqual, last, end);
            self.stay(more, body, done);
            self.b.switch_to_block(body);
            lane
        };
        self.lane = lane;
        let wide = self.b.ins().uextend(ct::I64, lane);
        let bytes = self.b.ins().imul_imm_s(wide, LANE_BYTES as i64);
        self.words = self.b.ins().iadd(lanes, bytes);
        let bytes = self.b.ins().imul_imm_s(wide, LANE_BYTES as i64 / 2);
        self.halves = self.b.ins().iadd(lanes, bytes);
        self.coordinates();
        self.find_locals(wide);
        self.rematerialise(Remat::Lane)?;
        let turns_before = self.b.use_var(self.turns);
        self.set_idle(self.skips_idle());
        self.dispatch(entry)?;
        self.nodes()?;

        // A lane has come to a synchronisation point or to its end.
        self.b.switch_to_block(self.lane_end);
        if self.given.plan.ordered {
            let left = self.b.use_var(self.active);
            let less = self.b.ins().iadd_imm_s(left, -1);
            let left = self.b.ins().band(left, less);
            self.b.def_var(self.active, left);
        } else {
            let here = self.b.block_params(self.lane_end)[0];
            self.ends_at(exit, here, (lane, first));
            let next = self.b.ins().iadd_imm_s(lane, i64::from(step));
            self.b.def_var(lane_var, next);
            if self.skips_idle() {
                self.skip_idle(lane_var, (next, end), turns_before);
            }
        }
        self.b.ins().jump(head, &[]);

        self.b.switch_to_block(done);
        if self.classes.is_some() {
            // What is left goes on lane by lane.
            let (rest, over) = (self.b.create_block(), self.b.create_block());
            let left = self.b.ins().icmp(Cc::UnsignedLessThan, lane, end);
            self.b.ins().brif(left, rest, &[], over, &[]);
            self.b.switch_to_block(rest);
            let here = self.lanes_alone(entry, lane, end)?;
            self.ends_at(exit, here, (lane, first));
            self.b.ins().jump(over, &[]);
            self.b.switch_to_block(over);
            let signs = self.b.use_var(self.vector_signs);
            let zero = self.b.ins().iconst(ct::I32, 0);
            let zeros = self.b.ins().splat(ct::I32X4, zero);
            let fine = self.b.ins().icmp(Cc::SignedGreaterThanOrEqual, signs, zeros);
            let fine = self.b.ins().vall_true(fine);
            self.require(fine, Bail::Overflow);
        }
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

        for (why, block) in std::mem::take(&mut self.reasons) {
            self.b.switch_to_block(block);
            let reason = self.b.ins().iconst(ct::I32, i64::from(why as u32));
            self.b.ins().jump(self.bail, &[reason.into()]);
        }
        self.b.switch_to_block(self.bail);
        let reason = self.b.block_params(self.bail)[0];
        self.set_frame_field(reason, offset_of!(Frame, reason));
        let exit = self.b.ins().iconst(ct::I32, i64::from(BAIL));
        self.b.ins().jump(self.gone, &[exit.into()]);

        self.b.switch_to_block(self.gone);
        let exit = self.b.block_params(self.gone)[0];
        self.b.ins().return_(&[exit]);
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
                [Some(self.b.ins().isub(lane, before)), Some(self.b.ins().isub(row, rows)), Some(plane)]
            }
        };
    }

    /// The code from each program point that is gone to, in the order of the function.
    fn nodes(&mut self) -> Result<(), Refusal> {
        while let Some(((_, at, waited), block)) = self.open.pop_first() {
            let to = self.nodes[&((block, at), waited)];
            self.b.switch_to_block(to);
            self.code_from((block, at), waited)?;
        }
        Ok(())
    }

    /// The block of the code from a program point.
    pub(crate) fn node(&mut self, point: Point, waited: bool) -> cl::Block {
        if let Some(&known) = self.nodes.get(&(point, waited)) {
            return known;
        }
        let node = self.b.create_block();
        self.nodes.insert((point, waited), node);
        self.open.insert((self.given.cfg.rpo_index(point.0), point.1, waited), point.0);
        node
    }

    /// The code from a program point to the end of its block, or to a synchronisation point: where lanes have waited at the point
    /// itself, to the next one.
    fn code_from(&mut self, (block, from): Point, waited: bool) -> Result<(), Refusal> {
        self.enter((block, from));
        let func = self.given.func;
        if func.entry() == Some(block) && from == 0 {
            self.begin_locals()?;
        }
        for (at, &inst) in func.block_insts(block).iter().enumerate().skip(from) {
            let plan = self.given.plan;
            if let Some(&n) = plan.sync_at.get(&(block, at))
                && !(waited && at == from)
            {
                if plan.syncs[n].kind == Kind::Warp {
                    self.offer(inst)?;
                }
                self.keep(&plan.live[n])?;
                self.comes_to(n as u32 + 1);
                return Ok(());
            }
            match &func.insts[inst] {
                InstData::Jump { dest } => {
                    self.edge(block, dest)?;
                    return Ok(());
                }
                InstData::Branch { cond, then, other } => {
                    let (yes, no) = (self.b.create_block(), self.b.create_block());
                    let uniform = self.class(*cond) == Class::Uniform;
                    if uniform {
                        let c = self.value(*cond)?;
                        if self.leaves(block, other) {
                            self.stay(c, yes, no);
                        } else {
                            self.b.ins().brif(c, yes, &[], no, &[]);
                        }
                    } else {
                        self.vector_branch((block, at), *cond, [then, other], [yes, no])?;
                    }
                    for (at, dest, is) in [(yes, then, true), (no, other, false)] {
                        self.b.switch_to_block(at);
                        if !uniform || !self.given.uniform.contains(*cond) {
                            self.stays_idle(*cond, is)?;
                        }
                        self.edge(block, dest)?;
                    }
                    return Ok(());
                }
                InstData::Switch { arg, table } => {
                    if !self.given.uniform.contains(*arg) {
                        self.set_idle(false);
                    }
                    return self.switch(block, *arg, *table);
                }
                InstData::Return { .. } => {
                    self.comes_to(DONE);
                    return Ok(());
                }
                InstData::Trap { .. } => {
                    self.give_up(Bail::Trap);
                    return Ok(());
                }
                _ if func.result(inst).is_some_and(|v| self.is_remat(v)) => {}
                _ => {
                    if !self.is_idle(inst) {
                        self.set_idle(false);
                    }
                    self.inst(inst)?;
                }
            }
        }
        Err(Refusal("a block has no end"))
    }

    /// Code is emitted from a program point on.
    pub(crate) fn enter(&mut self, point: Point) {
        (self.block, self.point) = (point.0, point);
        self.places.clear();
        self.copied.clear();
    }

    /// Where the code around what is emitted begins: the start of its block, or behind a synchronisation point.
    pub(crate) fn point(&self) -> Point {
        self.point
    }

    /// Whether an edge leads out of the innermost loop around a block.
    pub(crate) fn leaves(&self, from: Block, dest: &BlockCall) -> bool {
        let cycles = self.given.cycles;
        cycles.innermost(from).is_some_and(|cycle| !cycles.contains(cycle, dest.block))
    }

    /// Goes along an edge of the control-flow graph.
    fn edge(&mut self, from: Block, dest: &BlockCall) -> Result<(), Refusal> {
        let func = self.given.func;
        let (params, args) = (func.block_params(dest.block), dest.args.as_slice(&func.pool));
        let mut values: Vec<Parts> = Vec::with_capacity(args.len());
        for (&param, &arg) in params.iter().zip(args) {
            values.push(self.passed(arg, param)?);
        }
        for (&param, x) in params.iter().zip(values) {
            self.define_many(param, &x)?;
        }
        if self.given.cfg.is_back_edge(from, dest.block) {
            self.turn();
        }
        let to = self.node((dest.block, 0), false);
        self.b.ins().jump(to, &[]);
        Ok(())
    }

    /// The registers of what an edge gives to a parameter.
    pub(crate) fn passed(&mut self, arg: Value, param: Value) -> Result<Parts, Refusal> {
        let canonical = self.given.computed[arg] && !self.given.computed[param];
        if self.class(param) == Class::Many {
            if self.ty(arg).is_ptr() && self.given.plan.from[arg] != self.given.plan.from[param] {
                return Err(Refusal("pointers of several roots meet"));
            }
            return if canonical { self.many_seen(arg) } else { self.many(arg) };
        }
        let x = if canonical { self.seen(arg)? } else { self.value(arg)? };
        Ok(smallvec::smallvec![self.rooted(x, arg, param)?])
    }

    fn switch(&mut self, block: Block, arg: Value, table: SwitchTable) -> Result<(), Refusal> {
        if self.class(arg) != Class::Uniform {
            return Err(Refusal("lanes diverge at a switch"));
        }
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

    /// A turn of a loop, of all lanes that run together.
    fn turn(&mut self) {
        let lanes = if self.classes.is_some() { WIDTH } else { 1 };
        let lanes = self.b.ins().iconst(ct::I64, i64::from(lanes));
        self.turns_of(lanes);
    }

    /// A turn of a loop, of so many lanes.
    pub(crate) fn turns_of(&mut self, lanes: cl::Value) {
        let left = self.b.use_var(self.turns);
        let left = self.b.ins().isub(left, lanes);
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
        // The turns of the lanes that follow are counted by theirs.
        self.set_idle(false);
        self.b.ins().jump(go_on, &[]);
        self.b.switch_to_block(go_on);
    }

    // What instructions are made of.

    /// What threads of the block do to a root between the synchronisation points around the instruction that is emitted.
    pub(crate) fn between(&self, root: u32) -> RootUse {
        match self.given.plan.between.get(&self.point) {
            Some(uses) => uses[root as usize],
            None => self.given.plan.uses[root as usize],
        }
    }

    /// The type of a value.
    pub(crate) fn ty(&self, v: Value) -> Type {
        self.given.func.value_type(v)
    }

    /// How a value differs between the lanes that run together.
    pub(crate) fn class(&self, v: Value) -> Class {
        self.classes.map_or(Class::Uniform, |classes| classes[v])
    }

    /// Whether several lanes do as one.
    pub(crate) fn are_several(&self) -> bool {
        self.classes.is_some() && self.alone.is_none()
    }

    /// Whether an instruction does not do the same for all lanes that run together.
    pub(crate) fn is_for_many(&self, inst: Inst) -> bool {
        let Some(classes) = self.classes else { return false };
        let func = self.given.func;
        let result = func.result(inst).map(|v| classes[v]);
        if matches!(func.insts[inst], InstData::Store { .. } | InstData::AtomicRmw { .. }) {
            return true;
        }
        let mut differ = false;
        func.for_each_arg(inst, |v| differ |= classes[v] != Class::Uniform);
        match result {
            Some(Class::Many) => true,
            // Strides may cancel out: it is made of the first lane's operands, as where they do not.
            Some(Class::Affine(_) | Class::Uniform) => false,
            _ => differ,
        }
    }

    /// The registers of a value.
    pub(crate) fn vars(&mut self, v: Value) -> Result<SmallVec<[Variable; 8]>, Refusal> {
        if self.vars[v].is_empty() {
            let ty = self.ty(v);
            let (reg, n) = match self.class(v) {
                Class::Many => crate::vector::parts(ty)?,
                // The first lane's, and what is added from lane to lane.
                Class::Strided => (register(ty)?, 2),
                _ => (register(ty)?, 1),
            };
            self.vars[v] = (0..n).map(|_| self.b.declare_var(reg)).collect();
        }
        Ok(self.vars[v].clone())
    }

    /// A value's register, of the first lane. A pointer with a root is the distance from its object's start.
    pub(crate) fn first(&mut self, v: Value) -> Result<cl::Value, Refusal> {
        let vars = self.vars(v)?;
        match vars[..] {
            [var] => Ok(self.b.use_var(var)),
            [first, _] if self.class(v) == Class::Strided => Ok(self.b.use_var(first)),
            _ => Err(Refusal("a value of several lanes is taken for one")),
        }
    }

    /// A value's register, of the lane that is looked at.
    pub(crate) fn value(&mut self, v: Value) -> Result<cl::Value, Refusal> {
        match self.alone(v)? {
            Some(x) => Ok(x),
            None => self.first(v),
        }
    }

    /// Defines a value that is one for all lanes that run together.
    pub(crate) fn define(&mut self, v: Value, x: cl::Value) -> Result<(), Refusal> {
        self.define_many(v, &[x])
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

    /// A field of the frame that does not change while the function runs.
    pub(crate) fn fixed_field(&mut self, ty: cl::Type, at: usize) -> cl::Value {
        self.b.ins().load(ty, constant(), self.frame, at as i32)
    }

    /// Sets a field of the frame.
    pub(crate) fn set_frame_field(&mut self, x: cl::Value, at: usize) {
        self.b.ins().store(trusted(), x, self.frame, at as i32);
    }

    /// A field of a root's view.
    pub(crate) fn view_field(&mut self, root: u32, ty: cl::Type, at: usize) -> cl::Value {
        let roots = self.fixed_field(ct::I64, offset_of!(Frame, roots));
        let at = root as usize * size_of::<View>() + at;
        self.b.ins().load(ty, constant(), roots, at as i32)
    }

    /// Gives up where the condition does not hold.
    pub(crate) fn require(&mut self, fine: cl::Value, why: Bail) {
        let go_on = self.b.create_block();
        let gives_up = self.gives_up(why);
        self.stay(fine, go_on, gives_up);
        self.b.seal_block(go_on);
        self.b.switch_to_block(go_on);
    }

    /// [`branch::stay`].
    pub(crate) fn stay(&mut self, condition: cl::Value, stays: cl::Block, leaves: cl::Block) {
        branch::stay(&mut self.b, condition, stays, leaves);
    }

    /// Gives up.
    pub(crate) fn give_up(&mut self, why: Bail) {
        let gives_up = self.gives_up(why);
        self.b.ins().jump(gives_up, &[]);
    }

    /// Where compiled code gives up for a reason: the reason is a constant there, and takes no register elsewhere.
    fn gives_up(&mut self, why: Bail) -> cl::Block {
        if let Some(&(_, block)) = self.reasons.iter().find(|(reason, _)| *reason == why) {
            return block;
        }
        let block = self.b.create_block();
        self.b.set_cold_block(block);
        self.reasons.push((why, block));
        block
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
        self.b.seal_block(other);
        self.b.switch_to_block(other);
        rare(self)?;
        self.b.ins().jump(go_on, &[]);
        self.b.seal_block(go_on);
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
