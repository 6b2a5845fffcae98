//! What `check` proves for every shape, argument and launch of the host is held against all small ones.
//!
//! Random kernels write to an array at an index made of thread and block indices, extents, parameters and a loop's
//! counter, under random guards; some divide or shift by such a number, or
//! have a local array. Half of them are launched by a host that computes shape, arguments and the size of the
//! array from two numbers that only the run knows. Whatever is proved of a kernel is tried for small numbers: no two
//! threads may write to one element, no thread outside of the array, and none may divide by 0 or shift too far.
//!
//! `CUDAIR_SHAPES=SEED/N` takes N kernels of a seed.

#[path = "ui/proofs.rs"]
mod proofs;

use proofs::{Random, each_file, proofs, says_something};
use std::collections::HashMap;
use std::fmt::Write;

/// Kernels that are tried where nobody says how many.
const DEFAULT: usize = 20;

/// What an expression may name, by its place in an [`Env`].
#[derive(Clone, Copy, PartialEq, Debug)]
enum Name {
    X,
    Y,
    Tx,
    Bx,
    Bdx,
    Gdx,
    W,
    H,
    I,
}

impl Name {
    fn text(self) -> &'static str {
        match self {
            Name::X => "x",
            Name::Y => "y",
            Name::Tx => "(int)threadIdx.x",
            Name::Bx => "(int)blockIdx.x",
            Name::Bdx => "(int)blockDim.x",
            Name::Gdx => "(int)gridDim.x",
            Name::W => "w",
            Name::H => "h",
            Name::I => "i",
        }
    }
}

#[derive(Clone, Debug)]
enum Expr {
    Name(Name),
    Number(i64),
    Add(Box<Expr>, Box<Expr>),
    Mul(Box<Expr>, Box<Expr>),
}

type Env = [i64; 9];

impl Expr {
    fn random(r: &mut Random, depth: usize, names: &[Name]) -> Expr {
        if depth == 0 || r.chance(20) {
            return if r.chance(15) { Expr::Number(r.below(4) as i64) } else { Expr::Name(*r.pick(names)) };
        }
        let parts = [0, 1].map(|_| Box::new(Expr::random(r, depth - 1, names)));
        let [a, b] = parts;
        if r.chance(55) { Expr::Add(a, b) } else { Expr::Mul(a, b) }
    }

    /// The usual forms, which random ones seldom meet.
    fn index(r: &mut Random, names: &[Name]) -> Expr {
        let name = |n| Box::new(Expr::Name(n));
        let row = |r: &mut Random, a, b, c| {
            let stride = if r.chance(80) { name(b) } else { Box::new(Expr::random(r, 1, names)) };
            Expr::Add(Box::new(Expr::Mul(name(a), stride)), name(c))
        };
        let (a, b, c) = (*r.pick(names), *r.pick(names), *r.pick(names));
        match r.below(5) {
            0 => Expr::Name(Name::X),
            1 if names.contains(&Name::Y) => row(r, Name::Y, Name::W, Name::X),
            2 => row(r, a, b, c),
            3 => row(r, Name::X, b, c),
            _ => Expr::random(r, 2, names),
        }
    }

    fn value(&self, env: &Env) -> i64 {
        match self {
            Expr::Name(n) => env[*n as usize],
            Expr::Number(n) => *n,
            Expr::Add(a, b) => a.value(env) + b.value(env),
            Expr::Mul(a, b) => a.value(env) * b.value(env),
        }
    }

    fn names(&self, name: Name) -> bool {
        match self {
            Expr::Name(n) => *n == name,
            Expr::Number(_) => false,
            Expr::Add(a, b) | Expr::Mul(a, b) => a.names(name) || b.names(name),
        }
    }

    fn text(&self) -> String {
        match self {
            Expr::Name(n) => n.text().to_owned(),
            Expr::Number(n) => n.to_string(),
            Expr::Add(a, b) => format!("({} + {})", a.text(), b.text()),
            Expr::Mul(a, b) => format!("{} * {}", a.text(), b.text()),
        }
    }
}

/// A guard: the first is less than the second, or equal.
#[derive(Debug)]
struct Guard {
    less: Expr,
    than: Expr,
    or_equal: bool,
}

impl Guard {
    fn random(r: &mut Random, names: &[Name]) -> Guard {
        let usual = [(Name::X, Name::W), (Name::Y, Name::H), (Name::Tx, Name::W), (Name::I, Name::W)];
        let fitting: Vec<(Name, Name)> = usual.into_iter().filter(|u| names.contains(&u.0)).collect();
        let (less, than) = if r.chance(80) {
            let (a, b) = *r.pick(&fitting);
            (Expr::Name(a), Expr::Name(b))
        } else {
            (Expr::random(r, 1, names), Expr::random(r, 1, names))
        };
        Guard { less, than, or_equal: r.chance(15) }
    }

    fn text(&self) -> String {
        format!("{} {} {}", self.less.text(), if self.or_equal { "<=" } else { "<" }, self.than.text())
    }

    fn holds(&self, env: &Env) -> bool {
        let (a, b) = (self.less.value(env), self.than.value(env));
        a < b || self.or_equal && a == b
    }
}

/// `for (int i = from; i < to; i += by)`
#[derive(Debug)]
struct Loop {
    from: Expr,
    to: Expr,
    by: Expr,
}

/// What is written is divided or shifted by a number.
#[derive(Debug)]
struct Operation {
    shifts: bool,
    by: Expr,
}

impl Operation {
    fn random(r: &mut Random, names: &[Name]) -> Operation {
        // One more than a number is seldom 0, and a number of one digit no shift too far.
        let by = match r.below(3) {
            0 => Expr::Name(*r.pick(names)),
            1 => Expr::Add(Box::new(Expr::random(r, 1, names)), Box::new(Expr::Number(1))),
            _ => Expr::random(r, 2, names),
        };
        Operation { shifts: r.chance(40), by }
    }

    fn text(&self) -> String {
        format!("(x + 1) {} ({})", if self.shifts { ">>" } else { "/" }, self.by.text())
    }

    fn is_undefined(&self, env: &Env) -> bool {
        let by = self.by.value(env);
        if self.shifts { !(0..32).contains(&by) } else { by == 0 }
    }
}

/// What the host passes, as expressions over `n` (in the place of `w`) and `m` (in that of `h`).
#[derive(Debug)]
struct Host {
    grid: [Expr; 2],
    /// What the first extent of the grid is divided by, rounded up.
    per_block: i64,
    block: [i64; 2],
    args: [Expr; 2],
    elements: Expr,
}

#[derive(Debug)]
struct Kernel {
    name: String,
    two: bool,
    guards: Vec<Guard>,
    round: Option<Loop>,
    index: Expr,
    operation: Option<Operation>,
    /// Elements of a local array or of a row of one, and an index into it.
    array: Option<(i64, bool, Expr)>,
    host: Option<Host>,
}

impl Kernel {
    fn random(r: &mut Random, number: usize) -> Kernel {
        let two = r.chance(50);
        let mut names = vec![Name::X, Name::Tx, Name::Bx, Name::Bdx, Name::Gdx, Name::W, Name::H];
        if two {
            names.push(Name::Y);
        }
        let stride = || Expr::Mul(Box::new(Expr::Name(Name::Bdx)), Box::new(Expr::Name(Name::Gdx)));
        let round = r.chance(40).then(|| Loop {
            from: if r.chance(70) { Expr::Name(Name::X) } else { Expr::Number(0) },
            to: Expr::Name(*r.pick(&[Name::W, Name::H])),
            by: match r.below(4) {
                0 => Expr::Number(1),
                1 => Expr::Name(Name::W),
                _ => stride(),
            },
        });
        if round.is_some() {
            names.extend([Name::I; 3]);
        }
        let guards = (0..r.below(3)).map(|_| Guard::random(r, &names)).collect();
        let index = Expr::index(r, &names);
        let operation = r.chance(50).then(|| Operation::random(r, &names));
        let array = r.chance(40).then(|| {
            let index = if r.chance(70) { Expr::Name(*r.pick(&names)) } else { Expr::random(r, 1, &names) };
            (*r.pick(&[2, 4, 7]), r.chance(50), index)
        });
        let host = r.chance(50).then(|| Host::random(r, two));
        Kernel { name: format!("k{number}"), two, guards, round, index, operation, array, host }
    }

    fn text(&self) -> String {
        let mut t = format!("__global__ void {}(int *out, int w, int h) {{\n", self.name);
        t += "    int x = blockIdx.x * blockDim.x + threadIdx.x;\n";
        if self.two {
            t += "    int y = blockIdx.y * blockDim.y + threadIdx.y;\n";
        }
        if let Some(Loop { from, to, by }) = &self.round {
            let _ = writeln!(t, "    for (int i = {}; i < {}; i += {})", from.text(), to.text(), by.text());
        }
        let guards: Vec<String> = self.guards.iter().map(Guard::text).collect();
        if !guards.is_empty() {
            let _ = writeln!(t, "    if ({})", guards.join(" && "));
        }
        // A quotient that is written would be compared with that of another thread.
        let operation = self.operation.as_ref().map(|o| format!(" volatile int v = {};", o.text()));
        let array = self.array.as_ref().map(|(elements, row, index)| {
            let row = if *row { "[3]" } else { "" };
            let first = if row.is_empty() { "" } else { "[1]" };
            format!(" int box{row}[{elements}]; box{first}[{}] = 1;", index.text())
        });
        let _ = writeln!(
            t,
            "    {{{}{}\n        out[{}] = x + 1;\n    }}\n}}",
            operation.unwrap_or_default(),
            array.unwrap_or_default(),
            self.index.text()
        );
        t
    }

    /// What threads of a launch write, in an array of so many elements.
    fn shows(&self, grid: [i64; 2], block: [i64; 2], [w, h]: [i64; 2], elements: Option<i64>) -> Shown {
        let mut writers: HashMap<i64, [i64; 4]> = HashMap::new();
        let mut shown = Shown::default();
        for n in 0..grid[0] * grid[1] * block[0] * block[1] {
            let (tx, rest) = (n % block[0], n / block[0]);
            let (ty, rest) = (rest % block[1], rest / block[1]);
            let (bx, by) = (rest % grid[0], rest / grid[0]);
            let mut env: Env = [0; 9];
            (env[Name::X as usize], env[Name::Y as usize]) = (bx * block[0] + tx, by * block[1] + ty);
            (env[Name::Tx as usize], env[Name::Bx as usize]) = (tx, bx);
            (env[Name::Bdx as usize], env[Name::Gdx as usize]) = (block[0], grid[0]);
            (env[Name::W as usize], env[Name::H as usize]) = (w, h);
            let mut rounds = vec![0];
            if let Some(round) = &self.round {
                let (from, to, by) = (round.from.value(&env), round.to.value(&env), round.by.value(&env));
                if by <= 0 && from < to {
                    return Shown::default();
                }
                rounds = (from..to).step_by(by.max(1) as usize).collect();
            }
            for i in rounds {
                env[Name::I as usize] = i;
                if self.guards.iter().all(|g| g.holds(&env)) {
                    let at = self.index.value(&env);
                    let other = writers.insert(at, [bx, by, tx, ty]);
                    shown.race |= other.is_some_and(|o| o != [bx, by, tx, ty]);
                    shown.undefined |= self.operation.as_ref().is_some_and(|o| o.is_undefined(&env));
                    let inside = |(n, _, e): &(i64, bool, Expr)| (0..*n).contains(&e.value(&env));
                    shown.outside |= !self.array.iter().all(inside);
                    shown.outside |= elements.is_some_and(|e| at < 0 || at >= e);
                }
            }
        }
        shown
    }

    fn asks_for_y(&self) -> bool {
        let guards = self.guards.iter().flat_map(|g| [&g.less, &g.than]);
        let round = self.round.iter().flat_map(|l| [&l.from, &l.to, &l.by]);
        let operation = self.operation.iter().map(|o| &o.by);
        let array = self.array.iter().map(|a| &a.2);
        guards.chain(round).chain(operation).chain(array).chain([&self.index]).any(|e| e.names(Name::Y))
    }

    /// A launch that contradicts what was proved.
    fn contradiction(&self, proved: &Proved) -> Option<String> {
        // An axis that the kernel never asks for has the extent 1.
        let two = self.asks_for_y();
        let sides = |two: bool| if two { 1..=2 } else { 1..=1 };
        let wrong =
            |s: Shown| s.race && proved.race || s.outside && proved.bounds || s.undefined && proved.operation;
        for (a, b) in (-1..7).flat_map(|a| (-1..7).map(move |b| (a, b))) {
            if let Some(host) = &self.host {
                let mut env: Env = [0; 9];
                (env[Name::W as usize], env[Name::H as usize]) = (a, b);
                let [gx, gy] = [0, 1].map(|d| host.grid[d].value(&env));
                let gx = (gx + host.per_block - 1) / host.per_block;
                let args = [0, 1].map(|d| host.args[d].value(&env));
                let elements = host.elements.value(&env);
                // Others are no launch.
                if gx > 0
                    && gy > 0
                    && elements >= 0
                    && wrong(self.shows([gx, gy], host.block, args, Some(elements)))
                {
                    return Some(format!("n = {a}, m = {b}"));
                }
                continue;
            }
            for (gx, bx) in (1..=3).flat_map(|g| (1..=3).map(move |b| (g, b))) {
                for (gy, by) in sides(two).flat_map(|g| sides(two).map(move |b| (g, b))) {
                    if wrong(self.shows([gx, gy], [bx, by], [a, b], None)) {
                        return Some(format!("grid {gx}x{gy}, block {bx}x{by}, w = {a}, h = {b}"));
                    }
                }
            }
        }
        None
    }
}

impl Host {
    fn random(r: &mut Random, two: bool) -> Host {
        let names = [Name::W, Name::H];
        let one = |r: &mut Random| Expr::Name(*r.pick(&names));
        let per_block = *r.pick(&[1, 2, 4]);
        let grid = [one(r), if two { one(r) } else { Expr::Number(1) }];
        let block = [if r.chance(80) { per_block } else { 2 }, if two { 1 + r.below(2) as i64 } else { 1 }];
        let args = [0, 1].map(|_| if r.chance(80) { one(r) } else { Expr::random(r, 1, &names) });
        let elements = Expr::random(r, 2, &names);
        Host { grid, per_block, block, args, elements }
    }

    fn text(&self, kernel: &str) -> String {
        let named = |e: &Expr| e.text().replace('w', "n").replace('h', "m");
        format!(
            "    if ({count} >= 0) {{\n        int *out;\n        cudaMalloc(&out, sizeof(int) * ({count}));\n        \
             {kernel}<<<dim3(({gx} + {less}) / {per}, {gy}), dim3({bx}, {by})>>>(out, {w}, {h});\n        \
             cudaFree(out);\n    }}\n",
            count = named(&self.elements),
            gx = named(&self.grid[0]),
            less = self.per_block - 1,
            per = self.per_block,
            gy = named(&self.grid[1]),
            bx = self.block[0],
            by = self.block[1],
            w = named(&self.args[0]),
            h = named(&self.args[1]),
        )
    }
}

/// What threads do in a launch.
#[derive(Clone, Copy, Default)]
struct Shown {
    race: bool,
    outside: bool,
    undefined: bool,
}

/// What is proved of a kernel.
#[derive(Clone, Copy, Default, Debug)]
struct Proved {
    race: bool,
    bounds: bool,
    operation: bool,
}

fn program(kernels: &[Kernel]) -> String {
    let mut text = "#include <cstdlib>\n".to_owned();
    for k in kernels {
        text += &k.text();
    }
    text += "int main(int argc, char **argv) {\n    int n = atoi(argv[1]), m = atoi(argv[2]);\n";
    for k in kernels {
        text += &k.host.as_ref().map(|h| h.text(&k.name)).unwrap_or_default();
    }
    text + "    return 0;\n}\n"
}

#[test]
fn proofs_hold_in_small_launches() {
    let (mut races, mut bounds, mut operations, mut wrong) = (0, 0, 0, Vec::new());
    let count = each_file("shapes", ("CUDAIR_SHAPES", DEFAULT), Kernel::random, program, |path, kernels| {
        let proved = proofs(path);
        for k in kernels {
            let of = proved.get(&k.name);
            let of = of.unwrap_or_else(|| panic!("no verdict on {} of {}", k.name, path.display()));
            let of = &Proved {
                race: of.contains("global-race"),
                bounds: of.contains("out-of-bounds"),
                operation: of.contains("undefined-behavior"),
            };
            races += usize::from(of.race);
            bounds += usize::from(of.bounds);
            operations += usize::from(of.operation);
            if let Some(launch) = k.contradiction(of) {
                wrong.push(format!("{} of {}: {of:?}, but {launch}\n{}", k.name, path.display(), k.text()));
            }
        }
    });
    println!(
        "{count} kernels: {races} proved free of races, {bounds} within bounds, {operations} without undefined operations"
    );
    assert!(wrong.is_empty(), "{} false proofs:\n{}", wrong.len(), wrong.join("\n"));
    if says_something("CUDAIR_SHAPES", count) {
        assert!(races * 10 > count, "only {races} of {count} kernels are proved: the test says little");
    }
}
