//! What is emitted for a function, and which registers that reads and writes.
//!
//! Some values never become registers: constants, conversions that change no bits, addresses and index
//! arithmetic that loads and stores take apart, comparisons that branches swallow. Starting from what
//! has effects, everything that is needed is marked; the rest is not emitted.

use super::address::{Address, Base, Sum};
use super::late::LateUses;
use super::live::{BlockSteps, Step};
use super::order::BlockOrder;
use super::vreg::{Class, File, VReg, VRegs};
use super::{Context, classify, flags, nan};
use cranelift_entity::{EntityRef, SecondaryMap};
use cudair_ir::{
    Block, CastOp, DEVICE_SUFFIX, Function, GlobalId, Inst, InstData, IntCC, PackedOption, SpecialReg, Type,
    Value, ValueDef,
};
use cudair_lane::ptr::Ptr;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// Where a value is found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Operand {
    /// In a register.
    Reg(VReg),
    /// In the constants: its bits.
    Const(u128),
}

/// What stands in a register before the first block.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Preset {
    /// The address of a variable of static storage.
    Global(GlobalId),
    /// A special register.
    Special(SpecialReg),
}

/// The plan of a function.
pub(super) struct Plan<'a> {
    pub cx: &'a Context<'a>,
    pub func: &'a Function,
    pub order: BlockOrder,
    pub regs: VRegs,
    /// How often each value is used.
    pub use_count: SecondaryMap<Value, u32>,
    operands: SecondaryMap<Value, Option<Operand>>,
    /// The addresses of pointers.
    pub addresses: SecondaryMap<Value, Option<Address>>,
    /// Pointer additions taken apart.
    pub sums: SecondaryMap<Inst, Option<Box<Sum>>>,
    /// Which registers are needed.
    pub needed: SecondaryMap<VReg, bool>,
    /// Which instructions are emitted.
    pub(crate) emitted: SecondaryMap<Inst, bool>,
    /// Comparisons that are part of the branch.
    pub fused: SecondaryMap<Inst, Option<Inst>>,
    /// Loads that only move their value to a store.
    pub copied: SecondaryMap<Value, bool>,
    /// Loads whose values are used on some of the ways behind them only, and where they are.
    pub late: LateUses,
    /// Results of operations on binary32, whose NaN is the processor's until it is made the GPU's.
    pub computed: SecondaryMap<Value, bool>,
    /// What is computed before the first block, in order.
    pub(crate) presets: Vec<(VReg, Preset)>,
    /// The instruction that computes a register that is not a value.
    part_of: FxHashMap<VReg, Inst>,
    /// Checks of indices that cannot fail.
    skipped: SecondaryMap<Inst, bool>,
    /// The block of each instruction.
    block_of: SecondaryMap<Inst, PackedOption<Block>>,
}

impl<'a> Plan<'a> {
    /// Plans `func`, whose entry block is `entry`.
    pub fn new(cx: &'a Context<'a>, func: &'a Function, entry: Block) -> Plan<'a> {
        let order = BlockOrder::new(func, entry);
        let copied = copies(func, &order);
        let late = LateUses::new(func, &order, &copied);
        let regs = classify::classify(cx, func, &order, &copied);
        let computed = nan::computed(cx, func, &order);
        let mut plan = Plan {
            cx,
            func,
            order,
            regs,
            use_count: SecondaryMap::new(),
            operands: SecondaryMap::new(),
            addresses: SecondaryMap::new(),
            sums: SecondaryMap::new(),
            needed: SecondaryMap::new(),
            emitted: SecondaryMap::new(),
            fused: SecondaryMap::new(),
            copied,
            late,
            computed,
            presets: Vec::new(),
            part_of: FxHashMap::default(),
            skipped: super::bounds::skipped(func, cx.block_dim),
            block_of: SecondaryMap::new(),
        };
        plan.resolve();
        plan.mark();
        let needed = &plan.needed;
        plan.presets.retain(|&(r, _)| needed[r]);
        plan
    }

    /// The registers that are followed by the bits of initialisation of a value on its way to a store.
    pub fn extra(&self) -> SecondaryMap<VReg, bool> {
        flags(self.func.values.keys().filter(|&v| self.copied[v]).map(VReg::from))
    }

    /// Where a value is found.
    pub fn operand(&self, v: Value) -> Operand {
        self.operands[v].unwrap_or(Operand::Reg(v.into()))
    }

    /// The class of the register of a value; constants are scalars.
    pub fn class(&self, v: Value) -> Class {
        match self.operand(v) {
            Operand::Reg(r) => self.regs[r],
            Operand::Const(_) => Class::scalar(self.func.value_type(v)),
        }
    }

    /// The address of a pointer.
    pub fn address(&self, ptr: Value) -> Address {
        if let Some(a) = self.addresses[ptr] {
            return a;
        }
        match self.operand(ptr) {
            Operand::Reg(r) => Address::reg(r),
            Operand::Const(bits) => Address { base: Base::Const(bits as u64), index: None, disp: 0 },
        }
    }

    /// Forward: operands and addresses.
    fn resolve(&mut self) {
        let func = self.func;
        for &block in &self.order.blocks {
            for &inst in func.block_insts(block) {
                if self.skipped[inst] {
                    continue;
                }
                let counts = &mut self.use_count;
                func.for_each_arg(inst, |v| counts[v] += 1);
                self.block_of[inst] = block.into();
            }
        }
        let mut presets: FxHashMap<Preset, VReg> = FxHashMap::default();
        for i in 0..self.order.blocks.len() {
            let block = self.order.blocks[i];
            let in_loop = self.order.depth(block) > 0;
            for &inst in func.block_insts(block) {
                let Some(result) = func.result(inst) else { continue };
                let operand = match func.insts[inst] {
                    InstData::Const { bits, .. } => Some(Operand::Const(bits)),
                    InstData::FuncAddr { func } => Some(Operand::Const(Ptr::code(func.as_u32()).0.into())),
                    InstData::GlobalAddr { global } if in_loop || func.side.on_device() => {
                        Some(self.preset(&mut presets, Preset::Global(global), Class::S))
                    }
                    InstData::Special { reg }
                        if !matches!(reg, SpecialReg::Clock | SpecialReg::Globaltimer) =>
                    {
                        let class = self.regs[result.into()];
                        Some(self.preset(&mut presets, Preset::Special(reg), class))
                    }
                    InstData::Cast { op, arg, ty } if self.same_bits(op, arg, ty) => Some(self.operand(arg)),
                    InstData::SlotAddr { slot } => {
                        self.addresses[result] =
                            Some(Address { base: Base::Slot(slot), index: None, disp: 0 });
                        None
                    }
                    InstData::PtrAdd { ptr, offset } => {
                        self.add_pointer(inst, ptr, offset, result);
                        for (r, _) in
                            self.sums[inst].iter().flat_map(|s| s.base_part.iter().chain(&s.index_part))
                        {
                            self.part_of.insert(*r, inst);
                        }
                        None
                    }
                    _ => None,
                };
                self.operands[result] = operand;
                if let InstData::Cast { op: CastOp::Spacecast, arg, .. } = func.insts[inst] {
                    self.addresses[result] = Some(self.address(arg));
                }
            }
        }
    }

    fn preset(&mut self, known: &mut FxHashMap<Preset, VReg>, preset: Preset, class: Class) -> Operand {
        let regs = &mut self.regs;
        let presets = &mut self.presets;
        Operand::Reg(*known.entry(preset).or_insert_with(|| {
            let r = regs.push(class);
            presets.push((r, preset));
            r
        }))
    }

    /// Whether a conversion leaves the register's bits as they are.
    fn same_bits(&self, op: CastOp, arg: Value, ty: Type) -> bool {
        let from = self.func.value_type(arg);
        let class = self.class(arg);
        match op {
            CastOp::Bitcast if self.computed[arg] => false,
            CastOp::Bitcast | CastOp::Ptrtoint | CastOp::Inttoptr | CastOp::Spacecast => true,
            // Narrow values stand zero-extended in their registers.
            CastOp::Zext => match class {
                Class::S => ty.bits() <= 64,
                Class::V => ty.bits() <= 32,
                _ => false,
            },
            CastOp::Trunc | CastOp::Sext => from == ty,
            _ => false,
        }
    }

    /// Backward: what is needed.
    fn mark(&mut self) {
        let func = self.func;
        let mut work: Vec<VReg> = Vec::new();
        for i in 0..self.order.blocks.len() {
            let block = self.order.blocks[i];
            for &inst in func.block_insts(block) {
                if self.has_effect(inst) {
                    self.emit(inst, &mut work);
                }
            }
        }
        while let Some(r) = work.pop() {
            if std::mem::replace(&mut self.needed[r], true) {
                continue;
            }
            if let Some(&inst) = self.part_of.get(&r) {
                self.emitted[inst] = true;
                self.part_regs(inst, r, |r| work.push(r));
                continue;
            }
            if r.index() >= func.values.len() {
                continue;
            }
            match func.values[Value::new(r.index())].def {
                ValueDef::Result(inst, _) => self.emit(inst, &mut work),
                ValueDef::Param(block, n) => {
                    for &pred in self.order.preds(block) {
                        let Some(t) = func.terminator(pred) else { continue };
                        func.for_each_target(t, |call| {
                            if call.block == block
                                && let Some(arg) = self.edge_arg(block, call.args.as_slice(&func.pool), n)
                                && let Operand::Reg(a) = self.operand(arg)
                            {
                                work.push(a);
                            }
                        });
                    }
                }
            }
        }
    }

    /// The tables of handlers asked on the way from a landing, and whether there may be others. Where a handler
    /// begins the exception is taken, and what follows is no concern of it.
    pub fn handlers(&self, landing: Block) -> (SmallVec<[(GlobalId, u32); 2]>, bool) {
        let (func, module) = (self.func, self.cx.module);
        let (mut tables, mut unknown) = (SmallVec::new(), false);
        let mut seen = vec![landing];
        let mut at = 0;
        while let Some(&block) = seen.get(at) {
            at += 1;
            let mut taken = false;
            for &inst in func.block_insts(block) {
                let InstData::Call { func: callee, args, .. } = func.insts[inst] else { continue };
                match module.funcs[callee].name.as_str() {
                    "__cxa_begin_catch" => {
                        taken = true;
                        break;
                    }
                    "__cudair_choose_handler" => match args.as_slice(&func.pool) {
                        &[_, table, _] => match self.global_of(table) {
                            Some(global) => {
                                let entries = (module.globals[global].size / 16) as u32;
                                tables.push((global, entries));
                            }
                            None => unknown = true,
                        },
                        _ => unknown = true,
                    },
                    _ => {}
                }
            }
            if !taken {
                for succ in func.successors(block) {
                    if !seen.contains(&succ) {
                        seen.push(succ);
                    }
                }
            }
        }
        (tables, unknown)
    }

    /// The variable that a pointer is the start of.
    fn global_of(&self, mut pointer: Value) -> Option<GlobalId> {
        loop {
            match self.func.insts[self.func.def_inst(pointer)?] {
                InstData::GlobalAddr { global } => return Some(global),
                InstData::Cast { arg, .. } => pointer = arg,
                _ => return None,
            }
        }
    }

    /// The argument for parameter `n` of `block`; the result of an invoke, which comes first, has none.
    pub(crate) fn edge_arg(&self, block: Block, args: &[Value], n: u32) -> Option<Value> {
        let skipped = self.func.block_params(block).len().saturating_sub(args.len());
        args.get((n as usize).checked_sub(skipped)?).copied()
    }

    /// Whether an instruction must be executed even where nothing needs its result.
    fn has_effect(&self, inst: Inst) -> bool {
        match self.func.insts[inst] {
            // An order of pointers is checked: they have to point into one object.
            InstData::Icmp { cc, args: [a, _] } => {
                let orders = !matches!(cc, IntCC::Eq | IntCC::Ne) && self.func.value_type(a).is_ptr();
                orders && self.func.result(inst).is_some_and(|v| self.use_count[v] == 0)
            }
            InstData::Bounds { .. } => !self.skipped[inst],
            // Signed arithmetic is checked for overflow; where it was taken apart into addresses the
            // access is checked instead.
            InstData::Binary { op, nsw: true, .. } if !op.can_trap() => {
                self.func.result(inst).is_some_and(|v| self.use_count[v] == 0)
            }
            InstData::Unary { .. } => self.func.result(inst).is_some_and(|v| self.use_count[v] == 0),
            // A call whose result nobody wants is made nevertheless: what its operands are computed by may be checked.
            ref data => !data.is_pure(),
        }
    }

    fn emit(&mut self, inst: Inst, work: &mut Vec<VReg>) {
        if self.emitted[inst] && self.sums[inst].is_none() {
            return;
        }
        self.emitted[inst] = true;
        if let InstData::Branch { cond, .. } = self.func.insts[inst] {
            self.fused[inst] = self.fusable(inst, cond);
        }
        self.operand_regs(inst, |r| work.push(r));
    }

    /// The comparison that can be part of a branch on `cond`.
    fn fusable(&self, branch: Inst, cond: Value) -> Option<Inst> {
        let func = self.func;
        if self.use_count[cond] != 1 || self.operand(cond) != Operand::Reg(cond.into()) {
            return None;
        }
        let inst = func.def_inst(cond)?;
        let InstData::Icmp { cc, args: [a, b] } = func.insts[inst] else { return None };
        if self.class(a) != Class::S || self.class(b) != Class::S {
            return None;
        }
        let ty = func.value_type(a);
        let equality = matches!(cc, IntCC::Eq | IntCC::Ne);
        let ok = match ty {
            Type::I32 | Type::I64 => true,
            Type::Ptr(_) => equality,
            _ => !cc.is_signed(),
        };
        // Only inside one block: further away the operands would be kept alive for it.
        (ok && self.block_of[inst] == self.block_of[branch]).then_some(inst)
    }

    /// What each lane makes canonical by `inst`, in one operation (see `nan`).
    pub(crate) fn canonical_half(&self, inst: Inst) -> Option<Value> {
        let half = nan::canonical_half(self.func, inst)?;
        (self.func.result(inst).map(|v| self.class(v)) == Some(Class::V) && self.class(half) == Class::V)
            .then_some(half)
    }

    /// Calls `f` with the registers from which a part of a pointer addition is computed.
    fn part_regs(&self, inst: Inst, part: VReg, mut f: impl FnMut(VReg)) {
        let Some(sum) = &self.sums[inst] else { return };
        if let Some((r, terms)) = &sum.base_part
            && *r == part
        {
            if let Base::Reg(b) = sum.from.base {
                f(b);
            }
            terms.iter().for_each(|t| f(t.reg));
        }
        if let Some((r, terms)) = &sum.index_part
            && *r == part
        {
            terms.iter().for_each(|t| f(t.reg));
        }
    }

    /// Calls `f` with every register that the code of `inst` reads, as far as its needed results ask.
    pub(crate) fn operand_regs(&self, inst: Inst, mut f: impl FnMut(VReg)) {
        let func = self.func;
        let mut value = |v: Value| {
            if let Operand::Reg(r) = self.operand(v) {
                f(r);
            }
        };
        match func.insts[inst] {
            InstData::Load { ptr, .. } => self.address(ptr).regs().for_each(f),
            InstData::Store { value: v, ptr, .. } => {
                value(v);
                self.address(ptr).regs().for_each(f);
            }
            InstData::PtrAdd { .. } => {
                let (Some(sum), Some(result)) = (&self.sums[inst], func.result(inst)) else { return };
                let own = VReg::from(result);
                if self.needed[own] {
                    let address = self.address(result);
                    if address == Address::reg(own) {
                        sum.from.regs().for_each(&mut f);
                        sum.terms.iter().for_each(|t| f(t.reg));
                    } else {
                        // Among these may be parts that this instruction makes.
                        address.regs().for_each(&mut f);
                    }
                }
                for (part, _) in sum.base_part.iter().chain(&sum.index_part) {
                    if self.needed[*part] {
                        self.part_regs(inst, *part, &mut f);
                    }
                }
            }
            InstData::Branch { cond, ref then, ref other } => {
                match self.fused[inst].map(|i| &func.insts[i]) {
                    Some(InstData::Icmp { args: [a, b], .. }) => {
                        value(*a);
                        value(*b);
                    }
                    _ => value(cond),
                }
                for call in [then, other] {
                    self.edge_regs(call.block, call.args.as_slice(&func.pool), &mut f);
                }
            }
            InstData::Ternary { .. } => match self.canonical_half(inst) {
                Some(half) => value(half),
                None => func.for_each_arg(inst, value),
            },
            InstData::Switch { arg, .. } => {
                value(arg);
                func.for_each_target(inst, |call| {
                    self.edge_regs(call.block, call.args.as_slice(&func.pool), &mut f);
                });
            }
            InstData::Jump { ref dest } => {
                self.edge_regs(dest.block, dest.args.as_slice(&func.pool), &mut f);
            }
            InstData::Invoke { args, ref normal, ref unwind, .. } => {
                args.as_slice(&func.pool).iter().copied().for_each(value);
                for call in [normal, unwind] {
                    self.edge_regs(call.block, call.args.as_slice(&func.pool), &mut f);
                }
            }
            InstData::InvokeIndirect { callee, args, ref normal, ref unwind, .. } => {
                value(callee);
                args.as_slice(&func.pool).iter().copied().for_each(value);
                for call in [normal, unwind] {
                    self.edge_regs(call.block, call.args.as_slice(&func.pool), &mut f);
                }
            }
            _ => func.for_each_arg(inst, value),
        }
    }

    fn edge_regs(&self, block: Block, args: &[Value], mut f: impl FnMut(VReg)) {
        let params = self.func.block_params(block);
        let skipped = params.len().saturating_sub(args.len());
        for (&p, &a) in params[skipped..].iter().zip(args) {
            if self.needed[p.into()]
                && let Operand::Reg(r) = self.operand(a)
            {
                f(r);
            }
        }
    }

    /// What each block reads and writes, for liveness.
    pub fn steps(&self) -> SecondaryMap<Block, BlockSteps> {
        let func = self.func;
        let mut all: SecondaryMap<Block, BlockSteps> = SecondaryMap::new();
        for (n, &block) in self.order.blocks.iter().enumerate() {
            let steps = &mut all[block];
            // The caller writes all parameters of the function, needed or not.
            let params = func.block_params(block).iter().map(|&p| VReg::from(p));
            steps.params = params.filter(|&p| n == 0 || self.needed[p]).collect();
            if n == 0 {
                steps.steps.extend(
                    self.presets
                        .iter()
                        .map(|&(r, _)| Step { uses: SmallVec::new(), defs: [r].into_iter().collect() }),
                );
            }
            for &inst in func.block_insts(block) {
                if self.emitted[inst] {
                    steps.steps.push(self.step(inst));
                }
            }
        }
        all
    }

    /// What an instruction reads and writes.
    pub fn step(&self, inst: Inst) -> Step {
        let func = self.func;
        let mut step = Step::default();
        let results = func.inst_results(inst).iter().map(|&v| VReg::from(v));
        if let Some(sum) = &self.sums[inst] {
            let parts = sum.base_part.iter().chain(&sum.index_part).map(|(r, _)| *r);
            step.defs.extend(parts.chain(results).filter(|&r| self.needed[r]));
        } else {
            step.defs.extend(results);
        }
        // The result of an invoke is a parameter of its normal block, written before the jump there.
        let late = self.late(inst);
        self.operand_regs(inst, |r| {
            if !step.defs.contains(&r) {
                step.uses.push((r, late));
            }
        });
        step
    }

    /// Whether operands must not share registers with results: where one operation could overwrite
    /// lanes that it has yet to read, and where several operations are emitted.
    fn late(&self, inst: Inst) -> bool {
        use InstData::*;
        let func = self.func;
        match func.insts[inst] {
            Unary { .. } | Binary { .. } | Cast { .. } | Icmp { .. } | Fcmp { .. } | Ternary { .. } => {
                let Some(result) = func.result(inst) else { return true };
                let class = self.class(result);
                if class == Class::S {
                    return false;
                }
                let mut same = true;
                func.for_each_arg(inst, |a| {
                    let c = self.class(a);
                    same &= c == class || c.file() != class.file();
                });
                !same || class == Class::P || class == Class::S2
            }
            Load { .. } => {
                func.result(inst).is_none_or(|v| self.class(v).file() != File::S || self.copied[v])
            }
            Call { .. } | CallIndirect { .. } => false,
            PtrAdd { .. } => {
                let Some(result) = func.result(inst) else { return true };
                let several = self.sums[inst]
                    .as_ref()
                    .is_none_or(|s| s.base_part.iter().chain(&s.index_part).any(|(r, _)| self.needed[*r]));
                let mut wide = false;
                self.operand_regs(inst, |r| wide |= !self.regs[r].is_scalar() && self.regs[r] != Class::W);
                several || !self.class(result).is_scalar() && wide
            }
            _ => true,
        }
    }
}

/// Loads that are not checked for initialisation: the only use, if any, is the value of a store of the same type, or
/// only some of the bits are used. One without a use is what is left of a copy to where nobody reads.
pub(super) fn copies(func: &Function, order: &BlockOrder) -> SecondaryMap<Value, bool> {
    let mut stored: SecondaryMap<Value, u32> = SecondaryMap::new();
    let mut used: SecondaryMap<Value, u32> = SecondaryMap::new();
    for &block in &order.blocks {
        for &inst in func.block_insts(block) {
            func.for_each_arg(inst, |v| used[v] += 1);
            // A shuffle passes a value on like a store: who gets it is who uses it.
            if let InstData::Store { value, .. } | InstData::Shfl { value, .. } = func.insts[inst] {
                stored[value] += 1;
            }
        }
    }
    let mut out = SecondaryMap::new();
    for &block in &order.blocks {
        for &inst in func.block_insts(block) {
            if let InstData::Load { flags, .. } = func.insts[inst]
                && let Some(v) = func.result(inst)
                && (flags.partial || stored[v] == used[v] && used[v] <= 1)
            {
                out[v] = true;
            }
        }
    }
    out
}

/// Whether a call is pure arithmetic that runs lane by lane.
pub(super) fn is_math_call(cx: &Context<'_>, data: &InstData) -> bool {
    match data {
        InstData::Call { func, .. } => {
            let f = &cx.module.funcs[*func];
            f.is_declaration() && (cx.is_math)(f.name.strip_suffix(DEVICE_SUFFIX).unwrap_or(&f.name))
        }
        _ => false,
    }
}
