//! Reads that their own value repeats.
//!
//! A thread that waits reads one address again and again until the value pleases it, and then computes with
//! that value. In the graph: every way from the read to the use leads through one edge of a branch that
//! decides by the value, the branch's other edges lead back to the read with the same address, and no way
//! along them brings the value that was not accepted to the use.

use super::{FuncUses, def_block};
use crate::entities::*;
use crate::function::{Function, ValueDef};
use crate::inst::InstData;
use rustc_hash::{FxHashMap, FxHashSet};

/// The read in question.
pub(super) struct Poll<'a> {
    pub(super) func: &'a Function,
    pub(super) facts: &'a FuncUses,
    /// The load, or the call that loads.
    pub(super) read: Inst,
    /// What must be the same when it is repeated.
    pub(super) address: &'a [Value],
    /// The terminators that decide by the value.
    pub(super) branches: &'a [Inst],
}

/// The parameters of blocks with the values that they have on a way.
type Bound = FxHashMap<Value, Value>;

/// Nesting of an address's expression.
const DEPTH: u32 = 16;

impl Poll<'_> {
    /// Whether an instruction uses a value that depends on the read only after it was accepted.
    pub(super) fn accepts(&self, user: Inst, value: Value) -> bool {
        self.accepted(self.facts.block_of[user], value, |_| false)
    }

    /// Whether a branch that decides by the value leads back to the read, with the same address, and elsewhere.
    pub(super) fn waits(&self) -> bool {
        self.branches.iter().any(|&branch| {
            let at = self.facts.block_of[branch];
            let doors = self.func.successors(at);
            doors.iter().any(|&door| {
                let mut others = doors.iter().enumerate().filter(|o| *o.1 != door);
                others.any(|(n, _)| self.repeats(branch, n, (at, door)))
            })
        })
    }

    /// The same of a value that a terminator passes along its edge to a block.
    pub(super) fn accepts_along(&self, terminator: Inst, to: Block, value: Value) -> bool {
        let from = self.facts.block_of[terminator];
        self.accepted(from, value, |edge| edge == (from, to))
    }

    fn accepted(&self, target: Block, value: Value, is_used_on: impl Fn((Block, Block)) -> bool) -> bool {
        let home = self.facts.block_of[self.read];
        self.branches.iter().any(|&branch| {
            let at = self.facts.block_of[branch];
            let doors = self.func.successors(at);
            doors.iter().any(|&door| {
                let edge = (at, door);
                let only_behind =
                    is_used_on(edge) || target != home && target != at && !self.reaches(home, target, edge);
                only_behind
                    && doors.iter().enumerate().any(|(n, &back)| {
                        back != door
                            && !self.survives(back, target, value, edge)
                            && self.repeats(branch, n, edge)
                    })
            })
        })
    }

    /// Whether control gets from a block to another without taking an edge.
    fn reaches(&self, from: Block, to: Block, without: (Block, Block)) -> bool {
        self.walk(from, without, |_| false).contains(&to)
    }

    /// The blocks behind a block; a way ends where `stops` says so.
    fn walk(&self, from: Block, without: (Block, Block), stops: impl Fn(Block) -> bool) -> FxHashSet<Block> {
        let mut seen = FxHashSet::default();
        let mut work = vec![from];
        while let Some(block) = work.pop() {
            for next in self.func.successors(block) {
                if (block, next) != without && seen.insert(next) && !stops(next) {
                    work.push(next);
                }
            }
        }
        seen
    }

    /// Whether a value gets from the start of a block to its use without being computed again.
    fn survives(&self, from: Block, user: Block, value: Value, edge: (Block, Block)) -> bool {
        let home = self.facts.block_of[self.read];
        let def = def_block(self.func, self.facts, value);
        let renews = |block: Block| block == home || block == def;
        if renews(from) || user == def {
            return false;
        }
        from == user || self.walk(from, edge, renews).contains(&user)
    }

    /// Whether the n-th edge of a branch leads back to the read, and with the same address wherever it does before
    /// the value is accepted.
    fn repeats(&self, branch: Inst, n: usize, accepted: (Block, Block)) -> bool {
        let home = self.facts.block_of[self.read];
        let relevant = self.relevant();
        let mut work = vec![(self.facts.block_of[branch], n, Bound::default())];
        // The values that blocks were entered with.
        let mut entered: FxHashMap<Block, Bound> = FxHashMap::default();
        let mut back = false;
        while let Some((from, n, mut bound)) = work.pop() {
            let Some(terminator) = self.func.terminator(from) else { return false };
            let mut calls = Vec::new();
            self.func.for_each_target(terminator, |call| calls.push(*call));
            let to = calls[n].block;
            if (from, to) == accepted {
                continue;
            }
            let args = calls[n].args.as_slice(&self.func.pool);
            let new: Vec<(Value, Value)> = self
                .func
                .block_params(to)
                .iter()
                .zip(args)
                .filter(|(param, _)| relevant.contains(param))
                .map(|(&param, arg)| (param, *bound.get(arg).unwrap_or(arg)))
                .collect();
            bound.extend(new);
            if to == home {
                back = true;
                if !self.address.iter().all(|&v| self.is_steady(v, &bound, &entered, DEPTH)) {
                    return false;
                }
                continue;
            }
            match entered.get(&to) {
                Some(known) if *known == bound => continue,
                Some(_) => return false,
                None => entered.insert(to, bound.clone()),
            };
            let ways = self.func.successors(to).len();
            work.extend((0..ways).map(|n| (to, n, bound.clone())));
        }
        back
    }

    /// The parameters of blocks that may go into the address.
    fn relevant(&self) -> FxHashSet<Value> {
        let mut seen: FxHashSet<Value> = self.address.iter().copied().collect();
        let mut work: Vec<Value> = self.address.to_vec();
        while let Some(v) = work.pop() {
            let mut add = |v: Value| {
                if seen.insert(v) {
                    work.push(v);
                }
            };
            match self.func.values[v].def {
                ValueDef::Result(inst, _) => self.func.for_each_arg(inst, add),
                ValueDef::Param(block, n) => {
                    for &from in self.facts.cfg.preds(block) {
                        let Some(terminator) = self.func.terminator(from) else { continue };
                        self.func.for_each_target(terminator, |call| {
                            if let (true, Some(&arg)) =
                                (call.block == block, call.args.as_slice(&self.func.pool).get(n as usize))
                            {
                                add(arg);
                            }
                        });
                    }
                }
            }
        }
        seen
    }

    /// Whether an operand has the value that it had when the read was made last.
    fn is_steady(&self, v: Value, bound: &Bound, entered: &FxHashMap<Block, Bound>, depth: u32) -> bool {
        let ValueDef::Result(inst, _) = self.func.values[v].def else {
            return bound.get(&v).is_none_or(|&now| now == v);
        };
        let block = def_block(self.func, self.facts, v);
        if block != self.facts.block_of[self.read] && !entered.contains_key(&block) {
            return true;
        }
        let data = &self.func.insts[inst];
        // What is loaded plainly is taken to stay: a pointer that lies in memory.
        let again = data.is_pure()
            || matches!(
                data,
                InstData::Unary { .. }
                    | InstData::Binary { .. }
                    | InstData::Icmp { .. }
                    | InstData::Cast { .. }
            )
            || matches!(data, InstData::Load { flags, .. } if !flags.volatile);
        if !again || depth == 0 {
            return false;
        }
        let mut steady = true;
        self.func.for_each_arg(inst, |arg| steady &= self.is_steady(arg, bound, entered, depth - 1));
        steady
    }
}
