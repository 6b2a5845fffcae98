//! Each operation on numbers at the ends of their ranges, by each engine on both sides, against its meaning ([`cudair_ir::eval`]). By
//! the lanes of a device in chunks of which all have the same operands, since what is computed for a whole chunk at once may depend on
//! all of it, and in chunks of any.

use super::*;
use crate::cache::HostTarget;
use cudair_ir::eval;

/// Lanes that vectors compute at a time, or a multiple of it.
const TOGETHER: usize = 16;

/// What is done with two operands, of which many take the first alone.
#[derive(Clone, Copy, Debug)]
enum Op {
    Unary(UnaryOp),
    Binary(BinaryOp),
    Cast(CastOp, Type),
    Icmp(IntCC),
    Fcmp(FloatCC),
    /// With itself as the third.
    Ternary(TernaryOp),
    /// Signed overflow is undefined.
    Nsw(BinaryOp),
    NswNeg,
    /// On the first operand in memory, of which what is there afterwards counts.
    Atomic(AtomicOp),
    /// The first operand in memory becomes its complement if it is the second.
    Cas,
}

/// What an atomic operation leaves.
fn atomic(op: AtomicOp, ty: Type, a: u128, b: u128) -> u128 {
    let binary = |op: BinaryOp| eval::binary(op, false, ty, a, b, Side::Kernel).0;
    match op {
        AtomicOp::Add => binary(BinaryOp::Iadd),
        AtomicOp::Sub => binary(BinaryOp::Isub),
        AtomicOp::Fadd => binary(BinaryOp::Fadd),
        AtomicOp::Xchg => b,
        AtomicOp::Smin => binary(BinaryOp::Smin),
        AtomicOp::Smax => binary(BinaryOp::Smax),
        AtomicOp::Umin => binary(BinaryOp::Umin),
        AtomicOp::Umax => binary(BinaryOp::Umax),
        AtomicOp::Fmin => binary(BinaryOp::Fmin),
        AtomicOp::Fmax => binary(BinaryOp::Fmax),
        AtomicOp::And => binary(BinaryOp::And),
        AtomicOp::Or => binary(BinaryOp::Or),
        AtomicOp::Xor => binary(BinaryOp::Xor),
        AtomicOp::Inc => {
            if a >= b {
                0
            } else {
                a + 1
            }
        }
        AtomicOp::Dec => {
            if a == 0 || a > b {
                b
            } else {
                a - 1
            }
        }
    }
}

/// Where the operands are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Layout {
    /// Each lane has its own.
    Lanes,
    /// All lanes have the same second one.
    Same,
    /// The second one is a constant.
    Constant(u128),
}

/// Who computes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum By {
    Bytecode,
    /// Lanes that run together, on vectors where there are such.
    Vectors,
    /// One lane after the other.
    Lanes,
    HostBytecode,
    HostCode,
}

impl By {
    fn side(self) -> Side {
        if matches!(self, By::HostBytecode | By::HostCode) { Side::Host } else { Side::Kernel }
    }

    fn engine(self) -> Engine {
        if matches!(self, By::Bytecode | By::HostBytecode) { Engine::Vm } else { Engine::Jit }
    }
}

impl Op {
    fn result(self, ty: Type) -> Type {
        match self {
            Op::Cast(_, to) => to,
            Op::Icmp(_) | Op::Fcmp(_) => Type::I1,
            _ => ty,
        }
    }

    /// The bits of the result, and what is undefined about it.
    fn eval(self, side: Side, ty: Type, (a, b): (u128, u128)) -> eval::Eval {
        match self {
            Op::Unary(op) => eval::unary(op, false, ty, a),
            Op::Binary(op) => eval::binary(op, false, ty, a, b, side),
            Op::Cast(op, to) => eval::cast(op, ty, to, a, side),
            Op::Icmp(cc) => (eval::icmp(cc, ty, a, b).into(), None),
            Op::Fcmp(cc) => (eval::fcmp(cc, ty, a, b).into(), None),
            Op::Ternary(op) => (eval::ternary(op, ty, a, b, b), None),
            Op::Nsw(op) => eval::binary(op, true, ty, a, b, side),
            Op::NswNeg => eval::unary(UnaryOp::Ineg, true, ty, a),
            Op::Atomic(op) => (atomic(op, ty, a, b), None),
            Op::Cas => (if a == b { a ^ ty.bit_mask() } else { a }, None),
        }
    }

    /// Writes it for the operands, of which the first lies in memory.
    fn write(self, b: &mut FuncBuilder, (x, place): (Value, Value), y: Value) -> Value {
        let (order, scope) = (MemOrder::Relaxed, Scope::Device);
        match self {
            Op::Unary(op) => b.unary(op, x),
            Op::Binary(op) => b.binary(op, x, y),
            Op::Cast(op, to) => b.cast(op, to, x),
            Op::Icmp(cc) => b.icmp(cc, x, y),
            Op::Fcmp(cc) => b.fcmp(cc, x, y),
            Op::Ternary(op) => b.ternary(op, x, y, y),
            Op::Nsw(op) => b.binary_nsw(op, x, y),
            Op::NswNeg => b.ineg_nsw(x),
            Op::Atomic(op) => {
                let old = b.atomic_rmw(op, order, scope, place, y);
                Op::left(b, (x, place), old)
            }
            Op::Cas => {
                let new = b.unary(UnaryOp::Inot, x);
                let old = b.atomic_cas(order, scope, place, y, new);
                Op::left(b, (x, place), old)
            }
        }
    }

    /// What is in memory behind an atomic operation, if it gave what was there before.
    fn left(b: &mut FuncBuilder, (x, place): (Value, Value), old: Value) -> Value {
        let ty = b.ty(x);
        let new = b.load(ty, place, MemFlags::natural(ty));
        let whole = Type::int(ty.bits()).expect("as wide an integer");
        let [was, is] = [x, old].map(|v| if ty.is_float() { b.cast(CastOp::Bitcast, whole, v) } else { v });
        let same = b.icmp(IntCC::Eq, was, is);
        let wrong = b.const_bits(ty, 0x55);
        b.select(same, new, wrong)
    }
}

const NUMBERS: [Type; 9] =
    [Type::I8, Type::I16, Type::I32, Type::I64, Type::I128, Type::F16, Type::BF16, Type::F32, Type::F64];

/// All operations on a type.
fn operations(ty: Type) -> Vec<Op> {
    let float = ty.is_float();
    let of_float = |op: UnaryOp| op.name().starts_with('f');
    let unary = UnaryOp::ALL.iter().copied().filter(|&op| of_float(op) == float).map(Op::Unary);
    let binary = BinaryOp::ALL.iter().copied().filter(|op| op.is_float() == float).map(Op::Binary);
    let mut all: Vec<Op> = unary.chain(binary).collect();
    if float {
        all.extend(FloatCC::ALL.iter().copied().map(Op::Fcmp));
        all.push(Op::Ternary(TernaryOp::Fma));
    } else {
        all.extend(IntCC::ALL.iter().copied().map(Op::Icmp));
        all.extend([TernaryOp::Fshl, TernaryOp::Fshr].map(Op::Ternary));
        all.extend(BinaryOp::ALL.iter().copied().filter(|op| op.takes_nsw()).map(Op::Nsw));
        all.push(Op::NswNeg);
    }
    if matches!(ty, Type::I32 | Type::I64 | Type::F32 | Type::F64) {
        let of_float = |op: AtomicOp| matches!(op, AtomicOp::Fadd | AtomicOp::Fmin | AtomicOp::Fmax);
        let suits = |op: AtomicOp| op == AtomicOp::Xchg || of_float(op) == float;
        all.extend(AtomicOp::ALL.iter().copied().filter(|&op| suits(op)).map(Op::Atomic));
        all.extend((!float).then_some(Op::Cas));
    }
    for to in NUMBERS {
        let (from_bits, to_bits) = (ty.bits(), to.bits());
        match (float, to.is_float()) {
            (true, true) if from_bits < to_bits => all.push(Op::Cast(CastOp::Fpext, to)),
            (true, true) if from_bits > to_bits => all.push(Op::Cast(CastOp::Fptrunc, to)),
            (true, false) => all.extend([CastOp::Fptosi, CastOp::Fptoui].map(|op| Op::Cast(op, to))),
            (false, true) => all.extend([CastOp::Sitofp, CastOp::Uitofp].map(|op| Op::Cast(op, to))),
            (false, false) if from_bits > to_bits => all.push(Op::Cast(CastOp::Trunc, to)),
            (false, false) if from_bits < to_bits => {
                all.extend([CastOp::Zext, CastOp::Sext].map(|op| Op::Cast(op, to)));
            }
            _ => {}
        }
    }
    all
}

/// A function that stores `op(a[t], b[t])` as the type's bytes, or `op(a[t], b)`; on the host, the thread `t` is an argument.
fn function(op: Op, ty: Type, layout: Layout, side: Side) -> Function {
    let ptr = Type::GENERIC_PTR;
    let mut params = vec![Param::new(ptr), Param::new(ptr), Param::new(ptr)];
    if side == Side::Host {
        params.push(Param::new(Type::I32));
    }
    let mut b = FuncBuilder::new(Function::new("f", side, Signature { params, ret: None, variadic: false }));
    let entry = b.make_entry();
    let p = b.func.block_params(entry).to_vec();
    let thread = if side == Side::Host { p[3] } else { b.special(SpecialReg::TidX) };
    let wide = b.cast(CastOp::Zext, Type::I64, thread);
    let sixteen = b.iconst(Type::I64, 16);
    let offset = b.binary(BinaryOp::Imul, wide, sixteen);
    let place = b.ptr_add(p[1], offset);
    let x = b.load(ty, place, MemFlags::natural(ty));
    let y = match layout {
        Layout::Constant(bits) => b.const_bits(ty, bits),
        Layout::Lanes => {
            let q = b.ptr_add(p[2], offset);
            b.load(ty, q, MemFlags::natural(ty))
        }
        Layout::Same => b.load(ty, p[2], MemFlags::natural(ty)),
    };
    let v = op.write(&mut b, (x, place), y);
    // A NaN is any NaN.
    let v = number(&mut b, v);
    let q = b.ptr_add(p[0], offset);
    b.store(v, q, MemFlags::natural(op.result(ty)));
    b.ret(None);
    b.finish()
}

/// What a run left.
enum Left {
    /// The bits of the results, and whether something was found to be undefined.
    Results(Vec<u128>, bool),
    /// It ended there, as nothing that is undefined has a result.
    Aborted,
    /// Machine code was asked for, and does not do it.
    NotCompiled,
}

/// Runs it for pairs of operands.
fn run(by: By, op: Op, ty: Type, layout: Layout, pairs: &[(u128, u128)]) -> Left {
    let mut module = Module::new();
    let id = module.add_func(function(op, ty, layout, by.side()));
    verify_module(&module).expect("the function obeys the rules");
    let text = module.to_string();
    let config = VmConfig { check_leaks: false, engine: by.engine(), ..VmConfig::default() };
    let knowledge = match by {
        By::Vectors => Knowledge::Together,
        By::Lanes => Knowledge::Compiled,
        _ => Knowledge::Nothing,
    };
    let mut m = Machine::new(Arc::new(module), config, Arc::new(knowledge), crate::stub::libraries());
    let bytes =
        |of: fn(&(u128, u128)) -> u128| pairs.iter().flat_map(|p| of(p).to_le_bytes()).collect::<Vec<u8>>();
    let objects = [vec![0; 16 * pairs.len()], bytes(|p| p.0), bytes(|p| p.1)].map(|b| object(&mut m, &b));
    let args: Vec<u128> = objects.iter().map(|p| p.0.into()).collect();
    if by.side() == Side::Host {
        for t in 0..pairs.len() {
            let args = [&args[..], &[t as u128]].concat();
            if m.call_guest(Ptr::code(id.as_u32()), &args, Place::Unknown).is_err() {
                return Left::Aborted;
            }
        }
    } else {
        let launch = grid_launch(id, [1, pairs.len() as u32], args);
        match m.run_grid(launch) {
            Ok(LaunchEnd::Done) => {}
            Ok(LaunchEnd::Aborted(_)) => return Left::Aborted,
            other => panic!("{other:?}\n{text}"),
        }
    }
    m.engine.worker.ub.flush(&mut m.findings);
    let found = !m.findings.is_empty();
    let is_compiled = match by {
        By::Vectors | By::Lanes => m.engine.launches.tier.has_run(id),
        By::HostCode => {
            let HostTarget::Code(code) = m.engine.host.code.target(id) else { panic!("no code\n{text}") };
            matches!(code.unit().machine.get(), Some(Ok(_)))
        }
        By::Bytecode | By::HostBytecode => true,
    };
    let who = ByteAccess::host("test", None);
    let size = 16 * pairs.len() as u64;
    let left = m.mem.read(&mut LaneCx::host(&mut m.findings), who, objects[0], size).expect("a read");
    let bits = |b: &[u8]| u128::from_le_bytes(b.try_into().expect("16 bytes"));
    // Machine code that meets what is undefined leaves all to the bytecode.
    if is_compiled || found {
        Left::Results(left.chunks(16).map(bits).collect(), found)
    } else {
        Left::NotCompiled
    }
}

/// What the function stores, and whether that is undefined.
fn expected(op: Op, side: Side, ty: Type, pair: (u128, u128)) -> eval::Eval {
    let (to, (bits, ub)) = (op.result(ty), op.eval(side, ty, pair));
    let is_nan = to.is_float() && eval::fcmp(FloatCC::Uno, to, bits, bits);
    (if is_nan { 0 } else { bits }, ub)
}

/// Compares all results for one layout of the operands. Says what differs, and whether all of it was computed.
fn compare(
    by: By,
    op: Op,
    ty: Type,
    layout: Layout,
    pairs: &[(u128, u128)],
    wrong: &mut Vec<String>,
) -> bool {
    // Blocks have at most 1,024 threads; the last chunk is not full.
    for part in pairs.chunks(1000) {
        let what = format!("{by:?} {layout:?} {op:?}.{ty}");
        let wanted: Vec<eval::Eval> = part.iter().map(|&pair| expected(op, by.side(), ty, pair)).collect();
        let undefined = part.iter().zip(&wanted).find(|(_, (_, ub))| ub.is_some());
        match run(by, op, ty, layout, part) {
            Left::NotCompiled => return false,
            Left::Aborted => {
                if !matches!(undefined, Some((_, (_, Some(eval::Ub::DivZero | eval::Ub::DivOverflow))))) {
                    wrong.push(format!("{what}: ended, with {undefined:x?}"));
                }
            }
            Left::Results(results, found) => {
                if found != undefined.is_some() {
                    wrong.push(format!("{what}: found to be undefined: {found}, not {undefined:x?}"));
                }
                let mut all = part.iter().zip(&results).zip(&wanted);
                if let Some(((pair, bits), (want, ub))) = all.find(|((_, bits), (want, _))| *bits != want) {
                    wrong.push(format!("{what} {pair:x?}: {bits:x}, not {want:x}, {ub:?}"));
                }
            }
        }
    }
    true
}

/// Compares all operations on a type. Of so many at least there is machine code for kernels; the others do all.
fn check_all(ty: Type, by: &[By], compiled: usize) {
    let mut wrong = Vec::new();
    let values = eval::extremes(ty);
    for &by in by {
        let mut done = 0;
        for op in operations(ty) {
            let has_two = !matches!(op, Op::Unary(_) | Op::Cast(..) | Op::NswNeg);
            let seconds = if has_two { &values[..] } else { &values[..1] };
            let all = values.iter().flat_map(|&a| seconds.iter().map(move |&b| (a, b)));
            let (defined, undefined): (Vec<_>, Vec<_>) =
                all.partition(|&p| expected(op, by.side(), ty, p).1.is_none());
            if !compare(by, op, ty, Layout::Lanes, &defined, &mut wrong) {
                continue;
            }
            done += 1;
            // One lane of some does what is undefined.
            let few = |n: usize| &defined[..defined.len().min(n)];
            for &pair in undefined.iter().step_by(undefined.len() / 8 + 1) {
                let amid = [few(20), &[pair], few(9)].concat();
                let first = [&[pair], few(2)].concat();
                for (layout, pairs) in
                    [(Layout::Lanes, amid), (Layout::Lanes, first), (Layout::Constant(pair.1), vec![pair])]
                {
                    compare(by, op, ty, layout, &pairs, &mut wrong);
                }
            }
            if by.side() != Side::Host {
                let side_by_side: Vec<_> = defined.iter().flat_map(|&p| [p; TOGETHER]).collect();
                compare(by, op, ty, Layout::Lanes, &side_by_side, &mut wrong);
            }
            for &b in seconds.iter().filter(|_| has_two).step_by(3) {
                let same: Vec<_> = defined.iter().copied().filter(|p| p.1 == b).collect();
                if !same.is_empty() {
                    compare(by, op, ty, Layout::Same, &same, &mut wrong);
                    compare(by, op, ty, Layout::Constant(b), &same, &mut wrong);
                }
            }
        }
        let least = if matches!(by, By::Vectors | By::Lanes) { compiled } else { operations(ty).len() };
        assert!(done >= least, "{by:?}: {done} operations on {ty}, not {least}");
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

const ALL: [By; 5] = [By::Bytecode, By::Vectors, By::Lanes, By::HostBytecode, By::HostCode];

#[test]
fn operations_on_bytes() {
    check_all(Type::I8, &ALL, 48);
}

#[test]
fn operations_on_short_integers() {
    check_all(Type::I16, &ALL, 48);
}

#[test]
fn operations_on_integers() {
    check_all(Type::I32, &ALL, 65);
}

#[test]
fn operations_on_long_integers() {
    check_all(Type::I64, &ALL, 62);
}

#[test]
fn operations_on_wide_integers() {
    check_all(Type::I128, &[By::Bytecode, By::HostBytecode], 0);
}

#[test]
fn operations_on_halves() {
    check_all(Type::F16, &[By::Bytecode, By::HostBytecode], 0);
    check_all(Type::BF16, &[By::Bytecode, By::HostBytecode], 0);
}

#[test]
fn operations_on_floats() {
    check_all(Type::F32, &ALL, 36);
}

#[test]
fn operations_on_doubles() {
    check_all(Type::F64, &ALL, 36);
}
