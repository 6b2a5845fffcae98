//! Random kernels.

use crate::local::Array;
use crate::loops::Last;
use crate::proofs::Random;
use std::fmt::Write;

/// Elements of the arrays that are read. Those that are written have four times as many.
pub const N: usize = 512;

/// The parameters of each kernel, in their order.
pub const PARAMS: &str = "const int *b, const int *q, const int *p, const int *rows, const unsigned *w, const float *g,\n    \
    const double *e, const long long *h, const char *txt, const int *big, const int *half,\n    \
    int *oi, unsigned *ou, float *of, double *od, long long *ol, unsigned char *ob,\n    \
    int *ca, unsigned *cu, float *cf, unsigned long long *cl, int n, int m, int st, float x, long long y";

/// Types of the number of a thread.
const WIDE: [&str; 4] = ["int", "unsigned", "long long", "size_t"];

/// A place in a row of four, of which the others may be written, too.
const ROW: &str = "4 * i + 2";

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ty {
    Int,
    Unsigned,
    Float,
    Double,
    Long,
}

pub const TYPES: [Ty; 5] = [Ty::Int, Ty::Unsigned, Ty::Float, Ty::Double, Ty::Long];

impl Ty {
    pub fn name(self) -> &'static str {
        ["int", "unsigned", "float", "double", "long long"][self as usize]
    }

    /// The array that is written.
    pub fn out(self) -> &'static str {
        ["oi", "ou", "of", "od", "ol"][self as usize]
    }
}

pub struct Var {
    pub name: String,
    pub ty: Ty,
    /// Whether statements may assign to it: the counter of a loop has to come to its end.
    pub assigned: bool,
}

/// A kernel and its launches.
pub struct Kernel {
    pub name: String,
    pub text: String,
    pub block: [usize; 2],
    pub blocks: usize,
    /// `n`, `m` and `st` of each launch.
    pub launches: Vec<[usize; 3]>,
}

impl Kernel {
    /// A risky kernel may do something wrong.
    pub fn random(r: &mut Random, number: usize, risky: bool) -> Kernel {
        let block = *r.pick(&[
            [32, 1],
            [64, 1],
            [100, 1],
            [128, 1],
            [256, 1],
            [77, 1],
            [250, 1],
            [16, 8],
            [8, 8],
            [13, 5],
            [33, 4],
        ]);
        let threads = block[0] * block[1];
        let blocks = 1 + r.below((N / threads).min(4));
        let whole = threads * blocks;
        let mut launches = Vec::new();
        for _ in 0..3 + r.below(2) {
            let n = *r.pick(&[whole, whole, whole - 1, whole - whole / 3, whole / 2 + 1, 5]);
            let new = [n, r.below(7), 1 + r.below(4)];
            let last = launches.last().copied().unwrap_or(new);
            launches.push(if r.chance(60) { last } else { new });
        }
        let mut writer = Writer::new(r, block, risky);
        writer.kernel(number);
        Kernel { name: format!("k{number}"), text: writer.text, block, blocks, launches }
    }
}

/// Writes a kernel down.
pub struct Writer<'a> {
    pub r: &'a mut Random,
    pub text: String,
    pub indent: usize,
    pub vars: Vec<Var>,
    pub arrays: Vec<Array>,
    /// Expressions of indices that lie in the arrays that are read.
    pub exact: Vec<String>,
    pub threads: usize,
    flat: bool,
    pub risky: bool,
    /// Whether lanes may return.
    returns: bool,
    /// The loops around, and how often a statement runs in them at most.
    pub around: Vec<Last>,
    pub turns: usize,
    /// Where each array is written by a thread: no two threads write one element.
    places: [&'static str; 5],
    names: usize,
}

impl<'a> Writer<'a> {
    fn new(r: &'a mut Random, block: [usize; 2], risky: bool) -> Writer<'a> {
        let place = |r: &mut Random| {
            *r.pick(&[
                "i",
                "i",
                "i",
                "li",
                "511 - i",
                "p[i]",
                "2 * i + 1",
                "i * st",
                ROW,
                "(i + 37) & 511",
                "i ^ 5",
            ])
        };
        let places = [(); 5].map(|()| place(r));
        Writer {
            r,
            text: String::new(),
            indent: 0,
            vars: Vec::new(),
            arrays: Vec::new(),
            exact: Vec::new(),
            threads: block[0] * block[1],
            flat: block[1] == 1,
            risky,
            returns: false,
            around: Vec::new(),
            turns: 1,
            places,
            names: 0,
        }
    }

    pub fn line(&mut self, text: &str) {
        let _ = writeln!(self.text, "{}{text}", "    ".repeat(self.indent));
    }

    pub fn name(&mut self, letter: char) -> String {
        self.names += 1;
        format!("{letter}{}", self.names)
    }

    /// A block: what it declares ends with it.
    pub fn block(&mut self, head: &str, body: impl FnOnce(&mut Self)) {
        let (vars, exact, arrays) = (self.vars.len(), self.exact.len(), self.arrays.len());
        self.line(&format!("{head} {{"));
        self.indent += 1;
        body(self);
        self.indent -= 1;
        self.line("}");
        self.vars.truncate(vars);
        self.exact.truncate(exact);
        self.arrays.truncate(arrays);
    }

    fn kernel(&mut self, number: usize) {
        let barriers = self.r.chance(45);
        let _ = writeln!(self.text, "__global__ void k{number}({PARAMS})");
        self.block("", |k| {
            if barriers {
                k.line(&format!("__shared__ unsigned s[{0}];\n    __shared__ float sf[{0}];", k.threads));
            }
            if k.flat {
                k.line("int t = threadIdx.x;\n    int i = blockIdx.x * blockDim.x + t;");
            } else {
                k.line("int t = threadIdx.y * blockDim.x + threadIdx.x;");
                k.line("int i = blockIdx.x * blockDim.x * blockDim.y + t;");
            }
            // The same number, of another type.
            let wide = *k.r.pick(&WIDE);
            let li = if k.flat { format!("blockIdx.x * ({wide})blockDim.x + t") } else { "i".to_owned() };
            k.line(&format!("{wide} li = {li};"));
            for ty in TYPES.into_iter().chain([Ty::Int]) {
                let first = if k.r.chance(50) { "i".to_owned() } else { k.of_type(ty, 1) };
                k.declare(ty, &first);
            }
            if k.r.chance(50) {
                k.declare_array();
            }
            if wide == "long long" {
                k.vars.push(Var { name: "li".to_owned(), ty: Ty::Long, assigned: false });
            }
            k.exact.extend(["i", "511 - i", "t", "p[i]", "q[i]", "li", "511 - li"].map(str::to_owned));
            if barriers {
                for _ in 0..=k.r.below(3) {
                    if k.r.chance(60) {
                        let guard = *k.r.pick(&["if (i < n)", "if (t < n)", "if (i >= 7)", ""]);
                        k.block(guard, |k| k.statements(2));
                    }
                    k.shared();
                }
            } else {
                k.alone();
            }
            k.results();
        });
    }

    /// The body of a kernel without barriers.
    fn alone(&mut self) {
        match self.r.below(6) {
            0 => self.block("if (i < n)", |k| k.statements(3)),
            1 => self.block("if (li < n)", |k| k.statements(3)),
            2 => {
                self.returns = true;
                self.line("if (i >= n) return;");
                self.statements(3);
            }
            3 => {
                let step =
                    if self.flat { "gridDim.x * blockDim.x" } else { "gridDim.x * blockDim.x * blockDim.y" };
                self.turns = 4;
                self.around.push(Last::Continues);
                self.block(&format!("for (; i < n; i += {step})"), |k| {
                    k.statements(2);
                    k.results();
                });
                self.around.pop();
                self.turns = 1;
                self.line("i = blockIdx.x * blockDim.x * blockDim.y + t;");
            }
            4 => {
                let wide = *self.r.pick(&WIDE);
                let head = if self.r.chance(70) {
                    let step = format!("({wide})gridDim.x * blockDim.x * blockDim.y");
                    format!("for ({wide} j = li; j < n; j += {step})")
                } else {
                    let step = "(long long)gridDim.x * blockDim.x * blockDim.y";
                    format!("for (long long j = n - 1 - (long long)li; j >= 0; j -= {step})")
                };
                self.turns = 4;
                self.around.push(Last::Continues);
                self.block(&head, |k| {
                    k.line("int i = (int)j;");
                    k.exact.extend(["j", "511 - j", "p[j]"].map(str::to_owned));
                    k.statements(2);
                    k.results();
                });
                self.around.pop();
                self.turns = 1;
            }
            _ => self.statements(3),
        }
    }

    /// All variables go to memory.
    fn results(&mut self) {
        let guard = if self.r.chance(30) { "if (i < n) " } else { "" };
        for n in 0..self.vars.len().min(6) {
            let (ty, name) = (self.vars[n].ty, self.vars[n].name.clone());
            let place = self.places[ty as usize];
            self.line(&format!("{guard}{}[{place}] = {name};", ty.out()));
        }
    }

    pub fn declare(&mut self, ty: Ty, first: &str) -> String {
        let name = self.name('v');
        self.line(&format!("{} {name} = {first};", ty.name()));
        self.vars.push(Var { name: name.clone(), ty, assigned: true });
        name
    }

    pub fn statements(&mut self, depth: usize) {
        for _ in 0..=self.r.below(3) {
            self.statement(depth);
        }
    }

    fn statement(&mut self, depth: usize) {
        match self.r.below(if depth == 0 { 10 } else { 25 }) {
            0 => {
                let ty = *self.r.pick(&TYPES);
                let first = self.of_type(ty, 2);
                self.declare(ty, &first);
            }
            1..=4 => self.assign(),
            5 | 6 => self.store(),
            7 => self.leave(),
            8 | 9 => self.array_statement(),
            10 | 11 => {
                let cond = self.cond(2);
                self.block(&format!("if ({cond})"), |k| k.statements(depth - 1));
            }
            12..=14 => {
                let cond = self.cond(2);
                self.block(&format!("if ({cond})"), |k| k.statements(depth - 1));
                if self.r.chance(25) {
                    let cond = self.cond(1);
                    self.block(&format!("else if ({cond})"), |k| k.statements(depth - 1));
                }
                self.block("else", |k| k.statements(depth - 1));
            }
            15 => self.cases(depth - 1),
            16 | 17 => self.atomic(),
            18 if self.r.chance(30) => self.message(),
            _ if self.turns <= 16 => self.a_loop(depth - 1),
            _ => self.assign(),
        }
    }

    /// What hardly ever happens, and is left to the bytecode then.
    fn message(&mut self) {
        let (a, value) = (self.int(1), self.int(1));
        let rare = if self.risky { 150 } else { 1 << 20 };
        if self.r.chance(50) {
            self.line(&format!("if ({a} == {rare}) printf(\"%d %d\\n\", i, {value});"));
        } else {
            self.line(&format!("assert({a} != {rare});"));
        }
    }

    fn cases(&mut self, depth: usize) {
        let of = self.int(2);
        // What leaves a loop would leave the switch.
        let around = std::mem::take(&mut self.around);
        self.block(&format!("switch (({of}) & 3)"), |k| {
            for case in ["case 0:", "case 2:", "default:"] {
                k.block(case, |k| k.statements(depth));
                if k.r.chance(80) {
                    k.line("break;");
                }
            }
        });
        self.around = around;
    }

    pub fn assign(&mut self) {
        let assigned: Vec<usize> = (0..self.vars.len()).filter(|&n| self.vars[n].assigned).collect();
        let var = &self.vars[*self.r.pick(&assigned)];
        let (name, ty) = (var.name.clone(), var.ty);
        let value = self.of_type(ty, 3);
        let text = match ty {
            Ty::Int | Ty::Long if self.risky && self.r.chance(10) => {
                format!("{name} = {name} * 3 + ({value});")
            }
            Ty::Int | Ty::Long => match self.r.below(4) {
                0 => format!("{name} = ({name} + ({value})) & 0xfffff;"),
                1 => format!("{name} += ({value}) & 255;"),
                2 => format!("{name} = ({value}) % 4001;"),
                _ => format!("{name} = (({name} & 1023) * 5 + ({value})) & 0xffff;"),
            },
            Ty::Unsigned => match self.r.below(3) {
                0 => format!("{name} = {name} * 31 + ({value});"),
                1 => format!("{name} ^= {value};"),
                _ => format!("{name} = {value};"),
            },
            Ty::Float | Ty::Double => match self.r.below(3) {
                0 => format!("{name} += {value};"),
                1 => format!("{name} = {name} * 0.5f + ({value});"),
                _ => format!("{name} = {value};"),
            },
        };
        self.line(&text);
    }

    fn store(&mut self) {
        if self.r.chance(10) {
            let value = self.int(2);
            return self.line(&format!("ob[i] = (unsigned char)({value});"));
        }
        let ty = *self.r.pick(&TYPES);
        let (array, place, value) = (ty.out(), self.places[ty as usize], self.of_type(ty, 2));
        // Some race, or leave the array.
        if self.risky && self.r.chance(6) {
            let place = *self.r.pick(&["i + 1", "i * 4 + st", "i / 2", "2048 - i", "i * 4 * st"]);
            return self.line(&format!("{array}[{place}] = {value};"));
        }
        if self.r.chance(15) {
            return self.line(&format!("if ({array}[{place}] < {value}) {array}[{place}] = {value};"));
        }
        let how = if self.r.chance(25) && !matches!(ty, Ty::Int | Ty::Long) { "+=" } else { "=" };
        self.line(&format!("{array}[{place}] {how} {value};"));
    }

    /// Whether each thread has four floats in a row for itself.
    pub fn writes_rows(&self) -> bool {
        self.places[Ty::Float as usize] == ROW
    }

    /// A way out of a loop or of the kernel.
    fn leave(&mut self) {
        let cond = self.cond(2);
        match self.around.last() {
            Some(Last::Continues) if self.r.chance(50) => self.line(&format!("if ({cond}) continue;")),
            Some(_) => self.line(&format!("if ({cond}) break;")),
            None if self.returns => self.line(&format!("if ({cond}) return;")),
            None => self.assign(),
        }
    }

    fn atomic(&mut self) {
        let index = if self.r.chance(30) { "7".to_owned() } else { format!("({}) & 63", self.int(1)) };
        let value = self.int(1);
        let (result, unsigned) = (self.name('a'), self.name('a'));
        match self.r.below(9) {
            0 | 1 => self.line(&format!("atomicAdd(&ca[{index}], ({value}) & 255);")),
            2 => self.line(&format!("atomicAdd(&cf[{index}], (float)(({value}) & 255) * 0.37f);")),
            3 => self.line(&format!("atomicMax(&ca[{index}], {value});")),
            4 => self.line(&format!("atomicXor(&cu[{index}], (unsigned)({value}) * 2654435761u);")),
            5 => self.line(&format!("atomicAdd(&cl[{index}], (unsigned long long)({value}));")),
            6 => {
                self.line(&format!("int {result} = atomicAdd(&ca[{index}], 1);"));
                self.vars.push(Var { name: result, ty: Ty::Int, assigned: false });
            }
            7 => {
                self.line(&format!("unsigned {result} = atomicMin(&cu[{index}], (unsigned)({value}));"));
                self.vars.push(Var { name: result, ty: Ty::Unsigned, assigned: false });
            }
            _ => {
                self.line(&format!("unsigned *{result} = &cu[{index}], {unsigned} = 0;"));
                self.block("for (int z = 0; z < 40; z++)", |k| {
                    k.line(&format!("unsigned o = atomicCAS({result}, {unsigned}, {unsigned} * 3 + 1);"));
                    k.line(&format!("if (o == {unsigned}) break;"));
                    k.line(&format!("{unsigned} = o;"));
                });
            }
        }
    }

    /// What threads of a block exchange over shared memory. All threads come here.
    fn shared(&mut self) {
        let (value, other) = (self.of_type(Ty::Unsigned, 2), self.of_type(Ty::Float, 2));
        let (h, threads) = (self.name('h'), self.threads);
        let least = threads.next_power_of_two() / 2;
        self.line(&format!("s[t] = {value};\n    sf[t] = {other};"));
        // Some race.
        if !self.risky || self.r.chance(90) {
            self.line("__syncthreads();");
        }
        let to = match self.r.below(12) {
            8.. if threads.is_multiple_of(32) => self.warp_operation(),
            0 => {
                let far = self.r.below(threads);
                format!("s[(t + {far}) % {threads}]")
            }
            1 => format!("s[{threads} - 1 - t] ^ (unsigned)(sf[t / 2] > 1.0f)"),
            2 => {
                self.block(&format!("for (int {h} = {least}; {h} > 0; {h} >>= 1)"), |k| {
                    k.line(&format!("if (t < {h} && t + {h} < {threads}) s[t] += s[t + {h}];"));
                    k.line("__syncthreads();");
                });
                "s[0]".to_owned()
            }
            3 => {
                self.block(&format!("for (int {h} = 1; {h} < {threads}; {h} *= 2)"), |k| {
                    if k.r.chance(50) {
                        k.line(&format!(
                            "int j = 2 * {h} * t;\n        if (j + {h} < {threads}) s[j] += s[j + {h}];"
                        ));
                    } else {
                        k.line(&format!(
                            "if (t % (2 * {h}) == 0 && t + {h} < {threads}) sf[t] += sf[t + {h}];"
                        ));
                    }
                    k.line("__syncthreads();");
                });
                "s[t] ^ __float_as_uint(sf[0])".to_owned()
            }
            4 => {
                self.block(&format!("for (int {h} = 1; {h} < {threads}; {h} <<= 1)"), |k| {
                    k.line(&format!("unsigned z = t >= {h} ? s[t - {h}] : 0;"));
                    k.line("__syncthreads();\n        s[t] += z;\n        __syncthreads();");
                });
                "s[t]".to_owned()
            }
            5 | 6 => {
                let end = self.r.pick(&["m", "3", "n & 3"]).to_owned();
                self.around.push(Last::Nothing);
                self.turns = 8;
                self.block(&format!("for (int {h} = 0; {h} < {end}; {h}++)"), |k| {
                    k.vars.push(Var { name: h.clone(), ty: Ty::Int, assigned: false });
                    let guard = k.cond(1);
                    if k.r.chance(50) {
                        k.block(&format!("if ({guard})"), |k| {
                            k.around.clear();
                            k.statements(1);
                        });
                    }
                    let value = k.of_type(Ty::Unsigned, 2);
                    k.line(&format!("unsigned z = s[(t + {h} + 1) % {threads}] + ({value});"));
                    k.line("__syncthreads();\n        s[t] = z;\n        __syncthreads();");
                });
                self.around.clear();
                self.turns = 1;
                "s[t / 3]".to_owned()
            }
            _ => format!("s[(i * 7 + st) % {threads}]"),
        };
        let name = self.vars.iter().find(|v| v.ty == Ty::Unsigned && v.assigned).map(|v| v.name.clone());
        self.line(&format!("{} ^= {to};\n    __syncthreads();", name.unwrap_or_default()));
    }
}
