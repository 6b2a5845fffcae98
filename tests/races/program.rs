//! Random kernels as data: what is printed as CUDA C++, and what the reference follows thread by thread.

/// Where an array lies.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Space {
    Shared,
    Global,
}

/// An array of bytes, which accesses see as elements of their own types. Its size follows from them.
#[derive(Clone, Debug)]
pub struct Array {
    pub space: Space,
    pub bytes: u32,
    /// Global memory from `cudaMallocManaged`.
    pub managed: bool,
}

/// What an access sees an array as, and what of an element it touches.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum View {
    U8,
    U16,
    U32,
    U64,
    /// `float4`, 16 bytes.
    Vec4,
    /// A member of [`RECORD`], by number.
    Member(usize),
}

/// The members of a structure of 12 bytes: name, type, offset, width.
pub const RECORD: [(&str, &str, u32, u32); 4] = [
    ("a", "unsigned int", 0, 4),
    ("b", "unsigned short", 4, 2),
    ("c", "unsigned char", 6, 1),
    ("d", "unsigned int", 8, 4),
];
/// Its size.
pub const RECORD_SIZE: u32 = 12;

impl View {
    /// From one element to the next.
    pub fn stride(self) -> u32 {
        match self {
            View::Member(_) => RECORD_SIZE,
            _ => self.width(),
        }
    }

    /// Where in the element the access starts.
    pub fn offset(self) -> u32 {
        match self {
            View::Member(n) => RECORD[n].2,
            _ => 0,
        }
    }

    /// How many bytes it touches.
    pub fn width(self) -> u32 {
        match self {
            View::U8 => 1,
            View::U16 => 2,
            View::U32 => 4,
            View::U64 => 8,
            View::Vec4 => 16,
            View::Member(n) => RECORD[n].3,
        }
    }
}

/// A number that a thread works out: `(t*a + b*block + i*loop[0] + j*loop[1] + k)`, perhaps turned around, divided or
/// wrapped.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Affine {
    pub thread: i32,
    pub block: i32,
    pub loops: [i32; 2],
    pub plus: i32,
    /// The thread's number is taken after this.
    pub bend: Bend,
}

/// What happens to the thread's number first.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Bend {
    #[default]
    None,
    Xor(u32),
    Divide(u32),
    Modulo(u32),
}

/// Who and where a thread is.
#[derive(Clone, Copy, Debug)]
pub struct Here {
    pub thread: u32,
    pub block: u32,
    pub loops: [u32; 2],
}

impl Affine {
    pub fn of(&self, here: &Here) -> i32 {
        let t = match self.bend {
            Bend::None => here.thread,
            Bend::Xor(n) => here.thread ^ n,
            Bend::Divide(n) => here.thread / n,
            Bend::Modulo(n) => here.thread % n,
        };
        self.thread * t as i32
            + self.block * here.block as i32
            + self.loops[0] * here.loops[0] as i32
            + self.loops[1] * here.loops[1] as i32
            + self.plus
    }
}

/// Who takes a branch.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Guard {
    /// `t % .0 == .1`
    Residue(u32, u32),
    /// `t < .0`
    Below(u32),
    /// `t == .0`
    Is(u32),
    /// `t / 32 == .0`
    Warp(u32),
    /// `blockIdx.x == .0`
    Block(u32),
    /// Loop variable `.0` is odd.
    Odd(usize),
}

impl Guard {
    pub fn holds(self, here: &Here) -> bool {
        match self {
            Guard::Residue(m, r) => here.thread % m == r,
            Guard::Below(n) => here.thread < n,
            Guard::Is(n) => here.thread == n,
            Guard::Warp(w) => here.thread / 32 == w,
            Guard::Block(b) => here.block == b,
            Guard::Odd(n) => here.loops[n] % 2 == 1,
        }
    }
}

/// How far a fence or an atomic operation reaches.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reach {
    Block,
    Device,
}

/// What an atomic operation does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Rmw {
    Add,
    Exchange,
    Max,
    CompareAndSwap,
}

/// What is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Value {
    Constant(u32),
    /// `t + .0`
    Thread(u32),
}

/// A place in an array.
#[derive(Clone, Copy, Debug)]
pub struct Spot {
    pub array: usize,
    pub view: View,
    pub index: Affine,
    pub volatile: bool,
}

/// A line of the kernel, by which findings are told apart.
pub type Line = u32;

/// A statement. Those with accesses know their lines.
#[derive(Clone, Debug)]
pub enum Stmt {
    /// `acc += spot;`
    Load(Line, Spot),
    /// `spot = value;`
    Store(Line, Spot, Value),
    /// `spot += value;`, one line that reads and writes.
    Update(Line, Spot, u32),
    /// Reads into a variable, does something else, and stores what was read, changed, at another place or the same.
    Copy(Line, Spot, Vec<Stmt>, Line, Spot),
    /// An atomic operation on elements of four or eight bytes. Is its result used?
    Atomic(Line, Spot, Rmw, Reach, bool),
    Fence(Reach),
    If(Guard, Vec<Stmt>, Vec<Stmt>),
    /// A loop of the first or second depth with so many rounds.
    Loop(usize, u32, Vec<Stmt>),
    /// The same with `t % .1` rounds, so without barriers.
    Ragged(usize, u32, Vec<Stmt>),
    Barrier,
    /// The barrier that counts threads as well.
    BarrierCount,
    /// `__syncwarp()` of all lanes.
    WarpAll,
    /// `if (mask >> lane & 1) __syncwarp(mask);`
    WarpMask(u32),
    /// `__syncwarp` of the aligned group of so many lanes, a power of two.
    WarpTile(u32),
    /// A shuffle of all lanes, which orders nothing.
    Shuffle,
    /// `grid.sync()`.
    Grid,
    /// From here on threads above are gone.
    ReturnAbove(u32),
}

/// A kernel and its launch.
#[derive(Clone, Debug)]
pub struct Program {
    pub seed: u64,
    pub blocks: u32,
    pub threads: u32,
    pub arrays: Vec<Array>,
    pub body: Vec<Stmt>,
    /// Shared memory is filled before anything else.
    pub filled: bool,
    /// It is launched so often.
    pub launches: u32,
    /// Lines that have accesses, counted from 0.
    pub lines: Line,
}

impl Program {
    /// Whether a statement of this kind stands anywhere.
    pub fn any(&self, is: impl Fn(&Stmt) -> bool + Copy) -> bool {
        any(&self.body, is)
    }

    /// Whether blocks meet, so that the launch is a cooperative one.
    pub fn is_cooperative(&self) -> bool {
        self.any(|s| matches!(s, Stmt::Grid))
    }
}

fn any(all: &[Stmt], is: impl Fn(&Stmt) -> bool + Copy) -> bool {
    all.iter().any(|s| {
        is(s)
            || match s {
                Stmt::If(_, a, b) => any(a, is) || any(b, is),
                Stmt::Loop(_, _, a) | Stmt::Ragged(_, _, a) | Stmt::Copy(_, _, a, ..) => any(a, is),
                _ => false,
            }
    })
}

/// Visits every spot.
pub fn each_spot(all: &mut [Stmt], visit: &mut impl FnMut(&mut Spot)) {
    for stmt in all {
        match stmt {
            Stmt::Load(_, s) | Stmt::Store(_, s, _) | Stmt::Update(_, s, _) | Stmt::Atomic(_, s, ..) => {
                visit(s);
            }
            Stmt::Copy(_, from, between, _, to) => {
                visit(from);
                each_spot(between, visit);
                visit(to);
            }
            Stmt::If(_, a, b) => {
                each_spot(a, visit);
                each_spot(b, visit);
            }
            Stmt::Loop(_, _, a) | Stmt::Ragged(_, _, a) => each_spot(a, visit),
            _ => {}
        }
    }
}
