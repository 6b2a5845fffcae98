//! Local variables in memory, and what lanes of a warp hand each other.

use crate::kernel::{Ty, Writer};

/// An array of a thread's own.
pub struct Array {
    pub name: String,
    /// Of the numbers that it holds, as they count in expressions.
    pub ty: Ty,
    /// The type of its elements, and how many there are: a power of two.
    element: &'static str,
    pub len: usize,
}

impl Writer<'_> {
    /// Declares an array, all or most of which has a value.
    pub fn declare_array(&mut self) {
        let (element, ty) = *self.r.pick(&[
            ("int", Ty::Int),
            ("int", Ty::Int),
            ("unsigned", Ty::Unsigned),
            ("float", Ty::Float),
            ("float", Ty::Float),
            ("double", Ty::Double),
            ("long long", Ty::Long),
            ("unsigned char", Ty::Int),
            ("short", Ty::Int),
        ]);
        let (name, len) = (self.name('l'), *self.r.pick(&[1, 2, 4, 8, 16]));
        let value = self.of_type(ty, 1);
        match self.r.below(4) {
            0 => self.line(&format!("{element} {name}[{len}] = {{}};")),
            1 => self.line(&format!("{element} {name}[{len}] = {{({element})({value})}};")),
            _ => {
                let counter = self.name('j');
                self.line(&format!("{element} {name}[{len}];"));
                // Some leave an element without.
                let first = usize::from(self.risky && self.r.chance(10));
                let by = if ty == Ty::Float || ty == Ty::Double { "0.5f" } else { "3" };
                self.line(&format!(
                    "for (int {counter} = {first}; {counter} < {len}; {counter}++) {name}[{counter}] = ({element})({value} + {counter} * {by});"
                ));
            }
        }
        self.arrays.push(Array { name, ty, element, len });
    }

    /// An element of an array, one of numbers of a type where that is said.
    pub fn element(&mut self, ty: Option<Ty>, depth: usize) -> Option<String> {
        let fitting: Vec<usize> =
            (0..self.arrays.len()).filter(|&n| ty.is_none_or(|ty| self.arrays[n].ty == ty)).collect();
        if fitting.is_empty() {
            return None;
        }
        let n = *self.r.pick(&fitting);
        let (name, len) = (self.arrays[n].name.clone(), self.arrays[n].len);
        let most = if self.risky && self.r.chance(4) { 2 * len - 1 } else { len - 1 };
        let index = match self.r.below(4) {
            0 => self.r.below(len).to_string(),
            1 => format!("m & {most}"),
            _ => format!("({}) & {most}", self.int(depth.saturating_sub(1))),
        };
        Some(format!("{name}[{index}]"))
    }

    /// A statement about an array.
    pub fn array_statement(&mut self) {
        let Some(place) = self.element(None, 2) else { return self.declare_array() };
        let name = place.split('[').next().unwrap_or_default();
        let Some(n) = self.arrays.iter().position(|a| a.name == name) else { return };
        let (ty, element, len) = (self.arrays[n].ty, self.arrays[n].element, self.arrays[n].len);
        let value = self.of_type(ty, 2);
        match self.r.below(8) {
            0 => {
                let byte = self.r.below(4);
                self.line(&format!("memset({name}, {byte}, sizeof {name});"));
            }
            1 if len > 1 => {
                let half = len / 2;
                self.line(&format!("memcpy({name}, {name} + {half}, {half} * sizeof {name}[0]);"));
            }
            2 => {
                // Its bytes.
                let word = self.name('u');
                self.line(&format!(
                    "unsigned char {word};\nmemcpy(&{word}, (char *){name} + sizeof {name} - 1, 1);"
                ));
                self.line(&format!("((unsigned char *){name})[0] ^= {word};"));
            }
            3 if self.turns <= 16 => {
                let (counter, from) = (self.name('j'), self.of_type(ty, 1));
                self.line(&format!("for (int {counter} = 1; {counter} < {len}; {counter}++)"));
                let to = format!("{name}[{counter}]");
                self.line(&format!("    {to} = ({element})({name}[{counter} - 1] > {to} ? {from} : {to});"));
            }
            _ => self.line(&format!("{place} = ({element})({value});")),
        }
    }

    /// A number from another lane of the warp. All threads come here, and warps are whole.
    pub fn warp_operation(&mut self) -> String {
        let (a, c) = (self.of_type(Ty::Unsigned, 1), self.r.below(32));
        let width = *self.r.pick(&[32, 32, 16, 8, 4]);
        match self.r.below(9) {
            0 => format!("__shfl_sync(~0u, {a}, {c}, {width})"),
            1 => format!("__shfl_sync(~0u, {a}, {}, {width})", self.int(1)),
            2 => format!("__shfl_up_sync(~0u, {a}, {c}, {width})"),
            3 => format!("__shfl_down_sync(~0u, {a}, m, {width})"),
            4 => format!("__shfl_xor_sync(~0u, {a}, {c}, {width})"),
            5 => format!("__float_as_uint(__shfl_xor_sync(~0u, {}, {c}))", self.of_type(Ty::Float, 1)),
            6 => format!("(unsigned)__shfl_down_sync(~0u, {}, {c})", self.of_type(Ty::Long, 1)),
            7 => format!("__ballot_sync(~0u, {})", self.cond(1)),
            _ => format!("__reduce_{}_sync(~0u, {a})", self.r.pick(&["add", "min", "max", "xor", "and"])),
        }
    }
}
