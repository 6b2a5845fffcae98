//! The rules of a function's structure: layout, values, targets, dominance.

use super::operands::check_operands;
use super::{Errors, Rule, VerifierError, assignable, loc_exists};
use crate::cfg::Cfg;
use crate::dom::DomTree;
use crate::entities::*;
use crate::function::{Function, ValueDef};
use crate::inst::{BlockCall, InstData, Part};
use crate::module::Module;
use crate::text::print_inst;
use crate::types::Type;
use cranelift_entity::SecondaryMap;
use cranelift_entity::packed_option::PackedOption;
use smallvec::SmallVec;

/// A function while it is checked.
pub(super) struct FuncCheck<'a> {
    pub(super) module: &'a Module,
    pub(super) func: &'a Function,
    id: FuncId,
    errors: &'a mut Errors,
}

impl FuncCheck<'_> {
    /// Reports a broken rule of the function.
    fn func_error(&mut self, rule: Rule, message: String) {
        self.errors.add(VerifierError {
            rule,
            func: Some(self.id),
            func_name: self.func.name.clone(),
            inst: None,
            loc: self.func.loc.expand(),
            message,
        });
    }

    /// Reports a broken rule at an instruction.
    pub(super) fn error(&mut self, rule: Rule, inst: Inst, message: &str) {
        // An instruction that names what does not exist cannot be printed.
        let text = if rule == Rule::Entity || rule == Rule::Layout {
            inst.to_string()
        } else {
            print_inst(self.module, self.func, inst)
        };
        self.errors.add(VerifierError {
            rule,
            func: Some(self.id),
            func_name: self.func.name.clone(),
            inst: Some(inst),
            loc: self.func.locs[inst].expand(),
            message: format!("`{text}`: {message}"),
        });
    }

    /// The type of a value, which exists.
    pub(super) fn ty(&self, v: Value) -> Type {
        self.func.values[v].ty
    }
}

pub(super) fn check_function(module: &Module, id: FuncId, errors: &mut Errors) {
    let func = &module.funcs[id];
    let mut c = FuncCheck { module, func, id, errors };
    if !loc_exists(module, func.loc) {
        c.func_error(Rule::Entity, "it is declared at a place that does not exist".to_owned());
    }
    if let Some(barrier) = func.attrs.barrier
        && !barrier.fits(&func.sig)
    {
        let message = format!("a `{}` takes a number, a count, and gives nothing", barrier.name());
        c.func_error(Rule::Call, message);
    }
    if func.is_declaration() {
        return;
    }
    check_slots(&mut c);
    // What the later checks index with is checked first; they run only where it holds.
    if !check_layout(&mut c) || !check_entities(&mut c) {
        return;
    }
    let mut placed: SecondaryMap<Block, bool> = SecondaryMap::new();
    for &block in &func.layout {
        placed[block] = true;
    }
    check_entry(&mut c);
    check_definitions(&mut c);
    let cfg = Cfg::new(func);
    check_dominance(&mut c, &cfg, &placed);
    for &block in &func.layout {
        for &inst in func.block_insts(block) {
            check_results(&mut c, inst);
            check_targets(&mut c, &placed, inst);
            check_operands(&mut c, inst);
        }
    }
}

fn check_slots(c: &mut FuncCheck<'_>) {
    for (slot, s) in &c.func.slots {
        if s.space != c.func.side.local_space() {
            c.func_error(Rule::Slot, format!("{slot} lies in {}, not in the function's space", s.space));
        }
        if s.align_log2 > 31 {
            c.func_error(Rule::Flag, format!("{slot} is aligned to more than 2^31 bytes"));
        }
        if !loc_exists(c.module, s.loc) {
            c.func_error(Rule::Entity, format!("{slot} is at a place that does not exist"));
        }
    }
}

fn check_layout(c: &mut FuncCheck<'_>) -> bool {
    let func = c.func;
    let before = c.errors.0.len();
    let mut placed: SecondaryMap<Block, bool> = SecondaryMap::new();
    let mut in_block: SecondaryMap<Inst, bool> = SecondaryMap::new();
    for &block in &func.layout {
        if !func.blocks.is_valid(block) {
            c.func_error(Rule::Layout, format!("{block} in the layout does not exist"));
            return false;
        }
        if std::mem::replace(&mut placed[block], true) {
            c.func_error(Rule::Layout, format!("{block} is in the layout twice"));
            return false;
        }
        let insts = func.block_insts(block);
        for (i, &inst) in insts.iter().enumerate() {
            if !func.insts.is_valid(inst) {
                c.func_error(Rule::Layout, format!("{inst} in {block} does not exist"));
                return false;
            }
            if std::mem::replace(&mut in_block[inst], true) {
                c.func_error(Rule::Layout, format!("{inst} is in the layout twice"));
                return false;
            }
            let last = i + 1 == insts.len();
            if func.insts[inst].is_terminator() != last {
                let what =
                    if last { "a block ends without a terminator" } else { "a terminator inside a block" };
                c.error(Rule::Layout, inst, &format!("{what} ({block})"));
            }
        }
        if insts.is_empty() {
            c.func_error(Rule::Layout, format!("{block} has no terminator"));
        }
    }
    c.errors.0.len() == before
}

/// Whether everything that the instructions name exists.
fn check_entities(c: &mut FuncCheck<'_>) -> bool {
    let (func, module) = (c.func, c.module);
    let before = c.errors.0.len();
    for &block in &func.layout {
        for &v in func.block_params(block) {
            if !func.values.is_valid(v) {
                c.func_error(Rule::Entity, format!("{v}, a parameter of {block}, does not exist"));
            }
        }
        for &inst in func.block_insts(block) {
            let data = &func.insts[inst];
            if let InstData::Switch { table, .. } = *data
                && !func.tables.is_valid(table)
            {
                c.error(Rule::Entity, inst, &format!("{table} does not exist"));
                continue;
            }
            let mut missing = None;
            let mut need = |ok: bool, name: &dyn std::fmt::Display| {
                if !ok && missing.is_none() {
                    missing = Some(name.to_string());
                }
            };
            func.for_each_arg(inst, |v| need(func.values.is_valid(v), &v));
            func.inst_results(inst).iter().for_each(|v| need(func.values.is_valid(*v), v));
            func.for_each_target(inst, |t| need(func.blocks.is_valid(t.block), &t.block));
            for site in data.sites().into_iter().flatten() {
                let data = func.sites.get(site);
                need(data.is_some(), &site);
                if let Some(data) = data {
                    need(loc_exists(module, data.loc), &PlaceName(data.loc));
                }
            }
            need(loc_exists(module, func.locs[inst]), &PlaceName(func.locs[inst]));
            data.clone().visit(|part| match part {
                Part::Global(global) => need(module.globals.is_valid(*global), global),
                Part::Func(f) => need(module.funcs.is_valid(*f), f),
                Part::Slot(slot) => need(func.slots.is_valid(*slot), slot),
                Part::Sig(sig) => need(module.sigs.is_valid(*sig), sig),
                Part::Message(message) => need(module.messages.is_valid(*message), message),
                // Seen to above.
                Part::Value(_) | Part::Values(_) | Part::Target(_) | Part::Table(_) | Part::Site(_) => {}
            });
            if let Some(name) = missing {
                c.error(Rule::Entity, inst, &format!("{name} does not exist"));
            }
        }
    }
    c.errors.0.len() == before
}

struct PlaceName(PackedOption<Loc>);

impl std::fmt::Display for PlaceName {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.0.expand() {
            Some(l) => write!(f, "{l}"),
            None => f.write_str("no place"),
        }
    }
}

fn check_entry(c: &mut FuncCheck<'_>) {
    let func = c.func;
    let Some(entry) = func.entry() else { return };
    let params: Vec<Type> = func.block_params(entry).iter().map(|&v| func.value_type(v)).collect();
    let wanted: Vec<Type> = func.sig.params.iter().map(|p| p.ty).collect();
    if params != wanted {
        c.func_error(
            Rule::Entry,
            "the parameters of the first block are not those of the signature".to_owned(),
        );
    }
    for &block in &func.layout {
        if func.successors(block).contains(&entry) {
            c.func_error(Rule::Entry, format!("{block} branches to the entry block"));
        }
    }
}

fn check_definitions(c: &mut FuncCheck<'_>) {
    let func = c.func;
    for &block in &func.layout {
        for (n, &v) in func.block_params(block).iter().enumerate() {
            if func.values[v].def != ValueDef::Param(block, n as u32) {
                c.func_error(
                    Rule::Definition,
                    format!("{v} does not say that it is parameter {n} of {block}"),
                );
            }
        }
        for &inst in func.block_insts(block) {
            for (n, &v) in func.inst_results(inst).iter().enumerate() {
                if func.values[v].def != ValueDef::Result(inst, n as u32) {
                    c.error(Rule::Definition, inst, &format!("{v} does not say that it is result {n}"));
                }
            }
        }
    }
}

fn check_dominance(c: &mut FuncCheck<'_>, cfg: &Cfg, placed: &SecondaryMap<Block, bool>) {
    let func = c.func;
    let dom = DomTree::new(cfg);
    // Position of each placed instruction: block and index; parameters come before all.
    let mut position: SecondaryMap<Inst, (PackedOption<Block>, u32)> = SecondaryMap::new();
    for &block in &func.layout {
        for (i, &inst) in func.block_insts(block).iter().enumerate() {
            position[inst] = (block.into(), i as u32);
        }
    }
    for &block in &func.layout {
        // Unreachable code is dominated by everything; it only has to name placed values.
        let reachable = cfg.is_reachable(block);
        for (i, &inst) in func.block_insts(block).iter().enumerate() {
            let mut broken: SmallVec<[Value; 2]> = SmallVec::new();
            func.for_each_arg(inst, |v| {
                let ok = match func.values[v].def {
                    ValueDef::Param(b, n) => {
                        let is_param = placed[b] && func.block_params(b).get(n as usize) == Some(&v);
                        is_param && (!reachable || dom.dominates(b, block))
                    }
                    ValueDef::Result(d, _) => match position[d] {
                        (b, at) if b == block.into() => !reachable || (at as usize) < i,
                        (b, _) => match b.expand() {
                            Some(b) => !reachable || dom.dominates(b, block),
                            None => false,
                        },
                    },
                };
                if !ok {
                    broken.push(v);
                }
            });
            if !broken.is_empty() {
                c.error(Rule::Dominance, inst, "an operand's definition does not dominate this use");
            }
        }
    }
}

fn check_results(c: &mut FuncCheck<'_>, inst: Inst) {
    let wanted = c.module.result_types(c.func, &c.func.insts[inst]);
    let is: SmallVec<[Type; 2]> = c.func.inst_results(inst).iter().map(|&v| c.ty(v)).collect();
    if is != wanted {
        let list = |types: &[Type]| types.iter().map(Type::to_string).collect::<Vec<_>>().join(", ");
        c.error(Rule::Result, inst, &format!("the results are ({}), not ({})", list(&is), list(&wanted)));
    }
}

fn check_targets(c: &mut FuncCheck<'_>, placed: &SecondaryMap<Block, bool>, inst: Inst) {
    let func = c.func;
    let mut targets: SmallVec<[BlockCall; 4]> = SmallVec::new();
    func.for_each_target(inst, |t| targets.push(*t));
    // What the block gets besides the arguments in the call.
    let first: SmallVec<[Option<Type>; 2]> = match func.insts[inst] {
        InstData::Invoke { func: f, .. } => {
            [c.module.funcs[f].sig.ret, Some(Type::GENERIC_PTR)].into_iter().collect()
        }
        InstData::InvokeIndirect { sig, .. } => {
            [c.module.sigs[sig].ret, Some(Type::GENERIC_PTR)].into_iter().collect()
        }
        _ => SmallVec::new(),
    };
    for (n, t) in targets.iter().enumerate() {
        if !placed[t.block] {
            c.error(Rule::Target, inst, &format!("{} is not in the layout", t.block));
            continue;
        }
        let mut params = func.block_params(t.block).iter().copied();
        if let Some(ty) = first.get(n).copied().flatten() {
            let unwind = n == 1;
            match params.next().map(|p| c.ty(p)) {
                Some(p) if assignable(ty, p) || (unwind && p.is_ptr()) => {}
                _ => c.error(Rule::Target, inst, &format!("{} does not take the {ty} of this call", t.block)),
            }
        }
        let args = t.args.as_slice(&func.pool);
        let params: SmallVec<[Value; 8]> = params.collect();
        if args.len() != params.len() {
            let (a, p) = (args.len(), params.len());
            c.error(Rule::Target, inst, &format!("{a} arguments for {p} parameters of {}", t.block));
            continue;
        }
        for (&a, &p) in args.iter().zip(&params) {
            let (a, p) = (c.ty(a), c.ty(p));
            if !assignable(a, p) {
                c.error(Rule::Target, inst, &format!("an argument is {a}, {} asks for {p}", t.block));
            }
        }
    }
}
