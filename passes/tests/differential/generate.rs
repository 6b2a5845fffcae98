//! Random programs: structured control flow over variables, structs, arrays and pointers, with helper
//! functions. Most run without a fault; some read what was never written, overflow or leave an array.

use cudair_ir::builder::FuncBuilder;
use cudair_ir::*;

struct Rng(u64);

impl Rng {
    fn next(&mut self) -> u64 {
        // splitmix64
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }

    fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }
}

/// struct { i32 a; f32 b; i64 c; i32 d; } with padding at the end.
const STRUCT: u32 = 24;
const MEMBERS: [(i64, Type); 4] = [(0, Type::I32), (4, Type::F32), (8, Type::I64), (16, Type::I32)];
const ARRAY: u32 = 16;

struct Gen<'m> {
    r: Rng,
    b: FuncBuilder,
    module: &'m Module,
    out: FuncId,
    helpers: Vec<FuncId>,
    /// Variables in scope, of type `i32`.
    ints: Vec<Slot>,
    structs: Vec<Slot>,
    arrays: Vec<Slot>,
    /// Pointers to `i32`.
    pointers: Vec<Slot>,
    budget: usize,
}

pub fn program(seed: u64) -> Module {
    let mut r = Rng(seed);
    let mut module = Module::new();
    let sig = |params: &[Type], ret: Option<Type>| Signature {
        params: params.iter().map(|&t| Param::new(t)).collect(),
        ret,
        variadic: false,
    };
    let out = module.add_func(Function::new("out", Side::Host, sig(&[Type::I32], None)));
    module.add_global(Global {
        name: "g".into(),
        display_name: "g".into(),
        space: Space::Host,
        size: 4,
        align_log2: 2,
        linkage: Linkage::Internal,
        constant: false,
        dynamic: false,
        init: GlobalInit::Zero,
        loc: None.into(),
        ty: None,
    });
    let mut helpers = Vec::new();
    for n in 0..r.below(4) {
        // int helper(int, int *): may call those before it.
        let mut f = Function::new(
            format!("helper{n}"),
            Side::Host,
            sig(&[Type::I32, Type::GENERIC_PTR], Some(Type::I32)),
        );
        f.linkage = if r.chance(70) { Linkage::Internal } else { Linkage::External };
        f.attrs.noinline = r.chance(20);
        let id = module.add_func(f.clone());
        let f = function(f, &module, out, &helpers, &mut r);
        module.funcs[id] = f;
        helpers.push(id);
    }
    let main = Function::new("main", Side::Host, sig(&[Type::I32, Type::I32], Some(Type::I32)));
    let id = module.add_func(main.clone());
    let main = function(main, &module, out, &helpers, &mut r);
    module.funcs[id] = main;
    module
}

fn function(func: Function, module: &Module, out: FuncId, helpers: &[FuncId], r: &mut Rng) -> Function {
    let params: Vec<Type> = func.sig.params.iter().map(|p| p.ty).collect();
    let mut g = Gen {
        r: Rng(r.next()),
        b: FuncBuilder::new(func),
        module,
        out,
        helpers: helpers.to_vec(),
        ints: Vec::new(),
        structs: Vec::new(),
        arrays: Vec::new(),
        pointers: Vec::new(),
        budget: 40,
    };
    let entry = g.b.make_entry();
    let values = g.b.func.block_params(entry).to_vec();
    for (&v, ty) in values.iter().zip(params) {
        let slot = g.b.slot("p", ty.mem_bytes(), ty.align());
        let addr = g.b.slot_addr(slot);
        g.b.store(v, addr, MemFlags::natural(ty));
        if ty == Type::I32 { g.ints.push(slot) } else { g.pointers.push(slot) }
    }
    g.scope(3);
    let v = g.int(2);
    g.b.ret(Some(v));
    g.b.finish()
}

impl Gen<'_> {
    fn addr(&mut self, slot: Slot, offset: i64) -> Value {
        let a = self.b.slot_addr(slot);
        self.b.ptr_offset(a, offset)
    }

    fn pick<T: Copy>(&mut self, list: &[T]) -> Option<T> {
        if list.is_empty() { None } else { Some(list[self.r.below(list.len())]) }
    }

    fn constant(&mut self) -> Value {
        let pool = [0, 1, 2, 3, 4, 5, 7, 8, 31, 100, -1, -2, i64::from(i32::MAX), i64::from(i32::MIN)];
        // Small numbers mostly: large ones overflow soon.
        let n = if self.r.chance(93) { self.r.below(9) } else { self.r.below(pool.len()) };
        self.b.iconst(Type::I32, i128::from(pool[n]))
    }

    /// An expression of type `i1`.
    fn cond(&mut self, depth: usize) -> Value {
        match self.r.below(if depth == 0 { 2 } else { 6 }) {
            0 | 1 => {
                let (a, b) = (self.int(depth.saturating_sub(1)), self.int(0));
                let cc = IntCC::ALL[self.r.below(IntCC::ALL.len())];
                self.b.icmp(cc, a, b)
            }
            2 => {
                let c = self.cond(depth - 1);
                self.b.unary(UnaryOp::Inot, c)
            }
            3 => {
                // a && b, a || b
                let a = self.cond(depth - 1);
                let (rhs, join) = (self.b.make_block(), self.b.make_block());
                let result = self.b.func.append_block_param(join, Type::I1);
                let and = self.r.chance(50);
                let short = self.b.iconst(Type::I1, i128::from(!and));
                let (to_rhs, to_join) = (self.b.target(rhs, &[]), self.b.target(join, &[short]));
                if and {
                    self.b.branch_with(a, to_rhs, to_join);
                } else {
                    self.b.branch_with(a, to_join, to_rhs);
                }
                self.b.switch_to(rhs);
                let b = self.cond(depth - 1);
                self.b.jump(join, &[b]);
                self.b.switch_to(join);
                result
            }
            4 => {
                let (a, b) = (self.float(depth - 1), self.float(0));
                let list = [FloatCC::Olt, FloatCC::Oge, FloatCC::Oeq, FloatCC::Une];
                let cc = list[self.r.below(list.len())];
                self.b.fcmp(cc, a, b)
            }
            _ => {
                let v = self.int(depth - 1);
                let zero = self.b.iconst(Type::I32, 0);
                self.b.icmp(IntCC::Ne, v, zero)
            }
        }
    }

    fn float(&mut self, depth: usize) -> Value {
        match self.r.below(if depth == 0 { 1 } else { 4 }) {
            0 => {
                let v = self.int(0);
                self.b.cast(CastOp::Sitofp, Type::F32, v)
            }
            1 => match self.pick(&self.structs.clone()) {
                Some(s) => {
                    let a = self.addr(s, 4);
                    self.b.load(Type::F32, a, MemFlags::aligned(4))
                }
                None => self.float(0),
            },
            _ => {
                let (a, b) = (self.float(depth - 1), self.float(depth - 1));
                let op = [BinaryOp::Fadd, BinaryOp::Fsub, BinaryOp::Fmul][self.r.below(3)];
                self.b.binary(op, a, b)
            }
        }
    }

    /// The address of an element of an array; sometimes outside.
    fn element(&mut self, depth: usize) -> Option<Value> {
        let s = self.pick(&self.arrays.clone())?;
        let index = self.int(depth);
        let index = if self.r.chance(95) {
            let three = self.b.iconst(Type::I32, 3);
            self.b.binary(BinaryOp::And, index, three)
        } else {
            index
        };
        let index = self.b.cast(CastOp::Sext, Type::I64, index);
        let four = self.b.iconst(Type::I64, 4);
        let offset = self.b.binary(BinaryOp::Imul, index, four);
        let base = self.addr(s, 0);
        Some(self.b.ptr_add(base, offset))
    }

    /// An expression of type `i32`.
    fn int(&mut self, depth: usize) -> Value {
        let leaf = depth == 0 || self.budget == 0;
        match self.r.below(if leaf { 5 } else { 16 }) {
            0 | 1 => self.constant(),
            2..=4 => match self.pick(&self.ints.clone()) {
                Some(s) => {
                    let a = self.addr(s, 0);
                    self.b.load(Type::I32, a, MemFlags::aligned(4))
                }
                None => self.constant(),
            },
            5 => {
                let (a, b) = (self.int(depth - 1), self.int(depth - 1));
                let op = [BinaryOp::Iadd, BinaryOp::Isub, BinaryOp::Imul][self.r.below(3)];
                if self.r.chance(60) { self.b.binary_nsw(op, a, b) } else { self.b.binary(op, a, b) }
            }
            6 => {
                let (a, b) = (self.int(depth - 1), self.int(depth - 1));
                let list = [
                    BinaryOp::And,
                    BinaryOp::Or,
                    BinaryOp::Xor,
                    BinaryOp::Smin,
                    BinaryOp::Umax,
                    BinaryOp::Iadd,
                ];
                let op = list[self.r.below(list.len())];
                self.b.binary(op, a, b)
            }
            7 => {
                let a = self.int(depth - 1);
                let b = if self.r.chance(85) { self.constant() } else { self.int(0) };
                let list = [
                    BinaryOp::Sdiv,
                    BinaryOp::Srem,
                    BinaryOp::Udiv,
                    BinaryOp::Urem,
                    BinaryOp::Shl,
                    BinaryOp::Lshr,
                    BinaryOp::Ashr,
                ];
                let op = list[self.r.below(list.len())];
                let one = self.b.iconst(Type::I32, 1);
                let b = if self.r.chance(90) { self.b.binary(BinaryOp::Or, b, one) } else { b };
                let seven = self.b.iconst(Type::I32, 7);
                let b = if self.r.chance(90) { self.b.binary(BinaryOp::And, b, seven) } else { b };
                self.b.binary(op, a, b)
            }
            8 => {
                let c = self.cond(depth - 1);
                self.b.cast(CastOp::Zext, Type::I32, c)
            }
            9 => {
                let c = self.cond(depth - 1);
                let (a, b) = (self.int(depth - 1), self.int(0));
                self.b.select(c, a, b)
            }
            10 => {
                // c ? a : b
                let c = self.cond(depth - 1);
                let (x, y, join) = (self.b.make_block(), self.b.make_block(), self.b.make_block());
                let result = self.b.func.append_block_param(join, Type::I32);
                self.b.branch(c, x, y);
                for block in [x, y] {
                    self.b.switch_to(block);
                    let v = self.int(depth - 1);
                    self.b.jump(join, &[v]);
                }
                self.b.switch_to(join);
                result
            }
            11 => {
                // A member of a struct; of 64 bits, truncated.
                let Some(s) = self.pick(&self.structs.clone()) else { return self.int(depth - 1) };
                let (offset, ty) = MEMBERS[self.r.below(MEMBERS.len())];
                let a = self.addr(s, offset);
                let v = self.b.load(ty, a, MemFlags::natural(ty));
                match ty {
                    Type::I64 => self.b.cast(CastOp::Trunc, Type::I32, v),
                    Type::F32 => self.b.cast(CastOp::Bitcast, Type::I32, v),
                    _ => v,
                }
            }
            12 => match self.element(depth - 1) {
                Some(a) => self.b.load(Type::I32, a, MemFlags::aligned(4)),
                None => self.int(depth - 1),
            },
            13 => match self.pick(&self.pointers.clone()) {
                Some(p) => {
                    let a = self.addr(p, 0);
                    let p = self.b.load(Type::GENERIC_PTR, a, MemFlags::natural(Type::GENERIC_PTR));
                    self.b.load(Type::I32, p, MemFlags::aligned(4))
                }
                None => self.int(depth - 1),
            },
            14 => {
                let a = self.int(depth - 1);
                let (wide, op) =
                    if self.r.chance(50) { (Type::I64, CastOp::Sext) } else { (Type::I64, CastOp::Zext) };
                let w = self.b.cast(op, wide, a);
                let k = self.b.iconst(wide, self.r.below(70) as i128 - 5);
                let op = [BinaryOp::Iadd, BinaryOp::Imul, BinaryOp::Isub][self.r.below(3)];
                let w = self.b.binary(op, w, k);
                self.b.cast(CastOp::Trunc, Type::I32, w)
            }
            _ => self.call(depth - 1),
        }
    }

    fn call(&mut self, depth: usize) -> Value {
        let Some(f) = self.pick(&self.helpers.clone()) else { return self.int(depth) };
        let arg = self.int(depth);
        let p = self.pointer();
        match self.b.call(self.module, f, &[arg, p]) {
            Some(v) => v,
            None => self.constant(),
        }
    }

    /// A pointer to an `i32`.
    fn pointer(&mut self) -> Value {
        match self.r.below(6) {
            0 => self.b.global_addr(self.module, GlobalId::from_u32(0)),
            1 => match self.pick(&self.structs.clone()) {
                Some(s) => self.addr(s, 16),
                None => self.pointer(),
            },
            2 => match self.element(0) {
                Some(a) => a,
                None => self.pointer(),
            },
            3 => match self.pick(&self.pointers.clone()) {
                Some(p) => {
                    let a = self.addr(p, 0);
                    self.b.load(Type::GENERIC_PTR, a, MemFlags::natural(Type::GENERIC_PTR))
                }
                None => self.pointer(),
            },
            _ => match self.pick(&self.ints.clone()) {
                Some(s) => self.addr(s, 0),
                None => self.b.global_addr(self.module, GlobalId::from_u32(0)),
            },
        }
    }

    /// Statements with variables of their own.
    fn scope(&mut self, depth: usize) {
        let before = (self.ints.len(), self.structs.len(), self.arrays.len(), self.pointers.len());
        let mut declared = Vec::new();
        for _ in 0..=self.r.below(5) {
            if self.budget == 0 {
                break;
            }
            self.budget -= 1;
            match self.r.below(14) {
                0 | 1 => {
                    let s = self.b.slot("i", 4, 4);
                    self.declare(s, &mut declared);
                    if self.r.chance(85) {
                        let v = self.int(2);
                        let a = self.addr(s, 0);
                        self.b.store(v, a, MemFlags::aligned(4));
                    }
                    self.ints.push(s);
                }
                2 => {
                    let s = self.b.slot("s", STRUCT, 8);
                    self.declare(s, &mut declared);
                    self.init_struct(s);
                    self.structs.push(s);
                }
                3 => {
                    let s = self.b.slot("a", ARRAY, 4);
                    self.declare(s, &mut declared);
                    if self.r.chance(85) {
                        let a = self.addr(s, 0);
                        let zero = self.b.iconst(Type::I8, 0);
                        let n = self.b.iconst(Type::I64, ARRAY.into());
                        self.b.mem_fill(a, zero, n, MemFlags::aligned(4));
                    }
                    self.arrays.push(s);
                }
                4 => {
                    let s = self.b.slot("p", 8, 8);
                    self.declare(s, &mut declared);
                    let p = self.pointer();
                    let a = self.addr(s, 0);
                    self.b.store(p, a, MemFlags::aligned(8));
                    self.pointers.push(s);
                }
                _ => self.statement(depth),
            }
        }
        if self.b.is_unreachable() {
            let block = self.b.make_block();
            self.b.switch_to(block);
        }
        for s in declared {
            self.b.lifetime(LifetimeOp::Dead, s);
        }
        self.ints.truncate(before.0);
        self.structs.truncate(before.1);
        self.arrays.truncate(before.2);
        self.pointers.truncate(before.3);
    }

    fn declare(&mut self, s: Slot, declared: &mut Vec<Slot>) {
        if self.r.chance(80) {
            self.b.lifetime(LifetimeOp::Live, s);
            declared.push(s);
        }
    }

    fn init_struct(&mut self, s: Slot) {
        match self.r.below(4) {
            0 => {
                let a = self.addr(s, 0);
                let zero = self.b.iconst(Type::I8, 0);
                let n = self.b.iconst(Type::I64, STRUCT.into());
                self.b.mem_fill(a, zero, n, MemFlags::aligned(8));
            }
            1 => match self.pick(&self.structs.clone()) {
                Some(from) => self.copy(s, from),
                None => self.init_struct(s),
            },
            _ => {
                // Some members only: copying the others is no fault, using them is.
                for (offset, ty) in MEMBERS {
                    if self.r.chance(90) {
                        self.set_member(s, offset, ty);
                    }
                }
            }
        }
    }

    fn set_member(&mut self, s: Slot, offset: i64, ty: Type) {
        let v = match ty {
            Type::F32 => self.float(1),
            Type::I64 => {
                let v = self.int(1);
                self.b.cast(CastOp::Sext, Type::I64, v)
            }
            _ => self.int(1),
        };
        let a = self.addr(s, offset);
        self.b.store(v, a, MemFlags::natural(ty));
    }

    fn copy(&mut self, to: Slot, from: Slot) {
        let (d, s) = (self.addr(to, 0), self.addr(from, 0));
        let n = self.b.iconst(Type::I64, STRUCT.into());
        self.b.mem_copy(d, s, n, MemFlags::aligned(8));
    }

    fn statement(&mut self, depth: usize) {
        match self.r.below(if depth == 0 { 6 } else { 10 }) {
            0 | 1 => {
                let Some(s) = self.pick(&self.ints.clone()) else { return };
                let v = self.int(2);
                let a = self.addr(s, 0);
                self.b.store(v, a, MemFlags::aligned(4));
            }
            2 => {
                let v = self.int(2);
                self.b.call(self.module, self.out, &[v]);
            }
            3 => {
                if let Some(s) = self.pick(&self.structs.clone()) {
                    let (offset, ty) = MEMBERS[self.r.below(MEMBERS.len())];
                    self.set_member(s, offset, ty);
                }
            }
            4 => {
                if let (Some(a), Some(b)) =
                    (self.pick(&self.structs.clone()), self.pick(&self.structs.clone()))
                {
                    self.copy(a, b);
                }
            }
            5 => {
                let v = self.int(1);
                let a = match self.element(1) {
                    Some(a) if self.r.chance(50) => a,
                    _ => self.pointer(),
                };
                self.b.store(v, a, MemFlags::aligned(4));
            }
            6 | 7 => {
                let c = self.cond(2);
                let (x, y, join) = (self.b.make_block(), self.b.make_block(), self.b.make_block());
                self.b.branch(c, x, y);
                self.b.switch_to(x);
                self.scope(depth - 1);
                self.b.jump(join, &[]);
                self.b.switch_to(y);
                if self.r.chance(60) {
                    self.scope(depth - 1);
                }
                self.b.jump(join, &[]);
                self.b.switch_to(join);
            }
            8 => {
                // for (int n = 0; n < k; n++)
                let s = self.b.slot("n", 4, 4);
                let zero = self.b.iconst(Type::I32, 0);
                let a = self.addr(s, 0);
                self.b.store(zero, a, MemFlags::aligned(4));
                let (head, body, end) = (self.b.make_block(), self.b.make_block(), self.b.make_block());
                self.b.jump(head, &[]);
                self.b.switch_to(head);
                let a = self.addr(s, 0);
                let n = self.b.load(Type::I32, a, MemFlags::aligned(4));
                let limit = self.b.iconst(Type::I32, 1 + self.r.below(4) as i128);
                let c = self.b.icmp(IntCC::Slt, n, limit);
                self.b.branch(c, body, end);
                self.b.switch_to(body);
                self.ints.push(s);
                self.scope(depth - 1);
                self.ints.pop();
                let a = self.addr(s, 0);
                let n = self.b.load(Type::I32, a, MemFlags::aligned(4));
                let one = self.b.iconst(Type::I32, 1);
                let n = self.b.binary_nsw(BinaryOp::Iadd, n, one);
                self.b.store(n, a, MemFlags::aligned(4));
                self.b.jump(head, &[]);
                self.b.switch_to(end);
            }
            _ => {
                let v = self.int(1);
                let blocks: Vec<Block> = (0..4).map(|_| self.b.make_block()).collect();
                self.b.switch(v, blocks[2], &[(0, blocks[0]), (1, blocks[1]), (5, blocks[0])]);
                for k in 0..3 {
                    self.b.switch_to(blocks[k]);
                    self.scope(depth - 1);
                    // Some cases fall through.
                    let next = if self.r.chance(30) { blocks[k + 1] } else { blocks[3] };
                    self.b.jump(next, &[]);
                }
                self.b.switch_to(blocks[3]);
            }
        }
    }
}
