//! From the plan to operations.
//!
//! The code is emitted twice: the first time to learn where blocks begin and how many temporaries are
//! needed, the second time with those numbers.

mod cast;
mod claims;
mod compare;
mod control;
mod device;
mod memory;
mod pointer;
mod scalar;
mod vector;

use super::Refusal;
use super::alloc::{self, Assignment};
use super::live::{BlockSteps, Liveness, Step};
use super::plan::{Operand, Plan, Preset};
use super::vreg::{Class, File, VReg};
use cranelift_entity::SecondaryMap;
use cudair_bytecode::{
    Code, GenDesc, GenKind, Op, P, Place, Reg, S, S2, SlotId, SlotLayout, Target, TypedReg, V, W, X,
};
use cudair_ir::{
    BinaryOp, Block, DiagnosticClass, FuncId, GlobalId, Inst, InstData, LifetimeOp, Loc, Slot, SpecialReg,
    TernaryOp, Type, Value, insts,
};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// More constants than this are put into registers where they are used.
const MAX_CONSTS: usize = 4096;

/// A place that operations can name before it is emitted.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Label(usize);

/// Temporaries in use for the current instruction and the most ever used.
#[derive(Clone, Copy, Default)]
struct Temps {
    now: u32,
    most: u32,
}

impl Temps {
    fn take(&mut self, base: u32, width: u32, align: u32) -> u32 {
        let at = (base + self.now).next_multiple_of(align);
        self.now = at + width - base;
        self.most = self.most.max(self.now);
        at
    }
}

/// Writes the code of one function.
pub(super) struct Emitter<'a> {
    plan: &'a Plan<'a>,
    live: &'a Liveness,
    steps: &'a SecondaryMap<Block, BlockSteps>,
    places: &'a Assignment,
    code: Code,
    /// Where each label is, as far as known.
    labels: Vec<u32>,
    next_label: usize,
    consts: FxHashMap<u64, u16>,
    wide_consts: FxHashMap<u128, u16>,
    /// By file, as the allocator has them: vectors of different widths share no planes, since a temporary may live across a branch,
    /// behind which other convergence groups run.
    temps: [Temps; alloc::FILES],
    /// The first numbers of the temporaries in each file.
    bases: [u32; alloc::FILES],
    /// Words of temporaries between the scalar registers and the constants.
    reserved: u32,
    /// Of these the first, which count the iterations of loops.
    counters: u32,
    /// Facts tested so far, by value.
    tested: SecondaryMap<Value, u32>,
    slots: SecondaryMap<Slot, Option<SlotId>>,
    place: Place,
    loc: Option<Loc>,
    /// The calls that may throw, and the operation behind each.
    landings: Vec<(Inst, u32)>,
    /// What the current instruction was said to read and write; only where that is checked.
    current: Option<Step>,
}

impl<'a> Emitter<'a> {
    /// Emits the code of the planned function.
    pub fn emit(
        plan: &'a Plan<'a>,
        live: &'a Liveness,
        steps: &'a SecondaryMap<Block, BlockSteps>,
        places: &'a Assignment,
        id: FuncId,
    ) -> Result<Code, Refusal> {
        let mut e = Emitter {
            plan,
            live,
            steps,
            places,
            code: Code::new(id, plan.func.display_name.clone(), plan.func.side),
            labels: Vec::new(),
            next_label: 0,
            consts: FxHashMap::default(),
            wide_consts: FxHashMap::default(),
            temps: [Temps::default(); alloc::FILES],
            bases: [places.planes; alloc::FILES],
            reserved: 0,
            counters: claims::counters(plan),
            tested: SecondaryMap::new(),
            slots: SecondaryMap::new(),
            place: Place::default(),
            loc: None,
            landings: Vec::new(),
            current: None,
        };
        e.temps[0].most = e.counters;
        e.pass()?;
        e.reserved = e.temps[0].most;
        e.part_planes();
        e.code = Code::new(id, plan.func.display_name.clone(), plan.func.side);
        e.consts.clear();
        e.wide_consts.clear();
        e.tested.clear();
        e.pass()?;
        e.finish()
    }

    /// Gives the temporaries of each width planes of their own, as many as the first pass took. Gives the number of all planes.
    fn part_planes(&mut self) -> u32 {
        let mut next = self.places.planes;
        for file in alloc::FIRST_PLANES..alloc::FILES {
            if self.temps[file].most > 0 {
                self.bases[file] = next.next_multiple_of(alloc::UNITS[file]);
                next = self.bases[file] + self.temps[file].most;
            }
        }
        next
    }

    fn pass(&mut self) -> Result<(), Refusal> {
        let plan = self.plan;
        self.next_label = 0;
        let blocks = &plan.order.blocks;
        for _ in blocks {
            self.new_label();
        }
        self.header();
        let latches = self.latches();
        for (n, &block) in blocks.iter().enumerate() {
            self.bind(Label(n));
            self.at(None);
            self.join_at_head(block);
            if n == 0 {
                self.presets();
                self.begin_counting();
            }
            self.block_body(block, self.label_behind(n, &latches), &latches)?;
            let here: SmallVec<[&control::Latch; 2]> = latches.iter().filter(|l| l.behind == n).collect();
            for (k, latch) in here.iter().enumerate() {
                let behind = match here.get(k + 1) {
                    Some(l) => Some(l.label),
                    None => blocks.get(n + 1).map(|&b| self.block_label(b)),
                };
                self.latch(latch, behind, &latches)?;
            }
        }
        self.landings();
        Ok(())
    }

    /// What the code says besides operations.
    fn header(&mut self) {
        let func = self.plan.func;
        self.code.ret = func.sig.ret;
        self.code.variadic = func.sig.variadic;
        if let Some(&entry) = self.plan.order.blocks.first() {
            for &p in func.block_params(entry) {
                let reg = self.machine_reg(p.into());
                self.code.params.push(TypedReg { reg, ty: func.value_type(p) });
            }
        }
        self.slots = SecondaryMap::new();
        let mut marked: SecondaryMap<Slot, bool> = SecondaryMap::new();
        let mut ends: SecondaryMap<Slot, cudair_ir::PackedOption<cudair_ir::Loc>> = SecondaryMap::new();
        for &block in &self.plan.order.blocks {
            for &inst in func.block_insts(block) {
                match func.insts[inst] {
                    InstData::SlotAddr { slot }
                        if self.slots[slot].is_none()
                            && func.result(inst).is_some_and(|v| self.plan.use_count[v] > 0) =>
                    {
                        let data = &func.slots[slot];
                        self.slots[slot] = Some(SlotId(self.code.slots.len() as u16));
                        self.code.slots.push(SlotLayout {
                            slot,
                            size: data.size,
                            align_log2: data.align_log2,
                            name: data.name.clone(),
                            loc: data.loc,
                            part: data.part,
                            marked: false,
                            end: None.into(),
                        });
                    }
                    InstData::Lifetime { slot, op } => {
                        marked[slot] = true;
                        if op == LifetimeOp::Dead {
                            ends[slot] = func.locs[inst];
                        }
                    }
                    _ => {}
                }
            }
        }
        for layout in &mut self.code.slots {
            (layout.marked, layout.end) = (marked[layout.slot], ends[layout.slot]);
        }
    }

    fn finish(mut self) -> Result<Code, Refusal> {
        let base = self.places.scalars + self.reserved;
        let scalars = base as usize + self.code.files.consts.len();
        let planes = self.part_planes();
        let preds = self.places.preds + self.temps[1].most;
        let most = usize::from(u16::MAX);
        if scalars > most || planes as usize > most || preds as usize > most || self.code.slots.len() > most {
            return Err(Refusal {
                class: DiagnosticClass::Limit,
                loc: None,
                message: format!("`{}` needs too many registers", self.plan.func.display_name),
            });
        }
        self.code.files.consts_at = S(base as u16);
        self.code.files.scalars = scalars as u16;
        self.code.files.planes = planes as u16;
        self.code.files.preds = preds as u16;
        let counters = self.places.scalars..self.places.scalars + self.counters;
        self.code.files.counters = counters.start as u16..counters.end as u16;
        self.code.facts = self.fact_counts();
        Ok(self.code)
    }

    // ----- places and labels ------------------------------------------------------------------------

    /// What is emitted from here on stands for `inst`.
    fn at(&mut self, inst: Option<Inst>) {
        let func = self.plan.func;
        self.place = match inst {
            None => Place::default(),
            Some(inst) => Place { loc: func.locs[inst], site: func.insts[inst].sites()[0].into() },
        };
        self.loc = self.place.loc.expand();
        // The edges of a terminator also write the parameters of other blocks.
        let checked = inst.filter(|&i| cfg!(debug_assertions) && !func.insts[i].is_terminator());
        self.current = checked.map(|i| self.plan.step(i));
        for t in &mut self.temps {
            t.now = 0;
        }
        self.temps[0].now = self.counters;
    }

    fn op(&mut self, op: Op) {
        self.code.ops.push(op);
        self.code.places.push(self.place);
    }

    fn new_label(&mut self) -> Label {
        let label = Label(self.next_label);
        self.next_label += 1;
        if label.0 >= self.labels.len() {
            self.labels.push(0);
        }
        label
    }

    fn bind(&mut self, label: Label) {
        self.labels[label.0] = self.code.ops.len() as u32;
    }

    fn target(&self, label: Label) -> Target {
        Target(self.labels[label.0])
    }

    fn block_label(&self, block: Block) -> Label {
        match self.plan.order.position(block) {
            Some(position) => Label(position as usize),
            None => unreachable!("a jump leads to a block that nothing reaches"),
        }
    }

    fn refuse<T>(&self, what: impl std::fmt::Display) -> Result<T, Refusal> {
        Err(Refusal::unsupported(self.loc, what))
    }

    /// The dispatcher left an instruction to a part that does not compile it.
    fn misplaced<T>(&self, inst: Inst, part: &str) -> Result<T, Refusal> {
        let name = self.plan.func.insts[inst].mnemonic();
        Err(Refusal::defect(self.loc, format!("`{name}` is compiled as {part}")))
    }

    fn on_device(&self) -> bool {
        self.plan.func.side.on_device()
    }

    fn ty(&self, v: Value) -> Type {
        self.plan.func.value_type(v)
    }

    // ----- registers --------------------------------------------------------------------------------

    /// The machine register of a virtual one.
    fn machine_reg(&self, r: VReg) -> Reg {
        debug_assert!(
            self.current.as_ref().is_none_or(|s| s.defs.contains(&r) || s.uses.iter().any(|u| u.0 == r)),
            "{r} is not among the registers of the instruction in `{}`",
            self.plan.func.name,
        );
        let at = self.places.place[r] as u16;
        match self.plan.regs[r] {
            Class::S => Reg::S(S(at)),
            Class::S2 => Reg::S2(S2(at)),
            Class::V => Reg::V(V(at)),
            Class::W => Reg::W(W(at)),
            Class::X => Reg::X(X(at)),
            Class::P => Reg::P(P(at)),
        }
    }

    /// The register that a value is defined in.
    fn def(&self, v: Value) -> Reg {
        self.machine_reg(v.into())
    }

    /// A new temporary of a class; those of one instruction are all different.
    fn temp(&mut self, class: Class) -> Reg {
        self.temp_with(class, 0)
    }

    fn temp_with(&mut self, class: Class, extra: u32) -> Reg {
        let (file, width, align) = alloc::kind(class, extra > 0);
        debug_assert_eq!(width, class.width() + extra, "a temporary has one plane of bits at most");
        let base = match class.file() {
            File::S => self.places.scalars,
            File::V => self.bases[file],
            File::P => self.places.preds,
        };
        let at = self.temps[file].take(base, width, align) as u16;
        match class {
            Class::S => Reg::S(S(at)),
            Class::S2 => Reg::S2(S2(at)),
            Class::V => Reg::V(V(at)),
            Class::W => Reg::W(W(at)),
            Class::X => Reg::X(X(at)),
            Class::P => Reg::P(P(at)),
        }
    }

    fn temp_s(&mut self) -> S {
        match self.temp(Class::S) {
            Reg::S(r) => r,
            _ => S(0),
        }
    }

    fn temp_v(&mut self) -> V {
        match self.temp(Class::V) {
            Reg::V(r) => r,
            _ => V(0),
        }
    }

    fn temp_w(&mut self) -> W {
        match self.temp(Class::W) {
            Reg::W(r) => r,
            _ => W(0),
        }
    }

    fn temp_p(&mut self) -> P {
        match self.temp(Class::P) {
            Reg::P(r) => r,
            _ => P(0),
        }
    }

    /// A scalar register that holds a constant.
    fn const_s(&mut self, bits: u64) -> S {
        let base = self.places.scalars + self.reserved;
        if let Some(&at) = self.consts.get(&bits) {
            return S((base + u32::from(at)) as u16);
        }
        if self.code.files.consts.len() >= MAX_CONSTS {
            let d = self.temp_s();
            self.op(Op::Const { d, bits });
            return d;
        }
        let at = self.code.files.consts.len() as u16;
        self.code.files.consts.push(bits);
        self.consts.insert(bits, at);
        S((base + u32::from(at)) as u16)
    }

    fn const_s2(&mut self, bits: u128) -> S2 {
        let base = self.places.scalars + self.reserved;
        if let Some(&at) = self.wide_consts.get(&bits) {
            return S2((base + u32::from(at)) as u16);
        }
        if self.code.files.consts.len() >= MAX_CONSTS {
            let Reg::S2(d) = self.temp(Class::S2) else { return S2(0) };
            self.op(Op::Const { d: S(d.0), bits: bits as u64 });
            self.op(Op::Const { d: S(d.0 + 1), bits: (bits >> 64) as u64 });
            return d;
        }
        let at = self.code.files.consts.len() as u16;
        self.code.files.consts.extend([bits as u64, (bits >> 64) as u64]);
        self.wide_consts.insert(bits, at);
        S2((base + u32::from(at)) as u16)
    }

    /// Where a value is: its register, or that of the constant.
    fn reg(&mut self, v: Value) -> Reg {
        match self.plan.operand(v) {
            Operand::Reg(r) => self.machine_reg(r),
            Operand::Const(bits) if self.ty(v).bits() > 64 => Reg::S2(self.const_s2(bits)),
            Operand::Const(bits) => Reg::S(self.const_s(bits as u64)),
        }
    }

    /// The register of a value whose bits are seen: with the GPU's NaN where it may be another (see `nan`).
    fn seen(&mut self, v: Value) -> Reg {
        match self.reg(v) {
            Reg::V(a) if self.plan.computed[v] => {
                let d = self.temp_v();
                self.op(Op::VFnan { d, a });
                Reg::V(d)
            }
            Reg::S(a) if self.plan.computed[v] => {
                let d = self.temp_s();
                self.op(Op::NanF32 { d, a });
                Reg::S(d)
            }
            reg => reg,
        }
    }

    /// Whether `inst` selects from a result of arithmetic on binary32 and something else.
    fn mixes(&self, inst: Inst) -> bool {
        let (func, computed) = (self.plan.func, &self.plan.computed);
        match func.insts[inst] {
            InstData::Ternary { op: TernaryOp::Select, args: [_, a, b] } => {
                (computed[a] || computed[b]) && func.result(inst).is_some_and(|v| !computed[v])
            }
            _ => false,
        }
    }

    fn typed(&mut self, v: Value) -> TypedReg {
        TypedReg { reg: self.reg(v), ty: self.ty(v) }
    }

    /// Whether each lane has its own value.
    fn is_vector(&self, v: Value) -> bool {
        !self.plan.class(v).is_scalar()
    }

    /// The scalar register of a value that is a scalar of up to 64 bits. Anything else was excluded
    /// before; the verifier would find it.
    fn s(&mut self, v: Value) -> S {
        match self.reg(v) {
            Reg::S(r) => r,
            Reg::S2(r) => S(r.0),
            _ => S(u16::MAX),
        }
    }

    /// A value of up to 32 bits as a vector.
    fn v(&mut self, v: Value) -> V {
        match self.reg(v) {
            Reg::V(r) => r,
            Reg::S(a) => {
                let d = self.temp_v();
                self.op(Op::VSplat { d, a });
                d
            }
            Reg::P(a) => {
                let d = self.temp_v();
                self.op(Op::VFromP { d, a });
                d
            }
            _ => V(u16::MAX),
        }
    }

    /// A value of 64 bits as a vector.
    fn w(&mut self, v: Value) -> W {
        match self.reg(v) {
            Reg::W(r) => r,
            Reg::S(a) => {
                let d = self.temp_w();
                self.op(Op::WSplat { d, a });
                d
            }
            _ => W(u16::MAX),
        }
    }

    /// An `i1` as a predicate.
    fn p(&mut self, v: Value) -> P {
        match self.reg(v) {
            Reg::P(r) => r,
            Reg::S(a) => {
                let d = self.temp_p();
                self.op(Op::PSplat { d, a });
                d
            }
            _ => P(u16::MAX),
        }
    }

    /// Copies between any two registers, broadcasting scalars.
    fn copy(&mut self, d: Reg, from: Reg, ty: Type) {
        match (d, from) {
            _ if d == from => {}
            (Reg::S(d), Reg::S(a)) => self.op(Op::Mov { d, a }),
            (Reg::S2(d), Reg::S2(a)) => self.op(Op::Mov2 { d, a }),
            (Reg::V(d), Reg::V(a)) => self.op(Op::VMov { d, a }),
            (Reg::V(d), Reg::S(a)) => self.op(Op::VSplat { d, a }),
            (Reg::W(d), Reg::W(a)) => self.op(Op::WMov { d, a }),
            (Reg::W(d), Reg::S(a)) => self.op(Op::WSplat { d, a }),
            (Reg::P(d), Reg::P(a)) => self.op(Op::PMov { d, a }),
            (Reg::P(d), Reg::S(a)) => self.op(Op::PSplat { d, a }),
            _ => self.generic(GenKind::Copy, TypedReg { reg: d, ty }, [TypedReg { reg: from, ty }]),
        }
    }

    /// An operation of any type.
    fn generic(&mut self, kind: GenKind, d: TypedReg, args: impl IntoIterator<Item = TypedReg>) {
        let id = self.code.tables.gens.next_idx();
        self.code.tables.gens.push(GenDesc { kind, d, args: args.into_iter().collect() });
        self.op(Op::Gen { id });
    }

    // ----- instructions -----------------------------------------------------------------------------

    /// What is computed before the first block.
    fn presets(&mut self) {
        let plan = self.plan;
        for &(r, preset) in &plan.presets {
            match (preset, self.machine_reg(r)) {
                (Preset::Global(global), Reg::S(d)) => self.op(Op::GlobalAddr { d, global }),
                (Preset::Special(reg), Reg::S(d)) => self.op(Op::Special { d, reg }),
                (Preset::Special(reg), Reg::V(d)) => self.op(Op::VSpecial { d, reg }),
                _ => {}
            }
        }
    }

    /// Everything of a block but its head. `behind` is the label right behind it.
    fn block_body(
        &mut self,
        block: Block,
        behind: Option<Label>,
        latches: &[control::Latch],
    ) -> Result<(), Refusal> {
        let plan = self.plan;
        let after = self.live_after(block);
        self.enter_block(block);
        for &inst in plan.func.block_insts(block) {
            self.at(Some(inst));
            self.late_uses(inst);
            if !plan.emitted[inst] {
                continue;
            }
            if plan.func.insts[inst].is_terminator() {
                self.test_decision(block, inst);
                self.terminator(block, inst, behind, latches)?;
            } else {
                self.instruction(inst)?;
                if let Some((_, live)) = after.iter().find(|(i, _)| *i == inst) {
                    self.join(live, block);
                }
                self.test_results(inst);
            }
        }
        Ok(())
    }

    fn instruction(&mut self, inst: Inst) -> Result<(), Refusal> {
        use InstData::*;
        let func = self.plan.func;
        match func.insts[inst] {
            Unary { .. }
            | Binary { .. }
            | Cast { .. }
            | Icmp { .. }
            | Fcmp { .. }
            | Ternary { .. }
            | PtrDiff { .. } => self.pure(inst),
            PtrAdd { .. } => {
                self.pointer_add(inst);
                Ok(())
            }
            // Constants have no instruction; others are their uses' business.
            Const { .. } | FuncAddr { .. } => Ok(()),
            GlobalAddr { global } => self.global_address(inst, global),
            SlotAddr { slot } => {
                self.slot_address(inst, slot);
                Ok(())
            }
            Special { reg } => {
                self.special(inst, reg);
                Ok(())
            }
            Load { ty, flags, ptr, .. } => {
                self.load(inst, ty, flags, ptr);
                Ok(())
            }
            Store { flags, value, ptr, .. } => {
                self.store(flags, value, ptr);
                Ok(())
            }
            MemCopy { .. } | MemFill { .. } | Alloca { .. } => self.memory_block(inst),
            Bounds { index, len } => {
                self.bounds(index, len);
                Ok(())
            }
            Lifetime { op, slot } => {
                if let Some(slot) = self.slots[slot] {
                    self.op(Op::Lifetime { slot, live: op == LifetimeOp::Live });
                }
                Ok(())
            }
            Count { counter } => {
                self.op(Op::Count { counter });
                Ok(())
            }
            AtomicLoad { .. } | AtomicStore { .. } | AtomicRmw { .. } | AtomicCas { .. } => self.atomic(inst),
            Fence { .. }
            | Barrier { .. }
            | WarpSync { .. }
            | Shfl { .. }
            | Vote { .. }
            | Match { .. }
            | Reduce { .. }
            | ActiveMask { .. } => self.synchronise(inst),
            Call { .. } | CallIndirect { .. } => self.call(inst, None),
            Launch { .. } | LaunchIndirect { .. } => self.launch(inst),
            Va { .. } | VaArg { .. } => self.va(inst),
            insts!(Terminator) => Ok(()),
        }
    }

    fn global_address(&mut self, inst: Inst, global: GlobalId) -> Result<(), Refusal> {
        match self.plan.func.result(inst).map(|v| self.def(v)) {
            Some(Reg::S(d)) => self.op(Op::GlobalAddr { d, global }),
            Some(_) => return self.refuse("the address of a variable per lane"),
            None => {}
        }
        Ok(())
    }

    fn slot_address(&mut self, inst: Inst, slot: Slot) {
        if let (Some(v), Some(slot)) = (self.plan.func.result(inst), self.slots[slot]) {
            match self.def(v) {
                Reg::S(d) => self.op(Op::SlotAddr { d, slot }),
                Reg::W(d) => self.op(Op::WSlotAddr { d, slot }),
                _ => {}
            }
        }
    }

    fn special(&mut self, inst: Inst, reg: SpecialReg) {
        let Some(v) = self.plan.func.result(inst) else { return };
        match self.def(v) {
            Reg::S(d) => self.op(Op::Special { d, reg }),
            Reg::V(d) => self.op(Op::VSpecial { d, reg }),
            d => {
                let t = self.temp_s();
                self.op(Op::Special { d: t, reg });
                self.copy(d, Reg::S(t), self.ty(v));
            }
        }
    }

    fn bounds(&mut self, index: Value, len: u64) {
        // An array that long is no row.
        let Ok(len) = i32::try_from(len) else { return };
        match self.reg(index) {
            Reg::S(a) => self.op(Op::Bounds { a, len }),
            Reg::V(a) => self.op(Op::VBounds { a, len }),
            Reg::W(a) => self.op(Op::WBounds { a, len }),
            _ => {}
        }
    }

    /// A pure operation: in scalars where all operands are, else in vectors.
    fn pure(&mut self, inst: Inst) -> Result<(), Refusal> {
        let func = self.plan.func;
        let Some(result) = func.result(inst) else { return Ok(()) };
        let (d, ty) = (self.def(result), self.ty(result));
        let mut vector = false;
        func.for_each_arg(inst, |a| vector |= self.is_vector(a));
        if vector {
            self.vector_op(inst, TypedReg { reg: d, ty });
            return Ok(());
        }
        if d.is_scalar() {
            self.scalar_op(inst, TypedReg { reg: d, ty });
            return Ok(());
        }
        let t = self.temp(Class::scalar(ty));
        self.scalar_op(inst, TypedReg { reg: t, ty });
        self.copy(d, t, ty);
        Ok(())
    }

    /// The operation of a pure instruction as the generic one performs it.
    fn gen_kind(&self, inst: Inst) -> GenKind {
        match self.plan.func.insts[inst] {
            InstData::Unary { op, nsw, .. } => GenKind::Unary { op, nsw },
            InstData::Binary { op, nsw, .. } => GenKind::Binary { op, nsw },
            InstData::Cast { op, .. } => GenKind::Cast(op),
            InstData::Icmp { cc, .. } => GenKind::Icmp(cc),
            InstData::Fcmp { cc, .. } => GenKind::Fcmp(cc),
            InstData::Ternary { op, .. } => GenKind::Ternary(op),
            ref other => unreachable!("`{}` is no operation of one result alone", other.mnemonic()),
        }
    }

    fn generic_inst(&mut self, inst: Inst, d: TypedReg) {
        let mut values: SmallVec<[Value; 3]> = SmallVec::new();
        self.plan.func.for_each_arg(inst, |v| values.push(v));
        // The sign of a NaN is a sign.
        let sees = matches!(self.plan.func.insts[inst], InstData::Binary { op: BinaryOp::Fcopysign, .. });
        let args: SmallVec<[TypedReg; 3]> = values
            .into_iter()
            .map(|v| if sees { TypedReg { reg: self.seen(v), ty: self.ty(v) } } else { self.typed(v) })
            .collect();
        self.generic(self.gen_kind(inst), d, args);
    }

    /// The constant bits of a value.
    fn const_bits(&self, v: Value) -> Option<u64> {
        match self.plan.operand(v) {
            Operand::Const(bits) if self.ty(v).bits() <= 64 => Some(bits as u64),
            _ => None,
        }
    }

    /// A value as an immediate that is sign-extended to the operation's width.
    fn imm(&self, v: Value) -> Option<i32> {
        let bits = self.const_bits(v)?;
        match self.ty(v).bits() {
            32 => Some(bits as i32),
            64 => i32::try_from(bits as i64).ok(),
            _ => None,
        }
    }
}
