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
mod lanes;
mod undisturbed;
mod waits;
mod walker;

pub use lanes::{MaskWitness, WrongMask, wrong_masks};
pub use undisturbed::{reads_back, undisturbed};
pub use waits::{BlockWaits, Wait, WaitsAt, block_waits};
pub use walker::{address_of, address_of_global, address_of_local, is_near};

use super::shape::Shape;
use super::uniformity::RootContext;
use crate::transform::indirect::NO_FUNCTION;
use cases::{Case, cases, threads};
use cudair_ir::eval::Ub;
use cudair_ir::*;
use smallvec::SmallVec;
use walker::{Bits, Run, Walker};

/// Instructions that one thread is followed for.
const THREAD_STEPS: u32 = 20_000;
/// Instructions for one kernel.
const KERNEL_STEPS: u32 = 1_500_000;
/// Threads of a block that are all followed for a proof.
const PROOF_THREADS: u64 = 1024;

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
    /// The integer that was chosen for each argument that the shape does not tell.
    pub argument: Option<u64>,
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
/// known. With `clusters` they wait as often for their cluster before each of them, too.
pub fn prove(root: &RootContext<'_>, kernel: FuncId, clusters: bool) -> bool {
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
            Some(f) if f.barriers == run.barriers && (!clusters || f.waits_alike(&run)) => {}
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
    /// How often it has waited for its cluster before.
    phase: usize,
    /// How often it has waited for the grid before.
    wide: usize,
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
    /// How often it waits for its cluster.
    phases: usize,
    hits: Vec<Hit>,
    /// Accesses to the thread's own memory.
    own: Vec<Hit>,
    /// Indices outside of their rows.
    rows: Vec<(Inst, i64)>,
    /// The call by the kernel that ended it, if one did.
    ended_by: Option<Inst>,
    /// It was followed to its end.
    ended: bool,
    /// Its undefined operations.
    undefined: Vec<(Inst, Ub)>,
    /// An assertion is false, or a division has no quotient.
    failed: bool,
}

impl Trace {
    fn of(walker: Walker<'_>, run: Run, block: [u32; 3]) -> Trace {
        let no_quotient = |(_, ub): &(Inst, Ub)| matches!(ub, Ub::DivZero | Ub::DivOverflow);
        let failed = walker.failure.is_some() || walker.undefined.iter().any(no_quotient);
        Trace {
            block,
            barriers: run.barriers,
            phases: run.phases.len(),
            hits: walker.hits,
            own: walker.own,
            rows: walker.rows,
            ended_by: walker.ended_by,
            undefined: walker.undefined,
            ended: run.ended,
            failed,
        }
    }

    /// The barriers of the grid at which the thread waits, if it was followed to its end.
    pub fn grid_barriers(&self, module: &Module) -> Option<Vec<BarrierPath>> {
        let of_grid = |path: &&BarrierPath| {
            let barrier = path.last().map(|&(func, inst)| &module.funcs[func].insts[inst]);
            matches!(barrier, Some(InstData::Barrier { kind: BarrierKind::Grid, .. }))
        };
        self.ended.then(|| self.barriers.iter().filter(of_grid).cloned().collect())
    }

    /// Whether the thread comes to no barrier.
    pub fn waits_for_nobody(&self) -> bool {
        self.barriers.is_empty() && self.phases == 0
    }

    /// Whether the thread is ended by this call.
    pub fn ends_at(&self, call: Inst) -> bool {
        self.ended_by == Some(call)
    }

    /// Whether the thread executes this operation with operands for which it is undefined in this way.
    pub fn is_undefined(&self, inst: Inst, ub: Ub) -> bool {
        self.undefined.contains(&(inst, ub))
    }

    /// The first index outside of its row that a check finds.
    pub fn outside_row(&self, check: Inst) -> Option<i64> {
        self.rows.iter().find(|r| r.0 == check).map(|r| r.1)
    }

    /// The first access for which `wrong` holds, as address and bytes.
    pub fn touches(&self, deed: Deed, wrong: impl Fn(u64, u64) -> bool) -> Option<(u64, u64)> {
        let hit = self
            .hits
            .iter()
            .chain(&self.own)
            .find(|h| (h.inst, h.writes) == deed && wrong(h.address, h.bytes))?;
        Some((hit.address, hit.bytes))
    }
}

/// Follows a thread as far as what it does hangs on nothing but the shape: not on the contents of memory, nor on
/// arguments that the shape does not tell. `None` where the block's extents are not known, and where an assumption is
/// false.
pub fn trace(root: &RootContext<'_>, kernel: FuncId, (index, thread): ThreadIndex) -> Option<Trace> {
    let case = case_of(root, kernel, index)?;
    let mut walker = Walker::new(root, &case, thread);
    walker.steps = KERNEL_STEPS / 2;
    let run = walker.run(kernel);
    // A launch in which an assumption is false is not looked at.
    if walker.failure == Some(Failure::Assumption) {
        return None;
    }
    Some(Trace::of(walker, run, index))
}

/// What is known of a block of a launch of which the shape alone is told.
fn case_of(root: &RootContext<'_>, kernel: FuncId, index: [u32; 3]) -> Option<Case> {
    case_in(root, kernel, Some(index))
}

/// The same, of any block if none is named.
fn case_in(root: &RootContext<'_>, kernel: FuncId, index: Option<[u32; 3]>) -> Option<Case> {
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
    Some(Case { grid: root.shape.grid, block: [x, y, z], index, choice: None, chosen: false, known })
}

/// An instruction, and whether what it does to write is meant, or to read: a copy does both.
pub type Deed = (Inst, bool);

/// Whether two threads come to these instructions and touch a common byte, in one barrier interval if they are of one
/// block. Then they do so in every launch of the shape that has the two threads. With `same` they may write one value;
/// without `meets` nothing is known of what happens behind a barrier, to which not all threads may come.
pub fn meet(a: &Trace, b: &Trace, deeds: [Deed; 2], (same, meets): (bool, bool)) -> bool {
    let ordered = |h: &Hit, k: &Hit| {
        // Which blocks are of one cluster hangs on the launch, also where the kernel names a shape.
        (h.wide, h.phase) != (k.wide, k.phase)
            || a.block == b.block
                && (h.interval != k.interval || a.barriers.get(..h.interval) != b.barriers.get(..h.interval))
    };
    let one_value = |h: &Hit, k: &Hit| {
        h.value.is_some() && h.value == k.value && h.address == k.address && h.bytes == k.bytes
    };
    // Where a thread fails, the launch may end before.
    if a.failed || b.failed {
        return false;
    }
    let of = |h: &Hit, deed: Deed| (h.inst, h.writes) == deed && (meets || h.interval == 0 && h.phase == 0);
    a.hits.iter().filter(|h| of(h, deeds[0])).any(|h| {
        b.hits.iter().any(|k| {
            of(k, deeds[1])
                && !ordered(h, k)
                // Two that write one value are another matter.
                && (same || !one_value(h, k))
                && h.address < k.address.saturating_add(k.bytes)
                && k.address < h.address.saturating_add(h.bytes)
        })
    })
}

/// Where the first thread waits while the second is elsewhere.
fn compare(case: &Case, a: ([u32; 3], &Run), b: ([u32; 3], &Run), found: &mut Vec<Witness>) {
    let common = common(a.1, b.1);
    let Some(at) = a.1.barriers.get(common) else { return };
    let clusters = parting_phase(a.1, b.1, common);
    if clusters.is_some_and(|n| b.1.barriers.len() > common || a.1.phases_before(n) < b.1.phases_before(n)) {
        // One of them does not come so far: it waits for its cluster.
        return;
    }
    let other = match b.1.barriers.get(common) {
        Some(path) => Some(path.clone()),
        None if b.1.ended => None,
        None => return,
    };
    part(case, (a.0, at), (b.0, other), found);
}

/// How many barriers of the block two threads wait at together.
fn common(a: &Run, b: &Run) -> usize {
    a.barriers.iter().zip(&b.barriers).take_while(|(x, y)| x == y).count()
}

/// The barrier of the block before which two threads do not wait as often for their cluster, of the first ones and the one
/// behind these.
fn parting_phase(a: &Run, b: &Run, first: usize) -> Option<usize> {
    (0..=first).find(|&n| a.phases_before(n) != b.phases_before(n))
}

/// Where the first thread waits for its cluster while the second waits for the block. Neither comes on: each waits for the
/// other one.
fn compare_phases(case: &Case, a: ([u32; 3], &Run), b: ([u32; 3], &Run), found: &mut Vec<Witness>) {
    let Some(n) = parting_phase(a.1, b.1, common(a.1, b.1)) else { return };
    let at = a.1.phases.iter().filter(|p| p.0 == n).nth(b.1.phases_before(n));
    if let (Some((_, at)), Some(other)) = (at, b.1.barriers.get(n)) {
        part(case, (a.0, at), (b.0, Some(other.clone())), found);
    }
}

/// Two threads for each barrier of the cluster at which one waits for ever, since the other one waits for the block,
/// whatever memory and the arguments that nobody told hold. The shape of the block has to be told.
pub fn cluster_search(root: &RootContext<'_>, kernel: FuncId) -> Vec<Witness> {
    let mut found = Vec::new();
    let mut budget = KERNEL_STEPS;
    let [first, last] = [Some([0; 3]), last_block(root.shape)];
    for index in first.into_iter().chain(last.filter(|l| *l != [0; 3])) {
        let Some(case) = case_of(root, kernel, index) else { return found };
        let mut runs: Vec<([u32; 3], Run)> = Vec::new();
        for thread in threads(case.block) {
            let mut walker = Walker::new(root, &case, thread);
            walker.steps = THREAD_STEPS.min(budget);
            let before = walker.steps;
            runs.push((thread, walker.run(kernel)));
            budget = budget.saturating_sub(before - walker.steps.min(before));
        }
        let mut here = Vec::new();
        for (n, (thread, run)) in runs.iter().enumerate() {
            for (m, (other, other_run)) in runs.iter().enumerate() {
                if n != m {
                    compare_phases(&case, (*thread, run), (*other, other_run), &mut here);
                }
            }
        }
        if !here.is_empty() && states_what_holds(root) && !all_hold(root, kernel, &case, &mut budget) {
            here.clear();
        }
        here.retain(|w| !found.iter().any(|f: &Witness| f.waits.1 == w.waits.1));
        found.extend(here);
    }
    found
}

fn last_block(shape: &Shape) -> Option<[u32; 3]> {
    let [Some(x), Some(y), Some(z)] = shape.grid else { return None };
    Some([x, y, z].map(|n| n.saturating_sub(1)))
}

/// Adds two threads that part, if they are the first at a barrier.
fn part(
    case: &Case,
    waits: ([u32; 3], &BarrierPath),
    other: ([u32; 3], Option<BarrierPath>),
    found: &mut Vec<Witness>,
) {
    if !found.iter().any(|w| w.waits.1 == *waits.1) {
        let index = case.index.unwrap_or_default();
        found.push(Witness {
            block: case.block,
            index,
            chosen: case.chosen,
            argument: case.choice.and_then(|c| c.integer(case.block)),
            waits: (waits.0, waits.1.clone()),
            other,
        });
    }
}

impl Run {
    /// How often the thread waits for its cluster after it has waited for the block so often.
    fn phases_before(&self, n: usize) -> usize {
        self.phases.iter().filter(|p| p.0 == n).count()
    }

    /// Whether two threads wait as often for their cluster before each barrier of the block, wherever that is.
    fn waits_alike(&self, other: &Run) -> bool {
        self.phases.iter().map(|p| p.0).eq(other.phases.iter().map(|p| p.0))
    }
}
