//! What each thread of a kernel does, step by step. No branch and no address depends on what is read, so that this is
//! the same in every execution.

use super::program::*;

/// A thread of the launch, numbered through the blocks.
pub type Thread = usize;

/// What a barrier waits for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Meeting {
    Block,
    Grid,
    /// Lanes of a warp.
    Warp(u32),
}

/// What an access does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Op {
    Read,
    Write,
    Rmw,
}

/// How an access is made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Strength {
    Plain,
    Volatile,
    Atomic(Reach),
}

/// What is known of what is written: the bytes, from the least.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Written {
    Bytes(u128),
    /// It hangs on what was read.
    Unknown,
    /// No claim is made about accesses like this.
    Never,
}

/// An access of a thread.
#[derive(Clone, Copy, Debug)]
pub struct Access {
    pub line: Line,
    pub array: usize,
    /// Whose array it is: all blocks', or that of a block, from 1.
    pub owner: u32,
    pub start: u32,
    pub width: u32,
    pub op: Op,
    pub strength: Strength,
    pub written: Written,
    /// The value that is read is used for more than what is stored at the same place.
    pub data: bool,
    /// Whether it writes hangs on what it reads: a compare-and-swap.
    pub conditional: bool,
    /// Of a store: how many steps before it in its thread the access lies from which its value comes.
    pub from: Option<usize>,
}

/// A step of a thread.
#[derive(Clone, Debug)]
pub enum Step {
    Access(Access),
    Fence,
    Meet(Meeting),
}

/// The steps of each thread. Arrays are taken to start at 0; indices may be negative here.
struct Unfolding<'a> {
    arrays: &'a [Array],
    here: Here,
    steps: Vec<Step>,
    gone: bool,
}

/// More steps than this of all threads are too many to compare.
pub const MOST: usize = 6000;

/// What each thread does, or nothing where it is too much.
pub fn unfold(program: &Program) -> Option<Vec<Vec<Step>>> {
    let mut all = Vec::new();
    let mut total = 0;
    for block in 0..program.blocks {
        for thread in 0..program.threads {
            let here = Here { thread, block, loops: [0; 2] };
            let mut u = Unfolding { arrays: &program.arrays, here, steps: Vec::new(), gone: false };
            u.all(&program.body);
            total += u.steps.len();
            if total > MOST {
                return None;
            }
            all.push(u.steps);
        }
    }
    Some(all)
}

/// Moves and enlarges arrays so that every access is inside; false where that is not sensible.
pub fn fit(program: &mut Program) -> bool {
    const MOST_BYTES: i32 = 8192;
    let mut least = vec![i32::MAX; program.arrays.len()];
    let mut most = vec![0; program.arrays.len()];
    let mut spans: Vec<(usize, i32, i32)> = Vec::new();
    let Some(threads) = unfold(program) else { return false };
    for step in threads.iter().flatten() {
        if let Step::Access(a) = step {
            let start = a.start as i32;
            spans.push((a.array, start, start + a.width as i32));
        }
    }
    for &(a, from, to) in &spans {
        least[a] = least[a].min(from);
        most[a] = most[a].max(to);
    }
    // A whole number of all strides keeps elements in their places.
    const STRIDE: i32 = 48;
    let mut shifts = vec![0; program.arrays.len()];
    for (n, array) in program.arrays.iter_mut().enumerate() {
        if least[n] == i32::MAX {
            array.bytes = 16;
            continue;
        }
        shifts[n] = (-least[n].min(0) + STRIDE - 1) / STRIDE * STRIDE;
        let size = (most[n] + shifts[n] + STRIDE - 1) / STRIDE * STRIDE;
        if size > MOST_BYTES {
            return false;
        }
        array.bytes = size as u32;
    }
    each_spot(&mut program.body, &mut |s: &mut Spot| {
        s.index.plus += shifts[s.array] / s.view.stride() as i32;
    });
    true
}

/// Whether every access is inside its array.
pub fn is_inside(program: &Program) -> bool {
    unfold(program).is_some_and(|threads| {
        threads.iter().flatten().all(|step| match step {
            Step::Access(a) => {
                a.start.checked_add(a.width).is_some_and(|end| end <= program.arrays[a.array].bytes)
            }
            _ => true,
        })
    })
}

impl Unfolding<'_> {
    fn access(&self, line: Line, s: &Spot, op: Op, strength: Strength) -> Access {
        let start = s.index.of(&self.here) * s.view.stride() as i32 + s.view.offset() as i32;
        Access {
            line,
            array: s.array,
            owner: if self.arrays[s.array].space == Space::Shared { self.here.block + 1 } else { 0 },
            start: start as u32,
            width: s.view.width(),
            op,
            strength,
            written: Written::Never,
            data: false,
            conditional: false,
            from: None,
        }
    }

    fn all(&mut self, stmts: &[Stmt]) {
        for s in stmts {
            if self.gone {
                return;
            }
            self.stmt(s);
        }
    }

    fn stmt(&mut self, stmt: &Stmt) {
        let how = |s: &Spot| if s.volatile { Strength::Volatile } else { Strength::Plain };
        match stmt {
            Stmt::Load(line, s) => {
                let a = self.access(*line, s, Op::Read, how(s));
                self.steps.push(Step::Access(Access { data: true, ..a }));
            }
            Stmt::Store(line, s, value) => {
                let a = self.access(*line, s, Op::Write, how(s));
                let bits = match *value {
                    Value::Constant(n) => n,
                    Value::Thread(n) => self.here.thread + n,
                };
                let float = |n: u32| u128::from((n as f32).to_bits());
                let bits = if s.view == View::Vec4 {
                    float(bits) | float(1) << 32 | float(2) << 64 | float(3) << 96
                } else {
                    u128::from(bits)
                };
                let written = Written::Bytes(bits);
                self.steps.push(Step::Access(Access { written, ..a }));
            }
            Stmt::Update(line, s, _) => {
                let read = self.access(*line, s, Op::Read, how(s));
                self.steps.push(Step::Access(read));
                let write = self.access(*line, s, Op::Write, how(s));
                let from = Some(self.steps.len() - 1);
                self.steps.push(Step::Access(Access { written: Written::Unknown, from, ..write }));
            }
            Stmt::Copy(first, from, between, second, to) => {
                let read = self.access(*first, from, Op::Read, how(from));
                let at = self.steps.len();
                self.steps.push(Step::Access(Access { data: true, ..read }));
                self.all(between);
                let write = self.access(*second, to, Op::Write, how(to));
                self.steps.push(Step::Access(Access { written: Written::Unknown, from: Some(at), ..write }));
            }
            Stmt::Atomic(line, s, rmw, reach, used) => {
                let a = self.access(*line, s, Op::Rmw, Strength::Atomic(*reach));
                self.steps.push(Step::Access(Access {
                    data: *used,
                    conditional: *rmw == Rmw::CompareAndSwap,
                    ..a
                }));
            }
            Stmt::Fence(_) => self.steps.push(Step::Fence),
            Stmt::If(guard, yes, no) => self.all(if guard.holds(&self.here) { yes } else { no }),
            Stmt::Loop(n, rounds, body) => self.rounds(*n, *rounds, body),
            Stmt::Ragged(n, m, body) => self.rounds(*n, self.here.thread % m, body),
            Stmt::Barrier | Stmt::BarrierCount => self.steps.push(Step::Meet(Meeting::Block)),
            Stmt::WarpAll => self.steps.push(Step::Meet(Meeting::Warp(u32::MAX))),
            Stmt::WarpMask(mask) => {
                if mask >> (self.here.thread % 32) & 1 != 0 {
                    self.steps.push(Step::Meet(Meeting::Warp(*mask)));
                }
            }
            Stmt::WarpTile(n) => {
                let ones = ((1u64 << n) - 1) as u32;
                let mask = ones << ((self.here.thread % 32) & !(n - 1));
                self.steps.push(Step::Meet(Meeting::Warp(mask)));
            }
            Stmt::Shuffle => {}
            Stmt::Grid => self.steps.push(Step::Meet(Meeting::Grid)),
            Stmt::ReturnAbove(n) => self.gone = self.here.thread >= *n,
        }
    }

    fn rounds(&mut self, n: usize, rounds: u32, body: &[Stmt]) {
        for i in 0..rounds {
            self.here.loops[n] = i;
            self.all(body);
        }
        self.here.loops[n] = 0;
    }
}
