//! Launches in which no thread writes what another one has written and reads back.
//!
//! What a thread reads from memory that the kernel writes is not known to a [`trace`](super::trace): another thread may have
//! written it. Here all threads of a launch are followed, each as if it were alone with what it writes. If then no thread
//! writes bytes that another one has read back, each did what it does in every run: the first one to do something else would
//! have read what another one wrote, which had done until then what is told here.

use super::walker::{Bits, GLOBALS, OBJECT, PRIVATE, Walker};
use super::{Failure, KERNEL_STEPS, ThreadIndex, Trace, case_of};
use crate::analysis::uniformity::RootContext;
use cudair_ir::*;
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

/// Threads of a launch that are all followed.
const MAX_THREADS: u64 = 4096;

/// What one thread has written itself to memory that others see.
pub(super) struct Written {
    variables: Rc<Variables>,
    /// What it knows that memory holds: of each object, each byte.
    bytes: FxHashMap<u64, FxHashMap<u64, u8>>,
    /// What it has read of that: address and bytes.
    read: Vec<(u64, u64)>,
    /// Where it has written, or may have.
    writes: Vec<(u64, u64)>,
    /// It may have written anywhere.
    anywhere: bool,
}

impl Written {
    fn new(variables: &Rc<Variables>) -> Written {
        Written {
            variables: Rc::clone(variables),
            bytes: FxHashMap::default(),
            read: Vec::new(),
            writes: Vec::new(),
            anywhere: false,
        }
    }

    /// Bits that the thread itself has written.
    pub(super) fn load(&mut self, at: u64, bytes: u64) -> Bits {
        let known = self.bytes.get(&(at >> OBJECT))?;
        let mut bits = 0;
        for i in (0..bytes).rev() {
            bits = bits << 8 | u128::from(*known.get(&at.wrapping_add(i))?);
        }
        self.read.push((at, bytes));
        Some(bits)
    }

    /// Writes to memory that others see, where that is told.
    pub(super) fn store(&mut self, at: Bits, bytes: u64, value: Bits) {
        let Some(at) = at.map(|a| a as u64) else {
            self.anywhere = true;
            return;
        };
        if at >= PRIVATE || bytes == 0 {
            return;
        }
        self.writes.push((at, bytes));
        let variables = &self.variables;
        self.bytes.retain(|&o, _| o == at >> OBJECT || variables.are_apart(o, at >> OBJECT));
        let known = self.bytes.entry(at >> OBJECT).or_default();
        match value.filter(|_| bytes <= 16) {
            Some(v) => known.extend((0..bytes).map(|i| (at.wrapping_add(i), (v >> (8 * i)) as u8))),
            None => known.retain(|&a, _| a < at || a - at >= bytes),
        }
    }
}

/// In which memory a variable is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Memory {
    Device,
    Shared,
    DynamicShared,
}

/// The variables of the module, by number.
struct Variables(Vec<Memory>);

impl Variables {
    fn new(module: &Module) -> Variables {
        let of = |g: &Global| match g.space {
            Space::Shared if g.dynamic => Memory::DynamicShared,
            Space::Shared => Memory::Shared,
            _ => Memory::Device,
        };
        Variables(module.globals.values().map(of).collect())
    }

    /// The memory of an object that is a variable, and none that is passed.
    fn memory(&self, object: u64) -> Option<Memory> {
        let n = object.checked_sub(GLOBALS >> OBJECT).filter(|_| object < PRIVATE >> OBJECT)?;
        self.0.get((n as usize).checked_sub(1)?).copied()
    }

    fn is_shared(&self, object: u64) -> bool {
        self.memory(object).is_some_and(|m| m != Memory::Device)
    }

    /// Whether two objects have no byte in common. Nobody says where pointers that are passed point to, but they do not point
    /// to shared memory; and all variables of dynamic shared memory are one.
    fn are_apart(&self, a: u64, b: u64) -> bool {
        match (self.memory(a), self.memory(b)) {
            _ if a == b => false,
            (Some(a), Some(b)) => !(a == Memory::DynamicShared && b == Memory::DynamicShared),
            (Some(m), None) | (None, Some(m)) => m != Memory::Device,
            (None, None) => false,
        }
    }
}

/// What an atomic operation leaves, where that is a number.
pub(super) fn updated(op: AtomicOp, ty: Type, old: u128, value: u128) -> Bits {
    let op = match op {
        AtomicOp::Xchg => return Some(value),
        AtomicOp::Add => BinaryOp::Iadd,
        AtomicOp::Sub => BinaryOp::Isub,
        AtomicOp::And => BinaryOp::And,
        AtomicOp::Or => BinaryOp::Or,
        AtomicOp::Xor => BinaryOp::Xor,
        AtomicOp::Smin => BinaryOp::Smin,
        AtomicOp::Smax => BinaryOp::Smax,
        AtomicOp::Umin => BinaryOp::Umin,
        AtomicOp::Umax => BinaryOp::Umax,
        _ => return None,
    };
    if !ty.is_int() {
        return None;
    }
    crate::analysis::eval::binary(op, false, ty, old, value)
}

/// Whether a thread reads back what it has written itself.
pub fn reads_back(root: &RootContext<'_>, kernel: FuncId, at: ThreadIndex) -> bool {
    let variables = Rc::new(Variables::new(root.module));
    follow(root, kernel, at, &variables, &mut { KERNEL_STEPS })
        .is_some_and(|(_, written)| !written.read.is_empty())
}

/// What all threads of a launch do, where none writes what another one reads back. The extents have to be told.
pub fn undisturbed(root: &RootContext<'_>, kernel: FuncId) -> Option<FxHashMap<ThreadIndex, Trace>> {
    let (grid, block) = (all(root.shape.grid)?, all(root.shape.block)?);
    volume(grid).checked_mul(volume(block)).filter(|&n| n <= MAX_THREADS)?;
    let cells = |[x, y, z]: [u32; 3]| {
        (0..z).flat_map(move |k| (0..y).flat_map(move |j| (0..x).map(move |i| [i, j, k])))
    };
    let variables = Rc::new(Variables::new(root.module));
    let mut steps = KERNEL_STEPS;
    let mut traces = FxHashMap::default();
    let mut threads = Vec::new();
    for index in cells(grid) {
        for thread in cells(block) {
            let (trace, written) = follow(root, kernel, (index, thread), &variables, &mut steps)?;
            traces.insert((index, thread), trace);
            threads.push((index, written));
        }
    }
    // Who writes a byte, and who an object: nobody where several do. Each block has shared memory of its own.
    let of = |block: [u32; 3], object: u64| if variables.is_shared(object) { block } else { [0; 3] };
    let mut bytes: FxHashMap<([u32; 3], u64), Option<usize>> = FxHashMap::default();
    let mut objects: FxHashMap<([u32; 3], u64), Option<usize>> = FxHashMap::default();
    let note = |n: usize, who: &mut Option<usize>| *who = who.filter(|&o| o == n);
    for (n, (block, written)) in threads.iter().enumerate() {
        for &(at, len) in &written.writes {
            let block = of(*block, at >> OBJECT);
            note(n, objects.entry((block, at >> OBJECT)).or_insert(Some(n)));
            steps = steps.checked_sub(u32::try_from(len).ok()?)?;
            for i in 0..len {
                note(n, bytes.entry((block, at.wrapping_add(i))).or_insert(Some(n)));
            }
        }
    }
    let own = |n: usize, block: [u32; 3], at: u64, len: u64| {
        let here = of(block, at >> OBJECT);
        let overlaps = |&(b, o): &([u32; 3], u64)| {
            o != at >> OBJECT
                && (b == here || !variables.is_shared(o))
                && !variables.are_apart(o, at >> OBJECT)
        };
        (0..len).all(|i| bytes.get(&(here, at.wrapping_add(i))).is_none_or(|who| *who == Some(n)))
            && objects.iter().filter(|(o, _)| overlaps(o)).all(|(_, who)| *who == Some(n))
    };
    let fine = threads.iter().enumerate().all(|(n, (block, written))| {
        let read: FxHashSet<(u64, u64)> = written.read.iter().copied().collect();
        read.into_iter().all(|(at, len)| own(n, *block, at, len))
    });
    fine.then_some(traces)
}

/// Follows a thread as if no other one wrote. `None` if what it does is not known to its end.
fn follow(
    root: &RootContext<'_>,
    kernel: FuncId,
    (index, thread): ThreadIndex,
    variables: &Rc<Variables>,
    steps: &mut u32,
) -> Option<(Trace, Written)> {
    let case = case_of(root, kernel, index)?;
    let mut walker = Walker::new(root, &case, thread);
    walker.steps = *steps;
    walker.written = Some(Written::new(variables));
    let run = walker.run(kernel);
    *steps = walker.steps;
    let written = walker.written.take()?;
    // A thread that fails does nothing more.
    let ends = run.ended || matches!(walker.failure, Some(Failure::Assertion | Failure::Call));
    (ends && !written.anywhere).then(|| (Trace::of(walker, run, index), written))
}

fn all(extents: [Option<u32>; 3]) -> Option<[u32; 3]> {
    let [Some(x), Some(y), Some(z)] = extents else { return None };
    Some([x, y, z])
}
