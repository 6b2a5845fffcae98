//! Smaller inputs that show the same.

use cudair_ir::*;
use cudair_passes::transform::Pass;
use std::time::{Duration, Instant};

/// How long one input is made smaller.
const PATIENCE: Duration = Duration::from_mins(1);

/// Makes a text smaller as long as `fails` says that it still shows the defect.
pub fn shrink(text: &str, fails: &dyn Fn(&str) -> bool) -> String {
    let end = Instant::now() + PATIENCE;
    let Ok(module) = parse_module(text, "input.cir") else { return lines(text, fails, end) };
    let mut s = Shrink { best: module, text: text.to_owned(), fails, end };
    // What is not parsed as text, but failed, may not fail as a module that is printed again.
    if !(s.fails)(&s.best.to_string()) {
        return lines(text, fails, end);
    }
    loop {
        let before = s.text.len();
        s.pass(Pass::Dce);
        s.functions();
        s.blocks();
        s.insts();
        s.pass(Pass::Compact);
        s.places();
        if s.text.len() >= before || Instant::now() > end {
            return s.text;
        }
    }
}

/// The same for what is no module: lines go.
fn lines(text: &str, fails: &dyn Fn(&str) -> bool, end: Instant) -> String {
    let mut best: Vec<String> = text.lines().map(str::to_owned).collect();
    let mut size = best.len() / 2;
    while size > 0 {
        let mut at = 0;
        while at < best.len() && Instant::now() < end {
            let mut less = best.clone();
            less.drain(at..(at + size).min(best.len()));
            if fails(&(less.join("\n") + "\n")) {
                best = less;
            } else {
                at += size;
            }
        }
        size /= 2;
    }
    best.join("\n") + "\n"
}

struct Shrink<'a> {
    best: Module,
    text: String,
    fails: &'a dyn Fn(&str) -> bool,
    end: Instant,
}

impl Shrink<'_> {
    /// Keeps a module that is smaller and fails.
    fn keep(&mut self, module: Module) -> bool {
        if Instant::now() > self.end || verify_module(&module).is_err() {
            return false;
        }
        let text = module.to_string();
        if text == self.text || !(self.fails)(&text) {
            return false;
        }
        self.best = module;
        self.text = text;
        true
    }

    fn pass(&mut self, pass: Pass) {
        let mut module = self.best.clone();
        if std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| pass.run(&mut module))).is_ok() {
            self.keep(module);
        }
    }

    fn defined(&self) -> Vec<FuncId> {
        self.best.funcs.keys().filter(|&f| !self.best.funcs[f].is_declaration()).collect()
    }

    /// Bodies become a trap.
    fn functions(&mut self) {
        for f in self.defined() {
            let mut module = self.best.clone();
            let func = &mut module.funcs[f];
            if func.layout.len() == 1 && func.block_insts(func.layout[0]).len() == 1 {
                continue;
            }
            let entry = func.layout[0];
            func.layout.truncate(1);
            let trap = func.make_inst(InstData::Trap { code: TrapCode::Trap }, &[], None);
            func.blocks[entry].insts = vec![trap];
            self.keep(module);
        }
        if !self.best.ctors.is_empty() {
            let mut module = self.best.clone();
            module.ctors.clear();
            self.keep(module);
        }
    }

    /// Branches become jumps or traps; blocks that nothing reaches go.
    fn blocks(&mut self) {
        for f in self.defined() {
            let mut n = 0;
            while n < self.best.funcs[f].layout.len() && Instant::now() < self.end {
                self.branch(f, n);
                n += 1;
            }
            let mut module = self.best.clone();
            let func = &mut module.funcs[f];
            let cfg = Cfg::new(func);
            func.layout.retain(|&b| cfg.is_reachable(b));
            self.keep(module);
        }
    }

    fn branch(&mut self, f: FuncId, n: usize) {
        let func = &self.best.funcs[f];
        let Some(end) = func.terminator(func.layout[n]) else { return };
        let mut ways: Vec<InstData> = Vec::new();
        if !matches!(func.insts[end], InstData::Trap { .. } | InstData::Return { .. }) {
            ways.push(InstData::Trap { code: TrapCode::Trap });
        }
        if !matches!(func.insts[end], InstData::Jump { .. } | InstData::Invoke { .. }) {
            func.for_each_target(end, |t| ways.push(InstData::Jump { dest: *t }));
        }
        for way in ways {
            let mut module = self.best.clone();
            module.funcs[f].insts[end] = way;
            if self.keep(module) {
                return;
            }
        }
    }

    /// Instructions go, many at a time first. What uses their results gets constants.
    fn insts(&mut self) {
        for f in self.defined() {
            let count = |m: &Module| {
                let func = &m.funcs[f];
                func.layout.iter().map(|&b| func.block_insts(b).len()).sum::<usize>()
            };
            let mut size = count(&self.best).div_ceil(2);
            while size > 0 {
                let mut at = 0;
                while at < count(&self.best) && Instant::now() < self.end {
                    let mut module = self.best.clone();
                    without(&mut module.funcs[f], at, at + size);
                    if !self.keep(module) {
                        at += size;
                    } else if size == 1 {
                        // A constant may stand in its place.
                        at += 1;
                    }
                }
                size /= 2;
            }
        }
    }

    /// Source places go.
    fn places(&mut self) {
        let mut module = self.best.clone();
        for func in module.funcs.values_mut() {
            func.loc = None.into();
            func.display_name = func.name.clone();
            func.locs.clear();
            func.sites.values_mut().for_each(|s| s.loc = None.into());
            func.slots.values_mut().for_each(|s| s.loc = None.into());
        }
        module.globals.values_mut().for_each(|g| g.loc = None.into());
        module.source = SourceMap::default();
        self.keep(module);
    }
}

/// Takes the instructions of these numbers out of a function, terminators excepted.
fn without(func: &mut Function, from: usize, to: usize) {
    let mut n = 0;
    for block in func.layout.clone() {
        let mut kept = Vec::new();
        for inst in func.block_insts(block).to_vec() {
            let gone = (from..to).contains(&n) && !func.insts[inst].is_terminator();
            n += 1;
            let constant = matches!(func.insts[inst], InstData::Const { .. });
            if !gone || (constant && is_used(func, inst)) {
                kept.push(inst);
                continue;
            }
            for old in func.inst_results(inst).to_vec() {
                let mut used = false;
                each_inst(func, |func, i| func.for_each_arg(i, |v| used |= v == old));
                if !used {
                    continue;
                }
                let ty = func.value_type(old);
                let new = func.make_inst(InstData::Const { ty, bits: 0 }, &[ty], None);
                kept.push(new);
                let new = func.inst_results(new)[0];
                for b in func.layout.clone() {
                    for i in func.block_insts(b).to_vec() {
                        func.map_args(i, |v| if v == old { new } else { v });
                    }
                }
            }
        }
        func.blocks[block].insts = kept;
    }
}

fn each_inst(func: &Function, mut f: impl FnMut(&Function, Inst)) {
    for &b in &func.layout {
        for &i in func.block_insts(b) {
            f(func, i);
        }
    }
}

fn is_used(func: &Function, inst: Inst) -> bool {
    let results = func.inst_results(inst);
    let mut used = false;
    each_inst(func, |func, i| func.for_each_arg(i, |v| used |= results.contains(&v)));
    used
}
