//! A reference interpreter: slow, for the instructions that the generator writes, with byte-exact
//! initialisation, bounds and lifetimes.

use cudair_ir::*;

/// How a run ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum End {
    Returned(u128),
    Fault(&'static str),
    Trapped,
    Fuel,
}

/// What a run showed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Run {
    pub output: Vec<u128>,
    pub end: End,
}

#[derive(Clone, Copy, Debug, Default)]
struct Val {
    bits: u128,
    /// Bytes that were never written, of a copy.
    uninit: u16,
}

struct Object {
    bytes: Vec<u8>,
    init: Vec<bool>,
    alive: bool,
}

struct Interp<'m> {
    module: &'m Module,
    objects: Vec<Object>,
    globals: Vec<usize>,
    output: Vec<u128>,
    fuel: u64,
    depth: u32,
    lenient: bool,
}

const MIDDLE: u64 = 1 << 31;

fn pointer(object: usize, offset: i64) -> u128 {
    u128::from(((object as u64 + 1) << 32) | (MIDDLE.wrapping_add(offset as u64) & 0xffff_ffff))
}

/// Runs `main`. A load is a read and must find what was written; a `memcopy` moves the state of the bytes.
/// `lenient` is the machine's rule: a load that is only stored again is a copy too.
pub fn run(module: &Module, args: [i32; 2], fuel: u64, lenient: bool) -> Run {
    let mut i = Interp {
        module,
        objects: Vec::new(),
        globals: Vec::new(),
        output: Vec::new(),
        fuel,
        depth: 0,
        lenient,
    };
    for g in module.globals.values() {
        let n = g.size as usize;
        i.globals.push(i.objects.len());
        i.objects.push(Object { bytes: vec![0; n], init: vec![true; n], alive: true });
    }
    let main = module.func_by_name("main").unwrap();
    let args = args.map(|a| Val { bits: u128::from(a as u32), uninit: 0 });
    let end = match i.call(main, &args) {
        Ok(v) => End::Returned(v.map_or(0, |v| v.bits)),
        Err(end) => end,
    };
    Run { output: i.output, end }
}

fn signed(ty: Type, bits: u128) -> i128 {
    let shift = 128 - ty.bits();
    ((bits << shift) as i128) >> shift
}

impl Interp<'_> {
    fn call(&mut self, f: FuncId, args: &[Val]) -> Result<Option<Val>, End> {
        let func = &self.module.funcs[f];
        if func.is_declaration() {
            self.output.push(args[0].bits);
            return Ok(None);
        }
        self.depth += 1;
        if self.depth > 40 {
            return Err(End::Fuel);
        }
        let slots: Vec<usize> = func
            .slots
            .values()
            .map(|s| {
                let n = s.size as usize;
                self.objects.push(Object { bytes: vec![0; n], init: vec![false; n], alive: true });
                self.objects.len() - 1
            })
            .collect();
        let mut values: SecondaryMap<Value, Val> = SecondaryMap::new();
        let mut uses: SecondaryMap<Value, u32> = SecondaryMap::new();
        let mut copies: SecondaryMap<Value, bool> = SecondaryMap::new();
        for &b in &func.layout {
            for &i in func.block_insts(b) {
                func.for_each_arg(i, |v| uses[v] += 1);
                if let InstData::Store { value, .. } = func.insts[i] {
                    copies[value] = true;
                }
            }
        }
        let mut block = func.entry().unwrap();
        let params: Vec<Value> = func.block_params(block).to_vec();
        for (p, a) in params.iter().zip(args) {
            values[*p] = *a;
        }
        loop {
            let mut next: Option<BlockCall> = None;
            for &inst in func.block_insts(block) {
                if self.fuel == 0 {
                    return Err(End::Fuel);
                }
                self.fuel -= 1;
                let get = |v: Value| values[v].bits;
                let ty = |v: Value| func.value_type(v);
                let result: Option<Val> = match func.insts[inst] {
                    InstData::Jump { dest } => {
                        next = Some(dest);
                        None
                    }
                    InstData::Branch { cond, then, other } => {
                        next = Some(if get(cond) & 1 == 1 { then } else { other });
                        None
                    }
                    InstData::Switch { arg, table } => {
                        let t = &func.tables[table];
                        next = Some(t.cases.iter().find(|c| c.0 == get(arg)).map_or(t.default, |c| c.1));
                        None
                    }
                    InstData::Return { ref args } => {
                        let v = args.first(&func.pool).map(|v| values[v]);
                        for s in slots {
                            self.objects[s].alive = false;
                        }
                        self.depth -= 1;
                        return Ok(v);
                    }
                    InstData::Trap { .. } => return Err(End::Trapped),
                    InstData::Lifetime { op, slot } => {
                        let o = &mut self.objects[slots[slot.as_u32() as usize]];
                        o.alive = op == LifetimeOp::Live;
                        o.init.fill(false);
                        None
                    }
                    InstData::SlotAddr { slot } => bits(pointer(slots[slot.as_u32() as usize], 0)),
                    InstData::GlobalAddr { global } => {
                        bits(pointer(self.globals[global.as_u32() as usize], 0))
                    }
                    InstData::Load { ty, ptr, .. } => {
                        let v = self.load(get(ptr), ty.access_bytes() as usize)?;
                        let r = func.result(inst).unwrap();
                        // Where the copy was never read its store may be gone.
                        let is_copy = self.lenient && (uses[r] == 0 || uses[r] == 1 && copies[r]);
                        if v.uninit != 0 && !is_copy {
                            if std::env::var_os("TRACE").is_some() {
                                eprintln!("uninitialised: {}", print_inst(self.module, func, inst));
                            }
                            return Err(End::Fault("uninitialised"));
                        }
                        Some(v)
                    }
                    InstData::Store { value, ptr, .. } => {
                        self.store(get(ptr), values[value], ty(value).access_bytes() as usize)?;
                        None
                    }
                    InstData::MemCopy { dst, src, len, .. } => {
                        let (d, s, n) = (get(dst), get(src), get(len) as u64 as usize);
                        let (so, sa) = self.resolve(s, n)?;
                        let data: Vec<(u8, bool)> = (0..n)
                            .map(|k| (self.objects[so].bytes[sa + k], self.objects[so].init[sa + k]))
                            .collect();
                        let (o, a) = self.resolve(d, n)?;
                        for (k, (b, i)) in data.into_iter().enumerate() {
                            self.objects[o].bytes[a + k] = b;
                            self.objects[o].init[a + k] = i;
                        }
                        None
                    }
                    InstData::MemFill { dst, byte, len, .. } => {
                        let (d, n) = (get(dst), get(len) as u64 as usize);
                        let (o, a) = self.resolve(d, n)?;
                        self.objects[o].bytes[a..a + n].fill(get(byte) as u8);
                        self.objects[o].init[a..a + n].fill(true);
                        None
                    }
                    InstData::Call { func: callee, ref args, .. } => {
                        let list: Vec<Val> = args.as_slice(&func.pool).iter().map(|&v| values[v]).collect();
                        self.call(callee, &list)?
                    }
                    _ => {
                        let mut args = Vec::new();
                        func.for_each_arg(inst, |v| args.push((ty(v), get(v))));
                        bits(pure(&func.insts[inst], &args)?)
                    }
                };
                if let (Some(v), Some(r)) = (result, func.result(inst)) {
                    values[r] = v;
                }
            }
            let call = next.expect("a terminator");
            let args: Vec<Val> = call.args.as_slice(&func.pool).iter().map(|&v| values[v]).collect();
            block = call.block;
            for (p, a) in func.block_params(block).iter().zip(args) {
                values[*p] = a;
            }
        }
    }

    fn resolve(&self, ptr: u128, n: usize) -> Result<(usize, usize), End> {
        let (object, offset) =
            ((ptr as u64 >> 32) as usize, (ptr as u64 & 0xffff_ffff) as i64 - MIDDLE as i64);
        let Some(o) = object.checked_sub(1).and_then(|o| self.objects.get(o)) else {
            return Err(End::Fault("bad pointer"));
        };
        if !o.alive {
            return Err(End::Fault("dead"));
        }
        if offset < 0 || offset as usize + n > o.bytes.len() {
            return Err(End::Fault("out of bounds"));
        }
        Ok((object - 1, offset as usize))
    }

    fn load(&mut self, ptr: u128, n: usize) -> Result<Val, End> {
        let (o, a) = self.resolve(ptr, n)?;
        let mut v = Val::default();
        for k in 0..n {
            v.bits |= u128::from(self.objects[o].bytes[a + k]) << (8 * k);
            v.uninit |= u16::from(!self.objects[o].init[a + k]) << k;
        }
        Ok(v)
    }

    fn store(&mut self, ptr: u128, v: Val, n: usize) -> Result<(), End> {
        let (o, a) = self.resolve(ptr, n)?;
        for k in 0..n {
            self.objects[o].bytes[a + k] = (v.bits >> (8 * k)) as u8;
            self.objects[o].init[a + k] = v.uninit >> k & 1 == 0;
        }
        Ok(())
    }
}

fn bits(b: u128) -> Option<Val> {
    Some(Val { bits: b, uninit: 0 })
}

/// Instructions that compute.
fn pure(data: &InstData, args: &[(Type, u128)]) -> Result<u128, End> {
    let wrap = |ty: Type, x: i128, nsw: bool| -> Result<u128, End> {
        let b = x as u128 & ty.bit_mask();
        if nsw && signed(ty, b) != x { Err(End::Fault("overflow")) } else { Ok(b) }
    };
    Ok(match *data {
        InstData::Const { bits, .. } => bits,
        InstData::Unary { op, nsw, .. } => {
            let (ty, a) = args[0];
            match op {
                UnaryOp::Ineg => wrap(ty, -signed(ty, a), nsw)?,
                UnaryOp::Inot => !a & ty.bit_mask(),
                UnaryOp::Fneg => a ^ 1 << (ty.bits() - 1),
                _ => unreachable!("{op}"),
            }
        }
        InstData::Binary { op, nsw, .. } => {
            let ((ty, a), (_, b)) = (args[0], args[1]);
            let (x, y) = (signed(ty, a), signed(ty, b));
            let f = |f: fn(f32, f32) -> f32| {
                let r = f(f32::from_bits(a as u32), f32::from_bits(b as u32));
                // One NaN, as the machine's choice of bits does not matter here.
                u128::from(if r.is_nan() { 0x7fc0_0000 } else { r.to_bits() })
            };
            match op {
                BinaryOp::Iadd => wrap(ty, x + y, nsw)?,
                BinaryOp::Isub => wrap(ty, x - y, nsw)?,
                BinaryOp::Imul => wrap(ty, x * y, nsw)?,
                BinaryOp::And => a & b,
                BinaryOp::Or => a | b,
                BinaryOp::Xor => a ^ b,
                BinaryOp::Smin => x.min(y) as u128 & ty.bit_mask(),
                BinaryOp::Umax => a.max(b),
                BinaryOp::Sdiv | BinaryOp::Srem if y == 0 => return Err(End::Fault("division by zero")),
                BinaryOp::Sdiv | BinaryOp::Srem if y == -1 && a == 1 << (ty.bits() - 1) => {
                    return Err(End::Fault("overflow"));
                }
                BinaryOp::Sdiv => (x / y) as u128 & ty.bit_mask(),
                BinaryOp::Srem => (x % y) as u128 & ty.bit_mask(),
                BinaryOp::Udiv | BinaryOp::Urem if b == 0 => return Err(End::Fault("division by zero")),
                BinaryOp::Udiv => a / b,
                BinaryOp::Urem => a % b,
                BinaryOp::Shl | BinaryOp::Lshr | BinaryOp::Ashr if b >= ty.bits().into() => {
                    return Err(End::Fault("shift"));
                }
                BinaryOp::Shl => a << b & ty.bit_mask(),
                BinaryOp::Lshr => a >> b,
                BinaryOp::Ashr => (x >> b) as u128 & ty.bit_mask(),
                BinaryOp::Fadd => f(|x, y| x + y),
                BinaryOp::Fsub => f(|x, y| x - y),
                BinaryOp::Fmul => f(|x, y| x * y),
                _ => unreachable!("{op}"),
            }
        }
        InstData::Cast { op, ty: to, .. } => {
            let (from, a) = args[0];
            match op {
                CastOp::Trunc | CastOp::Zext | CastOp::Bitcast | CastOp::Spacecast => a & to.bit_mask(),
                CastOp::Sext => signed(from, a) as u128 & to.bit_mask(),
                CastOp::Sitofp => u128::from((signed(from, a) as f32).to_bits()),
                CastOp::Fptosi => {
                    let x = f64::from(f32::from_bits(a as u32)).trunc();
                    if !(-2147483648.0..2147483648.0).contains(&x) {
                        return Err(End::Fault("conversion"));
                    }
                    (x as i128) as u128 & to.bit_mask()
                }
                _ => unreachable!("{op}"),
            }
        }
        InstData::Icmp { cc, .. } => {
            let ((ty, a), (_, b)) = (args[0], args[1]);
            let (x, y) = (signed(ty, a), signed(ty, b));
            u128::from(match cc {
                IntCC::Eq => a == b,
                IntCC::Ne => a != b,
                IntCC::Slt => x < y,
                IntCC::Sle => x <= y,
                IntCC::Sgt => x > y,
                IntCC::Sge => x >= y,
                IntCC::Ult => a < b,
                IntCC::Ule => a <= b,
                IntCC::Ugt => a > b,
                IntCC::Uge => a >= b,
            })
        }
        InstData::Fcmp { cc, .. } => {
            let (x, y) = (f32::from_bits(args[0].1 as u32), f32::from_bits(args[1].1 as u32));
            let nan = x.is_nan() || y.is_nan();
            u128::from(match cc {
                FloatCC::Olt => x < y,
                FloatCC::Oge => x >= y,
                FloatCC::Ult => nan || x < y,
                FloatCC::Uge => nan || x >= y,
                FloatCC::Oeq => x == y,
                FloatCC::Une => x != y,
                _ => unreachable!("{cc}"),
            })
        }
        InstData::Ternary { op: TernaryOp::Select, .. } => {
            if args[0].1 & 1 == 1 {
                args[1].1
            } else {
                args[2].1
            }
        }
        InstData::PtrAdd { .. } => {
            let (p, o) = (args[0].1 as u64, args[1].1 as u64 as i64);
            let offset = ((p & 0xffff_ffff) as i64).saturating_add(o).clamp(0, 0xffff_ffff);
            u128::from(p & !0xffff_ffff | offset as u64)
        }
        ref other => unreachable!("{other:?}"),
    })
}
