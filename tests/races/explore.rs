//! All executions of a litmus program, one step at a time, and the races of each.
//!
//! A wait is one step, which comes when what it waits for is there. Executions that differ in the order of steps alone that
//! do not touch each other are looked at once (sleep sets; Godefroid, "Partial-Order Methods", 1996).

use super::litmus::*;
use super::program::{Line, Reach};
use std::collections::{BTreeMap, BTreeSet};

/// What an access does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Act {
    Read,
    Write,
    Rmw,
}

/// An instruction of a thread.
#[derive(Clone, Debug)]
enum Inst {
    Access {
        line: Line,
        var: VarOf,
        how: How,
        act: Act,
        value: ValueOf,
        reg: Option<usize>,
        wants: Option<bool>,
    },
    Fence(Reach),
    /// Goes so far ahead unless the register has the value.
    Unless(usize, u32, usize),
    Barrier,
    /// A place at which a seed may let others run.
    Join,
}

#[derive(Clone, Copy, Debug)]
enum VarOf {
    Fixed(Var),
    /// The datum that a register chooses.
    Chosen(usize),
}

#[derive(Clone, Copy, Debug)]
enum ValueOf {
    None,
    Fixed(u32),
    /// One more than was read, here or by the register.
    More(usize),
}

/// What is used of what a line reads.
#[derive(Clone, Copy, Default, Debug)]
pub struct Use {
    pub data: bool,
    pub decides: bool,
    pub waits: bool,
    /// It is an index.
    pub address: bool,
    /// It goes into what is stored at its own place.
    pub updates: bool,
}

/// Something that happened.
#[derive(Clone, Copy, Debug)]
pub enum Happened {
    Access { thread: usize, line: Line, var: Var, how: How, act: Act },
    Fence { thread: usize, reach: Reach },
    Barrier { block: u32 },
}

/// A program ready to run.
pub struct Machine<'a> {
    pub program: &'a Litmus,
    code: Vec<Vec<Inst>>,
    pub uses: BTreeMap<Line, Use>,
    registers: usize,
}

#[derive(Clone)]
struct State {
    memory: [u32; VARS],
    registers: Vec<u32>,
    at: Vec<usize>,
    trace: Vec<Happened>,
}

/// Executions of a program at most.
const MOST: usize = 6000;

impl<'a> Machine<'a> {
    pub fn new(program: &'a Litmus) -> Machine<'a> {
        let mut m =
            Machine { program, code: Vec::new(), uses: BTreeMap::new(), registers: program.registers };
        for thread in &program.threads {
            let mut code = Vec::new();
            for (n, phase) in thread.phases.iter().enumerate() {
                if n > 0 {
                    code.push(Inst::Barrier);
                }
                code.push(Inst::Join);
                m.compile(phase, &mut code);
                code.push(Inst::Join);
            }
            m.code.push(code);
        }
        m
    }

    fn compile(&mut self, all: &[Op], code: &mut Vec<Inst>) {
        let mut of_register: BTreeMap<usize, Line> = BTreeMap::new();
        let access = |line, var, how, act, value, reg, wants| Inst::Access {
            line,
            var: VarOf::Fixed(var),
            how,
            act,
            value,
            reg,
            wants,
        };
        for op in all {
            match *op {
                Op::Load { line, var, how, reg, data } => {
                    of_register.insert(reg, line);
                    self.uses.entry(line).or_default().data |= data;
                    let (act, value) = match how {
                        How::Atomic(_) => (Act::Rmw, ValueOf::None),
                        _ => (Act::Read, ValueOf::None),
                    };
                    code.push(access(line, var, how, act, value, Some(reg), None));
                }
                Op::LoadAt { line, index, reg } => {
                    if let Some(from) = of_register.get(&index) {
                        let used = self.uses.entry(*from).or_default();
                        (used.data, used.address) = (true, true);
                    }
                    self.uses.entry(line).or_default().data = true;
                    code.push(Inst::Access {
                        line,
                        var: VarOf::Chosen(index),
                        how: How::Plain,
                        act: Act::Read,
                        value: ValueOf::None,
                        reg: Some(reg),
                        wants: None,
                    });
                }
                Op::Store { line, var, how, value } => {
                    let act = if matches!(how, How::Atomic(_)) { Act::Rmw } else { Act::Write };
                    code.push(access(line, var, how, act, ValueOf::Fixed(value), None, None));
                }
                Op::Add { line, var, reach, reg } => {
                    // The sum goes through a register of its own.
                    let own = self.registers;
                    self.registers += 1;
                    let to = reg.unwrap_or(own);
                    if let Some(reg) = reg {
                        of_register.insert(reg, line);
                    }
                    self.uses.entry(line).or_default();
                    code.push(access(
                        line,
                        var,
                        How::Atomic(reach),
                        Act::Rmw,
                        ValueOf::More(to),
                        Some(to),
                        None,
                    ));
                }
                Op::Fence(reach) => code.push(Inst::Fence(reach)),
                Op::If { reg, value, ref body } => {
                    if let Some(from) = of_register.get(&reg) {
                        self.uses.entry(*from).or_default().decides = true;
                    }
                    let mut inner = Vec::new();
                    self.compile(body, &mut inner);
                    code.push(Inst::Unless(reg, value, inner.len()));
                    code.extend(inner);
                    code.push(Inst::Join);
                }
                Op::Await { line, var, how } => {
                    let used = self.uses.entry(line).or_default();
                    (used.decides, used.waits) = (true, true);
                    let act = if matches!(how, How::Atomic(_)) { Act::Rmw } else { Act::Read };
                    code.push(access(line, var, how, act, ValueOf::None, None, Some(true)));
                    code.push(Inst::Join);
                }
                Op::Lock { line, var, reach } => {
                    let used = self.uses.entry(line).or_default();
                    (used.decides, used.waits) = (true, true);
                    let how = How::Atomic(reach);
                    code.push(access(line, var, how, Act::Rmw, ValueOf::Fixed(1), None, Some(false)));
                    code.push(Inst::Join);
                }
                Op::Update { read, store, var } => {
                    let own = self.registers;
                    self.registers += 1;
                    self.uses.entry(read).or_default().updates = true;
                    code.push(access(read, var, How::Volatile, Act::Read, ValueOf::None, Some(own), None));
                    code.push(access(store, var, How::Volatile, Act::Write, ValueOf::More(own), None, None));
                }
            }
        }
    }

    fn block(&self, thread: usize) -> u32 {
        self.program.threads[thread].block
    }

    fn next(&self, s: &State, t: usize) -> Option<&Inst> {
        self.code[t].get(s.at[t])
    }

    /// The access that a thread would make: where, and whether it may write.
    fn touches(&self, s: &State, t: usize) -> Option<(Var, bool)> {
        match self.next(s, t)? {
            Inst::Access { var, act, .. } => Some((Self::var(s, *var), *act != Act::Read)),
            _ => None,
        }
    }

    fn var(s: &State, var: VarOf) -> Var {
        match var {
            VarOf::Fixed(v) => v,
            VarOf::Chosen(r) => (s.registers[r] & 1) as Var,
        }
    }

    fn is_ready(&self, s: &State, t: usize) -> bool {
        match self.next(s, t) {
            Some(Inst::Access { var, wants: Some(set), .. }) => (s.memory[Self::var(s, *var)] != 0) == *set,
            Some(Inst::Access { .. }) => true,
            _ => false,
        }
    }

    /// Does what touches no memory, as far as it goes.
    fn settle(&self, s: &mut State) {
        loop {
            let mut moved = false;
            for t in 0..self.code.len() {
                while let Some(inst) = self.next(s, t) {
                    match *inst {
                        Inst::Fence(reach) => s.trace.push(Happened::Fence { thread: t, reach }),
                        Inst::Unless(reg, value, far) => {
                            if s.registers[reg] != value {
                                s.at[t] += far;
                            }
                        }
                        Inst::Join => {}
                        _ => break,
                    }
                    s.at[t] += 1;
                    moved = true;
                }
            }
            for block in 0..self.program.blocks() {
                let threads = || (0..self.code.len()).filter(|&t| self.block(t) == block);
                if threads().all(|t| matches!(self.next(s, t), Some(Inst::Barrier))) {
                    threads().for_each(|t| s.at[t] += 1);
                    s.trace.push(Happened::Barrier { block });
                    moved = true;
                }
            }
            if !moved {
                return;
            }
        }
    }

    fn step(&self, s: &mut State, t: usize) {
        if let Some(&Inst::Access { line, var, how, act, value, reg, .. }) = self.next(s, t) {
            let var = Self::var(s, var);
            if let Some(reg) = reg {
                s.registers[reg] = s.memory[var];
            }
            match value {
                ValueOf::None => {}
                ValueOf::Fixed(v) => s.memory[var] = v,
                ValueOf::More(r) => s.memory[var] = s.registers[r] + 1,
            }
            s.trace.push(Happened::Access { thread: t, line, var, how, act });
            s.at[t] += 1;
        }
        self.settle(s);
    }

    /// Visits each execution; false where there are too many, or threads wait in vain.
    pub fn explore(&self, mut visit: impl FnMut(&[Happened])) -> bool {
        let n = self.code.len();
        let mut start = State {
            memory: [0; VARS],
            registers: vec![0; self.registers],
            at: vec![0; n],
            trace: Vec::new(),
        };
        self.settle(&mut start);
        let mut count = 0;
        let mut work: Vec<(State, BTreeSet<usize>)> = vec![(start, BTreeSet::new())];
        while let Some((s, sleep)) = work.pop() {
            let ready: Vec<usize> = (0..n).filter(|&t| self.is_ready(&s, t)).collect();
            if ready.is_empty() {
                if (0..n).any(|t| self.next(&s, t).is_some()) {
                    return false;
                }
                count += 1;
                visit(&s.trace);
                if count > MOST || work.len() > MOST {
                    return false;
                }
                continue;
            }
            let mut asleep = sleep;
            for t in ready {
                if asleep.contains(&t) {
                    continue;
                }
                let mut next = s.clone();
                self.step(&mut next, t);
                let independent = |u: &&usize| match (self.touches(&s, **u), self.touches(&s, t)) {
                    (Some((a, w)), Some((b, x))) => a != b || !w && !x,
                    _ => true,
                };
                let kept = asleep.iter().filter(independent).copied().collect();
                work.push((next, kept));
                asleep.insert(t);
            }
        }
        count > 0
    }
}
