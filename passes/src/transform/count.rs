//! Counters for a report of what a run executed: where threads come to a line, and which way they go at a branch.
//!
//! A counter ([`InstData::Count`]) stands before the first instruction of each piece of a block that is of one line, so
//! that a line behind a call that never returns, or behind a fault, is not counted; and on each way out of a branch,
//! in a block of its own. This comes before all other passes, whose copies of a piece of code count for one place.
//! Device functions have the lowest counters, so that a launch needs few.

use cudair_ir::*;

/// A place in a file.
pub type LineOf = (FileId, u32);

/// What the counters of one function count.
#[derive(Clone, Debug)]
pub struct Counted {
    /// The function's name as a reader has it, and the line where it is declared; none for one that the compiler made.
    pub function: Option<(String, LineOf)>,
    /// Counts calls.
    pub calls: u32,
    /// Lines with their counters, in the order of the code. One line may have several.
    pub lines: Vec<(LineOf, u32)>,
    /// The branches of lines, each with the counters of its ways.
    pub branches: Vec<(LineOf, Vec<u32>)>,
}

/// Puts counters into all functions that are defined in the user's own files, in place of those that there are, and says
/// what they count.
pub fn run(module: &mut Module) -> Vec<Counted> {
    let mut counters = 0;
    let mut all = Vec::new();
    let (device, host): (Vec<FuncId>, Vec<FuncId>) =
        module.funcs.keys().partition(|&f| module.funcs[f].side.on_device());
    for id in device.into_iter().chain(host) {
        let map = &module.source;
        let func = &mut module.funcs[id];
        for block in func.blocks.values_mut() {
            block.insts.retain(|&inst| !matches!(func.insts[inst], InstData::Count { .. }));
        }
        all.extend(Counting { func, map, counters: &mut counters }.run());
    }
    all
}

/// A function that gets counters.
struct Counting<'a> {
    func: &'a mut Function,
    map: &'a SourceMap,
    /// How many there are so far.
    counters: &'a mut u32,
}

impl Counting<'_> {
    fn run(mut self) -> Option<Counted> {
        let entry = self.func.entry()?;
        let loc = self.func.loc.expand();
        // A function of a library may be called by the user's alone, and has no line that the user knows.
        let line = loc.and_then(|loc| self.line(loc));
        if loc.is_some() && line.is_none() {
            return None;
        }
        let (calls, first) = self.counter(loc);
        let mut counted = Counted {
            function: line.map(|line| (self.func.display_name.clone(), line)),
            calls,
            lines: line.map(|line| (line, calls)).into_iter().collect(),
            branches: Vec::new(),
        };
        let reached = self.reached(entry);
        let layout: Vec<Block> = self.func.layout.iter().copied().filter(|&b| reached.contains(b)).collect();
        for &block in &layout {
            self.lines_of(block, &mut counted);
        }
        for &block in &layout {
            self.ways_of(block, &mut counted);
        }
        self.func.blocks[entry].insts.insert(0, first);
        (line.is_some() || !counted.lines.is_empty()).then_some(counted)
    }

    /// The blocks that a way leads to, whatever the input: code behind an endless loop is none that a test could reach.
    fn reached(&self, entry: Block) -> EntitySet<Block> {
        let mut reached = EntitySet::new();
        let mut open = vec![entry];
        while let Some(block) = open.pop() {
            if !reached.insert(block) {
                continue;
            }
            match self.func.terminator(block).map(|inst| &self.func.insts[inst]) {
                Some(&InstData::Branch { cond, then, other }) => match self.func.const_bits(cond) {
                    Some(0) => open.push(other.block),
                    Some(_) => open.push(then.block),
                    None => open.extend([then.block, other.block]),
                },
                _ => open.extend(self.func.successors(block)),
            }
        }
        reached
    }

    /// The line of a place in a file of the user's.
    fn line(&self, loc: Loc) -> Option<LineOf> {
        let data = &self.map.locs[loc];
        (!self.map.files[data.file].library).then_some((data.file, data.start.line))
    }

    fn counter(&mut self, loc: Option<Loc>) -> (u32, Inst) {
        let counter = *self.counters;
        *self.counters += 1;
        (counter, self.func.make_inst(InstData::Count { counter }, &[], loc))
    }

    fn lines_of(&mut self, block: Block, counted: &mut Counted) {
        let insts = std::mem::take(&mut self.func.blocks[block].insts);
        let mut out = Vec::with_capacity(insts.len());
        let mut current = None;
        for inst in insts {
            let loc = self.func.locs[inst].expand().filter(|_| does_something(&self.func.insts[inst]));
            let line = loc.and_then(|loc| self.line(loc));
            if let Some(line) = line
                && current != Some(line)
            {
                let (counter, count) = self.counter(loc);
                counted.lines.push((line, counter));
                out.push(count);
                current = Some(line);
            }
            out.push(inst);
        }
        self.func.blocks[block].insts = out;
    }

    /// Puts a block with a counter on each way out of a branch.
    fn ways_of(&mut self, block: Block, counted: &mut Counted) {
        let Some(branch) = self.func.terminator(block) else { return };
        let chosen = match self.func.insts[branch] {
            InstData::Branch { cond, .. } => cond,
            InstData::Switch { arg, .. } => arg,
            _ => return,
        };
        let loc = self.func.locs[branch].expand();
        let Some(line) = loc.and_then(|loc| self.line(loc)) else { return };
        if self.func.const_bits(chosen).is_some() {
            return;
        }
        let mut targets = Vec::new();
        self.func.for_each_target(branch, |t| targets.push(*t));
        let mut ways = Vec::new();
        let mut between = Vec::new();
        for dest in targets {
            let (counter, count) = self.counter(loc);
            let way = self.func.make_block();
            let jump = self.func.make_inst(InstData::Jump { dest }, &[], loc);
            self.func.blocks[way].insts = vec![count, jump];
            ways.push(counter);
            between.push(way);
        }
        let mut next = between.iter();
        self.func.for_each_target_mut(branch, |target, _| {
            if let Some(&block) = next.next() {
                *target = BlockCall { block, args: ValueList::new() };
            }
        });
        let at = self.func.layout.iter().position(|&b| b == block).map_or(self.func.layout.len(), |n| n + 1);
        self.func.layout.splice(at..at, between);
        counted.branches.push((line, ways));
    }
}

/// Whether an instruction is one that a reader takes for a step of the program: not an address or a constant, which stand
/// where they are used, not the life of a variable, and not the end of what is not reached.
fn does_something(data: &InstData) -> bool {
    use InstData::*;
    match data {
        Const { .. } | GlobalAddr { .. } | FuncAddr { .. } | SlotAddr { .. } => false,
        Lifetime { .. } | Alloca { .. } => false,
        Trap { code } => !matches!(code, TrapCode::Unreachable | TrapCode::MissingReturn),
        _ => true,
    }
}
