//! Witnesses: two threads of one block that wait at different barriers.
//!
//! Single threads of a kernel are followed with a concrete shape, concrete arguments and memory contents
//! that are chosen freely, from its start to its end, and the barriers that they wait at are written down.
//! Two threads whose lists differ are a proof of barrier divergence: a *definite* finding. What a thread
//! reads from memory that the kernel writes is not known here (another thread may have written it), and a
//! thread whose way depends on something not known is followed no further, so a witness is never made up.
//! That none is found says nothing.
//!
//! A launch in which an assumption or an assertion fails is at fault for another reason, and ends there. So where the
//! kernel states any, a witness needs all threads of the launch to be followed to their end, with none that fails.
//!
//! The same walk proves the contrary where a launch is known ([`prove`]): if every thread of a block can be
//! followed to its end without asking what memory, unknown arguments or the block's index hold, and all
//! wait at the same barriers, then they do so whatever these are.

mod cases;

use super::engine::Cx;
use super::eval;
use super::memory::{Place, Source};
use super::shape::Shape;
use super::uniformity::RootContext;
use crate::transform::indirect::NO_FUNCTION;
use cases::{Case, Choice, cases, threads};
use cranelift_entity::EntityRef;
use cudair_ir::eval::icmp;
use cudair_ir::*;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// Instructions that one thread is followed for.
const THREAD_STEPS: u32 = 20_000;
/// Instructions for one kernel.
const KERNEL_STEPS: u32 = 1_500_000;
/// Threads of a block that are all followed for a proof.
const PROOF_THREADS: u64 = 1024;
/// Depth of calls.
const MAX_DEPTH: usize = 64;

/// A barrier as a thread reaches it: the calls on the way, outermost first, then the barrier itself.
pub type BarrierPath = SmallVec<[(FuncId, Inst); 2]>;

/// Two threads that part.
#[derive(Clone, Debug)]
pub struct Witness {
    /// Extents of the block.
    pub block: [u32; 3],
    /// Which block it is.
    pub index: [u32; 3],
    /// Whether arguments or extents were chosen that the shape does not tell.
    pub chosen: bool,
    /// The thread that waits, and where.
    pub waits: ([u32; 3], BarrierPath),
    /// The other: at another barrier, or gone.
    pub other: ([u32; 3], Option<BarrierPath>),
}

/// Looks for witnesses of the kernel that `root` is about; one for each barrier at most.
pub fn search(root: &RootContext<'_>, kernel: FuncId) -> Vec<Witness> {
    let mut found: Vec<Witness> = Vec::new();
    let mut budget = KERNEL_STEPS;
    let states = states_what_holds(root);
    let mut launches = KERNEL_STEPS;
    // The barriers that threads part at, in each block that was chosen.
    let mut parted: Vec<([u32; 3], Vec<BarrierPath>)> = Vec::new();
    for case in cases(root.shape) {
        let mut runs: Vec<([u32; 3], Run)> = Vec::new();
        for thread in threads(case.block) {
            if budget == 0 {
                in_every_block(root.shape, &parted, &mut found);
                return found;
            }
            let mut walker = Walker::new(root, &case, thread);
            walker.steps = THREAD_STEPS.min(budget);
            let before = walker.steps;
            let run = walker.run(kernel);
            budget -= before - walker.steps.min(before);
            runs.push((thread, run));
        }
        let mut here: Vec<Witness> = Vec::new();
        for (thread, run) in &runs {
            for (other, other_run) in &runs {
                if thread != other {
                    compare(&case, (*thread, run), (*other, other_run), &mut here);
                }
            }
        }
        if states && !here.is_empty() && !all_hold(root, kernel, &case, &mut launches) {
            here.clear();
        }
        if !case.chosen {
            let at = here.iter().map(|w| w.waits.1.clone());
            match parted.iter_mut().find(|p| p.0 == case.block) {
                Some(known) => known.1.extend(at),
                None => parted.push((case.block, at.collect())),
            }
        }
        for w in here {
            if !found.iter().any(|f| f.waits.1 == w.waits.1) {
                found.push(w);
            }
        }
    }
    in_every_block(root.shape, &parted, &mut found);
    found
}

/// Where nobody says which blocks are launched, a witness is certain only if threads part in all that were looked at and
/// have more than one warp.
fn in_every_block(shape: &Shape, parted: &[([u32; 3], Vec<BarrierPath>)], found: &mut [Witness]) {
    if shape.block.iter().all(Option::is_some) {
        return;
    }
    let large = || parted.iter().filter(|p| volume(p.0) > 32);
    for w in found {
        w.chosen |= !large().all(|(_, at)| at.contains(&w.waits.1));
    }
}

/// Whether a function below the root states what has to hold: by `assert` or an assumption.
fn states_what_holds(root: &RootContext<'_>) -> bool {
    root.memory.funcs.keys().any(|&id| {
        let func = &root.module.funcs[id];
        func.insts.values().any(
            |data| matches!(data, InstData::Call { func: callee, .. } if failure(&root.module.funcs[*callee]).is_some()),
        )
    })
}

/// What a program states.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Failure {
    /// That has to hold.
    Assertion,
    /// That is taken for granted.
    Assumption,
    /// That a pointer through which a call goes is a function.
    Call,
}

/// What is false where a function is called that reports it.
pub fn failure(func: &Function) -> Option<Failure> {
    let name = func.name.strip_suffix(DEVICE_SUFFIX).unwrap_or(&func.name);
    match name {
        _ if !func.is_declaration() => None,
        "__assert_fail" | "__assertfail" => Some(Failure::Assertion),
        "__cudair_assume_fail" => Some(Failure::Assumption),
        NO_FUNCTION => Some(Failure::Call),
        _ => None,
    }
}

/// Whether all threads of a launch come to their end, so that all that the kernel states holds.
fn all_hold(root: &RootContext<'_>, kernel: FuncId, case: &Case, budget: &mut u32) -> bool {
    let [Some(gx), Some(gy), Some(gz)] = case.grid else { return false };
    let [x, y, z] = case.block;
    let cells = |[a, b, c]: [u32; 3]| {
        (0..c).flat_map(move |k| (0..b).flat_map(move |j| (0..a).map(move |i| [i, j, k])))
    };
    cells([gx, gy, gz]).all(|index| {
        let case = Case { index: Some(index), known: case.known.clone(), ..*case };
        cells([x, y, z]).all(|thread| {
            let mut walker = Walker::new(root, &case, thread);
            walker.steps = THREAD_STEPS.min(*budget);
            let before = walker.steps;
            let run = walker.run(kernel);
            *budget -= before - walker.steps.min(before);
            run.ended
        })
    })
}

/// Whether all threads of a block wait at the same barriers in every launch of the shape, which has to be
/// known.
pub fn prove(root: &RootContext<'_>, kernel: FuncId) -> bool {
    let [Some(x), Some(y), Some(z)] = root.shape.block else { return false };
    if root.shape.threads().is_none_or(|n| n == 0 || n > PROOF_THREADS) {
        return false;
    }
    let (grid, known) = (root.shape.grid, root.shape.args.clone());
    let case = Case { grid, block: [x, y, z], index: None, choice: None, chosen: false, known };
    let mut budget = KERNEL_STEPS;
    let mut first: Option<Run> = None;
    for thread in (0..z).flat_map(|c| (0..y).flat_map(move |b| (0..x).map(move |a| [a, b, c]))) {
        let mut walker = Walker::new(root, &case, thread);
        walker.steps = THREAD_STEPS.min(budget);
        let before = walker.steps;
        let run = walker.run(kernel);
        budget = budget.saturating_sub(before - walker.steps.min(before));
        if !run.ended || budget == 0 {
            return false;
        }
        match &first {
            None => first = Some(run),
            Some(f) if f.barriers == run.barriers => {}
            Some(_) => return false,
        }
    }
    true
}

/// An access of a thread that is followed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Hit {
    /// How many barriers the thread has waited at before.
    interval: usize,
    inst: Inst,
    /// Whether it may write.
    writes: bool,
    address: u64,
    bytes: u64,
    /// What a store writes, where that is known.
    value: Bits,
}

/// A thread: its block's index and its own.
pub type ThreadIndex = ([u32; 3], [u32; 3]);

/// What a thread does in a launch of which the shape alone is known.
#[derive(Clone, Debug)]
pub struct Trace {
    block: [u32; 3],
    barriers: Vec<BarrierPath>,
    hits: Vec<Hit>,
    /// The call by the kernel that ended it, if one did.
    ended_by: Option<Inst>,
    /// An assertion is false.
    failed: bool,
}

impl Trace {
    /// Whether the thread is ended by this call.
    pub fn ends_at(&self, call: Inst) -> bool {
        self.ended_by == Some(call)
    }

    /// The first access for which `wrong` holds, as address and bytes.
    pub fn touches(&self, deed: Deed, wrong: impl Fn(u64, u64) -> bool) -> Option<(u64, u64)> {
        let hit = self.hits.iter().find(|h| (h.inst, h.writes) == deed && wrong(h.address, h.bytes))?;
        Some((hit.address, hit.bytes))
    }
}

/// Follows a thread as far as what it does hangs on nothing but the shape: not on the contents of memory, nor on
/// arguments that the shape does not tell. `None` where the block's extents are not known, and where an assumption is
/// false.
pub fn trace(root: &RootContext<'_>, kernel: FuncId, (index, thread): ThreadIndex) -> Option<Trace> {
    let [Some(x), Some(y), Some(z)] = root.shape.block else { return None };
    let params = &root.module.funcs[kernel].sig.params;
    let known: Vec<Bits> = (0..params.len())
        .map(|n| match root.shape.args.get(n).copied().flatten() {
            Some(bits) => Some(bits),
            // Where a pointer points to matters less than that it is somewhere.
            None if params[n].ty.is_ptr() => Some(u128::from(address_of(n as u32))),
            None => None,
        })
        .collect();
    let case = Case {
        grid: root.shape.grid,
        block: [x, y, z],
        index: Some(index),
        choice: None,
        chosen: false,
        known,
    };
    let mut walker = Walker::new(root, &case, thread);
    walker.steps = KERNEL_STEPS / 2;
    let run = walker.run(kernel);
    // A launch in which an assumption is false is not looked at.
    if walker.failure == Some(Failure::Assumption) {
        return None;
    }
    let failed = walker.failure.is_some();
    Some(Trace { block: index, barriers: run.barriers, hits: walker.hits, ended_by: walker.ended_by, failed })
}

/// The address that a pointer parameter is followed with.
pub fn address_of(param: u32) -> u64 {
    PARAMS + ((u64::from(param) + 1) << OBJECT)
}

/// The address that a variable is followed with.
pub fn address_of_global(global: GlobalId) -> u64 {
    GLOBALS + ((u64::from(global.as_u32()) + 1) << OBJECT) % GLOBALS
}

/// An instruction, and whether what it does to write is meant, or to read: a copy does both.
pub type Deed = (Inst, bool);

/// Whether two threads come to these instructions and touch a common byte, in one barrier interval if they are of one
/// block. Then they do so in every launch of the shape that has the two threads.
pub fn meet(a: &Trace, b: &Trace, deeds: [Deed; 2]) -> bool {
    let ordered = |h: &Hit, k: &Hit| {
        a.block == b.block
            && (h.interval != k.interval || a.barriers.get(..h.interval) != b.barriers.get(..h.interval))
    };
    // Where an assertion is false, the launch may end before.
    if a.failed || b.failed {
        return false;
    }
    let of = |h: &Hit, deed: Deed| (h.inst, h.writes) == deed;
    a.hits.iter().filter(|h| of(h, deeds[0])).any(|h| {
        b.hits.iter().any(|k| {
            of(k, deeds[1])
                && !ordered(h, k)
                // Two that write one value are another matter.
                && !(h.value.is_some() && h.value == k.value && h.address == k.address && h.bytes == k.bytes)
                && h.address < k.address.saturating_add(k.bytes)
                && k.address < h.address.saturating_add(h.bytes)
        })
    })
}

/// Where the first thread waits while the second is elsewhere.
fn compare(case: &Case, a: ([u32; 3], &Run), b: ([u32; 3], &Run), found: &mut Vec<Witness>) {
    let common = a.1.barriers.iter().zip(&b.1.barriers).take_while(|(x, y)| x == y).count();
    let Some(at) = a.1.barriers.get(common) else { return };
    let other = match b.1.barriers.get(common) {
        Some(path) => Some(path.clone()),
        None if b.1.ended => None,
        None => return,
    };
    if !found.iter().any(|w| w.waits.1 == *at) {
        let index = case.index.unwrap_or_default();
        found.push(Witness {
            block: case.block,
            index,
            chosen: case.chosen,
            waits: (a.0, at.clone()),
            other: (b.0, other),
        });
    }
}

/// What a thread did.
struct Run {
    barriers: Vec<BarrierPath>,
    /// Whether it was followed to its end.
    ended: bool,
}

/// Where a value's bits are not known.
type Bits = Option<u128>;

struct Walker<'a> {
    root: &'a RootContext<'a>,
    case: &'a Case,
    thread: [u32; 3],
    steps: u32,
    private: FxHashMap<u64, u8>,
    next_private: u64,
    barriers: Vec<BarrierPath>,
    path: BarrierPath,
    /// Accesses to memory that others see, by the kernel itself.
    hits: Vec<Hit>,
    /// The kernel's call that did not return.
    ended_by: Option<Inst>,
    /// What the program states and is false.
    failure: Option<Failure>,
}

/// Why a thread is followed no further.
struct Lost;

const PRIVATE: u64 = 1 << 62;
const GLOBALS: u64 = 1 << 61;
const PARAMS: u64 = 1 << 60;
const MEMBERS: u64 = 1 << 59;
const CODE: u64 = MEMBERS + (1 << 58);
const OBJECT: u32 = 36;

impl<'a> Walker<'a> {
    fn new(root: &'a RootContext<'a>, case: &'a Case, thread: [u32; 3]) -> Walker<'a> {
        Walker {
            root,
            case,
            thread,
            steps: 0,
            private: FxHashMap::default(),
            next_private: PRIVATE,
            barriers: Vec::new(),
            path: SmallVec::new(),
            hits: Vec::new(),
            ended_by: None,
            failure: None,
        }
    }

    fn run(&mut self, kernel: FuncId) -> Run {
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
        Run { barriers: std::mem::take(&mut self.barriers), ended }
    }

    /// An argument chosen freely.
    fn argument(&self, choice: Choice, n: u64, ty: Type) -> Bits {
        if let Type::Ptr(_) = ty {
            return Some(u128::from(address_of(n as u32)));
        }
        let args = choice.args?;
        let threads = volume(self.case.block);
        let ints = [5, threads, 1, 100];
        Some(match ty {
            Type::F32 => u128::from(1.5f32.to_bits()),
            Type::F64 => u128::from(1.5f64.to_bits()),
            t if t.is_int() => u128::from(ints[args as usize % ints.len()]) & t.bit_mask(),
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
            for &inst in func.block_insts(block) {
                self.steps = self.steps.checked_sub(1).ok_or(Lost)?;
                if self.steps == 0 {
                    return Err(Lost);
                }
                let data = &func.insts[inst];
                match data {
                    InstData::Jump { dest } => next = Some(*dest),
                    InstData::Branch { cond, then, other } => {
                        next = Some(if values[*cond].ok_or(Lost)? & 1 == 1 { *then } else { *other });
                    }
                    InstData::Switch { arg, table } => {
                        let bits = values[*arg].ok_or(Lost)?;
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
        self.next_private += (size + 64).next_multiple_of(64);
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
                both(args).and_then(|(a, b)| eval::binary(op, nsw, ty(args[0]), a, b))
            }
            Icmp { cc, args } if ty(args[0]).is_ptr() => {
                both(args).and_then(|(a, b)| self.compare(cc, [a, b].map(|p| p as u64))).map(u128::from)
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
            Barrier { kind, .. } if kind.is_cluster() => None,
            Barrier { .. } => {
                let mut path = self.path.clone();
                path.push((cx.id, inst));
                self.barriers.push(path);
                None
            }
            Call { func: callee, ref args, .. } => {
                let args = args.as_slice(&func.pool);
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
                None
            }
            AtomicStore { value, ptr, .. }
            | AtomicRmw { value, ptr, .. }
            | AtomicCas { new: value, ptr, .. } => {
                self.hit((inst, true), values[ptr], ty(value).access_bytes().into(), None);
                None
            }
            // Whatever these give or change is not known here.
            Lifetime { .. }
            | Bounds { .. }
            | Fence { .. }
            | WarpSync { .. }
            | Shfl { .. }
            | Vote { .. }
            | Match { .. }
            | Reduce { .. }
            | ActiveMask { .. }
            | Launch { .. }
            | LaunchIndirect { .. }
            | Va { .. }
            | VaArg { .. } => None,
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

    /// Writes down an access to memory that others see.
    fn hit(&mut self, (inst, writes): Deed, at: Bits, bytes: u64, value: Bits) {
        if let Some(address) = at.map(|a| a as u64)
            && address < PRIVATE
            && self.path.is_empty()
        {
            let interval = self.barriers.len();
            self.hits.push(Hit { interval, inst, writes, address, bytes, value });
        }
    }

    /// Compares pointers whose addresses are made up, as far as it does not hang on that: what a parameter points to is no
    /// other object and not null, and which of two objects lies lower nobody knows.
    fn compare(&self, cc: IntCC, [a, b]: [u64; 2]) -> Option<bool> {
        let object = |p: u64| (p >= MEMBERS).then(|| if p >= PRIVATE { PRIVATE } else { p >> OBJECT });
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
        self.forget(dst);
    }

    /// Private memory may have changed behind a pointer.
    fn forget(&mut self, ptr: Bits) {
        if ptr.is_none_or(|p| p as u64 >= PRIVATE) {
            self.private.clear();
        }
    }

    fn load(&self, cx: &Cx<'_>, ty: Type, flags: MemFlags, ptr: Value, at: Bits) -> Bits {
        let address = at? as u64;
        if flags.volatile {
            return None;
        }
        if ty.is_ptr() {
            return self.member(cx, address).map(u128::from);
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
    fn member(&self, cx: &Cx<'_>, address: u64) -> Option<u64> {
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

fn source(root: &RootContext<'_>, cx: &Cx<'_>, ptr: Value) -> Source {
    root.memory.funcs.get(&cx.id).map_or(Source::Place(Place::Any), |m| m.source(cx, ptr))
}
