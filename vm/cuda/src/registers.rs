//! How many registers a kernel is taken to use.
//!
//! There is no compiler for a GPU here, so that the number is a model's. What a thread needs is the most 32-bit words of
//! values that are live at one place of the kernel, at a call together with those of the function that is called, and a
//! few words for the stack's pointer and addresses. Constants, addresses of variables, parameters and special registers
//! take none, and truth values lie in predicates. What is above the limit is taken to be spilled: a block of the most
//! threads that the kernel may be launched with, and as many such blocks as `__launch_bounds__` asks for, find room.

use cudair_engine::parts::HostRuntime;
use cudair_ir::SecondaryMap;
use cudair_ir::{Block, FuncId, Function, Inst, InstData, Type, Value};
use rustc_hash::{FxHashMap, FxHashSet};

/// The values that are live at a place.
type Live = FxHashSet<Value>;

/// The stack's pointer and what addresses need.
const FIXED: u64 = 6;
/// The most that a thread can name.
const MOST: u64 = 255;
/// A multiprocessor gives registers to a thread by so many.
const UNIT: u64 = 8;

/// The registers of a thread of a kernel whose blocks have at most `threads` threads.
pub(super) fn registers(m: &HostRuntime<'_>, kernel: FuncId, threads: u64) -> u64 {
    let p = &m.config.device;
    let warp = p.block.warp_size as u64;
    let blocks = u64::from(m.module.funcs[kernel].attrs.launch_bounds[1]).max(1);
    let room = p.block.regs_per_block as u64 / (threads.max(1).next_multiple_of(warp) * blocks);
    let limit = (room / UNIT * UNIT).clamp(UNIT, MOST);
    (FIXED + words(m, kernel, &mut FxHashMap::default())).min(limit)
}

/// What a multiprocessor sets aside for a thread.
pub(super) fn set_aside(registers: u64) -> u64 {
    registers.next_multiple_of(UNIT)
}

/// The most words that are live at one place of a function and below it. A function that calls itself counts once.
fn words(m: &HostRuntime<'_>, func: FuncId, known: &mut FxHashMap<FuncId, u64>) -> u64 {
    if let Some(&words) = known.get(&func) {
        return words;
    }
    known.insert(func, 0);
    let f = &m.module.funcs[func];
    let sizes = sizes(f);
    let size = |v: Value| sizes[v];
    let live_in = live_in(f);
    let mut most = 0;
    for &block in &f.layout {
        let mut live = live_out(f, block, &live_in);
        let mut now: u64 = live.iter().map(|&v| size(v)).sum();
        most = most.max(now);
        for &inst in f.block_insts(block).iter().rev() {
            for &v in f.inst_results(inst) {
                if live.remove(&v) {
                    now -= size(v);
                }
            }
            if let InstData::Call { func: callee, .. } = f.insts[inst] {
                most = most.max(now + words(m, callee, known));
            }
            f.for_each_arg(inst, |v| {
                if live.insert(v) {
                    now += size(v);
                }
            });
            most = most.max(now);
        }
    }
    known.insert(func, most);
    most
}

/// The words of each value; what the machine has elsewhere takes none.
fn sizes(f: &Function) -> SecondaryMap<Value, u64> {
    let mut sizes = SecondaryMap::new();
    for v in f.values.keys() {
        sizes[v] = match f.value_type(v) {
            Type::I1 => 0,
            ty => u64::from(ty.bits().div_ceil(32)),
        };
    }
    let entry = f.layout.first();
    for &v in entry.map_or(&[][..], |&b| f.block_params(b)) {
        sizes[v] = 0;
    }
    for &inst in f.layout.iter().flat_map(|&b| f.block_insts(b)) {
        let elsewhere = matches!(
            f.insts[inst],
            InstData::Const { .. }
                | InstData::GlobalAddr { .. }
                | InstData::FuncAddr { .. }
                | InstData::SlotAddr { .. }
                | InstData::Special { .. }
        );
        for &v in f.inst_results(inst).iter().filter(|_| elsewhere) {
            sizes[v] = 0;
        }
    }
    sizes
}

/// The values that are live where each block begins, by iteration to a fixed point from the last block on.
fn live_in(f: &Function) -> SecondaryMap<Block, Live> {
    let mut known: SecondaryMap<Block, Live> = SecondaryMap::new();
    let mut changed = true;
    while changed {
        changed = false;
        for &block in f.layout.iter().rev() {
            let mut live = live_out(f, block, &known);
            for &inst in f.block_insts(block).iter().rev() {
                step(f, inst, &mut live);
            }
            for &v in f.block_params(block) {
                live.remove(&v);
            }
            // The sets only grow.
            if live.len() > known[block].len() {
                known[block] = live;
                changed = true;
            }
        }
    }
    known
}

fn live_out(f: &Function, block: Block, live_in: &SecondaryMap<Block, Live>) -> Live {
    f.successors(block).into_iter().flat_map(|next| live_in[next].iter().copied()).collect()
}

/// Goes over an instruction from its end to its start.
fn step(f: &Function, inst: Inst, live: &mut Live) {
    for &v in f.inst_results(inst) {
        live.remove(&v);
    }
    f.for_each_arg(inst, |v| {
        live.insert(v);
    });
}
