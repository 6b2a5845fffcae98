//! One thread of a kernel, followed with concrete values from its start to its end.

use super::super::engine::Cx;
use super::super::eval;
use super::super::memory::{Place, Source, is_read_only_native};
use super::super::uniformity::{RootContext, is_pure_native};
use super::cases::{Case, Choice};
use super::lanes::Event;
use super::undisturbed::{Written, updated};
use super::waits::Waits;
use super::{BarrierPath, Deed, Failure, Hit, failure};
use cranelift_entity::EntityRef;
use cudair_ir::eval::{Ub, icmp};
use cudair_ir::*;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// Depth of calls.
const MAX_DEPTH: usize = 64;

/// What a thread did.
pub(super) struct Run {
    pub(super) barriers: Vec<BarrierPath>,
    /// Where it waited for its cluster, each time with how many barriers of the block it had waited at before.
    pub(super) phases: Vec<(usize, BarrierPath)>,
    /// Whether it was followed to its end.
    pub(super) ended: bool,
}

/// Where a value's bits are not known.
pub(super) type Bits = Option<u128>;

pub(super) struct Walker<'a> {
    root: &'a RootContext<'a>,
    case: &'a Case,
    thread: [u32; 3],
    pub(super) steps: u32,
    private: FxHashMap<u64, u8>,
    next_private: u64,
    barriers: Vec<BarrierPath>,
    phases: Vec<(usize, BarrierPath)>,
    /// How often it has waited for the grid.
    wide: usize,
    path: BarrierPath,
    /// Accesses to memory that others see, by the kernel itself.
    pub(super) hits: Vec<Hit>,
    /// Accesses to memory of the thread's own, by the kernel itself.
    pub(super) own: Vec<Hit>,
    /// The kernel's indices outside of their rows.
    pub(super) rows: Vec<(Inst, i64)>,
    /// The kernel's call that did not return.
    pub(super) ended_by: Option<Inst>,
    /// The kernel's operations whose operands make them undefined.
    pub(super) undefined: Vec<(Inst, Ub)>,
    /// What the program states and is false.
    pub(super) failure: Option<Failure>,
    /// What it has written itself to memory that others see, where it is followed as if nobody else wrote there.
    pub(super) written: Option<Written>,
    /// What it waits at, where somebody asks for barriers with numbers. They are followed only then, and so is what lies
    /// behind a branch that is not decided.
    pub(super) waits: Option<Waits>,
    /// The warp operations and barriers of the block that it comes to, where somebody asks for them.
    pub(super) lanes: Option<Vec<Event>>,
}

/// Why a thread is followed no further.
pub(super) struct Lost;

pub(super) const PRIVATE: u64 = 1 << 62;
pub(super) const GLOBALS: u64 = 1 << 61;
const PARAMS: u64 = 1 << 60;
const MEMBERS: u64 = 1 << 59;
const CODE: u64 = MEMBERS + (1 << 58);
pub(super) const OBJECT: u32 = 36;
const FAR: u32 = 32;

/// The address that a pointer parameter is followed with.
pub fn address_of(param: u32) -> u64 {
    PARAMS + ((u64::from(param) + 1) << OBJECT)
}

/// The address that a variable is followed with.
pub fn address_of_global(global: GlobalId) -> u64 {
    GLOBALS + ((u64::from(global.as_u32()) + 1) << OBJECT) % GLOBALS
}

/// The address that a local variable of the kernel itself is followed with.
pub fn address_of_local(func: &Function, slot: Slot) -> u64 {
    let before = func.slots.iter().take_while(|s| s.0 != slot);
    PRIVATE + before.map(|s| room(s.1.size.into())).sum::<u64>()
}

/// What a local variable takes of the addresses: much, so that what lies outside of one lies in no other.
fn room(size: u64) -> u64 {
    (size + (1 << FAR)).next_multiple_of(1 << FAR)
}

/// Whether an address is about where an object starts, and not in another object.
pub fn is_near(start: u64, address: u64) -> bool {
    let far = if start < PRIVATE { OBJECT } else { FAR };
    (address.wrapping_sub(start) as i64).unsigned_abs() < 1 << (far - 1)
}

impl<'a> Walker<'a> {
    pub(super) fn new(root: &'a RootContext<'a>, case: &'a Case, thread: [u32; 3]) -> Walker<'a> {
        Walker {
            root,
            case,
            thread,
            steps: 0,
            private: FxHashMap::default(),
            next_private: PRIVATE,
            barriers: Vec::new(),
            phases: Vec::new(),
            wide: 0,
            path: SmallVec::new(),
            hits: Vec::new(),
            own: Vec::new(),
            rows: Vec::new(),
            ended_by: None,
            undefined: Vec::new(),
            failure: None,
            written: None,
            waits: None,
            lanes: None,
        }
    }

    pub(super) fn run(&mut self, kernel: FuncId) -> Run {
        let func = &self.root.module.funcs[kernel];
        let args: Vec<Bits> = func
            .sig
            .params
            .iter()
            .enumerate()
            .map(|(n, p)| match self.case.known.get(n).copied().flatten() {
                Some(bits) => Some(bits),
                None => self.case.choice.and_then(|c| self.argument(c, n as u64, p.ty)),
            })
            .collect();
        let ended = self.call(kernel, &args, 0).is_ok();
        let (barriers, phases) = (std::mem::take(&mut self.barriers), std::mem::take(&mut self.phases));
        Run { barriers, phases, ended }
    }

    /// An argument chosen freely.
    fn argument(&self, choice: Choice, n: u64, ty: Type) -> Bits {
        if let Type::Ptr(_) = ty {
            return Some(u128::from(address_of(n as u32)));
        }
        let integer = choice.integer(self.case.block)?;
        Some(match ty {
            Type::F32 => u128::from(1.5f32.to_bits()),
            Type::F64 => u128::from(1.5f64.to_bits()),
            t if t.is_int() => u128::from(integer) & t.bit_mask(),
            _ => 0,
        })
    }

    fn call(&mut self, id: FuncId, args: &[Bits], depth: usize) -> Result<Bits, Lost> {
        if depth > MAX_DEPTH {
            return Err(Lost);
        }
        let cx = self.root.cx(id);
        let func = cx.func;
        let mut values: SecondaryMap<Value, Bits> = SecondaryMap::new();
        let mut slots: SecondaryMap<Slot, u64> = SecondaryMap::new();
        for (slot, data) in &func.slots {
            slots[slot] = self.reserve(u64::from(data.size));
        }
        let mut block = func.entry().ok_or(Lost)?;
        for (n, &p) in func.block_params(block).iter().enumerate() {
            values[p] = args.get(n).copied().flatten();
        }
        loop {
            let mut next: Option<BlockCall> = None;
            let mut undecided = false;
            for &inst in func.block_insts(block) {
                self.steps = self.steps.checked_sub(1).ok_or(Lost)?;
                if self.steps == 0 {
                    return Err(Lost);
                }
                let data = &func.insts[inst];
                match data {
                    InstData::Jump { dest } => next = Some(*dest),
                    InstData::Branch { cond, then, other } => {
                        let Some(bits) = values[*cond] else {
                            undecided = true;
                            continue;
                        };
                        next = Some(if bits & 1 == 1 { *then } else { *other });
                    }
                    InstData::Switch { arg, table } => {
                        let Some(bits) = values[*arg] else {
                            undecided = true;
                            continue;
                        };
                        let table = &func.tables[*table];
                        let case = table.cases.iter().find(|(v, _)| *v == bits);
                        next = Some(case.map_or(table.default, |c| c.1));
                    }
                    InstData::Return { args } => {
                        return Ok(args.as_slice(&func.pool).first().and_then(|&v| values[v]));
                    }
                    InstData::Trap { .. }
                    | InstData::Resume { .. }
                    | InstData::Invoke { .. }
                    | InstData::InvokeIndirect { .. } => return Err(Lost),
                    _ => {
                        let bits = self.inst(&cx, inst, &values, &slots, depth)?;
                        if let Some(v) = func.result(inst) {
                            values[v] = bits;
                        }
                    }
                }
            }
            if undecided {
                let passed = self.pass_over(&cx, block)?;
                let unknown = passed.blocks.iter().flat_map(|&b| {
                    let results = func.block_insts(b).iter().flat_map(|&i| func.inst_results(i));
                    func.block_params(b).iter().chain(results)
                });
                for &v in unknown.chain(func.block_params(passed.to)) {
                    values[v] = None;
                }
                self.private.clear();
                block = passed.to;
                continue;
            }
            let to = next.ok_or(Lost)?;
            let passed: SmallVec<[Bits; 8]> =
                to.args.as_slice(&func.pool).iter().map(|&v| values[v]).collect();
            for (&p, bits) in func.block_params(to.block).iter().zip(passed) {
                values[p] = bits;
            }
            block = to.block;
        }
    }

    fn reserve(&mut self, size: u64) -> u64 {
        let at = self.next_private;
        self.next_private += room(size);
        at
    }

    fn special(&self, reg: SpecialReg) -> Bits {
        use SpecialReg::*;
        let (t, b, g) = (self.thread, self.case.block, self.case.grid);
        // A block that no device takes has more threads than numbers.
        let row = t[1].wrapping_add(b[1].wrapping_mul(t[2]));
        let linear = t[0].wrapping_add(b[0].wrapping_mul(row));
        let bits = match reg {
            TidX => t[0],
            TidY => t[1],
            TidZ => t[2],
            CtaidX | CtaidY | CtaidZ => {
                let d = match reg {
                    CtaidX => 0,
                    CtaidY => 1,
                    _ => 2,
                };
                if g[d] == Some(1) { 0 } else { self.case.index?[d] }
            }
            NtidX => b[0],
            NtidY => b[1],
            NtidZ => b[2],
            NctaidX => g[0]?,
            NctaidY => g[1]?,
            NctaidZ => g[2]?,
            Laneid => linear % 32,
            Warpid => linear / 32,
            Warpsize => 32,
            // Threads of one launch may be on any.
            Smid if self.waits.is_some() => return None,
            Smid => 0,
            DynSmemSize | Clock | Globaltimer => return None,
            ClusterNctaidX | ClusterNctaidY | ClusterNctaidZ | IsExplicitCluster => return None,
        };
        Some(u128::from(bits))
    }

    fn inst(
        &mut self,
        cx: &Cx<'_>,
        inst: Inst,
        values: &SecondaryMap<Value, Bits>,
        slots: &SecondaryMap<Slot, u64>,
        depth: usize,
    ) -> Result<Bits, Lost> {
        use InstData::*;
        let func = cx.func;
        let ty = |v: Value| func.value_type(v);
        let both = |[a, b]: [Value; 2]| Some((values[a]?, values[b]?));
        Ok(match func.insts[inst] {
            Const { bits, .. } => Some(bits),
            GlobalAddr { global } => Some(u128::from(address_of_global(global))),
            SlotAddr { slot } => Some(u128::from(slots[slot])),
            Special { reg } => self.special(reg),
            Unary { op, nsw, arg } => values[arg].and_then(|a| eval::unary(op, nsw, ty(arg), a)),
            FuncAddr { func } => Some(u128::from(CODE + (u64::from(func.as_u32()) << 4))),
            // The addresses of objects are made up.
            Cast { op: CastOp::Ptrtoint, arg, .. } => {
                values[arg].filter(|&p| !(MEMBERS..CODE).contains(&(p as u64)) && (p as u64) < PARAMS)
            }
            Cast { op, ty: to, arg } => values[arg].and_then(|a| eval::cast(op, ty(arg), to, a)),
            Binary { op, nsw, args } => {
                self.operate(inst, op, ty(args[0]), args.map(|v| values[v]))?;
                both(args).and_then(|(a, b)| eval::binary(op, nsw, ty(args[0]), a, b))
            }
            Icmp { cc, args } if ty(args[0]).is_ptr() => {
                both(args).and_then(|(a, b)| Self::compare(cc, [a, b].map(|p| p as u64))).map(u128::from)
            }
            Icmp { cc, args } => both(args).map(|(a, b)| u128::from(icmp(cc, ty(args[0]), a, b))),
            Fcmp { cc, args } => {
                both(args).and_then(|(a, b)| eval::fcmp(cc, ty(args[0]), a, b)).map(u128::from)
            }
            Ternary { op: TernaryOp::Select, args: [c, a, b] } => match values[c] {
                Some(bit) => values[if bit & 1 == 1 { a } else { b }],
                None => None,
            },
            Ternary { op, args: [a, b, c] } => match (values[a], values[b], values[c]) {
                (Some(x), Some(y), Some(z)) => eval::ternary(op, ty(c), x, y, z),
                _ => None,
            },
            PtrAdd { ptr, offset } => {
                both([ptr, offset]).map(|(p, o)| u128::from((p as u64).wrapping_add(o as u64)))
            }
            PtrDiff { args } => both(args).map(|(a, b)| u128::from((a as u64).wrapping_sub(b as u64))),
            Load { ty, flags, ptr, .. } => {
                self.hit((inst, false), values[ptr], ty.access_bytes().into(), None);
                self.load(cx, ty, flags, ptr, values[ptr])
            }
            Store { value, ptr, .. } => {
                self.hit((inst, true), values[ptr], ty(value).access_bytes().into(), values[value]);
                // The addresses of objects are made up.
                let number = values[value].filter(|_| !ty(value).is_ptr());
                self.writes(values[ptr], ty(value).access_bytes().into(), number);
                self.store(cx, ptr, values[ptr], ty(value).access_bytes(), values[value])?;
                None
            }
            MemFill { dst, len, .. } => {
                self.moves(inst, values[len], None, values[dst]);
                None
            }
            MemCopy { dst, src, len, .. } => {
                self.moves(inst, values[len], Some(values[src]), values[dst]);
                None
            }
            Alloca { size, .. } => {
                let size = values[size].ok_or(Lost)? as u64;
                Some(u128::from(self.reserve(size.min(1 << 20))))
            }
            // It waits for others in a way that is not followed.
            Barrier { kind, .. } if kind.is_cluster() && self.lanes.is_some() => return Err(Lost),
            Barrier { kind: BarrierKind::ClusterArrive | BarrierKind::ClusterArriveRelaxed, .. } => None,
            Barrier { kind: BarrierKind::ClusterWait, .. } => {
                let mut path = self.path.clone();
                path.push((cx.id, inst));
                self.phases.push((self.barriers.len(), path));
                None
            }
            Barrier { kind, .. } => {
                let mut path = self.path.clone();
                path.push((cx.id, inst));
                self.waits_for_block(&path);
                self.wide += usize::from(kind == BarrierKind::Grid);
                if let Some(events) = &mut self.lanes {
                    events.push(Event::Block);
                }
                self.barriers.push(path);
                None
            }
            Call { func: callee, ref args, .. } => {
                let args = args.as_slice(&func.pool);
                if let Some(how) = cx.module.funcs[callee].attrs.barrier {
                    if self.lanes.is_some() {
                        return Err(Lost);
                    }
                    let bits: SmallVec<[Bits; 2]> = args.iter().map(|&v| values[v]).collect();
                    let mut path = self.path.clone();
                    path.push((cx.id, inst));
                    if self.waits_at_number(how, &bits, &path)? {
                        return Ok(None);
                    }
                    if self.path.is_empty() && self.root.block_barriers.is_some_and(|b| b.contains(&inst)) {
                        self.barriers.push(path);
                        return Ok(None);
                    }
                }
                if cx.module.funcs[callee].layout.is_empty() {
                    self.failure = self.failure.or(failure(&cx.module.funcs[callee]));
                    if self.failure.is_some() || cx.module.funcs[callee].attrs.noreturn {
                        self.ended_by = Some(inst).filter(|_| self.path.is_empty());
                        return Err(Lost);
                    }
                    for &a in args {
                        if ty(a).is_ptr() {
                            self.forget(values[a]);
                        }
                    }
                    let callee = &cx.module.funcs[callee];
                    if !(is_pure_native(callee) || is_read_only_native(callee)) {
                        self.writes(None, 1, None);
                    }
                    return Ok(None);
                }
                let bits: Vec<Bits> = args.iter().map(|&v| values[v]).collect();
                self.path.push((cx.id, inst));
                let result = self.call(callee, &bits, depth + 1);
                self.path.pop();
                result?
            }
            CallIndirect { .. } => return Err(Lost),
            AtomicLoad { ty, ptr, .. } => {
                self.hit((inst, false), values[ptr], ty.access_bytes().into(), None);
                self.read_back(values[ptr], ty)
            }
            AtomicStore { value, ptr, .. } => {
                self.hit((inst, true), values[ptr], ty(value).access_bytes().into(), None);
                self.writes(values[ptr], ty(value).access_bytes().into(), values[value]);
                None
            }
            AtomicRmw { op, value, ptr, .. } => {
                self.hit((inst, true), values[ptr], ty(value).access_bytes().into(), None);
                let old = self.read_back(values[ptr], ty(value));
                let new = both_known(old, values[value]).and_then(|(old, v)| updated(op, ty(value), old, v));
                self.writes(values[ptr], ty(value).access_bytes().into(), new);
                old
            }
            AtomicCas { expected, new: value, ptr, .. } => {
                self.hit((inst, true), values[ptr], ty(value).access_bytes().into(), None);
                let old = self.read_back(values[ptr], ty(value));
                let new = both_known(old, values[expected]);
                let new = new.and_then(|(old, e)| if old == e { values[value] } else { Some(old) });
                self.writes(values[ptr], ty(value).access_bytes().into(), new);
                old
            }
            Bounds { index, len } => {
                if let Some(bits) = values[index].filter(|&i| i >= len.into())
                    && self.path.is_empty()
                {
                    self.rows.push((inst, cudair_ir::eval::signed(ty(index), bits) as i64));
                }
                None
            }
            Launch { .. } | LaunchIndirect { .. } | Va { .. } | VaArg { .. } => {
                self.writes(None, 1, None);
                None
            }
            // Whatever these give or change is not known here.
            WarpSync { .. } | Shfl { .. } | Vote { .. } | Match { .. } | Reduce { .. } => {
                let mut path = self.path.clone();
                path.push((cx.id, inst));
                if !self.meets_lanes(path, &func.insts[inst], |v| values[v]) {
                    return Err(Lost);
                }
                None
            }
            Count { .. } | Lifetime { .. } | Fence { .. } | ActiveMask { .. } => None,
            Invoke { .. }
            | InvokeIndirect { .. }
            | Jump { .. }
            | Branch { .. }
            | Switch { .. }
            | Return { .. }
            | Resume { .. }
            | Trap { .. } => return Err(Lost),
        })
    }

    /// Writes down a division or a shift that is undefined, whatever is not known of its operands. Without a quotient the
    /// thread does not go on.
    fn operate(&mut self, inst: Inst, op: BinaryOp, ty: Type, [a, b]: [Bits; 2]) -> Result<(), Lost> {
        use BinaryOp::*;
        if !matches!(op, Sdiv | Udiv | Srem | Urem | Shl | Lshr | Ashr) {
            return Ok(());
        }
        let Some(b) = b else { return Ok(()) };
        let (_, ub) = cudair_ir::eval::binary(op, false, ty, a.unwrap_or(0), b, Side::Device);
        let Some(ub) = ub else { return Ok(()) };
        if self.path.is_empty() {
            self.undefined.push((inst, ub));
        }
        match ub {
            Ub::DivZero | Ub::DivOverflow => Err(Lost),
            _ => Ok(()),
        }
    }

    /// Writes down an access.
    fn hit(&mut self, (inst, writes): Deed, at: Bits, bytes: u64, value: Bits) {
        if let Some(address) = at.map(|a| a as u64)
            && self.path.is_empty()
        {
            let hits = if address < PRIVATE { &mut self.hits } else { &mut self.own };
            let (interval, phase, wide) = (self.barriers.len(), self.phases.len(), self.wide);
            hits.push(Hit { interval, phase, wide, inst, writes, address, bytes, value });
        }
    }

    /// Compares pointers whose addresses are made up, as far as it does not hang on that: what a parameter points to is no
    /// other object and not null, and which of two objects lies lower nobody knows.
    fn compare(cc: IntCC, [a, b]: [u64; 2]) -> Option<bool> {
        let object = |p: u64| (p >= MEMBERS).then_some(if p >= PRIVATE { PRIVATE } else { p >> OBJECT });
        let is_function = |p: u64| (CODE..PARAMS).contains(&p);
        if object(a) == object(b) || is_function(a) && is_function(b) {
            return Some(icmp(cc, Type::I64, a.into(), b.into()));
        }
        let passed = |p: u64| (MEMBERS..GLOBALS).contains(&p) && !is_function(p);
        // An argument may be the address of a function.
        if passed(a) && is_function(b) || is_function(a) && passed(b) {
            return None;
        }
        match cc {
            IntCC::Eq => Some(false),
            IntCC::Ne => Some(true),
            _ => None,
        }
    }

    /// Memory is filled or copied. Contents that are copied are not followed.
    fn moves(&mut self, inst: Inst, len: Bits, src: Option<Bits>, dst: Bits) {
        if let Some(bytes) = len.map(|n| n as u64).filter(|&n| n > 0) {
            if let Some(src) = src {
                self.hit((inst, false), src, bytes, None);
            }
            self.hit((inst, true), dst, bytes, None);
        }
        match len {
            Some(len) => self.writes(dst, len as u64, None),
            None => self.writes(None, 1, None),
        }
        self.forget(dst);
    }

    /// Notes a write to memory that others see.
    fn writes(&mut self, at: Bits, bytes: u64, value: Bits) {
        if let Some(written) = &mut self.written {
            written.store(at, bytes, value);
        }
    }

    /// What the thread itself has written, if it is followed as if nobody else wrote.
    fn read_back(&mut self, at: Bits, ty: Type) -> Bits {
        let at = at.map(|a| a as u64).filter(|&a| a < PRIVATE && !ty.is_ptr())?;
        let bits = self.written.as_mut()?.load(at, ty.access_bytes().into())?;
        Some(bits & ty.bit_mask())
    }

    /// Private memory may have changed behind a pointer.
    fn forget(&mut self, ptr: Bits) {
        if ptr.is_none_or(|p| p as u64 >= PRIVATE) {
            self.private.clear();
        }
    }

    fn load(&mut self, cx: &Cx<'_>, ty: Type, flags: MemFlags, ptr: Value, at: Bits) -> Bits {
        let address = at? as u64;
        if flags.volatile {
            return None;
        }
        if ty.is_ptr() {
            return Self::member(cx, address).map(u128::from);
        }
        if let Some(bits) = self.read_back(at, ty) {
            return Some(bits);
        }
        let bytes = u64::from(ty.access_bytes());
        let private = address >= PRIVATE;
        if !private {
            match source(self.root, cx, ptr) {
                Source::Private => return None,
                Source::Place(place) if self.written(cx, place) => return None,
                Source::Constant | Source::Place(_) => {}
            }
        }
        let mut bits = 0;
        for i in (0..bytes).rev() {
            let at = address.wrapping_add(i);
            let byte = if private { self.private.get(&at).copied()? } else { self.contents(at)? };
            bits = bits << 8 | u128::from(byte);
        }
        Some(bits & ty.bit_mask())
    }

    /// Where a pointer points to that is a member of an aggregate parameter of the kernel.
    fn member(cx: &Cx<'_>, address: u64) -> Option<u64> {
        let rest = address.checked_sub(PARAMS).filter(|_| address < GLOBALS)?;
        let (n, offset) = ((rest >> OBJECT).checked_sub(1)?, rest & ((1 << OBJECT) - 1));
        let param = cx.func.sig.params.get(usize::try_from(n).ok()?)?;
        let aggregate = cx.func.side == Side::Kernel && matches!(param.attr, ParamAttr::ByVal { .. });
        (aggregate && n < 1 << 8 && offset < 1 << 12).then(|| MEMBERS + ((n << 12 | offset) << OBJECT))
    }

    fn written(&self, cx: &Cx<'_>, place: Place) -> bool {
        // What a callee's parameter points to is not told apart from anything.
        let place =
            if cx.func.side != Side::Kernel && matches!(place, Place::Param(_)) { Place::Any } else { place };
        self.root.memory.written.iter().any(|&w| self.root.memory.may_overlap(w, place, self.root.race_free))
    }

    /// A byte of memory that nobody writes. Chosen freely, but for variables that keep their initial
    /// contents. Small numbers, since large ones lead nowhere.
    fn contents(&self, address: u64) -> Option<u8> {
        if let Some(rest) = address.checked_sub(GLOBALS) {
            let id = GlobalId::new(((rest >> OBJECT) as usize).checked_sub(1)?);
            let global = self.root.module.globals.get(id)?;
            if global.constant {
                let offset = (rest & ((1 << OBJECT) - 1)) as usize;
                return match &global.init {
                    GlobalInit::Zero => Some(0),
                    GlobalInit::Data { bytes, .. } => bytes.get(offset).copied(),
                    GlobalInit::Extern | GlobalInit::Uninit => None,
                };
            }
        }
        let choice = self.case.choice?;
        if !address.is_multiple_of(4) {
            return Some(0);
        }
        let mut x =
            (address ^ choice.seed.wrapping_mul(0x9e37_79b9_7f4a_7c15)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        x ^= x >> 29;
        x = x.wrapping_mul(0x94d0_49bb_1331_11eb);
        Some(((x >> 33) % 97) as u8)
    }

    fn store(&mut self, cx: &Cx<'_>, ptr: Value, at: Bits, bytes: u32, value: Bits) -> Result<(), Lost> {
        let Some(address) = at.map(|a| a as u64) else {
            self.private.clear();
            return Ok(());
        };
        if address < PRIVATE {
            return if source(self.root, cx, ptr) == Source::Private { Err(Lost) } else { Ok(()) };
        }
        for i in 0..u64::from(bytes) {
            let at = address.wrapping_add(i);
            match value {
                Some(v) => {
                    self.private.insert(at, (v >> (8 * i)) as u8);
                }
                None => {
                    self.private.remove(&at);
                }
            }
        }
        Ok(())
    }
}

fn both_known(a: Bits, b: Bits) -> Option<(u128, u128)> {
    Some((a?, b?))
}

fn source(root: &RootContext<'_>, cx: &Cx<'_>, ptr: Value) -> Source {
    root.memory.funcs.get(&cx.id).map_or(Source::Place(Place::Any), |m| m.source(cx, ptr))
}
