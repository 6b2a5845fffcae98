//! One random function, run by the host one thread after the other and by the device all at once: both
//! must compute the same. The host's code is all scalars; the device's is vectors, predicates, scalars
//! of convergence groups, diverged loops and joins.

mod host;
mod special;
mod threads;
mod warps;

use crate::machine::{GridLaunch, LaunchEnd, Machine};
use crate::{Engine, VmConfig};
use cudair_ir::builder::FuncBuilder;
use cudair_ir::*;
use cudair_lane::fault::{AllocKind, Place};
use cudair_lane::ptr::Ptr;
use cudair_memory::{AllocInfo, ByteAccess, InitState, LaneCx};
use proptest::prelude::*;
use std::sync::Arc;

/// Threads of the block: some strips' chunks are full, the last one is not.
const THREADS: u32 = 40;
/// Bytes of input and of output per thread.
const IN_BYTES: u64 = 64;
const OUT_BYTES: u64 = 256;

/// A stream of choices (splitmix64).
struct Choices(u64);

impl Choices {
    fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    fn below(&mut self, n: usize) -> usize {
        (self.bits() % n as u64) as usize
    }

    fn pick<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.below(of.len())]
    }
}

/// Writes a random function.
struct Writer {
    b: FuncBuilder,
    choices: Choices,
    /// The input of this thread, and its local array of eight integers.
    input: Value,
    array: Value,
    /// It keeps to what the compiled tier does.
    compiled: bool,
    /// It accesses its array by other numbers, too, and copies and fills pieces of it.
    widths: bool,
    /// Eight integers that all threads access by atomic operations, whose results show their order.
    counters: Option<Value>,
}

const TYPES: [Type; 9] =
    [Type::I1, Type::I8, Type::I16, Type::I32, Type::I32, Type::I64, Type::F32, Type::F64, Type::I128];

impl Writer {
    fn any_type(&mut self) -> Type {
        let ty = self.choices.pick(&TYPES);
        if self.compiled && ty == Type::I128 { Type::I64 } else { ty }
    }

    /// A value of a type: one that is there, or a constant.
    fn value(&mut self, pool: &[Value], ty: Type) -> Value {
        let fitting: Vec<Value> = pool.iter().copied().filter(|&v| self.b.ty(v) == ty).collect();
        if fitting.is_empty() || self.choices.below(6) == 0 {
            return match ty {
                Type::F32 => {
                    let x =
                        self.choices.pick(&[0.75, 0.75, -0.0, f32::INFINITY, f32::MAX, f32::from_bits(1)]);
                    self.b.f32const(x)
                }
                Type::F64 => {
                    let x = self.choices.pick(&[-3.5, -3.5, 0.0, f64::INFINITY, f64::MAX, f64::from_bits(1)]);
                    self.b.f64const(x)
                }
                _ => {
                    let bits = u128::from(self.choices.bits()) >> self.choices.below(60);
                    self.b.const_bits(ty, bits)
                }
            };
        }
        // Younger ones more often.
        let n = fitting.len();
        fitting[n - 1 - self.choices.below(n).min(self.choices.below(n))]
    }

    /// Integer division without faults: the divisor is odd and, where it matters, small.
    fn divisor(&mut self, pool: &[Value], ty: Type) -> Value {
        let (v, mask, one) = (self.value(pool, ty), self.b.iconst(ty, 0x3e), self.b.iconst(ty, 1));
        let v = self.b.binary(BinaryOp::And, v, mask);
        self.b.binary(BinaryOp::Or, v, one)
    }

    fn operation(&mut self, pool: &[Value]) -> Value {
        use BinaryOp::*;
        let ty = self.any_type();
        match self.choices.below(12) {
            0 => {
                let of = self.any_type();
                let (a, b) = (self.value(pool, of), self.value(pool, of));
                if of.is_float() {
                    let cc = self.choices.pick(FloatCC::ALL);
                    self.b.fcmp(cc, a, b)
                } else {
                    let cc = self.choices.pick(IntCC::ALL);
                    let cc = if self.compiled && of == Type::I1 { IntCC::Ne } else { cc };
                    self.b.icmp(cc, a, b)
                }
            }
            1 => {
                let (c, a, b) = (self.value(pool, Type::I1), self.value(pool, ty), self.value(pool, ty));
                self.b.select(c, a, b)
            }
            2 => self.conversion(pool, ty),
            3 => self.memory(pool),
            4 => {
                let a = self.value(pool, ty);
                let op = if ty.is_float() {
                    self.choices.pick(&[UnaryOp::Fneg, UnaryOp::Fabs, UnaryOp::Ffloor, UnaryOp::Fceil])
                } else {
                    self.choices.pick(&[
                        UnaryOp::Ineg,
                        UnaryOp::Inot,
                        UnaryOp::Popcnt,
                        UnaryOp::Clz,
                        UnaryOp::Ctz,
                        UnaryOp::Bitrev,
                        UnaryOp::Bswap,
                    ])
                };
                let counts = op != UnaryOp::Inot && op != UnaryOp::Ineg;
                let odd = ty == Type::I1 && op != UnaryOp::Inot || ty == Type::I8 && op == UnaryOp::Bswap;
                let op = if self.compiled && !ty.is_float() && odd && (counts || ty == Type::I1) {
                    UnaryOp::Inot
                } else {
                    op
                };
                self.b.unary(op, a)
            }
            5 if !ty.is_float() && ty != Type::I1 => {
                let (a, d) = (self.value(pool, ty), self.divisor(pool, ty));
                let op = self.choices.pick(&[Sdiv, Udiv, Srem, Urem]);
                self.b.binary(op, a, d)
            }
            6 if !ty.is_float() && ty != Type::I1 => {
                let (a, n) = (self.value(pool, ty), self.value(pool, ty));
                let mask = self.b.iconst(ty, i128::from(ty.bits() - 1));
                let n = self.b.binary(And, n, mask);
                let op = self.choices.pick(&[Shl, Lshr, Ashr, Rotl]);
                self.b.binary(op, a, n)
            }
            _ => {
                let (a, b) = (self.value(pool, ty), self.value(pool, ty));
                let op = if ty.is_float() {
                    let op = self.choices.pick(&[Fadd, Fsub, Fmul, Fmin, Fmax, Fcopysign, Frem]);
                    if self.compiled && op == Frem { Fdiv } else { op }
                } else if ty == Type::I1 {
                    self.choices.pick(&[And, Or, Xor])
                } else {
                    self.choices.pick(&[Iadd, Isub, Imul, And, Or, Xor, Smin, Smax, Umin, Umax])
                };
                // The device alone makes what is no number positive.
                let b = if op == Fcopysign { number(&mut self.b, b) } else { b };
                self.b.binary(op, a, b)
            }
        }
    }

    fn conversion(&mut self, pool: &[Value], to: Type) -> Value {
        let from = self.any_type();
        let a = self.value(pool, from);
        let op = match (from.is_float(), to.is_float()) {
            (true, true) if from == to && from == Type::F32 && !self.compiled => {
                let half = self.b.cast(CastOp::Fptrunc, Type::F16, a);
                return self.b.cast(CastOp::Fpext, Type::F32, half);
            }
            (true, true) if from == to => return a,
            (true, false) if from == Type::F32 && to == Type::I64 => {
                // What lies outside the type's range is undefined.
                let (least, most) = (self.b.f32const(-9e12), self.b.f32const(9e12));
                let a = self.b.binary(BinaryOp::Fmin, a, most);
                let a = self.b.binary(BinaryOp::Fmax, a, least);
                return self.b.cast(CastOp::Fptosi, Type::I64, a);
            }
            (true, true) => {
                if from.bits() < to.bits() {
                    CastOp::Fpext
                } else {
                    CastOp::Fptrunc
                }
            }
            (false, true) if from != Type::I1 => self.choices.pick(&[CastOp::Sitofp, CastOp::Uitofp]),
            (false, false) if from.bits() > to.bits() => CastOp::Trunc,
            (false, false) if from.bits() < to.bits() => self.choices.pick(&[CastOp::Sext, CastOp::Zext]),
            _ => return a,
        };
        self.b.cast(op, to, a)
    }

    /// A pointer to one of eight integers, by way of an address that is a sum of terms.
    fn element(&mut self, pool: &[Value], base: Value) -> Value {
        let narrow = self.value(pool, Type::I32);
        let mask = self.b.iconst(Type::I32, 3);
        let narrow = self.b.binary(BinaryOp::And, narrow, mask);
        let narrow = if self.choices.below(2) == 0 {
            let more = self.b.iconst(Type::I32, 2);
            self.b.binary_nsw(BinaryOp::Iadd, narrow, more)
        } else {
            narrow
        };
        let op = self.choices.pick(&[CastOp::Sext, CastOp::Zext]);
        let wide = self.b.cast(op, Type::I64, narrow);
        let size = self.b.iconst(Type::I64, 4);
        let bytes = self.b.binary(BinaryOp::Imul, wide, size);
        let p = self.b.ptr_add(base, bytes);
        if self.choices.below(2) == 0 {
            return p;
        }
        let wide = self.value(pool, Type::I64);
        let mask = self.b.iconst(Type::I64, 1);
        let wide = self.b.binary(BinaryOp::And, wide, mask);
        let bytes = self.b.binary(BinaryOp::Imul, wide, size);
        let p = self.b.ptr_add(p, bytes);
        self.b.ptr_offset(p, 4)
    }

    /// An atomic operation that all threads may do at one place.
    fn atomic(&mut self, pool: &[Value], counters: Value) -> Value {
        use AtomicOp::*;
        let p = self.element(pool, counters);
        let v = self.value(pool, Type::I32);
        let (order, scope) = (MemOrder::Relaxed, Scope::Device);
        if self.choices.below(4) == 0 {
            let expected = self.value(pool, Type::I32);
            return self.b.atomic_cas(order, scope, p, expected, v);
        }
        let op = self.choices.pick(&[Add, Sub, Xchg, Smin, Smax, Umin, Umax, And, Or, Xor, Inc, Dec]);
        self.b.atomic_rmw(op, order, scope, p, v)
    }

    fn memory(&mut self, pool: &[Value]) -> Value {
        if let Some(counters) = self.counters
            && self.choices.below(2) == 0
        {
            return self.atomic(pool, counters);
        }
        if self.widths && self.choices.below(2) == 0 {
            return self.pieces(pool);
        }
        let flags = MemFlags::natural(Type::I32);
        match self.choices.below(4) {
            0 => {
                let p = self.element(pool, self.input);
                self.b.load(Type::I32, p, flags)
            }
            1 => {
                let v = self.value(pool, Type::I32);
                let p = self.element(pool, self.array);
                self.b.store(v, p, flags);
                v
            }
            2 => {
                // A copy, which must not become a use.
                let p = self.element(pool, self.array);
                let v = self.b.load(Type::I32, p, flags);
                let q = self.element(pool, self.array);
                self.b.store(v, q, flags);
                self.value(pool, Type::I32)
            }
            _ => {
                let p = self.element(pool, self.array);
                self.b.load(Type::I32, p, flags)
            }
        }
    }

    /// An access to the array of any width.
    fn pieces(&mut self, pool: &[Value]) -> Value {
        let any = self.choices.pick(&[Type::I8, Type::I16, Type::I32, Type::I64, Type::F32, Type::F64]);
        let bytes = any.mem_bytes();
        let places = 32 / i64::from(bytes);
        let at = if self.choices.below(2) == 0 {
            self.b.ptr_offset(self.array, self.choices.below(places as usize) as i64 * i64::from(bytes))
        } else {
            let index = self.value(pool, Type::I32);
            let most = self.b.iconst(Type::I32, (places - 1).into());
            let index = self.b.binary(BinaryOp::And, index, most);
            let wide = self.b.cast(CastOp::Zext, Type::I64, index);
            let size = self.b.iconst(Type::I64, bytes.into());
            let offset = self.b.binary(BinaryOp::Imul, wide, size);
            self.b.ptr_add(self.array, offset)
        };
        match self.choices.below(6) {
            0 | 1 => self.b.load(any, at, MemFlags::natural(any)),
            2 => {
                // Both copies are of the same bytes, or of others.
                let [dst, src] = [0, 16].map(|half| self.b.ptr_offset(self.array, half));
                let len = self.b.iconst(Type::I64, self.choices.pick(&[4, 8, 12, 16]));
                self.b.mem_copy(dst, src, len, MemFlags::aligned(4));
                self.value(pool, Type::I32)
            }
            3 => {
                let dst = self.b.ptr_offset(self.array, 8 * self.choices.below(3) as i64);
                let (byte, len) = (self.b.iconst(Type::I8, 0x5a), self.choices.pick(&[1, 4, 7, 8]));
                let len = self.b.iconst(Type::I64, len);
                self.b.mem_fill(dst, byte, len, MemFlags::aligned(8));
                self.value(pool, Type::I32)
            }
            _ => {
                // The device alone makes what is no number positive.
                let v = self.value(pool, any);
                let v = number(&mut self.b, v);
                self.b.store(v, at, MemFlags::natural(any));
                v
            }
        }
    }

    /// Some statements; what they compute joins the pool.
    fn statements(&mut self, pool: &mut Vec<Value>, depth: u32) {
        for _ in 0..=self.choices.below(5) {
            match self.choices.below(10) {
                0 | 1 if depth > 0 => self.branch(pool, depth - 1),
                2 if depth > 0 => self.repeat(pool, depth - 1),
                3 if depth > 0 => self.switch(pool, depth - 1),
                _ => {
                    let v = self.operation(pool);
                    pool.push(v);
                }
            }
        }
    }

    /// Types for the parameters of a join.
    fn carried(&mut self) -> Vec<Type> {
        (0..=self.choices.below(3)).map(|_| self.any_type()).collect()
    }

    fn values(&mut self, pool: &[Value], types: &[Type]) -> Vec<Value> {
        types.iter().map(|&t| self.value(pool, t)).collect()
    }

    fn branch(&mut self, pool: &mut Vec<Value>, depth: u32) {
        let types = self.carried();
        let c = self.value(pool, Type::I1);
        let (then, other, join) = (self.b.make_block(), self.b.make_block(), self.b.make_block());
        let direct = self.choices.below(3) == 0;
        if direct {
            let args = self.values(pool, &types);
            let (t, j) = (self.b.target(then, &[]), self.b.target(join, &args));
            self.b.branch_with(c, t, j);
        } else {
            self.b.branch(c, then, other);
        }
        for block in [then, other] {
            if block == other && direct {
                continue;
            }
            self.b.switch_to(block);
            let mut inner = pool.clone();
            self.statements(&mut inner, depth);
            let args = self.values(&inner, &types);
            self.b.jump(join, &args);
        }
        self.b.switch_to(join);
        for ty in types {
            pool.push(self.b.func.append_block_param(join, ty));
        }
    }

    fn switch(&mut self, pool: &mut Vec<Value>, depth: u32) {
        let types = self.carried();
        let v = self.value(pool, Type::I32);
        let mask = self.b.iconst(Type::I32, 3);
        let v = self.b.binary(BinaryOp::And, v, mask);
        let blocks: Vec<Block> = (0..3).map(|_| self.b.make_block()).collect();
        let join = self.b.make_block();
        self.b.switch(v, blocks[0], &[(1, blocks[1]), (3, blocks[2])]);
        for block in blocks {
            self.b.switch_to(block);
            let mut inner = pool.clone();
            self.statements(&mut inner, depth);
            let args = self.values(&inner, &types);
            self.b.jump(join, &args);
        }
        self.b.switch_to(join);
        for ty in types {
            pool.push(self.b.func.append_block_param(join, ty));
        }
    }

    /// A loop of a few rounds, as many for each thread as its values say, with a way to leave early and
    /// one to go on early.
    fn repeat(&mut self, pool: &mut Vec<Value>, depth: u32) {
        let types = self.carried();
        let (header, body, exit) = (self.b.make_block(), self.b.make_block(), self.b.make_block());
        let rounds = if self.choices.below(2) == 0 {
            self.b.iconst(Type::I32, 3)
        } else {
            let v = self.value(pool, Type::I32);
            let mask = self.b.iconst(Type::I32, 3);
            self.b.binary(BinaryOp::And, v, mask)
        };
        let zero = self.b.iconst(Type::I32, 0);
        let mut args = vec![zero];
        args.extend(self.values(pool, &types));
        self.b.jump(header, &args);
        self.b.switch_to(header);
        let count = self.b.func.append_block_param(header, Type::I32);
        let mut inner = pool.clone();
        inner.push(count);
        for &ty in &types {
            inner.push(self.b.func.append_block_param(header, ty));
        }
        let more = self.b.icmp(IntCC::Slt, count, rounds);
        // The values of the header are seen behind the loop.
        pool.extend(&inner[pool.len()..]);
        self.b.branch(more, body, exit);
        self.b.switch_to(body);
        self.statements(&mut inner, depth);
        let one = self.b.iconst(Type::I32, 1);
        let next = self.b.binary_nsw(BinaryOp::Iadd, count, one);
        if self.choices.below(2) == 0 {
            let c = self.value(&inner, Type::I1);
            let go_on = self.b.make_block();
            self.b.branch(c, exit, go_on);
            self.b.switch_to(go_on);
        }
        if self.choices.below(2) == 0 {
            let c = self.value(&inner, Type::I1);
            let go_on = self.b.make_block();
            let mut args = vec![next];
            args.extend(self.values(&inner, &types));
            let (h, g) = (self.b.target(header, &args), self.b.target(go_on, &[]));
            self.b.branch_with(c, h, g);
            self.b.switch_to(go_on);
            let v = self.operation(&inner);
            inner.push(v);
        }
        let mut args = vec![next];
        args.extend(self.values(&inner, &types));
        self.b.jump(header, &args);
        self.b.switch_to(exit);
    }
}

/// The value, or zero where it is a float that is no number.
fn number(b: &mut FuncBuilder, v: Value) -> Value {
    let ty = b.ty(v);
    if !ty.is_float() {
        return v;
    }
    let (zero, is_nan) = (b.const_bits(ty, 0), b.fcmp(FloatCC::Uno, v, v));
    b.select(is_nan, zero, v)
}

/// The function for one side: `out`, `in`, a number that is the same for all, and on the host the thread.
fn write(seed: u64, side: Side, compiled: bool, counts: bool) -> Function {
    write_for(seed, side, compiled, Form { counts, ..Form::default() })
}

/// What a random function has beside the usual.
#[derive(Clone, Copy, Default)]
struct Form {
    /// Atomic operations whose results show their order, and a parameter for what they are done to.
    counts: bool,
    /// Of a kernel of blocks of so many threads, two parameters more: `packed`, in which what threads write stands side by side, and
    /// `sums`, to which all add.
    block: Option<u32>,
    /// Of a kernel of whole warps, warp operations.
    warps: bool,
}

/// The same, of a form.
fn write_for(seed: u64, side: Side, compiled: bool, form: Form) -> Function {
    let Form { counts, block, warps } = form;
    let ptr = Type::GENERIC_PTR;
    let mut params = vec![Param::new(ptr), Param::new(ptr), Param::new(Type::I32)];
    if side == Side::Host {
        params.push(Param::new(Type::I32));
    } else if counts {
        params.push(Param::new(ptr));
    }
    if block.is_some() {
        params.extend([Param::new(ptr), Param::new(ptr)]);
    }
    let name = if side == Side::Host { "h" } else { "k" };
    let mut b = FuncBuilder::new(Function::new(name, side, Signature { params, ret: None, variadic: false }));
    let entry = b.make_entry();
    let p = b.func.block_params(entry).to_vec();
    let thread = match block {
        _ if side == Side::Host => p[3],
        None => b.special(SpecialReg::TidX),
        Some(block) => {
            let (block, index) = (b.iconst(Type::I32, block.into()), b.special(SpecialReg::CtaidX));
            let first = b.binary(BinaryOp::Imul, index, block);
            let tid = b.special(SpecialReg::TidX);
            b.binary(BinaryOp::Iadd, first, tid)
        }
    };
    let wide = b.cast(CastOp::Zext, Type::I64, thread);
    let at = |b: &mut FuncBuilder, base: Value, bytes: u64| {
        let size = b.iconst(Type::I64, bytes.into());
        let offset = b.binary(BinaryOp::Imul, wide, size);
        b.ptr_add(base, offset)
    };
    let input = at(&mut b, p[1], IN_BYTES);
    let output = at(&mut b, p[0], OUT_BYTES);
    // Machine code has arrays of a thread in global memory, too, and a local variable has accesses of one width or of several.
    let (is_local, widths) = (!compiled || seed >> 6 & 1 != 0, compiled && (seed >> 7).is_multiple_of(4));
    let array = if is_local {
        let slot = b.slot("array", 32, if widths { 8 } else { 4 });
        b.slot_addr(slot)
    } else {
        b.ptr_offset(output, 224)
    };
    let zero = b.iconst(Type::I32, 0);
    for n in 0..8 {
        let p = b.ptr_offset(array, 4 * n);
        b.store(zero, p, MemFlags::natural(Type::I32));
    }
    let mut pool = vec![thread, p[2]];
    for (ty, offset) in [
        (Type::I32, 0),
        (Type::I32, 4),
        (Type::I64, 8),
        (Type::F32, 16),
        (Type::F64, 24),
        (Type::I8, 32),
        (Type::I16, 34),
        (Type::I128, 48),
    ] {
        if compiled && ty == Type::I128 {
            continue;
        }
        let q = b.ptr_offset(input, offset);
        pool.push(b.load(ty, q, MemFlags::natural(ty)));
    }
    let counters = counts.then(|| p[3]);
    let mut w = Writer { b, choices: Choices(seed), input, array, compiled, widths, counters };
    for n in 0..6 {
        w.statements(&mut pool, 3);
        if warps {
            w.warp_operations(&mut pool);
        }
        if compiled && side == Side::Kernel && seed >> n & 1 != 0 {
            w.b.barrier(BarrierKind::Sync, None);
        }
    }
    // The youngest values and the array are the result; a NaN is any NaN.
    let mut b = w.b;
    for (n, &v) in pool.iter().rev().take(12).enumerate() {
        let (ty, v) = (b.ty(v), number(&mut b, v));
        let q = b.ptr_offset(output, 16 * n as i64);
        b.store(v, q, MemFlags::natural(ty));
    }
    for n in 0..8 {
        let q = b.ptr_offset(array, 4 * n);
        let v = b.load(Type::I32, q, MemFlags::natural(Type::I32));
        let q = b.ptr_offset(output, 192 + 4 * n);
        b.store(v, q, MemFlags::natural(Type::I32));
    }
    if block.is_some() {
        threads::pack(&mut b, [p[3], p[4]], (thread, wide), &pool);
    }
    b.ret(None);
    b.finish()
}

/// What the device is told.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Knowledge {
    /// Nothing.
    Nothing,
    /// That every value is the same everywhere, which is not so: a scalar is one only where what it is
    /// computed from is, and belongs to its convergence group, so that no lie can do harm.
    Lies,
    /// That nothing is.
    Divergent,
    /// The same, and facts are tested: iterations are counted.
    Tested,
    /// Nothing, and machine code runs it: a lane at a time, as lanes may leave loops at different turns.
    Compiled,
    /// That all lanes take every branch together, and machine code runs it: several lanes at a time, which part all the same.
    Together,
}

impl LaunchOracle for Knowledge {
    fn at_launch(&self, _: &Module, kernel: FuncId, _: &LaunchShape) -> Arc<LaunchAnswer> {
        let mut answer = LaunchAnswer::default();
        let uniform = match self {
            Knowledge::Nothing | Knowledge::Compiled => return Arc::new(answer),
            Knowledge::Lies => SecondaryMap::with_default(Uniformity::Grid),
            Knowledge::Divergent | Knowledge::Tested | Knowledge::Together => SecondaryMap::new(),
        };
        let divergent_branch = SecondaryMap::with_default(*self != Knowledge::Together);
        let facts = FuncFacts { uniform, divergent_branch, ..FuncFacts::default() };
        answer.facts.funcs.insert(kernel, facts);
        Arc::new(answer)
    }
}

/// A launch of so many blocks of so many threads, in a row.
fn grid_launch(kernel: FuncId, [blocks, threads]: [u32; 2], args: Vec<u128>) -> GridLaunch {
    GridLaunch {
        kernel,
        grid: [blocks, 1, 1],
        block: [threads, 1, 1],
        cluster: [1; 3],
        explicit_cluster: false,
        dynamic_shared: 0,
        args,
        environment: None,
        number: 0,
        loc: None,
        calls: Box::default(),
    }
}

/// An object with these bytes.
fn object(m: &mut Machine, bytes: &[u8]) -> Ptr {
    let info = AllocInfo { kind: AllocKind::Runtime, name: None, place: Place::Unknown };
    let p = m.mem.alloc(Space::Managed, bytes.len() as u64, 16, InitState::Zero, info).expect("memory");
    let who = ByteAccess::host("test", None);
    m.mem.write(&mut LaneCx::host(&mut m.findings), who, p, bytes).expect("a write");
    p
}

/// Runs both and gives the two outputs.
fn run(seed: u64, input: &[u8], knowledge: Knowledge) -> (Vec<u8>, Vec<u8>) {
    let mut module = Module::new();
    let compiled = matches!(knowledge, Knowledge::Compiled | Knowledge::Together);
    let host = module.add_func(write(seed, Side::Host, compiled, false));
    let kernel = module.add_func(write(seed, Side::Kernel, compiled, false));
    verify_module(&module).expect("the random function obeys the rules");
    let text = module.to_string();
    let check_facts = knowledge == Knowledge::Tested;
    let engine = if compiled { Engine::Jit } else { Engine::Vm };
    let config = VmConfig { check_leaks: false, check_facts, engine, ..VmConfig::default() };
    let mut m = Machine::new(Arc::new(module), config, Arc::new(knowledge), crate::stub::libraries());
    let who = ByteAccess::host("test", None);
    let size = THREADS as usize * OUT_BYTES as usize;
    let input = object(&mut m, input);
    let outputs = [object(&mut m, &vec![0; size]), object(&mut m, &vec![0; size])];
    for t in 0..THREADS {
        let args = [outputs[0].0.into(), input.0.into(), 5, t.into()];
        m.call_guest(Ptr::code(host.as_u32()), &args, Place::Unknown)
            .unwrap_or_else(|e| panic!("host: {e:?}\n{text}"));
    }
    let launch = grid_launch(kernel, [1, THREADS], vec![outputs[1].0.into(), input.0.into(), 5]);
    let end = m.run_grid(launch).unwrap_or_else(|e| panic!("device: {e:?}\n{text}"));
    let mut read =
        |p: Ptr| m.mem.read(&mut LaneCx::host(&mut m.findings), who, p, size as u64).expect("a read");
    let read = outputs.map(&mut read);
    assert!(matches!(end, LaunchEnd::Done), "{end:?}\n{text}");
    assert_eq!(m.engine.launches.tier.has_run(kernel), compiled, "machine code\n{text}");
    assert!(m.findings.is_empty(), "{} findings\n{text}", m.findings.len());
    let [a, b] = read;
    (a, b)
}

/// Runs a kernel whose atomic operations show in which order they are done, in an engine; gives what it leaves in memory, and whether
/// machine code ran it.
fn run_ordered(seed: u64, input: &[u8], engine: Engine) -> (Vec<u8>, bool) {
    let mut module = Module::new();
    let kernel = module.add_func(write(seed, Side::Kernel, true, true));
    verify_module(&module).expect("the random function obeys the rules");
    let text = module.to_string();
    // Several strips, of which one has done all before the next begins. Nothing runs again under seeds.
    let config =
        VmConfig { check_leaks: false, engine, explores: false, strip_lanes: 32, ..VmConfig::default() };
    let mut m =
        Machine::new(Arc::new(module), config, Arc::new(Knowledge::Nothing), crate::stub::libraries());
    let who = ByteAccess::host("test", None);
    let size = THREADS as usize * OUT_BYTES as usize;
    let objects = [&vec![0; size][..], input, &[3; 32]].map(|bytes| object(&mut m, bytes));
    let [out, input, counters] = objects.map(|p| u128::from(p.0));
    let launch = grid_launch(kernel, [1, THREADS], vec![out, input, 5, counters]);
    let end = m.run_grid(launch).unwrap_or_else(|e| panic!("device: {e:?}\n{text}"));
    assert!(matches!(end, LaunchEnd::Done), "{end:?}\n{text}");
    assert!(m.findings.is_empty(), "{} findings\n{text}", m.findings.len());
    let mut left = Vec::new();
    for (p, size) in [(objects[0], size as u64), (objects[2], 32)] {
        left.extend(m.mem.read(&mut LaneCx::host(&mut m.findings), who, p, size).expect("a read"));
    }
    assert_eq!(m.engine.launches.tier.given_up(kernel), 0, "machine code gave up\n{text}");
    (left, m.engine.launches.tier.has_run(kernel))
}

fn check(seed: u64, knowledge: Knowledge) -> Result<(), TestCaseError> {
    let mut choices = Choices(!seed);
    let input: Vec<u8> = (0..THREADS as u64 * IN_BYTES).map(|_| choices.bits() as u8).collect();
    let (host, device) = run(seed, &input, knowledge);
    for t in 0..THREADS as usize {
        let range = t * OUT_BYTES as usize..(t + 1) * OUT_BYTES as usize;
        prop_assert_eq!(
            &host[range.clone()],
            &device[range],
            "seed {}, {:?}, thread {}\n{}",
            seed,
            knowledge,
            t,
            write(seed, Side::Kernel, false, false).name
        );
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, max_shrink_iters: 0, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn host_and_device_agree(seed in any::<u64>()) {
        check(seed, Knowledge::Nothing)?;
    }

    #[test]
    fn machine_code_agrees(seed in any::<u64>()) {
        check(seed, Knowledge::Compiled)?;
        check(seed, Knowledge::Together)?;
    }

    #[test]
    fn the_order_of_atomic_operations_agrees(seed in any::<u64>()) {
        let mut choices = Choices(!seed);
        let input: Vec<u8> = (0..THREADS as u64 * IN_BYTES).map(|_| choices.bits() as u8).collect();
        let (bytecode, _) = run_ordered(seed, &input, Engine::Vm);
        let (compiled, has_run) = run_ordered(seed, &input, Engine::Jit);
        // It is not compiled where a loop begins anew from several places.
        prop_assume!(has_run);
        let differs = bytecode.iter().zip(&compiled).position(|(a, b)| a != b);
        prop_assert_eq!(differs, None, "seed {}: the first byte that differs", seed);
    }

    #[test]
    fn they_agree_whatever_the_facts_say(seed in any::<u64>()) {
        check(seed, Knowledge::Lies)?;
        check(seed, Knowledge::Divergent)?;
        check(seed, Knowledge::Tested)?;
    }
}
