//! Loops which lanes leave at different turns.

use crate::kernel::{N, Ty, Var, Writer};

/// What may stand in a loop besides `break`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Last {
    /// `continue` too: the loop comes to its end by that.
    Continues,
    Nothing,
}

impl Writer<'_> {
    /// A loop whose counter is read in it.
    fn counted(
        &mut self,
        head: &str,
        counter: &str,
        (last, turns): (Last, usize),
        body: impl FnOnce(&mut Self),
    ) {
        self.around.push(last);
        self.turns *= turns;
        self.block(head, |k| {
            k.vars.push(Var { name: counter.to_owned(), ty: Ty::Int, assigned: false });
            body(k);
        });
        self.turns /= turns;
        self.around.pop();
    }

    /// A variable that the loop changes and that lives on.
    fn lives(&mut self, name: &str, ty: Ty) {
        self.vars.push(Var { name: name.to_owned(), ty, assigned: false });
    }

    pub fn a_loop(&mut self, depth: usize) {
        let (k, v) = (self.name('k'), self.name('x'));
        let both = (Last::Continues, 16);
        match self.r.below(16) {
            0 => {
                let end = self.int(2);
                self.counted(&format!("for (int {k} = 0; {k} < (({end}) & 15); {k}++)"), &k, both, |w| {
                    w.statements(depth);
                });
            }
            1 => {
                let (end, step) = (3 + self.r.below(20), self.int(1));
                let head = format!("for (int {k} = i & 7; {k} < {end}; {k} += 1 + (({step}) & 3))");
                self.counted(&head, &k, both, |w| w.statements(depth));
            }
            2 => {
                // A row of a sparse matrix.
                self.line(&format!("int {k};"));
                let past = if self.risky && self.r.chance(15) { "<=" } else { "<" };
                self.counted(
                    &format!("for ({k} = rows[i]; {k} {past} rows[i + 1]; {k}++)"),
                    &k,
                    (Last::Continues, 4),
                    |w| {
                        w.exact.extend([k.clone(), format!("q[{k}]")]);
                        let index = w.index(1);
                        let load = w.r.pick(&["b", "q", "p"]).to_owned();
                        let to =
                            w.vars.iter().find(|v| v.ty == Ty::Float).map_or("0", |v| &v.name).to_owned();
                        w.line(&format!("{to} += g[{k}] * (float){load}[{index}];"));
                        w.statements(depth);
                    },
                );
                self.lives(&k, Ty::Int);
            }
            3 => {
                // Collatz.
                let first = self.int(1);
                self.line(&format!("unsigned {v} = (({first}) & 127) + 1;\n    int {k} = 0;"));
                self.counted(&format!("while ({v} != 1 && {k} < 30)"), &k, (Last::Continues, 32), |w| {
                    if w.r.chance(50) {
                        w.line(&format!("{k}++;\n{v} = {v} & 1 ? 3 * {v} + 1 : {v} / 2;"));
                    } else {
                        w.line(&format!("{k}++;\nif ({v} & 1) {v} = 3 * {v} + 1; else {v} >>= 1;"));
                    }
                    w.lives(&v, Ty::Unsigned);
                    w.statements(depth.min(1));
                });
                self.lives(&v, Ty::Unsigned);
                self.lives(&k, Ty::Int);
            }
            4 => {
                let (first, end) = (self.index(1), self.r.below(N));
                let array = *self.r.pick(&["q", "p"]);
                self.line(&format!("int {v} = ({first}) & 511, {k} = 0;"));
                self.counted(&format!("while ({k} < 20 && {v} != {end})"), &k, (Last::Continues, 16), |w| {
                    w.line(&format!("{v} = {array}[{v}];\n{k}++;"));
                    w.exact.push(v.clone());
                    w.statements(depth);
                });
                self.lives(&k, Ty::Int);
                self.exact.push(v);
            }
            5 => {
                // A tree in an array: a lane that has left is past its end.
                let key = self.int(1);
                self.line(&format!("int {v} = 0, {k} = {key};"));
                let past = if self.risky && self.r.chance(15) { "<=" } else { "<" };
                self.counted(&format!("while ({v} {past} {N})"), &v, (Last::Continues, 8), |w| {
                    w.line(&format!("int f = b[{v}];\nif (f == {k}) break;"));
                    w.line(&format!("{v} = 2 * {v} + 1 + (f < {k});"));
                    w.lives("f", Ty::Int);
                    w.statements(depth.min(1));
                });
                self.lives(&v, Ty::Int);
            }
            6 => {
                let (a, z) = (self.int(1), self.int(1));
                self.line(&format!("int {v} = ({a}) & 511, y{v} = ({z}) & 511, {k} = 0;"));
                let c = format!("txt[{v} + {k}]");
                let end = if self.risky && self.r.chance(15) { N + 1 } else { N };
                let bounds = format!("{k} < 24 && {v} + {k} < {end} && y{v} + {k} < {end}");
                let ends = if self.r.chance(50) { format!(" && {c} != 'c'") } else { String::new() };
                self.line(&format!("while ({bounds} && {c} == txt[y{v} + {k}]{ends}) {k}++;"));
                self.lives(&k, Ty::Int);
            }
            7 => {
                let step = 32 + self.r.below(64);
                let by =
                    if self.r.chance(50) { format!("{step} + (b[i] & 63)") } else { format!("{step} * st") };
                let end = if self.risky && self.r.chance(20) { N + 1 } else { N };
                self.line(&format!("int {k} = i;"));
                self.counted(&format!("for (; {k} < {end}; {k} += {by})"), &k, both, |w| {
                    w.exact.push(k.clone());
                    let to = w.vars.iter().find(|v| v.ty == Ty::Unsigned).map_or("0", |v| &v.name).to_owned();
                    w.line(&format!("{to} += (unsigned)b[{k}] ^ w[{k}];"));
                    w.statements(depth);
                });
                self.lives(&k, Ty::Int);
            }
            8 => {
                // One turn more would overflow.
                let end = if self.risky && self.r.chance(20) { 1_000_000_000 } else { 400_000_000 };
                let first = self.int(1);
                self.line(&format!("int {v} = (({first}) & 31) + 1;"));
                self.counted(&format!("while ({v} < {end})"), &v, both, |w| {
                    w.line(&format!("{v} *= 5;"));
                    if w.r.chance(50) {
                        w.statements(depth.min(1));
                    }
                });
                self.lives(&v, Ty::Int);
            }
            9 => {
                let each = if self.risky && self.r.chance(20) { 310_000_000 } else { 300_000_000 };
                let of = self.int(1);
                self.line(&format!("int {k} = ({of}) & 7, {v} = (7 - {k}) * {each};"));
                self.counted(&format!("for (int z = 0; z < {k}; z++)"), "z", (Last::Continues, 8), |w| {
                    w.line(&format!("{v} += {each};"));
                    if w.r.chance(50) {
                        w.statements(depth.min(1));
                    }
                });
                self.lives(&v, Ty::Int);
            }
            10 => {
                let cond = self.cond(2);
                self.line(&format!("int {k} = 0;"));
                self.around.push(Last::Nothing);
                self.turns *= 8;
                self.line("do {");
                self.indent += 1;
                let vars = self.vars.len();
                let (exact, arrays) = (self.exact.len(), self.arrays.len());
                self.statements(depth);
                self.vars.truncate(vars);
                self.exact.truncate(exact);
                self.arrays.truncate(arrays);
                self.indent -= 1;
                self.line(&format!("}} while (++{k} < 8 && ({cond}));"));
                self.turns /= 8;
                self.around.pop();
                self.lives(&k, Ty::Int);
            }
            11 => {
                let most = self.r.below(20);
                self.line(&format!("int {k} = 0;"));
                self.counted("for (;;)", &k, both, |w| {
                    let cond = w.cond(2);
                    w.line(&format!("if ({cond}) break;"));
                    w.line(&format!("if (++{k} > {most}) break;"));
                    w.statements(depth);
                });
                self.lives(&k, Ty::Int);
            }
            12 => {
                let (far, least) = (self.r.below(30), self.r.below(200) as i64 - 300);
                self.line(&format!("const int *{v} = b + i, *y{v} = b + min(i + {far}, {N});"));
                let ends = if self.risky && self.r.chance(20) { "<=" } else { "<" };
                self.counted(
                    &format!("while ({v} {ends} y{v} && *{v} > {least})"),
                    "i",
                    (Last::Nothing, 16),
                    |w| {
                        w.line(&format!("{v}++;"));
                        if w.r.chance(40) {
                            w.statements(depth.min(1));
                        }
                    },
                );
                self.line(&format!("int {k} = (int)({v} - b);"));
                self.lives(&k, Ty::Int);
            }
            13 => {
                let end = self.r.pick(&["m", "st", "6"]).to_string();
                self.counted(
                    &format!("for (int {k} = 0; {k} < {end}; {k}++)"),
                    &k,
                    (Last::Continues, 8),
                    |w| {
                        w.statements(depth);
                    },
                );
            }
            14 => {
                let first = self.of_type(Ty::Float, 1);
                self.line(&format!("float {v} = {first};\n    int {k} = 0;"));
                self.counted(&format!("while ({v} > 0.01f && {k} < 25)"), &k, (Last::Nothing, 32), |w| {
                    w.line(&format!("{v} *= 0.37f;\n{k}++;"));
                    w.statements(depth.min(1));
                });
                self.lives(&v, Ty::Float);
                self.lives(&k, Ty::Int);
            }
            _ if self.writes_rows() => {
                // A row of what is written, by a pointer.
                let value = self.of_type(Ty::Float, 2);
                self.line(&format!("float *{v} = of + 4 * i;"));
                self.counted(
                    &format!("for (int {k} = 0; {k} < (i & 3); {k}++)"),
                    &k,
                    (Last::Nothing, 4),
                    |w| {
                        w.line(&format!("{v}[{k}] = {value};"));
                    },
                );
            }
            _ => self.assign(),
        }
    }
}
