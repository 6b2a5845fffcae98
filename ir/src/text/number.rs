//! Canonical numbers: what the text calls each entity.

use crate::entities::*;
use crate::function::Function;
use crate::inst::InstData;
use crate::module::Module;
use cranelift_entity::packed_option::PackedOption;
use cranelift_entity::{EntityRef, SecondaryMap};

/// The numbers of one function's entities, in layout order. What is in no block has none.
#[derive(Debug, Default)]
pub struct FuncNumbers {
    /// Blocks, in layout order.
    pub blocks: SecondaryMap<Block, PackedOption<Block>>,
    /// Values: per block its parameters, then the results of its instructions.
    pub values: SecondaryMap<Value, PackedOption<Value>>,
    /// Sites, in the order in which instructions name them.
    pub sites: SecondaryMap<Site, PackedOption<Site>>,
    /// Case tables, in the order in which instructions name them.
    pub tables: SecondaryMap<SwitchTable, PackedOption<SwitchTable>>,
}

impl FuncNumbers {
    /// Numbers a function.
    pub fn new(func: &Function) -> FuncNumbers {
        let mut n = FuncNumbers::default();
        let (mut values, mut sites, mut tables) = (0, 0, 0);
        for (i, &block) in func.layout.iter().enumerate() {
            n.blocks[block] = Block::new(i).into();
            for &v in func.block_params(block) {
                n.values[v] = Value::new(values).into();
                values += 1;
            }
            for &inst in func.block_insts(block) {
                for &v in func.inst_results(inst) {
                    n.values[v] = Value::new(values).into();
                    values += 1;
                }
                let data = &func.insts[inst];
                for site in data.sites().into_iter().flatten() {
                    if n.sites[site].is_none() {
                        n.sites[site] = Site::new(sites).into();
                        sites += 1;
                    }
                }
                if let InstData::Switch { table, .. } = *data
                    && n.tables[table].is_none()
                {
                    n.tables[table] = SwitchTable::new(tables).into();
                    tables += 1;
                }
            }
        }
        n
    }
}

/// The numbers of places and files. Only those that something refers to have one.
#[derive(Debug, Default)]
pub struct LocNumbers {
    /// New numbers of places; a place comes after those it refers to.
    pub locs: SecondaryMap<Loc, PackedOption<Loc>>,
    /// The numbered places in order.
    pub loc_order: Vec<Loc>,
    /// New numbers of files.
    pub files: SecondaryMap<FileId, PackedOption<FileId>>,
    /// The numbered files in order.
    pub file_order: Vec<FileId>,
}

impl LocNumbers {
    /// Numbers the places that the whole module refers to, in the order of its text.
    pub fn of_module(module: &Module) -> LocNumbers {
        let mut n = LocNumbers::default();
        for g in module.globals.values() {
            n.add(module, g.loc);
        }
        for f in module.funcs.values() {
            n.add_function(module, f);
        }
        n
    }

    /// Numbers the places that one function refers to.
    pub fn of_function(module: &Module, func: &Function) -> LocNumbers {
        let mut n = LocNumbers::default();
        n.add_function(module, func);
        n
    }

    fn add_function(&mut self, module: &Module, func: &Function) {
        self.add(module, func.loc);
        for slot in func.slots.values() {
            self.add(module, slot.loc);
        }
        for &block in &func.layout {
            for &inst in func.block_insts(block) {
                for site in func.insts[inst].sites().into_iter().flatten() {
                    if let Some(s) = func.sites.get(site) {
                        self.add(module, s.loc);
                    }
                }
                self.add(module, func.locs[inst]);
            }
        }
    }

    /// Numbers `loc` after what it refers to. An explicit stack: chains may be long.
    fn add(&mut self, module: &Module, loc: PackedOption<Loc>) {
        let Some(loc) = loc.expand() else { return };
        if self.locs[loc].is_some() {
            return;
        }
        let mut stack = vec![(loc, false)];
        while let Some((l, ready)) = stack.pop() {
            if self.locs[l].is_some() {
                continue;
            }
            let Some(data) = module.source.locs.get(l) else { continue };
            if !ready {
                stack.push((l, true));
                let parts = [data.spelling.expand(), data.inlined_at.expand()];
                // A place only refers to places made before it; anything else is a defect that the
                // verifier reports and that must not make this loop.
                stack.extend(parts.into_iter().flatten().filter(|&d| d < l).map(|d| (d, false)));
                continue;
            }
            if self.files[data.file].is_none() && module.source.files.is_valid(data.file) {
                self.files[data.file] = FileId::new(self.file_order.len()).into();
                self.file_order.push(data.file);
            }
            self.locs[l] = Loc::new(self.loc_order.len()).into();
            self.loc_order.push(l);
        }
    }
}
