//! A function while it is changed: which values are in scope, and values, pointers and instructions of the right types.

use crate::random::Random;
use cudair_ir::*;

/// Integers at which arithmetic and checks turn.
const EDGES: [u128; 20] = [
    0,
    1,
    2,
    3,
    4,
    7,
    8,
    31,
    32,
    33,
    63,
    64,
    255,
    0x7fff_ffff,
    0x8000_0000,
    0xffff_ffff,
    0x1_0000_0000,
    0x7fff_ffff_ffff_ffff,
    0x8000_0000_0000_0000,
    u128::MAX,
];

/// A bit pattern of a type that is likely to matter.
pub fn edge(random: &mut Random, ty: Type) -> u128 {
    let bits = if ty.is_float() && ty != Type::F80 {
        // Exponent and fraction at their ends: zeros, the least numbers, one, infinities, NaNs.
        let (exponent, fraction): (u32, u32) = match ty {
            Type::F16 => (5, 10),
            Type::BF16 => (8, 7),
            Type::F32 => (8, 23),
            _ => (11, 52),
        };
        let top = (1u128 << exponent) - 1;
        let e = *random.pick(&[0, 1, top / 2, top / 2 + 31, top - 1, top]);
        let f = *random.pick(&[0, 1, 1 << (fraction - 1), (1 << fraction) - 1]);
        u128::from(random.next() & 1) << (exponent + fraction) | e << fraction | f
    } else {
        match random.below(10) {
            0 => u128::from(random.next()) << 64 | u128::from(random.next()),
            1 => (*random.pick(&EDGES)).wrapping_neg(),
            2 => 1 << random.below(128),
            _ => *random.pick(&EDGES),
        }
    };
    bits & ty.bit_mask()
}

/// Any type.
pub fn any_type(random: &mut Random) -> Type {
    match random.below(Type::SCALARS.len() + 5) {
        n if n < Type::SCALARS.len() => Type::SCALARS[n],
        // What programs mostly have.
        n if n < Type::SCALARS.len() + 3 => *random.pick(&[Type::I32, Type::F32, Type::I64]),
        _ => Type::Ptr(*random.pick(&Space::ALL)),
    }
}

/// A place between two instructions: before the one of this number in the block.
#[derive(Clone, Copy, Debug)]
pub struct At {
    /// The block.
    pub block: Block,
    /// The number.
    pub index: usize,
}

/// A function that is changed, apart from its module.
pub struct Edit<'a> {
    /// The module with the function as it was.
    pub module: &'a Module,
    /// The function.
    pub func: Function,
    /// What draws.
    pub random: &'a mut Random,
    dom: DomTree,
}

impl<'a> Edit<'a> {
    /// Begins to change a function that has a body.
    pub fn new(module: &'a Module, id: FuncId, random: &'a mut Random) -> Edit<'a> {
        let func = module.funcs[id].clone();
        let dom = DomTree::new(&Cfg::new(&func));
        Edit { module, func, random, dom }
    }

    /// All instructions with their places.
    pub fn insts(&self) -> Vec<(At, Inst)> {
        let place = |&block: &Block| {
            let numbered = self.func.block_insts(block).iter().enumerate();
            numbered.map(move |(index, &inst)| (At { block, index }, inst))
        };
        self.func.layout.iter().flat_map(place).collect()
    }

    /// An instruction of those that `f` wants.
    pub fn pick_inst(&mut self, f: impl Fn(&Function, Inst) -> bool) -> Option<(At, Inst)> {
        let mut all = self.insts();
        all.retain(|&(_, inst)| f(&self.func, inst));
        if all.is_empty() { None } else { Some(*self.random.pick(&all)) }
    }

    /// Any place at which an instruction may stand.
    pub fn pick_place(&mut self) -> At {
        let block = *self.random.pick(&self.func.layout);
        let index = self.random.below(self.func.block_insts(block).len().max(1));
        At { block, index }
    }

    /// The values that may be used at a place.
    pub fn scope(&self, at: At) -> Vec<Value> {
        let mut out = Vec::new();
        for &block in &self.func.layout {
            if block != at.block && !self.dom.dominates(block, at.block) {
                continue;
            }
            out.extend_from_slice(self.func.block_params(block));
            let insts = self.func.block_insts(block);
            let end = if block == at.block { at.index.min(insts.len()) } else { insts.len() };
            out.extend(insts[..end].iter().flat_map(|&i| self.func.inst_results(i)));
        }
        out
    }

    /// A value of the function, whatever its type and wherever it is defined.
    pub fn anything(&mut self) -> Option<Value> {
        let mut all: Vec<Value> = Vec::new();
        for &block in &self.func.layout {
            all.extend_from_slice(self.func.block_params(block));
            all.extend(self.func.block_insts(block).iter().flat_map(|&i| self.func.inst_results(i)));
        }
        if all.is_empty() { None } else { Some(*self.random.pick(&all)) }
    }

    /// Puts an instruction at a place, which moves behind it.
    pub fn insert(&mut self, at: &mut At, data: InstData) -> Inst {
        let types = self.module.result_types(&self.func, &data);
        let near = self.func.block_insts(at.block).get(at.index).copied();
        let loc = near.and_then(|i| self.func.locs[i].expand());
        let inst = self.func.make_inst(data, &types, loc);
        self.func.blocks[at.block].insts.insert(at.index, inst);
        at.index += 1;
        inst
    }

    /// The same, for its only result.
    pub fn insert1(&mut self, at: &mut At, data: InstData) -> Value {
        let inst = self.insert(at, data);
        self.func.inst_results(inst)[0]
    }

    /// A constant.
    pub fn constant(&mut self, at: &mut At, ty: Type, bits: u128) -> Value {
        self.insert1(at, InstData::Const { ty, bits: bits & ty.bit_mask() })
    }

    /// A value of a type: mostly one in scope, else a constant.
    pub fn value(&mut self, at: &mut At, ty: Type) -> Value {
        let mut scope = self.scope(*at);
        scope.retain(|&v| self.func.value_type(v) == ty);
        if !scope.is_empty() && self.random.chance(75) {
            return *self.random.pick(&scope);
        }
        if ty.is_ptr() && self.random.chance(80) {
            let from = self.pointer(at);
            return self.cast_pointer(at, from, ty);
        }
        let bits = edge(self.random, ty);
        self.constant(at, ty, bits)
    }

    fn cast_pointer(&mut self, at: &mut At, from: Value, ty: Type) -> Value {
        if self.func.value_type(from) == ty {
            return from;
        }
        self.insert1(at, InstData::Cast { op: CastOp::Spacecast, ty, arg: from })
    }

    /// A pointer of any space.
    pub fn pointer(&mut self, at: &mut At) -> Value {
        let base = self.base_pointer(at);
        if self.random.chance(70) {
            return base;
        }
        let offset = if self.random.chance(50) {
            let bits =
                *self.random.pick(&[0u128, 1, 2, 4, 8, 16, 64, u64::MAX.into(), (-4i64 as u64).into()]);
            self.constant(at, Type::I64, bits)
        } else {
            self.value(at, Type::I64)
        };
        self.insert1(at, InstData::PtrAdd { ptr: base, offset })
    }

    fn base_pointer(&mut self, at: &mut At) -> Value {
        let slots: Vec<Slot> = self.func.slots.keys().collect();
        let globals: Vec<GlobalId> = self.module.globals.keys().collect();
        let mut scope = self.scope(*at);
        scope.retain(|&v| self.func.value_type(v).is_ptr());
        match self.random.below(10) {
            0 | 1 if !slots.is_empty() => {
                let slot = *self.random.pick(&slots);
                self.insert1(at, InstData::SlotAddr { slot })
            }
            2..=4 if !globals.is_empty() => {
                let global = *self.random.pick(&globals);
                self.insert1(at, InstData::GlobalAddr { global })
            }
            5 => {
                let arg = self.value_of_int(at);
                let ty = Type::Ptr(*self.random.pick(&Space::ALL));
                self.insert1(at, InstData::Cast { op: CastOp::Inttoptr, ty, arg })
            }
            6 if self.random.chance(30) => {
                let bits = edge(self.random, Type::I64);
                let ty = Type::Ptr(*self.random.pick(&Space::ALL));
                self.constant(at, ty, bits)
            }
            _ if !scope.is_empty() => *self.random.pick(&scope),
            _ => self.constant(at, Type::GENERIC_PTR, 0),
        }
    }

    /// An `i64` that is no pointer's bits unless one is in scope.
    fn value_of_int(&mut self, at: &mut At) -> Value {
        let mut scope = self.scope(*at);
        scope.retain(|&v| self.func.value_type(v) == Type::I64);
        if !scope.is_empty() && self.random.chance(60) {
            return *self.random.pick(&scope);
        }
        let bits = edge(self.random, Type::I64);
        self.constant(at, Type::I64, bits)
    }

    /// The mask of a warp operation: mostly a full one.
    pub fn mask(&mut self, at: &mut At) -> Value {
        match self.random.below(10) {
            0 => self.value(at, Type::I32),
            1 => {
                let site = self.func.make_site(None);
                self.insert1(at, InstData::ActiveMask { implied: false, site })
            }
            2 => {
                let bits = u128::from(self.random.next() as u32);
                self.constant(at, Type::I32, bits)
            }
            _ => self.constant(at, Type::I32, 0xffff_ffff),
        }
    }

    /// Replaces each use of a value from a place on, in its block and in all others.
    pub fn replace(&mut self, old: Value, new: Value, but: Inst) {
        for (_, inst) in self.insts() {
            if inst != but {
                self.func.map_args(inst, |v| if v == old { new } else { v });
            }
        }
    }

    /// Replaces the operand of this number.
    pub fn set_operand(&mut self, inst: Inst, number: usize, new: Value) {
        let mut n = 0;
        self.func.map_args(inst, |v| {
            n += 1;
            if n - 1 == number { new } else { v }
        });
    }

    /// The operands of an instruction.
    pub fn operands(&self, inst: Inst) -> Vec<Value> {
        let mut out = Vec::new();
        self.func.for_each_arg(inst, |v| out.push(v));
        out
    }
}
