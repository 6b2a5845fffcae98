//! What kernels are compiled for.

use super::{Object, threads};
use crate::device::launch::Prepared;
use crate::machine::Machine;
use cudair_codegen::Shape;
use cudair_ir::Type;
use cudair_jit::{Plan, Promises, RootFacts};

/// The largest numbers of the ranges that kernels are compiled for: few, since each range needs a form of its own.
const RANGES: [i64; 7] =
    [(1 << 8) - 1, (1 << 12) - 1, (1 << 15) - 1, (1 << 18) - 1, (1 << 24) - 1, i32::MAX as i64, i64::MAX];

/// The range that a number is in.
fn around(n: i64) -> (i64, i64) {
    if n < 0 {
        return (i64::MIN, -1);
    }
    let mut low = 0;
    for high in RANGES {
        if n <= high {
            return (low, high);
        }
        low = high + 1;
    }
    (low, i64::MAX)
}

/// No fewer blocks than there are: few such numbers, as with [`RANGES`].
fn blocks_around(n: u32) -> u32 {
    const FEW: [u32; 8] = [1, 4, 32, 256, 1 << 12, 1 << 16, 1 << 20, 1 << 24];
    FEW.into_iter().find(|&most| n <= most).unwrap_or(u32::MAX)
}

/// What holds of a launch, as far as a kernel is compiled for it.
pub(super) fn promises(
    m: &Machine,
    launch: &Prepared,
    plan: &Plan,
    objects: &[Object],
    converges: bool,
) -> Promises {
    let grid = &launch.grid;
    let sig = &grid.program.module.funcs[grid.launch.kernel].sig;
    let args = sig.params.iter().zip(&grid.launch.args).map(|(p, &bits)| match p.ty {
        Type::I32 => Some(around(i64::from(bits as u32 as i32))),
        Type::I64 => Some(around(bits as u64 as i64)),
        _ => None,
    });
    // Whether all that touches an object comes from one root.
    let is_sole = |number: u32| {
        let same = objects.iter().filter(|o| matches!(o, Object::Table(o, _) if o.number == number));
        plan.unknown.is_none() && same.count() == 1
    };
    let roots = plan.roots.iter().zip(&plan.uses).zip(objects).map(|((_, usage), object)| match *object {
        Object::Table(o, ptr) => RootFacts {
            bitmap: !o.init.is_null(),
            kept: usage.writes,
            watched: m.mem.grid.compares(o.number) && o.writes && !(usage.is_atomic() && is_sole(o.number)),
            align_log2: (ptr.offset().trailing_zeros() as u8).min(8),
        },
        Object::Shared(_, watched) => RootFacts { align_log2: 8, watched, ..RootFacts::default() },
        Object::Local | Object::None(_) => RootFacts::default(),
    });
    let mut roots: Vec<RootFacts> = roots.collect();
    if writes_the_same(m, plan, &roots) {
        for ((facts, usage), object) in roots.iter_mut().zip(&plan.uses).zip(objects) {
            if let Object::Table(o, _) = *object {
                facts.kept &= usage.reads || o.host_reads || !is_sole(o.number);
            }
        }
    }
    let threads = threads::may_run(m, launch, plan, &roots);
    let grid_dim = grid.launch.grid.map(blocks_around);
    Promises {
        shape: Shape { block_dim: grid.launch.block, grid_dim, args: args.collect() },
        roots,
        converges,
        threads,
    }
}

/// Whether the bytecode writes whatever machine code has written when it gives the launch up, and the same values: no thread reads
/// what another one writes, but for shared memory between barriers. Then the undo log need not keep what the launch never reads. If
/// the bytecode ends the launch before it has written all of it, later calls fail, and nobody sees the rest but a host that may read
/// the object itself.
fn writes_the_same(m: &Machine, plan: &Plan, roots: &[RootFacts]) -> bool {
    // Where the detector sees nothing at all, that an object is not watched says nothing of it.
    plan.unknown.is_none()
        && !plan.is_ordered()
        && m.mem.grid.may_share()
        && roots.iter().all(|facts| !facts.watched)
}
