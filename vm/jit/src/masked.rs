//! Code that only some of the lanes run, of those that run together (*if-conversion*: Allen, Kennedy, Porterfield and Warren,
//! "Conversion of Control Dependence to Data Dependence", POPL 1983; of whole regions: Karrenberg and Hack, "Whole-Function
//! Vectorization", CGO 2011).
//!
//! Where lanes diverge at a branch, and all come together again before they synchronise, their ways are emitted once more, one
//! after the other, each under the mask of the lanes that take it. What accesses memory is done for those alone.

use crate::Refusal;
use crate::abi::Frame;
use crate::access::guest;
use crate::classes::{self, Class};
use crate::emit::{Emitter, Given, register, trusted};
use crate::plan::Plan;
use crate::vector::{Parts, WIDTH, parts};
use cranelift_codegen::ir::types as ct;
use cranelift_codegen::ir::{self as cl, InstBuilder};
use cranelift_entity::SecondaryMap;
use cranelift_frontend::Variable;
use cudair_ir::*;
use rustc_hash::FxHashMap;
use std::mem::offset_of;

/// Instructions of a region, at most, where an access to memory counts as eight: what cannot be done for all lanes at once is
/// emitted for each.
const MOST: usize = 64;

/// The blocks between a branch and where all that leave it come together.
pub(crate) struct Region {
    /// In reverse postorder.
    pub blocks: Vec<Block>,
    /// Where they come together.
    pub join: Block,
}

/// Which lanes run.
pub(crate) struct Mask {
    /// As a vector, of four lanes each.
    pub parts: [cl::Value; 2],
    /// A bit for each.
    pub bits: cl::Value,
    /// The last of them.
    last: cl::Value,
}

impl Region {
    /// The region behind the branch that ends a block, if its lanes come together without a loop or a synchronisation point.
    pub fn of(
        func: &Function,
        plan: &Plan,
        cfg: &cfg::Cfg,
        ends: &PostDomTree,
        from: Block,
    ) -> Option<Region> {
        let join = ends.ipdom(from)?;
        let mut blocks: Vec<Block> = Vec::new();
        let mut open: Vec<Block> = func.successors(from).into_iter().collect();
        let mut size = 0;
        while let Some(block) = open.pop() {
            if block == join || blocks.contains(&block) {
                continue;
            }
            let of_inst = |&inst: &Inst| match func.insts[inst].opcode().touches() {
                Touches::None => 1,
                _ => 8,
            };
            size += func.block_insts(block).iter().map(of_inst).sum::<usize>();
            let end = func.terminator(block).map(|end| &func.insts[end]);
            let goes_on = matches!(end, Some(InstData::Jump { .. } | InstData::Branch { .. }));
            if block == from || size > MOST || plan.synchronises(block, 0) || !goes_on {
                return None;
            }
            blocks.push(block);
            open.extend(func.successors(block));
        }
        let is_inside = |block: &Block| *block == from || blocks.contains(block);
        let comes_from_inside = |&block: &Block| cfg.preds(block).iter().all(is_inside);
        let goes_back = |&block: &Block| func.successors(block).iter().any(|&to| cfg.is_back_edge(block, to));
        if !blocks.iter().all(comes_from_inside) || blocks.iter().any(goes_back) || goes_back(&from) {
            return None;
        }
        blocks.sort_by_key(|&block| cfg.rpo_index(block));
        Some(Region { blocks, join })
    }

    /// Whether what is known of the region's values holds of lanes that do not run there, too, where all of them have come to
    /// the branch that ends `from`.
    pub fn holds(&self, given: &Given<'_>, known: &SecondaryMap<Value, Class>, from: Block) -> bool {
        let func = given.func;
        let from_one_root = |&block: &Block| {
            let params = func.block_params(block).iter().enumerate();
            let args = classes::incoming(func, block, given.cfg.preds(block).iter().copied());
            let root = |v: Value| given.plan.from[v];
            params
                .filter(|&(_, &p)| func.value_type(p).is_ptr())
                .all(|(n, &p)| args.iter().all(|a| root(a[n]) == root(p)))
        };
        if !self.blocks.iter().chain([&self.join]).all(from_one_root) {
            return false;
        }
        self.blocks.iter().flat_map(|&block| func.block_insts(block)).all(|&inst| {
            let Some(v) = func.result(inst) else { return true };
            let is_far = matches!(func.insts[inst], InstData::PtrAdd { .. }) && !given.plan.addresses[v];
            !is_far && (known[v] == Class::Many || classes::class(given, known, from, inst) == known[v])
        })
    }
}

/// An edge that some lanes take.
pub(crate) struct Edge<'a> {
    pub mask: [Variable; 2],
    pub dest: &'a BlockCall,
}

impl<'a> Emitter<'a, '_> {
    /// The code of a region for lanes of which only some fulfil a condition, to where all come together.
    pub(crate) fn masked(
        &mut self,
        region: &Region,
        cond: Value,
        targets: [&'a BlockCall; 2],
    ) -> Result<(), Refusal> {
        let before = self.point();
        let none = EntitySet::new();
        let mut edges: FxHashMap<Block, Vec<Edge<'a>>> = FxHashMap::default();
        let masks = [self.edge_masks(), self.edge_masks()];
        self.part_at(cond, masks)?;
        for (mask, dest) in masks.into_iter().zip(targets) {
            edges.entry(dest.block).or_default().push(Edge { mask, dest });
        }
        for &block in &region.blocks {
            let incoming = edges.remove(&block).unwrap_or_default();
            self.come_together(block, &incoming, &none)?;
            let mask = self.either(&incoming);
            let outgoing = self.outgoing(block)?;
            let masks: Vec<[Variable; 2]> = outgoing.iter().map(|_| self.edge_masks()).collect();
            self.under_mask(block, mask, &masks, &none)?;
            for (mask, dest) in masks.into_iter().zip(outgoing) {
                edges.entry(dest.block).or_default().push(Edge { mask, dest });
            }
        }
        let incoming = edges.remove(&region.join).ok_or(Refusal("lanes do not come together"))?;
        self.come_together(region.join, &incoming, &none)?;
        self.enter(before);
        let to = self.node((region.join, 0), false);
        self.b.ins().jump(to, &[]);
        Ok(())
    }

    /// Sets the masks of the edges behind a branch of all lanes.
    pub(crate) fn part_at(&mut self, cond: Value, [yes, no]: [[Variable; 2]; 2]) -> Result<(), Refusal> {
        let cond = self.many(cond)?;
        for n in 0..2 {
            let not = self.b.ins().bnot(cond[n]);
            self.b.def_var(yes[n], cond[n]);
            self.b.def_var(no[n], not);
        }
        Ok(())
    }

    /// The edges that lead out of a block.
    pub(crate) fn outgoing(&self, block: Block) -> Result<Vec<&'a BlockCall>, Refusal> {
        let func = self.given.func;
        match func.terminator(block).map(|end| &func.insts[end]) {
            Some(InstData::Jump { dest }) => Ok(vec![dest]),
            Some(InstData::Branch { then, other, .. }) => Ok(vec![then, other]),
            _ => Err(Refusal("a region ends in its middle")),
        }
    }

    /// The code of a block for some lanes, if there are any. Sets the masks of the edges that lead out of it. Values of `last_seen`
    /// stay as they are in lanes that do not run.
    pub(crate) fn under_mask(
        &mut self,
        block: Block,
        mask: [cl::Value; 2],
        out: &[[Variable; 2]],
        last_seen: &EntitySet<Value>,
    ) -> Result<(), Refusal> {
        let func = self.given.func;
        let end = func.terminator(block).ok_or(Refusal("a block has no end"))?;
        for &mask in out {
            self.nobody_takes(mask);
        }
        let (body, next) = (self.b.create_block(), self.b.create_block());
        let any = self.b.ins().bor(mask[0], mask[1]);
        let any = self.b.ins().vany_true(any);
        self.b.ins().brif(any, body, &[], next, &[]);
        self.b.switch_to_block(body);
        self.enter((block, 0));
        self.mask = Some(self.lanes_of(mask));
        for &inst in func.block_insts(block).iter().filter(|&&inst| inst != end) {
            let result = func.result(inst);
            if result.is_some_and(|v| self.is_remat(v)) {
                continue;
            }
            let kept = result.filter(|&v| last_seen.contains(v) && self.class(v) == Class::Many);
            let before = kept.map(|v| self.many(v)).transpose()?;
            self.inst(inst)?;
            if let (Some(v), Some(before)) = (kept, before) {
                let x = self.many(v)?;
                let x = self.blend(self.ty(v), mask, &x, &before)?;
                self.define_many(v, &x)?;
            }
        }
        self.mask = None;
        self.places.clear();
        match (&func.insts[end], out) {
            (InstData::Branch { cond, .. }, &[then, other]) => {
                let cond = self.many(*cond)?;
                for n in 0..2 {
                    let yes = self.b.ins().band(mask[n], cond[n]);
                    let no = self.b.ins().band_not(mask[n], cond[n]);
                    self.b.def_var(then[n], yes);
                    self.b.def_var(other[n], no);
                }
            }
            (_, &[dest]) => (0..2).for_each(|n| self.b.def_var(dest[n], mask[n])),
            _ => return Err(Refusal("a region ends in its middle")),
        }
        self.b.ins().jump(next, &[]);
        self.b.switch_to_block(next);
        Ok(())
    }

    /// Variables for the mask of an edge, which nobody takes yet.
    pub(crate) fn edge_masks(&mut self) -> [Variable; 2] {
        let masks = [0, 1].map(|_| self.b.declare_var(ct::I32X4));
        self.nobody_takes(masks);
        masks
    }

    pub(crate) fn nobody_takes(&mut self, masks: [Variable; 2]) {
        let none = self.vector_of([0; 4]);
        for var in masks {
            self.b.def_var(var, none);
        }
    }

    /// The lanes that take any of some edges.
    pub(crate) fn either(&mut self, edges: &[Edge<'_>]) -> [cl::Value; 2] {
        [0, 1].map(|n| {
            let mut all = self.vector_of([0; 4]);
            for edge in edges {
                let mask = self.b.use_var(edge.mask[n]);
                all = self.b.ins().bor(all, mask);
            }
            all
        })
    }

    fn lanes_of(&mut self, parts: [cl::Value; 2]) -> Mask {
        let bits = self.bits_of(parts);
        let zeros = self.b.ins().clz(bits);
        let most = self.b.ins().iconst(ct::I32, 31);
        let last = self.b.ins().isub(most, zeros);
        let last = self.b.ins().uextend(ct::I64, last);
        Mask { parts, bits, last }
    }

    /// A bit for each lane of a mask.
    pub(crate) fn bits_of(&mut self, parts: [cl::Value; 2]) -> cl::Value {
        let [low, high] = parts.map(|part| self.b.ins().vhigh_bits(ct::I32, part));
        let high = self.b.ins().ishl_imm_s(high, 4);
        self.b.ins().bor(low, high)
    }

    /// Defines the parameters of a block by the edges that lanes have come along. Those of `last_seen` stay as they are in lanes
    /// that have not.
    pub(crate) fn come_together(
        &mut self,
        block: Block,
        edges: &[Edge<'_>],
        last_seen: &EntitySet<Value>,
    ) -> Result<(), Refusal> {
        let func = self.given.func;
        let mut values: Vec<Parts> = Vec::new();
        for (n, &param) in func.block_params(block).iter().enumerate() {
            let mut all: Option<Parts> = None;
            if last_seen.contains(param) && self.class(param) == Class::Many {
                all = Some(self.many(param)?);
            }
            for edge in edges {
                let x = self.passed(edge.dest.args.as_slice(&func.pool)[n], param)?;
                all = Some(match all {
                    // What does not differ between lanes is the same on all edges.
                    Some(before) if self.class(param) == Class::Many => {
                        let mask = edge.mask.map(|var| self.b.use_var(var));
                        self.blend(self.ty(param), mask, &x, &before)?
                    }
                    _ => x,
                });
            }
            values.push(all.ok_or(Refusal("no lane comes to a block"))?);
        }
        for (&param, x) in func.block_params(block).iter().zip(values) {
            self.define_many(param, &x)?;
        }
        Ok(())
    }

    /// By a mask, lanes of one value or of another, of a type.
    pub(crate) fn blend(
        &mut self,
        ty: Type,
        mask: [cl::Value; 2],
        yes: &Parts,
        no: &Parts,
    ) -> Result<Parts, Refusal> {
        let (_, n) = parts(ty)?;
        let mut out = Parts::new();
        for i in 0..n {
            let half = mask[i * 2 / n];
            out.push(match n {
                2 => self.choose(half, yes[i], no[i]),
                4 => {
                    let wide = if i % 2 == 0 {
                        self.b.ins().swiden_low(half)
                    } else {
                        self.b.ins().swiden_high(half)
                    };
                    self.choose(wide, yes[i], no[i])
                }
                _ => {
                    let lane = self.b.ins().extractlane(half, (i % 4) as u8);
                    self.b.ins().select(lane, yes[i], no[i])
                }
            });
        }
        Ok(out)
    }

    /// Words of the lanes that run, and that of the last of them for those that do not.
    pub(crate) fn or_of_last(&mut self, x: &Parts) -> Result<Parts, Refusal> {
        let Some(&Mask { parts: [low, high], last, .. }) = self.mask.as_ref() else {
            return Err(Refusal("there is no mask"));
        };
        for (n, &x) in x.iter().enumerate() {
            self.b.ins().store(guest(), x, self.frame, (offset_of!(Frame, offsets) + 16 * n) as i32);
        }
        let at = self.b.ins().ishl_imm_s(last, 2);
        let at = self.b.ins().iadd(self.frame, at);
        let word = self.b.ins().load(ct::I32, trusted(), at, offset_of!(Frame, offsets) as i32);
        let all = self.b.ins().splat(ct::I32X4, word);
        let ty = self.b.func.dfg.value_type(x[0]);
        let all = self.cast_vector(ty, all);
        Ok([low, high].iter().zip(x).map(|(&mask, &x)| self.choose(mask, x, all)).collect())
    }

    /// An instruction for one lane after the other, of those that run. Gives their words, and zeros for the others.
    pub(crate) fn guarded(&mut self, inst: Inst) -> Result<Vec<cl::Value>, Refusal> {
        let bits = self.mask.as_ref().map(|mask| mask.bits).ok_or(Refusal("there is no mask"))?;
        let func = self.given.func;
        let reg = func.result(inst).map(|v| register(func.value_type(v))).transpose()?;
        let mut words = Vec::new();
        for lane in 0..WIDTH {
            let (run, next) = (self.b.create_block(), self.b.create_block());
            let mut none = None;
            if let Some(reg) = reg {
                words.push(self.b.append_block_param(next, reg));
                none = Some(self.zero(reg));
            }
            let bit = self.b.ins().band_imm_s(bits, 1 << lane);
            let none: Vec<cl::BlockArg> = none.into_iter().map(Into::into).collect();
            self.b.ins().brif(bit, run, &[], next, &none);
            self.b.switch_to_block(run);
            let x = self.as_lane(lane, |e| e.compute(inst))?;
            let x: Vec<cl::BlockArg> = x.filter(|_| reg.is_some()).into_iter().map(Into::into).collect();
            self.b.ins().jump(next, &x);
            self.b.switch_to_block(next);
        }
        Ok(words)
    }

    fn zero(&mut self, reg: cl::Type) -> cl::Value {
        match reg {
            ct::F32 => self.b.ins().f32const(0.0),
            ct::F64 => self.b.ins().f64const(0.0),
            _ => self.b.ins().iconst(reg, 0),
        }
    }

    /// Whether an instruction can be done for lanes that do not run: it neither fails nor is seen elsewhere.
    pub(crate) fn is_harmless(&self, inst: Inst) -> bool {
        match self.given.func.insts[inst] {
            InstData::Const { .. }
            | InstData::Special { .. }
            | InstData::GlobalAddr { .. }
            | InstData::SlotAddr { .. } => true,
            InstData::Unary { nsw, .. } => !nsw,
            InstData::Binary { op, nsw, args } => {
                use BinaryOp::*;
                self.never_fails(op, nsw, args) || matches!(op, Fadd | Fsub | Fmul | Fdiv)
            }
            InstData::Cast { op, .. } => {
                use CastOp::*;
                matches!(
                    op,
                    Sext | Zext | Trunc | Bitcast | Sitofp | Uitofp | Fptosi | Fptoui | Fpext | Fptrunc
                )
            }
            InstData::Icmp { args, .. } => !self.ty(args[0]).is_ptr(),
            InstData::Fcmp { .. } => true,
            InstData::PtrAdd { ptr, .. } => self.root_of(ptr).is_some(),
            InstData::Ternary { op, .. } => matches!(op, TernaryOp::Select | TernaryOp::Fma),
            _ => false,
        }
    }
}
