//! Small programs of a few threads, each with code of its own, in which branches, waits and addresses hang on what is
//! read: messages with flags, locks, tickets, and whatever chance makes of them.

use super::print::Source;
use super::program::{Line, Reach, Space};
use super::random::Random;

/// A word of memory.
pub type Var = usize;
/// How many words there are: two of data, two flags, a lock, a counter.
pub const VARS: usize = 6;
const DATA: [Var; 2] = [0, 1];
const FLAGS: [Var; 2] = [2, 3];
const LOCK: Var = 4;
const COUNTER: Var = 5;

/// How a store, a load or a wait is made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum How {
    Plain,
    Volatile,
    /// By an atomic operation.
    Atomic(Reach),
}

/// A step of a thread. Registers are numbered, and written once.
#[derive(Clone, Debug)]
pub enum Op {
    /// Reads into a register, which may be used as data.
    Load {
        line: Line,
        var: Var,
        how: How,
        reg: usize,
        data: bool,
    },
    /// The same from the datum that a register chooses.
    LoadAt {
        line: Line,
        index: usize,
        reg: usize,
    },
    Store {
        line: Line,
        var: Var,
        how: How,
        value: u32,
    },
    /// `atomicAdd(var, 1)`, whose result goes to a register.
    Add {
        line: Line,
        var: Var,
        reach: Reach,
        reg: Option<usize>,
    },
    Fence(Reach),
    /// `if (register == value)`
    If {
        reg: usize,
        value: u32,
        body: Vec<Op>,
    },
    /// `while (var == 0) {}`
    Await {
        line: Line,
        var: Var,
        how: How,
    },
    /// `while (atomicCAS(var, 0, 1) != 0) {}`
    Lock {
        line: Line,
        var: Var,
        reach: Reach,
    },
    /// A volatile read and a volatile store of one more.
    Update {
        read: Line,
        store: Line,
        var: Var,
    },
}

/// A thread: where it stands, and what it does before and after the block's barrier.
#[derive(Clone, Debug)]
pub struct Thread {
    pub block: u32,
    pub number: u32,
    pub phases: Vec<Vec<Op>>,
}

/// A program.
#[derive(Clone, Debug)]
pub struct Litmus {
    pub seed: u64,
    pub space: Space,
    pub threads: Vec<Thread>,
    pub registers: usize,
}

impl Litmus {
    pub fn blocks(&self) -> u32 {
        self.threads.iter().map(|t| t.block + 1).max().unwrap_or(1)
    }

    pub fn block_size(&self) -> u32 {
        self.threads.iter().map(|t| t.number + 1).max().unwrap_or(1)
    }
}

struct Maker {
    random: Random,
    lines: Line,
    registers: usize,
    /// In percent: how often a fence is left out, a scope is the block's.
    careless: usize,
    narrow: usize,
}

/// The program of a seed.
pub fn program(seed: u64) -> Litmus {
    let mut random = Random::new(seed, "litmus");
    let careless = *random.pick(&[0, 20, 50, 100]);
    let narrow = *random.pick(&[0, 0, 30]);
    let mut m = Maker { random, lines: 0, registers: 0, careless, narrow };
    let all: [&[(u32, u32)]; 6] = [
        &[(0, 0), (1, 0)],
        &[(0, 0), (1, 0), (2, 0)],
        &[(0, 0), (0, 32)],
        &[(0, 0), (0, 32), (1, 0)],
        &[(0, 0), (0, 1)],
        &[(0, 0), (0, 1), (0, 32)],
    ];
    let places = *m.random.pick(&all);
    let one_block = places.iter().all(|p| p.0 == 0);
    let space = if one_block && m.random.chance(50) { Space::Shared } else { Space::Global };
    let mut threads: Vec<Thread> =
        places.iter().map(|&(block, number)| Thread { block, number, phases: Vec::new() }).collect();
    let phases = if m.random.chance(25) { 2 } else { 1 };
    for _ in 0..phases {
        let all = m.phase(threads.len());
        threads.iter_mut().zip(all).for_each(|(t, ops)| t.phases.push(ops));
    }
    Litmus { seed, space, threads, registers: m.registers }
}

impl Maker {
    fn line(&mut self) -> Line {
        self.lines += 1;
        self.lines - 1
    }

    fn register(&mut self) -> usize {
        self.registers += 1;
        self.registers - 1
    }

    fn reach(&mut self) -> Reach {
        if self.random.chance(self.narrow) { Reach::Block } else { Reach::Device }
    }

    fn fence(&mut self, ops: &mut Vec<Op>) {
        if !self.random.chance(self.careless) {
            ops.push(Op::Fence(self.reach()));
        }
    }

    /// How a flag is set or read.
    fn strong(&mut self) -> How {
        if self.random.chance(50) { How::Volatile } else { How::Atomic(self.reach()) }
    }

    fn load(&mut self, var: Var, how: How) -> Op {
        let (line, reg, data) = (self.line(), self.register(), self.random.chance(60));
        Op::Load { line, var, how, reg, data }
    }

    fn store(&mut self, var: Var, how: How, value: u32) -> Op {
        Op::Store { line: self.line(), var, how, value }
    }

    /// A plain access to a datum, or something close to it.
    fn datum(&mut self) -> Op {
        let var = *self.random.pick(&DATA);
        match self.random.below(10) {
            0..5 => self.load(var, How::Plain),
            5..9 => {
                let value = 1 + self.random.below(2) as u32;
                self.store(var, How::Plain, value)
            }
            _ => self.anything(),
        }
    }

    fn anything(&mut self) -> Op {
        let var = self.random.below(VARS);
        match self.random.below(8) {
            0 => self.load(var, How::Plain),
            1 => {
                let how = self.strong();
                self.load(var, how)
            }
            2 => self.store(var, How::Plain, 1),
            3 | 4 => {
                let how = self.strong();
                self.store(var, how, 1)
            }
            5 => {
                let (line, reach) = (self.line(), self.reach());
                let reg = self.random.chance(50).then(|| self.register());
                Op::Add { line, var, reach, reg }
            }
            6 => Op::Fence(self.reach()),
            _ => Op::Update { read: self.line(), store: self.line(), var },
        }
    }

    fn phase(&mut self, threads: usize) -> Vec<Vec<Op>> {
        match self.random.below(10) {
            0..4 => self.message(threads),
            4..6 => (0..threads).map(|_| self.locked()).collect(),
            6..8 => (0..threads).map(|_| self.ticket(threads as u32)).collect(),
            _ => (0..threads).map(|_| self.chaos()).collect(),
        }
    }

    /// The first thread tells the others by a flag.
    fn message(&mut self, threads: usize) -> Vec<Vec<Op>> {
        let flag = *self.random.pick(&FLAGS);
        let mut all = Vec::new();
        let mut first = vec![self.datum()];
        self.fence(&mut first);
        let how = if self.random.chance(10) { How::Plain } else { self.strong() };
        first.push(self.store(flag, how, 1));
        if self.random.chance(30) {
            first.push(self.datum());
        }
        all.push(first);
        for n in 1..threads {
            let mut ops = Vec::new();
            // The last of three may hear it from the second.
            let from = if n == 2 && self.random.chance(40) { FLAGS[0] ^ FLAGS[1] ^ flag } else { flag };
            let how = self.strong();
            let mut then = Vec::new();
            self.fence(&mut then);
            then.push(self.datum());
            if n == 1 && threads == 3 {
                self.fence(&mut then);
                let (other, how) = (FLAGS[0] ^ FLAGS[1] ^ flag, self.strong());
                then.push(self.store(other, how, 1));
            }
            if self.random.chance(50) && from == flag && !matches!(all[0].last(), Some(Op::Load { .. })) {
                ops.push(Op::Await { line: self.line(), var: from, how });
                ops.extend(then);
            } else {
                let (line, reg) = (self.line(), self.register());
                ops.push(Op::Load { line, var: from, how, reg, data: false });
                ops.push(Op::If { reg, value: 1, body: then });
            }
            all.push(ops);
        }
        all
    }

    fn locked(&mut self) -> Vec<Op> {
        let mut ops = vec![Op::Lock { line: self.line(), var: LOCK, reach: self.reach() }];
        self.fence(&mut ops);
        ops.push(self.datum());
        if self.random.chance(50) {
            ops.push(self.datum());
        }
        self.fence(&mut ops);
        let how = match self.random.below(10) {
            0 => How::Plain,
            1..4 => How::Volatile,
            _ => How::Atomic(self.reach()),
        };
        ops.push(self.store(LOCK, how, 0));
        ops
    }

    fn ticket(&mut self, threads: u32) -> Vec<Op> {
        let mut ops = vec![self.datum()];
        self.fence(&mut ops);
        let (line, reach, reg) = (self.line(), self.reach(), self.register());
        ops.push(Op::Add { line, var: COUNTER, reach, reg: Some(reg) });
        let mut body = Vec::new();
        self.fence(&mut body);
        body.push(self.datum());
        ops.push(Op::If { reg, value: threads - 1, body });
        ops
    }

    fn chaos(&mut self) -> Vec<Op> {
        let mut ops = Vec::new();
        for _ in 0..2 + self.random.below(3) {
            let op = self.anything();
            let reg = match op {
                Op::Load { reg, .. } | Op::Add { reg: Some(reg), .. } => Some(reg),
                _ => None,
            };
            ops.push(op);
            if let Some(reg) = reg {
                match self.random.below(3) {
                    0 => {
                        let value = self.random.below(2) as u32;
                        let body = vec![self.anything()];
                        ops.push(Op::If { reg, value, body });
                    }
                    1 => ops.push(Op::LoadAt { line: self.line(), index: reg, reg: self.register() }),
                    _ => {}
                }
            }
        }
        ops
    }
}

/// Programs as one file.
pub fn source(all: &[Litmus]) -> Source {
    let mut s = Source::new();
    s.put("#include <cuda_runtime.h>");
    for (n, p) in all.iter().enumerate() {
        let parameters = if p.space == Space::Shared { "" } else { "unsigned int *m, " };
        s.put(&format!("__global__ void k{n}({parameters}unsigned int *out) {{ // seed {}", p.seed));
        if p.space == Space::Shared {
            s.put(&format!("    __shared__ unsigned int m[{VARS}];"));
            s.put(&format!("    if (threadIdx.x == 0) for (int n = 0; n < {VARS}; ++n) m[n] = 0;"));
            s.put("    __syncthreads();");
        }
        s.put("    volatile unsigned int *v = m;");
        s.put("    unsigned int acc = 0;");
        for phase in 0..p.threads[0].phases.len() {
            if phase > 0 {
                s.put("    __syncthreads();");
            }
            for (k, t) in p.threads.iter().enumerate() {
                let otherwise = if k == 0 { "    " } else { "    } else " };
                s.put(&format!(
                    "{otherwise}if (blockIdx.x == {} && threadIdx.x == {}) {{",
                    t.block, t.number
                ));
                ops(&mut s, n, &t.phases[phase], 2);
            }
            s.put("    }");
        }
        s.put(&format!("    out[blockIdx.x * {} + threadIdx.x] = acc;", p.block_size()));
        s.put("}");
    }
    s.put("int main() {");
    for (n, p) in all.iter().enumerate() {
        let (blocks, threads) = (p.blocks(), p.block_size());
        s.put("    {");
        s.put("        unsigned int *m, *out;");
        s.put(&format!("        cudaMalloc(&m, {0});\n        cudaMemset(m, 0, {0});", 4 * VARS));
        s.put(&format!("        cudaMalloc(&out, {});", 4 * blocks * threads));
        let memory = if p.space == Space::Shared { "" } else { "m, " };
        s.put(&format!("        k{n}<<<{blocks}, {threads}>>>({memory}out);"));
        s.put("        cudaDeviceSynchronize();\n        cudaFree(m);\n        cudaFree(out);\n    }");
    }
    s.put("    return 0;\n}");
    s
}

fn ops(s: &mut Source, n: usize, all: &[Op], depth: usize) {
    let indent = "    ".repeat(depth);
    let call = |name: &str, reach: Reach, rest: String| {
        format!("{name}{}({rest})", if reach == Reach::Block { "_block" } else { "" })
    };
    for op in all {
        let mut put =
            |line: Line, text: String| s.put_at(Some((n, line)), &format!("{indent}{text} // {line}"));
        match op {
            Op::Load { line, var, how, reg, data } => {
                let value = match how {
                    How::Plain => format!("m[{var}]"),
                    How::Volatile => format!("v[{var}]"),
                    How::Atomic(reach) => call("atomicAdd", *reach, format!("&m[{var}], 0")),
                };
                put(*line, format!("unsigned int r{reg} = {value};"));
                if *data {
                    s.put(&format!("{indent}acc += r{reg};"));
                }
            }
            Op::LoadAt { line, index, reg } => {
                put(*line, format!("unsigned int r{reg} = m[r{index} & 1];"));
                s.put(&format!("{indent}acc += r{reg};"));
            }
            Op::Store { line, var, how, value } => put(
                *line,
                match how {
                    How::Plain => format!("m[{var}] = {value};"),
                    How::Volatile => format!("v[{var}] = {value};"),
                    How::Atomic(reach) => call("atomicExch", *reach, format!("&m[{var}], {value}")) + ";",
                },
            ),
            Op::Add { line, var, reach, reg } => {
                let to = reg.map_or(String::new(), |r| format!("unsigned int r{r} = "));
                put(*line, format!("{to}{};", call("atomicAdd", *reach, format!("&m[{var}], 1"))));
            }
            Op::Fence(Reach::Block) => s.put(&format!("{indent}__threadfence_block();")),
            Op::Fence(Reach::Device) => s.put(&format!("{indent}__threadfence();")),
            Op::If { reg, value, body } => {
                s.put(&format!("{indent}if (r{reg} == {value}) {{"));
                ops(s, n, body, depth + 1);
                s.put(&format!("{indent}}}"));
            }
            Op::Await { line, var, how } => put(
                *line,
                match how {
                    How::Atomic(reach) => {
                        format!("while ({} == 0) {{}}", call("atomicAdd", *reach, format!("&m[{var}], 0")))
                    }
                    _ => format!("while (v[{var}] == 0) {{}}"),
                },
            ),
            Op::Lock { line, var, reach } => {
                put(
                    *line,
                    format!("while ({} != 0) {{}}", call("atomicCAS", *reach, format!("&m[{var}], 0, 1"))),
                );
            }
            Op::Update { read, store, var } => {
                put(*read, format!("unsigned int u{read} = v[{var}];"));
                s.put_at(Some((n, *store)), &format!("{indent}v[{var}] = u{read} + 1; // {store}"));
            }
        }
    }
}
