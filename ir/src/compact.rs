//! Renumbering a function.
//!
//! Passes leave gaps: instructions that are in no block, values that nothing defines. Compaction writes
//! the function anew, its entities numbered as its text numbers them, so that messages, text and side
//! tables agree and no memory is held by what is gone.

use crate::entities::*;
use crate::function::{BlockData, Function, ValueData, ValueDef};
use crate::inst::{BlockCall, InstData, Operand, SwitchData, ValueList, ValuePool};
use crate::text::number::FuncNumbers;
use cranelift_entity::{EntityRef, PrimaryMap, SecondaryMap};

impl Function {
    /// Renumbers blocks, instructions, values, sites and tables in layout order and forgets those that
    /// the layout does not reach. Slots stay (see [`Function::drop_unused_slots`]). A function that uses
    /// a value which no block defines is invalid and is left as it is; gives whether it was renumbered.
    pub fn compact(&mut self) -> bool {
        let numbers = FuncNumbers::new(self);
        for &block in &self.layout {
            for &inst in self.block_insts(block) {
                let mut known = true;
                self.for_each_arg(inst, |v| known &= numbers.values[v].is_some());
                self.for_each_target(inst, |c| known &= numbers.blocks[c.block].is_some());
                if !known {
                    return false;
                }
            }
        }
        let value = |v: Value| numbers.values[v].expand().unwrap_or(v);
        let block_of = |b: Block| numbers.blocks[b].expand().unwrap_or(b);

        let mut pool = ValuePool::new();
        let mut blocks: PrimaryMap<Block, BlockData> = PrimaryMap::with_capacity(self.layout.len());
        let mut insts = PrimaryMap::new();
        let mut results: SecondaryMap<Inst, ValueList> = SecondaryMap::new();
        let mut values: PrimaryMap<Value, ValueData> = PrimaryMap::new();
        let mut tables = PrimaryMap::new();
        let mut sites = PrimaryMap::new();
        let mut locs = SecondaryMap::new();
        let old_pool = &self.pool;
        let relist = |list: &ValueList, pool: &mut ValuePool| {
            ValueList::from_iter(list.as_slice(old_pool).iter().map(|&v| value(v)), pool)
        };
        for &old_block in &self.layout {
            let old = &self.blocks[old_block];
            let block = blocks.push(BlockData {
                params: relist(&old.params, &mut pool),
                insts: Vec::with_capacity(old.insts.len()),
            });
            for (n, &v) in old.params.as_slice(old_pool).iter().enumerate() {
                let def = ValueDef::Param(block, n as u32);
                values.push(ValueData { ty: self.values[v].ty, def });
            }
            for &old_inst in &old.insts {
                let mut data = self.insts[old_inst].clone();
                data.visit_operands(|op| match op {
                    Operand::One(v) => *v = value(*v),
                    Operand::List(l) => *l = relist(l, &mut pool),
                });
                data.visit_targets(|call| call.block = block_of(call.block));
                if let InstData::Switch { table, .. } = &mut data {
                    let SwitchData { default, cases } = &self.tables[*table];
                    let mut call = |c: &BlockCall| BlockCall {
                        block: block_of(c.block),
                        args: relist(&c.args, &mut pool),
                    };
                    let default = call(default);
                    let cases = cases.iter().map(|(bits, c)| (*bits, call(c))).collect();
                    *table = tables.push(SwitchData { default, cases });
                }
                data.map_sites(|s| {
                    let new = numbers.sites[s].expand().unwrap_or(s);
                    // Numbers count in the order in which they are met here.
                    if new.index() == sites.len() {
                        sites.push(self.sites[s]);
                    }
                    new
                });
                let inst = insts.push(data);
                let list = &self.results[old_inst];
                results[inst] = relist(list, &mut pool);
                for (n, &v) in list.as_slice(old_pool).iter().enumerate() {
                    let def = ValueDef::Result(inst, n as u32);
                    values.push(ValueData { ty: self.values[v].ty, def });
                }
                locs[inst] = self.locs[old_inst];
                blocks[block].insts.push(inst);
            }
        }
        self.layout = blocks.keys().collect();
        self.blocks = blocks;
        self.insts = insts;
        self.results = results;
        self.values = values;
        self.pool = pool;
        self.tables = tables;
        self.sites = sites;
        self.locs = locs;
        true
    }

    /// Removes the local variables whose address nothing takes, their lifetime markers with them, and
    /// renumbers the others.
    pub fn drop_unused_slots(&mut self) {
        let mut used: SecondaryMap<Slot, bool> = SecondaryMap::new();
        for &block in &self.layout {
            for &inst in self.block_insts(block) {
                if let InstData::SlotAddr { slot } = self.insts[inst] {
                    used[slot] = true;
                }
            }
        }
        if self.slots.keys().all(|s| used[s]) {
            return;
        }
        let mut slots = PrimaryMap::new();
        let mut new: SecondaryMap<Slot, Slot> = SecondaryMap::with_default(Slot::from_u32(0));
        for (old, data) in std::mem::take(&mut self.slots) {
            if used[old] {
                new[old] = slots.push(data);
            }
        }
        self.slots = slots;
        let Function { layout, blocks, insts, .. } = self;
        for &block in layout.iter() {
            blocks[block].insts.retain(|&inst| match &mut insts[inst] {
                InstData::Lifetime { slot, .. } if !used[*slot] => false,
                InstData::Lifetime { slot, .. } | InstData::SlotAddr { slot } => {
                    *slot = new[*slot];
                    true
                }
                _ => true,
            });
        }
    }

    /// An instruction of another function for use in this one: its lists and its case table are copied,
    /// values and blocks translated. Slots, sites and what belongs to the module are left as they are.
    pub fn import(
        &mut self,
        from: &Function,
        mut data: InstData,
        value: impl Fn(Value) -> Value,
        block: impl Fn(Block) -> Block,
    ) -> InstData {
        let pool = &mut self.pool;
        let relist = |list: &ValueList, pool: &mut ValuePool| {
            ValueList::from_iter(list.as_slice(&from.pool).iter().map(|&v| value(v)), pool)
        };
        data.visit_operands(|op| match op {
            Operand::One(v) => *v = value(*v),
            Operand::List(l) => *l = relist(l, pool),
        });
        data.visit_targets(|call| call.block = block(call.block));
        if let InstData::Switch { table, .. } = &mut data {
            let SwitchData { default, cases } = &from.tables[*table];
            let mut call = |c: &BlockCall| BlockCall { block: block(c.block), args: relist(&c.args, pool) };
            let default = call(default);
            let cases = cases.iter().map(|(bits, c)| (*bits, call(c))).collect();
            *table = self.tables.push(SwitchData { default, cases });
        }
        data
    }
}
