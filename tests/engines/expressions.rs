//! Expressions. Those of `int` and `long long` stay small, so that few sums overflow.

use crate::kernel::{Ty, Writer};

impl Writer<'_> {
    pub fn of_type(&mut self, ty: Ty, depth: usize) -> String {
        if depth > 0
            && self.r.chance(12)
            && let Some(element) = self.element(Some(ty), depth)
        {
            return if ty == Ty::Int || ty == Ty::Long { format!("({element} & 4095)") } else { element };
        }
        match ty {
            Ty::Int => self.int(depth),
            Ty::Unsigned => self.unsigned(depth),
            Ty::Float | Ty::Double => self.float(ty, depth),
            Ty::Long => self.long(depth),
        }
    }

    /// A variable of a type.
    fn variable(&mut self, ty: Ty) -> Option<String> {
        let all: Vec<&str> = self.vars.iter().filter(|v| v.ty == ty).map(|v| v.name.as_str()).collect();
        (!all.is_empty()).then(|| (*self.r.pick(&all)).to_owned())
    }

    /// An index into the arrays that are read.
    pub fn index(&mut self, depth: usize) -> String {
        if self.risky && self.r.chance(5) {
            return self.r.pick(&["i + st", "i * st", "i - 1", "i + 2 * m", "2 * i"]).to_string();
        }
        match self.r.below(9) {
            0..=2 if !self.exact.is_empty() => self.r.pick(&self.exact.clone()).clone(),
            3 => "i".to_owned(),
            4 => "(i * st) & 511".to_owned(),
            5 => format!("q[({}) & 511]", self.int(depth.saturating_sub(1))),
            6 => "(i * 3 + 1) & 511".to_owned(),
            7 => format!("({}u + {}) & 511", self.r.below(600), self.unsigned(0)),
            _ => format!("({}) & 511", self.int(depth.saturating_sub(1))),
        }
    }

    pub fn int(&mut self, depth: usize) -> String {
        if depth == 0 || self.r.chance(20) {
            return match self.r.below(12) {
                0 => self.r.pick(&["0", "1", "7", "-3", "100", "511", "-64"]).to_string(),
                1 | 2 => "i".to_owned(),
                3 => "t".to_owned(),
                4 => self
                    .r
                    .pick(&["n", "m", "st", "(int)blockIdx.x", "(int)blockDim.x", "(int)threadIdx.x"])
                    .to_string(),
                5 | 6 => self.variable(Ty::Int).map_or("i".to_owned(), |v| format!("({v} & 4095)")),
                7 if depth > 0 => format!("(txt[{}] - 96)", self.index(depth)),
                8 if self.risky && self.r.chance(8) => format!("big[{}]", self.index(0)),
                8 if self.risky && self.r.chance(8) => format!("half[{}]", self.index(0)),
                8 => "half[i / 2]".to_owned(),
                _ if depth > 0 => format!("b[{}]", self.index(depth)),
                _ => "b[i]".to_owned(),
            };
        }
        let d = depth - 1;
        let (a, z) = (self.int(d), self.int(d));
        let c = self.r.below(7);
        match self.r.below(18) {
            0..=2 => format!("({a} + {z})"),
            3 => format!("({a} - {z})"),
            4 => format!("(({a} & 63) * ({z} & 31))"),
            5 => format!("({a} & {z})"),
            6 => format!("({a} ^ {z})"),
            7 => format!("({a} >> {c})"),
            8 => format!("(({a} & 255) << {c})"),
            9 => format!("{}({a}, {z})", self.r.pick(&["min", "max"])),
            10 => format!("({} ? {a} : {z})", self.cond(d)),
            11 => format!("({a} / {})", c + 1),
            12 => format!("({a} % (({z} & 7) + 1))"),
            13 => format!("(int)fminf(fmaxf({}, -500.0f), 500.0f)", self.float(Ty::Float, d)),
            14 => format!("{}({a})", self.r.pick(&["__popc", "abs", "__clz"])),
            15 => format!("(int)({} & 1023)", self.unsigned(d)),
            16 => format!("(int)({} & 255)", self.long(d)),
            _ if self.risky && self.r.chance(10) => format!("({a} * {z} * {z})"),
            _ => format!("({} ? {z} : {c})", self.cond(0)),
        }
    }

    fn unsigned(&mut self, depth: usize) -> String {
        if depth == 0 || self.r.chance(20) {
            return match self.r.below(6) {
                0 => format!("{}u", self.r.next() as u32 >> self.r.below(32)),
                1 | 2 => self.variable(Ty::Unsigned).unwrap_or("7u".to_owned()),
                3 => format!("(unsigned)({})", self.int(0)),
                4 => "threadIdx.x".to_owned(),
                _ if depth > 0 => format!("w[{}]", self.index(depth)),
                _ => "w[i]".to_owned(),
            };
        }
        let d = depth - 1;
        let (a, z) = (self.unsigned(d), self.unsigned(d));
        let c = self.r.below(31);
        match self.r.below(11) {
            0 | 1 => format!("({a} + {z})"),
            2 => format!("({a} - {z})"),
            3 => format!("({a} * {z})"),
            4 => format!("({a} {} {z})", self.r.pick(&["&", "|", "^"])),
            5 => format!("({a} << {c})"),
            6 => format!("({a} >> {c})"),
            7 => format!("({} ? {a} : {z})", self.cond(d)),
            8 => format!("({a} {} ({z} | 1))", self.r.pick(&["/", "%"])),
            9 => format!("{}({a}, {z})", self.r.pick(&["min", "max", "__umulhi"])),
            _ => format!("(({a} >> ({z} & 31)) ^ __float_as_uint({}))", self.float(Ty::Float, d)),
        }
    }

    fn float(&mut self, ty: Ty, depth: usize) -> String {
        let (suffix, array, x) = if ty == Ty::Float { ("f", "g", "x") } else { ("", "e", "(double)x") };
        if depth == 0 || self.r.chance(20) {
            return match self.r.below(7) {
                0 => format!("{}{suffix}", self.r.pick(&["0.5", "-3.25", "1e10", "0.1", "0.0"])),
                1 | 2 => self.variable(ty).unwrap_or(x.to_owned()),
                3 => format!("({})({})", ty.name(), self.int(0)),
                4 => x.to_owned(),
                _ if depth > 0 => format!("{array}[{}]", self.index(depth)),
                _ => format!("{array}[i]"),
            };
        }
        let d = depth - 1;
        let (a, z) = (self.float(ty, d), self.float(ty, d));
        match self.r.below(13) {
            0 | 1 => format!("({a} + {z})"),
            2 => format!("({a} - {z})"),
            3 | 4 => format!("({a} * {z})"),
            5 => format!("({a} / {z})"),
            6 => format!("{}{suffix}({a}, {z})", self.r.pick(&["fmin", "fmax"])),
            7 => format!("({} ? {a} : {z})", self.cond(d)),
            8 => format!("{}{suffix}({a})", self.r.pick(&["sqrt", "fabs", "floor"])),
            9 => format!("({})({})", ty.name(), self.int(d)),
            10 => format!("({})({})", ty.name(), self.unsigned(d)),
            11 if self.r.chance(50) => {
                format!("{}{suffix}({a})", self.r.pick(&["sin", "exp", "log", "tanh"]))
            }
            11 if self.r.chance(30) => format!("pow{suffix}({a}, {z})"),
            11 if ty == Ty::Float => format!("(float)({})", self.float(Ty::Double, d)),
            11 => format!("(double)({})", self.float(Ty::Float, d)),
            _ => format!("fma{suffix}({a}, {z}, {})", self.float(ty, d)),
        }
    }

    fn long(&mut self, depth: usize) -> String {
        if depth == 0 || self.r.chance(20) {
            return match self.r.below(6) {
                0 => "y".to_owned(),
                1 => self.variable(Ty::Long).map_or("y".to_owned(), |v| format!("({v} & 0xffffff)")),
                2 => format!("{}ll", self.r.below(1 << 20)),
                3 if depth > 0 => format!("(h[{}] >> 24)", self.index(depth)),
                _ => format!("(long long)({})", self.int(0)),
            };
        }
        let d = depth - 1;
        let (a, z) = (self.long(d), self.long(d));
        match self.r.below(9) {
            0 | 1 => format!("({a} + {z})"),
            2 => format!("({a} - {z})"),
            3 => format!("(({a} & 0xffff) * ({z} & 0xfff))"),
            4 => format!("({a} {} {z})", self.r.pick(&["&", "^", "|"])),
            5 => format!("({a} >> {})", self.r.below(40)),
            6 => format!("({} ? {a} : {z})", self.cond(d)),
            7 => format!("({a} % (({z} & 15) + 1))"),
            _ => format!("(long long)({})", self.unsigned(d)),
        }
    }

    pub fn cond(&mut self, depth: usize) -> String {
        if depth == 0 || self.r.chance(35) {
            let c = self.r.below(300);
            return match self.r.below(8) {
                0 => format!("i < {c}"),
                1 => format!("t % {} == {}", c % 5 + 1, c % 3),
                2 => format!("(i & {c}) != 0"),
                3 => format!("b[i] > {}", c as i64 - 150),
                4 => "t + st < n".to_owned(),
                5 => format!("g[i] < {c}.5f"),
                6 => format!("m > {}", c % 6),
                _ => format!("w[i] % 3u == {}u", c % 3),
            };
        }
        let d = depth - 1;
        let compare = *self.r.pick(&["<", "<=", ">", ">=", "==", "!="]);
        match self.r.below(8) {
            0..=2 => format!("{} {compare} {}", self.int(d), self.int(d)),
            3 => format!("{} {compare} {}", self.unsigned(d), self.unsigned(d)),
            4 => format!("{} {compare} {}", self.float(Ty::Float, d), self.float(Ty::Float, d)),
            5 => format!("{} {compare} {}", self.long(d), self.long(d)),
            6 => format!("(({}) && ({}))", self.cond(d), self.cond(d)),
            _ => format!("(({}) || ({}))", self.cond(d), self.cond(d)),
        }
    }
}
