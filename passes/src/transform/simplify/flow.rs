//! Control-flow clean-up.
//!
//! - Branches and switches on constants, or whose targets are all one, become jumps.
//! - A branch whose two targets are one block with different arguments becomes a `select` for each, where
//!   there are few; arms with a pure instruction or two are made such branches first.
//! - Edges into a block that only jumps go where it jumps to; edges into a block that branches on what is
//!   constant on that edge go where it branches to (but not into loop headers: that would give the loop
//!   a second entry).
//! - A block whose only predecessor only goes to it is merged with it.
//! - Parameters that are the same on every edge are replaced by what they are.
//!
//! A convergent instruction is executed by the same threads as before under every one of these: none is
//! duplicated, and no condition that decides about one is dropped unless it is constant.

use super::fold;
use crate::transform::util::{implicit_params, insert_before, is_pure};
use cudair_ir::*;
use smallvec::SmallVec;

/// Values that a branch may choose between without becoming worse as selects.
const MAX_SELECTS: usize = 3;
/// Instructions of an arm that may be executed although it is not taken.
const MAX_SPECULATED: usize = 2;
/// Instructions of a block through which a constant condition is followed.
const MAX_THREADED: usize = 4;

/// A block and the arguments for its parameters.
type Target = (Block, Vec<Value>);
type Replaced = SecondaryMap<Value, PackedOption<Value>>;

/// Cleans up the control flow of a function whose blocks are all reachable.
pub(super) fn run(func: &mut Function, module: &Module) -> bool {
    let mut changed = fold_branches(func);
    changed |= prune_params(func, module);
    changed |= speculate(func);
    changed |= thread_constants(func);
    changed |= thread_empty(func);
    changed |= form_selects(func);
    if changed {
        crate::transform::util::remove_unreachable(func);
    }
    changed | merge_blocks(func)
}

fn same_call(func: &Function, a: &BlockCall, b: &BlockCall) -> bool {
    a.block == b.block && a.args.as_slice(&func.pool) == b.args.as_slice(&func.pool)
}

fn fold_branches(func: &mut Function) -> bool {
    let mut changed = false;
    for b in 0..func.layout.len() {
        let Some(t) = func.terminator(func.layout[b]) else { continue };
        let dest = match func.insts[t] {
            InstData::Branch { cond, then, other } => match func.const_bits(cond) {
                Some(bit) => Some(if bit == 1 { then } else { other }),
                None => same_call(func, &then, &other).then_some(then),
            },
            InstData::Switch { arg, table } => {
                let table = &func.tables[table];
                match func.const_bits(arg) {
                    Some(bits) => {
                        Some(table.cases.iter().find(|c| c.0 == bits).map_or(table.default, |c| c.1))
                    }
                    None => table
                        .cases
                        .iter()
                        .all(|c| same_call(func, &c.1, &table.default))
                        .then_some(table.default),
                }
            }
            _ => None,
        };
        if let Some(dest) = dest {
            func.insts[t] = InstData::Jump { dest };
            changed = true;
        }
    }
    changed
}

/// Replaces parameters that have one value on all edges.
fn prune_params(func: &mut Function, module: &Module) -> bool {
    /// What a parameter is on the edges seen so far.
    #[derive(Clone, Copy, PartialEq, Default)]
    enum Incoming {
        #[default]
        None,
        One(Value),
        Many,
    }
    let mut replaced = Replaced::new();
    let mut any = false;
    loop {
        let resolve = |mut v: Value| {
            while let Some(w) = replaced[v].expand() {
                v = w;
            }
            v
        };
        let mut incoming: SecondaryMap<Value, Incoming> = SecondaryMap::new();
        for &block in &func.layout {
            let Some(t) = func.terminator(block) else { continue };
            let mut n = 0;
            func.for_each_target(t, |call| {
                let skip = implicit_params(module, func, t, n);
                n += 1;
                let params = func.block_params(call.block);
                for &p in params.iter().take(skip) {
                    incoming[p] = Incoming::Many;
                }
                for (&p, &a) in params.iter().skip(skip).zip(call.args.as_slice(&func.pool)) {
                    let a = resolve(a);
                    if a == p {
                        continue;
                    }
                    incoming[p] = match incoming[p] {
                        Incoming::None => Incoming::One(a),
                        Incoming::One(b) if a == b => Incoming::One(b),
                        _ => Incoming::Many,
                    };
                }
            });
        }
        let mut found = Vec::new();
        for &block in func.layout.iter().skip(1) {
            for &p in func.block_params(block) {
                if replaced[p].is_none()
                    && let Incoming::One(a) = incoming[p]
                    && func.value_type(a) == func.value_type(p)
                {
                    found.push((p, a));
                }
            }
        }
        // One replacement may be another's value: a chain is fine, a ring is not.
        let mut progress = false;
        for (p, a) in found {
            let mut root = a;
            while let Some(w) = replaced[root].expand() {
                root = w;
            }
            if root != p {
                replaced[p] = root.into();
                progress = true;
            }
        }
        if !progress {
            break;
        }
        any = true;
    }
    if any {
        // The parameters are unused now; dead code elimination removes them with their arguments.
        func.replace_uses(&replaced);
    }
    any
}

/// Values that are used in another block than the one that defines them.
fn used_outside(func: &Function) -> EntitySet<Value> {
    let mut home: SecondaryMap<Value, PackedOption<Block>> = SecondaryMap::new();
    for &block in &func.layout {
        for &v in func.block_params(block) {
            home[v] = block.into();
        }
        for &inst in func.block_insts(block) {
            for &v in func.inst_results(inst) {
                home[v] = block.into();
            }
        }
    }
    let mut set = EntitySet::new();
    for &block in &func.layout {
        for &inst in func.block_insts(block) {
            func.for_each_arg(inst, |v| {
                if home[v] != block.into() {
                    set.insert(v);
                }
            });
        }
    }
    set
}

/// The only target of a block that does nothing else.
fn only_jump(func: &Function, block: Block) -> Option<BlockCall> {
    match func.block_insts(block) {
        [inst] => match func.insts[*inst] {
            InstData::Jump { dest } if dest.block != block => Some(dest),
            _ => None,
        },
        _ => None,
    }
}

/// Replaces an edge's target, where the terminator is not an `invoke`.
fn retarget(
    func: &mut Function,
    t: Inst,
    mut f: impl FnMut(&Function, &BlockCall) -> Option<Target>,
) -> bool {
    if matches!(func.insts[t], InstData::Invoke { .. } | InstData::InvokeIndirect { .. }) {
        return false;
    }
    let mut new: SmallVec<[Option<Target>; 2]> = SmallVec::new();
    func.for_each_target(t, |call| new.push(f(func, call)));
    if new.iter().all(Option::is_none) {
        return false;
    }
    let mut new = new.into_iter();
    func.for_each_target_mut(t, |call, pool| {
        if let Some((block, args)) = new.next().flatten() {
            *call = BlockCall { block, args: ValueList::from_slice(&args, pool) };
        }
    });
    true
}

/// Arguments for a target of `block`, when `block` is entered with `args`.
fn through(func: &Function, block: Block, args: &[Value], target: &BlockCall) -> Vec<Value> {
    let params = func.block_params(block);
    let arg = |v: &Value| params.iter().position(|p| p == v).map_or(*v, |n| args[n]);
    target.args.as_slice(&func.pool).iter().map(arg).collect()
}

/// Leads edges into blocks that only jump to where those jump to.
fn thread_empty(func: &mut Function) -> bool {
    let outside = used_outside(func);
    let mut changed = false;
    let empty: Vec<Block> = func
        .layout
        .iter()
        .skip(1)
        .copied()
        .filter(|&b| {
            only_jump(func, b).is_some() && !func.block_params(b).iter().any(|&p| outside.contains(p))
        })
        .collect();
    let is_empty = crate::transform::util::set_of(empty.iter().copied());
    for b in 0..func.layout.len() {
        let Some(t) = func.terminator(func.layout[b]) else { continue };
        changed |= retarget(func, t, |func, call| {
            let (mut block, mut args) = (call.block, call.args.as_slice(&func.pool).to_vec());
            let mut hops = 0;
            // Blocks that only jump to each other would lead round for ever.
            while is_empty.contains(block) && hops < 16 {
                let Some(dest) = only_jump(func, block) else { break };
                // A pointer passed for a generic one keeps its type only up to the next parameter.
                let target = dest.block;
                args = through(func, block, &args, &dest);
                block = target;
                hops += 1;
            }
            (hops > 0).then_some((block, args))
        });
    }
    changed
}

/// Leads edges into blocks that branch on what is constant on that edge to where those branch to.
fn thread_constants(func: &mut Function) -> bool {
    let cfg = Cfg::new(func);
    let outside = used_outside(func);
    let threadable = |func: &Function, block: Block| -> bool {
        let insts = func.block_insts(block);
        let Some((&t, rest)) = insts.split_last() else { return false };
        matches!(func.insts[t], InstData::Branch { .. } | InstData::Switch { .. })
            && rest.len() <= MAX_THREADED
            && !func.block_params(block).is_empty()
            && rest.iter().all(|&i| is_pure(func, i))
            && !cfg.preds(block).iter().any(|&p| cfg.is_back_edge(p, block))
            && !func.block_params(block).iter().any(|&v| outside.contains(v))
            && !rest.iter().flat_map(|&i| func.inst_results(i)).any(|&v| outside.contains(v))
    };
    let candidates =
        crate::transform::util::set_of(func.layout.iter().skip(1).copied().filter(|&b| threadable(func, b)));
    let mut changed = false;
    for b in 0..func.layout.len() {
        let Some(t) = func.terminator(func.layout[b]) else { continue };
        changed |= retarget(func, t, |func, call| {
            if !candidates.contains(call.block) {
                return None;
            }
            let args = call.args.as_slice(&func.pool).to_vec();
            let target = known_target(func, call.block, &args)?;
            // The target's arguments must not be what the block computes.
            let local = func.block_insts(call.block).iter().flat_map(|&i| func.inst_results(i));
            let local: SmallVec<[Value; 8]> = local.copied().collect();
            if target.args.as_slice(&func.pool).iter().any(|v| local.contains(v))
                || target.block == call.block
            {
                return None;
            }
            Some((target.block, through(func, call.block, &args, &target)))
        });
    }
    changed
}

/// Where a block goes that is entered with `args`, if they decide it.
fn known_target(func: &Function, block: Block, args: &[Value]) -> Option<BlockCall> {
    let mut known: SmallVec<[(Value, u128); 8]> = SmallVec::new();
    for (&p, &a) in func.block_params(block).iter().zip(args) {
        if let Some(bits) = func.const_bits(a) {
            known.push((p, bits));
        }
    }
    if known.is_empty() {
        return None;
    }
    let bits_of = |known: &[(Value, u128)], v: Value| {
        known.iter().find(|k| k.0 == v).map(|k| k.1).or_else(|| func.const_bits(v))
    };
    let (&t, rest) = func.block_insts(block).split_last()?;
    for &inst in rest {
        let mut bits: SmallVec<[Option<u128>; 3]> = SmallVec::new();
        func.for_each_arg(inst, |v| bits.push(bits_of(&known, v)));
        let bits: Option<SmallVec<[u128; 3]>> = bits.into_iter().collect();
        if let Some((_, value)) = bits.and_then(|b| fold::inst(func, &func.insts[inst], &b)) {
            known.push((func.result(inst)?, value));
        }
    }
    match func.insts[t] {
        InstData::Branch { cond, then, other } => {
            Some(if bits_of(&known, cond)? == 1 { then } else { other })
        }
        InstData::Switch { arg, table } => {
            let bits = bits_of(&known, arg)?;
            let table = &func.tables[table];
            Some(table.cases.iter().find(|c| c.0 == bits).map_or(table.default, |c| c.1))
        }
        _ => None,
    }
}

/// Moves the few pure instructions of an arm before the branch, so that the arm is empty.
fn speculate(func: &mut Function) -> bool {
    let cfg = Cfg::new(func);
    let mut changed = false;
    for b in 0..func.layout.len() {
        let block = func.layout[b];
        let Some(t) = func.terminator(block) else { continue };
        let InstData::Branch { then, other, .. } = func.insts[t] else { continue };
        if then.block == other.block {
            continue;
        }
        // Where an arm leads if it is short and pure, or the target itself if it is the join.
        let arm = |target: Block| -> Option<(Block, usize)> {
            let (&last, rest) = func.block_insts(target).split_last()?;
            let InstData::Jump { dest } = func.insts[last] else { return None };
            let short = rest.len() <= MAX_SPECULATED && rest.iter().all(|&i| is_cheap(func, i));
            let alone = cfg.preds(target) == [block] && func.block_params(target).is_empty();
            (short && alone && dest.block != target).then_some((dest.block, rest.len()))
        };
        let (a, o) = (arm(then.block), arm(other.block));
        let moved: SmallVec<[Block; 2]> = match (a, o) {
            (Some((j, n)), Some((k, m))) if j == k && n + m > 0 => {
                [then.block, other.block].into_iter().collect()
            }
            (Some((j, n)), _) if j == other.block && n > 0 => [then.block].into_iter().collect(),
            (_, Some((j, n))) if j == then.block && n > 0 => [other.block].into_iter().collect(),
            _ => continue,
        };
        // Only where selects will follow.
        let join = if moved.contains(&then.block) { a.map(|x| x.0) } else { o.map(|x| x.0) };
        if join.is_none_or(|j| func.block_params(j).len() > MAX_SELECTS || func.block_params(j).is_empty()) {
            continue;
        }
        for arm in moved {
            let mut insts = std::mem::take(&mut func.blocks[arm].insts);
            let last = insts.split_off(insts.len() - 1);
            func.blocks[arm].insts = last;
            let at = func.blocks[block].insts.len() - 1;
            func.blocks[block].insts.splice(at..at, insts);
        }
        changed = true;
    }
    changed
}

/// Whether an instruction costs little enough to execute it for nothing.
fn is_cheap(func: &Function, inst: Inst) -> bool {
    is_pure(func, inst)
        && !matches!(
            func.insts[inst],
            InstData::Binary {
                op: BinaryOp::Sdiv
                    | BinaryOp::Udiv
                    | BinaryOp::Srem
                    | BinaryOp::Urem
                    | BinaryOp::Fdiv
                    | BinaryOp::Frem,
                ..
            } | InstData::Unary { op: UnaryOp::Fsqrt, .. }
        )
}

/// Turns branches to one block with different arguments into selects.
fn form_selects(func: &mut Function) -> bool {
    let mut changed = false;
    for b in 0..func.layout.len() {
        let block = func.layout[b];
        let Some(t) = func.terminator(block) else { continue };
        let InstData::Branch { cond, then, other } = func.insts[t] else { continue };
        if then.block != other.block {
            continue;
        }
        let xs = then.args.as_slice(&func.pool).to_vec();
        let ys = other.args.as_slice(&func.pool).to_vec();
        let params = func.block_params(then.block);
        let types: Vec<Type> = params.iter().map(|&p| func.value_type(p)).collect();
        let differ = xs.iter().zip(&ys).filter(|(x, y)| x != y).count();
        if differ > MAX_SELECTS {
            continue;
        }
        let loc = func.locs[t].expand();
        let mut args = Vec::with_capacity(xs.len());
        for ((&x, &y), &ty) in xs.iter().zip(&ys).zip(&types) {
            if x == y {
                args.push(x);
                continue;
            }
            let as_param = |func: &mut Function, v: Value| {
                if func.value_type(v) == ty {
                    return v;
                }
                let at = func.blocks[block].insts.len() - 1;
                insert_before(func, block, at, InstData::Cast { op: CastOp::Spacecast, ty, arg: v }, ty, loc)
            };
            let (x, y) = (as_param(func, x), as_param(func, y));
            let data = InstData::Ternary { op: TernaryOp::Select, args: [cond, x, y] };
            let at = func.blocks[block].insts.len() - 1;
            args.push(insert_before(func, block, at, data, ty, loc));
        }
        let dest = func.block_call(then.block, &args);
        func.insts[t] = InstData::Jump { dest };
        changed = true;
    }
    changed
}

/// Merges blocks with their only predecessor, where that goes nowhere else.
fn merge_blocks(func: &mut Function) -> bool {
    let mut edges: SecondaryMap<Block, u32> = SecondaryMap::new();
    for &block in &func.layout {
        for s in func.successors(block) {
            edges[s] += 1;
        }
    }
    let entry = func.entry();
    let mut replaced = Replaced::new();
    let mut gone: EntitySet<Block> = EntitySet::new();
    for b in 0..func.layout.len() {
        let block = func.layout[b];
        if gone.contains(block) {
            continue;
        }
        while let Some(t) = func.terminator(block) {
            let InstData::Jump { dest } = func.insts[t] else { break };
            let next = dest.block;
            if edges[next] != 1 || Some(next) == entry || next == block {
                break;
            }
            func.blocks[block].insts.pop();
            let loc = func.locs[t].expand();
            let params = func.block_params(next).to_vec();
            let args = dest.args.as_slice(&func.pool).to_vec();
            for (p, mut a) in params.into_iter().zip(args) {
                let ty = func.value_type(p);
                if func.value_type(a) != ty {
                    let at = func.blocks[block].insts.len();
                    let cast = InstData::Cast { op: CastOp::Spacecast, ty, arg: a };
                    a = insert_before(func, block, at, cast, ty, loc);
                }
                replaced[p] = a.into();
            }
            let insts = std::mem::take(&mut func.blocks[next].insts);
            func.blocks[block].insts.extend(insts);
            gone.insert(next);
        }
    }
    if gone.is_empty() {
        return false;
    }
    func.layout.retain(|&b| !gone.contains(b));
    func.replace_uses(&replaced);
    true
}
