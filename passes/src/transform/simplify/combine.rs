//! The walk over the dominator tree that folds, applies the identities of [`super::rules`] and finds
//! expressions that were computed before.

use super::gvn::Table;
use super::{fold, rules};
use cudair_ir::*;
use smallvec::SmallVec;

/// How often one instruction is rewritten before the walk goes on.
const MAX_STEPS: usize = 8;

/// What is known while the walk is at an instruction.
pub(super) struct Combiner<'a> {
    pub(super) func: &'a mut Function,
    table: Table,
    out: Vec<Inst>,
    changed: bool,
}

/// What became of an instruction.
pub(super) enum Outcome {
    /// Nothing applies.
    Keep,
    /// Its data was rewritten in place; look at it again.
    Again,
    /// Its result is this value.
    Value(Value),
}

/// Simplifies the instructions of a function whose blocks are all reachable.
pub(super) fn run(func: &mut Function) -> bool {
    let cfg = Cfg::new(func);
    let dom = DomTree::new(&cfg);
    let mut replaced: SecondaryMap<Value, PackedOption<Value>> = SecondaryMap::new();
    let mut c = Combiner { func, table: Table::default(), out: Vec::new(), changed: false };
    enum Step {
        Enter(Block),
        Leave(usize),
    }
    let mut stack: Vec<Step> = c.func.entry().map(Step::Enter).into_iter().collect();
    while let Some(step) = stack.pop() {
        match step {
            Step::Leave(mark) => c.table.reset(mark),
            Step::Enter(block) => {
                stack.push(Step::Leave(c.table.mark()));
                let children: SmallVec<[Block; 4]> = dom.children(block).collect();
                stack.extend(children.into_iter().rev().map(Step::Enter));
                c.block(block, &mut replaced);
            }
        }
    }
    let changed = c.changed;
    func.replace_uses(&replaced);
    changed
}

impl Combiner<'_> {
    fn block(&mut self, block: Block, replaced: &mut SecondaryMap<Value, PackedOption<Value>>) {
        let insts = std::mem::take(&mut self.func.blocks[block].insts);
        self.out = Vec::with_capacity(insts.len());
        for inst in insts {
            self.func.map_args(inst, |v| resolve(replaced, v));
            match self.inst(inst) {
                Some(v) => {
                    if let Some(result) = self.func.result(inst) {
                        replaced[result] = v.into();
                    }
                    self.changed = true;
                }
                None => self.out.push(inst),
            }
        }
        self.func.blocks[block].insts = std::mem::take(&mut self.out);
    }

    /// Simplifies one instruction; gives the value that takes its place, if one does.
    fn inst(&mut self, inst: Inst) -> Option<Value> {
        for _ in 0..MAX_STEPS {
            if let Some(v) = self.fold(inst) {
                return Some(v);
            }
            match rules::apply(self, inst) {
                Outcome::Keep => break,
                Outcome::Again => self.changed = true,
                Outcome::Value(v) => return Some(v),
            }
        }
        self.table.find_or_add(self.func, inst)
    }

    fn fold(&mut self, inst: Inst) -> Option<Value> {
        self.func.result(inst)?;
        let data = &self.func.insts[inst];
        if matches!(data, InstData::Const { .. }) {
            return None;
        }
        let mut args: SmallVec<[u128; 3]> = SmallVec::new();
        let mut constant = true;
        self.func.for_each_arg(inst, |v| match self.func.const_bits(v) {
            Some(bits) if constant => args.push(bits),
            _ => constant = false,
        });
        if !constant || args.is_empty() {
            return None;
        }
        let (ty, bits) = fold::inst(self.func, data, &args)?;
        Some(self.constant(inst, ty, bits))
    }

    /// A new instruction before the current one, at the place of `like`, or an equal one that is there.
    pub(super) fn emit(&mut self, like: Inst, data: InstData, ty: Type) -> Value {
        let loc = self.func.locs[like].expand();
        let new = self.func.make_inst(data, &[ty], loc);
        match self.table.find_or_add(self.func, new) {
            Some(v) => v,
            None => {
                self.out.push(new);
                self.func.inst_results(new)[0]
            }
        }
    }

    /// A constant before the current instruction.
    pub(super) fn constant(&mut self, like: Inst, ty: Type, bits: u128) -> Value {
        self.emit(like, InstData::Const { ty, bits: bits & ty.bit_mask() }, ty)
    }
}

fn resolve(replaced: &SecondaryMap<Value, PackedOption<Value>>, mut v: Value) -> Value {
    while let Some(w) = replaced[v].expand() {
        v = w;
    }
    v
}
