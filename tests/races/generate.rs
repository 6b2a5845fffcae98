//! Random kernels in which no branch and no address depends on what is read.
//!
//! Each array has a home: an index by which every thread has an element of its own. Most accesses keep to it or miss it
//! by little, so that kernels with no race, with one and with many all come up.

use super::events;
use super::program::*;
use super::random::Random;

/// How large kernels are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Size {
    /// At most 8 threads.
    Small,
    /// At most 96.
    Large,
}

/// Where a statement would stand.
#[derive(Clone, Copy)]
struct Context {
    /// All threads of the launch, of the block, of the warp come here together.
    grid: bool,
    block: bool,
    warp: bool,
    /// Loops around it.
    loops: usize,
    depth: usize,
}

struct Maker {
    random: Random,
    blocks: u32,
    threads: u32,
    arrays: Vec<Array>,
    homes: Vec<(View, Affine)>,
    lines: Line,
    /// How often barriers come, in percent.
    barriers: usize,
    volatile: usize,
    atomics: usize,
    fences: bool,
}

/// The program of a seed.
pub fn program(seed: u64, size: Size) -> Program {
    let mut random = Random::new(seed, if size == Size::Small { "small" } else { "large" });
    loop {
        let mut p = draw(Random::new(random.next(), ""), seed, size);
        if p.lines > 1 && events::fit(&mut p) {
            return p;
        }
    }
}

fn draw(mut random: Random, seed: u64, size: Size) -> Program {
    let (blocks, threads) = match size {
        Size::Small => {
            let blocks = *random.pick(&[1, 1, 1, 2, 2, 3, 4]);
            (blocks, 1 + random.below((8 / blocks) as usize) as u32)
        }
        Size::Large => {
            let blocks = *random.pick(&[1, 1, 1, 2, 2, 3]);
            let most = 96 / blocks;
            let usual: Vec<u32> =
                [16, 31, 32, 33, 40, 48, 64, 72, 96].into_iter().filter(|&n| n <= most).collect();
            let any = 9 + random.below(most as usize - 8) as u32;
            (blocks, if random.chance(70) { *random.pick(&usual) } else { any })
        }
    };
    let arrays: Vec<Array> = (0..=random.below(3))
        .map(|_| Array {
            space: if random.chance(55) { Space::Shared } else { Space::Global },
            bytes: 16,
            managed: random.chance(20),
        })
        .collect();
    let mut m = Maker {
        blocks,
        threads,
        homes: Vec::new(),
        lines: 0,
        barriers: *random.pick(&[0, 10, 20, 35]),
        volatile: *random.pick(&[0, 0, 0, 10, 40]),
        atomics: *random.pick(&[0, 0, 10, 10, 40]),
        fences: random.chance(15),
        arrays,
        random,
    };
    for n in 0..m.arrays.len() {
        let home = m.home(m.arrays[n].space);
        m.homes.push(home);
    }
    let top = Context { grid: true, block: true, warp: true, loops: 0, depth: 0 };
    let count = 2 + m.random.below(8);
    let mut body = m.stmts(count, top);
    if m.random.chance(8) {
        // What follows has no barrier, as those above are gone.
        body.push(Stmt::ReturnAbove(1 + m.random.below(threads as usize) as u32));
        let alone = Context { grid: false, block: false, warp: false, ..top };
        body.extend(m.stmts(2, alone));
    }
    let filled = m.random.chance(90);
    let launches = if m.random.chance(15) { 2 } else { 1 };
    Program { seed, blocks, threads, arrays: m.arrays, body, filled, launches, lines: m.lines }
}

impl Maker {
    fn view(&mut self) -> View {
        *self.random.pick(&[
            View::U32,
            View::U32,
            View::U32,
            View::U32,
            View::U8,
            View::U16,
            View::U64,
            View::Vec4,
            View::Member(0),
            View::Member(1),
            View::Member(2),
            View::Member(3),
        ])
    }

    /// An index by which every thread has an element of its own.
    fn home(&mut self, space: Space) -> (View, Affine) {
        let view = self.view();
        let stride = *self.random.pick(&[1, 1, 1, 1, 2, 3, -1]);
        let own = if space == Space::Global { stride * self.threads as i32 } else { 0 };
        (view, Affine { thread: stride, block: own, ..Affine::default() })
    }

    fn line(&mut self) -> Line {
        self.lines += 1;
        self.lines - 1
    }

    fn coefficient(&mut self) -> i32 {
        *self.random.pick(&[0, 0, 1, 1, 1, 2, -1, 4])
    }

    fn spot(&mut self, c: Context) -> Spot {
        let array = self.random.below(self.arrays.len());
        let (mut view, mut index) = self.homes[array];
        match self.random.below(100) {
            0..45 => {}
            45..75 => {
                let n = self.random.below(5) as i32 - 2;
                index.plus += n;
                if self.random.chance(30) {
                    index.bend = self.bend();
                }
                if self.random.chance(15) {
                    index.thread = -index.thread;
                }
            }
            _ => {
                if self.random.chance(40) {
                    view = self.view();
                }
                let bend = if self.random.chance(30) { self.bend() } else { Bend::None };
                index = Affine {
                    thread: self.coefficient(),
                    block: self.coefficient(),
                    loops: [0; 2],
                    plus: self.random.below(6) as i32,
                    bend,
                };
            }
        }
        for n in 0..c.loops {
            if self.random.chance(35) {
                index.loops[n] = *self.random.pick(&[1, 1, 2, -1, self.threads as i32]);
            }
        }
        let volatile = view != View::Vec4 && self.random.chance(self.volatile);
        Spot { array, view, index, volatile }
    }

    fn scalar(&mut self, c: Context) -> Spot {
        loop {
            let s = self.spot(c);
            if s.view != View::Vec4 {
                return s;
            }
        }
    }

    fn bend(&mut self) -> Bend {
        match self.random.below(3) {
            0 => Bend::Xor(*self.random.pick(&[1, 2, 3, 4, 16, 32])),
            1 => Bend::Divide(*self.random.pick(&[2, 3, 4, 8, 32])),
            _ => Bend::Modulo(*self.random.pick(&[2, 3, 4, 8, 32])),
        }
    }

    fn value(&mut self) -> Value {
        if self.random.chance(35) {
            Value::Constant(*self.random.pick(&[0, 1, 1, 7, 300]))
        } else {
            Value::Thread(self.random.below(3) as u32)
        }
    }

    fn guard(&mut self) -> Guard {
        match self.random.below(3) {
            0 => {
                let m = *self.random.pick(&[2, 2, 3, 4, 8]);
                Guard::Residue(m, self.random.below(m as usize) as u32)
            }
            1 => Guard::Below(1 + self.random.below(self.threads as usize) as u32),
            _ => Guard::Is(self.random.below(self.threads as usize) as u32),
        }
    }

    fn stmts(&mut self, count: usize, c: Context) -> Vec<Stmt> {
        let mut out = Vec::new();
        for _ in 0..count {
            if self.random.chance(self.barriers)
                && let Some(s) = self.meeting(c)
            {
                out.push(s);
            } else {
                out.push(self.stmt(c));
            }
        }
        out
    }

    /// Something that orders, where it may stand.
    fn meeting(&mut self, c: Context) -> Option<Stmt> {
        let all = 0..self.random.below(100);
        Some(match all.end {
            0..50 if c.block => Stmt::Barrier,
            50..55 if c.block => Stmt::BarrierCount,
            55..60 if c.grid && self.blocks > 1 => Stmt::Grid,
            55..75 if c.warp => Stmt::WarpAll,
            75..88 if c.warp => Stmt::WarpMask(self.mask()?),
            88..100 if c.warp => {
                let n = *self.random.pick(&[2, 4, 8, 16]);
                if !self.threads.is_multiple_of(n) {
                    return None;
                }
                Stmt::WarpTile(n)
            }
            _ => return None,
        })
    }

    /// A mask of lanes that every warp has.
    fn mask(&mut self) -> Option<u32> {
        let last = self.threads % 32;
        let lanes = if last == 0 { u32::MAX } else { (1 << last) - 1 };
        let drawn = match self.random.below(4) {
            0 => 0x5555_5555,
            1 => 0xffff,
            2 => (1u32 << (1 + self.random.below(31))) - 1,
            _ => self.random.next() as u32,
        };
        Some(drawn & lanes).filter(|&m| m != 0)
    }

    fn stmt(&mut self, c: Context) -> Stmt {
        let inner = Context { depth: c.depth + 1, ..c };
        let count = 1 + self.random.below(3);
        if c.depth < 3 {
            match self.random.below(100) {
                0..9 => {
                    let guard = self.guard();
                    let divergent = Context { grid: false, block: false, warp: false, ..inner };
                    let mut yes = self.stmts(count, divergent);
                    let mut no = if self.random.chance(40) { self.stmts(1, divergent) } else { Vec::new() };
                    if c.warp && self.random.chance(10) {
                        // Lanes may meet from different places.
                        yes.push(Stmt::WarpAll);
                        no.push(Stmt::WarpAll);
                    }
                    return Stmt::If(guard, yes, no);
                }
                9..12 => {
                    let guard = Guard::Block(self.random.below(self.blocks as usize) as u32);
                    let body = self.stmts(count, Context { grid: false, ..inner });
                    return Stmt::If(guard, body, Vec::new());
                }
                12..14 => {
                    let warps = self.threads.div_ceil(32) as usize;
                    let guard = Guard::Warp(self.random.below(warps) as u32);
                    let body = self.stmts(count, Context { grid: false, block: false, ..inner });
                    return Stmt::If(guard, body, Vec::new());
                }
                14..17 if c.loops > 0 => {
                    let guard = Guard::Odd(self.random.below(c.loops));
                    return Stmt::If(guard, self.stmts(count, inner), Vec::new());
                }
                17..25 if c.loops < 2 => {
                    let n = c.loops;
                    let rounds = 1 + self.random.below(4) as u32;
                    return Stmt::Loop(n, rounds, self.stmts(count, Context { loops: n + 1, ..inner }));
                }
                25..28 if c.loops < 2 => {
                    let n = c.loops;
                    let alone = Context { grid: false, block: false, warp: false, loops: n + 1, ..inner };
                    return Stmt::Ragged(n, 2 + self.random.below(3) as u32, self.stmts(count, alone));
                }
                _ => {}
            }
        }
        if self.random.chance(self.atomics) {
            return self.atomic(c);
        }
        match self.random.below(100) {
            0..42 => {
                let spot = self.spot(c);
                Stmt::Load(self.line(), spot)
            }
            42..84 => {
                let (spot, value) = (self.spot(c), self.value());
                Stmt::Store(self.line(), spot, value)
            }
            84..90 => {
                let spot = self.scalar(c);
                Stmt::Update(self.line(), spot, 1 + self.random.below(3) as u32)
            }
            90..97 => {
                let from = self.scalar(c);
                let first = self.line();
                let between = if self.random.chance(40) { self.stmts(1, inner) } else { Vec::new() };
                let mut to = self.scalar(c);
                if self.random.chance(40) {
                    to = from;
                }
                Stmt::Copy(first, from, between, self.line(), to)
            }
            _ if self.fences => {
                Stmt::Fence(if self.random.chance(70) { Reach::Device } else { Reach::Block })
            }
            _ if c.warp => Stmt::Shuffle,
            _ => {
                let spot = self.spot(c);
                Stmt::Load(self.line(), spot)
            }
        }
    }

    fn atomic(&mut self, c: Context) -> Stmt {
        if self.fences && self.random.chance(30) {
            return Stmt::Fence(if self.random.chance(70) { Reach::Device } else { Reach::Block });
        }
        let mut spot = self.spot(c);
        spot.volatile = false;
        if !matches!(spot.view, View::U32 | View::U64 | View::Member(0 | 3)) {
            spot.view = View::U32;
        }
        let rmw = *self.random.pick(&[Rmw::Add, Rmw::Add, Rmw::Exchange, Rmw::Max, Rmw::CompareAndSwap]);
        let reach = if self.random.chance(20) { Reach::Block } else { Reach::Device };
        Stmt::Atomic(self.line(), spot, rmw, reach, self.random.chance(50))
    }
}
